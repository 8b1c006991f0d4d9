"""Loops over rows that hold functions, as loops over their columns.

    for g, w in [(np.sin, 0.5), (np.cos, w1)]:       for g, w in zip([np.sin, np.cos], [0.5, w1]):

    layers = [(square, w1), (np.tanh, w2)]           layers_act, layers_w = [square, np.tanh], [w1, w2]
    for act, w in layers:                            for act, w in zip(layers_act, layers_w):

A list of functions is a table that is known when a derivative is written; a list of rows is a value at run time.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from s2s.frontend.function_bodies import has_effects
from s2s.frontend.names import ModuleNames
from s2s.frontend.scopes import bound_names, every_block, is_bound, parameters, walk
from s2s.frontend.source import made

Display = ast.List | ast.Tuple


@dataclass
class Loop:
    """A loop that takes rows apart: its targets, and the call or clause whose field holds what it runs over."""

    targets: list[ast.expr]
    holder: ast.AST
    field: str

    @property
    def over(self) -> ast.expr:
        found = getattr(self.holder, self.field)
        over = found[0] if isinstance(found, list) else found
        assert isinstance(over, ast.expr)
        return over

    def put(self, e: ast.expr) -> None:
        found = getattr(self.holder, self.field)
        if isinstance(found, list):
            found[0] = e
        else:
            setattr(self.holder, self.field, e)


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the body of a function: what is done already is not done again."""
    every = [n for s in function.body for n in walk(s)]
    loops = [loop for n in every for loop in loops_of(n)]
    if not loops:
        return
    own = bound_names(every) | {p.arg for p in parameters(function)} | {n.arg for n in every if isinstance(n, ast.arg)}
    if own & {"zip", "enumerate", "len"}:
        return
    asked = {n.func.id for n in every if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    asked |= {a.id for n in every if isinstance(n, ast.Call) for a in n.args if isinstance(a, ast.Name)}
    nested = {n.name for n in every if isinstance(n, ast.FunctionDef)}
    kinds = _Kinds(asked, nested | names.functions.keys() | names.imports.names.keys())
    for loop in loops:
        match loop.over:
            case ast.List() | ast.Tuple() as display:
                columns = columns_of(display, loop, names)
                if columns and kinds.has_functions(columns, loop):
                    loop.put(zipped(columns, display))
            case ast.Name(id=name) if name not in own and isinstance(names.values.get(name), ast.List | ast.Tuple):
                columns = columns_of(names.values[name], loop, names)
                settled = all(is_settled(e) for column in columns for e in column) and not names_in(columns) & own
                if columns and settled and kinds.has_functions(columns, loop):
                    loop.put(zipped(columns, loop.over))
    for block in every_block(function.body):
        for at, s in reversed(list(enumerate(block))):
            match s:
                case ast.Assign(targets=[ast.Name(id=name) as target], value=ast.List() | ast.Tuple() as display):
                    mine = [x for x in loops if isinstance(x.over, ast.Name) and x.over.id == name]
                    columns = columns_of(display, mine[0], names) if mine else []
                    if columns and kinds.has_functions(columns, mine[0]) and is_looped_only(every, target, mine):
                        block[at : at + 1] = apart(s, target, columns, mine, own, every)


def loops_of(n: ast.AST) -> Iterator[Loop]:
    if isinstance(n, ast.For | ast.comprehension):
        match n.target, n.iter:
            case (
                ast.Tuple(elts=[_, ast.Tuple(elts=targets) | ast.List(elts=targets)]),
                ast.Call(func=ast.Name(id="enumerate"), args=[_, *_], keywords=[]) as call,
            ):
                yield Loop(targets, call, "args")
            case ((ast.Tuple(elts=targets) | ast.List(elts=targets)), _):
                yield Loop(targets, n, "iter")


def columns_of(display: ast.expr, loop: Loop, names: ModuleNames) -> list[list[ast.expr]]:
    """What each target of a loop is bound to in turn; empty where the text does not say it."""
    assert isinstance(display, Display)
    rows = [row.elts for row in display.elts if isinstance(row, Display)]
    width = len(loop.targets)
    starred = any(isinstance(e, ast.Starred) for e in (*loop.targets, *(x for row in rows for x in row)))
    if not rows or starred or len(rows) < len(display.elts) or any(len(row) != width for row in rows):
        return []
    columns = [list(column) for column in zip(*rows, strict=True)]
    changing = sum(any(has_effects(e, names.functions) for e in column) for column in columns)
    return columns if not changing else []  # the elements of a row are calculated one after the other


@dataclass
class _Kinds:
    asked: set[str]  # names that are called, or are arguments of calls
    functions: set[str]  # names of functions and modules

    def has_functions(self, columns: list[list[ast.expr]], loop: Loop) -> bool:
        """Whether one of the columns is of functions that the loop calls, or hands on."""
        return any(
            isinstance(t, ast.Name) and t.id in self.asked and all(map(self.is_function, column))
            for t, column in zip(loop.targets, columns, strict=True)
        )

    def is_function(self, e: ast.expr) -> bool:
        match e:
            case ast.Lambda():
                return True
            case ast.Name(id=name):
                return name in self.functions
            case ast.Attribute(value=inner):
                return self.is_function(inner)
            case ast.Call(func=ast.Name(id="partial") | ast.Attribute(attr="partial")):
                return True
        return False


def is_settled(e: ast.expr) -> bool:
    """Whether an expression of the module may be written in a function, too: it stands for the same there."""
    match e:
        case ast.Constant() | ast.Name() | ast.Lambda():
            return True
        case ast.UnaryOp(operand=ast.Constant()):
            return True
        case ast.Attribute(value=inner):
            return is_settled(inner)
        case ast.Tuple(elts=elts) | ast.List(elts=elts):
            return all(map(is_settled, elts))
    return False


def names_in(columns: list[list[ast.expr]]) -> set[str]:
    return {n.id for column in columns for e in column for n in walk(e) if isinstance(n, ast.Name)}


def is_looped_only(every: list[ast.AST], target: ast.Name, loops: list[Loop]) -> bool:
    """Whether a name is bound once, and otherwise only taken apart by these loops, or asked for its length."""
    uses = [n for n in every if isinstance(n, ast.Name) and n.id == target.id and n is not target]
    known = {id(loop.over) for loop in loops}
    known |= {
        id(a)
        for n in every
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "len"
        for a in n.args
    }
    outside = any(isinstance(n, ast.Global | ast.Nonlocal) and target.id in n.names for n in every)
    same = len({len(loop.targets) for loop in loops}) == 1
    return same and not outside and all(id(n) in known and not is_bound(n) for n in uses)


def apart(
    s: ast.Assign,
    target: ast.Name,
    columns: list[list[ast.expr]],
    loops: list[Loop],
    own: set[str],
    every: list[ast.AST],
) -> list[ast.stmt]:
    """A list for each column, and the loops over these."""
    new: list[str] = []
    for i, t in enumerate(loops[0].targets):
        wish = name = f"{target.id}_{t.id if isinstance(t, ast.Name) else i}"
        k = 1
        while name in own:
            name = f"{wish}_{(k := k + 1)}"
        own.add(name)
        new.append(name)
    for loop in loops:
        like = loop.over
        parts: list[ast.expr] = [made(ast.Name(n, ast.Load()), like) for n in new]
        loop.put(made(ast.Call(made(ast.Name("zip", ast.Load()), like), parts, []), like))
    for n in every:
        if isinstance(n, ast.Name) and n.id == target.id and not is_bound(n):
            n.id = new[-1]  # its length
    return [
        made(ast.Assign([made(ast.Name(n, ast.Store()), target)], made(ast.List(column, ast.Load()), s.value)), s)
        for n, column in zip(new, columns, strict=True)
    ]


def zipped(columns: list[list[ast.expr]], like: ast.expr) -> ast.Call:
    lists: list[ast.expr] = [made(ast.List(column, ast.Load()), like) for column in columns]
    return made(ast.Call(made(ast.Name("zip", ast.Load()), like), lists, []), like)


__all__ = ["write_out"]
