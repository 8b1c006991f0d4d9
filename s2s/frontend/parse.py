"""From a file's text to its functions in the IR.

`ast.parse` comes first: its verdict is the user's, and its positions are those of the file. The concrete syntax tree
(libcst) is made of the text of one function at a time; it has what Python's tree leaves out, the comments.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from s2s import ir, rules
from s2s.errors import Diagnostic, S2SError, Span
from s2s.frontend.lowering.normalise import normalise
from s2s.frontend.rewrites import attributes
from s2s.frontend.rewrites.optional import asserted_callees
from s2s.frontend.text.classes import module_classes, without_class
from s2s.frontend.text.decorators import COMPILERS, SAME_VALUES, meaning
from s2s.frontend.text.defaults import changed_defaults, has_open_defaults
from s2s.frontend.text.function_bodies import default_nodes
from s2s.frontend.text.moments import depth, is_drawn, never_imported
from s2s.frontend.text.names import NEVER_READ, Imports, ModuleNames, module_names
from s2s.frontend.text.pragma import COMMENT, Pragma, merged, parse_callees, parse_pragma, unknown_names
from s2s.frontend.text.refuse import diagnostic
from s2s.frontend.text.registries import registries
from s2s.frontend.text.scopes import (
    FunctionNode,
    body_nodes,
    bound_names,
    dotted,
    global_reads,
    parameters,
    read_names,
    walk,
)
from s2s.frontend.text.source import HIDDEN, Note, Source, decode, escape, expression, parse_text
from s2s.frozen import replace
from s2s.rules.sparse import KEEPING, MAKERS

if TYPE_CHECKING:
    import libcst as cst


@dataclass(frozen=True)
class FunctionInfo:
    """A function of the file, as far as it is known without reading its body."""

    name: str
    span: Span  # of the def statement, decorators not included
    text: str  # its text, with decorators and the comment lines directly above
    pragma: Pragma | None
    decorated: bool
    is_public: bool
    comments: tuple[str, ...] = ()  # the lines above, `# s2s:` ones taken out


class Module:
    """A parsed file. What it offers is computed once; `function` normalises one function when it is asked for."""

    def __init__(self, text: str, filename: str, callees: Mapping[str, tuple[str, ...]] | None = None) -> None:
        """callees: the functions that parameters may be, in any function that has them, beside its own comment."""
        self.text = text
        self.filename = filename
        self.source = Source(text, filename)
        self.tree = parse_text(text, filename)
        self.has_open_defaults = has_open_defaults(self.tree)
        self.names: ModuleNames = module_names(self.tree, self.source)
        filled, self.registering = registries(self.tree, self.names)
        self.names.values |= filled
        every = Imports(dict(self.names.imports.names), dict(self.names.imports.lines), list(self.names.imports.stars))
        for node in walk(self.tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                every.add(node)
        self.imports: dict[str, str] = every.names
        self.import_lines: dict[str, str] = every.lines
        self.optional: dict[str, str] = dict(self.names.imports.optional)  # what other modules import, too
        self.local_imports = every.names.keys() - self.names.imports.names.keys()  # which functions import
        self.stars: tuple[str, ...] = tuple(every.stars)
        self.constants: dict[str, str] = self.names.constants
        self.other_names: set[str] = self.names.others
        self.complex_values: frozenset[str] = complex_values(self.names.values)
        self.array_values: dict[str, str] = {  # or of others, but no literals
            n: ast.unparse(e)
            for n, e in self.names.values.items()
            if n not in self.constants and any(isinstance(x, ast.Call) for x in walk(e))
        }
        self.sparse_values: frozenset[str] = sparse_values(self.names.values, self.imports)
        self.tables: dict[str, str] = {  # functions by other names: lambdas, partial, dicts of functions
            n: ast.unparse(e) if n in filled else self.source.segment(e)
            for n, e in self.names.values.items()
            if n not in self.constants and self.may_be_function(e)
        }
        self.function_tables: frozenset[str] = frozenset(  # that hold nothing but functions
            n
            for n in self.tables
            if isinstance(e := self.names.values[n], ast.Dict) and all(map(self.names.is_function, e.values))
        )
        self.future = any(  # annotations are not evaluated
            isinstance(s, ast.ImportFrom) and s.module == "__future__" and any(a.name == "annotations" for a in s.names)
            for s in self.tree.body
        )
        self.callees = dict(callees or {})
        self.stirred: set[str] = set()
        # functions of the module that callers hand over, or that have attributes: the output has the very ones
        self.handed: set[str] = {path[0] for path in self.names.moments.attributes} & self.names.functions.keys()
        # and those that read what functions of the module bind anew
        changed = self.names.changed
        own = self.names.functions.items() if changed else ()
        self.handed |= {n for n, f in own if changed & {x.id for x in walk(f) if isinstance(x, ast.Name)}}
        self.functions: dict[str, FunctionInfo] = {}
        self.methods: dict[str, FunctionInfo] = {}
        self.of_classes: dict[str, ast.FunctionDef] = {}  # class methods as functions
        classes = module_classes(self.tree, self.names.imports, self.names.moments)
        self.names.classes = {n: cls for n, cls in classes.items() if n not in self.names.changed}
        self.handed |= attributes.write_out(self.names, self.tree)
        self.names.find_function = self.definition
        self.names.bind_import = self.bind_import
        self.warnings: list[Diagnostic] = hidden_characters(self.source)
        self.done: dict[str, ir.Function | S2SError] = {}
        self.noted: dict[str, dict[int, Note]] = {}
        self.names.notes_of, self.names.announce = self.notes_of, self.announce
        problems: list[Diagnostic] = []
        for name, node in sorted(self.names.functions.items(), key=lambda item: item[1].lineno):
            self.functions[name] = self.describe(node, problems)
        for cls in self.names.classes.values():
            for method, node in cls.methods.items():
                self.methods[cls.key(method)] = self.describe(node, problems)
        problems += self.without_parameter()
        problems += self.without_function()
        if problems:
            raise S2SError(problems, filename, text)

    @property
    def changed_imports(self) -> set[str]:
        """Imported names whose objects the file changes when it is itself imported: `layers.SLOPE = 0.2`. So may all
        modules of the user's, once one of those that it imports changes another."""
        changed = self.imports.keys() & self.names.moments.changed.keys() | self.stirred
        changed -= never_imported(self.tree) if changed else set()
        return {n for n in changed if self.imports[n].partition(".")[0] not in NEVER_READ}

    def bind_import(self, name: str, path: str) -> None:
        """A name that the frontend imports for what it takes over from another module."""
        head, _, last = path.rpartition(".")
        if path.startswith(".") and not head.strip("."):  # `.layers`: a module beside the file
            head += "."
        line = f"from {head} import {last}" if head else f"import {path}"
        line += f" as {name}" if last != name else ""
        for imports in (self.names.imports, Imports(self.imports, self.import_lines)):
            imports.bind(name, path, line, False)

    def forget(self, name: str) -> None:
        """A name that a star import binds last."""
        self.names.forget(name)
        self.functions.pop(name, None)
        self.tables.pop(name, None)

    def bound_elsewhere(self, name: str) -> None:
        """A name that another module binds anew."""
        self.names.bound_elsewhere(name)
        self.tables.pop(name, None)
        self.array_values.pop(name, None)

    def changed_elsewhere(self, name: str) -> None:
        """A name of which another module may change what it holds."""
        value = self.names.assigned.get(name)
        if value is not None and (depth(value) or name in self.tables):
            self.bound_elsewhere(name)

    def definition(self, name: str) -> ast.FunctionDef | None:
        """The `def` of a function, or of a method by `Class.method`."""
        owner, _, method = name.rpartition(".")
        if owner:
            cls = self.names.classes.get(owner)
            if cls is not None and method in cls.class_methods:
                if name not in self.of_classes:
                    self.of_classes[name] = without_class(cls.methods[method], cls) or cls.methods[method]
                return self.of_classes[name]
            return cls.methods.get(method) if cls is not None else None
        node = self.names.functions.get(name)
        return node if isinstance(node, ast.FunctionDef) else None

    def lines_above(self, node: FunctionNode) -> range:
        """The lines of the comments right above a function."""
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        start = first
        while start > 1 and self.source.lines[start - 2].startswith(" " * node.col_offset + "#"):
            start -= 1
        return range(start, first)

    def without_function(self) -> list[Diagnostic]:
        """`# s2s:` comments of the module that stand above no function: what they state would be passed over."""
        lines = enumerate(self.source.lines, 1)
        found = {
            n: line for n, line in lines if (c := COMMENT.match(line)) and not c["text"].lstrip().startswith("format=")
        }
        if not found:
            return []
        functions = (n for n in walk(self.tree) if isinstance(n, FunctionNode))
        known = {n for f in functions for n in range(self.lines_above(f).start, f.lineno)}
        known |= {n for s in self.tree.body for n in range(s.lineno, (s.end_lineno or s.lineno) + 1)}
        message = "this `# s2s:` comment stands above no function"
        help_ = "move it to the line above the `def` that it is meant for"
        return [
            Diagnostic("S410", message, Span(n, 0, n, len(line)), help=(help_,))
            for n, line in found.items()
            if n not in known
        ]

    def describe(self, node: FunctionNode, problems: list[Diagnostic]) -> FunctionInfo:
        lines = self.source.lines
        above = self.lines_above(node)
        start, first = above.start, above.stop
        header = list(range(first, max(node.lineno, node.body[0].lineno - 1) + 1))
        pragmas: list[Pragma] = []
        comments: list[str] = []
        for n in (*above, *header):
            found = COMMENT.search(lines[n - 1])
            if found is None:
                comments += [escape(lines[n - 1].strip())] if n < first else []
                continue
            if n == node.body[0].lineno and n >= node.lineno and "constant" in found["text"]:
                continue  # a def on one line: the comment belongs to its statement
            span = Span(n, found.start(), n, len(lines[n - 1]))
            try:
                pragma = parse_pragma(found["text"], span)
                problems += unknown_names(pragma, [a.arg for a in parameters(node)], node.name, span)
                pragmas.append(pragma)
            except S2SError as e:
                problems += e.diagnostics
        text = "\n".join(lines[start - 1 : node.end_lineno])
        own = merged(pragmas)
        self.hand_over(node, own)
        return FunctionInfo(
            node.name,
            self.source.span(node),
            text,
            own,
            bool(node.decorator_list),
            not node.name.startswith("_"),
            tuple(comments),
        )

    def hand_over(self, node: FunctionNode, pragma: Pragma | None) -> None:
        """Notes the functions that parameters of a function are said to be, and the lengths that are stated of them."""
        bound = bound_names(body_nodes(node))
        shapes = pragma.shapes if pragma else {}
        stated = {p: int(dims[0]) for p, dims in shapes.items() if dims and dims[0].isdigit() and p not in bound}
        if stated:
            node.lengths = stated  # type: ignore[union-attr]
        given = {p: c for p, c in self.callees.items() if p in {a.arg for a in parameters(node)}}
        given |= {p: c for p, c in (pragma.callees if pragma else {}).items() if p not in given}
        asserted = asserted_callees(node) if isinstance(node, ast.FunctionDef) else {}
        given |= {p: c for p, c in asserted.items() if p not in given and all(map(self.is_called, c))}
        if given:
            node.given = {  # type: ignore[union-attr]
                p: tuple(expression(c, node) for c in callees) for p, callees in given.items()
            }
            self.handed |= {c.partition(".")[0] for callees in given.values() for c in callees} - self.imports.keys()

    def is_called(self, callee: str) -> bool:
        """Whether the module has a function of this name, or calls what it names."""
        calls = (n.func for n in walk(self.tree) if isinstance(n, ast.Call))
        return callee in self.names.functions or any(ast.unparse(f) == callee for f in calls)

    def without_parameter(self) -> list[Diagnostic]:
        """S411 for each name in `--with` that no function has."""
        known = {a.arg for n in (*self.names.functions.values(), *self.method_nodes()) for a in parameters(n)}
        bad = [p for p in self.callees if p not in known]
        return [Diagnostic("S411", f"--with: no function of this file has a parameter `{p}`") for p in bad]

    def method_nodes(self) -> Iterable[ast.FunctionDef]:
        return (m for cls in self.names.classes.values() for m in cls.methods.values())

    def slice(self, name: str) -> str:
        """The text of the def statement without decorators, as the concrete syntax tree is made of it."""
        node = self.names.functions.get(name) or self.definition(name)
        assert node is not None
        text = "\n".join(self.source.lines[node.lineno - 1 : node.end_lineno]) + "\n"
        if not node.col_offset:
            return text
        margin = text[: len(text) - len(text.lstrip())]
        return re.sub(r"^" + margin, "", text, flags=re.MULTILINE)  # comments may stand further left

    def copy(self, name: str) -> str:
        """The text of a function as another module may carry it: with comments and decorators, without `# s2s:`."""
        node = self.names.functions[name]
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        lines = self.source.lines[first - 1 : node.end_lineno]
        for span in sorted(parallel_ranges(node, self.names.imports.names, self.source), reverse=True):
            line = lines[span.line - first]
            lines[span.line - first] = line[: span.column] + "range" + line[span.end_column :]
        for d in reversed(node.decorator_list):
            if meaning(d, self.names.imports.names) in COMPILERS:
                start, end = d.lineno - first, (d.end_lineno or d.lineno) - first
                del lines[start : end + 1]
                first += end + 1 - start  # the def has moved up
        for i in range(max(node.lineno + 1, node.body[0].lineno) - first):  # the header, where it has lines of its own
            found = COMMENT.search(lines[i])
            if found is not None:
                lines[i] = lines[i][: found.start()].rstrip()
        return "\n".join([*self.functions[name].comments, *lines])

    def constant(self, name: str) -> str:
        """The text of an assignment to a constant or a table of functions, with the comments above it and behind it:
        they may say the unit."""
        node, lines = self.names.values[name], self.source.lines
        text = f"{name} = {self.constants.get(name) or self.tables[name]}"
        span = self.source.span(node)
        behind = re.fullmatch(r"\)?\s*(#.*)", lines[span.end_line - 1][span.end_column :])
        if behind is not None and COMMENT.search(behind[1]) is None:
            text += f"  {escape(behind[1])}"
        first = node.lineno - 1
        if not re.match(rf"{name}\b", lines[first]):
            return text
        start = first
        while start and re.match(r"#(?!!)", lines[start - 1]):
            start -= 1
        above = [escape(line) for line in lines[start:first] if COMMENT.search(line) is None]
        return "\n".join([*above, text])

    def reach(self, names: Iterable[str]) -> set[str]:
        """Names that functions read, those that the functions and constants among these read, and so on."""
        found: set[str] = set()
        todo = list(names)
        while todo:
            name = todo.pop()
            if name in found:
                continue
            found.add(name)
            if name.partition(".")[0] in self.names.adopted:
                continue
            if name in self.methods:
                todo += [name.partition(".")[0], *global_reads(self.slice(name))]
                todo += handed_to(self.definition(name))
            elif name in self.names.classes:
                todo += global_reads(self.class_text(name))
            elif name in self.functions:
                node = self.names.functions[name]
                todo += global_reads(self.slice(name)) | decorator_names(node) | handed_to(node)
            elif name in self.constants:
                todo += global_reads(self.constants[name])
            elif name in self.tables:
                todo += global_reads(self.tables[name])
        return found

    def part(self, names: set[str]) -> str:
        """The text of the functions, constants and imports of these names (`reach`): their derivatives depend on it."""
        future = ["from __future__ import annotations"] * self.future
        lines = sorted({self.import_lines[n] for n in names if n in self.import_lines})
        constants = [self.constant(n) for n in self.constants if n in names]
        functions = [info.text for n, info in self.functions.items() if n in names]
        classes = [self.class_text(n) for n in self.names.classes if n in names - self.names.adopted]
        tables = [f"{n} = {text}" for n, text in self.tables.items() if n in names]
        return "\n".join([*future, *self.stars, *lines, *constants, *functions, *classes, *tables])

    def may_be_function(self, e: ast.expr) -> bool:
        """Whether a value of the module may be a function, or a table of functions."""
        match e:
            case ast.Lambda() | ast.Name() | ast.Attribute():
                return True
            case ast.Dict(values=items) | ast.List(elts=items) | ast.Tuple(elts=items):
                others = [x for x in items if not self.may_be_function(x)]  # of a row: `(decay, 2.0)`
                return len(others) < len(items) and all(isinstance(x, ast.Constant) for x in others)
            case ast.Call(func=ast.Name(id="dict"), args=[], keywords=keywords):
                return bool(keywords) and all(self.may_be_function(k.value) for k in keywords)
            case ast.Subscript(value=ast.Call() as call, slice=ast.Constant()):
                return self.may_be_function(call)
            case ast.Call(func=func, args=args):
                maker = meaning(func, self.names.imports.names)
                known = isinstance(func, ast.Name) and func.id in self.names.functions
                if maker and args:  # by another module's compiler, maybe
                    known |= isinstance(args[0], ast.Name) and args[0].id in self.names.functions
                return maker == "functools.partial" or maker in SAME_VALUES or known
        return False

    def is_copied(self, name: str) -> bool:
        """Whether the output has its own table of functions of this name: its text names them, or has lambdas."""
        return name in self.tables and self.names_functions(self.names.values[name])

    def names_functions(self, e: ast.expr) -> bool:
        match e:
            case ast.Lambda() | ast.Constant():
                return True
            case ast.Name(id=name):
                return name in self.names.functions or name in self.imports or self.is_copied(name)
            case ast.Call(func=func, args=args, keywords=keywords):
                known = isinstance(func, ast.Name) and func.id == "dict"
                known |= meaning(func, self.imports) == "functools.partial"
                return known and all(map(self.names_functions, [*args, *(k.value for k in keywords)]))
            case ast.Attribute():
                return rules.lookup(meaning(e, self.imports)) is not None
            case ast.Dict(values=items) | ast.List(elts=items) | ast.Tuple(elts=items):
                return all(map(self.names_functions, items))
        return False

    def class_text(self, name: str) -> str:
        node = self.names.classes[name].node
        first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        return "\n".join(self.source.lines[first - 1 : node.end_lineno])

    def cst(self, name: str) -> cst.FunctionDef:
        """The concrete syntax tree of one function. Raises S2SError (S108) where libcst can't read it."""
        import libcst as cst  # here: `s2s check --fast` needs none of it

        node = self.names.functions.get(name) or self.definition(name)
        assert node is not None
        text = self.slice(name)
        try:
            first = cst.parse_module(text).body[0]
        except (cst.ParserSyntaxError, RecursionError) as e:
            message = f"the function `{name}` can't be read: {escape(str(e).splitlines()[0])}"
            raise S2SError(Diagnostic("S108", message, self.source.span(node)), self.filename, self.text) from None
        assert isinstance(first, cst.FunctionDef)
        return first

    def function(self, name: str) -> ir.Function:
        """A function in A-normal form. Raises S2SError with all that is refused in it, S401 if there is none."""
        if name not in self.done:
            try:
                self.done[name] = self.normalised(name)
            except S2SError as e:
                self.done[name] = e
        result = self.done[name]
        if isinstance(result, S2SError):
            raise result
        return result

    def announce(self, name: str) -> None:
        """A function that the frontend has made is a function of the file like any other."""
        node = self.names.made[name].node
        self.functions[name] = FunctionInfo(name, self.source.span(node), self.text, None, False, False)

    def is_made(self, name: str) -> bool:
        return name in self.names.made

    def notes_of(self, name: str) -> dict[int, Note]:
        """The comments of a function's statements."""
        node = self.names.functions.get(name) or self.definition(name)
        if node is None:  # a class method of another module, whose comments stand there
            return {}
        if name not in self.noted:
            self.noted[name] = {}
            if self.has_comments(node):
                from s2s.frontend.text.comments import notes

                self.noted[name] = notes(node, self.cst(name))
        return self.noted[name]

    def normalised(self, name: str) -> ir.Function:
        if name in self.names.made:
            own = self.names.made[name]
            span = self.source.span(own.node)
            function, refusals = normalise(own.node, self.names, self.source, own.notes, (), own.env)
            if refusals:
                raise S2SError(sorted(refusals, key=lambda d: (d.span or span, d.code)), self.filename, self.text)
            return replace(function, docstring=function.docstring or own.doc)
        node = self.names.functions.get(name) or self.definition(name)
        cls = self.names.classes.get(name.rpartition(".")[0])
        if node is None:
            help = f"functions of this file: {', '.join(self.functions) or 'none'}"
            message = f"`{self.filename}` has no function `{escape(name)}` at its top level"
            raise S2SError(Diagnostic("S401", message, help=(help,)), self.filename, self.text)
        span = self.source.span(node)
        if isinstance(node, ast.AsyncFunctionDef):
            raise S2SError(diagnostic("coroutine", span, "an async function"), self.filename, self.text)
        if name in self.names.rebound:
            d = diagnostic("decorated", span, name, "the module binds this name, or sets its code or defaults, below")
            raise S2SError(d, self.filename, self.text)
        if cls is not None and node.name in cls.strange and node is cls.methods[node.name]:
            d = diagnostic("decorated", span, name, "its decorator is not known")
            raise S2SError(d, self.filename, self.text)
        for path in sorted(self.names.replaced):
            if path.endswith(".") or rules.lookup(path) is not None:  # the derivative may call it, if not the function
                raise S2SError(
                    diagnostic("replaced", span, f"{path}*" if path.endswith(".") else path), self.filename, self.text
                )
        if late := self.late_defaults(name, node):
            raise S2SError(late, self.filename, self.text)
        comments = (self.functions.get(name) or self.methods[name]).comments
        function, refusals = normalise(node, self.names, self.source, self.notes_of(name), comments, None, cls)
        if refusals:
            refusals.sort(key=lambda d: (d.span or span, d.code))
            raise S2SError(refusals, self.filename, self.text)
        return function

    def late_defaults(self, name: str, node: ast.FunctionDef) -> list[Diagnostic]:
        """Defaults are computed once, where the `def` stands; the output computes them when all is imported."""
        found: list[Diagnostic] = []
        for p, d in default_nodes(node):
            why = "it is drawn when the module is imported" if is_drawn(d, self.imports) else ""
            if self.names.moments.is_late(d, node.lineno - 1):
                why = "what it reads is bound again, or changed, below the `def`"
            if why:
                found.append(diagnostic("default", self.source.span(d), p, name, why))
        return found

    def changed_defaults(self, name: str, others: Iterable[Module] = ()) -> list[Diagnostic]:
        """Defaults that a function, or what it reaches here, leaves to all calls, and changes. others: modules whose
        functions may change what it returns."""
        if not self.has_open_defaults:
            return []
        names = self.reach((name,))
        body = parse_text(self.text, self.filename).body  # as the user has it: `tree` is rewritten on the way
        functions = [n for n in body if isinstance(n, ast.FunctionDef) and n.name in names]
        classes = [n for n in body if isinstance(n, ast.ClassDef) and n.name in names]
        calling = [
            n for m in others for n in ast.walk(parse_text(m.text, m.filename)) if isinstance(n, ast.FunctionDef)
        ]
        imports = {k: path for m in others for k, path in m.imports.items()} | self.imports
        found = changed_defaults(name, functions, classes, imports, calling)
        return [diagnostic("shared default", self.source.span(d.value), d.parameter, d.function) for d in found]

    def has_comments(self, node: FunctionNode) -> bool:
        """Without a `#` and an empty line there is nothing that the concrete syntax tree knows better."""
        lines = self.source.lines[node.lineno - 1 : node.end_lineno]
        return any("#" in line or not line.strip() for line in lines)

    def called(self, name: str) -> set[str]:
        """The functions of this file that a function calls or hands on."""
        node = self.names.functions.get(name)
        if node is None:
            return set()
        own = {a.arg for a in parameters(node)} | bound_names(body_nodes(node))
        read = {n.id for n in walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        return {n for n in read if n in self.functions and n not in own and n not in self.names.rebound}


def parallel_ranges(node: FunctionNode, imports: dict[str, str], source: Source) -> list[Span]:
    """Where a function calls numba's prange: in plain Python that is range."""
    return [
        source.span(n.func)
        for n in walk(node)
        if isinstance(n, ast.Call) and meaning(n.func, imports) == "numba.prange" and n.func.lineno == n.func.end_lineno
    ]


def handed_to(node: FunctionNode | None) -> set[str]:
    """The names of the functions that parameters are said to be."""
    given = getattr(node, "given", {})
    return set().union(*(read_names(e) for callees in given.values() for e in callees))


def decorator_names(node: FunctionNode) -> set[str]:
    return set().union(*(read_names(d) for d in node.decorator_list))


def hidden_characters(source: Source) -> list[Diagnostic]:
    """Warnings where the text is not what it looks like (PEP 672): bidi and zero-width characters."""
    found = []
    if source.text.isascii():
        return []
    for number, line in enumerate(source.lines, 1):
        if match := HIDDEN.search(line):
            c = f"U+{ord(match.group()):04X}"
            span = Span(number, match.start(), number, match.start() + 1)
            found.append(
                Diagnostic(
                    "S109",
                    f"an invisible character {c}: the text may not be what it looks like",
                    span,
                    severity="warning",
                )
            )
    return found


def read_module(data: str | bytes, filename: str = "model.py", callees: str = "") -> Module:
    """Parses a file; `callees` is text as in `--with`.

    Raises S2SError: S101-S106 where it can't be read, S410 and S411 for a wrong `# s2s:` comment or a wrong `--with`.
    """
    text = decode(data, filename)
    if not text.strip():
        message = "the file is empty"
        raise S2SError(Diagnostic("S104", message, help=("name a file with a function",)), filename, text)
    return Module(text, filename, parse_callees(callees) if callees else None)


COMPLEX_WORDS = frozenset(
    (
        "complex",
        "complex64",
        "complex128",
        "cdouble",
        "fft",
        "ifft",
        "rfft",
        "cmath",
        "emath",
        "roots",
        "eig",
        "eigvals",
    )
)


def complex_values(values: dict[str, ast.expr]) -> frozenset[str]:
    """The names of a module that may stand for complex numbers, by the text of their values."""
    found: set[str] = set()
    while True:
        before = len(found)
        for name, value in values.items():
            for n in walk(value) if name not in found else ():
                match n:
                    case ast.Constant(value=complex()):
                        found.add(name)
                    case ast.Name(id=word) | ast.Attribute(attr=word) if word in COMPLEX_WORDS or word in found:
                        found.add(name)
        if len(found) == before:
            return frozenset(found)


def sparse_values(values: dict[str, ast.expr], imports: dict[str, str]) -> frozenset[str]:
    """The names of a module that stand for sparse matrices of SciPy, by the text of their values."""

    def is_matrix(e: ast.expr) -> bool:
        match e:
            case ast.Name(id=name):
                return name in found
            case ast.Call(func=func) if (path := dotted(func)) is not None and path[0] in imports:
                return ".".join([imports[path[0]], *path[1:]]) in MAKERS
            case ast.Call(func=ast.Attribute(value=inner, attr=attr)):
                return (attr in KEEPING or attr == "transpose") and is_matrix(inner)
            case ast.Attribute(value=inner, attr="T"):
                return is_matrix(inner)
            case ast.UnaryOp(operand=inner):
                return is_matrix(inner)
            case ast.BinOp(left=a, right=b, op=ast.Add() | ast.Sub() | ast.MatMult()):
                return is_matrix(a) and is_matrix(b)
            case ast.BinOp(left=a, right=b, op=ast.Mult() | ast.Div()):
                return (is_matrix(a) and is_number(b)) or (is_number(a) and is_matrix(b))
        return False

    def is_number(e: ast.expr) -> bool:
        if isinstance(e, ast.UnaryOp):
            return is_number(e.operand)
        return isinstance(e, ast.Constant) and isinstance(e.value, int | float)

    found: set[str] = set()
    while True:
        before = len(found)
        found |= {name for name, value in values.items() if is_matrix(value)}
        if len(found) == before:
            return frozenset(found)
