"""Signatures of emitted functions: the user's own, with a seed."""
import gast

from tangent.emit.build import Part
from tangent.frontend import tree


def params(function):
    """Names of the parameters in the order of the signature."""
    args = function.args
    found = [*args.posonlyargs, *args.args, *([args.vararg] if args.vararg else []), *args.kwonlyargs,
             *([args.kwarg] if args.kwarg else [])]
    return [a.id for a in found]


def lifted(function, names):
    """The FunctionDef with some of its free variables as parameters in front."""
    args = function.args
    field = 'posonlyargs' if args.posonlyargs else 'args'
    return tree.replace(function, args=tree.replace(args, **{field: [tree.parameter(n) for n in names] + getattr(args, field)}))


def with_seed(args, seed, default):
    """The signature with the seed as its last positional parameter."""
    bare = tree.replace(args, posonlyargs=[tree.replace(a, annotation=None) for a in args.posonlyargs],
                        args=[tree.replace(a, annotation=None) for a in args.args],
                        kwonlyargs=[tree.replace(a, annotation=None) for a in args.kwonlyargs])
    defaults = args.defaults
    if args.vararg:                        # behind `*args` only a keyword can stand
        return tree.replace(bare, kwonlyargs=bare.kwonlyargs + [tree.parameter(seed)],
                            kw_defaults=args.kw_defaults + [None if default is None else tree.constant(default)])
    if default is not None or defaults:
        defaults = defaults + [tree.constant(default)]
    return tree.replace(bare, args=bare.args + [tree.parameter(seed)], defaults=defaults)


def with_tangents(args, tangents, default):
    """The signature with the tangents as its last positional parameters."""
    for name in tangents:
        args = with_seed(args, name, default)
    return args


def plain_arguments(names):
    return gast.arguments(posonlyargs=[], args=[tree.parameter(n) for n in names], vararg=None, kwonlyargs=[],
                          kw_defaults=[], kwarg=None, defaults=[])


def forward_call(name, args):
    """The call that hands all parameters on."""
    given = [tree.load(a.id) for a in args.posonlyargs + args.args]
    if args.vararg:
        given.append(gast.Starred(value=tree.load(args.vararg.id), ctx=gast.Load()))
    keywords = [gast.keyword(arg=a.id, value=tree.load(a.id)) for a in args.kwonlyargs]
    if args.kwarg:
        keywords.append(gast.keyword(arg=None, value=tree.load(args.kwarg.id)))
    return gast.Call(func=tree.load(name), args=given, keywords=keywords)


def unstarred(args):
    """The parameters with `*args` and `**kwargs` as plain ones, given by name, so that what they hold stays the same object."""
    more = [a for a in (args.vararg, args.kwarg) if a is not None]
    return tree.replace(args, vararg=None, kwarg=None, kwonlyargs=args.kwonlyargs + more,
                        kw_defaults=args.kw_defaults + [None] * len(more)) if more else args


def part_of(name, source, seeds=0, default=None, seed=None):
    """What `build` needs beside the text of a function with the user's signature and so many seeds after it."""
    defaults, keywords = source.defaults, source.kwdefaults
    if seed is not None and source.tree.args.vararg:
        keywords = {**keywords, seed: default} if default is not None else keywords
        seeds, default = 0, None
    if default is not None or defaults:
        defaults = (*defaults, *[default] * seeds)
    return Part(name, source.globals, source.closure, defaults or None, keywords or None, frozenset(source.library))
