"""Derivatives of CUDA kernels, and elementwise functions as one kernel on arrays of CuPy's.

Enters: what `numba.cuda.jit` made of a kernel.
Leaves: its adjoint kernel, launched with the same grid.
May import: every room but `interfaces`. `numba.cuda` and `cupy` are imported when a kernel is made or launched, never before.
Start with: `kernels.derivative`. `inline` writes device functions into the kernel; `to_python` says what only CUDA knows
(barriers, atomics, shared memory) in plain Python with the same derivative; `driver` derives that; `from_python` puts the words
of CUDA back; `tape` gives each thread a tape; `device_functions` are helpers of rules for devices. `cupy_kernels` is apart: it
fuses elementwise functions.
"""
