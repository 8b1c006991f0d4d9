"""Is the derivative of a program right? The checks that random programs, regressions and soak runs share."""

from __future__ import annotations

import ast
import copy
import os
import random
import re
import signal
import sys
import time
import traceback
import types
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import Any

import black
import numpy as np

import numeric
import programs
from s2s.emit.format import format_text
from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate_unformatted

REVERSE_KINDS = (("vjp",), ("grad",), ("value_and_grad",), ("grad", "value_and_grad"))
HAS_OF = "of" in {field.name for field in fields(Request)}


class Wrong(AssertionError):
    """A derivative that differs, or text that does not hold what is promised of it."""


@dataclass(frozen=True)
class Verdict:
    """What came of a program: "right", "refused" (with its codes), "dropped" (a kink, a value out of range),
    "guarded": an assertion of the output says no to arrays that overlap, indices that repeat or an order in memory,
    or "raises": another error, on arguments of a kind that the program does not state."""

    kind: str
    detail: str = ""
    text: str = ""
    wrt: tuple[str, ...] = ()  # of those asked for, the parameters on which the result depends


def evaluate(text: str, name: str) -> dict[str, Any]:
    """The names of a module of this text. A derivative may import classes from the module that it was made from."""
    namespace: dict[str, Any] = {"__name__": "model"}
    if name == "<primal>":
        module = sys.modules["model"] = types.ModuleType("model")
        namespace = module.__dict__
    exec(compile(text, name, "exec"), namespace)
    return namespace


def seeds_like(value: Any, rng: np.random.Generator) -> Any:
    """A random cotangent or tangent of the structure of `value`."""
    new = [
        np.asarray(rng.standard_normal(np.shape(leaf)))
        if isinstance(leaf, np.ndarray)
        else float(rng.standard_normal())
        for leaf in numeric.leaves(value)
    ]
    return numeric.rebuild(value, new)


def in_arrays(seeds: Any) -> Any:
    """The same arguments or seeds, numbers in arrays of rank 0: into these `+=` writes."""
    new = [np.array(leaf) if isinstance(leaf, float) else leaf for leaf in numeric.leaves(seeds)]
    return numeric.rebuild(seeds, new)


def request(program: programs.Program, emit: tuple[str, ...]) -> Request:
    """What is asked of a program. `of` goes in only where there is one."""
    of: dict[str, Any] = {"of": program.of} if program.of else {}
    return Request(functions=(program.name,), wrt=program.wrt, emit=emit, **of)


def outcome(program: programs.Program, primal: Callable[..., Any]) -> Callable[..., Any]:
    """f as a mathematician sees it: its result, or with `of` a tuple of its result, if it has one, and the final
    contents of those arguments. The arguments of a call are copied first."""
    positions = [program.params.index(name) for name in program.of]

    def call(*args: Any) -> Any:
        args = tuple(numeric.duplicate(a) for a in args)
        result = primal(*args)
        if not program.of:
            return result
        return (*(() if result is None else (result,)), *(args[i] for i in positions))

    return call


def finals(program: programs.Program, value: Any, got: Any) -> Any:
    """Of what a derivative gives as the value, the final contents: what f returns may be an argument of it."""
    return got[1:] if len(value) > len(program.of) else got


def cotangent_keywords(program: programs.Program, vjp: Callable[..., Any], value: Any, bar: Any) -> dict[str, Any]:
    """The seeds of a vjp by name: `A_bar` for the final contents of A, `out_bar` for what f returns."""
    if not program.of:
        return {keyword(vjp, "out_bar"): bar}
    named = {keyword(vjp, f"{name}_bar"): b for name, b in zip(reversed(program.of), reversed(bar), strict=False)}
    if len(value) > len(program.of):
        named[keyword(vjp, "result_bar") if "out" in program.of else keyword(vjp, "out_bar")] = bar[0]
    return named


def asks_for_all(program: programs.Program) -> bool:
    """Whether each parameter that may carry a derivative is asked for."""
    others = [p for p in program.params if p not in program.wrt]
    return "wrt=" not in program.source and all(
        re.search(rf"\bdef {program.name}\(.*\b{p}: (int|bool|str)\b", program.source) for p in others
    )


def found_by_itself(program: programs.Program, text: str) -> tuple[str, ...]:
    """The parameters in which a derivative was made that nobody has asked for by name: those that have a tangent."""
    made = next(n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef) and n.name == f"{program.name}_jvp")
    tangents = {a.arg.rstrip("_") for a in made.args.kwonlyargs}
    return tuple(p for p in program.wrt if f"{p}_dot" in tangents)


def refusal(error: S2SError) -> str:
    return " ".join(sorted({d.code for d in error.diagnostics}))


def without_the_unused(program: programs.Program, error: S2SError) -> programs.Program:
    """The program, to be differentiated only in parameters on which its result depends."""
    text = " ".join(d.message for d in error.diagnostics)
    named = tuple(name for name in program.wrt if f"depend on `{name}`" not in text)
    return replace(program, wrt=named if named != program.wrt else ())


def check(
    program: programs.Program,
    emit: tuple[str, ...] | None = None,
    seed: int = 0,
    margin: float = 1e-3,
    differentiate: Callable[[str, Request], str] = differentiate_unformatted,
    stable: bool = False,
    largest: float = 1e6,
    useful: bool = False,
    constant: tuple[str, ...] = (),
) -> Verdict:
    """Differentiate a program and hold the result against differences, the dot product and its promises.

    A point nearer than `margin` to a kink is dropped, and one with values or derivatives above `largest`. Raises
    `Wrong` with the sources where anything differs. With `stable`, the text is made once more and has to be the same,
    and black has to leave it as it is. With `useful`, s2s itself finds which of the parameters matter, where all
    are asked for: else it refuses those that do not, and is asked once more. constant: parameters that s2s has found
    not to matter.
    """
    rng = np.random.default_rng(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        of = tuple(program.params.index(name) for name in program.of)
        if margin and programs.margin(program.source, program.args, of) < margin:
            return Verdict("dropped", "near a kink")
    if emit is None:
        choice = random.Random(seed)
        emit = choice.choice(REVERSE_KINDS) if program.scalar and not program.of else ("vjp",)
        emit = (*emit, "jvp")
    if program.of and not HAS_OF:
        return Verdict("refused", "S2-of")
    asked = request(program, emit)
    useful = useful and "jvp" in emit and asks_for_all(program)
    if useful:
        asked = replace(asked, wrt=None)
    try:
        text = differentiate(program.source, asked)
    except S2SError as error:
        if all(d.code == "S404" for d in error.diagnostics):
            fewer = without_the_unused(program, error)
            constant = (*constant, *(name for name in program.wrt if name not in fewer.wrt))
            if fewer.wrt:
                return check(fewer, emit, seed, margin, differentiate, stable, largest, constant=constant)
            without_effect(program, constant, rng, largest)
            return Verdict("dropped", "depends on no parameter")
        codes = refusal(error)
        if codes.startswith("S9") or " S9" in codes:
            raise Wrong(f"a fault in s2s: {error}\n\n{program.source}") from error
        return Verdict("refused", codes)
    except Exception as error:
        raise Wrong(f"{type(error).__name__}: {error}\n\n{program.source}") from error
    if useful:
        wanted, program = program.wrt, replace(program, wrt=found_by_itself(program, text))
        constant = tuple(name for name in wanted if name not in program.wrt)
    story = f"\n\n{program.source}\nwrt={program.wrt} emit={emit} args={program.args}\n\n{text}"
    try:
        without_effect(program, constant, rng, largest)
        verdict = _numbers(program, text, emit, rng, largest)
        if stable and verdict.kind == "right":
            _is_stable(program, text, asked, differentiate)
        return replace(verdict, wrt=program.wrt)
    except Wrong as error:
        raise Wrong(f"{error}{story}") from None
    except AssertionError as error:
        line = failing_line(error, text)
        rank = re.search(r"np\.(?:ndim|isscalar)\((\w*)", line)  # one that nobody stated may be wanted
        rank = rank and not re.search(rf"# s2s:.*\b{rank[1]}\b", program.source)
        if rank or any(word in line for word in GUARDS) or program.unstated:
            return Verdict("guarded", line, text)
        raise Wrong(f"AssertionError: {line}{story}") from error
    except Exception as error:
        if isinstance(error, TypeError) and NO_ARRAY.search(str(error)) and any(map(is_rank_zero, program.args)):
            return Verdict("guarded", str(error), text)
        if program.unstated and not isinstance(error, NameError):
            return Verdict("raises", f"{type(error).__name__}: {error}", text)
        raise Wrong(f"{type(error).__name__}: {error}{story}") from error


def without_effect(
    program: programs.Program, constant: tuple[str, ...], rng: np.random.Generator, largest: float
) -> None:
    """Raises `Wrong` where the result changes with a parameter that is taken for constant."""
    module = evaluate(program.source, "<primal>")
    primal = outcome(program, module[program.name])
    args = tuple(module[type(a).__name__](*a) if hasattr(a, "_fields") else a for a in program.args)
    for name in constant:
        at = program.params.index(name)
        direction = numeric.flat(seeds_like(args[at], rng))
        try:
            with np.errstate(all="ignore"):
                steps, error = numeric.along(primal, args, [at], direction)
        except Exception:  # another branch, another shape, whole numbers
            continue
        size = float(np.max(np.abs(steps), initial=0.0))
        if error < 1e-6 and 1e-5 < size < largest:
            raise Wrong(f"`{name}` is taken for constant, differences: {steps}\n\n{program.source}\n{program.args}")


# What arithmetic makes of arrays of rank 0 are numbers, adjoints too: a text that adds to them in place raises.
NO_ARRAY = re.compile("'(numpy.float64|float)' object (does not support item assignment|is not subscriptable)")


def is_rank_zero(a: Any) -> bool:
    return isinstance(a, np.ndarray) and a.ndim == 0


def _is_stable(
    program: programs.Program, text: str, asked: Request, differentiate: Callable[[str, Request], str]
) -> None:
    """The text is the same when it is made again, without the checker, and black leaves it as it is."""
    checked = os.environ.pop("S2S_CHECK", None)
    try:
        again = differentiate(program.source, asked)
    finally:
        if checked is not None:
            os.environ["S2S_CHECK"] = checked
    if again != text:
        raise Wrong("the text differs when it is made again")
    written = format_text(text)
    if black.format_str(written, mode=black.Mode()) != written:
        raise Wrong("black changes the text")


GUARDS = (
    "shares_memory",
    "strides",
    "flags",
    "dtype.kind",
    "result_type(",
    "isinstance(",
    "hasattr(",
)


def failing_line(error: AssertionError, text: str) -> str:
    """The line of the derivative that raised."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == "<derivative>"]
    return text.splitlines()[(frames[-1].lineno or 1) - 1].strip() if frames else ""


def _numbers(
    program: programs.Program, text: str, emit: tuple[str, ...], rng: np.random.Generator, largest: float
) -> Verdict:
    module = evaluate(program.source, "<primal>")
    primal = outcome(program, module[program.name])
    derived = evaluate(text, "<derivative>")
    wrt = [program.params.index(name) for name in program.wrt]
    args = tuple(module[type(a).__name__](*a) if hasattr(a, "_fields") else a for a in program.args)  # of this class
    before = copy.deepcopy(args)

    with np.errstate(all="ignore"):
        value = primal(*args)
        out_bar = seeds_like(value, rng)
        dots = {program.params[i]: seeds_like(args[i], rng) for i in wrt}
        direction = np.concatenate([numeric.flat(dots[program.params[i]]) for i in wrt])
        try:
            want, error = numeric.along(primal, args, wrt, direction)
        except (TypeError, ValueError):  # another branch, another shape
            return Verdict("dropped", "differences do not settle", text)
    scale = max(1.0, float(np.max(np.abs(numeric.flat(value)), initial=0.0)))
    steep = float(np.max(np.abs(want), initial=0.0))
    if want.shape != numeric.flat(value).shape:  # the steps have ended in another branch
        return Verdict("dropped", "differences do not settle", text)
    if not np.all(np.isfinite(want)) or error > 1e-6 * max(1.0, steep) or max(scale, steep) > largest:
        return Verdict("dropped", "differences do not settle", text)

    seeds = copy.deepcopy([out_bar, dots])

    def calls(args: tuple[Any, ...], out_bar: Any, dots: dict[str, Any]) -> dict[str, Any]:
        with np.errstate(all="ignore"):
            results: dict[str, Any] = {}
            if "grad" in emit:
                results["grad"] = derived[f"{program.name}_grad"](*args)
            if "value_and_grad" in emit:
                results["value_and_grad"] = derived[f"{program.name}_value_and_grad"](*args)
            if "vjp" in emit:
                vjp = derived[f"{program.name}_vjp"]
                results["vjp"] = vjp(*args, **cotangent_keywords(program, vjp, value, out_bar))
            if "jvp" in emit:
                jvp = derived[f"{program.name}_jvp"]
                named = {keyword(jvp, f"{name}_dot"): dot for name, dot in dots.items()}
                results["jvp"] = jvp(*args, **named)
            return results

    first = calls(args, out_bar, dots)
    if not numeric.same_bits(list(args), list(before)):
        raise Wrong("an argument was modified")
    if not numeric.same_bits([out_bar, dots], seeds):
        raise Wrong("a seed was modified")
    if not numeric.same_bits(list(first.values()), list(calls(args, out_bar, dots).values())):
        raise Wrong("the second call differs")
    _check_rank_zero(args, (out_bar, dots), first, calls, value, primal, text)

    if "jvp" in emit:
        jvp_value, tangent = first["jvp"]
        agree(jvp_value, value, "value of jvp", args)
        if program.of:
            apart([finals(program, value, jvp_value), tangent], [args, list(dots.values())], "final content or tangent")
            tangent = tangent if len(value) > 1 else (tangent,)
        got = numeric.flat_beside(value, tangent)
        if numeric.shares_within(tangent):
            raise Wrong("jvp: two parts of the tangent share memory")
        if not numeric.close(got, want, 1e-7, 20.0 * error):
            with np.errstate(all="ignore"):
                again, finer = numeric.along(primal, args, wrt, direction, 2e-5)
            if not numeric.close(again, want, 1e-5, 20.0 * finer):
                return Verdict("dropped", "differences do not settle", text)
            raise Wrong(f"jvp {got} differs from differences {want} (their error {error:.1e})")
        want = got  # exact to rounding: what the reverse mode is held against
        apart(tangent, [args, list(dots.values())], "tangent")
    for mode in ("grad", "value_and_grad", "vjp"):
        if mode not in emit:
            continue
        cotangents = first[mode]
        bar = flat_bar = np.ones(1)
        if mode != "grad":
            got_value, cotangents = cotangents
            agree(got_value, value, f"value of {mode}", args)
        if mode == "vjp":
            bar = out_bar
            flat_bar = numeric.flat(bar)
            if program.of:
                final = finals(program, value, got_value)
                apart(final, [args, bar], "final content")
                apart(cotangents, final, "cotangent of vjp")
        parts = [cotangents] if len(wrt) == 1 else list(cotangents)
        if len(parts) != len(wrt):
            raise Wrong(f"{mode}: {len(parts)} cotangents for {len(wrt)} parameters")
        total = 0.0
        for part, i in zip(parts, wrt, strict=True):
            total += pair(part, dots[program.params[i]], args[i], mode)
        expected = float(flat_bar @ want)
        size = float(np.abs(flat_bar) @ np.abs(want)) + sum(float(np.sum(np.abs(numeric.flat(p)))) for p in parts)
        tolerance = 1e-9 * max(1.0, size) if "jvp" in emit else 1e-7 * max(1.0, size) + 20.0 * error
        if not abs(total - expected) <= tolerance:
            raise Wrong(f"{mode}: <cotangents, x_dot> = {total!r}, <out_bar, tangent> = {expected!r}")
        apart(cotangents, [args, bar], f"cotangent of {mode}")
        if numeric.shares_within(cotangents):
            raise Wrong(f"{mode}: two cotangents share memory")
    return Verdict("right", text=text)


def is_blind(primal: Callable[..., Any], args: tuple[Any, ...], value: Any) -> bool:
    """Whether a program computes the same of these arguments, or something else because it writes into them."""
    kept = copy.deepcopy(args)
    try:
        with np.errstate(all="ignore"):
            again = numeric.flat(primal(*args))
    except Exception:
        return False
    return numeric.close(again, numeric.flat(value), 1e-12) or not numeric.same_bits(list(args), list(kept))


def _check_rank_zero(
    args: tuple[Any, ...],
    seeds: tuple[Any, dict[str, Any]],
    first: dict[str, Any],
    calls: Callable[..., dict[str, Any]],
    value: Any,
    primal: Callable[..., Any],
    text: str,
) -> None:
    """Arrays of rank 0 for numbers, into which `+=` writes: the same results, or a guard, and they stay as they are."""
    boxed = in_arrays(args)
    tries = [((args, *in_arrays(seeds)), "seeds")]
    if is_blind(primal, copy.deepcopy(boxed), value):
        tries.append(((boxed, *seeds), "arguments"))
    for given, what in tries:
        kept = copy.deepcopy(given)
        for _ in range(2):
            try:
                again = calls(*given)
            except Exception as error:
                if what == "arguments":
                    break
                if isinstance(error, AssertionError) and "np.isscalar(" in failing_line(error, text):
                    break
                raise
            if not numeric.close(numeric.flat(list(again.values())), numeric.flat(list(first.values())), 1e-12):
                raise Wrong(f"arrays of rank 0 for {what} give other numbers")
        else:  # no guard has stopped it
            if not numeric.same_bits(list(given), list(kept)):
                raise Wrong(f"{what} that are arrays of rank 0 are modified")


def check_integers(program: programs.Program, text: str = "", numbers: bool = False) -> str:
    """Integer arrays for the arrays of floats: "equal" (the gradient of the equal floats), "raises", or "dropped".

    `text`: that of its vjp, where there is one. `numbers`: whole numbers for the arguments that are numbers instead,
    1 for 1.0; then nothing raises but a guard. Raises `Wrong` where the gradient is another one: truncated.
    """
    try:
        asked = Request(functions=("f",), wrt=program.wrt, emit=("vjp",))
        text = text or differentiate_unformatted(program.source, asked)
    except S2SError as error:
        useful = without_the_unused(program, error)
        if useful.wrt and useful.wrt != program.wrt:
            return check_integers(useful, numbers=numbers)
        return "dropped"
    primal, derived = evaluate(program.source, "<primal>")["f"], evaluate(text, "<derivative>")["f_vjp"]

    def changed(to_array: Callable[[np.ndarray], np.ndarray], to_number: Callable[[float], float]) -> tuple[Any, ...]:
        if numbers:
            return tuple(to_number(v) if isinstance(v, float) else v for v in program.args)

        def change(v: Any) -> Any:
            return to_array(v) if isinstance(v, np.ndarray) and v.dtype.kind == "f" else v

        return tuple(numeric.rebuild(program.args, [change(v) for v in numeric.leaves(program.args)]))

    floats = changed(lambda v: np.round(2.0 * v), lambda v: float(round(2.0 * v)))
    integers = changed(lambda v: np.round(2.0 * v).astype(int), lambda v: round(2.0 * v))
    guards = (AssertionError,) if numbers else (TypeError, ValueError, AssertionError)
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value, same = primal(*copy.deepcopy(floats)), primal(*copy.deepcopy(integers))
        except (ArithmeticError, NameError, TypeError, ValueError, StopIteration):
            return "dropped"
        n = len(numeric.flat(value))
        if n == 0 or not numeric.close(numeric.flat(same).astype(float), numeric.flat(value), 1e-12):
            return "dropped"  # the primal itself tells integers from floats
        seed = {keyword(derived, "out_bar"): numeric.unflat(value, np.linspace(0.3, 1.7, n))}
        want = numeric.flat(derived(*floats, **seed)[1])
        try:
            got = numeric.flat(derived(*integers, **seed)[1]).astype(float)
        except guards:
            return "raises"
        except Exception as error:
            raise Wrong(f"of whole numbers: {type(error).__name__}: {error}\n\n{program.source}\n{text}") from error
    if got.shape != want.shape or not np.allclose(got, want, rtol=1e-9, atol=1e-9, equal_nan=True):
        raise Wrong(f"of integers {got}, of the equal floats {want}\n\n{program.source}\n{text}")
    return "equal"


def keyword(function: Callable[..., Any], *wanted: str) -> str:
    """The keyword-only parameter of one of these names, or its form with underscores where that name was taken."""
    code = function.__code__
    names = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    found = [n for n in names if n.rstrip("_") in wanted]
    if not found:
        raise Wrong(f"no keyword {' or '.join(wanted)} in {names}")
    return found[0]


def agree(got: Any, want: Any, what: str, args: tuple[Any, ...] = ()) -> None:
    """Bit-identical values, whatever kind of scalar carries them.

    With an argument that is not in C order, a sum may be one in another order.
    """
    a, b = numeric.leaves(got), numeric.leaves(want)
    odd = any(isinstance(x, np.ndarray) and not x.flags.c_contiguous for x in numeric.leaves(args))

    def alike(p: Any, q: Any) -> bool:
        if np.shape(p) != np.shape(q):
            return False
        p, q = np.asarray(p, float), np.asarray(q, float)
        return p.tobytes() == q.tobytes() or (odd and np.allclose(p, q, rtol=1e-13, atol=1e-13))

    same = len(a) == len(b) and all(map(alike, a, b))
    if not same:
        raise Wrong(f"{what}: {got!r} where the primal gives {want!r}")


def pair(bar: Any, dot: Any, arg: Any, what: str) -> float:
    """The inner product of a cotangent with a direction; their shapes are those of the argument."""
    if isinstance(arg, dict):
        return sum((pair(bar[key], dot[key], arg[key], what) for key in bar), 0.0)
    if isinstance(arg, tuple | list) and isinstance(bar, tuple | list) and len(bar) == len(arg):
        unread = hasattr(arg, "_fields")  # the result may not depend on a field of an object: None
        parts = zip(bar, dot, arg, strict=True)
        return sum((pair(b, d, a, what) for b, d, a in parts if not (unread and b is None)), 0.0)
    if np.shape(bar) != np.shape(arg):
        raise Wrong(f"{what}: a cotangent of shape {np.shape(bar)} for an argument of shape {np.shape(arg)}")
    if isinstance(bar, np.ndarray) and bar.dtype.kind != "f":
        raise Wrong(f"{what}: a cotangent of dtype {bar.dtype}")
    return float(np.sum(np.asarray(bar) * np.asarray(dot)))


def apart(result: Any, others: Any, what: str) -> None:
    if numeric.shares_memory(result, others):
        raise Wrong(f"a {what} shares memory with an argument or a seed")


# ---------------------------------------------------------------- smaller programs with the same fault


class Endless(BaseException):
    """A program took too long: no handler of an `Exception` on the way may swallow it."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raises `Endless` where the block takes more time of the processor. Main thread only."""

    def stop(*_: Any) -> None:
        raise Endless

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)
        signal.signal(signal.SIGVTALRM, before)


def reduce(
    program: programs.Program, failing: Callable[[programs.Program], bool], rounds: int = 400
) -> programs.Program:
    """A smaller program that still fails: without some statements, blocks unwrapped, expressions cut down.

    A candidate that takes much longer than the program itself (a loop lost its `break`) does not count.
    """
    began = time.process_time()
    failing(program)
    longest = 1.0 + 3.0 * (time.process_time() - began)
    current, tried = program, 0
    changed = True
    while changed and tried < rounds:
        changed = False
        for candidate in _smaller(current.source):
            tried += 1
            if tried > rounds:
                break
            smaller = replace(current, source=candidate)
            try:
                with at_most(longest):
                    works = failing(smaller)
            except (Exception, Endless):
                works = False
            if works:
                current, changed = smaller, True
                break
    return current


def _comments(source: str) -> str:
    """The `# s2s:` line: it is lost by unparsing."""
    return "\n".join(line for line in source.splitlines() if line.startswith("# s2s:"))


def _smaller(source: str) -> list[str]:
    """Programs with one thing less, the smallest first."""
    found: set[str] = set()
    for k in range(len(_edits(ast.parse(source)))):
        tree = ast.parse(source)
        _edits(tree)[k]()
        text = _unparse(tree, source)
        if text is not None and text != source:
            found.add(text)
    return sorted(found, key=lambda text: (len(text), text))


def _unparse(tree: ast.Module, source: str) -> str | None:
    try:
        text = ast.unparse(ast.fix_missing_locations(tree))
        compile(text, "<smaller>", "exec")
    except (SyntaxError, ValueError):
        return None
    pragma = _comments(source)
    return (text.replace("def f(", f"{pragma}\ndef f(") if pragma else text) + "\n"


def _edits(tree: ast.Module) -> list[Callable[[], None]]:
    """What can be taken out of a program, each as a change of `tree` in place."""
    edits: list[Callable[[], None]] = []

    def put(block: list[ast.stmt], i: int, new: list[ast.stmt]) -> Callable[[], None]:
        def edit() -> None:
            block[i : i + 1] = new if new or len(block) > 1 else [ast.Pass()]

        return edit

    def without(items: list[ast.expr], i: int) -> Callable[[], None]:
        def edit() -> None:
            del items[i]

        return edit

    def become(node: ast.AST, other: ast.AST) -> Callable[[], None]:
        def edit() -> None:
            fields = dict(other.__dict__)
            node.__class__ = other.__class__  # type: ignore[assignment]
            node.__dict__.clear()
            node.__dict__.update(fields)

        return edit

    for node in ast.walk(tree):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if not isinstance(block, list):
                continue
            for i, inner in enumerate(block):
                edits.append(put(block, i, []))
                if isinstance(inner, ast.If | ast.For | ast.While):
                    edits.append(put(block, i, inner.body))
                    edits.append(put(block, i, inner.orelse))
                if isinstance(inner, ast.With | ast.Try):
                    edits.append(put(block, i, inner.body))
                if isinstance(inner, ast.Match):
                    edits += [put(block, i, case.body) for case in inner.cases]
        match node:
            case ast.BinOp():
                edits += [become(node, node.left), become(node, node.right)]
            case ast.Call():
                edits += [become(node, a) for a in node.args]
                if isinstance(node.func, ast.Attribute):
                    edits.append(become(node, node.func.value))
            case ast.IfExp():
                edits += [become(node, node.body), become(node, node.orelse)]
            case ast.UnaryOp():
                edits.append(become(node, node.operand))
            case ast.Subscript(ctx=ast.Load()) | ast.Attribute(ctx=ast.Load()):
                edits.append(become(node, node.value))
            case ast.AugAssign():
                edits.append(become(node, ast.Assign([node.target], node.value)))
            case ast.Assign(targets=[ast.Tuple() as left], value=ast.Tuple() as right) if len(left.elts) == 2:
                for a, b in zip(left.elts, right.elts, strict=False):
                    edits.append(become(node, ast.Assign([a], b)))
            case ast.Assign() if len(node.targets) > 1:
                edits += [become(node, ast.Assign([t], node.value)) for t in node.targets]
            case ast.List() | ast.Tuple() if len(node.elts) > 1 and isinstance(node.ctx, ast.Load):
                for i in range(len(node.elts)):
                    edits.append(without(node.elts, i))
            case ast.BoolOp():
                edits += [become(node, v) for v in node.values]
    return edits
