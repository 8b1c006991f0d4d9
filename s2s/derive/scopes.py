"""The symbols of a caller, and those of the helper that it calls, kept apart.

Symbols of shapes and lengths are named after variables. What a caller knows of its `t` is not true of the `t` of a
helper that is looked at for these arguments: there, the words of the caller's symbols that the helper has, too, are
others, and so they are in what has been found out of them. No variable is called so: the words begin with a digit.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from s2s import ir
from s2s.analysis.facts import Fact, symbols, with_symbols
from s2s.analysis.shapes import Shapes

MARK = "0"
WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Apart:
    """given: what is known of the arguments, by parameter. shapes: what has been found out of their symbols.

    back: a symbol of the helper as the caller has it.
    """

    given: dict[str, Fact]
    shapes: Shapes
    back: Callable[[str], str]


def words(f: ir.Function) -> frozenset[str]:
    """What symbols of a function may be named after: its variables, and what it reads and calls."""
    found = set(f.names)
    for s in ir.statements(f.body):
        found |= set(ir.binds(s))
        for n in ir.nodes(s):
            if isinstance(n, ir.Var):
                found.add(n.name)
            elif isinstance(n, ir.Op) and n.fn.startswith("local."):
                found |= set(WORD.findall(n.fn[6:]))
    return frozenset(found)


def kept_apart(f: ir.Function, given: Mapping[str, Fact], shapes: Shapes) -> Apart:
    """What a caller knows of the arguments of a helper, for looking at the helper with it."""
    own = words(f)
    known = shapes.symbols().union(*map(symbols, given.values()))
    taken = {w.lstrip(MARK) for s in known for w in WORD.findall(s)} & own
    if not taken:
        return Apart(dict(given), shapes.copy(), lambda s: s)
    seen: dict[str, str] = {}

    def marked(m: re.Match[str]) -> str:
        return MARK + m[0] if m[0].lstrip(MARK) in taken else m[0]

    def unmarked(m: re.Match[str]) -> str:
        return m[0].removeprefix(MARK) if m[0].lstrip(MARK) in taken else m[0]

    def there(s: str) -> str:
        if s not in seen:
            seen[s] = WORD.sub(marked, s)
        return seen[s]

    return Apart(
        {p: with_symbols(fact, there) for p, fact in given.items()},
        shapes.renamed(there),
        lambda s: WORD.sub(unmarked, s),
    )
