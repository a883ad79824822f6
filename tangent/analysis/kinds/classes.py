"""Classes whose instances may take part in a function: what it is given, and what its text and its callees name.

An operator, an attribute or a method of an object may run Python code of its class. Where no class that takes part defines
`__add__`, `a + b` adds numbers. What may run code of a class is for the log form, which looks at the objects; the pretty form
refuses it here. Which classes take part is decided before a derivative is made, see `participants`, and for arguments
when it is called, see `driver.variants`.
"""
import collections
import dis
import functools
import numbers
import sys
import types

import gast
import numpy as np

from tangent.analysis.kinds.special import BUILTINS, COMPARED, NAMES, OPERATORS, THROUGH, TRUTH, given, tells
from tangent.errors import TangentError
from tangent.frontend import subset, tree
from tangent.frontend.dependencies import is_foundation, path_of, remembered
from tangent.frontend.resolve import UNKNOWN
from tangent.frontend.source import original, read
from tangent.runtime import facts
from tangent.runtime.fields import answers_ufuncs, has_arithmetic
from tangent.templates.language import registry
from tangent.templates.python import mutations

NUMERIC = ('__radd__', '__rsub__', '__rmul__', '__truediv__', '__rtruediv__', '__pow__', '__abs__', '__lt__')
HEAP = 1 << 9               # the class was made by a class statement
SLOTS = (types.MemberDescriptorType, types.GetSetDescriptorType,
         type(vars(collections.namedtuple('Pair', 'x'))['x']))             # descriptors of what the object holds itself
HELD = *SLOTS, classmethod, staticmethod


COPYING = tuple('copy deepcopy reduce reduce_ex getstate setstate getnewargs getnewargs_ex'.split())
SHOWING = tuple('hash repr str format bytes index'.split())
STORING = 'STORE_ATTR', 'STORE_SUBSCR', 'STORE_GLOBAL'


class Far:
    """Takes part where there are more classes than anybody reads: what is no number may have operators of theirs."""


class Classes:
    """What the classes in sight define.

    methods : names of their functions, `__add__` among them
    computed : names of their properties and other descriptors
    fields : names of attributes that their code sets on objects
    anything : there are classes out of sight, which may define anything
    acting : names of special methods that act, see `special`
    """

    def __init__(self, resolver, acting=frozenset()):
        self.methods, self.computed, self.fields, self.acting = set(), set(), set(), acting
        self.anything = Far in resolver.sight
        for kind in resolver.sight:
            methods, computed, fields = contents(kind)
            self.methods |= methods
            self.computed |= computed
            self.fields |= fields

    def define(self, *names):
        return self.anything or any(f'__{n}__' in self.methods for n in names)


def users(resolver):
    """(names of methods, of attributes) that classes of the user's own define, of those in the sight of a function."""
    found = [contents(k) for k in resolver.classes if not is_foundation(path_of(sys.modules.get(k.__module__)))]
    return {n for methods, _, _ in found for n in methods}, {n for _, *names in found for n in set().union(*names)}


def computing(resolver, is_passive):
    """The names, of those that are passive, of properties that classes of the user's own define and that may give more than a
    fact: the attributes of the same names that arrays have are facts."""
    kinds = [k for k in resolver.classes if not is_foundation(path_of(sys.modules.get(k.__module__)))]
    return frozenset([n for k in kinds for n in contents(k)[1] if is_passive(n) and not gives_facts(k, n, is_passive)])


@remembered
def gives_facts(kind, name, is_passive):
    """Whether a property surely gives what is a fact for that it is read of one: `return self.values.shape`."""
    held = next((vars(k)[name] for k in kind.__mro__ if name in vars(k)), None)
    try:
        body = read(original(held.fget)).tree.body if isinstance(held, property) else []
    except TangentError:
        return False
    returned = [n.value for n in tree.every(body) if isinstance(n, gast.Return)]
    return bool(returned) and all(is_told(e, is_passive) for e in returned)


def is_told(expr, is_passive):
    """Whether an expression is made of constants and of passive attributes alone."""
    if isinstance(expr, gast.Attribute):
        return is_passive(expr.attr)
    if isinstance(expr, gast.Call):
        return getattr(expr.func, 'id', None) in ('len', 'type', 'id')
    parts = [part for part in tree.children(expr) if isinstance(part, gast.expr)] if expr is not None else []
    known = isinstance(expr, (gast.Tuple, gast.Subscript, gast.BinOp)) and all(is_told(part, is_passive) for part in parts)
    return expr is None or isinstance(expr, gast.Constant) or known


def is_filled(cell):
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def is_users(kind):
    """Whether a class is written in Python and no kind of number, array or function."""
    if issubclass(kind, (numbers.Number, BaseException, type, types.ModuleType)):
        return False
    return not has_arithmetic(kind, NUMERIC) and (answers_ufuncs(kind) or not hasattr(kind, '__array__')) \
        and bool(kind.__flags__ & HEAP) \
        and facts.home(kind) not in ('tangent', 'numpy', 'numba', 'typing', 'enum', 'abc')


def is_arraylike(kind):
    """Whether a class tells NumPy what array it is, without being one of another library's (see `runtime.array_api`)."""
    known = hasattr(kind, '__array_function__') or issubclass(kind, (numbers.Number, type, np.ndarray, np.generic))
    if known or not kind.__flags__ & HEAP:
        return False
    return isinstance(getattr(kind, '__array__', None), types.FunctionType) or isinstance(
        getattr(kind, '__array_ufunc__', None), types.FunctionType) and has_arithmetic(kind, NUMERIC)


def contents(kind):
    """(methods, computed attributes, attributes that are set) of a class and its bases."""
    each = [own(k) for k in kind.__mro__ if k.__flags__ & HEAP]                 # the others are made in C
    return tuple(set().union(*found) for found in zip(*each))


def defined(kind, name):
    """The special method of that name of a class, if it is a function of the user's; else None."""
    found = next((vars(k)[f'__{name}__'] for k in kind.__mro__ if f'__{name}__' in vars(k)), None)
    return found if isinstance(found, types.FunctionType) and not is_foundation(found.__code__.co_filename) else None


def specials(kinds, names=NAMES):
    """{(name, function)} of the special methods of these classes that the user wrote."""
    return {(name, method) for kind in kinds for name in names if (method := defined(kind, name)) is not None}


def functions(kind):
    """{(name, function)} of the methods of a class that the user wrote, those that it inherits among them."""
    return {(name, f) for k in kind.__mro__ for name, f in vars(k).items()
            if isinstance(f, types.FunctionType) and not is_foundation(f.__code__.co_filename)}


def implicit(kind):
    """Whether a class says how its objects are copied, or has code that may write when they are hashed or shown."""
    shown = [m for n in SHOWING if (m := defined(kind, n)) is not None]
    return any(defined(kind, n) for n in COPYING) or any(
        i.opname in STORING or mutations.of(i.argval).keeps for m in shown for i in dis.get_instructions(m))


def made_by(kind):
    """The `__init__` of the user's that makes the objects of a class; None where there is none."""
    plain = isinstance(kind, type) and type(kind).__call__ is type.__call__ and kind.__init__ is not object.__init__
    return defined(kind, 'init') if plain else None


def run_by(function, call):
    """(the function that a call runs, the call of that): what a class makes is given to its `__init__`."""
    init = made_by(function)
    return (function, call) if init is None else (init, tree.replace(call, args=[tree.constant(None), *call.args]))


def getters(kind):
    """(name, function) of the properties of a class that the user wrote."""
    return [(name, found.fget) for k in kind.__mro__ for name, found in vars(k).items() if isinstance(found, property)
            and isinstance(found.fget, types.FunctionType) and not is_foundation(found.fget.__code__.co_filename)]


def keepers(kind):
    """The names of properties that keep their value in the object when they are read first."""
    return [name for k in kind.__mro__ for name, found in vars(k).items() if isinstance(found, functools.cached_property)]


@remembered
def answering(kinds):
    """Names of the special methods of these classes that may give something with a derivative: no facts."""
    return frozenset(name for name, method in specials(kinds) if name not in (*TRUTH, *THROUGH[:2], 'contains')
                     and not (name in COMPARED.values() and tells(method)))

OF_NAMEDTUPLES = '_replace', '_asdict', '_make'               # methods in a way of their own


@remembered
def own(kind):
    """The same of a class without its bases."""
    methods, computed, fields = set(), set(), set()
    for name in ('__slots__', '__annotations__', '_fields'):
        found = getattr(kind, name, ())                              # a descriptor, of classes that Cython makes
        fields.update([found] if isinstance(found, str) else found if isinstance(found, (list, tuple, set, dict)) else ())
    for name, value in vars(kind).items():
        if isinstance(value, types.FunctionType) and name not in OF_NAMEDTUPLES:
            methods.add(name)
            fields.update(i.argval for i in dis.get_instructions(value) if i.opname == 'STORE_ATTR')
        elif hasattr(type(value), '__get__') and not isinstance(value, (*HELD, type)):
            computed.add(name)
    return methods, computed, fields


def refuse(normal, classes, known=lambda: frozenset()):
    """Refuse, in the pretty form, what may run code of a class in sight.

    known : gives the names and paths of numbers and arrays, for all that kinds tell
    """
    if not classes.methods and not classes.computed and not classes.anything:
        return
    sure = surely_numbers(normal, classes, known())
    is_plain = lambda e: is_sure(e, sure) or normal.is_untouched(e)  # noqa: E731
    lists = lists_of_objects(normal)
    for s in tree.every(normal.tree.body) if classes.acting else ():
        if any(given(n, classes.acting, is_plain) or looks_up(n, classes.acting)
               for part in (s, *tree.header(s)) for n in nodes(part, s)):
            raise subset.unsupported(s, normal.source, 'operators, properties and methods that classes define',
                                    'call a function with the object as argument')
    for s, op in normal.ops.items():
        if may_run_code(s, op, classes, is_plain, normal.resolver) or op.kind == 'field' and may_be_arrays(s.value, normal) \
                or op.kind == 'rule' and op.what.name in BUILTINS and classes.define(*BUILTINS[op.what.name]) \
                and any(getattr(e, 'id', None) in lists for e in op.args.values()):
            raise subset.unsupported(s, normal.source, 'operators, properties and methods that classes define',
                                    'call a function with the object as argument')


def lists_of_objects(normal):
    """Names of lists whose elements the text shows to be made of classes: `sum` and `max` call methods of these."""
    displays = {tree.target(s): s.value for s, op in normal.ops.items() if op.kind == 'display'}
    objects = {n for n, value in displays.items() if isinstance(value, gast.Call) and normal.resolver(value.func) is not dict}
    return {n for n, value in displays.items() if isinstance(value, (gast.List, gast.Tuple))
            and any(getattr(e, 'id', None) in objects for e in value.elts)}


def looks_up(node, acting):
    """Whether it is a look-up by hasattr or getattr that may run a getter that acts."""
    if not isinstance(node, gast.Call) or getattr(node.func, 'id', None) not in ('hasattr', 'getattr') or len(node.args) < 2:
        return False
    name = getattr(node.args[1], 'value', None)
    asked = {f'.{name}', 'getattr'} if isinstance(name, str) else {n for n in acting if n[0] == '.'} | {'getattr'}
    return not asked.isdisjoint(acting)


def nodes(part, s):
    """The nodes of a statement's header; of the statement itself it alone."""
    return [s] if part is s else tree.walk(part)


def may_run_code(s, op, classes, is_plain, resolver):
    if op.kind == 'field':
        names = classes.computed | classes.methods             # a bound method as a value is its object's
        read = [n for n in tree.walk(s.value) if isinstance(n, gast.Attribute) and not is_plain(n.value)]
        rows = isinstance(s.value, gast.Subscript) and isinstance(s.value.value, gast.Subscript) and not is_plain(op.args[0])
        return any(n.attr in names for n in read) or bool(read) and classes.define('getattr', 'getattribute') \
            or rows and classes.define('getitem', 'iter')
    if op.kind in ('index', 'unpack'):
        return classes.define('getitem', 'iter') and not is_plain(op.args[0])
    if op.kind != 'rule':
        return False
    operands = [e for e in op.args.values() if e is not None and not is_plain(e)]
    if not operands:
        return False
    if isinstance(s.value, (gast.BinOp, gast.UnaryOp)):
        name = OPERATORS.get(type(s.value.op), '')
        return classes.define(name, 'r' + name)
    if isinstance(s.value, gast.Attribute):
        return s.value.attr in classes.computed
    if is_method(s.value, resolver):
        return s.value.func.attr in classes.methods
    if op.what.name.startswith(('numpy.', 'scipy.')):
        return '__array_ufunc__' in classes.methods and op.what.name.startswith('numpy.')
    short = op.what.name.rpartition('.')[2]
    through = THROUGH if short in ('min', 'max') and len(s.value.args) == 1 else ()
    return classes.define(*BUILTINS.get(short, (short,)), *through, *(['float'] if op.what.name.startswith('math.') else []))


def may_be_arrays(expr, normal):
    """Whether an attribute is read that has no derivative if it is that of an array."""
    read = [n for n in tree.walk(expr) if isinstance(n, gast.Attribute) and not normal.is_object(n.value)]
    return any(rule is not None and rule.kind == 'constant' for rule in (registry.attribute(n.attr) for n in read))


def is_method(call, resolver):
    return isinstance(call, gast.Call) and isinstance(call.func, gast.Attribute) and resolver(call.func) is UNKNOWN


def is_sure(expr, sure):
    if isinstance(expr, gast.Name) or tree.dotted(expr) in sure:
        return tree.dotted(expr) in sure
    if isinstance(expr, (gast.Tuple, gast.List)):
        return all(is_sure(e, sure) for e in expr.elts)
    if isinstance(expr, (gast.BinOp, gast.UnaryOp, gast.Subscript, gast.Attribute)):
        return all(is_sure(n, sure) for n in tree.children(expr) if isinstance(n, gast.expr))
    return True


def surely_numbers(normal, classes, known):
    """Names that hold numbers and arrays, because all that is assigned to them is that; or because functions of those are
    applied to them, or attributes read, whatever way the function goes; or that are known to."""
    taken = {*normal.builders, *known}
    for s in normal.tree.body:
        op = normal.ops.get(s)
        if op is not None and is_of_numbers(op, s, classes, normal) and (
                not op.what.name.startswith('math.') or not classes.define('float')):
            taken |= {e.id for e in op.args.values() if isinstance(e, gast.Name)}
        for part in tree.header(s):
            taken |= {n.value.id for n in tree.walk(part) if isinstance(n, gast.Attribute) and is_of_array(n, classes, normal)}
    found, made = set(taken), definitions(normal, classes)
    size = -1
    while size != len(found):
        size = len(found)
        found |= {target for target, each in made.items() if all(
            operands is not None and all(is_sure(e, found) for e in operands if e is not None) for operands in each)}
    return found


def definitions(normal, classes):
    """Name -> for each statement that assigns to it the operands of which it makes numbers or arrays if they are that, or None
    where it may give anything."""
    found = collections.defaultdict(list)
    for name in tree.names(normal.tree.args, gast.Param):
        found[name].append(None)
    for s in tree.every(normal.tree.body):
        target = tree.target(s)
        if target is not None:
            found[target].append(operands(s, normal.ops.get(s), classes, normal))
            continue
        ranged = isinstance(s, gast.For) and isinstance(s.iter, gast.Call) and normal.resolver(s.iter.func) is range
        for name in tree.writes(s):
            found[name].append([] if ranged else None)
    return found


def operands(s, op, classes, normal):
    """The operands of which a statement makes numbers or arrays if they are that; None where it may give anything."""
    if op is None:
        return [] if isinstance(s, gast.Assign) and isinstance(s.value, gast.Constant) else None
    if op.kind == 'rule':
        if isinstance(s.value, (gast.BinOp, gast.UnaryOp)):
            return list(op.args.values())
        return [] if is_of_numbers(op, s, classes, normal) else None
    if op.kind == 'display' or op.kind == 'merge' and isinstance(s.value, gast.Dict):
        plain = not isinstance(s.value, gast.Call) or normal.resolver(s.value.func) is dict         # or an object of a class
        return [] if plain else None
    return op.args if op.kind == 'merge' else [op.args] if op.kind == 'copy' else None


def is_of_numbers(op, s, classes, normal):
    """Whether a statement is a call of a function that takes and gives numbers and arrays."""
    if op.kind != 'rule' or is_method(s.value, normal.resolver) and s.value.func.attr in classes.methods:
        return False
    numpys = () if '__array_ufunc__' in classes.methods else ('numpy.',)                   # which are called for objects, too
    return op.what.name.startswith((*numpys, 'math.', 'scipy.')) and op.what.shape != 'container'


def is_of_array(node, classes, normal):
    """Whether it is an attribute of a variable that arrays have, and nothing else that takes part."""
    return isinstance(node.value, gast.Name) and not normal.is_object(node.value) \
        and registry.attribute(node.attr) is not None and node.attr not in classes.fields | classes.computed
