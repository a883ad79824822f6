"""Benchmarks of the derivatives under CPython: `python -m benchmarks` prints them.

Libraries read these variables when they are imported, so they are set before anything else: one thread for everyone.
"""
import os

for _name in ('OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'MKL_NUM_THREADS', 'VECLIB_MAXIMUM_THREADS'):
    os.environ[_name] = '1'
os.environ['XLA_FLAGS'] = '--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1'
os.environ.setdefault('JAX_PLATFORMS', 'cpu')
