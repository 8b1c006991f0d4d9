"""Runs s2s over the functions of google/tangent's tests/functions.py: `run_tangent.py FOLDER [-v]`.

FOLDER is a checkout of that project; nothing of it is kept here. Left out are the functions that need TensorFlow or
features of Tangent's own. Each other function is differentiated, and its derivative held against differences at a few
points. Prints a line a function and the counts;
exit 1 where a derivative is wrong.
"""

from __future__ import annotations

import argparse
import ast
import copy
import sys
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import numpy as np

import numeric
from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate

# What Tangent's own tests pass for a parameter, by its name.
POINTS: dict[str, list[Any]] = {
    "a": [1.3, -0.7],
    "b": [0.6, 2.1],
    "c": [-1.7],
    "n": [0, 2, 3],
    "i": [0, 2],
    "x": [np.array([0.4, -1.2, 0.9])],
    "sqm": [np.array([[1.2, 0.3, -0.4], [0.1, 2.0, 0.5], [-0.6, 0.2, 1.5]])],
    "abc_packed_in_tuple": [(1.3, 0.6, -1.7)],
    "val": [{"a": 1.3, "b": 0.6, "c": -1.7}],
    "p": [{"i": {"j": 1.3, "k": 0.6}}],
    "input": [np.array([[0.4, -1.2, 0.9], [0.3, 0.8, -0.5]])],
    "label": [np.array([0.0, 1.0])],
    "W": [np.array([0.5, -0.3, 0.8])],
    "inputs": [np.array([[0.4, -1.2, 0.9], [0.3, 0.8, -0.5], [0.1, 0.2, 0.3]])],
    "h": [np.array([0.2, -0.4])],
    "U": [np.array([[0.3, 0.1], [-0.2, 0.6]])],
}
# Where a parameter of a function is of another shape than its name says.
OTHERS: dict[str, dict[str, list[Any]]] = {
    "bilinear": {
        "x": [np.array([[0.4, -1.2, 0.9]])],
        "h": [np.array([[0.2, -0.4]])],
        "W": [np.array([[0.5, 0.1], [-0.3, 0.2], [0.8, -0.6]])],
        "b": [np.array([0.1, -0.2])],
    },
    "listcomp": {"a": [np.array([0.4, -1.2, 0.9])]},
    "logistic_regression": {"b": [0.6]},
    "numpy_arccos": {"a": [0.3, -0.7]},
    "numpy_arcsin": {"a": [0.3, -0.7]},
    "gradgrad_pow": {"a": [1.3, -0.7], "b": [2.1]},
    "passthru_pack": {"i": [0, 2]},
}
WHOLE = {"n", "i"}  # integers: never differentiated in


def reason_to_leave_out(f: ast.FunctionDef) -> str:
    """Why a function is not tried: "" where it is."""
    names = {n.id for n in ast.walk(f) if isinstance(n, ast.Name)}
    if "tf" in names or f.name.startswith(("tfe_", "_")):
        return "TensorFlow"
    if f.name == "cart2polar":
        return "raises by itself"  # passes a float as the output array of np.arctan
    if names & {"tangent", "insert_grad_of"}:
        return "a feature of Tangent"
    return ""


def combinations(f: ast.FunctionDef) -> list[tuple[Any, ...]]:
    """A few argument tuples: the first point of each parameter, then each further point once."""
    params = [a.arg for a in f.args.args]
    choices = [OTHERS.get(f.name, {}).get(p, POINTS[p]) for p in params]
    most = max((len(c) for c in choices), default=1)
    return [tuple(c[min(k, len(c) - 1)] for c in choices) for k in range(most)]


def try_function(text: str, f: ast.FunctionDef) -> tuple[str, str]:
    """("verified", ""), ("refused", diagnostics) or ("WRONG", how)."""
    params = [a.arg for a in f.args.args]
    wrt = [p for p in params if p not in WHOLE]
    try:
        written = differentiate(
            text, Request(filename="functions.py", functions=(f.name,), wrt=tuple(wrt), emit=("vjp",))
        )
    except S2SError as error:
        shown = [f"{d.code} line {d.span.line if d.span else '?'}: {d.message}" for d in error.diagnostics]
        return "refused", "; ".join(shown)
    namespace: dict[str, Any] = {}
    exec(text, namespace)

    def primal(*args: Any) -> Any:
        return namespace[f.name](*copy.deepcopy(args))  # some write into their arguments

    derived: dict[str, Any] = {}
    exec(written, derived)
    positions = [params.index(p) for p in wrt]
    for args in combinations(f):
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            value = primal(*args)
            out_bar = numeric.unflat(value, np.linspace(0.5, 1.5, len(numeric.flat(value))))
            got_value, cotangents = derived[f"{f.name}_vjp"](*args, out_bar=out_bar)
            parts = [cotangents] if len(wrt) == 1 else list(cotangents)
            got = np.concatenate([numeric.flat(p) for p in parts])
            want = np.zeros(len(got))
            slack = 0.0
            for k, direction in enumerate(np.eye(len(got))):
                column, error = numeric.along(primal, args, positions, direction)
                want[k] = column @ numeric.flat(out_bar)
                slack = max(slack, error)
        if not numeric.same_bits(
            [np.asarray(numeric.flat(got_value), float)], [np.asarray(numeric.flat(value), float)]
        ):
            return "WRONG", f"value {got_value} where the primal gives {value}"
        if not numeric.close(got, want, 1e-7, 20.0 * slack):
            return "WRONG", f"at {args}: {got}, differences {want}\n{written}"
    return "verified", ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-v", "--verbose", action="store_true", help="a line for each function")
    options = parser.parse_args()
    full = (options.folder / "tests" / "functions.py").read_text()
    tree = ast.parse(full)
    functions = [n for n in tree.body if isinstance(n, ast.FunctionDef)]
    left_out = {f.name: reason_to_leave_out(f) for f in functions}
    # Only NumPy is there: what is tried stands in a module without the other imports.
    kept = [f for f in functions if not left_out[f.name]]
    lines = full.splitlines()
    slices = [
        "\n".join(lines[f.lineno - 1 : f.end_lineno])
        for f in functions
        if not left_out[f.name] or f.name == "_inner_fn"
    ]
    text = "import numpy as np\n\n\n" + "\n\n\n".join(slices) + "\n"

    counts: Counter[str] = Counter()
    for f in kept:
        try:
            kind, detail = try_function(text, f)
        except Exception as error:
            kind, detail = "FAULT", f"{type(error).__name__}: {error}"
        counts[kind] += 1
        if options.verbose or kind != "verified":
            print(f"{kind:9s} {f.name:28s} (line {f.lineno}) {detail}")
    skipped = Counter(reason for reason in left_out.values() if reason)
    print(f"\n{len(functions)} functions; left out: {dict(skipped)}; of {len(kept)}: {dict(counts)}")
    return int(counts["WRONG"] + counts["FAULT"] > 0)


if __name__ == "__main__":
    sys.exit(main())
