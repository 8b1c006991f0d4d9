"""Lists that lose their last item are shortened in place again, as the user wrote it.

    x = stack[-1]                               x = stack.pop()
    stack = stack[:-1]                  ->

    x = queue[0]                                x = queue.pop(0)
    queue = queue[1:]                   ->

    stack_bar.append(0.0)                       stack_bar.append(x_bar)
    stack_bar[-1] += x_bar              ->

    E_top = len(E_saved)
    for k in range(n):                          for k in range(n):
        E_top -= 1                      ->          E_dot = E_saved_dot.pop()
        E_dot = E_saved_dot[E_top]                  E = E_saved.pop()
        E = E_saved[E_top]

The first undoes `s2s.frontend.rewrites.takes`, where no other name sees the list; the last undoes
`s2s.frontend.rewrites.stacks`, where each item is still read once, and by nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping

from s2s import algebra, ir, rules
from s2s.analysis import liveness
from s2s.analysis.aliases import NOBODY, Seen, Union
from s2s.derive.owned import closure
from s2s.frozen import replace
from s2s.ir import Append, Assign, Block, Const, Expr, Index, Op, Stmt, Var
from s2s.optimise.fold import written_by

ZERO = Const(0.0)
SKIPPED = (Assign, ir.Unpack, ir.Augment, Append)
# functions that have read a list when they return, and do not hand it back
READ_AT_ONCE = frozenset(f"builtins.{n}" for n in ("len", "sum", "any", "all", "list", "tuple", "sorted", "bool"))
READ_AT_ONCE |= {"operator.not", "method.pop", "method.copy", "method.index", "method.count"}
ITERATE = ("builtins.enumerate", "builtins.zip", "builtins.reversed")


# ---------------------------------------------------------------- in place


def takes(body: Block) -> list[Stmt]:
    """The statements that take an item from a list which has one: before them, it is read."""
    inner = [t for s in body for b in ir.blocks(s) for t in takes(b)]
    return [s for i, s in enumerate(body) if ir.item_before(body, i) is not None] + inner


def in_place(body: Block, given: Collection[str], takes: list[Stmt], wishes: Mapping[str, str]) -> Block:
    """`s = s[:-1]` is `s.pop()`, and `s = s[1:]` a `s.pop(0)`, where nobody else sees s and nothing reads the old one.

    given: parameters, whose lists the caller sees; takes: where a list surely has an item to lose; wishes: the names
    that will be written, one for the lists before and after if that is a variable of the user's.
    """
    sure = set(map(id, takes))
    every = list(ir.statements(body))
    cuts = [s for s in every if isinstance(s, Assign) and ir.cut(s.value)]
    if not cuts:
        return body
    groups = Union()
    for cut in cuts:
        groups.unite(cut.target, of_cut(cut)[0])
    lists = {n for n in groups.parent if n not in given}
    seen = {groups.find(n) for s in every for n in seen_by_others(s, lists, cuts)}
    seen |= {groups.find(n) for n in groups.parent if n in given}
    for s in every:
        own = isinstance(s, Assign) and makes_list(s.value, lists)
        seen |= {groups.find(n) for n in ir.binds(s) if n in lists and not own}
    behind = liveness.behind(body)

    def is_one(a: str, b: str) -> bool:
        return wishes.get(a, a) == wishes.get(b, b)

    def block(b: Block) -> Block:
        out: list[Stmt] = []
        for s in b:
            of, at = of_cut(s)
            alone = id(s) in sure and groups.find(of) not in seen
            if (
                isinstance(s, Assign)
                and alone
                and (s.target == of or (of not in behind[id(s)] and is_one(s.target, of)))
            ):
                out.append(ir.Inert("", (ir.pop(of, at),), s.origin))
                if s.target != of:
                    out.append(replace(s, value=Var(of)))
                continue
            out.append(ir.with_blocks(s, block))
        return tuple(out)

    return block(body)


def of_cut(s: Stmt) -> tuple[str, int]:
    """The list that a statement takes without one item, and which; "" for others."""
    return (ir.cut(s.value) if isinstance(s, Assign) else None) or ("", 0)


def makes_list(e: Expr, lists: set[str]) -> bool:
    """Whether a value is surely a new list."""
    match e:
        case ir.Sequence(kind="list") | ir.Comprehension(kind="list") | Op(fn="builtins.list" | "builtins.sorted"):
            return True
        case Index(array=Var(name=name), key=ir.Slice()):
            return name in lists
    return False


def seen_by_others(s: Stmt, lists: set[str], cuts: list[Assign]) -> Iterator[str]:
    """The lists that a statement may give another name, put into something, or run over while they get shorter."""
    match s:
        case ir.For(iterable=iterable, body=body):
            if any(x in cuts for x in ir.statements(body)):
                yield from ir.reads(iterable) & lists
            yield from _kept_by_items(iterable, lists)
        case ir.If(test=Var()) | ir.While(test=Var()):
            return
        case ir.Return(value=value):
            for e in value.items if isinstance(value, ir.Sequence) else (value,):
                if not isinstance(e, Var):
                    yield from _kept(e, lists)
        case _:
            for e in ir.expressions(s):
                yield from _kept(e, lists)


def _kept(e: Expr, lists: set[str]) -> Iterator[str]:
    match e:
        case Var(name=name):
            if name in lists:
                yield name
        case Op(fn=ir.LAMBDA | ir.NAMED) | ir.Raw():
            yield from ir.reads(e) & lists
        case Index(array=Var(), key=key):
            yield from _kept(key, lists)
        case Op(fn=fn, args=args) if fn in READ_AT_ONCE or fn.startswith("numpy."):
            for a in args:
                if not isinstance(a, Var):
                    yield from _kept(a, lists)
            for _, a in e.options:
                yield from _kept(a, lists)
        case ir.Comprehension(clauses=clauses):
            for c in ir.children(e):
                iterable = any(c is it for _, it, _ in clauses)
                yield from _kept_by_items(c, lists) if iterable else _kept(c, lists)
        case _:
            for c in ir.children(e):
                yield from _kept(c, lists)


def _kept_by_items(e: Expr, lists: set[str]) -> Iterator[str]:
    """The same for what a loop runs over."""
    match e:
        case Var():
            return
        case Op(fn=fn, args=args) if fn in ITERATE:
            for a in args:
                yield from _kept_by_items(a, lists)
        case _:
            yield from _kept(e, lists)


# ---------------------------------------------------------------- what is put on a list, and taken from it


def filled(body: Block, seen: Seen = NOBODY) -> Block:
    """What is put on a list as zero, and added to at once, is put there as it is; an item of a display as well.

    p_bar = [np.zeros_like(p[0]), np.zeros_like(p[1])]      p_bar = [a_bar, 2.0 * b_bar]
    p_bar[0] += a_bar
    p_bar[1] += 2.0 * b_bar                         ->

    A number that may be an array of rank 0, which others see, is not put where more is added to the items in place.
    """
    blocks = ir.every_block(body)
    fills = {id(s) for b in blocks for s in _fills(b)}
    every = list(ir.statements(body))
    updated = {ir.written_name(s.target) for s in every if isinstance(s, ir.Augment) and id(s) not in fills}
    assigned = [s for s in every if isinstance(s, Assign)]
    adjoints = {s.target for s in assigned if s.origin is None}
    lent = {s.target for s in assigned if isinstance(s.value, Var) and s.value.name not in adjoints}

    def block(b: Block) -> Block:
        out: list[Stmt] = []
        for s in b:
            s = ir.with_blocks(s, block)
            whole = _with_item(out[-1], s, updated, lent) if out else None
            if whole is not None:
                out[-1] = whole
            else:
                out.append(s)
        return tuple(out)

    return _without_copies(block(body), seen)


def _fills(block: Block) -> Iterator[Stmt]:
    """The statements that add to what the one before them, and those between, have just put there."""
    before: Stmt | None = None
    for s in block:
        whole = _with_item(before, s) if before is not None else None
        if whole is not None:
            yield s
        before = s if whole is None else whole


def _without_copies(body: Block, seen: Seen) -> Block:
    """Displays of copies that are only handed to functions which read them hold what is copied: `[1.0 * a_bar, b]`."""
    every = list(ir.statements(body))
    displays = {s.target: s for s in every if isinstance(s, Assign) and any(map(_copied, _shown(s)))}
    if not displays:
        return body
    values: dict[str, set[str]] = {}  # what a name may be a part of
    for s in every:
        for n in ir.binds(s):
            value = s.value if isinstance(s, Assign) else None
            new = value is not None and not isinstance(value, Var | Index) and not rules.may_alias(value)
            values.setdefault(n, set()).update({n} if new else {n}.union(*map(ir.reads, ir.expressions(s))))
    alone = (ir.with_blocks(s, lambda _: ()) for s in every if not ir.resized(s))
    written = {r for s in alone for n in written_by(s, seen) for r in closure(n, values)}
    used = ir.uses(every)
    read = Counter(name for s in every for e in ir.nodes(s) for name in _read(e, seen))

    def item(e: Expr) -> Expr:
        of = _copied(e)
        if of is None or not isinstance(e, Op) or seen.visible(of):
            return e
        return e if written & closure(of, values) else e.args[1]

    def block(b: Block) -> Block:
        return tuple(
            replace(s, value=replace(s.value, items=tuple(map(item, s.value.items))))
            if isinstance(s, Assign) and s.target in lasting and isinstance(s.value, ir.Sequence)
            else ir.with_blocks(s, block)
            for s in b
        )

    lasting = {n for n in displays if n not in written and used[n] == read[n]}
    return block(body) if lasting else body


def _shown(s: Assign) -> tuple[Expr, ...]:
    match s:
        case Assign(value=ir.Sequence(kind="list", items=items, starred=stars), origin=None) if not stars:
            return items
    return ()


def _copied(e: Expr) -> str | None:
    """The name of what is copied, as a whole or in part."""
    match e:
        case Op(fn="numpy.multiply", args=(Const(value=1.0), Var() | Index() as of)):
            return ir.written_name(of)
    return None


def _read(e: Expr, seen: Seen) -> Iterator[str]:
    """The names that a function of the output is given, as they are or in tuples, and does not write into."""
    if isinstance(e, Op) and e.fn.startswith("local.") and e.fn.endswith("_rev") and e.fn not in seen.effects:
        todo = list(e.args)
        while todo:
            match todo.pop():
                case Var(name=name):
                    yield name
                case ir.Sequence(items=items, kind="tuple"):
                    todo += items


def _with_item(before: Stmt, s: Stmt, updated: Collection[str] = (), lent: Collection[str] = ()) -> Stmt | None:
    """A statement that puts a zero on a list, with what the next one adds to that; None where they are no such.

    updated: the lists whose items are added to in place. lent: names of what others hold, too: `y_bar = x`.
    """
    match s:
        case ir.Augment(target=Index() as place, sign=sign, value=e):
            shared = not s.own or (isinstance(e, Var) and e.name in lent)
            more, shared = (e, shared) if sign == "+" else (algebra.negated(e), False)
        case ir.Store(target=place, value=Op(fn=algebra.ADD, args=(old, e)), update="") if old == place:
            more, shared = e, True
        case _:
            return None
    keys: list[int] = []
    slot: Expr = place
    while isinstance(slot, Index) and isinstance(slot.key, Const) and isinstance(slot.key.value, int):
        keys.insert(0, slot.key.value)
        slot = slot.array
    if not keys or not isinstance(slot, Var) or slot.name in ir.reads(more):
        return None
    name, at = slot.name, keys[0]
    match before:
        case Append(array=of, value=zero) if of == name and at == -1:
            items: tuple[Expr, ...] = ()
        case Assign(target=of, value=ir.Sequence(kind="list", items=(zero, Var(name=rest)))) if (
            of == name == rest and at == 0
        ):
            items = ()
        case Assign(target=of) if of == name and 0 <= at < len(items := _shown(before)):
            zero = items[at]
            if any(isinstance(n, Op) and n.fn.startswith(("local.", "method.")) for n in ir.walk(more)):
                return None  # evaluated before what stands behind it
        case _:
            return None
    item = None if shared and name in updated else _put(zero, keys[1:], more)
    whole = isinstance(s, ir.Augment) and s.full and len(keys) == 1
    if whole and isinstance(zero, Op) and zero.fn == "numpy.zeros_like":
        assert isinstance(s, ir.Augment)
        if s.own:
            item = more
        elif items:
            item = more if more != e else algebra.op(algebra.MULTIPLY, Const(1.0), more)
    if item is None:
        return None
    if isinstance(before, Append):
        return replace(before, value=item)
    assert isinstance(before, Assign) and isinstance(before.value, ir.Sequence)
    whole_display = (*items[:at], item, *items[at + 1 :]) if items else (item, *before.value.items[1:])
    return replace(before, value=replace(before.value, items=whole_display))


def _put(zeros: Expr, keys: list[int], e: Expr) -> Expr | None:
    match zeros:
        case ir.Sequence(items=items, starred=starred) if keys and not starred and 0 <= keys[0] < len(items):
            item = _put(items[keys[0]], keys[1:], e)
            if item is not None:
                return replace(zeros, items=(*items[: keys[0]], item, *items[keys[0] + 1 :]))
        case Const() if not keys and zeros == ZERO:
            return e
    return None


def taken(body: Block) -> Block:
    """An item is read where the list loses it: `x = s[-1]`, `s.pop()` is `x = s.pop()`."""
    every = list(ir.statements(body))
    shortened = {name for s in every if (name := shortens(s)[0])}
    if not shortened:
        return body
    seen = {n for s in every for n in seen_by_others(s, shortened, [])}

    def block(b: Block) -> Block:
        out: list[Stmt] = []
        for s in b:
            s = ir.with_blocks(s, block)
            name, at = shortens(s)
            last = len(out) - 1
            while name and name not in seen and last >= 0 and isinstance(out[last], SKIPPED):
                if _mentions(out[last], name):
                    break
                last -= 1
            whole = _popping(out[last], name, at) if name and last >= 0 else None
            if whole is not None:
                out[last] = whole
            else:
                out.append(s)
        return tuple(out)

    return block(body)


def shortens(s: Stmt) -> tuple[str, int]:
    """The list that loses an item by a statement, and which; "" for others."""
    match s:
        case ir.Inert(keyword="", values=(Op(fn="method.pop", args=(Var(name=name), *key)),)):
            return name, 0 if key else -1
    return "", 0


def _mentions(s: Stmt, name: str) -> bool:
    return _count(s, name) > 0 or (isinstance(s, Append) and s.array == name)


def _popping(s: Stmt, name: str, at: int) -> Stmt | None:
    """The statement with a pop for the one item that it reads of a list; None for others."""
    if not isinstance(s, Assign | ir.Unpack | ir.Augment | Append) or name in ir.binds(s):
        return None
    if isinstance(s, Append) and s.array == name:
        return None

    def is_item(e: Expr) -> bool:
        match e:
            case Index(array=Var(name=of), key=Const(value=int() as key)):
                return of == name and key == at
        return False

    if _count(s, name) != 1 or not any(map(is_item, ir.walk(s.value))):
        return None

    def expr(e: Expr) -> Expr:
        return ir.pop(name, at) if is_item(e) else ir.rebuild(e, expr)

    if not all(map(ir.is_always_evaluated, ir.walk(s.value))):
        return None
    return replace(s, value=expr(s.value))


# ---------------------------------------------------------------- a position that counts down


def pop_again(body: Block) -> Block:
    for s in [s for s in ir.statements(body) if isinstance(s, Assign)]:
        match s.value:
            case Op(fn="builtins.len", args=(Var(name=name),)) if _is_made_as_often(body, name, s):
                made = _popped(body, s.target, name)
                body = body if made is None else made
    return body


def _is_made_as_often(body: Block, name: str, s: Stmt) -> bool:
    """Whether a list is made anew each time that the position is taken at its end: else it still has what was read."""
    loops = _loops(body)
    here = [loops[id(t)] for t in ir.statements(body) if t is s]
    made = [loops[id(t)] for t in ir.statements(body) if name in ir.binds(t)]
    return bool(here) and all(loop == here[0] for loop in made)


def _loops(body: Block, around: int = 0) -> dict[int, int]:
    """For the id of each statement the id of the innermost loop that it stands in, 0 where there is none."""
    found: dict[int, int] = {}
    for s in body:
        found[id(s)] = around
        inner = id(s) if isinstance(s, ir.For | ir.While) else around
        for b in ir.blocks(s):
            found |= _loops(b, inner)
    return found


def _popped(body: Block, top: str, name: str) -> Block | None:
    """The block with pops of `name`, and of the tangents beside it, for reads at `top`; None where that is another."""
    lists = {name, f"{name}_dot", f"{name}_dot_"}
    seen: Counter[str] = Counter()
    steps = 0
    for segment in _segments(body, top):
        steps += 1
        reads = Counter(x for s in segment for x in _items(s, top))
        once = Counter(x for s in segment for x in _items_read_once(s, top))
        if not reads.keys() <= lists or reads != once or any(n > 1 for n in reads.values()):
            return None
        seen.update(reads)
    used = {x for x in lists if seen[x]}
    mentions = sum(_count(s, top) for s in ir.statements(body))
    if not steps or any(seen[x] != steps for x in used) or mentions != 1 + 2 * steps + sum(seen.values()):
        return None
    for s in ir.statements(body):
        for x in used | {name}:
            own = isinstance(s, Assign) and s.value == Op("builtins.len", (Var(name),)) and s.target == top
            reads_ = (
                sum(_reads(e, x) for e in ir.expressions(s)) - sum(i == x for i in _items(s, top)) - own * (x == name)
            )
            if reads_:
                return None
    return _written(body, top, used, name if name not in used else "")


def _segments(body: Block, top: str) -> Iterator[list[Stmt]]:
    """What follows each `top -= 1` in its block, up to the next one."""
    current: list[Stmt] | None = None
    for s in body:
        for inner in ir.blocks(s):
            yield from _segments(inner, top)
        if steps_down(s, top):
            if current is not None:
                yield current
            current = []
        elif current is not None:
            current.append(s)
    if current is not None:
        yield current


def steps_down(s: Stmt, top: str) -> bool:
    match s:
        case Assign(target=target, value=Op(fn="numpy.subtract", args=(Var(name=read), ir.Const(value=1)))):
            return target == read == top
        case ir.Augment(target=Var(name=target), sign="-", value=ir.Const(value=1)):
            return target == top
    return False


def _items(s: Stmt, top: str) -> Iterator[str]:
    """The lists of which a statement reads the item at `top`."""
    return _items_of((n for e in ir.expressions(s) for n in ir.walk(e)), top)


def _items_read_once(s: Stmt, top: str) -> Iterator[str]:
    """The same, without what may not be evaluated, or in each round of a loop."""
    if not isinstance(s, ir.While):
        yield from _items_of((n for e in ir.expressions(s) for n in ir.surely_evaluated(e)), top)


def _items_of(parts: Iterable[Expr], top: str) -> Iterator[str]:
    for n in parts:
        if isinstance(n, Index) and n.key == Var(top) and isinstance(n.array, Var):
            yield n.array.name


def _reads(e: Expr, name: str) -> int:
    return sum(ir.is_use(n, name) for n in ir.walk(e))


def _count(s: Stmt, name: str) -> int:
    bound = sum(n == name for n in ir.binds(s))
    return bound + sum(_reads(e, name) for e in ir.expressions(s))


def _written(body: Block, top: str, used: set[str], dead: str) -> Block:
    """dead: a list that is appended to, and that nothing reads any more."""

    def expr(e: Expr) -> Expr:
        if isinstance(e, Index) and e.key == Var(top) and isinstance(e.array, Var) and e.array.name in used:
            return ir.pop(e.array.name)
        return ir.rebuild(e, expr)

    def block(b: Block) -> Block:
        out: list[Stmt] = []
        for s in b:
            if steps_down(s, top) or (isinstance(s, Assign) and s.target in (top, dead)):
                continue
            if isinstance(s, ir.Append) and s.array == dead:
                continue
            if any(True for _ in _items(s, top)):
                match s:
                    case Assign() | ir.Unpack() | ir.Append() | ir.Return() | ir.Augment() | ir.Store():
                        s = replace(s, value=expr(s.value))
                    case ir.Inert():
                        s = replace(s, values=tuple(map(expr, s.values)))
                    case ir.If():
                        s = replace(s, test=expr(s.test))
                    case ir.For():
                        s = replace(s, iterable=expr(s.iterable))
            out.append(ir.with_blocks(s, block))
        return tuple(out)

    return block(body)
