"""When the names of a module get their values, and whether these change: what runs while it is imported.

K = 2.0
def f(x, k=K): ...          k is 2.0, though K is 5.0 when f is called
K = 5.0

W = [1.0, 2.0]              no literal that can be copied: `scale` changes what it holds
def scale(): W[0] = 3.0
"""

from __future__ import annotations

import ast
import functools
import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

import numpy as np

from s2s.frontend.text.bindings import root_of
from s2s.frontend.text.handles import EVERY
from s2s.frontend.text.scopes import (
    FunctionNode,
    body_nodes,
    bound_names,
    children,
    dotted,
    free_names,
    full_path,
    parameters,
    walk,
)
from s2s.rules.shaping import MAY_SHARE, VIEWS

MANY = 6  # containers in one another, and more
NEVER = 1 << 60  # the line of what happens when all lines have run
NAMESPACES = frozenset(["globals", "vars", "locals", "exec", "setattr", "delattr"])
# What a function is, beside its name: `h.__defaults__ = (3.0,)`.
FUNCTION_PARTS = frozenset(["__code__", "__defaults__", "__kwdefaults__"])
SHOWN = frozenset(["enumerate", "filter", "iter", "list", "map", "next", "reversed", "sorted", "tuple", "zip"])
CHANGES = frozenset(
    "append extend insert pop remove clear sort reverse update setdefault popitem add discard fill resize put "  # noqa: SIM905
    "partition itemset __setitem__ __delitem__".split()
)
WRITERS = frozenset("copyto put putmask place put_along_axis fill_diagonal at shuffle".split())  # noqa: SIM905
SHARING = {"view", *(n for fn in (*VIEWS, *MAY_SHARE) if (n := fn.removeprefix("numpy.")).isidentifier())}
DRAWN = ("numpy.random.", "random.", "time.", "uuid.", "secrets.", "datetime.")
READERS = (
    "numpy",
    "math",
    "scipy",
    "builtins",
    "types",
    "typing",
    "collections",
)  # modules whose functions change nothing
HOLDING = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.Call, ast.Name, ast.Subscript)
SAFE_DRAWS = frozenset(["default_rng", "RandomState", "Generator", "Random", "SeedSequence"])


def never_late(path: str, whole: bool) -> bool:
    """For a module that knows no other."""
    return False


def never_changed(name: str) -> int:
    """For a module without values."""
    return 0


@dataclass
class Moments:
    """bound: the last line that binds a name, or deletes it; changed: the last one that may change what it holds;
    attributes: that are bound, as paths; functions: of the module; replaced, touched: names that other modules bind
    anew, and those of which they may change what these hold, too; last_change: the last line
    at which what a name holds may change, under whatever name; elsewhere: whether what stands under a path of its
    imports may be something else when all modules have run, or hold something else (not asked if `whole`)."""

    bound: dict[str, int] = field(default_factory=dict)
    changed: dict[str, int] = field(default_factory=dict)
    attributes: list[tuple[str, ...]] = field(default_factory=list)
    functions: Mapping[str, FunctionNode] = field(default_factory=dict)
    imports: Mapping[str, str] = field(default_factory=dict)
    replaced: set[str] = field(default_factory=set)
    touched: set[str] = field(default_factory=set)
    last_change: Callable[[str], int] = never_changed
    elsewhere: Callable[[str, bool], bool] = never_late

    def is_late(self, e: ast.expr, line: int) -> bool:
        """Whether an expression that is evaluated at this line may be something else when all lines have run."""
        path = dotted(e)
        if path is not None and self.imports.get(path[0]):  # one object, whatever it holds
            return self.elsewhere(full_path(e, self.imports), True)
        if isinstance(e, ast.Name):
            return e.id in self.replaced or self.bound.get(e.id, 0) > line
        paths = {full_path(n, self.imports) for n in paths_read(e) if self.imports.get(cast(list[str], dotted(n))[0])}
        if any(self.is_changed(n, line) for n in read_now(e)) or any(self.elsewhere(p, False) for p in sorted(paths)):
            return True
        called = {n.func.id for n in walk(e) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
        return any(self.gives_late(n, line) for n in sorted(called))

    def is_changed(self, name: str, line: int) -> bool:
        """Whether a line behind this one, or another module, binds a name, or may change what it holds."""
        return name in self.touched or max(self.bound.get(name, 0), self.last_change(name)) > line

    def gives_late(self, name: str, line: int) -> bool:
        """Whether a function of the module that is called at this line, or what it calls, reads what is bound again
        below, or may change: `scale = _make()` has what that reads at the time."""
        todo, done = {name}, set[str]()
        while todo:
            name = todo.pop()
            done.add(name)
            if (function := self.functions.get(name)) is not None:
                read = set(free_names(function))
                if any(self.is_changed(n, line) for n in read - self.functions.keys()):
                    return True
                todo |= read - done
        return False


def paths_read(e: ast.AST) -> Iterator[ast.expr]:
    """The longest paths that are read when an expression is evaluated: of `units.K[0]`, `units.K`."""
    if isinstance(e, ast.Lambda):
        for d in lambda_defaults(e):
            yield from paths_read(d)
    elif isinstance(e, ast.expr) and dotted(e) is not None:
        yield e
    else:
        for c in children(e):
            yield from paths_read(c)


def lambda_defaults(e: ast.Lambda) -> Iterator[ast.expr]:
    yield from (*e.args.defaults, *(d for d in e.args.kw_defaults if d is not None))


def read_now(e: ast.AST) -> Iterator[str]:
    """The names that are read when an expression is evaluated: of a lambda, those of its defaults."""
    if isinstance(e, ast.Lambda):
        for d in lambda_defaults(e):
            yield from read_now(d)
        return
    if isinstance(e, ast.Name):
        yield e.id
    for c in children(e):
        yield from read_now(c)


def is_drawn(e: ast.expr, imports: dict[str, str]) -> bool:
    """Whether an expression has another value each time: `np.random.rand(3)`, `time.time()`."""
    for n in walk(e):
        full = full_path(n.func, imports) if isinstance(n, ast.Call) else ""
        if full.startswith(DRAWN) and full.rpartition(".")[2] not in SAFE_DRAWS:
            return True
    return False


def spaces(tree: ast.Module) -> set[str]:
    """The names that a module gives to itself, or to its names: `G = globals()`, `M = sys.modules[__name__]`."""
    found: set[str] = set()
    for n in walk(tree):
        match n:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if is_own_space(value, found):
                found.add(name)
    return found


def is_own_space(e: ast.AST, names: Collection[str]) -> bool:
    """Whether an expression is the module that it stands in, or the dict of its names."""
    match e:
        case ast.Name(id=name):
            return name in names
        case ast.Call(func=ast.Name(id="globals" | "vars" | "locals"), args=[]):
            return True
        case ast.Attribute(value=value, attr=attr):
            return attr == "__globals__" or (attr == "__dict__" and is_own_space(value, names))
        case ast.Call(func=ast.Name(id="vars"), args=[value]):
            return is_own_space(value, names)
        case ast.Subscript(slice=ast.Name(id="__name__")):
            return True
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[ast.Name(id="__name__"), *_]):
            return name in ("import_module", "__import__", "get")
    return False


def set_in_space(s: ast.stmt, names: Collection[str], tree: ast.Module) -> set[str]:
    """The names that a statement binds by the module itself, or by the dict of its names. Where they are computed,
    those may be meant that the module has as text: `for n in ("sin", "cos"): globals()[n] = wrapped(n)`."""
    found: set[str] = set()
    for n in walk(s):
        match n:
            case ast.Attribute(value=value, attr=attr, ctx=ast.Store() | ast.Del()) if is_own_space(value, names):
                found.add(attr)
            case ast.Subscript(value=value, slice=key, ctx=ast.Store() | ast.Del()) if is_own_space(value, names):
                found |= named(key) or texts(tree)
            case ast.Call(func=ast.Name(id="setattr"), args=[value, key, _]) if is_own_space(value, names):
                found |= named(key) or texts(tree)
            case ast.Call(func=ast.Attribute(value=value, attr="update" | "setdefault" | "__setitem__")) if (
                is_own_space(value, names)
            ):
                found |= texts(tree)
    return found


def named(e: ast.AST) -> set[str]:
    """The text that an expression is, alone."""
    return {e.value} if isinstance(e, ast.Constant) and isinstance(e.value, str) else set()


def texts(tree: ast.Module) -> set[str]:
    """The names that a module has as text, or as keywords of calls; what it offers is none of them."""
    offered = [s for s in body_nodes(tree) if says_what_is_offered(s)]  # type: ignore[arg-type]
    inside = {id(n) for e in offered for n in walk(e)}
    found = {t for n in walk(tree) if id(n) not in inside for t in named(n)}
    return {t for t in found if t.isidentifier()} | {
        k.arg for n in walk(tree) if isinstance(n, ast.Call) for k in n.keywords if k.arg
    }


def says_what_is_offered(s: ast.AST) -> bool:
    """`__all__ = ["f"]`, `__all__: list[str] = ["f"]`, `__all__ += ["g"]`, `__all__.extend(layers.__all__)`."""
    match s:
        case (
            ast.Assign(targets=[ast.Name(id=name)])
            | ast.AnnAssign(target=ast.Name(id=name))
            | ast.AugAssign(target=ast.Name(id=name))
            | ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name))))
        ):
            return name == "__all__"
    return False


def stores(tree: ast.Module) -> dict[str, list[int]]:
    """The lines at which a module's body binds a name, other than by an import or a declaration."""
    nodes = body_nodes(tree)  # type: ignore[arg-type]
    itself = spaces(tree)
    declared = {id(n.target) for n in nodes if isinstance(n, ast.AnnAssign) and n.value is None}
    found: dict[str, list[int]] = {}
    for n in nodes:
        line = getattr(n, "lineno", 0)
        for name in bound_names([n]) if id(n) not in declared else ():
            found.setdefault(name, []).append(line)
        if isinstance(n, ast.MatchMapping) and n.rest:
            found.setdefault(n.rest, []).append(line)
        if isinstance(n, ast.Assign | ast.AugAssign | ast.Expr):
            for name in named_in(n) | set_in_space(n, itself, tree):
                found.setdefault(name, []).append(line)
    return found


def named_in(s: ast.stmt) -> set[str]:
    """The names that a statement may bind which it has as text: `globals()["K"] = 5.0`, `exec("K = 5.0")`."""
    nodes = list(walk(s))
    timed = {id(x) for n in nodes if is_timed(n) for x in walk(n)}
    nodes = [n for n in nodes if id(n) not in timed]
    if not any(map(is_namespace, nodes)):
        return set()
    texts = [n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    names = {n for text in texts for n in re.findall(r"[^\W\d]\w*", text)}
    return names | {k.arg for n in nodes if isinstance(n, ast.Call) for k in n.keywords if k.arg}


def is_timed(n: ast.AST) -> bool:
    """`timeit("f(x)", globals=globals())`: what the text binds is local to the function that timeit makes of it."""
    match n:
        case ast.Call(
            func=ast.Name(id="timeit") | ast.Attribute(value=ast.Name(id="timeit"), attr="timeit" | "repeat"),
            args=args,
            keywords=[*keywords],
        ):
            texts = [x.value for a in args for x in walk(a) if isinstance(x, ast.Constant) and isinstance(x.value, str)]
            shown = any(k.arg == "globals" and ast.unparse(k.value) == "globals()" for k in keywords)
            return shown and not any(re.search(r"\b(global|globals|exec|setattr|vars|import)\b", t) for t in texts)
    return False


def moments(
    tree: ast.Module,
    bound: dict[str, list[int]],
    by_functions: Iterable[str],
    functions: Mapping[str, FunctionNode],
    values: Mapping[str, ast.expr],
    imports: Mapping[str, str],
) -> Moments:
    """by_functions: names that functions bind; values: what names stand for, the last of each."""
    found = Moments({n: max(lines) for n, lines in bound.items()}, functions=functions, imports=imports)
    work = functools.cache(lambda: _Changes(tree, imports))

    def last_change(name: str, seen: frozenset[str] = frozenset()) -> int:
        value = values.get(name)
        if value is None:
            return found.changed.get(name, 0)
        if name in seen or not any(isinstance(n, HOLDING) for n in walk(value)):
            return 0
        sources = {n for n, _ in held(value)}
        return max([work().last_change((0, name), MANY), *(last_change(n, seen | {name}) for n in sorted(sources))])

    found.last_change = last_change
    nodes = body_nodes(tree)  # type: ignore[arg-type]
    for n in nodes:
        if isinstance(n, ast.Import | ast.ImportFrom):
            for a in n.names:
                name = a.asname or a.name.partition(".")[0]
                found.bound[name] = max(n.lineno, found.bound.get(name, 0))
    for name in by_functions:
        found.bound[name] = NEVER
    for n in nodes:
        if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store) and (path := dotted(n)) is not None:
            found.attributes.append(tuple(path))
        for name in changed_by(n):
            assert isinstance(n, ast.expr | ast.stmt)
            found.changed[name] = max(n.lineno, found.changed.get(name, 0))
    return found


def imported_nodes(tree: ast.Module) -> list[ast.AST]:
    """What runs where the file is imported: none of the body of `if __name__ == "__main__":`."""
    mains = [s for s in tree.body if isinstance(s, ast.If) and ast.unparse(s.test) == "__name__ == '__main__'"]
    script = {id(n) for s in mains for inner in s.body for n in walk(inner)}
    return [n for n in body_nodes(tree) if id(n) not in script]  # type: ignore[arg-type]


def never_imported(tree: ast.Module) -> set[str]:
    """The names that imports bind in functions, or where the file is run, only: it has none of them for others."""
    at_import = set(map(id, imported_nodes(tree)))
    names: tuple[set[str], set[str]] = set(), set()
    for n in walk(tree):
        if isinstance(n, ast.Import | ast.ImportFrom):
            names[id(n) in at_import].update(a.asname or a.name.partition(".")[0] for a in n.names)
    return names[False] - names[True]


@dataclass
class Effects:
    """What a module does to those that it imports, as paths from its own names; `a.` where it is not known to what of
    `a`. bound: attributes that it binds; changed: what it may change in place."""

    bound: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    calls: bool = False  # whether it calls functions of theirs for what these do
    replaced: set[str] = field(default_factory=set)  # of libraries: see `replaced_in_libraries`

    def __bool__(self) -> bool:
        return bool(self.bound or self.changed or self.calls)


def rewritten(tree: ast.Module, functions: Iterable[str], imports: Mapping[str, str]) -> set[str]:
    """Those of the functions whose code or defaults something in the module sets, under any name."""
    if not any(map(sets_function, walk(tree))):
        return set()
    work = _Changes(tree, imports, lambda n, place: sets_function(n))
    return {n for n in functions if work.last_change((0, n), 1)}


def sets_function(n: ast.AST) -> bool:
    """Whether a node sets what a function is: its code, or its defaults."""
    match n:
        case ast.Attribute(attr=attr, ctx=ast.Store() | ast.Del()):
            return attr in FUNCTION_PARTS
        case ast.AugAssign(target=inner) | ast.Subscript(value=inner, ctx=ast.Store() | ast.Del()):
            return isinstance(inner, ast.Attribute) and inner.attr in FUNCTION_PARTS
        case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[_, ast.Constant(value=name), *_]):
            return name in FUNCTION_PARTS
        case ast.Call(func=ast.Name(id="setattr" | "delattr")):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr=of), attr=attr)):
            return of in FUNCTION_PARTS and attr in CHANGES
    return False


def replaced_in_libraries(tree: ast.Module, imports: Mapping[str, str]) -> set[str]:
    """The paths that a module binds anew of what it imports: `np.sin = np.cos`; "numpy." for `setattr(np, name, f)`.
    What it only adds, it calls by the library's name for what that means: `if not hasattr(np, "trapezoid"): ...`."""
    found: set[str] = set()
    todo: list[ast.AST] = [tree]
    while todo:
        n = todo.pop()
        match n:
            case ast.If(test=test) if any(isinstance(x, ast.Name) and x.id == "hasattr" for x in walk(test)):
                continue
            case ast.ExceptHandler(type=ast.Name(id="AttributeError" | "ImportError")):
                continue
            case ast.Attribute(ctx=ast.Store()):
                found |= {full_path(n, imports)} if (dotted(n) or [""])[0] in imports else set()
            case (
                ast.Call(func=ast.Name(id="setattr"), args=[of, name, _])
                | ast.Subscript(
                    value=ast.Call(func=ast.Name(id="vars"), args=[of]) | ast.Attribute(value=of, attr="__dict__"),
                    slice=name,
                    ctx=ast.Store(),
                )
            ) if (dotted(of) or [""])[0] in imports:
                text = name.value if isinstance(name, ast.Constant) and isinstance(name.value, str) else ""
                found.add(f"{full_path(of, imports)}.{text}")
        todo += children(n)
    return found | {f"{imports[n]}." for n in handed_and_bound(tree, imports)}


def handed_and_bound(tree: ast.Module, imports: Mapping[str, str]) -> set[str]:
    """The names of libraries that are given another one, of which an attribute is bound that NumPy or math has:
    `n = np; n.sin = np.cos`, `patch(np)`."""
    given: list[ast.expr] = []
    for n in walk(tree):
        if isinstance(n, ast.Call):
            given += [*n.args, *(k.value for k in n.keywords)]
        elif isinstance(n, ast.Assign):
            given += n.value.elts if isinstance(n.value, ast.Tuple | ast.List) else [n.value]
    handed = {x.id for x in given if isinstance(x, ast.Name)} & imports.keys()
    if not handed:
        return set()

    def binds_known(n: ast.AST, place: Place) -> bool:
        attribute = getattr(n.target if isinstance(n, ast.AugAssign) else n, "attr", None)
        known = isinstance(n, ast.Call) or hasattr(np, attribute or "") or hasattr(math, attribute or "")
        binds = binds_attribute(n) or depth_of_change(n) < MANY  # `self.lib.sin = np.cos`
        return known and binds and (place[0] != 0 or place[1] not in imports)

    work = _Changes(tree, imports, binds_known)
    return {n for n in handed if work.last_change((0, n), 1)}


def effects(tree: ast.Module, imports: dict[str, str]) -> Effects:
    """imports: the names of the module that are imported, and may be changed."""
    found = Effects()
    every = list(walk(tree))
    if not imports or not any(map(may_change, every)):
        return found
    paths = [".".join(p) for n in every if isinstance(n, ast.Attribute) and (p := dotted(n)) and p[0] in imports]
    for n in every:
        if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store | ast.Del):
            path = dotted(n)
            found.bound |= {".".join(path)} if path is not None and path[0] in imports else set()
        if isinstance(n, ast.Assign | ast.AugAssign | ast.Expr) and any(map(is_namespace, walk(n))):
            roots = {x.id for x in walk(n) if isinstance(x, ast.Name)} & imports.keys()
            found.bound |= {f"{r}.{name}" for r in roots for name in named_in(n) or {""}}
    for n in imported_nodes(tree):
        called = n.value.func if isinstance(n, ast.Expr) and isinstance(n.value, ast.Call) else None
        made = n.decorator_list if isinstance(n, ast.FunctionDef | ast.ClassDef) else []
        found.calls |= any(isinstance(x, ast.Name) and x.id in imports for e in (called, *made) if e for x in walk(e))

    def binds_it(n: ast.AST, place: Place) -> bool:
        named = isinstance(n, ast.Call) and isinstance(n.func, ast.Name)
        direct = not place[0] and place[1] in imports and (named or isinstance(n, ast.Attribute | ast.AugAssign))
        return binds_attribute(n) and not direct

    def hands_over(n: ast.AST, place: Place) -> bool:
        """`h.put(a)` of a module a, not of what it has: it may bind names of it there."""
        if not isinstance(n, ast.Call) or not isinstance(n.func, ast.Attribute | ast.Name):
            return False
        given = (x for a in (*n.args, *(k.value for k in n.keywords)) for x in outermost(a))
        return root_of(n.func) in imports and place[1] in given

    # the module itself, under another name: `def setup(m): m.K = 2.0`
    stored = _Changes(tree, imports, binds_it)
    handed = _Changes(tree, imports, hands_over)
    work = _Changes(tree, imports, lambda n, place: not binds_attribute(n))
    whole = {a.asname or a.name.partition(".")[0] for n in every if isinstance(n, ast.Import) for a in n.names}
    whole |= {name for name in imports if not name.isidentifier() and imports[name] != EVERY}  # of `handles`
    for name in imports:
        is_bound = stored.last_change((0, name), MANY if imports[name] == EVERY else 1)
        if is_bound or (name in whole and handed.last_change((0, name), 1)):
            found.bound.add(name)
        if work.last_change((0, name), MANY):
            found.changed |= {name, *(p for p in paths if p.startswith(f"{name}."))}
    return found


def outermost(e: ast.AST) -> Iterator[str]:
    """The names that stand in an expression otherwise than below an attribute."""
    if isinstance(e, ast.Name):
        yield e.id
    elif not isinstance(e, ast.Attribute):
        for c in children(e):
            yield from outermost(c)


def binds_attribute(n: ast.AST) -> bool:
    target = n.target if isinstance(n, ast.AugAssign) else n
    if isinstance(n, ast.Call) and isinstance(n.func, ast.Name):  # `setattr(a, "K", 2.0)`
        return n.func.id in NAMESPACES and bool(n.args) and isinstance(n.args[0], ast.Name)
    if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute):
        return n.func.attr in ("__setattr__", "__delattr__")
    return isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name | ast.Subscript)


def depth_of_change(n: ast.AST) -> int:
    """How deep in the value of a name that lies which a node changes: `a.K = 2.0` binds an attribute of it, and
    `a.b.K = 2.0` one of a part of it. MANY where that is not known."""
    if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "setattr" and n.args:
        path = dotted(n.args[0])
        return MANY if path is None else len(path) - 1
    target = n.target if isinstance(n, ast.AugAssign) else n
    plain = not isinstance(n, ast.AugAssign) or isinstance(n.value, ast.Constant)  # `a.parts += more` extends a list
    path = dotted(target) if plain and isinstance(target, ast.Attribute) else None
    return MANY if path is None else len(path) - 2


def is_namespace(n: ast.AST) -> bool:
    """Whether a node is one by which names of a module, or attributes, are bound that have no place in the text."""
    return (isinstance(n, ast.Name) and n.id in NAMESPACES) or (isinstance(n, ast.Attribute) and n.attr == "__dict__")


def may_change(n: ast.AST) -> bool:
    return is_namespace(n) or isinstance(n, ast.Call) or any(True for _ in changed_by(n))


def changed_by(n: ast.AST) -> Iterator[str]:
    """The names whose values a node changes in place."""
    match n:
        case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Attribute(ctx=ast.Store() | ast.Del()):
            yield root_of(n)
        case ast.AugAssign(target=target):
            yield root_of(target)
        case ast.Call(func=ast.Attribute(value=value, attr=attr), args=args, keywords=keywords):
            if attr in CHANGES:
                yield root_of(value)
            if attr in ("__setattr__", "__delattr__"):  # `object.__setattr__(a, "K", 2.0)`
                yield from map(root_of, (value, *args[:1]))
            if attr in WRITERS:
                yield from map(root_of, args[:1])
            yield from (root_of(k.value) for k in keywords if k.arg == "out")
        case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[of, *_]):
            yield root_of(of)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=value))):  # nothing else comes of it: `settings.load()`
            yield root_of(value)


def changing(tree: ast.Module, literals: dict[str, ast.expr], imports: dict[str, str]) -> set[str]:
    """Those of the literals whose items something in the module may change: lists, dicts and sets under any name."""
    depths = {n: depth(e) for n, e in literals.items()}
    if not any(depths.values()):
        return set()
    work = _Changes(tree, imports)
    return {n for n, d in depths.items() if d and work.last_change((0, n), d)}


def depth(e: ast.expr) -> int:
    """How many lists, dicts and sets are one in another."""
    inner = max((depth(c) for c in children(e) if isinstance(c, ast.expr)), default=0)
    return inner + isinstance(e, ast.List | ast.Dict | ast.Set)


Place = tuple[int, str]  # the scope that a name belongs to, 0 for the module, and the name
Step = tuple[int, int]  # a part that lies so deep; inside so many new containers
Find = Callable[[str], Place]
Counts = Callable[[ast.AST, Place], object]


class _Changes:
    """Which names hold parts of one value, and which of these change: over all functions of a module."""

    def __init__(self, tree: ast.Module, imports: Mapping[str, str], counts: Counts = lambda n, place: True) -> None:
        """counts: whether a node, which changes a place, is to be taken for a change: `a.K = 2.0` of `a`."""
        self.imports = imports
        self.counts = counts
        self.functions = {s.name: s for s in tree.body if isinstance(s, ast.FunctionDef)}
        self.edges: dict[Place, list[tuple[Place, Step]]] = {}
        self.changed: dict[Place, list[tuple[int, int]]] = {}  # how deep, and the line; NEVER in functions
        self.scope(tree, {}, 0)

    def last_change(self, place: Place, levels: int) -> int:
        """The last line at which a value of so many levels changes under one of the names that it comes to; else 0."""
        last = 0
        seen, todo = {(place, levels)}, [(place, levels)]
        while todo:
            at, left = todo.pop()
            deep = left - levels  # the value lies in so many others
            last = max([last, *(line for depth, line in self.changed.get(at, ()) if deep <= depth)])
            for b, (down, up) in self.edges.get(at, ()):
                new = (b, min(left - down + up, MANY))
                if left > down and new not in seen:
                    seen.add(new)
                    todo.append(new)
        return last

    def change(self, place: Place, line: int, depth: int = MANY) -> None:
        """depth: of what is changed as a whole, and may be changed inside."""
        self.changed.setdefault(place, []).append((depth, line))

    def scope(self, node: ast.Module | ast.ClassDef | FunctionNode, outer: dict[str, int], key: int) -> None:
        nodes = body_nodes(node)  # type: ignore[arg-type]
        places = dict(outer)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            free = {n for s in nodes if isinstance(s, ast.Global | ast.Nonlocal) for n in s.names}
            places |= dict.fromkeys((bound_names(nodes) | {a.arg for a in parameters(node)}) - free, key)

        def place(name: str) -> Place:
            return places.get(name, 0), name

        inside = {id(x) for n in nodes if isinstance(n, ast.Lambda) for x in walk(n)}
        for n in nodes:
            for name in changed_by(n):
                if not self.counts(n, place(name)):
                    continue
                line = NEVER if key or id(n) in inside else getattr(n, "lineno", NEVER)
                self.change(place(name), line, depth_of_change(n))
            match n:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self.scope(n, places, id(n))
                    for p, d in defaults(n):
                        self.flow((id(n), p), d, place)
                    for call in (x for d in n.decorator_list for x in walk(d) if isinstance(x, ast.Call)):
                        self.call(call, place, False)  # `@replaces(layers, "dense")`
                case ast.ClassDef():
                    self.scope(n, places, key)
                case ast.Assign(targets=targets, value=value):
                    for t in targets:
                        self.bind(t, value, place)
                case ast.AnnAssign(target=t, value=ast.expr() as value) | ast.NamedExpr(target=t, value=value):
                    self.bind(t, value, place)
                case ast.For(target=t, iter=value):
                    self.bind(t, ast.Subscript(value, ast.Constant(0), ast.Load()), place)
                case ast.Call():
                    self.call(n, place, key == 0)

    def bind(self, target: ast.expr, value: ast.expr, place: Find) -> None:
        match target:
            case ast.Name(id=name):
                self.flow(place(name), value, place)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                item = ast.Subscript(value, ast.Constant(0), ast.Load())
                for t in targets:
                    self.bind(t.value if isinstance(t, ast.Starred) else t, item, place)
            case ast.Subscript() | ast.Attribute():
                self.flow(place(root_of(target)), ast.List([value], ast.Load()), place)

    def flow(self, to: Place, value: ast.expr, place: Find) -> None:
        for name, step in held(value):
            self.edges.setdefault(place(name), []).append((to, step))

    def call(self, n: ast.Call, place: Find, at_import: bool) -> None:
        """What is given to a function of the module has the name of its parameter; others may change it at import."""
        given: list[tuple[int | str, ast.expr]] = [*enumerate(n.args)]
        given += [(k.arg or "", k.value) for k in n.keywords]
        callee = self.functions.get(n.func.id) if isinstance(n.func, ast.Name) else None
        if callee is not None:
            names = [a.arg for a in (*callee.args.posonlyargs, *callee.args.args)]
            for at, e in given:
                self.flow((id(callee), at if isinstance(at, str) else names[at] if at < len(names) else ""), e, place)
        elif at_import and not self.only_reads(n.func):
            for name in (name for _, e in given for name, _ in held(e)):
                if self.counts(n, place(name)):
                    self.change(place(name), n.lineno)

    def only_reads(self, func: ast.expr) -> bool:
        path = dotted(func)
        if path is None:
            return isinstance(func, ast.Attribute) and isinstance(func.value, ast.Constant)
        home = self.imports.get(path[0], "" if len(path) > 1 else "builtins")
        return home.partition(".")[0] in READERS


def defaults(f: FunctionNode | ast.Lambda) -> Iterator[tuple[str, ast.expr]]:
    a = f.args
    normal = [p.arg for p in (*a.posonlyargs, *a.args)]
    yield from zip(normal[len(normal) - len(a.defaults) :], a.defaults, strict=True)
    yield from ((p.arg, d) for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True) if d is not None)


def held(e: ast.expr) -> Iterator[tuple[str, Step]]:
    """The names whose value, or a part of it, an expression is or holds: how deep that lies, in how many containers."""
    match e:
        case ast.Name(id=name):
            yield name, (0, 0)
        case ast.Subscript(value=value) | ast.Attribute(value=value):
            yield from ((n, (down, up - 1) if up else (down + 1, 0)) for n, (down, up) in held(value))
        case ast.IfExp(body=a, orelse=b):
            yield from (*held(a), *held(b))
        case ast.BoolOp(values=items):
            yield from (x for i in items for x in held(i))
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items) | ast.Dict(values=items):
            for i in items:
                inner = i.value if isinstance(i, ast.Starred) else i
                yield from ((n, (down, up + (inner is i))) for n, (down, up) in held(inner))
        case ast.NamedExpr(value=value):
            yield from held(value)
        case ast.Call(func=ast.Name(id=name), args=args) if name in SHOWN:  # new, with the same items
            yield from ((n, (down + 1, up + 1)) for i in args for n, (down, up) in held(i))
        case ast.Call(func=ast.Attribute(value=value, attr=attr), args=args) if attr in SHARING:  # a view of an array
            yield from (x for a in (value, *args[:1]) for x in held(a))
        case ast.Call(func=ast.Attribute(value=value, attr="values" | "items" | "copy")):
            yield from ((n, (down + 1, up + 1)) for n, (down, up) in held(value))
        case ast.Call(func=ast.Attribute(value=value, attr="get" | "setdefault")):
            yield from ((n, (down + 1, up)) for n, (down, up) in held(value))


__all__ = [
    "FUNCTION_PARTS",
    "Effects",
    "Moments",
    "changing",
    "effects",
    "is_drawn",
    "moments",
    "named_in",
    "never_imported",
    "replaced_in_libraries",
    "rewritten",
    "set_in_space",
    "spaces",
    "stores",
]
