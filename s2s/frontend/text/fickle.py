"""Objects of which a read may change something: by a property that counts, `__getitem__` that moves on, `__len__` that
draws. A derivative runs parts of a function again, and would read something else there."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from s2s.frontend.text.bindings import root_of
from s2s.frontend.text.names import MUTATING_METHODS, ModuleNames
from s2s.frontend.text.scopes import bound_names, dotted, parameters, walk
from s2s.rules import effects

if TYPE_CHECKING:
    from s2s.frontend.text.classes import ClassInfo

# Special methods that no expression calls which reads an object.
NO_READS = frozenset(
    f"__{n}__"
    for n in (
        *("init", "new", "post_init", "init_subclass", "repr", "str", "format", "call", "enter", "exit", "del"),
        *("setattr", "delattr", "setitem", "delitem", "set_name", "reduce", "getstate", "setstate", "copy", "deepcopy"),
    )
)
AT_ONCE = effects.NEXT | {"setattr", "delattr", "globals", "exec", "eval", "vars"}
CLOCKS = frozenset(["time", "time_ns", "perf_counter", "perf_counter_ns", "monotonic", "process_time"])


def is_fickle(names: ModuleNames, path: Sequence[str]) -> bool:
    """Whether a name of a module, or a path into another one, stands for an object of which a read may change
    something."""
    found = object_at(names, path)
    return found is not None and changes_when_read(found[0], found[1].functions)


def object_at(names: ModuleNames, path: Sequence[str]) -> tuple[ClassInfo, ModuleNames] | None:
    """The class of the object for which a name of a module, or a path into another one, stands, and the module where
    that is made; None where it is no object of a class of the user's."""
    first = path[0]
    if first in names.imports.names:
        return names.object_at(".".join([names.imports.names[first], *path[1:]]))
    value = names.assigned.get(first)
    made = dotted(value.func) if isinstance(value, ast.Call) else None
    if made is None:
        return None
    cls = names.classes.get(made[0]) if len(made) == 1 else None
    if cls is None and made[0] in names.imports.names:
        cls = names.find_class(".".join([names.imports.names[made[0]], *made[1:]]))
    return None if cls is None else (cls, names)


def changes_when_read(cls: ClassInfo, functions: Mapping[str, ast.AST]) -> bool:
    """Whether a property or a special method of a class may change something, or give something else each time.

    functions: of the module.
    """
    reads = [n for n in cls.methods if n in cls.properties or (n[:2] == n[-2:] == "__" and n not in NO_READS)]
    return any(changes(cls.methods[n], cls.methods, functions, set()) for n in reads)


def changes(
    node: ast.AST, methods: Mapping[str, ast.AST], functions: Mapping[str, ast.AST], seen: set[ast.AST]
) -> bool:
    """Whether a method, or one that it calls, writes into what it has not made itself, draws, or asks a clock."""
    if node in seen:
        return False
    seen.add(node)
    nodes = list(walk(node))
    own = bound_names(nodes)
    if isinstance(node, ast.FunctionDef) and node.name == "__init__":
        own |= {p.arg for p in parameters(node)[:1]}
    for n in nodes:
        inner: ast.AST | None = None
        match n:
            case ast.Global() | ast.Nonlocal():
                return True
            case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del()):
                if root_of(n) not in own:
                    return True
            case ast.Call(func=ast.Attribute(value=of, attr=attr)):
                if attr in effects.DRAWS | CLOCKS or (attr in MUTATING_METHODS and root_of(of) not in own):
                    return True
                inner = methods.get(attr)
            case ast.Call(func=ast.Name(id=name)):
                if name in AT_ONCE:
                    return True
                inner = functions.get(name)
            case ast.Attribute(attr=attr):
                inner = methods.get(attr)
        if inner is not None and changes(inner, methods, functions, seen):
            return True
    return False
