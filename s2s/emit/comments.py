"""The user's comments and paragraphs, in front of what the user's statements have become.

What comes of one statement shares its origin, which holds the comment lines above it and the comment at its end. They
are written once, in the forward sweep: the reverse sweep has marks. What nobody needs has gone, and its comments too.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterable

from s2s import ir
from s2s.emit.format import WIDTH
from s2s.frozen import replace
from s2s.ir import FORWARD, MARK, NUMERIC, REVERSE

CONSTANT = "# s2s: constant"  # kept where it holds: for readers, and for what is differentiated again
BESIDE = "#\x00"  # in front of a comment that stands at the end of the line before it
# comments for other tools hold for the user's line, not for what has become of it
TOOLS = re.compile(
    r"#\s*(noqa|type:|pragma:|pylint:|fmt:|yapf:|isort:|ruff:|mypy:|pyright:|nosec|NOSONAR|!|-\*-)", re.I
)


def commented(block: ir.Block) -> ir.Block:
    """The block with the user's comments."""
    return _commented(block, set())


def _commented(block: ir.Block, seen: set[int]) -> ir.Block:
    out: list[ir.Stmt] = []
    left = Counter(id(s.origin) for s in _forward(block) if s.origin is not None)
    for i, s in enumerate(block):
        if _begins_reverse(s):
            return (*out, *block[i:])
        origin = None if isinstance(s, ir.Comment) else s.origin
        compound = isinstance(s, ir.If | ir.For | ir.While)
        if origin is not None:
            if id(origin) not in seen:
                _above(out, _of_the_user([*origin.above, *filter(None, [origin.beside] * compound)]))
            seen.add(id(origin))
        match s:
            case ir.If():
                s = replace(s, body=_commented(s.body, seen), orelse=_orelse(s.orelse, seen))
            case ir.For() | ir.While():
                s = replace(s, body=_commented(s.body, seen))
        out.append(s)
        if origin is not None and not compound:
            left[id(origin)] -= 1
            if not left[id(origin)]:
                out += [ir.Comment((BESIDE + line,)) for line in _of_the_user([origin.beside]) if line]
        if origin is not None and origin.held and getattr(s, "constant", False):
            out.append(ir.Comment((BESIDE + CONSTANT,)))
    return tuple(out)


def _above(out: list[ir.Stmt], lines: list[str]) -> None:
    """Comment lines above what comes next and what has been written for it: tangents, saves, parts with a name."""
    i = len(out)
    while i and _is_part(out[i - 1]):
        i -= 1
    if not i or (isinstance(before := out[i - 1], ir.Comment) and not before.lines[-1].startswith(BESIDE)):
        while lines and not lines[0]:
            del lines[0]
    if lines:
        out.insert(i, ir.Comment(tuple(lines)))


def _is_part(s: ir.Stmt) -> bool:
    match s:
        case ir.Assign(target=name, value=ir.Op(args=(ir.Var(name=copied),))) if copied == name:
            return False  # an argument's own copy
        case ir.Assign() | ir.Unpack() | ir.Append() | ir.Store():
            return s.origin is None
    return False


def _orelse(block: ir.Block, seen: set[int]) -> ir.Block:
    """The other branch; what stands above an `elif` goes into its block."""
    match block:
        case (ir.If(origin=origin) as s,):
            lines = tuple(filter(None, _of_the_user([*origin.above, origin.beside]))) if origin is not None else ()
            first = (ir.Comment(lines),) if lines and id(origin) not in seen else ()
            seen.add(id(origin))
            return (replace(s, body=(*first, *_commented(s.body, seen)), orelse=_orelse(s.orelse, seen)),)
    return _commented(block, seen)


def _forward(block: ir.Block) -> Iterable[ir.Stmt]:
    for s in block:
        if _begins_reverse(s):
            return
        yield s


def _begins_reverse(s: ir.Stmt) -> bool:
    return isinstance(s, ir.Comment) and any(line == REVERSE or line.startswith(MARK) for line in s.lines)


def _of_the_user(lines: Iterable[str]) -> list[str]:
    """The lines without titles and marks, which the derivative has of its own, and without what speaks to tools."""
    return [
        line
        for line in lines
        if line not in (FORWARD, REVERSE, NUMERIC) and not line.startswith(MARK) and not TOOLS.match(line)
    ]


def placed(text: str) -> str:
    """The text with comments at the ends of the lines where they fit, else above them; long ones are wrapped."""
    out: list[str] = []
    for line in text.split("\n"):
        start = len(line) - len(line.lstrip())
        if line.startswith(BESIDE, start):
            comment = line[start + len(BESIDE) :]
            if out and (comment == CONSTANT or len(out[-1]) + 2 + len(comment) <= WIDTH):
                out[-1] += f"  {comment}"
            else:
                out[-1:-1] = _wrapped(comment, start)
        elif line.startswith("# ", start) and not line.startswith(MARK, start) and len(line) > WIDTH:
            out += _wrapped(line[start:], start)
        else:
            out.append(line)
    return "\n".join(out)


def _wrapped(comment: str, start: int) -> list[str]:
    pad = " " * start
    if start + len(comment) <= WIDTH or not comment.startswith("# "):
        return [pad + comment]
    width = max(WIDTH - start - 2, 30)
    lines = textwrap.wrap(comment[2:], width, break_long_words=False, break_on_hyphens=False)
    return [f"{pad}# {line}" for line in lines]
