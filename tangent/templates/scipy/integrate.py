"""`scipy.integrate`: integrals of functions and of samples, solutions of differential equations."""
import scipy.integrate

from tangent.runtime.references import scipy as plain
from tangent.runtime.references.table import SUBSTITUTES
from tangent.templates.language.declare import general, linear, plain_flag

I = 'scipy.integrate.'  # noqa: E741

QUAD = 'density, func, a, b, args, (limit, points, weight)'
ENDS = {'a': ' - at_end(density, func, a, args)[0] * d[a]', 'b': ' + at_end(density, func, b, args)[0] * d[b]'}
for still in ['', 'a', 'b', 'ab']:             # an end that is a literal stays where it is, whatever the integrand is there
    moved = ''.join(text for end, text in ENDS.items() if end not in still)
    general(f'y = {I}quad(func, a, b, args=(), full_output=0, epsabs=1.49e-08, epsrel=1.49e-08, limit=50, points=None, '
            'weight=None, wvar=None, wopts=None, maxp1=50, limlst=50)',
            f'unintegral(d[y][0], {QUAD})[0]', '-d[y][0] * at_end(density, func, a, args)[0]',
            'd[y][0] * at_end(density, func, b, args)[0]', more={'args': f'unintegral(d[y][0], {QUAD})[1]'},
            forward=f'(push_integral(d[func], d[args], {QUAD})[0]{moved}, *zero_tangent(y)[1:])',
            when=' and '.join(f'{end} == {end}' for end in still) or None)

HOW = '(method, rtol, atol, max_step)'
IVP = f'y, fun, (t_span, y0, t_eval, args), {HOW}, events'
IVP_BACK = f'unsolve_ivp(d[y], {IVP})'
general(f'y = {I}solve_ivp(fun, t_span, y0, method="RK45", t_eval=None, dense_output=False, events=None, vectorized=False, '
        'args=None, rtol=0.001, atol=1e-06, max_step=None, first_step=None, jac=None, jac_sparsity=None, lband=None, '
        'uband=None, min_step=None)',
        f'{IVP_BACK}[0]', f'{IVP_BACK}[1]', f'unarray({IVP_BACK}[2], y0)',
        more={'t_eval': f'{IVP_BACK}[3]', 'args': f'{IVP_BACK}[4]'}, shape='container',
        forward=f'push_ivp(d[fun], (d[t_span], d[y0], d[t_eval], d[args]), {IVP})')

ODEINT = 'func, y0, t, args, ("LSODA", rtol, atol, None), tfirst'
ODEINT_BACK = f'unodeint(d[y], {ODEINT})'
general(f'y = {I}odeint(func, y0, t, args=(), Dfun=None, col_deriv=0, full_output=0, ml=None, mu=None, rtol=1.49e-08, '
        'atol=1.49e-08, tcrit=None, h0=0.0, hmax=0.0, hmin=0.0, ixpr=0, mxstep=0, mxhnil=0, mxordn=12, mxords=5, printmessg=0, '
        'tfirst=False)',
        f'{ODEINT_BACK}[0]', f'unarray({ODEINT_BACK}[1], y0)', f'{ODEINT_BACK}[2]', more={'args': f'{ODEINT_BACK}[3]'},
        forward=f'push_odeint((d[func], d[y0], d[t], d[args]), {ODEINT})', prepare=plain_flag(I + 'odeint'))

general('z = scipy.integrate.trapezoid(y, x=None, dx=1.0, axis=-1)', 'untrapezoid(d[z], y, x, dx, axis)[0]',
        'untrapezoid(d[z], y, x, dx, axis)[1]', 'untrapezoid(d[z], y, x, dx, axis)[2]',
        forward='push_trapezoid(d[y], d[x], d[dx], y, x, dx, axis)')
linear(f'z = {I}simpson(y, x=None, dx=1.0, axis=-1)', f'unalong(d[z], y, functools.partial({I}simpson, x=x, dx=dx), axis)',
       refuse=['x', 'dx'])
linear(f'z = {I}romb(y, dx=1.0, axis=-1, show=False)', f'unalong(d[z], y, functools.partial({I}romb, dx=dx), axis)',
       refuse=['dx'])
SIMPSON = 'x=x, dx=dx, initial=None if initial is None else 0.0'
general(f'z = {I}cumulative_simpson(y, x=None, dx=1.0, axis=-1, initial=None)',
        f'unalong(d[z], y, functools.partial({I}cumulative_simpson, {SIMPSON}), axis)', refuse=['x', 'dx', 'initial'],
        forward=f'{I}cumulative_simpson(d[y], axis=axis, {SIMPSON})')
SUBSTITUTES.update({scipy.integrate.dblquad: plain.dblquad, scipy.integrate.cumulative_trapezoid: plain.cumulative_trapezoid})
