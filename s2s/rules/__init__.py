"""The table of derivatives: `lookup("numpy.sin")` gives the rule, which binds a call and gives both modes.

`kinds` says what a rule is, `tracing` how ordinary NumPy becomes text, `user` reads rules of the user's own; the other
modules are the table.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2s.rules import (  # noqa: F401 (the tables)
    constants,
    decompositions,
    elementwise,
    linalg,
    polynomials,
    products,
    python,
    reductions,
    shaping,
    signal,
    sorting,
    statistics,
)
from s2s.rules.kinds import OWN, TABLE, Call, Operand, Rule, load_scipy, lookup
from s2s.rules.shaping import VIEWS, may_alias
from s2s.rules.tracing import NO_FACTS, Facts, NoFacts, RuleError
from s2s.rules.user import own_rules, using


def all_rules() -> Iterator[Rule]:
    """All entries of the table, in the order in which they were made, and those of the user's own in this run."""
    load_scipy()
    yield from TABLE.values()
    yield from own_rules()


__all__ = [
    "NO_FACTS",
    "OWN",
    "VIEWS",
    "Call",
    "Facts",
    "NoFacts",
    "Operand",
    "Rule",
    "RuleError",
    "all_rules",
    "lookup",
    "may_alias",
    "using",
]
