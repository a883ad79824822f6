"""Methods of numbers written in C, as functions with a rule: those of `decimal.Decimal`."""
import decimal


def decimal_sqrt(x, context=None):
    return x.sqrt(context)


def decimal_exp(x, context=None):
    return x.exp(context)


def decimal_ln(x, context=None):
    return x.ln(context)


def decimal_log10(x, context=None):
    return x.log10(context)


FUNCTIONS = decimal_sqrt, decimal_exp, decimal_ln, decimal_log10
METHODS = {(decimal.Decimal, f.__name__.removeprefix('decimal_')): f for f in FUNCTIONS}
