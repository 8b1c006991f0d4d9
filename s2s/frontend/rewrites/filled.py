"""Dicts that the function makes, and fills under keys that are known when it runs only.

    total = {}                                  total = {}
    for name, v in zip(names, values):          for name, v in zip(names, values):
        total[name] = total.get(name, 0.0) + v      total[name] = (total[name] if name in total else 0.0) + v
    s = sum(total.values())                     s = sum([total[k] for k in list(total)])

Such a dict stays a dict, with a dict of the same keys for its cotangent. Here it is found, and what is done with it is
written with stores, reads, `in`, `len`, and loops over the list of its keys. Where more is done with it, it is left.
"""

from __future__ import annotations

import ast
import copy
import itertools
from collections import Counter
from collections.abc import Container, Iterator, Mapping
from contextvars import ContextVar

from s2s.frontend.rewrites.entries import Entries, key_variables, open_dicts, open_items, pairs_of
from s2s.frontend.rewrites.gathered import only_in_loops
from s2s.frontend.text.function_bodies import has_effects
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.pragma import is_dict
from s2s.frontend.text.scopes import body_nodes, bound_names, every_block, is_bound, key_parts, parameters
from s2s.frontend.text.source import expression, made

VIEWS = frozenset(["items", "keys", "values"])
MAKE_NEW = ("_unbroadcast", "_added", "_zeros_like")  # of `s2s.helpers`
DEPTH = 4  # tuples in one another, of what a function returns
MAKERS = {"collections.defaultdict": "default", "collections.Counter": "count", "collections.OrderedDict": "plain"}


def ask_first(function: ast.FunctionDef, module: ModuleNames) -> None:
    """try:                      if k in d:
        d[k] += e                    d[k] += e
    except KeyError:             else:
        d[k] = e                     d[k] = e
    """
    for block in every_block(function.body):
        for i, s in enumerate(block):
            match s:
                case ast.Try(
                    body=[ast.Assign() | ast.AugAssign() as first],
                    handlers=[
                        ast.ExceptHandler(type=ast.Name(id="KeyError"), name=None, body=[*_, ast.Assign()] as rest)
                    ],
                    orelse=[],
                    finalbody=[],
                ):
                    pass
                case _:
                    continue
            reads = [n for n in ast.walk(first) if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Load)]
            if isinstance(first, ast.AugAssign) and isinstance(first.target, ast.Subscript):
                reads.append(first.target)
            put = [n.targets[0] for n in rest if isinstance(n, ast.Assign)]
            match reads:
                case [ast.Subscript(value=ast.Name(id=d) as of, slice=key)] if not has_effects(
                    first.value, module.functions
                ) and any(isinstance(t, ast.Subscript) and is_entry_of(t, d) for t in put):
                    test = made(ast.Compare(copied(key), [ast.In()], [copied(of)]), s)
                    block[i] = ast.copy_location(ast.If(test, s.body, rest), s)


def by_values(nodes: list[ast.AST]) -> None:
    """`max(d, key=lambda k: d[k])` as `max(d, key=d.get)`, of a dict that is made here."""
    made_here: dict[str, bool] = {}
    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict() | ast.DictComp()):
                made_here.setdefault(name, True)
            case ast.Assign(targets=[ast.Name(id=name)]):
                made_here[name] = False
    bound = Counter(n.id for n in nodes if isinstance(n, ast.Name) and is_bound(n))
    assigned = Counter(
        n.targets[0].id for n in nodes if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name)
    )
    for n in nodes:
        match n:
            case ast.Call(
                func=ast.Name(id="max" | "min"),
                args=[ast.Name(id=name) as d],
                keywords=[
                    ast.keyword(
                        arg="key",
                        value=ast.Lambda(args=ast.arguments(args=[k], posonlyargs=[], kwonlyargs=[]), body=item),
                    ) as option
                ],
            ) if is_entry_under(item, name, k.arg) and made_here.get(name) and bound[name] == assigned[name]:
                option.value = made(ast.Attribute(copied(d), "get", ast.Load()), option.value)


def is_entry_under(e: ast.expr, name: str, key: str) -> bool:
    return isinstance(e, ast.Subscript) and is_entry_of(e, name) and is_name(e.slice, key)


def chosen_by_values(e: ast.AST) -> ast.Name | None:
    """The dict of `max(d, key=d.get)`, which gives a key of it."""
    match e:
        case ast.Call(
            func=ast.Name(id="max" | "min"),
            args=[ast.Name(id=name) as d],
            keywords=[ast.keyword(arg="key", value=ast.Attribute(value=ast.Name(id=own), attr="get"))],
        ) if own == name:
            return d
    return None


def write_out(function: ast.FunctionDef, module: ModuleNames) -> set[str]:
    """Changes the body of a function; returns the names of these dicts."""
    nodes = body_nodes(function)
    if any(isinstance(n, ast.Try) for n in nodes):
        ask_first(function, module)
        nodes = body_nodes(function)
    by_values(nodes)
    stores = any(isinstance(n, ast.Subscript) and not isinstance(n.ctx, ast.Load) for n in nodes)
    if not stores and not any(
        isinstance(n, ast.DictComp)
        or (isinstance(n, ast.Assign) and is_shown(n.value))
        or (isinstance(n, ast.Attribute) and n.attr == "setdefault")
        or (isinstance(n, ast.Call) and maker(n.func, module))
        or (isinstance(n, ast.Assign) and isinstance(n.value, ast.Call) and binds_filled(n, n.value, module))
        for n in nodes
    ):
        return set()
    anew = any(isinstance(n, ast.Assign) and isinstance(n.value, ast.DictComp | ast.Call) for n in nodes)
    if (stores or anew) and not is_called(function, module):
        copy_given(function, module)
    name_returned(function, module)
    name_listed(function, module)
    names = filled(function, module)
    if not names:
        return set()
    rebind(function, names, module)
    lists = appended(function, names)
    writer = _Written(function, module, names, lists)
    for block in list(every_block(function.body)):
        block[:] = [x for s in block for x in writer.statement(s)]
    assert_no_floats(function, writer.labels)
    for n in body_nodes(function):
        if isinstance(n, ast.expr):
            ast.fix_missing_locations(n)
    return names


def are_values(nodes: list[ast.AST], names: set[str]) -> bool:
    """Whether keys of these dicts may be more than keys: what is done with them in loops, and where a dict is handed
    on, is not seen."""
    keys = {n.slice for n in nodes if isinstance(n, ast.Subscript)}
    keys |= {n.left for n in nodes if isinstance(n, ast.Compare) and isinstance(n.ops[0], ast.In | ast.NotIn)}
    over: set[str] = set()
    known: set[int] = set()
    for n in nodes:
        match n:
            case ast.Subscript(value=ast.Name() as d):
                known.add(id(d))
            case ast.Compare(comparators=[ast.Name() as d]):
                known.add(id(d))
            case ast.For(target=ast.Name(id=k), iter=ast.Name() as d) if d.id in names:
                known.add(id(d))
                over.add(k)
            case ast.Attribute(value=ast.Name() as d, attr="values" | "get" | "setdefault"):
                known.add(id(d))
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name() as d]):
                known.add(id(d))
            case ast.Return():
                known |= {id(e) for e in values_of(n)}
    loads = [n for n in nodes if isinstance(n, ast.Name) and not is_bound(n)]
    return any(n.id in names and id(n) not in known for n in loads) or any(
        n.id in over and n not in keys for n in loads
    )


def assert_no_floats(function: ast.FunctionDef, labels: set[str]) -> None:
    """Keys that are numbers of which something is computed carry a derivative, which is not followed."""
    first = function.body[1 if ast.get_docstring(function) is not None else 0]
    at = function.body.index(first)
    tests = [expression(f"not any(isinstance(k, float) for k in {name})", first) for name in sorted(labels)]
    function.body[at:at] = [made(ast.Assert(test), first) for test in tests]


def run_over_parameters(function: ast.FunctionDef, names: set[str]) -> None:
    """Loops over dicts that have the keys of a parameter, which stay what they are, run over those of the parameter.

    m = {}                                  keys = list(params)
    for k in params: m[k] = 0.0             m = {}
    for k in m: m[k] = e                    for k in keys: m[k] = 0.0
                                            for k in keys: m[k] = e
    """
    nodes = body_nodes(function)
    given = {p.arg for p in parameters(function)} - bound_names(nodes) - hidden(function)
    given -= {n.value.id for n in nodes if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and is_put(n)}
    given -= {  # that may be None
        n.left.id
        for n in nodes
        if isinstance(n, ast.Compare) and isinstance(n.ops[0], ast.Is | ast.IsNot) and isinstance(n.left, ast.Name)
    }
    of = {name: name for name in dicts(function, nodes, given)}
    asked = {n.value.id for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)}
    of |= {
        name: name for name in given - asked for n in nodes if isinstance(n, ast.For) and is_list_of_keys(n.iter, name)
    }
    if not of:
        return
    counts = Counter(n.id for n in nodes if isinstance(n, ast.Name) and is_bound(n))
    parents = {id(c): n for n in nodes for c in ast.iter_child_nodes(n)}
    sure = {name for name in names if counts[name] == 1} - hidden(function)
    sure -= {n.id for n in nodes if isinstance(n, ast.Name) and not (is_bound(n) or keeps_keys(n, parents.get(id(n))))}
    stores = list(stored_in_loops(function.body, {}))
    for block in every_block(function.body):
        for first, s in itertools.pairwise(block):
            match first, s:
                case (
                    ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(keys=[])),
                    ast.For(
                        target=ast.Name(id=k),
                        iter=it,
                        body=[ast.Assign(targets=[ast.Subscript(value=ast.Name(id=own), slice=ast.Name(id=key))])],
                        orelse=[],
                    ),
                ) if name in sure and (name, k) == (own, key) and (p := keys_of_parameter(it, of)):
                    own_keys = of | {name: p}
                    if all(keys_of_parameter(over, own_keys) == p for d, over in stores if d == name):
                        of[name] = p
    loops = [n for n in nodes if isinstance(n, ast.For | ast.comprehension) and keys_of_parameter(n.iter, of)]
    again = Counter(keys_of_parameter(n.iter, of) for n in loops)
    again.update(  # a list of its keys in a loop is made before it
        keys_of_parameter(n.iter, of)
        for up in nodes
        if isinstance(up, ast.For | ast.While)
        for n in loops
        if isinstance(n, ast.For) and n is not up and any(x is n for s in up.body for x in ast.walk(s))
    )
    taken = {n.id for s in function.body for n in ast.walk(s) if isinstance(n, ast.Name)}
    for p in sorted(p for p, n in again.items() if n > 1):
        keys = free(f"{p}_keys", taken)
        for n in loops:
            if keys_of_parameter(n.iter, of) == p:
                n.iter = made(ast.Name(keys, ast.Load()), n.iter)
                n.iter.of_dict = True  # type: ignore[attr-defined]
        at = next(i for i, s in enumerate(function.body) if any(is_name(n, keys) for n in ast.walk(s)))
        first = function.body[at]
        function.body.insert(at, made(ast.Assign([made(ast.Name(keys, ast.Store()), first)], keys_of(p, first)), first))


def is_name(n: ast.AST, name: str) -> bool:
    return isinstance(n, ast.Name) and n.id == name


def is_list_of_keys(it: ast.expr, name: str) -> bool:
    return has_each_once(it) and isinstance(it, ast.Call) and any(is_name(a, name) for a in it.args)


def has_each_once(it: ast.expr) -> bool:
    """Whether a loop runs over the keys of a dict: what stands there for keys may be a list, which has some twice."""
    return bool(getattr(it, "of_dict", False)) and bool(getattr(it, "each_once", True))


def is_one_of(n: ast.AST | None, names: Container[str]) -> bool:
    return isinstance(n, ast.Name) and n.id in names


def keys_of_parameter(it: ast.expr | None, of: dict[str, str]) -> str:
    """The parameter over whose keys a loop runs. of: dicts, each with the parameter whose keys it has."""
    match it:
        case ast.Call(func=ast.Name(id="list"), args=[ast.Name(id=name)], keywords=[]) if getattr(it, "of_dict", False):
            return of.get(name, "")
        case ast.Name(id=name):
            return of.get(name, "")
    return ""


def keeps_keys(n: ast.Name, up: ast.AST | None) -> bool:
    """Whether a use of a dict gives it no other name, and no function that may store into it."""
    match up:
        case ast.Subscript(value=inner):
            return inner is n
        case ast.For(iter=it) | ast.comprehension(iter=it):
            return it is n
        case ast.Call(func=ast.Name(id="list" | "len" | "sorted")) | ast.Compare() | ast.Return():
            return True
    return False


def stored_in_loops(block: list[ast.stmt], over: dict[str, ast.expr]) -> Iterator[tuple[str, ast.expr | None]]:
    """The dicts into which is stored, and what the loop runs over whose variable is the key."""
    for s in block:
        inner = over
        if isinstance(s, ast.For) and isinstance(s.target, ast.Name):
            bound = bound_names([n for x in s.body for n in ast.walk(x)])
            inner = {k: it for k, it in over.items() if k not in bound | {s.target.id}}
            inner |= {s.target.id: s.iter} if s.target.id not in bound else {}
        own = [b for field in ("body", "orelse", "finalbody") if (b := getattr(s, field, None))]
        for n in ast.walk(s) if not own else ():
            if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and not isinstance(n.ctx, ast.Load):
                yield n.value.id, over.get(n.slice.id) if isinstance(n.slice, ast.Name) else None
        for b in own:
            yield from stored_in_loops(b, inner)


def note_new(function: ast.FunctionDef, names: set[str]) -> None:
    """Entries of which it is known that they are new: those of an empty dict in a loop over keys, one for each."""
    nodes = body_nodes(function)
    asked = {
        n.comparators[0].id for n in nodes if isinstance(n, ast.Compare) and isinstance(n.comparators[0], ast.Name)
    } | {
        n.args[0].id
        for n in nodes
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "len" and n.args
        if isinstance(n.args[0], ast.Name)
    }
    for block in every_block(function.body):
        empty: set[str] = set()
        for s in block:
            match s:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(keys=[])) if name in names - asked:
                    empty.add(name)
                    continue
                case ast.For() if empty:
                    for name in sorted(empty):
                        found = new_entries([s], name, (), names)
                        for n in found or ():
                            n.new = True  # type: ignore[attr-defined]
            empty -= {n.id for n in ast.walk(s) if isinstance(n, ast.Name)}


def new_entries(block: list[ast.stmt], name: str, around: tuple[str, ...], names: set[str]) -> list[ast.expr] | None:
    """The entries of a dict that a block binds, each under a key of its own; None where that is not sure.

    around: the variables of the loops around, of which each key names all.
    """
    found: list[ast.expr] = []
    for s in block:
        inside = [n for n in ast.walk(s) if isinstance(n, ast.Subscript) and is_entry_of(n, name) and is_put(n)]
        if not inside:
            continue
        if found:  # one after the other
            return None
        more: list[ast.expr] | None = None
        match s:
            case ast.Assign(targets=[ast.Subscript() as place]) if inside == [place] and names_all(place.slice, around):
                more = [place]
            case ast.For(target=ast.Name(id=k), iter=it, body=body, orelse=[]) if is_distinct(it, names):
                bound = bound_names([n for x in body for n in ast.walk(x)])
                if k not in bound | {*around} and name not in bound and not bound & {*around}:
                    more = new_entries(body, name, (*around, k), names)
            case ast.If(body=body, orelse=orelse):
                a, b = new_entries(body, name, around, names), new_entries(orelse, name, around, names)
                more = None if a is None or b is None else [*a, *b]
        if more is None:
            return None
        found += more
    return found


def names_all(key: ast.expr, loops: tuple[str, ...]) -> bool:
    """Whether a key is another one for each value of the variables of these loops."""
    return {*loops} <= {k for e in key_parts(key) for k in loops if is_one_for_each(e, k)}


def is_one_for_each(e: ast.expr, k: str) -> bool:
    """Whether an expression is another one for each value of a variable: `k`, `2 * k + 1`, `f"w{k}"`."""
    match e:
        case ast.Name(id=own):
            return own == k
        case ast.BinOp(left=ast.Constant(value=str() as text), op=ast.Mod(), right=inner):
            return text.count("%") == 1 and is_one_for_each(inner, k)
        case (
            ast.BinOp(left=inner, op=ast.Add() | ast.Sub() | ast.Mult() as op, right=ast.Constant(value=c))
            | ast.BinOp(left=ast.Constant(value=c), op=ast.Add() | ast.Sub() | ast.Mult() as op, right=inner)
        ):
            return is_one_for_each(inner, k) and (isinstance(op, ast.Add) or (isinstance(c, int) and bool(c)))
        case ast.Call(func=ast.Name(id="str"), args=[inner], keywords=[]):
            return is_one_for_each(inner, k)
        case ast.JoinedStr(values=values):
            shown = [v for v in values if isinstance(v, ast.FormattedValue)]
            return len(shown) == 1 and shown[0].format_spec is None and is_one_for_each(shown[0].value, k)
    return False


def is_distinct(it: ast.expr, names: set[str]) -> bool:
    """Whether a loop runs over the keys of a dict, or over numbers: each of them once."""
    match it:
        case ast.Call(func=ast.Name(id="range")):
            return True
        case ast.Call(func=ast.Name(id="list" | "sorted"), args=[ast.Name()], keywords=[]):
            return has_each_once(it)
        case ast.Name(id=name):
            return name in names or has_each_once(it)
    return False


def mark(function: ast.FunctionDef, names: set[str], module: ModuleNames) -> None:
    """Tells the displays, the entries and the lists of keys of these dicts: see `Expressions`."""
    if names:
        run_over_parameters(function, names)
        note_new(function, names)
    nested = of_dicts(body_nodes(function)) & names
    nested |= zeros_of_lists(function, names, module)
    names = names | open_items(function)
    for n in body_nodes(function) if names else ():
        match n:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict() as display) if name in names:
                display.open = True  # type: ignore[attr-defined]
            case ast.Subscript(value=ast.Name(id=name)) if name in names:
                n.keyed = True  # type: ignore[attr-defined]
            case ast.Subscript(value=ast.Subscript(value=ast.Name(id=name))) if name in nested:
                n.keyed = True  # type: ignore[attr-defined]
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name))], value=ast.Dict() as display) if (
                name in nested
            ):
                display.open = True  # type: ignore[attr-defined]
            case ast.Call(func=ast.Name(id="list" | "sorted" | "len"), args=[ast.Name(id=name)]) if name in names:
                n.keyed = True  # type: ignore[attr-defined]
            case ast.Call(func=ast.Name(id="list"), args=[ast.Subscript(value=ast.Name(id=name))], keywords=[]) if (
                name in nested
            ):
                n.keyed = True  # type: ignore[attr-defined]


# ---------------------------------------------------------------- parameters that are written


def name_returned(function: ast.FunctionDef, module: ModuleNames) -> None:
    """`return {k: e for k in params}` with a name for the dict, and in tuples, `total, {k: e for k in params}`."""
    found = [
        (block, s)
        for block in every_block(function.body)
        for s in block
        if isinstance(s, ast.Return | ast.Assign) and any(isinstance(e, ast.DictComp) for e in values_of(s))
    ]
    if not found:
        return
    over = open_dicts(function) | filled(function, module)
    taken = {n.id for s in function.body for n in ast.walk(s) if isinstance(n, ast.Name)}
    taken |= {p.arg for p in parameters(function)}
    name = free("made", taken)
    for block, s in found:
        own = name
        for e in values_of(s):
            if not isinstance(e, ast.DictComp) or is_followed(e, over):
                continue
            block.insert(block.index(s), ast.copy_location(ast.Assign([made(ast.Name(own, ast.Store()), s)], e), s))
            _Put(e, made(ast.Name(own, ast.Load()), s)).visit(s)
            own = free("made", taken)


def name_listed(function: ast.FunctionDef, module: ModuleNames) -> None:
    """Dicts that go into lists, with a name for each; a comprehension of them is the loop that it stands for.

    rows = [{k: 2.0 * v for k, v in p.items()} for p in params]         rows = []
                                                                        for p in params:
                                                                            row = {k: 2.0 * v for k, v in p.items()}
                                                                            rows.append(row)
    """
    nodes = body_nodes(function)
    if not any(dict_listed(n) for n in nodes):
        return
    over = filled(function, module)
    taken = {n.id for s in function.body for n in ast.walk(s) if isinstance(n, ast.Name)}
    taken |= {p.arg for p in parameters(function)}
    for block in list(every_block(function.body)):
        for s in list(block):
            d = dict_listed(s)
            if d is None or is_followed(d, over | open_dicts(function)):
                continue
            own = free(one_of(listing(s)), taken)
            named = ast.copy_location(ast.Assign([made(ast.Name(own, ast.Store()), s)], d), s)
            at = block.index(s)
            match s:
                case ast.Expr(value=ast.Call() as call):
                    call.args = [made(ast.Name(own, ast.Load()), s)]
                    block.insert(at, named)
                case ast.Assign(targets=[ast.Name(id=rows)], value=ast.ListComp(generators=[g]) as whole):
                    rename(whole, taken_elsewhere(function, whole), taken)
                    put: ast.stmt = ast.Expr(expression(f"{rows}.append({own})", s))
                    body: list[ast.stmt] = [named, ast.copy_location(put, s)]
                    if g.ifs:
                        test = g.ifs[0] if len(g.ifs) == 1 else made(ast.BoolOp(ast.And(), g.ifs), s)
                        body = [ast.copy_location(ast.If(test, body, []), s)]
                    loop = ast.copy_location(ast.For(g.target, g.iter, body, []), s)
                    s.value = made(ast.List([], ast.Load()), s)
                    block.insert(at + 1, loop)


def listing(s: ast.stmt) -> str:
    """The list of a statement for which `dict_listed` finds something."""
    match s:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return ""


def one_of(rows: str) -> str:
    """A name for an item: `grad` of `grads`."""
    return rows[:-1] if rows.endswith("s") and not rows.endswith("ss") and len(rows) > 2 else f"{rows}_item"


def dict_listed(s: ast.AST) -> ast.DictComp | None:
    """The comprehension that a statement puts into a list, or makes a list of."""
    match s:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(), attr="append"), args=[ast.DictComp() as d])):
            return d
        case ast.Assign(targets=[ast.Name(id=rows)], value=ast.ListComp(elt=ast.DictComp() as d, generators=[g])):
            inside = [n for n in ast.walk(s.value) if isinstance(n, ast.Name)]
            return d if not g.is_async and all(n.id != rows for n in inside) else None
    return None


def taken_elsewhere(function: ast.FunctionDef, e: ast.expr) -> set[str]:
    """The names that stand outside an expression."""
    inside = {id(n) for n in ast.walk(e)}
    outside = {n.id for s in function.body for n in ast.walk(s) if isinstance(n, ast.Name) and id(n) not in inside}
    return outside | {p.arg for p in parameters(function)}


def rename(e: ast.ListComp, others: set[str], taken: set[str]) -> None:
    """Names of their own for the variables of a comprehension that becomes a loop."""
    bound = {n.id for n in ast.walk(e.generators[0].target) if isinstance(n, ast.Name)}
    new = {n: free(f"{n}_", taken) for n in sorted(bound & others)}
    first = set(ast.walk(e.generators[0].iter))  # which the scope around evaluates
    for n in ast.walk(e):
        if isinstance(n, ast.Name) and n.id in new and n not in first:
            n.id = new[n.id]


def values_of(s: ast.Return | ast.Assign) -> list[ast.expr]:
    """What a statement returns, or the values in tuples that it returns or gives a name."""
    return [*leaves_of(s.value)] if isinstance(s, ast.Return) or isinstance(s.value, ast.Tuple) else []


def leaves_of(e: ast.expr | None) -> Iterator[ast.expr]:
    """An expression, or what lies in the tuple that it displays, and in the tuples in that."""
    if isinstance(e, ast.Tuple):
        for item in e.elts:
            yield from leaves_of(item)
    elif e is not None:
        yield e


class _Put(ast.NodeTransformer):
    """Puts an expression in the place of another one."""

    def __init__(self, old: ast.expr, new: ast.expr) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        if node is self.old:
            return self.new
        if isinstance(node, ast.Tuple):
            node.made = True  # type: ignore[attr-defined]
        return self.generic_visit(node) if isinstance(node, ast.Return | ast.Assign | ast.Tuple) else node


def copy_given(function: ast.FunctionDef, module: ModuleNames) -> None:
    """A parameter that is a dict, and gets entries under keys which are not known: a copy of it gets them.

    for k in m:                      m_new = {}
        m[k] = 0.9 * m[k]            for k in list(m):
                                         m_new[k] = m[k]
                                     for k in m_new: ...
    """
    nodes = body_nodes(function)
    params = {p.arg for p in parameters(function)}
    again = bound_anew(nodes, params, module)
    given = params - (bound_names(nodes) - again)
    stored = (
        again
        | {
            n.value.id
            for n in nodes
            if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        & given
    )
    written = sorted(stored & dicts(function, nodes, given)) if stored else []
    known = known_keys(nodes, set())
    evident = dicts(function, nodes, given) if written else set()
    guards: list[ast.expr] = []
    copied_: set[str] = set()
    for name in written:
        keys = [n.slice for n in nodes if isinstance(n, ast.Subscript) and is_entry_of(n, name) and is_put(n)]
        if (
            (name not in again and all(is_known(k, known) for k in keys))
            or name in hidden(function)
            or used_otherwise(nodes, {name}, module)
        ):
            continue
        taken = {n.id for s in function.body for n in ast.walk(s) if isinstance(n, ast.Name)} | given
        guards += apart(function, name, evident - copied_, module)
        copied_.add(name)
        own = free(f"{name}_new", taken)
        for n in (n for s in function.body for n in ast.walk(s)):
            if isinstance(n, ast.Name) and n.id == name:
                n.id = own
            if isinstance(n, ast.expr) and any(isinstance(x, ast.Name) and x.id == own for x in ast.walk(n)):
                n.made = True  # type: ignore[attr-defined]
        first = function.body[1 if ast.get_docstring(function) is not None else 0]
        k = "k" if "k" not in params and only_in_loops(function, {"k"}) else free("k", taken)
        empty = made(ast.Assign([made(ast.Name(own, ast.Store()), first)], made(ast.Dict([], []), first)), first)
        fill = loop_over(
            k,
            keys_of(name, first),
            entry(own, k, ast.Store(), first),
            entry(name, k, ast.Load(), first),
            first,
        )
        at = function.body.index(first)
        function.body[at:at] = [empty, fill]
    first = function.body[1 if ast.get_docstring(function) is not None else 0]
    at = function.body.index(first)
    function.body[at:at] = [made(ast.Assert(e), first) for e in guards]


def apart(function: ast.FunctionDef, name: str, dicts: set[str], module: ModuleNames) -> list[ast.expr]:
    """What is taken for granted of a dict that gets entries: it is no other parameter; and where its arrays are
    updated in place, they are no others, and lie under one key each."""
    like = function.body[0]
    others = [p for p in parameters(function) if p.arg != name]
    found = [expression(f"{name} is not {p.arg}", like) for p in others if p.arg in dicts]
    nodes = body_nodes(function)
    updated = any(
        isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Subscript) and is_entry_of(n.target, name)
        for n in nodes
    )
    numpy = module.numpy({*bound_names(nodes), *(p.arg for p in parameters(function))}) if updated else ""
    if updated:
        test = f"not any({numpy}.shares_memory({name}[a], {name}[b]) for a in {name} for b in {name} if a != b)"
        found.append(expression(test, like))
    for p in others if updated else ():
        shared = f"{numpy}.shares_memory"
        if p.arg in dicts:
            test = f"not any({shared}(a, b) for a in {name}.values() for b in {p.arg}.values())"
            found.append(expression(test, like))
        elif p.annotation is None:
            found.append(expression(f"not any({shared}(a, {p.arg}) for a in {name}.values())", like))
    return found


def bound_anew(nodes: list[ast.AST], params: set[str], module: ModuleNames) -> set[str]:
    """The parameters that are bound again to dicts only, and are handed to functions: `p = {k: ... for k in p}`."""
    values: dict[str, list[ast.expr]] = {}
    counts: dict[str, int] = {}
    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in params:
                values.setdefault(name, []).append(value)
            case ast.Name(id=name) if name in params and is_bound(n):
                counts[name] = counts.get(name, 0) + 1
    handed = {a.id for n in nodes if isinstance(n, ast.Call) for a in n.args if isinstance(a, ast.Name)}
    looped = {  # whose items are asked for
        n.value.id for n in nodes if isinstance(n, ast.Attribute) and n.attr in VIEWS and isinstance(n.value, ast.Name)
    }
    for n in nodes:  # {k: p[k] - h * g[k] for k in p}
        match n:
            case ast.DictComp(key=ast.Name(id=k), value=e, generators=[ast.comprehension(iter=ast.Name(id=name))]):
                items = (x for x in ast.walk(e) if isinstance(x, ast.Subscript) and is_entry_of(x, name))
                if any(isinstance(x.slice, ast.Name) and x.slice.id == k for x in items):
                    looped.add(name)
    return {
        name
        for name, each in values.items()
        if name in handed | looped
        and len(each) == counts[name]
        and all(isinstance(e, ast.DictComp | ast.Call) and makes(e, {name}, params, (), module) for e in each)
        and (name in looped or any(isinstance(e, ast.DictComp) for e in each))
    }


def is_called(function: ast.FunctionDef, module: ModuleNames) -> bool:
    """Whether a function of the module calls it, and so sees what it does with its parameters."""
    every = [f for f in module.functions.values() if isinstance(f, ast.FunctionDef)]
    return any(isinstance(n, ast.Name) and n.id == function.name for f in every for n in ast.walk(f))


def is_entry_of(n: ast.Subscript, name: str) -> bool:
    return isinstance(n.value, ast.Name) and n.value.id == name


def is_put(n: ast.Subscript) -> bool:
    return isinstance(n.ctx, ast.Store)


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


# ---------------------------------------------------------------- which dicts


def filled(function: ast.FunctionDef, module: ModuleNames) -> set[str]:
    """The variables that are bound to new dicts only, of which one gets an entry under a key that the text does not
    show, and with which nothing is done but what can be written with entries and keys."""
    nodes = body_nodes(function)
    given = {p.arg for p in parameters(function)}
    bound: dict[str, list[ast.expr]] = {}
    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                bound.setdefault(name, []).append(value)
            case ast.Assign(targets=[ast.Tuple(elts=elts)], value=ast.Call() | ast.Name() as value):
                for i, e in enumerate(elts):  # what a helper returns, by item
                    if isinstance(e, ast.Name):
                        bound.setdefault(e.id, []).append(item_of(value, i))
            case ast.For(target=ast.Name(id=name), iter=it):
                bound.setdefault(name, []).append(item_over(it))
    counts: dict[str, int] = {}
    for n in nodes:
        if isinstance(n, ast.Name) and is_bound(n):
            counts[n.id] = counts.get(n.id, 0) + 1
    names = {n for n, values in bound.items() if len(values) == counts[n] and n not in given}
    lists = lists_of_dicts(function, nodes, module)
    loops = {n.target.id for n in nodes if isinstance(n, ast.For) and isinstance(n.target, ast.Name)}
    names -= {n for n in loops & names if not all(list_read(e) in lists for e in bound[n])}
    near = bound_before(function)
    bound |= {n: [unpacked(e, bound, counts, near) for e in values] for n, values in bound.items()}
    if lists:
        bound |= {n: [x for e in values for x in lists.get(list_read(e), [e])] for n, values in bound.items()}
        zeros = {n: lists[of] for n, values in bound.items() for of in [zeros_like(values, module)] if of in lists}
        bound |= {n: [x for e in values for x in zeros.get(popped(e), [e])] for n, values in bound.items()}
    names -= hidden(function) | (written_inside(nodes) - of_dicts(nodes))
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
    over = open_dicts(function)
    comprehensions = [(n, e) for n in names for e in bound[n] if isinstance(e, ast.DictComp)]
    open_ |= {n for n, e in comprehensions if steps(e, n) and any(is_copy_of(b, held) for b in bound[n])}
    while True:  # what is bound to one, or to which one is bound
        more = {n for n, e in comprehensions if not is_followed(e, over | open_)}
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


def list_read(e: ast.expr) -> str:
    """The list of which an expression reads an item: `L[k]`, `L.pop()`."""
    match e:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="pop")):
            return name
        case ast.Subscript(value=ast.Name(id=name), slice=key) if not isinstance(key, ast.Slice):
            return name
    return ""


def item_over(it: ast.expr) -> ast.expr:
    """What a loop binds to its variable: an item of the list that it runs over, from either end."""
    of = it.args[0] if isinstance(it, ast.Call) and ast.unparse(it.func) == "reversed" and it.args else it
    return made(ast.Subscript(of, made(ast.Constant(0), it), ast.Load()), it) if isinstance(of, ast.Name) else it


def lists_of_dicts(function: ast.FunctionDef, nodes: list[ast.AST], module: ModuleNames) -> dict[str, list[ast.expr]]:
    """Lists that are filled with variables, as written derivatives keep the values of a loop, with these; each item
    that is read gets a name, or is handed to a written derivative. No entry of what they hold is bound anew behind
    that."""
    held: dict[str, list[ast.expr]] = {}
    known: set[int] = set()
    made_of: dict[str, set[str]] = {}
    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Name(id=name) as target], value=ast.List(elts=[])):
                held.setdefault(name, [])
                known.add(id(target))
            case ast.Call(func=ast.Attribute(value=ast.Name() as into, attr="append"), args=[ast.Name() as item]):
                held.setdefault(into.id, []).append(item)
                known.add(id(into))
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if of := list_read(value):
                made_of.setdefault(name, set()).add(of)
                known |= {id(x) for x in ast.walk(value) if is_name(x, of)}
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=also)):
                made_of.setdefault(name, set()).add(also)
                made_of.setdefault(also, set()).add(name)
            case ast.For(target=target, iter=it) | ast.comprehension(target=target, iter=it):
                for part, each in [(target, it), *pairs_of(target, it)]:
                    if isinstance(part, ast.Name) and (of := list_read(item_over(each))):
                        made_of.setdefault(part.id, set()).add(of)
                        known |= {id(x) for x in ast.walk(each) if is_name(x, of)}
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name() as counted]):
                known.add(id(counted))
            case ast.Call(func=ast.Name(id="_zeros_like"), args=[ast.Name() as like]) if module.carries("_zeros_like"):
                known.add(id(like))
            case ast.Call(func=ast.Name(id=callee), args=args) if callee in module.functions:
                known |= {id(a) for a in args if isinstance(a, ast.Name)}  # what a function writes is seen later
                if is_derivative(callee, module):
                    known |= {id(a.value) for a in args if isinstance(a, ast.Subscript) and list_read(a)}
    held = {name: items for name, items in held.items() if items}
    if not held:
        return {}
    other = {n.id for n in nodes if isinstance(n, ast.Name) and n.id in held and id(n) not in known}
    uses = _Uses(function)
    found = {name: items for name, items in held.items() if name not in other and name not in hidden(function)}
    for name in list(found):
        if any(not uses.is_kept(item, made_of) for item in found[name]):
            del found[name]
    return found


def is_copy_of(e: ast.expr, names: set[str]) -> bool:
    """dict(d), d.copy()"""
    match e:
        case (
            ast.Call(func=ast.Name(id="dict"), args=[ast.Name(id=name)], keywords=[])
            | ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="copy"), args=[], keywords=[])
        ):
            return name in names
    return False


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
    return {name for name, values in bound.items() if zeros_like(values, module) in held}


def zeros_like(values: list[ast.expr], module: ModuleNames) -> str:
    """What a name, bound once, has the structure of: `hs_bar = _zeros_like(hs)`."""
    match values:
        case [ast.Call(func=ast.Name(id="_zeros_like"), args=[ast.Name(id=of)])] if module.carries("_zeros_like"):
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


def written_inside(nodes: list[ast.AST]) -> set[str]:
    """The names of dicts in whose entries something is written: `d[k][0] = e`."""
    found: set[str] = set()
    for n in nodes:
        match n:
            case ast.Subscript(value=ast.Subscript(value=ast.Name(id=name)), ctx=ast.Store()):
                found.add(name)
    return found


def is_followed(e: ast.DictComp, over: set[str]) -> bool:
    """Whether a comprehension is one over the keys of a dict that the text shows, or over texts that are written out.

    over: dicts of which it does not.
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
        case ast.Call(func=ast.Attribute(value=ast.Name(id="dict"), attr="fromkeys"), args=[_, _], keywords=[]):
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
            return item_of(of, i) if value is not None and isinstance(of, ast.Call | ast.Subscript) else e
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
                case ast.Assign(targets=[ast.Tuple(elts=elts)], value=ast.Call() as value):
                    last |= {e.id: item_of(value, i) for i, e in enumerate(elts) if isinstance(e, ast.Name)}
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
    return (
        bool(returned)
        and all(x is not None and is_shown(x) for x in shown)
        and not any(
            isinstance(n, ast.Subscript)
            and is_put(n)
            and isinstance(n.value, ast.Name)
            and n.value.id in names
            and not isinstance(n.slice, ast.Constant)
            for n in nodes
        )
    )


def gives_zeros(
    call: ast.Call, names: set[str], lists: Container[str], module: ModuleNames, path: tuple[int, ...] = ()
) -> bool:
    """Whether a function of the module returns a cotangent of one of these dicts, or of an item of these lists of
    them."""
    function = module.functions.get(call.func.id) if isinstance(call.func, ast.Name) else None
    if not isinstance(function, ast.FunctionDef):
        return False
    like = likes(function, module, path)
    params = [p.arg for p in (*function.args.posonlyargs, *function.args.args)]
    given = dict(zip(params, call.args, strict=False))
    return bool(like) and all(
        is_one_of(of, names) or (isinstance(of, ast.Subscript) and list_read(of) in lists)
        for of in map(given.get, like)
    )


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


def is_derivative(name: str, module: ModuleNames) -> bool:
    """Whether a function of the module is a derivative that returns cotangents of dicts, and stores into none of its
    arguments."""
    function = module.functions.get(name)
    if not isinstance(function, ast.FunctionDef):
        return False
    nodes = body_nodes(function)
    given = {p.arg for p in parameters(function)}
    if any(isinstance(n, ast.Subscript) and is_put(n) and is_one_of(n.value, given) for n in nodes):
        return False
    first = next((n.value for n in nodes if isinstance(n, ast.Return)), None)
    return any(likes(function, module, path) for path in paths_of(nodes, first))


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
    if not all(isinstance(e, ast.Name | ast.DictComp) for e in returned):
        return False
    token = ASKED.set(ASKED.get() | {id(function)})
    try:
        own = filled(function, module)
        over = open_dicts(function) | own
        if not {e.id for e in returned if isinstance(e, ast.Name)} <= own:
            return False
        rest = [e for e in returned if not isinstance(e, ast.Name)]
        return all(isinstance(e, ast.DictComp) and not is_followed(e, over) for e in rest)
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
            case ast.Subscript(value=ast.Name() as d, ctx=ast.Load() | ast.Store()) if id(n) not in called:
                known.add(id(d))
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="dict"), attr="fromkeys"), args=[ast.Name() as d, _], keywords=[]
            ):
                known.add(id(d))
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


def is_shown(e: ast.expr) -> bool:
    """Whether a display shows keys, all of them texts."""
    return (
        isinstance(e, ast.Dict)
        and bool(e.keys)
        and all(isinstance(k, ast.Constant) and isinstance(k.value, str) for k in e.keys)
    )


def is_known(key: ast.expr, known: set[str]) -> bool:
    match key:
        case ast.Constant(value=str()):
            return True
        case ast.Name(id=name):
            return name in known
    return False


# ---------------------------------------------------------------- updates


def rebind(function: ast.FunctionDef, names: set[str], module: ModuleNames) -> None:
    """`d[k] += e` as `d[k] = d[k] + e`, where nothing else sees the array that lies there: it makes no difference."""
    nodes = body_nodes(function)
    uses = _Uses(function, frozenset(n for n in MAKE_NEW if module.carries(n)))
    plain = names & {
        n.target.value.id
        for n in nodes
        if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Subscript) and isinstance(n.target.value, ast.Name)
    }
    for name in sorted(plain):
        if not uses.holds_new(name) or any(not uses.is_settled(n, name, ast.AugAssign) for n in uses.seen(name)):
            plain.discard(name)
    for block in every_block(function.body):
        for i, s in enumerate(block):
            match s:
                case ast.AugAssign(target=ast.Subscript(value=ast.Name(id=name), slice=key), op=op, value=value) if (
                    name in plain
                ):
                    total = made(ast.BinOp(entry(name, key, ast.Load(), s), op, value), value)
                    block[i] = ast.copy_location(ast.Assign([entry(name, key, ast.Store(), s)], total), s)


def appended(function: ast.FunctionDef, names: set[str]) -> set[str]:
    """The dicts of lists to which items are appended, and that no other name sees: `groups[label].append(x)`."""
    nodes = body_nodes(function)
    uses = _Uses(function)
    found: set[str] = set()
    bad: set[str] = set()
    for n in nodes:
        match n:
            case ast.Call(func=ast.Attribute(value=of, attr="append")) if (name := uses.entry_of(of)) in names:
                found.add(name)
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name))], value=value) if name in names:
                if not isinstance(value, ast.List):
                    bad.add(name)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="setdefault"), args=[_, value]):
                if not isinstance(value, ast.List):
                    bad.add(name)
    for name in found - bad:
        if any(not uses.is_settled(n, name, ast.Call) for n in uses.seen(name)):
            bad.add(name)
    return found - bad


class _Uses:
    """Where another name may come to see what lies in a dict, and whether it is changed there afterwards."""

    def __init__(self, function: ast.FunctionDef, makers: frozenset[str] = frozenset()) -> None:
        self.makers = makers  # functions of written derivatives that make new arrays, or new dicts of new arrays
        self.nodes = list(in_order(function))
        self.parents = {id(c): n for n in self.nodes for c in ast.iter_child_nodes(n)}
        self.at = {id(n): i for i, n in enumerate(self.nodes)}

    def entry_of(self, e: ast.expr) -> str:
        """The dict of which an expression is an entry: `d[k]`, `d.setdefault(k, [])`."""
        match e:
            case (
                ast.Subscript(value=ast.Name(id=name))
                | ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="setdefault"))
            ):
                return name
        return ""

    def loops(self, n: ast.AST) -> set[int]:
        found: set[int] = set()
        while (up := self.parents.get(id(n))) is not None:
            first = isinstance(up, ast.For) and n is up.iter
            found |= {id(up)} if isinstance(up, ast.For | ast.While) and not first else set()
            n = up
        return found

    def is_settled(self, use: ast.AST, name: str, kind: type[ast.AST]) -> bool:
        """Whether no entry of a dict is changed behind a use: by `+=`, or by a call of `append`."""
        around = self.loops(use)
        up = self.parents.get(id(use))
        inside = {id(up)} if isinstance(up, ast.For) else set()  # the loop runs over what is seen
        for n in self.nodes:
            match n:
                case ast.AugAssign(target=target):
                    changed = self.entry_of(target)
                case ast.Call(func=ast.Attribute(value=of, attr="append")):
                    changed = self.entry_of(of)
                case _:
                    continue
            if isinstance(n, kind) and changed == name and (self.at[id(n)] > self.at[id(use)]):
                return False
            if isinstance(n, kind) and changed == name and self.loops(n) & (around | inside):
                return False
        return True

    def is_kept(self, use: ast.expr, made_of: Mapping[str, set[str]]) -> bool:
        """Whether no entry is bound behind a use of a dict that goes into a list, nor in a loop around it.

        made_of: what names are other names of.
        """
        assert isinstance(use, ast.Name)
        around = self.loops(use)
        names = {use.id}
        while True:  # all names of it
            lists = {of for n in names for of in made_of.get(n, ())}
            more = {n for n, of in made_of.items() if of & (names | lists)} | lists
            more |= {
                n.args[0].id
                for n in self.nodes
                if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr == "append"
                if is_one_of(n.func.value, names) and isinstance(n.args[0], ast.Name)
            }
            more |= {
                n.func.value.id
                for n in self.nodes
                if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr == "append"
                if isinstance(n.func.value, ast.Name) and any(is_one_of(a, names) for a in n.args)
            }
            if more <= names:
                break
            names |= more
        for n in self.nodes:
            stored = isinstance(n, ast.Subscript | ast.Attribute) and not isinstance(n.ctx, ast.Load)
            if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr not in ("append", "pop"):
                stored = n.func.attr not in VIEWS and n.func.attr not in ("get", "copy")
                n = n.func
            if not stored or not isinstance(n, ast.Subscript | ast.Attribute) or not is_one_of(n.value, names):
                continue
            own = is_name(n.value, use.id) and use.id not in made_of and self.is_made_in_each_pass(use)
            if self.at[id(n)] > self.at[id(use)] or (self.loops(n) & around and not own):
                return False
        return True

    def is_made_in_each_pass(self, use: ast.Name) -> bool:
        """Whether the innermost loop around a use begins with a new dict of this name: what is stored into it before
        the use is not stored into that of an earlier pass."""
        up: ast.AST = use
        while not isinstance(up, ast.For | ast.While):
            if id(up) not in self.parents:
                return False
            up = self.parents[id(up)]
        first = next((n for n in self.nodes if is_name(n, use.id) and self.at[id(n)] > self.at[id(up)]), None)
        makes_it = self.parents[id(first)] if first is not None else None
        return (
            isinstance(makes_it, ast.Assign)
            and any(makes_it is s for s in up.body)
            and isinstance(makes_it.value, ast.Dict | ast.DictComp)
        )

    def seen(self, name: str) -> list[ast.AST]:
        """What may give an entry another name, of the uses of a dict."""
        found: list[ast.AST] = []
        for n in self.nodes:
            if not (isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)):
                continue
            up = self.parents[id(n)]
            match up:
                case ast.Subscript(value=value, ctx=ast.Load()) if value is n:
                    found += [] if self.is_computed(up) else [up]
                case ast.Subscript(value=value) if value is n:
                    pass
                case ast.Compare() | ast.For() | ast.comprehension() | ast.Return():
                    pass
                case ast.Tuple() if isinstance(self.parents[id(up)], ast.Return):
                    pass
                case ast.Call(func=ast.Name(id="len" | "list" | "sorted")):
                    pass
                case ast.Call(func=ast.Name(id=called)) if called in self.makers:
                    pass
                case ast.Attribute(attr="keys"):
                    pass
                case ast.Attribute(attr="values" | "items" | "get" | "setdefault"):
                    call = self.parents[id(up)]
                    found += [] if self.is_computed(call) else [call]
                case _:
                    found.append(n)
        return found

    def is_computed(self, e: ast.AST) -> bool:
        """Whether something new is computed of an entry, or of all."""
        up = self.parents.get(id(e))
        if is_computed_with(up) or isinstance(up, ast.Expr):
            return True
        match up:
            case ast.Call(func=ast.Name(id=called)) if called in self.makers:
                return True
            case ast.Attribute(attr="append") | ast.AugAssign():
                return True
            case ast.Call(func=ast.Name(id="sum" | "len")):
                return True
            case ast.Call(func=ast.Name(id="max" | "min"), args=[_]) if isinstance(e, ast.Subscript):
                return True  # of the items of a list, which are no entries
            case ast.Subscript(value=value, ctx=ast.Load()) if value is e:  # an item of a list
                return self.is_computed(up)
            case ast.comprehension(target=target):
                names = {x.id for x in ast.walk(target) if isinstance(x, ast.Name)}
                whole = self.parents[id(up)]
                reads = [x for x in ast.walk(whole) if isinstance(x, ast.Name) and x.id in names]
                return all(self.is_computed(x) for x in reads if isinstance(x.ctx, ast.Load))
        return False

    def holds_new(self, name: str) -> bool:
        """Whether all that is put into a dict is new, or an entry of a dict that is read at this place only."""
        for n in self.nodes:
            match n:
                case ast.Subscript(value=ast.Name(id=own), ctx=ast.Store()) if own == name:
                    match self.parents[id(n)]:
                        case ast.AugAssign():
                            pass
                        case ast.Assign(targets=[target], value=value) if target is n:
                            if not self.is_new(value):
                                return False
                        case _:
                            return False
                case ast.Assign(targets=[ast.Name(id=own)], value=value) if own == name:
                    if not self.makes_new(value):
                        return False
                case ast.Call(func=ast.Attribute(value=ast.Name(id=own), attr="setdefault"), args=[_, value]):
                    if own == name and not self.is_new(value):
                        return False
        return True

    def makes_new(self, value: ast.expr) -> bool:
        match value:
            case ast.Dict(values=values):
                return all(map(self.is_new, values))
            case ast.DictComp(value=item):
                return self.is_new(item)
            case ast.Call(func=ast.Name(id="dict"), args=[ast.Name() as of]):
                return self.is_read_once(of) and not self.loops(of)
            case ast.Call(func=ast.Name(id="dict"), args=[], keywords=options):
                return all(self.is_new(k.value) for k in options)
            case ast.Call(func=ast.Name(id="dict")):  # of pairs
                return False
            case ast.Call(func=ast.Name(id=called)) if called in self.makers:
                return True
            case ast.Call(func=ast.Attribute(attr="copy")):
                return False
            case ast.Call(args=args):
                return len(args) < 2 or isinstance(args[1], ast.Constant)
        return False

    def is_new(self, e: ast.expr) -> bool:
        """Whether an expression makes a number or an array that nothing else sees; an entry of a dict that is read here
        only is as good as that."""
        match e:
            case ast.Constant() | ast.BinOp() | ast.UnaryOp():
                return True
            case ast.Call(func=ast.Name(id=called)):
                return called in self.makers
            case ast.Call(func=ast.Attribute(value=ast.Name(), attr=attr)):
                return attr in ("zeros_like", "zeros", "ones", "copy", "sqrt", "exp")
            case ast.Subscript(value=ast.Name() as of, slice=ast.Name(id=k)):
                put = self.parents[id(e)]
                match put, self.parents[id(put)]:
                    case (
                        ast.Assign(targets=[ast.Subscript(slice=ast.Name(id=key))]),
                        ast.For(target=ast.Name(id=each), iter=it),
                    ):
                        pass
                    case ast.DictComp(
                        key=ast.Name(id=key), generators=[ast.comprehension(target=ast.Name(id=each), iter=it)]
                    ), _:
                        pass
                    case _:
                        return False
                over = it.args[0] if isinstance(it, ast.Call) and it.args else it
                return (
                    key == each == k
                    and isinstance(over, ast.Name)
                    and over.id == of.id
                    and self.is_read_once(of)
                    and len(self.loops(e)) == isinstance(put, ast.Assign)  # and the loop runs once
                )
        return False

    def is_read_once(self, of: ast.Name) -> bool:
        """Whether what lies in a dict is read at this place only, and once: the dict is not handed on, either."""
        reads = [
            n
            for n in self.nodes
            if isinstance(n, ast.Name) and n.id == of.id and n is not of and isinstance(n.ctx, ast.Load)
        ]
        for n in reads:
            match self.parents[id(n)]:
                case ast.Compare() | ast.For() | ast.comprehension():
                    pass
                case ast.Call(func=ast.Name(id="len" | "list" | "sorted")) | ast.Attribute(attr="keys"):
                    pass
                case _ if not any(isinstance(up, ast.Assert) for up in self.ancestors(n)):
                    return False
        return True

    def ancestors(self, n: ast.AST) -> Iterator[ast.AST]:
        while (up := self.parents.get(id(n))) is not None:
            yield up
            n = up


def in_order(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a tree as they stand in the text."""
    yield node
    for child in ast.iter_child_nodes(node):
        yield from in_order(child)


def is_computed_with(up: ast.AST | None) -> bool:
    return isinstance(up, ast.BinOp | ast.UnaryOp | ast.Compare) or (
        isinstance(up, ast.Call)
        and isinstance(up.func, ast.Attribute)
        and isinstance(up.func.value, ast.Name)
        and up.func.attr
        in ("sum", "mean", "exp", "log", "sqrt", "sin", "cos", "tanh", "abs", "maximum", "dot", "zeros_like")
    )


# ---------------------------------------------------------------- what is done with them


READERS = frozenset(["sum", "len", "list", "sorted", "max", "min", "dict", "tuple", "set", "any", "all"])


def steps(e: ast.DictComp, name: str) -> bool:
    """`{k: e(d[k]) for k in d}`: a new value for each entry, made of that entry alone; as well may d get it."""
    match e.key, e.generators:
        case ast.Name(id=k), [ast.comprehension(target=target, iter=it, ifs=[])]:
            pass
        case _:
            return False
    match target, it:
        case ast.Name(id=own), ast.Name(id=of):
            pass
        case ast.Name(id=own), ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr="keys"), args=[]):
            pass
        case (
            ast.Tuple(elts=[ast.Name(id=own), ast.Name()]),
            ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr="items"), args=[]),
        ):
            pass
        case _:
            return False
    nodes = list(ast.walk(e.value))
    read = [n for n in nodes if isinstance(n, ast.Subscript) and is_entry_of(n, name)]
    whole = sum(isinstance(n, ast.Name) and n.id == name for n in nodes) - len(read)
    plain = not any(isinstance(n, ast.Lambda | ast.NamedExpr | ast.comprehension) for n in nodes)
    own_keys = all(isinstance(n.slice, ast.Name) and n.slice.id == k for n in read)
    return of == name and own == k and plain and not whole and own_keys


def is_alone(
    function: ast.FunctionDef, name: str, functions: Mapping[str, ast.FunctionDef | object], depth: int = 3
) -> bool:
    """Whether no other name, list or object may see a dict: it is read by entries and in loops, and handed to functions
    of the module that do the same; where it is no parameter, it may be returned."""
    parents = {c: n for n in ast.walk(function) for c in ast.iter_child_nodes(n)}
    given = name in {p.arg for p in parameters(function)}
    own = bound_names(body_nodes(function))
    for n in ast.walk(function):
        nested = isinstance(n, ast.FunctionDef | ast.Lambda) and n is not function
        if nested and any(isinstance(x, ast.Name) and x.id == name for x in ast.walk(n)):
            return False
        if not isinstance(n, ast.Name) or n.id != name:
            continue
        up = parents[n]
        match up:
            case ast.Assign(targets=[target], value=ast.Dict() | ast.DictComp()) if target is n:
                known = not given
            case ast.Assign(targets=[target], value=ast.Call(func=ast.Name(id="dict"))) if target is n:
                known = not given
            case ast.Assign(targets=[target], value=ast.Call(func=ast.Attribute(attr="copy"))) if target is n:
                known = not given
            case ast.Subscript(value=value) if value is n:
                known = not isinstance(up.ctx, ast.Del)
            case ast.Attribute(attr=attr) if attr in VIEWS or attr == "copy":
                view = parents[up]
                read = attr == "copy" or reads_at_once(parents[view], view, parents, name)
                known = isinstance(view, ast.Call) and view.func is up and read
            case ast.Call(func=ast.Name(id=called), args=args) if (
                n in args and called not in own and isinstance(helper := functions.get(called), ast.FunctionDef)
            ):
                names = [p.arg for p in (*helper.args.posonlyargs, *helper.args.args)]
                k = args.index(n)
                plain = not any(isinstance(a, ast.Starred) for a in args) and k < len(names)
                known = plain and depth > 0 and is_alone(helper, names[k], functions, depth - 1)
            case ast.Return():
                known = not given
            case ast.Tuple() if isinstance(parents[up], ast.Return):
                known = not given
            case _:
                known = reads_at_once(up, n, parents, name)
        if not known:
            return False
    return True


def reads_at_once(up: ast.AST, e: ast.AST, parents: Mapping[ast.AST, ast.AST], name: str) -> bool:
    """Whether a node loops over a dict, or a view of it, and is done before the dict is another one, or gives what a
    builtin makes of it."""
    match up:
        case ast.For(iter=it, body=body):  # over the keys, which stay
            values = isinstance(it, ast.Call) and isinstance(it.func, ast.Attribute) and it.func.attr != "keys"
            return it is e and not (values and any(is_bound(n) and n.id == name for s in body for n in names_in(s)))
        case ast.comprehension(iter=it):
            lazy = isinstance(made_of := parents[up], ast.GeneratorExp)
            return it is e and not (lazy and not is_reader(parents[made_of]))
        case ast.Call():
            return is_reader(up)
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[other]):
            return other is e
    return False


def names_in(node: ast.AST) -> Iterator[ast.Name]:
    return (n for n in ast.walk(node) if isinstance(n, ast.Name))


def is_reader(e: ast.AST) -> bool:
    return isinstance(e, ast.Call) and isinstance(e.func, ast.Name) and e.func.id in READERS


class _Written(ast.NodeTransformer):
    """Writes what is done with these dicts by stores, reads and loops."""

    def __init__(self, function: ast.FunctionDef, module: ModuleNames, names: set[str], lists: set[str]) -> None:
        self.names, self.functions, self.lists = names, module.functions, lists
        self.function = function
        self.nested = of_dicts(body_nodes(function)) & names
        self.zeros = zeros_of_lists(function, names, module)
        nodes = body_nodes(function)
        self.taken = {n.id for n in nodes if isinstance(n, ast.Name)} | {p.arg for p in parameters(function)}
        self.defaults: dict[str, ast.expr] = {}
        self.counts: set[str] = set()  # that give 0 for a key which is not there, and do not add it
        self.module = module
        self.present = {x for n in nodes if isinstance(n, ast.For) for x in read_under_own_keys(n)}
        self.given = given = {p.arg for p in parameters(function)} - bound_names(nodes)
        self.dicts = dicts(function, nodes, given)
        self.labels: set[str] = set()  # what is run over for keys, and may be a list of numbers
        self.asked_for_keys = are_values(nodes, names)
        self.alone = {name for name in names - given if is_alone(function, name, module.functions)}
        for n in nodes:
            match n:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=func, args=args)) if name in names:
                    kind = maker(func, module)
                    if kind == "default" and (default := default_of(args[0])) is not None:
                        self.defaults[name] = default
                    elif kind == "count":
                        self.defaults[name] = expression("0", func)
                        self.counts.add(name)

    def free(self, wish: str) -> str:
        return free(wish, self.taken)

    def statement(self, s: ast.stmt) -> Iterator[ast.stmt]:
        match s:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in self.names:
                yield from self.bound(s, name, value)
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="setdefault"), args=[key, value])
            ) if name in self.names:
                yield self.added(name, key, value, s)
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(
                        value=ast.Call(
                            func=ast.Attribute(value=ast.Name(id=name), attr="setdefault"), args=[key, value]
                        ),
                        attr="append",
                    ) as func
                )
            ) if name in self.names:
                yield self.added(name, key, value, s)
                func.value = entry(name, key, ast.Load(), s)
                yield self.longer(s)
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Subscript(value=ast.Name(id=name), slice=key), attr="append"), args=[_]
                )
            ) if name in self.lists:
                if name in self.defaults and not has_effects(key, self.functions):
                    yield self.added(name, key, self.defaults[name], s)
                yield self.longer(s)
            case ast.AugAssign(target=ast.Subscript(value=ast.Name(id=name), slice=key), op=op, value=value) if (
                name in self.defaults and not has_effects(key, self.functions)
            ):
                old = self.got(name, key, self.defaults[name], s)
                total = made(ast.BinOp(old, op, self.visit(value)), value)
                yield ast.copy_location(ast.Assign([entry(name, key, ast.Store(), s)], total), s)
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=key)]) if (
                name in self.names and (first := self.added_to(s, name, key)) is not None
            ):
                yield self.added(name, key, first.args[1], s)
                s.value = replaced(s.value, first, entry(name, key, ast.Load(), s))
                yield self.visit(s)
            case ast.Assign(
                targets=[ast.Subscript(value=ast.Name(id=rows)) as row],
                value=ast.Call(func=ast.Name(id="_added") as total, args=[old, ast.Name(id=more)]),
            ) if rows in self.zeros and more in self.names and ast.unparse(old) == ast.unparse(row):
                k = self.free("k")

                def entry_of_row(ctx: ast.expr_context) -> ast.Subscript:
                    return made(ast.Subscript(copied(old), key_of(k, s), ctx), s)

                each = made(ast.Call(total, [entry_of_row(ast.Load()), entry(more, k, ast.Load(), s)], []), s)
                yield loop_over(k, keys_of(more, s), entry_of_row(ast.Store()), each, s)
            case ast.Assign() | ast.AugAssign() | ast.Expr() | ast.Return() | ast.Assert():
                yield from self.read_first(s)
                yield self.visit(s)
            case ast.If(test=test) | ast.While(test=test):
                if isinstance(s, ast.If):
                    yield from self.read_first(s, test)
                s.test = self.visit(test)
                yield s
            case ast.For(iter=ast.Subscript(value=ast.Name(id=name)) as it) if name in self.nested:
                s.iter = listed(it)
                yield s
            case ast.For(
                target=ast.Tuple(elts=[ast.Name(id=k), value]),
                iter=ast.Call(func=ast.Attribute(value=ast.Subscript(value=ast.Name(id=name)) as it, attr="items")),
            ) if name in self.nested:
                item = made(ast.Subscript(copied(it), key_of(k, s), ast.Load()), s)
                s.body.insert(0, made(ast.Assign([value], item), s))
                s.target, s.iter = made(ast.Name(k, ast.Store()), s), listed(it)
                yield s
            case ast.For(iter=ast.Call(func=ast.Name(id="reversed"), args=[ast.Name(id=name) as d]) as it) if (
                name in self.names
            ):
                it.args = [keys_of(name, d)]
                yield s
            case ast.For(target=ast.Name(id=k), iter=ast.Name(id=of) as it) if of in self.given and self.is_key(
                k, s.body
            ):
                s.iter = keys_of(of, it)
                s.iter.each_once = of in self.dicts  # type: ignore[attr-defined]
                if of not in self.dicts and self.asked_for_keys:
                    self.labels.add(of)
                yield s
            case ast.For(iter=it):
                s.iter = self.visit(it)
                yield s
            case _:
                yield s

    def is_key(self, k: str, body: list[ast.stmt]) -> bool:
        """Whether a variable is a key of these dicts, and nothing else: what it runs over may be a list or a dict."""
        nodes = [n for s in body for n in ast.walk(s)]
        keys = [n.slice for n in nodes if isinstance(n, ast.Subscript) and is_name(n.slice, k)]
        own = any(
            isinstance(n, ast.Subscript) and is_name(n.slice, k) and is_one_of(n.value, self.names) for n in nodes
        )
        return own and sum(is_name(n, k) for n in nodes) == len(keys)

    def longer(self, s: ast.Expr) -> ast.stmt:
        """`d[k].append(x)` as `d[k] = d[k] + [x]`, where no other name sees the list."""
        match s.value:
            case ast.Call(func=ast.Attribute(value=ast.Subscript(value=ast.Name(id=name), slice=key)), args=[item]) if (
                name in self.lists
            ):
                one = made(ast.List([self.visit(item)], ast.Load()), item)
                total = made(ast.BinOp(entry(name, key, ast.Load(), s), ast.Add(), one), s.value)
                return ast.copy_location(ast.Assign([entry(name, key, ast.Store(), s)], total), s)
        return s

    def bound(self, s: ast.Assign, name: str, value: ast.expr) -> Iterator[ast.stmt]:
        """`d = {k: e for k in keys}` as `d = {}` and a loop."""
        empty = ast.copy_location(ast.Assign(s.targets, made(ast.Dict([], []), value)), s)
        is_step = isinstance(value, ast.DictComp) and name in self.alone and steps(value, name)
        if not is_step and self.is_filled(value) and any(is_name(n, name) for n in ast.walk(value)):
            made_anew = name.endswith("_new")  # the copy of a parameter
            other = self.free(f"{name.removesuffix('_new')}_next" if made_anew else f"{name}_new")
            self.names.add(other)
            if name in self.defaults:
                self.defaults[other] = self.defaults[name]
            first = ast.copy_location(ast.Assign([made(ast.Name(other, ast.Store()), s)], value), s)
            yield from self.bound(first, other, value)
            yield ast.copy_location(ast.Assign(s.targets, made(ast.Name(other, ast.Load()), s)), s)
            return
        match value:
            case ast.Dict():
                yield self.visit(s)
            case ast.Call(func=ast.Name(id="_added") as total, args=[ast.Name(id=of), more]) if self.module.carries(
                "_added"
            ):
                if not isinstance(more, ast.Name):
                    inc = self.free(f"{name.removesuffix('_bar')}_inc")
                    if makes(more, self.names, self.given, (), self.module):
                        self.names.add(inc)
                    yield ast.copy_location(ast.Assign([made(ast.Name(inc, ast.Store()), s)], self.visit(more)), s)
                    more = made(ast.Name(inc, ast.Load()), more)
                assert isinstance(more, ast.Name)
                k = self.free("k")
                each = made(ast.Call(total, [entry(of, k, ast.Load(), s), entry(more.id, k, ast.Load(), s)], []), value)
                s.value = made(ast.DictComp(key_of(k, s), each, [over_keys(k, of, s)]), value)
                yield from self.bound(s, name, s.value)
            case ast.Name() | ast.Call(func=ast.Name()) if not self.is_made(value):
                yield self.visit(s)
            case ast.DictComp(key=key, value=item, generators=generators):
                if is_step:
                    yield self.loop(name, key, item, generators, s)
                    return
                yield empty
                yield self.loop(name, key, item, generators, s)
            case ast.Call(func=ast.Name(id="dict"), args=[], keywords=options):
                keys: list[ast.expr | None] = [made(ast.Constant(k.arg), value) for k in options]
                yield ast.copy_location(ast.Assign(s.targets, made(ast.Dict(keys, [k.value for k in options]), s)), s)
            case (
                ast.Call(func=ast.Name(id="dict"), args=[ast.Name(id=of)])
                | ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr="copy"))
            ):
                k = self.free("k")
                yield empty
                yield loop_over(k, keys_of(of, s), entry(name, k, ast.Store(), s), entry(of, k, ast.Load(), s), s)
            case ast.Call(func=ast.Name(id="dict"), args=[pairs]):
                k, v = self.free("k"), self.free("v")
                yield empty
                step = loop_over(k, pairs, entry(name, k, ast.Store(), s), made(ast.Name(v, ast.Load()), s), s)
                step.target = made(ast.Tuple([step.target, made(ast.Name(v, ast.Store()), s)], ast.Store()), s)
                yield step
            case ast.Call(func=ast.Attribute(attr="fromkeys"), args=[it, item]):
                k = self.free("k")
                if not isinstance(item, ast.Constant):  # one array for all keys
                    one = self.free(f"{name}_first")
                    yield ast.copy_location(ast.Assign([made(ast.Name(one, ast.Store()), s)], item), s)
                    item = made(ast.Name(one, ast.Load()), s)
                if isinstance(it, ast.Name) and it.id in self.names:
                    it = keys_of(it.id, it)
                yield empty
                yield loop_over(k, it, entry(name, k, ast.Store(), s), item, s)
            case ast.Call(args=[counted]) if maker(value.func, self.module) == "count":
                k = self.free("k")
                yield empty
                more = made(ast.BinOp(self.got(name, key_of(k, s), self.defaults[name], s), ast.Add(), number(1, s)), s)
                yield loop_over(k, counted, entry(name, k, ast.Store(), s), more, s)
            case ast.Call(func=func) if maker(func, self.module):
                yield empty
            case _:  # an item of a list
                yield self.visit(s)

    def is_filled(self, value: ast.expr) -> bool:
        """Whether a new dict begins empty, and is filled entry by entry from what its value reads."""
        match value:
            case ast.DictComp() | ast.Call(func=ast.Name(id="dict"), args=[_]):
                return True
            case ast.Call(func=ast.Attribute(value=ast.Name(), attr="copy"), args=[]):
                return True
            case ast.Call(func=func):
                is_from_keys = isinstance(func, ast.Attribute) and func.attr == "fromkeys"
                return is_from_keys or maker(func, self.module) != ""
        return False

    def is_made(self, value: ast.expr) -> bool:
        """Whether a value is written out: it is no other name, and no call of a function of the module."""
        return not isinstance(value, ast.Name) and not (
            isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in self.functions
        )

    def loop(
        self, name: str, key: ast.expr, item: ast.expr, generators: list[ast.comprehension], s: ast.stmt
    ) -> ast.stmt:
        """The loops of a comprehension; a variable that the function reads elsewhere gets another name."""
        for g in generators:
            match g.target, g.iter:
                case ast.Tuple(elts=[ast.Name() as k, ast.Name(id=v)]), ast.Call(
                    func=ast.Attribute(value=ast.Name(id=of) as held, attr="items"), args=[]
                ):
                    put = Entries(v, of, k.id)
                    key, item = put.visit(key), put.visit(item)
                    for other in generators:
                        other.ifs = [put.visit(test) for test in other.ifs]
                        other.iter = other.iter if other is g else put.visit(other.iter)
                    g.target, g.iter = k, held
        targets = {x.id for g in generators for x in ast.walk(g.target) if isinstance(x, ast.Name)}
        own = {p.arg for p in parameters(self.function)}
        clash = targets if not only_in_loops(self.function, targets - own) else targets & own
        renamed = {n: self.free(n) for n in sorted(clash)}
        for n in (key, item, *generators) if renamed else ():
            for x in ast.walk(n):
                if isinstance(x, ast.Name) and x.id in renamed:
                    x.id = renamed[x.id]
                if isinstance(x, ast.expr):
                    x.made = True  # type: ignore[attr-defined]
        body: ast.stmt = made(ast.Assign([entry(name, key, ast.Store(), s)], self.visit(item)), s)
        for g in reversed(generators):
            for test in reversed(g.ifs):
                body = made(ast.If(self.visit(test), [body], []), s)
            body = made(ast.For(g.target, self.visit(g.iter), [body], []), s)
        return body

    def added(self, name: str, key: ast.expr, value: ast.expr, s: ast.stmt) -> ast.stmt:
        """`if key not in d: d[key] = value`"""
        test = made(ast.Compare(copied(key), [ast.NotIn()], [made(ast.Name(name, ast.Load()), s)]), s)
        put = made(ast.Assign([entry(name, key, ast.Store(), s)], self.visit(value)), s)
        return made(ast.If(test, [put], []), s)

    def got(self, name: str, key: ast.expr, default: ast.expr, like: ast.AST) -> ast.expr:
        """`d[key] if key in d else default`"""
        test = made(ast.Compare(copied(key), [ast.In()], [made(ast.Name(name, ast.Load()), like)]), like)
        return made(ast.IfExp(test, entry(name, key, ast.Load(), like), copied(default)), like)

    def added_to(self, s: ast.Assign, name: str, key: ast.expr) -> ast.Call | None:
        """The `d.get(key, 0.0)` of `d[key] = d.get(key, 0.0) + e`, where nothing else is asked of the dict."""
        first = s.value
        while isinstance(first, ast.BinOp):
            first = first.left
        match first:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=own), attr="get"),
                args=[asked, ast.Constant(value=int() | float())],
            ) if own == name and first is not s.value and ast.dump(asked) == ast.dump(key):
                once = sum(isinstance(n, ast.Name) and n.id == name for n in ast.walk(s)) == 2
                return first if once and not has_effects(key, self.functions) else None
        return None

    def read_first(self, s: ast.stmt, part: ast.expr | None = None) -> Iterator[ast.stmt]:
        """A `defaultdict` gets an entry where it is asked for one that it does not have. part: what is evaluated."""
        skipped = evaluated_late(s if part is None else part)
        for n in list(ast.walk(s if part is None else part)):
            match n:
                case ast.Subscript(value=ast.Name(id=name), slice=key, ctx=ast.Load()) if (
                    name in self.defaults.keys() - self.counts
                ):
                    if id(n) not in skipped | self.present and not has_effects(key, self.functions):
                        yield self.added(name, key, self.defaults[name], s)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=key, ctx=ast.Load()) if name in self.counts:
                if id(node) not in self.present:
                    return self.got(name, key, self.defaults[name], node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if (d := chosen_by_values(node)) is not None and d.id in self.names:
            node.args = [keys_of(d.id, d)]
            return node
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="get"), args=[key, *rest]) if (
                name in self.names and not any(has_effects(e, self.functions) for e in node.args)
            ):
                return self.got(name, key, rest[0] if rest else made(ast.Constant(None), node), node)
            case ast.Call(
                func=ast.Name(id="sum" | "list" | "max" | "min" | "sorted") as func,
                args=[
                    ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="values"), args=[], keywords=[]),
                    *rest,
                ],
                keywords=[],
            ) if name in self.names:
                k = self.free("k")
                each = expression(f"[{name}[{k}] for {k} in list({name})]", node)
                if func.id == "list":
                    return each
                return made(ast.Call(func, [each, *rest], []), node)
        return node


def evaluated_late(node: ast.AST) -> set[int]:
    """The parts of a statement that it evaluates often, or not always."""
    late = ast.Lambda | ast.IfExp | ast.BoolOp | ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
    return {id(x) for n in ast.walk(node) if isinstance(n, late) for x in ast.walk(n)}


def asked_late(nodes: list[ast.AST], names: set[str]) -> set[str]:
    """The `defaultdict`s that may get an entry where no statement can add it first: in a comprehension, behind `and`,
    in the test of a loop, or in what a loop runs over."""
    late: set[int] = set()
    present: set[int] = set()
    for n in nodes:
        match n:
            case ast.For(iter=it):
                late |= {id(x) for x in ast.walk(it)}
                present |= read_under_own_keys(n)
            case ast.comprehension():
                pass
            case ast.While(test=test):
                late |= {id(x) for x in ast.walk(test)}
            case ast.stmt():
                late |= evaluated_late(n)
            case ast.ListComp() | ast.GeneratorExp() | ast.DictComp() | ast.SetComp():
                present |= read_under_own_keys(n)
    return {
        n.value.id
        for n in nodes
        if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and isinstance(n.ctx, ast.Load)
        if n.value.id in names and id(n) in late - present
    }


def read_under_own_keys(loop: ast.For | ast.ListComp | ast.GeneratorExp | ast.DictComp | ast.SetComp) -> set[int]:
    """The entries that a loop over the keys of a dict reads under its variable: they are there."""
    first, parts = (loop, [*loop.body]) if isinstance(loop, ast.For) else (loop.generators[0], [loop])
    match first.target, first.iter:
        case ast.Name(id=k), (
            ast.Name(id=d)
            | ast.Call(func=ast.Name(id="list" | "sorted" | "reversed"), args=[ast.Name(id=d)])
            | ast.Call(func=ast.Attribute(value=ast.Name(id=d), attr="keys"))
        ):
            inside = [n for s in parts for n in ast.walk(s) if n is not first.target]
            if {k, d} & bound_names(inside):
                return set()
            return {
                id(n)
                for n in inside
                if isinstance(n, ast.Subscript)
                and is_entry_of(n, d)
                and isinstance(n.slice, ast.Name)
                and n.slice.id == k
            }
    return set()


def replaced(e: ast.expr, old: ast.expr, new: ast.expr) -> ast.expr:
    """An expression with another one in place of its first operand."""
    if e is old:
        return new
    assert isinstance(e, ast.BinOp)
    return made(ast.BinOp(replaced(e.left, old, new), e.op, e.right), e)


def free(wish: str, taken: set[str]) -> str:
    while wish in taken:
        wish += "_"
    taken.add(wish)
    return wish


def copied(e: ast.expr) -> ast.expr:
    new = copy.deepcopy(e)
    for n in ast.walk(new):
        if isinstance(n, ast.expr):
            n.made = True  # type: ignore[attr-defined]
    return new


def entry(name: str, key: ast.expr | str, ctx: ast.expr_context, like: ast.AST) -> ast.Subscript:
    array = made(ast.Name(name, ast.Load()), like)
    at = made(ast.Name(key, ast.Load()), like) if isinstance(key, str) else copied(key)
    return made(ast.Subscript(array, at, ctx), like)


def listed(e: ast.expr) -> ast.expr:
    """`list(d[a])`"""
    call = made(ast.Call(made(ast.Name("list", ast.Load()), e), [copied(e)], []), e)
    call.of_dict = True  # type: ignore[attr-defined]
    return call


def key_of(k: str, like: ast.AST) -> ast.expr:
    return made(ast.Name(k, ast.Load()), like)


def keys_of(name: str, like: ast.AST) -> ast.expr:
    """`list(d)` of a dict."""
    e = expression(f"list({name})", like)
    e.of_dict = True  # type: ignore[attr-defined]
    return e


def over_keys(k: str, name: str, like: ast.AST) -> ast.comprehension:
    """`for k in d` of a comprehension."""
    return ast.comprehension(made(ast.Name(k, ast.Store()), like), made(ast.Name(name, ast.Load()), like), [], 0)


def number(n: int, like: ast.AST) -> ast.expr:
    return made(ast.Constant(n), like)


def loop_over(k: str, it: ast.expr, place: ast.Subscript, value: ast.expr, like: ast.stmt) -> ast.For:
    step = made(ast.Assign([place], value), like)
    return made(ast.For(made(ast.Name(k, ast.Store()), like), it, [step], []), like)


__all__ = ["mark", "write_out"]
