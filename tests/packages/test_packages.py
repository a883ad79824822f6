"""Functions of packages that nobody wrote for us, each in reverse and forward mode and twice; see `python -m tests.packages`."""
import pytest

from tests.packages.judged import judge
from tests.packages.registry import cases

FOUND = cases()


@pytest.mark.share(10)
@pytest.mark.parametrize('case', FOUND, ids=[f'{case.package}-{case.name}' for case in FOUND])
def test_neither_wrong_nor_raw(case):
    found = judge(case, timed=False)
    assert not {'WRONG', 'raw'} & set(found.status.values()), found.why
