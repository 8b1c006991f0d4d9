"""Takes tuples and dicts apart that are made in the function: what is read of them is what was put in.

    p = (A, 2.0)
    B, c = p            B = A; c = 2.0
    p[0]                A
    b, *rest = p        b = A; rest = [2.0]

An array in a tuple has another name then, and not a place in a structure. It is done for reads that stand behind the
display in its own block, where both have been bound in the same iteration, up to where one of its names is bound anew.
"""

from __future__ import annotations

import functools
from collections import Counter

from s2s import ir
from s2s.analysis.aliases import classes
from s2s.frozen import replace
from s2s.ir import Block, Expr, Stmt, Var

Display = ir.Sequence | ir.Dict


def take_apart(f: ir.Function) -> ir.Function:
    """`f`, whose variables are webs, with the items of its displays read directly."""
    definitions = Counter([*f.names, *(n for s in ir.statements(f.body) for n in ir.binds(s))])
    dicts = any(isinstance(s, ir.Assign) and isinstance(s.value, ir.Dict) for s in ir.statements(f.body))
    changed = classes(f, None).keys() if dicts else ()  # also what is written by another name

    def plain(e: Expr) -> bool:
        if isinstance(e, ir.Sequence):
            return e.kind == "tuple" and not e.starred and all(map(plain, e.items))
        return isinstance(e, ir.Const) or (isinstance(e, Var) and not ir.is_part(e.name))

    def display(s: Stmt) -> Display | None:
        match s:
            case ir.Assign(target=target, value=ir.Sequence(kind="tuple", items=items, starred=starred) as value) if (
                definitions[target] == 1 and not starred and all(map(plain, items))
            ):
                return value
            case ir.Assign(target=target, value=ir.Dict(keys=keys, values=values, made="") as value) if (
                definitions[target] == 1
                and target not in changed
                and all(isinstance(k, ir.Const) for k in keys)
                and all(map(plain, values))
            ):
                return value
        return None

    def item(e: Expr, known: dict[str, Display]) -> Expr:
        if isinstance(e, ir.Index) and isinstance(e.array, Var) and isinstance(e.key, ir.Const):
            found = known.get(e.array.name)
            match found:
                case ir.Sequence(items=items) if type(e.key.value) is int and -len(items) <= e.key.value < len(items):
                    return items[e.key.value]
                case ir.Dict(keys=keys, values=values) if e.key in keys:
                    return values[keys.index(e.key)]
        if isinstance(e, ir.Comprehension):
            inner = {n for t, _, _ in e.clauses for n in ir.target_names(t)}
            known = {n: v for n, v in known.items() if not (ir.reads(v) | {n}) & inner}
        new = ir.rebuild(e, functools.partial(item, known=known)) if not isinstance(e, Var | ir.Const) else e
        return e if new == e else new

    def statement(s: Stmt, known: dict[str, Display]) -> list[Stmt]:
        match s:
            case ir.Unpack(targets=targets, value=value, starred=at):
                held = known.get(value.name) if isinstance(value, Var) else item(value, known)
                if isinstance(held, ir.Sequence) and plain(held) and not ir.reads(held) & set(targets):
                    items = held.items
                    if at >= 0 and len(items) >= len(targets) - 1:  # a, *b = p
                        end = len(items) - (len(targets) - 1 - at)
                        items = (*items[:at], ir.Sequence(items[at:end], "list"), *items[end:])
                    if len(items) == len(targets):
                        return [ir.Assign(t, v, s.origin, s.constant) for t, v in zip(targets, items, strict=True)]
        return [ir.with_expressions(s, functools.partial(item, known=known))]

    def block(b: Block, known: dict[str, Display]) -> Block:
        out: list[Stmt] = []
        for s in b:
            bound = {n for inner in ir.statements((s,)) for n in ir.binds(inner)}
            before, known = known, {n: v for n, v in known.items() if not (ir.reads(v) | {n}) & bound}
            for new in statement(s, before if not ir.blocks(s) else known):
                out.append(ir.with_blocks(new, functools.partial(block, known=known)))
                match new:
                    case ir.Assign(target=target, value=Var(name=name)) if name in known and definitions[target] == 1:
                        if new is s or isinstance(known[name], ir.Sequence):  # a dict may be changed by where it lies
                            known[target] = known[name]
                    case ir.Assign(target=target) if (found := display(new)) is not None:
                        known[target] = found
        return tuple(out)

    if not any(display(s) is not None for s in ir.statements(f.body)):
        return f
    body = block(f.body, {})
    read = {n for s in ir.statements(body) for e in ir.expressions(s) for n in ir.reads(e)}

    def needed(b: Block) -> Block:
        return tuple(ir.with_blocks(s, needed) for s in b if display(s) is None or ir.binds(s)[0] in read)

    return replace(f, body=needed(body))
