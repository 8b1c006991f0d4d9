"""Is every part of the table of rules tested? Each rule is changed in one place, and its tests must notice.

    python tests/mutation.py [NAME ...]      or: make mutate

A mutant is a rule with one operator, factor, sign, operand, comparison or call of `_unbroadcast` changed (Budd et al.,
"The design of a prototype mutation system for program testing", 1978). It is killed where one of the checks of
`test_rules.py` fails for a rule that it is part of; the texts that are written down there are asked only where the
change is in a test that chooses between two ways of writing. Survivors that mean the same match a pattern in
`EQUIVALENT`, which gives the reason. Exit code 1 where others survive, or where a listed one is killed.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import multiprocessing
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import test_rules
from mutation_equivalent import EQUIVALENT
from s2s import rules
from s2s.rules import Rule, kinds

MAKERS = {
    "elementwise": kinds.Elementwise,
    "reduction": kinds.Reduction,
    "linear": kinds.Linear,
    "multilinear": kinds.Multilinear,
    "general": kinds.General,
}
NO_TABLE = ("kinds", "tracing", "user", "constants", "refused")  # modules without entries that have a derivative
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
            if len(args) > 1 and not any(isinstance(x, ast.Starred) for x in args):
                yield ast.Call(func, [args[1], args[0], *args[2:]], keywords)
            if called not in MAKERS:
                yield from (ast.Call(func, args, [x for x in keywords if x is not k]) for k in keywords)


FUNCTIONS = (ast.Lambda, ast.FunctionDef)
LEFT_OUT = ("annotation", "returns", "decorator_list", "defaults", "pattern", "func")


def mutants(root: ast.AST, names: tuple[str, ...] = (), test: bool = False) -> Iterator[tuple[ast.AST, ast.AST, bool]]:
    """(node, replacement, whether it chooses a branch) for all places below a node.

    Strings, annotations and raised errors stay, and what describes a rule for its tests.
    """
    if isinstance(root, FUNCTIONS):
        names = tuple(a.arg for a in root.args.args)
    if isinstance(root, ast.expr):
        for new in expressions(root, () if test else names):
            if not test or isinstance(root, ast.Compare):
                yield root, ast.copy_location(new, root), test
    is_entry = isinstance(root, ast.Call) and isinstance(root.func, ast.Name) and root.func.id in MAKERS
    for field, value in ast.iter_fields(root):
        if field in LEFT_OUT or (field == "args" and isinstance(root, FUNCTIONS)) or isinstance(root, ast.Raise):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.keyword) and child.arg in UNTOUCHED and is_entry:
                continue
            if isinstance(child, ast.AST):
                yield from mutants(child, names, test or field in ("test", "guard", "subject"))


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


@dataclass(frozen=True)
class Mutant:
    module: str
    position: int  # of the statement in its module
    changed: ast.stmt
    title: str  # what is changed, as it stands in EQUIVALENT
    chooses: bool  # it is a test: the branches may mean the same and read differently, so texts are asked as well


class Source:
    """A module of the table: its statements, and which of them read which names."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self.body = ast.parse(inspect.getsource(module)).body
        self.reads = [{n.id for n in ast.walk(s) if isinstance(n, ast.Name)} for s in self.body]
        self.binds = [set(bound(s)) for s in self.body]
        self.imports = {
            a.asname or a.name: (s.module, a.name) for s in self.body if isinstance(s, ast.ImportFrom) for a in s.names
        }

    def makes(self, i: int) -> bool:
        """Whether a statement makes rules."""
        return any(
            isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in MAKERS
            for n in ast.walk(self.body[i])
        ) and not isinstance(self.body[i], ast.FunctionDef)

    def affected(self, names: set[str]) -> list[int]:
        """The statements that depend on some names, in order."""
        found: set[int] = set()
        while True:
            more = {i for i, r in enumerate(self.reads) if r & names and not isinstance(self.body[i], ast.ImportFrom)}
            if more <= found:
                return sorted(found)
            found |= more
            names = names.union(*(self.binds[i] for i in found))

    def run(self, statements: Iterable[ast.stmt], given: dict[str, Any]) -> tuple[list[Rule], dict[str, Any]]:
        """The rules that statements make, and the names afterwards."""
        made: list[Rule] = []

        def maker(kind: type[Rule]) -> Callable[..., Rule]:
            def make(*args: Any, **options: Any) -> Rule:
                made.append(kind(*args, **options))
                return made[-1]

            return make

        space = (
            vars(self.module)
            | {n: maker(kind) for n, kind in MAKERS.items()}
            | {"constant": lambda *keys: None}
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
        case ast.AnnAssign(target=ast.Name(id=name)):
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
                for old, new, chooses in mutants(s):
                    changed = Replaced(old, new).visit(s)
                    title = f"{name.rpartition('.')[2]}.{label}: {shown(s, old)} -> {shown(changed, new)}"
                    if title in seen:
                        title += f" (at {getattr(old, 'col_offset', 0)})"
                    seen.add(title)
                    yield Mutant(name, i, changed, title, chooses)


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


def rules_of(mutant: Mutant) -> list[Rule]:
    """The rules that a mutant is part of, as it makes them."""
    source = SOURCES[mutant.module]
    names = source.binds[mutant.position]
    behind = [i for i in source.affected(names) if i != mutant.position] if names else []
    found, space = source.run([mutant.changed, *(source.body[i] for i in behind if i >= 0)], {})
    changed = {n for i in [mutant.position, *behind] for n in source.binds[i]}
    for other in SOURCES.values():
        taken = {
            n: space[origin]
            for n, (home, origin) in other.imports.items()
            if home == mutant.module and origin in changed
        }
        if taken:
            more, _ = other.run((other.body[i] for i in other.affected(set(taken))), taken)
            found += more
    return found


# ---------------------------------------------------------------- the tests of one rule

EVERY: dict[str, list[Callable[[Rule], Any]]] = {}
TEXTS: dict[str, list[Callable[[Rule], Any]]] = {}


def prepare() -> None:
    """The checks for each function, cheap ones first."""

    def add(fn: str, check: Callable[[Rule], Any]) -> None:
        EVERY.setdefault(fn, []).append(check)

    for case in test_rules.CASES + test_rules.VARIED:
        add(case.rule.fn, lambda rule, case=case: both_modes(replace(case, rule=rule)))
    for call, wrt, env, expected in test_rules.EDGES:
        add(named(call), lambda _, e=(call, wrt, env, expected): test_rules.test_edges(*e))
    for call, message in test_rules.REFUSED:
        add(named(call), lambda _, e=(call, message): test_rules.test_refusals(*e))
    for e in test_rules.TEXTS:
        TEXTS.setdefault(named(e[0]), []).append(lambda _, e=e: test_rules.test_text(*e))
    for rule, shape, axis in test_rules.EMPTY:
        add(rule.fn, lambda rule, e=(shape, axis): test_rules.test_reductions_of_nothing(rule, *e))
    for case in test_rules.FLOAT32:
        add(case.rule.fn, lambda rule, case=case: test_rules.test_float32_stays_float32(replace(case, rule=rule)))
    for case in test_rules.CASES:
        add(case.rule.fn, lambda rule, case=case: test_rules.test_views_are_known(replace(case, rule=rule)))


def named(call: str) -> str:
    fn = call.partition("(")[0].replace("np.", "numpy.").replace("sp.", "scipy.")
    fn = fn if "." in fn else f"builtins.{fn}"
    rule = rules.lookup(fn)
    return rule.fn if rule is not None else fn


REFERENCES: dict[object, Any] = {}
CURRENT: list[str] = [""]


def remembered(reference: Callable[..., Any]) -> Callable[..., Any]:
    """The numerical references do not depend on the rule: they are computed once."""

    def found(f: Any, x: Any, g: Any, *more: Any) -> Any:
        key = (reference.__name__, CURRENT[0], f.__defaults__, test_rules.flat(g).tobytes(), *more)
        if key not in REFERENCES:
            REFERENCES[key] = reference(f, x, g, *more)
        return REFERENCES[key]

    return found


test_rules.numeric_vjp = remembered(test_rules.numeric_vjp)
test_rules.complex_vjp = remembered(test_rules.complex_vjp)


def both_modes(case: test_rules.Case) -> None:
    CURRENT[0] = test_rules.case_id(case)
    test_rules.test_both_modes(case)


def survives(mutant: Mutant) -> bool | None:
    """None where no rule depends on what is changed."""
    try:
        made = rules_of(mutant)
    except Exception:
        return False
    if not made:
        return None
    for rule in made:
        before = kinds.TABLE.get(rule.fn)
        if before is None:
            continue
        kinds.TABLE[rule.fn] = rule
        try:
            for check in EVERY.get(rule.fn, []) + (TEXTS.get(rule.fn, []) if mutant.chooses else []):
                try:
                    check(rule)
                except pytest.skip.Exception:
                    continue
                except (Exception, pytest.fail.Exception):
                    return False
        finally:
            kinds.TABLE[rule.fn] = before
    return True


def judged(mutant: Mutant) -> tuple[str, bool | None]:
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return mutant.title, survives(mutant)


def main(names: list[str]) -> int:
    prepare()
    for rule in rules.all_rules():  # the table itself must pass
        for check in EVERY.get(rule.fn, []):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    check(rule)
            except pytest.skip.Exception:
                continue
    todo = [m for m in all_mutants() if not names or any(n in m.title for n in names)]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        outcomes = [(title, lives) for title, lives in pool.map(judged, todo, chunksize=20) if lives is not None]
    alive = [title for title, lives in outcomes if lives]
    stale = [p for p in EQUIVALENT if not any(re.search(p, title) for title in alive)] if not names else []
    bad = [title for title in alive if not any(re.search(p, title) for p in EQUIVALENT)]
    for title in bad:
        print(f"survives: {title}")
    for title in stale:
        print(f"listed as equivalent, but killed or gone: {title}")
    equivalent = len(alive) - len(bad)
    killed = len(outcomes) - len(alive)
    rate = 100.0 * killed / max(1, len(outcomes) - equivalent)
    print(
        f"{len(outcomes)} mutants: {killed} killed, {equivalent} equivalent, {len(bad)} survive ({rate:.1f} % killed)"
    )
    return int(bool(bad or stale))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
