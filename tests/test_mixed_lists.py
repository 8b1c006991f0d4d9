"""Lists of objects of several classes, and of objects that change: layers of a network, bodies that move."""

from __future__ import annotations

import numpy as np
import pytest

from s2s.errors import S2SError
from test_objects import agree, generated, module

LAYERS = """
class Layer:
    def __init__(self, name):
        self.name = name

    def size(self):
        return 0.0


class Dense(Layer):
    def __init__(self, W, b):
        super().__init__("dense")
        self.W = W
        self.b = b

    def forward(self, x):
        self.x = x
        return self.W @ x + self.b

    def backward(self, g):
        self.dW = np.outer(g, self.x)
        return self.W.T @ g

    def size(self):
        return np.sum(self.W**2)


class ReLU(Layer):
    def __init__(self):
        super().__init__("relu")

    def forward(self, x):
        self.x = x
        return np.maximum(x, 0.1 * x)

    def backward(self, g):
        return g * np.where(self.x > 0.0, 1.0, 0.1)


class Tanh:
    def forward(self, x):
        return np.tanh(x)


class Sequential:
    def __init__(self, layers):
        self.layers = layers

    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x


class Net:
    def __init__(self, W, b, scale):
        self.scale = scale
        self.layers = []
        self.layers.append(Dense(W, b))
        self.layers.append(Tanh())

    def forward(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x * self.scale

    def loss(self, x):
        return np.sum(self.forward(x) ** 2) * len(self.layers)


def run(layers, x):
    for layer in layers:
        x = layer.forward(x)
    return x


def cost(layer):
    if isinstance(layer, Dense):
        return np.sum(layer.W**2)
    return 1.0


"""
W, B, X = np.array([[0.5, -0.2], [0.3, 0.8]]), np.array([0.1, -0.4]), np.array([0.7, -0.6])

USES = {
    "a loop": """
        layers = [Dense(W, b), ReLU(), Dense(2.0 * W, b)]
        for layer in layers:
            x = layer.forward(x)
        return np.sum(x**2) + sum(layer.size() for layer in layers)
    """,
    "numbered, one object twice": """
        d = Dense(W, b)
        layers = [d, ReLU(), d]
        for i, layer in enumerate(layers):
            x = layer.forward(x) * (i + 1)
            if i < len(layers) - 1:
                x = np.sin(x)
        return np.sum(x**2) * np.sum(layers[-1].W) + layers[0].x @ x
    """,
    "backwards, and a step of descent": """
        layers = [Dense(W, b), ReLU(), Dense(2.0 * W, b)]
        for _ in range(2):
            h = x
            for layer in layers:
                h = layer.forward(h)
            for layer in reversed(layers):
                h = layer.backward(h)
            for layer in layers:
                if isinstance(layer, Dense):
                    layer.W = layer.W - 0.1 * layer.dW
        return np.sum(h**2) + np.sum(layers[0].W)
    """,
    "a container": "return np.sum(Sequential([Dense(W, b), ReLU(), Dense(2.0 * W, b)]).forward(x) ** 2)",
    "a constructor that appends": """
        net = Net(W, b, 3.0)
        return net.loss(x) + net.loss(2.0 * x)
    """,
    "a helper": """
        layers = [Dense(W, b), ReLU()]
        return np.sum(run(layers, x) ** 2)
    """,
    "a helper that asks for the class": """
        total = np.sum(x**2)
        for layer in [Dense(W, b), ReLU(), Dense(W * W, b)]:
            total = total * cost(layer)
        return total
    """,
    "made anew in a loop": """
        for k in range(3):
            layers = (Dense(W * k, b), Tanh())
            for layer in layers:
                x = layer.forward(x) + np.sum(W)
        return np.sum(x**2)
    """,
    "a return inside": """
        layers = [Dense(W, b), Tanh()]
        for layer in layers:
            if np.sum(x) > 0.0:
                return np.sum(W * b)
            x = layer.forward(x)
        return np.sum(x**2)
    """,
}


@pytest.mark.parametrize("use", USES)
def test_objects_of_several_classes(use: str) -> None:
    lines = [line.removeprefix("        ") for line in USES[use].strip("\n").splitlines()]
    body = "\n".join("    " + line for line in lines)
    text = f"{LAYERS}def f(W, b, x):\n{body}\n"
    agree(text, lambda _: (W, B, X))
    lines = generated(text, "f").split("\n\n\ndef _")[0].splitlines()
    assert not any("isinstance(" in line and not line.startswith("    assert not isinstance(W,") for line in lines)


BODIES = """
@dataclass
class Body:
    pos: float
    vel: float


def f(x: float, v: float, n: int):
    bodies = [Body(x, v), Body(x * v, 1.0)]
    for _ in range(n):
        for b in bodies:
            b.pos += 0.1 * b.vel
            b.vel -= 0.1 * b.pos * bodies[0].pos
    return bodies[0].pos * bodies[1].pos
"""


def test_objects_that_change() -> None:
    agree(BODIES, lambda _: (0.3, 0.4, 3))


OTHER_USES = [
    "other = layers\n    layers = other[:1]\n    for layer in other:\n        x = layer.forward(x)",
    "for layer in layers:\n        x = layer.forward(x)\n    x = layer.forward(x)",
    "for layer in layers:\n        if x[0] > 9.0:\n            continue\n        x = layer.forward(x)",
    "layers[1] = Tanh()\n    for layer in layers:\n        x = layer.forward(x)",
]


@pytest.mark.parametrize("use", OTHER_USES)
def test_other_uses_are_refused(use: str) -> None:
    text = f"{LAYERS}def f(W, b, x):\n    layers = [Dense(W, b), ReLU()]\n    {use}\n    return np.sum(x**2)\n"
    with pytest.raises(S2SError) as fault:
        generated(text, "f")
    assert {d.code for d in fault.value.diagnostics} == {"S202", "S204"}


LOOPS = {
    "zip": "for law, w in zip(laws, ws):\n        s += w * law.value(s)",
    "zip, the list last": "for w, law in zip(ws, laws, strict=True):\n        s += w * law.value(s)",
    "places": "for i in range(len(laws)):\n        s += i * laws[i].value(c)",
    "enumerate from one": "for i, law in enumerate(laws, start=1):\n        s = s / i + law.value(k)",
    "a second name": "every = laws\n    for law in every:\n        s += law.value(c)",
    "unpacked": "first, second, third = laws\n    s = first.value(second.value(c)) * third.value(k)",
    "break": """for law in laws:
        s = law.value(s) + s
        if s > 1.2:
            s *= k
            break""",
    "two breaks": """for law in laws:
        if s > 2.0:
            break
        s += law.value(k)
        if s > 1.2:
            break
        s *= 1.1""",
}
LAWS = """
class Linear:
    def __init__(self, k):
        self.k = k

    def value(self, x):
        return self.k * x


class Cubic:
    def __init__(self, c):
        self.c = c

    def value(self, x):
        return self.c * x**3


def f(k: float, c: float):
    laws = [Linear(k), Cubic(c), Linear(c)]
    ws = [1.0, k, c]
    s = 0.9
    {loop}
    return s * c
"""


@pytest.mark.parametrize("loop", LOOPS)
def test_loops_over_laws(loop: str) -> None:
    for k, c in ((0.7, 0.4), (1.4, 1.1), (0.1, 0.2)):
        agree(LAWS.replace("{loop}", LOOPS[loop]), lambda _, k=k, c=c: (k, c))


def test_a_zip_that_would_be_cut_is_an_error() -> None:
    text = generated(LAWS.replace("{loop}", LOOPS["zip"]).replace("[1.0, k, c]", "[1.0, k]"), "f")
    made = module(text, "model_grad")
    with pytest.raises(AssertionError):
        made["f_grad"](0.7, 0.4)
