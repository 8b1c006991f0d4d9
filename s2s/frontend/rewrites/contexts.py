"""Context managers of the user's: what they do stands around the body of the `with` statement.

@contextmanager                         with np.errstate(divide="ignore"):
def quiet():                                y = 1.0 / x
    with np.errstate(divide="ignore"):
        yield

with quiet():
    y = 1.0 / x

with Timer() as t:                      t = Timer()
    y = g(x)                            t.start = time.perf_counter()
                                        y = g(x)
                                        t.elapsed = time.perf_counter() - t.start

A generator is followed where it yields once, in no branch and no loop; an object where its class lets pass what is
raised. Where the body leaves the statement, what follows the `yield` stands in a `finally`: a generator goes on there.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable
from collections.abc import Sequence as List
from typing import cast

from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.decorators import meaning
from s2s.frontend.text.function_bodies import arguments, default_nodes, is_docstring
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import (
    COMPREHENSIONS,
    blocks_of,
    body_nodes,
    bound_names,
    dotted,
    free_names,
    is_bound,
    new_name,
    parameters,
    walk,
)
from s2s.frontend.text.source import NOTHING, Note, made

MAKERS = ("contextlib.contextmanager",)
LEAVING = ast.Return | ast.Break | ast.Continue
# What binds names in ways of its own, or says where a text ends
NEVER = (
    *(ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
    *(ast.Lambda, ast.NamedExpr, *COMPREHENSIONS, ast.Match, ast.Import, ast.ImportFrom),
)


def write_out(function: ast.FunctionDef, names: ModuleNames, notes: Callable[[], dict[int, Note]]) -> None:
    """Changes the body of a function: what is done already is not done again."""
    nodes = body_nodes(function)
    if any(isinstance(n, ast.With) for n in nodes):
        work = _Contexts(function, names, notes(), nodes)
        function.body[:] = work.block(function.body)


class _Contexts:
    def __init__(
        self, function: ast.FunctionDef, names: ModuleNames, notes: dict[int, Note], nodes: List[ast.AST]
    ) -> None:
        self.names, self.notes = names, notes
        given = {p.arg for p in parameters(function)}
        self.bound = bound_names(nodes)
        self.own = self.bound | given
        self.stores = Counter(n.id for n in walk(function) if isinstance(n, ast.Name) and is_bound(n))
        self.taken = {n.id for n in walk(function) if isinstance(n, ast.Name)} | given

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for s in body:
            for inner in blocks_of(s):
                inner[:] = self.block(inner)
            new = self.entered(s) if isinstance(s, ast.With) else [s]
            if new[0] is not s and id(s) in self.notes:
                self.notes[id(new[0])] = self.notes.get(id(s), NOTHING)
            out += new
        return out

    def entered(self, s: ast.With) -> list[ast.stmt]:
        """The statements that a `with` stands for; itself where its managers are not the user's."""
        found = [self.manager(item) for item in s.items]
        if not any(found):
            return [s]
        body = s.body
        for item, manager in reversed(list(zip(s.items, found, strict=True))):
            match manager:
                case ast.FunctionDef():
                    new = self.generated(item, manager, body)
                case ClassInfo():
                    new = self.called(item, manager, body)
                case _:
                    new = None
            body = new or [ast.copy_location(ast.With([item], body), s)]
        return body

    def manager(self, item: ast.withitem) -> ast.FunctionDef | ClassInfo | None:
        """The generator, or the class, that a call makes the manager with."""
        call = item.context_expr
        path = dotted(call.func) if isinstance(call, ast.Call) else None
        if path is None or path[0] in self.own:
            return None
        if len(path) == 1 and (cls := self.names.classes.get(path[0])) is not None:
            return cls if is_manager(cls) else None
        if len(path) == 1 and path[0] in self.names.functions:
            found = self.names.functions[path[0]] if path[0] not in self.names.rebound else None
            imports = self.names.imports.names
        else:
            full = ".".join([self.names.imports.names.get(path[0], ""), *path[1:]])
            there = self.names.helper(full) if path[0] in self.names.imports.names else None
            if there is None or not is_generator(there[0].functions[there[1]], there[0].imports.names):
                return None
            found, imports = self.names.lend(full), there[0].imports.names
        return found if isinstance(found, ast.FunctionDef) and is_generator(found, imports) else None

    def hides(self, function: ast.FunctionDef) -> bool:
        """Whether a name that a text reads of its module is one of this function; else it is kept free."""
        read = {*free_names(function)}
        self.taken |= read
        return bool(read & self.own) or "super" in read

    def name(self, wish: str) -> str:
        """A name for what a text binds."""
        found = new_name(self.taken, wish)
        self.own.add(found)
        return found

    # ------------------------------------------------------------ objects

    def called(self, item: ast.withitem, cls: ClassInfo, body: list[ast.stmt]) -> list[ast.stmt] | None:
        """An object, and the bodies of its two methods around that of the statement."""
        call, target = item.context_expr, item.optional_vars
        enter, leave = cls.methods["__enter__"], cls.methods["__exit__"]
        if self.hides(enter) or self.hides(leave):
            return None
        given = returned(enter)
        own = enter.args.args[0].arg
        returns_it = isinstance(given, ast.Name) and given.id == own
        wish = target.id if isinstance(target, ast.Name) and returns_it else "context"
        name = wish if self.stores[wish] == 1 else self.name("context")
        values: dict[str, ast.expr] = {own: made(ast.Name(name, ast.Load()), call)}
        before: list[ast.stmt] = [made(ast.Assign([_stored(values[own])], call), call)]
        before += self.text(enter, values)
        if target is not None and not (returns_it and name == wish):
            self.locals(enter, values)
            value = _Named(values, None).visit(copy.deepcopy(given or made(ast.Constant(None), call)))
            before.append(made(ast.Assign([target], cast(ast.expr, value)), call))
        first, *others = parameters(leave)
        raised: dict[str, ast.expr] = {p.arg: made(ast.Constant(None), call) for p in others}
        if leave.args.vararg:
            none: list[ast.expr] = [made(ast.Constant(None), call) for _ in range(4 - len(leave.args.args))]
            raised[leave.args.vararg.arg] = made(ast.Tuple(none, ast.Load()), call)
        after = self.text(leave, {**raised, first.arg: values[own]})
        return [*before, *followed(body, after, call)]

    def text(self, method: ast.FunctionDef, values: dict[str, ast.expr]) -> list[ast.stmt]:
        """The statements of a method but for what it returns."""
        self.locals(method, values)
        body = [s for s in method.body if not is_docstring(s) and not isinstance(s, ast.Return | ast.Pass)]
        return _Named(values, None).block(body)

    def locals(self, function: ast.FunctionDef, values: dict[str, ast.expr]) -> None:
        """Names here for the names that a text binds."""
        for n in sorted(bound_names(body_nodes(function)) - values.keys()):
            values[n] = made(ast.Name(self.name(n), ast.Load()), function.body[0])

    # ------------------------------------------------------------ generators

    def generated(self, item: ast.withitem, manager: ast.FunctionDef, body: list[ast.stmt]) -> list[ast.stmt] | None:
        """The body of a generator with that of the statement in place of its `yield`."""
        call = item.context_expr
        assert isinstance(call, ast.Call)
        given = arguments(manager, call, lambda default: isinstance(default, ast.Constant))
        own = bound_names(body_nodes(manager))
        if given is None or self.hides(manager):
            return None
        before: list[ast.stmt] = []
        values: dict[str, ast.expr] = {}
        for p, e in given.items():
            fixed = isinstance(e, ast.Constant) or (isinstance(e, ast.Name) and e.id not in self.bound)
            if fixed and p not in own:
                values[p] = e
            else:
                values[p] = made(ast.Name(self.name(p), ast.Load()), call)
                before.append(made(ast.Assign([_stored(values[p])], e), call))
        self.locals(manager, values)
        there = call if manager.name not in self.names.functions else None  # the text of another module
        text = _Named(values, there).block([s for s in manager.body if not is_docstring(s)])
        new = placed(text, item.optional_vars, body)
        return None if new is None else [*before, *new]


class _Named(ast.NodeTransformer):
    """The names of a generator by what stands for them here; at: where all of it stands, if not where it is written."""

    def __init__(self, values: dict[str, ast.expr], at: ast.expr | None) -> None:
        self.values, self.at = values, at

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return [cast(ast.stmt, self.visit(copy.deepcopy(s))) for s in body]

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.Name) and node.id in self.values:
            new = copy.deepcopy(self.values[node.id])
            if isinstance(new, ast.Name):
                new.ctx = node.ctx
            return made(new, self.at or node)
        self.generic_visit(node)
        if isinstance(node, ast.expr):
            made(node, self.at or node)
        elif self.at is not None and isinstance(node, ast.stmt | ast.keyword):
            made(node, self.at)
        return node


def _stored(name: ast.expr) -> ast.expr:
    assert isinstance(name, ast.Name)
    return made(ast.Name(name.id, ast.Store()), name)


def placed(block: List[ast.stmt], target: ast.expr | None, body: list[ast.stmt]) -> list[ast.stmt] | None:
    """A block of a generator with a body in place of the statement that yields; None where that can't be followed."""
    for i, s in enumerate(block):
        if not any(isinstance(n, ast.Yield) for n in walk(s)):
            continue
        inner: list[ast.stmt] | None
        match s:
            case ast.Expr(value=ast.Yield(value=value)):
                given = value or made(ast.Constant(None), s)
                inner = body if target is None else [ast.copy_location(ast.Assign([target], given), s), *body]
            case ast.With(items=items) if (found := placed(s.body, target, body)) is not None:
                inner = [ast.copy_location(ast.With(items, found), s)]
            case ast.Try(handlers=handlers, orelse=[]) if (found := placed(s.body, target, body)) is not None:
                inner = [ast.copy_location(ast.Try(found, handlers, [], s.finalbody), s)]
            case _:
                return None
        return [*block[:i], *followed(inner, list(block[i + 1 :]), s)]
    return None


def followed(body: list[ast.stmt], last: list[ast.stmt], at: ast.expr | ast.stmt) -> list[ast.stmt]:
    """A body and what follows it however the body is left."""
    if last and any(isinstance(n, LEAVING) for s in body for n in walk(s)):
        return [ast.copy_location(ast.Try(body, [], [], last), at)]
    return [*body, *last]


def is_generator(function: ast.FunctionDef | ast.AsyncFunctionDef, imports: dict[str, str]) -> bool:
    """Whether a function makes managers, and its text can stand around the body of a statement."""
    if len(function.decorator_list) != 1 or meaning(function.decorator_list[0], imports) not in MAKERS:
        return False
    nodes = [n for s in function.body for n in walk(s)]
    yields = sum(isinstance(n, ast.Yield) for n in nodes)
    return yields == 1 and not any(isinstance(n, ast.Return) or is_special(n) for n in nodes)


def is_special(n: ast.AST) -> bool:
    return isinstance(n, NEVER) or (isinstance(n, ast.ExceptHandler) and n.name is not None)


def is_manager(cls: ClassInfo) -> bool:
    """Whether objects of a class are managers whose methods can stand around a body, and let what is raised pass."""
    enter, leave = cls.methods.get("__enter__"), cls.methods.get("__exit__")
    if enter is None or leave is None or cls.strange & {"__enter__", "__exit__"}:
        return False
    if len(parameters(enter)) != 1 or len(leave.args.args) not in (1, 4) or leave.args.kwarg or leave.args.kwonlyargs:
        return False
    if (len(leave.args.args) == 1) != bool(leave.args.vararg) or default_nodes(leave):
        return False
    for method in (enter, leave):
        given = {p.arg for p in parameters(method)}
        nodes = [n for s in method.body for n in walk(s)]
        exits = [n for n in nodes if isinstance(n, ast.Return)]
        if exits not in ([], [method.body[-1]]) or bound_names(nodes) & given:
            return False
        if any(isinstance(n, ast.Yield) or is_special(n) for n in nodes):
            return False
    left = returned(leave)
    return left is None or (isinstance(left, ast.Constant) and not left.value)


def returned(method: ast.FunctionDef) -> ast.expr | None:
    """What the last statement of a method returns."""
    last = method.body[-1]
    return last.value if isinstance(last, ast.Return) else None


__all__ = ["write_out"]
