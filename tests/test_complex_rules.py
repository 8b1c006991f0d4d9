"""Rules at complex operands, entry by entry, through the whole tool: both modes of `return call` of each sample.

The reference are differences in real and imaginary direction: the adjoint for the inner product Re(conj(a) b) of a
complex operand is the derivative along 1 plus 1j times the derivative along 1j.
"""

from __future__ import annotations

import itertools
import warnings
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import test_rules
from s2s import helpers, rules
from s2s.errors import S2SError
from s2s.ir import Op, Var
from s2s.pipeline import Request
from s2s.pipeline import differentiate_unformatted as differentiate
from s2s.rules import Rule, RuleError
from s2s.rules.refused import REAL_ONLY, real_only
from test_rules import Case, case_id, fill, flat, name_of

pytestmark = pytest.mark.table

R = np.random.default_rng(17)


def complex_like(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value + 1j * R.uniform(-1.5, 1.5, value.shape)
    return value + 1j * R.uniform(0.3, 1.5)


POOL = test_rules.POOL
POOL |= {"R": np.array([[0.5, 2.0, 0.1], [-1.7, 0.3, 0.4], [0.2, -0.6, 1.1]])}  # two of its eigenvalues are complex
POOL |= {
    f"z{n}": complex_like(POOL[n])
    for n in ("s", "t", "v", "w", "u", "M", "W", "N", "T", "A", "AA", "S", "SS", "tall", "b5", "b52")
}
POOL |= {n: a @ np.conj(np.swapaxes(a, -1, -2)) for n in ("zS", "zSS") for a in [POOL[n]]}
SHAPES = {
    1: [(None,), ((4,),), ((3, 4),)],
    2: [(None, None), ((4,), (4,)), ((3, 4), (4,)), (None, (3, 4)), ((3, 4), None)],
}


def off_the_axes(shape: tuple[int, ...] | None, rng: np.random.Generator) -> Any:
    """Complex numbers in all quadrants, away from cuts and zeros."""
    parts = [rng.uniform(0.3, 1.2, shape or ()) * rng.choice([-1.0, 1.0], shape or ()) for _ in range(2)]
    z = parts[0] + 1j * parts[1]
    return complex(z) if shape is None else z


def drawn(rule: Rule, name: str, shape: tuple[int, ...] | None, is_complex: bool, rng: np.random.Generator) -> Any:
    if is_complex:
        return off_the_axes(shape, rng)
    x = rng.uniform(0.3, 1.2, shape or ())
    return float(x) if shape is None else x


def elementwise_cases(rule: Rule) -> list[Case]:
    names = [n for n in rule.params if rule.actions.get(n) and n in rule.names] or list(rule.names)
    scalars = not rule.fn.startswith("numpy.")
    cases = []
    for shapes in SHAPES[len(names)][:1] if scalars else SHAPES[len(names)]:
        for kinds_ in itertools.product([True, False], repeat=len(names)):
            real = rule.fn in ("cmath.rect", "builtins.complex", "numpy.complex64", "numpy.complex128")
            if any(kinds_) == real and not (real and rule.fn.startswith("numpy.")):
                continue
            rng = np.random.default_rng(zlib.crc32(repr((rule.key, shapes, kinds_)).encode()))
            env = {n: drawn(rule, n, s, k, rng) for n, s, k in zip(names, shapes, kinds_, strict=True)}
            for n in rule.names:  # of orders it has no derivative
                env.setdefault(n, test_rules.draw(rule, n, None, rng))
            label = f"{rule.spelled}{shapes}{''.join('RC'[k] for k in kinds_)}"
            cases.append(Case(rule, Op(rule.fn, tuple(Var(n) for n in rule.names)), env, label))
    return cases


def sampled(rule: Rule) -> list[Case]:
    """The samples of a real rule with complex operands: all of them, and each alone."""
    cases = []
    for text in rule.at.split(";"):
        case = test_rules.parse_sample(rule, text)
        if rule.fn in rules.kinds.COMPLEX:
            cases.append(case)
            continue
        names = dict.fromkeys(name_of(o) for o in rule.bind(case.op).operands)
        operands = [n for n in names if not isinstance(case.env[n], list)]
        groups = [operands] + ([[n] for n in operands] if len(operands) > 1 else [])
        if "float" in text or case.rule.fn in ("numpy.astype", "numpy.full_like"):
            continue  # to real numbers: `test_programs`
        for group in groups:
            env = {n: complex_like(v) if n in group else v for n, v in case.env.items()}
            if group and takes(case, env):
                cases.append(Case(rule, case.op, env, f"{case.label} {','.join(sorted(group))}"))
    return cases


def takes(case: Case, env: dict[str, Any]) -> bool:
    """Whether the function itself takes these operands: some drop the imaginary parts of what goes into real arrays."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", np.exceptions.ComplexWarning)
        try:
            case.primal(env)
        except (TypeError, np.exceptions.ComplexWarning):
            return False
    return True


# Calls beyond those of elementwise rules on all kinds of operands.
MORE = {
    "builtins.complex": "complex(s, t)",
    "numpy.power": "np.power(2.0, zv); np.power(v, zw)",
    "numpy.float_power": "np.float_power(2.0, zv); np.float_power(v, zw)",
    "cmath.log": "cmath.log(zs, 2.0); cmath.log(zs, zt)",
}


def samples(rule: Rule) -> list[Case]:
    if rule.at:
        return sampled(rule)
    more = [test_rules.parse_sample(rule, text) for text in MORE.get(rule.fn, "").split(";") if text]
    return elementwise_cases(rule) + more


CASES = [case for rule in rules.complex_rules() for case in samples(rule)]


# ---------------------------------------------------------------- references


def inner(a: Any, b: Any) -> float:
    return float(np.real(np.vdot(flat(a), flat(b))))


def slope(value: Callable[[complex], float], direction: complex) -> float:
    """The derivative along a direction: central differences with Richardson extrapolation."""
    slopes = [(value(h * direction) - value(-h * direction)) / (2.0 * h) for h in (2e-3, 1e-3, 5e-4)]
    first = [(4.0 * b - a) / 3.0 for a, b in itertools.pairwise(slopes)]
    return (16.0 * first[1] - first[0]) / 15.0


def reference(f: Callable[[Any], Any], x: Any, g: Any) -> np.ndarray:
    x0 = flat(x)
    is_complex = np.iscomplexobj(x0)
    result = np.zeros(x0.size, complex if is_complex else float)
    for i in range(x0.size):

        def value(step: complex, i: int = i) -> float:
            numbers = x0.astype(complex if isinstance(step, complex) else x0.dtype)
            numbers[i] += step
            return inner(g, f(fill(x, numbers)))

        result[i] = slope(value, 1.0)
        if is_complex:
            result[i] += 1j * slope(value, 1j)
    return result


def random_like(value: Any, rng: np.random.Generator) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(random_like(v, rng) for v in value)
    numbers = rng.uniform(-1.5, 1.5, flat(value).size)
    if np.iscomplexobj(value):
        numbers = numbers + 1j * rng.uniform(-1.5, 1.5, numbers.size)
    filled = fill(value, numbers)
    return filled[()] if isinstance(filled, np.ndarray) and filled.ndim == 0 else filled


def close(a: Any, b: Any, tolerance: float) -> None:
    a, b = flat(a), flat(b)
    assert a.shape == b.shape
    np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance * (1.0 + np.max(np.abs(b), initial=0.0)))


# ---------------------------------------------------------------- the tests


def program(case: Case, part: int | None = None) -> str:
    """def f(...): the call's result; of a tuple the parts that carry a derivative, or one of them."""
    call = test_rules.SHOW(case.op)
    body = f"    return {call}"
    bound = case.rule.bind(case.op)
    if bound.results:
        names = ", ".join(f"r{i}" for i in range(len(bound.results)))
        parts = bound.parts if part is None else [part]
        body = f"    {names} = {call}\n    return {', '.join(f'r{i}' for i in parts)}"
    head = "import cmath\nimport copy\nimport math\n\nimport numpy as np\n"
    head += "import scipy\n" if case.rule.fn.startswith("scipy") else ""
    return f"{head}\n\ndef f({', '.join(case.env)}):\n{body}\n"


def stated(env: dict[str, Any], shapes: bool) -> str:
    """What is said of the arguments: which of them are complex, and their shapes."""
    out = []
    for name, value in env.items():
        word = f"{name} complex" if np.iscomplexobj(value) else name
        dims = "".join(f"{n}," for n in np.shape(value))
        if shapes or (np.iscomplexobj(value) and np.ndim(value) == 0):
            if np.ndim(value) or isinstance(value, float | complex):
                out.append(f"{word} ({dims})")
        elif np.iscomplexobj(value):
            out.append(word)
    return ", ".join(out)


def derivatives(source: str, **more: Any) -> tuple[dict[str, Any], str]:
    text = differentiate(source, Request(functions=("f",), emit=("vjp", "jvp"), **more))
    space: dict[str, Any] = {}
    exec(text, space)
    return space, text


@pytest.mark.parametrize("shapes", [False, True], ids=["unknown", "stated"])
@pytest.mark.parametrize("case", CASES, ids=case_id)
def test_both_modes(case: Case, shapes: bool) -> None:
    parts = case.rule.bind(case.op).parts
    for part in (None, *parts) if len(parts) > 1 else (None,):
        check_both_modes(case, program(case, part), shapes)


REFERENCES: dict[tuple[int, str, str], np.ndarray] = {}  # by case, program and operand


def check_both_modes(case: Case, source: str, shapes: bool) -> None:
    env = case.env
    wrt = tuple(n for n in env if n in {name_of(o) for o in case.rule.bind(case.op).operands})
    space: dict[str, Any] = {}
    exec(source, space)
    f = space["f"]
    result = f(**env)
    try:
        made, text = derivatives(source, wrt=wrt, shapes=stated(env, shapes))
    except (S2SError, RuleError) as fault:
        assert not shapes or "S305" not in str(fault), fault  # a rule may want to know a rank
        assert not shapes, fault
        return
    rng = np.random.default_rng(5)
    g = random_like(result, rng)
    value, found = made["f_vjp"](**env, out_bar=g)
    close(value, result, 1e-15)
    found = (found,) if len(wrt) == 1 else found
    dots = {n: random_like(env[n], rng) for n in wrt}
    product = 0.0
    for name, bar in zip(wrt, found, strict=True):
        assert np.shape(bar) == np.shape(env[name]), text
        assert np.iscomplexobj(env[name]) or not np.iscomplexobj(bar), text
        tolerance = 1e-2 if "complex64" in case.rule.fn else 2e-7
        if (key := (id(case), source, name)) not in REFERENCES:  # the same whatever is stated, and `g` with it
            REFERENCES[key] = reference(lambda v, n=name: f(**env | {n: v}), env[name], g)  # type: ignore[misc]
        close(bar, REFERENCES[key], tolerance)
        product += inner(bar, dots[name])
    value, tangent = made["f_jvp"](**env, **{f"{n}_dot": d for n, d in dots.items()})
    close(value, result, 1e-15)
    assert isinstance(result, list | tuple) or np.shape(tangent) == np.shape(result)
    assert np.iscomplexobj(flat(result)) or not np.iscomplexobj(flat(tangent)), text
    close(inner(g, tangent), product, 1e-6 if "complex64" in case.rule.fn else 1e-11)
    if shapes and case.rule.fn not in WIDER:
        check_single_precision(case, made, wrt, g, dots)


WIDER = ("scipy.linalg.expm",)  # computed in double precision


def single(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(map(single, value))
    kind = np.asarray(value).dtype.kind
    return np.asarray(value).astype({"c": np.complex64, "f": np.float32}[kind])[()] if kind in "cf" else value


def check_single_precision(
    case: Case, made: dict[str, Any], wrt: tuple[str, ...], g: Any, dots: dict[str, Any]
) -> None:
    """complex64 stays complex64, and float32 float32, where the function keeps them; an adjoint may be real."""
    env = {n: single(v) for n, v in case.env.items()}
    try:
        result = case.primal(env)
    except (TypeError, ValueError):
        return
    narrow = (np.float32, np.complex64)
    if isinstance(result, list | tuple) or np.asarray(result).dtype not in narrow:
        return
    _, found = made["f_vjp"](**env, out_bar=single(g))
    for bar in (found,) if len(wrt) == 1 else found:
        assert all(np.asarray(b).dtype in narrow for b in (bar if isinstance(bar, list) else [bar]))
    _, tangent = made["f_jvp"](**env, **{f"{n}_dot": single(d) for n, d in dots.items()})
    assert np.asarray(tangent).dtype in narrow


ZERO = np.array([0.0, 3.0 - 4.0j])
AT_ZERO = [
    ("np.linalg.vector_norm(z)", "z", {"z": np.zeros(2, complex)}, [0.0, 0.0]),
    ("np.linalg.vector_norm(z, ord=1)", "z", {"z": np.zeros(2, complex)}, [0.0, 0.0]),
    ("np.abs(z)", "z", {"z": ZERO}, [0.0, 0.6 - 0.8j]),
    ("abs(z)", "z", {"z": 0j}, 0.0),
    ("np.angle(z)", "z", {"z": ZERO}, [0.0, 0.16 + 0.12j]),
    ("cmath.phase(z)", "z", {"z": 0j}, 0.0),
    ("np.linalg.norm(z)", "z", {"z": np.zeros(2, complex)}, [0.0, 0.0]),
    ("np.linalg.norm(z, 1)", "z", {"z": ZERO}, [0.0, 0.6 - 0.8j]),
    ("np.power(x, z)", "z", {"x": np.zeros(2), "z": np.array([2.0, 1.0 + 1.0j])}, [0.0, 0.0]),
    ("np.power(0.0, z)", "z", {"z": np.array([2.0, 1.0 + 1.0j])}, [0.0, 0.0]),
]


@pytest.mark.parametrize(("call", "wrt", "env", "expected"), AT_ZERO, ids=[e[0] for e in AT_ZERO])
def test_at_zero(call: str, wrt: str, env: dict[str, Any], expected: Any) -> None:
    """The conventions of a complex modulus, argument and power at 0."""
    shapes = f"{wrt} complex" + (" ()" if np.ndim(env[wrt]) == 0 else " (n,)")
    source = f"import cmath\n\nimport numpy as np\n\n\ndef f({', '.join(env)}):\n    return {call}\n"
    space, _ = derivatives(source, wrt=(wrt,), shapes=shapes)
    g = np.ones_like(eval(call, test_rules.NAMESPACE | env))
    close(space["f_vjp"](**env, out_bar=g)[1], expected, 1e-15)


def test_norms_that_are_refused() -> None:
    """A norm of complex numbers whose order the rule does not have, or may be that of a matrix."""
    of_vectors, of_matrices = "z complex (n,)", "z complex (n, n)"
    for call, shapes in (("(z, 3)", of_vectors), ("(z, 'nuc')", of_matrices), ("(z, 1)", of_matrices)):
        source = f"import numpy as np\n\n\ndef f(z):\n    return np.linalg.norm{call}\n"
        with pytest.raises(S2SError, match="of complex numbers"):
            derivatives(source, shapes=shapes)


FACTORS = {
    "eigh": "w, v = np.linalg.eigh(a)\n    return np.sum(np.abs(v) ** 4 * w)",
    "svd": "u, s, vh = np.linalg.svd(a)\n    return np.sum(np.abs(u @ np.diag(np.sqrt(s)) @ vh) ** 4)",
}
PHASES = {
    "eigh": "w, v = np.linalg.eigh(a)\n    return np.sum(np.imag(v) * w)",
    "svd": "u, s, vh = np.linalg.svd(a)\n    return np.sum(np.imag(u) * s)",
}


@pytest.mark.parametrize("name", FACTORS)
def test_phases_that_do_not_matter(name: str) -> None:
    """At a diagonal matrix the entries that fix the phases of the vectors are 0."""
    source = f"import numpy as np\n\n\ndef f(a):\n    {FACTORS[name]}\n"
    space: dict[str, Any] = {}
    exec(source, space)
    exec(differentiate(source, Request(functions=("f",), shapes="a complex (3, 3)")), space)
    a = np.diag([1.5, 0.7, 2.4]).astype(complex)
    close(space["f_grad"](a), reference(space["f"], a, 1.0), 2e-7)
    exec(
        differentiate(source.replace(FACTORS[name], PHASES[name]), Request(functions=("f",), shapes="a complex")), space
    )
    with pytest.raises(np.linalg.LinAlgError, match="no derivative"):
        space["f_grad"](a)


def test_vectors_with_other_phases_than_those_of_lapack() -> None:
    w, v = np.linalg.eigh(POOL["zS"])
    turned = v * np.exp(1j * np.arange(4.0))
    for bar, right in ((turned, True), (np.abs(turned) ** 2 * turned, True), (np.ones_like(v), False)):
        if right:
            assert np.all(np.isfinite(helpers._complex_eigh_bar(None, bar, w, turned)))
            continue
        with pytest.raises(np.linalg.LinAlgError, match="phases"):
            helpers._complex_eigh_bar(None, bar, w, turned)


def accepts_complex(rule: Rule) -> bool:
    """Whether the function itself has a value for complex operands."""
    for case in test_rules.samples(rule)[:2]:
        env = {n: fill(v, flat(v) + 0.1j) if flat(v).dtype == float else v for n, v in case.env.items()}
        try:
            with np.errstate(all="ignore"):
                case.primal(env)
        except (TypeError, ValueError, np.linalg.LinAlgError):
            continue
        return True
    return False


HANDLED = {rule.fn for rule in rules.complex_rules()}
OTHERS = [r for r in rules.all_rules() if r.kind != "constant" and r.fn not in HANDLED]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("rule", OTHERS, ids=repr)
def test_every_other_function_is_refused(rule: Rule) -> None:
    """A function without a complex rule is refused where it gets complex numbers, if it takes them at all.

    Those are the functions that order numbers (max, sort, median), and what is not written yet (cov, cond).
    """
    if not accepts_complex(rule):
        return
    case = next(c for c in test_rules.samples(rule) if c.env)
    names = [name_of(o) for o in rule.bind(case.op).operands]
    with pytest.raises(S2SError) as fault:
        derivatives(program(case), shapes=", ".join(f"{n} complex" for n in dict.fromkeys(names)))
    assert {d.code for d in fault.value.diagnostics} <= {"S305"}, fault.value


def test_where_complex_numbers_are_refused_it_is_said_why() -> None:
    """Of each function that takes them, and whose rule does not."""
    silent = set()
    for case in test_rules.CASES:
        rule = case.rule
        if not rule.fn.startswith(("numpy.", "scipy.")) or rules.lookup_complex(rule.fn) is not None:
            continue
        operands = {name_of(o) for o in rule.bind(case.op).operands if not isinstance(case.env[name_of(o)], list)}
        env = {n: complex_like(v) if n in operands else v for n, v in case.env.items()}
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                taken = operands and takes(case, env)
            except Exception:
                continue
        if taken and not real_only(rule.fn):
            silent.add(rule.fn)
    assert not silent
    assert not [fn for fn in REAL_ONLY if rules.lookup_complex(fn) is not None or rules.lookup(fn) is None]


REFUSED = [
    ("np.linalg.vector_norm(z, ord=3)", "`ord` is 1 or 2"),
    ("sp.linalg.solve(z, v, assume_a='pos')", "supported with assume_a"),
    ("sp.linalg.solve_triangular(z, v, 2)", "supported with trans"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_options_that_are_refused(call: str, message: str) -> None:
    with pytest.raises(RuleError, match=message):
        test_rules.text(call, "z", lookup=rules.lookup_complex)
