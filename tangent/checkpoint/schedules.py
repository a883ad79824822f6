"""Schedules of checkpointing: which states of a chain of steps to keep, so that going back through it recomputes least.

A chain of `n` steps is gone through backwards, each step needing the state before it. At most `k` states are kept at a
time; from these the others are computed again. The schedule for a known number of steps is the binomial one of
A. Griewank and A. Walther, "Algorithm 799: Revolve", ACM Transactions on Mathematical Software 26(1), 2000. For a number
that is known only when the chain has ended, the states kept on the way forward are those of Q. Wang, P. Moin and
G. Iaccarino, "Minimal repetition dynamic checkpointing algorithm for unsteady adjoint calculation", SIAM Journal on
Scientific Computing 31(4), 2009, section 3; the way back is the binomial one between them.
"""
import math


def repetitions(n, k):
    """The least `r` with `n <= binomial(k + r, k)`: how often a step is run again at most (section 2 of TOMS 799)."""
    r, reach = 0, 1
    while reach < n:
        r += 1
        reach = reach * (k + r) // r
    return r


def advances(n, k):
    """The least number of steps that have to be run again, to go back through `n` steps with `k` states.

    `r n - binomial(k + r, r - 1)`, where `r` is the number of repetitions: equation (4) of TOMS 799. The one run of each
    step that notes what its adjoint reads is not counted.
    """
    r = repetitions(n, k)
    return r * n - math.comb(k + r, r - 1) if r else 0


def split(n, k):
    """How many steps to go forward before the next state is kept, with `k` states for `n > 1` steps, the first one kept.

    A solution of `advances(n, k) == m + advances(n - m, k - 1) + advances(m, k)`; of the range of solutions that section 2
    of TOMS 799 gives, the largest.
    """
    if k == 1:
        return n - 1
    r = repetitions(n, k)
    return min(math.comb(k + r - 1, k), n - math.comb(k + r - 2, k - 1))


class Known:
    """Which states to keep on the way forward through a known number of steps."""

    def __init__(self, n, k):
        self.kept = [0]
        while n - self.kept[-1] > 1 and len(self.kept) < k:
            mark = self.kept[-1] + split(n - self.kept[-1], k - len(self.kept) + 1)
            if mark == n - 1:
                break                      # the last step is gone back through at once
            self.kept.append(mark)

    def reached(self, i):
        """(whether to keep the state before step `i`, the kept state to let go, or None)."""
        return i in self.kept, None


class Unknown:
    """The same for a number of steps that is not known: algorithm 1 of Wang, Moin and Iaccarino.

    The state that was reached last is always kept. Where there is no room for another one, a state goes that has a lower
    level than a later one; if there is none, the last one goes, and the new one is a level above it.
    """

    def __init__(self, k):
        self.k, self.kept, self.levels = k, [], []

    def reached(self, i):
        lost, level = None, math.inf if i == 0 else 0
        if len(self.kept) == self.k:
            at = next((at for at, level in enumerate(self.levels[:-1]) if level < max(self.levels[at + 1:])), None)
            if at is None:
                at, level = len(self.kept) - 1, self.levels[-1] + 1
            lost = self.kept.pop(at)
            self.levels.pop(at)
        if self.k == 1 and i:
            self.kept, self.levels = [0], [math.inf]
            return False, None
        self.kept.append(i)
        self.levels.append(level)
        return True, lost


def backwards(kept, n, k):
    """What to do to go back through `n` steps, with the states before some of them kept, and room for `k`.

    Yields (a, b, keep): from the kept state `a` go forward to `b`; then keep that state, or go back through step `b`.
    After this the state before it is let go.
    """
    kept = list(kept)
    while n:
        a = kept[-1]
        b = a + split(n - a, k - len(kept) + 1) if n - a > 1 else a
        yield a, b, b < n - 1
        if b < n - 1:
            kept.append(b)
        else:
            n = b
            if a == b:
                kept.pop()
