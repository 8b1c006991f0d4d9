"""Lists that one loop fills side by side, a value and its tangent, as a comprehension each.

r = []
r_dot = []
for i in range(len(q)):                     r_dot = [x * v_dot + v * x_dot for v, v_dot in zip(q, q_dot)]
    v = q[i]                           ->   r = [v * x for v in q]
    r_dot.append(x * q_dot[i] + v * x_dot)
    r.append(v * x)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from s2s import ir
from s2s.frozen import replace
from s2s.ir import Assign, Expr, Index, Op, Stmt, Var

TANGENT = "_dot"


def comprehensions(before: Sequence[Stmt], loop: ir.For) -> list[Stmt] | None:
    """`before`, which makes the empty lists, and the loop behind it in other words; None where the loop is no
    comprehension of the user's, or where its rounds do more than to append once to each list."""
    body, tests = loop.body, list[Expr]()
    match loop.body:
        case (*first, ir.If(test=test, body=inner, orelse=())):
            body, tests = (*first, *inner), [test]
    appended = [s for s in body if isinstance(s, ir.Append)]
    names = [s.array for s in appended]
    if len(names) < 2 or len({*names}) != len(names) or loop.origin is None:
        return None
    rounds = _values(body, appended)
    if rounds is None or any(ir.reads(e) & {*names} for e in (*rounds, *tests)):
        return None
    lists: dict[str, Assign] = {}
    rest: list[Stmt] = []
    for s in reversed(before):
        if len(lists) == len(names) or not isinstance(s, Assign) or ir.reads(s.value) & {*names}:
            break
        if s.target in names and s.value == ir.Sequence((), "list"):
            lists[s.target] = s
        else:
            rest.insert(0, s)
    own = [s for s in lists.values() if s.origin is loop.origin]
    if lists.keys() != {*names} or len(own) != 1:
        return None
    made: list[Stmt] = []
    for name, e in zip(names, rounds, strict=True):
        value = _comprehension(loop, body, e, tests)
        if value is None:
            return None
        made.append(replace(lists[name], value=value))
    return [*before[: len(before) - len(lists) - len(rest)], *rest, *made]


def _values(body: ir.Block, appended: list[ir.Append]) -> list[Expr] | None:
    """What a round appends, over the items that it has named first, as `loop variable -> item` still; None where it
    does something else, or would compute something twice."""
    shown: dict[str, Expr] = {}
    for s in body[: len(body) - len(appended)]:
        match s:
            case Assign(value=Index(array=Var(), key=Var())):
                continue
            case Assign(target=name, value=ir.Comprehension() | Op(fn="builtins.list") as value):
                if sum(v == Var(name) for a in appended for v in ir.walk(a.value)) != 1:
                    return None
                shown[name] = ir.substitute(value, shown)
            case _:
                return None
    if not all(isinstance(s, ir.Append) for s in body[len(body) - len(appended) :]):
        return None
    return [ir.substitute(a.value, shown) for a in appended]


def _comprehension(loop: ir.For, body: ir.Block, e: Expr, tests: list[Expr]) -> Expr | None:
    items: dict[str, Var] = {}
    for s in body:
        match s:
            case Assign(target=name, value=Index(array=Var() as array)):
                items[name] = array
    over = _lengths(loop.iterable)
    if over is None or not isinstance(loop.target, Var):
        reads = {v.name for v in ir.walk(loop.target) if isinstance(v, Var)}
        return _listed(e, ir.as_value(loop.target), loop.iterable, *tests) if not items and reads else None
    place = loop.target
    if any(_primal(a) not in over for a in items.values()):
        return None
    named = {array: Var(v) for v, array in items.items()}
    used: list[tuple[Var, Var]] = []

    def item(array: Var) -> Var | None:
        of = named.get(_primal(array))
        if array not in named and of is not None and of.name + TANGENT not in ir.reads(e):
            named[array] = Var(of.name + TANGENT)
        v = named.get(array)
        if v is not None and (array, v) not in used:
            used.append((array, v))
        return v

    def inside(x: Expr) -> Expr:
        match x:
            case Index(array=Var() as array, key=key) if key == place:
                return item(array) or x
            case Var(name=name) if name in items:
                return item(items[name]) or x
        return ir.rebuild(x, inside)

    element = inside(e)
    tests = [inside(x) for x in tests]
    if place.name in {n for x in (element, *tests) for n in ir.reads(x)}:
        return None
    if {_primal(a) for a, _ in used} != {*over}:
        return None
    used.sort(key=lambda pair: (pair[0] != _primal(pair[0]), over.index(_primal(pair[0]))))
    if len(used) == 1:
        return _listed(element, used[0][1], used[0][0], *tests)
    target = ir.Sequence(tuple(v for _, v in used))
    return ir.Comprehension(element, ((target, Op("builtins.zip", tuple(a for a, _ in used)), tuple(tests)),))


def _primal(array: Var) -> Var:
    """The list whose tangent this one is, or it itself."""
    return Var(array.name.removesuffix(TANGENT))


def _listed(element: Expr, target: Expr, iterable: Expr, *tests: Expr) -> Expr:
    if element == target and not tests:  # `list(v)`, which the frontend wrote in this way
        return Op("builtins.list", (iterable,), spelling="list")
    return ir.Comprehension(element, ((target, iterable, tests),))


def _lengths(iterable: Expr) -> list[Var] | None:
    """The lists over whose places a loop runs: `range(len(a))`, `range(min(len(a), len(b)))`."""
    match iterable:
        case Op(fn="builtins.range", args=(Op(fn="builtins.len", args=(Var() as a,)),)):
            return [a]
        case Op(fn="builtins.range", args=(Op(fn="builtins.min", args=args),)):
            found = [a.args[0] for a in args if isinstance(a, Op) and a.fn == "builtins.len"]
            names = [a for a in found if isinstance(a, Var)]
            return names if len(names) == len(args) else None
    return None


def loops(body: ir.Block) -> ir.Block:
    """Loops over the items of a list and over those of its tangent, without the places that the forward sweep counts.

    for i in range(len(q)):
        v = q[i]                  ->   for v, v_dot in zip(q, q_dot):
        s_dot += 2.0 * v * q_dot[i]        s_dot += 2.0 * v * v_dot
    """
    bound = {n for s in ir.statements(body) for n in ir.binds(s)}

    def block(inside: ir.Block) -> ir.Block:
        return tuple(statement(s) for s in inside)

    def statement(s: Stmt) -> Stmt:
        s = ir.with_blocks(s, block)
        if isinstance(s, ir.For) and isinstance(s.target, Var) and s.origin is not None:
            return _over_items(s, s.target, bound) or s
        return s

    return block(body)


def _over_items(loop: ir.For, place: Var, bound: set[str]) -> ir.For | None:
    over = _lengths(loop.iterable)
    items: dict[Var, Var] = {}
    at = 0
    for s in loop.body:
        match s:
            case Assign(target=name, value=Index(array=Var() as array, key=key), origin=origin) if key == place:
                if origin is not loop.origin and not array.name.endswith(TANGENT):
                    break  # the user's own place
                items[array] = Var(name)
                at += 1
            case _:
                break
    if over is None or any(a not in items for a in over):
        return None
    written = {n for s in loop.body[at:] for t in ir.statements((s,)) for n in ir.binds(t)}
    for s in ir.statements(loop.body[at:]):
        for e in ir.nodes(s):
            match e:
                case Index(array=Var() as array, key=key) if key == place and array not in items:
                    v = items.get(_primal(array))
                    if v is None or v.name + TANGENT in bound:
                        return None
                    items[array] = Var(v.name + TANGENT)
    if any(_primal(a) not in over for a in items) or len(items) == len(over):
        return None
    written |= {s.array for t in loop.body for s in ir.statements((t,)) if isinstance(s, ir.Append)}
    if written & {v.name for pair in items.items() for v in pair}:
        return None

    def inside(e: Expr) -> Expr:
        match e:
            case Index(array=Var() as array, key=key) if key == place and array in items:
                return items[array]
        return ir.rebuild(e, inside)

    block = tuple(_mapped(s, inside) for s in loop.body[at:])
    reads = (e for s in ir.statements(block) for e in ir.nodes(s))
    if place in reads or not _reads_first(loop.body[at:], place):
        return None
    pairs = sorted(items.items(), key=lambda pair: (pair[0] != _primal(pair[0]), over.index(_primal(pair[0]))))
    target = ir.Sequence(tuple(v for _, v in pairs))
    return replace(loop, target=target, iterable=Op("builtins.zip", tuple(a for a, _ in pairs)), body=block)


def _reads_first(block: ir.Block, place: Var) -> bool:
    """Whether no item is read behind a write in place, which might be one to the list under another name."""
    written = False
    for s in block:
        inner = list(ir.statements((s,)))
        reads = any(place == e for t in inner for e in ir.nodes(t))
        writes = [
            t for t in inner if not isinstance(t, Assign | ir.If | ir.For | ir.Append) or any(map(_calls, ir.nodes(t)))
        ]
        if reads and (written or (writes and writes != [s])):
            return False
        written = written or bool(writes)
    return True


def _calls(e: Expr) -> bool:
    """Whether a function of the user's is called, which may write into what it is given."""
    return isinstance(e, Op) and e.fn.partition(".")[0] not in ("builtins", "helper", "numpy", "operator", "scipy")


def _mapped(s: Stmt, f: Callable[[Expr], Expr]) -> Stmt:
    s = ir.with_expressions(s, f)
    return ir.with_blocks(s, lambda block: tuple(_mapped(t, f) for t in block))
