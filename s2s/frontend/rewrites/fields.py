"""Named tuples used as the tuples that they are: by number, in loops, in calls that take a sequence.

    p[0] + p[-1]            p.x + p.y
    for v in p:             for v in (p.x, p.y):
    for x, y in ps:         for p in ps:                        of a list of them
                                x = p.x; y = p.y
    sum(p), g(*p)           sum((p.x, p.y)), g(p.x, p.y)
    len(p)                  2
    x, y = Point(a, b)      x, y = a, b
    middle(p, q)[0]         middle(p, q).x
    s = p; s = step(s)      s = Point(p.x, p.y); s = step(s)

They can't be changed, so that their fields are the same wherever they are read.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, cast

from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.function_bodies import Exchanged
from s2s.frontend.text.scopes import SCOPES, dotted, is_bound, new_name, walk
from s2s.frontend.text.source import made

if TYPE_CHECKING:
    from s2s.frontend.lowering.normalise import Lowering

OVER_ITEMS = frozenset(
    f"builtins.{name}" for name in ("enumerate", "list", "max", "min", "reversed", "sorted", "sum", "tuple", "zip")
) | frozenset(["math.fsum", "math.prod"])
INNER = (*SCOPES, ast.comprehension)
OWN = frozenset(["__iter__", "__getitem__", "__len__"])


def write_out(lowering: Lowering) -> bool:
    """Changes the body of a function. Whether there was such a use."""
    if not any(c.kind == "namedtuple" for c in lowering.known_classes()):
        return False
    work = _Fields(lowering)
    lowering.node.body[:] = [cast(ast.stmt, work.visit(s)) for s in lowering.node.body]
    return work.done


class _Fields(ast.NodeTransformer):
    def __init__(self, lowering: Lowering) -> None:
        self.lowering = lowering
        self.done = False
        self.taken = lowering.locals | {n.id for n in walk(lowering.node) if isinstance(n, ast.Name)}
        every = [n for s in lowering.node.body for n in walk(s)]  # names of inner scopes are not those of the function
        inner = [n.target if isinstance(n, ast.comprehension) else n for n in every if isinstance(n, INNER)]
        names = [n for i in inner for n in walk(i)]
        self.hidden = {n.id for n in names if isinstance(n, ast.Name) and is_bound(n)}
        self.hidden |= {n.arg for n in names if isinstance(n, ast.arg)}
        self.apart = {  # parameters that are made again, so that only their fields are read
            n.value.id for n in every if isinstance(n, ast.Assign) and isinstance(n.value, ast.Name) and self.starts(n)
        }

    def fields(self, node: ast.expr) -> list[ast.expr] | None:
        """The fields of a named tuple that has a name, one by one."""
        root = node.value if isinstance(node, ast.Subscript) else node  # an item of a list of them
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name) or root.id in self.hidden:
            return None
        cls = self.class_of(node)
        if cls is None or cls.kind != "namedtuple" or not cls.is_known or OWN & cls.methods.keys():
            return None
        return [made(ast.Attribute(node, name, ast.Load()), node) for name in cls.fields]

    def class_of(self, node: ast.expr) -> ClassInfo | None:
        match node:
            case ast.Name(id=name) if name not in self.lowering.bound:
                return self.lowering.typed.get(name)
            case ast.Subscript(value=items, slice=key) if isinstance(key, ast.Name | ast.Constant | ast.UnaryOp):
                return self.lowering.class_of_item(items)
        return self.lowering.class_of_value(node)

    def result(self, node: ast.expr) -> list[str] | None:
        """The names of the fields of a named tuple that a call makes."""
        cls = self.lowering.class_of_result(node) if isinstance(node, ast.Call) else None
        if cls is None or cls.kind != "namedtuple" or not cls.is_known or OWN & cls.methods.keys():
            return None
        return [*cls.fields]

    def unpacked(self, s: ast.Assign) -> bool:
        """x, y = Point(1.0, u)"""
        call = s.value
        cls = self.lowering.class_of(call.func) if isinstance(call, ast.Call) else None
        names = self.result(call)
        if cls is None or names is None or not isinstance(call, ast.Call):
            return False
        given = dict(zip(names, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
        spread = any(isinstance(a, ast.Starred) for a in call.args) or not all(k.arg for k in call.keywords)
        if spread or given.keys() != {*names}:
            return False
        s.value = made(ast.Tuple([given[n] for n in names], ast.Load()), s)
        return True

    def display(self, node: ast.expr) -> ast.expr:
        """What a loop or a call runs over."""
        each = self.fields(node)
        if each is None:
            return node
        self.done = True
        return made(ast.Tuple(each, ast.Load()), node)

    def item_of(self, target: ast.expr, it: ast.expr, taken: dict[str, ast.expr]) -> ast.expr:
        """The target of a loop with a name for each named tuple that is taken apart there, out of a list of them.

        taken: is given its fields by the names that the loop has for them.
        """
        match target, it:
            case ast.Tuple(elts=[number, item]), ast.Call(func=ast.Name(id="enumerate"), args=[items, *_]):
                return made(ast.Tuple([number, self.item_of(item, items, taken)], ast.Store()), target)
            case ast.Tuple(elts=elts), ast.Call(func=ast.Name(id="zip"), args=args):
                if len(elts) != len(args):
                    return target
                each = [self.item_of(t, e, taken) for t, e in zip(elts, args, strict=True)]
                return made(ast.Tuple(each, ast.Store()), target)
            case ast.Tuple(elts=elts), _:
                cls = self.lowering.class_of_item(it)
                if cls is None or cls.kind != "namedtuple" or not cls.is_known or OWN & cls.methods.keys():
                    return target
                names = [e.id for e in elts if isinstance(e, ast.Name)]
                if len({*names}) < len(elts) or len(names) != len(cls.fields):
                    return target
                own = new_name(self.taken, cls.name.lower())
                item = made(ast.Name(own, ast.Load()), target)
                for n, field in zip(names, cls.fields, strict=True):
                    taken[n] = made(ast.Attribute(item, field, ast.Load()), target)
                self.done = True
                return made(ast.Name(own, ast.Store()), target)
        return target

    def spread(self, args: list[ast.expr]) -> list[ast.expr]:
        out: list[ast.expr] = []
        for a in args:
            each = self.fields(a.value) if isinstance(a, ast.Starred) and isinstance(a.ctx, ast.Load) else None
            self.done |= each is not None
            out += [a] if each is None else each
        return out

    def visit(self, node: ast.AST) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.For(target=target, iter=it):
                node.iter = self.display(it)
                taken: dict[str, ast.expr] = {}
                node.target = self.item_of(target, it, taken)
                parts = [made(ast.Assign([made(ast.Name(n, ast.Store()), e)], e), e) for n, e in taken.items()]
                node.body[:0] = parts
            case ast.comprehension(iter=it):
                node.iter = self.display(it)
            case ast.ListComp(generators=generators) | ast.GeneratorExp(generators=generators):
                taken = {}
                for g in generators:
                    g.target = self.item_of(g.target, g.iter, taken)
                work = Exchanged(taken)
                for g in generators if taken else ():
                    g.ifs = [cast(ast.expr, work.visit(e)) for e in g.ifs]
                    g.iter = (
                        g.iter if g is generators[0] else work.visit(g.iter)
                    )  # the first does not see the variables
                node.elt = work.visit(node.elt)
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                node.elts = [self.anew(e) for e in self.spread(elts)]
            case ast.Call(func=ast.Attribute(attr="append"), args=[item]):
                node.args = [self.anew(item)]
            case ast.Call(func=ast.Name(id="len"), args=[whole], keywords=[]) if not self.lowering.is_local("len"):
                each = self.fields(whole)
                if each is not None:
                    self.done = True
                    return made(ast.Constant(len(each)), node)
            case ast.Call(func=func, args=args):
                node.args = self.spread(args)
                found = self.lowering.resolve(func)
                if found is not None and (found[0] in OVER_ITEMS or found[0].startswith("numpy.")):
                    node.args = [self.display(a) for a in node.args]
            case ast.Subscript(value=whole, slice=key, ctx=ast.Load()):
                return self.item(node, whole, key)
            case ast.Assign(targets=[ast.Tuple() | ast.List()]):
                self.done |= self.unpacked(node)
            case ast.Assign(value=ast.Name() as whole):
                if self.starts(node) and (again := self.made_again(whole)) is not None:
                    node.value = again
                    self.done = True
            case ast.Assert(test=ast.Compare(ast.Constant(n), ops, others)) if all(
                isinstance(op, ast.Eq) and isinstance(e, ast.Constant) and e.value == n
                for op, e in zip(ops, others, strict=True)
            ):  # of lengths that are known
                return made(ast.Pass(), node)
        return node

    def starts(self, s: ast.Assign) -> bool:
        """Whether a name gets a parameter first, and others later."""
        target = s.targets[0]
        return isinstance(target, ast.Name) and self.lowering.name_bindings[target.id].stores > 1

    def anew(self, item: ast.expr) -> ast.expr:
        """An item of a list, beside a name that is made again of the same parameter."""
        again = self.made_again(item) if isinstance(item, ast.Name) and item.id in self.apart else None
        return item if again is None else again

    def made_again(self, whole: ast.Name) -> ast.expr | None:
        """A named tuple that is a parameter, made once more under another name that is bound to others later."""
        cls = self.lowering.typed.get(whole.id) if whole.id not in self.lowering.bound else None
        each = self.fields(whole)
        if cls is None or each is None or cls.path:
            return None
        return made(ast.Call(ast.Name(cls.name, ast.Load()), each, []), whole)

    def item(self, node: ast.Subscript, whole: ast.expr, key: ast.expr) -> ast.expr:
        names, each = self.result(whole), self.fields(whole)
        if names is not None and (k := whole_number(key)) is not None and -len(names) <= k < len(names):
            self.done = True
            return made(ast.Attribute(whole, names[k], ast.Load()), node)
        if each is None:
            return node
        self.done = True
        match key:
            case ast.Slice(lower=lower, upper=upper, step=step):
                part = [0 if bound is None else whole_number(bound) for bound in (lower, upper, step)]
                if None not in part:
                    cut = slice(*(None if b is None else p for b, p in zip((lower, upper, step), part, strict=True)))
                    return made(ast.Tuple(each[cut], ast.Load()), node)
            case _:
                at = whole_number(key)
                if at is not None and -len(each) <= at < len(each):
                    return each[at]
        node.value = made(ast.Tuple(each, ast.Load()), whole)
        return node


def takes_items(n: ast.AST, name: str) -> bool:
    """Whether an expression or a statement takes the items of what has this name, as those of a tuple."""
    match n:
        case (
            ast.Subscript(value=ast.Name(id=of))
            | ast.Starred(value=ast.Name(id=of))
            | ast.For(iter=ast.Name(id=of))
            | ast.comprehension(iter=ast.Name(id=of))
            | ast.Assign(targets=[ast.Tuple() | ast.List()], value=ast.Name(id=of))
        ):
            return of == name
        case ast.Call(func=func, args=args):
            path = dotted(func) or [""]
            over = len(path) > 1 or path[0] == "len" or f"builtins.{path[0]}" in OVER_ITEMS
            return over and any(isinstance(a, ast.Name) and a.id == name for a in args)
    return False


def whole_number(e: ast.expr) -> int | None:
    """The value of `2` or `-1`."""
    match e:
        case ast.Constant(value=int(n)) if not isinstance(n, bool):
            return n
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(n))):
            return -n
    return None


__all__ = ["takes_items", "write_out"]
