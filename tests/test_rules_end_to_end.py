"""One sample call of every rule through the whole tool: from the text of a function to its derivatives' numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import test_rules
from s2s import pipeline
from s2s.derive import wrap
from s2s.errors import S2SError
from s2s.pipeline import Request
from s2s.pipeline import differentiate_unformatted as differentiate
from s2s.rules import RuleError
from test_rules import Case, case_id, close, flat, name_of, operands_of, random_like

pytestmark = pytest.mark.table

# What may be complex for a real argument: programs take the real part.
COMPLEX = ("numpy.linalg.eig", "numpy.linalg.eigvals", "scipy.linalg.logm", "scipy.linalg.sqrtm")


RESULT = "result"
SAMPLES = [
    c for c in test_rules.CASES if not any(isinstance(v, list) for v in c.env.values()) and c.rule.fn != "numpy.float32"
]


def first_samples() -> list[Case]:
    """The first sample of each rule that is smooth at its operands and takes no list."""
    chosen: dict[str, Case] = {}
    for case in SAMPLES:
        chosen.setdefault(case.rule.fn, case)
    return list(chosen.values())


def program(case: Case) -> str:
    """def f(...): a smooth scalar function of the call's result, or of the first active part of it."""
    result = case.primal(case.env)
    call = test_rules.SHOW(case.op)
    part = "np.real({})" if case.rule.fn in COMPLEX else "{}"
    lines = [f"    {RESULT} = {call}", f"    return np.sum(np.sin({part.format(RESULT)}))"]
    if found := case.rule.bind(case.op).parts:
        parts = ", ".join(f"{RESULT}{i}" for i in range(len(result)))
        total = " + ".join(f"np.sum(np.sin({part.format(f'{RESULT}{i}')}))" for i in found)
        lines = [f"    {parts} = {call}", f"    return {total}"]
    elif isinstance(result, list | tuple):
        lines = [f"    {RESULT} = {call}", f"    return np.sum(np.sin({RESULT}[0]))"]
    module = ".".join(case.rule.fn.split(".")[:2])
    more = f"import {module}\n" if module.startswith("scipy.") else ""
    return (
        "\n".join(
            [f"import copy\nimport math\n\nimport numpy as np\n{more}\n", f"def f({', '.join(case.env)}):", *lines]
        )
        + "\n"
    )


def shapes_of(case: Case) -> str:
    """The shapes of all arguments, as `--shapes` takes them."""
    shapes = []
    for name, value in case.env.items():
        if np.ndim(value) or isinstance(value, float):
            dims = [str(n) for n in np.shape(value)]
            shapes.append(f"{name} ({', '.join(dims)}{',' if len(dims) == 1 else ''})")
    return ", ".join(shapes)


@pytest.mark.parametrize("stated", [False, True], ids=["unknown", "stated"])
@pytest.mark.parametrize("case", first_samples(), ids=case_id)
def test_gradient_and_tangent(case: Case, stated: bool) -> None:
    source, env = program(case), case.env
    wrt = tuple(n for n in env if n in {name_of(o) for o in operands_of(case)})
    space: dict[str, Any] = {}
    exec(source, space)
    references = [test_rules.numeric_vjp(lambda v, n=n: space["f"](**env | {n: v}), env[n], 1.0) for n in wrt]
    request = Request(functions=("f",), wrt=wrt, emit=("grad", "jvp"), shapes=shapes_of(case) if stated else "")
    try:
        text = differentiate(source, request)
    except (S2SError, RuleError):
        assert not stated  # a rule may want to know a rank
        return
    derivative: dict[str, Any] = {}
    exec(text, derivative)
    found = derivative["f_grad"](**env)
    for value, reference, name in zip((found,) if len(wrt) == 1 else found, references, wrt, strict=True):
        assert np.shape(value) == np.shape(env[name])
        close(value, reference, 1e-6)
    rng = np.random.default_rng(1)
    dots = [random_like(env[n], rng) for n in wrt]
    _, tangent = derivative["f_jvp"](**env, **{f"{n}_dot": d for n, d in zip(wrt, dots, strict=True)})
    close(tangent, sum(flat(r) @ flat(d) for r, d in zip(references, dots, strict=True)), 1e-6)


class Stop(Exception):
    """Raised where the facts are found: nothing is derived."""


KINDS = {"float": "fc", "int": "iu", "bool": "b"}
TOLD = [c for c in SAMPLES if c.rule.kind != "elementwise" or c.rule.results or len(c.env) > 1]


@pytest.mark.parametrize("case", TOLD, ids=case_id)
def test_what_is_known_of_the_result(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kind and shape that are proved of the result of a call, with the shapes of its operands stated."""
    found: list[Any] = []

    def stop(ctx: Any) -> str:
        found.append(ctx.facts)
        raise Stop

    monkeypatch.setattr(wrap, "facts_text", stop)
    wrt = tuple(n for n in case.env if n in {name_of(o) for o in operands_of(case)})
    request = Request(functions=("f",), wrt=wrt, shapes=shapes_of(case))
    with pytest.raises(Stop):
        pipeline.show(program(case), request, "facts")
    result = case.primal(case.env)
    parts = {f"{RESULT}{i}": v for i, v in enumerate(result)} if isinstance(result, list | tuple) else {RESULT: result}
    for name, value in parts.items():
        if (fact := found[0].names.get(name)) is not None and fact.kind in ("any", *KINDS):
            shape = found[0].shapes(fact.shape)
            assert shape.rank in (None, np.ndim(value)), f"{name}: {fact}"
            assert all(not isinstance(d, int) or d == n for d, n in zip(shape.dims, np.shape(value), strict=False))
            assert np.asarray(value).dtype.kind in KINDS.get(fact.kind, "fciub"), f"{name}: {fact}"
