"""Attributes that are functions: a constructor binds them, and nothing else in the module does.

self.inv = np.linalg.inv        (in `__init__`)

K = self.inv(S)                 assert self.inv is np.linalg.inv
                                K = np.linalg.inv(S)

Where the constructor binds what it is given, `self.act = act`, they are the functions that the module gives it:
`Layer(W, b, np.tanh)`, `Layer(W, b, relu)`.

return self.act(z)              assert self.act is np.tanh or self.act is relu
                                return (np.tanh if self.act is np.tanh else relu)(z)

Of more than two there is a call of each: `np.tanh(z) if self.act is np.tanh else relu(z) if ... else ...`.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Collection

from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.function_bodies import default_nodes
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import body_nodes, bound_names, children, dotted, parameters, walk
from s2s.frontend.text.source import made, put

LIBRARIES = ("math.", "numpy.", "scipy.")
MOST = 4  # functions between which a call chooses
Functions = tuple[ast.expr, ...]


def write_out(
    names: ModuleNames, tree: ast.Module, classes: Collection[str] = (), elsewhere: Collection[str] = ()
) -> set[str]:
    """Changes the methods of the classes of a module; gives the functions of the module that attributes are.

    The output has the very ones: a copy would be another function. classes: those alone; elsewhere: what other
    modules bind.
    """
    asked = {name: cls for name, cls in names.classes.items() if not classes or name in classes}
    found = {name: bound for name, cls in asked.items() if (bound := Attributes(cls, names, tree).functions())}
    if not found:
        return set()
    changed = stored_elsewhere(names, tree).union(elsewhere)
    handed: set[str] = set()
    for name, bound in found.items():
        cls = names.classes[name]
        kept = {attr: functions for attr, functions in bound.items() if attr not in changed}
        for method in cls.methods.values():
            handed |= name_functions(method, cls, kept)
    return handed & names.functions.keys()


def stored_elsewhere(names: ModuleNames, tree: ast.Module) -> set[str]:
    """The attributes that the module binds in any other place than once in a constructor."""
    inits = {id(init) for cls in names.classes.values() if (init := cls.methods.get("__init__")) is not None}
    found: set[str] = set()
    inside: set[int] = set()
    for f in walk(tree):
        if isinstance(f, ast.FunctionDef) and id(f) in inits:
            stores = Counter(
                n.attr for n in walk(f) if isinstance(n, ast.Attribute) and not isinstance(n.ctx, ast.Load)
            )
            found |= {attr for attr, count in stores.items() if count > 1}
            inside |= {id(n) for n in walk(f)}
    every = (n for n in walk(tree) if isinstance(n, ast.Attribute) and not isinstance(n.ctx, ast.Load))
    return found | {n.attr for n in every if id(n) not in inside}


def holds_functions(cls: ClassInfo) -> bool:
    """Whether a constructor keeps parameters that its methods call."""
    if cls.init is None:
        return False
    params = {p.arg for p in parameters(cls.init)[1:]}
    kept = {
        t.attr
        for s in cls.init.body
        if isinstance(s, ast.Assign) and isinstance(s.value, ast.Name) and s.value.id in params
        for t in s.targets
        if isinstance(t, ast.Attribute)
    }
    calls = (n.func for m in cls.methods.values() for n in walk(m) if isinstance(n, ast.Call))
    return any(isinstance(f, ast.Attribute) and f.attr in kept for f in calls)


class Attributes:
    """The attributes of one class that its constructor binds to functions."""

    def __init__(self, cls: ClassInfo, names: ModuleNames, tree: ast.Module) -> None:
        self.cls = cls
        self.names = names
        self.tree = tree
        init = cls.methods.get("__init__")
        here = init is not None and any(init in c.node.body for c in names.classes.values() if not c.prefix)
        self.init = init if here and not cls.prefix else None

    def functions(self) -> dict[str, Functions]:
        if self.init is None:
            return {}
        bound: dict[str, Functions] = {}
        params = {p.arg for p in parameters(self.init)[1:]}
        hidden = bound_names(body_nodes(self.init))
        first = [p.arg for p in parameters(self.init)][:1]
        called = self.called()
        for s in self.init.body:
            match s:
                case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=attr)], value=value) if (
                    [owner] == first and attr not in self.cls.methods and attr not in self.cls.constants
                ):
                    if self.is_function(value, hidden | params):
                        bound[attr] = (value,)
                    elif isinstance(value, ast.Name) and value.id in params - hidden and attr in called:
                        bound[attr] = self.given(value.id)
        return {attr: functions for attr, functions in bound.items() if 0 < len(functions) <= MOST}

    def called(self) -> set[str]:
        """The attributes that the methods of the class call."""
        calls = (n.func for m in self.cls.methods.values() for n in walk(m) if isinstance(n, ast.Call))
        return {f.attr for f in calls if isinstance(f, ast.Attribute)}

    def is_function(self, e: ast.expr, hidden: Collection[str], own: bool = False) -> bool:
        """Whether an expression names a function of a library, or one of the module."""
        path = dotted(e)
        if path is None or path[0] in hidden:
            return False
        if own and len(path) == 1 and path[0] in self.names.functions:
            return path[0] not in self.names.rebound
        full = ".".join([self.names.imports.names.get(path[0], ""), *path[1:]])
        return full.startswith(LIBRARIES)

    def given(self, p: str) -> Functions:
        """What the module gives the constructor for a parameter; () where that may be anything else."""
        assert self.init is not None
        order = [a.arg for a in parameters(self.init)[1:]]
        defaults = {a: d for a, d in default_nodes(self.init) if self.is_function(d, (), own=True)}
        made_by = {name for name, c in self.names.classes.items() if c.methods.get("__init__") is self.init}
        found: dict[str, ast.expr] = {}
        for s in self.tree.body:
            hidden: set[str] | None = None
            for n in walk(s):
                match n:
                    case ast.Call(func=ast.Name(id=name)) if name in made_by:
                        pass
                    case ast.Call(func=ast.Attribute(attr="__init__")):
                        return ()  # of a class below it
                    case ast.Name(id="cls"):
                        return ()
                    case _:
                        continue
                if any(isinstance(a, ast.Starred) for a in n.args) or any(k.arg is None for k in n.keywords):
                    return ()
                given = dict(zip(order, n.args, strict=False)) | {str(k.arg): k.value for k in n.keywords}
                value = given.get(p, defaults.get(p))
                if hidden is None and p in given:
                    hidden = {x.arg for x in walk(s) if isinstance(x, ast.arg)}
                    hidden |= {x.id for x in walk(s) if isinstance(x, ast.Name) and not isinstance(x.ctx, ast.Load)}
                if value is None or not self.is_function(value, hidden or () if p in given else (), own=True):
                    return ()
                found[ast.unparse(value)] = value
        return tuple(found.values())


def name_functions(function: ast.FunctionDef, cls: ClassInfo, bound: dict[str, Functions]) -> set[str]:
    """Calls of attributes that are functions, as calls of what they are. Gives the names that are read for them."""
    first = [p.arg for p in parameters(function)][:1]
    nodes = body_nodes(function)
    own = bound_names(nodes)
    if not first or first[0] in own or function.name in cls.statics | cls.class_methods:
        return set()
    hidden = own | {p.arg for p in parameters(function)}
    guards: dict[str, ast.stmt] = {}
    read: set[str] = set()
    several: list[tuple[ast.Call, Functions, list[ast.expr]]] = []
    for n in nodes:
        match n:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr) as func) if name == first[0]:
                functions = bound.get(attr, ())
                roots = {(dotted(f) or [""])[0] for f in functions}
                if not functions or roots & hidden:
                    continue
                read |= roots
                tests: list[ast.expr] = [
                    made(ast.Compare(copy_at(func, n), [ast.Is()], [copy_at(f, n)]), n) for f in functions
                ]
                if attr not in guards:
                    test = tests[0] if len(tests) == 1 else made(ast.BoolOp(ast.Or(), copied(tests)), n)
                    guards[attr] = made(ast.Assert(test, None), function.body[0])
                if len(functions) > 2:
                    several.append((n, functions, tests))
                    continue
                chosen = copy_at(functions[-1], n)
                for f, test in zip(functions[-2::-1], tests[-2::-1], strict=True):
                    chosen = made(ast.IfExp(test, copy_at(f, n), chosen), n)
                chosen.asked = True  # type: ignore[attr-defined]
                n.func = chosen
    for n, functions, tests in reversed(several):  # those within the arguments of others first
        calls = [made(ast.Call(copy_at(f, n), *copy.deepcopy((n.args, n.keywords))), n) for f in functions]
        chosen = calls[-1]
        for call, test in zip(calls[-2::-1], tests[-2::-1], strict=True):
            chosen = made(ast.IfExp(test, call, chosen), n)
        put(next(up for up in walk(function) if any(c is n for c in children(up))), n, chosen)
    start = 1 if ast.get_docstring(function, clean=False) is not None else 0
    function.body[start:start] = guards.values()
    return read


def is_asked(e: ast.expr) -> bool:
    """Whether an expression chooses between the functions that an attribute may be, for one call."""
    return hasattr(e, "asked")


def copied(nodes: list[ast.expr]) -> list[ast.expr]:
    return [copy.deepcopy(n) for n in nodes]


def copy_at(e: ast.expr, like: ast.AST) -> ast.expr:
    new = copy.deepcopy(e)
    for n in walk(new):
        if isinstance(n, ast.expr):
            made(n, like)
    return new
