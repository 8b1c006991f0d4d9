"""Blank lines, titles, docstrings and marks of generated functions."""

from __future__ import annotations

import re
import textwrap

from s2s import ir
from s2s.emit.comments import commented, placed
from s2s.emit.format import WIDTH
from s2s.frozen import replace
from s2s.ir import FORWARD, MARK, REVERSE


def tidied(block: ir.Block, inner: bool = False) -> ir.Block:
    """The block without a blank line behind a header, and without the title of one sweep where there is no other."""
    out: list[ir.Stmt] = []
    alone = not any(isinstance(s, ir.Comment) and REVERSE in s.lines for s in block)
    for s in block:
        match s:
            case ir.Comment():
                lines = tuple(line for line in s.lines if line != FORWARD) if alone and inner else s.lines
                if inner and not out:
                    lines = without_blank(lines)
                elif not any(lines) and any(s.lines):  # there was a title, and nothing else
                    lines = ()
                if not lines:
                    continue
                s = replace(s, lines=lines)
            case ir.If():
                s = replace(s, body=tidied(s.body, True), orelse=tidied(s.orelse, True))
            case ir.For() | ir.While():
                s = replace(s, body=tidied(s.body, True))
        out.append(s)
    return tuple(out)


def without_blank(lines: tuple[str, ...]) -> tuple[str, ...]:
    while lines and not lines[0]:
        lines = lines[1:]
    return lines


def function_text(f: ir.Function, show: ir.Printer) -> str:
    """A function with its docstring, before black."""
    f = replace(f, params=tuple(replace(p, default=shown_default(p.default, show)) for p in f.params))
    head, _, body = ir.print_function(replace(f, body=tidied(commented(f.body))), show).partition("\n")
    return "\n".join([head, *docstring(f.docstring), cut_marks(placed(body))])


def shown_default(default: str, show: ir.Printer) -> str:
    """A default with the names that the output has for what it reads of another module."""
    names = frozenset(re.findall(r"@[\w.]+", default))
    return show.expr(ir.Raw(default, names))[0] if names else default


def docstring(text: str) -> list[str]:
    lines = [w for line in text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"').split("\n") for w in wrapped(line)]
    if len(lines) == 1 and len(lines[0]) <= WIDTH - 10:
        return [f'    """{lines[0]}"""']
    return [f'    """{lines[0]}', *(f"    {line}".rstrip() for line in lines[1:]), '    """']


def wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, WIDTH - 8) or [""] if len(line) > WIDTH - 8 else [line]


def cut_marks(text: str) -> str:
    """Marks that are too long for the line are cut."""
    out = []
    for line in text.split("\n"):
        start = len(line) - len(line.lstrip())
        width = max(WIDTH, start + 40)
        if line.startswith(MARK, start) and len(line) > width:
            line = line[: width - 4].rstrip() + " ..."
        out.append(line)
    return "\n".join(out)
