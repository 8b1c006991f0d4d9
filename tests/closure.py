"""What s2s writes, s2s reads: the vjp and the jvp of each program of the tests are differentiated once more, in both
modes, and held against differences of the written derivative.

`python tests/closure.py [TABLE ...] [--only REGEX] [--shard I/N] [--rows FILE]` prints what is refused,
raises or disagrees, and counts; exit 1 where anything disagrees.
"""

from __future__ import annotations

import argparse
import copy
import inspect
import os
import re
import sys
import types
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

import array_models
import checking
import demand
import models
import numeric
import structure_models
import test_oracle
import traps
from programs import Program
from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate_unformatted

KINDS = ("vjp", "jvp")


def tables() -> dict[str, dict[str, Program]]:
    return {
        "arrays": array_models.CASES,
        "structures": structure_models.CASES,
        "traps": traps.PROGRAMS,
        "demand": demand.CASES,
        "models": {name: model(name, *case) for name, case in models.MODELS.items()},
        "regressions": test_oracle.REGRESSIONS,
    }


def model(name: str, source: str, args: tuple[Any, ...], wrt: tuple[str, ...]) -> Program:
    program = traps.program(name, source, args, ())
    return replace(program, wrt=wrt) if wrt else program


def written(program: Program, kind: str) -> tuple[str, str, tuple[Any, ...], tuple[str, ...]] | str:
    """The text of a derivative, its name, arguments for it, and its differentiable parameters; or why there is none."""
    try:
        verdict = checking.check(program, (kind,), margin=0.0, largest=1e8)
    except checking.Wrong:
        return "wrong"
    if verdict.kind != "right":
        return verdict.kind
    useful = replace(program, wrt=verdict.wrt)
    primal = checking.outcome(useful, checking.evaluate(useful.source, "<primal>")["f"])
    f = checking.evaluate(verdict.text, "<derivative>")[f"f_{kind}"]
    r = np.random.default_rng(5)
    args: dict[str, Any] = dict(zip(useful.params, copy.deepcopy(useful.args), strict=False))
    names = list(inspect.signature(f).parameters)
    if kind == "jvp":
        seeds = {checking.keyword(f, f"{p}_dot"): checking.seeds_like(args[p], r) for p in useful.wrt if p in args}
    else:
        value = primal(*copy.deepcopy(useful.args))
        seeds = checking.cotangent_keywords(useful, f, value, checking.seeds_like(value, r))
    active = tuple(n for n in names if n in useful.wrt or n in seeds)
    return verdict.text, f"f_{kind}", tuple({**args, **seeds}.get(n, inspect.Parameter.empty) for n in names), active


def row(program: Program, inner: str, outer: str) -> str:
    """ "right", "refused CODES", "raises ...", "guarded ...", "WRONG ...", or "" where there is no inner derivative."""
    first = written(program, inner)
    if isinstance(first, str):
        return ""
    text, name, args, wrt = first
    try:
        more, wrt = _again(program, text, name, wrt, outer)
    except S2SError as error:
        return f"refused {checking.refusal(error)}"
    if not wrt:
        return "right"  # it depends on nothing: there is no derivative
    try:
        return _numbers(text, name, args, wrt, more, outer)
    except AssertionError as error:
        return f"guarded {checking.failing_line(error, more)}"
    except Exception as error:
        return f"raises {type(error).__name__}: {error}"


def _again(program: Program, text: str, name: str, wrt: tuple[str, ...], outer: str) -> tuple[str, tuple[str, ...]]:
    """The derivative of a written function in those of its parameters on which it depends, and these."""
    read = {"model": program.source}.get  # a derivative imports the classes of its model
    try:
        request = Request("model_grad.py", (name,), wrt, emit=(outer,), read=read)
        return differentiate_unformatted(text, request), wrt
    except S2SError as error:
        message = " ".join(d.message for d in error.diagnostics if d.code == "S404")
        fewer = tuple(w for w in wrt if f"depend on `{w}`" not in message)
        if fewer == wrt:
            raise
        return _again(program, text, name, fewer, outer) if fewer else ("", ())


def _numbers(text: str, name: str, args: tuple[Any, ...], wrt: tuple[str, ...], more: str, outer: str) -> str:
    # a derivative of the derivative imports the data of the module that it was made from
    module = sys.modules["model_grad"] = types.ModuleType("model_grad")
    exec(compile(text, "<inner>", "exec"), module.__dict__)
    f = module.__dict__[name]
    g = checking.evaluate(more, "<outer>")[f"{name}_{outer}"]
    params = inspect.signature(f).parameters
    names = list(params)
    keywords = {n for n, p in params.items() if p.kind is p.KEYWORD_ONLY}
    given = {n: a for n, a in zip(names, args, strict=True) if a is not inspect.Parameter.empty}
    active = [list(given).index(n) for n in wrt]

    def flat(*values: Any) -> Any:
        return _called(f, dict(zip(given, values, strict=True)), keywords)

    r = np.random.default_rng(6)
    values = tuple(given.values())
    directions = [checking.seeds_like(values[i], r) for i in active]
    direction = np.concatenate([numeric.flat(d) for d in directions])
    along, error = numeric.along(flat, values, active, direction)
    before = copy.deepcopy(given)
    if outer == "jvp":
        seeds = [n for n in inspect.signature(g).parameters if n not in params]
        dots = dict(zip(seeds, directions, strict=True))
        value, tangent = _called(g, {**given, **dots}, keywords | set(dots))
        found = numeric.flat_beside(value, tangent)
    else:
        value = flat(*copy.deepcopy(values))
        bar = checking.seeds_like(value, r)
        seeds = [
            n for n, p in inspect.signature(g).parameters.items() if p.kind is p.KEYWORD_ONLY and n not in keywords
        ]
        parts = _called(g, {**given, seeds[0]: bar}, keywords | set(seeds))[1]
        parts = parts if len(wrt) > 1 else (parts,)
        got = np.concatenate([numeric.flat_beside(given[n], p, True) for n, p in zip(wrt, parts, strict=True)])
        found, along = np.array([got @ direction]), np.array([numeric.flat(bar) @ along])
    if not numeric.same_bits(before, given):
        return "WRONG: arguments are changed"
    if not np.all(np.isfinite(along)):
        return "right"  # no difference to compare with
    scale = max(1.0, float(np.max(np.abs(along), initial=0.0)))
    if len(found) != len(along):
        return f"WRONG: {len(found)} numbers for {len(along)}"
    gap = float(np.max(np.abs(found - along), initial=0.0))
    return "right" if gap <= 1e-6 * scale + 50.0 * error else f"WRONG: {found[:4]} for {along[:4]}"


def _called(f: Callable[..., Any], given: dict[str, Any], keywords: set[str]) -> Any:
    positional = [a for n, a in given.items() if n not in keywords]
    return f(*positional, **{n: a for n, a in given.items() if n in keywords})


def rows(chosen: list[str], only: str, shard: tuple[int, int]) -> Iterator[tuple[str, str]]:
    programs = [(f"{t}/{n}", p) for t, table in tables().items() if not chosen or t in chosen for n, p in table.items()]
    for name, program in [p for p in programs if re.search(only, p[0])][shard[0] :: shard[1]]:
        module = sys.modules["model"] = types.ModuleType("model")
        exec(compile(program.source, "model.py", "exec"), module.__dict__)
        for inner in KINDS:
            for outer in KINDS:
                with warnings.catch_warnings(), checking.at_most(60.0), np.errstate(all="ignore"):
                    warnings.simplefilter("ignore")
                    try:
                        found = row(program, inner, outer)
                    except Exception as error:
                        found = f"raises in the harness: {type(error).__name__}: {error}"
                    finally:
                        sys.modules.pop("model_grad", None)
                yield f"{name} {inner}-{outer}", found.replace("\n", " ")[:200]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*", metavar="TABLE", help="one of " + ", ".join(tables()))
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--shard", default="0/1", metavar="I/N")
    parser.add_argument("--rows", type=Path, help="a file for one line a row")
    options = parser.parse_args()
    first, of = options.shard.split("/")
    counts: Counter[str] = Counter()
    lines = []
    for name, found in rows(options.tables, options.only, (int(first), int(of))):
        if not found:
            continue
        counts[found.split()[0].rstrip(":")] += 1
        lines.append(f"{name}: {found}")
        if found != "right":
            print(lines[-1], flush=True)
    if options.rows:
        options.rows.write_text("\n".join(lines) + "\n")
    print(", ".join(f"{n} {kind}" for kind, n in counts.most_common()))
    return 1 if counts["WRONG"] else 0


if __name__ == "__main__":
    os.environ.pop("S2S_CHECK", None)
    sys.exit(main())
