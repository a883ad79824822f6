"""Forms: what is found out, bit by bit, of how many axes a value has, and which axes of which values are of one length.

    x @ w - y, summed         x has two axes, w has one, y has that of the result, which is the first of x

Each expression has a form, and each operation is a relation between forms, which says what it can as soon as it can. What all
that leaves open is settled, one choice at a time: the fewest axes with which all that is known can be true.
"""
MOST = 8                    # axes: where there would be more, what is said of forms contradicts itself, and goes round for ever


class Contradiction(Exception):
    """Nothing can be of the forms that the relations ask for."""


class Axis:
    """The length of an axis: one that is known, or one that others may turn out to have.

    fewer : (another Axis, by how many it is shorter than that), if that is known
    """

    def __init__(self, length=None):
        self.length, self.fewer, self.same = length, None, None

    def found(self):
        axis = self
        while axis.same is not None:
            axis = axis.same
        return axis


class Form:
    """What is known of a value.

    rank, least : how many axes it has, if that is known, or at least has
    axes : an Axis for each, once it is known how many
    dtype : 'int', 'float', 'bool' or None
    size : the Axis whose length it is
    parts : key -> Form of what it has under attributes or keys
    kind : its class, where `parts` are attributes; dict for keys; tuple for what is unpacked
    other : it is neither a number nor an array
    weak : it is rather a number, as most of what stands in dicts is
    bare : it is a parameter, or a part of one, not yet computed with
    """

    def __init__(self, rank=None, axes=None, dtype=None):
        self.same = None
        self.rank, self.axes, self.least = rank, axes, rank or 0
        self.dtype, self.size, self.parts, self.kind = dtype, None, {}, None
        self.other = self.weak = self.bare = False
        if rank is not None and axes is None:
            self.axes = [Axis() for _ in range(rank)]

    def found(self):
        form = self
        while form.same is not None:
            form = form.same
        return form


class Relations:
    """The relations between the forms of one program.

    moves : how often something was found out
    """

    def __init__(self):
        self.relations, self.moves, self.forms = [], 0, []

    def form(self, rank=None, axes=None, dtype=None):
        made = Form(rank, axes, dtype)
        self.forms.append(made)
        return made

    def add(self, relation):
        self.relations.append(relation)
        relation.step(self)
        return relation.result

    def several(self, item):
        """The Form of what has such items in a row."""
        made = self.form()
        self.at_least(made, 1)
        self.add(Indexed(item, made, ['i']))
        return made

    # What is found out

    def ranked(self, form, rank):
        form = form.found()
        if form.rank is None and not form.other and rank >= form.least:
            form.rank = form.least = rank
            form.axes = [Axis() for _ in range(rank)]
            self.moves += 1

    def at_least(self, form, rank):
        form = form.found()
        if form.rank is None and form.least < rank:
            if rank > MOST:
                raise Contradiction
            form.least = rank
            self.moves += 1

    def typed(self, form, dtype):
        form = form.found()
        if form.dtype is None:
            form.dtype = dtype
            self.moves += 1

    def one_length(self, left, right):
        left, right = left.found(), right.found()
        if left is right or left.length is not None and right.length is not None:
            return
        if left.length is not None:
            left, right = right, left
        left.same, right.fewer = right, right.fewer or left.fewer
        self.moves += 1

    def one(self, left, right):
        """Both are of one form."""
        left, right = left.found(), right.found()
        if left is right or left.rank is not None and right.rank is not None and left.rank != right.rank:
            return
        if left.rank is None and right.rank is not None:
            left, right = right, left
        if left.rank is not None and left.rank < right.least:
            return
        right.same = left
        self.moves += 1
        left.least = max(left.least, right.least)
        for a, b in zip(left.axes or (), right.axes or ()):
            self.one_length(a, b)
        left.dtype, left.size = left.dtype or right.dtype, left.size or right.size
        left.other = left.other or right.other
        left.kind = right.kind if left.kind in (None, object) else left.kind
        for key, part in right.parts.items():
            if key in left.parts:
                self.one(left.parts[key], part)
            else:
                left.parts[key] = part

    # The end

    def solve(self, first):
        """Say of all forms what follows, and of those that are left open what is simplest; `first` are asked before others."""
        self.run()
        while any(True for _ in self.choices(first)):
            self.run()
        self.run(lambda relation: isinstance(relation, Elementwise) or relation.lengths(self))
        self.run(lambda relation: relation.lengths(self))

    def run(self, step=lambda relation: None):
        before = None
        while before != self.moves:
            before = self.moves
            for relation in self.relations:
                relation.step(self)
                step(relation)

    def choices(self, first):
        """Make the first choice that there is to make."""
        before = self.moves
        for settle in ('settle_index', 'settle_product', 'settle_element', 'settle_vector'):
            for relation in reversed(self.relations):
                getattr(relation, settle)(self)
                if self.moves != before:
                    yield relation
                    return
        for least in (1, 0):
            for form in [*first, *self.forms]:
                form = form.found()
                if form.rank is None and not form.other and not form.parts and form.least >= least:
                    self.ranked(form, form.least)
                    if self.moves != before:
                        yield form
                        return


class Relation:
    """What an operation says of its result and its operands."""

    def __init__(self, result, *operands):
        self.result, self.operands = result, operands

    def all(self):
        return [self.result.found(), *(operand.found() for operand in self.operands)]

    def step(self, relations):
        """What follows from what is known of how many axes there are."""

    def lengths(self, relations):
        """Which axes are of one length, once it is known how many there are."""

    def settle_index(self, relations):
        """A choice, where there is an index for each axis."""

    def settle_product(self, relations):
        """A choice, where it is a product of matrices."""

    def settle_element(self, relations):
        """A choice, where operands meet element by element."""

    def settle_vector(self, relations):
        """A choice, where it is a product with a vector if nothing else is known."""


class Elementwise(Relation):
    """The result has as many axes as the operand with most of them.

    alike : the operand that is of the form of the result, where nothing else is known: what a result is compared with
    fewer : by how many axes that is less
    """

    def __init__(self, result, *operands, alike=None, fewer=0):
        super().__init__(result, *operands)
        self.alike, self.fewer = alike, fewer

    def step(self, relations):
        result, *operands = self.all()
        unknown = [o for o in operands if o.rank is None]
        most = max([o.least for o in operands if o.rank is not None], default=0)
        if result.rank == 0:
            for o in unknown:
                relations.ranked(o, 0)
        elif len(unknown) == 1 and most < result.least:
            relations.at_least(unknown[0], result.least)
            if result.rank is not None:
                relations.ranked(unknown[0], result.rank)
        for o in operands:
            relations.at_least(result, o.least)
        if not unknown and operands:
            relations.ranked(result, most)
        if result.dtype == 'int' and result.rank == 0:
            for o in operands:
                relations.typed(o, 'int')
        if operands and all(o.dtype == 'int' for o in operands):
            relations.typed(result, 'int')

    def lengths(self, relations):
        result, *operands = self.all()
        for k, axis in enumerate(reversed(result.axes or ())):
            mine = [o.axes[-1 - k].found() for o in operands if o.rank is not None and o.rank > k]
            if mine and all(own.length == 1 for own in mine):
                relations.one_length(axis, mine[0])
            for own in mine:
                if own.length != 1 and axis.found().length != 1:
                    relations.one_length(own, axis)

    def settle_element(self, relations):
        result, *operands = self.all()
        unknown = [o for o in operands if o.rank is None and not o.other]
        if not unknown or not result.least:
            return None
        alike = self.alike.found() if self.alike is not None else None
        others = [o for o in operands if o is not alike]
        most = max([o.rank for o in others if o.rank is not None], default=result.rank or 0)
        if alike in unknown and (unknown == [alike] or result.rank is not None) and most > self.fewer:
            return relations.ranked(alike, most - self.fewer)
        if self.fewer and alike in unknown and alike.least and not any(o.least > alike.least for o in others):
            return relations.ranked(others[0], alike.least + self.fewer)
        if any(o.least >= result.least for o in operands):
            return None
        for o in [o for o in unknown if not o.weak and not (self.fewer and o is alike)] or unknown:
            relations.ranked(o, result.least)
        return None


class Product(Relation):
    """`a @ b`."""

    def step(self, relations):
        result, a, b = self.all()
        for operand in (a, b):
            relations.at_least(operand, 1)
        if a.rank is not None and b.rank is not None:
            if max(a.rank, b.rank) <= 2 and min(a.rank, b.rank) >= 1:
                relations.ranked(result, a.rank + b.rank - 2)
        elif result.rank in (0, 2):
            relations.ranked(a, 1 + result.rank // 2)
            relations.ranked(b, 1 + result.rank // 2)
        elif result.rank == 1 and (a.rank or b.rank):
            relations.ranked(*((b, 3 - a.rank) if a.rank else (a, 3 - b.rank)))

    def lengths(self, relations):
        result, a, b = self.all()
        if result.rank is None or a.rank is None or b.rank is None or result.rank != a.rank + b.rank - 2 or not a.rank:
            return
        relations.one_length(a.axes[-1], b.axes[-2] if b.rank > 1 else b.axes[0])
        for mine, axis in zip([*a.axes[:-1], *b.axes[:-2], *b.axes[-1:] * (b.rank > 1)], result.axes):
            relations.one_length(mine, axis)

    def settle_product(self, relations):
        result, a, b = self.all()
        for operand in (a, b):
            if operand.least > 1 or operand is a and b.rank is None and result.rank is None:
                relations.ranked(operand, 2)

    def settle_vector(self, relations):
        result, a, b = self.all()
        if a.rank is None:
            relations.ranked(a, 2 if b.rank == 1 or result.least else 1)
        elif b.rank is None:
            relations.ranked(b, 2 if a.rank == 1 and result.least else 1)


class Reduced(Relation):
    """What a reduction over one axis leaves, or over all (None)."""

    def __init__(self, result, operand, axis, keepdims):
        super().__init__(result, operand)
        self.axis, self.keepdims = axis, keepdims

    def step(self, relations):
        result, operand = self.all()
        axis = self.axis
        relations.at_least(operand, 1 if axis is None else axis + 1 if axis >= 0 else -axis)
        if self.keepdims:
            relations.at_least(result, operand.least)
        fewer = 0 if self.keepdims else 1
        if axis is None and not self.keepdims:
            return relations.ranked(result, 0)
        if operand.rank is not None:
            relations.ranked(result, operand.rank - fewer)
        elif result.rank is not None:
            relations.ranked(operand, result.rank + fewer)

    def lengths(self, relations):
        result, operand = self.all()
        if operand.rank is None or result.rank is None:
            return
        over = range(operand.rank) if self.axis is None else [self.axis % operand.rank]
        kept = [Axis(1) if k in over else old for k, old in enumerate(operand.axes) if self.keepdims or k not in over]
        if result.rank == len(kept):
            for mine, axis in zip(kept, result.axes):
                relations.one_length(axis, mine)


class Indexed(Relation):
    """`x[1:, i, None]`: an item for each axis, or None for a new one.

    items : '' for a slice, or how many elements that leaves out, ':' for a whole axis, 'i' for an integer, 'new', or the
        Form of an array of integers
    """

    def __init__(self, result, operand, items):
        super().__init__(result, operand, *(item for item in items if isinstance(item, Form)))
        self.items = items

    def step(self, relations):
        result, operand = self.all()[:2]
        taken = sum(item != 'new' for item in self.items)
        arrays = self.arrays()
        relations.at_least(operand, taken)
        if any(array.rank is None for array in arrays):
            return
        new = sum(item in ('', ':', 'new') or isinstance(item, int) for item in self.items)
        more = new + max([a.rank for a in arrays], default=0) - taken
        if operand.rank is not None:
            relations.ranked(result, operand.rank + more)
        elif result.rank is not None:
            relations.ranked(operand, result.rank - more)
        else:
            relations.at_least(result, operand.least + more)
            relations.at_least(operand, result.least - more)

    def settle_index(self, relations):
        result, operand = self.all()[:2]
        if len(self.items) > 1 and set(self.items) == {'i'} and not result.least:
            relations.ranked(operand, len(self.items))

    def arrays(self):
        return [item.found() for item in self.items if isinstance(item, Form)]

    def lengths(self, relations):
        result, operand = self.all()[:2]
        arrays = self.arrays()
        if result.rank is None or operand.rank is None or any(array.rank is None for array in arrays):
            return
        axes, rest, done = [], list(operand.axes), False
        for item in self.items:
            if item == 'new':
                axes.append(Axis(1))
                continue
            axis = rest.pop(0) if rest else Axis()
            if item == ':':
                axes.append(axis)
            elif item == '' or isinstance(item, int):
                axes.append((axis, item) if item != '' else None)
            elif item != 'i' and not done:
                axes += max(arrays, key=lambda array: array.rank).axes
                done = True
        for mine, axis in zip([*axes, *rest], result.axes):
            if isinstance(mine, Axis):
                relations.one_length(axis, mine)
            elif mine is not None and axis.found() is not mine[0].found():
                axis.found().fewer = axis.found().fewer or mine


class Turned(Relation):
    """A matrix turned round."""

    def step(self, relations):
        result, operand = self.all()
        for one, other in ((result, operand), (operand, result)):
            relations.at_least(one, 2)
            if one.rank is not None:
                relations.ranked(other, one.rank)

    def lengths(self, relations):
        result, operand = self.all()
        if result.rank is not None and result.rank == operand.rank:
            for mine, axis in zip(reversed(operand.axes), result.axes):
                relations.one_length(mine, axis)


class Diagonal(Relation):
    """`numpy.diag(x)`."""

    def step(self, relations):
        result, operand = self.all()
        for one, other in ((result, operand), (operand, result)):
            if one.rank in (1, 2):
                relations.ranked(other, 3 - one.rank)

    def lengths(self, relations):
        result, operand = self.all()
        axes = [*(result.axes or ()), *(operand.axes or ())]
        for axis in axes[1:]:
            relations.one_length(axes[0], axis)


class Long(Relation):
    """A number that is the length of an axis."""

    def __init__(self, result, operand, axis, number):
        super().__init__(result, operand)
        self.axis, self.number = axis, number

    def step(self, relations):
        relations.at_least(self.operands[0], self.number + 1 if self.number >= 0 else -self.number)

    def lengths(self, relations):
        operand = self.operands[0].found()
        if operand.rank is not None and -operand.rank <= self.number < operand.rank:
            relations.one_length(self.axis, operand.axes[self.number])
