"""Lists and dicts that one loop fills side by side, a value and its tangent, as a comprehension each; and loops over
the items of a list and of its tangent.

r = []
r_dot = []
for i in range(len(q)):                     r_dot = [x * v_dot + v * x_dot for v, v_dot in zip(q, q_dot)]
    v = q[i]                           ->   r = [v * x for v in q]
    r_dot.append(x * q_dot[i] + v * x_dot)
    r.append(v * x)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from s2s import ir
from s2s.analysis.aliases import Seen
from s2s.frozen import replace
from s2s.ir import Assign, Expr, Index, Op, Stmt, Var
from s2s.optimise.fold import writing_calls

TANGENT = "_dot"
EMPTY = {"list": ir.Sequence((), "list"), "dict": ir.Dict((), (), open=True)}


def comprehensions(block: ir.Block) -> ir.Block:
    """Comprehensions that normalise wrote out as loops as they were, and their tangents beside them."""
    out: list[Stmt] = []
    for s in block:
        s = ir.with_blocks(s, comprehensions)
        found = _made_apart(out, s) if isinstance(s, ir.For) else None
        if found is None:
            out.append(s)
        else:
            out = found
    return tuple(out)


def _made_apart(before: Sequence[Stmt], loop: ir.For) -> list[Stmt] | None:
    """`before`, which makes the empty lists or dicts, and the loop behind it in other words; None where the loop is no
    comprehension of the user's, or where its rounds do more than to add one item to each."""
    temps, added, tests = list[Stmt](), loop.body, list[Expr]()
    match loop.body:
        case (*temps, ir.If(test=test, body=added, orelse=())):
            tests = [test]
        case _:
            while added and _filled(added[0]) is None:
                temps.append(added[0])
                added = added[1:]
    filled = [found for s in added if (found := _filled(s)) is not None]
    names = [name for name, _ in filled]
    if not names or len(filled) != len(added) or len({*names}) != len(names) or loop.origin is None:
        return None
    values = _values(temps, [e for _, e in filled])
    if values is None or any(ir.reads(e) & {*names} for e in (*values, *tests)):
        return None
    made: dict[str, Assign] = {}
    rest: list[Stmt] = []
    for s in reversed(before):
        if len(made) == len(names) or not isinstance(s, Assign) or ir.reads(s.value) & {*names}:
            break
        if s.target in names and s.value in EMPTY.values():
            made[s.target] = s
        else:
            rest.insert(0, s)
    own = [s for s in made.values() if _is_written_out(s.origin, loop.origin)]
    if made.keys() != {*names} or len(own) != 1:
        return None
    out = [*before[: len(before) - len(made) - len(rest)], *rest]
    for name, e in zip(names, values, strict=True):
        value = _comprehension(loop, temps, e, tests)
        if value is None or made[name].value != EMPTY[_kind(e)]:
            return None
        out.append(replace(made[name], value=_over_entries(value, out)))
    return out


def _over_entries(e: Expr, before: Sequence[Stmt]) -> Expr:
    """`{k: np.sum(v) for k, v in d.items()}` for a comprehension over `d_keys`, which is `list(d)` and has been made
    just before."""
    match e:
        case ir.Comprehension(ir.Slice(Var() as k, value), ((target, Var(name=keys), tests),), "dict") if k == target:
            assert value is not None
        case _:
            return e
    of = None
    for s in reversed(before):
        match s:
            case Assign(target=name, value=Op(fn=ir.KEYS | "builtins.list", args=(Var() as d,))) if name == keys:
                of = d
                break
            case Assign(value=other) if not ir.calls_helpers(other):
                continue
        break
    if of is None or {of.name, keys} & {s.target for s in before[before.index(s) + 1 :] if isinstance(s, Assign)}:
        return e
    places = (Index(of, k), Index(of, Op(ir.KEY, (k,))))
    v = ir.apart("v", value, *tests)

    def entry(x: Expr) -> Expr:
        return v if x in places else ir.rebuild(x, entry)

    inside, asked = entry(value), tuple(map(entry, tests))
    if of.name in {n for x in (inside, *asked) for n in ir.reads(x)} or v.name not in ir.reads(inside):
        return ir.Comprehension(e.element, ((k, of, tests),), "dict")
    items = Op("method.items", (of,), form=ir.Form.METHOD, spelling="items")
    return ir.Comprehension(ir.Slice(k, inside), ((ir.Sequence((k, v)), items, asked),), "dict")


def _is_written_out(of: ir.Origin | None, loop: ir.Origin) -> bool:
    """Whether the frontend wrote a loop for a comprehension of this statement, and no user did."""
    if of is loop:
        return True
    return of is not None and loop.span == replace(of.span, end_line=of.span.line, end_column=of.span.column)


def _filled(s: Stmt) -> tuple[str, Expr] | None:
    """The list or the dict to which a statement adds one item, and this: `Slice(key, value)` of a dict."""
    match s:
        case ir.Append(array=name, value=value):
            return name, value
        case ir.Store(target=Index(array=Var(name=name), key=Op(fn=ir.KEY, args=(key,))), value=value, update=""):
            return name, ir.Slice(key, value)
    return None


def _values(temps: list[Stmt], elements: list[Expr]) -> list[Expr] | None:
    """What a round adds, over the items that it has named first; None where it does something else first, or would
    compute something twice."""
    shown: dict[str, Expr] = {}
    for s in temps:
        match s:
            case Assign(value=Index(array=Var(), key=Var())):
                continue
            case Assign(target=name, value=ir.Comprehension() | Op(fn="builtins.list") as value):
                if sum(v == Var(name) for e in elements for v in ir.walk(e)) != 1:
                    return None
                shown[name] = ir.substitute(value, shown)
            case _:
                return None
    return [ir.substitute(e, shown) for e in elements]


def _comprehension(loop: ir.For, temps: list[Stmt], e: Expr, tests: list[Expr]) -> Expr | None:
    items: dict[str, Var] = {}
    for s in temps:
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
        return None if items else _listed(element, place, loop.iterable, *tests)  # the user's own place
    if {_primal(a) for a, _ in used} != {*over}:
        return None
    return _listed(element, *_side_by_side(used, over), *tests)


def _side_by_side(items: Iterable[tuple[Var, Var]], over: list[Var]) -> tuple[Expr, Expr]:
    """What a loop binds and what it runs over, of (list, its item): the lists `over`, then the tangents of these."""
    pairs = sorted(items, key=lambda pair: (pair[0] != _primal(pair[0]), over.index(_primal(pair[0]))))
    if len(pairs) == 1:
        return pairs[0][1], pairs[0][0]
    return ir.Sequence(tuple(v for _, v in pairs)), Op("builtins.zip", tuple(a for a, _ in pairs))


def _primal(array: Var) -> Var:
    """The list whose tangent this one is, or it itself."""
    return Var(array.name.removesuffix(TANGENT))


def _listed(element: Expr, target: Expr, iterable: Expr, *tests: Expr) -> Expr:
    if element == target and not tests:  # `list(v)`, which the frontend wrote in this way
        return Op("builtins.list", (iterable,), spelling="list")
    return ir.Comprehension(element, ((target, iterable, tests),), _kind(element))


def _kind(element: Expr) -> str:
    return "dict" if isinstance(element, ir.Slice) else "list"


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


def loops(body: ir.Block, seen: Seen) -> ir.Block:
    """Loops over the items of a list and over those of its tangent, without the places that the forward sweep counts.

    for i in range(len(q)):
        v = q[i]                  ->   for v, v_dot in zip(q, q_dot):
        s_dot += 2.0 * v * q_dot[i]        s_dot += 2.0 * v * v_dot
    """
    bound = {n for s in ir.statements(body) for n in ir.binds(s)}
    behind = _read_outside(body)

    def block(inside: ir.Block) -> ir.Block:
        return tuple(statement(s) for s in inside)

    def statement(s: Stmt) -> Stmt:
        s = ir.with_blocks(s, block)
        if isinstance(s, ir.For) and isinstance(s.target, Var) and s.origin is not None:
            return s if s.target.name in behind else _over_items(s, s.target, bound, seen) or s
        return s

    return block(body)


def _read_outside(block: ir.Block, inside: frozenset[str] = frozenset()) -> set[str]:
    """Names that are read where no loop around binds them: the variables of loops behind these, among others."""
    found: set[str] = set()
    for s in block:
        found |= {n for e in ir.expressions(s) for n in ir.reads(e)} - inside
        mine = {v.name for v in ir.walk(s.target) if isinstance(v, Var)} if isinstance(s, ir.For) else set[str]()
        for b in ir.blocks(s):
            found |= _read_outside(b, inside | mine)
    return found


def _over_items(loop: ir.For, place: Var, bound: set[str], seen: Seen) -> ir.For | None:
    over = _lengths(loop.iterable)
    items: dict[Var, Var] = {}
    at = 0
    for s in loop.body:
        match s:
            case Assign(target=name, value=Index(array=Var() as array, key=key), origin=origin) if key == place:
                if origin is not loop.origin and not array.name.endswith(TANGENT):
                    break  # the user's own place
                if array in items:
                    break  # one name for an item in the target; `zip(q, q)`: the other is bound to it
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
    targets = (s.target for s in ir.statements(loop.body) if isinstance(s, ir.Store | ir.Augment))
    if any(isinstance(t, Index) and t.key == place and t.array in items for t in targets):
        return None  # another item is put into its place

    def inside(e: Expr) -> Expr:
        match e:
            case Index(array=Var() as array, key=key) if key == place and array in items:
                return items[array]
        return ir.rebuild(e, inside)

    block = ir.mapped(loop.body[at:], inside)
    reads = {n for s in ir.statements(block) for e in ir.expressions(s) for n in ir.reads(e)}
    if place.name in reads or not _reads_first(loop.body[at:], place, seen):
        return None
    target, iterable = _side_by_side(items.items(), over)
    return replace(loop, target=target, iterable=iterable, body=block)


def _reads_first(block: ir.Block, place: Var, seen: Seen) -> bool:
    """Whether no item is read behind a write in place, which might be one to the list under another name."""
    written = False
    for s in block:
        inner = list(ir.statements((s,)))
        reads = any(place.name in ir.reads(e) for t in inner for e in ir.expressions(t))
        writes = [t for t in inner if not isinstance(t, Assign | ir.If | ir.For | ir.Append) or writing_calls(t, seen)]
        if reads and (written or (writes and writes != [s])):
            return False
        written = written or bool(writes)
    return True
