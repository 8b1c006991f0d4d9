"""Programs with lists, dicts, objects and functions (tests/structure_models.py): all are right."""

from __future__ import annotations

import sys
import types

import pytest

import thorough
from structure_models import CASES


@pytest.mark.parametrize("name", CASES)
def test_model(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("model")  # derivatives of functions that make objects import their classes
    monkeypatch.setitem(sys.modules, "model", module)
    exec(compile(CASES[name].source, "model.py", "exec"), module.__dict__)
    assert thorough.judge(CASES[name]) == "right"
