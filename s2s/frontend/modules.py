"""Other modules: functions that the file calls and that are defined elsewhere, found by reading, never by importing.

    from layers import dense            `dense(x, W)` in model.py is the function `layers.dense` of the program

A program is the file and the modules that it reaches, seen as one set of functions. A function of another module is
known by its path, and the names of that module are told apart from those of the file: `LIMIT` there is `@layers.LIMIT`
here, which the output imports. A path starts with dots where the file's imports are relative. What can't be read, or is
refused, stays a foreign function: it carries no derivative, and `why_not` says why.
"""

from __future__ import annotations

import ast
import copy
import functools
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator

from s2s import ir, rules
from s2s.errors import Diagnostic, S2SError
from s2s.frontend.importable import Importable, join
from s2s.frontend.parse import FunctionInfo, Module, decorator_names
from s2s.frontend.rewrites import attributes
from s2s.frontend.rewrites.borrowed import Renamed
from s2s.frontend.rewrites.objects import affects
from s2s.frontend.text.cached import changes_objects, doubt_cached
from s2s.frontend.text.classes import (
    ClassInfo,
    Namespaces,
    doubt_late,
    module_classes,
    stored_attributes,
)
from s2s.frontend.text.decorators import COMPILERS, leaves_as_it_is
from s2s.frontend.text.fickle import object_at
from s2s.frontend.text.function_bodies import default_nodes
from s2s.frontend.text.handles import EVERY, Handles, has_handles
from s2s.frontend.text.kinds import BINARY
from s2s.frontend.text.moments import FUNCTION_PARTS, NEVER, Effects, effects, replaced_in_libraries
from s2s.frontend.text.names import NEVER_READ, Imports, ModuleNames, library_imports
from s2s.frontend.text.refuse import diagnostic
from s2s.frontend.text.scopes import dotted, free_names, global_reads, read_names, walk
from s2s.frozen import replace
from s2s.ir import Expr, Op, Var
from s2s.places import is_installed
from s2s.rules.effects import leave
from s2s.rules.sparse import is_sparse_module

Read = Callable[[str], str | None]

OWN_ITEMS = frozenset(f"__{n}__" for n in ("iter", "getitem", "array", "float", "reversed"))
OWN_OPERATORS = frozenset(f"__{i}{n}__" for n in BINARY.values() for i in ("", "r")) | {"dot"}
MARK = "@"  # in front of the path of what belongs to another module


def nothing(_: str) -> None:
    """For a text that stands alone: no other module is known."""


class Program:
    """A file and the modules that it reaches. `read` gives the text of a module by its name, `a.b` or `.b`; that of a
    package is `a.__init__`."""

    def __init__(self, root: Module, read: Read | None = None) -> None:
        self.root = root
        self.read: Read = read or nothing
        self.modules: dict[str, Module | None] = {"": root}
        self.same: dict[str, str] = {}  # a second name of a module: `pkg.layers` of `.layers`
        self.packages: set[str] = set()
        self.infos: dict[str, FunctionInfo] = {}
        self.values: dict[str, str] = {}
        self.homes: dict[str, tuple[str, str]] = {}  # function of another module: (its module, its name there)
        self.made: dict[str, ir.Function] = {}
        self.copies: dict[str, ir.Function] = {}  # that were derived from functions: see `add_copy`
        self.gradients: dict[
            object, str
        ] = {}  # functions of the file that are gradients of others: see `with_gradient`
        self.refused: dict[str, S2SError] = {}
        self.handed_refused: dict[str, S2SError] = {}  # of calls that hand over functions
        self.busy: set[str] = set()
        self.borrowed: dict[tuple[str, str], ast.expr] = {}  # values of other modules, as ones of a module
        self.classes_seen: dict[tuple[int, int], ClassInfo] = {}  # of other modules, as a module sees them
        self.lent: set[str] = set()  # names that these read
        self.copied: dict[tuple[str, str], dict[int, ast.AST]] = {}  # of a module, what others have taken over
        self.unsettled: set[tuple[str, str]] = set()  # constants that another module binds anew
        self.replaced: set[tuple[str, str]] = set()  # functions that another module binds anew: `layers.dense = fast`
        self.replaced_in_libraries: set[str] = set()  # `np.sin = fast_sin`, in any module
        self.importable = Importable(self.text_of, self.absolute)
        self.affected: set[tuple[str, str]] = set()  # these, and all else that another module binds or changes
        self.functions: ChainMap[str, FunctionInfo] = ChainMap(root.functions, root.methods, self.infos)
        self.constants: ChainMap[str, str] = ChainMap(root.constants, self.values)
        self.imports = root.imports
        self.other_names = root.other_names
        self.handed = root.handed
        self.complex_values = root.complex_values
        self.sparse_values = root.sparse_values
        self.function_tables = root.function_tables
        self.arrays: dict[str, str] = {}
        self.array_values: ChainMap[str, str] = ChainMap(root.array_values, self.arrays)
        self.uses_sparse = "scipy.sparse" in root.text or any(
            is_sparse_module(f"{path}.") for path in root.imports.values()
        )
        self.filename, self.text = root.filename, root.text
        if read is not None:
            self.attach("", root)
            self.settle()
        self.drop_marks("", root)
        if read is not None:
            for name, module in list(self.modules.items()):
                if module is not None:
                    self.doubt_imports(name, module)

    # ------------------------------------------------------------ modules

    def module(self, name: str) -> Module | None:
        """The module of this name, read when it is first asked for; None where there is no text that can be read."""
        name = self.same.get(name, name)
        if name not in self.modules:
            self.modules[name] = None
            package = join(name, "__init__")
            text = self.read(package)
            if text is not None:
                self.packages.add(name)
            else:
                text = self.read(name)
            twin = next((n for n, m in self.modules.items() if m and m.text == text and are_one(n, name)), None)
            if twin is not None:
                self.same[name] = twin
                return self.modules[twin]
            if text is not None:
                try:
                    self.modules[name] = found = Module(text, filename_of(name, name in self.packages))
                    self.attach(name, found)
                    self.doubt_imports(name, found)
                except S2SError as e:
                    self.refused[name] = e
        return self.modules[name]

    def attach(self, name: str, module: Module) -> None:
        """Makes the imports of a module known to the functions that are lowered there."""
        module.names.link = lambda path: self.link(self.absolute(name, path))
        module.names.elsewhere = lambda: self.functions.keys()
        module.names.find_class = lambda path: self.find_class(self.absolute(name, path), module)
        module.names.find_value = lambda path: self.find_value(self.absolute(name, path))
        module.names.is_object = lambda path: self.is_object(self.absolute(name, path))
        module.names.object_at = lambda path: self.object_at(self.absolute(name, path))
        module.names.borrow = lambda path, own: self.borrow(name, module, path, own)
        module.names.adopt = lambda path, own, at: self.adopt(name, module, path, own, at)
        module.names.absolute = lambda path: self.absolute(name, path)
        module.names.relative = lambda path: self.relative(name, path)
        module.names.lend = lambda path: self.lend(name, module, path)
        module.names.derive = lambda own: self.derive(name, module, own)
        module.names.find_function = self.definition
        module.names.find_signature = self.signature
        module.names.find_type = lambda path: self.find_type(self.absolute(name, path))
        module.names.helper = lambda path: self.helper(self.absolute(name, path))
        module.names.lowers = lambda key, path: self.lowers(key, self.absolute(name, path))
        module.names.why_not = lambda path: self.why_not(self.absolute(name, path))
        module.names.makes_elsewhere = lambda path, attr: self.makes(self.absolute(name, path), attr, set())
        module.names.is_bound_anew = lambda path: self.is_bound_anew(self.absolute(name, path))
        module.names.is_value = lambda path: self.is_value(self.absolute(name, path))
        module.names.replaced |= self.replaced_in_libraries
        module.names.moments.elsewhere = lambda path, whole: self.is_late(self.absolute(name, path), whole)
        if name:
            self.root.optional |= module.optional
            module.names.announce = lambda n: self.announce(name, module, n)
            module.names.prefix = join(name, "")
            for cls in module.names.classes.values():
                cls.prefix = module.names.prefix
            for n, info in [*module.functions.items(), *module.methods.items()]:
                self.infos[join(name, n)], self.homes[join(name, n)] = info, (name, n)
        self.doubt_cached(module)
        self.decide_fallbacks(name, module)
        for line in list(module.stars):
            self.expand_star(name, module, line)
        self.name_compilers(name, module)
        if name:  # of the file itself when it is known what modules do to others
            self.drop_marks(name, module)

    def doubt_cached(self, module: Module) -> None:
        """Properties that are computed once, of the classes of all modules of which another one may change objects."""
        others = [m for m in self.modules.values() if m is not None and m is not module]
        for one, other in [(module, m) for m in others] + [(m, module) for m in others]:
            for cls in one.names.classes.values():
                doubt_cached(cls, other.tree)

    def decide_fallbacks(self, name: str, module: Module) -> None:
        """Which of two imports holds, where the second one stands for what the first one can't import."""
        imports = module.names.imports
        for n, attempt in imports.attempts.items():
            own = is_own(attempt.path) or any(map(is_own, (p for p, _ in attempt.otherwise if p)))
            read = self.split(attempt.path) or self.text_of(self.absolute(name, attempt.path))
            missing = attempt.path in imports.optional and read is None  # None, as the text says
            if missing or imports.names.get(n) != attempt.path or not attempt.otherwise or not (own or attempt.own):
                continue
            fault = self.importable.block(name, attempt.node.body)
            if fault is None and (attempt.path in COMPILERS or not is_own(attempt.path)):  # the first is what is meant
                continue
            path, line = ("", "") if fault is None else (attempt.path, "")
            if fault:
                works = (x for x in attempt.otherwise if not x[0] or self.fails(self.absolute(name, x[0])) is False)
                path, line = next(works, (path, line))
            if path:
                module.forget(n)
            elif not (fault and n in module.functions and not attempt.instead):  # the function above holds
                module.bound_elsewhere(n)
            for known in (imports, Imports(module.imports, module.import_lines)):
                if path:
                    known.names[n] = path
                else:
                    known.names.pop(n, None)
                if line and line not in map(str.strip, known.lines[n].split("\n")):
                    known.lines[n] = line
        for line in [x for x in module.stars if x in imports.tried]:
            if self.importable.fails(self.absolute(name, line.split()[1])):
                module.stars = tuple(s for s in module.stars if s != line)
                imports.stars = [s for s in imports.stars if s != line]

    def fails(self, path: str) -> bool | None:
        """Whether the import of what a path stands for fails: of a module, or of a name in it."""
        package, _, last = path.rpartition(".")
        if self.text_of(path) is not None or not package.strip("."):
            return self.importable.fails(path)
        return self.importable.fails(package, [last])

    def name_compilers(self, name: str, module: Module) -> None:
        """Knows the compilers of numba that another module offers: `from compat import njit`."""
        defs = [n for n in module.names.functions.values() if isinstance(n, ast.FunctionDef)]
        asked = [d for n in defs for d in n.decorator_list] + [*module.names.assigned.values()]
        called = {path[0] for e in asked if (path := dotted(e.func if isinstance(e, ast.Call) else e)) is not None}
        for n in sorted(called & module.imports.keys()):
            if not is_own(module.imports[n]):
                continue
            trail: list[tuple[str, str]] = []
            self.locate(self.absolute(name, module.imports[n]), trail)
            passed = ((self.modules[place], offered) for place, offered in trail)
            meant = (home.names.imports.names.get(offered, "") for home, offered in passed if home is not None)
            if (compiler := next((m for m in meant if m in COMPILERS), "")) != "":
                module.imports[n] = module.names.imports.names[n] = compiler

    def drop_marks(self, name: str, module: Module) -> None:
        """Forgets the decorators that only note a function: `@register("linear")`. Its copies are not noted again."""
        for node in module.names.functions.values():
            while node.decorator_list and self.is_mark(name, module, node.decorator_list[0]):
                del node.decorator_list[0]

    def is_mark(self, name: str, module: Module, decorator: ast.expr) -> bool:
        called = isinstance(decorator, ast.Call)
        path = dotted(decorator.func if isinstance(decorator, ast.Call) else decorator)
        if path is None:
            return False
        if module.names.moments.bound.get(path[0], 0) > decorator.lineno:
            return False
        place, made = name, path[0]
        if path[0] in module.imports and is_own(module.imports[path[0]]):
            found = self.locate(self.absolute(name, ".".join([module.imports[path[0]], *path[1:]])))
            if found is None or path[0] in module.names.functions:
                return False
            place, made = found
        elif len(path) > 1:
            return False
        home = module if place == name else self.modules[place]
        if home is None or made in home.names.rebound or (place, made) in self.affected:
            return False
        if home is not module and made in home.registering:  # the table holds more than that module puts into it
            home.bound_elsewhere(home.registering[made])
        function = home.names.functions.get(made)
        return isinstance(function, ast.FunctionDef) and leaves_as_it_is(function, called)

    # ------------------------------------------------------------ what modules do to others

    def settle(self) -> None:
        """Reads all modules of the user's that the file imports, for what they do to others: `layers.dense = fast`."""
        seen: set[str] = set()
        anywhere: list[tuple[str, str, bool]] = []
        todo = [""] if self.root.stars or any(map(is_own, self.root.imports.values())) else []
        while todo:
            name = todo.pop()
            text = self.text_of(name) if name else self.root.text
            own, paths, found = import_effects(text) if text is not None else ({}, (), Effects())
            self.replaced_in_libraries |= found.replaced
            for path in (self.absolute(name, p) for p in paths):
                dots = path[: len(path) - len(path.lstrip("."))]
                parts = path.lstrip(".").split(".")
                reached = {dots + ".".join(parts[:cut]) for cut in range(not dots, len(parts) + 1)} - seen
                todo += sorted(r for r in reached if is_own(r))
                seen |= reached
            if found:
                every = self.root.names.imports
                away = {p for p in every.optional if self.module_at(self.absolute("", p)) is None}
                self.root.stirred = {n for n, p in every.names.items() if is_own(p) and p not in away}
            for path in sorted(found.bound | found.changed):
                first, _, rest = path.partition(".")
                if own[first] == EVERY:
                    anywhere.append((name, rest, path in found.bound))
                else:
                    self.affect(name, self.absolute(name, own[first]), rest, path in found.bound)
        for by, rest, binds in anywhere:
            self.change(by, ("", rest), binds)
            for name in sorted(n for n in seen if is_own(n) and self.text_of(n) is not None):
                self.affect(by, name, rest, binds)
        for module in self.modules.values():
            if module is not None:
                module.names.replaced |= self.replaced_in_libraries

    def text_of(self, name: str) -> str | None:
        """The text of a module, or of a package, which is not read for what it defines."""
        text = self.read(join(name, "__init__"))
        if text is not None:
            self.packages.add(name)
        return text if text is not None else self.read(name)

    def affect(self, by: str, start: str, rest: str, binds: bool) -> None:
        """A module binds what another one has under a path, or changes it in place; all of it, where `rest` is ""."""
        every = binds and not rest
        path = join(start, rest) if rest else start
        found = (start, "") if every else self.locate(path)
        if found is not None and (binds or not self.is_constant(path)):  # nothing changes a number in place
            self.change(by, found, binds)

    def change(self, by: str, found: tuple[str, str], binds: bool) -> None:
        """See `affect`; found: the module, and the path there, "" for all of it."""
        home = self.module_at(found[0]) if found[0] else self.root
        if home is None:
            return
        every = binds and not found[1]
        place = self.same.get(found[0], found[0])
        if home is not self.root and home.text == self.root.text:  # `sys.modules["model"]`
            home, place = self.root, ""
        first, _, inner = found[1].partition(".")
        if first in home.functions and not FUNCTION_PARTS.isdisjoint(inner.split(".")):
            binds, inner = True, ""
        names = [*home.functions, *home.constants, *home.tables, *home.names.classes] if every else [first]
        for n in names:
            self.affected.add((place, n))
            home.names.moments.touched.add(n)
            if binds and not inner:
                home.names.moments.replaced.add(n)
            if n in home.names.classes and binds:
                home.names.classes.pop(n)
            elif n in home.functions and not inner and binds:
                home.bound_elsewhere(n)
                self.replaced.add((place, n))
            elif n not in home.functions and not inner and binds:
                home.bound_elsewhere(n)
                self.unsettle(by, place, n)
            elif n not in home.functions and not binds:
                home.changed_elsewhere(n)

    def unsettle(self, by: str, place: str, name: str) -> None:
        """A value of another module that is one thing before the module `by` is imported, and another one behind it.
        The file itself is imported by the output, and a package before its modules."""
        if by and place.startswith(join(by, "")):
            return
        self.unsettled.add((place, name))
        home = self.modules[place]
        if by and home is not None:
            home.names.changed.add(name)

    def doubt_imports(self, name: str, module: Module) -> None:
        """What a module has imported of what is not settled."""
        ends = {n for _, n in self.unsettled}
        for n, path in module.imports.items():
            if path.rpartition(".")[2] in ends and self.locate(self.absolute(name, path)) in self.unsettled:
                module.names.changed.add(n)
        doubt_late(module.names.classes.values(), module.names.moments)

    def is_bound_anew(self, path: str) -> bool:
        """Whether functions of another module bind anew what that has under a path."""
        found = self.home_of(path)
        return found is not None and found[1] in found[0].names.changed

    def is_value(self, path: str) -> bool:
        """Whether a path stands for a value that another module assigns."""
        found = self.home_of(path)
        return found is not None and found[1] in found[0].names.assigned.keys() - found[0].functions.keys()

    def is_late(self, path: str, whole: bool) -> bool:
        """Whether what another module has under a path, or unless `whole` what it holds, may be something else once all
        modules are imported, or what a function there gives."""
        found = self.locate(path)
        home = self.modules[found[0]] if found is not None else None
        if found is None or home is None:
            return False
        name, when = found[1].partition(".")[0], home.names.moments
        if name in home.names.changed or (found[0], name) in self.affected:
            return True
        return not whole and (when.is_changed(name, NEVER - 1) or when.gives_late(name, NEVER - 1))

    def expand_star(self, name: str, module: Module, line: str) -> None:
        """Binds what a star import binds: all that the module does not bind itself further down."""
        imported = module.names.imports
        start, at = line.split()[1], imported.star_at.get(line, 0)
        inner = self.module_at(self.absolute(name, start))
        names = public_names(inner) if inner is not None and not inner.stars else None
        if inner is None or names is None:
            module.names.doubt(at)
            return
        for public in names:
            if max(module.names.moments.bound.get(public, 0), imported.listed_at.get(public, 0)) > at:
                continue
            own = inner.functions.keys() | inner.constants.keys() | inner.other_names
            path = join(start, public)
            if public in inner.imports and public not in own and not inner.imports[public].startswith("."):
                path = inner.imports[public]  # `import numpy as np` there, and here
            if imported.names.get(public) == path:  # whichever of them holds
                continue
            if line in imported.unsure and (public in imported.names or public in module.names.moments.bound):
                if not (imported.unsure[line] and public in imported.names):  # which of two bindings holds is not known
                    module.bound_elsewhere(public)
                    imported.names.pop(public, None)
                    module.imports.pop(public, None)
                continue
            module.forget(public)
            for imports in (module.names.imports, Imports(module.imports, module.import_lines)):
                imports.bind(public, path, f"from {start} import {public}", True)
        module.stars = tuple(s for s in module.stars if s != line)
        module.names.imports.stars = [s for s in module.names.imports.stars if s != line]

    def announce(self, name: str, module: Module, n: str) -> None:
        """A function that the frontend has made for one of another module: the output has it under its own name."""
        module.announce(n)
        self.infos[n], self.homes[n] = module.functions[n], (name, n)

    def is_made(self, key: str) -> bool:
        """Whether the user's text has no such function: the frontend has made it."""
        home = self.modules[self.homes[key][0]] if key in self.homes else self.root
        return key in self.copies or (home is not None and key in home.names.made)

    def add_copy(self, name: str, of: str, copy: ir.Function) -> None:
        """A changed copy of a function is one that the frontend has made."""
        self.copies[name] = copy
        self.infos[name] = self.functions[of]
        if of in self.homes:
            self.homes[name] = self.homes[of]

    def with_gradient(self, key: object, name: str, text: str) -> Program:
        """The program whose file has more text at its end: a gradient of one of its functions, and what that calls."""
        more = Program(Module(f"{self.text.rstrip()}\n\n\n{text}", self.filename), self.read)
        more.gradients = self.gradients | {key: name}
        return more

    def gradient(self, key: object) -> str:
        """The name of a gradient by what it is asked for by; "" where there is none yet."""
        return self.gradients.get(key, "")

    def absolute(self, name: str, path: str) -> str:
        """A path as the file would write it, for one that stands in the module `name`."""
        if not name or not path.startswith("."):
            return path
        rest = path.lstrip(".")
        package = name if name in self.packages else parent(name)
        for _ in range(len(path) - len(rest) - 1):
            package = parent(package)
        return join(package, rest) if rest else package

    def relative(self, name: str, path: str) -> str:
        """What `absolute` makes this path of, for the module `name`; "" where there is none."""
        if not name or not path.startswith("."):
            return path
        ways = (f"{'.' * dots}{path.lstrip('.')}" for dots in range(1, name.count(".") + 2))
        return next((way for way in ways if self.absolute(name, way) == path), "")

    def module_at(self, path: str) -> Module | None:
        if path.partition(".")[0] in NEVER_READ:
            return None
        return self.module(path)

    def split(self, path: str) -> tuple[str, str] | None:
        """(module, name inside) for a path, by the longest module that can be read."""
        if path.partition(".")[0] in NEVER_READ:
            return None
        dots = path[: len(path) - len(path.lstrip("."))]
        parts = path.lstrip(".").split(".")
        for cut in range(len(parts) - 1, -1 if dots else 0, -1):
            name = dots + ".".join(parts[:cut])
            if self.module(name) is not None:
                hidden = len(name.lstrip(".").split(".")) > 1 and self.is_hidden(name)
                return None if hidden else (self.same.get(name, name), ".".join(parts[cut:]))
        return None

    def is_hidden(self, name: str) -> bool:
        """Whether the package of a module binds its name to another module or value: `from . import slow as fast`
        where there is a fast.py, too."""
        package, _, last = name.rpartition(".")
        around = self.module(package)
        if around is None or package not in self.packages or last in around.functions:
            return False
        if last in around.names.others or last in around.constants or last in around.names.classes:
            return True
        if last not in around.imports:
            return False
        path = self.absolute(package, around.imports[last])
        return self.module_at(path) not in (None, self.module(name))

    def locate(self, path: str, trail: list[tuple[str, str]] | None = None) -> tuple[str, str] | None:
        """(module, name) of what a path stands for, through the imports of packages that offer it again (`trail`)."""
        seen: set[str] = set()
        while path not in seen:
            seen.add(path)
            if path.startswith("scipy.") and (rules.is_module(path) or rules.lookup(path) is not None):
                return None  # `scipy.stats.norm.cdf` has a rule: the text of SciPy is not read for that
            found = self.split(path)
            if found is None:
                return None
            name, attr = found
            if trail is not None:
                trail.append((name, attr.partition(".")[0]))
            module = self.modules[name]
            assert module is not None
            first, _, rest = attr.partition(".")
            if first in module.functions or first in module.constants or first in module.names.others or not first:
                return found
            if first not in module.imports:
                return found
            path = self.absolute(name, module.imports[first])
            path = join(path, rest) if rest else path
        return None

    def home_of(self, path: str) -> tuple[Module, str] | None:
        """The module of the user's, and the name there, of what a path stands for: see `locate`."""
        found = self.locate(path)
        home = self.modules[found[0]] if found is not None else None
        return None if found is None or home is None else (home, found[1])

    def is_constant(self, path: str) -> bool:
        """Whether a path stands for a number, a string or a tuple of them, written out in another module."""
        found = self.home_of(path)
        text = found[0].constants.get(found[1]) if found is not None else None
        nodes = () if text is None else ast.walk(ast.parse(text, mode="eval"))
        return text is not None and not any(isinstance(n, ast.List | ast.Dict | ast.Set) for n in nodes)

    # ------------------------------------------------------------ functions

    def link(self, path: str) -> str:
        """What a call of this path calls: `local.layers.dense`, or the path itself where its source is not known."""
        if path.partition(".")[0] in NEVER_READ or is_sparse_module(path) or rules.lookup(path) is not None:
            return path
        trail: list[tuple[str, str]] = []
        found = self.locate(path, trail)
        if found is None:
            return self.offered(trail) or path
        name, attr = found
        module = self.modules[name]
        assert module is not None
        if attr not in module.functions or found in self.replaced:
            if attr.partition(".")[0] not in module.names.classes:
                leave(path)
            return path
        key = join(name, attr) if name else attr
        if key not in self.busy:
            try:
                self.function(key)
            except S2SError as e:
                self.refused[path] = e
                leave(path)
                return path
        return f"local.{key}"

    def helper(self, path: str) -> tuple[ModuleNames, str] | None:
        """The function that a path stands for, by the names of its module and its name there."""
        if path.partition(".")[0] in NEVER_READ or is_sparse_module(path) or rules.lookup(path) is not None:
            return None
        found = self.locate(path)
        module = self.modules[found[0]] if found is not None else None
        if found is None or module is None or found in self.replaced or found[1] in module.names.rebound:
            return None
        if not isinstance(module.names.functions.get(found[1]), ast.FunctionDef):
            return None
        if changed := module.changed_defaults(found[1]):
            self.handed_refused[path] = self.placed(join(*found), S2SError(changed, module.filename, module.text))
            return None
        return module.names, found[1]

    def changed_defaults(self) -> None:
        """Raises S2SError for a default of a function of another module that the functions of a third one, or of this
        file, may change: when all that is read is known."""
        for key in self.made:
            name, attr = self.homes[key]
            module = self.modules[name]
            assert module is not None
            others = [m for n, m in self.modules.items() if m is not None and m is not module and n != name]
            if attr not in module.names.made and (changed := module.changed_defaults(attr, others)):
                raise self.placed(key, S2SError(changed, module.filename, module.text))

    def lowers(self, key: str, path: str) -> bool:
        """Whether a function can be differentiated that the frontend has made for a call of a path; else `why_not`
        says so of the path."""
        if key not in self.busy:
            try:
                self.function(key)
            except S2SError as e:
                self.handed_refused[path] = e
                return False
        return True

    def offered(self, trail: list[tuple[str, str]]) -> str:
        """The function with a rule that a module has imported, and offers again; "" where it is none."""
        if not trail:
            return ""
        name, attr = trail[-1]
        module = self.modules[name]
        path = self.absolute(name, module.imports.get(attr, "")) if module is not None else ""
        return path if rules.lookup(path) is not None else ""

    def find_class(self, path: str, asking: Module) -> ClassInfo | None:
        """The class that a module finds under a path, for which it may keep a name of its own."""
        found = self.home_of(path) if not is_sparse_module(path) else None
        cls = found[0].names.classes.get(found[1]) if found is not None else None
        if found is None or cls is None:
            return None
        there, here = found[0].names.imports.names, asking.names.imports.names
        alike = frozenset(n for n in there if here.get(n) == there[n] and there[n][:1] != ".")
        seen = self.classes_seen.setdefault((id(asking), id(cls)), replace(cls))  # one object for one class
        vars(seen).update({**vars(cls), "alike": alike, "path": seen.path})
        return seen

    def find_type(self, path: str) -> str:
        """The text of a type that another module has given a name; "" for anything else."""
        found = self.home_of(path) if is_own(path) else None
        return found[0].names.type_named(found[1].split("."), frozenset()) if found is not None else ""

    def find_value(self, path: str) -> ast.expr | None:
        """What another module assigns to a name that stays as it is."""
        found = self.locate(path) if is_own(path) else None
        home = self.modules[found[0]] if found is not None else None
        if found is None or home is None or found in self.affected | self.unsettled:
            return None
        return home.names.values.get(found[1])

    def is_object(self, path: str) -> bool:
        """See `ModuleNames.holds_object`."""
        found = self.home_of(path)
        return found is not None and found[0].names.holds_object(found[1].partition(".")[0])

    def object_at(self, path: str) -> tuple[ClassInfo, ModuleNames] | None:
        """See `fickle.object_at`."""
        found = self.home_of(path) if is_own(path) else None
        return None if found is None else object_at(found[0].names, found[1].split("."))

    def makes(self, path: str, attribute: str, seen: set[tuple[str, str]]) -> bool:
        """Whether a function or a class may make objects with an attribute, to judge by what it names."""
        if is_sparse_module(path) or rules.lookup(path) is not None:
            return False
        found = self.locate(path)
        module = self.modules[found[0]] if found is not None else None
        if found is None or module is None or found in seen:
            return False
        seen.add(found)
        home, name = found
        first, _, method = name.partition(".")
        cls, own = module.names.classes.get(first), module.names.functions.get(name) or module.names.values.get(name)
        if cls is not None and not method and cls.has(attribute):
            return True
        text = cls.methods.get(method, cls.node) if cls is not None else own if isinstance(own, ast.AST) else None
        made = Namespaces.in_texts([text] if text is not None else [], module.names.imports)
        if made.is_open or attribute in made.attributes:
            return True
        for n in walk(text) if text is not None else ():
            inner = dotted(n) if isinstance(n, ast.Name | ast.Attribute) else None
            if inner is None:
                continue
            imported = module.imports.get(inner[0])
            start = join(home, inner[0]) if imported is None else self.absolute(home, imported)
            if self.makes(".".join([start, *inner[1:]]), attribute, seen):
                return True
        return False

    def borrow(self, name: str, module: Module, path: str, own: str) -> bool:
        """Makes a value of another module, which holds functions, one of this module; False where there is none.

        What it reads is imported, under its own name where that is free.
        """
        if own in module.names.values:
            return module.names.values[own] is self.borrowed.get((name, own))
        found = self.locate(self.absolute(name, path))
        home = self.modules[found[0]] if found is not None else None
        if found is None or home is None or found[1] not in home.tables or home is module:
            return False
        place, attr = found
        known = self.imported_for(name, module, place, home, global_reads(home.tables[attr]))
        if known is None:
            return False
        module.bind_import(own, path)
        shown = Renamed(known).visit(copy.deepcopy(home.names.values[attr]))
        for node in ast.walk(shown):
            node.made = True  # type: ignore[attr-defined]
        module.names.values[own] = self.borrowed[name, own] = shown
        return True

    def lend(self, name: str, module: Module, path: str) -> ast.FunctionDef | None:
        """See `ModuleNames.lend`; None where a name that the function reads is another one's here."""
        found = self.locate(self.absolute(name, path))
        home = self.modules[found[0]] if found is not None else None
        node = home.names.functions.get(found[1]) if found is not None and home is not None else None
        if found is None or home is None or home is module or not isinstance(node, ast.FunctionDef):
            return None
        known = self.imported_for(name, module, found[0], home, free_names(node))
        return node if known is not None else None

    def imported_for(
        self, name: str, module: Module, place: str, home: Module, reads: Iterable[str]
    ) -> dict[str, ast.expr] | None:
        """Imports what a text of another module reads, under its own names there; None where one is not free here."""
        targets: dict[str, str] = {}
        for n in sorted(reads):
            inside = n in home.functions or n in home.tables or n in home.constants or n in home.names.classes
            inside = inside or (n in home.other_names and n not in home.imports)
            if n not in home.imports and not inside:
                continue
            targets[n] = join(place, n) if inside else self.absolute(place, home.imports[n])
            changes = inside and (n in home.names.changed | home.names.rebound or (place, n) in self.affected)
            if changes or not module.names.is_free(n, targets[n]):
                return None
        for n, target in targets.items():
            module.bind_import(n, target)
        self.lent |= targets.keys()
        return {n: ast.Name(n, ast.Load()) for n in targets}

    def adopt(self, name: str, module: Module, path: str, own: str, at: ast.expr, is_base: bool = False) -> bool:
        """Makes a class of another module, whose objects change, or whose constructor computes, one of this module, or
        the base of one: its text stands where it is used first (at). False where a name that it reads is another
        one's here."""
        if own in module.names.classes:
            return own in module.names.adopted
        found = self.locate(self.absolute(name, path))
        home = self.modules[found[0]] if found is not None else None
        if found is None or home is None or home is module or found in self.affected:
            return False
        place, attr = found
        if attr in home.names.classes:
            self.derive(place, home, attr)  # its base may be one of a third module
        cls = home.names.classes.get(attr)
        if cls is None or not cls.is_known:
            return False
        if cls.kind != ("dataclass" if cls.init is None and cls.fields else "plain"):
            return False
        others = self.names_for(name, module, found) - {own}
        if others or (
            own != attr and (is_named(module.tree, attr) or any(attr in free_names(m) for m in cls.methods.values()))
        ):
            return False  # of two names of a class, each would be a class of its own
        if stored_attributes(module.tree) & cls.of_class or (cls.cached and changes_objects(module.tree)):
            return False
        computes = not cls.makes or any(affects(m, home.names) for m in cls.methods.values())
        if not (computes or is_base or cls.class_methods or attributes.holds_functions(cls)):
            return False
        bases = [b.id for b in cls.node.bases if isinstance(b, ast.Name) and b.id in home.names.classes]
        reads = {n for m in cls.methods.values() for n in free_names(m)} - {attr}
        reads |= {n for m in cls.methods.values() for _, d in default_nodes(m) for n in read_names(d)}
        if self.imported_for(name, module, place, home, reads | set(bases)) is None:
            return False
        if not all(self.adopt(name, module, module.names.imports.names[b], b, at, is_base=True) for b in bases):
            return False
        module.bind_import(own, path)
        notes = {m: home.notes_of(f"{attr}.{m}") for m in cls.methods}
        copies = self.copied.setdefault((name, place), {})  # methods that two classes have are one, here, too
        new = copy.deepcopy(cls, copies)
        new.name, new.prefix = own, module.names.prefix
        for node in (n for part in (new.node, *new.methods.values()) for n in ast.walk(part)):
            ast.copy_location(node, at)
            node.made = True  # type: ignore[attr-defined]
        for m in new.methods:
            key = f"{own}.{m}"
            module.methods[key] = home.methods[f"{attr}.{m}"]
            module.noted[key] = {id(copies[i]): note for i, note in notes[m].items() if i in copies}
            if name:
                self.infos[join(name, key)], self.homes[join(name, key)] = module.methods[key], (name, key)
        module.names.classes[own] = new
        module.names.adopted.add(own)
        module.names.bound_there |= attributes.stored_elsewhere(home.names, home.tree)
        self.name_attributes(module)
        return True

    def name_attributes(self, module: Module) -> None:
        """Says anew which functions attributes are, of classes of other modules and of those that have such a base."""
        names = module.names
        classes = names.adopted | names.derived
        attributes.Unnamed().methods(names.classes[n] for n in classes)
        module.handed |= attributes.write_out(names, module.tree, classes, names.bound_there)
        names.parts = names.changing = None

    def derive(self, name: str, module: Module, own: str) -> None:
        """Makes known a class of a module whose base is one of another module, which becomes one of this module."""
        names = module.names
        cls = names.classes[own]
        if cls.is_known or own in names.adopted | names.derived or cls.prefix != names.prefix:
            return
        for base in cls.node.bases:
            if isinstance(base, ast.Name) and base.id == own:  # class Law(Law): what had the name before
                return
            if isinstance(base, ast.Name) and base.id in names.classes:
                self.derive(name, module, base.id)
            elif isinstance(base, ast.Name) and base.id in names.imports.names:
                path = names.imports.names[base.id]
                if rules.lookup(path) is None and not rules.is_module(path):
                    self.adopt(name, module, path, base.id, base, is_base=True)
        adopted = {n: names.classes[n] for n in names.adopted}
        adopted |= {names.imports.names[n]: c for n, c in adopted.items()}
        new = module_classes(module.tree, names.imports, names.moments, adopted)[own] if adopted else cls
        if not new.is_known:
            return
        new.prefix = cls.prefix
        names.classes[own] = new
        names.derived.add(own)
        bases = [b.id for b in new.node.bases if isinstance(b, ast.Name) and b.id in names.classes]
        inherited = [
            (b, m) for b in bases for m, method in names.classes[b].methods.items() if method is new.methods.get(m)
        ]
        for b, m in inherited:
            module.methods[f"{own}.{m}"] = module.methods[f"{b}.{m}"]
            module.noted[f"{own}.{m}"] = module.notes_of(f"{b}.{m}")
        for m in new.methods:
            key = f"{own}.{m}"
            if name:
                self.infos[join(name, key)], self.homes[join(name, key)] = module.methods[key], (name, key)
        self.name_attributes(module)

    def names_for(self, name: str, module: Module, found: tuple[str, str]) -> set[str]:
        """The names under which a module imports a class."""
        paths = {n: p for n, p in module.imports.items() if p.rpartition(".")[2][:1].isupper()}
        return {n for n, p in paths.items() if rules.lookup(p) is None and self.locate(self.absolute(name, p)) == found}

    def definition(self, key: str) -> ast.FunctionDef | None:
        place, name = self.homes.get(key, ("", key))
        module = self.modules[place]
        return module.definition(name) if module is not None else None

    def signature(self, key: str) -> ast.FunctionDef | None:
        """The `def` of a function, or of one that the frontend has made."""
        place, name = self.homes.get(key, ("", key))
        module = self.modules[place]
        own = module.names.made.get(name) if module is not None else None
        return own.node if own is not None else self.definition(key)

    def function(self, key: str) -> ir.Function:
        """A function in A-normal form. Raises S2SError with all that is refused in it, S401 if there is none."""
        if key in self.copies:
            return self.copies[key]
        if key not in self.homes:
            self.busy.add(key)
            try:
                found = self.root.function(key)
            finally:
                self.busy.discard(key)
            self.note_imports(found)
            return found
        if key not in self.made:
            name, attr = self.homes[key]
            module = self.modules[name]
            assert module is not None
            self.busy.add(key)
            try:
                if attr not in module.names.made and (changed := module.changed_defaults(attr)):
                    raise S2SError(changed, module.filename, module.text)
                self.made[key] = self.told_apart(name, module, module.function(attr))
            except S2SError as e:
                raise self.placed(key, e) from None
            finally:
                self.busy.discard(key)
        return self.made[key]

    def placed(self, key: str, fault: S2SError) -> S2SError:
        """The refusals of a function with the file that they point into."""
        if key not in self.homes:
            return fault
        module = self.modules[self.homes[key][0]]
        assert module is not None
        file = (module.filename, module.text)
        return S2SError([d if d.file else replace(d, file=file) for d in fault.diagnostics])

    def classes_with(self, attribute: str) -> list[str]:
        """The classes of the module that have a method or an attribute of a name."""
        return [n for n, cls in self.root.names.classes.items() if cls.has(attribute)]

    def has_own_items(self) -> bool:
        """Whether a class of the modules that were read says itself what items its objects have."""
        return any(not OWN_ITEMS.isdisjoint(cls.methods) for cls in self.classes_read())

    def operator_marks(self) -> list[str]:
        """What tells objects from numbers and arrays, of the classes read that say themselves what operators do."""
        found = [cls for cls in self.classes_read() if not OWN_OPERATORS.isdisjoint(cls.methods)]
        return sorted({"__slots__" if cls.is_slotted else "__dict__" for cls in found})

    def classes_read(self) -> Iterator[ClassInfo]:
        yield from (cls for m in self.modules.values() if m is not None for cls in m.names.classes.values())

    def why_not(self, path: str) -> str:
        """Why a function of another module has no derivative by its source; "" for one that s2s never reads."""
        root = path.partition(".")[0]
        if (
            root in NEVER_READ
            or is_sparse_module(path)
            or root in ("module", "method", "local", "helper", "operator", "builtins")
        ):
            return ""
        fault = self.handed_refused.get(path) or self.refused.get(path)
        if fault is not None:
            d = fault.diagnostics[0]
            place = f"{d.file[0]}:{d.span.line}: " if d.file and d.span else ""
            return f"its source can't be differentiated: {place}{d.message} [{d.code}]"
        found = self.split(path)
        if found is None:
            module = path.rpartition(".")[0] or path
            if module in self.refused:
                return f"the module `{module}` can't be read: {self.refused[module].diagnostics[0].message}"
            return f"no Python source of the module `{module}` was found"
        if self.locate(path) in self.replaced:
            return f"another module binds `{found[1]}` of `{found[0]}` to something else"
        return f"the module `{found[0]}` defines no function `{found[1]}` at its top level"

    # ------------------------------------------------------------ names of another module

    def told_apart(self, name: str, module: Module, f: ir.Function) -> ir.Function:
        """The function with the names of its own module marked: `LIMIT` as `@layers.LIMIT`."""
        own = {*f.names, *(n for s in ir.statements(f.body) for n in ir.binds(s))}
        inside = {
            n
            for s in ir.statements(f.body)
            if isinstance(s, ir.Inert) and s.keyword == "import"
            for n in imported_names(s, f)
        }

        def path(n: str) -> str | None:
            return None if n in own or n in inside else at_top(n)

        def at_top(n: str) -> str | None:
            if n in module.names.made:
                return None
            here = n in module.functions or n in module.constants or n in module.other_names
            if n in module.imports and not here:
                return self.absolute(name, module.imports[n])
            return join(name, n) if here else None

        def marked(n: str, find: Callable[[str], str | None] = path) -> str:
            found = find(n)
            if found is None:
                return n
            self.noted(found)
            return MARK + found

        def raw(e: ir.Raw, bound: frozenset[str] = frozenset(), find: Callable[[str], str | None] = path) -> ir.Raw:
            own = [n for n in sorted(e.names) if n.startswith(ir.OWN)]  # what functions there bind anew
            for n in own:
                there = MARK + join(name, n[2:])
                self.noted(there[1:])
                e = replace(e, text=e.text.replace(n, there), names=e.names - {n} | {there})
            return ir.with_names(e, {n: marked(n, find) for n in sorted(e.names - bound)})

        def expr(e: Expr, bound: frozenset[str] = frozenset()) -> Expr:
            match e:
                case Var() if e.name not in bound:
                    return Var(marked(e.name))
                case ir.Raw():
                    return raw(e, bound)
                case Op(spelling=spelling) if spelling and e.form is ir.Form.CALL:
                    root, _, rest = spelling.partition(".")
                    home = path(root)
                    shown = spelling if home is None else MARK + (join(home, rest) if rest else home)
                    inner = ir.rebuild(e, lambda c: expr(c, bound))
                    assert isinstance(inner, Op)
                    return replace(inner, spelling=shown)
                case ir.Attribute(value=Var(ir.ITSELF), name=n):  # what functions of that module bind anew
                    self.noted(join(name, n))
                    return replace(e, value=Var(MARK + name))
                case ir.Attribute(value=Var(name=n)) if n not in bound and (owner := path(n)) is not None:
                    where = self.locate(join(owner, e.name))
                    if where is not None and where != self.locate(owner) and "." not in where[1]:
                        self.noted(join(owner, e.name))
                        return Var(MARK + join(owner, e.name))
                case ir.Dict(made=made) if made and (home := path(made.partition(".")[0])) is not None:
                    rest = made.partition(".")[2]
                    inner = ir.rebuild(e, lambda c: expr(c, bound))
                    assert isinstance(inner, ir.Dict)
                    return replace(inner, made=MARK + (join(home, rest) if rest else home))
                case ir.Comprehension():
                    variables = {n for t, _, _ in e.clauses for n in ir.target_names(t)}
                    return ir.rebuild(e, lambda c: expr(c, bound | variables))
            return ir.rebuild(e, lambda c: expr(c, bound))

        def param(p: ir.Param) -> ir.Param:
            default = p.default
            if default:  # it sees the module around the function: `def f(x, g=g)`
                reads = global_reads(default)
                default = str(ir.Printer()(raw(ir.Raw(default, frozenset(reads)), find=at_top)))
            annotation = p.annotation if p.annotation in ("float", "int", "bool", "str") else ""
            return replace(p, annotation=annotation, default=default)

        def class_path(made: str) -> str:
            home = path(made.partition(".")[0]) if made else None
            rest = made.partition(".")[2]
            return made if home is None else MARK + (join(home, rest) if rest else home)

        classes = tuple((p, class_path(made), names) for p, made, names in f.classes)
        fields = tuple(p for p in f.fields if p.annotation in ("float", "int", "bool", "str"))
        return replace(f, params=tuple(map(param, f.params)), body=mapped(f.body, expr), fields=fields, classes=classes)

    def noted(self, path: str) -> None:
        """Keeps the text of a constant of another module, for its facts. Raises S2SError where it is another one once
        all modules are imported."""
        found = self.home_of(path)
        if found is not None and found[1] in found[0].names.changed and not self.is_settled(path):
            raise S2SError(diagnostic("rebound", None, path.lstrip(".")))
        if found is not None:
            self.keep(MARK + path, *found)

    def note_imports(self, f: ir.Function) -> None:
        """Keeps the texts of the constants of other modules that a function of the file reads: those of G after
        `from units import G`, and of `units.G`."""
        roots = self.imports.keys() - self.other_names - set(f.names)
        nodes = (e for s in ir.statements(f.body) for e in ir.nodes(s) if isinstance(e, Var | ir.Attribute))
        for n in sorted(set(map(ir.dotted, nodes))):
            root, dot, rest = n.partition(".")
            if root not in roots:
                continue
            path = self.absolute("", self.imports[root] + dot + rest)
            found = self.home_of(path)
            if found is not None and found[0] is not self.root and self.is_settled(path):
                self.keep(n, *found)

    def is_settled(self, path: str) -> bool:
        """Whether no other module binds a constant anew."""
        return self.locate(path) not in self.unsettled

    def keep(self, name: str, home: Module, n: str) -> None:
        """The text of the constant `n` of a module, for what is called `name` here: where it reads the same here."""
        text = home.constants.get(n) or home.array_values.get(n, "")
        alike = all(self.imports.get(r) == home.imports.get(r) for r in global_reads(text)) if text else False
        if n in home.constants and (alike or name.startswith(MARK)):
            self.values[name] = text
        elif alike:
            self.arrays[name] = text

    # ------------------------------------------------------------ what derivatives depend on

    def reach(self, names: Iterable[str]) -> set[str]:
        return self.root.reach(names)

    def part(self, names: set[str]) -> str:
        """The text that the derivatives of these functions depend on (`reach`), that of other modules included."""
        found: dict[str, set[str]] = {}
        todo = [("", n) for n in names]
        while todo:
            place, n = todo.pop()
            if n in found.setdefault(place, set()):
                continue
            found[place].add(n)
            todo += self.read_by(place, n)
        parts = [self.root.part(names)]
        for place in sorted(found.keys() - {""}):
            module = self.modules[place]
            assert module is not None
            parts.append(f"# {place}\n{module.part(found[place])}")
            parts += [f"# bound elsewhere: {n}" for p, n in sorted(self.affected) if p == place and n in found[place]]
        return "\n".join(parts)

    def read_by(self, place: str, n: str) -> Iterator[tuple[str, str]]:
        """What the function or constant `n` of a module reads: (module, name)."""
        module = self.modules[place]
        assert module is not None
        if n in module.functions:
            text = module.slice(n)
            reads = global_reads(text) | decorator_names(module.names.functions[n])
        elif n in module.names.classes and n not in module.names.adopted:
            text = module.class_text(n)
            reads = global_reads(text)
        elif n in module.constants or n in module.tables:
            text = module.constants.get(n) or module.tables[n]
            reads = global_reads(text)
        else:
            return
        for r in reads:
            if (
                r in module.functions
                or r in module.constants
                or r in module.tables
                or r in module.import_lines
                or r in module.names.classes
            ):
                yield place, r
        for node in walk(ast.parse(text)):
            path = dotted(node) if isinstance(node, ast.Name | ast.Attribute) else None
            if path is None or path[0] not in reads or path[0] not in module.imports or path[0] in module.functions:
                continue
            full = self.absolute(place, ".".join([module.imports[path[0]], *path[1:]]))
            trail: list[tuple[str, str]] = []
            if rules.lookup(full) is None:
                self.locate(full, trail)
            yield from trail


def is_named(tree: ast.Module, name: str) -> bool:
    """Whether a module mentions a name, of its own or of another one: `filters.KF`."""
    return any(name == (n.id if isinstance(n, ast.Name) else getattr(n, "attr", "")) for n in walk(tree))


def is_own(path: str) -> bool:
    """Whether a path may lead into a module of the user's."""
    return path.partition(".")[0] not in NEVER_READ and not is_sparse_module(path) and not is_installed(path)


@functools.lru_cache(maxsize=1024)
def import_effects(text: str) -> tuple[dict[str, str], tuple[str, ...], Effects]:
    """The names by which a module imports what is the user's, all paths of such imports, and what it does to them; as
    names, too, what gives modules by their names: see `handles`."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return {}, (), Effects()
    imports, paths = Imports(), dict[str, None]()
    for s in walk(tree):  # those inside of functions, too
        if isinstance(s, ast.Import | ast.ImportFrom):
            imports.add(s)
            alone = Imports()
            alone.add(s)
            paths |= dict.fromkeys([*alone.names.values(), *(line.split()[1] for line in alone.stars)])
    own = {n: p for n, p in imports.names.items() if is_own(p)}
    replaced = replaced_in_libraries(tree, library_imports(tree))
    handles = Handles(imports.names)
    if has_handles(tree, imports.names):
        handles.visit(tree)
        own |= handles.found
        paths |= dict.fromkeys(p for p in handles.found.values() if p != EVERY)
    found = effects(tree, own)
    found.bound |= handles.bound
    found.replaced = replaced
    return own, tuple(filter(is_own, paths)), found


def parent(name: str) -> str:
    """The package around a module: `.a.b` -> `.a` -> `.` -> `..`."""
    if not name.strip("."):
        return name + "."
    head, _, last = name.rpartition(".")
    return head + "." if not head.strip(".") and name != last else head


def are_one(a: str, b: str) -> bool:
    """Whether two names of equal texts are names of one module: `.layers` and `pkg.layers`."""
    a, b = sorted((a, b), key=lambda n: not n.startswith("."))
    rest = a.lstrip(".")
    return bool(rest) and rest != a and not b.startswith(".") and f".{b}".endswith(f".{rest}")


def filename_of(name: str, package: bool) -> str:
    dots = len(name) - len(name.lstrip("."))
    path = name.lstrip(".").replace(".", "/")
    up = "../" * max(0, dots - 1)
    if package:
        return up + (f"{path}/" if path else "") + "__init__.py"
    return f"{up}{path}.py"


def public_names(module: Module) -> list[str] | None:
    """The names that a star import of the module binds, by what its text says; None where that can't be told."""
    listed: list[str] = []
    stated = 0
    for s in module.tree.body:
        match s:
            case (
                ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List(elts=elts) | ast.Tuple(elts=elts))
                | ast.AugAssign(target=ast.Name(id="__all__"), value=ast.List(elts=elts) | ast.Tuple(elts=elts))
            ) if (names := texts(elts)) is not None:
                listed = [*listed, *names] if isinstance(s, ast.AugAssign) else names
                stated += 1
    mentions = sum(isinstance(n, ast.Name) and n.id == "__all__" for n in walk(module.tree))
    if mentions != stated or "__all__" in module.imports:
        return None
    if stated:
        return listed
    every = [*module.functions, *module.constants, *module.other_names, *module.names.imports.names]
    return list(dict.fromkeys(n for n in every if not n.startswith("_")))


def texts(elts: list[ast.expr]) -> list[str] | None:
    """The items of a list of texts; None where they are not written out."""
    names = [e.value for e in elts if isinstance(e, ast.Constant) and isinstance(e.value, str)]
    return names if len(names) == len(elts) else None


def imported_names(s: ir.Inert, f: ir.Function) -> list[str]:
    """The names that an import inside a function binds. Raises S2SError where it is relative to another module."""
    found: list[str] = []
    raw = s.values[0]
    assert isinstance(raw, ir.Raw)
    for node in ast.parse(raw.text).body:
        if isinstance(node, ast.ImportFrom) and node.level:
            span = s.origin.span if s.origin else None
            message = f"`{raw.text}` inside `{f.name}` is relative to another module"
            raise S2SError(Diagnostic("S221", message, span, help=("move the import to the top of that module",)))
        if isinstance(node, ast.Import | ast.ImportFrom):
            found += [a.asname or a.name.partition(".")[0] for a in node.names]
    return found


def mapped(block: ir.Block, f: Callable[[Expr], Expr]) -> ir.Block:
    """The block with `f` applied to each expression that its statements evaluate."""
    out: list[ir.Stmt] = []
    for s in block:
        match s:
            case ir.Assign() | ir.Unpack() | ir.Append() | ir.Return():
                s = replace(s, value=f(s.value))
            case ir.Store() | ir.Augment():
                target = f(s.target) if isinstance(s.target, ir.Index) else s.target
                s = replace(s, target=target, value=f(s.value))
            case ir.If():
                s = replace(s, test=f(s.test), body=mapped(s.body, f), orelse=mapped(s.orelse, f))
            case ir.For():
                s = replace(s, iterable=f(s.iterable), body=mapped(s.body, f))
            case ir.While():
                s = replace(s, test=f(s.test), body=mapped(s.body, f))
            case ir.Inert(keyword=keyword) if keyword != "import":
                s = replace(s, values=tuple(map(f, s.values)))
        out.append(s)
    return tuple(out)


__all__ = ["MARK", "Program", "Read"]
