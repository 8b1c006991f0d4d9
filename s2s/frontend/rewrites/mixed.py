"""Lists of objects that the function makes, of several classes or changed one by one: each object gets a name.

    layers = [Dense(W), ReLU()]         layers_0 = Dense(W)
                                        layers_1 = ReLU()
    for layer in layers:                x = layers_0.forward(x)
        x = layer.forward(x)            x = layers_1.forward(x)
    len(layers), layers[-1]             2, layers_1

What a call of a method means is then known for each of them. A list of objects of one class that nothing changes stays
a list, and its loops stay loops.
"""

from __future__ import annotations

import ast
import copy
import operator
from collections.abc import Callable, Collection, Iterator, Mapping
from collections.abc import Sequence as List
from itertools import pairwise
from typing import TypeGuard

from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.function_bodies import copied_body
from s2s.frontend.text.names import MUTATING_METHODS
from s2s.frontend.text.scopes import (
    blocks_of,
    body_nodes,
    bound_names,
    children,
    every_block,
    parameters,
    read_names,
    walk,
)
from s2s.frontend.text.source import NOTHING, Note, expression, made

LONGEST = 16  # lists of more objects stay lists
NESTED = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda


def write_out(function: ast.FunctionDef, classes: Mapping[str, ClassInfo], notes: dict[int, Note]) -> bool:
    """Changes the body of a function; notes: what the comments of its statements say. Whether there was a list."""
    if not classes:
        return False
    done = False
    joined(function, classes)
    plain_loops(function, classes)
    taken = {n.id for n in walk(function) if isinstance(n, ast.Name)} | {p.arg for p in parameters(function)}
    while (found := first_list(function, classes)) is not None:
        statement, key, items = found
        names: list[str] = []
        for i, item in enumerate(items):
            if isinstance(item, ast.Name):
                names.append(item.id)
                continue
            wish = f"{key.replace('.', '_')}_{i}"
            while wish in taken:
                wish += "_"
            taken.add(wish)
            names.append(wish)
        function.body[:] = _Apart(statement, key, items, names, notes).block(function.body)
        ast.fix_missing_locations(function)
        done = True
    return decided(function, classes) or done


def joined(function: ast.FunctionDef, classes: Mapping[str, ClassInfo]) -> None:
    """Lists of new objects that are written in other ways, as one assignment to a name:

    `layers = [...]; net.layers = layers`, what a constructor does with its argument; `layers = []` and the calls of
    `append` that follow; and `for layer in [...]`.
    """
    names = [n.id for n in walk(function) if isinstance(n, ast.Name)]

    def is_new(e: ast.expr) -> bool:
        return isinstance(e, ast.Call) and isinstance(e.func, ast.Name) and e.func.id in classes

    objects = {
        n for s in body_nodes(function) if isinstance(s, ast.Assign) and is_new(s.value) for n in single_names(s)
    }

    def makes(*items: ast.expr) -> bool:
        return any(is_new(e) or (isinstance(e, ast.Name) and e.id in objects) for e in items)

    for block in every_block(function.body):
        for s in list(block):
            match s:
                case ast.For(target=ast.Name(id=name), iter=ast.List(elts=items) | ast.Tuple(elts=items)) if (
                    makes(*items)
                    and (
                        len({ast.unparse(e.func) for e in items if isinstance(e, ast.Call)}) > 1
                        or all(isinstance(e, ast.Name) for e in items)
                    )
                    and f"{name}s" not in names
                ):
                    first = made(ast.Assign([made(ast.Name(f"{name}s", ast.Store()), s.iter)], s.iter), s.iter)
                    s.iter = made(ast.Name(f"{name}s", ast.Load()), s.iter)
                    block.insert(block.index(s), first)
                    names.append(f"{name}s")
        for s, t in pairwise(list(block)):
            match s, t:
                case (
                    ast.Assign(targets=[ast.Name(id=name)], value=ast.List() | ast.Tuple() as display),
                    ast.Assign(targets=[ast.Attribute()], value=ast.Name(id=other)),
                ) if name == other and names.count(name) == 2 and makes(*display.elts):
                    t.value = display
                    block.remove(s)
        last: ast.Assign | None = None
        for s in list(block):
            match s:
                case ast.Assign(targets=[ast.Name() | ast.Attribute()], value=ast.List()):
                    last = s
                    continue
                case ast.Expr(
                    value=ast.Call(func=ast.Attribute(value=array, attr="append"), args=[item], keywords=[])
                ) if last is not None and makes(item) and chain(array) == chain(last.targets[0]) != "":
                    assert isinstance(last.value, ast.List)
                    if chain(array).partition(".")[0] not in read_names(item):
                        last.value.elts.append(item)
                        block.remove(last)
                        block[block.index(s)] = last
                        continue
            if last is not None and read_names(s) & read_names(last):  # the list is made behind it
                last = None


def plain_loops(function: ast.FunctionDef, classes: Mapping[str, ClassInfo]) -> None:
    """Other loops over lists of new objects as loops that are known, and other names of such lists as the lists:

    for law, w in zip(laws, ws):    assert len(ws) >= 3
        ...                         for j, law in enumerate(laws):
                                        w = ws[j]
    for i in range(len(laws)):      for i, law in enumerate(laws):
        laws[i].apply(x)                law.apply(x)
    first, second = laws            first = laws[0]; second = laws[1]
    """
    counts: dict[str, int] = {}
    values: dict[str, ast.expr] = {}
    for n in body_nodes(function):
        if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load):
            counts[n.id] = counts.get(n.id, 0) + 1
        if isinstance(n, ast.Assign):
            values |= dict.fromkeys(single_names(n), n.value)
    given = {p.arg for p in parameters(function)}

    def length(name: str) -> int:
        match values.get(name):
            case ast.List(elts=items) | ast.Tuple(elts=items) if counts.get(name) == 1 and name not in given:
                every = [values.get(i.id) if isinstance(i, ast.Name) and counts.get(i.id) == 1 else i for i in items]
                made_of = [e.func.id for e in every if isinstance(e, ast.Call) and isinstance(e.func, ast.Name)]
                if len(made_of) < len(items) or not {*made_of} <= classes.keys():
                    return 0
                apart = len({*made_of}) > 1 or any(changes_itself(classes[c]) for c in made_of)
                return len(items) if apart else 0
        return 0

    lists = {name: k for name in values if (k := length(name))}
    if not lists:
        return
    taken = {n.id for n in walk(function) if isinstance(n, ast.Name)} | given

    def free(wish: str) -> str:
        while wish in taken:
            wish += "_"
        taken.add(wish)
        return wish

    second = {
        n: v.id
        for n, v in values.items()
        if isinstance(v, ast.Name) and v.id in lists and counts[n] == 1 and n not in given
    }
    for n in walk(function) if second else ():
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and n.id in second:
            n.id = second[n.id]
    for block in every_block(function.body):
        block[:] = [x for s in block for x in plain(s, lists, second, free)]


def plain(s: ast.stmt, lists: dict[str, int], second: dict[str, str], free: Callable[[str], str]) -> list[ast.stmt]:
    """One statement of `plain_loops`."""

    def read(text: str) -> ast.expr:
        return expression(text, s)

    match s:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name()) if name in second:
            return []
        case ast.Assign(targets=[ast.Tuple(elts=elts)], value=ast.Name(id=name)) if lists.get(name) == len(
            elts
        ) and all(isinstance(t, ast.Name) for t in elts):
            return [made(ast.Assign([t], read(f"{name}[{i}]")), s) for i, t in enumerate(elts)]
        case ast.For(
            target=ast.Tuple(elts=elts), iter=ast.Call(func=ast.Name(id="zip"), args=args, keywords=options)
        ) if len(elts) == len(args) and all(k.arg == "strict" for k in options):
            at = next((i for i, a in enumerate(args) if isinstance(a, ast.Name) and a.id in lists), None)
            if at is None or not all(isinstance(a, ast.Name | ast.Attribute) or is_row_of_numbers(a) for a in args):
                return [s]
            first = args[at]
            assert isinstance(first, ast.Name)
            j = free("j")
            others = [(t, a) for i, (t, a) in enumerate(zip(elts, args, strict=True)) if i != at]
            bound = [made(ast.Assign([t], read(f"{ast.unparse(a)}[{j}]")), s) for t, a in others]
            s.target = made(ast.Tuple([made(ast.Name(j, ast.Store()), s), elts[at]], ast.Store()), s)
            s.iter, s.body = read(f"enumerate({first.id})"), [*bound, *s.body]
            same = "==" if any(not isinstance(k.value, ast.Constant) or k.value.value for k in options) else ">="
            shown = [a for _, a in others if isinstance(a, ast.List | ast.Tuple) and len(a.elts) == lists[first.id]]
            sizes = [read(f"len({ast.unparse(a)}) {same} {lists[first.id]}") for _, a in others if a not in shown]
            return [*(made(ast.Assert(e), s) for e in sizes), s]
        case ast.For(
            target=ast.Name(id=index),
            iter=ast.Call(
                func=ast.Name(id="range"),
                args=[ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)])],
                keywords=[],
            ),
        ) if name in lists:
            nodes = [n for x in s.body for n in walk(x)]
            items = [n for n in nodes if isinstance(n, ast.Subscript) and chain(n.value) == name]
            places = [n for n in items if isinstance(n.slice, ast.Name) and n.slice.id == index]
            rebound = any(isinstance(n, ast.Name) and n.id == index and not isinstance(n.ctx, ast.Load) for n in nodes)
            if rebound or len(places) < len(items) or any(not isinstance(n.ctx, ast.Load) for n in places):
                return [s]
            item = free(f"{name}_item")
            for x in s.body:
                _Places(set(map(id, places)), item).visit(x)
            names = [made(ast.Name(n, ast.Store()), s) for n in (index, item)]
            s.target = made(ast.Tuple([*names], ast.Store()), s)
            s.iter = read(f"enumerate({name})")
        case ast.For(
            target=ast.Tuple(elts=[ast.Name() as index_, item_]),
            iter=ast.Call(func=ast.Name(id="enumerate"), args=[ast.Name(id=name), *start], keywords=options),
        ) if name in lists and len(start) + len(options) == 1:
            j = free("j")
            offset = start[0] if start else options[0].value
            count = made(ast.BinOp(read(j), ast.Add(), offset), s)
            s.body.insert(0, made(ast.Assign([index_], count), s))
            s.target = made(ast.Tuple([made(ast.Name(j, ast.Store()), s), item_], ast.Store()), s)
            s.iter = read(f"enumerate({name})")
    return [s]


def is_row_of_numbers(e: ast.expr) -> bool:
    """Whether numbers, or texts, are written out in a row: `[0, -1]`."""
    return isinstance(e, ast.List | ast.Tuple) and all(map(is_literal, e.elts))


def is_literal(e: ast.expr) -> bool:
    return isinstance(e.operand if isinstance(e, ast.UnaryOp) else e, ast.Constant)


class _Places(ast.NodeTransformer):
    """Subscripts as the variable that holds the item."""

    def __init__(self, places: set[int], item: str) -> None:
        self.places, self.item = places, item

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        return made(ast.Name(self.item, ast.Load()), node) if id(node) in self.places else node


def decided(function: ast.FunctionDef, classes: Mapping[str, ClassInfo]) -> bool:
    """Puts in what `isinstance` says of objects that the function makes. Whether there was one."""
    kinds: dict[str, str] = {}
    given = {p.arg for p in parameters(function)}
    for n in body_nodes(function):
        match n:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=cls))) if cls in classes:
                kinds[name] = cls
    stores = [n.id for n in body_nodes(function) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)]
    asked = _Asked({n: c for n, c in kinds.items() if stores.count(n) == 1 and n not in given}, classes)
    function.body[:] = [asked.visit(s) for s in function.body]
    if asked.done:
        function.body[:] = folded(function.body)
    return asked.done


class _Asked(ast.NodeTransformer):
    """isinstance(layer, Dense) of an object whose class is known."""

    def __init__(self, kinds: Mapping[str, str], classes: Mapping[str, ClassInfo]) -> None:
        self.kinds, self.classes, self.done = kinds, classes, False

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), kind]) if name in self.kinds:
                kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
                wanted = [k.id for k in kinds if isinstance(k, ast.Name) and k.id in self.classes]
                if len(wanted) == len(kinds):
                    self.done = True
                    return made(ast.Constant(bool(bases(self.kinds[name], self.classes) & {*wanted})), node)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """a is b, of two objects that the function makes."""
        self.generic_visit(node)
        match node:
            case ast.Compare(left=ast.Name(id=a), ops=[ast.Is() | ast.IsNot() as op], comparators=[ast.Name(id=b)]) if (
                a in self.kinds and b in self.kinds
            ):
                self.done = True
                return made(ast.Constant((a == b) is isinstance(op, ast.Is)), node)
        return node


def bases(cls: str, classes: Mapping[str, ClassInfo]) -> set[str]:
    """A class of the module and those that it inherits from."""
    found = {cls}
    for b in classes[cls].node.bases:
        if isinstance(b, ast.Name) and b.id in classes and b.id != cls:
            found |= bases(b.id, classes)
    return found


def first_list(
    function: ast.FunctionDef, classes: Mapping[str, ClassInfo]
) -> tuple[ast.Assign, str, list[ast.expr]] | None:
    """The statement that makes such a list, the text of its name, and its items."""
    nodes = body_nodes(function)
    given = {p.arg for p in parameters(function)}
    local = bound_names(nodes) | given
    once = {n: s.value for s in nodes if isinstance(s, ast.Assign) for n in single_names(s)}
    counts: dict[str, int] = {}
    for n in nodes:
        if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load):
            counts[n.id] = counts.get(n.id, 0) + 1

    def class_of(e: ast.expr | None) -> ClassInfo | None:
        match e:
            case ast.Call(func=ast.Name(id=name)) if name in classes and name not in local:
                return classes[name] if classes[name].is_known else None
            case ast.Name(id=name) if counts.get(name) == 1 and name not in given and name in once:
                value = once[name]
                return class_of(value) if isinstance(value, ast.Call) else None
        return None

    def at_top(e: ast.expr) -> bool:
        top = {n for s in function.body if isinstance(s, ast.Assign) for n in single_names(s)}
        return isinstance(e, ast.Name) and e.id in top

    for s in nodes:
        match s:
            case ast.Assign(targets=[target], value=ast.List(elts=items) | ast.Tuple(elts=items)) if (
                0 < len(items) <= LONGEST and (key := chain(target)) and key.partition(".")[0] not in given
            ):
                if isinstance(target, ast.Attribute) and class_of(ast.Name(key.partition(".")[0])) is None:
                    continue  # it may be the caller's object
                if not all(isinstance(i, ast.Call) or (s in function.body and at_top(i)) for i in items):
                    continue  # a loop may bind the name anew
                made_of = [class_of(i) for i in items]
                if all(made_of) and stands_alone(function, target, key, classes):
                    kinds = [c for c in made_of if c is not None]
                    named = all(isinstance(i, ast.Name) for i in items)
                    if (
                        len({c.name for c in kinds}) > 1
                        or named
                        or any(map(changes_itself, kinds))
                        or stores(nodes, key)
                    ):
                        return s, key, items
    return None


def single_names(s: ast.Assign) -> list[str]:
    return [t.id for t in s.targets if isinstance(t, ast.Name)] if len(s.targets) == 1 else []


def chain(e: ast.expr) -> str:
    """`net.layers` as text; "" for what is no name or attribute of one."""
    match e:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attr):
            base = chain(value)
            return f"{base}.{attr}" if base else ""
    return ""


def changes_itself(cls: ClassInfo) -> bool:
    """Whether a method, other than the constructor, assigns to attributes, or puts something into one."""
    return any(
        (isinstance(n, ast.Attribute | ast.Subscript) and isinstance(n.ctx, ast.Store))
        or (isinstance(n, ast.Attribute) and n.attr in MUTATING_METHODS and isinstance(n.value, ast.Attribute))
        for name, method in cls.methods.items()
        if name not in ("__init__", "__post_init__")
        for n in walk(method)
    )


def stores(nodes: List[ast.AST], key: str) -> bool:
    """Whether a loop over the list, or a subscript of it, assigns to attributes of an item."""
    items = {t for n in nodes if isinstance(n, ast.For) and (t := item_of(n, key))}
    for n in nodes:
        match n:
            case ast.Attribute(value=ast.Name(id=name), ctx=ast.Store()) if name in items:
                return True
            case ast.Attribute(value=ast.Subscript(value=value), ctx=ast.Store()) if chain(value) == key:
                return True
    return False


def over(it: ast.expr, key: str) -> str:
    """How a loop runs over the list: "" where it does not."""
    match it:
        case ast.Call(func=ast.Name(id="reversed" | "enumerate" as how), args=[inner], keywords=[]):
            return how if chain(inner) == key else ""
    return "each" if chain(it) == key else ""


def item_of(loop: ast.For | ast.comprehension, key: str) -> str:
    """The variable that is an item in a loop over the list."""
    match over(loop.iter, key), loop.target:
        case (("each" | "reversed"), ast.Name(id=name)):
            return name
        case "enumerate", ast.Tuple(elts=[ast.Name(), ast.Name(id=name)]):
            return name
    return ""


def is_written_loop(loop: ast.stmt, key: str) -> bool:
    """Whether a loop over the list can be written out: it is left by nothing but a return, and its variables are its
    own."""
    if not isinstance(loop, ast.For) or loop.orelse or not item_of(loop, key):
        return False
    inside = [n for s in loop.body for n in walk(s)]
    own = read_names(loop.target)
    rebound = {n.id for n in inside if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    return not own & rebound and not any(isinstance(n, NESTED) for n in inside) and not leaves(without_tails(loop.body))


def without_tails(body: List[ast.stmt]) -> list[ast.stmt]:
    """The statements without the `break` of `if test: ...; break`, behind which the rest is the other branch."""
    return [x for s in body for x in (s.body[:-1] if is_tail(s) else [s])]


def is_tail(s: ast.stmt) -> TypeGuard[ast.If]:
    return isinstance(s, ast.If) and not s.orelse and isinstance(s.body[-1], ast.Break)


def in_turn(iterations: List[list[ast.stmt]]) -> list[ast.stmt]:
    """The iterations of a loop one after the other, those behind a `break` in its other branch."""
    if not iterations:
        return []
    body, rest = iterations[0], in_turn(iterations[1:])
    for i, s in reversed(list(enumerate(body))):
        if is_tail(s):
            s.body[-1:] = [] if len(s.body) > 1 else [ast.copy_location(ast.Pass(), s)]
            s.orelse, rest, body = [*body[i + 1 :], *rest], [], body[: i + 1]
    return [*body, *rest]


def leaves(body: List[ast.stmt]) -> bool:
    """Whether a break or continue of this loop stands in its body."""
    for s in body:
        if isinstance(s, ast.Break | ast.Continue):
            return True
        if not isinstance(s, ast.For | ast.While) and any(leaves(b) for b in blocks_of(s)):
            return True
    return False


def is_place(e: ast.AST, key: str) -> bool:
    match e:
        case ast.Subscript(value=value, slice=ast.Constant(value=int()), ctx=ast.Load()) if chain(value) == key:
            return True
        case ast.Subscript(
            value=value, slice=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int())), ctx=ast.Load()
        ) if chain(value) == key:
            return True
    return False


def stands_alone(function: ast.FunctionDef, target: ast.expr, key: str, classes: Mapping[str, ClassInfo]) -> bool:
    """Whether all that is done with the list is known here: it is looped over, measured, and read by its places.

    A method of the object whose attribute it is may do anything with it.
    """
    methods = {m for c in classes.values() for m in (*c.methods, *c.properties)}
    root = key.partition(".")[0]
    free = 0  # what is left of the list's name when all that is known is taken away
    loops: set[str] = set()

    def visit(n: ast.AST) -> Iterator[ast.AST]:
        """The nodes that mention the list, without those of known uses."""
        match n:
            case ast.For() if is_written_loop(n, key):
                loops.update(read_names(n.target))
                for s in n.body:
                    yield from visit(s)
                return
            case ast.Call(func=ast.Name(id="len"), args=[arg], keywords=[]) if chain(arg) == key:
                return
            case ast.Subscript() if is_place(n, key):
                return
            case ast.Name() | ast.Attribute() if chain(n) == key:
                yield n
                return
            case ast.ListComp(elt=elt, generators=[g]) | ast.GeneratorExp(elt=elt, generators=[g]) if (
                is_written_comprehension(g, elt, key)
            ):
                yield from visit(elt)
                return
            case ast.Name(id=name) if name == root and root != key:
                yield n  # the object as a whole
                return
            case ast.Attribute(value=value, attr=attr) if root != key and chain(n):
                if attr in methods and f"{key}.".startswith(f"{chain(value)}."):
                    yield n
                    return
                if not f"{chain(n)}.".startswith(f"{key}.") and not f"{key}.".startswith(f"{chain(n)}."):
                    return  # another attribute
                yield from visit(value)
                return
        for c in children(n):
            yield from visit(c)

    for s in function.body:
        for n in visit(s):
            if n is not target and not (root != key and is_made(function, n)):
                free += 1
    if free:
        return False
    outside = [n for s in function.body for n in outside_of_loops(s, key)]
    return not any(isinstance(n, ast.Name) and n.id in loops for n in outside) and not any(
        isinstance(n, NESTED) and root in read_names(n) for n in body_nodes(function)
    )


def is_made(function: ast.FunctionDef, n: ast.AST) -> bool:
    """Whether a name stands where the object itself is made: `net = Net()`."""
    return isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)


def outside_of_loops(s: ast.AST, key: str) -> Iterator[ast.AST]:
    """The nodes that stand in no loop over the list."""
    match s:
        case ast.For() if is_written_loop(s, key):
            return
        case ast.ListComp(elt=elt, generators=[g]) | ast.GeneratorExp(elt=elt, generators=[g]) if (
            is_written_comprehension(g, elt, key)
        ):
            return
    yield s
    for c in children(s):
        yield from outside_of_loops(c, key)


def is_written_comprehension(g: ast.comprehension, elt: ast.expr, key: str) -> bool:
    return (
        over(g.iter, key) == "each"
        and isinstance(g.target, ast.Name)
        and not g.ifs
        and not any(isinstance(n, NESTED | ast.comprehension | ast.NamedExpr) for n in walk(elt))
    )


class _Named(ast.NodeTransformer):
    """The variables of a loop as what they are in one iteration."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        new = self.values.get(node.id)
        return node if new is None else made(copy.copy(new), node)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        before = read_names(node) & self.values.keys() if isinstance(node, ast.expr) else set()
        super().generic_visit(node)
        if before:
            node.made = True  # type: ignore[attr-defined]
        return node


def folded(body: List[ast.stmt]) -> list[ast.stmt]:
    """Statements in which the number of the iteration was put in: tests of it are decided."""
    out: list[ast.stmt] = []
    for s in body:
        _Folded().visit(s)
        for inner in blocks_of(s):
            inner[:] = folded(inner)
            if not inner and inner is getattr(s, "body", None):  # of what never runs, nothing is left
                inner.append(made(ast.Pass(), s))
        if isinstance(s, ast.If) and is_known(s.test):
            out += s.body if s.test.value else s.orelse  # type: ignore[attr-defined]
            continue
        out.append(s)
    return out


def is_known(e: ast.AST) -> bool:
    return isinstance(e, ast.Constant) and isinstance(e.value, int) and getattr(e, "made", False)


OPERATORS: dict[type, Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip


class _Folded(ast.NodeTransformer):
    """Calculations with numbers that the frontend has put in."""

    def visit(self, node: ast.AST) -> ast.AST:
        self.generic_visit(node)
        match node:
            case (
                ast.BinOp(left=ast.Constant(value=int()) as a, op=op, right=ast.Constant(value=int()) as b)
                | ast.Compare(
                    left=ast.Constant(value=int()) as a, ops=[op], comparators=[ast.Constant(value=int()) as b]
                )
            ) if type(op) in OPERATORS and (is_known(a) or is_known(b)):
                assert isinstance(a.value, int) and isinstance(b.value, int)
                return made(ast.Constant(OPERATORS[type(op)](a.value, b.value)), node)
            case ast.Subscript(value=ast.List(elts=elts) | ast.Tuple(elts=elts), slice=ast.Constant() as at) if (
                is_known(at) and all(map(is_literal, elts))
            ):
                assert isinstance(at.value, int)
                return elts[at.value] if at.value < len(elts) else node
            case ast.UnaryOp(op=ast.Not(), operand=ast.Constant() as a) if is_known(a):
                return made(ast.Constant(not a.value), node)
            case ast.IfExp(test=ast.Constant() as test) if is_known(test):
                return node.body if test.value else node.orelse
        return node


class _Apart(ast.NodeTransformer):
    """A function without the list."""

    def __init__(
        self, made_at: ast.Assign, key: str, items: List[ast.expr], names: List[str], notes: dict[int, Note]
    ) -> None:
        self.made_at, self.key, self.items, self.names, self.notes = made_at, key, items, names, notes

    def block(self, body: Collection[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for s in body:
            out += self.statement(s)
        return out

    def statement(self, s: ast.stmt) -> list[ast.stmt]:
        if s is self.made_at:
            out: list[ast.stmt] = []
            for name, item in zip(self.names, self.items, strict=True):
                if isinstance(item, ast.Call):
                    new = made(ast.Assign([made(ast.Name(name, ast.Store()), item)], item), item)
                    if not out:
                        self.notes[id(new)] = self.notes.get(id(s), NOTHING)
                    out.append(new)
            return out
        if isinstance(s, ast.For) and is_written_loop(s, self.key):
            places = list(range(len(self.names)))
            if over(s.iter, self.key) == "reversed":
                places.reverse()
            return in_turn([folded(self.block(self.iteration(s, i))) for i in places])
        for inner in blocks_of(s):
            inner[:] = self.block(inner)
        blocks = {id(x) for inner in blocks_of(s) for x in inner}
        for field, value in ast.iter_fields(s):
            if isinstance(value, ast.expr):
                setattr(s, field, self.visit(value))
            elif isinstance(value, list):
                value[:] = [x if id(x) in blocks else self.visit(x) for x in value]
        return [s]

    def iteration(self, loop: ast.For, i: int) -> list[ast.stmt]:
        values: dict[str, ast.expr] = {item_of(loop, self.key): ast.Name(self.names[i], ast.Load())}
        match loop.target:
            case ast.Tuple(elts=[ast.Name(id=index), _]):
                values[index] = ast.Constant(i)
        return [_Named(values).visit(s) for s in copied_body(loop.body, self.notes)]

    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node:
            case ast.Call(func=ast.Name(id="len"), args=[arg], keywords=[]) if chain(arg) == self.key:
                return made(ast.Constant(len(self.names)), node)
        self.generic_visit(node)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if is_place(node, self.key):
            place = ast.literal_eval(node.slice)
            if -len(self.names) <= place < len(self.names):
                return made(ast.Name(self.names[place], ast.Load()), node)
        self.generic_visit(node)
        return node

    def comprehension(self, node: ast.ListComp | ast.GeneratorExp) -> ast.expr:
        g = node.generators[0]
        if len(node.generators) == 1 and is_written_comprehension(g, node.elt, self.key):
            assert isinstance(g.target, ast.Name)
            elts = [
                self.visit(_Named({g.target.id: ast.Name(n, ast.Load())}).visit(copy.deepcopy(node.elt)))
                for n in self.names
            ]
            return made(ast.List(elts, ast.Load()), node)
        self.generic_visit(node)
        return node

    visit_ListComp = visit_GeneratorExp = comprehension


__all__ = ["write_out"]
