"""The printed text: the same tree comes back, nothing superfluous, comments and line breaks where people put them."""
import ast
import os
import random
import subprocess
import sys
import textwrap

import gast
import pytest

from tangent.emit import line_breaks
from tangent.emit.printer import emit, expression_text, statement_text
from tangent.frontend.tree import Origin
from tests import ROOT


def function(text):
    return gast.parse(textwrap.dedent(text)).body[0]


def printed(text, **options):
    return emit([function(text)], **options)


def same(text):
    """Prints as it stands."""
    text = textwrap.dedent(text).lstrip('\n')
    assert printed(text) == text


# ---------------------------------------------------------------------------------------- expressions

AS_WRITTEN = """
-(x**2) ; (-x) ** 2 ; 2**-x ; (a**b) ** c ; a**b**c ; x[i] ** 2 ; 2 ** x[i] ; x.y**2.5
not (x**2) ; 2 ** -(x**y) ; a - (b - c) ; a - b - c ; a / (b * c) ; a / b * c
b * (1 - t * t) * w - b ; (a * b) ** c ; -(a + b) ; -a + b ; -a * b ; a * -b ; (a + b).T ; (-a).T ; f(a)(b)[c].d
x[i, j] ; x[1:-1, ::2] ; x[:, None] ; x[...] ; x[()] ; x[1,] ; x[i + 1 : n] ; x[: n - 1 : 2] ; x[:: a * b] ; x[-1:]
x[(a, b), c] ; x[a if b else c] ; x[i][j] ; (a, b) ; (a,) ; () ; [a] ; [a, *b] ; {a, b} ; {} ; {a: b, **c}
not (a and b) ; not a and b ; a and (b or c) ; a and b or c ; (not a) == b ; not a == b ; a < b < c ; (a < b) < c
a if b else c ; (a if b else c) if d else e ; a if b else c if d else e ; (a if b else c) + 1 ; a in b ; a not in b
a is not None ; lambda: 1
lambda x, *y, k=1, **z: (x, y) ; lambda x, /, y=2, *, k: x ; (lambda x: x)(1) ; f(lambda x: x)
f(a, *b, k=c, **d) ; f(*(a or b)) ; f(x for x in y) ; f((x for x in y), 1) ; [x for x in y if x if not y]
{k: v for k, v in z for w in k} ; {1: 2} ; [0 for _ in x] ; (y := f(x)) ; f((y := 1)) ; a @ b.T ; a // b % c
a & b ; c ^ d << e ; ~a & (b | c) ; ~(a | b) ; 1j
1 + 2j ; 2.0 ; 2 ; 1e-5 ; 1e20 ; 1e1000 ; -1e1000 ; 0.1 ; True ; None
'it"s' ; "it's" ; "a\\nb" ; b"a" ; "" ; ... ; (1).real ; (1.5).real ; "a".join(b) ; f"{x}" ; f"{x!r:>{w}.2f}"
f"{d['k']}" ; f'{x} "q"' ; 'it\\'s "q"'
f"{{}} {x:,}" ; f"{(lambda: 1)()}" ; f"{ {1: 2}[1]}" ; f"a\\n{x}" ; f"it's {x}" ; (await x)
"""


@pytest.mark.parametrize('text', [t for row in AS_WRITTEN.strip().splitlines() for t in row.split(' ; ')])
def test_expression_as_a_person_writes_it(text):
    shown = expression_text(gast.parse(text, mode='eval').body)
    assert ast.dump(ast.parse(shown, mode='eval')) == ast.dump(ast.parse(text, mode='eval'))
    assert shown == text or f'({shown})' == text


@pytest.mark.parametrize('value, text', [
    (-1.0, '-1.0'), (-2, '-2'), (float('inf'), '1e1000'), (-float('inf'), '-1e1000'), (10 ** 40, str(10 ** 40)),
    (-0.0, '-0.0'), (3 + 4j, '3 + 4j'), (3 - 4j, '3 - 4j'), (1e22, '1e22'), (5e-324, '5e-324'),
    (2 ** 5000, hex(2 ** 5000)),
])
def test_constants_evaluate_to_themselves(value, text):
    node = gast.Constant(value=value, kind=None)
    assert expression_text(node) == text
    assert repr(eval(text)) == repr(value) if value != 2 ** 5000 else eval(text) == value
    power = gast.BinOp(left=node, op=gast.Pow(), right=gast.Constant(value=2, kind=None))
    if abs(value) < 100:
        assert eval(expression_text(power)) == value ** 2


def test_not_a_number():
    assert eval(expression_text(gast.Constant(value=float('nan'), kind=None))) != 0
    assert expression_text(gast.parse('x - y', mode='eval').body) == 'x - y'


class Expressions:
    """Random trees with every operator."""
    binary = [ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Mod, ast.FloorDiv, ast.MatMult, ast.Pow, ast.LShift, ast.RShift,
              ast.BitOr, ast.BitXor, ast.BitAnd]
    compare = [ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Is, ast.IsNot, ast.In, ast.NotIn]
    leaves = ['x', 'by', 'velocity', '1', '2.5', '1j', "'text'", 'None', '...', 'x.T', 'np.pi', "b'a'", "f'{x:>{w}}'"]

    def __init__(self, seed):
        self.random = random.Random(seed)

    def some(self, depth, least=1, most=3):
        return [self.make(depth) for _ in range(self.random.randint(least, most))]

    def name(self):
        return ast.Name(self.random.choice(['a', 'beta', 'gamma_ray']), ast.Store())

    def make(self, depth):
        pick = self.random.choice
        if depth == 0:
            return ast.parse(pick(self.leaves), mode='eval').body
        sub, kind = depth - 1, self.random.randrange(20)
        if kind < 7:
            return ast.BinOp(self.make(sub), pick(self.binary)(), self.make(sub))
        if kind < 9:
            return ast.UnaryOp(pick([ast.USub, ast.UAdd, ast.Invert, ast.Not])(), self.make(sub))
        if kind == 9:
            return ast.BoolOp(pick([ast.And, ast.Or])(), self.some(sub, 2))
        if kind == 10:
            right = self.some(sub, 1, 2)
            return ast.Compare(self.make(sub), [pick(self.compare)() for _ in right], right)
        if kind == 11:
            return ast.IfExp(self.make(sub), self.make(sub), self.make(sub))
        if kind == 12:
            return ast.Subscript(self.make(sub), self.index(sub), ast.Load())
        if kind == 13:
            return ast.Attribute(self.make(sub), 'real', ast.Load())
        if kind == 14:
            return pick([ast.Tuple, ast.List])(self.some(sub, 0), ast.Load())
        if kind == 15:
            body = ast.parse('lambda u, v=1, *w, k=2: 0', mode='eval').body
            body.body = self.make(sub)
            return body
        if kind == 16:
            loop = ast.comprehension(self.name(), self.make(sub), self.some(sub, 0, 1), 0)
            return pick([ast.ListComp, ast.GeneratorExp, ast.SetComp])(self.make(sub), [loop])
        if kind == 17:
            return pick([ast.Dict([self.make(sub), None], self.some(sub, 2, 2)), ast.Set(self.some(sub))])
        arguments = self.some(sub, 0)
        if arguments and self.random.random() < 0.2:
            arguments[-1] = ast.Starred(arguments[-1], ast.Load())
        keywords = [ast.keyword(pick(['axis', None]), self.make(sub))] if self.random.random() < 0.3 else []
        return ast.Call(self.make(sub), arguments, keywords)

    def index(self, sub):
        def part():
            bound = [self.make(sub) if self.random.random() < 0.5 else None for _ in range(3)]
            return self.random.choice([self.make(sub), ast.Slice(*bound)])
        parts = [part() for _ in range(self.random.randint(1, 3))]
        return parts[0] if len(parts) == 1 else ast.Tuple(parts, ast.Load())


STATEMENTS = ['v = {}', 'v[i] += {}', 'return {}', 'if {}:\n    pass', 'while {}:\n    pass', 'for i in {}:\n    pass',
              '{}', 'assert {}', 'w = v = {}', 'v: int = {}', 'a, b = {}', 'with {} as v:\n    pass',
              'raise ValueError({})']


@pytest.mark.parametrize('seed', range(300))
def test_the_same_tree_comes_back(seed, monkeypatch):
    make = Expressions(seed)
    shown = ast.unparse(ast.fix_missing_locations(make.make(make.random.choice([1, 2, 3, 4]))))
    text = 'def f():\n' + textwrap.indent(make.random.choice(STATEMENTS).format(f'({shown})'), '    ')
    expected = ast.dump(ast.parse(text))
    for width in (200, 88, 40):
        monkeypatch.setattr(line_breaks.lay_out, '__defaults__', (width,))
        once = printed(text)
        assert ast.dump(ast.parse(once)) == expected, once
        assert printed(once) == once
        assert all(line == line.rstrip() for line in once.splitlines())


def test_targets_of_a_comprehension_share_a_line(monkeypatch):
    text = 'def f():\n    v = sum(q * w for q, w in zip(tool(x, C(x, np.array([q, 1.0, q]))), tool(y, C(x, np.array([q, 0.4])))))'
    for width in (88, 60):
        monkeypatch.setattr(line_breaks.lay_out, '__defaults__', (width,))
        once = printed(text)
        assert ast.dump(ast.parse(once)) == ast.dump(ast.parse(text))
        assert 'for q, w in zip(' in once


def redundant(text):
    """Pairs of parentheses that can go without a change of the tree."""
    whole, stack, found = ast.dump(ast.parse(text, mode='eval')), [], []
    for i, c in enumerate(text):
        if c == '(':
            stack.append(i)
        elif c == ')':
            j = stack.pop()
            if text[j - 1] == '*':
                continue        # `f(*(a or b))`: without them it cannot be read
            less = text[:j] + ' ' + text[j + 1:i] + ' ' + text[i + 1:]
            try:
                if ast.dump(ast.parse(less.strip(), mode='eval')) == whole:
                    found.append(text[j:i + 1])
            except SyntaxError:
                pass
    return found


@pytest.mark.parametrize('seed', range(300))
def test_no_parenthesis_too_many(seed):
    """None but those of tuples, around a number whose attribute is taken, and around a power behind a sign."""
    make = Expressions(seed + 1000)
    expr = ast.parse(ast.unparse(ast.fix_missing_locations(make.make(3))), mode='eval').body
    shown = expression_text(gast.ast_to_gast(expr))
    extra = [pair for pair in redundant(shown)
             if not isinstance(ast.parse(pair, mode='eval').body, (ast.Tuple, ast.Constant)) and '**' not in pair]
    assert not extra, shown


# ---------------------------------------------------------------------------------------- statements

def test_statements_print_as_they_stand():
    same('''
        @decorate(1)
        def f(a, c0=3, /, b: int = 1, *args, c, d: float = 2.0, **kw) -> float:
            """A docstring.

            With more lines,
                indented more.
            """
            with a as b, c as (d, e):
                pass
            try:
                x: int = 1
            except E as e:
                raise ValueError("no") from e
            except (A, B):
                pass
            else:
                x = 1
            finally:
                del x, y[1]
            for i, (j, k) in enumerate(zip(a, b)):
                if a:
                    continue
                elif b:
                    break
                else:
                    d += 1
            else:
                pass
            while (n := f(1)) > 0:
                assert x, "message"

            def g():
                nonlocal n
                global m

            class A(B, metaclass=C):
                z: int

            import numpy as np
            from a.b import c as d, e
            match x:
                case [1, *r] if r:
                    pass
                case {"a": 1, **z} | P(q, s=2):
                    pass
            a, b = b, a
            (a,) = b
            return a, b
        ''')


def test_a_lone_if_after_else_becomes_elif_with_its_comments():
    tree = function("""
        def f(x):
            if x:
                y = 1
            else:
                if z:
                    y = 2
                else:
                    y = 3
        """)
    text = emit([tree], notes={id(tree.body[0].orelse[0]): ['Second case']})
    assert text.splitlines()[3:5] == ['    # Second case', '    elif z:']


@pytest.mark.parametrize('doc', [
    '"""One line."""', '"""Two\n\n    lines.\n    """', 'r"""A \\d b."""', "'''Says \"\"\"hello\"\"\" to you.'''",
    '"Ends in a quote\\""', '"\\t tab\\x00"', '""" """', '"""Ends in \\\\"""'])
def test_docstrings_keep_their_words(doc):
    text = printed(f'def f():\n    {doc}\n    return 1\n')
    old, new = ast.parse(f'def f():\n    {doc}\n').body[0], ast.parse(text).body[0]
    assert ast.get_docstring(new) == ast.get_docstring(old)
    assert '"""' in text and printed(text) == text


def test_functions_are_two_lines_apart():
    trees = gast.parse('def f(x):\n    return x\ndef g(x):\n    return x').body
    assert emit(trees) == 'def f(x):\n    return x\n\n\ndef g(x):\n    return x\n'


def test_the_trees_are_left_alone():
    tree = function('def f(x):\n    return -x ** 2')
    before = gast.dump(tree), {k for n in gast.walk(tree) for k in vars(n)}
    emit([tree])
    assert before == (gast.dump(tree), {k for n in gast.walk(tree) for k in vars(n)})


def test_quoted_statements():
    assert statement_text(function('for i in range(n):\n    x = 1')) == 'for i in range(n):'
    assert statement_text(function('x   =  y*y')) == 'x = y * y'


# ---------------------------------------------------------------------------------------- comments

def origins(text, roles):
    """The function, with an origin for each statement in the order of the text (compound ones included)."""
    tree = function(text)
    statements = [n for n in ast_order(tree.body)]
    for stmt, where in zip(statements, roles):
        stmt.origin = where
    return tree


def ast_order(block):
    for stmt in block:
        yield stmt
        for field in ('body', 'orelse'):
            yield from ast_order(getattr(stmt, field, []))


def lines(text):
    return textwrap.dedent(text).lstrip('\n')


def test_adjoint_groups_quote_the_users_line_once():
    one, two = Origin('adjoint', 5, 'y = x * z'), Origin('adjoint', 4, 'z = x + 1')
    tree = origins('def df(x, by):\n a = 1\n bx = by * z\n bz = by * x\n bx += bz\n return bx',
                   [None, one, one, two, None])
    assert emit([tree]) == lines("""
        def df(x, by):
            a = 1
            # Grad of: y = x * z
            bx = by * z
            bz = by * x
            # Grad of: z = x + 1
            bx += bz
            return bx
        """)


def test_reverse_loop_quotes_the_header_and_keeps_pops_with_their_group():
    header, body = 'for i in range(n):', 'y = y * x[i]'
    tree = origins("""
        def df(x, by):
            y = 1.0
            for i in range(n):
                push(_stack, y, "_1")
                y = y * x[i]
            bx = init_grad(x)
            for i in range(n - 1, -1, -1):
                y = pop(_stack, "_1")
                bx[i] += by * y
                by = by * x[i]
            return bx
        """, [Origin('primal', 2), Origin('primal', 3), Origin('tape', 4, body), Origin('primal', 4),
              Origin('adjoint', 3, header), Origin('adjoint', 3, header), Origin('tape', 4, body),
              Origin('adjoint', 4, body), Origin('adjoint', 4, body), None])
    assert emit([tree]) == lines("""
        def df(x, by):
            y = 1.0
            for i in range(n):
                push(_stack, y, "_1")
                y = y * x[i]

            # Grad of: for i in range(n):
            bx = init_grad(x)
            for i in range(n - 1, -1, -1):
                # Grad of: y = y * x[i]
                y = pop(_stack, "_1")
                bx[i] += by * y
                by = by * x[i]
            return bx
        """)


def test_a_reversed_branch_is_named_once():
    branch, inner = Origin('adjoint', 2, 'if x > 0:'), Origin('adjoint', 3, 'y = 2 * x')
    tree = origins('def df(x):\n if c:\n  by = init_grad(y)\n  bx = 2 * by', [branch, branch, inner])
    assert emit([tree]) == lines("""
        def df(x):
            # Grad of: if x > 0:
            if c:
                by = init_grad(y)
                # Grad of: y = 2 * x
                bx = 2 * by
        """)


def test_long_quotes_are_cut_at_the_margin():
    tree = origins('def df(x):\n y = 1', [Origin('adjoint', 3, 'y = ' + ' + '.join(['quantity'] * 20))])
    comment = emit([tree]).splitlines()[1]
    assert comment.startswith('    # Grad of: y = quantity + ') and comment.endswith(' ...') and 80 < len(comment) <= 88


def test_inserted_code_is_marked_once():
    inserted = Origin('inserted', 4, 'print(bx)')
    tree = origins('def df(x):\n print(bx)\n bx = clip(bx)\n return bx', [inserted, inserted, None])
    assert emit([tree]).splitlines()[1:3] == ['    # Inserted code', '    print(bx)']
    assert emit([tree]).count('# Inserted') == 1


def test_notes_stand_above():
    tree = function('def df(x):\n _stack = Stack()\n return x')
    first, last = map(id, tree.body)
    text = emit([tree], notes={first: ['Initialize the tape'], last: ['Beginning of backward pass']})
    assert text == lines("""
        def df(x):
            # Initialize the tape
            _stack = Stack()
            # Beginning of backward pass
            return x
        """)


USERS = """
def f(x):  # on the header
    # first: scale
    y = 2 * x  # twice

    # gone
    z = y + 1  # gone too
    for v in y:  # each
        # inside
        w = f(
            v,  # the value
            y)
    return w  # the end
"""


def users(kept):
    """USERS as the primal part of a derivative that kept the statements on these lines."""
    tree = function(USERS)
    tree.lineno = 2
    for stmt in ast_order(tree.body):
        stmt.origin = Origin('primal' if stmt.lineno in kept else 'adjoint', stmt.lineno, 'line')
    tree.body = [s for s in tree.body if s.lineno in kept or isinstance(s, gast.Return)]
    return tree


def comments():
    rows = USERS.splitlines()
    return {i: (row[row.index('#'):], row.strip().startswith('#')) for i, row in enumerate(rows, 1) if '#' in row}


def test_users_comments_stay_with_their_statements():
    text = emit([users({4, 8, 10})], comments(), starts=frozenset([2, 4, 7, 8, 10, 13]))
    assert text == lines("""
        def f(x):
            # first: scale
            y = 2 * x  # twice
            for v in y:  # each
                # inside
                w = f(v, y)  # the value

            # Grad of: line
            return w
        """)


def test_without_starts_a_comment_moves_down():
    text = emit([users({4, 8, 10})], comments())
    assert '    # gone\n    for v in y:  # each\n' in text and 'gone too' not in text


def test_a_trailing_comment_follows_the_last_statement_of_its_line_and_appears_once():
    where = Origin('primal', 3)
    tree = origins('def df(x):\n t = x\n y = t\n y = t', [where, where, Origin('adjoint', 3, 'y')])
    assert emit([tree], {3: ('# note', False)}).count('# note') == 1
    assert '    y = t  # note\n' in emit([tree], {3: ('# note', False)})


def test_a_trailing_comment_without_room_goes_above():
    where = Origin('primal', 3)
    tree = origins('def df(x):\n y = x', [where])
    note = '# ' + 'long ' * 16
    assert emit([tree], {3: (note.strip(), False)}).splitlines()[1:] == ['    ' + note.strip(), '    y = x']


def test_a_comment_in_a_block_is_not_the_conditions():
    test, body = Origin('primal', 2, 'if x > 0:'), Origin('primal', 4, 'y = x')
    tree = origins('def df(x):\n c = x > 0\n if c:\n  y = x', [test, test, body])
    tree.body[0].end_lineno = 4
    assert '    if c:\n        # inside\n        y = x\n' in emit([tree], {3: ('# inside', True)})


def test_each_function_has_its_own_comments():
    trees = [origins('def f(x):\n y = x', [Origin('primal', 2)]), origins('def g(x):\n y = x', [Origin('primal', 2)])]
    assert 'f(x):\n    y = x\n' in emit(trees, [{}, {2: ('# g', False)}])
    assert 'g(x):\n    y = x  # g\n' in emit(trees, [{}, {2: ('# g', False)}])


# ---------------------------------------------------------------------------------------- line breaks

LONG = """
def dfdx(
    first_argument_of_the_function, second_argument_of_the_function, third_argument=None
):
    total = (
        first_argument_of_the_function
        + second_argument_of_the_function * third_argument
        - velocity_of_sound
    )
    total = np.tanh(first_argument_of_the_function) + np.sin(
        second_argument_of_the_function * third_argument
    )
    bx = unbroadcast(
        first_argument_of_the_function
        * second_argument_of_the_function
        * (1 - third_argument),
        x,
    )
    bx[first_argument_of_the_function, second_argument_of_the_function] += (
        velocity_of_sound * third_argument
    )
    choice = (
        first_argument_of_the_function
        if second_argument_of_the_function > velocity_of_sound
        else third_argument
    )
    if (
        first_argument_of_the_function
        and second_argument_of_the_function
        and third_argument is None
    ):
        pass
    for first_target, second_target, third_target in zip(
        first_argument_of_the_function, third_argument
    ):
        pass
    squares = [
        element_of_the_list * element_of_the_list
        for element_of_the_list in first_argument_of_the_function
        if element_of_the_list
    ]
    assert first_argument_of_the_function == second_argument_of_the_function, (
        "the first and the second"
    )
    total = -np.sum(
        first_argument_of_the_function
        + second_argument_of_the_function
        + velocity_of_sound
    )
    return (
        first_argument_of_the_function,
        second_argument_of_the_function,
        velocity_of_sound,
    )
"""


def test_long_lines_break_as_a_formatter_breaks_them():
    same(LONG)


def test_a_formatter_agrees():
    """`ruff format`, as it comes, changes nothing: neither in long statements nor in short ones of all operators."""
    ruff = pytest.importorskip('ruff')
    made = [ast.unparse(ast.fix_missing_locations(Expressions(seed).make(3))) for seed in range(1500)]
    short = [line for line in (statement_text(function('v = ' + text)) for text in made) if len(line) <= 88]
    text = LONG.lstrip() + '\n\n' + '\n'.join(short) + '\n'
    command = [sys.executable, '-m', ruff.__name__, 'format', '--isolated', '-']
    result = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    assert len(short) > 500 and result.stdout == text


PROGRAM = """
import tangent
from tests.corpora.python.control import secant
print(tangent.source(tangent.autodiff(secant, wrt=(0,), motion='split')))
"""


def test_the_text_does_not_depend_on_the_hashes_of_strings():
    """What is computed again stood in the order of a set."""
    runs = [subprocess.run([sys.executable, '-c', PROGRAM], env={**os.environ, 'PYTHONHASHSEED': seed}, text=True, check=True,
                           capture_output=True, cwd=ROOT) for seed in '01']
    assert runs[0].stdout == runs[1].stdout != ''
