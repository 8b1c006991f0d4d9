"""Gives the lives of one name that name again where they do not meet; elsewhere `x1`, `x2` (golden overwritten).

Two variables interfere where one is live when the other is bound. Each variable gets the first free of: the name that
the user gave it, then that name with a number.
(Graph colouring in order of definition: Chaitin 1982.)
"""

from __future__ import annotations

from collections import Counter

from s2s import ir
from s2s.ir import Block, Stmt, Var


def coalesce(
    block: Block, base: dict[str, str], fixed: dict[str, str], reserved: set[str]
) -> tuple[Block, dict[str, str]]:
    """`block` with final names. `base`: the wish of each variable; `fixed`: names that may not change (parameters)."""
    order: dict[str, None] = dict.fromkeys(fixed)
    for s in ir.statements(block):
        for name in ir.binds(s):
            order.setdefault(name)
    for s in ir.statements(block):  # into what no path binds: such a store raises when it is reached
        if isinstance(s, ir.Store | ir.Augment) and (name := ir.written_name(s.target)) in base:
            order.setdefault(name)
    for s in ir.statements(block):  # what is read, and no path binds: that raises, too
        for name in sorted({n for e in ir.expressions(s) for n in ir.reads(e) if "%" in n} - order.keys()):
            order.setdefault(name)
    wishes = {n: base.get(n, n.replace("%", "")) for n in order if n in base or "%" in n}
    wanted = {wishes.get(n, n) for n in order}
    interference = _Interference(set(order), {n: fixed.get(n) or wishes.get(n, n) for n in order})
    live = interference.block(block, frozenset(), [])
    for a in fixed:
        for b in (live | set(fixed)) - {a}:
            interference.add(a, b)
    final: dict[str, str] = dict(fixed)
    members: dict[str, list[str]] = {}
    for name, given in fixed.items():
        members.setdefault(given, []).append(name)
    kept = saves(block)
    seeded = begins(block, set(fixed))
    for name in sorted(order, key=kept.__contains__):  # what keeps values is named after them
        if name in final:
            continue
        wish = wishes.get(name, name)
        n = 0
        while True:
            candidate = ir.numbered(wish, n)
            if n == 0 and (own := likewise(name, final, kept)) and interference.meets(name):
                candidate = own
            n += 1
            if candidate != wish and (candidate in reserved or candidate in wanted):
                continue
            others = members.get(candidate, [])
            if "%" in name and name not in seeded and any(o in fixed for o in others):  # the adjoint of a local `out`
                continue
            # of names with different wishes nobody has asked where they live: `w1_bar` of w1, and of a second w_bar
            if all(interference.alike(name, o) and (name, o) not in interference.edges for o in others):
                break
        final[name] = candidate
        members.setdefault(candidate, []).append(name)
    changed = {a: Var(b) for a, b in final.items() if a != b}
    return (ir.renamed_in(block, changed) if changed else block), final


def likewise(name: str, final: dict[str, str], kept: dict[str, str]) -> str | None:
    """`x1_bar` for the adjoint of what is called `x1`, if it has its final name, and `x1_saved` for what keeps it."""
    if kept.get(name) in final:
        return f"{final[kept[name]]}_saved"
    primal, mark, suffix = name.rpartition("%")
    return final[primal] + suffix if mark and primal in final else None


def begins(block: Block, params: set[str]) -> set[str]:
    """What is made of a parameter somewhere: `out_bar = 2.0 * out_bar` goes on with the seed, and `out_bar[1]` is
    another value."""

    def wholes(e: ir.Expr) -> frozenset[str]:
        match e:
            case ir.Index(array=Var(), key=ir.Const() as key):
                return ir.reads(key)
            case Var(name=name):
                return frozenset((name,))
        return frozenset().union(*map(wholes, ir.children(e)))

    return {s.target for s in ir.statements(block) if isinstance(s, ir.Assign) and wholes(s.value) & params}


def saves(block: Block) -> dict[str, str]:
    """The lists that keep values of one variable, each with that variable."""
    found: dict[str, set[str]] = {}
    for s in ir.statements(block):
        if isinstance(s, ir.Append) and s.origin is None:
            found.setdefault(s.array, set()).update({s.value.name} if isinstance(s.value, Var) else {"", s.array})
    return {array: names.pop() for array, names in found.items() if len(names) == 1}


class _Interference:
    def __init__(self, names: set[str], group: dict[str, str]) -> None:
        self.names = names
        self.group = group
        self.edges: set[tuple[str, str]] = set()
        self.met: set[str] = set()
        self.heads: dict[int, frozenset[str]] = {}  # of loops, from visits before: they only grow

    def add(self, a: str, b: str) -> None:
        if a != b:
            self.edges.add((a, b))
            self.edges.add((b, a))
            self.met |= {a, b}

    def defined(self, name: str, live: frozenset[str], copy_of: str | None = None) -> None:
        group = self.group.get(name)
        for other in live:
            if other != name and other != copy_of and self.group.get(other) == group:
                self.add(name, other)

    def alike(self, a: str, b: str) -> bool:
        """Whether two variables have the same wish, so that it is known where they meet."""
        return self.group.get(a) == self.group.get(b)

    def meets(self, name: str) -> bool:
        """Whether another variable of the same name is live where this one is bound, or the other way round."""
        return name in self.met

    def reads(self, s: Stmt) -> set[str]:
        found: set[str] = set()
        for e in ir.expressions(s):
            found |= ir.reads(e)
        return {b for n in found for b in ir.base_names(n)} & self.names

    def block(self, block: Block, live: frozenset[str], breaks: list[frozenset[str]]) -> frozenset[str]:
        for s in reversed(block):
            live = self.statement(s, live, breaks)
        return live

    def statement(self, s: Stmt, live: frozenset[str], breaks: list[frozenset[str]]) -> frozenset[str]:
        match s:
            case ir.Assign() | ir.Unpack():
                bound = ir.binds(s)
                copy = s.value.name if isinstance(s, ir.Assign) and isinstance(s.value, Var) else None
                for name in bound:
                    self.defined(name, live | set(bound), copy)
                return (live - set(bound)) | self.reads(s)
            case ir.Augment() | ir.Store():  # a change: from here on it differs from what it was a copy of
                self.defined(ir.written_name(s.target), live)
                return live | self.reads(s)
            case ir.Append():
                self.defined(s.array, live)
                return live | self.reads(s) | ({s.array} & self.names)
            case ir.If():
                a = self.block(s.body, live, breaks)
                b = self.block(s.orelse, live, breaks)
                return a | b | self.reads(s)
            case ir.For() | ir.While():
                targets = set(ir.target_names(s.target)) if isinstance(s, ir.For) else set()
                test = self.reads(s) if isinstance(s, ir.While) else set()
                head = live | test | self.heads.get(id(s), frozenset())
                while True:
                    start = self.block(s.body, head, [live])
                    for t in targets:
                        self.defined(t, start | targets)
                    again = head | (start - targets)
                    if again == head:
                        break
                    head = again
                self.heads[id(s)] = head
                return head | self.reads(s)
            case ir.Break():
                return breaks[-1]
            case ir.Return():
                return frozenset(self.reads(s))
            case ir.Inert(keyword="raise"):
                return frozenset(self.reads(s))
        return live | self.reads(s)


def results(body: Block) -> Block:
    """The result under the name that it has already, where nothing binds that behind it.

    value = s
    ...                      ->     ...
    return value, x_bar             return s, x_bar
    """
    bound = Counter(n for s in ir.statements(body) for n in ir.binds(s))
    for i, s in enumerate(body):
        match s:
            case ir.Assign(target=target, value=Var(name=name), origin=ir.Origin(above=(), beside="") as origin) if (
                origin.text.startswith("return ") and bound[target] == 1
            ):
                if not any(name in ir.binds(t) for t in ir.statements(body[i + 1 :])):
                    return results((*body[:i], *ir.renamed_in(body[i + 1 :], {target: Var(name)})))
    return body
