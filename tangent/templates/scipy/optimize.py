"""`scipy.optimize`: roots, fixed points and minima have the derivatives of the implicit function theorem.

The start, the bracket, the tolerances and the options of a solver have none: the solution does not depend on them.
"""
import scipy.optimize  # noqa: F401

from tangent.templates.language.declare import general, only, plain_flag

O = 'scipy.optimize.'


GRADIENT = {'{}["x"]': 'gradient_part({}, "x", "fun")', '{}["root"]': 'gradient_part({}, "root")'}
FORWARD = {'{}["x"]': 'as_result(y, x={})', '{}["root"]': 'as_result(y, root={})', '{}[0]': '({}, *zero_tangent(y)[1:])'}


def solver(text, function, conditions, result='{}', pair='', plain=None, **options):
    """A solver whose result, or this part of it, fulfils the conditions; `pair` is left out where `plain` is true."""
    x, g = result.format('y'), GRADIENT.get(result, result).format('d[y]')
    for more, when in [(pair, options.pop('when', None))] + [('', plain)] * (plain is not None):
        rest = f'{conditions}, {function}, {x}, args{more}'
        forward = FORWARD.get(result, '{}').format(f'push_solution(d[{function}], d[args], {rest})')
        general(f'y = {O}{text}', more={function: f'unsolution({g}, {rest})[0]', 'args': f'unsolution({g}, {rest})[1]'},
                forward=forward, when=when, **options)


solver('root(fun, x0, args=(), method="hybr", jac=None, tol=None, callback=None, options=None)', 'fun', 'at_root',
       '{}["x"]', ', jac is True', 'jac is None')
solver('root_scalar(f, args=(), method=None, bracket=None, fprime=None, fprime2=None, x0=None, x1=None, xtol=None, rtol=None, '
       'maxiter=None, options=None)', 'f', 'at_root', '{}["root"]', ', fprime is True or fprime2 is True',
       'fprime is None and fprime2 is None')
ROOTS = 'xtol=2e-12, rtol=8.881784197001252e-16, maxiter=100, full_output=False, disp=True'
SOLVERS = {
    'fsolve': ('func, x0, args=(), fprime=None, full_output=0, col_deriv=0, xtol=1.49012e-08, maxfev=0, band=None, '
               'epsfcn=None, factor=100, diag=None', 'func', 'at_root'),
    'newton': ('func, x0, fprime=None, args=(), tol=1.48e-8, maxiter=50, fprime2=None, x1=None, rtol=0.0, full_output=False, '
               'disp=True', 'func', 'at_root'),
    'fixed_point': ('func, x0, args=(), xtol=1e-8, maxiter=500, method="del2"', 'func', 'at_fixed_point'),
    **{name: (f'f, a, b, args=(), {ROOTS}', 'f', 'at_root') for name in ('brentq', 'brenth', 'ridder', 'bisect')},
}
for name, (signature, function, conditions) in SOLVERS.items():
    flag = 'full_output' in signature
    solver(f'{name}({signature})', function, conditions, prepare=plain_flag(O + name) if flag else None)
    if flag:
        solver(f'{name}({signature})', function, conditions, '{}[0]', when='full_output')


def minimum(text, conditions, value, pair, free, plain, name='fun', prepare=None):
    """A solver that gives a minimum `x` and the value there; without a pair and bounds where `plain` is true."""
    for paired, more, when in [(f', {pair}', f', {free}', None), ('', '', plain)]:
        rest = f'fun, y["x"], args{paired}'
        pulled = f'unminimum((gradient_part(d[y], "x", "{name}"), d[y]["{name}"]), ({conditions}, {value}), {rest}{more})'
        pushed = f'as_result(y, x=push_solution(d[fun], d[args], {conditions}, {rest}{more}), ' \
                 f'{name}=push_value(d[fun], d[args], {value}, {rest}))'
        general(f'y = {O}{text}', more={'fun': f'{pulled}[0]', 'args': f'{pulled}[1]'}, forward=pushed, refuse=['bounds'],
                when=when, prepare=prepare)


minimum('minimize(fun, x0, args=(), method=None, jac=None, hess=None, hessp=None, bounds=None, constraints=(), tol=None, '
        'callback=None, options=None)', 'at_minimum', 'objective', 'jac is True', 'free_of(y["x"], bounds, constraints)',
        'jac is None and bounds is None and constraints == ()')
minimum('minimize_scalar(fun, bracket=None, bounds=None, args=(), method=None, tol=None, options=None)', 'at_minimum',
        'objective', 'False', 'free_of(y["x"], [bounds])', 'bounds is None')
minimum('least_squares(fun, x0, jac="2-point", bounds=None, method="trf", ftol=1e-8, xtol=1e-8, gtol=1e-8, x_scale=None, '
        'loss="linear", f_scale=1.0, diff_step=None, tr_solver=None, tr_options=None, jac_sparsity=None, max_nfev=None, '
        'verbose=0, args=())', 'at_least_squares', 'half_square', 'False', 'free_between(y["x"], bounds)', 'bounds is None',
        'cost', only('scipy.optimize.least_squares', loss='linear'))
