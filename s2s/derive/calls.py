"""Helper functions: what their results are, and which of their derivatives the output needs.

A helper gets a joint reverse by default: `_f_rev(args, out_bar)` runs its own two sweeps and returns the cotangents of
its active arguments. In forward mode `_f_jvp(args, dots)` returns value and tangent.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from s2s import ir
from s2s.analysis import activity, facts, ifs, loops, webs
from s2s.analysis.facts import ANY, Fact, Facts
from s2s.analysis.shapes import Dim, Length, Shape, Shapes, unknown
from s2s.derive.refusals import refuse
from s2s.ir import Expr, Op

if TYPE_CHECKING:
    from s2s.derive.context import Context


class Source(Protocol):
    functions: dict[str, Any]
    constants: dict[str, str]

    def function(self, name: str) -> ir.Function: ...


@dataclass(frozen=True)
class Prepared:
    """A function after normalise: webs split, loops over indices."""

    function: ir.Function
    base: dict[str, str]
    headers: dict[int, loops.Header]
    original: ir.Function


@dataclass(eq=False)
class Wanted:
    """A derivative of a helper that the output needs."""

    helper: str
    name: str
    mode: str  # "rev" or "jvp"
    active: tuple[str, ...]
    requests: list[dict[str, Fact]] = field(default_factory=list)


@dataclass
class Calls:
    source: Source
    taken: set[str] = field(default_factory=set)
    stated: dict[str, dict[str, Fact]] = field(default_factory=dict)
    prepared: dict[str, Prepared] = field(default_factory=dict)
    results: dict[object, Fact] = field(default_factory=dict)
    wanted: dict[tuple[str, str, tuple[str, ...]], Wanted] = field(default_factory=dict)
    active: list[str] = field(default_factory=list)

    def prepare(self, name: str) -> Prepared:
        if name not in self.prepared:
            original = ifs.write_out(self.source.function(name))
            taken = {original.name, *original.names}
            f, base = webs.split(original, taken | _names(original))
            f, headers = loops.index_loops(f, _names(f) | _names(original))
            self.prepared[name] = Prepared(f, base, headers, original)
        return self.prepared[name]

    def constants(self) -> dict[str, Fact]:
        """Facts of the module's constants that are numbers."""
        return {n: f for n, text in self.source.constants.items() if (f := _default(ir.Param(n, default=text))).kind in ("int", "float", "bool", "str")}

    # ------------------------------------------------------------ results
    def result(self, name: str, args: list[Fact], options: dict[str, Fact], caller: Facts) -> Fact:
        """The fact of a helper's result, for arguments with these facts."""
        if name in self.active or name not in self.source.functions:
            return ANY
        prepared = self.prepare(name)
        given = self.parameters(prepared.function, args, options, caller.shapes)
        key = (name, tuple(sorted(given.items(), key=lambda kv: kv[0])), caller.shapes.version)
        if key in self.results:
            return self.results[key]
        self.active.append(name)
        try:
            shapes = Shapes(dict(caller.shapes.tails), dict(caller.shapes.equal), dict(caller.shapes.within))
            found = facts.collect(prepared.function, given | self.constants(), self.result, shapes)
        finally:
            self.active.pop()
        out: Fact | None = None
        for s in ir.statements(prepared.function.body):
            if isinstance(s, ir.Return):
                fact = found.of(s.value)
                fact = replace(fact, shape=shapes(fact.shape))
                out = fact if out is None else facts.join(out, fact, "?result", shapes)
        known = {s for f in given.values() for s in _symbols(f)}
        result = _foreign(out or Fact("none"), known, "?" + name)
        self.results[key] = result
        return result

    def parameters(self, f: ir.Function, args: list[Fact], options: dict[str, Fact], shapes: Shapes) -> dict[str, Fact]:
        given: dict[str, Fact] = {}
        positional = [p.name for p in f.params if p.kind != "keyword"]
        for p, fact in zip(positional, args, strict=False):
            given[p] = replace(fact, shape=shapes(fact.shape), constant=False)
        for k, fact in options.items():
            given[k] = replace(fact, shape=shapes(fact.shape), constant=False)
        for p in f.params:
            if p.name not in given:
                given[p.name] = _default(p)
        return given

    # ------------------------------------------------------------ calls
    def bind(self, ctx: Context, call: Op) -> dict[str, Expr]:
        """Arguments of a helper call by parameter, defaults written out."""
        f = self.prepare(call.fn[6:]).function
        bound: dict[str, Expr] = {}
        positional = [p.name for p in f.params if p.kind != "keyword"]
        if len(call.args) > len(positional):
            refuse(ctx, call, "S210", f"too many arguments for `{f.name}`")
        bound.update(zip(positional, call.args, strict=False))
        for k, v in call.options:
            if k not in f.names:
                refuse(ctx, call, "S210", f"`{f.name}` has no parameter `{k}`")
            bound[k] = v
        for p in f.params:
            if p.name not in bound:
                if not p.default:
                    refuse(ctx, call, "S210", f"argument `{p.name}` of `{f.name}` is missing")
                bound[p.name] = ir.Raw(p.default)
        return {p.name: bound[p.name] for p in f.params}

    def depends(self, ctx: Context, name: str, bound: dict[str, Expr], active: tuple[str, ...]) -> tuple[str, ...]:
        """Those of the active parameters on which the helper's result depends differentiably."""
        prepared = self.prepare(name)
        given = {p: replace(ctx.facts.of(e), constant=False) for p, e in bound.items()}
        self.active.append(name)
        shapes = Shapes(dict(ctx.facts.shapes.tails), dict(ctx.facts.shapes.equal))
        found = facts.collect(prepared.function, given, self.result, shapes)
        self.active.pop()
        return tuple(p for p in active if p in activity.analyse(prepared.function, found, frozenset((p,))).active)

    def request(self, ctx: Context, mode: str, name: str, bound: dict[str, Expr], active: tuple[str, ...]) -> Wanted:
        if name in self.active:
            refuse(ctx, Op("local." + name, tuple(bound.values())), "S211", f"`{name}` calls itself: recursion is not supported")
        key = (name, mode, active)
        wanted = self.wanted.get(key)
        if wanted is None:
            text = f"_{name.strip('_')}_{mode}"
            if any(k[0] == name and k[1] == mode for k in self.wanted) or text in self.taken:
                text += "_" + "_".join(active)
            while text in self.taken:
                text += "_"
            self.taken.add(text)
            wanted = self.wanted[key] = Wanted(name, text, mode, active)
        given = {p: _portable(replace(ctx.facts.of(e), constant=False), ctx.facts.shapes, p) for p, e in bound.items()}
        given = _renumber(given)
        if given not in wanted.requests:
            wanted.requests.append(given)
        return wanted

    def reverse(self, ctx: Context, name: str, bound: dict[str, Expr], active: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
        """The name of the helper's reverse, and the parameters whose cotangents it returns."""
        given = self.depends(ctx, name, bound, active)
        if not given:
            return "", ()
        return self.request(ctx, "rev", name, bound, given).name, given

    def jvp(self, ctx: Context, name: str, bound: dict[str, Expr], active: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
        given = self.depends(ctx, name, bound, active)
        if not given:
            return "", ()
        return self.request(ctx, "jvp", name, bound, given).name, given

    def joined(self, w: Wanted) -> dict[str, Fact]:
        """What all call sites agree on about the parameters."""
        out = dict(w.requests[0])
        shapes = Shapes()
        for other in w.requests[1:]:
            if other == out:
                continue
            for p in out:
                if out[p] != other[p] or out[p].shape.dims:
                    out[p] = _alone(facts.join(out[p], other[p], p, shapes), p)
        return out


def _names(f: ir.Function) -> set[str]:
    found = {f.name, *f.names}
    for s in ir.statements(f.body):
        found.update(ir.binds(s))
        for e in ir.expressions(s):
            found |= ir.reads(e)
    return found


def _default(p: ir.Param) -> Fact:
    try:
        value = eval(p.default, {"__builtins__": {}}) if p.default else ...  # noqa: S307  a literal: no names resolve
    except Exception:
        return Fact("any", unknown(p.name))
    if isinstance(value, bool):
        return Fact("bool")
    if isinstance(value, int):
        return Fact("int")
    if isinstance(value, float):
        return Fact("float")
    if value is None:
        return Fact("none")
    return Fact("str" if isinstance(value, str) else "any", unknown(p.name))


def _symbols(f: Fact) -> set[str]:
    out: set[str] = set()

    def shape(s: Shape) -> None:
        out.update(d.symbol for d in s.dims if isinstance(d, Length))
        if s.tail:
            out.add(s.tail[0])
        for p in s.over:
            shape(p)

    shape(f.shape)
    if isinstance(f.length, Length):
        out.add(f.length.symbol)
    for i in f.items:
        out |= _symbols(i)
    if f.elem:
        out |= _symbols(f.elem)
    return out


def _map(f: Fact, dim: object, tail: object) -> Fact:
    """The fact with each symbol of a length, and of a tail, replaced."""

    def d(x: Dim) -> Dim:
        return Length(dim(x.symbol), x.minus) if isinstance(x, Length) else x  # type: ignore[operator]

    def s(x: Shape) -> Shape:
        t = (tail(x.tail[0]), x.tail[1]) if x.tail else None  # type: ignore[operator]
        return Shape(tuple(map(d, x.dims)), t, frozenset(map(s, x.over)))

    return replace(
        f,
        shape=s(f.shape),
        length=None if f.length is None else d(f.length),
        items=tuple(_map(i, dim, tail) for i in f.items),
        elem=f.elem and _map(f.elem, dim, tail),
    )


def _foreign(f: Fact, known: set[str], name: str) -> Fact:
    """Symbols of the helper's own become opaque in the caller."""
    rename = lambda s: s if s in known or any(s.startswith(k + ".") for k in known) else f"{name}/{s}"  # noqa: E731
    return _map(f, rename, rename)


def _portable(f: Fact, shapes: Shapes, p: str) -> Fact:
    """A fact for the parameter p of a helper, free of the caller's lengths of values."""
    def full(s: Fact) -> Fact:
        shape = shapes(s.shape)
        if shape.over:
            shape = unknown(p)
        return replace(s, shape=shape, items=tuple(map(full, s.items)), elem=s.elem and full(s.elem))
    return full(f)


def _renumber(given: dict[str, Fact]) -> dict[str, Fact]:
    """Symbols named by order of appearance, so that two call sites with the same pattern agree."""
    names: dict[str, str] = {}

    def name(s: str) -> str:
        return names.setdefault(s, f"s{len(names)}")

    return {p: _map(f, name, name) for p, f in given.items()}


def _alone(f: Fact, p: str) -> Fact:
    """The fact with symbols of its own: nothing is known of how it relates to the other parameters."""
    count = iter(range(1000))
    names: dict[str, str] = {}

    def name(s: str) -> str:
        return names.setdefault(s, f"{p}/{next(count)}")

    return _map(f, name, name)
