"""Methods of lists, dicts, sets, deques and arrays that change their object, or hand out what it holds.

Of most objects it is not known what they are, so that methods are known by their names: `of('append').writes`.
"""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Method:
    """What is known of the methods of a name.

    of : 'list', 'dict', 'set', 'deque', 'array', 'other': the kinds of objects that have it
    writes : it changes its object
    keeps : its object holds what it is given, afterwards
    orders : it changes nothing but the order of what its object holds
    gives : 'nothing', 'element' (what the object holds), 'view' (of all it holds), 'new' (a copy), 'fact' (a number, a bool)
    tangents : 'mirror' where the same is done to the tangent of the object, 'reorder' where that follows its value
    common : other classes have methods of that name that give something
    """
    of: frozenset = frozenset()
    writes: bool = False
    keeps: bool = False
    orders: bool = False
    gives: str | None = None
    tangents: str | None = None
    common: bool = False

    @property
    def of_deques_alone(self):
        return self.of == {'deque'}


NOTHING = Method()
DECLARED: list[tuple[str, str, dict]] = [
    ('append extend insert', 'list deque', dict(writes=True, keeps=True, gives='nothing', tangents='mirror')),
    ('appendleft extendleft', 'deque', dict(writes=True, keeps=True, gives='nothing', tangents='mirror')),
    ('rotate', 'deque', dict(writes=True, orders=True, gives='nothing', tangents='mirror')),
    ('popleft', 'deque', dict(writes=True, gives='element', tangents='mirror')),
    ('pop', 'list dict set deque', dict(writes=True, gives='element', tangents='mirror')),
    ('remove', 'list set deque', dict(writes=True, gives='nothing', tangents='reorder')),
    ('reverse', 'list deque', dict(writes=True, orders=True, gives='nothing', tangents='mirror')),
    ('sort', 'list array', dict(writes=True, orders=True, gives='nothing', tangents='reorder')),
    ('clear', 'list dict set deque', dict(writes=True, gives='nothing', tangents='mirror')),
    ('update', 'dict set', dict(writes=True, keeps=True, gives='nothing', tangents='mirror', common=True)),
    ('setdefault', 'dict', dict(writes=True, keeps=True, gives='element', tangents='mirror')),
    ('popitem', 'dict', dict(writes=True, gives='element', tangents='mirror')),
    ('move_to_end', 'dict', dict(writes=True, orders=True, gives='nothing', tangents='mirror')),
    ('get', 'dict', dict(gives='element', tangents='mirror')),
    ('values items keys', 'dict', dict(gives='view')),
    ('add', 'set', dict(writes=True, keeps=True, gives='nothing', common=True)),
    ('discard', 'set', dict(writes=True, gives='nothing')),
    ('fill', 'array', dict(writes=True, gives='nothing', tangents='mirror')),
    ('put', 'array other', dict(writes=True, keeps=True, gives='nothing')),
    ('itemset resize partition setflags', 'array', dict(writes=True, gives='nothing')),
    ('byteswap', 'array', dict(writes=True, gives='new')),
    ('shuffle', 'other', dict(writes=True, gives='nothing')),
    ('put_nowait submit', 'other', dict(keeps=True)),
    ('copy', 'list dict set deque array', dict(gives='new')),
    ('flatten astype tolist', 'array', dict(gives='new')),
    ('index count', 'list deque', dict(gives='fact')),
    ('isdisjoint issubset issuperset', 'set', dict(gives='fact')),
    ('__contains__ __len__', 'list dict set deque', dict(gives='fact')),
]
NAMED = {name: Method(frozenset(kinds.split()), **known) for group, kinds, known in DECLARED for name in group.split()}


def of(name):
    """The Method of a name."""
    return NAMED.get(name, NOTHING)


def names(holds):
    """The names of those methods of which something holds."""
    return frozenset(name for name, known in NAMED.items() if holds(known))


VIEWS = names(lambda m: m.gives == 'view')
