"""Run autograd's tests over the shim: `python -m tests.autograd_shim path/to/tests [options of pytest]`."""
import os
import sys

import pytest

from tests.autograd_shim import install

install()
path = os.path.abspath(sys.argv[1])
sys.path.insert(0, path if os.path.isdir(path) else os.path.dirname(path))
sys.exit(pytest.main([*sys.argv[1:], '--rootdir', path if os.path.isdir(path) else os.path.dirname(path), '-c', os.devnull, '-p', 'no:cacheprovider']))
