"""s2s: derivatives of plain Python and NumPy, written as source code that a person can read.

    import s2s

    loss_grad = s2s.grad(loss)            # a function of a function object; loss_grad.source is its text
    text = s2s.differentiate(source, s2s.Request(functions=("loss",)))      # text to text

The names are looked up when they are first used: `import s2s.hook` and `s2s --version` load nothing heavy.
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing `typing` would double the time of `import s2s.hook`

__version__ = "0.1.0"
__all__ = [
    "Diagnostic",
    "Request",
    "S2SError",
    "Span",
    "differentiate",
    "grad",
    "hessian",
    "hvp",
    "jacobian",
    "jvp",
    "value_and_grad",
    "vjp",
]

_HOME = {
    **dict.fromkeys(("Diagnostic", "S2SError", "Span"), "s2s.errors"),
    **dict.fromkeys(("Request", "differentiate"), "s2s.pipeline"),
    **dict.fromkeys(("grad", "hessian", "hvp", "jacobian", "jvp", "value_and_grad", "vjp"), "s2s.api"),
}

if TYPE_CHECKING:
    from typing import Any

    from s2s.api import grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp
    from s2s.errors import Diagnostic, S2SError, Span
    from s2s.pipeline import Request, differentiate


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 's2s' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
