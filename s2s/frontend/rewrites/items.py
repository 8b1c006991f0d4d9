"""Objects and dicts in a list, whose attributes and entries are bound anew: each is named by its place in the list.

    for p in bodies:                        for i in range(len(bodies)):
        p.pos = p.pos + h * p.vel               bodies[i].pos = bodies[i].pos + h * bodies[i].vel
    a = bodies[j]                           bodies[j].vel = 0.9 * bodies[j].vel
    a.vel = 0.9 * a.vel

A name of an item is one more name of an object that changes; its place in the list is the only one. The two mean the
same where the list is made here of objects that nothing else has, and stays as it is while the name is read.

    [Circle(h * r) for r in radii]          [_new_circle(h * r) for r in radii]

An object whose constructor does more than to keep what it is given is one of the attributes that this makes.
"""

from __future__ import annotations

import ast
import copy
import itertools
from collections import Counter
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import TypeGuard, cast

from s2s.frontend.rewrites.objects import is_attribute_only
from s2s.frontend.text.bindings import root_of
from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.function_bodies import Exchanged, is_docstring, is_fixed
from s2s.frontend.text.names import NAMESPACE, Made, ModuleNames
from s2s.frontend.text.reaching import Reaching
from s2s.frontend.text.scopes import (
    COMPREHENSIONS,
    SCOPES,
    body_nodes,
    bound_names,
    children,
    dotted,
    every_block,
    names_used,
    new_name,
    parameters,
    walk,
)
from s2s.frontend.text.source import made, put

PLACES: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Is: ast.Eq, ast.IsNot: ast.NotEq}
INDICES = ("i", "j", "k", "m", "n")
Fields = Callable[[ast.expr], AbstractSet[str] | None]
Maker = Callable[[ast.Call], ClassInfo | None]


def write_out(
    function: ast.FunctionDef,
    fields: Fields,
    maker: Maker,
    names: ModuleNames,
) -> set[str]:
    """Changes the body of a function; returns the lists of which parts of items may be bound anew.

    fields: the parts of what an expression makes, if that is a new object or dict, `.x` for attributes; else None.
    maker: the class of which a call makes an object, where its constructor does more than to keep what it is given.
    """
    own = {p.arg for p in parameters(function)}
    found: set[str] = set()
    if bound_names(body_nodes(function)) & {"len", "range", "enumerate", "zip", "reversed"}:
        return found
    put_at_once(function, lambda e: fields(e) is not None or (isinstance(e, ast.Call) and maker(e) is not None))
    for path in sorted(p for p in map(made_list, body_nodes(function)) if p is not None and p.split(".")[0] not in own):
        if path in found:
            continue
        group = _Items(function, path, fields, maker, names)
        if group.fit():
            group.construct()
            if group.is_written():
                group.exchange()
                found.add(path)
    return found


def by_places(function: ast.FunctionDef) -> bool:
    """Loops over items in an order of their own, as loops over their places: the list stays as it is meanwhile. Whether
    there was one.

    for b in [bodies[k] for k in order]:        for k in order:
        ...                                         b = bodies[k]
                                                    ...
    """
    nodes, found = body_nodes(function), False
    lists_made = {p for p in map(made_list, nodes) if p is not None}
    for loop in [n for n in nodes if isinstance(n, ast.For)] if lists_made else []:
        holder: ast.For | ast.Call = loop
        item, over = loop.target, loop.iter
        match loop.target, loop.iter:
            case ast.Tuple(elts=[_, inner]), ast.Call(
                func=ast.Name(id="enumerate"), args=[places], keywords=[]
            ) as call:
                item, over, holder = inner, places, call
        match item, over:
            case (
                ast.Name(id=name),
                ast.ListComp(
                    elt=ast.Subscript(value=of, slice=ast.Name(id=key)) as place,
                    generators=[ast.comprehension(target=ast.Name(id=number), iter=order, ifs=[])],
                ),
            ) if key == number and (path := dotted(of)) is not None and ".".join(path) in lists_made:
                inside = [n for s in loop.body for n in walk(s)]
                parents = {c: n for n in inside for c in children(n)}
                lists = [n for n in inside if isinstance(n, ast.Name | ast.Attribute) and dotted(n) == path]
                if not all(isinstance(up := parents.get(n), ast.Subscript) and is_read_of(up, n) for n in lists):
                    continue
                at = new_name(names_used(function), f"{name}_at")
                picked = made(ast.Subscript(of, made(ast.Name(at, ast.Load()), place), ast.Load()), place)
                loop.body.insert(0, made(ast.Assign([made(ast.Name(name, ast.Store()), item)], picked), loop.body[0]))
                put(loop if holder is loop else loop.target, item, made(ast.Name(at, ast.Store()), item))
                put(holder, over, order)
                found = True
    return found


def is_read_of(up: ast.Subscript, n: ast.AST) -> bool:
    return up.value is n and isinstance(up.ctx, ast.Load)


def put_at_once(
    function: ast.FunctionDef, makes: Callable[[ast.expr], bool], fits: Callable[[str], bool] = lambda name: True
) -> bool:
    """`body = Body(x)` and `bodies.append(body)` as `bodies.append(Body(x))`, where the name is for nothing else.

    fits: of which names; whether there was one.
    """
    found: list[tuple[list[ast.stmt], ast.Assign, ast.Call]] = []
    for block in every_block(function.body):
        for s, after in itertools.pairwise(block):
            match s, after:
                case (
                    ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() | ast.Dict()),
                    ast.Expr(value=ast.Call(func=ast.Attribute(attr="append"), args=[ast.Name(id=given)]) as call),
                ) if name == given and dotted(call.func) is not None and fits(name) and makes(s.value):
                    found.append((block, s, call))
    done = False
    if not found:
        return done
    reaching = Reaching(function)
    read = Counter(value for values in reaching.at.values() for value in values)
    for block, s, call in found:
        if read[id(s.value)] == 1 and reaching.of(cast("ast.Name", call.args[0])) == [s.value]:
            call.args = [s.value]
            block.remove(s)
            done = True
    return done


def made_list(s: ast.AST) -> str | None:
    """The name that is bound to a new list, or the attribute: `bodies = [Body(x) for x in start]`."""
    match s:
        case (
            ast.Assign(targets=[ast.Name() | ast.Attribute() as target], value=ast.List() | ast.ListComp())
            | ast.AnnAssign(target=ast.Name() | ast.Attribute() as target, value=ast.List() | ast.ListComp())
        ):
            path = dotted(target)
            return ".".join(path) if path is not None else None
    return None


def is_part(n: ast.AST | None) -> bool:
    """`p.x`, `p["x"]`"""
    match n:
        case ast.Attribute() | ast.Subscript(slice=ast.Constant(value=str())):
            return True
    return False


def is_named(n: ast.AST, part: str) -> bool:
    """Whether a part of this name is asked for, of whatever it may be."""
    match n:
        case ast.Attribute(attr=attr):
            return f".{attr}" == part
        case ast.Subscript(slice=ast.Constant(value=key)):
            return key == part
    return False


def value_of(e: ast.expr, part: str) -> ast.expr | None:
    """What a new object or dict holds under a name, where that is written out."""
    match e:
        case ast.Call(keywords=keywords):
            return next((k.value for k in keywords if f".{k.arg}" == part), None)
        case ast.Dict(keys=keys, values=values):
            found = (v for k, v in zip(keys, values, strict=True) if isinstance(k, ast.Constant) and k.value == part)
            return next(found, None)
    return None


class _Named:
    """A name of an item: where it is bound, what reads it there, and the place that it stands for."""

    def __init__(
        self,
        name: str,
        node: ast.AST,
        region: list[ast.AST],
        key: ast.expr | None,
        over: tuple[ast.expr, ast.expr] | None = None,
    ) -> None:
        self.name, self.node, self.key = name, node, key
        self.over = over  # what a loop runs over, and the target that the places are given to
        self.inside = [n for r in region for n in walk(r)]
        self.reads = [n for n in self.inside if isinstance(n, ast.Name) and n.id == name and is_read(n)]


def is_read(n: ast.Name) -> bool:
    return isinstance(n.ctx, ast.Load)


class _Items:
    """One list, that of a name or of an attribute, and the names of its items."""

    def __init__(
        self,
        function: ast.FunctionDef,
        name: str,
        fields: Fields,
        maker: Maker,
        names: ModuleNames,
    ) -> None:
        self.function, self.name, self.fields, self.maker, self.names = function, name, fields, maker, names
        self.functions = names.functions
        self.path = name.split(".")
        self.bound = bound_names(body_nodes(function)) | {p.arg for p in parameters(function)}
        self.nodes = [n for s in function.body for n in walk(s)]
        self.parents = {id(c): n for n in self.nodes for c in children(n)}
        self.named: list[_Named] = []
        self.parts: set[str] = set()
        self.lent = False  # whether helpers are given the list, or items of it
        self.anew: dict[int, ast.Call] = {}  # objects as what their constructor makes of them

    # ------------------------------------------------------------ does the list have its items alone?

    def fit(self) -> bool:
        uses = [n for n in self.nodes if self.is_list(n)]
        owners = [n for n in self.nodes if isinstance(n, ast.Name) and n.id == self.path[0]]
        if len(self.path) > 1 and not all(is_attribute_only(n, self.parents) for n in owners):
            return False
        if any(self.is_kept_scope(n) and any(u in walk(n) for u in uses) for n in self.nodes):
            return False
        makers: list[ast.expr] = []
        for n in uses:
            values = self.made_by(n)
            if values is not None:
                makers += [side for e in values for side in sides_of(e)]
            elif not self.is_use(n):
                return False
        parts = [self.fields_of(e) for e in makers]
        known = [p for p in parts if p is not None]
        if not known or len(known) < len(parts):
            return False
        self.parts = set(known[0]).intersection(*known)
        deep = [n for n in self.nodes if self.is_deep(n)]
        if not all(self.is_held_alone(n, makers) for n in deep):
            return False
        sound = all(map(self.fits, self.named)) and self.covers() and self.parts_only(uses)
        return sound and not (deep and self.lent)  # what a helper returns may be an object of an item

    def is_held_alone(self, n: ast.AST, makers: list[ast.expr]) -> bool:
        """`p.pos.x = e` changes an object that may lie elsewhere, too, but where it is made in each item, and only its
        parts are read."""
        parts: list[str] = []
        while is_part(n):
            key = f".{n.attr}" if isinstance(n, ast.Attribute) else n.slice.value  # type: ignore[attr-defined]
            parts.insert(0, key)
            n = n.value  # type: ignore[attr-defined]
        holders: list[ast.expr] = makers
        for i, part in enumerate(parts):
            if any((known := self.fields(e)) is None or part not in known for e in holders):
                return False
            if i == len(parts) - 1:
                return True
            inner = [value_of(e, part) for e in holders]
            holders = [e for e in inner if e is not None]
            if len(holders) < len(inner) or not all(
                self.is_in_parts(x) for x in self.nodes if is_named(x, part) and self.is_inside(x)
            ):
                return False
        return False

    def is_in_parts(self, n: ast.AST) -> bool:
        """Whether nothing but a part of what is read here is asked for, or bound anew."""
        up = self.parents.get(id(n))
        return isinstance(getattr(n, "ctx", None), ast.Load) and is_part(up) and up.value is n  # type: ignore[union-attr]

    def is_deep(self, n: ast.AST) -> bool:
        """`p.pos.x = e`"""
        if not is_part(n) or isinstance(n.ctx, ast.Load) or not is_part(n.value):  # type: ignore[attr-defined]
            return False
        return self.is_inside(n.value)  # type: ignore[attr-defined]

    def is_inside(self, part: ast.AST) -> bool:
        """Whether a part is that of an item, or lies in one."""
        inner = part.value  # type: ignore[attr-defined]
        while isinstance(inner, ast.Attribute | ast.Subscript):
            if self.is_list(inner):
                return True
            inner = inner.value
        return isinstance(inner, ast.Name) and inner.id in {self.path[0], *(x.name for x in self.named)}

    def is_list(self, n: ast.AST) -> TypeGuard[ast.Name | ast.Attribute]:
        return isinstance(n, ast.Name | ast.Attribute) and dotted(n) == self.path

    def fields_of(self, e: ast.expr) -> AbstractSet[str] | None:
        cls = self.maker(e) if isinstance(e, ast.Call) else None
        if cls is None or cls.init is None or not isinstance(e, ast.Call):
            return self.fields(e)
        values = attributes(e, cls.init, self.bound)
        if values is not None:
            self.anew[id(e)] = namespace(values, e)
            return {f".{n}" for n in values}
        found = maker_of(cls, self.names)
        if found is None:
            return None
        own, parts = found
        self.anew[id(e)] = made(ast.Call(made(ast.Name(own, ast.Load()), e), e.args, e.keywords), e)
        return {f".{n}" for n in parts}

    def made_by(self, n: ast.Name | ast.Attribute) -> list[ast.expr] | None:
        """The items that a list is bound to or gets here; None where this is something else."""
        up = self.parents.get(id(n))
        match up:
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=value) if target is n:
                match value:
                    case ast.List(elts=elts) if not any(isinstance(e, ast.Starred) for e in elts):
                        return elts
                    case ast.ListComp(elt=elt):
                        return [elt]
            case ast.Attribute(attr="append"):
                call = self.parents.get(id(up))
                if isinstance(call, ast.Call) and call.func is up and len(call.args) == 1:
                    return [*call.args] if isinstance(self.parents.get(id(call)), ast.Expr) else None
        return None

    def is_use(self, n: ast.Name | ast.Attribute) -> bool:
        up = self.parents.get(id(n))
        match up:
            case ast.Subscript(value=value, slice=key, ctx=ast.Load()) if value is n and is_place(key):
                holder = self.parents.get(id(up))
                if is_part(holder) and holder.value is up:  # type: ignore[union-attr]
                    return True
                match holder:
                    case ast.Assign(targets=[ast.Name(id=name)], value=item) if item is up:
                        return self.binds(name, holder, key)
                return self.is_lent(up, items=False)
            case ast.Call(func=ast.Name(id="len"), args=[_], keywords=[]):
                return True
            case ast.Call() | ast.keyword() if self.is_lent(n, items=True):
                return True
            case ast.For(iter=it, target=target) | ast.comprehension(iter=it, target=target) if it is n:
                return self.is_looped(up, n, target, None)
            case ast.Call(func=ast.Name(id=over), args=args, keywords=[]):
                loop = self.parents.get(id(up))
                if not isinstance(loop, ast.For | ast.comprehension) or loop.iter is not up:
                    return False
                match over, loop.target:
                    case "enumerate", ast.Tuple(elts=[ast.Name() as number, item]) if len(args) == 1:
                        return self.is_looped(loop, up, item, number)
                    case "reversed", item:
                        return self.is_looped(loop, n, item, None)
                    case "zip", ast.Tuple(elts=parts) if len(parts) == len(args):
                        return self.is_looped(loop, n, parts[args.index(n)], None)
        return False

    def is_lent(self, given: ast.expr, items: bool) -> bool:
        """Whether an item, or the list, is handed to a function that only reads parts of it."""
        up = self.parents.get(id(given))
        call = self.parents.get(id(up)) if isinstance(up, ast.keyword) else up
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            return False
        callee = self.functions.get(call.func.id)
        if callee is None or call.func.id in self.bound:
            return False
        names = [p.arg for p in (*callee.args.posonlyargs, *callee.args.args)]
        if isinstance(up, ast.keyword):
            name = up.arg or ""
        else:
            at = next(i for i, a in enumerate(call.args) if a is given)
            if any(isinstance(a, ast.Starred) for a in call.args) or at >= len(names):
                return False
            name = names[at]
        self.lent = self.lent or only_reads(callee, name, items)
        return only_reads(callee, name, items)

    def binds(self, name: str, s: ast.Assign, key: ast.expr) -> bool:
        """`p = bodies[k]`: what stands behind it in its block reads p, up to where that is bound again."""
        block = next(b for b in every_block(self.function.body) if any(x is s for x in b))
        behind = block[next(i for i, x in enumerate(block) if x is s) + 1 :]
        again = (i for i, x in enumerate(behind) if isinstance(x, ast.Assign) and is_name(x.targets[0], name))
        self.named.append(_Named(name, s, list(behind[: next(again, len(behind))]), key))
        return True

    def is_looped(
        self, loop: ast.For | ast.comprehension, it: ast.expr, item: ast.expr, number: ast.Name | None
    ) -> bool:
        """Whether a loop binds a name to the items; it: what is run over, of the loop or of a `zip`."""
        if not isinstance(item, ast.Name):
            return False
        if isinstance(loop, ast.For):
            region: list[ast.AST] = list(loop.body)
        else:
            whole = self.parents[id(loop)]
            generators = whole.generators  # type: ignore[attr-defined]
            at = generators.index(loop)
            values = [getattr(whole, f) for f in ("elt", "key", "value") if hasattr(whole, f)]
            region = [*values, *loop.ifs, *generators[at + 1 :]]
        named = _Named(item.id, loop, region, number, (it, item if number is None else loop.target))
        if named.reads:
            self.named.append(named)
        return True

    # ------------------------------------------------------------ does the list stay as it is while a name is read?

    def fits(self, named: _Named) -> bool:
        moved = {named.name, self.path[0], *read_by(named.key)}
        for n in named.inside:
            if isinstance(n, ast.Name) and n.id in moved and not is_read(n):
                return False
            if self.is_list(n) and self.made_by(n) is not None:
                return False
            if isinstance(n, ast.NamedExpr) or self.is_kept_scope(n):
                return False
        return True

    def is_kept_scope(self, n: ast.AST) -> bool:
        """Whether a node is a function that may be called later: not the key by which places of items are compared,
        `min(range(len(bodies)), key=lambda k: bodies[k].rho)`."""
        match n, up := self.parents.get(id(n)):
            case ast.Lambda(), ast.keyword(arg="key"):
                match self.parents.get(id(up)):
                    case ast.Call(func=ast.Name(id="min" | "max" | "sorted" as name), args=[ast.Call(func=over)]):
                        return dotted(over) != ["range"] or not self.bound.isdisjoint(("range", name))
        return isinstance(n, SCOPES)

    def covers(self) -> bool:
        """Whether each name of an item is bound, and read, as one of this list only."""
        for name in {x.name for x in self.named}:
            own = [x for x in self.named if x.name == name]
            covered = {id(n) for x in own for n in x.reads}
            targets = {id(n) for x in own for n in walk(target_of(x.node))}
            for n in self.nodes:
                own_name = isinstance(n, ast.Name) and n.id == name
                if own_name and id(n) not in covered | targets and not self.is_bound_inside(n):
                    return False
        return name_once(self.named)

    def is_bound_inside(self, n: ast.AST) -> bool:
        """Whether a name is the variable of a comprehension that binds it itself."""
        up = self.parents.get(id(n))
        while up is not None:
            if isinstance(up, COMPREHENSIONS):
                bound = {x.id for g in up.generators for x in walk(g.target) if isinstance(x, ast.Name)}
                if n.id in bound:  # type: ignore[attr-defined]
                    return True
            up = self.parents.get(id(up))
        return False

    def parts_only(self, uses: list[ast.Name | ast.Attribute]) -> bool:
        """Whether items are read, by their names and places, for nothing but their parts, or compared with another."""
        for x in self.named:
            for n in x.reads:
                up = self.parents.get(id(n))
                known = is_part(up) and up.value is n and self.is_known_part(up)  # type: ignore[union-attr]
                if not known and not self.is_compared(up) and not self.is_lent(n, items=False):
                    return False
        for use in uses:
            up = self.parents.get(id(use))
            holder = self.parents.get(id(up))
            if isinstance(up, ast.Subscript) and is_part(holder) and not self.is_known_part(holder):
                return False
        return True

    def is_known_part(self, part: ast.AST | None) -> bool:
        match part:
            case ast.Attribute(attr=attr):
                return f".{attr}" in self.parts
            case ast.Subscript(slice=ast.Constant(value=key)):
                return key in self.parts
        return False

    def is_compared(self, e: ast.AST | None) -> bool:
        """`p is q`, of two loops over the list: that of their places."""
        match e:
            case ast.Compare(left=ast.Name(id=a), ops=[ast.Is() | ast.IsNot()], comparators=[ast.Name(id=b)]):
                loops = {x.name for x in self.named if not isinstance(x.node, ast.Assign)}
                return {a, b} <= loops and {a, b}.isdisjoint(
                    x.name for x in self.named if isinstance(x.node, ast.Assign)
                )
        return False

    def is_written(self) -> bool:
        """Whether a part of an item is bound anew, or written into."""
        names = {x.name for x in self.named}
        return any(
            isinstance(n, ast.Attribute | ast.Subscript)
            and not isinstance(n.ctx, ast.Load)
            and not isinstance(n.value, ast.Name if isinstance(n, ast.Subscript) and not is_part(n) else ())
            and (root_of(n) in names or any(self.is_list(x) for x in walk(n)))
            for n in self.nodes
        )

    # ------------------------------------------------------------ writing

    def construct(self) -> None:
        """`Body(x)` as an object of the attributes that its constructor makes."""
        if self.anew:
            _Construct(self.anew).generic_visit(self.function)

    def exchange(self) -> None:
        taken = {n.id for n in self.nodes if isinstance(n, ast.Name)} | {p.arg for p in parameters(self.function)}
        keys: dict[int, str] = {}
        for x in self.named:
            key = x.key
            if key is None:
                used = {*keys.values()}
                around = {keys[id(y.node)] for y in self.named if id(y.node) in keys and are_nested(x, y)}
                wishes = [*(i for i in INDICES if i not in used), *INDICES, *(f"i{k}" for k in range(1, 99))]
                keys[id(x.node)] = next(i for i in wishes if i not in taken | around)
                key = made(ast.Name(keys[id(x.node)], ast.Load()), target_of(x.node))
            for n in x.reads:
                up = self.parents[id(n)]
                if isinstance(up, ast.Compare):
                    up.ops = [PLACES.get(type(o), type(o))() for o in up.ops]
                    put(up, n, made(copy.deepcopy(key), n))
                else:
                    put(up, n, self.place(key, n))
            if x.over is not None:
                it, target = x.over
                length = made(ast.Call(made(ast.Name("len", ast.Load()), it), [self.whole(it)], []), it)
                places = made(ast.Call(made(ast.Name("range", ast.Load()), it), [length], []), it)
                put(self.parents[id(it)], it, places)
                assert isinstance(key, ast.Name)
                put(self.parents[id(target)], target, made(ast.Name(key.id, ast.Store()), target))
        gone = {id(x.node) for x in self.named if isinstance(x.node, ast.Assign)}
        for block in every_block(self.function.body):
            if any(id(s) in gone for s in block):
                block[:] = [s for s in block if id(s) not in gone] or [made(ast.Pass(), block[0])]

    def whole(self, like: ast.AST) -> ast.expr:
        e: ast.expr = made(ast.Name(self.path[0], ast.Load()), like)
        for attr in self.path[1:]:
            e = made(ast.Attribute(e, attr, ast.Load()), like)
        return e

    def place(self, key: ast.expr, like: ast.AST) -> ast.expr:
        return made(ast.Subscript(self.whole(like), made(copy.deepcopy(key), like), ast.Load()), like)


def sides_of(e: ast.expr) -> list[ast.expr]:
    """What an expression may be: `Body(x) if near else Body(2.0 * x)`."""
    return [*sides_of(e.body), *sides_of(e.orelse)] if isinstance(e, ast.IfExp) else [e]


class _Construct(ast.NodeTransformer):
    def __init__(self, anew: dict[int, ast.Call]) -> None:
        self.anew = anew

    def visit_Call(self, node: ast.Call) -> ast.expr:
        return self.anew.get(id(node)) or cast("ast.expr", self.generic_visit(node))


def attributes(call: ast.Call, init: ast.FunctionDef, taken: AbstractSet[str]) -> dict[str, ast.expr] | None:
    """What a constructor that is a row of `self.x = e` makes of its arguments; None for any other.

    taken: the names of the function of the call: in the constructor, they would mean something else.
    """
    if init.args.vararg or init.args.kwarg or init.decorator_list or any(k.arg is None for k in call.keywords):
        return None
    if any(isinstance(a, ast.Starred) for a in call.args):
        return None
    own, *params = [p.arg for p in parameters(init)]
    given = dict(zip(params, call.args, strict=False)) | {str(k.arg): k.value for k in call.keywords}
    normal = [*init.args.posonlyargs, *init.args.args]
    defaults = [
        *zip(normal[len(normal) - len(init.args.defaults) :], init.args.defaults, strict=True),
        *zip(init.args.kwonlyargs, init.args.kw_defaults, strict=True),
    ]
    for p, d in defaults:
        if d is not None and is_fixed(d):
            given.setdefault(p.arg, d)
    if given.keys() != {*params} or len(call.args) > len(params):
        return None
    values: dict[str, ast.expr] = {}
    for s in init.body:
        match s:
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                continue
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=of), attr=attr)], value=ast.expr() as value) | (
                ast.AnnAssign(target=ast.Attribute(value=ast.Name(id=of), attr=attr), value=ast.expr() as value)
            ) if of == own and attr not in values:
                values[attr] = value
            case _:
                return None
    inside = [n for v in values.values() for n in walk(v)]
    if any(isinstance(n, (ast.NamedExpr, *COMPREHENSIONS, *SCOPES)) for n in inside):
        return None
    read = Counter(n.id for n in inside if isinstance(n, ast.Name))
    if own in read or (read.keys() - given.keys()) & taken:
        return None
    if any(read[p] != 1 and not isinstance(e, ast.Name | ast.Constant) for p, e in given.items()):
        return None
    return {attr: Exchanged(given).visit(copy.deepcopy(v)) for attr, v in values.items()}


def namespace(values: Mapping[str, ast.expr], like: ast.expr) -> ast.Call:
    """An object that has these attributes, and is of no class."""
    func = made(ast.Name(NAMESPACE, ast.Load()), like)
    return made(ast.Call(func, [], [ast.keyword(n, v) for n, v in values.items()]), like)


def maker_of(cls: ClassInfo, names: ModuleNames) -> tuple[str, list[str]] | None:
    """A function that makes an object of the attributes that a constructor makes, and their names.

    def __init__(self, r):                  def _new_circle(r):
        self.r = r                              area = np.pi * r**2
        self.area = np.pi * self.r**2           return SimpleNamespace(r=r, area=area)

    None for a constructor that asks more of the object than attributes which it has given it before.
    """
    assert cls.init is not None
    key = ("new", cls.name)
    text = maker_text(cls.init)
    if text is None:
        return None
    node, parts = text
    if key not in names.keys:
        node.name = names.keys[key] = names.new_name(f"_new_{cls.name.lower()}")
        doc = f"What an object of {cls.name} holds when it is made."
        names.add(node.name, Made(node, {}, names.notes_of(cls.key("__init__")), doc))
    return names.keys[key], parts


def maker_text(init: ast.FunctionDef) -> tuple[ast.FunctionDef, list[str]] | None:
    a = init.args
    positional = [*a.posonlyargs, *a.args]
    if a.vararg or a.kwarg or a.posonlyargs or init.decorator_list or not positional:
        return None
    own = positional[0].arg
    body = [copy.deepcopy(s) for s in init.body if not is_docstring(s)]
    nodes = [n for s in body for n in walk(s)]
    parents = {id(c): n for n in nodes for c in children(n)}
    if any(isinstance(n, (ast.Return, ast.NamedExpr, ast.Global, ast.Nonlocal, *SCOPES)) for n in nodes):
        return None
    parts: dict[str, str] = {}
    for s in body:  # those that it surely has in the end
        match s:
            case (
                ast.Assign(targets=[ast.Attribute(value=ast.Name(id=of), attr=attr)])
                | ast.AnnAssign(target=ast.Attribute(value=ast.Name(id=of), attr=attr), value=ast.expr())
            ) if of == own:
                parts.setdefault(attr, "")
    reads = [n for n in nodes if isinstance(n, ast.Name) and n.id == own]
    ups = [parents.get(id(n)) for n in reads]
    if not all(isinstance(up, ast.Attribute) and up.attr in parts for up in ups):
        return None
    stores = Counter(up.attr for up in ups if isinstance(up, ast.Attribute) and not isinstance(up.ctx, ast.Load))
    given = {p.arg for p in (*positional[1:], *a.kwonlyargs)} - bound_names(nodes)
    taken = {n.id for n in nodes if isinstance(n, ast.Name)} | {p.arg for p in parameters(init)}
    kept: list[ast.stmt] = []
    for s in body:
        match s:
            case (
                ast.Assign(targets=[ast.Attribute(value=ast.Name(id=of), attr=attr)], value=ast.Name(id=name))
                | ast.AnnAssign(target=ast.Attribute(value=ast.Name(id=of), attr=attr), value=ast.Name(id=name))
            ) if of == own and stores[attr] == 1 and name in given:
                parts[attr] = name
            case _:
                kept.append(s)
    for attr, name in parts.items():
        parts[attr] = name or new_name(taken, attr)
    for up in ups:
        assert isinstance(up, ast.Attribute)
        put(parents[id(up)], up, made(ast.Name(parts[up.attr], up.ctx), up))
    for s in kept:
        if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name):
            s.simple = 1
    if not parts:
        return None
    values = {attr: made(ast.Name(n, ast.Load()), init.body[-1]) for attr, n in parts.items()}
    end = ast.copy_location(ast.Return(namespace(values, next(iter(values.values())))), init.body[-1])
    args = ast.arguments([], a.args[1:], None, a.kwonlyargs, a.kw_defaults, None, a.defaults)
    return ast.copy_location(ast.FunctionDef("", args, [*kept, end], [], None), init), list(parts)


def only_reads(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str, items: bool) -> bool:
    """Whether a function reads nothing but parts of a parameter, or of the items of one that is a list."""
    nodes = [n for s in function.body for n in walk(s)]
    if function.decorator_list or any(isinstance(n, SCOPES) for n in nodes):
        return False
    parents = {id(c): n for n in nodes for c in children(n)}
    named = {name} if not items else set[str]()  # of the object, or of items
    for n in nodes:
        if not items or not isinstance(n, ast.Name) or n.id != name:
            continue
        up = parents.get(id(n))
        loop = parents.get(id(up))
        match up, loop:
            case ast.Call(func=ast.Name(id="len")), _:
                pass
            case (
                (ast.For(target=ast.Name(id=item), iter=it) | ast.comprehension(target=ast.Name(id=item), iter=it)),
                _,
            ) if it is n:
                named.add(item)
            case ast.Call(func=ast.Name(id="enumerate"), args=[_], keywords=[]), (
                ast.For(target=ast.Tuple(elts=[ast.Name(), ast.Name(id=item)]), iter=it)
                | ast.comprehension(target=ast.Tuple(elts=[ast.Name(), ast.Name(id=item)]), iter=it)
            ) if it is up:
                named.add(item)
            case ast.Subscript(value=value, slice=key), ast.Assign(targets=[ast.Name(id=item)]) if (
                value is n and is_place(key)
            ):
                named.add(item)
            case ast.Subscript(value=value, slice=key) as item, _ if value is n and is_place(key):
                if not reads_part(item, parents):
                    return False
            case _:
                return False
    reads = [n for n in nodes if isinstance(n, ast.Name) and n.id in named and is_read(n)]
    return not (items and name in named) and all(reads_part(n, parents) for n in reads)


def reads_part(e: ast.Name | ast.Subscript, parents: dict[int, ast.AST]) -> bool:
    """Whether nothing but a part of an object is read here; a method of it may do anything."""
    up = parents.get(id(e))
    called = parents.get(id(up))
    loaded = isinstance(e.ctx, ast.Load) and is_part(up) and isinstance(up.ctx, ast.Load)  # type: ignore[union-attr]
    return loaded and not (isinstance(called, ast.Call) and called.func is up)


def are_nested(a: _Named, b: _Named) -> bool:
    return any(n is a.node for n in b.inside) or any(n is b.node for n in a.inside)


def read_by(key: ast.expr | None) -> set[str]:
    return {n.id for n in walk(key) if isinstance(n, ast.Name)} if key is not None else set()


def is_place(key: ast.expr) -> bool:
    """A key whose value is that of its text, as long as its names are bound to the same."""
    allowed = (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context)
    return all(isinstance(n, allowed) for n in walk(key)) and not isinstance(getattr(key, "value", None), str)


def is_name(e: ast.expr, name: str) -> bool:
    return isinstance(e, ast.Name) and e.id == name


def target_of(node: ast.AST) -> ast.expr:
    return node.targets[0] if isinstance(node, ast.Assign) else node.target  # type: ignore[attr-defined]


def name_once(named: list[_Named]) -> bool:
    """Whether each reading belongs to one name of an item."""
    reads = [id(n) for x in named for n in x.reads]
    return len(reads) == len(set(reads))
