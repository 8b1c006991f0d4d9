"""Methods of the items of a parameter whose class has others below it, with methods of their own: a branch for each.

    def f(items: list[Base], x):        for it in items:
        for it in items:                    if type(it).cost is Quad.cost:
            t += it.cost(x)                     t += Quad.cost(it, x)
                                            else:
                                                t += it.cost(x)

In the last branch the method is that of the stated class, which the output asserts. Methods that change their object
are left alone.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable

from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import body_nodes, every_block, parameters, walk
from s2s.frontend.text.source import Note, expression, made

LISTS = frozenset(["list", "tuple", "Sequence", "Iterable", "Collection", "List", "Tuple"])
SIMPLE = (ast.Assign, ast.AugAssign, ast.Expr)
MOST = 6  # branches


def write_out(function: ast.FunctionDef, names: ModuleNames, notes: Callable[[], dict[int, Note]]) -> None:
    """Changes the body of a function."""
    stated = {p.arg: cls for p in parameters(function) if (cls := class_of_items(p.annotation, names)) is not None}
    items = names_of_items(function, stated) if stated else {}
    for block in list(every_block(function.body)) if items else ():
        for at, s in reversed(list(enumerate(block))):
            call = alone(s, items)
            if call is None:
                continue
            assert isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name)
            item, attr = call.func.value.id, call.func.attr
            branch: list[ast.stmt] = [s]
            call.dispatched = True  # type: ignore[attr-defined]
            for owner in overriding(items[item], attr, names):
                new = copy.deepcopy(s)
                found = next(n for n in walk(new) if getattr(n, "dispatched", False))
                assert isinstance(found, ast.Call)
                found.func = expression(f"{owner}.{attr}", found)
                found.args.insert(0, made(ast.Name(item, ast.Load()), found))
                made(found, found)
                if id(s) in notes():
                    notes()[id(new)] = notes()[id(s)]
                test = expression(f"type({item}).{attr} is {owner}.{attr}", call)
                branch = [made(ast.If(test, [new], branch), s)]
            block[at : at + 1] = branch


def class_of_items(annotation: ast.expr | None, names: ModuleNames) -> ClassInfo | None:
    """The class of `list[Base]`, where the module has classes below it."""
    match annotation:
        case ast.Subscript(value=ast.Name(id=of) | ast.Attribute(attr=of), slice=held) if of in LISTS:
            first = held.elts[0] if isinstance(held, ast.Tuple) and of in ("tuple", "Tuple") else held
            cls = names.classes.get(first.id) if isinstance(first, ast.Name) else None
            if cls is not None and cls.is_known and any(cls.name in c.line[1:] for c in names.classes.values()):
                return cls
    return None


def names_of_items(function: ast.FunctionDef, stated: dict[str, ClassInfo]) -> dict[str, ClassInfo]:
    """The variables of loops over the parameters, that nothing else is bound to."""
    nodes = body_nodes(function)
    stores = [n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)]
    found: dict[str, ClassInfo] = {}
    for n in nodes:
        match n:
            case ast.For(target=target, iter=over):
                pass
            case _:
                continue
        match target, over:
            case ast.Tuple(elts=[_, inner]), ast.Call(func=ast.Name(id="enumerate"), args=[of]):
                pairs = [(inner, of)]
            case ast.Tuple(elts=parts), ast.Call(func=ast.Name(id="zip"), args=args) if len(parts) == len(args):
                pairs = list(zip(parts, args, strict=True))
            case inner, ast.Call(func=ast.Name(id="reversed"), args=[of]):
                pairs = [(inner, of)]
            case pair:
                pairs = [pair]
        for inner, of in pairs:
            name = inner.id if isinstance(inner, ast.Name) and stores.count(inner.id) == 1 else ""
            if name and isinstance(of, ast.Name) and of.id in stated.keys() - set(stores):
                found[name] = stated[of.id]
    return found


def alone(s: ast.stmt, items: dict[str, ClassInfo]) -> ast.Call | None:
    """The only call of a method of an item in a simple statement, which nothing computes later."""
    if not isinstance(s, SIMPLE):
        return None
    calls: list[ast.Call] = []
    for n in walk(s):
        match n:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name))) if name in items:
                if getattr(n, "dispatched", False):
                    return None
                calls.append(n)
            case ast.Lambda() | ast.ListComp() | ast.GeneratorExp() | ast.SetComp() | ast.DictComp() | ast.NamedExpr():
                return None
    return calls[0] if len(calls) == 1 else None


def overriding(cls: ClassInfo, attr: str, names: ModuleNames) -> list[str]:
    """The classes below one that have another method of this name, none of which changes its object."""
    below = [c for c in names.classes.values() if cls.name in c.line[1:] and not c.prefix and c.is_known]
    found: dict[int, str] = {}
    for c in below:
        method = c.methods.get(attr)
        if method is None or method is cls.methods.get(attr):
            continue
        if attr in c.statics | c.class_methods | c.properties | c.strange or stores_parts(method):
            return []
        found.setdefault(id(method), next(n for n in c.line if names.classes[n].methods.get(attr) is method))
    own = cls.methods.get(attr)
    return [*found.values()] if own is not None and not stores_parts(own) and len(found) <= MOST else []


def stores_parts(method: ast.FunctionDef) -> bool:
    """Whether a method binds attributes or items, or calls a method of its object."""
    own = {p.arg for p in parameters(method)[:1]}
    for n in walk(method):
        match n:
            case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del()):
                return True
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name))) if name in own:
                return True
    return False
