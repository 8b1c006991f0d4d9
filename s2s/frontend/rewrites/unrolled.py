"""Loops and comprehensions over things each of which has a name of its own, written out round by round.

    for layer in layers:                    x = layers_0.forward(x)
        x = layer.forward(x)                x = layers_1.forward(x)
    [s.k * w[n] for n, s in springs.items()]    [springs_a.k * w["a"], springs_b.k * w["b"]]

Which things there are, and what a loop over them binds in each of its rounds, is said by what names them: `mixed`,
`keyed_objects`.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Sequence as List
from typing import TypeGuard

from s2s.frontend.rewrites.optional import with_value, with_values
from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.literals import folded
from s2s.frontend.text.scopes import SCOPES, blocks_of, children, is_bound, names_used, new_name, read_names, walk
from s2s.frontend.text.source import NOTHING, Note, copied_body, made

LONGEST = 16  # things that get names
Comprehension = ast.ListComp | ast.GeneratorExp | ast.DictComp
Loop = ast.For | Comprehension
Round = Mapping[str, ast.expr]


def may_wait(made_at: ast.Assign, s: ast.stmt, classes: Mapping[str, ClassInfo]) -> bool:
    """Whether a list or a dict may as well be made behind a statement: that has none of its names, and either what lies
    in it is new objects that keep what they are given, or the statement gives names values which nothing else sees."""

    def keeps(e: ast.expr) -> bool:
        match e:
            case ast.Name() | ast.Constant():
                return True
            case ast.Call(func=ast.Name(id=name), args=args, keywords=options) if name in classes:
                return classes[name].makes and all(map(keeps, (*args, *(k.value for k in options))))
        return False

    def is_seen_by_nothing(n: ast.AST) -> bool:
        return not isinstance(n, ast.Call) or (
            isinstance(n.func, ast.Name) and n.func.id in classes and classes[n.func.id].makes
        )

    if read_names(s) & read_names(made_at):
        return False
    match s:
        case ast.Assign(targets=targets, value=value) if all(isinstance(t, ast.Name) for t in targets):
            if all(map(is_seen_by_nothing, walk(value))):
                return True
    match made_at.value:
        case ast.List(elts=things) | ast.Dict(values=things):
            return all(map(keeps, things))
    return False


class Unrolling(ast.NodeTransformer):
    """A function without the list, or the dict, that holds the things: what else is done with it is for subclasses."""

    def __init__(
        self,
        function: ast.FunctionDef,
        made_at: ast.stmt,
        things: List[tuple[str, ast.expr]],
        notes: dict[int, Note],
    ) -> None:
        """made_at: the statement that puts them together; things: each with what it is to be called, unless it has a
        name; notes: what the comments of the statements say."""
        self.made_at, self.things, self.notes = made_at, [e for _, e in things], notes
        taken = names_used(function)
        self.items: list[ast.expr] = [
            e if isinstance(e, ast.Name | ast.Attribute) else ast.Name(new_name(taken, wish), ast.Load())
            for wish, e in things
        ]

    def rounds(self, loop: Loop) -> List[Round]:
        """What the names that a loop binds stand for, in each of its rounds; none, where it runs over other things."""
        raise NotImplementedError

    def body(self, loop: ast.For) -> list[ast.stmt]:
        """What a loop does in each round."""
        return loop.body

    # ------------------------------------------------------------ what can be written out

    def is_written(self, n: ast.AST) -> bool:
        """Whether something is a loop over the things that can be written out: it is left by nothing but a return, and
        what it binds is not bound again in it."""
        match n:
            case ast.For(orelse=[]) if rounds := self.rounds(n):
                inside = [x for s in self.body(n) for x in walk(s)]
                rebound = {x.id for x in inside if isinstance(x, ast.Name) and is_bound(x)}
                kept = not rebound & rounds[0].keys() and not any(isinstance(x, SCOPES) for x in inside)
                return kept and not leaves(without_tails(n.body))
            case ast.ListComp(generators=[g]) | ast.GeneratorExp(generators=[g]) | ast.DictComp(generators=[g]) if (
                not g.ifs and not g.is_async and self.rounds(n)
            ):
                inside = [x for e in parts(n) for x in walk(e)]
                return not any(isinstance(x, (*SCOPES, ast.comprehension, ast.NamedExpr)) for x in inside)
            case ast.ListComp(generators=[g, *more], elt=elt) | ast.GeneratorExp(generators=[g, *more], elt=elt) if (
                not g.ifs and not g.is_async and (rounds := self.rounds(n))
            ):
                inside = [x for e in (elt, *more) for x in walk(e)]
                rebound = {x.id for x in inside if isinstance(x, ast.Name) and is_bound(x)}
                own = sum(isinstance(x, ast.comprehension) for x in inside) == len(more)
                return (
                    own
                    and not rebound & rounds[0].keys()
                    and not any(isinstance(x, (*SCOPES, ast.NamedExpr)) for x in inside)
                )
        return False

    def keeps_names(self, body: Iterable[ast.stmt]) -> bool:
        """Whether what the loops bind that are written out is read by nothing behind them."""
        every = [n for s in body for n in walk(s)]
        bound = {name for n in every if isinstance(n, ast.For) and self.is_written(n) for name in self.rounds(n)[0]}
        return not bound or not any(name in bound for s in body for name in self.read(s))

    def read(self, n: ast.AST) -> Iterator[str]:
        """The names that are read, or bound, but by the loops and comprehensions that bind them themselves."""
        match n:
            case ast.Name(id=name):
                yield name
            case ast.For():
                own = read_names(n.target) | (self.rounds(n)[0].keys() if self.is_written(n) else set())
                again = {x for s in n.body for m in walk(s) if isinstance(m, ast.For) for x in read_names(m.target)}
                yield from self.read(n.iter)
                yield from (name for s in n.body for name in self.read(s) if name not in own - again)
                yield from (name for s in n.orelse for name in self.read(s))
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                own = {name for g in n.generators for name in read_names(g.target)}
                yield from (name for c in children(n) for name in self.read(c) if name not in own)
            case _:
                for c in children(n):
                    yield from self.read(c)

    # ------------------------------------------------------------ the text

    def block(self, body: Iterable[ast.stmt]) -> list[ast.stmt]:
        return [x for s in body for x in self.statement(s)]

    def item(self, k: int, like: ast.expr) -> ast.expr:
        """What one of the things is called."""
        return made(copy.deepcopy(self.items[k]), like)

    def named_things(self) -> list[ast.stmt]:
        """The statements that give names to the things which have none."""
        out: list[ast.stmt] = []
        for item, e in zip(self.items, self.things, strict=True):
            if item is not e and isinstance(item, ast.Name):
                out.append(made(ast.Assign([made(ast.Name(item.id, ast.Store()), e)], e), e))
        if out:
            self.notes[id(out[0])] = self.notes.get(id(self.made_at), NOTHING)
        return out

    def statement(self, s: ast.stmt) -> list[ast.stmt]:
        if s is self.made_at:
            return self.named_things()
        if isinstance(s, ast.For) and self.is_written(s):
            return in_turn([folded(self.block(self.one_round(s, found))) for found in self.rounds(s)])
        for inner in blocks_of(s):
            inner[:] = self.block(inner)
        blocks = {id(x) for inner in blocks_of(s) for x in inner}
        for field, value in ast.iter_fields(s):
            if isinstance(value, ast.expr):
                setattr(s, field, self.visit(value))
            elif isinstance(value, list):
                value[:] = [x if id(x) in blocks or not isinstance(x, ast.AST) else self.visit(x) for x in value]
        return [s]

    def one_round(self, loop: ast.For, found: Round) -> list[ast.stmt]:
        """The body of a loop in one round: a copy, as the text is read again by others."""
        return with_values(copied_body(self.body(loop), self.notes), found, self.notes)

    def comprehension(self, node: Comprehension) -> ast.expr:
        if not self.is_written(node):
            self.generic_visit(node)
            return node
        if len(node.generators) > 1:  # [f(p) for l in layers for p in l.ps]
            assert isinstance(node, ast.ListComp | ast.GeneratorExp)
            inner = made(ast.ListComp(node.elt, node.generators[1:]), node)
            each = [self.visit(with_value(copy.deepcopy(inner), r)) for r in self.rounds(node)]
            return made(ast.List([made(ast.Starred(e, ast.Load()), node) for e in each], ast.Load()), node)
        rows = [[self.visit(with_value(copy.deepcopy(e), r)) for e in parts(node)] for r in self.rounds(node)]
        if isinstance(node, ast.DictComp):
            return made(ast.Dict([k for k, _ in rows], [v for _, v in rows]), node)
        return made(ast.List([x for row in rows for x in row], ast.Load()), node)

    visit_ListComp = visit_GeneratorExp = visit_DictComp = comprehension


class Flat(ast.NodeTransformer):
    """Lists of what is shown as one: `[*[a, b], c]` as `[a, b, c]`, and `[p for p in [a, b]]` as `[a, b]`."""

    def visit_List(self, node: ast.List) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load):
            node.elts = [x for e in node.elts for x in shown(e)]
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.ListComp(
                elt=ast.Name(id=item),
                generators=[ast.comprehension(target=ast.Name(id=name), iter=ast.List(elts=elts), ifs=[])],
            ) if item == name and not any(isinstance(e, ast.Starred) for e in elts):
                return made(ast.List(elts, ast.Load()), node)
        return node


def shown(e: ast.expr) -> list[ast.expr]:
    match e:
        case ast.Starred(value=ast.List(elts=elts)):
            return elts
    return [e]


def header(loop: Loop) -> ast.For | ast.comprehension:
    """What has the target of a loop, and what it runs over."""
    return loop if isinstance(loop, ast.For) else loop.generators[0]


def parts(e: Comprehension) -> list[ast.expr]:
    """What a comprehension makes for each item."""
    return [e.key, e.value] if isinstance(e, ast.DictComp) else [e.elt]


def without_tails(body: List[ast.stmt]) -> list[ast.stmt]:
    """The statements without the `break` of `if test: ...; break`, behind which the rest is the other branch."""
    return [x for s in body for x in (s.body[:-1] if is_tail(s) else [s])]


def is_tail(s: ast.stmt) -> TypeGuard[ast.If]:
    return isinstance(s, ast.If) and not s.orelse and isinstance(s.body[-1], ast.Break)


def in_turn(rounds: List[list[ast.stmt]]) -> list[ast.stmt]:
    """The rounds of a loop one after the other, those behind a `break` in its other branch."""
    if not rounds:
        return []
    body = rounds[0]
    last = next((i for i, s in enumerate(body) if isinstance(s, ast.Break)), None)  # of which the test is decided
    body, rest = (body, in_turn(rounds[1:])) if last is None else (body[:last], [])
    for i, s in reversed(list(enumerate(body))):
        if is_tail(s):
            s.body[-1:] = [] if len(s.body) > 1 else [ast.copy_location(ast.Pass(), s)]
            s.orelse, rest, body = [*body[i + 1 :], *rest], [], body[: i + 1]
    return [*body, *rest]


def leaves(body: List[ast.stmt]) -> bool:
    """Whether a break or continue of this loop stands in its body."""
    for s in body:
        if isinstance(s, ast.Break | ast.Continue):
            return True
        if not isinstance(s, ast.For | ast.While) and any(leaves(b) for b in blocks_of(s)):
            return True
    return False


__all__ = ["LONGEST", "Flat", "Loop", "Round", "Unrolling", "header", "parts"]
