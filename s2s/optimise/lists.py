"""Lists made of an array of which only items are read: the array itself has them.

rows_bar = [list(v) for v in 2.0 * array]       rows_bar = 2.0 * array
x_bar += rows_bar[i][0]                         x_bar += rows_bar[i][0]

y_bar[1:] += 2.0 * a_bar                        y_bar[1:] += 2.0 * a_bar
items_bar = list(y_bar)
x_bar += items_bar[i]                           x_bar += y_bar[i]
"""

from __future__ import annotations

from collections import Counter

from s2s import ir
from s2s.derive.owned import held
from s2s.derive.slots import is_one_block
from s2s.frozen import replace
from s2s.ir import Assign, Block, Expr, Index, Op, Stmt, Var


def as_arrays(body: Block) -> Block:
    """`body` without lists of new arrays that nothing changes, puts elsewhere or returns; the user's own stay."""
    made = {s.target: found for s in ir.statements(body) if isinstance(s, Assign) and (found := list_of(s)) is not None}
    made |= lists_of_finished(body)
    if not made:
        return body
    bound = Counter(n for s in ir.statements(body) for n in ir.binds(s))
    every = ir.uses(ir.statements(body))
    read: Counter[str] = Counter()
    levels = {n: depth for n, (depth, _) in made.items()}
    rows: dict[str, str] = {}  # names of items that are lists themselves, `row_bar = rows_bar[i]`
    for s in ir.statements(body):
        match s:
            case Assign(target=name, value=Index(array=Var(name=of), key=key)) if levels.get(of) == 2:
                if bound[name] == 1 and not any(isinstance(k, ir.Slice) for k in ir.key_items(key)):
                    levels[name], rows[name] = 1, of
    for s in ir.statements(body):
        values = (s.target.key, s.value) if isinstance(s, ir.Store) else ir.expressions(s)
        for e in (s.value,) if isinstance(s, ir.Augment) else values:
            for n in ir.walk(e):
                match n:
                    case Op(fn="builtins.len", args=(Var(name=name),)):
                        read[name] += 1
                    case Index(key=key) if not any(isinstance(k, ir.Slice) for k in ir.key_items(key)):
                        name, depth = rooted(n)
                        read[name] += levels.get(name) == depth
    for row, of in rows.items():
        read[of] += every[row] == read[row]
    whole = {n for n in made if bound[n] == 1 and every[n] == read[n]}

    named: dict[str, Expr] = {n: array for n in whole if isinstance(array := made[n][1], Var)}

    def block(b: Block) -> Block:
        return tuple(statement(s) for s in b if not (isinstance(s, Assign) and s.target in named))

    def statement(s: Stmt) -> Stmt:
        if isinstance(s, Assign) and s.target in whole:
            return replace(s, value=made[s.target][1])
        s = ir.with_expressions(s, lambda e: ir.substitute(e, named)) if named else s
        return ir.with_blocks(s, block)

    return block(body)


def returned(body: Block) -> Block:
    """`return [v for v in items_dot]` of a list, or a dict, that is made here and has no other name: the very one."""
    every = list(ir.statements(body))
    parts = [e for s in every if isinstance(s, ir.Return) for e in ir.nodes(s)]
    copies = {of: e.kind for e in parts if isinstance(e, ir.Comprehension) and (of := copied(e)) is not None}
    if not copies:
        return body
    fresh, others = set[Var](), set[Var]()
    uses: Counter[Expr] = Counter()  # of the thing itself, not of its items
    for s in every:
        match s:
            case Assign(target=name, value=value) if kind_made(value) == copies.get(Var(name)):
                fresh.add(Var(name))
            case ir.Append() | ir.Store() | ir.Augment():
                pass
            case _:
                others.update(map(Var, ir.binds(s)))
        uses.update(v for e in ir.expressions(s) for v in ir.walk(e) if isinstance(v, Var))
        if isinstance(s, ir.For):
            uses[s.iterable] -= 1
        for e in ir.nodes(s):
            match e:
                case ir.Comprehension(clauses=clauses):
                    uses.subtract(iterable for _, iterable, _ in clauses)
                case Op(fn="builtins.zip" | "builtins.len", args=args) | Op(spelling="items", args=args):
                    uses.subtract(args)
                case Index(array=array):
                    uses[array] -= 1
    mine = {of for of in fresh - others if uses[of] == 0}

    def original(e: Expr) -> Expr:
        of = copied(e) if isinstance(e, ir.Comprehension) else None
        return of if of is not None and of in mine else ir.rebuild(e, original)

    def statement(s: Stmt) -> Stmt:
        if isinstance(s, ir.Return):
            return ir.with_expressions(s, original)
        return ir.with_blocks(s, lambda block: tuple(map(statement, block)))

    return tuple(map(statement, body))


def kind_made(e: Expr) -> str:
    """The kind of comprehension that would copy what an expression makes anew: "list", "dict" or ""."""
    match e:
        case ir.Comprehension(kind=kind) | ir.Sequence(kind=kind) if kind in ("list", "dict"):
            return kind
        case ir.Dict():
            return "dict"
        case Op(fn="builtins.list"):
            return "list"
    return ""


def copied(e: ir.Comprehension) -> Var | None:
    """The list or the dict, by its name, of which a comprehension has the items as they are."""
    match e:
        case ir.Comprehension(Var() as v, ((target, Var() as of, ()),), "list") if v == target:
            return of
        case ir.Comprehension(
            ir.Slice(Var() as k, Var() as v, None),
            ((ir.Sequence(items=target), Op(args=(Var() as of,), spelling="items"), ()),),
            "dict",
        ) if (k, v) == target:
            return of
    return None


def list_of(s: Assign) -> tuple[int, Expr] | None:
    """Of how many levels the list is that a statement of the reverse sweep makes of a new array, and the array."""
    if s.origin is not None:
        return None
    match s.value:
        case Op(fn="builtins.list", args=(Op() as array,), options=()):
            depth = 1
        case ir.Comprehension(
            kind="list",
            element=Op(fn="builtins.list", args=(Var() as row,), options=()),
            clauses=((target, array, ()),),
        ) if row == target and isinstance(array, Op):
            depth = 2
        case _:
            return None
    return (depth, array) if array.fn.startswith(("numpy.", "helper.")) and not held(array) else None


def lists_of_finished(body: Block) -> dict[str, tuple[int, Expr]]:
    """The lists that are made of an array which has a name, but is filled before and read by nothing else.

    sig_bar = np.zeros_like(sig)
    sig_bar[1:] += s_bar
    items_bar = list(sig_bar)
    """
    every = list(ir.statements(body))
    found: dict[str, tuple[int, Expr]] = {}
    for k, s in enumerate(every):
        match s:
            case Assign(origin=None, value=Op(fn="builtins.list", args=(Var(name=name) as array,), options=())):
                if is_finished(body, name, s) and not any(s.target in mentioned(t) for t in every[:k]):
                    found[s.target] = 1, array
    return found


def is_finished(body: Block, name: str, s: Assign) -> bool:
    """Whether an array is made in the block of `s`, filled before `s`, and has no other reader and no other name."""
    every = list(ir.statements(body))
    using = [t for t in every if name in mentioned(t)]
    made = using[0]
    if not isinstance(made, Assign) or made.target != name or held(made.value) or not is_one_block(body, made, s):
        return False
    if not isinstance(made.value, Op) or not made.value.fn.startswith("numpy.") or using[-1] is not s:
        return False
    return all(
        isinstance(t, ir.Store | ir.Augment)
        and isinstance(t.target, Index)
        and isinstance(t.target.array, Var)
        and name not in ir.reads(t.target.key) | ir.reads(t.value)
        for t in using[1:-1]
    )


def mentioned(s: Stmt) -> set[str]:
    return {*ir.binds(s), *(n for e in ir.expressions(s) for n in ir.reads(e))}


def rooted(e: Expr) -> tuple[str, int]:
    """The name of which an item is read, and at which level it lies."""
    depth = 0
    while isinstance(e, Index):
        e, depth = e.array, depth + 1
    return (e.name if isinstance(e, Var) else ""), depth
