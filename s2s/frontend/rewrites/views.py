"""Loops that number or pair the entries of dicts, as loops over lists of their keys.

for i, (k, v) in enumerate(d.items()):      for i, k in enumerate(list(d)):
    ...                                         v = d[k]
for v, w in zip(d.values(), rates):         for d_key, w in zip(list(d), rates):
    ...                                         v = d[d_key]

A dict whose display stands in the function is known to the later steps as it is. Only where a loop changes what lies in
it, that is named by its key:

for p in d.values():                        for d_key in ("a", "b"):
    p["x"] = e                                  p = d[d_key]
                                                p["x"] = e
"""

from __future__ import annotations

import ast

from s2s.frontend.rewrites.entries import VIEWS, Entries, is_bound_within, open_dicts
from s2s.frontend.text.scopes import body_nodes, bound_names, mentions, parameters, string_key, walk
from s2s.frontend.text.source import expression, made


def write_out(function: ast.FunctionDef) -> None:
    """Changes the body of a function: what is done already is not done again."""
    nodes = body_nodes(function)
    for name, keys in dicts_of_structures(function, nodes).items():
        for n in nodes:
            if isinstance(n, ast.For) and changes_parts(n, name):
                by_shown_keys(n, name, keys, {x.id for x in walk(function) if isinstance(x, ast.Name)})
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


def dicts_of_structures(function: ast.FunctionDef, nodes: list[ast.AST]) -> dict[str, list[str]]:
    """Dicts of dicts or objects whose display the text has, with their keys, which stay the same."""
    found: dict[str, list[str]] = {}
    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(keys=keys, values=values)):
                texts = [k.value for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, str)]
                inside = any(isinstance(v, ast.Dict | ast.Call) for v in values)
                if inside and len({*texts}) == len(keys) and not is_resized(name, texts, function):
                    found[name] = texts
    return found


def is_resized(name: str, keys: list[str], function: ast.FunctionDef) -> bool:
    """Whether a dict may be bound again, or get or lose keys."""
    bound = 0
    for n in walk(function):
        match n:
            case ast.Name(id=other) if other == name:
                bound += not isinstance(n.ctx, ast.Load)
            case ast.Subscript(value=ast.Name(id=other), slice=key, ctx=ast.Store() | ast.Del()) if other == name:
                if isinstance(n.ctx, ast.Del) or not (isinstance(key, ast.Constant) and key.value in keys):
                    return True
            case ast.Call(func=ast.Attribute(value=ast.Name(id=other), attr=attr)) if other == name:
                if attr not in (*VIEWS, "get", "copy"):
                    return True
            case ast.FunctionDef() | ast.Lambda() if n is not function and mentions(n, name):
                return True
    return bound != 1


def changes_parts(loop: ast.For, name: str) -> bool:
    """Whether a loop may change what lies in a dict: it assigns to parts, or calls for an effect."""
    for n in (n for s in loop.body for n in walk(s)):
        match n:
            case ast.Expr(value=ast.Call()):
                return True
            case ast.Attribute(ctx=ast.Store()):
                return True
            case ast.Subscript(value=inner, ctx=ast.Store()) if string_key(n) is not None:
                if not (isinstance(inner, ast.Name) and inner.id == name):
                    return True
    return False


def by_shown_keys(loop: ast.For, name: str, keys: list[str], taken: set[str]) -> None:
    """Changes a loop over the entries of a dict into one over its keys."""
    value: ast.Name | None = None
    match loop.iter, loop.target:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr="values"), args=[]), ast.Name() as value:
            text = f"{name}_key"
            while text in taken:
                text += "_"
            key: ast.expr = made(ast.Name(text, ast.Store()), loop.target)
        case ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr="items"), args=[]), ast.Tuple(
            elts=[ast.Name() as key, ast.Name() as value]
        ):
            text = key.id
        case (
            (ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr="keys"), args=[]) | ast.Name(id=of)),
            ast.Name(id=text) as key,
        ):
            pass
        case _:
            return
    if of != name:
        return
    if value is not None:
        first = ast.copy_location(ast.Assign([value], expression(f"{name}[{text}]", loop.iter)), loop.iter)
        first.made = True  # type: ignore[attr-defined]
        loop.body.insert(0, first)
    loop.target = key
    loop.iter = expression(repr((*keys,)), loop.iter)


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
