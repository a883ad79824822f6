"""Rules in derivatives with `nan_safe`: where nothing flows zeros are known to be zero (see `runtime.nan_safe`)."""
from tangent.templates.language.declare import elementwise, linear, nan_safe_form

nan_safe_form('z = numpy.where(condition, x, y)', None, 'where_taken(condition, d[z])', 'where_not_taken(condition, d[z])')
for extreme in ['maximum', 'minimum', 'fmax', 'fmin']:
    nan_safe_form(f'z = numpy.{extreme}(x, y)', 'where_taken(x == z, d[z] * balanced_eq(x, z, y))',
                  'where_taken(y == z, d[z] * balanced_eq(y, z, x))')
for clip, low, high in [('numpy.clip(a, a_min=None, a_max=None, out=None)', 'a_min', 'a_max'),
                        ('a.clip(min=None, max=None, out=None)', 'min', 'max')]:
    nan_safe_form(f'y = {clip}', 'where_taken(a == y, d[y])', f'where_taken((a < {low}) & (y == {low}), d[y])',
                  f'where_taken((a != {high}) & (y == {high}), d[y])')
nan_safe_form('y = numpy.select(condlist, choicelist, default=0)', None, 'unselect_known(d[y], condlist, choicelist)',
              'unbroadcast(where_taken(numpy.select(condlist, [False] * len(condlist), True), d[y]), default)')

elementwise('y = where_taken(condition, g)', None, 'where_taken(condition, d[y])', gives='same')
elementwise('y = where_not_taken(condition, g)', None, 'where_not_taken(condition, d[y])', gives='same')
linear('y = zeros_known(seed)', 'd[y]', shape='seed')
linear('y = zeros_forgotten(gradient)', 'd[y]', shape='gradient')
linear('y = unselect_known(g, conditions, choices)', 'numpy.select(conditions, d[y], 0)', shape='g')
