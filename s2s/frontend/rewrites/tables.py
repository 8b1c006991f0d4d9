"""Lists of rows that hold objects beside other values, read and written by the numbers of their items: a list for each.

    T = [[SimpleNamespace(w=0.0), 0.0] for _ in p]      T_0 = [SimpleNamespace(w=0.0) for _ in p]
    for i in range(len(p)):                             T_1 = [0.0 for _ in p]
        T[i][0].w += x[i]                               for i in range(len(p)):
        T[i][1] += y[i]                                     T_0[i].w += x[i]
    g(T)                                                    T_1[i] += y[i]
                                                        g([(T_0[k], T_1[k]) for k in range(len(T_0))])

Such a row is neither a list of objects nor one of numbers. Written derivatives have them, as the cotangents of pairs.
A function that is given the list gets its rows as tuples: it only reads what lies in them.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping
from typing import TypeGuard, cast

from s2s.frontend.rewrites.unlike import mark, number
from s2s.frontend.text.classes import is_namespace
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import (
    body_nodes,
    bound_names,
    children,
    dotted,
    every_block,
    is_bound,
    new_name,
    parameters,
    read_names,
    walk,
)
from s2s.frontend.text.source import expression, made, put

Functions = Mapping[str, ast.AST]
READ = frozenset(["len", "range", "reversed"])  # builtins that are recognised


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the body of a function."""
    if names.hides(READ):
        return
    for block in every_block(function.body):
        for at, s in reversed(list(enumerate(block))):
            if is_table(s, names):
                uses = _Uses(function, s.targets[0].id, names.functions)
                if uses.are_columns(len(cast(ast.List, s.value.elt).elts)):
                    block[at : at + 1] = uses.apart(s)


class Table(ast.Assign):
    """A statement that binds a name to a list of rows."""

    targets: list[ast.Name]  # type: ignore[assignment]
    value: ast.ListComp


def is_table(s: ast.stmt, names: ModuleNames) -> TypeGuard[Table]:
    match s:
        case ast.Assign(targets=[ast.Name()], value=ast.ListComp(elt=ast.List(elts=items), generators=clauses)):
            objects = [is_namespace(e, names.imports) for e in items]
            every = [*items, *(c.iter for c in clauses), *(test for c in clauses for test in c.ifs)]
            return any(objects) and not all(objects) and all(gives_the_same(e, names) for e in every)
    return False


def gives_the_same(e: ast.expr, names: ModuleNames) -> bool:
    """Whether an expression changes nothing, and is the same when it is evaluated once more."""
    for n in walk(e):
        match n:
            case ast.Call(func=func):
                path = dotted(func) or [""]
                plain = len(path) == 2 and names.imports.names.get(path[0]) == "numpy"
                builtin = path in (["len"], ["range"])
                if not (plain or builtin or is_namespace(n, names.imports) or names.carries(path[0])):
                    return False
            case ast.NamedExpr() | ast.Starred() | ast.Await() | ast.Yield() | ast.YieldFrom() | ast.Lambda():
                return False
    return True


class _Uses:
    """What is done with a list, in the function where a name is bound to it, or that is given it."""

    def __init__(self, function: ast.FunctionDef, name: str, functions: Functions) -> None:
        self.function, self.name, self.functions = function, name, functions
        self.nodes = body_nodes(function)
        self.parents = {c: n for n in self.nodes for c in children(n)}
        self.every = [n for n in self.nodes if isinstance(n, ast.Name) and n.id == name]
        self.own = bound_names(self.nodes) | {p.arg for p in parameters(function)}

    def are_columns(self, count: int, given: frozenset[str] = frozenset()) -> bool:
        """Whether only items of rows are used, under numbers. given: functions that are given the list, one by the
        other."""
        inside = [n for s in self.function.body for n in walk(s)]
        if len(self.every) < sum(isinstance(n, ast.Name) and n.id == self.name for n in inside):
            return False  # an inner function reads it
        if any(isinstance(n, ast.Global | ast.Nonlocal) and self.name in n.names for n in inside):
            return False
        later = ast.GeneratorExp | ast.Yield | ast.YieldFrom  # the function that has the list may write into it by then
        if self.own & READ or (given and any(isinstance(n, later) for n in inside)):
            return False
        is_parameter = any(p.arg == self.name for p in parameters(self.function))
        if sum(map(is_bound, self.every)) + is_parameter != 1 or is_parameter != bool(given):
            return False
        reads = [n for n in self.every if not is_bound(n)]
        return all(self.is_plain(n, count, given | {self.function.name}) for n in reads)

    def is_plain(self, n: ast.Name, count: int, given: frozenset[str]) -> bool:
        match self.parents[n]:
            case ast.Subscript(value=value) as row if value is n and self.is_whole_number(row.slice):
                item = self.parents[row]
                if not (isinstance(item, ast.Subscript) and item.value is row):
                    return False
                at = number(item.slice)
                stored = len(given) > 1 and not isinstance(item.ctx, ast.Load)  # the rows are tuples there
                return at is not None and -count <= at < count and not (stored or isinstance(item.ctx, ast.Del))
            case ast.Call(func=ast.Name(id="len"), args=[_]):
                return True
            case ast.Call(func=ast.Name(id=called), args=args, keywords=[]) if n in args:
                callee = self.functions.get(called)
                if called in given or called in self.own or not isinstance(callee, ast.FunctionDef):
                    return False
                a, at = callee.args, args.index(n)
                if callee.decorator_list or a.posonlyargs or any(isinstance(x, ast.Starred) for x in args[:at]):
                    return False
                return at < len(a.args) and _Uses(callee, a.args[at].arg, self.functions).are_columns(count, given)
        return False

    def is_whole_number(self, key: ast.expr) -> bool:
        """Whether a key is surely no slice: it names one row."""
        match key:
            case ast.Constant(value=int()):
                return True
            case ast.UnaryOp(operand=operand):
                return self.is_whole_number(operand)
            case ast.BinOp():
                return True
            case ast.Name(id=name):
                bound = [n for n in self.nodes if isinstance(n, ast.Name) and n.id == name and is_bound(n)]
                return bool(bound) and all(self.counts(n) for n in bound)
        return False

    def counts(self, n: ast.Name) -> bool:
        """Whether a name is bound to a number of a loop, or to a number that is written out."""
        match self.parents[n]:
            case ast.For(target=target, iter=over) | ast.comprehension(target=target, iter=over) if target is n:
                if isinstance(over, ast.Call) and dotted(over.func) == ["reversed"] and over.args:
                    over = over.args[0]
                return isinstance(over, ast.Call) and dotted(over.func) == ["range"]
            case ast.Assign(targets=[ast.Name()], value=ast.Constant(value=int())):
                return True
            case ast.AugAssign():
                return True
        return False

    def apart(self, s: Table) -> list[ast.stmt]:
        """The lists of the columns, in the place of the statement that binds the list of rows."""
        rows = cast(ast.List, s.value.elt)
        taken = bound_names(walk(self.function)) | read_names(self.function)
        taken |= {
            p.arg for n in walk(self.function) if isinstance(n, ast.FunctionDef | ast.Lambda) for p in parameters(n)
        }
        own = [new_name(taken, f"{self.name}_{k}") for k in range(len(rows.elts))]
        index = new_name(taken, "k")
        for n in (n for n in self.every if not is_bound(n)):
            match self.parents[n]:
                case ast.Subscript() as row if row.value is n:
                    item = cast(ast.Subscript, self.parents[row])
                    column = own[cast(int, number(item.slice))]
                    new = made(ast.Subscript(made(ast.Name(column, ast.Load()), n), row.slice, item.ctx), item)
                    put(self.parents[item], item, new)
                    mark(self.parents, item)
                case ast.Call(func=ast.Name(id="len")) as call:
                    put(call, n, made(ast.Name(own[0], ast.Load()), n))
                    mark(self.parents, n)
                case up:
                    text = f"[({', '.join(f'{c}[{index}]' for c in own)},) for {index} in range(len({own[0]}))]"
                    put(up, n, expression(text, n))
                    mark(self.parents, n)
        out: list[ast.stmt] = []
        for name, e in zip(own, rows.elts, strict=True):
            items = made(ast.ListComp(e, copy.deepcopy(s.value.generators)), s.value)
            out.append(ast.copy_location(ast.Assign([made(ast.Name(name, ast.Store()), s.targets[0])], items), s))
        return out
