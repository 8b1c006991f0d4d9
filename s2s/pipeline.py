"""The straight line: source text -> CST -> IR in A-normal form -> facts -> adjoint IR -> optimised IR -> text.

One statement a stage, in `_module`. Everything here is a pure function of strings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial

from s2s import check, ir, rules
from s2s.deep import in_deep_thread
from s2s.derive import second
from s2s.derive.calls import GradientWanted, LeftOut, Lists
from s2s.derive.wrap import Derivation, Selected
from s2s.emit import format, header, module
from s2s.errors import Diagnostic, S2SError
from s2s.frontend import parse
from s2s.frontend.modules import Program
from s2s.frontend.text import pragma
from s2s.frozen import replace
from s2s.optimise import clean
from s2s.rules import effects

UNRANKED = "\ndef _unbroadcast("  # the helper that code for unknown ranks calls
EMITS = ("value_and_grad", "grad", "vjp", "jvp", "hvp", "jacobian", "hessian")


@dataclass(frozen=True)
class Request:
    """What is asked for.

    of:       array parameters whose final elements are results, of functions that write into them.
    emit:     any of EMITS; None: what a function's own comment says, else `default_emit`.
    shapes:   text as in `--shapes`.
    callees:  text as in `--with`.
    rules:    the text of a file of rules, which is executed, and its name; see `s2s.rules.user`.
    package:  the output stands beside the source in a package, and imports from it relatively.
    read:     the text of another module by its name, `a.b` or `.b`; of a package: `a.__init__`.
    stubs:    a refused function becomes one that raises its diagnostics when it is called.
    """

    filename: str = "model.py"
    functions: tuple[str, ...] = ()
    wrt: tuple[str, ...] | None = None
    of: tuple[str, ...] | None = None
    emit: tuple[str, ...] | None = None
    shapes: str = ""
    callees: str = ""
    target: str = "numpy"
    standalone: bool = False
    rules: str = ""
    rules_name: str = "rules.py"
    package: bool = False
    stubs: bool = False
    default_emit: tuple[str, ...] = ("grad",)
    read: Callable[[str], str | None] | None = None


def differentiate(text: str, request: Request | None = None) -> str:
    """The text of the derivative module of `text`, header included. Raises S2SError with all that is refused."""
    return differentiate_module(text, request or Request()).text


@dataclass(frozen=True)
class Differentiated:
    """A derivative module, and what is to be said of it.

    refused:  the diagnostics of the functions that became stubs.
    unranked: of each function the parameters of unknown rank, where the text has code for that.
    """

    text: str
    refused: list[Diagnostic]
    unranked: dict[str, tuple[str, ...]]


def differentiate_module(text: str, request: Request) -> Differentiated:
    """As `differentiate`, with what is to be said of the text. Raises S2SError."""
    format.load()  # not in the thread: this one may hold locks of the import system
    with rules.using(request.rules, request.rules_name):  # what it imports: not in the thread either
        pass
    return in_deep_thread(lambda: _module(text, request, format.format_text, None))


def differentiate_unformatted(text: str, request: Request) -> str:
    """The text before black: for tests that run thousands of programs."""
    return in_deep_thread(lambda: _module(text, request, lambda t: t, None)).text


def source_slice(text: str, request: Request) -> str:
    """The part of a source that its derivatives depend on, as the header hashes it. Raises S2SError."""

    def work() -> str:
        with rules.using(request.rules, request.rules_name):
            source = parse.read_module(text, request.filename, request.callees)
            return Program(source, request.read).part(source.reach(_selected_names(source, request)))

    return in_deep_thread(work)


def show(text: str, request: Request, stage: str) -> tuple[str, S2SError | None]:
    """One stage, or all of them, printed as Python: cst, anf, facts, adjoint, optimised, text.

    Where a stage refuses the source: what the stages before it gave, and its diagnostics.
    """
    stages: dict[str, list[str]] = {}
    refused: S2SError | None = None

    def keep(name: str, part: str) -> None:
        stages.setdefault(name, []).append(part)

    try:
        final = in_deep_thread(lambda: _module(text, request, format.format_text, keep)).text
        stages["text"] = [final.rstrip("\n")]
    except S2SError as fault:
        refused = fault
    order = ("cst", "anf", "facts", "adjoint", "optimised", "text")
    found = [(name, "\n\n".join(stages[name])) for name in order if name in stages and stage in (name, "all")]
    return "\n\n".join(f"# ---- {name} ----\n{part}" if stage == "all" else part for name, part in found), refused


# ---------------------------------------------------------------- the line

Keep = Callable[[str, str], None]


def _module(text: str, request: Request, format_: Callable[[str], str], keep: Keep | None) -> Differentiated:
    with rules.using(request.rules, request.rules_name), effects.unfollowed():
        return _with_rules(text, request, format_, keep)


def _with_rules(text: str, request: Request, format_: Callable[[str], str], keep: Keep | None) -> Differentiated:
    source = parse.read_module(text, request.filename, request.callees)
    program = Program(source, request.read)
    try:
        selected = select(source, request)
        reach = source.reach(want.name for want in selected)
        if changed := [d for want in selected for d in source.changed_defaults(want.name)]:
            raise S2SError(list(dict.fromkeys(changed)))
        whole, made = _completed(program, selected, reach, request, keep)
        whole.changed_defaults()
        body = module.render(whole.root, made.parts, format_, request.standalone, request.package)
        twice = [w for w in selected if set(w.emit) & set(second.SECOND) and w.name in made.wrt]
        refused = made.refused
        if twice:
            body, more = _once_more(body, source, selected, twice, made.wrt, request, format_, keep)
            refused = refused + more
    except S2SError as fault:
        raise S2SError(sorted(fault.diagnostics, key=_place), request.filename, source.text) from None
    named = header.named(request.rules_name, request.rules) if request.rules else ""
    options = header.Options(
        request.functions,
        request.wrt,
        request.emit,
        request.shapes,
        request.standalone,
        request.of,
        named,
        request.callees,
    )
    unranked = made.unranked if UNRANKED in body else {}
    return Differentiated(header.attach(body, request.filename, options, program.part(reach)), refused, unranked)


def _once_more(
    first: str,
    source: parse.Module,
    selected: list[Selected],
    twice: list[Selected],
    wrt: dict[str, tuple[str, ...]],
    request: Request,
    format_: Callable[[str], str],
    keep: Keep | None,
) -> tuple[str, list[Diagnostic]]:
    """The module with derivatives of second order: gradients in the text of the first one are differentiated again."""
    stem = module.base(request.filename).removesuffix(".py")
    inner = parse.read_module(first, request.filename)
    program = Program(inner, lambda name: source.text if name == stem else request.read and request.read(name))
    asked = {second.output_name(w.name, k) for w in selected for k in w.emit} & inner.functions.keys()
    try:
        again: list[Selected] = []
        for w in twice:
            name = second.functions(w)["gradient"]
            stated = pragma.stated(inner.function(name), None)
            numbers = {n for n, kind in w.kinds.items() if kind == "complex" and w.shapes.get(n) == ()}  # not asserted
            kinds = stated.kinds | dict.fromkeys(numbers, "complex")
            shapes = stated.shapes | dict.fromkeys(numbers, ())
            again.append(Selected(name, wrt[w.name], w.emit, shapes, kinds, primal=w.name))
        whole, made = _completed(program, again, set(inner.functions), request, keep)
        return module.render(whole.root, made.parts, format_, request.standalone, request.package, asked), made.refused
    except S2SError as fault:
        file = (f"{stem}_grad.py", first)
        raise S2SError([d if d.file else replace(d, file=file) for d in fault.diagnostics]) from None


@dataclass
class Agreed:
    """What derivatives of helpers are not given, and for which parameters they may give lists: found when they have
    been derived, and used when all is derived again.

    Each round may find more to leave out, twice at most; what turns out to be read after all is given from then on.
    """

    left_out: LeftOut = field(default_factory=dict)
    needed: LeftOut = field(default_factory=dict)
    lists: Lists = frozenset()
    rounds: int = 0

    def with_(self, unread: LeftOut, lists: Lists) -> bool:
        """Whether nothing that was left out is read in the output, and no other lists are given than was known."""
        wrong = lists != self.lists
        self.lists |= lists
        for k, names in self.left_out.items():
            if read := names - unread.get(k, frozenset()):
                self.needed[k] = self.needed.get(k, frozenset()) | read
                wrong = True
        left = {k: names - self.needed.get(k, frozenset()) for k, names in unread.items()}
        found = {k: names for k, names in left.items() if names}
        if wrong or (found != self.left_out and self.rounds < 2):
            self.left_out = found
            self.rounds += 1
            return False
        return True


@dataclass(frozen=True)
class Completed:
    """The functions of a derivative module.

    refused:  what is refused where stubs may stand for it.
    wrt:      what each function that is not refused is differentiated with respect to.
    unranked: its parameters that may be numbers or arrays of any rank.
    """

    parts: module.Parts
    refused: list[Diagnostic]
    wrt: dict[str, tuple[str, ...]]
    unranked: dict[str, tuple[str, ...]]


def _completed(
    source: Program, selected: list[Selected], reach: set[str], request: Request, keep: Keep | None
) -> tuple[Program, Completed]:
    """`_derived`, and the program with the gradients as functions that it turns out to need derivatives of."""
    program = source
    while True:
        try:
            return program, _derived(program, selected, reach, request, keep)
        except GradientWanted as wanted:
            program = _with_gradient(program, wanted)
        except S2SError as fault:
            file, last = (f"<gradients for {source.filename}>", program.text), source.text.count("\n") + 1
            added = [d.span is not None and d.span.line > last and not d.file for d in fault.diagnostics]
            placed = [replace(d, file=file) if a else d for a, d in zip(added, fault.diagnostics, strict=True)]
            raise S2SError(placed) from None


def _with_gradient(program: Program, asked: GradientWanted) -> Program:
    """The program with one gradient more; with the one that this needs itself first."""
    own = {n for n in program.root.functions if n.startswith("_")}
    derivation = Derivation(program, own, clean.clean)
    try:
        gradient = derivation.helper(asked.wanted)
        helpers, failed = _helpers(derivation)
    except GradientWanted as inner:
        return _with_gradient(program, inner)
    if failed:
        raise S2SError(_once(failed.values()))
    primals = _primals(derivation, [gradient], helpers)
    names = {f.name: f"{f.name}_" for f in primals}  # the frontend makes those of the same names again
    gradient, *rest = (ir.renamed(f, names) for f in (gradient, *helpers, *primals))
    parts = module.Parts([gradient], rest)
    return program.with_gradient(asked.key, gradient.name, module.addition(program.root, parts))


def _derived(
    source: Program, selected: list[Selected], reach: set[str], request: Request, keep: Keep | None
) -> Completed:
    """The derivatives of the selected functions, and those of helpers."""
    refused: dict[str, list[Diagnostic]] = {}
    agreed = Agreed()
    while True:
        kept: list[tuple[str, str]] = []  # the stages of this round
        taken = reach | source.root.local_imports | {n for n in source.root.functions if n.startswith("_")}
        derivation = Derivation(
            source,
            taken,
            clean.clean,
            partial(_note, kept) if keep is not None else None,
            check.sweeps if check.enabled() else None,
            agreed.left_out,
            agreed.lists,
        )
        derived: dict[str, list[ir.Function]] = {}
        faults: dict[str, list[Diagnostic]] = {}
        for want in selected:
            if want.name in refused:
                name = want.primal or want.name
                kinds = [k for k in want.emit if not want.primal or k in second.SECOND]
                derived[want.name] = [_stub(name, kind, refused[want.name], source) for kind in kinds]
                continue
            try:
                if keep is not None:
                    _note(kept, "cst", repr(source.root.cst(want.name)))
                    _note(kept, "anf", ir.print_function(source.function(want.name)))
                derived[want.name] = derivation.selected(want)
            except S2SError as fault:
                faults[want.name] = fault.diagnostics
        helpers, failed = _helpers(derivation)
        if check.enabled():
            text = "\n".join(f.text for f in source.functions.values())  # what is inlined brings its names along
            for prepared in derivation.calls.prepared.values():
                check.normalised(prepared.original, text)
        if not faults and not failed and not agreed.with_(derivation.unread(helpers), derivation.lists):
            continue
        if not faults and not failed:
            if keep is not None:
                for stage in kept:
                    keep(*stage)
            functions = [f for fs in derived.values() for f in fs]
            parts = module.Parts(functions, helpers, _primals(derivation, functions, helpers))
            wrt = {n: names for n, names in derivation.wrt.items() if n not in refused}
            unranked = {n: names for n, names in derivation.unranked.items() if names and n not in refused}
            return Completed(parts, _once(refused.values()), wrt, unranked)
        if not request.stubs:
            if keep is not None:  # the stages before the one that refuses
                for stage in kept:
                    keep(*stage)
            raise S2SError(_once([*faults.values(), *failed.values()]))
        # once more without the functions that are refused, and those that need a helper that is
        refused |= faults | {
            name: _once(failed[h] for h in sorted(_reached(fs, helpers) & failed.keys()))
            for name, fs in derived.items()
            if name not in refused and _reached(fs, helpers) & failed.keys()
        }


def _note(kept: list[tuple[str, str]], name: str, part: str) -> None:
    kept.append((name, part))


def _primals(derivation: Derivation, functions: list[ir.Function], helpers: list[ir.Function]) -> list[ir.Function]:
    """The functions that the frontend has made and that derivatives call: the user's text does not have them."""
    done: dict[str, ir.Function] = {}
    while True:
        called = _reached([*functions, *done.values()], helpers)
        todo = sorted(n for n in called if derivation.source.is_made(n) and n not in done)
        if not todo:
            return list(done.values())
        for name in todo:
            done[name] = derivation.primal(name)


def _once(parts: Iterable[list[Diagnostic]]) -> list[Diagnostic]:
    return list(dict.fromkeys(d for part in parts for d in part))


def _reached(functions: Iterable[ir.Function], helpers: Iterable[ir.Function]) -> set[str]:
    """The names of the functions that some functions call, through the derivatives of helpers as well."""
    of = {f.name: f for f in helpers}
    found: set[str] = set()
    todo = list(functions)
    while todo:
        for s in ir.statements(todo.pop().body):
            names = {call.fn[6:] for call in ir.helper_calls(*ir.expressions(s))}
            todo += [of[n] for n in names - found if n in of]
            found |= names
    return found


def _place(d: Diagnostic) -> tuple[int, int, str]:
    return (d.span.line, d.span.column, d.code) if d.span else (0, 0, d.code)


def _helpers(derivation: Derivation) -> tuple[list[ir.Function], dict[str, list[Diagnostic]]]:
    """The derivatives of helpers that are called, those of the helpers that they call, and what is refused of them."""
    done: dict[str, ir.Function] = {}
    failed: dict[str, list[Diagnostic]] = {}
    while True:
        # a later call site may bring facts that an earlier one did not have: those are derived anew
        wanted = derivation.calls.wanted.values()
        todo = [w for w in wanted if w.name not in {*done, *failed} or derivation.stale(w)]
        if not todo:
            return [done[w.name] for w in wanted if w.name in done], failed
        for w in todo:
            derivation.mark(w)
            try:
                done[w.name] = derivation.helper(w)
            except S2SError as fault:
                failed[w.name] = fault.diagnostics


def _selected_names(source: parse.Module, request: Request) -> list[str]:
    """The functions that are asked for: those named, else those that opted in, else every public one."""
    if request.functions:
        return list(request.functions)
    opted = [n for n, info in source.functions.items() if info.pragma is not None]
    public = (n for n, info in source.functions.items() if info.is_public)
    names = opted or [n for n in public if rules.lookup(rules.OWN + n) is None]
    if not names:
        help_ = ("name the function, or write one: `s2s grad FILE.py::name`",)
        raise S2SError(Diagnostic("S407", f"`{request.filename}` has no function to differentiate", help=help_))
    return names


def select(source: parse.Module, request: Request) -> list[Selected]:
    """The functions to differentiate, with what their comments, annotations and the request state."""
    given = pragma.parse_stated(request.shapes) if request.shapes else pragma.Pragma()
    out: list[Selected] = []
    for name in _selected_names(source, request):
        info = source.functions.get(name) or source.methods.get(name)
        own = info.pragma if info is not None else None
        wrt = request.wrt if request.wrt is not None else (own.wrt or None) if own else None
        of = request.of if request.of is not None else own.of if own else ()
        default = ("vjp",) if of else request.default_emit
        emit = request.emit if request.emit is not None else own.emit if own and own.emit else default
        for kind in emit:
            if kind not in EMITS:
                help_ = (f"this version writes {', '.join(EMITS)}",)
                message = f"`{kind}` is not a form of derivative that s2s writes"
                raise S2SError(Diagnostic("S420", message, info.span if info else None, help=help_))
        if wrt is not None and not wrt:
            help_ = ("name parameters, or leave `wrt` out: every parameter that the result depends on",)
            raise S2SError(Diagnostic("S402", "`wrt` names no parameter", info.span if info else None, help=help_))
        try:
            f = source.function(name)
        except S2SError:
            out.append(Selected(name, wrt, emit, of=of))  # it is refused, once more, when it is derived
            continue
        stated = pragma.stated(f, own)
        shapes = stated.shapes | {k: v for k, v in given.shapes.items() if ir.root_name(k) in f.names}
        kinds = stated.kinds | {k: "complex" for k in given.numbers if ir.root_name(k) in f.names}
        out.append(Selected(name, wrt, emit, shapes, kinds, of))
    return out


def _stub(name: str, kind: str, found: list[Diagnostic], source: Program) -> ir.Function:
    """A function that raises its refusal when it is called (import hook)."""
    text = "\n\n".join(d.render(source.filename, source.text) for d in found)
    lines = ir.Raw("\n".join(map(repr, text.splitlines(keepends=True))), frozenset({"NotImplementedError"}))
    error = ir.Op("builtins.NotImplementedError", (lines,))
    params = (ir.Param("*args"), ir.Param("**kwargs"))
    return ir.Function(
        second.output_name(name, kind), params, (ir.Inert("raise", (error,)),), f"{name} could not be differentiated."
    )


__all__ = [
    "EMITS",
    "Differentiated",
    "Request",
    "differentiate",
    "differentiate_module",
    "differentiate_unformatted",
    "replace",
    "show",
    "source_slice",
]
