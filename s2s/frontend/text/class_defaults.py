"""Class attributes that are defaults: objects bind them anew, so that each object has one of its own from the start.

    class Base:                             class Base:
        shift = 0.5                             def __init__(self, w):
                                                    self.shift = 0.5
        def __init__(self, w):                      self.w = w
            self.w = w

    b.shift = x

Numbers and texts, where one constructor makes all objects that have the attribute, and nothing reads it of the class.
"""

from __future__ import annotations

import ast

from s2s.frontend.text.function_bodies import is_docstring
from s2s.frontend.text.scopes import walk
from s2s.frontend.text.source import made


def bind_in_constructors(tree: ast.Module) -> None:
    """Changes the classes of a module."""
    nodes = {s.name: s for s in tree.body if isinstance(s, ast.ClassDef)}
    shown = [
        (node, s, s.targets[0].id)
        for node in nodes.values()
        for s in node.body
        if isinstance(s, ast.Assign) and is_default(s) and isinstance(s.targets[0], ast.Name)
    ]
    if not shown:
        return
    every = [n for n in walk(tree) if isinstance(n, ast.Attribute)]
    stored = {n.attr for n in every if not isinstance(n.ctx, ast.Load)}
    of_classes = {n.attr for n in every if isinstance(n.value, ast.Name) and n.value.id in {*nodes, "cls"}}
    of_classes |= {n.attr for n in every if not isinstance(n.value, ast.Name) and "class" in ast.unparse(n.value)}
    for node, s, name in shown:
        family = below(node, nodes)
        init = next((x for x in node.body if isinstance(x, ast.FunctionDef) and x.name == "__init__"), None)
        known = init is not None and init.args.args and not init.decorator_list and not node.decorator_list
        others = [c for c in family if c is not node]
        others += [nodes[b.id] for c in family for b in c.bases if isinstance(b, ast.Name) and b.id in nodes]
        alone = not any(({name, "__init__"} if c in family else {name}) & bound_in(c) for c in others if c is not node)
        inside = [x.args if isinstance(x, ast.FunctionDef) else x for x in node.body]
        read = any(isinstance(n, ast.Name) and n.id == name and n is not s.targets[0] for x in inside for n in walk(x))
        if init is None or not known or not alone or read or name not in stored or name in of_classes:
            continue
        value = made(s.value, init.body[0])
        target = ast.Attribute(made(ast.Name(init.args.args[0].arg, ast.Load()), init.body[0]), name, ast.Store())
        at = 1 if is_docstring(init.body[0]) else 0
        init.body.insert(at, made(ast.Assign([made(target, init.body[0])], value), init.body[0]))
        node.body.remove(s)


def is_default(s: ast.Assign) -> bool:
    """Whether a statement of a class binds one name to a number or a text."""
    value = s.value.operand if isinstance(s.value, ast.UnaryOp) else s.value
    return len(s.targets) == 1 and isinstance(value, ast.Constant)


def below(node: ast.ClassDef, nodes: dict[str, ast.ClassDef]) -> list[ast.ClassDef]:
    """A class, and those that derive from it."""
    found = [node]
    for c in found:
        names = (x for x in nodes.values() if any(isinstance(b, ast.Name) and b.id == c.name for b in x.bases))
        found += [x for x in names if x not in found]
    return found


def bound_in(node: ast.ClassDef) -> set[str]:
    """What a class binds itself."""
    parts = [[n for n in walk(s) if isinstance(n, ast.Name)] for s in node.body if not isinstance(s, ast.FunctionDef)]
    names = {s.name for s in node.body if isinstance(s, ast.FunctionDef)}
    return names | {n.id for part in parts for n in part if isinstance(n.ctx, ast.Store)}
