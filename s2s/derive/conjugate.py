"""Adjoints of complex values: which rule a call takes, conjugates, and real parts.

With the inner product Re(conj(a) b), the adjoint of a complex-linear action L is conj(L^T(conj(g))), where L^T is what
the rule of a real function writes. The outer conjugate is moved inwards, where it meets that of g and both go; what is
left stands on the factors that are complex, and on none that is real. A real operand takes the real part.
(PyTorch's convention; Kreutz-Delgado, The complex gradient operator and the CR-calculus, 2009.)
"""

from __future__ import annotations

from s2s import algebra, ir, rules
from s2s.algebra import NEGATIVE, ZERO
from s2s.analysis.facts import Facts
from s2s.frozen import replace
from s2s.ir import Const, Expr, Form, Op, Var

# conj(f(a, b)) = f(conj(a), conj(b))
COMMUTING = frozenset(
    f"numpy.{n}"
    for n in """
    add subtract multiply divide negative positive matmul dot inner outer kron tensordot einsum cross sum mean cumsum
    trace reshape ravel squeeze expand_dims transpose matrix_transpose swapaxes moveaxis broadcast_to roll flip tril
    triu copy concatenate stack vstack hstack diag split array_split diff asarray array linalg.solve linalg.inv where
    fft.fftshift fft.ifftshift
    """.split()  # noqa: SIM905
) | {
    "builtins.list", "helper._expand", "helper._matmul_bar_a", "helper._matmul_bar_b",
    "helper._dot_bar_a", "helper._dot_bar_b", "helper._solve_bar_a", "helper._solve_bar_b",
    "helper._diff_bar",
    "helper._inner_bar_a", "helper._inner_bar_b", "helper._tensordot_bar_a", "helper._tensordot_bar_b",
    "helper._kron_bar_a", "helper._kron_bar_b",
}  # fmt: skip
# The same, where all operands but the first give shapes and positions.
SHAPED = frozenset(
    f"helper.{n}"
    for n in """
    _unbroadcast _split_like _rows_like _columns_like _pad_bar _tile_bar _repeat_bar _diag_bar _take_bar _fit
    _gather_bar _insert_bar _block_bar _layers_like _ediff_bar _gradient_bar _trim_bar _polyder_bar _polyint_bar
    _reduceat_bar _diagonal_bar _sort_bar
    """.split()  # noqa: SIM905
)


PRODUCTS = ("numpy.multiply", "numpy.divide", "numpy.negative")


def is_complex_call(e: Op, facts: Facts) -> bool:
    """Whether complex numbers take part in a call: in its result or its operands."""
    if not facts.complex:
        return False
    parts = [e, *e.args, *(v for k, v in e.options if k != "dtype")]
    return any(not facts.is_real(p) for p in parts if not isinstance(p, Const) or isinstance(p.value, complex))


def rule_of(e: Op, facts: Facts) -> rules.Rule | None:
    """The rule of a call, for complex numbers where they take part; None where there is none."""
    return rules.lookup_complex(e.fn) if is_complex_call(e, facts) else rules.lookup(e.fn)


def squared_modulus(e: Expr, value_of: dict[str, Expr]) -> tuple[tuple[Expr, ...], bool] | None:
    """(z,) where e is np.abs(z)**2 or np.linalg.norm(z)**2, (a, b) where it is np.hypot(a, b)**2, and whether it is the
    sum over all elements: the derivative needs no root, and has no kink at zero."""
    match e:
        case Op(fn="numpy.power", args=(base, Const(value=2))) | Op(fn="numpy.square", args=(base,)):
            inner = value_of.get(base.name) if isinstance(base, Var) else base
            match inner:
                case Op(args=(z,), options=()) if is_modulus(inner):
                    return (z,), False
                case Op(fn="numpy.hypot" | "math.hypot", args=(_, _) as parts, options=()):
                    return parts, False
                case Op(fn="numpy.linalg.norm", args=(z,), options=()):
                    return (z,), True
    return None


def is_for_complex(f: ir.Function) -> bool:
    """Whether a function does what nobody does to real numbers: it takes a real part, a conjugate, or the square of a
    modulus. Its parameters are taken for real, as those of any function, but it is likely that they are not."""
    moduli = {Var(s.target) for s in ir.statements(f.body) if isinstance(s, ir.Assign) and is_modulus(s.value)}
    for e in (n for s in ir.statements(f.body) for n in ir.nodes(s)):
        match e:
            case Op(fn="numpy.real" | "numpy.conj" | "numpy.conjugate"):
                return True
            case Op(fn="numpy.power" | "numpy.square", args=(base, *exponent)) if exponent in ([], [Const(2)]):
                if base in moduli or is_modulus(base):
                    return True
    return False


def is_modulus(e: Expr) -> bool:
    return isinstance(e, Op) and e.fn in ("numpy.abs", "numpy.absolute", "builtins.abs")


# ---------------------------------------------------------------- conjugates


def conjugate(e: Expr) -> Expr:
    return Op("numpy.conj", (e,))


def adjoint_of(e: Expr, g: tuple[Var, ...], facts: Facts) -> Expr:
    """conj(e) with conj(g) for g, where e is linear in g: `b * g` gives `np.conj(b) * g`."""
    if e in g or facts.is_real(e):
        return e
    if not any(n in g for n in ir.walk(e)):
        return conjugated(e, facts)
    match e:
        case Op(fn="operator.ifexp", args=(test, a, b)):
            return replace(e, args=(test, adjoint_of(a, g, facts), adjoint_of(b, g, facts)))
        case Op(fn=fn, args=(first, *rest)) if fn in SHAPED:
            return replace(e, args=(adjoint_of(first, g, facts), *rest))
        case Op(fn=fn) if fn in COMMUTING:
            options = tuple((k, adjoint_of(v, g, facts)) for k, v in e.options)
            return replace(e, args=tuple(adjoint_of(a, g, facts) for a in e.args), options=options)
        case ir.Index(array=array) if not returns_several(array):
            return replace(e, array=adjoint_of(array, g, facts))
        case ir.Sequence(items=items):
            return replace(e, items=tuple(adjoint_of(i, g, facts) for i in items))
    return conjugate(ir.substitute(e, {v.name: conjugate(v) for v in g if not facts.is_real(v)}))


def returns_several(e: Expr) -> bool:
    """Whether a value may be the tuple of a helper, of which no conjugate can be taken as a whole."""
    while isinstance(e, ir.Index):
        e = e.array
    return isinstance(e, Op) and e.fn.startswith("helper.") and e.fn not in SHAPED | COMMUTING


def conjugated(e: Expr, facts: Facts) -> Expr:
    """conj(e): signs and real factors stay outside, `np.conj(x).T` is `x.conj().T`."""
    if facts.is_real(e):
        return e
    match e:
        case Const(value=complex() as v) if v.real == 0:
            return algebra.op(NEGATIVE, e)
        case Op(fn="numpy.conj" | "numpy.conjugate", args=(a,)):
            return a
        case Op(fn="numpy.negative", args=(a,), form=Form.OPERATOR):
            return replace(e, args=(conjugated(a, facts),))
        case Op(fn="numpy.multiply", args=(a, b), form=Form.OPERATOR) if facts.is_real(a) or is_imaginary(a):
            return replace(e, args=(conjugated(a, facts), conjugated(b, facts)))
        case Op(fn="numpy.multiply" | "numpy.divide", args=(a, b), form=Form.OPERATOR) if facts.is_real(b):
            return replace(e, args=(conjugated(a, facts), b))
        case Op(fn="numpy.divide", args=(a, b), form=Form.OPERATOR) if facts.is_real(a):
            return replace(e, args=(a, conjugated(b, facts)))
        case Op(fn="numpy.transpose", args=(a,), options=(), form=Form.ATTRIBUTE):
            inner = a if facts.is_real(a) else Op("numpy.conj", (a,), form=Form.METHOD, spelling="conj")
            return replace(e, args=(inner,))
    return conjugate(e)


def is_imaginary(e: Expr) -> bool:
    return isinstance(e, Const) and isinstance(e.value, complex) and e.value.real == 0


# ---------------------------------------------------------------- real parts


def part(name: str, e: Expr) -> Expr:
    """`z.real` of a name, `np.real(...)` of an expression."""
    if isinstance(e, Var | ir.Index):
        return Op(f"numpy.{name}", (e,), form=Form.ATTRIBUTE, spelling=name)
    return Op(f"numpy.{name}", (e,))


def real_part(e: Expr, facts: Facts) -> Expr:
    """Re(e): of the complex factors alone, and under sums; Re(-1j z) is Im(z)."""
    if facts.is_real(e):
        return e
    match e:
        case Op(fn="numpy.multiply" | "numpy.divide" | "numpy.negative", form=Form.OPERATOR):
            p = algebra.product_of(e)
            if any(not facts.is_real(d) for d in p.denominators):
                return part("real", e)
            turns = [n.value.imag for n in p.numerators if isinstance(n, Const) and is_imaginary(n)]
            rest = [n for n in p.numerators if not facts.is_real(n) and not is_imaginary(n)]
            real = [n for n in p.numerators if facts.is_real(n)]
            for turn in turns:
                p.coefficient = p.coefficient * turn
            if len(turns) in (2, 3):
                p.sign = -p.sign
            if not rest:
                if len(turns) % 2:
                    return ZERO
                p.numerators = real
                return algebra.build(p)
            whole = algebra.build(algebra.Product(1, 1, rest, []))
            if len(turns) % 2:
                p.sign = -p.sign
            p.numerators = [*real, part("imag" if len(turns) % 2 else "real", whole)]
            if p.coefficient < 0:
                p.sign, p.coefficient = -p.sign, -p.coefficient
            return algebra.build(p)
        case Op(fn="numpy.add" | "numpy.subtract", args=(a, b), form=Form.OPERATOR):
            return replace(e, args=(real_part(a, facts), real_part(b, facts)))
        case Op(fn="numpy.sum" | "helper._unbroadcast" | "numpy.reshape" | "numpy.transpose", args=(a, *rest)):
            return replace(e, args=(real_part(a, facts), *rest))
        case Op(fn="numpy.real" | "numpy.imag"):
            return e
        case Op(fn="numpy.conj", args=(a,)):
            return real_part(a, facts)
        case ir.Index(array=Op(fn="numpy.conj", args=(a,))):
            return part("real", replace(e, array=a))
    return part("real", e)


def tidied(e: Expr, facts: Facts) -> Expr:
    """Without conjugates and real parts of what is real."""
    e = ir.rebuild(e, lambda c: tidied(c, facts)) if isinstance(e, Op | ir.Sequence) else e
    match e:
        case ir.Index(array=ir.Sequence(items=items, starred=()), key=Const(value=int() as i)):
            return items[i]
        case Op(fn="numpy.conj" | "numpy.real", args=(a,)) if facts.is_real(a):
            return a
        case Op(fn="numpy.conj", args=(Op(fn="numpy.conj", args=(a,)),)):
            return a
        case Op(fn="numpy.real" | "numpy.imag" as fn, args=(Var() | ir.Index() as a,), form=Form.CALL):
            return part(fn.removeprefix("numpy."), a)
    return e


def turned(e: Expr, temps: dict[str, Expr], facts: Facts) -> Expr:
    """e with temporaries written out that are 1j times something real: such a factor has no conjugate, but a sign."""
    if isinstance(e, Var):
        value = temps.get(e.name)
        if isinstance(value, Op) and value.form is Form.OPERATOR and value.fn in PRODUCTS and not facts.is_real(e):
            p = algebra.product_of(value)
            inner = [turned(n, temps, facts) for n in p.numerators]
            whole = algebra.build(algebra.Product(p.sign, p.coefficient, inner, p.denominators))
            factors = algebra.product_of(whole)
            if all(is_imaginary(n) or facts.is_real(n) for n in (*factors.numerators, *factors.denominators)):
                return whole
        return e
    return ir.rebuild(e, lambda x: turned(x, temps, facts)) if isinstance(e, Op) and e.form is Form.OPERATOR else e


def adjoint(rule: rules.Rule, c: Expr, facts: Facts, *g: Var, temps: dict[str, Expr] | None = None) -> Expr:
    """What a rule writes as the cotangent of an operand for that of its results, with conjugates of complex factors."""
    if not facts.complex:
        return c
    c = turned(c, temps or {}, facts)
    return tidied(c if rule.adjoint else adjoint_of(c, g, facts), facts)
