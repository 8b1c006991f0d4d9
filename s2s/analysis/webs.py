"""Splits the lives of a name: definitions that reach a common read stay one variable, others get names of their own.

After this pass a straight-line redefinition (`x = np.sin(x)`) is a new variable, and only names that loops carry or
branches merge have several definitions. Facts can then be kept per name, without regard to the place, and most values
that a reverse sweep needs are simply still bound. The emitter gives the lives one name again where they do not meet.
(Webs: Muchnick, Advanced Compiler Design and Implementation, section 16.3.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from s2s import ir
from s2s.frozen import replace
from s2s.ir import Block, Expr, Stmt, Var

Definition = tuple[int, int]  # (id of the statement, position of the target); parameters: (0, position)
Env = dict[str, frozenset[Definition]]


def split(f: ir.Function, taken: Iterable[str] = ()) -> tuple[ir.Function, dict[str, str]]:
    """`f` with one name a web, and the user's name of each new one."""
    new, base = _Splitter(f, set(taken)).run()
    return without_copies(new), base


def without_copies(f: ir.Function) -> ir.Function:
    """`new = {}`, a loop that fills it, and `d = new`, all of one statement of the user's, with `d` alone where that is
    a variable of its own now: what is computed does not read it."""
    every = list(ir.statements(f.body))
    bound = Counter([*f.names, *(n for s in every for n in ir.binds(s))])
    for copy in every:
        if not isinstance(copy, ir.Assign) or not isinstance(copy.value, Var) or copy.origin is None:
            continue
        new, old = copy.value.name, copy.target
        if (bound[new], bound[old]) != (1, 1) or not any(isinstance(s, ir.Assign) and is_empty(s, new) for s in every):
            continue
        own = [s for s in every if s is not copy and s.origin is not None and s.origin.span == copy.origin.span]
        elsewhere = any(new in mentioned(s) for s in every if s is not copy and s not in own)
        if not elsewhere and not any(old in mentioned(s) for s in own):
            return without_copies(replace(f, body=ir.renamed_in(f.body, {new: Var(old)})))
    return f


def is_empty(s: ir.Assign, name: str) -> bool:
    return s.target == name and isinstance(s.value, ir.Dict) and not s.value.keys


def mentioned(s: Stmt) -> frozenset[str]:
    """The names that a statement itself binds, reads or writes into."""
    grown = (s.array,) if isinstance(s, ir.Append) else ()
    return frozenset((*ir.binds(s), *grown)).union(*map(ir.reads, ir.expressions(s)))


def merge(envs: list[Env | None]) -> Env | None:
    """What reaches a point that several paths lead to; None is a path that does not get there."""
    alive = [e for e in envs if e is not None]
    if not alive:
        return None
    out = dict(alive[0])
    for env in alive[1:]:
        for name, defs in env.items():
            out[name] = out.get(name, frozenset()) | defs
    return out


class _Splitter:
    def __init__(self, f: ir.Function, taken: set[str]) -> None:
        self.f = f
        self.taken = taken
        self.parent: dict[Definition, Definition] = {}
        self.order: list[tuple[Definition, str]] = []
        self.heads: dict[int, Env] = {}
        self.breaks: list[list[Env]] = []
        self.renaming = False
        self.names: dict[Definition, str] = {}

    def run(self) -> tuple[ir.Function, dict[str, str]]:
        env: Env = {}
        for i, name in enumerate(self.f.names):
            env[name] = self.define((0, i), name)
        self.block(self.f.body, dict(env))
        base = self.choose_names()
        self.renaming = True
        body, _ = self.block(self.f.body, dict(env))
        return replace(self.f, body=body), base

    # union-find
    def find(self, d: Definition) -> Definition:
        while self.parent[d] != d:
            self.parent[d] = self.parent[self.parent[d]]
            d = self.parent[d]
        return d

    def define(self, d: Definition, name: str) -> frozenset[Definition]:
        if d not in self.parent:
            self.parent[d] = d
            self.order.append((d, name))
        return frozenset((d,))

    def use(self, name: str, env: Env) -> None:
        defs = sorted(env.get(name, ()))
        for d in defs[1:]:
            a, b = self.find(defs[0]), self.find(d)
            if a != b:
                self.parent[max(a, b)] = min(a, b)

    def choose_names(self) -> dict[str, str]:
        base: dict[str, str] = {}
        counts: dict[str, int] = {}
        taken = self.taken | {n for _, n in self.order}
        for d, name in self.order:
            root = self.find(d)
            if root in self.names:
                continue
            new = name
            if name in counts:
                while new == name or new in taken:
                    counts[name] += 1
                    new = f"{name}_{counts[name]}"
                taken.add(new)
            else:
                counts[name] = 0
            self.names[root] = new
            base[new] = name
        return base

    # the walk, done twice: first it unites, then it renames
    def expr(self, e: Expr, env: Env) -> Expr:
        if not self.renaming:
            for name in ir.reads(e):
                self.use(name, env)
            return e
        renamed = {n: Var(w) for n in ir.reads(e) if (w := self.web(n, env)) != n}
        return ir.rename(e, renamed) if renamed else e

    def web(self, name: str, env: Env) -> str:
        defs = env.get(name)
        return self.names[self.find(min(defs))] if defs else name

    def bind(self, s: Stmt, position: int, name: str, env: Env) -> str:
        env[name] = self.define((id(s), position), name)
        return self.web(name, env) if self.renaming else name

    def block(self, block: Block, env: Env | None) -> tuple[Block, Env | None]:
        out: list[Stmt] = []
        for s in block:
            if env is None:
                break
            new, env = self.statement(s, env)
            out.append(new)
        return tuple(out), env

    def statement(self, s: Stmt, env: Env) -> tuple[Stmt, Env | None]:
        match s:
            case ir.Assign():
                value = self.expr(s.value, env)
                target = self.bind(s, 0, s.target, env)
                return self.same(s, replace(s, target=target, value=value)), env
            case ir.Unpack():
                value = self.expr(s.value, env)
                targets = tuple(self.bind(s, i, t, env) for i, t in enumerate(s.targets))
                return self.same(s, replace(s, targets=targets, value=value)), env
            case ir.Append():
                array = self.expr(Var(s.array), env)
                assert isinstance(array, Var)
                return replace(s, array=array.name, value=self.expr(s.value, env)), env
            case ir.Store():
                place = self.expr(s.target, env)
                assert isinstance(place, ir.Index)
                return replace(s, target=place, value=self.expr(s.value, env)), env
            case ir.Inert():
                return replace(s, values=tuple(self.expr(v, env) for v in s.values)), (
                    None if s.keyword == "raise" else env
                )
            case ir.Return():
                return replace(s, value=self.expr(s.value, env)), None
            case ir.Break():
                self.breaks[-1].append(dict(env))
                return s, None
            case ir.If():
                test = self.expr(s.test, env)
                body, a = self.block(s.body, dict(env))
                orelse, b = self.block(s.orelse, dict(env))
                return replace(s, test=test, body=body, orelse=orelse), merge([a, b])
            case ir.For() | ir.While():
                return self.loop(s, env)
            case ir.Comment():
                return s, env
        raise TypeError(f"not expected before derivation: {type(s).__name__}")

    def same(self, old: Stmt, new: Stmt) -> Stmt:
        return new if self.renaming else old

    def loop(self, s: ir.For | ir.While, env: Env) -> tuple[Stmt, Env | None]:
        iterable = self.expr(s.iterable, env) if isinstance(s, ir.For) else None
        before = merge([env, self.heads.get(id(s))])  # what reached the head on an earlier pass, too
        assert before is not None
        head = before
        while True:
            inner = dict(head)
            self.breaks.append([])
            test = self.expr(s.test, inner) if isinstance(s, ir.While) else None
            target = None
            if isinstance(s, ir.For):
                renamed = {n: Var(self.bind(s, i, n, inner)) for i, n in enumerate(ir.target_names(s.target))}
                target = ir.substitute(s.target, dict(renamed))
            body, end = self.block(s.body, inner)
            breaks = self.breaks.pop()
            again = merge([head, end])
            assert again is not None
            if again == head:
                break
            head = again
        self.heads[id(s)] = head
        endless = isinstance(s, ir.While) and isinstance(s.test, ir.Const) and bool(s.test.value)
        after = merge([None if endless else head, *breaks])
        if isinstance(s, ir.For):
            assert target is not None and iterable is not None
            return replace(s, target=target, iterable=iterable, body=body), after
        assert test is not None
        return replace(s, test=test, body=body), after
