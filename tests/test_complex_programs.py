"""Programs with complex numbers through the whole tool, and what is refused of them."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate
from test_complex_rules import close, inner, random_like, reference

pytestmark = pytest.mark.table

HEAD = "import cmath\nimport numpy as np\nimport scipy.fft\nimport scipy.linalg\nimport scipy.special\n"
HEAD += "from scipy.fft import irfft, rfft\n\n"
R = np.random.default_rng(23)


def z(*shape: int) -> Any:
    values = R.uniform(0.3, 1.2, shape) * R.choice([-1.0, 1.0], shape) + 1j * R.uniform(0.3, 1.2, shape)
    return values if shape else complex(values)


def x(*shape: int) -> Any:
    values = R.uniform(0.3, 1.2, shape)
    return values if shape else float(values)


# name: (text, arguments, those that carry a derivative); `# s2s:` comments say what is complex
PROGRAMS: dict[str, tuple[str, tuple[Any, ...], str]] = {
    "amplitude and phase": (
        """
# s2s: w complex (n,), x (n,)
def f(w, x):
    y = w * np.exp(1j * x)
    return np.sum(np.abs(y) ** 2 * x + y.real)
""",
        (z(4), x(4)), "w,x",
    ),
    "squared modulus broadcast": (
        """
# s2s: a complex
def f(a, b):
    return np.abs(a) ** 2 * b + np.square(np.abs(a))
""",
        (z(4), x(3, 4)), "a,b",
    ),
    "a scalar becomes complex in a loop": (
        """
def f(x: float, n: int):
    s = 0.0
    for k in range(n):
        s = s * x + 1j * x**k
    return abs(s)
""",
        (0.7, 4), "x",
    ),
    "items of a display, one of which is complex": (
        """
# s2s: x (n,)
def f(x, k: float):
    w = x**2 + 1j * k * x
    v = np.concatenate([2.0 * y for y in (x, w)])
    s = 0.0
    for y in (w, x, np.abs(w)):
        s = s + y[0] * y[1]
    return np.abs(np.sum(v**2)) + s.real * x[0]
""",
        (x(3), 0.7), "x,k",
    ),
    "covariances between variables in columns": (
        """
# s2s: x (n, d)
def f(x, k: float):
    w = x**2 + 1j * k * x
    c = np.cov(w, rowvar=False)
    r = np.corrcoef(x + 1j * x**3, w, rowvar=False)
    p = np.polyfit(x[:, 0] + 1j * k, w[:, 1], 1)
    return np.sum(np.abs(c) ** 2) + np.sum((1j * r).real ** 2) + np.sum(np.abs(p) ** 2)
""",
        (x(4, 2), 0.7), "x,k",
    ),
    "an array becomes complex in a loop": (
        """
# s2s: x (n,)
def f(x, n: int):
    y = x
    for k in range(n):
        y = y * np.exp(1j * x) + x
    return np.sum(np.abs(y)) + np.sum(y.imag)
""",
        (x(4), 3), "x",
    ),
    "branches of both kinds": (
        """
# s2s: x (n,)
def f(x, flag: bool):
    y = 2.0 * x
    if flag:
        y = y * (1.0 + 2.0j)
    else:
        y = x * x
    return np.sum(np.real(y * y * x))
""",
        (x(4), True), "x",
    ),
    "stores": (
        """
# s2s: z complex (n,), x (n,)
def f(z, x, n: int):
    a = np.zeros(n, dtype=complex)
    for k in range(n):
        a[k] = z[k] * x[k - 1]
    a[1:] += 1j * a[:-1]
    a[0] = a[1] * np.conj(a[0])
    a *= z
    return np.sum(a * np.conj(x * a)) + a[2]
""",
        (z(5), x(5), 5), "z,x",
    ),
    "real values in stores": (
        """
def twice(v):
    return v * 2.0

# s2s: x (n,)
def f(x, n: int):
    y = 2.0 * x
    a = np.zeros((3, n), dtype=complex)
    a[0] = x
    a[1, 1:] = y[:-1]
    a[1, :1] += y[1:2]
    a[2, x > 0.5] = twice(x[x > 0.5])
    for k in range(1, n):
        a[2, k] += y[k] * np.abs(a[1, k])
        a[k % 3] *= 1j * x
    a[1] = twice(a[1].real)
    return np.sum(a * (1 + 2j), axis=0) * y
""",
        (x(5), 5), "x",
    ),
    "real functions of what lies where they are stored": (
        """
# s2s: x (n,)
def f(x):
    a = np.exp(1j * x)
    a[1] = np.angle(a[1] + x[0])
    a[2:] = np.abs(a[2:]) * x[2:]
    return a * (1 + 1j)
""",
        (x(4),), "x",
    ),
    "a parameter that is written": (
        """
# s2s: z complex (n,)
def f(z, x: float):
    z[1:] = z[:-1] * x
    z[0] += 1j * x
    return np.vdot(z, z) * x
""",
        (z(4), 0.8), "z,x",
    ),
    "first contribution is real": (
        """
# s2s: z complex (n,)
def f(z):
    y = z * 2.0
    s = np.sum(y.real)
    for k in range(3):
        s = s + y[k].imag * y[0].real
    return s + np.sum(np.abs(y))
""",
        (z(4),), "z",
    ),
    "helpers of both kinds": (
        """
def scale(a, b):
    return a * np.cos(b) + b


# s2s: z complex (n,), x (n,)
def f(z, x):
    return np.abs(np.sum(scale(z, x) * scale(x, z))) + np.sum(scale(x, x))
""",
        (z(3), x(3)), "z,x",
    ),
    "a helper with a complex result": (
        """
def phase(t):
    return np.exp(1j * t)


# s2s: x (n,)
def f(x):
    y = phase(x) * phase(2.0 * x)
    return np.sum(np.angle(y) * x)
""",
        (0.5 * x(3),), "x",
    ),
    "lists of both kinds": (
        """
# s2s: z complex (n,), x (n,)
def f(z, x):
    parts = []
    for k in range(3):
        parts.append(x[k])
        parts.append(z[k] * x[k])
    total = 0.0
    for p in parts:
        total = total + p * p
    return np.array([x[0], z[0], total])
""",
        (z(3), x(3)), "z,x",
    ),
    "parts of a result": (
        """
# s2s: z complex (n,)
def f(z, x: float):
    return np.abs(z) * x, z * z * x, x * x
""",
        (z(3), 0.9), "z,x",
    ),
    "a constant of the module": (
        """
OMEGA = 0.5 + 0.8j
POLES = np.array([1.0 + 1j, 2.0 - 1j])


# s2s: x (n,)
def f(x):
    return np.sum((x * OMEGA).imag ** 2) + np.abs(np.sum(x[:2] * POLES))
""",
        (x(3),), "x",
    ),
    "numbers of cmath": (
        """
def f(z: complex, t: float):
    w = cmath.exp(1j * t) * cmath.sqrt(z) + cmath.log(z)
    return w.real * cmath.phase(w) + abs(complex(t, 2.0 * t) * w)
""",
        (z(), 0.6), "z,t",
    ),
    "complex of two reals": (
        """
def f(a: float, b: float):
    c = complex(a, b)
    return (c * c).real + abs(c) * b
""",
        (0.4, 0.9), "a,b",
    ),
    "spectrum": (
        """
# s2s: x (n,)
def f(x):
    return np.sum(np.abs(np.fft.rfft(x * np.hanning(len(x)))) ** 2)
""",
        (x(7),), "x",
    ),
    "convolution by transforms": (
        """
# s2s: x (n,), h (n,)
def f(x, h):
    y = np.fft.irfft(np.fft.rfft(x) * np.fft.rfft(h), len(x))
    return np.sum(y**3)
""",
        (x(6), x(6)), "x,h",
    ),
    "a derivative by transforms": (
        """
# s2s: u (n, n)
def f(u):
    k = np.fft.fftfreq(u.shape[0])
    u_hat = np.fft.fft2(u)
    u_x = np.fft.ifft2(1j * k * u_hat).real
    return np.sum(u_x**2 * u) + np.sum(np.abs(np.fft.fftshift(u_hat, axes=1)))
""",
        (x(4, 4),), "u",
    ),
    "transforms of SciPy, as NumPy's": (
        """
# s2s: x (n,), h (m,), A (n, n)
def f(x, h, A, workers: int):
    n = len(x)
    y = irfft(rfft(x) * rfft(h, n=n), n)
    c = scipy.fft.fft(x=x, workers=workers)
    k = scipy.fft.fftfreq(n, d=0.5)
    B = scipy.fft.ifft2(scipy.fft.fft2(A, workers=-1) * 0.5j, norm="ortho").real
    D = scipy.fft.fftn(A, axes=(0, 1))
    return np.sum(np.abs(c) ** 2 * k**2) + np.sum(y * x) + np.sum(B * A) + np.sum(np.abs(D) ** 2 * A)
""",
        (x(5), x(4), x(5, 5), 1), "x,h,A",
    ),
    "linear algebra": (
        """
# s2s: A complex (n, n), b complex (n,)
def f(A, b, x: float):
    v = np.linalg.solve(A + x * np.eye(3), b)
    return np.real(np.vdot(v, A @ v)) + np.abs(np.linalg.det(A)) + np.linalg.norm(v) * x
""",
        (z(3, 3) + 3.0 * np.eye(3), z(3), 0.7), "A,b,x",
    ),
    "einsum and tensordot": (
        """
# s2s: T complex (n, n, n), v (n,)
def f(T, v):
    return np.einsum("ijk,j->ik", T, v) @ np.tensordot(T, v, axes=([2], [0]))
""",
        (z(3, 3, 3), x(3)), "T,v",
    ),
    "a real array made complex": (
        """
# s2s: x (n,)
def f(x):
    a = x.astype(complex)
    a[0] = a[0] * 1j
    b = np.array([x[0], 1j * x[1]])
    c = np.zeros_like(a)
    c[:] = a * a
    return np.sum(np.abs(a * c)) + np.sum(np.imag(b))
""",
        (x(3),), "x",
    ),
    "where, conjugate and a power": (
        """
# s2s: z complex (n,), x (n,)
def f(z, x):
    y = np.where(x > 0.7, z**3, z.conjugate() * 2.0)
    return np.prod(y) * x ** (1.0 + 0.5j)
""",
        (z(4), x(4)), "z,x",
    ),
    "a root of a matrix, its real part": (
        """
# s2s: A (n, n), B (n, n)
def f(A, B):
    R = scipy.linalg.sqrtm(A @ A.T + B).real
    return np.sum(R * B) + np.trace(np.real(scipy.linalg.logm(A @ A.T + np.eye(3))))
""",
        (np.eye(3) + 0.3 * x(3, 3), np.eye(3) + 0.4 * np.tri(3)), "A,B",
    ),
    "a root of a matrix that is complex": (
        """
# s2s: A (n, n)
def f(A):
    R = scipy.linalg.sqrtm(A @ A.T - 2.0 * np.eye(3))
    return np.sum(np.abs(R @ (A + 1j)) ** 2) + np.sum(scipy.linalg.sqrtm(A @ A + 4.0 * np.eye(3)) * 1j).imag
""",
        (np.eye(3) + 0.3 * x(3, 3),), "A",
    ),
    "a column of a root that is real, of a matrix with complex eigenvalues": (
        """
# s2s: A (n, n)
def f(A):
    return np.sum(np.exp(np.real(scipy.linalg.sqrtm(A)[:, 0])))
""",
        (np.array([[2.0, 0.8, 0.1], [-0.7, 2.1, 0.3], [0.2, 0.1, 1.5]]),), "A",
    ),
    "harmonics and a plasma": (
        """
# s2s: t (n,), z complex (n,)
def f(t, z):
    y = scipy.special.sph_harm_y(3, 1, t, 2.0 * t)
    return np.sum(np.abs(y + scipy.special.wofz(z)) ** 2) + np.sum(scipy.special.wofz(t).imag)
""",
        (np.array([0.4, 1.3, 2.2]), np.array([0.4 + 0.5j, -1.1 + 0.2j, 0.3 - 0.4j])), "t,z",
    ),
    "a recursion": (
        """
def tower(w, n):
    if n == 0:
        return w
    return tower(w * w * 0.5 + 1j * w, n - 1)


def f(x: float, n: int):
    return abs(tower(x, n))
""",
        (0.6, 3), "x",
    ),
}  # fmt: skip


def derivatives(text: str, **more: Any) -> tuple[dict[str, Any], str]:
    made = differentiate(HEAD + text, Request(functions=("f",), emit=("vjp", "jvp"), **more))
    space: dict[str, Any] = {}
    exec(made, space)
    return space, made


def copied(args: tuple[Any, ...]) -> list[Any]:
    return [np.copy(a) if isinstance(a, np.ndarray) else a for a in args]


def parts(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("stated", [True, False], ids=["stated", "ranks unknown"])
def test_program(name: str, stated: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    text, args, wrt_ = PROGRAMS[name]
    if not stated:
        text = text.replace(" (n,)", "").replace(" (n, n)", "").replace(" (n, n, n)", "").replace("# s2s: x\n", "")
        text = text.replace(", x\n", "\n").replace("# s2s: u\n", "").replace("# s2s: x, h\n", "").replace(", v\n", "\n")
    wrt = wrt_.split(",")
    space: dict[str, Any] = {"np": np}
    exec(HEAD + text, space)
    monkeypatch.setitem(sys.modules, "model", types.SimpleNamespace(**space))  # where constants come from
    f: Callable[..., Any] = space["f"]
    params = f.__code__.co_varnames[: f.__code__.co_argcount]
    result = parts(f(*copied(args)))
    try:
        made, source = derivatives(text)
    except S2SError as fault:
        assert not stated and "S305" not in str(fault), fault  # in-place updates want to know a rank
        return
    g = random_like(result, np.random.default_rng(1))
    before = copied(args)
    value, bars = made["f_vjp"](*args, out_bar=g)
    for a, b in zip(args, before, strict=True):
        assert np.array_equal(a, b), "an argument has changed"
    close(parts(value), result, 1e-14)
    again = made["f_vjp"](*args, out_bar=g)[1]
    product = 0.0
    rng = np.random.default_rng(2)
    dots = {n: random_like(args[params.index(n)], rng) for n in wrt}
    for n, bar, second in zip(
        wrt, (bars,) if len(wrt) == 1 else bars, (again,) if len(wrt) == 1 else again, strict=True
    ):
        at = params.index(n)

        def along(v: Any, at: int = at) -> Any:
            return parts(f(*[v if i == at else a for i, a in enumerate(copied(args))]))

        close(bar, second, 0.0)
        assert np.iscomplexobj(args[at]) or not np.iscomplexobj(bar), source
        close(bar, reference(along, args[at], g), 1e-7)
        product += inner(bar, dots[n])
    value, tangent = made["f_jvp"](*args, **{f"{n}_dot": d for n, d in dots.items()})
    close(parts(value), result, 1e-14)
    close(inner(g, parts(tangent)), product, 1e-11)


REFUSED = {
    "a store into a real array": ("def f(x: float):\n    a = np.zeros(2)\n    a[0] = 1j * x\n    return a\n", "S305"),
    "an order": ("# s2s: z complex (n,)\ndef f(z):\n    return np.max(z)\n", "S305"),
    "a sign": ("# s2s: z complex (n,)\ndef f(z):\n    return np.sign(z) * z\n", "S305"),
    "a conversion": ("# s2s: z complex (n,)\ndef f(z):\n    return z.astype(float)\n", "S305"),
    "a conversion to an array": ("# s2s: z complex (n,)\ndef f(z):\n    return np.array(z, dtype=float)\n", "S305"),
    "like a real array": ("# s2s: z complex ()\ndef f(x, z):\n    return np.full_like(x, z) * x\n", "S305"),
    "degrees": ("# s2s: z complex (n,)\ndef f(z):\n    return np.angle(z, deg=True)\n", "S302"),
    "a transform in place": ("def f(x):\n    return scipy.fft.fft(x, overwrite_x=True)\n", "S302"),
    "a transform with lengths only": ("def f(x):\n    return np.fft.fftn(x, (3, 3))\n", "S302"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    text, code = REFUSED[name]
    with pytest.raises(S2SError) as fault:
        derivatives(text)
    assert {d.code for d in fault.value.diagnostics} == {code}


def test_a_gradient_needs_a_real_result() -> None:
    with pytest.raises(S2SError, match="may be complex") as fault:
        differentiate(HEAD + "def f(z: complex):\n    return z * z\n", Request(functions=("f",)))
    assert fault.value.diagnostics[0].code == "S405"


def test_an_array_stated_to_be_complex_is_guarded() -> None:
    made, _ = derivatives("# s2s: z complex (n,)\ndef f(z):\n    return z * z\n")
    with pytest.raises(AssertionError):
        made["f_vjp"](np.ones(3), out_bar=np.ones(3))


def test_a_real_seed_of_a_complex_result() -> None:
    """The dtype of the cotangent of a buffer is that of the buffer, whatever the caller's seed is."""
    made, _ = derivatives("# s2s: z complex (n,)\ndef f(z):\n    a = z * 1.0\n    a[0] = a[1] * a[2]\n    return a\n")
    values = z(3)
    _, bar = made["f_vjp"](values, out_bar=np.array([1.0, 2.0, 3.0]))
    close(bar, [0.0, np.conj(values[2]) + 2.0, np.conj(values[1]) + 3.0], 1e-14)


def test_single_precision_stays() -> None:
    made, _ = derivatives(
        "# s2s: z complex (n,), x (n,)\ndef f(z, x):\n    return np.sum(np.abs(z * np.exp(1j * x)))\n"
    )
    values, reals = z(3).astype(np.complex64), x(3).astype(np.float32)
    value, (z_bar, x_bar) = made["f_vjp"](values, reals)
    assert (value.dtype, z_bar.dtype, x_bar.dtype) == (np.float32, np.complex64, np.float32)


TEXT = """
    # forward sweep
    e = np.exp(1j * x)
    y = w * e

    # reverse sweep
    # adjoint of: return np.sum(np.abs(y) ** 2 * x + y.real)
    y_bar = 2.0 * y * x
    y_bar += 1.0
    x_bar = np.abs(y) ** 2
    # adjoint of: y = w * np.exp(1j * x)
    w_bar = np.conj(e) * y_bar
    x_bar += np.imag(np.conj(e * w) * y_bar)
    return w_bar, x_bar
"""


def test_text() -> None:
    """Conjugates stand on complex factors only, one for a product; real parts are taken where a real operand is."""
    text = differentiate(HEAD + PROGRAMS["amplitude and phase"][0], Request(functions=("f",)))
    assert TEXT in text, text


def test_a_parameter_that_is_not_stated_to_be_complex_is_guarded() -> None:
    made, _ = derivatives("# s2s: z complex (n,)\ndef f(z, w, n: int, t: float):\n    return z * w * t\n")
    made["f_vjp"](z(3), x(3), 2, 1.0, out_bar=z(3))
    with pytest.raises(AssertionError):
        made["f_vjp"](z(3), z(3), 2, 1.0, out_bar=z(3))


SECOND = {
    "a real parameter": (
        "# s2s: x (n,)\ndef f(x):\n    return np.sum(np.abs(np.fft.rfft(x**2)) ** 2 * 0.1)\n",
        (x(5),),
    ),
    "a complex parameter": (
        "# s2s: z complex (n,)\ndef f(z):\n    return np.sum(np.abs(z * z) ** 2 + np.real(z**3)) + np.abs(z[0])\n",
        (z(3),),
    ),
    "numbers": ("def f(z: complex, a: float):\n    return abs(z * z * a) ** 2 + (z**3).imag * a\n", (z(), 0.7)),
    "numbers by comment": (
        "# s2s: z complex (), a ()\ndef f(z, a):\n    return abs(z * z * a) ** 2 + (z**3).imag * a\n",
        (z(), 0.7),
    ),
}


@pytest.mark.parametrize("name", SECOND)
def test_second_order(name: str) -> None:
    """The Hessian-vector product is the derivative of the gradient along the tangent, and is symmetric."""
    text, args = SECOND[name]
    made = differentiate(HEAD + text, Request(functions=("f",), emit=("grad", "hvp")))
    space: dict[str, Any] = {}
    exec(made, space)
    params = [p for p in ("z", "x", "a") if f"{p}_dot" in made]
    u, v = ([random_like(a, np.random.default_rng(k)) for a in args] for k in (3, 4))

    def product(d: list[Any]) -> list[Any]:
        found = space["f_hvp"](*args, **{f"{p}_dot": t for p, t in zip(params, d, strict=True)})
        return list(found) if len(params) > 1 else [found]

    def gradient(h: float) -> list[Any]:
        found = space["f_grad"](*[a + h * t for a, t in zip(args, u, strict=True)])
        return list(found) if len(params) > 1 else [found]

    hu, hv = product(u), product(v)
    assert abs(inner(hu, v) - inner(hv, u)) < 1e-11
    steps = [[(a - b) / (2 * h) for a, b in zip(gradient(h), gradient(-h), strict=True)] for h in (1e-3, 5e-4)]
    close(hu, [(4 * b - a) / 3 for a, b in zip(*steps, strict=True)], 1e-7)


@pytest.mark.parametrize("emit", ["jacobian", "hessian"])
def test_matrices_of_complex_numbers_are_refused(emit: str) -> None:
    with pytest.raises(S2SError, match="S305"):
        differentiate(HEAD + "def f(z: complex):\n    return abs(z)\n", Request(functions=("f",), emit=(emit,)))


def test_entries_of_a_dict_are_guarded_one_by_one() -> None:
    text = '# s2s: p["w"] complex (n,)\ndef f(p, t):\n    return np.sum(np.abs(p["w"] * t) ** 2 + p["b"] * t)\n'
    made, source = derivatives(text)
    p: dict[str, Any] = {"w": z(3), "b": 0.3}
    f: dict[str, Any] = {"np": np}
    exec(text, f)
    _, (p_bar, t_bar) = made["f_vjp"](p, 0.7, out_bar=1.0)
    close(p_bar["w"], reference(lambda v: f["f"]({"w": v, "b": 0.3}, 0.7), p["w"], 1.0), 1e-7)
    close(t_bar, reference(lambda v: f["f"](p, v), 0.7, 1.0), 1e-7)
    assert not np.iscomplexobj(t_bar), source
    for wrong in ({"w": x(3), "b": 0.3}, {"w": z(3), "b": 0.3j}):
        with pytest.raises(AssertionError):
            made["f_vjp"](wrong, 0.7, out_bar=1.0)
