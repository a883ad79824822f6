"""Calls of NumPy's that are given arrays to write into, wherever they stand, as writes in front of the statement.

    np.multiply(a, b, out=c)                   c[...] = np.multiply(a, b)
    y = np.dot(a, b, c)                        c[...] = np.dot(a, b); y = c
    y = np.log(x, out=o, where=x > 0)          m = np.broadcast_to(x > 0, o.shape)
                                               o[m] = np.log(np.broadcast_to(x, o.shape)[m])
                                               y = o

What a mask leaves out is not computed, and can bring no nan.
"""
import gast

from tangent.analysis.alias import outputs, outputs_of_method
from tangent.frontend import tree
from tangent.frontend.resolve import UNKNOWN
from tangent.normal.ops import is_simple
from tangent.runtime import facts
from tangent.templates.language import registry


class Outputs:
    """Finds and writes out such calls in one function; `lower` is the `Lower` that puts the statements out."""

    def __init__(self, lower, function):
        self.lower, self.resolver = lower, lower.resolver
        self.tuples, self.none = {}, defaulted(function)
        for s in tree.every(function.body):
            if isinstance(s, gast.Assign) and tree.target(s):
                many = isinstance(s.value, gast.Tuple) and tree.target(s) not in self.tuples
                self.tuples[tree.target(s)] = len(s.value.elts) if many else 0
        self.none |= {t.id for s in tree.every(function.body) if isinstance(s, gast.Assign) for target in s.targets
                      for t, value in tree.side_by_side(target, s.value) if isinstance(t, gast.Name) and tree.is_none(value)}

    def of(self, call):
        """The arrays that a call writes into, as trees; none where they cannot be told apart."""
        function = self.resolver(call.func)
        if tree.is_starred(call):
            return []
        if function is UNKNOWN:
            return outputs_of_method(call, self.resolver) if isinstance(call.func, gast.Attribute) \
                and registry.method(call.func.attr) is not None and not self.is_users(call.func.attr) else []
        known = facts.is_numpy(function) or facts.is_of_ufunc(function)
        found = outputs(function, call) if known else []
        several = getattr(function, 'nout', 1)
        hidden = several > 1 and any(k.arg == 'where' for k in call.keywords)
        return found if len(self.apart(found)) == several and not hidden else []

    def is_users(self, attr):
        return any(attr in vars(kind) for kind in self.resolver.sight)

    def value(self, call, dropped=False):
        """The value of a call after what is put out; its arguments have been evaluated."""
        given = self.of(call)
        function = self.resolver(call.func)
        masked = call.func.attr == 'clip' if function is UNKNOWN else facts.is_masked(function)
        where = next((k.value for k in call.keywords if k.arg == 'where'), None) if masked else None
        bare = tree.replace(call, args=[a for a in call.args if not any(a is e for e in given)],
                            keywords=[k for k in call.keywords if not any(k.value is e for e in given) and (
                                where is None or k.value is not where)])
        places = self.apart(given)
        if len(places) > 1:
            return self.several(bare, places)
        place, = places
        if isinstance(place, gast.Name) and place.id in self.none:
            return self.if_given(call, bare, place, where, dropped)
        return self.stored(bare, place, where)

    def apart(self, given):
        """The places, those in a tuple one by one."""
        if len(given) == 1 and isinstance(given[0], gast.Tuple):
            return given[0].elts
        if len(given) == 1 and isinstance(given[0], gast.Name) and self.tuples.get(given[0].id):
            return [gast.Subscript(value=given[0], slice=tree.constant(k), ctx=gast.Load())
                    for k in range(self.tuples[given[0].id])]
        return given

    def stored(self, bare, place, where):
        """The place, after the value has been written there."""
        if where is not None and not (isinstance(where, gast.Constant) and where.value is True):
            place = place if isinstance(place, gast.Name) else self.lower.hold(place)
            mask = self.lower.hold(self.broadcast(bare, where, place))
            bare = self.picked(bare, place, mask)
            self.write(gast.Subscript(value=place, slice=mask, ctx=gast.Store()), bare)
            return place
        place = place if is_view(place) else self.lower.hold(place)
        whole = isinstance(place, gast.Name)
        self.write(gast.Subscript(value=place if whole else place.value, slice=tree.constant(...) if whole else place.slice,
                                  ctx=gast.Store()), bare)
        return place

    def several(self, bare, places):
        """The tuple of the places, after each value of several has been written; None stands for no place."""
        values = self.lower.hold(bare)
        done = []
        for k, place in enumerate(places):
            value = gast.Subscript(value=values, slice=tree.constant(k), ctx=gast.Load())
            done.append(value if tree.is_none(place) else self.stored(value, place, None))
        return gast.Tuple(elts=done, ctx=gast.Load())

    def if_given(self, call, bare, place, where, dropped):
        """Both ways, for an array that may be None."""
        name = self.lower.names.fresh('t')

        def given():
            value = self.stored(bare, place, where)
            if not dropped:
                self.lower.assign(name, value)
        body, _ = self.lower.collected(given)
        test = gast.Compare(left=place, ops=[gast.IsNot()], comparators=[tree.constant(None)])
        other = [] if dropped else self.lower.collected(self.lower.assign, name, bare)[0]
        self.lower.put(gast.If(test=test, body=body, orelse=other))
        return tree.load(name)

    def write(self, target, value):
        self.lower.put(gast.Assign(targets=[target], value=value, type_comment=None))

    def picked(self, call, place, mask):
        """The call of what the mask picks out of its arguments."""
        def part(e):
            if isinstance(e, gast.Constant):
                return e
            whole = e if isinstance(e, gast.Name) and e.id == place.id else self.broadcast(call, e, mask)
            return gast.Subscript(value=whole, slice=mask, ctx=gast.Load())
        func = call.func
        if self.resolver(func) is UNKNOWN:
            func = tree.replace(func, value=part(func.value))
        return tree.replace(call, func=func, args=[part(a) for a in call.args], keywords=[
            k if k.arg in PASSIVE else tree.replace(k, value=part(k.value)) for k in call.keywords])

    def broadcast(self, call, e, place):
        module = getattr(call.func, 'value', None)
        if getattr(self.resolver(module), 'broadcast_to', None) is None:
            module = tree.load(self.lower.library('numpy'))
        function = gast.Attribute(value=module, attr='broadcast_to', ctx=gast.Load())
        shape = gast.Attribute(value=place, attr='shape', ctx=gast.Load())
        return gast.Call(func=function, args=[e, shape], keywords=[])


PASSIVE = frozenset('dtype casting order subok signature'.split())


def defaulted(function):
    """Parameters that are None unless they are given."""
    args = function.args
    pairs = [*zip(args.args[len(args.args) - len(args.defaults):], args.defaults), *zip(args.kwonlyargs, args.kw_defaults)]
    return {a.id for a, default in pairs if default is not None and tree.is_none(default)}


def is_view(expr):
    """Whether it is a name, or surely a part of the array of that name which can be said twice."""
    if isinstance(expr, gast.Name):
        return True
    if not isinstance(expr, gast.Subscript) or not isinstance(expr.value, gast.Name) or not is_simple(expr):
        return False
    parts = expr.slice.elts if isinstance(expr.slice, gast.Tuple) else [expr.slice]
    known = all(isinstance(e, gast.Slice) or isinstance(e, gast.Constant) for e in parts)
    return known and any(isinstance(e, gast.Slice) or e.value is ... for e in parts)
