"""The straight line: source text -> CST -> IR in A-normal form -> facts -> adjoint IR -> optimised IR -> text.

One statement a stage, in `_module`. Everything here is a pure function of strings.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from s2s import check, ir
from s2s.derive.wrap import Derivation, Selected
from s2s.emit import header, module as emit_module
from s2s.errors import Diagnostic, S2SError
from s2s.frontend import parse, pragma
from s2s.optimise import clean

T = TypeVar("T")
EMITS = ("value_and_grad", "grad", "vjp", "jvp")
STACK = 512 * 1024 * 1024
RECURSION = 60_000


@dataclass(frozen=True)
class Request:
    """What is asked for. `shapes` is text as in `--shapes`; `stubs` turns refused functions into ones that raise."""

    filename: str = "model.py"
    functions: tuple[str, ...] = ()
    wrt: tuple[str, ...] | None = None
    emit: tuple[str, ...] = ("grad",)
    shapes: str = ""
    target: str = "numpy"
    standalone: bool = False
    stubs: bool = False
    read: Callable[[str], str | None] | None = None


def differentiate(text: str, request: Request | None = None) -> str:
    """The text of the derivative module of `text`, header included. Raises S2SError with all that is refused."""
    return differentiate_module(text, request or Request())[0]


def differentiate_module(text: str, request: Request) -> tuple[str, list[Diagnostic]]:
    """(text of the derivative module, diagnostics of the functions that became stubs)."""
    return in_deep_thread(lambda: _module(text, request, format_text, None))


def differentiate_unformatted(text: str, request: Request) -> str:
    """The text before black: for tests that run thousands of programs."""
    return in_deep_thread(lambda: _module(text, request, lambda t: t, None))[0]


def show(text: str, request: Request, stage: str) -> str:
    """One stage, or all of them, printed as Python: cst, anf, facts, adjoint, optimised, text."""
    stages: dict[str, list[str]] = {}

    def keep(name: str, part: str) -> None:
        stages.setdefault(name, []).append(part)

    final = in_deep_thread(lambda: _module(text, request, format_text, keep))[0]
    stages["text"] = [final.rstrip("\n")]
    order = ("cst", "anf", "facts", "adjoint", "optimised", "text")
    if stage != "all":
        return "\n\n".join(stages.get(stage, [])) + "\n"
    return "\n\n".join(f"# ---- {name} ----\n" + "\n\n".join(stages.get(name, [])) for name in order) + "\n"


# ---------------------------------------------------------------- the line


def _module(text: str, request: Request, format_: Callable[[str], str], keep: Callable[[str, str], None] | None) -> tuple[str, list[Diagnostic]]:
    source = parse.read_module(text, request.filename)
    problems: list[Diagnostic] = []
    refused: list[Diagnostic] = []
    stubs: list[tuple[str, list[Diagnostic]]] = []
    try:
        selected = select(source, request)
        derivation = Derivation(source, _module_names(source), clean.clean, keep, check.sweeps if check.enabled() else None)
        functions: list[ir.Function] = []
        for want in selected:
            if keep is not None:
                _show_early(source, want, keep)
            try:
                derived = derivation.selected(want)
                functions += derived
            except S2SError as fault:
                if request.stubs:
                    stubs.append((want.name, fault.diagnostics))
                    refused += fault.diagnostics
                else:
                    problems += [d for d in fault.diagnostics if d not in problems]
        reverses = _helpers(derivation, problems)
        if check.enabled():
            for prepared in derivation.calls.prepared.values():
                check.normalised(prepared.original, source.functions[prepared.original.name].text)
        if problems:
            raise S2SError(problems)
    except S2SError as fault:
        raise S2SError(sorted(fault.diagnostics, key=_place), request.filename, source.text) from None
    functions += [_stub(name, found, request, source) for name, found in stubs]
    parts = emit_module.Parts(functions, reverses)
    body = emit_module.render(source, parts, lambda t: format_(emit_module.cut_marks(t)), request.standalone)
    options = header.Options(request.functions, request.wrt, request.emit, request.shapes, request.standalone)
    return header.attach(body, request.filename, options, _slice(source, selected)), refused


def _place(d: Diagnostic) -> tuple[int, int, str]:
    return (d.span.line, d.span.column, d.code) if d.span else (0, 0, d.code)


def _show_early(source: Any, want: Selected, keep: Callable[[str, str], None]) -> None:
    keep("cst", repr(source.cst(want.name)))
    keep("anf", ir.print_function(source.function(want.name)))


def _helpers(derivation: Derivation, problems: list[Diagnostic]) -> list[ir.Function]:
    """The derivatives of helpers that are called, and those of the helpers that they call."""
    done: dict[str, ir.Function] = {}
    while True:
        # a later call site may bring facts that an earlier one did not have: those are derived anew
        todo = [(k, w) for k, w in derivation.calls.wanted.items() if w.name not in done or derivation.stale(w)]
        if not todo:
            return [done[w.name] for w in derivation.calls.wanted.values() if w.name in done]
        for _, w in todo:
            derivation.mark(w)
            try:
                done[w.name] = derivation.helper(w)
            except S2SError as fault:
                problems += [d for d in fault.diagnostics if d not in problems]
                done[w.name] = ir.Function(w.name, (), ())


def select(source: Any, request: Request) -> list[Selected]:
    """The functions to differentiate, with what their pragmas, annotations and the request state."""
    names = list(request.functions)
    if not names:
        opted = [n for n, info in source.functions.items() if info.pragma is not None]
        names = opted or [n for n, info in source.functions.items() if info.is_public]
        if not names:
            raise S2SError(Diagnostic("S407", f"`{request.filename}` has no function to differentiate"))
    given = pragma.parse_shapes(request.shapes) if request.shapes else {}
    problems: list[Diagnostic] = []
    out: list[Selected] = []
    for name in names:
        try:
            f = source.function(name)
        except S2SError as fault:
            if request.stubs:
                out.append(Selected(name, request.wrt, request.emit))
            problems += fault.diagnostics
            continue
        info = source.functions[name]
        stated = pragma.stated(f, info.pragma)
        shapes = stated.shapes | {k: v for k, v in given.items() if k.split("[")[0] in f.names}
        wrt = request.wrt if request.wrt is not None else (info.pragma.wrt or None) if info.pragma else None
        emit = request.emit
        if info.pragma and info.pragma.emit and emit == ("grad",):
            emit = info.pragma.emit
        out.append(Selected(name, wrt, emit, shapes, stated.kinds))
    if problems and not request.stubs:
        raise S2SError(problems)
    return out


def _stub(name: str, found: list[Diagnostic], request: Request, source: Any) -> ir.Function:
    """A function that raises its refusal when it is called (import hook)."""
    text = "\n\n".join(d.render(request.filename, source.text) for d in found)
    error = ir.Op("builtins.NotImplementedError", (ir.Const(text),))
    return ir.Function(f"{name}_grad", (ir.Param("*args"), ir.Param("**kwargs")), (ir.Inert("raise", (error,)),), f"{name} could not be differentiated.")


def _slice(source: Any, selected: list[Selected]) -> str:
    """The text that the output depends on: the functions, those that they call, constants and imports."""
    names: set[str] = set()
    todo = [s.name for s in selected]
    while todo:
        name = todo.pop()
        if name not in names:
            names.add(name)
            todo += list(source.called(name))
    parts = [source.functions[n].text for n in source.functions if n in names]
    text = "\n".join(parts)
    constants = [f"{n} = {v}" for n, v in source.constants.items() if n in text]
    imports = sorted(set(source.import_lines.values()))
    return "\n".join([*imports, *constants, *parts])


def _module_names(source: Any) -> set[str]:
    return {*source.functions, *source.constants, *source.imports, *source.other_names}


def format_text(text: str) -> str:
    """black, with its style pinned by s2s and not by the user's settings."""
    import black

    return black.format_str(text, mode=black.Mode(line_length=88, target_versions={black.TargetVersion.PY311}))


def in_deep_thread(f: Callable[[], T]) -> T:
    """Runs f in a thread with a large stack: deep expressions must not end the process."""
    result: list[T] = []
    fault: list[BaseException] = []

    def work() -> None:
        try:
            result.append(f())
        except BaseException as e:
            fault.append(e)

    if getattr(_local, "deep", False):
        return f()
    old_limit = sys.getrecursionlimit()
    with _lock:
        old = threading.stack_size(STACK)
        thread = threading.Thread(target=lambda: (setattr(_local, "deep", True), work()))
        try:
            sys.setrecursionlimit(max(old_limit, RECURSION))
            thread.start()
        finally:
            threading.stack_size(old)
    thread.join()
    sys.setrecursionlimit(old_limit)
    if fault:
        raise fault[0]
    return result[0]


_local = threading.local()
_lock = threading.Lock()

__all__ = ["EMITS", "Request", "differentiate", "differentiate_module", "differentiate_unformatted", "replace", "show"]
