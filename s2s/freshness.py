"""`s2s check`: is each written file what s2s would write now?

The request is rebuilt from the header of the written file, the text is generated in memory and compared. A finding
names the file, says why it is not fresh and gives the command that mends it.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from s2s import __version__, files, pipeline
from s2s.emit import header
from s2s.errors import S2SError
from s2s.files import State


@dataclass(frozen=True, slots=True)
class Pair:
    """A primal and the file with its derivatives. `named`: the user named one of them, not a folder around them."""

    primal: Path
    written: files.Written
    named: bool = True


@dataclass(frozen=True, slots=True)
class Finding:
    """A written file that is not fresh: its code, a short reason, the command that mends it.

    `refusal` holds the diagnostics where the primal can't be differentiated any more.
    """

    path: Path
    code: str
    why: str
    mend: str
    refusal: S2SError | None = None
    before: str = field(default="", repr=False)
    after: str = field(default="", repr=False)


def request_of(
    options: header.Options,
    filename: str,
    package: bool = False,
    folder: Path | None = None,
    rules: files.Rules | None = None,
) -> pipeline.Request:
    """`folder` is that of the source: other modules are looked for from there."""
    return pipeline.Request(
        filename=filename,
        package=package,
        functions=options.functions,
        wrt=options.wrt,
        of=options.of,
        emit=options.emit,
        shapes=options.shapes,
        callees=options.callees,
        standalone=options.standalone,
        rules=rules.text if rules else "",
        rules_name=rules.name if rules else "",
        read=files.reader(folder or Path.cwd()),
    )


def in_package(primal: Path | None, output: Path | None) -> bool:
    """True where the output stands beside its source in a package, so that it imports from it relatively."""
    if primal is None or not (primal.parent / "__init__.py").is_file():
        return False
    return output is None or files.same_file(primal.parent, output.parent)


def opted_in(text: str) -> bool:
    """True where a function of the module opts in: a `# s2s:` comment above its `def` or at the end of that line."""
    if "# s2s:" not in text:
        return False
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    lines = re.split(r"\r\n|\r|\n", text)
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef):
            continue
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)]) - 1
        heads = lines[node.lineno - 1 : node.body[0].lineno]
        while first > 0 and lines[first - 1].startswith("#"):
            first -= 1
            heads.append(lines[first])
        if any(re.search(r"#\s*s2s:(?!\s*(constant\b|format=))", line) for line in heads):
            return True
    return False


def pairs(paths: Iterable[Path], output: Path | None = None) -> Iterator[Pair]:
    """The pairs that the paths name: a primal, a written file, or every pair in a folder. Raises FileProblem."""
    for path in paths:
        if not path.is_dir():
            yield _pair(path, output)
            continue
        for file in files.python_files(path):
            found = files.inspect(file)
            if found.header is not None:
                yield Pair(file.with_name(found.header.filename), found, named=False)
            elif opted_in(found.text) and files.inspect(files.derivative_path(file)).header is None:
                yield Pair(file, files.inspect(files.derivative_path(file)), named=False)


def _pair(path: Path, output: Path | None) -> Pair:
    if output is not None:
        return Pair(path, files.inspect(output))
    found = files.inspect(path)
    beside = files.inspect(files.derivative_path(path))
    # a written file is itself a primal where its own derivatives have been written
    if found.header is not None and beside.header is None:
        return Pair(path.with_name(found.header.filename), found)
    if found.state is State.ABSENT and not path.exists():
        raise files.FileProblem(f"can't read {path}: no such file")
    return Pair(path, beside)


def check(pair: Pair, *, fast: bool = False, rules: files.Rules | None = None) -> Finding | None:
    """The finding for one pair, None where it is fresh. With `fast` only hashes are compared: nothing is generated.

    rules: for the files that were written with rules; without it these are not checked, since a header is no reason to
    execute anything.
    """
    written, primal = pair.written, pair.primal
    if written.header is None:
        return _not_ours(pair)
    options = written.header.options
    if not options.rules:
        rules = None
    elif rules is None:
        name = options.rules.partition("@")[0]
        mend = f"s2s check {written.path} --rules {name}"
        return Finding(written.path, "S506", f"written with the rules of {name}, which are not given", mend)
    mend = options.command(str(primal), _output(pair), rules.path if rules else "")
    if fast and rules is not None and not options.rules.endswith("@" + header.digest(rules.text)):
        return Finding(written.path, "S502", f"stale: {rules.name} has changed since", mend)
    if not primal.is_file():
        why = f"its source {primal} is gone"
        mend = f"s2s check PATH/{primal.name} -o {written.path}    (where it is elsewhere; else remove {written.path})"
        return Finding(written.path, "S505", why, mend)
    text = files.decode(files.read_bytes(primal), str(primal))
    request = request_of(options, primal.name, in_package(primal, written.path), primal.parent, rules)
    try:
        if fast:
            fresh = header.digest(pipeline.source_slice(text, request)) == written.header.source
            after = written.text if fresh else ""
        else:
            after = pipeline.differentiate(text, request)
    except S2SError as e:
        refusal = S2SError(e.diagnostics, str(primal), text)
        why = f"{primal.name} has changed and can't be differentiated any more"
        return Finding(written.path, "S502", why, mend, refusal)
    return _compare(pair, after, mend)


def _output(pair: Pair) -> tuple[str, ...]:
    usual = files.derivative_path(pair.primal)
    return () if files.same_file(usual, pair.written.path) else ("-o", str(pair.written.path))


def _not_ours(pair: Pair) -> Finding:
    path, mend = pair.written.path, header.Options().command(str(pair.primal), _output(pair))
    if pair.written.state is State.ABSENT:
        return Finding(path, "S501", "missing", mend)
    return Finding(path, "S504", "not written by s2s", mend + " --force")


def _compare(pair: Pair, after: str, mend: str) -> Finding | None:
    written, old, new = pair.written, pair.written.header, header.read(after)
    assert old is not None
    changed = new is None or old.source != new.source
    ruled = new is not None and old.options.rules.partition("@")[2] != new.options.rules.partition("@")[2]
    if written.state is State.EDITED:
        why = "edited by hand" + (f", and {pair.primal.name} has changed since" if changed else "")
        return Finding(written.path, "S503", why, mend + " --force", None, written.text, after)
    if new is not None and not changed and not ruled and (old.body == new.body or same_but_layout(written.text, after)):
        return None
    if changed:
        why = f"{pair.primal.name} has changed since"
    elif ruled:
        why = f"{old.options.rules.partition('@')[0]} has changed since"
    elif old.by != __version__:
        why = f"written by s2s {old.by}; this is {__version__}, which writes it differently"
    else:
        why = "s2s writes it differently in this environment"
    return Finding(written.path, "S502", "stale: " + why, mend, None, written.text, after)


def same_but_layout(a: str, b: str) -> bool:
    """True where two texts are the same program with the same comments below the header: only the layout differs."""
    try:
        return ast.dump(ast.parse(a)) == ast.dump(ast.parse(b)) and _comments(a) == _comments(b)
    except (SyntaxError, ValueError):
        return False


def _comments(text: str) -> list[str]:
    body = text.split("\n", 2)[-1]
    return [t.string for t in tokenize.generate_tokens(io.StringIO(body).readline) if t.type == tokenize.COMMENT]
