"""Methods of objects as values, as the functions that they are.

    step = self.step                    step = lambda x: self.step(x)
    rk4(body.rhs, y, h)                 rk4(lambda t, y: body.rhs(t, y), y, h)
    rhs = Body(k).rhs                   body = Body(k)
                                        rhs = lambda t, y: body.rhs(t, y)

The object stays the one that the name has: a receiver that is bound again is left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TYPE_CHECKING

from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.function_bodies import is_fixed
from s2s.frontend.text.scopes import body_nodes, bound_names, children, every_block, new_name, parameters, walk
from s2s.frontend.text.source import made

if TYPE_CHECKING:
    from s2s.frontend.lowering.normalise import Lowering

SCOPES = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ListComp | ast.GeneratorExp | ast.DictComp


def write_out(lowering: Lowering) -> bool:
    """Changes the body of a function. Whether there was such a value."""
    methods = {name for cls in lowering.known_classes() for name in cls.methods}
    nodes = [n for s in lowering.node.body for n in walk(s)]
    if not any(isinstance(n, ast.Attribute) and n.attr in methods for n in nodes):
        return False
    work = _Bound(lowering, nodes)
    for s in lowering.node.body:
        work.visit(s)
    return work.done


def name_receivers(function: ast.FunctionDef, classes: Mapping[str, ClassInfo]) -> None:
    """Gives an object a name that is made for its method alone: `step = Integrator(h).step`."""
    taken = {n.id for n in walk(function) if isinstance(n, ast.Name)} | {p.arg for p in parameters(function)}
    own = bound_names(body_nodes(function))
    for block in every_block(function.body):
        for at in reversed(range(len(block))):
            match block[at]:
                case ast.Assign(
                    value=ast.Attribute(value=ast.Call(func=ast.Name(id=cls)) as call, attr=attr) as value
                ) if cls in classes and cls not in own and attr in classes[cls].methods:
                    name = new_name(taken, cls.lower())
                    value.value = made(ast.Name(name, ast.Load()), call)
                    first = ast.copy_location(ast.Assign([made(ast.Name(name, ast.Store()), call)], call), call)
                    first.made = True  # type: ignore[attr-defined]
                    block.insert(at, first)


def method_of(e: ast.AST) -> ast.Attribute | None:
    """The method that a lambda stands for."""
    return getattr(e, "method", None)


class _Bound(ast.NodeTransformer):
    def __init__(self, lowering: Lowering, nodes: list[ast.AST]) -> None:
        self.lowering = lowering
        self.done = False
        self.called = {id(n.func) for n in nodes if isinstance(n, ast.Call)}
        self.called |= {id(n.value) for n in nodes if isinstance(n, ast.Attribute | ast.Subscript)}
        inner = [c for n in nodes if isinstance(n, SCOPES) for c in children(n) if isinstance(c, ast.arguments)]
        self.hidden = {a.arg for c in inner for a in walk(c) if isinstance(a, ast.arg)}

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Attribute(value=ast.Name(id=name) as receiver, attr=attr, ctx=ast.Load()):
                cls = self.class_of(receiver)
                if id(node) in self.called or cls is None or attr not in cls.methods:
                    return node
                if name in self.hidden or attr in cls.strange | cls.properties | cls.class_methods:
                    return node
                return self.function(node, cls.methods[attr], attr in cls.statics) or node
        return node

    def class_of(self, receiver: ast.Name) -> ClassInfo | None:
        """The class of an object whose name has one value."""
        if self.lowering.name_bindings[receiver.id].stores > (receiver.id not in self.lowering.params):
            return None
        if receiver.id not in self.lowering.bound:
            return self.lowering.typed.get(receiver.id)
        return self.lowering.class_of_value(receiver)

    def function(self, node: ast.Attribute, method: ast.FunctionDef, static: bool) -> ast.Lambda | None:
        """A lambda that calls a method; none of one that takes any number of arguments."""
        a = method.args
        defaults = [*a.defaults, *(d for d in a.kw_defaults if d is not None)]
        if a.vararg or a.kwarg or not all(map(is_fixed, defaults)):
            return None
        own = [*a.posonlyargs, *a.args][not static :]
        if isinstance(node.value, ast.Name) and node.value.id in {p.arg for p in (*own, *a.kwonlyargs)}:
            return None
        given: list[ast.expr] = [made(ast.Name(p.arg, ast.Load()), node) for p in own]
        named = [made(ast.keyword(p.arg, made(ast.Name(p.arg, ast.Load()), node)), node) for p in a.kwonlyargs]
        args = ast.arguments(
            [],
            [ast.copy_location(ast.arg(p.arg), node) for p in own],
            None,
            [ast.copy_location(ast.arg(p.arg), node) for p in a.kwonlyargs],
            a.kw_defaults,
            None,
            a.defaults[-len(own) :] if own else [],
        )
        self.called.add(id(node))
        self.done = True
        call = made(ast.Call(node, given, named), node)
        out = made(ast.Lambda(args, call), node)
        out.method = node  # type: ignore[attr-defined]
        return out
