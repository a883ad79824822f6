"""Where functions of packages register: a function of one number or array, and where it is called."""
import dataclasses
import importlib
import pathlib
import warnings

import numpy as np

FIELDS = sorted(path.stem for path in (pathlib.Path(__file__).parent / 'fields').glob('[a-z]*.py'))
CASES = []


@dataclasses.dataclass(frozen=True)
class Case:
    """smooth : whether it has second derivatives there; step : of the differences, as a part of each number."""
    package: str
    field: str
    function: object
    at: object
    smooth: bool = True
    step: float = 2e-3

    @property
    def name(self):
        return self.function.__name__

    def make(self):
        return self.at.copy() if isinstance(self.at, np.ndarray) else self.at


def load(name):
    """A module of a package, or None where the package is not installed."""
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        try:
            return importlib.import_module(name)
        except ImportError:
            return None


def package(name, *modules):
    """A decorator for functions of a package, each with the point to be looked at: a number, or the entries of a vector."""
    there = all(load(m) is not None for m in modules)

    def at(*numbers, **given):
        def register(function):
            if there:
                point = float(numbers[0]) if len(numbers) == 1 else np.array(numbers, dtype=float)
                CASES.append(Case(name, function.__module__.rpartition('.')[2], function, point, **given))
            return function
        return register
    return at


def cases():
    """All cases whose packages are installed."""
    for field in FIELDS:
        importlib.import_module(f'tests.packages.fields.{field}')
    return sorted(CASES, key=lambda case: (case.field, case.package))
