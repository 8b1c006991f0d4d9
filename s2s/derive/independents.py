"""What a derivative is taken with respect to: parameters, parts of them (`self.W`, `params["b"]`), items (`x[0:2]`)."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import lru_cache

from s2s import ir
from s2s.analysis.facts import NOT_DIFFERENTIABLE, Facts
from s2s.derive.calls import entries
from s2s.ir import Const, Expr, Var

SHAPE = re.compile(r"""(?P<part>[^\W\d]\w*(?:\["[^"]*"\]|\.[^\W\d]\w*)*)(?P<cut>\[[^\]"']+\])?""")


@dataclass(frozen=True)
class Independent:
    """A parameter or a part of one, and the items of it that are meant (None: all)."""

    text: str
    part: str
    cut: Expr | None = None

    @property
    def root(self) -> str:
        return ir.root_name(self.part)

    def holds(self, leaf: str) -> bool:
        return leaf == self.part or leaf.startswith((f"{self.part}.", f"{self.part}["))


@lru_cache(maxsize=256)
def read(text: str) -> Independent | None:
    """The meaning of one name of `--wrt`; None where it can't be read."""
    found = SHAPE.fullmatch(text)
    if found is None:
        return None
    if found["cut"] is None:
        return Independent(text, found["part"])
    try:
        node = ast.parse("x" + found["cut"], mode="eval").body
        return Independent(text, found["part"], key(node.slice)) if isinstance(node, ast.Subscript) else None
    except (SyntaxError, ValueError):
        return None


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


def word(name: str) -> str:
    """What the tangent of an independent is called by: self_W, params_b, x_0_2."""
    return re.sub(r"\W+", "_", name).strip("_")
