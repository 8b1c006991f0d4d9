"""Functions of Python's library that choose among values, by what they choose.

    ys = sorted(xs)                     ys = [xs[k] for k in sorted(range(len(xs)), key=lambda k: xs[k])]
    xs.sort(reverse=True)               xs = [xs[k] for k in sorted(range(len(xs)), key=lambda k: xs[k], reverse=True)]
    low = min(xs, default=1.0)          low = min(xs) if len(xs) > 0 else 1.0
    near = min(xs, key=distance)        near = xs[min(range(len(xs)), key=lambda k: distance(xs[k]))]
    u, v = max(zip(a, b))               pairs = [(v0, v1) for v0, v1 in zip(a, b)]
                                        u, v = pairs[max(range(len(pairs)), key=lambda k: pairs[k])]
    first = operator.itemgetter(0)      first = lambda item: item[0]
    ys = list(xs)                       ys = [v for v in xs]
    for col in zip(*rows):              for j in range(min((len(row) for row in rows), default=0)):
                                            col = [row[j] for row in rows]
    cols = list(zip(*rows))             cols = [[row[j] for row in rows] for j in range(...)]
    a, b = map(np.array, zip(*rows))    a_items, b_items = zip(*rows), then a = np.array(a_items), b = ...
    for a, b in pairwise(xs):           for a, b in zip(xs, xs[1:]):
    x = next((v for v in xs if t), a)   x = a; for v in xs: if t: x = v; break
    xs, ys = zip(*rows)                 xs = [row[0] for row in rows]
                                        ys = [row[1] for row in rows]
    ys = list(reversed(xs))             ys = [v for v in xs[::-1]]
    ys = list(chain(xs, [a], zs))       ys = [*xs, a, *zs]
    zip(cycle(ws), xs)                  zip([ws[k % len(ws)] for k in range(len(xs))], xs)
    ys = list(accumulate(xs, f))        sums = []
                                        for v in xs:
                                            sums.append(f(sums[-1], v) if sums else v)
                                        ys = sums
    for v in islice(xs, 1, None, 2):    for v in xs[1::2]:
    zip_longest(u, v, fillvalue=1.0)    zip([u[k] if k < len(u) else 1.0 for k in range(max(len(u), len(v)))], ...)
    np.fromiter((f(v) for v in xs), float)      np.array([f(v) for v in xs], float)

The places carry no derivative, what is there does: values that are compared move with the order that they have.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from s2s.frontend.rewrites import turns
from s2s.frontend.rewrites.entries import open_dicts
from s2s.frontend.rewrites.spellings import made_dicts
from s2s.frontend.rewrites.takes import is_alone
from s2s.frontend.text.bindings import Bindings, root_of
from s2s.frontend.text.literals import is_literal
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.pragma import annotation_of
from s2s.frontend.text.scopes import (
    COMPREHENSIONS,
    SCOPES,
    blocks_of,
    body_nodes,
    bound_names,
    children,
    dotted,
    full_path,
    is_bound,
    is_read_outside,
    parameters,
    read_at_once,
    read_names,
    string_key,
    walk,
)
from s2s.frontend.text.source import Substitute, expression, made, put

DISPLAYS = (ast.List, ast.Tuple)
NAMES = frozenset(["sorted", "min", "max", "list", "zip", "range", "len", "reversed"])
OF_DICTS = frozenset(["get", "items", "keys", "values", "setdefault", "popitem", "update"])
FINITE = """
    batched chain combinations combinations_with_replacement compress groupby islice pairwise permutations product
    zip_longest
"""
WHOLE = frozenset(f"itertools.{name}" for name in FINITE.split())


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the body of a function: what is done already is not done again."""
    nodes = body_nodes(function)
    if not any(isinstance(n, ast.Call | ast.Set) for n in nodes):
        return
    own = bound_names(nodes) | {p.arg for p in parameters(function)}
    others = names.functions.keys() | names.constants.keys() | names.others | names.imports.names.keys()
    if (own | others) & NAMES:
        return
    work = _Library(function, names, own)
    function.body[:] = work.block(function.body)


def set_of_numbers(e: ast.expr) -> list[complex] | None:
    """The items of a set that is written out, in the order in which Python runs over them: that of their hashes."""
    match e:
        case ast.Set(elts=elts):
            pass
        case ast.Call(
            func=ast.Name(id="set" | "frozenset"),
            args=[ast.Tuple(elts=elts) | ast.List(elts=elts) | ast.Set(elts=elts)],
            keywords=[],
        ):
            pass
        case _:
            return None
    try:
        values = [ast.literal_eval(x) for x in elts]
    except ValueError:
        return None
    return list(set(values)) if all(isinstance(v, int | float) for v in values) else None


def with_stars(e: ast.expr, items: bool) -> ast.expr:
    """tuple(xs) as (*xs,), where it is the value, an item of a list or of each step of a comprehension, or with `items`
    an item of a tuple; not what is made of shapes."""
    match e:
        case ast.Tuple(elts=elts) if items:
            e.elts = [with_stars(x, False) for x in elts]
        case ast.List(elts=elts):
            e.elts = [with_stars(x, True) for x in elts]
        case ast.ListComp(elt=elt):
            e.elt = with_stars(elt, True)
        case ast.Call(func=ast.Name(id="tuple"), args=[inner], keywords=[]):
            if any(isinstance(n, ast.Attribute) and n.attr in ("shape", "ndim", "dtype") for n in walk(inner)):
                return e
            if isinstance(inner, ast.GeneratorExp):
                if read_names(inner.elt) <= counters(inner):
                    return e
                inner = made(ast.ListComp(inner.elt, inner.generators), inner)
            inner = with_stars(inner, True) if isinstance(inner, ast.ListComp) else inner
            return made(ast.Tuple([made(ast.Starred(inner, ast.Load()), inner)], ast.Load()), e)
    return e


def counters(e: ast.GeneratorExp) -> set[str]:
    """The variables of a generator expression that count: `i for i, n in enumerate(shape)`."""
    found: set[str] = set()
    for g in e.generators:
        match g.target, g.iter:
            case ast.Name(id=name), ast.Call(func=ast.Name(id="range")):
                found.add(name)
            case ast.Tuple(elts=[ast.Name(id=name), _]), ast.Call(func=ast.Name(id="enumerate")):
                found.add(name)
    return found


class _Library(ast.NodeTransformer):
    def __init__(self, function: ast.FunctionDef, names: ModuleNames, own: set[str]) -> None:
        self.function, self.names, self.own = function, names, own
        self.params = {p.arg for p in parameters(function)}
        self.is_called = names.functions.get(function.name) is not function or any(
            isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == function.name
            for f in names.functions.values()
            for n in walk(f)
        )  # what is handed to it may be a list of lists that the caller has made
        self.searches = "next" not in own and not names.hides(frozenset(["next"]))
        self.maps = "map" not in own and not names.hides(frozenset(["map"]))
        nodes = body_nodes(function)
        read = [n.value.id for n in nodes if is_text_entry(n) and isinstance(n.ctx, ast.Load)]  # type: ignore[attr-defined]
        inside = list(walk(function))
        every = [n.id for n in inside if isinstance(n, ast.Name)]
        self.given = {p.arg for p in parameters(function) if read.count(p.arg) == every.count(p.arg)}  # and only read
        self.dicts = open_dicts(function) | made_dicts(nodes)
        self.dicts |= {n.value.id for n in nodes if is_text_entry(n)}  # type: ignore[attr-defined]
        self.dicts |= (read_by_keys(nodes) - made_lists(nodes)) | made_sets(nodes) | asked_as_dicts(nodes)
        self.grown = {
            n.func.value.id
            for n in nodes
            if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and isinstance(n.func.value, ast.Name)
        }
        self.tuples: set[str] = set()  # lists of tuples
        bindings = Bindings(nodes)
        self.lists = {  # variables of comprehensions, each of which runs over a list of lists
            name
            for name, bound in list(bindings.names.items())
            if name not in own and bound.lists and all(of and holds_lists(of, bindings) for _, of in bound.lists)
        }
        for name in own - self.params:
            bound = bindings[name]
            filled = [v for v in bound.values if not (isinstance(v, ast.List) and not v.elts)]
            if len(bound.values) < bound.stores or bound.is_stored_into or not (filled or bound.appended):
                continue
            if all(map(self.lists_tuples, filled)) and all(isinstance(e, ast.Tuple) for e in bound.appended):
                self.tuples.add(name)
        self.tuples |= compared_as_rows(nodes) | {
            p.arg
            for p in parameters(function)
            if p.annotation is not None and annotation_of(p.annotation)[0].startswith(("list(list(", "list(tuple("))
        }
        clauses = (n.target for n in inside if isinstance(n, ast.comprehension))
        self.rows = {target.id for target in clauses if isinstance(target, ast.Name)}
        self.taken = {*every, *own, *(n.arg for n in inside if isinstance(n, ast.arg))}
        parents = {c: n for n in inside for c in children(n)}
        later = [
            n
            for n in inside
            if isinstance(n, ast.GeneratorExp) or (isinstance(n, ast.Call) and self.path(n.func) in turns.READ_LATER)
        ]
        self.held = {id(n) for n in later if not self.is_used_up(n, parents)}

    def is_used_up(self, e: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> bool:
        """Whether all that an iterator gives is taken where it is made. One that has a name sees what becomes of its
        lists until then, and is empty behind that."""
        if read_at_once(e, parents):
            return True
        match up := parents.get(e):
            case ast.keyword():
                return self.is_used_up(up, parents)
            case ast.comprehension(iter=it) if it is e:
                return self.is_used_up(parents[up], parents)
            case ast.Call(func=ast.Attribute(attr="extend" | "join")):
                return True
            case ast.Call(func=func) if func is not e:
                path = self.path(func)
                if path.startswith("itertools.") or path in turns.LAZY:
                    return self.is_used_up(up, parents)
                return path.partition(".")[0] in ("numpy", "math", "scipy", "functools", "collections", "statistics")
            case ast.AugAssign() | ast.Assign(targets=[ast.Tuple() | ast.List()]):
                return True
        return False

    def free(self, wish: str) -> str:
        """A name that the function does not have."""
        found = self.inner(wish)
        self.taken.add(found)
        return found

    def inner(self, wish: str) -> str:
        """A name for the variable of a lambda or a comprehension, which no other one inside it can mean."""
        while wish in self.taken:
            wish += "_"
        return wish

    def path(self, func: ast.expr) -> str:
        return "" if root_of(func) in self.own else full_path(func, self.names.imports.names)

    # ------------------------------------------------------------ statements

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for s in body:
            if not isinstance(s, ast.FunctionDef | ast.ClassDef):
                for inner in blocks_of(s):
                    inner[:] = self.block(inner)
            out += self.statement(s)
        return out

    def statement(self, s: ast.stmt) -> list[ast.stmt]:
        if isinstance(s, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return [s]
        if isinstance(s, ast.For):
            imports = self.names.imports.names
            if turns.late_sources(s, self.function, self.names.functions, imports) is not None:
                return [s]  # its items can't be put into a list before it: it is refused
        before: list[ast.stmt] = []
        for field in ("value", "iter", "test"):
            e = getattr(s, field, None)
            if isinstance(e, ast.expr) and not (field == "test" and isinstance(s, ast.While)):
                before += self.summed(s, e)
                before += self.named(s, getattr(s, field))
        if isinstance(s, ast.Assign) and (made_of := self.of_columns(s)) is not None:
            return [inner for new in made_of for inner in self.statement(new)]
        if isinstance(s, ast.Assign | ast.Return) and s.value is not None and "tuple" not in self.own:
            s.value = with_stars(s.value, isinstance(s, ast.Return))
        match s:
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="append"), args=[item]) as call) if (
                "tuple" not in self.own and (shown := with_stars(item, True)) is not item
            ):
                call.args = [shown]
        match s:
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=name), attr="sort"), args=[], keywords=options
                ) as call
            ) if is_alone(self.function, name, self.names.imports.names):
                order = self.order(call, name, options)
                if order is not None:
                    target = made(ast.Name(name, ast.Store()), s)
                    return [ast.copy_location(ast.Assign([target], order), s)]
            case ast.For(target=ast.Name(id=name), iter=ast.Call() as call, orelse=[]) if (
                numbers := self.counter(call)
            ) and name not in bound_names([n for inner in s.body for n in walk(inner)]):
                start, step = numbers
                before = [expression_statement(f"{name} = {start - step}", s), *before]
                again = expression_statement(f"{name} = {name} + {step}", s)
                loop = ast.While(made(ast.Constant(True), s.iter), [again, *s.body], [])
                return [*before, *self.statement(ast.copy_location(loop, s))]
            case ast.Assign(
                targets=[ast.Tuple(elts=[_, _, *_] as targets)],
                value=ast.Call(
                    func=ast.Name(id="zip"), args=[ast.Starred(value=ast.Name(id=rows))], keywords=[]
                ) as pairs,
            ) if self.are_columns(targets, rows):
                row = self.inner("row")
                return [
                    ast.copy_location(ast.Assign([t], expression(f"[{row}[{k}] for {row} in {rows}]", pairs)), s)
                    for k, t in enumerate(targets)
                ]
            case ast.For(
                target=target, iter=ast.Call(func=ast.Name(id="zip"), args=[ast.Starred(value=ast.Name(id=rows))])
            ):
                j = self.free("j")
                s.iter = expression(f"range(min((len(row) for row in {rows}), default=0))", s.iter)
                first = ast.copy_location(
                    ast.Assign([target], expression(f"[row[{j}] for row in {rows}]", s.iter)), s.iter
                )
                first.made = True  # type: ignore[attr-defined]
                s.target = made(ast.Name(j, ast.Store()), target)
                s.body.insert(0, first)
            case ast.For(target=ast.Name(id=name), iter=ast.Tuple(elts=items) | ast.List(elts=items)) if (
                owner := self.owner(items)
            ) and self.is_read_by_texts(s, name):
                key = self.free("key")
                keys = [cast(ast.Subscript, e).slice for e in items]
                s.iter = made(ast.Tuple(keys, ast.Load()), s.iter)
                s.target = made(ast.Name(key, ast.Store()), s)
                put = Substitute(name, expression(f"{owner}[{key}]", s.iter))
                s.body[:] = [put.visit(inner) for inner in s.body]
        if isinstance(s, ast.For):
            for name, e in self.repeated(s, s.body).items():
                s.body[:] = [Substitute(name, e).visit(x) for x in s.body]
        whole: object = getattr(s, "value", None)
        for field in ("value", "iter", "test"):
            e = getattr(s, field, None)
            if isinstance(e, ast.expr):
                setattr(s, field, self.visit(e))
        if isinstance(s, ast.For):
            s.iter = self.counted(s.iter)
        match s:
            case ast.Assign(targets=[ast.Name(id=bound)], value=ast.Subscript(slice=ast.Call() as place) as item) if (
                item is not whole and getattr(item, "made", False)
            ):  # found once, for both sweeps
                at = self.free(f"{bound}_at")
                found = made(ast.Assign([made(ast.Name(at, ast.Store()), s)], place), s)
                item.slice = made(ast.Name(at, ast.Load()), s)
                before.append(found)
        return [*before, s]

    def of_columns(self, s: ast.Assign) -> list[ast.stmt] | None:
        """`a, b = map(f, zip(*rows))`, or `[f(c) for c in zip(*rows)]`: what is made of each column."""
        match s.targets:
            case [ast.Tuple(elts=targets) | ast.List(elts=targets)] if all(isinstance(t, ast.Name) for t in targets):
                names = [cast(ast.Name, t).id for t in targets]
            case _:
                return None
        match s.value:
            case ast.Call(func=ast.Name(id="map"), args=[ast.Name() | ast.Attribute() as func, call], keywords=[]) if (
                self.maps
            ):
                param = self.inner("column")
                each: ast.expr = made(ast.Call(func, [made(ast.Name(param, ast.Load()), func)], []), func)
            case (
                ast.ListComp(elt=each, generators=[ast.comprehension(target=ast.Name(id=param), iter=call, ifs=[])])
                | ast.GeneratorExp(
                    elt=each, generators=[ast.comprehension(target=ast.Name(id=param), iter=call, ifs=[])]
                )
            ) if not {*names} & read_names(each):
                pass
            case _:
                return None
        match call:
            case ast.Call(func=ast.Name(id="zip"), args=[ast.Starred()], keywords=[]):
                pass
            case _:
                return None
        match each:
            case ast.Call(func=ast.Name(id="list" | "tuple"), args=[ast.Name(id=own)], keywords=[]) if (
                own == param and not ({*names} & self.grown)
            ):
                return [ast.copy_location(ast.Assign(s.targets, call), s)]
        items = [self.free(f"{n}_items") for n in names]
        self.own |= {*items}
        apart: list[ast.expr] = [made(ast.Name(i, ast.Store()), s) for i in items]
        out: list[ast.stmt] = [ast.copy_location(ast.Assign([made(ast.Tuple(apart, ast.Store()), s)], call), s)]
        for t, i in zip(targets, items, strict=True):
            put = Substitute(param, made(ast.Name(i, ast.Load()), s))
            out.append(ast.copy_location(ast.Assign([t], put.visit(copy.deepcopy(each))), s))
        for new in out:
            new.made = True  # type: ignore[attr-defined]
        return out

    @staticmethod
    def by_number(node: ast.AST, g: ast.comprehension, columns: ast.ListComp) -> None:
        """`... for column in zip(*rows)` as `... for j in range(...)`, with the column where it is read."""
        put = Substitute(cast(ast.Name, g.target).id, columns.elt)
        for field in ("elt", "key", "value"):
            if isinstance(e := getattr(node, field, None), ast.expr):
                setattr(node, field, _Uncopied().visit(put.visit(e)))
        each: list[ast.comprehension] = node.generators  # type: ignore[attr-defined]
        for inner in each[each.index(g) :]:
            inner.ifs = [put.visit(t) for t in inner.ifs]
            if inner is not g:
                inner.iter = put.visit(inner.iter)
        g.target, g.iter = columns.generators[0].target, columns.generators[0].iter

    def columns_of(self, e: ast.expr) -> ast.expr | None:
        """What `zip(*rows)` gives, as a list."""
        match e:
            case ast.Call(func=ast.Name(id="zip"), args=[ast.Starred(value=ast.Name(id=rows))], keywords=[]) if (
                self.is_list(rows) and not (self.is_called and rows in self.params)
            ) or rows in self.rows - self.dicts:
                j, row = self.free("j"), self.free("row")
                count = f"min((len({row}) for {row} in {rows}), default=0)"
                return expression(f"[[{row}[{j}] for {row} in {rows}] for {j} in range({count})]", e)
        return None

    def owner(self, items: list[ast.expr]) -> str:
        """The parameter of which a display lists items under texts: `p["a"], p["b"]`; "" for all else."""
        owners: set[str] = set()
        for e in items:
            match e:
                case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str())) if name in self.given:
                    owners.add(name)
                case _:
                    return ""
        return owners.pop() if len(owners) == 1 else ""

    def is_read_by_texts(self, loop: ast.For, name: str) -> bool:
        """Whether the items of a loop's variable are read under texts, and nobody else sees what the loop binds."""
        nodes = body_nodes(self.function)
        loops = [n for n in nodes if isinstance(n, ast.For) and isinstance(n.target, ast.Name) and n.target.id == name]
        inside = [n for s in loops for n in walk(s) if isinstance(n, ast.Name) and n.id == name]
        every = [n for n in nodes if isinstance(n, ast.Name) and n.id == name]
        stores = sum(isinstance(n.ctx, ast.Store) for n in every)
        bound = {a.arg for n in nodes for a in walk(n) if isinstance(a, ast.arg)}
        bound |= {x for n in nodes if isinstance(n, ast.comprehension) for x in bound_names(walk(n.target))}
        if name in bound:  # a lambda or a comprehension has a variable of that name
            return False
        if stores > len(loops) or len(every) > len(inside) or len({*map(id, inside)}) < len(inside):
            return False
        return self.reads_texts(loop.body, name, frozenset())

    def reads_texts(self, body: list[ast.stmt], name: str, seen: frozenset[str]) -> bool:
        """Whether a text reads `name["key"]`, or hands the name to a function of the module that does."""
        for n in (n for s in body for n in walk(s)):
            match n:
                case ast.Subscript(value=ast.Name(id=owner), slice=ast.Constant(value=str())) if owner == name:
                    return True
                case ast.Call(func=ast.Name(id=called), args=args) if called not in seen | self.own:
                    callee = self.names.functions.get(called)
                    params = callee.args.args if isinstance(callee, ast.FunctionDef) else []
                    for p, a in zip(params, args, strict=False):
                        handed = isinstance(a, ast.Name) and a.id == name
                        if callee and handed and self.reads_texts(callee.body, p.arg, seen | {called}):
                            return True
        return False

    def named(self, s: ast.stmt, root: ast.expr) -> list[ast.stmt]:
        """A list that is sorted, or chosen from, as soon as it is made: it gets a name."""
        out: list[ast.stmt] = []
        for n in first_evaluated(root):
            if not isinstance(n, ast.Call) or not isinstance(n.func, ast.Name | ast.Attribute):
                continue
            if (search := self.search(s, n)) is not None:
                return [*out, *search]
            keyed = any(k.arg in ("key", "default") for k in n.keywords)
            pairs = self.path(n.func) == "itertools.pairwise"
            fn = n.func.id if isinstance(n.func, ast.Name) else ""
            several = len(n.args) > 1 and any(isinstance(a, ast.Starred) for a in n.args) and not n.keywords
            tuples = len(n.args) == 1 and self.lists_tuples(n.args[0])
            chooses = fn == "sorted" or (fn in ("min", "max") and (keyed or several or tuples))
            if not pairs and not chooses:
                continue
            items: ast.expr | None = None
            match n.args:
                case [_, *_] if several:
                    items = made(ast.List(n.args, ast.Load()), n)
                case [ast.List() | ast.Tuple() | ast.ListComp() as one]:
                    items = one
                case [ast.GeneratorExp(elt=elt, generators=generators) as gen]:
                    items = made(ast.ListComp(elt, generators), gen)
                case [ast.Call() as one] if tuples and chooses:
                    items = self.listed(one)
                case [_, _, *_] if fn in ("min", "max") and not any(isinstance(a, ast.Starred) for a in n.args):
                    items = made(ast.List(n.args, ast.Load()), n)
            if items is None or not any(isinstance(x, ast.Name) for x in walk(items)):
                continue
            name = self.free("pairs" if tuples else "items")
            self.own.add(name)
            if tuples:
                self.tuples.add(name)
            first = ast.copy_location(ast.Assign([made(ast.Name(name, ast.Store()), s)], items), s)
            first.made = True  # type: ignore[attr-defined]
            out += self.statement(first)
            n.args = [made(ast.Name(name, ast.Load()), n)]
        return out

    def lists_tuples(self, e: ast.expr) -> bool:
        """Whether all items of a list that is made here are tuples, or of what Python computes item by item."""
        match e:
            case ast.ListComp(elt=elt) | ast.GeneratorExp(elt=elt):
                return isinstance(elt, ast.Tuple)
            case ast.List(elts=[_, *_] as elts):
                return all(isinstance(x, ast.Tuple) for x in elts)
            case ast.Call(func=ast.Name(id="list" | "sorted"), args=[inner]):
                return self.lists_tuples(inner)
            case ast.Call(func=ast.Name(id="enumerate"), args=[_]):
                return True
            case ast.Call(func=ast.Name(id="zip"), args=[_, _, *_] as parts):
                return not any(isinstance(p, ast.Starred) for p in parts)
            case ast.Name(id=name):
                return name in self.tuples
        return False

    def listed(self, pairs: ast.Call) -> ast.expr:
        """zip(a, b) as [(v0, v1) for v0, v1 in zip(a, b)], and so what numbers items."""
        if not isinstance(pairs.func, ast.Name) or pairs.func.id not in ("zip", "enumerate"):
            return pairs
        count = 2 if pairs.func.id == "enumerate" else len(pairs.args)
        items = [self.inner(f"v{i}") for i in range(count)]
        one = f"{items[0]}," if count == 1 else ", ".join(items)
        listed = cast(ast.ListComp, expression(f"[({one}) for {one} in zip()]", pairs))
        listed.generators[0].iter = pairs
        return listed

    def search(self, s: ast.stmt, call: ast.Call) -> list[ast.stmt] | None:
        """next(e for v in xs if test) as the loop that looks for it; in `s` the call is the name of what is found."""
        match call:
            case ast.Call(
                func=ast.Name(id="next"),
                args=[ast.GeneratorExp(elt=elt, generators=[ast.comprehension(is_async=0) as g]) as found, *default],
                keywords=[],
            ) if self.searches and not any(isinstance(n, ast.Call) for d in default for n in walk(d)):
                pass
            case _:
                return None
        inside = [n.id for n in walk(found) if isinstance(n, ast.Name)]
        every = [n.id for n in walk(self.function) if isinstance(n, ast.Name)]
        part = ast.Tuple([elt, *g.ifs], ast.Load())
        for name in bound_names(walk(g.target)):
            if every.count(name) > inside.count(name) or name in self.params:  # the loop would bind another variable
                new = self.free(name)
                part = Substitute(name, made(ast.Name(new, ast.Load()), call)).visit(part)
                for n in walk(g.target):
                    if isinstance(n, ast.Name) and n.id == name:
                        n.id = new
        elt, *tests = part.elts
        first = self.free("found")
        self.own.add(first)

        def bound(value: ast.expr) -> ast.stmt:
            return ast.Assign([made(ast.Name(first, ast.Store()), call)], value)

        body: list[ast.stmt] = [bound(elt), ast.Break()]
        for test in reversed(tests):
            body = [ast.If(test, body, [])]
        none = ast.Raise(made(ast.Name("StopIteration", ast.Load()), call), None)
        loop = ast.For(g.target, g.iter, body, [] if default else [none])
        out = [*map(bound, default), loop]
        for n in (n for new in out for n in walk(new) if isinstance(n, ast.stmt)):
            made(n, s)
        for node in walk(s):
            for field, value in ast.iter_fields(node):
                if value is call:
                    setattr(node, field, made(ast.Name(first, ast.Load()), call))
                elif isinstance(value, list) and call in value:
                    value[value.index(call)] = made(ast.Name(first, ast.Load()), call)
        return self.block(out)

    def are_columns(self, targets: list[ast.expr], rows: str) -> bool:
        """Whether these names, of which one is compared, may be lists of what rows hold."""
        names = {t.id for t in targets if isinstance(t, ast.Name)}
        compared = {
            n.args[0].id
            for n in body_nodes(self.function)
            if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in ("min", "max")
            if len(n.args) == 1 and isinstance(n.args[0], ast.Name)
        }
        return len(names) == len(targets) and rows not in names | self.dicts and bool(compared & names)

    def is_cycle(self, e: ast.expr) -> bool:
        """Whether an expression runs over a name, or over items that are written out, again and again."""
        match e:
            case ast.Call(
                func=func, args=[ast.Name() | ast.Attribute() | ast.List() | ast.Tuple() as row], keywords=[]
            ):
                known = self.path(func) == "itertools.cycle" and (is_path(row) or is_literal(row))
                return known and not self.is_stored_into(read_names(row))
        return False

    def is_listed(self, e: ast.expr) -> bool:
        """Whether an expression stands for a list, or an array, which may stand in another one behind a star."""
        array = isinstance(e, ast.Call) and self.path(e.func).startswith("numpy.")
        return array or is_path(e) or is_part(e) or isinstance(e, (*DISPLAYS, ast.BinOp))

    def is_count(self, e: ast.expr) -> bool:
        """`itertools.count(1)`"""
        match e:
            case ast.Call(func=func, args=args, keywords=[]) if self.path(func) == "itertools.count":
                return len(args) < 2 and all(type(getattr(a, "value", None)) is int for a in args)
        return False

    def is_repeated(self, e: ast.expr) -> bool:
        """Whether an expression gives one name, or number, again and again."""
        match e:
            case ast.Call(func=func, args=[value], keywords=[]) if is_place(value):
                return self.path(func) == "itertools.repeat" and not self.is_stored_into(read_names(value))
        return False

    def repeated(self, loop: ast.For | ast.comprehension, inside: Sequence[ast.AST]) -> dict[str, ast.expr]:
        """`for v, c in zip(x, itertools.repeat(w))` as `for v in x`, and what the variables stand for that it has no
        more, in what is done in each round."""
        match loop.target, loop.iter:
            case ast.Tuple(elts=elts), ast.Call(func=ast.Name(id="zip"), args=args, keywords=[]) as call if len(
                elts
            ) == len(args):
                pass
            case _:
                return {}
        nodes = [n for x in inside for n in walk(x)]
        bound = {n.id for n in nodes if isinstance(n, ast.Name) and is_bound(n)}
        found: dict[str, ast.expr] = {}
        if any(isinstance(n, SCOPES) for n in nodes):
            return {}
        for t, a in zip(elts, args, strict=True):
            if isinstance(t, ast.Name) and isinstance(a, ast.Call) and self.is_repeated(a):
                own = isinstance(loop, ast.comprehension) or not is_read_outside(self.function, t.id)
                others = {name for x in elts if x is not t for name in read_names(x)}
                if own and not {t.id, *read_names(a.args[0])} & (bound | others):
                    found[t.id] = a.args[0]
        rest = [(t, a) for t, a in zip(elts, args, strict=True) if not (isinstance(t, ast.Name) and t.id in found)]
        if not found or not rest:
            return {}
        if len(rest) == 1:
            loop.target, loop.iter = rest[0]
        else:
            loop.target.elts, call.args = [t for t, _ in rest], [a for _, a in rest]
        return found

    def is_stored_into(self, names: set[str]) -> bool:
        """Whether the function writes into one of these: what is read item by item is not what was there before."""
        for n in body_nodes(self.function):
            match n:
                case ast.AugAssign(target=ast.Name(id=name)) if name in names:
                    return True
                case ast.Subscript(ctx=ast.Store()) if read_names(n.value) & names:
                    return True
        return False

    def summed(self, s: ast.stmt, root: ast.expr) -> list[ast.stmt]:
        """itertools.accumulate() as a loop before the statement; its place in the statement has the list."""
        call = self.first_sum(root)
        if call is None:
            return []
        given = dict(zip(("iterable", "func"), call.args, strict=False)) | {k.arg: k.value for k in call.keywords}
        row, func, first = (given.pop(n, None) for n in ("iterable", "func", "initial"))
        if given or row is None or isinstance(row, ast.Starred) or self.is_stored_into(read_names(row)):
            return []
        if not (first is None or isinstance(first, ast.Constant) or is_path(first)):
            return []
        start = first is not None and not (isinstance(first, ast.Constant) and first.value is None)
        sums, v = self.free("sums"), self.free("v")
        before, after = expression(f"{sums}[-1]", call), expression(v, call)
        match func:
            case None | ast.Constant(value=None):
                new: ast.expr = made(ast.BinOp(before, ast.Add(), after), call)
            case ast.Lambda(
                args=ast.arguments(args=[a, b], vararg=None, kwarg=None, kwonlyargs=[], defaults=[]), body=body
            ) if not any(isinstance(n, (ast.Lambda, ast.NamedExpr, *COMPREHENSIONS)) for n in walk(body)):
                put = Substitute(b.arg, expression(v, call)).visit(copy.deepcopy(body))
                new = Substitute(a.arg, before).visit(put)
            case ast.Name() | ast.Attribute() if is_path(func):
                new = made(ast.Call(func, [before, after], []), call)
            case _:
                return []
        item = ast.unparse(new) if start else f"{ast.unparse(new)} if {sums} else {v}"
        made_of = expression_statement(f"{sums} = [{ast.unparse(first) if start and first else ''}]", s)
        loop = expression_statement(f"for {v} in {ast.unparse(row)}:\n    {sums}.append({item})", s)
        self.own |= {sums, v}
        _exchange(s, call, expression(sums, call))
        return [made_of, loop]

    def first_sum(self, e: ast.expr) -> ast.Call | None:
        """The call of itertools.accumulate before which an expression calls nothing and chooses nothing."""
        while True:
            if isinstance(e, ast.ListComp | ast.GeneratorExp):
                e = e.generators[0].iter  # it is computed first, and once
                continue
            if isinstance(e, ast.BinOp | ast.UnaryOp):
                e = e.left if isinstance(e, ast.BinOp) else e.operand
                continue
            if not isinstance(e, ast.Call):
                return None
            if self.path(e.func) == "itertools.accumulate":
                return None if id(e) in self.held else e
            later = [a for a in e.args if not is_path(a)]
            if not is_path(e.func) or not later:
                return None
            e = later[0]
            while isinstance(e, ast.Subscript):
                e = e.value

    def counter(self, call: ast.Call) -> tuple[int, int] | None:
        """The first number of itertools.count(), and the step."""
        given = [*call.args, *(k.value for k in call.keywords if k.arg in ("start", "step"))]
        if self.path(call.func) != "itertools.count" or len(given) > 2:
            return None
        named = [k.arg for k in call.keywords]
        if not all(isinstance(e, ast.Constant) and type(e.value) is int for e in given) or named not in ([], ["step"]):
            return None
        first, step = ([cast(int, cast(ast.Constant, e).value) for e in given] + [0, 1][len(given) :])[:2]
        return (first, step) if named != ["step"] or call.args else (0, first)

    # ------------------------------------------------------------ expressions

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.Lambda):
            return node
        if isinstance(node, COMPREHENSIONS) and id(node) not in self.held:
            for i, g in enumerate(node.generators):
                inside: list[ast.AST] = [x for x in children(node) if x not in node.generators[: i + 1]]
                for name, e in self.repeated(g, [*inside, *g.ifs]).items():
                    g.ifs = [Substitute(name, e).visit(t) for t in g.ifs]
                    for x in inside:
                        put(node, x, Substitute(name, e).visit(x))
        before = node
        node = super().generic_visit(node)
        new = self.chosen(node) if isinstance(node, ast.Call) else None
        match node:
            case ast.Starred(value=ast.Call(func=ast.Name(id="reversed"), args=[ast.Name(id=name)]) as back) if (
                name in self.params | self.own and name not in self.dicts
            ):
                node.value = expression(f"{name}[::-1]", back)
            case ast.IfExp(body=a, orelse=b):  # for x in reversed(xs) if back else xs
                for side in (a, b):
                    match side:
                        case ast.Call(func=ast.Name(id="reversed"), args=[ast.Name(id=name)], keywords=[]) if (
                            name in self.params | self.own and name not in self.dicts
                        ):
                            put(node, side, expression(f"{name}[::-1]", side))
        if isinstance(node, COMPREHENSIONS):
            for g in node.generators:
                g.iter = self.counted(columns(g))
                if isinstance(g.target, ast.Name) and (listed := self.columns_of(g.iter)) is not None:
                    self.by_number(node, g, cast(ast.ListComp, listed))
        return before if new is None else new

    def counted(self, it: ast.expr) -> ast.expr:
        """What itertools gives, sets of numbers, the places of an array, as a list: a sweep runs over it backwards."""
        if (items := set_of_numbers(it)) is not None:
            return expression(f"({', '.join(map(repr, items))},)" if items else "()", it)
        if isinstance(it, ast.Call) and self.path(it.func) == "numpy.ndindex" and not it.keywords:
            match it.args:
                case [ast.Starred(value=shape)]:
                    it.args = [shape]
            return made(ast.Call(made(ast.Name("list", ast.Load()), it), [it], []), it)
        if not isinstance(it, ast.Call) or self.path(it.func) not in WHOLE:
            return it
        return made(ast.Call(made(ast.Name("list", ast.Load()), it), [it], []), it)

    def chosen(self, call: ast.Call) -> ast.expr | None:
        match call:
            case ast.Call(func=ast.Name(id="min" | "max"), args=args, keywords=[]) if any(
                isinstance(a, ast.Starred) for a in args
            ):  # max(*xs, a) as max(max(xs), a), where the list of all has no name: see `named`
                parts = [a.value if isinstance(a, ast.Starred) else a for a in args]
                if len(parts) > 1:
                    starred = (isinstance(a, ast.Starred) for a in args)
                    extreme = [made(ast.Call(call.func, [p], []), call) for p in parts]
                    parts = [e if star else p for e, p, star in zip(extreme, parts, starred, strict=True)]
                return made(ast.Call(call.func, parts, []), call)
            case ast.Call(func=ast.Name(id="sorted"), args=[row], keywords=options) if name := self.list_text(
                row, options
            ):
                return self.order(call, name, options)
            case ast.Call(
                func=ast.Name(id="min" | "max" as fn),
                args=[row],
                keywords=[ast.keyword(arg="key", value=key)] as options,
            ) if name := self.list_text(row, options):
                k = self.inner("k")
                chosen = expression(f"{name}[{fn}(range(len({name})), key=lambda {k}: 0)]", call)
                inner = cast(ast.Call, cast(ast.Subscript, chosen).slice)
                return self.with_key(chosen, inner, name, k, key)
            case ast.Call(func=ast.Name(id="min" | "max" as fn), args=[ast.Name(id=name)], keywords=[]) if (
                name in self.tuples and self.is_list(name)
            ):
                k = self.inner("k")
                return expression(f"{name}[{fn}(range(len({name})), key=lambda {k}: {name}[{k}])]", call)
            case ast.Call(func=ast.Name(id="min" | "max" as fn), args=[ast.Name(id=name)], keywords=keywords) if any(
                k.arg == "default" for k in keywords
            ) and self.is_list(name):
                other = next(k.value for k in keywords if k.arg == "default")
                some = ast.Call(call.func, call.args, [k for k in keywords if k.arg != "default"])
                some = made(some, call)
                value = self.chosen(some) or some
                return made(ast.IfExp(expression(f"len({name}) > 0", call), value, other), call)
            case ast.Call(func=ast.Name(id="list"), args=[ast.Name(id=name)], keywords=[]) if (
                self.is_list(name) or name in self.rows - self.own - self.dicts
            ):
                v = self.inner("v")
                return expression(f"[{v} for {v} in {name}]", call)
            case ast.Call() if (shown := new_list(call)) is not None:
                return shown
            case ast.Call(
                func=ast.Name(id="list"),
                args=[ast.Call(func=ast.Name(id="reversed"), args=[ast.Name(id=name)], keywords=[])],
                keywords=[],
            ) if self.is_list(name) or name in self.params - self.dicts:
                v = self.inner("v")
                return expression(f"[{v} for {v} in {name}[::-1]]", call)
            case ast.Call(func=ast.Name(id="zip"), args=[_, _, *_] as parts, keywords=[]) if turns := [
                p for p in parts if self.is_cycle(p)
            ]:
                others = [p for p in parts if p not in turns]
                if not others or not all(is_path(p) for p in others):
                    return None
                k = self.inner("k")
                for i, p in enumerate(parts):
                    if p in turns:
                        ws = ast.unparse(cast(ast.Call, p).args[0])
                        text = f"[{ws}[{k} % len({ws})] for {k} in range(len({ast.unparse(others[0])}))]"
                        call.args[i] = expression(text, p)
                return call
            case ast.Call(func=ast.Name(id="zip"), args=[_, _, *_] as parts, keywords=[]) if again := [
                p for p in parts if self.is_repeated(p)
            ]:
                others = [p for p in parts if p not in again]
                if not others or not all(is_path(p) for p in others):
                    return None
                for i, p in enumerate(parts):
                    if p in again:
                        repeated = ast.unparse(cast(ast.Call, p).args[0])
                        call.args[i] = expression(f"[{repeated} for _ in range(len({ast.unparse(others[0])}))]", p)
                return call
            case ast.Call(func=ast.Name(id="zip"), args=[_, _, *_] as parts, keywords=[]) if any(
                map(self.is_count, parts)
            ):
                length = next((ast.unparse(p) for p in parts if is_path(p)), None)
                for i, p in enumerate(parts) if length is not None else ():
                    if self.is_count(p):
                        start = ast.unparse(cast(ast.Call, p).args[0]) if cast(ast.Call, p).args else "0"
                        places = f"{start}, {start} + len({length})" if start != "0" else f"len({length})"
                        call.args[i] = expression(f"range({places})", p)
                return None if length is None else call
            case ast.Call(
                func=ast.Name(id="dict"),
                args=[ast.Call(func=ast.Name(id="zip"), args=[_, _], keywords=[]) as pairs],
                keywords=[],
            ):
                k, v = self.inner("k"), self.inner("v")
                return expression(f"{{{k}: {v} for {k}, {v} in {ast.unparse(pairs)}}}", call)
            case ast.Call(
                func=ast.Name(id="list"),
                args=[ast.Subscript(value=ast.Name(), slice=ast.Slice()) as part],
                keywords=[],
            ):
                v = self.inner("v")
                return expression(f"[{v} for {v} in {ast.unparse(part)}]", call)
            case ast.Call(
                func=ast.Name(id="list"),
                args=[ast.Call(func=ast.Name(id="zip"), args=[ast.Name(), *_] as parts, keywords=[]) as pairs],
                keywords=[],
            ) if all(isinstance(p, ast.Name) for p in parts):
                return self.listed(pairs)
            case ast.Call(func=ast.Name(id="list" | "tuple"), args=[ast.Call() as pairs], keywords=[]) if (
                every := self.columns_of(pairs)
            ) is not None:
                return every
            case ast.Call(
                func=ast.Name(id="list"),
                args=[
                    ast.Call(func=ast.Name(id="map"), args=[ast.Name() | ast.Attribute() as each, pairs], keywords=[])
                ],
                keywords=[],
            ) if self.maps and (columns_ := self.columns_of(pairs)) is not None:
                column = self.inner("column")
                mapped = cast(ast.ListComp, expression(f"[{ast.unparse(each)}({column}) for {column} in ()]", call))
                self.by_number(mapped, mapped.generators[0], cast(ast.ListComp, columns_))
                return mapped
            case ast.Call(func=ast.Name(id="zip"), args=[ast.Starred(value=ast.GeneratorExp() as rows) as star]):
                star.value = made(ast.ListComp(rows.elt, rows.generators), rows)
        if id(call) in self.held:
            return None
        match self.path(call.func), call.args:
            case "operator.itemgetter", [ast.Constant() as key]:
                return expression(f"lambda item: item[{key.value!r}]", call)
            case "operator.itemgetter", [_, *_] as keys if all(isinstance(k, ast.Constant) for k in keys):
                return expression(f"lambda item: ({', '.join(f'item[{ast.unparse(k)}]' for k in keys)})", call)
            case "typing.cast", [_, value]:
                return value
            case "operator.attrgetter", [ast.Constant(value=str(attr))]:
                return expression(f"lambda item: item.{attr}", call)
            case "operator.methodcaller", [ast.Constant(value=str(attr)), *rest] if all(map(is_literal, rest)):
                given = [*map(ast.unparse, rest), *(f"{k.arg}={ast.unparse(k.value)}" for k in call.keywords)]
                fixed = all(k.arg and is_literal(k.value) for k in call.keywords)
                return expression(f"lambda item: item.{attr}({', '.join(given)})", call) if fixed else None
            case "itertools.zip_longest", [_, _, *_] as parts if all(is_path(p) or is_part(p) for p in parts):
                fill = {k.arg: k.value for k in call.keywords}.get("fillvalue")
                if fill is None or not (is_literal(fill) or is_path(fill)):
                    return None  # None for numbers
                texts, k = [*map(ast.unparse, parts)], self.inner("k")
                over = f"range(max({', '.join(f'len({p})' for p in texts)}))"
                lists = [f"[{p}[{k}] if {k} < len({p}) else {ast.unparse(fill)} for {k} in {over}]" for p in texts]
                return expression(f"zip({', '.join(lists)})", call)
            case "numpy.fromiter", [items, *dtype] if isinstance(call.func, ast.Attribute) and len(dtype) < 2:
                return self.array_of(items, dtype, call)
            case "itertools.pairwise", [ast.Name() | ast.Attribute() as row] if is_path(row):
                text = ast.unparse(row)
                return expression(f"zip({text}, {text}[1:])", call)
            case "itertools.chain", [_, *_] as parts if all(map(self.is_listed, parts)):
                flat = [e for p in parts for e in (p.elts if isinstance(p, DISPLAYS) else [f"*{ast.unparse(p)}"])]
                return expression(f"[{', '.join(e if isinstance(e, str) else ast.unparse(e) for e in flat)}]", call)
            case "itertools.chain.from_iterable", [ast.List(elts=parts) | ast.Tuple(elts=parts)] if parts and all(
                map(self.is_listed, parts)
            ):
                return expression(f"[{', '.join(f'*{ast.unparse(p)}' for p in parts)}]", call)
            case "itertools.starmap", [function, ast.Call(func=ast.Name(id="zip"), args=rows_, keywords=[])]:
                return made(ast.Call(made(ast.Name("map", ast.Load()), call), [function, *rows_], []), call)
            case "itertools.chain.from_iterable", [ast.Name() | ast.Attribute() as table] if is_path(table):
                line, v = self.inner("row"), self.inner("v")
                return expression(f"[{v} for {line} in {ast.unparse(table)} for {v} in {line}]", call)
            case "itertools.islice", [ast.Name() | ast.Attribute() as row, *ends] if is_path(row) and 0 < len(ends) < 4:
                bounds = ["" if ast.unparse(e) == "None" else ast.unparse(e) for e in ends]
                cut = ":".join(bounds if len(bounds) > 1 else ["", *bounds])
                return expression(f"{ast.unparse(row)}[{cut}]", call)
        return None

    def array_of(self, items: ast.expr, dtype: list[ast.expr], call: ast.Call) -> ast.expr | None:
        """np.fromiter(...) as an array of a list, where that has as many items as are asked for."""
        match items:
            case ast.GeneratorExp(elt=elt, generators=clauses) | ast.ListComp(elt=elt, generators=clauses):
                shown: ast.expr = made(ast.ListComp(elt, clauses), items)
                first = clauses[0].iter if len(clauses) == 1 and not clauses[0].ifs else None
            case ast.Call(func=ast.Name(id="map"), args=[_, first]):
                shown = made(ast.Call(made(ast.Name("list", ast.Load()), items), [items], []), items)
            case ast.Name() if self.is_list(items.id):
                shown, first = items, items
            case _:
                return None
        given = {k.arg: k.value for k in call.keywords}
        if not given.keys() <= {"dtype", "count"}:
            return None
        match given.get("count"), first:
            case ((None | ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1))), _):
                pass
            case ast.expr() as count, ast.Call(func=ast.Name(id="range"), args=[n]) if ast.unparse(
                count
            ) == ast.unparse(n):
                pass
            case ast.Call(func=ast.Name(id="len"), args=[xs]), ast.expr() if ast.unparse(xs) == ast.unparse(first):
                pass
            case _:
                return None
        func = made(ast.Attribute(cast(ast.Attribute, call.func).value, "array", ast.Load()), call)
        return made(ast.Call(func, [shown, *dtype], [k for k in call.keywords if k.arg == "dtype"]), call)

    def order(self, call: ast.Call, name: str, options: list[ast.keyword]) -> ast.expr | None:
        """The items of a list, sorted by a key."""
        given = {o.arg: o.value for o in options}
        if not given.keys() <= {"key", "reverse"}:
            return None
        k = self.inner("k")
        chosen = expression(f"[{name}[{k}] for {k} in sorted(range(len({name})), key=lambda {k}: 0)]", call)
        inner = cast(ast.Call, cast(ast.ListComp, chosen).generators[0].iter)
        if "reverse" in given:
            inner.keywords.append(ast.keyword("reverse", given["reverse"]))
        return self.with_key(chosen, inner, name, k, given.get("key"))

    def with_key(self, chosen: ast.expr, call: ast.Call, name: str, k: str, key: ast.expr | None) -> ast.expr | None:
        """The key is that of the item at a place."""
        item = expression(f"{name}[{k}]", chosen)
        function = call.keywords[0].value
        assert isinstance(function, ast.Lambda)
        if isinstance(key, ast.Call):
            key = cast(ast.expr, self.visit(key))  # `itemgetter(0)` is a lambda
        match key:
            case None | ast.Constant(value=None):
                function.body = item
            case ast.Lambda(
                args=ast.arguments(args=[ast.arg(arg=param)], vararg=None, kwarg=None, kwonlyargs=[]), body=body
            ):
                function.body = Substitute(param, item).visit(copy.deepcopy(body))
            case ast.Name() | ast.Attribute():
                function.body = made(ast.Call(key, [item], []), chosen)
            case _:
                return None
        return chosen

    def list_text(self, e: ast.expr, options: list[ast.keyword]) -> str:
        """The text of what may be a list: a name, or a field of which the key reads attributes of the items."""
        match e:
            case ast.Name(id=name):
                return name if self.is_list(name) else ""
            case ast.Attribute() if is_path(e) and read_names(e) <= self.own:
                keys = [o.value for o in options if o.arg == "key" and isinstance(o.value, ast.Lambda)]
                params = {p.arg for k in keys for p in parameters(k)}
                reads = [n.value for k in keys for n in walk(k.body) if isinstance(n, ast.Attribute)]
                return ast.unparse(e) if any(isinstance(n, ast.Name) and n.id in params for n in reads) else ""
        return ""

    def is_list(self, name: str) -> bool:
        """Whether a name may be a list or an array, for all that is seen of it."""
        return (name in self.own or name in self.lists) and name not in self.dicts


def holds_lists(e: ast.expr, bindings: Bindings, asked: frozenset[str] = frozenset()) -> bool:
    """Whether all items of a list are lists that are made here: of `[[] for _ in range(n)]`, and of its name.

    asked: the names that are bound to this one, in a circle: `u = w`, `w = u`.
    """
    match e:
        case ast.ListComp(elt=item):
            return is_list_display(item)
        case ast.List(elts=items):
            return all(map(is_list_display, items))
        case ast.Name(id=name):
            bound = bindings[name]
            every = len(bound.values) == bound.stores and not bound.lists
            added = [*bound.appended, *bound.put]
            held = any(not isinstance(v, ast.List) or v.elts for v in bound.values) or added
            others = (v for v in bound.values if not (isinstance(v, ast.Name) and v.id in {*asked, name}))
            known = all(map(is_list_display, added)) and all(holds_lists(v, bindings, asked | {name}) for v in others)
            return bool(every and held and known)
    return False


def is_list_display(e: ast.expr | None) -> bool:
    return isinstance(e, ast.List | ast.ListComp)


def expression_statement(text: str, like: ast.stmt) -> ast.stmt:
    """A statement of this text."""
    s = ast.parse(text).body[0]
    for n in ast.walk(s):
        if isinstance(n, ast.expr | ast.stmt):
            made(n, like)
    return s


def compared_as_rows(nodes: list[ast.AST]) -> set[str]:
    """The lists of which the least or the greatest item is itself read by its items: they hold rows, or tuples."""
    chosen: dict[str, set[str]] = {}
    found: set[str] = set()
    for n in nodes:
        match n:
            case ast.Assign(targets=[target], value=value):
                of = extreme_of(value)
                if isinstance(target, ast.Name):
                    chosen.setdefault(target.id, set()).add(of)
                elif isinstance(target, ast.Tuple | ast.List):
                    found.add(of)
            case ast.Subscript(value=value):
                found.add(extreme_of(value))
    read = {n.value.id for n in nodes if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name)}
    return found.union(*(of for name, of in chosen.items() if name in read)) - {""}


def extreme_of(e: ast.expr) -> str:
    """The name of the list of which an expression is the least or the greatest item, "" of any other expression."""
    match e:
        case ast.Call(func=ast.Name(id="min" | "max"), args=[ast.Name(id=name)], keywords=[]):
            return name
    return ""


def made_lists(nodes: list[ast.AST]) -> set[str]:
    """The names that are only ever bound to lists which are made there."""
    values: dict[str, list[ast.expr]] = {}
    stores: Counter[str] = Counter()
    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.List() | ast.ListComp() as value):
                values.setdefault(name, []).append(value)
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                stores[name] += 1
    return {n for n, made_here in values.items() if stores[n] == len(made_here)}


def is_path(e: ast.expr) -> bool:
    """Whether an expression is a name, or a path of attributes: evaluated twice, it is the same."""
    return dotted(e) is not None


def is_place(e: ast.expr) -> bool:
    """Whether an expression is a name, a number, or an item of a path under a key that is written out."""
    match e:
        case ast.Constant():
            return True
        case ast.Subscript(value=value, slice=ast.Constant()):
            return is_path(value)
    return is_path(e)


def is_part(e: ast.expr) -> bool:
    """Whether an expression is a slice of such a path."""
    return isinstance(e, ast.Subscript) and isinstance(e.slice, ast.Slice) and is_path(e.value)


def new_list(e: ast.expr) -> ast.List | ast.ListComp | None:
    """The list that is copied at once, which nobody else has: `list([*x])`, `[v for v in [*x]]`."""
    match e:
        case ast.Call(func=ast.Name(id="list"), args=[(ast.List() | ast.ListComp()) as shown], keywords=[]):
            return shown
        case ast.ListComp(
            elt=ast.Name(id=v),
            generators=[
                ast.comprehension(target=ast.Name(id=each), iter=(ast.List() | ast.ListComp()) as shown, ifs=[])
            ],
        ) if v == each:
            return shown
    return None


class _Uncopied(ast.NodeTransformer):
    def visit(self, node: ast.AST) -> ast.AST:
        node = self.generic_visit(node)
        return (new_list(node) if isinstance(node, ast.expr) else None) or node


def is_set(e: ast.expr | None) -> bool:
    """Whether an expression is seen to be a set."""
    match e:
        case ast.Set() | ast.SetComp() | ast.Call(func=ast.Name(id="set" | "frozenset")):
            return True
        case ast.BinOp(left=left, op=ast.BitOr() | ast.BitAnd() | ast.BitXor() | ast.Sub(), right=right):
            return is_set(left) or is_set(right)
    return False


def columns(g: ast.comprehension) -> ast.expr:
    """`for q, k, v in zip(*rows)` takes three rows: zip(rows[0], rows[1], rows[2])."""
    match g:
        case ast.comprehension(
            target=ast.Tuple(elts=elts),
            iter=ast.Call(func=ast.Name(id="zip"), args=[ast.Starred(value=ast.Name(id=rows))], keywords=[]) as call,
        ) if not any(isinstance(t, ast.Starred) for t in elts):
            return expression(f"zip({', '.join(f'{rows}[{i}]' for i in range(len(elts)))})", call)
    return g.iter


def asked_as_dicts(nodes: list[ast.AST]) -> set[str]:
    """Names of which methods are read that dicts have, and neither lists nor arrays, or whose items are their keys:
    `max(d, key=lambda k: d[k])`."""
    found: set[str] = set()
    for n in nodes:
        match n:
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if attr in OF_DICTS:
                found.add(name)
            case ast.Call(
                args=[ast.Name(id=name)],
                keywords=[ast.keyword(arg="key", value=ast.Lambda(args=ast.arguments(args=[k]), body=body))],
            ):
                found |= {name for x in walk(body) if is_item(x, name, k.arg)}
    return found


def is_item(e: ast.AST, of: str, key: str) -> bool:
    match e:
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Name(id=k)):
            return (name, k) == (of, key)
    return False


def read_by_keys(nodes: list[ast.AST]) -> set[str]:
    """Names of which items are read under variables that run over something else than numbers."""
    keys: set[str] = set()
    numbers = lists_of_places(nodes)
    for n in nodes:
        match n:
            case ast.For(target=ast.Name(id=k), iter=it) | ast.comprehension(target=ast.Name(id=k), iter=it):
                while isinstance(it, ast.Call) and isinstance(it.func, ast.Name) and it.func.id in ("list", "sorted"):
                    it = it.args[0] if it.args else it.func
                if isinstance(it, ast.Name | ast.Attribute) and not (isinstance(it, ast.Name) and it.id in numbers):
                    keys.add(k)
            case (
                ast.For(target=ast.Tuple(elts=[ast.Name(id=k), _]))
                | ast.comprehension(target=ast.Tuple(elts=[ast.Name(id=k), _]))
            ) if isinstance(it := n.iter, ast.Call) and isinstance(it.func, ast.Attribute):
                keys.add(k)
    return {
        n.value.id
        for n in nodes
        if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and isinstance(n.slice, ast.Name)
        if n.slice.id in keys
    }


def lists_of_places(nodes: list[ast.AST]) -> set[str]:
    """Names that are only ever bound to whole numbers of a range, in some order: `order = sorted(range(len(xs)))`."""
    found: Counter[str] = Counter()
    stores: Counter[str] = Counter()
    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                while isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.args:
                    if value.func.id not in ("list", "sorted", "reversed"):
                        break
                    value = value.args[0]
                if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "range":
                    found[name] += 1
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                stores[name] += 1
    return {name for name in found if found[name] == stores[name]}


def made_sets(nodes: list[ast.AST]) -> set[str]:
    """Names that are bound to sets, whose items have no places."""
    found: set[str] = set()
    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if is_set(value):
                found.add(name)
    return found


def is_text_entry(n: ast.AST) -> bool:
    return isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and string_key(n) is not None


def first_evaluated(e: ast.expr) -> Iterator[ast.expr]:
    """The calls of an expression before which nothing else is called."""
    todo: list[ast.expr] = [e]
    while todo:
        n = todo.pop()
        match n:
            case ast.Call(func=ast.Name() | ast.Attribute(value=ast.Name()), args=[first, *_]):
                if isinstance(first, (*COMPREHENSIONS, ast.List, ast.Tuple)) or len(n.args) > 1 or is_paired(first):
                    yield n
                if not isinstance(first, COMPREHENSIONS):
                    todo.append(first)
            case ast.BinOp(left=a, right=b):
                todo += [a] if any(isinstance(x, ast.Call) for x in walk(a)) else [a, b]
            case ast.Subscript(value=a) | ast.UnaryOp(operand=a) | ast.Compare(left=a) | ast.Starred(value=a):
                todo.append(a)


def is_paired(e: ast.expr) -> bool:
    """zip(a, b.c), enumerate(a)"""
    return (
        isinstance(e, ast.Call)
        and isinstance(e.func, ast.Name)
        and e.func.id in ("zip", "enumerate")
        and all(isinstance(a, ast.Name | ast.Attribute) and is_path(a) for a in e.args)
    )


def _exchange(s: ast.stmt, old: ast.expr, new: ast.expr) -> None:
    """Puts an expression in the place of another in the expressions of a statement."""

    class Exchange(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return new if node is old else self.generic_visit(node)

    for field in ("value", "iter", "test"):
        if isinstance(e := getattr(s, field, None), ast.expr):
            setattr(s, field, Exchange().visit(e))


__all__ = ["write_out"]
