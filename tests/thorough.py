"""All that can be asked of the derivatives of one small program."""

from __future__ import annotations

import copy
import zlib
from dataclasses import replace
from typing import Any

import black
import numpy as np

import checking
import numeric
from programs import Program
from s2s.pipeline import differentiate, differentiate_unformatted


def judge(program: Program) -> str:
    """What came of it: "right", "guarded", or "refused" with its codes. Raises where anything is wrong."""
    number = zlib.crc32(program.source.encode())
    emit: tuple[str, ...] = ("vjp", "jvp")
    if program.scalar and not program.of:
        emit += (("grad", "value_and_grad")[number % 2],)
    formatted = number % 4 == 0  # black takes a quarter of the time
    made = differentiate if formatted else differentiate_unformatted
    verdict = checking.check(program, emit, margin=0.0, differentiate=made, largest=1e8)
    if verdict.kind == "refused":
        return f"refused {verdict.detail}"
    if verdict.kind == "guarded":
        return "guarded"
    assert verdict.kind == "right", verdict
    useful = replace(program, wrt=verdict.wrt)
    if formatted:
        assert black.format_str(verdict.text, mode=black.Mode()) == verdict.text
    entry_by_entry(useful, verdict.text)
    read_only(useful, verdict.text)
    whole_seeds(useful, verdict.text)
    if not program.of:
        for numbers in (False, True):
            checking.check_integers(useful, verdict.text, numbers)
    return "right"


def entry_by_entry(program: Program, text: str) -> None:
    """Each entry of the cotangents and of the tangents against differences, not only along one direction."""
    primal = checking.outcome(program, checking.evaluate(program.source, "<primal>")["f"])
    derived = checking.evaluate(text, "<derivative>")
    wrt = [program.params.index(name) for name in program.wrt]
    value = primal(*program.args)
    bar = checking.seeds_like(value, np.random.default_rng(3))
    vjp, jvp = derived["f_vjp"], derived["f_jvp"]
    cotangents = vjp(*program.args, **checking.cotangent_keywords(program, vjp, value, bar))[1]
    got = numeric.flat(cotangents)
    assert len(got) == sum(len(numeric.flat(program.args[i])) for i in wrt)
    for k, direction in enumerate(np.eye(len(got))):
        column, error = numeric.along(primal, program.args, wrt, direction)
        slack = 20.0 * error * (1.0 + float(np.sum(np.abs(numeric.flat(bar)))))
        want = float(column @ numeric.flat(bar))
        assert abs(got[k] - want) <= 1e-7 * max(1.0, abs(want)) + slack, f"entry {k}: {got[k]}, differences {want}"
        moved = numeric.shifted(program.args, wrt, direction)
        dots = {checking.keyword(jvp, f"{p}_dot"): moved[i] for p, i in zip(program.wrt, wrt, strict=True)}
        tangent = jvp(*program.args, **dots)[1]
        if program.of and len(value) == 1:
            tangent = (tangent,)
        assert numeric.close(numeric.flat_beside(value, tangent), column, 1e-7, 20.0 * error), f"jvp along entry {k}"


def read_only(program: Program, text: str) -> None:
    """Arguments and seeds that can't be written give the same derivatives: none of them is so much as touched."""

    def locked(value: Any) -> Any:
        value = copy.deepcopy(value)
        for leaf in numeric.leaves(value):
            if isinstance(leaf, np.ndarray):
                leaf.flags.writeable = False
        return value

    primal = checking.outcome(program, checking.evaluate(program.source, "<primal>")["f"])
    derived = checking.evaluate(text, "<derivative>")
    value = primal(*program.args)
    bar = checking.seeds_like(value, np.random.default_rng(4))
    vjp, jvp = derived["f_vjp"], derived["f_jvp"]
    free = vjp(*program.args, **checking.cotangent_keywords(program, vjp, value, bar))
    held = vjp(*locked(program.args), **checking.cotangent_keywords(program, vjp, value, locked(bar)))
    assert numeric.same_bits(free, held)
    moved = [program.args[program.params.index(p)] for p in program.wrt]
    names = [checking.keyword(jvp, f"{p}_dot") for p in program.wrt]
    free = jvp(*program.args, **dict(zip(names, moved, strict=True)))
    held = jvp(*locked(program.args), **dict(zip(names, locked(moved), strict=True)))
    assert numeric.same_bits(free, held)


def whole_seeds(program: Program, text: str) -> None:
    """Seeds and tangents of integers, unit vectors: the derivative is that of the equal floats, or it says no."""

    def rounded(value: Any, dtype: type) -> Any:
        def change(leaf: Any) -> Any:
            if not isinstance(leaf, float | np.ndarray) or np.asarray(leaf).dtype.kind != "f":
                return leaf
            whole = np.rint(2.0 * np.asarray(leaf))
            return whole.astype(dtype) if isinstance(leaf, np.ndarray) else dtype(whole)

        return numeric.rebuild(value, [change(leaf) for leaf in numeric.leaves(value)])

    primal = checking.outcome(program, checking.evaluate(program.source, "<primal>")["f"])
    derived = checking.evaluate(text, "<derivative>")
    value = primal(*program.args)
    bar = checking.seeds_like(value, np.random.default_rng(5))
    moved = [program.args[program.params.index(p)] for p in program.wrt]
    vjp, jvp = derived["f_vjp"], derived["f_jvp"]
    names = [checking.keyword(jvp, f"{p}_dot") for p in program.wrt]
    for function, seeds in (
        (vjp, [checking.cotangent_keywords(program, vjp, value, rounded(bar, t)) for t in (float, int)]),
        (jvp, [dict(zip(names, rounded(moved, t), strict=True)) for t in (float, int)]),
    ):
        want = numeric.flat(function(*copy.deepcopy(program.args), **seeds[0])[1])
        try:
            got = numeric.flat(function(*copy.deepcopy(program.args), **seeds[1])[1])
        except (AssertionError, TypeError):
            continue
        assert np.allclose(got.astype(want.dtype), want, rtol=1e-9, atol=1e-9, equal_nan=True), "of integers"
