"""What the output calls the modules and functions of generated calls, whatever names the user has given to what."""

from __future__ import annotations

import ast
import builtins
import importlib.util
import sys
from collections.abc import Callable, Iterable, Mapping

from s2s import helpers, ir
from s2s.frontend.text.names import guarded
from s2s.frozen import replace

USUAL = {"numpy": "np"}  # what a module is imported as where the user has not imported it


class Names(ir.Printer):
    """Prints generated calls under names that nothing in the output hides.

    imports: the user's, local name -> what it stands for; hidden: names that functions of the output bind themselves;
    taken: names that the user's module binds to something else than an import; texts: its functions; original: the
    package and the name of that module, as the output imports it; optional: what other modules of the user's import
    where it is there, and what is done where it is not; is_class: whether a path is that of a class of a module.
    `added`, `inlined` and `settings` collect what the printed text needs: import statements by name, functions of s2s,
    and values of that module.
    """

    def __init__(
        self,
        imports: Mapping[str, str],
        hidden: set[str],
        taken: set[str],
        texts: Mapping[str, str],
        original: tuple[str, str] = ("", ""),
        optional: Mapping[str, str] | None = None,
        is_class: Callable[[str], bool] = lambda path: False,
    ) -> None:
        self.hidden = hidden
        self.taken = taken | {n for n, path in imports.items() if n in BUILTINS and path != f"builtins.{n}"}
        self.texts = texts
        self.original = original
        self.optional = optional or {}
        self.is_class = is_class
        self.locals: dict[str, str] = {}
        for local, path in imports.items():
            if local not in hidden and local not in taken:
                self.locals.setdefault(path, local)
        self.added: dict[str, str] = {}
        self.inlined: set[str] = set()
        self.settings: set[str] = set()  # values of the user's module that are read when the output runs
        super().__init__({"numpy": self.module("numpy")})

    def module(self, path: str) -> str:
        """The name of a top-level module, imported for the purpose if need be."""
        if path not in self.locals:
            wish = USUAL.get(path, path)
            while wish in self.hidden or wish in self.taken or wish in self.locals.values():
                wish = "_" + wish
            self.locals[path] = wish
            self.add(wish, path, f"import {path}" + (f" as {wish}" if wish != path else ""))
        return self.locals[path]

    def setting(self, name: str) -> str:
        self.settings.add(name)
        return f"{self.itself()}.{name}"

    def itself(self) -> str:
        """The name of the user's module, of which values are read that its functions bind anew."""
        package, stem = self.original
        path = f"{package}.{stem}" if package.strip(".") else package + stem
        if path not in self.locals:
            wish = stem
            while wish in self.hidden or wish in self.taken or wish in self.locals.values():
                wish += "_"
            self.locals[path] = wish
            also = f" as {wish}" if wish != stem else ""
            self.added[wish] = (f"from {package} import {stem}" if package else f"import {stem}") + also
        return self.locals[path]

    def callee(self, fn: str) -> str:
        root, _, rest = fn.partition(".")
        match root:
            case "local" if "." in rest:
                return self.path(rest)
            case "local" | "own" | "method" | "operator":
                return rest if root in ("local", "own") else fn
            case "helper":
                self.inlined.add(rest)
                return self.helper(rest)
            case "scipy":
                return self.path(fn)
            case "builtins":
                return rest if rest not in self.hidden | self.taken else f"{self.module(root)}.{rest}"
        parts = fn.split(".")
        for cut in range(len(parts) - 1, 1, -1):
            local = self.locals.get(".".join(parts[:cut]))
            if local is not None:
                return ".".join([local, *parts[cut:]])
        return f"{self.module(root)}.{rest}"

    def expr(self, e: ir.Expr) -> tuple[str, int]:
        match e:
            case ir.Attribute(ir.Var(ir.ITSELF), name):
                return self.setting(name), ir.ATOM
            case ir.Var(name=name) if name.startswith("@"):
                return self.path(name[1:]), ir.ATOM
            case ir.Attribute(ir.Var("math"), name) if "math" not in self.hidden | self.taken:  # pi in a rule
                return f"{self.module('math')}.{name}", ir.ATOM
            case ir.Raw() if any(n.startswith("@") for n in e.names):
                text = e.text
                for name in sorted((n for n in e.names if n.startswith("@")), key=len, reverse=True):
                    own = name.startswith(ir.OWN)
                    text = text.replace(name, self.setting(name[2:]) if own else self.path(name[1:]))
                return super().expr(replace(e, text=text))
            case ir.Op(fn="numpy.sum", spelling=ir.TOTAL):
                return super().expr(replace(e, spelling=self.callee(f"helper.{ir.TOTAL}")))
            case ir.Op(spelling=spelling) if spelling.startswith("@"):
                return super().expr(replace(e, spelling=self.path(spelling[1:])))
        return super().expr(e)

    def maker(self, made: str) -> str:
        if not made:
            return self.path("types.SimpleNamespace", bare=True)
        return self.path(made[1:]) if made.startswith("@") else made

    def path(self, path: str, bare: bool = False) -> str:
        """What the output calls an object of another module: as the user's imports reach it, else by one of ours."""
        if path in self.locals:
            return self.locals[path]
        parts = path.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            local = self.locals.get(".".join(parts[:cut]))
            if local is not None:
                return ".".join([local, *parts[cut:]])
        head, _, last = path.rpartition(".")
        if not head and last == path:
            return self.module(path)
        if not bare and (parts[0] == "numpy" or head in sys.stdlib_module_names):  # np.sin, math.sin
            return ".".join([self.module(parts[0]), *parts[1:]])
        if "." in head.strip(".") and (is_object(head) or self.is_class(head)):  # norm.cdf, stderr.write, Circle.area
            return f"{self.path(head)}.{last}"
        if not head.strip("."):  # `.layers`: a module beside the file
            head += "."
        wish = last
        while wish in self.hidden or wish in self.taken or wish in self.locals.values():
            wish = f"{parts[-2]}_{wish}" if parts[-2] and wish == last else f"{wish}_"
        self.locals[path] = wish
        self.add(wish, path, f"from {head} import {last}" + (f" as {wish}" if wish != last else ""))
        return wish

    def add(self, name: str, path: str, line: str) -> None:
        otherwise = self.optional.get(path)
        if otherwise is None:
            self.added[name] = line
        else:
            self.added[name] = guarded(line, f"{name} = None" if otherwise != "pass" else otherwise)

    def helper(self, name: str) -> str:
        """What a function of s2s is called: its name, unless the user has something else of that name."""
        while name in self.hidden or (name in self.taken and not self.is_ours(name)):
            name += "_"
        return name

    def is_ours(self, name: str) -> bool:
        """A function of the user's file that is a copy of ours: the file is one that s2s has written."""
        if name not in self.texts or name not in helpers.names():
            return False
        return helpers.is_copy(ast.parse(self.texts[name]).body[0], name, self.taken)


def is_object(path: str) -> bool:
    """Whether a dotted path of SciPy or of the standard library is that of an object in a module, and no module."""
    root, _, rest = path.partition(".")
    if root == "scipy":
        return path.startswith("scipy.stats.")
    if root not in sys.stdlib_module_names or path in sys.modules:  # `os.path`
        return False
    found = importlib.util.find_spec(root)
    return found is not None and found.submodule_search_locations is None and bool(rest)


def bound(functions: Iterable[ir.Function]) -> set[str]:
    """Names that functions bind: parameters, variables, those of comprehensions, imports inside them."""
    found: set[str] = set()
    for f in functions:
        found.update(f.names)
        for s in ir.statements(f.body):
            found.update(ir.binds(s))
            match s:
                case ir.Inert(keyword="import", values=(ir.Raw(text=text),)):
                    found.update(imported(text))
            for e in ir.expressions(s):
                for n in ir.walk(e):
                    if isinstance(n, ir.Comprehension):
                        found |= {name for target, _, _ in n.clauses for name in ir.target_names(target)}
    return found


def imported(text: str) -> dict[str, str]:
    """The names that an import statement binds, and what each stands for."""
    found: dict[str, str] = {}
    for s in ast.parse(text).body:
        match s:
            case ast.Import(names=aliases):
                for a in aliases:
                    root = a.name.partition(".")[0]
                    found[a.asname or root] = a.name if a.asname else root
            case ast.ImportFrom(module=module, names=aliases, level=level):
                path = "." * level + (f"{module}." if module else "")
                found |= {a.asname or a.name: path + a.name for a in aliases}
    return found


BUILTINS = frozenset(dir(builtins))
