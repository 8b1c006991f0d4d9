"""Adjoint expressions in the form a person writes: signs and literals in front, the cotangent last, no `* 1.0`.

    g * np.cos(x)                 ->  np.cos(x) * g
    100.0 * (2.0 * a * 1.0)       ->  200.0 * a
    -(-k * q) / r**2 * out_bar    ->  k * q / r**2 * out_bar
    g / (2.0 * x)                     stays: a denominator is kept as it was written

A product is a sign, a literal coefficient, numerators and denominators. Only products and sums of adjoint code are
rewritten; reordering them changes rounding at most, never the primal's value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from s2s.frozen import replace
from s2s.ir import NONE, Attribute, Const, Expr, Form, Index, Op, Sequence, Var, is_of_module, key_items, rebuild, walk

MULTIPLY, DIVIDE, ADD, SUBTRACT, NEGATIVE = (
    "numpy.multiply",
    "numpy.divide",
    "numpy.add",
    "numpy.subtract",
    "numpy.negative",
)
ZERO, ONE = Const(0.0), Const(1.0)
NOTHING: Mapping[int, Expr] = {}


def op(fn: str, *args: Expr) -> Op:
    return Op(fn, args, form=Form.OPERATOR)


PLAIN = {
    "numpy.equal", "numpy.not_equal", "numpy.less", "numpy.less_equal", "numpy.greater", "numpy.greater_equal",
    "operator.chain",
    "numpy.zeros_like", "numpy.ones_like", "numpy.size", "numpy.shape", "builtins.len", "builtins.range",
    "numpy.reshape", "numpy.broadcast_to", "numpy.split",
}  # fmt: skip
# arguments of these are sizes and positions, or must be what the primal computed to the last bit: they stay as they are
PARTS = ("numpy.conj", "numpy.real", "numpy.imag")  # of a cotangent: a cotangent


def is_number(e: Expr) -> bool:
    return isinstance(e, Const) and isinstance(e.value, int | float) and not isinstance(e.value, bool)


def is_cotangent(e: Expr) -> bool:
    """Whether a factor is a cotangent or a tangent: it goes last."""
    while isinstance(e, Index) or (isinstance(e, Op) and e.fn in PARTS):
        e = e.array if isinstance(e, Index) else e.args[0]
    return isinstance(e, Var) and (
        e.name.endswith(("_bar", "_dot", "_bar_", "_dot_", "_inc")) or e.name.startswith("%g")
    )


@dataclass
class Product:
    sign: int
    coefficient: float | int
    numerators: list[Expr]
    denominators: list[Expr]


def product_of(e: Expr) -> Product:
    """The factors of a product, quotient or negation, nested ones included."""
    p = Product(1, 1, [], [])
    _collect(e, p)
    return p


def _collect(e: Expr, p: Product) -> None:
    match e:
        case Op(fn="numpy.negative", args=(a,), form=Form.OPERATOR):
            p.sign = -p.sign
            _collect(a, p)
        case Op(fn="numpy.multiply", args=(a, b), form=Form.OPERATOR):
            _collect(a, p)
            _collect(b, p)
        case Op(fn="numpy.divide", args=(a, b), form=Form.OPERATOR):
            _collect(a, p)
            if (
                is_number(b)
                and isinstance(b, Const)
                and b.value != 0
                and float(p.coefficient / b.value) * b.value == p.coefficient
                and p.coefficient != 1
            ):
                p.coefficient = p.coefficient / b.value
            elif isinstance(b, Op) and b.fn == NEGATIVE and b.form is Form.OPERATOR:
                p.sign = -p.sign
                p.denominators.append(b.args[0])
            else:
                p.denominators.append(b)
        case Const() if is_number(e):
            value = e.value
            if value < 0:
                p.sign, value = -p.sign, -value
            p.coefficient = p.coefficient * value if p.coefficient != 1 else value
        case _:
            p.numerators.append(e)


def is_constant(e: Expr) -> bool:
    """Whether an expression is a number that is not zero and known by its name: np.pi."""
    return is_of_module(e) and isinstance(e, Attribute) and e.name in ("pi", "e", "tau")


def cancelled(p: Product) -> Product:
    """np.pi / (2.0 * np.pi * s), of the logarithm of a density, as 0.5 / s; 2.0 * s / s**2 as 2.0 / s."""
    for i, d in enumerate(p.denominators):
        match d:
            case Op(fn="numpy.power", args=(Var() | Index() as s, Const(value=int() as k)), form=Form.OPERATOR) if (
                k > 1 and s in p.numerators
            ):
                p.numerators.remove(s)
                p.denominators[i] = s if k == 2 else replace(d, args=(s, Const(k - 1)))
                continue
        below = product_of(d)
        both = [n for n in below.numerators if is_constant(n) and n in p.numerators]
        if not both or below.sign < 0 or below.denominators:
            continue
        for n in both:
            p.numerators.remove(n)
            below.numerators.remove(n)
        quotient = p.coefficient / below.coefficient
        if quotient * below.coefficient == p.coefficient:
            p.coefficient, below.coefficient = quotient, 1
        p.denominators[i] = build(below)
    p.denominators = [d for d in p.denominators if d != ONE]
    return p


def is_expansion(e: Expr) -> bool:
    """Whether an expression gives an array new axes: `e[:, None]`."""
    return isinstance(e, Index) and NONE in key_items(e.key)


def with_one_number(p: Product) -> Product:
    """2.0 * a * (0.5 * b)[:, None] as a * b[:, None]; a number alone stays inside, where the array is smaller."""
    for i, n in enumerate(p.numerators):
        if p.coefficient != 1 and isinstance(n, Index) and isinstance(n.array, Op) and is_expansion(n):
            inner = product_of(n.array)
            p.coefficient, inner.coefficient = p.coefficient * inner.coefficient, 1
            p.numerators[i] = Index(build(inner), n.key)
    return p


Test = Callable[[Expr], bool]
MASKS = {
    f"numpy.{n}"
    for n in (
        "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "logical_and", "logical_or",
        "logical_not", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor", "invert", "isnan", "isfinite",
        "isinf", "isclose", "isin", "array", "bool", "bool_", "uint8", "uint16", "uint32", "uint64",
    )
}  # fmt: skip
KEEPING = {
    f"numpy.{n}"
    for n in (
        "transpose", "reshape", "ravel", "squeeze", "swapaxes", "expand_dims", "broadcast_to", "copy", "where", "abs",
        "concatenate", "stack", "roll", "flip", "repeat", "tile", "diag", "asarray", "square", "take", "sum",
        "prod", "max", "min", "cumsum", "cumprod", "trace", "ones_like", "full_like",
    )
}  # fmt: skip
JOINING = {f"numpy.{n}" for n in ("add", "multiply", "maximum", "minimum", "power", "dot", "matmul", "outer")}
# of Booleans and unsigned numbers, these make such; those of JOINING where all operands are


def may_be_mask(e: Expr, known: Test | None = None) -> bool:
    """Whether an expression may be of Booleans or unsigned numbers: a mask, counts. `-m` of Booleans is an error, of
    unsigned numbers it wraps around, and `m + n` of Booleans is `m or n`. known: tells what is of floats for sure."""
    if is_cotangent(e) or (known is not None and known(e)):
        return False
    match e:
        case Var():
            return True
        case Index(array=array):
            return may_be_mask(array, known)
        case Sequence(items=items) | Op(fn="numpy.array", args=(Sequence(items=items),), options=()):
            return all(may_be_mask(i, known) for i in items)
        case Op(fn="numpy.where", args=(_, *values)):
            return all(may_be_mask(v, known) for v in values)
        case Op(fn=fn, args=args) if fn in JOINING:
            return all(may_be_mask(a, known) or is_whole(a) for a in args)
        case Op(fn=fn, args=(a, *_), options=options) if fn in KEEPING and "dtype" not in dict(options):
            return may_be_mask(a, known)
        case Op(fn=fn, options=options):
            if fn == "numpy.astype" or "dtype" in dict(options):
                return True
            return fn in MASKS or (fn.startswith("local.") and e.span is not None)  # the user's
    return False


def is_whole(e: Expr) -> bool:
    return isinstance(e, Const) and isinstance(e.value, int)


def build(p: Product, is_scalar: Test | None = None, known: Test | None = None) -> Expr:
    """known: tells of expressions that they are of floats; without it, only what the expression shows is known."""
    if p.coefficient == 0:
        return ZERO
    conjugates = [n.args[0] for n in p.numerators if isinstance(n, Op) and _is_conjugate(n)]
    if len(conjugates) > 1 and not any(map(is_cotangent, conjugates)):  # one pass over arrays instead of two
        at = next(i for i, n in enumerate(p.numerators) if _is_conjugate(n))
        whole = Op("numpy.conj", (build(Product(1, 1, conjugates, []), is_scalar),))
        rest = [n for n in p.numerators[at:] if not _is_conjugate(n)]
        p = Product(p.sign, p.coefficient, [*p.numerators[:at], whole, *rest], p.denominators)
    last = [n for n in p.numerators if is_cotangent(n)]
    first = [n for n in p.numerators if not is_cotangent(n)]
    if is_scalar is not None and len(first) > 1:  # scalars first: one pass less over an array
        first = [n for n in first if is_scalar(n)] + [n for n in first if not is_scalar(n)]
    if p.sign < 0 and p.coefficient == 1 and (first or last) and may_be_mask((first or last)[0], known):
        if len(p.numerators) + len(p.denominators) == 1:
            return op(MULTIPLY, Const(-1.0), p.numerators[0])
        return op(NEGATIVE, build(Product(1, 1, p.numerators, p.denominators), is_scalar, known))
    out: Expr | None = None
    coefficient = Const(p.coefficient) if p.coefficient != 1 else None
    if p.sign < 0 and coefficient is not None:
        coefficient = Const(-coefficient.value)
    negate = p.sign < 0 and coefficient is None
    if not first and len(last) >= 1:
        first, last = last[:1], last[1:]
    for factor in ([coefficient] if coefficient is not None else []) + first:
        if negate:
            factor, negate = op(NEGATIVE, factor), False
        out = factor if out is None else op(MULTIPLY, out, factor)
    if out is None:
        out = Const(-1.0) if negate else ONE
    for d in p.denominators:
        out = op(DIVIDE, out, d)
    for factor in last:
        out = op(MULTIPLY, out, factor)
    return out


def simplify(
    e: Expr, is_scalar: Test | None = None, done: Mapping[int, Expr] = NOTHING, known: Test | None = None
) -> Expr:
    """The readable form of an adjoint expression. `is_scalar` tells which factors are proved to be scalars, `known`
    which are of floats; `done` holds expressions, by their id, that have this form already."""

    def again(x: Expr) -> Expr:
        return simplify(x, is_scalar, done, known)

    if id(e) in done:
        return e
    match e:
        case Op(fn="numpy.negative", args=(Var(),)) if e.span is not None:  # the user's own
            return e
        case Op(fn="numpy.multiply" | "numpy.divide" | "numpy.negative", form=Form.OPERATOR):
            p = product_of(e)
            p.numerators = [again(n) for n in p.numerators]
            if any(
                (isinstance(n, Op) and n.form is Form.OPERATOR and n.fn in (MULTIPLY, DIVIDE, NEGATIVE)) or is_number(n)
                for n in p.numerators
            ):
                inner = Product(p.sign, p.coefficient, [], [])
                for n in p.numerators:
                    _collect(n, inner)
                inner.denominators += p.denominators
                p = inner
            return build(with_one_number(cancelled(p)), is_scalar, known)
        case Op(fn="numpy.add" | "numpy.subtract", args=(a, b), form=Form.OPERATOR):
            a, b = again(a), again(b)
            if is_scalar is not None and is_sum(b) and is_scalar(b) and not is_scalar(a):
                return op(e.fn, a, b)  # one pass over an array, not two
            return add(a, b if e.fn == ADD else negated(b))
        case Op(fn="numpy.power", args=(a, Const(value=value)), form=Form.OPERATOR) if value == 1 and not isinstance(
            value, bool
        ):
            return again(a)
        case Op(fn="numpy.sum" | "helper._unbroadcast", args=(a, *rest)):
            inside = again(a)
            p = product_of(inside)
            if p.sign < 0:
                p.sign = 1
                return op(NEGATIVE, Op(e.fn, (build(p), *rest), e.options, e.form, e.spelling))
            return Op(e.fn, (inside, *rest), e.options, e.form, e.spelling)
        case Index(array=Op() as a, key=key) if is_expansion(e):  # (-a)[:, None]
            inside = again(a)
            p = product_of(inside)
            if p.sign < 0:
                p.sign = 1
                return op(NEGATIVE, Index(build(p), key))
            return Index(inside, key)
        case Op(fn="numpy.matmul" | "numpy.dot" | "numpy.outer", args=(a, b)):
            a, b = again(a), again(b)
            sign, (a, b) = _signs(a, b)
            made = Op(e.fn, (a, b), e.options, e.form, e.spelling, e.span)
            return op(NEGATIVE, made) if sign < 0 else made
        case Op(fn="numpy.transpose", args=(Op(fn="numpy.transpose", args=(a,), options=()),), options=()):
            return again(a)
        case Op(fn="numpy.conj", args=(a,), form=Form.CALL):
            return conjugate(again(a))
        case Op(fn=fn) if fn.startswith("local."):  # its arguments are the primal's, and the cotangent has its form
            return e
        case Op(args=args) if e.fn not in PLAIN:
            new = tuple(map(again, args))
            return (
                e
                if all(a is b for a, b in zip(new, args, strict=True))
                else Op(e.fn, new, e.options, e.form, e.spelling, e.span)
            )
        case Sequence(items=items):
            return Sequence(tuple(i if is_zero_of_shape(i) else again(i) for i in items), e.kind, e.starred)
    return e


def is_zero_of_shape(e: Expr) -> bool:
    """`0.0 * np.ones_like(x)`: as a part of a tuple it broadcasts against nothing."""
    match e:
        case Op(fn="numpy.multiply", args=(first, Op(fn="numpy.ones_like"))):
            return first == ZERO
    return False


def conjugate(e: Expr) -> Expr:
    """conj(e) with signs and numbers outside; conj(conj(a) * b) is a * conj(b)."""
    match e:
        case Op(fn="numpy.conj", args=(a,)):
            return a
        case Const(value=complex() as v) if v.real == 0:
            return op(NEGATIVE, e)
        case Const() if is_number(e):
            return e
        case Op(fn="numpy.multiply" | "numpy.divide" | "numpy.negative", form=Form.OPERATOR):
            p = product_of(e)
            if p.sign > 0 and p.coefficient == 1 and not any(_is_conjugate(n) for n in p.numerators):
                return Op("numpy.conj", (e,))
            inside = Product(1, 1, [n for n in p.numerators if not _is_conjugate(n)], p.denominators)
            p.numerators = [n.args[0] for n in p.numerators if isinstance(n, Op) and _is_conjugate(n)]
            p.denominators = []
            if inside.numerators or inside.denominators:
                p.numerators.append(conjugate(build(inside)))
            return simplify(build(p))
    return Op("numpy.conj", (e,))


def _is_conjugate(e: Expr) -> bool:
    return isinstance(e, Op) and e.fn == "numpy.conj" and e.form is Form.CALL


def _signs(a: Expr, b: Expr) -> tuple[int, tuple[Expr, Expr]]:
    """The sign of a bilinear product, taken out of its operands."""
    sign = 1
    out = []
    for x in (a, b):
        if isinstance(x, Op) and x.fn == NEGATIVE and x.form is Form.OPERATOR:
            sign, x = -sign, x.args[0]
        out.append(x)
    return sign, (out[0], out[1])


def negated(e: Expr) -> Expr:
    if isinstance(e, Const) and is_number(e):
        return Const(-e.value) if e.value else e  # a whole number remains one: it may be a position
    p = product_of(e)
    p.sign = -p.sign
    return build(p)


def split_sign(e: Expr) -> tuple[int, Expr]:
    """(-1, rest) where the expression leads with a minus sign, so that `+=` can take it."""
    if isinstance(e, Const) and is_number(e):
        return (-1, Const(-e.value)) if e.value < 0 else (1, e)
    if isinstance(e, Op) and e.form is Form.OPERATOR and e.fn in (MULTIPLY, DIVIDE, NEGATIVE):
        p = product_of(e)
        if p.sign < 0:
            p.sign = 1
            return -1, build(p)
    if isinstance(e, Op) and e.form is Form.OPERATOR and e.fn == "numpy.subtract":  # -a - b is -(a + b)
        sign, front = split_sign(e.args[0])
        if sign < 0:
            return -1, add(front, e.args[1])
    return 1, e


def is_sum(e: Expr) -> bool:
    """Whether an expression is a sum of adjoint code, whose terms may stand in another one."""
    return isinstance(e, Op) and e.fn in (ADD, SUBTRACT) and e.form is Form.OPERATOR and any(map(is_cotangent, walk(e)))


def add(a: Expr, b: Expr) -> Expr:
    """a + b: like terms together, signs in the operators, no sum in brackets."""
    if a == ZERO:
        return b
    if b == ZERO:
        return a
    if isinstance(a, Const) and isinstance(b, Const) and is_number(a) and is_number(b):
        return Const(a.value + b.value)
    if (together := like_terms(a, b)) is not None:
        return together
    if isinstance(a, Op) and a.fn in (ADD, SUBTRACT) and a.form is Form.OPERATOR:
        first, second = a.args  # the like term may stand in the sum
        if (together := like_terms(second if a.fn == ADD else negated(second), b)) is not None:
            return add(first, together)
    sign, rest = split_sign(b)
    if is_sum(rest):
        assert isinstance(rest, Op)
        first, second = rest.args if rest.fn == ADD else (rest.args[0], negated(rest.args[1]))
        return add(add(a, first), second) if sign > 0 else add(add(a, negated(first)), negated(second))
    if sign < 0:
        return op(SUBTRACT, a, rest)
    lead, front = split_sign(a)
    if lead < 0:  # -a + b reads better as b - a
        return add(b, negated(front)) if is_sum(front) else op(SUBTRACT, b, front)
    return op(ADD, a, b)


def as_update(e: Expr, places: tuple[Expr, ...]) -> Expr:
    """`y + a - b` as `y + (a - b)`, and `y - a - b` as `y - (a + b)`, where y is one of the places: `+=` takes the
    rest."""
    parts: list[Expr] = []
    first = e
    while isinstance(first, Op) and first.fn in (ADD, SUBTRACT) and first.form is Form.OPERATOR:
        parts.insert(0, first.args[1] if first.fn == ADD else negated(first.args[1]))
        first = first.args[0]
    if first not in places or len(parts) < 2:
        return e
    rest: Expr = ZERO
    for part in parts:
        rest = add(rest, part)
    sign, rest = split_sign(rest)
    return replace(e, fn=ADD if sign > 0 else SUBTRACT, args=(first, rest))


def like_terms(a: Expr, b: Expr) -> Expr | None:
    """a + b as one product, where they differ in their literal coefficients only."""
    p, q = product_of(a), product_of(b)
    if not p.numerators or p.denominators != q.denominators or len(p.numerators) != len(q.numerators):
        return None
    rest = list(q.numerators)
    for n in p.numerators:
        if n not in rest:
            return None
        rest.remove(n)
    total = float(p.sign * p.coefficient + q.sign * q.coefficient)
    if total == 0:
        return None  # the number 0.0 would not have their shape
    return build(Product(1 if total > 0 else -1, abs(total), p.numerators, p.denominators))


def float_coefficients(e: Expr, known: Test | None = None) -> Expr:
    """The terms of a sum with their literal coefficients as floats: 2 * x is 2.0 * x, as in every other rule."""
    match e:
        case Op(fn="numpy.add" | "numpy.subtract", args=(a, b), form=Form.OPERATOR):
            return Op(e.fn, (float_coefficients(a, known), float_coefficients(b, known)), form=Form.OPERATOR)
        case Op(fn="numpy.multiply" | "numpy.divide" | "numpy.negative", form=Form.OPERATOR):
            p = product_of(e)
            if isinstance(p.coefficient, int) and p.coefficient != 1:
                p.coefficient = float(p.coefficient)
            new = [float_coefficients(n, known) for n in p.numerators]
            if isinstance(product_of(e).coefficient, float) and new == p.numerators:
                return e
            p.numerators = new
            return build(p, known=known)
        case Op(fn="numpy.sum" | "helper._unbroadcast", args=(a, *rest)):
            return Op(e.fn, (float_coefficients(a, known), *rest), e.options, e.form, e.spelling)
    return e


def factored(e: Expr, known: Test | None = None) -> Expr:
    """`a * g - b * g` of one cotangent g as `(a - b) * g`, but of two masks; `known`: see `may_be_mask`."""
    terms = _terms(e)
    if len(terms) < 2:
        return e
    products = [product_of(t) for t in terms]
    common = [n for n in products[0].numerators if is_cotangent(n)]
    for p in products[1:]:
        common = [n for n in common if n in p.numerators]
    if len(common) != 1 or any(sum(n == common[0] for n in p.numerators) != 1 for p in products):
        return e
    for p in products:
        p.numerators.remove(common[0])
    shared = [n for n in products[0].numerators if all(n in p.numerators for p in products[1:])]
    for n in shared:
        if all(n in p.numerators for p in products):
            for p in products:
                p.numerators.remove(n)
            common.insert(-1, n)
    sign = -1 if all(p.sign < 0 for p in products) else 1
    for p in products:
        p.sign *= sign
    rests = [build(p) for p in products]
    if all(may_be_mask(split_sign(r)[1], known) for r in rests[:2]):
        return e
    total = rests[0]
    for rest in rests[1:]:
        total = add(total, rest)
    if is_number(total):
        return e
    whole = product_of(op(MULTIPLY, total, _chain(common)))
    whole.sign *= sign
    return build(whole)


def _terms(e: Expr) -> list[Expr]:
    if isinstance(e, Op) and e.fn in (ADD, SUBTRACT) and e.form is Form.OPERATOR:
        a, b = e.args
        return [*_terms(a), *(_terms(b) if e.fn == ADD else [negated(t) for t in _terms(b)])]
    return [e]


def _chain(factors: list[Expr]) -> Expr:
    out = factors[0]
    for f in factors[1:]:
        out = op(MULTIPLY, out, f)
    return out


def count(e: Expr, test: Callable[[Expr], bool]) -> int:
    return sum(test(n) for n in walk(e))


def multiply(a: Expr, b: Expr) -> Expr:
    return simplify(op(MULTIPLY, a, b))


def with_weak_constants(e: Expr) -> Expr:
    """The expression with constants that stay Python numbers: NumPy would make arrays of float64 of them.

    np.sum(1.0)                              ->     1.0
    np.broadcast_to(1.0, x.shape)            ->     1.0 * np.ones_like(x)
    np.expand_dims(1.0, (-2, -1)) * f(x)     ->     1.0 * f(x)
    np.einsum(",i->i", 1.0, x)               ->     1.0 * np.einsum("i->i", x)
    """
    e = rebuild(e, with_weak_constants)
    match e:
        case Op(fn="numpy.sum", args=(Const() as c,), options=()):
            return c
        case Op(
            fn="numpy.broadcast_to",
            args=(Const() as c, Op(fn="numpy.shape", args=(x,)) | Attribute(value=x, name="shape")),
        ):
            return op(MULTIPLY, c, Op("numpy.ones_like", (x,)))
        case Op(fn="numpy.multiply", args=(Op(fn="numpy.expand_dims", args=(Const() as c, _)), Op() as other)):
            return op(MULTIPLY, c, other)
        case Op(fn="numpy.multiply", args=(Op() as other, Op(fn="numpy.expand_dims", args=(Const() as c, _)))):
            return op(MULTIPLY, other, c)
        case Op(fn="helper._unbroadcast", args=(Op(fn="numpy.multiply", args=(Const(), a)) as g, b)) if a == b:
            return g
        case Op(fn="numpy.einsum", args=(Const(value=str() as text), *rest), options=()):
            terms, arrow, result = text.partition("->")
            inputs = terms.split(",")
            at = [i for i, (t, a) in enumerate(zip(inputs, rest, strict=False)) if not t and isinstance(a, Const)]
            if arrow and len(inputs) == len(rest) == len(at) + 1 and len(at) == 1:
                (kept,) = (i for i in range(len(rest)) if i not in at)
                whole = inputs[kept] == result  # each subscript once: the operand as it is
                same = whole and len(set(result)) == len(result) and "." not in result
                alone = rest[kept] if same else replace(e, args=(Const(f"{inputs[kept]}->{result}"), rest[kept]))
                return op(MULTIPLY, rest[at[0]], alone)
    return e
