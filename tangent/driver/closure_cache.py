"""One derivation for all functions made of one `def`: the derivative is put together anew with other closure cells.

    for batch in batches:
        step(tangent.grad(lambda w: loss(w, batch)))         # derived once
"""
import functools
import operator
import types

from tangent.analysis.kinds.participants import taking_part
from tangent.driver.ruled_functions import as_function, is_ruled
from tangent.frontend import dependencies
from tangent.frontend.resolve import contents
from tangent.templates.language import registry

_templates: dict = {}          # (id of a code object, parameters, options) -> Template, which keeps the code alive


class Template:
    """A derivative, and what of the function's captured variables it was made for."""

    def __init__(self, plain, made, group, derivation, notes):
        self.code, self.namespace, self.made, self.group = plain.__code__, plain.__globals__, made, group
        self.defaults = plain.__defaults__ or ()
        self.version, self.notes = registry.version(), notes.without(plain)
        own = dict(zip(plain.__code__.co_freevars, plain.__closure__ or ()))
        self.same, self.types = [], []     # (name, content) that has to be the same; (name, type of what it holds)
        for resolver in derivation.resolvers:
            for path in resolver.seen:
                name = path.partition('.')[0]
                if resolver.cells.get(name) is own.get(name, 0):
                    held = contents(own[name])
                    fixed = callable(held) or isinstance(held, types.ModuleType)
                    (self.same if fixed else self.types).append((name, held if fixed else type(held)))
        self.cells = [(name, cell) for name, cell in own.items()
                      for twin in derivation.twins.values() if getattr(twin.lookup, 'cell', None) is cell]
        self.classes = taking_part([contents(own[name]) for name, _ in self.types])

    def fit(self, plain):
        """Whether it is right for another function made from the same code."""
        if self.version != registry.version() or self.namespace is not plain.__globals__ \
                or len(plain.__defaults__ or ()) != len(self.defaults) or self.notes.moved():
            return False
        own = dict(zip(plain.__code__.co_freevars, plain.__closure__ or ()))
        return all(own[name] is cell for name, cell in self.cells) \
            and all(contents(own[name]) is held for name, held in self.same) \
            and all(type(contents(own[name])) is kind for name, kind in self.types) \
            and taking_part([contents(own[name]) for name, _ in self.types]) == self.classes

    def instance(self, plain):
        """The derivative of that function."""
        own = dict(zip(plain.__code__.co_freevars, plain.__closure__ or ()))
        fresh = {name: types.CellType() for name in self.group}
        done = {}
        for name, function in self.group.items():
            library = function.source.library
            cells = tuple(fresh.get(n) or (cell if n in library else own.get(n, cell))
                          for n, cell in zip(function.__code__.co_freevars, function.__closure__ or ()))
            new = types.FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__, cells)
            self.default(new, function, plain)
            new.__dict__.update((key, held) for key, held in function.__dict__.items() if key != 'guard')
            fresh[name].cell_contents = done[name] = new
        made = done[self.made]
        if hasattr(made, 'parts'):                     # of split motion: those of this function, too
            made.parts = tuple(done.get(part.__name__, part) for part in made.parts)
        return made

    def default(self, new, function, plain):
        """Give a function the defaults of `plain`, where the one it is made from has those of the function it was made for."""
        given, count = function.__defaults__ or (), len(self.defaults)
        if count and len(given) >= count and all(map(operator.is_, given, self.defaults)):
            new.__defaults__ = (*plain.__defaults__, *given[count:])
        known = function.__kwdefaults__ or {}
        new.__kwdefaults__ = {k: (plain.__kwdefaults__ or {}).get(k, v) for k, v in known.items()} or None


def find(plain, names, options):
    """The derivative of a function whose code was derived before, or None."""
    template = _templates.get((id(plain.__code__), names, options))
    if template is None or not template.fit(plain):
        return None
    dependencies.note_all(template.notes)
    return template.instance(plain)


def keep(plain, names, options, made, derivation, notes):
    """Remember how a derivative was made."""
    if any(lookup.cell is not None for lookup in derivation.program.assumed):      # which are of this function alone
        return
    emitted = [m.part.name for m in derivation.made if m.source.function is plain]
    if isinstance(made, types.FunctionType) and made.__name__ in emitted and set(emitted) <= set(derivation.functions):
        group = {name: derivation.functions[name] for name in emitted}
        _templates[id(plain.__code__), names, options] = Template(plain, made.__name__, group, derivation, notes)


def of_partial(derivative, func, wrt, options):
    """The derivative of a `functools.partial`: that of its function, with the same arguments filled in."""
    if is_ruled(func.func):                      # keywords of these are no parameters of the function around
        return derivative(as_function(func), wrt, options)
    asked = wrt if isinstance(wrt, (tuple, list)) else (wrt,)
    shifted = tuple(w + len(func.args) if hasattr(w, '__index__') and not isinstance(w, bool) else w for w in asked)
    inner = derivative(func.func, shifted, options)
    made = functools.partial(inner, *func.args, **func.keywords)
    made.source = getattr(inner, 'source', None)
    return made
