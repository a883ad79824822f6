"""The other libraries, where they are installed."""
import importlib

NAMES = ('autograd', 'jax')


def present(wanted=NAMES):
    """The wanted libraries that can be imported: name -> module."""
    found = {}
    for name in wanted:
        try:
            found[name] = importlib.import_module(name)
        except ImportError:
            print(f'{name} is not installed: skipped (pip install tangent[bench])')
    if 'jax' in found:
        found['jax'].config.update('jax_enable_x64', True)
        found['jax'].config.update('jax_cpu_enable_async_dispatch', False)
    return found
