"""Items of lists made anew with other entries, as calls of the constructors of their classes.

    [p._replace(x=p.x + p.v) for p in ps]       [P(x=p.x + p.v, v=p.v) for p in ps]
    replace(p, x=0.0)                           P(x=0.0, v=p.v)

Which class that is, the bindings of the list tell, or the fields that are named: only one class of the module has them.
Then the output asserts it. A list that the caller gives, and to which such a list is bound, starts as a new list, too:

    def f(ps):                                  def f(ps):
        for _ in range(n):                          ps = [P(x=p.x, v=p.v) for p in ps]
            ps = [P(p.x + p.v, p.v) for p in ps]

So does a copy of it to whose name such a list is bound, `qs = list(ps)`, and a list of dicts, under another name.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from s2s import ir
from s2s.frontend.text.bindings import looped
from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.function_bodies import is_docstring
from s2s.frontend.text.scopes import bound_names, children, every_block, new_name, parameters, string_key, walk
from s2s.frontend.text.source import expression, made

if TYPE_CHECKING:
    from s2s.frontend.lowering.normalise import Lowering

DEEPEST = 4  # objects in objects


def write_out(lowering: Lowering) -> bool:
    """Changes the body of a function. Whether there was such a call."""
    if not lowering.known_classes():
        return False
    work = _Remade(lowering)
    for n in work.nodes():
        if isinstance(n, ast.Call) and lowering.replaced(n) is not None:
            work.call(n)
    for old, new in work.anew.items():
        old.func, old.args, old.keywords = new.func, new.args, new.keywords
    if work.anew:
        lowering.forget_bindings()
    first = work.taken_over()
    work.guard()
    at = next((i for i, s in enumerate(lowering.node.body) if not is_start(s)), 0)
    lowering.node.body[at:at] = first
    if not work.made_of:
        return False
    lowering.forget_bindings()
    ast.fix_missing_locations(lowering.node)
    return True


def dicts_taken_over(function: ast.FunctionDef) -> None:
    """Copies of parameters that are lists of dicts, where lists of new dicts of known keys are bound to their names in
    a loop or a branch. The copies have a name of their own; the output asserts which keys the caller's dicts have."""
    args = function.args
    optional = [*args.posonlyargs, *args.args][len(args.posonlyargs) + len(args.args) - len(args.defaults) :]
    nodes = [n for s in function.body for n in walk(s)]
    taken = {n.id for n in nodes if isinstance(n, ast.Name)} | {p.arg for p in parameters(function)}
    at = next((i for i, s in enumerate(function.body) if not is_start(s)), 0)
    for p in parameters(function):
        if p in (*optional, *args.kwonlyargs, args.vararg, args.kwarg):
            continue
        keys = keys_of_new_dicts(p.arg, function.body, nodes)
        if not keys:
            continue
        item, one, own = name_of_item(p.arg, nodes), new_name(taken, "item"), new_name(taken, f"new_{p.arg}")
        for n in nodes:
            if isinstance(n, ast.Name) and n.id == p.arg:
                n.id = own
        first = function.body[at]
        parts = ", ".join(f"{k!r}: {item}[{k!r}]" for k in keys)
        known = ", ".join(map(repr, keys))
        test = expression(f"all({one}.keys() == {{{known}}} for {one} in {p.arg})", first)
        value = expression(f"[{{{parts}}} for {item} in {p.arg}]", first)
        copy = made(ast.Assign([made(ast.Name(own, ast.Store()), first)], value), first)
        function.body[at:at] = [made(ast.Assert(test), first), copy]


def keys_of_new_dicts(name: str, body: list[ast.stmt], nodes: list[ast.AST]) -> list[str]:
    """The keys of the dicts in all lists that are bound to a name, where it is first bound in a loop or a branch, and
    nothing is done with the items but to read them under these keys; else none."""
    values = [n.value for n in nodes if isinstance(n, ast.Assign) and name in bound_names(walk(n))]
    stores = sum(isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load) for n in nodes)
    found: list[list[str]] = []
    for value in values:
        match value:
            case ast.ListComp(elt=ast.Dict(keys=keys)):
                known = [k.value for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, str)]
                if len(known) < len(keys):
                    return []
                found.append(known)
            case _:
                return []
    if not found or stores > len(values) or any({*keys} != {*found[0]} for keys in found):
        return []
    first = next(s for s in body if name in bound_names(walk(s)))
    if not isinstance(first, ast.For | ast.While | ast.If):
        return []
    items = {
        i
        for n in nodes
        if isinstance(n, ast.For | ast.comprehension)
        for i, of in looped(n.target, n.iter)
        if root_of_list(of) == name
    }
    reads = {id(c) for n in nodes if isinstance(n, ast.For | ast.comprehension) for c in walk(n.iter)}
    reads |= {id(n.value) for n in nodes if isinstance(n, ast.Return)}
    reads |= {
        id(a)
        for n in nodes
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "len"
        for a in n.args
    }
    parts = {
        id(n.value)
        for n in nodes
        if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Load) and string_key(n) in found[0]
    }
    for n in nodes:
        if not isinstance(n, ast.Name) or not isinstance(n.ctx, ast.Load):
            continue
        if (n.id == name and id(n) not in reads) or (n.id in items and id(n) not in parts):
            return []
    return found[0] if items else []


def is_start(s: ast.stmt) -> bool:
    return is_docstring(s) or isinstance(s, ast.Assert)


class _Remade:
    def __init__(self, lowering: Lowering) -> None:
        self.lowering = lowering
        self.anew: dict[ast.Call, ast.Call] = {}
        self.around = self.loops_around()
        self.given = lowering.params - lowering.bound  # what the caller gives stands for nothing else
        self.made_of: dict[tuple[str, str], tuple[ClassInfo, str]] = {}  # lists, and parameters: what they hold

    def call(self, call: ast.Call) -> None:
        """One call, where the class of its object is known or can be asked for."""
        inner = self.lowering.replaced(call)
        names = [k.arg for k in call.keywords]
        if inner is None or None in names or self.lowering.resolve(call.func) == ("copy.copy", None):
            return  # what is copied need not be an object
        found = self.holder(inner, self.around.get(id(call), {}))
        cls = found and self.class_of(call, inner, found[0])
        if found is None or not cls or cls.path or self.lowering.is_local(cls.name):
            return
        self.made_of[found] = (cls, inner.id if isinstance(inner, ast.Name) else "v")
        if found[1]:
            return  # a parameter whose class is known is followed by itself
        kept = [n for n in cls.fields if n not in names]
        parts = [ast.keyword(n, made(ast.Attribute(copy.deepcopy(inner), n, ast.Load()), call)) for n in kept]
        given = [*call.keywords, *parts]  # what is kept is read when all else is computed
        if not any(isinstance(n, ast.Call | ast.NamedExpr) for k in call.keywords for n in walk(k.value)):
            given.sort(key=lambda k: [*cls.fields].index(str(k.arg)))
        self.anew[call] = made(ast.Call(made(ast.Name(cls.name, ast.Load()), call), [], given), call)

    def loops_around(self) -> dict[int, dict[str, ast.expr | None]]:
        """By the calls in comprehensions, what the variables of these run over: others have the same names."""
        found: dict[int, dict[str, ast.expr | None]] = {}
        for n in self.nodes():
            if isinstance(n, ast.ListComp | ast.GeneratorExp):
                own = {name: of for g in n.generators for name, of in looped(g.target, g.iter)}
                for call in walk(n.elt):
                    if isinstance(call, ast.Call):
                        found[id(call)] = found.get(id(call), {}) | own
        return found

    def holder(self, e: ast.expr, own: Mapping[str, ast.expr | None] = MappingProxyType({})) -> tuple[str, str] | None:
        """The list of which an object is an item, ("ps", ""), or the parameter that it is itself, ("", "p")."""
        match e:
            case ast.Subscript(value=ast.Name(id=name), slice=key) if not isinstance(key, ast.Slice | ast.Tuple):
                return name, ""
            case ast.Name(id=name):
                lists = [own[name]] if name in own else [i for _, i in self.lowering.name_bindings[name].lists]
                found = {root_of_list(items) for items in lists}
                if found:
                    return (first, "") if len(found) == 1 and (first := next(iter(found))) else None
                if name in self.lowering.params and name not in self.lowering.typed:
                    return "", name
        return None

    def class_of(self, call: ast.Call, inner: ast.expr, holder: str) -> ClassInfo | None:
        """The class of an object: what is known of it, or the only one that has these fields."""
        known = self.lowering.kinds().kind(inner)
        if not isinstance(known, ClassInfo):
            known = self.lowering.class_of_item(ast.Name(holder, ast.Load())) if holder else None
        names = {str(k.arg) for k in call.keywords}
        if not isinstance(known, ClassInfo):
            return self.lowering.class_with(names, call)
        return known if known.makes and known.is_known and names <= known.fields.keys() else None

    def nodes(self) -> list[ast.AST]:
        return [n for s in self.lowering.node.body for n in walk(s)]

    def taken_over(self) -> list[ast.stmt]:
        """Copies of parameters that are lists of objects, where a list of new objects is bound to their names.

        Nothing may tell the objects from their copies: none of them is changed, or asked whether it is another one.
        """
        names, nodes = self.lowering.params & self.lowering.bound, self.nodes()
        identity = any(
            isinstance(n, ast.Compare)
            and any(isinstance(op, ast.Is | ast.IsNot) for op in n.ops)
            and not all(isinstance(c, ast.Constant) for c in n.comparators)
            for n in nodes
        )
        out: list[ast.stmt] = []
        for name in sorted(names) if not identity else ():
            cls = self.class_taken(name)
            if cls is None or not self.is_carried(name) or not self.holds_objects(name, cls, nodes):
                continue
            _, item = self.made_of.setdefault((name, ""), (cls, name_of_item(name, nodes)))
            copy = self.copy(cls, item)
            value = expression(f"[{copy} for {item} in {name}]", self.lowering.node.body[0])
            self.given.add(name)
            out.append(made(ast.Assign([made(ast.Name(name, ast.Store()), value)], value), value))
        for s in self.lowering.node.body if not identity else ():
            if not isinstance(s, ast.Assign) or (found := copy_of_list(s)) is None or found[1] not in self.given:
                continue
            name, items = found
            cls = self.class_taken(items)
            if cls is None or self.bound_once(name) or not self.holds_objects(name, cls, nodes):
                continue
            _, item = self.made_of.setdefault((items, ""), (cls, name_of_item(name, nodes)))
            s.value = expression(f"[{self.copy(cls, item)} for {item} in {items}]", s.value)
        return out

    def class_taken(self, items: str) -> ClassInfo | None:
        """The class of the objects in a list, where new ones can stand for them."""
        cls = self.lowering.class_of_item(ast.Name(items, ast.Load()))
        known = cls is not None and cls.makes and not cls.path and not self.lowering.is_local(cls.name)
        return cls if known and cls is not None and not self.may_change(cls) else None

    def bound_once(self, name: str) -> bool:
        stores = [n for n in self.nodes() if isinstance(n, ast.Name) and n.id == name]
        return sum(not isinstance(n.ctx, ast.Load) for n in stores) == 1

    def is_carried(self, name: str) -> bool:
        """Whether a name is first bound in a loop or a branch: behind it, it may stand for what the caller gives."""
        first = next(s for s in self.lowering.node.body if name in bound_names(walk(s)))
        return isinstance(first, ast.For | ast.While | ast.If)

    def holds_objects(self, name: str, cls: ClassInfo, nodes: list[ast.AST]) -> bool:
        """Whether attributes of a class are read of the items of a parameter, and nothing else is done with them."""
        args = self.lowering.node.args
        optional = [*args.posonlyargs, *args.args][len(args.posonlyargs) + len(args.args) - len(args.defaults) :]
        if any(p.arg == name for p in (*optional, *args.kwonlyargs)):
            return False
        items: set[str] = set()
        for n in nodes:
            if isinstance(n, ast.For | ast.comprehension):
                for item, of in looped(n.target, n.iter):
                    items |= {item} if root_of_list(of) == name else set()
                if root_of_list(n.iter) == name and not isinstance(n.target, ast.Name):
                    return False
        read = {
            n.attr
            for n in nodes
            if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id in items
        }
        return bool(read) and all(map(cls.has, read))

    def copy(self, cls: ClassInfo, of: str, depth: int = 0) -> str:
        """The text of a new object with the fields of an object; those that are objects and can't be changed, too."""
        parts = []
        for name in cls.fields:
            inner, part = self.inner(cls, name), f"{of}.{name}"
            parts.append(
                f"{name}={self.copy(inner, part, depth + 1) if inner is not None and depth < DEEPEST else part}"
            )
        return f"{cls.name}({', '.join(parts)})"

    def inner(self, cls: ClassInfo, name: str) -> ClassInfo | None:
        """The class of a field that holds an object which can't be changed, and can be made."""
        found = self.lowering.class_named(cls.fields[name].annotation)
        return found if found is not None and found.makes and not found.path and is_fixed(found) else None

    def may_change(self, cls: ClassInfo) -> bool:
        """Whether something in the module changes objects that have a field of a class."""
        if is_fixed(cls):
            return False
        names = self.lowering.names
        methods = [m for c in self.lowering.known_classes() for k, m in c.methods.items() if k != "__init__"]
        return any(
            (isinstance(n, ast.Attribute) and not isinstance(n.ctx, ast.Load) and n.attr in cls.fields)
            or (isinstance(n, ast.Name) and n.id in ("setattr", "vars"))
            for f in (self.lowering.node, *names.functions.values(), *methods)
            for n in ast.walk(f)
        )

    def guard(self) -> None:
        """Asserts the classes of what the function is given, and of lists of which its text does not tell."""
        for (items, name), (cls, item) in self.made_of.items():
            if name:
                stated: dict[str, ClassInfo] = getattr(self.lowering.node, "stated", {})
                self.lowering.node.stated = stated | {name: cls}  # type: ignore[attr-defined]
                self.at_top(f"type({name}) is {cls.name}")
                continue
            test = f"all(type({item}) is {cls.name} for {item} in {items})"
            first = next((s for s in self.lowering.node.body if items in bound_names(walk(s))), None)
            own = first is not None and any(n in self.anew for n in walk(first))
            if items in self.given or (items in self.lowering.params and own and not self.is_carried(items)):
                listed: dict[str, ClassInfo] = getattr(self.lowering.node, "listed", {})
                self.lowering.node.listed = listed | {items: cls}  # type: ignore[attr-defined]
                self.at_top(test)
            elif (items in self.lowering.params and self.is_carried(items)) or self.lowering.class_of_item(
                ast.Name(items, ast.Load())
            ) is not cls:
                self.ahead(test, items)

    def at_top(self, test: str) -> None:
        body = self.lowering.node.body
        at = next((i for i, s in enumerate(body) if not is_docstring(s)), 0)
        body.insert(at, made(ast.Assert(expression(test, body[at])), body[at]))

    def ahead(self, test: str, name: str) -> None:
        """Writes an assertion before each statement that makes objects of those in a list."""
        for block in every_block(self.lowering.node.body):
            for s in list(block):
                own = [n for c in children(s) if not isinstance(c, ast.stmt) for n in walk(c)]
                if any(n in self.anew for n in own) and any(isinstance(n, ast.Name) and n.id == name for n in own):
                    block.insert(block.index(s), made(ast.Assert(expression(test, s)), s))


def records(lowering: Lowering) -> tuple[tuple[str, ir.Record], ...]:
    """The parameters that are lists of objects which can't be changed, as their cotangents are: named tuples, frozen
    dataclasses. Where no annotation says it, their class is the only one with the attributes that are read, or all such
    have the same ones."""
    classes = [c for c in lowering.known_classes() if is_fixed(c)]
    if not classes:
        return ()
    read: dict[str, set[str]] = {}
    gone: set[str] = set()
    mixed: set[str] = set()  # there are numbers or lists in them, beside what has attributes: `p_bar.x += out_bar[0]`
    for s in lowering.node.body:
        mixed |= {*numbers_in(s), *lists_in(s)}
        for n in walk(s):
            match n:
                case ast.Attribute(value=ast.Name(id=item), attr=attr):
                    lists = {root_of_list(items) for _, items in lowering.name_bindings[item].lists}
                case ast.Attribute(value=ast.Subscript(value=ast.Name(id=items)), attr=attr):
                    lists = {items}
                case _:
                    continue
            for items in lists - gone:
                read.setdefault(items, set()).add(attr)
        if isinstance(s, ast.Assign | ast.AnnAssign):  # from here on these names stand for something else
            gone |= bound_names(walk(s))
    found: list[tuple[str, ir.Record]] = []
    for p in parameters(lowering.node):
        cls = getattr(lowering.node, "listed", {}).get(p.arg) or lowering.class_in_list(p.annotation)
        if cls is None and p.annotation is None and p.arg in read and p.arg not in mixed:
            alike = [c for c in lowering.known_classes() if all(map(c.has, read[p.arg]))]
            one = all(c in classes for c in alike) and len({record(lowering, c) for c in alike}) == 1
            cls = alike[0] if len(alike) == 1 or one else None
        if cls is not None and cls in classes:
            found.append((p.arg, record(lowering, cls)))
    return tuple(found)


def numbers_in(s: ast.stmt) -> Iterator[str]:
    """The names of what has items that are counted with."""
    for n in walk(s):
        match n:
            case ast.BinOp(left=left, right=right):
                operands = [left, right]
            case ast.UnaryOp(operand=operand):
                operands = [operand]
            case ast.AugAssign(value=value):
                operands = [value]
            case _:
                continue
        for e in operands:
            match e:
                case ast.Subscript(value=ast.Name(id=items), slice=ast.Constant()):
                    yield items


def lists_in(s: ast.stmt) -> Iterator[str]:
    """The names of what has an item that is read by the numbers of its own items."""
    for n in walk(s):
        match n:
            case ast.Subscript(
                value=ast.Subscript(value=ast.Name(id=items), slice=ast.Constant()), slice=ast.Constant()
            ):
                yield items


def record(lowering: Lowering, cls: ClassInfo, depth: int = 0) -> ir.Record:
    """The fields of a class, those that hold objects with their own."""

    def inner(annotation: str) -> ir.Record:
        of = lowering.class_named(annotation) if depth < DEEPEST else None
        return record(lowering, of, depth + 1) if of is not None and is_fixed(of) else ()

    return tuple((n, inner(f.annotation)) for n, f in cls.fields.items())


def is_fixed(cls: ClassInfo) -> bool:
    """Whether the objects of a class can't be changed."""
    return cls.frozen or cls.kind == "namedtuple"


def root_of_list(e: ast.expr | None) -> str:
    """The list whose items, in another order, are those of `ps`, `ps[1:]` and `reversed(ps)`."""
    match e:
        case ast.Name(id=name):
            return name
        case ast.Subscript(value=inner, slice=ast.Slice()):
            return root_of_list(inner)
        case ast.Call(func=ast.Name(id="list" | "reversed" | "tuple"), args=[inner], keywords=[]):
            return root_of_list(inner)
    return ""


def copy_of_list(s: ast.Assign) -> tuple[str, str] | None:
    """The names in `qs = list(ps)`, which is `[v for v in ps]` by now, `qs = ps[:]` and `qs = ps.copy()`."""
    match s.targets, s.value:
        case (
            [ast.Name(id=name)],
            ast.Subscript(value=ast.Name(id=items), slice=ast.Slice(lower=None, upper=None, step=None))
            | ast.Call(func=ast.Attribute(value=ast.Name(id=items), attr="copy"), args=[], keywords=[]),
        ):
            return name, items
        case (
            [ast.Name(id=name)],
            ast.ListComp(
                elt=ast.Name(id=item),
                generators=[ast.comprehension(target=ast.Name(id=of), iter=ast.Name(id=items), ifs=[])],
            ),
        ) if item == of:
            return name, items
    return None


def name_of_item(items: str, nodes: list[ast.AST]) -> str:
    """The name that the first comprehension or loop over a list has for its items."""
    for n in nodes:
        match n:
            case ast.For(target=ast.Name(id=item), iter=it) | ast.comprehension(target=ast.Name(id=item), iter=it):
                if root_of_list(it) == items:
                    return item
    return "item"


__all__ = ["dicts_taken_over", "records", "write_out"]
