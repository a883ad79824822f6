"""CuPy's own functions: those that move data between host and device, as they are asked to.

All others are NumPy's by name; see `cupy_functions`.
"""
import sys

from tangent.templates.language.declare import constant, linear

cupy = sys.modules['cupy']
for array in ['asarray(a, dtype=None, order=None)', 'array(object, dtype=None, copy=True, order="K", subok=False, ndmin=0)',
              'asanyarray(a, dtype=None, order=None)', 'ascontiguousarray(a, dtype=None)', 'asfortranarray(a, dtype=None)']:
    name, argument = array.partition('(')[0], array.partition('(')[2].partition(',')[0]
    if hasattr(cupy, name):
        linear(f'y = cupy.{array}', f'moved_back(d[y], {argument})')
linear('y = cupy.asnumpy(a, stream=None, order="C")', 'moved_back(d[y], a)', shape='a')
constant(*(getattr(cupy, name) for name in ('get_array_module', 'is_available') if hasattr(cupy, name)))
