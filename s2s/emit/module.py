"""The generated module: imports, constants, primal helpers, derivatives, and the few functions of s2s that they call."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import Any

from s2s import helpers, ir
from s2s.errors import Diagnostic, S2SError
from s2s.ir import Op

WIDTH = 88


@dataclass
class Parts:
    """What the text of a module is made of."""

    functions: list[ir.Function]  # derivatives of the selected functions, in order
    reverses: list[ir.Function] = field(default_factory=list)  # derivatives of helpers
    needed: set[str] = field(default_factory=set)  # primal functions that are called


def used(functions: list[ir.Function]) -> tuple[set[str], set[str], set[str], set[str]]:
    """(names read, local functions, helper functions, modules of generated calls) of some functions."""
    names: set[str] = set()
    local: set[str] = set()
    inlined: set[str] = set()
    modules: set[str] = set()
    for f in functions:
        for s in ir.statements(f.body):
            for e in ir.expressions(s):
                for n in ir.walk(e):
                    match n:
                        case Op():
                            if n.fn.startswith("local."):
                                local.add(n.fn[6:])
                            elif n.fn.startswith("helper."):
                                inlined.add(n.fn[7:])
                            elif n.spelling and n.form is ir.Form.CALL and not n.fn.startswith("operator."):
                                names.add(n.spelling.split(".")[0])
                            elif n.form is ir.Form.CALL and not n.fn.startswith(("builtins.", "operator.", "method.")):
                                modules.add(n.fn.split(".")[0])
                        case ir.Raw():
                            names |= n.names
                            names |= set(re.findall(r"\b[A-Za-z_]\w*\b", n.text)) if not n.names else set()
                names |= ir.reads(e)
                names |= {b for x in ir.reads(e) for b in ir.base_names(x)}
    return names, local, inlined, modules


def annotation_names(f: ir.Function) -> set[str]:
    text = " ".join([p.annotation + " " + p.default for p in f.params] + [f.returns])
    return set(re.findall(r"\b[A-Za-z_]\w*\b", text))


def module_alias(imports: dict[str, str], module: str, default: str) -> str:
    for local, path in imports.items():
        if path == module:
            return local
    return default


def render(module: Any, parts: Parts, format_: Any, standalone: bool = False) -> str:
    """The text of the module below its header, formatted."""
    alias = {"numpy": module_alias(module.imports, "numpy", "np"), "math": module_alias(module.imports, "math", "math")}
    modules = {path: local for local, path in module.imports.items() if "." not in path}
    show = ir.Printer(modules | alias)
    derived = [*parts.functions, *parts.reverses]
    names, local, inlined, generated = used(derived)
    for f in derived:
        names |= annotation_names(f)
    primals = [n for n in module.functions if n in _closure(module, (local | names) & set(module.functions))]
    texts: list[str] = []
    primal_names: set[str] = set()
    for name in primals:
        text = module.slice(name)
        texts.append(text.rstrip())
        tree = ast.parse(text)
        primal_names |= {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    names |= primal_names
    constants: dict[str, str] = {}
    todo = [n for n in names if n in module.constants]
    while todo:
        name = todo.pop()
        if name in constants:
            continue
        constants[name] = module.constants[name]
        inside = {n.id for n in ast.walk(ast.parse(module.constants[name], mode="eval")) if isinstance(n, ast.Name)}
        names |= inside
        todo += [n for n in inside if n in module.constants]
    others = sorted(n for n in names if n in module.other_names and n not in primals)
    if others and standalone:
        raise S2SError(Diagnostic("S406", f"the output would import {', '.join(others)} from the original module", help=("leave out --standalone",)))
    helper_names = _helper_closure(inlined)
    body_functions = [_function_text(f, show) for f in parts.functions] + [_function_text(f, show) for f in parts.reverses]
    helper_texts = [helpers.source(n).strip() for n in helper_names]
    if helper_texts and alias["numpy"] != "np":
        helper_texts = [re.sub(r"\bnp\.", alias["numpy"] + ".", t) for t in helper_texts]
    joined = "\n".join([*body_functions, *helper_texts])
    imports = _imports(module, names, joined, alias, others)
    lines = [_docstring(module, others), ""]
    lines += imports
    if constants:
        lines += ["", *(f"{n} = {constants[n]}" for n in module.constants if n in constants)]
    chunks = ["\n".join(lines)]
    chunks += texts
    chunks += body_functions
    chunks += helper_texts
    return format_("\n\n\n".join(c.strip("\n") for c in chunks) + "\n")


def _helper_closure(names: set[str]) -> list[str]:
    found: set[str] = set()
    todo = list(names)
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += list(helpers.requires(name))
    return sorted(found)


def _closure(module: Any, names: set[str]) -> set[str]:
    found: set[str] = set()
    todo = list(names)
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += list(module.called(name))
    return found


def _docstring(module: Any, others: list[str]) -> str:
    name = re.split(r"[/\\]", module.filename)[-1].replace("\\", "/").replace('"""', "'''")
    text = f"Derivatives of {name}."
    if others:
        stem = name.removesuffix(".py")
        text += f" Imports {', '.join(others)} from {stem}."
    return f'"""{text}"""'


def _imports(module: Any, names: set[str], text: str, alias: dict[str, str], others: list[str]) -> list[str]:
    plain: list[str] = []
    wanted = {n for n in names if n in module.import_lines}
    wanted |= {n for n in module.import_lines if re.search(rf"\b{re.escape(n)}\b", text)}
    for name in module.import_lines:
        if name in wanted and module.import_lines[name] not in plain:
            plain.append(module.import_lines[name])
    for path, local in alias.items():
        if re.search(rf"\b{local}\.", text) and local not in wanted and module.imports.get(local) != path:
            plain.append(f"import {path}" + (f" as {local}" if local != path else ""))
    if others:
        stem = re.split(r"[/\\]", module.filename)[-1].removesuffix(".py")
        plain.append(f"from {stem} import {', '.join(others)}")
    standard = [p for p in plain if _is_standard(p)]
    rest = [p for p in plain if p not in standard]
    return sorted(standard) + ([""] if standard and rest else []) + rest


def _is_standard(line: str) -> bool:
    import sys

    words = line.split()
    return line.startswith("from __future__") or words[1].split(".")[0] in sys.stdlib_module_names


def _function_text(f: ir.Function, show: ir.Printer) -> str:
    text = ir.print_function(f, show)
    doc = _doc_lines(f.docstring)
    head, _, body = text.partition("\n")
    return "\n".join([head, *doc, body])


def _doc_lines(text: str) -> list[str]:
    text = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    lines = text.split("\n")
    first = lines[0]
    wrapped: list[str] = []
    for line in lines:
        wrapped += _wrap(line)
    if len(wrapped) == 1 and len(first) <= WIDTH - 10:
        return [f'    """{first}"""']
    return [f'    """{wrapped[0]}', *(f"    {w}".rstrip() for w in wrapped[1:]), '    """']


def _wrap(line: str) -> list[str]:
    import textwrap

    return textwrap.wrap(line, WIDTH - 8) or [""] if len(line) > WIDTH - 8 else [line]


def cut_marks(text: str) -> str:
    """Marks that are too long for the line are cut."""
    out = []
    for line in text.split("\n"):
        if line.lstrip().startswith("# adjoint of: ") and len(line) > WIDTH:
            line = line[: WIDTH - 4].rstrip() + " ..."
        out.append(line)
    return "\n".join(out)
