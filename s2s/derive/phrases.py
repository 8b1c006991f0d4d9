"""Pieces of code that more than one stage of a derivation makes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from s2s import ir, rules
from s2s.algebra import ZERO
from s2s.analysis.activity import operands
from s2s.analysis.aliases import ARRAYS_OF_NUMBERS, CONTAINERS, MAYBE_VIEWS, values_read
from s2s.analysis.facts import NOT_DIFFERENTIABLE, Fact, Facts, literal
from s2s.analysis.numbers import REAL
from s2s.analysis.shapes import SCALAR, Length
from s2s.analysis.transfer import is_item_of_open, key_kind, key_parts
from s2s.derive.context import SUMS_OF_LISTS, Context
from s2s.derive.refusals import HOLD, WITHOUT, refuse, refuse_joined, stating
from s2s.frozen import replace
from s2s.ir import Const, Expr, Index, Op, Stmt, Var
from s2s.rules.kinds import Solver
from s2s.rules.sparse import DENSE

OF_SPARSE = ("numpy.matmul", "numpy.dot", "scipy.sparse.linalg.spsolve")  # what knows a constant sparse matrix
WIDTH = 88  # of a line of generated text


def bar(name: str) -> str:
    return name + "%_bar"  # "%" keeps it apart from the user's names; the last pass chooses what is printed


def dot(name: str) -> str:
    return name + "%_dot"


def entry_name(name: str) -> str:
    """What an entry of a dict parameter is called: its last key, as an identifier."""
    if not ir.is_part(name):
        return name
    last = ir.keys_of(name)[-1]
    return str(last) if last.isidentifier() else "entry_" + re.sub(r"\W", "_", last)


def method(name: str, e: Expr) -> Op:
    return Op(f"numpy.{name}", (e,), form=ir.Form.METHOD, spelling=name)


def fields_asked(f: ir.Function) -> set[object] | None:
    """The attributes and keys that a function asks objects and dicts for; None where it hands them on."""
    nodes = [n for s in ir.statements(f.body) for n in ir.nodes(s)]
    if any(isinstance(n, Op) and n.fn.startswith("local.") for n in nodes):
        return None
    return {n.key.value for n in nodes if isinstance(n, Index) and isinstance(n.key, Const)}


def is_none(e: Expr) -> Op:
    """x is None"""
    return Op("operator.is", (e, ir.NONE), form=ir.Form.OPERATOR)


def copied(e: Expr, is_array: bool) -> Op:
    """A copy of what is known to be an array, or of what may be a number of Python's, which has no method."""
    return method("copy", e) if is_array else Op("numpy.copy", (e,))


def owned(e: Expr, like: Expr | None = None) -> Expr:
    """A copy of a value that may be a list, with arrays of its own, in the structure of `like`."""
    return Op("helper._added", (Op("helper._zeros_like", (like or e,)), e))


def is_list_of_numbers(fact: Fact, facts: Facts) -> bool:
    elem = fact.elem
    if fact.kind != "list" or fact.keyed or elem is None or elem.kind in CONTAINERS:
        return False
    return facts.shapes(elem.shape) == SCALAR


def new_numbers(e: Expr, v: Var, new: Callable[[Expr], Expr]) -> Expr:
    """A list of numbers with items of its own: each may be an array of rank 0, into which `+=` writes."""
    if isinstance(e, ir.Comprehension):
        return replace(e, element=new(e.element)) if isinstance(e.element, Var | Index) else e
    return ir.Comprehension(new(v), ((v, e, ()),))


def unless(test: Expr, advice: str) -> Stmt:
    """An assertion that something does not hold, with what to write where it does."""
    return ir.Inert("assert", (Op("operator.not", (test,), form=ir.Form.OPERATOR), Const(advice)))


def asserted_array(e: Expr, origin: ir.Origin | None = None) -> Stmt:
    """What is added in place to a number is lost to the list that it lies in."""
    number = Op("numpy.isscalar", (e,))
    return ir.Inert("assert", (Op("operator.not", (number,), form=ir.Form.OPERATOR),), origin)


def joined(array: Expr, key: Expr, facts: Facts) -> Index:
    """array[key], with x[i][j] as x[i, j], and x[...] for x[...][...], a copy where x is a number."""
    if isinstance(array, Index) and key == ir.ELLIPSIS:
        return array
    if isinstance(array, Index) and array.key != ir.ELLIPSIS:
        outer = key_parts(array.key, facts)
        if all(key_kind(k, facts) == "int" for k in outer):
            return Index(array.array, ir.Sequence((*outer, *ir.key_items(key))))
    return Index(array, key)


def repeated(e: Expr, of: Expr) -> Expr:
    """[e for _ in of]"""
    return ir.Comprehension(e, ((Var("_"), of, ()),))


def got(entry: Expr, *default: Expr) -> Op:
    """`d.get(k, default)` of an entry of a dict that is open."""
    assert isinstance(entry, Index) and isinstance(entry.key, Op)
    return Op(ir.GET, (entry.array, *entry.key.args, *default), form=ir.Form.METHOD, spelling="get")


def nothing(fact: Fact) -> Expr:
    """What stands for an entry of a dict that is not there yet: zeros in its structure, as far as it is known."""
    if fact.kind == "tuple" and fact.items:
        return ir.Sequence(tuple(map(nothing, fact.items)), "tuple")
    if fact.kind == "dict" and fact.keys and not fact.is_object:
        return ir.Dict(tuple(map(ir.Const, fact.keys)), tuple(map(nothing, fact.items)))
    if fact.kind == "dict" or fact.keyed:
        return ir.Dict((), ())
    return ir.Sequence((), "list") if fact.kind == "list" else ZERO


def keyed_zeros(e: Expr, zero: Callable[[Var], Expr]) -> Expr:
    """{k: zero(v) for k, v in d.items()}; of numbers, dict.fromkeys(d, 0.0)."""
    if zero(Var("v")) == ZERO:
        return Op("builtins.dict", (e, ZERO), spelling="dict.fromkeys")
    return keyed_items(e, zero)


def keyed_items(e: Expr, of: Callable[[Var], Expr]) -> Expr:
    """{k: of(v) for k, v in d.items()}"""
    k, v = ir.apart("k", e), ir.apart("v", e)
    return ir.Comprehension(ir.Slice(k, of(v)), ((ir.Sequence((k, v)), method("items", e), ()),), "dict")


def is_dict_of_floats(fact: Fact) -> bool:
    """Whether an annotation says of a dict that its values are numbers: `dict[str, float]`."""
    return fact.kind == "dict" and not fact.keys and fact.elem is not None and fact.elem.kind == "float"


def zero_structure(e: Expr, fact: Fact, facts: Facts, depth: int = 0, kind: str = "list") -> Expr:
    """Zeros in the structure of a list, a tuple, a dict or an object. kind: what is made for a tuple."""
    if not is_plain(fact, facts):
        return Op("helper._zeros_like", (e,))
    if fact.absent and fact.is_object:
        return zeros_of_optional(zero_structure(e, replace(fact, absent=False), facts, depth, kind), e)
    if lacks_parts(fact):
        return Op("helper._zeros_like", (e,))
    if fact.keyed:
        return keyed_zeros(e, lambda v: zero_part(v, fact.elem, facts, depth + 1, kind) if fact.elem else ZERO)
    if fact.kind == "list":
        assert fact.elem is not None
        v = Var("vwuz"[min(depth, 3)])
        inner = zero_structure(v, fact.elem, facts, depth + 1, kind) if fact.elem.kind in CONTAINERS else ZERO
        return ir.Comprehension(inner, ((v if v.name in ir.reads(inner) else Var("_"), e, ()),))
    keys: tuple[Expr, ...] = tuple(ir.Const(k) for k in fact.keys or range(len(fact.items)))
    shown = isinstance(e, ir.Sequence) and not e.starred and len(e.items) == len(keys)
    items = e.items if isinstance(e, ir.Sequence) and shown else tuple(Index(e, k) for k in keys)
    if isinstance(e, ir.Dict) and e.keys == keys:
        items = e.values
    parts = tuple(zero_part(v, f, facts, depth, kind) for v, f in zip(items, fact.items, strict=True))
    return ir.Dict(keys, parts) if fact.kind == "dict" else ir.Sequence(parts, kind)


def zero_record(e: Expr, fields: ir.Record, fact: Fact | None = None) -> Expr:
    """Zeros for an object that can't be changed, in one that can."""
    keys = tuple(ir.Const(ir.Attr(name)) for name, _ in fields)
    parts = [(Index(e, k), inner) for k, (_, inner) in zip(keys, fields, strict=True)]
    zeros = (zero_record(part, inner) if inner else Op("helper._zeros_like", (part,)) for part, inner in parts)
    made = ir.Dict(keys, tuple(zeros))
    return zeros_of_optional(made, e) if fact is not None and fact.absent else made


def zero_part(e: Expr, fact: Fact, facts: Facts, depth: int, kind: str) -> Expr:
    if fact.kind in CONTAINERS:
        return zero_structure(e, fact, facts, depth, kind)
    if fact.kind in NOT_DIFFERENTIABLE or facts.shapes(fact.shape) == SCALAR:
        return ZERO
    if fact.whole or is_item_of_open(fact, facts):
        return Op("helper._zeros_like", (e,))
    unit = ZERO if fact.number == REAL else ir.Const(1j)
    shape = facts.shapes(fact.shape)
    lengths = [d.symbol for d in shape.dims if isinstance(d, Length)]
    whole = lengths if shape.tail is None else [shape.tail[0]] if shape.tail[1] == 0 else []
    listed = any(symbol.partition(".")[0] in facts.open for symbol in lengths)  # it may be a list of numbers
    listed |= len(shape.dims) < 2 and any(symbol.removesuffix(".0") in facts.function.names for symbol in whole)
    of = Op("numpy.asarray", (e,)) if listed else e
    return Op("numpy.zeros_like", (e,), (("dtype", Op("numpy.result_type", (of, unit))),))


def zeros_of_optional(zeros: Expr, e: Expr) -> Expr:
    """Zeros for an object that may be None, as an object in both cases: a number, which has no shape, for each part."""
    if isinstance(zeros, ir.Dict):
        return replace(zeros, values=tuple(zeros_of_optional(v, e) for v in zeros.values))
    return zeros if zeros == ZERO else Op("operator.ifexp", (is_none(e), ZERO, zeros), form=ir.Form.OPERATOR)


def is_optional_object(fact: Fact | None, facts: Facts) -> bool:
    """Whether a value is None in one place, and an object whose parts are known in the others."""
    return fact is not None and fact.absent and fact.is_object and is_plain(fact, facts)


def makes_empty_places(e: Expr) -> bool:
    """Whether a list of places is made that are filled later: `[None] * n`. Nothing lies in that of its adjoint, or of
    its tangent, either."""
    return isinstance(e, ir.Comprehension) and e.kind == "list" and e.element == ir.NONE


def is_unfilled(e: Expr) -> bool:
    """Whether a display holds nothing but displays that hold nothing: `{"x": [], "v": []}`, whose adjoint, and whose
    tangent, is such a display, too."""
    match e:
        case ir.Dict(values=items, made="") | ir.Sequence(items=items):
            return all(map(is_unfilled, items))
    return False


def lacks_parts(fact: Fact) -> bool:
    """Whether a list or a dict may be None, or one that lies in it: what has no items then."""
    own = fact.absent and fact.kind in CONTAINERS and not fact.is_object
    return own or (fact.elem is not None and fact.elem.kind in CONTAINERS and lacks_parts(fact.elem))


def structure_of_zeros(fact: Fact) -> Expr | None:
    """0.0 for each part of a container, for arrays, too; None where the number of its parts is not known."""
    if fact.kind not in CONTAINERS:
        return ZERO
    parts = [structure_of_zeros(f) for f in fact.items]
    if not parts or None in parts or fact.keyed:
        return None
    items = tuple(p for p in parts if p is not None)
    return ir.Dict(tuple(map(ir.Const, fact.keys)), items) if fact.kind == "dict" else ir.Sequence(items, "list")


def is_plain(fact: Fact, facts: Facts) -> bool:
    """Whether zeros for a container are a short expression: its parts are known, those of a list of lists numbers."""
    if fact.kind not in CONTAINERS:
        return fact.kind in NOT_DIFFERENTIABLE or facts.shapes(fact.shape) == SCALAR
    if fact.kind == "list":
        return fact.elem is not None and is_plain(fact.elem, facts)
    if fact.kind == "dict":
        if not fact.keys:
            return False
        parts = [f for f in fact.items if f.kind in CONTAINERS]
        return fact.is_object or holds_objects(fact) or all(is_plain(f, facts) for f in parts)
    return holds_objects(fact) or (
        bool(fact.items) and all(is_plain(f, facts) for f in fact.items if f.kind in CONTAINERS)
    )


def holds_objects(fact: Fact) -> bool:
    """Whether one of the items is an object: zeros for a named tuple, which can't be changed, are another one."""
    return any(f.is_object for f in fact.items)


ARITHMETIC = frozenset(f"numpy.{n}" for n in ("add", "subtract", "multiply", "divide", "power", "negative", "matmul"))


def no_dicts(e: Expr) -> tuple[Expr, ...]:
    """What an expression would raise of, were it a dict."""
    match e:
        case Op(fn=fn, form=ir.Form.OPERATOR, args=args) if fn in ARITHMETIC:
            return args
        case ir.Index(array=array, key=key):
            keys = ir.key_items(key)
            return (array,) if any(isinstance(k, ir.Slice) or k in (ir.NONE, ir.ELLIPSIS) for k in keys) else ()
        case ir.Attribute(value=value, name="shape" | "size" | "ndim" | "dtype" | "T" | "real" | "imag"):
            return (value,)
    return ()


def view_guard(ctx: Context, s: ir.Assign, value: Expr) -> list[Stmt]:
    """Whether np.reshape makes a view or a copy is known when it runs: it is taken for a view. `x[...]` of a number
    is a new array of rank 0, np.expand_dims makes one of a number, too."""
    name = s.target
    dynamic = ctx.aliases.of.get(name) in ctx.aliases.dynamic
    if dynamic and (of := reshaped(value)) is not None:  # of what is made here, nothing else sees the memory
        apart = not rules.may_alias(of) or ctx.facts.of(of).kind == "list"  # of a list, NumPy makes a new array
        return [] if apart else [shares_memory(Var(name), of, copying(ctx, of) or NO_VIEW)]
    if (base := array_of_number(ctx, s, value)) is not None:
        return [] if isinstance(base, Var) and base.name in ctx.function.names else [shares_memory(Var(name), base)]
    return part_guard(ctx, Var(name), value) if dynamic or name in ctx.aliases.views else []


def part_guard(ctx: Context, place: Expr, value: Expr) -> list[Stmt]:
    """Whether `y[i]` is a view of y, or a copy where i is an array, is known when it runs: it is taken for a view."""
    match value:
        case Index(array=base) if ctx.facts.of(base).kind in CONTAINERS:  # what lies in a list is no part of it
            return []
        case Index(array=Index() | Op()):
            selected = selected_from(ctx, value)
            return [] if selected is None else [shares_memory(place, selected)]
        case Index(array=Var() as base, key=key):
            whole = all(k in (ir.ELLIPSIS, ir.NONE) for k in ir.key_items(key))
            unsure = any(map(ctx.may_select, key_parts(key, ctx.facts)))
            if not unsure and (not whole or ctx.facts.shape(base).rank is not None or base.name in ctx.function.names):
                return []
            return [shares_memory(place, base)]
    return []


def guards_before(s: ir.Assign, value: Expr, guards: list[Stmt]) -> list[Stmt]:
    """Those of the guards that have to stand before `b = b.ravel()`: behind it, b is no more what it was a view of."""
    if s.target not in ir.reads(value):
        return []
    bases = [g.values[0].args[1] for g in guards if isinstance(g, ir.Inert) and isinstance(g.values[0], Op)]
    return [shares_memory(value, base) for base in bases]


def copying(ctx: Context, of: Expr) -> str:
    """What to write where np.reshape makes a copy of a matrix that is transposed."""
    fn = of.fn if isinstance(of, Op) else ""
    return "NumPy makes a copy here: write .copy()" if fn in TRANSPOSED and ctx.facts.ndim(of) != 1 else ""


TRANSPOSED = ("numpy.transpose", "numpy.swapaxes", "numpy.moveaxis")


NO_VIEW = "a copy, no view: write into the array itself"


def shares_memory(view: Expr, base: Expr, advice: str = NO_VIEW) -> Stmt:
    return ir.Inert("assert", (Op("numpy.shares_memory", (view, base)), Const(advice)))


def shares_nothing(a: Expr, b: Expr, fn: str = "numpy.shares_memory") -> Stmt:
    return unless(Op(fn, (a, b)), "one array under two names: copy it first")


def selected_from(ctx: Context, value: Expr) -> Expr | None:
    """What a part of a part is taken from, where one of the keys may be an array: `y[1:][i]` and `y[i][1:]` are parts
    of a copy then."""
    unsure = False
    while True:
        match value:
            case Index(array=base, key=key) if ctx.facts.of(base).kind not in CONTAINERS:
                unsure = unsure or any(map(ctx.may_select, key_parts(key, ctx.facts)))
                value = base
            case Op(args=(base, *_)) if rules.may_alias(value):
                value = base
            case _:
                return value if unsure and rules.may_alias(value) else None


def array_of_number(ctx: Context, s: ir.Assign, value: Expr, makers: frozenset[str] = ARRAYS_OF_NUMBERS) -> Expr | None:
    """What a value is a view of if that is an array, and no view if it is a number, which is not known: where one of
    the two is written, and another name of that memory is read behind. makers: the functions that are asked for."""
    of = ctx.aliases.of
    others = {n for n in ctx.live_behind[id(s)] if of.get(n) == of.get(s.target, "")} - {s.target}
    if ctx.forward:  # nobody asks for the tangent of what is read for its shape only
        every = [e for t in ir.statements(ctx.function.body) if t is not s for e in ir.expressions(t)] if others else []
        others &= frozenset().union(*map(values_read, every))
    if not others:
        return None
    while True:
        match value:
            case Op(fn=fn, args=(base, *_)) if fn in makers and not ctx.facts.is_array(base):
                return base
            case Op(args=(base, *_)) if rules.may_alias(value):
                value = base
            case Index(array=base):
                value = base
            case Var(name) if name in ctx.temps and name not in ctx.promoted:
                value = ctx.temps[name]
            case _:
                return None


def reshaped(value: Expr) -> Expr | None:
    """What a value is a view of where one of the operations that make it may copy: W.T, of `W.T.reshape(4, 3).T`."""
    match value:
        case Op(fn=fn, args=(base, *_)) if fn in MAYBE_VIEWS:
            return reshaped(base) or base
        case Op(args=(base, *_)) if rules.may_alias(value):
            return reshaped(base)
        case Index(array=base):
            return reshaped(base)
    return None


def display(ctx: Context, e: Expr) -> Expr:
    """An argument with list displays written out: `[a, b, c][:2]` is `[a, b]`."""
    match e:
        case Var(name=name) if isinstance(ctx.temps.get(name), ir.Sequence | Index):
            inner = display(ctx, ctx.temps[name])
            return inner if isinstance(inner, ir.Sequence) else e
        case Index(array=array, key=ir.Slice(start=start, stop=stop, step=step)):
            items = display(ctx, array)
            try:
                parts: list[Any] = [None if p is None else literal(p) for p in (start, stop, step)]
                cut = slice(*parts)
            except ValueError:
                return e
            return (
                ir.Sequence(items.items[cut], items.kind) if isinstance(items, ir.Sequence) and not items.starred else e
            )
        case ir.Sequence():
            return ir.Sequence(tuple(display(ctx, i) for i in e.items), e.kind, e.starred)
    return e


def of_list(ctx: Context, rule: rules.Rule, e: Expr, value: Op) -> Expr:
    """An argument for one array, as an array where it is the name of a list of constants: rules compute with it."""
    try:
        single = {id(a) for a in rule.single(value, plain=True)}
    except rules.RuleError:
        return e

    def array(e: Expr) -> Expr:
        match e:
            case Var(name=name) if id(e) in single and ctx.facts.of(e).kind in ("list", "tuple"):
                if name not in ctx.activity.active:
                    return Op("numpy.array", (e,))
                message = f"`{rule.spelled}` of a list is not supported: write np.array(...)"
                refuse(ctx, value, "S302", message, WITHOUT, HOLD)
            case ir.Sequence():
                return replace(e, items=tuple(map(array, e.items)))
        return e

    return array(e)


SUMS = ("numpy.add", "numpy.subtract")  # whose derivatives do not read the operands


def bind(ctx: Context, rule: rules.Rule, value: Op) -> rules.Call:
    """The call bound to its rule, or a diagnostic that names what the rule does not take."""
    args = tuple(display(ctx, a) for a in value.args)
    if value.fn in SUMS_OF_LISTS and isinstance(args[0], Var):  # its items may have several shapes
        fact = ctx.facts.of(args[0])
        if fact.kind == "tuple" and fact.items:
            items = tuple(Index(args[0], ir.Const(i)) for i in range(len(fact.items)))
            args = (ir.Sequence(items), *args[1:])
    if value.fn.startswith(("numpy.", "scipy.")):
        args = tuple(of_list(ctx, rule, a, replace(value, args=args)) for a in args)
    try:
        call = rule.bind(replace(value, args=args))
    except rules.RuleError as fault:
        refuse(ctx, value, fault.code, str(fault), *(fault.help or (WITHOUT, HOLD)))
    if rule.converts and isinstance(dtype := call.values["dtype"], Var) and not ctx.facts.is_float_type(dtype):
        refuse(ctx, value, "S302", rules.NO_CONVERSION, WITHOUT, HOLD)
    if value.fn in ("numpy.add", "numpy.multiply"):
        refuse_joined(ctx, value)
    by_item = rule.kind == "elementwise" and value.fn not in SUMS and ctx.facts.of(value).kind != "list"
    if by_item:
        active = ctx.activity.active
        fixed = {a for a in args if isinstance(a, Var) and ctx.facts.of(a).kind == "list" and a.name not in active}
        args = tuple(Op("numpy.array", (a,)) if a in fixed else a for a in args)
        call = rule.bind(replace(value, args=args)) if fixed else call
    if by_item and any(ctx.facts.of(a).kind == "list" for a in args):
        refuse(ctx, value, "S302", f"`{rule.spelled}` of a list is not supported: write np.array(...)", WITHOUT, HOLD)
    if value.fn not in OF_SPARSE and any(ctx.facts.is_sparse(a) for a in value.args):
        message = f"`{rule.spelled}` of a sparse matrix and an active value is not supported"
        refuse(
            ctx,
            value,
            "S302",
            message,
            "a sparse matrix is a constant; " + DENSE,
            "or write a product: `A @ x`, `A.dot(x)`, `spsolve(A, b)`",
        )
    if value.fn == "numpy.dot" and value.form is ir.Form.CALL and any(ctx.facts.is_sparse(a) for a in value.args):
        refuse(ctx, value, "S302", "`np.dot` takes a sparse matrix for an object", "write `A @ x`")
    if isinstance(rule, Solver):
        first = call.values[rule.names[0]]
        if not isinstance(first, Op) or first.fn not in (ir.NAMED, ir.LAMBDA):
            message = f"which function is handed to `{rule.spelled}` can't be told from its text"
            refuse(ctx, value, "S217", message, "name it, or write it as a lambda: `lambda x: f(x, p)`")
    for name, why in rule.closed.items():
        if name in call.values and any(v.name in ctx.activity.active for v in operands(call.values[name])):
            refuse(ctx, value, "S302", f"`{rule.spelled}` with an active `{name}`: {why}", HOLD)
    return call


def traced(ctx: Context, value: Expr, trace: Callable[..., Expr], *args: Any, **options: Any) -> Expr:
    """What a rule writes; it may need a fact that is not there, or lack the mode that is asked for."""
    try:
        return trace(*args, **options)
    except rules.RuleError as fault:
        refuse(ctx, value, fault.code, str(fault), *(fault.help or (stating(ctx.function, ctx.facts, value),)))


def equals(*items: Expr) -> Expr:
    """a == b == c"""
    if len(items) == 2:
        return Op("numpy.equal", items, form=ir.Form.OPERATOR)
    return Op("operator.chain", items, spelling=",".join(["=="] * (len(items) - 1)))


def item_of(place: Index, k: int, facts: Facts) -> Index | None:
    """The k-th item of a part of an array in one subscript: `x[i, 2 + k]` of `x[i, 2:]`. None where the slice is not
    known to start there."""
    keys = list(ir.key_items(place.key))
    for n, key in enumerate(keys):
        match key:
            case ir.Slice(start=None | Const(value=int()) as start, step=None) if k >= 0:
                first = start.value if isinstance(start, Const) else 0
                if not isinstance(first, int) or first < 0:
                    return None
                keys[n] = Const(first + k)
                return Index(place.array, keys[0] if len(keys) == 1 else ir.Sequence(tuple(keys)))
        if key_kind(key, facts) != "int":
            return None
    return joined(place.array, ir.Sequence((*keys, Const(k))), facts)


def displayed(e: Expr) -> Iterator[Expr]:
    """What lies in the displays of an expression, or the expression itself."""
    match e:
        case ir.Sequence(items=items) | ir.Dict(values=items):
            for i in items:
                yield from displayed(i)
        case _:
            yield e
