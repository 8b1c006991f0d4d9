"""Lists that the function has made: what changes them at their end, and what takes a part of them.

    hs.extend(more)         for v in more: hs.append(v)
    hs.insert(len(hs), h)   hs.append(h)
    h = hs.pop()            h = hs[-1], then hs loses its last item
    hs.copy()               [v for v in hs]
    list(np.exp(x))         [v for v in np.exp(x)]

Other lists are left as they are written.
"""

from __future__ import annotations

import ast

from s2s import ir
from s2s.frontend.lowering.structures import Structures
from s2s.frontend.rewrites.sets import makes_set
from s2s.frontend.rewrites.takes import shortened
from s2s.frontend.text.source import made
from s2s.ir import For, Var


class Lists(Structures):
    """Sugar for lists, in terms of append and of comprehensions."""

    def list_call(self, e: ast.Call) -> bool:
        """A call as a statement that makes a list of the function longer."""
        match e:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name) as grown, attr="extend"),
                args=[ast.expr() as more],
                keywords=[],
            ) if self.grows(grown) and not isinstance(more, ast.Starred):
                self.extend(name, more)
                return True
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name) as grown, attr="insert"),
                args=[ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=measured)]), item],
                keywords=[],
            ) if self.grows(grown) and measured == name and self.is_plain("len"):
                self.emit(ir.Append(self.variable(name), self.atom(item), self.origin))
                return True
        if (shorter := shortened(e)) and self.is_shrunk(shorter):
            array = self.variable(shorter.id)
            self.emit(ir.Shrink(array, ir.Index(Var(array), ir.Const(-1)), self.origin))
            return True
        return False

    def is_shrunk(self, name: ast.Name) -> bool:
        """Whether a local name is bound to what may be a list, so that it may become shorter, or longer: later it is
        seen whether it is one. A parameter is, where it has been bound to a list of its own.

        Not in a try: its handlers run where the list has no item.
        """
        is_set = any(v is not None and makes_set(v) for v in self.name_bindings[name.id].values)
        own = name.id not in self.params or self.grows(name)
        return self.is_local(name.id) and not self.kept and own and not is_set

    def extend(self, name: str, more: ast.expr, joined: bool = False) -> None:
        """Appends each item; they are evaluated before the list changes.

        joined: whether by `hs += more`, which is a sum where `more` is an array: NumPy's `__radd__` is asked first.
        """
        array = self.variable(name)
        match more:
            case ast.List(elts=elts) | ast.Tuple(elts=elts) if not any(isinstance(e, ast.Starred) for e in elts):
                for item in [self.atom(e) for e in elts]:
                    self.emit(ir.Append(array, item, self.origin))
                return
            case ast.ListComp() | ast.GeneratorExp():
                more = made(ast.ListComp(more.elt, more.generators), more)
            case ast.Name(id=other) if other == name:  # a.extend(a)
                more = self.copy_of(more)
        items = self.run_over(more, ())
        if joined and isinstance(items, Var | ir.Index | ir.Attribute):
            is_array = ir.Op("builtins.hasattr", (items, ir.Const("dtype")), spelling="hasattr")
            self.emit(ir.Inert("assert", (ir.Op("operator.not", (is_array,)),), self.origin))
        v = Var(self.fresh("item"))
        body = self.captured(lambda: self.emit(ir.Append(array, v, self.origin)))
        self.emit(For(v, items, body, self.origin))

    def part_of_list(self, e: ast.expr) -> ast.expr | None:
        """A slice or a copy of a list that the function has made, as a comprehension."""
        if getattr(e, "of_dict", False):  # the keys of a dict
            return None
        match e:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name) as array, attr="copy"), args=[], keywords=[]):
                return self.copy_of(array) if name in self.only_lists or self.is_stated_list(name) else None
            case ast.Call(func=ast.Name(id="list"), args=[ast.Name(id=name) as array], keywords=[]):
                return self.copy_of(array) if name in self.only_lists and self.is_plain("list") else None
            case ast.Call(
                func=ast.Name(id="list"),
                args=[ast.Subscript(value=ast.Name(id=name), slice=ast.Slice()) as array],
                keywords=[],
            ) if name not in self.params:
                return self.copy_of(array) if self.is_plain("list") else None
            case ast.Call(func=ast.Name(id="list"), args=[array], keywords=[]) if self.gives_items(array):
                return self.copy_of(array) if self.is_plain("list") else None
        return None

    def gives_items(self, e: ast.expr) -> bool:
        """Whether an expression is an array, or an item of something, so that a list of it is one of its items."""
        match e:
            case ast.BinOp() | ast.UnaryOp() | ast.Subscript(slice=ast.Constant() | ast.Name() | ast.Tuple()):
                return True
            case ast.Attribute(attr="T" | "real" | "imag"):
                return True
            case ast.Subscript(value=inner):
                return self.gives_items(inner)
            case ast.Call(func=func):
                found = self.resolve(func)
                if found is None or found[0] == "numpy.ndindex":
                    return False
                return found[0].startswith(("numpy.", "local.", "helper."))
        return False

    def is_plain(self, name: str) -> bool:
        return self.resolve(ast.Name(name, ast.Load())) == (f"builtins.{name}", None)

    def copy_of(self, array: ast.expr) -> ast.expr:
        target, v = made(ast.Name("v", ast.Store()), array), made(ast.Name("v", ast.Load()), array)
        return made(ast.ListComp(v, [ast.comprehension(target, array, [], 0)]), array)

    def assign(self, target: str, value: ast.expr) -> None:
        if (shorter := shortened(value)) and self.is_shrunk(shorter):
            array = self.variable(shorter.id)
            item = ir.Index(Var(array), ir.Const(-1))
            self.set(target, item)
            self.emit(ir.Shrink(array, item, self.origin))
            return
        written = self.part_of_list(value)
        super().assign(target, value if written is None else written)

    def value(self, node: ast.expr) -> ir.Expr:
        written = self.part_of_list(node)
        return super().value(node if written is None else written)
