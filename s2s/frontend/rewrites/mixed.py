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
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Sequence as List
from itertools import pairwise

from s2s.frontend.rewrites.objects import is_attribute_only
from s2s.frontend.rewrites.unrolled import LONGEST, Comprehension, Flat, Loop, Round, Unrolling, header, may_wait, parts
from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.literals import folded, is_literal
from s2s.frontend.text.names import MUTATING_METHODS, ModuleNames
from s2s.frontend.text.scopes import (
    SCOPES,
    body_nodes,
    bound_names,
    children,
    every_block,
    is_bound,
    parameters,
    read_names,
    walk,
)
from s2s.frontend.text.source import Note, expression, made, put

BUILTINS = frozenset(["enumerate", "isinstance", "len", "range", "reversed", "type", "zip"])


def write_out(function: ast.FunctionDef, module: ModuleNames, notes: dict[int, Note]) -> bool:
    """Changes the body of a function; notes: what the comments of its statements say. Whether there was a list."""
    if not module.classes or module.hides(BUILTINS):
        return False
    own = bound_names(body_nodes(function)) | {p.arg for p in parameters(function)}
    classes = {name: cls for name, cls in module.classes.items() if name not in own}
    if not classes or own & BUILTINS:
        return False
    done = False
    function.body[:] = [Flat().visit(s) for s in function.body]
    joined(function, classes)
    plain_loops(function, classes)
    while (work := first_list(function, classes, notes)) is not None:
        function.body[:] = work.block(function.body)
        ast.fix_missing_locations(function)
        done = True
    if decided(function, classes) or done:
        function.body[:] = folded([Flat().visit(s) for s in function.body])
        return True
    return False


def joined(function: ast.FunctionDef, classes: Mapping[str, ClassInfo]) -> None:
    """Lists of new objects that are written in other ways, as one assignment to a name:

    `layers = [...]; net.layers = layers`, what a constructor does with its argument; `layers = []` and the calls of
    `append` that follow; `for layer in [...]`, and `for layer, scale in zip([...], scales)`.
    """
    names = [n.id for n in walk(function) if isinstance(n, ast.Name)]

    def is_new(e: ast.expr) -> bool:
        return isinstance(e, ast.Call) and isinstance(e.func, ast.Name) and e.func.id in classes

    fixed = fixed_places(function)
    objects = {
        n
        for s in body_nodes(function)
        if isinstance(s, ast.Assign) and is_new(s.value)
        for n in single_places(s)
        if "." not in n or n in fixed
    }

    def makes(*items: ast.expr) -> bool:
        return any(is_new(e) or chain(e) in objects for e in items)

    def place(block: list[ast.stmt], s: ast.stmt, display: ast.expr) -> tuple[list[ast.stmt], ast.stmt]:
        """Where a display may be made: before all loops, if all that it holds is made before them."""
        top = next(t for t in function.body if any(n is s for n in walk(t)))
        before = function.body[: function.body.index(top)]
        made_before = {n for t in before if isinstance(t, ast.Assign) and is_new(t.value) for n in single_places(t)}
        items = display.elts if isinstance(display, ast.List | ast.Tuple) else []
        early = all(chain(e) in made_before & fixed for e in items)
        return (function.body, top) if early else (block, s)

    for block in every_block(function.body):
        for s in list(block):
            if isinstance(s, ast.For):
                side_by_side(s, makes)
            for name, up, display in displays(s):
                several = len({ast.unparse(e.func) for e in display.elts if isinstance(e, ast.Call)}) > 1
                alike = all(isinstance(e, ast.Name) or chain(e) in fixed for e in display.elts)
                taken = several or alike
                if not isinstance(s, ast.For):  # what is called before it in the statement may bind a name anew
                    taken = all(chain(e) in fixed for e in display.elts)
                if makes(*display.elts) and taken and f"{name}s" not in names:
                    first = made(ast.Assign([made(ast.Name(f"{name}s", ast.Store()), display)], display), display)
                    put(up, display, made(ast.Name(f"{name}s", ast.Load()), display))
                    around, at = place(block, s, display)
                    around.insert(around.index(at), first)
                    names.append(f"{name}s")
        for s, t in pairwise(list(block)):
            match s, t:
                case (
                    ast.Assign(targets=[ast.Name(id=name)], value=ast.List() | ast.Tuple() as display),
                    ast.Assign(targets=[ast.Attribute()], value=ast.Name(id=other)),
                ) if name == other and names.count(name) == 2 and makes(*display.elts):
                    t.value = display
                    block.remove(s)
        begun: dict[str, ast.Assign] = {}  # lists to which nothing but items has been added
        for s in list(block):
            match s:
                case ast.Expr(
                    value=ast.Call(func=ast.Attribute(value=array, attr="append"), args=[item], keywords=[])
                ) if (list_made := begun.get(chain(array))) is not None and makes(item):
                    assert isinstance(list_made.value, ast.List)
                    if chain(array).partition(".")[0] not in read_names(item):
                        list_made.value.elts.append(item)
                        block.remove(list_made)
                        block[block.index(s)] = list_made
                        continue
            # the list is made behind what follows
            begun = {name: t for name, t in begun.items() if may_wait(t, s, classes)}
            match s:
                case ast.Assign(targets=[ast.Name() | ast.Attribute() as target], value=ast.List()) if chain(target):
                    begun[chain(target)] = s


def side_by_side(loop: ast.For, makes: Callable[..., bool]) -> None:
    """`for p, w in ((a, 1.0), (b, -1.0))` as `for p, w in zip((a, b), (1.0, -1.0))`, where one of the columns is one of
    objects. makes: whether there is an object among values."""
    match loop.target, loop.iter:
        case ast.Tuple(elts=targets), (ast.List(elts=rows) | ast.Tuple(elts=rows)):
            pass
        case _:
            return
    parts = [row.elts for row in rows if isinstance(row, ast.Tuple | ast.List) and len(row.elts) == len(targets)]
    if not rows or len(parts) < len(rows) or any(isinstance(e, ast.Starred) for row in parts for e in row):
        return
    columns = [made(ast.Tuple([*column], ast.Load()), loop.iter) for column in zip(*parts, strict=True)]
    calling = [c for c in columns if any(isinstance(n, ast.Call) for n in walk(c))]  # in the order of the text
    if len(calling) < 2 and any(makes(*column.elts) for column in columns):
        loop.iter = made(ast.Call(made(ast.Name("zip", ast.Load()), loop.iter), [*columns], []), loop.iter)


def displays(s: ast.stmt) -> Iterator[tuple[str, ast.AST, ast.List | ast.Tuple]]:
    """The lists that are written out in what a loop, or a comprehension that is evaluated once, runs over: the variable
    for the items, and where the list stands."""
    loops: list[ast.For | ast.comprehension] = [s] if isinstance(s, ast.For) else []
    if isinstance(s, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr | ast.Return | ast.If):
        loops = [n.generators[0] for n in comprehended(s)]
    for loop in loops:
        yield from listed(loop)


def comprehended(s: ast.stmt) -> list[Comprehension]:
    """The outermost comprehensions of a statement, over one thing each: while it is evaluated, names keep what they
    stand for."""

    def outermost(n: ast.AST) -> Iterator[ast.AST]:
        match n:
            case ast.stmt() | ast.ExceptHandler() | ast.match_case() if n is not s:
                return
            case ast.ListComp() | ast.GeneratorExp() | ast.DictComp() | ast.SetComp() | ast.Lambda() | ast.NamedExpr():
                yield n
            case _:
                for c in children(n):
                    yield from outermost(c)

    found = [*outermost(s)]
    if any(isinstance(n, ast.NamedExpr) for e in found for n in walk(e)):
        return []
    kinds = (ast.ListComp, ast.GeneratorExp, ast.DictComp)
    return [n for n in found if isinstance(n, kinds) and len(n.generators) == 1]


def listed(loop: ast.For | ast.comprehension) -> Iterator[tuple[str, ast.AST, ast.List | ast.Tuple]]:
    match loop.target, loop.iter:
        case ast.Name(id=name), (ast.List() | ast.Tuple()) as display:
            yield name, loop, display
        case ast.Tuple(elts=elts), ast.Call(func=ast.Name(id="zip"), args=args) as pairs if len(elts) == len(args):
            for t, a in zip(elts, list(args), strict=True):
                if isinstance(t, ast.Name) and isinstance(a, ast.List | ast.Tuple):
                    yield t.id, pairs, a


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
    nodes = body_nodes(function)
    for n in nodes:
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
                apart = apart or all(map(chain, items)) or stores(nodes, name)
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
    loops = [n for n in walk(function) if isinstance(n, ast.For)]
    inside = {n for s in loops for n in walk(s) if isinstance(n, ast.Name) and n.id in read_names(s.target)}
    inside -= {n for n in inside if is_bound(n)} - {n for s in loops for n in walk(s.target)}
    own = {n.id for n in inside} - {n.id for n in walk(function) if isinstance(n, ast.Name) and n not in inside}
    for block in every_block(function.body):
        block[:] = [x for s in block for x in plain(s, lists, second, own, free)]


def plain(
    s: ast.stmt, lists: dict[str, int], second: dict[str, str], own: set[str], free: Callable[[str], str]
) -> list[ast.stmt]:
    """One statement of `plain_loops`; own: the names that only loops which bind them have."""

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
            beside = {name for t, a in zip(elts, args, strict=True) if a is not first for name in read_names(t)}
            if all(is_row_of_numbers(a) for a in args if a is not first) and beside <= own:
                return [s]  # each round has its numbers
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
    return isinstance(e, ast.List | ast.Tuple) and is_literal(e)


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
        """a is b, of two objects that the function makes, and type(a) is Dense."""
        self.generic_visit(node)
        match node:
            case ast.Compare(left=ast.Name(id=a), ops=[ast.Is() | ast.IsNot() as op], comparators=[ast.Name(id=b)]) if (
                a in self.kinds and b in self.kinds
            ):
                self.done = True
                return made(ast.Constant((a == b) is isinstance(op, ast.Is)), node)
            case ast.Compare(
                left=ast.Call(func=ast.Name(id="type"), args=[ast.Name(id=name)], keywords=[]),
                ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq() as op],
                comparators=[ast.Name(id=cls)],
            ) if name in self.kinds and cls in self.classes:
                self.done = True
                return made(ast.Constant((self.kinds[name] == cls) is isinstance(op, ast.Is | ast.Eq)), node)
        return node


def bases(cls: str, classes: Mapping[str, ClassInfo]) -> set[str]:
    """A class of the module and those that it inherits from."""
    found = {cls}
    for b in classes[cls].node.bases:
        if isinstance(b, ast.Name) and b.id in classes and b.id != cls:
            found |= bases(b.id, classes)
    return found


def first_list(function: ast.FunctionDef, classes: Mapping[str, ClassInfo], notes: dict[int, Note]) -> _Apart | None:
    """The first of these lists."""
    nodes = body_nodes(function)
    given = {p.arg for p in parameters(function)}
    local = bound_names(nodes) | given
    once = {n: s.value for s in nodes if isinstance(s, ast.Assign) for n in single_places(s)}
    fixed = fixed_places(function)

    def class_of(e: ast.expr | None) -> ClassInfo | None:
        match e:
            case ast.Call(func=ast.Name(id=name)) if name in classes and name not in local:
                return classes[name] if classes[name].is_known else None
            case ast.Name() | ast.Attribute() if (place := chain(e)) in once.keys() & fixed:
                value = once[place]
                return class_of(value) if isinstance(value, ast.Call) else None
        return None

    def at_top(e: ast.expr, s: ast.stmt) -> bool:
        before = function.body[: function.body.index(s)]
        return chain(e) in {n for t in before if isinstance(t, ast.Assign) for n in single_places(t)}

    for s in nodes:
        match s:
            case ast.Assign(targets=[target], value=ast.List(elts=items) | ast.Tuple(elts=items)) if (
                0 < len(items) <= LONGEST and (key := chain(target)) and key.partition(".")[0] not in given
            ):
                if isinstance(target, ast.Attribute) and class_of(ast.Name(key.partition(".")[0])) is None:
                    continue  # it may be the caller's object
                if not all(isinstance(i, ast.Call) or (s in function.body and at_top(i, s)) for i in items):
                    continue  # a loop may bind the name anew
                made_of = [class_of(i) for i in items]
                if not all(made_of):
                    continue
                work = _Apart(function, s, key, items, notes)
                if stands_alone(function, target, work, classes):
                    kinds = [c for c in made_of if c is not None]
                    named = all(map(chain, items))
                    if (
                        len({c.name for c in kinds}) > 1
                        or named
                        or any(map(changes_itself, kinds))
                        or stores(nodes, key)
                    ):
                        return work
    return None


def single_names(s: ast.Assign) -> list[str]:
    return [t.id for t in s.targets if isinstance(t, ast.Name)] if len(s.targets) == 1 else []


def single_places(s: ast.Assign) -> list[str]:
    """The name, or the attribute of a name, that is bound."""
    return [chain(t) for t in s.targets if chain(t).count(".") < 2] if len(s.targets) == 1 else []


def fixed_places(function: ast.FunctionDef) -> set[str]:
    """What stands for one object throughout: names that are bound once, and so the attributes, `cell.neg`, of an object
    of which nothing but attributes is read and bound, this one once."""
    nodes = [n for s in function.body for n in walk(s)]
    parents = {id(c): n for n in nodes for c in children(n)}
    names = [n for n in nodes if isinstance(n, ast.Name)]
    bound = Counter([*(n.id for n in names if is_bound(n)), *(p.arg for p in parameters(function))])
    stored = [n for n in nodes if isinstance(n, ast.Attribute) and not isinstance(n.ctx, ast.Load)]
    places = Counter(map(chain, stored))
    whole = {n.id for n in names if not is_attribute_only(n, parents)} | {p.arg for p in parameters(function)}
    found = {name for name, count in bound.items() if count == 1} - {p.arg for p in parameters(function)}
    owners = found - whole
    return found | {
        chain(n) for n in stored if isinstance(n.value, ast.Name) and n.value.id in owners and places[chain(n)] == 1
    }


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
        case ast.Call(func=ast.Name(id="zip"), args=args) if any(chain(a) == key for a in args):
            return "zip" if all(chain(a) == key or is_row_of_numbers(a) for a in args) else ""
    return "each" if chain(it) == key else ""


def item_of(loop: ast.For | ast.comprehension, key: str) -> str:
    """The variable that is an item in a loop over the list."""
    match over(loop.iter, key), loop.target:
        case "zip", ast.Tuple(elts=elts) if all(isinstance(t, ast.Name) for t in elts):
            assert isinstance(loop.iter, ast.Call)
            names = [t.id for t, a in zip(elts, loop.iter.args, strict=False) if chain(a) == key]  # type: ignore[attr-defined]
            return names[0] if len(names) == 1 and len(elts) == len(loop.iter.args) else ""
        case (("each" | "reversed"), ast.Name(id=name)):
            return name
        case "enumerate", ast.Tuple(elts=[ast.Name(), ast.Name(id=name)]):
            return name
    return ""


def is_place(e: ast.AST, key: str) -> bool:
    match e:
        case ast.Subscript(value=value, slice=ast.Constant(value=int()), ctx=ast.Load()) if chain(value) == key:
            return True
        case ast.Subscript(
            value=value, slice=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int())), ctx=ast.Load()
        ) if chain(value) == key:
            return True
    return False


def stands_alone(function: ast.FunctionDef, target: ast.expr, work: _Apart, classes: Mapping[str, ClassInfo]) -> bool:
    """Whether all that is done with the list is known here: it is looped over, measured, and read by its places.

    A method of the object whose attribute it is may do anything with it.
    """
    methods = {m for c in classes.values() for m in (*c.methods, *c.properties)}
    key = work.key
    root = key.partition(".")[0]
    free = 0  # what is left of the list's name when all that is known is taken away

    def visit(n: ast.AST) -> Iterator[ast.AST]:
        """The nodes that mention the list, without those of known uses."""
        match n:
            case ast.For() if work.is_written(n):
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
            case ast.ListComp() | ast.GeneratorExp() | ast.DictComp() if work.is_written(n):
                for e in parts(n):
                    yield from visit(e)
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
    return (
        not free
        and work.keeps_names(function.body)
        and not any(isinstance(n, SCOPES) and root in read_names(n) for n in body_nodes(function))
    )


def is_made(function: ast.FunctionDef, n: ast.AST) -> bool:
    """Whether a name stands where the object itself is made: `net = Net()`."""
    return isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)


class _Apart(Unrolling):
    """A function without the list."""

    def __init__(
        self, function: ast.FunctionDef, made_at: ast.Assign, key: str, items: List[ast.expr], notes: dict[int, Note]
    ) -> None:
        wish = key.replace(".", "_")
        super().__init__(function, made_at, [(f"{wish}_{i}", e) for i, e in enumerate(items)], notes)
        self.key = key

    def rounds(self, loop: Loop) -> List[Round]:
        how, item = over(header(loop).iter, self.key), item_of(header(loop), self.key)
        if how == "zip" and item:
            return self.beside(header(loop))
        found: list[Round] = []
        for i, e in enumerate(self.items if item else ()):
            match header(loop).target:
                case ast.Tuple(elts=[ast.Name(id=index), _]):
                    found.append({index: ast.Constant(i), item: e})
                case _:
                    found.append({item: e})
        return found[::-1] if how == "reversed" else found

    def beside(self, loop: ast.For | ast.comprehension) -> List[Round]:
        """The rounds of `for layer, scale in zip(layers, [1.0, 0.5])`."""
        assert isinstance(loop.iter, ast.Call)
        columns = [a.elts if isinstance(a, ast.List | ast.Tuple) else self.items for a in loop.iter.args]
        if loop.iter.keywords and len({*map(len, columns)}) > 1:
            return []  # it raises
        names = [t.id for t in ast.walk(loop.target) if isinstance(t, ast.Name)]
        return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=False)]

    def visit_Call(self, node: ast.Call) -> ast.expr:
        match node:
            case ast.Call(func=ast.Name(id="len"), args=[arg], keywords=[]) if chain(arg) == self.key:
                return made(ast.Constant(len(self.items)), node)
        self.generic_visit(node)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        if is_place(node, self.key):
            place = ast.literal_eval(node.slice)
            if -len(self.items) <= place < len(self.items):
                return self.item(place, node)
        self.generic_visit(node)
        return node


__all__ = ["write_out"]
