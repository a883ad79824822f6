"""Samples of SciPy's functions; see `rule_samples_made`."""
from tests.sampling import Sample
from tests.test_scipy import CALLS, VALUES

MORE = """
signal.oaconvolve(v, x)
special.betaincc(1.5, 2.5, u)
stats.bernoulli.pmf([0, 1, 1], u)
stats.binom.pmf([0, 2, 3], 5, u)
stats.geom.pmf([1, 2, 3], u)
linalg.cosm(h)
linalg.tanm(0.3 * h)
linalg.sinhm(h)
linalg.tanhm(0.3 * h)
""".strip().splitlines()


def written():
    """The calls that are written down one by one."""
    for text in CALLS + MORE:
        yield Sample(text, VALUES, exact=1e-11, smooth=1e-5, without=('long', 'complex', 'numpy.longdouble'))


GENERATORS = [written]
