"""Functions inside of a function that an object is given which is made there, and that it keeps.

    solver = RK4(lambda y: -k * y, h)           solver_f = lambda y: -k * y
                                                solver = RK4(None, h)
    y = solver.step(y)                          y = y + solver.h * solver_f(y)

The text of a method that calls such an attribute stands where the method is called (`methods`), and calls the function
there. Functions of the module that attributes are, `attributes` knows.
"""

from __future__ import annotations

import ast
import copy
from typing import TYPE_CHECKING

from s2s.frontend.text.bindings import root_of
from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import children, every_block, is_bound, names_used, new_name, parameters, walk
from s2s.frontend.text.source import made, put

if TYPE_CHECKING:
    from collections.abc import Mapping

Kept = dict[tuple[str, str], ast.expr]  # by the name of the object, and the attribute


def write_out(function: ast.FunctionDef, module: ModuleNames) -> None:
    """Changes the body of a function, which gets to know what its objects keep: `kept`."""
    if not module.classes:
        return
    nodes = list(walk(function))
    given = {n.arg for n in nodes if isinstance(n, ast.arg)}
    bound = [n.id for n in nodes if isinstance(n, ast.Name) and is_bound(n)]
    bound += [n.name for n in nodes if isinstance(n, ast.FunctionDef) and n is not function]
    functions = {n.name for n in function.body if isinstance(n, ast.FunctionDef) and bound.count(n.name) == 1} - given
    functions |= {  # not in a loop, where a name stands for another one in each round
        n.targets[0].id
        for n in function.body
        if isinstance(n, ast.Assign)
        and isinstance(n.targets[0], ast.Name)
        and isinstance(n.value, ast.Lambda)
        and bound.count(n.targets[0].id) == 1
    } - given
    changed = {(root_of(n.value), n.attr) for n in nodes if isinstance(n, ast.Attribute) and is_stored(n)}
    kept: Kept = {}

    def is_global(name: str, cls: ClassInfo) -> bool:
        """Whether a name is that of a function of the module, and the methods of a class do not ask for it."""
        return name in module.functions and name not in given and name not in bound and not cls.function_attributes

    for block in every_block(function.body):
        for s in list(block):
            match s:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=made_of)) as call) if (
                    made_of in module.classes and bound.count(name) == 1 and made_of not in bound
                ):
                    cls = module.classes[made_of]
                    if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
                        continue
                    if not is_only_asked(function, name):
                        continue
                    for attr, e in given_to(cls, call).items():
                        if (name, attr) in changed:
                            continue
                        if isinstance(e, ast.Lambda):
                            own = new_name(names_used(function), f"{name}_{attr.strip('_')}")
                            first = ast.Assign([made(ast.Name(own, ast.Store()), e)], e)
                            block.insert(block.index(s), ast.copy_location(first, s))
                            kept[name, attr] = made(ast.Name(own, ast.Load()), e)
                        elif isinstance(e, ast.Name) and (e.id in functions or is_global(e.id, cls)):
                            kept[name, attr] = e
                        else:
                            continue
                        without(call, e)
    if kept:
        function.kept = kept  # type: ignore[attr-defined]
        called_by_name(function, kept)


def of(function: ast.FunctionDef) -> Kept:
    found: Kept = getattr(function, "kept", {})
    return found


def called_by_name(function: ast.FunctionDef, kept: Mapping[tuple[str, str], ast.expr]) -> None:
    """`solver.f(y)` as `solver_f(y)`."""
    for up in list(walk(function)):
        for n in children(up):
            match n:
                case ast.Attribute(value=ast.Name(id=name), attr=attr, ctx=ast.Load()) if (name, attr) in kept:
                    put(up, n, made(copy.copy(kept[name, attr]), n))


def asks(method: ast.FunctionDef, cls: ClassInfo, attrs: set[str], seen: frozenset[str] = frozenset()) -> bool:
    """Whether a method reads one of these attributes of its object, or calls a method that does."""
    own = [p.arg for p in parameters(method)][:1]
    for n in walk(method):
        match n:
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if [name] == own:
                inner = cls.methods.get(attr) if attr not in seen else None
                if attr in attrs or (inner is not None and asks(inner, cls, attrs, seen | {attr})):
                    return True
            case ast.Call(func=ast.Name(id=name)) if [name] == own and "__call__" not in seen:
                inner = cls.methods.get("__call__")
                if inner is not None and asks(inner, cls, attrs, seen | {"__call__"}):
                    return True
    return False


def is_stored(n: ast.Attribute) -> bool:
    return not isinstance(n.ctx, ast.Load)


def is_only_asked(function: ast.FunctionDef, name: str) -> bool:
    """Whether all that is done with an object is that its attributes are read, and it or its methods called."""
    nodes = list(walk(function))
    asked = {id(n.value) for n in nodes if isinstance(n, ast.Attribute)}
    asked |= {id(n.func) for n in nodes if isinstance(n, ast.Call)}
    return all(id(n) in asked for n in nodes if isinstance(n, ast.Name) and n.id == name and not is_bound(n))


def given_to(cls: ClassInfo, call: ast.Call) -> dict[str, ast.expr]:
    """The attributes that the constructor of a class binds once, to an argument, and no method binds again."""
    if not cls.is_known:
        return {}
    every = [n for m in cls.methods.values() for n in walk(m)]
    stored = [n.attr for n in every if isinstance(n, ast.Attribute) and is_stored(n)]
    if cls.init is None:
        names = list(cls.fields)
        keeps = {n: n for n in names if n not in stored}
    else:
        names = [p.arg for p in parameters(cls.init)[1:]]
        bound = {n.id for n in walk(cls.init) if isinstance(n, ast.Name) and is_bound(n)}
        keeps = {}
        for s in cls.init.body:
            match s:
                case ast.Assign(targets=[ast.Attribute(attr=attr)], value=ast.Name(id=p)):
                    reads = [n for n in walk(cls.init) if isinstance(n, ast.Name) and n.id == p]
                    if p in names and p not in bound and stored.count(attr) == 1 and len(reads) == 1:
                        keeps[p] = attr
    given = dict(zip(names, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
    return {keeps[p]: e for p, e in given.items() if p in keeps}


def without(call: ast.Call, e: ast.expr) -> None:
    """None, where a call is given a function."""
    none = made(ast.Constant(None), e)
    call.args = [none if a is e else a for a in call.args]
    for k in call.keywords:
        k.value = copy.copy(none) if k.value is e else k.value


__all__ = ["asks", "called_by_name", "of", "write_out"]
