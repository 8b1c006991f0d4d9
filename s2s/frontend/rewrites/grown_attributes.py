"""Lists that are attributes of objects in a list, and get longer or shorter: the attribute is bound to a new list.

    cells[i].near.append(j)         cells[i].near = [*cells[i].near, j]
    layer.cache.extend(more)        layer.cache = [*layer.cache, *more]
    x = layer.cache.pop()           x = layer.cache[-1]
                                    layer.cache = layer.cache[:-1]

A new list is the same as the changed one where nothing else has it: each is made for its object, and is only read item
by item, run over, measured and summed. Lists of a single object have names (`holders`), lists in lists are slots
(`rows`).
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable

from s2s.frontend.text.classes import ClassInfo, is_made_anew
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import body_nodes, children, full_path, rewritten, walk
from s2s.frontend.text.source import expression, made

CHANGES = {"append": 1, "extend": 1, "pop": 0}  # methods, and how many arguments they take
READING = frozenset(
    ["all", "any", "enumerate", "len", "list", "max", "min", "reversed", "sorted", "sum", "tuple", "zip"]
)


def write_out(function: ast.FunctionDef, is_item: Callable[[ast.expr], bool], module: ModuleNames) -> bool:
    """Changes the body of a function. is_item: whether an expression is an object that is no variable of its own.
    Whether there was such a list."""
    nodes = body_nodes(function)
    attrs = {of.attr for n in nodes if (of := changed(n)) is not None and is_item(of.value)}
    attrs = {attr for attr in attrs if is_alone(attr, nodes, module)}
    if not attrs:
        return False

    def statement(s: ast.stmt) -> list[ast.stmt]:
        match s:
            case ast.Expr(value=call) | ast.Assign(value=call):
                of = changed(call)
                if of is None or of.attr not in attrs or not is_item(of.value):
                    return [s]
            case _:
                return [s]
        assert isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
        text = ast.unparse(of)
        target = copy.deepcopy(of)
        target.ctx = ast.Store()
        match call.func.attr, s:
            case "append" | "extend" as method, ast.Expr():
                star = "*" if method == "extend" else ""
                value = expression(f"[*{text}, {star}{ast.unparse(call.args[0])}]", s)
                return [ast.copy_location(ast.Assign([made(target, of)], value), s)]
            case "pop", ast.Assign():
                s.value = expression(f"{text}[-1]", call)
                return [s, made(ast.Assign([made(target, of)], expression(f"{text}[:-1]", s)), s)]
        return [s]

    function.body[:] = rewritten(function.body, statement)
    return True


def changed(n: ast.AST) -> ast.Attribute | None:
    """The list that a call makes longer or shorter, where that is an attribute."""
    match n:
        case ast.Call(func=ast.Attribute(value=ast.Attribute() as of, attr=attr), args=args, keywords=[]):
            if CHANGES.get(attr) == len(args) and not any(isinstance(a, ast.Starred) for a in args):
                return of
    return None


def is_alone(attr: str, nodes: list[ast.AST], module: ModuleNames) -> bool:
    """Whether all lists under an attribute are made for it, and nothing else has one of them."""
    owners = [cls for cls in module.classes.values() if attr in cls.fields]
    if not all(cls.init is not None or begins_new(cls, attr, nodes) for cls in owners):
        return False
    inits = [cls.init for cls in owners]
    in_inits = [n for init in inits if init is not None for s in init.body for n in walk(s)]
    parents = {id(c): n for n in (*nodes, *in_inits) for c in children(n)}
    for n in (*nodes, *in_inits):
        if not isinstance(n, ast.Attribute) or n.attr != attr:
            continue
        match up := parents.get(id(n)):
            case ast.Assign(targets=[target], value=ast.List() | ast.ListComp()) if target is n:
                pass
            case ast.Attribute() if changed(parents.get(id(up), up)) is n:
                pass
            case ast.Subscript(value=value, ctx=ast.Load()) if value is n:
                pass
            case ast.For(iter=it, body=body) if it is n:
                if any((of := changed(x)) is not None and of.attr == attr for inner in body for x in walk(inner)):
                    return False  # the loop sees what is appended
            case ast.comprehension(iter=it) if it is n:
                pass
            case ast.Call(func=func) if func is not n:
                path = full_path(func, module.imports.names)
                if path not in READING and not path.startswith("numpy."):
                    return False
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) if test is n:
                pass
            case ast.UnaryOp(op=ast.Not()):
                pass
            case _:
                return False
    return True


def begins_new(cls: ClassInfo, attr: str, nodes: list[ast.AST]) -> bool:
    """Whether each object of a dataclass that is made here gets a new list under an attribute: none is handed over."""
    default = cls.fields[attr].default
    if cls.kind != "dataclass" or default is None or not is_made_anew(default):
        return False
    if ast.unparse(default) not in ("[]", "list()"):
        return False  # what a factory of the user's gives may be one list for all
    at = [*cls.fields].index(attr)
    for n in nodes:
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name | ast.Attribute):
            named = n.func.id if isinstance(n.func, ast.Name) else n.func.attr
            if named in (cls.name, "replace") and (len(n.args) > at or any(k.arg in (attr, None) for k in n.keywords)):
                return False
    return not any(isinstance(n, ast.Name) and n.id == cls.name and not is_called(n, nodes) for n in nodes)


def is_called(name: ast.Name, nodes: list[ast.AST]) -> bool:
    return any(isinstance(n, ast.Call) and n.func is name for n in nodes)


__all__ = ["write_out"]
