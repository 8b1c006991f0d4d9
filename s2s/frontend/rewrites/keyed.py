"""Dicts under keys that are known when the function runs, as Python's text: what reads, stores and asks for an entry,
and how entries, lists of keys and loops over them are written."""

from __future__ import annotations

import ast
import copy
from collections.abc import Container, Iterator, Mapping

from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import body_nodes, bound_names, children, is_bound, parameters, walk
from s2s.frontend.text.source import expression, made, put

VIEWS = frozenset(["items", "keys", "values"])


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


def is_name(n: ast.AST, name: str) -> bool:
    return isinstance(n, ast.Name) and n.id == name


def is_list_of_keys(it: ast.expr, name: str) -> bool:
    return has_each_once(it) and isinstance(it, ast.Call) and any(is_name(a, name) for a in it.args)


def has_each_once(it: ast.expr) -> bool:
    """Whether a loop runs over the keys of a dict: what stands there for keys may be a list, which has some twice."""
    return bool(getattr(it, "of_dict", False)) and bool(getattr(it, "each_once", True))


def is_one_of(n: ast.AST | None, names: Container[str]) -> bool:
    return isinstance(n, ast.Name) and n.id in names


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


def is_entry_of(n: ast.Subscript, name: str) -> bool:
    return isinstance(n.value, ast.Name) and n.value.id == name


def is_put(n: ast.Subscript) -> bool:
    return isinstance(n.ctx, ast.Store)


def list_read(e: ast.expr) -> str:
    """The list of which an expression reads an item: `L[k]`, `L.pop()`."""
    match e:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="pop")):
            return name
        case ast.Subscript(value=ast.Name(id=name), slice=key) if not isinstance(key, ast.Slice):
            return name
    return ""


def keys_from(e: ast.AST) -> ast.expr | None:
    """What has the keys that `dict.fromkeys(d, 0.0)` gives its value."""
    match e:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="dict"), attr="fromkeys"), args=[of, _], keywords=[]):
            return of
    return None


def item_over(it: ast.expr) -> ast.expr:
    """What a loop binds to its variable: an item of the list that it runs over, from either end."""
    of = it.args[0] if isinstance(it, ast.Call) and ast.unparse(it.func) == "reversed" and it.args else it
    return made(ast.Subscript(of, made(ast.Constant(0), it), ast.Load()), it) if isinstance(of, ast.Name) else it


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


def in_order(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a tree as they stand in the text."""
    yield node
    for child in ast.iter_child_nodes(node):
        yield from in_order(child)


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


MAKE_NEW = ("_unbroadcast", "_added", "_zeros_like")  # of `s2s.helpers`: what they give shares nothing with arguments


def is_alone(function: ast.FunctionDef, name: str, module: ModuleNames, depth: int = 3) -> bool:
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
            case ast.Attribute(attr="get"):
                known = isinstance(call := parents[up], ast.Call) and call.func is up
            case ast.Call(func=ast.Name(id=called)) if called in MAKE_NEW and called not in own:
                known = module.carries(called)
            case ast.Call(func=ast.Name(id=called), args=args) if (
                n in args and called not in own and isinstance(helper := module.functions.get(called), ast.FunctionDef)
            ):
                names = [p.arg for p in (*helper.args.posonlyargs, *helper.args.args)]
                k = args.index(n)
                plain = not any(isinstance(a, ast.Starred) for a in args) and k < len(names)
                known = plain and depth > 0 and is_alone(helper, names[k], module, depth - 1)
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
        case ast.Call(func=ast.Name(id="reversed")) if isinstance(e, ast.Name):
            return reads_at_once(parents[up], up, parents, name)
        case ast.Call():
            return is_reader(up)
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[other]):
            return other is e
    return False


def names_in(node: ast.AST) -> Iterator[ast.Name]:
    return (n for n in ast.walk(node) if isinstance(n, ast.Name))


def is_reader(e: ast.AST) -> bool:
    return isinstance(e, ast.Call) and isinstance(e.func, ast.Name) and e.func.id in READERS


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


def name_key(s: ast.AugAssign, place: ast.Subscript, own: str, key: ast.expr | None = None) -> ast.stmt:
    """`d[f(x)] += e` as `d[key] += e` behind `key = f(x)`, which this returns: what gives the key is called once, and
    before what lies there is read. key: a part of it, `len(c)` of `x[: len(c)]`."""
    key = key or place.slice
    up = next(n for n in walk(place) if any(c is key for c in children(n)))
    put(up, key, made(ast.Name(own, ast.Load()), key))
    return made(ast.Assign([made(ast.Name(own, ast.Store()), key)], key), s)


def parts_of_key(key: ast.expr) -> list[ast.expr]:
    """What is calculated for a key: the ends and steps of slices, one by one."""
    match key:
        case ast.Slice():
            return [e for e in (key.lower, key.upper, key.step) if e is not None]
        case ast.Tuple(elts=elts):
            return [part for e in elts for part in parts_of_key(e)]
    return [key]


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
