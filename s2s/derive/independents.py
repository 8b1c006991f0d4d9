"""What a derivative is taken with respect to: parameters, parts of them (`self.W`, `params["b"]`), items (`x[0:2]`,
`self.layers[0].W`)."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from s2s import ir
from s2s.analysis.facts import NOT_DIFFERENTIABLE, Facts
from s2s.derive.calls import entries
from s2s.ir import Const, Expr, Var

SHAPE = re.compile(r"""(?P<part>[^\W\d]\w*(?:\["[^"]*"\]|\.[^\W\d]\w*)*)(?P<path>\[[^\]"']+\].*)?""")


@dataclass(frozen=True)
class Independent:
    """A parameter or a part of one, and the path to the items of it that are meant (empty: all)."""

    text: str
    part: str
    path: tuple[Expr, ...] = ()

    @property
    def root(self) -> str:
        return ir.root_name(self.part)

    def holds(self, leaf: str) -> bool:
        return leaf == self.part or leaf.startswith((f"{self.part}.", f"{self.part}["))

    def of(self, whole: Expr) -> Expr:
        """What is meant, of the part or of what has its structure."""
        return functools.reduce(ir.Index, self.path, whole)

    def contains(self, other: Independent) -> bool:
        if not self.path:
            return self.holds(other.part)
        return self.part == other.part and self.path == other.path[: len(self.path)] != other.path

    def is_apart(self, other: Independent) -> bool:
        return self.part != other.part or are_apart(self.of(Var(self.part)), other.of(Var(other.part)))


@lru_cache(maxsize=256)
def read(text: str) -> Independent | None:
    """The meaning of one name of `--wrt`; None where it can't be read."""
    found = SHAPE.fullmatch(text)
    if found is None:
        return None
    try:
        return Independent(text, found["part"], path(ast.parse("x" + (found["path"] or ""), mode="eval").body))
    except (SyntaxError, ValueError):
        return None


def path(node: ast.expr) -> tuple[Expr, ...]:
    """What follows a part: its items, `[0]`, `[1:3]`, and parts of one item, `[0].W`, `[0]["b"]`. Raises ValueError for
    anything else."""
    match node:
        case ast.Name():
            return ()
        case ast.Attribute(value=inner, attr=name):
            last: Expr = Const(ir.Attr(name))
        case ast.Subscript(value=inner, slice=ast.Constant(value=str() as name)):
            last = Const(name)
        case ast.Subscript(value=inner, slice=of):
            last = key(of)
        case _:
            raise ValueError
    before = path(inner)
    if any(not isinstance(k, Const) or k.value is None or k.value is ... for k in before):
        raise ValueError  # of several items
    return (*before, last)


def are_apart(a: Expr, b: Expr) -> bool:
    """Whether two items of one whole have nothing in common: `layers[0].W` and `layers[1].W`."""
    paths: tuple[list[Expr], list[Expr]] = ([a], [b])
    for path in paths:
        while isinstance(e := path[0], ir.Index):
            path[:1] = [e.array, e.key]
    if paths[0][0] != paths[1][0]:
        return False
    for p, q in zip(paths[0][1:], paths[1][1:], strict=False):
        if not isinstance(p, Const) or not isinstance(q, Const):
            return False
        if p != q:
            numbers = [k.value for k in (p, q) if isinstance(k.value, int)]
            return not numbers or (len(numbers) == 2 and (numbers[0] < 0) == (numbers[1] < 0))  # -1 may be the item 2
    return False


def key(node: ast.expr) -> Expr:
    """A subscript of whole numbers and slices. Raises ValueError for anything else."""
    match node:
        case ast.Constant(value=bool()):
            raise ValueError
        case ast.Constant(value=(int() | None) as value):
            return Const(value)
        case ast.Constant(value=value) if value is ...:
            return Const(value)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)):
            return Const(-value)
        case ast.Slice(lower=a, upper=b, step=c):
            return ir.Slice(*(None if p is None else key(p) for p in (a, b, c)))
        case ast.Tuple(elts=elts):
            return ir.Sequence(tuple(map(key, elts)))
    raise ValueError


def leaves(f: ir.Function, found: Facts, name: str) -> list[str]:
    """The variables of a parameter, or of the part of it that is meant, that may carry a derivative."""
    meant = read(name)
    assert meant is not None
    inside = [x for x in entries(f, meant.root) if meant.holds(x)]
    if not inside:
        return [name] if name in f.names else [meant.part] if meant.part in f.names else []
    return [x for x in inside if found.of(Var(x)).kind not in NOT_DIFFERENTIABLE]


def varied(f: ir.Function, found: Facts, wrt: Iterable[str]) -> frozenset[str]:
    """The variables that are differentiated with respect to these parameters: their leaves, and a parameter itself that
    is read as a whole beside its parts, of which the function may ask the shape only."""
    names = list(wrt)
    whole = {n for s in ir.statements(f.body) for e in ir.expressions(s) for n in ir.reads(e)}
    return frozenset([*(x for n in names for x in leaves(f, found, n)), *(n for n in names if n in whole)])


def word(name: str) -> str:
    """What the tangent of an independent is called by: self_W, params_b, x_0_2."""
    return re.sub(r"\W+", "_", name).strip("_")
