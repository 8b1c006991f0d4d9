"""What importing the table of rules costs: little beside NumPy, and SciPy only where a program uses it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SHARE = 0.6  # of the calls that `import numpy` makes

# Calls are counted, not seconds: those differ on a busy machine, and the calls of an import are always as many.
COUNT = """
import sys
calls = 0
def counted(frame, event, arg):
    global calls
    calls += 1
def calls_of(module):
    global calls
    calls = 0
    sys.setprofile(counted)
    __import__(module)
    sys.setprofile(None)
    return calls
print(calls_of("numpy"), calls_of("s2s.rules"))
"""


def run(code: str, cache: Path) -> str:
    """What a fresh interpreter prints; its bytecode stays in a folder of its own, whatever the caller's settings."""
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | {"PYTHONPYCACHEPREFIX": str(cache)}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=True).stdout


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that has the bytecode of both imports."""
    folder = tmp_path_factory.mktemp("bytecode")
    run("import numpy, s2s.rules", folder)
    return folder


def test_the_table_is_quickly_imported(cache: Path) -> None:
    numpy, rules = map(int, run(COUNT, cache).split())
    assert 0 < rules < SHARE * numpy


LOADED = "import sys; print('scipy' in sys.modules, 's2s.rules.scipy_special' in sys.modules)"


@pytest.mark.parametrize(
    ("code", "loaded"),
    [
        ("import s2s.rules", "False False"),
        ("from s2s import rules; assert rules.lookup('numpy.linalg.svd')", "False False"),
        ("from s2s import rules; assert rules.lookup('scipy.special.erf')", "False True"),
    ],
)
def test_scipy_is_left_alone(code: str, loaded: str, cache: Path) -> None:
    """Rules for SciPy are read where one is asked for, and that does not import SciPy."""
    assert run(f"{code}; {LOADED}", cache).strip() == loaded


def test_a_program_without_scipy_is_differentiated_without_it(cache: Path) -> None:
    program = "import numpy as np\\n\\n\\ndef f(x: float):\\n    return np.linalg.norm(np.sinc(x)) + np.i0(x)\\n"
    code = f"from s2s.pipeline import Request, differentiate; print(differentiate('{program}', Request()))"
    text, _, last = run(f"{code}; {LOADED}", cache).strip().rpartition("\n")
    assert "x_bar" in text
    assert last == "False False"
