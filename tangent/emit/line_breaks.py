"""Line breaks as a formatter puts them, for statements that are too long for one line.

A statement arrives as `parts`: the fragments that the printer wrote, in order. Brackets are fragments of their own, a
binary operator is a fragment with a space on both sides (`' + '`), a string is one fragment whatever it contains, so
that nothing here has to read Python again. The rules are those of black and ruff:

* a line that fits stays one line;
* else the value is opened at its last bracket, or put into parentheses when it is a formula;
* what stands in a bracket goes on one line if it fits, else one argument per line with a comma behind the last, or one
  operand per line with the operator in front.
"""
WIDTH = 88

_OPEN, _CLOSE = frozenset('([{'), frozenset(')]}')
_STATEMENTS = frozenset(['return ', 'if ', 'elif ', 'while '])
_ASSIGN = frozenset(f' {op}= ' for op in ['', '+', '-', '*', '/', '//', '%', '@', '**', '&', '|', '^', '<<', '>>'])
_COMPREHENSION, _COMMA, _TERNARY = 20, 18, 16
_PRIORITY = {f' {op} ': priority for priority, ops in [
    (14, ['and', 'or']), (10, ['==', '!=', '<', '<=', '>', '>=', 'in', 'not in', 'is', 'is not']),
    (9, '|'), (8, '^'), (7, '&'), (6, ['<<', '>>']), (5, '+-'), (4, ['*', '/', '//', '%', '@']), (1, ['**'])]
    for op in ops}
_WORTH_OPENING = 16     # an argument list shorter than this is not worth lines of its own: `x[i]` stays together


def lay_out(parts, indent, width=WIDTH):
    """The lines of one statement (or of the header of a compound one), indented by `indent` blanks."""
    parts = [p for p in parts if p]
    return _Layout(width).statement(parts, indent)


class _Layout:
    def __init__(self, width):
        self.width = width

    def fits(self, parts, indent):
        return indent + sum(map(len, parts)) <= self.width

    def statement(self, parts, indent):
        if self.fits(parts, indent):
            return [_line(parts, indent)]
        if parts[0].startswith(('def ', 'class ', 'async def ')):
            return self.open(parts, indent, _groups(parts)[:1])
        head, value, tail = self.anatomy(parts, indent)
        if not value or not self.wants_parentheses(head, value, tail, indent):
            return self.brackets(parts, indent, start=len(head))
        return [_line(head + ['('], indent), *self.inside(value, indent + 4, display=True), _line([')'] + tail, indent)]

    def anatomy(self, parts, indent):
        """Head, value and tail: `bx += `, what may stand in parentheses, and the `:` of a header."""
        end = len(parts) - 1 if parts[-1] == ':' else len(parts)
        top = _top(parts)
        if parts[0] in _STATEMENTS:
            start = 1
        elif parts[0] in ('for ', 'async for '):
            start = next(i for i in top if parts[i] == ' in ') + 1
        elif parts[0] == 'assert ':
            commas = [i for i, priority in _delimiters(parts) if priority == _COMMA]
            start = commas[-1] + 1 if commas and self.fits(parts[:commas[-1]] + ['. ('], indent) else 1
            end = commas[-1] if commas and start == 1 else end
        elif parts[0] in ('with ', 'async with ', 'raise', 'import ', 'from ', 'del ', 'global ', 'nonlocal ', '@'):
            start = end
        else:
            start = max((i + 1 for i in top if parts[i] in _ASSIGN), default=0)
        return parts[:start], parts[start:end], parts[end:]

    def wants_parentheses(self, head, value, tail, indent):
        """Whether the value reads better between parentheses of its own than opened at its last bracket."""
        delimiters, groups = _delimiters(value), _groups(value)
        opens = groups and self.opens_well(head + value, groups[-1], len(head), indent)
        if not delimiters:
            return not opens and self.fits(value, indent + 4)
        lowest = max(priority for _, priority in delimiters)
        if lowest == _COMMA or sum(priority == lowest for _, priority in delimiters) > 1 or not groups:
            return True
        if value[0] == '(' and self.fits(value[groups[0][1]:] + tail, indent):
            return False
        return groups[-1][1] != len(value) - 1 or not opens

    def opens_well(self, parts, group, offset, indent):
        """Whether the line up to the bracket fits, and enough stands in it to be worth lines of its own."""
        start, end = group[0] + offset, group[1] + offset
        return self.fits(parts[:start + 1], indent) and sum(map(len, parts[start + 1:end])) >= _WORTH_OPENING

    def inside(self, parts, indent, after='', display=False):
        """Lines for what stands between brackets; `after` is the comma that follows it.

        Arguments share a line if they can; elements of a `display` (a tuple, list ...) have one each.
        """
        delimiters = _delimiters(parts)
        commas = display and any(priority == _COMMA for _, priority in delimiters)
        if self.fits(parts + [after], indent) and not commas:
            return [_line(parts + [after], indent)]
        if not delimiters:
            return self.brackets(parts + [after], indent)
        lowest = max(priority for _, priority in delimiters)
        cuts = [i for i, priority in delimiters if priority == lowest]
        lines = []
        for start, end in zip([0] + cuts, cuts + [len(parts)]):
            piece = parts[start:end]
            if lowest == _COMMA:
                lines += self.inside(piece[start > 0:], indent, ',')
            else:
                piece = [piece[0].lstrip(), *piece[1:]] if start else piece
                lines += self.inside(piece, indent, after if end == len(parts) else '')
        return lines

    def brackets(self, parts, indent, start=0):
        """Open the last bracket whose first line fits; what follows its end may be opened in turn."""
        groups = [g for g in _groups(parts) if g[0] >= start] or _groups(parts)
        return self.open(parts, indent, groups)

    def open(self, parts, indent, groups):
        if self.fits(parts, indent) or not groups:
            return [_line(parts, indent)]
        good = [g for g in groups if self.fits(parts[:g[0] + 1], indent) and self.fits(parts[g[1]:], indent)]
        start, end = good[-1] if good else groups[0]
        rest = parts[end:]
        display = start == 0 or parts[start - 1][-1] in ' ([{*-~:='
        return [_line(parts[:start + 1], indent), *self.inside(parts[start + 1:end], indent + 4, display=display),
                *self.open(rest, indent, _groups(rest))]


def _line(parts, indent):
    return ' ' * indent + ''.join(parts).strip()


def _top(parts):
    """Indices of the fragments that stand in no bracket."""
    depth, found = 0, []
    for i, part in enumerate(parts):
        if part in _CLOSE:
            depth = max(depth - 1, 0)
        if depth == 0:
            found.append(i)
        if part in _OPEN:
            depth += 1
    return found


def _groups(parts):
    """(start, end) of the outermost brackets that hold something."""
    found, depth, start = [], 0, 0
    for i, part in enumerate(parts):
        if part in _OPEN:
            start, depth = (i, 1) if depth == 0 else (start, depth + 1)
        elif part in _CLOSE and depth:
            depth -= 1
            if depth == 0 and i > start + 1:
                found.append((start, i))
    return found


def _delimiters(parts):
    """(index, priority) of the places where a line may be broken; the highest priority breaks first."""
    found = []
    in_targets = in_lambda = in_comprehension = False
    for i in _top(parts):
        part = parts[i]
        if part.lstrip() in ('for ', 'async for '):
            in_targets = in_comprehension = True
            if part[0] == ' ':                             # else it begins a line already
                found.append((i, _COMPREHENSION))
        elif part == ' in ' and in_targets:
            in_targets = False
        elif part == 'lambda ':
            in_lambda = True
        elif part == ': ':
            in_lambda = False
        elif part == ', ' and not in_targets and not in_lambda:
            found.append((i, _COMMA))
        elif part == ' if ' or part == ' else ':
            found.append((i, _COMPREHENSION if in_comprehension else _TERNARY))
        elif part in _PRIORITY:
            found.append((i, _PRIORITY[part]))
    return found
