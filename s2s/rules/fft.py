"""Discrete Fourier transforms.

The transform of length n is a symmetric matrix F, and the inner product is Re(conj(a) b): the adjoint of `fft` is
conj(F) = the unscaled inverse transform, which NumPy calls `norm="forward"`. So each adjoint is the inverse transform
with the other scaling. A transform that is real on one side has the adjoint of the full one: its real part going to
real numbers (the engine takes it); going to half a spectrum, each frequency counts as often as `irfft` reads it.
(Briggs & Henson, The DFT, 1995, chapters 2 and 4.)

scipy.fft has the same functions; they take the rules of NumPy's. Its `workers` changes no value.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2s.rules.kinds import SAME, Linear, for_complex, general, linear
from s2s.rules.tracing import call, h, is_literal, ndim

AS_IN_SCIPY: dict[str, Any] = {"also": {"x": "a"}, "ignored": ("workers",)}
SWAPPED = {None: "forward", "backward": "forward", "forward": None, "ortho": "ortho"}


def check(scope: dict[str, Any]) -> str | None:
    if not is_literal(scope["norm"]) or scope["norm"] not in SWAPPED:
        return 'the norm of a transform is supported as a literal: None, "backward", "ortho" or "forward"'
    return None


def options(axis: Any, norm: Any, name: str = "axis", default: Any = -1) -> dict[str, Any]:
    """The options of the inverse transform."""
    given: dict[str, Any] = {} if is_literal(axis) and axis == default else {name: axis}
    other = SWAPPED[norm]
    return given if other is None else given | {"norm": other}


def fitted(x_bar: Any, x: Any, n: Any) -> Any:
    """x_bar in the shape of x: with n given, the transform cuts x off or fills it up with zeros."""
    return x_bar if n is None else h._fit(x_bar, x)


# ---------------------------------------------------------------- one axis


def fft_a(g: Any, a: Any, n: Any, axis: Any, norm: Any) -> Any:
    return fitted(np.fft.ifft(g, **options(axis, norm)), a, n)


def ifft_a(g: Any, a: Any, n: Any, axis: Any, norm: Any) -> Any:
    return fitted(np.fft.fft(g, **options(axis, norm)), a, n)


def length(a: Any, n: Any, axis: Any) -> Any:
    return np.shape(a)[axis] if n is None else n


def rfft_a(g: Any, a: Any, n: Any, axis: Any, norm: Any) -> Any:
    """The half spectrum is filled up with zeros to the length of the transform."""
    return fitted(np.real(np.fft.ifft(g, length(a, n, axis), **options(axis, norm))), a, n)


def irfft_a(g: Any, a: Any, axis: Any, norm: Any) -> Any:
    return h._irfft_bar(g, a, **options(axis, norm))


def irfft_bar_c(g: Any, c: Any, axis: Any, norm: Any) -> Any:
    """The adjoint of the adjoint is the transform."""
    return np.fft.irfft(g, np.shape(c)[axis], **options(axis, norm))


def hfft_a(g: Any, a: Any, axis: Any, norm: Any) -> Any:
    """hfft(a, n) = irfft(conj(a), n) with the other scaling."""
    return np.conj(h._irfft_bar(g, a, **options(axis, SWAPPED[norm])))


def ihfft_a(g: Any, a: Any, n: Any, axis: Any, norm: Any) -> Any:
    """ihfft(a, n) = conj(rfft(a, n)) with the other scaling."""
    return fitted(np.real(np.fft.fft(g, length(a, n, axis), **options(axis, norm))), a, n)


def one_axis(name: str, action: Any, operand: str, more: str = "") -> None:
    v, matrix, f = f"{operand}v", f"{operand}M", f"np.fft.{name}"
    at = f"{f}({v}); {f}({matrix}, axis=0); {f}({matrix}, 6, norm='ortho'); {f}({matrix}, n=5); "
    at += f"{f}({matrix}, 3, axis=0, norm='forward'); {f}({matrix}, norm='backward')" + more
    for_complex(Linear(f"{f}(a, n=None, axis=-1, norm=None)", action, check=check, at=at, **AS_IN_SCIPY))


one_axis("fft", fft_a, "z", "; np.fft.fft(v); np.fft.fft(M, axis=0)")
one_axis("ifft", ifft_a, "z", "; np.fft.ifft(v)")
one_axis("rfft", rfft_a, "", "; np.fft.rfft(u)")
one_axis("irfft", irfft_a, "z", "; np.fft.irfft(zu, 5); np.fft.irfft(v); np.fft.irfft(zM, 2)")
one_axis("hfft", hfft_a, "z", "; np.fft.hfft(zu, 5)")
one_axis("ihfft", ihfft_a, "", "; np.fft.ihfft(u)")

# ---------------------------------------------------------------- several axes


def lengths(a: Any, s: Any, axes: Any) -> Any:
    """The lengths of the transform along its axes."""
    if s is not None:
        return s
    return np.shape(a) if axes is None else tuple(np.shape(a)[i] for i in axes)


def check_axes(scope: dict[str, Any]) -> str | None:
    if scope["s"] is not None and scope["axes"] is None:
        return "a transform with lengths `s` is supported where `axes` is given, too"
    return None if is_literal(scope["axes"]) else "the axes of a transform are supported as literals"


def several_axes(name: str, transposed: str, action: Any, operand: str, default: Any) -> None:
    def way_back(g: Any, a: Any, s: Any, axes: Any, norm: Any) -> Any:
        return action(getattr(np.fft, transposed), g, a, s, axes, options(axes, norm, "axes", default))

    matrix, tensor, f = f"{operand}M", f"{operand}T", f"np.fft.{name}"
    at = f"{f}({matrix}); {f}({matrix}, norm='ortho'); {f}({tensor}, axes=(0, 2), norm='forward'); "
    at += f"{f}({matrix}, (4, 3), axes=(0, 1)); {f}({tensor}, s=(2, 6), axes=(-1, 0)); {f}({tensor})"
    key = f"{f}(a, s=None, axes={default}, norm=None)".replace(", -1)", ",-1)")

    def checked(scope: dict[str, Any]) -> str | None:
        return check(scope) or check_axes(scope)

    for_complex(Linear(key, way_back, check=checked, at=at, **AS_IN_SCIPY))


def full(function: Any, g: Any, a: Any, s: Any, axes: Any, given: dict[str, Any]) -> Any:
    return fitted(function(g, **given), a, s)


def from_real(function: Any, g: Any, a: Any, s: Any, axes: Any, given: dict[str, Any]) -> Any:
    if axes is None:
        given = {"axes": every_axis(a)} | given
    return fitted(np.real(function(g, lengths(a, s, axes), **given)), a, s)


def every_axis(a: Any) -> Any:
    n = ndim(a)
    return call("builtins.tuple", call("builtins.range", np.ndim(a))) if n is None else tuple(range(n))


def to_real(function: Any, g: Any, a: Any, s: Any, axes: Any, given: dict[str, Any]) -> Any:
    return h._irfftn_bar(g, a, **(({} if axes is None else {"axes": axes}) | given))


def irfftn_bar_c(g: Any, c: Any, axes: Any, norm: Any) -> Any:
    given = {"axes": every_axis(c) if axes is None else axes} | options(None, norm, "axes", None)
    return np.fft.irfftn(g, lengths(c, None, axes), **given)


for suffix, default in (("2", (-2, -1)), ("n", None)):
    several_axes("fft" + suffix, "ifft" + suffix, full, "z", default)
    several_axes("ifft" + suffix, "fft" + suffix, full, "z", default)
    several_axes("rfft" + suffix, "ifft" + suffix, from_real, "", default)
    several_axes("irfft" + suffix, "rfft" + suffix, to_real, "z", default)

# ---------------------------------------------------------------- order of frequencies


def shifted(function: Any, g: Any, axes: Any) -> Any:
    return function(g) if axes is None else function(g, axes=axes)


linear(
    "np.fft.fftshift(x, axes=None)",
    lambda g, axes: shifted(np.fft.ifftshift, g, axes),
    at="np.fft.fftshift(v); np.fft.fftshift(M); np.fft.fftshift(M, axes=1)",
)
linear(
    "np.fft.ifftshift(x, axes=None)",
    lambda g, axes: shifted(np.fft.fftshift, g, axes),
    at="np.fft.ifftshift(u); np.fft.ifftshift(M, axes=(0,))",
)


def spacing_dot(g: Any, d: Any, out: Any) -> Any:
    return -out / d * g


def spacing_bar(g: Any, d: Any, out: Any) -> Any:
    return -np.sum(out * g) / d


# The frequencies are inverse to the spacing of the samples.
for function in ("fftfreq", "rfftfreq"):
    general(
        f"np.fft.{function}(n, d=1.0)",
        jvp=[None, spacing_dot],
        vjp=[None, spacing_bar],
        ranks={"d": 0},
        at=f"np.fft.{function}(5, s); np.fft.{function}(4, d=s)",
    )

BOTH = [f"{kind}fft{axes}" for kind in ("", "i", "r", "ir") for axes in ("", "2", "n")]
BOTH += ["hfft", "ihfft", "fftfreq", "rfftfreq", "fftshift", "ifftshift"]
SAME.update({f"scipy.fft.{function}": f"numpy.fft.{function}" for function in BOTH})
