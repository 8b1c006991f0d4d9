"""Lists of lists and other items, read and written under numbers that are written out: a variable for each item.

    p = [x, [y, z]]             p_0, p_1_0, p_1_1 = x, y, z
    p[0] += 1.0                 p_0 += 1.0
    p[1][0] = p[0] * p[1][1]    p_1_0 = p_0 * p_1_1

    return p                    return [p_0, [p_1_0, p_1_1]]

Such a list is neither one of arrays nor one of lists. Where the text names each item by its number, nothing else has
the list, and its items are variables, until the caller gets it. One that is read only, here and in the functions that
it is given to, is a tuple:

    p = [a, tuple(x)]           p_1 = tuple(x)
    area(p)                     p = (a, p_1)
                                area(p)
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import TypeGuard

from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import (
    blocks_of,
    body_nodes,
    bound_names,
    children,
    is_bound,
    new_name,
    parameters,
    read_names,
    walk,
)
from s2s.frontend.text.source import made, put

Parents = Mapping[ast.AST, ast.AST]
Functions = Mapping[str, ast.FunctionDef | ast.AsyncFunctionDef]


@dataclass
class Item:
    """An item that has a name, or is named by its own items."""

    kinds: set[bool]  # whether the values that are put there are lists
    items: list[Item] = field(default_factory=list)
    name: str = ""

    def named(self) -> list[Item]:
        return [n for i in self.items for n in i.named()] if self.items else [self]


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the body of a function."""
    if not names.hides(frozenset(["tuple", "len"])):
        _Frozen(function, names).block(function.body)
    own = body_nodes(function)
    assigned = [s for s in own if isinstance(s, ast.Assign) and isinstance(s.value, ast.List | ast.ListComp)]
    lists = {t.id for s in assigned for t in s.targets if isinstance(t, ast.Name)}
    shown = {n.targets[0].id for n in own if is_display(n) and any(is_list(e, lists) for e in n.value.elts)}
    shown -= {p.arg for p in parameters(function)}
    if not shown:
        return
    nodes = [n for s in function.body for n in walk(s)]
    parents = {c: n for n in nodes for c in children(n)}
    shown -= {name for n in nodes if isinstance(n, ast.Global | ast.Nonlocal) for name in n.names}
    taken = (
        bound_names(nodes) | {n.id for n in nodes if isinstance(n, ast.Name)} | {p.arg for p in parameters(function)}
    )
    settled = bound_once(function, lists)
    finally_ = any(isinstance(n, ast.Try | ast.TryStar) and n.finalbody for n in nodes)
    for name in sorted(shown):
        uses = [n for n in own if isinstance(n, ast.Name) and n.id == name]
        if len(uses) < sum(isinstance(n, ast.Name) and n.id == name for n in nodes):
            continue  # an inner function reads the list, or the variable of a comprehension has its name
        reads = [n for n in uses if not is_bound(n)]
        displays: list[ast.Assign] = [s for n in uses if is_bound(n) and is_display(s := parents[n])]
        if len(reads) + len(displays) < len(uses):
            continue
        whole = common([s.value for s in displays])
        if not any(is_unlike(s.value, lists) for s in displays):
            continue
        results = [] if finally_ else results_with(reads, parents)
        reads = [n for n in reads if n not in results]
        if not all(is_of_item(n, whole, parents) for n in reads):
            continue
        places = [place(n, whole, parents) for n in reads]
        if any(is_deleted(p) for p, _ in places) or not (results or any(is_stored(p) for p, _ in places)):
            continue
        for p, item in places:
            if is_stored(p):
                up = parents[p]
                item.kinds.add(isinstance(up, ast.Assign) and is_list(up.value))
        if any(len(item.kinds) > 1 for item in whole.named()):
            continue
        call(whole, name, taken)
        if len(displays) == 1:
            keep_names(whole, displays[0].value, settled, [item for p, item in places if is_stored(p)])
        for p, item in places:
            up = parents[p]
            put(up, p, made(ast.Name(item.name, ast.Store() if is_stored(p) else ast.Load()), p))
            mark(parents, p)
        for n in results:
            put(parents[n], n, again(whole, n))
            mark(parents, n)
        for s in displays:
            bind(whole, s)


class _Frozen:
    """Lists of numbers and sequences that nothing changes, as tuples."""

    def __init__(self, function: ast.FunctionDef, names: ModuleNames) -> None:
        self.functions = names.functions
        self.function = function
        nodes = body_nodes(function)
        self.taken = bound_names([*walk(function)]) | read_names(function) | {p.arg for p in parameters(function)}
        self.given = {p.arg for p in parameters(function)}
        self.stores = Counter(n.id for n in nodes if isinstance(n, ast.Name) and is_bound(n))

    def block(self, body: list[ast.stmt]) -> None:
        for i, s in reversed(list(enumerate(body))):
            if isinstance(s, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            for inner in blocks_of(s):
                self.block(inner)
            match s:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.List() | ast.Tuple() as shown) if (
                    self.stores[name] == 1
                    and name not in self.given
                    and any(is_number(e) for e in shown.elts)
                    and (self.has_copies(shown) or self.is_read_twice(name, shown))
                    and is_only_read(name, self.function, self.functions)
                ):
                    body[i : i + 1] = self.apart(s, name, shown)

    def has_copies(self, shown: ast.List | ast.Tuple) -> bool:
        others = [e for e in shown.elts if not is_copied(e)]
        return len(others) < len(shown.elts) and not any(isinstance(n, ast.Call) for e in others for n in walk(e))

    def is_read_twice(self, name: str, shown: ast.List | ast.Tuple) -> bool:
        """Whether lists stand beside numbers, and are read here and by functions that get the whole.

        What is added to a cotangent here would be put into a part of what such a function has returned.
        """
        nodes = [n for s in self.function.body for n in walk(s)]
        return (
            not all(map(is_number, shown.elts))
            and not any(isinstance(e, ast.Starred) for e in shown.elts)
            and any(
                isinstance(n, ast.Call) and any(isinstance(a, ast.Name) and a.id == name for a in n.args) for n in nodes
            )
            and any(
                isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and n.value.id == name for n in nodes
            )
        )

    def apart(self, s: ast.Assign, name: str, shown: ast.List | ast.Tuple) -> list[ast.stmt]:
        """Names for the items, and where these are lists and numbers, their display in place of the whole."""
        every = not self.has_copies(shown)
        first: list[ast.stmt] = []
        paths: dict[tuple[int, ...], str] = {}

        def named(e: ast.expr, path: tuple[int, ...]) -> ast.expr:
            if every and isinstance(e, ast.Tuple) and path:
                return made(ast.Tuple([named(x, (*path, k)) for k, x in enumerate(e.elts)], ast.Load()), e)
            if not is_copied(e) and (not every or isinstance(e, ast.Constant)):
                return e
            own = paths[path] = new_name(self.taken, "_".join([name, *map(str, path)]))
            first.append(ast.copy_location(ast.Assign([made(ast.Name(own, ast.Store()), e)], with_star(e)), s))
            return made(ast.Name(own, ast.Load()), e)

        s.value = made(ast.Tuple([named(e, (k,)) for k, e in enumerate(shown.elts)], ast.Load()), shown)
        nodes = body_nodes(self.function)
        parents = {c: n for n in nodes for c in children(n)}
        for n in nodes:
            if (own := paths.get(path_of(n, name, shown))) is not None and n in parents:
                put(parents[n], n, made(ast.Name(own, ast.Load()), n))
                mark(parents, n)
        return [*first, s]


def path_of(n: ast.AST, name: str, shown: ast.expr) -> tuple[int, ...]:
    """The numbers under which an expression reads a shown tuple of a name: (1, 0) for `t[1][0]`, () for others."""
    match n:
        case ast.Subscript(value=value, slice=key) if (k := number(key)) is not None:
            before = path_of(value, name, shown)
            if not before and not (isinstance(value, ast.Name) and value.id == name):
                return ()
            for i in before:
                shown = shown.elts[i] if isinstance(shown, ast.Tuple | ast.List) else shown
            if isinstance(shown, ast.Tuple | ast.List) and -len(shown.elts) <= k < len(shown.elts):
                return (*before, k % len(shown.elts))
    return ()


def mark(parents: Parents, n: ast.AST) -> None:
    """What holds a changed expression is no longer the user's text."""
    up = parents[n]
    while isinstance(up, ast.expr):
        up = parents[made(up, up)]


def is_copied(e: ast.expr) -> bool:
    """`tuple(x)` or `(*x,)`"""
    match e:
        case ast.Call(func=ast.Name(id="tuple"), args=[ast.Name()], keywords=[]):
            return True
        case ast.Tuple(elts=[ast.Starred(value=ast.Name())]):
            return True
    return False


def with_star(e: ast.expr) -> ast.expr:
    if isinstance(e, ast.Call):
        return made(ast.Tuple([made(ast.Starred(e.args[0], ast.Load()), e)], ast.Load()), e)
    return e


def is_number(e: ast.expr) -> bool:
    """Whether an item is surely not shown as a sequence."""
    return not isinstance(e, ast.List | ast.Tuple | ast.ListComp | ast.Starred | ast.Dict) and not is_copied(e)


def is_only_read(
    name: str, function: ast.FunctionDef, functions: Functions, seen: frozenset[str] = frozenset()
) -> bool:
    """Whether a list is only taken apart and read by the numbers of its items, so that it might be a tuple."""
    nodes = [n for s in function.body for n in walk(s)]
    parents = {c: n for n in nodes for c in children(n)}
    uses = [n for n in nodes if isinstance(n, ast.Name) and n.id == name and not is_bound(n)]
    if any(isinstance(n, ast.arg) and n.arg == name for n in nodes):
        return False
    functions = {n: f for n, f in functions.items() if n not in bound_names(nodes)}
    return all(reads_only(n, parents, functions, seen | {function.name}) for n in uses)


def reads_only(use: ast.Name, parents: Parents, functions: Functions, seen: frozenset[str]) -> bool:
    match parents[use]:
        case ast.Subscript(value=value) as e if value is use:
            above: ast.AST = e
            while isinstance(above, ast.Subscript) and isinstance(above.ctx, ast.Load):
                last, above = above, parents[above]
                if isinstance(above, ast.Subscript) and above.value is not last:
                    return True  # a key
            return not isinstance(above, ast.Subscript | ast.Attribute | ast.AugAssign)
        case ast.Assign(targets=[ast.Tuple()]) | ast.For() | ast.comprehension():
            return True
        case ast.Call(func=ast.Name(id="len"), args=[_]):
            return True
        case ast.Call(func=ast.Name(id=called), args=args) if use in args:
            callee = functions.get(called)
            if called in seen or not isinstance(callee, ast.FunctionDef) or callee.decorator_list:
                return False
            a = callee.args
            if a.posonlyargs or any(isinstance(x, ast.Starred) for x in args) or args.index(use) >= len(a.args):
                return False
            parameter = a.args[args.index(use)].arg
            bound = any(isinstance(n, ast.Name) and n.id == parameter and is_bound(n) for n in walk(callee))
            return not bound and is_only_read(parameter, callee, functions, seen)
    return False


class Display(ast.Assign):
    """A statement that binds one name to a list that it shows."""

    targets: list[ast.Name]  # type: ignore[assignment]
    value: ast.List


def is_display(n: ast.AST) -> TypeGuard[Display]:
    match n:
        case ast.Assign(targets=[ast.Name()], value=ast.List(elts=elts)):
            return not any(isinstance(e, ast.Starred) for e in elts)
    return False


def is_list(e: ast.expr, lists: AbstractSet[str] = frozenset()) -> bool:
    """lists: the names that are bound to such."""
    return isinstance(e, ast.List | ast.ListComp) or (isinstance(e, ast.Name) and e.id in lists)


def is_unlike(shown: ast.expr, lists: set[str]) -> bool:
    """Whether a list, or one in it, shows lists beside other items."""
    if not isinstance(shown, ast.List):
        return False
    kinds = {is_list(e, lists) for e in shown.elts}
    return len(kinds) > 1 or any(is_unlike(e, lists) for e in shown.elts)


def common(shown: list[ast.expr]) -> Item:
    """The items that all of some values show, and those of these."""
    lists = [e.elts for e in shown if isinstance(e, ast.List) and not any(isinstance(i, ast.Starred) for i in e.elts)]
    kinds = set(map(is_list, shown))
    if len(lists) < len(shown) or len(set(map(len, lists))) > 1:
        return Item(kinds)
    return Item(kinds, [common([*items]) for items in zip(*lists, strict=True)])


def results_with(reads: list[ast.Name], parents: Parents) -> list[ast.Name]:
    """The uses of the list in what the function returns, where that has it once: nothing else sees it by then."""
    found: dict[ast.AST, list[ast.Name]] = {}
    for n in reads:
        up = parents[n]
        while isinstance(up, ast.Tuple | ast.List):
            up = parents[up]
        if isinstance(up, ast.Return):
            found.setdefault(up, []).append(n)
    return [uses[0] for uses in found.values() if len(uses) == 1]


def is_of_item(n: ast.Name, whole: Item, parents: Parents) -> bool:
    """Whether a use of the list is one of an item of it: what is used as a whole gets a name, and its items none."""
    p, item = place(n, whole, parents)
    if p is n:
        return False
    match parents[p], item:
        case ast.Subscript(value=value, slice=key), Item(items=[_, *_]) if value is p and number(key) is not None:
            return False  # there is no such item
    item.items = []
    return True


def place(n: ast.Name, whole: Item, parents: Parents) -> tuple[ast.expr, Item]:
    """Of a use of the list, what it reads or stores by numbers: `p[1][0]` of `p[1][0][i]`."""
    e: ast.expr = n
    item = whole
    while True:
        match parents[e]:
            case ast.Subscript(value=value, slice=key) as up if value is e and (k := number(key)) is not None:
                if not -len(item.items) <= k < len(item.items):
                    break
                e, item = up, item.items[k]
            case _:
                break
    return e, item


def is_stored(p: ast.expr) -> bool:
    return isinstance(p, ast.Subscript) and isinstance(p.ctx, ast.Store)


def is_deleted(p: ast.expr) -> bool:
    return isinstance(p, ast.Subscript) and isinstance(p.ctx, ast.Del)


def number(key: ast.expr) -> int | None:
    match key:
        case ast.Constant(value=int() as k) if not isinstance(k, bool):
            return k
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as k)) if not isinstance(k, bool):
            return -k
    return None


def call(item: Item, name: str, taken: set[str]) -> None:
    """Names for the items of a list: `p_1_0` for `p[1][0]`."""
    for k, inner in enumerate(item.items):
        if inner.items:
            call(inner, f"{name}_{k}", taken)
        else:
            inner.name = new_name(taken, f"{name}_{k}")


def keep_names(whole: Item, shown: ast.expr, settled: set[str], stored: list[Item]) -> None:
    """Items that are lists with names of their own need no others."""
    for item, e in zip(whole.named(), values(whole, shown), strict=True):
        if isinstance(e, ast.Name) and e.id in settled and not any(i is item for i in stored):
            item.name = e.id


def bound_once(function: ast.FunctionDef, names: set[str]) -> set[str]:
    """Of some names, those that stand for one value wherever they are read."""
    nodes = [n for s in function.body for n in walk(s)]
    bound = Counter([n.id for n in nodes if isinstance(n, ast.Name) and is_bound(n)])
    bound.update(p.arg for p in parameters(function))
    repeated = (s for s in nodes if isinstance(s, ast.For | ast.AsyncFor | ast.While))
    inside = {n.id for s in repeated for n in walk(s) if isinstance(n, ast.Name) and is_bound(n)}
    return {n for n in names if bound[n] == 1} - inside


def bind(whole: Item, s: ast.Assign) -> None:
    """Binds the names of the items, where a display was bound."""
    every = zip(whole.named(), values(whole, s.value), strict=True)
    pairs = [(i.name, e) for i, e in every if not (isinstance(e, ast.Name) and e.id == i.name)]
    targets: list[ast.expr] = [made(ast.Name(name, ast.Store()), s) for name, _ in pairs]
    s.targets = [targets[0] if len(targets) == 1 else made(ast.Tuple(targets, ast.Store()), s)]
    s.value = pairs[0][1] if len(pairs) == 1 else made(ast.Tuple([e for _, e in pairs], ast.Load()), s.value)


def again(item: Item, like: ast.AST) -> ast.expr:
    """A list of the items, by their names."""
    if item.items:
        return made(ast.List([again(i, like) for i in item.items], ast.Load()), like)
    return made(ast.Name(item.name, ast.Load()), like)


def values(item: Item, shown: ast.expr) -> list[ast.expr]:
    if item.items and isinstance(shown, ast.List):
        return [v for i, e in zip(item.items, shown.elts, strict=True) for v in values(i, e)]
    return [shown]
