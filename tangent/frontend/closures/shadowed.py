"""Names of functions inside that hide what the functions that they call have captured: they get other names.

    def f(x, ys):                                    def f(x, ys):
        def square():                                    def square():
            return x * x                                     return x * x
        def g(x):                            ->          def g(x2):
            return x * square()                              return x2 * square()
        return sum(x * g(x) for x in ys)                 return sum(x * g(x) for x in ys)

What a function has captured goes to it by the name of the variable wherever it is called: `square(x=x)`, see `lambda_lifting`.
Where the function is given to others, who may call it by the names of its parameters, it is the variable that gets another
name: `apply(g, x)` with `def apply(f, v): return f(x=v)`.
"""
import builtins

import gast

from tangent.frontend import tree
from tangent.frontend.resolve import PATTERNS, local_names
from tangent.frontend.scopes import COMPREHENSIONS, DEFINITIONS, free, inside, outer_parts, own_names, parameters

SCOPES = (*DEFINITIONS, gast.Lambda, *COMPREHENSIONS)


def apart(function):
    """The function (a tree) in which no scope inside hides what a function that is called there has captured."""
    captured = captured_by(function)
    names, outer = {}, {}                                    # id of a scope -> {name: its new name}, and so for the function
    handed = handed_on(function) if captured else set()
    taken = tree.Names(tree.all_names(function)) if captured else None
    for scope in (n for s in function.body for n in tree.walk(s) if isinstance(n, SCOPES)) if captured else ():
        own = own_names(scope)
        called = free_of(scope) & captured.keys()
        hidden = own & set().union(*(captured[name] for name in called))
        kept = hidden & parameters(scope.args) if id(scope) in handed else set()
        outer.update({name: taken.fresh(name) for name in sorted(kept - outer.keys())})
        if hidden - kept:
            names[id(scope)] = {name: taken.fresh(name) for name in sorted(hidden - kept)}
    if not names and not outer:
        return function
    of_functions = {n.name: names[id(n)] for s in function.body for n in tree.walk(s)
                    if isinstance(n, DEFINITIONS) and id(n) in names}
    of_functions.update({tree.target(n): names[id(n.value)] for s in function.body for n in tree.walk(s)
                         if isinstance(n, gast.Assign) and id(n.value) in names and tree.target(n)})
    renaming = Renaming(names, of_functions)
    given = parameters(function.args) & outer.keys()
    copies = [tree.place(tree.assign(outer[n], tree.load(n)), tree.origin(function.body[0])) for n in sorted(given)]
    return tree.replace(function, body=[*copies, *(renaming.node(s, outer) for s in function.body)])


def handed_on(function):
    """The `id` of functions inside that are used as values, and of lambdas that functions of the user's are given."""
    nodes = [n for s in function.body for n in tree.walk(s)]
    called = {id(n.func) for n in nodes if isinstance(n, gast.Call)}
    used = {n.id for n in nodes if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load) and id(n) not in called}
    users = [n for n in nodes if isinstance(n, gast.Call) and not hasattr(builtins, getattr(n.func, 'id', ''))]
    lambdas = [n.value for n in nodes if isinstance(n, gast.Assign) and isinstance(n.value, gast.Lambda)
               and tree.target(n) in used]
    lambdas += [e for n in users for e in tree.arguments(n) if isinstance(e, gast.Lambda)]
    return {id(n) for n in (*lambdas, *(n for n in nodes if isinstance(n, DEFINITIONS) and n.name in used))}


def captured_by(function):
    """name -> the variables of the function that a function inside with this name has captured, or those that it calls."""
    local, found = local_names(function), {}
    for n in inside(function.body):
        if isinstance(n, DEFINITIONS):
            found[n.name] = found.get(n.name, set()) | free(n) & local
        elif tree.target(n) and isinstance(n.value, gast.Lambda):
            found[tree.target(n)] = found.get(tree.target(n), set()) | free(n.value) & local
    size = -1
    while size != (size := sum(map(len, found.values()))):
        for names in found.values():
            names |= set().union(*(found[n] for n in names if n in found))
    return {name: names - found.keys() for name, names in found.items() if names - found.keys()}


def free_of(scope):
    """Names that a scope reads of those around it."""
    if isinstance(scope, COMPREHENSIONS):
        return {n.id for n in tree.walk(scope) if isinstance(n, gast.Name)} - own_names(scope)
    return free(scope)


class Renaming:
    """Gives scopes' own names others, in them and in the scopes inside that do not hide them in turn.

    names : id of a scope -> {name: its new name}
    of_functions : name of a function -> {parameter: its new name}, for calls that give it by name
    """

    def __init__(self, names, of_functions):
        self.names, self.of_functions = names, of_functions

    def node(self, node, new):
        """The node with the names that are to have others, as `new` says."""
        if isinstance(node, gast.Name):
            return tree.replace(node, id=new[node.id]) if node.id in new else node
        if isinstance(node, SCOPES):
            return self.scope(node, new)
        changed = {}
        if isinstance(node, (gast.Nonlocal, gast.Global)):
            changed['names'] = [new.get(n, n) for n in node.names]
        if isinstance(node, PATTERNS):
            changed.update({key: new[bound] for key in ('name', 'rest') if (bound := getattr(node, key, None)) in new})
        if isinstance(node, gast.alias) and (bound := (node.asname or node.name).partition('.')[0]) in new:
            changed['asname'] = new[bound]
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Name) and node.func.id in self.of_functions:
            given = self.of_functions[node.func.id]
            node = tree.replace(node, keywords=[tree.replace(k, arg=given.get(k.arg, k.arg)) for k in node.keywords])
        made = tree.with_children(node, lambda child: self.node(child, new))
        return tree.replace(made, **changed) if changed else made

    def scope(self, node, new):
        inner = {**{name: other for name, other in new.items() if name not in own_names(node)}, **self.names.get(id(node), {})}
        if isinstance(node, COMPREHENSIONS):
            first = node.generators[0].iter                      # goes by the scope around it
            return tree.with_children(node, lambda child: self.generator(child, inner, new, first)
                                      if isinstance(child, gast.comprehension) else self.node(child, inner))
        outside = {id(part) for part in outer_parts(node)}
        made = tree.with_children(node, lambda child: self.node(child, new if id(child) in outside else inner)
                                  if not isinstance(child, gast.arguments) else self.arguments(child, new, inner, outside))
        return tree.replace(made, name=new[node.name]) if getattr(node, 'name', None) in new else made

    def arguments(self, args, new, inner, outside):
        return tree.with_children(args, lambda child: self.node(child, new if id(child) in outside else inner))

    def generator(self, generator, inner, new, first):
        return tree.with_children(generator, lambda child: self.node(child, new if child is first else inner))
