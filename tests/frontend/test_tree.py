"""Trees: what is walked is what is there, whatever class of nodes holds it."""
import pathlib

import gast
import pytest

import tangent
from tangent.frontend import tree
from tangent.frontend.resolve import Resolver, names_in
from tangent.frontend.source import read

FOLDER = pathlib.Path(tangent.__file__).parent
EVERYTHING = '''
@d
async def f(a: A, /, b: B = 1, *c: C, k: K = 2, **m: M) -> R:
    global g
    async with x as y, z: pass
    async for i in xs: await i
    for j in {**p, q: r}: yield (yield from s)
    while not t: u = [*v, {w}, (l async for l in n if o)]; del u[1:2, ::3]
    else: assert a1, b1
    try: raise e1 from e2
    except (E1, E2) as e3: return f'{h!r:{i1}}'
    finally: a2.b2 @= lambda c2, *d2, e4=f2: g2 if h2 else i2
    match j2:
        case {'k': k2, **l2} | [m2, *n2] | P(o2, p2=q2) | None if r2: s2: T = u2
        case _: (v2 := w2 < x2 in y2)
class G(H, metaclass=I): import J, K.L as M2; from N import O as P2
'''


def below(node):
    """The nodes of a tree but for contexts and the operators of operations, as `gast` finds them."""
    bare = (gast.expr_context, gast.operator, gast.boolop, gast.unaryop)
    return {n for n in gast.walk(node) if not isinstance(n, bare)}


@pytest.mark.parametrize('text', [EVERYTHING, *[path.read_text() for path in sorted(FOLDER.glob('*/resolve.py'))]])
def test_everything_is_walked_once(text):
    module = gast.parse(text)
    found = tree.walk(module)
    assert len(found) == len(set(found)) and set(found) == below(module)


def test_children_and_headers_are_what_stands_right_below():
    for node in tree.walk(gast.parse(EVERYTHING)):
        right = [n for n in gast.iter_child_nodes(node) if not isinstance(n, gast.expr_context)]
        assert tree.children(node) == ([] if isinstance(node, gast.Constant) else right)
        if isinstance(node, gast.stmt):
            inner = [id(n) for _, block in tree.blocks(node) for n in block]
            assert [n for n in tree.header(node) if not isinstance(n, gast.expr_context)] == [n for n in right if id(n) not in inner]


def test_annotations_come_with_parameters():
    function = gast.parse('def f(x: A, *y: B): pass').body[0]
    assert {'A', 'B'} == set(tree.names(function, gast.Load))
    assert [n.id for n in tree.walk(function.args.args[0])] == ['x', 'A'] and tree.names(function.args.args[0], gast.Load) == ['A']


def twice(x, **more):
    more = dict(more)
    return sum(k * x for k in (1, 2)) + more['a']


def test_what_a_source_says_of_names_is_that_of_its_tree():
    source = read(twice)
    assert source.nodes == tree.walk(source.tree) and source.inner == [n for s in source.tree.body for n in tree.walk(s)]
    assert names_in(source) is names_in(source) and names_in(source).local == {'x', 'more'}
    assert Resolver(source).keywords == {'more'} and Resolver(source, {'x'}).outer >= {'sum', 'dict'}
    other = read(twice)
    assert other.tree is not source.tree and names_in(other) is not names_in(source)
