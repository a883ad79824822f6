"""Dask's arrays: its functions are NumPy's by name, with keywords more that say how to split the work; and those of its own.

What has no rule here is refused: it would be followed through Dask's own source, which knows graphs and no derivative.
"""
import copy
import inspect

import dask.array
import numpy

from tangent import errors
from tangent.frontend import tree
from tangent.frontend.quote import literal
from tangent.runtime import facts
from tangent.runtime.functions.parallel import blocks, tasks
from tangent.runtime.references.table import SUBSTITUTES
from tangent.templates.language.declare import constant, general, linear
from tangent.templates.language.registry import DISPATCHED, FORWARD, REVERSE, Rule

MODULES = [(dask.array, numpy), (dask.array.linalg, numpy.linalg), (dask.array.fft, numpy.fft)]
CREATED = 'ones', 'zeros', 'empty'          # functions that Dask makes of NumPy's
HOW = frozenset(['chunks', 'name', 'meta'])                    # keywords that say how an array is made
EMPTY = inspect.Parameter.empty


def parameters(function):
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}


def as_numpys(function, rule):
    """A `prepare` that makes a call of NumPy's of one of Dask's: parameters by name, its defaults, the others left out."""
    own = parameters(function)
    plain = [p for p in own.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    theirs = {p.name: b for p, b in zip(plain, rule.parameters) if p.default is EMPTY}          # `lhs` is NumPy's `a`
    open_ended = any(p.kind is p.VAR_KEYWORD for p in own.values())
    own = {theirs.get(name, name): p for name, p in own.items()}
    plain = [p.replace(name=theirs.get(p.name, p.name)) for p in plain]

    def prepare(args, keywords):
        given = {theirs.get(k, k): v for k, v in keywords.items() if k not in HOW or not open_ended}
        count = sum(a.name == b for a, b in zip(plain, rule.parameters))
        if plain and len(args) > count and rule.vararg is None:
            given.update({p.name: a for p, a in zip(plain[count:], args[count:])})
            args = args[:count]
        for p in plain[len(args):]:
            usual = rule.defaults.get(p.name)
            if p.name not in given and p.default not in (EMPTY, None) and usual is not None and literal(usual) != [p.default]:
                given[p.name] = tree.constant(p.default)
        kept = {k: v for k, v in given.items() if k in rule.parameters or k not in own}
        return rule.prepare(args, kept) if rule.prepare else (args, kept)
    return prepare


def refused(function, name):
    """A rule that refuses each call through which a derivative flows."""
    def prepare(args, keywords):
        raise errors.ArgumentError(f'{name} has no derivative rule; write it in functions that have one (docs/scale.md lists '
                                   'them), or register a rule with @tangent.grads.adjoint')
    rule = Rule(name, 'general', ('y', ('x',), {}, 'x', None), {'x': 'd[y]'}, forward='d[x]')
    rule.prepare = prepare
    return rule


def own_functions():
    """(function, its name, NumPy's function of that name or None) for all functions of Dask's arrays."""
    for module, numpys in MODULES:
        for name, thing in vars(module).items():
            home = str(getattr(thing, '__module__', None) or type(thing).__module__)
            own = home.startswith('dask.array') or home == 'functools' and name in CREATED
            if not name.startswith('_') and callable(thing) and not isinstance(thing, type) and own:
                yield thing, f'{module.__name__}.{name}', getattr(numpys, name, None)


def declare(function, rule):
    facts.IN_TABLES[id(function)] = function                # some are functions with arguments, equal by these
    REVERSE[function] = FORWARD[function] = rule


OTHERS = frozenset(f'dask.array.{name}' for name in ['linalg.cholesky', 'linalg.svd', 'linalg.lstsq', 'delete', 'union1d'])


def declare_numpys():
    for function, name, numpys in own_functions():
        if name in OTHERS:
            continue
        rule = REVERSE.get(numpys) if numpys is not None else None
        if rule is not None and function not in REVERSE:
            mine = rule if rule.kind == 'constant' else copy.copy(rule)
            if mine is not rule:
                mine.prepare = as_numpys(function, rule)
            declare(function, mine)


def refuse_others():
    for function, name, _ in own_functions():
        if function not in REVERSE and function not in DISPATCHED and function not in SUBSTITUTES:
            declare(function, refused(function, name))


# What moves data in and out of chunks, and between them

M = 'dask.array'
SOURCE = 'name=None, lock=False, asarray=None, fancy=True, getitem=None, meta=None, inline_array=False'
CHUNKS = 'chunks="auto", threshold=None, block_size_limit=None, balance=False, method=None'
for form in ['asarray(a, allow_unknown_chunksizes=False, dtype=None, order=None, like=None)',
             'asanyarray(a, dtype=None, order=None, like=None, inline_array=False)',
             'array(a, dtype=None, order=None, like=None)',
             f'from_array(a, chunks="auto", {SOURCE})']:
    general(f'y = {M}.{form}', 'unarray(d[y], a)', forward='as_chunks(d[a], y)')
linear(f'y = {M}.rechunk(x, {CHUNKS})', 'd[y]', shape='x')
linear(f'y = x.rechunk({CHUNKS})', 'd[y]', shape='x')
for form in [f'{M}.topk(a, k, axis=-1, split_every=None)', 'a.topk(k, axis=-1, split_every=None)']:
    general(f'y = {form}', 'untopk(d[y], a, y, axis)', forward='push_topk(d[a], a, y, axis)')
constant(dask.array.isnull, dask.array.notnull, dask.array.argtopk, dask.array.from_npy_stack, dask.array.from_zarr,
         dask.array.fromfunction, dask.array.unify_chunks, 'x.npartitions', 'x.numblocks', 'x.chunks', 'x.chunksize')

DISPATCHED[dask.array.map_blocks] = blocks.pull_map_blocks, blocks.push_map_blocks
DISPATCHED[dask.array.Array.map_blocks] = blocks.pull_method, blocks.push_method
DISPATCHED[dask.array.Array.to_delayed] = tasks.refused('to_delayed of an array with a derivative')
DISPATCHED[dask.array.from_delayed] = tasks.pull_from_delayed, tasks.push_from_delayed
SUBSTITUTES[dask.array.corrcoef] = SUBSTITUTES[numpy.corrcoef]
declare_numpys()
refuse_others()
