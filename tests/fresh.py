"""What changes with every change of the source, and only then: a run of one commit can be repeated."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "s2s"


@cache
def digest() -> str:
    """Of the differentiator's source and of the grammar's."""
    parts = (*sorted(SOURCE.rglob("*.py")), TESTS / "programs.py")
    return hashlib.sha256(b"".join(p.read_bytes() for p in parts)).hexdigest()
