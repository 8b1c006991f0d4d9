"""Other spellings of what the later steps know.

for i, v in reversed(list(enumerate(x))):       for i in reversed(range(len(x))):
    ...                                             v = x[i]
zip(*[iter(x)] * 2)                             zip(x[::2], x[1::2])
d.update(a=x, b=y)                              d["a"], d["b"] = x, y
d |= {"a": x}                                   d["a"] = x
d.setdefault("a", x)                            if "a" not in d:
                                                    d["a"] = x
np.r_[0.0, x, 1:n]                              np.concatenate([[0.0], np.atleast_1d(x), np.arange(1, n)])
np.array(x, ndmin=1)                            np.atleast_1d(np.array(x))
np.array([0.0, *x])                             np.concatenate([[0.0], x])
np.diff(x, prepend=0.0)                         np.diff(np.concatenate([[0.0], x]))
np.array([0.0] + list(x))                       np.concatenate([[0.0], x])
pairs = list(zip(x, y))                         pairs = [(p, q) for p, q in zip(x, y)]
sweep(x, reversed(range(n)))                    sweep(x, range(n)[::-1])
np.array([tuple(x), tuple(y)])                  np.array([list(x), list(y)])
sum(rows, [])                                   list(v for row in rows for v in row)
a, b = values[-2:]                              a, b = values[-2], values[-1]
t += (x, y)  (t is a tuple)                     t = t + (x, y)
for first, *rest in rows:                       for item in rows:
    ...                                             first, *rest = item
for p in zip(xs, ys):                           for p_0, p_1 in zip(xs, ys):
    ...                                             p = (p_0, p_1)
                                                    ...
np.add(a, b, c)                                 np.add(a, b, out=c)
np.copyto(dst=a, src=b)                         np.copyto(a, b)
y = np.add(a, b, out=out)  (out may be None)    y = np.add(a, b) if out is None else np.add(a, b, out=out)
sqrt, pi = np.sqrt, np.pi                       sqrt = np.sqrt
                                                pi = np.pi
g, h = make(a)  (two functions)                 made = make(a)
                                                g = made[0]
                                                h = made[1]
y = {"a": f, "b": np.sin}[mode](x)              laws = {"a": f, "b": np.sin}
                                                y = laws[mode](x)
xs, body = [], Body(u)                          xs = []
                                                body = Body(u)
value = a, b                                    return (a, b), c
return value, c
if not isinstance(o, Dual):                     o = Dual(o) if not isinstance(o, Dual) else o
    o = Dual(o)
with contextlib.suppress(KeyError):             try:
    ...                                             ...
                                                except KeyError:
                                                    pass
with contextlib.nullcontext(x) as y:            y = x
    ...                                         ...
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Collection, Mapping
from collections.abc import Sequence as List
from typing import cast

import numpy as np

from s2s.frontend.rewrites.objects import is_key
from s2s.frontend.text.bindings import root_of, tuple_names
from s2s.frontend.text.function_bodies import default_nodes, has_effects
from s2s.frontend.text.names import METHODS, NAMESPACE, OPERANDS, ModuleNames, made_functions
from s2s.frontend.text.scopes import (
    blocks_of,
    body_nodes,
    bound_names,
    children,
    dotted,
    every_block,
    is_bound,
    new_name,
    parameters,
    read_names,
    walk,
)
from s2s.frontend.text.source import expression, made, put

BUILTINS = frozenset(["abs", "enumerate", "float", "int", "len", "list", "max", "min", "range", "reversed", "round"])

WRITERS = {  # functions that write into their first argument, and what their arguments are called
    "numpy.copyto": ("dst", "src"),
    "numpy.fill_diagonal": ("a", "val"),
    "numpy.place": ("arr", "mask", "vals"),
    "numpy.put": ("a", "ind", "v"),
    "numpy.put_along_axis": ("arr", "indices", "values", "axis"),
    "numpy.putmask": ("a", "mask", "values"),
}


def without_null_contexts(block: list[ast.stmt], own: Collection[str], imports: Mapping[str, str]) -> None:
    """Writes the body of `with contextlib.nullcontext(x) as y` in its place."""
    for i, s in reversed(list(enumerate(block))):
        for inner in blocks_of(s):
            without_null_contexts(inner, own, imports)
        match s:
            case ast.With(items=[ast.withitem(ast.Call(func=func, args=[] | [_] as args, keywords=[]), target)]) if (
                path_of(func, own, imports) == "contextlib.nullcontext"
            ):
                before: list[ast.stmt] = [made(ast.Expr(a), s) for a in args]
                if target is not None:
                    value = args[0] if args else made(ast.Constant(None), s)
                    before = [ast.copy_location(ast.Assign([target], value), s)]
                block[i : i + 1] = [*before, *s.body]


def name_the_tables(function: ast.FunctionDef, own: set[str]) -> None:
    """A display of functions, of which one is called or gets the name that is called, under a name."""
    calls = (n.func for n in body_nodes(function) if isinstance(n, ast.Call))
    called = {f.id for f in calls if isinstance(f, ast.Name)}
    for block in every_block(function.body):
        for i, s in reversed(list(enumerate(block))):
            if isinstance(s, ast.While | ast.For):
                continue  # evaluated anew in each round, or what is bound inside is not there yet
            for n in (s, *surely_evaluated(s)):
                match n:
                    case ast.Call(func=ast.Subscript(value=ast.Dict() | ast.List() | ast.Tuple() as table) as chosen):
                        pass
                    case ast.Assign(
                        targets=[ast.Name(id=name)], value=ast.Subscript(value=ast.Dict() as table) as chosen
                    ) if name in called:
                        pass
                    case _:
                        continue
                if not all(isinstance(e, ast.Name | ast.Attribute | ast.Lambda) for e in entries_of(table)):
                    continue
                laws = "laws"
                while laws in own:
                    laws += "_"
                own.add(laws)
                chosen.value = made(ast.Name(laws, ast.Load()), table)
                block.insert(i, made(ast.Assign([made(ast.Name(laws, ast.Store()), table)], table), s))


def show_the_results(function: ast.FunctionDef) -> None:
    """Tuples that are named only to be put into the tuple which is returned, in their places there."""
    seen = Counter(n.id for s in function.body for n in ast.walk(s) if isinstance(n, ast.Name))
    for block in every_block(function.body):
        match block:
            case [*_, ast.Return(value=ast.Tuple(elts=results))]:
                pass
            case _:
                continue
        for i in reversed(range(len(results))):  # in the order in which they are evaluated
            match block[-2:-1], results[i]:
                case (
                    [ast.Assign(targets=[ast.Name(id=name)], value=ast.Tuple() as shown)],
                    ast.Name(id=read),
                ) if name == read and seen[name] == 2:
                    results[i] = shown
                    del block[-2]
                case _, e if all(isinstance(n, ast.Name | ast.Constant | ast.Tuple | ast.Load) for n in ast.walk(e)):
                    pass
                case _:
                    break


def part_the_made(block: list[ast.stmt], own: set[str], functions: Mapping[str, ast.stmt]) -> None:
    """Several functions that another one makes, one by one."""
    for i, s in reversed(list(enumerate(block))):
        match s:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Call(func=ast.Name(id=name))):
                maker = functions.get(name)
            case _:
                continue
        if not isinstance(maker, ast.FunctionDef) or len(made_functions(maker)) != len(targets):
            continue
        if not all(isinstance(t, ast.Name) for t in targets):
            continue
        whole = new_name(own, "made")
        first = ast.copy_location(ast.Assign([made(ast.Name(whole, ast.Store()), s)], s.value), s)
        items = [expression(f"{whole}[{k}]", s.value) for k in range(len(targets))]
        each = [ast.copy_location(ast.Assign([t], e), s) for t, e in zip(targets, items, strict=True)]
        block[i : i + 1] = [first, *each]


def list_the_pairs(s: ast.stmt, own: set[str]) -> None:
    """What zip and enumerate give, as the list that holds it."""
    match s:
        case ast.Assign(value=ast.Call() as e):
            s.value = listed_pairs(e, own)
        case ast.For(iter=ast.Call(func=ast.Name(id="enumerate"), args=[ast.Call() as e, *_]) as around):
            around.args[0] = listed_pairs(e, own)
        case ast.For(iter=ast.Call() as e):
            s.iter = listed_pairs(e, own)


def listed_pairs(e: ast.expr, own: set[str]) -> ast.expr:
    match e:
        case ast.Call(
            func=ast.Name(id="list"), args=[ast.Call(func=ast.Name(id="zip" | "enumerate" as fn), args=args) as pairs]
        ) if not {"list", fn} & own and not any(isinstance(a, ast.Starred) for a in args):
            pass
        case _:
            return e
    if fn == "zip" and not 2 <= len(args) <= len("pqrst"):
        return e
    taken = own | read_names(e)
    names = [new_name(taken, n) for n in ("pqrst"[: len(args)] if fn == "zip" else "kv")]
    own |= {*names}
    target, elt = tuples_of(names, e)
    return made(ast.ListComp(elt, [ast.comprehension(target, pairs, [], 0)]), e)


def entries_of(table: ast.Dict | ast.List | ast.Tuple) -> List[ast.expr]:
    return table.values if isinstance(table, ast.Dict) else table.elts


def surely_evaluated(s: ast.stmt) -> List[ast.AST]:
    """The nodes of a statement's own expressions, without those of functions and comprehensions in it."""
    found: list[ast.AST] = []
    todo = [c for c in children(s) if isinstance(c, ast.expr)]
    while todo:
        n = todo.pop()
        if isinstance(n, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            continue
        found.append(n)
        todo += [c for c in children(n) if isinstance(c, ast.expr)]
        if isinstance(n, ast.Call):
            todo += [k.value for k in n.keywords]
    return found


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the body of a function: what is done already is not done again."""
    nodes = body_nodes(function)
    imports = names.imports.names
    functions = names.functions | {n.name: n for n in nodes if isinstance(n, ast.FunctionDef)}
    own = bound_names(nodes) | {p.arg for p in parameters(function)}
    if any(isinstance(n, ast.With) for n in nodes):
        without_null_contexts(function.body, own, imports)
        nodes = body_nodes(function)
    numpy = names.own_numpy(own)
    if numpy and any(isinstance(n, ast.Attribute) and n.attr in JOINING for n in nodes):
        given = {p.arg for p in parameters(function)}
        joined = _Joined(numpy, dict_names(nodes), bound_to_lists(nodes), only_lists(nodes) - given, "list" in own)
        function.body = [joined.visit(s) for s in function.body]
        nodes = body_nodes(function)
    for n in nodes:
        if isinstance(n, ast.Call):
            if isinstance(n.func, ast.Name) and n.func.id in functions and "reversed" not in own:
                turn_round(n)
            name_the_output(n, own, imports)
            place_the_operands(n, own, imports, functions)
            show_the_dict(n, own)
            join_the_lists(n, own)
            part_the_items(n, own, nodes)
            if numpy and path_of(n.func, own, imports) == "numpy.array":
                give_the_axes(n, numpy)
                list_the_rows(n, own)
    name_the_tables(function, own)
    show_the_results(function)
    for s in [s for block in every_block(function.body) for s in block]:
        list_the_pairs(s, own)
    known = {n: f for n, f in functions.items() if names.functions.get(n) is not f or n not in own | names.rebound}
    for block in every_block(function.body):
        part_the_made(block, own, known)
    absent = maybe_none(function, nodes)
    if absent:
        outputs = _Outputs(absent, own, imports)
        function.body = [outputs.visit(s) for s in function.body]
        nodes = body_nodes(function)
    called = {n.func.id for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    dicts = made_dicts(nodes) - {p.arg for p in parameters(function)}
    lists = only_lists(nodes)
    tuples = tuple_names(nodes, {p.arg for p in parameters(function)})
    keys = known_keys(function, names, nodes)
    for block in every_block(function.body):
        for i, s in reversed(list(enumerate(block))):
            match s:
                case ast.Assign(
                    targets=[ast.Tuple(elts=targets) | ast.List(elts=targets)],
                    value=ast.Subscript(value=ast.Name(id=name), slice=ast.Slice() as part),
                ) if name in lists and (places := each_of(part, targets)):
                    items = [expression(f"{name}[{k}]", s.value) for k in places]
                    s.value = made(ast.Tuple(items, ast.Load()), s.value)
                case ast.For(target=ast.Tuple(elts=elts) | ast.List(elts=elts) as target) if any(
                    isinstance(e, ast.Starred) for e in elts
                ):
                    item = "item"
                    while item in own:
                        item += "_"
                    own.add(item)
                    s.target = made(ast.Name(item, ast.Store()), target)
                    first = made(ast.Assign([target], made(ast.Name(item, ast.Load()), target)), target)
                    s.body.insert(0, ast.copy_location(first, target))
                case ast.If(
                    test=test,
                    body=[
                        ast.Assign(
                            targets=[ast.Name(id=name) as target], value=ast.Call(func=ast.Name(id=cls)) as value
                        )
                    ],
                    orelse=[],
                ) if cls in names.classes and cls not in own and asks_for(test, name, cls):
                    both = ast.IfExp(test, value, made(ast.Name(name, ast.Load()), target))
                    block[i] = ast.copy_location(ast.Assign([target], made(both, value)), s)
                case ast.For(target=ast.Name() as target, iter=ast.Call() as it) if parts := parts_of_items(
                    it, target.id, own
                ):
                    s.target, whole = tuples_of(parts, target)
                    s.body.insert(0, ast.copy_location(ast.Assign([target], whole), target))
                case ast.For() if not own & BUILTINS and changes_numbers_only(s.body, nodes, own, imports):
                    backwards(s, dict_names(nodes))
                case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)) if (
                    called & names_of(targets) and are_apart(targets, values, own, imports)
                ) or are_made(targets, values, own, names):
                    s.targets, s.value = targets[:1], values[0]
                    block[i + 1 : i + 1] = [
                        ast.copy_location(ast.Assign([t], v), s) for t, v in zip(targets[1:], values[1:], strict=True)
                    ]
                case ast.With(items=[ast.withitem(ast.Call(func=func, args=[_, *_] as kinds, keywords=[]), None)]) if (
                    path_of(func, own, imports) == "contextlib.suppress"
                ):
                    kind = kinds[0] if len(kinds) == 1 else made(ast.Tuple(kinds, ast.Load()), kinds[0])
                    handler = ast.copy_location(ast.ExceptHandler(kind, None, [ast.copy_location(ast.Pass(), s)]), s)
                    block[i] = ast.copy_location(ast.Try(s.body, [handler], [], []), s)
                case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="update")) as call) if (
                    name in dicts and (stored := updated(name, call, keys)) is not None
                ):
                    block[i] = ast.copy_location(stored, s)
                case (
                    ast.Expr(
                        value=ast.Call(
                            func=ast.Attribute(value=ast.Name(id=name), attr="update"),
                            args=[ast.DictComp() as more],
                            keywords=[],
                        )
                    )
                    | ast.AugAssign(target=ast.Name(id=name), op=ast.BitOr(), value=ast.DictComp() as more)
                ) if name in dicts:
                    block[i : i + 1] = entry_by_entry(s, name, more, own)
                case ast.Expr(value=ast.Call(func=ast.Subscript(value=ast.Name(id=name)) as picked) as call) if (
                    name not in own and isinstance(names.values.get(name), ast.Dict)
                ):  # `BOUNDARIES[kind](u)`, which writes into u
                    chosen = new_name(own, "chosen")
                    block.insert(i, made(ast.Assign([made(ast.Name(chosen, ast.Store()), picked)], picked), s))
                    call.func = made(ast.Name(chosen, ast.Load()), picked)
                    made(call, call)
                case ast.Expr(
                    value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="remove"), args=[item], keywords=[])
                ) if name in lists and not own & BUILTINS:
                    block[i : i + 1] = without_item(s, name, item, own)
                case ast.AugAssign(target=ast.Name(id=name) as target, op=ast.Add(), value=value) if name in tuples:
                    longer = made(ast.BinOp(made(ast.Name(name, ast.Load()), target), s.op, value), s)
                    block[i] = ast.copy_location(ast.Assign([target], longer), s)
                case ast.AugAssign(target=ast.Name(id=name), op=ast.BitOr(), value=ast.Dict() as shown) if (
                    name in dicts
                    and (stored := updated(name, made(ast.Call(s.target, [shown], []), s), keys)) is not None
                ):
                    block[i] = ast.copy_location(stored, s)
                case (
                    ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="setdefault")) as call)
                    | ast.Assign(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="setdefault")) as call)
                ) if name in dicts and len(call.args) == 2 and not call.keywords:
                    if not has_effects(call.args[1], functions):
                        block[i : i + 1] = set_by_default(s, name, call)


def parts_of_items(it: ast.Call, item: str, own: set[str]) -> list[str]:
    """Names for the parts of the tuples that `zip` and `enumerate` give, [] for other calls."""
    match it:
        case ast.Call(func=ast.Name(id="zip" | "enumerate" as fn), args=args) if (
            fn not in own and args and not any(isinstance(a, ast.Starred) for a in args)
        ):
            count = len(args) if fn == "zip" else 2
        case _:
            return []
    parts = [new_name(own, f"{item}_{k}") for k in range(count)]
    own |= {*parts}
    return parts


def tuples_of(names: List[str], like: ast.expr) -> tuple[ast.Tuple, ast.Tuple]:
    """The target that binds these names, and the tuple of their values."""
    target = ast.Tuple([made(ast.Name(n, ast.Store()), like) for n in names], ast.Store())
    return made(target, like), made(ast.Tuple([made(ast.Name(n, ast.Load()), like) for n in names], ast.Load()), like)


def asks_for(test: ast.expr, name: str, cls: str) -> bool:
    """Whether a test is `not isinstance(name, cls)`."""
    match test:
        case ast.UnaryOp(
            op=ast.Not(), operand=ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=of), ast.Name(id=wanted)])
        ):
            return (of, wanted) == (name, cls)
    return False


def entry_by_entry(s: ast.stmt, name: str, more: ast.DictComp, own: set[str]) -> list[ast.stmt]:
    """`d.update({k: e for ...})`: what it adds is a dict by then, and gives its entries one by one."""
    added, k = new_name(own, f"{name}_more"), new_name(own, "k")
    first = made(ast.Assign([made(ast.Name(added, ast.Store()), s)], more), s)
    store = expression(f"{name}[{k}]", s)
    assert isinstance(store, ast.Subscript)
    store.ctx = ast.Store()
    put = made(ast.Assign([store], expression(f"{added}[{k}]", s)), s)
    loop = made(ast.For(made(ast.Name(k, ast.Store()), s), expression(added, s), [put], []), s)
    return [ast.copy_location(first, s), ast.copy_location(loop, s)]


def without_item(s: ast.stmt, name: str, item: ast.expr, own: set[str]) -> list[ast.stmt]:
    """`values.remove(v)`: the item at the first place where there is one like it."""
    at = new_name(own, f"{name}_at")
    place = made(ast.Call(expression(f"{name}.index", s), [item], []), s)
    removed = expression(f"{name}[{at}]", s)
    assert isinstance(removed, ast.Subscript)
    removed.ctx = ast.Del()
    removed.slice.is_place = True  # type: ignore[attr-defined]
    first = made(ast.Assign([made(ast.Name(at, ast.Store()), s)], place), s)
    return [ast.copy_location(first, s), ast.copy_location(made(ast.Delete([removed]), s), s)]


def part_the_items(call: ast.Call, own: Collection[str], nodes: List[ast.AST]) -> None:
    """`zip(*[iter(x)] * n)`, each n items of x together: nothing else in the function sees x, which may be a list."""
    match call:
        case ast.Call(
            func=ast.Name(id="zip"),
            args=[
                ast.Starred(
                    ast.BinOp(
                        ast.List(elts=[ast.Call(func=ast.Name(id="iter"), args=[ast.Name(id=name)], keywords=[])]),
                        ast.Mult(),
                        ast.Constant(value=int(n)),
                    )
                )
            ],
            keywords=[],
        ) if n > 1 and not {"zip", "iter"} & set(own):
            if sum(isinstance(node, ast.Name) and node.id == name for node in nodes) == 1:
                starts = ["", *map(str, range(1, n))]
                call.args = [expression(f"{name}[{start}::{n}]", call) for start in starts]


def list_the_rows(call: ast.Call, own: set[str]) -> None:
    """Rows that are tuples of something else are rows like lists, to NumPy."""
    if call.keywords or not call.args or not isinstance(call.args[0], ast.List | ast.Tuple) or "list" in own:
        return
    for e in call.args[0].elts:
        match e:
            case ast.Call(func=ast.Name(id="tuple") as func, args=[_], keywords=[]) if "tuple" not in own:
                e.func = made(ast.Name("list", ast.Load()), func)
                for part in (e, call.args[0], call):
                    made(part, part)


def join_the_lists(call: ast.Call, own: set[str]) -> None:
    """A sum that starts with an empty list is the list of all items."""
    match call:
        case (
            ast.Call(func=ast.Name(id="sum"), args=[rows, ast.List(elts=[])], keywords=[])
            | ast.Call(
                func=ast.Name(id="sum"), args=[rows], keywords=[ast.keyword(arg="start", value=ast.List(elts=[]))]
            )
        ) if not own & {"sum", "list"}:
            item, row = new_name(own, "v"), new_name(own, "row")
            items = expression(f"list({item} for {row} in {ast.unparse(rows)} for {item} in {row})", call)
            assert isinstance(items, ast.Call)
            call.func, call.args, call.keywords = items.func, items.args, []
            made(call, call)


def turn_round(call: ast.Call) -> None:
    """What a function of the program is given backwards, which its derivative goes through once more."""
    given: list[tuple[ast.AST, ast.expr]] = [(call, e) for e in call.args]
    given += [(k, k.value) for k in call.keywords]
    for up, e in given:
        match e:
            case ast.Call(func=ast.Name(id="reversed"), args=[of]):
                put(up, e, expression(f"{ast.unparse(of)}[::-1]", e))
                made(call, call)


def give_the_axes(call: ast.Call, numpy: str) -> None:
    """np.array(x, ndmin=1): axes in front, up to two, are those that np.atleast_1d or np.atleast_2d puts there."""
    for k in call.keywords:
        match k:
            case ast.keyword(arg="ndmin", value=ast.Constant(value=1 | 2 as n)):
                rest = [other for other in call.keywords if other is not k]
                array = ast.copy_location(ast.Call(call.func, call.args, rest), call)
                call.func, call.args, call.keywords = expression(f"{numpy}.atleast_{n:d}d", call), [array], []
                return


def show_the_dict(call: ast.Call, own: Collection[str]) -> None:
    """dict(x=x, v=v).items() as {"x": x, "v": v}.items()"""
    match call.func:
        case ast.Attribute(
            value=ast.Call(func=ast.Name(id="dict"), args=[], keywords=[_, *_] as options) as made_here,
            attr="items" | "keys" | "values",
        ) if "dict" not in own and all(k.arg is not None for k in options):
            keys: list[ast.expr | None] = [made(ast.Constant(k.arg), k) for k in options]
            call.func.value = made(ast.Dict(keys, [k.value for k in options]), made_here)


def each_of(part: ast.Slice, targets: List[ast.expr]) -> list[int]:
    """The places of the items of a slice at one end of a list, which is taken apart into so many names: of [-2:]."""
    n = len(targets)
    if part.step is not None or any(isinstance(t, ast.Starred) for t in targets):
        return []
    match part.lower, part.upper:
        case ((None | ast.Constant(value=0)), ast.Constant(value=int() as stop)) if stop == n:
            return [*range(n)]
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as start)), None if start == n:
            return [*range(-n, 0)]
    return []


def path_of(func: ast.expr, own: Collection[str], imports: Mapping[str, str]) -> str:
    """The whole path of what is called, where it is what a module has; else ""."""
    root, *rest = dotted(func) or [""]
    return ".".join([imports[root], *rest]) if root in imports and root not in own else ""


def names_of(targets: List[ast.expr]) -> set[str]:
    return {t.id for t in targets if isinstance(t, ast.Name)}


def are_apart(targets: List[ast.expr], values: List[ast.expr], own: set[str], imports: Mapping[str, str]) -> bool:
    """Whether names are bound to numbers, to others than themselves, and to what modules have, by a path."""

    def is_apart(e: ast.expr) -> bool:
        path = dotted(e) or [""]
        return isinstance(e, ast.Constant) or (
            path[0] not in names_of(targets) and (len(path) == 1 or (path[0] in imports and path[0] not in own))
        )

    return len(targets) == len(values) and all(isinstance(t, ast.Name) for t in targets) and all(map(is_apart, values))


def are_made(targets: List[ast.expr], values: List[ast.expr], own: Collection[str], names: ModuleNames) -> bool:
    """Whether names are bound to new lists, dicts or objects, one at least, and to what does not read these names.

    own: the names of the function; a function among them may read the others.
    """

    def is_made(e: ast.expr) -> bool:
        match e:
            case ast.Call(func=ast.Name(id=name)) if name in names.classes:
                return True
            case ast.Call(func=ast.Name(id="list" | "tuple" as name)):
                return name not in own
            case ast.Call(func=func):
                return path_of(func, own, names.imports.names) == NAMESPACE
        return isinstance(e, ast.List | ast.Dict)

    bound = names_of(targets)
    if len(bound) < len(targets) or len(targets) != len(values) or not any(map(is_made, values)):
        return False
    nodes = [n for e in values for n in walk(e)]
    called = {root_of(n.func) for n in nodes if isinstance(n, ast.Call)}
    read = {n for e in values for n in read_names(e)}
    return not read & bound and not called & {*own} and not any(isinstance(n, ast.Starred) for n in nodes)


def place_the_operands(
    call: ast.Call, own: set[str], imports: Mapping[str, str], functions: Mapping[str, ast.stmt]
) -> None:
    """`np.copyto(dst=a, src=b)` as `np.copyto(a, b)`: the array that is written stands in its place."""
    params = WRITERS.get(path_of(call.func, own, imports) or "", ())
    given = {k.arg: k.value for k in call.keywords}
    last = max((params.index(p) for p in params if p in given), default=-1) + 1
    wanted = params[len(call.args) : last]
    starred = None in given or any(isinstance(a, ast.Starred) for a in call.args)
    if not wanted or starred or not given.keys() >= {*wanted}:
        return
    placed = [given[p] for p in wanted]
    if placed == [k.value for k in call.keywords[: len(wanted)]] or not any(has_effects(e, functions) for e in placed):
        call.args = [*call.args, *placed]
        call.keywords = [k for k in call.keywords if k.arg not in wanted]


def name_the_output(call: ast.Call, own: set[str], imports: Mapping[str, str]) -> None:
    """np.add(a, b, c) writes into c: it gets the keyword by which everything else knows that."""
    root, *rest = dotted(call.func) or [""]
    if root in own or root not in imports or any(isinstance(a, ast.Starred) for a in call.args):
        return
    module, *names = [*imports[root].split("."), *rest]
    if module != "numpy" or len(names) != 1:
        return
    function = getattr(np, names[0], None)
    operands = function.nin if isinstance(function, np.ufunc) else OPERANDS.get(names[0])
    if operands is not None and len(call.args) == operands + 1 and getattr(function, "nout", 1) == 1:
        call.keywords.append(ast.keyword("out", call.args.pop()))


def maybe_none(function: ast.FunctionDef, nodes: list[ast.AST]) -> set[str]:
    """Parameters that are None by default, and names that are set to None somewhere."""
    found = {p for p, default in default_nodes(function) if is_none(default)}
    for n in nodes:
        match n:
            case ast.Assign(targets=targets, value=value):
                sides = [*value.elts] if isinstance(value, ast.Tuple | ast.List) else [value]
                sides += [e for v in sides if isinstance(v, ast.IfExp) for e in (v.body, v.orelse)]
                if any(map(is_none, sides)):
                    found |= {t.id for target in targets for t in walk(target) if isinstance(t, ast.Name)}
    return found


def is_none(e: ast.expr | None) -> bool:
    return isinstance(e, ast.Constant) and e.value is None


class _Outputs(ast.NodeTransformer):
    """Calls that write into an array, or give a new one where there is none: a choice of both, but where a test has
    made sure that there is one."""

    def __init__(self, names: set[str], own: Collection[str], imports: Mapping[str, str]) -> None:
        self.names, self.own, self.imports = names, own, imports

    def output(self, n: ast.AST) -> str:
        """The name into which a function or a method of NumPy writes, where it may be None."""
        if not isinstance(n, ast.Call) or not isinstance(n.func, ast.Attribute):
            return ""
        root = root_of(n.func)
        if root in self.own or root not in self.imports:
            is_numpy = n.func.attr in METHODS
        else:
            is_numpy = self.imports[root].partition(".")[0] == "numpy"
        outs = [k.value.id for k in n.keywords if k.arg == "out" and isinstance(k.value, ast.Name)]
        return outs[0] if is_numpy and outs and outs[0] in self.names else ""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        outer = self.names
        given, absent = tested(node.test)
        self.names = outer - given
        body = [self.visit(s) for s in node.body]
        made_here = {n.id for s in node.body for n in walk(s) if isinstance(n, ast.Name) and stores(n)}
        self.names = outer - absent
        orelse = [self.visit(s) for s in node.orelse]
        self.names = outer - (absent & made_here)  # `if out is None: out = np.empty(n)`
        node.body, node.orelse = body, orelse
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        outer = self.names
        given, absent = tested(node.test)
        self.names = outer - given
        node.body = self.visit(node.body)
        self.names = outer - absent
        node.orelse = self.visit(node.orelse)
        self.names = outer
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        if name := self.output(node.value):
            return made(ast.If(expression(f"{name} is not None", node), [node], []), node)
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if name := self.output(node):
            alone = made(ast.Call(node.func, node.args, [k for k in node.keywords if k.arg != "out"]), node)
            return made(ast.IfExp(expression(f"{name} is None", node), alone, node), node)
        return node


def tested(test: ast.expr) -> tuple[set[str], set[str]]:
    """The names that are not None where a test holds, and those that are not where it fails."""
    match test:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Is() | ast.IsNot() as op], comparators=[other]) if is_none(
            other
        ):
            return (set(), {name}) if isinstance(op, ast.Is) else ({name}, set())
        case ast.BoolOp(op=ast.And(), values=values):
            return {n for v in values for n in tested(v)[0]}, set()
    return set(), set()


def stores(n: ast.Name) -> bool:
    return isinstance(n.ctx, ast.Store)


def set_by_default(s: ast.Expr | ast.Assign, name: str, call: ast.Call) -> list[ast.stmt]:
    """y = d.setdefault(k, v) as `if k not in d: d[k] = v` and y = d[k]; v is a number, or has no effect."""
    key, value = call.args
    if not isinstance(key, ast.Constant):
        return [s]
    own = expression(f"{name}[{ast.unparse(key)}]", s)
    own.ctx = ast.Store()  # type: ignore[attr-defined]
    store = made(ast.Assign([own], value), s)
    test = expression(f"{ast.unparse(key)} not in {name}", s)
    first = ast.copy_location(ast.If(test, [store], []), s)
    if isinstance(s, ast.Expr):
        return [first]
    s.value = expression(f"{name}[{ast.unparse(key)}]", call)
    return [first, s]


JOINING = ("r_", "array", "asarray", "diff")


class _Joined(ast.NodeTransformer):
    """np.r_[...] as the call that it stands for, where it reads a name and what each of its items is shows; and arrays
    of displays with starred items, or of lists that are added."""

    def __init__(
        self, numpy: str, dicts: Collection[str], lists: Collection[str], sure: Collection[str], own: bool
    ) -> None:
        """lists: names that are bound to lists or tuples, and may be bound to arrays elsewhere; sure: those that are
        lists everywhere, of which a sum joins them; own: whether `list` is a name of the function."""
        self.numpy = numpy
        self.dicts = dicts
        self.lists = lists
        self.sure = sure
        self.own = own

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=root), attr="array" | "asarray"), args=[e], keywords=[]):
                parts = self.parts(e) if root == self.numpy and not self.own else None
                shows = all(isinstance(part, ast.List) for part in parts or ())  # `[a] + [b]` of displays is one
                if parts and not shows and (len(parts) > 1 or isinstance(e, ast.List | ast.Tuple)):
                    return self.call("concatenate", node, made(ast.List(parts, ast.Load()), node))
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=root), attr="diff"),
                args=[x, *rest],
                keywords=options,
            ) if (
                root == self.numpy
                and any(k.arg in ("prepend", "append") for k in options)
                and (
                    not any(
                        isinstance(n, ast.Call | ast.NamedExpr) for n in walk(x)
                    )  # what is put before it comes first
                )
            ):
                return self.of_longer(node, x, rest, options)
        return node

    def of_longer(self, node: ast.Call, x: ast.expr, rest: list[ast.expr], options: list[ast.keyword]) -> ast.Call:
        """np.diff of an array that is made longer at its ends, along the axis of the differences."""
        ends = {k.arg: self.item(k.value) for k in options if k.arg in ("prepend", "append")}
        others = [k for k in options if k.arg not in ends]
        if None in ends.values() or len(rest) > 1 or any(k.arg not in ("n", "axis") for k in others):
            return node
        axis = [k for k in others if k.arg == "axis"]
        match axis:  # x may be more than a vector
            case [ast.keyword(value=ast.Constant(value=int() as number))]:
                before: list[ast.expr] = [made(ast.Slice(), node) for _ in range(number)]
                ends = {name: self.layer(e, x, before) for name, e in ends.items()}
            case [ast.keyword(value=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)))]:
                ends = {name: self.layer(e, x, [made(ast.Constant(...), node)]) for name, e in ends.items()}
        whole = [e for e in (ends.get("prepend"), x, ends.get("append")) if e is not None]
        joined = self.call("concatenate", node, made(ast.List(whole, ast.Load()), node))
        if axis or not all(isinstance(e, ast.List) for e in ends.values()):
            last = made(ast.keyword("axis", made(ast.UnaryOp(ast.USub(), made(ast.Constant(1), node)), node)), node)
            cast(ast.Call, joined).keywords = axis or [last]
        return made(ast.Call(node.func, [joined, *rest], others), node)

    def layer(self, e: ast.expr | None, x: ast.expr, before: list[ast.expr]) -> ast.expr | None:
        """A number that is written out, `[0.0]`, as an array that is joined to x along an axis, that of the key after
        those of the axes before it; else e as it is."""
        if not (isinstance(e, ast.List) and len(e.elts) == 1):
            return e
        first: ast.expr = made(ast.Slice(upper=made(ast.Constant(1), e)), e)
        key = made(ast.Tuple([*before, first], ast.Load()), e) if before else first
        part = made(ast.Subscript(copy.deepcopy(x), key, ast.Load()), e)
        return self.call("full", e, self.call("shape", e, part), e.elts[0])

    def parts(self, e: ast.expr) -> list[ast.expr] | None:
        """The sequences that a list is made of; None where nothing is joined, or where that does not show."""
        match e:
            case ast.List(elts=elts) | ast.Tuple(elts=elts) if any(isinstance(i, ast.Starred) for i in elts):
                out: list[ast.expr] = []
                for i in elts:
                    if isinstance(i, ast.Starred):
                        if not self.is_sequence(i.value):
                            return None
                        out.append(self.plain(i.value))
                    elif out and isinstance(out[-1], ast.List) and getattr(out[-1], "joined", False):
                        out[-1].elts.append(i)
                    else:
                        out.append(made(ast.List([i], ast.Load()), i))
                        out[-1].joined = True  # type: ignore[attr-defined]
                return out
            case ast.List(elts=[_, *_]):
                return [e]
            case ast.BinOp(left=ast.List(elts=[ast.Constant()]), op=ast.Mult(), right=ast.Constant(value=int())):
                return [e]
            case ast.Call(func=ast.Name(id="list"), args=[value], keywords=[]) if self.is_sequence(value):
                return [self.plain(e)]
            case ast.Name(id=name) if name in self.sure:
                return [self.plain(e)]
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                a, b = self.parts(left), self.parts(right)
                return None if a is None or b is None else [*a, *b]
        return None

    def plain(self, e: ast.expr) -> ast.expr:
        """A sequence as an array, where it is a list: rules take arrays."""
        match e:
            case ast.Call(func=ast.Name(id="list"), args=[value], keywords=[]):
                return self.plain(value)
            case ast.Name(id=name) if name in self.lists:
                return self.call("asarray", e, e)
            case ast.ListComp():
                return self.call("array", e, e)
        return e

    def is_sequence(self, e: ast.expr) -> bool:
        """Whether what is taken apart is an array, a list or a tuple, as far as its text shows."""
        match e:
            case ast.Call(func=ast.Name(id="list"), args=[value], keywords=[]):
                return self.is_sequence(value)
            case ast.Name(id=name):
                return name not in self.dicts
            case ast.Subscript() | ast.Attribute():
                return not any(isinstance(n, ast.Name) and n.id in self.dicts for n in walk(e))
        return isinstance(e, ast.ListComp)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Subscript(value=ast.Attribute(value=ast.Name(id=root), attr="r_"), slice=ast.Tuple(elts=elts)):
                items = [self.item(e) for e in elts]
                known = [e for e in items if e is not None]
                reads = any(isinstance(n, ast.Name) for e in elts for n in walk(e))
                if root == self.numpy and reads and len(known) == len(items):
                    return self.call("concatenate", node, made(ast.List(known, ast.Load()), node))
        return node

    def item(self, e: ast.expr) -> ast.expr | None:
        """One of the arrays that are joined; None where its kind, or its dimensions, are stated by a text."""
        match e:
            case ast.Slice(lower=lower, upper=ast.expr() as upper, step=step):
                start = made(ast.Constant(0), e) if lower is None else lower
                match step:
                    case ast.Constant(value=complex() as number):
                        count = made(ast.Constant(int(abs(number))), e)
                        return self.call("linspace", e, start, upper, count)
                    case None:
                        return self.call("arange", e, start, upper)
                return self.call("arange", e, start, upper, step)
            case ast.Slice() | ast.Starred() | ast.Constant(value=str()):
                return None
            case ast.Constant() | ast.UnaryOp(operand=ast.Constant()):
                return made(ast.List([e], ast.Load()), e)
            case ast.Subscript(slice=ast.Slice()):
                return e
        return self.call("atleast_1d", e, e)

    def call(self, function: str, like: ast.AST, *args: ast.expr) -> ast.expr:
        callee = made(ast.Attribute(made(ast.Name(self.numpy, ast.Load()), like), function, ast.Load()), like)
        return made(ast.Call(callee, list(args), []), like)


def bound_to_lists(nodes: list[ast.AST]) -> set[str]:
    """The names that are bound to a list or a tuple somewhere."""
    found: set[str] = set()
    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.List() | ast.ListComp() | ast.Tuple()):
                found.add(name)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="list" | "tuple" | "sorted"))):
                found.add(name)
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.BinOp(left=ast.List()) | ast.BinOp(right=ast.List())
            ):
                found.add(name)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append")):
                found.add(name)
    return found


def only_lists(nodes: list[ast.AST]) -> set[str]:
    """The names that a function binds to new lists, and to nothing else."""
    every = Counter(n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load))
    inside = (inner for n in nodes if isinstance(n, ast.FunctionDef) for inner in walk(n))
    every.update(name for n in (*nodes, *inside) if isinstance(n, ast.Nonlocal | ast.Global) for name in n.names)
    made: Counter[str] = Counter()
    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.List() | ast.ListComp()):
                made[name] += 1
    return {name for name in made if made[name] == every[name]}


def changes_numbers_only(body: list[ast.stmt], nodes: list[ast.AST], own: set[str], imports: Mapping[str, str]) -> bool:
    """Whether a block writes into no array: the items of a list that was made before it stay what they were.

    nodes: of the function; own: the names that it binds.
    """
    bound: dict[str, list[ast.expr]] = {}
    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                bound.setdefault(name, []).append(value)
    for n in (n for s in body for n in walk(s)):
        match n:
            case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Attribute(ctx=ast.Store() | ast.Del()):
                return False
            case ast.AugAssign(target=ast.Name(id=name)):
                if not all(isinstance(v, ast.Constant) for v in bound.get(name, [ast.Name(name)])):
                    return False
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(), attr="append"))):
                continue
            case ast.Expr(value=ast.Call()):
                return False
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append")) if name in own:
                continue
            case ast.Call(func=func, keywords=keywords):
                path = dotted(func)
                if path is None or path[0] in own or any(k.arg == "out" for k in keywords):
                    return False
                if path[0] not in BUILTINS and imports.get(path[0], "").partition(".")[0] not in ("numpy", "math"):
                    return False
    return True


def dict_names(nodes: list[ast.AST]) -> set[str]:
    """Names that are bound to dicts which are made in a function, also to those of another name."""
    found: set[str] = set()
    sources: list[tuple[set[str], set[str]]] = []  # the names that are bound, and those that the value has
    for n in nodes:
        if isinstance(n, ast.Assign) and (bound := {t.id for t in n.targets if isinstance(t, ast.Name)}):
            inside = list(walk(n.value))
            parts = {x.id for x in inside if isinstance(x, ast.Name)}
            if "dict" in parts or any(isinstance(x, ast.Dict | ast.DictComp) for x in inside):
                found |= bound
            else:
                sources.append((bound, parts))
    before = 0
    while len(found) > before:
        before = len(found)
        for bound, parts in sources:
            if parts & found:
                found |= bound
    return found


def backwards(s: ast.For, dicts: set[str]) -> None:
    """A loop over the numbered items of an array or list from its end, as one over its indices."""
    match s.target, s.iter:
        case (
            ast.Tuple(elts=[ast.Name(id=i) as index, item]),
            ast.Call(
                func=ast.Name(id="reversed"),
                args=[
                    ast.Call(
                        func=ast.Name(id="list"),
                        args=[ast.Call(func=ast.Name(id="enumerate"), args=[ast.Name(id=x)], keywords=[])],
                        keywords=[],
                    )
                ],
                keywords=[],
            ),
        ):
            inside = bound_names([n for t in (*s.body, item) for n in walk(t)])
            if x in inside or i in inside or x == i or x in dicts:
                return
            first = ast.copy_location(ast.Assign([item], expression(f"{x}[{i}]", s.iter)), s.iter)
            first.made = True  # type: ignore[attr-defined]
            s.target, s.iter = index, expression(f"reversed(range(len({x})))", s.iter)
            s.body.insert(0, first)


def made_dicts(nodes: list[ast.AST]) -> set[str]:
    """The names that are only ever bound to dicts which are made there."""
    found: dict[str, int] = {}
    stores: dict[str, int] = {}
    for n in nodes:
        match n:
            case (
                ast.Assign(
                    targets=[ast.Name(id=name)], value=ast.Dict() | ast.DictComp() | ast.Call(func=ast.Name(id="dict"))
                )
                | ast.AugAssign(target=ast.Name(id=name), op=ast.BitOr(), value=ast.Dict() | ast.DictComp())
            ):
                found[name] = found.get(name, 0) + 1
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                stores[name] = stores.get(name, 0) + 1
    return {n for n, count in found.items() if stores[n] == count}


def known_keys(function: ast.FunctionDef, names: ModuleNames, nodes: List[ast.AST]) -> dict[str, List[str]]:
    """The keys of dicts that are as they are made all along: `**options` of a call that is known, and displays."""
    here = names.made.get(function.name)
    found: dict[str, List[str]] = {n: [*k] for n, k in here.keywords.items()} if here is not None else {}
    given = {p.arg for p in parameters(function)}
    stores = Counter(n.id for n in nodes if isinstance(n, ast.Name) and is_bound(n))
    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(keys=[*shown])) if (
                stores[name] == 1 and name not in given
            ):
                texts = [k.value for k in shown if isinstance(k, ast.Constant) and isinstance(k.value, str)]
                if len(texts) == len({*texts}) == len(shown):
                    found[name] = texts
    every = [*walk(function)]  # nested functions may change a dict, too
    return {n: keys for n, keys in found.items() if all(map(is_key, keys)) and is_only_read(n, every)}


def is_only_read(name: str, nodes: List[ast.AST]) -> bool:
    """Whether a dict is read entry by entry, and put into others as a whole."""
    known: set[int] = set()
    for n in nodes:
        match n:
            case ast.Subscript(value=ast.Name() as x, slice=ast.Constant(), ctx=ast.Load()):
                known.add(id(x))
            case ast.Call(func=ast.Attribute(value=ast.Name() as x, attr="get")):
                known.add(id(x))
            case ast.Call(func=ast.Attribute(attr="update"), args=[ast.Name() as x], keywords=[]):
                known.add(id(x))
            case ast.Name(ctx=ast.Store()):
                known.add(id(n))
    return all(id(n) in known for n in nodes if isinstance(n, ast.Name) and n.id == name)


def updated(name: str, call: ast.Call, known: Mapping[str, List[str]]) -> ast.stmt | None:
    """The stores that `d.update(...)` stands for; None where its keys are neither written out nor known."""
    entries: list[tuple[str, ast.expr]] = []
    match call.args:
        case []:
            pass
        case [ast.Dict(keys=keys, values=values)]:
            for k, v in zip(keys, values, strict=True):
                if not isinstance(k, ast.Constant) or not isinstance(k.value, str) or not is_key(k.value):
                    return None
                entries.append((k.value, v))
        case [ast.Name(id=of)] if of in known and of != name:
            entries += [(k, expression(f"{of}[{k!r}]", call)) for k in known[of]]
        case _:
            return None
    for o in call.keywords:
        if o.arg is None:
            return None
        entries.append((o.arg, o.value))
    if not entries or len(dict(entries)) < len(entries):
        return None

    def place(key: str) -> ast.expr:
        array, k = made(ast.Name(name, ast.Load()), call), made(ast.Constant(key), call)
        return made(ast.Subscript(array, k, ast.Store()), call)

    targets, given = [place(k) for k, _ in entries], [v for _, v in entries]
    if len(entries) == 1:
        return ast.Assign(targets, given[0])
    target = made(ast.Tuple(targets, ast.Store()), call)
    return ast.Assign([target], made(ast.Tuple(given, ast.Load()), call))


__all__ = ["write_out"]
