"""Derivatives of function objects, through their source.

    loss_grad = s2s.grad(loss, wrt="w")
    loss_grad(w, X, y)
    print(loss_grad.source)

The text of the module that defines the function is read (nothing of it is run), the derivative is generated and
compiled in memory; its lines show in tracebacks and in `inspect.getsource`. Module-level names that are not literals
are those of the function's own module: nothing is imported a second time.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import functools
import hashlib
import inspect
import linecache
import math
import sys
import textwrap
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from s2s import files, pipeline
from s2s.errors import Diagnostic, S2SError
from s2s.frontend.text.pragma import split_names

Wrt = str | int | Sequence[str | int] | None


def grad(f: Callable[..., Any], wrt: Wrt = None) -> Callable[..., Any]:
    """The gradient of a scalar-valued function: `g(*args)` is bare for one wrt, else a tuple in parameter order.

    wrt: "x", "x,k", the position of a parameter, or a sequence of names and positions; default: every parameter on
    which the result depends differentiably.
    The result's `source` is the generated text. Raises S2SError.
    """
    return _derivative(f, "grad", wrt)


def value_and_grad(f: Callable[..., Any], wrt: Wrt = None) -> Callable[..., Any]:
    """(value, gradient) of a scalar-valued function; see `grad`."""
    return _derivative(f, "value_and_grad", wrt)


def vjp(f: Callable[..., Any], wrt: Wrt = None) -> Callable[..., Any]:
    """`g(*args, out_bar=...)` gives (value, cotangents); see `grad`. The output may be an array, a tuple or a dict."""
    return _derivative(f, "vjp", wrt)


def jvp(f: Callable[..., Any], wrt: Wrt = None) -> Callable[..., Any]:
    """`g(*args, x_dot=..., ...)` gives (value, tangent), one keyword `x_dot` for each wrt; see `grad`."""
    return _derivative(f, "jvp", wrt)


def hvp(f: Callable[..., Any], wrt: Wrt = None) -> Callable[..., Any]:
    """`g(*args, x_dot=..., ...)` gives the product of the Hessian of a scalar-valued function and a tangent.

    One keyword `x_dot` for each wrt; the result has the structure of the gradient. It is the tangent of the gradient,
    forward over reverse: a small multiple of the cost of the function, whatever the number of parameters. See `grad`.
    """
    return _derivative(f, "hvp", wrt)


def jacobian(f: Callable[..., Any], wrt: Wrt = None) -> Callable[..., Any]:
    """`g(*args)` gives the Jacobian of an array-valued function: an array of the shape of the result, then that of x.

    For several wrt a tuple of such arrays, in parameter order. It takes a reverse sweep for each element of the result
    or a forward sweep for each element of the parameters, whichever are fewer. See `grad`.
    """
    return _derivative(f, "jacobian", wrt)


def hessian(f: Callable[..., Any], wrt: Wrt = None) -> Callable[..., Any]:
    """`g(*args)` gives the Hessian of a scalar-valued function: an array of the shape of x, twice.

    For several wrt a tuple of rows, each a tuple of blocks: block [a][b] has the shape of a, then that of b. It takes
    one Hessian-vector product for each element of the parameters. See `hvp`, `grad`.
    """
    return _derivative(f, "hessian", wrt)


def _derivative(f: Callable[..., Any], kind: str, wrt: Wrt) -> Callable[..., Any]:
    if not isinstance(f, types.FunctionType):
        help_ = ("it reads the source of a function defined with `def`",)
        inner = getattr(f, "__func__", None)
        if isinstance(inner, types.FunctionType):
            owner = inner.__qualname__
            help_ = (f"take the function of the class, whose first parameter is the object: `s2s.{kind}({owner})`",)
        raise S2SError(Diagnostic("S431", f"s2s.{kind} takes a Python function, not {type(f).__name__}", help=help_))
    if hasattr(f, "__wrapped__"):
        help_ = ("leave the decorator out, or decorate the derivative",)
        raise S2SError(Diagnostic("S431", f"{f.__qualname__} is what a decorator made of a function", help=help_))
    names = _names(f, wrt)
    text, filename, name = module_text(f)
    folder = Path(f.__code__.co_filename).parent
    request = pipeline.Request(filename=filename, functions=(name,), wrt=names, emit=(kind,), read=files.reader(folder))
    try:
        source = _generated(text, request)
    except S2SError as e:
        raise S2SError(e.diagnostics, e.filename or f.__code__.co_filename, e.source or text) from None
    return _compiled(f, f"{name.replace('.', '_')}_{kind}", source, filename.removesuffix(".py"))


def _names(f: types.FunctionType, wrt: Wrt) -> tuple[str, ...] | None:
    """The parameters that `wrt` names, by their names or positions."""
    if wrt is None:
        return None
    if isinstance(wrt, str):
        return split_names(wrt)
    code = f.__code__
    count, star = code.co_argcount, bool(code.co_flags & inspect.CO_VARARGS)
    named = count + code.co_kwonlyargcount
    options = bool(code.co_flags & inspect.CO_VARKEYWORDS)
    stars = code.co_varnames[named : named + star + options]
    params = (*code.co_varnames[:count], *stars[:star], *code.co_varnames[count:named], *stars[star:])
    out: list[str] = []
    for given in (wrt,) if isinstance(wrt, int) or not isinstance(wrt, Iterable) else wrt:
        if isinstance(given, str):
            out.append(given)
        elif isinstance(given, int) and not isinstance(given, bool) and -len(params) <= given < len(params):
            out.append(params[given])
        else:
            help_ = (f"its parameters: {', '.join(params)}",)
            raise S2SError(Diagnostic("S402", f"{f.__qualname__} has no parameter {given!r}", help=help_))
    return tuple(dict.fromkeys(out))


@functools.lru_cache(maxsize=256)
def _generated(text: str, request: pipeline.Request) -> str:
    return pipeline.differentiate(text, request)


def _compiled(f: types.FunctionType, name: str, source: str, stem: str) -> Callable[..., Any]:
    """The function `name` of a generated text, in a module of its own that tracebacks know."""
    filename = f"<s2s {name} {hashlib.sha256(source.encode()).hexdigest()[:8]}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    scope: dict[str, Any] = {"__name__": f"{f.__module__}_grad", "__builtins__": builtins}
    tree = ast.parse(source, filename)
    # names imported from the source module: this very module's, which may be __main__ or have no file
    for node in [n for n in tree.body if isinstance(n, ast.ImportFrom) and n.module == stem and n.level <= 1]:
        for alias in node.names:
            if alias.name not in f.__globals__:
                raise S2SError(Diagnostic("S430", f"{f.__name__} reads `{alias.name}`, which its module does not have"))
            scope[alias.asname or alias.name] = f.__globals__[alias.name]
        tree.body.remove(node)
    exec(compile(tree, filename, "exec", dont_inherit=True), scope)
    result = scope[name]
    assert isinstance(result, types.FunctionType)
    result.source = source  # type: ignore[attr-defined]
    return result


# ---------------------------------------------------------------- the source of a function object


def module_text(f: types.FunctionType) -> tuple[str, str, str]:
    """The text in which `f` is a function of the module or a method of one of its classes, a file name for it, and
    what it is called there: `f` or `C.f`. Raises S2SError (S430, S431).

    For a function or a method of a module it is the module's text. For an interactive function, or one that is defined
    inside another, it is the function's own text; what it reads from its globals is appended: imports, helpers,
    literals.
    """
    file = f.__code__.co_filename
    linecache.checkcache(file)
    text = "".join(linecache.getlines(file, f.__globals__))
    if not text:
        help_ = ("put it into a file, or give its text to s2s.differentiate",)
        raise S2SError(Diagnostic("S430", f"the source of {f.__qualname__} is not available", help=help_), file)
    node = _definition(f, text, file)
    if f.__code__.co_freevars:
        names = ", ".join(f.__code__.co_freevars)
        help_ = (f"make {names} a parameter",)
        message = f"{f.__qualname__} reads {names} from the function around it"
        raise S2SError(Diagnostic("S431", message, help=help_), file, text)
    owner = _owner(f, node, ast.parse(text))
    if owner is None:
        static = all(isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list)
        first = node.lineno if static else _first_line(node)
        lines = text.splitlines(keepends=True)[first - 1 : node.end_lineno]
        text = textwrap.dedent("".join(lines))
    name = file.replace("\\", "/").rpartition("/")[2]
    return _completed(f, text), name if name.endswith(".py") else "interactive.py", f"{owner or ''}{f.__name__}"


def _owner(f: types.FunctionType, node: ast.FunctionDef, tree: ast.Module) -> str | None:
    """ "" for the function of a module, "C." for a method of its class C, None for one that is defined elsewhere."""
    for n in tree.body:
        if isinstance(n, ast.FunctionDef) and n.lineno == node.lineno:
            return ""
        if isinstance(n, ast.ClassDef) and any(m.lineno == node.lineno for m in n.body):
            cls = f.__globals__.get(n.name)
            if isinstance(cls, type) and vars(cls).get(f.__name__) is f:
                return f"{n.name}."
    return None


def _first_line(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(d.lineno for d in node.decorator_list)])


def _definition(f: types.FunctionType, text: str, file: str) -> ast.FunctionDef:
    """The `def` of `f` in the text; refused where the text is no longer what `f` was compiled from."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        tree = ast.Module([], [])
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.FunctionDef)
            and node.name == f.__name__
            and _first_line(node) == f.__code__.co_firstlineno
            and _same_code(f, text, file, node)
        ):
            return node
    if f.__name__ == "<lambda>":
        raise S2SError(Diagnostic("S431", "a lambda has no name of its own", help=("write it as a `def`",)), file, text)
    help_ = ("import the module again, or start anew",)
    raise S2SError(
        Diagnostic("S430", f"the source of {f.__qualname__} has changed since it was loaded", help=help_), file, text
    )


def _same_code(f: types.FunctionType, text: str, file: str, node: ast.FunctionDef) -> bool:
    """Compares the byte code, where nothing else rewrites it (test runners rewrite `assert`), and the defaults."""
    values = [*(f.__defaults__ or ()), *(f.__kwdefaults__ or {}).values()]
    written = [*node.args.defaults, *(d for d in node.args.kw_defaults if d is not None)]
    if len(values) != len(written) or not all(map(_may_be, written, values)):
        return False
    if any(isinstance(n, ast.Assert) for n in ast.walk(node)):
        return True
    codes = _code_objects(_compile(text, file))
    found = [c for c in codes if c.co_name == f.__name__ and c.co_firstlineno == f.__code__.co_firstlineno]
    mine = f.__code__
    return not found or any(
        c.co_code == mine.co_code and c.co_names == mine.co_names and repr(_plain(c)) == repr(_plain(mine))
        for c in found
    )


@functools.lru_cache(maxsize=4)
def _compile(text: str, file: str) -> types.CodeType:
    return compile(text, file, "exec", dont_inherit=True)


def _plain(code: types.CodeType) -> list[Any]:
    return [c for c in code.co_consts if not isinstance(c, types.CodeType)]


def _code_objects(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from _code_objects(const)


def _completed(f: types.FunctionType, text: str) -> str:
    """The text with definitions, at its end, of the globals that its functions read and that it does not define."""
    added: list[str] = []
    queue, seen = [f], {f.__name__}
    defined = _module_names(ast.parse(text))
    while queue:
        function = queue.pop()
        for name in sorted(n for c in _code_objects(function.__code__) for n in c.co_names):
            if name in seen or name not in function.__globals__:
                continue
            seen.add(name)
            value = function.__globals__[name]
            if name in defined:
                _unchanged(name, value, defined[name], f)
                if isinstance(value, types.FunctionType) and value.__globals__ is f.__globals__:
                    queue.append(value)
                continue
            added.append(_defining(name, value))
            if isinstance(value, types.FunctionType) and added[-1].startswith("def "):
                queue.append(value)
    return text if not added else text.rstrip("\n") + "\n\n\n" + "\n".join(added) + "\n"


def _module_names(tree: ast.Module) -> dict[str, ast.expr | ast.FunctionDef | None]:
    """Names bound at module level, in branches and loops as well; with what a plain `def` or assignment binds."""
    names: dict[str, ast.expr | ast.FunctionDef | None] = {}
    queue: list[ast.AST] = list(tree.body)
    while queue:
        match queue.pop():
            case ast.FunctionDef(name=name) as node:
                names[name] = None if node.decorator_list else node
            case ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names[name] = None
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                names |= {a.asname or a.name.partition(".")[0]: None for a in aliases}
                if any(a.name == "*" for a in aliases):
                    names |= dict.fromkeys(vars(math))
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                names[name] = value
                queue.append(value)
            case ast.Name(id=name, ctx=ast.Store()):
                names.setdefault(name, None)
            case ast.Lambda():
                pass
            case node:
                queue.extend(ast.iter_child_nodes(node))
    return names


def _unchanged(name: str, value: Any, written: ast.expr | ast.FunctionDef | None, f: types.FunctionType) -> None:
    """Raises S2SError (S430) where a global is no longer what the text of its module says: a constant or a helper."""
    help_ = (f"make {name} a parameter",)
    if isinstance(written, ast.FunctionDef):
        if not isinstance(value, types.FunctionType) or value.__globals__ is not f.__globals__:
            message = f"`{name}` is no longer the function that the text of its module defines"
            raise S2SError(Diagnostic("S430", message, help=help_))
        file = value.__code__.co_filename
        _definition(value, "".join(linecache.getlines(file, value.__globals__)), file)
    elif written is not None and not _may_be(written, value):
        message = f"`{name}` is {value!r:.40} now, but {ast.unparse(written):.40} in the text of its module"
        raise S2SError(Diagnostic("S430", message, help=help_))


def _may_be(written: ast.expr, value: Any) -> bool:
    """False where an expression is a literal of another value."""
    try:
        literal = ast.literal_eval(written)
    except (ValueError, TypeError, SyntaxError):
        return True
    return type(literal) is type(value) and bool(literal == value)


def _defining(name: str, value: Any) -> str:
    """A line, or a function's text, that defines a global as it is now."""
    if isinstance(value, types.ModuleType):
        return f"import {value.__name__} as {name}"
    if isinstance(value, bool | int | float | str | tuple | list | dict | None):
        # a container of anything else is not the same when it is read back
        with contextlib.suppress(ValueError, SyntaxError):
            if ast.literal_eval(repr(value)) == value:
                return f"{name} = {value!r}"
    if isinstance(value, types.FunctionType) and value.__name__ == name:
        text = "".join(linecache.getlines(value.__code__.co_filename, value.__globals__))
        if text and not value.__code__.co_freevars:
            node = _definition(value, text, value.__code__.co_filename)
            return textwrap.dedent("".join(text.splitlines(keepends=True)[_first_line(node) - 1 : node.end_lineno]))
    module, own = getattr(value, "__module__", None), getattr(value, "__name__", None)
    for home in (module, "numpy", "math") if isinstance(own, str) else ():
        if home and getattr(sys.modules.get(home), str(own), None) is value:
            return f"from {home} import {own} as {name}"
    # neither a literal nor importable: the derivative gets the object itself, see `_compiled`
    return f"{name} = globals()[{name!r}]"
