"""What importing the table of rules costs: little beside NumPy, and SciPy only where a program uses it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

LIMIT = 0.05  # seconds of processor time beside those of `import numpy`


def run(code: str, cache: Path) -> str:
    """What a fresh interpreter prints; its bytecode stays in a folder of its own, whatever the caller's settings."""
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | {"PYTHONPYCACHEPREFIX": str(cache)}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=True).stdout


def seconds(imported: str, cache: Path) -> float:
    return float(run(f"import time, {imported}; print(time.process_time())", cache))


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that has the bytecode of both imports."""
    folder = tmp_path_factory.mktemp("bytecode")
    seconds("numpy, s2s.rules", folder)
    return folder


def test_the_table_is_quickly_imported(cache: Path) -> None:
    """The least of several runs: others on the machine can only add to it."""
    alone = with_rules = float("inf")
    for _ in range(25):
        alone = min(alone, seconds("numpy", cache))
        with_rules = min(with_rules, seconds("numpy, s2s.rules", cache))
        if with_rules - alone < LIMIT:
            return
    assert with_rules - alone < LIMIT


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
