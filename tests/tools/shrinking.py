"""Makes a failing program smaller: deletes statements, opens blocks, puts parts of expressions for the whole."""
import ast
import copy

TRIES = 600
BLOCKS = ('body', 'orelse', 'finalbody')
KEPT = ('ARGS', 'ANALYTIC', 'WRT', 'SECOND')


def shrink(text, fails):
    """The smallest program found that still fails, in at most :data:`TRIES` tries.

    >>> print(shrink('a = 1\\nif a:\\n    b = (a + 1) * 2\\n    c = 3', lambda text: '+' in text))
    b = a + 1
    """
    tree, tries, found = ast.parse(text), 0, True
    if not fails(ast.unparse(tree)):
        return text
    while found:
        found = False
        for candidate in smaller(tree):
            tries += 1
            if tries > TRIES:
                break
            if fails(ast.unparse(candidate)):
                tree, found = candidate, True
                break
    return ast.unparse(tree)


def smaller(tree):
    """Programs that are a little smaller, the larger cuts first."""
    for path in list(places(tree)):
        yield from edits(tree, path)


def places(tree):
    """(index of the node in a walk, field, index in the field) of every statement, then of every expression."""
    nodes = list(ast.walk(tree))
    kept = {n for s in tree.body if is_kept(s) for n in ast.walk(s)}
    for k, node in enumerate(nodes):
        for field in BLOCKS:
            block = getattr(node, field, None)
            for i in range(len(block) - 1, -1, -1) if isinstance(block, list) else ():
                yield k, field, i
    for k, node in enumerate(nodes):
        for field, value in ast.iter_fields(node) if node not in kept else ():
            if isinstance(value, ast.expr) and not isinstance(node, ast.Attribute) and field != 'func':
                yield k, field, None
            elif isinstance(value, list):
                yield from ((k, field, i) for i, v in enumerate(value) if isinstance(v, ast.expr))


def is_kept(node):
    return isinstance(node, ast.Assign) and getattr(node.targets[0], 'id', None) in KEPT


def is_module(node):
    return isinstance(node, ast.Name) and node.id in ('np', 'math')


def edits(tree, path):
    k, field, i = path
    node = list(ast.walk(tree))[k]
    value = getattr(node, field)
    here = value if i is None else value[i]
    for new in replacements(here, alone=field == 'body' and i is not None and len(value) == 1):
        copied = copy.deepcopy(tree)
        twin = list(ast.walk(copied))[k]
        if i is None:
            setattr(twin, field, new)
        else:
            getattr(twin, field)[i:i + 1] = new if isinstance(new, list) else [new]
        yield ast.fix_missing_locations(copied)


def replacements(node, alone):
    """What may stand in the place of a node: for a statement a list of statements, for an expression another one."""
    if is_kept(node):
        return
    if isinstance(node, ast.stmt):
        if not isinstance(node, ast.Pass):
            yield [ast.Pass()] if alone else []
        for field in BLOCKS:
            block = getattr(node, field, None)
            if block and not isinstance(node, ast.FunctionDef):
                yield block
        if isinstance(node, ast.Expr):
            return
        if getattr(node, 'orelse', None):
            new = copy.copy(node)
            new.orelse = []
            yield new
    elif not isinstance(getattr(node, 'ctx', ast.Load()), ast.Load) or isinstance(node, ast.Constant):
        return
    elif not isinstance(node, ast.Name):
        yield from (n for n in ast.iter_child_nodes(node) if isinstance(n, ast.expr) and not is_module(n))
        yield ast.Constant(value=1.5)
