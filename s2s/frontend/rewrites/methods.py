"""Calls of functions that change the objects which they are given: their text stands where they are called.

    body.step(h)                        body.pos = body.pos + h * body.vel
                                        body.vel = body.vel - h * body.pos
    w = optimiser.update(w, grad)       optimiser.m = 0.9 * optimiser.m + grad
                                        w = w - optimiser.rate * optimiser.m

So does that of constructors with loops, branches and calls, of the methods of objects that can't be put together again
from their attributes, and of a function that makes an object which its caller changes: `p = start(x)`, `p.v += e`. What
is left are assignments to attributes and entries, which `Structures` knows.

    y = axpy(y, x)                      y += x
    smooth(u[1:], u[:-1])               a = u[1:]
                                        ...

So does that of a function that writes into an array and returns it, or a view of it, of one that returns an argument,
or a part of it, that is written here, of one that picks items of a list, and of one that is given an array twice: which
names see one array is then as plain as in the function itself. A call stays as it is, and is refused, where its text
can't stand there: one that calls itself, that leaves a loop with its result and has a `break` there, too, or that
stands where it is evaluated only sometimes.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from collections.abc import Sequence as List
from itertools import pairwise
from typing import TYPE_CHECKING, TypeGuard, cast

from s2s.frontend.rewrites import attributes, borrowed, draws, holders, kept_functions, optional, parts
from s2s.frontend.rewrites.asked import asks_for_class
from s2s.frontend.rewrites.keyed import name_key, parts_of_key
from s2s.frontend.rewrites.objects import (
    OF_ARRAYS,
    OF_LISTS,
    OF_VALUES,
    Path,
    affects,
    arguments_of,
    is_part,
    part_text,
    writable,
    written_arrays,
)
from s2s.frontend.rewrites.stacks import least_in_loops, least_value, least_values
from s2s.frontend.rewrites.twins import RESIZED
from s2s.frontend.text.bindings import Bindings, looped, root_of
from s2s.frontend.text.classes import ClassInfo, is_made_anew
from s2s.frontend.text.defaults import SHARING
from s2s.frontend.text.function_bodies import (
    Exchanged,
    evaluated,
    has_effects,
    is_docstring,
    is_fixed,
    may_write,
    one_expression,
    own_expressions,
)
from s2s.frontend.text.keys import is_put_together, show_keys
from s2s.frontend.text.kinds import SPECIAL, Following, Known, Several, has_slice
from s2s.frontend.text.literals import folded
from s2s.frontend.text.names import MUTATING_METHODS, can_be_copied, target_names
from s2s.frontend.text.scopes import (
    COMPREHENSIONS,
    blocks_of,
    body_nodes,
    bound_names,
    children,
    dotted,
    every_block,
    free_names,
    full_path,
    is_bound,
    is_number,
    new_name,
    parameters,
    read_names,
    string_key,
    walk,
)
from s2s.frontend.text.source import NOTHING, expression, made
from s2s.ir import ROLES, Attr

if TYPE_CHECKING:
    from s2s.frontend.lowering.normalise import Lowering

Guard = tuple[str, str, str]  # what `Lowering.guarded` holds
SIMPLE = ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr | ast.Return
NEVER = (
    ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda | ast.Yield | ast.YieldFrom | ast.Await
    | ast.Global | ast.Nonlocal | ast.NamedExpr
)  # fmt: skip
SHARING_METHODS = frozenset(["ravel", "reshape", "squeeze", "swapaxes", "transpose", "view"])
DISPLAYS = ast.Call | ast.Dict | ast.Tuple  # what new structures are written as
CONSUMERS = ("list", "tuple", "max", "min", "sorted")
Inlined = tuple[int, str, str]
DEPTH = 12  # calls inside calls
LONG = 12  # statements of a method that makes an object and is written out
SHORT = 3  # statements that may be written twice, once for each branch before them


def write_out(lowering: Lowering) -> dict[Guard, None] | None:
    """Changes the body of a function; what the output has to guard, None where there is nothing to write out."""
    names = lowering.names
    if names.changing is None:  # asked before any function of the module is written out
        functions = [f for f in names.functions.values() if isinstance(f, ast.FunctionDef)]
        names.changing = any(
            affects(f, names)
            or written_arrays(f)
            or returned_parts(f, True)
            or returned_views(f, names.imports.names)
            or picked_lists(only_result(f))
            or draws.draws(f, names.functions)
            or new_structures(f)
            for f in functions
        )
    nested = any(isinstance(s, ast.FunctionDef) for s in lowering.node.body)
    objects = names.classes or lowering.namespaces().classes
    work = _Writing(lowering)
    own = objects or names.changing or nested or asks_new_objects(lowering)
    if not own and not any(isinstance(n, ast.Call) and work.lent(n) is not None for n in body_nodes(lowering.node)):
        return None  # most modules
    work.name_lambdas()
    lowering.node.body[:] = work.block(lowering.node.body, ())
    if not work.done:
        return None
    work.drop_nested()
    kept_functions.called_by_name(lowering.node, kept_functions.of(lowering.node))
    one_name(lowering.node, work.temps)
    temps: set[str] = getattr(lowering.node, "temps", set()) | work.temps
    lowering.node.temps = temps  # type: ignore[attr-defined]
    sink(lowering.node, temps, lowering.names.classes, work.changed_in)
    return work.guards


def is_place(e: ast.expr) -> bool:
    """`xs[i]`, `p.x`, `box.p.x[0]`: no more than a name and where to look."""
    while isinstance(e, ast.Attribute | ast.Subscript):
        if isinstance(e, ast.Subscript) and not isinstance(e.slice, ast.Name | ast.Constant):
            return False
        e = e.value
    return isinstance(e, ast.Name)


def is_itself(s: ast.stmt) -> bool:
    """b = b"""
    match s:
        case ast.Assign(targets=[ast.Name(id=new)], value=ast.Name(id=old)):
            return new == old
    return False


def one_name(function: ast.FunctionDef, temps: set[str]) -> None:
    """An object that a method has returned whose it is, `b = a.add(x)`, keeps one name, and not that of a temporary."""
    for block in every_block(function.body):
        same = [s for s in block if getattr(s, "same", False)]
        for s in sorted(same, key=lambda s: not is_itself(s)):
            match s:
                case ast.Assign(targets=[ast.Name(id=new)], value=ast.Name(id=old)):
                    pass
                case _:
                    continue
            k = block.index(s)
            if new != old:
                names = [n for s in function.body for n in walk(s) if isinstance(n, ast.Name)]
                stores = Counter([*(n.id for n in names if is_bound(n)), *(p.arg for p in parameters(function))])
                behind = [n for after in block[k + 1 :] for n in walk(after) if isinstance(n, ast.Name)]
                inner = {n.arg for s in function.body for n in walk(s) if isinstance(n, ast.arg)}
                given = {p.arg for p in parameters(function)}
                once = stores[new] == stores[old] == 1 and not {new, old} & inner
                all_behind = sum(n.id == new for n in behind) == sum(n.id == new for n in names) - 1
                if old not in given and not {new, old} & inner and is_only_before(block[: k + 1], old, new, names):
                    kept, dropped = new, old
                elif once and all_behind and not any(n.id == old and is_bound(n) for n in behind):
                    kept, dropped = (new, old) if old in temps else (old, new)
                else:
                    continue
                for n in names:
                    n.id = kept if n.id == dropped else n.id
                temps.discard(dropped)
            del block[k]


def is_only_before(block: List[ast.stmt], old: str, new: str, names: List[ast.Name]) -> bool:
    """Whether `old` stands only in the statements before the last one, `new = old`, from where it is bound, and `new`
    in none of these: as well may `new` be bound there."""
    mentioned = [{n.id for n in walk(s) if isinstance(n, ast.Name)} for s in block]
    first = next(i for i, found in enumerate(mentioned) if old in found)
    inside = sum(n.id == old for s in block for n in walk(s) if isinstance(n, ast.Name))
    return inside == sum(n.id == old for n in names) and not any(new in found for found in mentioned[first:-1])


def asks_new_objects(lowering: Lowering) -> bool:
    """Whether something is asked of an object of an imported class as soon as it is made: `Pair(u, w).squares()`."""
    for n in body_nodes(lowering.node):
        match n:
            case ast.Attribute(value=ast.Call(func=ast.Name(id=name) as func)) if name in lowering.imports.names:
                if lowering.class_of(func) is not None:
                    return True
    return False


class _Writing:
    def __init__(self, lowering: Lowering) -> None:
        self.lowering = lowering
        self.used = set(lowering.used)
        self.given: dict[tuple[int, str, str], str] = {}
        self.guards: dict[Guard, None] = {}
        self.done = False
        self.called: list[ast.expr] = []
        self.objects: dict[str, str] = {}  # names of objects that a constructor was written out for
        self.holding = self.holders()
        self.lists = {
            s.targets[0].id: s.value
            for s in body_nodes(lowering.node)
            if isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name) and len(s.targets) == 1
        }
        self.target: tuple[str, ast.expr | None] = ("", None)  # the name that the result of a call is bound to
        self.bound_to: dict[ast.expr, list[str]] = {}  # the names that results, or their parts, are bound to
        self.pending: list[list[ast.stmt]] = []  # what is written before the statements in work, outermost first
        self.standing: set[ast.Call] = set()  # calls of functions that call themselves
        self.temps: set[str] = set()  # names of values inside of a statement of the user
        self.loops = 0  # around the statement in work
        self.owner = ""  # the object that is made by the constructor in work
        self.elsewhere: dict[str, ast.FunctionDef] = {}  # functions of other modules whose text may stand here

    # ------------------------------------------------------------ which calls

    def callee(self, call: ast.Call) -> tuple[ast.FunctionDef, ast.expr | None, ClassInfo | None] | None:
        """The function that a call names and its receiver, where it changes an object that it is given."""
        names = self.lowering.names
        if (lent := self.lent(call)) is not None:
            return lent, None, None
        match call.func:
            case ast.Attribute(value=ast.Name(id=base), attr=name) if base in names.classes and (
                not self.lowering.is_local(base)
            ):  # Base.step(self, h)
                method = names.classes[base].methods.get(name)
                if method is None:
                    return None
                if name in names.classes[base].class_methods:  # Base.of_pair(pair)
                    return method, call.func.value, None
                if name in names.classes[base].strange:
                    return None
                if name in names.classes[base].statics:
                    return (method, None, None) if self.makes_one(call, method) else None
                own = self.class_of(call.args[0]) if call.args else None
                apart = own is not None and self.stays_apart(call.args[0], own)
                shares = own is not None and self.shares(call, method)
                return (method, None, None) if apart or shares or self.affects(method) else None
            case ast.Attribute(value=receiver, attr=name):
                cls = self.class_of(receiver)
                if cls is not None and name in cls.class_methods:
                    return cls.methods[name], ast.copy_location(ast.Name(cls.name, ast.Load()), call), None
                if cls is not None and name in cls.statics and self.makes_one(call, cls.methods[name]):
                    return cls.methods[name], None, None
                if cls is None or name not in cls.methods or name in cls.strange | cls.statics | cls.properties:
                    return None
                if (
                    self.affects(cls.methods[name])
                    or self.stays_apart(receiver, cls)
                    or self.is_item(receiver)
                    or (self.is_made_here(receiver) and reads_constants(cls.methods[name], cls))
                    or self.makes_one(call, cls.methods[name])
                    or (self.is_made_here(receiver) and self.holds_objects(receiver, cls))
                    or self.decides(call, cls.methods[name])
                    or self.draws(call, cls.methods[name])
                    or self.asks_kept(receiver, cls, cls.methods[name])
                    or self.picks(call, cls.methods[name], receiver)
                    or (self.is_made_here(receiver) and self.shares(call, cls.methods[name], method=True))
                ):
                    return cls.methods[name], receiver, cls
                return None
            case ast.Name() as func if (nested := self.nested(func)) is not None:
                return nested, None, None
            case ast.Name() as func:
                found = self.lowering.resolve(func)
                node = names.functions.get(func.id) if found == (f"local.{func.id}", None) else None
                if not isinstance(node, ast.FunctionDef) or node.decorator_list:
                    return None
                asked = (
                    self.shares,
                    self.fills,
                    self.rebuilds,
                    self.asks,
                    self.decides,
                    self.draws,
                    self.starts,
                    self.starts_items,
                    self.picks,
                    self.exchanges,
                    self.touches,
                    self.chooses_class,
                    self.calls_put,
                )
                if self.affects(node) or self.reads_as_array(call, node) or any(ask(call, node) for ask in asked):
                    return node, None, None
                classes = {a: cls for a in call.args if (cls := self.class_of(a)) is not None and self.is_made_here(a)}
                if classes and (self.makes_one(call, node) or any(not self.makes(c) for c in classes.values())):
                    return node, None, None
                if self.asks_closed_items(call, node) or self.asks_parts(call, node):
                    return node, None, None
        return None

    def asks_kept(self, receiver: ast.expr, cls: ClassInfo, method: ast.FunctionDef) -> bool:
        """Whether a method calls a function inside of this one, which its object keeps."""
        name = receiver.id if isinstance(receiver, ast.Name) else ""
        attrs = {attr for of, attr in kept_functions.of(self.lowering.node) if of == name}
        return bool(attrs) and kept_functions.asks(method, cls, attrs)

    def lent(self, call: ast.Call) -> ast.FunctionDef | None:
        """The function of another module that a call names, where it writes into an array that it returns, or makes
        objects that its caller changes."""
        names, path = self.lowering.names, dotted(call.func)
        if path is None or path[0] not in names.imports.names or self.lowering.is_local(path[0]):
            return None
        full = ".".join([names.imports.names[path[0]], *path[1:]])
        if full in self.elsewhere:
            return self.elsewhere[full]
        there = names.helper(full)
        node = there[0].functions[there[1]] if there is not None else None
        if there is None or not isinstance(node, ast.FunctionDef) or node.decorator_list:
            return None
        changes = affects(node, there[0])
        asked = (self.shares, self.fills, self.starts_items)
        if not (changes or any(ask(call, node) for ask in asked)) or names.lend(full) is None:
            return None
        new = copy.deepcopy(node)
        notes = there[0].notes_of(there[1])
        for old, n in zip(walk(node), walk(new), strict=True):
            ast.copy_location(n, call)
            n.made = True  # type: ignore[attr-defined]
            if id(old) in notes:
                self.lowering.notes[id(n)] = notes[id(old)]
        borrowed.adopt_classes(new, names)
        self.elsewhere[full] = new
        return new

    def nested(self, func: ast.expr) -> ast.FunctionDef | None:
        """The function inside of this one that a name surely stands for, where it changes a list that it captures,
        binds a name of this function, or draws."""
        if not isinstance(func, ast.Name):
            return None
        found = [s for s in self.lowering.node.body if isinstance(s, ast.FunctionDef) and s.name == func.id]
        names = [n for n in body_nodes(self.lowering.node) if getattr(n, "name", "") == func.id]
        if len(found) != 1 or len(names) != 1 or self.lowering.name_bindings[func.id].stores:
            return None
        a = found[0].args
        plain = not found[0].decorator_list and all(is_fixed(d) for d in (*a.defaults, *a.kw_defaults) if d is not None)
        return found[0] if plain and (self.is_put(found[0]) or self.touches_captured(found[0])) else None

    def calls_put(self, call: ast.Call, function: ast.FunctionDef) -> bool:
        """Whether a function is given one of those inside of this one whose text has to stand where it is called, or a
        method of an object whose parts are variables here: `step(net.forward, x)`."""
        given = [*call.args, *(k.value for k in call.keywords)]
        return any(((inner := self.nested(e)) is not None and self.is_put(inner)) or self.is_apart(e) for e in given)

    def is_apart(self, e: ast.expr) -> bool:
        """Whether an expression is a method, and no single expression, of an object whose parts are variables here."""
        if not isinstance(e, ast.Attribute) or not self.is_method(e):
            return False
        cls = cast(ClassInfo, self.class_of(e.value))
        return one_expression(cls.methods[e.attr]) is None and self.stays_apart(e.value, cls)

    def name_lambdas(self) -> None:
        """Functions inside of this one for the lambdas that call methods of objects whose parts are variables here:

        rk4(lambda y: net.forward(y), y0)           def forward(y):
                                                        return net.forward(y)
                                                    rk4(forward, y0)
        """
        body = self.lowering.node.body
        for at in reversed(range(len(body))):
            s = body[at]
            for e in [e for e in own_lambdas(s) if self.asks_apart(e)]:
                named = s.targets[0] if isinstance(s, ast.Assign) and s.value is e and len(s.targets) == 1 else None
                if isinstance(named, ast.Name) and self.lowering.name_bindings[named.id].stores == 1:
                    own = named.id
                else:
                    method = next(n for n in walk(e.body) if isinstance(n, ast.Attribute) and self.is_apart(n))
                    own, named = self.free(method.attr.strip("_")), None
                result = made(ast.Return(e.body), e)
                function = made(ast.FunctionDef(own, e.args, [result], []), s)
                self.lowering.notes[id(function)] = self.lowering.notes.get(id(s), NOTHING) if named else NOTHING
                if named is not None:
                    body[at] = function
                else:
                    self.exchange(s, e, name(own, e))
                    body.insert(at, function)
                self.lowering.locals.add(own)
                self.done = True
        if self.done:
            self.lowering.forget_bindings()

    def asks_apart(self, e: ast.Lambda) -> bool:
        a = e.args
        plain = not (a.vararg or a.kwarg or a.kwonlyargs or a.posonlyargs or a.defaults)
        own = {p.arg for p in a.args}
        methods = (n for n in walk(e.body) if isinstance(n, ast.Attribute) and root_of(n) not in own)
        return plain and any(map(self.is_apart, methods))

    def is_put(self, function: ast.FunctionDef) -> bool:
        """Whether the text of a function inside of this one has to stand where it is called."""
        if draws.draws(function, self.lowering.names.functions) or self.captured(function) or self.outer(function):
            return True
        return any(isinstance(n, ast.Attribute) and self.is_apart(n) for n in walk(function))

    def outer(self, function: ast.FunctionDef, seen: frozenset[str] = frozenset()) -> set[str]:
        """The names of this function that one inside of it binds, or that one binds which it calls."""
        found = outer_names(function) & self.lowering.locals
        siblings = {s.name: s for s in self.lowering.node.body if isinstance(s, ast.FunctionDef)}
        for n in walk(function):
            if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in siblings.keys() - seen:
                found |= self.outer(siblings[n.func.id], seen | {function.name})
        return found

    def drop_nested(self) -> None:
        """The functions inside that are called no more: their text stands where they were."""
        body = self.lowering.node.body
        called = {n.id for s in body for n in walk(s) if isinstance(n, ast.Name)}
        body[:] = [s for s in body if not (isinstance(s, ast.FunctionDef) and s.name not in called and self.is_put(s))]
        self.lowering.forget_bindings()

    def captured(self, function: ast.FunctionDef) -> set[str]:
        """The lists of this function that one inside of it changes."""
        return {changed_list(n) for n in walk(function)} & {*free_names(function)} & self.lowering.locals

    def holds_objects(self, receiver: ast.expr, cls: ClassInfo) -> bool:
        """Whether only this function tells of which classes the attributes of an object are, or what lies in them."""
        kinds = self.lowering.inferred()
        if any(isinstance(kinds.get(f"{cls.name}.{n}"), ClassInfo) for n in cls.fields):
            return True
        parts = [made(ast.Attribute(receiver, n, ast.Load()), receiver) for n in cls.fields]
        if any(self.class_of(p) is not None for p in parts):
            return True
        return any(self.lowering.members(p) for p in parts if not cls.fields[p.attr].annotation)

    def makes_one(self, call: ast.Call, function: ast.FunctionDef) -> bool:
        """Whether a short function makes an object of a class of the module."""
        longest = LONG if isinstance(call.func, ast.Attribute) else SHORT
        if sum(isinstance(n, ast.stmt) for n in walk(function)) - 1 > longest:
            return False
        return isinstance(self.lowering.kinds().kind(call), ClassInfo | Several)

    def decides(self, call: ast.Call, function: ast.FunctionDef) -> bool:
        """Whether a function asks for the class of an argument that is an object."""
        asked: set[str] = set()
        for n in walk(function):
            match n:
                case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), _]):
                    asked.add(name)
        if not asked:
            return False
        params = [p.arg for p in (*function.args.posonlyargs, *function.args.args)]
        if isinstance(call.func, ast.Attribute) and params:
            params = params[1:]
        given = dict(zip(params, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
        kinds = self.lowering.kinds()
        return any(isinstance(kinds.kind(given[p]), ClassInfo) for p in asked & given.keys())

    def class_of(self, receiver: ast.expr) -> ClassInfo | None:
        """The class of an object whose methods can be written out."""
        cls = self.lowering.class_of_value(receiver) if self.lowering.chain(receiver) is not None else None
        return None if cls is None or cls.prefix or not cls.is_known else cls

    def one_object(self, receiver: ast.expr | None) -> str:
        """The text of a name, or of a part of what it stands for, that is one object throughout, which is made here:
        what a method calls of another one is not itself. "" for anything else."""
        path = self.lowering.chain(receiver) if receiver is not None else None
        if path is None or path[0] in self.lowering.params or receiver is None:
            return ""
        values = self.lowering.values_of(path[0])
        alone = len(values) == 1 and isinstance(values[0], ast.Call) and self.lowering.class_of(values[0].func)
        known = len(path) == 1 or self.lowering.group_at(receiver) is not None
        return ast.unparse(receiver) if alone and known else ""

    def class_called(self, func: ast.expr) -> ClassInfo | None:
        """The class of an object that is called, of another module, too: of `model(x)`, and of `layers[0](x)`."""
        cls = self.lowering.class_of_value(func) if self.lowering.chain(func) is not None else None
        return self.lowering.class_of_place(func) if cls is None else cls

    def stays_apart(self, receiver: ast.expr, cls: ClassInfo) -> bool:
        """Whether an object is made or changed here, and can't be put together again to be handed to a method."""
        return not self.makes(cls) and (self.is_made_here(receiver) or self.is_changed_here(receiver))

    def is_changed_here(self, receiver: ast.expr) -> bool:
        """Whether attributes of a parameter are bound anew, here or by a method that is called of it."""
        path = self.lowering.chain(receiver)
        root = path and self.lowering.rooted(path)[0]

        def changes(n: ast.AST) -> bool:
            match n:
                case ast.Attribute(value=value, ctx=ast.Store()):
                    return root_of(value) == root
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name) as of, attr=attr)) if name == root:
                    cls = self.class_of(of)
                    return cls is not None and attr in cls.methods and self.affects(cls.methods[attr])
            return False

        return root in self.lowering.params and any(map(changes, walk(self.lowering.node)))

    def is_item(self, receiver: ast.expr) -> bool:
        """Whether an object is an item of a list."""
        if not isinstance(receiver, ast.Name) or self.lowering.group_at(receiver) is not None:
            return False
        return receiver.id not in self.lowering.params and self.lowering.classes_of_items(receiver.id)[:1] not in (
            [],
            [None],
        )

    def is_made_here(self, receiver: ast.expr) -> bool:
        path = self.lowering.chain(receiver)
        return path is not None and self.lowering.rooted(path)[0] not in self.lowering.params

    def constructor(self, call: ast.Call) -> ClassInfo | None:
        """The class that a call makes an object of, where the text of its constructor is to be written out."""
        cls = self.lowering.class_of(call.func) if not self.lowering.is_local_root(call.func) else None
        if cls is None or cls.prefix or not cls.is_known or cls.kind != "plain" or cls.init is None:
            return None
        if getattr(call, "empty", False) or self.stands(call, cls):
            return None
        if holders.is_given_part(cls, call, self.lowering.node, self.lowering.names):
            return cls
        if holders.gets_several(self.lowering.node, call, self.lowering.names):
            return cls
        if self.makes(cls):
            return None
        written = not self.makes_objects(cls.init) and cls.name not in self.holding
        if holders.holds_part(cls, self.lowering.node, self.lowering.names):
            written = written and not holders.is_used_by_parts(self.lowering.node, call)
        written = written and not any(map(is_put_together, walk(cls.init)))
        return None if writable(cls.init) and written and not cls.function_attributes else cls

    def stands(self, call: ast.Call, cls: ClassInfo) -> bool:
        """Whether a call makes an object in place of a parameter, of literals: it may stand as it is."""
        for s in walk(self.lowering.node):
            match s:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is call:
                    instead = name
                case ast.IfExp(body=one, orelse=ast.Name(id=name)) | ast.IfExp(body=ast.Name(id=name), orelse=one) if (
                    one is call
                ):
                    instead = name
                case _:
                    continue
            return instead in self.lowering.params and self.lowering.is_of_constants(call, cls)
        return False

    def makes(self, cls: ClassInfo) -> bool:
        """Whether a constructor does nothing but keep what it is given, and no list of objects is among that."""
        return cls.makes and cls.name not in self.holding

    def holders(self) -> set[str]:
        """The classes that are given a list of new objects: `Sequential([Dense(W), ReLU()])`, `Net(layers)`.

        Or one with methods, where they do more than to keep it: `Verlet(box)`.
        """
        found: set[str] = set()
        for n in walk(self.lowering.node):
            match n:
                case ast.Call(func=ast.Name(id=name), args=args, keywords=options) if (
                    name in self.lowering.names.classes
                ):
                    for a in (*args, *(k.value for k in options)):
                        match a:
                            case ast.List(elts=items) | ast.Tuple(elts=items) if any(map(self.is_made, items)):
                                found.add(name)
                            case ast.ListComp() | ast.Name() | ast.Call() if self.lowering.class_of_item(
                                a
                            ) is not None and not self.lowering.is_given(a):
                                found.add(name)
                            case ast.Name() | ast.Call() if (cls := self.made_here(a)) is not None and cls.methods:
                                found |= {name} if not self.lowering.names.classes[name].makes else set()
        return found

    def is_array(self, call: ast.Call) -> bool:
        """Whether a call is surely one of a function of NumPy, which gives an array or a number, and no object."""
        found = self.lowering.resolve(call.func)
        return found is not None and found[0].startswith("numpy.") and found[1] is None

    def is_made(self, e: ast.expr) -> str:
        """The class of which an expression makes an object, or is one that was made; "" for others."""
        match e:
            case ast.Call(func=ast.Name(id=name)) if name in self.lowering.names.classes:
                return name
            case ast.Name(id=name):
                return self.objects.get(name, "")
            case ast.Attribute() if (cls := self.class_of(e)) is not None and self.is_made_here(e):
                return cls.name
        return ""

    def made_here(self, e: ast.expr) -> ClassInfo | None:
        """The class of an object that an expression makes, or that its name is bound to, once."""
        if isinstance(e, ast.Name):
            values = self.lowering.values_of(e.id) if e.id not in self.lowering.params else []
            e = values[0] if len(values) == 1 and values[0] is not None else e
        return self.lowering.class_of(e.func) if isinstance(e, ast.Call) else None

    def makes_objects(self, init: ast.FunctionDef) -> bool:
        """Whether a constructor makes other objects: their attributes are variables, too."""
        calls = [n for n in walk(init) if isinstance(n, ast.Call)]
        return any(isinstance(n.func, ast.Name) and n.func.id in self.lowering.names.classes for n in calls)

    def affects(self, function: ast.FunctionDef) -> bool:
        return affects(function, self.lowering.names)

    def draws(self, call: ast.Call, function: ast.FunctionDef) -> bool:
        """Whether a function that is given a variable draws random numbers, which its reverse would draw anew."""
        if not draws.draws(function, self.lowering.names.functions):
            return False
        given = [*call.args, *(k.value for k in call.keywords)]
        return any(isinstance(e, ast.Name | ast.BinOp | ast.Call) and not draws.is_generator(e) for e in given)

    def rebuilds(self, call: ast.Call, function: ast.FunctionDef) -> bool:
        """Whether a function makes a new object of a parameter of which only the caller knows the class."""
        params = [p.arg for p in (*function.args.posonlyargs, *function.args.args)]
        given = dict(zip(params, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
        notes = {p.arg for p in parameters(function) if p.annotation is not None}
        return any(
            isinstance(n, ast.Call)
            and (inner := self.lowering.replaced(n)) is not None
            and isinstance(inner, ast.Name)
            and inner.id in given.keys() - notes
            and self.lowering.class_of_value(given[inner.id]) is not None
            for n in walk(function)
        )

    def reads_as_array(self, call: ast.Call, function: ast.FunctionDef) -> bool:
        """Whether a function reads a field of an object that it is given under a name that attributes of arrays have:
        only the caller knows which of them is meant."""
        notes = {p.arg for p in parameters(function) if p.annotation is not None}
        params = [p.arg for p in (*function.args.posonlyargs, *function.args.args)]
        given = dict(zip(params, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
        kinds = self.lowering.kinds()
        for n in walk(function):
            match n:
                case ast.Attribute(value=ast.Name(id=p), attr=attr) if p in given.keys() - notes and attr in OF_ARRAYS:
                    cls = kinds.kind(given[p])
                case ast.Attribute(value=ast.Subscript(value=ast.Name(id=p)) as part, attr=attr) if (
                    p in given.keys() - notes and attr in OF_ARRAYS
                ):
                    cls = kinds.part_of(kinds.kind(given[p]), part.slice)
                case _:
                    continue
            if isinstance(cls, ClassInfo) and attr in cls.fields:
                return True
        return False

    def asks(self, call: ast.Call, function: ast.FunctionDef) -> bool:
        """Whether what a function does depends on the classes of the objects made here that it is given."""
        params = [p.arg for p in (*function.args.posonlyargs, *function.args.args)]
        given = dict(zip(params, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
        made_of = {p: self.lists.get(e.id, e) if isinstance(e, ast.Name) else e for p, e in given.items()}
        for n in walk(function):
            match n:
                case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), _]) if name in made_of:
                    if self.is_made(made_of[name]):
                        return True
                case ast.For(iter=it) | ast.comprehension(iter=it):
                    for x in walk(it):
                        match made_of.get(x.id) if isinstance(x, ast.Name) else None:
                            case ast.List(elts=items) | ast.Tuple(elts=items) if all(map(self.is_made, items)):
                                if len({*map(self.is_made, items)}) > 1:
                                    return True
        return False

    def asks_closed_items(self, call: ast.Call, function: ast.FunctionDef) -> bool:
        """Whether a function calls methods of objects in a list or a dict made here, which can't be put together again
        from their attributes: in the output they may be these attributes alone."""
        params = [p.arg for p in (*function.args.posonlyargs, *function.args.args)]
        given = dict(zip(params, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
        for p, e in given.items():
            items = self.lowering.members(e) if isinstance(e, ast.Name | ast.Attribute) else None
            if items is None or self.makes(items.of) or self.lowering.is_given(e):
                continue
            if asks_for_class(self.lowering.names, function, p, items, frozenset()):
                return True
        return False

    def asks_parts(self, call: ast.Call, function: ast.FunctionDef) -> bool:
        """Whether a function calls methods of an object that holds others made here: only here is known of which
        classes these are."""
        kinds = self.lowering.kinds()

        def holds(e: ast.expr, cls: ClassInfo) -> bool:
            match e:
                case ast.Name():
                    return self.is_made_here(e) and self.holds_objects(e, cls)
                case ast.BinOp(left=a, right=b):  # `RBF(l) + White(s)`, not a sum of vectors
                    return any(isinstance(k := kinds.kind(x), ClassInfo) and k is not cls for x in (a, b))
                case ast.Call(func=func, args=args) if self.lowering.class_of(func) is cls:
                    return any(isinstance(kinds.kind(a), ClassInfo) for a in args)
            return False

        params = [p.arg for p in (*function.args.posonlyargs, *function.args.args)]
        given = dict(zip(params, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
        return any(
            isinstance(cls := kinds.kind(e), ClassInfo)
            and holds(e, cls)
            and asks_for_class(self.lowering.names, function, p, cls, frozenset())
            for p, e in given.items()
        )

    def constructed_anew(self, call: ast.Call) -> ast.expr | None:
        """replace(state, x=e) as State(x=e, v=state.v), of an object that is one value here."""
        inner = self.lowering.replaced(call)
        if inner is None or self.lowering.chain(inner) is None or self.lowering.group_at(inner) is not None:
            return None
        cls = self.lowering.class_of_value(inner)
        given = {k.arg: k.value for k in call.keywords}
        if cls is None or not cls.makes or cls.kind == "plain" or not given.keys() <= cls.fields.keys():
            return None
        if self.is_made_here(inner) and self.lowering.chain(inner) != (getattr(inner, "id", ""),):
            return None
        each = {n: made(ast.Attribute(copy.deepcopy(inner), n, ast.Load()), call) for n in cls.fields}
        options = [ast.keyword(n, given.get(n) or e) for n, e in each.items()]
        return made(ast.Call(expression(cls.path or cls.name, call), [], options), call)

    def shares(self, call: ast.Call, function: ast.FunctionDef, method: bool = False) -> bool:
        """Whether a function writes into an array that its caller sees under two names: a result, or two arguments."""
        given = [p.arg for p in (*function.args.posonlyargs, *function.args.args)][method:]
        bound = dict(zip(given, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
        written = written_arrays(function)
        back = {root_of(e) for e in returned_parts(function)} & set(given)
        arrays = {p: root_of(e) for p, e in bound.items()}
        stored = written_arrays(function, updates=False)
        if back & (stored | (written & bound.keys())):
            return True
        if back and hands_back(function) and all(isinstance(e, ast.Name | ast.Constant) for e in bound.values()):
            return True  # a view, or the argument itself
        for e in returned_parts(function, items=True) if self.target[1] is call else ():
            p = root_of(e)
            part = isinstance(e, ast.Subscript) or isinstance(bound.get(p), ast.Subscript)  # else it may be a number
            if self.are_written({self.target[0], arrays.get(p, "")} - {""}, updates=part):
                return True
        views = returned_views(function, self.lowering.names.imports.names) if self.target[1] is call else set()
        if any(self.are_written({self.target[0], arrays.get(p, "")} - {""}, updates=True) for p in sorted(views)):
            return True
        return any(arrays.get(p) and arrays[p] == arrays.get(q) for p in written for q in given if p != q)

    def starts(self, call: ast.Call, function: ast.FunctionDef) -> bool:
        """Whether a function makes an object that its caller changes or that can't be put together again from its
        attributes, a dict of which the caller updates entries, or one of new objects."""
        names = self.bound_to.get(call, [])
        returns = new_structures(function) if names else []
        if len(names) < 2:
            return any(self.is_started(n, e, function) for n in names for e in returns)
        shown = [e.elts for e in returns if isinstance(e, ast.Tuple)]
        return any(self.is_started(n, e, function) for elts in shown for n, e in zip(names, elts, strict=False))

    def starts_items(self, call: ast.Call, function: ast.FunctionDef) -> bool:
        """Whether a function makes a list of objects that are changed behind the call, or that can't be put together
        again from their attributes."""
        cls = self.lowering.class_of_item(call)
        if cls is None or affects(function, self.lowering.names):
            return False
        own = {n.attr for n in body_nodes(self.lowering.node) if isinstance(n, ast.Attribute) and is_stored(n)}  # type: ignore[union-attr]
        return not self.makes(cls) or not cls.fields.keys().isdisjoint(own | self.lowering.bound_by_calls())

    def is_started(self, name: str, e: ast.expr, function: ast.FunctionDef) -> bool:
        """The same for what a function returns, which is taken apart here where it is a tuple: `r, p = both`."""
        if not name:
            return False
        if isinstance(e, ast.Dict):
            return self.is_changed(name) or self.holds_new(e, function)
        if isinstance(e, ast.Call):
            return self.is_changed(name) or self.is_closed(e)
        if not isinstance(e, ast.Tuple):
            return False
        for n in body_nodes(self.lowering.node):
            match n:
                case ast.Assign(targets=[ast.Tuple(elts=parts)], value=ast.Name(id=root)) if root == name:
                    pairs = zip(parts, e.elts, strict=False)
                    if any(isinstance(t, ast.Name) and self.is_started(t.id, x, function) for t, x in pairs):
                        return True
        return False

    def holds_new(self, e: ast.Dict, function: ast.FunctionDef) -> bool:
        """Whether all that a dict holds is objects with methods that a function makes."""
        bound = Bindings(body_nodes(function))
        passed = {a.arg for a in parameters(function)}

        def is_new(e: ast.expr) -> bool:
            if isinstance(e, ast.Name):  # what is bound once, and not from itself: a parameter may be, `t = t`
                once = e.id not in passed and len(bound[e.id].values) == bound[e.id].stores == 1
                return once and is_new(bound[e.id].values[0])
            cls = self.lowering.class_of(e.func) if isinstance(e, ast.Call) else None
            return cls is not None and cls.is_known and bool(cls.methods)

        return bool(e.values) and all(map(is_new, e.values))

    def chooses_class(self, call: ast.Call, function: ast.FunctionDef) -> bool:
        """Whether only this call tells of which class the object is that a function makes: `make("soft")`, or only the
        run does."""
        made_there = (
            [e.func for e in new_structures(function) if isinstance(e, ast.Call)] if self.bound_to.get(call) else []
        )
        if len({cls.name for func in made_there if (cls := self.lowering.class_of(func)) is not None}) > 1:
            return True
        if self.lowering.as_called(function, call) is function:
            return False
        kinds = self.lowering.kinds()
        given = [kinds.kind(a) for a in call.args]
        known = isinstance(kinds.kind(call), ClassInfo)
        return known and not isinstance(kinds.returned(function, given, call.keywords), ClassInfo)

    def is_closed(self, call: ast.Call) -> bool:
        """Whether a call makes an object that does more than to keep what it is given."""
        cls = self.lowering.class_of(call.func) if isinstance(call.func, ast.Name) else None
        return cls is not None and cls.is_known and not self.makes(cls) and not self.stands(call, cls)

    def exchanges(self, call: ast.Call, function: ast.FunctionDef) -> bool:
        """Whether a function writes into two arrays that change their names here: `step(a, b); a, b = b, a`."""
        given = [p.arg for p in (*function.args.posonlyargs, *function.args.args)]
        bound = dict(zip(given, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
        written = written_arrays(function)
        arrays = {e.id for p, e in bound.items() if p in written and isinstance(e, ast.Name)}
        if len(arrays) < 2:
            return False
        groups: list[set[str]] = []
        for n in body_nodes(self.lowering.node):
            match n:
                case ast.Assign(targets=[ast.Name(id=a)], value=ast.Name(id=b)):
                    groups.append({a, b})
                case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                    pairs = zip(targets, values, strict=False)
                    groups += [{t.id, v.id} for t, v in pairs if isinstance(t, ast.Name) and isinstance(v, ast.Name)]
        found = {min(arrays)}
        while near := [g for g in groups if g & found and not g <= found]:
            found = found.union(*near)
        return len(found & arrays) > 1

    def touches(self, call: ast.Call, function: ast.FunctionDef) -> bool:
        """Whether a function that is called in a loop writes into some items of an array only: which ones these are is
        seen where its text stands. Of a call, all of the array would be kept for the way back, each time."""
        if not self.loops:
            return False
        return bool(parts.touched(function, self.lowering.names.functions))

    def touches_captured(self, function: ast.FunctionDef) -> bool:
        """The same for arrays that a function inside of this one captures."""
        return bool(self.loops and parts.touched(function, {}, free_names(function)))

    def picks(self, call: ast.Call, function: ast.FunctionDef, receiver: ast.expr | None = None) -> bool:
        """Whether a function does nothing but pick items of a list that it is given, and one of them is changed here,
        or, of a list that the caller gives, its attributes are read."""
        given = [p.arg for p in (*function.args.posonlyargs, *function.args.args)]
        lists = picked_lists(only_result(function)) & {*given}
        values = call.args if receiver is None else [receiver, *call.args]
        bound = dict(zip(given, values, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
        roots = {root_of(bound[p]) for p in lists & bound.keys()} - {""}
        if not roots:
            return False
        results = {*self.bound_to.get(call, [])}
        names = self.lowering.seen_through(roots | results)
        read = results if roots & self.lowering.params else set()
        for n in body_nodes(self.lowering.node):
            match n:
                case ast.Attribute(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store()) if root_of(n) in names:
                    return True
                case ast.AugAssign(target=ast.Name(id=name)) if name in names:
                    return True
                case ast.Attribute(value=ast.Name(id=name), attr=attr) if name in read and attr not in OF_VALUES:
                    return True
        return False

    def is_changed(self, name: str) -> bool:
        """Whether an attribute of an object is bound here, an entry of a dict updated, or a list in one of them gets or
        loses items."""
        lists: set[str] = set()  # names of what may be a list that lies in the object
        for n in body_nodes(self.lowering.node):
            match n:
                case ast.Assign(targets=[target], value=ast.Name(id=root)) if root == name:
                    lists |= set(target_names(target)) if isinstance(target, ast.Tuple) else set()
                case ast.Assign(targets=[ast.Name(id=second)], value=place) if root_of_part(place) == name:
                    lists.add(second)
        for n in body_nodes(self.lowering.node):
            match n:
                case ast.Call(func=ast.Attribute(value=place, attr=attr)) if root_of_part(place) == name:
                    if attr in OF_LISTS:
                        return True
                case ast.Call() if changed_list(n) in lists:
                    return True
                case ast.Attribute(ctx=ast.Store()) if root_of(n) == name:
                    return True
                case ast.AugAssign(target=ast.Subscript(value=ast.Name(id=root), slice=key)) if root == name:
                    if isinstance(key, ast.Constant) and isinstance(key.value, str):
                        return True
                case ast.Call(func=ast.Attribute(value=ast.Name(id=root) as receiver, attr=attr)) if root == name:
                    cls = self.lowering.kinds().kind(receiver)
                    method = cls.methods.get(attr) if isinstance(cls, ClassInfo) else None
                    if method is not None and self.affects(method):
                        return True
        return False

    def are_written(self, arrays: set[str], updates: bool) -> bool:
        """Whether the function stores into one of these; updates: or has `x += e` of one."""
        places: list[ast.expr] = []
        for n in body_nodes(self.lowering.node):
            match n:
                case ast.Subscript(ctx=ast.Store()):
                    places.append(n)
                case ast.AugAssign(target=ast.Name() as updated) if updates:
                    places.append(updated)
        return any(root_of(n) in arrays for n in places)

    def fills(self, call: ast.Call, function: ast.FunctionDef) -> bool:
        """Whether a function binds items of a list anew that it is given."""
        given = [p.arg for p in (*function.args.posonlyargs, *function.args.args)]
        bound = dict(zip(given, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
        lists = {p for p, e in bound.items() if isinstance(e, ast.Name) and self.lowering.is_written_list(e.id)}
        return bool(lists & written_arrays(function, updates=False))

    # ------------------------------------------------------------ statements

    def block(self, body: List[ast.stmt], stack: tuple[Inlined, ...]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for s in body:
            looped = isinstance(s, ast.For | ast.While)
            self.loops += looped
            for inner in blocks_of(s):
                inner[:] = self.block(inner, stack) or [made(ast.Pass(), t) for t in inner[:1]]
                self.lowering.forget_bindings()
            self.loops -= looped
            out += self.statement(s, stack)
        return out

    def exchange(self, s: ast.stmt, old: ast.expr, new: ast.expr) -> None:
        exchange(s, old, new)
        self.lowering.forget_bindings()

    def numbered_rest(self, s: ast.stmt) -> None:
        """`for q in ps[i + 1 :]` as `for j in range(i + 1, len(ps))` with `q = ps[j]`, of a list of objects.

        The list stays as it is meanwhile, and the number is none below zero.
        """
        match s:
            case ast.For(
                iter=ast.Subscript(value=items, slice=ast.Slice(lower=ast.expr() as start, upper=None, step=None))
            ):
                pass
            case _:
                return
        if not is_place(items) or self.lowering.class_of_item(items) is None:
            return
        nodes = [n for t in self.lowering.node.body for n in walk(t)]
        parents = {id(c): n for n in nodes for c in children(n)}
        least = least_values(self.lowering.node, nodes)
        lowest = least_value(start, least | least_in_loops(start, parents, least))
        inside = [n for t in s.body for n in walk(t)]
        changed = any(isinstance(n, ast.Attribute) and n.attr in RESIZED for n in inside)
        parts = {n.attr for n in walk(items) if isinstance(n, ast.Attribute)}
        stores = [n for n in inside if isinstance(n, ast.Attribute | ast.Subscript) and not isinstance(n.ctx, ast.Load)]
        changed |= any(n.attr in parts if isinstance(n, ast.Attribute) else is_same(n.value, items) for n in stores)
        if lowest is None or lowest < 0 or changed or {root_of(items), *read_names(start)} & bound_names(inside):
            return
        own = self.free("j")
        first = made(ast.Assign([s.target], made(ast.Subscript(items, name(own, s), ast.Load()), s)), s)
        stop = made(ast.Call(name("len", s), [copy.deepcopy(items)], []), s)
        s.iter = made(ast.Call(name("range", s), [start, stop], []), s.iter)
        s.target = name(own, s, ast.Store())
        s.body.insert(0, first)
        self.lowering.locals.add(own)
        self.lowering.forget_bindings()
        self.done = True

    def statement(self, s: ast.stmt, stack: tuple[Inlined, ...]) -> list[ast.stmt]:
        self.numbered_rest(s)
        if (branches := self.as_branches(s)) is not None:
            return self.block([branches], stack)
        if isinstance(s, ast.While) and self.is_called_in_test(s):
            tests = [made(ast.If(made(ast.UnaryOp(ast.Not(), e), e), [made(ast.Break(), s)], []), s) for e in each(s)]
            s.body[:0] = self.block(tests, stack)
            s.test = made(ast.Constant(True), s.test)
        if isinstance(s, ast.If) and not s.orelse and any(self.writes_in(e) for e in each(s)[1:]):
            first, *rest = each(s)  # if a and relax(u): ...
            other = rest[0] if len(rest) == 1 else made(ast.BoolOp(ast.And(), rest), s.test)
            s.test, s.body = first, self.block([made(ast.If(other, s.body, []), s)], stack)
        before = (
            self.named_iterables(s)
            or self.as_loops(s)
            or self.one_by_one(s)
            or self.named_receivers(s)
            or self.tested(s)
            or self.named_key(s)
        )
        if before:
            written: list[ast.stmt] = []
            self.pending.append(written)
            for one in before:
                written += self.block([one], stack)
            behind = self.statement(s, stack)
            self.pending.pop()
            return [*written, *behind]
        before += self.put_expressions(s)
        self.pending.append(before)
        out = self.with_calls(s, before, stack)
        self.pending.pop()
        return out

    def with_calls(self, s: ast.stmt, before: list[ast.stmt], stack: tuple[Inlined, ...]) -> list[ast.stmt]:
        """The statement behind the texts of the functions that it calls; before: those of them that are there."""
        while (call := next(self.candidates(s), None)) is not None:
            if (cls := self.constructor(call)) is not None:
                made_here = self.constructed(s, call, cls, stack)
                if made_here is None:
                    break
                before += made_here
                if isinstance(s, ast.Assign) and s.value is call:
                    return before
                continue
            found = self.callee(call)
            assert found is not None
            function, receiver, cls = found
            if (
                (key := inlined(function, cls, self.one_object(receiver))) in stack
                or key in getattr(call, "inside", ())
                or len(stack) >= DEPTH
                or self.is_own(function)
            ):
                if self.affects(function):
                    break
                self.standing.add(call)
                continue
            if not self.is_movable(s, call, receiver):
                first = self.put_before(s, call, receiver)
                if first is None:
                    break
                before += first
            whole = isinstance(s, SIMPLE) and getattr(s, "value", None) is call and not isinstance(s, ast.AugAssign)
            starts = whole and (self.starts(call, function) or self.starts_items(call, function))
            written = self.written(call, function, receiver, cls, isinstance(s, ast.Expr) and whole, whole)
            if written is None:
                break
            self.done = True
            statements, result = written
            if cls is not None and receiver is not None:
                before += self.guard(s, receiver, cls, function.name)
                before += self.item_guard(s, receiver, cls, function.name)
            self.pending.append(statements)
            before += self.block(statements, (*stack, key))
            self.pending.pop()
            if isinstance(s, ast.Expr) and whole:
                return before
            assert result is not None
            self.exchange(s, call, result)
            owned = starts or (isinstance(result, ast.Name) and self.lowering.class_of_value(result) is not None)
            if whole and owned and isinstance(result, ast.Name):
                s.same = True  # type: ignore[attr-defined]
        return [*before, s]

    def as_branches(self, s: ast.stmt) -> ast.If | None:
        """spring = Spring(k) if stiff else Spring(m) with a branch for each, where the text of a constructor, or of a
        function, has to stand there."""
        match s:
            case ast.Assign(value=ast.IfExp() as choice) | ast.Return(value=ast.IfExp() as choice):
                sides = [choice.body, choice.orelse]
            case _:
                return None
        calls = [n for side in sides for n in evaluated(side) if isinstance(n, ast.Call)]
        if not any(self.is_closed(n) or self.callee(n) is not None for n in calls if n not in self.standing):
            return None
        blocks: list[list[ast.stmt]] = []
        for side in sides:
            one = copy.copy(s)
            one.value = side
            if isinstance(one, ast.Assign):
                one.targets = [copy.deepcopy(t) for t in one.targets]
            blocks.append([one])
        out = made(ast.If(choice.test, *blocks), s)
        self.lowering.notes[id(out)] = self.lowering.notes.get(id(s), NOTHING)
        self.lowering.forget_bindings()
        self.done = True
        return out

    def as_loops(self, s: ast.stmt) -> list[ast.stmt]:
        """sum(p.norm() for p in points) as a loop that adds up, and any other comprehension whose items' methods are
        called as one that appends: what has to hold of each item can be said there."""
        last = s.value if isinstance(s, ast.Expr) else None  # `rows.append([...])` is done behind all that it is given
        for e in (e for root in self.roots(s) for e in walk(root)):
            if isinstance(e, ast.NamedExpr) or (is_mutating(e) and e is not last and self.callee(e) is None):
                return []
        every = [pair for root in self.roots(s) for pair in comprehended(root)]
        for _, comprehension in every:
            self.put_in(s, comprehension)
        found = [
            pair
            for pair in every
            if self.asks_items(pair[1]) or self.asks_places(pair[1]) or self.calls_written(pair[1])
        ]
        if not found:
            return []
        whole, comprehension = found[0]
        if not self.sees_the_same(s, whole) or self.is_seen(s, whole):
            return []
        own = self.free("total" if isinstance(whole, ast.Call) else "items")
        used = [n.id for s in self.lowering.node.body for n in walk(s) if isinstance(n, ast.Name)]
        inside = [n.id for n in walk(comprehension) if isinstance(n, ast.Name)]
        targets = {n for g in comprehension.generators for n in target_names(g.target)}
        first_items = [*walk(comprehension.generators[0].iter)]  # what has the same name there is another variable
        theirs = {n.arg for n in first_items if isinstance(n, ast.arg)}
        theirs |= {x for n in first_items if isinstance(n, ast.comprehension) for x in target_names(n.target)}
        fresh: dict[str, ast.expr] = {}
        for n in sorted(targets):
            if n in self.lowering.params or n in theirs or used.count(n) > inside.count(n):
                fresh[n] = name(self.free(n), comprehension)
        inner = Exchanged(fresh).visit(copy.deepcopy(comprehension)) if fresh else comprehension
        inner.generators[0].iter = comprehension.generators[0].iter  # does not see the variables
        value: ast.stmt
        if isinstance(whole, ast.Call):
            start = whole.args[1] if len(whole.args) > 1 else made(ast.Constant(0), s)
            first = assignment(own, start, whole)
            value = assignment(own, made(ast.BinOp(name(own, s), ast.Add(), inner.elt), s), whole)
        else:
            first = assignment(own, made(ast.List([], ast.Load()), s), whole)
            append = made(ast.Attribute(name(own, s), "append", ast.Load()), s)
            value = made(ast.Expr(made(ast.Call(append, [inner.elt], []), s)), s)
        for g in reversed(inner.generators):
            for test in reversed(g.ifs):
                value = made(ast.If(test, [value], []), s)
            value = made(ast.For(g.target, g.iter, [value], []), s)
        for n in (own, *(targets - fresh.keys()), *(cast(ast.Name, e).id for e in fresh.values())):
            self.lowering.locals.add(n)
            self.lowering.bound.add(n)
        self.lowering.notes[id(first)] = self.lowering.notes.get(id(s), NOTHING)
        self.exchange(s, whole, name(own, whole))
        self.done = True
        return [first, value]

    def named_iterables(self, s: ast.stmt) -> list[ast.stmt]:
        """sum(np.sum(p**2) for p in net.parameters()) as parameters = net.parameters(), and the sum over these, where
        the text of the method has to stand there: what a comprehension runs over is evaluated before it."""
        for _, comprehension in (pair for root in self.roots(s) for pair in comprehended(root)):
            call = comprehension.generators[0].iter
            if not isinstance(call, ast.Call) or call in self.standing or self.callee(call) is None:
                continue
            receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
            first = [] if self.may_be_first(s, call, receiver) else self.put_before(s, call, receiver)
            if first is None:
                continue
            own = self.free("items")
            self.lowering.locals.add(own)
            self.temps.add(own)
            named = assignment(own, call, s)
            named.same = True  # type: ignore[attr-defined]
            self.lowering.notes[id(named)] = self.lowering.notes.get(id(s), NOTHING)
            self.exchange(s, call, name(own, call))
            self.done = True
            return [*first, named]
        return []

    def put_in(self, s: ast.stmt, e: ast.ListComp | ast.GeneratorExp) -> None:
        """[p.moved(h) for p in ps] as [P(p.x + h * p.v, p.v) for p in ps]: methods and properties that are one
        expression, of objects that are made here; what their class holds as the class's."""
        env = {
            n: cls
            for g in e.generators
            for n, items in looped(g.target, g.iter)
            if (cls := self.lowering.class_of_item(items)) is not None and not self.lowering.is_given(items)
        }

        def inside() -> list[ast.AST]:
            return [n for x in (e.elt, *(t for g in e.generators for t in g.ifs)) for n in walk(x)]

        for n in inside() if env else ():
            called = n.func.id if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) else ""
            if called in env and "__call__" in env[called].methods:  # p(x)
                of = cast(ast.Call, n)
                of.func = made(ast.Attribute(of.func, "__call__", ast.Load()), of.func)
                self.lowering.forget_bindings()
                self.done = True
        again = bool(env)
        while again:
            again = False
            for n in inside():
                func = n.func if isinstance(n, ast.Call) else n
                if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id in env:
                    cls = env[func.value.id]
                    put = self.text_of(n, func.value, cls, is_place)
                    if (
                        n is func
                        and func.attr in cls.constants
                        and not cls.prefix
                        and not self.lowering.is_local(cls.name)
                    ):
                        put = made(ast.Attribute(name(cls.name, n), func.attr, ast.Load()), n)  # p.scale
                    if put is not None:
                        self.exchange(s, cast(ast.expr, n), put)
                        self.done = again = True
                        break

    def text_of(
        self, n: ast.AST, receiver: ast.expr, cls: ClassInfo, again: Callable[[ast.expr], bool] = lambda e: False
    ) -> ast.expr | None:
        """The expression that a call of a method, or a property, of an object stands for. again: arguments that may be
        evaluated more than once, beside names."""
        match n:
            case ast.Call(func=ast.Attribute(attr=attr), args=args, keywords=[]):
                is_property = False
            case ast.Attribute(attr=attr, ctx=ast.Load()):
                is_property, args = True, []
            case _:
                return None
        if cls.prefix or not cls.is_known or attr not in cls.methods or attr in cls.strange | cls.statics:
            return None
        method = cls.methods[attr]
        if (attr in cls.properties) != is_property or attr in cls.class_methods or self.affects(method):
            return None
        body = one_expression(method)
        params = [p.arg for p in parameters(method)]
        simple = all(isinstance(e, ast.Name | ast.Constant) or has_slice(e) or again(e) for e in args)
        if body is None or len(params) != len(args) + 1 or not simple:
            return None
        if {x for x in free_names(method) if x not in params} & self.lowering.locals:
            return None
        return cast(ast.expr, Exchanged(dict(zip(params, [receiver, *args], strict=True))).visit(copy.deepcopy(body)))

    def asks_items(self, e: ast.ListComp | ast.GeneratorExp) -> bool:
        """Whether a comprehension calls methods or operators of objects that it runs over, or reads properties."""
        for g in e.generators:
            for of, items in looped(g.target, g.iter):
                cls = self.lowering.class_of_item(items)
                if cls is None:
                    continue
                for n in walk(e):
                    match n:
                        case ast.Attribute(value=ast.Name(id=x), attr=attr) if x == of:
                            if attr in cls.methods:
                                return True
                        case ast.BinOp(left=a, right=b) if any(m in SPECIAL for m in cls.methods):
                            if any(isinstance(x, ast.Name) and x.id == of for x in (a, b)):
                                return True
        return False

    def asks_places(self, e: ast.ListComp | ast.GeneratorExp) -> bool:
        """Whether a comprehension calls methods of objects by their keys in a list or a dict, which need a name."""
        for n in walk(e):
            match n:
                case ast.Attribute(value=ast.Subscript(value=ast.Name() as items, slice=key), attr=attr) if (
                    not isinstance(key, ast.Slice | ast.Tuple)
                ):
                    cls = self.lowering.class_of_member(items)
                    if cls is not None and attr in cls.methods and self.are_named(items, cls):
                        return True
        return False

    def calls_written(self, e: ast.ListComp | ast.GeneratorExp) -> bool:
        """Whether the items of a comprehension are results of functions that change objects, `[cell.step(x) for x in
        xs]`, or of methods of objects whose parts are variables here."""
        for n in (n for n in walk(e.elt) if isinstance(n, ast.Call)):
            if (found := self.callee(n)) is not None:
                function, receiver, cls = found
                if self.affects(function) or (receiver and cls and self.stays_apart(receiver, cls)):
                    return True
        return False

    def one_by_one(self, s: ast.stmt) -> list[ast.stmt]:
        """p, q = Body(a), start(b) as p = Body(a); q = start(b), where this makes objects that are changed here, and
        p, q = bodies[i], bodies[j], of a list of objects."""
        match s:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                names = [t.id for t in targets if isinstance(t, ast.Name)]
            case _:
                return []
        if len(names) < len(targets) or len(targets) != len(values):
            return []
        if set(names) & self.lowering.read_through([s.value]):
            return []
        self.bound_to = {v: [n] for n, v in zip(names, values, strict=True)}
        calls = [v for v in values if isinstance(v, ast.Call)]
        started = any((found := self.callee(v)) is not None and self.starts(v, found[0]) for v in calls)
        started = started or any(self.constructor(v) is not None for v in calls)
        if not started and not all(map(self.is_object_in_list, values)):
            return []
        out: list[ast.stmt] = [assignment(n, v, s) for n, v in zip(names[:-1], values, strict=False)]
        for first in out:
            self.lowering.notes[id(first)] = self.lowering.notes.get(id(s), NOTHING)
        s.targets, s.value = targets[-1:], values[-1]
        self.lowering.forget_bindings()
        self.done = True
        return out

    def is_object_in_list(self, e: ast.expr) -> bool:
        """bodies[i + 1]"""
        match e:
            case ast.Subscript(value=items, slice=key) if is_place(items) and not isinstance(key, ast.Slice):
                plain = ast.Name | ast.Constant | ast.BinOp | ast.UnaryOp
                computed = any(isinstance(n, ast.expr) and not isinstance(n, plain) for n in walk(key))
                return not computed and self.lowering.class_of_member(items) is not None
        return False

    def named_receivers(self, s: ast.stmt) -> list[ast.stmt]:
        """Layer(W).forward(x) as layer = Layer(W); layer.forward(x); so what a function makes: mid(p, q).norm()

        And what is called itself: Layer(W)(x) as layer.__call__(x).
        """
        out: list[ast.stmt] = self.named_place(s)
        self.pending.append(out)
        for root in self.roots(s):
            for n in [*evaluated(root)]:
                if isinstance(n, ast.Call) and isinstance(of := n.func, ast.Call):
                    called = self.lowering.class_of(of.func)
                    if called is not None and "__call__" in called.methods:
                        n.func = itself = made(ast.Attribute(of, "__call__", ast.Load()), of)
                        n = itself
                if isinstance(n, ast.Attribute) and isinstance(item := n.value, ast.Subscript):
                    out += self.named_item(s, n, item)
                if not isinstance(n, ast.Attribute) or not isinstance(call := n.value, ast.Call):
                    continue
                again = self.lowering.class_remade(call) is not None  # state.step(dt).norm()
                if self.lowering.is_local_root(call.func) and not again:
                    continue
                cls = self.lowering.class_of_result(call)
                helper = isinstance(call.func, ast.Name) and call.func.id in self.lowering.names.functions
                if cls is None and helper and self.lowering.known_classes():
                    kind = self.lowering.kinds().kind(call)
                    cls = kind if isinstance(kind, ClassInfo) else None
                if cls is None or not cls.is_known or n.attr in cls.strange:
                    continue
                method = helper and n.attr in cls.methods.keys() | cls.properties
                method |= again and cls.has(n.attr)
                if self.lowering.class_of(call.func) is None and n.attr != "_replace" and not method:
                    continue
                receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
                before = [] if self.may_be_first(s, call, receiver) else self.put_before(s, call, receiver)
                if before is None:
                    continue
                out += before
                own = self.free(cls.name.lower())
                self.lowering.locals.add(own)
                self.lowering.bound.add(own)
                self.lowering.local_classes[own] = cls
                self.temps.add(own)
                first = assignment(own, call, s)
                self.lowering.notes[id(first)] = self.lowering.notes.get(id(s), NOTHING)
                out.append(first)
                n.value = name(own, call)
                self.lowering.forget_bindings()
                root.made = True  # type: ignore[attr-defined]
                self.done = True
        self.pending.pop()
        return out

    def named_item(self, s: ast.stmt, n: ast.Attribute, item: ast.Subscript) -> list[ast.stmt]:
        """bodies[i].step(h) as body = bodies[i]; body.step(h), where the method changes the object, where that may
        be one of a subclass, so that it has to be asked which method it is, or where it can't be handed to the method,
        as it is no more than what its constructor has computed."""
        if dotted(item.value) is None or self.lowering.chain(item) is not None:
            return []
        cls = self.lowering.class_of_member(item.value)
        method = cls.methods.get(n.attr) if cls is not None else None
        if cls is None or method is None or not (self.affects(method) or self.are_named(item.value, cls)):
            return []
        return self.item_named(s, n, item, cls) if self.sees_the_same(s, item) else []

    def are_named(self, items: ast.expr, cls: ClassInfo) -> bool:
        """Whether items of a list, or entries of a dict, need a name where their methods are called."""
        return self.lowering.is_given(items) or not self.makes(cls) or self.lowering.class_of_item(items) is None

    def named_place(self, s: ast.stmt) -> list[ast.stmt]:
        """bodies[i].v += h as body = bodies[i]; body.v += h, of a list that the caller gives, or that holds its
        objects: of those that are made here the place is the name (`rewrites.items`)."""
        match s:
            case ast.AugAssign(target=target, value=value) | ast.Assign(targets=[target], value=value):
                pass
            case _:
                return []
        inner: ast.expr = target
        while isinstance(inner, ast.Subscript | ast.Attribute):
            match inner:
                case ast.Attribute(value=ast.Subscript(value=ast.Name() as items, slice=key) as item) if not isinstance(
                    key, ast.Slice | ast.Tuple
                ):
                    cls = self.lowering.class_of_item(items)
                    if cls is None or inner.attr not in cls.fields or not self.lowering.is_given(items):
                        return []
                    if any(isinstance(n, ast.NamedExpr) or is_mutating(n) for n in (*walk(value), *walk(key))):
                        return []
                    own_calls = [n for n in (*walk(value), *walk(key)) if isinstance(n, ast.Call)]
                    return [] if any(map(self.has_effects, own_calls)) else self.item_named(s, inner, item, cls)
            inner = inner.value
        return []

    def item_named(self, s: ast.stmt, n: ast.Attribute, item: ast.Subscript, cls: ClassInfo) -> list[ast.stmt]:
        """`body = bodies[i]`, and the name in place of the item whose attribute is asked for."""
        item.ctx = ast.Load()
        own = self.free(cls.name.lower())
        self.lowering.locals.add(own)
        self.lowering.bound.add(own)
        first = assignment(own, item, s)
        self.lowering.notes[id(first)] = self.lowering.notes.get(id(s), NOTHING)
        n.value = name(own, item)
        self.lowering.forget_bindings()
        self.done = True
        return [first]

    def roots(self, s: ast.stmt) -> list[ast.expr]:
        """The expressions of a statement that are evaluated once, before what the statement does."""
        match s:
            case ast.If(test=e) | ast.For(iter=e):
                return [e]
            case ast.Assign() | ast.AugAssign() | ast.AnnAssign() | ast.Expr() | ast.Return():
                return [s.value] if s.value is not None else []
        return []

    def is_called_in_test(self, s: ast.While) -> bool:
        """Whether the test of a loop calls what is to be written out: `while solver.step() > tol`."""
        return not s.orelse and any(
            self.writes_in(e)
            or any(isinstance(n, ast.Call) and n not in self.standing and self.callee(n) for n in evaluated(e))
            for e in each(s)
        )

    def writes_in(self, e: ast.expr) -> ast.Call | None:
        """The first call in a test of a function that writes into an array which it is given."""
        for n in evaluated(e):
            match n:
                case ast.Call(func=ast.Name(id=name) as func) if n not in self.standing and self.callee(n) is None:
                    function = self.lowering.names.functions.get(name)
                    known = self.lowering.resolve(func) == (f"local.{name}", None)
                    if known and isinstance(function, ast.FunctionDef) and written_arrays(function):
                        return n
        return None

    def named_key(self, s: ast.stmt) -> list[ast.stmt]:
        """`counts[cell.step(x)] += 1` with the key in a statement of its own, before what lies there is read."""
        match s:
            case ast.AugAssign(target=ast.Subscript(value=ast.Name()) as place):
                first: list[ast.stmt] = []
                for key in parts_of_key(place.slice):
                    if any(
                        isinstance(n, ast.Call) and n not in self.standing and self.callee(n) for n in evaluated(key)
                    ):
                        own = self.free("key")
                        self.lowering.locals.add(own)
                        first.append(name_key(s, place, own, key))
                        self.lowering.forget_bindings()
                        self.lowering.notes[id(first[-1])] = self.lowering.notes.get(id(s), NOTHING)
                return first
        return []

    def tested(self, s: ast.stmt) -> list[ast.stmt]:
        """`if relax(u) < tol` as a statement of its own, and a test of what it gives."""
        call = self.writes_in(s.test) if isinstance(s, ast.If) else None
        if call is None or not isinstance(call.func, ast.Name):
            return []
        first: list[ast.stmt] | None = [] if self.is_movable(s, call, None) else self.put_before(s, call, None)
        if first is None:
            return []
        target = self.free(call.func.id.strip("_"))
        self.temps.add(target)
        self.lowering.locals.add(target)
        value = made(ast.Call(call.func, call.args, call.keywords), call)
        self.exchange(s, call, name(target, call))
        self.done = True
        return [*first, assignment(target, value, call)]

    def candidates(self, s: ast.stmt) -> Iterator[ast.Call]:
        """The calls of a statement that are to be written out, in the order of their evaluation."""
        self.target, self.bound_to = ("", None), {}
        match s:
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.Call() as whole):
                self.target, self.bound_to = (target, whole), {whole: [target]}
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Call() as whole):
                self.bound_to = {whole: [getattr(t, "id", "") for t in targets]}
        for root in self.roots(s):
            for n in evaluated(root):
                if not isinstance(n, ast.Call) or n in self.standing:
                    continue
                if self.constructor(n) is not None or self.callee(n) is not None:
                    yield n

    def constructed(
        self, s: ast.stmt, call: ast.Call, cls: ClassInfo, stack: tuple[Inlined, ...]
    ) -> list[ast.stmt] | None:
        """An object without attributes, and the statements of its constructor."""
        assert cls.init is not None
        place: ast.expr | None = None
        bound_here = True  # by the statement, to a name or an attribute
        match s:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if value is call:
                own = target
            case ast.Assign(targets=[ast.Attribute() as part], value=value) if (
                value is call and self.lowering.chain(part) is not None and self.is_made_here(part)
            ):
                place, own = part, root_of(part)
            case _:
                own, bound_here = self.free(cls.name.lower()), False
        if inlined(cls.init, cls) in stack or len(stack) >= DEPTH or (own in read_names(call) and place is None):
            return None
        empty = made(ast.Call(call.func, [], []), call)
        empty.empty = True  # type: ignore[attr-defined]
        receiver: ast.expr = name(own, call) if place is None else loaded(place)
        self.owner = own if place is None else "_".join(dotted(place) or [own])
        written = self.written(call, cls.init, receiver, cls, True, True)
        self.owner = ""
        if written is None:
            return None
        self.done = True
        if place is None:
            self.lowering.locals.add(own)
            self.lowering.local_classes[own] = cls
            self.objects[own] = cls.name
        first = ast.copy_location(ast.Assign([place or name(own, call, ast.Store())], empty), s)
        self.lowering.notes[id(first)] = self.lowering.notes.get(id(s), NOTHING)
        if not bound_here:
            self.exchange(s, call, receiver)
        return [first, *self.block(written[0], (*stack, inlined(cls.init, cls)))]

    def put_expressions(self, s: ast.stmt) -> list[ast.stmt]:
        """Properties, and methods that are one expression and change nothing, where they can be evaluated anywhere.

        Gives what has to hold of the objects.
        """
        before: list[ast.stmt] = []
        again = True
        while again:
            again = False
            for n in list(own_expressions(s)):
                self.asserted: list[ast.stmt] = []
                put = self.expression(n, s)
                if put is not None and not (self.asserted and isinstance(s, ast.While)):
                    before += self.asserted
                    func = n.func if isinstance(n, ast.Call) else n
                    if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name):
                        cls = self.class_of(func.value)
                        if cls is not None and func.attr in cls.methods and self.is_item(func.value):
                            if isinstance(s, ast.While):
                                continue
                            before += self.item_guard(s, func.value, cls, func.attr)
                    self.exchange(s, cast(ast.expr, n), put)
                    self.done = again = True
                    break
        return before

    def expression(self, n: ast.AST, s: ast.stmt) -> ast.expr | None:
        """What a call of an object's method stands for, or a property, where that is one expression."""
        if isinstance(n, ast.Call) and (anew := self.constructed_anew(n)) is not None:
            return anew
        match n:
            case ast.Call(func=(ast.Name() | ast.Attribute() | ast.Subscript()) as func) if (
                (cls := self.class_called(func)) is not None and "__call__" in cls.methods and func not in self.called
            ):
                self.called.append(func)
                return made(ast.Call(made(ast.Attribute(func, "__call__", ast.Load()), n), n.args, n.keywords), n)
            case ast.Call(func=ast.Attribute(value=receiver, attr=attr), keywords=[]):
                is_property = False
            case ast.Attribute(value=receiver, attr=attr, ctx=ast.Load()):
                is_property = True
            case _:
                return None
        cls = self.class_of(receiver)
        if isinstance(n, ast.Attribute) and (shared := self.shared(n)) is not None:
            return shared
        if cls is None or attr not in cls.methods or not (self.is_made_here(receiver) or attr in SPECIAL):
            return None
        if is_property and attr in cls.getters and self.is_made_here(receiver):
            return made(ast.Call(made(ast.Attribute(receiver, cls.getters[attr], ast.Load()), n), [], []), n)
        put = self.text_of(n, receiver, cls)
        if put is not None:
            self.asserted = self.guard(s, receiver, cls, attr)
        return put

    def shared(self, n: ast.Attribute) -> ast.expr | None:
        """The value that all objects of a class share: the number itself, or `Body.names` for what is none."""
        cls = self.class_of(n.value)
        if cls is None or n.attr not in cls.constants or not self.is_made_here(n.value):
            return None
        value = cls.values[n.attr]
        return made(copy.deepcopy(value) if is_number(value) else ast.Attribute(name(cls.name, n), n.attr, n.ctx), n)

    def is_own(self, function: ast.FunctionDef) -> bool:
        """Whether a call is one of the function that is being lowered, by itself."""
        own = self.lowering.node
        return (function.name, function.lineno) == (own.name, own.lineno)

    def reached_by(self, call: ast.Call, receiver: ast.expr | None) -> set[str]:
        """The variables whose values a call may change."""
        roots = {root_of(e) for e in (receiver, *call.args, *(k.value for k in call.keywords)) if e is not None}
        if (nested := self.nested(call.func)) is not None:
            changed = self.affects(nested) or not binds_names_only(nested)
            roots = roots if changed else set()
            roots |= ({*free_names(nested)} if changed else self.outer(nested) | self.captured(nested)) & (
                self.lowering.locals
            )
        if (found := self.callee(call)) is not None:  # its variables have one name here, whichever call they are of
            ids = set(map(id, self.reached(found[0])))
            roots |= {own for (of, _, _), own in self.given.items() if of in ids}
        return roots

    def is_movable(self, s: ast.stmt, call: ast.Call, receiver: ast.expr | None) -> bool:
        """Whether a call may be evaluated before the statement: what is evaluated before it does not see its effect,
        and has none that it would see."""
        if not self.sees_the_same(s, call) or self.is_seen(s, call):
            return False
        roots = self.reached_by(call, receiver)
        inside = set(map(id, walk(call)))
        earlier, later = split_at(s, call)
        if isinstance(s, ast.AugAssign) and not self.keeps(call, s.target):
            earlier += walk(s.target)
        receivers = {  # an object is the same one, whatever happens to it before its method runs
            id(n.func.value)
            for n in later
            if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and isinstance(n.func.value, ast.Name)
        }
        seen = {n.id for n in earlier if isinstance(n, ast.Name) and id(n) not in inside | receivers}
        done = [n for n in earlier if isinstance(n, ast.Call)]
        if self.lowering.read_by_functions(done) & self.lowering.seen_through(roots, self.pending):
            return False
        # what has been made of another name of the same memory; an operand itself is an object, too
        made_of = {c.id for n in earlier for c in walk(n) if c is not n and isinstance(c, ast.Name)} & seen
        return not (seen & roots or made_of & self.lowering.seen_through(roots, self.pending))

    def sees_the_same(self, s: ast.stmt, e: ast.expr) -> bool:
        """Whether nothing that a statement evaluates before an expression changes or binds what that may read."""
        inside = set(map(id, walk(e)))
        changed = self.changed_in(n for n in split_at(s, e)[0] if id(n) not in inside)
        return not changed & self.lowering.read_through([e])

    def is_seen(self, s: ast.stmt, e: ast.expr) -> bool:
        """Whether what a statement evaluates before an expression may read what its operands change or bind."""
        inside = set(map(id, walk(e)))
        earlier = [n for n in split_at(s, e)[0] if isinstance(n, ast.expr) and id(n) not in inside]
        earlier += [s.target] if isinstance(s, ast.AugAssign) else []
        return bool(self.changed_in(n for n in walk(e) if n is not e) & self.lowering.read_through(earlier))

    def changed_in(self, nodes: Iterable[ast.AST]) -> set[str]:
        """The variables that some nodes may change or bind, and those that may see that."""
        changed: set[str] = set()
        for n in nodes:
            if isinstance(n, ast.NamedExpr):
                changed.add(n.target.id)
            elif isinstance(n, ast.Call) and self.has_effects(n):
                changed |= self.lowering.read_through([n])
        return self.lowering.seen_through(changed, self.pending) if changed else changed

    def may_be_first(self, s: ast.stmt, call: ast.Call, receiver: ast.expr | None) -> bool:
        """Whether a call may be evaluated before the statement, as it has no effects, or for these."""
        if self.has_effects(call):
            return self.is_movable(s, call, receiver)
        return self.sees_the_same(s, call) and not self.is_seen(s, call)

    def has_effects(self, call: ast.Call) -> bool:
        """Whether a call may change or bind something: functions inside of this one and methods may, too. Other names
        of this function may stand for any of the functions inside."""
        nested = {n.name: n for n in body_nodes(self.lowering.node) if isinstance(n, ast.FunctionDef)}
        if isinstance(call.func, ast.Attribute):
            methods = (c.methods.get(call.func.attr) for c in self.lowering.names.classes.values())
            if any(m is not None and self.affects(m) for m in methods):
                return True
        elif (root := root_of(call.func)) in self.lowering.locals and root not in nested:
            called = [c.methods.get("__call__") for c in self.lowering.names.classes.values()]
            changing = any(m is not None and self.affects(m) for m in called)
            return changing or any(may_write(f) or outer_names(f) for f in nested.values())
        elif root in self.lowering.names.classes and not self.lowering.names.classes[root].makes:
            return True
        return has_effects(call, {**self.lowering.names.functions, **nested})

    def keeps(self, call: ast.Call, target: ast.expr) -> bool:
        """Whether a call binds no attribute of `state.u`, so that `state.u += state.rate()` adds to what was there."""
        attrs: set[str] = set()
        while isinstance(target, ast.Attribute):
            attrs.add(target.attr)
            target = target.value
        found = self.callee(call)
        if not attrs or not isinstance(target, ast.Name) or found is None:
            return False
        return not any(
            isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store | ast.Del) and n.attr in attrs
            for f in self.reached(found[0])
            for n in walk(f)
        )

    def reached(self, function: ast.FunctionDef) -> list[ast.AST]:
        """A function, and those that it may call, methods by their names."""
        names = self.lowering.names
        out: list[ast.AST] = [function]
        for f in out:
            for n in walk(f):
                match n:
                    case ast.Attribute(attr=attr):
                        called: list[ast.AST | None] = [c.methods.get(attr) for c in names.classes.values()]
                    case ast.Name(id=called_name):
                        cls = names.classes.get(called_name)
                        called = [names.functions.get(called_name), cls.init if cls else None]
                    case _:
                        continue
                out += [x for x in called if x is not None and x not in out]
        return out

    def put_before(self, s: ast.stmt, call: ast.Call, receiver: ast.expr | None) -> list[ast.stmt] | None:
        """body.x + body.step() as x = body.x; x + body.step(): what is evaluated before the call, by itself. What reads
        only names that a text has brought along stays in its place where it may, and a function is called then."""
        own = frozenset(self.lowering.locals)
        out = self.put_before_of(s, call, receiver, own)
        brought = bound_names([n for block in self.pending for t in block for n in walk(t)])
        if out is None and receiver is not None and not brought <= own:
            return self.put_before_of(s, call, receiver, own | brought)
        return out

    def put_before_of(
        self, s: ast.stmt, call: ast.Call, receiver: ast.expr | None, own: frozenset[str]
    ) -> list[ast.stmt] | None:
        """The same for what reads one of these names."""
        out: list[ast.stmt] = []
        exchanged: list[tuple[ast.expr, ast.Name]] = []

        def undone() -> None:
            for e, own_name in reversed(exchanged):
                self.exchange(s, own_name, e)
                self.lowering.locals.discard(own_name.id)

        changed = self.reached_by(call, receiver)
        changed |= self.lowering.seen_through(changed, self.pending) | self.changed_in(walk(call))
        target = s.target if isinstance(s, ast.AugAssign) else None  # is read before all of the value
        plain = target is None or isinstance(target, ast.Name) or self.keeps(call, target)
        for root in self.roots(s) if plain else ():
            up: ast.expr = root
            while up is not call:
                parts = in_turn(up)
                at = next((i for i, e in enumerate(parts) if any(n is call for n in walk(e))), None)
                if at is None:
                    undone()
                    return None
                for e in parts[:at]:
                    if isinstance(e, ast.Constant) or not read_names(e) & own:
                        continue
                    if not read_names(e) & changed and not any(
                        isinstance(n, ast.Call | ast.NamedExpr) for n in walk(e)
                    ):
                        continue
                    if isinstance(e, ast.Starred | ast.Lambda):
                        undone()
                        return None
                    before = self.free(f"{e.attr}_before" if isinstance(e, ast.Attribute) else "before")
                    self.lowering.locals.add(before)
                    first = assignment(before, e, call)
                    self.lowering.notes[id(first)] = self.lowering.notes.get(id(s), NOTHING)
                    out.append(first)
                    exchanged.append((e, name(before, call)))
                    self.exchange(s, *exchanged[-1])
                up = parts[at]
        self.pending.append(out)
        movable = self.may_be_first(s, call, receiver)
        self.pending.pop()
        if movable:
            return out
        undone()
        return None

    def item_guard(self, s: ast.stmt, receiver: ast.expr, cls: ClassInfo, method: str) -> list[ast.stmt]:
        """type(layer).forward is Layer.forward, of an item of a parameter."""
        if not isinstance(receiver, ast.Name) or not self.is_item(receiver):
            return []
        if not self.lowering.is_given_item(receiver.id) and not self.lowering.may_be_given(receiver):
            return []
        test = expression(f"type({receiver.id}).{method} is {cls.path or cls.name}.{method}", receiver)
        return [made(ast.Assert(test), s)]

    def guard(self, s: ast.stmt, receiver: ast.expr, cls: ClassInfo, method: str) -> list[ast.stmt]:
        """A parameter may be of a subclass, which has another method: what has to hold where the function starts, or,
        of a name that is a parameter at times, and of a part of an item of one, at the statement."""
        path = self.lowering.chain(receiver)
        assert path is not None
        found = list(dict.fromkeys(self.sources(path, frozenset())))
        of_item = len(path) > 1 and self.lowering.is_given_item(path[0])
        if not found and not of_item and not self.lowering.may_be_given(receiver):
            return []
        is_there = len(found) == 1 and not self.lowering.lacks_part(found[0])
        if is_there and (found[0][0] not in self.lowering.bound) and self.is_only(path):
            self.guards[part_text(found[0]), cls.path or cls.name, method] = None
            return []
        test = expression(f"type({ast.unparse(receiver)}).{method} is {cls.path or cls.name}.{method}", receiver)
        return [made(ast.Assert(test), s)]

    def is_only(self, path: Path) -> bool:
        """Whether each name on the way to a parameter is bound once."""
        path = self.lowering.rooted(path)
        while path[0] not in self.lowering.params:
            values = self.lowering.values_of(path[0])
            value = values[0] if len(values) == 1 else None
            if isinstance(value, ast.Call):
                value = self.field_of(value, path[1:])
                path = (path[0], *path[2:])
            inner = self.lowering.chain(value) if isinstance(value, ast.expr) else None
            if inner is None:
                return False
            path = self.lowering.rooted((*inner, *path[1:]))
        return True

    def sources(self, path: Path, seen: frozenset[str]) -> list[Path]:
        """The parameters, and parts of them, that an object may be: none, where it is made here."""
        path = self.lowering.rooted(path)
        root = path[0]
        given = [path] if root in self.lowering.params else []
        if root in seen or (given and root not in self.lowering.bound):
            return given
        values = self.lowering.values_of(root)
        return [*given, *(p for v in values for p in self.sources_of(v, path[1:], seen | {root}))]

    def sources_of(self, e: ast.expr | None, rest: Path, seen: frozenset[str]) -> list[Path]:
        match e:
            case ast.Name() | ast.Attribute() | ast.Subscript():
                path = self.lowering.chain(e)
                return [] if path is None else self.sources((*path, *rest), seen)
            case ast.IfExp(body=a, orelse=b):
                return [*self.sources_of(a, rest, seen), *self.sources_of(b, rest, seen)]
            case ast.Call(func=ast.Name(id=name)) if name in self.lowering.names.functions:
                function = self.lowering.names.functions[name]
                own = [p.arg for p in (*function.args.posonlyargs, *function.args.args)]
                given = dict(zip(own, e.args, strict=False)) | {k.arg: k.value for k in e.keywords if k.arg}
                back = returned_parts(function) if isinstance(function, ast.FunctionDef) else []
                return [
                    p for b in back if isinstance(b, ast.Name) for p in self.sources_of(given.get(b.id), rest, seen)
                ]
            case ast.Call():
                return self.sources_of(self.field_of(e, rest), rest[1:], seen)
        return []

    def field_of(self, call: ast.Call, rest: Path) -> ast.expr | None:
        """What a constructor is given for the first part of a path."""
        cls = self.lowering.class_of(call.func) if rest else None
        if cls is None:
            return None
        options = {k.arg: k.value for k in call.keywords if k.arg}
        if cls.init is None or cls.kind != "plain":
            return (dict(zip(cls.fields, call.args, strict=False)) | options).get(str(rest[0]))
        own, *params = [p.arg for p in parameters(cls.init)]
        given = dict(zip(params, call.args, strict=False)) | options
        for n in walk(cls.init):
            match n:
                case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=of), attr=attr)], value=ast.Name(id=name)) if (
                    of == own and attr == rest[0]
                ):
                    return given.get(name)
        return None

    # ------------------------------------------------------------ what is written

    def written(
        self,
        call: ast.Call,
        function: ast.FunctionDef,
        receiver: ast.expr | None,
        cls: ClassInfo | None,
        dropped: bool,
        whole: bool,
    ) -> tuple[list[ast.stmt], ast.expr | None] | None:
        """The statements of a function for one call, and its result."""
        body = [s for s in function.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
        outer = self.outer(function) if self.nested(call.func) is function else set()
        body = [s for s in body if not (outer and isinstance(s, ast.Nonlocal))]
        inner = [n for s in body for n in walk(s)]
        keys = [n for n in inner if isinstance(n, ast.Lambda) and picked_lists(only_result(function))]
        if (never := next((n for n in inner if isinstance(n, NEVER) and n not in keys), None)) is not None:
            self.stands_in_the_way(function, never)
            return None
        given = self.arguments(call, function, receiver)
        if given is None:
            self.stands_in_the_way(function, call)
            return None
        functions = {p for p, e in given.items() if attributes.is_one_function(e, self.lowering)}
        there = functions | {p for p, e in given.items() if self.lowering.class_for_sure(e) is not None}
        body, anew = optional.for_constants(function, body, given, self.lowering.notes, there)
        given = {p: e for p, e in given.items() if p not in anew}
        kinds = self.lowering.kinds()
        env: dict[str, Known] = {}
        text = [self.copied(s, function) for s in body]
        given = self.taken_apart(given, text)
        if self.lowering.classes_with_fields():  # branches for objects of other classes are left out
            env |= {p: kinds.kind(e) for p, e in given.items()}
            absent = {p for p, e in given.items() if self.lowering.may_be_none(e)}
            text = Following(kinds, function, env, absent).block(text)
        text = self.by_their_places(self.one_each(text, given), given)
        key = inlined(function, cls, self.one_object(receiver))
        inside = (*getattr(call, "inside", ()), key)  # of which copies of the text are the same
        nodes = [n for s in text for n in walk(s)]
        for n in nodes:
            if isinstance(n, ast.expr):
                n.inside = inside  # type: ignore[attr-defined]
        stores = bound_names(nodes)
        own = {p.arg for p in parameters(function)} | given.keys()
        free = {n for n in free_names(function) if n not in own | bound_names(body_nodes(function))}
        if free & self.lowering.locals and self.nested(call.func) is not function:
            return None  # a name of the module that is another one here
        variables = {
            n.id
            for c in nodes
            if isinstance(c, COMPREHENSIONS)
            for g in c.generators
            for n in walk(g.target)
            if isinstance(n, ast.Name)
        }
        variables |= {p.arg for n in nodes if isinstance(n, ast.Lambda) for p in parameters(n)}
        if variables & own:
            return None
        parts = [n for n in nodes if isinstance(n, ast.Attribute | ast.Subscript) and is_part(n)]
        objects = {root_of(n) for n in parts if not self.is_of_array(n, given, receiver is not None)} & own
        stores -= {p for p, e in given.items() if self.is_bound_back(call, p, e, function)} | outer
        before: list[ast.stmt] = []
        values: dict[str, ast.expr] = {
            n: name(
                self.free(self.local(function, n)) if isinstance(env.get(n), ClassInfo) else self.local(function, n),
                call,
            )
            for n in sorted(stores)
        }
        bound = {cast(ast.Name, e).id for e in values.values()}
        if any(read_names(e) & bound for e in given.values()):  # push(1.0, push(x, y)): what the call before has left
            for p, e in given.items():
                plain = isinstance(e, ast.Constant) or (isinstance(e, ast.Name) and e.id not in bound)
                if not plain and self.lowering.class_of_value(e) is None:
                    own_name = self.free(p)
                    self.temps.add(own_name)
                    before.append(assignment(own_name, e, call))
                    given[p] = name(own_name, call)
        for p, e in given.items():
            names = {n.id for n in walk(e) if isinstance(n, ast.Name)}
            simple = (
                isinstance(e, ast.Name | ast.Constant)
                or is_number(e)
                or has_slice(e)
                or p in functions
                or (p in objects and self.lowering.chain(e) is not None and not self.is_rebound(e, nodes, given))
                or self.stays(e, nodes, given)
                or is_kept_once(p, e, text)
            )
            if simple and p not in stores and not names & (variables | outer):
                values[p] = e
                continue
            is_object = isinstance(env.get(p), ClassInfo)
            new = isinstance(e, ast.Dict) or (isinstance(e, ast.Call) and (bool(self.is_made(e)) or self.is_array(e)))
            if p in objects and not is_object and not new:
                return None
            if p not in stores:
                values[p] = name(self.free(p) if is_object else self.local(function, p), call)
                self.temps.add(cast(ast.Name, values[p]).id)
            before.append(assignment(cast(ast.Name, values[p]).id, e, call))
        text = [cast(ast.stmt, _Shared(self).visit(Exchanged(values).visit(s))) for s in text]
        show_keys(text)
        text = optional.without_errors(folded(text))
        result: ast.expr | None = None
        returns = [n for s in text for n in walk(s) if isinstance(n, ast.Return)]
        last = text[-1] if text else None
        if isinstance(last, ast.Return) and len(returns) == 1:
            text.pop()
            result = last.value or made(ast.Constant(None), call)
            if dropped:
                if any(isinstance(n, ast.Call) for n in walk(result)):
                    text.append(ast.copy_location(ast.Expr(result), last))
            elif not whole and (
                self.lowering.chain(result) is None
                or root_of(result) in bound_names(n for s in (*before, *text) for n in walk(s))
            ):  # the text of another call in the same statement may bind that name
                target = self.free(function.name.strip("_"))
                self.temps.add(target)
                text.append(ast.copy_location(ast.Assign([name(target, last, ast.Store())], result), last))
                result = name(target, call)
        elif returns or not dropped:
            target = self.free(function.name.strip("_"))
            single = with_one_exit(text, target if not dropped else "", call)
            if single is None:
                self.stands_in_the_way(function, next(n for n in inner if isinstance(n, ast.Return)))
                return None
            text, result = single, name(target, call)
        return [*before, *text], result

    def stands_in_the_way(self, function: ast.FunctionDef, what: ast.AST) -> None:
        """Remembers for the message why a method, or the constructor, of a class is not written out."""
        owner = next((c.name for c in self.lowering.names.classes.values() if function in c.methods.values()), "")
        shown = ast.unparse(what).splitlines()[0]
        where = f"line {what.lineno}, in `{function.name}`" if hasattr(what, "lineno") else f"in `{function.name}`"
        reasons: dict[str, str] = self.lowering.node.__dict__.setdefault("reasons", {})
        reasons.setdefault(owner, f"because of `{shown if len(shown) < 50 else shown[:46] + ' ...'}`, {where}")

    def taken_apart(self, given: dict[str, ast.expr], text: List[ast.stmt]) -> dict[str, ast.expr]:
        """What is given, tuples with objects, `(c, y)`, as their items, where only these are read: `pair[0].x`."""
        nodes = [n for s in text for n in walk(s)]
        taken = {n.id for n in nodes if isinstance(n, ast.Name)} | given.keys()
        out: dict[str, ast.expr] = {}
        items: dict[str, list[str]] = {}
        for p, e in given.items():
            mentioned = sum(p == (n.id if isinstance(n, ast.Name) else getattr(n, "arg", "")) for n in nodes)
            if (
                isinstance(e, ast.Tuple)
                and isinstance(self.lowering.kinds().kind(e), Several)
                and not any(isinstance(x, ast.Starred) for x in e.elts)
                and mentioned == sum(is_item_of(n, p, len(e.elts)) for n in nodes)
            ):
                items[p] = [new_name(taken, f"{p}_{i}") for i in range(len(e.elts))]
                out |= zip(items[p], e.elts, strict=True)
            else:
                out[p] = e

        class Take(ast.NodeTransformer):
            def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
                for p, names in items.items():
                    if is_item_of(node, p, len(names)):
                        return name(names[cast(ast.Constant, node.slice).value], node)  # type: ignore[index]
                return self.generic_visit(node)

        for s in text if items else ():
            Take().visit(s)
        return out

    def is_of_array(self, part: ast.expr, given: dict[str, ast.expr], of_method: bool) -> bool:
        """Whether a part is one that arrays have, of an argument that is computed, `F.T` for `2.0 * A`, or in a method,
        where no object has such a part."""
        match part:
            case ast.Attribute(value=ast.Name(id=p), attr=attr, ctx=ast.Load()) if p in given and attr in OF_VALUES:
                kind = self.lowering.kinds().kind(given[p])
                classes = self.lowering.names.classes.values()
                no_other = of_method and not any(
                    attr in c.fields or attr in c.methods or attr in c.properties for c in classes
                )
                computed = isinstance(given[p], ast.BinOp) and attr in OF_ARRAYS
                return (computed or no_other) and not isinstance(kind, ClassInfo | Several)
        return False

    def is_rebound(self, e: ast.expr, text: list[ast.AST], given: dict[str, ast.expr]) -> bool:
        """Whether an argument, a part of an object, may be another one at the end of a text: `state.inner` of
        `step(state, state.inner)`, where that binds `state.inner` anew. What the text was given is the part before."""
        path = self.lowering.chain(e)
        if path is None or len(path) == 1:
            return False
        path = self.lowering.rooted(path)
        keys = {*map(str, path[1:])}

        def may_hold(owner: ast.expr) -> bool:
            """Whether an object may be one of those on the path to the part."""
            of = given.get(root_of(owner) or "")
            start, rest = self.lowering.chain(of) if of is not None else None, self.lowering.chain(owner)
            if start is None or rest is None:
                return True
            whole = (*self.lowering.rooted(start), *rest[1:])
            return len(whole) < len(path) and path[: len(whole)] == whole

        texts = {k for k in path[1:] if not isinstance(k, Attr)}
        bound = {*keys, None} if texts else keys  # of `d[k] = x` it is not known which entry it binds
        for n in text:
            match n:
                case ast.Attribute() | ast.Subscript() if is_stored(n) and bound_key(n) in bound:
                    if may_hold(n.value):
                        return True
                case ast.Call(
                    func=ast.Attribute(value=owner, attr="update" | "pop" | "popitem" | "clear" | "setdefault")
                ):
                    if may_hold(owner):
                        return True
        called = self.called_in(text)
        return any(bound_key(n) in keys for f in called for n in walk(f) if is_stored(n))

    def called_in(self, text: Iterable[ast.AST]) -> list[ast.FunctionDef]:
        """The functions of the module, and the methods by their names, that a text calls, and those that they call."""
        names, classes = self.lowering.names.functions, self.lowering.known_classes()
        found: list[ast.FunctionDef] = []
        todo = [*text]
        for n in todo:
            match n:
                case ast.Call(func=ast.Name(id=called)):
                    new = [names.get(called)]
                case ast.Call(func=ast.Attribute(attr=called)):
                    new = [c.methods.get(called) for c in classes]
                case _:
                    continue
            for f in new:
                if isinstance(f, ast.FunctionDef) and f not in found:
                    found.append(f)
                    todo += walk(f)
        return found

    def stays(self, e: ast.expr, text: list[ast.AST], given: dict[str, ast.expr]) -> bool:
        """Whether an argument is a part of an object that is the same thing all along the text that is written out:
        `self.u` of `step(self.u, self.w)`, where that stores into elements only."""
        path = self.lowering.chain(e) if isinstance(e, ast.Attribute | ast.Subscript) else None
        if path is None:
            return False
        for n in text:
            match n:
                case ast.Attribute(ctx=ast.Store() | ast.Del()):
                    return False
                case ast.Call(func=func):
                    found = self.lowering.resolve(func)
                    if (
                        found is None
                        or found[1] is not None
                        or not found[0].startswith(("numpy.", "math.", "builtins."))
                    ):
                        return False
                case ast.Subscript(ctx=ast.Store() | ast.Del()):
                    of = given.get(root_of(n) or "")
                    stored = self.lowering.chain(of) if of is not None else None
                    if stored is not None and len(stored) < len(path) and path[: len(stored)] == stored:
                        return False
        return True

    def is_bound_back(self, call: ast.Call, p: str, e: ast.expr, function: ast.FunctionDef) -> bool:
        """y = axpy(y, x), where axpy updates y by `y += ...` and returns it: the caller's y is updated."""
        returned = [n.value for n in walk(function) if isinstance(n, ast.Return)]
        bound = [n for n in walk(function) if isinstance(n, ast.Assign | ast.For | ast.AnnAssign)]
        plain = any(is_store(x, p) for n in bound for t in targets_of(n) for x in walk(t))
        if plain or not all(isinstance(v, ast.Name) and v.id == p for v in returned) or not isinstance(e, ast.Name):
            return False
        return self.target == (e.id, call)

    def arguments(
        self, call: ast.Call, function: ast.FunctionDef, receiver: ast.expr | None
    ) -> dict[str, ast.expr] | None:
        """What each parameter is given, in the order of the call; None where that is not known."""
        a = function.args
        normal = [p.arg for p in (*a.posonlyargs, *a.args)]
        args = [*([receiver] if receiver is not None else []), *call.args]
        if any(isinstance(e, ast.Starred) for e in args) or (len(args) > len(normal) and a.vararg is None):
            return None
        given = dict(zip(normal, args, strict=False))
        more: list[ast.keyword] = []
        named = {p.arg for p in (*a.posonlyargs, *a.args, *a.kwonlyargs)}
        for k in call.keywords:
            if k.arg is None or k.arg in given or (k.arg not in named and a.kwarg is None):
                return None
            if k.arg in named:
                given[k.arg] = k.value
            else:
                more.append(k)
        if a.vararg is not None:
            given[a.vararg.arg] = made(ast.Tuple(args[len(normal) :], ast.Load()), call)
        if a.kwarg is not None:
            keys: list[ast.expr | None] = [made(ast.Constant(k.arg), k) for k in more]
            given[a.kwarg.arg] = made(ast.Dict(keys, [k.value for k in more]), call)
        defaults = dict(zip(reversed(normal), reversed(a.defaults), strict=False))
        defaults |= {p.arg: d for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True) if d is not None}
        for p in parameters(function):
            if p.arg in given:
                continue
            default = defaults.get(p.arg)
            if default is not None and is_made_anew(default):
                given[p.arg] = copy.deepcopy(default)
                continue
            if default is None or not self.is_the_same_here(default, function):
                return None
            if receiver is None and isinstance(default, ast.BinOp):
                return None  # a function that is called reads better than its text
            given[p.arg] = default
        return given

    def one_each(self, text: List[ast.stmt], given: dict[str, ast.expr]) -> list[ast.stmt]:
        """rhs, h = self.system.rhs, self.dt as two statements, for the method."""
        out: list[ast.stmt] = []
        for s in text:
            each = self.taken_singly(s, given)
            if each:
                self.lowering.notes[id(each[0])] = self.lowering.notes.get(id(s), NOTHING)
            out += each or [s]
        return out

    def taken_singly(self, s: ast.stmt, given: dict[str, ast.expr]) -> list[ast.stmt]:
        match s:
            case ast.Assign(targets=[ast.Tuple(elts=targets) as left], value=ast.Tuple(elts=values) as right):
                places = len(targets) == len(values) and all(isinstance(t, ast.Name) for t in targets)
            case _:
                return []
        if not places or not all(map(dotted, values)) or read_names(right) & {*target_names(left)}:
            return []
        there = (Exchanged(given).visit(copy.deepcopy(v)) for v in values)
        if not any(isinstance(v, ast.Attribute) and self.is_method(v) for v in there):
            return []
        return [made(ast.Assign([t], v), s) for t, v in zip(targets, values, strict=True)]

    def by_their_places(self, text: list[ast.stmt], given: dict[str, ast.expr]) -> list[ast.stmt]:
        """g = self.grid; g.u += e as self.grid.u += e, where that is one object all the time: the caller may have it
        under a name of its own, and what is bound under one name has to be read under the other. And the calls of
        `step = self.euler` as those of the method."""
        for s, behind in zip(text, [*text[1:], None], strict=True):
            match s:
                case ast.Assign(targets=[ast.Name(id=n)], value=ast.Attribute() as place):
                    path = dotted(place)
                case _:
                    continue
            match behind:
                case ast.Assign(targets=[ast.Name(id=again)], value=value) if again == n not in read_names(value):
                    return self.by_their_places([t for t in text if t is not s], given)  # a choice that is known
            nodes = [x for t in text for x in walk(t)]
            stored = [x.id for x in nodes if isinstance(x, ast.Name) and is_bound(x)]
            own = {x.arg for x in nodes if isinstance(x, ast.arg)} | given.keys()
            if path is None or path[0] not in given or path[0] in stored or stored.count(n) > 1 or n in own:
                continue
            called = {x.func for x in nodes if isinstance(x, ast.Call)}
            only_called = all(x in called for x in nodes if isinstance(x, ast.Name) and x.id == n and not is_bound(x))
            there = Exchanged(given).visit(copy.deepcopy(place))
            if self.stay(path[1:], nodes) and (self.is_object(there) or (only_called and self.is_method(there))):
                return self.by_their_places([Exchanged({n: place}).visit(t) for t in text if t is not s], given)
        return text

    def stay(self, attrs: Collection[str], nodes: List[ast.AST]) -> bool:
        """Whether only constructors bind these attributes; nodes: of a text that stands here."""
        names = self.lowering.names
        methods = [m for c in names.classes.values() for m in c.methods.values()]
        others = [m for m in methods if m.name not in ("__init__", "__post_init__")]
        texts = [self.lowering.node, *others, *names.functions.values()]
        parts = [n for n in (*nodes, *(x for t in texts for x in walk(t))) if isinstance(n, ast.Attribute)]
        return not any(n.attr == "__init__" or (n.attr in attrs and not isinstance(n.ctx, ast.Load)) for n in parts)

    def is_object(self, place: ast.Attribute) -> bool:
        """Whether an attribute is an object that it keeps."""
        computed = {a for c in self.lowering.names.classes.values() for a in (*c.methods, *c.properties)}
        return computed.isdisjoint((dotted(place) or [])[1:]) and self.class_of(place) is not None

    def is_method(self, place: ast.Attribute) -> bool:
        """Whether an attribute is a method of an object."""
        cls, name = self.class_of(place.value), place.attr
        special = set() if cls is None else {*cls.strange, *cls.statics, *cls.properties, *cls.class_methods}
        return cls is not None and name in cls.methods and name not in special

    def is_the_same_here(self, default: ast.expr, function: ast.FunctionDef) -> bool:
        """Whether a default means where its function is called what it means where that is defined: `2.0 * np.pi`."""
        if is_fixed(default):
            return True
        names = self.lowering.names
        read = read_names(default)
        if attributes.is_one_function(default, self.lowering):
            settled = not read & (names.rebound | names.values.keys())
            return settled and not names.moments.is_late(default, function.lineno - 1)
        fixed = all(n in names.imports.names or is_fixed(names.values.get(n, default)) for n in read)
        kept = not read & self.lowering.locals and not names.moments.is_late(default, function.lineno - 1)
        return fixed and kept and can_be_copied(default, names.constants, names.imports)

    def local(self, function: ast.FunctionDef, wish: str) -> str:
        """The name here of a name of the function, the same for all of its calls; of a constructor, for each object."""
        key = (id(function), wish, self.owner)
        if key not in self.given:
            of = self.owner or function.name.strip("_")
            joined = f"{wish}_{of}" if f"_{wish}" in ROLES else f"{of}_{wish}"  # `bar` of `assemble` is no derivative
            self.given[key] = wish if wish not in self.used else self.free(joined)
            self.used.add(self.given[key])
        return self.given[key]

    def free(self, wish: str) -> str:
        wish = wish if wish.isidentifier() else "item"  # of a namespace, whose class has no name
        found, k = wish, 1
        while found in self.used:
            k += 1
            found = f"{wish}_{k}"
        self.used.add(found)
        return found

    def copied(self, s: ast.stmt, function: ast.FunctionDef) -> ast.stmt:
        """A statement with its comments; expressions have a text of their own, as names in them will change."""
        new = copy.deepcopy(s)
        key = next(
            (c.key(function.name) for c in self.lowering.names.classes.values() if function in c.methods.values()),
            function.name,
        )
        inside = function in self.lowering.node.body  # of which the comments are among those of this function
        notes = self.lowering.notes if inside else self.lowering.names.notes_of(key)
        for old, n in zip(walk(s), walk(new), strict=True):
            if isinstance(n, ast.expr):
                n.made = True  # type: ignore[attr-defined]
            elif id(old) in notes or id(old) in self.lowering.notes:
                self.lowering.notes[id(n)] = notes.get(id(old)) or self.lowering.notes[id(old)]
        return new


def inlined(function: ast.FunctionDef, cls: ClassInfo | None, receiver: str = "") -> Inlined:
    """What tells the text of a function that is being written out from others: a method that classes inherit is one
    for each of them, as what it calls is, and so is one of a tree's objects for each of these."""
    return id(function), cls.name if cls is not None else "", receiver


class _Shared(ast.NodeTransformer):
    """The numbers of classes in a text that is written out."""

    def __init__(self, work: _Writing) -> None:
        self.work = work

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        return (self.work.shared(node) if isinstance(node.ctx, ast.Load) else None) or node


def binds_names_only(function: ast.FunctionDef) -> bool:
    """Whether a function changes nothing but what names are bound to: no array, no list, no object."""
    for n in walk(function):
        match n:
            case ast.Subscript(ctx=ast.Store() | ast.Del()) | ast.Attribute(ctx=ast.Store() | ast.Del()):
                return False
            case ast.Expr(value=ast.Call(func=ast.Attribute())) | ast.keyword(arg="out"):
                return False
    return True


def is_same(a: ast.expr, b: ast.expr) -> bool:
    """Whether two expressions have the same text."""
    return ast.unparse(a) == ast.unparse(b)


def is_kept_once(p: str, e: ast.expr, text: List[ast.stmt]) -> bool:
    """Whether a parameter is given a new list or dict of names, which the text puts into one place, `self.parts = p`,
    and reads nowhere else: the list can be made there."""
    match e:
        case ast.List(elts=items) | ast.Dict(values=items):
            keys = e.keys if isinstance(e, ast.Dict) else []
            plain = all(isinstance(i, ast.Name | ast.Constant) for i in (*items, *keys))
        case _:
            return False
    names = read_names(e)
    for s in text:
        if isinstance(s, ast.Assign) and isinstance(s.value, ast.Name) and s.value.id == p:
            return plain and sum(isinstance(n, ast.Name) and n.id == p for t in text for n in walk(t)) == 1
        if any(isinstance(n, ast.Call) for n in walk(s)) or names & bound_names(walk(s)):
            return False  # which may change what the items stand for
    return False


def own_lambdas(n: ast.AST) -> Iterator[ast.Lambda]:
    """The lambdas of a statement that see no other names than those of the function around it."""
    for c in children(n):
        if isinstance(c, ast.Lambda):
            yield c
        elif not isinstance(c, (*COMPREHENSIONS, ast.FunctionDef, ast.ClassDef)):
            yield from own_lambdas(c)


def split_at(s: ast.stmt, e: ast.expr) -> tuple[list[ast.AST], list[ast.AST]]:
    """What a statement evaluates before an expression, with what is inside of that, and behind it."""
    own = (getattr(s, field, None) for field in ("value", "test", "iter"))
    order = [n for value in own if isinstance(value, ast.expr) for n in in_order(value)]
    at = next((i for i, n in enumerate(order) if n is e), len(order))
    return order[:at], order[at:]


def outer_names(function: ast.FunctionDef) -> set[str]:
    """The names of the function around it that a function binds."""
    return {n for s in function.body if isinstance(s, ast.Nonlocal) for n in s.names}


def reads_constants(method: ast.FunctionDef, cls: ClassInfo) -> bool:
    """Whether a method reads numbers that all objects of the class share."""
    own = method.args.args[0].arg if method.args.args else ""
    return any(
        isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id == own and n.attr in cls.constants
        for n in walk(method)
    )


def returned_parts(function: ast.FunctionDef, items: bool = False) -> list[ast.expr]:
    """What a function returns that may be a parameter, or a view of one; items: or an item, which may be a view."""
    params = {a.arg for a in parameters(function)}

    def parts(e: ast.expr) -> Iterator[ast.expr]:
        if isinstance(e, ast.Tuple | ast.List):
            for inner in e.elts:
                yield from parts(inner)
        elif isinstance(e, ast.Name | ast.Subscript) and (items or not is_item(e)) and root_of(e) in params:
            yield e

    returns = (n.value for n in walk(function) if isinstance(n, ast.Return) and n.value is not None)
    return [part for value in returns for part in parts(value)]


def returned_views(function: ast.FunctionDef, imports: Mapping[str, str]) -> set[str]:
    """The parameters that a function returns as an array, themselves or a view: `np.asarray(a, dtype=float)`, `a.T`."""
    params = {a.arg for a in parameters(function)}

    def seen(e: ast.expr) -> str:
        match e:
            case ast.Name(id=name):
                return name
            case ast.Call(func=func, args=[of, *_]) if full_path(func, imports) in SHARING:
                return seen(of)
            case ast.Call(func=ast.Attribute(value=of, attr=attr)) if attr in SHARING_METHODS:
                return seen(of)
            case ast.Attribute(value=of, attr="T") | ast.Subscript(value=of):
                return seen(of)
        return ""

    returns = (n.value for n in walk(function) if isinstance(n, ast.Return))
    return {name for e in returns if isinstance(e, ast.Call | ast.Attribute) and (name := seen(e)) in params}


def only_result(function: ast.FunctionDef) -> ast.expr | None:
    """What a function returns, where it does nothing else."""
    match [s for s in function.body if not is_docstring(s)]:
        case [ast.Return(value=result)]:
            return result
    return None


def picked_lists(e: ast.expr | None) -> set[str]:
    """The names whose lists, or lists in their attributes, an expression picks items of, or puts into another order:
    `[p for p in ps if p.m > 0]`, `max(self.ps, key=...)`."""
    match e:
        case ast.ListComp(elt=ast.Name(id=item), generators=[ast.comprehension(target=ast.Name(id=own), iter=it)]):
            return listed(it) if item == own else set()
        case ast.ListComp(elt=ast.Subscript(value=of)):
            return listed(of)
        case ast.Call(func=ast.Name(id="sorted" | "max" | "min" | "list" | "tuple" | "next"), args=[of, *_]):
            return listed(ast.ListComp(of.elt, of.generators) if isinstance(of, ast.GeneratorExp) else of)
        case ast.Subscript(value=inner):
            return picked_lists(inner)
    return set()


def listed(e: ast.expr) -> set[str]:
    return {root_of(e)} - {""} if isinstance(e, ast.Name | ast.Attribute) else picked_lists(e)


def new_structures(function: ast.FunctionDef) -> list[ast.expr]:
    """What a function returns, where an object or a dict may be among it that is made there."""
    found = [n.value for n in body_nodes(function) if isinstance(n, ast.Return) and n.value is not None]
    made_here = {
        n.targets[0].id: n.value
        for n in body_nodes(function)
        if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name) and isinstance(n.value, DISPLAYS)
    }

    def shown(e: ast.expr) -> ast.expr:
        e = made_here.pop(e.id, e) if isinstance(e, ast.Name) else e  # once: `t = (t, x)`
        return ast.Tuple([shown(x) for x in e.elts], ast.Load()) if isinstance(e, ast.Tuple) else e

    def parts(e: ast.expr) -> Iterator[ast.expr]:
        if isinstance(e, ast.Tuple):
            for x in e.elts:
                yield from parts(x)
        else:
            yield e

    def sides(e: ast.expr) -> list[ast.expr]:
        return [*sides(e.body), *sides(e.orelse)] if isinstance(e, ast.IfExp) else [e]

    found = [shown(x) for e in found for x in sides(e)]
    return found if any(isinstance(x, ast.Call | ast.Dict) for e in found for x in parts(e)) else []


def root_of_part(place: ast.expr) -> str:
    """p, of `p.x` and `p["x"]`; "" for what is no such part."""
    match place:
        case ast.Attribute(value=ast.Name(id=name)):
            return name
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str())):
            return name
    return ""


def hands_back(function: ast.FunctionDef) -> bool:
    """Whether a function does nothing but return a parameter, or a view of one."""
    plain = [s for s in function.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    return len(plain) == 1 and bool(returned_parts(function))


def is_item(e: ast.expr) -> bool:
    return isinstance(e, ast.Subscript) and not any(isinstance(n, ast.Slice) for n in walk(e.slice))


def targets_of(n: ast.stmt) -> list[ast.expr]:
    return n.targets if isinstance(n, ast.Assign) else [n.target]  # type: ignore[attr-defined]


def is_store(n: ast.AST, name: str) -> bool:
    return isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)


def each(s: ast.If | ast.While) -> list[ast.expr]:
    """The tests that `if a and b` makes one after the other."""
    return s.test.values if isinstance(s.test, ast.BoolOp) and isinstance(s.test.op, ast.And) else [s.test]


def comprehended(e: ast.AST) -> Iterator[tuple[ast.expr, ast.ListComp | ast.GeneratorExp]]:
    """The comprehensions that are surely evaluated once, each with what stands for it: the sum, or the list."""
    match e:
        case ast.Call(
            func=ast.Name(id="sum"),
            args=[ast.GeneratorExp() | ast.ListComp() as inner]
            | [ast.GeneratorExp() | ast.ListComp() as inner, ast.Constant() | ast.Name()],
            keywords=[],
        ):
            yield e, inner
            return
        case ast.Call(func=ast.Name(id=consumer), args=[ast.GeneratorExp() as inner]) if consumer in CONSUMERS:
            yield inner, inner
            return
        case ast.ListComp():
            yield e, e
            return
        case ast.Lambda() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return
        case ast.IfExp(test=test):
            yield from comprehended(test)
        case ast.BoolOp(values=[first, *_]):
            yield from comprehended(first)
        case _:
            for c in children(e):
                yield from comprehended(c)


def changed_list(n: ast.AST) -> str:
    """xs, of xs.append(x) and the other methods that change a list; "" for other nodes."""
    match n:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if attr in OF_LISTS:
            return name
    return ""


def is_mutating(n: ast.AST) -> TypeGuard[ast.Call]:
    return isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute) and n.func.attr in MUTATING_METHODS


def in_turn(e: ast.expr) -> list[ast.expr]:
    """The operands of an expression in the order of their evaluation; none where not all of them surely are."""
    match e:
        case ast.BinOp(left=a, right=b) | ast.Compare(left=a, comparators=[b]) | ast.Subscript(value=a, slice=b):
            return [a, b]
        case ast.UnaryOp(operand=a) | ast.Attribute(value=a) | ast.Starred(value=a):
            return [a]
        case ast.Tuple(elts=elts) | ast.List(elts=elts):
            return elts
        case ast.Call(func=ast.Name(), args=args, keywords=keywords):
            return [*args, *(k.value for k in keywords)]
        case ast.Call(func=ast.Attribute(value=ast.Name()), args=args, keywords=keywords):
            return [*args, *(k.value for k in keywords)]
        case ast.Call(func=ast.Attribute(value=receiver), args=args, keywords=keywords):
            return [receiver, *args, *(k.value for k in keywords)]
    return []


def in_order(e: ast.AST) -> Iterator[ast.AST]:
    """All nodes of an expression, operands before what is made of them."""
    for c in children(e):
        yield from in_order(c)
    yield e


def loaded(place: ast.expr) -> ast.expr:
    """An attribute that is assigned to, as it is read."""
    out = copy.deepcopy(place)
    for n in walk(out):
        if isinstance(n, ast.expr):
            made(n, place)
    out.ctx = ast.Load()  # type: ignore[attr-defined]
    return out


def is_stored(n: ast.AST) -> TypeGuard[ast.Attribute | ast.Subscript]:
    return isinstance(n, ast.Attribute | ast.Subscript) and not isinstance(n.ctx, ast.Load)


def bound_key(n: ast.Attribute | ast.Subscript) -> str | None:
    """The attribute, or the text, under which a store binds a part of an object or a dict; None for another key."""
    return n.attr if isinstance(n, ast.Attribute) else string_key(n)


def is_item_of(n: ast.AST, items: str, count: int) -> bool:
    """items[1], by a number that is written out"""
    match n:
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=int(at)), ctx=ast.Load()):
            return name == items and not isinstance(at, bool) and at < count
    return False


def name(text: str, like: ast.AST, ctx: ast.expr_context | None = None) -> ast.Name:
    return made(ast.Name(text, ctx or ast.Load()), like)


def assignment(target: str, value: ast.expr, like: ast.AST) -> ast.stmt:
    return made(ast.Assign([name(target, like, ast.Store())], value), like)


def exchange(s: ast.stmt, old: ast.expr, new: ast.expr) -> None:
    """Puts one expression in the place of another, which is among a statement's own."""

    class Once(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
                return node
            return new if node is old else super().generic_visit(node)

    Once().generic_visit(s)
    for child in children(s):
        if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            continue
        parts = list(walk(child))
        if any(n is new for n in parts):
            for n in parts:
                if isinstance(n, ast.expr):
                    n.made = True  # type: ignore[attr-defined]


def sink(
    function: ast.FunctionDef,
    temps: set[str],
    classes: Mapping[str, ClassInfo],
    changed_in: Callable[[Iterable[ast.AST]], set[str]],
) -> None:
    """Puts values that a name was made for where they are read, if that is once, in a statement that follows:

    add = Vec2(p.x + q.x, p.y + q.y)    r = Vec2(p.x + q.x - 1.0, p.y + q.y)
    r = Vec2(add.x - 1.0, add.y)

    changed_in: the variables that calls may change or bind.
    """
    uses: dict[str, list[ast.Name]] = {}
    stores: dict[str, int] = {}
    parents: dict[ast.AST, ast.AST] = {}
    inside = {s.name for s in body_nodes(function) if isinstance(s, ast.FunctionDef)}
    for n in walk(function):
        for c in children(n):
            parents[c] = n
        if isinstance(n, ast.Name) and n.id in temps:
            if isinstance(n.ctx, ast.Load):
                uses.setdefault(n.id, []).append(n)
            else:
                stores[n.id] = stores.get(n.id, 0) + 1
    behind = read_behind(function, temps, uses, stores)
    for block in every_block(function.body):
        for at in reversed(range(len(block))):
            match block[at]:
                case ast.Assign(targets=[ast.Name(id=temp)], value=value) as s if temp in temps and (
                    stores[temp] == 1 or s in behind
                ):
                    reads = reads_of(temp, value, behind.get(s) or uses.get(temp, []), parents, classes)
                    if reads is not None and can_wait(value, reads, block[at + 1 :], parents, inside, changed_in):
                        for old, new in reads:
                            put_in(parents, old, new)
                        del block[at]
                        for inner in walk(value):
                            for c in children(inner):
                                parents[c] = inner


def read_behind(
    function: ast.FunctionDef, temps: set[str], uses: Mapping[str, list[ast.Name]], stores: Mapping[str, int]
) -> dict[ast.stmt, list[ast.Name]]:
    """The statements that bind a name to one value after the other, each of which is read once, in the statement
    behind; with that read."""
    found: dict[str, dict[ast.stmt, list[ast.Name]]] = {}
    for block in every_block(function.body):
        for s, after in pairwise(block):
            match s:
                case ast.Assign(targets=[ast.Name(id=temp)]) if temp in temps and isinstance(after, SIMPLE):
                    reads = [n for n in walk(after) if isinstance(n, ast.Name) and n.id == temp]
                    if len(reads) == 1 and isinstance(reads[0].ctx, ast.Load):
                        found.setdefault(temp, {})[s] = reads
    every = [
        (s, reads) for t, own in found.items() if len(own) == stores[t] == len(uses[t]) for s, reads in own.items()
    ]
    return dict(every)


def put_in(parents: dict[ast.AST, ast.AST], old: ast.expr, new: ast.expr) -> None:
    up = parents[old]
    for field, held in ast.iter_fields(up):
        if held is old:
            setattr(up, field, new)
        elif isinstance(held, list) and any(x is old for x in held):
            held[:] = [new if x is old else x for x in held]
    parents[new] = up
    while not isinstance(up, ast.stmt):  # its text is another one
        up.made = True  # type: ignore[attr-defined]
        up = parents[up]


def reads_of(
    temp: str,
    value: ast.expr,
    uses: List[ast.Name],
    parents: Mapping[ast.AST, ast.AST],
    classes: Mapping[str, ClassInfo],
) -> list[tuple[ast.expr, ast.expr]] | None:
    """What is read of a value, each with the expression that stands for it; None where something is read twice."""
    if not uses or any(isinstance(n, ast.Call) for n in walk(value) if n is not value):
        return None
    match value:
        case ast.Call(func=ast.Name(id=name)) if name in classes and classes[name].makes:
            given = arguments_of(classes[name], value)
            if given is None:
                return None
            found: list[tuple[ast.expr, ast.expr]] = []
            seen: set[str] = set()
            for n in uses:
                up = parents[n]
                if not isinstance(up, ast.Attribute) or up.attr not in given or not isinstance(up.ctx, ast.Load):
                    return None
                part = given[up.attr]
                atom = isinstance(part, ast.Name | ast.Constant) or is_number(part)
                if up.attr in seen and not atom:
                    return None
                seen.add(up.attr)
                found.append((up, copy.deepcopy(part) if atom else part))
            return found
        case ast.Call():
            return None
    return [(uses[0], value)] if len(uses) == 1 else None


def can_wait(
    value: ast.expr,
    reads: List[tuple[ast.expr, ast.expr]],
    after: List[ast.stmt],
    parents: Mapping[ast.AST, ast.AST],
    functions: Collection[str],
    changed_in: Callable[[Iterable[ast.AST]], set[str]],
) -> bool:
    """Whether a value can be computed where it is read: in one simple statement, and nothing before it, nor in it,
    changes what the value is made of."""
    places: set[ast.AST] = set()
    for old, _ in reads:
        up: ast.AST = old
        while not isinstance(up, ast.stmt):
            up = parents[up]
            if isinstance(up, (*COMPREHENSIONS, ast.Lambda, ast.IfExp, ast.BoolOp, ast.Assert)):
                return False
        places.add(up)
    if len(places) != 1:
        return False
    place = places.pop()
    if place not in after or not isinstance(place, ast.Assign | ast.AugAssign | ast.Return | ast.Expr):
        return False
    names = {n.id for n in walk(value) if isinstance(n, ast.Name)}
    whole = any(isinstance(n, ast.Subscript | ast.Attribute) for n in walk(value))
    before = [n for s in after[: after.index(place)] for n in walk(s)]
    before += [n for old, _ in reads for n in split_at(place, old)[0]]
    before += [n for n in walk(place) if binds_names(n, functions)]  # what reads such a name in front is refused
    if changed_in(before) & names:
        return False
    for s in after[: after.index(place)]:
        if not isinstance(s, ast.Assign) or (whole and any(isinstance(n, ast.Call) for n in walk(s.value))):
            return False
        if bound_names(walk(s)) & names or not all(isinstance(t, ast.Name) for t in s.targets):
            return False
    return True


def binds_names(n: ast.AST, functions: Collection[str]) -> bool:
    """Whether a part of an expression may bind names: `y := e`, and calls of the functions inside of this one."""
    match n:
        case ast.NamedExpr() | ast.Call(func=ast.Lambda()):
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in functions
    return False


def with_one_exit(body: List[ast.stmt], target: str, like: ast.AST) -> list[ast.stmt] | None:
    """The statements with what is returned assigned to `target` ("": dropped); None where a loop is left."""

    def result(value: ast.expr | None) -> list[ast.stmt]:
        if not target:
            return [made(ast.Expr(value), like)] if value is not None else []
        return [assignment(target, value or made(ast.Constant(None), like), like)]

    out: list[ast.stmt] = []
    for i, s in enumerate(body):
        if isinstance(s, ast.Return):
            return out + [ast.copy_location(x, s) for x in result(s.value)]
        if not any(isinstance(n, ast.Return) for n in walk(s)):
            out.append(s)
            continue
        rest = list(body[i + 1 :])
        if isinstance(s, ast.For | ast.While):
            left = left_by_break(s, rest, target, like)
            return None if left is None else [*out, left]
        if not isinstance(s, ast.If):
            return None
        if rest and not leaves(s.body) and not leaves(s.orelse):
            if len(rest) > SHORT:
                return None
            s.orelse = [*s.orelse, *copy.deepcopy(rest)]
            s.body, rest = [*s.body, *rest], []
        first = with_one_exit(s.body if leaves(s.body) else [*s.body, *rest], target, like)
        other = with_one_exit(s.orelse if s.orelse and leaves(s.orelse) else [*s.orelse, *rest], target, like)
        if first is None or other is None:
            return None
        s.body, s.orelse = first or [ast.copy_location(ast.Pass(), s)], other
        return [*out, s]
    return [*out, *result(None)]


def left_by_break(s: ast.For | ast.While, rest: list[ast.stmt], target: str, like: ast.AST) -> ast.stmt | None:
    """A loop that is left by `return`, left by `break`: what follows is done where it is not left. None where it has a
    `break` or an `else` of its own."""
    if s.orelse or any(isinstance(n, ast.Break) for n in own_jumps(s.body)):
        return None
    body = with_breaks(s.body, target, like)
    after = with_one_exit(rest, target, like)
    if body is None or after is None:
        return None
    s.body, s.orelse = body, after
    return s


def with_breaks(body: List[ast.stmt], target: str, like: ast.AST) -> list[ast.stmt] | None:
    """The body of a loop with `result = value; break` for `return value`."""
    out: list[ast.stmt] = []
    for i, s in enumerate(body):
        if isinstance(s, ast.Return):
            value = s.value or made(ast.Constant(None), like)
            bound = assignment(target, value, like) if target else made(ast.Expr(value), like)
            return [*out, *(ast.copy_location(x, s) for x in (bound, ast.Break()))]
        if not any(isinstance(n, ast.Return) for n in walk(s)):
            out.append(s)
        elif isinstance(s, ast.If):
            first, other = with_breaks(s.body, target, like), with_breaks(s.orelse, target, like)
            if first is None or other is None:
                return None
            s.body, s.orelse = first, other
            out.append(s)
        elif isinstance(s, ast.For | ast.While):
            if s.orelse or any(isinstance(n, ast.Break) for n in own_jumps(s.body)):
                return None
            inner, rest = with_breaks(s.body, target, like), with_breaks(body[i + 1 :], target, like)
            if inner is None or rest is None:
                return None
            s.body, s.orelse = inner, [*rest, ast.copy_location(ast.Continue(), s)]
            return [*out, s, ast.copy_location(ast.Break(), s)]
        else:
            return None
    return out


def own_jumps(body: List[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of the body of a loop, without those of loops inside it."""
    for s in body:
        yield s
        if not isinstance(s, ast.For | ast.While):
            for block in blocks_of(s):
                yield from own_jumps(block)


def leaves(body: List[ast.stmt]) -> bool:
    """Whether a block surely returns or raises."""
    last = body[-1] if body else None
    if isinstance(last, ast.If):
        return leaves(last.body) and leaves(last.orelse)
    return isinstance(last, ast.Return | ast.Raise)


__all__ = ["write_out"]
