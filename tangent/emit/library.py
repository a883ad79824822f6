"""Library names in emitted code: run-time helpers, modules and builtins, under names that collide with nothing of the user's.

A module keeps the name under which the user's function knows it (`np`). Everything else keeps its own name unless the user
has taken it. The objects themselves are looked up when the text is built: the compiler never imports the run time.
"""
import builtins
import importlib
import sys
import types

import gast

from tangent import errors
from tangent.frontend import tree
from tangent.frontend.array_modules import on_device
from tangent.runtime import facts
from tangent.runtime.facts import EXTRA_RUN_TIME, IN_COMPLEX, LAZILY, RUN_TIME, Later, Lazy
from tangent.templates.language.registry import MODULES

OWN = frozenset(['init_grad'])          # helpers that derivatives with `nan_safe`, and beside arrays in chunks, have themselves


def find(name, in_complex=False, nan_safe=False, lazy=False):
    """The object of a library name; `in_complex`: for a derivative in complex form, `nan_safe`: for one with that option,
    `lazy`: for one beside arrays in chunks."""
    found = looked_up(name, in_complex, nan_safe, lazy)
    if found is None and not hasattr(builtins, name):
        raise errors.RegistrationError(f'a derivative rule reads {name}, which is none of its parameters and is not defined '
                                       'in the module of the rule')
    return getattr(builtins, name) if found is None else found


def has(name):
    """Whether a library object has this name, which texts may call it by."""
    return looked_up(name) is not None or getattr(builtins, name, None) is not None


def looked_up(name, in_complex=False, nan_safe=False, lazy=False):
    """The object of a library name, or None; those of Python's have names of their own."""
    if name in MODULES:
        return loaded(name)
    if (nan_safe or lazy) and name in OWN:
        return getattr(loaded('tangent.runtime.nan_safe' if nan_safe else LAZILY), name)
    for module in (IN_COMPLEX, *RUN_TIME) if in_complex else RUN_TIME:
        found = getattr(loaded(module), name, None)
        if found is not None:
            return found
    ours = not hasattr(builtins, name)
    for package, module in EXTRA_RUN_TIME:
        if package in sys.modules and ours:
            found = getattr(loaded(module), name, None)
            if found is not None:
                return found
    if name in facts.DECLARED:
        return facts.DECLARED[name]
    # a derivative in complex form, differentiated as for real numbers
    return getattr(loaded(IN_COMPLEX), name, None) if ours else None


def loaded(module):
    """A module of that name: most are there, which takes no time to see."""
    return sys.modules.get(module) or importlib.import_module(module)


class Library:
    """Gives out names for library objects in one function.

    given : library name -> name in this function
    objects : name in this function -> object, for those that the function's own namespace does not provide
    """

    def __init__(self, names, resolver, shared):
        self.names, self.resolver, self.objects = names, resolver, shared
        self.in_complex, self.nan_safe = shared.settings.in_complex, shared.settings.nan_safe
        self.lazy, self.later = Lazy in shared.settings.classes, not shared.settings.classes.isdisjoint((Lazy, Later))
        self.given = {}
        self.modules = {}
        self.on_device = 'cupy' in resolver.modules and 'numpy' not in resolver.modules   # operators and methods, too
        for name in sorted(resolver.visible(types.ModuleType)):
            self.modules.setdefault(resolver.name(name).__name__, name)

    def __call__(self, name):
        if name not in self.given:
            self.given[name] = self.choose(name)
        return self.given[name]

    def choose(self, name):
        if name == '_stack':
            return self.names.fresh(name)
        if name in MODULES and name in self.modules:
            return self.modules[name]
        found = find(name, self.in_complex, self.nan_safe, self.lazy)
        if self.resolver.name(name) is found:
            return name
        return self.object(name, found)

    def known(self, name):
        """The same, of which the resolver knows what it stands for, though the function's own text may not mention it."""
        name = self(name)
        self.resolver.seen.setdefault(name, self.resolver.name(name))
        return name

    def object(self, name, found):
        """A name for an object that the function's namespace does not provide."""
        if name not in self.resolver.local | self.resolver.outer and self.objects.get(name, found) is found \
                and (name not in self.names.taken or self.objects.get(name) is found):
            new = name
            self.names.taken.add(name)
        else:
            new = self.names.fresh(name)
            while new in self.objects and self.objects[new] is not found:
                new = self.names.fresh(name)
        self.objects[new] = found
        self.resolver.seen[new] = found
        return new

    def form(self, rule):
        """The rule itself, or its complex or `nan_safe` form; with CuPy's functions where the function knows of no others."""
        rule = rule.in_complex if self.in_complex and rule.in_complex is not None else rule
        rule = rule.nan_safe if self.nan_safe and rule.nan_safe is not None else rule
        return on_device(rule) if self.on_device and not self.resolver.namespaces else rule

    def fill(self, rule, bound, result, gradient, active):
        """The statements and terms of a rule in this function's names."""
        rule = self.form(rule)
        out, back = self.names_of(rule, [*bound.values(), result, gradient])
        args = {p: _rename(e, out) for p, e in bound.items()}
        body, terms = rule.terms(args, _rename(result, out), _rename(gradient, out), active, self.names.fresh)
        rename = lambda e: [_rename(x, back) for x in e] if isinstance(e, list) else _rename(e, back)  # noqa: E731
        return [rename(s) for s in body], {p: rename(e) for p, e in terms.items()}

    def fill_forward(self, rule, bound, result, tangents, active):
        """The statements and the tangent of a rule for forward mode in this function's names.

        tangents : parameter -> tree; for a vararg a list of trees, None where an element has no tangent
        """
        rule = self.form(rule)
        hide = lambda e: e if e is None else tree.rename(e, {n.id: f'${n.id}' for n in tree.walk(e) if type(n) is gast.Name})  # noqa: E731,E501
        hidden = {p: [hide(x) for x in e] if isinstance(e, list) else hide(e) for p, e in tangents.items()}
        body, value = rule.forward({p: hide(e) for p, e in bound.items()}, hide(result), hidden, active, self.names.fresh)
        own = {n for s in body for n in tree.names(s, gast.Store)}
        back = {}
        for name in {n.id for e in [*body, value] for n in tree.walk(e) if type(n) is gast.Name} - own:
            if name.startswith('$'):
                back[name] = name[1:]
            else:
                back[name] = self.template(name, rule.namespace[name]) if name in rule.namespace else self(name)
        return [tree.rename(s, back) for s in body], tree.rename(value, back)

    def replacement(self, rule, bound, target):
        """The statements of a user's `primal` template in this function's names."""
        out, back = self.names_of(rule, bound.values())
        args = {p: _rename(e, out) for p, e in bound.items()}
        return [_rename(s, back) for s in rule.replacement(args, target, self.names.fresh)]

    def names_of(self, rule, trees):
        """Two mappings of names: one hides the user's from those of the rule, one gives the rule's their names here."""
        own = {**{n: n for n in rule.library}, **rule.namespace}
        taken = {n.id for e in trees if e is not None for n in tree.walk(e) if type(n) is gast.Name}
        hidden = {n: f'${n}' for n in own if n in taken}    # the user's variables of the same names, out of reach meanwhile
        back = {new: name for name, new in hidden.items()}
        for name in own:
            back[name] = self(name) if name in rule.library else self.template(name, rule.namespace[name])
        return hidden, {old: new for old, new in back.items() if old != new}

    def template(self, name, found):
        """The name of an object that a user's template reads from its own module."""
        key = name
        while key in self.given and self.denoted(self.given[key]) is not found:
            key += "'"                       # another object of the same name, from another module
        if key not in self.given:
            same = self.resolver.name(name) is found
            self.given[key] = name if same else self.object(name, found)
        return self.given[key]

    def denoted(self, name):
        """The object that a name given out stands for in this function."""
        return self.objects[name] if name in self.objects else self.resolver.name(name)

    def pure(self):
        """Names of the helpers given out that have no effect."""
        return {new for name, new in self.given.items() if facts.of(name).pure}


def _rename(node, mapping):
    """The tree renamed; itself where there is nothing to rename."""
    return tree.rename(node, mapping) if mapping and node is not None else node
