"""Attributes that are functions: a constructor binds them, and nothing else in the module does.

self.inv = np.linalg.inv        (in `__init__`)

K = self.inv(S)                 assert self.inv is np.linalg.inv
                                K = np.linalg.inv(S)
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Collection, Iterator

from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import body_nodes, bound_names, dotted, parameters, walk
from s2s.frontend.text.source import made

LIBRARIES = ("math.", "numpy.", "scipy.")


def write_out(names: ModuleNames) -> None:
    """Changes the methods of the classes of a module."""
    inits = [c.methods["__init__"] for c in names.classes.values() if not c.prefix and "__init__" in c.methods]
    bound = {attr for init in inits for attr, _ in functions_of(init, names)}
    if not bound:
        return
    functions = {id(m): m for c in names.classes.values() for m in c.methods.values()}
    every = [*functions.values(), *names.functions.values()]
    nodes = (n for f in every for n in walk(f) if isinstance(n, ast.Attribute) and n.attr in bound)
    stored = Counter(n.attr for n in nodes if not isinstance(n.ctx, ast.Load))
    once = {attr for attr in bound if stored[attr] == 1}
    for cls in names.classes.values() if once else ():
        for method in cls.methods.values():
            name_functions(method, cls, names, once)


def functions_of(init: ast.FunctionDef, names: ModuleNames) -> Iterator[tuple[str, ast.expr]]:
    """The attributes that a constructor binds to functions of libraries, and these."""
    hidden = bound_names(body_nodes(init)) | {p.arg for p in parameters(init)}
    for s in init.body:
        match s:
            case ast.Assign(targets=[ast.Attribute(attr=name)], value=ast.Name() | ast.Attribute() as value):
                path = dotted(value)
                if path is not None and path[0] not in hidden:
                    full = ".".join([names.imports.names.get(path[0], ""), *path[1:]])
                    if full.startswith(LIBRARIES):
                        yield name, value


def name_functions(function: ast.FunctionDef, cls: ClassInfo, names: ModuleNames, once: Collection[str]) -> None:
    """Calls of attributes that are bound once, as calls of what they are."""
    first = [p.arg for p in parameters(function)][:1]
    nodes = body_nodes(function)
    own = bound_names(nodes)
    if not first or first[0] in own or function.name in cls.statics | cls.class_methods:
        return
    hidden = own | {p.arg for p in parameters(function)}
    guards: dict[str, ast.stmt] = {}
    for n in nodes:
        match n:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr) as func) if name == first[0]:
                bound = bound_to(cls, attr, names) if attr in once else None
                if bound is None or (dotted(bound) or [""])[0] in hidden:
                    continue
                if attr not in guards:
                    test = made(ast.Compare(func, [ast.Is()], [copy_at(bound, n)]), n)
                    guards[attr] = made(ast.Assert(test, None), function.body[0])
                n.func = copy_at(bound, n)
    start = 1 if ast.get_docstring(function, clean=False) is not None else 0
    function.body[start:start] = guards.values()


def bound_to(cls: ClassInfo, attr: str, names: ModuleNames) -> ast.expr | None:
    """The function of a library that an attribute is, None where it may be anything else."""
    init = cls.methods.get("__init__")
    here = init is not None and any(init in c.node.body for c in names.classes.values() if not c.prefix)
    if init is None or not here or attr in cls.methods or attr in cls.constants:
        return None
    return dict(functions_of(init, names)).get(attr)


def copy_at(e: ast.expr, like: ast.AST) -> ast.expr:
    new = copy.deepcopy(e)
    for n in walk(new):
        if isinstance(n, ast.expr):
            made(n, like)
    return new
