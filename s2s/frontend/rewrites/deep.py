"""Copies by the module `copy` of lists and dicts, as their methods and comprehensions.

    b = copy.copy(a)        b = a.copy()                                                of a list or a dict
    b = copy.deepcopy(a)    b = [copy.deepcopy(v) for v in a]                           of a list
                            b = [[copy.deepcopy(w) for w in v] for v in a]              of a list of lists
                            b = {k: copy.deepcopy(v) for k, v in a.items()}             of a dict

What is a list or a dict is read off what its name is bound to, and off its use: `a["rate"]` is an entry. Numbers and
arrays stay: see `derive/copied.py`.
"""

from __future__ import annotations

import ast

from s2s.frontend.text.names import COPIES, ModuleNames
from s2s.frontend.text.scopes import (
    body_nodes,
    bound_names,
    children,
    dotted,
    new_name,
    parameters,
    string_key,
    walk,
)
from s2s.frontend.text.source import expression, put

LISTS = frozenset(["list", "sorted"])


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the body of a function."""
    if not any(path.partition(".")[0] == "copy" for path in names.imports.names.values()):
        return
    own = body_nodes(function)
    parents = {c: n for s in function.body for n in walk(s) for c in children(n)}
    calls = [n for n in own if isinstance(n, ast.Call) and copying(n, names) and n in parents]
    if not calls or names.hides(LISTS | {"len"}):
        return
    kinds = _Kinds(function, own, names)
    for call in calls:
        deep = copying(call, names) == "copy.deepcopy"
        if (text := kinds.copied(call.args[0], ast.unparse(call.func) if deep else "")) is not None:
            put(parents[call], call, expression(text, call))


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

    def copied(self, e: ast.expr, deep: str) -> str | None:
        """The text of a copy; None where it is not known what is copied. deep: how the text calls `copy.deepcopy`."""
        text = ast.unparse(e)
        if isinstance(e, ast.Name) and e.id in self.keyed:
            if not deep:
                return f"{text}.copy()"
            if e.id not in self.given or self.values[e.id]:
                return None  # what a dict display shows is known by its entries
            k, v = (new_name(self.taken, n) for n in ("k", "v"))
            return f"{{{k}: {deep}({v}) for {k}, {v} in {text}.items()}}"
        if not isinstance(e, ast.Name | ast.List) or not (depth := self.depth(e)):
            return None
        if not deep:
            return f"{text}.copy()"
        variables = [new_name(self.taken, "vwuz"[min(d, 3)]) for d in range(depth)]
        text_of = f"{deep}({variables[-1]})"
        for v, of in reversed(list(zip(variables, [text, *variables], strict=False))):
            text_of = f"[{text_of} for {v} in {of}]"
        return text_of


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
