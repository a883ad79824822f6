"""The programs of several files in one start: `mpiexec -n N python every.py FILE[:NAME,NAME] ...`."""
import importlib
import sys

if __name__ == '__main__':
    for asked in sys.argv[1:]:
        file, _, names = asked.partition(':')
        importlib.import_module(f'tests.parallel.{file}').main(names.split(',') if names else [])
