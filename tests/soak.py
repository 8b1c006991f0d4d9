"""Many random programs: `python tests/soak.py COUNT [--start SEED]`, or `--seed SEED` to show and reduce one.

Prints each fault with its seed, then the counts; exit 1 where anything was wrong. With `--stores`, programs that write
into arrays; with `--parts`, into parts of parts of them; with `--structures`, with closures, objects and dicts as well;
with `--shapeless`, the programs of tests/shapeless.py, each called with several shapes. `--stores` goes with it, too;
with `--control`, those of tests/control.py, whose functions and loops take each other's names; with `--numerics`,
those of tests/numerics.py, on arrays of two axes.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
import warnings
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

os.environ.setdefault("S2S_CHECK", "1")  # the checker between stages, as in all tests

import checking
import control
import numerics
import programs
import shapeless

SIZE = [14]  # statements of a program, about


def calls(seed: int, kind: str) -> list[programs.Program]:
    r = random.Random(seed)
    stores = kind.endswith("stores")
    parts, structures = kind == "parts", kind == "structures"
    if "shapeless" in kind:
        return shapeless.calls(r, stores=stores)
    if kind == "control":
        made = control.program(r, max(SIZE[0] // 3, 2))
        return [made] if made else []
    if kind == "numerics":
        written = numerics.program(r, max(SIZE[0] // 3, 2))
        return [written] if written else []
    return [programs.program(r, SIZE[0], stores=stores, parts=parts, structures=structures)]


def fault(program: programs.Program, seed: int) -> str:
    """The message of the fault of a program, "" where it is right, refused or dropped."""
    try:
        checking.check(program, seed=seed)
    except checking.Wrong as wrong:
        return str(wrong)
    return ""


def reduced(seed: int, kind: str) -> str:
    """The message of the fault of a seed, on the smallest program that still shows one of its kind."""
    for program in calls(seed, kind):
        found = fault(program, seed)[:12]
        if found:
            smallest = checking.reduce(program, lambda p, found=found: fault(p, seed)[:12] == found)
            return fault(smallest, seed)
    return "right"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=1000)
    parser.add_argument("--start", type=int, default=None)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--seconds", type=float, default=None, help="stop after so many seconds of the processor")
    parser.add_argument("--shapeless", action="store_true", help="programs that state no ranks")
    parser.add_argument("--stores", action="store_true", help="programs that write into arrays")
    parser.add_argument("--parts", action="store_true", help="programs about parts of arrays, and parts of these")
    parser.add_argument("--structures", action="store_true", help="programs with closures, objects, dicts and blocks")
    parser.add_argument("--control", action="store_true", help="programs of control flow and functions")
    parser.add_argument("--numerics", action="store_true", help="programs of numerics on arrays of two axes")
    parser.add_argument("--size", type=int, default=SIZE[0], help="statements of a program, about")
    parser.add_argument("--reduce", action="store_true", help="reduce each fault")
    parser.add_argument("--refusals", action="store_true", help="name the seeds that are refused")
    options = parser.parse_args()
    SIZE[0] = options.size
    grammar = "shapeless " * options.shapeless + "stores" * options.stores
    grammar = "structures" if options.structures else "parts" if options.parts else grammar
    grammar = "control" if options.control else grammar
    grammar = "numerics" if options.numerics else grammar
    warnings.simplefilter("ignore")
    if options.seed is not None:
        print(calls(options.seed, grammar)[0].source)
        print(reduced(options.seed, grammar))
        return 0
    start = options.start if options.start is not None else random.SystemRandom().getrandbits(40)
    kinds: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    first_seen: dict[str, int] = {}
    began, count = time.perf_counter(), 0
    for seed in range(start, start + options.count):
        if options.seconds is not None and time.process_time() > options.seconds:
            break
        count += 1
        for program in calls(seed, grammar):
            try:
                verdict = checking.check(program, seed=seed)
            except checking.Wrong as wrong:
                kinds["WRONG"] += 1
                first = str(wrong).splitlines()[0][:100]
                faults[first[:40]] += 1
                print(f"\nseed {seed}: {reduced(seed, grammar) if options.reduce else first}", flush=True)
                break
            kinds[verdict.kind] += 1
            if verdict.kind == "refused":
                codes[verdict.detail] += 1
                first_seen.setdefault(verdict.detail, seed)
                if options.refusals:
                    print(f"seed {seed}: refused {verdict.detail}")
    seconds = time.perf_counter() - began
    print(f"\n{count} programs from seed {start} in {seconds:.0f} s: {dict(kinds)}")
    print("refused:", *(f"{code} {n} (first: {first_seen[code]})" for code, n in codes.most_common()), sep="\n  ")
    print(f"faults: {dict(faults.most_common())}")
    return int(kinds["WRONG"] > 0)


if __name__ == "__main__":
    sys.exit(main())
