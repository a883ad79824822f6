"""Polynomials by their coefficients, the highest power first, as the functions of `numpy.poly*` have them."""
from tangent.templates.language.declare import bilinear, general, linear

general('y = numpy.polyval(p, x)', 'unpolyval(d[y], p, x)', 'd[y] * polynomial_slope(p, x)',
        forward='numpy.polyval(d[p], x) + polynomial_slope(p, x) * d[x]')
linear('y = numpy.polyadd(a1, a2)', 'aligned(d[y], a1)', 'aligned(d[y], a2)')
linear('y = numpy.polysub(a1, a2)', 'aligned(d[y], a1)', 'aligned(-d[y], a2)')
bilinear('y = numpy.polymul(a1, a2)', 'unpolymul(d[y], a1, a2)', 'unpolymul(d[y], a2, a1)')
linear('y = numpy.polyder(p, m=1)', 'unpolyder(d[y], p, m=m)')
linear('y = numpy.polyint(p, m=1, k=None)', 'unpolyint(d[y], p, m=m)', refuse=['k'])
general('y = numpy.roots(p)', 'unroots(d[y], p, y)', forward='push_roots(d[p], p, y)')
general('y = numpy.poly(seq_of_zeros)', 'unpoly(d[y], seq_of_zeros)', forward='push_poly(d[seq_of_zeros], seq_of_zeros)')
