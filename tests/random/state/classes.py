"""The classes of the random programs with state: fields of all kinds, methods that write, inheritance, properties, operators."""
import dataclasses

FIELDS = {'s': ('a', 'rate', 'level'), 'v': ('vec', 'cells'), 'L': ('items', 'seen'), 'D': ('table',), 'Q': ('recent',), 'F': ('rule',)}
METHODS = ('step', 'mix', 'take', 'push', 'relax', 'tell')
OPERATORS = ('__add__', '__radd__', '__iadd__', '__mul__', '__rmul__', '__imul__', '__sub__', '__neg__', '__getitem__', '__setitem__',
             '__call__', '__len__', '__iter__', '__matmul__', '__bool__', '__lt__', '__contains__', '__abs__', '__pow__')
ANNOTATED = {'s': 'float', 'v': 'np.ndarray', 'L': 'list', 'D': 'dict', 'Q': 'object', 'F': 'object', 'C': 'object'}


class Lacking(Exception):
    """A form asks for a place of a kind that there is none of."""


@dataclasses.dataclass
class Made:
    """A class that has been written: its parent, what it is made of in order, its methods (parameters and result), its operators."""
    base: str | None
    fields: dict
    methods: dict
    operators: set
    properties: dict


class Classes:
    """The part of a writer that writes classes, and what is done with their objects."""

    def write_class(self):
        name = f'C{len(self.classes)}'
        base = self.pick(*self.classes) if self.classes and self.chance(0.4) else None
        parent = self.classes[base] if base else Made(None, {}, {}, set(), {})
        own = self.own_fields(parent.fields)
        made = Made(base, {**parent.fields, **own}, dict(parent.methods), set(parent.operators), dict(parent.properties))
        plain = not base and self.chance(0.25)                 # a dataclass
        self.put(0, '')
        self.put(0, '')
        if plain:
            self.put(0, '@dataclasses.dataclass' + self.pick('', '', '(eq=False)'))
        self.put(0, f'class {name}({base}):' if base else f'class {name}:')
        if plain:
            for field in own:
                self.put(1, f'{field}: {self.pick(ANNOTATED[own[field][0]], "object")}')
        else:
            self.write_init(parent.fields if base else {}, own, name, made)
        self.classes[name] = made
        for _ in range(self.pick(1, 2, 3)):
            self.write_method(name, made, parent)
        if 'operators' in self.features:
            for operator in self.random.sample(OPERATORS, self.pick(2, 3, 4)):
                self.write_operator(name, made, operator)
        if self.chance(0.3):
            self.write_property(name, made)
        if 'contexts' in self.features or self.chance(0.05):
            self.write_manager(name, made)

    def own_fields(self, taken):
        kinds = ['s', *(self.pick('s', 'v', 'v', 'L', 'D', 'Q') for _ in range(self.pick(1, 1, 2, 3)))]
        found = {}
        for kind in kinds:
            free = [n for n in FIELDS[kind] if n not in taken and n not in found]
            if free:
                found[self.random.choice(free)] = kind
        if self.classes and self.chance(0.5) and 'part' not in taken:
            kind = self.pick(*self.classes)
            found.update({'part': kind} if self.chance(0.6) else {'parts': kind + self.pick('[]', '[]', '{}')})
        return found

    def write_init(self, inherited, own, name, made):
        self.put(1, f'def __init__(self, {", ".join([*inherited, *own])}):')
        if inherited:
            self.put(2, f'super().__init__({", ".join(inherited)})')
        for field, kind in own.items():
            self.put(2, f'self.{field} = {field}' + (' * 1.0' if kind == 'v' and self.chance(0.3) else ''))

    def write_method(self, name, made, parent):
        inherited = [m for m in parent.methods if m not in self.overridden(name)]
        method = self.random.choice(inherited) if inherited and self.chance(0.4) else None
        if method:
            params, result = parent.methods[method]
        else:
            method = next((m for m in METHODS if m not in made.methods), None)
            if not method:
                return
            params = {'x': 's', **({'other': name} if self.chance(0.2) else {}), **({'w': 'v'} if self.chance(0.15) else {})}
            result = self.pick('s', 's', 'v', None, 'self')
        hidden = made.methods
        made.methods = {k: v for k, v in hidden.items() if k in parent.methods and k < method} if method in parent.methods else hidden
        self.put(0, '')
        self.put(1, f'def {method}({", ".join(["self", *params])}):')
        if method in parent.methods and self.chance(0.7):
            call = f'super().{method}({", ".join(params)})'
            self.put(2, f'got = {call}' if result == 's' else call)
            params = {**params, **({'got': 's'} if result == 's' else {})}
        self.body({'self': name, **params}, result)
        made.methods = hidden
        made.methods[method] = {k: v for k, v in params.items() if k != 'got'}, result

    def overridden(self, name):
        return {}

    def body(self, env, result, size=None):
        """The block of a method and what it returns: a number, a vector (now and then that of the object itself), or the object."""
        before, self.value = self.value, result
        self.block(env, 2, self.pick(1, 1, 2, 3) if size is None else size)
        if result == 'self':
            self.put(2, 'return self')
        elif result:
            self.put(2, f'return {self.expr(env, result, self.pick(0, 1, 2))}')
        self.value = before

    def write_property(self, name, made):
        self.put(0, '')
        self.put(1, '@property')
        self.put(1, 'def size(self):')
        self.body({'self': name}, 's', self.pick(0, 0, 1))
        place = self.place({'self': name}, 's')
        made.properties['size'] = self.chance(0.6)
        if made.properties['size']:
            self.put(0, '')
            self.put(1, '@size.setter')
            self.put(1, 'def size(self, x):')
            self.put(2, f'{place} = {self.expr({"self": name, "x": "s"}, "s", 1)}')

    def write_manager(self, name, made):
        made.operators.add('__enter__')
        self.put(0, '')
        self.put(1, 'def __enter__(self):')
        self.body({'self': name}, 's', self.pick(0, 1, 1))
        self.put(0, '')
        self.put(1, 'def __exit__(self, *error):')
        self.body({'self': name}, None)

    def write_operator(self, name, made, operator):
        """One operator; those of two operands know objects of this class and numbers."""
        env, params, size, result = {'self': name}, [], 0, 's'
        if operator in ('__add__', '__sub__', '__mul__', '__matmul__', '__iadd__', '__imul__', '__lt__'):
            env['other'] = name
            params = ['other']
            result = 'self' if operator[2] == 'i' else None if operator in ('__matmul__', '__lt__') else name
        elif operator in ('__radd__', '__rmul__', '__pow__', '__call__', '__contains__'):
            env['x'], params, result = 's', ['x'], name if operator in ('__radd__', '__rmul__', '__pow__') else 's'
        elif operator == '__neg__':
            result = name
        size = self.pick(1, 1, 2) if operator in ('__iadd__', '__imul__', '__call__') else self.pick(0, 0, 0, 1)
        self.put(0, '')
        vector = self.places(env, 'v')
        if operator in ('__getitem__', '__setitem__'):
            return self.write_items(operator, made, vector)
        self.put(1, f'def {operator}({", ".join(["self", *params])}):')
        made.operators = made.operators - {operator}
        if operator in ('__iter__', '__len__', '__bool__', '__lt__', '__contains__', '__matmul__'):
            text = {'__iter__': f'yield {self.expr(env, "s", 1)}', '__len__': f'return {self.pick(2, 3)}', '__matmul__': f'return {self.expr(env, "s", 2)}'}
            self.value = None
            self.block(env, 2, size) if size else None
            self.value = 's'
            self.put(2, text.get(operator, f'return {self.expr(env, "s", 1)} > {self.number()}'))
            if operator == '__iter__':
                self.put(2, text[operator].replace('yield ', 'yield 0.5 * '))
        elif result == name:
            before, self.value = self.value, None
            self.block(env, 2, size) if size else None
            self.value = before
            self.put(2, f'return {self.construction(env, name, 1)}')
        else:
            self.body(env, result, size)
        made.operators = made.operators | {operator}

    def write_items(self, operator, made, vector):
        place = self.random.choice(vector) if vector else None
        if not place:
            place = f'self.{next(f for f, k in made.fields.items() if k == "s")}'
        index = '[k]' if vector else ''
        if operator == '__getitem__':
            self.put(1, 'def __getitem__(self, k):')
            self.put(2, f'return {place}{index}' + self.pick('', ' * 0.5'))
        else:
            self.put(1, 'def __setitem__(self, k, x):')
            self.put(2, f'{place}{index} = {self.pick("x", "np.tanh(x)", "x * 0.5")}')
        made.operators = made.operators | {operator}

    # What is done with objects

    def construction(self, env, name, depth):
        """A call that makes an object of a class, from new values or from places: what they hold is shared then."""
        return f'{name}({", ".join(self.held(env, kind, depth) for kind in self.classes[name].fields.values())})'

    def held(self, env, kind, depth):
        shared = self.places(env, kind) if kind != 's' else []
        if shared and self.chance(0.4):
            return self.random.choice(shared)
        if kind in self.classes:
            return self.construction(env, kind, depth - 1)
        if kind.endswith('[]'):
            return f'[{self.construction(env, kind[:-2], depth - 1)}, {self.construction(env, kind[:-2], depth - 1)}]'
        if kind.endswith('{}'):
            return f'{{"m": {self.construction(env, kind[:-2], depth - 1)}, "n": {self.construction(env, kind[:-2], depth - 1)}}}'
        s = [self.expr(env, 's', min(depth, 1)) for _ in range(2)]
        return {'s': s[0], 'L': f'[{s[0]}, {s[1]}]', 'D': f'{{"p": {s[0]}, "q": {s[1]}}}', 'F': f'lambda q: q * {s[0]}',
                'Q': f'collections.deque([{s[0]}, {s[1]}])'}.get(kind) or f'{self.expr(env, "v", min(depth, 1))} * 1.0'

    def place_obj(self, env, depth):
        return self.some(env, self.classes)[0]

    def a_method(self, env, results):
        """(place of an object, method, parameters) of a method that gives one of some results."""
        found = [(text, m, params) for name in self.classes for text in self.places(env, name)
                 for m, (params, result) in self.classes[name].methods.items() if result in results]
        if not found:
            raise Lacking('method')
        return self.random.choice(found)

    def called(self, env, results, depth):
        text, method, params = self.a_method(env, results)
        args = [self.expr(env, kind, min(depth, 1)) for kind in params.values()]
        if self.chance(0.1):
            args[-1] = f'{list(params)[-1]}={args[-1]}'
        return f'{text}.{method}({", ".join(args)})'

    def place_call(self, env, depth):
        return self.called(env, ['s'], depth)

    def place_callv(self, env, depth):
        return self.called(env, ['v'], depth)

    def place_act(self, env, depth):
        return self.called(env, ['s', 'v', None, 'self'], depth)

    def place_read(self, env, depth):
        """A property, or a field."""
        text, name = self.some(env, self.classes)
        return f'{text}.size' if self.classes[name].properties else self.place({text: name}, 's')

    def place_getattr(self, env, depth):
        text, name = self.some(env, self.classes)
        return f'getattr({text}, "{self.field(name)}")'

    def place_setattr(self, env, depth):
        text, name = self.some(env, self.classes)
        return f'setattr({text}, "{self.field(name)}", {self.expr(env, "s", 1)})'

    def field(self, name):
        return self.random.choice([f for f, kind in self.classes[name].fields.items() if kind == 's'])

    def place_manager(self, env, depth):
        found = [text for name, made in self.classes.items() if '__enter__' in made.operators for text in self.places(env, name)]
        if not found:
            raise Lacking('manager')
        return self.random.choice(found)

    def place_op(self, env, depth):
        """A number that an operator gives, or that an object made by one holds."""
        text, name, operator = self.an_operator(env, ('__add__', '__radd__', '__mul__', '__rmul__', '__sub__', '__neg__', '__getitem__', '__call__',
                                                      '__len__', '__iter__', '__matmul__', '__bool__', '__lt__', '__contains__', '__pow__'))
        s, other = self.expr(env, 's', min(depth, 1)), self.place(env, name)
        whole = {'__add__': f'({text} + {other})', '__mul__': f'({text} * {other})', '__sub__': f'({text} - {other})', '__neg__': f'(-{text})',
                 '__radd__': f'(({s}) + {text})', '__rmul__': f'(({s}) * {text})', '__pow__': f'({text} ** ({s}))'}
        if operator in whole:
            return whole[operator] + '.' + self.field(name)
        return {'__getitem__': f'{text}[{self.pick(0, 1, 2)}]', '__call__': f'{text}({s})', '__len__': f'(len({text}) * {s})', '__iter__': f'sum({text})',
                '__matmul__': f'({text} @ {other})', '__bool__': f'({s} if {text} else 0.5 * {s})', '__lt__': f'({s} if {text} < {other} else 0.5 * {s})',
                '__contains__': f'({s} if {s} in {text} else 0.5 * {s})'}[operator]

    def an_operator(self, env, among):
        found = [(text, name, operator) for name, made in self.classes.items() for text in self.places(env, name)
                 for operator in among if operator in made.operators]
        if not found:
            raise Lacking('operator')
        return self.random.choice(found)

    def place_binary(self, env, depth):
        """A statement that uses an operator of an object."""
        text, name, operator = self.an_operator(env, ('__add__', '__mul__', '__iadd__', '__imul__', '__setitem__', '__getitem__', '__sub__', '__call__'))
        other, s = self.place(env, name), self.expr(env, 's', 1)
        if operator == '__setitem__' or operator == '__getitem__' and '__setitem__' in self.classes[name].operators:
            return f'{text}[{self.pick(0, 1, 2)}] {"+" if operator == "__getitem__" and self.chance(0.5) else ""}= {s}'
        if operator in ('__getitem__', '__call__'):
            return f'{self.place(env, "s")} = {text}[1]' if operator == '__getitem__' else f'{text}({s})'
        sign = {'a': '+', 'm': '*', 's': '-'}[operator.strip('_').removeprefix('i')[0]]
        return f'{text} {sign}= {other}' if operator[2] == 'i' or self.chance(0.6) else f'{text} = {text} {sign} {other}'

    def write_binary(self, env, depth):
        self.put(depth, self.place_binary(env, 1))

    def write_make(self, env, depth):
        if not self.classes:
            raise Lacking('class')
        name, text = self.pick(*self.classes), self.fresh('obj')
        self.put(depth, f'{text} = {self.construction(env, name, 2)}')
        env[text] = name

    def write_group(self, env, depth):
        """A list, or a dict, of objects, new ones or those that there are; or one more in a list that there is."""
        if not self.classes:
            raise Lacking('class')
        name, text = self.pick(*self.classes), self.fresh('group')
        lists = self.places(env, name + '[]')
        if lists and self.chance(0.4):
            one = self.held(env, name, 1)
            return self.put(depth, f'{self.random.choice(lists)}' + self.pick(f'.append({one})', f'[0] = {one}', '.reverse()', f'[-1] = {one}'))
        kind = name + self.pick('[]', '[]', '{}')
        self.put(depth, f'{text} = {self.held(env, kind, 1)}')
        env[text] = kind

    def write_each(self, env, depth):
        text, kind = self.some(env, [name + mark for name in self.classes for mark in ('[]', '{}')])
        one = self.fresh('each')
        self.put(depth, f'for {one} in {text}{".values()" if kind.endswith("{}") else ""}:')
        self.block({**env, one: kind[:-2]}, depth + 1, self.pick(1, 2))

    def write_set(self, env, depth):
        """A field that is written, whatever holds the object; or a property."""
        text, name = self.some(env, self.classes)
        if self.classes[name].properties.get('size') and self.chance(0.4):
            return self.put(depth, f'{text}.size {self.pick("", "+", "*")}= {self.expr(env, "s", 1)}')
        field, kind = self.random.choice([*self.classes[name].fields.items()])
        place = f'{text}.{field}'
        if kind == 's':
            self.put(depth, f'{place} {self.pick("", "", "+", "*", "-")}= {self.expr(env, "s", 2)}')
        elif kind == 'v':
            self.put(depth, self.pick(f'{place} = {self.held(env, kind, 1)}', f'{place}[{self.pick(0, 1, 2)}] {self.pick("", "+")}= {self.expr(env, "s", 1)}',
                                      f'{place}[1:] {self.pick("", "*", "+")}= {self.expr(env, "v", 1)}[:-1]' if self.chance(0.5) else f'{place}[1:] += {place}[:-1]',
                                      f'{place} {self.pick("+", "*")}= {self.expr(env, "v", 1)}'))
        elif kind in 'LQ':
            self.put(depth, self.pick(f'{place}.append({self.expr(env, "s", 1)})', f'{place}[0] {self.pick("", "+", "*")}= {self.expr(env, "s", 1)}', f'{place} = {self.held(env, kind, 1)}'))
        elif kind == 'D':
            self.put(depth, f'{place}["p"] {self.pick("", "+", "*")}= {self.expr(env, "s", 1)}')
        else:
            self.put(depth, f'{place} = {self.held(env, kind, 1)}')

    def write_bound(self, env, depth):
        """A method that is taken from its object, and called later."""
        text, method, params = self.a_method(env, ['s'])
        if [*params.values()] != ['s']:
            raise Lacking('method')
        name = self.fresh('g')
        self.put(depth, f'{name} = {text}.{method}')
        env[name] = 'F'
