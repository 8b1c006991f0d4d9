"""Copies by the module `copy` of lists and dicts, as their methods and comprehensions.

    b = copy.copy(a)        b = a.copy()                                                of a list or a dict
    b = copy.deepcopy(a)    b = [copy.deepcopy(v) for v in a]                           of a list
                            b = [[copy.deepcopy(w) for w in v] for v in a]              of a list of lists
                            b = {k: copy.deepcopy(v) for k, v in a.items()}             of a dict of numbers

What is a list or a dict is read off what its name is bound to, and off its use: `a["rate"]` is an entry. Numbers and
arrays stay: see `derive/copied.py`.
"""

from __future__ import annotations

import ast

from s2s.frontend.text.bindings import KEEPING
from s2s.frontend.text.names import COPIES, ModuleNames
from s2s.frontend.text.scopes import (
    AT_ONCE,
    body_nodes,
    bound_names,
    children,
    dotted,
    is_bound,
    new_name,
    parameters,
    string_key,
    walk,
)
from s2s.frontend.text.source import expression, put

LISTS = frozenset(["list", "sorted"])
NEW = frozenset(["array", "copy", "empty", "float", "full", "ones", "ones_like", "zeros", "zeros_like"])


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the body of a function."""
    if not any(path.partition(".")[0] == "copy" for path in names.imports.names.values()):
        return
    own = body_nodes(function)
    calls = [n for n in own if isinstance(n, ast.Call) and copying(n, names)]
    if not calls or names.hides(LISTS | {"len"}):
        return
    kinds = _Kinds(function, own, names)
    for call in calls:
        deep = copying(call, names) == "copy.deepcopy"
        if (text := kinds.copied(call.args[0], ast.unparse(call.func) if deep else "")) is not None:
            put(kinds.parents[call], call, expression(text, call))


def copying(call: ast.Call, names: ModuleNames) -> str:
    """The function of the module `copy` that a call runs, on one argument."""
    path = dotted(call.func)
    if path is None or len(call.args) != 1 or call.keywords or isinstance(call.args[0], ast.Starred):
        return ""
    fn = ".".join([names.imports.names.get(path[0], path[0]), *path[1:]])
    return fn if fn in COPIES else ""


class _Kinds:
    """Which names are lists, how deep, and which are dicts."""

    def __init__(self, function: ast.FunctionDef, own: list[ast.AST], names: ModuleNames) -> None:
        self.names = names
        self.parents = {c: n for s in function.body for n in walk(s) for c in children(n)}
        self.uses: dict[str, list[ast.Name]] = {}
        for n in self.parents:
            if isinstance(n, ast.Name) and not is_bound(n):
                self.uses.setdefault(n.id, []).append(n)
        self.taken = bound_names([*walk(function)]) | {p.arg for p in parameters(function)}
        self.taken |= {n.id for n in own if isinstance(n, ast.Name)}
        self.values: dict[str, list[ast.expr | None]] = {p.arg: [] for p in parameters(function)}
        self.given = frozenset(self.values)
        self.stated = {p.arg: p.annotation for p in parameters(function) if p.annotation is not None}
        self.items: dict[str, list[ast.expr]] = {}
        self.keyed: set[str] = set()
        known: set[int] = set()
        for n in own:
            match n:
                case ast.Assign(targets=[ast.Name(id=name) as target], value=value):
                    self.values.setdefault(name, []).append(value)
                    known.add(id(target))
                case ast.AnnAssign(target=ast.Name(id=name) as target, value=ast.expr() as value):
                    self.values.setdefault(name, []).append(value)
                    known.add(id(target))
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[item]):
                    self.items.setdefault(name, []).append(item)
                case ast.Subscript(value=ast.Name(id=name)) if string_key(n) is not None:
                    self.keyed.add(name)
        self.bound = {n: len(given) for n, given in self.values.items()}
        for n in own:
            if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load) and id(n) not in known:
                self.values.setdefault(n.id, []).append(None)

    def depth(self, e: ast.expr | None, seen: frozenset[str] = frozenset()) -> int | None:
        """How many lists lie in each other: 0 of what is no list for all that is known; None where it varies."""
        match e:
            case ast.List(elts=elts):
                return self.around(elts, seen)
            case ast.ListComp(elt=elt):
                return self.around([elt], seen)
            case ast.BinOp(op=ast.Mult(), left=ast.List() as shown):
                return self.depth(shown, seen)
            case ast.Call(func=ast.Name(id=fn)) if fn in LISTS:
                return 1
            case ast.Call(args=[inner]) if copying(e, self.names):
                return self.depth(inner, seen)
            case ast.Call(func=ast.Attribute(value=ast.Name() as inner, attr="copy"), args=[]):
                return self.depth(inner, seen)
            case ast.Name(id=name) if name in self.values and name not in seen:
                seen |= {name}
                depths = {self.depth(v, seen) for v in self.values[name] if not is_empty(v)}
                if name in self.given:
                    depths.add(stated_depth(self.stated.get(name)))
                if self.items.get(name):
                    depths.add(self.around(self.items[name], seen))
                return depths.pop() if len(depths) == 1 else 1 if not depths else None
        return 0

    def around(self, items: list[ast.expr], seen: frozenset[str]) -> int | None:
        depths = {self.depth(i, seen) for i in items} or {0}
        inner = depths.pop() if len(depths) == 1 else None
        return None if inner is None else inner + 1

    def are_apart(self, e: ast.expr, depth: int, seen: frozenset[str] = frozenset()) -> bool:
        """Whether all items of a list are objects of their own: what is one twice is one twice in its copy, too."""
        match e:
            case ast.List(elts=elts):
                texts = [ast.unparse(i) for i in elts if not isinstance(i, ast.Constant)]
                given = sum(isinstance(i, ast.Name) and i.id in self.given for i in elts)  # which may be one array
                apart = len(set(texts)) == len(texts) and given < 2
                return apart and all(self.is_new(i, depth, seen) for i in elts)
            case ast.ListComp(elt=ast.Name(id=item), generators=[ast.comprehension(target=ast.Name(id=own), iter=of)]):
                return item == own and isinstance(of, ast.Name) and self.are_apart(of, depth, seen)
            case ast.ListComp(elt=elt):
                return not isinstance(elt, ast.Name) and self.is_new(elt, depth, seen)
            case ast.BinOp(op=ast.Mult(), left=ast.List(elts=[item])):
                return isinstance(item, ast.Constant)
            case ast.Call(args=[ast.Name() as inner]):
                return self.are_apart(inner, depth, seen)
            case ast.Name(id=name) if name in self.given and not self.values[name]:
                return has_numbers(self.stated.get(name))  # others are as the caller has them
            case ast.Name(id=name) if name not in seen and None not in self.values.get(name, [None]):
                if not all(self.keeps_apart(n, depth) for n in self.uses.get(name, ())):
                    return False
                seen |= {name}
                values = [v for v in self.values[name] if v is not None]
                apart = all(self.are_apart(v, depth, seen) for v in values)
                added = self.items.get(name, [])  # in a loop, a name may be added more than once
                return apart and all(not isinstance(i, ast.Name) and self.is_new(i, depth, seen) for i in added)
        return False

    def keeps_apart(self, use: ast.Name, depth: int) -> bool:
        """Whether a use of a list leaves its items apart: it is read, or gets what is made there."""
        up, level = self.parents.get(use), 0
        inner: ast.AST = use
        while isinstance(up, ast.Subscript) and up.value is inner:
            if not isinstance(up.ctx, ast.Load):
                above = self.parents.get(up)
                plain = isinstance(above, ast.Assign) and above.targets == [up]
                if level >= depth or (level == depth - 1 and isinstance(above, ast.AugAssign)):
                    return True  # an element, or a number
                return plain and isinstance(above, ast.Assign) and self.is_made(above.value, depth - level)
            inner, up, level = up, self.parents.get(up), level + 1
        match up:
            case ast.Call(func=ast.Name(id=fn)) if fn in AT_ONCE:
                return True
            case ast.Call() if inner in up.args:
                return bool(copying(up, self.names)) or level >= depth
            case ast.Attribute(attr=attr) if level < depth:
                return attr in KEEPING or attr == "append"
            case ast.Assign(value=value) if value is inner:
                return level >= depth
        return not isinstance(up, ast.AugAssign | ast.List | ast.Tuple | ast.Dict | ast.keyword | ast.Starred) or (
            level >= depth
        )

    def is_made(self, e: ast.expr, depth: int) -> bool:
        return not isinstance(e, ast.Name) and self.is_new(e, depth, frozenset())

    def is_new(self, e: ast.expr, depth: int, seen: frozenset[str]) -> bool:
        """Whether an item of a list is made where it stands: a number, an array, or a list of these."""
        match e:
            case ast.Constant() | ast.BinOp() | ast.UnaryOp():
                return depth == 1
            case ast.Subscript(value=ast.Name(id=name)):
                return depth == 1 and not self.depth(ast.Name(name, ast.Load()))
            case ast.Call(func=func):
                path = dotted(func) or [""]
                return depth == 1 and (path[-1] in NEW or path[0] == "math")
            case ast.Name(id=name) if name in self.given:
                return depth == 1 and not self.values[name]
            case ast.Name(id=name) if name not in seen and self.bound.get(name) == 1:
                (value,) = self.values.get(name, [None])
                return (
                    value is not None and not isinstance(value, ast.Name) and self.is_new(value, depth, seen | {name})
                )
            case ast.List() | ast.ListComp() | ast.BinOp():
                return depth > 1 and self.are_apart(e, depth - 1, seen)
        return False

    def copied(self, e: ast.expr, deep: str) -> str | None:
        """The text of a copy; None where it is not known what is copied. deep: how the text calls `copy.deepcopy`."""
        text = ast.unparse(e)
        if isinstance(e, ast.Name) and e.id in self.keyed:
            if not deep:
                return f"{text}.copy()"
            if self.values.get(e.id) or not has_numbers(self.stated.get(e.id)):
                return None  # what a display shows is known by its entries; the caller's may be one array
            k, v = (new_name(self.taken, n) for n in ("k", "v"))
            return f"{{{k}: {deep}({v}) for {k}, {v} in {text}.items()}}"
        if not isinstance(e, ast.Name | ast.List) or not (depth := self.depth(e)):
            return None
        if deep and not self.are_apart(e, depth):
            return None
        if not deep:
            return f"{text}.copy()"
        variables = [new_name(self.taken, "vwuz"[min(d, 3)]) for d in range(depth)]
        text_of = f"{deep}({variables[-1]})"
        for v, of in reversed(list(zip(variables, [text, *variables], strict=False))):
            text_of = f"[{text_of} for {v} in {of}]"
        return text_of


def has_numbers(annotation: ast.expr | None) -> bool:
    """Whether the items of a list, or the values of a dict, are stated to be numbers."""
    match annotation:
        case ast.Subscript(value=ast.Name(id="list" | "List"), slice=ast.Name(id="float" | "int")):
            return True
        case ast.Subscript(value=ast.Name(id="dict" | "Dict"), slice=ast.Tuple(elts=[_, ast.Name(id="float" | "int")])):
            return True
    return False


def stated_depth(annotation: ast.expr | None) -> int:
    """How many lists lie in each other in a parameter: 2 of `list[list[float]]`."""
    match annotation:
        case ast.Subscript(value=ast.Name(id="list" | "List"), slice=inner):
            return 1 + stated_depth(inner)
        case ast.Name(id="list"):
            return 1
    return 0


def is_empty(e: ast.expr | None) -> bool:
    return isinstance(e, ast.List) and not e.elts


__all__ = ["write_out"]
