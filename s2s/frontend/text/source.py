"""The user's text: decoding, positions in characters, and statements quoted on one line."""

from __future__ import annotations

import ast
import copy
import io
import re
import tokenize
import warnings
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from s2s.errors import Diagnostic, S2SError, Span
from s2s.frontend.text.scopes import walk

MAX_BYTES = 2_000_000
MAX_LINES = 50_000

# Characters that a quoted statement must not carry into generated text: controls, bidi and zero-width marks, and
# everything that some reader takes for the end of a line (PEP 672).
UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
HIDDEN = re.compile("[\u061c\u200b-\u200f\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class Note:
    """The comments of a statement, `# s2s:` ones taken out."""

    above: tuple[str, ...] = ()
    beside: str = ""
    constant: bool = False
    unknown: str = ""  # a `# s2s:` comment that says nothing known
    numeric: bool = False  # what has no rule is differentiated by central differences


NOTHING = Note()


class Source:
    """A decoded file with Python's own idea of lines."""

    def __init__(self, text: str, filename: str) -> None:
        self.text = text
        self.filename = filename
        self.lines = text.split("\n")

    def column(self, line: int, offset: int) -> int:
        """ast counts UTF-8 bytes; people count characters."""
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        return offset if text.isascii() else len(text.encode()[:offset].decode(errors="replace"))

    def is_of(self, node: ast.AST) -> bool:
        """Whether a node stands in this file: the default of a field may stand in that of its class."""
        return getattr(node, "home", self.text) == self.text  # the same object, or another length, for the most part

    def span(self, node: ast.stmt | ast.expr | ast.arg | ast.keyword) -> Span:
        end_line, end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
        return Span(node.lineno, self.column(node.lineno, node.col_offset), end_line, self.column(end_line, end))

    def between(self, span: Span) -> str:
        """The text of a span, with its line ends."""
        if span.line == span.end_line:
            return self.lines[span.line - 1][span.column : span.end_column]
        inner = self.lines[span.line : span.end_line - 1]
        first, last = self.lines[span.line - 1][span.column :], self.lines[span.end_line - 1][: span.end_column]
        return "\n".join([first, *inner, last])

    def segment(self, node: ast.stmt | ast.expr | ast.arg | ast.keyword) -> str:
        """The text of a node; of one that the frontend has made, or that stands in another file, of what it says."""
        if getattr(node, "made", False) or not self.is_of(node):
            return ast.unparse(node)
        return self.between(self.span(node))

    def header(self, node: ast.stmt, body: list[ast.stmt]) -> Span:
        """The span of a compound statement up to its colon."""
        start = self.span(node)
        if not self.is_of(node):
            return start
        inner = self.span(body[0])
        text = self.between(Span(start.line, start.column, inner.line, inner.column))
        end = last_colon(text)
        lines = text[:end].split("\n")
        column = len(lines[-1]) + (start.column if len(lines) == 1 else 0)
        return Span(start.line, start.column, start.line + len(lines) - 1, column)


N = TypeVar("N", bound=ast.stmt | ast.expr | ast.keyword)


def made(node: N, like: ast.AST) -> N:
    """A node that the frontend has made: it stands where `like` stands, inside of the same texts that are written out,
    and has a text of its own."""
    ast.copy_location(node, like)
    node.made = True  # type: ignore[union-attr]
    for mark in ("inside", "home"):
        if hasattr(like, mark):
            setattr(node, mark, getattr(like, mark))
    return node


def expression(text: str, like: ast.AST) -> ast.expr:
    """The expression of a text, which the frontend has made."""
    e = ast.parse(text, mode="eval").body
    for n in walk(e):
        if isinstance(n, ast.expr):
            made(n, like)
    return e


def last_colon(text: str) -> int:
    """Where the header ends in `text`, which runs from a compound statement to its first inner statement."""
    if "#" not in text and ":" in text:
        return text.rindex(":") + 1  # behind the colon there are only spaces and comments
    depth, end, position = 0, len(text), 0
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.OP:
                depth += (token.string in "([{") - (token.string in ")]}")
                position = starts[token.start[0] - 1] + token.start[1]
                if token.string == ":" and depth == 0:
                    end = position + 1
    except (tokenize.TokenError, IndentationError):  # the text is cut off, so the tokeniser may complain at its end
        pass
    return end


def escape(text: str) -> str:
    """`text` without characters that could end a comment line or reorder it on the screen."""

    def code(found: re.Match[str]) -> str:
        c = found.group()
        short = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(c)
        return short or (f"\\x{ord(c):02x}" if ord(c) < 256 else f"\\u{ord(c):04x}")

    return UNSAFE.sub(code, text)


def one_line(text: str) -> str:
    """A statement or expression as a person would write it on one line: no comments, no trailing commas, escaped."""
    text = text.strip()
    if "\n" not in text and "#" not in text and "  " not in text and "\t" not in text:
        return escape(text)
    skipped = (tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    try:
        # In parentheses no line end is a token of its own, whatever the text is.
        tokens = [t for t in tokenize.generate_tokens(io.StringIO(f"({text}\n)").readline) if t.type not in skipped]
    except (tokenize.TokenError, IndentationError):
        return escape(" ".join(text.split()))
    tokens = tokens[1:-1]
    out: list[str] = []
    commas: list[list[int]] = []  # of each open bracket: is it a plain parenthesis, commas so far
    for i, t in enumerate(tokens):
        before = tokens[i - 1] if i else None
        if t.string in ")]}" and t.type == tokenize.OP:
            plain, count = commas.pop() if commas else [0, 2]
            across = before is not None and before.end[0] != t.start[0]
            if before is not None and before.string == "," and across and not (plain and count == 1):
                out.pop()
                if out and out[-1] == " ":
                    out.pop()
        if before is not None:
            if before.end[0] == t.start[0]:
                gap = before.end[1] != t.start[1]
            else:
                gap = before.string not in ("(", "[", "{", ".") and t.string not in (")", "]", "}", ",", ".")
            if gap:
                out.append(" ")
        if t.type == tokenize.OP:
            if t.string in "([{":
                called = before is not None and (before.type == tokenize.NAME or before.string in (")", "]"))
                commas.append([int(t.string == "(" and not called), 0])
            elif t.string == "," and commas:
                commas[-1][1] += 1
        out.append(t.string)
    return escape("".join(out).strip())


def refuse_file(
    code: str, message: str, filename: str, text: str = "", span: Span | None = None, *help: str
) -> S2SError:
    return S2SError(Diagnostic(code, message, span, help=help), filename, text)


def decode(data: str | bytes, filename: str) -> str:
    """The text of a file with `\\n` line ends and without a byte order mark.

    Raises S2SError: S102 not in its encoding, S103 a NUL character, S105 too large.
    """
    size = len(data)
    if size > MAX_BYTES:
        raise refuse_file("S105", f"the file is too large: {size} bytes, at most {MAX_BYTES} are read", filename)
    if isinstance(data, bytes):
        if b"\x00" in data:
            raise refuse_file(
                "S103",
                "the file holds a NUL byte: it is not Python source",
                filename,
                "",
                None,
                "save the file as UTF-8",
            )
        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
            text = data.decode(encoding)
        except (SyntaxError, UnicodeDecodeError, LookupError) as e:
            at = f" (byte {e.start})" if isinstance(e, UnicodeDecodeError) else ""
            reason = e.reason if isinstance(e, UnicodeDecodeError) else (getattr(e, "msg", "") or str(e))
            message = f"the file can't be decoded: {escape(reason)}{at}"
            raise refuse_file("S102", message, filename, "", None, "save the file as UTF-8") from None
    else:
        text = data
        if "\x00" in text:
            raise refuse_file(
                "S103",
                "the file holds a NUL character: it is not Python source",
                filename,
                "",
                None,
                "save the file as UTF-8",
            )
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if text.count("\n") > MAX_LINES:
        raise refuse_file("S105", f"the file is too long: at most {MAX_LINES} lines are read", filename)
    return text


MEND = "mend the line: Python can't read it"
SHALLOWER = "give parts of the expression names of their own"


PRIVATE = re.compile(r"\b__(?!\w*__\b)\w")


class PrivateNames(ast.NodeTransformer):
    """Names like `__k` in a class C, by what Python calls them: `_C__k`. What is generated stands outside the class."""

    def __init__(self) -> None:
        self.owner = ""

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        node.name = self.name(node.name)
        outer, self.owner = self.owner, node.name.lstrip("_")
        self.generic_visit(node)
        self.owner = outer
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if self.owner and not isinstance(node, ast.ClassDef):
            for field in ("id", "attr", "arg", "name", "asname", "rest"):
                value = getattr(node, field, None)
                if isinstance(value, str):
                    setattr(node, field, self.name(value))
            if isinstance(node, ast.Global | ast.Nonlocal):
                node.names = [self.name(n) for n in node.names]
        return super().generic_visit(node)

    def name(self, name: str) -> str:
        private = self.owner and name.startswith("__") and not name.endswith("__") and "." not in name
        return f"_{self.owner}{name}" if private else name


def parse_text(text: str, filename: str) -> ast.Module:
    """The syntax tree, or an S2SError with Python's own verdict.

    Raises S2SError: S101 a syntax error, S106 nested too deeply.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in the user's strings are between Python and the user
            tree = ast.parse(text, filename="<source>")
        tree = cast(ast.Module, PrivateNames().visit(tree)) if PRIVATE.search(text) else tree
        for n in walk(tree):
            n.home = text  # type: ignore[attr-defined]
        return tree
    except SyntaxError as e:
        message = escape(e.msg or "invalid syntax")
        if "nested" in message or "too complex" in message or ("indentation" in message and "many" in message):
            raise refuse_file(
                "S106", f"Python can't parse this file: {message}", filename, text, place(e, text), SHALLOWER
            ) from None
        raise refuse_file("S101", message, filename, text, place(e, text), MEND) from None
    except (RecursionError, MemoryError):
        raise refuse_file(
            "S106", "Python can't parse this file: an expression is nested too deeply", filename, text, None, SHALLOWER
        ) from None
    except ValueError as e:
        raise refuse_file("S101", escape(str(e)), filename, text, None, MEND) from None


def place(e: SyntaxError, text: str) -> Span | None:
    if not e.lineno or e.lineno < 1:
        return None
    lines = text.split("\n")
    line = min(e.lineno, len(lines))
    column = max(0, min((e.offset or 1) - 1, len(lines[line - 1])))
    end_line, end = e.end_lineno or line, (e.end_offset or 0) - 1
    if end_line < line or end_line > len(lines) or (end_line == line and end <= column):
        return Span(line, column, line, column + 1)
    return Span(line, column, end_line, max(0, end))


def put(up: ast.AST, old: ast.AST, new: ast.expr) -> None:
    """Another expression where one stands."""
    for field, value in ast.iter_fields(up):
        if value is old:
            setattr(up, field, new)
        elif isinstance(value, list):
            value[:] = [new if v is old else v for v in value]


class Substitute(ast.NodeTransformer):
    """Wherever a name is read or bound, an expression in its place."""

    def __init__(self, name: str, value: ast.expr) -> None:
        self.name, self.value = name, value

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.Name) and node.id == self.name:
            new = copy.deepcopy(self.value)
            for n in walk(new):
                if isinstance(n, ast.expr):
                    made(n, node)
            return new
        inside = isinstance(node, ast.expr) and any(isinstance(n, ast.Name) and n.id == self.name for n in walk(node))
        self.generic_visit(node)
        if inside:
            made(node, node)  # type: ignore[type-var]
        return node


def copied_body(body: Collection[ast.stmt], notes: dict[int, Note]) -> list[ast.stmt]:
    """Statements that may be changed, while the text that they come from stays as it is; `notes` are known of them."""
    out = [copy.deepcopy(s) for s in body]
    for s, new in zip(body, out, strict=True):
        for old, n in zip(walk(s), walk(new), strict=True):
            if id(old) in notes:
                notes[id(n)] = notes[id(old)]
    return out
