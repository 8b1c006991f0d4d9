"""Dicts that a loop over another one fills."""

from __future__ import annotations

from pathlib import Path

import pytest

from s2s import verify
from s2s.pipeline import differentiate

AT = "params={'a': np.array([0.4, -0.2]), 'b': np.array([0.3, 0.5])}, w=0.3"
HEAD = "import numpy as np\n\n\ndef f(params, w):\n    new = {}\n"
FILLED = {
    "by items": "for k, v in params.items():\n        new[k] = np.tanh(v) * w\n"
    "    return sum(np.sum(v) for v in new.values())",
    "by keys": "for k in params:\n        new[k] = params[k] * w\n    return np.sum(new['a']) + np.sum(new['b'] ** 2)",
    "and read in a loop": "for k, v in params.items():\n        new[k] = v * w\n    s = 0.0\n"
    "    for k, v in new.items():\n        s += np.sum(v * params[k])\n    return s",
    "as the result": "for k in params.keys():\n        new[k] = params[k] - w * params[k] ** 2\n    return new",
    "a variable that is read later": "for k, v in params.items():\n        new[k] = v * w\n"
    "    return np.sum(new['a'] * v[0])",
    "a key that was bound before": "k = 'b'\n"
    "    for k, v in params.items():\n        new[k] = v * w\n"
    "    return np.sum(new[k])",
    "more than the entries": "for k, v in params.items():\n        new[k] = v * w\n        w = w * 2.0\n"
    "    return np.sum(new['a']) + np.sum(new['b'])",
    "a second name": "other = new\n"
    "    for k, v in params.items():\n        new[k] = v * w\n"
    "    return np.sum(other['a'])",
    "what reads itself": "for k, v in params.items():\n        new[k] = v * len(new) * w\n    return np.sum(new['b'])",
}


@pytest.mark.parametrize("name", FILLED)
def test_a_dict_with_the_keys_of_another(name: str, tmp_path: Path) -> None:
    outcome = verify.verify(tmp_path / "model.py", f"{HEAD}    {FILLED[name]}\n", "f", (AT,))
    assert not outcome.diagnostics, outcome.report


def test_what_the_marks_say() -> None:
    text = differentiate(f"{HEAD}    {FILLED['by keys']}\n")
    assert "# adjoint of: new[k] = params[k] * w" in text
