"""Which variables carry a derivative: varied (they depend on an independent) and useful (the result depends on them).

Flow-insensitive over webs (see `webs`); tests, keys, shapes and integers carry none.
(Griewank & Walther, Evaluating Derivatives, 2nd ed., section 6.2.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from s2s import ir, rules
from s2s.analysis import counts
from s2s.analysis.aliases import classes, written_by
from s2s.analysis.containers import keys_of_items
from s2s.analysis.facts import NOT_DIFFERENTIABLE, Facts
from s2s.ir import Expr, Op, Var
from s2s.rules import effects

Through = Callable[[Op], Iterable[Expr]]


def operands(e: Expr, through: Through | None = None) -> Iterator[Var]:
    """The variables that the value of `e` may depend on differentiably.

    through: the arguments of a helper's call that its result depends on; without it, all of them.
    """
    match e:
        case Var():
            yield e
        case Op(fn=fn) if fn.startswith("operator."):
            if fn == "operator.ifexp":
                yield from operands(e.args[1], through)
                yield from operands(e.args[2], through)
            elif fn in ("operator.and", "operator.or"):
                for a in e.args:
                    yield from operands(a, through)
        case Op(fn=fn) if through is not None and fn.startswith("local."):
            for a in through(e):
                yield from operands(a, through)
        case Op(fn="numpy.arange", args=(start, _, *step)):  # of the end, only the number of elements depends
            for a in (start, *step[:1]):
                yield from operands(a, through)
        case Op(fn="numpy.arange"):
            return
        case Op(fn="numpy.where", args=(_, *chosen)):  # of what it asks, only which of them
            for a in chosen:
                yield from operands(a, through)
        case Op(args=(Op(fn=ir.NAMED | ir.LAMBDA, args=(body,)), *rest)):  # of a start or a tolerance nothing depends
            yield from operands(body, through)
            equation = getattr(rules.lookup(e.fn), "equation", "")
            if equation == "optimum":
                rest = []
            if equation in ("integral", "initial", "optimum"):
                for a in (*rest[:2], *(v for k, v in e.options if k in ("t_eval", "bounds"))):
                    yield from operands(a, through)
        case Op(fn="numpy.bitwise_or", args=args):  # of dicts, it has their entries; whole numbers carry nothing anyway
            for a in args:
                yield from operands(a, through)
        case Op(fn=fn) if fn in effects.MAKERS:  # a generator of random numbers: of a seed nothing depends smoothly
            return
        case Op():
            if through is not None:  # refused where the helper is derived
                for a in method_options(e):
                    yield from operands(a, through)
            rule = rules.lookup(e.fn)
            if rule is not None and rule.kind == "constant" and not rule.closed:
                return
            for a in carriers(rule, e):
                yield from operands(a, through)
        case ir.Index(key=ir.Const(value=ir.Settled())):
            return
        case ir.Index():
            yield from operands(e.array, through)
        case ir.Slice():  # an item of np.mgrid[0:x], or of np.c_[x, 0:n]
            for p in (e.start, e.stop, e.step):
                if p is not None:
                    yield from operands(p, through)
        case ir.Sequence():
            for i in e.items:
                yield from operands(i, through)
        case ir.Dict():
            for v in e.values:
                yield from operands(v, through)
        case ir.Comprehension():
            yield from _of_comprehension(e, through)


def carriers(rule: rules.Rule | None, e: Op) -> tuple[Expr, ...]:
    """The arguments of a call that a derivative may come through, whether its values are real or complex.

    Kept with the call: every analysis asks for them.
    """
    if e.carried is None:
        known = [r for r in (rule, rules.lookup_complex(e.fn)) if r is not None]
        try:
            found = tuple(dict.fromkeys(a for r in known for a in r.carriers(e)))
        except rules.RuleError:  # refused later, with its place
            found = ()
        object.__setattr__(e, "carried", found or (*e.args, *(v for _, v in e.options)))
    assert e.carried is not None
    return e.carried


def method_options(e: Op) -> tuple[Expr, ...]:
    """What a method of arrays is given beside the array: where that is no array, it may be anything, as in
    `self.lens.trace(y)`."""
    if e.form is not ir.Form.METHOD or not e.fn.startswith("numpy.") or e.fn in counts.LAID_OUT:
        return ()
    given = (*e.args[1:], *(v for k, v in e.options if k != "axis"))  # who names the axis means one
    return tuple(a for a in given if not isinstance(a, ir.Const))


def _of_comprehension(e: ir.Comprehension, through: Through | None) -> Iterator[Var]:
    """What the elements read, and what the loops run over where the elements read it; keys of a dict are no values."""
    element = e.element.stop if isinstance(e.element, ir.Slice) else e.element
    found = list(operands(element, through)) if element is not None else []
    bound: set[str] = set()
    for target, iterable, _ in reversed(e.clauses):
        items: Expr = target
        sources: tuple[Expr, ...] = (iterable,)
        if isinstance(iterable, Op) and iterable.fn in ("builtins.enumerate", "builtins.zip", "builtins.reversed"):
            sources = iterable.args
            if iterable.fn == "builtins.enumerate":
                sources = sources[:1]
                items = ir.Sequence(target.items[1:]) if isinstance(target, ir.Sequence) else target
        bound |= set(ir.target_names(target))
        if isinstance(iterable, Op) and iterable.fn == "builtins.zip" and isinstance(target, ir.Sequence):
            read = {v.name for v in found}
            pairs = zip(target.items, sources, strict=False)
            found += [v for t, s in pairs if read & set(ir.target_names(t)) for v in operands(s, through)]
        elif {v.name for v in found} & set(ir.target_names(items)):
            found += [v for s in sources for v in operands(s, through)]
    yield from (v for v in found if v.name not in bound)


@dataclass(frozen=True, slots=True)
class Activity:
    varied: frozenset[str]
    useful: frozenset[str]
    active: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "active", self.varied & self.useful)

    def depends(self, e: Expr) -> bool:
        """Whether the value of `e` varies."""
        return any(v.name in self.varied for v in operands(e))


def analyse(f: ir.Function, facts: Facts, wrt: frozenset[str], outputs: tuple[str, ...] = ()) -> Activity:
    """Activity of all names of `f`, differentiated with respect to the names in `wrt`.

    outputs: parameters whose final elements are results, too.
    """
    varied: set[str] = set(wrt)
    together = classes(f, facts)
    every = list(ir.statements(f.body))
    writes = {id(s): w for s in every if not isinstance(s, ir.Store) and (w := written_by(s, facts))}

    keys, around = keys_of_items(every), lists_around(every)
    own = {*f.names, *(n for s in every for n in ir.binds(s))}

    def differentiable(name: str) -> bool:
        if name in keys or (name not in own and ir.root_name(name) not in own):  # a key, or a name of the module
            return False
        fact = facts.names.get(name)
        # a sparse matrix that is made of active values is refused where it is made
        return fact is None or fact.kind not in NOT_DIFFERENTIABLE or fact.kind == "sparse"

    found = [
        ([t for t in into if differentiable(t)] if bound else into, of)
        for s in every
        for into, of, bound in _flows(s, writes, around)
    ]
    while True:
        before = len(varied)
        for into, of in found:
            if not varied.isdisjoint(of):
                varied.update(into)
        for name in varied & together.keys():
            varied |= {n for n in together[name] if differentiable(n)}
        if len(varied) == before:
            break
    return Activity(
        frozenset(varied), useful(f) if not together and not outputs else _useful(f, together, outputs, writes)
    )


@lru_cache(maxsize=256)
def useful(f: ir.Function) -> frozenset[str]:
    """The names that a result of the function depends on, whatever it is differentiated with respect to."""
    return _useful(f, {}, (), {})


def lists_around(every: list[ir.Stmt]) -> dict[str, tuple[str, ...]]:
    """The lists in which lists with names of their own lie: rows for row, of `row = rows[k]`."""
    if not any(isinstance(s, ir.Append) for s in every):
        return {}
    held: dict[str, set[str]] = {}
    for s in every:
        whole = s.value if isinstance(s, ir.Assign) else ir.NONE
        while isinstance(whole, ir.Index):
            whole = whole.array
        if isinstance(s, ir.Assign) and isinstance(s.value, ir.Index) and isinstance(whole, Var):
            held.setdefault(s.target, set()).add(whole.name)
    found: dict[str, tuple[str, ...]] = {}
    for name in held:
        around: set[str] = set()
        todo = [name]
        while todo:
            more = held.get(todo.pop(), set()) - around
            around |= more
            todo += more
        found[name] = tuple(sorted(around - {name}))
    return found


def _flows(
    s: ir.Stmt, writes: dict[int, list[str]], around: dict[str, tuple[str, ...]], through: Through | None = None
) -> Iterator[tuple[tuple[str, ...], set[str], bool]]:
    """(the names that a statement gives a value, the names that this value depends on, whether it binds them)."""
    match s:
        case ir.Assign(constant=False, value=value) | ir.Unpack(constant=False, value=value):
            yield ir.binds(s), {v.name for v in operands(value, through)}, True
        case ir.Append(array=array, value=value):
            yield (array, *around.get(array, ())), {v.name for v in operands(value, through)}, False
        case ir.Store(constant=False, value=value):
            yield (ir.written_name(s.target),), {v.name for v in operands(value, through)}, False
    if id(s) in writes:
        yield tuple(writes[id(s)]), {v.name for e in ir.expressions(s) for v in operands(e)}, False


def useful_with(f: ir.Function, calls: Any, outputs: tuple[str, ...], through: Through | None = None) -> frozenset[str]:
    """The same for a function that may write: its final arguments `outputs` are results, too.

    through: see `operands`.
    """
    every = ir.statements(f.body)
    writes = {id(s): w for s in every if not isinstance(s, ir.Store) and (w := written_by(s, None, calls))}
    together = classes(f, None, calls)
    return _useful(f, together, outputs, writes, through) if together or outputs or through else useful(f)


def _useful(
    f: ir.Function,
    together: dict[str, frozenset[str]],
    outputs: tuple[str, ...],
    writes: dict[int, list[str]],
    through: Through | None = None,
) -> frozenset[str]:
    found: set[str] = set(outputs)
    every = list(ir.statements(f.body))[::-1]
    for s in every:
        if isinstance(s, ir.Return):
            found.update(v.name for v in operands(s.value, through))
    around = lists_around(every)
    flows = [(into, of) for s in every for into, of, _ in _flows(s, writes, around, through)]
    while True:
        before = len(found)
        for into, of in flows:
            if not found.isdisjoint(into):
                found |= of
        for name in found & together.keys():
            found |= together[name]
        if len(found) == before:
            return frozenset(found)
