"""The generated module: imports, constants, primal helpers, derivatives, and the few functions of s2s that they call.

What a module needs is found in its text: the derivatives are printed, and each name that they read and do not bind
brings the import, the constant or the function that binds it, and what that reads in turn.
"""

from __future__ import annotations

import ast
import functools
import itertools
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from s2s import helpers, ir
from s2s.emit.layout import function_text
from s2s.emit.names import BUILTINS, Names, bound, imported
from s2s.errors import Diagnostic, S2SError
from s2s.frontend.text.scopes import global_reads
from s2s.frozen import replace

COPIED_MODULES = ("numpy", "math")  # an import of these inside a function stands at the top of the output


@dataclass(frozen=True)
class Parts:
    """What a module is made of: derivatives of the selected functions in order, and those of helpers.

    primals: functions that the frontend has made, which some derivative calls.
    """

    functions: list[ir.Function]
    reverses: list[ir.Function] = field(default_factory=list)
    primals: list[ir.Function] = field(default_factory=list)


def render(
    module: Any,
    parts: Parts,
    format_: Callable[[str], str],
    standalone: bool = False,
    package: bool = False,
    also: Iterable[str] = (),
) -> str:
    """The text of the module below its header, formatted. Raises S2SError: S222, S406, S423.

    also: functions of the original module that the output has as well.
    """
    written = [n for n in module.functions if not module.is_made(n)]
    texts, found = derived_texts(module, parts, also, package)
    primals = [n for n in written if n in found.functions]
    twice = sorted({*primals, *found.constants, *found.others, *found.imported} & texts.keys())
    if twice:
        message = (
            f"the output would define `{twice[0]}` twice: it is the name of a derivative, and of something it reads"
        )
        raise S2SError(Diagnostic("S423", message, help=("rename the one in the source",)))
    if standalone and (needed := found.others | found.settings):
        message = f"the output would import {', '.join(sorted(needed))} from the original module"
        raise S2SError(Diagnostic("S406", message, help=("make it a parameter", "or leave out --standalone")))
    others = found.others | imported_from(module, found)
    head = [docstring(module.filename, sorted(others)), "", *import_lines(module, found, package)]
    constants = [module.constant(n) for n in module.constants if n in found.constants]
    if constants:
        head += ["", *constants]
    chunks = ["\n".join(head), *copies(module, primals, found.tables), *texts.values()]
    chunks += [found.inlined[n] for n in sorted(found.inlined)]
    return format_("\n\n\n".join(c.strip("\n") for c in chunks) + "\n")


def derived_texts(
    module: Any, parts: Parts, also: Iterable[str] = (), package: bool = False
) -> tuple[dict[str, str], Needed]:
    """The text of each function that is derived, by its name, and what these need."""
    derived = [without_imports(f, module.imports) for f in (*parts.primals, *parts.functions, *parts.reverses)]
    written = [n for n in module.functions if not module.is_made(n)]
    taken = {*written, *module.constants, *module.other_names}
    original = "." * package, stem(module.filename)
    # a name that is imported before another module binds it again there stands for what it was
    imports = {n: path for n, path in module.imports.items() if n not in module.names.changed}
    own = {n: module.slice(n) for n in written if n[0] == "_"}
    is_class = functools.cache(lambda path: module.names.find_class(path) is not None)
    show = Names(imports, bound(derived), taken, own, original, module.optional, is_class)
    texts = {f.name: function_text(f, show) for f in derived}
    unique(derived)
    every = (s for f in derived for s in ir.statements(f.body))
    if any(isinstance(s, ir.Inert) and s.keyword == "import" for s in every):
        also = {*also, *module.changed_imports}  # a module that is imported inside is as the file has left it
    return texts, Needed(module, show, {n: checked(n, text, module) for n, text in texts.items()}, also)


def addition(module: Any, parts: Parts) -> str:
    """The text that a module lacks to have some derivatives as functions of its own."""
    texts, found = derived_texts(module, parts)
    imports = "\n".join(sorted(found.added.values()))
    functions = [*texts.values(), *(text for n, text in sorted(found.inlined.items()) if n not in module.functions)]
    return "\n\n\n".join(c.strip("\n") for c in (imports, *functions) if c) + "\n"


def without_imports(f: ir.Function, imports: dict[str, str]) -> ir.Function:
    """The function without its own imports of NumPy and math, where their names mean the same at the top."""

    def top(text: str) -> bool:
        return all(p.partition(".")[0] in COPIED_MODULES and imports.get(n) == p for n, p in imported(text).items())

    def block(body: ir.Block) -> ir.Block:
        out: list[ir.Stmt] = []
        for s in body:
            match s:
                case ir.Inert(keyword="import", values=(ir.Raw(text=text),)) if top(text):
                    continue
                case ir.If():
                    s = replace(s, body=block(s.body), orelse=block(s.orelse))
                case ir.For() | ir.While():
                    s = replace(s, body=block(s.body))
            out.append(s)
        return tuple(out)

    return replace(f, body=block(f.body))


def unique(derived: list[ir.Function]) -> None:
    names = [f.name for f in derived]
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice is not None:
        message = f"the output would define `{twice}` twice: two functions have a derivative of that name"
        raise S2SError(Diagnostic("S423", message, help=("ask for one of them, or rename one in the source",)))


def checked(name: str, text: str, module: Any) -> frozenset[str]:
    """The names that a generated function reads. Raises S2SError (S222) where Python can't read the function."""
    try:
        return global_reads(text)
    except (SyntaxError, RecursionError, MemoryError) as e:
        reason = e.msg if isinstance(e, SyntaxError) else "too deep"
        if not re.search("too (many|deep)", reason):
            raise
        message = f"the derivative `{name}` nests too deeply for Python: {reason}"
        help_ = (
            "give parts of the expression names of their own",
            "put inner branches, loops and returns into functions",
        )
        primal = max((n for n in module.functions if name.lstrip("_").startswith(n.lstrip("_"))), key=len, default=None)
        span = module.source.span(module.names.functions[primal]) if primal else None
        raise S2SError(Diagnostic("S222", message, span, help=help_)) from None


class Needed:
    """What the generated functions read, and what that reads in turn."""

    def __init__(self, module: Any, show: Names, reads: Mapping[str, frozenset[str]], also: Iterable[str] = ()) -> None:
        self.functions: set[str] = set()  # primals
        self.constants: set[str] = set()
        self.tables: set[str] = set()  # of functions
        self.others: set[str] = set()  # to be imported from the original module
        self.imported: set[str] = set()
        self.added: dict[str, str] = {}  # imports that the original module does not have
        self.inlined: dict[str, str] = {}  # texts of functions of s2s
        self.settings = frozenset(show.settings)  # to be read of the original module when the output runs
        self.unknown: set[str] = set()
        copied = {show.helper(n): n for n in closed(show.inlined)}
        written = {n for n in module.functions if not module.is_made(n)}
        top = {*written, *module.constants, *module.other_names, *module.import_lines}
        todo = set(also)
        for own, names in reads.items():
            # a name that is the user's as well as a derivative's is the user's; but f_grad calls f_value_and_grad
            own_pair = own.removesuffix("_grad") + "_value_and_grad"
            todo |= {n for n in names if n not in reads or (n in top and n != own_pair)}
        done: set[str] = set()
        changed = module.changed_imports
        while todo:
            name = min(todo)
            todo.remove(name)
            done.add(name)
            text = ""
            if name in module.names.changed and name not in show.added and name not in module.handed:
                message = f"the output would import `{name}`, which functions of this module bind again"
                raise S2SError(Diagnostic("S210", message, help=("pass it as an argument",)))
            if name in show.added:
                self.added[name] = show.added[name]
            elif name in copied and not show.is_ours(name):
                text = self.inlined[name] = helper_text(copied[name], show)
            elif module.is_copied(name) and name not in module.handed and name not in changed:
                self.tables.add(name)
                text = module.tables[name]
            elif name in module.other_names or name in module.handed or name in changed:
                self.others.add(name)
            elif name in written:
                self.functions.add(name)
                text = module.copy(name)
            elif name in module.constants:
                self.constants.add(name)
                text = module.constants[name]
            elif name in module.import_lines:
                self.imported.add(name)
                text = module.import_lines[name]
            elif name not in BUILTINS:
                self.unknown.add(name)
            todo |= global_reads(text) - done
        near = {module.imports[n].partition(".")[0] for n in self.imported}
        self.others |= {n for n in changed if module.imports[n].partition(".")[0] in near}


def copies(module: Any, primals: list[str], tables: set[str]) -> list[str]:
    """The functions and tables of functions that the output has of the original module, in the order that they have
    there: a table names functions above it, and may be the default of one below."""
    lines = {n: module.names.functions[n].lineno for n in primals} | {n: module.names.values[n].lineno for n in tables}
    out: list[str] = []
    for is_table, names in itertools.groupby(sorted(lines, key=lines.__getitem__), tables.__contains__):
        texts = map(module.constant if is_table else module.copy, names)
        out += ["\n".join(texts)] if is_table else texts
    return out


def closed(names: Iterable[str]) -> set[str]:
    """Functions of s2s, with those that they call."""
    found: set[str] = set()
    todo = list(names)
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += helpers.requires(name)
    return found


def helper_text(name: str, show: Names) -> str:
    """A function of s2s as the output carries it, under the names that things have there."""
    hidden = helpers.builtins_of(name) & show.taken
    text = helpers.source(name).strip()
    if hidden:
        text = helpers.source_beside(name, hidden, show.module("builtins")).strip()
    for word in (name, *helpers.requires(name)):
        if show.helper(word) != word:
            text = re.sub(rf"\b{word}\b", show.helper(word), text)
    return re.sub(r"\bnp\.", show.module("numpy") + ".", text) if show.module("numpy") != "np" else text


def docstring(filename: str, others: list[str]) -> str:
    name = base(filename)
    text = f"Derivatives of {name}."
    if others:
        text += f" Imports {', '.join(others)} from {name.removesuffix('.py')}."
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"""{text}"""'


def base(filename: str) -> str:
    return re.split(r"[/\\]", filename)[-1]


def stem(filename: str) -> str:
    return base(filename).removesuffix(".py")


def imported_from(module: Any, found: Needed) -> set[str]:
    """Names that a derivative, which is differentiated once more, imports from the original module."""
    own = stem(module.filename)
    return {n for n in found.imported if module.imports[n].lstrip(".") == f"{own}.{n}"}


def import_lines(module: Any, found: Needed, package: bool) -> list[str]:
    """Import statements as the user orders them: the standard library, then the rest, then the original module."""
    lines = [line for n, line in module.import_lines.items() if n in found.imported]
    lines += [*(module.stars if found.unknown else ()), *sorted(found.added.values())]
    lines = joined(dict.fromkeys(lines))
    standard = sorted((line for line in lines if is_standard(line)), key=lambda line: (line.startswith("from "), line))
    rest = [line for line in lines if line not in standard]
    if found.others:
        own = stem(module.filename)
        place = "." * package + ("" if package and own == "__init__" else own)
        # what the original module changes is imported once it has done so
        first = ("numpy", "scipy") if found.others & module.changed_imports else None
        at = [k for k, line in enumerate(rest) if first and line.split()[1].partition(".")[0] not in first]
        rest.insert(min(at, default=len(rest)), f"from {place} import {', '.join(sorted(found.others))}")
    future = ["from __future__ import annotations", ""] if module.future else []
    return [*future, *standard, *([""] if standard and rest else []), *rest]


def joined(lines: Iterable[str]) -> list[str]:
    """`from m import a` and `from m import b` as one line, where the first of them stands."""
    out: dict[str, str] = {}
    for line in lines:
        start, _, names = line.partition(" import ")
        if not line.startswith("from ") or "\n" in line or names == "*":
            out[line] = line
        elif start in out:
            out[start] += f", {names}"
        else:
            out[start] = line
    return list(out.values())


def is_standard(line: str) -> bool:
    tree = ast.parse(line).body
    for s in ast.walk(tree[0]):
        match s:
            case ast.Import(names=[a, *_]):
                return a.name.partition(".")[0] in sys.stdlib_module_names
            case ast.ImportFrom(module=str() as name, level=0):
                return name.partition(".")[0] in sys.stdlib_module_names
    return False
