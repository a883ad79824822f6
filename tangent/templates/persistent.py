"""Persistent arrays: new versions as values. Their gradients are persistent too, so that each of these costs its piece."""
from tangent.templates.declare import general, linear

general('y = a.setitem(index, value)', 'unset(d[y], index)', None, 'written(d[y], index, value)',
        forward='push_set(d[a], d[value], index, a)', shape='a')
linear('y = unset(d, index)', 'unset(d[y], index)', shape='d')
linear('y = written(d, index, value)', 'unwritten(d[y], d, index)', shape='value')
linear('y = unwritten(g, d, index)', 'written(d[y], index, g)', shape='d')
