"""Persistent arrays: new versions as values. Their gradients are persistent too, so that each of these costs its piece."""
from tangent.templates.language.declare import constant, general, linear

for maker in 'array', 'Array':
    general(f'y = {maker}(data, dtype=None)', 'unarray(dense(d[y]), data, dtype=dtype)',
            forward='persisted(float_array(d[data], dtype=dtype))')
constant('zeros(shape)')
linear('y = dense(g)', 'd[y]', shape='g')
linear('y = persisted(g, shape=None)', 'd[y]', shape='g')

general('y = a.setitem(index, value)', 'unset_item(d[y], index)', None, 'written_item(d[y], index, value)',
        forward='push_set(d[a], d[value], index, a)', shape='a')
general('y = a.appended(row)', 'head_rows(d[y], a)', 'row_at(d[y], a, row)', forward='push_append(d[a], d[row], a, row)')
general('y = a.extended(rows)', 'head_rows(d[y], a)', 'tail_rows(d[y], a, rows)', forward='push_extend(d[a], d[rows], a, rows)')
general('y = a.popped()', 'unpop(d[y], a)', forward='push_pop(d[a], a)')

linear('y = unset_item(d, index)', 'unset_item(d[y], index)', shape='d')
linear('y = written_item(d, index, value)', 'unwritten_item(d[y], d, index)', shape='value')
linear('y = unwritten_item(g, d, index)', 'written_item(d[y], index, g)', shape='d')
linear('y = head_rows(d, a)', 'unhead_rows(d[y], d)', shape='a')
linear('y = unhead_rows(g, d)', 'head_rows(d[y], g)', shape='d')
linear('y = row_at(d, a, row)', 'unrow(d[y], d, a)', shape='row')
linear('y = unrow(g, d, a)', 'row_at(d[y], a, g)', shape='d')
