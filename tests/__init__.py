"""The tests, in rooms as the package has them: who changes tangent/numba/ runs tests/numba/."""
import pathlib

ROOT = pathlib.Path(__file__).parent.parent             # of the repository
