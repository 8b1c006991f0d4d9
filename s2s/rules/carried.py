"""Functions of s2s that an output carries (`s2s.helpers`), for where the output is differentiated once more.

The adjoint of a sum over broadcast axes is the same sum with the shapes exchanged, and that of the cotangent of one
factor of a product is the product itself. What has no entry here is differentiated as any other function of its file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from s2s.ir import Expr, Op
from s2s.rules import fft, products
from s2s.rules.kinds import CARRIED, HOLOMORPHIC, Constant, Linear, Multilinear, Operand, Part, Rule
from s2s.rules.tracing import Facts, Sym, h, is_option

# The cotangent that a helper is given is called c: `g` is that of its result. The operand a of a cotangent of a, which
# is there for its shape only, carries no derivative.


def enter(rule: Rule) -> None:
    CARRIED[rule.fn] = rule
    HOLOMORPHIC.add(rule.fn)


def tensordot_of_a(g: Any, c: Any, b: Any, axes: Any) -> Any:
    return h._tensordot_bar_b(c, g, b, axes)


def tensordot_of_b(g: Any, c: Any, a: Any, axes: Any) -> Any:
    return h._tensordot_bar_a(c, a, g, axes)


def options(**values: Any) -> dict[str, Any]:
    """Options that are not at their defaults."""
    return {k: v for k, v in values.items() if v is not None and not (k == "k" and is_option(v, 0))}


def factors(name: str, product: Part, bar_a: Part, bar_b: Part) -> None:
    """The cotangents of both factors of a product."""

    def c_of_a(g: Any, b: Any) -> Any:
        return product(g, b)

    def b_of_a(g: Any, c: Any, b: Any) -> Any:
        return bar_b(c, g, b)

    def c_of_b(g: Any, a: Any) -> Any:
        return product(a, g)

    def a_of_b(g: Any, c: Any, a: Any) -> Any:
        return bar_a(c, a, g)

    enter(Multilinear(f"helper._{name}_bar_a(c, a, b)", c_of_a, None, b_of_a))
    enter(Multilinear(f"helper._{name}_bar_b(c, a, b)", c_of_b, a_of_b))


class Added(Linear):
    """The sum of two structures: the tangent of one alone is a copy of it."""

    def enter(self, name: str, e: Expr, facts: Facts) -> Any:
        """A display is one operand, as a name of it is: its items are no arrays for the rule to combine."""
        return Sym(e, facts)

    def push(self, scope: dict[str, Any], dots: dict[Operand, Any], out: Any, op: Op | None = None) -> Any:
        zeros = {x.name: h._zeros_like(value) for x, value in self.find_operands(scope)}
        return self.again(scope | zeros | {x.name: dot for x, dot in dots.items()}, op)


def itself(g: Any) -> Any:
    return g


enter(Added("helper._added(a, b)", itself, itself))
enter(Linear("helper._unbroadcast(c, like)", lambda g, c: h._unbroadcast(g, c)))
enter(Linear("helper._expand(e, axis, keepdims)", lambda g, e: np.reshape(g, np.shape(e))))
factors("matmul", np.matmul, products.matmul_a, products.matmul_b)
factors("dot", np.dot, products.dot_a, products.dot_b)
enter(Linear("helper._tile_bar(c, x, reps)", lambda g, reps: np.tile(g, reps)))
enter(
    Linear(
        "helper._repeat_bar(c, x, repeats, axis=None)",
        lambda g, repeats, axis: np.repeat(g, repeats, **options(axis=axis)),
    )
)
enter(Linear("helper._pad_bar(c, x, pad_width)", lambda g, pad_width: np.pad(g, pad_width)))
enter(Linear("helper._diag_bar(c, x, k=0)", lambda g, k: np.diag(g, **options(k=k))))
enter(
    Linear(
        "helper._take_bar(c, x, indices, axis=None)", lambda g, indices, axis: np.take(g, indices, **options(axis=axis))
    )
)
enter(Linear("helper._block_bar(c, arrays)", lambda g: np.block(g)))
enter(Linear("helper._gather_bar(c, places, x)", lambda g, places: np.take(g, places)))
enter(
    Multilinear(
        "helper._tensordot_bar_a(c, a, b, axes)", lambda g, b, axes: np.tensordot(g, b, axes), None, tensordot_of_a
    )
)
enter(
    Multilinear("helper._tensordot_bar_b(c, a, b, axes)", lambda g, a, axes: np.tensordot(a, g, axes), tensordot_of_b)
)
factors("inner", np.inner, products.inner_a, products.inner_b)
for rule in (
    Linear("helper._irfft_bar(c, x, axis=-1, norm=None)", fft.irfft_bar_c, check=fft.check),
    Linear("helper._irfftn_bar(c, x, axes=None, norm=None)", fft.irfftn_bar_c, check=fft.check),
):
    rule.adjoint = True  # what it gives is complex: see `rules/fft.py`
    CARRIED[rule.fn] = rule
enter(Constant("helper._add_at(total, key, g)"))  # a statement: it is read as the store that it is
for key in (
    "_overlaps(a, held)",
    "_zeros_like(x)",
    "_holds(x, *names)",
    "_each_once(key, shape)",
    "_inverse_axes(axes)",
    "_count(shape, axis)",
    "_unit(x, i)",
):
    enter(Constant(f"helper.{key}"))
