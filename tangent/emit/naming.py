"""Names that people see: of derivatives, of seeds."""
import gast

from tangent.frontend import tree

OPERATORS = {gast.Add: 'plus', gast.Sub: 'minus', gast.Mult: 'times', gast.Div: 'over', gast.Pow: 'to', gast.MatMult: 'at'}


def derivative(source, wrt):
    """`dfdx`; with respect to several `dfdxdy`."""
    return 'd' + title(source.name) + ''.join(f'd{p}' for p in wrt)


def title(name):
    """What a function is called in other names: `call` for `__call__`."""
    if name == '<lambda>':
        return 'function'
    return name[2:-2] if name.startswith('__') and name.endswith('__') and name[2:-2].isidentifier() else name


def returns(source):
    """What the function returns: the trees of its `return` statements that give a value."""
    function = getattr(source, 'written', None) or source.tree
    found = [n.value for n in tree.walk_scope(function.body) if isinstance(n, gast.Return)]
    return [v for v in found if v is not None and not (isinstance(v, gast.Constant) and v.value is None)]


def result(source):
    """What the result is called: `y` for `return y`, `x_times_x` for `return x * x`, else the name of the function."""
    found = {_name(value) for value in returns(source)}
    return found.pop() or title(source.name) if len(found) == 1 else title(source.name)


def seed(source):
    return 'b' + result(source)


def _name(value):
    if isinstance(value, gast.Name):
        return value.id
    if isinstance(value, gast.BinOp) and type(value.op) in OPERATORS \
            and isinstance(value.left, gast.Name) and isinstance(value.right, gast.Name):
        return f'{value.left.id}_{OPERATORS[type(value.op)]}_{value.right.id}'
    return None


def renumber(function, fixed, base, gradient_of, letter='b', apart=False):
    """The function with the names that the library made counted up in order of appearance: `t`, `t2`, `bt2`.

    fixed : names that stay: the user's, parameters, library names
    base : version -> name; versions of the user's names stay too
    gradient_of : name of a gradient -> name of what it is the gradient of
    letter : with which the names of gradients begin
    apart : gradients of what the library has named are counted by themselves: one name is that of several
    """
    taken = tree.Names(fixed)
    new = {}
    stored = dict.fromkeys(n.id for n in tree.walk(function) if type(n) is gast.Name and type(n.ctx) is gast.Store)
    ordered = [n for n in appearance(function.body) if n in stored]
    for name in ordered:
        if name in fixed or base.get(name) in fixed:
            taken.taken.add(name)
    for name in ordered:
        if name in fixed or name in new or base.get(name) in fixed:
            continue
        of = gradient_of.get(name)
        if of is None:
            wish = stem(base.get(name, name))
        else:
            known = base[of] if base.get(of) in fixed else of if of in fixed else stem(of)
            wish = letter + (known if apart else new.get(of, known))
        new[name] = taken.fresh(wish)
    return tree.replace(function, body=[tree.rename(s, new) for s in function.body])


def stem(name):
    return name.rstrip('0123456789').rstrip('_') or name


def appearance(stmts):
    """Names of the statements in the order in which a reader meets their definitions."""
    for s in stmts:
        for part in tree.header(s):
            yield from (n.id for n in tree.walk(part) if type(n) is gast.Name)
        for _, block in tree.blocks(s):
            yield from appearance(block)
