"""Parameters that `+` joins, or `*` repeats, where they are lists: the derivatives are those of sums and products.

    b = a + a           2 * a           a *= n          b = c; b = b + a in a loop

Of a list, the value is another one, and its cotangent as long as that. So it is of two cotangents of what is returned
twice, `return a, a`. `if a:` tells of an array that it is a number, and nothing of a list. Where nothing else would
raise, the output asserts that it is none.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator

from s2s import ir
from s2s.analysis.aliases import CONTAINERS
from s2s.analysis.containers import parts_of
from s2s.analysis.facts import Facts
from s2s.analysis.loops import Header, rewritten
from s2s.derive.context import Context
from s2s.derive.handing import handed
from s2s.derive.owned import held
from s2s.derive.phrases import unless
from s2s.derive.snapshots import seen_through
from s2s.derive.survey import survey
from s2s.errors import Diagnostic, S2SError
from s2s.ir import Const, Expr, Index, Op, Var

__all__ = ["join_guards"]


RAISING = frozenset(
    f"numpy.{n}"
    for n in (
        *("add", "subtract", "multiply", "divide", "floor_divide", "power", "negative"),
        *("less", "less_equal", "greater", "greater_equal"),
    )
)
JOINING = ("numpy.add", "numpy.less", "numpy.less_equal", "numpy.greater", "numpy.greater_equal")  # of two lists


def join_guards(ctx: Context) -> list[ir.Stmt]:
    """`assert not isinstance(a, (list, tuple))`; of `a + c` that one is none: a list and an array are added."""
    given = _Given(ctx)
    single: dict[str, None] = {}
    added: set[str] = set()  # parts of one are joined, where it is a list
    both: dict[tuple[str, str], None] = {}
    for s in ir.statements(ctx.function.body):
        for n in ir.nodes(s):
            match n:
                case Op(fn="numpy.multiply", args=(a, b), form=ir.Form.OPERATOR):
                    for e, times in ((a, b), (b, a)):
                        single.update(dict.fromkeys(given.lists(e) if given.may_count(times) else ()))
                case Op(fn="numpy.add", args=(a, b), form=ir.Form.OPERATOR):
                    pairs = [(p, q) for p in given.lists(a) for q in given.lists(b)]
                    added |= {p for p, q in pairs if p == q}
                    single.update((p, None) for p, q in pairs if p == q)
                    both.update((pair, None) for pair in pairs if pair[::-1] not in both)
    single.update(dict.fromkeys(given.back(ctx)))
    active = ctx.activity.active
    none, apart = no_lists(ctx.function)
    seen = {p for p in given.written(ctx) if seen_through(ctx, p)}
    single.update(dict.fromkeys(p for p in ctx.function.names if p in seen))
    single.update(dict.fromkeys(given.asked(ctx)))
    asked = [p for p in single if p in (active | seen) - none]
    guards = [
        unless(is_list(p), f"of a list, state {p}: list")
        if p in added
        else ir.Inert("assert", (Op("operator.not", (is_list(p),)),))
        for p in asked
    ]
    tests = [
        Op("operator.and", (is_list(p), is_list(q)), form=ir.Form.OPERATOR)
        for p, q in both
        if {p, q} & active and not {p, q} & (single.keys() & active | none) and {p, q} not in apart
    ]
    return guards + [ir.Inert("assert", (Op("operator.not", (test,)),)) for test in tests]


def settled_joins(f: ir.Function, found: Facts, headers: dict[int, Header]) -> tuple[ir.Function, dict[int, Header]]:
    """The function without what is asserted of `c` in `b += c`, of lists, where it is known to be one.

    Raises S2SError where it is an array: the sum is one, and `b` no list any more.
    """

    known: set[int] = set()
    for s in ir.statements(f.body):
        match s:
            case ir.Inert(
                keyword="assert",
                values=(Op(fn="operator.not", args=(Op(fn="builtins.hasattr", args=(e, Const(value="dtype"))),)),),
            ):
                if found.of(e).kind in CONTAINERS:
                    known.add(id(s))
                elif found.ndim(e) or computed(f, e):
                    message = "an array is added to a list: `+=` binds their sum, an array, and does not join them"
                    help_ = ("join them by `b.extend(c)`", "add them as `np.array(b) + c`")
                    raise S2SError([Diagnostic("S236", message, s.origin.span if s.origin else None, "", help_)])
    return rewritten(f, headers, lambda s: () if id(s) in known else (s,)) if known else (f, headers)


def computed(f: ir.Function, e: Expr) -> bool:
    """Whether a name is bound to what a function of NumPy computes."""
    values = [s.value for s in ir.statements(f.body) if isinstance(s, ir.Assign) and Var(s.target) == e]
    return bool(values) and all(
        isinstance(v, Op) and v.fn.startswith("numpy.") and v.form is not ir.Form.OPERATOR for v in values
    )


def no_lists(f: ir.Function) -> tuple[set[str], list[set[str]]]:
    """What the function would raise of, were it a list; and which two, were both."""
    none: set[str] = set()
    apart: list[set[str]] = []
    for e in (n for s in f.body for x in ir.expressions(s) for n in ir.surely_evaluated(x)):
        match e:
            case Op(fn=fn, args=args, form=ir.Form.OPERATOR) if fn in RAISING:
                whole = fn == "numpy.multiply" and any(isinstance(a, Const) and a.kind == "int" for a in args)
                names = {a.name for a in args if isinstance(a, Var)}
                if len(args) == 1 or (any(isinstance(a, Const) for a in args) and not whole):
                    none |= names
                elif len(names) == len(args) and fn not in JOINING:
                    apart.append(names)
            case Op(fn=fn, args=(Var(name=name), *_)) if fn.startswith("math.") or fn == "builtins.float":
                none.add(name)
            case Index(array=Var(name=name), key=ir.Sequence()) | ir.Attribute(value=Var(name=name)):
                none.add(name)
    return none, apart


def is_list(name: str) -> Expr:
    return Op("builtins.isinstance", (Var(name), ir.Sequence((Var("list"), Var("tuple")))))


class _Given:
    """Which parameters a value is, or has a part of that is a list where they are."""

    def __init__(self, ctx: Context) -> None:
        self.facts, self.active = ctx.facts, ctx.activity.active
        self.names = ctx.function.names
        self.annotated = {p.name for p in (*ctx.function.params, *ctx.function.fields) if p.annotation}
        self.values: dict[str, list[Expr]] = {}
        for s in ir.statements(ctx.function.body):
            if isinstance(s, ir.Assign):
                self.values.setdefault(s.target, []).append(s.value)

    def may_count(self, e: Expr) -> bool:
        """Whether it may be a whole number: what carries a derivative is none."""
        unknown = self.facts.of(e).kind == "any" and self.facts.ndim(e) == 0
        return self.facts.is_integer(e) or (unknown and not ir.reads(e) & self.active)

    def lists(self, e: Expr, seen: frozenset[str] = frozenset()) -> Iterator[str]:
        match e:
            case Var(name=name) if name not in seen:
                if self.facts.of(e).kind == "any" and self.facts.ndim(e) is None:
                    yield from (name,) if ir.root_name(name) in self.names and name not in self.annotated else ()
                    for value in self.values.get(name, ()):
                        yield from self.lists(value, seen | {name})
            case Index(array=array, key=ir.Slice()):
                yield from self.lists(array, seen)

    def asked(self, ctx: Context) -> Iterator[str]:
        """Those that are numbers since the function takes their truth value, `if u:`: a list has one, too."""
        for s in ir.statements(ctx.function.body):
            tests = [s.test] if isinstance(s, ir.If | ir.While) else []
            for e in ir.nodes(s):
                match e:
                    case Op(fn="operator.ifexp", args=(test, *_)) | Op(fn="operator.not", args=(test,)):
                        tests.append(test)
                    case Op(fn="operator.and" | "operator.or", args=args):
                        tests += args
            for test in map(ctx.tree, tests):
                if isinstance(test, Var) and test.name in self.names and test.name not in self.annotated:
                    stated = ctx.facts.given.get(test.name)
                    if (stated is None or stated.shape.rank is None) and self.facts.ndim(test) == 0:
                        yield test.name

    def written(self, ctx: Context) -> Iterator[str]:
        """Those into which the function may write."""
        yield from (n for n in self.names if n in ctx.aliases.of and n in self.lists(Var(n)))

    def back(self, ctx: Context) -> set[str]:
        """Those that the caller gets in two places, and of which the derivative knows nothing that a list is."""
        hands = functools.partial(handed, ctx.calls)
        every = list(ir.statements(ctx.function.body))
        returned = {n for s in every if isinstance(s, ir.Return) for n in held(s.value, hands)}
        while True:
            more = {n for name in returned for e in self.values.get(name, ()) for n in held(e, hands)} - returned
            if not more:
                break
            returned |= more
        found: Counter[str] = Counter()
        last: Counter[str] = Counter()  # one of them runs
        for s in every:
            match s:
                case ir.Return(value=value):
                    places = parts_of(value, ctx.temps)
                case ir.Assign(target=target, value=ir.Sequence() | ir.Dict() as value) if target not in ctx.temps:
                    places = parts_of(value, ctx.temps) if target in returned else []
                case ir.Append(array=name, value=value) if name in returned:
                    places = parts_of(value, ctx.temps)
                case ir.Store(target=target, value=value) if ir.written_name(target) in returned and not s.update:
                    places = parts_of(value, ctx.temps)
                case _:
                    continue
            here = Counter(p for place in places for p in {p for n in held(place, hands) for p in self.lists(Var(n))})
            if isinstance(s, ir.Return):
                last |= here
            else:
                found += here
        return {n for n, times in (found + last).items() if times > 1} - survey(ctx).containers
