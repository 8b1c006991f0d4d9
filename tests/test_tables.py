"""Tables of the module that hold functions beside numbers: dicts of rows, rows that are dicts, single rows."""

from __future__ import annotations

import textwrap

import pytest

import checking
from programs import Program
from s2s.pipeline import Request, differentiate

HEAD = """
import numpy as np


def square(t):
    return t * t


TERMS = {"a": (np.sin, 0.5), "b": (square, 2.0)}
PAIRS = [(np.sin, 0.5), (np.cos, 2.0)]
LAYERS = [{"act": np.tanh, "w": 2.0}, {"act": square, "w": 0.5}]
NET = {"first": {"act": np.tanh, "p": [0.5, 2.0]}, "last": {"act": lambda t: t**3, "p": [1.5, 0.1]}}
NUMBERS = {"a": (1.5, 0.5), "b": (0.2, 2.0)}
"""
BODIES = {
    "items": "for name, (g, c) in TERMS.items():\n    x = x + c * g(x) ** 2 * (1.0 if name == 'a' else x)\nreturn x",
    "values": "return sum(c * g(x) for g, c in TERMS.values()) * len(TERMS)",
    "rows that are dicts": "for layer in LAYERS:\n    x = layer['act'](layer['w'] * x)\nreturn x",
    "numbered rows": "for i, layer in enumerate(LAYERS):\n    x = layer['act'](layer['w'] * x) + i\nreturn x",
    "rows in a comprehension": "return sum(t['w'] * t['act'](x) for t in LAYERS) + sum(t['w'] for t in LAYERS) * x",
    "one row": "g, c = PAIRS[1]\nh, d = TERMS['b']\nreturn c * g(x) + d * h(x)",
    "one row that is a dict": "layer = NET['first']\nreturn layer['act'](layer['p'][1] * x) * x",
    "one entry of a row": "y = NET['first']['act'](NET['last']['p'][0] * x)\nreturn NET['last']['act'](y) * y",
    "numbers only": "s = NUMBERS['a'][0] * x\nfor name, (a, c) in NUMBERS.items():\n    s += c * a * x**2\nreturn s",
    "a name that is another one here": "TERMS = {'k': (x, 2.0)}\nfor n, (g, c) in TERMS.items():\n    x += g * c\n"
    "return x",
    "rows of a dict that is made here": "d = {'k': (x, 2.0), 'm': [x**2, x]}\nfor g, c in d.values():\n    x += g * c\n"
    "return x * sum(g * c for n, (g, c) in d.items())",
}


def source_of(name: str) -> str:
    return f"{HEAD}\n\ndef f(x):\n{textwrap.indent(BODIES[name], '    ')}\n"


@pytest.mark.parametrize("name", BODIES)
def test_tables(name: str) -> None:
    program = Program(source_of(name), (0.6,), ("x",), ("x",), True)
    assert checking.check(program, emit=("vjp", "jvp"), margin=0.0).kind == "right"


def test_rows_become_columns() -> None:
    text = differentiate(source_of("numbered rows"), Request(functions=("f",)))
    assert "LAYERS" not in text.partition("def f_grad")[2]
