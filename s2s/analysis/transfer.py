"""What each operation does to kind and shape. Not knowing is always allowed; being wrong never is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

from s2s import ir, rules
from s2s.analysis import numbers, sparse
from s2s.analysis.facts import (
    ANY,
    BOOL,
    FLOAT,
    INT,
    Fact,
    element_of,
    holds_mixed,
    is_uniform,
    join,
    literal,
    with_symbols,
)
from s2s.analysis.matrices import MATRICES, MATRICES_OF_SCIPY, like_second_vector, trace
from s2s.analysis.shapes import SCALAR, Dim, Length, Shape, Shapes, arithmetic, difference, slice_length, unknown
from s2s.frozen import replace
from s2s.ir import Const, Expr, Op, Var

if TYPE_CHECKING:
    from s2s.analysis.facts import Facts

COMPARISONS = {
    "numpy.less", "numpy.less_equal", "numpy.greater", "numpy.greater_equal", "numpy.equal", "numpy.not_equal",
    "numpy.isfinite", "numpy.isnan", "numpy.isinf", "numpy.signbit", "numpy.logical_and", "numpy.logical_or",
    "numpy.logical_not",
}  # fmt: skip
KEEP_INT = {
    "numpy.add", "numpy.subtract", "numpy.multiply", "numpy.floor_divide", "numpy.remainder", "numpy.negative",
    "numpy.positive",
    "numpy.absolute", "numpy.abs", "numpy.maximum", "numpy.minimum", "numpy.square", "numpy.sign", "builtins.abs",
    "builtins.max", "builtins.min", "numpy.divmod", "builtins.divmod",
}  # fmt: skip
REDUCTIONS = {
    "numpy.sum", "numpy.mean", "numpy.prod", "numpy.max", "numpy.min", "numpy.amax", "numpy.amin", "numpy.var",
    "numpy.std", "numpy.linalg.norm",
    "numpy.any", "numpy.all", "numpy.argmax", "numpy.argmin", "numpy.count_nonzero", "numpy.median", "numpy.nansum",
    "numpy.nanmean", "numpy.nanprod", "numpy.nanmax", "numpy.nanmin", "numpy.nanvar", "numpy.nanstd",
    "numpy.nanmedian", "numpy.nanargmax", "numpy.nanargmin", "numpy.ptp", "numpy.average",
}  # fmt: skip
MEANS = {
    "numpy.mean", "numpy.var", "numpy.std", "numpy.linalg.norm", "numpy.nanmean", "numpy.nanvar", "numpy.nanstd",
    "numpy.median", "numpy.nanmedian", "numpy.average",
}  # fmt: skip
SCALAR_FLOATS = {"builtins.float"}
SCALAR_INTS = {
    "builtins.int",
    "builtins.len",
    "numpy.size",
    "numpy.ndim",
    "builtins.ord",
    "builtins.hash",
    "math.floor",
    "math.ceil",
    "math.trunc",
    "math.factorial",
    "math.comb",
    "bisect.bisect",
    "bisect.bisect_left",
    "bisect.bisect_right",
}


def fact_of(e: Expr, facts: Facts) -> Fact:
    match e:
        case Var():
            return facts.names.find(e.name)
        case Const():
            return constant(e)
        case Op() | ir.Index():
            kept = facts.names.nodes.get(id(e))
            if kept is not None and kept[0] == facts.shapes.version:
                return kept[1]
            found = index(e, facts) if isinstance(e, ir.Index) else operation(e, facts)
            if facts.complex and isinstance(e, Op):
                found = numbers.numbered(e, found, facts)
            facts.names.nodes[id(e)] = facts.shapes.version, found, e
            return found
        case ir.Attribute():
            return attribute(e, facts)
        case ir.Sequence():
            items = tuple(fact_of(i, facts) for i in e.items)
            if e.kind == "tuple" and not e.starred:
                return Fact("tuple", opaque(e, facts), items=items, length=None if items else 0)
            elem = None
            for k, i in enumerate(items):
                if k in e.starred:
                    if i.elem is None and (i.kind == "list" or i.length == 0):
                        # of what it holds, it says nothing: what is appended does
                        continue
                    i = element_of(i, facts.shapes, symbol(e.items[k], facts))
                elem = i if elem is None else join(elem, i, "?list[]", facts.shapes)
            places = e.kind == "set" and elem is not None and elem.kind in ("int", "str", "bool")  # or labels: no list
            return Fact(
                "other" if places else "list",
                opaque(e, facts),
                elem and replace(elem, length=None, constant=False),
                length=len(items) if not e.starred and e.kind != "set" else None,
            )
        case ir.Dict(open=True):
            elem = None
            for i in (fact_of(v, facts) for v in e.values):
                elem = i if elem is None else join(elem, i, "?list[]", facts.shapes)
            return Fact("list", opaque(e, facts), elem and replace(elem, length=None, constant=False), keyed=True)
        case ir.Dict():
            keys = tuple(k.value for k in e.keys if isinstance(k, Const) and isinstance(k.value, str))
            items = tuple(fact_of(v, facts) for v in e.values)
            if len(keys) == len(e.keys):
                return Fact("dict", opaque(e, facts), items=items, keys=keys)
            return Fact(
                "dict", opaque(e, facts), elem=next((i for i in items if i.kind in ("list", "tuple", "dict")), None)
            )
        case ir.Comprehension() if (parts := ir.keyed_parts(e)) is not None and (
            held := fact_of(parts[1], facts).elem
        ) is not None:
            return Fact("list", opaque(e, facts), replace(held, length=None, constant=False), keyed=True)
        case ir.Comprehension():
            number = numbers.number_of(e, facts) if facts.complex else numbers.REAL
            kinds = {"list": "list", "set": "any", "dict": "dict"}  # whose items may carry a derivative
            elem = settled(element_fact(e, facts)) if e.kind == "list" else None
            return Fact(kinds.get(e.kind, "other"), opaque(e, facts), elem, number=number)
        case ir.Raw(text=text) if all(part.isidentifier() for part in text.split(".")):
            return Fact("function")
        case ir.Raw():
            return Fact(
                "str" if e.text[:2].lower().strip("rb").startswith(("f'", 'f"', "'", '"')) else "other",
                opaque(e, facts),
            )
        case ir.Slice():
            return Fact("other")
    raise TypeError(type(e).__name__)


def element_fact(e: ir.Comprehension, facts: Facts) -> Fact:
    """What is known of an item of a comprehension, whose variables over ranges are whole numbers."""
    own = [v.name for v, it, _ in e.clauses if isinstance(v, Var) and isinstance(it, Op) and it.fn == "builtins.range"]
    outer = {n: facts.names[n] for n in own if n in facts.names}
    facts.names.update(dict.fromkeys(own, INT))
    fact = fact_of(e.element, facts)
    for n in own:
        del facts.names[n]
    facts.names.update(outer)
    return fact


def settled(fact: Fact) -> Fact | None:
    """What is known of the items of a comprehension: of numbers, and of lists and dicts of them."""
    if fact.kind in ("float", "int", "bool") and fact.shape == SCALAR:
        return Fact(fact.kind, number=fact.number)
    if fact.kind == "none":  # places that are filled later
        return Fact("none")
    if fact.kind == "list" and fact.elem is None and fact.length == 0:  # an empty list, which is filled later
        return Fact("list", unknown("?items"))
    if fact.kind == "list" and fact.elem is not None and (elem := settled(fact.elem)) is not None:
        return Fact("list", unknown("?items"), elem)
    if fact.kind == "dict" and fact.keys:
        items = [i for f in fact.items if (i := settled(f)) is not None]
        return replace(fact, items=tuple(items)) if len(items) == len(fact.items) else None
    if fact.kind == "tuple" and fact.items and all(i.kind == "int" and i.shape == SCALAR for i in fact.items):
        return Fact("tuple", items=(INT,) * len(fact.items))  # places of items
    return None


def constant(e: Const) -> Fact:
    v = e.value
    if isinstance(v, bool):
        return Fact("bool", constant=True)
    if isinstance(v, int):
        return Fact("int", length=v if v >= 0 else None, constant=True)
    if isinstance(v, float):
        return Fact("float", constant=True)
    if isinstance(v, complex):
        return Fact("any", constant=True, number=numbers.COMPLEX)
    if v is None:
        return Fact("none")
    if isinstance(v, ir.Point):  # where an integrand is evaluated; the state of a differential equation
        return Fact("float", Shape((Length("state"),))) if v.position else FLOAT
    return Fact("str" if isinstance(v, str) else "other")


def attribute(e: ir.Attribute, facts: Facts) -> Fact:
    if ir.is_of_module(e):
        return Fact("float", constant=True)
    if ir.is_largest_size(e):
        return INT
    if (path := ir.dotted(e)) and (found := facts.names.get(path)) is not None:
        return found  # of another module: `units.G`
    if e.name == "size":
        return Fact("int", length=count(e.value, facts))
    if e.name in ("ndim", "itemsize", "nbytes"):
        return INT
    if e.name == "shape":
        shape = facts.shape(e.value)
        if shape.rank is not None:
            return Fact("tuple", items=tuple(Fact("int", length=d) for d in shape.dims))
        # a subscript of .shape names the length of that axis, whatever the rank
        return Fact("tuple", shape, elem=INT)
    return Fact("other", opaque(e, facts))


def count(array: Expr, facts: Facts) -> Dim | None:
    """The number of elements of an array of known rank, where it can be named."""
    fact = fact_of(array, facts)
    if fact.kind not in ("float", "int", "bool", "any") or fact.shape.rank is None:
        return None
    found: Dim | None = 1
    for d in facts.shapes(fact.shape).dims:
        found = arithmetic("numpy.multiply", found, d) if found is not None else None
    return found


def symbol(e: Expr, facts: Facts) -> str:
    """A name for what is not known of the value of `e`: equal for equal text, if no name in it is ever rebound.

    Otherwise it starts with "?" and is good only within one statement: binding it to a variable renames it.
    """
    known = facts.symbols.get(id(e))
    if known is None:
        text = ("=" if all(n in facts.stable for n in ir.reads(e)) else "?") + ir.Printer()(e)
        text = text.replace("[]", "list()")  # "[]" in a symbol says that items have several shapes
        known = facts.symbols[id(e)] = (e, text)
    return known[1]


def opaque(e: Expr, facts: Facts) -> Shape:
    return unknown(symbol(e, facts))


def kind_of(args: list[Fact]) -> str:
    kinds = {a.kind for a in args}
    if kinds <= {"int", "bool"}:
        return "int"
    if "any" in kinds or not kinds <= {"int", "bool", "float"}:
        return "any" if not ("float" in kinds and kinds <= {"int", "bool", "float", "any"}) else "float"
    return "float"


def array_like(fact: Fact, facts: Facts) -> Shape | None:
    """The shape that np.asarray would give."""
    if fact.kind == "list" and fact.elem is not None:
        inner = array_like(fact.elem, facts)
        if inner is None:
            return None
        return None if fact.length is None or inner.over else Shape((fact.length, *inner.dims), inner.tail)
    if fact.kind in ("list", "range", "dict", "other"):
        return None
    if fact.kind == "tuple":
        if not fact.items:
            return None
        inner = array_like(fact.items[0], facts)
        if inner is None or inner.over:
            return None
        return Shape((len(fact.items), *inner.dims), inner.tail)
    return facts.shapes(fact.shape)


def array_fact(e: Expr, facts: Facts) -> Fact:
    """The facts of the array that a function makes of a list; of an array they are its own."""
    fact = fact_of(e, facts)
    if fact.kind not in ("list", "tuple"):
        return fact
    return _array(Op("numpy.asarray", (e,)), facts) or Fact("any", opaque(e, facts))


def operation(e: Op, facts: Facts) -> Fact:
    fn = e.fn
    if fn.startswith("operator."):
        if fn == "operator.ifexp":
            return join(fact_of(e.args[1], facts), fact_of(e.args[2], facts), "?if", facts.shapes)
        if fn in (ir.KEY, ir.COUNT):
            return INT
        if fn == ir.GET:
            return index(ir.Index(e.args[0], Op(ir.KEY, e.args[1:2])), facts)
        if fn == ir.KEYS:
            return Fact("list", opaque(e, facts), Fact("other"))
        if fn == "operator.chain":
            return BOOL if all(facts.is_scalar(a) for a in e.args) else Fact("bool", opaque(e, facts))
        return BOOL
    if fn.startswith("local."):
        if facts.calls is None:
            return ANY
        call: Callable[..., Fact] = facts.calls.result
        given = [fact_of(a, facts) for a in e.args]
        result = call(fn[6:], given, {k: fact_of(v, facts) for k, v in e.options}, facts)
        own = f"?{fn[6:]}/"  # what is not known of the result is that of this call
        name = symbol(e, facts).lstrip("=?").replace("(", "<", 1)  # the same for the same arguments
        result = with_symbols(result, lambda s: f"?{name}/{s.removeprefix(own)}" if s.startswith(own) else s)
        facts.complex = facts.complex or numbers.upper(result) != numbers.REAL
        return result
    if fn.startswith("helper."):
        return helper(e, facts)
    if fn in (ir.NAMED, ir.LAMBDA):
        return Fact("other")
    if e.args and isinstance(e.args[0], Op) and e.args[0].fn in (ir.NAMED, ir.LAMBDA):
        return solved(e, facts)
    if (matrix := sparse.fact(e, facts)) is not None:
        return matrix
    special = SPECIAL.get(fn) or results().get(fn)
    if special is not None:
        try:
            found = special(e, facts)
        except (ValueError, IndexError, TypeError):
            found = None
        return typed(e, found if found is not None else Fact("any", opaque(e, facts)), facts.shapes)
    if fn.startswith("math."):
        return INT if fn in SCALAR_INTS else FLOAT
    if fn in SCALAR_INTS:
        length = None
        if fn == "builtins.len":
            inner = fact_of(e.args[0], facts)
            length = inner.length if inner.kind in ("list", "tuple") else facts.shapes.axis_dim(inner.shape, 0)
        elif fn == "builtins.int":
            length = fact_of(e.args[0], facts).length
        elif fn == "numpy.size" and len(e.args) == 1 and not e.options:
            length = count(e.args[0], facts)
        return Fact("int", length=length)
    if fn in SCALAR_FLOATS:
        return FLOAT
    if fn in REDUCTIONS:
        return typed(e, reduction(e, facts), facts.shapes)
    rule = rules.lookup(fn)
    if rule is not None and (rule.kind == "elementwise" or fn in ELEMENTWISE_CONSTANTS):
        return elementwise(e, facts)
    return Fact("any", opaque(e, facts))


ROOTS = ("brentq", "brenth", "ridder", "bisect", "toms748", "root_scalar")
VECTORS = ("fsolve", "root")


def solved(e: Op, facts: Facts) -> Fact:
    """What a solver returns: a number between two bounds, or what has the shape of the start."""
    name = e.fn.rpartition(".")[2]
    if e.form is not ir.Form.PART and getattr(rules.lookup(e.fn), "part", None):
        return Fact("other")  # the whole result
    if name == "minimize" and rules.lookup(e.fn).is_place(e):  # type: ignore[union-attr]
        return Fact("float", Shape((Length(symbol(e, facts)),)))
    if name in ROOTS or name in ("minimize", "minimize_scalar"):
        return FLOAT
    if name == "solve_ivp":
        return Fact("float", Shape(tuple(Length(f"{symbol(e, facts)}.{i}") for i in range(2))))
    if name == "quad":
        return Fact("tuple", items=(FLOAT, FLOAT))
    if name == "quad_vec":
        value = ir.at_point(e.args[0].args[0], Const(1.0))  # type: ignore[union-attr]
        return Fact("tuple", items=(Fact("float", facts.shape(value)), FLOAT))
    start = array_like(fact_of(e.args[1], facts), facts)
    if start is not None and start.rank is not None and not (name in VECTORS and start.rank != 1):
        return Fact("float", start)
    return Fact("float", Shape((Length(symbol(e, facts)),)) if name in VECTORS else opaque(e, facts))


@cache
def results() -> dict[str, Callable[[Op, Facts], Fact | None]]:
    from s2s.analysis.results import RESULTS

    return RESULTS


def elementwise(e: Op, facts: Facts) -> Fact:
    args = [fact_of(a, facts) for a in e.args]
    if e.form is ir.Form.OPERATOR and is_sequence_arithmetic(e.fn, args, facts):
        return sequence_arithmetic(e, args, facts)
    rule = rules.lookup(e.fn)
    operands = {"out", "where"} | (set() if rule is None else {*rule.params, *rule.also} - {"dtype"})
    beside = [fact_of(v, facts) for k, v in e.options if k in operands]
    shapes = [array_like(a, facts) for a in (*args, *beside)]
    if any(s is None for s in shapes):
        shape = opaque(e, facts)
    else:
        shape = facts.shapes.broadcast([s for s in shapes if s is not None])
    if e.fn in COMPARISONS or e.fn in (
        "numpy.invert",
        "numpy.logical_not",
        "numpy.bitwise_and",
        "numpy.bitwise_or",
        "numpy.bitwise_xor",
    ):
        kind = "bool" if e.fn in COMPARISONS or e.fn == "numpy.logical_not" else args[0].kind
        return Fact(kind, shape)
    kind = kind_of(args)
    if e.fn in ("numpy.add", "numpy.multiply") and shape != SCALAR and all(a.kind == "bool" for a in args):
        return Fact("bool" if shape.rank else "any", shape)  # masks; `True * True` of Python's own is 1
    if e.fn not in KEEP_INT and kind == "int" and e.fn != "numpy.power":
        kind = "float"
    if e.fn == "numpy.power" and kind == "int" and not (isinstance(e.args[1], Const)):
        kind = "any"
    if kind == "any" and all(a.kind in ("any", "float", "int", "bool") for a in args) and e.fn in FLOAT_RESULT:
        kind = "float"
    length = None
    if kind == "int" and shape == SCALAR and e.fn in COUNTING:
        a, b = (x.length for x in args)
        length = None if a is None or b is None else arithmetic(e.fn, a, b)
    return Fact(kind, shape, length=length)


FLOAT_RESULT = {
    "numpy.divide", "numpy.exp", "numpy.log", "numpy.sin", "numpy.cos", "numpy.tan", "numpy.tanh", "numpy.sqrt",
    "numpy.log1p", "numpy.expm1",
}  # fmt: skip


COUNTING = ("numpy.add", "numpy.subtract", "numpy.multiply", "numpy.floor_divide")


def is_sequence_arithmetic(fn: str, args: list[Fact], facts: Facts) -> bool:
    """Whether operators join or repeat lists: with an array, a list is one as well."""
    rest = [a for a in args if a.kind not in ("list", "str", "tuple")]
    if len(rest) == len(args) or fn in COMPARISONS:
        return False
    if fn == "numpy.multiply":  # a number that is no literal may be an array
        if any(a.kind == "any" for a in rest) and any(a.kind == "list" and a.constant for a in args):
            return False  # `K * x` of a table of weights: a count is known to be one
        return all(a.kind in ("int", "bool", "any") and facts.shapes(a.shape).rank in (0, None) for a in rest)
    return not rest or any(a.kind == "str" for a in args)


def sequence_arithmetic(e: Op, args: list[Fact], facts: Facts) -> Fact:
    if any(a.kind == "str" for a in args):
        return Fact("str")
    if any(a.kind == "list" for a in args):
        elems = [a.elem for a in args if a.elem]
        whole = e.fn == "numpy.multiply" or all(a.kind == "list" for a in args)  # a list times a number
        if not elems or not whole:
            return Fact("list", opaque(e, facts))
        elem = elems[0]
        for other in elems[1:]:
            elem = join(elem, other, "?sum[]", facts.shapes)
        return Fact("list", opaque(e, facts), elem)
    if e.fn == "numpy.add" and all(a.items or a.length == 0 for a in args):
        items = tuple(i for a in args for i in a.items)
        return Fact("tuple", opaque(e, facts), items=items, length=None if items else 0)
    return Fact("tuple", opaque(e, facts))


def option(e: Op, name: str, position: int | None = None) -> Any:
    """The literal value of an option; ValueError where it is there but not literal; None where it is not."""
    for key, value in e.options:
        if key == name:
            return literal(value)
    if position is not None and len(e.args) > position:
        return literal(e.args[position])
    return None


def axis_name(e: Op, position: int, facts: Facts) -> str | None:
    """The parameter that says over which axes is reduced, if one does and it is never bound again."""
    found = dict(e.options).get("axis", e.args[position] if len(e.args) > position else None)
    if not isinstance(found, Var) or found.name not in facts.function.names:
        return None
    return None if any(found.name in ir.binds(s) for s in ir.statements(facts.function.body)) else found.name


def reduction(e: Op, facts: Facts) -> Fact:
    fact = fact_of(e.args[0], facts)
    kind = fact.kind
    if e.fn in ("numpy.any", "numpy.all"):
        kind = "bool"
    elif e.fn in ("numpy.argmax", "numpy.argmin", "numpy.nanargmax", "numpy.nanargmin", "numpy.count_nonzero"):
        kind = "int"
    elif e.fn in MEANS:
        kind = "float"
    elif kind == "bool":
        kind = "int"
    elif kind in ("list", "tuple"):
        kind = "any"
    position = 2 if e.fn == "numpy.linalg.norm" else 1
    axis: Any = axis_name(e, position, facts)
    try:
        keep = option(e, "keepdims")
        if axis is None:
            axis = option(e, "axis", position)
    except ValueError:
        return Fact(kind, opaque(e, facts))
    if axis is None and not keep:
        return Fact(kind, SCALAR)
    shape = array_like(fact, facts)
    if shape is None:
        return Fact(kind, opaque(e, facts))
    rank = shape.rank
    if isinstance(axis, str) or rank is None:
        if axis == 0 and not keep and (split := facts.shapes.split_first(shape)) is not None:
            return Fact(kind, split[1])
        named = facts.shapes.reduced(shape, axis, bool(keep)) if isinstance(axis, int | str) else None
        return Fact(kind, named or opaque(e, facts))
    axes = range(rank) if axis is None else [axis] if isinstance(axis, int) else axis
    reduced = {a % rank for a in axes} if rank else set()
    dims = tuple(1 if i in reduced else d for i, d in enumerate(shape.dims) if keep or i not in reduced)
    return Fact(kind, Shape(dims))


def index(e: ir.Index, facts: Facts) -> Fact:
    base = fact_of(e.array, facts)
    keys = list(key_parts(e.key, facts))
    if base.kind in ("list", "tuple"):
        if len(keys) == 1 and base.items:
            try:
                at = literal(keys[0])
            except ValueError:
                at = None
            if isinstance(at, int) and -len(base.items) <= at < len(base.items):
                return base.items[at]
        if isinstance(e.key, ir.Slice):
            return replace(base, length=None, items=cut_items(base.items, e.key) if base.kind == "tuple" else ())
        if (
            base.kind == "tuple"
            and isinstance(e.array, ir.Attribute)
            and e.array.name == "shape"
            and isinstance(keys[0], Const)
        ):
            return Fact("int", length=facts.shapes.axis_dim(facts.shape(e.array.value), keys[0].value))
        item = element_of(base, facts.shapes, symbol(e, facts))  # any of them
        return item_of_copy(item, e, facts) if isinstance(e.key, Const) else item
    if base.kind == "range":
        return base if isinstance(e.key, ir.Slice) else INT
    if base.kind == "dict" and isinstance(e.key, Const) and e.key.value in base.keys:
        return base.items[base.keys.index(e.key.value)]
    if base.kind == "dict" and (shown := only_read(e.array, facts)) is not None:
        values = tuple(fact_of(v, facts) for v in shown.values)
        if (entry := any_entry(replace(base, items=values), e, facts)) is not None:
            return entry
    if base.kind == "dict" and is_constant(e.array, facts) and (entry := any_entry(base, e, facts)) is not None:
        return entry
    if base.kind == "dict" and base.elem is not None and base.elem.kind == "float":  # as its annotation says
        return base.elem
    if base.kind in ("dict", "str", "other"):
        number = numbers.upper(base)
        held = base.kind == "dict" and base.elem is not None  # under one of its keys
        return Fact("any" if base.kind == "dict" else base.kind, opaque(e, facts), number=number, mixed=held)
    if facts.stated_items and (shape := facts.stated_items.get(e)) is not None:
        return Fact("any", shape, number=base.number)
    if base.whole:
        return Fact("any", item_of_whole(e, base, facts), number=base.number, whole=True)
    if isinstance(e.key, Const) and is_open(e.array, base, facts):
        stated = isinstance(e.array, Var) and e.array.name in facts.of_numbers
        return Fact("any", SCALAR if stated else opaque(e, facts), number=base.number)
    if base.kind == "any" and isinstance(e.array, Var) and is_unseen(e.array, facts):
        return Fact("any", opaque(e, facts), number=base.number, whole=True)
    shape = index_shape(e, facts.shapes(base.shape), keys, facts)
    return Fact(base.kind, shape, number=base.number, integers=base.integers)


def item_of_whole(e: ir.Index, base: Fact, facts: Facts) -> Shape:
    """A shape for `z[i][k]`: the same whether `z[i]` has a name of its own or not."""
    name, dropped = facts.shapes(base.shape).tail or ("", 0)
    if "[" not in name or dropped:
        return opaque(e, facts)
    stable = name.startswith("=") and all(n in facts.stable for n in ir.reads(e.key))
    return unknown(("=" if stable else "?") + f"{name.lstrip('=?')}[{ir.Printer()(e.key)}]")


def is_constant(e: Expr, facts: Facts) -> bool:
    """Whether an expression is a constant of the module."""
    return isinstance(e, Var) and e.name in facts.given and e.name not in facts.function.names


def is_unseen(e: Var, facts: Facts) -> bool:
    """Whether a name is one of the module, of which only the run knows what it holds: neither a part of a parameter,
    `state.pos`, nor bound here."""
    if e.name in facts.given or e.name in facts.function.names or e.name in facts.names:
        return False
    if not e.name.isidentifier():
        return e.name.startswith("@")  # of another module
    if facts.bound is None:
        every = [*ir.statements(facts.function.body)]
        targets = [c[0] for s in every for e in ir.nodes(s) if isinstance(e, ir.Comprehension) for c in e.clauses]
        facts.bound = frozenset(n for s in every for n in ir.binds(s)).union(*map(ir.reads, targets))
    return e.name not in facts.bound


def only_read(e: Expr, facts: Facts) -> ir.Dict | None:
    """A dict display that an expression is, or that a name is bound to of which entries are read, and nothing else."""
    if not isinstance(e, Var):
        return e if isinstance(e, ir.Dict) else None
    every = list(ir.statements(facts.function.body))
    made = [s for s in every if e.name in ir.binds(s)]
    nodes = [n for s in every for n in ir.nodes(s)]
    items = sum(n.array == e for n in nodes if isinstance(n, ir.Index))
    stored = any(isinstance(s, ir.Store) and ir.written_name(s.target) == e.name for s in every)
    display = made[0].value if len(made) == 1 and isinstance(made[0], ir.Assign) else None
    alone = not stored and sum(ir.is_use(n, e.name) for n in nodes) == items
    return display if alone and isinstance(display, ir.Dict) and not display.open else None


def any_entry(base: Fact, e: ir.Index, facts: Facts) -> Fact | None:
    """What the entries of a dict have in common, where they are texts, numbers, or tuples of them."""
    plain = ("str", "int", "float", "bool")
    inside = [i for fact in base.items for i in (fact.items if fact.kind == "tuple" else (fact,))]
    if not inside or not all(i.kind in plain and not i.shape.dims for i in inside):
        return None
    entry = element_of(replace(base, kind="tuple"), facts.shapes, symbol(e, facts))
    return entry if entry.kind in plain or (entry.kind == "tuple" and entry.items) else None


def cut_items(items: tuple[Fact, ...], key: ir.Slice) -> tuple[Fact, ...]:
    """The items of a part of a tuple, none where it is not known which."""
    try:
        part = slice(*(None if k is None else literal(k) for k in (key.start, key.stop, key.step)))
        return tuple(items[i] for i in range(*part.indices(len(items))))
    except (TypeError, ValueError):
        return ()


def is_open(e: Expr, fact: Fact, facts: Facts) -> bool:
    """Whether a value may be a list or a tuple, for all that is known of it: its items may be of different shapes."""
    shape = facts.shapes(fact.shape)
    if fact.kind != "any" or shape.rank is not None:
        return False
    part = shape.tail is not None and len(shape.dims) <= 1 and is_held(shape.tail[0], facts)
    return part or (isinstance(e, Var) and e.name in facts.open)


def item_of_copy(item: Fact, e: ir.Index, facts: Facts) -> Fact:
    """An item that is read of a list under a number: where it is one of what may be a list or a tuple (`is_open`), as
    in a copy of such, its shape is its own, whatever that of the others is."""
    if not is_item_of_open(item, facts):
        return item
    own, of = symbol(e, facts), item.shape.tail[0].lstrip("=?") if item.shape.tail else ""
    return replace(item, shape=unknown(f"{own[0]}{of}[{own[1:]}]"))


def is_item_of_open(fact: Fact, facts: Facts) -> bool:
    """Whether a value is an item of what may be a list or a tuple, and may be one itself."""
    shape = facts.shapes(fact.shape)
    return fact.kind == "any" and not shape.dims and shape.tail is not None and is_held(shape.tail[0], facts)


def is_held(symbol: str, facts: Facts) -> bool:
    """Whether a symbol is that of what may be a list or a tuple, or of an item of it: `rows`, `rows[0]`."""
    shown = symbol.lstrip("=?")
    owners = (name for name in facts.open if shown == name or shown.startswith(name + "["))
    if any(name not in facts.given or facts.given[name].kind == "any" for name in owners):  # nothing is stated of it
        return True
    made = facts.definitions.get(symbol[:-1], []) if symbol.endswith("~") else []
    return any(d.tail is not None and d.tail[0] != symbol and is_held(d.tail[0], facts) for d in made)


def key_kind(key: Expr, facts: Facts) -> str:
    """int, slice, ellipsis, newaxis, or an array key: "ints", "mask", or "any"."""
    match key:
        case ir.Slice():
            return "slice"
        case Const(value=None):
            return "newaxis"
        case Const():
            return (
                "ellipsis"
                if key.value is Ellipsis
                else "int"
                if isinstance(key.value, int) and not isinstance(key.value, bool)
                else "any"
            )
    fact = fact_of(key, facts)
    if fact.kind == "int" and is_number(fact, facts):
        return "int"
    if fact.kind == "bool":
        return "mask"
    if fact.kind == "list":  # what is known of a tuple without a known length, too, which is a key of several axes
        return "ints" if is_list(key, facts) else "any"
    return "ints" if fact.kind == "int" else "any"


MAKE_LISTS = frozenset(["builtins.list", "builtins.sorted", "numpy.ndarray.tolist"])


def is_list(e: Expr, facts: Facts) -> bool:
    """Whether a value is surely a list, and no tuple."""
    if isinstance(e, Var):
        if facts.lists is None or facts.lists[0] is not facts.function:
            facts.lists = facts.function, lists_of(facts.function, facts.calls)
        return e.name in facts.lists[1]
    return makes_list(e)


def makes_list(e: Expr) -> bool:
    match e:
        case ir.Sequence(kind=kind) | ir.Comprehension(kind=kind):
            return kind == "list"
    return isinstance(e, Op) and e.fn in MAKE_LISTS


def lists_of(f: ir.Function, calls: Any, asked: frozenset[str] = frozenset()) -> frozenset[str]:
    """The names of a function that stand for lists wherever they are read.

    asked: helpers of which it is being found out whether they return lists.
    """
    every = list(ir.statements(f.body))
    values: dict[str, list[Expr | None]] = {}
    for s in every:
        for i, name in enumerate(ir.binds(s)):
            value = s.value if isinstance(s, ir.Assign) else None
            call = s.value if isinstance(s, ir.Assign | ir.Unpack) else None
            if isinstance(call, Op) and call.fn.startswith("local.") and getattr(s, "starred", -1) < 0:
                at = i if isinstance(s, ir.Unpack) else None
                value = ir.Sequence((), "list") if returns_list(call.fn[6:], at, calls, asked) else None
            values.setdefault(name, []).append(value)
    noted = {p.name for p in (*f.params, *f.fields) if p.annotation.partition("[")[0] in ("list", "List")}
    found = {s.array for s in every if isinstance(s, ir.Append)}
    found |= {n for n in noted if n not in values}
    while True:
        more = {
            n
            for n, given in values.items()
            if (n not in f.names or n in noted)
            and all(v is not None and (makes_list(v) or (isinstance(v, Var) and v.name in found)) for v in given)
        }
        if more <= found:
            return frozenset(found)
        found |= more


def returns_list(name: str, at: int | None, calls: Any, asked: frozenset[str]) -> bool:
    """Whether a helper returns a list, or a tuple with a list in a place of it."""
    if calls is None or name in asked or name not in calls.source.functions:
        return False
    f = calls.prepare(name).function
    values: list[Expr | None] = [s.value for s in ir.statements(f.body) if isinstance(s, ir.Return)]
    if at is not None:
        shown = [v if isinstance(v, ir.Sequence) and not v.starred and at < len(v.items) else None for v in values]
        values = [v and v.items[at] for v in shown]
    lists = lists_of(f, calls, asked | {name})
    return bool(values) and all(
        v is not None and (makes_list(v) or (isinstance(v, Var) and v.name in lists)) for v in values
    )


def key_parts(key: Expr, facts: Facts) -> tuple[Expr, ...]:
    """The parts of a subscript's key, of `x[p]` where p is a tuple of whole numbers: p[0], p[1]."""
    keys = ir.key_items(key)
    if isinstance(key, Var):
        fact = fact_of(key, facts)
        if fact.kind == "tuple" and fact.items and all(i.kind == "int" and is_number(i, facts) for i in fact.items):
            return tuple(ir.Index(key, Const(n)) for n in range(len(fact.items)))
    return keys


def is_number(fact: Fact, facts: Facts) -> bool:
    return facts.shapes(fact.shape) == SCALAR


def index_shape(e: Expr, shape: Shape, keys: list[Expr], facts: Facts) -> Shape:
    kinds = [key_kind(k, facts) for k in keys]
    if any(k in ("mask", "any") for k in kinds) or (kinds.count("ints") > 1) or ("ints" in kinds and len(kinds) > 1):
        mask = facts.shape(keys[0]) if kinds == ["mask"] and isinstance(keys[0], ir.Var) else None
        if mask is not None and mask.rank and shape.rank is not None and mask.rank <= shape.rank:
            return Shape((Length(symbol(keys[0], facts) + ".sum"), *shape.dims[mask.rank :]))
        return selected(shape, keys, kinds, facts) or opaque(e, facts)
    if kinds == ["ints"]:
        key = array_like(fact_of(keys[0], facts), facts)
        split = facts.shapes.split_first(shape)
        if key is None or split is None or key.rank is None:
            return opaque(e, facts)
        return Shape(key.dims + split[1].dims, split[1].tail)
    if kinds[-1:] == ["ellipsis"]:  # of what is left
        keys, kinds = keys[:-1], kinds[:-1]
        if not keys:
            return shape
    elif "ellipsis" in kinds:
        if shape.rank is None:
            return opaque(e, facts)
        at = kinds.index("ellipsis")
        used = sum(k in ("int", "slice") for k in kinds)
        fill: list[Expr] = [ir.Slice(None, None)] * (shape.rank - used)
        keys = keys[:at] + fill + keys[at + 1 :]
        kinds = kinds[:at] + ["slice"] * len(fill) + kinds[at + 1 :]
    dims: list[Dim] = []
    rest = shape
    for one, kind in zip(keys, kinds, strict=True):
        if kind == "newaxis":
            dims.append(1)
            continue
        split = facts.shapes.split_first(rest)
        if split is None:
            return opaque(e, facts)
        d, rest = split
        if kind == "int":
            continue
        assert isinstance(one, ir.Slice)
        dims.append(sliced(d, one, facts))
    if rest.over:  # nothing but new axes before a broadcast of unknown rank
        return opaque(e, facts)
    return Shape(tuple(dims) + rest.dims, rest.tail)


def selected(shape: Shape, keys: list[Expr], kinds: list[str], facts: Facts) -> Shape | None:
    """The shape of array[keys] where several keys are arrays of integers, one stands among slices, or a tuple has them.

    Arrays side by side are broadcast against each other, and take the place of their axes.
    """
    found = [fact_of(k, facts) for k in keys]
    if len(keys) == 1 and found[0].kind == "tuple" and all(i.kind == "int" for i in found[0].items):
        found, kinds = [*found[0].items], ["ints"] * len(found[0].items)
    if shape.rank is None or not 0 < len(found) <= shape.rank:
        return None
    arrays = [array_like(f, facts) for f, k in zip(found, kinds, strict=True) if k == "ints"]
    known = [a for a in arrays if a is not None and a.rank is not None]
    if not known or len(known) < len(arrays):
        return None
    if set(kinds) <= {"ints", "int"}:
        together = facts.shapes.broadcast(known)
        return Shape(together.dims + shape.dims[len(found) :]) if together.rank is not None else None
    if set(kinds) == {"ints", "slice"} and len(known) == 1:
        dims: list[Dim] = []
        for key, kind, d in zip(keys, kinds, shape.dims, strict=False):
            dims += [sliced(d, key, facts)] if kind == "slice" and isinstance(key, ir.Slice) else known[0].dims
        return Shape((*dims, *shape.dims[len(found) :]))
    return None


def sliced(d: Dim, key: ir.Slice, facts: Facts) -> Dim:
    try:
        step = None if key.step is None else literal(key.step)
        found = slice_length(d, bound(key.start, facts), bound(key.stop, facts), step)
    except ValueError:
        found = None
    return found if found is not None else Length(symbol(ir.Index(Const(str(d)), key), facts))


def bound(e: Expr | None, facts: Facts) -> Dim | None:
    """A bound of a slice: None, a literal, or a length that is not negative. Raises ValueError for others."""
    if e is None:
        return None
    try:
        value = literal(e)
    except ValueError:
        length = facts.of(e).length
        if not isinstance(length, Length) or length.minus > 0 or not facts.is_length(length.symbol):
            raise
        return length
    if value is None or isinstance(value, int):
        return value
    raise ValueError(value)


BARS_OF_SHAPES = frozenset(
    f"helper.{n}"
    for n in (
        *("_unbroadcast", "_tile_bar", "_repeat_bar", "_pad_bar", "_diag_bar", "_take_bar", "_irfft_bar"),
        "_irfftn_bar",
    )
)
BARS_OF_FACTORS = frozenset(f"helper._{n}_bar_{x}" for n in ("matmul", "dot", "inner", "tensordot") for x in "ab")


def helper(e: Op, facts: Facts) -> Fact:
    if e.fn in BARS_OF_SHAPES or e.fn in BARS_OF_FACTORS:  # a cotangent has the shape of what it belongs to
        return Fact("float", facts.shape(e.args[2 if e.fn.endswith("_bar_b") else 1]))
    if e.fn == "helper._zeros_like":
        found = zeros_of(fact_of(e.args[0], facts), facts)
        if found.kind == "list" and holds_mixed(found):  # lists beside numbers or arrays
            return Fact("any", found.shape, number=numbers.upper(found), whole=True)
        return replace(found, whole=found.kind == "any" and facts.shapes(found.shape).rank is None)
    if e.fn == "helper._added":  # of two structures that are the same
        held = [f for f in (fact_of(a, facts) for a in e.args) if f.kind in ("list", "tuple", "dict")]
        if held:
            return zeros_of(held[0], facts)
        first = fact_of(e.args[0], facts)
        if first.whole or all(fact_of(a, facts).kind == "any" for a in e.args):  # it may be one of these as well
            return Fact("any", opaque(e, facts), whole=True)
    if e.fn == "helper._each_once":  # arrays of places, one for each axis
        return Fact("any", opaque(e, facts))
    if e.fn == "helper._block_bar":  # the pieces are nested like the blocks
        return zeros_of(fact_of(e.args[1], facts), facts)
    return Fact("float", opaque(e, facts))


def zeros_of(fact: Fact, facts: Facts) -> Fact:
    """Zeros in the structure of a value: lists for its lists and tuples, floats for its numbers."""
    elem = fact.elem and zeros_of(fact.elem, facts)
    if fact.kind == "tuple" and fact.items:
        elem = zeros_of(fact.items[0], facts)
        for i in fact.items[1:]:
            elem = join(elem, zeros_of(i, facts), "?list[]", facts.shapes)
        return Fact("list", fact.shape, elem, length=len(fact.items))
    kind = {"tuple": "list", "int": "float", "bool": "float"}.get(fact.kind, fact.kind)
    length = fact.length if kind == "list" else None
    items = tuple(zeros_of(i, facts) for i in fact.items)
    return replace(fact, kind=kind, elem=elem, items=items, length=length, constant=False)


# ---------------------------------------------------------------- functions with a shape of their own


def _matmul(e: Op, facts: Facts) -> Fact | None:
    a, b = (fact_of(x, facts) for x in e.args[:2])
    kind = kind_of([a, b])
    s, t = facts.shapes(a.shape), facts.shapes(b.shape)
    if s.rank is None or t.rank is None:
        return Fact(kind, opaque(e, facts))
    if e.fn == "numpy.dot" and (s.rank == 0 or t.rank == 0):
        return Fact(kind, facts.shapes.broadcast([s, t]))
    if s.rank == 0 or t.rank == 0:
        return None
    inner_b = t.dims[0] if t.rank == 1 else t.dims[-2]
    facts.shapes.demand_equal(s.dims[-1], inner_b)
    if s.rank <= 2 and t.rank <= 2:
        return Fact(kind, Shape(s.dims[:-1] + (t.dims[1:] if t.rank == 2 else ())))
    if e.fn == "numpy.dot":
        return Fact(kind, Shape(s.dims[:-1] + (t.dims[:-2] + t.dims[-1:] if t.rank > 1 else ())))
    if t.rank == 1:
        return Fact(kind, Shape(s.dims[:-1]))
    if s.rank == 1:
        return Fact(kind, Shape(t.dims[:-2] + t.dims[-1:]))
    batch = facts.shapes.broadcast([Shape(s.dims[:-2]), Shape(t.dims[:-2])])
    return Fact(kind, Shape((*batch.dims, s.dims[-2], t.dims[-1])))


def _inner(e: Op, facts: Facts) -> Fact | None:
    a, b = (fact_of(x, facts) for x in e.args[:2])
    s, t = facts.shapes(a.shape), facts.shapes(b.shape)
    if s.rank is None or t.rank is None:
        return Fact(kind_of([a, b]), opaque(e, facts))
    if s.rank == 0 or t.rank == 0:
        return Fact(kind_of([a, b]), facts.shapes.broadcast([s, t]))
    facts.shapes.demand_equal(s.dims[-1], t.dims[-1])
    return Fact(kind_of([a, b]), Shape(s.dims[:-1] + t.dims[:-1]))


def _outer(e: Op, facts: Facts) -> Fact | None:
    a, b = (facts.shape(x) for x in e.args[:2])
    own = symbol(e, facts)
    dims = (s.dims[0] if s.rank == 1 else Length(f"{own}.{i}") for i, s in enumerate((a, b)))
    return Fact("any", Shape(tuple(dims)))


def _copied(e: Op, facts: Facts) -> Fact | None:
    """d.copy() of a dict whose keys are known is one with the same entries."""
    fact = fact_of(e.args[0], facts)
    return fact if fact.kind == "dict" and fact.keys and e.form is ir.Form.METHOD else _same(e, facts)


def _deep_copy(e: Op, facts: Facts) -> Fact | None:
    fact = fact_of(e.args[0], facts)
    return fact if fact.kind in ("list", "tuple", "dict") else _same(e, facts)


def _same(e: Op, facts: Facts) -> Fact | None:
    fact = fact_of(e.args[0], facts)
    shape = array_like(fact, facts)
    if shape == SCALAR and facts.arrays_made and e.fn == "numpy.zeros_like":
        shape = opaque(e, facts)
    return None if shape is None else Fact(fact.kind if fact.kind in ("float", "int", "bool") else "any", shape)


def _of_list(e: Op, facts: Facts) -> Fact | None:
    """`d.index(v)` and `d.count(v)` of a list are whole numbers; objects may have methods of these names."""
    return INT if fact_of(e.args[0], facts).kind in ("list", "tuple") else None


def _rounded(e: Op, facts: Facts) -> Fact | None:
    """round(x) of a number is an integer, of an array it is none."""
    found = _same(e, facts)
    return found and replace(found, kind=found.kind if found.kind == "int" else "any")


def _triangle(e: Op, facts: Facts) -> Fact | None:
    """A vector is each row of a matrix whose triangle is taken."""
    found = _same(e, facts)
    rank = None if found is None else facts.shapes(found.shape).rank
    if found is None or rank is None:
        return None
    return replace(found, shape=Shape(facts.shapes(found.shape).dims * 2)) if rank == 1 else found


def _same_float(e: Op, facts: Facts) -> Fact | None:
    found = _same(e, facts)
    return found and replace(found, kind="float")


def _found_places(e: Op, facts: Facts) -> Fact | None:
    """Places in a sorted vector, one for each number that is looked up."""
    sought = dict(e.options).get("v", e.args[1] if len(e.args) > 1 else ir.NONE)
    shape = array_like(fact_of(sought, facts), facts)
    return Fact("int", shape if shape is not None and sought != ir.NONE else opaque(e, facts))


def _cross(e: Op, facts: Facts) -> Fact | None:
    """The product of two vectors in space."""
    dims = [facts.shapes(s).dims for a in e.args[:2] if (s := array_like(fact_of(a, facts), facts)) is not None]
    if e.options or len(e.args) != 2 or not any(d == (3,) for d in dims):
        return None
    return Fact("any", Shape((3,))) if [facts.ndim(a) for a in e.args] == [1, 1] else None


def _places(e: Op, facts: Facts) -> Fact | None:
    """The order of the elements along an axis, which None flattens."""
    flat = ("axis", ir.NONE) in e.options or ir.NONE in e.args
    found = None if flat else _same(e, facts)
    return replace(found, kind="int") if found is not None else Fact("int", opaque(e, facts))


def _transpose(e: Op, facts: Facts) -> Fact | None:
    fact = array_fact(e.args[0], facts)
    shape = facts.shapes(fact.shape)
    axes = option(e, "axes", 1)
    if shape.rank is None or (axes is not None and len(axes) != shape.rank):  # a rank that has been guessed
        return Fact(fact.kind, opaque(e, facts))
    order = [a % shape.rank for a in axes] if axes is not None else list(range(shape.rank))[::-1]
    return Fact(fact.kind, Shape(tuple(shape.dims[a] for a in order)))


def _from_shape(e: Op, facts: Facts) -> Fact | None:
    """zeros, ones, full, eye, arange: the shape is an argument."""
    kind = "float"
    if e.fn == "numpy.full":
        value = e.args[1] if len(e.args) > 1 else dict(e.options)["fill_value"]
        fill = fact_of(value, facts).kind
        kind = fill if fill in ("float", "int", "bool") else "any"
    first = e.args[0]
    items = list(first.items) if isinstance(first, ir.Sequence) else [first]
    fact = fact_of(first, facts)
    if not isinstance(first, ir.Sequence):
        if fact.kind == "tuple" and fact.items:
            return Fact(kind, Shape(tuple(_dim(i, f"{symbol(e, facts)}.{j}") for j, i in enumerate(fact.items))))
        if isinstance(first, ir.Attribute) and first.name == "shape":
            return Fact(kind, facts.shape(first.value))
        if isinstance(first, Op) and first.fn == "numpy.shape":
            return Fact(kind, facts.shape(first.args[0]))
        if fact.kind != "int" or facts.shapes(fact.shape) != SCALAR:
            return Fact(kind, opaque(e, facts))
    dims = []
    for i in items:
        f = fact_of(i, facts)
        if f.kind not in ("int", "any"):
            return Fact(kind, opaque(e, facts))
        dims.append(_dim(f, symbol(i, facts)))
    return Fact(kind, Shape(tuple(dims)))


# the dtype of these may be an argument without a name, in this place
DTYPE_AT = {
    f"numpy.{fn}": i
    for i, names in {
        1: "array asarray asanyarray astype empty empty_like fromiter identity ones ones_like zeros zeros_like",
        2: "full full_like",
        3: "arange eye",
    }.items()
    for fn in names.split()
}


def dtype_argument(e: Op) -> Expr | None:
    """The dtype that a call asks for."""
    at = DTYPE_AT.get(e.fn)
    found = e.args[at] if at is not None and len(e.args) > at else next((v for k, v in e.options if k == "dtype"), None)
    return None if found == ir.NONE else found


def typed(e: Op, fact: Fact, shapes: Shapes) -> Fact:
    """The fact of a call's result, with the kind of the dtype that is asked for."""
    dtype = dtype_argument(e)
    if dtype is None or fact.kind not in ("float", "int", "bool", "any"):
        return fact
    if isinstance(dtype, Op) and dtype.fn == "numpy.result_type":
        return replace(fact, kind="float" if Const(0.0) in dtype.args else "any")
    if isinstance(dtype, Op) and dtype.fn == "operator.ifexp":
        one, other = (typed(replace(e, args=(), options=(("dtype", d),)), fact, shapes) for d in dtype.args[1:])
        return join(one, other, "?if", shapes)
    name = ir.Printer()(dtype).rpartition(".")[2].strip("'\"").rstrip("_0123456789")
    known = {"float": "float", "double": "float", "int": "int", "uint": "int", "intp": "int", "bool": "bool"}
    return replace(fact, kind=known.get(name, "float" if "float" in name else "any"))


def _dim(fact: Fact, name: str) -> Dim:
    return fact.length if fact.length is not None else Length(name)


def _eye(e: Op, facts: Facts) -> Fact | None:
    n = _dim(fact_of(e.args[0], facts), symbol(e.args[0], facts))
    if len(e.args) > 1 or e.options:
        return None
    return Fact("float", Shape((n, n)))


def _arange(e: Op, facts: Facts) -> Fact | None:
    kinds = {fact_of(a, facts).kind for a in e.args}
    kind = "int" if kinds <= {"int"} else "float"
    if len(e.args) == 1:
        n = fact_of(e.args[0], facts)
        return Fact(kind, Shape((_dim(n, symbol(e.args[0], facts)),)))
    found = None
    if len(e.args) == 2 and kind == "int":
        start, stop = (fact_of(a, facts).length for a in e.args)
        found = None if start is None or stop is None else difference(stop, start)
    return Fact(kind, Shape((found if found is not None else Length(symbol(e, facts)),)))


def _linspace(e: Op, facts: Facts) -> Fact | None:
    if option(e, "retstep") or (e.fn == "numpy.linspace" and len(e.args) > 4):  # the step beside it
        return None
    if len(e.args) < 3 or not all(facts.is_scalar(a) for a in e.args[:2]):
        return Fact("float", opaque(e, facts))
    return Fact("float", Shape((_dim(fact_of(e.args[2], facts), symbol(e.args[2], facts)),)))


def display_shape(e: Expr, facts: Facts) -> Shape | None:
    """The shape of the array of a display, `[[a, b], [c, d]]`: one item of known shape tells that of the others."""
    if not isinstance(e, ir.Sequence) or not e.items or e.starred:
        return array_like(fact_of(e, facts), facts)
    every = {display_shape(i, facts) for i in e.items}
    known = {s for s in every if s is not None and s.rank is not None}
    if len(known) != 1:
        return None
    inner = known.pop()
    return Shape((len(e.items), *inner.dims))


def _array(e: Op, facts: Facts) -> Fact | None:
    fact = fact_of(e.args[0], facts)
    shape = array_like(fact, facts)
    if shape is None or shape.rank is None:
        shape = display_shape(e.args[0], facts) or shape
    inner = fact
    while inner.kind in ("list", "tuple"):
        nested = inner.elem if inner.elem is not None else inner.items[0] if inner.items else None
        if nested is None:
            break
        inner = nested
    kind = inner.kind if inner.kind in ("float", "int", "bool") else "any"
    if fact.kind == "range":
        return Fact("int", Shape((Length(symbol(e, facts)),)))
    if shape is None and fact.kind == "list":
        lengths: list[Dim] = []
        while fact.kind == "list" and fact.elem is not None:  # a list of lists has one axis for each
            lengths.append(Length(symbol(e, facts) + f".{len(lengths)}" * bool(lengths)))
            fact = fact.elem
        element = array_like(fact, facts)
        if element is not None and not element.over:
            return Fact(kind, Shape((*lengths, *element.dims), element.tail))
    return Fact(kind, shape if shape is not None else opaque(e, facts))


def _reshape(e: Op, facts: Facts) -> Fact | None:
    fact = array_fact(e.args[0], facts)
    target = e.args[1] if len(e.args) == 2 else ir.Sequence(tuple(e.args[1:]))
    items = target.items if isinstance(target, ir.Sequence) else (target,)
    if not isinstance(target, ir.Sequence) and fact_of(target, facts).kind != "int":
        return Fact(fact.kind, opaque(e, facts))
    dims: list[Dim] = []
    for i in items:
        f = fact_of(i, facts)
        if f.kind != "int":
            return Fact(fact.kind, opaque(e, facts))
        known = f.length
        if isinstance(i, Const) and i.value == -1:
            known = _what_is_left(e.args[0], [j for j in items if j is not i], facts)
        dims.append(known if known is not None else Length(f"{symbol(e, facts)}.{len(dims)}"))
    return Fact(fact.kind, Shape(tuple(dims)))


def _what_is_left(array: Expr, others: list[Expr], facts: Facts) -> Dim | None:
    """The length that -1 stands for in a reshape, beside other axes of known numbers."""
    found = count(array, facts)
    for e in others:
        n = fact_of(e, facts).length
        found = arithmetic("numpy.floor_divide", found, n) if found is not None and isinstance(n, int) else None
    return found


def _ravel(e: Op, facts: Facts) -> Fact | None:
    fact = array_fact(e.args[0], facts)
    n = count(e.args[0], facts)
    return Fact(fact.kind, Shape((n if n is not None else Length(symbol(e, facts)),)))


def _where(e: Op, facts: Facts) -> Fact | None:
    if len(e.args) != 3:
        return None
    args = [fact_of(a, facts) for a in e.args]
    return Fact(kind_of(args[1:]), facts.shapes.broadcast([a.shape for a in args]))


def _clip(e: Op, facts: Facts) -> Fact | None:
    args = [array_fact(a, facts) for a in e.args] + [
        fact_of(v, facts) for k, v in e.options if k in ("a_min", "a_max", "min", "max")
    ]
    args = [a for a in args if a.kind != "none"]
    return Fact(args[0].kind, facts.shapes.broadcast([a.shape for a in args]))


def together(fact: Fact) -> str:
    """The kind of an array made of a list of arrays."""
    kinds = {item.kind for item in fact.items} or {fact.elem.kind if fact.elem is not None else "any"}
    return "float" if "float" in kinds and kinds <= {"float", "int", "bool"} else "any"


def _stack(e: Op, facts: Facts) -> Fact | None:
    axis = option(e, "axis", 1)
    if axis in (None, 0):
        return _array(e, facts)
    fact = fact_of(e.args[0], facts)
    elem = fact.elem if fact.kind == "list" else fact.items[0] if fact.items else None
    shape = None if elem is None else facts.shapes(elem.shape)
    kind = together(fact)
    if shape is None or shape.rank is None or not isinstance(axis, int):
        return Fact(kind, opaque(e, facts))
    at = axis if axis >= 0 else axis + shape.rank + 1
    count: Dim = fact.length if fact.length is not None else len(fact.items) or Length(symbol(e, facts))
    return Fact(kind, Shape((*shape.dims[:at], count, *shape.dims[at:])))


def _concatenate(e: Op, facts: Facts) -> Fact | None:
    fact = fact_of(e.args[0], facts)
    elem = fact.elem if fact.kind == "list" else fact.items[0] if fact.items else None
    axis = (option(e, "axis", 1) or 0) if e.fn == "numpy.concatenate" else 0
    shape = None if elem is None else facts.shapes(elem.shape)
    kind = together(fact)
    if shape is None or not shape.rank or (e.fn != "numpy.concatenate" and shape.rank != 1):
        return Fact(kind, opaque(e, facts))
    at = axis % shape.rank
    return Fact(kind, Shape(tuple(Length(symbol(e, facts)) if i == at else d for i, d in enumerate(shape.dims))))


def _expand_dims(e: Op, facts: Facts) -> Fact | None:
    fact = array_fact(e.args[0], facts)
    shape = facts.shapes(fact.shape)
    axis = option(e, "axis", 1)
    if shape.rank is None or not isinstance(axis, int):
        named = facts.shapes.with_axis(shape, axis) if isinstance(axis, int) else None
        return Fact(fact.kind, named or opaque(e, facts))
    at = axis if axis >= 0 else axis + shape.rank + 1
    return Fact(fact.kind, Shape((*shape.dims[:at], 1, *shape.dims[at:])))


def _squeeze(e: Op, facts: Facts) -> Fact | None:
    fact = array_fact(e.args[0], facts)
    shape = facts.shapes(fact.shape)
    axis = option(e, "axis", 1)
    if not isinstance(axis, int):
        return None
    if shape.rank is None:
        named = facts.shapes.without_axis(shape, axis)
        return Fact(fact.kind, named or opaque(e, facts))
    at = axis % shape.rank
    return Fact(fact.kind, Shape((*shape.dims[:at], *shape.dims[at + 1 :])))


def _diag(e: Op, facts: Facts) -> Fact | None:
    fact = array_fact(e.args[0], facts)
    shape = facts.shapes(fact.shape)
    if len(e.args) > 1 or e.options:
        return Fact(fact.kind, opaque(e, facts))
    if shape.rank == 1:
        return Fact(fact.kind, Shape(shape.dims * 2))
    if shape.rank == 2:
        return Fact(fact.kind, Shape((shape.dims[0] if shape.dims[0] == shape.dims[1] else Length(symbol(e, facts)),)))
    return Fact(fact.kind, opaque(e, facts))


def _sum_builtin(e: Op, facts: Facts) -> Fact | None:
    fact, found = fact_of(e.args[0], facts), None
    if fact.kind == "list" and fact.elem is not None:
        found = replace(fact.elem, length=None) if is_uniform(fact.elem) else None
    elif fact.kind in ("float", "any") and (split := facts.shapes.split_first(fact.shape)):
        found = Fact(fact.kind, split[1])
    starts = [facts.shape(x) for x in (*e.args[1:], *(v for _, v in e.options))]
    return found if found and all(s in (SCALAR, facts.shapes(found.shape)) for s in starts) else None


def _binary_max(e: Op, facts: Facts) -> Fact | None:
    if len(e.args) == 1:
        fact = fact_of(e.args[0], facts)
        return replace(element_of(fact, facts.shapes, "?max"), length=same_length(fact.items))
    args = [fact_of(a, facts) for a in e.args]
    return Fact(kind_of(args), facts.shapes.broadcast([a.shape for a in args]), length=same_length(args))


def same_length(of: Iterable[Fact]) -> Dim | None:
    """The length that several numbers all are."""
    lengths = {f.length for f in of}
    return lengths.pop() if len(lengths) == 1 else None


def _range(e: Op, facts: Facts) -> Fact | None:
    return Fact("range", elem=INT)


def _shape(e: Op, facts: Facts) -> Fact | None:
    return attribute(ir.Attribute(e.args[0], "shape"), facts)


def _zip(e: Op, facts: Facts) -> Fact | None:
    items = tuple(element_of(fact_of(a, facts), facts.shapes, f"?zip{i}") for i, a in enumerate(e.args))
    return Fact("list", opaque(e, facts), Fact("tuple", items=items))


def _enumerate(e: Op, facts: Facts) -> Fact | None:
    item = element_of(fact_of(e.args[0], facts), facts.shapes, "?enumerate")
    return Fact("list", opaque(e, facts), Fact("tuple", items=(INT, item)))


def _arranged(e: Op, facts: Facts) -> Fact | None:
    """Combinations, permutations and products of whole numbers, as a list of tuples."""
    items = [element_of(fact_of(a, facts), facts.shapes, "?arranged") for a in e.args]
    options = dict(e.options)
    match e.fn, e.args, options.pop("repeat", Const(1)):
        case "itertools.product", _, Const(value=int(times)):
            items *= times
        case _, (_, Const(value=int(times))), _:
            items = items[:1] * times
        case _:
            return None
    if options or any(i.kind != "int" or not is_number(i, facts) for i in items):
        return None
    return Fact("list", opaque(e, facts), Fact("tuple", items=tuple(items)))


def _places_of(e: Op, facts: Facts) -> Fact | None:
    """The places of an array of a shape: tuples of as many whole numbers as it has axes."""
    found = [fact_of(a, facts) for a in e.args]
    if len(found) == 1 and found[0].kind == "tuple":
        found = list(found[0].items)
    if e.options or not found or any(f.kind != "int" or not is_number(f, facts) for f in found):
        return None
    return Fact("list", opaque(e, facts), Fact("tuple", items=(INT,) * len(found)))


def _reversed(e: Op, facts: Facts) -> Fact | None:
    return replace(fact_of(e.args[0], facts), items=())


def _split(e: Op, facts: Facts) -> Fact | None:
    fact = fact_of(e.args[0], facts)
    kind = fact.kind if fact.kind in ("float", "int", "bool") else "any"
    part = opaque(e, facts)
    first = facts.shapes.split_first(fact.shape)
    if first and part.tail and len(e.args) == 2 and not e.options:  # along the first axis: the others stay
        part = Shape((Length(part.tail[0] + ".0"), *first[1].dims), first[1].tail)
    return Fact("list", opaque(e, facts), Fact(kind, part))


def _list_of(e: Op, facts: Facts) -> Fact | None:
    if not e.args:
        return Fact("list", opaque(e, facts), length=0)
    fact = fact_of(e.args[0], facts)
    if fact.kind == "dict" and not fact.is_object:
        return Fact("list", opaque(e, facts), Fact("other"))  # its keys
    return Fact("list", opaque(e, facts), element_of(fact, facts.shapes, "?list"))


def _tuple_of(e: Op, facts: Facts) -> Fact | None:
    """A tuple of as many items as the list has: nothing else is known of it than that it is no array."""
    return (
        Fact("any", opaque(e, facts), number=numbers.upper(fact_of(e.args[0], facts)), whole=True) if e.args else None
    )


def _text(e: Op, facts: Facts) -> Fact | None:
    return Fact("str")


def _tolist(e: Op, facts: Facts) -> Fact | None:
    """Numbers, in as many lists as there are axes; an array of which nothing is known is taken for a vector."""
    fact = fact_of(e.args[0], facts)
    item = Fact(fact.kind, number=fact.number)
    for _ in range(facts.shapes(fact.shape).rank or 1):
        item = Fact("list", opaque(e, facts), item)
    return item


def _sorted(e: Op, facts: Facts) -> Fact | None:
    """The places of a list, in another order; of other items too little is known."""
    fact = fact_of(e.args[0], facts)
    return Fact("list", opaque(e, facts), INT) if fact.kind == "range" else None


def _broadcast_to(e: Op, facts: Facts) -> Fact | None:
    fact = array_fact(e.args[0], facts)
    target = _from_shape(Op("numpy.zeros", (e.args[1],)), facts)
    return target and replace(target, kind=fact.kind)


def _bool(e: Op, facts: Facts) -> Fact | None:
    return BOOL


def _transform(e: Op, facts: Facts) -> Fact | None:
    """A Fourier transform of as many numbers as go in."""
    shape = array_like(fact_of(e.args[0], facts), facts)
    lengths = [*e.args[1:2], *(v for k, v in e.options if k in ("n", "s"))]
    return Fact("any", shape) if shape is not None and all(v == ir.NONE for v in lengths) else None


def _half_transform(e: Op, facts: Facts) -> Fact | None:
    """A transform between real numbers and half a spectrum: another length along its axis."""
    shape = array_like(fact_of(e.args[0], facts), facts)
    if shape is None or not (shape := facts.shapes(shape)).rank:
        return None
    axis = option(e, "axis", 2)
    at = (-1 if axis is None else axis) % shape.rank
    n = dict(e.options).get("n", e.args[1] if len(e.args) > 1 else ir.NONE)
    given = shape.dims[at] if n == ir.NONE else _dim(fact_of(n, facts), symbol(n, facts))
    new: Dim = Length(symbol(e, facts))
    if e.fn in ("numpy.fft.irfft", "numpy.fft.hfft"):
        new = given if n != ir.NONE else new
    else:
        new = half_spectrum(given)
    return Fact("any", Shape(tuple(new if i == at else d for i, d in enumerate(shape.dims))))


def half_spectrum(n: Dim) -> Dim:
    """How many coefficients the transform of n real numbers has."""
    return n // 2 + 1 if isinstance(n, int) else Length(f"({n})//2 + 1")


def _half_frequencies(e: Op, facts: Facts) -> Fact | None:
    return Fact("float", Shape((half_spectrum(_dim(fact_of(e.args[0], facts), symbol(e.args[0], facts))),)))


def _frequencies(e: Op, facts: Facts) -> Fact | None:
    n = fact_of(e.args[0], facts)
    return Fact("float", Shape((_dim(n, symbol(e.args[0], facts)),)))


ELEMENTWISE_CONSTANTS = COMPARISONS | {
    "numpy.floor",
    "numpy.ceil",
    "numpy.rint",
    "numpy.trunc",
    "numpy.sign",
    "numpy.floor_divide",
    "numpy.heaviside",
    "numpy.invert",
    "numpy.bitwise_and",
    "numpy.bitwise_or",
    "numpy.bitwise_xor",
}

ARRANGED = ("combinations", "combinations_with_replacement", "permutations", "product")
SPECIAL: dict[str, Callable[[Op, Facts], Fact | None]] = {
    **dict.fromkeys((f"numpy.fft.{n}" for n in ("fft", "ifft", "fft2", "ifft2", "fftn", "ifftn")), _transform),
    **dict.fromkeys((f"numpy.fft.{n}" for n in ("rfft", "irfft", "hfft", "ihfft")), _half_transform),
    "numpy.fft.fftshift": _same, "numpy.fft.ifftshift": _same, "numpy.fft.fftfreq": _frequencies,
    "numpy.fft.rfftfreq": _half_frequencies,
    "numpy.matmul": _matmul, "numpy.dot": _matmul, "numpy.inner": _inner, "numpy.outer": _outer,
    "numpy.transpose": _transpose,
    "numpy.zeros": _from_shape, "numpy.ones": _from_shape, "numpy.empty": _from_shape, "numpy.full": _from_shape,
    "numpy.zeros_like": _same, "numpy.ones_like": _same, "numpy.full_like": _same, "numpy.empty_like": _same,
    "numpy.argsort": _places, "numpy.argpartition": _places, "numpy.searchsorted": _found_places,
    "numpy.cross": _cross,
    "numpy.eye": _eye, "numpy.identity": _eye, "numpy.arange": _arange, "numpy.linspace": _linspace,
    "numpy.array": _array, "numpy.asarray": _array, "numpy.stack": _stack, "numpy.concatenate": _concatenate,
    "numpy.hstack": _concatenate,
    "numpy.reshape": _reshape, "numpy.ravel": _ravel, "numpy.copy": _copied, "numpy.astype": _same_float,
    "copy.deepcopy": _deep_copy,
    "numpy.flip": _same, "numpy.roll": _same, "numpy.round": _same, "numpy.around": _same, "numpy.fix": _same_float,
    "builtins.round": _rounded, "method.index": _of_list, "method.count": _of_list,
    **{f"numpy.linalg.{name}": transfer for name, transfer in MATRICES.items()}, "numpy.trace": trace,
    **{f"scipy.linalg.{name}": transfer for name, transfer in MATRICES_OF_SCIPY.items()},
    "scipy.sparse.linalg.spsolve": like_second_vector,
    "numpy.where": _where, "numpy.clip": _clip, "numpy.expand_dims": _expand_dims,
    "numpy.squeeze": _squeeze, "numpy.diag": _diag,
    "builtins.sum": _sum_builtin, "builtins.max": _binary_max, "builtins.min": _binary_max, "builtins.range": _range,
    "numpy.shape": _shape, "builtins.zip": _zip, "builtins.enumerate": _enumerate, "builtins.reversed": _reversed,
    "numpy.ndindex": _places_of, "builtins.tuple": _tuple_of, "builtins.str": _text, "builtins.repr": _text,
    **dict.fromkeys((f"itertools.{n}" for n in ARRANGED), _arranged),
    "builtins.list": _list_of, "builtins.iter": _list_of, "builtins.isinstance": _bool, "builtins.bool": _bool,
    "builtins.callable": _bool,
    "builtins.hasattr": _bool, "numpy.isscalar": _bool, "builtins.sorted": _sorted,
    "numpy.split": _split,
    "numpy.array_split": _split,
    "numpy.vsplit": _split,
    "numpy.hsplit": _split,
    "numpy.allclose": _bool, "numpy.broadcast_to": _broadcast_to,
    "numpy.tril": _triangle, "numpy.triu": _triangle, "numpy.nan_to_num": _same,
}  # fmt: skip
