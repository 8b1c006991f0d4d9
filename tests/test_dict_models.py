"""Programs that fill dicts under keys which the text does not show (tests/dict_models.py): all are right."""

from __future__ import annotations

import ast
import copy

import numpy as np
import pytest

import checking
import thorough
from dict_models import CASES
from programs import Program
from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate

pytestmark = pytest.mark.table

OTHERS = ("int", "list", "dict")  # of annotations: what a function is not differentiated in


def program(name: str) -> Program:
    source, args, wrt = CASES[name]
    f = next(n for n in ast.parse(source).body if isinstance(n, ast.FunctionDef) and n.name == "f")
    params = tuple(a.arg for a in f.args.args)
    given = f.args.args[: len(args)]
    useful = tuple(a.arg for a in given if a.annotation is None or ast.unparse(a.annotation) not in OTHERS)
    value = checking.evaluate(source, "<primal>")["f"](*copy.deepcopy(args))
    return Program(source, args, wrt or useful, params, np.ndim(value) == 0 and not isinstance(value, dict | tuple))


@pytest.mark.parametrize("name", CASES)
def test_dict(name: str) -> None:
    model = program(name)
    verdict = checking.check(model, ("vjp", "jvp"), margin=0.0, differentiate=differentiate, largest=1e8)
    assert verdict.kind == "right", verdict
    thorough.entry_by_entry(model, verdict.text)
    thorough.read_only(model, verdict.text)


@pytest.mark.parametrize(
    "name",
    [
        "a dict under even numbers",
        "a dict that a function fills and returns, and a loop over it",
        "sums by label, by get with a default",
        "sums by label, in a defaultdict",
        "means by a number for a label",
        "an entry that is added where it is missing, by except KeyError",
    ],
)
def test_second_derivative(name: str) -> None:
    source, args, _ = CASES[name]
    gradient = differentiate(source, Request("model.py", ("f",), ("x",), emit=("grad",)))
    product = differentiate(source, Request("model.py", ("f",), ("x",), emit=("hvp",)))
    g = checking.evaluate(gradient, "<gradient>")["f_grad"]
    h = 1e-6
    x, rest = args[0], args[1:]
    d = np.linspace(0.5, -1.0, len(x))
    want = (g(x + h * d, *rest) - g(x - h * d, *rest)) / (2 * h)
    found = checking.evaluate(product, "<product>")["f_hvp"](x, *rest, x_dot=d)
    assert np.allclose(found[-1] if isinstance(found, tuple) else found, want, rtol=1e-6)


REFUSED = {
    "a defaultdict that is first read in a comprehension": (
        "from collections import defaultdict\n\n\ndef f(x, labels: list):\n    d = defaultdict(float)\n"
        "    d['a'] += x[0] ** 2\n    return sum(d[k] * x[1] for k in labels)\n",
        "S221",
    ),
    "a loop over the values of a dict whose name is bound anew in the loop": (
        "def f(x, labels: list):\n    d = {k: x[0] for k in labels}\n    s = 0.0\n    for k, v in d.items():\n"
        "        s += v\n        d = {k: d[k] * x[1] for k in d}\n    return s\n",
        "S236",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    source, code = REFUSED[name]
    for emit in ("vjp", "jvp"):
        with pytest.raises(S2SError) as raised:
            differentiate(source, Request("model.py", ("f",), ("x",), emit=(emit,)))
        assert code in {d.code for d in raised.value.diagnostics}


def test_a_cotangent_of_which_entries_are_read_is_not_copied() -> None:
    source, _, _ = CASES["values of a dict that a function fills, their sum and their number"]
    assert "dict(out_bar)" not in differentiate(source, Request("model.py", ("f",), ("x",), emit=("vjp",)))


@pytest.mark.parametrize("use", ["s = s + k * d[k]", "w = k\n        s = s + w * d[k]"])
def test_keys_that_are_numbers_are_asserted_to_be_none_of_floats(use: str) -> None:
    """What is computed of such a key depends on the list that it comes from; labels and numbers of things are taken."""
    source = "def f(x, labels):\n    d = {}\n    for k in labels:\n        d[k] = x ** 2\n    s = 0.0\n"
    source += f"    for k in d:\n        {use}\n    return s\n"
    text = differentiate(source, Request("model.py", ("f",), ("x",), emit=("grad",)))
    gradient = checking.evaluate(text, "<derivative>")["f_grad"]
    assert gradient(0.5, [1, 2, 1]) == pytest.approx(3.0)
    with pytest.raises(AssertionError):
        gradient(0.5, [0.3, 2])


LOOP = """
def f(x, n: int):
    d = {}
    for i in range(n):
        d[%s] = x[i] ** 2
        %s
    return sum(d.values()) * x[0]
"""


@pytest.mark.parametrize(
    ("key", "then", "overwrites"),
    [("2 * i", "pass", False), ("i % 2", "pass", True), ("(i, 0)", "pass", False), ("i", "d[7] = x[1]", True)],
)
def test_entries_are_overwritten_only_where_a_key_may_be_there(key: str, then: str, overwrites: bool) -> None:
    text = differentiate(LOOP % (key, then), Request("model.py", ("f",), ("x",), emit=("grad",)))
    place = key.strip("()")
    assert (f"d_bar[{place}] = 0.0" in text) is overwrites
    x = np.array([0.4, 0.9, 1.3])
    primal = checking.evaluate(LOOP % (key, then), "<primal>")["f"]
    steps = [1e-6 * e for e in np.eye(3)]
    want = [(primal(x + h, 3) - primal(x - h, 3)) / 2e-6 for h in steps]
    assert np.allclose(checking.evaluate(text, "<derivative>")["f_grad"](x, 3), want, rtol=1e-6)


@pytest.mark.parametrize(
    "use",
    [
        "L = [d, d]\n    return L[0][0]",
        "return max(d, key=len)",
        "import json\n    return json.dumps(d)",
        "return d | d",
    ],
)
def test_other_uses_are_refused(use: str) -> None:
    source = f"def f(x, n: int):\n    d = {{}}\n    for i in range(n):\n        d[2 * i] = x[i] ** 2\n    {use}\n"
    with pytest.raises(S2SError):
        differentiate(source, Request("model.py", ("f",), ("x",), emit=("grad",)))


@pytest.mark.parametrize("update", ["p[k] = p[k] - h * g[k]", "p[k] -= h * g[k]"])
def test_one_dict_for_two_parameters_raises(update: str) -> None:
    """What is put into one is seen in the other by the program, and not by the derivative."""
    loop = f"    for k in p:\n        {update}\n        s = s + np.sum(g[k] * p[k])\n"
    source = f"import numpy as np\n\n\ndef f(p, g, h):\n    s = 0.0\n{loop}    return s\n"
    text = differentiate(source, Request("model.py", ("f",), ("p", "h"), emit=("vjp", "jvp")))
    derived = checking.evaluate(text, "<derivative>")
    same = {"w": np.ones(2)}
    with pytest.raises(AssertionError):
        derived["f_vjp"](same, same, 0.1, out_bar=1.0)
    with pytest.raises(AssertionError):
        derived["f_jvp"](same, same, 0.1, p_dot=same, h_dot=1.0)
    if "-=" in update:
        with pytest.raises(AssertionError):
            derived["f_vjp"](same, {"w": same["w"]}, 0.1, out_bar=1.0)


SEEN = {
    "as another argument": """
def walk(x, seen, n, out):
    if n == 0:
        return
    out.append(x * len(seen))
    walk(x * 0.9, seen, n - 1, out)


def f(x, n: int):
    out = [x]
    walk(x, out, n, out)
    return sum(out)
""",
    "under another name": """
def f(x, n: int):
    out = [x]
    seen = out

    def walk(y, k):
        if k == 0:
            return
        out.append(y * len(seen))
        walk(y * 0.9, k - 1)

    walk(x, n)
    return sum(out)
""",
    "by its own length": """
def walk(x, n, out):
    out.append(x ** n)
    if len(out) < 3:
        walk(x * 0.9, n - 1, out)


def f(x, n: int):
    out = []
    walk(x, n, out)
    return sum(out)
""",
}


@pytest.mark.parametrize("how", SEEN)
def test_a_list_that_is_read_where_it_grows_is_refused(how: str) -> None:
    with pytest.raises(S2SError, match="S202"):
        differentiate(SEEN[how], Request("model.py", ("f",), ("x",), emit=("grad",)))


MADE = {
    "by a helper": "    g = made(p, x)\n",
    "by branches": "    if x > 0.5:\n        g = {1: p * x, 0: x + p}\n    else:\n        g = {1: p, 0: x}\n",
    "in a list": "    g = [{1: p, 0: x}, {1: p * x, 0: x + p}][1]\n",
    "beside another value": "    q, g = x, made(p, x)\n    x = q\n",
}
OVER = {
    "a loop": "    t = x\n    for k in g:\n        t = t * k + x\n    return t * g[1]\n",
    "its entries": "    t = x\n    for k in g:\n        t = t + g[k] * x\n    return t\n",
    "its places": "    t = x\n    for i, k in enumerate(g):\n        t = t + i * k * x\n    return t * g[1]\n",
    "sorted": "    t = x\n    for k in sorted(g):\n        t = t * k + x\n    return t * g[1]\n",
    "backwards": "    t = x\n    for k in reversed(g):\n        t = t * k + x\n    return t * g[1]\n",
    "a list": "    ks = list(g)\n    return ks[0] * x * g[1]\n",
    "a comprehension": "    return sum([k * x for k in g]) * g[1]\n",
    "a sum": "    return sum(g) * x * g[1]\n",
    "names": "    a, b = g\n    return a * x * g[1] + b\n",
    "a star": "    t = (*g, 3.0)\n    return t[0] * x * g[1]\n",
}


@pytest.mark.parametrize("over", OVER)
@pytest.mark.parametrize("made", MADE)
def test_keys_that_are_taken_in_their_order(made: str, over: str) -> None:
    """Run over as a list of its values, under 0 and 1 with numbers that looked right, it was silently wrong."""
    text = "def made(p, x):\n    return {1: p * x, 0: x + p}\n\n\ndef f(p, x):\n" + MADE[made] + OVER[over]
    found = checking.check(Program(text, (0.3, 0.7), ("p", "x"), ("p", "x"), True), ("vjp", "jvp"))
    assert found.kind in ("right", "refused")


STATED = """
# s2s: x (n,)
def f(x, n: int):
    d = {}
    s = 0.0
    for i in range(n):
        d[i %% 3] = x[i]
        s += %s * x[i]
    return s + d[0]
"""


@pytest.mark.parametrize("asked", ["len(d)", "len(list(d))", "sum(list(d))", "(1 if 2 in d else 3)"])
def test_what_keys_are_there_is_that_of_the_moment(asked: str) -> None:
    """No entry is read: the store is restored for the keys alone."""
    text = differentiate(STATED % asked, Request("model.py", ("f",), ("x",), emit=("grad",)))
    primal = checking.evaluate(STATED % asked, "<primal>")["f"]
    x = np.array([0.4, 0.9, 1.3, 0.2])
    want = [(primal(x + h, 4) - primal(x - h, 4)) / 2e-6 for h in 1e-6 * np.eye(4)]
    assert np.allclose(checking.evaluate(text, "<derivative>")["f_grad"](x, 4), want, rtol=1e-6)


SHARED = {  # what lies in a dict has another name, or lies in two places
    "rows of an array, updated": (
        "d = {}\n    for i in range(n):\n        d[2 * i] = x[i]\n    for k in d:\n        d[k] *= 2.0\n"
        "    return np.sum(x ** 2)",
        2,
    ),
    "one array under two keys": (
        "d = {}\n    for i in range(n):\n        d[i] = d[i + 10] = x * i\n        d[i] *= 2.0\n"
        "    return sum(np.sum(d[k] ** 2) for k in d)",
        1,
    ),
    "one array in two places of a list": (
        "L = [x * 1, x * 2]\n    L[0] = L[1] = x * n\n    L[0] *= 2.0\n    return sum(np.sum(y ** 2) for y in L)",
        1,
    ),
    "a list of the entries": (
        "d = {}\n    for i in range(n):\n        d[i % 2] = x * i\n    L = list(d.values())\n    d[0] *= 2.0\n"
        "    return sum(np.sum(v ** 2) for v in L)",
        1,
    ),
    "the list of a key, by get": (
        "d = {}\n    for i in range(n):\n        d.setdefault(i % 2, []).append(x[i])\n    g = d.get(0)\n"
        "    d[0].append(x[0])\n    return sum(g)",
        1,
    ),
    "lists of all keys": (
        "d = {}\n    for i in range(n):\n        d.setdefault(i % 2, []).append(x[i])\n    L = list(d.values())\n"
        "    d[0].append(x[0] ** 2)\n    return sum(L[0]) * sum(L[1])",
        1,
    ),
    "lists of all keys, by a comprehension": (
        "d = {}\n    for i in range(n):\n        d.setdefault(i % 2, []).append(x[i])\n"
        "    L = [g for g in d.values()]\n    d[0].append(x[0] ** 2)\n    return sum(L[0])",
        1,
    ),
    "a list that grows while it is read": (
        "d = {}\n    s = 0.0\n    for i in range(n):\n        d.setdefault(i % 2, []).append(x[i])\n"
        "    for y in d[0]:\n        s += y\n        if len(d[0]) < 5:\n            d[0].append(y ** 2)\n    return s",
        1,
    ),
    "one list for all keys": (
        "L = []\n    d = {}\n    for i in range(n):\n        d.setdefault(i % 2, L).append(x[i])\n    return sum(d[0])",
        1,
    ),
    "a copy of a dict, and both read": (
        "p = {i: x * i for i in range(n)}\n    q = dict(p)\n    for k in q:\n        q[k] *= 2.0\n"
        "    return sum(np.sum(p[k] ** 2) for k in p)",
        1,
    ),
    "a copy of a dict, again and again": (
        "p = {i: x * i for i in range(n)}\n    s = 0.0\n    for i in range(n):\n        q = dict(p)\n"
        "        for k in q:\n            q[k] *= 1.5\n            s += np.sum(q[k] ** 2)\n    return s",
        1,
    ),
}


@pytest.mark.parametrize("how", SHARED)
def test_what_is_changed_in_a_dict_is_seen_under_its_other_names(how: str) -> None:
    """None of these is differentiated as if each entry were alone: it is refused, or the text states a rank."""
    body, rank = SHARED[how]
    x = np.random.default_rng(3).uniform(0.4, 1.4, (4, 3)[:rank])
    model = Program(f"import numpy as np\n\n\ndef f(x, n: int):\n    {body}\n", (x, 4), ("x",), ("x", "n"), True)
    assert checking.check(model, ("vjp", "jvp"), margin=0.0).kind in ("refused", "guarded")


VARYING = {
    "in a loop": "d = {}\n    for i in range(n):\n        d[x[i]] = x[i] ** 2\n    return sum(d[k] * k for k in d)",
    "of a number": "d = {}\n    s = 0.0\n    for i in range(n):\n        d[float(x[i])] = 2.0\n    for k in d:\n"
    "        s += k ** 2 * d[k]\n    return s * x[0]",
    "in a display": "d = {x[0]: 1.0}\n    s = 0.0\n    for i in range(n):\n        d[i + 10] = x[i]\n    for k in d:\n"
    "        s += k * x[1]\n    return s",
    "in a comprehension": "d = {x[i] ** 2: x[i] for i in range(n)}\n    return sum(k * w for k, w in d.items())",
    "in a pair": "d = {}\n    s = 0.0\n    for i in range(n):\n        d[i, x[i]] = x[i]\n"
    "    for (i, y), w in d.items():\n        s += y * w\n    return s",
    "by setdefault": "d = {}\n    s = 0.0\n    for i in range(n):\n        d.setdefault(x[i], 1.0)\n    for k in d:\n"
    "        s += k ** 2\n    return s * x[0]",
    "and entries that are None": "d = {}\n    for i in range(n):\n        d[i] = None\n    s = 0.0\n"
    "    for i in range(n):\n        if i in d:\n            s += x[i] * len(d)\n        d[i] = x[i]\n"
    "        d[i + 10] = x[i]\n    return s * d[0]",
}


@pytest.mark.parametrize("how", VARYING)
def test_keys_that_vary_and_entries_that_are_none_are_refused(how: str) -> None:
    source = f"import numpy as np\n\n\ndef f(x, n: int):\n    {VARYING[how]}\n"
    with pytest.raises(S2SError, match="S232"):
        differentiate(source, Request("model.py", ("f",), ("x",), emit=("grad",)))


def test_whole_numbers_of_what_varies_are_keys() -> None:
    source = "def f(x, n: int):\n    d = {}\n    for i in range(n):\n        d[int(3 * x[i])] = x[i] ** 3\n"
    source += "    s = 0.0\n    for k in d:\n        s += d[k] * k\n    return s\n"
    model = Program(source, (np.array([0.4, 0.9, 1.5, 0.2]), 4), ("x",), ("x", "n"), True)
    assert checking.check(model, ("vjp", "jvp"), margin=0.0).kind == "right"


def test_one_array_under_two_keys_of_an_argument_raises() -> None:
    source = "import numpy as np\n\n\ndef f(p, g):\n    for k in p:\n        p[k] -= g[k]\n"
    source += "    return sum(np.sum(p[k] ** 2) for k in p)\n"
    text = differentiate(source, Request("model.py", ("f",), ("p", "g"), emit=("vjp",)))
    vjp = checking.evaluate(text, "<derivative>")["f_vjp"]
    w, g = np.ones(2), {"a": np.ones(2), "b": np.ones(2)}
    vjp({"a": w, "b": w.copy()}, g, out_bar=1.0)
    with pytest.raises(AssertionError):
        vjp({"a": w, "b": w}, g, out_bar=1.0)


@pytest.mark.parametrize(
    "loop",
    [
        "for k in p:\n        p[k][0] = p[k][1] ** 2",
        "for k in p:\n        p[k][0] *= p[k][1] ** 2",
        "for k, w in p.items():\n        w[0] = w[1] ** 2",
    ],
)
def test_elements_of_the_arrays_of_an_argument_are_not_written(loop: str) -> None:
    source = f"import numpy as np\n\n\ndef f(p):\n    {loop}\n    return sum(np.sum(p[k] ** 2) for k in p)\n"
    with pytest.raises(S2SError, match="S242"):
        differentiate(source, Request("model.py", ("f",), ("p",), emit=("grad",)))


COUNTED = {
    "of a function's own import": "from collections import Counter\n    c = Counter(names)\n    s = 0.0\n"
    "    for k in c:\n        s += c[k] * x[0] ** 2\n    return s",
    "with the number of each": "c = Counter(names)\n    s = 0.0\n    for i, k in enumerate(c):\n"
    "        s += c[k] * x[i] ** 2\n    return s",
    "in a sum": "c = Counter(names)\n    return sum(c[k] * x[i] ** 2 for i, k in enumerate(c))",
}


@pytest.mark.parametrize("how", COUNTED)
def test_loops_over_counters_run_backwards_over_their_keys(how: str) -> None:
    """A counter has 0 for each key that is not there, and so for 0, 1, 2: no error shows it."""
    source = f"from collections import Counter\n\n\ndef f(x, names: list):\n    {COUNTED[how]}\n"
    model = Program(source, (np.array([0.4, 0.9]), ["a", "b", "a"]), ("x",), ("x", "names"), True)
    assert checking.check(model, ("vjp", "jvp"), margin=0.0).kind == "right"


def test_a_module_without_numpy_has_its_guards() -> None:
    source = """
def f(p, x):
    s = 0.0
    for k in p:
        p[k] -= x * p[k]
        s = s + sum(p[k] * p[k])
    return s
"""
    f = checking.evaluate(differentiate(source, Request("model.py", ("f",), emit=("vjp",))), "<derivative>")["f_vjp"]
    u, v = np.array([0.4, 0.9]), np.array([0.3, 0.2])
    assert f({"a": u, "b": v}, 0.5, out_bar=1.0)[0] == checking.evaluate(source, "<primal>")["f"](
        {"a": u.copy(), "b": v.copy()}, 0.5
    )
    with pytest.raises(AssertionError):
        f({"a": u, "b": u}, 0.5, out_bar=1.0)


def test_questions_about_keys_that_are_known_are_not_asked() -> None:
    source = """
FROZEN = {"b"}


def f(x: float, y: float):
    p = {"a": x, "b": y, "c": x * y}
    q = {k + "_new": v * (y if k == "a" else x) for k, v in p.items() if k not in FROZEN}
    return q["a_new"] * q["c_new"]
"""
    text = differentiate(source, Request("model.py", ("f",), emit=("vjp",)))
    assert "q_a_new = x * y\n" in text and "q_c_new = p_c * x\n" in text
    code = "\n".join(line.partition("#")[0] for line in text.splitlines())
    assert "FROZEN" not in code and " if " not in code


def test_a_loop_over_keys_that_may_not_run_shows_nothing() -> None:
    """Of an array, `for k in x` gives its items: another loop, which may not be run, does not show that x is a dict."""
    source = """
def f(x, n):
    s = 0.0
    for i in range(n):
        for k in list(x):
            s += x[k] ** 2
    for k in x:
        s += k * 2.0
    return s
"""
    model = Program(source, (np.array([0.4, 0.9]), 0), ("x",), ("x", "n"), True)
    assert checking.check(model, ("vjp", "jvp"), margin=0.0).kind == "refused"


@pytest.mark.parametrize("text", ["p['b'] = s", "p['b'] = x[0]", "bind(p, 'b', s)"])
def test_a_dict_that_is_given_and_written_as_a_whole_is_refused(text: str) -> None:
    """It would be copied as an array is."""
    source = f"""
import numpy as np


def bind(d, k, e):
    d[k] = e
    return d


def f(x, p: dict, n: int):
    s = 0.2
    for i in range(n):
        for k in p:
            p = {{"a": np.sum(x), "b": s}}
        {text}
        s = s + x[1] * x[2]
    return s
"""
    with pytest.raises(S2SError):
        differentiate(source, Request("model.py", ("f",), ("x",), emit=("vjp",)))


def test_parts_of_arrays_in_a_display_that_only_the_run_chooses_are_refused() -> None:
    source = """
def f(x, y):
    d = {"a": x, "b": y}
    for k, i in d.items():
        pass
    i[0] = x[1]
    return d[k][2]
"""
    with pytest.raises(S2SError) as refused:
        differentiate(source, Request("model.py", ("f",), None, emit=("vjp",)))
    assert [d.code for d in refused.value.diagnostics] == ["S236"]
