"""Two calls of methods in one expression, whose texts are written out: what the first has returned is not what the
second one binds under the same name."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import checking
from programs import Program
from s2s.pipeline import differentiate_unformatted

pytestmark = pytest.mark.table

MODEL = """
import numpy as np


class Pair:
    def __init__(self, v):
        self.v = v


class Net:
    def __init__(self, k):
        self.k = k
        self.parts = []
        self.parts.append(k + 1.0)

    def h(self, x):
        for p in self.parts:
            x = np.tanh(p * x)
        return x

    def g(self, x):
{body}


def mul(a, b):
    return a * b + a


def twice(net, v):
    return net.g(v) + net.g(v * 0.5)


def f(w, x):
    n = Net(w[0])
    m = Net(x[1])
    n.parts.append(w[1])
    y = {use}
    return np.sum(y) + n.k * m.k + len(n.parts)
"""
LOOP = "for p in self.parts:\n    "
BODIES = {
    "a parameter": LOOP + "x = np.tanh(p * x)\nreturn x",
    "a local": "y = x * self.k\n" + LOOP + "y = y * p + x\nreturn y",
    "an attribute of a local": "q = Pair(x)\n" + LOOP + "q.v = q.v * p\nreturn q.v",
    "an item": "z = [x, x * self.k]\n" + LOOP + "z.append(z[-1] * p)\nreturn z[1]",
    "the last item": "z = [x, x * self.k]\n" + LOOP + "z.append(z[-1] * p)\nreturn z[-1]",
    "an entry": "d = {'a': x * self.k}\n" + LOOP + "d['a'] = d['a'] + p\nreturn d['a']",
    "a view": LOOP + "x = x * p\nreturn x[1:]",
    "one of two": LOOP + "if np.sum(x) > 0.9:\n        return x * self.k\n    x = x * 2.0 * p\nreturn x",
    "an array": "y = np.zeros(3)\n" + LOOP + "y += p * x\nreturn y",
    "what others return": "x = self.h(x) * self.h(self.k * x)\nreturn x",
    "a parameter, and changes": "self.parts.append(x)\nx = x * self.k\nx = x + len(self.parts)\nreturn x",
    "an attribute that it changes": "self.k = self.k * 1.5\nself.y = self.k * x\nreturn self.y",
    "what it appends": "self.parts.append(x * self.k)\nreturn self.parts[-1]",
    "an array, and changes": "self.parts.append(x)\ny = np.zeros(3)\ny[:] = x * self.k\ny[0] += 1.0\nreturn y",
}
USES = {
    "product": "n.g(x) * m.g(w)",
    "of one object": "n.g(x) * n.g(w)",
    "three": "n.g(x) * m.g(w) - n.g(x + w)",
    "nested": "n.g(m.g(x)) * 1.0",
    "list": "np.prod([n.g(x), m.g(w)], axis=0)",
    "arguments": "np.minimum(n.g(x), m.g(w))",
    "of a helper": "mul(n.g(x), m.g(w))",
    "by a helper, behind": "n.g(x) * twice(m, w)",
    "by a helper, before": "twice(m, w) * m.g(x)",
    "choice": "(n.g(x) if n.k > 0.1 else m.g(w)) * m.g(x)",
    "beside constants": "-n.g(x) + 2.0 * (1.0 - n.g(w)) ** 2",
    "by name, the other way round": "mul(b=n.g(x), a=n.g(w))",
}
X = np.array([0.4, -0.7, 0.9])


@pytest.mark.parametrize(("body", "use"), list(itertools.product(BODIES, USES)))
def test_two_calls(body: str, use: str) -> None:
    text = BODIES[body].replace("\n", "\n        ")
    source = MODEL.format(body=f"        {text}", use=USES[use])
    args = (X, X + 0.3)
    program = Program(source, args, ("w", "x"), ("w", "x"), True, ())
    verdict = checking.check(program, ("vjp", "jvp"), margin=0.0, differentiate=differentiate_unformatted)
    changes = "change" in body or "append" in body
    by_name = changes and "by name" in use  # arguments that change what others read are refused in another order
    assert verdict.kind == ("refused" if by_name else "right"), verdict
