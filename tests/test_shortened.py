"""Lists that lose items, at their end or at their start: each derivative is right, or refused.

Each program is a function `f` of an array of four numbers.
"""

from __future__ import annotations

import numpy as np
import pytest

import checking
from programs import Program
from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate

pytestmark = pytest.mark.table

HEAD = """
import numpy as np
from collections import deque


# s2s: x (n,)
"""

RIGHT = {
    "an iterator that is read later": """
def f(x):
    s = [x[0]]
    e = enumerate(s)
    s.append(x[1])
    y = s.pop()
    for k, v in e:
        y += v * v
    return y
""",
    "the list of a dict": """
def f(x):
    d = {"s": [x[0], x[1]]}
    a = d["s"].pop()
    return a * d["s"][0]
""",
    "slices of a list that is empty": """
def f(x):
    s = [x[0]]
    y = s[-1] ** 2
    s = s[:-1]
    s = s[:-1]
    s.append(y * x[1])
    return s[-1]
""",
    "slices in a loop, until the list is empty and beyond": """
def f(x):
    s = [x[0], x[1]]
    y = 0.0
    for i in range(4):
        if s:
            y += s[-1] * x[2]
        s = s[:-1]
        s = s[1:]
    return y
""",
    "a list that is sliced from its start beyond its end": """
def f(x):
    s = [x[0], x[1]]
    y = 0.0
    for i in range(4):
        if s:
            y += s[0] ** 2 * x[2]
        s = s[1:]
    return y
""",
    "a slice of an empty list before it grows": """
def f(x):
    s = []
    y = x[0]
    for i in range(3):
        s = s[:-1]
        s.append(y * x[i])
        y = s[-1] + y
    return y
""",
    "products of pairs, until one item is left": """
def f(x):
    s = []
    for v in x:
        s.append(v * v)
    t = 0.0
    while len(s) > 1:
        b = s.pop()
        a = s.pop()
        s.append(a * b + np.sin(a))
        t += a
    return s[0] + t
""",
    "pops of which some are not made": """
def f(x):
    s = [x[0], x[1], x[2]]
    y = 0.0
    for i in range(5):
        y += sum(s) ** 2
        if len(s) > 1:
            s.pop()
        s.append(y * x[i % 3])
        if i % 2:
            s.pop()
    return y + sum(v * v for v in s)
""",
    "pops between stores into the list": """
def f(x):
    s = [x[0], x[1]]
    s.append(x[2])
    y = s[-1] * s[0]
    s.pop()
    y += s[-1] ** 2
    s.append(y)
    s[0] = s[1] * 2.0
    s.pop()
    return y * s[-1] + s[0]
""",
    "a stack of lists": """
def f(x):
    s = [[x[0], x[1]], [x[1], x[2]]]
    y = 0.0
    while s:
        a, b = s.pop()
        y += a * b
        if y < 0.5 and len(s) < 4:
            s.append([a + 0.1, b])
            s.append([a, b * y + 0.3])
    return y
""",
    "arrays that are written behind their pop": """
def f(x):
    q = [x.copy(), 2.0 * x]
    v = q.pop()
    v[0] = v[1] * 2.0
    q.append(v * q[0])
    w = q.pop()
    w *= v
    return np.sum(w) + q[0][0]
""",
    "pops in a loop that is left": """
def f(x):
    s = [x[0]]
    for v in x:
        s.append(v * s[-1])
        if v > 0.5:
            s.pop()
            if len(s) > 2:
                break
    else:
        s.append(x[1])
    out = 0.0
    for k, v in enumerate(s):
        out += k * v * v
    return out
""",
    "copies of the list before it loses an item": """
def f(x):
    s = [x[0], x[1], x[2]]
    rows = []
    for i in range(2):
        rows.append(list(s))
        s.pop()
    return rows[0][-1] * rows[1][-1] * s[-1]
""",
    "slices of the list before it loses the same": """
def f(x):
    s = [x[0], x[1], x[2]]
    rows = []
    for i in range(2):
        rows.append(s[:-1])
        s.pop()
    return rows[0][-1] * rows[1][-1] * s[-1]
""",
    "two pops in one product": """
def f(x):
    s = [x[0], x[1]]
    y = s.pop() * s.pop() + x[2]
    s.append(y)
    s.append(y * y)
    z = s.pop() - s[-1]
    return z
""",
    "whole numbers below an item": """
def f(x):
    s = [1, 2]
    s.append(x[0])
    a = s.pop()
    s.append(a * s[-1])
    return s.pop() * x[1]
""",
    "a list that grows, loses an item and is taken apart": """
def f(x):
    s = []
    y = 1.0
    for i in range(len(x)):
        s.append(x[i] * y)
        y = y + s[-1]
        if i == 1:
            y = y * s.pop()
    while s:
        y = y * s.pop() + y
    return y
""",
    "a tree of indices": """
def f(x):
    s = [0]
    y = 0.0
    while s:
        i = s.pop()
        y += x[i] * np.exp(y)
        if 2 * i + 2 < len(x):
            s.append(2 * i + 1)
            s.append(2 * i + 2)
    return y
""",
    "a window whose first item is read as it goes": """
def f(x):
    w = []
    y = 0.0
    for v in x:
        w.append(v * v)
        if len(w) > 2:
            y += w.pop(0) * w[-1]
        y += sum(w) ** 2
    return y
""",
    "a deque with two ends": """
def f(x):
    q = deque([x[0]])
    y = 0.0
    k = 0
    while q:
        a = q.popleft()
        y += a * a
        k += 1
        if k < 4:
            q.append(a * x[1])
            q.appendleft(a * x[2])
    return y
""",
    "items taken from both ends": """
def f(x):
    q = [x[0], x[1], x[2]]
    y = 0.0
    for i in range(2):
        a = q.pop(0)
        b = q.pop()
        y += a * b * b
        q.append(a + b)
        q.append(y)
    return y * q[0] + q[-1]
""",
    "a queue of arrays": """
def f(x):
    q = [x, x * 2.0, x * x]
    y = 0.0
    while len(q) > 1:
        a = q.pop(0)
        b = q.pop(0)
        q.append(a * b + 1.0)
    return np.sum(q[0])
""",
    "a queue of arrays that are written": """
def f(x):
    q = [x.copy(), x * 2.0]
    a = q.pop(0)
    a[0] = a[1] * q[0][2]
    q.append(a)
    b = q.pop(0)
    b *= a
    return np.sum(b * q[0])
""",
    "tuples that hold lists": """
def f(x):
    s = [(x[0], [x[1], x[2]])]
    y = 0.0
    n = 0
    while s:
        a, (b, c) = s.pop()
        y += a * b * c
        n += 1
        if n < 3:
            s.append((b, [c, y]))
    return y
""",
    "from one stack to the other": """
def f(x):
    s = [x[0], x[1], x[2]]
    t = [x[1]]
    while s:
        t.append(s.pop() * t[-1])
    while len(t) > 1:
        s.append(t.pop() + np.sin(t[-1]))
    return sum(v * v for v in s)
""",
    "a list that each round makes anew": """
def f(x):
    y = 0.0
    for i in range(3):
        s = [x[i], x[0]]
        s.append(y)
        y = y + s.pop() * s[0] + s.pop()
        for v in s:
            y += v * v
    return y
""",
    "two slices of a list that is kept": """
def f(x):
    s = [x[0], x[1], x[2]]
    u = s[:-1]
    w = s[:-1]
    u.append(s[0] * w[1])
    return u[-1] * u[0] * s[-1]
""",
    "a slice that is written": """
def f(x):
    s = [x[0], x[1], x[2]]
    u = s[:-1]
    u[0] = 3.0 * x[1]
    return s[0] * u[0] * s[-1]
""",
    "slices of slices": """
def f(x):
    s = [x[0], x[1], x[2]]
    u = s[1:]
    v = u[1:]
    u[0] = 3.0 * x[1]
    return sum(v) * u[0] * s[-1]
""",
    "a list that gets shorter from both ends": """
def f(x):
    s = [x[0], x[1], x[2], x[3]]
    y = 0.0
    while len(s) > 1:
        s = s[1:]
        y += s[0] * y + s[-1]
        if y > 2.0:
            s = s[:-1]
    return y
""",
    "a helper that shortens its own list": """
def f(x):
    def g(s):
        s = s[:-1]
        return sum(v * v for v in s)
    s = [x[0], x[1], x[2]]
    return g(s) * s[-1]
""",
    "a slice that another list holds": """
def f(x):
    s = [x[0], x[1], x[2]]
    u = s[1:]
    r = [s, u]
    u = u[1:]
    return r[1][0] * u[0] * r[0][0]
""",
    "slices of an array": """
def f(x):
    a = x * x
    a = a[1:]
    a = a[:-1]
    return np.sum(a * a)
""",
    "a slice of a text": """
def f(x):
    s = "abc"
    s = s[:-1]
    return x[len(s)] ** 2
""",
    "a slice of a tuple": """
def f(x):
    t = (x[0], x[1], x[2])
    t = t[:-1]
    return t[-1] ** 2 * t[0]
""",
    "branches that put and take": """
def f(x):
    s = [x[0]]
    y = 1.0
    for i in range(4):
        if i < 2:
            s.append(x[i] * s[-1] * y)
        elif len(s) > 1:
            y *= s.pop()
        else:
            s.append(y)
    return y * s[0]
""",
    "pops as statements": """
def f(x):
    s = [x[0] * x[1], x[1], x[2]]
    y = s[-1] * s[0]
    z = 0.0
    for i in range(2):
        s.pop()
        z += s[-1] * y * s[0]
    return z
""",
    "reads before a pop, and behind it": """
def f(x):
    s = [x[0], x[1], x[2]]
    y = s[-1] * s.pop() - s[-1] * len(s)
    return y + s[0]
""",
    "pops in what is appended": """
def f(x):
    s = [x[0], x[1], x[2]]
    s.append(s.pop() * s.pop() + s[0])
    return s[-1] * s[0] * len(s)
""",
    "pops in a display": """
def f(x):
    s = [x[0], x[1], x[2]]
    y = [s.pop(), s.pop()]
    s.append(y[0] * y[1])
    return s[-1] * s.pop(0)
""",
    "pops in a test": """
def f(x):
    s = [x[0], x[1], x[2]]
    if s.pop() * s.pop() > -100.0:
        s.append(x[3])
    return s[0] * s[1]
""",
    "lengths before a pop, and behind it": """
def f(x):
    s = [x[0], x[1], x[2]]
    s.append(len(s) * s.pop())
    s.append(s[0] * s.pop() * len(s))
    return s[-1] * s[1]
""",
    "pops in displays that are unpacked": """
def f(x):
    s = [x[0], x[1], x[2]]
    a = b = s.pop()
    c, d = s.pop() * a, s[-1] * b
    return c + d * a
""",
    "a pop in what is returned": """
def f(x):
    s = [x[0], x[1], x[2]]
    return s.pop() * s[-1] + len(s)
""",
    "pops in subscripts": """
def f(x):
    s = [1, 0, 2]
    y = x[s.pop()] * x[s[-1]] + x[s.pop()]
    return y * x[s[-1]]
""",
    "whole numbers beside arrays": """
def f(x):
    s = [1, x, 2 * x]
    y = 0.0
    n = 0
    while s:
        a = s.pop()
        y = y + np.sum(a * a)
        n += 1
        if n < 4:
            s.append(np.sin(a))
    return y
""",
    "an array that lies twice on the stack": """
def f(x):
    s = [x, 2.0 * x]
    a = s.pop()
    s.append(a)
    s.append(a)
    b = s.pop()
    c = s.pop()
    return np.sum(a * b * c * s[0])
""",
    "lists of an array and a number": """
def f(x):
    s = [[x, x[0]], [2.0 * x, x[1]]]
    y = 0.0
    while s:
        a, b = s.pop()
        y = y + np.sum(a * b)
        if y < 3.0:
            s.append([a + 1.0, b])
    return y
""",
    "a stack and a queue of arrays": """
def f(x):
    s = [x, 2.0 * x]
    t = []
    while s:
        t.append(s.pop() * x)
    while t:
        a = t.pop(0)
        s.append(a)
        s.append(a)
    return np.sum(s[0] * s[1] * s[-1])
""",
    "a number and an array": """
def f(x):
    s = [x[0], x]
    a = s.pop()
    b = s.pop()
    s.append(b * a)
    s.append(b)
    c = s.pop()
    return np.sum(s[0] * c)
""",
    "an item that has a name, too": """
def f(x):
    s = [x, 2.0 * x]
    a = s[0]
    b = s.pop()
    c = s.pop()
    return np.sum(a * b + c * c)
""",
    "arrays from both ends": """
def f(x):
    s = [x * 1.0, x * 2.0]
    for i in range(3):
        a = s.pop()
        s.append(a * a)
        s.append(a)
        b = s.pop(0)
        if i > 0:
            s.append(b + x)
    return np.sum(s[0]) + np.sum(s[-1])
""",
    "arrays that get shorter": """
def f(x):
    s = [x * 1.0]
    y = 0.0
    for i in range(3):
        a = s.pop()
        s.append(a[1:] * a[:-1])
        y = y + np.sum(s[-1])
    return y
""",
    "a second name of the list": """
def f(x):
    s = [x[0]]
    t = s
    s.append(x[1])
    a = s.pop()
    t.append(a * x[2])
    return sum(s) + sum(t)
""",
    "a lambda that reads the list": """
def f(x):
    s = [x[0], x[1]]
    f = lambda: sum(v * v for v in s)
    y = f()
    s.pop()
    return y * f()
""",
    "a read that may not happen, behind pops": """
def f(x):
    s = [x[0], x[1], x[2]]
    i = 1
    y = s[i] * s.pop() / s.pop() + (s[0] if s else 0.0)
    return y
""",
    "a pop that may not happen": """
def f(x):
    s = [x[0], x[1], x[2]]
    y = s.pop() if x[0] > 0 else s[0]
    return y * s[-1]
""",
    "a sum before the pop": """
def f(x):
    s = [x[0], x[1], x[2]]
    y = sum(s) * s.pop()
    return y * s[-1]
""",
}

REFUSED = {
    "a nested function that pops": """
def f(x):
    def h(s):
        a = s.pop()
        return a * a
    s = [x[0], x[1]]
    s.append(x[2])
    y = h(s)
    s.append(y)
    return y + s[-1] * s.pop()
""",
    "a pop while the list is looped over": """
def f(x):
    s = [x[0], x[1], x[2]]
    for v in s:
        if len(s) > 1:
            s.pop()
    return s[0] * v
""",
    "a pop in an update whose place the list gives": """
def f(x):
    s = [x[0], x[1], x[2]]
    y = 0.0
    y += s.pop() * s[-1]
    z = x.copy()
    z[len(s)] = s.pop() * y
    z[len(s)] += s.pop()
    return np.sum(z * z)
""",
}
REFUSED["a pop in a try, by another name"] = """
def f(x):
    s = [x[0], x[1]]
    t = s or [x[2]]
    y = 0.0
    for _ in range(3):
        try:
            y += t.pop() * x[2]
        except IndexError:
            y *= x[3]
    return y
"""
COPIED_LATER = """
def f(x):
    s = [x[0], x[1], x[2] * x[0], x[3]]
    return total(s, 2) * len(s) * s[0]


def total(xs, n):
    {first}
    last = {name}.pop()
    {then}
    return last if n == 0 else last * last + total(xs, n - 1) * last
"""
REFUSED |= {
    "a parameter that is copied in a branch": COPIED_LATER.format(
        first="xs = list(xs) if n == 1 else xs", name="xs", then="pass"
    ),
    "a parameter that is copied behind": COPIED_LATER.format(first="pass", name="xs", then="xs = list(xs)"),
    "another name of a parameter that is copied": COPIED_LATER.format(
        first="ys, xs = xs, list(xs)", name="ys", then="xs.append(last)"
    ),
}
CODES = {"a pop while the list is looped over": "S219"}


def program(text: str) -> Program:
    return Program(HEAD + text.lstrip(), (np.array([0.7, 0.31, 0.52, 0.9]),), ("x",), ("x",), True)


@pytest.mark.parametrize("name", RIGHT)
def test_shortened(name: str) -> None:
    found = checking.check(program(RIGHT[name]), ("vjp", "value_and_grad", "jvp"), margin=0.0)
    assert found.kind == "right", found.detail


@pytest.mark.parametrize("name", REFUSED)
def test_shortened_and_refused(name: str) -> None:
    found = checking.check(program(REFUSED[name]), ("value_and_grad", "jvp"), margin=0.0)
    code = CODES.get(name, "S202")
    assert (found.kind, code in found.detail) == ("refused", True), found.detail


# lists that lie in parts of parameters, and are held by a list of the function as well
OF_CALLERS = {
    "a list of an object": """
def f(s: S, x):
    m = [s.rows[0], [x]]
    t = m[0]
    return t.pop() * x
""",
    "a list of a list of an object, in a tuple": """
def f(s: S, x):
    if x > 5.0:
        s = S([[x], [x]])
    m = (s.rows, x)
    t = m[0][0]
    return t.pop() * x
""",
    "a list of a dict": """
def f(d: dict[str, list[float]], x):
    m = [d["a"], [x]]
    t = m[0]
    return t.pop() * x
""",
    "a list that a loop over a dict reads": """
def f(d: dict[str, list[float]], x):
    for t in d.values():
        x = x * t.pop()
    return x
""",
}
OBJECT = """
from dataclasses import dataclass


@dataclass
class S:
    rows: list[list[float]]


"""


@pytest.mark.parametrize("name", OF_CALLERS)
def test_lists_of_the_caller_keep_their_items(name: str) -> None:
    with pytest.raises(S2SError) as raised:
        differentiate(OBJECT.lstrip() + OF_CALLERS[name], Request(functions=("f",), wrt=("x",), emit=("vjp", "jvp")))
    whole = {"S242"} if "d.values()" in OF_CALLERS[name] else set()  # what the loop names may be all of the dict
    assert {d.code for d in raised.value.diagnostics} == {"S202", *whole}


STACK = """
import numpy as np


# s2s: x (2,)
def f(x):
    todo = [(x[0], x[1])]
    total = 0.0
    while todo:
        a, b = todo.pop()
        if b - a < 0.1:
            total += (b - a) * np.sin(a + b)
        else:
            m = 0.5 * (a + b)
            todo.append((a, m))
            todo.append((m, b))
    return total
"""


def test_a_stack_is_popped_in_place() -> None:
    """No list is copied or saved: the time of a pop does not depend on how long the list is."""
    text = differentiate(STACK, Request(functions=("f",), emit=("grad", "jvp")))
    assert "a, b = todo.pop()" in text and "todo_bar.append([a_bar, b_bar])" in text
    assert "a_dot, b_dot = todo_dot.pop()" in text
    assert "[:-1]" not in text and "todo_saved" not in text


def test_a_queue_is_popped_in_place() -> None:
    text = differentiate(
        program(RIGHT["a window whose first item is read as it goes"]).source, Request(functions=("f",), emit=("jvp",))
    )
    assert "w_0_dot = w_dot.pop(0)" in text and "w_0 = w.pop(0)" in text
    assert "[1:]" not in text


@pytest.mark.parametrize("emit", ["grad", "jvp"])
def test_derivatives_of_stacks_have_derivatives(emit: str) -> None:
    first = differentiate(STACK, Request("model.py", ("f",), emit=(emit,)))
    wrt = ("x", "x_dot") if emit == "jvp" else ("x",)
    for kind in ("vjp", "jvp"):
        assert differentiate(first, Request("model_grad.py", (f"f_{emit}",), wrt, emit=(kind,)))


def test_the_cotangents_of_a_list_that_is_returned_stay_the_callers() -> None:
    """The list gets its item back in the reverse sweep: not the caller's list, nor are arrays of rank 0 added to."""
    source = (
        HEAD
        + """def f(x):
    s = [x[0] * x[1], x[1], x[2]]
    s.pop()
    s.append(s[0] * s[1])
    s.append(x[2] ** 2)
    s.pop()
    return s
"""
    )
    found: dict = {}
    exec(differentiate(source, Request("model.py", ("f",), emit=("vjp",))), found)
    bars = [np.array(1.0), np.array(2.0), np.array(3.0)]
    x = np.array([2.0, 3.0, 5.0])
    value, bar = found["f_vjp"](x, out_bar=bars)
    assert value == [6.0, 3.0, 18.0] and [float(b) for b in bars] == [1.0, 2.0, 3.0]
    assert np.allclose(bar, [1.0 * 3 + 3 * 9, 1.0 * 2 + 2.0 + 3 * 12, 0.0])
