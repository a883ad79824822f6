"""`match` as `if`: a pattern is a test of the subject, and names bound to parts of it.

    match shape:                           if is_sequence(shape) and len(shape) == 2 and shape[0] == 'circle':
        case ('circle', r):                    r = shape[1]
            return pi * r * r          ->      return pi * r * r
        case {'side': a} if a > 0:         elif is_mapping(shape) and 'side' in shape and shape['side'] > 0:
            return a * a                       a = shape['side']
                                               return a * a

In the guard of a case its names stand for what they will be bound to.
"""
import gast

from tangent.frontend import subset, tree
from tangent.frontend.resolve import UNKNOWN
from tangent.normal.desugar.loops import SCOPES, inside, made

SELF_MATCHING = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)


def without_match(stmts, *tools):
    """The statements with each `match` written as `if`; the tools are names, resolver, library and source."""
    if not any(isinstance(n, gast.Match) for s in stmts for n in tree.walk(s)):
        return stmts
    out = []
    for s in stmts:
        if isinstance(s, gast.Match):
            out += _Match(s, tools).statements()
        elif isinstance(s, SCOPES):
            out.append(s)
        else:
            out.append(inside(s, lambda block: without_match(block, *tools)))
    return out


class _Match:
    def __init__(self, s, tools):
        self.s, self.tools = s, tools
        self.names, self.resolver, self.library, self.source = tools

    def call(self, name, *args):
        return tree.call(self.library(name), *args)

    def statements(self):
        subject, before = self.s.subject, []
        if not isinstance(subject, gast.Name) or self.rebound(subject.id):
            name = self.names.fresh('subject')
            before = [made(tree.assign(name, subject), self.s)]
            subject = tree.load(name)
        return before + self.chain(self.s.cases, subject)

    def rebound(self, name):
        """Whether a pattern binds the name of the subject."""
        return any(getattr(n, 'name', None) == name or getattr(n, 'rest', None) == name
                   for c in self.s.cases for n in tree.walk(c.pattern))

    def chain(self, cases, subject):
        if not cases:
            return []
        first, *rest = cases
        tests, parts = self.pattern(first.pattern, subject)
        if first.guard is not None:
            tests = tests + [tree.substitute(first.guard, dict(parts))]
        body = [made(tree.assign(name, part), first.body[0]) for name, part in parts]
        body += without_match(first.body, *self.tools)
        if not tests:
            return body
        return [made(gast.If(test=every(tests), body=body, orelse=self.chain(rest, subject)), self.s)]

    # A pattern gives the tests for it, in order, and (name, part of the subject) for what it binds

    def pattern(self, pattern, subject):
        return getattr(self, type(pattern).__name__)(pattern, subject)

    def MatchValue(self, pattern, subject):
        return [compare(subject, gast.Eq(), pattern.value)], []

    def MatchSingleton(self, pattern, subject):
        value = pattern.value if isinstance(pattern.value, gast.AST) else tree.constant(pattern.value)
        return [compare(subject, gast.Is(), value)], []

    def MatchAs(self, pattern, subject):
        tests, parts = self.pattern(pattern.pattern, subject) if pattern.pattern is not None else ([], [])
        return tests, parts + ([(pattern.name, subject)] if pattern.name is not None else [])

    def MatchOr(self, pattern, subject):
        found = [self.pattern(p, subject) for p in pattern.patterns]
        tests = [every(tests) if tests else tree.constant(True) for tests, _ in found]
        parts = []
        for name, last in found[-1][1]:
            value = last
            for test, (_, bound) in list(zip(tests, found))[-2::-1]:
                part = dict(bound)[name]
                value = gast.IfExp(test=test, body=part, orelse=value) if part is not last else value
            parts.append((name, value))
        return [gast.BoolOp(op=gast.Or(), values=tests)], parts

    def MatchSequence(self, pattern, subject):
        patterns = pattern.patterns
        stars = [k for k, p in enumerate(patterns) if isinstance(p, gast.MatchStar)]
        count = tree.constant(len(patterns) - len(stars))
        length = self.call('len', subject)
        tests = [self.call('is_sequence', subject), compare(length, gast.GtE() if stars else gast.Eq(), count)]
        if stars and count.value == 0:
            tests.pop()
        parts = []
        for k, p in enumerate(patterns):
            after = k - len(patterns)
            if isinstance(p, gast.MatchStar):
                if p.name is not None:
                    last = signed(after + 1) if after + 1 else None
                    rest = gast.Slice(lower=tree.constant(k) if k else None, upper=last, step=None)
                    part = gast.Subscript(value=subject, slice=rest, ctx=gast.Load())
                    parts.append((p.name, self.call('list', part)))
                continue
            at = signed(after) if stars and k > stars[0] else tree.constant(k)
            more, bound = self.pattern(p, gast.Subscript(value=subject, slice=at, ctx=gast.Load()))
            tests, parts = tests + more, parts + bound
        return tests, parts

    def MatchMapping(self, pattern, subject):
        tests, parts = [self.call('is_mapping', subject)], []
        for key, p in zip(pattern.keys, pattern.patterns):
            tests.append(compare(key, gast.In(), subject))
            more, bound = self.pattern(p, gast.Subscript(value=subject, slice=key, ctx=gast.Load()))
            tests, parts = tests + more, parts + bound
        if pattern.rest is not None:
            key, value = (self.names.fresh(n) for n in ('key', 'value'))
            keys = gast.Tuple(elts=list(pattern.keys), ctx=gast.Load())
            items = tree.method(subject, 'items')
            target = gast.Tuple(elts=[tree.store(key), tree.store(value)], ctx=gast.Store())
            one = gast.comprehension(target=target, iter=items, ifs=[compare(tree.load(key), gast.NotIn(), keys)], is_async=0)
            parts.append((pattern.rest, gast.DictComp(key=tree.load(key), value=tree.load(value), generators=[one])))
        return tests, parts

    def MatchClass(self, pattern, subject):
        cls = self.resolver(pattern.cls)
        tests, parts = [self.call('isinstance', subject, pattern.cls)], []
        places = []
        if pattern.patterns:
            if cls is UNKNOWN or not isinstance(cls, type):
                raise subset.unsupported(self.s, self.source, 'positional patterns of classes known only when running',
                                        'name the attributes: Point(x=a, y=b)')
            if cls in SELF_MATCHING:
                places = [(subject, pattern.patterns[0])]
            else:
                attributes = getattr(cls, '__match_args__', ())
                places = [(attribute(subject, a), p) for a, p in zip(attributes, pattern.patterns)]
        places += [(attribute(subject, a), p) for a, p in zip(pattern.kwd_attrs, pattern.kwd_patterns)]
        for place, p in places:
            if place is not subject:
                tests.append(self.call('hasattr', subject, tree.constant(place.attr)))
            more, bound = self.pattern(p, place)
            tests, parts = tests + more, parts + bound
        return tests, parts


def attribute(subject, name):
    return gast.Attribute(value=subject, attr=name, ctx=gast.Load())


def compare(left, op, right):
    return gast.Compare(left=left, ops=[op], comparators=[right])


def signed(value):
    return gast.UnaryOp(op=gast.USub(), operand=tree.constant(-value)) if value < 0 else tree.constant(value)


def every(tests):
    return tests[0] if len(tests) == 1 else gast.BoolOp(op=gast.And(), values=tests)
