"""Arguments that share memory: what is written into one is seen in the other. Refused when it runs, or right."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import checking
import numeric
from s2s.pipeline import Request, differentiate_unformatted

HEAD = "import numpy as np\n\n\n"
# (the body of f(a, b), whether the result depends on what is written into one of the two and seen in the other)
SEEN = {
    "an update of all": ("a *= 2.0\nreturn np.sum(a) + np.sum(b**2)", ()),
    "an element": ("a[0] *= 2.0\nreturn np.sum(a) + np.sum(b**2)", ()),
    "in a loop": ("for i in range(1, len(a)):\n    a[i] = a[i - 1] * 0.5 + b[i]\nreturn np.sum(a**2)", ()),
    "by a nested function": ("def g(u):\n    u[0] *= b[1]\n    return u\nreturn np.sum(g(a) * b)", ()),
    "by a helper that reads both": ("put(a, b)\nreturn np.sum(a)", ()),
    "by another name": ("c = a\nc += b\nreturn np.sum(b * c)", ()),
    "both are results": ("a[:] = b * a", ("a", "b")),
    "one is the result": ("a[...] = b\nb *= a\nreturn a", ("a",)),
}
UNSEEN = {
    "read before": ("s = np.sum(b**2)\na *= 2.0\nreturn np.sum(a) * s", ()),
    "a copy": ("a = a * 1.0\na[0] = 3.0 * a[1]\nreturn np.sum(a * b)", ()),
    "of the same statement": ("a[:] = b * a\nreturn np.sum(a**2)", ()),
    "a new life of the name": ("a = a * b\na *= 2.0\nreturn np.sum(a * b)", ()),
}
HELPER = "def put(u, v):\n    u[1:] = 2.0 * u[:-1]\n    u *= v\n\n\n"


def module(body: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    return f"{HEAD}{HELPER if 'put(' in body else ''}def f(a, b):\n{lines}"


def jvp_of(body: str, of: tuple[str, ...]) -> Callable[..., tuple[object, object]]:
    text = differentiate_unformatted(
        module(body), Request(functions=("f",), wrt=("a", "b"), of=of or None, emit=("jvp",))
    )
    f_jvp: Callable[..., tuple[object, object]] = checking.evaluate(text, "<derivative>")["f_jvp"]
    return f_jvp


@pytest.mark.parametrize("name", SEEN)
def test_a_store_that_the_other_argument_shows(name: str) -> None:
    body, of = SEEN[name]
    f_jvp, x, y = jvp_of(body, of), np.array([0.7, 1.3, 0.4]), np.array([0.3, 0.2, 0.9])
    f_jvp(x, y, a_dot=y, b_dot=x)
    with pytest.raises(AssertionError):
        f_jvp(x, x, a_dot=y, b_dot=y)
    with pytest.raises(AssertionError):
        f_jvp(x[:2], x[1:], a_dot=y[:2], b_dot=y[1:])


@pytest.mark.parametrize("name", UNSEEN)
def test_a_store_that_nobody_looks_at_through_the_other(name: str) -> None:
    body, of = UNSEEN[name]
    f = checking.evaluate(module(body), "<primal>")["f"]
    x, d = np.array([0.7, 1.3, 0.4]), np.array([0.3, -0.2, 0.9])
    value, tangent = jvp_of(body, of)(x, x, a_dot=d, b_dot=d)

    def both(z: np.ndarray) -> float:
        w = z.copy()
        result: float = f(w, w)
        return result

    want, _ = numeric.along(both, (x,), [0], d)
    assert value == pytest.approx(both(x))
    assert tangent == pytest.approx(want[0], rel=1e-7)


def test_numbers_are_told_apart_by_nothing() -> None:
    """No guard for what can be no array: annotated numbers, numbers of things, what is only a length."""
    body = "for _ in range(n):\n    u[1:-1] += dt * (u[2:] - u[:-2])\nreturn np.sum(u**2) * dt"
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    text = f"{HEAD}def f(u, dt: float, n):\n{lines}"
    assert "shares_memory" not in differentiate_unformatted(text, Request(functions=("f",), emit=("grad",)))


# The array that is written is held by a list, a dict or an object as well: (the text, how `held` is made of arrays).
CLASSES = """
def total(vs, b):
    return sum(np.sum(v * b) for v in vs)


class Net:
    def __init__(self, w):
        self.w = w

    def out(self, v):
        return np.sum(v * self.w)

    def outs(self, v):
        return total(self.w, v)


"""
HOLDERS: dict[str, Callable[..., object]] = {
    "list": lambda net, x, y: [x, y],
    "pairs": lambda net, x, y: [(y, x), (x, y)],
    "dict": lambda net, x, y: {"w": x, "v": y},
    "rows": lambda net, x, y: {"rows": [{"w": x}, {"w": y}]},
    "net": lambda net, x, y: net(x),
    "nets": lambda net, x, y: net([x, y]),
}
HELD = {
    "an item": ("held", "return np.sum(a * held[0])", "list"),
    "an item, by a name": ("held: list", "return np.sum(a * held[0])", "list"),
    "an item with a name": ("held", "return np.sum(a * first)", "list"),
    "each item": ("held", "s = 0.0\nfor v in held:\n    s += np.sum(a * v)\nreturn s", "list"),
    "items that are unpacked": ("held", "u, v = held\nreturn np.sum(u * a * v)", "list"),
    "items that are joined": ("held", "return np.sum(np.stack(held) * a)", "list"),
    "items, in a helper": ("held", "return total(held, a)", "list"),
    "items of a list of pairs": ("held", "for u, v in held:\n    a = np.tanh(u * a + v)\nreturn np.sum(a)", "pairs"),
    "an entry": ("held", 'return np.sum(held["w"] * a)', "dict"),
    "every entry": ("held", "s = 0.0\nfor k in held:\n    s += np.sum(held[k] * a)\nreturn s", "dict"),
    "an entry of an item": ("held", 'return sum(np.sum(d["w"] * a) for d in held["rows"])', "rows"),
    "an attribute, in a method": ("held: Net", "return held.out(a)", "net"),
    "an attribute with a list, in a method": ("held: Net", "return held.outs(a)", "nets"),
    "items by star": ("*held", "return np.sum(a * held[0])", "list"),
}


@pytest.mark.parametrize("kind", ["jvp", "vjp"])
@pytest.mark.parametrize("name", HELD)
def test_an_array_that_is_held_as_well(name: str, kind: str) -> None:
    """What is written into `a` would be seen in the list, dict or object that holds it, too."""
    params, body, how = HELD[name]
    before = "first = held[0]\n" if "first" in body else ""
    lines = "".join(f"    {line}\n" for line in f"{before}a *= 2.0\n{body}".split("\n"))
    source = f"{HEAD}{CLASSES}def f(a, {params}):\n{lines}"
    primal = checking.evaluate(source, "<primal>")
    text = differentiate_unformatted(source, Request(functions=("f",), wrt=("a",), emit=(kind,)))
    derived = checking.evaluate(text, "<derivative>")[f"f_{kind}"]
    a, x, y = np.array([0.7, 1.3, 0.4]), np.array([0.3, 0.2, 0.9]), np.array([0.5, -0.2, 0.1])

    def given(first: np.ndarray) -> tuple[object, ...]:
        held = HOLDERS[how](primal["Net"], first, y)
        return (a, *held) if params[0] == "*" and isinstance(held, list) else (a, held)

    seed = {"a_dot": y} if kind == "jvp" else {"out_bar": 1.0}
    want, _ = numeric.along(primal["f"], given(x), [0], y)
    found = derived(*given(x), **seed)[1]
    assert np.sum(found if kind == "jvp" else found * y) == pytest.approx(want[0], rel=1e-7)
    for shared in (a, a[::-1]):
        with pytest.raises(AssertionError):
            derived(*given(shared), **seed)


@pytest.mark.parametrize("kinds", [("list[float]", "list[float]"), ("list[float]", ""), ("", "list[float]")])
@pytest.mark.parametrize("body", ["a[0] = x * x\n    return b[0] * x", "put(a, x)\n    return b[0] * x"])
def test_one_list_under_two_names(kinds: tuple[str, str], body: str) -> None:
    """A derivative has a list of its own in place of one that is written, and the other name shows the caller's."""
    a, b = (f"{name}: {kind}" if kind else name for name, kind in zip("ab", kinds, strict=True))
    source = f"def put(u: list[float], x):\n    u[0] = x * x\n\n\ndef f({a}, {b}, x):\n    {body}\n"
    text = differentiate_unformatted(source, Request(functions=("f",), wrt=("x",), emit=("vjp",)))
    f_vjp = checking.evaluate(text, "<derivative>")["f_vjp"]
    assert f_vjp([0.3, 0.4] if kinds[0] else np.array([0.3, 0.4]), [0.5, 0.6], 0.7, out_bar=1.0)[1] == 0.5
    values = [0.3, 0.4]
    with pytest.raises((AssertionError, AttributeError)):
        f_vjp(values, values, 0.7, out_bar=1.0)
