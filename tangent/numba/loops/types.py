"""What the values of a function are, for given kinds of arguments: numbers, or arrays of how many axes, of what shape.

This is one rule for each name, whatever the place: a name that stands for things of two kinds is of no known kind.
"""
import builtins

import gast
import numpy as np

from tangent.analysis.dataflow.solve import closure
from tangent.frontend import tree
from tangent.numba.loops.affine import Form, atom
from tangent.numba.loops.prepared import rename, tape_views
from tangent.numba.loops.values import (
    BOOL,
    FLOAT,
    INT,
    SAME,
    Kind,
    broadcast,
    elementwise,
    joined,
    product,
    result_of,
    shaped,
    valued,
)
from tangent.runtime import facts

OURS_LIKE = {'init_grad': 0, 'zero_gradient': 0, 'array_copy': 0, 'copy': 0, 'own_gradient': 0, 'check_scalar': 0,
             'add_at': 0, 'uncholesky': 1, 'unreduce_like': 1, 'dot_left': 1, 'matmul_left': 1, 'dot_right': 2,
             'matmul_right': 2}
REDUCTIONS = ('sum', 'mean', 'prod', 'max', 'min', 'amax', 'amin', 'std', 'var', 'dot', 'vdot', 'inner')
SHARED = ('unbroadcast', 'astype')              # helpers that give back an argument, or something made of it
GIVEN_BACK = (*SHARED, 'add_at', 'spread', 'unspread')


class Kinds:
    """of : name -> Kind, or None for names that are of no known kind
    stable : name -> Form for integers that are what they were from their only assignment on
    alias : name -> the names that may share memory with it
    find : expression -> the object that it denotes in the namespace of the function, or None
    results : (an emitted function, Kinds of its arguments) -> the Kind of what it gives, which may be memory of these
    handed : names of what another function made
    spread : arguments that may have other lengths than what is made of them
    """
    spread: frozenset = frozenset()

    def __init__(self, function, given, find, owned, results, handed=frozenset()):
        self.find, self.given, self.owned, self.results = find, given, owned, results
        self.bound, self.augmented = bindings(function)
        self.of, self.stable, self.alias, self.kept, self.handed = {}, {}, {}, {}, rename.handed(function) | handed
        self.tapes = tapes(function, find)
        for name, kind in given.items():
            self.of[name] = kind
            if self.is_once(name) and kind is not None and kind.rank == 0 and kind.dtype == 'int64' and kind.parts is None:
                self.stable[name] = atom(name)
        while True:
            before = dict(self.of), dict(self.stable)
            for s in tree.every(function.body):
                self.statement(s)
            if before == (self.of, self.stable):
                break
        for s in tree.every(function.body):
            self.share(s)

    def is_once(self, name):
        """Whether a name stands for one value or array; what is added to an array in place leaves it the same."""
        kind = self.of.get(name)
        return self.bound.get(name) == 1 and (name not in self.augmented or kind is not None and kind.rank > 0)

    def statement(self, s):
        call = s.value if isinstance(s, gast.Expr) else None
        if isinstance(call, gast.Call) and is_method(call, 'append') and len(call.args) == 1:
            tape, kind = s.value.func.value.id, self.lasting(self.kind(s.value.args[0]))
            self.kept[tape] = joined(self.kept[tape], kind) if tape in self.kept else kind
        if isinstance(s, gast.Assign):
            kind = self.kind(s.value)
            for target in s.targets:
                if kind is not None and self.is_emitted(s.value):
                    self.handed.update(tree.names(target, gast.Store))
                self.bind(target, kind, s.value)
        elif isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name):
            known = self.of.get(s.target.id, ())
            if known and known.rank:
                return
            self.bind(s.target, self.kind(gast.BinOp(left=tree.load(s.target.id), op=s.op, right=s.value)), None)
        elif isinstance(s, gast.For):
            self.loop(s)
        else:
            for part in tree.header(s):
                for name in tree.names(part, gast.Store):
                    self.of[name] = None

    def loop(self, s):
        call = s.iter
        if isinstance(call, gast.Call) and self.find(call.func) is range and isinstance(s.target, gast.Name):
            return self.bind(s.target, INT, None)
        for name in tree.names(s.target, gast.Store):
            self.of[name] = None

    def bind(self, target, kind, value):
        if isinstance(target, (gast.Tuple, gast.List)):
            parts = kind.parts if kind is not None and kind.parts and len(kind.parts) == len(target.elts) else None
            values = value.elts if isinstance(value, gast.Tuple) and parts else [None] * len(target.elts)
            for k, t in enumerate(target.elts):
                one = values[k]
                if parts and one is None and isinstance(value, gast.Attribute) and value.attr == 'shape':
                    one = gast.Subscript(value=value, slice=tree.constant(k), ctx=gast.Load())
                self.bind(t, parts[k] if parts else None, one)
        elif isinstance(target, gast.Name):
            self.named(target.id, kind, value)

    def named(self, name, kind, value):
        if kind is not None and kind.rank and self.bound.get(name) != 1:
            kind = shaped(name, kind.rank, kind.dtype)
        elif kind is not None and kind.rank:
            own = shaped(name, kind.rank, kind.dtype).shape
            kind = kind._replace(shape=tuple(f if f is not None and self.is_stable(f) else o for f, o in zip(kind.shape, own)))
        if name in self.of:
            kind = joined(self.of[name], kind)
        self.of[name] = kind
        if kind is not None and self.is_once(name) and kind.rank == 0 and kind.dtype == 'int64' and value is not None:
            form = self.form(value)
            if form is not None and self.is_stable(form):
                self.stable[name] = form

    def lasting(self, kind):
        """A Kind without what was so when a value was put onto a tape, and may not be so when it is taken off."""
        if kind is None or kind.parts is not None:
            return kind and kind._replace(parts=tuple(map(self.lasting, kind.parts)))
        lasts = [f is not None and {a.partition('.')[0] for a in f.atoms} <= self.given.keys() and self.is_stable(f)
                 for f in kind.shape]
        return kind._replace(shape=tuple(f if known else None for f, known in zip(kind.shape, lasts)))

    def is_stable(self, form):
        """Whether all that a form is made of stays what it is."""
        return all(a in self.stable or '.shape[' in a and self.bound.get(a.partition('.')[0]) == 1 for a in form.atoms)

    # Integers

    def form(self, expr):
        """The form of an expression that is an integer; None if it is none."""
        if isinstance(expr, gast.Constant) and type(expr.value) is int:
            return Form(expr.value)
        if isinstance(expr, gast.Name):
            kind = self.of.get(expr.id)
            return self.stable.get(expr.id, atom(expr.id)) if kind is not None and kind[:2] == INT[:2] else None
        if isinstance(expr, gast.UnaryOp) and isinstance(expr.op, gast.USub):
            inner = self.form(expr.operand)
            return None if inner is None else -inner
        if isinstance(expr, gast.BinOp) and isinstance(expr.op, (gast.Add, gast.Sub, gast.Mult)):
            left, right = self.form(expr.left), self.form(expr.right)
            if left is None or right is None:
                return None
            if isinstance(expr.op, gast.Mult):
                one, other = (left, right) if left.constant is not None else (right, left)
                return other.times(one.constant) if one.constant is not None else None
            return left + right if isinstance(expr.op, gast.Add) else left - right
        if isinstance(expr, gast.Subscript) and isinstance(expr.value, gast.Attribute) and expr.value.attr == 'shape' \
                and isinstance(expr.slice, gast.Constant) and type(expr.slice.value) is int:
            kind = self.kind(expr.value.value)
            return kind.shape[expr.slice.value] if kind is not None and -kind.rank <= expr.slice.value < kind.rank else None
        if isinstance(expr, gast.Attribute) and expr.attr == 'size':
            kind = self.kind(expr.value)
            return kind.shape[0] if kind is not None and kind.rank == 1 else None
        if isinstance(expr, gast.Call) and self.find(expr.func) is len and len(expr.args) == 1:
            kind = self.kind(expr.args[0])
            return kind.shape[0] if kind is not None and kind.rank else None
        return None

    def trips(self, call):
        """(least value of the variable, number of trips, whether they run down) of a loop over a range, by 1 or -1; or None."""
        forms = [self.form(a) for a in call.args]
        forms = [Form(0), *forms] if len(forms) == 1 else forms
        if None in forms or len(forms) == 3 and forms[2].constant not in (1, -1):
            return None
        if len(forms) == 3 and forms[2].constant == -1:
            return forms[1] + 1, forms[0] - forms[1], True
        return forms[0], forms[1] - forms[0], False

    # Expressions

    def kind(self, expr):
        """The kind of an expression, or None."""
        method = getattr(self, f'kind_{type(expr).__name__}', None)
        return method(expr) if method is not None else None

    def kind_Constant(self, expr):
        known = {bool: BOOL, int: INT, float: FLOAT, complex: Kind(0, 'complex128')}
        return known.get(type(expr.value))

    def kind_Name(self, expr):
        if expr.id in self.of:
            return self.of[expr.id]
        if expr.id in self.bound:
            return None
        value = self.find(expr)
        return self.kind_Constant(tree.constant(value)) if isinstance(value, (int, float, complex)) else None

    def kind_Tuple(self, expr):
        return Kind(0, None, (), tuple(map(self.kind, expr.elts)))

    def kind_BinOp(self, expr):
        left, right = self.kind(expr.left), self.kind(expr.right)
        if isinstance(expr.op, gast.MatMult):
            return product(left, right)
        if left is None or right is None or left.parts is not None or right.parts is not None:
            return None
        return broadcast([left, right], 'float64' if isinstance(expr.op, gast.Div) else None)

    def kind_UnaryOp(self, expr):
        return self.kind(expr.operand) if not isinstance(expr.op, gast.Not) else BOOL

    def kind_Compare(self, expr):
        found = [self.kind(e) for e in [expr.left, *expr.comparators]]
        return broadcast(found)._replace(dtype='bool') if all(k is not None and k.parts is None for k in found) else None

    def kind_IfExp(self, expr):
        return joined(self.kind(expr.body), self.kind(expr.orelse))

    def kind_Attribute(self, expr):
        if expr.attr in ('shape', 'T', 'size', 'ndim', 'real', 'imag'):
            kind = self.kind(expr.value)
            if kind is not None and kind.parts is None:
                if expr.attr == 'shape':
                    return Kind(0, None, (), (INT,) * kind.rank)
                if expr.attr == 'T':
                    return kind._replace(shape=kind.shape[::-1])
                if expr.attr in ('size', 'ndim'):
                    return INT
                return kind._replace(dtype=None)
            if kind is not None:
                return None
        value = self.find(expr)
        return self.kind_Constant(tree.constant(value)) if isinstance(value, (int, float, complex)) else None

    def kind_Subscript(self, expr):
        kind = self.kind(expr.value)
        if kind is None or kind.dtype == 'list':
            return None if kind is None or isinstance(expr.slice, gast.Slice) else kind.parts[0]
        if kind.parts is not None:
            at = self.form(expr.slice)
            at = at.constant if at is not None else None
            return kind.parts[at] if at is not None and -len(kind.parts) <= at < len(kind.parts) else None
        index = expr.slice.elts if isinstance(expr.slice, gast.Tuple) else [expr.slice]
        if len(index) > kind.rank:
            return None
        chosen = self.kind(index[0]) if len(index) == kind.rank == 1 and not isinstance(index[0], gast.Slice) else None
        if chosen is not None and chosen.rank == 1 and chosen.dtype == 'int64':
            return Kind(1, kind.dtype, (None,))
        shape, rest = [], [gast.Slice(lower=None, upper=None, step=None)] * (kind.rank - len(index))
        for part, size in zip([*index, *rest], kind.shape):
            if isinstance(part, gast.Slice):
                whole = part.lower is None and part.upper is None and part.step is None
                shape.append(size if whole else None)
            elif self.kind(part) is None or self.kind(part)[:2] != INT[:2] or self.kind(part).parts is not None:
                return None
        return Kind(len(shape), kind.dtype, tuple(shape))

    def kind_Call(self, expr):
        found = self.find(expr.func)
        name = getattr(found, '__name__', None)
        module = str(getattr(found, '__module__', None) or '')
        args = [self.kind(a) for a in expr.args]
        if found is None:
            return self.method(expr)
        if found in (len, int):
            return INT
        if found is float or module == 'math':
            return FLOAT
        if found in (builtins.max, builtins.min, builtins.abs):
            known = args and all(k is not None and k.rank == 0 and k.parts is None for k in args)
            return (valued(np.abs, args[0]) if found is builtins.abs else broadcast(args)) if known else None
        if facts.is_ours(found):
            if name in ('array_size', 'dot_rows', 'dot_at'):
                return INT if name == 'array_size' else args[0] and Kind(0, args[0].dtype)
            if name in ('spread', 'unspread'):
                return args[0] and args[0]._replace(rank=len(args) - 1, shape=tuple(map(self.form, expr.args[1:])))
            if name == 'joint':
                return INT
            if name in OURS_LIKE and len(args) > OURS_LIKE[name]:
                return args[OURS_LIKE[name]]
            return args[1] if name in SHARED and len(args) > 1 else None
        if found is np.ndarray or facts.of(found).fills:
            return self.filled(expr, name)
        if facts.of(found).alike and module.startswith('numpy'):
            return args[0] if args and not any(k.arg in ('shape', 'dtype') for k in expr.keywords) else None
        if any(found is f for f in SAME) and args and args[0] is not None and args[0].rank == 2:
            return args[0] if args[0].dtype in ('float64', 'float32') else None
        if elementwise(found) and args and not expr.keywords and None not in args and all(k.parts is None for k in args):
            if found is np.where:
                return broadcast(args)._replace(dtype=broadcast(args[1:]).dtype) if len(args) == 3 else None
            return valued(found, broadcast(args, result_of(found)))
        if found is np.flip and len(args) == 1 and not expr.keywords and args[0] is not None and args[0].rank == 1:
            return args[0]
        if found is np.clip and len(args) == 3 and args[0] is not None and args[0].dtype == 'float64' and args[0].parts is None:
            return args[0] if not expr.keywords and all(k in (INT, FLOAT) for k in args[1:]) else None
        if found is np.outer and len(args) == 2 and not expr.keywords and all(k is not None and k.rank == 1 for k in args):
            return broadcast(args)._replace(rank=2, shape=args[0].shape + args[1].shape)
        if name in REDUCTIONS and module.startswith('numpy') and args and args[0] is not None:
            return self.reduced(expr, args, name)
        return self.results(found, args) if not expr.keywords else None

    def is_emitted(self, expr):
        """Whether an expression calls an emitted function of which it is known of what kind its results are."""
        found = self.find(expr.func) if isinstance(expr, gast.Call) and not expr.keywords else None
        return found is not None and self.results(found, [*map(self.kind, expr.args)]) is not None

    def reduced(self, expr, args, name):
        if name in ('dot', 'vdot', 'inner'):
            return product(*args) if len(args) == 2 and not expr.keywords else None
        if len(args) == 1 and not expr.keywords and args[0].parts is None:
            return Kind(0, args[0].dtype if name in ('sum', 'prod', 'max', 'min') and args[0].dtype != 'bool' else 'float64')
        return None

    def method(self, expr):
        if not isinstance(expr.func, gast.Attribute):
            return None
        if is_method(expr, 'pop') and self.is_tape(expr.func.value.id):
            return self.kept.get(expr.func.value.id)
        if is_method(expr, 'room') and self.is_tape(expr.func.value.id):              # see `tape_views`
            rank = 1 + isinstance(expr.args[1], gast.Tuple)
            self.kept[expr.func.value.id] = Kind(rank, 'float64', (None,) * rank)
        if is_method(expr, 'room') or is_method(expr, 'part'):
            return self.kept.get(expr.func.value.id) if self.is_tape(expr.func.value.id) else None
        kind = self.kind(expr.func.value)
        if kind is not None and kind.dtype == 'tape' and is_method(expr, 'pop') and not expr.args:
            return kind.parts[0]
        if kind is None or kind.parts is not None or expr.args or expr.keywords:
            return None
        if expr.func.attr in ('copy', 'conj'):
            return kind
        return Kind(0, kind.dtype) if expr.func.attr in ('sum', 'max', 'min') and kind.dtype != 'bool' else None

    def is_tape(self, name):
        """Whether a name stands for a tape that is made here, of which all that is put onto it is seen."""
        return self.bound.get(name) == 1 and name in self.tapes

    def filled(self, expr, name):
        given = {k.arg: k.value for k in expr.keywords}
        order = ('shape', 'fill_value', 'dtype') if name == 'full' else ('shape', 'dtype')
        given.update(zip(order, expr.args))
        shape = given.pop('shape', None)
        dtype = self.dtype(given.pop('dtype', None)) if name != 'full' or 'dtype' in given else None
        given.pop('fill_value', None)
        if shape is None or given:
            return None
        if isinstance(shape, (gast.Tuple, gast.List)):
            sizes = tuple(map(self.form, shape.elts))
        elif isinstance(shape, gast.Attribute) and shape.attr == 'shape' and self.kind(shape.value) is not None:
            sizes = self.kind(shape.value).shape
        elif self.kind(shape) is not None and self.kind(shape)[:2] == INT[:2] and self.kind(shape).parts is None:
            sizes = (self.form(shape),)
        else:
            return None
        return Kind(len(sizes), dtype, sizes)

    def dtype(self, expr):
        if expr is None:
            return 'float64'
        if isinstance(expr, gast.Attribute) and expr.attr == 'dtype':
            kind = self.kind(expr.value)
            return kind.dtype if kind is not None else None
        try:
            return np.dtype(self.find(expr)).name if self.find(expr) is not None else None
        except TypeError:
            return None

    # Memory

    def share(self, s):
        """Note which names may stand for memory of others."""
        call = s.value if isinstance(s, (gast.Expr, gast.Assign)) else None
        if isinstance(call, gast.Call) and isinstance(s, gast.Expr) and is_method(call, 'append') and len(call.args) == 1:
            items = call.args[0].elts if isinstance(call.args[0], gast.Tuple) else call.args
            return self.held(call.func.value.id, items)
        if not isinstance(s, gast.Assign):
            return
        if isinstance(call, gast.Call) and is_method(call, 'pop') and self.kind(call) is not None:
            target = s.targets[0]
            return self.held(call.func.value.id, target.elts if isinstance(target, gast.Tuple) else [target])
        own = tape_views.alone(s, self.owned)
        made = {n for t in s.targets for n in tree.names(t, gast.Store) if n not in own or self.bound.get(n) != 1}
        sources = {n for v in (s.value.elts if isinstance(s.value, gast.Tuple) else [s.value]) for n in self.views(v)}
        for n in made:
            for m in sources | (made if sources else set()):
                self.alias.setdefault(n, {n}).add(m)
                self.alias.setdefault(m, {m}).add(n)

    def held(self, tape, items):
        """Note that what is put onto a tape, or taken from it, may be memory that others have, too."""
        own = self.owned.get(tape, ())
        for k, item in enumerate(items):
            if (k >= len(own) or not own[k]) and isinstance(item, gast.Name) and not self.is_number(item):
                self.alias.setdefault(tape, {tape}).add(item.id)
                self.alias.setdefault(item.id, {item.id}).add(tape)

    def views(self, expr):
        """Names of the arrays whose memory the value of an expression may be."""
        kind = self.kind(expr)
        if kind is not None and kind.rank == 0 and kind.parts is None:
            return []
        if isinstance(expr, gast.Name):
            return [expr.id]
        if isinstance(expr, (gast.Attribute, gast.Subscript)):
            return self.views_of_any(expr.value)
        if isinstance(expr, gast.Call):
            found = self.find(expr.func)
            name = getattr(found, '__name__', '')
            shared = found is np.flip or facts.is_helper(found, *GIVEN_BACK)
            new = kind is not None and not shared and not self.is_emitted(expr) or facts.of(found).is_fresh(expr)
            if new and not rename.is_told(expr, self):
                return []
            given = tree.arguments(expr) if name != 'add_at' else expr.args[:1]
            given = [e for e in given if not self.is_number(e)]
            return [n for e in given for n in self.views_of_any(e)] + (
                self.views_of_any(expr.func.value) if isinstance(expr.func, gast.Attribute) and found is None else [])
        if isinstance(expr, (gast.BinOp, gast.UnaryOp, gast.Compare, gast.Constant)):
            return []
        return [n for n in tree.names(expr, gast.Load) if n in self.of]

    def is_number(self, expr):
        kind = self.kind(expr)
        return kind is not None and kind.rank == 0 and kind.parts is None

    def views_of_any(self, expr):
        if isinstance(expr, gast.BinOp) and self.kind(expr) is not None and self.kind(expr).parts is None:
            return []
        return [n for n in tree.names(expr, gast.Load) if n in self.of and (
            self.of[n] is None or self.of[n].rank or self.of[n].parts is not None)]

    def family(self, name):
        """All names that may share memory with this one."""
        return closure([name], self.alias)


def tapes(function, find):
    """Names of tapes that are made here and handed to nobody."""
    found = {tree.target(s) for s in tree.every(function.body) if tree.target(s) and isinstance(s.value, gast.Call)
             and getattr(find(s.value.func), '__name__', '') in ('Tape', 'LocalTape') and not s.value.args}
    uses: dict = dict.fromkeys(found, 0)
    for n in tree.walk(function):
        if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load) and n.id in found:
            uses[n.id] += 1
        if isinstance(n, gast.Call) and (is_method(n, 'append') or is_method(n, 'pop') and not n.args
                                         or is_method(n, 'room') or is_method(n, 'part')):
            uses[n.func.value.id] = uses.get(n.func.value.id, 0) - 1
        elif isinstance(n, gast.While) and isinstance(n.test, gast.Name):
            uses[n.test.id] = uses.get(n.test.id, 0) - 1
    return {name for name in found if uses[name] == 0}


def is_method(call, name):
    """Whether it calls this method of a name."""
    return isinstance(call.func, gast.Attribute) and call.func.attr == name and isinstance(call.func.value, gast.Name)


def bindings(function):
    """(name -> at how many places of the function it is bound, names that `+=` and its like change)."""
    found, augmented = {name: 1 for name in tree.names(function.args, gast.Param)}, set()
    for s in tree.every(function.body):
        if isinstance(s, gast.AugAssign) and isinstance(s.target, gast.Name):
            augmented.add(s.target.id)
            continue
        for name in tree.writes(s):
            found[name] = found.get(name, 0) + 1
    return found, augmented
