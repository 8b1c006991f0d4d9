"""Forward mode: each statement's tangent beside it. Tangents are always of the full shape of their value."""

from __future__ import annotations

from collections.abc import Container
from functools import cached_property, partial, reduce

from s2s import algebra, ir, rules
from s2s.algebra import ONE, ZERO
from s2s.analysis import zeros
from s2s.analysis.activity import operands
from s2s.analysis.aliases import (
    CONTAINERS,
    LISTS_OF_VIEWS,
    RANK_ZERO,
    connections,
    of_floats,
    rank_zero,
    sources,
    written_by,
)
from s2s.analysis.containers import root_of
from s2s.analysis.facts import NOT_DIFFERENTIABLE, Fact, is_mixed
from s2s.analysis.numbers import COMPLEX, REAL
from s2s.analysis.overlaps import copies_in_place
from s2s.analysis.shapes import SCALAR, Shape, unknown
from s2s.analysis.transfer import is_constant
from s2s.derive import solvers
from s2s.derive.clamps import past_pole
from s2s.derive.conjugate import conjugated, rule_of, squared_modulus, tidied
from s2s.derive.context import Context, groups, is_costly
from s2s.derive.handing import handed, is_update
from s2s.derive.integers import makes_floats
from s2s.derive.owned import NEW, held, same_object
from s2s.derive.phrases import (
    WIDTH,
    asserted_array,
    bind,
    copied,
    dot,
    equals,
    guards_before,
    is_none,
    is_unfilled,
    keyed_items,
    keyed_zeros,
    makes_empty_places,
    method,
    owned,
    reshaped,
    shares_memory,
    traced,
    view_guard,
    zero_structure,
)
from s2s.derive.refusals import HOLD, PARTS, no_rule, refuse, refuse_shared, whole_result
from s2s.derive.survey import may_lack, scattered, survey
from s2s.frozen import replace
from s2s.ir import Assign, Block, Const, Expr, Index, Op, Stmt, Var
from s2s.rules.kinds import Solver

ZEROS = ("numpy.zeros", "numpy.zeros_like")


class Forward:
    """alone: the tangent of the result is returned without its value."""

    def __init__(self, ctx: Context, alone: bool = False) -> None:
        self.ctx = ctx
        self.facts = ctx.facts
        self.active = ctx.activity.active
        self.alone = alone
        self.called: set[str] = set()  # temporaries that a call gives together with their tangents
        self.out: list[Stmt] = []
        self.marked: set[int] = set()  # origins whose marks are there
        self.outputs: tuple[tuple[str, str], ...] = ()  # parameters whose final elements are results, and their arrays
        self.copied_first: set[str] = set()  # parameters that are copied before all else, and their tangents

    def is_active(self, e: Expr) -> bool:
        return any(v.name in self.active for v in operands(e))

    def readable(self, e: Expr) -> Expr:
        return algebra.float_coefficients(self.ctx.simplify(self.ctx.resolve(e)))

    @cached_property
    def structures(self) -> frozenset[str]:
        """Names of values that may be arrays, numbers, lists, dicts or objects, for all that is known of them."""
        bound: dict[str, list[Expr]] = {}
        for s in ir.statements(self.ctx.function.body):
            if isinstance(s, Assign):
                bound.setdefault(s.target, []).append(s.value)
            elif isinstance(s, ir.Unpack):
                for i, t in enumerate(s.targets):
                    bound.setdefault(t, []).append(Index(s.value, Const(i)))
        found = {n for n in bound if is_mixed(self.facts.of(Var(n)))} | survey(self.ctx).containers
        while more := {n for n, values in bound.items() if n not in found and any(self.made(v, found) for v in values)}:
            found |= more
        return frozenset(found)

    def made(self, e: Expr, known: Container[str]) -> bool:
        """Whether a value is such a one, or a part of one, where the names of `known` are."""
        shape = self.facts.shape(e)
        if self.facts.of(e).kind != "any" or shape.dims or shape == SCALAR:
            return False
        match e:
            case Var(name=name):
                return name in known
            case Index(array=Op(fn=fn) as call, key=Const(value=int() as i)) if fn.startswith("local."):
                return any(isinstance(v, Op) and v.fn in NEW for v in self.ctx.calls.values_of(call, i))
            case Index(array=array):
                return self.made(self.ctx.tree(array), known) or is_mixed(self.facts.of(e))
            case Op(fn="operator.ifexp", args=(_, a, b)):
                return self.made(a, known) or self.made(b, known)
            case Op():
                return any(isinstance(v, Op) and v.fn in NEW for v in self.ctx.calls.values_of(e))
        return False

    def is_structure(self, e: Expr) -> bool:
        """Whether a value may be a list, a dict or an object as well as an array."""
        known = isinstance(e, Var) and e.name in survey(self.ctx).containers
        return known or self.made(self.ctx.tree(e), self.structures)

    # ------------------------------------------------------------ statements
    def block(self, block: Block) -> list[Stmt]:
        out: list[Stmt] = []
        for unit in groups(block, self.ctx.temps):
            out += self.marks(unit[-1].origin)
            out += self.calls_once(unit)
            out += self.unit(unit)
            match out[-2:]:
                case [
                    ir.Unpack(targets=targets, value=call),
                    ir.Return(value=ir.Sequence(items=(Var(name=a), Var(name=b)))),
                ]:
                    if targets == (a, b) and not self.outputs:
                        out[-2:] = [ir.Return(call, unit[-1].origin)]
        return out

    def calls_once(self, unit: list[Stmt]) -> list[Stmt]:
        """Helpers that are called inside of an expression: once, for their value and its tangent."""
        temps = [s for s in unit[:-1] if isinstance(s, Assign)]
        if self.alone or not any(isinstance(s.value, Op) and s.value.fn.startswith("local.") for s in temps):
            return []
        every = [e for s in unit for e in ir.expressions(s)]
        if any(map(self.ctx.draws, every)) or any(self.ctx.written(n) for e in every for n in ir.walk(e)):
            return []  # what stands before such a call is to be read before it
        out: list[Stmt] = []
        behind = {s.target for s in temps}  # where they have lines of their own, these stand behind the calls
        for s in temps:
            if not isinstance(s.value, Op) or not s.value.fn.startswith("local."):
                continue
            fact = self.facts.of(Var(s.target))
            if s.constant or not self.is_active(s.value):
                continue
            if self.may_be_structure(s.value):
                continue
            self.out = []
            call = self.helper(s.value)
            if call is None:
                continue
            reads = ir.reads(call).union(*(ir.reads(e) for t in self.out for e in ir.expressions(t)))
            if reads & behind - self.called:
                continue
            self.called.add(s.target)
            self.ctx.promoted.add(s.target)
            if self.ctx.base.get(s.target, s.target) == s.target:
                given = self.ctx.promoted_name(s.target)
                self.ctx.base[s.target] = self.ctx.names.wishes.get(given, given)
            self.facts.names[dot(s.target)] = of_floats(fact)
            out += [
                *self.out,
                ir.Unpack((s.target, dot(s.target)), call, s.origin),
                *self.numbers_in(self.facts.of(s.value), s.target),
            ]
        return out

    def marks(self, origin: ir.Origin | None) -> list[Stmt]:
        """The titles and marks of a derivative that is differentiated once more."""
        if origin is None or id(origin) in self.marked:
            return []
        self.marked.add(id(origin))
        out: list[Stmt] = []
        for line in origin.above:
            if line in (ir.FORWARD, ir.REVERSE):
                out.append(ir.Comment(("", line)))
            elif line.startswith(ir.MARK) or line == ir.NUMERIC:
                out.append(ir.Comment((line,), origin))
        return out

    def seen_through_calls(self, unit: list[Stmt]) -> None:
        """Refuses results that may be arguments, where one is written: the tangent that a helper returns is its own."""
        aliases = self.ctx.aliases
        if not aliases.dynamic:
            return
        found = [c for s in unit for c in connections(s, self.facts)]
        handed_on = {other for _, other, _, _ in found}
        writes = any(written_by(s, self.facts) for s in unit if not isinstance(s, ir.Store))
        for name, other, _, value in found:
            if name in self.ctx.temps and name not in handed_on and not writes:
                continue  # read before anything is written
            known = aliases.of.get(name) in aliases.dynamic and other in aliases.of and self.is_active(value)
            if known:
                for e in ir.walk(value):
                    if isinstance(e, Op) and e.fn.startswith("local.") and self.ctx.calls.returned(e, self.facts):
                        refuse_shared(self.ctx, e, value)

    def unit(self, unit: list[Stmt]) -> list[Stmt]:
        s = unit[-1]
        self.seen_through_calls(unit)
        match s:
            case ir.If():
                return [replace(s, body=tuple(self.block(s.body)), orelse=tuple(self.block(s.orelse)))]
            case ir.While():
                return [replace(s, body=tuple(self.block(s.body)))]
            case ir.For():
                return [self.loop(s)]
            case ir.Return():
                return self.returned(unit, s)
            case ir.Assign() | ir.Unpack() | ir.Append():
                return self.group(unit, s)
            case ir.Store():
                return self.store(unit, s)
            case ir.Inert(values=(Op() as value,)) if self.ctx.written(value):
                self.out = []
                call = self.helper(value)
                *before, last = self.pieces(unit)
                return [*before, last] if call is None else [*before, *self.out, ir.Inert("", (call,), s.origin)]
            case ir.Inert():
                return self.pieces(unit)
        return [s]

    def loop(self, s: ir.For) -> Stmt:
        header = self.ctx.headers.get(id(s))
        if header is None:
            return replace(s, body=tuple(self.block(s.body)))
        rest = s.body[len(header.items) :]
        reset: list[Stmt] = []  # tangents that the names had before, which are bound to constants now
        for i in header.items:
            if i.target in self.active and self.is_active(i.value):
                return replace(s, body=tuple(self.block(s.body)))
            if i.target in self.active:
                reset += [t for t in self.group([i], i) if dot(i.target) in ir.binds(t)]
        return ir.For(header.target, header.iterable, (*reset, *self.block(rest)), s.origin)

    def pieces(self, unit: list[Stmt]) -> list[Stmt]:
        out: list[Stmt] = []
        named = self.ctx.promoted - self.called
        for s in unit:
            if isinstance(s, Assign) and s.target in self.ctx.temps and s.target not in named:
                continue
            if isinstance(s, ir.Inert):
                out.append(replace(s, values=tuple(map(self.ctx.tree, s.values))))
                continue
            if isinstance(s, ir.Store):
                place = self.ctx.tree(s.target)
                assert isinstance(place, Index)
                store = replace(s, target=place, value=self.ctx.tree(s.value))
                out.append(scattered(self.ctx, store))
                continue
            if isinstance(s, Assign):
                s = replace(s, value=self.ctx.written_out(s))
            elif isinstance(s, ir.Shrink):
                s = ir.popped(s.array, s.origin)
            elif isinstance(s, ir.Unpack | ir.Append | ir.Return):
                s = replace(s, value=self.ctx.tree(s.value))
            out.append(s)
        return out

    def group(self, unit: list[Stmt], s: Assign | ir.Unpack | ir.Append) -> list[Stmt]:
        self.out = []
        match s:
            case ir.Shrink():
                *before, last = self.pieces(unit)
                return [*before, *([ir.popped(dot(s.array))] if s.array in self.active else []), last]
            case ir.Append():
                if s.array not in self.active:
                    return self.pieces(unit)
                e = self.push_full(s.value) if self.is_active(s.value) else self.zero(s.value)
                e = self.apart(self.ctx.tree(s.value), self.readable(e), self.is_written(s.array))
                tangent: list[Stmt] = [ir.Append(dot(s.array), e)]
                *before, last = self.pieces(unit)
                return [*before, *self.out, *tangent, last]
            case ir.Unpack():
                return self.unpack(unit, s)
            case Assign():
                return self.assign(unit, s)

    def store(self, unit: list[Stmt], s: ir.Store) -> list[Stmt]:
        """a[k] = e: a_dot[k] = e_dot, before the store changes what e reads."""
        if ir.written_name(s.target) not in self.active:
            return self.pieces(unit)
        self.out = []
        self.ctx.hold_keys(s.target)
        place = self.tangent_place(self.ctx.tree(s.target))
        assert isinstance(place, Index)
        if s.origin in self.ctx.either:
            return self.update(unit, s, place)
        if s.gone:
            return [*self.pieces(unit), ir.Store(place, place, gone=True)]
        if s.constant or not self.is_active(s.value):
            slot = self.is_slot(s.target)
            zero = self.ctx.resolve(self.zero(s.value)) if slot else ZERO
            *before, last = self.pieces(unit)
            return [*before, ir.Store(place, zero), last]
        value = s.value
        if s.update == "at":
            assert isinstance(value, Op)
            value = value.args[1]
            pushed = self.push(value, value)
            e = ZERO if pushed is None else pushed[0]
            e = self.ctx.simplify(self.ctx.resolve(e))
            *before, last = self.pieces(unit)
            new = ir.Store(place, Op(s.value.fn, (place, e), form=ir.Form.OPERATOR), update="at")  # type: ignore[union-attr]
            return [*before, *self.out, scattered(self.ctx, new, tangent=True), last]
        inner = self.ctx.temps.get(value.name, value) if isinstance(value, Var) else value
        pushed = self.push(inner, self.ctx.tree(inner))
        e = ZERO if pushed is None else pushed[0]
        listed = self.is_slot(s.target)
        if (
            listed
            and pushed is not None
            and self.facts.of(inner).kind not in CONTAINERS
            and not self.is_structure(inner)
        ):
            e = e if pushed[1] == self.facts.shape(inner) else self.spread(e, inner)
        elif listed and pushed is None:
            e = self.zero(inner)
        e = self.ctx.simplify(self.ctx.resolve(e))
        if listed:
            e = self.apart(self.ctx.tree(s.value), e, True)
        *before, last = self.pieces(unit)
        array = self.ctx.tree(s.target.array)
        known = self.facts.of(s.target.array).kind in ("list", "dict")
        known = known or (isinstance(array, Index) and self.facts.of(array.array).kind in CONTAINERS)
        if isinstance(e, Var | Index) and isinstance(inner, Op) and not listed and self.copies_in_place(s, e):
            e = method("copy", e)
        if e == place or (e == place.array and place.key == ir.ELLIPSIS):  # it stays as it is: `y += 1.0`
            return [*before, *self.out, last]
        if known and (not s.update or self.facts.is_scalar(s.target)):  # a seed that lies there may be of rank 0
            return [*before, *self.out, ir.Store(place, e, sure=s.sure), last]
        whole = s.update and place.key == ir.ELLIPSIS and ir.written_name(s.target) in rank_zero(self.facts)
        guard = [asserted_array(place.array)] if whole else []  # `x_dot += e_dot` would bind a number anew
        return [*before, *self.out, *guard, _updating(place, e), last]

    def copies_in_place(self, s: ir.Store, e: Expr) -> bool:
        """Whether the tangent of a store is a part of the array that it is put into, which NumPy copies as it goes."""
        values = {dot(n): Var(n) for n in self.active}
        of = ir.substitute(e, {n: values[n] for n in ir.reads(e) if n in values})
        return copies_in_place(self.ctx.function, self.facts, self.ctx.aliases, s, of)

    def update(self, unit: list[Stmt], s: ir.Store, place: Index) -> list[Stmt]:
        """`x += e` of what may be an array, or a number: x_dot += e_dot, where both are the one or the other."""
        value = self.ctx.temps.get(s.value.name, s.value) if isinstance(s.value, Var) else s.value
        assert isinstance(value, Op)
        e = value.args[1]
        given = self.is_active(e) or not self.facts.is_scalar(e)  # a number may become an array
        e_dot = self.ctx.simplify(self.ctx.resolve(self.push_full(e))) if given else ZERO
        *before, last = self.pieces(unit)
        assert isinstance(last, ir.Store)
        kinds = (Op("numpy.isscalar", (x.array,)) for x in (place, last.target) if isinstance(x, Index))
        guard = ir.Inert("assert", (equals(*kinds),))
        tangent = ir.Store(place, Op(value.fn, (place, e_dot), form=ir.Form.OPERATOR), update=s.update)
        return [*before, *self.out, guard, *([tangent] if given else []), last]

    def is_slot(self, target: Index) -> bool:
        """Whether a place is, or may be, one in a list or a dict: nothing broadcasts into it."""
        return self.facts.of(target.array).kind in ("list", "dict") or self.is_structure(target.array)

    def tangent_place(self, target: Expr) -> Expr:
        """The part of a tangent that belongs to a name or a part of it; views without a name have no tangent."""
        match target:
            case Var(name=name) if name in self.ctx.temps:
                return self.tangent_place(self.ctx.temps[name])
            case Var(name=name):
                return Var(dot(name))
            case Index(array=array, key=key):
                return Index(self.tangent_place(array), key)
            case Op(args=(first, *rest)):
                return replace(target, args=(self.tangent_place(first), *rest))
        raise TypeError(type(target).__name__)

    def own(self, s: Assign, expr: Expr) -> Expr:
        """The tangent of a fresh buffer as memory of its own; that of a view is the same view of a tangent."""
        if self.facts.is_scalar(Var(s.target)):
            return expr
        if not self.facts.is_real(s.value) and self.is_changed(s.target) and self.facts.number(expr) == REAL:
            return self.as_complex(s, expr)  # that of `x + 0j` is real, until it is written
        return self.apart(self.ctx.tree(s.value), expr, self.is_written(s.target))

    def is_written(self, name: str) -> bool:
        """Whether what a name holds is stored into, here or by those to whom it is returned."""
        return self.ctx.aliases.is_stored(name) or name in self.returned_in_lists

    @cached_property
    def returned_in_lists(self) -> frozenset[str]:
        """Names of what lies in the lists that a function returns which calls itself. The list of the tangents is
        returned as it is, not copied at each depth: what is put into it has memory of its own."""
        f, calls = self.ctx.function, self.ctx.calls
        if not calls.calls_itself(f.name):
            return ir.NO_NAMES
        hands = partial(handed, calls)
        results = [s.value for s in ir.statements(f.body) if isinstance(s, ir.Return)]
        names = {n for e in results for n in held(e, hands, self.facts) if self.facts.of(Var(n)).kind == "list"}
        return frozenset[str]().union(*(same_object(f, n, hands, facts=self.facts) for n in names))

    def is_changed(self, name: str) -> bool:
        """Whether an array is written, or updated under the name that it has in the user's text."""
        base = self.ctx.base
        own = base.get(name, name)
        return name in self.ctx.aliases.of or any(
            isinstance(s, Assign) and base.get(s.target, s.target) == own in {base.get(n, n) for n in ir.reads(s.value)}
            for s in ir.statements(self.ctx.function.body)
        )

    def as_complex(self, s: Assign, expr: Expr) -> Expr:
        """A real tangent in the dtype of a value that is, or may be, complex."""
        if self.facts.number(s.value) == COMPLEX:
            return algebra.op(algebra.ADD, expr, Const(0j))
        return algebra.op(algebra.ADD, expr, Op("numpy.zeros_like", (self.ctx.resolve(s.value),)))

    def apart(self, value: Expr, expr: Expr, written: bool = False) -> Expr:
        """The tangent `expr` of a value: a copy where the value is fresh, and the tangent is that of a written buffer.

        `y * 1.0` is an array of its own, and its tangent simplifies to y_dot, which is going to be changed in place.
        """
        if isinstance(value, ir.Sequence) and isinstance(expr, ir.Sequence) and len(value.items) == len(expr.items):
            spread = value.starred & expr.starred  # their items are shared, as those of the tangent may be
            spread = frozenset(i for i in spread if isinstance(self.ctx.tree(value.items[i]), Var | Index))
            pairs_ = enumerate(zip(value.items, expr.items, strict=True))
            return replace(expr, items=tuple(e if i in spread else self.apart(v, e, written) for i, (v, e) in pairs_))
        if isinstance(value, ir.Dict) and isinstance(expr, ir.Dict) and value.keys == expr.keys:
            pairs = zip(value.values, expr.values, strict=True)
            return replace(expr, values=tuple(self.apart(v, e, written) for v, e in pairs))
        if isinstance(value, Op) and isinstance(expr, Op) and value.fn == expr.fn and value.fn in LISTS_OF_VIEWS:
            return replace(expr, args=(self.apart(value.args[0], expr.args[0], written), *expr.args[1:]))
        kind = self.facts.of(value).kind
        if (
            isinstance(expr, Const)
            and expr != ir.NONE
            and kind not in (*CONTAINERS, *NOT_DIFFERENTIABLE)
            and not self.facts.is_scalar(value)
        ):
            return self.ctx.resolve(self.zero(value) if expr.value == 0 else self.spread(expr, value))
        if not (written or self.ctx.aliases.of) or not rules.may_alias(expr) or sources(value, self.facts):
            return expr
        if isinstance(value, Op) and value.fn.startswith("local."):
            return expr  # a helper gives back tangents with memory of their own
        if isinstance(expr, Index) and isinstance(expr.key, ir.Slice) and self.facts.of(value).kind == "list":
            return expr  # a new list, as that of the primal
        held = {dot(n) for n in self.ctx.aliases.of}
        if written and self.facts.of(value).kind in CONTAINERS:
            return owned(expr)
        if (written or ir.reads(expr) & held) and not self.facts.is_scalar(value):
            return self.copy(expr, value)
        return expr

    def copy(self, expr: Expr, value: Expr) -> Expr:
        """A copy of the tangent of a value: a number where that may have to be one, see `update`. It is one of floats
        where the value is, whatever the tangent is made of: `x * 1.0`."""
        if self.ctx.either or makes_floats(self.ctx.tree(value)):
            return algebra.op(algebra.MULTIPLY, ONE, expr)
        return copied(expr, self.facts.is_array(value))

    def result(self, value: Op, target: str, expr: Expr) -> Expr:
        """The tangent of one of several results, which are fresh."""
        held = {dot(n) for n in self.ctx.aliases.of}
        stored = self.ctx.aliases.is_stored(target) or bool(ir.reads(expr) & held)
        if not stored or self.facts.is_scalar(Var(target)) or not rules.may_alias(expr) or sources(value, self.facts):
            return expr
        return self.copy(expr, Var(target))

    def shared(self, s: ir.Unpack, expr: Expr) -> Expr:
        """The tangent of a value that is taken apart."""
        return self.apart(self.ctx.tree(s.value), expr, any(map(self.is_written, s.targets)))

    def assign(self, unit: list[Stmt], s: Assign) -> list[Stmt]:
        if s.target not in self.active:
            if isinstance(s.value, Op) and self.ctx.written(s.value):
                return self.effect(unit, s, s.value)
            return self.pieces(unit)
        name = dot(s.target)
        fact = self.facts.of(Var(s.target))
        self.facts.names[name] = of_floats(fact)
        if s.constant or not self.is_active(s.value):
            zeros: tuple[Expr, ...] = ()
            if isinstance(s.value, ir.Sequence):  # a temporary that they name gets a line of its own
                zeros = tuple(self.ctx.resolve(e) for e in self.zero_items(s.value, fact))
            *before, last = self.pieces(unit)
            match s.value:
                case ir.Dict() if is_unfilled(self.ctx.tree(s.value)):
                    return [*before, last, Assign(name, self.ctx.tree(s.value))]
                case ir.Sequence(kind="list", starred=starred):
                    return [*before, last, Assign(name, ir.Sequence(zeros, "list", starred))]
                case Op(fn=fn) if fn in ZEROS and not s.constant:
                    return [*before, last, Assign(name, self.ctx.tree(s.value))]
                case ir.Comprehension() if makes_empty_places(s.value) and fact.elem and fact.elem.kind in CONTAINERS:
                    return [*before, last, Assign(name, s.value)]
                case Const(value=None):  # of a list it is None, too, until there is one
                    return [*before, last, Assign(name, s.value if fact.kind in CONTAINERS else ZERO)]
                case Const() if fact.kind not in ("list", "tuple", "dict"):
                    return [*before, last, Assign(name, ZERO)]
                case Var() | Index() if fact.kind not in CONTAINERS and self.is_number_of_module(s.value):
                    return [*before, last, Assign(name, ZERO)]
                case Index() if self.facts.of(s.value).kind in ("other", "str"):  # a key, of a name that is more
                    return [*before, last, Assign(name, ZERO)]
            return [*before, last, Assign(name, self.zero(Var(s.target)))]
        if isinstance(s.value, Op) and s.value.fn.startswith("local."):
            return self.call(unit, s, s.value, s.target)
        named = [t.value for t in unit[:-1] if isinstance(t, Assign) and t.target in self.ctx.promoted]
        values = map(self.ctx.tree, [s.value, *named])  # the tangents of what has a name stand here, too
        rereads = any(v == Var(s.target) for e in values for v in ir.walk(e))
        e = self.push(s.value, Var(s.target, after=rereads))
        if e is None:  # it varies in what has no derivative
            return [*self.pieces(unit), Assign(name, self.zero(Var(s.target)))]
        expr, shape = e
        full = self.facts.shape(Var(s.target))
        momentary = full.tail is not None and "~" in full.tail[0]  # another shape before this statement
        spread = shape != self.facts.shape(s.value) and (shape != full or momentary)
        spread = spread and not _is_leaf(Var(s.target, after=rereads), expr)  # the result itself is a factor
        whole = {fact.kind, self.facts.of(s.value).kind} & set(CONTAINERS) or self.is_structure(Var(s.target))
        if spread and not whole:
            expr = self.spread(expr, Var(s.target, after=rereads))
        expr = self.readable(expr)
        if isinstance(expr, Const) and full != SCALAR and fact.kind not in ("list", "tuple", "dict"):
            like = self.ctx.resolve(s.value) if rereads else Var(s.target)
            expr = self.ctx.resolve(self.zero(like)) if expr.value == 0 else self.spread(expr, like)
        expr = self.laid_out(s, self.own(s, expr))
        if is_update(s) and isinstance(expr, Op) and isinstance(s.value, Op) and not self.may_grow(s.value):
            expr = replace(expr, spelling=s.value.spelling if expr.form is ir.Form.OPERATOR else expr.spelling)
        *before, last = self.pieces(unit)
        assert isinstance(last, Assign)
        made = [expr, *(e for t in self.out for e in ir.expressions(t))]
        reads_new = any(
            isinstance(n, Var) and n.name == s.target and (n.after or not rereads) for e in made for n in ir.walk(e)
        )
        if not reads_new:
            guards: list[Stmt] = []
            if s.target in self.ctx.aliases.of:
                guards = view_guard(self.ctx, s, last.value)
            # The tangent may lie in memory in another order.
            of = reshaped(expr) if guards and reshaped(last.value) is not None else None
            if first := guards_before(s, last.value, guards):
                first += [] if of is None else [shares_memory(expr, of)]
                return [*before, *self.out, *first, Assign(name, expr), last]
            guards += [] if of is None else [shares_memory(Var(name), of)]
            return [*before, *self.out, Assign(name, expr), last, *guards]
        if not rereads:
            return [*before, last, *self.out, Assign(name, expr)]
        new = self.ctx.names.fresh(f"{self.ctx.base.get(s.target, s.target)}_new", s.target)
        expr = _replace_after(expr, s.target, new)
        body = [
            replace(t, value=_replace_after(t.value, s.target, new)) if isinstance(t, Assign) else t for t in self.out
        ]
        return [*before, replace(last, target=new), *body, Assign(name, expr), Assign(s.target, Var(new))]

    def laid_out(self, s: Assign, expr: Expr) -> Expr:
        """`x.copy()` lies in memory row by row, and so does its tangent: parts of either may be written in one axis."""
        match s.value, expr:
            case (
                Op(fn="numpy.copy", form=ir.Form.METHOD, args=(value,), options=()),
                Op(fn="numpy.copy", form=ir.Form.CALL, args=(e,), options=()),
            ):
                if self.facts.is_array(value) and self.facts.shape(e) == self.facts.shape(value):
                    return method("copy", e)
                if self.ctx.aliases.of.get(s.target) in self.ctx.aliases.dynamic:
                    return replace(expr, options=(("order", Const("C")),))
        return expr

    def is_number_of_module(self, e: Expr) -> bool:
        """Whether a value is a number that the module shows, alone or in a list or a dict: `DEFAULTS["k"]`."""
        whole = self.ctx.tree(e)
        fact = self.facts.of(whole)
        constant = is_constant(Var(root_of(whole)), self.facts)
        return constant and fact.kind in ("float", "int") and self.facts.is_scalar(whole)

    def may_grow(self, value: Op) -> bool:
        """Whether `x += e` may make an array of the number that x is: zeros_like(x) can't be updated so."""
        old = value.args[0]
        return not (self.facts.is_array(old) or self.facts.shape(old) == self.facts.shape(value))

    def call(self, unit: list[Stmt], s: Assign, value: Op, target: str) -> list[Stmt]:
        call = self.helper(value)
        *before, _ = self.pieces(unit)
        if call is None:
            return [*self.pieces(unit), Assign(dot(target), self.zero(Var(target)))]
        return [
            *before,
            *self.out,
            ir.Unpack((target, dot(target)), call, s.origin),
            *self.numbers_in(self.facts.of(value), target),
        ]

    def numbers_in(self, fact: Fact, target: str) -> list[Stmt]:
        """Whole numbers in a dict that a helper returns have no tangent; here, where an entry under a key of the run is
        bound anew, any of them may become a float: `d_dot["n"] = 0.0`."""
        stores = (s for s in ir.statements(self.ctx.function.body) if isinstance(s, ir.Store))
        if fact.kind != "dict" or not any(self.ctx.is_under_key_of_the_run(s) for s in stores):
            return []
        whole = [k for k, item in zip(fact.keys, fact.items, strict=True) if item.kind in ("int", "bool")]
        return [ir.Store(Index(Var(dot(target)), Const(k)), ZERO) for k in whole]

    def effect(self, unit: list[Stmt], s: Assign | ir.Unpack, value: Op) -> list[Stmt]:
        """A call whose result carries no derivative, of a helper that writes into its arguments."""
        call = self.helper(value)
        *before, last = self.pieces(unit)
        if call is None:
            return [*before, last]
        if not self.ctx.calls.has_result(value.fn[6:]):
            none = [Assign(t, ir.NONE) for t in ir.binds(s)]
            return [*before, *self.out, ir.Inert("", (call,), s.origin), *none]
        result = self.ctx.names.fresh("result", self.ctx.names.of(s))
        out: list[Stmt] = [*before, *self.out, ir.Unpack((result, "_"), call, s.origin)]
        return [*out, replace(s, value=Var(result), origin=None)]

    def push_solver(self, value: Op, call: rules.Call, out: Expr) -> Expr | None:
        """The tangent of x with f(x, p) = 0, from that of f(x, p) at a held x."""
        if isinstance(call.rule, Solver) and call.rule.equation == "initial":
            return self.push_initial(value, call)
        if isinstance(call.rule, Solver) and call.rule.equation == "optimum" and not call.rule.is_place(value):
            f, minimum = solvers.at_minimum(self.ctx, value, call, self.out)
            change = self.helper(f, held=minimum)
            return None if change is None else Index(change, Const(1))
        f = solvers.zeroed(self.ctx, value, call, out)
        change = self.helper(f, held=out)
        if change is None:
            return None
        moved: Expr = Index(change, Const(1))
        if solvers.rank_of(self.ctx, call, out):
            moved = solvers.as_vector(self.ctx, call, f, out, moved)
        return solvers.responded(self.ctx, value, call, out, moved, self.out, False)

    def push_initial(self, value: Op, call: rules.Call) -> Expr:
        """The tangent of the solution of an initial value problem."""
        flow = solvers.Flow(self.ctx, value, call)
        flow.check([p for p, e in flow.bound.items() if self.is_active(e)])
        wanted = tuple(p for p, e in flow.bound.items() if p == flow.state or self.is_active(e))
        forward, given = self.ctx.calls.jvp(self.ctx, flow.name, flow.bound, wanted)
        seeds = tuple(ir.COSTATE if p == flow.state else self.readable(self.push_full(flow.bound[p])) for p in given)
        self.out.append(ir.Comment((solvers.TANGENT,)))
        push = flow.derivative(forward, seeds, "dot")
        y0_dot = self.push_full(flow.y0) if self.is_active(flow.y0) else Op("numpy.zeros_like", (flow.y0,))
        args = (flow.solver, push, flow.t_span, flow.y0, y0_dot, flow.times)
        return Op("helper._solve_ivp_dot", tuple(map(self.ctx.resolve, args)), flow.options)

    def push_integral(self, call: rules.Call) -> Expr:
        """The tangent of the integral of f(t, p) from a to b."""
        f = solvers.function_of(call)
        tangent = None
        if f.fn.startswith("local."):
            bound = self.ctx.calls.bind(self.ctx, f)
            solvers.refuse_moving_jumps(self.ctx, call, [p for p, e in bound.items() if self.is_active(e)])
            tangent = self.helper(f)
        total = ZERO if tangent is None else solvers.integral(call, Index(tangent, Const(1)), solvers.is_scalar(call))
        for e, fn in zip(solvers.bounds(call), ("numpy.subtract", "numpy.add"), strict=True):
            if self.is_active(e):
                moved = algebra.op(algebra.MULTIPLY, solvers.at(call, self.ctx.resolve(e)), self.push_full(e))
                total = algebra.op(fn, total, moved)
        if tangent is not None:
            self.out.append(ir.Comment((solvers.LEIBNIZ,)))
        return total

    def helper(self, value: Op, held: Expr | None = None) -> Expr | None:
        """held: an argument that is taken for a constant."""
        name = value.fn[6:]
        bound = self.ctx.calls.bind(self.ctx, value)
        active = tuple(p for p, e in bound.items() if e != held and self.is_active(e))
        written = self.ctx.written(value)
        forward, given = self.ctx.calls.jvp(self.ctx, name, bound, active, tuple(written))
        if not given:
            return None
        args = list(self.ctx.calls.arguments(self.ctx, name, bound))
        for p in given:
            dot_ = self.tangent_place(self.ctx.tree(written[p])) if p in written else self.push_full(bound[p])
            args.append(self.readable(dot_))
        return Op(f"local.{forward}", tuple(args))

    def unpack(self, unit: list[Stmt], s: ir.Unpack) -> list[Stmt]:
        if not any(t in self.active for t in s.targets) and isinstance(s.value, Op) and self.ctx.written(s.value):
            return self.effect(unit, s, s.value)
        if not any(t in self.active for t in s.targets) or s.constant or not self.is_active(s.value):
            zeros: list[Stmt] = [Assign(dot(t), self.zero(Var(t))) for t in s.targets if t in self.active]
            return [*self.pieces(unit), *zeros]
        value = s.value
        if isinstance(value, Op) and value.fn.startswith("local."):
            call = self.helper(value)
            *before, last = self.pieces(unit)
            if call is None:
                return [*before, last, *(Assign(dot(t), self.zero(Var(t))) for t in s.targets if t in self.active)]
            pair = (
                self.ctx.names.fresh("result", self.ctx.names.of(s)),
                self.ctx.names.fresh("result_dot", self.ctx.names.of(s)),
            )
            dots = tuple(dot(t) if t in self.active else "_" for t in s.targets)
            items = zip(s.targets, self.facts.of(value).items if s.starred < 0 else (), strict=False)
            return [
                *before,
                *self.out,
                ir.Unpack(pair, call, s.origin),
                ir.Unpack(s.targets, Var(pair[0]), starred=s.starred),
                ir.Unpack(dots, Var(pair[1]), starred=s.starred),
                *(new for t, fact in items if t in self.active for new in self.numbers_in(fact, t)),
            ]
        if isinstance(value, Op):
            rule = rule_of(value, self.facts)
            if rule is None:
                no_rule(self.ctx, value)
            bound = bind(self.ctx, rule, value)
            if not bound.results and self.facts.of(value).kind not in ("list", "tuple"):
                return self.unpack_one(unit, s)  # the rows of an array
            dots_ = {o: self.push_full(o.expr) for o in bound.operands if self.is_active(o.expr)}
            result = ir.Sequence(tuple(Var(t) for t in s.targets))
            after: list[Stmt] = []
            if bound.results and (len(s.targets) != len(bound.results) or s.starred >= 0):
                whole_result(self.ctx, value, bound)
            if isinstance(rule, Solver):
                tangent = self.readable(self.push_integral(bound))
                *before, last = self.pieces(unit)
                others = [Assign(dot(t), ZERO) for t in s.targets[1:] if t in self.active]
                return [*before, last, *self.out, Assign(dot(s.targets[0]), tangent), *others]
            wanted = tuple(t in self.active and i in bound.parts for i, t in enumerate(s.targets))
            e = traced(self.ctx, value, rule.jvp, bound, dots_, result, self.facts, wanted if bound.results else ())
            if bound.results:
                if isinstance(e, ir.Sequence):
                    after += [
                        Assign(dot(t), self.result(value, t, self.readable(x)))
                        for t, x, used in zip(s.targets, e.items, wanted, strict=True)
                        if used
                    ]
                elif any(wanted):
                    dotted = (dot(t) if used else "_" for t, used in zip(s.targets, wanted, strict=True))
                    after.append(ir.Unpack(tuple(dotted), self.readable(e)))
                rest = (t for t, used in zip(s.targets, wanted, strict=True) if t in self.active and not used)
                after += [Assign(dot(t), self.zero(Var(t))) for t in rest]
            else:
                dotted = (dot(t) if t in self.active else "_" for t in s.targets)
                after.append(ir.Unpack(tuple(dotted), self.shared(s, self.readable(e)), starred=s.starred))
            *before, last = self.pieces(unit)
            return [*before, last, *self.out, *after]
        return self.unpack_one(unit, s)

    def unpack_one(self, unit: list[Stmt], s: ir.Unpack) -> list[Stmt]:
        """The items of one value: their tangents come first, since they read what the targets may have held."""
        e = self.shared(s, self.readable(self.push_full(s.value)))
        *before, last = self.pieces(unit)
        dots = tuple(dot(t) if t in self.active else "_" for t in s.targets)
        return [*before, *self.out, ir.Unpack(dots, e, starred=s.starred), last]

    def returned(self, unit: list[Stmt], s: ir.Return) -> list[Stmt]:
        self.out = []
        returns = [r.value for r in ir.statements(self.ctx.function.body) if isinstance(r, ir.Return)]
        finals: list[Expr] = []
        dots: list[Expr] = []
        for param, n in self.outputs:  # what is never written is still the caller's
            own = param in self.ctx.aliases.of
            finals.append(Var(n) if own else method("copy", Var(n)))
            if param not in self.active:
                dots.append(self.zero(Var(n)))
            else:
                dots.append(Var(dot(n)) if own else method("copy", Var(dot(n))))
        if all(r == ir.NONE for r in returns):
            if not finals:
                return [*self.pieces(unit)[:-1], ir.Return(ir.NONE, s.origin)]
            before = self.pieces(unit)[:-1]
        else:
            dots = [self.result_dot(s.value, returns), *dots]
            *before, last = self.pieces(unit)
            assert isinstance(last, ir.Return)
            finals = [last.value, *finals]
        value, tangent = (x[0] if len(x) == 1 else ir.Sequence(tuple(x)) for x in (finals, dots))
        if self.alone:
            return [*before, *self.out, ir.Return(tangent, s.origin)]
        return [*before, *self.out, *self.called_once(value, tangent, s.origin)]

    def called_once(self, value: Expr, tangent: Expr, origin: ir.Origin | None) -> list[Stmt]:
        """What is returned; the result of a helper comes with its tangent, from one call: `return _f_jvp(x, x_dot)`."""
        calls = [e for e in ir.walk(tangent) if isinstance(e, Index) and is_tangent_of_call(e)]
        match value:
            case Op(fn=fn) if fn.startswith("local.") and calls:
                whole = calls[0]  # the outermost: what it is handed may be what others return
                assert isinstance(whole.array, Op)
                if whole is tangent:
                    return [ir.Return(whole.array, origin)]
                pair = tuple(self.ctx.names.fresh(wish, "returned") for wish in ("value", "value_dot"))
                tangent = with_name(tangent, whole, Var(pair[1]))
                return [ir.Unpack(pair, whole.array, origin), *self.pair(Var(pair[0]), tangent, origin)]
        return self.pair(value, tangent, origin)

    def pair(self, value: Expr, tangent: Expr, origin: ir.Origin | None) -> list[Stmt]:
        """What is returned; what does not fit on a line gets names first."""

        def whole() -> Stmt:
            return ir.Return(ir.Sequence((value, tangent)), origin)

        out: list[Stmt] = []
        if len(ir.print_block((whole(),), indent=1)[0]) > WIDTH:
            names = [self.ctx.names.fresh(wish, "returned") for wish in ("value", "value_dot")]
            if not ir.is_atom(value):
                out.append(Assign(names[0], value, origin))
                value = Var(names[0])
            if not ir.is_atom(tangent):
                out.append(Assign(names[1], tangent))
                tangent = Var(names[1])
        return [*out, whole()]

    def result_dot(self, e: Expr, returns: list[Expr]) -> Expr:
        """The tangent of (a part of) a result. `returns`: what is returned in its place, here and elsewhere; a whole
        number beside a value that carries a derivative is a number as well, and its tangent is zero."""
        if isinstance(e, Var) and isinstance(made := self.ctx.temps.get(e.name), ir.Sequence | ir.Dict):
            e = made
        match e:
            case ir.Sequence():
                rows = [r.items for r in returns if isinstance(r, ir.Sequence) and len(r.items) == len(e.items)]
                items = (self.result_dot(x, [row[i] for row in rows]) for i, x in enumerate(e.items))
                return ir.Sequence(tuple(items), e.kind, e.starred)
            case ir.Dict():
                rows = [r.values for r in returns if isinstance(r, ir.Dict) and r.keys == e.keys]
                values = (self.result_dot(x, [row[i] for row in rows]) for i, x in enumerate(e.values))
                return replace(e, values=tuple(values))
        if not self.is_active(e):
            fact = self.facts.of(e)
            number = fact.kind in ("int", "bool") and any(self.is_active(r) for r in returns)
            if fact.kind in ("int", "str", "none", "bool", "other") and not number:
                return ir.NONE
            return self.ctx.resolve(self.zero(e))
        out = self.readable(self.push_full(e))
        fact = self.facts.of(e)
        if self.is_made_by_helper(e):
            return out
        if isinstance(out, ir.Sequence) and out.kind == "tuple" and out.starred == {0} and len(out.items) == 1:
            return replace(out, items=(self.copied(out.items[0], fact),))  # tuple(ys)
        if fact.kind in ("list", "tuple", "dict"):
            if fact.kind == "list" and self.ctx.calls.calls_itself(self.ctx.function.name):
                return (
                    out  # its items may be lists in turn: of those that other calls have returned, none has two names
                )
            new = isinstance(out, Op) and out.fn == "numpy.ndarray.tolist"
            return self.copied(out, fact) if not new and (isinstance(e, Var) or isinstance(out, Index)) else out
        if self.facts.shapes(fact.shape) == SCALAR:
            return out
        if isinstance(out, Const):
            return self.ctx.resolve(self.zero(e)) if out.value == 0 else self.ctx.resolve(self.spread(out, e))
        whole = self.ctx.tree(e)
        is_item = isinstance(whole, Index) and root_of(whole) in survey(self.ctx).containers
        if self.is_structure(e) and not is_item:
            return owned(out, self.ctx.resolve(e))
        if self.may_be_structure(whole):
            return owned(out)
        if may_share(out) and not (isinstance(out, Var) and self.is_own(e)):
            if isinstance(out, Index) and self.is_slice(out.key) and self.facts.ndim(e) is None:
                return method("copy", out)  # it may be one of a list
            return algebra.op(algebra.MULTIPLY, ONE, out)
        return out

    def is_slice(self, key: Expr) -> bool:
        made = self.ctx.definition(key.name) if isinstance(key, Var) else key
        return isinstance(made, ir.Slice) or (isinstance(made, Op) and made.fn == "builtins.slice")

    def is_own(self, e: Expr) -> bool:
        """Whether a value is an array that is made here to be written into, and nothing else that is returned may see
        it: its tangent is one of the same making."""
        aliases = self.ctx.aliases
        if not isinstance(e, Var) or (of := aliases.of.get(e.name)) is None or of in aliases.dynamic:
            return False
        given = aliases.members[of].intersection(self.ctx.function.names)
        if aliases.roots.get(of) != e.name or self.outputs or not given <= {e.name} & self.copied_first:
            return False
        for s in ir.statements(self.ctx.function.body):
            if e.name in ir.binds(s):
                made = s.value if isinstance(s, Assign) else None
                if not isinstance(made, Op) or made.fn.startswith("local.") or may_share(made):
                    return False
            if isinstance(s, ir.Return):
                read = [v for v in ir.walk(self.ctx.resolve(s.value)) if isinstance(v, Var)]
                beside = [v for v in read if aliases.is_stored(v.name) or self.facts.of(v).kind in CONTAINERS]
                if len(beside) > 1:
                    return False
        return True

    def is_made_by_helper(self, e: Expr) -> bool:
        """Whether a value is what a helper returns: its tangent has arrays of its own.

        Functions that call themselves hand lists on as they are, from one call to the next."""
        made = self.ctx.temps.get(e.name) if isinstance(e, Var) else e
        if not isinstance(made, Op) or not made.fn.startswith("local.") or self.ctx.written(made):
            return False
        again = self.ctx.calls.calls_itself
        if again(self.ctx.function.name) or not again(made.fn[6:]):
            return True
        return not holds_list(self.facts.of(e)) and not self.may_be_structure(made)

    def may_be_structure(self, e: Expr) -> bool:
        """Whether a value is what a function returns that calls itself, of which it is not known what it is."""
        if not isinstance(e, Op) or not e.fn.startswith("local."):
            return False
        return e.fn[6:] in self.ctx.calls.unsettled and self.facts.of(e).kind == "any"

    def may_change(self, e: Index, tangent: Expr) -> bool:
        """Whether the tangent of x[()] may be an array that is written behind it: a choice between numbers is none."""
        of = self.ctx.tree(e.array)
        made = not isinstance(of, Var) and not any(map(self.ctx.aliases.is_stored, ir.reads(of)))
        return bool(held(tangent)) and not made

    def may_be_number(self, e: Index, tangent: Expr) -> bool:
        """Whether the tangent of x may be a number of Python, of which x[...] and x[None] can't be taken as of NumPy's.

        Of x - np.sin(2.0) it is that of x: what the caller gives.
        """
        keys = ir.key_items(e.key)
        if any(k not in (ir.ELLIPSIS, ir.NONE) for k in keys) or self.facts.is_array(e.array):
            return False
        if self.facts.of(e.array).kind in CONTAINERS or any(map(self.ctx.aliases.is_stored, ir.reads(e.array))):
            return False
        return isinstance(tangent, Var)

    def copied(self, e: Expr, fact: Fact) -> Expr:
        """The tangent of a container that is returned, with arrays of its own."""
        if fact.absent and fact.kind in CONTAINERS:
            there = self.copied(e, replace(fact, absent=False))
            return Op("operator.ifexp", (is_none(e), ir.NONE, there), form=ir.Form.OPERATOR)
        match fact.kind:
            case "list":
                elem = fact.elem or Fact("any", unknown("?"))
                if fact.keyed:
                    return keyed_items(e, lambda v: self.copied(v, elem))
                v = ir.apart("row" if elem.kind == "list" else "v", e)
                item = self.copied(v, elem)
                return owned(e) if item == owned(v) else ir.Comprehension(item, ((v, e, ()),))
            case "tuple" if fact.items:
                return ir.Sequence(tuple(self.copied(Index(e, Const(i)), f) for i, f in enumerate(fact.items)))
            case "dict" if fact.keys:
                values = (self.copied(Index(e, Const(k)), f) for k, f in zip(fact.keys, fact.items, strict=True))
                return ir.Dict(tuple(Const(k) for k in fact.keys), tuple(values))
            case "tuple" | "dict":  # of what, only the run knows
                return Op("helper._added", (Op("helper._zeros_like", (e,)), e))
        if fact.kind in NOT_DIFFERENTIABLE or self.facts.shapes(fact.shape) == SCALAR:
            return e
        if fact.kind == "any":  # it may be a list
            return owned(e)
        return algebra.op(algebra.MULTIPLY, ONE, e)

    # ------------------------------------------------------------ expressions
    def push_full(self, e: Expr) -> Expr:
        pushed = self.push(e, e)
        if pushed is None:
            return self.zero(e)
        expr, shape = pushed
        if self.facts.of(e).kind in ("list", "tuple", "dict"):
            return expr
        return expr if shape == self.facts.shape(e) else self.spread(expr, e)

    def push(self, e: Expr, out: Expr) -> tuple[Expr, Shape] | None:
        """The tangent of an expression and its shape; None where it carries none."""
        if not self.is_active(e):
            return None
        match e:
            case Var(name=name):
                if name in self.ctx.temps and name not in self.called:
                    value = self.ctx.temps[name]
                    pushed = self.push(value, e)
                    if pushed is not None and pushed[1] == self.facts.shape(value):  # that of the name is the same
                        return pushed[0], self.facts.shape(e)
                    return pushed
                return Var(dot(name)), self.facts.shape(e)
            case Index():
                inner = self.push(e.array, e.array)
                if inner is None:
                    return None
                whole = inner[1] == self.facts.shape(e.array) or self.facts.of(e.array).kind in CONTAINERS
                array = inner[0] if whole else self.spread(inner[0], e.array)
                if e.key == ir.Sequence(()) and self.facts.is_scalar(e) and not self.may_change(e, array):
                    return array, self.facts.shape(e)  # np.where(...)[()]: what is new here is a number
                if self.may_be_number(e, array):
                    if ir.NONE not in ir.key_items(e.key):  # x[...]
                        return array, self.facts.shape(e)
                    array = Op("numpy.asarray", (array,))
                return Index(array, self.ctx.tree(e.key)), self.facts.shape(e)
            case ir.Dict():
                values = (self.push_full(v) if self.is_active(v) else self.zero(v) for v in e.values)
                return replace(e, values=tuple(values)), SCALAR
            case ir.Sequence():
                pairs = zip(e.items, self.zero_items(e, self.facts.of(e)), strict=True)
                items = tuple(self.push_full(i) if self.is_active(i) else zero for i, zero in pairs)
                return ir.Sequence(items, e.kind, e.starred), SCALAR
            case Op(fn="numpy.add", args=args, form=ir.Form.OPERATOR) if self.facts.of(e).kind in ("list", "tuple"):
                return self.push(ir.Sequence(args, "list", frozenset((0, 1))), out)
            case Op(fn="numpy.multiply", form=ir.Form.OPERATOR) if self.facts.of(e).kind in ("list", "tuple"):
                message = "a list that is repeated carries a derivative"
                refuse(self.ctx, e, "S231", message, "write a comprehension: `[x for _ in range(n)]`", HOLD)
            case Op(fn=fn) if fn.startswith("local."):
                call = self.helper(e)
                if call is None:
                    return None
                return Index(call, Const(1)), self.facts.shape(e)
            case Op() if asked := zeros.kept(e, self.ctx.expanded):
                return self.push_kept(e, asked)
            case Op(fn="numpy.copy", args=(of,), form=ir.Form.METHOD) if self.facts.of(of).kind == "dict":
                return method("copy", self.push_full(of)), self.facts.shape(e)
            case Op():
                return self.push_op(e, out)
            case ir.Comprehension() if (parts := ir.keyed_parts(e)) is not None:
                return ir.keyed(parts[0], self.push_full(parts[1])), self.facts.shape(e)
        refuse(self.ctx, e, "S236", "this expression has no derivative here", PARTS, HOLD)

    def push_op(self, e: Op, out: Expr) -> tuple[Expr, Shape] | None:
        parts, summed = squared_modulus(e, self.ctx.temps) or ((), False)
        if parts and (len(parts) == 1 or all(self.facts.same_shape(z, e) for z in parts)):
            terms: list[Expr] = []
            for z in filter(self.is_active, parts):
                product = algebra.op(algebra.MULTIPLY, conjugated(z, self.facts), self.push_full(z))
                real = product if self.facts.is_real(z) else Op("numpy.real", (product,))
                terms.append(Op("numpy.sum", (real,)) if summed else real)
            return algebra.op(algebra.MULTIPLY, Const(2.0), reduce(algebra.add, terms)), self.facts.shape(e)
        rule = rule_of(e, self.facts)
        if rule is None:
            no_rule(self.ctx, e)
        call = bind(self.ctx, rule, e)
        if call.results:
            whole_result(self.ctx, e, call)
        if isinstance(rule, Solver):
            solved = self.push_solver(e, call, out)
            return None if solved is None else (solved, self.facts.shape(e))
        dots: dict[rules.Operand, Expr] = {}
        shapes: list[Shape] = []
        placeholders: dict[str, Expr] = {}
        inner = [(o, self.push(o.expr, o.expr)) for o in call.operands if self.is_active(o.expr)]
        for i, (o, pushed) in enumerate(inner):  # after all inner ones, which use the same placeholders
            if pushed is None or self.ctx.simplify(pushed[0]) == ZERO:
                continue  # also where the terms of an operand's tangent cancel
            expr, shape = pushed
            want = self.facts.shape(o.expr)
            if (
                shape != want
                and rule.kind != "elementwise"
                and self.facts.of(o.expr).kind not in ("list", "tuple", "dict")
            ):
                expr, shape = self.spread(expr, o.expr), want
            name = f"%g{i}"
            self.facts.names[name] = (
                Fact("float", shape, number=self.facts.number(o.expr))
                if self.facts.of(o.expr).kind != "list"
                else replace(self.facts.of(o.expr))
            )
            placeholders[name] = expr
            dots[o] = Var(name)
            shapes.append(shape)
        if not dots:
            return None
        result = traced(self.ctx, e, rule.jvp, call, dots, out, self.facts)
        result = past_pole(self.ctx, e, out, result)
        final: dict[str, Expr] = {}
        for name, expr in placeholders.items():
            uses = algebra.count(result, lambda n, name=name: n == Var(name))  # type: ignore[misc]
            expr = self.ctx.finished(expr)
            if uses > 1 and not isinstance(expr, Var) and is_costly(expr):
                given = self.ctx.names.fresh("a_dot", self.ctx.names.of(e), name)
                self.out.append(Assign(given, expr))
                self.facts.names[given] = self.facts.names[name]
                expr = Var(given)
            final[name] = expr
        if self.facts.complex:
            result = tidied(result, self.facts)
        full = self.facts.shape(e)
        if rule.kind == "elementwise":
            full = self.facts.shapes.broadcast([self.facts.shape(v) for v in _leaves(result)])
        return ir.substitute(result, final), full

    def push_kept(self, e: Op, asked: tuple[Expr, ...]) -> tuple[Expr, Shape] | None:
        """The tangent of a choice that keeps the zero of an adjoint: see `zeros`."""
        test, zero, of = e.args
        found = self.push(of, of)
        if found is None:
            return None
        pushed = [p for w in asked if (p := self.push(w, w)) is not None and self.ctx.simplify(p[0]) != ZERO]
        both = zeros.also(self.ctx.tree(test), [w for w, _ in pushed], e.fn == "operator.ifexp")
        return replace(e, args=(both, zero, found[0])), self.facts.shapes.broadcast([self.facts.shape(test), found[1]])

    def spread(self, expr: Expr, like: Expr) -> Expr:
        ones = Op("numpy.ones_like", (like,))
        return ones if expr == ONE else algebra.op(algebra.MULTIPLY, expr, ones)

    @cached_property
    def writes_rank_zero(self) -> bool:
        """Whether stores write into what may be an array of rank 0: so is its tangent then."""
        stores = [s.target for s in ir.statements(self.ctx.function.body) if isinstance(s, ir.Store)]
        whole = (e.array for e in stores if e.key == ir.ELLIPSIS and self.facts.of(e.array).kind not in CONTAINERS)
        return bool(self.ctx.either) or not all(map(self.facts.is_array, whole))

    def zero_items(self, e: ir.Sequence, fact: Fact) -> list[Expr]:
        """Zero tangents of the items of a display; what is None beside lists or objects has none yet."""
        elem = () if fact.elem is None else (fact.elem.kind,)
        structures = any(kind in CONTAINERS for kind in (*elem, *(self.facts.of(i).kind for i in e.items)))
        return [i if structures and i == Const(None) else self.zero(i) for i in e.items]

    def zero(self, e: Expr) -> Expr:
        fact = self.facts.of(e)
        if fact.kind == "function":
            return e
        made = self.ctx.tree(e)
        if isinstance(made, Op) and made.fn in RANK_ZERO and self.writes_rank_zero:
            if made.fn in ZEROS:
                return made
            if self.facts.is_scalar(e) and fact.kind not in CONTAINERS:
                return Op("numpy.zeros_like", (e,), (("dtype", Op("numpy.result_type", (e, ZERO))),))
        if (isinstance(e, ir.Dict) and not e.keys) or (isinstance(e, ir.Sequence) and not e.items):
            return e
        if isinstance(made, ir.Sequence) and all(map(is_written_number, made.items)):
            return replace(made, items=(ZERO,) * len(made.items))  # as numbers, where an array may replace each
        if fact.elem is not None and fact.elem.whole:
            return Op("helper._zeros_like", (e,))
        if fact.keyed and fact.elem is not None and fact.elem.kind not in CONTAINERS:
            numbers = self.facts.shapes(fact.elem.shape) == SCALAR
            return keyed_zeros(e, lambda v: ZERO if numbers else Op("numpy.zeros_like", (v,)))
        if may_lack(self.ctx, e) or self.is_structure(e):
            return Op("helper._zeros_like", (e,))
        if fact.kind == "list" and fact.elem is not None and fact.elem.kind in CONTAINERS:
            return zero_structure(e, fact, self.facts, kind="tuple")
        if fact.kind == "dict" and not fact.keys:
            return Op("helper._zeros_like", (e,))
        if fact.kind == "list":
            v = Var(self.ctx.names.fresh("v", "item"))
            return ir.Comprehension(Op("numpy.zeros_like", (v,)), ((v, e, ()),))
        if fact.kind == "dict" and fact.keys:
            return ir.Dict(tuple(Const(k) for k in fact.keys), tuple(self.zero(Index(e, Const(k))) for k in fact.keys))
        if fact.kind == "tuple" and fact.items:
            return ir.Sequence(tuple(self.zero(Index(e, Const(i))) for i in range(len(fact.items))))
        if self.facts.shapes(fact.shape) == SCALAR or fact.kind == "str":
            return ZERO
        if fact.whole:
            return Op("helper._zeros_like", (e,))
        if fact.kind == "float" or fact.number == COMPLEX:
            return Op("numpy.zeros_like", (e,))
        if isinstance(e, Var) and ir.is_part(e.name) and not self.facts.is_array(e):  # it may be a string, or None
            return Op("helper._zeros_like", (e,))
        of = self.ctx.as_array(e.name) if isinstance(e, Var) else e
        return Op("numpy.zeros_like", (e,), (("dtype", Op("numpy.result_type", (of, ZERO))),))


def is_written_number(e: Expr) -> bool:
    return isinstance(e, Const) and isinstance(e.value, int | float | complex)


def _updating(place: Index, e: Expr) -> ir.Store:
    """place = place + rest as place += rest, and place = factor * place as place *= factor."""
    whole = place.array if place.key == ir.ELLIPSIS else place  # `y_dot[...] = y_dot + rest`
    e = algebra.as_update(e, (place, whole))
    match e:
        case Op(fn="numpy.add" | "numpy.subtract" as fn, args=(a, _), form=ir.Form.OPERATOR) if a in (place, whole):
            return ir.Store(place, e, update=ir.OPERATORS[fn][0])
        case Op(fn="numpy.multiply", args=(factor, a), form=ir.Form.OPERATOR) if a in (place, whole):
            return ir.Store(place, replace(e, args=(a, factor)), update="*")
    return ir.Store(place, e)


class Primal(Forward):
    """The function itself, where nothing is active."""

    def returned(self, unit: list[Stmt], s: ir.Return) -> list[Stmt]:
        return self.pieces(unit)


def holds_list(fact: Fact) -> bool:
    return fact.kind == "list" or any(map(holds_list, fact.items))


def is_tangent_of_call(e: Index) -> bool:
    return isinstance(e.array, Op) and e.array.fn.startswith("local.") and e.key == Const(1)


def with_name(e: Expr, part: Expr, name: Var) -> Expr:
    """An expression with a name for a part of it."""
    return name if e == part else ir.rebuild(e, lambda c: with_name(c, part, name))


def may_share(e: Expr) -> bool:
    """Whether the value of a tangent expression may be an array that something else holds, too."""
    return rules.may_alias(e)


def _leaves(e: Expr) -> list[Expr]:
    match e:
        case Op(fn=fn) if fn in ("numpy.size", "numpy.ndim", "builtins.len"):
            return []
        case Op():
            return [leaf for a in e.args for leaf in _leaves(a)]
        case Const() | ir.Raw() | ir.Attribute():
            return []
    return [e]


def _is_leaf(v: Var, e: Expr) -> bool:
    """Whether an elementwise expression reads a variable: it has no smaller shape than that."""
    if isinstance(e, Op):
        rule = rules.lookup(e.fn)
        return rule is not None and rule.kind == "elementwise" and any(_is_leaf(v, a) for a in e.args)
    return e == v


def _replace_after(e: Expr, name: str, new: str) -> Expr:
    if isinstance(e, Var):
        return Var(new) if e.name == name and e.after else e
    return ir.rebuild(e, lambda c: _replace_after(c, name, new))
