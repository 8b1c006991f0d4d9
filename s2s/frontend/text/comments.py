"""Comments of each statement, from the concrete syntax tree: Python's own tree does not keep them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

import libcst as cst

from s2s.frontend.text.pragma import COMMENT, CONSTANT, NUMERIC
from s2s.frontend.text.source import NOTHING, Note, escape
from s2s.frozen import replace


def notes(function: ast.FunctionDef | ast.AsyncFunctionDef, tree: cst.FunctionDef) -> dict[int, Note]:
    """The note of each statement inside the function, by the identity of its ast node."""
    found: dict[int, Note] = {}
    written = [s for s in function.body if not getattr(s, "made", False)]
    pair(tree.body, written, found, ())
    return found


def pair(body: cst.BaseSuite, statements: Sequence[ast.stmt], found: dict[int, Note], first: tuple[str, ...]) -> None:
    """Walks the two trees side by side; both have the same statements in the same order."""
    if isinstance(body, cst.SimpleStatementSuite):
        above(statements[0], first, found)
        beside(statements[-1], body.trailing_whitespace.comment, found)
        return
    position = 0
    for line in body.body:
        if isinstance(line, cst.SimpleStatementLine):
            group = statements[position : position + len(line.body)]
            position += len(line.body)
            above(group[0], (*first, *comment_lines(line.leading_lines)), found)
            beside(group[-1], line.trailing_whitespace.comment, found)
        else:
            s = statements[position]
            position += 1
            above(s, (*first, *comment_lines(getattr(line, "leading_lines", ()))), found)
            compound(line, s, found)
        first = ()


def compound(line: cst.CSTNode, s: ast.stmt, found: dict[int, Note]) -> None:
    match line, s:
        case (cst.With(body=body), ast.With(body=statements)) | (
            cst.FunctionDef(body=body),
            ast.FunctionDef(body=statements),
        ):
            beside(s, header_comment(body), found)
            pair(body, statements, found, ())
        case cst.Try(), ast.Try():
            pair(line.body, s.body, found, ())
            for handler, h in zip(line.handlers, s.handlers, strict=True):
                pair(handler.body, h.body, found, ())
            for part, statements in ((line.orelse, s.orelse), (line.finalbody, s.finalbody)):
                if part is not None:
                    pair(part.body, statements, found, ())
        case cst.Match(), ast.Match():
            for c, case in zip(line.cases, s.cases, strict=True):
                pair(c.body, case.body, found, comment_lines(c.leading_lines))
    if not isinstance(line, cst.If | cst.For | cst.While) or not isinstance(s, ast.If | ast.For | ast.While):
        return
    beside(s, header_comment(line.body), found)
    pair(line.body, s.body, found, ())
    match line.orelse:
        case cst.If() as inner:
            above(s.orelse[0], comment_lines(inner.leading_lines), found)
            compound(inner, s.orelse[0], found)
        case cst.Else(leading_lines=lines, body=body):
            comment = header_comment(body)
            extra = (escape(comment.value),) if comment and not COMMENT.search(comment.value) else ()
            pair(body, s.orelse, found, (*comment_lines(lines), *extra))


def header_comment(body: cst.BaseSuite) -> cst.Comment | None:
    return body.header.comment if isinstance(body, cst.IndentedBlock) else None


def comment_lines(lines: Iterable[cst.EmptyLine]) -> tuple[str, ...]:
    """Comment lines and "" for blank ones, without `# s2s:` lines and blank lines at the start."""
    out: list[str] = []
    for line in lines:
        if line.comment is None:
            if not out or out[-1]:
                out.append("")
        elif not COMMENT.search(line.comment.value):
            out.append(escape(line.comment.value))
    return tuple(out)


def above(s: ast.stmt, lines: tuple[str, ...], found: dict[int, Note]) -> None:
    old = found.get(id(s), NOTHING)
    found[id(s)] = replace(old, above=(*lines, *old.above))


def beside(s: ast.stmt, comment: cst.Comment | None, found: dict[int, Note]) -> None:
    """The comment at the end of a statement's line; one that starts with `# s2s:` is for s2s."""
    if comment is None:
        return
    old, text = found.get(id(s), NOTHING), comment.value
    constant = CONSTANT.search(text) is not None
    numeric = NUMERIC.search(text) is not None
    rest = NUMERIC.sub("", CONSTANT.sub("", text)).strip()
    known = COMMENT.search(rest)
    unknown = known["text"].strip() if known else ""
    shown = rest[: known.start()].strip() if known else rest
    found[id(s)] = Note(old.above, escape(shown), constant, unknown, numeric)
