"""Finance."""

from tests.packages.registry import load, package

bs, bsm, black = load('py_vollib.black_scholes'), load('py_vollib.black_scholes_merton'), load('py_vollib.black')
greeks = load('py_vollib.black_scholes.greeks.analytical')
numerical = load('py_vollib.black_scholes.greeks.numerical')
implied = load('py_vollib.black_scholes.implied_volatility')
reference = load('py_vollib.ref_python.black_scholes')
reference_implied = load('py_vollib.ref_python.black_scholes.implied_volatility')
npf = load('numpy_financial')
of_vollib = package('py_vollib', 'py_vollib.black_scholes')
of_npf = package('numpy_financial', 'numpy_financial')


@of_vollib(100.0, 95.0, 0.5, 0.01, 0.2)
def black_scholes(v):
    return bs.black_scholes('c', v[0], v[1], v[2], v[3], v[4])


@of_vollib(100.0, 95.0, 0.5, 0.01, 0.2)
def black_scholes_in_python(v):
    return reference.black_scholes('p', v[0], v[1], v[2], v[3], v[4])


@of_vollib(100.0, 95.0, 0.5, 0.01, 0.2)
def black_scholes_merton(v):
    return bsm.black_scholes_merton('p', v[0], v[1], v[2], v[3], v[4], 0.02)


@of_vollib(100.0, 95.0, 0.2, 0.02)
def black_76(v):
    return black.black('c', v[0], v[1], v[2], v[3], 0.5)


@of_vollib(100.0, 95.0, 0.5, 0.01, 0.2)
def greeks_of_black_scholes(v):
    args = v[0], v[1], v[2], v[3], v[4]
    return greeks.delta('c', *args) + greeks.gamma('c', *args) + greeks.vega('c', *args) + greeks.theta('c', *args) + greeks.rho('c', *args)


@of_vollib(0.3)
def numerical_delta(s):
    return numerical.delta('c', 100.0, 95.0, 0.5, 0.01, s)


@of_vollib(8.0, 100.0)
def implied_volatility(v):
    return implied.implied_volatility(v[0], v[1], 95.0, 0.5, 0.01, 'c')


@of_vollib(8.0, 100.0)
def implied_volatility_in_python(v):
    return reference_implied.implied_volatility(v[0], v[1], 95.0, 0.5, 0.01, 'c')


@of_npf(0.05, -100.0, -1000.0)
def future_value(v):
    return npf.fv(v[0], 10, v[1], v[2])


@of_npf(0.05, 1000.0)
def payment(v):
    return npf.pmt(v[0], 10, v[1])


@of_npf(0.05, -100.0)
def present_value(v):
    return npf.pv(v[0], 10, v[1])


@of_npf(0.05, -100.0)
def number_of_periods(v):
    return npf.nper(v[0], v[1], 700.0)


@of_npf(0.05, 1000.0)
def interest_payment(v):
    return npf.ipmt(v[0], 3, 10, v[1])


@of_npf(0.05, 1000.0)
def principal_payment(v):
    return npf.ppmt(v[0], 3, 10, v[1])


@of_npf(0.05, -1000.0, 300.0, 400.0, 500.0)
def net_present_value(v):
    return npf.npv(v[0], v[1:])


@of_npf(-1000.0, 300.0, 400.0, 500.0)
def internal_rate_of_return(v):
    return npf.irr(v)


@of_npf(-1000.0, 300.0, 400.0, 500.0)
def modified_internal_rate(v):
    return npf.mirr(v, 0.1, 0.12)


@of_npf(100.0, 1000.0)
def rate(v):
    return npf.rate(10, -v[0], v[1] * 0.7, 0.0)
