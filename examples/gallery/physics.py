"""A physics engine: how does one push a ball, so that another one, which it hits, is at a given place some time later?

Balls are objects of a class whose methods write into them; they roll, lose speed, hit each other and the walls. The
simulation is ordinary Python with branches and writes, and its derivative by the push follows each branch that was taken.
What is hit changes from one push to another, so gradient descent begins at several.

    python examples/gallery/physics.py
"""
import matplotlib.pyplot as plt
import numpy as np

import tangent

RADIUS, DT, FRICTION = 0.06, 0.02, 0.25
TARGET = np.array([0.75, 0.85])


class Ball:
    def __init__(self, position, velocity):
        self.position, self.velocity = position, velocity

    def roll(self):
        self.position = self.position + DT * self.velocity
        self.velocity = self.velocity * (1 - FRICTION * DT)

    def hit_walls(self):
        for axis in range(2):
            inwards = self.position[axis] < RADIUS and self.velocity[axis] < 0
            outwards = self.position[axis] > 1 - RADIUS and self.velocity[axis] > 0
            if inwards or outwards:
                turned = np.array([-1.0, 1.0]) if axis == 0 else np.array([1.0, -1.0])
                self.velocity = self.velocity * turned

    def hit(self, other):
        between = other.position - self.position
        distance = np.sqrt(np.sum(between ** 2))
        if distance < 2 * RADIUS:
            normal = between / distance
            impulse = np.dot(self.velocity - other.velocity, normal)
            if impulse > 0:
                self.velocity = self.velocity - impulse * normal
                other.velocity = other.velocity + impulse * normal


def play(push, steps):
    """The balls at the end, and where they were on the way."""
    rest = np.zeros(2)
    balls = [Ball(np.array([0.2, 0.3]), push), Ball(np.array([0.5, 0.45]), rest), Ball(np.array([0.7, 0.35]), rest)]
    path = []
    for _ in range(steps):
        for ball in balls:
            ball.roll()
            ball.hit_walls()
        for k, ball in enumerate(balls):
            for other in balls[k + 1:]:
                ball.hit(other)
        path.append([ball.position for ball in balls])
    return balls, path


def cost(push, steps):
    """How far the second ball, which is not pushed, is from the target at the end."""
    balls, _ = play(push, steps)
    return np.sum((balls[1].position - TARGET) ** 2)


slope = tangent.value_and_grad(cost)


def descend(push, steps, rounds):
    value, gradient = slope(push, steps)
    rate = 0.1
    for _ in range(rounds):
        new = push - rate * gradient
        new_value, new_gradient = slope(new, steps)
        if new_value < value:
            push, value, gradient, rate = new, new_value, new_gradient, 1.5 * rate
        else:
            rate = rate / 3
    return value, push


def main(size=100, starts=5, rounds=15):
    tries = [descend(1.2 * np.array([np.cos(a), np.sin(a)]), size, rounds) for a in np.linspace(0.2, 0.8, starts)]
    value, push = min(tries, key=lambda t: t[0])
    print(f'pushed by {np.round(push, 3)}, the second ball ends {np.sqrt(value):.4f} from the target')
    return push, value, size


def picture(push, value, steps):
    balls, path = play(push, steps)
    figure, axes = plt.subplots(figsize=(5, 5), layout='constrained')
    for k, colour in enumerate(('tab:gray', 'tab:red', 'tab:blue')):
        places = np.array([row[k] for row in path])
        axes.plot(*places.T, color=colour, linewidth=1)
        axes.add_patch(plt.Circle(places[0], RADIUS, color=colour, alpha=0.3))
        axes.add_patch(plt.Circle(places[-1], RADIUS, color=colour))
    axes.plot(*TARGET, 'k*', markersize=14)
    axes.set(xlim=(0, 1), ylim=(0, 1), aspect='equal', title='faint: at first; full: at the end')
    return figure


if __name__ == '__main__':
    picture(*main())
    plt.show()
