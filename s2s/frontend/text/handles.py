"""Modules by what gives them, `sys.modules["layers"]` or `importlib.import_module("layers")`, as names of imports."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from s2s.frontend.text.scopes import full_path, walk

EVERY = "*"  # the path of a module that the text does not name: it may be any
MODULES = "sys.modules"
GIVERS = frozenset(["importlib.import_module", "__import__", "builtins.__import__", f"{MODULES}.get"])


class Handles(ast.NodeTransformer):
    """found: the names that stand in the tree for modules, and their paths; bound: those of what is replaced."""

    def __init__(self, imports: Mapping[str, str]) -> None:
        self.imports = imports
        self.found: dict[str, str] = {}
        self.bound: set[str] = set()

    def handle(self, path: str, node: ast.expr) -> ast.expr:
        name = f"module {path.replace('.', '/')}"  # no name of the user's
        self.found[name] = path
        return ast.copy_location(ast.Name(name, ast.Load()), node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if full_path(node.value, self.imports) != MODULES:
            return self.generic_visit(node)
        if isinstance(node.slice, ast.Name) and node.slice.id == "__name__":  # the module itself: see `names`
            return node
        handle = self.handle(text_of(node.slice) or EVERY, node)
        if isinstance(node.ctx, ast.Store) and text_of(node.slice):  # a name that is computed is taken for a new one
            assert isinstance(handle, ast.Name)
            self.bound.add(handle.id)
        return handle

    def visit_Call(self, node: ast.Call) -> ast.AST:
        called = full_path(node.func, self.imports)
        if called not in GIVERS:
            return self.generic_visit(node)
        path = text_of(node.args[0]) if node.args else ""
        if path.startswith(".") and not any(isinstance(a, ast.Name) for a in node.args[1:]):
            path = ""  # relative to a package that is none of `__package__` and `__name__`
        if called.endswith("__import__") and len(node.args) == 1 and not node.keywords:
            path = path.partition(".")[0]
        return self.handle(path or EVERY, node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """`"layers" in sys.modules` asks only."""
        node.left = self.visit(node.left)
        node.comparators = [c if full_path(c, self.imports) == MODULES else self.visit(c) for c in node.comparators]
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return self.handle(EVERY, node) if full_path(node, self.imports) == MODULES else self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self.handle(EVERY, node) if self.imports.get(node.id) == MODULES else node


def text_of(e: ast.expr) -> str:
    return e.value if isinstance(e, ast.Constant) and isinstance(e.value, str) else ""


def has_handles(tree: ast.AST, imports: Mapping[str, str]) -> bool:
    paths = (full_path(n, imports) for n in walk(tree) if isinstance(n, ast.Name | ast.Attribute))
    return any(p == MODULES or p in GIVERS for p in paths)


__all__ = ["EVERY", "Handles", "has_handles"]
