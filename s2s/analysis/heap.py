"""Which lists a name may be bound to: what gets longer or shorter where something else must not see it.

    M = L
    for a in M:             the loop sees what L gets
        L.append(a)
    row = rows[0]
    row.pop()               the caller of the function sees it, where rows is a parameter

Lists are known by the statements that make them: of each, the list that was made last is told from those made before.
(Balakrishnan and Reps, Recency-Abstraction for Heap-Allocated Storage, SAS 2006.)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from s2s import ir
from s2s.analysis.aliases import CONTAINERS
from s2s.analysis.facts import Facts
from s2s.analysis.loops import Header
from s2s.ir import Block, Expr, Index, Op, Stmt, Var

Object = tuple[object, bool]  # what made it (a parameter by its name), and whether it is the last that this made
Objects = frozenset[Object]
Env = dict[str, Objects]
NOTHING: Objects = frozenset()
LAZY = ("builtins.enumerate", "builtins.zip", "builtins.reversed", "builtins.map", "builtins.filter")


class Seen(NamedTuple):
    """Changes of lists that something else sees: a loop that runs over the list, with its name, and callers."""

    by_loops: list[tuple[str, ir.For]]
    by_callers: list[ir.Append]


def changes_seen(f: ir.Function, facts: Facts, headers: Mapping[int, Header]) -> Seen:
    """The statements that make lists longer or shorter where a loop or the caller sees it.

    headers: of loops over sequences, by id, as they were written.
    """
    every = list(ir.statements(f.body))
    inside = (t for s in every if isinstance(s, ir.For) for t in ir.statements(s.body))
    taken = taken_from_others(every)
    if not taken and not any(isinstance(t, ir.Append) for t in inside):
        return Seen([], [])
    found = _Heap(facts, {i: h.iterable for i, h in headers.items()})
    bound = {n for s in every for n in (*ir.binds(s), *(ir.target_names(s.target) if isinstance(s, ir.For) else ()))}
    read = {n for s in every for e in ir.expressions(s) for n in ir.reads(e)}
    theirs = {n for n in read | set(f.names) if ir.root_name(n) in f.names or n not in bound}
    # what may be an array is not taken for a list later
    found.block(f.body, {n: frozenset({(n, True)}) for n in theirs if facts.of(Var(n)).kind in CONTAINERS})
    of = {id(s): found.resized.get(id(s), NOTHING) for s in taken}
    seen = [s for s in taken if given(of[id(s)]) or not (of[id(s)] or isinstance(s, ir.Shrink))]
    return Seen(list(found.by_loops.values()), seen)


def taken_from_others(every: list[Stmt]) -> list[ir.Append]:
    """What takes items from a list, and what appends to one under a name that is bound to other than new lists."""
    new = [s for s in every if isinstance(s, ir.Assign) and isinstance(s.value, ir.Sequence | ir.Comprehension)]
    made = {s.target for s in new} - {n for s in every if s not in new for n in ir.binds(s)}
    return [s for s in every if isinstance(s, ir.Shrink) or (isinstance(s, ir.Append) and s.array not in made)]


class _Heap:
    def __init__(self, facts: Facts, written: Mapping[int, Expr]) -> None:
        self.facts, self.written = facts, written
        self.inside: dict[object, Objects] = {}  # what the objects that one statement makes hold
        self.around: list[tuple[ir.For, Objects]] = []
        self.by_loops: dict[int, tuple[str, ir.For]] = {}
        self.resized: dict[int, Objects] = {}  # what statements append to, or take from

    def held(self, objects: Objects) -> Objects:
        """What objects hold; what lies in a parameter stands for itself."""
        return given(objects).union(*(self.inside.get(site, NOTHING) for site, _ in objects))

    def reachable(self, objects: Objects) -> Objects:
        while not (more := self.held(objects)) <= objects:
            objects |= more
        return objects

    def put(self, objects: Objects, value: Objects) -> None:
        for site, _ in objects:
            self.inside[site] = self.inside.get(site, NOTHING) | value

    def value(self, e: Expr, env: Env) -> Objects | None:
        """The objects that a value may be; None for a new one. What that holds, `contents` tells."""
        kind = self.facts.of(e).kind
        if kind not in (*CONTAINERS, "any") or self.facts.is_array(e):
            return NOTHING
        match e:
            case Var(name=name):
                return env.get(name, NOTHING)
            case Index(key=ir.Slice()) | ir.Sequence() | ir.Dict() | ir.Comprehension():
                return None
            case Index(array=array):
                whole = self.value(array, env)
                return self.held(self.contents(array, env) if whole is None else whole)
            case Op(fn="operator.ifexp" | "operator.or" | "operator.and", args=args):
                values = [self.value(a, env) for a in args]
                return NOTHING.union(*(v for v in values if v is not None))
            case Op(fn="method.pop", args=(Var(name=name), *_)):
                return self.held(env.get(name, NOTHING))
            case Op(fn=fn) if fn.startswith(("numpy.", "math.", "scipy.", "operator.")):
                return None if kind in CONTAINERS else NOTHING  # lists that are joined, or repeated
            case Op(fn="builtins.list" | "builtins.tuple" | "builtins.dict" | "builtins.sorted"):
                return None
        return self.contents(e, env)  # of a helper: any of what it is given, or of what lies in it

    def contents(self, e: Expr, env: Env) -> Objects:
        """All that lies in what an expression reads, and that itself."""
        return self.reachable(NOTHING.union(*(env.get(n, NOTHING) for n in ir.reads(e))))

    def within(self, e: Expr, env: Env) -> Objects:
        """The displays in a display."""
        inner = e.items if isinstance(e, ir.Sequence) else e.values if isinstance(e, ir.Dict) else ()
        found = NOTHING
        for i in inner:
            if isinstance(i, ir.Sequence | ir.Dict):
                new = frozenset({(id(i), False)})
                self.put(new, self.contents(i, env) | self.within(i, env))
                found |= new
        return found

    def bind(self, s: Stmt, name: str, e: Expr, env: Env) -> None:
        value = self.value(e, env)
        made = value is None or (isinstance(e, Op) and e.fn.startswith(("local.", "operator.")))
        if made:
            new = self.made(s, e, env)
            value = (new if value is None else value | new) | self.of_module(e)
        assert value is not None
        env[name] = value

    def made(self, s: Stmt, e: Expr, env: Env) -> Objects:
        """What a statement makes; what it made before is no longer the last."""
        new, old = (id(s), True), (id(s), False)
        for n, objects in env.items():
            if new in objects:
                env[n] = objects - {new} | {old}
        for site, objects in self.inside.items():
            if new in objects:
                self.inside[site] = objects - {new} | {old}
        self.put(frozenset({new}), self.contents(e, env) | self.within(e, env) | self.of_module(e, inside=True))
        return frozenset({new})

    def of_module(self, e: Expr, inside: bool = False) -> Objects:
        """What the module has, and a helper returns; inside: what lies in that."""
        calls = ir.helper_calls(e) if self.facts.calls is not None else ()
        return frozenset((n, True) for call in calls for n in self.facts.calls.module_parts(call, inside))

    def unpack(self, s: Stmt, names: tuple[str, ...], e: Expr, env: Env) -> None:
        """The parts of what a helper returns, which may be one list, or lie in what it is given."""
        value = self.contents(e, env)
        if isinstance(e, Op) and e.fn.startswith("local."):
            value |= self.made(s, e, env) | self.of_module(e)
        env.update(dict.fromkeys(names, value))

    def iterated(self, e: Expr, env: Env) -> Objects:
        if isinstance(e, Op) and e.fn in LAZY:
            return NOTHING.union(*(self.iterated(a, env) for a in e.args))
        value = self.value(e, env)
        return NOTHING if value is None else value

    def block(self, block: Block, env: Env) -> None:
        for s in block:
            self.statement(s, env)

    def statement(self, s: Stmt, env: Env) -> None:
        match s:
            case ir.Assign():
                self.bind(s, s.target, s.value, env)
            case ir.Unpack(targets=targets, value=value):
                self.unpack(s, targets, value, env)
            case ir.Append(array=name, value=value):
                objects = env.get(name, NOTHING)
                self.resized[id(s)] = self.resized.get(id(s), NOTHING) | objects
                if given(objects):
                    return
                for loop, over in self.around:
                    if objects & over:
                        self.by_loops.setdefault(id(loop), (name, loop))
                if not isinstance(s, ir.Shrink):
                    self.put(objects, self.stored(s, value, env))
            case ir.Store(target=target, value=value):
                base = self.value(target.array, env)
                self.put(self.contents(target.array, env) if base is None else base, self.stored(s, value, env))
            case ir.If():
                other = dict(env)
                self.block(s.body, env)
                self.block(s.orelse, other)
                join(env, other)
            case ir.For() | ir.While():
                self.loop(s, env)

    def stored(self, s: Stmt, e: Expr, env: Env) -> Objects:
        value = self.value(e, env)
        if value is not None:
            return value
        new = frozenset({(id(s), False)})
        self.put(new, self.contents(e, env) | self.within(e, env))
        return new

    def loop(self, s: ir.For | ir.While, env: Env) -> None:
        while True:
            before, size = dict(env), sum(map(len, self.inside.values()))
            inner = dict(env)
            if isinstance(s, ir.For):
                iterable = self.written.get(id(s), s.iterable)
                over = self.iterated(iterable, env)
                for t in ir.target_names(s.target):
                    inner[t] = self.held(over) if over else self.contents(iterable, env)
                self.around.append((s, over))
            self.block(s.body, inner)
            if isinstance(s, ir.For):
                self.around.pop()
            join(env, inner)
            if env == before and size == sum(map(len, self.inside.values())):
                return


def given(objects: Objects) -> Objects:
    """Those that are, or lie in, parameters or what the module has."""
    return frozenset(o for o in objects if isinstance(o[0], str))


def join(env: Env, other: Env) -> None:
    for name, objects in other.items():
        env[name] = env.get(name, NOTHING) | objects
