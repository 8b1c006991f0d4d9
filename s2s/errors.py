"""Positions and diagnostics. Every refusal of s2s is a `Diagnostic`; an `S2SError` carries all those of a run.

Codes are stable and documented in `docs/errors.md`: S1 reading, S2 construct refused, S3 derivative missing,
S4 request, S5 stale or failed verification, S9 a bug in s2s.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Where in the user's file: lines from 1, columns from 0 in characters, the end excluded."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem: a stable code, a sentence, the place, a label at the caret and ways out."""

    code: str
    message: str
    span: Span | None = None
    label: str = ""
    help: tuple[str, ...] = ()
    severity: str = "error"
    file: tuple[str, str] | None = None  # name and text of the file that it points into, where it is another one

    def render(self, path: str, source: str) -> str:
        """The diagnostic with the line before and after, as ruff and rustc show theirs."""
        path, source = self.file or (path, source)
        head = f"{self.severity}[{self.code}]: {self.message}"
        if self.span is None:
            return "\n".join([head, *([f" --> {path}"] if path else []), *(f"  = help: {h}" for h in self.help)])
        lines, s = source.splitlines(), self.span
        first, last = max(1, s.line - 1), max(1, min(len(lines), s.line + 1))
        gutter = len(str(last))
        pad = " " * gutter
        out = [head, f"{pad}--> {path}:{s.line}:{s.column + 1}", f"{pad} |"]
        for n in range(first, last + 1):
            text = lines[n - 1] if n <= len(lines) else ""
            out.append(f"{n:>{gutter}} | {text}".rstrip())
            if n == s.line:
                end = s.end_column if s.end_line == s.line else len(text)
                out.append(f"{pad} | {' ' * s.column}{'^' * max(1, end - s.column)} {self.label}".rstrip())
        out.append(f"{pad} |")
        return "\n".join(out + [f"{pad} = help: {h}" for h in self.help]).rstrip()


class S2SError(Exception):
    """All diagnostics of one run. `str()` renders them; `filename` and `source` give them their context."""

    def __init__(self, diagnostics: list[Diagnostic] | Diagnostic, filename: str = "", source: str = "") -> None:
        self.diagnostics = [diagnostics] if isinstance(diagnostics, Diagnostic) else list(diagnostics)
        self.filename = filename
        self.source = source
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        return "\n\n".join(d.render(self.filename, self.source) for d in self.diagnostics)
