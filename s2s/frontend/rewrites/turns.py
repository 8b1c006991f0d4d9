"""Loops over what Python computes item by item: each item where its turn comes, not all of them before the loop.

    for w in (y * k for y in L if t):       for y in L:
        ...                                     if t:
                                                    w = y * k
                                                    ...
    for w in map(f, L):                     for item in L:
        ...                                     w = f(item)
                                                ...
    for w in filter(f, L):                  for w in L:
        ...                                     if f(w):
                                                    ...
    for j, w in enumerate(y * k for y in L):    for j, y in enumerate(L):
        ...                                         w = y * k
                                                    ...
    for k, w in np.ndenumerate(A):          for k in np.ndindex(A.shape):
        ...                                     w = A[k]
                                                ...
    for law in [LAWS[k] for k in kinds]:    for k in kinds:
        y = law(y)                              law = LAWS[k]
                                                y = law(y)

What the body changes is seen by the items that follow. Where a loop cannot be written so, `late_items` says whether its
items may be computed before it.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Mapping
from typing import cast

from s2s.frontend.rewrites.takes import makes_list
from s2s.frontend.text.bindings import Bindings, root_of
from s2s.frontend.text.function_bodies import has_effects, is_fresh
from s2s.frontend.text.names import METHODS, ModuleNames
from s2s.frontend.text.scopes import (
    blocks_of,
    body_nodes,
    bound_names,
    children,
    free_names,
    full_path,
    is_bound,
    is_read_outside,
    new_name,
    parameters,
    read_names,
    walk,
)
from s2s.frontend.text.source import made, put

LAZY = frozenset(["map", "filter", "enumerate", "zip"])
READ_LATER = frozenset(  # of itertools: they read each item of a list where its turn comes
    f"itertools.{name}"
    for name in (
        *("accumulate", "batched", "chain", "chain.from_iterable", "compress", "cycle", "dropwhile", "filterfalse"),
        *("groupby", "islice", "pairwise", "starmap", "takewhile", "zip_longest"),
    )
)


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the body of a function."""
    methods_applied(function, names)
    loops = [n for n in walk(function) if isinstance(n, ast.For)]
    if not any(isinstance(n, ast.Call | ast.GeneratorExp | ast.ListComp) for loop in loops for n in walk(loop.iter)):
        return
    nodes = body_nodes(function)
    own = bound_names(nodes) | {p.arg for p in parameters(function)}
    if not names.hides(LAZY) and own.isdisjoint(LAZY):
        _Turns(function, own, names.imports.names).block(function.body)


def methods_applied(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Lambdas that call methods of the items they are given, as generators: these say of which list the items are."""
    nodes = list(walk(function))
    if not any(isinstance(n, ast.Lambda) for n in nodes):
        return
    own = bound_names(nodes) | {n.arg for n in nodes if isinstance(n, ast.arg)}
    hidden = own & {"map", "sum"} | {n for n in ("map", "sum") if names.hides(frozenset([n]))}
    for up in nodes:
        for call in list(children(up)) if not isinstance(up, ast.For) else ():
            match call:
                case ast.Call(func=ast.Name(id="map"), args=[ast.Lambda() as f, _, *_]) if (
                    "map" not in hidden and calls_methods(f, 0)
                ):
                    put(up, call, as_generator(call, lambda name: name))
                case ast.Call(func=func, args=[ast.Lambda(body=ast.BinOp(op=ast.Add())) as f, xs, start], keywords=[]):
                    known = full_path(func, names.imports.names) == "functools.reduce"
                    if known and not read_names(func) & own and "sum" not in hidden and calls_methods(f, 1):
                        put(up, call, summed(f, xs, start, call))


def calls_methods(f: ast.Lambda, at: int) -> bool:
    """Whether a lambda with plain parameters calls a method of one of those from `at` on; of the ones before it is the
    text the left operand of its sum, and nothing else."""
    own = plain_parameters(f) or []
    called = {
        n.func.value.id
        for n in walk(f.body)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and isinstance(n.func.value, ast.Name)
    }
    if at and (len(own) != 2 or not isinstance(f.body, ast.BinOp) or own[0] in read_names(f.body.right)):
        return False
    first = f.body.left if at and isinstance(f.body, ast.BinOp) else None
    return bool(called & {*own[at:]}) and (not at or (isinstance(first, ast.Name) and first.id == own[0]))


def summed(f: ast.Lambda, xs: ast.expr, start: ast.expr, like: ast.expr) -> ast.expr:
    """reduce(lambda a, s: a + s.g(), xs, start) as sum((s.g() for s in xs), start)."""
    assert isinstance(f.body, ast.BinOp)
    item = made(ast.Name(f.args.args[1].arg, ast.Store()), like)
    each = made(ast.GeneratorExp(f.body.right, [ast.comprehension(item, xs, [], 0)]), like)
    return made(ast.Call(made(ast.Name("sum", ast.Load()), like), [each, start], []), like)


class _Turns:
    def __init__(self, function: ast.FunctionDef, own: set[str], imports: Mapping[str, str]) -> None:
        self.function, self.own, self.imports = function, own, imports
        self.taken = own | {n.id for n in walk(function) if isinstance(n, ast.Name)}
        self.items: set[str] = set()  # variables that only the loops written here bind
        self.active: set[str] = set()  # those of the loops around, and of this one
        self.applied: set[str] = set()  # those that `map` and `filter` of this loop are given

    def block(self, body: list[ast.stmt]) -> None:
        for s in body:
            outer = set(self.active)
            while isinstance(s, ast.For) and self.is_turned(s):
                pass
            for inner in [s.body] if isinstance(s, ast.FunctionDef) else blocks_of(s):
                self.block(inner)
            self.active = outer

    def fresh(self, wish: str) -> str:
        """A variable for items that no other one of the function can mean; loops one after the other may share it."""
        free = wish in self.items or not (wish in self.own or is_read_outside(self.function, wish))
        found = wish if free and wish not in self.active else new_name(self.taken, wish)
        self.taken.add(found)
        self.items.add(found)
        self.active.add(found)
        return found

    def item(self, wish: str) -> str:
        """The variable of what `map` or `filter` runs over."""
        found = self.fresh(wish)
        self.applied.add(found)
        return found

    def is_turned(self, s: ast.For) -> bool:
        """Changes a loop whose items are computed one by one; whether it was one."""
        self.applied = set()
        if rebinds_functions(s):
            return False
        if self.picks_functions(s):
            s.iter = made(ast.GeneratorExp(s.iter.elt, s.iter.generators), s.iter)  # type: ignore[attr-defined]
        match it := as_generator(s.iter, self.item):
            case ast.GeneratorExp(elt=elt, generators=[g, *inner]) if not any(c.is_async for c in (g, *inner)):
                if (inner and (s.orelse or leaves(s.body))) or not self.renamed(it, s.target):
                    return False
                body = [*self.bound(s.target, it.elt), *s.body]
                for clause in reversed(inner):
                    body = [made(ast.For(clause.target, clause.iter, tested(clause.ifs, body), []), elt)]
                s.target, s.iter, s.body = g.target, g.iter, tested(g.ifs, body)
                return True
            case ast.Call(func=ast.Name(id="enumerate" | "zip" as fn), args=args):
                return isinstance(s.target, ast.Tuple) and self.side_by_side(s, s.target, fn, args)
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=root), attr="ndenumerate") as func,
                args=[ast.Name(id=array) as of],
                keywords=[],
            ) if self.imports.get(root) == "numpy" and root not in self.own:
                bound = bound_names(n for x in (s.target, *s.body) for n in walk(x))
                return array not in bound and not self.is_list(array) and self.by_place(s, func, of)
        return False

    def picks_functions(self, s: ast.For) -> bool:
        """Whether a loop calls items of a table of the module, under keys that its body leaves as they are: each may
        be looked up in its turn."""
        match s.target, s.iter:
            case (
                ast.Name(id=item),
                ast.ListComp(
                    elt=ast.Subscript(value=ast.Name(id=table), slice=ast.Name(id=read)),
                    generators=[ast.comprehension(target=ast.Name(id=key), iter=ast.Name(id=keys), ifs=[], is_async=0)],
                ),
            ) if read == key and table not in self.own:
                calls = [n for x in s.body for n in walk(x) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
                called = any(n.func.id == item for n in calls)  # type: ignore[attr-defined]
                named = {id(n.iter) for n in walk(self.function) if isinstance(n, ast.For | ast.comprehension)}
                reads = [n for n in walk(self.function) if isinstance(n, ast.Name) and n.id == keys]
                loads = (n for n in reads if isinstance(n.ctx, ast.Load))
                return called and all(id(n) in named for n in loads)  # it has no second name, and nothing changes it
        return False

    def is_list(self, name: str) -> bool:
        """Whether a variable is bound to a list, which has no shape, and no item at `(i,)`."""
        bound = (n for n in walk(self.function) if isinstance(n, ast.Assign) and makes_list(n.value, name))
        return any(isinstance(t, ast.Name) and t.id == name for n in bound for t in n.targets)

    def by_place(self, s: ast.For, func: ast.Attribute, of: ast.Name) -> bool:
        """A loop over the items of an array and their places runs over the places: an item is read in its turn."""
        match s.target:
            case ast.Tuple(elts=[ast.Name(id=name), item]) if name not in read_names(item):
                key: ast.expr = made(ast.Name(name, ast.Load()), s.target)
            case ast.Tuple(elts=[ast.Tuple(elts=[_, *_] as places), item]) if all(
                isinstance(p, ast.Name) and p.id not in read_names(item) for p in places
            ):
                names = [made(ast.Name(p.id, ast.Load()), p) for p in places if isinstance(p, ast.Name)]
                key = made(ast.Tuple(list[ast.expr](names), ast.Load()), s.target)
            case _:
                return False
        assert isinstance(s.target, ast.Tuple)
        s.body[:0] = self.bound(item, made(ast.Subscript(of, key, ast.Load()), item))
        s.target = s.target.elts[0]
        shape = made(ast.Attribute(copy.copy(of), "shape", ast.Load()), s.iter)
        s.iter = made(ast.Call(made(ast.Attribute(func.value, "ndindex", ast.Load()), s.iter), [shape], []), s.iter)
        return True

    def side_by_side(self, s: ast.For, target: ast.Tuple, fn: str, args: list[ast.expr]) -> bool:
        """The items of an `enumerate` or a `zip` of which some are computed one by one."""
        first = int(fn == "enumerate")
        given = args[:1] if first else args
        if len(given) != len(target.elts) - first or any(isinstance(e, ast.Starred) for e in (*target.elts, *args)):
            return False
        if any(read_names(target) & read_names(lazy) for e in given if (lazy := lazy_items(e)) is not None):
            return False  # an item is computed before the targets of its round are given
        before: list[ast.stmt] = []
        for n, (t, e) in enumerate(zip(target.elts[first:], given, strict=True)):
            match found := as_generator(e, self.item):
                case ast.GeneratorExp(generators=[ast.comprehension(ifs=[], is_async=0) as g]):
                    if not self.renamed(found, t):
                        continue
                    before += self.bound(t, found.elt)
                    target.elts[n + first], args[n] = g.target, g.iter
        s.body[:0] = before
        return bool(before)

    def bound(self, target: ast.expr, value: ast.expr) -> list[ast.stmt]:
        """The target of a loop is given an item; nothing where its own target is that already."""
        if isinstance(target, ast.Name) and isinstance(value, ast.Name) and target.id == value.id:
            return []
        first = ast.copy_location(ast.Assign([target], value), value)
        first.made = True  # type: ignore[attr-defined]
        return [first]

    def renamed(self, e: ast.GeneratorExp, target: ast.expr) -> bool:
        """Gives the variables of a generator names that nothing else in the function has: they become variables of
        the function. Whether that can be done."""
        names = {n for g in e.generators for n in read_names(g.target)}
        if any(isinstance(n, ast.arg) and n.arg in names for n in walk(e)):
            return False
        first = e.generators[0]
        new: dict[str, str] = {}
        match e.elt, target, first:
            # the item itself: `for w in (y for y in L if t)`; behind the loop, `w` is the last that passed
            case ast.Name(id=own), ast.Name(id=name), ast.comprehension(target=ast.Name(id=bound)) if (
                own == bound and len(e.generators) == 1
            ):
                apart = own == name or name not in read_names(e)
                if apart and not (first.ifs and is_read_outside(self.function, name)):
                    new[own] = name
        new |= {name: self.fresh(name) for name in sorted(names - new.keys() - self.applied)}
        rename = _Renamed({a: b for a, b in new.items() if a != b})
        e.elt = rename.visit(e.elt)
        for n, g in enumerate(e.generators):
            g.target, g.ifs = rename.visit(g.target), [rename.visit(test) for test in g.ifs]
            g.iter = rename.visit(g.iter) if n else g.iter
        return True


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return made(ast.Name(self.names[node.id], node.ctx), node) if node.id in self.names else node


def tested(tests: list[ast.expr], body: list[ast.stmt]) -> list[ast.stmt]:
    for test in reversed(tests):
        body = [made(ast.If(test, body, []), test)]
    return body


def leaves(body: list[ast.stmt]) -> bool:
    """Whether a `break` in the body of a loop ends that loop."""
    for s in body:
        if isinstance(s, ast.Break):
            return True
        inner = [s.orelse] if isinstance(s, ast.For | ast.While) else blocks_of(s)
        if any(leaves(block) for block in inner):
            return True
    return False


def as_generator(e: ast.expr, fresh: Callable[[str], str]) -> ast.expr:
    """map(f, xs) as (f(v) for v in xs), filter likewise; a lambda is written out."""
    match e:
        case ast.Call(func=ast.Name(id="map"), args=[f, *xs], keywords=[]) if xs and not any(
            isinstance(x, ast.Starred) for x in xs
        ):
            sources = [as_generator(x, fresh) for x in xs]
            targets, element = applied(f, len(xs), fresh, e)
            target, source = targets[0], sources[0]
            if len(xs) > 1:
                target = made(ast.Tuple(targets, ast.Store()), e)
                source = made(ast.Call(made(ast.Name("zip", ast.Load()), e), sources, []), e)
            return made(ast.GeneratorExp(element, [ast.comprehension(target, source, [], 0)]), e)
        case ast.Call(func=ast.Name(id="filter"), args=[f, xs], keywords=[]):
            none = isinstance(f, ast.Constant) and f.value is None
            targets, test = applied(f, 1, fresh, e)
            item = made(ast.Name(cast(ast.Name, targets[0]).id, ast.Load()), e)
            clause = ast.comprehension(targets[0], as_generator(xs, fresh), [copy.copy(item) if none else test], 0)
            return made(ast.GeneratorExp(item, [clause]), e)
    return e


def applied(f: ast.expr, count: int, fresh: Callable[[str], str], like: ast.expr) -> tuple[list[ast.expr], ast.expr]:
    """Variables, and what a function gives for them: the body of a lambda, or a call."""
    own = plain_parameters(f)
    plain = isinstance(f, ast.Lambda) and own is not None and len(own) == count
    names = [fresh(p) for p in (own or []) if plain] or [fresh("item") for _ in range(count)]
    targets: list[ast.expr] = [made(ast.Name(n, ast.Store()), like) for n in names]
    if isinstance(f, ast.Lambda) and own is not None and plain:
        return targets, _Renamed(dict(zip(own, names, strict=True))).visit(copy.deepcopy(f.body))
    return targets, made(ast.Call(f, [made(ast.Name(n, ast.Load()), like) for n in names], []), like)


def plain_parameters(f: ast.expr) -> list[str] | None:
    """The parameters of a lambda that has no other kinds and no defaults, and that nothing inside it hides."""
    match f:
        case ast.Lambda(
            args=ast.arguments(posonlyargs=[], args=args, vararg=None, kwonlyargs=[], kwarg=None, defaults=[])
        ):
            names = [p.arg for p in args]
            inner = {n.arg for n in walk(f.body) if isinstance(n, ast.arg)}
            return None if inner & set(names) or not names else names
    return None


def lazy_items(e: ast.expr) -> ast.expr | None:
    """What computes the items of a loop one by one, None where they are there before it."""
    match e:
        case ast.GeneratorExp() | ast.Call(func=ast.Name(id="map" | "filter")):
            return e
        case ast.Call(func=ast.Name(id="enumerate" | "zip"), args=args):
            return next((found for a in args if (found := lazy_items(a)) is not None), None)
    return None


def rebinds_functions(s: ast.For) -> bool:
    """Whether a function that is mapped is computed before the loop, or is another one after its first round."""
    bound = bound_names(n for x in s.body for n in walk(x)) | read_names(s.target)
    for e in [s.iter, *(s.iter.args if isinstance(s.iter, ast.Call) else [])]:
        match e:
            case ast.Call(func=ast.Name(id="map" | "filter"), args=[f, *_]) if not isinstance(f, ast.Lambda):
                if not isinstance(f, ast.Name | ast.Attribute | ast.Constant) or read_names(f) & bound:
                    return True
    return False


def late_items(s: ast.For, function: ast.FunctionDef, functions: Mapping[str, ast.AST]) -> ast.expr | None:
    """What a loop must compute item by item, where its body may change what the items are computed from.

    An array that the body writes into may be one of those under another name.
    """
    found = lazy_items(s.iter)
    if found is None:
        return None
    reads = set(free_names(found))
    inside = [n for x in s.body for n in walk(x)]
    own = bound_names(body_nodes(function)) | {p.arg for p in parameters(function)}
    changes = any(changes_only_itself(n, reads, function, inside) is False for n in inside)
    calls = any(isinstance(n, ast.Call) and may_change(n, reads, own, functions) for n in inside)
    return found if changes or calls or reads & read_names(s.target) else None


def late_sources(
    s: ast.For, function: ast.FunctionDef, functions: Mapping[str, ast.AST], imports: Mapping[str, str]
) -> ast.expr | None:
    """What itertools reads while a loop runs, `chain(xs, ys)`, where the body may change one of these lists."""
    own = bound_names(body_nodes(function)) | {p.arg for p in parameters(function)}
    for found in walk(s.iter):
        if not isinstance(found, ast.Call) or full_path(found.func, imports) not in READ_LATER:
            continue
        if root_of(found.func) in own:
            continue
        others = (n for n in walk(function) if n is not s and not holds_no_list(n))  # what s itself gives are items
        names = Bindings(others).together(read_names(found), own)
        if any(changes_one_of(n, names, own, functions) for x in s.body for n in walk(x)):
            return found
    return None


def late_entries(s: ast.For, function: ast.FunctionDef, functions: Mapping[str, ast.AST]) -> ast.expr | None:
    """The dict whose entries a loop runs over, `d.items()`, where the body binds another one than that of the round: a
    later round gives its new value."""
    match s.iter:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name) as entries, attr="items" | "values" as attr), args=[]):
            pass
        case _:
            return None
    key = ""
    match s.target:
        case ast.Tuple(elts=[ast.Name(id=first), *_]) if attr == "items":
            key = first
    given = bound_names(walk(s.target)) - {key}
    if isinstance(s.body[0], ast.For) and given <= bound_names(walk(s.body[0].target)):
        return None  # what the rounds give is not read
    own = bound_names(body_nodes(function)) | {p.arg for p in parameters(function)}
    for n in (n for x in s.body for n in walk(x)):
        match n:
            case ast.Subscript(value=ast.Name(id=of), slice=at, ctx=ast.Store() | ast.Del()) if of == name:
                if not (isinstance(at, ast.Name) and at.id == key):
                    return entries
            case ast.Call() if may_change(n, {name}, own, functions):
                return entries
    return None


def holds_no_list(n: ast.AST) -> bool:
    """Whether an assignment gives nothing a list that others have."""
    match n:
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value) | ast.NamedExpr(value=value):
            return is_apart(value)
        case ast.AugAssign(value=value):  # of a number, as a rule
            return not isinstance(value, ast.List)
    return False


def is_apart(value: ast.expr) -> bool:
    """Whether a value is a number or a new array, and holds no list."""
    match value:
        case ast.Constant() | ast.Compare() | ast.UnaryOp():
            return True
        case ast.BinOp():
            return not any(isinstance(n, ast.List | ast.ListComp) for n in walk(value))
        case ast.Call():
            return is_fresh(value) or getattr(value.func, "id", "") in ("len", "sum", "float", "int", "abs", "range")
    return False


def changes_one_of(n: ast.AST, names: set[str], own: set[str], functions: Mapping[str, ast.AST]) -> bool:
    """Whether a node may change a list that one of these names stands for."""
    match n:
        case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Attribute(ctx=ast.Store() | ast.Del()):
            return root_of(n) in (*names, "")
        case ast.AugAssign(target=ast.Name(id=name)):
            return name in names
        case ast.Call(func=ast.Attribute(value=of, attr=attr)) if root_of(of) in own:
            given = {x for a in [*n.args, *(k.value for k in n.keywords)] for x in read_names(a)}
            mine = root_of(of) in names and (attr not in METHODS or has_effects(n, functions))
            return mine or (attr not in (*METHODS, "append", "extend") and bool(given & names))
        case ast.Call(func=ast.Name(id=name)) if name in own:
            return True
        case ast.Call():
            return has_effects(n, functions) and bool(read_names(n) & names)
    return False


def changes_only_itself(n: ast.AST, reads: set[str], function: ast.FunctionDef, inside: list[ast.AST]) -> bool | None:
    """Whether what a statement binds or writes is nothing that others see, None where it does neither."""
    match n:
        case ast.AugAssign(target=ast.Name(id=name)):  # of a number until this loop, nobody else has what it becomes
            bound = [x for x in body_nodes(function) if isinstance(x, ast.Name) and x.id == name and is_bound(x)]
            starts = [x for x in walk(function) if isinstance(x, ast.Assign) and isinstance(x.value, ast.Constant)]
            numbers = [t for x in starts for t in x.targets if isinstance(t, ast.Name) and t.id == name]
            updates = [x.target for x in inside if isinstance(x, ast.AugAssign)]
            known = {id(x) for x in (*numbers, *updates)}
            return name not in reads and bool(numbers) and all(id(x) in known for x in bound)
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return name not in reads
        case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Attribute(ctx=ast.Store() | ast.Del()):
            return False
        case ast.Expr(value=ast.Call(func=func)):  # called for what it does
            match func:
                case ast.Attribute(value=ast.Name(id=name), attr="append" | "extend"):
                    return name not in reads
                case ast.Name(id="print"):
                    return True
            return False
    return None


def may_change(call: ast.Call, reads: set[str], own: set[str], functions: Mapping[str, ast.AST]) -> bool:
    """Whether a call may write into what it is given, or bind what it captures."""
    match call.func:
        case ast.Attribute(value=of, attr="append" | "extend") if root_of(of) not in reads:
            return any(has_effects(a, functions) for a in call.args)
        case ast.Attribute(value=of, attr=attr) if root_of(of) in own:
            return attr not in METHODS or has_effects(call, functions)
        case ast.Name(id=name) if name in own:
            return True
    return has_effects(call, functions)


__all__ = ["as_generator", "late_entries", "late_items", "late_sources", "write_out"]
