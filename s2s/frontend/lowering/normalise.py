"""From a function's syntax tree to the IR, in A-normal form.

    margin = y * (X @ w)                t1 = X @ w
                                        margin = y * t1

Operands that can carry a derivative become atoms; all pieces of one statement share its `Origin`. Tests, subscript
keys, shapes, options and statements that only run once stay as they are written. Loops stay loops, comprehensions and
sums over generators become loops, `:=` becomes a statement of its own, and `exits.tails` gives exits their normal form.
What is not supported is refused, all of a function at once.
"""

from __future__ import annotations

import ast
import copy
import functools
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from collections.abc import Sequence as List
from itertools import takewhile
from typing import TypeGuard, cast

from s2s import ir, rules
from s2s.errors import Diagnostic, Span
from s2s.frontend.lowering import second_names
from s2s.frontend.lowering.expressions import BINARY, decided
from s2s.frontend.lowering.once import once
from s2s.frontend.lowering.statements import Sugar
from s2s.frontend.rewrites import (
    attributes,
    borrowed,
    bound,
    captured,
    chosen_classes,
    collected,
    columns,
    constructed,
    contexts,
    copied,
    deep,
    dispatched,
    displays,
    draws,
    dropped,
    elements,
    entries,
    fields,
    filled,
    gathered,
    grown_attributes,
    heaps,
    holders,
    imported,
    inside,
    items,
    iterators,
    journals,
    kept_functions,
    keyed_objects,
    labelled,
    library,
    methods,
    missing,
    mixed,
    numbered,
    operators,
    optional,
    overlays,
    pairs,
    patterns,
    picked,
    pops,
    remade,
    restored,
    returned,
    rows,
    scattered,
    sets,
    shadowed,
    shown,
    sliced,
    sorted_entries,
    spellings,
    stacks,
    standins,
    stars,
    stateful,
    tables,
    takes,
    texts,
    turns,
    twins,
    unlike,
    unnamed,
    versions,
    views,
    wholes,
)
from s2s.frontend.rewrites.objects import OF_VALUES, affects
from s2s.frontend.rewrites.optional import one_of_functions
from s2s.frontend.text import names as known
from s2s.frontend.text.bindings import root_of
from s2s.frontend.text.classes import ClassInfo, name_bases
from s2s.frontend.text.decorators import is_cached
from s2s.frontend.text.exits import Continue, Leave, Loose, negate, raises, tails
from s2s.frontend.text.function_bodies import Exchanged, has_effects, without_continue
from s2s.frontend.text.function_values import Value, is_one_of
from s2s.frontend.text.names import LIKE_NUMPY, NAMESPACE, Imports, ModuleNames, target_names
from s2s.frontend.text.refuse import STATEMENTS
from s2s.frontend.text.scopes import body_nodes, bound_names, dotted, parameters, read_names, string_key, walk
from s2s.frontend.text.source import NOTHING, Note, Source, expression, made, one_line
from s2s.frozen import replace
from s2s.ir import NONE, Block, Break, Const, Expr, Form, If, Inert, Op, Origin, Return, Unpack, Var, While
from s2s.rules import effects

# Types of which a value can be a number or hold numbers; a test for another one guards a branch for foreign objects.
NUMERIC_TYPES = known.words("""
    builtins.int builtins.float builtins.complex builtins.bool builtins.list builtins.tuple
    builtins.dict builtins.object builtins.range builtins.slice builtins.type builtins.NoneType
    types.NoneType
""")
INDEX_ARITHMETIC = ("numpy.add", "numpy.subtract", "numpy.multiply", "numpy.negative", "builtins.len")
OF_NUMBERS = frozenset(["float", "int", "float | int", "int | float", "np.float64", "complex"])  # annotations
ROUNDS = 8  # of writing out what calls of methods say, each with what is known by the one before
EXACT_MODULES = ("decimal", "fractions")
NUMERIC_MODULES = ("numpy", "numbers", "collections", "typing", "decimal", "fractions")


ORDERED = ast.Lt | ast.LtE | ast.Gt | ast.GtE


def compared_in(nodes: list[ast.AST]) -> set[int]:
    """The expressions that are asked for being equal to something, or in it, and those in errors."""
    asked = {id(n.left) for n in nodes if isinstance(n, ast.Compare) and not isinstance(n.ops[0], ORDERED)}
    return asked | {id(n) for s in nodes if isinstance(s, ast.Raise) for n in walk(s)}


def is_text(body: list[ast.stmt], name: str, seen: frozenset[str] = frozenset()) -> bool:
    """Whether all that statements do to a name is done to texts: they compare them, take them for keys, call their
    methods, give them a second name, raise errors that name them."""
    nodes = [n for s in body for n in walk(s)]
    read = compared_in(nodes)
    for n in nodes:
        match n:
            case ast.Attribute(value=ast.Name() as of, attr=attr) if hasattr(str, attr) and attr not in known.METHODS:
                read.add(id(of))
            case (
                ast.Subscript(slice=ast.Name() as of)
                | ast.FormattedValue(value=ast.Name() as of)
                | ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name() as of, _])
            ):
                read.add(id(of))
            case ast.Assign(targets=[ast.Name(id=other)], value=ast.Name(id=of_name) as of) if of_name == name:
                if other in seen or is_text(body, other, seen | {name}):
                    read.add(id(of))
    return all(id(n) in read for n in nodes if is_name(n, name) and isinstance(getattr(n, "ctx", None), ast.Load))


def is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def has_rule(e: Expr) -> bool:
    """Whether an expression is a call whose rule is more than a zero."""
    rule = rules.lookup(e.fn) if isinstance(e, Op) else None
    return rule is not None and rule.kind != "constant"


def each_written(value: ast.expr) -> ast.expr:
    """`f(x) for x in (a, b)` as `f(a), f(b)`, where it is taken apart; another generator expression as a list."""
    match value:
        case ast.GeneratorExp(elt=elt, generators=[clause]) | ast.ListComp(elt=elt, generators=[clause]) if (
            not clause.ifs and not clause.is_async
        ):
            match clause.target, clause.iter:
                case ast.Name(id=name), ast.Tuple(elts=items) | ast.List(elts=items) if all(
                    isinstance(i, ast.Name | ast.Constant) for i in items
                ) and not rebinds(elt, name, items):
                    each = [Exchanged({name: i}).visit(copy.deepcopy(elt)) for i in items]
                    return made(ast.Tuple(each, ast.Load()), value)
    if isinstance(value, ast.GeneratorExp):
        return ast.copy_location(ast.ListComp(value.elt, value.generators), value)
    return value


def computes(e: Expr) -> bool:
    """Whether a value is the result of an algorithm: not of arithmetic or of another function of each element."""
    return isinstance(e, Op) and e.fn.startswith(("numpy.linalg.", "scipy.linalg.", "scipy.sparse.", "numpy.fft."))


def is_mask(key: ast.expr) -> bool:
    """Whether a key may be a mask that it computes; `-1` and `i + 1` are not."""
    match key:
        case ast.Compare() | ast.BinOp(op=ast.BitAnd() | ast.BitOr() | ast.BitXor()) | ast.UnaryOp(op=ast.Invert()):
            return True
    return False


def rebinds(e: ast.expr, name: str, items: List[ast.expr]) -> bool:
    """Whether an expression binds a name of its own, or one that may be that of a variable or of its items."""
    taken = {name, *(i.id for i in items if isinstance(i, ast.Name))}
    inner = [n for n in walk(e) if isinstance(n, ast.arg) or (isinstance(n, ast.Name) and n.id in taken)]
    return any(isinstance(n, ast.NamedExpr | ast.Await) for n in walk(e)) or any(
        (isinstance(n, ast.arg) and n.arg in taken) or (isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        for n in inner
    )


def written_pairs(
    targets: List[ast.expr], value: ast.expr, values: List[ast.expr]
) -> list[tuple[ast.expr, ast.expr]] | None:
    """`a, (b, *c) = x, (y, z, w)` as (a, x), (b, y), (c, [z, w]); None where the numbers differ."""
    stars = [i for i, t in enumerate(targets) if isinstance(t, ast.Starred)]
    if len(stars) > 1 or (len(values) < len(targets) - 1 if stars else len(values) != len(targets)):
        return None
    if stars:
        i, tail = stars[0], len(targets) - 1 - stars[0]
        starred = targets[i]
        assert isinstance(starred, ast.Starred)
        middle = ast.List(list(values[i : len(values) - tail]), ast.Load())
        ast.copy_location(middle, value)
        targets = [*targets[:i], starred.value, *targets[i + 1 :]]
        values = [*values[:i], middle, *values[len(values) - tail :]]
    found: list[tuple[ast.expr, ast.expr]] = []
    for t, v in zip(targets, values, strict=True):
        match t, v:
            case ((ast.Tuple(elts=inner) | ast.List(elts=inner)), (ast.Tuple(elts=parts) | ast.List(elts=parts))) if (
                not any(isinstance(p, ast.Starred) for p in parts)
            ):
                pairs = written_pairs(inner, v, parts)
                if pairs is None:
                    return None
                found += pairs
            case _:
                found.append((t, v))
    return found


# Builtins that rewrites of the syntax tree recognise, or write
READ_AS_BUILTINS = frozenset(
    "dict enumerate len list max min range reversed set slice sorted sum tuple zip".split()  # noqa: SIM905
)


def normalise(
    function: ast.FunctionDef,
    names: ModuleNames,
    source: Source,
    notes: dict[int, Note],
    comments: tuple[str, ...],
    env: Mapping[str, object] | None = None,
    cls: ClassInfo | None = None,
) -> tuple[ir.Function, list[Diagnostic]]:
    """The function in A-normal form, and all that is refused in it (then the IR is not to be used).

    env: names of the function that stand for functions, where it was made of a nested one; cls: of a method.
    """
    if cls is None:
        function = optional.for_none(optional.for_given(function, notes), names, notes)
        function = optional.for_modules(function, names, notes)
    else:
        function = optional.for_given(function, notes)
        name_bases(function, cls.node, names.classes)
    function = optional.for_numpy(function, names, notes)
    shadowed.write_out(function)
    imported.write_out(function, names, lambda: notes)
    borrowed.write_out(function, names)
    write_out_texts(names)
    contexts.write_out(function, names, lambda: notes)
    copied.name_copies(function)
    patterns.write_out(function, names.classes, lambda: notes)
    dispatched.write_out(function, names, lambda: notes)
    texts.write_out(function, names, lambda: notes)
    heaps.write_out(function, names)
    chosen_classes.write_out(function, names, notes)
    kept_functions.write_out(function, names)
    if not names.hides(READ_AS_BUILTINS):
        remade.dicts_taken_over(function)
    if not names.hides(frozenset(["iter", "next"])):
        iterators.write_out(function)
    deep.write_out(function, names)
    elements.write_out(function, names)
    standins.write_out(function, names)
    turns.write_out(function, names)
    versions.write_out(function)
    collected.write_out(function, names)
    displays.write_out(function, names)
    returned.write_out(function, names)
    if not names.hides(READ_AS_BUILTINS):
        picked.write_out(function, names)
        sorted_entries.write_out(function, names)
        spellings.write_out(function, names)
        scattered.write_out(function, names)
        wholes.write_out(function, names)
        numbered.write_out(function)
        labelled.write_out(function)
        columns.write_out(function, names)
        sliced.write_out(function, names)
        shown.write_out(function, names)
    overlays.write_out(function, names)
    stars.write_out(function, names)
    if not names.hides(READ_AS_BUILTINS):
        pairs.write_out(function, names)
    library.write_out(function, names)
    draws.write_out(function, names)
    restored.write_out(function, names)
    missing.write_out(function, names)
    dropped.write_out(function, names)
    journals.write_out(function, names)
    if not names.hides(READ_AS_BUILTINS):
        views.write_out(function)
        copied.write_out(function, names.functions)
    unnamed.write_out(function)
    dicts = filled.write_out(function, names)
    gathered.write_out(function, names, dicts)
    if not names.hides(READ_AS_BUILTINS):
        sets.write_out(function)
    captured.write_out(function, names)
    twins.write_out(function)
    unlike.write_out(function, names)
    tables.write_out(function, names)
    tops = stacks.write_out(function, names)
    if not names.hides(READ_AS_BUILTINS):
        rows.write_out(function, names)
        takes.write_out(function, names.imports.names)
    pops.write_out(function)
    entries.write_out(function, names, dicts)
    filled.mark(function, dicts, names)
    keyed_objects.write_out(function, names, notes)
    mixed.write_out(function, names, notes)
    operators.rename_parameters(function, names.classes)
    bound.name_receivers(function, names.classes)
    values = cast("dict[str, Value]", dict(env or {}))
    lowering = Lowering(function, names, source, notes, values, cls)
    changed = operators.decided(lowering) | lowering.without_foreign() | fields.write_out(lowering)
    if changed | remade.write_out(lowering) | bound.write_out(lowering):
        lowering = Lowering(function, names, source, notes, values, cls)
    if items.put_at_once(function, lowering.makes_object, lambda name: lowering.name_bindings[name].stores > 1):
        lowering = Lowering(function, names, source, notes, values, cls)  # `body` may stand for items elsewhere
    guards: dict[methods.Guard, None] = {}
    again = False  # whether what is in objects and lists has got names
    for _ in range(ROUNDS):
        more = operators.write_out(lowering) | attributes.decided(lowering) | inside.write_out(lowering)
        more |= fields.write_out(lowering)
        if more:
            lowering = Lowering(function, names, source, notes, values, cls)
        written = methods.write_out(lowering)
        if written is None and not more and not again:
            break
        guards |= written or {}
        chosen_classes.write_out(function, names, notes)
        again = holders.write_out(function, names)
        if captured.write_out(function, names) or again:
            numbered.write_out(function)
            labelled.write_out(function)
            restored.write_out(function, names)
            missing.write_out(function, names)
            dropped.write_out(function, names)
            gathered.write_out(function, names, dicts)  # functions that an object keeps
        shown.write_out(function, names)  # dicts that the constructors of objects make
        keyed_objects.write_out(function, names, notes)
        again |= mixed.write_out(function, names, notes)  # and lists
        stars.write_out(function, names)
        if not names.hides(READ_AS_BUILTINS):
            pairs.write_out(function, names)
        texts.name_attributes(function, names)  # whose names methods are given
        library.write_out(function, names)
        draws.write_out(function, names)
        if not names.hides(READ_AS_BUILTINS):
            spellings.write_out(function, names)
            rows.write_out(function, names)
            takes.write_out(function, names.imports.names)  # of lists that helpers change
        pops.write_out(function)
        journals.write_out(function, names)
        dicts |= filled.write_out(function, names)
        entries.write_out(function, names, dicts)
        filled.mark(function, dicts, names)
        lowering = Lowering(function, names, source, notes, values, cls)
        lowering.guarded |= guards
    placed = set[str]()
    if grown_attributes.write_out(function, lambda e: lowering.group_at(e) is None, names):
        lowering = Lowering(function, names, source, notes, values, cls)
        lowering.guarded |= guards
    turned = False
    if not names.hides(READ_AS_BUILTINS):
        turned = items.by_places(function)
        placed = items.write_out(function, lowering.new_parts, lowering.maker_class, names)
    if constructed.write_out(function, lowering.maker_class, names) or placed or turned:
        lowering = Lowering(function, names, source, notes, values, cls)
        lowering.guarded |= guards
        lowering.placed = placed
    result = replace(lowering.function(comments), tops=tops)
    return result, lowering.problems()


def write_out_texts(names: ModuleNames) -> None:
    """Changes the bodies of all functions of a module, once: in this form those that call them read them."""
    if names.read:
        return
    names.read = True
    every = names.texts()
    for key, function in every.items():
        notes = functools.partial(names.notes_of, key)
        shadowed.write_out(function)
        imported.write_out(function, names, notes)
        contexts.write_out(function, names, notes)
        copied.name_copies(function)
    for rewrite in (deep, stateful, draws, elements, standins, turns):
        for function in every.values():
            rewrite.write_out(function, names)
    for key, function in every.items():
        notes = functools.partial(names.notes_of, key)
        patterns.write_out(function, names.classes, notes)
        dispatched.write_out(function, names, notes)
        texts.write_out(function, names, notes)
        if key.endswith(".__init__") and not any(isinstance(n, ast.IfExp) for n in walk(function)):
            library.write_out(function, names)  # what it keeps is read where an object is made


def results_of(value: Expr) -> tuple[str, ...]:
    """What the parts of the tuple are called that a function returns which has a rule."""
    rule = rules.lookup(value.fn) if isinstance(value, ir.Op) else None
    if not isinstance(rule, rules.Rule) or not rule.results:
        return ()
    try:
        return rule.bind(cast("ir.Op", value)).results
    except rules.RuleError:
        return ()


class Lowering(Sugar):
    """Statements: each is given its origin and its comments, and writes its pieces."""

    # ------------------------------------------------------------ the function

    def function(self, comments: tuple[str, ...]) -> ir.Function:
        node = self.node
        header = self.source.between(self.source.header(node, node.body))
        origin = Origin(self.source.span(node), one_line(header))
        params = self.parameters()
        contexts = self.decorated(node) if self.cls is None else []
        doc = ast.get_docstring(node, clean=False)
        body = node.body if doc is None else node.body[1:]
        for d in reversed(contexts):
            body = [made(ast.With([ast.withitem(d)], body), d)]
        inner = (*self.captured(self.guard_functions), *self.initial_parts(), *self.block(body))
        block = cast(Block, (*self.guards(), *inner))
        returns = self.text(node.returns) if node.returns else ""
        exits = () if self.refusals else tails(cast(Iterable[Loose], block), self.fresh)
        names = [p.name for p in params]
        exits = second_names.without(exits, {*self.entries.values()}, names, self.locals, self.are_one_function)
        if any(c.cached - c.strange for c in self.names.classes.values()):
            exits = once(exits, self.repeats)
        name = node.name if self.cls is None else f"{self.cls.name}.{node.name}"
        return ir.Function(
            name,
            params,
            exits,
            doc or "",
            returns,
            origin,
            comments,
            *self.known_fields(),
            remade.records(self),
            self.numbers(),
            is_cached=is_cached(node, self.imports.names) or node.name in self.names.cached,
        )

    def numbers(self) -> tuple[str, ...]:
        """Variables that are annotated as numbers, or bound to attributes that are; and of the attributes of items that
        are updated in place those that each class which has them annotates so: `.v`."""
        nodes = body_nodes(self.node)
        classes = self.names.classes.values()

        def is_number(attribute: str) -> bool:
            notes = {c.fields[attribute].annotation for c in classes if attribute in c.fields}
            return bool(notes) and OF_NUMBERS.issuperset(notes)

        stated: dict[str, bool] = {}
        for n in nodes:
            match n:
                case ast.AnnAssign(target=ast.Name(id=name), annotation=note):
                    stated[name] = stated.get(name, True) and self.text(note) in OF_NUMBERS
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Attribute(attr=attr)) if is_number(attr):
                    stated.setdefault(name, True)
        return (*(name for name, known in stated.items() if known), *(f".{a}" for a in self.summed if is_number(a)))

    def guard_functions(self) -> None:
        """The derivative is that for the functions that the defaults name, or the comment."""
        for p, callees in self.fixed.items():
            for e in callees:
                if not isinstance(e, ast.Name | ast.Attribute) and not optional.is_none(e):
                    self.refuse("callee", e, f"the default of `{p}` has no name")
                    break
            else:
                self.emit(Inert("assert", (is_one_of(Var(p), tuple(map(self.object_of, callees))),)))

    def is_stated(self, test: ast.expr) -> bool:
        """Whether a test says of a parameter which functions it may be: `guard_functions` has written that."""
        said = one_of_functions(test)
        return said is not None and [*map(ast.unparse, said[1])] == [*map(ast.unparse, self.fixed.get(said[0], ()))]

    def parameters(self) -> tuple[ir.Param, ...]:
        a = self.node.args
        normal = [*a.posonlyargs, *a.args]
        defaults: list[ast.expr | None] = [None] * (len(normal) - len(a.defaults)) + list(a.defaults)
        kinds = ["positional"] * len(a.posonlyargs) + ["normal"] * len(a.args) + ["keyword"] * len(a.kwonlyargs)
        out = []
        for p, default, kind in zip([*normal, *a.kwonlyargs], [*defaults, *a.kw_defaults], kinds, strict=True):
            annotation = self.text(p.annotation) if p.annotation else ""
            meant = self.type_meant(p.annotation) if p.annotation else ""
            out.append(ir.Param(p.arg, annotation, self.text(default) if default else "", kind, meant))
        if a.vararg is not None:  # a tuple
            annotation = f"tuple[{self.text(a.vararg.annotation)}, ...]" if a.vararg.annotation else "tuple"
            out.insert(len(normal), ir.Param(a.vararg.arg, annotation, "", "star"))
        if a.kwarg is not None:
            annotation = f"dict[str, {self.text(a.kwarg.annotation)}]" if a.kwarg.annotation else "dict"
            out.append(ir.Param(a.kwarg.arg, annotation, "", "double star"))
        return tuple(out)

    # ------------------------------------------------------------ statements

    def block(self, body: Iterable[ast.stmt]) -> Block:
        def write() -> None:
            for s in body:
                self.statement(s)

        return self.captured(write)

    def start(self, s: ast.stmt) -> None:
        """Begins a statement: its origin, and what its comment says."""
        note = self.notes.get(id(s), NOTHING)
        match s:
            case (
                ast.If(body=body) | ast.For(body=body) | ast.While(body=body) | ast.With(body=body) | ast.Try(body=body)
            ):
                span = self.source.header(s, body)
            case _:
                span = self.source.span(s)
        made_here = getattr(s, "made", False) or not self.source.is_of(s)  # of a loop its first line
        text = ast.unparse(s).partition("\n")[0] if made_here else one_line(self.source.between(span))
        above, label = note.above, ""
        if note.numeric:
            above, label = (*above, ir.NUMERIC), f"(by central differences) {text}"
        self.origin = Origin(span, text, above, note.beside, label, kept=self.kept, held=note.constant)
        self.seen = set()
        self.constant = note.constant
        self.numeric, self.numeric_used = s if note.numeric else None, False
        if note.unknown:
            message = f"`# s2s: {note.unknown}` at the end of a statement can't be read"
            known = (
                "leave it out, or write `# s2s: constant`: no derivative passes through the line",
                "or `# s2s: numeric`",
            )
            self.refusals.append(Diagnostic("S410", message, span, help=known))
        if note.constant and not isinstance(s, ast.Assign | ast.AnnAssign | ast.AugAssign):
            message = "`# s2s: constant` belongs at the end of an assignment"
            self.refusals.append(Diagnostic("S410", message, span))
        if note.numeric and not isinstance(s, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Return):
            message = "`# s2s: numeric` belongs at the end of an assignment or a return"
            self.refusals.append(Diagnostic("S410", message, span))
            self.numeric = None

    def statement(self, s: ast.stmt) -> None:
        self.start(s)
        self.lowered(s)
        if self.numeric is s and not self.numeric_used:
            message = "nothing on this line needs `# s2s: numeric`: it is for the call of a function that has no rule"
            self.refusals.append(Diagnostic("S410", message, self.source.span(s)))

    def lowered(self, s: ast.stmt) -> None:
        origin = self.origin
        match s:
            case ast.Assign(targets=[target], value=value):
                self.assign_to(target, value)
            case ast.Assign(targets=targets, value=value):
                self.chained(targets, value)
            case ast.AnnAssign(target=target, value=annotated):
                if annotated is not None:
                    self.assign_to(target, annotated)
            case ast.AugAssign():
                self.augmented(s)
            case ast.If():
                self.conditional(s)
            case ast.For():
                self.for_loop(s)
            case ast.While():
                self.while_loop(s)
            case ast.Return(value=result):
                self.returned(result)
            case ast.Break():
                self.emit(Break(origin))
            case ast.Continue():
                self.emit(Continue(origin))
            case ast.Expr(value=value):
                self.expression_statement(value)
            case ast.Assert(test=test) if self.is_stated(test):
                pass
            case ast.Assert(test=test, msg=message):
                values = [self.tree(test)]
                if decided(values[0]) and not isinstance(test, ast.Constant):
                    return
                if message is not None:
                    values.append(self.tree_or_raw(message))
                self.emit(Inert("assert", tuple(values), origin, caught=id(s) in self.caught))
            case ast.Raise(exc=exc, cause=cause):
                error = tuple(self.tree_or_raw(e) for e in (exc, cause) if e is not None)
                self.emit(Inert("raise", error, origin, left_out=hasattr(s, "left_out"), caught=id(s) in self.caught))
            case ast.Import() | ast.ImportFrom():
                for name in self.hiding(s):
                    self.refuse("hiding", s, name)
                self.emit(Inert("import", (ir.Raw(self.text(s)),), origin))
            case ast.Pass():
                pass
            case ast.FunctionDef():
                self.define(s)
            case ast.Try():
                self.tried(s)
            case ast.With():
                self.with_statement(s)
            case ast.Match():
                unknown = getattr(s, "unknown", None)
                self.refuse("match", cast(ast.expr, unknown.pattern if unknown else s), str(unknown and unknown.text))
            case ast.Delete():
                self.deleted(s)
            case ast.Global():
                self.global_names(s)
            case _:
                family, *words = STATEMENTS.get(type(s), ("expression", f"`{type(s).__name__}`"))
                self.refuse(family, s, *(w for w in words if w))
                for inner in inner_blocks(s):  # for what else is refused there
                    self.block(inner)

    def hiding(self, s: ast.Import | ast.ImportFrom) -> list[str]:
        """The names that an import inside the function binds and which the module, or another such import, binds to
        something else: what they stand for would depend on who asks."""
        own, module = Imports(), self.names
        own.add(s)
        taken = {*module.functions, *module.constants, *module.others, *module.classes, *module.values}

        nested = any(isinstance(n, ast.Lambda | ast.FunctionDef) and n is not self.node for n in walk(self.node))

        def differs(name: str, path: str) -> bool:
            here, outside = self.imports.names.get(name, path), module.imports.names.get(name, path)
            libraries = not nested and self.node.name not in module.made and all(map(rules.is_module, (path, outside)))
            meant = {path, here} | (set() if libraries else {outside})
            return len(meant) > 1 and not meant <= LIKE_NUMPY

        return [name for name, path in own.names.items() if name in taken or differs(name, path)]

    def returned(self, result: ast.expr | None) -> None:
        if isinstance(result, ast.IfExp) and not self.simple_choice(result):
            test = self.tree(result.test)
            body = self.captured(lambda: self.returned(result.body))
            orelse = self.captured(lambda: self.returned(result.orelse))
            self.emit(If(test, body, orelse, self.origin))
            return

        def write() -> None:
            value = NONE if result is None else self.value(result)
            value = self.without_stars(value)
            self.emit(Return(value, self.origin))

        self.emit(Leave(self.captured(write), self.origin))

    def without_stars(self, value: Expr) -> Expr:
        """What is returned, with names for `(*ys,)`: one result, not as many as are written."""
        if not isinstance(value, ir.Sequence):
            return value
        if not value.starred:
            return replace(value, items=tuple(map(self.without_stars, value.items)))
        t = self.temporary()
        self.set(t, value)
        return Var(t)

    def expression_statement(self, e: ast.expr) -> None:
        match e:
            case ast.Call(func=ast.Attribute(value=owner, attr=attr), args=args, keywords=options) if (
                own := self.by_variable(owner)
            ) is not owner:
                e = made(ast.Call(made(ast.Attribute(own, attr, ast.Load()), e), args, options), e)
        match e:
            case ast.Constant() | ast.Name():
                return
            case ast.NamedExpr():
                self.walrus(e)
                return
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name) as grown, attr="append"), args=[item], keywords=[]
            ) if self.is_local(name):
                if (self.grows(grown) or self.is_shrunk(grown)) and not isinstance(item, ast.Starred):
                    self.emit(ir.Append(self.variable(name), self.atom(item), self.origin))
                else:
                    self.mutation(e)
                return
            case ast.Call() if self.list_call(e):
                return
            case ast.Call() if self.in_place_call(e):
                return
            case ast.Call() if self.called(e):
                return
            case ast.Call(func=ast.Attribute(value=owner, attr=attr)) if self.has_method(owner, attr):
                self.run(e)
                return
            case ast.Call(func=func):
                found = self.resolve(func)
                if found is not None and (effects.is_draw(found[0]) or found[0] == "builtins.next"):
                    self.set(self.fresh("drawn"), self.value(e))  # it runs, though nobody reads its value
                    return
                if found is None or not self.is_quiet(*found, e):
                    called = self.specialised_elsewhere(e, self.atom)
                    if called is None:
                        self.mutation(e)
                    elif (of := self.helper_elsewhere(func)) is not None:
                        self.ran(called, of[0])
                    return
                if found[0].startswith("local.") and not self.in_tree:
                    self.run(e)
                    return
        self.emit(Inert("", (self.tree_or_raw(e),), self.origin))

    def run(self, e: ast.Call) -> None:
        """A helper is called for what it writes into its arguments."""
        self.ran(self.value(e), self.names)

    def ran(self, called: Expr, home: ModuleNames) -> None:
        if isinstance(called, Op) and self.gives_back(called.fn.removeprefix("local."), home):
            self.set(self.fresh("unused"), called)
        elif isinstance(called, Op):
            self.emit(Inert("", (called,), self.origin))

    def has_method(self, owner: ast.expr, name: str) -> bool:
        """Whether an object has a method that leaves the object itself as it is, or a class a static one."""
        cls = self.class_of_value(owner)
        if cls is None and not self.is_local_root(owner):
            cls = self.class_of(owner)
            if cls is not None and name not in cls.statics:
                return False
        return (
            cls is not None and name in cls.methods.keys() - cls.strange and not affects(cls.methods[name], self.names)
        )

    def gives_back(self, name: str, home: ModuleNames) -> bool:
        """Whether a helper returns anything: zeros of its shape stand for the cotangent of what nobody reads."""
        own = home.made.get(name)
        definition = own.node if own is not None else home.find_function(name)
        if not isinstance(definition, ast.FunctionDef):
            return False
        results = [n.value for n in body_nodes(definition) if isinstance(n, ast.Return)]
        return bool(results) and not any(r is None or isinstance(r, ast.Constant) for r in results)

    def in_place_call(self, e: ast.Call) -> bool:
        """A call as a statement that writes into an array: written as the store that it is. False for other calls."""
        found = self.resolve(e.func)
        if found is None or any(isinstance(a, ast.Starred) for a in e.args) or any(k.arg is None for k in e.keywords):
            return False
        fn, receiver = found
        options = {k.arg: k.value for k in e.keywords}
        match fn, receiver, e.args:
            case "method.fill", ast.expr(), [value] if not options:
                self.fill(receiver, self.value(value))
            case "numpy.copyto", None, [array, value] if options.keys() <= {"where"}:
                new = self.atom(value)
                if "where" in options:
                    new = Op("numpy.where", (self.atom(options["where"]), new, self.atom(array)))
                self.fill(array, new)
            case "numpy.fill_diagonal", None, [array, value] if not options:
                a = self.written(array)
                if a is None:
                    return False
                new = self.value(value)
                if not isinstance(new, Const):  # of more axes the key names other items
                    matrix = Op("numpy.equal", (Op("numpy.ndim", (a,)), Const(2)), form=Form.OPERATOR)
                    self.emit(ir.Inert("assert", (matrix,), self.origin))
                self.emit(ir.Store(ir.Index(a, ir.diagonal(a)), new, self.origin, constant=self.constant))
            case (("method.sort" | "numpy.sort"), ast.expr(), []) if options.keys() <= {"axis"}:
                pairs = tuple((k or "", self.tree(v)) for k, v in options.items())
                self.fill(receiver, Op("numpy.sort", (self.atom(receiver),), pairs, span=self.source.span(e)))
            case (
                ("numpy.add.at" | "numpy.subtract.at" | "helper._add_at"),
                None,
                [array, key, value],
            ) if not options:
                base = self.written(array)
                if base is None:
                    return False
                place = ir.Index(base, self.written_key(key), self.source.span(e))
                right = self.atom(value)
                t = self.temporary()
                self.set(t, place)
                operator = "numpy.subtract" if fn.startswith("numpy.subtract") else "numpy.add"
                # NumPy's own writes into arrays only: what lies there is none that Python would join with a list
                form = Form.OPERATOR if fn.startswith("helper.") else Form.CALL
                new = Op(operator, (Var(t), right), form=form, span=self.source.span(e))
                self.emit(ir.Store(place, new, self.origin, "at", self.constant))
            case (("numpy.put" | "method.put" | "numpy.place" | "numpy.putmask" | "numpy.put_along_axis"), _, _):
                args = e.args if receiver is None else [receiver, *e.args]
                return self.put_values(fn, args, {k or "": v for k, v in options.items()})
            case _ if "out" in options and fn.startswith("numpy."):
                self.computed_into(e)
            case _:
                return False
        return True

    def put_values(self, fn: str, args: List[ast.expr], options: dict[str, ast.expr]) -> bool:
        """np.put and its kin: stores, of values that are repeated as often as they are needed.

        np.put(a, k, v)                 a.reshape(-1)[k] = np.resize(v, np.shape(k))
        np.put_along_axis(a, k, v, 0)   a.reshape(-1)[np.take_along_axis(places, k, 0)] = v
        np.place(a, mask, v)            a[mask] = np.resize(v, np.count_nonzero(mask))
        np.putmask(a, mask, v)          a[...] = np.where(mask, np.resize(v, np.shape(a)), a)
        """
        name = fn.rpartition(".")[2]
        params = {
            "numpy.put": ("ind", "v"),
            "method.put": ("indices", "values"),
            "numpy.place": ("mask", "vals"),
            "numpy.putmask": ("mask", "values"),
        }.get(fn, ("indices", "values", "axis"))
        given = dict(zip(params, args[1:], strict=False)) | options
        if (
            len(args) > len(params) + 1
            or not args
            or any(p not in given for p in params[:2])
            or given.keys() - {*params}
        ):
            return False
        at, values = given[params[0]], self.operand(given[params[1]])
        if isinstance(values, ir.Sequence):
            values = self.named_key(Op("numpy.array", (values,)))
        base = self.written(args[0])
        if base is None:
            return False

        def repeated(shape: Expr) -> Expr:
            return values if isinstance(values, Const) else Op("numpy.resize", (values, shape))

        shape = Op("numpy.shape", (base,))
        if name == "putmask":
            new = repeated(shape)
            if new is not values:
                new = self.named_key(new)
            new = Op("numpy.where", (self.tree(at), new, base))
            self.emit(ir.Store(ir.Index(base, ir.ELLIPSIS), new, self.origin, constant=self.constant))
            return True
        key = self.tree(at)
        if name == "place":
            if not self.is_boolean(at):
                key = Op("numpy.not_equal", (key, Const(0)))
            key = self.named_key(key)
            new = repeated(Op("numpy.count_nonzero", (key,)))
            self.emit(ir.Store(ir.Index(base, key), new, self.origin, constant=self.constant))
            return True
        new = values
        if name == "put":
            key = self.written_key(at)
            count = Const(len(key.items)) if isinstance(key, ir.Sequence) else Op("numpy.shape", (key,))
            new = repeated(count)
        else:
            places = Op("numpy.reshape", (Op("numpy.arange", (Op("numpy.size", (base,)),)), shape))
            axis = self.tree(given["axis"]) if "axis" in given else Const(-1)
            key = self.named_key(Op("numpy.take_along_axis", (places, key, axis)))
        flat = Var(self.fresh(f"{base.name}_flat"))
        self.set(flat.name, Op("numpy.reshape", (base, Const(-1))))
        self.emit(ir.Store(ir.Index(flat, key), new, self.origin, constant=self.constant))
        return True

    def fill(self, array: ast.expr, value: Expr) -> None:
        """array[...] = value"""
        self.store_value(elements.every(array), value)

    def is_quiet(self, fn: str, receiver: ast.expr | None, call: ast.Call) -> bool:
        """A call as a statement that changes none of the function's values: of operands only, no `out`, no `copy`."""
        if fn.startswith("local.") or any(fn == q or fn.startswith(q + ".") for q in known.QUIET_CALLS):
            return True
        known_ = receiver is None and fn.startswith(("numpy.", "scipy.", "math.", "builtins."))
        rule = rules.lookup(fn) if known_ and fn not in known.MUTATING_FUNCTIONS else None
        if rule is not None and not call.keywords and (rule.star or len(call.args) <= len(rule.names)):
            return True  # its value is not read; it may raise, as a factorisation does that is only tried
        *path, last = fn.split(".")
        if path[:1] in (["numpy"], ["scipy"], ["method"]):
            return False
        return last in effects.LOGGING and len(path) > (path[:1] != ["module"])  # `log` of this module, or imported

    # ------------------------------------------------------------ assignments

    @functools.cached_property
    def loaded(self) -> set[str]:
        """The variables that somebody reads."""
        names = [n for n in walk(self.node) if isinstance(n, ast.Name)]
        updated = {id(n.target) for n in walk(self.node) if isinstance(n, ast.AugAssign)}
        return {n.id for n in names if id(n) in updated or not isinstance(n.ctx, ast.Store)}

    def is_for_effects(self, target: ast.expr, value: ast.expr) -> bool:
        """Whether nobody reads the value of a call that may write into what it is given: `ok = solve_in_place(a)`."""
        names = bound_names(walk(target))
        if not isinstance(value, ast.Call) or not names or self.loaded & names or self.makes_object(value):
            return False
        found = self.resolve(value.func)
        if found is None or any(isinstance(n, ast.Attribute | ast.Subscript) for n in walk(target)):
            return False
        fn, receiver = found
        overwrites = any(
            (k.arg or "").startswith("overwrite_") and not (isinstance(k.value, ast.Constant) and not k.value.value)
            for k in value.keywords
        )
        name = value.func.id if isinstance(value.func, ast.Name) else ""
        second = not self.is_local(name) and isinstance(self.names.values.get(name), ast.Attribute | ast.Name)
        if second and self.functional(value.func):
            return overwrites  # `N = norm.cdf`: what it stands for is called
        root = fn.removeprefix("python.").partition(".")[0]
        known_ = root in known.NEVER_READ or fn.startswith(effects.KNOWN) or rules.lookup(fn) is not None
        if fn in known.MUTATING_FUNCTIONS or overwrites:
            known_ = False
        elif fn.startswith("method."):
            known_ = fn[7:] in effects.SAME
        given = [*([receiver] if receiver is not None else []), *value.args, *(k.value for k in value.keywords)]
        return not known_ and any(map(self.holds_own, given))

    def holds_own(self, e: ast.expr) -> bool:
        """Whether an argument may be, or hold, what the function has under a name."""
        match e:
            case ast.Name(id=name):
                return self.is_local(name)
            case ast.Attribute(value=inner, attr=attr):
                return attr not in known.PLAIN_ATTRIBUTES and self.holds_own(inner)
            case ast.Subscript(value=inner) | ast.Starred(value=inner):
                return self.holds_own(inner)
            case ast.Tuple(elts=elts) | ast.List(elts=elts) | ast.Dict(values=elts):
                return any(map(self.holds_own, elts))
        return False

    def assign_to(self, target: ast.expr, value: ast.expr) -> None:
        if self.is_for_effects(target, value):
            assert isinstance(value, ast.Call)
            self.mutation(value)
        match target:
            case ast.Name(id=name) if name in self.bindings:
                self.bind_function(name, value)
            case ast.Name(id=name):
                same = isinstance(value, ast.Name) and value.id == name and name not in self.rename
                if name in self.aliases or (same and self.is_local(name)):
                    return
                if name in self.groups:
                    self.assign_group((name,), self.groups[name], value)
                    return
                if name in self.results and isinstance(value, ast.Call):
                    self.assign_result(name, value)
                    return
                if self.assign_part(name, value):
                    return
                self.assign(name, value)
            case ast.Attribute() | ast.Subscript() if (inner := self.group_at(target)) is not None:
                self.assign_group(self.rooted(self.chain(target) or ("",)), inner, value)
            case ast.Attribute() | ast.Subscript() if (own := self.own_part(target)) is not None:
                self.assign(own, value)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                self.assign_many(targets, value)
            case ast.Subscript():
                self.store_to(target, value)
            case ast.Attribute() if self.is_placed(target) or self.is_own_field(target):
                self.store_to(target, value)
            case _:
                self.store(target)
                self.value(value)

    def is_placed(self, target: ast.expr) -> bool:
        """Whether a place is a part of an item of a list that has its items alone: `bodies[i].x`."""
        while isinstance(target, ast.Subscript | ast.Attribute):
            target = target.value
            if (path := dotted(target)) is not None and ".".join(path) in self.placed:
                return True
        return False

    def is_own_field(self, target: ast.Attribute) -> bool:
        """Whether `s.u` is an attribute of an object of the function's own, which may have other names: one that its
        class stores as it is given."""
        root, attr = root_of(target), target.attr
        if not root or root in self.groups or not self.is_own(root):
            return False
        if attr in OF_VALUES and not self.is_field_of_object(target):
            return False
        own = self.class_of_value(target.value)
        return all(
            c.is_known
            and not c.frozen
            and "__setattr__" not in c.methods
            and not (c.has(attr) and attr not in c.fields)
            for c in ([own] if own is not None else self.known_classes())
            if own is not None or not c.frozen  # whose objects raise
        )

    def makes_object(self, e: ast.expr) -> bool:
        """Whether an expression makes an object of a class of this module."""
        return isinstance(e, ast.Call) and not self.is_local_root(e.func) and self.class_of(e.func) is not None

    def maker_class(self, call: ast.Call) -> ClassInfo | None:
        """The class of this module of which a call makes an object, if that does more than to keep what it is given."""
        cls = self.class_of(call.func) if not self.is_local_root(call.func) else None
        plain = cls is not None and not cls.makes and not cls.prefix and cls.is_known and cls.kind == "plain"
        return cls if plain else None

    def new_parts(self, e: ast.expr) -> frozenset[str] | None:
        """The entries of a new dict, `.x` for the attributes of a new object; None for anything else."""
        match e:
            case ast.Dict(keys=keys):
                texts = [k.value for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, str)]
                return frozenset(texts) if len(texts) == len(keys) else None
            case ast.Call(func=func, keywords=keywords) if not self.is_local_root(func):
                if self.resolve(func) == (NAMESPACE, None) and not e.args:
                    return frozenset(f".{k.arg}" for k in keywords) if all(k.arg for k in keywords) else None
                info = self.class_of(func)
                if info is not None and info.makes and info.is_known and not info.frozen and not info.properties:
                    return frozenset(f".{n}" for n in info.fields)
        return None

    def store_to(self, target: ast.Subscript | ast.Attribute, value: ast.expr) -> None:
        """array[key] = value: the value is evaluated first, then the array and the key."""
        match value:
            case ast.IfExp() | ast.BoolOp() | ast.ListComp() | ast.Call(args=[ast.GeneratorExp() | ast.ListComp(), *_]):
                t = self.temporary()
                self.assign(t, value)
                e: Expr = Var(t)
            case _:
                if isinstance(target, ast.Subscript):
                    target, value = self.shared_key(target, value)
                e = self.value(value)
                called = not ir.is_atom(e) and self.calls_own(target)  # that may change what `e` reads
                writes = isinstance(e, Op) and e.fn.startswith("local.") and has_effects(value, self.names.functions)
                if computes(e) or called or writes:  # its adjoint may read it, and what is stored may be broadcast
                    t = self.temporary()
                    self.set(t, e)
                    e = Var(t)
        self.store_value(target, e)

    def shared_key(self, target: ast.Subscript, value: ast.expr) -> tuple[ast.Subscript, ast.expr]:
        """`x[x > 0] = 1 / x[x > 0]` as `mask = x > 0` and `x[mask] = 1 / x[mask]`: one selection, with one shape."""
        key = ast.dump(target.slice)
        readers = [n for n in walk(value) if isinstance(n, ast.Subscript) and ast.dump(n.slice) == key]
        if not is_mask(target.slice) or not readers:
            return target, value
        if self.calls_own(value) or any(isinstance(n, ast.NamedExpr) for n in walk(value)):
            return target, value  # they may change what the key reads
        mask = self.fresh("mask")
        self.locals.add(mask)
        self.assign(mask, target.slice)

        class Named(ast.NodeTransformer):
            def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
                self.generic_visit(node)
                if ast.dump(node.slice) == key:
                    node.slice = made(ast.Name(mask, ast.Load()), node.slice)
                return node

        new = ast.Subscript(target.value, made(ast.Name(mask, ast.Load()), target.slice), ast.Store())
        return made(new, target), Named().visit(copy.deepcopy(value))

    def calls_own(self, e: ast.expr) -> bool:
        """Whether an expression calls anything but functions of NumPy and `math`."""
        calls = (n.func for n in walk(e) if isinstance(n, ast.Call))
        return any(not (self.resolve(func) or ("",))[0].startswith(("numpy.", "math.")) for func in calls)

    def store_value(self, target: ast.Subscript | ast.Attribute, value: Expr) -> None:
        place = self.place(target)
        if place is not None:
            new, sure = getattr(target, "new", False), getattr(target, "sure", False)
            self.emit(ir.Store(place, value, self.origin, constant=self.constant, new=new, sure=sure))

    def place(self, target: ast.Subscript | ast.Attribute) -> ir.Index | None:
        """Where a subscript writes: a local name under one subscript or several; None where that is refused."""
        match target.value:
            case ast.Name(id=name) if self.is_local(name) and name not in self.groups:
                base: Expr = self.name(target.value)
            case (ast.Subscript() | ast.Attribute()) as inner if (
                isinstance(inner, ast.Subscript) and self.part(inner) is None and self.whole(inner) is None
            ) or self.is_placed(inner):
                place = self.place(inner)
                if place is None:
                    return None
                base = place
            case ast.Name():
                self.store(target)
                return None
            case _:
                base = self.atom(target.value)
        if not isinstance(base, Var | ir.Index):
            self.store(target)
            return None
        key = self.written_key(target.slice) if isinstance(target, ast.Subscript) else Const(ir.Attr(target.attr))
        if key == ir.Sequence(()) and isinstance(target.value, ast.Name) and self.is_made_by_numpy(target.value.id):
            key = ir.ELLIPSIS  # `s[()] = e` of an array writes all of it, too
        if getattr(target, "keyed", False):
            if any(isinstance(n, Op) and n.fn == "builtins.len" for n in ir.walk(key)):  # of the dict, it may be
                key = self.named_key(key)
            key = Op(ir.KEY, (key,))
        return ir.Index(base, key, self.source.span(target))

    def written_key(self, node: ast.expr) -> Expr:
        """The key of a store. A part that computes more than an index is held: the store may change what it reads."""
        match node:
            case ast.Tuple(elts=elts):
                return self.sequence(node, elts, self.written_key)
        e = self.key(node)
        if any((isinstance(n, Op) and n.fn not in INDEX_ARITHMETIC) or isinstance(n, ir.Index) for n in ir.walk(e)):
            if isinstance(e, ir.Slice):
                parts = (None if p is None else self.named_key(p) for p in (e.start, e.stop, e.step))
                return ir.Slice(*parts)
            return self.named_key(e)
        return e

    def named_key(self, e: Expr) -> Expr:
        if ir.is_atom(e):
            return e
        if isinstance(e, Op):  # one operation on atoms, but for what carries no derivative
            e = replace(e, args=tuple(map(self.key_operand, e.args)))
        t = self.temporary()
        self.set(t, e)
        return Var(t)

    def key_operand(self, e: Expr) -> Expr:
        if isinstance(e, ir.Sequence):
            return replace(e, items=tuple(map(self.key_operand, e.items)))
        return self.named_key(e) if has_rule(e) else e

    def assign_many(self, targets: List[ast.expr], value: ast.expr) -> None:
        value = self.fields_of(each_written(self.listed_items(value)))
        match value:
            case ast.Tuple(elts=values) | ast.List(elts=values) if not any(isinstance(v, ast.Starred) for v in values):
                pairs = written_pairs(targets, value, values)
                if pairs is not None:
                    self.parallel([t for t, _ in pairs], [v for _, v in pairs])
                    return
                self.refuse("target", value, f"{len(values)} values to {len(targets)} names")
            case ast.IfExp(test=test, body=a, orelse=b):
                condition = self.tree(test)
                body = self.captured(lambda: self.assign_many(targets, a))
                orelse = self.captured(lambda: self.assign_many(targets, b))
                self.emit(If(condition, body, orelse, self.origin))
            case ast.Name(id=name) if name in self.results and self.unpacks(targets, name):
                for t, v in zip(targets, self.results[name][1], strict=True):
                    self.assign_value(t, Var(v))
            case ast.Call() if parts := self.results_of(value):
                named = (
                    [
                        ast.copy_location(ast.Name(self.fresh(p), ast.Store()), t)
                        if isinstance(t, ast.Name) and t.id == "_"
                        else t
                        for t, p in zip(targets, parts, strict=True)
                    ]
                    if len(parts) == len(targets)
                    else targets
                )
                self.unpack(named, self.value(value))
            case _ if self.unpacked_group(targets, value) or self.unzipped(targets, value):
                pass
            case _:
                self.unpack(targets, self.named_solution(self.value(value)))

    def listed_items(self, value: ast.expr) -> ast.expr:
        """`map(f, xs)`, or a list or tuple of it, or of a generator, where it is unpacked: as a list comprehension."""
        items = value
        match value:
            case ast.Call(func=ast.Name(id="list" | "tuple" as name), args=[inner], keywords=[]) if self.is_builtin(
                name
            ):
                items = inner
            case ast.Tuple(elts=[ast.Starred(value=inner)]) | ast.List(elts=[ast.Starred(value=inner)]):
                items = inner
        items = self.as_generator(items)
        if not isinstance(items, ast.GeneratorExp):
            return value
        return made(ast.ListComp(items.elt, items.generators), value)

    def parallel(self, targets: List[ast.expr], values: List[ast.expr]) -> None:
        """a, b = b, a: the old value of a name that a later value reads gets a temporary first; all values do where
        a function inside of this one may read such a name, or bind it."""
        names = [t.id for t in targets if isinstance(t, ast.Name) and t.id not in self.groups]
        if len(names) < len(targets) or self.read_by_functions(values[1:]) & {*names[:-1]}:
            atoms = [self.held(v) for v in values]
            for t, atom in zip(targets, atoms, strict=True):
                self.assign_value(t, atom)
            return
        outer = self.rename
        self.rename = dict(outer)
        for i, (t, v) in enumerate(zip(targets, values, strict=True)):
            assert isinstance(t, ast.Name)
            later = set().union(*(read_names(w) for w in values[i + 1 :]))
            if t.id in later and t.id not in self.rename:
                old = self.fresh(f"old_{t.id}")
                self.set(old, Var(t.id))
                self.assign(t.id, v)
                self.rename[t.id] = Var(old)
            else:
                self.assign(t.id, v)
        self.rename = outer

    def own_part(self, target: ast.expr) -> str | None:
        """The variable of its own that a part of an object has become."""
        path = self.chain(target)
        return self.entries.get(self.rooted(path)) if path is not None else None

    def held(self, value: ast.expr) -> Expr:
        """The value under a name that no assignment of this statement changes."""
        e = self.value(value)
        return e if isinstance(e, Const) else self.taken(e)

    def taken(self, e: Expr) -> Expr:
        t = self.temporary()
        self.set(t, e)
        return Var(t)

    def one_by_one(self, targets: List[ast.expr], items: tuple[Expr, ...]) -> bool:
        """`a, b = (e, f)`, where a nested function has given the display: one assignment for each target."""
        stars = [i for i, t in enumerate(targets) if isinstance(t, ast.Starred)]
        rest = len(items) - len(targets) + 1
        if len(stars) > 1 or rest < 0 or (not stars and rest != 1):
            return False
        for i in stars:
            items = (*items[:i], ir.Sequence(items[i : i + rest], "list"), *items[i + rest :])
        bound = {n for t in targets for n in target_names(t)}
        stores = not all(isinstance(t, ast.Name | ast.Starred) for t in targets)
        values = [
            e if not ir.reads(e) or ((isinstance(e, Var) or not stores) and not ir.reads(e) & bound) else self.taken(e)
            for e in items
        ]
        for t, e in zip(targets, values, strict=True):
            self.assign_value(t.value if isinstance(t, ast.Starred) else t, e)
        return True

    def assign_value(self, target: ast.expr, value: Expr) -> None:
        match target:
            case ast.Name(id=name) if name not in self.groups:
                self.set(name, value)
            case ast.Attribute() | ast.Subscript() if (own := self.own_part(target)) is not None:
                self.set(own, value)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                self.unpack(targets, value)
            case ast.Subscript():
                self.store_value(target, value)
            case ast.Attribute() if self.is_placed(target) or self.is_own_field(target):
                self.store_value(target, value)
            case _:
                self.store(target)

    def unpack(self, targets: List[ast.expr], value: Expr) -> None:
        if isinstance(value, ir.Sequence) and not value.starred and self.one_by_one(targets, value.items):
            return
        names: list[str] = []
        inner: list[tuple[ast.expr, str]] = []
        starred = -1
        for i, t in enumerate(targets):
            if isinstance(t, ast.Starred):
                starred, t = i, t.value
            own = self.own_part(t) if isinstance(t, ast.Attribute | ast.Subscript) else None
            before = {n.id for earlier, _ in inner for n in walk(earlier) if isinstance(n, ast.Name)}
            if isinstance(t, ast.Name) and t.id not in self.groups and t.id not in before:  # `w[i], w = e`: the old w
                names.append(t.id)
            elif own is not None and own.isidentifier() and own not in names:
                names.append(own)
            else:
                match t:
                    case ast.Subscript(value=ast.Name(id=array)):
                        names.append(self.fresh(f"{array}_item"))
                    case _:
                        names.append(self.temporary())
                inner.append((t, names[-1]))
        if starred >= 0 and isinstance(value, ir.Index):  # a part of it is taken: of a list that has a name
            of = ir.written_name(value)
            row = self.fresh(f"{of}_item" if of.isidentifier() else "row")
            self.locals.add(row)
            self.set(row, value)
            value = Var(row)
        if starred >= 0 and (results := results_of(value)):  # `c, *_ = np.linalg.lstsq(A, b)`
            rest, others = names[starred], len(names) - 1
            parts = [self.fresh(n) for n in results[starred : len(results) - others + starred]]
            self.locals |= {*parts}
            self.emit(Unpack((*names[:starred], *parts, *names[starred + 1 :]), value, self.origin, self.constant))
            if rest in self.read_anywhere():
                self.set(rest, ir.Sequence(tuple(map(Var, parts)), "list"))
        else:
            self.emit(Unpack(tuple(names), value, self.origin, self.constant, starred))
        for t, name in inner:
            self.assign_value(t, Var(name))

    def read_anywhere(self) -> set[str]:
        return {n.id for n in walk(self.node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}

    def chained(self, targets: List[ast.expr], value: ast.expr) -> None:
        first = next((t.id for t in targets if isinstance(t, ast.Name)), "")
        before = (n for t in takewhile(lambda t: not isinstance(t, ast.Name), targets) for n in walk(t))
        if any(isinstance(n, ast.Name) and n.id == first for n in before):  # `w[:] = w = e` writes into the old w
            first = ""
        if isinstance(value, ast.Name | ast.Constant) and value not in targets:
            e = self.value(value)
            if not isinstance(e, Var) or e.name not in {t.id for t in targets if isinstance(t, ast.Name)}:
                for t in targets:
                    self.assign_value(t, e)
                return
        name = first or self.temporary()
        self.assign(name, value)
        skipped = not first
        for t in targets:
            if not skipped and isinstance(t, ast.Name) and t.id == first:
                skipped = True
                continue
            self.assign_value(t, Var(name))

    def augmented(self, s: ast.AugAssign) -> None:
        fn = BINARY[type(s.op)]
        match s.target:
            case ast.Name(id=name) if name not in self.groups:
                if name in self.only_lists and isinstance(s.op, ast.Add):
                    self.extend(name, s.value, joined=True)
                    return
                self.seen.add(name)  # Python reads it before it evaluates the value, which must not bind it
                target = name
            case ast.Attribute() | ast.Subscript() if (own := self.own_part(s.target)) is not None:
                target = own
            case ast.Subscript():
                self.updated(s.target, fn, s.value, self.source.span(s))
                return
            case ast.Attribute() if (
                self.is_placed(s.target) or self.adds_to_zeros(s.target) or self.is_own_field(s.target)
            ):
                self.summed.setdefault(s.target.attr)
                self.updated(s.target, fn, s.value, self.source.span(s))
                return
            case _:
                self.store(s.target)
                self.value(s.value)
                return
        value = self.atom(s.value)
        symbol = ir.OPERATORS[fn][0] + "="
        self.set(target, Op(fn, (Var(target), value), form=Form.OPERATOR, spelling=symbol, span=self.source.span(s)))

    def updated(self, target: ast.Subscript | ast.Attribute, fn: str, value: ast.expr, span: Span | None) -> None:
        """array[key] += value, with NumPy's meaning: array[key] = array[key] + value, in place."""
        known = self.adds_to_zeros(target) or self.is_placed(target) or getattr(target, "keyed", False)
        known = known or (isinstance(target.value, ast.Subscript | ast.Name) and self.is_own(root_of(target)))
        if isinstance(target, ast.Subscript) and string_key(target) is not None and not known:
            # in place where the entry is an array, which may have other names
            text = self.text(target)
            rebind = f"`{text} = {text} {ir.OPERATORS[fn][0]} ...`, where the entry is a number or no other name has it"
            self.refuse("store", target, text, help=(rebind, "or give the array a name of its own, and update that"))
            return
        place = self.place(target)
        if place is None:
            self.value(value)
            return
        t = self.temporary()
        self.set(t, self.item(place))  # Python reads it before it evaluates the value
        right = self.atom(value)
        new = Op(fn, (Var(t), right), form=Form.OPERATOR, span=span)
        self.emit(ir.Store(place, new, self.origin, ir.OPERATORS[fn][0], self.constant))

    def is_made_by_numpy(self, name: str) -> bool:
        """Whether all that a name is bound to are results of NumPy's functions: no dict."""
        bound = self.name_bindings[name]
        found = [self.resolve(v.func) if isinstance(v, ast.Call) else None for v in bound.values]
        return len(found) == bound.stores > 0 and all(r is not None and r[0].startswith("numpy.") for r in found)

    def is_own(self, name: str) -> bool:
        """Whether a name is of the function; what its object is, is seen later."""
        return self.is_local(name) and name not in self.params

    def adds_to_zeros(self, target: ast.expr) -> bool:
        """Whether a place lies in zeros that a file of ours makes: `x_bar = _zeros_like(x)`. No other name has them."""
        while isinstance(target, ast.Subscript | ast.Attribute):
            target = target.value
        return isinstance(target, ast.Name) and target.id in self.zeros_made

    @functools.cached_property
    def zeros_made(self) -> frozenset[str]:
        """Names that are bound to nothing but such zeros, sums that start with them, and each other."""
        values: dict[str, list[ast.expr]] = {}
        bound = Counter[str]()
        for n in body_nodes(self.node):
            match n:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    values.setdefault(name, []).append(value)
                case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                    bound[name] += 1
        given = {p.arg for p in parameters(self.node)}
        made = {name for name, found in values.items() if len(found) == bound[name] and name not in given}

        def is_new(e: ast.expr) -> bool:
            match e:
                case ast.Name(id=name):
                    return name in made
                case ast.ListComp(elt=elt):
                    return is_new_object(elt)
                case ast.DictComp(value=ast.Call(func=func)):
                    names = ("numpy.zeros_like", "helper._zeros_like")
                case ast.Call(func=func):
                    names = ("helper._zeros_like", "helper._added")
                case _:
                    return False
            called = self.resolve(func)
            return called is not None and called[0] in names

        def is_new_object(e: ast.expr) -> bool:
            match e:
                case ast.Call(func=func, args=[], keywords=keywords) if self.resolve(func) == (NAMESPACE, None):
                    return all(is_zero(k.value) for k in keywords)
                case ast.Dict(values=inner):
                    return all(map(is_zero, inner))
            return False

        def is_zero(e: ast.expr) -> bool:
            match e:
                case ast.Call(func=func):
                    called = self.resolve(func)
                    return is_new_object(e) or (called is not None and called[0] == "numpy.zeros_like")
                case ast.Constant(value=float()):
                    return True
            return is_new_object(e)

        while less := {name for name in made if not all(map(is_new, values[name]))}:
            made -= less
        return frozenset(made)

    def item(self, place: ir.Index) -> ir.Index:
        """What is read at a place: `a[i][j]` in steps, as everywhere else."""
        if not isinstance(place.array, ir.Index):
            return place
        t = self.temporary()
        self.set(t, self.item(place.array))
        return replace(place, array=Var(t))

    # ------------------------------------------------------------ control

    def conditional(self, s: ast.If) -> None:
        origin = self.origin
        test = self.tree(s.test)
        holds = bool(test.value) if isinstance(test, Const) else decided(test)
        if holds is not None and not isinstance(s.test, ast.Constant):  # known where the function was made
            for x in s.body if holds else s.orelse:
                self.statement(x)
            return
        foreign = self.foreign(s.test)
        if foreign == 1 and self.foreign(s.test, s.body) == 0:
            foreign = 0
        guarded = any(
            isinstance(n, ast.Name) and n.id in ("isinstance", "hasattr", "type", "callable") for n in walk(s.test)
        )
        body = self.opaque(s.body) if foreign == 1 else self.branch(s.body, guarded)
        orelse = self.opaque(s.orelse) if foreign == -1 else self.branch(s.orelse, guarded)
        if foreign == -1 and raises(orelse):  # all that goes on has taken the other branch
            test, body, orelse = negate(test), orelse, body
        elif not (foreign == 1 and raises(body)):
            self.emit(If(test, body, orelse, origin))
            return
        self.emit(If(test, body, (), origin))
        self.out += orelse

    def while_loop(self, s: ast.While) -> None:
        origin = self.origin
        outer, self.out = self.out, []
        test = self.tree(s.test)
        hoisted, self.out = self.out, outer
        body = self.block(s.body)
        self.origin = origin

        def write(body: Block) -> None:
            if not hoisted:
                self.emit(While(test, body, origin))
                return
            # `while (n := f(n)) > 0`: the assignment runs before each test
            leave = If(negate(test), (Break(origin),), (), origin)
            self.emit(While(Const(True), cast(Block, (*hoisted, leave, *body)), origin))

        self.with_else(s, body, write)

    def for_loop(self, s: ast.For) -> None:
        origin = self.origin
        inside = [n for x in s.body for n in walk(x)]
        round_ = without_continue(s.body)
        exits = any(isinstance(n, ast.Break | ast.Continue) for x in round_ for n in walk(x)) or s.orelse
        if not exits and self.written_loop(s.target, s.iter, inside, lambda: self.put(self.block(round_))):
            return
        late = turns.late_items(s, self.node, self.names.functions)
        late = late or turns.late_sources(s, self.node, self.names.functions, self.names.imports.names)
        if late is not None:
            self.refuse("late", late)
        elif (late := turns.late_entries(s, self.node, self.names.functions)) is not None:
            d = self.text(late)
            help_ = (f"read the entry in the body: `for k in {d}:`, then `v = {d}[k]`",)
            self.refuse("late", late, label="a later round gives what is bound here", help=help_)
        iterable = self.run_over(s.iter, s.body)
        target = self.loop_target(s.target)
        constant = self.constant
        restore = self.with_functions(s.target, s.iter)
        body = self.block(s.body)
        restore()
        self.origin, self.constant = origin, constant
        self.with_else(s, body, lambda body: self.emit_for(target, iterable, body, s.iter))

    # ------------------------------------------------------------ branches that no number reaches

    def branch(self, body: list[ast.stmt], guarded: bool) -> Block:
        """A branch; where it only raises, or stands behind a test of a type, what is not supported is carried over."""
        before = list(self.refusals)
        block = self.block(body)
        raises = bool(body) and isinstance(body[-1], ast.Raise)
        if len(self.refusals) > len(before) and (guarded or raises):
            self.refusals = before
            return self.opaque(body)
        return block

    def without_foreign(self) -> bool:
        """Writes an error for each branch that returns and that no number reaches, so that nothing in it is taken for
        what is known of the parameters. Whether there was one."""
        found = False
        for n in [n for s in self.node.body for n in walk(s) if isinstance(n, ast.If)]:
            for holds, body in ((1, n.body), (-1, n.orelse)):
                if body and isinstance(body[-1], ast.Return) and self.foreign(n.test, body) == holds:
                    error = expression(f"TypeError({self.no_derivative(body)!r})", body[0])
                    body[:] = [made(ast.Raise(error, None), body[0])]
                    body[0].left_out = True  # type: ignore[attr-defined]
                    found = True
        return found

    def no_derivative(self, body: list[ast.stmt]) -> str:
        self.start(body[0])
        return f"{self.node.name} has no derivative here: {self.origin.text if self.origin else ''}"

    def foreign(self, test: ast.expr, body: list[ast.stmt] | None = None) -> int:
        """1 if the test holds only for values that are no numbers, -1 if it fails only for them, else 0.

        body: the branch, which may read of such a value what a number does not have.
        """
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                return -self.foreign(inner, body)
            case ast.BoolOp(op=ast.And(), values=values):
                asked = {ast.dump(v.comparators[0]) for v in values if asks_for_key(v)}
                return int(any(self.foreign(v, body) == 1 for v in values if not is_test_of(v, asked)))
            case ast.BoolOp(op=ast.Or(), values=values):
                if all(self.foreign(v, body) == 1 for v in values):
                    return 1
                return -int(any(self.foreign(v, body) == -1 for v in values))
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), kinds]):
                parts = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
                if name not in self.params:
                    return 0  # what the function itself has made or chosen
                texts = body and all(self.resolve(p) == ("builtins.str", None) for p in parts)
                if texts and (is_text(body or [], name) or is_text(self.node.body, name)):
                    return 0  # a flag, which is a text in one call and a number in another
                return int(all(self.foreign_type(p) or self.read_as(p, name, body or []) for p in parts))
            case ast.Call(func=ast.Name(id="hasattr"), args=[ast.Name(), ast.Constant(value=str() as name)]):
                array = name.startswith("__") or name in known.METHODS or name in known.PLAIN_ATTRIBUTES
                return int(
                    not array
                    and name not in known.ARRAY_ATTRIBUTES
                    and not hasattr(list, name)
                    and not hasattr(dict, name)
                )
            case ast.Compare(
                left=ast.Call(func=ast.Name(id="type"), args=[ast.Name(id=name)]),
                ops=[ast.Is() | ast.Eq()],
                comparators=[kind],
            ):
                return int(name in self.params and self.foreign_type(kind))
        return 0

    def foreign_type(self, kind: ast.expr) -> bool:
        found = self.resolve(kind)
        if found is None or found[1] is not None:
            return False
        fn = found[0]
        return fn not in NUMERIC_TYPES and fn.partition(".")[0] not in NUMERIC_MODULES

    def read_as(self, kind: ast.expr, name: str, body: list[ast.stmt]) -> bool:
        """Whether a branch reads of a value what only another type of number has (`x.numerator`, `x.sqrt()`), or the
        entries of a dict where the function calculates with the value elsewhere."""
        found = self.resolve(kind)
        if found is None or found[1] is not None or name in bound_names(body_nodes(self.node)):
            return False
        inside = {id(n) for s in body for n in walk(s)}
        if found[0].partition(".")[0] in EXACT_MODULES:
            asked = {n.attr for s in body for n in walk(s) if isinstance(n, ast.Attribute) and is_name(n.value, name)}
            return bool(asked - {*known.ARRAY_ATTRIBUTES, *known.METHODS, *known.PLAIN_ATTRIBUTES})
        return found[0] == "builtins.dict" and any(
            isinstance(n, ast.BinOp)
            and not isinstance(n.op, ast.BitOr)
            and id(n) not in inside
            and (is_name(n.left, name) or is_name(n.right, name))
            for n in body_nodes(self.node)
        )

    def opaque(self, body: list[ast.stmt]) -> Block:
        """A branch that no number reaches, as text; one that binds or returns a value raises instead: what the value
        has to do with the parameters is not known."""
        simple = (ast.Expr, ast.Raise, ast.Assert, ast.Pass, ast.Import, ast.ImportFrom)
        if all(isinstance(s, simple) and not self.dict_entries_in(s) and not self.acts(s) for s in body):

            def write() -> None:
                for s in body:
                    self.start(s)
                    keyword = "raise" if isinstance(s, ast.Raise) else ""
                    if isinstance(s, ast.Raise):
                        parts = tuple(self.raw(e) for e in (s.exc, s.cause) if e is not None)
                        self.emit(Inert(keyword, parts, self.origin, left_out=hasattr(s, "left_out")))
                    else:
                        self.emit(Inert(keyword, (self.raw(s),), self.origin))

            return self.captured(write)
        error = Op("builtins.TypeError", (Const(self.no_derivative(body)),), spelling="TypeError")
        return (Inert("raise", (error,), self.origin, left_out=True),)

    def acts(self, s: ast.stmt) -> bool:
        """Whether a statement calls a method of a variable, or hands one to a function that may change it."""
        calls = [n for n in walk(s) if isinstance(n, ast.Call)] if isinstance(s, ast.Expr) else []
        methods = (dotted(n.func) for n in calls if isinstance(n.func, ast.Attribute))
        own = any(path is None or self.is_local(path[0]) for path in methods)
        helpers = (n.func.id for n in calls if isinstance(n.func, ast.Name))
        return own or any(name in self.names.functions or self.is_local(name) for name in helpers)

    def dict_entries_in(self, node: ast.AST) -> bool:
        return bool(read_names(node) & {*self.groups, *self.stored})


def inner_blocks(s: ast.stmt) -> Iterable[list[ast.stmt]]:
    match s:
        case ast.With(body=body) | ast.AsyncWith(body=body) | ast.AsyncFor(body=body):
            yield body
        case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=final):
            yield from [body, *(h.body for h in handlers), orelse, final]
        case ast.Match(cases=cases):
            yield from (c.body for c in cases)


def asks_for_key(e: ast.expr) -> TypeGuard[ast.Compare]:
    """`"k" in q`"""
    return isinstance(e, ast.Compare) and isinstance(e.left, ast.Constant) and isinstance(e.ops[0], ast.In)


def is_test_of(e: ast.expr, names: Collection[str]) -> bool:
    """Whether a test asks for the type of a name, of those whose keys are asked for, too: then it may be a dict."""
    return isinstance(e, ast.Call) and len(e.args) == 2 and ast.dump(e.args[0]) in names
