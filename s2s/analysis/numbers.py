"""Whether a value is real or may be complex.

Real is the default: parameters are, unless a complex type or shape is stated, and real functions of real values are.
A value is `complex` where its type is known to be, `either` where real and complex values may meet in it (a variable
that starts as 0.0 and becomes complex). Derivatives are right for `either` as they are for `complex`: the conjugate of
a real number is the number. What `complex` adds is the dtype: an array of that dtype holds what is added to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2s import ir, rules
from s2s.frozen import replace
from s2s.ir import Const, Expr, Op, Var

if TYPE_CHECKING:
    from s2s.analysis.facts import Fact, Facts

REAL, COMPLEX, EITHER = "real", "complex", "either"

COMPLEX_DTYPES = frozenset(["complex", "complex64", "complex128", "complex256", "cdouble", "csingle", "clongdouble"])
REAL_DTYPES = frozenset(
    """
    float float16 float32 float64 float128 double single half longdouble floating int int8 int16 int32 int64 intp uint8
    uint16 uint32 uint64 bool bool_ integer f d i
    """.split()  # noqa: SIM905
)
# What is real whatever goes in.
REAL_RESULTS = frozenset(
    """
    numpy.abs numpy.absolute numpy.real numpy.imag numpy.angle numpy.fabs numpy.linalg.norm numpy.linalg.cond numpy.var
    numpy.std numpy.argmax numpy.argmin numpy.argsort numpy.count_nonzero numpy.nonzero numpy.searchsorted
    numpy.result_type numpy.shape numpy.size numpy.ndim numpy.finfo numpy.any numpy.all numpy.allclose numpy.array_equal
    numpy.isclose numpy.isnan numpy.isfinite numpy.isinf numpy.isreal numpy.iscomplex numpy.iscomplexobj
    numpy.isrealobj numpy.isscalar numpy.less numpy.less_equal numpy.greater numpy.greater_equal numpy.equal
    numpy.not_equal numpy.logical_and numpy.logical_or numpy.logical_not numpy.logical_xor numpy.shares_memory
    numpy.may_share_memory numpy.fft.irfft numpy.fft.irfft2 numpy.fft.irfftn numpy.fft.hfft numpy.fft.fftfreq
    numpy.fft.rfftfreq numpy.linalg.eigvalsh numpy.linalg.svdvals numpy.linalg.matrix_rank
    numpy.nanvar numpy.nanstd numpy.linalg.vector_norm numpy.linalg.matrix_norm
    cmath.phase cmath.isnan cmath.isinf cmath.isfinite cmath.isclose
    builtins.abs builtins.len builtins.int builtins.float builtins.bool builtins.str builtins.isinstance builtins.range
    builtins.repr builtins.hasattr builtins.callable builtins.type builtins.id
    """.split()  # noqa: SIM905
)
# Of a tuple result, the parts that are real whatever goes in.
REAL_PARTS = {
    "numpy.linalg.slogdet": (1,),
    "numpy.linalg.eigh": (0,),
    "numpy.linalg.svd": (1,),
    "numpy.linalg.lstsq": (1, 2, 3),
}
# What is complex whatever goes in.
COMPLEX_RESULTS = frozenset(
    """
    builtins.complex numpy.complex64 numpy.complex128 numpy.cdouble numpy.csingle numpy.clongdouble numpy.complex256
    numpy.fft.fft numpy.fft.ifft numpy.fft.rfft numpy.fft.ihfft numpy.fft.fft2 numpy.fft.ifft2 numpy.fft.rfft2
    numpy.fft.fftn numpy.fft.ifftn numpy.fft.rfftn helper._irfft_bar helper._irfftn_bar
    scipy.special.wofz scipy.special.sph_harm_y
    """.split()  # noqa: SIM905
)
# What may be complex though the arguments are real; all of cmath, scipy.fft and numpy.emath is as well.
MAYBE_COMPLEX = frozenset(
    """
    numpy.roots numpy.linalg.eig numpy.linalg.eigvals numpy.lib.scimath numpy.sort_complex scipy.linalg.eig
    scipy.linalg.eigvals scipy.linalg.sqrtm scipy.linalg.logm scipy.linalg.dft scipy.signal.hilbert
    scipy.signal.freqz scipy.special.sph_harm scipy.special.hankel1 scipy.special.hankel2
    helper._eigvals_bar helper._eigvals_dot
    """.split()  # noqa: SIM905
)
MAYBE_COMPLEX_MODULES = ("cmath.", "scipy.fft.", "numpy.emath.", "numpy.lib.scimath.")
# The facts of their results are put together from those of the arguments, item by item.
STRUCTURAL = frozenset(f"builtins.{n}" for n in ("zip", "enumerate", "reversed", "list", "tuple", "dict"))
# The dtype of the result is that to which those of the operands are promoted.
PROMOTING = frozenset(
    f"numpy.{n}"
    for n in """
    add subtract multiply divide negative positive power square sqrt exp log sin cos tan sinh cosh tanh conj conjugate
    reciprocal matmul dot outer inner sum mean prod cumsum transpose reshape ravel copy zeros_like ones_like empty_like
    array asarray where expand_dims squeeze swapaxes moveaxis roll flip concatenate stack vdot einsum tensordot kron
    broadcast_to linalg.solve linalg.inv diag trace tile repeat
    """.split()  # noqa: SIM905
)
# The position of a dtype among the arguments, where no rule's key tells it.
DTYPE_AT = {
    "numpy.zeros_like": 1,
    "numpy.ones_like": 1,
    "numpy.full": 2,
    "numpy.full_like": 2,
    "numpy.zeros": 1,
    "numpy.ones": 1,
    "numpy.empty": 1,
    "numpy.identity": 1,
    "numpy.empty_like": 1,
}


def upper(fact: Fact) -> str:
    """The number of a value, or what covers all numbers in a container."""
    parts = [upper(f) for f in (*fact.items, *([fact.elem] if fact.elem else []))]
    return either([fact.number, *parts]) if parts and fact.kind in ("list", "tuple", "dict") else fact.number


def either(numbers: list[str]) -> str:
    """What covers values of several places."""
    kinds = set(numbers)
    return kinds.pop() if len(kinds) == 1 else EITHER if kinds else REAL


def promoted(numbers: list[str]) -> str:
    """What arithmetic makes of operands: complex where one of them is."""
    return COMPLEX if COMPLEX in numbers else EITHER if EITHER in numbers else REAL


def number_of(e: Expr, facts: Facts) -> str:
    """Whether a value is real, complex, or may be either."""
    match e:
        case Var(name=name):
            return number_of_name(name, facts)
        case Const():
            return COMPLEX if isinstance(e.value, complex) else REAL
        case Op():
            return number_of_operation(e, facts)
        case ir.Index(array=array, key=key):
            if isinstance(array, Var) and isinstance(key, Const) and (fact := facts.names.get(array.name)):
                at = key.value
                if fact.kind == "dict" and at in fact.keys:
                    return upper(fact.items[fact.keys.index(at)])
                if fact.items and isinstance(at, int) and -len(fact.items) <= at < len(fact.items):
                    return upper(fact.items[at])
            return number_of(array, facts)
        case ir.Sequence(items=items) | ir.Dict(values=items):
            return either([number_of(i, facts) for i in items])
        case ir.Attribute() | ir.Slice():
            return REAL
        case ir.Comprehension():
            return EITHER if any(number_of(c, facts) != REAL for c in ir.children(e)) else REAL
    return EITHER if any(number_of_name(n, facts) != REAL for n in ir.reads(e)) else REAL


def number_of_name(name: str, facts: Facts) -> str:
    fact = facts.names.get(name)
    if name.endswith(("%_bar", "%_dot")):  # an adjoint is as its value; its dtype is not known from it
        value = facts.names.get(name[:-5])
        if name in facts.sure:
            return COMPLEX
        return EITHER if value is not None and upper(value) != REAL else REAL
    return REAL if fact is None else upper(fact)


def number_of_operation(e: Op, facts: Facts) -> str:
    fn = e.fn
    if fn == "operator.ifexp":
        return either([number_of(a, facts) for a in e.args[1:]])
    if (fn.startswith(("operator.", "math.")) and fn != "math.prod") or fn in REAL_RESULTS:
        return REAL
    if fn.startswith("local."):
        return facts.derived[fn] if fn in facts.derived else upper(facts.of(e))
    if (stated := stated_dtype(e, facts)) is not None:
        return stated
    if fn in COMPLEX_RESULTS:
        return COMPLEX
    if fn.startswith("numpy.") and fn.endswith("_like"):
        return number_of(e.args[0], facts)
    if fn in MAYBE_COMPLEX or fn.startswith(MAYBE_COMPLEX_MODULES):
        return EITHER
    if fn == "numpy.where" and len(e.args) == 3:
        return promoted([number_of(a, facts) for a in e.args[1:]])
    if fn == "helper._unbroadcast":
        return number_of(e.args[0], facts)
    if fn == "numpy.split" or fn == "numpy.array_split":
        return number_of(e.args[0], facts)
    found = promoted([number_of(a, facts) for a in (*e.args, *(v for _, v in e.options))])
    if found == COMPLEX and fn not in PROMOTING:
        return EITHER
    return found


def stated_dtype(e: Op, facts: Facts) -> str | None:
    """What a dtype among the arguments says; None without one."""
    dtype = next((v for k, v in e.options if k == "dtype"), None)
    if dtype is None and len(e.args) > 1:
        rule = rules.lookup(e.fn)
        at = rule.params.index("dtype") if rule is not None and "dtype" in rule.params else DTYPE_AT.get(e.fn)
        dtype = e.args[at] if at is not None and len(e.args) > at else None
    return None if dtype in (None, ir.NONE) else number_of_dtype(dtype, facts)


def number_of_dtype(dtype: Expr, facts: Facts) -> str | None:
    match dtype:
        case Var(name=name) | ir.Attribute(name=name) if name in COMPLEX_DTYPES:
            return COMPLEX
        case Var(name=name) | ir.Attribute(name=name) if name in REAL_DTYPES:
            return REAL
        case Const(value=str() as name):
            if name in COMPLEX_DTYPES or name[:1] in ("c", "D", "F", "G"):
                return COMPLEX
            return REAL
        case ir.Attribute(value=value, name="dtype"):
            return number_of(value, facts)
        case Op(fn="numpy.dtype" | "numpy.result_type" | "numpy.promote_types", args=args):
            found = [number_of_dtype(a, facts) or number_of(a, facts) for a in args]
            return promoted(found)
        case Op(fn="builtins.complex"):
            return COMPLEX
    return None


def is_source(e: Expr) -> bool:
    """Whether complex numbers may come into a function by this node, though no complex ones go in."""
    match e:
        case Const(value=complex()) | Const(value="complex" | "complex64" | "complex128" | "c8" | "c16" | "D" | "F"):
            return True
        case Var(name=name) | ir.Attribute(name=name) if name in COMPLEX_DTYPES:
            return True
        case Op(fn=fn):
            return (
                fn in COMPLEX_RESULTS
                or fn in ("numpy.imag", "numpy.angle")  # their adjoints are complex: of real numbers, zero
                or fn.startswith("numpy.fft.")
                or fn in MAYBE_COMPLEX
                or fn.startswith(MAYBE_COMPLEX_MODULES)
            )
    return False


def with_number(fact: Fact, number: str) -> Fact:
    """The fact of a value, or a container of values, of this number; a complex value has kind `any`."""
    if fact.kind in ("list", "tuple", "dict"):
        return replace(
            fact,
            elem=fact.elem and with_number(fact.elem, number),
            items=tuple(with_number(i, number) for i in fact.items),
            number=number,
        )
    if fact.kind not in ("float", "int", "any"):
        return fact
    return replace(fact, kind="any", number=number, length=None)


def numbered(e: Op, fact: Fact, facts: Facts) -> Fact:
    """The fact of an operation's result with its number."""
    if e.fn.startswith(("local.", "operator.")) or e.fn in STRUCTURAL:
        return fact
    number = number_of_operation(e, facts)
    if number != REAL and fact.items and (real := REAL_PARTS.get(e.fn)):
        items = (x if i in real else with_number(x, number) for i, x in enumerate(fact.items))
        return replace(fact, items=tuple(items))
    if number == REAL:
        return fact if upper(fact) == REAL else replace(fact, number=REAL)
    return with_number(fact, number)


__all__ = ["COMPLEX", "EITHER", "REAL", "either", "is_source", "number_of", "numbered", "promoted", "upper"]
