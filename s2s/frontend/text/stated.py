"""Annotations of lists of objects, with the fields that the objects have: what is known of an item is known of all.

    list[Body]              list[Object[m: float, v: float]]

`pragma` reads the kinds of the items off it, as it does of `list[float]`. A class that others inherit from stays a
name, as its objects may be of these; so does one within itself.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.scopes import dotted
from s2s.frontend.text.source import made

OBJECT = "Object"
HOLDING = frozenset(["list", "List", "tuple", "Tuple", "Sequence"])
ClassOf = Callable[[ast.expr], ClassInfo | None]


def with_fields(text: str, class_of: ClassOf, is_base: Callable[[ClassInfo], bool]) -> str:
    """The text of an annotation with the fields of the classes of what lies in lists; "" where there are none."""
    work = _Fields(class_of, is_base)
    whole = work.parsed(text)
    if whole is None:
        return ""
    whole = work.anywhere(whole)
    return ast.unparse(whole) if work.done else ""


class _Fields:
    def __init__(self, class_of: ClassOf, is_base: Callable[[ClassInfo], bool]) -> None:
        self.class_of, self.is_base = class_of, is_base
        self.done = False
        self.inside: list[str] = []  # the classes whose fields are being written

    def parsed(self, text: str) -> ast.expr | None:
        try:
            return ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError):
            return None

    def anywhere(self, e: ast.expr) -> ast.expr:
        """A type that is that of no item of a list."""
        match e:
            case ast.Constant(value=str() as text) if (inner := self.parsed(text)) is not None:
                return self.anywhere(inner)
            case ast.Subscript(value=value, slice=inner) if (path := dotted(value)) is not None:
                e.slice = self.each(inner, self.item if path[-1] in HOLDING else self.anywhere)
            case ast.BinOp(left=a, right=b):
                e.left, e.right = self.anywhere(a), self.anywhere(b)
        return e

    def item(self, e: ast.expr) -> ast.expr:
        match e:
            case ast.Constant(value=str() as text) if (inner := self.parsed(text)) is not None:
                return self.item(inner)
        cls = None if isinstance(e, ast.BinOp) else self.class_of(e)  # no object may be None
        return self.fields(cls, e) if cls is not None and self.is_plain(cls) else self.anywhere(e)

    def each(self, e: ast.expr, of: Callable[[ast.expr], ast.expr]) -> ast.expr:
        if not isinstance(e, ast.Tuple):
            return of(e)
        e.elts = [of(x) for x in e.elts]
        return e

    def is_plain(self, cls: ClassInfo) -> bool:
        """Whether the fields of the objects that are said to be of a class are known."""
        known = cls.is_known and cls.kind != "namespace" and bool(cls.fields)
        return known and cls.name not in self.inside and not self.is_base(cls)

    def fields(self, cls: ClassInfo, at: ast.expr) -> ast.expr:
        self.done = True
        self.inside.append(cls.name)
        parts: list[ast.expr] = []
        for name, field in cls.fields.items():
            note = self.parsed(field.annotation or "Any")
            kind = self.item(note) if note is not None else ast.Name("Any", ast.Load())
            parts.append(ast.Slice(ast.Name(name, ast.Load()), kind))
        self.inside.pop()
        return made(ast.Subscript(ast.Name(OBJECT, ast.Load()), ast.Tuple(parts, ast.Load())), at)


__all__ = ["OBJECT", "with_fields"]
