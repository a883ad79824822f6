"""Polynomials by their coefficients, the lowest power first: `numpy.polynomial.polynomial`; and division of polynomials."""
from tangent.templates.language.declare import bilinear, general, linear

P = 'numpy.polynomial.polynomial.'

linear('y = unalong(g, a, operation, axis=-1)', 'operation(d[y], axis=axis)', shape='a')
linear('y = unalong_each(g, a, operation, axes=None)', 'along_each(d[y], operation, axes)', shape='a')
linear('y = along_each(a, operation, axes=None)', 'unalong_each(d[y], a, operation, axes)', shape='a')
linear(f'y = {P}polyadd(c1, c2)', 'low(d[y], c1)', 'low(d[y], c2)')
linear(f'y = {P}polysub(c1, c2)', 'low(d[y], c1)', 'low(-d[y], c2)')
bilinear(f'y = {P}polymul(c1, c2)', 'unmultiplied(d[y], c1, c2)', 'unmultiplied(d[y], c2, c1)')
linear(f'y = {P}polymulx(c)', 'd[y][1:].copy()')
general(f'y = {P}polypow(c, pow, maxpower=16)', f'unmultiplied(d[y], c, pow * {P}polypow(c, pow - 1))',
        forward=f'{P}polymul(d[c], pow * {P}polypow(c, pow - 1))')
linear(f'y = {P}polyder(c, m=1, scl=1, axis=0)', f'unalong(d[y], c, functools.partial({P}polyder, m=m, scl=scl), axis)',
       refuse=['scl'])
linear(f'y = {P}polyint(c, m=1, k=None, lbnd=0, scl=1, axis=0)',
       f'unalong(d[y], c, functools.partial({P}polyint, m=m, lbnd=lbnd, scl=scl), axis)', refuse=['k', 'lbnd', 'scl'],
       forward=f'{P}polyint(d[c], m=m, lbnd=lbnd, scl=scl, axis=axis)')
for module, a, b in [(P, 'c1', 'c2'), ('numpy.', 'u', 'v')]:
    by = f'{module}polydiv, {module}polymul'
    general(f'y = {module}polydiv({a}, {b})', f'undivided(d[y], {a}, {b}, y, {by})[0]',
            f'undivided(d[y], {a}, {b}, y, {by})[1]',
            forward=f'push_divided(d[{a}], d[{b}], {a}, {b}, y, {by}, {module}polysub)')
general(f'y = {P}polyfromroots(roots)', 'unpoly(d[y][::-1], roots)', forward='push_poly(d[roots], roots)[::-1]')
general(f'y = {P}polyroots(c)', 'unroots(d[y], c[::-1], y)[::-1]', forward='push_roots(d[c][::-1], c[::-1], y)')
general(f'y = {P}polyvander(x, deg)', 'unvander(d[y], x, True)', forward='push_vander(d[x], x, y, True)')
