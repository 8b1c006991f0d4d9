"""Functions that call themselves and append to a list that they are given: the items that they append are their result.

    def walk(x, n, out):                def _walk(x, n):
        if n == 0:                          out = []
            return                          if n == 0:
        out.append(x**n)                        return out
        walk(0.9 * x, n - 1, out)           out.append(x**n)
                                            out.extend(_walk(0.9 * x, n - 1))
                                            return out

    walk(x, n, found)                   found.extend(_walk(x, n))

Only where nothing else is done with the list, and no call uses what the function returns. Other functions that change a
list stand in the place of their calls (`methods`).
"""

from __future__ import annotations

import ast
import copy

from s2s.frontend.text.names import Made, ModuleNames
from s2s.frontend.text.scopes import body_nodes, every_block, parameters
from s2s.frontend.text.source import made

ADDING = ("append", "extend")


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the body of a function."""
    nested = {s.name: s for s in function.body if isinstance(s, ast.FunctionDef)}
    for inner in nested.values():
        for captured in sorted(appended(inner)):
            collect_nested(function, inner, captured)
    for block in every_block(function.body):
        for i, s in enumerate(block):
            match s:
                case ast.Expr(value=ast.Call(func=ast.Name(id=name)) as call) if (
                    name in names.functions and name not in nested and name != function.name
                ):
                    block[i] = extended(s, call, names.functions[name], names)


def extended(s: ast.Expr, call: ast.Call, callee: ast.AST, names: ModuleNames) -> ast.stmt:
    """`walk(x, n, found)` as `found.extend(_walk(x, n))`."""
    if not isinstance(callee, ast.FunctionDef) or callee.decorator_list or not calls_itself(callee):
        return s
    for name in sorted(appended(callee) & {p.arg for p in parameters(callee)}):
        given = taken_out(call, callee, name)
        if given is None or not is_collector(callee, name) or not only_called(callee, name, names):
            continue
        key = ("collected", callee.name, name)
        if key not in names.keys:
            names.keys[key] = own = names.new_name(f"_{callee.name}")
            node = copy.deepcopy(callee)
            node.name = own
            node.args.posonlyargs = [p for p in node.args.posonlyargs if p.arg != name]
            node.args.args = [p for p in node.args.args if p.arg != name]
            collect(node, name, name, callee)
            names.add(own, Made(node, {}, names.notes_of(callee.name), ast.get_docstring(callee, clean=False) or ""))
        inner, held = given
        others = [*inner.args, *(k.value for k in inner.keywords)]
        if any(isinstance(a, ast.Name) and isinstance(held, ast.Name) and a.id == held.id for a in others):
            continue  # it is read under another name
        inner.func = made(ast.Name(names.keys[key], ast.Load()), call.func)
        return added(held, inner, s)
    return s


def collect_nested(function: ast.FunctionDef, inner: ast.FunctionDef, name: str) -> None:
    """The same of a function inside another one, which appends to a list of that."""
    own = {p.arg for p in parameters(inner)}
    calls = [n for s in function.body for n in ast.walk(s) if is_call_of(n, inner.name)]
    statements = [
        n.value
        for s in function.body
        for n in ast.walk(s)
        if isinstance(n, ast.Expr) and is_call_of(n.value, inner.name)
    ]
    mentions = [n for s in function.body for n in ast.walk(s) if isinstance(n, ast.Name) and n.id == inner.name]
    alone = len(calls) == len(statements) == len(mentions)
    if name in own or not alone or not calls_itself(inner) or inner.decorator_list or not is_collector(inner, name):
        return
    if any(isinstance(n, ast.Nonlocal | ast.Global) for n in ast.walk(inner)):
        return
    values = [n.value for n in body_nodes(function) if isinstance(n, ast.Assign)]
    if any(isinstance(e, ast.Name) and e.id == name for e in values):  # it may be read under another name
        return
    taken = {n.id for s in function.body for n in ast.walk(s) if isinstance(n, ast.Name)}
    local = f"{name}_here"
    while local in taken:
        local += "_"
    collect(inner, name, local, inner)
    for block in every_block(function.body):
        for i, s in enumerate(block):
            if isinstance(s, ast.Expr) and isinstance(s.value, ast.Call) and is_call_of(s.value, inner.name):
                block[i] = added(made(ast.Name(name, ast.Load()), s), s.value, s)


def appended(function: ast.FunctionDef) -> set[str]:
    """The names of lists to which a function appends."""
    return {
        n.func.value.id
        for n in body_nodes(function)
        if isinstance(n, ast.Call)
        if isinstance(n.func, ast.Attribute) and n.func.attr in ADDING and isinstance(n.func.value, ast.Name)
    }


def is_call_of(n: ast.AST, name: str) -> bool:
    return isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == name


def calls_itself(function: ast.FunctionDef) -> bool:
    return any(is_call_of(n, function.name) for n in body_nodes(function))


def is_collector(function: ast.FunctionDef, name: str) -> bool:
    """Whether a function appends to a list, hands it to itself, and does nothing else with it; it returns nothing."""
    known: set[int] = set()
    params = {p.arg for p in parameters(function)}
    nodes = body_nodes(function)
    for n in nodes:
        match n:
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Name(id=own) as held, attr=attr), args=[_], keywords=[])
            ) if own == name and attr in ADDING:
                known.add(id(held))
            case ast.AugAssign(target=ast.Name(id=own) as held, op=ast.Add(), value=ast.List()) if own == name:
                known.add(id(held))
            case ast.Expr(value=ast.Call() as call) if is_call_of(call, function.name) and name in params:
                given = taken_out(call, function, name)
                if given is None or not isinstance(given[1], ast.Name) or given[1].id != name:
                    return False
                known.add(id(given[1]))
            case ast.Return(value=value) if value is not None and not is_none(value):
                return False
            case ast.Yield() | ast.YieldFrom() | ast.FunctionDef() | ast.Lambda() | ast.Try():
                return False
    calls = [n for n in nodes if is_call_of(n, function.name)]
    statements = [n for n in nodes if isinstance(n, ast.Expr) and is_call_of(n.value, function.name)]
    mentions = [n for n in nodes if isinstance(n, ast.Name) and n.id == name]
    return len(calls) == len(statements) and all(id(n) in known for n in mentions)


def is_none(e: ast.expr) -> bool:
    return isinstance(e, ast.Constant) and e.value is None


def only_called(callee: ast.FunctionDef, name: str, names: ModuleNames) -> bool:
    """Whether each call in the module hands it a list by its name, and uses nothing of what it returns."""
    for f in names.functions.values():
        every = list(ast.walk(f))
        statements = [n.value for n in every if isinstance(n, ast.Expr) and is_call_of(n.value, callee.name)]
        mentions = sum(isinstance(n, ast.Name) and n.id == callee.name for n in every)
        if mentions != len(statements):
            return False
    return True


def taken_out(call: ast.Call, callee: ast.FunctionDef, name: str) -> tuple[ast.Call, ast.expr] | None:
    """A call without the argument for a parameter, and that argument; None where it has no name of its own."""
    if any(isinstance(a, ast.Starred) for a in call.args) or not all(k.arg for k in call.keywords):
        return None
    order = [p.arg for p in (*callee.args.posonlyargs, *callee.args.args)]
    if name not in order:
        return None
    at = order.index(name)
    args, keywords = list(call.args), list(call.keywords)
    given: ast.expr | None = None
    if at < len(args):
        given = args.pop(at)
        late = args[at:] if at < len(args) else []
        if late and len(call.args) > len(order):
            return None
    else:
        found = [k for k in keywords if k.arg == name]
        if len(found) == 1:
            given = found[0].value
            keywords.remove(found[0])
    if not isinstance(given, ast.Name):
        return None
    return made(ast.Call(call.func, args, keywords), call), given


def collect(function: ast.FunctionDef, name: str, local: str, old: ast.FunctionDef) -> None:
    """Changes a function: the list is its own, and its result. old: what its calls of itself call."""
    first = 1 if ast.get_docstring(function, clean=False) is not None else 0
    like = function.body[first] if first < len(function.body) else function.body[0]
    for block in every_block(function.body):
        for i, s in enumerate(block):
            match s:
                case ast.Expr(value=ast.Call() as call) if is_call_of(call, old.name):
                    given = taken_out(call, old, name)
                    inner = given[0] if given is not None else call
                    inner.func = made(ast.Name(function.name, ast.Load()), call.func)
                    block[i] = added(made(ast.Name(local, ast.Load()), s), inner, s)
                case ast.Return():
                    s.value = made(ast.Name(local, ast.Load()), s)
    for n in body_nodes(function):
        if isinstance(n, ast.Name) and n.id == name:
            n.id = local
    empty = made(ast.Assign([made(ast.Name(local, ast.Store()), like)], made(ast.List([], ast.Load()), like)), like)
    function.body.insert(first, empty)
    if not isinstance(function.body[-1], ast.Return):
        last = function.body[-1]
        function.body.append(made(ast.Return(made(ast.Name(local, ast.Load()), last)), last))


def added(held: ast.expr, items: ast.expr, like: ast.stmt) -> ast.stmt:
    """`held.extend(items)`"""
    func = made(ast.Attribute(held, "extend", ast.Load()), like)
    return ast.copy_location(ast.Expr(made(ast.Call(func, [items], []), like)), like)


__all__ = ["write_out"]
