"""The words of CUDA in the text of an adjoint kernel.

    t = copy(x[i])                  t = x[i]                              all values are numbers
    bx[i - 1] += v                  cuda.atomic.add(bx, i - 1, v)         other threads may add there, too
    barrier_adjoint(saved, b)       cuda.syncthreads()
    btile = init_grad(tile)         btile = cuda.shared.array(8, float64), and zeros, when the kernel begins

Elements whose index is the number of the thread are its own: what is added there needs no atomic.
"""
import gast

from tangent.analysis.dataflow.ranges import number
from tangent.emit.printer import expression_text
from tangent.frontend import subset, tree
from tangent.runtime import facts

# See `device_functions`.
DEVICE = frozenset('sign by_squares safe_divide quotient balanced_eq dpower_dx dpower_dy digamma'.split())


class After:
    """One function on its way.

    Parameters
    ----------
    kernel : to_python.Kernel
    shared : dict
        Library name -> object, of the text.
    gradients : set of str
        Names of the gradients of the parameters that are arrays.
    barriers : set of str
        Names of functions that stand for barriers.
    """

    def __init__(self, kernel, shared, gradients, barriers, source):
        self.kernel, self.shared, self.gradients, self.barriers = kernel, shared, set(gradients), barriers
        self.source = source
        self.made: dict = {}               # gradient of an array in shared or local memory -> that array
        self.lost: set = set()             # names of what barriers save

    def helper(self, name):
        thing = self.shared.get(name)
        return getattr(thing, '__name__', None) if facts.is_ours(thing) else None

    def cuda(self, name, *args):
        return tree.call(f'{self.kernel.prefix}.{name}', *args)

    def function(self, function):
        """The FunctionDef as CUDA takes it, but for its tapes."""
        for s in tree.every(function.body):
            if tree.target(s) and isinstance(s.value, gast.Call) and tree.dotted(s.value.func) in self.barriers:
                self.lost.add(tree.target(s))
            if tree.target(s) and isinstance(s.value, gast.Call) and self.helper(tree.dotted(s.value.func)) == 'init_grad' \
                    and getattr(s.value.args[0], 'id', None) in self.kernel.own:
                self.made[tree.target(s)] = s.value.args[0].id
        self.names = tree.Names(tree.all_names(function) | set(self.shared))
        self.bound = {**single(self.source.tree), **single(function)}
        self.forgotten = unread_restores(function, self.kernel.atomic)
        body = self.block(function.body)
        function = tree.replace(function, body=body)
        self.values = single(function)
        together = self.threads_of(function)
        body = self.atomics(function.body, together)
        if self.made:
            body = self.beginning(body)
        return tree.replace(function, body=body)

    # Statements

    def block(self, stmts):
        out = []
        for s in stmts:
            inner = {field: self.block(block) for field, block in tree.blocks(s)}
            if isinstance(s, gast.If) and not inner['body'] and not inner['orelse']:
                continue
            if isinstance(s, gast.If) and not inner['body']:
                s = tree.replace(s, test=tree.negation(s.test))
                inner = {'body': inner['orelse'], 'orelse': []}
            if isinstance(s, (gast.For, gast.While)) and not inner['body']:
                inner['body'] = [gast.Pass()]
            s = tree.replace(s, **inner) if inner else s
            found = self.statement(s)
            if found is not None:
                out.append(found)
        return out

    def statement(self, s):
        call = s.value if isinstance(s, (gast.Assign, gast.Expr)) and isinstance(s.value, gast.Call) else None
        name = tree.dotted(call.func) if call is not None else None
        if name in self.barriers:
            if name == '_barrier' and self.made:
                raise subset.unsupported(self.place(s), self.source, 'barriers whose adjoint is not known', 'write the tile '
                                        'in each phase')
            return gast.copy_location(tree.place(gast.Expr(value=self.cuda('syncthreads')), tree.origin(s)), s)
        if name == '_zeros':
            return tree.replace(s, value=self.kernel.own[tree.target(s)][0])
        if tree.target(s) in self.made:
            return None
        changed = self.atomic_in_primal(s)
        if changed is not s:
            return changed
        helper = self.helper(name) if name else None
        if isinstance(s, gast.For) and isinstance(s.iter, gast.Subscript):
            s = tree.replace(s, iter=self.backwards(s))
        if helper in ('check_floats', 'check_apart', 'check_dims', 'check_number', 'check_scalar'):
            return None
        if helper == 'add_at':
            target = gast.Subscript(value=call.args[0], slice=self.expression(call.args[1]), ctx=gast.Store())
            new = gast.AugAssign(target=target, op=gast.Add(), value=self.expression(call.args[2]))
            return tree.instead(new, s)
        if name and name.endswith('.append') and len(call.args) == 1:
            return self.push(s, call)
        if isinstance(s, gast.Assign) and name and name.endswith('.pop'):
            return self.pop(s)
        if isinstance(s, gast.Assign) and isinstance(s.value, gast.Name) and isinstance(s.targets[0], gast.Name) \
                and s.value.id == s.targets[0].id:
            return None
        skip = {field for field, _ in tree.blocks(s)}
        return tree.replace(s, **{k: self.expression(v) for k, v in s.__dict__.items()
                                  if isinstance(v, gast.AST) and k not in skip})

    def atomic_in_primal(self, s):
        """The statement as it has to be where other threads add to the same element; None for one that restores it."""
        target = s.target if isinstance(s, gast.AugAssign) else s.targets[0] if isinstance(s, gast.Assign) else None
        source = s.value if isinstance(s, gast.Assign) else None
        places = [e.value.id for e in (target, source) if isinstance(e, gast.Subscript) and isinstance(e.value, gast.Name)]
        found = [n for n in places if n in self.kernel.atomic]
        if not found:
            return s
        if isinstance(s, gast.AugAssign) and tree.origin(s).role == 'primal':
            call = self.cuda('atomic.add', target.value, target.slice, self.expression(s.value))
            return tree.instead(gast.Expr(value=call), s)
        if tree.target(s) in {t.value.id for t in self.forgotten}:
            return None
        if isinstance(s, gast.AugAssign) or found[0] not in self.kernel.arrays and tree.target(s) is not None:
            return s
        if found[0] in self.kernel.arrays:
            return None                    # nobody reads what stood there
        if s in self.forgotten:
            return None
        if isinstance(target, gast.Subscript) and isinstance(source, gast.Constant):
            return s
        raise subset.unsupported(self.place(s), self.source, 'elements of a tile to which other threads add, and which the '
                                'adjoint reads again,', 'let each thread write into an element of its own')

    def backwards(self, s):
        """The range of a loop over `range(a, b, step)[::-1]`."""
        first, last, step = s.iter.value.args
        known = number(step)
        words = tree.names(step, gast.Load)
        sizes = [n for e in [step, *(self.bound[w] for w in words if w in self.bound)] for n in tree.walk(e)
                 if isinstance(n, (gast.Attribute, gast.Call))]
        positive = known is not None and known > 0 or sizes and any(
            (tree.dotted(getattr(n, 'func', n)) or '').endswith(('gridsize', 'blockDim.x', 'gridDim.x')) for n in sizes)
        if not positive:
            raise subset.unsupported(self.place(s), self.source, 'ranges with a step of unknown sign', 'let the step be a '
                                    'constant, cuda.gridsize(1) or cuda.blockDim.x')
        a, b, c = (f'({expression_text(e)})' if not tree.is_atom(e) else expression_text(e) for e in (first, last, step))
        return tree.expression(f'range({a} + ({b} - {a} - 1) // {c} * {c}, {a} - 1, -{c})')

    def place(self, s):
        """The statement of the user's for which one stands."""
        line = tree.origin(s).line if tree.origin(s) else 0
        return next((t for t in tree.every(self.source.tree.body) if t.lineno == line), self.source.tree)

    def push(self, s, call):
        values = call.args[0].elts if isinstance(call.args[0], gast.Tuple) else call.args
        values = [self.expression(v) for v in values if getattr(v, 'id', None) not in self.lost]
        if not values:
            return None
        packed = values[0] if len(values) == 1 else gast.Tuple(elts=values, ctx=gast.Load())
        return tree.replace(s, value=tree.replace(call, args=[packed]))

    def pop(self, s):
        target, = s.targets
        names = target.elts if isinstance(target, gast.Tuple) else [target]
        names = [n for n in names if n.id not in self.lost]
        if not names:
            return None
        return tree.replace(s, targets=[names[0] if len(names) == 1 else gast.Tuple(elts=names, ctx=gast.Store())])

    def expression(self, expr):
        """The expression without helpers that numbers do not need."""
        expr = tree.with_children(expr, self.expression)
        helper = self.helper(expr.func.id) if isinstance(expr, gast.Call) and isinstance(expr.func, gast.Name) else None
        name = tree.dotted(expr.func) if isinstance(expr, gast.Call) else None
        if name and '.' in name and name.endswith('.divide'):
            return gast.BinOp(left=expr.args[0], op=gast.Div(), right=expr.args[1])
        if helper is None:
            return expr
        if facts.of(helper).each:
            return expr.args[0]
        if helper == 'last_at':
            return gast.Subscript(value=expr.args[0], slice=expr.args[1], ctx=gast.Load())
        if helper == 'add_grad':
            return gast.BinOp(left=expr.args[0], op=gast.Add(), right=expr.args[1])
        if helper == 'init_grad':
            return tree.constant(0.0)
        return expr

    # Who else adds to an element

    def threads_of(self, function):
        """array -> whether all that the function does to its elements is done by one thread for each."""
        places: dict = {}
        for n in tree.walk(function):
            if isinstance(n, gast.Subscript) and isinstance(n.value, gast.Name):
                index = n.slice.elts if isinstance(n.slice, gast.Tuple) else [n.slice]
                places.setdefault(n.value.id, []).append([self.settled(e) for e in index])
        found = {}
        for name, indices in places.items():
            same = len({tuple(map(gast.dump, index)) for index in indices}) == 1
            in_block = name in self.made and self.is_shared(self.made[name])
            found[name] = same and self.is_own(indices[0], in_block)
        return found

    def is_shared(self, name):
        return (tree.dotted(self.kernel.own[name][0].func) or '').endswith('shared.array')

    def settled(self, expr, depth=6):
        known = {n: self.values[n] for n in tree.names(expr, gast.Load) if n in self.values}
        return self.settled(tree.substitute(expr, known), depth - 1) if known and depth else expr

    def is_own(self, index, in_block):
        """Whether an index, but for constants added to it, is the number of the thread: in its block, or in the grid."""
        words = [self.word(e) for e in index]
        wanted = [('thread' if in_block else 'grid', axis) for axis in range(self.axes())]
        return bool(wanted) and all(w in words for w in wanted)

    def axes(self):
        """How many axes of the launch the kernel asks about."""
        found = 0
        for n in tree.walk(self.kernel.source.tree):
            name = tree.dotted(n.func if isinstance(n, gast.Call) else n) or ''
            if isinstance(n, gast.Attribute) and name.startswith(f'{self.kernel.prefix}.') and n.attr in ('x', 'y', 'z'):
                found = max(found, 'xyz'.index(n.attr) + 1)
            elif isinstance(n, gast.Call) and name.endswith(('.grid', '.gridsize')) and isinstance(n.args[0], gast.Constant):
                found = max(found, n.args[0].value)
        return found

    def word(self, expr):
        """('grid', axis) or ('thread', axis) for what says so, with a constant added or not."""
        if isinstance(expr, gast.BinOp) and isinstance(expr.op, (gast.Add, gast.Sub)) and isinstance(expr.right, gast.Constant):
            return self.word(expr.left)
        prefix = self.kernel.prefix
        for axis, letter in enumerate('xyz'):
            if tree.dotted(expr) == f'{prefix}.threadIdx.{letter}':
                return 'thread', axis
            if isinstance(expr, gast.BinOp) and isinstance(expr.op, gast.Add):
                sides = [gast.dump(e) for e in (expr.left, expr.right)]
                thread = gast.dump(tree.expression(f'{prefix}.threadIdx.{letter}'))
                pairs = (f'{prefix}.blockIdx.{letter}', f'{prefix}.blockDim.{letter}')
                blocks = [gast.dump(tree.expression(' * '.join(p))) for p in (pairs, pairs[::-1])]
                if thread in sides and any(b in sides for b in blocks):
                    return 'grid', axis
        if isinstance(expr, gast.Call) and tree.dotted(expr.func) == f'{prefix}.grid':
            return 'grid', getattr(expr, 'axis', 0)
        return None

    def atomics(self, stmts, alone):
        out = []
        for s in stmts:
            s = tree.replace(s, **{field: self.atomics(block, alone) for field, block in tree.blocks(s)})
            target = getattr(s, 'target', None)
            if isinstance(s, gast.AugAssign) and isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name):
                name = target.value.id
                common = name in self.gradients or name in self.made and self.is_shared(self.made[name])
                if common and not alone[name]:
                    value = s.value if isinstance(s.op, gast.Add) else gast.UnaryOp(op=gast.USub(), operand=s.value)
                    call = self.cuda('atomic.add', tree.load(name), target.slice, value)
                    s = tree.instead(gast.Expr(value=call), s)
            out.append(s)
        return out

    # Arrays in shared and local memory

    def beginning(self, body):
        """The body with the gradients of such arrays made, and zero, before anything else."""
        first, shared = [], False
        for name, of in self.made.items():
            call, axes = self.kernel.own[of]
            first.append(tree.assign(name, call, tree.Origin('adjoint')))
            shape = next((k.value for k in call.keywords if k.arg == 'shape'), None) or call.args[0]
            sizes = shape.elts if isinstance(shape, gast.Tuple) else [shape]
            in_block = self.is_shared(of)
            shared = shared or in_block
            names = [self.names.fresh('k') for _ in sizes]
            index = gast.Tuple(elts=[tree.load(n) for n in names], ctx=gast.Load()) if len(sizes) > 1 else tree.load(names[0])
            stmt = tree.assign(gast.Subscript(value=tree.load(name), slice=index, ctx=gast.Store()), tree.constant(0.0),
                               tree.Origin('adjoint'))
            for axis in reversed(range(len(sizes))):
                letter = 'xyz'[axis]
                args = [tree.expression(f'{self.kernel.prefix}.threadIdx.{letter}'), sizes[axis],
                        tree.expression(f'{self.kernel.prefix}.blockDim.{letter}')] if in_block else [sizes[axis]]
                loop = gast.For(target=tree.store(names[axis]), iter=tree.call('range', *args), body=[stmt], orelse=[],
                                type_comment=None)
                stmt = tree.place(loop, tree.Origin('adjoint'))
            first.append(stmt)
        if shared:
            first.append(tree.place(gast.Expr(value=self.cuda('syncthreads')), tree.Origin('adjoint')))
        return first + body


def unread_restores(function, atomic):
    """Statements that put an element back which is not read after it: those outside of loops, with no reading behind them."""
    stmts = list(tree.every(function.body))
    looped = {t for s in stmts if isinstance(s, (gast.For, gast.While)) for t in tree.every(s.body)}
    found = set()
    for at, s in enumerate(stmts):
        target = s.targets[0] if isinstance(s, gast.Assign) else None
        if isinstance(target, gast.Subscript) and getattr(target.value, 'id', None) in atomic and s not in looped \
                and isinstance(s.value, gast.Name):
            later = [n for t in stmts[at + 1:] for part in tree.header(t) for n in tree.walk(part)]
            if not any(isinstance(n, gast.Subscript) and isinstance(n.ctx, gast.Load)
                       and getattr(n.value, 'id', None) == target.value.id for n in later):
                found.add(s)
    return found


def single(function):
    """Name -> what it stands for, for the names that are bound once."""
    count: dict = {}
    found = {}
    for s in tree.every(function.body):
        for name in tree.writes(s):
            count[name] = count.get(name, 0) + 1
        if tree.target(s):
            found[tree.target(s)] = s.value
        elif isinstance(s, gast.Assign) and isinstance(s.targets[0], gast.Tuple) and isinstance(s.value, gast.Call):
            for axis, n in enumerate(s.targets[0].elts):
                if isinstance(n, gast.Name):
                    found[n.id] = tree.replace(s.value, axis=axis)
    return {n: v for n, v in found.items() if count[n] == 1}


def total(name, value):
    """The statement that adds what a thread owes to a number."""
    target = gast.Subscript(value=tree.load(name), slice=tree.constant(0), ctx=gast.Store())
    return tree.place(gast.AugAssign(target=target, op=gast.Add(), value=value), tree.Origin('adjoint'))


def refuse_rest(function, after, source):
    """Refuse helpers of ours that have no form for devices, and what else CUDA does not take."""
    for s in tree.every(function.body):
        for n in (n for part in tree.header(s) for n in tree.walk(part)):
            helper = after.helper(n.func.id) if isinstance(n, gast.Call) and isinstance(n.func, gast.Name) else None
            if helper and helper not in DEVICE:
                raise subset.unsupported(after.place(s), source, f'operations whose derivative takes {helper}(), on a device,',
                                        'write them out in arithmetic and functions of math')
