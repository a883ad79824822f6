"""Chains of elementwise operations in an adjoint, each put into a function of its own: one kernel, on CuPy's arrays.

    # Grad of: u = np.tanh(w * x)                  @fuse
    bt = bu * (1 - u * u)                          def dfdx_fused(bu, u, w):
    return unbroadcast(bt * w, x)          ->          # Grad of: u = np.tanh(w * x)
                                                       bt = bu * (1 - u * u)
                                                       return bt * w

                                                   return unbroadcast(dfdx_fused(bu, u, w), x)

A chain ends in one value. What else is read of its middle stays outside of it, as does everything that is not elementwise.
"""
import collections
import dataclasses
import importlib.util
import sys

import gast

from tangent import errors
from tangent.analysis.kinds.special import COMPARED
from tangent.emit.build import Part
from tangent.emit.library import find
from tangent.frontend import tree
from tangent.runtime import facts

OPERATORS = (gast.Add, gast.Sub, gast.Mult, gast.Div, gast.Pow, gast.BitAnd, gast.BitOr)
UNARY = (gast.USub, gast.Invert)
ADJOINT = ('adjoint', 'return')
LEAST = 2                  # operations that are worth a kernel of their own


def fused(derivation):
    """What was made, each function behind the kernels that were taken out of it."""
    check(derivation)
    made, shared = derivation.made, derivation.shared
    used = {n.id for m in made for n in tree.walk(m.tree) if isinstance(n, gast.Name)}
    names, out = tree.Names(used | derivation.names | set(shared)), []
    fuse = names.fresh('fuse')
    for m in made:
        work = Fusion(m, collections.Counter(n for s in m.tree.body for n in tree.names(s, gast.Load)), fuse)
        body = work.block(m.tree.body)
        new = {k.tree.name: names.fresh(f'{m.tree.name}_fused') for k in reversed(work.kernels)}     # the first one first
        out += [renamed(k, new) for k in reversed(work.kernels)]
        out.append(renamed(dataclasses.replace(m, tree=tree.replace(m.tree, body=body)), new) if new else m)
    shared[fuse] = find('fuse')
    return out


def check(derivation):
    """Refuse what has no kernels."""
    if derivation.options.target is not None:
        raise errors.ArgumentError('fuse=True makes kernels for arrays of CuPy, and Numba compiles this derivative, which '
                                   'takes none: leave it out, or take jit=False')
    if 'cupy' not in sys.modules and importlib.util.find_spec('cupy') is None:
        raise errors.ArgumentError('fuse=True makes kernels by cupy.fuse, and CuPy is not installed: '
                                   'pip install tangent[cuda12x]')
    if derivation.logged_because is not None or derivation.logged:
        raise errors.ArgumentError('fuse=True: the derivative of this function is in the log form, which takes no arrays '
                                   'of CuPy; tangent.explain says why')


def stand_ins(derivation):
    """Name of a kernel -> what makes of the function what the others call."""
    if not derivation.options.fuse:
        return {}
    fuse = find('fuse')
    return {m.tree.name: fuse for m in derivation.made for d in m.tree.decorator_list
            if isinstance(d, gast.Name) and derivation.shared.get(d.id) is fuse}


def renamed(made, names):
    """The function with the names of kernels in the place of their numbers."""
    body = [tree.rename(s, names) for s in made.tree.body]
    name = names.get(made.tree.name, made.tree.name)
    return dataclasses.replace(made, tree=tree.replace(made.tree, name=name, body=body), part=made.part._replace(name=name))


class Fusion:
    """Takes the kernels out of one function, the last one first."""

    def __init__(self, made, reads, fuse):
        self.made, self.reads, self.fuse, self.kernels = made, reads, fuse, []

    def block(self, stmts):
        before, out = list(stmts), []
        while before:
            s = before.pop()
            blocks = {field: self.block(block) for field, block in tree.blocks(s)}
            adjoint = tree.origin(s) and s.origin.role in ADJOINT and isinstance(s, (gast.Assign, gast.AugAssign, gast.Return))
            if blocks:
                s = tree.replace(s, **blocks)
            elif adjoint and s.value is not None:
                s = tree.replace(s, value=Roots(self, before, s).visit(tree.clone(s.value)))
            out.append(s)
        return out[::-1]

    def kernel(self, root, before, s):
        """The call of a new kernel that computes an expression, or None where that is not worth while."""
        links = self.links(root, before)
        chain = [before[k] for k in links]
        if sum(map(operations, [root, *(t.value for t in chain)])) < LEAST:
            return None
        for k in reversed(links):
            del before[k]
        own = {tree.target(t) for t in chain}
        leaves = [n for n in dict.fromkeys(n for e in [*(t.value for t in chain), root] for n in arrays_of(e)) if n not in own]
        name = f'kernel {len(self.kernels)}'
        end = tree.place(gast.Return(value=root), s.origin._replace(role='adjoint'))
        args = gast.arguments(args=[tree.parameter(n) for n in leaves],
                              posonlyargs=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[])
        function = tree.replace(self.made.tree, args=args, name=name, body=[*chain, end], decorator_list=[tree.load(self.fuse)])
        part = Part(name, self.made.part.namespace, self.made.part.cells, library=self.made.part.library)
        self.kernels.append(dataclasses.replace(self.made, tree=function, part=part))
        return gast.Call(func=tree.load(name), args=list(map(tree.load, leaves)), keywords=[])

    def links(self, root, before):
        """Places of the statements right before whose values go into the expression and nowhere else."""
        found, between, read = [], [], collections.Counter(tree.names(root, gast.Load))
        for k in range(len(before) - 1, -1, -1):
            t = before[k]
            name = tree.target(t)
            if name is None or not tree.origin(t) or t.origin.role not in ADJOINT or not is_elementwise(t.value):
                break
            loads = tree.names(t.value, gast.Load)
            if 0 < read[name] == self.reads[name] and name not in between and not set(between) & set(loads):
                found.insert(0, k)
                read.update(loads)
            else:
                between.append(name)
        return found


class Roots(gast.NodeTransformer):
    """Puts calls of kernels in the place of the largest elementwise expressions."""

    def __init__(self, fusion, before, s):
        self.fusion, self.before, self.s = fusion, before, s

    def visit(self, node):
        if isinstance(node, gast.expr) and operations(node) and is_elementwise(node):
            return self.fusion.kernel(node, self.before, self.s) or node
        return super().visit(node)

    def visit_Lambda(self, node):
        return node


def is_elementwise(expr):
    """Whether an expression works element by element on names and numbers."""
    if isinstance(expr, gast.Name):
        return True
    if isinstance(expr, gast.Constant):
        return type(expr.value) in (int, float)
    if isinstance(expr, gast.Attribute):
        return tree.dotted(expr) is not None and expr.attr in ('pi', 'e', 'inf', 'nan')
    if isinstance(expr, gast.BinOp):
        power = isinstance(expr.op, gast.Pow) and isinstance(expr.left, gast.Constant)       # cupy.fuse has no __rpow__
        return isinstance(expr.op, OPERATORS) and not power and is_elementwise(expr.left) and is_elementwise(expr.right)
    if isinstance(expr, gast.UnaryOp):
        return isinstance(expr.op, UNARY) and is_elementwise(expr.operand)
    if isinstance(expr, gast.Compare):
        return len(expr.ops) == 1 and type(expr.ops[0]) in COMPARED and is_elementwise(expr.left) \
            and is_elementwise(expr.comparators[0])
    return isinstance(expr, gast.Call) and is_function(expr.func) and not expr.keywords and all(map(is_elementwise, expr.args))


def is_function(func):
    """Whether it is `np.tanh` and the like, which one kernel can hold: an elementwise ufunc, or `np.where`."""
    return isinstance(func, gast.Attribute) and isinstance(func.value, gast.Name) and facts.of(func.attr).elementwise \
        and (func.attr == 'where' or isinstance(getattr(find('numpy'), func.attr, None), find('numpy').ufunc))


def operations(expr):
    """How many operations an expression has."""
    return sum(isinstance(n, (gast.BinOp, gast.UnaryOp, gast.Compare, gast.Call)) for n in tree.walk(expr))


def arrays_of(expr):
    """Names that an elementwise expression reads, modules left out."""
    if isinstance(expr, gast.Attribute):
        return []
    if isinstance(expr, gast.Name):
        return [expr.id]
    inner = expr.args if isinstance(expr, gast.Call) else tree.children(expr)
    return [n for e in inner for n in arrays_of(e)]
