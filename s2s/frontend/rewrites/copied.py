"""Copies of dict parameters, as comprehensions over their entries.

new = dict(params)                  new = {k: v for k, v in params.items()}
new = {**params, "rate": x}         new = {k: v for k, v in params.items()}
                                    new["rate"] = x
loss(dict(params, rate=x))          new_params = {k: v for k, v in params.items()}
                                    new_params["rate"] = x
                                    loss(new_params)

A parameter that is bound once, to a copy of itself, keeps its name for the dict of the caller:

params = dict(params)               new_params = {k: v for k, v in params.items()}
params["rate"] = x                  new_params["rate"] = x

A dict whose keys the text shows, or that is looped over, is known to the later steps as it is.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Set

from s2s.frontend.rewrites.entries import open_dicts
from s2s.frontend.text.function_bodies import has_effects
from s2s.frontend.text.scopes import body_nodes, bound_names, every_block, is_bound, parameters, read_names
from s2s.frontend.text.source import expression, made


def write_out(function: ast.FunctionDef, functions: Mapping[str, ast.AST]) -> None:
    """Changes the body of a function: what is done already is not done again."""
    nodes = body_nodes(function)
    own = bound_names(nodes)
    params = {p.arg for p in parameters(function)}
    if not any(isinstance(n, ast.expr) and copy_of(n, params) for n in nodes):
        return
    left = open_dicts(function)
    texts = under_texts(nodes)
    taken = own | params | {n for s in function.body for n in read_names(s)}
    for block in every_block(function.body):
        for i, s in reversed(list(enumerate(block))):
            if not isinstance(s, ast.Assign | ast.Expr | ast.Return | ast.AugAssign) or s.value is None:
                continue
            if not has_effects(s.value, functions):
                named = _Named(params - left, taken)
                s = block[i] = named.visit(s)
                block[i:i] = named.before
        for i, s in reversed(list(enumerate(block))):
            match s:
                case ast.Assign(targets=[ast.Name(id=target)]) if found := copy_of(s.value, params):
                    pass
                case _:
                    continue
            name, more = found
            array = isinstance(s.value, ast.Call) and isinstance(s.value.func, ast.Attribute)  # .copy() may be one's
            if name in left or (array and not texts & {target, name}):
                continue
            read = [j for j, value in enumerate(more.values()) if target in read_names(value)]
            if read and (target != name or read != [0]):  # what has been stored under the keys before would be read
                continue
            k, v = free("k", taken), free("v", taken)
            s.value = expression(f"{{{k}: {v} for {k}, {v} in {name}.items()}}", s.value)
            block[i + 1 : i + 1] = [store(target, key, value, s) for key, value in more.items()]


def name_copies(function: ast.FunctionDef) -> None:
    """Changes the body of a function: a parameter that is bound to a copy of itself keeps its name for the dict of the
    caller, where nothing else is bound to that."""
    params = {p.arg for p in parameters(function)}
    for i, s in enumerate(function.body):
        match s:
            case ast.Assign(targets=[ast.Name(id=name)]) if (found := copy_of(s.value, params)) and found[0] == name:
                array = isinstance(s.value, ast.Call) and isinstance(s.value.func, ast.Attribute)
                if not array or name in under_texts(body_nodes(function)):
                    taken = (
                        bound_names(body_nodes(function)) | params | {n for x in function.body for n in read_names(x)}
                    )
                    own_name(function, i, name, taken)


def under_texts(nodes: list[ast.AST]) -> set[str]:
    """The names of what has entries under texts."""
    return {
        n.value.id for n in nodes if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and is_text(n.slice)
    }


def own_name(function: ast.FunctionDef, at: int, name: str, taken: set[str]) -> None:
    """Gives the copy that a statement of the function binds to a parameter a name of its own, where nothing else is
    bound to that, and no function inside of it sees the one or the other."""
    nodes = [n for s in function.body for n in ast.walk(s)]
    bound = sum(isinstance(n, ast.Name) and n.id == name and is_bound(n) for n in nodes)
    inner = (n for n in nodes if isinstance(n, ast.FunctionDef | ast.Lambda | ast.ClassDef))
    others = (
        x for n in nodes for x in (getattr(n, "name", None), getattr(n, "asname", None))
    )  # `except ... as params`
    if bound > 1 or name in others or any(name in read_names(n) for n in inner):
        return
    new = free(f"new_{name}", taken)
    s = function.body[at]
    assert isinstance(s, ast.Assign)
    renamed = [s.targets[0], *(n for later in function.body[at + 1 :] for n in ast.walk(later))]
    for n in renamed:
        if isinstance(n, ast.expr) and name in read_names(n):
            n.made = True  # type: ignore[attr-defined]
    for n in renamed:
        if isinstance(n, ast.Name) and n.id == name:
            n.id = new


class _Named(ast.NodeTransformer):
    """Copies inside of an expression get a name, in a statement before."""

    def __init__(self, params: Set[str], taken: set[str]) -> None:
        self.params, self.taken = params, taken
        self.before: list[ast.stmt] = []

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        whole = isinstance(node.targets[0], ast.Name) and copy_of(node.value, self.params)
        return node if whole else self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        return self.named(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        return self.named(node) if isinstance(node.func, ast.Name) else self.generic_visit(node)

    def left(self, node: ast.AST) -> ast.AST:
        return node  # what is not surely evaluated, or more than once

    visit_Lambda = visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_IfExp = left
    visit_BoolOp = left

    def named(self, node: ast.Dict | ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not (found := copy_of(node, self.params)):
            return node
        name = free(f"new_{found[0]}", self.taken)
        self.taken.add(name)
        target = made(ast.Name(name, ast.Store()), node)
        self.before.append(ast.copy_location(made(ast.Assign([target], node), node), node))
        return made(ast.Name(name, ast.Load()), node)


def copy_of(e: ast.expr, params: Set[str]) -> tuple[str, dict[ast.Constant, ast.expr]] | None:
    """The parameter of which an expression makes a copy, and what stands under further keys."""
    match e:
        case (
            ast.Call(func=ast.Name(id="dict"), args=[ast.Name(id=name)], keywords=options)
            | ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="copy"), args=[], keywords=options)
        ) if name in params and (not options or isinstance(e.func, ast.Name)):
            named = [(o.arg, o.value) for o in options if o.arg is not None]
            return (name, {made(ast.Constant(k), v): v for k, v in named}) if len(named) == len(options) else None
        case ast.Dict(keys=[None, *keys], values=[ast.Name(id=name), *values]) if name in params:
            shown = {k: v for k, v in zip(keys, values, strict=True) if isinstance(k, ast.Constant)}
            return (name, shown) if len(shown) == len(keys) else None
    return None


def is_text(key: ast.expr) -> bool:
    return isinstance(key, ast.Constant) and isinstance(key.value, str)


def store(target: str, key: ast.Constant, value: ast.expr, s: ast.stmt) -> ast.stmt:
    place = ast.Subscript(ast.Name(target, ast.Load()), key, ast.Store())
    return ast.copy_location(made(ast.Assign([made(place, s)], value), s), s)


def free(wish: str, taken: Set[str]) -> str:
    while wish in taken:
        wish += "_"
    return wish
