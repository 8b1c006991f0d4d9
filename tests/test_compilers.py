"""Compilers of numba by the names that projects give them: what they compile has the values of its text."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from s2s.cli import main
from test_modules import BOTH, agree, made, project, write

__all__ = ["project"]

FALLBACK = """    def njit(f=None, **options):
        return f if f is not None else lambda g: g
"""
BODY = """

{first}
def h(x):
    return np.sin(x) * x


{second}
def f(x, w):
    return h(x * w) * x
"""


def decorated(first: str, second: str) -> str:
    return BODY.format(first=first, second=second)


COMPAT = f"""try:
    from numba import njit
except ImportError:
{FALLBACK}"""
PARTIAL = """import functools

OFF = False
try:
    if OFF:
        raise ImportError
    from numba import njit

    njit = functools.partial(njit, fastmath=True)
except ImportError:

    def njit(f=None, *args, **options):
        return f if f is not None else lambda g: g
"""
OPTIONS = """import functools

import numba

fast = functools.partial(numba.njit, cache=True)
faster = numba.jit(nopython=True)
"""
NUMBA = "def njit(f=None, **options):\n    return f if f is not None else lambda g: g\n\n\njit = njit\n"
SWITCHED = """import os


def _plain(*args, **options):
    return lambda g: g


if os.getenv("FAST", "0") != "0":
    try:
        from numba import njit
    except ImportError:
        fast = _plain
    else:
        fast = njit
else:
    fast = _plain
"""
ACCEPTED = {
    "a fallback in another module": ({"compat.py": COMPAT}, "from compat import njit", "@njit", "@njit(cache=True)"),
    "told its options in another module": ({"compat.py": PARTIAL}, "from compat import njit", "@njit", "@njit"),
    "by another name": ({"compat.py": COMPAT}, "from compat import njit as fast", "@fast", "@fast(cache=True)"),
    "handed on by a package": (
        {"tools/__init__.py": "from .compat import njit\n", "tools/compat.py": COMPAT},
        "from tools import njit",
        "@njit",
        "@njit",
    ),
    "told its options here": ({}, OPTIONS, "@fast", "@faster"),
    "switched on and off": ({}, SWITCHED, "@fast()", '@fast("float64(float64)", nopython=True)'),
    "switched on and off elsewhere": (
        {"compat.py": SWITCHED},
        "from compat import fast",
        "@fast()",
        "@fast(cache=True)",
    ),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_what_is_compiled_is_differentiated(name: str, project: Path) -> None:
    files, head, first, second = ACCEPTED[name]
    text = f"import numpy as np\n{head}\n{decorated(first, second)}"
    primal, derived = made(project, {"numba.py": NUMBA, **files, "model.py": text}, "model", *BOTH)
    agree(primal, derived, "f", 0.7, 1.3)
    assert "numba" not in (project / "model_grad.py").read_text()


def test_a_function_that_is_compiled_where_numba_is_there(project: Path) -> None:
    bound = "try:\n    from numba import njit\n\n    h = njit(h)\nexcept ImportError:\n    pass\n"
    text = f"import numpy as np\n{decorated('', '')}\n\n{bound}"
    primal, derived = made(project, {"numba.py": NUMBA, "model.py": text}, "model", *BOTH)
    agree(primal, derived, "f", 0.7, 1.3)


def test_a_function_that_another_module_compiles_under_a_second_name(project: Path) -> None:
    """In-place recursions that a package compiles when it is imported."""
    text = """import numpy as np

from compat import njit


def bounded_python(v, low):
    if v < low:
        v = low + 0.1 * v * v
    return v


bounded = njit(bounded_python, inline="always")


def f(x, w):
    s = np.zeros(4)
    for t in range(4):
        s[t] = w + x * (s[t - 1] if t > 0 else 0.3)
        s[t] = bounded(s[t], 0.9)
    return s[3]
"""
    compat = COMPAT.replace("f=None, **", "f=None, *args, **")
    numba = NUMBA.replace("f=None, **", "f=None, *args, **")
    primal, derived = made(project, {"numba.py": numba, "compat.py": compat, "model.py": text}, "model", *BOTH)
    agree(primal, derived, "f", 0.7, 0.4)


TWICE = "def njit(f):\n    return lambda x: 2.0 * f(x)\n"
REFUSED = {
    "another one of that name": ({"compat.py": TWICE}, "from compat import njit"),
    "bound again": ({"compat.py": f"from numba import njit\n\n\n{TWICE}"}, "from compat import njit"),
    "bound again on one path": (
        {"compat.py": "from numba import njit\n\nif njit:\n    njit = print\n"},
        "from compat import njit",
    ),
    "switched to another one": (
        {},
        f"{TWICE.replace('njit', 'twice')}\n\nfrom numba import jit\n\n"
        "if __debug__:\n    njit = jit\nelse:\n    njit = twice\n",
    ),
    "another partial": ({}, "import functools\n\nimport numba\n\nnjit = functools.partial(print, numba.njit)"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_another_decorator_is_refused(name: str, project: Path) -> None:
    files, head = REFUSED[name]
    write(project, {"numba.py": NUMBA, **files, "model.py": f"import numpy as np\n{head}\n{decorated('@njit', '')}"})
    result = CliRunner().invoke(main, ["grad", "model.py::f"])
    assert result.exit_code == 1
    assert "decorated with `njit`" in " ".join(result.output.split())


def test_a_decorator_that_is_a_compiler_further_down_is_refused(project: Path) -> None:
    text = f"import numpy as np\n\n\n{TWICE}{decorated('@njit', '')}\n\nfrom numba import njit\n"
    write(project, {"numba.py": NUMBA, "model.py": text})
    result = CliRunner().invoke(main, ["grad", "model.py::f"])
    assert result.exit_code == 1
    assert "decorated with `njit`" in " ".join(result.output.split())


LAW = '@register("law")'
NOTES = """LAWS = {}


def register(name):
    \"\"\"Notes a law.\"\"\"

    def note(law):
        LAWS[name] = law
        return law

    return note


def marked(f):
    f.marked = True
    return f
"""


@pytest.mark.parametrize("elsewhere", [False, True])
def test_decorators_that_only_note_a_function(elsewhere: bool, project: Path) -> None:
    head = "from notes import marked, register\n" if elsewhere else f"\n\n{NOTES}"
    text = f"import numpy as np\n{head}{decorated('@marked', LAW)}"
    text = text if elsewhere else text.replace("register", "_register").replace("marked(", "_marked(")
    text = text if elsewhere else text.replace("@marked", "@_marked")
    primal, derived = made(project, {"notes.py": NOTES, "model.py": text}, "model", *BOTH)
    agree(primal, derived, "f", 0.7, 1.3)
    assert "marked" not in (project / "model_grad.py").read_text()


CHANGING = {
    "returns another one": "def njit(f):\n    f.seen = 1\n    f = abs\n    return f\n",
    "may return nothing": "def njit(f):\n    if f.__name__ == 'h':\n        return f\n",
    "changes a default": "def njit(f):\n    f.__defaults__ = (2.0,)\n    return f\n",
    "hands it on": "import other\n\n\ndef njit(f):\n    other.change(f)\n    return f\n",
    "is bound again": "def njit(f):\n    return f\n\n\ndef njit(f):\n    return lambda x: 2.0 * f(x)\n",
    "is bound behind": "def njit(f):\n    return f\n\n\nnjit = print\n",
}


@pytest.mark.parametrize("name", CHANGING)
def test_decorators_that_may_change_a_function_are_refused(name: str, project: Path) -> None:
    text = f"import numpy as np\nfrom compat import njit\n{decorated('@njit', '')}"
    write(project, {"compat.py": CHANGING[name], "other.py": "", "model.py": text})
    result = CliRunner().invoke(main, ["grad", "model.py::f"])
    assert result.exit_code == 1
    assert "decorated with `njit`" in " ".join(result.output.split())
