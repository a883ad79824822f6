"""What type checkers have to find: a line that ends in `# wrong` is an error for both."""
import numpy as np

import tangent


def square(x: float, scale: float = 1.0) -> float:
    return x * x * scale


tangent.grad(square)('two')  # wrong
tangent.grad(square)(1.0, 2.0, 3.0, 4.0)  # wrong
tangent.grad(square)(1.0, scale='much')  # wrong
tangent.grad(square, optimised=True)  # wrong
tangent.grad(square, wrt=1.5)  # wrong
tangent.autodiff(square, mode='backward')  # wrong
tangent.hessian(square)(np.ones(2), 'x')  # wrong
tangent.gradient(square)  # wrong
tangent.value_and_grad(square)(1.0)[0].upper()  # wrong
