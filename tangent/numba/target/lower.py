"""The last room before the text: changes for the machine that is to run the derivative.

`Options.target` is None for CPython, or what `numba.options.flags` made of the options of `numba.njit`. The compiler knows
nothing of it but its methods, so that Numba stays with the run time.

    _stack = []        ->        _stack = Tape()
"""
import collections
import dataclasses
import functools

import gast

from tangent import errors
from tangent.emit import module_cache
from tangent.emit.signature import params
from tangent.frontend import subset, tree
from tangent.numba.loops.functions import specialised
from tangent.numba.target.branch_tapes import in_branches
from tangent.numba.target.common_quotients import with_common_quotients
from tangent.numba.target.inner_loops import faster
from tangent.numba.target.parallel import parallel
from tangent.numba.target.recursion import calls, reach, with_memory
from tangent.numba.target.written_out import joined

NO_LOG = ('Numba compiles no derivative of this function, because only the log form of a derivative follows this, which '
          'CPython alone runs: change that line, or take tangent.grad(f, jit=False)')


class Names:
    """Names for what the target brings, in the text of all functions; `shared` gets those that are used."""

    def __init__(self, made, shared, target):
        taken = set(shared).union(*({n.id for n in tree.walk(m.tree) if isinstance(n, gast.Name)} for m in made))
        self.taken, self.shared, self.target, self.given = tree.Names(taken), shared, target, {}
        self.memory = self.taken.fresh('_kept')
        self.locals: set = set()                # names of the function at hand

    def __call__(self, name):
        if name not in self.given:
            thing = self.target.find(name)
            there = next((known for known, other in self.shared.items() if other is thing), None)
            self.given[name] = there or self.taken.fresh(name)
            self.shared[self.given[name]] = thing
        return self.given[name]


def lowered(derivation, main):
    """What was made, as Numba takes it."""
    refuse_dispatch(derivation)
    names = Names(derivation.made, derivation.shared, derivation.options.target)
    twins = [t for t in derivation.twins.values() if hasattr(t, 'adjoint')]
    made = with_memory([positional(m) for m in derivation.made], twins, main, names)
    done = []
    for m in made:
        names.locals = set(params(m.tree)) | set(tree.names(m.tree, gast.Store))
        function = faster(with_common_quotients(counted(m.tree)), names) if derivation.options.optimized else counted(m.tree)
        body = in_branches(simple(function.body, names))
        done.append(dataclasses.replace(m, tree=tree.replace(function, body=body)))
    done, derivation.remarks = parallel(done, derivation, names)
    return [dataclasses.replace(m, tree=localised(m.tree, names)) for m in done]


def localised(function, names):
    """The function with `LocalTape()` for tapes that it hands to nobody: their places are variables of its own."""
    made = {tree.target(s): s for s in function.body if tree.target(s) and 'Tape' in names.given
            and tree.is_call(s.value, names.given['Tape'])}
    loads = collections.Counter(tree.names(function, gast.Load))
    binds = collections.Counter(tree.names(function, gast.Store))
    for n in tree.walk(function) if made else ():
        known = isinstance(n, gast.Call) and isinstance(n.func, gast.Attribute) and n.func.attr in ('append', 'pop')
        owner = n.func.value if known else n.test if isinstance(n, gast.While) else None
        if isinstance(owner, gast.Name):
            loads[owner.id] -= 1
    local = {id(s) for name, s in made.items() if not loads[name] and binds[name] == 1}
    return tree.replace(function, body=[tree.replace(s, value=tree.call(names('LocalTape'))) if id(s) in local else s
                                        for s in function.body])


def refuse_dispatch(derivation):
    """Refuse calls whose derivative is found when running: Numba has to know it before."""
    later = {name for name, thing in derivation.shared.items()
             if str(getattr(thing, '__module__', None)).startswith(
                 ('tangent.driver.dispatch', 'tangent.runtime.captures', 'tangent.eventlog.shadow'))}
    for m in derivation.made:
        for s in tree.walk(m.tree) if later else ():
            if isinstance(s, gast.stmt) and tree.origin(s) and any(
                    isinstance(n, gast.Name) and n.id in later for part in tree.header(s) for n in tree.walk(part)):
                raise subset.unsupported(s, m.source, 'calls of functions that are known only when running, for Numba,',
                                        'call the function by its own name, or take tangent.grad(f, jit=False)', undecided=True)


def counted(node):
    """The tree with 0 for `len([])`, a list of no type, and `x[:]` for `x[...]`."""
    node = tree.with_children(node, counted)
    if isinstance(node, gast.Call) and tree.dotted(node.func) == 'len' and isinstance(node.args[0], gast.List) \
            and not node.args[0].elts:
        return tree.constant(0)
    if isinstance(node, gast.Subscript) and isinstance(node.slice, gast.Constant) and node.slice.value is ...:
        return tree.replace(node, slice=gast.Slice(lower=None, upper=None, step=None))
    return node


def positional(m):
    """A function without keyword-only parameters, which Numba does not take: others can be given by keyword as well.

    Behind `*args` there can be no others: the seed is its default.
    """
    args = m.tree.args
    if not args.kwonlyargs:
        return m
    pairs = list(zip(args.kwonlyargs, args.kw_defaults))
    bare = tree.replace(args, kwonlyargs=[], kw_defaults=[])
    if args.vararg:
        if any(default is None for _, default in pairs):
            raise subset.unsupported(m.source.tree, m.source, 'seeds and tangents behind *args, for Numba,',
                                    'write the parameters one by one')
        seeds = [tree.assign(a.id, default, tree.Origin('seed')) for a, default in pairs]
        return dataclasses.replace(m, tree=tree.replace(m.tree, args=bare, body=[*seeds, *m.tree.body]),
                                   part=m.part._replace(kwdefaults=None))
    bare = tree.replace(bare, args=[*args.args, *args.kwonlyargs])
    known = m.part.kwdefaults or {}
    defaults = m.part.defaults
    if defaults or known:
        bare = tree.replace(bare, defaults=[*args.defaults, *(d or tree.constant(None) for _, d in pairs)])
        defaults = (*(defaults or ()), *(known.get(a.id) for a, _ in pairs))
    part = m.part._replace(defaults=defaults, kwdefaults=None)
    return dataclasses.replace(m, tree=tree.replace(m.tree, args=bare), part=part)


def simple(stmts, names):
    """The statements with tapes of the kind that is contiguous under Numba, and nothing that has a type of its own where
    a variable has no value."""
    found = []
    for s in stmts:
        s = tree.replace(s, **{field: simple(block, names) for field, block in tree.blocks(s)})
        known = tree.origin(s)
        if known and known.role == 'tape' and tree.target(s):
            if isinstance(s.value, gast.List) and not s.value.elts:
                s = tree.replace(s, value=tree.call(names('Tape')))
            elif tree.is_none(s.value):
                s = tree.replace(s, value=tree.load(names('unset')), origin=tree.Origin('primal', known.line))
        if is_copied_tape(s):
            s = tree.replace(s, value=tree.call(s.value.right.id + '.copy'))
        if isinstance(s, gast.For) and is_backwards(s.iter):
            s = tree.replace(s, iter=tree.call(names('backwards'), *s.iter.value.args))
        if known and known.role == 'adjoint':
            s = part_by_part(added_in_place(s), known, names)
        found.append(s)
    return found


def is_backwards(expr):
    """Whether it is `range(a, b, c)[::-1]`, which Numba does not know."""
    return isinstance(expr, gast.Subscript) and isinstance(expr.slice, gast.Slice) and isinstance(expr.value, gast.Call) \
        and tree.dotted(expr.value.func) == 'range' and len(expr.value.args) == 3


def added_in_place(s):
    """`b.a += v` for `b.a = add_grad(b.a, v)`: as an object of the user's has it."""
    if isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Attribute) and isinstance(s.value, gast.Call) \
            and (tree.dotted(s.value.func) or '').startswith('add_grad') \
            and gast.unparse(s.value.args[0]) == gast.unparse(s.targets[0]):
        return tree.replace(gast.copy_location(gast.AugAssign(s.targets[0], gast.Add(), s.value.args[1]), s), origin=s.origin)
    return s


def is_copied_tape(s):
    """Whether it is the `tape = [] + name` of `tapes.handed_over` (Numba itself takes no `[] + x`)."""
    value = getattr(s, 'value', None)
    return isinstance(s, gast.Assign) and isinstance(value, gast.BinOp) and isinstance(value.right, gast.Name) \
        and isinstance(value.left, gast.List) and not value.left.elts


def part_by_part(s, origin, names):
    """`b = add_field(b, 'a', v)` for `b.a += v`, and `b = add_item(b, 0, v)` for `b[0] += v`: `b` may be a tuple.

    For the same reason `b = put_field(b, 'a', v)` for `b.a = v`.
    """
    if isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Attribute) and isinstance(s.targets[0].value, gast.Name):
        owner, name = s.targets[0].value.id, s.targets[0].attr
        new = tree.call(names('put_field'), tree.load(owner), tree.constant(name), s.value)
        return gast.copy_location(tree.assign(owner, new, origin), s)
    owner, place = (getattr(getattr(s, 'target', None), name, None) for name in ('value', 'slice'))
    if not isinstance(s, gast.AugAssign) or not isinstance(s.op, (gast.Add, gast.Sub)) or not isinstance(owner, gast.Name):
        return s
    if isinstance(s.target, gast.Attribute):
        helper, place = 'add_field', tree.constant(s.target.attr)
    elif isinstance(place, gast.Constant) and type(place.value) is int:
        helper = 'add_item'
    else:
        return s
    value = s.value if isinstance(s.op, gast.Add) else gast.UnaryOp(op=gast.USub(), operand=s.value)
    more = tree.call(names(helper), tree.load(owner.id), place, value)
    return gast.copy_location(tree.assign(owner.id, more, origin), s)


def built(derivation, text, name):
    """The functions of the text, each of which remembers its compiled form."""
    main, own = derivation.options.target, {}
    for (callee, _, _), twin in derivation.twins.items():
        own.update(dict.fromkeys(twin[:2], main.of(callee)))
    parts = [m.part for m in derivation.made]
    links = calls(derivation.made) if main.cache else {}
    against = module_cache.RECURSIVE if any(n in reach(n, links) for n in links) else None
    flags = {p.name: own.get(p.name, main) for p in parts}
    return module_cache.built(text, parts, derivation.shared, name, flags, keep, against)


def keep(flags, function):
    """The compiled function, which the plain one remembers."""
    loops = functools.partial(specialised, function, helper=flags.find, divides=flags.divides, source_of=joined)
    function.compiled = flags.compile(function, loops)
    return function.compiled


def refuse_log(target, why):
    """Refuse what needs the log form, for the reason `why`, if the target cannot run it."""
    if getattr(why, 'final', False):
        raise why
    if target is not None:
        place = why.filename, why.lineno, why.offset, why.text, why.end_lineno, why.end_offset
        refused = errors.TangentParseError(f'{why.msg}\n{NO_LOG}', place)
        refused.undecided = getattr(why, 'undecided', False)
        raise refused from None
