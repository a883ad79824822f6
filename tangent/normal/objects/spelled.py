"""Functions that take `*args` and `**kwargs` (see `closures.spread`), and class methods, written out for one way of calling
them.

    class Point:                                        Point(x, y):
        def __init__(self, *args, **kwargs):                def __init__(self, args0, args1):
            if len(args) == 2:                                  self.x, self.y = args0, args1
                self.x, self.y = args              ->
            elif 'polar' in kwargs:
                r, t = kwargs['polar']
                self.x, self.y = r * cos(t), r * sin(t)

        @classmethod                                        Point.middle(p, q):
        def middle(cls, p, q):                                  def middle(p, q):
            return cls((p.x + q.x) / 2, ...)                        return Point((p.x + q.x) / 2, ...)
"""
import dataclasses
import types

import gast

from tangent.errors import TangentError
from tangent.frontend import tree
from tangent.frontend.closures.spread import FRAMES, Refused, Rest, may_be_spread, spread
from tangent.frontend.resolve import local_names, names_in
from tangent.frontend.scopes import DEFINITIONS
from tangent.frontend.source import read
from tangent.templates.language import registry


class Spelled:
    """A function as it is called in one way.

    function : what the user has written
    source : its text for calls like this
    """

    def __init__(self, function, source):
        self.function, self.source = function, source
        self.__name__, self.__globals__ = function.__name__, function.__globals__


def source_of(function):
    return function.source if isinstance(function, Spelled) else read(function)


def written(function):
    """The function as the user has written it."""
    return function.function if isinstance(function, Spelled) else function


MOST = 8                                                                    # ways of calling one function


def of_class(function, kind):
    """The class method of a class, its first parameter left out; None where the text does not name the class."""
    source = read(function)
    args, name = source.tree.args, kind.__name__
    first = next((a.id for a in args.posonlyargs + args.args), None)
    nodes = source.inner
    hidden = any(isinstance(n, (*DEFINITIONS, gast.ClassDef, gast.Global, gast.Nonlocal)) or getattr(n, 'id', None) in FRAMES
                 for n in nodes)
    stored = any(getattr(n, 'id', None) == first and not isinstance(n.ctx, gast.Load) for n in nodes)
    if first is None or hidden or stored or name in local_names(source.tree) or function.__globals__.get(name) is not kind:
        return None
    body = [tree.rename(s, {first: name}) for s in source.tree.body]
    rest = {'posonlyargs': args.posonlyargs[1:], 'args': args.args[1:] if not args.posonlyargs else args.args}
    made = tree.replace(source.tree, args=tree.replace(args, **rest), body=body)
    return Spelled(function, dataclasses.replace(source, tree=made))


def of_call(function, count, names):
    """(the function for calls with so many arguments and these keywords, keyword -> its name there); None where the text
    does more with `*args` and `**kwargs` than to read them."""
    source = source_of(function)
    args = source.tree.args
    params = [a.id for a in args.posonlyargs + args.args]
    known = {*params[len(args.posonlyargs):], *(a.id for a in args.kwonlyargs)}
    rest = Rest(max(0, count - len(params)), tuple([n for n in names if n not in known]))
    if rest.several and not args.vararg or rest.named and not args.kwarg or not may_be_spread(source.tree):
        return None
    taken = tree.Names(set(names_in(source).mentioned) | set(source.globals))
    try:
        new, _, body, keys = spread(args, (), source.tree.body, rest, taken, strict=True)
    except Refused:
        return None
    return Spelled(function, dataclasses.replace(source, tree=tree.replace(source.tree, args=new, body=body))), keys


def class_method(thing):
    """(the function, the class) of a class method as the text names it; None for another thing."""
    if type(thing) is not types.MethodType or registry.lookup(thing) is not None:
        return None
    owner, function = thing.__self__, thing.__func__
    if not isinstance(owner, type) or not isinstance(function, types.FunctionType):
        return None
    try:
        read(function)
    except TangentError:
        return None
    return function, owner
