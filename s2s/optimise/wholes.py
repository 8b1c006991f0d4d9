"""An object that calls are given again and again, put together of values that stay, is made once.

d = Box(length=box_length).wrap(a)              box = Box(length=box_length)
e = Box(length=box_length).wrap(b)      ->      d = box.wrap(a)
                                                e = box.wrap(b)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from s2s import ir
from s2s.ir import Assign, Block, Const, Dict, Expr, Op, Stmt, Var


def made_once(body: Block, reserved: Collection[str]) -> Block:
    """`body` with such objects under names of their own; reserved: names that are taken."""
    every = list(ir.statements(body))
    found: Counter[Dict] = Counter()
    first_use: dict[Dict, int] = {}
    for i, top in enumerate(body):
        for s in ir.statements((top,)):
            for whole in (w for e in ir.expressions(s) for w in given(e)):
                found[whole] += 1 if s is top or isinstance(top, ir.If) else 2  # in a loop
                first_use.setdefault(whole, i)
    if not any(n > 1 for n in found.values()) or any(is_changed(s) for s in every):
        return body
    bound = Counter(n for s in every for n in ir.binds(s))
    places = {n: i for i, s in enumerate(body) for n in ir.binds(s) if isinstance(s, Assign | ir.Unpack)}
    taken = {*reserved, *bound, *(n for s in every for e in ir.expressions(s) for n in ir.reads(e))}
    out = list(body)
    behind: dict[int, list[Stmt]] = {}
    put: dict[Dict, Expr] = {}
    for whole, times in found.items():
        parts = [v.name for v in whole.values if isinstance(v, Var)]
        at = max((places.get(n, -1) for n in parts), default=-1)
        if times > 1 and parts and all(bound[n] == (n in places) for n in parts) and at < first_use[whole]:
            name = ir.free_name(own_name(whole), taken)
            taken.add(name)
            put[whole] = Var(name)
            behind.setdefault(at, []).append(Assign(name, whole))
    if not put:
        return body

    def exchanged(e: Expr) -> Expr:
        if isinstance(e, Dict) and e in put:
            return put[e]
        return ir.rebuild(e, exchanged)

    def statement(s: Stmt) -> Stmt:
        return ir.with_blocks(ir.with_expressions(s, exchanged), lambda b: tuple(map(statement, b)))

    first = next((i for i, s in enumerate(out) if not isinstance(s, ir.Comment | ir.Inert)), 0)
    new: list[Stmt] = []
    for i, s in enumerate(out):
        new += behind.get(-1, []) if i == first else []
        new += [statement(s), *behind.get(i, [])]
    return tuple(new)


def given(e: Expr) -> Iterator[Dict]:
    """The objects of the user's classes that calls of the user's functions are given, made of names and constants."""
    if isinstance(e, Op) and e.fn.startswith("local."):
        for a in (*e.args, *(v for _, v in e.options)):
            if isinstance(a, Dict) and a.made and all(isinstance(v, Var | Const) for v in a.values):
                yield a
    for c in ir.children(e):
        yield from given(c)


def is_changed(s: Stmt) -> bool:
    """Whether a statement binds an attribute of an object."""
    target: Expr | None = s.target if isinstance(s, ir.Store | ir.Augment) else None
    while isinstance(target, ir.Index):
        if isinstance(target.key, Const) and isinstance(target.key.value, ir.Attr):
            return True
        target = target.array
    return False


def own_name(whole: Dict) -> str:
    """`box` of Box(length=box_length, cutoff=box_cutoff): what the names of its parts begin with, or its class."""
    keys = [k.value if isinstance(k, Const) else "" for k in whole.keys]
    parts = [(str(k), v.name) for k, v in zip(keys, whole.values, strict=True) if isinstance(v, Var)]
    dot = "_dot" if all(n.endswith("_dot") for _, n in parts) else ""
    stems = {
        n.removesuffix(dot).removesuffix(f"_{k}") if n.removesuffix(dot).endswith(f"_{k}") else "" for k, n in parts
    }
    stem = stems.pop() if len(stems) == 1 else ""
    return (stem or whole.made.rpartition(".")[2].lower()) + dot
