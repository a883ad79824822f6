"""The programs of the Myia paper (van Merrienboer, Breuleux, Bergeron, Lamblin: Automatic differentiation in ML, 2018).

    python examples/papers/myia.py

Its Figure 1 takes `grad(f)` of `x ** 3` through their compiler, to end with what one would have written by hand. So does
ours. Section 3 then asks for closures, recursion and higher-order functions, differentiated to any order.
"""
import tangent


def f(x):
    return x ** 3


def main(x):
    dfdx = tangent.grad(f)
    return dfdx(x)


def power(x, n):
    """Recursion in place of a loop, as in a functional representation."""
    if n == 0:
        return 1.0
    return x * power(x, n - 1)


def compose(g, n):
    """The n-fold composition of a function with itself: a closure over a closure."""
    if n == 0:
        return lambda x: x
    inner = compose(g, n - 1)
    return lambda x: g(inner(x))


def polynomial(coefficients):
    """A function made of data: the closure's gradient is that of what it captured."""
    def evaluate(x):
        total = 0.0
        for c in coefficients:
            total = total * x + c
        return total
    return evaluate


def scaled_twice(x, w):
    return compose(lambda v: w * v * v, 2)(x)


def fitted(coefficients, x):
    return polynomial(coefficients)(x)


if __name__ == '__main__':
    print(tangent.source(tangent.grad(f)))
    print(f'main(2.0) = {main(2.0)}, its derivative {tangent.grad(main)(2.0)}, theirs {tangent.grad(tangent.grad(main))(2.0)}')
    print('power(1.5, 4):', tangent.grad(power)(1.5, 4), 'by hand', 4 * 1.5 ** 3)
    print('w * (w * x * x) ** 2 by x and w:', tangent.grad(scaled_twice, wrt=(0, 1))(0.5, 2.0))
    print('coefficients:', tangent.grad(fitted)([1.0, 2.0, 3.0], 0.5))
