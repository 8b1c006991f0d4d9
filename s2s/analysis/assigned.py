"""Which names are surely bound before and after each compound statement.

What one branch of a test binds is bound where the same branch is taken again: `if taken: a = []`, `if taken: a[0]`, and
so it is where the test is turned around, `if not taken: pass`, `else: a[0]`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from s2s import ir
from s2s.ir import Block, Expr

SIMPLE = ir.Assign | ir.Unpack | ir.Store | ir.Augment | ir.Append
Bound = frozenset[str] | None  # None: the point is not reached
# What is bound, and chosen, at the ends of the branches of a test that would be decided in the same way again.
Branches = tuple[tuple[frozenset[str], "Chosen"], tuple[frozenset[str], "Chosen"]]
Chosen = dict[Expr, Branches]


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
        count = Counter(n for s in ir.statements(body) for n in ir.binds(s))
        made = {s.target: s.value for s in ir.statements(body) if isinstance(s, ir.Assign) and count[s.target] == 1}
        self.made = {n: e for n, e in made.items() if n not in given and _is_of_operands(e)}
        tests = [s.test for s in ir.statements(body) if isinstance(s, ir.If)]
        count_ = Counter(test for s in tests for test in {_turned(s)[0], _turned(self.whole(s))[0]})
        self.again = {test for test, n in count_.items() if n > 1}
        self.before: dict[int, frozenset[str]] = {}
        self.after: dict[int, frozenset[str]] = {}
        self.head: dict[int, frozenset[str]] = {}
        self.breaks: list[list[frozenset[str]]] = []
        self.chosen: Chosen = {}
        self.asked: set[str] = set()  # names in the tests

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
                self.forget((s,))
                continue
            if fresh:
                now |= fresh
                fresh.clear()
            now = self.statement(s, now)
        return now if now is None else now | fresh

    def statement(self, s: ir.Stmt, bound: frozenset[str]) -> Bound:
        match s:
            case ir.If():
                self.before[id(s)] = bound
                known = self.chosen
                written = (_turned(s.test), _turned(self.whole(s.test)))
                tests = {test: turned for test, turned in written if test in self.again}
                again = next((_in_order(known[t], turned) for t, turned in tests.items() if t in known), None)
                again = again or ((bound, {}), (bound, {}))
                found = []
                for part, (more, inner) in zip((s.body, s.orelse), again, strict=True):
                    self.chosen = known | inner
                    end = self.block(part, bound | more)
                    found.append((end, {t: e for t, e in self.chosen.items() if known.get(t) is not e}))
                ends = [end for end, _ in found if end is not None]
                after = frozenset.intersection(*ends) if ends else bound
                self.after[id(s)] = after
                yes, no = ((after if end is None else end, inner) for end, inner in found)
                self.asked.update(*map(ir.reads, tests))
                self.chosen = known
                changed = self.forget((*s.body, *s.orelse))
                lasting = {test: turned for test, turned in tests.items() if not ir.reads(test) & changed}
                self.chosen = self.chosen | {test: _in_order((yes, no), turned) for test, turned in lasting.items()}
                return after if ends else None
            case ir.For() | ir.While():
                self.before[id(s)] = bound
                targets = frozenset(ir.target_names(s.target)) if isinstance(s, ir.For) else frozenset()
                self.head[id(s)] = bound | targets
                self.breaks.append([])
                self.forget((s,))
                known = dict(self.chosen)
                self.block(s.body, bound | targets)
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

    def whole(self, test: Expr, inside: frozenset[str] = frozenset()) -> Expr:
        """A test as it is written, without the names of its parts; one that a loop makes of itself keeps its name."""
        if isinstance(test, ir.Var) and test.name in self.made and test.name not in inside:
            return self.whole(self.made[test.name], inside | {test.name})
        return ir.rebuild(test, lambda e: self.whole(e, inside))

    def forget(self, block: Block) -> set[str]:
        """Drops the tests that what a block binds or writes may decide anew."""
        if not self.asked:
            return set()
        changed = self.asked.intersection(n for s in ir.statements(block) for n in (*ir.binds(s), *_written(s)))
        if changed:
            self.chosen = _without(self.chosen, changed)
        return changed


def _without(chosen: Chosen, changed: set[str]) -> Chosen:
    return {
        test: ((yes, _without(in_yes, changed)), (no, _without(in_no, changed)))
        for test, ((yes, in_yes), (no, in_no)) in chosen.items()
        if not ir.reads(test) & changed
    }


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


def _in_order(branches: Branches, turned: bool) -> Branches:
    yes, no = branches
    return (no, yes) if turned else (yes, no)


def _is_of_operands(e: Expr) -> bool:
    """Whether a value is that of its operands, and nothing is called for it."""
    return isinstance(e, ir.Index | ir.Var) or (isinstance(e, ir.Op) and e.form is ir.Form.OPERATOR)


def _written(s: ir.Stmt) -> tuple[str, ...]:
    if isinstance(s, ir.Append):
        return (s.array,)
    return (ir.written_name(s.target),) if isinstance(s, ir.Store | ir.Augment) else ()
