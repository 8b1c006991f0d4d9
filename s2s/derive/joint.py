"""Both sweeps of one function before they are cleaned: what the checker looks at."""

from __future__ import annotations

from dataclasses import dataclass

from s2s.derive.assemble import Sweeps
from s2s.derive.context import Context
from s2s.derive.nodes import Node
from s2s.ir import Expr, Stmt


@dataclass(frozen=True)
class Joint:
    """Both sweeps of one function as they were assembled, and the nodes that they were read off."""

    ctx: Context
    sweeps: Sweeps
    nodes: list[Node]
    forward: list[Stmt]
    back: list[Stmt]
    final: list[Stmt]  # makes the results whole
    result: Expr
