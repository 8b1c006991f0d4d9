"""Names that stand for a method, or for what is computed item by item: it is written where they are used.

    total = w.sum                       return w.sum() ** 2
    return total() ** 2

    squares = (q * q for q in w)        return sum(q * q for q in w)
    return sum(squares)

    pairs = zip(u, v)                   for a, b in zip(u, v):
    for a, b in pairs:
        ...

The name is bound once. A method is that of an array, a list or a dict, and only called, behind that, where its owner
has not been bound again. What is computed item by item is used up once, behind that, and not in a loop: its items are
computed there. What it runs over is evaluated where it is made, so that is a name which is not bound in between, or
the next statement uses it up.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from s2s.frontend.rewrites.turns import LAZY, READ_LATER
from s2s.frontend.text.bindings import root_of
from s2s.frontend.text.function_bodies import has_effects, own_expressions
from s2s.frontend.text.names import METHODS, MUTATING_METHODS, ModuleNames
from s2s.frontend.text.scopes import (
    body_nodes,
    bound_names,
    children,
    every_block,
    full_path,
    is_bound,
    parameters,
    read_at_once,
    read_names,
    walk,
)
from s2s.frontend.text.source import made, put

DEFERRED = ast.FunctionDef | ast.Lambda | ast.GeneratorExp | ast.ClassDef  # what these read, they may read later
REPEATED = ast.For | ast.While | ast.comprehension | ast.ListComp | ast.SetComp | ast.DictComp


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the body of a function: what is done already is not done again."""
    imports = names.imports.names
    if not any(isinstance(n, ast.Assign) and is_stand_in(n.value, imports) for n in body_nodes(function)):
        return
    for block in every_block(function.body):
        for at in reversed(range(len(block) - 1)):
            match block[at]:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if is_stand_in(value, imports):
                    work = _StandIn(function, names, name, block[at + 1 :])
                    if work.replaced(value):
                        del block[at]


def is_stand_in(value: ast.expr, imports: Mapping[str, str]) -> bool:
    """Whether a name that is bound to a value may stand for a method, or for what is computed item by item."""
    match value:
        case ast.Attribute(value=ast.Name(), attr=attr):
            return attr in METHODS or attr in MUTATING_METHODS or attr in ("dot", "get")
        case ast.Call(func=func, keywords=[]):
            return full_path(func, imports) in LAZY | READ_LATER
    return isinstance(value, ast.GeneratorExp)


class _StandIn:
    """One name, and the statements behind its binding in the same block."""

    def __init__(self, function: ast.FunctionDef, names: ModuleNames, name: str, behind: list[ast.stmt]) -> None:
        self.names, self.name, self.behind = names, name, behind
        self.every = [n for s in function.body for n in walk(s)]
        self.own = bound_names(self.every) | {p.arg for p in parameters(function)}
        self.inside = [n for s in behind for n in walk(s)]
        self.uses = [n for n in self.inside if isinstance(n, ast.Name) and n.id == name and not is_bound(n)]
        self.parents: Mapping[ast.AST, ast.AST] = {c: n for s in behind for n in walk(s) for c in children(n)}
        given = any(isinstance(n, ast.arg) and n.arg == name for n in (*self.every, *parameters(function)))
        others = sum(isinstance(n, ast.Name) and n.id == name for n in self.every) - len(self.uses)
        shared = any(isinstance(n, ast.Nonlocal | ast.Global) for n in self.every)
        late = any(name in read_names(n) for n in self.every if isinstance(n, DEFERRED))
        self.is_alone = bool(self.uses) and others == 1 and not given and not shared and not late

    def replaced(self, value: ast.expr) -> bool:
        """Writes the value of the name where that is used; whether this can be done."""
        match value:
            case ast.Attribute() if self.is_alone:
                return self.method_called(value)
            case ast.GeneratorExp() | ast.Call() if self.is_alone:
                return self.items_used_up(value)
        return False

    def method_called(self, method: ast.Attribute) -> bool:
        owner, attr = method.value, method.attr
        assert isinstance(owner, ast.Name)
        if owner.id not in self.own or owner.id in bound_names(self.inside):
            return False
        if any(cls.has(attr) for cls in self.names.classes.values()):
            return False
        calls = [self.parents.get(n) for n in self.uses]
        if not all(isinstance(c, ast.Call) and c.func is n for c, n in zip(calls, self.uses, strict=True)):
            return False
        for call, n in zip(calls, self.uses, strict=True):
            assert call is not None
            called = made(ast.Attribute(made(ast.Name(owner.id, ast.Load()), n), attr, ast.Load()), n)
            put(call, n, called)
            self.mark(n)
        return True

    def items_used_up(self, value: ast.GeneratorExp | ast.Call) -> bool:
        if isinstance(value, ast.Call) and root_of(value.func) in self.own:
            return False
        early = value.args if isinstance(value, ast.Call) else [value.generators[0].iter]  # evaluated where it is made
        if len(self.uses) > 1 or LAZY & self.own or self.names.hides(LAZY):
            return False
        if any(isinstance(n, ast.NamedExpr | ast.Await | ast.Yield | ast.Starred) for n in walk(value)):
            return False
        use = self.uses[0]
        if not read_at_once(use, self.parents) or not self.is_evaluated_once(use):
            return False
        if all(map(self.is_live, early)):
            at = next(i for i, s in enumerate(self.behind) if use in walk(s))
            last = self.behind[at]
            bound = bound_names(n for s in self.behind[:at] for n in walk(s))
            if use not in own_expressions(last):  # in a block of it
                bound |= bound_names(walk(last))
            if bound & {x for e in early for x in read_names(e)}:
                return False
        elif use not in own_expressions(self.behind[0]) or any(
            has_effects(n, self.names.functions) for n in children(self.behind[0]) if isinstance(n, ast.expr)
        ):
            return False
        put(self.parents[use], use, value)
        self.mark(use)
        return True

    def is_live(self, e: ast.expr) -> bool:
        """Whether an expression is the same where it is used: a name, numbers, lists of these, views of a dict, and
        what runs over them."""
        match e:
            case ast.Name() | ast.Constant() | ast.Lambda():
                return True
            case ast.List(elts=elts) | ast.Tuple(elts=elts):
                return all(map(self.is_live, elts))
            case ast.Call(func=ast.Attribute(value=ast.Name(), attr="items" | "keys" | "values"), args=[], keywords=[]):
                return True
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in LAZY | {"range"}:
                return all(map(self.is_live, args))
        return False

    def is_evaluated_once(self, use: ast.AST) -> bool:
        """Whether no loop evaluates a place anew; what a loop runs over is evaluated before it."""
        node = use
        while (up := self.parents.get(node)) is not None:
            whole = self.parents.get(up)
            if isinstance(up, ast.comprehension) and up.iter is node and is_first(up, whole):
                assert whole is not None
                node = whole  # evaluated before the rounds
                continue
            if isinstance(up, REPEATED) and not (isinstance(up, ast.For) and up.iter is node):
                return False
            node = up
        return True

    def mark(self, n: ast.AST) -> None:
        """The text of an expression that holds the new one is not that of the file any more."""
        while isinstance(up := self.parents.get(n), ast.expr | ast.keyword):
            if isinstance(up, ast.expr):
                up.made = True  # type: ignore[attr-defined]
            n = up


def is_first(clause: ast.comprehension, whole: ast.AST | None) -> bool:
    return clause in getattr(whole, "generators", [])[:1]
