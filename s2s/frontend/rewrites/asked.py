"""Whether a function has to know of which class an object is that it is given, or those are in a list or a dict.

    def energy(bodies):
        return sum(b.kinetic() for b in bodies)         what `kinetic` means is known where `energy` is called

Of what only attributes are read, each object has them itself.
"""

from __future__ import annotations

import ast

from s2s.frontend.rewrites import fields
from s2s.frontend.text.bindings import Bindings, is_item, sources
from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.kinds import SPECIAL, Items
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import body_nodes, walk


def asks_for_class(
    names: ModuleNames, function: ast.FunctionDef, param: str, kind: ClassInfo | Items, stack: frozenset[str]
) -> bool:
    """Whether a function calls methods or operators of a parameter, takes it for the tuple that it is, or hands it to a
    function that does; of a list or a dict of objects, whether it does so with its items."""
    cls = kind.of if isinstance(kind, Items) else kind
    operators = any(m in SPECIAL for m in cls.methods)
    nodes = body_nodes(function)
    bindings = Bindings(nodes) if isinstance(kind, Items) else None

    def is_asked(e: ast.expr) -> bool:
        """Whether an expression is the object, or one of those in the list or the dict."""
        if bindings is None:
            return isinstance(e, ast.Name) and e.id == param
        match e:
            case ast.Name(id=name):
                return any(is_list(items) for n, items in bindings[name].lists if is_item(n))
            case ast.Subscript(value=items, slice=key):
                return not isinstance(key, ast.Slice) and is_list(items)
        return False

    def is_list(e: ast.expr | None, seen: frozenset[str] = frozenset()) -> bool:
        match e:
            case ast.Name(id=name) if bindings is not None and name != param and name not in seen:
                return any(is_list(v, seen | {name}) for v in bindings[name].values)
            case ast.Name(id=name):
                return name == param
            case ast.Call(func=ast.Attribute(value=entries, attr="values"), args=[]):
                return is_list(entries, seen)
        return any(is_list(inner, seen) for inner in sources(e))

    for n in nodes:
        if cls.kind == "namedtuple" and bindings is None and fields.takes_items(n, param):
            return True
        match n:
            case ast.Attribute(value=of, attr=attr) if attr in cls.methods and is_asked(of):
                return True
            case ast.BinOp(left=a, right=b) if operators:
                if any(isinstance(e, ast.expr) and is_asked(e) for x in (a, b) for e in walk(x)):
                    return True
            case ast.UnaryOp(operand=of) | ast.Subscript(value=of) | ast.Compare(left=of) if operators and is_asked(of):
                return True
            case ast.Call(func=func, args=args, keywords=keywords):
                if operators and is_asked(func):
                    return True
                called = names.functions.get(func.id) if isinstance(func, ast.Name) else None
                if not isinstance(called, ast.FunctionDef) or called.name in stack:
                    continue
                own = [p.arg for p in (*called.args.posonlyargs, *called.args.args)]
                pairs = [*zip(own, args, strict=False), *((k.arg or "", k.value) for k in keywords)]
                inner: list[tuple[str, ClassInfo | Items]] = [(p, cls) for p, e in pairs if is_asked(e)]
                inner += [(p, kind) for p, e in pairs if isinstance(kind, Items) and is_list(e)]
                if any(asks_for_class(names, called, p, k, stack | {called.name}) for p, k in inner):
                    return True
    return False


__all__ = ["asks_for_class"]
