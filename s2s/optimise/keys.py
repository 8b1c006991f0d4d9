"""Loops over the keys of a dict, as a person writes them.

    keys = list(params)
    new = {}                                new = dict(params)
    for k in keys: new[k] = params[k]
    for i in reversed(range(len(keys))):    for k in reversed(params):
        k = keys[i]                             ...
        ...

The list stays where the dict may get keys or lose some between the list and the last loop over it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from s2s import ir
from s2s.frozen import replace
from s2s.ir import Assign, Block, Expr, For, Index, Op, Stmt, Store, Var


def plain(body: Block, given: Collection[str], wishes: dict[str, str]) -> Block:
    """`body` with loops over dicts in place of loops over lists of their keys. given: parameters."""
    body = chosen(body)
    every = list(ir.statements(body))
    made = {s.target: d for s in every if isinstance(s, Assign) and (d := listed(s.value))}
    if not made:
        return body
    bound = Counter(n for s in every for n in ir.binds(s))
    changed = {n for s in every for n in ir.resized(s)}
    changed |= {ir.written_name(s.target) for s in every if isinstance(s, Store)}
    shared = {e.name for s in every if not isinstance(s, ir.Return) for e in parts(s) if isinstance(e, Var)}
    shared |= {s.target for s in every if isinstance(s, Assign) and not makes_dict(s.value)}
    lists = Counter(s.target for s in every if isinstance(s, Assign) and is_list(s.value))
    anew = {n for n in made if bound[n] == lists[n] and n not in changed}
    made = {n: d for n, d in made.items() if bound[n] == 1 and n not in changed}
    body = over_items(taken(body, made), anew, wishes)
    return copies(over_dicts(over_near(body, anew), made, given, shared))


def chosen(body: Block) -> Block:
    """`max(list(d), key=d.get)` as `max(d, key=d.get)`."""

    def expr(e: Expr) -> Expr:
        match e:
            case Op(fn="builtins.max" | "builtins.min", args=(Op(fn=ir.KEYS, args=keys),)):
                return replace(e, args=keys)
        return ir.rebuild(e, expr)

    return tuple(ir.with_expressions(ir.with_blocks(s, chosen), expr) for s in body)


def is_list(e: Expr) -> bool:
    return isinstance(e, Op) and e.fn in (ir.KEYS, "builtins.list") and not e.options and e.spelling != "sorted"


def listed(e: Expr) -> str:
    """The dict of which an expression lists the keys, if it may be one."""
    match e:
        case Op(args=(Var(name=name),)) if is_list(e):
            return name
    return ""


def count(statements: Collection[Stmt], name: str) -> int:
    return sum(ir.is_use(v, name) for s in statements for v in ir.nodes(s))


def taken(body: Block, made: Collection[str]) -> Block:
    """What a loop over positions reads there of lists that one over the keys has filled, it takes from their ends."""
    total = list(ir.statements(body))
    filled: dict[str, set[str]] = {}
    for s in total:
        match s:
            case For(iterable=Var(name=keys), body=inner) if keys in made:
                if not any(isinstance(t, ir.Break) for t in ir.statements(inner)):
                    filled.setdefault(keys, set()).update(t.array for t in inner if type(t) is ir.Append)
    bound = Counter(n for s in total for n in ir.binds(s) if not isinstance(s, ir.Append))
    filling = Counter(s.array for s in total if isinstance(s, ir.Append))

    def block(b: Block) -> Block:
        return tuple(statement(ir.with_blocks(s, block)) for s in b)

    def statement(s: Stmt) -> Stmt:
        match s:
            case For(target=Var(name=i) as at, iterable=it, body=inner) if (keys := positions_of(it)) in filled:
                inside = list(ir.statements(inner))
                lists = {
                    e.array.name
                    for t in inner
                    if not ir.blocks(t) and all(map(ir.is_always_evaluated, ir.nodes(t)))
                    for e in ir.nodes(t)
                    if isinstance(e, Index) and e.key == at and isinstance(e.array, Var)
                } & filled[keys]
                lists = {n for n in lists if bound[n] == filling[n] == count(total, n) == 1}
                if not lists or count(inside, i) != len(lists) + count_of(inside, Index(Var(keys), at)):
                    return s
                for n in lists:
                    inner = as_keys(inner, Index(Var(n), at), ir.pop(n))
                return replace(s, body=inner)
        return s

    return block(body) if any(filled.values()) else body


def positions_of(e: Expr) -> str:
    """The list over whose positions a loop runs, from its end."""
    match e:
        case Op(
            fn="builtins.reversed",
            args=(Op(fn="builtins.range", args=(Op(fn="builtins.len", args=(Var(name=name),)),)),),
        ):
            return name
    return ""


def count_of(statements: Collection[Stmt], e: Expr) -> int:
    return sum(x == e for s in statements for x in ir.nodes(s))


def over_items(body: Block, made: Collection[str], wishes: dict[str, str]) -> Block:
    """Loops over positions that read nothing but the key there, as loops over the keys."""
    total = list(ir.statements(body))

    def block(b: Block) -> Block:
        return tuple(statement(ir.with_blocks(s, block)) for s in b)

    def statement(s: Stmt) -> Stmt:
        match s:
            case For(target=Var(name=i), iterable=it) if (keys := positions_of(it)) in made:
                L = Var(keys)
                inside = list(ir.statements(s.body))
                loops = [t for t in total if isinstance(t, For) and t.target == s.target]
                own = sum(count(list(ir.statements((t,))), i) for t in loops)
                item = Index(L, s.target)
                reads = count_of(inside, item)
                if count(inside, i) != reads or own != count(total, i):
                    return s
                if {i, keys} & {n for t in inside for n in ir.binds(t)}:
                    return s
                for at, t in enumerate(s.body if reads == 1 else ()):
                    match t:
                        case Assign(target=k, value=Index(array=array, key=key)) if (array, key) == (L, s.target):
                            binds = sum(k in ir.binds(x) for x in inside)
                            if binds == 1 and not count(list(ir.statements(s.body[:at])), k):
                                rest = (*s.body[:at], *s.body[at + 1 :])
                                return replace(s, target=Var(k), iterable=Op("builtins.reversed", (L,)), body=rest)
                like = next((t.target for t in total if isinstance(t, For) and t.iterable == L), None)
                if reads and isinstance(like, Var):
                    wishes[i] = wishes.get(like.name, like.name)
                    return replace(s, iterable=Op("builtins.reversed", (L,)), body=as_keys(s.body, item, s.target))
        return s

    return block(body)


def as_keys(body: Block, item: Index, key: Expr) -> Block:
    """`body` with a loop over keys around it, in place of their positions."""

    def expr(e: Expr) -> Expr:
        return key if e == item else ir.rebuild(e, expr)

    def block(b: Block) -> Block:
        return tuple(ir.with_expressions(ir.with_blocks(s, block), expr) for s in b)

    return block(body)


def makes_dict(e: Expr) -> bool:
    return isinstance(e, ir.Dict) or (isinstance(e, Op) and e.fn == "builtins.dict")


def over_dicts(body: Block, made: dict[str, str], given: Collection[str], shared: set[str]) -> Block:
    """Lists of keys that only loops run over, where the dict keeps its keys meanwhile, are not made.

    shared: what may have another name, under which it gets keys.
    """
    every = list(ir.statements(body))
    run: dict[str, int] = dict.fromkeys(made, 0)
    keys: dict[str, set[str]] = {}
    for s in every:
        if isinstance(s, For) and (name := run_over(s.iterable)) in made:
            run[name] += 1
            keys.setdefault(made[name], set()).update(ir.target_names(s.target))
    read = {
        (e.array.name, key_of(e))
        for s in every
        for e in ir.nodes(s)
        if isinstance(e, Index) and isinstance(e.array, Var)
    }
    changed = {ir.written_name(s.target) for s in every if isinstance(s, Store | ir.Augment)}
    changed |= {n for s in every for n in ir.binds(s)}
    sure = {
        name
        for name, d in made.items()
        if run[name] == count(every, name) > 0 and any((d, k) in read for k in keys.get(d, ()))
    }
    gone: set[str] = set()

    def block(b: Block) -> Block:
        for at, s in enumerate(b):
            if isinstance(s, Assign) and s.target in sure and listed(s.value):
                d = made[s.target]
                if (d in given and d not in changed) or (d not in shared and keeps(d, s.target, b[at + 1 :])):
                    gone.add(s.target)
        return tuple(ir.with_blocks(s, block) for s in b if not (isinstance(s, Assign) and s.target in gone))

    body = block(body)
    return run_over_others(body, {n: Var(made[n]) for n in gone}) if gone else body


def over_near(body: Block, lists: Collection[str]) -> Block:
    """Lists of keys that are made before the loops over them, in both sweeps, are not made where nothing up to the last
    of these loops can give the dict a key, under whatever name it does.

    for t in reversed(range(len(params))):          for t in reversed(range(len(params))):
        p = params[t]                                   p = params[t]
        keys = list(p)                                  for k in reversed(p):
        for k in reversed(keys):                            params_bar[t][k] += x_bar * p[k]
            params_bar[t][k] += x_bar * p[k]
    """
    total = ir.uses(ir.statements(body))
    seen: Counter[str] = Counter()
    found: dict[str, list[tuple[Assign, Block]]] = {}

    def block(b: Block) -> None:
        for at, s in enumerate(b):
            for inner in ir.blocks(s):
                block(inner)
            if isinstance(s, Assign) and s.target in lists:
                rest = list(b[at + 1 :])
                again = next((i for i, t in enumerate(rest) if s.target in ir.binds(t)), len(rest))
                last = max(
                    (i for i, t in enumerate(rest[:again]) if count(list(ir.statements((t,))), s.target)), default=-1
                )
                seen[s.target] += count(list(ir.statements(tuple(rest[:again]))), s.target)
                found.setdefault(s.target, []).append((s, tuple(rest[: last + 1])))

    block(body)
    gone: dict[int, str] = {}
    loops: dict[int, str] = {}
    for name, places in found.items():
        if seen[name] != total[name]:
            continue
        for s, span in places:
            over = [t for t in ir.statements(span) if isinstance(t, For) and run_over(t.iterable) == name]
            d = listed(s.value)
            if len(over) == count(list(ir.statements(span)), name) > 0 and keeps_under_all_names(d, over, span):
                gone[id(s)] = d
                loops |= {id(t): d for t in over}

    def rewritten(b: Block) -> Block:
        out: list[Stmt] = []
        for s in b:
            if id(s) in gone:
                continue
            new = ir.with_blocks(s, rewritten)
            if id(s) in loops and isinstance(new, For):
                new = replace(new, iterable=ir.substitute(new.iterable, {run_over(new.iterable): Var(loops[id(s)])}))
            out.append(new)
        return tuple(out)

    return rewritten(body) if gone else body


def keeps_under_all_names(d: str, over: list[For], span: Block) -> bool:
    """Whether a dict, under whatever name, gets no key where loops run over its keys, and is surely one of entries."""
    keys = {t.target.name for t in over if isinstance(t.target, Var)}
    every = list(ir.statements(span))
    entries = {
        e.key.args[0] if ir.is_entry(e) and isinstance(e.key, Op) else e.key
        for t in over
        for s in ir.statements(t.body)
        for e in ir.nodes(s)
        if isinstance(e, Index) and e.array == Var(d)
    }
    if not entries & {Var(k) for k in keys}:
        return False
    inside = [s for t in over for s in ir.statements(t.body)]
    for s in every:
        if d in ir.binds(s) or any(may_write(e) for e in ir.nodes(s)):
            return False
        match s:
            case Store(target=target, value=value) if s.update != "back" and not s.new and not s.gone:
                own = any(s is t for t in inside) and key_of(target) in keys
                if not own and not any(e == target for e in ir.walk(value)):
                    return False
            case Store() | ir.Raw():
                return False
            case ir.Inert(keyword=keyword) if keyword not in ("assert", "pass", "raise"):
                return False
    return True


def may_write(e: Expr) -> bool:
    """Whether a call may give a dict a key, or take one from it: one that takes the last item of a list does not."""
    match e:
        case Op(fn="method.pop", args=(_,)):
            return False
        case Op(fn=fn):
            return fn.startswith(("local.", "module.", "method."))
    return False


def keeps(d: str, keys: str, rest: Block) -> bool:
    """Whether nothing gives a dict keys, or another name, up to the last loop over its keys."""
    last = max((i for i, s in enumerate(rest) if count(list(ir.statements((s,))), keys)), default=-1)
    for s in ir.statements(rest[: last + 1]):
        if d in ir.binds(s) or (isinstance(s, Store | ir.Augment) and ir.written_name(s.target) == d):
            return False
        if any(e == Var(d) for e in parts(s)):
            return False
    return sum(count([s], keys) for s in ir.statements(rest)) > 0


def parts(s: Stmt) -> Iterator[Expr]:
    """What a statement does more with than to read an entry: a dict that is handed to something."""
    todo = [*ir.expressions(s)]
    while todo:
        e = todo.pop()
        match e:
            case Index(array=Var(), key=key):
                todo.append(key)
            case (
                Op(fn="numpy.items", args=(Var(),))
                | Op(
                    fn=ir.GET
                    | ir.COUNT
                    | ir.KEYS
                    | "builtins.list"
                    | "builtins.len"
                    | "operator.in"
                    | "operator.not_in"
                    | "builtins.dict"
                )
            ):
                todo += [a for a in e.args if not isinstance(a, Var)]
            case _:
                yield e
                todo += ir.children(e)


def run_over(e: Expr) -> str:
    match e:
        case Var(name=name) | Op(fn="builtins.reversed", args=(Var(name=name),)):
            return name
    return ""


def key_of(e: Index) -> str:
    key = e.key.args[0] if isinstance(e.key, Op) and e.key.fn == ir.KEY else e.key
    return key.name if isinstance(key, Var) else ""


def run_over_others(body: Block, values: dict[str, Var]) -> Block:
    def block(b: Block) -> Block:
        return tuple(
            replace(ir.with_blocks(s, block), iterable=ir.substitute(s.iterable, dict(values)))
            if isinstance(s, For)
            else ir.with_blocks(s, block)
            for s in b
        )

    return block(body)


def copies(body: Block) -> Block:
    """`new = {}` and a loop that stores each entry of a dict into it as `new = dict(params)`."""
    out: list[Stmt] = []
    for s in body:
        s = ir.with_blocks(s, copies)
        found = copied(s) if isinstance(s, For) else None
        if found is not None:
            at = {t.target: i for i, t in enumerate(out) if isinstance(t, Assign) and t.value in (EMPTY, EMPTY_OPEN)}
            if all(new in at and is_one(out[at[new]], s) and untouched(new, out[at[new] + 1 :]) for new, _ in found):
                for new, old in found:
                    out[at[new]] = replace(out[at[new]], value=Op("builtins.dict", (Var(old),)))
                continue
        out.append(s)
    return tuple(out)


EMPTY, EMPTY_OPEN = ir.Dict((), ()), ir.Dict((), (), open=True)


def is_one(a: Stmt, b: Stmt) -> bool:
    """Whether two statements stand for a copy that the user has written, or the frontend, of what is surely a dict."""
    x, y = (s.origin if isinstance(s, Assign | For) else None for s in (a, b))
    if x is None or x.span is None:  # of a tangent
        return True
    same = y is not None and y.span is not None and (x.span.line, x.span.column) == (y.span.line, y.span.column)
    return same and " for " not in x.text


def untouched(name: str, between: list[Stmt]) -> bool:
    every = list(ir.statements(between))
    return not count(every, name) and not any(name in ir.binds(s) for s in every)


def copied(s: For) -> list[tuple[str, str]] | None:
    """The dicts that a loop over the keys of one fills with the entries of that one, and of its tangent."""
    match s:
        case For(target=Var(name=k), iterable=Var(name=d)):
            pass
        case _:
            return None
    found: list[tuple[str, str]] = []
    for t in s.body:
        match t:
            case Store(
                target=Index(array=Var(name=new)) as place, value=Index(array=Var(name=old)) as value, update=""
            ):
                if key_of(place) != k or key_of(value) != k or old not in (d, f"{d}%_dot", f"{d}_dot") or new == old:
                    return None
                found.append((new, old))
            case _:
                return None
    return found or None
