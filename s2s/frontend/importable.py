"""Whether an import fails, as texts say: `import cupy` where there is none, in a module or in what it imports.

try:
    from fast import dense          fast.py begins with `import cupy`: it is `plain.dense` that is called
except ImportError:
    from plain import dense
"""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Callable, Iterable

from s2s.frontend.text.names import NEVER_READ, catches_import
from s2s.frontend.text.scopes import body_nodes, bound_names, walk
from s2s.places import is_installed

ERRORS = frozenset(["ImportError", "ModuleNotFoundError"])


class Importable:
    """text_of: gives the text of a module; absolute: a path that stands in a module, as the file would write it."""

    def __init__(self, text_of: Callable[[str], str | None], absolute: Callable[[str, str], str]) -> None:
        self.text_of = text_of
        self.absolute = absolute
        self.known: dict[str, bool | None] = {}

    def fails(self, module: str, names: Iterable[str] = ()) -> bool | None:
        """Whether an import of a module, or of names from it, fails; None where that is not known."""
        top = module.partition(".")[0]
        if top in NEVER_READ or (top and is_installed(module)):
            return False
        parts = module.split(".") if top else [module]
        faults = [self.of_module(".".join(parts[:k])) for k in range(1, len(parts) + 1)]
        if any(faults) or None in faults:
            return any(faults) or None
        missing = [n for n in names if n != "*" and not self.provides(module, n)]
        inner = [self.of_module(join(module, n)) for n in names if self.text_of(join(module, n)) is not None]
        return bool(missing) or any(inner) or (None if None in inner else False)

    def of_module(self, name: str) -> bool | None:
        if name not in self.known:
            self.known[name] = False  # modules that import each other
            tree = self.tree(name)
            if tree is not None:
                self.known[name] = self.block(name, tree.body)
            elif self.text_of(name) is None:
                self.known[name] = name.strip(".") != "" and ("." in name or not is_found(name))
        return self.known[name]

    def tree(self, name: str) -> ast.Module | None:
        text = self.text_of(name)
        try:
            return None if text is None else ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            return None

    def block(self, name: str, body: list[ast.stmt]) -> bool | None:
        faults = [self.statement(name, s) for s in body]
        return any(faults) or (None if None in faults else False)

    def statement(self, name: str, s: ast.stmt) -> bool | None:
        match s:
            case ast.Import(names=names):
                faults = [self.fails(a.name) for a in names]
                return any(faults) or (None if None in faults else False)
            case ast.ImportFrom(module=module, names=names, level=level):
                path = self.absolute(name, "." * level + (module or ""))
                return self.fails(path, [a.name for a in names])
            case ast.Raise(exc=ast.Name(id=error) | ast.Call(func=ast.Name(id=error))):
                return error in ERRORS
            case ast.Try(body=body, handlers=handlers):
                fault = self.block(name, body)
                if fault is False or (handler := next(filter(catches_import, handlers), None)) is None:
                    return fault
                instead = self.block(name, handler.body)
                return instead if fault or instead is False else None
            case ast.If(test=test, body=body, orelse=orelse):
                if ast.unparse(test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING", "__name__ == '__main__'"):
                    return self.block(name, orelse)
                return None if self.block(name, [*body, *orelse]) is not False else False
            case ast.With(body=body) | ast.For(body=body) | ast.While(body=body):
                return None if self.block(name, body) is not False else False
        return False

    def provides(self, module: str, name: str) -> bool:
        """Whether a module may have a name."""
        if self.text_of(join(module, name)) is not None:
            return True
        tree = self.tree(module)
        if tree is None:
            return True
        nodes = body_nodes(tree)  # type: ignore[arg-type]
        imports = [n for n in walk(tree) if isinstance(n, ast.Import | ast.ImportFrom)]
        imported = {a.asname or a.name.partition(".")[0] for n in imports for a in n.names}
        stated = {n for s in walk(tree) if isinstance(s, ast.Global) for n in s.names}
        mentioned = {n.id for n in walk(tree) if isinstance(n, ast.Name)}
        if "*" in imported or "__getattr__" in bound_names(nodes) or mentioned & {"globals", "vars", "exec", "setattr"}:
            return True
        return name.startswith("__") or name in bound_names(nodes) | imported | stated


def is_found(name: str) -> bool:
    """Whether Python finds a module of this name, which has no dots: nothing is imported to know that."""
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return True


def join(package: str, name: str) -> str:
    return package + name if package.endswith(".") else f"{package}.{name}"


__all__ = ["Importable", "join"]
