"""`s2s verify`: runs a function and its derivatives, and holds them against finite differences and each other.

At each point:

  value            what the derivatives return as the value is what the primal returns
  differences      directional derivatives by central differences with Richardson extrapolation over a sequence of
                   step sizes, which also estimates its own error (Ridders, Accurate computation of F'(x), Advances in
                   Engineering Software 4, 1982)
  gradient         grad and value_and_grad, where the result is one number, give what vjp gives for its cotangent 1.0
  dot product      <out_bar, jvp(v)> = <vjp(out_bar), v> (Griewank & Walther, Evaluating Derivatives, section 3.3)
  second call      the same arguments give the same bits
  arguments        the arguments are as they were

Floating-point arguments are taken as float64: a difference of float32 values has no digits to compare.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import functools
import importlib
import inspect
import io
import linecache
import math
import operator
import re
import sys
import traceback
import types
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from s2s import files, ir, pipeline
from s2s.analysis.shapes import Dim, dimension
from s2s.derive.independents import word
from s2s.derive.second import output_name
from s2s.errors import Diagnostic, S2SError
from s2s.frontend import modules, parse
from s2s.frontend.text import pragma

Array = NDArray[Any]
RELATIVE = 1e-6  # agreement wanted between a derivative and a difference
DOT = 1e-9  # agreement wanted between jvp and vjp, in terms of the products that are summed
ENTRIES = 24  # up to so many numbers each has its own direction; beyond, random directions
DIRECTIONS = 8
_EMPTY = inspect.Parameter.empty


@dataclass(frozen=True, slots=True)
class Outcome:
    """A readable report, and the diagnostics where something does not agree."""

    report: str
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class Functions:
    """A primal and its derivatives; `wrt` names the parameters that have a cotangent and a tangent, or parts of them as
    `--wrt` does.

    jvp: None where it is refused, as is vjp: what stands for that is the gradient times the cotangent of the result.
    gradients: gives grad and value_and_grad, made when they are asked for. Raises S2SError where they are refused.
    """

    name: str
    primal: Callable[..., Any]
    vjp: Callable[..., Any]
    jvp: Callable[..., Any] | None
    wrt: tuple[str, ...]
    out_bar: str
    dots: tuple[str, ...]
    gradients: Callable[[], tuple[Callable[..., Any], Callable[..., Any]]] | None = None


# ---------------------------------------------------------------- structures of numbers


def attributes(value: Any) -> dict[str, Any] | None:
    """What an object of a class of the user's holds, by name; None for all else."""
    library = type(value).__module__.partition(".")[0] in ("builtins", "numpy", "scipy", "random")
    if library or isinstance(value, type | types.ModuleType | types.FunctionType | types.MethodType):
        return None
    if is_dataclass(value):
        return {f.name: getattr(value, f.name) for f in fields(value) if hasattr(value, f.name)}
    if hasattr(value, "__slots__") and not hasattr(value, "__dict__"):
        return {name: getattr(value, name) for name in value.__slots__ if hasattr(value, name)}
    return dict(vars(value)) if hasattr(value, "__dict__") else None


def taken_apart(value: Any) -> Any:
    """An object as a dict of its attributes; anything else as it is."""
    if isinstance(value, float | np.ndarray | dict | tuple | list):
        return value
    found = attributes(value)
    return value if found is None else found


def leaves(value: Any) -> list[Array]:
    """The real numbers in a structure of tuples, lists, dicts and objects, in a fixed order: floats and float arrays.

    Integers, bools, strings and None are no leaves: they carry no derivative.
    """
    match taken_apart(value):
        case dict() as entries:
            return [leaf for item in entries.values() for leaf in leaves(item)]
        case tuple() | list():
            return [leaf for item in value for leaf in leaves(item)]
    return [np.asarray(value)] if carries(value) else []


def carries(value: Any) -> bool:
    return isinstance(value, float | np.floating | np.ndarray) and np.asarray(value).dtype.kind == "f"


def rebuilt(value: Any, new: Iterator[Any], *, blank: bool = False) -> Any:
    """The structure with its real numbers replaced, in the order of `leaves`; with `blank`, zeros for whole numbers, as
    the text does not always tell them from others, and None for all else."""
    match value:
        case dict():
            return {key: rebuilt(value[key], new, blank=blank) for key in value}
        case tuple() if hasattr(value, "_fields"):
            return type(value)(*(rebuilt(item, new, blank=blank) for item in value))
        case tuple() | list():
            return type(value)(rebuilt(item, new, blank=blank) for item in value)
    if isinstance(entries := taken_apart(value), dict):
        made = copy.copy(value)
        for name, item in entries.items():  # of a frozen object, too
            object.__setattr__(made, name, rebuilt(item, new, blank=blank))
        return made
    if not carries(value):
        if not blank:
            return value
        kind = getattr(value, "dtype", np.dtype(type(value) if isinstance(value, int) else object)).kind
        return np.zeros(np.shape(value))[()] if kind in "iub" else None
    leaf = np.asarray(next(new))
    return leaf if isinstance(value, np.ndarray) else leaf.item()


def terms(a: Any, b: Any) -> Iterator[Array]:
    """The products whose sum is the inner product of two structures. None, and keys that one lacks, stand for zeros."""
    match taken_apart(a), taken_apart(b):
        case (None, _) | (_, None):
            return
        case (dict(), tuple() as others) if hasattr(others, "_fields"):  # the cotangent of a named tuple is an object
            yield from terms(a, dict(zip(others._fields, others, strict=True)))
        case dict() as mine, dict() as others:
            for key in mine:
                if key in others:
                    yield from terms(mine[key], others[key])
        case ((tuple() | list()), (tuple() | list())):
            for x, y in zip(a, b, strict=True):
                yield from terms(x, y)
        case _:
            x, y = np.asarray(a), np.asarray(b)
            if x.dtype.kind == y.dtype.kind == "f":
                # a cotangent has the shape of its value; a scalar one may stand for a constant
                yield (np.broadcast_to(x, y.shape) if x.ndim == 0 else x) * y


def inner(a: Any, b: Any) -> tuple[float, float]:
    """The inner product of two structures, and the sum of the absolute values of its terms."""
    products = list(terms(a, b))
    return float(sum(np.sum(p) for p in products)), float(sum(np.sum(np.abs(p)) for p in products))


def in_double(value: Any) -> Any:
    """A structure with its real numbers as float64, freshly copied; an integer or an integer array as equal floats."""
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return float(value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "iu":
        return value.astype(np.float64)
    return rebuilt(value, (np.array(leaf, dtype=np.float64) for leaf in leaves(value)))


def at_rest(value: Any) -> Any:
    """A structure with its integers as zeros: what a tangent of the structure holds for them."""
    entries = taken_apart(value)
    match entries:
        case dict() if entries is not value:
            made = copy.copy(value)
            for name, item in entries.items():
                object.__setattr__(made, name, at_rest(item))
            return made
        case dict():
            return {key: at_rest(item) for key, item in entries.items()}
        case tuple() if hasattr(value, "_fields"):
            return type(value)(*map(at_rest, value))
        case tuple() | list():
            return type(value)(map(at_rest, value))
        case int() | np.integer() if not isinstance(value, bool):
            return 0
        case np.ndarray() if value.dtype.kind in "iu":
            return np.zeros_like(value)
    return value


def normal(value: Any, rng: np.random.Generator, *, blank: bool = False) -> Any:
    """A random structure like the given one."""
    return rebuilt(value, (rng.standard_normal(np.shape(leaf)) for leaf in leaves(value)), blank=blank)


def misshapen(value: Any, found: Any, place: str = "") -> str:
    """What is wrong with the shape of a cotangent or tangent, "" if nothing is. None and keys that lack are zeros."""
    value, found = taken_apart(value), taken_apart(found)
    match value:
        case dict() if isinstance(found, dict):
            named = ((f"{place}[{k!r}]" if place else str(k), v, found[k]) for k, v in value.items() if k in found)
        case tuple() | list() if isinstance(found, tuple | list):
            named = ((f"{place}[{i}]", v, b) for i, (v, b) in enumerate(zip(value, found, strict=False)))
        case _:
            if not carries(value) or found is None or np.shape(found) == np.shape(value):
                return ""
            return f"{f'of {place} ' if place else ''}has the shape {np.shape(found)} instead of {np.shape(value)}"
    return next(filter(None, (misshapen(v, b, name) for name, v, b in named)), "")


def fingerprint(value: Any) -> list[bytes]:
    """The numbers of a structure, bit by bit, integers included."""
    match taken_apart(value):
        case dict() as entries:
            return [part for item in entries.values() for part in fingerprint(item)]
        case tuple() | list():
            return [part for item in value for part in fingerprint(item)]
        case bool() | int() | float() | np.generic() | np.ndarray():
            array = np.asarray(value)
            return [f"{array.dtype}{array.shape}".encode() + (b"" if array.dtype.hasobject else array.tobytes())]
    return []


# ---------------------------------------------------------------- independents: parameters, and parts of them


def part(arguments: dict[str, Any], name: str) -> Any:
    """What is at the place that `--wrt` names: a parameter, `self.W`, `params["b"]`, `x[0:2]`."""
    return eval(name, {"__builtins__": {}}, arguments)


def put(arguments: dict[str, Any], name: str, value: Any) -> None:
    """Another value at such a place. Tuples are made anew; frozen objects are written all the same."""
    match ast.parse(name, mode="eval").body:
        case ast.Name():
            arguments[name] = value
        case ast.Attribute(value=inner, attr=attr):
            holder = part(arguments, ast.unparse(inner))
            if isinstance(holder, tuple):
                put(arguments, ast.unparse(inner), holder._replace(**{attr: value}))  # type: ignore[attr-defined]
            else:
                object.__setattr__(holder, attr, value)
        case ast.Subscript(value=inner, slice=key):
            holder = part(arguments, ast.unparse(inner))
            items = list(holder) if isinstance(holder, tuple) else holder
            exec(f"items[{ast.unparse(key)}] = value", {"items": items, "value": value})
            if items is not holder:
                make = getattr(holder, "_make", type(holder))
                put(arguments, ast.unparse(inner), make(items))


def with_parts(arguments: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    """A copy of the arguments with other values at these places."""
    new = copy.deepcopy(arguments)
    for name, value in parts.items():
        put(new, name, value)
    return new


# ---------------------------------------------------------------- loading


def load(
    path: Path,
    text: str,
    function: str,
    wrt: tuple[str, ...] | None,
    shapes: str,
    rules: files.Rules | None = None,
    callees: str = "",
) -> tuple[Functions, types.ModuleType]:
    """Executes the module of the primal and the text of its derivatives. Raises S2SError (S4xx, S514)."""
    request = pipeline.Request(
        filename=path.name,
        functions=(function,),
        wrt=wrt,
        emit=("vjp", "jvp"),
        shapes=shapes,
        callees=callees,
        rules=rules.text if rules else "",
        rules_name=rules.name if rules else "",
        read=files.reader(path.parent),
    )

    def gradient_text() -> str:
        return pipeline.differentiate(text, replace(request, emit=("grad", "value_and_grad")))

    refused: S2SError | None = None
    try:
        derived_text = pipeline.differentiate(text, request)
    except S2SError as fault:  # the gradient of a number may be known where a tuple or an array is refused
        refused = fault
        try:
            derived_text = gradient_text()
        except S2SError:
            raise fault from None
    package, root = package_of(path, text)
    sys.path[:0] = dict.fromkeys(map(str, (path.resolve().parent, root)))
    module = executed(path.stem, str(path), text, package)

    def derivatives(of: str) -> types.ModuleType:
        return executed(path.stem + "_grad", f"<derivatives of {path.name}>", of, package)

    derived = derivatives(derived_text)
    primal: Callable[..., Any] = operator.attrgetter(function)(module)
    own = inspect.signature(primal).parameters
    stated = pipeline.select(parse.read_module(text, path.name, callees), request)[0].wrt

    def made(of: types.ModuleType, kind: str) -> Callable[..., Any]:
        found: Callable[..., Any] = getattr(of, output_name(function, kind))
        return found

    def pair(of: types.ModuleType) -> tuple[Callable[..., Any], Callable[..., Any]]:
        return made(of, "grad"), made(of, "value_and_grad")

    if refused is not None:
        found = pair(derived)
        words = (found[0].__doc__ or "").partition(" with respect to ")[2].splitlines()[0].partition(":")[0]
        names = stated or tuple(n for n in re.findall(r"\w+", words) if n in own)
        return Functions(function, primal, weighted(found[1]), None, names, "out_bar", (), lambda: found), module
    vjp, jvp = made(derived, "vjp"), made(derived, "jvp")
    added = [p for p in inspect.signature(jvp).parameters if p not in own]
    seeds = [p for p in inspect.signature(vjp).parameters if p not in own]
    named = [*own, *(stated or ())]
    of = {f"{word(p)}_dot": p for p in named} | {f"{p}_dot": p for p in named}
    names = tuple(of.get(p) or of[p.rstrip("_")] for p in added)
    gradients = functools.cache(lambda: pair(derivatives(gradient_text())))
    return Functions(function, primal, vjp, jvp, names, seeds[0], tuple(added), gradients), module


def weighted(value_and_grad: Callable[..., Any]) -> Callable[..., Any]:
    """The vjp of a function whose result is one number, from its gradient."""

    def vjp(*args: Any, out_bar: Any, **keywords: Any) -> Any:
        value, found = value_and_grad(*args, **keywords)
        return value, rebuilt(found, iter([out_bar * leaf for leaf in leaves(found)]))

    return vjp


def package_of(path: Path, text: str) -> tuple[str, Path]:
    """The package of a file, `a.b`, and the folder that it is found in; "" where it is in none.

    A folder is one with an `__init__.py`, or one that a relative import of the file goes up from.
    """
    levels = max((n.level for n in ast.walk(ast.parse(text)) if isinstance(n, ast.ImportFrom)), default=0)
    folder, names = path.resolve().parent, list[str]()
    while (len(names) < levels or (folder / "__init__.py").exists()) and folder.name:
        names.insert(0, folder.name)
        folder = folder.parent
    return ".".join(names), folder


def executed(name: str, filename: str, text: str, package: str = "") -> types.ModuleType:
    """A module made from a text, known to the import system so that derivatives may import from their source."""
    full = f"{package}.{name}" if package else name
    if package:  # whose own file may import the module: it is there first
        with contextlib.suppress(Exception):
            importlib.import_module(package)
    module = types.ModuleType(full)
    module.__file__ = filename
    module.__package__ = package
    sys.modules[name] = sys.modules[full] = module
    try:
        exec(compile(text, filename, "exec"), module.__dict__)
    except (Exception, SystemExit) as e:
        raise S2SError(Diagnostic("S514", f"running {filename} raised {type(e).__name__}: {e}")) from e
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)  # for `raised`
    return module


def raised(error: BaseException) -> str:
    """An exception in words: of an assertion without a message what it asserts."""
    frames = traceback.extract_tb(error.__traceback__)
    if isinstance(error, AssertionError) and not error.args and frames:
        text, line = "".join(linecache.getlines(frames[-1].filename)), frames[-1].lineno or 0
        with contextlib.suppress(SyntaxError):
            for n in ast.walk(ast.parse(text)):
                if isinstance(n, ast.Assert) and n.lineno <= line <= (n.end_lineno or n.lineno):
                    return f"{frames[-1].name} asserts `{ast.unparse(n.test)}`"
    return f"{type(error).__name__}: {error}"


def handed(source: parse.Module, function: str, module: types.ModuleType) -> dict[str, Any]:
    """The first of the functions that each parameter may be, by its comment or `--with`."""
    given = getattr(source.definition(function), "given", {})
    return {p: eval(ast.unparse(callees[0]), vars(module)) for p, callees in given.items()}


def invented(module: parse.Module, function: str, shapes: str, seed: int) -> dict[str, Any]:
    """Random values in (0.5, 1.5) for the parameters whose shapes are stated; `params["W"]` is an entry of a dict."""
    info = module.functions.get(function) or module.methods[function]
    stated = pragma.stated(module.function(function), info.pragma).shapes
    rng, sizes, found = np.random.default_rng(seed), dict[str, int](), dict[str, Any]()
    for name, dims in (stated | (pragma.parse_shapes(shapes) if shapes else {})).items():
        # every name of a length gets a length of its own: 3, 4, 5, ...
        shape = [_size(dimension(d), sizes) for d in dims]
        value: Any = rng.uniform(0.5, 1.5, shape) if shape else rng.uniform(0.5, 1.5)
        base, *keys = re.findall(r"[^\[\]\"]+", name)
        if keys:
            found.setdefault(base, {})[keys[0]] = value
        else:
            found[base] = value
    return found


def _size(d: Dim, sizes: dict[str, int]) -> int:
    if isinstance(d, int):
        return d
    return max(0, d.times * sizes.setdefault(d.symbol, 3 + len(sizes)) - d.minus)


def point(
    f: Functions,
    at: str,
    module: types.ModuleType,
    known: dict[str, Any] | None = None,
    instead: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """The arguments that a point names: `x=np.linspace(0, 1, 5), k=2.0`; parameters with a default may be left out.

    The expressions see the names of the user's module, and np. Parameters without a value take it from `instead`, then
    from their default, then from `known`.
    Raises S2SError (S422).
    """
    scope = {"np": np, "numpy": np, "math": math, **vars(module)}
    try:
        given: dict[str, Any] = eval(f"dict({at})", scope)
    except Exception as e:
        help_ = ('write it as the arguments of a call: --at "x=np.linspace(0, 1, 5), k=2.0"',)
        raise S2SError(Diagnostic("S422", f"--at {at!r}: {type(e).__name__}: {e}", help=help_)) from e
    parameters = inspect.signature(f.primal).parameters
    known = {n: v for n, v in (known or {}).items() if n in parameters and parameters[n].default is _EMPTY}
    given = known | (instead or {}) | given
    options = next((n for n, p in parameters.items() if p.kind is p.VAR_KEYWORD), None)
    if options is not None:  # as in a call: what no parameter is named after is one of `**options`
        more = {n: given.pop(n) for n in list(given) if n not in parameters}
        given[options] = {**given.get(options, {}), **more}
    unknown = [name for name in given if name not in parameters]
    missing = [n for n, p in parameters.items() if n not in given and p.default is p.empty]
    if unknown or missing:
        what = f"{f.name} has no parameter {', '.join(unknown)}" if unknown else f"no value for {', '.join(missing)}"
        stated = f"a parameter whose shape is stated gets a random value: `# s2s: {next(iter(missing), 'x')} (n,)`"
        takes = f"{f.name} takes {', '.join(parameters)}"
        raise S2SError(Diagnostic("S422", f"--at {at!r}: {what}", help=(takes, stated)))
    defaults = {n: p.default for n, p in parameters.items() if p.default is not p.empty}
    arguments = {n: given.get(n, defaults.get(n)) for n in parameters}
    for name in dict.fromkeys(map(ir.root_name, f.wrt)):
        arguments[name] = in_double(arguments[name])
    return arguments


def call(f: Callable[..., Any], primal: Callable[..., Any], arguments: dict[str, Any], **seeds: Any) -> Any:
    """f(*arguments, **seeds) as the primal's signature wants them; what it prints is dropped."""
    positional, keywords = [], {}
    for name, p in inspect.signature(primal).parameters.items():
        if p.kind is p.KEYWORD_ONLY:
            keywords[name] = arguments[name]
        elif p.kind is p.VAR_POSITIONAL:
            positional += arguments[name]
        elif p.kind is p.VAR_KEYWORD:
            keywords |= arguments[name]
        else:
            positional.append(arguments[name])
    with contextlib.redirect_stdout(io.StringIO()):
        return f(*positional, **keywords, **seeds)


# ---------------------------------------------------------------- differences


def difference(phi: Callable[[float], float], scale: float) -> tuple[float, float]:
    """The derivative of phi at 0 and an estimate of its error.

    Central differences at steps h, h/2, h/4, ..., extrapolated to h = 0 (Ridders 1982), from several first steps, as
    the scale of phi is unknown; the entry of the tableaux whose neighbours agree best, rounding included, is taken.
    """
    best, error = math.nan, math.inf
    for start in (1e-2, 1e-1, 1e-4, 1e-6):
        h, row = start * scale, list[float]()
        for _ in range(8):
            up, down = phi(h), phi(-h)
            rounding = np.finfo(float).eps * (abs(up) + abs(down)) / h
            new, factor = [(up - down) / (2.0 * h)], 1.0
            for old in row:
                factor *= 4.0
                new.append((factor * new[-1] - old) / (factor - 1.0))
                guess = max(abs(new[-1] - new[-2]), abs(new[-1] - old)) + rounding
                if guess < error:
                    best, error = new[-1], guess
            row, h = new, h / 2.0
        if error <= 1e-3 * RELATIVE * abs(best):
            break
    return best, error


def scale_of(wrt: dict[str, Any], tangent: dict[str, Any]) -> float:
    """The step along a tangent that changes the entry that changes most by all of itself; of a zero entry, by 1."""
    pairs = [(np.abs(x), np.abs(d)) for n in wrt for x, d in zip(leaves(wrt[n]), leaves(tangent[n]), strict=True)]
    steps = [np.where(x == 0.0, 1.0, x)[d > 0.0] / d[d > 0.0] for x, d in pairs]
    every = np.concatenate([np.ravel(s) for s in steps])
    return max(float(np.min(every)), 1e-6 * float(np.max(every))) if every.size else 1.0


def directions(wrt: dict[str, Any], rng: np.random.Generator) -> Iterator[tuple[str, dict[str, Any]]]:
    """(label, tangent) pairs: each entry on its own for few numbers, random directions otherwise."""
    sizes = [leaf.size for value in wrt.values() for leaf in leaves(value)]
    if sum(sizes) <= ENTRIES:
        for name, value in wrt.items():
            parts = leaves(value)
            for i, part in enumerate(parts):
                for k in range(part.size):
                    unit = [np.zeros(np.shape(p)) for p in parts]
                    unit[i].reshape(-1)[k] = 1.0
                    where = "" if part.ndim == 0 else str(list(map(int, np.unravel_index(k, part.shape))))
                    zeros = {n: iter([np.zeros(np.shape(p)) for p in leaves(v)]) for n, v in wrt.items()}
                    tangent = {n: rebuilt(at_rest(v), zeros[n]) for n, v in wrt.items()}
                    tangent[name] = rebuilt(at_rest(value), iter(unit))
                    yield (name if len(parts) == 1 else f"{name} (part {i})") + where, tangent
    for i in range(1 if sum(sizes) <= ENTRIES else DIRECTIONS):
        tangent = {n: normal(at_rest(v), rng) for n, v in wrt.items()}
        yield f"random direction {i + 1}", {n: sized(v, wrt[n]) for n, v in tangent.items()}


def sized(tangent: Any, value: Any) -> Any:
    """A tangent of which each part has the size of what it moves: a step suits 1e5 and 1e-4 beside each other."""
    sizes = [float(np.max(np.abs(x), initial=0.0)) for x in leaves(value)]
    sizes = [size if 0.0 < size < math.inf else 1.0 for size in sizes]
    return rebuilt(tangent, iter([d * size for d, size in zip(leaves(tangent), sizes, strict=True)]))


def moved(value: Any, tangent: Any, h: float) -> Any:
    return rebuilt(value, iter([x + h * v for x, v in zip(leaves(value), leaves(tangent), strict=True)]))


# ---------------------------------------------------------------- the checks


def verify(
    path: Path,
    text: str,
    function: str,
    at: Sequence[str] = (),
    wrt: tuple[str, ...] | None = None,
    shapes: str = "",
    seed: int = 0,
    rules: files.Rules | None = None,
    callees: str = "",
) -> Outcome:
    """Verifies one function at the points `at`. Raises S2SError where there is nothing to verify (S1-S4, S514)."""
    before, known, names = list(sys.path), dict(sys.modules), (path.stem, path.stem + "_grad")
    try:
        f, module = load(path, text, function, wrt, shapes, rules, callees)
        lines = [f"{path}::{function} with respect to {', '.join(f.wrt)}"]
        problems: list[Diagnostic] = []
        source = parse.read_module(text, path.name, callees)
        modules.Program(source, files.reader(path.parent))  # by which it sees the modules that it imports
        random, functions = invented(source, function, shapes, seed), handed(source, function, module)
        for where in at or ("",):
            lines.append(f"  at {where or 'a random point of the stated shapes'}")
            found, bad = verify_at(f, point(f, where, module, random, functions), seed)
            lines += found
            problems += bad
        lines.append("verified" if not problems else "NOT verified")
        return Outcome("\n".join(lines), tuple(problems))
    finally:
        sys.path[:] = before
        for name in names:
            if name in known:
                sys.modules[name] = known[name]
            else:
                sys.modules.pop(name, None)


def verify_at(f: Functions, arguments: dict[str, Any], seed: int = 0) -> tuple[list[str], list[Diagnostic]]:
    """The lines of the report and the diagnostics of one point."""
    rng = np.random.default_rng(seed)
    wrt = {name: part(arguments, name) for name in f.wrt}
    prints = fingerprint(list(arguments.values()))
    lines: list[str] = []
    problems: list[Diagnostic] = []

    def line(what: str, says: str, code: str = "") -> None:
        lines.append(f"    {what:<13}{says}")
        if code:
            problems.append(Diagnostic(code, f"{f.name}: {what}: {says}"))

    running = f.name
    try:
        value = call(f.primal, f.primal, copy.deepcopy(arguments))
        running = f"the derivative of {f.name}"
        if not leaves(value):
            raise S2SError(Diagnostic("S514", f"{f.name} returns no number at this point: {value!r:.80}"))
        # the gradient itself where the result is one number: its entries are what a reader knows
        weights = 1.0 if carries(value) and np.ndim(value) == 0 else normal(value, rng, blank=True)
        got, cotangent = cotangents(f, arguments, weights)
        _check_value(line, value, got)
        if bad := misshapen(wrt, cotangent):
            line("shapes", f"the cotangent {bad}", "S511")
        _check_differences(line, f, arguments, wrt, weights, cotangent, rng)
        _check_gradients(line, f, arguments, wrt, value)
        _check_dot_product(line, f, arguments, wrt, value, rng)
        again = cotangents(f, arguments, weights)
    except S2SError:
        raise
    except (Exception, SystemExit) as e:
        message = f"{running} can't be run at this point: {raised(e)}"
        raise S2SError(Diagnostic("S514", message)) from e
    same = fingerprint(again) == fingerprint((got, cotangent))
    line("second call", "identical" if same else "gives another result", "" if same else "S513")
    untouched = fingerprint(list(arguments.values())) == prints
    line("arguments", "untouched" if untouched else "changed by the derivative", "" if untouched else "S513")
    return lines, problems


def cotangents(f: Functions, arguments: dict[str, Any], weights: Any) -> tuple[Any, dict[str, Any]]:
    """The value and the cotangents by name that the vjp gives for the cotangent `weights` of the output."""
    value, bars = call(f.vjp, f.primal, arguments, **{f.out_bar: weights})
    return value, dict(zip(f.wrt, (bars,) if len(f.wrt) == 1 else bars, strict=True))


def _check_value(line: Callable[..., None], value: Any, got: Any, what: str = "value") -> None:
    if fingerprint(in_double(value)) == fingerprint(in_double(got)):
        return line(what, "identical to the primal's") if what == "value" else None
    pairs = list(zip(leaves(value), leaves(got), strict=True))
    close = all(
        np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=1e-12, atol=0.0, equal_nan=True) for a, b in pairs
    )
    line(
        what,
        "equal to the primal's up to rounding" if close else "differs from the primal's",
        "" if close else "S513",
    )


def _check_differences(
    line: Callable[..., None],
    f: Functions,
    arguments: dict[str, Any],
    wrt: dict[str, Any],
    weights: Any,
    cotangent: dict[str, Any],
    rng: np.random.Generator,
) -> None:
    worst, worst_label, checked, unclear = 0.0, "", 0, []
    wrong: list[str] = []
    for label, tangent in directions(wrt, rng):

        def phi(h: float, tangent: dict[str, Any] = tangent) -> float:
            there = with_parts(arguments, {n: moved(wrt[n], tangent[n], h) for n in wrt})
            with np.errstate(all="ignore"):
                try:
                    return inner(weights, call(f.primal, f.primal, there))[0]
                except (ArithmeticError, ValueError):  # math.log(-1e-3): a step out of the domain
                    return math.nan

        expected, error = difference(phi, scale_of(wrt, tangent))
        actual, size = inner(cotangent, tangent)
        off = float(np.maximum(abs(actual - expected) - error, 0.0)) / max(abs(expected), size, 1e-6)
        # a difference that does not settle (a kink, a step out of the domain) proves nothing
        if not math.isfinite(expected) or error > RELATIVE * max(abs(expected), size, 1e-3):
            unclear.append(label)
            continue
        checked += 1
        if not off <= RELATIVE:
            wrong.append(f"{label}: {actual:.12g}, but differences give {expected:.12g}")
        if not off <= worst:
            worst, worst_label = off, label
    note = f"; {len(unclear)} did not settle (a kink?): {', '.join(unclear[:3])}" if unclear else ""
    if wrong:
        line("differences", f"{len(wrong)} of {checked} disagree; {wrong[0]}", "S511")
    elif not checked:
        line("differences", "none settled: is there a kink at this point?", "S515")
    else:
        line(
            "differences", f"{checked} directions agree to {worst:.0e}{' (' + worst_label + ')' if worst else ''}{note}"
        )


def _check_gradients(
    line: Callable[..., None], f: Functions, arguments: dict[str, Any], wrt: dict[str, Any], value: Any
) -> None:
    """Of a result that is one number: grad and value_and_grad run, too, and give the cotangents for the seed 1.0."""
    if f.gradients is None or not carries(value) or np.ndim(value) != 0:
        return
    try:
        grad, value_and_grad = f.gradients()
    except S2SError as fault:
        return line("gradient", f"refused: {', '.join(d.code for d in fault.diagnostics)}")
    expected = cotangents(f, arguments, 1.0)[1]
    got, twice = call(value_and_grad, f.primal, arguments)
    _check_value(line, value, got, "value of grad")
    for bars in (call(grad, f.primal, arguments), twice):
        found = dict(zip(f.wrt, (bars,) if len(f.wrt) == 1 else bars, strict=True))
        if bad := misshapen(wrt, found):
            return line("gradient", bad, "S511")
        for name in f.wrt:
            pairs = zip(leaves(found[name]), leaves(expected[name]), strict=True)
            if not all(np.allclose(a, b, rtol=1e-9, atol=1e-12, equal_nan=True) for a, b in pairs):
                return line("gradient", f"in {name} differs from that of the vjp", "S511")
    return line("gradient", "that of the vjp for the cotangent 1.0")


def _check_dot_product(
    line: Callable[..., None],
    f: Functions,
    arguments: dict[str, Any],
    wrt: dict[str, Any],
    value: Any,
    rng: np.random.Generator,
) -> None:
    if f.jvp is None:
        return line("dot product", "not checked: vjp and jvp are refused, the gradient is not")
    weights = normal(value, rng, blank=True)
    cotangent = cotangents(f, arguments, weights)[1]
    tangent = {n: normal(at_rest(v), rng) for n, v in wrt.items()}
    seeds = {dot: tangent[n] for dot, n in zip(f.dots, f.wrt, strict=True)}
    got, out_dot = call(f.jvp, f.primal, arguments, **seeds)
    if bad := misshapen(value, out_dot):
        line("shapes", f"the tangent of the result {bad}", "S512")
    forward, size = inner(weights, out_dot)
    reverse, other = inner(cotangent, tangent)
    off = abs(forward - reverse) / max(size, other, 1e-300)
    same = fingerprint(in_double(got)) == fingerprint(in_double(value))
    if not off <= DOT:
        line("dot product", f"jvp gives {forward:.12g}, vjp {reverse:.12g}", "S512")
    else:
        line("dot product", f"jvp and vjp agree to {off:.0e}")
    if not same and not np.allclose(inner(got, got)[0], inner(value, value)[0], rtol=1e-11, equal_nan=True):
        line("value of jvp", "differs from the primal's", "S513")
