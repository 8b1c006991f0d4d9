"""The table of derivatives: `lookup("numpy.sin")` gives the rule, which binds a call and gives both modes.

`kinds` says what a rule is, `tracing` how ordinary NumPy becomes text, `user` reads rules of the user's own; the other
modules are the table.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2s.rules import (  # noqa: F401 (the tables)
    carried,
    complex_numbers,
    constants,
    decompositions,
    elementwise,
    fft,
    linalg,
    polynomials,
    products,
    python,
    reductions,
    shaping,
    signal,
    sorting,
    statistics,
    ufuncs,
)
from s2s.rules.kinds import (
    COMPLEX,
    HOLOMORPHIC,
    NO_CONVERSION,
    OWN,
    TABLE,
    Call,
    Operand,
    Rule,
    canonical,
    load_scipy,
    lookup,
    lookup_complex,
)
from s2s.rules.numeric import NotNumeric
from s2s.rules.shaping import LISTS_BY_RANK, MAY_SHARE, VIEWS, may_alias
from s2s.rules.tracing import NO_FACTS, Facts, NoFacts, RuleError
from s2s.rules.user import own_rules, using

NAMESPACES = ("numpy.", "scipy.", "math.")  # of functions whose rules may take arguments to have a rank


def all_rules() -> Iterator[Rule]:
    """All entries of the table, in the order in which they were made, and those of the user's own in this run."""
    load_scipy()
    yield from TABLE.values()
    yield from own_rules()


def is_module(path: str) -> bool:
    """Whether this is a module of which functions have rules: numpy.linalg."""
    if path.startswith("scipy."):
        load_scipy()
    return any(fn.rpartition(".")[0] == path for fn in TABLE)


def complex_rules() -> Iterator[Rule]:
    """The rules that calls with complex numbers take."""
    load_scipy()
    yield from (rule for rule in TABLE.values() if rule.fn in HOLOMORPHIC and rule.fn not in COMPLEX)
    yield from COMPLEX.values()


__all__ = [
    "LISTS_BY_RANK",
    "MAY_SHARE",
    "NAMESPACES",
    "NO_CONVERSION",
    "NO_FACTS",
    "OWN",
    "VIEWS",
    "Call",
    "Facts",
    "NoFacts",
    "NotNumeric",
    "Operand",
    "Rule",
    "RuleError",
    "all_rules",
    "canonical",
    "complex_rules",
    "is_module",
    "lookup",
    "lookup_complex",
    "may_alias",
    "using",
]
