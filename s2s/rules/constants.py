"""Functions without derivative: comparisons, tests, shapes, integers, arrays made from shapes."""

from __future__ import annotations

from typing import Any

from s2s.ir import Op
from s2s.rules.kinds import Call, Constant, constant, enter

constant(
    "np.less(a, b)", "np.less_equal(a, b)", "np.greater(a, b)", "np.greater_equal(a, b)", "np.equal(a, b)",
    "np.not_equal(a, b)", "np.logical_and(a, b)", "np.logical_or(a, b)", "np.logical_not(a)", "np.logical_xor(a, b)",
    "np.isfinite(x)", "np.isnan(x)", "np.isinf(x)", "np.isclose(a, b)", "np.allclose(a, b)", "np.array_equal(a, b)",
    "np.any(x)", "np.all(x)", "np.isscalar(x)", "np.isreal(x)", "np.iscomplexobj(x)", "np.isin(a, b)",
)  # fmt: skip
constant(
    "np.bitwise_and(a, b)", "np.bitwise_or(a, b)", "np.bitwise_xor(a, b)", "np.invert(a)", "np.left_shift(a, b)",
    "np.right_shift(a, b)", "np.gcd(a, b)", "np.lcm(a, b)",
)  # fmt: skip
constant(
    "np.shape(x)", "np.size(x)", "np.ndim(x)", "np.result_type(x)", "np.broadcast_shapes(x)", "np.shares_memory(a, b)",
    "np.may_share_memory(a, b)", "np.finfo(dtype)", "np.iinfo(dtype)", "np.dtype(dtype)",
)  # fmt: skip
constant("np.unravel_index(i, shape)", "np.ravel_multi_index(i, shape)")
constant(
    "np.zeros(shape)", "np.ones(shape)", "np.empty(shape)", "np.zeros_like(x)", "np.ones_like(x)",
    "np.empty_like(prototype)", "np.eye(n)", "np.identity(n)", "np.indices(shape)", "np.tri(n)",
    "np.tril_indices(n)",
    "np.triu_indices(n)", "np.diag_indices(n)", "np.int64(x)", "np.int32(x)", "np.bool_(x)",
    "np.set_printoptions(options)", "np.errstate(options)", "np.seterr(options)",
)  # fmt: skip
constant(
    "np.isneginf(x)", "np.isposinf(x)", "np.iscomplex(x)", "np.isrealobj(x)", "np.isnat(x)",
    "np.array_equiv(a, b)", "np.can_cast(a, b)", "np.common_type(x)", "np.promote_types(a, b)", "np.min_scalar_type(x)",
    "np.mintypecode(x)", "np.issubdtype(a, b)", "np.isdtype(a, b)", "np.isfortran(x)", "np.iterable(x)",
    "np.typename(x)", "np.bitwise_count(x)", "np.packbits(x)", "np.unpackbits(x)", "np.mask_indices(n, f)",
    "np.tril_indices_from(matrix)", "np.triu_indices_from(matrix)", "np.diag_indices_from(matrix)",
    "np.einsum_path(subscripts, x)",
    "np.bartlett(n)", "np.blackman(n)", "np.hamming(n)", "np.hanning(n)",
    "np.array2string(x)", "np.array_repr(x)", "np.array_str(x)", "np.base_repr(x)", "np.binary_repr(x)",
    "np.format_float_positional(x)", "np.format_float_scientific(x)",
    "np.is_busday(x)", "np.busday_count(a, b)", "np.busday_offset(a, b)", "np.datetime_as_string(x)",
    "np.datetime_data(x)", "np.ndindex(shape)",
    "np.loadtxt(file)", "np.genfromtxt(file)", "np.fromfile(file)", "np.fromregex(file)", "np.fromstring(text)",
    "np.load(file)", "np.save(file, x)", "np.savetxt(file, x)", "np.savez(file)",
    "np.savez_compressed(file)",
    "np.get_printoptions(options)", "np.printoptions(options)", "np.geterr(options)", "np.geterrcall(options)",
    "np.seterrcall(options)", "np.getbufsize(options)", "np.setbufsize(n)", "np.get_include(path)", "np.info(what)",
    "np.show_config(mode)", "np.show_runtime(mode)",
)  # fmt: skip
constant(
    "np.int8(x)", "np.int16(x)", "np.uint8(x)", "np.uint16(x)", "np.uint32(x)", "np.uint64(x)", "np.longlong(x)",
    "np.ulonglong(x)", "np.datetime64(text)", "np.timedelta64(n)", "np.str_(x)", "np.bytes_(x)",
)  # fmt: skip
constant(
    "len(x)", "range(n)", "int(x)", "bool(x)", "str(x)", "repr(x)", "round(x)", "isinstance(x, t)", "issubclass(x, t)",
    "hasattr(x, n)", "callable(x)", "type(x)", "id(x)", "print(x)", "any(x)", "all(x)", "format(x)", "hash(x)",
    "ord(x)",    "chr(x)", "input(x)",
)  # fmt: skip
constant(
    "math.floor(x)", "math.ceil(x)", "math.trunc(x)", "math.isfinite(x)", "math.isnan(x)", "math.isinf(x)",
    "math.isclose(a, b)", "math.gcd(a, b)", "math.lcm(a, b)", "math.comb(n, k)", "math.perm(n, k)",
    "math.factorial(n)", "math.isqrt(n)", "math.ulp(x)",
)  # fmt: skip


class Range(Constant):
    """np.arange: its end carries no derivative, its start and step would."""

    def bind(self, op: Op) -> Call:
        return super().bind(op) if len(op.args) > 1 else Call(self, op, {}, ())


START: dict[str, Any] = dict.fromkeys(
    ("start", "step"), "its number of elements is not smooth in it; write `start + step * np.arange(n)`"
)
enter(Range("np.arange(start, stop=None, step=1)", closed=START))

# Functions of indices and of bytes, which pass numbers on where they are given those.
AXES = ("a", "b", "c", "d")
enter(Constant("np.ix_(a, b=None, c=None, d=None)", closed=dict.fromkeys(AXES, "it is for indices; write np.reshape")))
enter(
    Constant(
        "np.frombuffer(buffer, dtype=None, count=-1, offset=0)",
        closed={"buffer": "it reads bytes; write np.ravel or a slice of the array itself"},
    )
)
