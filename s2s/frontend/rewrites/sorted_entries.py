"""Entries of dicts in the order of their keys, or of what is computed of them: the keys are sorted.

    for k, v in sorted(d.items()):                          for k in sorted(d):
        ...                                                     v = d[k]
                                                                ...
    for k, v in sorted(d.items(), key=lambda e: e[1]):      for k in sorted(d, key=lambda k: d[k]):
    k, v = max(d.items(), key=lambda e: e[1])               k = max(d, key=d.get)
                                                            v = d[k]
    sorted(d.keys(), reverse=True)                          sorted(d, reverse=True)
    sorted(d.values())                                      sorted([v for v in d.values()])

The order carries no derivative, and no two entries have the same key.
"""

from __future__ import annotations

import ast
import copy

from s2s.frontend.rewrites.entries import Entries, is_bound_within
from s2s.frontend.rewrites.views import only_dicts
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import blocks_of, body_nodes, bound_names, full_path, is_bound, new_name, parameters, walk
from s2s.frontend.text.source import expression, made

ORDERING = frozenset(["max", "min", "sorted"])
READING = frozenset(["copy", "get", "items", "keys", "values"])
WHOLE = frozenset(["len", "list", "sorted"])


def write_out(function: ast.FunctionDef, module: ModuleNames) -> None:
    """Changes the body of a function."""
    nodes = body_nodes(function)
    if any(isinstance(n, ast.Call) and getattr(n.func, "id", "") in ORDERING for n in walk(function)):
        own = bound_names(nodes) | {p.arg for p in parameters(function)}
        if not own & ORDERING and not module.hides(ORDERING):
            work = _Sorted(function, own, module)
            work.named(function, nodes)
            work.block(function.body)


class _Sorted(ast.NodeTransformer):
    def __init__(self, function: ast.FunctionDef, own: set[str], module: ModuleNames) -> None:
        self.module = module
        nodes = body_nodes(function)
        self.dicts = only_dicts(nodes) | ({p.arg for p in parameters(function)} - bound_names(nodes))  # these may be
        self.taken = own | {n.id for n in walk(function) if isinstance(n, ast.Name)}

    def named(self, function: ast.FunctionDef, nodes: list[ast.AST]) -> None:
        """A list of sorted entries that is only run over is sorted where it is."""
        stores = [n.id for n in walk(function) if isinstance(n, ast.Name) and is_bound(n)]
        for s in list(function.body):
            match s:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="sorted")) as call) if (
                    of := dict_of(call, "items")
                ):
                    loops = [n for n in nodes if isinstance(n, ast.For | ast.comprehension)]
                    loops = [n for n in loops if isinstance(n.iter, ast.Name) and n.iter.id == name]
                    reads = sum(isinstance(n, ast.Name) and n.id == name for n in walk(function)) - 1
                    behind = function.body[function.body.index(s) + 1 :]
                    if stores.count(name) == 1 and reads == len(loops) and behind and self.stays(of, behind):
                        for n in loops:
                            n.iter = copy.deepcopy(call)
                        function.body.remove(s)

    def block(self, block: list[ast.stmt]) -> None:
        for s in list(block):
            for inner in [s.body] if isinstance(s, ast.FunctionDef) else blocks_of(s):
                self.block(inner)
            match s:
                case ast.For(target=target, iter=it) if (found := self.entries(it, target)) is not None:
                    of, key, value, call = found
                    if self.stays(of, s.body):
                        self.by_key(call, of)
                        put_key(s, target, key)
                        s.body.insert(0, entry(value, of, key))
                case ast.Assign(
                    targets=[ast.Tuple(elts=[ast.Name() as key, ast.Name() as value])],
                    value=ast.Call(func=ast.Name(id="max" | "min")) as call,
                ) if of := dict_of(call, "items"):
                    if len({key.id, value.id, of}) == 3 and self.by_key(call, of):
                        s.targets = [key]
                        block.insert(block.index(s) + 1, entry(value, of, key))
            for field, e in ast.iter_fields(s):
                if isinstance(e, ast.expr):
                    setattr(s, field, self.visit(e))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name(id="sorted" | "max" | "min")) if of := dict_of(node, "keys"):
                node.args = [made(ast.Name(of, ast.Load()), node)]
            case ast.Call(func=ast.Name(id="sorted"), args=[view]) if dict_of(node, "values"):
                v = new_name(self.taken, "v")
                each = expression(f"[{v} for {v} in ()]", node)
                assert isinstance(each, ast.ListComp)
                each.generators[0].iter = view
                node.args = [each]
            case ast.Call(func=ast.Name(id="sorted" | "max" | "min" as fn), args=[ast.Name(id=of)]):
                for option in node.keywords if of in self.dicts else ():
                    if fn == "sorted" and option.arg == "key" and ast.unparse(option.value) == f"{of}.get":
                        option.value = expression(f"lambda k: {of}[k]", option.value)
                    elif fn != "sorted" and is_entry(option.value, of):
                        option.value = expression(f"{of}.get", option.value)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        match node:
            case ast.Subscript(
                value=ast.Call(func=ast.Name(id="max" | "min")) as call, slice=ast.Constant(value=0 | 1 as part)
            ) if (of := dict_of(call, "items")) and self.by_key(call, of):
                return (
                    call
                    if part == 0
                    else made(ast.Subscript(made(ast.Name(of, ast.Load()), call), call, node.ctx), node)
                )
        return self.generic_visit(node)

    def comprehension(self, node: ast.AST) -> ast.AST:
        generators: list[ast.comprehension] = node.generators  # type: ignore[attr-defined]
        for at, g in enumerate(generators):
            found = self.entries(g.iter, g.target)
            if found is None:
                continue
            of, key, value, call = found
            if is_bound_within(node, {key.id, value.id}, g.target):
                continue
            self.by_key(call, of)
            put_key(g, g.target, key)
            each = Entries(value.id, of, key.id)
            for field in ("elt", "key", "value"):
                if isinstance(e := getattr(node, field, None), ast.expr):
                    setattr(node, field, each.visit(e))
            g.ifs = [each.visit(e) for e in g.ifs]
            for inner in generators[at + 1 :]:
                inner.iter, inner.ifs = each.visit(inner.iter), [each.visit(e) for e in inner.ifs]
            node.made = True  # type: ignore[attr-defined]
        return self.generic_visit(node)

    visit_ListComp = visit_GeneratorExp = visit_SetComp = visit_DictComp = comprehension

    def entries(self, it: ast.expr, target: ast.expr) -> tuple[str, ast.Name, ast.Name, ast.Call] | None:
        """The dict over whose sorted entries a loop runs, its variables for the key and the value, and the call."""
        match it, target:
            case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]), ast.Tuple(elts=[_, part]):
                return self.entries(inner, part)
            case ast.Call(func=ast.Name(id="reversed" | "list"), args=[inner], keywords=[]), _:
                return self.entries(inner, target)
            case ast.Call(func=ast.Name(id="sorted")) as call, ast.Tuple(elts=[ast.Name() as key, ast.Name() as value]):
                of = dict_of(call, "items")
                if not of or len({key.id, value.id, of}) < 3 or self.key_of(copy.deepcopy(call), of) is None:
                    return None
                if key.id == "_":
                    key = made(ast.Name(new_name(self.taken, f"{of}_key"), ast.Store()), key)
                return of, key, value, call
        return None

    def by_key(self, call: ast.Call, of: str) -> bool:
        """Changes what is sorted, or chosen from, into the keys; whether that can be done."""
        options = self.key_of(call, of)
        if options is None or (not options and getattr(call.func, "id", "") != "sorted"):
            return False
        call.args, call.keywords = [made(ast.Name(of, ast.Load()), call)], options
        made(call, call)
        return True

    def key_of(self, call: ast.Call, of: str) -> list[ast.keyword] | None:
        """The options of the call for keys in the place of entries; None where they are not known."""
        out: list[ast.keyword] = []
        for k in call.keywords:
            match k.arg, k.value:
                case "reverse", _:
                    out.append(k)
                    continue
                case "key", ast.Lambda(args=ast.arguments(args=[p], vararg=None, kwonlyargs=[], kwarg=None), body=body):
                    parts = _Parts(p.arg, of)
                    new: ast.expr = parts.visit(copy.deepcopy(body))
                    if not parts.alone:
                        return None
                    text, name = ast.unparse(new), p.arg
                case "key", ast.Call(func=func, args=[ast.Constant(value=0 | 1 as part)], keywords=[]) if (
                    full_path(func, self.module.imports.names) == "operator.itemgetter"
                ):
                    text, name = f"{of}[k]" if part else "k", "k"
                case _:
                    return None
            if text == name:
                continue  # in the order of the keys
            chosen = text == f"{of}[{name}]" and getattr(call.func, "id", "") != "sorted"
            key = f"{of}.get" if chosen else f"lambda {name}: {text}"
            out.append(made(ast.keyword("key", expression(key, k.value)), k))
        return out

    def stays(self, of: str, body: list[ast.stmt]) -> bool:
        """Whether statements do nothing to a dict but read it."""
        nodes = [n for s in body for n in walk(s)]
        read = {
            id(n.value)
            for n in nodes
            if (isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Load))
            or (isinstance(n, ast.Attribute) and n.attr in READING)
        }
        read |= {id(a) for n in nodes if isinstance(n, ast.Call) and getattr(n.func, "id", "") in WHOLE for a in n.args}
        return all(id(n) in read for n in nodes if isinstance(n, ast.Name) and n.id == of)


class _Parts(ast.NodeTransformer):
    """`e[1]` as `d[e]`, and `e[0]` as `e`, where e is a key of d, and no entry any more."""

    def __init__(self, name: str, of: str) -> None:
        self.name, self.of = name, of
        self.alone = True  # whether all that is asked of an entry is its key and its value

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=0 | 1 as part)) if name == self.name:
                return expression(f"{self.of}[{name}]" if part else name, node)
        return self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        self.alone &= node.id != self.name
        return node


def dict_of(call: ast.Call, view: str) -> str:
    """The dict of `sorted(d.items())`; "" of any other call."""
    match call.args:
        case [ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr), args=[], keywords=[])] if attr == view:
            return name
    return ""


def is_entry(e: ast.expr, of: str) -> bool:
    """lambda k: d[k]"""
    match e:
        case ast.Lambda(args=ast.arguments(args=[p]), body=body):
            return ast.unparse(body) == f"{of}[{p.arg}]"
    return False


def entry(value: ast.Name, of: str, key: ast.Name) -> ast.stmt:
    """v = d[k]"""
    read = ast.copy_location(ast.Assign([value], expression(f"{of}[{key.id}]", value)), value)
    read.made = True  # type: ignore[attr-defined]
    return read


def put_key(loop: ast.For | ast.comprehension, target: ast.expr, key: ast.Name) -> None:
    """The key alone is the target of a loop, or of the part of it that runs over a dict."""
    match target, loop.iter:
        case ast.Tuple(elts=[number, _]), ast.Call(func=ast.Name(id="enumerate")):
            loop.target = made(ast.Tuple([number, key], ast.Store()), target)
        case _:
            loop.target = key


__all__ = ["write_out"]
