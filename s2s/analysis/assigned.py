"""Which names are surely bound before and after each compound statement.

What one branch of a test binds is bound where the same branch is taken again: `if taken: a = []`, `if taken: a[0]`, and
so it is where the test is turned around, `if not taken: pass`, `else: a[0]`. Tests are the same where they ask the same
of the same values, by whatever names: `q_saved = q`, `if q > 0.5`, and later `q = q_saved`, `if q > 0.5`. So each value
that a name is bound to has a number (Alpern, Wegman and Zadeck 1988), and a copy has that of what is copied.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from s2s import ir
from s2s.ir import Block, Expr, Var

SIMPLE = ir.Assign | ir.Unpack | ir.Store | ir.Augment | ir.Append
Bound = frozenset[str] | None  # None: the point is not reached
Numbers = dict[str, str]  # the number of each name's value; that of a name at first is the name itself
LARGEST = 30  # nodes of what is seen of a value


@dataclass
class _End:
    """What is bound and chosen at the end of a branch, and the values of the names there."""

    bound: frozenset[str] = frozenset()
    chosen: Chosen = field(default_factory=dict)
    numbers: Numbers = field(default_factory=dict)


# By tests that would be decided in the same way again: the ends of both branches, and behind them the values of the
# names that have another one in each.
Chosen = dict[Expr, tuple[_End, _End, Numbers]]


def definitely(
    f: ir.Function,
) -> tuple[dict[int, frozenset[str]], dict[int, frozenset[str]], dict[int, frozenset[str]]]:
    """(before, after, at the head of the body) of each if and loop, by id."""
    walker = _Walker(f.body, frozenset(f.names))
    walker.block(f.body, frozenset(f.names))
    return walker.before, walker.after, walker.head


def unsure_reads(block: Sequence[ir.Stmt], given: frozenset[str], by: set[str]) -> set[str]:
    """The names that may be unbound where a statement that binds or appends to one of the names `by` reads them."""
    walker = _Walker(tuple(block), given, by)
    walker.block(tuple(block), given)
    return walker.unsure


class _Walker:
    def __init__(self, body: Block, given: frozenset[str], by: set[str] | None = None) -> None:
        self.by = by or set()
        self.unsure: set[str] = set()
        tests = [s.test for s in ir.statements(body) if isinstance(s, ir.If)]
        self.forms = Counter(map(_form, tests))
        self.named = any(isinstance(_turned(test)[0], Var) for test in tests)
        self.before: dict[int, frozenset[str]] = {}
        self.after: dict[int, frozenset[str]] = {}
        self.head: dict[int, frozenset[str]] = {}
        self.breaks: list[list[frozenset[str]]] = []
        self.chosen: Chosen = {}
        self.numbers: Numbers = {}
        self.made: dict[Expr, Expr] = {}  # what is seen of values, by their numbers
        self.count = 0

    def block(self, block: Block, bound: frozenset[str]) -> Bound:
        now: Bound = bound
        fresh: set[str] = set()  # by simple statements since `now`: a new set for each would take quadratic time
        for s in block:
            if now is None:
                return None
            if isinstance(s, SIMPLE):
                if self.by and self.by & {*ir.binds(s), *_written(s)}:
                    self.unsure.update(n for e in ir.expressions(s) for n in ir.reads(e) - now - fresh - self.by)
                fresh.update(ir.binds(s))
                self.number(s)
                continue
            if fresh:
                now |= fresh
                fresh.clear()
            now = self.statement(s, now)
        return now if now is None else now | fresh

    def statement(self, s: ir.Stmt, bound: frozenset[str]) -> Bound:
        match s:
            case ir.If():
                return self.branch(s, bound)
            case ir.For() | ir.While():
                self.before[id(s)] = bound
                targets = frozenset(ir.target_names(s.target)) if isinstance(s, ir.For) else frozenset[str]()
                self.head[id(s)] = bound | targets
                self.breaks.append([])
                known, changed = self.chosen, self.changed(s)
                self.renew(changed)
                self.block(s.body, bound | targets)
                self.renew(changed)
                self.chosen = known
                breaks = self.breaks.pop()
                endless = isinstance(s, ir.While) and isinstance(s.test, ir.Const) and bool(s.test.value)
                ends = breaks if endless and breaks else [bound, *breaks]
                self.after[id(s)] = frozenset.intersection(*ends)
                return self.after[id(s)]
            case ir.Break():
                self.breaks[-1].append(bound)
                return None
            case ir.Return():
                return None
            case ir.Inert(keyword="raise"):
                return None
        return bound | frozenset(ir.binds(s))

    def branch(self, s: ir.If, bound: frozenset[str]) -> Bound:
        self.before[id(s)] = bound
        known, numbers = self.chosen, self.numbers
        asked = self.by_values(s.test)
        tests = dict(map(_turned, (asked, self.seen(asked)))) if self.named or self.forms[_form(s.test)] > 1 else {}
        again = next((_in_order(known[t], turned) for t, turned in tests.items() if t in known), None)
        *before, behind = again or (_End(), _End(), {})
        same = [n for n, number in behind.items() if numbers[n] == number]
        ends: list[_End | None] = []
        for part, end in zip((s.body, s.orelse), before, strict=True):
            self.chosen = known | end.chosen
            self.numbers = numbers | {n: end.numbers.get(n, n) for n in same}
            after = self.block(part, bound | end.bound)
            new = {t: e for t, e in self.chosen.items() if known.get(t) is not e}
            ends.append(None if after is None else _End(after, new, self.numbers))
        reached = [end for end in ends if end is not None]
        after_ = frozenset.intersection(*(end.bound for end in reached)) if reached else bound
        self.after[id(s)] = after_
        yes, no = (_End(after_) if end is None else end for end in ends)
        pairs = list(zip((yes, no), before, strict=True))
        behind = {}
        if len(reached) == 2:
            self.numbers = yes.numbers | no.numbers
            other = {n for n in self.numbers if yes.numbers.get(n, n) != no.numbers.get(n, n)}
            kept = {n for n in same if all(end.numbers.get(n, n) == e.numbers.get(n, n) for end, e in pairs)}
            self.numbers |= {n: numbers[n] for n in kept}
            self.renew(other - kept)
            behind = {n: self.numbers[n] for n in other}
        else:
            self.numbers = reached[0].numbers if reached else numbers
        self.chosen = known | {test: _in_order((yes, no, behind), turned) for test, turned in tests.items()}
        return after_ if reached else None

    # ------------------------------------------------------------------ values
    def number(self, s: ir.Stmt) -> None:
        """Numbers what a simple statement binds or changes."""
        match s:
            case ir.Assign(target=target, value=Var(name=of)):
                self.numbers[target] = self.numbers.setdefault(of, of)
            case ir.Assign(target=target, value=value):
                seen = self.seen(self.by_values(value)) if _is_of_operands(value) else None
                self.renew((target,))
                if seen is not None and sum(1 for _ in ir.walk(seen)) <= LARGEST:
                    self.made[Var(self.numbers[target])] = seen
            case _:
                self.renew((*ir.binds(s), *self.names_of(_written(s))))

    def renew(self, names: Iterable[str]) -> None:
        for n in list(names):
            self.count += 1
            self.numbers[n] = f"{n}@{self.count}"

    def names_of(self, names: Iterable[str]) -> set[str]:
        """These names, and all others for their values."""
        values = {self.numbers.get(n, n) for n in names}
        return {*names, *(n for n, number in self.numbers.items() if number in values)} if values else set()

    def changed(self, loop: ir.Stmt) -> set[str]:
        """The names that get another value in a loop."""
        every = list(ir.statements((loop,)))
        bound = {n for s in every for n in ir.binds(s)}
        bound |= {n for s in every if isinstance(s, ir.For) for n in ir.target_names(s.target)}
        return bound | self.names_of({n for s in every for n in _written(s)})

    def by_values(self, e: Expr) -> Expr:
        return ir.substitute(e, {n: Var(self.numbers[n]) for n in ir.reads(e) if n in self.numbers})

    def seen(self, e: Expr) -> Expr:
        """An expression of values with what is seen of these in their places."""
        return self.made.get(e, e) if isinstance(e, Var) else ir.rebuild(e, self.seen)


def _form(test: Expr) -> Expr:
    """A test by what it asks, of whatever names."""

    def form(e: Expr) -> Expr:
        return Var("") if isinstance(e, Var) else ir.rebuild(e, form)

    return form(_turned(test)[0])


def _turned(test: Expr) -> tuple[Expr, bool]:
    """A test without `not` in front, and whether it is turned around by that."""
    match test:
        case ir.Op(fn="operator.not", args=(inner,)):
            whole, turned = _turned(inner)
            return whole, not turned
        case ir.Op(fn="operator.not_in"):
            return replace(test, fn="operator.in"), True
        case ir.Op(fn="operator.is_not"):
            return replace(test, fn="operator.is"), True
    return test, False


def _in_order(branches: tuple[_End, _End, Numbers], turned: bool) -> tuple[_End, _End, Numbers]:
    yes, no, behind = branches
    return (no, yes, behind) if turned else branches


def _is_of_operands(e: Expr) -> bool:
    """Whether a value is that of its operands, and nothing is called for it."""
    return isinstance(e, ir.Index | ir.Var) or (isinstance(e, ir.Op) and e.form is ir.Form.OPERATOR)


def _written(s: ir.Stmt) -> tuple[str, ...]:
    if isinstance(s, ir.Append):
        return (s.array,)
    return (ir.written_name(s.target),) if isinstance(s, ir.Store | ir.Augment) else ()
