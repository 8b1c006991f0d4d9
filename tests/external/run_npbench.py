"""Runs s2s over the NumPy kernels of spcl/npbench, as they stand: `run_npbench.py FOLDER [KERNEL ...] [-v]`.

FOLDER is a clone of that project; nothing of it is kept here. Each kernel that is differentiable in a float input is
differentiated in every such input on which its result depends: its result and, where it writes into its arguments,
their final contents (`of`). At small sizes, made by the kernel's own `initialize` and then moved a little so that it
runs at no tie, the vjp and the jvp are held against differences and against each other, and against what is promised
of them: the primal's value bit by bit, a second call the same, arguments and seeds as they were, no memory shared.

Prints a line a kernel, accepted / verified / refused with place and reason, and which refusals stand in the way of how
many kernels. Exit 1 where a derivative is wrong.
"""

from __future__ import annotations

import argparse
import copy
import inspect
import itertools
import json
import re
import sys
import time
import traceback
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import numpy as np

import numeric
from s2s.errors import Diagnostic, S2SError
from s2s.pipeline import Request, differentiate

HAS_OF = "of" in {field.name for field in fields(Request)}

# Not differentiable in a float input, each with the reason.
LEFT_OUT = {
    "crc16": "integers and bit operations only",
    "nussinov": "a table of integers; its input is an integer sequence",
}
# The parameters of a run, small; those of bench_info where nothing stands here.
SIZES: dict[str, dict[str, Any]] = {
    "adi": {"TSTEPS": 2, "N": 6},
    "arc_distance": {"N": 7},
    "atax": {"M": 4, "N": 5},
    "azimint_hist": {"N": 40, "npt": 3},
    "azimint_naive": {"N": 40, "npt": 3},
    "bicg": {"M": 4, "N": 5},
    "cavity_flow": {"ny": 6, "nx": 5, "nt": 3, "nit": 2},
    "channel_flow": {"ny": 6, "nx": 5, "nit": 2},
    "cholesky": {"N": 5},
    "cholesky2": {"N": 4},
    "compute": {"M": 3, "N": 4},
    "contour_integral": {"NR": 3, "NM": 4, "slab_per_bc": 2, "num_int_pts": 3},
    "conv2d_bias": {"N": 2, "C_in": 2, "C_out": 3, "K": 2, "H": 4, "W": 5},
    "correlation": {"M": 4, "N": 5},
    "covariance": {"M": 4, "N": 5},
    "covariance2": {"M": 4, "N": 5},
    "deriche": {"W": 5, "H": 6},
    "doitgen": {"NR": 2, "NQ": 3, "NP": 4},
    "durbin": {"N": 5},
    "fdtd_2d": {"TMAX": 3, "NX": 4, "NY": 5},
    "floyd_warshall": {"N": 5},
    "gemm": {"NI": 3, "NJ": 4, "NK": 5},
    "gemver": {"N": 4},
    "gesummv": {"N": 4},
    "go_fast": {"N": 4},
    "gramschmidt": {"M": 5, "N": 4},
    "hdiff": {"I": 4, "J": 5, "K": 3},
    "heat_3d": {"TSTEPS": 3, "N": 5},
    "jacobi_1d": {"TSTEPS": 4, "N": 7},
    "jacobi_2d": {"TSTEPS": 3, "N": 6},
    "k2mm": {"NI": 2, "NJ": 3, "NK": 4, "NL": 5},
    "k3mm": {"NI": 2, "NJ": 3, "NK": 4, "NL": 5, "NM": 3},
    "lenet": {"N": 1, "H": 16, "W": 16},
    "lu": {"N": 5},
    "ludcmp": {"N": 5},
    "mandelbrot1": {"XN": 4, "YN": 3, "maxiter": 4},
    "mandelbrot2": {"XN": 4, "YN": 3, "maxiter": 4},
    "mlp": {"C_in": 3, "N": 2, "S0": 5, "S1": 4, "S2": 3},
    "mvt": {"N": 4},
    "nbody": {"N": 4, "tEnd": 0.1, "dt": 0.05, "softening": 1.0},
    "resnet": {"N": 4, "W": 4, "H": 4, "C1": 3, "C2": 2},
    "scattering_self_energies": {"Nkz": 2, "NE": 2, "Nqz": 1, "Nw": 2, "N3D": 2, "NA": 3, "NB": 2, "Norb": 2},
    "seidel_2d": {"TSTEPS": 3, "N": 5},
    "softmax": {"N": 2, "H": 2, "SM": 3},
    "spmv": {"M": 5, "N": 6, "nnz": 12},
    "stockham_fft": {"R": 2, "K": 3},
    "symm": {"M": 4, "N": 5},
    "syr2k": {"M": 3, "N": 4},
    "syrk": {"M": 3, "N": 4},
    "trisolv": {"N": 5},
    "trmm": {"M": 4, "N": 5},
    "vadv": {"I": 3, "J": 3, "K": 5},
}
# Kernels whose benchmark inputs are integers, though they mean numbers of any kind; a factor brings them into range.
FLOATED = {"compute": 0.012, "floyd_warshall": 1.0}
# How far the arguments are moved from where `initialize` put them.
MOVED = {"cholesky2": 0.002}
# What `initialize` makes is all positive or all zero: shifted, so that both sides of a kink are taken.
SHIFTED = {"lenet": -0.5, "mlp": -0.5, "resnet": -0.5, "conv2d_bias": -0.5, "channel_flow": 0.3}


@dataclass(frozen=True)
class Kernel:
    """A kernel of the benchmark: its text, its function, and arguments for it by name."""

    name: str
    path: Path
    text: str
    function: str
    arguments: dict[str, Any]


# ---------------------------------------------------------------- reading the benchmark


def kernels(folder: Path) -> Iterator[tuple[str, Path, dict[str, Any]]]:
    """(module name, path of the NumPy text, what bench_info says) of each kernel."""
    infos = {}
    for path in (folder / "bench_info").glob("*.json"):
        info = json.loads(path.read_text())["benchmark"]
        infos[info["relative_path"]] = info
    base = folder / "npbench" / "benchmarks"
    for path in sorted(base.glob("**/*_numpy.py")):
        info = infos[str(path.parent.relative_to(base))]
        yield path.parent.name, path, info


def executed(text: str, name: str) -> dict[str, Any]:
    namespace: dict[str, Any] = {"__name__": name}
    exec(compile(text, name, "exec"), namespace)
    return namespace


def in_double(value: Any, rng: np.random.Generator, name: str) -> Any:
    """A float input as float64, a little away from where `initialize` put it; anything else as it is."""
    array = np.asarray(value)
    if name in FLOATED and array.dtype.kind == "i":
        array = array * FLOATED[name]
    size = MOVED.get(name, 0.05)
    if array.dtype.kind == "f":
        moved = array.astype(float) + SHIFTED.get(name, 0.0) * (array.ndim > 0)
        moved = moved + size * rng.uniform(-1.0, 1.0, array.shape) * np.maximum(np.abs(moved), 0.3)
    elif array.dtype.kind == "c":
        moved = array + size * rng.uniform(-1.0, 1.0, array.shape)
    else:
        return value
    return moved if array.ndim else moved.item()


def load(name: str, path: Path, info: dict[str, Any]) -> Kernel:
    """Raises where the benchmark's own set-up raises."""
    rng = np.random.default_rng(5)
    scope = {**info["parameters"]["S"], **SIZES.get(name, {})}
    if "init" in info:
        made = executed((path.parent / f"{info['module_name']}.py").read_text(), "initialize")
        values = made[info["init"]["func_name"]](*(scope[a] for a in info["init"]["input_args"]))
        outputs = info["init"]["output_args"]
        scope |= dict(zip(outputs, values if len(outputs) > 1 else (values,), strict=True))
    text = path.read_text()
    code = executed(text, name)[info["func_name"]].__code__
    params = code.co_varnames[: code.co_argcount]
    given = [in_double(scope[a], rng, name) for a in info["input_args"]]
    return Kernel(name, path, text, info["func_name"], dict(zip(params, given, strict=True)))


# ---------------------------------------------------------------- numbers: complex ones are pairs of real ones


def carries(value: Any) -> bool:
    return np.asarray(value).dtype.kind in "fc" and not isinstance(value, bool)


def seed_like(value: Any, rng: np.random.Generator) -> Any:
    """A random cotangent or tangent; None where a part carries no derivative."""
    if isinstance(value, tuple | list):
        return type(value)(seed_like(v, rng) for v in value)
    array = np.asarray(value)
    if array.dtype.kind not in "fc":
        return None
    made = rng.standard_normal(array.shape)
    if array.dtype.kind == "c":
        made = made + 1j * rng.standard_normal(array.shape)
    return made if array.ndim else made[()].item()


def real(value: Any) -> np.ndarray:
    """All numbers that carry a derivative, as one real vector."""
    parts = [np.asarray(v) for v in numeric.leaves(value) if carries(v)]
    return np.concatenate(
        [
            np.zeros(0),
            *(np.ravel(np.stack([p.real, p.imag], -1) if p.dtype.kind == "c" else p) for p in parts),
        ]
    ).astype(float)


def beside(value: Any, other: Any) -> np.ndarray:
    """`real` of a cotangent or a tangent of `value`: None stands for zeros, each part has the shape of its value."""
    if isinstance(value, tuple | list):
        if other is None:
            other = [None] * len(value)
        if len(value) != len(other):
            raise AssertionError(f"{len(other)} parts where the value has {len(value)}")
        return np.concatenate([np.zeros(0), *(beside(v, o) for v, o in zip(value, other, strict=True))])
    if not carries(value):
        return np.zeros(0)
    if other is None:
        return np.zeros(len(real(value)))
    if np.shape(other) != np.shape(value):
        raise AssertionError(f"shape {np.shape(other)} where the value has {np.shape(value)}")
    if np.iscomplexobj(other) and not np.iscomplexobj(value):
        raise AssertionError("a complex derivative of a real value")
    return real(np.asarray(other).astype(complex) if np.iscomplexobj(value) else other)


def differences(f: Callable[..., Any], arguments: dict[str, Any], dots: dict[str, Any]) -> tuple[np.ndarray, float]:
    """The derivative of f along `dots` and its error: central differences, extrapolated (Ridders 1982).

    Of several first steps the one that agrees best with itself is taken: near a kink only a small one is right. A step
    on which f raises, as it leaves where it is defined, is no step.
    """

    def at(h: float) -> np.ndarray:
        moved = {n: v + h * dots[n] if n in dots else v for n, v in arguments.items()}
        return real(f(**copy.deepcopy(moved)))

    best, error = np.zeros(0), np.inf
    for start in (1e-2, 1e-3, 1e-4, 1e-5):
        row: list[np.ndarray] = []
        for level in range(5):
            h = start / 2.0**level
            try:
                new = [(at(h) - at(-h)) / (2.0 * h)]
            except np.linalg.LinAlgError:
                break
            for k, old in enumerate(row):
                new.append((4.0 ** (k + 1) * new[-1] - old) / (4.0 ** (k + 1) - 1.0))
                rounding = 1e-16 * float(np.max(np.abs(new[-1]), initial=0.0)) / h
                gap = max(float(np.max(np.abs(new[-1] - x), initial=0.0)) for x in (new[-2], old)) + rounding
                if gap < error:
                    best, error = new[-1], gap
            row = new
    return best, error


# ---------------------------------------------------------------- one kernel


def as_function(primal: Callable[..., Any], of: tuple[str, ...]) -> Callable[..., Any]:
    """The result of a kernel, with `of` a tuple of its result, if it has one, and final contents."""

    def call(**arguments: Any) -> Any:
        result = primal(*arguments.values())
        if not of:
            return result
        return (*(() if result is None else (result,)), *(arguments[name] for name in of))

    return call


def keyword(function: Callable[..., Any], *wanted: str) -> str | None:
    """The keyword-only parameter of one of these names, or its form with underscores."""
    names = [p.name for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY]
    return next((n for n in names if plain(n) in map(plain, wanted)), None)


def plain(name: str) -> str:
    """A name without the underscores that keep it apart from others: `_fict_` has the tangent `fict_dot`."""
    return re.sub("_+", "_", name.strip("_"))


def written_by(kernel: Kernel) -> tuple[tuple[str, ...], Any]:
    """The float arrays that a kernel writes into, and its result."""
    arguments = copy.deepcopy(kernel.arguments)
    result = executed(kernel.text, kernel.name)[kernel.function](*arguments.values())
    changed = [n for n, v in kernel.arguments.items() if not numeric.same_bits([v], [arguments[n]])]
    return tuple(n for n in changed if carries(kernel.arguments[n])), result


def derive(kernel: Kernel, of: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The text of the derivatives and the parameters they are for: every float input on which the outputs depend."""
    wrt = tuple(n for n, v in kernel.arguments.items() if carries(v))
    options: dict[str, Any] = {"of": of} if of else {}
    options["shapes"] = ", ".join(f"{n} complex" for n, v in kernel.arguments.items() if np.iscomplexobj(v))
    while True:
        asked = Request(
            filename=kernel.path.name, functions=(kernel.function,), wrt=wrt, emit=("vjp", "jvp"), **options
        )
        try:
            return differentiate(kernel.text, asked), wrt
        except S2SError as error:
            text = " ".join(d.message for d in error.diagnostics)
            useful = tuple(n for n in wrt if f"depend on `{n}`" not in text)
            if not all(d.code == "S404" for d in error.diagnostics) or useful in (wrt, ()):
                raise
            wrt = useful


def verify(kernel: Kernel, text: str, wrt: tuple[str, ...], of: tuple[str, ...]) -> str:
    """ "" where the derivatives are right, else what is wrong with them."""
    # A float32 inside a kernel leaves no digits to compare: there, the same texts run once more with float64 in it.
    primal_text, derived_text = (t.replace("np.float32", "np.float64") for t in (kernel.text, text))
    bits = as_function(executed(kernel.text, "primal")[kernel.function], of)
    f = as_function(executed(primal_text, "primal")[kernel.function], of)
    given, loose = executed(derived_text, "derivative"), executed(text, "derivative")
    arguments, rng = kernel.arguments, np.random.default_rng(11)
    value = f(**copy.deepcopy(arguments))
    bar = seed_like(value, rng)
    vjp, jvp = given[f"{kernel.function}_vjp"], given[f"{kernel.function}_jvp"]
    seeds: dict[str, Any] = {}
    for name, b in zip(reversed(of), reversed(bar), strict=False) if of else ():
        seeds[keyword(vjp, f"{name}_bar") or f"{name}_bar"] = b
    out_bar = keyword(vjp, "out_bar", "result_bar")
    if out_bar is not None:
        seeds[out_bar] = bar[0] if of else bar
    before = copy.deepcopy([arguments, seeds])
    got_value, cotangents = vjp(*arguments.values(), **seeds)
    again = vjp(*arguments.values(), **seeds)
    if not numeric.same_bits([arguments, seeds], before):
        return "an argument or a seed was modified"
    if not numeric.same_bits([got_value, cotangents], again):
        return "the second call differs"
    loose_value = loose[f"{kernel.function}_vjp"](*arguments.values(), **seeds)[0]
    if not numeric.same_bits([loose_value], [bits(**copy.deepcopy(arguments))]):
        return "the value is not the primal's"
    parts = (cotangents,) if len(wrt) == 1 else tuple(cotangents)
    if numeric.shares_memory(parts, [arguments, seeds]) or numeric.shares_within(parts):
        return "a cotangent shares memory with an argument, a seed or another cotangent"
    finals = got_value[1:] if len(value) > len(of) else got_value
    if of and numeric.shares_memory(finals, [arguments, seeds, list(parts)]):
        return "a final content shares memory with an argument, a seed or a cotangent"
    flat_bar = real(bar)
    for trial in range(3):
        dots = {n: seed_like(arguments[n], rng) for n in wrt}
        jvp_value, tangent = jvp(*arguments.values(), **{keyword(jvp, f"{n}_dot") or n: d for n, d in dots.items()})
        if not numeric.same_bits([jvp_value], [value if not of or len(value) > 1 else value[0]]):
            return "the value of the jvp is not the primal's"
        if numeric.shares_memory(tangent, [arguments, dots]):
            return "a tangent shares memory with an argument or a seed"
        got = beside(value, tangent if not of or len(value) > 1 else (tangent,))
        want, error = differences(f, arguments, dots)
        size = max(1.0, float(np.max(np.abs(want), initial=0.0)))
        if error > 1e-5 * size:
            return f"differences do not settle: {error:.1e}"
        if not numeric.close(got, want, 1e-7, 20.0 * error):
            return (
                f"jvp differs from differences by {np.max(np.abs(got - want)):.1e} (error {error:.1e}, trial {trial})"
            )
        left = sum(float(beside(arguments[n], p) @ real(dots[n])) for n, p in zip(wrt, parts, strict=True))
        right = float(flat_bar @ got)
        scale = 1.0 + float(np.abs(flat_bar) @ np.abs(got))
        if not abs(left - right) <= 1e-9 * scale:
            return f"<cotangents, dots> = {left!r} where <out_bar, tangent> = {right!r}"
    return ""


def try_kernel(kernel: Kernel) -> tuple[str, str, list[Diagnostic]]:
    """(kind, detail, diagnostics): verified, accepted (and not verified), refused or WRONG."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        written, result = written_by(kernel)
        asked = [()] if any(carries(v) for v in numeric.leaves(result)) else []
        asked += [written] if written else []
        notes = []
        for of in asked:
            if of and not HAS_OF:
                # what else stands in the way is told by the plain request
                found = [Diagnostic("S4xx", "`of` is not there yet")]
                try:
                    derive(kernel, ())
                except S2SError as error:
                    found += [d for d in error.diagnostics if d.code != "S404"]
                return "refused", "", found
            began = time.perf_counter()
            try:
                text, wrt = derive(kernel, of)
            except S2SError as error:
                return "refused", f"of={','.join(of)}" if of else "", error.diagnostics
            seconds = time.perf_counter() - began
            try:
                fault = verify(kernel, text, wrt, of)
            except Exception as error:
                fault = f"{type(error).__name__}: {error}"
                frame = traceback.extract_tb(error.__traceback__)[-1]
                line = text.splitlines()[(frame.lineno or 1) - 1] if frame.filename == "derivative" else ""
                if isinstance(error, AssertionError) and "dtype.kind" in line:
                    return "refused", "", [Diagnostic("assert", f"the output says no when it runs: {line.strip()}")]
            about = f"wrt={','.join(wrt)}{' of=' if of else ''}{','.join(of)}"
            if fault:
                return "WRONG", f"{about}: {fault}", []
            notes.append(f"{about} ({seconds:.1f} s, {len(text.splitlines())} lines)")
    return "verified", "; ".join(notes), []


def construct(d: Diagnostic) -> str:
    """A refusal without the user's names, so that equal ones count together; a rule is named."""
    return f"{d.code} {d.message}" if d.code.startswith("S30") else f"{d.code} {re.sub(r'`[^`]*`', '`...`', d.message)}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("kernels", nargs="*", help="only these")
    parser.add_argument("-v", "--verbose", action="store_true", help="each refusal with its place")
    options = parser.parse_args()
    kinds: dict[str, list[str]] = defaultdict(list)
    blocked: dict[str, set[str]] = defaultdict(set)
    alone: dict[str, set[str]] = defaultdict(set)
    for name, path, info in kernels(options.folder):
        if options.kernels and name not in options.kernels:
            continue
        if name in LEFT_OUT:
            kinds["left out"].append(name)
            print(f"left out  {name:26s} {LEFT_OUT[name]}")
            continue
        try:
            kind, detail, diagnostics = try_kernel(load(name, path, info))
        except Exception as error:
            kind, detail, diagnostics = "FAULT", f"{type(error).__name__}: {error}", []
        kinds[kind].append(name)
        if diagnostics:
            first = diagnostics[0]
            place = f"line {first.span.line}" if first.span else ""
            detail = f"{detail} {first.code} {place}: {first.message}".strip()
            more = len(diagnostics) - 1
            detail += f" (and {more} more)" if more else ""
            constructs = {construct(d) for d in diagnostics}
            for c in constructs:
                blocked[c].add(name)
                if len(constructs) == 1:
                    alone[c].add(name)
        print(f"{kind:9s} {name:26s} {detail}", flush=True)
        if options.verbose:
            for d in diagnostics:
                print(f"{'':37s}{d.code} {path.name}:{d.span.line if d.span else '?'}: {d.message}")
    print("\nWhat refuses how many kernels (and how many alone):")
    for c in sorted(blocked, key=lambda c: (-len(blocked[c]), c)):
        print(f"{len(blocked[c]):4d} ({len(alone[c])})  {c}: {', '.join(itertools.islice(sorted(blocked[c]), 8))}")
    total = sum(map(len, kinds.values()))
    accepted = len(kinds["verified"]) + len(kinds["WRONG"])
    print(f"\n{total} kernels: accepted {accepted}, " + ", ".join(f"{k} {len(v)}" for k, v in sorted(kinds.items())))
    return int(bool(kinds["WRONG"] or kinds["FAULT"]))


if __name__ == "__main__":
    sys.exit(main())
