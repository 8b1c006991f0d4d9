"""What names mean: imports, the module's own names, and the methods of arrays."""

from __future__ import annotations

import ast
import builtins
import copy
import importlib
import keyword
import math
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

import numpy as np

from s2s import helpers, rules
from s2s.frontend.text.decorators import cached_names, compiler, compiles, is_compiled, stands_in
from s2s.frontend.text.moments import (
    Moments,
    changing,
    moments,
    named_in,
    replaced_in_libraries,
    rewritten,
    set_in_space,
    spaces,
    stores,
)
from s2s.frontend.text.scopes import (
    body_nodes,
    bound_names,
    children,
    dotted,
    free_names,
    full_path,
    new_name,
    rename,
    walk,
)
from s2s.frontend.text.source import Note, Source, copied_body, made, one_line

if TYPE_CHECKING:
    from s2s.frontend.text.classes import ClassInfo

BUILTINS = frozenset(dir(builtins))


def words(text: str) -> list[str]:
    """Long lists of names are easier to read and to change as plain words."""
    return text.split()


# ndarray methods and the function that computes the same; the receiver is its first argument.
METHODS = {
    name: f"numpy.{name}"
    for name in words("""
    all any argmax argmin argpartition argsort choose clip conj conjugate copy cumprod
    cumsum diagonal dot max mean min nonzero prod ptp ravel repeat reshape round searchsorted
    squeeze std sum swapaxes take trace transpose var astype
""")
} | {
    "flatten": "numpy.ravel",
    "compress": "numpy.ndarray.compress",
    "item": "numpy.ndarray.item",
    "tolist": "numpy.ndarray.tolist",
}

# Methods that change their receiver.
NAMESPACE = "types.SimpleNamespace"
COPIES = ("copy.copy", "copy.deepcopy")
MUTATING_METHODS = frozenset(
    words("""
    append extend insert pop remove clear sort reverse update setdefault popitem add discard fill
    resize put itemset setflags partition byteswap setfield
    __iadd__ __isub__ __imul__ __itruediv__ __ifloordiv__ __imod__ __ipow__ __imatmul__ __iand__ __ior__ __ixor__
    __setitem__ __delitem__
""")
)
# As values, `add = values.append`: nothing that is called later tells that it changes the list. What may be data of the
# user's, `p.fill`, is not among them.
BOUND_METHODS = (MUTATING_METHODS - {"fill", "put", "update", "sort", "add"}) | {
    "__setitem__",
    "__iadd__",
    "__delitem__",
}
MUTATING_FUNCTIONS = frozenset(
    words("""
    numpy.copyto numpy.put numpy.place numpy.putmask numpy.fill_diagonal numpy.put_along_axis
    numpy.random.shuffle random.shuffle heapq.heappush heapq.heappop heapq.heapify builtins.setattr
    builtins.delattr bisect.insort bisect.insort_left bisect.insort_right
    python.operator.iadd python.operator.isub python.operator.imul python.operator.itruediv python.operator.ifloordiv
    python.operator.imod python.operator.ipow python.operator.imatmul python.operator.iconcat
    python.operator.setitem python.operator.delitem
""")
)
DYNAMIC = frozenset(f"builtins.{n}" for n in ("eval", "exec", "compile", "globals", "locals", "vars", "__import__"))

# Arguments from this position on carry no derivative (shapes, axes, counts), so they may stay as they are written.
TREE_ARGUMENTS = {
    "numpy.zeros": 0,
    "numpy.ones": 0,
    "numpy.empty": 0,
    "numpy.eye": 0,
    "numpy.identity": 0,
    "numpy.tri": 0,
    "numpy.indices": 0,
    "builtins.range": 0,
    "builtins.len": 0,
    "builtins.print": 0,
    "builtins.isinstance": 0,
    "builtins.issubclass": 0,
    "builtins.hasattr": 0,
    "builtins.callable": 0,
    "builtins.type": 0,
    "builtins.str": 0,
    "builtins.repr": 0,
    "builtins.format": 0,
    "numpy.ndim": 0,
    "numpy.shape": 0,
    "numpy.size": 0,
    "numpy.finfo": 0,
    "numpy.iinfo": 0,
    "numpy.result_type": 0,
    "numpy.isscalar": 0,
    "numpy.iscomplexobj": 0,
    "numpy.isnan": 0,
    "numpy.isfinite": 0,
    "numpy.isinf": 0,
    "numpy.array_equal": 0,
    "numpy.allclose": 0,
    "numpy.random.normal": 0,
    "numpy.arange": 3,
    "numpy.linspace": 2,
    "numpy.full_like": 2,
    "numpy.zeros_like": 1,
    "numpy.ones_like": 1,
    "numpy.empty_like": 1,
    "numpy.clip": 3,
    **{
        f"numpy.{name}": 1
        for name in words("""
    all any argmax argmin argsort array asarray array_split broadcast_to cumprod cumsum diag
    diagonal diff expand_dims flip fliplr flipud amax amin atleast_1d concatenate hstack vstack
    stack max mean median min moveaxis nanmean nansum nanmax nanmin nanvar nanstd nonzero pad prod
    ptp quantile percentile ravel repeat reshape roll rollaxis rot90 round around sort split hsplit
    vsplit dsplit squeeze std sum swapaxes take tile trace transpose tril triu unique var astype
    item tolist copy count_nonzero float_power_ linalg.norm linalg.cond linalg.matrix_power
    linalg.eigh linalg.svd linalg.qr linalg.inv linalg.pinv linalg.cholesky linalg.det
    linalg.slogdet fft.fft fft.ifft fft.rfft fft.irfft
""")
    },
}

# What makes an array without a derivative.
FILLED = frozenset(f"numpy.{n}" for n in ("array", "copy", "full", "full_like", "linspace", "repeat", "tile"))
ALLOCATIONS = frozenset(f"numpy.{n}" for n in words("zeros zeros_like ones ones_like empty empty_like"))

# Operands of functions that take the array for the result behind them.
OPERANDS = {"clip": 3, "dot": 2, "outer": 2, "round": 2}

# Functions that write into `out` before they have read all of their operands, where these share memory with it.
WRITE_AS_THEY_READ = frozenset(f"numpy.{n}" for n in words("concatenate concat stack ptp"))

# Functions that give an array, whatever they are given.
ARRAY_MAKERS = frozenset(
    f"numpy.{n}"
    for n in words("""
    arange array asarray concatenate diag empty empty_like eye full full_like genfromtxt geomspace identity linspace
    loadtxt logspace ones ones_like outer repeat stack tile tri vander zeros zeros_like
""")
)
# Methods of arrays that give views of them, and that hardly anything else has.
VIEWING = frozenset(["reshape", "ravel", "squeeze", "swapaxes", "transpose", "diagonal", "view"])

# Objects that make arrays of what they are subscripted with.
SUBSCRIPTED = frozenset(f"numpy.{n}" for n in words("r_ c_ mgrid ogrid"))

# Keywords whose value carries no derivative.
TREE_OPTIONS = frozenset(
    words("""
    axis axes keepdims dtype order ddof copy shape newshape mode k n num endpoint retstep casting
    subok ord offset axis1 axis2 like optimize indexing rowvar decimals ndmin repeats reps shift
    kind side strict file sep end flush key reverse UPLO compute_uv full_matrices hermitian rcond
    mode M N lower trans check_finite overwrite_a overwrite_b unit_diagonal assume_a n_iter maxiter
    tol workers
""")
)

BOOLEAN = frozenset(
    words("""
    builtins.isinstance builtins.issubclass builtins.hasattr builtins.callable builtins.any
    builtins.all builtins.bool numpy.any numpy.all numpy.isnan numpy.isfinite numpy.isinf
    numpy.isclose numpy.allclose numpy.array_equal numpy.isscalar numpy.iscomplexobj numpy.isrealobj
    numpy.iterable numpy.logical_and numpy.logical_or numpy.logical_not numpy.logical_xor
    numpy.signbit numpy.isin math.isnan math.isfinite math.isinf math.isclose
""")
)

# Attributes of arrays that carry no derivative.
ATTRIBUTES_OF = {
    "dtype": frozenset(["char", "itemsize", "kind", "name", "num", "str", "type"]),
    "flags": frozenset(["aligned", "c_contiguous", "contiguous", "f_contiguous", "owndata", "writeable"]),
}
PLAIN_ATTRIBUTES = frozenset(["shape", "size", "ndim", "dtype", "itemsize", "nbytes", "strides", "flags"])
ARRAY_ATTRIBUTES = {"T": "numpy.transpose", "real": "numpy.real", "imag": "numpy.imag", "mT": "numpy.matrix_transpose"}

# Statements that are only a call of one of these (or of anything below them) run once, in the forward sweep.
QUIET_CALLS = (
    "builtins.print",
    "warnings",
    "logging",
    "time",
    "sys",
    "gc",
    "pprint",
    "numpy.seterr",
    "numpy.set_printoptions",
    "numpy.testing",
    "numpy.random.seed",
    "random.seed",
    "matplotlib",
)

# What a module may import in the place of NumPy, which computes the same.
LIKE_NUMPY = frozenset(["numpy", "cupy", "jax.numpy", "autograd.numpy"])

# Modules whose star import can be listed without running the user's code.
LISTED = ("math", "cmath", "numpy", "numpy.linalg")


@dataclass
class Attempt:
    """An import in the body of a `try`. path, line: what it binds a name to; before: what the name was, as a path and
    a line, "" where it was nothing or the module's own; instead: what it is where the import fails, in this way."""

    node: ast.Try
    path: str
    before: tuple[str, str]
    own: bool  # whether the module has bound the name before
    instead: list[tuple[str, str]] = field(default_factory=list)

    @property
    def otherwise(self) -> list[tuple[str, str]]:
        return self.instead or ([self.before] if self.own or self.before[0] else [])


@dataclass
class Imports:
    """Names bound by import statements: what they stand for, and a statement that binds them again."""

    names: dict[str, str] = field(default_factory=dict)
    lines: dict[str, str] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)  # lines of star imports that can't be listed
    star_at: dict[str, int] = field(default_factory=dict)  # where they stand
    unsure: dict[str, bool] = field(default_factory=dict)  # those under an `if`; True: behind an `except`, a fallback
    listed_at: dict[str, int] = field(default_factory=dict)  # where other star imports bind names, the last of each
    tried: set[str] = field(default_factory=set)  # lines of star imports in the body of a `try`
    attempts: dict[str, Attempt] = field(default_factory=dict)  # names that the body of a `try` imports
    optional: dict[str, str] = field(default_factory=dict)  # paths that may be missing, and what is done then

    def bind(self, name: str, canonical: str, line: str, again: bool) -> None:
        """`again`: a second binding replaces the first, as in the module's body; a fallback does not, but for one that
        has rules where the first has none: `import numpy as xp` behind `import cupy as xp`."""
        known = name in self.names and rules.is_module(canonical) and not rules.is_module(self.names[name])
        if name not in self.names or ((again or known) and self.names[name] != canonical):
            self.names[name], self.lines[name] = canonical, line
            return
        there = map(str.strip, self.lines[name].split("\n"))  # in a try statement, too
        new = self.names[name] == canonical and line not in there
        if new and line.startswith("import "):  # `import numpy` and `import numpy.linalg` both bind numpy
            self.lines[name] += "\n" + line

    def add(self, node: ast.Import | ast.ImportFrom, whole: str = "", again: bool = False) -> None:
        """`whole` is the try statement around the import, if it is nothing but imports."""
        if isinstance(node, ast.Import):
            for a in node.names:
                line = f"import {a.name}" + (f" as {a.asname}" if a.asname else "")
                name = a.asname or a.name.partition(".")[0]
                self.bind(name, a.name if a.asname else name, whole or line, again)
            return
        module = "." * node.level + (node.module or "")
        if module == "__future__":
            return
        for a in node.names:
            if a.name == "*":
                self.add_star(module, again, node.lineno)
                self.star_at[star_line(node)] = node.lineno
                continue
            line = f"from {module} import {a.name}" + (f" as {a.asname}" if a.asname else "")
            joint = "" if module.endswith(".") else "."
            self.bind(a.asname or a.name, f"{module}{joint}{a.name}", whole or line, again)

    def add_star(self, module: str, again: bool, line: int) -> None:
        if module not in LISTED:
            self.stars.append(f"from {module} import *")
            return
        loaded = importlib.import_module(module)
        for name in getattr(loaded, "__all__", None) or [n for n in dir(loaded) if not n.startswith("_")]:
            self.bind(name, f"{module}.{name}", f"from {module} import {name}", again)
            self.listed_at[name] = line


def star_line(node: ast.ImportFrom) -> str:
    return f"from {'.' * node.level}{node.module or ''} import *"


def target_names(node: ast.expr) -> Iterator[str]:
    for n in walk(node):
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store | ast.Del):
            yield n.id


def top_statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run when the module is imported, those in if, for, try and with included."""
    for s in body:
        yield s
        if isinstance(s, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for name in ("body", "orelse", "finalbody"):
            yield from top_statements(getattr(s, name, []))
        for handler in getattr(s, "handlers", []):
            yield from top_statements(handler.body)
        for case in getattr(s, "cases", []):
            yield from top_statements(case.body)


def no_text(path: str) -> str:
    return ""


def with_nodes(e: ast.expr, instead: dict[str, ast.expr]) -> ast.expr:
    """An expression with others in place of parts, by their dumps."""

    class Instead(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return instead.get(ast.dump(node)) or self.generic_visit(node)

    return cast(ast.expr, Instead().visit(copy.deepcopy(e)))


def no_value(path: str, name: str) -> bool:
    return False


def no_object(_: str) -> bool:
    return False


def no_class(_: str) -> None:
    """For a module that knows no other."""


NEVER_READ = sys.stdlib_module_names | {"numpy", "s2s"}  # modules whose text is not asked for


def makes_none(path: str, attribute: str) -> bool:
    return False


def nothing_bound(name: str, path: str) -> None:
    """For a module of which nothing is written."""


def no_function(_: str) -> None:
    """For a module whose functions are not asked for."""


def no_class_to_derive(_: str) -> None:
    """For a text that stands alone."""


def no_class_to_adopt(path: str, name: str, at: ast.expr) -> bool:
    return False


def never(key: str, path: str) -> bool:
    return False


@dataclass
class Made:
    """A function that the frontend has made: of a nested one, or of a helper for the functions handed to it.

    env: the functions that its names stand for; keywords: the parameters for what `**options` takes, by its name and
    the keyword; lengths: of the tuple that `*rest` takes; given: the places in the tuples, or the keys of the
    dicts, that parameters are given; rest: the parameters that stand for `*rest`, where it is only handed on.
    """

    node: ast.FunctionDef
    env: dict[str, object]
    notes: dict[int, Note]
    doc: str
    keywords: dict[str, dict[str, str]] = field(default_factory=dict)
    lengths: dict[str, int] = field(default_factory=dict)
    given: dict[str, tuple[int | str, ...]] = field(default_factory=dict)
    rest: list[str] = field(default_factory=list)


@dataclass
class ModuleNames:
    """The names of a module, as its functions see them."""

    imports: Imports
    constants: dict[str, str]
    functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef]
    rebound: set[str]  # functions that the module binds again: `f = decorate(f)`
    others: set[str]
    values: dict[str, ast.expr] = field(default_factory=dict)  # what names stand for that are bound once
    changed: set[str] = field(default_factory=set)  # bound again by functions, as `global`
    moments: Moments = field(default_factory=Moments)
    arrays: frozenset[str] = frozenset()  # names of the module that are bound to arrays only
    assigned: dict[str, ast.expr] = field(default_factory=dict)  # the last value of each name that is assigned to
    replaced: set[str] = field(default_factory=set)  # see `moments.replaced_in_libraries`; of all modules
    cached: frozenset[str] = frozenset()  # functions of which the module makes cached ones
    made: dict[str, Made] = field(default_factory=dict)
    keys: dict[object, str] = field(default_factory=dict)  # what a function was made for -> its name
    notes_of: Callable[[str], dict[int, Note]] = lambda name: {}
    announce: Callable[[str], None] = lambda name: None
    elsewhere: Callable[[], Iterable[str]] = tuple  # functions of the other modules of the program
    asked: set[str] = field(default_factory=set)  # functions of which it is being found out whether they make functions
    effects: dict[int, bool] = field(default_factory=dict)  # see `objects.affects`
    read: bool = False  # whether its functions have got the form in which their callers read them
    parts: frozenset[str] | None = None  # attributes that `elements` has found to be those of arrays
    filling: dict[tuple[int, tuple[int, ...]], bool] = field(default_factory=dict)  # see `makers.gives_filled`
    changing: bool | None = None  # whether any function changes what it is given: see `methods.write_out`

    def is_changed(self, name: str) -> bool:
        """Whether functions bind a name of the module anew, or did so elsewhere before it was imported from there."""
        if name in self.imports.names:
            return name in self.changed or self.is_bound_anew(self.imports.names[name])
        return name in self.changed

    def is_setting(self, name: str) -> bool:
        """Whether a name stands for a value that functions of this module bind anew, or a value of another one that
        functions do there: it is read of the module itself, as it is at that time. Not of a package that is the file:
        nothing there says by which name it is imported."""
        file = "" if self.source is None else with_slashes(self.source.filename).rpartition("/")[2]
        if not self.prefix and file == "__init__.py":
            return False
        if name in self.imports.names:
            return name not in self.changed and self.is_value(self.imports.names[name])
        return name in self.assigned and name not in self.functions.keys() | self.classes.keys()

    def type_meant(self, annotation: ast.expr, inside: frozenset[str] = frozenset()) -> str:
        """The text of an annotation with the types written out that modules have given names: `Vector` as
        `np.ndarray[tuple[int], np.dtype[np.float64]]`; "" where there are none."""
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            try:
                annotation = ast.parse(annotation.value.strip(), mode="eval").body
            except (SyntaxError, ValueError, RecursionError):
                return ""
        texts = {}
        for n in walk(annotation):
            path = dotted(n) if isinstance(n, ast.Name | ast.Attribute) else None
            if path is not None and (text := self.type_named(path, inside)):
                texts[ast.dump(n)] = ast.parse(text, mode="eval").body
        return ast.unparse(with_nodes(annotation, texts)) if texts else ""

    def type_named(self, path: list[str], inside: frozenset[str]) -> str:
        """The text of a type that the module, or another one, has given this name; else ""."""
        name = path[0]
        value = self.values.get(name) if len(path) == 1 else None
        if isinstance(value, ast.Subscript | ast.BinOp | ast.Attribute | ast.Name) and name not in inside:
            return self.type_meant(value, inside | {name}) or ast.unparse(value)
        return self.find_type(".".join([self.imports.names[name], *path[1:]])) if name in self.imports.names else ""

    def new_name(self, wish: str) -> str:
        """A name that neither the module nor a function made for it has."""
        name, k = wish, 1
        taken = {*self.imports.names, *self.constants, *self.functions, *self.others, *self.made, *self.keys.values()}
        taken |= set(self.elsewhere())
        while name in taken:
            k += 1
            name = f"{wish}_{k}"
        return name

    def texts(self) -> dict[str, ast.FunctionDef]:
        """The functions of the module and the methods of its classes, under the keys of their notes."""
        methods = {c.key(n): m for c in self.classes.values() for n, m in c.methods.items()}
        return {k: f for k, f in {**self.functions, **methods}.items() if isinstance(f, ast.FunctionDef)}

    def own_numpy(self, hidden: Collection[str]) -> str:
        """The name that the file has for NumPy, where none of the names of a function hides it; else ""."""
        return next((n for n, of in self.imports.names.items() if of == "numpy" and n not in hidden), "")

    def numpy(self, hidden: Collection[str]) -> str:
        """A name of NumPy that none of the names of a function hides; the module may get one for it."""
        found = self.own_numpy(hidden)
        if not found:
            found = self.new_name("np")
            while found in hidden:
                found += "_"
            self.imports.names[found], self.imports.lines[found] = "numpy", f"import numpy as {found}"
        return found

    def is_free(self, name: str, path: str) -> bool:
        """Whether a name may be bound to what stands under a path, or is already."""
        if name in self.imports.names:
            return self.imports.names[name] == path
        return name not in {*self.functions, *self.constants, *self.others, *self.classes, *self.values}

    def is_function(self, e: ast.expr) -> bool:
        """Whether a value of the module is surely a function: one of its own, one of NumPy's or of `math`, a lambda."""
        path = dotted(e) or [""]
        if len(path) == 1 and path[0] in self.functions:
            return path[0] not in self.rebound
        module, _, name = ".".join([self.imports.names.get(path[0], ""), *path[1:]]).partition(".")
        known = {"numpy": np, "math": math}.get(module)
        return isinstance(e, ast.Lambda) or callable(getattr(known, name, None))

    def hides(self, builtins: frozenset[str]) -> bool:
        """Whether the module binds one of these names to something of its own."""
        return not builtins.isdisjoint({*self.functions, *self.constants, *self.others})

    def hidden_builtins(self) -> set[str]:
        """The names of builtins that stand for something of the module's own, or of another module."""
        own = {*self.functions, *self.constants, *self.others}
        own |= {n for n, path in self.imports.names.items() if path != f"builtins.{n}"}
        return own.intersection(dir(builtins))

    def forget(self, name: str) -> None:
        """What the module binds to a name before a star import that binds it, too."""
        for known in (self.functions, self.constants, self.values, self.classes):
            known.pop(name, None)
        self.others.discard(name)

    def doubt(self, line: int) -> None:
        """What is bound above a star import of which it is not known what it binds."""
        for name in [*self.functions, *self.constants]:
            if self.moments.bound.get(name, line) < line:
                self.bound_elsewhere(name)

    def bound_elsewhere(self, name: str) -> None:
        """A name of which it is not known what stands for it when the functions run."""
        self.rebound |= {name} & self.functions.keys()
        self.constants.pop(name, None)
        self.values.pop(name, None)
        self.others.add(name)

    def add(self, name: str, function: Made) -> None:
        self.made[name] = self.apart(function)
        self.announce(name)

    def apart(self, function: Made) -> Made:
        """A function that may be rewritten: the text that it comes from is that of others, too. What it is given has
        no name that the module has for something else."""
        node = copy.copy(function.node)
        node.body = copied_body(node.body, function.notes)
        known = {*self.functions, *self.classes, *self.imports.names, *self.values, *self.constants, *self.others}
        inside = list(walk(node))
        taken = {n.id for n in inside if isinstance(n, ast.Name)} | {n.arg for n in inside if isinstance(n, ast.arg)}
        env: dict[str, object] = {}
        for name, value in function.env.items():
            own = new_name(taken | known | function.env.keys() | env.keys(), name) if name in known else name
            if own != name:
                rename(node, name, own)
            env[own] = value
        return replace(function, node=node, env=env)

    def carries(self, name: str) -> bool:
        """Whether a function of the module is a copy of one of s2s, as in a file that s2s has written."""
        if name not in self.carried:
            needs = (name, *helpers.requires(name)) if name in helpers.names() else ()
            same = (
                n in self.functions and helpers.is_copy(self.functions[n], n, self.hidden_builtins()) for n in needs
            )
            self.carried[name] = bool(needs) and self.imports.names.get("np") == "numpy" and all(same)
        return self.carried[name]

    def holds_object(self, name: str) -> bool:
        """Whether a variable of the module may hold an object of the user's, or a dict: what its methods give lies in
        it. Nobody knows what those of other libraries give: it is taken for new."""
        value = self.assigned.get(name)
        path = dotted(value.func) if isinstance(value, ast.Call) else None
        if path is None:
            known = isinstance(value, ast.Dict | ast.DictComp | ast.Name | ast.Subscript)
            return known or (value is None and name in self.others)
        found = self.classes.get(path[0]) if len(path) == 1 else None
        imported = self.imports.names.get(path[0])
        return found is not None or (
            imported is not None and self.find_class(".".join([imported, *path[1:]])) is not None
        )

    source: Source | None = None  # its text
    carried: dict[str, bool] = field(default_factory=dict)  # see `carries`
    prefix: str = ""  # of its functions' names, for a module that another one calls
    classes: dict[str, ClassInfo] = field(default_factory=dict)
    find_class: Callable[[str], ClassInfo | None] = no_class  # a class of another module
    borrow: Callable[[str, str], bool] = no_value  # functions that another module holds: see `borrowed`
    adopt: Callable[[str, str, ast.expr], bool] = (
        no_class_to_adopt  # a class of another module whose objects change: see `adopted`
    )
    absolute: Callable[[str], str] = str  # a path of this module, as the file that is differentiated would write it
    relative: Callable[[str], str] = str  # such a path, as this module would write it; "" where it can't be told
    derive: Callable[[str], None] = no_class_to_derive  # makes known a class of the module with such a base
    adopted: set[str] = field(default_factory=set)  # such classes, by their names here
    find_type: Callable[[str], str] = no_text  # see `type_meant`
    bound_there: set[str] = field(default_factory=set)  # the attributes that their modules bind outside of constructors
    derived: set[str] = field(default_factory=set)  # classes of the module that have them as bases
    find_function: Callable[[str], ast.FunctionDef | None] = no_function  # that a `local.` name calls
    # whether what another module has under a path may make objects with an attribute
    makes_elsewhere: Callable[[str, str], bool] = makes_none
    is_bound_anew: Callable[[str], bool] = no_object  # whether functions of another module do so, with a path there
    is_value: Callable[[str], bool] = no_object  # whether a path into another module stands for a value
    find_value: Callable[[str], ast.expr | None] = no_function  # what another module assigns to a name, once
    is_object: Callable[[str], bool] = no_object  # `holds_object` for a path into another module
    # the class of an object under a path into another module, and the module that makes it: `fickle.object_at`
    object_at: Callable[[str], tuple[ClassInfo, ModuleNames] | None] = no_function
    bind_import: Callable[[str, str], None] = nothing_bound  # a name that the frontend imports, and its path
    # the text of a function of another module, which may stand in one of this module: it imports what that reads
    lend: Callable[[str], ast.FunctionDef | None] = no_function
    # the function that another module has under a path: that module's names, and its own
    helper: Callable[[str], tuple[ModuleNames, str] | None] = no_function
    find_signature: Callable[[str], ast.FunctionDef | None] = no_function  # the same, and those that are made
    lowers: Callable[[str, str], bool] = never  # whether a function that was made for a call of a path can be lowered
    why_not: Callable[[str], str] = no_text  # why the source of a path can't be differentiated
    link: Callable[[str], str] = str  # what a call of an imported path calls: `local.layers.dense` where that is read


def module_names(tree: ast.Module, source: Source) -> ModuleNames:
    imports = Imports()
    functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef] = {}
    counts: dict[str, int] = {}
    defs: dict[str, int] = {}
    touched: set[str] = set()  # changed after their assignment
    values: dict[str, ast.expr] = {}
    bound = stores(tree)
    named = (getattr(n, "name", "") or getattr(n, "id", "") for n in walk(tree) if is_binding(n))
    hides_dict = "dict" in imports.names or "dict" in named
    anew: dict[str, list[ast.expr]] = {}  # all values of a name, in whatever statement
    top = set(map(id, tree.body))
    first = top | {id(x) for s in tree.body if isinstance(s, ast.Try) for x in s.body}
    tries = {id(x): s for s in tree.body if isinstance(s, ast.Try) and s.handlers for x in (*s.body, *s.orelse)}
    imports.optional = optional_imports(tree)
    fallbacks = import_fallbacks(tree, source, imports.optional)
    instead = {id(s) for t in tree.body if isinstance(t, ast.Try) for h in t.handlers for s in top_statements(h.body)}
    own: set[str] = set()  # names that are bound by more than an import, and what stands in for it where it fails

    def hide(name: str) -> None:
        """An imported name that the module binds to something else is no longer what the import said."""
        if imports.names.pop(name, None) is not None:
            counts.setdefault(name, 0)

    for s in top_statements(tree.body):
        match s:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.expr() as given) if (
                id(s) in first and name not in functions and (meant := compiler(given, imports.names))
            ):  # `jit = partial(numba.jit, nopython=True)`
                imports.names[name] = meant
                continue
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name() | ast.Attribute() as given) if (
                (id(s) in top or id(s) in instead)
                and (dotted(given) or [""])[0] in imports.names
                and rules.is_module(meant := full_path(given, imports.names))
                and len(bound[name]) == 1
            ):  # `xp = numpy`
                imports.bind(name, meant, f"import {meant} as {name}", id(s) in top)
                continue
        if id(s) in instead and stands_in(s, imports.names):
            continue
        for name in binds(s) if id(s) in instead else ():
            if name in imports.attempts:
                imports.attempts[name].instead.append(("", ""))
        for name in () if id(s) in instead else binds(s):
            own.add(name)
            hide(name)
        match s:
            case ast.Import() | ast.ImportFrom():
                before, alone = dict(imports.names), Imports()
                alone.add(s)
                for name, path in alone.names.items():
                    if id(s) in tries:
                        was = (before.get(name, ""), imports.lines.get(name, ""))
                        imports.attempts[name] = Attempt(tries[id(s)], path, was, name in counts)
                    elif id(s) in instead and name in imports.attempts:
                        imports.attempts[name].instead.append((path, alone.lines[name]))
                imports.add(s, fallbacks.get(id(s), ""), id(s) in first)
                imports.tried |= set(alone.stars) if id(s) in tries else set()
                if isinstance(s, ast.ImportFrom) and id(s) not in first:
                    imports.unsure |= {line: id(s) in instead for line in imports.stars if star_line(s) == line}
                if id(s) not in first | instead:  # under an `if`: which of two bindings holds is not known
                    for name, path in alone.names.items():
                        if {before.get(name, ""), path} <= LIKE_NUMPY:
                            imports.bind(name, "numpy", f"import numpy as {name}", True)
                        elif name in counts or before.get(name, path) != path:
                            counts[name] = counts.get(name, 1) + 1
                            imports.names.pop(name, None)
                for name in set(functions) & set(imports.names) if id(s) in top else ():
                    del functions[name]
            case ast.FunctionDef() | ast.AsyncFunctionDef() if id(s) in top:
                functions[s.name] = s
                defs[s.name] = defs.get(s.name, 0) + 1
                counts[s.name] = counts.get(s.name, 0) + 1
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                counts[s.name] = counts.get(s.name, 0) + 1
            case ast.Assign(targets=targets, value=value):
                value = value if hides_dict else as_display(value)
                for t in targets:
                    for name in target_names(t):
                        counts[name] = counts.get(name, 0) + 1
                    if isinstance(t, ast.Name):
                        anew.setdefault(t.id, []).append(value)
                    if isinstance(t, ast.Name) and id(s) in top:
                        values[t.id] = value
                    elif isinstance(t, ast.Tuple) and id(s) in top and (parts := made_parts(t, value, functions)):
                        values |= parts
                    elif not isinstance(t, ast.Name):
                        touched |= {n.id for n in walk(t) if isinstance(n, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
                counts[name] = counts.get(name, 0) + 1
                if id(s) in top:
                    values[name] = value
            case ast.AugAssign(target=t):
                touched |= {n.id for n in walk(t) if isinstance(n, ast.Name)}
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
                touched.add(name)
            case ast.For(target=t) | ast.AsyncFor(target=t):
                for name in target_names(t):
                    counts[name] = counts.get(name, 0) + 2
            case ast.With(items=items) | ast.AsyncWith(items=items):
                for item in items:
                    if item.optional_vars is not None:
                        for name in target_names(item.optional_vars):
                            counts[name] = counts.get(name, 0) + 2
            case ast.Delete(targets=targets):
                touched |= {n.id for t in targets for n in walk(t) if isinstance(n, ast.Name)}
    for name, lines in bound.items():
        counts[name] = max(counts.get(name, 0), len(lines))
    changed = global_writes(tree, source.filename)
    when = moments(tree, bound, changed, functions, values, imports.names)
    touched |= changed | changing(tree, values, imports.names)
    for name in changed:
        hide(name)
    for name, each in anew.items():  # `if FAST: jit = numba.njit`, `else: jit = identity`
        settled = counts[name] == len(each) > 1 and name not in changed | functions.keys()
        if settled and all(compiles(e, imports.names, functions) for e in each):
            imports.names[name] = "numba.jit"
            own.discard(name)
    compiled = {
        n
        for n in functions
        if n in anew and defs[n] == 1 == counts[n] - len(anew[n])
        if all(is_compiled(e, n, imports.names) for e in anew[n])
    }
    rebound = {name for name in functions if name in values or counts[name] > defs[name]} - compiled
    rebound |= (changed & functions.keys()) | rewritten(tree, functions, imports.names)
    arrays = {n for n in values if counts[n] == 1 and n not in changed | imports.names.keys()}
    arrays = {n for n in arrays if is_array(values[n], imports)}
    constants: dict[str, str] = {}
    single: dict[str, ast.expr] = {}
    for name, value in values.items():
        once = counts[name] == 1 and name not in touched and name not in imports.names
        once = once and not when.is_late(value, when.bound[name])
        if once:
            single[name] = value
        if once and can_be_copied(value, constants, imports):
            text = one_line(source.segment(value))
            faithful = text.isprintable() and ast.dump(ast.parse(text, mode="eval").body) == ast.dump(value)
            constants[name] = text if faithful else ast.unparse(value)
    others = {n for n in counts if n not in constants and (n not in functions or n in rebound)}
    others -= imports.names.keys() - own
    found = ModuleNames(imports, constants, functions, rebound, others, single, changed, when, frozenset(arrays))
    found.replaced = replaced_in_libraries(tree, library_imports(tree))
    found.cached, found.assigned, found.source = cached_names(walk(tree), imports.names), values, source
    return found


def is_binding(n: ast.AST) -> bool:
    defined = isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    return defined or (isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load))


def as_display(value: ast.expr) -> ast.expr:
    """`dict(sin=np.sin)` as `{"sin": np.sin}`."""
    match value:
        case ast.Call(func=ast.Name(id="dict"), args=[], keywords=[_, *_] as given) if all(k.arg for k in given):
            keys = [ast.copy_location(ast.Constant(k.arg), k) for k in given]
            return ast.copy_location(ast.Dict(list[ast.expr | None](keys), [k.value for k in given]), value)
    return value


def made_parts(
    target: ast.Tuple, value: ast.expr, functions: Mapping[str, ast.FunctionDef | ast.AsyncFunctionDef]
) -> dict[str, ast.expr]:
    """What names stand for that get the functions which another one makes, `g, h = make(2.0)`: `make(2.0)[0]`."""
    names = [t.id for t in target.elts if isinstance(t, ast.Name)]
    maker = functions.get(value.func.id) if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else None
    if maker is None or len(made_functions(maker)) != len(names) or len(names) < len(target.elts):
        return {}
    return {n: made(ast.Subscript(value, made(ast.Constant(i), value), ast.Load()), value) for i, n in enumerate(names)}


def made_functions(maker: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr]:
    """The functions that another one makes and returns, if it does nothing else at its end: `return g, h`."""
    inner = {s.name for s in maker.body if isinstance(s, ast.FunctionDef)}
    match maker.body[-1]:
        case ast.Return(value=ast.Tuple(elts=elts)) if all(
            isinstance(e, ast.Lambda) or (isinstance(e, ast.Name) and e.id in inner) for e in elts
        ):
            return elts
    return []


def library_imports(tree: ast.Module) -> dict[str, str]:
    """The names by which a module, or a function in it, imports what is of a library."""
    every = Imports()
    for s in walk(tree):
        if isinstance(s, ast.Import | ast.ImportFrom):
            every.add(s)
    return {n: p for n, p in every.names.items() if p.partition(".")[0] in (*NEVER_READ, "scipy")}


def is_array(e: ast.expr, imports: Imports) -> bool:
    """Whether a value is surely an array, by how it is made."""
    match e:
        case ast.Call(func=ast.Attribute(value=inner, attr="reshape" | "astype" | "copy" | "ravel" | "transpose")):
            if is_array(inner, imports):
                return True
        case ast.BinOp(left=a, right=b):
            return any(is_array(x, imports) for x in (a, b))
        case ast.UnaryOp(operand=a) | ast.Attribute(value=a, attr="T"):
            return is_array(a, imports)
    path = dotted(e.func) if isinstance(e, ast.Call) else None
    return path is not None and ".".join([imports.names.get(path[0], ""), *path[1:]]) in ARRAY_MAKERS


def binds(s: ast.stmt) -> Iterator[str]:
    """Names that a statement of a module's body binds itself, other than by an import."""
    match s:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield s.name
        case ast.Assign(targets=targets) | ast.Delete(targets=targets):
            for t in targets:
                yield from target_names(t)
        case ast.AnnAssign(value=None):
            pass
        case ast.AnnAssign(target=t) | ast.AugAssign(target=t) | ast.For(target=t) | ast.AsyncFor(target=t):
            yield from target_names(t)
        case ast.With(items=items) | ast.AsyncWith(items=items):
            for item in items:
                if item.optional_vars is not None:
                    yield from target_names(item.optional_vars)
        case ast.Match(cases=cases):
            yield from bound_names([n for c in cases for n in walk(c.pattern)])
        case ast.Try(handlers=handlers):
            yield from (h.name for h in handlers if h.name)
    for e in children(s):
        if isinstance(e, ast.expr):
            yield from (n.target.id for n in walk(e) if isinstance(n, ast.NamedExpr))


def global_writes(tree: ast.Module, filename: str) -> set[str]:
    """Names of the module that its functions, or classes in these, bind again."""
    found: set[str] = set()
    itself, own = names_of_itself(tree, filename), spaces(tree)
    for f in walk(tree):
        if isinstance(f, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            nodes = body_nodes(f)  # type: ignore[arg-type]
            declared = {n for s in nodes if isinstance(s, ast.Global) for n in s.names}
            if declared:
                imports = [s for s in nodes if isinstance(s, ast.Import | ast.ImportFrom)]
                imported = {a.asname or a.name.partition(".")[0] for s in imports for a in s.names}
                found |= declared & (bound_names(nodes) | imported)
            for s in nodes if not isinstance(f, ast.ClassDef) else ():
                if isinstance(s, ast.Assign | ast.AugAssign | ast.Expr):
                    found |= set_in_module(s, itself) | set_in_space(s, own, tree)
    return found


def with_slashes(filename: str) -> str:
    return filename.replace("\\", "/")


def names_of_itself(tree: ast.Module, filename: str) -> set[str]:
    """What stands in a module where it is meant itself: `globals()`, `sys.modules[__name__]`, and the names by which it
    imports itself (`import model`), or another one whose last name is the same."""
    own = with_slashes(filename).removesuffix(".py").removesuffix("/__init__").rpartition("/")[2]
    found = {"globals", "__name__"}
    for s in walk(tree):
        if isinstance(s, ast.Import | ast.ImportFrom):
            from_own = isinstance(s, ast.ImportFrom) and own in (s.module or "").split(".")
            for a in s.names:
                if from_own or own in a.name.split("."):
                    found.add(a.asname or a.name.partition(".")[0])
    return found


def set_in_module(s: ast.stmt, itself: Collection[str]) -> set[str]:
    """The names that a statement may bind as entries or attributes of the module: `globals()["K"] = 5.0`,
    `sys.modules[__name__].K = 5.0`."""
    nodes = list(walk(s))
    if not any(isinstance(n, ast.Name) and n.id in itself for n in nodes):
        return set()
    return named_in(s) | {n.attr for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)}


def used_names(function: ast.AST) -> set[str]:
    """Every identifier in a function, and Python's own: fresh names avoid them.

    Other functions of the file do not matter, so that an edit there changes nothing here.
    """
    used: set[str] = set()
    todo: list[ast.AST] = [function]
    while todo:
        node = todo.pop()
        match node:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.ClassDef(name=name):
                used.add(name)
            case ast.FunctionDef(name=name):
                used.add(name)
                if node is not function:  # its own names are another function's
                    used |= set(free_names(node))
                    todo += [*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)]
                    continue
            case ast.Lambda():
                used |= set(free_names(node))
                todo += [*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)]
                continue
            case ast.Attribute(attr=name):
                used.add(name)
            case ast.alias():
                used.add(node.asname or node.name.partition(".")[0])
        todo += children(node)
    return used | BUILTINS | set(keyword.kwlist)


def optional_imports(tree: ast.Module) -> dict[str, str]:
    """What may be missing, as imports at the start of a `try` may be, and what is done where it is: nothing, or its
    name is bound to None."""
    found: dict[str, str] = {}
    for s in tree.body:
        if not isinstance(s, ast.Try) or s.finalbody or not any(map(catches_import, s.handlers)):
            continue
        inside = [x for h in s.handlers for x in top_statements(h.body)]
        for x in s.body:
            alone = Imports()
            if isinstance(x, ast.Import | ast.ImportFrom):
                alone.add(x)
            for name, path in alone.names.items():
                instead = [i for i in inside if name in binds(i)]
                nothing = [i for i in instead if isinstance(i, ast.Assign) and ast.unparse(i.value) == "None"]
                if nothing == instead:
                    found[path] = f"{name} = None" if instead else "pass"
    return found


def catches_import(handler: ast.ExceptHandler) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    known = ("ImportError", "ModuleNotFoundError", "Exception", "BaseException")
    return any(k is None or (isinstance(k, ast.Name) and k.id in known) for k in kinds)


def guarded(line: str, otherwise: str) -> str:
    """An import of what may be missing."""
    return f"try:\n    {line}\nexcept ImportError:\n    {otherwise}"


def import_fallbacks(tree: ast.Module, source: Source, optional: dict[str, str]) -> dict[int, str]:
    """The text of the whole statement for each import inside a try, or an `if TYPE_CHECKING`, that holds nothing but
    imports and constants; of an optional one beside other statements, the import with a handler of its own."""
    found: dict[int, str] = {}
    plain = ast.Import | ast.ImportFrom | ast.Pass

    def is_plain(s: ast.stmt) -> bool:
        return isinstance(s, plain) or (isinstance(s, ast.Assign) and isinstance(s.value, ast.Constant))

    for s in tree.body:
        match s:
            case ast.Try(finalbody=[]):
                inner = [*s.body, *s.orelse, *(x for h in s.handlers for x in h.body)]
            case ast.If(test=ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING")):
                inner = [*s.body, *s.orelse]
            case _:
                continue
        if all(is_plain(x) for x in inner):
            text = source.segment(s)
            found |= {id(x): text for x in inner}
        for x in () if found.keys() & set(map(id, inner)) else inner:
            alone = Imports()
            if isinstance(x, ast.Import | ast.ImportFrom):
                alone.add(x)
            if alone.names and all(path in optional for path in alone.names.values()):
                found[id(x)] = guarded(ast.unparse(x), optional[next(iter(alone.names.values()))])
    return found


def can_be_copied(e: ast.expr, constants: dict[str, str], imports: Imports) -> bool:
    """A value that can be copied as text: literals, arithmetic on them, math's functions and constants of them."""

    def literal(x: ast.expr) -> bool:
        return can_be_copied(x, constants, imports)

    match e:
        case ast.Constant():
            return True
        case ast.Tuple(elts=elts) | ast.List(elts=elts) | ast.Set(elts=elts):
            return all(map(literal, elts))
        case ast.Dict(keys=keys, values=values):
            return all(k is not None and literal(k) for k in keys) and all(map(literal, values))
        case ast.UnaryOp(operand=x):
            return literal(x)
        case ast.BinOp(left=a, right=b):
            return literal(a) and literal(b)
        case ast.Name(id=name):
            return name in constants or imports.names.get(name, "").startswith("math.")
        case ast.Attribute():
            path = dotted(e)
            root = imports.names.get(path[0], "") if path else ""
            full = ".".join([root, *path[1:]]) if path and root else ""
            return full.startswith("math.") or full in NUMPY_CONSTANTS
        case ast.Call(func=func, args=args, keywords=[]) if all(map(literal, args)):
            path = dotted(func)
            if path is None:
                return False
            if path[0] not in imports.names:
                return path in (["float"], ["int"], ["complex"], ["bool"], ["abs"])
            full = ".".join([imports.names[path[0]], *path[1:]])
            return full.startswith("math.") or full in NUMPY_CALLS
    return False


NUMPY_CONSTANTS = frozenset(f"numpy.{n}" for n in ("pi", "e", "inf", "nan", "euler_gamma", "newaxis"))
NUMPY_CALLS = frozenset(f"numpy.{n}" for n in ("sqrt", "log", "exp", "float64", "float32", "sin", "cos", "deg2rad"))
