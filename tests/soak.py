"""Many random programs: `python tests/soak.py COUNT [--grammar NAME]`, or `--seed SEED` to show and reduce one.

Prints each fault with its seed, then the counts; exit 1 where anything was wrong. The grammars: `plain`; `stores`,
whose programs write into arrays; `parts`, into parts of parts of them; `structures`, with closures, objects and dicts;
`shapeless` and `shapeless-stores`, whose programs state no ranks and are called with several shapes; `control`, whose
functions and loops take each other's names; `numerics`, on arrays of two axes;
`idioms`, with what Python has for lists, dicts and functions; `everyday`, with generators, partial, reduce, recursion
and objects beside arrays; `updates`, with arrays that products of each other update; `steppers`, which march a state;
`gathers`, which pick and scatter by arrays of places and masks; `handed`, short ones that hand values on;
`names`, short ones over a handful of names; `bodies`, over a handful of objects; `rounds`, whose loops write what they
run over; `rebound`, which bind closures, dicts and objects anew; `behind`, which read behind loops what these bind;
`carried`, with values of unknown ranks in loops;
`evaluation`, which read beside calls that write; `nested`, whose inner loops bind variables in some rounds, and call
helpers for rows; `leaving`, whose helpers leave loops early, write into what they are handed and give it back;
`layered`, over objects whose parts are variables;
`made`, over values of every structure that helpers make, read and change;
`unstated`, which state nothing of their parameters and are called with numbers, arrays, lists and dicts; `stateful`,
over objects and closures whose parts change elsewhere. Without one, the seeds take turns.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import random
import resource
import signal
import sys
import threading
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

os.environ.setdefault("S2S_CHECK", "1")  # the checker between stages, as in all tests

import behind
import bodies
import carried
import checking
import control
import evaluation
import everyday
import gathers
import handed
import idioms
import layered
import leaving
import made
import names
import nested
import numerics
import programs
import rebound
import rounds
import shapeless
import stateful
import steppers
import unstated
import updates
from programs import Program
from s2s.pipeline import differentiate_unformatted

SIZE = 14  # statements of a program, about
STRIDE = 5000  # seeds between two lines of progress
SECONDS, MEMORY = 300, 4 * 2**30  # of a seed, of a process in bytes
FEW = max(SIZE // 3, 2)  # of the grammars whose statements are whole blocks
GRAMMARS: dict[str, Callable[[random.Random], list[Program]]] = {
    "plain": lambda r: [programs.program(r, SIZE)],
    "stores": lambda r: [programs.program(r, SIZE, stores=True)],
    "parts": lambda r: [programs.program(r, SIZE, parts=True)],
    "structures": lambda r: [programs.program(r, SIZE, structures=True)],
    "shapeless": lambda r: shapeless.calls(r),
    "shapeless-stores": lambda r: shapeless.calls(r, stores=True),
    "control": lambda r: [made] if (made := control.program(r, FEW)) else [],
    "numerics": lambda r: [made] if (made := numerics.program(r, FEW)) else [],
    "everyday": lambda r: [made] if (made := everyday.program(r, FEW)) else [],
    "idioms": lambda r: [made] if (made := idioms.program(r, FEW)) else [],
    "updates": lambda r: [updates.drawn(r.getrandbits(32))],
    "steppers": lambda r: [steppers.drawn(r.getrandbits(32))],
    "gathers": lambda r: [made] if (made := gathers.drawn(r.getrandbits(32))) else [],
    "handed": lambda r: [made] if (made := handed.program(r, FEW)) else [],
    "names": lambda r: [made] if (made := names.program(r, FEW)) else [],
    "bodies": lambda r: [made] if (made := bodies.program(r, FEW)) else [],
    "rounds": lambda r: [made] if (made := rounds.program(r, FEW)) else [],
    "nested": lambda r: [made] if (made := nested.program(r, FEW)) else [],
    "behind": lambda r: [made] if (made := behind.program(r, FEW)) else [],
    "rebound": lambda r: [made] if (made := rebound.program(r, FEW)) else [],
    "carried": lambda r: [made] if (made := carried.program(r, FEW)) else [],
    "evaluation": lambda r: [made] if (made := evaluation.program(r, FEW)) else [],
    "layered": lambda r: [made] if (made := layered.program(r, FEW)) else [],
    "leaving": lambda r: [made] if (made := leaving.program(r, FEW)) else [],
    "unstated": lambda r: unstated.calls(r),
    "made": lambda r: [made_] if (made_ := made.program(r, FEW)) else [],
    "stateful": lambda r: [made] if (made := stateful.program(r)) else [],
}
EVERY = "all"


def calls(seed: int, grammar: str) -> list[Program]:
    """The programs of a seed: one, or one with several arguments."""
    name = list(GRAMMARS)[seed % len(GRAMMARS)] if grammar == EVERY else grammar
    return GRAMMARS[name](random.Random(seed))


def limit() -> None:
    """A process that takes too much memory gets a MemoryError, and not the whole machine an end."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def overdue(signum: int, frame: object) -> None:
    for thread in threading.enumerate():  # the one with the large stack, which would run on
        if thread is not threading.main_thread() and thread.ident is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(Overdue))
    raise Overdue(f"takes more than {SECONDS} s")


class Overdue(BaseException):  # which no handler of an Exception takes for its own
    """A program that does not come to an end."""


def verdicts(seed: int, grammar: str) -> tuple[int, list[tuple[str, str]]]:
    """The seed, and a kind with its detail for each of its programs, up to the first that is wrong."""
    warnings.simplefilter("ignore")
    found: list[tuple[str, str]] = []
    signal.signal(signal.SIGALRM, overdue)
    signal.alarm(SECONDS)
    try:
        once = lru_cache(maxsize=1)(differentiate_unformatted)  # of a seed with several arguments
        try:
            drawn = calls(seed, grammar)
        except Overdue:  # a loop of the program itself does not come to an end
            drawn, found = [], [("dropped", "endless")]
        for program in drawn:
            found.append(judged(program, seed, once))
    except Overdue as late:  # of rank 0, `d = x; x += e` changes d: such a loop of the program may never end
        own = any(f.filename == "<primal>" for f in traceback.extract_tb(late.__traceback__))
        found.append(("dropped", "endless") if own else ("WRONG", str(late)))
    except (checking.Wrong, MemoryError) as wrong:
        found.append(("WRONG", str(wrong) or type(wrong).__name__))
    finally:
        signal.alarm(0)
    return seed, found


def judged(program: Program, seed: int, differentiate: Callable[..., str]) -> tuple[str, str]:
    """The kind and the detail of one program: an alarm is one of the checker, and the numbers are right."""
    try:
        verdict = checking.check(program, seed=seed, differentiate=differentiate)
    except checking.Wrong as wrong:
        if "S901" not in str(wrong):
            raise
        os.environ["S2S_CHECK"] = "0"
        try:
            verdict = checking.check(program, seed=seed)
        finally:
            os.environ["S2S_CHECK"] = "1"
        return "alarm" if verdict.kind == "right" else verdict.kind, str(wrong)
    return verdict.kind, verdict.detail


def fault(program: Program, seed: int) -> str:
    """The message of the fault of a program, "" where it is right, refused or dropped."""
    try:
        checking.check(program, seed=seed)
    except checking.Wrong as wrong:
        return str(wrong)
    return ""


def reduced(seed: int, grammar: str) -> str:
    """The message of the fault of a seed, on the smallest program that still shows one of its kind."""
    for program in calls(seed, grammar):
        found = fault(program, seed)[:12]
        if found:
            smallest = checking.reduce(program, lambda p, found=found: fault(p, seed)[:12] == found)
            return fault(smallest, seed)
    return "right"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=1000)
    parser.add_argument("--grammar", choices=[*GRAMMARS, EVERY], default=EVERY)
    parser.add_argument("--start", type=int, default=None, help="the first seed; a new one each time")
    parser.add_argument("--seed", type=int, default=None, help="show and reduce the program of this seed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    parser.add_argument("--refusals", action="store_true", help="name the seeds that are refused")
    options = parser.parse_args()
    if options.seed is not None:
        warnings.simplefilter("ignore")
        print(calls(options.seed, options.grammar)[0].source)
        print(reduced(options.seed, options.grammar))
        return 0
    start = options.start if options.start is not None else random.SystemRandom().getrandbits(40)
    kinds: Counter[str] = Counter()
    refused: dict[str, list[int]] = {}
    began = time.perf_counter()
    seeds = range(start, start + options.count)
    with ProcessPoolExecutor(options.jobs, initializer=limit) as pool:
        for seed, found in pool.map(partial(verdicts, grammar=options.grammar), seeds, chunksize=10):
            if (seed - start) % STRIDE == STRIDE - 1:
                print(f"{seed - start + 1} seeds: {dict(kinds)}", file=sys.stderr, flush=True)
            for kind, detail in found:
                kinds[kind] += 1
                if kind in ("WRONG", "alarm"):
                    print(f"\nseed {seed}: {kind}: {detail.splitlines()[0][:100]}", flush=True)
                if kind in ("refused", "raises"):
                    refused.setdefault(f"{kind} {detail}", []).append(seed)
                    if options.refusals:
                        print(f"seed {seed}: {kind} {detail}")
    seconds = time.perf_counter() - began
    print(f"\n{options.count} seeds from {start} ({options.grammar}) in {seconds:.0f} s: {dict(kinds)}")
    for code, at in sorted(refused.items(), key=lambda item: -len(item[1])):
        print(f"  {code}: {len(at)} (first: {at[0]})")
    return int(kinds["WRONG"] > 0)


if __name__ == "__main__":
    sys.exit(main())
