"""Names of objects that lie in other objects, `p = model.params`: the place is written where they are used.

    p = model.params                    model.h = model.h + dt * model.params.rate
    model.h = model.h + dt * p.rate

So do names of what the methods of an object read of it, once their text stands where they are called. The object that
holds the other one is made here, and nothing behind the name binds it, or the place in it, anew. Of parameters, second
names are known as such (`objects`).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from s2s.frontend.rewrites.objects import READING
from s2s.frontend.text.names import METHODS, MUTATING_METHODS
from s2s.frontend.text.scopes import body_nodes, bound_names, every_block, parameters, walk
from s2s.frontend.text.source import Substitute

if TYPE_CHECKING:
    from s2s.frontend.lowering.normalise import Lowering

LATER = ast.FunctionDef | ast.Lambda | ast.GeneratorExp  # what these read, they may read later


def write_out(lowering: Lowering) -> bool:
    """Changes the body of a function. Whether there was such a name."""
    if not lowering.known_classes():
        return False
    done = False
    for block in every_block(lowering.node.body):
        for s in list(block):
            match s:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Attribute() as place):
                    behind = block[block.index(s) + 1 :]
                    if behind and _Place(lowering, name, place, behind).stays():
                        block.remove(s)
                        for other in behind:
                            Substitute(name, place).visit(other)
                        lowering.forget_bindings()
                        done = True
    return done


class _Place:
    """A name that is bound to a place in an object, and the statements behind that in the same block."""

    def __init__(self, lowering: Lowering, name: str, place: ast.Attribute, behind: list[ast.stmt]) -> None:
        self.lowering, self.name, self.place, self.behind = lowering, name, place, behind
        self.inside = [n for s in behind for n in walk(s)]

    def stays(self) -> bool:
        """Whether the name stands for an object, that of the place, wherever it is read."""
        return self.is_object() and self.is_alone() and not self.is_bound_anew() and not self.may_be_set_by_calls()

    def is_object(self) -> bool:
        path = self.lowering.chain(self.place)
        if path is None or self.lowering.rooted(path)[0] in self.lowering.params:
            return False
        return self.lowering.class_of_value(self.place) is not None

    def is_alone(self) -> bool:
        """Whether the name is bound once, and only read behind that in the same block."""
        every = [n for s in self.lowering.node.body for n in walk(s)]
        names = [n for n in every if isinstance(n, ast.Name) and n.id == self.name]
        uses = [n for n in self.inside if isinstance(n, ast.Name) and n.id == self.name]
        given = {a.arg for n in (self.lowering.node, *every) if isinstance(n, ast.FunctionDef | ast.Lambda)
                 for a in parameters(n)}  # fmt: skip
        late = any(isinstance(n, LATER) and self.name in names_in(n) for n in self.inside)
        shared = any(isinstance(n, ast.Nonlocal | ast.Global) for n in every)
        return bool(uses) and len(names) == len(uses) + 1 and not (self.name in given or late or shared)

    def is_bound_anew(self) -> bool:
        """Whether the statements behind may bind the object that is around, or the place in it, to something else."""
        path = self.lowering.chain(self.place)
        assert path is not None
        if path[0] in bound_names(self.inside) or any(isinstance(n, ast.arg) and n.arg == path[0] for n in self.inside):
            return True
        for n in self.inside:
            if not isinstance(n, ast.Attribute) or isinstance(n.ctx, ast.Load) or n.attr not in path[1:]:
                continue
            other = self.lowering.chain(n)
            if other is None or (other[0] != path[0] and not (self.is_new(other[0]) and self.is_new(path[0]))):
                return True  # it may be the same object, under another name
            if other[0] == path[0] and path[: len(other)] == other:
                return True
        return False

    def is_new(self, name: str) -> bool:
        """Whether a name is only bound to objects that are made for it."""
        values = self.lowering.values_of(name) if name not in self.lowering.params else []
        return bool(values) and all(isinstance(v, ast.Call) and self.lowering.class_of(v.func) for v in values)

    def may_be_set_by_calls(self) -> bool:
        """Whether something that the statements behind may call binds an attribute of this name."""
        path = self.lowering.chain(self.place)
        assert path is not None
        if any(isinstance(n, ast.Attribute) and n.attr == "__init__" for n in self.inside):
            return True
        return any(
            isinstance(n, ast.Attribute)
            and not isinstance(n.ctx, ast.Load)
            and n.attr in path[1:]
            and not (isinstance(f, ast.FunctionDef) and f.name == "__init__" and is_own(n, f))
            for f in self.called()
            for n in walk(f)
        )

    def called(self) -> list[ast.AST]:
        """The functions that the statements behind may call; all there are, where they call one by another name."""
        names, classes = self.lowering.names.functions, self.lowering.known_classes()
        inner = [n for n in body_nodes(self.lowering.node) if isinstance(n, ast.FunctionDef)]
        methods = {n: [c.methods[n] for c in classes if n in c.methods] for c in classes for n in c.methods}
        found: list[ast.AST] = []
        todo = list(self.inside)
        for n in todo:
            new: list[ast.AST]
            match n:
                case ast.Call(func=ast.Name(id=name)) if name in names and not self.lowering.is_local(name):
                    new = [names[name]]
                case ast.Call(func=ast.Attribute(attr=name)) if name in methods:
                    new = [*methods[name]]
                case ast.Call(func=func) if (cls := self.lowering.class_of(func)) is not None:
                    new = [cls.init] if cls.init is not None else []
                case ast.Call(func=func) if not self.is_of_library(func):
                    every = [m for name, ms in methods.items() if name != "__init__" for m in ms]
                    return [*every, *inner, *(f for f in names.values() if f is not self.lowering.node)]
                case _:
                    continue
            new = [f for f in new if f not in found]
            found += new
            todo += [x for f in new for x in walk(f)]
        return found

    def is_of_library(self, func: ast.expr) -> bool:
        """Whether a call is one of a method that arrays, lists or dicts have, or of a function of a library."""
        if isinstance(func, ast.Attribute) and func.attr in METHODS.keys() | MUTATING_METHODS | READING:
            return True
        found = self.lowering.resolve(func)
        return found is not None and found[1] is None and found[0].startswith(("numpy.", "math.", "builtins."))


def is_own(part: ast.Attribute, init: ast.FunctionDef) -> bool:
    """Whether a constructor binds an attribute of the object that it makes: that is a new one."""
    first = parameters(init)[:1]
    return isinstance(part.value, ast.Name) and part.value.id in {p.arg for p in first}


def names_in(node: ast.AST) -> set[str]:
    return {n.id for n in walk(node) if isinstance(n, ast.Name)}


__all__ = ["write_out"]
