"""Which function a name or an expression stands for: nested ones and what they capture, partial, tables, makers."""

from __future__ import annotations

import ast
import copy
import functools
import types
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Sequence as List
from functools import cached_property
from typing import Any, TypeGuard, cast

from s2s import ir, rules
from s2s.frontend.lowering.results import Results
from s2s.frontend.rewrites import attributes
from s2s.frontend.rewrites.bound import method_of
from s2s.frontend.rewrites.objects import Group, affects, keeps
from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.decorators import CACHES, SAME_VALUES, meaning
from s2s.frontend.text.exits import negate
from s2s.frontend.text.function_bodies import (
    FunctionLike,
    default_nodes,
    identifiers,
    is_docstring,
    is_fixed,
    with_results,
)
from s2s.frontend.text.function_values import (
    Argument,
    Choice,
    Closure,
    Known,
    Table,
    Value,
    are_one,
    canonical,
    captured_node,
    is_captured,
    known_as,
    library_object,
    made_keyword,
    marker,
)
from s2s.frontend.text.kinds import Items
from s2s.frontend.text.names import Made, ModuleNames
from s2s.frontend.text.rounds import Round, rounds
from s2s.frontend.text.scopes import (
    body_nodes,
    dotted,
    free_names,
    keyword_of,
    new_name,
    nonlocals,
    own_walk,
    parameters,
    walk,
)
from s2s.frontend.text.source import Note, Source, expression, made
from s2s.frozen import replace
from s2s.ir import Const, Expr, Op, Unpack, Var

MOST_COMPOSED = 8  # functions that `reduce` makes one of
OPERATORS: dict[str, ast.operator | ast.unaryop | ast.cmpop] = {
    "operator.add": ast.Add(),
    "operator.sub": ast.Sub(),
    "operator.mul": ast.Mult(),
    "operator.truediv": ast.Div(),
    "operator.floordiv": ast.FloorDiv(),
    "operator.mod": ast.Mod(),
    "operator.pow": ast.Pow(),
    "operator.matmul": ast.MatMult(),
    "operator.neg": ast.USub(),
    "operator.pos": ast.UAdd(),
    "operator.not_": ast.Not(),
    "operator.lt": ast.Lt(),
    "operator.le": ast.LtE(),
    "operator.gt": ast.Gt(),
    "operator.ge": ast.GtE(),
    "operator.eq": ast.Eq(),
    "operator.ne": ast.NotEq(),
}
Binding = ast.FunctionDef | ast.expr
OF_STATE = (
    "write a class with the state as its attribute, `self.total = self.total + x`, and a method that does this",
    "or let it take the state, and return the new one",
)
MAKING = (ast.Lambda, ast.Call, ast.List, ast.Tuple, ast.Dict, ast.ListComp, ast.DictComp)
Comprehension = ast.ListComp | ast.DictComp | ast.GeneratorExp


class FunctionValues(Results):
    """Values of functions, before any call of them is lowered."""

    def __init__(
        self,
        node: ast.FunctionDef,
        names: ModuleNames,
        source: Source,
        notes: dict[int, Note],
        env: dict[str, Value] | None = None,
        cls: ClassInfo | None = None,
    ) -> None:
        self.env: dict[str, Value] = dict(env or {})
        self.bindings: dict[str, list[Binding]] = {}
        self.turning: set[str] = set()  # variables of the loops around that are functions
        super().__init__(node, names, source, cls)
        self.cls = cls
        self.notes = notes
        own = names.made.get(node.name)
        self.keywords = own.keywords if own is not None and own.node is node else {}
        self.lengths: dict[str, int] = dict(getattr(node, "lengths", {}))
        if own is not None and own.node is node:
            self.lengths |= own.lengths
        self.items_given = own.given if own is not None and own.node is node else {}
        for p, options in self.keywords.items():
            self.groups[p] = Group(parts=dict.fromkeys(options))
            self.entries |= {(p, key): name for key, name in options.items()}
        self.closures: dict[int, Closure] = {}
        self.fixed: dict[str, tuple[ast.expr, ...]] = {}  # parameters that are functions: which they may be
        self.chosen: set[str] = set()  # names of which it is being asked which functions they may be
        self.held_in: str = ""  # the name that a function value is bound to
        self.fix_defaults()
        self.bindings = self.function_names()
        for name in self.bindings:
            self.groups.pop(name, None)
        for name, bound in self.bindings.items():
            if len(bound) == 1 and isinstance(bound[0], ast.FunctionDef):
                self.env[name] = self.closure(bound[0], name)

    def fix_defaults(self) -> None:
        """Parameters whose defaults are functions, or that the comment says: a derivative is made for these only."""
        given = getattr(self.node, "given", {})
        for p, callees in given.items():
            value = self.given_value(p, callees)
            if value is None:
                names = " or ".join(map(self.text, callees))
                what = f"the parameter `{p}` is said to be {names}, which is no function here"
                help_ = ("name one of this module, or one that it imports: `np.tanh`",)
                self.refuse("callee", self.node, what, help=help_)
            else:
                self.env[p], self.fixed[p] = value, callees
        for p, d in default_nodes(self.node):
            if p in given:
                continue
            if p in getattr(self.node, "absent", ()):
                self.fixed[p] = (d,)
            elif p not in self.bound and self.module_scope(lambda d=d: self.functional(d)):  # type: ignore[misc]
                value = self.module_scope(lambda d=d: self.value_of(d))  # type: ignore[misc]
                if isinstance(value, Known):
                    self.env[p], self.fixed[p] = value, (d,)

    def given_value(self, p: str, callees: tuple[ast.expr, ...]) -> Value | None:
        """The functions that a parameter may be: the one, or a choice by the parameter itself."""
        found = [self.module_scope(lambda e=e: self.value_of(e)) for e in callees]  # type: ignore[misc]
        if p in self.bound or not all(isinstance(v, Known) for v in found):
            return None
        if len(found) == 1:
            return cast(Known, found[0])
        return Choice(Var(p), tuple(zip(map(self.object_of, callees), found, strict=True)), objects=True)

    def object_of(self, e: ast.expr) -> Expr:
        """A function of the module as a value: what a parameter is compared with."""
        return cast(Expr, self.module_scope(lambda: self.tree(e)))

    def compared(self, node: ast.Compare) -> Expr:
        """A parameter that is a function, beside one of the module: `act is np.tanh`."""
        match node:
            case ast.Compare(left=ast.Name(id=p), ops=[ast.Is() | ast.IsNot() as op], comparators=[e]) if (
                p in self.fixed and isinstance(e, ast.Name | ast.Attribute)
            ):
                fn = "operator.is" if isinstance(op, ast.Is) else "operator.is_not"
                return Op(fn, (Var(p), self.object_of(e)), form=ir.Form.OPERATOR, span=self.source.span(node))
            case ast.Compare(left=ast.Name(id=p), ops=[ast.Is() | ast.IsNot() as op], comparators=[e]) if (
                p in self.bindings and not self.is_renamed(p) and isinstance(e, ast.Name | ast.Attribute)
            ):
                held, asked = self.local_value(p), self.module_scope(lambda: self.value_of(e))
                same = self.holds_function(held, asked) if isinstance(asked, Known) else None
                if same is not None:
                    return same if isinstance(op, ast.Is) else negate(same)
        return super().compared(node)

    def are_one_function(self, a: str, b: str) -> bool | None:
        """Whether two texts stand for one function of a module; None where nobody knows."""
        f, g = (self.module_scope(lambda t=t: self.value_of(expression(t, self.node))) for t in (a, b))  # type: ignore[misc]
        return are_one(f, g) if isinstance(f, Known) and isinstance(g, Known) else None

    def holds_function(self, held: Value | None, asked: Known) -> Expr | None:
        """What is true where a variable that holds one of several functions has this one; None where nobody knows."""
        if isinstance(held, Known):
            same = are_one(held, asked)
            return None if same is None else Const(same)
        if not isinstance(held, Choice) or held.objects or not held.exhaustive:
            return None
        found = [(tag, are_one(f, asked)) for tag, f in held.cases]
        if any(same is None for _, same in found):
            return None
        tags = tuple(tag for tag, same in found if same)
        return held.holds(tags) if tags and len(tags) < len(found) else Const(bool(tags))

    def block(self, body: Iterable[ast.stmt]) -> ir.Block:
        raise NotImplementedError  # `Lowering`

    # ------------------------------------------------------------ which names are functions

    def function_names(self) -> dict[str, list[Binding]]:
        """Local names that are only ever bound to functions, with what binds them."""
        found: dict[str, list[Binding]] = {}
        stores: dict[str, int] = {}
        for n in body_nodes(self.node):
            match n:
                case ast.FunctionDef(name=name):
                    found.setdefault(name, []).append(n)
                    stores[name] = stores.get(name, 0) + 1
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    found.setdefault(name, []).append(value)
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if attr != "get":
                    stores[name] = stores.get(name, 0) + 1  # a table that changes
                case (
                    ast.Name(id=name, ctx=ast.Store())
                    | ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del())
                ):
                    stores[name] = stores.get(name, 0) + 1
        found = {n: b for n, b in found.items() if stores.get(n) == len(b) and n not in self.params}
        while True:
            self.bindings = found
            kept = {
                n: b for n, b in found.items() if all(isinstance(e, ast.FunctionDef) or self.functional(e) for e in b)
            }
            if len(kept) == len(found):
                return found
            found = kept

    def functional(self, e: ast.expr) -> bool:
        """Whether an expression is a function, or a table of functions, as far as its text says."""
        if hasattr(e, "value_of"):
            return True
        match e:
            case ast.Lambda():
                return True
            case ast.Name(id=name) if self.is_local(name) or name in self.env:
                return not self.is_renamed(name) and (name in self.bindings or name in self.env)
            case ast.Name() | ast.Attribute():
                return self.global_function(e)
            case ast.IfExp(body=a, orelse=b):
                return self.functional(a) and self.functional(b)
            case ast.Dict(keys=keys, values=values):
                return (
                    bool(values)
                    and all(isinstance(k, ast.Constant) for k in keys)
                    and all(map(self.functional, values))
                )
            case ast.List(elts=elts) | ast.Tuple(elts=elts):
                return bool(elts) and all(
                    self.functional(x.value) and self.displays(x.value)
                    if isinstance(x, ast.Starred)
                    else self.functional(x)
                    for x in elts
                )
            case ast.ListComp() | ast.DictComp():
                return self.makes_functions(e)
            case ast.Call(
                func=ast.Name(id="list" | "tuple"), args=[ast.GeneratorExp() | ast.ListComp() as inner], keywords=[]
            ):
                return self.makes_functions(inner)
            case ast.Subscript(value=ast.Name() as table):
                return self.is_table(table)
            case ast.Subscript(value=ast.Attribute() as of):
                shared = self.class_table(of)
                return shared is not None and self.is_table(shared)
            case ast.Subscript(value=ast.Call(func=func), slice=ast.Constant(value=key)):
                return self.makes_table(func, key)
            case ast.Call(func=ast.Attribute(value=ast.Name() as table, attr="get"), args=[_, *rest], keywords=[]):
                return self.is_table(table) and all(map(self.functional, rest))
            case ast.Call(func=ast.Call() as maker, args=[inner]):
                return meaning(maker, self.imports.names) in SAME_VALUES and self.functional(inner)
            case ast.Call(func=ast.Name() | ast.Lambda() as func) if (nested := self.nested_maker(func)) is not None:
                return self.makes(nested)
            case ast.Call(func=func, args=args):
                found = self.resolve(func)
                if found is None or found[1] is not None:
                    return False
                if found[0] in ("functools.partial", *SAME_VALUES):
                    return bool(args) and self.functional(args[0])
                if found[0] == "functools.reduce":
                    return (nested_calls := self.composed(e)) is not None and self.functional(nested_calls)
                return self.maker_called(func, found[0]) is not None
        return False

    def is_renamed(self, name: str) -> bool:
        """Whether a name stands for a value here, whatever it is elsewhere."""
        return name in self.rename and name not in self.turning

    def global_function(self, e: ast.expr) -> bool:
        path = dotted(e)
        if path is None or self.is_local(path[0]):
            return False
        if len(path) == 1 and (value := self.names.values.get(path[0])) is not None:
            return bool(self.module_scope(lambda: self.functional(value)))
        found = self.resolve(e)
        return found is not None and found[1] is None and self.is_function(found[0])

    def is_function(self, fn: str) -> bool:
        root, _, rest = fn.partition(".")
        if root == "local":
            return isinstance(self.signature(self.own_name(fn)) or self.names.find_function(rest), ast.FunctionDef)
        if fn.removeprefix("python.") in OPERATORS:
            return True
        if root in ("numpy", "math", "builtins"):
            value = library_object(fn)
            kinds = (types.FunctionType, types.BuiltinFunctionType)
            return isinstance(value, kinds) or type(value).__name__ in ("ufunc", "_ArrayFunctionDispatcher")
        return rules.lookup(fn) is not None

    def module_scope(self, ask: Callable[[], Any]) -> Any:
        """An answer that does not see the names of the function being lowered."""
        saved = self.locals, self.inner, self.rename, self.bindings, self.env
        self.locals, self.inner, self.rename, self.bindings, self.env = set(), set(), {}, {}, {}
        try:
            return ask()
        finally:
            self.locals, self.inner, self.rename, self.bindings, self.env = saved

    # ------------------------------------------------------------ values

    def closure(self, node: FunctionLike, name: str) -> Closure:
        if id(node) not in self.closures:
            self.closures[id(node)] = Closure(node, name)
        return self.closures[id(node)]

    def table(self, e: ast.Name) -> Table | None:
        """The table that a name stands for, in the module or, where it is bound already, here."""
        value = self.env.get(e.id)
        if isinstance(value, Table) or self.is_local(e.id):
            return value if isinstance(value, Table) else None
        display = self.names.values.get(e.id)
        if display is None or not self.module_scope(lambda: self.functional(display)):
            return None
        match display:
            case ast.Dict(keys=keys, values=values) if all(isinstance(k, ast.Constant) for k in keys):
                entries = {cast(ast.Constant, k).value: v for k, v in zip(keys, values, strict=True)}
                return Table(tuple((Const(k), v) for k, v in entries.items()), False)
            case ast.List(elts=elts) | ast.Tuple(elts=elts):
                return Table(tuple((Const(i), v) for i, v in enumerate(elts)), True)
            case ast.ListComp() | ast.DictComp() | ast.Call():
                made_here = self.module_scope(lambda: self.value_of(display))
                return made_here if isinstance(made_here, Table) else None
        return None

    def class_table(self, e: ast.Attribute) -> ast.Name | None:
        """What all objects of a class share, `Layer.LAWS`, as one of the values of the module."""
        if not isinstance(e.value, ast.Name) or self.is_local(e.value.id):
            return None
        cls = self.names.classes.get(e.value.id)
        if cls is None or e.attr not in cls.tables:
            return None
        name = f"{cls.name}.{e.attr}"
        self.names.values.setdefault(name, cls.values[e.attr])
        return made(ast.Name(name, ast.Load()), e)

    def is_table(self, e: ast.Name) -> bool:
        """Whether a name stands for a table, as far as the text says."""
        if e.id in self.bindings and e.id not in self.env:
            bound = self.bindings[e.id]
            return len(bound) == 1 and isinstance(bound[0], ast.expr) and self.displays(bound[0])
        return self.table(e) is not None

    def displays(self, e: ast.expr) -> bool:
        match e:
            case ast.Call(func=ast.Name(id="list" | "tuple")):
                return True
            case ast.Call(func=ast.Name() as func):
                maker = self.signature(self.own_name(f"local.{func.id}"))
                return maker is not None and isinstance(maker.body[-1], ast.Return)
        return isinstance(e, ast.Dict | ast.List | ast.Tuple | ast.ListComp | ast.DictComp)

    # ------------------------------------------------------------ comprehensions

    def rounds_of(self, e: Comprehension) -> list[Round]:
        if len(e.generators) > 1:
            return []
        found = rounds(e.generators[0], self.names.values, self.is_local)
        if isinstance(e, ast.DictComp) and not all(isinstance(key_of(e, r), ast.Constant) for r in found):
            return []
        return found

    def makes_functions(self, e: Comprehension) -> bool:
        """Whether a comprehension whose rounds are known makes a function in each."""
        found = self.rounds_of(e)
        outer = self.rename, self.env, self.turning
        handed = {n for n in (found[0] if found else ()) if all(self.functional(r[n]) for r in found)}
        try:
            self.rename = self.rename | {n: ir.NONE for r in found for n in r if n not in handed}
            self.env = self.env | dict.fromkeys(handed, Table((), True))
            self.turning = self.turning | handed
            return bool(found) and self.functional(made_of(e))
        finally:
            self.rename, self.env, self.turning = outer

    def comprehended(self, e: Comprehension) -> Table | None:
        """The functions that a comprehension makes. A lambda reads its variables when it is called: as the last round
        leaves them."""
        found = self.rounds_of(e)
        targets = {n for r in found for n in r}
        element = made_of(e)
        inside = [n for n in walk(element) if isinstance(n, ast.Lambda) and n is not element]
        if any(targets & set(free_names(n)) for n in inside):
            return None
        base = self.held_in or "function"
        outer = self.rename, self.env, self.turning, self.closures
        entries: list[tuple[Const, Value]] = []
        bound: list[tuple[dict[str, Expr], dict[str, Value]]] = []
        for r in found:
            handed = {n: self.value_of(item) for n, item in r.items() if self.functional(item)}
            if None in handed.values():
                return None
            values = {n: self.settled_value(item, f"{base}_{n}") for n, item in r.items() if n not in handed}
            bound.append((values, cast("dict[str, Value]", handed)))
        try:
            for i, (values, functions) in enumerate(bound):
                self.rename, self.env = outer[0] | values, outer[1] | functions
                self.turning, self.closures = (outer[2] | functions.keys()) - values.keys(), {}
                value = self.value_of(element)
                if value is None:
                    return None
                if isinstance(value, Closure):
                    self.hold_defaults(value)
                    if any(n in self.groups for n in self.captures(value)):
                        return None
                key = cast(ast.Constant, key_of(e, found[i])).value if isinstance(e, ast.DictComp) else i
                entries.append((Const(key), value))
            now = [(k, self.known(v) if isinstance(v, Closure) else self.as_it_is(v, element)) for k, v in entries]
            known = [(k, v) for k, v in now if v is not None]
            if len(known) < len(now):
                return None
        finally:
            self.rename, self.env, self.turning, self.closures = outer
        kept = dict(known) if isinstance(e, ast.DictComp) else None
        pairs = kept.items() if kept is not None else known
        return Table(tuple((k, marker(v, element)) for k, v in pairs), not isinstance(e, ast.DictComp))

    def value_of(self, e: ast.expr) -> Value | None:
        """The function that an expression stands for. May write what evaluates the arguments of a partial."""
        ready = getattr(e, "value_of", None)
        if ready is not None:
            return cast(Value, ready)
        if not self.functional(e):
            return None
        match e:
            case ast.Lambda():
                method = method_of(e)
                return self.closure(e, self.held_in or (method.attr if method is not None else "function"))
            case ast.Name(id=name) if self.is_local(name) or name in self.env:
                return self.local_value(name)
            case ast.Name() | ast.Attribute():
                return self.global_value(e)
            case ast.Dict(keys=keys, values=values):
                return self.settled_table([cast(ast.Constant, k).value for k in keys], values, False)
            case ast.List(elts=elts) | ast.Tuple(elts=elts):
                entries: list[ast.expr] = []
                for x in elts:
                    inner = self.value_of(x.value) if isinstance(x, ast.Starred) else None
                    entries += [f for _, f in inner.entries] if isinstance(inner, Table) else [x]
                return self.settled_table(range(len(entries)), entries, True)
            case ast.ListComp() | ast.DictComp():
                return self.comprehended(e)
            case ast.Call(func=ast.Name(id="list" | "tuple"), args=[ast.GeneratorExp() | ast.ListComp() as inner]):
                return self.comprehended(inner)
            case ast.Subscript(value=ast.Name() as name, slice=key):
                return self.entry_of(name, key, None)
            case ast.Subscript(value=ast.Attribute() as of, slice=key):
                shared = self.class_table(of)
                return None if shared is None else self.entry_of(shared, key, None)
            case ast.Subscript(value=ast.Call() as call, slice=ast.Constant(value=key)):
                made_here = self.value_of(call)
                entries_made = made_here.entries if isinstance(made_here, Table) else ()
                chosen = next((f for k, f in entries_made if k == Const(key)), None)
                return None if chosen is None else self.value_of(chosen)
            case ast.Call(func=ast.Attribute(value=ast.Name() as name, attr="get"), args=[key, *rest]):
                return self.entry_of(name, key, rest[0] if rest else None)
            case ast.IfExp(test=test, body=a, orelse=b):
                return self.choice(test, a, b, attributes.is_asked(e))
            case ast.Call(func=ast.Call(), args=[inner]):
                return self.value_of(inner)
            case ast.Call(func=ast.Name() | ast.Lambda() as func) if (nested := self.nested_maker(func)) is not None:
                name = func.id if isinstance(func, ast.Name) else self.held_in or "function"
                return self.returned_by_nested(self.closure(nested, name), e)
            case ast.Call(func=func, args=args, keywords=keywords):
                found = self.resolve(func)
                assert found is not None
                if found[0] == "functools.partial":
                    return self.partial(args[0], args[1:], keywords)
                if found[0] in SAME_VALUES:
                    return self.value_of(args[0])
                if found[0] == "functools.reduce" and (nested_calls := self.composed(e)) is not None:
                    return self.value_of(nested_calls)
                called = self.maker_called(func, found[0])
                assert called is not None
                return self.returned_by(called[1], e, called[0])
        return None

    def composed(self, e: ast.Call) -> ast.expr | None:
        """`reduce(lambda f, g: lambda x: g(f(x)), [a, b, c])` as calls in one another: which function that gives."""
        match e:
            case ast.Call(args=[ast.Lambda() | ast.Name() as f, xs, *start], keywords=[]):
                items = self.listed_functions(xs)
                if not items or len(items) > MOST_COMPOSED:
                    return None
                first, *rest = [*start, *items]
                for item in rest:
                    first = made(ast.Call(f, [first, item], []), e)
                return first
        return None

    def listed_functions(self, e: ast.expr) -> list[ast.expr]:
        """The functions of a list that is shown, or has a name."""
        match e:
            case ast.List(elts=elts) | ast.Tuple(elts=elts) if all(map(self.functional, elts)):
                return elts
            case ast.Name(id=name) if self.is_table(e):
                table = self.table(e)
                if table is None:  # it is not bound yet: what its text says
                    shown = self.bindings[name][0]
                    return self.listed_functions(shown) if isinstance(shown, ast.List | ast.Tuple) else []
                return [f for _, f in table.entries] if table.is_list else []
        return []

    def settled_table(self, keys: Iterable[Any], entries: Iterable[ast.expr], is_list: bool) -> Table | None:
        """A table as it is here: what its functions are given in advance is evaluated, as Python does."""
        found: dict[Any, ast.expr] = {}  # of one key the last
        for k, e in zip(keys, entries, strict=True):
            value = self.value_of(e)
            if value is None:
                return None
            now = self.as_it_is(value, e)
            if now is None:
                return None
            found[k] = known_as(now, e)
        return Table(tuple((Const(k), e) for k, e in found.items()), is_list)

    def as_it_is(self, value: Value, e: ast.expr) -> Value | None:
        """A function, or a table, that gets another name: which of several the variable in `e` holds here, as it may be
        bound anew, and what is given in advance, where each round of a loop makes it. None where one of several is
        given such values: those of the others may not be there yet."""
        if isinstance(value, Closure):
            self.hold_defaults(value)
        names = [n.id for n in walk(e) if isinstance(n, ast.Name)]
        anew = any(id(b) in self.in_loops for n in names for b in self.bindings.get(n, ()))
        match value:
            case Choice(cases=cases) if anew and any(self.is_given_early(f) for _, f in cases):
                return None
            case Choice(subject=Var(name=name), objects=False) if anew or name in self.bindings:
                return replace(value, subject=self.named_now(Var(name)))
            case Table(entries=entries) if anew:
                found = [(k, x, self.value_of(x)) for k, x in entries]
                kept = [(k, x, None if v is None else self.as_it_is(v, e)) for k, x, v in found]
                known = tuple((k, known_as(v, x)) for k, x, v in kept if v is not None)
                return replace(value, entries=known) if len(known) == len(entries) else None
            case Known() if anew:
                return self.given_now(value)
            case Closure() if anew and value.defaults:
                return self.given_now(self.known(value))
        return value

    def captured_here(self, f: Known) -> int:
        """How many of the first arguments of a function are what it captures of this one, which it reads late."""
        return len(f.captured) if f.node is not None and any(n is f.node for n in walk(self.node)) else 0

    def is_given_early(self, f: Known) -> bool:
        """Whether the value of a variable is given to a function in advance."""
        return any(isinstance(a, Var) for a in f.atoms[self.captured_here(f) :])

    def given_now(self, f: Known) -> Known:
        """The function with what it is given in advance under names of its own."""
        cut = self.captured_here(f)
        options = tuple((k, self.named_now(a)) for k, a in f.options)
        return replace(f, before=(*f.before[:cut], *map(self.named_now, f.before[cut:])), options=options)

    def named_now(self, a: Argument) -> Any:
        if isinstance(a, Known):
            return self.given_now(a)
        if not isinstance(a, Var):
            return a
        name = self.fresh(self.held_in or a.name)
        self.set(name, a)
        return Var(name)

    @cached_property
    def in_loops(self) -> set[int]:
        """The expressions and statements that a loop may evaluate more than once."""
        loops = [n for n in walk(self.node) if isinstance(n, ast.For | ast.While)]
        return {id(n) for loop in loops for n in walk(loop)}

    @cached_property
    def in_branches_of_loops(self) -> set[int]:
        """The expressions and statements that a round of a loop may pass over."""
        loops = [n for n in walk(self.node) if isinstance(n, ast.For | ast.While)]
        inner = [n for loop in loops for s in loop.body for n in walk(s)]
        branches = [n for n in inner if isinstance(n, ast.For | ast.If | ast.Match | ast.Try | ast.While)]
        return {id(n) for branch in branches for n in walk(branch)}

    def name_defaults(self, closure: Closure) -> None:
        """Names for the defaults of a function that is asked for before it is defined: in a round of a loop."""
        if not closure.defaults:
            own = [p for p, d in default_nodes(closure.node) if not is_fixed(d)]
            closure.defaults |= {p: Var(self.fresh(f"{closure.name.strip('_')}_{p}")) for p in own}
            closure.awaited = bool(own)

    def hold_defaults(self, closure: Closure) -> None:
        """Defaults are evaluated where the function is defined."""
        if closure.awaited:
            closure.awaited = False
            for p, d in default_nodes(closure.node):
                if p in closure.defaults:
                    self.set(cast(Var, closure.defaults[p]).name, self.value(d))
        if closure.defaults:
            return
        for p, d in default_nodes(closure.node):
            if not is_fixed(d):
                wish = f"{closure.name.strip('_')}_{p}"
                value = self.settled_value(d, wish)
                if isinstance(value, Var) and id(closure.node) in self.in_branches_of_loops:
                    name = self.fresh(wish)  # the next rounds bind what is read here
                    self.set(name, value)
                    value = Var(name)
                closure.defaults[p] = value

    def local_value(self, name: str) -> Value | None:
        if name in self.env:
            return self.env[name]
        bound = self.bindings.get(name, [])
        if len(bound) < 2 or name in self.chosen:
            return None  # read before it is bound, or one of its functions calls what it may stand for
        self.chosen.add(name)
        try:
            return self.one_of(name, bound)
        finally:
            self.chosen.remove(name)

    def one_of(self, name: str, bound: list[Binding]) -> Choice | None:
        """Each of the functions that a variable may hold."""
        cases: dict[str, Known] = {}
        for tag, e in zip(self.tags(name), bound, strict=True):
            if isinstance(e, ast.IfExp | ast.Call):
                return None
            value = self.closure(e, name) if isinstance(e, ast.FunctionDef | ast.Lambda) else self.value_of(e)
            if value is None or isinstance(value, Choice | Table):
                return None
            if isinstance(value, Closure):
                self.name_defaults(value)
            cases[tag] = self.known(value)
        return Choice(Var(name), tuple((Const(tag), k) for tag, k in cases.items()))

    def tags(self, name: str) -> list[str]:
        """What a variable that holds one of several functions is set to, for each of its bindings."""
        out: list[str] = []
        paths = [dotted(e) if isinstance(e, ast.expr) else None for e in self.bindings[name]]
        taken = {x for p in paths if p for x in (p[-1], ".".join(p))}
        for i, path in enumerate(paths):
            tag = path[-1] if path else new_name(taken, f"{name}_{i + 1}")
            if path and any(p and p != path and p[-1] == tag for p in paths):
                tag = ".".join(path)  # `sine.g` and `cosine.g`
            out.append(tag)
            taken.add(tag)
        return out

    def global_value(self, e: ast.expr) -> Value | None:
        path = dotted(e)
        assert path is not None
        if len(path) == 1 and (value := self.names.values.get(path[0])) is not None:
            if isinstance(value, ast.Lambda):
                return Known(
                    made(ast.Name(self.lifted_lambda(path[0], value), ast.Load()), e),
                    *self.made_key(path[0]),
                    node=value,
                )
            return cast("Value | None", self.module_scope(lambda: self.value_of(value)))
        found = self.resolve(e)
        assert found is not None
        return Known(e, found[0], path[-1].strip("_"))

    def made_key(self, name: str) -> tuple[str, str]:
        return f"local.{self.names.keys['lambda', name]}", name.strip("_")

    def lifted_lambda(self, name: str, node: ast.Lambda) -> str:
        """A lambda of the module: a function of its own."""
        if ("lambda", name) not in self.names.keys:
            own = self.names.new_name(f"_{name.strip('_')}")
            self.names.keys["lambda", name] = own
            self.names.add(own, Made(self.as_def(node, own, []), {}, {}, f"The lambda {name}."))
        return self.names.keys["lambda", name]

    def entry_of(self, name: ast.Name, key: ast.expr, default: ast.expr | None) -> Value | None:
        table = self.table(name)
        if table is None:
            return None  # read before it is bound

        def ask(e: ast.expr) -> Value | None:
            if self.is_local(name.id):
                return self.value_of(e)
            return cast("Value | None", self.module_scope(lambda: self.value_of(e)))

        match key:
            case ast.Constant(value=literal):
                found = next((e for k, e in table.entries if k == Const(literal)), default)
                return None if found is None else ask(found)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as n)) if table.is_list:
                return ask(table.entries[-n][1]) if n <= len(table.entries) else None
        cases: list[tuple[Const, Known]] = []
        for k, e in table.entries:
            value = ask(e)
            if value is None or isinstance(value, Choice | Table):
                return None
            cases.append((k, self.known(value)))
        subject = self.settled(self.atom(key), f"{self.held_in or name.id.lower().replace('.', '_')}_key")
        if table.is_list:
            cases += [(Const(cast(int, k.value) - len(table.entries)), f) for k, f in cases]
        if isinstance(subject, Const):  # in a loop over keys that is written out
            same = [f for k, f in cases if (type(k.value), k.value) == (type(subject.value), subject.value)]
            if same:
                return same[0]
        if default is not None:
            other = self.value_of(default)
            if other is None or isinstance(other, Choice | Table):
                return None
            return Choice(subject, (*cases, (Const(None), self.known(other))))
        return Choice(subject, tuple(cases), False)

    def choice(self, test: ast.expr, a: ast.expr, b: ast.expr, at_once: bool = False) -> Value | None:
        """`f if test else g`: the test is kept under a name, as it decides at each call; at_once: there is only one."""
        first, second = self.value_of(a), self.value_of(b)
        if isinstance(first, Choice | Table | None) or isinstance(second, Choice | Table | None):
            return None
        e = self.tree(test)
        if not at_once and (not isinstance(e, Var) or self.may_change(e.name)):
            name = self.fresh(f"{self.held_in}_test" if self.held_in else "test")
            self.set(name, e)
            e = Var(name)
        return Choice(e, ((Const(True), self.known(first)), (Const(False), self.known(second))), flag=True)

    def partial(self, function: ast.expr, args: List[ast.expr], keywords: List[ast.keyword]) -> Value | None:
        value = self.value_of(function)
        if value is None or isinstance(value, Table | Choice):
            return None
        f = self.known(value)
        keywords = self.own_keywords(f, keywords)
        base = self.held_in or f.word
        if any(isinstance(a, ast.Starred) for a in args) or any(k.arg is None for k in keywords):
            return None

        def argument(e: ast.expr, name: str) -> Argument | None:
            if not self.functional(e):
                return self.settled_value(e, f"{base}_{name}")
            value = self.value_of(e)
            return self.known(value) if isinstance(value, Closure) else value if isinstance(value, Known) else None

        before = [argument(a, str(i + 1)) for i, a in enumerate(args)]
        options = [(str(k.arg), argument(k.value, str(k.arg))) for k in keywords]
        if None in before or None in dict(options).values():
            return None
        return replace(
            f,
            before=(*f.before, *cast(Any, before)),
            options=tuple({**dict(f.options), **dict(cast(Any, options))}.items()),
        )

    def settled(self, e: Expr, wish: str) -> Expr:
        """An atom that no later statement changes."""
        if isinstance(e, Const) or (isinstance(e, Var) and not self.may_change(e.name)):
            return e
        name = self.fresh(wish)
        self.set(name, e)
        return Var(name)

    def settled_value(self, e: ast.expr, wish: str) -> Expr:
        """The value of an expression, under a name where it is none."""
        value = self.value(e)
        if ir.is_atom(value):
            return self.settled(value, wish)
        name = self.fresh(wish)
        self.set(name, value)
        return Var(name)

    def may_change(self, name: str) -> bool:
        if name in self.given:
            return False
        count = sum(
            1
            for n in body_nodes(self.node)
            if isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load)
        )
        inside = any(isinstance(n, ast.Nonlocal) and name in n.names for n in walk(self.node))
        return inside or count + (name in self.params) > 1 or '"' in name

    def known(self, value: Closure | Known, called: bool = False) -> Known:
        """A closure as a function of its own, with what it captures here. called: it is called at once, or
        in another one; what it captures is read then."""
        if isinstance(value, Known):
            return value
        name = self.lift(value)
        if name in self.names.made and affects(self.names.made[name].node, self.names):
            self.refuse("changes", value.node, value.name)
        captured = self.captures(value)
        before: tuple[Argument, ...] = tuple(self.captured_value(n) for n in captured)
        node = None if self.recurs(value) else value.node
        if not called:
            before = tuple(self.reread(e, value.node) for e in before)
        callee = made(ast.Name(name, ast.Load()), value.node)
        writes = tuple(self.writes(value))
        options = tuple(value.defaults.items())
        word = value.name.strip("_")
        inside = {n: v for n in free_names(value.node) if (v := self.seen_inside(n)) is not None}
        functions = tuple((n, v) for n, v in inside.items() if isinstance(v, Known | Choice))
        home = self.node.name if len(functions) < len(inside) else ""
        return Known(callee, f"local.{name}", word, before, options, node, tuple(captured), writes, home, functions)

    # ------------------------------------------------------------ closures

    def captured_value(self, name: str) -> Expr:
        """What a captured name holds at this point."""
        if name in self.rename:
            return self.rename[name]
        if name in self.groups:
            t = self.temporary()
            self.set(t, self.display((name,), self.groups[name]))
            return Var(t)
        return Var(name)

    def reread(self, e: Argument, node: FunctionLike) -> Argument:
        """What a nested function that is called captures: a parameter with the parts that have been changed since,
        where the function may read them."""
        if not isinstance(e, Var) or e.name not in self.stored or not self.reads_changed(node, e.name):
            return e
        kept = any(keeps(f, e.name) for f in (node, *self.reached(node)))
        whole = self.changed_parameter(made(ast.Name(e.name, ast.Load()), node), (e.name,), kept)
        if not isinstance(whole, ir.Dict):
            return whole
        t = self.temporary()
        self.set(t, whole)
        return Var(t)

    def reads_changed(self, node: FunctionLike, name: str) -> bool:
        """Whether a nested function, or one that it calls, reads what has been changed of a parameter, or all of it."""
        changed = self.stored[name]
        cls = self.class_at((name,))
        nodes = [x for f in (node, *self.reached(node)) for x in walk(f)]
        parts: set[int] = set()  # occurrences of the name of which a part is read
        for x in nodes:
            path = self.chain(x) if isinstance(x, ast.Attribute | ast.Subscript) else None
            if path is None or path[0] != name or (cls is not None and path[1] not in cls.fields):
                continue
            inner: ast.AST = x
            while isinstance(inner, ast.Attribute | ast.Subscript):
                inner = inner.value
            parts.add(id(inner))
            if any(p[: len(path)] == path[: len(p)] for p in changed):
                return True
        return any(isinstance(x, ast.Name) and x.id == name and id(x) not in parts for x in nodes)

    def recurs(self, closure: Closure) -> bool:
        """Whether a nested function may call itself, through others of this function as well."""
        return any(node is closure.node for node in self.reached(closure.node))

    def reached(self, function: FunctionLike) -> list[FunctionLike]:
        """The functions of this one that a nested function may call, through others as well."""
        seen: list[FunctionLike] = []
        todo = [function]
        while todo:
            for name in free_names(todo.pop()):
                for node in nodes_of(self.env.get(name)):
                    if node not in seen:
                        seen.append(node)
                        todo.append(node)
        return seen

    def captures(self, closure: Closure, seen: tuple[Closure, ...] = ()) -> list[str]:
        """The variables that a nested function reads, itself or through the functions that it calls."""
        found: list[str] = []
        for name in free_names(closure.node):
            if not self.is_local(name) and name not in self.env:
                continue
            inner: list[str] = []
            value = self.env.get(name) or (self.local_value(name) if name in self.bindings else None)
            match value:
                case Closure():
                    inner = self.needed_by(value, (*seen, closure))
                case Known() | Choice():
                    inner = [a.name for a in value.atoms if isinstance(a, Var)]
                case Table():
                    for _, e in value.entries:
                        part = self.value_of(e)
                        if isinstance(part, Closure):
                            inner += self.needed_by(part, (*seen, closure))
                        elif isinstance(part, Known):
                            inner += [a.name for a in part.atoms if isinstance(a, Var)]
                case None:
                    inner = [name]
            found += [n for n in dict.fromkeys(inner) if n not in found]
        return found

    def needed_by(self, called: Closure, seen: tuple[Closure, ...]) -> list[str]:
        """What a call of a function needs of the variables around: what it captures, and its defaults."""
        captured = self.captures(called, seen) if called not in seen else []
        return [*captured, *(d.name for d in called.defaults.values() if isinstance(d, Var))]

    def writes(self, closure: Closure) -> list[str]:
        """Names of the functions around that a nested function binds, itself or through the functions that it calls."""
        found: dict[str, None] = {}
        seen = [closure]
        for c in seen:
            found |= dict.fromkeys(nonlocals(c.node))
            called = (self.env.get(n) for n in free_names(c.node))
            seen += [v for v in called if isinstance(v, Closure) and v not in seen]
        return list(found)

    def lift(self, closure: Closure) -> str:
        """The name of the function of the output that does what a nested function does."""
        key = ("closure", self.node.name, id(closure.node))
        if key in self.names.keys:
            return self.names.keys[key]
        word = closure.name.strip("_")
        name = self.names.new_name(f"_{self.node.name.strip('_')}_{word}")
        self.names.keys[key] = name
        own = {a.arg for a in parameters(closure.node)} | identifiers(closure.node)
        free = set(free_names(closure.node))
        params = {n: n if n in free or n not in own else new_name(own, f"outer_{n}") for n in self.captures(closure)}
        env = {n: self.moved(v, params) for n in free_names(closure.node) if (v := self.seen_inside(n)) is not None}
        node = self.as_def(closure.node, name, list(params.values()), self.classes_of(params))
        writes = self.writes(closure)
        if writes:
            node = with_results(node, writes)
        text = "the lambda" if isinstance(closure.node, ast.Lambda) and closure.name == "function" else closure.name
        self.names.add(
            name, Made(node, cast(dict[str, object], env), self.notes, f"What {text} in {self.node.name} computes.")
        )
        return name

    def seen_inside(self, name: str) -> Value | None:
        if name in self.env:
            return self.env[name]
        return self.local_value(name) if name in self.bindings else None

    def moved(self, value: Value, params: dict[str, str]) -> Value:
        """A function as it is seen where what it captures has other names."""
        match value:
            case Closure():
                return self.moved(self.known(value, called=True), params)
            case Known():
                return value.swapped({n: Var(p) for n, p in params.items()})
            case Choice():
                return value.swapped({n: Var(p) for n, p in params.items()})
            case Table():
                entries = []
                for k, e in value.entries:
                    inner = self.value_of(e)
                    assert inner is not None
                    entries.append((k, marker(self.moved(inner, params), e)))
                return replace(value, entries=tuple(entries))

    def sent(self, value: Value) -> Value:
        """A function as another module sees it, where the names of this one mean nothing."""
        match value:
            case Closure():
                return self.sent(self.known(value, called=True))
            case Known():
                before = tuple(map(self.sent_argument, value.before))
                options = tuple((k, self.sent_argument(a)) for k, a in value.options)
                callee = canonical(value.key, value.callee)
                return Known(callee, value.key, value.word, before, options, writes=value.writes)
            case Choice():
                cases = tuple((tag, cast(Known, self.sent(f))) for tag, f in value.cases)
                return replace(value, cases=cases)
            case Table():
                parts = [(k, e, self.value_of(e)) for k, e in value.entries]
                return replace(value, entries=tuple((k, marker(self.sent(cast(Value, v)), e)) for k, e, v in parts))

    def sent_argument(self, a: Argument) -> Argument:
        return cast(Argument, self.sent(a)) if isinstance(a, Known | Choice) else a

    def classes_of(self, params: Mapping[str, str]) -> dict[str, ClassInfo | Items]:
        """The classes of the module of which variables are objects, or lists of them, under the names that they have
        as parameters."""
        if not self.names.classes:
            return {}
        found: dict[str, ClassInfo | Items] = {}
        for n, new in params.items():
            if not self.is_local(n):
                continue
            if self.is_own_class(cls := self.class_at((n,))):
                found[new] = cls
            elif (items := self.members(made(ast.Name(n, ast.Load()), self.node))) and self.is_own_class(items.of):
                found[new] = items
        return found

    def is_own_class(self, cls: object) -> TypeGuard[ClassInfo]:
        """Whether a kind is a class of the module at hand, which an annotation can name."""
        return isinstance(cls, ClassInfo) and self.names.classes.get(cls.name) is cls

    def as_def(
        self, node: FunctionLike, name: str, captured: list[str], classes: Mapping[str, ClassInfo | Items] | None = None
    ) -> ast.FunctionDef:
        """A nested function as one of the module, what it captures before its own parameters."""
        args = copy.copy(node.args)
        first = [ast.copy_location(ast.arg(n, noted(n, classes or {}, node)), node) for n in captured]
        args.args = [*first, *args.posonlyargs, *args.args]
        args.posonlyargs = []
        defaults: list[ast.expr] = []
        for d in args.defaults:
            defaults.append(d if is_fixed(d) else made(ast.Constant(None), d))
        args.defaults = defaults
        args.kw_defaults = [d if d is None or is_fixed(d) else made(ast.Constant(None), d) for d in args.kw_defaults]
        alone = [made(ast.Return(node.body), node.body)] if isinstance(node, ast.Lambda) else []
        body: list[ast.stmt] = [*alone, *(node.body if isinstance(node, ast.FunctionDef) else ())]
        returns = node.returns if isinstance(node, ast.FunctionDef) else None
        caches = [d for d in getattr(node, "decorator_list", ()) if meaning(d, self.imports.names) in CACHES]
        out = ast.FunctionDef(name, args, body, caches, returns)
        return ast.copy_location(out, node)

    # ------------------------------------------------------------ calls

    def own_name(self, fn: str) -> str:
        """The name of a function of this module: "dense" for `local.dense`, and for `local.layers.dense` in layers."""
        name = fn.removeprefix("local.")
        own = not self.names.prefix or name.startswith(self.names.prefix) or name in self.names.made
        return name.removeprefix(self.names.prefix) if own else fn

    def own_keywords(self, f: Known, keywords: List[ast.keyword]) -> List[ast.keyword]:
        """Keywords of a call under the names that the parameters of a nested function have here."""
        found = self.signature(self.own_name(f.key)) if f.key.startswith("local.") else None
        named = {keyword_of(p): p.arg for p in parameters(found) if keyword_of(p) != p.arg} if found else {}
        return [made(ast.keyword(named.get(k.arg or "", k.arg), k.value), k) for k in keywords] if named else keywords

    def signature(self, name: str) -> ast.FunctionDef | None:
        if name in self.names.made:
            return self.names.made[name].node
        node = self.names.functions.get(name)
        return node if isinstance(node, ast.FunctionDef) else None

    # ------------------------------------------------------------ functions that return functions

    def special(
        self, name: str, node: ast.Call, home: ModuleNames | None = None
    ) -> tuple[str, List[ast.expr], List[ast.keyword]] | None:
        """The helper made for the functions that a call hands over, its arguments, and its keywords."""
        raise NotImplementedError

    def maker_called(self, func: ast.expr, fn: str) -> tuple[FunctionValues, str] | None:
        """The function that a call calls, if that returns a function: a lowering of its module, and its name there."""
        if fn.startswith("local.") and self.maker(self.own_name(fn)) is not None:
            return self, self.own_name(fn)
        of = self.helper_elsewhere(func)
        if of is None:
            return None
        home, name = of
        node = home.functions[name]
        assert isinstance(node, ast.FunctionDef) and home.source is not None
        there = type(self)(node, home, home.source, home.notes_of(name))
        return (there, name) if there.maker(name) is not None else None

    def makes_table(self, func: ast.expr, key: object) -> bool:
        """Whether a call gives several functions, and one of them under a key: `make(2.0)[0]`."""
        found = self.resolve(func)
        called = self.maker_called(func, found[0]) if found is not None and found[1] is None else None
        match called[0].maker(called[1]) if called is not None else None:
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                return isinstance(key, int) and 0 <= key < len(elts)
            case ast.Dict(keys=keys):
                return any(isinstance(k, ast.Constant) and k.value == key for k in keys)
        return False

    def helper_elsewhere(self, func: ast.expr) -> tuple[ModuleNames, str] | None:
        """The function of another module that is called: the names of its module, and its own there."""
        path = self.imported(func)
        return self.names.helper(path) if path else None

    def imported(self, func: ast.expr) -> str:
        """The path of what a call calls that is imported, else ""."""
        path = dotted(func) if isinstance(func, ast.Name | ast.Attribute) else None
        if path is None or self.is_local(path[0]) or path[0] not in self.imports.names or path[0] in self.env:
            return ""
        return ".".join([self.imports.names[path[0]], *path[1:]])

    def maker(self, name: str) -> ast.expr | None:
        """What a function of the module returns, if that is a function and it returns once, at its end."""
        node = self.signature(name)
        if node is None or self.decorators_matter(node) or name in self.names.asked:
            return None  # what a function makes is no function for the reason alone that its own calls return one
        self.names.asked.add(name)
        try:
            return self.made_by(node, name)
        finally:
            self.names.asked.remove(name)

    def made_by(
        self, node: ast.FunctionDef, name: str, inside: Callable[[], FunctionValues] | None = None
    ) -> ast.expr | None:
        """The function that a function returns; inside: gives its lowering, where it is no function of the module."""
        lowered = inside or functools.partial(self.probe, node, name)
        last = node.body[-1]
        returns = [n for s in node.body for n in own_walk(s) if isinstance(n, ast.Return)]
        if len(returns) != 1 or not isinstance(last, ast.Return) or last.value is None:
            return None
        match last.value:
            case ast.Lambda():
                return last.value
            case ast.Name(id=inner):
                bound = [
                    n for s in node.body for n in own_walk(s) if isinstance(n, ast.FunctionDef) and n.name == inner
                ]
                lambdas = [
                    n
                    for s in node.body
                    for n in own_walk(s)
                    if isinstance(n, ast.Assign)
                    and isinstance(n.value, MAKING)
                    and any(isinstance(t, ast.Name) and t.id == inner for t in n.targets)
                ]
                if bound:
                    return last.value
                return last.value if lambdas and lowered().functional(last.value) else None
            case ast.Call() | ast.List() | ast.Tuple() | ast.Dict() | ast.ListComp() | ast.DictComp():
                return last.value if lowered().functional(last.value) else None
        return None

    def nested_maker(self, func: ast.Name | ast.Lambda) -> FunctionLike | None:
        """The nested function or lambda that is called; one with a name where it is bound to that alone."""
        if isinstance(func, ast.Lambda):
            return func
        match self.bindings.get(func.id, []):
            case [ast.FunctionDef() | ast.Lambda() as node] if not self.is_renamed(func.id):
                return node
        return None

    def makes(self, maker: FunctionLike) -> bool:
        """Whether a nested function returns a function, as far as its text says."""
        key = f"{self.node.name}.{maker.lineno}.{maker.col_offset}"
        if key in self.names.asked:
            return False
        self.names.asked.add(key)
        try:
            node = self.as_def(maker, "nested", [])
            inside = functools.partial(type(self), node, self.names, self.source, self.notes, self.env)
            return self.made_by(node, node.name, inside) is not None
        finally:
            self.names.asked.remove(key)

    def returned_by_nested(self, maker: Closure, node: ast.Call) -> Value | None:
        """The function that a nested function returns: as one of the module does that is given what this captures."""
        self.hold_defaults(maker)
        lifted = self.known(maker)
        if lifted.writes or not isinstance(lifted.callee, ast.Name):
            return None
        captured = [captured_node(cast(Expr, a), node) for a in lifted.before]
        defaults = [made_keyword(p, v, node) for p, v in lifted.options if p not in {k.arg for k in node.keywords}]
        call = made(ast.Call(lifted.callee, [*captured, *node.args], [*node.keywords, *defaults]), node)
        return self.returned_by(lifted.callee.id, call)

    def decorators_matter(self, node: ast.FunctionDef) -> bool:
        return any(meaning(d, self.imports.names) not in SAME_VALUES for d in node.decorator_list)

    def probe(self, node: ast.FunctionDef, name: str) -> FunctionValues:
        """The lowering of another function, to ask what its names mean."""
        env = cast("dict[str, Value]", self.names.made[name].env) if name in self.names.made else {}
        notes = self.names.made[name].notes if name in self.names.made else self.names.notes_of(name)
        return type(self)(node, self.names, self.source, notes, env)

    def returned_by(self, name: str, node: ast.Call, there: FunctionValues | None = None) -> Value | None:
        """The function that a maker returns, with what it captures there; there: a lowering of its module."""
        there = there or self
        made_helper = self.special(name, node, there.names if there is not self else None)
        if made_helper is not None:
            name, args, keywords = made_helper
        else:
            args, keywords = list(node.args), list(node.keywords)
        maker = there.signature(name)
        if maker is None or any(isinstance(x, ast.Starred) for x in args):
            return None
        maker, result = there.with_names(maker, name)
        probe = there.probe(maker, name)
        before = len(probe.refusals)
        probe.block(maker.body[:-1])
        value = probe.value_of(result)
        if value is None or isinstance(value, Choice) or len(probe.refusals) > before:
            return None
        parts = [probe.value_of(e) for _, e in value.entries] if isinstance(value, Table) else [value]
        for v in parts:
            if isinstance(v, Closure):
                probe.hold_defaults(v)
        functions = [probe.known(v) for v in parts if isinstance(v, Known | Closure)]
        if there is not self:
            functions = [cast(Known, probe.sent(f)) for f in functions]
        for found in probe.refusals[before:]:
            if found.code == "S202":  # it changes what it captures, which its next call would not see
                found = replace(found, help=OF_STATE)
            if found not in self.refusals:
                self.refusals.append(found)
        if len(functions) < len(parts) or any(f.writes for f in functions):
            return None
        bound: dict[str, ast.expr] = dict(
            zip((p.arg for p in (*maker.args.posonlyargs, *maker.args.args)), args, strict=False)
        )
        bound |= {str(k.arg): k.value for k in keywords}
        for p, d in default_nodes(maker):
            bound.setdefault(p, d)
        base = self.held_in or functions[0].word
        needed = list(dict.fromkeys(a.name for f in functions for a in f.atoms if isinstance(a, Var)))
        params = {p.arg for p in parameters(maker)}
        fixed = {n for n in needed if n in params and n not in probe.bound}
        swap: dict[str, Expr] = {}
        for n in needed:
            if n in fixed:
                if n not in bound:
                    return None
                e = self.atom(bound[n])
                swap[n] = e if is_captured(bound[n]) else self.settled(e, f"{base}_{n}")
        others = [n for n in needed if n not in fixed]
        if not params.union(probe.bound).issuperset(others):
            return None  # made on the way to the function
        work = [s for s in maker.body[:-1] if not isinstance(s, ast.FunctionDef) and not is_docstring(s)]
        if others or work:
            call = there.captured_by(name, maker, others, probe)
            order = [p.arg for p in parameters(maker)]
            if any(p not in bound for p in order):
                return None
            op = Op(
                f"local.{call}",
                tuple(self.atom(bound[p]) for p in order),
                span=self.source.span(node),
                spelling=call if there is self else "",
            )
            names = [self.fresh(f"{base}_{n}") for n in others]
            if not others:
                if any(not isinstance(s, ast.Assign) for s in work):
                    self.emit(ir.Inert("", (op,), self.origin))
            elif len(others) == 1:
                self.set(names[0], op)
            else:
                self.emit(Unpack(tuple(names), op, self.origin))
            swap |= {n: Var(x) for n, x in zip(others, names, strict=True)}
        made_here = [f.swapped(swap) for f in functions]
        if not isinstance(value, Table):
            return made_here[0]
        entries = tuple((k, known_as(f, e)) for (k, e), f in zip(value.entries, made_here, strict=True))
        return replace(value, entries=entries)

    def with_names(self, maker: ast.FunctionDef, name: str) -> tuple[ast.FunctionDef, ast.expr]:
        """A maker whose last expression is made of names only, `return make(value)` behind `value = 2.0 * w`; and that
        expression."""
        last = maker.body[-1]
        assert isinstance(last, ast.Return) and last.value is not None
        probe = self.probe(maker, name)
        taken = identifiers(maker) | {p.arg for p in parameters(maker)}
        added: list[ast.stmt] = []

        def named(e: ast.expr) -> ast.expr:
            match e:
                case ast.List(elts=elts) | ast.Tuple(elts=elts):
                    return made(type(e)([named(x) for x in elts], ast.Load()), e)
                case ast.Dict(keys=keys, values=values):
                    return made(ast.Dict(keys, [named(v) for v in values]), e)
                case ast.ListComp(elt=ast.Call() as element) if not any(isinstance(n, ast.Lambda) for n in walk(e)):
                    elements = [_Put(r).visit(copy.deepcopy(element)) for r in probe.rounds_of(e)]
                    return named(made(ast.List(elements, ast.Load()), e))
                case ast.Call(func=func, args=args, keywords=keywords) if probe.functional(e):
                    given = [made(ast.keyword(k.arg, argument(k.value)), k.value) for k in keywords]
                    return made(ast.Call(func, [argument(a) for a in args], given), e)
            return e

        def argument(e: ast.expr) -> ast.expr:
            if isinstance(e, ast.Name | ast.Constant | ast.Starred):
                return e
            if probe.functional(e):
                return named(e)
            name = new_name(taken, "value")
            added.append(made(ast.Assign([made(ast.Name(name, ast.Store()), e)], e), e))
            return made(ast.Name(name, ast.Load()), e)

        result = named(last.value)
        if not added:
            return maker, last.value
        out = copy.copy(maker)
        out.body = [*maker.body[:-1], *added, made(ast.Return(result), last)]
        return out, result

    def captured_by(self, name: str, maker: ast.FunctionDef, others: list[str], probe: FunctionValues) -> str:
        """The maker as a function that returns what the function captures that it returned."""
        key = ("maker", name, tuple(others))
        if key not in self.names.keys:
            own = self.names.new_name(f"_{name.strip('_')}")
            self.names.keys[key] = own
            last = maker.body[-1]
            items: list[ast.expr] = [made(ast.Name(n, ast.Load()), last) for n in others]
            value = items[0] if len(items) == 1 else made(ast.Tuple(items, ast.Load()), last)
            result = made(ast.Return(value if items else None), last)
            body = [*maker.body[:-1], result]
            node = ast.FunctionDef(own, maker.args, body, [], None)
            ast.copy_location(node, maker)
            text = f"What the function that {name} returns captures."
            self.names.add(
                own,
                Made(
                    node,
                    cast(dict[str, object], dict(probe.env_given)),
                    probe.notes,
                    text,
                ),
            )
        return self.names.keys[key]

    @property
    def env_given(self) -> dict[str, Value]:
        """The functions that were known from outside."""
        return {n: v for n, v in self.env.items() if n not in self.bindings}


def nodes_of(value: Value | None) -> list[FunctionLike]:
    """The nested functions and lambdas that a value may stand for."""
    match value:
        case Closure(node=node) | Known(node=ast.FunctionDef() | ast.Lambda() as node):
            return [node]
        case Choice(cases=cases):
            return [f.node for _, f in cases if f.node is not None]
    return []


def noted(name: str, classes: Mapping[str, ClassInfo | Items], at: ast.AST) -> ast.expr | None:
    """The annotation of a parameter of which the class is known, or that of its items: `Body`, `list[Body]`."""
    match classes.get(name):
        case None:
            return None
        case Items(of=cls, in_dict=in_dict):
            return expression(f"dict[object, {cls.name}]" if in_dict else f"list[{cls.name}]", at)
        case ClassInfo() as cls:
            return made(ast.Name(cls.name, ast.Load()), at)


def made_of(e: Comprehension) -> ast.expr:
    return e.value if isinstance(e, ast.DictComp) else e.elt


def key_of(e: ast.DictComp, r: Round) -> ast.expr:
    return r.get(e.key.id, e.key) if isinstance(e.key, ast.Name) else e.key


class _Put(ast.NodeTransformer):
    """Variables of a comprehension as what they are in one round."""

    def __init__(self, values: Round) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.values.get(node.id, node)
