"""Dict parameters whose keys are known when the function runs: loops over them become loops over their keys.

    for k, v in params.items():         for k in list(params):
        s = s + np.sum(v**2)                s = s + np.sum(params[k]**2)
    params.get("rate", 0.1)             params["rate"] if "rate" in params else 0.1

Such a dict stays one value, with a gradient that has its keys. A dict that is read by literal keys only is taken
apart instead (`Objects`).
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Mapping, Set

from s2s.frontend.text.bindings import root_of
from s2s.frontend.text.function_bodies import has_effects
from s2s.frontend.text.keys import is_one_for_each
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import (
    COMPREHENSIONS,
    body_nodes,
    bound_names,
    every_block,
    is_bound,
    names_used,
    new_name,
    parameters,
    walk,
)
from s2s.frontend.text.source import Substitute, expression, made

VIEWS = frozenset(["items", "keys", "values"])


def open_dicts(function: ast.FunctionDef) -> set[str]:
    """The parameters that are looped over as dicts, read under texts that are put together, or asked for a key."""
    own = body_nodes(function)
    given = {p.arg for p in parameters(function)}
    params = given - bound_names(own)
    nodes = [n for s in function.body for n in walk(s)]
    params |= made_of_dicts(own, given, params) | items_of(nodes, params)
    found: set[str] = set()
    places: dict[int, str] = {}
    over = key_variables(nodes, params, places)
    stated = {id(c) for n in nodes if isinstance(n, ast.Assert) for c in walk(n)}  # which is the same at each call
    for n in nodes:
        match n:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr), args=[], keywords=[]):
                if attr in VIEWS and name in params:
                    found.add(name)
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="get"),
                args=[ast.Constant(value=str()), *_],
                keywords=[],
            ) if name in params:
                found.add(name)
            case ast.Compare(
                left=ast.Constant(value=str()), ops=[ast.In() | ast.NotIn()], comparators=[ast.Name(id=name)]
            ) if name in params and id(n) not in stated:
                found.add(name)
            case ast.Subscript(value=ast.Name(id=name), slice=ast.JoinedStr()) if name in params:
                found.add(name)
            case ast.Subscript(
                value=ast.Name(id=name), slice=ast.BinOp(left=ast.Constant(value=str()), op=ast.Add())
            ) if name in params:
                found.add(name)
    viewed = {  # out_bar[1].keys(), where `entries = out_bar[1]`
        ast.unparse(n.func.value)
        for n in nodes
        if isinstance(n, ast.Call) and not n.args and isinstance(n.func, ast.Attribute) and n.func.attr in VIEWS
    }
    for n in nodes if viewed else ():
        match n:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript(slice=ast.Constant()) as item):
                found |= {name} if name in params and ast.unparse(item) in viewed else set()
    read = [
        (n.value.id, n.slice.id)
        for n in nodes
        if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and isinstance(n.slice, ast.Name)
        if n.slice.id in over and is_key(nodes, n, places)
    ]
    pairs = {  # for (i, j) in couplings: couplings[i, j]
        (n.iter.id, as_read(n.target))
        for n in nodes
        if isinstance(n, ast.For) and isinstance(n.target, ast.Tuple) and isinstance(n.iter, ast.Name)
        if n.iter.id in params
    }
    for n in nodes if pairs else ():
        if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name):
            found |= {n.value.id} if (n.value.id, ast.dump(n.slice)) in pairs else set()
    found |= {name for name, k in read if over.get(k) == name}  # for k in params: params[k] * rates[k]
    found |= {name for name, k in read if name in params and over.get(k) in found}
    for n in nodes:  # for k in params: ..., and params["rate"]
        match n:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str())) if name in over.values():
                found.add(name)
    found |= {name for name in params - found if is_read_both_ways(nodes, name)}
    found |= read_where_held(nodes, params, found) if found else set()
    for n in nodes:
        match n:
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
                found.discard(name)
            case ast.FunctionDef() | ast.Lambda():
                found -= {x.id for x in walk(n) if isinstance(x, ast.Name)}
    return found


def is_key(nodes: list[ast.AST], read: ast.Subscript, over: Mapping[int, str]) -> bool:
    """Whether something is read under a variable of a loop over it, where that has been bound by no other statement:
    `for row in rows: ...`, then `for row in range(n): ... rows[row]` is one over the rows of an array.

    over: what loops, and assignments of keys, are over, by the ids of their targets.
    """
    assert isinstance(read.value, ast.Name) and isinstance(read.slice, ast.Name)
    k = read.slice.id
    around: list[ast.AST] = []
    for n in nodes:  # those outside come first
        scopes = [n] if isinstance(n, COMPREHENSIONS) else [*n.body] if isinstance(n, ast.For) else []
        targets = [g.target for g in n.generators] if isinstance(n, COMPREHENSIONS) else [getattr(n, "target", None)]
        bound = [x for x in targets if x is not None and any(is_name(y, k) for y in walk(x))]
        if bound and any(x is read for s in scopes for x in walk(s)):
            around = [n, bound[-1]]
    if around and isinstance(around[0], ast.For):
        inside = [x for s in around[0].body for x in walk(s)]
        again = any(isinstance(x, ast.Name) and x.id == k and is_bound(x) for x in inside)
        return not again and id(around[1]) in over
    if around:
        return id(around[1]) in over
    stores = [x for n in nodes for x in [n] if isinstance(x, ast.Name) and x.id == k and is_bound(x)]
    return all(id(x) in over for x in stores)


def is_read_both_ways(nodes: list[ast.AST], name: str) -> bool:
    """Whether a parameter is read under texts, `rates["k1"]`, and under keys that are entries or attributes of
    something else, `rates[reaction["rate"]]`, or items of what is not written out: `for s in SPECIES: rates[s]`."""
    keys = [n.slice for n in nodes if isinstance(n, ast.Subscript) and is_name(n.value, name)]
    if not any(isinstance(k, ast.Constant) and is_text(k.value) for k in keys):
        return False
    over = {
        x.id
        for n in nodes
        if isinstance(n, ast.For | ast.comprehension) and not isinstance(n.iter, ast.Tuple | ast.List)
        for x in walk(n.target)
        if isinstance(x, ast.Name)
    }
    return any(isinstance(k, ast.Subscript | ast.Attribute) or (isinstance(k, ast.Name) and k.id in over) for k in keys)


def is_name(e: ast.AST, name: str) -> bool:
    return isinstance(e, ast.Name) and e.id == name


def read_where_held(nodes: list[ast.AST], params: Set[str], asked: Set[str]) -> set[str]:
    """The parameters that are read under a key where another dict was asked for it, as they may lack it, too:
    `if "mask" in p: h = h * q["mask"]`."""
    found: set[str] = set()
    for n in nodes:
        if not isinstance(n, ast.If | ast.IfExp):
            continue
        keys = set()
        for c in walk(n.test):
            match c:
                case ast.Compare(
                    left=ast.Constant(value=str(key)), ops=[ast.In() | ast.NotIn()], comparators=[ast.Name(id=name)]
                ) if name in asked:
                    keys.add(key)
        for c in walk(n) if keys else ():
            match c:
                case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key))):
                    if name in params and key in keys:
                        found.add(name)
    return found


def key_variables(nodes: list[ast.AST], params: set[str], places: dict[int, str] | None = None) -> dict[str, str]:
    """The variables that hold a key of a parameter, each with that: of a loop over the dict, over a list of its keys
    (`list(params)`, `sorted(params)`, with a name of its own or without), or an item of such a list.

    places: gets what the variables are bound to keys of, by the ids of the nodes that bind them.
    """
    places = {} if places is None else places
    lists: dict[str, str] = {}
    over: dict[str, str] = {}

    def dict_of(it: ast.expr) -> str | None:
        match it:
            case ast.Name(id=name):
                return name if name in params else lists.get(name)
            case ast.Call(func=ast.Name(id="sorted" | "list" | "reversed"), args=[inner, *_]):
                return dict_of(inner)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="keys"), args=[]) if name in params:
                return name
        return None

    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call) if (of := dict_of(call)) is not None:
                lists[name] = of
    for n in nodes:
        match n:
            case ast.For(target=ast.Name(id=k), iter=it) | ast.comprehension(target=ast.Name(id=k), iter=it):
                if (of := dict_of(it)) is not None:
                    over[k] = places[id(n.target)] = of
            case ast.For() | ast.comprehension():
                for part, it in pairs_of(n.target, n.iter):
                    # a parameter that is numbered might be an array of whole numbers: that is left open
                    known = not (isinstance(it, ast.Name) and it.id in params)
                    if known and isinstance(part, ast.Name) and (of := dict_of(it)) is not None:
                        over[part.id] = places[id(part)] = places[id(n.target)] = of
            case ast.Assign(targets=[ast.Name(id=k)], value=ast.Subscript(value=ast.Name(id=name))) if name in lists:
                over[k] = places[id(n.targets[0])] = lists[name]
    return over


def pairs_of(target: ast.expr, it: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """What a loop over `enumerate` or `zip` binds to the items of what."""
    match target, it:
        case ast.Tuple(elts=[_, *parts]), ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]):
            return list(zip(parts, [inner], strict=False))
        case ast.Tuple(elts=parts), ast.Call(func=ast.Name(id="zip"), args=args):
            return list(zip(parts, args, strict=False))
    return []


def made_of_dicts(nodes: list[ast.AST], given: Set[str], params: Set[str]) -> set[str]:
    """Variables that are bound to dicts with the keys of a parameter only, or to some of these: `{k: e for k, v in
    params.items() if k != "b"}`. A parameter that is bound anew keeps all of its keys.

    nodes: of the function's own scope; given: its parameters; params: those that are never bound anew.
    """
    bound = Counter(n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load))
    found: set[str] = set()
    again = True
    while again:
        made_at: dict[str, list[ast.DictComp]] = {}
        for n in nodes:
            match n:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.DictComp(generators=[g]) as made_here):
                    names = {m.id for m in walk(g.iter) if isinstance(m, ast.Name)}
                    first = g.target.elts[0] if isinstance(g.target, ast.Tuple) else g.target
                    same = isinstance(first, ast.Name) and is_one_for_each(made_here.key, first.id)
                    if same and names & (params | found | ({name} & given)):
                        made_at.setdefault(name, []).append(made_here)
        new = {
            n
            for n, each in made_at.items()
            if len(each) == bound[n] and ((len(each) == 1 and n not in given) or all(map(keeps_all, each)))
        }
        again = new > found
        found |= new
    return found


def items_of(nodes: list[ast.AST], params: Set[str]) -> set[str]:
    """Variables that are bound to items of parameters that are tuples or lists, or to a parameter, and to nothing
    else: `total, grads = given`, `grads = given[1]`, `p = params[t]`, `for p in params`; parts of such lists, and lists
    that are filled with such items. A second name of a parameter is bound once.
    """
    bound = Counter(n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load))
    sources: dict[str, list[str]] = {}
    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Tuple(elts=parts)], value=ast.Name(id=of)):
                for e in parts:
                    if isinstance(e, ast.Name) and bound[e.id] == 1:
                        sources[e.id] = [of]
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=of)) if bound[name] == 1:
                sources[name] = [of]
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript(value=whole, slice=key)):
                while isinstance(whole, ast.Subscript) and isinstance(whole.slice, ast.Constant):
                    whole = whole.value
                if isinstance(whole, ast.Name) and not isinstance(key, ast.Tuple):
                    sources.setdefault(name, []).append(whole.id)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[])):
                bound[name] -= 1
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[ast.Name(id=of)]):
                bound[name] += 1
                sources.setdefault(name, []).append(of)
            case ast.For(target=target, iter=it) | ast.comprehension(target=target, iter=it):
                for part, each in [(target, it), *pairs_of(target, it)]:
                    match part, source_of(each):
                        case ast.Name(id=name), ast.Name(id=of):
                            sources.setdefault(name, []).append(of)
    found = {n for n, of in sources.items() if len(of) == bound[n]}
    while True:
        rest = {n for n in found if {*sources[n]} <= params | found}
        if rest == found:
            return found
        found = rest


def source_of(it: ast.expr) -> ast.expr:
    """The list whose items a loop takes: of `reversed(rows)`, `rows[1:]`."""
    match it:
        case ast.Call(func=ast.Name(id="reversed"), args=[inner]) | ast.Subscript(value=inner, slice=ast.Slice()):
            return source_of(inner)
    return it


def open_items(function: ast.FunctionDef) -> set[str]:
    """Those of `items_of` that are dicts: their keys are run over, or copies are made of them."""
    own = body_nodes(function)
    given = {p.arg for p in parameters(function)} - bound_names(own)
    items = items_of([n for s in function.body for n in walk(s)], given) if given else set()
    if not items:
        return items
    copied = {
        n.args[0].id
        for n in own
        if isinstance(n, ast.Call) and ast.unparse(n.func) == "dict" and n.args and isinstance(n.args[0], ast.Name)
    }
    return items & (open_dicts(function) | copied)


def keeps_all(node: ast.DictComp) -> bool:
    return isinstance(node.key, ast.Name) and not node.generators[0].ifs


def put_in(function: ast.FunctionDef) -> None:
    """`layer = params[name]` of which entries are read, where it is bound anew for each name: `params[name]["W"]`.

    The names are written out: the loop is over literals, or the assignments stand one after the other.
    """
    nodes = body_nodes(function)
    params = {p.arg for p in parameters(function)} - bound_names(nodes)
    params -= {root_of(n) for n in nodes if isinstance(getattr(n, "ctx", None), ast.Store | ast.Del)}
    stores: dict[str, int] = {}
    for n in nodes:
        if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load):
            stores[n.id] = stores.get(n.id, 0) + 1
    if any(isinstance(n, ast.FunctionDef | ast.Lambda) for n in nodes):
        return
    loops = {
        id(n.body): n.target.id
        for n in nodes
        if isinstance(n, ast.For) and isinstance(n.target, ast.Name) and is_texts(n.iter) and stores[n.target.id] == 1
    }
    for block in every_block(function.body):
        if block is not function.body and id(block) not in loops:
            continue
        bound: dict[str, list[ast.Assign]] = {}
        for s in block:
            match s:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript(value=ast.Name(id=of), slice=key)) if (
                    of in params
                ):
                    loop = isinstance(key, ast.Name) and key.id == loops.get(id(block))
                    if loop or (isinstance(key, ast.Constant) and isinstance(key.value, str)):
                        bound.setdefault(name, []).append(s)
        for name, made_at in bound.items():
            anew = block is not function.body or len(made_at) > 1
            if anew and name not in params and stores[name] == len(made_at) and only_entries(function, block, name):
                exchange(block, name, made_at)


def is_texts(e: ast.expr) -> bool:
    return isinstance(e, ast.Tuple | ast.List) and all(
        isinstance(i, ast.Constant) and isinstance(i.value, str) for i in e.elts
    )


def only_entries(function: ast.FunctionDef, block: list[ast.stmt], name: str) -> bool:
    """Whether a name is read by its entries only, `layer["W"]`, or given to functions of the module, and in a block
    behind its first binding there."""
    loads = {id(n) for n in body_nodes(function) if isinstance(n, ast.Name) and n.id == name and is_load(n)}
    first = next(i for i, s in enumerate(block) if isinstance(s, ast.Assign) and is_target(s, name))
    inside = [n for s in block[first + 1 :] for n in walk(s)]
    entries_read = {
        id(n.value)
        for n in inside
        if isinstance(n, ast.Subscript) and is_load(n) and isinstance(n.slice, ast.Constant) and is_text(n.slice.value)
    }
    handed = {
        id(a)
        for n in inside
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
        for a in (*n.args, *(k.value for k in n.keywords))
        if isinstance(a, ast.Name)
    }
    return bool(loads) and loads <= entries_read | handed


def is_load(n: ast.Name | ast.Subscript) -> bool:
    return isinstance(n.ctx, ast.Load)


def is_text(value: object) -> bool:
    return isinstance(value, str)


def is_target(s: ast.Assign, name: str) -> bool:
    return any(isinstance(t, ast.Name) and t.id == name for t in s.targets)


def exchange(block: list[ast.stmt], name: str, made_at: list[ast.Assign]) -> None:
    """What a name is bound to in its place."""
    now: ast.expr | None = None
    for s in list(block):
        if any(s is m for m in made_at):
            now = s.value  # type: ignore[attr-defined]
            block.remove(s)
        elif now is not None:
            Substitute(name, now).visit(s)


def write_out(function: ast.FunctionDef, module: ModuleNames, filled: Set[str] = frozenset()) -> set[str]:
    """Changes the body of a function; returns the parameters that stay one value.

    filled: the dicts that the function makes and fills under keys which are not known.
    """
    put_in(function)
    names = open_dicts(function)
    make_lists(function, module, filled)
    known = names | dicts_of(function, module) | filled
    known |= inner_dicts(function, names)
    if known or any(isinstance(n, ast.For) and isinstance(n.iter, ast.Subscript) for n in body_nodes(function)):
        functions = module.functions | {n.name: n for n in body_nodes(function) if isinstance(n, ast.FunctionDef)}
        taken = names_used(function)
        own = {p.arg for p in parameters(function)} | bound_names(body_nodes(function))
        plain = not own & {"sum", "list"} and not module.hides(frozenset(["sum", "list"]))
        writer = _Loops(known, taken, functions, names if plain else set())
        function.body[:] = [writer.visit(s) for s in function.body]
    return names


def inner_dicts(function: ast.FunctionDef, names: Set[str]) -> set[str]:
    """The variables of loops over dicts of dicts, where `items()` is asked of them: `for name, layer in params.items()`
    around `for k, w in layer.items()`."""
    nodes = body_nodes(function)
    found: set[str] = set()
    for n in nodes:
        match n:
            case ast.For(
                target=ast.Tuple(elts=[_, ast.Name(id=value)]),
                iter=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="items"), args=[]),
            ) if name in names:
                found.add(value)
            case ast.For(
                target=ast.Name(id=value), iter=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="values"))
            ) if name in names:
                found.add(value)
    asked = {
        n.func.value.id
        for n in nodes
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in VIEWS and not n.args
        if isinstance(n.func.value, ast.Name)
    }
    bound = Counter(n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load))
    return {n for n in found & asked if bound[n] == 1}


def make_lists(function: ast.FunctionDef, module: ModuleNames, filled: Set[str]) -> None:
    """`for k, v in list(TABLE.items())`, and `for k in list(TABLE)`, of a name of the module of which is not known what
    it holds, and of the sets and counters of the function: a dict or a set has no items by number, with which a loop
    runs backwards."""
    nodes = body_nodes(function)
    own = {p.arg for p in parameters(function)} | bound_names(nodes)
    elsewhere = (module.others | module.constants.keys() | module.imports.names.keys()) - own - module.functions.keys()
    elsewhere |= (sets := sets_of(nodes, module) - filled)
    dicts = dicts_of(function, module)
    if "list" in own or module.hides(frozenset(["list"])):
        return

    def listed(e: ast.expr) -> ast.expr:
        match e:
            case ast.Call(func=ast.Name(id="enumerate" | "zip" | "reversed")):
                for a in e.args:
                    match a:
                        case ast.Call(func=ast.Name(id="sorted"), args=[ast.Name() as inner, *_]):
                            a.args[0] = listed(inner)
                e.args[:] = [listed(a) for a in e.args]
                return e
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr), args=[], keywords=[]):
                open_ = attr in VIEWS and name in elsewhere
            case ast.Name(id=name) if name in elsewhere:
                value = module.values.get(name)
                plain = isinstance(
                    value, ast.Constant | ast.List | ast.Tuple | ast.ListComp | ast.BinOp | ast.Subscript
                )
                open_ = not plain and (not isinstance(value, ast.Call) or is_table(value))
            case _:
                return e
        return made(ast.Call(made(ast.Name("list", ast.Load()), e), [e], []), e) if open_ else e

    for s in nodes:
        match s:
            case ast.For(iter=ast.Name(id=name) | ast.Call(func=ast.Attribute(value=ast.Name(id=name)))) if (
                name in dicts
            ):
                continue  # a loop over its keys
            case ast.For(iter=it):
                s.iter = listed(it)
            case ast.comprehension(iter=it) if any(isinstance(n, ast.Name) and n.id in sets for n in walk(it)):
                s.iter = listed(it)


SETS = ("set", "frozenset", *(f"collections.{n}" for n in ("Counter", "defaultdict", "OrderedDict", "ChainMap")))


def sets_of(nodes: list[ast.AST], module: ModuleNames) -> set[str]:
    """The variables that are bound to sets and to counters."""
    known = dict(module.imports.names)
    for n in nodes:
        if isinstance(n, ast.ImportFrom) and n.module == "collections":
            known |= {a.asname or a.name: f"collections.{a.name}" for a in n.names}
    found: set[str] = set()
    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=func)):
                path = ast.unparse(func).split(".")
                full = ".".join([known.get(path[0], path[0]), *path[1:]])
                if full in SETS:
                    found.add(name)
    return found


def is_table(e: ast.Call) -> bool:
    return isinstance(e.func, ast.Name) and e.func.id in ("dict", "set", "frozenset")


def dicts_of(function: ast.FunctionDef, module: ModuleNames) -> set[str]:
    """The dicts of the module that a function reads."""
    nodes = body_nodes(function)
    own = {p.arg for p in parameters(function)} | bound_names(nodes)
    read = {n.id for n in nodes if isinstance(n, ast.Name)} - own
    return {n for n in read if isinstance(module.values.get(n), ast.Dict | ast.DictComp)}


class _Loops(ast.NodeTransformer):
    """listed: the dicts of which `sum(d.values())` and `list(d.values())` are written out, too."""

    def __init__(
        self, names: set[str], taken: set[str], functions: Mapping[str, ast.AST], listed: Set[str] = frozenset()
    ) -> None:
        self.names, self.taken, self.functions, self.listed = names, taken, functions, listed

    def over(self, it: ast.expr) -> tuple[str, str] | None:
        """(the dict, what of it) that a loop runs over."""
        match it:
            case ast.Name(id=name) if name in self.names:
                return name, "keys"
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr), args=[]) if name in self.names:
                return (name, attr) if attr in VIEWS else None
        return None

    def keyed(self, target: ast.expr, name: str, view: str) -> tuple[ast.expr, ast.expr | None] | None:
        """The variable of a loop over the keys, and the target that is given the entry."""
        match view, target:
            case "keys", ast.Name():
                return target, None
            case "items", ast.Tuple(elts=[ast.Name() as key, value]):
                return key, value
            case "keys", ast.Tuple():
                return made(ast.Name(self.free(f"{name}_key"), ast.Store()), target), None
            case "items", ast.Tuple(elts=[ast.Tuple(), value]):
                return made(ast.Name(self.free(f"{name}_key"), ast.Store()), target), value
            case "values", _:
                return made(ast.Name(self.free(f"{name}_key"), ast.Store()), target), target
        return None

    def free(self, wish: str) -> str:
        while wish in self.taken:
            wish += "_"
        self.taken.add(wish)
        return wish

    def visit_For(self, node: ast.For) -> ast.stmt:
        self.generic_visit(node)
        match node.iter:
            case ast.Call(func=ast.Name(id="reversed"), args=[ast.Name(id=name) as d]) if name in self.names:
                node.iter.args = [keys(name, d, "list")]
                return node
        by_key = sorted_dict(node.iter)
        found = self.over(by_key or node.iter)
        keyed = self.keyed(node.target, *found) if found is not None else None
        if found is None:
            self.over_entry(node)
        if found is None or keyed is None:
            return node
        key, value = keyed
        assert isinstance(key, ast.Name)
        if value is not None:
            first = ast.copy_location(ast.Assign([value], entry(found[0], key.id, node.iter)), node.iter)
            first.made = True  # type: ignore[attr-defined]
            node.body.insert(0, first)
        parts = node.target if found[1] == "keys" else node.target.elts[0] if found[1] == "items" else None  # type: ignore[attr-defined]
        if isinstance(parts, ast.Tuple):  # for (i, j), v in d.items()
            whole = _Whole(found[0], as_read(parts), key.id)
            inside = bound_names([n for s in node.body for n in ast.walk(s)])
            if not {x.id for x in ast.walk(parts) if isinstance(x, ast.Name)} & inside:
                node.body[:] = [whole.visit(s) for s in node.body]
            node.body.insert(0, made(ast.Assign([parts], made(ast.Name(key.id, ast.Load()), parts)), parts))
        node.target, node.iter = key, keys(found[0], node.iter, "list" if by_key is None else "sorted")
        return node

    def over_entry(self, node: ast.For) -> None:
        """A loop over a dict that lies in one: `for k in params[layer]`, where `params[layer][k]` is read."""
        match node:
            case ast.For(target=ast.Name(id=k), iter=ast.Subscript(value=ast.Name()) as it):
                text = ast.dump(it)
                reads = (n for s in node.body for n in ast.walk(s) if isinstance(n, ast.Subscript))
                if any(isinstance(n.slice, ast.Name) and n.slice.id == k and ast.dump(n.value) == text for n in reads):
                    node.iter = listed(it)
            case ast.For(
                target=ast.Tuple(elts=[ast.Name() as key, value]),
                iter=ast.Call(func=ast.Attribute(value=ast.Subscript(value=ast.Name(id=name)) as it, attr="items")),
            ) if name in self.names:
                at = made(ast.Name(key.id, ast.Load()), node.iter)
                item = made(ast.Subscript(copy.deepcopy(it), at, ast.Load()), node.iter)
                node.body.insert(0, made(ast.Assign([value], item), node.iter))
                node.target, node.iter = key, listed(it)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="get"),
                args=[ast.Constant(value=str(key)), *rest],
                keywords=[],
            ) if name in self.names and len(rest) < 2 and not any(has_effects(e, self.functions) for e in rest):
                found = expression(f"{name}[{key!r}] if {key!r} in {name} else None", node)
                assert isinstance(found, ast.IfExp)
                found.orelse = rest[0] if rest else found.orelse
                return found
            case ast.Call(
                func=ast.Name(id="sum" | "list") as func,
                args=[
                    ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="values"), args=[], keywords=[]),
                    *rest,
                ],
                keywords=[],
            ) if name in self.listed:
                each = expression(f"[{name}[k] for k in list({name})]", node)
                if func.id == "list":
                    return each
                node.args = [each, *rest]
                node.made = True  # type: ignore[attr-defined]
        return node

    def comprehension(self, node: ast.AST) -> ast.AST:
        self.generic_visit(node)
        for g in node.generators:  # type: ignore[attr-defined]
            by_key = sorted_dict(g.iter)
            found = self.over(by_key or g.iter)
            keyed = self.keyed(g.target, *found) if found is not None else None
            if found is None or keyed is None:
                continue
            key, value = keyed
            parts = g.target if found[1] == "keys" else g.target.elts[0] if found[1] == "items" else None
            if isinstance(parts, ast.Tuple):  # for (i, j), v in d.items()
                self.parts_of_key(node, parts, key)
            if not isinstance(key, ast.Name) or not (value is None or isinstance(value, ast.Name)):
                continue
            if value is not None and is_bound_within(node, {key.id, value.id}, g.target):
                continue
            g.target, g.iter = key, keys(found[0], g.iter, "list" if by_key is None else "sorted")
            if value is not None:
                entries = Entries(value.id, found[0], key.id)
                for field in ("elt", "key", "value"):
                    if isinstance(e := getattr(node, field, None), ast.expr):
                        setattr(node, field, entries.visit(e))
                g.ifs = [entries.visit(e) for e in g.ifs]
                at = node.generators.index(g)  # type: ignore[attr-defined]
                for inner in node.generators[at + 1 :]:  # type: ignore[attr-defined]
                    inner.iter, inner.ifs = entries.visit(inner.iter), [entries.visit(e) for e in inner.ifs]
        node.made = True  # type: ignore[attr-defined]
        return node

    def parts_of_key(self, node: ast.AST, parts: ast.Tuple, key: ast.expr) -> None:
        """`i` as `d_key[0]` where the loop of a comprehension runs over pairs for keys."""
        for n, part in enumerate(parts.elts):
            if isinstance(part, ast.Name) and isinstance(key, ast.Name):
                number = made(ast.Constant(n), parts)
                _Part(
                    part.id, made(ast.Subscript(made(ast.Name(key.id, ast.Load()), parts), number, ast.Load()), parts)
                ).visit(node)

    visit_ListComp = visit_GeneratorExp = visit_SetComp = visit_DictComp = comprehension


def is_bound_within(node: ast.AST, names: set[str], but: ast.expr) -> bool:
    """Whether a comprehension, or a function in it, binds one of these names elsewhere than in this target."""
    own = {id(n) for n in walk(but)}
    return any(
        id(n) not in own
        and (
            (isinstance(n, ast.Name) and n.id in names and not isinstance(n.ctx, ast.Load))
            or (isinstance(n, ast.arg) and n.arg in names)
        )
        for n in walk(node)
    )


class Entries(ast.NodeTransformer):
    """`v` as `params[k]`."""

    def __init__(self, value: str, name: str, key: str) -> None:
        self.value, self.name, self.key = value, name, key

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return entry(self.name, self.key, node) if node.id == self.value else node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        match node:
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                own = {n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
                self.apart(node, own, node.generators[0].iter)
            case ast.Lambda():
                self.apart(node, {p.arg for p in parameters(node)})
        super().generic_visit(node)
        if isinstance(node, ast.expr):
            node.made = True  # type: ignore[attr-defined]
        return node

    def apart(self, node: ast.expr, own: set[str], first: ast.expr | None = None) -> None:
        """Other names for what a comprehension or a lambda binds, where an entry would be hidden by it.

        first: what does not see it.
        """
        names = {self.value, self.name, self.key}
        taken = names | {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        new = {n: new_name(taken, n) for n in sorted(own & names)}
        outside = {id(n) for n in ast.walk(first)} if first is not None else set()
        for n in ast.walk(node) if new else ():
            if isinstance(n, ast.Name) and n.id in new and id(n) not in outside:
                n.id = new[n.id]
            elif isinstance(n, ast.arg) and n.arg in new:
                n.arg = new[n.arg]


def as_read(target: ast.expr) -> str:
    """What a target looks like where it is read."""
    return ast.dump(target).replace("Store()", "Load()")


class _Whole(ast.NodeTransformer):
    """`d[i, j]` of the pair that a loop runs over as `d[d_key]`."""

    def __init__(self, name: str, parts: str, key: str) -> None:
        self.name, self.parts, self.key = name, parts, key

    def visit_Subscript(self, node: ast.Subscript) -> ast.Subscript:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == self.name and ast.dump(node.slice) == self.parts:
            node.slice = made(ast.Name(self.key, ast.Load()), node.slice)
            node.made = True  # type: ignore[attr-defined]
        return node


class _Part(ast.NodeTransformer):
    """A name that is read as something else."""

    def __init__(self, name: str, value: ast.expr) -> None:
        self.name, self.value = name, value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return copy.deepcopy(self.value) if node.id == self.name and is_load(node) else node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, ast.expr):
            node.made = True  # type: ignore[attr-defined]
        return node


def entry(name: str, key: str, like: ast.AST) -> ast.expr:
    array, k = made(ast.Name(name, ast.Load()), like), made(ast.Name(key, ast.Load()), like)
    return made(ast.Subscript(array, k, ast.Load()), like)


def listed(e: ast.expr) -> ast.expr:
    """`list(d[a])` of a dict that lies in one."""
    new = copy.deepcopy(e)
    call = made(ast.Call(made(ast.Name("list", ast.Load()), e), [new], []), e)
    call.of_dict = True  # type: ignore[attr-defined]
    return call


def keys(name: str, like: ast.AST, fn: str) -> ast.expr:
    array = made(ast.Name(name, ast.Load()), like)
    call = made(ast.Call(made(ast.Name(fn, ast.Load()), like), [array], []), like)
    call.of_dict = True  # type: ignore[attr-defined]
    return call


def sorted_dict(it: ast.expr) -> ast.expr | None:
    """What `sorted(...)` sorts, by nothing else than the keys of a dict."""
    match it:
        case ast.Call(func=ast.Name(id="sorted"), args=[inner], keywords=[]):
            match inner:
                case ast.Name() | ast.Call(func=ast.Attribute(attr="keys" | "items"), args=[]):
                    return inner
    return None


__all__ = ["Entries", "key_variables", "open_dicts", "write_out"]
