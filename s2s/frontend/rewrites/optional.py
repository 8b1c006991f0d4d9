"""Functions that may be left out: tests of a parameter that is a function or None are decided, for each is known.

def layer(x, w, act=None):          layer(x, w) calls        def _layer(x, w):
    if act is None:                                              return w * x
        return w * x                layer(x, w, np.tanh)     def _layer_tanh(x, w):
    return act(w * x)                                            return np.tanh(w * x)

Of the function that is differentiated itself, the one with None is meant, which the output asserts. Helpers are made in
this way for parameters that are objects or None, too: `spring=None`. And a parameter that is a module stands for it:
`def f(x, xp=np)`, and `g(x, np)`. Tests whether NumPy has a function are decided by the NumPy at hand.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Collection, Mapping
from types import ModuleType
from typing import Any, cast

import numpy as np

from s2s import rules
from s2s.frontend.text.function_bodies import default_nodes
from s2s.frontend.text.literals import ORDER, calculated, is_plain_question, of_literals, without_literals
from s2s.frontend.text.names import METHODS, ModuleNames
from s2s.frontend.text.scopes import body_nodes, bound_names, dotted, is_bound, is_number, mentions, parameters, walk
from s2s.frontend.text.source import made

NONE = "None"
Meant = Mapping[str, str]  # NONE for a parameter that is None, "" for one that is a function


def is_none(e: ast.expr | None) -> bool:
    return isinstance(e, ast.Constant) and e.value is None


def called(function: ast.FunctionDef, name: str, names: ModuleNames, seen: frozenset[tuple[str, str]]) -> bool:
    """Whether a parameter is called, here or in a function of the module that it is handed to."""
    if (function.name, name) in seen:
        return False
    seen |= {(function.name, name)}
    for n in (n for s in function.body for n in walk(s)):
        if not isinstance(n, ast.Call):
            continue
        if isinstance(n.func, ast.Name) and n.func.id == name:
            return True
        helper = names.functions.get(n.func.id) if isinstance(n.func, ast.Name) else None
        if not isinstance(helper, ast.FunctionDef):
            continue
        normal = [*helper.args.posonlyargs, *helper.args.args]
        given = [(p.arg, e) for p, e in zip(normal, n.args, strict=False)]
        given += [(k.arg, k.value) for k in n.keywords if k.arg]
        if any(isinstance(e, ast.Name) and e.id == name and called(helper, p, names, seen) for p, e in given):
            return True
    return False


def may_be_objects(function: ast.FunctionDef, names: ModuleNames) -> list[str]:
    """The parameters that are None unless an object is given for them: methods of the module's classes are called of
    them, and all that the function does where they are None is known."""
    methods = methods_of(names)
    found = []
    for p in (p for p, d in default_nodes(function) if is_none(d)):
        asked = any(
            isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id == p and n.attr in methods
            for n in body_nodes(function)
        )
        if asked and chosen_at(function, p) is not None:
            found.append(p)
    return found


def methods_of(names: ModuleNames) -> set[str]:
    """The methods and properties of the module's classes that arrays and lists do not have."""
    return {m for c in names.classes.values() for m in (*c.methods, *c.properties)} - METHODS.keys()


def class_otherwise(function: ast.FunctionDef, name: str) -> ast.expr | None:
    """What is called where a parameter is None: Spring of `spring = spring or Spring(1.0)`."""
    at = chosen_at(function, name)
    match chosen(function.body[at], name) if at is not None and at >= 0 else None:
        case ast.Call(func=func):
            return func
    return None


def optional(function: ast.FunctionDef, names: ModuleNames) -> list[str]:
    """The parameters that are None unless a function, or a module, is given for them."""
    found = []
    for p in (p for p, d in default_nodes(function) if is_none(d)):
        at = chosen_at(function, p)
        otherwise = chosen(function.body[at], p) if at is not None and at >= 0 else None
        if at is not None and (is_module(otherwise, names) or called(function, p, names, frozenset())):
            found.append(p)
    return found


def left_out(function: ast.FunctionDef, names: ModuleNames) -> dict[str, ast.Constant]:
    """The options that no call of the module gives, and what they are then: None where the function asks whether they
    are, texts, True and False."""
    if names.functions.get(function.name) is not function:
        return {}
    asked = {p: d for p, d in default_nodes(function) if isinstance(d, ast.Constant) and is_option(function, p, d)}
    if not asked:
        return {}
    normal = [p.arg for p in (*function.args.posonlyargs, *function.args.args)]
    methods = [m for c in names.classes.values() for m in c.methods.values()]
    for n in (n for f in (*names.functions.values(), *methods) for n in walk(f)):
        if isinstance(n, ast.Name) and n.id == function.name and not isinstance(n.ctx, ast.Load):
            return {}
        if not (isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == function.name):
            continue
        if any(isinstance(a, ast.Starred) for a in n.args) or any(k.arg is None for k in n.keywords):
            return {}
        given = {*normal[: len(n.args)], *(k.arg for k in n.keywords if not is_none(k.value))}
        asked = {p: d for p, d in asked.items() if p not in given}
    return asked


def is_option(function: ast.FunctionDef, name: str, default: ast.Constant) -> bool:
    if default.value is None:
        return chosen_at(function, name) is not None and any(map(is_question(name), walk(function)))
    return isinstance(default.value, str | bool) and chosen_at(function, name) == -1


def is_question(name: str) -> Callable[[ast.AST], bool]:
    """Whether a node asks whether a parameter is None."""

    def asks(n: ast.AST) -> bool:
        match n:
            case ast.Compare(left=ast.Name(id=left), ops=[ast.Is() | ast.IsNot()], comparators=[other]):
                return left == name and is_none(other)
        return False

    return asks


def chosen_at(function: ast.FunctionDef, name: str) -> int | None:
    """The statement that binds a parameter where it is None, and does no more; -1 where nothing binds it, None where
    something else does."""
    stores = [n for n in body_nodes(function) if isinstance(n, ast.Name) and n.id == name and is_bound(n)]
    every = [n for n in walk(function) if isinstance(n, ast.Name) and n.id == name and is_bound(n)]
    if len(every) > len(stores):
        return None  # in a comprehension or a nested function, it may be another variable
    if not stores:
        return -1
    for i, s in enumerate(function.body):
        if len(stores) == 1 and chosen(s, name) is not None:
            return i
        if mentions(s, name):
            return None
    return None


def chosen(s: ast.stmt, name: str) -> ast.expr | None:
    """What a statement binds a parameter to where it is None.

    if act is None:             act = act or np.tanh            act = np.tanh if act is None else act
        act = np.tanh
    """
    match s:
        case ast.If(test=test, body=[ast.Assign(targets=[ast.Name(id=target)], value=value)], orelse=[]):
            return value if target == name and tests(test, {name: NONE}) else None
        case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
            given, absent = (_Fold({name: meant}, {}).node(value) for meant in ("", NONE))
            kept = isinstance(given, ast.Name) and given.id == name
            return absent if kept and isinstance(absent, ast.expr) and not is_none(absent) else None
    return None


def tests(e: ast.expr, meant: Meant) -> bool | None:
    """What a test says of functions that are known; None where it asks for something else."""
    match e:
        case ast.Name(id=name) if name in meant:
            return meant[name] != NONE
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            holds = tests(inner, meant)
            return None if holds is None else not holds
        case ast.BoolOp(op=op, values=values):
            stop = isinstance(op, ast.Or)
            sides = [tests(v, meant) for v in values]
            if stop in sides and all(map(is_plain_question, values[: sides.index(stop)])):
                return stop
            known = sides[: sides.index(None)] if None in sides else sides
            if stop in known:
                return stop
            return None if None in sides else not stop
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Is() | ast.IsNot() as op], comparators=[other]) if (
            name in meant
        ):
            same = (
                meant[name] == NONE if is_none(other) else False if meant[name] == NONE and not reads(other) else None
            )
            return None if same is None else same is isinstance(op, ast.Is)
        case ast.Call(func=ast.Name(id="callable"), args=[ast.Name(id=name)], keywords=[]) if name in meant:
            return meant[name] != NONE
    return None


def reads(e: ast.expr) -> bool:
    """Whether an expression may be None: np.subtract is not."""
    return not (isinstance(e, ast.Attribute) and isinstance(e.value, ast.Name))


def decided(
    function: ast.FunctionDef, meant: Meant, notes: dict[int, Any], modules: Mapping[str, ast.expr] | None = None
) -> list[ast.stmt]:
    """The body of a function for parameters that are functions, or None: without the branches that do not run.

    Statements that change are copied, for other functions are made of the same text; `notes` are known of them, too.
    modules: those that stand for parameters.
    """
    at = {p: chosen_at(function, p) for p in meant}
    until = {p for p in meant if at[p] is None and meant[p] == NONE and is_plainly_bound(function, p)}
    fold = _Fold({p: m for p, m in meant.items() if at[p] is not None or p in until}, notes, modules, until)
    body = [[s] for s in function.body]
    for p, i in at.items():
        if i is not None and i >= 0:
            value = chosen(function.body[i], p)
            assert value is not None
            if meant[p] == NONE:
                bound = ast.copy_location(ast.Assign([made(ast.Name(p, ast.Store()), value)], value), function.body[i])
                body[i] = [bound]
                fold.meant.pop(p)
            else:
                body[i] = []
    return fold.block([s for part in body for s in part])


def for_constants(
    function: ast.FunctionDef,
    body: list[ast.stmt],
    given: Mapping[str, ast.expr],
    notes: dict[int, Any],
    functions: Collection[str] = (),
) -> tuple[list[ast.stmt], set[str]]:
    """The statements of a function for arguments that are None, texts, True, False and functions: without the branches
    that do not run; and the parameters that are None and are bound to something else before they are read."""
    constants = {p: e for p, e in given.items() if isinstance(e, ast.Constant)}
    meant = {p: NONE for p, e in constants.items() if e.value is None} | dict.fromkeys(functions, "")
    swap: dict[str, ast.expr] = {
        p: e
        for p, e in constants.items()
        if isinstance(e.value, str | bool) or (isinstance(e.value, int) and is_compared(function, p))
    }
    if not meant and not swap:
        return body, set()
    out = copy.copy(function)
    out.body = body
    swap = {p: e for p, e in swap.items() if chosen_at(out, p) == -1}
    new = decided(out, meant, notes, swap)
    return new, {p for p in meant if meant[p] == NONE and is_bound_first(new, p)}


def for_call(function: ast.FunctionDef, call: ast.Call) -> ast.FunctionDef:
    """A function as it is for the texts, the truth values and the None that a call gives: `make("soft")`. Itself, where
    it does not ask for them."""
    if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
        return function
    normal = [p.arg for p in (*function.args.posonlyargs, *function.args.args)]
    given = dict(default_nodes(function)) | dict(zip(normal, call.args, strict=False))
    given |= {str(k.arg): k.value for k in call.keywords}
    if not any(isinstance(e, ast.Constant) for e in given.values()):
        return function
    body, _ = for_constants(function, function.body, given, {})
    if len(body) == len(function.body) and all(a is b for a, b in zip(body, function.body, strict=True)):
        return function
    out = copy.copy(function)
    out.body = body
    return out


def is_compared(function: ast.FunctionDef, name: str) -> bool:
    """Whether a branch asks which number a parameter is: `if n == 0:`."""
    for n in body_nodes(function):
        match n.test if isinstance(n, ast.If) else None:
            case ast.Compare(left=ast.Name(id=left), ops=[op], comparators=[ast.Constant(value=int())]) if (
                type(op) in ORDER and left == name
            ):
                return True
    return False


def is_plainly_bound(function: ast.FunctionDef, name: str) -> bool:
    """Whether a name is one variable in all of a function, which no function inside reads."""
    inside = [n for n in walk(function) if isinstance(n, ast.FunctionDef | ast.Lambda) and n is not function]
    everywhere = sum(isinstance(n, ast.Name) and n.id == name for n in walk(function))
    here = sum(isinstance(n, ast.Name) and n.id == name for n in body_nodes(function))
    return everywhere == here and not any(mentions(n, name) for n in inside)


def is_bound_first(body: list[ast.stmt], name: str) -> bool:
    """Whether statements bind a name before they read it."""
    first = next((s for s in body if mentions(s, name)), None)
    match first:
        case ast.Assign(targets=[ast.Name(id=target)], value=value):
            return target == name and not mentions(value, name)
    return False


def without_errors(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements but those that check numbers which are known, `if 2 < 1: raise ValueError(...)`."""
    return [
        s
        for s in body
        if not (
            isinstance(s, ast.If)
            and of_literals(s.test) is False
            and not s.orelse
            and all(isinstance(x, ast.Raise) for x in s.body)
        )
    ]


def for_none(function: ast.FunctionDef, names: ModuleNames, notes: dict[int, Any]) -> ast.FunctionDef:
    """The function as it is where no function is given for any of its parameters: a copy, with their names in
    `absent`; the function itself, where it has none."""
    given = getattr(function, "given", ())
    absent = [p for p in optional(function, names) if p not in given]
    swap = {p: d for p, d in default_nodes(function) if p not in given and is_module(d, names)}
    swap = {p: d for p, d in swap.items() if chosen_at(function, p) == -1}
    if not absent and not swap:
        return function
    out = copy.copy(function)
    choices = []
    out.absent = [*absent, *swap]  # type: ignore[attr-defined]
    for p in absent:
        i = chosen_at(function, p)
        if i is not None and i >= 0:
            value = chosen(function.body[i], p)
            assert value is not None
            swap[p] = value
            choices.append(function.body[i])
    if any(not isinstance(e, ast.Name | ast.Attribute) for e in swap.values()):
        return function
    kept = [s for s in function.body if s not in choices]
    meant = {p: NONE for p in absent if p not in swap}
    out.body = _Fold(meant, notes, swap).block(kept)
    return out


def for_modules(function: ast.FunctionDef, names: ModuleNames, notes: dict[int, Any]) -> ast.FunctionDef:
    """The function with modules in the place of second names, `xp = np`; the function itself, where it has none."""
    swap: dict[str, ast.expr] = {}
    kept = []
    for s in function.body:
        match s:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if is_module(value, names):
                stores = sum(n.id == name and is_bound(n) for n in ast.walk(function) if isinstance(n, ast.Name))
                if stores == 1 and name not in {p.arg for p in parameters(function)}:
                    swap[name] = value
                    continue
        kept.append(s)
    if not swap:
        return function
    out = copy.copy(function)
    out.body = _Fold({}, notes, swap).block(kept)
    return out


def for_numpy(function: ast.FunctionDef, names: ModuleNames, notes: dict[int, Any]) -> ast.FunctionDef:
    """The function without the branches for another NumPy than the one at hand: `if hasattr(np, "trapezoid")`."""
    if not any(isinstance(n, ast.Name) and n.id == "hasattr" for n in body_nodes(function)):
        return function
    own = {p.arg for p in parameters(function)} | bound_names(body_nodes(function))
    if "hasattr" in own or names.hides(frozenset(["hasattr"])):
        return function
    modules = {n: path for n, path in names.imports.names.items() if n not in own and path.partition(".")[0] == "numpy"}
    out = copy.copy(function)
    out.body = _Present(modules, notes).block(function.body)
    return out


def is_module(e: ast.expr | None, names: ModuleNames) -> bool:
    """Whether an expression names an imported module of functions that have rules: `np`, `scipy.special`."""
    path = dotted(e) if isinstance(e, ast.Name | ast.Attribute) else None
    if path is None or path[0] not in names.imports.names:
        return False
    return rules.is_module(".".join((names.imports.names[path[0]], *path[1:])))


def asserted_callees(node: ast.FunctionDef) -> dict[str, tuple[str, ...]]:
    """The functions that a parameter may be, by an assert at the top of the function, as each derivative has it."""
    said = [one_of_functions(s.test) for s in node.body if isinstance(s, ast.Assert)]
    found: dict[str, tuple[str, ...]] = {}
    for name, objects in filter(None, said):
        found.setdefault(name, tuple(map(ast.unparse, objects)))
    if not found:
        return found
    params = {p.arg for p in parameters(node)} - bound_names(body_nodes(node))
    return {p: callees for p, callees in found.items() if p in params}


def one_of_functions(test: ast.expr) -> tuple[str, list[ast.expr]] | None:
    """The name, and what it is said to be, of `act is np.tanh or act is relu`; the functions have names."""
    tests = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) else [test]
    names: set[str] = set()
    objects: list[ast.expr] = []
    for t in tests:
        match t:
            case ast.Compare(left=ast.Name(id=name), ops=[ast.Is()], comparators=[ast.Name() | ast.Attribute() as e]):
                names.add(name)
                objects.append(e)
            case _:
                return None
    return (names.pop(), objects) if len(names) == 1 else None


def for_given(function: ast.FunctionDef, notes: dict[int, Any]) -> ast.FunctionDef:
    """The function as it is for the functions that its parameters are said to be: none of them is None."""
    given = getattr(function, "given", {})
    if not given:
        return function
    out = copy.copy(function)
    out.body = decided(function, dict.fromkeys(given, ""), notes)
    return out


class _Fold:
    """Decides tests in statements. swap: expressions for parameters that are bound where they are None; until: those
    of which something is known only until a statement binds them."""

    def __init__(
        self,
        meant: Meant,
        notes: dict[int, Any],
        swap: Mapping[str, ast.expr] | None = None,
        until: Collection[str] = (),
    ) -> None:
        self.meant = dict(meant)
        self.until = set(until)
        self.notes = notes
        self.swap = swap or {}
        self.literals = any(isinstance(e, ast.Constant) or is_number(e) for e in self.swap.values())

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for s in body:
            out += self.statement(s)
            if out and isinstance(out[-1], ast.Return | ast.Raise | ast.Break | ast.Continue):
                break
        return out

    def statement(self, s: ast.stmt) -> list[ast.stmt]:
        if isinstance(s, ast.If | ast.While) and (holds := self.decide(s.test)) is not None:
            if not holds:
                return self.block(s.orelse)
            if isinstance(s, ast.If):
                return self.block(s.body)
        bound = {n.id for n in walk(s) if isinstance(n, ast.Name) and is_bound(n)} & self.until if self.until else ()
        if bound and isinstance(s, ast.Assign):
            s = cast(ast.Assign, self.inside(s))  # its value is what it was before
        for p in bound:
            self.until.discard(p)
            self.meant.pop(p, None)
        if isinstance(s, ast.Assert) and self.decide(s.test):
            return []
        new = self.node(s)
        assert isinstance(new, ast.stmt)
        return [new]

    def decide(self, test: ast.expr) -> bool | None:
        holds = tests(test, self.meant)
        if holds is not None or not self.literals:
            return holds
        return of_literals(cast(ast.expr, self.node(test)))

    def node(self, n: ast.AST) -> ast.AST:
        """The node with what is inside it decided: itself, where nothing is."""
        match n:
            case ast.Name(id=name) if not is_bound(n) and self.meant.get(name) == NONE:
                return made(ast.Constant(None), n)
            case ast.Name(id=name) if name in self.swap:
                return made(copy.deepcopy(self.swap[name]), n)
            case ast.IfExp(test=test, body=a, orelse=b) if (holds := self.decide(test)) is not None:
                return self.node(a if holds else b)
            case ast.BoolOp(op=op, values=[first, *rest]) if (holds := tests(first, self.meant)) is not None:
                if holds is isinstance(op, ast.Or):
                    return self.node(first) if isinstance(first, ast.Name) else made(ast.Constant(holds), n)
                return self.node(rest[0] if len(rest) == 1 else made(ast.BoolOp(op, rest), n))
            case ast.Compare() | ast.Call() | ast.UnaryOp() if (holds := tests(n, self.meant)) is not None:
                return made(ast.Constant(holds), n)
            case ast.Lambda() | ast.FunctionDef() if hidden := {p.arg for p in parameters(n)} & {
                *self.meant,
                *self.swap,
            }:
                left = {p: m for p, m in self.meant.items() if p not in hidden}
                return _Fold(left, self.notes, {p: e for p, e in self.swap.items() if p not in hidden}).inside(n)
        new = self.inside(n)
        return calculated(without_literals(new)) if self.literals and isinstance(new, ast.expr) else new

    def inside(self, n: ast.AST) -> ast.AST:
        changed: dict[str, Any] = {}
        for field, value in ast.iter_fields(n):
            new: Any = value
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                new = self.block(value) or ([made(ast.Pass(), value[0])] if field == "body" else [])
            elif isinstance(value, list):
                new = [self.node(v) if isinstance(v, ast.AST) else v for v in value]
            elif isinstance(value, ast.AST):
                new = self.node(value)
            if isinstance(new, list):
                if len(new) != len(value) or any(a is not b for a, b in zip(new, value, strict=True)):
                    changed[field] = new
            elif new is not value:
                changed[field] = new
        if not changed:
            return n
        out = copy.copy(n)
        for field, new in changed.items():
            setattr(out, field, new)
        if self.swap and isinstance(out, ast.expr):
            made(out, n)
        if id(n) in self.notes:
            self.notes[id(out)] = self.notes[id(n)]
        return out


def with_values(body: list[ast.stmt], values: Mapping[str, ast.expr], notes: dict[int, Any]) -> list[ast.stmt]:
    """Statements with expressions for names: without the branches that do not run."""
    return _Fold({}, notes, values).block(body)


def with_value(e: ast.expr, values: Mapping[str, ast.expr]) -> ast.expr:
    """The same of an expression."""
    return cast(ast.expr, _Fold({}, {}, values).node(e))


class _Present(_Fold):
    """Decides whether NumPy has a function."""

    def __init__(self, modules: Mapping[str, str], notes: dict[int, Any]) -> None:
        super().__init__({}, notes)
        self.modules = modules

    def decide(self, test: ast.expr) -> bool | None:
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=inner):
                holds = self.decide(inner)
                return None if holds is None else not holds
            case ast.Call(func=ast.Name(id="hasattr"), args=[of, ast.Constant(value=str(name))], keywords=[]):
                path = dotted(of)
                if path is None or path[0] not in self.modules:
                    return None
                module: object = np
                for part in ".".join([self.modules[path[0]], *path[1:]]).split(".")[1:]:
                    module = getattr(module, part, None)
                return hasattr(module, name) if isinstance(module, ModuleType) else None
        return super().decide(test)
