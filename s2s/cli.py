"""The command line. Exit codes: 0 done; 1 a diagnostic (S1-S5); 2 wrong command line, file trouble, or a bug (S9).

Heavy modules are imported inside the commands: `--help` and `--version` load only click.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import re
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from s2s import __version__
from s2s.errors import Diagnostic, S2SError
from s2s.frozen import replace

if TYPE_CHECKING:
    from s2s.emit.header import Options
    from s2s.files import Rules, Written
    from s2s.freshness import Finding, Pair

EMIT = ("grad", "value_and_grad", "vjp", "jvp", "hvp", "jacobian", "hessian")
STAGES = ("cst", "anf", "facts", "adjoint", "optimised", "text", "all")
UNNAMED = "stdin.py"  # what comes from standard input is called, unless it is said


@dataclass(frozen=True, slots=True)
class Job:
    """One file to differentiate. `path` None: standard input; `output` None: standard output."""

    shown: str
    path: Path | None
    functions: tuple[str, ...]
    output: Path | None
    from_folder: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    job: Job
    text: str
    written: Written | None
    unranked: dict[str, tuple[str, ...]]


def run() -> None:
    """The console script: `main` in a process of its own.

    Trees make up most of what a run holds, up to its end. Looking through them for garbage takes a fifth of the time:
    at the imports and now and then. So does taking them apart when the interpreter ends: the process leaves at once.
    """
    gc.set_threshold(1_000_000)
    try:
        main(prog_name="s2s")
    except SystemExit as end:
        with contextlib.suppress(OSError):  # a closed pipe is reported by the interpreter
            sys.stdout.flush()
            sys.stderr.flush()
            if isinstance(end.code, int):
                os._exit(end.code)
        raise


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="s2s", message="%(prog)s %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """Derivatives of plain Python and NumPy, written as source code that a person can read."""
    # https://no-color.org: any value that is not empty
    if os.environ.get("NO_COLOR"):
        context.color = False
    elif os.environ.get("FORCE_COLOR"):
        context.color = True
    # user text may hold characters that the terminal's encoding lacks
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


# ---------------------------------------------------------------- errors


@contextlib.contextmanager
def guarded(shown: str, text: str = "") -> Iterator[None]:
    """Ends the command for what is wrong with the user's files; a bug of ours becomes S901, never a traceback."""
    from s2s.files import FileProblem

    try:
        yield
    except S2SError as e:
        report(e, shown, text)
        sys.exit(exit_code([e]))
    except FileProblem as e:
        fail(str(e))
    except (click.ClickException, click.Abort, click.exceptions.Exit):
        raise
    except BrokenPipeError:
        raise
    except Exception as e:
        report(bug(e), shown, text)
        sys.exit(2)


def bug(e: BaseException) -> S2SError:
    """S901 for an exception that no stage foresaw, with the place in s2s that raised it."""
    if os.environ.get("S2S_DEBUG"):
        traceback.print_exception(e)
    frames = [f for f in traceback.extract_tb(e.__traceback__) if os.sep + "s2s" + os.sep in f.filename]
    where = f" (in {Path(frames[-1].filename).name}, {frames[-1].name})" if frames else ""
    what = (str(e).splitlines() or [""])[0][:200]
    return S2SError(
        Diagnostic(
            "S901",
            f"a bug in s2s: {type(e).__name__}: {what}{where}",
            help=(
                "nothing was written; the function is likely to work once the unusual statement is written differently",
                "please report it with the file: `s2s explain S901` says how",
            ),
        )
    )


def exit_code(errors: list[S2SError]) -> int:
    return 2 if any(d.code.startswith("S9") for e in errors for d in e.diagnostics) else int(bool(errors))


def report(e: S2SError, shown: str, text: str) -> None:
    source = e.source or text
    click.echo("\n\n".join(paint(d.render(shown, source)) for d in e.diagnostics) + "\n", err=True)


def paint(text: str) -> str:
    head, _, rest = text.partition("\n")
    head = re.sub(r"^(\w+\[S\d+\])", lambda m: click.style(m[1], fg="red", bold=True), head)
    rest = re.sub(r"(?m)^( *\| *)(\^+.*)$", lambda m: m[1] + click.style(m[2], fg="red"), rest)
    return head + ("\n" + rest if rest else "")


def fail(message: str) -> NoReturn:
    click.echo(f"s2s: {message}", err=True)
    sys.exit(2)


# ---------------------------------------------------------------- targets


def configured_targets() -> tuple[str, ...]:
    """`targets` of `[tool.s2s]` in the nearest pyproject.toml that has the table; paths are relative to that file."""
    import tomllib

    for folder in (Path.cwd(), *Path.cwd().parents):
        path = folder / "pyproject.toml"
        if not path.is_file():
            continue
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8")).get("tool", {}).get("s2s")
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as e:
            fail(f"can't read {path.name}: {e}")
        if table is None:
            continue
        unknown = sorted(set(table) - {"targets"})
        targets = table.get("targets", [])
        if unknown or not isinstance(targets, list) or not all(isinstance(t, str) for t in targets):
            fail(f"[tool.s2s] in {path.name}: expected targets = [list of strings], found {', '.join(unknown)}")
        return tuple(os.path.relpath(folder / t) for t in targets)
    return ()


def split_target(target: str) -> tuple[str, tuple[str, ...]]:
    """`energy.py::f,g` -> ("energy.py", ("f", "g"))."""
    path, colons, names = target.rpartition("::")
    if not colons:
        return target, ()
    functions = tuple(dict.fromkeys(n.strip() for n in names.split(",") if n.strip()))
    if not functions:
        raise click.UsageError(f"{target}: no function after `::`")
    return path, functions


def jobs_of(targets: tuple[str, ...], output: str | None) -> list[Job]:
    """The files that the targets name, each once, functions joined. Raises UsageError, FileProblem."""
    from s2s import files
    from s2s.freshness import opted_in

    found: dict[str, Job] = {}
    for target in targets:
        name, functions = split_target(target)
        if name in ("-", "<stdin>"):
            to = Path(output) if output is not None and output != "-" else None
            if to is not None and to.is_dir():
                raise files.FileProblem(f"can't write {output}: it is a folder, and the input has no name")
            found["-"] = Job("<stdin>", None, functions, to)
            continue
        path = Path(name)
        if path.is_dir():
            if functions:
                raise click.UsageError(f"{target}: functions are named after a file, not after a folder")
            for file in files.python_files(path):
                written = files.inspect(file)
                if written.header is None and opted_in(written.text):
                    found.setdefault(str(file), Job(str(file), file, (), files.derivative_path(file), True))
            continue
        if not path.exists():
            raise files.FileProblem(f"can't read {name}: no such file")
        before = found.get(str(path))
        if before is not None and (not before.functions or not functions):
            functions = ()
        elif before is not None:
            functions = tuple(dict.fromkeys((*before.functions, *functions)))
        found[str(path)] = Job(str(path), path, functions, files.derivative_path(path))
    jobs = list(found.values())
    if output is not None and len(jobs) > 1:
        raise click.UsageError(f"-o takes one input; these are {len(jobs)}")
    if output == "-":
        jobs = [replace(job, output=None) for job in jobs]
    elif output is not None:
        to = Path(output)
        jobs = [
            replace(job, output=to / files.derivative_path(job.path).name if to.is_dir() and job.path else to)
            for job in jobs
        ]
    return jobs


def listed(text: str | None, option: str) -> tuple[str, ...] | None:
    if text is None:
        return None
    from s2s.frontend.text.pragma import split_names

    names = split_names(text)
    if not names:
        raise click.UsageError(f"{option}: expected names separated by commas")
    return names


def emitted(names: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """What to emit, in the fixed order; None leaves it to the functions' comments.

    Raises S2SError (S420) for a form that this version doesn't write.
    """
    if names is None:
        return None
    for name in names:
        if name not in EMIT:
            help_ = f"this version writes {', '.join(EMIT)}"
            raise S2SError(
                Diagnostic("S420", f"--emit: `{name}` is not a form of derivative that s2s writes", help=(help_,))
            )
    return tuple(name for name in EMIT if name in names)


# ---------------------------------------------------------------- grad

WITH = click.option(
    "--with",
    "callees",
    default="",
    metavar="X=F,...",
    help='Functions that parameters stand for: "act=np.tanh, rhs=pendulum|spring".',
)
RULES = click.option("--rules", metavar="FILE", help="Derivative rules of your own. FILE is executed.")


class _Grad(click.Command):
    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # `-::f` would be read as an option
        return super().parse_args(ctx, ["<stdin>" + a[1:] if a.startswith("-::") else a for a in args])


@main.command(cls=_Grad)
@click.argument("targets", nargs=-1, metavar="[FILE.py[::FUNC,...]]...")
@click.option("--wrt", metavar="X,Y", help="Differentiate with respect to these parameters.")
@click.option("--of", metavar="A,B", help="Array parameters whose final elements are results (then --emit vjp or jvp).")
@click.option("--emit", metavar="KIND,...", help=f"Any of {', '.join(EMIT)}. Default: grad.")
@click.option("--shapes", default="", metavar="SHAPES", help='Shapes of parameters: "w (d,), X (n, d)".')
@WITH
@click.option(
    "-o",
    "--output",
    metavar="PATH",
    help="Where to write: a file, a folder, or - for standard output. Default: FILE_grad.py.",
)
@RULES
@click.option("--standalone", is_flag=True, help="Refuse where the output would import the original module.")
@click.option("--force", is_flag=True, help="Replace a file that was edited by hand or is not ours.")
@click.option("--show", type=click.Choice(STAGES), help="Print a stage of the work instead of writing the file.")
@click.option("--stdin-filename", default=UNNAMED, metavar="NAME", help="The name of what comes from standard input.")
def grad(
    targets: tuple[str, ...],
    wrt: str | None,
    of: str | None,
    emit: str | None,
    shapes: str,
    callees: str,
    output: str | None,
    rules: str | None,
    standalone: bool,
    force: bool,
    show: str | None,
    stdin_filename: str,
) -> None:
    """Write the derivatives of FILE.py to FILE_grad.py.

    FILE.py::f,g names functions. Without it: the functions with a `# s2s:` comment, else every public function of the
    module. In a folder, only functions with such a comment. - reads standard input.
    """
    with guarded(targets[0] if targets else "s2s"):
        from s2s import files
        from s2s.emit.header import Options

        jobs = jobs_of(targets or configured_targets(), output)
        if not jobs:
            if targets:
                click.echo("nothing to do: no function there has a `# s2s:` comment")
                return
            raise click.UsageError("no FILE.py given, and no targets in [tool.s2s] of pyproject.toml")
        own = files.rules(rules) if rules is not None else None
        options = Options(
            (),
            listed(wrt, "--wrt"),
            emitted(listed(emit, "--emit")),
            shapes,
            standalone,
            listed(of, "--of"),
            callees=callees,
        )
        results: list[Result] = []
        errors: list[S2SError] = []
        for job in jobs:
            data = files.read_bytes(job.path) if job.path else sys.stdin.buffer.read()
            text = ""
            try:
                text = files.decode(data, job.shown)
                name = job.path.name if job.path else stdin_filename
                chosen = replace(options, functions=job.functions)
                done = differentiated(job, text, chosen, name, show, force, own)
                if done is not None:
                    results.append(done)
            except files.FileProblem:
                raise
            except Exception as e:
                errors.append(e if isinstance(e, S2SError) else bug(e))
                report(errors[-1], job.shown, text)
        if errors:
            if len(jobs) > len(errors) and show is None:
                click.echo("nothing was written", err=True)
            sys.exit(exit_code(errors))
        for result in results:
            save(result)


def differentiated(
    job: Job, text: str, options: Options, name: str, show: str | None, force: bool, rules: Rules | None
) -> Result | None:
    """The text for one job, and leave to write it. Raises S2SError where the written file must not be replaced."""
    from s2s import files, pipeline
    from s2s.freshness import in_package, request_of

    folder = job.path.parent if job.path is not None else None
    request = request_of(options, name, in_package(job.path, job.output), folder, rules)
    if show is not None:
        shown, refused = pipeline.show(text, request, show)
        if shown:
            click.echo(shown)
        if refused is not None:
            raise refused
        return None
    if job.output is not None and job.path is not None and files.same_file(job.path, job.output):
        raise files.FileProblem(f"won't write {job.output}: it is the input")
    module = pipeline.differentiate_module(text, request)
    after = module.text
    if job.path is None and name == UNNAMED and (found := re.search(r"^from stdin import (.+)$", after, re.MULTILINE)):
        raise S2SError(
            Diagnostic(
                "S406",
                f"the derivatives need {found[1]}: there is no module to import from, for the source is standard input",
                help=("say what it is called: `--stdin-filename model.py`", "hand it to the function as a parameter"),
            )
        )
    if job.output is None:
        return Result(job, after, None, module.unranked)
    written = files.inspect(job.output)
    if not force:
        refuse_to_lose(job, written, text, after, replace(options, rules=rules.path if rules else ""))
    return Result(job, after, written, module.unranked)


def save(result: Result) -> None:
    from s2s import files

    job, written = result.job, result.written
    if job.output is None or written is None:
        click.echo(result.text, nl=False)
        say_unranked(result.unranked)
        return
    if written.state is files.State.CLEAN and written.text.replace("\r\n", "\n") == result.text:
        click.echo(f"{job.output} is up to date")
        return
    lost = written.state in (files.State.EDITED, files.State.FOREIGN)
    files.write(job.output, result.text, keep_original=lost)
    kept = f"; what was there is now {job.output}.orig" if lost else ""
    click.echo(f"wrote {job.output}: {', '.join(derivatives(result.text))}{kept}")
    say_unranked(result.unranked)


def say_unranked(found: dict[str, tuple[str, ...]]) -> None:
    """What to state so that no code for unknown ranks is written."""
    for function, names in found.items():
        which = f"the rank of {names[0]} is" if len(names) == 1 else f"the ranks of {', '.join(names)} are"
        click.echo(
            f"note: {which} not known in {function}: stated above it, `# s2s: {names[0]} (n,)` of a vector, "
            f"`# s2s: {names[0]} ()` of a number, the derivative is shorter and faster; "
            f"a list of arrays is said to be one, `{names[0]}: list`",
            err=True,
        )


def refuse_to_lose(job: Job, written: Written, text: str, after: str, options: Options) -> None:
    """Raises S2SError where writing would lose an edit by hand, a file of the user's, or functions written before."""
    from s2s.files import State

    path = written.path
    help_: tuple[str, ...] = ()
    match written.state:
        case State.EDITED:
            message = f"{path} was edited by hand: it is not replaced"
            help_ = ("move the edit into the source, where it is differentiated too",)
            code = "S503"
        case State.FOREIGN:
            message, code = f"{path} was not written by s2s: it is not replaced", "S504"
        case State.CLEAN:
            lost = dropped(written.text, after, text)
            if not lost:
                return
            message = f"this run would drop {', '.join(lost)} from {path}"
            help_, code = (keep_both(job, written, text, after, options),), "S421"
        case _:
            return
    again = options.command(job.shown if job.path else "-", (*output_option(job), "--force"))
    help_ = (*help_, f"or replace it: {again}")
    raise S2SError(Diagnostic(code, message, help=help_), job.shown, text)


def output_option(job: Job) -> tuple[str, ...]:
    """`-o PATH` where the job does not write to the usual place."""
    usual = job.path.with_name(job.path.stem + "_grad.py") if job.path else None
    return () if job.output is None or job.output == usual else ("-o", str(job.output))


def public_functions(text: str) -> list[str]:
    import ast

    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError):
        return []
    return [s.name for s in body if isinstance(s, ast.FunctionDef) and not s.name.startswith("_")]


def derivatives(text: str) -> list[str]:
    """The derivatives among the functions of a written file; helpers may stand beside them."""
    return [name for name in public_functions(text) if name.endswith(tuple("_" + kind for kind in EMIT))]


def base_of(name: str, primals: list[str]) -> str:
    """The primal function that a generated one belongs to, "" where the primal has it no more."""
    for kind in sorted(EMIT, key=len, reverse=True):
        base = name.removesuffix("_" + kind)
        if base != name and base in primals:
            return base
    return ""


def kind_of(name: str) -> str:
    """ "grad" for `f_grad`, "value_and_grad" for `f_value_and_grad`."""
    return next(kind for kind in sorted(EMIT, key=len, reverse=True) if name.endswith("_" + kind))


def dropped(before: str, after: str, primal: str) -> list[str]:
    """Generated functions that the file has, that the new text lacks, and whose primal still exists."""
    stay, primals = public_functions(after), all_functions(primal)
    return [name for name in public_functions(before) if name not in stay and base_of(name, primals)]


def all_functions(text: str) -> list[str]:
    import ast

    return [s.name for s in ast.parse(text).body if isinstance(s, ast.FunctionDef)]


def keep_both(job: Job, written: Written, text: str, after: str, options: Options) -> str:
    """The help that names a command after which the file has the functions of before and those asked for now."""
    assert written.header is not None
    before, primals = written.header.options, all_functions(text)
    if before.wrt != options.wrt:
        return "keep both: give each function its own comment above its `def`, `# s2s: wrt=x`, and leave out --wrt"
    functions: tuple[str, ...] = ()
    if before.functions or options.functions:
        bases = {base_of(n, primals) for n in public_functions(written.text) + public_functions(after)}
        functions = tuple(p for p in primals if p in bases)
    shapes = ", ".join(dict.fromkeys(filter(None, (before.shapes, options.shapes))))
    emit = None
    if before.emit is not None or options.emit is not None:
        kinds = {kind_of(n) for n in derivatives(written.text) + derivatives(after)}
        emit = tuple(k for k in EMIT if k in kinds)
    callees = ", ".join(dict.fromkeys(filter(None, (before.callees, options.callees))))
    both = replace(options, functions=functions, emit=emit, shapes=shapes, callees=callees)
    return f"keep both: {both.command(job.shown if job.path else '-', output_option(job))}"


# ---------------------------------------------------------------- check


@main.command()
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--fast", is_flag=True, help="Compare the hashes of the headers only.")
@click.option("--diff", is_flag=True, help="Show what would change.")
@click.option("-o", "--output", metavar="PATH", help="The written file, where it is not beside its source.")
@RULES
def check(paths: tuple[str, ...], fast: bool, diff: bool, output: str | None, rules: str | None) -> None:
    """Tell whether written files are what s2s would write now.

    PATH is a source, a written file or a folder (default: this one). A file that is missing, stale or edited by hand
    is named with the command that mends it, and the exit code is 1.
    """
    with guarded(paths[0] if paths else "."):
        from s2s import files, freshness

        if output is not None and len(paths) != 1:
            raise click.UsageError("-o takes one PATH")
        own = files.rules(rules) if rules is not None else None
        found = list(freshness.pairs([Path(p) for p in paths or (".",)], Path(output) if output else None))
        findings: list[Finding] = []
        errors: list[S2SError] = []
        for pair in found:
            try:
                finding = freshness.check(pair, fast=fast, rules=own)
            except files.FileProblem:
                raise
            except Exception as e:
                errors.append(e if isinstance(e, S2SError) else bug(e))
                report(errors[-1], str(pair.primal), "")
                continue
            if finding is not None:
                findings.append(finding)
                tell(pair, finding, diff)
        fresh = len(found) - len(findings) - len(errors)
        if fresh or not found:
            click.echo(f"{fresh} written file{'s' * (fresh != 1)} up to date")
        sys.exit(max(exit_code(errors), int(bool(findings))))


def tell(pair: Pair, finding: Finding, diff: bool) -> None:
    click.echo(f"{finding.path}: {click.style(finding.code, fg='red', bold=True)} {finding.why}")
    if finding.refusal is not None:
        report(finding.refusal, str(pair.primal), finding.refusal.source)
    if diff and finding.after:
        click.echo(unified(str(finding.path), finding.before, finding.after), nl=False)
    click.echo(f"    {finding.mend}")


def unified(path: str, before: str, after: str) -> str:
    import difflib

    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    return "".join(difflib.unified_diff(old, new, f"a/{path}", f"b/{path}"))


# ---------------------------------------------------------------- verify, explain


@main.command()
@click.argument("target", metavar="FILE.py::FUNC")
@click.option("--at", multiple=True, metavar="POINT", help='A point: "x=np.linspace(0, 1, 5), k=2.0". May be repeated.')
@click.option("--wrt", metavar="X,Y", help="Differentiate with respect to these parameters.")
@click.option("--shapes", default="", metavar="SHAPES", help='Shapes of parameters: "w (d,), X (n, d)".')
@click.option("--seed", default=0, show_default=True, help="Of the random directions.")
@WITH
@RULES
def verify(
    target: str, at: tuple[str, ...], wrt: str | None, shapes: str, seed: int, callees: str, rules: str | None
) -> None:
    """Run a function and its derivatives, and compare them with finite differences.

    This runs the code of FILE.py. The other commands never do.
    """
    name, functions = split_target(target)
    text = ""
    with guarded(name):
        from s2s import files
        from s2s import verify as verification

        if not functions:
            raise click.UsageError("name the function: FILE.py::FUNC")
        path = Path(name)
        text = files.decode(files.read_bytes(path), name)
        own = files.rules(rules) if rules is not None else None
        failed: list[S2SError] = []
        for function in functions:
            try:
                outcome = verification.verify(
                    path, text, function, at, listed(wrt, "--wrt"), shapes, seed, own, callees
                )
            except S2SError as e:
                report(e, name, text)
                failed.append(e)
                continue
            click.echo(outcome.report)
            if outcome.diagnostics:
                failed.append(S2SError(list(outcome.diagnostics)))
                report(failed[-1], name, text)
        sys.exit(exit_code(failed))


@main.command("rules")
@click.argument("name", required=False)
@RULES
def table(name: str | None, rules: str | None) -> None:
    """List the functions that have a derivative rule, or show what is known of one: `s2s rules np.linalg.solve`.

    With --rules FILE, those of the file as well.
    """
    with guarded(rules or "s2s"):
        from s2s import files
        from s2s import rules as known
        from s2s.rules import published

        own = files.rules(rules) if rules is not None else None
        with known.using(own.text if own else "", own.name if own else ""):
            if name is None:
                click.echo("\n".join(published.listing()))
                return
            found = published.find(name)
            if not found:
                near = published.near(name)
                hint = f"; near names: {', '.join(near)}" if near else ""
                fail(f"the table has no function {name!r}{hint}. Its source is differentiated where s2s can read it")
            click.echo("\n\n".join("\n".join(published.lines_of(fn)) for fn in found))


@main.command()
@click.argument("page")
def explain(page: str) -> None:
    """Print the manual page of a diagnostic (S201), or of a topic (add-a-rule)."""
    pages = manual()
    text = pages.get(page) or pages.get(page.upper()) or pages.get(page.lower().removesuffix(".md"))
    if text is None:
        import difflib

        near = difflib.get_close_matches(page.upper(), pages, 3) or sorted(pages)
        fail(f"no page {page!r}; try {', '.join(near)}")
    text = re.sub(r"(?m)^<!-- .* -->\n", "", text)  # marks for the tests
    click.echo(text, nl=not text.endswith("\n"))


def manual() -> dict[str, str]:
    """The manual pages that ship with the package, by name."""
    from importlib.resources import files as resources

    folder = resources("s2s") / "pages"
    found = {p.name.removesuffix(".md"): p.read_text("utf-8") for p in folder.iterdir() if p.name.endswith(".md")}
    return dict(sorted(found.items()))
