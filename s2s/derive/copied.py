"""Copies of what is known: a number is its own deep copy, arrays have a method for it, and of a list it is all of it.

    b = copy.deepcopy(a)        b = a               of a number
                                b = a.copy()        of an array
    b = list(a)                 b = a[:]            of a list

Of what may be both it stays: its derivative is that of a copy. Lists, dicts and objects are taken apart before
(`frontend/rewrites/deep.py`, `frontend/lowering/structures.py`); what lies in them twice would lie in the copy twice.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from itertools import combinations
from typing import TypeGuard

from s2s import ir
from s2s.analysis.aliases import CONTAINERS
from s2s.analysis.facts import NOT_DIFFERENTIABLE, Facts
from s2s.analysis.loops import Header, rewritten
from s2s.analysis.shapes import SCALAR
from s2s.derive.context import Context
from s2s.derive.phrases import equals, method
from s2s.errors import Diagnostic, S2SError
from s2s.frozen import replace
from s2s.ir import Assign, Const, Expr, Index, Op, Stmt, Var

DEEP = "copy.deepcopy"
HELP = ("copy each array that is changed: `x.copy()`",)


def settled_copies(f: ir.Function, facts: Facts, headers: dict[int, Header]) -> tuple[ir.Function, dict[int, Header]]:
    """The function with these copies written out.

    Raises S2SError where parts of what is copied may be one array, of which the copy has one, too.
    """
    found = [(s, e) for s in ir.statements(f.body) for e in ir.nodes(s) if is_deep_copy(e)]
    if not found:
        return f, headers
    parts = [(s, e.args[0]) for s, e in found if not is_number(e.args[0], facts)]
    origins = _Origins(f)
    guards: dict[int, list[Expr]] = {}
    for (s, a), (t, b) in combinations(parts, 2):
        if s.origin != t.origin:
            continue
        if (pair := origins.given_twice(a, b)) is not None:
            guards.setdefault(id(s), []).append(are_two(*pair, facts))
        elif origins.may_be_one(a, b):
            message = "parts of what is copied here may be one array, which is one in a copy by `copy.deepcopy`, too"
            raise S2SError([Diagnostic("S242", message, s.origin.span if s.origin else None, "", HELP)])
    last: Stmt | None = None
    items = {id(t) for h in headers.values() for t in h.items}

    def steps(s: Stmt) -> Iterator[Stmt]:
        nonlocal last
        before, last = last, s

        def settled(e: Expr) -> Expr:
            if not is_deep_copy(e):
                return ir.rebuild(e, settled) if isinstance(e, ir.Dict | ir.Sequence) else e
            (of,) = e.args
            if is_number(of, facts):
                match before:  # `copy.deepcopy(p["a"])`
                    case Assign(target=name, value=Index() as part) if Var(name) == of and id(before) not in items:
                        return part
                return of
            return method("copy", of) if facts.of(of).kind not in CONTAINERS and facts.ndim(of) else e

        match s:
            case Assign() | ir.Append() | ir.Return() | ir.Store() if s.value is not None and has_deep_copy(s):
                yield from (ir.Inert("assert", (test,), s.origin) for test in dict.fromkeys(guards.get(id(s), ())))
                yield replace(s, value=settled(s.value))
            case _:
                yield s

    f, headers = rewritten(f, headers, steps)
    facts.function = f
    return f, headers


def copied_lists(
    f: ir.Function, facts: Facts, active: Container[str], headers: dict[int, Header]
) -> tuple[ir.Function, dict[int, Header]]:
    """The function with copies of active lists as slices. Of those that the text shows the frontend has made loops."""

    def is_copy(s: Stmt) -> bool:
        match s:
            case Assign(value=Op(fn="builtins.list", args=(Var() as of,), options=())):
                return of.name in active and facts.of(of).kind == "list"
        return False

    def steps(s: Stmt) -> Iterator[Stmt]:
        match s:
            case Assign(value=Op(args=(of,))) if is_copy(s):
                yield replace(s, value=Index(of, ir.Slice(None, None)))
            case _:
                yield s

    if not any(map(is_copy, ir.statements(f.body))):
        return f, headers
    f, headers = rewritten(f, headers, steps)
    facts.function = f
    return f, headers


def are_two(a: Var, b: Var, facts: Facts) -> Expr:
    """That two parameters are two arrays, and not one that is given twice."""
    two = Op("operator.is_not", (a, b), form=ir.Form.OPERATOR)
    if facts.ndim(a):
        return two
    return Op("operator.or", (two, equals(Op("numpy.ndim", (a,)), Const(0))), form=ir.Form.OPERATOR)


def whole_copies(ctx: Context) -> list[Diagnostic]:
    """Copies of what holds arrays that are not taken apart: in them two names may stand for one array."""
    found: list[Diagnostic] = []
    for s in ir.statements(ctx.function.body):
        for e in filter(is_deep_copy, ir.nodes(s)):
            if ctx.facts.of(e.args[0]).kind in CONTAINERS and not ir.reads(e).isdisjoint(ctx.activity.active):
                message = (
                    "what holds arrays is copied as a whole by `copy.deepcopy`: which of them are one is not known"
                )
                found.append(Diagnostic("S242", message, s.origin.span if s.origin else None, "", HELP))
    return found


def is_number(e: Expr, facts: Facts) -> bool:
    fact = facts.of(e)
    return fact.kind in NOT_DIFFERENTIABLE or (fact.kind not in CONTAINERS and facts.shapes(fact.shape) == SCALAR)


def has_deep_copy(s: Stmt) -> bool:
    return any(map(is_deep_copy, ir.nodes(s)))


def is_deep_copy(e: object) -> TypeGuard[Op]:
    return isinstance(e, Op) and e.fn == DEEP and len(e.args) == 1 and not e.options


class _Origins:
    """Where the values of names come from, through second names: an expression makes a new one each time."""

    def __init__(self, f: ir.Function) -> None:
        self.values: dict[str, list[tuple[Expr | None, int]]] = {}
        for s in ir.statements(f.body):
            for name in ir.binds(s):
                self.values.setdefault(name, []).append((s.value if isinstance(s, Assign) else None, id(s)))
        self.given = set(f.names)

    def given_twice(self, a: Expr, b: Expr) -> tuple[Var, Var] | None:
        """The two parameters that two values are."""
        one, other = self.of(a, set()), self.of(b, set())
        if len(one) == len(other) == 1 and one != other and one | other <= self.given:
            return Var(one.pop()), Var(other.pop())
        return None

    def may_be_one(self, a: Expr, b: Expr) -> bool:
        return not self.of(a, set()).isdisjoint(self.of(b, set()))

    def of(self, e: Expr, seen: set[str]) -> set[str]:
        match e:
            case Var(name=name) if name not in seen:
                seen.add(name)
                found = {name} if name in self.given or name not in self.values else set()
                for value, at in self.values.get(name, ()):
                    found |= self.of(value, seen) or {str(at)} if value is not None else {str(at)}
                return found
            case Op(fn="operator.ifexp", args=(_, x, y)):
                return self.of(x, seen) | self.of(y, seen)
            case Index(array=Var(name=name)):  # of a list it is an object that lies there
                return {f"{name}[]"}
            case Op(fn=fn, args=args) if fn.startswith("local."):
                return set().union(*(self.of(x, seen) for x in args))
        return set()
