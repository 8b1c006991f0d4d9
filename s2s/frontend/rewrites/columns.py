"""Loops over rows that hold functions, or new objects, as loops over their columns.

    for g, w in [(np.sin, 0.5), (np.cos, w1)]:       for g, w in zip([np.sin, np.cos], [0.5, w1]):

    layers = [(square, w1), (np.tanh, w2)]           layers_act, layers_w = [square, np.tanh], [w1, w2]
    for act, w in layers:                            for act, w in zip(layers_act, layers_w):

    for k, (act, w) in TABLE.items():                for k, act, w in [("a", square, 0.5), ("b", np.tanh, 2.0)]:
    for layer in [{"act": square, "w": 0.5}]:        for layer_act, layer_w in [(square, 0.5)]:
        y = layer["act"](layer["w"] * y)                 y = layer_act(layer_w * y)
    pairs = [(Spring(a), v), (Spring(b), w)]         pairs_s, pairs_v = [Spring(a), Spring(b)], [v, w]
    for s, v in pairs:                               for s, v in zip(pairs_s, pairs_v):
    act, w = TABLE["a"]                              act, w = square, 0.5
    act, w = TABLE[kind]                             act, w = TABLE_0[kind], TABLE[kind][1]

A list of functions is a table that is known when a derivative is written; a list of rows is a value at run time. What
the module holds is written out where all of it means the same in the function.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from typing import cast

from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.function_bodies import has_effects
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import (
    COMPREHENSIONS,
    body_nodes,
    bound_names,
    dotted,
    every_block,
    global_reads,
    is_bound,
    new_name,
    parameters,
    walk,
)
from s2s.frontend.text.source import made

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
    if any(map(holds_rows, names.values.values())):
        _Rows(function, names).write_out()
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
    classes = {c for c, info in names.classes.items() if c not in own and only_makes(info, names)}
    kinds = _Kinds(asked, nested | names.functions.keys() | names.imports.names.keys(), classes)
    named_first(function, loops, names, kinds, own)
    for loop in loops:
        match loop.over:
            case ast.List() | ast.Tuple() as display:
                columns = columns_of(display, loop, names)
                if columns and kinds.are_apart(columns, loop):
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
                    if columns and kinds.are_apart(columns, mine[0]) and is_looped_only(every, target, mine):
                        block[at : at + 1] = apart(s, target, columns, mine, own, every)


def only_makes(info: ClassInfo, names: ModuleNames) -> bool:
    """Whether a constructor changes nothing but the new object: it may run before what stood before it."""
    init = info.init
    if info.makes or init is None:
        return info.makes
    own = parameters(init)[0].arg
    nodes = body_nodes(init)
    plain = not any(isinstance(n, ast.Global | ast.Nonlocal | ast.Delete) for n in nodes)
    for n in nodes:
        match n:
            case ast.Subscript(value=base, ctx=ast.Store()):
                plain = False
            case ast.Attribute(value=base, ctx=ast.Store()):
                plain = plain and isinstance(base, ast.Name) and base.id == own
            case ast.AugAssign():
                plain = False
            case ast.Call(func=func):
                if isinstance(func, ast.Attribute) and (
                    (dotted(func) or [""])[0] in (own, "") or func.attr == "__init__"
                ):
                    plain = False  # a method of the object itself
                plain = plain and not has_effects(n, names.functions)
    return plain


def named_first(function: ast.FunctionDef, loops: list[Loop], names: ModuleNames, kinds: _Kinds, own: set[str]) -> None:
    """Rows with new objects that a loop statement shows get a name before it."""
    shown = {id(x.holder): x for x in loops if isinstance(x.holder, ast.For) and isinstance(x.over, Display)}
    for block in every_block(function.body):
        for s in list(block):
            loop = shown.get(id(s))
            if loop is None or not kinds.has_objects(columns_of(loop.over, loop, names)):
                continue
            name = new_name(own, "rows")
            block.insert(block.index(s), made(ast.Assign([made(ast.Name(name, ast.Store()), s)], loop.over), s))
            loop.put(made(ast.Name(name, ast.Load()), loop.over))


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
    classes: Set[str] = frozenset()  # those of the module whose constructors change nothing else

    def are_apart(self, columns: list[list[ast.expr]], loop: Loop) -> bool:
        """Whether one of the columns is of functions, or of new objects: a list of rows does not say what these are."""
        return self.has_functions(columns, loop) or self.has_objects(columns)

    def has_objects(self, columns: list[list[ast.expr]]) -> bool:
        return any(
            all(isinstance(e, ast.Call) and isinstance(e.func, ast.Name) and e.func.id in self.classes for e in column)
            for column in columns
        )

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


class _Rows:
    """Dicts of rows, rows that are dicts, and single rows of what the module holds, with functions in them."""

    def __init__(self, function: ast.FunctionDef, names: ModuleNames) -> None:
        self.function, self.names = function, names
        self.every = [n for s in function.body for n in walk(s)]
        self.own = bound_names(self.every) | {p.arg for p in parameters(function)}
        self.own |= {n.arg for n in self.every if isinstance(n, ast.arg)}
        self.kinds = _Kinds(set(), names.functions.keys() | names.imports.names.keys())
        self.tables: dict[tuple[str, object], ast.Assign] = {}  # of columns of functions, by name and place

    def write_out(self) -> None:
        if self.own & {"zip", "enumerate", "len"}:
            return
        scopes = {id(g): e for e in self.every if isinstance(e, COMPREHENSIONS) for g in e.generators}
        for n in self.every:
            if isinstance(n, ast.For | ast.comprehension):
                self.loop(n, scopes.get(id(n), self.function))
        for block in every_block(self.function.body):
            for s in list(block):
                match s:
                    case ast.Assign(targets=[ast.Tuple() as target], value=ast.Subscript() as e) if isinstance(
                        row := self.held(e), Display
                    ) and len(row.elts) == len(target.elts):
                        pairs = zip(target.elts, row.elts, strict=True)
                        new = [made(ast.Assign([part], copy.deepcopy(x)), s) for part, x in pairs]
                        block[block.index(s) : block.index(s) + 1] = new
                    case ast.Assign(
                        targets=[ast.Tuple() as target], value=ast.Subscript(value=of, slice=ast.Name(id=key)) as e
                    ) if len(rows := self.rows(of)) and len(rows[0]) == len(target.elts):
                        parts = [n for t in target.elts for n in walk(t) if isinstance(n, ast.Name)]
                        if all(isinstance(t, ast.Name) for t in target.elts) and key not in {n.id for n in parts}:
                            items = [self.item(e, i) for i, _ in enumerate(parts)]
                            new = [made(ast.Assign([part], x), s) for part, x in zip(target.elts, items, strict=True)]
                            block[block.index(s) : block.index(s) + 1] = new
                    case ast.Assign(
                        targets=[ast.Name(id=name)], value=ast.Subscript(value=of, slice=ast.Name(id=key)) as e
                    ) if (rows := self.rows(of)) and key not in bound_names(self.every):
                        items_ = {k: self.item(e, k) for k in rows[0]}
                        shown = ast.Dict([v.slice for v in items_.values()], [*items_.values()])
                        if self.only_entries(name, shown, self.function):
                            self.put(name, items_, self.function)
                            block.remove(s)
                            block[:] = block or [made(ast.Pass(), s)]
                    case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript() as e) if isinstance(
                        entries := self.held(e), ast.Dict
                    ) and self.only_entries(name, entries, self.function):
                        held = {key_of(k): v for k, v in zip(entries.keys, entries.values, strict=True)}
                        self.put(name, held, self.function)
                        block.remove(s)
                        block[:] = block or [made(ast.Pass(), s)]
        self.function.body[:] = [_Held(self).visit(s) for s in self.function.body]
        self.function.body[:0] = self.tables.values()

    def shown(self, e: ast.expr) -> ast.expr | None:
        """The display that a name of the module stands for, where it means the same here, and holds functions."""
        if not isinstance(e, ast.Name) or e.id in self.own:
            return None
        value = self.names.values.get(e.id)
        if not isinstance(value, Display | ast.Dict) or not is_fixed(value):
            return None
        read = global_reads(ast.unparse(value))
        leaves = [x for x in ast.walk(value) if isinstance(x, ast.Name | ast.Attribute | ast.Lambda)]
        return value if not read & self.own and any(map(self.kinds.is_function, leaves)) else None

    def held(self, e: ast.expr) -> ast.expr | None:
        """What stands under literal keys: TABLE["a"], LAYERS[0]["act"]."""
        if not isinstance(e, ast.Subscript) or not isinstance(e.slice, ast.Constant):
            return None
        inner = self.shown(e.value) or self.held(e.value)
        match inner, e.slice.value:
            case ast.Dict(keys=keys, values=values), key:
                found = [v for k, v in zip(keys, values, strict=True) if key_of(k) == key]
                return found[-1] if found else None
            case ((ast.List(elts=elts) | ast.Tuple(elts=elts)), int(at)) if -len(elts) <= at < len(elts):
                return elts[at]
        return None

    def rows(self, of: ast.expr) -> list[dict[object, ast.expr]]:
        """What stands in each row of a table, by place or key; empty where the rows have others."""
        table = self.shown(of)
        values = table.values if isinstance(table, ast.Dict) else table.elts if isinstance(table, Display) else []
        rows: list[dict[object, ast.expr]] = []
        for v in values:
            if isinstance(v, Display | ast.Dict):
                keys = range(len(v.elts)) if isinstance(v, Display) else map(key_of, v.keys)
                rows.append(dict(zip(keys, v.elts if isinstance(v, Display) else v.values, strict=True)))
        return rows if len(rows) == len(values) and all(r.keys() == rows[0].keys() for r in rows) else []

    def item(self, row: ast.expr, at: object) -> ast.Subscript:
        key = made(ast.Constant(cast(str, at)), row)
        return made(ast.Subscript(copy.deepcopy(row), key, ast.Load()), row)

    def chosen(self, e: ast.Subscript) -> ast.expr | None:
        """TABLE[kind][0], of functions: TABLE_0[kind], with TABLE_0 = {"a": square, "b": np.tanh} at the top"""
        match e:
            case ast.Subscript(
                value=ast.Subscript(value=ast.Name(id=name) as of, slice=ast.Name() as key),
                slice=ast.Constant(value=at),
            ):
                column = [row[at] for row in self.rows(of) if at in row]
                table = self.shown(of)
                if not column or not all(map(self.kinds.is_function, column)):
                    return None
                if (name, at) not in self.tables:
                    values = [copy.deepcopy(v) for v in column]
                    keys = table.keys if isinstance(table, ast.Dict) else None
                    new = ast.Dict(keys, values) if keys is not None else ast.List(values, ast.Load())
                    store = made(ast.Name(self.free(f"{name}_{at!s}"), ast.Store()), e)
                    self.tables[name, at] = made(ast.Assign([store], made(new, e)), self.function.body[0])
                local = cast("ast.Name", self.tables[name, at].targets[0]).id
                return made(ast.Subscript(made(ast.Name(local, ast.Load()), of), key, ast.Load()), e)
        return None

    def loop(self, n: ast.For | ast.comprehension, scope: ast.AST) -> None:
        match n.target, n.iter:
            case (
                ast.Tuple(elts=[ast.Name(), ast.Name(id=name)]) as pair,
                ast.Call(func=ast.Name(id="enumerate"), args=[of, *_]) as call,
            ) if isinstance(table := self.shown(of), Display):
                if (found := self.taken_apart(name, table, n, scope)) is not None:
                    pair.elts[1], call.args[0] = found
            case ast.Tuple(elts=targets), ast.Call(func=ast.Attribute(value=of, attr="values"), args=[]):
                if isinstance(table := self.shown(of), ast.Dict) and rows_of(table.values, len(targets)):
                    n.iter = self.listed([cast("Display", v).elts for v in table.values], n.iter)
            case (
                ast.Tuple(elts=[ast.Name() as key, ast.Tuple(elts=targets)]),
                ast.Call(func=ast.Attribute(value=of, attr="items"), args=[]),
            ):
                if isinstance(table := self.shown(of), ast.Dict) and rows_of(table.values, len(targets)):
                    rows = zip(table.keys, table.values, strict=True)
                    n.iter = self.listed([[cast(ast.expr, k), *cast("Display", v).elts] for k, v in rows], n.iter)
                    n.target = made(ast.Tuple([key, *targets], ast.Store()), n.target)
            case ast.Name(id=name), of if isinstance(table := self.shown(of), Display):
                if (found := self.taken_apart(name, table, n, scope)) is not None:
                    n.target, n.iter = found

    def taken_apart(
        self, name: str, table: Display, n: ast.For | ast.comprehension, scope: ast.AST
    ) -> tuple[ast.expr, ast.expr] | None:
        """A target for each key of rows that are dicts, and the rows as tuples."""
        first = table.elts[0] if table.elts else None
        if not isinstance(first, ast.Dict) or not self.only_entries(name, first, scope):
            return None
        keys = [key_of(k) for k in first.keys]
        dicts = [d for d in table.elts if isinstance(d, ast.Dict) and [key_of(k) for k in d.keys] == keys]
        if len(dicts) < len(table.elts):
            return None
        new = {k: self.free(f"{name}_{k}") for k in keys}
        self.put(name, {k: made(ast.Name(v, ast.Load()), n.target) for k, v in new.items()}, scope)
        stores: list[ast.expr] = [made(ast.Name(v, ast.Store()), n.target) for v in new.values()]
        return made(ast.Tuple(stores, ast.Store()), n.target), self.listed([d.values for d in dicts], n.iter)

    def listed(self, rows: list[list[ast.expr]], like: ast.expr) -> ast.List:
        tuples: list[ast.expr] = [made(ast.Tuple([copy.deepcopy(e) for e in r], ast.Load()), like) for r in rows]
        return made(ast.List(tuples, ast.Load()), like)

    def free(self, wish: str) -> str:
        while wish in self.own or not wish.isidentifier():
            wish = f"{wish}_" if wish.isidentifier() else "entry"
        self.own.add(wish)
        return wish

    def only_entries(self, name: str, entries: ast.Dict, scope: ast.AST) -> bool:
        """Whether a name is bound once, and all that is read of it is what stands under literal keys."""
        every = list(walk(scope))
        uses = [n for n in every if isinstance(n, ast.Name) and n.id == name]
        read = [n for n in every if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name)]
        keys = {key_of(k) for k in entries.keys}
        known = {id(n.value) for n in read if isinstance(n.slice, ast.Constant) and n.slice.value in keys}
        known -= {id(n.value) for n in read if isinstance(n.ctx, ast.Store | ast.Del)}
        return sum(map(is_bound, uses)) == 1 and all(is_bound(n) or id(n) in known for n in uses)

    def put(self, name: str, entries: Mapping[object, ast.expr], scope: ast.AST) -> None:
        _Entries(name, entries).visit(scope)


class _Entries(ast.NodeTransformer):
    def __init__(self, name: str, entries: Mapping[object, ast.expr]) -> None:
        self.name, self.entries = name, entries

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=key)) if name == self.name:
                return made(copy.deepcopy(self.entries[key]), node)
        return self.generic_visit(node)


class _Held(ast.NodeTransformer):
    """Functions under literal keys of rows that are dicts: LAYERS["one"]["act"](x)."""

    def __init__(self, rows: _Rows) -> None:
        self.rows = rows

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        nested = isinstance(node.value, ast.Subscript) and isinstance(node.ctx, ast.Load)
        found = self.rows.held(node) if nested else None
        if found is not None and not isinstance(found, Display | ast.Dict):
            return made(copy.deepcopy(found), node)
        chosen = self.rows.chosen(node) if nested else None
        return chosen if chosen is not None else self.generic_visit(node)


def holds_rows(e: ast.expr) -> bool:
    """Whether a value is a display of displays."""
    rows = e.values if isinstance(e, ast.Dict) else e.elts if isinstance(e, Display) else []
    return any(isinstance(r, Display | ast.Dict) for r in rows)


def key_of(e: ast.expr | None) -> object:
    return e.value if isinstance(e, ast.Constant) else e


def rows_of(values: list[ast.expr], width: int) -> bool:
    """Whether these are rows of so many elements."""
    return all(isinstance(v, Display) and len(v.elts) == width for v in values)


def is_fixed(e: ast.expr) -> bool:
    """Whether a display of the module, with those inside of it, may be written in a function, too."""
    match e:
        case ast.Dict(keys=keys, values=values):
            return all(isinstance(k, ast.Constant) for k in keys) and all(map(is_fixed, values))
        case ast.List(elts=elts) | ast.Tuple(elts=elts):
            return all(map(is_fixed, elts))
    return is_settled(e)


__all__ = ["write_out"]
