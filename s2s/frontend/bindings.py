"""What each name of one function is bound to, read off its body in one walk.

Asked for name after name (which class has it, over which items does it run), so that the body is not walked for each.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from s2s.frontend.scopes import read_names, string_key


@dataclass
class Bound:
    """What is known of one name."""

    stores: int = 0  # to the name itself, of all kinds
    values: list[ast.expr] = field(default_factory=list)  # of plain assignments
    lists: list[tuple[ast.AST, ast.expr | None]] = field(default_factory=list)  # it is given their items, and by what
    appended: list[ast.expr | None] = field(default_factory=list)  # None for a call of another method
    is_stored_into: bool = False  # by subscripts


class Bindings:
    """By name. Made anew where the body is rewritten."""

    def __init__(self, nodes: Iterable[ast.AST]) -> None:
        """nodes: the `body_nodes` of the function."""
        self.names: dict[str, Bound] = {}
        for n in nodes:
            match n:
                case ast.Name(id=name, ctx=ast.Store()):
                    self[name].stores += 1
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self[name].values.append(value)
                    if isinstance(value, ast.Subscript):
                        self[name].lists.append((n, value.value))
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    self[name].values.append(value)
                case ast.For(target=target, iter=it) | ast.comprehension(target=target, iter=it):
                    for name, items in looped(target, it):
                        self[name].lists.append((n, items))
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr), args=args):
                    self[name].appended.append(args[0] if attr == "append" and len(args) == 1 else None)
                case ast.Subscript(ctx=ast.Store()):
                    self[root_of(n)].is_stored_into = True

    def __getitem__(self, name: str) -> Bound:
        found = self.names.get(name)
        if found is None:
            found = self.names[name] = Bound()
        return found


def is_item(n: ast.AST) -> bool:
    """Whether an assignment of `items[key]` binds one item of a list, by its number."""
    match n:
        case ast.Assign(value=ast.Subscript(slice=key) as value):
            return not isinstance(key, ast.Slice | ast.Tuple) and string_key(value) is None
    return True


def looped(target: ast.expr, it: ast.expr) -> Iterator[tuple[str, ast.expr | None]]:
    """The names that a loop binds, each with the list of which it is given the items, if it is one."""
    match target, it:
        case ast.Name(id=name), _:
            yield name, it
        case ast.Tuple(elts=[first, second]), ast.Call(func=ast.Name(id="enumerate"), args=[items, *_]):
            yield from ((n, None) for n in read_names(first))
            yield from looped(second, items)
        case ast.Tuple(elts=elts), ast.Call(func=ast.Name(id="zip"), args=args) if len(elts) == len(args):
            for t, e in zip(elts, args, strict=True):
                yield from looped(t, e)
        case _:
            yield from ((n, None) for n in read_names(target))


def root_of(node: ast.expr) -> str:
    """The name that a path of attributes and subscripts starts with."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
