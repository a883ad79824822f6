# ruff: noqa: B007, B008, E731, F841 - a corpus of programs as people write them
"""Programs of the kinds that reverse mode must take: straight lines and branches.

Each function is followed by the arguments it is tested at; :data:`CASES` holds them all. Loops, calls and containers,
arrays, and what a later version may take are in the files beside this one. Nothing here is written for tangent: it is
ordinary code, sometimes clumsy on purpose.
"""
import functools
import math

from tests.tools.checking import add_case

CASES = []
case = functools.partial(add_case, CASES)


# Straight lines

def identity(x):
    return x


case(identity, 2.5)


def negative(x):
    return -x


case(negative, 2.5)


def positive(x):
    return +x


case(positive, 2.5)


def product(x, y):
    return x * y


case(product, 2.0, -3.0, wrt=[(0,), (1,), (0, 1), (1, 0)])


def quotient(x, y):
    return x / y


case(quotient, 2.0, -3.0, wrt=[(0,), (1,), (0, 1)])


def remainder(x, y):
    return x % y + x // y


case(remainder, 7.3, 2.1)


def power(x, y):
    return x ** y


case(power, 1.7, 2.3, wrt=[(0,), (1,), (0, 1)])


def cubic(x):
    return x ** 3 - 2 * x ** 2 + x - 5.0


case(cubic, 1.3)


def same_name_again(x):
    x = x * x
    x = x * x
    x = x + 1.0
    return x


case(same_name_again, 1.1)


def swapped(x, y):
    x, y = y, x
    return x - y * y


case(swapped, 1.2, 3.4)


def chain_of_copies(x):
    a = x
    b = a
    c = b
    a = 3.0
    return c * b * a


case(chain_of_copies, 1.4)


def chained_assignment(x):
    a = b = x * 2
    a = a * x
    return a + b


case(chained_assignment, 1.4)


def unused(x, y):
    z = x * y
    return x


case(unused, 1.4, 2.0)


def overwritten_before_use(x, y):
    x = 2.0
    return x * y


case(overwritten_before_use, 1.4, 2.0)


def constant_result(x):
    return 3.0


case(constant_result, 1.4)


def with_docstring(x):
    """A docstring, and a string statement below."""
    'still nothing'
    return x * x  # a comment


case(with_docstring, 1.4)


def annotated(x: float, y: float = 2.0) -> float:
    z: float = x * y
    return z * x


case(annotated, 1.4)
case(annotated, 1.4, 0.7)


def augmented(x, y):
    x += y
    x *= y
    x -= 3.0
    x /= y + 2.0
    x **= 2
    return x


case(augmented, 1.4, 0.7)


def long_formula(x, y):
    return (x * y + math.sin(x) * math.cos(y)) / (1 + x ** 2 + y ** 2) - (x - y) * (x + y) ** 2 / (2 * x)


case(long_formula, 1.4, 0.7)


def math_functions(x):
    a = math.exp(x) + math.log(x) + math.sqrt(x)
    b = math.sin(a) * math.cos(x) + math.tan(x)
    return math.tanh(b) + math.atan(x) + math.pow(x, 3) + math.fabs(x) + math.log1p(x) + math.expm1(x)


case(math_functions, 0.6)


def more_math_functions(x, y):
    return (math.asin(x) + math.acos(x) + math.sinh(x) + math.cosh(x) + math.atan2(x, y) + math.hypot(x, y)
            + math.log(y, 3.0) + math.log2(y) + math.log10(y))


case(more_math_functions, 0.6, 1.3)


def special_functions(x):
    return math.erf(x) + math.gamma(x) + math.lgamma(x) + math.erfc(x)


case(special_functions, 1.6)


def builtins(x, y):
    return abs(x) + pow(y, 2) + max(x, y) + min(x, y, 0.5) + sum([x, y, x * y]) + float(x)


case(builtins, -1.6, 2.0)


# Conditional expressions and branches

def conditional_expression(x):
    return x * x if x > 0 else -x


case(conditional_expression, 1.6)
case(conditional_expression, -1.6)


def nested_conditional(x, y):
    return x if x > y else (y if y > 1 else x * y)


case(nested_conditional, 2.0, 1.0)
case(nested_conditional, 1.0, 2.0)
case(nested_conditional, 0.2, 0.5)


def branch(x):
    if x > 0:
        y = x * x
    else:
        y = -3 * x
    return y


case(branch, 1.6)
case(branch, -1.6)


def branch_without_else(x):
    if x > 1:
        x = x * x
    return x * 2.0


case(branch_without_else, 1.6)
case(branch_without_else, 0.6)


def serial_branches(x):
    if x > 0:
        x = x * 2.0
    if x > 3:
        x = x * x
    if not x > 100:
        x = x + 1
    return x


case(serial_branches, 2.0)
case(serial_branches, 0.5)
case(serial_branches, -2.0)


def elif_chain(x):
    if x < -1:
        r = x * 2
    elif x < 0:
        r = x * x
    elif x < 1:
        r = x ** 3
    else:
        r = math.exp(x)
    return r * r


case(elif_chain, -2.0)
case(elif_chain, -0.5)
case(elif_chain, 0.5)
case(elif_chain, 1.5)


def nested_branches(x, y):
    if x > 0:
        if y > 0:
            z = x * y
        else:
            z = x - y
            if z > 3:
                z = z * z
    else:
        z = x * x * y
    return z


case(nested_branches, 1.5, 2.0)
case(nested_branches, 1.5, -1.0)
case(nested_branches, 1.5, -2.0)
case(nested_branches, -1.5, 2.0)


def branch_on_flag(x, flag):
    if flag:
        return x * x
    return x


case(branch_on_flag, 1.5, True)
case(branch_on_flag, 1.5, False)


def boolean_conditions(x, y):
    if x > 0 and y > 0 or x < -5:
        return x * y
    if 0 < y < 10 and not (x == y):
        return x + y * y
    return x - y


case(boolean_conditions, 1.0, 2.0)
case(boolean_conditions, -6.0, -2.0)
case(boolean_conditions, -1.0, 2.0)
case(boolean_conditions, -1.0, -2.0)


def early_returns(x):
    if x > 2:
        return x * x
    y = x * 3
    if x > 1:
        return y * x
    elif x > 0:
        return y
    return x


case(early_returns, 2.5)
case(early_returns, 1.5)
case(early_returns, 0.5)
case(early_returns, -0.5)


def active_in_one_branch(x, y):
    z = 1.0
    if x > 0:
        z = x * y
        w = z * z
    else:
        w = 2.0
    return w + x


case(active_in_one_branch, 1.5, 2.0)
case(active_in_one_branch, -1.5, 2.0)


def boolean_value(x, y):
    z = x or y
    w = x and y
    return z * w


case(boolean_value, 1.5, 2.0)
