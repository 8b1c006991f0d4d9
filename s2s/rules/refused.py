"""Functions of floats that have no rule, and why: everything else of NumPy and SciPy is in the table."""

from __future__ import annotations

REFUSED: dict[str, str] = {}
