"""Functions around the sweeps: grad, value_and_grad, vjp, jvp of a function, and the derivatives of helpers."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from itertools import groupby
from typing import Any

from s2s import algebra, ir, rules
from s2s.algebra import ONE, ZERO
from s2s.analysis import activity, aliases, asserted, counts, facts, loops, sparse
from s2s.analysis.activity import Activity
from s2s.analysis.aliases import Seen
from s2s.analysis.facts import FLOAT, NOT_DIFFERENTIABLE, Fact, Facts, is_mixed, ranked
from s2s.analysis.loops import Header
from s2s.analysis.numbers import COMPLEX, EITHER, REAL
from s2s.analysis.shapes import SCALAR, Length, Shape, dimension, is_plain, unknown
from s2s.analysis.transfer import key_kind
from s2s.derive import exchanges, handing, outside, second, updates
from s2s.derive.adjoints import Adjoint, State
from s2s.derive.alike import one_shape_guards
from s2s.derive.apart import distinct_guards, own_items, stored_attributes
from s2s.derive.assemble import Sweeps, mark
from s2s.derive.calls import Calls, LeftOut, Lists, Prepared, Wanted, display_of, entries, has_result
from s2s.derive.conjugate import is_for_complex
from s2s.derive.context import Context, Names, groups
from s2s.derive.copied import copied_lists, settled_copies
from s2s.derive.fields import with_settled_fields
from s2s.derive.forward import Forward, Primal
from s2s.derive.independents import leaves, read, varied, word
from s2s.derive.integers import (
    arrays_inside,
    asserted_copies,
    asserted_floats,
    float_guards,
    known_floats,
    list_guards,
    no_lists,
    read_by_items,
)
from s2s.derive.joined import join_guards, settled_joins
from s2s.derive.joint import Joint
from s2s.derive.listed import as_arrays
from s2s.derive.owned import settle
from s2s.derive.phrases import (
    array_of_number,
    asserted_array,
    bar,
    copied,
    entry_name,
    equals,
    fields_asked,
    is_dict_of_floats,
    is_list_of_numbers,
    is_none,
    keyed_zeros,
    method,
    new_numbers,
    no_dicts,
    nothing,
    owned,
    unless,
    zero_structure,
)
from s2s.derive.recorded import Recorder
from s2s.derive.refusals import NOWHERE, missing
from s2s.derive.reverse import Reverse
from s2s.derive.survey import maybe_none, survey
from s2s.errors import Diagnostic, S2SError
from s2s.frontend.text.pragma import ITEMS
from s2s.frozen import replace
from s2s.ir import Assign, Block, Comment, Const, Expr, Op, Param, Stmt, Var
from s2s.rules import effects
from s2s.rules.kinds import Reduction

# the passes over both sweeps joined: (body, wishes, fixed, reserved, show, items) -> body, as s2s.optimise.clean.clean
Clean = Callable[..., Block]  # optimise.clean.clean
Callee = Callable[[Op, str], tuple[Block, str]]  # what a helper does, and its parameter that is given a name

FORWARD = ("jvp", "hvp")  # derivatives that are made of tangents
# What updates in place that are refused may be meant to do, in the words of `Calls.settled`.
ARRAYS_MEANT = ("arrays", updates.of_arrays)
FORWARD_MEANT = (("either", updates.of_either_kind), ARRAYS_MEANT)
REVERSE_MEANT = (("numbers", updates.of_numbers), ARRAYS_MEANT)


@dataclass
class Selected:
    """One function to differentiate: what is stated of it and what is asked for."""

    name: str
    wrt: tuple[str, ...] | None
    emit: tuple[str, ...]
    shapes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    of: tuple[str, ...] = ()  # array parameters whose final elements are results
    primal: str = ""  # of a gradient that is differentiated once more: the function that it is the gradient of


@dataclass
class Derived:
    """The functions of the output for one selected function, and each stage of the first of them for `--show`."""

    functions: list[ir.Function]
    stages: dict[str, list[str]] = field(default_factory=dict)


def parameter_facts(f: ir.Function, shapes: dict[str, tuple[str, ...]], kinds: dict[str, str]) -> dict[str, Fact]:
    """Facts of the parameters from what is stated of them."""
    out: dict[str, Fact] = {}
    for p in (*f.params, *f.fields):
        kind = kinds.get(p.name, "")
        shape = Shape(tuple(map(dimension, shapes[p.name]))) if p.name in shapes else unknown(p.name)
        match kind:
            case "float":
                out[p.name] = Fact("float", shape if p.name in shapes else SCALAR)
            case "int" | "bool" | "str":
                # an integer scalar may still name a length
                length = Length(p.name) if kind == "int" and shape.rank in (0, None) else None
                out[p.name] = Fact(kind, SCALAR if p.name not in shapes else shape, length=length)
            case "ints" | "bools":
                out[p.name] = Fact(kind.removesuffix("s"), shape)
            case "complex":
                number = EITHER if shape.rank == 0 else COMPLEX  # a number may be passed as 1.0
                out[p.name] = Fact("any", shape, number=number)
            case "sparse":
                out[p.name] = sparse.matrix(p.name) if p.name not in shapes else Fact("sparse", shape)
            case "dict" | "dict(float)":
                out[p.name] = Fact("dict", unknown(p.name), elem=None if kind == "dict" else FLOAT)
                out |= dict.fromkeys(entries(f, p.name) if kind == "dict(float)" else (), FLOAT)
            case "other":
                out[p.name] = Fact("other" if p.name not in shapes else "any", shape)
            case _ if kind.endswith(")"):
                out[p.name] = structure_fact(p.name, kind)
            case _:
                default = p.default
                if default in ("True", "False"):
                    out[p.name] = Fact("bool")
                elif default.rstrip(")").endswith("j"):
                    out[p.name] = Fact("any", shape, number=EITHER)
                elif default[:1] in ("'", '"'):
                    out[p.name] = Fact("str")
                else:
                    out[p.name] = Fact("any", shape)
    for name, kind in kinds.items():
        if ir.is_part(name) and (kind == "float" or kind.endswith(")")):
            out[name] = structure_fact(name, kind)
    for name, dims in shapes.items():
        if ir.is_part(name):
            out[name] = Fact("any", Shape(tuple(map(dimension, dims))))
        if kinds.get(name) == "complex" and ir.is_part(name):
            out[name] = replace(out[name], number=COMPLEX if dims else EITHER)
    for name, kind in kinds.items():  # parts of unknown shape
        if ir.is_part(name) and name not in shapes and kind == "complex":
            out[name] = Fact("any", unknown(name), number=COMPLEX)
    for name, _, names in reversed(f.classes):  # from the inside out
        keys = tuple(map(ir.Attr, names))
        if keys and not entries(f, ir.root_name(name)):  # it is rebound: one value
            items = tuple(out.get(f"{name}.{k}", Fact("any", unknown(f"{name}.{k}"))) for k in keys)
            out[name] = Fact("dict", unknown(name), items=items, keys=keys)
    return out


def structure_fact(name: str, kind: str) -> Fact:
    """The fact of a list or a tuple from what its annotation says: `list(float)`, `tuple(array,list(float))`."""
    if not kind.endswith(")"):
        shape = SCALAR if kind in ("float", "int", "bool", "str") else unknown(name)
        number = {"complex": EITHER}.get(kind, REAL)
        return Fact(kind if kind in ("float", "int", "bool", "str", "other") else "any", shape, number=number)
    outer, _, inside = kind[:-1].partition("(")
    if outer == "list":
        return Fact("list", unknown(name), structure_fact(f"{name}[]", inside))
    if outer == "dict":
        return Fact("dict", unknown(name), structure_fact(f"{name}[]", inside))
    parts: list[str] = [""]
    for c in inside:
        if c == "," and parts[-1].count("(") == parts[-1].count(")"):
            parts.append("")
        else:
            parts[-1] += c
    if outer == "object":
        fields = [p.split("=", 1) for p in parts]
        items = tuple(
            replace(structure_fact(f"{name}.{n}", k), whole=k == "any")  # of which nothing is said
            for n, k in fields
        )
        return Fact("dict", unknown(name), items=items, keys=tuple(ir.Attr(n) for n, _ in fields))
    return Fact("tuple", unknown(name), items=tuple(structure_fact(f"{name}[{i}]", k) for i, k in enumerate(parts)))


class Derivation:
    """All derivatives of one output module."""

    def __init__(
        self,
        source: Any,
        user_names: set[str],
        clean: Clean,
        keep: Callable[[str, str], None] | None = None,
        observe: Callable[[Joint], None] | None = None,
        left_out: LeftOut | None = None,
        lists: Lists = frozenset(),
    ) -> None:
        self.source = source
        self.observe = observe or (lambda joint: None)
        self.clean = clean
        self.read_names = user_names
        self.calls = Calls(source, set(user_names), left_out=left_out or {}, lists=lists)
        self.lists = lists  # and those that this round finds
        self.derived_from: dict[str, tuple[int, bool]] = {}
        self.wrt: dict[str, tuple[str, ...]] = {}  # of the functions that have been derived
        self.unranked: dict[str, tuple[str, ...]] = {}  # their parameters that may be numbers or arrays of any rank
        self.problems: list[Diagnostic] = []  # of the function at hand: updates in place that may be either
        self.keep = keep
        self.stated = (
            False  # whether the shapes of a function's parameters are stated: of names nothing is guessed then
        )

    @property
    def user_names(self) -> set[str]:
        """The names of the module that are read, in what it has from other modules, too."""
        lent: set[str] = self.source.lent
        return self.read_names | lent

    # ------------------------------------------------------------------ selected functions
    def selected(self, want: Selected) -> list[ir.Function]:
        self.stated = self.stated or any(want.shapes.values())
        prepared = self.calls.prepare(want.name)
        f = prepared.function
        unread = {p.name for p in f.fields} - {x for p in f.names for x in entries(f, p)}
        want = replace(want, shapes={n: dims for n, dims in want.shapes.items() if n not in unread})
        want = replace(want, kinds=self.kinds_of_items(f, want.kinds))
        given = parameter_facts(f, want.shapes, want.kinds)
        for n in (counts.whole(f) | self.calls.numbers_asserted(f)) - {*want.kinds, *want.shapes, *(want.wrt or ())}:
            if given[n].kind == "any":
                given[n] = Fact("int", SCALAR, length=Length(n))
        compared = self.calls.compared(want.name) - {*want.shapes}
        for n in (self.calls.generators(want.name) | compared) - {*want.kinds, *(want.wrt or ())}:
            given[n] = Fact("other")
        for n in counts.texts(f) - {*want.kinds, *(want.wrt or ())}:
            given[n] = Fact("str")
        names = second.functions(want)
        self.check_star(f, want.emit)
        scalar_result = bool({"grad", "value_and_grad", "gradient"} & names.keys())
        self.check_outputs(want, given)

        @cache
        def settled(scalar_result: bool, **meant: frozenset[ir.Origin]) -> tuple[Prepared, Facts, list[Diagnostic]]:
            return self.calls.settled(want.name, given, want.of, None, scalar_result, **meant)

        prepared, found, self.problems = settled(scalar_result)
        wrt = (want.wrt or ()) if want.primal else self.independents(prepared.function, found, want)
        self.wrt[want.name] = wrt
        if not want.primal:
            self.require_same(want, prepared.function, found, wrt)
        out: list[ir.Function] = []
        facts_of: dict[str, Facts] = {}
        problems: list[Diagnostic] = []
        sound: list[Facts] = []  # those with which every operation has been seen to have a rule
        for kind, name in names.items():
            if kind == "grad" and "value_and_grad" in names and not any("star" in p.kind for p in f.params):
                out.append(self.short_grad(want, prepared, wrt))
                continue
            if name in [f.name for f in out]:
                continue
            emit = "grad" if kind == "gradient" else kind
            prepared, known, self.problems = settled(emit in ("grad", "value_and_grad"))
            found = known.copy()  # each derivation finds out more of its own
            facts_of[emit] = found
            try:
                out.append(
                    replace(self.entry(want, prepared, found, wrt, emit, any(known is k for k in sound)), name=name)
                )
                sound.append(known)
            except S2SError as fault:
                faults = list(fault.diagnostics)
                scalar = emit in ("grad", "value_and_grad")
                for meant, find in FORWARD_MEANT if emit in FORWARD else REVERSE_MEANT:
                    if not (of := find(prepared.function, known, self.calls, faults)):
                        continue
                    with contextlib.suppress(S2SError):
                        again, its, self.problems = settled(scalar, **{meant: of})
                        facts_of[emit] = its.copy()
                        derived = self.entry(want, again, facts_of[emit], wrt, emit, False)
                        out.append(replace(derived, name=name))
                        break
                else:
                    if scalar:
                        faults = self.array_returned(want, *settled(False)[:2], wrt, faults)
                    problems += [d for d in faults if d not in problems]
        if problems:
            numbers = updates.numbers_behind(prepared.function, found, problems) if not want.primal else []
            if any(n not in want.shapes for n in numbers):
                with contextlib.suppress(S2SError):  # the output asserts it
                    return self.selected(replace(want, shapes={**want.shapes, **dict.fromkeys(numbers, ())}))
            raise S2SError(problems)
        last = next(reversed(facts_of.values()), found)
        parted = {ir.root_name(n) for n in last.names if ir.is_part(n)}
        open_ = [n for n in f.names if last.of(Var(n)).kind in ("any", "float") and last.ndim(Var(n)) is None]
        self.unranked[want.name] = tuple(n for n in open_ if n in wrt and n not in parted)
        asked = {second.output_name(want.primal or want.name, k) for k in want.emit}
        if "jacobian" in want.emit and not want.primal:
            out.append(self.jacobian(want, settled(False)[0].function, facts_of["vjp"], wrt, names))
        if "hessian" in want.emit and want.primal:
            out.append(self.hessian(want, prepared.function, found, wrt, names))
        return second.used(out, {n for k, n in names.items() if n not in asked}, names.get("gradient", ""))

    def kinds_of_items(self, f: ir.Function, kinds: dict[str, str]) -> dict[str, str]:
        """`list` and `tuple` that do not say of what: of numbers or arrays, or, as what is read of them says, more."""
        if ITEMS not in kinds.values():
            return kinds
        rich = self.calls.open_parameters(f)
        return {n: "list(any)" if k == ITEMS else k for n, k in kinds.items() if k != ITEMS or n not in rich}

    def check_star(self, f: ir.Function, emits: Iterable[str]) -> None:
        """Second derivatives and Jacobians are those of arrays. Raises S2SError for a `*` or `**` parameter."""
        star = next((f"{'*' * (1 + (p.kind != 'star'))}{p.name}" for p in f.params if "star" in p.kind), "")
        other = [k for k in emits if k not in ("grad", "value_and_grad", "vjp", "jvp")]
        if star and other:
            message = f"`{star}` is a parameter of `{f.name}`: there is no `{other[0]}` of it"
            help_ = (
                f"take one array: `def {f.name}({star.strip('*')})`",
                "or ask for grad, value_and_grad, vjp or jvp",
            )
            raise S2SError(Diagnostic("S213", message, f.origin.span if f.origin else None, help=help_))

    def jacobian(
        self, want: Selected, f: ir.Function, found: Facts, wrt: tuple[str, ...], names: dict[str, str]
    ) -> ir.Function:
        kinds = {found.of(s.value).kind for s in ir.statements(f.body) if isinstance(s, ir.Return)}
        if want.of or kinds & {"tuple", "list", "dict", "none"}:
            several = "final elements of its arguments" if want.of else "no single array"
            message = f"the result of `{f.name}` is {several}: a Jacobian needs one"
            span = f.origin.span if f.origin else None
            raise S2SError(Diagnostic("S405", message, span, help=("ask for `--emit vjp` or `--emit jvp`",)))
        m = self.matrix(want, f, found, wrt, "Jacobian")
        scalar = self.result_shape(f, found) == SCALAR
        one = "each of them" if len(wrt) > 1 else wrt[0]
        shape = f"the shape of {one}" if scalar else f"the shape of the result, then that of {one}"
        lines = [f"Jacobian of {f.name} with respect to {_listed(wrt)}: {shape}."]
        rest = _paragraph(f.docstring)
        if not scalar and not (len(wrt) == 1 and m.scalars):
            what = wrt[0] if len(wrt) == 1 else "the parameters"
            rest.append(
                f"A reverse sweep for each element of the result, or a forward sweep for each of {what}: what is less."
            )
        lines += ["", *rest] if rest else []
        out_bar = self.seed_name(self.calls.prepare(want.name), "out_bar")
        name = second.output_name(f.name, "jacobian")
        return second.jacobian(m, name, names["vjp"], names["jvp"], out_bar, lines, scalar)

    def hessian(
        self, want: Selected, f: ir.Function, found: Facts, wrt: tuple[str, ...], names: dict[str, str]
    ) -> ir.Function:
        m = self.matrix(want, f, found, wrt, "Hessian")
        shape = f"the shape of {wrt[0]}, twice" if len(wrt) == 1 else "a row of blocks for each of them"
        rest = _paragraphs_behind(f.docstring)
        lines = [f"Hessian of {want.primal} with respect to {_listed(wrt)}: {shape}.", *([""] if rest else []), *rest]
        return second.hessian(m, second.output_name(want.primal, "hessian"), names["hvp"], lines)

    def matrix(self, want: Selected, f: ir.Function, found: Facts, wrt: tuple[str, ...], what: str) -> second.Matrix:
        """What a matrix is made of. Raises S2SError (S405) where a parameter is no array."""
        returns = [s.value for s in ir.statements(f.body) if isinstance(s, ir.Return)]
        if found.complex and not all(map(found.is_real, [*map(Var, wrt), *returns])):
            message = (
                f"a {what} of complex numbers is not supported: it is a matrix of derivatives along real directions"
            )
            span = f.origin.span if f.origin else None
            raise S2SError(
                Diagnostic("S305", message, span, help=("ask for `--emit vjp`, `--emit jvp` or `--emit hvp`",))
            )
        prepared = self.calls.prepare(want.name)
        ranks: dict[str, int | None] = {}
        for n in wrt:
            meant = read(n)
            assert meant is not None
            if leaves(f, found, n) != [meant.part] or found.of(Var(meant.part)).kind in ("tuple", "list", "dict"):
                message = f"`{n}` is not one array: the {what} of `{want.primal or f.name}` has no shape for it"
                help_ = ("name the arrays in it with --wrt",)
                raise S2SError(Diagnostic("S405", message, f.origin.span if f.origin else None, help=help_))
            ranks[n] = found.ndim(Var(meant.part)) if not meant.path else None
        dots = self.tangent_names(prepared, wrt)
        return second.Matrix(f, wrt, lambda n: self.free(prepared, n), dots, ranks)

    def require_same(self, want: Selected, f: ir.Function, found: Facts, wrt: tuple[str, ...]) -> None:
        """Raises S2SError (S202) where each of the sweeps that a matrix is put together from would draw others."""
        several = len(wrt) > 1 or found.ndim(Var(wrt[0])) != 0
        row = self.result_shape(f, found) == SCALAR  # the Jacobian is a gradient
        whats = {"hessian": "Hessian"} if row else {"jacobian": "Jacobian", "hessian": "Hessian"}
        what = next((whats[k] for k in want.emit if k in whats), "")
        again = effects.redrawn(f, self.calls.draws) if what and several else None
        if again is None:
            return
        s, call = again
        name = re.sub(r"^(method|local|module)\.", "", call.fn)
        message = f"`{name}` gives something else each time: a {what} is put together from several runs of `{f.name}`"
        help_ = [f"call `{name}` before `{f.name}`, and hand over what it gives"]
        if effects.is_draw(call.fn):
            help_.append("or draw from a generator that the function makes: `rng = np.random.default_rng(0)`")
        origin = s.origin or f.origin
        raise S2SError(Diagnostic("S202", message, origin.span if origin else None, help=tuple(help_)))

    def check_outputs(self, want: Selected, given: Mapping[str, Fact]) -> None:
        """`--of` names array parameters; such a function has a vjp and a jvp. given: facts of the parameters."""
        if not want.of:
            return
        f = self.calls.prepare(want.name).function
        span = f.origin.span if f.origin else None
        for name in want.of:
            if name not in f.names:
                help_ = (f"its parameters: {', '.join(f.names)}",)
                raise S2SError(Diagnostic("S402", f"`{f.name}` has no parameter `{name}`", span, help=help_))
            fact = given[name]
            of_numbers = fact.kind == "list" and fact.elem is not None and fact.elem.shape == SCALAR
            read = [ir.keys_of(x)[0] for x in entries(f, name)]
            if (fact.kind in aliases.CONTAINERS and not of_numbers) or read:
                is_object = fact.is_object or any(isinstance(k, ir.Attr) for k in read)
                what = "an object" if is_object else f"a {fact.kind if fact.kind in aliases.CONTAINERS else 'dict'}"
                copies = {"a list": f"[v.copy() for v in {name}]", "a dict": f"dict({name})"}
                advice = ["hand the arrays in it over, each by a name of its own"]
                if what in copies:
                    advice.append(f"or write into a copy, and return that: `{name} = {copies[what]}`")
                message = f"`--of` names arrays, whose final elements are results: `{name}` is {what}"
                raise S2SError(Diagnostic("S402", message, span, help=tuple(advice)))
        if {"grad", "value_and_grad"} & set(want.emit):
            message = (
                f"the final elements of {_listed(want.of)} are results of `{f.name}`: a gradient needs a scalar result"
            )
            raise S2SError(Diagnostic("S405", message, span, help=("ask for `--emit vjp` or `--emit jvp`",)))

    def independents(self, f: ir.Function, found: Facts, want: Selected) -> tuple[str, ...]:
        """The parameters to differentiate with respect to, in parameter order.

        Where that is not said, numbers of things are none of them, nor objects and dicts for which None may stand.
        """
        span = f.origin.span if f.origin else None
        candidates = [n for n in f.names if found.of(Var(n)).kind not in NOT_DIFFERENTIABLE or entries(f, n)]
        active = activity.analyse(f, found, varied(f, found, candidates), want.of).active
        if not want.of:
            active &= self.calls.reaching(want.name)
        depends = tuple(n for n in candidates if n in active or any(x in active for x in leaves(f, found, n)))
        if want.wrt is None:
            if not depends and self.problems:  # an update that is not known to write may be what depends on it
                raise S2SError(self.problems)
            if not depends:
                message = f"the result of `{f.name}` depends on no parameter differentiably"
                help_ = self.written_results(f, found, want, candidates) or NOWHERE
                raise S2SError(Diagnostic("S404", message, span, help=help_))
            left = {*self.calls.counts(want.name), *counts.hold_texts(f)}
            left |= {p.name for p in f.params if p.default == "None" and entries(f, p.name)}
            return tuple(n for n in depends if n not in left) or depends
        order: list[tuple[int, str]] = []
        for name in want.wrt:
            meant = read(name)
            if meant is None or meant.root not in f.names:
                message = f"`{f.name}` has no parameter `{name}`"
                raise S2SError(Diagnostic("S402", message, span, help=(f"its parameters: {', '.join(f.names)}",)))
            if meant.root not in candidates:
                kind = found.of(Var(meant.root)).kind
                noted = next((p.annotation for p in f.params if p.name == meant.root), "") if kind == "other" else ""
                real = re.sub(r"\bint\b", "float", noted) if noted else "float"
                shown = f"`{noted}`" if noted else "no number and no array" if kind == "other" else kind
                message = f"parameter `{meant.root}` of `{f.name}` is {shown}: it carries no derivative"
                ways: tuple[str, ...] = ("leave it out of --wrt",)
                if real != noted:
                    what = "its items are real numbers" if noted else "it is a real number"
                    ways += (f"or say that {what}: `{meant.root}: {real}`",)
                raise S2SError(Diagnostic("S403", message, span, help=ways))
            if not {name, *leaves(f, found, name)} & active:
                if self.problems:
                    raise S2SError(self.problems)
                message = f"the result of `{f.name}` does not depend on `{name}` differentiably"
                known = ", ".join(x for x in entries(f, meant.root) if x in active)
                help_ = (
                    (f"it depends on {known}",)
                    if known and meant.part != meant.root
                    else self.written_results(f, found, want, [meant.root])
                    or ("leave it out of --wrt: its derivative is zero", f"or {NOWHERE[0]}")
                )
                raise S2SError(Diagnostic("S404", message, span, help=help_))
            for other in filter(None, map(read, want.wrt)):
                if other.text != name and other.contains(meant):
                    raise S2SError(
                        Diagnostic("S402", f"`{name}` is part of `{other.text}`", span, help=("name one of them",))
                    )
            order.append((f.names.index(meant.root), name))
        return tuple(n for _, n in sorted(dict.fromkeys(order), key=lambda o: o[0]))

    def written_results(self, f: ir.Function, found: Facts, want: Selected, candidates: list[str]) -> tuple[str, ...]:
        """The advice to name arrays that a function writes as its results, where these depend on the parameters."""
        arrays = [n for n in f.names if found.of(Var(n)).kind not in aliases.CONTAINERS and not entries(f, n)]
        written = tuple(n for n in arrays if n in self.calls.writes(want.name))
        if want.of or not written:
            return ()
        active = activity.analyse(f, found, varied(f, found, candidates), written).active
        if active.isdisjoint(candidates):
            return ()
        names = ", ".join(f"`{n}`" for n in written)
        return (f"it writes into {names}: name those whose elements are results, `--of {written[0]}`",)

    def context(
        self,
        prepared: Prepared,
        found: Facts,
        wrt: tuple[str, ...],
        extra: set[str],
        outputs: tuple[str, ...] = (),
        sound: bool = False,
        forward: bool = False,
    ) -> Context:
        f, headers = settled_joins(prepared.function, found, prepared.headers)
        f, headers = with_settled_fields(f, found, headers)
        f, headers = settled_copies(f, found, headers)
        known, loose = aliases.settled(f, found, outputs)
        bound = [n for s in ir.statements(f.body) for n in ir.binds(s)]
        for name in outputs:
            if name in bound and name not in known.of and f.origin is not None:
                message = f"`{name}` is bound again in `{f.name}`, and nothing is written into what it was"
                raise S2SError(Diagnostic("S244", message, f.origin.span, help=(f"leave `{name}` out of --of",)))
        lasting = [*module_arrays(f, known.of), *self.written_outside(f)] if f.origin is not None else []
        if lasting:
            raise S2SError(lasting)
        active = activity.analyse(f, found, varied(f, found, wrt), outputs)
        changed, headers = copied_lists(f, found, active.active, headers)
        changed, headers = as_arrays(changed, found, active.active, headers, forward)
        if changed is not f:
            f = changed
            known, loose = aliases.settled(f, found, outputs)
            active = activity.analyse(f, found, varied(f, found, wrt), outputs)
        unfollowed = [not_followed(prepared, *v) for v in known.lost if v[0] in active.active]
        if unfollowed and aliases.take_chosen_for_numbers(f, found, [v for v in known.lost if v[0] in active.active]):
            return self.context(prepared, found, wrt, extra, outputs, sound, forward)
        if unfollowed:
            raise S2SError(list(dict.fromkeys(unfollowed)))
        variables = {*_all_names(prepared.original), *_all_names(f)}
        extra = extra | {f"{entry_name(v)}{suffix}" for v in variables for suffix in ("_bar", "_dot")}
        taken = {*self.user_names, *self.calls.taken, *_all_names(prepared.original), *_all_names(f), *extra}
        names = Names({*taken})
        f, headers = asserted_numbers(f, found.guarded, headers)
        f, headers = asserted_ranks(f, found, active, headers)
        ctx = Context(f, found, active, headers, names, self.calls, dict(prepared.base), wrt, known, forward=forward)
        if unsure := ctx.unsure_entries():
            f, headers = asserted_entries(ctx, unsure)
            names = Names(taken)
            ctx = Context(
                f, found, active, headers, names, self.calls, dict(prepared.base), wrt, known, forward=forward
            )
            ctx.guarded_entries = frozenset(unsure)
        ctx.either = prepared.either
        at_once = ctx.temps.keys() - aliases.kept_values(f)  # what is read at once is a value
        on_their_way = counts.exchanges(f)
        asked = [
            v for v in loose if v[0] in on_their_way or (v[0] not in at_once and (v[0] in ctx.temps or not self.stated))
        ]
        if asked and aliases.take_for_numbers(f, found, asked):
            return self.context(prepared, found, wrt, extra, outputs, sound, forward)
        loose = [v for v in loose if v[0] not in ctx.temps]
        if loose and wrt:
            from s2s.derive.checks import keyed_dicts

            raise S2SError(keyed_dicts(ctx) or [number_or_view(*v, found) for v in loose])
        if self.keep is not None:
            self.keep("facts", facts_text(ctx))
        if not sound:
            self.check_rules(ctx)
        return ctx

    def written_outside(self, f: ir.Function) -> list[Diagnostic]:
        """What a function writes of results of helpers which return what the module has, and what its helpers write."""
        out: list[Diagnostic] = []
        label = "this changes what lives on behind the call"
        if not any(ir.helper_calls(*(e for s in ir.statements(f.body) for e in ir.expressions(s)))):
            return out
        parts = {o for o in outside.module_writes(self.calls, f, decided=True) if o.helper}
        for s in ir.statements(f.body):
            span = s.origin.span if s.origin else None
            for call in ir.helper_calls(*ir.expressions(s)):
                helper = call.fn[6:]
                own = {o for o in parts if o.helper == helper}
                parts -= own  # said once, of its first call
                for name in sorted(o.name for o in own):
                    message = f"`{name}` of the module, which `{helper}` returns, would be written into"
                    if name.endswith("(...)"):
                        message = f"what `{name}` has returned would be written into, and it is cached"
                    help_: tuple[str, ...] = (f"write into a copy: `np.copy({helper}(...))`",)
                    out.append(Diagnostic("S201", message, span, label, help_))
                for name in sorted(self.calls.module_writes(helper)):
                    message = f"`{helper}` writes into `{name}` of the module"
                    help_ = ("let it write into a copy", f"or pass `{name}` as an argument")
                    if name.endswith("(...)"):
                        message = f"`{helper}` writes into what `{name}` has returned, and that is cached"
                        help_ = (f"let it write into a copy: `np.copy({name})`",)
                    out.append(Diagnostic("S201", message, span, label, help_))
        return list(dict.fromkeys(out))

    def check_rules(self, ctx: Context) -> None:
        """All operations on active values that have no rule, at once."""
        from s2s.derive.checks import problems

        found = problems(ctx)
        found += [d for d in self.problems if d not in found]
        if found:
            raise S2SError(found)

    # ------------------------------------------------------------------ entry functions
    def entry(
        self, want: Selected, prepared: Prepared, found: Facts, wrt: tuple[str, ...], emit: str, sound: bool
    ) -> ir.Function:
        f = prepared.function
        out_bar = self.seed_name(prepared, "out_bar")
        dots = self.tangent_names(prepared, wrt)
        seeds_of = {n: self.free(prepared, f"{n}_bar") for n in want.of} if emit == "vjp" else {}
        extra = {out_bar, *dots.values(), *seeds_of.values()}
        forward = emit in FORWARD
        ctx = self.context(prepared, found, wrt, extra, want.of, sound, forward)
        has_result = self.calls.has_result(want.name)
        result_shape = self.result_shape(f, found)
        if emit in ("grad", "value_and_grad"):
            self.require_scalar(f, found)
        held = survey(ctx).containers
        listed = updates.numbers_in_lists(f, found, self.calls)
        found.numbers |= (
            listed | updates.numbers_in_helpers(f, found, self.calls) | self.calls.numbers_asserted(f) - counts.whole(f)
        )
        guards = guard_statements(f, found, want.shapes, want.kinds, ctx.optional, held) + array_guards(ctx, forward)
        guards += number_guards(updates.lists_of_numbers_shared(f, found, self.calls))
        params = list(f.params)
        docstring = self.docstring(want, f, found, wrt, emit, out_bar, dots)
        guards += stored_attributes(f, wrt)
        guards += distinct_guards(ctx, want.of) + own_items(ctx) + complex_guards(ctx, want.kinds)
        guards += self.operand_guards(ctx, want.kinds, ctx.function.names)
        arrays = no_lists(ctx, want.of)
        guards += list_guards(arrays, want.of) + key_guards(
            ctx, [x for n in wrt for x in leaves(f, found, n) if x not in arrays]
        )
        guards += join_guards(ctx) + arrays_inside(ctx, arrays)
        if not forward:
            floats = float_guards(ctx)
            ctx.known_floats = known_floats(ctx, floats)
            guards += one_shape_guards(ctx) + floats
        if forward:
            seeds = [Var(dots[n]) for n in wrt]
            listed = set(listed)
            body = self.forward_body(ctx, wrt, dots, want.of, alone=emit == "hvp", listed=listed)
            guards += self.seed_guards(ctx, wrt, dots, listed, body) + float_guards(ctx, dots)
            complex_dots = [Var(dots[n]) for n in wrt if n in dots and not found.is_real(Var(n))]
            if ctx.aliases.of:  # tangents of arrays that are written: real ones would lose what is written
                guards += [ir.Inert("assert", (call("numpy.iscomplexobj", v),)) for v in complex_dots]
            anew = {n for s in ir.statements(f.body) for n in ir.binds(s)}  # `q = step(q)`: so is the tangent

            def is_like(p: Param) -> bool:
                fact = found.of(Var(p.name))
                return found.is_list(Var(p.name)) or is_dict_of_floats(fact) or (fact.is_object and p.name in anew)

            same = {p.name: p.annotation for p in f.params if p.kind != "star" and is_like(p)}
            given = [Param(s.name, same.get(n, ""), kind="keyword") for n, s in zip(wrt, seeds, strict=True)]
            params = _keyword(params, given)
        else:
            seed: Expr = ONE if emit != "vjp" else Var(out_bar)
            if emit == "vjp":
                given = [Param(b, kind="keyword") for b in seeds_of.values()]
                if has_result or not want.of:
                    default = "1.0" if result_shape == SCALAR else ""
                    results = [s.value for s in ir.statements(f.body) if isinstance(s, ir.Return)]
                    are_lists = bool(results) and not want.of and all(map(found.is_list, results))
                    annotation = "" if not are_lists else "dict" if found.of(results[0]).keyed else "list"
                    given.append(Param(out_bar, annotation, default, kind="keyword"))
                params = _keyword(params, given)
                guards += [_same_shape(Var(b), Var(n)) for n, b in seeds_of.items()]
            body = self.reverse_body(ctx, wrt, seed, emit, out_bar, seeds_of)
        first = 0  # the asserts of a derivative that is differentiated once more stand before those of the tangents
        while want.primal and first < len(body) and _is_assert(body[first]):
            first += 1
        stated = [_text(s) for s in body[:first]]
        guards = [*body[:first], *(g for g in guards if _text(g) not in stated)]
        body = body[first:] if guards else _without_blank(body[first:])
        return ir.Function("", with_classes(params, (*guards, *body)), (*guards, *body), docstring)

    def short_grad(self, want: Selected, prepared: Prepared, wrt: tuple[str, ...]) -> ir.Function:
        f = prepared.function
        args = tuple(Var(p.name) for p in f.params if p.by_position)
        options = tuple((p.name, Var(p.name)) for p in f.params if p.kind == "keyword")
        value = ir.Index(Op(f"local.{second.output_name(f.name, 'value_and_grad')}", args, options), Const(1))
        doc = f"Gradient of {f.name} with respect to {_listed(wrt)}."
        return ir.Function(second.output_name(f.name, "grad"), f.params, (ir.Return(value),), doc)

    def seed_name(self, prepared: Prepared, name: str) -> str:
        """out_bar, or result_bar where a parameter is called out."""
        if "out" in prepared.function.names and name == "out_bar":
            name = "result_bar"
        return self.free(prepared, name)

    def tangent_names(self, prepared: Prepared, wrt: tuple[str, ...]) -> dict[str, str]:
        """What the tangents of the independents are called: y_dot that of `y_` where no parameter is called `y`."""
        stems: dict[str, str] = {}
        for n in wrt:
            stem = word(n)
            while stem != n and (stem in prepared.original.names or stem in stems.values()):
                stem += "_"
            stems[n] = stem
        return {n: self.free(prepared, f"{stem}_dot") for n, stem in stems.items()}

    def free(self, prepared: Prepared, name: str) -> str:
        taken = _all_names(prepared.original)
        while name in taken:
            name += "_"
        return name

    def result_shape(self, f: ir.Function, found: Facts) -> Shape | None:
        shapes = {
            found.shape(s.value) if found.of(s.value).kind not in ("tuple", "list", "dict") else None
            for s in ir.statements(f.body)
            if isinstance(s, ir.Return)
        }
        return shapes.pop() if len(shapes) == 1 else None

    def array_returned(
        self, want: Selected, prepared: Prepared, known: Facts, wrt: tuple[str, ...], problems: list[Diagnostic]
    ) -> list[Diagnostic]:
        """What a gradient is refused for, where its result has been taken for a number. What the vjp is not refused for
        comes of that: the text says that the result is an array."""
        try:
            self.entry(want, prepared, known.copy(), wrt, "vjp", False)
            others: tuple[Diagnostic, ...] = ()
        except S2SError as fault:
            others = tuple(fault.diagnostics)
        contrary = [d for d in problems if d not in others and d.code in ("S230", "S236")]
        returned = [s for s in ir.statements(prepared.function.body) if isinstance(s, ir.Return)]
        unknown = [s for s in returned if known.shape(s.value).rank is None]
        written = any(d.code == "S230" for d in contrary)
        branches = any(isinstance(s, ir.If) for s in ir.statements(prepared.function.body))
        if not unknown or not contrary or (branches and not written):  # there may be a path of each kind
            return problems
        span, line = unknown[0].origin.span if unknown[0].origin else None, contrary[0].span
        where = f", as line {line.line} says" if line else ""
        message = f"the result of `{prepared.function.name}` is an array{where}: a gradient needs a scalar result"
        help_ = ("ask for `--emit vjp` or `--emit jvp`", "or return a scalar: np.sum(...)")
        array = Diagnostic("S405", message, span, "this is returned", help_)
        return [array, *(d for d in problems if d not in contrary)]

    def require_scalar(self, f: ir.Function, found: Facts) -> None:
        returns = [s for s in ir.statements(f.body) if isinstance(s, ir.Return)]
        numbers = any(found.ndim(s.value) == 0 for s in returns)  # a path that returns an array raises, then
        for s in returns:
            fact = found.of(s.value)
            span = s.origin.span if s.origin else None
            if fact.kind in ("tuple", "list", "dict"):
                raise S2SError(
                    Diagnostic(
                        "S405",
                        f"`{f.name}` returns a {fact.kind}: a gradient needs a scalar result",
                        span,
                        "this is returned",
                        ("ask for `--emit vjp` or `--emit jvp`", "or return one number"),
                    )
                )
            if found.complex and not found.is_real(s.value):
                help_ = ("return a real number: `np.real(...)`, `np.abs(...)`", "or ask for `--emit vjp`")
                message = f"the result of `{f.name}` may be complex: a gradient needs a real result"
                raise S2SError(Diagnostic("S405", message, span, "this is returned", help_))
            shape = found.shapes(fact.shape)
            # not an item: of a structure, the axes of one are assumed of all
            proven = shape.tail is not None and not shape.tail[1] and found.shapes.has_axis(shape)
            if (shape.rank not in (None, 0) or (shape.dims and shape.rank is None) or proven) and not numbers:
                rank = f"has rank {shape.rank}" if shape.rank else "is an array"
                raise S2SError(
                    Diagnostic(
                        "S405",
                        f"the result of `{f.name}` {rank}: a gradient needs a scalar result",
                        span,
                        "this is returned",
                        ("ask for `--emit vjp` or `--emit jvp`", "or return a scalar: np.sum(...)"),
                    )
                )

    # ------------------------------------------------------------------ sweeps
    def forward_body(
        self,
        ctx: Context,
        wrt: tuple[str, ...],
        dots: dict[str, str],
        outputs: tuple[str, ...] = (),
        in_place: bool = False,
        alone: bool = False,
        listed: set[str] | None = None,
    ) -> list[Stmt]:
        """in_place: the parameters that are written, and their tangents, are the caller's.

        alone: the tangent is returned without the value. listed: the parameters whose tangents may lie in a list where
        `+=` would write into them, are added.
        """
        f = ctx.function
        body: list[Stmt] = []
        fixed: dict[str, str] = {n: n for n in f.names}
        base: dict[str, str] = {}
        for name in f.names:
            for leaf in entries(f, name) or [name]:
                inner = f"{leaf}%_dot"
                meant = [m for n in dots if (m := read(n)) is not None and m.holds(leaf)]
                if len(meant) == 1 and not meant[0].path:
                    shown = dots[meant[0].text] + leaf[len(meant[0].part) :]
                    base[inner] = shown
                    fixed[inner] = shown
                    fact = ctx.facts.of(Var(leaf))
                    ctx.facts.names[inner] = fact if fact.kind == "dict" else Fact("float", ctx.facts.shape(Var(leaf)))
                elif leaf in ctx.activity.active and (leaf == name or meant):
                    zeros = Forward(ctx).zero(Var(leaf))
                    listed_ = ctx.facts.of(Var(leaf)).kind == "list"
                    body.append(Assign(inner, unless_none(ctx, leaf, zeros) if listed_ else zeros))
                    for m in meant:
                        items, part = m.of(Var(inner)), Var(dots[m.text])
                        assert isinstance(items, ir.Index)
                        alone_ = all(m.is_apart(other) for other in meant if other is not m)
                        body.append(ir.Store(items, part) if alone_ else ir.Augment(items, "+", part))
        if not in_place:
            body += contiguous_guards(ctx)
        forward = Forward(ctx, alone)
        for name in self.written_parameters(ctx) if not in_place else ():
            body.append(Assign(name, same_layout(ctx, name)))
            if name in dots:
                forward.copied_first.add(name)
                given = Var(f"{name}%_dot")  # of a parameter that may be a number, it may be one, too
                ndim = ctx.facts.ndim(Var(name))
                known = ndim == 1 or (bool(ndim or ctx.facts.is_array(Var(name))) and name not in read_by_items(ctx))
                body.append(Assign(given.name, list_copy(ctx, name, given) or copied(given, known)))
        for name in outputs:
            first = self.first_array(ctx, name)
            forward.outputs += ((name, first),)
            if first != name:
                body += [Assign(first, Var(name)), Assign(f"{first}%_dot", Var(f"{name}%_dot"))]
        body += updates.as_written(asserted_copies(ctx, asserted_floats(ctx, forward.block(f.body))), ctx.facts)
        if listed is not None:
            tangents = ir.Function(f.name, tuple(Param(f"{n}%_dot") for n in dots), tuple(body))
            listed |= {n.removesuffix("%_dot") for n in updates.numbers_in_lists(tangents, ctx.facts, self.calls)}
        at_end = self.seen_at_end(ctx, ("", "%_dot")) if in_place else frozenset()
        body = list(self.finish(ctx, tuple(body), fixed, base, at_end))
        return list(settle(tuple(body), fixed.values()))

    def seed_guards(
        self, ctx: Context, wrt: tuple[str, ...], dots: dict[str, str], listed: set[str], body: list[Stmt]
    ) -> list[Stmt]:
        """Tangents have the shapes of what they belong to; beside numbers in lists (`listed`) they are numbers."""
        f, found = ctx.function, ctx.facts
        calls = (e for s in ir.statements(tuple(body)) for e in ir.nodes(s) if isinstance(e, Op))
        beside = [e.args for e in calls if e.fn == "builtins.zip" or e.fn.startswith("local.")]
        here = partial(depth_gone_through, tuple(ir.statements(f.body)), callee=self.callee)
        open_ = survey(ctx).containers
        out: list[Stmt] = []
        parts: list[Stmt] = []
        for n in wrt:
            meant = read(n)
            assert meant is not None
            for x in leaves(f, found, n):
                if x in listed or (x != meant.part and x not in ctx.activity.active):  # sizes and the like of an object
                    continue
                value = meant.of(Var(x))
                given, fact = Var(dots[n] + x[len(meant.part) :]), found.of(value)
                if found.of(Var(x)).kind != "dict" and (x not in open_ or len(meant.path) > 1):
                    where = out if x == n else parts
                    rows = fact.kind == "list" and not fact.keyed and fact.elem is not None and fact.elem.kind == "list"
                    same = _same_rows if rows else _same_length if is_ragged(fact) else _same_shape
                    where.append(same(given, value))
                # gone through side by side, here or in a helper
                elif any({given, value} <= {*args} for args in beside) and (depth := here(x)):
                    out.append(_same_length(given, value) if depth == 1 else _same_rows(given, value, depth))
        numbers = _lines([call("numpy.isscalar", Var(dots[n])) for n in wrt if n in listed])
        return [ir.Inert("assert", (test,)) for test in numbers] + out + parts

    def callee(self, e: Op, name: str) -> tuple[Block, str]:
        """What the helper does that an expression calls, and its parameter that is given this name."""
        if not e.fn.startswith("local.") or e.fn[6:] not in self.calls.source.functions:
            return (), ""
        given = (p for p, a in self.calls.given(e).items() if a == Var(name))
        return self.calls.prepare(e.fn[6:]).function.body, next(given, "")

    def reverse_body(
        self,
        ctx: Context,
        wrt: tuple[str, ...],
        seed: Expr,
        emit: str,
        out_bar: str,
        bars: dict[str, str] | None = None,
    ) -> list[Stmt]:
        """bars: the names of the cotangents of final elements, by parameter."""
        ctx.bars = bars or {}
        if isinstance(seed, Var) and ctx.facts.complex:
            ctx.facts.names[seed.name] = seed_fact(ctx)
        body = self.sweeps(ctx, ctx.function.body, wrt, seed, emit, out_bar)
        fixed = {n: n for n in ctx.function.names}
        if isinstance(seed, Var):
            fixed[seed.name] = seed.name
        fixed |= {bar(n): shown for n, shown in ctx.bars.items()}
        at_end = frozenset(map(bar, ctx.bars)) if emit == "rev" else frozenset()
        return list(self.finish(ctx, tuple(body), fixed, {}, at_end))

    def sweeps(
        self,
        ctx: Context,
        block: Block,
        wrt: tuple[str, ...],
        seed: Expr,
        emit: str,
        out_bar: str,
        bound: frozenset[str] = frozenset(),
    ) -> list[Stmt]:
        """Both sweeps of a block that always returns; a branch that leaves early keeps sweeps of its own.

        bound: names that are bound before the block.
        """
        *prefix, last = block
        leaves = isinstance(last, ir.If) and _always_returns(last.body) and _always_returns(last.orelse)
        if isinstance(last, ir.If) and leaves and not any(self.contributes(ctx, s) for s in prefix):
            out = self.copies_before(ctx, tuple(prefix))
            for unit in groups(tuple(prefix), ctx.temps):
                simple = isinstance(unit[-1], Assign | ir.Unpack | ir.Append | ir.Store)
                out += Reverse(ctx, seed).pieces(unit) if simple else unit
            bound = bound.union(*(ir.binds(s) for s in ir.statements(tuple(out))))
            body = self.sweeps(ctx, last.body, wrt, seed, emit, out_bar, bound)
            orelse = self.sweeps(ctx, last.orelse, wrt, seed, emit, out_bar, bound)
            if len(body) > len(orelse) and isinstance(last.orelse[0], ir.Return):
                return [*out, ir.If(last.test, tuple(body), tuple(orelse), last.origin)]
            if not _leaves(body):  # of a procedure: no adjoint is handed back
                body = [*body, ir.Return(ir.NONE)]
            return [*out, ir.If(last.test, tuple(body), (), last.origin), Comment(("",)), *orelse]
        if isinstance(last, ir.Inert) and last.keyword == "raise":
            return list(block)
        if _returns_none(last) and emit in ("grad", "value_and_grad") and has_result(ctx.function):
            return [*prefix, _no_result(ctx)]
        return self.joint(ctx, block, wrt, seed, emit, out_bar, bound)

    def copies_before(self, ctx: Context, prefix: Block) -> list[Stmt]:
        """The copies of `own_copies`, where what stands before the sweeps gives these arrays other names."""
        bound = {ctx.aliases.of.get(n) for s in ir.statements(prefix) for n in ir.binds(s)}
        if ctx.has_copies or not any(ctx.aliases.of[n] in bound for n in self.written_parameters(ctx)):
            return []
        copies = self.own_copies(ctx)
        ctx.has_copies = True
        return copies

    def contributes(self, ctx: Context, s: Stmt) -> bool:
        """Whether the reverse of a statement could be anything but empty."""
        for inner in ir.statements((s,)):
            if any(isinstance(n, Op) and ctx.written(n) for n in ir.nodes(inner)):
                return True  # a helper that writes into its arguments
            match inner:
                case ir.Store():
                    return True
                case Assign() | ir.Unpack() | ir.Append():
                    targets = set(ir.binds(inner)) or {inner.array if isinstance(inner, ir.Append) else ""}
                    if targets & ctx.activity.active:  # an inactive definition ends an adjoint: that is a reverse, too
                        return True
        return False

    def joint(
        self,
        ctx: Context,
        block: Block,
        wrt: tuple[str, ...],
        seed: Expr,
        emit: str,
        out_bar: str,
        bound: frozenset[str],
    ) -> list[Stmt]:
        copies: set[str] = set()
        while True:  # once more where a first contribution turns out to need a copy
            reverse = Reverse(ctx, seed)
            reverse.copy_first = copies
            for name in ctx.bars:
                full = ctx.facts.shape(Var(name))
                ctx.facts.names[bar(name)] = Fact("float", full)
                reverse.outputs[name] = Adjoint(Var(bar(name)), full, True)
                if emit == "rev":
                    reverse.pinned.add(name)
            state: State = {}
            nodes = reverse.block(block, state)
            for name in (x for n in wrt for x in leaves(ctx.function, ctx.facts, n)):
                a = state.get(name)
                listed = ctx.facts.of(Var(name)).kind in aliases.CONTAINERS or name in reverse.borrowed_rows
                if a is not None and not a.owned and (listed or a.shape == ctx.facts.shape(Var(name))):
                    reverse.want_copies.add(name)
            if reverse.want_copies <= copies and not reverse.late:
                break
            copies |= reverse.want_copies
            ctx.late |= reverse.late
            survey(ctx).absent = maybe_none(ctx)
        self.calls.mask(reverse.masked_calls)
        primal = (
            set(ctx.definitions) | {n for x in ctx.function.names for n in entries(ctx.function, x)} | set(ctx.temps)
        )
        given, final = self.results(
            ctx, reverse, tuple(n for n in wrt if n not in reverse.pinned), state, emit != "rev"
        )
        beside = {bar(n): n for n in reverse.shadows(tuple(ctx.aliases.of))}
        nodes = exchanges.merged(ctx.function, nodes, ctx.facts)
        exchanges.count_back(nodes, ctx.facts)
        behind = exchanges.begun_behind(
            nodes, beside.keys() - {bar(n) for n in ctx.bars}, ctx.facts, reverse.has_fraction
        )
        for name, n in beside.items():
            if name not in behind:
                primal.add(name)
                ctx.definitions[name] = ctx.definitions[n]
        recorder = Recorder(ctx, primal)
        start = {name for e in given for name in ir.reads(e)}
        if emit == "rev":  # the caller has put back what its arguments held, and finds it again
            start |= {content for p in ctx.function.names if (content := ctx.aliases.content(p))}
        recorder.run(nodes, start)
        value = ""
        gives = has_result(ctx.function)
        unknown = gives and emit in ("grad", "value_and_grad") and self.result_shape(ctx.function, ctx.facts) != SCALAR
        nothing = gives and emit in ("grad", "value_and_grad") and any(map(_returns_none, ir.statements(block)))
        if unknown or nothing or (emit in ("value_and_grad", "vjp") and gives):
            value = ctx.names.fresh("value", "value")
        sweeps = Sweeps(ctx, recorder, value, shrinking=ctx.sensitive)
        forward = asserted_copies(ctx, asserted_floats(ctx, sweeps.forward(nodes)))
        back = sweeps.reverse(nodes)
        outputs = tuple(ctx.bars) if emit == "vjp" else ()
        checks: list[Stmt] = []
        if emit == "vjp" and value:
            checks = self.seed_guard(ctx, value, out_bar)
        elif unknown:
            checks = [_scalar_guard(ctx, value)]
        if nothing:
            checks = [ir.If(is_none(Var(value)), (_no_result(ctx),)), *checks]
        if emit in ("grad", "value_and_grad"):
            own = sorted((rank, n) for n, rank in ctx.facts.others.items() if n in ctx.definitions)
            for rank, group in groupby(own, key=lambda x: x[0]):
                ranks = [call("numpy.ndim", Var(n)) for _, n in group]
                checks = [ir.Inert("assert", (equals(*ranks, Const(rank)),)), *checks]
        result: Expr = given[0] if len(given) == 1 else ir.Sequence(tuple(given))
        finals, keep = self.final_elements(ctx, sweeps, outputs)
        forward += keep
        back = [*self.own_seeds(ctx, reverse, outputs), *back]
        values: list[Expr] = [*([Var(value)] if value and emit != "grad" else []), *finals]
        if values:
            result = ir.Sequence((values[0] if len(values) == 1 else ir.Sequence(tuple(values)), result))
        forward = sweeps.with_placeholders([*self.own_copies(ctx, reverse), *forward], bound)
        for holder, names in sweeps.holders.items():
            ctx.holders.setdefault(holder, set()).update(names)
        self.observe(Joint(ctx, sweeps, nodes, forward, back, final, result))
        kept = updates.kept_values(forward) if emit == "rev" else set()
        forward = updates.as_written(forward, ctx.facts, kept)
        if not any(not isinstance(s, Comment) for s in back):
            last = block[-1]
            back = (
                [Comment((mark(last.origin),), last.origin)]
                if isinstance(last, ir.Return) and last.origin is not None
                else []
            )
        title_forward, title_reverse = Comment(("", ir.FORWARD)), Comment(("", ir.REVERSE))
        end: list[Stmt] = [ir.Return(result)] if given or values else []
        return [title_forward, *forward, *checks, title_reverse, *back, *final, *end]

    def final_elements(self, ctx: Context, sweeps: Sweeps, outputs: tuple[str, ...]) -> tuple[list[Expr], list[Stmt]]:
        """The final elements of parameters; a copy where the reverse sweep goes back to what was there before."""
        finals: list[Expr] = []
        keep: list[Stmt] = []
        for name in outputs:
            read = self.first_array(ctx, name)
            if ctx.aliases.content(name) in sweeps.restored:
                out = ctx.names.fresh(f"{name}_out", name)
                keep.append(Assign(out, method("copy", Var(read))))
                finals.append(Var(out))
            elif name not in ctx.aliases.of:  # never written: still the caller's array
                finals.append(method("copy", Var(read)))
            else:
                finals.append(Var(read))
        return finals, keep

    def first_array(self, ctx: Context, name: str) -> str:
        """The name of a parameter's own array: the parameter, if it is never bound to another one."""
        if ctx.definitions[name] < 2:
            return name
        first = ctx.names.fresh(f"{name}_arg", "first array", name)
        sweeps_class = ctx.aliases.of.get(name)
        if sweeps_class is not None:
            for suffix in ("", "%_bar", "%_dot"):
                ctx.holders.setdefault(sweeps_class + suffix, set()).add(first + suffix)
        return first

    def own_seeds(self, ctx: Context, reverse: Reverse, outputs: tuple[str, ...]) -> list[Stmt]:
        return [Assign(bar(n), own_seed(ctx, n, "%_bar")) for n in outputs if not reverse.shadows((n,))]

    def written_parameters(self, ctx: Context) -> list[str]:
        plain = {p.name for p in ctx.function.params if p.annotation in ("float", "int", "bool", "str", "complex")}
        return [n for n in ctx.function.names if n in ctx.aliases.of and n not in plain]

    def seen_at_end(self, ctx: Context, suffixes: tuple[str, ...] = ("",)) -> frozenset[str]:
        """Names of the caller's arrays that are written into, whatever the parameters are bound to at the end."""
        firsts = [self.first_array(ctx, n) for n in self.written_parameters(ctx)]
        return frozenset(n + suffix for n in firsts for suffix in suffixes)

    def own_copies(self, ctx: Context, reverse: Reverse | None = None) -> list[Stmt]:
        """Parameters that are written into are copied first: the caller's arrays stay as they are."""
        written = self.written_parameters(ctx)
        copies: list[Stmt] = []
        if not ctx.has_copies:
            copies = [*contiguous_guards(ctx), *(Assign(n, same_layout(ctx, n)) for n in written)]
        if reverse is not None:
            for n in reverse.shadows(tuple(written)):
                if n not in ctx.bars:
                    copies.append(Assign(bar(n), shared_zeros(Var(n), ctx.facts.of(Var(n)), ctx.facts)))
                elif n not in reverse.pinned:  # the cotangent of its final elements is there from the start
                    copies.append(Assign(bar(n), own_seed(ctx, n, "%_bar")))
        copies += [Assign(first, Var(n)) for n in ctx.bars if (first := self.first_array(ctx, n)) != n]
        return copies

    def results(
        self, ctx: Context, reverse: Reverse, wrt: tuple[str, ...], state: State, whole: bool = True
    ) -> tuple[list[Expr], list[Stmt]]:
        """The cotangents that are returned: full, owned, in the structure of the parameters.

        whole: of an entry function, not of a helper, whose callers read the parts that may reach its results.
        """
        asked = ctx.activity.active | (frozenset() if whole else self.calls.reaching(self.calls.active[-1]))
        given: list[Expr] = []
        final: list[Stmt] = []
        seen: set[Expr] = set()
        whole_of: dict[str, Expr] = {}
        for name in wrt:
            meant = read(name)
            assert meant is not None
            parts = leaves(ctx.function, ctx.facts, name)
            inside = [x for x in parts if x in asked]
            if parts == [meant.part]:
                if meant.part not in whole_of:
                    whole_of[meant.part] = self.result(ctx, reverse, meant.part, state, seen)
                e = whole_of[meant.part]
                before = [m for n in wrt[: wrt.index(name)] if (m := read(n)) is not None]
                alone = not meant.path or all(map(meant.is_apart, before))  # no two results share memory
                given.append(meant.of(e) if alone else algebra.op(algebra.MULTIPLY, ONE, meant.of(e)))
            elif meant.path:
                raise S2SError(Diagnostic("S402", f"`{meant.part}` is no array: `{name}` has no meaning"))
            else:
                pairs = [(x, self.result(ctx, reverse, x, state, seen, whole)) for x in inside]
                given.append(self.structure(ctx.function, meant.part, pairs, whole))
        return given, final

    def structure(self, f: ir.Function, name: str, pairs: list[tuple[str, Expr]], whole: bool) -> Expr:
        """The parts of a parameter in its structure; `whole`: as an object of its class, where that can be made."""
        made = {path: (cls, names) for path, cls, names in f.classes if cls} if whole else {}

        def classed(e: Expr, path: str) -> Expr:
            if not isinstance(e, ir.Dict):
                return e
            given = {
                str(k.value): classed(v, ir.part_name(path, k.value))
                for k, v in zip(e.keys, e.values, strict=True)
                if isinstance(k, Const)
            }
            if path not in made:
                return replace(e, values=tuple(given.values()))
            cls, names = made[path]
            return ir.Dict(tuple(Const(ir.Attr(n)) for n in names), tuple(given.get(n, ir.NONE) for n in names), cls)

        return classed(display_of([(ir.keys_of(x)[len(ir.keys_of(name)) :], e) for x, e in pairs]), name)

    def result(
        self, ctx: Context, reverse: Reverse, name: str, state: State, seen: set[Expr], fixed: bool = True
    ) -> Expr:
        """The cotangent of a parameter or a part of one. fixed: a tuple is one; else a list, as callers add to it."""
        e = self.own_result(ctx, reverse, name, state, seen)
        if not fixed and isinstance(e, Op) and e.fn == "builtins.tuple":
            return e.args[0]
        is_star = any(p.name == name and p.kind == "star" for p in ctx.function.params)
        return Op("builtins.tuple", (e,)) if is_star else e

    def own_result(self, ctx: Context, reverse: Reverse, name: str, state: State, seen: set[Expr]) -> Expr:
        full = ctx.facts.shape(Var(name))
        if reverse.shadows((name,)):
            return Var(bar(name))
        a = state.get(name, Adjoint(ZERO, SCALAR, True))
        expr = a.expr
        if name in reverse.survey.containers:
            zeros = reverse.zeros(name)
            return zeros if isinstance(expr, Const) else expr if a.owned else Op("helper._added", (zeros, expr))
        if ctx.facts.of(Var(name)).kind == "list":
            return expr if not isinstance(expr, Const) else reverse.zeros(name)
        if ctx.facts.of(Var(name)).kind in ("dict", "tuple"):
            if isinstance(expr, Const):
                return reverse.zeros(name)
            if not a.owned:
                return Forward(ctx).copied(expr, ctx.facts.of(Var(name)))
            return expr if ctx.facts.of(Var(name)).kind == "dict" else Op("builtins.tuple", (expr,))
        if a.shape != full:
            if expr == ZERO:
                return reverse.zeros(name)
            return reverse.spread(expr, full, Var(name))
        if isinstance(expr, Const):
            return Const(float(expr.value))
        whole = isinstance(expr, Var) and expr.name in reverse.whole_numbers
        if full == SCALAR and a.owned and not whole:
            return expr
        if not a.owned or expr in seen or full == SCALAR:
            return algebra.op(algebra.MULTIPLY, ONE, expr)
        seen.add(expr)
        return expr

    def seed_guard(self, ctx: Context, value: str, out_bar: str) -> list[Stmt]:
        """The cotangent has the structure of the result, and its parts have the shapes of theirs."""
        returned = [s.value for s in ir.statements(ctx.function.body) if isinstance(s, ir.Return)]
        out: list[Stmt] = []

        def items(parts: list[tuple[Expr, ...]], seed: Expr, value: Expr) -> None:
            out.append(ir.Inert("assert", (equals(call("builtins.len", seed), Const(len(parts[0]))),)))
            for i, each in enumerate(zip(*parts, strict=True)):
                guard(list(each), ir.Index(seed, Const(i)), ir.Index(value, Const(i)))

        def guard(results: list[Expr], seed: Expr, value: Expr) -> None:
            facts_ = [ctx.facts.of(e) for e in results]
            first = results[0]
            if isinstance(first, ir.Dict) and not first.is_object:
                if all(isinstance(e, ir.Dict) and e.keys == first.keys for e in results):
                    for i, key in enumerate(first.keys):
                        parts = [e.values[i] for e in results if isinstance(e, ir.Dict)]
                        guard(parts, ir.Index(seed, key), ir.Index(value, key))
            elif isinstance(first, ir.Sequence):
                if all(isinstance(e, ir.Sequence) and len(e.items) == len(first.items) for e in results):
                    items([e.items for e in results if isinstance(e, ir.Sequence)], seed, value)
            elif not any(v.name in ctx.activity.active for e in results for v in activity.operands(e)):
                return
            elif any(isinstance(e, Var) and e.name in survey(ctx).containers for e in results):
                return  # its cotangent is added to zeros, item by item, in its structure
            elif all(f.kind == "tuple" and len(f.items) == len(facts_[0].items) for f in facts_) and facts_[0].items:
                items([tuple(ir.Index(e, Const(i)) for i in range(len(facts_[0].items))) for e in results], seed, value)
            elif have_shapes(facts_):
                out.append(_same_shape(seed, value))
            elif all(f.keyed for f in facts_):
                out.append(ir.Inert("assert", (equals(method("keys", seed), method("keys", value)),)))
                if have_shapes(f.elem for f in facts_):
                    b, v = (call("numpy.shape", ir.Index(e, Var("k"))) for e in (seed, value))
                    each = ir.Comprehension(equals(b, v), ((Var("k"), value, ()),), "generator")
                    out.append(ir.Inert("assert", (call("builtins.all", each),)))
            elif all(f.kind == "list" for f in facts_):
                out.append(_same_length(seed, value))
                if have_shapes(f.elem for f in facts_):
                    shapes = equals(call("numpy.shape", Var("b")), call("numpy.shape", Var("v")))
                    pairs = ir.Sequence((Var("b"), Var("v"))), call("builtins.zip", seed, value), ()
                    each = ir.Comprehension(shapes, (pairs,), "generator")
                    out.append(ir.Inert("assert", (call("builtins.all", each),)))

        if returned:
            guard(returned, Var(out_bar), Var(value))
        return out

    # ------------------------------------------------------------------ helpers
    def unread(self, helpers: list[ir.Function]) -> LeftOut:
        """The parameters that helpers write into and their derivatives do not read.

        What is not handed over need not be saved for that: the output buffer of a helper, most of all.
        """
        of = {h.name: h for h in helpers}
        found: LeftOut = {}
        for key, w in self.calls.wanted.items():
            body = of[w.name].body if w.name in of else ()
            read = {n for s in ir.statements(body) for e in ir.expressions(s) for n in ir.reads(e)}
            names = frozenset(w.written) - read - {n for s in ir.statements(body) for n in ir.binds(s)}
            if w.mode == "rev" and w.name in of and names:  # a tangent is called with all arguments of its helper
                found[key] = names
        return found

    def stale(self, w: Wanted) -> bool:
        """Whether call sites have been added since the helper was derived."""
        return self.derived_from.get(w.name) != (len(w.requests), w.masked)

    def mark(self, w: Wanted) -> None:
        self.derived_from[w.name] = (len(w.requests), w.masked)

    def helper(self, w: Wanted, either: frozenset[ir.Origin] = frozenset()) -> ir.Function:
        """The derivative of a helper that some derivative calls."""
        prepared = self.calls.prepare(w.helper)
        f = prepared.function
        given = self.calls.joined(w)
        self.calls.active.append(w.helper)
        prepared, found, self.problems = self.calls.settled(w.helper, given, f.names, either=either)
        self.calls.active.pop()
        f = prepared.function
        out_bar = self.seed_name(prepared, "out_bar")
        plain = tuple(Param(p.name, p.annotation) for p in f.params if p.name not in w.left_out)
        self.calls.active.append(w.helper)
        try:
            if w.mode == "grad":
                self.require_scalar(f, found)
                ctx = self.context(prepared, found, w.active, {out_bar})
                body = self.reverse_body(ctx, w.active, ONE, "rev", out_bar)
                floats = float_guards(ctx, inside=True)
                kind = "Slope" if found.ndim(Var(w.active[0])) == 0 else "Gradient"
                doc, params = f"{kind} of {f.name}({', '.join(f.names)}) in {_listed(w.active)}.", plain
            elif w.mode == "rev":
                bars = {n: self.free(prepared, f"{n}_bar") for n in w.given_bars}
                ctx = self.context(prepared, found, w.active, {out_bar, *bars.values()}, w.written)
                ctx.masked_seed, ctx.called = w.masked, True
                body = self.reverse_body(ctx, w.active, Var(out_bar), "rev", out_bar, bars)
                held = survey(ctx).containers - self.calls.takes(w.helper)[0]
                self.lists |= {(w.helper, p) for p in w.increments if p in held}
                floats = float_guards(ctx, inside=True)
                floats += numbers_lost(ctx, bars, body)
                doc = self.reverse_docstring(w, f, list(bars.values()))
                seeds = [*bars.values(), *([out_bar] if self.calls.has_result(w.helper) else [])]
                params = (*plain, *map(Param, seeds))
            else:
                dots = {n: self.free(prepared, f"{n}_dot") for n in w.active}
                ctx = self.context(prepared, found, w.active, set(dots.values()), w.written, forward=True)
                body = self.forward_body(ctx, w.active, dots, in_place=True)
                floats = float_guards(ctx, dots, inside=True)
                plural = "s" if len(dots) > 1 else ""
                call = f"{f.name}({', '.join(f.names)})"
                doc = f"Value of {call} and its tangent, from the tangent{plural} of {_listed(w.active)}."
                params = (*plain, *(Param(d) for d in dots.values()))
        except S2SError as fault:
            if w.mode == "jvp" and not either:
                either = updates.of_either_kind(f, found, self.calls, fault.diagnostics)
            else:
                either = frozenset()
            if either:
                with contextlib.suppress(S2SError):
                    return self.helper(w, either)
            raise self.source.placed(w.helper, fault) from None
        finally:
            self.calls.active.pop()
        found.numbers |= updates.numbers_in_lists(f, found, self.calls)
        found.numbers |= updates.numbers_in_helpers(f, found, self.calls)
        guards = guard_statements(f, found, {}, {}, ctx.optional) + array_guards(ctx, w.mode == "jvp") + floats
        guards += self.operand_guards(ctx, {}, ())
        guards += key_guards(ctx, w.active) + join_guards(ctx)
        guards += one_shape_guards(ctx) if w.mode != "jvp" else []
        body = without_none(body if guards else _without_blank(body))
        return ir.Function(w.name, with_classes(params, body), (*guards, *body), doc)

    def reverse_docstring(self, w: Wanted, f: ir.Function, bars: list[str]) -> str:
        """What the reverse of a helper gives; `bars` are the cotangents that it changes in place."""
        call = f"{f.name}({', '.join(f.names)})"
        found = w.increments if bars else w.active
        writes = self.calls.writes(w.helper)
        added = tuple(p for p in w.given_bars if p not in writes)
        into = _listed(tuple(b for p, b in zip(w.given_bars, bars, strict=True) if p in added)) if bars else ""
        changed = tuple(b for p, b in zip(w.given_bars, bars, strict=True) if p not in added) if bars else ()
        if added and not found and not changed:
            doc = f"Adds to {into} what {call} contributes, from the cotangent of its result"
            return doc + "."
        doc = f"Cotangent{'s'[: len(found) > 1]} of {_listed(found)} in {call}" if found else f"Reverse of {call}"
        if self.calls.has_result(w.helper):
            doc += f", from {'that' if found else 'the cotangent'} of its result"
        if changed:
            one = len(changed) == 1
            doc += f"; {_listed(changed)} become{'s'[:one]} {'that' if one else 'those'} before the call"
        return doc + (f"; what it contributes to {_listed(added)} is added to {into}." if added else ".")

    def primal(self, name: str) -> ir.Function:
        """A function that the frontend has made, as it is printed.

        Each `x += e` is printed as it was written, which is right for arrays and for numbers.
        """
        every = ir.statements(self.calls.prepare(name).function.body)
        in_place = frozenset(s.origin for s in every if s.origin is not None and handing.is_update(s))
        prepared = self.calls.prepare(name, in_place)
        f = prepared.function
        found = facts.collect(f, self.calls.constants(f), self.calls)
        ctx = self.context(prepared, found, (), set())
        body = tuple(Primal(ctx).block(f.body))
        body = self.finish(ctx, body, {n: n for n in f.names}, {}, self.seen_at_end(ctx))
        return replace(f, name=name, body=tuple(without_none(body)), origin=None)

    # ------------------------------------------------------------------ clean-up
    def finish(
        self,
        ctx: Context,
        body: Block,
        fixed: dict[str, str],
        base: dict[str, str],
        at_end: frozenset[str] = frozenset(),
    ) -> Block:
        wishes = dict(ctx.base)
        user = _all_names(ctx.function) | set(ctx.base.values())
        for s in ir.statements(body):
            for name in ir.binds(s):
                if "%" in name:
                    stem, _, suffix = name.partition("%")
                    wish = ctx.base.get(stem, stem)
                    wish = entry_name(wish)
                    wish += suffix
                    while wish in user or wish in self.user_names:
                        wish += "_"
                    wishes.setdefault(name, wish)
        for name in sorted(ctx.promoted):
            given = ctx.promoted_name(name)
            wishes[name] = ctx.names.wishes.get(given, given)
        copies: dict[str, list[str]] = {}
        firsts: set[str] = set()
        bound_before: set[str] = set()
        for s in ir.statements(body):
            for name in ir.binds(s):
                if name in ctx.names.wishes and "%" not in name:
                    wishes.setdefault(name, ctx.names.wishes[name])
                if isinstance(s, ir.Assign) and isinstance(s.value, Var) and name.endswith("%_bar"):
                    copies.setdefault(s.value.name, []).append(name)
                    firsts |= {name} - bound_before
                bound_before.add(name)
        for made, of in copies.items():  # b_bar = solution: what it is named for is named so at once
            if made in ctx.names.wishes and "%" not in made and len(of) == 1 and of[0] in firsts:
                wishes[made] = wishes[of[0]]
        wishes.update(base)
        items = frozenset(bar(i.target) for h in ctx.headers.values() for i in h.items)
        return self.clean(
            body,
            wishes,
            fixed,
            user | self.user_names | self.calls.taken | set(fixed.values()),
            self.keep,
            items,
            {h.index: h for h in ctx.headers.values()},
            seen(ctx, at_end, body),
        )

    # ------------------------------------------------------------------ words
    def operand_guards(self, ctx: Context, kinds: dict[str, str], names: Iterable[str]) -> list[Stmt]:
        """Guards: what meets active values is no object to which their operators mean something else."""
        found = dense_guards(ctx, kinds, names) if self.calls.source.uses_sparse else []
        marks = self.calls.source.operator_marks()
        return found + (plain_guards(ctx, kinds, names, marks) if marks else [])

    def docstring(
        self,
        want: Selected,
        f: ir.Function,
        found: Facts,
        wrt: tuple[str, ...],
        emit: str,
        out_bar: str,
        dots: dict[str, str],
    ) -> str:
        structure = ""
        if len(wrt) == 1 and (inside := entries(f, wrt[0])):
            keys = list(dict.fromkeys(ir.keys_of(x)[0] for x in inside))
            kind = "an object with attributes" if isinstance(keys[0], ir.Attr) else "a dict with keys"
            structure = f": {kind} {', '.join(keys)}"
        what = _listed(wrt)
        match emit:
            case "hvp":
                seeds = _listed(tuple(dots.values()))
                first = f"Product of the Hessian of {want.primal} with respect to {what} and {seeds}."
                rest = _paragraphs_behind(f.docstring)
                return "\n".join([first, *([""] if rest else []), *rest])
            case "grad":
                first = f"Gradient of {f.name} with respect to {what}{structure}."
            case "value_and_grad":
                first = f"Value of {f.name} and its gradient with respect to {what}{structure}."
            case "vjp":
                plural = "s" if len(wrt) > 1 else ""
                first = f"Value of {f.name}, and the cotangent{plural} of {what}{structure}."
                if want.of:
                    finals = f"Final {', '.join(want.of)} of {f.name}"
                    first = f"{finals}, and the cotangent{plural} of the initial {what}{structure}."
            case _ if want.of:
                finals = f"Final {', '.join(want.of)} of {f.name}"
                first = (
                    f"{finals}, and the tangent, from the tangent{'s' if len(wrt) > 1 else ''} of {what}{structure}."
                )
            case _:
                plural = "s" if len(wrt) > 1 else ""
                first = f"Value of {f.name} and its tangent, from the tangent{plural} of {what}{structure}."
        lines = _paragraph(f.docstring)
        if emit == "vjp":
            if want.of:
                bars = ", ".join(self.free(self.calls.prepare(want.name), f"{n}_bar") for n in want.of)
                several = len(want.of) > 1
                what = "the cotangents of the final contents" if several else f"the cotangent of the final {want.of[0]}"
                lines.append(f"{bars}: {what}. No argument is modified.")
            if not want.of or self.calls.has_result(want.name):
                lines.append(f"{out_bar}: cotangent of the result.")
        if emit == "jvp":
            lines.append(f"{', '.join(dots.values())}: the tangent{'s' if len(dots) > 1 else ''}.")
        if emit != "jvp" and any(not found.is_real(Var(n)) for n in wrt):
            lines.append("Of a complex z: dL/dRe(z) + 1j dL/dIm(z), as in PyTorch.")
        annotated = {p.name for p in f.params if p.annotation}
        stated = [
            f"{entry_name(n)} ({', '.join(d)}{',' if len(d) == 1 else ''})"
            for n, d in want.shapes.items()
            if d and want.kinds.get(n) != "float" and not (n in annotated and {*d} == {"_"})
        ]
        if stated:
            lines.append(f"Shapes: {', '.join(stated)}.")
        return "\n".join([first, *([""] if lines else []), *lines])


def _leaves(block: list[Stmt]) -> bool:
    """Whether sweeps end in a return, which one branch of an early exit may have written as `if` and what follows."""
    last = next((s for s in reversed(block) if not isinstance(s, Comment)), None)
    if isinstance(last, ir.If):
        return _leaves(list(last.body)) and _leaves(list(last.orelse))
    return isinstance(last, ir.Return) or (isinstance(last, ir.Inert) and last.keyword == "raise")


def asserted_numbers(
    f: ir.Function, guarded: Collection[str], headers: dict[int, Header]
) -> tuple[ir.Function, dict[int, Header]]:
    """The function with an assertion behind each binding of a name that is taken for a number."""
    if not guarded:
        return f, headers

    def steps(s: Stmt) -> Iterator[Stmt]:
        yield s
        for name in ir.binds(s) if isinstance(s, Assign | ir.Unpack) else ():
            if name in guarded:
                yield ir.Inert("assert", (Op("numpy.isscalar", (Var(name),)),), s.origin)

    return loops.rewritten(f, headers, steps)


def asserted_entries(ctx: Context, unsure: Collection[Stmt]) -> tuple[ir.Function, dict[int, Header]]:
    """The function with `assert key in d` before each of these stores: see `Context.unsure_entries`."""
    stores = {id(s) for s in unsure}

    def steps(s: Stmt) -> Iterator[Stmt]:
        place = ctx.tree(s.target) if isinstance(s, ir.Store) and id(s) in stores else None
        if isinstance(place, ir.Index):
            key = place.key.args[0] if isinstance(place.key, Op) and ir.is_entry(place) else place.key
            is_there = Op("operator.in", (key, place.array), form=ir.Form.OPERATOR)
            yield ir.Inert("assert", (is_there,), s.origin)
        yield s

    return loops.rewritten(ctx.function, ctx.headers, steps)


def asserted_ranks(
    f: ir.Function, facts: Facts, active: Activity, headers: dict[int, Header]
) -> tuple[ir.Function, dict[int, Header]]:
    """The function with an assertion before each call whose rule takes an argument to be a vector or a matrix, where
    that follows from no rank of a parameter."""
    computed = arrays_of_computed(f)

    def steps(s: Stmt) -> Iterator[Stmt]:
        for n in ir.nodes(s) if isinstance(s, Assign | ir.Unpack | ir.Return | ir.Store | ir.Append) else ():
            for e, rank in ranked(n):
                unknown_ = facts.ndim(e) is None and not facts.is_list(e) and e not in computed
                if unknown_ and active.active & ir.reads(e):
                    yield ir.Inert("assert", (equals(Op("numpy.ndim", (e,)), Const(rank)),), s.origin)
        yield s

    return loops.rewritten(f, headers, steps)


def arrays_of_computed(f: ir.Function) -> set[Expr]:
    """The arrays that are made of a list of what NumPy has computed: their items are numbers where `max` of that list
    has run, which raises of arrays. Of items that are only moved into such a list, lists may be some."""
    made: dict[str, list[Expr]] = {}
    put: dict[str, list[Expr]] = {}
    for s in ir.statements(f.body):
        match s:
            case Assign(target=name, value=value):
                made.setdefault(name, []).append(value)
            case ir.Append(array=name, value=value):
                put.setdefault(name, []).append(value)

    def is_computed(e: Expr) -> bool:
        values = made.get(e.name, []) if isinstance(e, Var) else [e]
        return bool(values) and all(isinstance(v, Op) and v.fn.startswith(("numpy.", "math.")) for v in values)

    return {
        Var(name)
        for name, values in made.items()
        if all(
            isinstance(v, Op)
            and v.fn == "numpy.array"
            and isinstance(of := v.args[0], Var)
            and of.name in put
            and all(map(is_computed, put[of.name]))
            for v in values
        )
    }


def numbers_lost(ctx: Context, bars: Mapping[str, str], body: Iterable[Stmt]) -> list[Stmt]:
    """Guards of cotangents that are changed in place: what is added to a number, under another name or in a list, only
    binds that anew, and the caller does not see it."""
    facts, every = ctx.facts, list(ir.statements(tuple(body)))
    nodes = [n for s in every for n in ir.nodes(s)]
    parts = {id(n.array) for n in nodes if isinstance(n, ir.Index)}  # a number has none: that fails by itself
    whole = {n.name for n in nodes if isinstance(n, Var) and id(n) not in parts}
    open_ = [n for n in bars if facts.of(Var(n)).kind in ("any", "float") and not facts.is_array(Var(n))]
    guards = (asserted_array(Var(bars[n])) for n in open_ if bars[n] in whole and n not in facts.arrays)
    said = {s.values for s in every if isinstance(s, ir.Inert) and s.keyword == "assert"}
    return [g for g in guards if isinstance(g, ir.Inert) and g.values not in said]


def number_or_view(name: str, value: Expr, origin: ir.Origin | None, facts: Facts) -> Diagnostic:
    message = f"`{name}` is a number or a view, and the array that it is taken from is written before `{name}` is read"
    label, help_ = "its rank is not known", ["state it: `# s2s: x (n,)`"]
    if isinstance(value, ir.Index):
        open_ = sorted(n for k in ir.key_items(value.key) for n in ir.reads(k) if facts.of(Var(n)).kind == "any")
        if open_ and facts.shape(value.array).rank is not None:
            label, help_ = f"which depends on what `{open_[0]}` is", []
        help_ += [f"annotate the index: `{n}: int`" for n in open_ if n in facts.function.names]
    return Diagnostic("S237", message, origin.span if origin else None, label, tuple(help_))


def module_arrays(f: ir.Function, stored: Iterable[str]) -> list[Diagnostic]:
    """Names of the module among those whose elements a function writes, under another name or by a helper."""
    own = {*f.names, *(n for s in ir.statements(f.body) for n in ir.binds(s))}
    out: list[Diagnostic] = []
    for name in sorted(n for n in stored if ir.root_name(n) not in own):
        reads = (s for s in ir.statements(f.body) if any(name in ir.reads(e) for e in ir.expressions(s)))
        first = next(reads, None)
        if first is None:  # a variable of a comprehension: `derive.checks` refuses what is called there
            continue
        read = (n for n in ir.nodes(first) if isinstance(n, ir.Attribute) and n.value == Var(ir.ITSELF))
        shown = next((n.name for n in read), name) if name == ir.ITSELF else name
        message = f"`{shown}` of the module would be written into under another name, or by a helper"
        help_ = ("write into a copy: `np.copy(...)`", "or pass it as an argument")
        span = first.origin.span if first.origin else None
        out.append(Diagnostic("S201", message, span, "this changes what lives on behind the call", help_))
    return out


def not_followed(prepared: Prepared, name: str, other: str, value: Expr, origin: ir.Origin | None) -> Diagnostic:
    base = prepared.base
    span = origin.span if origin else None
    if isinstance(value, Op) and value.fn.startswith("local."):
        message = f"parts of what `{value.fn[6:]}` returns may share memory, and one of them is written"
        help_ = (
            "return a copy of one of them: `np.copy(...)`",
            "or take the part here, from the array that is written",
        )
        return Diagnostic("S242", message, span, "how they hang together is not followed", help_)
    shown, other = base.get(name, name), base.get(other, other)
    its_own = shown in _all_names(prepared.original) and not re.fullmatch(r"t\d+", name)  # a value without a name
    who = f"`{shown}`" if its_own and shown != other else "this"
    message = (
        f"{who} may share memory with `{other}`, one of them is written, and how they hang together is not followed"
    )
    label, copied = "a view of it that is not followed", "np.copy(...)"
    if isinstance(value, Op) and value.fn in aliases.READ_ONLY:
        label = f"`{ir.Printer().callee(value.fn)}` gives a read-only view of it"
        own = {n: base.get(n, n) for n in ir.reads(value)}
        named = not any(re.fullmatch(r"t\d+", o) for o in own.values())
        text = ir.Printer()(ir.substitute(value, {n: Var(o) for n, o in own.items()}))
        copied = f"{text if named else ir.Printer().callee(value.fn) + '(...)'}.copy()"
    help_ = (f"copy it where it is taken: `{copied}`", "or take it again where it is read")
    stores = (s for s in ir.statements(prepared.function.body) if isinstance(s, ir.Store))
    is_view = isinstance(value, Op) and value.fn.startswith("numpy.") and value.fn not in aliases.READ_ONLY
    if is_view and name in (ir.written_name(s.target) for s in stores):
        help_ = (f"write into `{other}` itself, by subscripts: `{other}[i, i] = v`", "or make it of its parts, at once")
    return Diagnostic("S242", message, span, label, help_)


def seen(ctx: Context, at_end: frozenset[str], body: Block) -> Seen:
    """Names through which the elements of a written buffer can be seen: their tangents, what saves them, and the
    names of the sweeps for views of it, `a_bar = M.T[i]`."""
    out: dict[str, frozenset[str]] = {}
    for representative, members in ctx.aliases.members.items():
        seers = members | {n for n, of in ctx.aliases.parts.items() if of == representative}
        out |= dict.fromkeys(seers, frozenset(seers | ctx.holders.get(representative, set())))
        for suffix in ("%_dot", "%_bar") if representative in ctx.aliases.dynamic else ("%_dot",):
            adjoints = frozenset(n + suffix for n in members)
            out |= dict.fromkeys(adjoints, adjoints | ctx.holders.get(representative + suffix, set()))
    given = {n for n in ctx.function.names if not ctx.facts.is_scalar(Var(n))}
    for suffix in ("", "%_dot"):  # an array may be given to a helper for two parameters, of which one is written
        written = {n for n in at_end if n == n.partition("%")[0] + suffix}
        if written:
            names = written | {n + suffix for n in given}
            group = frozenset().union(*(out.get(n, {n}) for n in names))
            out |= {n: out.get(n, frozenset()) | group for n in group}
    for s in ir.statements(body):
        if isinstance(s, Assign) and s.origin is None and s.target not in out and rules.may_alias(s.value):
            group = frozenset().union(*(out.get(n, frozenset()) for n in ir.reads(s.value)))
            if group and not ctx.facts.is_scalar(s.value):
                out |= {n: out.get(n, frozenset()) | group | {s.target} for n in (*group, s.target)}
    calls = ctx.calls
    effects = {f"local.{n}" for n, written in calls.writers.items() if written}
    effects |= {f"local.{w.name}" for w in calls.wanted.values() if w.written or calls.runs_once(w.helper)}
    effects |= {f"local.{n}" for n, *_ in calls.prepared if calls.runs_once(n)}
    writers = {
        f"local.{n}": (calls.prepare(n).function.names.index(p), p)
        for n, written in calls.writers.items()
        if len(written) == 1 and not calls.runs_once(n)
        for p in written
    }
    keyed = {n: nothing(fact.elem) for n, fact in ctx.facts.names.items() if fact.keyed and fact.elem is not None}
    absent = keyed | {f"{n}%_bar": e for n, e in keyed.items()}
    arrays = [n for n, fact in ctx.facts.names.items() if fact.kind not in aliases.CONTAINERS]
    plain = frozenset([*arrays, *(f"{n}%_bar" for n in arrays)])
    return Seen(out, at_end, frozenset(effects), frozenset(ctx.facts.proofs), writers, absent, plain)


def _text(s: Stmt) -> str:
    return "\n".join(ir.print_block((s,))).replace("'", '"')


def _is_assert(s: Stmt) -> bool:
    return isinstance(s, ir.Inert) and s.keyword == "assert"


def _without_blank(body: list[Stmt]) -> list[Stmt]:
    """No blank line between the docstring and the first title."""
    first = body[0] if body else None
    if isinstance(first, Comment) and first.lines[:1] == ("",):
        return [replace(first, lines=first.lines[1:]), *body[1:]]
    return body


def facts_text(ctx: Context) -> str:
    """What is known of each variable and temporary, as a Python dict: kind, shape, whether it carries a derivative."""

    def shape(s: Shape) -> str:
        if s.over:
            return "broadcast of " + ", ".join(sorted(map(shape, s.over)))
        dims = [str(d) for d in s.dims]
        if s.tail is not None:
            dims.append(f"*shape({s.tail[0]})" + (f"[{s.tail[1]}:]" if s.tail[1] else ""))
        return f"({', '.join(dims)}{',' if len(dims) == 1 else ''})"

    lines = [f"facts_of_{ctx.function.name} = {{"]
    for name, fact in ctx.facts.names.items():
        if name.startswith("@"):  # a constant of another module
            continue
        active = ", active" if name in ctx.activity.active else ""
        known = shape(ctx.facts.shapes(fact.shape)) if fact.kind in ("float", "int", "bool", "any") else ""
        lines.append(f"    {json.dumps(name)}: {json.dumps(f'{fact.kind} {known}'.strip() + active)},")
    return "\n".join([*lines, "}"])


def without_none(body: Iterable[Stmt]) -> list[Stmt]:
    """The body of a function that returns nothing, without saying so at its end."""
    out = list(body)
    returns = [s for s in ir.statements(tuple(out)) if isinstance(s, ir.Return)]
    if any(s.value != ir.NONE for s in returns):
        return out

    def plain(block: Block) -> Block:
        return tuple(
            ir.Inert("return", (), s.origin) if isinstance(s, ir.Return) else ir.with_blocks(s, plain) for s in block
        )

    if len(out) > 1 and isinstance(out[-1], ir.Return):
        del out[-1]
    return list(plain(tuple(out)))


def _paragraph(docstring: str) -> list[str]:
    """The first paragraph of the user's docstring."""
    import inspect

    text = inspect.cleandoc(docstring) if docstring else ""
    return text.split("\n\n")[0].splitlines() if text else []


def _paragraphs_behind(docstring: str) -> list[str]:
    """All but the first paragraph of the docstring of a derivative."""
    import inspect

    return inspect.cleandoc(docstring).partition("\n\n")[2].splitlines()


def with_classes(params: Iterable[Param], body: Iterable[Stmt]) -> tuple[Param, ...]:
    """Parameters of a method's derivative, annotated with the class that it asks for: `assert type(self).m is C.m`."""
    found: dict[str, set[str]] = {}
    for e in (e for s in body if isinstance(s, ir.Inert) and s.keyword == "assert" for e in ir.nodes(s)):
        match e:
            case Op(
                fn="operator.is",
                args=(
                    ir.Attribute(value=Op(fn="builtins.type", args=(Var(name=name),)), name=own),
                    ir.Attribute(value=cls, name=other),
                ),
            ) if own == other and not any(n.startswith("@") for n in ir.reads(cls)):  # which has its name in the output
                found.setdefault(name, set()).add(ir.Printer()(cls))
    known = {name: min(classes) for name, classes in found.items() if len(classes) == 1}
    return tuple(replace(p, annotation=p.annotation or known.get(p.name, "")) for p in params)


def _listed(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"({', '.join(names)})"


def _keyword(params: list[Param], extra: list[Param]) -> list[Param]:
    """Keyword parameters more: `**options` stays the last."""
    last = [p for p in params if p.kind == "double star"]
    return [*(p for p in params if p not in last), *extra, *last]


def _all_names(f: ir.Function) -> set[str]:
    found = {f.name, *f.names}
    for s in ir.statements(f.body):
        found.update(ir.binds(s))
        for e in ir.expressions(s):
            found |= ir.reads(e)
    return found


def _always_returns(block: Block) -> bool:
    if not block:
        return False
    last = block[-1]
    match last:
        case ir.Return():
            return True
        case ir.Inert(keyword="raise"):
            return True
        case ir.If():
            return _always_returns(last.body) and _always_returns(last.orelse)
    return False


def call(fn: str, *args: Expr) -> Op:
    return Op(fn, args)


def shared_zeros(e: Expr, fact: Fact | None, facts: Facts, depth: int = 0) -> Expr:
    """Zeros for what is written into, which all names see that are added to: numbers in a list are arrays of rank 0.
    Those in an object are numbers: it is the object that the names see."""
    if fact is not None and fact.is_object and fact.keys:
        return zero_structure(e, fact, facts, depth)
    if fact is not None and is_dict_of_floats(fact):
        return keyed_zeros(e, lambda _: ZERO)
    if fact is None or fact.kind not in ("list", "tuple"):
        dtype = (("dtype", Op("numpy.result_type", (e, ZERO))),) if depth else ()
        return Op("numpy.zeros_like", (e,), dtype)
    v = Var(f"v{depth or ''}")
    zeros = shared_zeros(v, fact.elem, facts, depth + 1)
    return ir.Comprehension(zeros, ((v if v.name in ir.reads(zeros) else Var("_"), e, ()),))


def own_seed(ctx: Context, name: str, suffix: str) -> Expr:
    """A copy of the cotangent of an array, in the dtype of that where it is complex, and where single items are
    written: into a cotangent of integers they would go without their fraction, unseen."""
    seed = Var(name + suffix)
    if ctx.facts.is_real(Var(name)):
        stores = [s.target for s in ir.statements(ctx.function.body) if isinstance(s, ir.Store)]
        if all(ctx.facts.shapes.has_axis(ctx.facts.shape(target)) for target in stores):
            return method("copy", seed)
    return Op("numpy.astype", (seed, ir.Attribute(Var(name), "dtype")), form=ir.Form.METHOD, spelling="astype")


def seed_fact(ctx: Context) -> Fact:
    """What is known of the cotangent of the result: complex where the result is, but of any dtype."""

    def known(fact: Fact) -> Fact:
        number = REAL if fact.number == REAL else EITHER
        elem = fact.elem and known(fact.elem)
        return replace(fact, number=number, items=tuple(map(known, fact.items)), elem=elem, length=None)

    out: Fact | None = None
    for s in ir.statements(ctx.function.body):
        if isinstance(s, ir.Return) and s.value != ir.NONE:
            fact = ctx.facts.of(s.value)
            out = fact if out is None else facts.join(out, fact, "?seed", ctx.facts.shapes)
    return known(out) if out is not None else Fact("any", unknown("?seed"))


def complex_guards(ctx: Context, kinds: dict[str, str]) -> list[Stmt]:
    """Where complex numbers take part, or may be meant: arrays that were stated to be complex, whose dtype is that of
    their cotangents, and parameters that were not, which are taken for real."""
    called = (ctx.calls.prepare(n).function for n in sorted(ctx.calls.called_from(ctx.function.name)))
    if not ctx.facts.complex and not any(map(is_for_complex, (ctx.function, *called))):
        return []
    tests: list[Expr] = []
    there = asserted.stated_numbers(ctx.function)
    f = ctx.function
    calculated = calculated_with(f)
    for n in (x for name in f.names for x in entries(f, name) or [name]):
        fact = ctx.facts.of(Var(n))
        if n in there or not {n, ir.root_name(n)} & calculated:
            continue
        if fact.number == COMPLEX:
            tests.append(call("numpy.iscomplexobj", Var(n)))
        elif fact.kind in ("any", "float") and fact.number == REAL and kinds.get(n) != "float":
            tests.append(each_real(ctx, n) if n in ctx.facts.open else call("numpy.isrealobj", Var(n)))
    return [ir.Inert("assert", (test,)) for test in _lines(tests)]


def each_real(ctx: Context, name: str) -> Op:
    """That the items of a tuple are real, of which each has a shape of its own: it is no array."""
    v = Var(ctx.names.fresh("v", "item"))
    return call("builtins.all", ir.Comprehension(call("numpy.isrealobj", v), ((v, Var(name), ()),), "generator"))


def calculated_with(f: ir.Function) -> set[str]:
    """The names that are read otherwise than as keys, as lengths of loops, or to be compared with a text: of those, a
    complex number would raise."""
    found: set[str] = set()

    def visit(e: Expr) -> None:
        match e:
            case ir.Index(array=array):
                visit(array)
            case Op(fn="builtins.range"):
                pass
            case Op(fn="numpy.equal" | "numpy.not_equal", args=args) if any(
                isinstance(a, Const) and isinstance(a.value, str) for a in args
            ):
                pass
            case Var() | ir.Raw():
                found.update(ir.reads(e))
            case _:
                for c in ir.children(e):
                    visit(c)

    for s in ir.statements(f.body):
        for e in ir.expressions(s):
            visit(e)
        found.update({ir.written_name(s.target)} if isinstance(s, ir.Store) else ())
    return found


def dense_guards(ctx: Context, kinds: dict[str, str], names: Iterable[str]) -> list[Stmt]:
    """In a module that knows sparse matrices, a parameter that may be one, and that `*` or a helper takes: the `*` of
    scipy.sparse's matrix classes is the product of matrices.

    names: the parameters to be asked; of others, only their attributes and entries are.
    """
    read: set[str] = set()
    for s in ir.statements(ctx.function.body):
        for n in ir.nodes(s):
            if isinstance(n, Op) and (n.fn == "numpy.multiply" or n.fn.startswith("local.")):
                read |= {a.name for a in n.args if isinstance(a, Var)}
    found = [n for n in open_operands(ctx, kinds, names, read, (None, 2)) if n not in ctx.activity.active]
    return without_attribute(found, "tocsr", "of a sparse matrix, write @")


def plain_guards(ctx: Context, kinds: dict[str, str], names: Iterable[str], marks: Iterable[str]) -> list[Stmt]:
    """In a module whose classes have operators of their own, a parameter that may be an object of one, where an
    operator, `dot` or a helper takes it with an active value: what it does with that is not known.

    names: as of `dense_guards`. marks: the attributes that such objects have.
    """
    read: set[str] = set()
    for s in ir.statements(ctx.function.body):
        for n in ir.nodes(s):
            if not isinstance(n, Op) or not ctx.activity.depends(n):
                continue
            if n.form is ir.Form.OPERATOR or n.fn == "numpy.dot" or n.fn.startswith("local."):
                read |= {a.name for a in n.args if isinstance(a, Var)}
    found = open_operands(ctx, kinds, names, read, (None, 0))
    return [s for mark in marks for s in without_attribute(found, mark, "of an object, state its class")]


def open_operands(
    ctx: Context, kinds: dict[str, str], names: Iterable[str], read: set[str], ranks: Collection[int | None]
) -> list[str]:
    """Those of the names, and of the parts that are read, which may be arrays of these ranks or anything else."""
    found: list[str] = []
    for name in (*names, *(n for n in sorted(read) if ir.is_part(n))):
        fact = ctx.facts.of(Var(name))
        open_ = fact.kind == "any" and ctx.facts.shapes(fact.shape).rank in ranks and kinds.get(name) != "array"
        if name in read and open_:
            found.append(name)
    return found


def without_attribute(names: Iterable[str], attribute: str, advice: str) -> list[Stmt]:
    """Guards: none of the values has an attribute, as those of other classes do. advice: where one has."""
    named = Const(attribute, f'"{attribute}"')
    tests: list[Expr] = [Op("operator.not", (Op("builtins.hasattr", (Var(n), named)),)) for n in names]
    return [ir.Inert("assert", (test, Const(advice))) for test in _lines(tests)]


def same_layout(ctx: Context, name: str) -> Expr:
    """A copy of a parameter with its elements in the same order: a sum of them is then the same to the last bit."""
    same = list_copy(ctx, name, Var(name)) or copied(Var(name), ctx.facts.ndim(Var(name)) == 1)
    return unless_none(ctx, name, same)


def unless_none(ctx: Context, name: str, e: Expr) -> Expr:
    """What is made of a parameter, None where it is None."""
    if name not in ctx.optional:
        return e
    return Op("operator.ifexp", (is_none(Var(name)), ir.NONE, e), form=ir.Form.OPERATOR)


def list_copy(ctx: Context, name: str, value: Expr) -> Expr | None:
    """A copy of a parameter that is stated to be a list or a tuple, or of its tangent; None of any other one."""
    fact = ctx.facts.of(Var(name))
    if fact.kind == "tuple":
        return owned(value)  # a list, into whose items is written
    if fact.kind != "list" or fact.elem is None:
        return None
    if fact.elem.is_object and not of_floats(fact.elem):
        return Op("copy.deepcopy", (value,))
    if not is_list_of_numbers(fact, ctx.facts):
        return owned(value)
    return new_numbers(value, Var("v"), lambda e: Op("numpy.positive", (e,), form=ir.Form.OPERATOR))


def of_floats(fact: Fact) -> bool:
    """Whether the fields of an object are numbers and arrays, and no texts, counts or truth values."""
    return not fact.absent and all(
        of_floats(f) if f.is_object else f.kind not in NOT_DIFFERENTIABLE and not f.whole and not f.absent
        for f in fact.items
    )


def contiguous_guards(ctx: Context) -> list[Stmt]:
    """Whether np.reshape makes a view depends on the layout, which a copy of a parameter does not keep."""
    classes: set[str] = set()
    seen: set[str] = set()  # of a number NumPy makes a new array, of its copy, which is an array, it does not
    for s in ir.statements(ctx.function.body) if ctx.aliases.dynamic else ():
        if isinstance(s, Assign) and ctx.aliases.of.get(s.target) in ctx.aliases.dynamic:
            value = ctx.tree(s.value)
            if isinstance(value, Op) and value.fn in aliases.MAYBE_VIEWS:
                classes.add(ctx.aliases.of[s.target])
            if array_of_number(ctx, s, value, aliases.MAYBE_VIEWS) is not None:
                seen.add(ctx.aliases.of[s.target])
    inside = {n for n, of in ctx.aliases.of.items() if of in classes}
    if not inside:
        return []
    seen &= written_arrays(ctx)
    for s in reversed(list(ir.statements(ctx.function.body))):  # `x += e` keeps the layout, `x = x + e` need not
        if isinstance(s, Assign) and handing.is_update(s) and s.target in inside:
            inside |= ir.reads(ir.children(s.value)[0])
    names = [n for n in ctx.function.names if n in inside]
    tests = {n: _is_contiguous(ctx, n, ctx.aliases.of.get(n) in seen) for n in names}
    return [ir.Inert("assert", (test, Const(f"give np.ascontiguousarray({n})"))) for n, test in tests.items()]


def written_arrays(ctx: Context) -> set[str]:
    """The classes of names into whose arrays something is written, not only into slots of lists or objects."""
    found: set[str] = set()
    for s in ir.statements(ctx.function.body):
        if isinstance(s, ir.Store) and ctx.facts.of(s.target.array).kind not in aliases.CONTAINERS:
            found |= {ctx.aliases.of.get(ir.written_name(s.target), "")}
        for call_ in ir.helper_calls(*ir.expressions(s)):
            found |= {ctx.aliases.of.get(n, "") for e in ctx.calls.maybe_written(call_) for n in ir.reads(e)}
    return found


def _is_contiguous(ctx: Context, name: str, is_seen: bool) -> Expr:
    test = ir.Attribute(ir.Attribute(Var(name), "flags"), "c_contiguous")
    if ctx.facts.ndim(Var(name)) is not None:
        return test
    if is_seen:
        no_number = Op("operator.not", (call("numpy.isscalar", Var(name)),), form=ir.Form.OPERATOR)
        return Op("operator.and", (no_number, test), form=ir.Form.OPERATOR)
    return Op("operator.or", (call("numpy.isscalar", Var(name)), test), form=ir.Form.OPERATOR)


def array_guards(ctx: Context, forward: bool) -> list[Stmt]:
    """Parameters that were taken for arrays, since `x += e` writes into an array that has another name, since
    np.expand_dims makes a view of an array, and a copy of a number, or since the adjoint of a sum along an axis has
    that axis: NumPy sums a number along axis 0, too."""
    every = [s for s in ir.statements(ctx.function.body) if isinstance(s, Assign)]
    of = ctx.aliases.of
    viewed = {of[s.target] for s in every if array_of_number(ctx, s, s.value) is not None}
    ranks = {n: 0 for n in ctx.function.names if of.get(n) in viewed and not ctx.facts.is_array(Var(n))}
    ranks |= ctx.facts.arrays
    if not forward:
        ranks |= {n: k for n, k in reduced_axes(ctx).items() if k > ranks.get(n, -1)}
    tests = [
        Op("numpy.greater", (call("numpy.ndim", Var(n)), Const(ranks[n])), form=ir.Form.OPERATOR)
        for n in ctx.function.names
        if n in ranks
    ]
    return [ir.Inert("assert", (test,)) for test in tests]


def reduced_axes(ctx: Context) -> dict[str, int]:
    """The parameters of unknown rank that are summed along an axis, where nothing has left the function: each has more
    axes than given here."""
    found: dict[str, int] = {}
    known, shapes = ctx.facts, ctx.facts.shapes
    plain = [n for n in ctx.function.names if known.of(Var(n)).kind not in aliases.CONTAINERS]
    symbols = {tail[0]: n for n in plain if (tail := shapes(known.shape(Var(n))).tail) is not None and tail[1] == 0}
    for s in ctx.function.body:
        if any(isinstance(t, ir.Return) for b in ir.blocks(s) for t in ir.statements(b)):
            break
        match s:
            case Assign(value=Op(args=(of, *more), options=options) as value) if (
                isinstance(rules.lookup(value.fn), Reduction) or value.fn in RUNNING | LAID_OUT
            ):
                first = Const(0) if value.fn in LAID_OUT or value.fn.endswith(".reduce") else Const(None)
                axis = first if value.fn in LAID_OUT else dict(options).get("axis", more[0] if more else first)
                shape = shapes(known.shape(of))
                kept = dict(options).get("keepdims", Const(False)) != Const(False)  # the axis is one of the sum, too
                if axis == Const(None) or isinstance(axis, Var) or kept or shape.dims or shapes.has_axis(shape):
                    continue
                symbol, k = shape.tail or ("", 0)
                if symbol in symbols:
                    found[symbols[symbol]] = max(k, found.get(symbols[symbol], 0))
    return found


# what takes a number along an axis, too, and what makes an array with an axis of it
RUNNING = {f"numpy.{n}" for n in ("cumsum", "cumprod", "nancumsum", "nancumprod", "cumulative_sum", "cumulative_prod")}
LAID_OUT = {"numpy.ascontiguousarray", "numpy.asfortranarray"}
RUN_OVER = frozenset(f"builtins.{n}" for n in ("sum", "max", "min", "len"))  # which a dict has of its keys


def key_guards(ctx: Context, names: Iterable[str]) -> list[Stmt]:
    """Parameters that are summed or run over are no dicts, whose keys these are, nor objects with items in a way of
    their own; those that are read under what may be a key of a dict are none: where nothing else would raise."""
    every = [n for s in ir.statements(ctx.function.body) for e in ir.expressions(s) for n in ir.walk(e)]
    run = {e.args[0] for e in every if isinstance(e, Op) and e.fn in RUN_OVER and len(e.args) == 1}
    keyed = {
        e.array
        for e in every
        if isinstance(e, ir.Index) and key_kind(e.key, ctx.facts) == "any" and not isinstance(e.key, ir.Sequence)
    }
    plain = (e for s in ctx.function.body for e in ir.expressions(s))
    arrays = {n for e in plain for part in ir.surely_evaluated(e) for n in no_dicts(part)}
    there = run - keyed - {Var(n) for n in ctx.optional}
    asked = facts.asked_for_kind(ctx.function)
    sequences = ir.Sequence((Var("list"), Var("tuple"), Var("@numpy.ndarray")))
    tests = {
        n: call("builtins.isinstance", Var(n), sequences if Var(n) in there else Var("dict"))
        for n in names
        if Var(n) in (run | keyed) - arrays and n not in asked | survey(ctx).containers
        if ctx.facts.of(Var(n)).kind == "any" and ctx.facts.ndim(Var(n)) is None
    }
    return [
        unless(test, f"of a dict, state {n}: dict")
        if Var(n) in keyed
        else ir.Inert("assert", (test if Var(n) in there else Op("operator.not", (test,)),))
        for n, test in tests.items()
    ]


def is_ragged(fact: Fact) -> bool:
    """Whether a container may hold things of several shapes, so that np.shape says nothing of it."""
    items = fact.items if fact.kind == "tuple" else (fact.elem,) if fact.kind == "list" else ()
    return any(i is not None and (i.kind not in ("float", "int", "bool") or i.shape != SCALAR) for i in items)


def _same_length(a: Expr, b: Expr) -> Stmt:
    return ir.Inert("assert", (equals(call("builtins.len", a), call("builtins.len", b)),))


def _same_rows(a: Expr, b: Expr, depth: int = 2) -> Stmt:
    """depth: 2 of rows, 3 of lists of rows, ..."""

    def lengths(e: Expr, depth: int) -> Expr:
        row = Var("vwxyz"[min(depth, 6) - 2])
        return ir.Comprehension(lengths(row, depth - 1) if depth > 2 else call("builtins.len", row), ((row, e, ()),))

    return ir.Inert("assert", (equals(lengths(a, depth), lengths(b, depth)),))


def depth_gone_through(block: Iterable[Stmt], name: str, callee: Callee) -> int:
    """How deep a structure is gone through: 1 where its items are, 2 where the items of these are in each round, and so
    on. block: statements that are all reached; loops that may be left early count for one."""
    depth = 0
    for s in block:
        if isinstance(s, ir.For) and Op("builtins.len", (Var(name),)) in ir.walk(s.iterable):
            leaves = any(isinstance(t, ir.Break | ir.Return) for t in ir.statements(s.body))
            item = ir.Index(Var(name), s.target)
            items = [t.target for t in s.body if isinstance(t, Assign) and t.value == item and not leaves]
            depth = max(depth, 1 + max((depth_gone_through(s.body, n, callee) for n in items), default=0))
        for e in ir.expressions(s):
            if isinstance(e, Op) and Var(name) in e.args:
                depth = max(depth, depth_gone_through(*callee(e, name), lambda e, n: ((), "")))
    return depth


def _same_shape(a: Expr, b: Expr) -> Stmt:
    return ir.Inert("assert", (equals(call("numpy.shape", a), call("numpy.shape", b)),))


def _returns_none(s: Stmt) -> bool:
    return isinstance(s, ir.Return) and s.value == ir.NONE


def _no_result(ctx: Context) -> Stmt:
    """Behind a path that returns None, which has no gradient."""
    return ir.Inert("raise", (Op("builtins.ValueError", (Const(f"the result of {ctx.function.name} is None"),)),))


def _scalar_guard(ctx: Context, value: str) -> Stmt:
    text = Const(f"the result of {ctx.function.name} is not a scalar: its shape is ")
    message = Op("numpy.add", (text, call("builtins.str", call("numpy.shape", Var(value)))), form=ir.Form.OPERATOR)
    error = Op("builtins.ValueError", (message,))
    test = Op("numpy.not_equal", (call("numpy.ndim", Var(value)), Const(0)), form=ir.Form.OPERATOR)
    return ir.If(test, (ir.Inert("raise", (error,)),))


def guard_statements(
    f: ir.Function,
    found: Facts,
    shapes: dict[str, tuple[str, ...]],
    kinds: dict[str, str],
    optional: frozenset[str],
    held: frozenset[str] = frozenset(),
) -> list[Stmt]:
    """Asserts for what was stated or assumed of the parameters: ranks, and lengths that are equal by their names.

    A shape whose lengths all stand in shapes before it is compared with those; the others are guarded by rank. Of
    what may be a list (`held`), the items are asked; `optional` are None in some calls.
    """
    stated = {n: dims for n, dims in shapes.items() if dims or not asserted.stated_rank(f, n)}
    computed_with = operands_of(f) if any(map(takes_truth_value, ir.statements(f.body))) else set[str]()
    for p in f.params:
        if kinds.get(p.name) == "float" and p.name not in stated and not asserted.stated_rank(f, p.name):
            stated[p.name] = ()
        elif p.name not in stated and (rank := found.assumed_rank(p.name)) is not None:
            stated[p.name] = ("_",) * rank
        elif p.name not in stated and p.name in computed_with and is_tested(p.name, found):
            stated[p.name] = ()
        elif p.name not in stated and p.name in found.given and is_list_of_numbers(found.given[p.name], found):
            stated[p.name] = ("_",)
    for name in sorted({*found.given, *(symbol for symbol in found.assumed if "/" not in symbol)}):
        if name not in stated and ir.is_part(name) and (rank := found.assumed_rank(name)) is not None:
            stated[name] = ("_",) * rank
    order = [n for p in f.names for n in stated if ir.root_name(n) == p]
    left_out = [n for n in order if ir.root_name(n) in optional and (stated[n] or ir.is_part(n))]
    order = [n for n in order if n not in left_out]
    ranks: dict[int, list[Expr]] = {}
    first: dict[str, tuple[str, int]] = {}
    equal: list[Expr] = []
    groups_: dict[tuple[str, ...], list[str]] = {}
    for name in order:
        dims = stated[name]
        if dims and dims in groups_ and "_" not in dims:
            groups_[dims].append(name)
            continue
        groups_.setdefault(dims, []).append(name)
        if name in found.numbers:
            continue  # a number is asked for, not an array of rank 0 either
        known = [d in first or d.isdigit() for d in dims]
        if dims and all(known):
            equal.append(equals(call("numpy.shape", Var(name)), _tuple_of(dims, first, stated)))
            continue
        if name in held and dims and all(d == "_" for d in dims):
            equal.append(_all_numbers(Var(name), len(dims)))
            continue
        ranks.setdefault(len(dims), []).append(call("numpy.ndim", Var(name)))
        for axis, d in enumerate(dims):
            if d == "_":
                continue
            if d in first or d.isdigit() or d in dims[:axis]:
                at = first.get(d)
                if d in dims[:axis] and d not in first:
                    at = (name, dims.index(d))
                here = ir.Index(call("numpy.shape", Var(name)), Const(axis))
                other: Expr = Const(int(d)) if d.isdigit() else ir.Index(call("numpy.shape", Var(at[0])), Const(at[1]))  # type: ignore[index]
                equal.append(equals(here, other))
        for axis, d in enumerate(dims):
            if d != "_" and not d.isdigit():
                first.setdefault(d, (name, axis))
    equal += _multiples(first)
    for dims, names in groups_.items():
        if len(names) > 1 and dims and "_" not in dims:
            equal.append(equals(*(call("numpy.shape", Var(n)) for n in reversed(names))))
        elif len(names) > 1 and not dims:
            have = ranks.setdefault(0, [])
            for n in names:
                if call("numpy.ndim", Var(n)) not in have and n not in found.numbers:
                    have.append(call("numpy.ndim", Var(n)))
    bound = {n for s in ir.statements(f.body) for n in ir.binds(s)}
    unless: dict[str, list[Expr]] = {}  # what holds of parameters that may be None, and of their parts
    for name in sorted(found.others.keys() - bound - {*left_out}):
        if ir.root_name(name) in optional and ir.is_part(name):
            as_taken = equals(call("numpy.ndim", Var(name)), Const(found.others[name]))
            unless.setdefault(ir.root_name(name), []).append(as_taken)
            continue
        have = ranks.setdefault(found.others[name], [])
        if call("numpy.ndim", Var(name)) not in have:  # a part of a parameter may be there
            have.append(call("numpy.ndim", Var(name)))
    tests: list[Expr] = [
        equals(*run, Const(rank)) for rank, calls in sorted(ranks.items(), reverse=True) for run in _runs(calls)
    ]
    numbers = [*(n for n in f.names if n in found.numbers), *sorted(filter(ir.is_part, found.numbers))]
    sure = [n for n in numbers if ir.root_name(n) not in optional]
    for n in (p.name for p in f.params if p.name in found.given and is_dict_of_floats(found.given[p.name])):
        ranks_of = equals(call("numpy.ndim", Var("v")), Const(0)), ((Var("v"), method("values", Var(n)), ()),)
        tests.append(call("builtins.all", ir.Comprehension(*ranks_of, "generator")))
    updated = [n for n in sure if not ir.is_part(n) and found.given[n].kind != "int"]
    tests += [call("numpy.isscalar", Var(n)) for n in sure if n not in updated]
    listed = [n for n in kinds if n in found.given and ir.root_name(n) not in optional]
    tests += [test for n in listed if (test := numbers_in_items(f, found, n)) is not None]
    for name in (n for n in numbers if n not in sure):
        unless.setdefault(ir.root_name(name), []).append(call("numpy.isscalar", Var(name)))
    for name in left_out:
        dims = stated[name]
        there = equals(call("numpy.ndim", Var(name)), Const(len(dims)))
        if dims and all(d in first or d.isdigit() for d in dims):
            there = equals(call("numpy.shape", Var(name)), _tuple_of(dims, first, stated))
        unless.setdefault(ir.root_name(name), []).append(there)
    for name, holds in unless.items():
        there = holds[0] if len(holds) == 1 else Op("operator.and", tuple(holds), form=ir.Form.OPERATOR)
        equal.append(Op("operator.or", (is_none(Var(name)), there), form=ir.Form.OPERATOR))
    lines = _lines(tests) + _lines(equal)
    if len(lines) > 6:  # a column of asserts is one condition, over several lines
        lines = [t[0] if len(t) == 1 else Op("operator.and", tuple(t)) for t in (tests, equal) if t]
    said = [p.name for p in f.params if p.annotation]
    return [*(ir.Inert("assert", (test,)) for test in lines), *shapes_to_state(updated, said)]


def shapes_to_state(names: Collection[str], said: Collection[str]) -> list[Stmt]:
    """assert np.isscalar(u): of parameters that have other names, and are updated, which would write into an array.

    said: those of which an annotation says what they are.
    """
    known = _lines([call("numpy.isscalar", Var(n)) for n in names if n in said])
    asked = [(call("numpy.isscalar", Var(n)), ADVICE.format(n)) for n in names if n not in said]
    tests: list[tuple[Expr, ...]] = [*((test,) for test in known), *((t, Const(text)) for t, text in asked)]
    return [ir.Inert("assert", values) for values in tests]


ADVICE = "state the shape of an array: # s2s: {} (n,)"


def numbers_in_items(f: ir.Function, found: Facts, name: str) -> Expr | None:
    """all(np.ndim(v.m) == np.ndim(v.x) == 0 for v in bodies), of the fields of objects in a list that are said to be
    numbers, where the function reads them, or hands objects on."""
    fact = found.given.get(name)
    if fact is None or fact.kind != "list" or fact.elem is None or not fact.elem.is_object:
        return None
    asked = fields_asked(f)
    pairs = zip(fact.elem.keys, fact.elem.items, strict=True)
    fields = [k for k, x in pairs if x.kind == "float" and found.shapes(x.shape) == SCALAR]
    ranks = [call("numpy.ndim", ir.Index(Var("v"), Const(k))) for k in fields if asked is None or k in asked]
    if not ranks:
        return None
    return call("builtins.all", ir.Comprehension(equals(*ranks, Const(0)), ((Var("v"), Var(name), ()),), "generator"))


def have_shapes(values: Iterable[Fact | None]) -> bool:
    """Whether values are numbers and arrays, none of them a list on another path."""
    return all(f is not None and f.kind in ("float", "any") and not is_mixed(f) for f in values)


def number_guards(lists: Collection[str]) -> list[Stmt]:
    """all(np.isscalar(v) for v in x): of lists of which a number, updated in place, has another name, too."""
    v = Var("v")
    return [
        ir.Inert(
            "assert",
            (call("builtins.all", ir.Comprehension(call("numpy.isscalar", v), ((v, Var(n), ()),), "generator")),),
        )
        for n in sorted(lists)
    ]


def _multiples(first: dict[str, tuple[str, int]]) -> list[Expr]:
    """Guards of lengths that are stated as 4*h or n+1, against the axis of length h, or else against each other."""

    def axis(d: str) -> Expr:
        name, k = first[d]
        return ir.Index(call("numpy.shape", Var(name)), Const(k))

    def scaled(e: Expr, d: Length) -> Expr:
        e = e if d.times == 1 else algebra.op(algebra.MULTIPLY, Const(d.times), e)
        return (
            e
            if d.minus == 0
            else algebra.op(
                *((algebra.SUBTRACT, e, Const(d.minus)) if d.minus > 0 else (algebra.ADD, e, Const(-d.minus)))
            )
        )

    out: list[Expr] = []
    bases: dict[str, Expr] = {d: axis(d) for d in first if is_plain(dimension(d))}
    for text in first:
        d = dimension(text)
        if not isinstance(d, Length) or is_plain(d):
            continue
        if d.symbol in bases:
            out.append(equals(axis(text), scaled(bases[d.symbol], d)))
            continue
        # n is found by the first that names it
        rest = Length("", -d.minus)
        base = scaled(axis(text), rest)
        if d.times > 1:
            out.append(equals(algebra.op("numpy.remainder", base, Const(d.times)), Const(0)))
            base = algebra.op("numpy.floor_divide", base, Const(d.times))
        if d.minus < 0:
            least = Op("numpy.greater_equal", (axis(text), Const(-d.minus)), form=ir.Form.OPERATOR)
            out.append(least)
        bases[d.symbol] = base
    return out


def operands_of(f: ir.Function) -> set[str]:
    """The names with which is calculated, or that are compared by size: no texts and lists, whose truth values are
    taken, too."""
    same = ("numpy.equal", "numpy.not_equal")
    nodes = (n for s in ir.statements(f.body) for n in ir.nodes(s))
    ops = (n for n in nodes if isinstance(n, Op) and n.fn.startswith(("numpy.", "math.")) and n.fn not in same)
    return {a.name for n in ops for a in n.args if isinstance(a, Var)}


def takes_truth_value(s: Stmt) -> bool:
    choices = ("operator.ifexp", "operator.and", "operator.or", "builtins.max", "builtins.min")
    return isinstance(s, ir.If | ir.While) or any(isinstance(n, Op) and n.fn in choices for n in ir.nodes(s))


def is_tested(name: str, found: Facts) -> bool:
    """Whether a parameter is a number since a truth value is taken of it: NumPy takes that of an array of one item as
    well."""
    fact = found.given.get(name)
    if fact is None or fact.kind not in ("any", "float") or fact.shape.rank is not None:
        return False
    return found.shapes(fact.shape).rank == 0


def _all_numbers(e: Expr, depth: int) -> Expr:
    """all(np.ndim(v) == 0 for row in x for v in row)"""
    clauses = []
    for i in range(depth):
        v = Var("v" if i == depth - 1 else "row" if i == depth - 2 else f"rows{i}")
        clauses.append((v, e, ()))
        e = v
    test = equals(call("numpy.ndim", e), Const(0))
    return call("builtins.all", ir.Comprehension(test, tuple(clauses), "generator"))


def _runs(calls: list[Expr]) -> list[list[Expr]]:
    """Parts of a list that fit on a line with `==` between them and a number behind."""
    show = ir.Printer()
    runs: list[list[Expr]] = []
    width = 0
    for c in calls:
        n = len(show(c)) + 4
        if runs and width + n <= 88 - 12:
            runs[-1].append(c)
            width += n
        else:
            runs.append([c])
            width = n
    return runs


def _lines(tests: list[Expr]) -> list[Expr]:
    """Tests joined by `and` as long as they fit on a line."""
    show = ir.Printer()
    rows: list[list[Expr]] = []
    width = 0
    for t in tests:
        n = len(show(t))
        if rows and width + n + 5 <= 88 - 11:
            rows[-1].append(t)
            width += n + 5
        else:
            rows.append([t])
            width = n
    return [r[0] if len(r) == 1 else Op("operator.and", tuple(r)) for r in rows]


def _tuple_of(dims: tuple[str, ...], first: dict[str, tuple[str, int]], stated: dict[str, tuple[str, ...]]) -> Expr:
    """The shape with these lengths, from shapes that are guarded already: np.shape(y) + np.shape(w)."""
    parts: list[Expr] = []
    i = 0
    while i < len(dims):
        best: tuple[Expr, int] | None = None
        for name, other in stated.items():
            if "_" in other or not other or name not in {n for n, _ in first.values()}:
                continue
            for start in range(len(other)):
                n = 0
                while start + n < len(other) and i + n < len(dims) and other[start + n] == dims[i + n]:
                    n += 1
                if n and (best is None or n > best[1]):
                    shape: Expr = call("numpy.shape", Var(name))
                    if n < len(other):
                        lower = Const(start) if start else None
                        upper = Const(start + n) if start + n < len(other) else None
                        shape = ir.Index(shape, ir.Slice(lower, upper))
                    best = (shape, n)
        if best is None:
            number = Const(int(dims[i]))
            if parts and isinstance(last := parts[-1], ir.Sequence):
                parts[-1] = ir.Sequence((*last.items, number))
            else:
                parts.append(ir.Sequence((number,)))
            i += 1
        else:
            parts.append(best[0])
            i += best[1]
    out = parts[0]
    for p in parts[1:]:
        out = algebra.op(algebra.ADD, out, p)
    return out


__all__ = ["Activity", "Derivation", "Derived", "Selected", "call", "missing", "replace"]
