"""Loops over sequences become loops over an index, with the items as first statements of the body.

`for h, y in zip(hs, ys)` is then a loop over t with `h = hs[t]` and `y = ys[t]`: ordinary statements for every later
stage. The emitter prints the user's header again where nothing but the items needed the index.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from s2s import ir
from s2s.frozen import replace
from s2s.ir import Block, Const, Expr, Index, Op, Stmt, Var

ZERO, ONE = Const(0), Const(1)


@dataclass(frozen=True, slots=True)
class Header:
    """How the user wrote a loop: its target and iterable, and the items that stand at the head of the body now."""

    target: Expr
    iterable: Expr
    items: tuple[ir.Assign, ...]
    index: str


def call(fn: str, *args: Expr) -> Op:
    return Op("builtins." + fn, args)


def index_loops(f: ir.Function, taken: Iterable[str]) -> tuple[ir.Function, dict[int, Header]]:
    """`f` with loops over ranges only, and the headers of those that were changed, by id of the new statement."""
    rewriter = _Rewriter(set(taken), _bound_otherwise(f))
    return replace(f, body=rewriter.block(f.body)), rewriter.headers


def rewritten(
    f: ir.Function, headers: dict[int, Header], steps: Callable[[Stmt], Iterable[Stmt]]
) -> tuple[ir.Function, dict[int, Header]]:
    """The function with what `steps` gives for each statement, and the headers of its loops.

    The items of a header stay together at the head of the body: what `steps` adds stands behind them.
    """
    moved: dict[int, Header] = {}

    def block(body: Block) -> Block:
        out: list[Stmt] = []
        for s in body:
            new = ir.with_blocks(s, block)
            if id(s) in headers:
                assert isinstance(new, ir.For)
                items = headers[id(s)].items
                new = replace(new, body=(*items, *(t for t in new.body if all(t is not i for i in items))))
                moved[id(new)] = headers[id(s)]
            out += steps(new)
        return tuple(out)

    return replace(f, body=block(f.body)), headers | moved


def over_keys(f: ir.Function, loops: Collection[tuple[ir.Origin, str, str]], taken: Iterable[str]) -> ir.Function:
    """The function with lists of keys for the dicts that these loops run over, each given with its variable, and with
    what lists them.

    for k in d: ...         d_keys = list(d)
                            for k in d_keys: ...
    """
    own = set(taken)
    by: dict[tuple[ir.Origin | None, str], str] = {(origin, d): fn for origin, d, fn in loops}

    def fresh(d: str) -> str:
        wish = "keys" if re.fullmatch(r"t\d+", d) else f"{d}_keys"
        name = ir.free_name(wish, own)
        own.add(name)
        return name

    def block(body: Block) -> Block:
        out: list[Stmt] = []
        for s in body:
            s = ir.with_blocks(s, block)
            if isinstance(s, ir.For):
                dicts = {v.name: (v, by[s.origin, v.name]) for v in sources(s.iterable) if (s.origin, v.name) in by}
                keys = {d: fresh(d) for d in dicts}
                out += [ir.Assign(keys[d], Op(fn, (v,), spelling="list"), s.origin) for d, (v, fn) in dicts.items()]
                s = replace(s, iterable=ir.substitute(s.iterable, {d: Var(k) for d, k in keys.items()}))
            out.append(s)
        return tuple(out)

    return replace(f, body=block(f.body))


def sources(iterable: Expr) -> Iterator[Var]:
    """The variables whose items a loop takes."""
    match iterable:
        case Var():
            yield iterable
        case Op(fn="builtins.zip" | "builtins.reversed", args=args):
            for a in args:
                yield from sources(a)
        case Op(fn="builtins.enumerate", args=(first, *_)):
            yield from sources(first)


class _Rewriter:
    def __init__(self, taken: set[str], otherwise: set[str]) -> None:
        self.taken = taken
        self.otherwise = otherwise
        self.headers: dict[int, Header] = {}
        self.depth: list[str] = []

    def fresh(self, *choices: str) -> str:
        for name in choices:
            if name not in self.taken:
                return name
        last = choices[0] if len(choices) == 1 else "i"  # t1, t2, ... are values without a name
        n = 1
        while f"{last}{n}" in self.taken:
            n += 1
        return f"{last}{n}"

    def block(self, block: Block) -> Block:
        out: list[Stmt] = []
        for s in block:
            match s:
                case ir.If():
                    out.append(replace(s, body=self.block(s.body), orelse=self.block(s.orelse)))
                case ir.While():
                    out.append(replace(s, body=self.block(s.body)))
                case ir.For():
                    out += self.loop(s)
                case _:
                    out.append(s)
        return tuple(out)

    def loop(self, s: ir.For) -> list[Stmt]:
        if is_range(s.iterable) and isinstance(s.target, Var) and s.target.name not in self.otherwise:
            return [replace(s, body=self.block(s.body))]
        before: list[Stmt] = []
        index = self.own_index(s) or self.fresh("t", "i", "k", "j")
        self.taken.add(index)
        items: list[ir.Assign] = []
        length = self.items(s.target, s.iterable, Var(index), items, before, s)
        body = tuple(items) + self.block(s.body)
        iterable = Op("builtins.range", (length,))
        new = ir.For(Var(index), iterable, body, s.origin)
        self.headers[id(new)] = Header(s.target, s.iterable, tuple(items), index)
        self.keep = getattr(self, "keep", [])
        self.keep.append(new)
        return [*before, new]

    def own_index(self, s: ir.For) -> str:
        """The user's own index, where the loop enumerates from 0."""
        match s.iterable, s.target:
            case Op(fn="builtins.enumerate", args=(_,), options=()), ir.Sequence(items=(Var(name=name), _)):
                return "" if name in self.otherwise else name
        return ""

    def items(
        self, target: Expr, iterable: Expr, at: Expr, out: list[ir.Assign], before: list[Stmt], s: ir.For
    ) -> Expr:
        """Adds the statements that bind `target` to item `at` of `iterable`; returns the number of items."""
        bounds = _range_of(iterable)
        if bounds is not None:
            start, stop, step = bounds
            scaled = at if step == ONE else _times(at, step)
            self.bind(target, scaled if start == ZERO else _plus(start, scaled), out, s)
            return stop if (start, step) == (ZERO, ONE) else call("len", iterable)
        match iterable:
            case Op(fn="builtins.zip", args=args, options=()) if args and isinstance(target, ir.Sequence):
                lengths = [self.items(t, a, at, out, before, s) for t, a in zip(target.items, args, strict=True)]
                unique = list(dict.fromkeys(lengths))
                return unique[0] if len(unique) == 1 else call("min", *unique)
            case Op(fn="builtins.enumerate", args=args) if isinstance(target, ir.Sequence):
                start = args[1] if len(args) > 1 else dict(iterable.options).get("start", ZERO)
                length = self.items(target.items[1], args[0], at, out, before, s)
                number = at if start == ZERO else _plus(start, at)
                if not (isinstance(number, Var) and number == target.items[0]):
                    self.bind(target.items[0], number, out, s)
                return length
            case Op(fn="builtins.reversed", args=(inner,)) if isinstance(inner, Var):
                key = Op(
                    "numpy.subtract", (Op("numpy.negative", (ONE,), form=ir.Form.OPERATOR), at), form=ir.Form.OPERATOR
                )
                self.bind(target, Index(inner, key), out, s)
                return call("len", inner)
            case Var():
                self.bind(target, Index(iterable, at), out, s)
                return call("len", iterable)
        name = self.fresh("items")
        self.taken.add(name)
        before.append(ir.Assign(name, call("list", iterable), s.origin))
        self.bind(target, Index(Var(name), at), out, s)
        return call("len", Var(name))

    def bind(self, target: Expr, value: Expr, out: list[ir.Assign], s: ir.For) -> None:
        if isinstance(target, Var):
            out.append(ir.Assign(target.name, value, s.origin))
            return
        for i, t in enumerate(ir.children(target)):
            self.bind(t, Index(value, Const(i)), out, s)


def _bound_otherwise(f: ir.Function) -> set[str]:
    """Names that hold other things than numbers of loops: a loop that binds one ends the life of what it held."""
    bound: set[str] = set()
    for s in ir.statements(f.body):
        match s:
            case ir.For(target=Var(), iterable=it) if is_range(it):
                pass
            case ir.For(target=ir.Sequence(items=(Var(name=i), *rest)), iterable=Op(fn="builtins.enumerate")):
                bound |= {n for e in rest for n in ir.target_names(e)} - {i}
            case ir.Assign(value=Const()):
                pass
            case _:
                bound |= set(ir.binds(s))
    return bound | set(f.names)


def _plus(a: Expr, b: Expr) -> Expr:
    return Op("numpy.add", (a, b), form=ir.Form.OPERATOR)


def _times(a: Expr, b: Expr) -> Expr:
    return Op("numpy.multiply", (a, b), form=ir.Form.OPERATOR)


def _range_of(e: Expr) -> tuple[Expr, Expr, Expr] | None:
    match e:
        case Op(fn="builtins.range", args=(stop,)):
            return ZERO, stop, ONE
        case Op(fn="builtins.range", args=(start, stop)):
            return start, stop, ONE
        case Op(fn="builtins.range", args=(start, stop, step)):
            return start, stop, step
    return None


def is_range(e: Expr) -> bool:
    """A range or its first numbers, forwards or backwards: such a loop stays as it is."""
    match e:
        case Op(fn="builtins.reversed", args=(inner,)) | Index(array=inner, key=ir.Slice(start=None, step=None)):
            return is_range(inner)
    return isinstance(e, Op) and e.fn == "builtins.range"


def backwards(e: Expr) -> Expr:
    """The same range from its other end."""
    return e.args[0] if isinstance(e, Op) and e.fn == "builtins.reversed" else call("reversed", e)


def forwards(e: Expr) -> Expr:
    """A range of the same length, for a loop that does not read its number."""
    return e.args[0] if isinstance(e, Op) and e.fn == "builtins.reversed" else e


def first_of(e: Expr, count: Expr) -> Expr:
    """The first `count` numbers of a range, as a sequence."""
    match e:
        case Op(fn="builtins.reversed", args=(inner,)):
            e = Index(inner, ir.Slice(None, None, Const(-1)))
        case Op(fn="builtins.range", args=(_,)):
            return call("range", count)
    return Index(e, ir.Slice(None, count))
