"""What the README and the pages of docs/ quote is real: files as they are, commands with the output that they give.

A code block after `<!-- file: PATH -->` is that file; one after `<!-- run: s2s ... -->` is what the command prints.
`python tests/test_docs.py` writes the blocks anew.
"""

from __future__ import annotations

import ast
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MANUAL = sorted((ROOT / "s2s" / "pages").glob("[a-z]*.md"))  # of which `make docs` makes pages of docs/
PAGES = [
    ROOT / "README.md",
    *(p for p in sorted((ROOT / "docs").glob("*.md")) if p.stem.replace("_", "-") not in {m.stem for m in MANUAL}),
    *MANUAL,
]
BLOCK = re.compile(r"(<!-- (file|run): (.*?) -->\n```\w*\n)(.*?)(^```$)", re.S | re.M)
ROUNDING = re.compile(r"\b\de-\d\d\b")  # errors that `s2s verify` prints differ from machine to machine
LINK = re.compile(r"\]\(([^)#:]+)\)")


def produced(kind: str, what: str) -> str:
    """The text that a block stands for."""
    if kind == "file":
        return (ROOT / what).read_text()
    program, *arguments = shlex.split(what)
    assert program == "s2s", what
    run = subprocess.run([sys.executable, "-m", "s2s", *arguments], capture_output=True, text=True, cwd=ROOT)
    return run.stdout + run.stderr


def quoted(page: Path) -> Iterator[tuple[str, str, str]]:
    for found in BLOCK.finditer(page.read_text()):
        yield found[2], found[3], found[4]


CASES = [(page, *block) for page in PAGES for block in quoted(page)]


@pytest.mark.parametrize(("page", "kind", "what", "text"), CASES, ids=lambda v: v.name if isinstance(v, Path) else "")
def test_quoted_text_is_real(page: Path, kind: str, what: str, text: str) -> None:
    same = ROUNDING.sub("", produced(kind, what)) == ROUNDING.sub("", text)
    assert same, f"{page.name}: {what}; python tests/test_docs.py writes it anew"


@pytest.mark.parametrize(("page", "kind", "what", "text"), CASES, ids=lambda v: v.name if isinstance(v, Path) else "")
def test_quoted_text_is_there_and_reads_as_python(page: Path, kind: str, what: str, text: str) -> None:
    assert text.strip(), f"{page.name}: {what} prints nothing"
    if kind == "file" or "--show" in what:
        ast.parse(text)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text()):
        assert (page.parent / target).exists(), target


def test_readme_shows_an_input_and_its_output() -> None:
    assert [what for _, what, _ in quoted(ROOT / "README.md")][:2] == [
        "generated_examples/goldens/newton.py",
        "generated_examples/goldens/newton_grad.py",
    ]


def test_targets_that_the_readme_names_are_in_the_makefile() -> None:
    targets = set(re.findall(r"^(\w[\w-]*):", (ROOT / "Makefile").read_text(), re.M))
    assert set(re.findall(r"\bmake (\w+)", (ROOT / "README.md").read_text())) <= targets


if __name__ == "__main__":
    for page in PAGES:
        old = page.read_text()
        new = BLOCK.sub(lambda found: found[1] + produced(found[2], found[3]) + found[5], old)
        if new != old:
            page.write_text(new)
            print(f"{page.relative_to(ROOT)} written")
