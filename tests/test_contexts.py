"""Context managers of the user's: followed where the text shows what they do, refused elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate_unformatted
from test_modules import BOTH, agree, made, project

__all__ = ["project"]

HEAD = "import contextlib\n\nimport numpy as np\n\nMODE = 1.0\n\n\n"
REFUSED = {
    "a name of the module that is bound anew": """
@contextlib.contextmanager
def m():
    global MODE
    old, MODE = MODE, 2.0
    yield
    MODE = old
""",
    "a yield in a branch": """
@contextlib.contextmanager
def m():
    if MODE > 1.0:
        yield
    else:
        yield
""",
    "a yield in a loop": """
@contextlib.contextmanager
def m():
    for _ in range(3):
        yield
""",
    "what is raised is swallowed": """
class m:
    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return True
""",
    "what is raised may be swallowed": """
class m:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        return kind is ValueError
""",
    "another decorator": """
@contextlib.asynccontextmanager
def m():
    yield
""",
}


@pytest.mark.parametrize("name", REFUSED)
def test_managers_that_are_not_followed(name: str) -> None:
    source = f"{HEAD}{REFUSED[name]}\n\ndef f(x):\n    with m():\n        y = x * MODE\n    return y\n"
    with pytest.raises(S2SError) as fault:
        differentiate_unformatted(source, Request(functions=("f",)))
    assert [d.code for d in fault.value.diagnostics] == ["S205"]


def test_a_name_of_the_module_that_is_one_of_the_function() -> None:
    source = f"{HEAD}@contextlib.contextmanager\ndef m():\n    yield MODE\n\n\n"
    source += "def f(x, MODE):\n    with m() as k:\n        return x * k * MODE\n"
    with pytest.raises(S2SError) as fault:
        differentiate_unformatted(source, Request(functions=("f",)))
    assert [d.code for d in fault.value.diagnostics] == ["S205"]


UTIL = """
from contextlib import contextmanager

import numpy as np

LEVEL = "ignore"
FACTOR = 3.0


@contextmanager
def sdiv_mode(k=2.0):
    with np.errstate(divide=LEVEL):
        yield k * FACTOR
"""
MODEL = """
import numpy as np
import util
from util import sdiv_mode


def f(x, y):
    with sdiv_mode() as k:
        z = k / x
    with util.sdiv_mode(z) as k:
        return np.sum(k / y * z)
"""


def test_managers_of_another_module(project: Path) -> None:
    primal, derived = made(project, {"util.py": UTIL, "model.py": MODEL}, "model", *BOTH, "--wrt", "x,y")
    agree(primal, derived, "f", 0.7, 0.3)
    assert "with np.errstate(divide=LEVEL):" in (project / "model_grad.py").read_text()
