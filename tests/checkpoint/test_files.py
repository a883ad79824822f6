"""Gradients of arrays in files are in files: a model larger than the memory that the process may have."""
import subprocess
import sys

import numpy as np
import pytest

import tangent

PROGRAM = '''
import resource, sys
import numpy as np
import tangent

def network(w, x):
    for k in range(len(w)):
        x = np.tanh(w[k] @ x)
    return np.sum(x * x)

def data():
    return next(int(line.split()[1]) for line in open('/proc/self/status') if line.startswith('VmData')) * 1024

x = np.linspace(-1, 1, 512)
gradient = tangent.grad(network)
for _ in range(3):
    gradient(np.memmap(sys.argv[1] + '/small', float, 'w+', shape=(2, 512, 512)), x)
w = np.memmap(sys.argv[1] + '/large', float, 'w+', shape=(100, 512, 512))
for k in range(100):
    w[k] = np.random.default_rng(k).normal(size=(512, 512)) / 512 ** 0.5
room = data() + w.nbytes // 3
resource.setrlimit(resource.RLIMIT_DATA, (room, room))
try:
    np.ones(w.shape)
except MemoryError:
    print('too large')
found = gradient(w, x)
v, h = np.random.default_rng(7).normal(size=(512, 512)), 1e-5
before = w[40].copy()
w[40] = before + h * v
above = network(w, x)
w[40] = before - h * v
print(abs(np.sum(found[40] * v) - (above - network(w, x)) / (2 * h)) < 1e-4)
'''


@pytest.mark.skipif(not sys.platform.startswith('linux'), reason='the limit on what is held in memory is that of Linux')
def test_a_gradient_larger_than_the_memory(tmp_path):
    done = subprocess.run([sys.executable, '-c', PROGRAM, str(tmp_path)], capture_output=True, text=True, timeout=300)
    assert done.stdout.split('\n') == ['too large', 'True', ''], done.stderr


def test_parts_of_a_file_have_gradients_in_memory(tmp_path):
    w = np.memmap(tmp_path / 'w', np.float32, 'w+', shape=(3, 4))
    assert isinstance(tangent.init_grad(w), np.memmap) and tangent.init_grad(w).dtype == np.float32
    assert type(tangent.init_grad(w[1])) is np.ndarray
    assert tangent.grad(lambda v: np.sum(v * v))(w[1]).shape == (4,)
