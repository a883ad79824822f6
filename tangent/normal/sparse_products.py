"""Where a function multiplies sparse matrices of SciPy's older kind by `*`, which is a product of matrices for them.

The rules of `*`, `/` and `**` are those of numbers and arrays; what a matrix of that kind would make of them is wrong. Of a
matrix that the function finds in a global, `*` is known to be a product (see `Split.is_matrix`). Those that are arguments are
seen when the derivative runs: it then asks which of them its text multiplies.
"""
import functools
import inspect
import sys
import types
import weakref

import gast

from tangent import errors
from tangent.frontend import subset, tree
from tangent.frontend.resolve import UNKNOWN, Resolver, answers_by_errors
from tangent.frontend.source import read
from tangent.runtime import array_api
from tangent.runtime.array_api import is_product_kind
from tangent.templates.language import registry

DENSE = frozenset('toarray todense sum mean diagonal trace max min getnnz count_nonzero argmax argmin'.split())
KEPT = frozenset('numpy.transpose numpy.copy copy.copy copy.deepcopy'.split())
MAKERS = frozenset('diags eye identity spdiags random rand'.split())      # functions of scipy.sparse that make the older kind
MADE = '0'                # in place of a parameter: a matrix that the function makes or finds
NOTHING: tuple[frozenset, bool] = frozenset(), False


def noted(derivative, function, wrt):
    """The derivative of a function, noted so that it can be asked whether its arguments may be sparse matrices.

    Raises
    ------
    TangentParseError
        If a matrix that the function makes itself is multiplied by `*`.
    """
    code = getattr(getattr(derivative, '__func__', derivative), '__code__', None)
    if code is not None:
        key = id(code)
        forget = weakref.ref(code, lambda _, known=array_api.PRODUCTS: known.pop(key, None))
        array_api.PRODUCTS[key] = forget, functools.partial(multiplied, function, tuple(wrt))
    if 'scipy.sparse' in sys.modules and finds_sparse(function):
        scan, source = scanned(function, tuple(wrt), (), True)
        if scan is not None and scan.places:
            raise subset.unsupported(scan.places[0], source, 'products by * with a sparse matrix of the older kind that the '
                                    'function makes or finds', 'write @, or make it a sparse array (csr_array)')
    return derivative


def finds_sparse(function):
    """Whether something of `scipy.sparse` is among the globals of the function or in its closure."""
    plain = inspect.unwrap(getattr(function, '__func__', function))
    cells = [c.cell_contents for c in getattr(plain, '__closure__', None) or () if c != types.CellType()]
    for value in [v for v in (*getattr(plain, '__globals__', {}).values(), *cells) if not answers_by_errors(v)]:
        name = value.__name__ if isinstance(value, types.ModuleType) else getattr(value, '__module__', type(value).__module__)
        if str(name).startswith('scipy.sparse') or name == 'scipy':
            return True
    return False


def multiplied(function, wrt, matrices):
    """Those of the parameters `matrices`, which are of the older kind, that a derivative by `wrt` must not multiply."""
    scan, _ = scanned(function, wrt, matrices, False)
    return () if scan is None else sorted(scan.found - {MADE})


def scanned(function, wrt, matrices, made):
    try:
        source = read(function)
    except errors.TangentError:
        return None, None
    scan = Scan(source, made, frozenset())
    names = [a.id for a in tree.walk(source.tree.args) if isinstance(a, gast.Name) and isinstance(a.ctx, gast.Param)]
    scan.function(source.tree, {n: (frozenset([n] if n in matrices else []), n in wrt) for n in names})
    return scan, source


class Scan:
    """What each name may hold: (parameters that are part of it, if they are matrices; whether a derivative flows into it)."""

    def __init__(self, source, made, trail):
        self.made, self.trail = made, trail
        self.resolver = Resolver(source)
        self.found, self.places, self.result = set(), [], NOTHING

    def function(self, function, env):
        self.block(function.body if isinstance(function.body, list) else [gast.Return(value=function.body)], env)
        return self.result

    def block(self, stmts, env):
        for s in stmts:
            self.statement(s, env)

    def statement(self, s, env):
        if isinstance(s, gast.Assign):
            for target in s.targets:
                self.bind(target, self.value(s.value, env), env)
        elif isinstance(s, gast.AnnAssign) and s.value is not None:
            self.bind(s.target, self.value(s.value, env), env)
        elif isinstance(s, gast.AugAssign):
            old = self.value(s.target, env)
            self.bind(s.target, self.combined(s.op, s.target, s.value, old, self.value(s.value, env), s), env)
        elif isinstance(s, gast.Return):
            self.result = joined(self.result, self.value(s.value, env))
        elif isinstance(s, (gast.FunctionDef, gast.AsyncFunctionDef)):
            self.block(s.body, {**env, **{a.id: (frozenset(), True) for a in s.args.args}})
        else:
            for name in ('value', 'test', 'iter'):
                if isinstance(getattr(s, name, None), gast.AST):
                    found = self.value(getattr(s, name), env)
                    if name == 'iter':
                        self.bind(s.target, found, env)
            for item in getattr(s, 'items', ()):
                found = self.value(item.context_expr, env)
                if item.optional_vars is not None:
                    self.bind(item.optional_vars, found, env)
            self.branches(s, env)

    def branches(self, s, env):
        blocks = [block for _, block in tree.blocks(s)]
        looping = isinstance(s, (gast.For, gast.While))
        while blocks:
            ends = [dict(env)] if looping or len(blocks) == 1 else []
            for block in blocks:
                ends.append(dict(env))
                self.block(block, ends[-1])
            before = dict(env)
            for name in set().union(*ends):
                env[name] = functools.reduce(joined, [end.get(name, NOTHING) for end in ends])
            if not looping or env == before:
                break

    def bind(self, target, found, env):
        if isinstance(target, gast.Name):
            env[target.id] = found
        elif isinstance(target, (gast.Tuple, gast.List)):
            for part in target.elts:
                self.bind(part, found, env)
        elif isinstance(target, (gast.Subscript, gast.Attribute, gast.Starred)):
            name = tree.root_name(target)
            if name is not None:
                env[name] = joined(env.get(name, NOTHING), found)

    # Expressions

    def value(self, e, env):
        if isinstance(e, gast.Name):
            return env[e.id] if e.id in env else self.outside(e)
        if isinstance(e, gast.BinOp):
            return self.combined(e.op, e.left, e.right, self.value(e.left, env), self.value(e.right, env), e)
        if isinstance(e, gast.Call):
            return self.call(e, env)
        if isinstance(e, gast.Attribute):
            roots, active = self.value(e.value, env)
            return roots if e.attr in ('T', 'H', 'real', 'imag') else frozenset(), active
        if isinstance(e, gast.Subscript) and isinstance(e.slice, gast.Tuple) \
                and not any(isinstance(part, gast.Slice) for part in e.slice.elts):
            return frozenset(), self.value(e.value, env)[1]             # a number
        if isinstance(e, gast.Lambda):
            return self.value(e.body, {**env, **{a.id: (frozenset(), True) for a in e.args.args}})
        if isinstance(e, (gast.ListComp, gast.SetComp, gast.GeneratorExp, gast.DictComp)):
            env = dict(env)
            for part in e.generators:
                self.bind(part.target, self.value(part.iter, env), env)
        if isinstance(e, gast.NamedExpr):
            found = self.value(e.value, env)
            self.bind(e.target, found, env)
            return found
        parts = [self.value(child, env) for child in tree.children(e) if isinstance(child, gast.expr)] if e is not None else []
        found = functools.reduce(joined, parts, NOTHING)
        return NOTHING if isinstance(e, gast.Compare) else found

    def outside(self, e):
        found = self.resolver(e)
        return (frozenset([MADE]) if is_product_kind(type(found)) else frozenset()), False

    def combined(self, op, left_side, right_side, left, right, place):
        """What `left op right` is; noted where the rule of the operator is wrong for such matrices."""
        (a, da), (b, db) = left, right
        if isinstance(op, gast.MatMult):
            return (a | b if a and b else frozenset()), da or db
        if isinstance(op, gast.Mult):
            known = is_product_kind(type(self.resolver_of(left_side))) or is_product_kind(type(self.resolver_of(right_side)))
            if known:
                return (a | b if a and b else frozenset()), da or db
            if not self.is_number(left_side) and not self.is_number(right_side):
                self.note(a | b, da or db, place)
        elif isinstance(op, gast.Div):
            self.note(a, db, place)
            return a, da or db
        elif isinstance(op, gast.Pow):
            self.note(a, da, place)
        return a | b, da or db

    def note(self, roots, active, place):
        if roots and active:
            self.found |= roots
            if MADE in roots:
                self.places.append(place)

    def resolver_of(self, e):
        return self.resolver(e) if isinstance(e, (gast.Name, gast.Attribute)) else UNKNOWN

    def is_number(self, e):
        if isinstance(e, gast.UnaryOp):
            return self.is_number(e.operand)
        if isinstance(e, gast.BinOp):
            return self.is_number(e.left) and self.is_number(e.right)
        return isinstance(e, gast.Constant) or isinstance(self.resolver_of(e), (int, float, complex))

    def call(self, e, env):
        parts = [self.value(a, env) for a in e.args] + [self.value(k.value, env) for k in e.keywords]
        roots, active = functools.reduce(joined, parts, NOTHING)
        found = self.resolver_of(e.func)
        if found is UNKNOWN:
            if isinstance(e.func, gast.Lambda):
                self.value(e.func, env)
            if not isinstance(e.func, gast.Attribute):
                return roots, active
            own, varied = self.value(e.func.value, env)
            if e.func.attr in DENSE or e.func.attr == 'dot' and not (own and roots):
                return frozenset(), active or varied
            return own | roots, active or varied
        module, name = str(getattr(found, '__module__', '')), getattr(found, '__name__', '')
        if module.startswith('scipy.sparse'):
            if '.linalg' in module or name.endswith('_array'):
                return frozenset(), active
            return (frozenset([MADE]) if name.endswith('_matrix') or name in MAKERS else roots), active
        rule = registry.lookup(found)
        if rule is not None:
            if rule.kind == 'elementwise':
                self.note(roots, active, e)
            return (roots if rule.kind == 'elementwise' or rule.name in KEPT else frozenset()), active
        if isinstance(found, types.FunctionType) and (roots or active and self.made) and found not in self.trail:
            return self.inside(found, e, parts)
        return roots, active

    def inside(self, function, e, parts):
        """The result of a call of a Python function, whose text is looked at for these arguments."""
        try:
            source = read(function)
        except errors.TangentError:
            return functools.reduce(joined, parts, NOTHING)
        names = [a.id for a in source.tree.args.posonlyargs + source.tree.args.args]
        env = dict(zip(names, parts))
        env.update({k.arg: found for k, found in zip(e.keywords, parts[len(e.args):]) if k.arg})
        scan = Scan(source, self.made, self.trail | {function})
        found = scan.function(source.tree, env)
        self.note(frozenset(scan.found), True, e)
        return found


def joined(one, other):
    return one[0] | other[0], one[1] or other[1]
