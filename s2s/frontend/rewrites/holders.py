"""Dicts and lists that are attributes of an object which is made here, and used by its attributes only: they get names.

    log = Log()                                 log = Log()
    log.data = {}                               log_data = {}
    log.data["x"] = [x]                         log_data["x"] = [x]

    stack = Stack()                             stack = Stack()
    stack.items = []                            stack_items = []
    y = stack.items.pop()                       y = stack_items.pop()

So do dicts, deques, and lists that lose items, get them elsewhere than at their end, or get them in a list inside, or
objects of several classes: what is done with those that have names is followed (`journals`, `numbered`, `filled`,
`takes`, `rows`, `mixed`), and the object holds what is left. Its constructor and its methods are written out by then
(`methods`). A new object that an attribute is bound to, or a list of them, has its name already:

    net.layers = layers                         for layer in layers:
    for layer in net.layers:                        ...

    trainer.model = model                       model.w = model.w - step
    trainer.model.w = trainer.model.w - step
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from s2s.frontend.rewrites import rows
from s2s.frontend.rewrites.makers import maker
from s2s.frontend.rewrites.takes import is_deque, makes_list, resized
from s2s.frontend.text.bindings import root_of
from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.literals import folded
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.origins import is_none
from s2s.frontend.text.scopes import body_nodes, children, every_block, is_bound, new_name, parameters, walk
from s2s.frontend.text.source import made, put


def write_out(function: ast.FunctionDef, module: ModuleNames) -> bool:
    """Changes the body of a function; whether there was such a dict."""
    found = False
    while _name_parts(function, module):  # what is in a part has a name of its own then
        found = True
    if found:
        function.body[:] = folded(function.body)
    return found


def _name_parts(function: ast.FunctionDef, module: ModuleNames) -> bool:
    nodes = body_nodes(function)
    held: dict[tuple[str, str], list[ast.expr | None]] = {}
    for n in nodes:
        match n:
            case (
                ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name), attr=attr)], value=value)
                | ast.AnnAssign(target=ast.Attribute(value=ast.Name(id=name), attr=attr), value=value)
            ):
                held.setdefault((name, attr), []).append(value)
    lists = {(n.value.id, n.attr) for n in map(losing, nodes) if n is not None and isinstance(n.value, ast.Name)}
    lists |= of_several_kinds(nodes, module)
    held = {
        p: values
        for p, values in held.items()
        if all(v is not None and (is_part(v, module) or (p in lists and makes_list(v, ""))) for v in values)
        or name_of_new(values, nodes, module)
        or (len(values) == 1 and is_none(values[0]))
    }
    if not held:
        return False
    parents = {c: n for s in function.body for n in walk(s) for c in children(n)}
    bound = Counter(n.id for n in parents if isinstance(n, ast.Name) and is_bound(n))
    whole = {p.arg for p in parameters(function)} | {n for n, count in bound.items() if count > 1}
    own = set(nodes)
    uses: dict[tuple[str, str], list[ast.Attribute]] = {}
    for n in parents:
        if not isinstance(n, ast.Name) or (is_bound(n) and is_empty(parents[n])):
            continue
        up = parents[n]
        if n not in own or not isinstance(up, ast.Attribute) or is_called(up, parents[up]):
            whole.add(n.id)
        elif (n.id, up.attr) in held:
            uses.setdefault((n.id, up.attr), []).append(up)
    taken = {n.id for n in parents if isinstance(n, ast.Name)} | {p.arg for p in parameters(function)}
    found = False
    for (name, attr), places in uses.items():
        stores = sum(not isinstance(n.ctx, ast.Load) for n in places)
        if name in whole or stores != len(held[name, attr]):
            continue
        if is_none(held[name, attr][0]):
            put_none(function, places, parents)
            return True
        own_name = name_of_new(held[name, attr], nodes, module)
        if own_name:
            stored = cast(ast.stmt, next(parents[n] for n in places if not isinstance(n.ctx, ast.Load)))
            block = next(b for b in every_block(function.body) if stored in b)
            first = next((s for s in block if is_binding(s, own_name)), stored)
            between = block[block.index(first) : block.index(stored)]
            if bound[own_name] > 1 or not between or any(n in places for s in between for n in walk(s)):
                continue
            block.remove(stored)
        found = True
        own_name = own_name or new_name(taken, f"{name}_{attr}")
        for n in places:
            up = parents[n]
            new: ast.expr = made(ast.Name(own_name, n.ctx), n)
            if (op := asked(n, up)) is not None and name_of_new(held[name, attr], nodes, module):
                put(parents[up], up, made(ast.Constant(isinstance(op, ast.IsNot)), n))
                continue
            put(up, n, new)
            if isinstance(up, ast.AnnAssign):
                up.simple = 1
    return found


def asked(n: ast.AST, up: ast.AST) -> ast.cmpop | None:
    """How an expression asks whether something is None: `is`, or `is not`."""
    match up:
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() as op], comparators=[other]):
            return op if left is n and is_none(other) else None
    return None


def put_none(function: ast.FunctionDef, places: Sequence[ast.Attribute], parents: Mapping[ast.AST, ast.AST]) -> None:
    """An attribute that is None throughout: tests are decided, and its binding is left out."""
    for n in places:
        up = parents[n]
        if isinstance(up, ast.stmt) and not isinstance(n.ctx, ast.Load):
            block = next(b for b in every_block(function.body) if up in b)
            block.remove(up)
            if not block:
                block.append(made(ast.Pass(), n))
        elif (op := asked(n, up)) is not None:
            put(parents[up], up, made(ast.Constant(isinstance(op, ast.Is)), n))
        else:
            put(up, n, made(ast.Constant(None), n))


def is_binding(s: ast.stmt, name: str) -> bool:
    return isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name) and s.targets[0].id == name


def name_of_new(values: Sequence[ast.expr | None], nodes: list[ast.AST], module: ModuleNames) -> str:
    """The name of a new object, or a list of them, some of which other objects hold, to which an attribute is bound,
    once as the name is; "" for anything else."""
    match values:
        case [ast.Name(id=name)]:
            pass
        case _:
            return ""
    bound = [n for n in nodes if isinstance(n, ast.Name) and n.id == name and is_bound(n)]
    for s in nodes if len(bound) == 1 else ():
        match s:
            case ast.Assign(targets=[target], value=ast.ListComp(elt=item)) if target is bound[0]:
                items = [item]
            case ast.Assign(targets=[target], value=ast.List(elts=items)) if target is bound[0]:
                pass
            case ast.Assign(targets=[target], value=ast.Call() as item) if target is bound[0]:
                items = [item]
            case _:
                continue
        made_of = [e.func.id for e in items if isinstance(e, ast.Call) and isinstance(e.func, ast.Name)]
        held = [e for e in items if isinstance(e, ast.Attribute) and isinstance(e.value, ast.Name)]
        known = len(made_of) + len(held) == len(items) and {*made_of} <= module.classes.keys()
        return name if items and known else ""
    return ""


def is_dict(value: ast.expr, module: ModuleNames) -> bool:
    """Whether a value is a dict that is made there."""
    match value:
        case ast.Dict() | ast.DictComp() | ast.Call(func=ast.Name(id="dict")):
            return True
        case ast.Call(func=func):
            return bool(maker(func, module))
    return False


def is_part(value: ast.expr, module: ModuleNames) -> bool:
    """Whether a value is a dict, or a deque, that is made there."""
    return is_dict(value, module) or is_deque(value, module.imports.names)


def losing(n: ast.AST) -> ast.Attribute | None:
    """The attribute that is a list which a node changes elsewhere than at its end, or in which it changes a list."""
    changed = resized(n)
    if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in rows.CHANGES:
        changed = n.func.value if isinstance(n.func.value, ast.Subscript) else changed
    while isinstance(changed, ast.Subscript):
        changed = changed.value
    return changed if isinstance(changed, ast.Attribute) else None


def of_several_kinds(nodes: list[ast.AST], module: ModuleNames) -> set[tuple[str, str]]:
    """The attributes, each with the name of its object, that are lists to which new objects of several classes, or
    functions, are appended."""
    values: dict[str, list[ast.expr]] = {}
    for n in nodes:
        if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name):
            values.setdefault(n.targets[0].id, []).append(n.value)
    nested = {n.name for n in nodes if isinstance(n, ast.FunctionDef)}
    functions = nested | {n for n, f in module.functions.items() if isinstance(f, ast.FunctionDef)}

    def is_function(e: ast.expr) -> bool:
        return isinstance(e, ast.Lambda) or (isinstance(e, ast.Name) and e.id in functions)

    found: dict[tuple[str, str], set[str]] = {}
    of_functions: set[tuple[str, str]] = set()
    for n in nodes:
        match n:
            case ast.Call(
                func=ast.Attribute(value=ast.Attribute(value=ast.Name(id=name), attr=attr), attr="append"), args=[item]
            ):
                made_of = values.get(item.id, []) if isinstance(item, ast.Name) else [item]
                called = {e.func.id for e in made_of if isinstance(e, ast.Call) and isinstance(e.func, ast.Name)}
                found.setdefault((name, attr), set()).update(called & module.classes.keys())
                if is_function(item) or any(map(is_function, made_of)):
                    of_functions.add((name, attr))
    return of_functions | {path for path, classes in found.items() if len(classes) > 1}


def gets_several(function: ast.FunctionDef, call: ast.Call, module: ModuleNames) -> bool:
    """Whether an object that a call makes has such a list."""
    nodes = body_nodes(function)
    owners = {name for name, _ in of_several_kinds(nodes, module)}
    return any(isinstance(n, ast.Assign) and n.value is call and owners & {*names_of(n.targets)} for n in nodes)


def names_of(targets: list[ast.expr]) -> Iterator[str]:
    return (t.id for t in targets if isinstance(t, ast.Name))


def holds_part(cls: ClassInfo, function: ast.FunctionDef, module: ModuleNames) -> bool:
    """Whether a constructor gives an attribute such a dict, or such a list."""
    assert cls.init is not None
    assigned = [n for n in walk(cls.init) if isinstance(n, ast.Assign | ast.AnnAssign) and n.value is not None]
    if any(is_part(n.value, module) for n in assigned if n.value is not None):
        return True
    if not any(makes_list(n.value, "") for n in assigned if n.value is not None):
        return False
    texts = [*cls.methods.values(), *(f for f in module.functions.values() if isinstance(f, ast.FunctionDef)), function]
    return any(losing(n) is not None for text in texts for n in walk(text))


def is_given_part(cls: ClassInfo, call: ast.Call, function: ast.FunctionDef, module: ModuleNames) -> bool:
    """Whether an object is given a new list which loses items as its attribute, or another new object that is changed,
    and is used by its attributes."""
    assert cls.init is not None
    nodes = body_nodes(function)
    lists = {changed.attr for n in nodes if (changed := losing(n)) is not None}
    params = [p.arg for p in parameters(cls.init)][1:]
    given = [*zip(params, call.args, strict=False), *((o.arg, o.value) for o in call.keywords)]
    kept = {
        n.value.id: n.targets[0].attr
        for n in body_nodes(cls.init)
        if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Attribute) and isinstance(n.value, ast.Name)
    }
    held = [(kept[p], value) for p, value in given if p in kept]
    new = {attr for attr, value in held if makes_list(value, "")}
    owners = {part for n in nodes if isinstance(n, ast.Attribute) and is_stored(n) for part in places_in(n.value)}
    objects = {attr for attr, value in held if name_of_new([value], nodes, module) and {attr, root_of(value)} & owners}
    return bool(lists & new | objects) and is_used_by_parts(function, call)


def places_in(e: ast.expr) -> Iterator[str]:
    """The name and the attributes that a path goes through."""
    while isinstance(e, ast.Attribute | ast.Subscript):
        if isinstance(e, ast.Attribute):
            yield e.attr
        e = e.value
    if isinstance(e, ast.Name):
        yield e.id


def is_stored(n: ast.Attribute) -> bool:
    return not isinstance(n.ctx, ast.Load)


def is_used_by_parts(function: ast.FunctionDef, call: ast.Call) -> bool:
    """Whether an object that a call makes gets one name, which is bound once, and is used by attributes and methods."""
    names = [
        n.targets[0].id
        for n in body_nodes(function)
        if isinstance(n, ast.Assign) and n.value is call and isinstance(n.targets[0], ast.Name)
    ]
    every = [n for s in function.body for n in walk(s)]
    parts = {n.value for n in every if isinstance(n, ast.Attribute)}
    uses = [n for n in every if isinstance(n, ast.Name) and n.id in names]
    return bool(names) and sum(n not in parts for n in uses) == 1


def is_empty(s: ast.AST) -> bool:
    """Whether a statement makes an object without attributes, which are assigned next (`methods`)."""
    return isinstance(s, ast.Assign) and getattr(s.value, "empty", False)


def is_called(attribute: ast.Attribute, up: ast.AST) -> bool:
    return isinstance(up, ast.Call) and up.func is attribute
