"""Decorators that leave a function's values as its text says; any other could make of it what it likes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from s2s.frontend.text.scopes import dotted

# Compilers: the output needs NumPy only, so they are not carried over.
COMPILERS = frozenset(["numba.njit", "numba.jit", "numba.generated_jit", "numba.extending.register_jitable"])
# The others stand in copies of helpers as they are.
SAME_VALUES = COMPILERS | {
    "functools.lru_cache",
    "functools.cache",
    "typing.final",
    "typing.no_type_check",
    "typing.override",
    "typing_extensions.final",
    "typing_extensions.override",
    "beartype.beartype",
    "typeguard.typechecked",
}
CACHES = frozenset(["functools.lru_cache", "functools.cache"])  # they return the object of the first call again
CONTEXTS = frozenset(["numpy.errstate"])  # a with statement around the body


def meaning(decorator: ast.expr, imports: Mapping[str, str]) -> str:
    """The canonical name of a decorator, called or not: "numba.njit" for `@nb.njit(cache=True)`; "" if it has none."""
    path = dotted(decorator.func if isinstance(decorator, ast.Call) else decorator)
    if path is None or path[0] not in imports:
        return ""
    return ".".join([imports[path[0]], *path[1:]])


def is_cached(node: ast.FunctionDef | ast.Lambda, imports: Mapping[str, str]) -> bool:
    """Whether calls with the same arguments return one object."""
    return isinstance(node, ast.FunctionDef) and any(meaning(d, imports) in CACHES for d in node.decorator_list)


def cached_names(nodes: Iterable[ast.AST], imports: Mapping[str, str]) -> frozenset[str]:
    """The functions of which a cached one is made by a call: `lru_cache(maxsize=None)(table)`."""
    calls = (n for n in nodes if isinstance(n, ast.Call) and meaning(n.func, imports) in CACHES)
    return frozenset(a.id for c in calls for a in c.args if isinstance(a, ast.Name))


def is_compiled(value: ast.expr, name: str, imports: Mapping[str, str]) -> bool:
    """Whether `value` is `njit(name)`: the function of that name with the same values."""
    match value:
        case (
            ast.Call(func=ast.Call() as maker, args=[ast.Name(id=given)])
            | ast.Call(func=ast.Name() | ast.Attribute() as maker, args=[ast.Name(id=given), *_])
        ):
            return given == name and meaning(maker, imports) in SAME_VALUES
    return False


def compiler(value: ast.expr, imports: Mapping[str, str]) -> str:
    """The canonical name of a compiler that is told its options: `partial(jit, nopython=True)`, `njit(cache=True)`; of
    any other value ""."""
    match value:
        case ast.Call(func=maker, args=[ast.Name() | ast.Attribute() as inner]) if meaning(
            maker, imports
        ) == "functools.partial" and not isinstance(maker, ast.Call):
            found = meaning(inner, imports)
        case ast.Call(func=ast.Name() | ast.Attribute() as maker, args=[]):
            found = meaning(maker, imports)
        case ast.Name() | ast.Attribute():
            found = meaning(value, imports)
        case _:
            return ""
    return found if found in COMPILERS else ""


def stands_in(s: ast.stmt, imports: Mapping[str, str]) -> bool:
    """Whether a statement stands in for what a compiler has, where that is not installed: a decorator `njit` that gives
    back the function that it gets, called with options or not, and `prange = range`."""
    match s:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id="range")):
            return imports.get(name) == "numba.prange"
        case ast.FunctionDef(name=name) if imports.get(name) in COMPILERS:
            return is_idle(s)
    return False


def compiles(
    value: ast.expr, imports: Mapping[str, str], functions: Mapping[str, ast.FunctionDef | ast.AsyncFunctionDef]
) -> bool:
    """Whether a value is a compiler, or a function of the module that stands in for one: `jit`, `identity`."""
    own = functions.get(value.id) if isinstance(value, ast.Name) else None
    return bool(compiler(value, imports)) or (isinstance(own, ast.FunctionDef) and is_idle(own))


def is_idle(s: ast.FunctionDef) -> bool:
    """Whether a decorator gives back the function that it gets, called with options or not."""
    a = s.args
    if s.decorator_list:
        return False
    given = [p.arg for p in (*a.posonlyargs, *a.args)][:1]
    inner = {n.name for n in s.body if isinstance(n, ast.FunctionDef) and leaves_as_it_is(n, False)}

    def gives_back(value: ast.expr | None) -> bool:
        match value:
            case ast.Name(id=name):
                return name in inner or name in given
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=0)):
                return a.vararg is not None and name == a.vararg.arg
            case ast.Lambda(args=ast.arguments(args=[ast.arg(arg=one)]), body=ast.Name(id=name)):
                return name == one
            case ast.IfExp(body=body, orelse=orelse):
                return gives_back(body) and gives_back(orelse)
        return False

    inside = {id(x) for n in s.body if isinstance(n, ast.FunctionDef) for x in ast.walk(n)}
    returns = [n for n in ast.walk(s) if isinstance(n, ast.Return) and id(n) not in inside]
    return bool(returns) and all(gives_back(r.value) for r in returns)


NOTED = frozenset(["append", "add", "insert", "setdefault"])  # methods of a list, a set, a dict of functions
KEPT = frozenset(["__code__", "__defaults__", "__kwdefaults__"])  # what a function does


def leaves_as_it_is(decorator: ast.FunctionDef, called: bool) -> bool:
    """Whether a decorator of the user's gives the function back that it gets, and only notes it or something on it.

    def register(f):
        LAWS[f.__name__] = f
        return f

    called: whether it is written with arguments, `@register("linear")`; a function within it does the same then.
    """
    if decorator.decorator_list or any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(decorator)):
        return False
    if called:
        match decorator.body:
            case [*_, ast.FunctionDef(name=inner) as made, ast.Return(value=ast.Name(id=returned))]:
                others = [n for s in decorator.body[:-2] for n in ast.walk(s)]
                plain = not any(isinstance(n, ast.Return | ast.Global | ast.Nonlocal) for n in others)
                return plain and inner == returned and leaves_as_it_is(made, False)
        return False
    a = decorator.args
    if len(a.args) + len(a.posonlyargs) != 1 or a.vararg or a.kwonlyargs or a.kwarg:
        return False
    given = (*a.posonlyargs, *a.args)[0].arg
    last = decorator.body[-1]
    if not isinstance(last, ast.Return):
        return False
    nodes = list(ast.walk(decorator))
    if any(isinstance(n, ast.Lambda | ast.FunctionDef | ast.ClassDef) and n is not decorator for n in nodes):
        return False
    harmless: set[int] = set()
    for n in nodes:
        match n:
            case ast.Return(value=value):
                if not (isinstance(value, ast.Name) and value.id == given):
                    return False
                harmless.add(id(value))
            case ast.Attribute(value=ast.Name(id=name) as read, attr=attr, ctx=ctx) if name == given:
                if isinstance(ctx, ast.Load) or attr not in KEPT:
                    harmless.add(id(read))
            case ast.Assign(targets=[ast.Subscript()], value=ast.Name(id=name) as read) if name == given:
                harmless.add(id(read))
            case ast.Call(func=ast.Attribute(attr=attr), args=args) if attr in NOTED:
                harmless |= {id(a) for a in args if isinstance(a, ast.Name)}
    return all(id(n) in harmless for n in nodes if isinstance(n, ast.Name) and n.id == given)


__all__ = [
    "CACHES",
    "COMPILERS",
    "CONTEXTS",
    "SAME_VALUES",
    "cached_names",
    "compiler",
    "compiles",
    "is_cached",
    "is_compiled",
    "is_idle",
    "leaves_as_it_is",
    "meaning",
    "stands_in",
]
