"""Is every part of the table of rules tested? Each rule is changed in one place, and its tests must notice.

    python tests/mutation.py [NAME ...]      or: make mutate

A mutant is a rule with one operator, factor, sign, operand, comparison or call of `_unbroadcast` changed (Budd et al.,
"The design of a prototype mutation system for program testing", 1978). It is killed where one of the tests fails for a
rule that it is part of: those of `test_rules.py`, of `test_complex_rules.py` for what complex numbers take, of
`test_solvers.py` for solvers, at last the texts of `test_rule_texts.py`. What describes a rule stays as it is: its key,
its samples and what makes them, messages, annotations.

Fences are mutants of their own: a rule without its `check`, or with one parameter fewer in `closed`. `test_options.py`
must notice them, too.

Survivors that mean the same match a pattern in `EQUIVALENT`, which gives the reason. Exit code 1 where others survive,
where a pattern matches none, or where a statement can't be run again unchanged, which would kill all of its mutants.
"""

from __future__ import annotations

import ast
import copy
import importlib
import inspect
import multiprocessing
import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import test_complex_rules
import test_options
import test_rule_texts
import test_rules
import test_solvers
from mutation_equivalent import EQUIVALENT
from s2s import rules
from s2s.rules import Rule, kinds

MAKERS = {
    "elementwise": kinds.Elementwise,
    "reduction": kinds.Reduction,
    "linear": kinds.Linear,
    "multilinear": kinds.Multilinear,
    "general": kinds.General,
    "solver": kinds.Solver,
}
FOR_COMPLEX = {kind.__name__: kind for kind in MAKERS.values()}  # for_complex(Elementwise(...))
ENTRIES = MAKERS.keys() | FOR_COMPLEX.keys()
# Modules without entries that have a derivative; `numeric` is one rule for all functions: test_numeric.py.
NO_TABLE = (*("kinds", "tracing", "user", "published", "constants", "refused", "effects", "sparse", "numeric"),)
UNTOUCHED = ("at", "domain", "analytic", "symmetric", "results", "smooth", "closed")  # what describes the tests

# ---------------------------------------------------------------- mutants of an expression

SWAPPED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Pow: ast.Mult,
}
COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
PAIRS = [
    ("sin", "cos"), ("sinh", "cosh"), ("tan", "tanh"), ("exp", "expm1"), ("log", "log1p"), ("sqrt", "abs"),
    ("maximum", "minimum"), ("max", "min"), ("sum", "mean"), ("tril", "triu"), ("deg2rad", "rad2deg"),
    ("degrees", "radians"), ("ones_like", "zeros_like"), ("isfinite", "isnan"), ("flipud", "fliplr"),
]  # fmt: skip
OTHER = dict(PAIRS) | {b: a for a, b in PAIRS}


def expressions(node: ast.expr, names: tuple[str, ...]) -> Iterator[ast.expr]:
    """What an expression may be mistaken for. names: the parameters of the function around it."""
    match node:
        case ast.BinOp(left=a, op=op, right=b):
            if type(op) in SWAPPED:
                yield ast.BinOp(a, SWAPPED[type(op)](), b)
            yield a
            if not isinstance(op, ast.Pow | ast.Div | ast.FloorDiv | ast.Mod):
                yield b
            if isinstance(op, ast.Sub | ast.Div | ast.MatMult | ast.FloorDiv | ast.Mod):
                yield ast.BinOp(b, op, a)
            if isinstance(op, ast.Sub):
                yield ast.UnaryOp(ast.USub(), b)
        case ast.UnaryOp(op=ast.USub() | ast.Not(), operand=a) if not isinstance(a, ast.Constant):
            yield a
        case ast.Compare(left=a, ops=[op], comparators=[b]) if type(op) in COMPARED:
            yield ast.Compare(a, [COMPARED[type(op)]()], [b])
        case ast.IfExp(test=test, body=a, orelse=b):
            yield ast.IfExp(test, b, a)
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            yield ast.Constant(value + 1)
        case ast.Name(id=name) if name in names:
            yield from (ast.Name(n, ast.Load()) for n in names if n != name)
        case ast.Attribute(value=a, attr="T"):
            yield a
        case ast.Call(func=func, args=args, keywords=keywords):
            called = func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""
            if called in OTHER and isinstance(func, ast.Attribute):
                yield ast.Call(ast.Attribute(func.value, OTHER[called], ast.Load()), args, keywords)
            if called in ("_unbroadcast", "nonzero", "conj", "real", "swapaxes", "sign", "back", "abs"):
                yield args[0]
            first = int(called in ENTRIES)  # behind the key
            pair = [ast.dump(x) for x in args[first : first + 2]]
            if len(set(pair)) == 2 and not any(isinstance(x, ast.Starred) for x in args):
                swapped = [args[first + 1], args[first]]
                yield ast.Call(func, [*args[:first], *swapped, *args[first + 2 :]], keywords)
            if called not in ENTRIES:
                yield from (ast.Call(func, args, [x for x in keywords if x is not k]) for k in keywords)


FUNCTIONS = (ast.Lambda, ast.FunctionDef)
LEFT_OUT = ("annotation", "returns", "decorator_list", "defaults", "pattern", "func")


def mutants(
    root: ast.AST, described: frozenset[str] = frozenset(), names: tuple[str, ...] = (), test: bool = False
) -> Iterator[tuple[ast.AST, ast.AST]]:
    """(node, replacement) for all places below a node.

    Strings, annotations and raised errors stay, and what describes a rule. described: names that are read for samples
    only.
    """
    if isinstance(root, ast.Raise) or is_described(root, described):
        return
    if isinstance(root, FUNCTIONS):
        names = tuple(a.arg for a in root.args.args)
    if isinstance(root, ast.expr) and (not test or isinstance(root, ast.Compare)):
        for new in expressions(root, () if test else names):
            yield root, ast.copy_location(new, root)
    for field, child in parts(root):
        yield from mutants(child, described, names, test or field in ("test", "guard", "subject"))


def parts(root: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """What is below a node, with the field it is in, without what describes a rule."""
    for field, value in ast.iter_fields(root):
        if field in LEFT_OUT or (field == "args" and isinstance(root, FUNCTIONS)):
            continue
        for i, child in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(child, ast.AST) and not describes(root, field, i, child):
                yield field, child


def is_entry(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ENTRIES


def describes(root: ast.AST, field: str, i: int, child: ast.AST) -> bool:
    """Whether a part of a node is the key of a rule, what describes it for its tests, or the message of a check."""
    if is_entry(root):
        return (field == "args" and i == 0) or getattr(child, "arg", "") in UNTOUCHED
    return isinstance(root, ast.Return) and isinstance(child, ast.JoinedStr)


def is_described(s: ast.AST, described: frozenset[str]) -> bool:
    return isinstance(s, ast.stmt) and bool(names := set(bound(s))) and names <= described


def for_samples(body: list[ast.stmt]) -> frozenset[str]:
    """Names of a module that are read nowhere but in what describes rules, or for such names."""
    found: frozenset[str] = frozenset()
    everything = {n for s in body for n in bound_below(s)}
    while True:
        read = {n.id for s in body for n in read_below(s, found) if isinstance(n.ctx, ast.Load)}
        more = frozenset(everything - read)
        if more == found:
            return found
        found = more


def bound_below(s: ast.AST) -> Iterator[str]:
    for n in ast.walk(s):
        if isinstance(n, ast.stmt):
            yield from bound(n)


def read_below(node: ast.AST, described: frozenset[str]) -> Iterator[ast.Name]:
    if is_described(node, described):
        return
    if isinstance(node, ast.Name):
        yield node
    for field, value in ast.iter_fields(node):
        for i, child in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(child, ast.AST) and not describes(node, field, i, child):
                yield from read_below(child, described)


class Replaced(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        return self.new if node is self.old else super().visit(node)

    def generic_visit(self, node: ast.AST) -> ast.AST:  # a copy: the tree is used again
        fields: dict[str, Any] = {}
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                fields[name] = [self.visit(v) if isinstance(v, ast.AST) else v for v in value]
            else:
                fields[name] = self.visit(value) if isinstance(value, ast.AST) else value
        return ast.copy_location(type(node)(**fields), node)


# ---------------------------------------------------------------- the modules of the table


Made = tuple[dict[str, Rule], Rule]  # a rule, and the table that it stands in


@dataclass(frozen=True)
class Mutant:
    module: str
    position: int  # of the statement in its module
    changed: ast.stmt
    title: str  # what is changed, as it stands in EQUIVALENT


class Source:
    """A module of the table: its statements, and which of them read which names."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self.body = ast.parse(inspect.getsource(module)).body
        self.reads = [{n.id for n in ast.walk(s) if isinstance(n, ast.Name)} for s in self.body]
        self.binds = [set(bound(s)) for s in self.body]
        self.described = for_samples(self.body)
        self.makers: set[int] = set()  # functions that make rules: run again, they make them here, not in the table
        while more := {i for i in range(len(self.body)) if self.is_maker(i)} - self.makers:
            self.makers |= more
        self.imports = {
            a.asname or a.name: (s.module, a.name) for s in self.body if isinstance(s, ast.ImportFrom) for a in s.names
        }

    def makes(self, i: int) -> bool:
        """Whether a statement makes rules."""
        return not isinstance(self.body[i], ast.FunctionDef | ast.ImportFrom) and self.enters(i)

    def is_maker(self, i: int) -> bool:
        return isinstance(self.body[i], ast.FunctionDef) and self.enters(i)

    def enters(self, i: int) -> bool:
        names = {n for m in self.makers for n in self.binds[m]}
        return bool(self.reads[i] & names) or any(is_entry(n) for n in ast.walk(self.body[i]))

    def again(self, changed: set[str], own: dict[int, ast.stmt]) -> list[ast.stmt]:
        """The statements to run where some names have changed: `own` in the place of their originals."""
        which = {*self.makers, *self.affected(changed), *own}
        return [own.get(i, self.body[i]) for i in sorted(which)]

    def affected(self, names: set[str]) -> list[int]:
        """The statements that depend on some names, in order."""
        found: set[int] = set()
        while True:
            more = {i for i, r in enumerate(self.reads) if r & names and not isinstance(self.body[i], ast.ImportFrom)}
            if more <= found:
                return sorted(found)
            found |= more
            names = names.union(*(self.binds[i] for i in found))

    def run(self, statements: Iterable[ast.stmt], given: dict[str, Any]) -> tuple[list[Made], dict[str, Any]]:
        """The rules that statements make, and the names afterwards."""
        made: list[Made] = []

        def maker(kind: type[Rule]) -> Callable[..., Rule]:
            def make(*args: Any, **options: Any) -> Rule:
                return entered(kinds.TABLE, kind(*args, **options))

            return make

        def entered(table: dict[str, Rule], rule: Rule) -> Rule:
            made.append((table, rule))
            return rule

        def for_complex(rule: Rule, adjoint: bool = True) -> Rule:
            rule.adjoint = adjoint
            return entered(kinds.COMPLEX, rule)

        space = (
            vars(self.module)
            | {n: maker(kind) for n, kind in MAKERS.items()}
            | {"for_complex": for_complex, "enter": partial(entered, kinds.TABLE), "constant": lambda *keys: None}
            | given
        )
        tree = ast.fix_missing_locations(ast.Module(list(statements), []))
        exec(compile(tree, f"<mutant of {self.module.__name__}>", "exec"), space)
        return made, space


def bound(s: ast.stmt) -> Iterator[str]:
    match s:
        case ast.FunctionDef(name=name):
            yield name
        case ast.Assign(targets=targets):
            yield from (n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)) | ast.AugAssign(target=ast.Name(id=name)):
            yield name


def sources() -> dict[str, Source]:
    list(rules.all_rules())  # those of SciPy are loaded when they are first asked for
    names = sorted(n for n in sys.modules if n.startswith("s2s.rules.") and n.rpartition(".")[2] not in NO_TABLE)
    return {n: Source(importlib.import_module(n)) for n in names}


SOURCES = sources()


def all_mutants() -> Iterator[Mutant]:
    for name, source in SOURCES.items():
        for i, s in enumerate(source.body):
            if isinstance(s, ast.FunctionDef) or source.makes(i):
                label = s.name if isinstance(s, ast.FunctionDef) else key_of(s)
                seen: set[str] = set()
                for old, new in mutants(s, source.described):
                    changed = Replaced(old, new).visit(s)
                    title = f"{name.rpartition('.')[2]}.{label}: {shown(s, old)} -> {shown(changed, new)}"
                    if title in seen:
                        title += f" (at {getattr(old, 'col_offset', 0)})"
                    seen.add(title)
                    yield Mutant(name, i, changed, title)


def unchanged() -> Iterator[Mutant]:
    for name, source in SOURCES.items():
        for i, s in enumerate(source.body):
            if isinstance(s, ast.FunctionDef) or source.makes(i):
                yield Mutant(name, i, s, f"{name}: {ast.unparse(s)[:60]}")


def key_of(s: ast.stmt) -> str:
    texts = [
        n.value for n in ast.walk(s) if isinstance(n, ast.Constant) and isinstance(n.value, str) and "(" in n.value
    ]
    return texts[0].partition("(")[0] if texts else ast.unparse(s)[:40]


def shown(root: ast.AST, node: ast.AST) -> str:
    """The lambda body or simple statement around a node."""
    best: ast.AST = node
    for n in ast.walk(root):
        inside = any(x is node for x in ast.walk(n))
        if inside and isinstance(n, ast.Lambda):
            return ast.unparse(n.body)
        if inside and isinstance(n, ast.Return | ast.Assign) and n is not root:
            return ast.unparse(n)
        if inside and isinstance(n, ast.If | ast.match_case):
            test = n.test if isinstance(n, ast.If) else n.guard
            if test is not None and any(x is node for x in ast.walk(test)):
                best = test
    return ast.unparse(best)


def rules_of(mutant: Mutant) -> list[Made]:
    """The rules that a mutant is part of, as it makes them."""
    source = SOURCES[mutant.module]
    names = source.binds[mutant.position]
    found, space = source.run(source.again(names, {mutant.position: mutant.changed}), {})
    changed = names.union(*(source.binds[i] for i in source.affected(names)))
    for other in SOURCES.values():
        taken = {
            n: space[origin]
            for n, (home, origin) in other.imports.items()
            if home == mutant.module and origin in changed
        }
        if taken:
            more, _ = other.run(other.again(set(taken), {}), taken)
            found += more
    return found


# ---------------------------------------------------------------- the tests of one rule

Check = Callable[[Rule], Any]
EVERY: dict[str, list[Check]] = {}
COMPLEX: dict[str, list[Check]] = {}
TEXTS: dict[str, list[Check]] = {}


def prepare() -> None:
    """The checks for each function, cheap ones first."""

    def add(fn: str, check: Check, to: dict[str, list[Check]] = EVERY) -> None:
        to.setdefault(fn, []).append(check)

    for case in test_rules.CASES + test_rules.VARIED:
        add(case.rule.fn, lambda rule, case=case: both_modes(replace(case, rule=rule)))
    for call, wrt, env, expected in test_rules.EDGES:
        add(named(call), lambda _, e=(call, wrt, env, expected): test_rules.test_edges(*e))
    for call, message in test_rules.REFUSED:
        add(named(call), lambda _, e=(call, message): test_rules.test_refusals(*e))
    for rule, shape, axis in test_rules.EMPTY:
        add(rule.fn, lambda rule, e=(shape, axis): test_rules.test_reductions_of_nothing(rule, *e))
    for case in test_rules.FLOAT32:
        add(case.rule.fn, lambda rule, case=case: test_rules.test_float32_stays_float32(replace(case, rule=rule)))
    for case in test_rules.CASES:
        add(case.rule.fn, lambda rule, case=case: test_rules.test_views_are_known(replace(case, rule=rule)))
    for case in test_complex_rules.CASES:
        add(case.rule.fn, lambda rule, case=case: complex_modes(replace(case, rule=rule)), COMPLEX)
    for e in test_complex_rules.AT_ZERO:
        add(named(e[0]), lambda _, e=e: test_complex_rules.test_at_zero(*e), COMPLEX)
    add("numpy.linalg.norm", lambda _: test_complex_rules.test_norms_that_are_refused(), COMPLEX)
    for e in test_complex_rules.REFUSED:
        add(named(e[0]), lambda _, e=e: test_complex_rules.test_options_that_are_refused(*e), COMPLEX)
    for rule in kinds.TABLE.values():
        if rule.kind == "solver":
            for check in of_solver(rule.fn.rpartition(".")[2]):
                add(rule.fn, check)
    add("numpy.poly", lambda _: test_rules.test_the_characteristic_polynomial_is_refused())
    for e in test_rules.CUT_OFF:
        add(named(e[0]), lambda _, e=e: test_rules.test_a_pseudo_inverse_that_is_cut_off(*e))
    for e in test_rules.GRADIENTS:
        add("numpy.gradient", lambda _, e=e: test_rules.test_texts_of_gradients(*e), TEXTS)
    add("numpy.gradient", lambda _: test_rules.test_a_part_of_a_gradient_that_nobody_reads(), TEXTS)
    for name in test_rules.BETWEEN_NUMBERS:
        add(f"numpy.{name}", lambda _, n=name: test_rules.test_points_between_numbers_of_single_precision(n))
    add("numpy.histogram", lambda _: test_rules.test_a_histogram_whose_edges_are_those_of_the_data())
    add("numpy.power", lambda _: test_rules.test_a_power_of_a_literal_with_a_complex_exponent(), COMPLEX)
    for e in test_rules.TEXTS:
        add(named(e[0]), lambda _, e=e: test_rules.test_text(*e), TEXTS)
    for call, shapes in test_rule_texts.CALLS:
        for fn in bound_in(lambda e=(call, shapes): test_rule_texts.test_text(*e)):
            add(fn, lambda _, e=(call, shapes): test_rule_texts.test_text(*e), TEXTS)


def of_solver(name: str) -> Iterator[Check]:
    """The programs of test_solvers.py that mention a function."""
    word = re.compile(rf"\b{name}\(")
    for n, (source, _) in (test_solvers.PROGRAMS | test_solvers.FLOWS).items():
        if word.search(source):
            yield lambda _, n=n: test_solvers.test_in_both_modes(n)
    for n, (source, *_) in test_solvers.REFUSED.items():
        if word.search(source):
            yield lambda _, n=n: test_solvers.test_what_is_refused(n)


def bound_in(run: Callable[[], Any]) -> set[str]:
    """The functions whose rules are used while something runs."""
    used: set[str] = set()
    bind = Rule.bind

    def recorded(self: Rule, op: Any) -> Any:
        used.add(self.fn)
        return bind(self, op)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Rule, "bind", recorded)
        run()
    return used


def named(call: str) -> str:
    tree = ast.parse(call, mode="eval").body
    assert isinstance(tree, ast.Call)
    fn = test_rules.function_of(tree)
    rule = rules.lookup(fn)
    return rule.fn if rule is not None else fn


REFERENCES: dict[object, Any] = {}
CURRENT = ["", ""]  # what is tested: the case, and which of its derivatives


def remembered(reference: Callable[..., Any]) -> Callable[..., Any]:
    """The numerical references do not depend on the rule: they are computed once."""

    def found(f: Any, x: Any, g: Any, *more: Any) -> Any:
        key = (reference.__name__, *CURRENT, f.__defaults__, test_rules.flat(g).tobytes(), *more)
        if key not in REFERENCES:
            REFERENCES[key] = reference(f, x, g, *more)
        return REFERENCES[key]

    return found


test_rules.numeric_vjp = remembered(test_rules.numeric_vjp)
test_rules.complex_vjp = remembered(test_rules.complex_vjp)
test_complex_rules.reference = remembered(test_complex_rules.reference)


def both_modes(case: test_rules.Case) -> None:
    CURRENT[:] = test_rules.case_id(case), ""
    test_rules.test_both_modes(case)


class ComplexFacts(test_rules.AllFacts):
    def is_real(self, e: Any) -> bool:
        return not np.iscomplexobj(self.value(e))


def complex_modes(case: test_rules.Case) -> None:
    """What `test_complex_rules.test_both_modes` asks, of the rule alone, which takes a hundredth of the time."""
    CURRENT[0] = f"complex {test_rules.case_id(case)}"
    rng = np.random.default_rng(5)
    result = case.primal(case.env)
    for parts in test_rules.selections(case):
        out = test_rules.part_of(result, parts)
        g_parts = test_complex_rules.random_like(out, rng)
        g = test_rules.whole(result, parts, g_parts)
        dots = {o: test_complex_rules.random_like(x, rng) for o, x in test_rules.operands_of(case).items()}
        names = {f"dot{i}": dot for i, dot in enumerate(dots.values())}
        for facts in (kinds.NO_FACTS, ComplexFacts(test_rules.known(case, g, result).env | names)):
            for operand, dot in dots.items():
                try:
                    complex_operand(case, operand, dot, (result, out), (g, g_parts), parts, facts)
                except kinds.RuleError:
                    assert facts is kinds.NO_FACTS  # a rule may want to know a rank


def complex_operand(case: Any, operand: Any, dot: Any, results: Any, cotangents: Any, parts: Any, facts: Any) -> None:
    (result, out), (g, g_parts) = results, cotangents
    name = test_rules.name_of(operand)
    x = case.env[name]

    def f(value: Any) -> Any:
        return test_rules.part_of(case.primal(case.env | {name: value}), parts)

    given = g if case.rule.adjoint else conjugated(g)
    bar = test_rules.pulled(case, operand, given, result, facts)[0]
    bar = bar if case.rule.adjoint else conjugated(bar)
    bar = test_rules.finish(case, bar if np.iscomplexobj(x) else np.real(bar), x)
    assert np.shape(bar) == np.shape(x)
    CURRENT[1] = f"{name} {parts}"
    expected = test_complex_rules.reference(f, x, g_parts)
    test_complex_rules.close(bar, expected, 1e-2 if "complex64" in case.rule.fn else 2e-7)
    tangent = test_rules.pushed(case, {operand: dot}, result, parts, facts)[0]
    assert np.iscomplexobj(test_rules.flat(out)) or not np.iscomplexobj(test_rules.flat(tangent))
    if case.rule.kind != "elementwise":  # whose tangents the engine broadcasts
        pairs = zip(tangent, out, strict=True) if isinstance(out, list | tuple) else [(tangent, out)]
        assert all(np.shape(t) == np.shape(o) for t, o in pairs)
    product = test_complex_rules.inner(g_parts, test_rules.broadcast_to_out(tangent, out))
    test_rules.close(product, test_complex_rules.inner(bar, dot), 2e-11)


def conjugated(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(conjugated(v) for v in value)
    return None if value is None else np.conj(value)


def checks_of(table: dict[str, Rule], fn: str) -> list[Check]:
    if table is kinds.COMPLEX:
        return COMPLEX.get(fn, []) + TEXTS.get(fn, [])
    of_complex = COMPLEX.get(fn, []) if fn in kinds.HOLOMORPHIC and fn not in kinds.COMPLEX else []
    return EVERY.get(fn, []) + TEXTS.get(fn, []) + of_complex


def survives(mutant: Mutant) -> bool | None:
    """None where no rule depends on what is changed."""
    try:
        made = rules_of(mutant)
    except Exception:
        return False
    if not made:
        return None
    for table, rule in made:
        if rule.fn not in table:
            return False  # a rule for something else: the function itself has none, which test_coverage.py notices
        with in_place(table, rule):
            if not all(passes(check, rule) for check in checks_of(table, rule.fn)):
                return False
    return True


# ---------------------------------------------------------------- fences


@dataclass(frozen=True)
class Fence:
    """A rule that lacks its check, or one of its closed parameters."""

    of_complex: bool
    fn: str
    name: str  # of the parameter, or "" for the check

    @property
    def title(self) -> str:
        return f"fences.{'complex ' * self.of_complex}{self.fn}: without {self.name or 'its check'}"

    def rule(self) -> Rule:
        changed = copy.copy(self.table[self.fn])
        if self.name:
            changed.closed = {n: why for n, why in changed.closed.items() if n != self.name}
        else:
            changed.check = None
        return changed

    @property
    def table(self) -> dict[str, Rule]:
        return kinds.COMPLEX if self.of_complex else kinds.TABLE


def fences() -> Iterator[Fence]:
    for table in (kinds.TABLE, kinds.COMPLEX):
        for rule in table.values():
            for name in ([""] if rule.check else []) + list(rule.closed):
                yield Fence(table is kinds.COMPLEX, rule.fn, name)


def stands_without(fence: Fence) -> bool:
    """Whether no test notices that a fence is gone."""
    rule = fence.rule()
    with in_place(fence.table, rule):
        checks = checks_of(fence.table, rule.fn)
        if fence.of_complex:
            checks = [*checks, test_options.test_a_complex_rule_refuses_what_the_real_one_does]
        elif case := test_options.ONE_EACH.get(rule.fn):
            for test in (
                test_options.test_what_moves_the_result_is_an_operand_or_closed,
                test_options.test_what_is_taken_is_right,
            ):
                checks = [*checks, lambda rule, test=test: test(replace(case, rule=rule))]
        elif rule.kind == "constant":
            checks = [*checks, test_options.test_what_moves_a_constant_is_closed]
        closed = [c for c in test_options.CLOSED if f"{rule.spelled}(" in c]
        checks = [*checks, *(lambda _, call=call: test_options.test_what_is_closed(call) for call in closed)]
        checks = [*checks, test_options.test_what_is_never_taken]
        return all(passes(check, rule) for check in checks)


def passes(check: Check, rule: Rule) -> bool:
    try:
        check(rule)
    except pytest.skip.Exception:
        return True
    except (Exception, pytest.fail.Exception):
        return False
    return True


@contextmanager
def in_place(table: dict[str, Rule], rule: Rule) -> Iterator[None]:
    """A changed rule where the table has its own."""
    before = table[rule.fn]
    table[rule.fn] = rule
    try:
        yield
    finally:
        table[rule.fn] = before


@contextmanager
def quiet() -> Iterator[None]:
    """Only what is deprecated fails."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", DeprecationWarning)
        yield


def judged(mutant: Mutant | Fence) -> tuple[str, bool | None]:
    with quiet():
        return mutant.title, stands_without(mutant) if isinstance(mutant, Fence) else survives(mutant)


def verify() -> list[str]:
    """What is wrong before anything is changed."""
    problems = []
    for same in unchanged():
        try:
            rules_of(same)
        except Exception as fault:
            problems.append(f"can't be run again ({fault!r}): {same.title}")
    for table in (kinds.TABLE, kinds.COMPLEX):
        for rule in table.values():
            if rule.kind != "constant" and not checks_of(table, rule.fn):
                problems.append(f"no tests: {rule}")
            for check in checks_of(table, rule.fn):
                with quiet():
                    try:
                        check(rule)
                    except pytest.skip.Exception:
                        continue
    return problems


def main(names: list[str]) -> int:
    prepare()
    if problems := [] if names else verify():
        print(*problems, sep="\n")
        return 1
    todo = [m for m in (*all_mutants(), *fences()) if not names or any(n in m.title for n in names)]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        outcomes = [(title, lives) for title, lives in pool.map(judged, todo, chunksize=20) if lives is not None]
    alive = [title for title, lives in outcomes if lives]
    stale = [p for p in EQUIVALENT if not any(re.search(p, title) for title in alive)] if not names else []
    bad = [title for title in alive if not any(re.search(p, title) for p in EQUIVALENT)]
    for title in bad:
        print(f"survives: {title}")
    for pattern in stale:
        print(f"listed as equivalent, but killed or gone: {pattern}")
    print(f"{'':18} mutants  killed  equivalent  surviving")
    counted = [Counter(title.partition(".")[0] for title in which) for which in ([t for t, _ in outcomes], alive, bad)]
    for file in [*sorted(counted[0]), "all"]:
        n, living, left = (c.total() if file == "all" else c[file] for c in counted)
        print(f"{file:18} {n:7} {n - living:7} {living - left:11} {left:10}")
    return int(bool(bad or stale))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
