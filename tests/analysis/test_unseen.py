"""Values with a derivative that are put outside of the function where its text does not say so: by function values, methods,
operators, contexts and classes. Each program is a module of its own; its derivative is right, or refused.
"""
import textwrap

import numpy as np
import pytest

import tangent
from tangent.driver.variants import specialised
from tests.random.random_programs import load
from tests.tools.checking import differences

HEAD = 'import contextvars, functools, types\nimport numpy as np\n'
V = np.array([0.7, 1.3, 0.4])
PROGRAMS: dict = {}


def program(name, text):
    PROGRAMS[name] = text


program('a_function_in_a_table', '''
    LOG = []
    def note(a): LOG.append(a * a)
    def last(): return LOG[-1]
    TABLE = {'note': note}
    def f(v):
        TABLE['note'](v[0])
        return last() * v[1]
''')
program('functions_with_one_list', '''
    def make():
        log = []
        def put(a): log.append(a * a)
        def get(): return log[-1]
        return {'put': put, 'get': get}
    T = make()
    def f(x):
        T['put'](x)
        return T['get']() * x
''')
program('functions_with_one_cell', '''
    def make():
        val = 0.0
        def put(a):
            nonlocal val
            val = a * a
        def get(): return val
        return {'put': put, 'get': get}
    T = make()
    def f(x):
        T['put'](x)
        return T['get']() * x
''')
program('bound_methods_in_a_list', '''
    class Box:
        def __init__(self): self.v = 1.0
        def put(self, a): self.v = a * a
        def get(self): return self.v
    BOX = Box()
    T = [BOX.put, BOX.get]
    def f(x):
        T[0](x)
        return T[1]() * x
''')
program('bound_methods_under_names', '''
    class Box:
        def __init__(self): self.v = 1.0
        def put(self, a): self.v = a * a
        def get(self): return self.v
    BOX = Box()
    PUT, GET = BOX.put, BOX.get
    def f(x):
        PUT(x)
        return GET() * x
''')
program('an_object_that_is_called', '''
    class Box:
        def __init__(self): self.v = 1.0
        def __call__(self, a): self.v = a * a
        @property
        def w(self): return self.v * 2
    BOX = Box()
    def f(x):
        BOX(x)
        return BOX.w * x
''')
program('an_attribute_of_a_function', '''
    def put(a):
        put.v = a * a
    def get(): return put.v
    T = [put]
    def f(x):
        T[0](x)
        return put.v * x
''')
program('a_descriptor_of_setting', '''
    STATE = dict(v=0.0)
    class Setter:
        def __setattr__(self, k, a): STATE[k] = a * a
    S = Setter()
    def f(x):
        S.v = x
        return STATE['v'] * x
''')
program('an_operator', '''
    STATE = dict(v=0.0)
    class A:
        def __init__(self, v): self.v = v
        def __add__(self, o):
            STATE['v'] = self.v * o.v
            return A(self.v + o.v)
    def f(x):
        a = A(x) + A(x * x)
        return STATE['v'] * a.v
''')
program('a_context', '''
    STATE = []
    class A:
        def __init__(self, v): self.v = v; STATE.append(v)
        def __enter__(self): return self.v
        def __exit__(self, *e): STATE.append(self.v * self.v)
    def f(x):
        with A(x) as y:
            z = y * y
        return STATE[-1] * z
''')
program('objects_in_a_list_of_their_class', '''
    class Node:
        registry = []
        def __init__(self, v):
            self.v = v
            self.registry.append(self)
    def f(x):
        a = Node(x); b = Node(x * x)
        y = 0.0
        for n in Node.registry[-2:]: y = y + n.v
        return y * x
''')
program('the_last_object_of_a_class', '''
    class Node:
        last = None
        def __init__(self, v):
            self.v = v
            self.__class__.last = self
    def f(x):
        a = Node(x)
        return Node.last.v * x
''')
program('a_list_of_a_class_above', '''
    class Base:
        made = []
        def __init__(self, v):
            self.v = v
            type(self).made.append(v)
    class Sub(Base): pass
    def f(x):
        a = Sub(x)
        return Base.made[-1] * x
''')
program('a_lambda_in_a_table', '''
    L = []
    note = lambda a: L.append(a * a)
    T = {'n': note}
    def f(x):
        T['n'](x)
        return L[-1] * x
''')
program('a_partial', '''
    L = []
    note = functools.partial(L.append)
    def f(x):
        note(x)
        return L[-1] * x
''')
program('methods_of_containers_in_a_table', '''
    L = []
    T = {'n': L.append}
    def f(x):
        T['n'](x * x)
        return L[-1] * x
''')
program('methods_of_dicts_in_a_list', '''
    D = {}
    T = [D.__setitem__, D.update, D.setdefault]
    def f(x):
        T[0]('a', x * x)
        T[1](b=x * 3)
        return D['a'] * D['b']
''')
program('a_method_of_an_array_in_a_list', '''
    A = np.zeros(3)
    T = [A.fill, A.__setitem__]
    def f(x):
        T[0](x * x)
        return A[0] * x
''')
program('an_attribute_of_a_module', '''
    M = types.ModuleType('m')
    def f(x):
        M.v = x * x
        return M.v * x
''')
program('the_table_of_globals', '''
    def f(x):
        globals()['ZZ'] = x * x
        return globals()['ZZ'] * x
''')
program('a_decorator_that_keeps', '''
    class track:
        def __init__(self, fn): self.fn = fn
        def __call__(self, a):
            self.last = self.fn(a)
            return self.last
    @track
    def g(a): return a * a
    def f(x):
        g(x)
        return g.last * x
''')
program('observers', '''
    class Subject:
        def __init__(self): self.obs = []
        def notify(self, v):
            for o in self.obs: o(v)
    SEEN = []
    S = Subject()
    S.obs.append(lambda v: SEEN.append(v * v))
    def f(x):
        S.notify(x)
        return SEEN[-1] * x
''')
program('a_context_variable', '''
    C = contextvars.ContextVar('c')
    def put(a): C.set(a * a)
    T = [put]
    def f(x):
        T[0](x)
        return C.get() * x
''')
program('a_function_given_to_reduce', '''
    L = []
    def key(a, b):
        L.append(a * b)
        return a
    T = {'k': key}
    def f(v):
        s = functools.reduce(T['k'], v)
        return L[-1] * s
''')
program('a_sum_that_is_read_again', '''
    TOTAL = [0.0]
    def add(x):
        TOTAL[0] += x * x
        return TOTAL[0] * x
    T = {'a': add}
    def f(x):
        TOTAL[0] = 0.0
        return T['a'](x) * T['a'](x)
''')
program('an_attribute_of_a_class_by_a_method', '''
    class C:
        total = 0.0
        def add(self, v): C.total = v * v
    def f(x):
        C().add(x)
        return C().total * x
''')
program('an_attribute_of_a_class_by_a_class_method', '''
    class C:
        total = 0.0
        @classmethod
        def add(cls, v): cls.total = v * v
        @classmethod
        def get(cls): return cls.total
    def f(x):
        C.add(x)
        return C.get() * x
''')
program('an_attribute_of_the_type', '''
    class C:
        total = 0.0
        def add(self, v): type(self).total = v * v
    def f(x):
        c = C()
        c.add(x)
        return c.total * x
''')
program('a_list_of_a_class', '''
    class C:
        items = []
        def add(self, v): self.items.append(v * v)
    def f(x):
        C().add(x)
        return C().items[-1] * x
''')
program('a_function_that_is_a_parameter', '''
    L = []
    def note(a): L.append(a * a)
    def f(x):
        return run(note, x) * x
    def run(h, x):
        h(x)
        return L[-1]
''')
program('a_function_put_into_a_table', '''
    L = []
    T = {}
    def note(a): L.append(a * a)
    def f(x):
        T['n'] = note
        T['n'](x)
        return L[-1] * x
''')
program('a_function_made_elsewhere', '''
    L = []
    def outer():
        def note(a): L.append(a * a)
        return note
    def f(x):
        n = outer()
        n(x)
        return L[-1] * x
''')
program('a_function_by_its_name_in_globals', '''
    import importlib
    L = []
    def note(a): L.append(a * a)
    def f(x):
        g = globals()['note']
        g(x)
        return L[-1] * x
''')
program('a_memo_by_the_value', '''
    M = {}
    def f(x):
        if x not in M: M[x] = x * x
        return M[x] * x
''')


@pytest.mark.parametrize('name', PROGRAMS)
def test_what_is_kept_outside_is_right_or_refused(name, tmp_path):
    path = tmp_path / f'{name}.py'
    path.write_text(HEAD + textwrap.dedent(PROGRAMS[name]))
    f = load(path).f
    x = V if 'def f(v)' in PROGRAMS[name] else 0.7
    want = differences(f, (x,), (0,))[0]
    known = lambda f: lambda x: specialised(tangent.grad(f), (x,))(x)  # noqa: E731
    for derivative in (tangent.grad, known, lambda f: lambda x: [tangent.jvp(f)(x, d) for d in (np.eye(3) if x is V else [1.0])]):
        try:
            found = derivative(f)(x)
        except tangent.errors.TangentError as error:
            assert name in str(error)                       # the user's own line is shown
            continue
        assert np.allclose(found, want, atol=1e-5)
