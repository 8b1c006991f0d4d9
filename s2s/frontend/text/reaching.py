"""Which bindings of a name reach the places where it is read (reaching definitions, over the syntax tree).

    values = [x]            values[0] below is of this list, or of that one:
    for i in range(n):
        new = []
        new.append(values[0])
        values = new

Loops are walked until nothing more is found. (Muchnick, Advanced Compiler Design and Implementation, section 8.1.)
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from s2s.frontend.text.scopes import SCOPES, bound_names, children, parameters, walk

Env = dict[str, frozenset[int]]  # by name: the ids of the expressions that it may be bound to
UNKNOWN = 0  # a parameter, a target of a loop, a part of what is unpacked


class Reaching:
    """The values that a name may be bound to where it is read; `of` asks."""

    def __init__(self, function: ast.FunctionDef) -> None:
        self.values: dict[int, ast.expr] = {}
        self.at: dict[int, frozenset[int]] = {}
        self.breaks: list[list[Env]] = []
        self.continues: list[list[Env]] = []
        self.raised: list[list[Env]] = []
        self.block(function.body, {p.arg: frozenset((UNKNOWN,)) for p in parameters(function)})

    def of(self, name: ast.Name) -> list[ast.expr] | None:
        """The values that a name may have where this node reads it; None where one of them is not known."""
        found = self.at.get(id(name), frozenset())
        return None if not found or UNKNOWN in found else [self.values[i] for i in sorted(found)]

    def read(self, node: ast.AST | None, env: Env) -> None:
        """Notes the names that an expression reads. What a function inside reads, it reads when it is called."""
        todo = [] if node is None else [node]
        while todo:
            n = todo.pop()
            if isinstance(n, SCOPES):
                continue
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load):
                self.at[id(n)] = self.at.get(id(n), frozenset()) | env.get(n.id, frozenset((UNKNOWN,)))
            if isinstance(n, ast.NamedExpr):
                self.bind(n.target, None, env)
            todo += children(n)

    def bind(self, target: ast.expr, value: ast.expr | None, env: Env) -> None:
        match target, value:
            case ast.Name(id=name), ast.expr():
                self.values[id(value)] = value
                env[name] = frozenset((id(value),))
            case (
                (ast.Tuple(elts=targets) | ast.List(elts=targets)),
                (ast.Tuple(elts=values) | ast.List(elts=values)),
            ) if len(targets) == len(values) and not any(isinstance(e, ast.Starred) for e in (*targets, *values)):
                for t, v in zip(targets, values, strict=True):
                    self.bind(t, v, env)
            case _:
                for name in bound_names(walk(target)):
                    env[name] = frozenset((UNKNOWN,))

    def block(self, body: Iterable[ast.stmt], env: Env | None) -> Env | None:
        for s in body:
            if env is None:
                break
            env = self.statement(s, env)
            if env is not None:
                for states in self.raised:
                    states.append(dict(env))
        return env

    def statement(self, s: ast.stmt, env: Env) -> Env | None:
        match s:
            case ast.Assign(targets=targets, value=value):
                self.read(value, env)
                for t in targets:
                    self.read(t, env)
                    self.bind(t, value if len(targets) == 1 else None, env)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self.read(value, env)
                self.read(target, env)
                self.bind(target, value, env)
            case ast.AugAssign(target=target, value=value):  # a list stays one
                self.read(value, env)
                self.read(target, env)
                if isinstance(target, ast.Name):
                    self.at[id(target)] = self.at.get(id(target), frozenset()) | env.get(
                        target.id, frozenset((UNKNOWN,))
                    )
            case ast.If(test=test, body=body, orelse=orelse):
                self.read(test, env)
                return merged([self.block(body, dict(env)), self.block(orelse, dict(env))])
            case ast.For() | ast.AsyncFor() | ast.While():
                return self.loop(s, env)
            case ast.Try() | ast.TryStar():
                return self.tried(s, env)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                for item in items:
                    self.read(item.context_expr, env)
                    if item.optional_vars is not None:
                        self.bind(item.optional_vars, None, env)
                return self.block(body, env)
            case ast.Match(subject=subject, cases=cases):
                self.read(subject, env)
                ends: list[Env | None] = [env]
                for case in cases:
                    inner = dict(env)
                    inner.update(dict.fromkeys(bound_names(walk(case.pattern)), frozenset((UNKNOWN,))))
                    self.read(case.guard, inner)
                    ends.append(self.block(case.body, inner))
                return merged(ends)
            case ast.Return() | ast.Raise():
                for e in children(s):
                    self.read(e, env)
                return None
            case ast.Break():
                self.breaks[-1].append(env)
                return None
            case ast.Continue():
                self.continues[-1].append(env)
                return None
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                bound = {s.name, *(x for n in walk(s) if isinstance(n, ast.Nonlocal | ast.Global) for x in n.names)}
                env.update(dict.fromkeys(bound, frozenset((UNKNOWN,))))
            case _:
                for e in children(s):
                    self.read(e, env)
                    env.update(dict.fromkeys(bound_names(walk(e)), frozenset((UNKNOWN,))))
        return env

    def loop(self, s: ast.For | ast.AsyncFor | ast.While, env: Env) -> Env | None:
        if not isinstance(s, ast.While):
            self.read(s.iter, env)
        head = env
        while True:
            inner = dict(head)
            if isinstance(s, ast.While):
                self.read(s.test, inner)
            else:
                self.bind(s.target, None, inner)
            self.breaks.append([])
            self.continues.append([])
            end = self.block(s.body, inner)
            breaks, continues = self.breaks.pop(), self.continues.pop()
            again = merged([head, end, *continues])
            assert again is not None
            if again == head:
                break
            head = again
        ended = self.block(s.orelse, dict(head))
        endless = isinstance(s, ast.While) and isinstance(s.test, ast.Constant) and bool(s.test.value)
        return merged([None if endless else ended, *breaks])

    def tried(self, s: ast.Try | ast.TryStar, env: Env) -> Env | None:
        self.raised.append([dict(env)])
        end = self.block(s.body, dict(env))
        begun = merged([*self.raised.pop()])
        assert begun is not None
        ends = [None if end is None else self.block(s.orelse, end)]
        for h in s.handlers:
            inner = dict(begun)
            if h.name is not None:
                inner[h.name] = frozenset((UNKNOWN,))
            ends.append(self.block(h.body, inner))
        after = merged(ends)
        if s.finalbody:
            self.block(s.finalbody, dict(begun))  # on the way out, with what had been bound by then
            after = None if after is None else self.block(s.finalbody, after)
        return after


def merged(envs: list[Env | None]) -> Env | None:
    """What reaches a point that several paths lead to; None is a path that does not get there."""
    alive = [e for e in envs if e is not None]
    if not alive:
        return None
    out = dict(alive[0])
    for env in alive[1:]:
        for name, defs in env.items():
            out[name] = out.get(name, frozenset()) | defs
    return out


__all__ = ["Reaching"]
