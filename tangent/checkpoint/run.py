"""One run of a checkpointed loop, and the way back through it."""
import contextlib
import itertools

import numpy as np

from tangent import errors
from tangent.analysis.messages.communication import communicates
from tangent.checkpoint import report
from tangent.checkpoint.budget import Allowance, decided
from tangent.checkpoint.gradients import Sums, equal
from tangent.checkpoint.iterables import END, PULLED, Pulled, Unending, of_items
from tangent.checkpoint.memory_size import size
from tangent.checkpoint.scalars import WORTH, is_number, twins_of_numbers
from tangent.checkpoint.schedules import Known, Unknown, backwards
from tangent.checkpoint.storage import storage
from tangent.emit.library import find

UNKNOWN_STATES = 40            # the states of a loop that may end at any time, where the user does not say


class Loop:
    """One run of a loop, and the way back through it.

    The plan has, under keys: `carried`, how many of the inputs go from one iteration to the next; `outputs`, how many more
    values the function of the loop gives; `ranged`, how many numbers say which iterations to run, 0 where a part of `items`
    does; `written`, inputs into which it writes (it copies them first); `shared`, those of them that must not be arrays,
    since other names may hold them; `breaks`, whether the last value says that the loop was left; and what the user said.

    Iterations are run in segments of `tape` of them, which are the steps of the schedule.
    """

    def __init__(self, steps, wanted, plan, items, inputs):
        self.steps, self.wanted, self.plan, self.inputs = steps, wanted, plan, inputs
        self.carried, self.outputs = plan.get('carried', 0), plan.get('outputs', 0)
        self.ranged, self.breaks = plan.get('ranged', 0), plan.get('breaks', False)
        self.start, self.reads = inputs[:self.carried], inputs[self.carried:]
        self.given, (self.items, self.count) = items, of_items(items)
        self.primal = self.numbers = None
        self.check(self.start)

    # Iterations

    def ends(self, a, b):
        """Where the iterations from the `a`-th to the `b`-th end, as far as is known before they are run."""
        if self.count is not None:
            return min(self.count, b)
        return b if isinstance(self.items, Unending) else max(self.items.pull(b), a)

    def leading(self, a, b):
        """The arguments that say which iterations to run."""
        if isinstance(self.items, Unending):
            start, by = self.items
            return (start + a * by, start + b * by, by)[:self.ranged]
        part = self.items[a:b]
        return (part.start, part.stop, part.step)[:self.ranged] if self.ranged else (part,)

    def run(self, a, b, state):
        """The values behind the iterations from the `a`-th to the `b`-th."""
        self.choice.again += b - a
        return self.steps(*self.leading(a, b), *state, *self.reads)

    def plainly(self):
        """The values behind all of them."""
        if isinstance(self.items, Pulled):
            first = next(self.items.iterator, self)
            if first is self:
                return self.start
            return self.steps(itertools.chain([first], self.items.iterator), *self.start, *self.reads)
        end = END if self.count is None else self.count
        return self.steps(*self.leading(0, end), *self.start, *self.reads) if end else self.start

    def taped(self, a, b, state):
        """(the values, (the adjoint if it is that of numbers, what it needs)) of these iterations."""
        primal, adjoint = self.primal, None
        if self.numbers is not None and all(map(is_number, state)):
            primal, adjoint = self.numbers
        if self.allowance is None:
            values, saved = primal(*self.leading(a, b), *state, *self.reads)
        else:
            with self.allowance.only(self.choice.tape_bytes * (b - a)) if self.choice.tape_bytes else contextlib.nullcontext():
                values, saved = primal(*self.leading(a, b), *state, *self.reads)
        return values, (adjoint, saved)

    def state(self, values):
        state = values[:self.carried]
        if self.plan.get('written'):
            self.check(state)
        return state

    def value(self, values):
        """The values of the loop as the caller gets them: arrays of his own."""
        values = (*values, *[None] * self.outputs)[:self.carried + self.outputs]
        if self.plan.get('written'):
            self.check(values)
        return tuple(x.copy() if isinstance(x, np.ndarray) else x for x in values)

    def left(self, values):
        return self.breaks and bool(values[-1])

    def check(self, state):
        """Refuse to write into what is no array or list, or is held by another variable, too."""
        for k in self.plan.get('written', ()):
            x = state[k]
            if isinstance(x, np.ndarray):
                others = [*state[:k], *state[k + 1:], *self.reads]
                if any(isinstance(y, np.ndarray) and np.may_share_memory(x, y) for y in others):
                    raise errors.AliasError(f'a checkpointed loop (line {self.plan["line"]}) writes into an array that two of '
                                            'its variables hold: make a copy for one of them before the loop')
                if k in self.plan.get('shared', ()):
                    raise errors.AliasError(f'a checkpointed loop (line {self.plan["line"]}) updates an array in place that '
                                            'may have other names: write x = x + v for x += v, or work on a copy')
            elif not isinstance(x, (list, float, complex, int, np.generic, type(None))):
                raise errors.AliasError(f'a checkpointed loop (line {self.plan["line"]}) writes into a {type(x).__name__}: '
                                        'only arrays and lists can be states that are written into')

    # Forward

    def forward(self):
        options = self.plan
        self.choice = report.Choice(self.steps.__name__.partition('_loop')[0], options['line'],
                                    storage=str(options.get('storage', 'memory')))
        if report.current() is not None:
            report.current().report.append(self.choice)
        self.start = tuple(x.copy() if isinstance(x, np.ndarray) else x for x in self.start)
        self.states = storage(options.get('storage', 'memory'))
        self.segments, self.last, self.end = 0, None, self.start
        if self.wanted and (self.count is None or self.count >= WORTH):
            self.numbers = twins_of_numbers(self.steps, self.wanted, max(self.ranged, 1), self.inputs,
                                            'memory' in options)
        self.allowance = Allowance(report.current(), options['memory']) if 'memory' in options else None
        if self.ends(0, 1):
            self.guarded(self.sweep, self.measured())
        return self.value(self.end)

    def guarded(self, function, *args):
        """Run it, and leave no states behind if it fails."""
        try:
            return function(*args)
        except BaseException:
            self.states.clean()
            raise

    def measured(self):
        """Choose how many states to keep and how many iterations to tape: (how many were made for this, the values)."""
        options, done, values = self.plan, 0, self.start
        budget, tape = options.get('budget'), options.get('tape')
        if budget is None:
            budget = UNKNOWN_STATES if self.count is None else 2 * self.count.bit_length()
        for value in (budget, 1 if tape is None else tape):
            if not isinstance(value, int) or value < 1:
                raise errors.ArgumentError(f'checkpointed: budget and tape are numbers of states and of steps, at least 1, and '
                                           f'not {value!r}')
        if self.allowance is not None:
            begun = decided(self, self.allowance)
            if begun is None:
                return None
            (done, values), budget, tape = begun, self.budget, self.tape
        elif tape is None and self.count != 1:
            done, values = 1, self.sized()
            tape = max(1, budget * self.choice.state_bytes // max(self.choice.tape_bytes, 1))
        self.budget, self.tape = self.choice.states, self.choice.tape = budget, tape or 1
        if self.allowance is not None:
            self.choice.steps = self.count
            self.allowance.take(self.choice)
        return done, values

    def sized(self):
        """Tape the first iteration to see how large a state and its tape are; the values behind it."""
        values, saved = self.taped(0, 1, self.start)
        self.choice.again += 1
        held: dict = {}
        size([self.reads, self.items], held)
        self.choice.state_bytes = size(self.start)
        self.choice.tape_bytes = size(saved, held)           # a state in it, too: the next iteration's is another one
        if communicates(self.steps):                         # all processes have to keep the same states
            self.choice.state_bytes, self.choice.tape_bytes = find('agreed')(self.choice.state_bytes, self.choice.tape_bytes)
        return values

    def tape_all(self, most):
        """Tape all iterations if there are no more than `most`; whether there are not."""
        if isinstance(self.items, Pulled):
            most = min(most, PULLED)
        last = self.ends(0, most)
        values, saved = self.taped(0, last, self.start)
        if not self.left(values) and last == most and self.ends(last, last + 1) > last:
            self.choice.again += last
            return False
        self.keep(0, self.start)
        self.last, self.end, self.segments = (saved, self.start), values, 1
        self.budget, self.tape = self.choice.states, self.choice.tape = 1, last
        self.choice.whole = True
        if self.left(values):
            self.choice.tape_bytes, self.choice.tape = size(saved), 1
        else:
            self.choice.steps = last
        return True

    def sweep(self, begun):
        """Run the iterations, keeping states on the way; some may have been run, and all may have been taped."""
        if begun is None:
            return
        done, values = begun
        if self.count is None or self.breaks:
            self.sweep_unknown(done, values)
        else:
            self.sweep_known(done, values)

    def sweep_known(self, done, values):
        """The last segment is taped at once."""
        n = -(-self.count // self.tape)
        marks, state = Known(n, self.budget).kept, self.start
        self.keep(0, state)
        for mark in [*marks[1:], n - 1] if n > 1 else []:
            values = self.run(done, mark * self.tape, self.state(values)) if mark * self.tape > done else values
            done, state = mark * self.tape, self.state(values)
            if mark in marks:
                self.keep(mark, state)
        self.end, saved = self.taped((n - 1) * self.tape, self.count, state)
        self.last, self.segments, self.choice.steps = (saved, state), n, self.count
        self.choice.whole = n == 1

    def sweep_unknown(self, done, values):
        """The state that was reached last is kept when the next one is reached, if it has not made room for that."""
        marks, i, state, before = Unknown(self.budget), 0, self.start, (False, None)
        while True:
            keep, lost = marks.reached(i)
            if before[0] and lost != i - 1:
                self.keep(i - 1, before[1])
            self.states.drop(lost)
            a, b = i * self.tape, self.ends(i * self.tape, (i + 1) * self.tape)
            if i or not done:
                values = self.run(a, b, state)
            elif b > done and not self.left(values):
                values = self.run(done, b, self.state(values))
            before, i = (keep, state), i + 1
            if self.left(values) or b < a + self.tape or self.ends(b, b + 1) == b:
                break
            state = self.state(values)
        if before[0]:
            self.keep(i - 1, before[1])
        self.end, self.segments = values, i
        self.choice.steps = None if self.left(values) else b

    def keep(self, position, state):
        self.states.keep(position, state)
        self.choice.kept = max(self.choice.kept, len(self.states))

    # Backward

    def backward(self, adjoint, gradient):
        if self.segments and not len(self.states):           # for another gradient
            self.guarded(self.sweep, (0, self.start))
        sums = Sums(self, gradient)
        if self.segments:
            self.guarded(self.go_back, adjoint, sums)
            self.states.clean()
        if self.allowance is not None:
            self.allowance.give_back()
        return sums.result()

    def go_back(self, adjoint, sums):
        n, after = self.segments, self.end
        if self.last is not None:
            n -= 1
            (saved, before), self.last = self.last, None
            sums.through(adjoint, saved, self.end, n * self.tape)
            after, saved = before, None
        for a, b, keep in backwards(sorted(self.states), n, self.budget):
            state = self.states[a]
            if b > a:
                state = self.state(self.run(a * self.tape, b * self.tape, state))
            if keep:
                self.keep(b, state)
            else:
                self.segment_back(adjoint, sums, b, state, after)
                after = state
                self.states.drop(b)

    def segment_back(self, adjoint, sums, b, state, after):
        """Tape one segment and go back through it."""
        first = b * self.tape
        values, saved = self.taped(first, self.ends(first, first + self.tape), state)
        if not all(map(equal, values[:self.carried], after)):
            raise errors.RecomputeError(
                f'a checkpointed loop (line {self.plan["line"]}) gave another value when it was run again in the backward '
                'pass: it has to depend on its variables alone, and to write into nothing else (draw random numbers '
                'outside, or from a generator seeded inside)')
        sums.through(adjoint, saved, values, first)
