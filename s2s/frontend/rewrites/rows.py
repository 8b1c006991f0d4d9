"""Lists that lie in lists, and get longer or shorter there: the slot is bound to a new list.

    rows[k].append(x)       rows[k] = [*rows[k], x]
    rows[k].extend(more)    rows[k] = [*rows[k], *more]
    x = rows[k].pop()       x = rows[k][-1]
                            rows[k] = rows[k][:-1]

A new list is the same as the changed one where nothing else has the list that lies in the slot while it changes: each
is made for its slot, and has no other name behind which it changes. Written derivatives change it in place again
(`s2s.optimise.rows`).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cached_property

from s2s.frontend.rewrites.fresh import Uses
from s2s.frontend.rewrites.keyed import copied
from s2s.frontend.rewrites.pops import Exchange
from s2s.frontend.text.function_bodies import has_effects
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.reaching import UNKNOWN, Reaching
from s2s.frontend.text.scopes import (
    AT_ONCE,
    LATER,
    blocks_of,
    body_nodes,
    dotted,
    names_used,
    new_name,
    parameters,
    rewritten,
    walk,
)
from s2s.frontend.text.source import made

# what evaluates all its parts, once
ALWAYS = (ast.BinOp, ast.UnaryOp, ast.Call, ast.Subscript, ast.Attribute, ast.Name, ast.Constant)
NESTED = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef
MAKE_NEW = ("_zeros_like", "_added")  # of written derivatives: what they give shares no list with what they are given
CHANGES = {
    "append": 1,
    "extend": 1,
    "pop": 0,
}  # methods that change a list in its slot, and how many arguments they take
PLAIN = frozenset(["int", "len", "abs"])  # what a key may call: it is computed as often as it is written


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the body of a function."""
    roots = {change[0] for n in body_nodes(function) if (change := changed(n))}
    if not roots:
        return
    taken = names_used(function)
    function.body[:] = rewritten(function.body, lambda s: with_item(s, taken))
    uses = Uses(function)
    own = {root for root in roots if _Slots(function, uses, root, names).are_alone()}
    if own:
        function.body[:] = rewritten(function.body, _Rows(own, taken, names.functions).statement)


def with_item(s: ast.stmt, taken: set[str]) -> Iterator[ast.stmt]:
    """`x[i] += w * rows[k].pop()`, where the item gets a name first."""
    match s:
        case ast.AugAssign(
            target=ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name), slice=ast.Name() | ast.Constant())
        ):
            inside = list(walk(s.value))
            calls = [n for n in inside if isinstance(n, ast.Call) and changed(n) and not n.args]  # pops
            always = all(isinstance(n, (*ALWAYS, ast.expr_context, ast.operator, ast.unaryop)) for n in inside)
            if len(calls) == 1 and always and (found := changed(calls[0])) is not None:
                call = calls[0]
                if name != found[0] and sum(is_named(n, found[0]) for n in inside if isinstance(n, ast.expr)) == 1:
                    item = made(ast.Name(new_name(taken, f"{found[0]}_item"), ast.Load()), call)
                    target = made(ast.Name(item.id, ast.Store()), call)
                    yield ast.copy_location(ast.Assign([target], call), s)
                    exchanged = Exchange({id(call): item}).visit(s.value)
                    assert isinstance(exchanged, ast.expr)
                    s.value = exchanged
    yield s


def changed(n: ast.AST) -> tuple[str, int] | None:
    """The name under the slot whose list a call makes longer or shorter, and how deep the slot lies there."""
    match n:
        case ast.Call(func=ast.Attribute(value=ast.Subscript() as place, attr=attr), args=args, keywords=[]):
            shape = CHANGES.get(attr)
            if shape == len(args) and not any(isinstance(a, ast.Starred) for a in args):
                return path(place)
    return None


def path(e: ast.expr) -> tuple[str, int] | None:
    """The name under the subscripts of `rows[i][j]`, and how many they are."""
    depth = 0
    while isinstance(e, ast.Subscript) and not isinstance(e.slice, ast.Slice | ast.Tuple):
        e, depth = e.value, depth + 1
    return (e.id, depth) if isinstance(e, ast.Name) else None


def named_choice(item: ast.expr, s: ast.stmt, taken: set[str]) -> tuple[list[ast.stmt], ast.expr]:
    """A name for an item that is one of two: between where the list is read and where it changes stands no branch."""
    if not any(isinstance(n, ast.IfExp) for n in ast.walk(item)):
        return [], item
    name = new_name(taken, "item")
    value = ast.copy_location(ast.Assign([made(ast.Name(name, ast.Store()), s)], item), s)
    return [value], made(ast.Name(name, ast.Load()), s)


def is_named(e: ast.expr, name: str) -> bool:
    return isinstance(e, ast.Name) and e.id == name


def is_changed_by_run(function: ast.FunctionDef, change: ast.AST) -> bool:
    """Whether a list changes in a slot that only the run knows: `hist[s].pop()`, where `s` is an item of what this
    function computes, not of what its module or the loop itself shows: such loops are written out."""
    match change:
        case ast.Call(func=ast.Attribute(value=ast.Subscript(slice=ast.Name(id=key)))):
            local = {n.id for n in body_nodes(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            loops = (n for n in body_nodes(function) if isinstance(n, ast.For))
            over = [
                s.iter for s in loops if any(is_named(n, key) for n in ast.walk(s.target) if isinstance(n, ast.expr))
            ]
            displays = ast.Tuple | ast.List | ast.Dict | ast.keyword
            over = [e for e in over if not any(isinstance(n, displays) for n in ast.walk(e))]
            read = ({n.id for n in ast.walk(e) if isinstance(n, ast.Name)} for e in over)
            return bool(over) and all(names & local for names in read)
        case ast.Call(func=ast.Attribute(value=ast.Subscript(slice=key))):
            return not isinstance(key, ast.Constant)
    return False


class _Slots:
    """Whether the lists in the slots of a list are seen by nothing else while they change."""

    def __init__(self, function: ast.FunctionDef, uses: Uses, root: str, names: ModuleNames) -> None:
        self.function, self.uses, self.root, self.imports = function, uses, root, names.imports.names
        self.makers = {maker for maker in MAKE_NEW if names.carries(maker)}
        self.changes = [(n, found[1]) for n in uses.nodes if (found := changed(n)) and found[0] == root]
        self.depth = max(depth for _, depth in self.changes)
        values = (n.value for n in uses.nodes if isinstance(n, ast.Assign) and is_named(n.targets[0], root))
        self.keyed = any(isinstance(v, ast.Dict | ast.DictComp) for v in values)  # loops run over its keys
        entries = [n for n in uses.nodes if isinstance(n, ast.Subscript) and is_named(n.value, root)]
        named = any(isinstance(n.slice, ast.Constant) for n in entries)  # of what lies there, less is known than needed
        self.named_by_run = not named and any(is_changed_by_run(function, n) for n, _ in self.changes)

    def up(self, n: ast.AST) -> ast.AST | None:
        return self.uses.parents.get(id(n))

    def are_alone(self) -> bool:
        if self.root in {p.arg for p in parameters(self.function)}:
            return False
        if any(isinstance(n, ast.Global | ast.Nonlocal) and self.root in n.names for n in self.uses.nodes):
            return False
        if not all(self.is_statement(n) for n, _ in self.changes):
            return False
        return all(self.is_known(n) for n in self.uses.nodes if isinstance(n, ast.Name) and n.id == self.root)

    def is_statement(self, change: ast.AST) -> bool:
        """Whether a list changes in a statement of its own, in this function."""
        statement = self.up(change)
        assert isinstance(change, ast.Call) and isinstance(change.func, ast.Attribute)
        match statement:
            case ast.Assign(targets=[ast.Name()]) if change.func.attr == "pop":
                pass
            case ast.Expr():
                pass
            case _:
                return False
        return self.inside(change) is None

    def inside(self, n: ast.AST) -> ast.AST | None:
        """The function inside of this one in which a node stands."""
        return next((a for a in self.uses.ancestors(n) if isinstance(a, NESTED) and a is not self.function), None)

    def is_known(self, n: ast.Name) -> bool:
        if isinstance(n.ctx, ast.Load):
            return self.is_unseen(n, 0)
        match self.up(n):
            case ast.Assign(targets=[target], value=value) if target is n:
                return self.is_new(value, self.depth + 1) or self.is_settled(value)
            case ast.AnnAssign(target=target, value=ast.expr() as value) if target is n:
                return self.is_new(value, self.depth + 1)
        return False

    def is_new(self, e: ast.expr, depth: int) -> bool:
        """Whether an expression makes a new list, of new lists, to this depth; any value where it is 0."""
        if depth == 0:
            return True
        match e:
            case ast.List(elts=elts):
                return all(depth == 1 if isinstance(x, ast.Starred) else self.is_new(x, depth - 1) for x in elts)
            case ast.Dict(keys=[]):
                return True
            case ast.Dict(keys=keys, values=items) if self.named_by_run:  # else its entries have names
                return None not in keys and all(self.is_new(x, depth - 1) for x in items)
            case ast.ListComp(elt=item) | ast.DictComp(value=item):
                return self.is_new(item, depth - 1)
            case ast.Call(func=ast.Name(id=called)) if called in self.makers:
                return True
            case ast.IfExp(body=a, orelse=b):
                return self.is_new(a, depth) and self.is_new(b, depth)
            case ast.BinOp(left=a, op=ast.Add(), right=b):
                return self.is_new(a, depth) and self.is_new(b, depth)
            case ast.BinOp(left=a, op=ast.Mult(), right=b):
                return depth == 1 and (isinstance(a, ast.List) or isinstance(b, ast.List))
            case ast.Call(func=ast.Name(id="list" | "sorted")) | ast.Call(func=ast.Attribute(attr="tolist"), args=[]):
                return depth == 1
            case ast.Subscript(value=inner, slice=ast.Slice()) if (found := path(inner)) is not None:
                return depth == 1 and found == (self.root, self.depth)
        return False

    # ------------------------------------------------------------ uses
    def is_unseen(self, e: ast.expr, level: int) -> bool:
        """Whether a use of the list, or of what lies so deep in it, gives no list that changes another name."""
        while level <= self.depth:
            up = self.up(e)
            if not (isinstance(up, ast.Subscript) and up.value is e):
                break
            if isinstance(up.slice, ast.Slice):
                if not isinstance(up.ctx, ast.Load):
                    return False
                if level == self.depth:  # a new list of what lies there
                    return True
                return (self.is_read(up, level) and self.inside(up) is None) or self.is_settled(up)
            e, level = up, level + 1
            if isinstance(e.ctx, ast.Del):
                return False
            if isinstance(e.ctx, ast.Store):
                return level > self.depth or self.is_put(e, level)
        if level > self.depth:
            return True
        return (self.is_read(e, level) and self.inside(e) is None) or self.is_settled(e)

    def is_put(self, place: ast.Subscript, level: int) -> bool:
        match self.up(place):
            case ast.Assign(targets=[target], value=value) if target is place:
                depth = self.depth + 1 - level
                return self.is_new(value, depth) or self.is_moved(value, depth)
        return False

    def is_read(self, e: ast.expr, level: int) -> bool:
        """Whether what lies there has been read when the expression around it is computed."""
        up = self.up(e)
        innermost = level == self.depth
        match up:
            case ast.Attribute(attr=attr) if isinstance(call := self.up(up), ast.Call) and call.func is up:
                if any(call is n for n, _ in self.changes):
                    assert attr != "append" or len(call.args) == 1
                    return attr != "extend" or innermost if attr != "append" else self.is_added(call, level)
                if attr == "append" and level == 0:
                    return self.is_added(call, 0)
                return attr in ("index", "count") or (attr == "copy" and innermost)
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return True
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                return test is e
            case ast.BinOp() | ast.Starred():
                return innermost
            case ast.Return():
                return True
            case ast.Tuple() if isinstance(self.up(up), ast.Return):
                return True
            case ast.Call(func=ast.Name(id="len")):
                return True
            case ast.Call(func=ast.Name(id=called)) if called in self.makers:
                return True
            case ast.Call(func=ast.Name(id="list" | "sorted" | "reversed")) | ast.For() | ast.comprehension() if (
                self.keyed and level == 0
            ):
                return True
            case ast.Call(func=ast.Name(id="min" | "max"), args=[_]):
                return innermost
            case ast.Call(func=ast.Name(id=name)) if name in AT_ONCE - {"min", "max", "dict"}:
                return innermost
            case ast.Call(func=func) if (found := dotted(func)) and found[0] in self.imports and func is not e:
                return self.imports[found[0]].partition(".")[0] in ("numpy", "math", "scipy")
            case ast.Assign(targets=[ast.Name() as target], value=value) if value is e:
                return self.is_read_by_name(target, e, level)
        return self.is_run_over(e, level)

    def is_read_by_name(self, target: ast.Name, value: ast.expr, level: int) -> bool:
        """Whether a name for what lies there is read only as long as that does not change."""
        same = [n for n in self.uses.nodes if isinstance(n, ast.Name) and n.id == target.id]
        once = sum(not isinstance(n.ctx, ast.Load) for n in same) == 1
        mine, at = self.uses.loops(target), self.uses.at
        for n in same:
            reached = self.reaching.at.get(id(n), frozenset((id(value),) if once else (id(value), UNKNOWN)))
            if not isinstance(n.ctx, ast.Load) or id(value) not in reached or self.is_of_comprehension(n):
                continue
            if reached != {id(value)} or at[id(n)] < at[id(target)] or not self.is_unseen(n, level):
                return False
            for change, _ in self.changes:
                inside = any(a is change for a in self.uses.ancestors(n))  # read before the list changes
                between = at[id(target)] < at[id(change)] < at[id(n)] and not inside
                if between or not self.uses.loops(n) & self.uses.loops(change) <= mine:
                    return False
        return True

    def is_of_comprehension(self, n: ast.Name) -> bool:
        """Whether a name is a variable of a comprehension around it, and none of the function."""
        for a in self.uses.ancestors(n):
            if isinstance(a, ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp):
                bound = {x.id for g in a.generators for x in ast.walk(g.target) if isinstance(x, ast.Name)}
                if n.id in bound and not any(x is n for x in ast.walk(a.generators[0].iter)):
                    return True
        return False

    @cached_property
    def reaching(self) -> Reaching:
        return Reaching(self.function)

    def is_added(self, call: ast.Call, level: int) -> bool:
        item, depth = call.args[0], self.depth - level
        return len(call.args) == 1 and (self.is_new(item, depth) or self.is_moved(item, depth))

    def is_run_over(self, it: ast.expr, level: int) -> bool:
        """Whether a loop runs over the items that lie there, in which no list changes, and its variable has no use
        outside."""
        up, at = self.up(it), it
        places: list[int] = []
        while isinstance(up, ast.Call) and isinstance(up.func, ast.Name) and up.func.id in LATER and at in up.args:
            if up.func.id != "reversed":
                places.insert(0, 1 if up.func.id == "enumerate" else up.args.index(at))
            at, up = up, self.up(up)
        match up:
            case ast.For(target=bound, iter=over) if over is at:
                if any(x is n for n, _ in self.changes for s in up.body for x in ast.walk(s)):
                    return False
                around: ast.AST = up
            case ast.comprehension(target=bound, iter=over) if over is at:
                whole = self.up(up)
                assert whole is not None
                if isinstance(whole, ast.GeneratorExp) and not self.is_consumed(whole):
                    return False
                around = whole
            case _:
                return False
        if level == self.depth:
            return True
        target = bound
        for i in places:
            if not isinstance(target, ast.Tuple) or i >= len(target.elts):
                return False
            target = target.elts[i]
        if not isinstance(target, ast.Name):
            return False
        inside = {id(n) for n in ast.walk(around)}
        same = [n for n in self.uses.nodes if isinstance(n, ast.Name) and n.id == target.id]
        mine = [n for n in same if id(n) in inside]
        if any(not isinstance(n.ctx, ast.Load) and n is not target for n in mine):
            return False
        if any(id(n) not in inside and isinstance(n.ctx, ast.Load) and not self.is_bound_elsewhere(n) for n in same):
            return False
        return all(self.is_unseen(n, level + 1) for n in mine if isinstance(n.ctx, ast.Load))

    def is_bound_elsewhere(self, n: ast.Name) -> bool:
        """Whether a variable is read in a loop, or a comprehension, that binds it, or behind a statement that does."""
        if UNKNOWN not in self.reaching.at.get(id(n), frozenset((UNKNOWN,))):
            return True
        for a in self.uses.ancestors(n):
            targets: list[ast.expr] = []
            if isinstance(a, ast.For) and not any(n is x for x in ast.walk(a.iter)):
                targets = [a.target]
            elif isinstance(a, ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp):
                targets = [g.target for g in a.generators]
            if any(isinstance(x, ast.Name) and x.id == n.id for t in targets for x in ast.walk(t)):
                return True
        return False

    def is_consumed(self, e: ast.GeneratorExp) -> bool:
        match self.up(e):
            case ast.Call(func=func, args=[first, *_]) if first is e:
                if isinstance(func, ast.Name):
                    return func.id in AT_ONCE
                found = dotted(func) or [""]
                return self.imports.get(found[0], "").partition(".")[0] in ("numpy", "math")
        return False

    def is_settled(self, e: ast.AST) -> bool:
        """Whether no list that is there at a use changes any more: it may give it another name.

        In a next round of a loop around there are other lists, which the loop makes before they change.
        """
        up, at = self.up(e), self.uses.at
        around = self.uses.loops(e) | ({id(up)} if isinstance(up, ast.For) else set())

        def is_made_anew(change: ast.AST) -> bool:
            common = self.uses.loops(change) & around
            return not common or any(self.leads_to(m, change) and common <= self.uses.loops(m) for m in self.made)

        return all(at[id(n)] < at[id(e)] and is_made_anew(n) for n, _ in self.changes)

    @cached_property
    def made(self) -> list[ast.Assign]:
        """The statements that bind the name to new lists."""
        bound = (n for n in self.uses.nodes if isinstance(n, ast.Assign) and is_named(n.targets[0], self.root))
        return [n for n in bound if self.is_new(n.value, self.depth + 1)]

    def leads_to(self, s: ast.stmt, n: ast.AST) -> bool:
        """Whether a node is reached behind a statement only, in the same round of all loops around the statement."""
        up = self.up(s)
        block = next((b for b in blocks_of(up) if s in b), []) if isinstance(up, ast.stmt) else []
        behind = block[block.index(s) + 1 :] if block else []
        return any(n is t or any(a is t for a in self.uses.ancestors(n)) for t in behind)

    def is_moved(self, e: ast.expr, depth: int) -> bool:
        """Whether a name that is put into the list is that of a new one, which before only gets items."""
        if not isinstance(e, ast.Name):
            return False
        same = [n for n in self.uses.nodes if isinstance(n, ast.Name) and n.id == e.id]
        bound = [self.up(n) for n in same if not isinstance(n.ctx, ast.Load)]
        if not all(isinstance(s, ast.Assign) and self.is_new(s.value, depth) for s in bound):
            return False
        kept = [n for n in same if isinstance(n.ctx, ast.Load) and not self.is_measured(n, depth)]
        if any(self.inside(n) for n in same):
            return False
        at = self.uses.at
        for n in (n for n in same if isinstance(n.ctx, ast.Load)):  # reached by one list, which lies in no slot yet
            made_before = [
                s for s in bound if isinstance(s, ast.stmt) and at[id(s)] < at[id(n)] and self.leads_to(s, n)
            ]
            last = max(made_before, key=lambda s: at[id(s)], default=None)
            if last is None or any(at[id(last)] < at[id(k)] < at[id(n)] for k in kept):
                return False
            if n in kept and self.uses.loops(last) != self.uses.loops(n):
                return False
        return True

    def is_measured(self, n: ast.Name, depth: int) -> bool:
        """Whether a use gives no other name to a list, or to what lies so deep in it: it is measured, gets items, or
        these are read and stored."""
        up = self.up(n)
        match up:
            case ast.Attribute(attr="append"):
                return isinstance(call := self.up(up), ast.Call) and call.func is up
            case ast.comprehension(iter=it):
                return depth == 1 and it is n
            case ast.Call(func=ast.Name(id="zip")):
                return depth == 1 and isinstance(self.up(up), ast.comprehension)
            case ast.Call(func=ast.Name(id=called)):
                return called == "len" or called in self.makers
            case ast.Subscript(value=value, slice=key):
                return depth == 1 and value is n and not isinstance(key, ast.Slice)
        return False


class _Rows:
    def __init__(self, own: set[str], taken: set[str], functions: Mapping[str, ast.AST]) -> None:
        self.own, self.taken, self.functions = own, taken, functions

    def statement(self, s: ast.stmt) -> Iterator[ast.stmt]:
        call = s.value if isinstance(s, ast.Expr | ast.Assign) else None
        found = changed(call) if call is not None else None
        if found is None or found[0] not in self.own:
            yield s
            return
        assert isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
        place = call.func.value
        assert isinstance(place, ast.Subscript)
        yield from self.plain_keys(place, s)

        def read() -> ast.expr:
            return copied(place)

        target = copied(place)
        assert isinstance(target, ast.Subscript)
        target.ctx = ast.Store()
        if call.func.attr == "pop":
            last = made(ast.UnaryOp(ast.USub(), made(ast.Constant(1), s)), s)
            if isinstance(s, ast.Assign):
                yield ast.copy_location(ast.Assign(s.targets, made(ast.Subscript(read(), last, ast.Load()), s)), s)
            target.sure = True  # type: ignore[attr-defined]
            value: ast.expr = made(ast.Subscript(read(), ast.Slice(None, last, None), ast.Load()), s)
        else:
            item = call.args[0]
            before, item = named_choice(item, s, self.taken)
            yield from before
            more = item if call.func.attr == "append" else made(ast.Starred(item, ast.Load()), item)
            value = made(ast.List([made(ast.Starred(read(), ast.Load()), s), more], ast.Load()), s)
        yield ast.copy_location(ast.Assign([target], value), s)

    def plain_keys(self, place: ast.Subscript, s: ast.stmt) -> Iterator[ast.stmt]:
        """Names for keys that are computed by calls: they are read twice."""
        inner: ast.expr = place
        while isinstance(inner, ast.Subscript):
            calls = [n for n in ast.walk(inner.slice) if isinstance(n, ast.Call)]
            if any(not (isinstance(n.func, ast.Name) and n.func.id in PLAIN) for n in calls) or has_effects(
                inner.slice, self.functions
            ):
                key = new_name(self.taken, "place")
                yield ast.copy_location(ast.Assign([made(ast.Name(key, ast.Store()), s)], inner.slice), s)
                inner.slice = made(ast.Name(key, ast.Load()), s)
            inner = inner.value
