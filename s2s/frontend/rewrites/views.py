"""Loops that number or pair the entries of dicts, as loops over lists of their keys.

for i, (k, v) in enumerate(d.items()):      for i, k in enumerate(list(d)):
    ...                                         v = d[k]
for v, w in zip(d.values(), rates):         for d_key, w in zip(list(d), rates):
    ...                                         v = d[d_key]

A dict whose display stands in the function is known to the later steps as it is.
"""

from __future__ import annotations

import ast

from s2s.frontend.rewrites.entries import VIEWS, Entries, is_bound_within, open_dicts
from s2s.frontend.text.scopes import body_nodes, bound_names, parameters, walk
from s2s.frontend.text.source import expression, made


def write_out(function: ast.FunctionDef) -> None:
    """Changes the body of a function: what is done already is not done again."""
    nodes = body_nodes(function)
    if not any(joined(n.iter) for n in nodes if isinstance(n, ast.For | ast.comprehension)):
        return
    own = bound_names(nodes)
    shown = {
        t.id
        for n in nodes
        if isinstance(n, ast.Assign) and isinstance(n.value, ast.Dict) and n.value.keys
        for t in n.targets
        if isinstance(t, ast.Name)
    }
    dicts = ({p.arg for p in parameters(function)} | own) - shown
    taken = own | {p.arg for p in parameters(function)} | {n.id for n in nodes if isinstance(n, ast.Name)}
    writer = _Views(dicts, open_dicts(function) | only_dicts(nodes), shown & only_dicts(nodes), taken)
    function.body[:] = [writer.visit(s) for s in function.body]


def joined(it: ast.expr) -> ast.Call | None:
    """A call that numbers or pairs the items of its arguments."""
    match it:
        case ast.Call(func=ast.Name(id="enumerate" | "zip"), args=[_, *_]):
            return it
    return None


def only_dicts(nodes: list[ast.AST]) -> set[str]:
    """The names that are bound to dicts which the function makes, and to nothing else."""
    made_here = {
        id(t)
        for n in nodes
        if isinstance(n, ast.Assign) and makes_dict(n.value)
        for t in n.targets
        if isinstance(t, ast.Name)
    }
    stores = [n for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return {n.id for n in stores if id(n) in made_here} - {n.id for n in stores if id(n) not in made_here}


def makes_dict(e: ast.expr) -> bool:
    return isinstance(e, ast.Dict | ast.DictComp) or (
        isinstance(e, ast.Call) and isinstance(e.func, ast.Name) and e.func.id == "dict"
    )


class _Views(ast.NodeTransformer):
    """dicts: the names that may be bound to dicts of unknown keys; sure: names that are bound to dicts; shown: those
    of which the text shows the keys."""

    def __init__(self, dicts: set[str], sure: set[str], shown: set[str], taken: set[str]) -> None:
        self.dicts, self.sure, self.shown, self.taken = dicts, sure, shown, taken

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        for value, of, key in self.by_keys(node.target, node.iter)[::-1]:
            read = expression(f"{of}[{key}]", node.iter)
            first = ast.copy_location(ast.Assign([value], read), node.iter)
            first.made = True  # type: ignore[attr-defined]
            node.body.insert(0, first)
        return node

    def comprehension(self, node: ast.AST) -> ast.AST:
        self.generic_visit(node)
        generators: list[ast.comprehension] = node.generators  # type: ignore[attr-defined]
        for at, g in enumerate(generators):
            bound = {n.id for n in walk(g.target) if isinstance(n, ast.Name)}
            plain = all(isinstance(n, ast.Name | ast.Tuple | ast.Store) for n in walk(g.target))
            if not plain or is_bound_within(node, bound, g.target):
                continue
            for value, of, key in self.by_keys(g.target, g.iter):
                if not isinstance(value, ast.Name):
                    continue
                entries = Entries(value.id, of, key)
                for field in ("elt", "key", "value"):
                    if isinstance(e := getattr(node, field, None), ast.expr):
                        setattr(node, field, entries.visit(e))
                g.ifs = [entries.visit(e) for e in g.ifs]
                for inner in generators[at + 1 :]:
                    inner.iter, inner.ifs = entries.visit(inner.iter), [entries.visit(e) for e in inner.ifs]
                node.made = True  # type: ignore[attr-defined]
        return node

    visit_ListComp = visit_GeneratorExp = visit_SetComp = visit_DictComp = comprehension

    def by_keys(self, target: ast.expr, it: ast.expr) -> list[tuple[ast.expr, str, str]]:
        """Changes a loop into one over keys; returns what was bound to entries, with the dict and the variable that
        holds the key."""
        call = joined(it)
        if call is None or not isinstance(target, ast.Tuple):
            return []
        first = 1 if isinstance(call.func, ast.Name) and call.func.id == "enumerate" else 0
        found: list[tuple[ast.expr, str, str]] = []
        for i, e in enumerate(call.args[: 1 if first else None]):
            if i + first >= len(target.elts):
                break
            part = target.elts[i + first]
            match e, part:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr), args=[], keywords=[]), _ if (
                    attr in VIEWS and name in self.dicts
                ):
                    pass
                case (ast.Name(id=name), ast.Name()) | (
                    ast.Call(func=ast.Name(id="list"), args=[ast.Name(id=name)], keywords=[]),
                    ast.Name(),
                ) if name in self.shown:
                    call.args[i] = expression(f"{name}.keys()", e)
                    continue
                case ast.Name(id=name), ast.Name() if name in self.sure:
                    attr = "keys"
                case _:
                    continue
            match attr, part:
                case "items", ast.Tuple(elts=[ast.Name() as key, value]):
                    found.append((value, name, key.id))
                case "values", (ast.Name() | ast.Tuple()) as value:
                    key = made(ast.Name(self.free(f"{name}_key"), ast.Store()), part)
                    found.append((value, name, key.id))
                case "keys", ast.Name() as key:
                    pass
                case _:
                    continue
            target.elts[i + first] = key
            call.args[i] = expression(f"list({name})", e)
        return found

    def free(self, wish: str) -> str:
        while wish in self.taken:
            wish += "_"
        self.taken.add(wish)
        return wish
