"""SciPy's own Rosenbrock function, differentiated through its source and minimised.

    python -m tangent show scipy.optimize:rosen
    python examples/rosenbrock.py
"""
import numpy as np
from scipy.optimize import minimize, rosen

import tangent


def main(size=10):
    start = np.linspace(-1.2, 1.2, size)
    found = minimize(tangent.value_and_grad(rosen), start, jac=True, method='BFGS', options={'gtol': 1e-8})
    print(f'from {rosen(start):.1f} to {found.fun:.1e} in {found.nit} iterations and {found.nfev} gradients')
    print('minimum at', np.round(found.x, 6))
    return found


if __name__ == '__main__':
    main()
