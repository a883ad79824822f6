"""How many states to keep, and how many iterations to tape at a time, in so much memory."""
import contextlib

from tangent.checkpoint.iterables import END
from tangent.checkpoint.schedules import advances

BESIDE = 3                     # states that a loop holds beside those that are kept: where it is, where it was, what it gave


def chosen(room, state, tape, n):
    """(states to keep, iterations to tape at a time) that fit, with the fewest iterations to run again.

    Parameters
    ----------
    room : int
        Bytes.
    state, tape : int
        Bytes of a state, and of the tape of one iteration.
    n : int or None
        How many iterations there are, where that is known.

    Examples
    --------
    >>> chosen(10_000, 100, 100, 90)
    (1, 90)
    >>> chosen(10_000, 100, 1000, 90)
    (57, 4)
    """
    if n is not None and n * tape <= room:
        return 1, n
    if n is None:
        return max(room // 2 // max(state, 1) - BESIDE, 1), max(room // 2 // max(tape, 1), 1)
    found = []
    for length in lengths(min(n, room // max(tape, 1))):
        states = (room - length * tape) // max(state, 1) - BESIDE
        if states >= 1:
            found.append((advances(-(-n // length), states) * length, -states, length))
    if not found:
        return 1, 1
    _, states, length = min(found)
    return -states, length


def lengths(most):
    """Numbers up to the largest, each a little larger than the one before."""
    k = 1
    while k < most:
        yield k
        k += 1 + k // 8
    yield max(most, 1)


class Allowance:
    """What of the memory of a derivative one run of a loop may use; without an account, as much as it likes."""

    def __init__(self, account, part):
        self.account = account if account is not None and account.limit is not None else None
        self.room = self.account.room // part if self.account else END
        self.taken, self.within = 0, None

    def sizes(self, steps):
        """Bytes of a state and of the tape of an iteration, as they were the last time, or None."""
        return self.account.sizes.get(steps) if self.account else (0, 0)

    def take(self, choice):
        """Take what the loop keeps away from what later ones may use."""
        if self.account:
            choice.over = max(choice.bytes - self.room, 0)
            self.taken, self.within = min(choice.bytes, self.account.room), self.account.within
            self.account.room -= self.taken

    def give_back(self):
        if self.account and self.within is self.account.within:
            self.account.room += self.taken
        self.taken = 0

    def only(self, room):
        """Loops inside may use no more than this meanwhile."""
        return self.account.only(room) if self.account else contextlib.nullcontext()


def decided(loop, allowance):
    """Choose how many states a loop keeps and how many iterations it tapes: (iterations done for this, the values).

    None if all of them were taped at once.
    """
    choice, sizes, begun = loop.choice, allowance.sizes(loop.steps), (0, loop.start)
    if sizes is None or loop.count is None or loop.count * sizes[1] > allowance.room:
        if allowance.account:
            with allowance.only(allowance.room // 2):
                begun = 1, loop.sized()
            sizes = allowance.account.sizes[loop.steps] = choice.state_bytes, choice.tape_bytes
    choice.state_bytes, choice.tape_bytes = sizes
    if loop.count is None and loop.tape_all(min(allowance.room // max(sizes[1], 1), END)):
        allowance.take(choice)
        return None
    loop.budget, loop.tape = chosen(allowance.room, *sizes, loop.count)
    return begun
