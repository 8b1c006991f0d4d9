"""Parameters that are numbers of things, by what is done with them: they carry no derivative, though they divide.

for i in range(n): ...      np.zeros((n, m))      x[1:n]      np.linspace(a, b, n)      1.0 / n
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from s2s import ir
from s2s.analysis.facts import maybe_run
from s2s.ir import Assign, Const, Expr, Op, Var

SHAPED = frozenset(f"numpy.{n}" for n in ("zeros", "ones", "empty", "full", "eye", "identity", "tri", "indices"))
SPACED = frozenset(f"numpy.{n}" for n in ("linspace", "logspace", "geomspace"))
Counted = Callable[[Op], list[Expr]]


class _Numbers:
    """The parameters that an expression is, a whole number away: `n`, `n + 1`, a name of it."""

    def __init__(self, f: ir.Function) -> None:
        self.names = f.names
        self.bound = Counter(n for s in ir.statements(f.body) for n in ir.binds(s))
        self.bound.update(f.names)  # a parameter that is bound again has two values
        self.chosen: dict[str, list[Expr]] = {}
        for s in ir.statements(f.body):
            if isinstance(s, Assign):
                self.chosen.setdefault(s.target, []).append(s.value)
        self.made = {name: values[0] for name, values in self.chosen.items() if self.bound[name] == 1}

    def of(self, e: Expr) -> Iterator[str]:
        match e:
            case Var(name=name) if name in self.made:
                yield from self.of(self.made[name])
            case Var(name=name) if self.bound[name] == 1 and name in self.names:
                yield name
            case ir.Sequence(items=items):
                for item in items:
                    yield from self.of(item)
            case Op(fn="numpy.add" | "numpy.subtract", args=(a, b), form=ir.Form.OPERATOR):
                if self.is_whole(a):
                    yield from self.of(b)
                if self.is_whole(b):
                    yield from self.of(a)

    def is_whole(self, e: Expr) -> bool:
        """1, or 1 in one case and 0 in another"""
        if isinstance(e, Var) and e.name in self.chosen:
            return len(self.chosen[e.name]) == self.bound[e.name] and all(
                isinstance(v, Const) and self.is_whole(v) for v in self.chosen[e.name]
            )
        return isinstance(e, Const) and isinstance(e.value, int)


def counts(f: ir.Function, handed: Counted) -> frozenset[str]:
    """The parameters of `f` that range, a slice or a shape takes, as they are or a whole number away.

    handed: the arguments of a helper's call that are such numbers there.
    """
    numbers = _Numbers(f)
    found: set[str] = set()
    products: set[Expr] = set()  # range(x) of `x * [1.0, 2.0]`: x may be an array
    for s in ir.statements(f.body):
        for n in ir.nodes(s):
            taken: list[Expr] = []
            if isinstance(n, ir.Comprehension) and len(n.clauses) > 1 and n.clauses[0][0] == Var("_"):
                products.update(n.clauses[0][1:2])
            if isinstance(n, ir.Index):
                slices = [k for k in ir.key_items(n.key) if isinstance(k, ir.Slice)]
                found.update(name for k in slices for e in (k.start, k.stop, k.step) if e for name in numbers.of(e))
            if not isinstance(n, Op) or n in products:
                continue
            if n.fn in SHAPED:
                taken = list(n.args[:1])
            elif n.fn.startswith("local."):
                taken = handed(n)
            else:
                taken = lengths(n)
            found.update(name for e in taken for name in numbers.of(e))
    return frozenset(f.names) & found


def lengths(e: Expr) -> list[Expr]:
    """The arguments that a call takes for whole numbers, and for nothing else."""
    if not isinstance(e, Op):
        return []
    if e.fn == "builtins.range":
        return list(e.args)
    if e.fn in SPACED:
        return [*e.args[2:3], *(v for k, v in e.options if k == "num")]
    if e.fn in ("numpy.eye", "numpy.identity", "numpy.tri"):
        return list(e.args[:1])
    return [n for n in e.args[:1] if isinstance(n, ir.Sequence)] if e.fn in SHAPED else []


def whole(f: ir.Function) -> frozenset[str]:
    """The parameters of `f` that are whole numbers in every call, for else it raises: `range(n)`, `np.zeros((n, 2))`
    at its top, where nothing has left the function."""
    numbers = _Numbers(f)
    found: set[str] = set()
    for s in f.body:
        for n in (n for e in ir.expressions(s) for n in _evaluated(e)):
            found.update(name for e in lengths(n) for name in numbers.of(e))
        if any(isinstance(x, ir.Return | ir.Inert) for block in ir.blocks(s) for x in ir.statements(block)):
            break
    return frozenset(f.names) & found


def _evaluated(e: Expr) -> Iterator[Expr]:
    """The expressions inside an expression that are evaluated whenever it is."""
    yield e
    if isinstance(e, ir.Comprehension) and e.clauses[0][0] == Var("_"):
        return  # `[a] * n` is written so, too, where n may be an array
    for x in maybe_run(e)[0]:
        yield from _evaluated(x)
