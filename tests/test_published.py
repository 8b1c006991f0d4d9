"""The table as people read it: `s2s rules`, docs/rules.md and docs/coverage.md (`make docs`, see test_cli)."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import test_rules
from s2s.pipeline import Request
from s2s.pipeline import differentiate_unformatted as differentiate
from s2s.rules import Rule, all_rules, lookup, published, using
from s2s.rules.refused import REFUSED

ROOT = Path(__file__).resolve().parent.parent
RULES = [r for r in all_rules() if r.kind != "constant"]


@pytest.mark.parametrize("rule", RULES, ids=repr)
def test_every_rule_is_shown_in_both_modes(rule: Rule) -> None:
    text = published.shown(rule)
    assert text.reverse
    assert text.forward
    for name, e in [*text.reverse, *text.forward]:
        assert not e.startswith("refused"), f"{name}: {e}"
        compile(f"{name} = {e}", rule.key, "exec")
    compile(text.call, rule.key, "exec")


def test_each_convention_is_tested() -> None:
    tested = {lookup(fn_of(call)) for call, *_ in test_rules.EDGES} | {lookup("numpy.sqrt")}
    for fn in published.CONVENTIONS:
        assert lookup(fn) is not None, fn
        assert lookup(fn) in tested, f"{fn} has no line in EDGES"


def fn_of(call: str) -> str:
    fn = call.partition("(")[0].replace("np.", "numpy.").replace("sp.", "scipy.")
    return fn if "." in fn else f"builtins.{fn}"


def test_the_page_has_every_function() -> None:
    page = published.page()
    for rule in all_rules():
        assert f"**{published.usual(rule.fn)}**" in page or f"`{published.usual(rule.fn)}`" in page, rule.fn
    for fn, why in REFUSED.items():
        if lookup(fn) is None:
            assert f"| `{published.usual(fn)}` | {why} |" in page


def test_what_is_refused_has_a_reason_and_no_rule() -> None:
    for fn, why in REFUSED.items():
        assert why.strip(), fn
        assert lookup(fn) is None, f"{fn} has a rule and is listed as refused"


def test_names_of_the_coverage_table_are_functions() -> None:
    import importlib

    for line in (ROOT / "tools" / "elsewhere.txt").read_text().splitlines():
        if not line.startswith(("#", "scipy")):
            module, _, name = line.split()[0].rpartition(".")
            assert callable(getattr(importlib.import_module(module), name)), line


def test_nothing_that_others_have_is_missing() -> None:
    """autograd and JAX, by name: what has no entry is refused for a reason."""
    missing = []
    for line in (ROOT / "tools" / "elsewhere.txt").read_text().splitlines():
        fn = "" if line.startswith("#") else line.split()[0]
        if fn and not published.status(fn):
            missing.append(fn)
    assert missing == []


def s2s(*arguments: str) -> tuple[int, str]:
    run = subprocess.run([sys.executable, "-m", "s2s", *arguments], capture_output=True, text=True, cwd=ROOT)
    return run.returncode, run.stdout + run.stderr


def test_command() -> None:
    code, text = s2s("rules")
    assert code == 0
    assert re.search(r"^numpy: rules \(\d+\)$", text, re.M)
    assert " tanh" in text
    for name in ("np.linalg.solve", "numpy.linalg.solve", "linalg.solve", "np.linalg.solve()"):
        code, text = s2s("rules", name)
        assert code == 0
        assert "a_bar += -np.outer(np.linalg.solve(a.T, out_bar), out)" in text
        assert "out_dot = np.linalg.solve(a, b_dot - a_dot @ out)" in text
    assert "np.absolute" not in s2s("rules", "np.absolute")[1]
    assert "0 at 0" in s2s("rules", "np.absolute")[1]
    assert "zero wherever it exists" in s2s("rules", "np.floor")[1]
    code, text = s2s("rules", "np.tahn")
    assert code == 2
    assert "near names: np.tan, np.tanh" in text


def test_command_with_rules_of_ones_own() -> None:
    folder = "generated_examples/own_rules"
    code, text = s2s("rules", "--rules", f"{folder}/conv_rules.py")
    assert code == 0
    assert "the model's own file: rules (1)" in text
    code, text = s2s("rules", "conv", "--rules", f"{folder}/conv_rules.py")
    assert code == 0
    assert "x_bar += np.convolve(out_bar, w)" in text
    assert "w_bar += conv(x, out_bar)" in text
    assert s2s("rules", "conv")[0] == 2
    with using("from s2s.rules.user import *\nconstant('f(x)')\npartials('p.g(x)', lambda x: 1.0 / x)", "r.py"):
        assert "1.0 / x * out_bar" in "\n".join(published.lines_of(published.find("p.g")[0]))
        assert published.find("f") == ["own.f"]


EDGES = """
import math

import numpy as np


def root(x):
    return np.sqrt(np.abs(x))


def quotient(x, b):
    return x / b


def force(r):
    return 1.0 / r**2


def plain(x):
    return math.sqrt(x)
"""


def test_what_the_introduction_says_of_edges() -> None:
    """The sentences on chains of conventions, on overflow, and on Python's own division."""
    made: dict[str, Any] = {}
    exec(differentiate(EDGES, Request(functions=("root", "quotient", "force", "plain"), emit=("grad", "jvp"))), made)
    with np.errstate(all="ignore"):
        assert np.isnan(made["root_grad"](np.float64(0.0)))
        assert np.isnan(made["force_jvp"](np.float64(np.inf), r_dot=1.0)[1])
        assert made["quotient_grad"](1e300, np.float64(1e155))[1] == 0.0
        assert made["quotient_grad"](1e300, np.float64(1e150))[1] == pytest.approx(-1.0)
    with pytest.raises(ZeroDivisionError):
        made["plain_grad"](0.0)
    assert all(name in published.INTRODUCTION for name in ("sqrt(abs(x))", "1 / r**2", "-x / b**2", "math.sqrt(x)"))
