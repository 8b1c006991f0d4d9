"""What the grammars share whose programs are put together of snippets of text.

A place such as `<e>` in a snippet is filled with another one; what a program names is bound in front of it.
"""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from programs import Program

# What a program raises whose snippets do not go together.
UNFIT = (ArithmeticError, AttributeError, LookupError, NameError, RuntimeError, TypeError, ValueError)


@dataclass(frozen=True)
class Thing:
    """Something to work on: the statements of which one binds it, and the term of it that the result has."""

    name: str
    bound: tuple[str, ...]
    term: str = ""


def names_in(text: str) -> set[str]:
    """The names in a text, without those of attributes and those in strings."""
    return set(re.findall(r"(?<![\w.'\"])[A-Za-z_]\w*", text))


def filled(text: str, fill: Mapping[str, Callable[[], str]]) -> str:
    """A snippet with each place in it filled anew."""
    return re.sub(r"<([a-z])>", lambda place: fill[place[1]](), text)


def indented(text: str) -> str:
    return "\n".join("    " + line for line in text.split("\n"))


def needed(r: random.Random, things: Sequence[Thing], text: str) -> dict[Thing, str]:
    """The things that a text names, or that these are made of, in their order, each with what binds it."""
    found: dict[Thing, str] = {}
    for thing in reversed(things):
        if thing.name in names_in(text):
            found[thing] = r.choice(thing.bound)
            text = f"{found[thing]}\n{text}"
    return dict(reversed(found.items()))


def with_terms(r: random.Random, things: Sequence[Thing], own: str, work: Sequence[str], more: str = "") -> list[str]:
    """Statements behind what they name, and the result: the sum of its terms. own: what is bound in any case."""
    used = needed(r, things, "\n".join([own, *work]))
    terms = [thing.term for thing in used if thing.term]
    return [*used.values(), *work, f"return {' + '.join(terms)}{more}"]


def function(params: str, stated: str, statements: Sequence[str]) -> str:
    """The text of f; stated: the ranks that a comment tells, "" without it."""
    comment = [f"# s2s: {stated}"] if stated else []
    return "\n".join([f"def f({params}):", *map(indented, [*comment, *statements])]) + "\n"


def finished(source: str, args: tuple[Any, ...], params: tuple[str, ...]) -> Program | None:
    """The program of a module, None where it raises or gives no number; all but n are differentiated in."""
    found: dict[str, Any] = {}
    exec(compile(source, "<snippets>", "exec"), found)
    try:
        value = found["f"](*copy.deepcopy(args))
    except UNFIT:
        return None
    if np.ndim(value) != 0 or not isinstance(value, float | np.ndarray):  # an int depends on nothing
        return None
    return Program(source, args, tuple(p for p in params if p != "n"), params, scalar=True)
