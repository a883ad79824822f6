"""An epidemic: how infectious was it, and how much did the measures do, if all that is known are new cases a day?

Susceptible, exposed, infectious, recovered: four numbers that follow a differential equation, solved by the method of Runge
and Kutta. Fitted are the rates before and after the day of the measures, how long one is infectious, and how many were at
first; the data are counts, with Poisson's distribution.

    python examples/gallery/epidemic.py
"""
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
from scipy.optimize import minimize

import tangent

PEOPLE, INCUBATION = 1e6, 4.0


@dataclass
class Model:
    before: float          # infections a day by one who is infectious
    after: float
    recovery: float        # part of the infectious who recover in a day
    first: float           # exposed at the start

    def flow(self, state, day, measures):
        susceptible, exposed, infectious = state
        rate = self.before if day < measures else self.after
        new = rate * susceptible * infectious / PEOPLE
        return np.array([-new, new - exposed / INCUBATION, exposed / INCUBATION - self.recovery * infectious])

    def step(self, state, day, measures, h=1.0):
        k1 = self.flow(state, day, measures)
        k2 = self.flow(state + h / 2 * k1, day, measures)
        k3 = self.flow(state + h / 2 * k2, day, measures)
        k4 = self.flow(state + h * k3, day, measures)
        return state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

    def cases(self, days, measures):
        """New infections on each day."""
        state = np.array([PEOPLE - self.first, self.first, 0.0])
        new = []
        for day in range(days):
            following = self.step(state, day, measures)
            new.append(state[0] - following[0])
            state = following
        return np.array(new)


def cost(logarithms, counts, measures):
    """Minus the logarithm of the likelihood, up to a constant, for each day."""
    model = Model(*np.exp(logarithms))
    expected = model.cases(len(counts), measures)
    return np.mean(expected - counts * np.log(expected))


slope = tangent.value_and_grad(cost)


def main(size=80):
    truth = Model(0.55, 0.12, 0.2, 40.0)
    measures = size // 2
    counts = np.random.default_rng(6).poisson(truth.cases(size, measures))
    start = np.log([0.4, 0.3, 0.3, 100.0])
    found = minimize(slope, start, args=(counts, measures), jac=True, method='BFGS', options={'gtol': 1e-6})
    model = Model(*np.exp(found.x).tolist())
    print(f'true  {truth}\nfound {model}')
    print(f'infected by one: {model.before / model.recovery:.2f} before the measures, then {model.after / model.recovery:.2f}')
    return model, truth, counts, measures


def picture(model, truth, counts, measures):
    figure, axes = plt.subplots(figsize=(7, 3.5), layout='constrained')
    axes.bar(range(len(counts)), counts, color='lightgray', label='counted')
    axes.plot(model.cases(len(counts), measures), label='fitted')
    axes.plot(model.cases(len(counts), 10 ** 9), ':', label='without measures')
    axes.axvline(measures, color='black', linestyle='--', linewidth=1)
    axes.set(xlabel='day', ylabel='new cases', ylim=(0, 1.5 * max(counts)))
    axes.legend()
    return figure


if __name__ == '__main__':
    picture(*main())
    plt.show()
