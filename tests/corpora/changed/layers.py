"""Objects that hold lists of objects of several classes: structured, but for those marked, whose lists change or have other names."""
import numpy as np

from tests.tools.registry import other, program


class Dense:
    def __init__(self, w, b):
        self.w, self.b = w, b

    def forward(self, x):
        self.x = x
        return x @ self.w + self.b

    def backward(self, g):
        self.gw, self.gb = self.x.T @ g, g.sum(axis=0)
        return g @ self.w.T

    def penalty(self):
        return np.sum(self.w ** 2)


class Softplus:
    factor = 1.0

    def __init__(self, factor=None):
        if factor is not None:
            self.factor = factor

    def forward(self, x):
        self.x = x
        return self.factor * np.log1p(np.exp(x))

    def backward(self, g):
        return g * self.factor / (1 + np.exp(-self.x))

    def penalty(self):
        return 0.1 * self.factor


class Net:
    def __init__(self, layers):
        self.layers = layers

    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def backward(self, g):
        for layer in reversed(self.layers):
            g = layer.backward(g)
        return g

    def penalty(self):
        return sum(layer.penalty() for layer in self.layers)

    def update(self, rate):
        for layer in self.layers:
            if isinstance(layer, Dense):
                layer.w = layer.w - rate * layer.gw
                layer.b = layer.b - rate * layer.gb


class Sequential(Net):
    def __init__(self, *layers):
        super().__init__(list(layers))


class Own:
    def __init__(self, w, b):
        self.layers = [Dense(w, b), Softplus(), Dense(w.T, b[:2])]
        self.outputs = []

    def __call__(self, x):
        for k, layer in enumerate(self.layers):
            x = layer.forward(x)
            self.outputs.append(x)
            if k == 1:
                x = x * 0.9
        return x


def rand(*shape):
    return np.sin(np.arange(1.0, 1 + np.prod(shape))).reshape(shape)


W, B, X = rand(2, 3), 0.1 * rand(3), rand(4, 2)


@program('layers', W, B, X)
def given_a_list(w, b, x):
    net = Net([Dense(w, b), Softplus(), Dense(w.T, b[:2])])
    return np.mean(net.forward(x) ** 2) + 0.1 * net.penalty()


@program('layers', W, B, X)
def given_one_by_one(w, b, x):
    net = Sequential(Dense(w, b), Softplus(0.5), Dense(w.T, b[:2]))
    return np.mean(net.forward(x) ** 2) + 0.1 * net.penalty()


@program('layers', W, B, X)
def made_in_init(w, b, x):
    net = Own(w, b)
    y = net(x)
    return np.mean(y ** 2) + np.sum(net.outputs[0]) + np.sum(net.layers[-1].w) + len(net.layers)


def build(w, b):
    return Net([Dense(w, b), Softplus(2.0), Dense(w.T, b[:2])])


@program('layers', W, B, X)
def made_by_a_function_and_trained(w, b, x):
    net = build(w, b)
    for _ in range(2):
        y = net.forward(x)
        net.backward(2 * y / y.size)
        net.update(0.1)
    return np.mean(net.forward(x) ** 2)


@program('layers', W, B, X)
def a_tuple(w, b, x):
    net = Net((Softplus(), Dense(w, b)))
    total = [layer.forward(x).sum() * k for k, layer in enumerate(net.layers)]
    return total[0] * 0.5 + total[1] + net.layers[1].x[0, 0]


@program('layers', W, B, X)
def with_a_list_of_numbers_beside(w, b, x):
    net = Net([Dense(w, b), Softplus()])
    rates, total = [0.5, 0.25], 0.0
    for k, layer in enumerate(net.layers):
        total += rates[k] * layer.penalty()
    return total * np.sum(x)


@program('layers', W, B, X)
@other
def one_layer_twice(w, b, x):
    one = Dense(w @ w.T, b[:2])
    net = Net([one, Softplus(), one])
    return np.mean(net.forward(x) ** 2)


@program('layers', W, B, X)
@other
def another_name_for_a_layer(w, b, x):
    one = Dense(w, b)
    net = Net([one, Softplus()])
    one.w = one.w * 2.0
    return np.mean(net.forward(x) ** 2)


@program('layers', W, B, X)
@other
def layer_appended(w, b, x):
    net = Net([Dense(w, b), Softplus()])
    net.layers.append(Dense(w.T, b[:2]))
    return np.mean(net.forward(x) ** 2)


@program('layers', W, B, X)
@other
def exchanged_on_the_way(w, b, x):
    net = Net([Dense(w @ w.T, b[:2]), Softplus(), Dense(w, b)])
    for layer in net.layers:
        x = layer.forward(x)
        net.layers = [Dense(w @ w.T * 2, b[:2]), Softplus(3.0), Dense(w * 3, b)]
    return np.mean(x ** 2) + net.penalty()


@program('layers', W, B, X)
@other
def another_name_for_the_list(w, b, x):
    layers = [Dense(w, b), Softplus()]
    net = Net(layers)
    layers[0].w = layers[0].w * 2
    return np.mean(net.forward(x) ** 2)


@program('layers', W, B, X)
@other
def two_nets_with_one_list(w, b, x):
    net = Net([Dense(w, b), Softplus()])
    twin = Net(net.layers)
    y = twin.forward(x)
    twin.layers[0].w = twin.layers[0].w * 2
    return np.mean(net.forward(x) * y)


@program('layers', W, B, X)
@other
def layers_turned(w, b, x):
    net = Net([Softplus(), Dense(w, b)])
    net.layers.reverse()
    return np.mean(net.forward(x) ** 2)


@program('layers', W, B, X)
@other
def layers_left_early(w, b, x):
    net = Net([Dense(w, b), Softplus(), Dense(w.T, b[:2])])
    for layer in net.layers:
        x = layer.forward(x)
        if x.shape[1] == 3:
            break
    return np.mean(x ** 2)


@program('layers', build(W, B), X)
def given_whole(net, x):
    return np.mean(net.forward(x) ** 2) + 0.1 * net.penalty()
