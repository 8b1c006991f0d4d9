"""What s2s refuses, in full: tests/refused/ holds programs, the text that `s2s grad` prints, and rewrites that work.

NAME.py is a program as a user writes it. NAME.txt is the command and all that it prints. NAME_rewritten.py is the
program as the help suggests; its last line is the command that verifies it, with the point. NAME_rules.py is a file of
rules.
`python tests/test_refused.py` writes the texts anew.
"""

from __future__ import annotations

import inspect
import os
import re
import shlex
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import checking
import numeric
import programs
from s2s import cli
from s2s.pipeline import Request, differentiate

FOLDER = Path(__file__).resolve().parent / "refused"
PAGES = Path(__file__).resolve().parent.parent / "s2s" / "pages"
CASES = sorted(p.stem for p in FOLDER.glob("*.txt"))

EXEMPT = {
    "S105": "a file of more than 2 MB: made in test_frontend.py",
    "S108": "a limit of libcst: no program that Python reads is known to exceed it",
    "S109": "a warning, not a refusal",
    "S222": "a text of thousands of parentheses: see test_emit.py",
    "S421": "about a file written before: see test_cli.py",
    "S422": "about `s2s verify --at`: see test_verify.py",
    "S430": "about function objects, from the Python interface: see test_api.py",
    "S431": "about function objects, from the Python interface: see test_api.py",
}


def command(name: str) -> str:
    """The command of a case, without the file that is written."""
    path = FOLDER / f"{name}.txt"
    return path.read_text().partition("\n")[0].removeprefix("$ ") if path.exists() else f"s2s grad {name}.py"


def printed(name: str, folder: Path) -> str:
    """What the command of a case prints in an empty folder."""
    for path in FOLDER.glob(f"{name}*.py"):
        shutil.copy(path, folder / path.name)
    before = Path.cwd()
    os.chdir(folder)
    try:
        result = CliRunner().invoke(cli.main, shlex.split(command(name))[1:], prog_name="s2s")
    finally:
        os.chdir(before)
    return f"$ {command(name)}\n{(result.stdout + result.stderr).rstrip()}\n"


@pytest.mark.parametrize("name", CASES)
def test_the_diagnostic_reads_as_written_down(name: str, tmp_path: Path) -> None:
    assert printed(name, tmp_path) == (FOLDER / f"{name}.txt").read_text(), (
        "python tests/test_refused.py writes it anew"
    )


@pytest.mark.parametrize("name", CASES)
def test_it_says_what_and_where_and_a_way_out(name: str) -> None:
    text = (FOLDER / f"{name}.txt").read_text()
    code = name.partition("_")[0]
    assert re.search(rf"^error\[{code}\]", text, re.M), "its own code is not among them"
    for diagnostic in text.split("\n\n"):
        assert "= help: " in diagnostic, "no way out"
    path = FOLDER / f"{name}.py"
    try:
        lines = path.read_text().splitlines()
    except UnicodeDecodeError:
        return
    for line, quoted, carets in re.findall(rf"--> {name}\.py:(\d+):.*?\n(?:.*\n)*? *\1 \| (.*)\n +\| ( *\^+)", text):
        assert lines[int(line) - 1] == quoted
        under = quoted[len(carets) - len(carets.lstrip()) : len(carets)]
        assert under == under.strip() and (under or len(carets) == len(quoted) + 1), f"the carets stand under {under!r}"


def rewritten(name: str) -> tuple[str, list[str]]:
    """The program that works, and the words of its last line: the command that verifies it."""
    text = (FOLDER / f"{name}_rewritten.py").read_text()
    *_, last = text.splitlines()
    assert last.startswith(f"# s2s verify {name}_rewritten.py::"), last
    return text, shlex.split(last[2:])


@pytest.mark.parametrize("name", CASES)
def test_the_rewrite_is_right(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text, words = rewritten(name)
    options = dict(zip(words[3::2], words[4::2], strict=True))
    function = words[2].partition("::")[2]
    scope: dict[str, Any] = checking.evaluate(text, f"{name}_rewritten.py")
    at = eval(f"dict({options.pop('--at')})", {"np": np, **scope})
    parameters = inspect.signature(scope[function]).parameters
    args = tuple(at.get(p, parameters[p].default) for p in parameters)
    assert at.keys() <= parameters.keys() and not any(a is inspect.Parameter.empty for a in args)
    wrt = tuple(options.pop("--wrt").split(",")) if "--wrt" in options else tuple(p for p in at if real(at[p]))
    of = tuple(options.pop("--of").split(",")) if "--of" in options else ()
    rules = (FOLDER / options.pop("--rules")).read_text() if "--rules" in options else ""
    assert not options, options
    program = programs.Program(text, args, wrt, tuple(parameters), False, of, name=function)

    def accepted(source: str, request: Request) -> str:
        return differentiate(source, replace(request, rules=rules, rules_name="rules.py"))

    (tmp_path / "model.py").write_text(text)  # derivatives import classes from it
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "model", raising=False)
    verdict = checking.check(program, ("vjp", "jvp"), margin=0.0, differentiate=accepted)
    sys.modules.pop("model", None)
    assert verdict.kind == "right", verdict


def real(value: Any) -> bool:
    """Is this an argument to differentiate in?"""
    leaves = numeric.leaves(value)
    return bool(leaves) and all(np.asarray(leaf).dtype.kind == "f" for leaf in leaves)


def test_every_code_has_a_case_or_a_reason() -> None:
    codes = {p.stem for p in PAGES.glob("S[1-4]*.md")}
    covered = {name.partition("_")[0] for name in CASES}
    assert codes - covered == EXEMPT.keys(), sorted((codes - covered) ^ EXEMPT.keys())


def test_every_file_belongs_to_a_case() -> None:
    known = {f"{name}{end}" for name in CASES for end in (".py", ".txt", "_rewritten.py", "_rules.py")}
    assert {p.name for p in FOLDER.iterdir() if p.is_file()} <= known


if __name__ == "__main__":
    import tempfile

    for path in sorted(FOLDER.glob("*.py")):
        name = path.stem
        if name.endswith(("_rewritten", "_rules")) or (sys.argv[1:] and not name.startswith(tuple(sys.argv[1:]))):
            continue
        with tempfile.TemporaryDirectory() as folder:
            new = printed(name, Path(folder))
        text = FOLDER / f"{name}.txt"
        if not text.exists() or text.read_text() != new:
            text.write_text(new)
            print(new)
