"""What type checkers have to find: a line that ends in `# wrong` is an error for both."""
import numpy as np

import tangent


def square(x: float, scale: float = 1.0) -> float:
    return x * x * scale


class Spring:
    def energy(self, x: float, *, k: float) -> float:
        return k * x * x


tangent.grad(square)('two')  # wrong
tangent.grad(square)(1.0, 2.0, 3.0, 4.0)  # wrong
tangent.grad(square)(1.0, scale='much')  # wrong
tangent.grad(square, optimised=True)  # wrong
tangent.grad(square, wrt=1.5)  # wrong
tangent.autodiff(square, mode='backward')  # wrong
tangent.hessian(square)(np.ones(2), 'x')  # wrong
tangent.gradient(square)  # wrong
tangent.value_and_grad(square)(1.0)[0].upper()  # wrong
tangent.grad(square)()  # wrong
tangent.grad(square)(x='two')  # wrong
tangent.grad(square)(x=1.0, scal=2.0)  # wrong
tangent.grad(square)(scale=2.0)  # wrong
tangent.value_and_grad(square)(x=1.0, scale='much')  # wrong
tangent.elementwise_grad(square)(x='two')  # wrong
tangent.func.grad(square)(x='two')  # wrong
tangent.grad(tangent.grad(square))(1.0, 2.0, 3.0)  # wrong
tangent.grad(Spring().energy)(1.0)  # wrong
tangent.grad(Spring().energy)(1.0, k=2.0).upper()  # wrong
tangent.grad(Spring.energy)(1.0, 2.0, k=1.0)  # wrong
tangent.remat(square)('two')  # wrong
tangent.tree_map(lambda p: p, {'w': 1.0}, {'w': 2.0})  # wrong
tangent.view(3)  # wrong
