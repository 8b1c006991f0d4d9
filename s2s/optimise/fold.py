"""Folds a restored or recomputed value with one reader into it.

x = xs[t]
Wx_bar += np.outer(a_bar, x)      ->      Wx_bar += np.outer(a_bar, xs[t])
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from s2s import algebra, ir
from s2s.analysis.aliases import NOBODY, Seen
from s2s.analysis.loops import Header
from s2s.frozen import replace
from s2s.ir import Assign, Block, Expr, Index, Op, Stmt, Var
from s2s.optimise.dead import Live, at_end, live_before, read_by
from s2s.rules import may_alias

WIDTH = 88
OTHER = {"+": "-", "-": "+"}
Wanted = Callable[[Assign, list[Stmt]], bool]  # whether a value may stand in one of the statements that follow


def fold(block: Block, items: frozenset[str] = frozenset(), seen: Seen = NOBODY) -> Block:
    """`block` with single-use values written where they are read; adjoints of the `items` of a loop are such values."""
    return _fold(block, 1, lambda s, rest: _may_fold(s, rest, items), at_end(seen), (), seen)[0]


def again(block: Block, seen: Seen) -> Block:
    """`block` with values that have one reader left written there, when lists are shortened in place: items that they
    lose, tests, and items of what stays as long as it is."""
    resized = {n for s in ir.statements(block) for n in ir.resized(s)}

    def wanted(s: Assign, following: list[Stmt]) -> bool:
        if _simple(s.value):
            return resized.isdisjoint(_with_peers(s.value, seen))
        return _pops(s.value) or _is_tested(s, following)

    return _fold(block, 1, wanted, at_end(seen), (), seen)[0]


def _may_fold(s: Assign, following: list[Stmt], items: frozenset[str]) -> bool:
    return (
        _simple(s.value)
        or _pops(s.value)
        or s.target in items
        or _is_added(s, following)
        or _is_tuple(s, following)
        or _is_tested(s, following)
    )


def _fold(
    block: Block, depth: int, wanted: Wanted, live: Live, breaks: tuple[Live, ...], seen: Seen
) -> tuple[Block, Live]:
    """The block and the names that are read from its head on, where those of `live` are read behind it."""
    out: list[Stmt] = []
    heads: list[Live] = []  # what is read from the head of each statement of `out` on
    end = live
    for s in reversed(block):
        match s:
            case ir.If():
                body, a = _fold(s.body, depth + 1, wanted, live, breaks, seen)
                orelse, b = _fold(s.orelse, depth + 1, wanted, live, breaks, seen)
                s = replace(s, body=body, orelse=orelse)
                live = a | b | read_by(s)
            case ir.For() | ir.While():
                behind = live | live_before((s,), live, breaks, seen)
                s = replace(s, body=_fold(s.body, depth + 1, wanted, behind, (*breaks, live), seen)[0])
                live = live_before((s,), live, breaks, seen)
            case Assign(origin=None, target=target, value=value) if wanted(s, out):
                if _is_tested(s, out):
                    behind = heads[1] if len(heads) > 1 else end
                    if target not in behind and _count(out[0], target) == 1:
                        out[0] = replace(out[0], test=value)
                        live = heads[0] = live_before((out[0],), behind, breaks, seen)
                        continue
                at = _single_reader(out, s, seen)
                if _pops(value) and (at != 0 or not _pops_once(out[0], target, _with_peers(_popped(value), seen))):
                    at = None
                if at is not None and _writes_beside(s, out[at], seen):
                    at = None
                if at is not None and target not in (heads[at + 1] if at + 1 < len(heads) else end):
                    new = _substitute(out[at], target, value)
                    if new is not None and _width(new, depth) <= WIDTH:
                        out[at] = new
                        live = heads[at + 1] if at + 1 < len(heads) else end
                        for k in range(at, -1, -1):
                            live = heads[k] = live_before((out[k],), live, breaks, seen)
                        continue
                live = live_before((s,), live, breaks, seen)
            case _:
                live = live_before((s,), live, breaks, seen)
        out.insert(0, s)
        heads.insert(0, live)
    return tuple(out), live


def at_once(block: Block) -> Block:
    """`x_bar = out_bar`, then `x_bar = x_bar * np.ones_like(x)`: one, where only other names are bound between."""
    out: list[Stmt] = []
    for s in block:
        s = ir.with_blocks(s, at_once)
        at = _first_of_two(s, out) if isinstance(s, Assign) and s.origin is None else None
        if at is None:
            out.append(s)
        else:
            assert isinstance(s, Assign)
            first = out[at]
            assert isinstance(first, Assign)
            out[at] = _put_into(s, first)
    return tuple(out)


def _put_into(s: Assign, first: Assign) -> Assign:
    value = first.value
    if _is_spread(s):
        match value:
            case Op(fn="numpy.multiply", args=(ir.Const(value=1.0), e)):  # a copy, and the product is one
                value = e
    return replace(s, value=ir.substitute(s.value, {s.target: value}))


def _is_spread(s: Assign) -> bool:
    """x_bar = x_bar * np.ones_like(x)"""
    match s.value:
        case Op(fn="numpy.multiply", args=(Var(name=name), Op(fn="numpy.ones_like", args=(Var(),)))):
            return name == s.target
    return False


def _first_of_two(s: Assign, before: list[Stmt]) -> int | None:
    """Where a name or a number is bound to the name that `s` reads once and binds again."""
    if sum(n == Var(s.target) for n in ir.walk(s.value)) != 1:
        return None
    for at in reversed(range(len(before))):
        match before[at]:
            case Assign(target=target, value=value, origin=None) as bound:
                pass
            case _:
                return None
        if target == s.target:
            if Var(target) in ir.walk(value):
                return None
            fits = _is_spread(s) and _width(_put_into(s, bound), 2) <= WIDTH
            return at if isinstance(value, Var | ir.Const) or fits else None
        if s.target in ir.reads(value) or target in ir.reads(s.value):
            return None
        first = next((b.value for b in reversed(before[:at]) if isinstance(b, Assign) and b.target == s.target), None)
        if first == Var(target):
            return None
    return None


def adopt(block: Block) -> Block:
    """`q_inc, k_inc = _f_rev(...)` and then `q_bar = q_inc`: the call assigns q_bar itself."""
    out: list[Stmt] = []
    for s in block:
        s = ir.with_blocks(s, adopt)
        if not (isinstance(s, Assign) and _adopted(s, out, block)):
            out.append(s)
    return tuple(out)


def _adopted(s: Assign, before: list[Stmt], block: Block) -> bool:
    """Whether the call that made the increment could be given the name of the adjoint instead."""
    if not (isinstance(s.value, Var) and s.value.name.endswith("_inc")):
        return False
    inc = s.value.name
    if any(_count(t, inc) for t in block if t is not s):
        return False
    for i in range(len(before) - 1, -1, -1):
        t = before[i]
        if isinstance(t, ir.Unpack) and inc in t.targets:
            if s.target in t.targets:
                return False
            before[i] = replace(t, targets=tuple(s.target if x == inc else x for x in t.targets))
            return True
        if _count(t, s.target) or s.target in ir.binds(t) or ir.blocks(t):
            return False
    return False


def _simple(e: Expr) -> bool:
    """An item of a list or an array by a name: `h_saved[t]`, `xs[t]`."""
    return isinstance(e, Index) and isinstance(e.array, Var) and isinstance(e.key, Var | ir.Const)


def _is_added(s: Assign, following: list[Stmt]) -> bool:
    """Whether what a helper returns is all that the next statement adds: `v_bar += _step_rev(v, out_bar)`."""
    match s.value, following[:1]:
        case Op(fn=fn), [ir.Augment(target=Var(), value=value)] if fn.startswith("local."):
            return value == Var(s.target)
    return False


def _is_tuple(s: Assign, following: list[Stmt]) -> bool:
    """Whether a tuple of adjoints is handed on in another one, or returned: `_f_rev(x, ((a_bar, b_bar), c_bar))`."""
    if not isinstance(s.value, ir.Sequence) or s.value.kind != "tuple":
        return False
    inside = (n for t in following for n in ir.nodes(t) if _takes_tuple(n))
    return any(e == Var(s.target) for n in inside for e in ir.children(n))


def _takes_tuple(e: Expr) -> bool:
    return isinstance(e, ir.Sequence) or (isinstance(e, Op) and e.fn == "builtins.tuple")


def _read_by(s: Stmt) -> frozenset[str]:
    return frozenset().union(*map(ir.reads, ir.expressions(s)))


def _is_tested(s: Assign, following: list[Stmt]) -> bool:
    """Whether the next statement asks for what is computed here."""
    match following[:1]:
        case [ir.If(test=test)]:
            return test == Var(s.target) and isinstance(s.value, Op)
    return False


def _pops(e: Expr) -> bool:
    """The last item of an adjoint list, which may lie in another one."""
    match e:
        case Op(fn="method.pop", args=(Var() | Index(), *_)):
            return _popped(e).name.endswith("_bar")
    return False


def _popped(e: Expr) -> Var:
    """The list that loses an item, or that which holds it."""
    assert isinstance(e, Op) and isinstance(e.args[0], Var | Index)
    return Var(ir.written_name(e.args[0]))


def _pops_once(s: Stmt, target: str, lists: frozenset[str]) -> bool:
    """Whether a pop may stand where a statement reads the item: it is done once there, and what else the statement
    reads of the list, by whatever name, it reads before the item is gone."""
    inner = (n for e in ir.expressions(s) for n in ir.walk(e) if isinstance(n, ir.Comprehension))
    return not lists & _read_by(s) and not any(target in ir.reads(n) for n in inner)


def _with_peers(e: Expr, seen: Seen) -> frozenset[str]:
    """The names that an expression reads, and those under which others see the same."""
    operands = ir.reads(e)
    return operands.union(*map(seen.visible, operands))


def _count(s: Stmt, name: str) -> int:
    return _count_own(s, name) + sum(_count(x, name) for b in ir.blocks(s) for x in b)


def _single_reader(following: list[Stmt], s: Assign, seen: Seen) -> int | None:
    """The position of the one statement that reads the value, with nothing between that changes its operands."""
    operands, visible = ir.reads(s.value), _with_peers(s.value, seen)
    calls = writing_calls(s, seen)
    changed = frozenset().union(*(_with_peers(c, seen) for c in calls))
    for j, t in enumerate(following):
        visible = visible | _taken_over(t, visible)
        n = _count(t, s.target)
        if n:
            taken = not isinstance(t, ir.Append) and visible.intersection(ir.resized(t))
            return j if n == 1 and not ir.blocks(t) and not taken else None
        bound = {x for inner in ir.statements((t,)) for x in ir.binds(inner)}
        if s.target in bound or bound & operands or written_by(t, seen) & visible:
            return None
        if changed and any(changed & _read_by(x) for x in ir.statements((t,))):
            return None
    return None


def _taken_over(s: Stmt, names: frozenset[str]) -> frozenset[str]:
    """What a statement binds to the memory of these: `x_bar = u_bar`, for which `x_bar += ...` writes into both."""
    assigns = [x for x in ir.statements((s,)) if isinstance(x, Assign | ir.Unpack)]
    found = names
    while True:
        more = found.union(*(ir.binds(x) for x in assigns if ir.reads(x.value) & found and not is_made(x.value)))
        if more == found:
            return found
        found = more


def written_by(s: Stmt, seen: Seen) -> set[str]:
    """The names of arrays and lists that a statement, or one inside it, writes into."""
    every = list(ir.statements((s,)))
    written = {ir.written_name(x.target) for x in every if isinstance(x, ir.Store | ir.Augment)}
    written.update(n for x in every for n in (*ir.resized(x), *_added_to(x)))
    written.update(*(ir.reads(c) for x in every for c in writing_calls(x, seen)))
    return written


def _added_to(s: Stmt) -> list[str]:
    """What np.add.at adds to, as a statement."""
    match s:
        case ir.Inert(values=(Op(fn="numpy.add.at" | "helper._add_at", args=(Var() | Index() as total, *_)),)):
            return [ir.written_name(total)]
    return []


def writing_calls(s: Stmt, seen: Seen) -> list[Expr]:
    """The calls in a statement that may write into their arguments."""
    return [n for n in ir.nodes(s) if isinstance(n, Op) and n.fn in seen.effects]


def _writes_beside(s: Stmt, reader: Stmt, seen: Seen) -> bool:
    """Whether a call adds to a cotangent that the reader of its result reads first: `u_bar[i] += _h_rev(u, u_bar)`
    takes the old element, and puts the sum in the place of what the call has added there."""
    written = {n for c in writing_calls(s, seen) for n in ir.reads(c) if n.endswith("_bar")}
    taken = {ir.written_name(reader.target)} if isinstance(reader, ir.Augment) else set[str]()
    return bool(written & taken.union(*(ir.reads(e) for e in ir.expressions(reader))))


def _substitute(s: Stmt, name: str, value: Expr) -> Stmt | None:
    def f(e: Expr) -> Expr:
        e = ir.substitute(e, {name: value})
        return _without_tuple(e) if isinstance(value, ir.Sequence) else e

    if isinstance(s, ir.Store | ir.Augment) and ir.written_name(s.target) == name:
        return None  # what is written keeps its name
    match s:
        case Assign() | ir.Unpack() | ir.Append() | ir.Return():
            return replace(s, value=f(s.value))
        case ir.Augment():
            target = f(s.target) if isinstance(s.target, Index) else s.target
            assert isinstance(target, Var | Index)
            if s.value != Var(name) or s.sign not in OTHER:
                return replace(s, target=target, value=f(s.value))
            sign, rest = algebra.split_sign(value)
            return replace(s, target=target, sign=s.sign if sign > 0 else OTHER[s.sign], value=rest)
        case ir.Store():
            place = f(s.target)
            assert isinstance(place, Index)
            return replace(s, target=place, value=f(s.value))
        case ir.Inert():
            return replace(s, values=tuple(map(f, s.values)))
    return None


def _without_tuple(e: Expr) -> Expr:
    """`tuple((a, b))` as `(a, b)`."""
    match e:
        case Op(fn="builtins.tuple", args=(ir.Sequence(kind="tuple") as inner,)):
            return inner
    return ir.rebuild(e, _without_tuple)


def _width(s: Stmt, depth: int) -> int:
    return max(len(line) for line in ir.print_block((s,), indent=depth))


def comprehensions(block: Block, headers: dict[str, Header], names: dict[str, str]) -> Block:
    """A reverse loop that only fills the slots of an adjoint list becomes a comprehension.

    hs_bar = [np.zeros_like(v) for v in hs]
    for t in reversed(range(len(hs))):
        hs_bar[t] += 2.0 * (hs[t] - ys[t])      ->      hs_bar = [2.0 * (h - y) for h, y in zip(hs, ys)]
    """
    out: list[Stmt] = []
    for s in block:
        s = ir.with_blocks(s, lambda inner: comprehensions(inner, headers, names))
        if isinstance(s, ir.For) and (made := _as_comprehension(s, out, headers, names)) is not None:
            init, new = made
            marks = [m for m in s.body if isinstance(m, ir.Comment)]
            out.remove(init)
            out += [*[m for m in marks if not m.lines[0].startswith(ir.MARK + "for ")][:1], new]
            continue
        out.append(s)
    return tuple(out)


def _as_comprehension(
    s: ir.For, before: list[Stmt], headers: dict[str, Header], names: dict[str, str]
) -> tuple[Stmt, Stmt] | None:
    work = [x for x in s.body if not isinstance(x, ir.Comment)]
    match s.iterable, work:
        case (
            Op(
                fn="builtins.reversed",
                args=(Op(fn="builtins.range", args=(Op(fn="builtins.len", args=(Var(name=length),)),)) as r,),
            ),
            [ir.Augment(target=Index(array=Var(name=filled), key=key), value=value, sign=sign, full=True) as step],
        ) if key == s.target and (step.own or is_made(value)):
            for init in before:
                if (
                    isinstance(init, Assign)
                    and init.target == filled
                    and _is_zero_list(init.value, length)
                    and not _read_since(before, init, filled)
                ):
                    if filled in ir.reads(value):
                        return None
                    if sign == "-":
                        value = Op("numpy.negative", (value,), form=ir.Form.OPERATOR)
                    return init, Assign(filled, _over_items(value, s.target, r, headers, names))
    return None


def is_made(e: Expr) -> bool:
    """Whether an expression makes an array of its own, or a number. What a function gives may be its argument."""
    return isinstance(e, Op) and not e.fn.startswith(("local.", "helper.", "method.")) and not may_alias(e)


def _over_items(value: Expr, index: Expr, r: Expr, headers: dict[str, Header], names: dict[str, str]) -> Expr:
    """The comprehension over the items that the user's loop names, if nothing else reads the index."""
    assert isinstance(index, Var)
    header = headers.get(index.name)
    if header is not None:
        named = value
        for item in header.items:
            named = _exchange(named, item.value, Var(item.target))
        if index.name not in ir.reads(named):
            own = {
                v: Var(names.get(v, v))
                for v in ir.target_names(header.target)
                if names.get(v, v) not in ir.reads(named)
            }
            return ir.Comprehension(
                ir.substitute(named, dict(own)), ((ir.substitute(header.target, dict(own)), header.iterable, ()),)
            )
    return ir.Comprehension(value, ((index, r, ()),))


def _exchange(e: Expr, old: Expr, new: Expr) -> Expr:
    return new if e == old else ir.rebuild(e, lambda c: _exchange(c, old, new))


def _is_zero_list(e: Expr, of: str) -> bool:
    match e:
        case ir.Comprehension(
            element=Op(fn="numpy.zeros_like") | ir.Const(value=0.0), clauses=((_, Var(name=name), ()),)
        ):
            return name == of
    return False


def _read_since(block: list[Stmt], init: Stmt, name: str) -> bool:
    at = block.index(init)
    return any(_count(s, name) for s in block[at + 1 :])


def rename_in_place(body: Block) -> Block:
    """A list that normalise built under a name of its own, to bind the user's name to it, is bound to that at once.

    new_v = [2.0 * a for a in v]
    v_saved.append(v)                 ->      v_saved.append(v)
    v = new_v                                 v = [2.0 * a for a in v]
    """
    every = list(ir.statements(body))

    def block(inside: Block) -> Block:
        out: list[Stmt] = []
        for s in inside:
            s = ir.with_blocks(s, block)
            match s:
                case Assign(value=Var(name=name), origin=origin):
                    at = len(out) - 1
                    between: set[str] = set()
                    while at >= 0 and _count(out[at], name) == 0:
                        match out[at]:
                            case ir.Append():
                                pass
                            case Assign(target=made) if made == name:
                                break
                            case Assign(target=other, value=value) if is_made_of_items(value):
                                if s.target in (other, *ir.reads(value)):
                                    break
                                between.add(other)
                            case _:
                                break
                        at -= 1
                    first = out[at] if at >= 0 else None
                    if (
                        isinstance(first, Assign)
                        and first.target == name
                        and first.origin is origin
                        and is_made_of_items(first.value)
                        and between.isdisjoint(ir.reads(first.value))
                        and sum(_count_own(t, name) for t in every) == 1
                    ):
                        del out[at]
                        s = replace(s, value=first.value)
            out.append(s)
        return tuple(out)

    return block(body)


def is_made_of_items(e: Expr) -> bool:
    """A comprehension, or `list(v)`, which normalise wrote as one."""
    return isinstance(e, ir.Comprehension) or (isinstance(e, Op) and (e.fn, e.spelling) == ("builtins.list", "list"))


def tuples(body: Block) -> Block:
    """An assignment to several names that normalise wrote one by one is printed as it was.

    old_a = a
    a = b                             b_saved.append(b)
    b_saved.append(b)          ->     old_a_saved.append(a)
    b = old_a * b                     a, b = b, a * b
    old_a_saved.append(old_a)
    """
    every = list(ir.statements(body))

    def block(inside: Block) -> Block:
        out: list[Stmt] = []
        at = 0
        while at < len(inside):
            s = ir.with_blocks(inside[at], block)
            match s:
                case Assign(origin=origin) if origin is not None and "," in origin.text.partition("=")[0]:
                    run = _run(inside[at:], origin)
                    made = _at_once(run, origin, every)
                    if made and (s.target.startswith("old_") or _is_as_written(made, origin)):
                        out += made
                        at += len(run)
                        continue
            out.append(s)
            at += 1
        return tuple(out)

    return block(body)


def _run(following: Block, origin: ir.Origin) -> list[Stmt]:
    """The statements of one origin, with the saves between them and those of its old values behind them."""
    run: list[Stmt] = []
    last = 0
    for s in following:
        match s:
            case Assign() if s.origin is origin:
                last = len(run) + 1
            case ir.Append(value=Var(name=name)) if s.origin is None:
                last = len(run) + 1 if name.startswith("old_") and last == len(run) else last
            case _:
                break
        run.append(s)
    return run[:last]


def _at_once(run: list[Stmt], origin: ir.Origin, every: list[Stmt]) -> list[Stmt] | None:
    """The run as one assignment and its saves, None where that would not be the same."""
    old = {s.target: s.value for s in run if isinstance(s, Assign) and s.target.startswith("old_")}
    if not all(isinstance(e, Var) for e in old.values()):
        return None
    saved = {s.value.name for s in run if isinstance(s, ir.Append) and isinstance(s.value, Var)}
    for name in old.keys() - saved:  # the reverse sweep restores those that are saved
        if sum(_count_own(s, name) for s in every) != sum(_count_own(s, name) for s in run):
            return None
    before: list[Stmt] = []
    behind: list[Stmt] = []
    targets: list[str] = []
    values: list[Expr] = []
    constant = any(s.constant for s in run if isinstance(s, Assign))
    for s in run:
        if isinstance(s, ir.Append):
            assert isinstance(s.value, Var)
            (behind if s.value.name in targets else before).append(replace(s, value=ir.substitute(s.value, old)))
        elif isinstance(s, Assign) and s.target not in old:
            if ir.reads(s.value) & set(targets):
                return None
            targets.append(s.target)
            values.append(ir.substitute(s.value, old))
    return (
        [*before, ir.Unpack(tuple(targets), ir.Sequence(tuple(values)), origin, constant), *behind]
        if len(targets) == _width_of(origin)
        else None
    )


def _is_as_written(made: list[Stmt], origin: ir.Origin) -> bool:
    """Whether the assignment among these statements is what the user wrote, and fits on a line."""
    line = next(t for s in made if isinstance(s, ir.Unpack) for t in ir.print_block((s,)))
    try:
        return len(line) < WIDTH - 16 and ast.dump(ast.parse(line)) == ast.dump(ast.parse(origin.text))
    except SyntaxError:
        return False


def _width_of(origin: ir.Origin) -> int:
    """To how many names a statement of the user assigns at once."""
    try:
        match ast.parse(origin.text).body:
            case [ast.Assign(targets=[ast.Tuple(elts=elts)])]:
                return len(elts)
    except SyntaxError:
        pass
    return 0


def _count_own(s: Stmt, name: str) -> int:
    grown = 2 * (isinstance(s, ir.Append) and s.array == name)  # the list is a name there, for which no value can stand
    return grown + sum(ir.is_use(v, name) for v in ir.nodes(s))


def whole_dicts(block: Block) -> Block:
    """`{"W": params["W"], "b": params["b"]}`, handed to a helper, is printed as `params`."""

    def base(e: ir.Dict) -> Expr | None:
        """The value that the display takes apart, if it is one."""
        found: set[Expr | None] = set()
        for key, value in zip(e.keys, e.values, strict=True):
            found.add(owner(base(value) if isinstance(value, ir.Dict) else value, key))
        return found.pop() if len(found) == 1 else None

    def owner(value: Expr | None, key: Expr) -> Expr | None:
        match value, key:
            case Index(array=array, key=k), ir.Const() if k == key:
                return array
            case Var(name=name), ir.Const(value=str() as k) if name.endswith(part := ir.part_name("", k)):
                return Var(name[: -len(part)])
        return None

    def expr(e: Expr) -> Expr:
        if isinstance(e, Op) and e.fn.startswith("local."):
            args = tuple(name if isinstance(a, ir.Dict) and (name := base(a)) else expr(a) for a in e.args)
            options = tuple(
                (k, name if isinstance(v, ir.Dict) and (name := base(v)) else expr(v)) for k, v in e.options
            )
            return replace(e, args=args, options=options)
        return ir.rebuild(e, expr)

    return tuple(ir.with_blocks(ir.with_expressions(s, expr), whole_dicts) for s in block)
