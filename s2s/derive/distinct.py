"""Which keys name each item of an array at most once: `x[k] += e` adds to all of them, and a store writes each once;
and which keys of a dict display may be equal: the last value stays.
"""

from __future__ import annotations

import ast
from itertools import combinations

from s2s import ir
from s2s.analysis.transfer import key_kind, key_parts
from s2s.derive.context import Context
from s2s.derive.handing import ORDERS
from s2s.frozen import replace
from s2s.ir import Assign, Const, Expr, Index, Op, Var

PLACES = frozenset(
    f"numpy.{n}"
    for n in """
    nonzero triu_indices tril_indices triu_indices_from tril_indices_from diag_indices diag_indices_from where
    """.split()  # noqa: SIM905
)  # tuples: no combination twice


def made_by(ctx: Context, k: Expr) -> Expr:
    """What a key is computed by, where it is a name that is bound once and that nothing writes into."""
    if not isinstance(k, Var) or k.name in ctx.aliases.of:
        return ctx.tree(k)
    found = [x.value for x in ir.statements(ctx.function.body) if isinstance(x, Assign) and x.target == k.name]
    return ctx.tree(found[0]) if len(found) == ctx.definitions[k.name] == 1 else k


def is_places(ctx: Context, k: Expr) -> bool:
    """Whether a key is a tuple of arrays that names no item twice: `np.triu_indices(n)`."""
    made = made_by(ctx, k)
    return isinstance(made, Op) and made.fn in PLACES and (made.fn != "numpy.where" or len(made.args) == 1)


def is_distinct(ctx: Context, k: Expr) -> bool:
    """Whether the items of an array are surely different, and not negative: -1 may be an item that n - 1 names, too."""
    made = made_by(ctx, k)
    match made:
        case ir.Sequence(items=items):
            values = [i.value if isinstance(i, Const) else None for i in items]
            numbers = [v for v in values if isinstance(v, int)]
            return len({*numbers}) == len(values) and (all(v >= 0 for v in numbers) or all(v < 0 for v in numbers))
        case Op(fn="numpy.array" | "numpy.asarray", args=(ir.Sequence() as items,)):
            return is_distinct(ctx, items)
        case Op(fn="numpy.flatnonzero"):
            return True
        case Op(fn="numpy.unique", args=(places,), options=()):
            return is_from_start(places)
        case Op(fn="numpy.arange", args=(_,)):
            return True
        case Op(fn="numpy.arange", args=(Const(value=int() as start), _)):
            return start >= 0
        case Op(fn="numpy.setdiff1d", args=(items, *_), options=()):
            return is_distinct(ctx, items)
        case Op(fn=fn) if fn in ORDERS:
            return ctx.facts.ndim(k) == 1
    return False


def is_from_start(k: Expr) -> bool:
    """Whether no place is counted from the end: each is what is left of a division by a length."""
    match k:
        case ir.Sequence(items=items):
            return all(map(is_from_start, items))
        case Const(value=int() as n):
            return n >= 0
        case Op(fn="numpy.remainder", args=(_, ir.Op(fn="builtins.len") | Index(array=ir.Attribute(name="shape")))):
            return True
    return False


def arrays_of(ctx: Context, key: Expr) -> list[Expr]:
    """The parts of a key that may be arrays of integers."""
    keys = [ctx.tree(k) for k in key_parts(key, ctx.facts)]
    keys = [k for k in keys if not (isinstance(k, Var) and k.name in ctx.dict_keys)]
    arrays = [k for k in keys if key_kind(k, ctx.facts) in ("ints", "any") and not ctx.facts.is_scalar(k)]
    return [k for k in arrays if ctx.facts.of(k).kind != "str"]


def names_once(ctx: Context, key: Expr) -> bool:
    """Whether a key surely names no item twice."""
    keys = ir.key_items(key)
    arrays = arrays_of(ctx, key)
    if len(keys) == 1 and arrays:
        whole = made_by(ctx, keys[0])
        if isinstance(whole, Op) and whole.fn == "numpy.ix_":  # each with each
            return all(is_distinct(ctx, k) for k in whole.args)
        if is_places(ctx, keys[0]) or (isinstance(whole, Op) and whole.fn == "helper._each_once"):
            return True
    if len(arrays) < 2:
        return all(is_distinct(ctx, k) for k in arrays)
    shapes = {ctx.facts.shapes(ctx.facts.shape(k)) for k in arrays}
    together = len(shapes) == 1 and ctx.facts.ndim(arrays[0]) == 1  # one item of each at a time
    return together and any(is_distinct(ctx, k) for k in arrays)


def each_once(ctx: Context, place: Index) -> Index:
    """The same items of an array, where a key by arrays of integers may name some twice: `y[np.unique(k % len(y))]`."""
    keys = [ctx.tree(k) for k in ir.key_items(place.key)]
    kinds = [key_kind(k, ctx.facts) for k in keys]
    arrays = arrays_of(ctx, place.key)
    (k,) = arrays if len(arrays) == 1 else (ir.NONE,)
    shown = k.items if isinstance(k, ir.Sequence) else ()
    flat = all(map(ctx.facts.is_scalar, shown)) if shown else ctx.facts.ndim(k) == 1  # np.unique is of one axis
    length = None
    if k in keys and kinds[keys.index(k)] == "ints" and (len(keys) == 1 or flat):
        length = axis_length(ctx, place, keys.index(k))
    if length is not None:
        once = from_start(k, length)
        literal = shown and all(isinstance(i, Const) and is_from_start(i) for i in shown)
        keys[keys.index(k)] = once if literal else Op("numpy.unique", (once,))
        return replace(place, key=ir.Sequence(tuple(keys)) if len(keys) > 1 else keys[0])
    slices = any(isinstance(made, Op) and made.fn == "builtins.slice" for made in (made_by(ctx, k) for k in keys))
    if set(kinds) <= {"int", "ints", "any"} and not slices:
        shape = ir.Attribute(ctx.tree(place.array), "shape")
        return replace(place, key=Op("helper._each_once", (place.key, shape)))
    return place


def axis_length(ctx: Context, place: Index, axis: int) -> Expr | None:
    """The length of the axis that a part of a key names items of, None where that is not known."""
    keys = [ctx.tree(x) for x in ir.key_items(place.key)]
    whole = made_by(ctx, keys[0])
    each = isinstance(whole, Op) and whole.fn == "numpy.ix_"  # of one axis each
    if not each and {"ellipsis", "newaxis", "mask", "any"} & {key_kind(x, ctx.facts) for x in keys[:axis]}:
        return None
    array = ctx.tree(place.array)
    dims = ctx.facts.dims(array)
    if dims is not None and axis < len(dims) and dims[axis] == dims[0]:
        axis = 0
    return Index(ir.Attribute(array, "shape"), Const(axis)) if axis else Op("builtins.len", (array,))


def modulo(k: Expr, n: Expr) -> Expr:
    """Places counted from the start of an axis of length n: -1 names the same item as n - 1."""
    if isinstance(k, ir.Sequence):
        return replace(k, items=tuple(modulo(i, n) for i in k.items))
    return Op("numpy.remainder", (k, n), form=ir.Form.OPERATOR)


def from_start(k: Expr, n: Expr) -> Expr:
    """The same, of which each is written once, and literals that count from the start stand as they are."""
    if isinstance(k, ir.Sequence):
        items = (i if isinstance(i, Const) and is_from_start(i) else modulo(i, n) for i in k.items)
        return replace(k, items=tuple(dict.fromkeys(items)))
    return modulo(k, n)


def may_repeat(ctx: Context, value: Index) -> bool:
    """Whether a subscript may name an item twice; that of a list or a tuple is one number, or a slice."""
    return ctx.facts.of(value.array).kind not in ("list", "tuple") and not names_once(ctx, value.key)


def picks_items(ctx: Context, value: Index) -> bool:
    """Whether a subscript may name items of an array one by one, a mask too."""
    masks = any(key_kind(ctx.tree(k), ctx.facts) == "mask" for k in ir.key_items(value.key))
    return ctx.facts.of(value.array).kind not in ("list", "tuple") and (masks or bool(arrays_of(ctx, value.key)))


def key_guards(ctx: Context, s: ir.Stmt) -> list[ir.Stmt]:
    """Asserts that the keys of the displays in a statement differ, which have values with a derivative."""
    if not ctx.has_displays:
        return []
    every = (n for e in ir.expressions(s) for n in ir.walk(ctx.tree(e)))
    pairs = [
        pair
        for n in every
        if isinstance(n, ir.Dict) and not n.is_object and any(ir.reads(v) & ctx.activity.active for v in n.values)
        for pair in combinations(n.keys, 2)
        if may_be_equal(*pair)
    ]
    tests = tuple(
        Op("numpy.not_equal", pair, form=ir.Form.OPERATOR) for pair in {frozenset(p): p for p in pairs}.values()
    )
    if not tests:
        return []
    return [ir.Inert("assert", (tests[0] if len(tests) == 1 else Op("operator.and", tests),), s.origin)]


def may_be_equal(a: Expr, b: Expr) -> bool:
    match a, b:
        case (Const(value=one), Const(value=other)):
            return bool(one == other)
        case ir.Sequence(items=ones), ir.Sequence(items=others):
            return len(ones) == len(others) and all(map(may_be_equal, ones, others))
        case (ir.Sequence(), Const()) | (Const(), ir.Sequence()):
            return False
        case (ir.Raw() | Const(value=str()), ir.Raw() | Const(value=str())):  # f"W{i}" and f"b{i}"
            one, other = literal_start(a), literal_start(b)
            return one is None or other is None or one.startswith(other) or other.startswith(one)
        case (Op(fn="numpy.add" | "numpy.subtract", args=(x, Const(value=int() as n))), y) | (
            y,
            Op(fn="numpy.add" | "numpy.subtract", args=(x, Const(value=int() as n))),
        ) if x == y:  # i + 1 and i
            return n == 0
    return True


def literal_start(e: Expr) -> str | None:
    """What a text surely begins with: of f"W{i}" that is W."""
    if isinstance(e, Const):
        return e.value if isinstance(e.value, str) else None
    match ast.parse(e.text, mode="eval").body if isinstance(e, ir.Raw) else None:
        case ast.JoinedStr(values=[ast.Constant(value=str() as text), *_]):
            return text
    return None
