"""Whether what a statement calls may be called in another order: a call that gets a name is evaluated first.

out.update(extra(x))                    more = extra(x)
                                        out.update(more)
"""

from __future__ import annotations

import ast
import re

from s2s.frontend.rewrites.draws import draws
from s2s.frontend.rewrites.objects import affects
from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.function_bodies import has_effects
from s2s.frontend.text.names import BUILTINS, METHODS, ModuleNames
from s2s.frontend.text.scopes import walk
from s2s.rules import effects

READING = frozenset(["get", "items", "keys", "values"])
IN_SIGHT = re.compile("__(init|post_init|new|call|enter|exit|i[a-z]+|set[a-z]+|del[a-z]*)__")


def is_quiet(e: ast.AST, names: ModuleNames) -> bool:
    """Whether what an expression, or a statement without blocks, calls surely changes nothing and draws nothing:
    functions of the module, those of modules that are imported, and methods of arrays."""
    classes = names.classes.values()
    if any(acts_unseen(cls, names) for cls in classes):
        return False
    for n in walk(e):
        match n:
            case ast.Call(func=ast.Name(id=name)):
                callee = names.functions.get(name)
                if isinstance(callee, ast.FunctionDef):
                    if draws(callee, names.functions):
                        return False
                elif name not in BUILTINS and name not in names.imports.names:
                    return False
            case ast.Call(func=ast.Attribute(attr=attr) as func):
                root: ast.expr = func
                while isinstance(root, ast.Attribute):
                    root = root.value
                module = isinstance(root, ast.Name) and root.id in names.imports.names
                if attr in effects.DRAWS or not (module or attr in METHODS or attr in READING or attr == "update"):
                    return False
                if not module and any(attr in c.methods and affects(c.methods[attr], names) for c in classes):
                    return False  # an object's own `get` or `mean`
            case ast.Call():
                return False
    parts = [e] if isinstance(e, ast.expr) else [c for c in ast.iter_child_nodes(e) if isinstance(c, ast.expr)]
    return not any(has_effects(without_update(c), names.functions) for c in parts)


def acts_unseen(cls: ClassInfo, names: ModuleNames) -> bool:
    """Whether something else than a call changes objects of a class: to read a property, or to add one to another."""
    read = {*cls.properties, *cls.getters.values()}
    unseen = (n for n in cls.methods if n in read or (n.startswith("__") and not IN_SIGHT.fullmatch(n)))
    return any(affects(cls.methods[n], names) for n in unseen)


def without_update(e: ast.expr) -> ast.expr:
    """What `d.update(...)` is given, which is evaluated before anything changes."""
    match e:
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr="update"), args=[given], keywords=[]):
            return given
    return e


__all__ = ["is_quiet"]
