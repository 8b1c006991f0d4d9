"""Which dicts a function makes and fills under keys that are known when it runs only, and which of them come from
helpers, lie in lists, or are zeros of others."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Container, Iterator, Mapping
from contextvars import ContextVar

from s2s.frontend.rewrites.entries import key_variables, open_dicts, open_items, pairs_of
from s2s.frontend.rewrites.keyed import (
    VIEWS,
    asked_late,
    chosen_by_values,
    is_known,
    is_name,
    is_one_of,
    is_put,
    is_shown,
    item_over,
    keys_from,
    leaves_of,
    list_read,
    names_in,
    steps,
    values_of,
)
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.pragma import is_dict
from s2s.frontend.text.scopes import body_nodes, bound_names, every_block, is_bound, parameters
from s2s.frontend.text.source import expression, made

DEPTH = 4  # tuples in one another, of what a function returns
MAKERS = {"collections.defaultdict": "default", "collections.Counter": "count", "collections.OrderedDict": "plain"}


def dicts(function: ast.FunctionDef, nodes: list[ast.AST], given: set[str]) -> set[str]:
    """The parameters that are dicts, by what is done with them: a loop over their keys, entries under these or under
    texts that are put together, `items()`; or by their annotation."""
    over = key_variables(nodes, given)
    found = {
        p.arg for p in parameters(function) if p.annotation is not None and is_dict(ast.unparse(p.annotation))
    } & given
    for n in nodes:
        match n:
            case ast.For(target=ast.Tuple(elts=[ast.Name(id=k), _]), iter=ast.Call(func=ast.Attribute() as func)):
                if isinstance(func.value, ast.Name) and func.attr == "items" and func.value.id in given:
                    over[k] = func.value.id
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr), args=[], keywords=[]):
                if attr in VIEWS and name in given:
                    found.add(name)
            case ast.Subscript(value=ast.Name(id=name), slice=ast.JoinedStr()) if name in given:
                found.add(name)
            case ast.Subscript(
                value=ast.Name(id=name), slice=ast.BinOp(left=ast.Constant(value=str()), op=ast.Add() | ast.Mod())
            ) if name in given:
                found.add(name)
    read = [
        (n.value.id, n.slice.id)
        for n in nodes
        if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and isinstance(n.slice, ast.Name)
    ]
    found |= {name for name, k in read if name in given and over.get(k) == name}
    return found | {name for name, k in read if name in given and over.get(k) in found}


def filled(function: ast.FunctionDef, module: ModuleNames) -> set[str]:
    """The variables that are bound to new dicts only, of which one gets an entry under a key that the text does not
    show, and with which nothing is done but what can be written with entries and keys."""
    nodes = body_nodes(function)
    given = {p.arg for p in parameters(function)}
    bound: dict[str, list[ast.expr]] = {}
    loops: set[str] = set()  # variables of loops
    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                bound.setdefault(name, []).append(value)
            case ast.Assign(targets=[ast.Tuple() as target], value=ast.Call() | ast.Name() as value):
                for item, e in items_of(target, value):  # what a helper returns, by item
                    bound.setdefault(item, []).append(e)
            case ast.For(target=target, iter=it):
                for part, each in pairs_of(target, it) or [(target, it)]:
                    if isinstance(part, ast.Name):
                        bound.setdefault(part.id, []).append(item_over(each))
                        loops.add(part.id)
    counts: dict[str, int] = {}
    for n in nodes:
        if isinstance(n, ast.Name) and is_bound(n):
            counts[n.id] = counts.get(n.id, 0) + 1
    names = {n for n, values in bound.items() if len(values) == counts[n] and n not in given}
    lists = lists_of_dicts(function, nodes, module)
    names -= {n for n in loops & names if not all(list_read(e) in lists for e in bound[n])}
    near = bound_before(function)
    bound |= {n: [unpacked(e, bound, counts, near) for e in values] for n, values in bound.items()}
    if lists:
        bound |= {n: [x for e in values for x in lists.get(list_read(e), [e])] for n, values in bound.items()}
        zeros = {n: lists[of] for n, values in bound.items() for of in [zeros_like(values, module)] if of in lists}
        bound |= {n: [x for e in values for x in zeros.get(popped(e), [e])] for n, values in bound.items()}
    names -= hidden(function)
    late = {n for n in names for e in bound[n] if isinstance(e, ast.Call) and maker(e.func, module) == "default"}
    names -= asked_late(nodes, late) if late else set()
    shared = {n for n in names for e in bound[n] if is_one_array(e)}
    names -= {  # `+=` changes it for all keys
        n.target.value.id
        for n in nodes
        if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Subscript) and isinstance(n.target.value, ast.Name)
        if n.target.value.id in shared
    }
    held = given | open_items(function)
    while True:
        kept = {n for n in names if all(makes(e, names, held, lists, module) for e in bound[n])}
        kept -= used_otherwise(nodes, kept, module, lists)
        if kept == names:
            break
        names = kept
    counted = {
        n
        for n in names
        for e in bound[n]
        if (isinstance(e, ast.Call) and maker(e.func, module))
        or (is_of_helper(e, module) and not is_showing(*path_of(e), module=module))
    }
    whole = names & run_over(nodes)
    open_ = counted | {n for n in whole for e in bound[n] if is_of_helper(e, module)}
    while True:  # what has the keys of one is one
        known = known_keys(nodes, names - open_)
        more = stored_under_variables(nodes, names, known) | (read_under_variables(nodes, names, known) & whole)
        if more <= open_:
            break
        open_ |= more
    over = keys_unknown(function)
    comprehensions = [(n, e) for n in names for e in bound[n] if isinstance(e, ast.DictComp)]
    open_ |= {n for n, e in comprehensions if steps(e, n) and any(copy_of(b) in held for b in bound[n])}
    while True:  # what is bound to one, or to what has the keys of one or of a parameter, or to which one is bound
        more = {n for n, e in comprehensions if not is_followed(e, over | open_)}
        more |= {n for n in names for e in bound[n] if has_keys_of(e) in over | open_}
        more |= {
            x
            for n, values in bound.items()
            for e in values
            if isinstance(e, ast.Name) and {n, e.id} <= names and {n, e.id} & open_
            for x in (n, e.id)
        }
        if more <= open_:
            return open_
        open_ |= more


def stored_under_variables(nodes: list[ast.AST], names: set[str], known: set[str]) -> set[str]:
    """Dicts that may get an entry under a key that the text does not show."""
    out: set[str] = set()
    for n in nodes:
        match n:
            case (
                ast.Subscript(value=ast.Name(id=name), slice=key, ctx=ast.Store())
                | ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="setdefault"), args=[key, *_])
            ) if name in names and not is_known(key, known):
                out.add(name)
    return out


def read_under_variables(nodes: list[ast.AST], names: set[str], known: set[str]) -> set[str]:
    """Dicts of which an entry is read under a key that the text does not show."""
    return {
        n.value.id
        for n in nodes
        if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and n.value.id in names
        if not is_known(n.slice, known)
    }


def run_over(nodes: list[ast.AST]) -> set[str]:
    """Names of what a loop may run over, or of what has a view taken: all keys of a dict are read there, too."""
    out: set[str] = set()
    for n in nodes:
        match n:
            case ast.For(iter=it) | ast.comprehension(iter=it):
                inside = list(ast.walk(it))
                of_entries = {id(x.value) for x in inside if isinstance(x, ast.Subscript)}
                out |= {x.id for x in inside if isinstance(x, ast.Name) and id(x) not in of_entries}
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if attr in VIEWS:
                out.add(name)
    return out


def lists_of_dicts(function: ast.FunctionDef, nodes: list[ast.AST], module: ModuleNames) -> dict[str, list[ast.expr]]:
    """Lists that are filled with variables, as written derivatives keep the values of a loop, with these; each item
    that is read gets a name, or is handed to a written derivative."""
    held: dict[str, list[ast.expr]] = {}
    known: set[int] = set()
    parts: set[tuple[str, str]] = set()  # new lists, and those of which they have some items
    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Name(id=name) as target], value=ast.List(elts=[])):
                held.setdefault(name, [])
                known.add(id(target))
            case ast.Assign(
                targets=[ast.Name(id=name) as target],
                value=ast.Subscript(value=ast.Name(id=whole) as cut, slice=ast.Slice()),
            ):
                known |= {id(target), id(cut)}
                parts.add((name, whole))
            case ast.Call(func=ast.Attribute(value=ast.Name() as into, attr="append"), args=[ast.Name() as item]):
                held.setdefault(into.id, []).append(item)
                known.add(id(into))
            case ast.Assign(targets=[ast.Name()], value=value) if of := list_read(value):
                known |= {id(x) for x in ast.walk(value) if is_name(x, of)}
            case ast.For(target=target, iter=it) | ast.comprehension(target=target, iter=it):
                for part, each in [(target, it), *pairs_of(target, it)]:
                    if isinstance(part, ast.Name) and (of := list_read(item_over(each))):
                        known |= {id(x) for x in ast.walk(each) if is_name(x, of)}
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name() as counted]):
                known.add(id(counted))
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name() as of, attr="pop"), args=[])):
                known.add(id(of))
            case ast.Call(func=ast.Name(id="_zeros_like"), args=[ast.Name() as like]) if module.carries("_zeros_like"):
                known.add(id(like))
            case ast.Call(func=ast.Name(id=callee), args=args) if callee in module.functions:
                known |= {id(a) for a in args if isinstance(a, ast.Name)}  # what a function writes is seen later
                known |= {id(a.value) for a in args if isinstance(a, ast.Subscript) and list_read(a)}
    for _ in parts:  # a part of a part
        for some, every in sorted(parts):
            own = held.setdefault(some, [])
            own += [e for e in held.get(every, []) if e not in own]
    held = {name: items for name, items in held.items() if items}
    if not held:
        return {}
    other = {n.id for n in nodes if isinstance(n, ast.Name) and id(n) not in known}
    for _ in parts:
        other |= {x for pair in parts for x in pair if {*pair} & other or not {*pair} <= held.keys()}
    return {name: items for name, items in held.items() if name not in other and name not in hidden(function)}


def copy_of(e: ast.expr) -> str:
    """The dict of which an expression is a copy, dict(d), d.copy(); else ""."""
    match e:
        case (
            ast.Call(func=ast.Name(id="dict"), args=[ast.Name(id=name)], keywords=[])
            | ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="copy"), args=[], keywords=[])
        ):
            return name
    return ""


def has_keys_of(e: ast.expr) -> str:
    """The dict whose keys a new one gets, a copy or `dict.fromkeys(d, 0.0)`; else ""."""
    match keys_from(e):
        case ast.Name(id=name):
            return name
    return copy_of(e)


def is_one_array(e: ast.expr) -> bool:
    """Whether an expression is `dict.fromkeys(keys, e)`, of more than a constant."""
    match e:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="dict"), attr="fromkeys"), args=[_, value]):
            return not isinstance(value, ast.Constant)
    return False


def zeros_of_lists(function: ast.FunctionDef, names: set[str], module: ModuleNames) -> set[str]:
    """Cotangents of lists of these dicts, as written derivatives make them: zeros in the structure of one."""
    if not module.carries("_zeros_like"):
        return set()
    nodes = body_nodes(function)
    lists = lists_of_dicts(function, nodes, module)
    held = {name for name, items in lists.items() if all(is_one_of(i, names) for i in items)}
    bound: dict[str, list[ast.expr]] = {}
    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                bound.setdefault(name, []).append(value)
            case ast.Assign(targets=[ast.Tuple(elts=elts)], value=value):
                for i, e in enumerate(elts):
                    if isinstance(e, ast.Name):
                        bound.setdefault(e.id, []).append(item_of(value, i))
    return {name for name, values in bound.items() if zeros_like(values, module) in held}


def zeros_like(values: list[ast.expr], module: ModuleNames) -> str:
    """What a name, bound once, has the structure of: `hs_bar = _zeros_like(hs)`, `hs_bar, x_bar = _norm_rev(hs, x)`."""
    match values:
        case [ast.Call(func=ast.Name(id="_zeros_like"), args=[ast.Name(id=of)])] if module.carries("_zeros_like"):
            return of
        case [e]:
            call, path = path_of(e)
            match given_for(call, path, module) if isinstance(call, ast.Call) else []:
                case [ast.Name(id=of)]:
                    return of
    return ""


def popped(e: ast.expr) -> str:
    """The list that loses the item which an expression gives: nothing else has it."""
    return list_read(e) if isinstance(e, ast.Call) else ""


def of_dicts(nodes: list[ast.AST]) -> set[str]:
    """The names of dicts that hold new dicts, of which only entries are asked: `d[a] = {}`, `d[a][b] = e`."""
    found: set[str] = set()
    bad: set[str] = set()
    parents = {id(c): n for n in nodes for c in ast.iter_child_nodes(n)}
    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name))], value=value):
                (found if isinstance(value, ast.Dict) and not value.keys else bad).add(name)
            case ast.Assign(targets=[ast.Subscript(value=ast.Subscript(value=ast.Name(id=name)))], value=value):
                bad |= {name} if isinstance(value, ast.Name | ast.Subscript | ast.Attribute) else set()  # an array
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Load()):
                up = parents.get(id(n))
                whole = not isinstance(up, ast.Subscript | ast.Compare) and not (
                    (isinstance(up, ast.For | ast.comprehension) and up.iter is n)
                    or (isinstance(up, ast.Attribute) and up.attr == "items")
                    or (isinstance(up, ast.Call) and isinstance(up.func, ast.Name) and up.func.id in ("list", "len"))
                )
                bad |= {name} if whole else set()
    return found - bad


def keys_unknown(function: ast.FunctionDef) -> set[str]:
    """The parameters that are dicts whose keys the text does not show, and the lists of what only the run knows:
    parameters with which nothing else is done than to run over them, and variables that are bound to such lists."""
    nodes = body_nodes(function)
    parts = {
        n.value.id for n in nodes if isinstance(n, ast.Subscript | ast.Attribute) and isinstance(n.value, ast.Name)
    }
    plain = {p.arg for p in function.args.args if p.annotation is None}
    found = plain - parts - bound_names(nodes)
    lists = Counter(name for n in nodes if (name := list_of_run(n)))
    counts = Counter(n.id for n in nodes if isinstance(n, ast.Name) and is_bound(n))
    return open_dicts(function) | found | {n for n, k in lists.items() if k == counts[n]}


def list_of_run(s: ast.AST) -> str:
    """The variable that a statement binds to a list of which the text does not show the items."""
    match s:
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.ListComp()
            | ast.Subscript(slice=ast.Slice())
            | ast.Call(func=ast.Name(id="list" | "sorted"), args=[_]),
        ):
            return name
    return ""


def is_unnamed(e: ast.expr, over: set[str]) -> bool:
    """Whether an expression makes a dict whose keys the text does not show, and that needs a name: no copy."""
    if isinstance(e, ast.DictComp):
        return not is_followed(e, over)
    return has_keys_of(e) != "" and not copy_of(e)


def is_followed(e: ast.DictComp, over: set[str]) -> bool:
    """Whether a comprehension is one over the keys of a dict that the text shows, or over texts that are written out.

    over: dicts and lists of which it does not.
    """
    match e.generators:
        case [ast.comprehension(target=target, iter=it)]:
            first = target.elts[0] if isinstance(target, ast.Tuple) and target.elts else target
            same = isinstance(first, ast.Name) and isinstance(e.key, ast.Name) and e.key.id == first.id
            inner = it
            match it:
                case ast.Call(func=ast.Attribute(value=of, attr="items" | "keys"), args=[]):
                    inner = of
                case ast.Call(func=ast.Name(id="list" | "sorted"), args=[of]):
                    inner = of
            return isinstance(it, ast.Tuple | ast.List) or (
                same and isinstance(inner, ast.Name) and inner.id not in over
            )
    return False


def hidden(function: ast.FunctionDef) -> set[str]:
    """The names that functions inside the function read or bind."""
    inner = [f for s in function.body for f in ast.walk(s) if isinstance(f, ast.FunctionDef | ast.Lambda)]
    return {x.id for f in inner for x in ast.walk(f) if isinstance(x, ast.Name)}


def makes(e: ast.expr, names: set[str], given: set[str], lists: Container[str], module: ModuleNames) -> bool:
    """Whether an expression makes a dict, or is one of these dicts."""
    match e:
        case ast.Name(id=name):
            return name in names
        case ast.Dict(keys=keys):
            return None not in keys
        case ast.DictComp(generators=generators):
            return not any(g.is_async for g in generators)
        case ast.Call(func=ast.Name(id="dict"), args=[], keywords=options):
            return all(k.arg for k in options)
        case ast.Call(func=ast.Name(id="dict"), args=[ast.Name(id=name)], keywords=[]):
            return name in names | given
        case ast.Call(func=ast.Name(id="dict"), args=[ast.Call(func=ast.Name(id="zip"))], keywords=[]):
            return True
        case ast.Call() if keys_from(e) is not None:
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="copy"), args=[], keywords=[]):
            return name in names
        case ast.Call(func=ast.Name(id="_added"), args=[ast.Name(id=name), _]) if module.carries("_added"):
            return name in names
        case ast.Call(func=ast.Name(id=name)) if name in module.functions:
            return is_filling(e, module) or gives_zeros(e, names, lists, module) or is_showing(e, module=module)
        case ast.Subscript():
            call, path = path_of(e)
            return isinstance(call, ast.Call) and (
                is_filling(call, module, path)
                or gives_zeros(call, names, lists, module, path)
                or is_showing(call, path, module=module)
            )
        case ast.Call(func=ast.Name() | ast.Attribute() as func, args=args, keywords=[]):
            match maker(func, module), args:
                case "default", [factory]:
                    return default_of(factory) is not None
                case "count" | "plain", []:
                    return True
                case "count", [counted]:
                    return isinstance(counted, ast.Name | ast.Attribute | ast.Subscript)
    return False


def item_of(value: ast.expr, i: int) -> ast.expr:
    """What is bound to the i-th target where the values that a helper returns are unpacked."""
    return made(ast.Subscript(value, ast.Constant(i), ast.Load()), value)


def items_of(target: ast.Tuple, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """The names to which the values in a tuple, and in those in it, are bound, with what they are bound to."""
    if any(isinstance(e, ast.Starred) for e in target.elts):
        return
    for i, e in enumerate(target.elts):
        if isinstance(e, ast.Name):
            yield e.id, item_of(value, i)
        elif isinstance(e, ast.Tuple):
            yield from items_of(e, item_of(value, i))


def unpacked(
    e: ast.expr,
    bound: dict[str, list[ast.expr]],
    counts: dict[str, int],
    near: Mapping[int, ast.expr],
    seen: frozenset[str] = frozenset(),
) -> ast.expr:
    """An item of what has a name, `r[1]`, as one of the call that the name is bound to. near: see `bound_before`;
    seen: names behind, as of `M = M[0]`."""
    match e:
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int() as i)) if name not in seen:
            value = near.get(id(e))
            if value is None and counts.get(name) == 1 and len(values := bound.get(name, [])) == 1:
                value = values[0]
            of = unpacked(value, bound, counts, near, seen | {name}) if value is not None else e
            part = isinstance(of, ast.Subscript) and isinstance(of.slice, ast.Slice)
            return item_of(of, i) if value is not None and isinstance(of, ast.Call | ast.Subscript) and not part else e
    return e


def bound_before(function: ast.FunctionDef) -> dict[int, ast.expr]:
    """What the name is bound to of which a statement reads an item, `d = r[1]`, where that stands in the same block."""
    found: dict[int, ast.expr] = {}
    for block in every_block(function.body):
        last: dict[str, ast.expr] = {}
        for s in block:
            match s:
                case ast.Assign(value=ast.Subscript(value=ast.Name(id=of)) as read) if of in last:
                    found[id(read)] = last[of]
            if last:
                anew = bound_names(ast.walk(s))
                last = {n: e for n, e in last.items() if n not in anew}
            match s:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    last[name] = value
                case ast.Assign(targets=[ast.Tuple() as target], value=ast.Call() as value):
                    last |= dict(items_of(target, value))
    return found


def path_of(e: ast.expr) -> tuple[ast.expr, tuple[int, ...]]:
    """A call and the place of an item of what it returns: `f(x)[0][1]`."""
    path: list[int] = []
    while isinstance(e, ast.Subscript) and isinstance(e.slice, ast.Constant) and isinstance(e.slice.value, int):
        path.insert(0, e.slice.value)
        e = e.value
    return e, tuple(path)


def is_of_helper(e: ast.expr, module: ModuleNames) -> bool:
    """Whether a dict is what a function of the module returns."""
    while isinstance(e, ast.Subscript):
        e = e.value
    return isinstance(e, ast.Call) and isinstance(e.func, ast.Name) and e.func.id in module.functions


def gives_filled(function: ast.AST, module: ModuleNames, path: tuple[int, ...] = ()) -> bool:
    """Whether a function of the module returns a dict that it has filled. path: which of the values that it returns."""
    if not isinstance(function, ast.FunctionDef) or id(function) in ASKED.get():
        return False
    key = id(function), path
    if key not in module.filling:
        found = returns_filled(function, module, path)
        if ASKED.get():  # of some that call each other
            return found
        module.filling[key] = found
    return module.filling[key]


def is_filling(call: ast.Call, module: ModuleNames, path: tuple[int, ...] = ()) -> bool:
    function = module.functions.get(call.func.id) if isinstance(call.func, ast.Name) else None
    return function is not None and gives_filled(function, module, path)


def is_showing(call: ast.expr, path: tuple[int, ...] = (), *, module: ModuleNames) -> bool:
    """Whether a function of the module returns dicts whose keys its text shows."""
    function = (
        module.functions.get(call.func.id) if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) else None
    )
    if not isinstance(function, ast.FunctionDef):
        return False
    nodes = body_nodes(function)
    returned = returned_at(nodes, path)
    shown = [x for e in returned for x in values_named(nodes, e)]
    names = {e.id for e in returned if isinstance(e, ast.Name)}
    stored = [n.slice for n in nodes if isinstance(n, ast.Subscript) and is_put(n) and is_one_of(n.value, names)]
    if not returned or not all(isinstance(key, ast.Constant) for key in stored):
        return False
    return all(x is not None and (is_shown(x) or shows_more(x, bool(stored))) for x in shown)


def shows_more(e: ast.expr, filled: bool) -> bool:
    """Whether the text shows the keys of a dict that is no display: of one over texts that are written out, or of an
    empty one that gets entries under such."""
    match e:
        case ast.Dict(keys=[]) | ast.Call(func=ast.Name(id="dict"), args=[], keywords=[]):
            return filled
        case ast.DictComp(generators=[ast.comprehension(iter=ast.Tuple() | ast.List(), is_async=0)]):
            return True
    return False


def gives_zeros(
    call: ast.Call, names: set[str], lists: Container[str], module: ModuleNames, path: tuple[int, ...] = ()
) -> bool:
    """Whether a function of the module returns a cotangent of one of these dicts, or of an item of these lists of
    them."""
    like = given_for(call, path, module)
    return bool(like) and all(
        is_one_of(of, names) or (isinstance(of, ast.Subscript) and list_read(of) in lists) for of in like
    )


def given_for(call: ast.Call, path: tuple[int, ...], module: ModuleNames) -> list[ast.expr | None]:
    """The arguments of which a function of the module returns a cotangent."""
    function = module.functions.get(call.func.id) if isinstance(call.func, ast.Name) else None
    if not isinstance(function, ast.FunctionDef):
        return []
    params = [p.arg for p in (*function.args.posonlyargs, *function.args.args)]
    given = dict(zip(params, call.args, strict=False))
    return [given.get(p) for p in likes(function, module, path)]


def likes(function: ast.FunctionDef, module: ModuleNames, path: tuple[int, ...]) -> set[str]:
    """The parameters of which a function returns a cotangent, as written derivatives do: zeros in the structure of one,
    to which is added. path: see `returned_at`."""
    if not (module.carries("_zeros_like") and module.carries("_added")):
        return set()
    nodes = body_nodes(function)
    like: set[str] = set()
    for e in returned_at(nodes, path):
        if not isinstance(e, ast.Name):
            return set()
        for n in nodes:
            match n:
                case ast.Assign(targets=[ast.Name(id=e.id)], value=value):
                    pass
                case ast.Assign(targets=[ast.Tuple() as target]) if e.id in bound_names([target, *target.elts]):
                    return set()
                case _:
                    continue
            match value:
                case ast.Call(func=ast.Name(id="_zeros_like"), args=[ast.Name(id=of)]):
                    like.add(of)
                case ast.Call(func=ast.Name(id="_added"), args=[ast.Name(id=e.id), _]):
                    pass
                case _:
                    return set()
    return set() if like & bound_names(nodes) else like


def binds_filled(s: ast.Assign, call: ast.Call, module: ModuleNames) -> bool:
    """Whether a statement binds a name to a dict that a function of the module has filled, or to what has one."""
    function = module.functions.get(call.func.id) if isinstance(call.func, ast.Name) else None
    if not isinstance(s.targets[0], ast.Tuple) or not isinstance(function, ast.FunctionDef):
        return is_filling(call, module) or is_showing(call, module=module)
    nodes = body_nodes(function)
    first = next((n.value for n in nodes if isinstance(n, ast.Return)), None)
    return any(is_filling(call, module, p) or is_showing(call, p, module=module) for p in paths_of(nodes, first))


def paths_of(nodes: list[ast.AST], e: ast.expr | None, depth: int = DEPTH) -> Iterator[tuple[int, ...]]:
    """The places of what lies in a tuple, and in those in it."""
    values = values_named(nodes, e)
    if isinstance(values[0], ast.Tuple) and depth:
        for i, item in enumerate(values[0].elts):
            yield from ((i, *path) for path in paths_of(nodes, item, depth - 1))
    else:
        yield ()


def returned_at(nodes: list[ast.AST], path: tuple[int, ...]) -> list[ast.expr | None]:
    """What a function returns, or what it returns at a place in tuples that are written out."""
    returned = [n.value for n in nodes if isinstance(n, ast.Return)]
    for i in path:
        whole = [e for value in returned for e in values_named(nodes, value)]
        returned = [
            e.elts[i]
            if isinstance(e, ast.Tuple) and i < len(e.elts) and not any(isinstance(x, ast.Starred) for x in e.elts)
            else None
            for e in whole
        ]
    return returned


def values_named(nodes: list[ast.AST], e: ast.expr | None) -> list[ast.expr | None]:
    """What a name is bound to; any other expression itself."""
    if not isinstance(e, ast.Name):
        return [e]
    values = [n.value for n in nodes if isinstance(n, ast.Assign) and is_name(n.targets[0], e.id)]
    bound = sum(isinstance(n, ast.Name) and n.id == e.id and is_bound(n) for n in nodes)
    return [*values] if len(values) == bound > 0 else [None]


def returns_filled(function: ast.FunctionDef, module: ModuleNames, path: tuple[int, ...]) -> bool:
    nodes = body_nodes(function)
    returned = returned_at(nodes, path)
    if not returned or not any(isinstance(n, ast.Dict | ast.DictComp | ast.Call) for n in nodes):
        return False
    if not all(isinstance(e, ast.Name | ast.DictComp | ast.Call) for e in returned):
        return False
    token = ASKED.set(ASKED.get() | {id(function)})
    try:
        own = filled(function, module)
        over = keys_unknown(function) | own
        if not {e.id for e in returned if isinstance(e, ast.Name)} <= own:
            return False
        rest = [e for e in returned if not isinstance(e, ast.Name)]
        return all(e is not None and is_unnamed(e, over) for e in rest)
    finally:
        ASKED.reset(token)


ASKED: ContextVar[frozenset[int]] = ContextVar("ASKED", default=frozenset())  # functions in question


def maker(func: ast.expr, module: ModuleNames) -> str:
    """ "default" for `defaultdict`, "count" for `Counter`."""
    name = ast.unparse(func)
    root, _, rest = name.partition(".")
    full = module.imports.names.get(root, "")
    return MAKERS.get(f"{full}.{rest}" if rest else full, "")


def default_of(factory: ast.expr) -> ast.expr | None:
    """What `defaultdict(factory)` gives for a key that is not there."""
    match factory:
        case ast.Name(id="float"):
            return expression("0.0", factory)
        case ast.Name(id="int"):
            return expression("0", factory)
        case ast.Name(id="list"):
            return expression("[]", factory)
        case ast.Lambda(args=ast.arguments(args=[], posonlyargs=[], kwonlyargs=[]), body=ast.Constant() as body):
            return copy.deepcopy(body)
    return None


def used_otherwise(
    nodes: list[ast.AST], names: set[str], module: ModuleNames | None = None, lists: Container[str] = ()
) -> set[str]:
    """The dicts of which something else is asked than can be written with entries and keys.

    module: whose functions may be handed them. lists: that may hold them.
    """
    known: set[int] = set()
    called = {id(n.func) for n in nodes if isinstance(n, ast.Call)}  # an entry that is a function
    for n in nodes:
        match n:
            case ast.Call(func=ast.Name(id=name), args=args, keywords=options) if (
                module is not None and name in module.functions
            ):
                given = [*args, *(k.value for k in options)]
                known |= {id(x) for a in given for x in leaves_of(a) if isinstance(x, ast.Name)}
            case ast.Call(func=ast.Attribute(value=ast.Name(id=holder), attr="append"), args=[ast.Name() as d]) if (
                holder in lists
            ):
                known.add(id(d))
            case ast.Subscript(value=ast.Name() as d, ctx=ast.Load() | ast.Store() | ast.Del()) if id(n) not in called:
                known.add(id(d))
            case ast.Call() if isinstance(of := keys_from(n), ast.Name):
                known.add(id(of))
            case ast.Call(func=ast.Attribute(value=ast.Name() as d, attr=attr), args=args, keywords=[]):
                fits = {"get": (1, 2), "setdefault": (2,), "copy": (0,)} | dict.fromkeys(VIEWS, (0,))
                if len(args) in fits.get(attr, ()):
                    known.add(id(d))
            case ast.Call(
                func=ast.Name(id="len" | "list" | "sorted" | "dict" | "reversed"), args=[ast.Name() as d], keywords=[]
            ):
                known.add(id(d))
            case ast.Call(args=[of], keywords=[ast.keyword(value=ast.Attribute(value=own))]) if chosen_by_values(n):
                known |= {id(of), id(own)}
            case ast.For(iter=ast.Name() as d) | ast.comprehension(iter=ast.Name() as d):
                known.add(id(d))
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Name() as d]):
                known.add(id(d))
            case ast.Assign(targets=[ast.Name()], value=ast.Name() as d):
                known.add(id(d))
            case ast.Return(value=ast.Name() as d):
                known.add(id(d))
            case ast.Return(value=ast.Tuple()):
                known |= {id(e) for e in values_of(n) if isinstance(e, ast.Name)}
            case ast.Assign(targets=[ast.Name(id=whole)], value=ast.Tuple()) if whole in only_returned(nodes):
                known |= {id(e) for e in values_of(n) if isinstance(e, ast.Name)}
    for n in nodes:  # the values are those of the dict that the loop began with
        match n:
            case ast.For(iter=ast.Call(func=ast.Attribute(value=ast.Name() as d, attr="items" | "values")), body=body):
                if any(is_bound(x) and x.id == d.id for s in body for x in names_in(s)):
                    known.discard(id(d))
    return {n.id for n in nodes if isinstance(n, ast.Name) and n.id in names and not is_bound(n) and id(n) not in known}


def only_returned(nodes: list[ast.AST]) -> set[str]:
    """The variables that are returned, alone or in a tuple, and are used for nothing else but to assert something."""
    returned = {id(e) for n in nodes if isinstance(n, ast.Return) for e in values_of(n)}
    names = {n.id for n in nodes if isinstance(n, ast.Name) and id(n) in returned}
    stated = {id(e) for n in nodes if isinstance(n, ast.Assert) for e in ast.walk(n)}
    return names - {n.id for n in nodes if isinstance(n, ast.Name) and not (is_bound(n) or id(n) in returned | stated)}


def known_keys(nodes: list[ast.AST], names: set[str]) -> set[str]:
    """The variables of loops that run over texts which are written out, in a display or as the keys of a dict."""
    found: dict[str, bool] = {}
    shown = {
        n.targets[0].id
        for n in nodes
        if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name) and is_shown(n.value)
    }
    for n in nodes:
        match n:
            case ast.For(target=target, iter=it) | ast.comprehension(target=target, iter=it):
                pass
            case _:
                continue
        inner = it.func.value if isinstance(it, ast.Call) and isinstance(it.func, ast.Attribute) else it
        match inner:
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                written = bool(elts) and all(isinstance(e, ast.Constant) for e in elts)
            case ast.Name(id=name):
                written = name in shown & names
            case _:
                written = False
        first = target.elts[0] if isinstance(target, ast.Tuple) and target.elts else target
        if isinstance(first, ast.Name):
            found[first.id] = written and found.get(first.id, True)
    return {n for n, written in found.items() if written}
