"""Functions as values: nested ones and lambdas, those handed to others or returned, partial, tables of functions.

No value of the IR is a function. Which function a call means is known when it is lowered, or is one of a few that a
variable tells apart:

    g(x), g nested             _f_g(w, x)           a function of its own, with what g captures as parameters
    (lambda t: w * t)(x)       w * x                a body of one expression is written out
    apply(np.sin, x)           _apply_sin(x)        a helper for each function that is handed to it
    g = make(w); g(x)          _make_g(w, x)        what a maker returns, with what it captures
    TABLE[kind](x)             if kind == "a": ...  a branch for each function that it may be

Captured variables are read where the function is called, as Python does.
"""

from __future__ import annotations

import ast
import copy
import importlib
import types
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Sequence as List
from dataclasses import dataclass, field, replace
from typing import Any, cast

from s2s import ir, rules
from s2s.frontend import names as known_names
from s2s.frontend.classes import ClassInfo
from s2s.frontend.decorators import CONTEXTS, SAME_VALUES, meaning
from s2s.frontend.expressions import BINARY
from s2s.frontend.lists import Lists
from s2s.frontend.names import Made, ModuleNames
from s2s.frontend.objects import Group
from s2s.frontend.scopes import COMPREHENSIONS, body_nodes, bound_names, dotted, free_names, parameters
from s2s.frontend.source import Note, Source, made
from s2s.ir import Const, Expr, Form, If, Op, Unpack, Var

FunctionLike = ast.FunctionDef | ast.Lambda
SMALL = 12  # operations, in all the places where a body of one expression is written out
WEIGHTY = (ast.BinOp, ast.UnaryOp, ast.Call, ast.Subscript, ast.Compare, ast.IfExp)
SHORT = 60  # characters of a lambda that is quoted
MANY = 300  # helpers made for one module: beyond, functions are handed on without an end

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


@dataclass(frozen=True)
class Known:
    """One function. `before` are arguments given in advance, first of all what it captures (`captured`)."""

    callee: ast.expr  # an expression that names it
    key: str  # its canonical name: "numpy.sin", "local._f_g"
    word: str  # for the names of what is made for it
    before: tuple[Argument, ...] = ()
    options: tuple[tuple[str, Argument], ...] = ()  # keywords given in advance
    node: FunctionLike | None = None  # of one that may be written out
    captured: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()  # nonlocal names that it binds
    home: str = ""  # the function whose nested functions it calls
    functions: tuple[tuple[str, Argument], ...] = ()  # what other names of functions in it stand for

    @property
    def arguments(self) -> tuple[Argument, ...]:
        return (*self.before, *(v for _, v in self.options))

    @property
    def atoms(self) -> tuple[Expr, ...]:
        return tuple(x for a in self.arguments for x in (a.atoms if isinstance(a, Known | Choice) else (a,)))

    def identity(self) -> object:
        """What is the same for functions that differ in the values only that they are given in advance."""
        fixed = (
            a.identity() if isinstance(a, Known | Choice) else a if isinstance(a, Const) else None
            for a in self.arguments
        )
        return self.key, len(self.before), tuple(k for k, _ in self.options), tuple(fixed)

    def swapped(self, swap: dict[str, Expr]) -> Known:
        """The function with other expressions for the names that it is given in advance."""

        def each(pairs: tuple[tuple[str, Argument], ...]) -> tuple[tuple[str, Argument], ...]:
            return tuple((k, swapped(a, swap)) for k, a in pairs)

        before = tuple(swapped(a, swap) for a in self.before)
        return replace(self, before=before, options=each(self.options), functions=each(self.functions))


@dataclass(frozen=True)
class Choice:
    """One of several functions: the one whose tag the subject equals."""

    subject: Expr
    cases: tuple[tuple[Const, Known], ...]
    exhaustive: bool = True  # else no case may hold, and the table has no such key
    flag: bool = False  # the subject is a test: of two cases, the first where it holds

    @property
    def atoms(self) -> tuple[Expr, ...]:
        return (self.subject, *(a for _, k in self.cases for a in k.atoms))

    def identity(self) -> object:
        return "choice", tuple((tag, k.identity()) for tag, k in self.cases), self.exhaustive

    def swapped(self, swap: dict[str, Expr]) -> Choice:
        cases = tuple((tag, f.swapped(swap)) for tag, f in self.cases)
        return replace(self, subject=ir.substitute(self.subject, swap), cases=cases)


@dataclass(frozen=True)
class Table:
    """A display of functions: its keys (positions of a list), and what names each."""

    entries: tuple[tuple[Const, ast.expr], ...]
    is_list: bool


@dataclass(eq=False)
class Closure:
    """A nested function or lambda of the function being lowered."""

    node: FunctionLike
    name: str
    defaults: dict[str, Expr] = field(default_factory=dict)  # values of defaults that are no literals


Argument = Expr | Known | Choice
Value = Known | Choice | Table | Closure
Binding = ast.FunctionDef | ast.expr


class Functions(Lists):
    """What functions mean, and the calls of functions that are values."""

    def __init__(
        self,
        node: ast.FunctionDef,
        names: ModuleNames,
        source: Source,
        notes: dict[int, Note],
        env: dict[str, Value] | None = None,
        cls: ClassInfo | None = None,
    ) -> None:
        super().__init__(node, names, source, cls)
        self.cls = cls
        self.notes = notes
        self.env: dict[str, Value] = dict(env or {})
        own = names.made.get(node.name)
        self.keywords = own.keywords if own is not None and own.node is node else {}
        self.lengths = own.lengths if own is not None and own.node is node else {}
        for p, options in self.keywords.items():
            self.groups[p] = Group(parts=dict.fromkeys(options))
            self.entries |= {(p, key): name for key, name in options.items()}
        self.closures: dict[int, Closure] = {}
        self.turning: set[str] = set()  # variables of the loops around that are functions
        self.fixed: dict[str, ast.expr] = {}  # parameters that are functions, as their defaults say
        self.held_in: str = ""  # the name that a function value is bound to
        self.bindings: dict[str, list[Binding]] = {}
        self.fix_defaults()
        self.bindings = self.function_names()
        for name in self.bindings:
            self.groups.pop(name, None)
        for name, bound in self.bindings.items():
            if len(bound) == 1 and isinstance(bound[0], ast.FunctionDef):
                self.env[name] = self.closure(bound[0], name)

    def fix_defaults(self) -> None:
        """Parameters whose defaults are functions: a derivative is made for these only."""
        for p, d in default_nodes(self.node):
            if p not in self.bound and self.module_scope(lambda d=d: self.functional(d)):  # type: ignore[misc]
                value = self.module_scope(lambda d=d: self.value_of(d))  # type: ignore[misc]
                if isinstance(value, Known):
                    self.env[p], self.fixed[p] = value, d

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
                case ast.Name(id=name, ctx=ast.Store()):
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
        match e:
            case ast.Lambda():
                return True
            case ast.Name(id=name) if hasattr(e, "value_of"):
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
                return bool(elts) and all(map(self.functional, elts))
            case ast.Subscript(value=ast.Name() as table):
                return self.table(table) is not None
            case ast.Call(func=ast.Attribute(value=ast.Name() as table, attr="get"), args=[_, *rest], keywords=[]):
                return self.table(table) is not None and all(map(self.functional, rest))
            case ast.Call(func=ast.Call() as maker, args=[inner]):
                return meaning(maker, self.imports.names) in SAME_VALUES and self.functional(inner)
            case ast.Call(func=func, args=args):
                found = self.resolve(func)
                if found is None or found[1] is not None:
                    return False
                if found[0] in ("functools.partial", *SAME_VALUES):
                    return bool(args) and self.functional(args[0])
                return found[0].startswith("local.") and self.maker(self.own_name(found[0])) is not None
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
            return isinstance(self.signature(self.own_name(fn)), ast.FunctionDef)
        if fn.removeprefix("python.") in OPERATORS:
            return True
        if root in ("numpy", "math", "builtins"):
            value: Any = importlib.import_module(root)
            for part in rest.split("."):
                value = getattr(value, part, None)
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
        """The table that a name stands for, here or in the module."""
        value = self.env.get(e.id)
        if isinstance(value, Table):
            return value
        display: ast.expr | None = None
        if e.id in self.bindings and len(self.bindings[e.id]) == 1:
            bound = self.bindings[e.id][0]
            display = bound if isinstance(bound, ast.expr) else None
        elif not self.is_local(e.id):
            display = self.names.values.get(e.id)
            if display is not None and not self.module_scope(lambda: self.functional(display)):
                return None
        match display:
            case ast.Dict(keys=keys, values=values):
                return Table(
                    tuple((Const(cast(ast.Constant, k).value), v) for k, v in zip(keys, values, strict=True)), False
                )
            case ast.List(elts=elts) | ast.Tuple(elts=elts):
                return Table(tuple((Const(i), v) for i, v in enumerate(elts)), True)
        return None

    def value_of(self, e: ast.expr) -> Value | None:
        """The function that an expression stands for. May write what evaluates the arguments of a partial."""
        ready = getattr(e, "value_of", None)
        if ready is not None:
            return cast(Value, ready)
        if not self.functional(e):
            return None
        match e:
            case ast.Lambda():
                return self.closure(e, self.held_in or "function")
            case ast.Name(id=name) if self.is_local(name) or name in self.env:
                return self.local_value(name)
            case ast.Name() | ast.Attribute():
                return self.global_value(e)
            case ast.Dict() | ast.List() | ast.Tuple():
                entries = e.values if isinstance(e, ast.Dict) else e.elts
                keys = [cast(ast.Constant, k).value for k in e.keys] if isinstance(e, ast.Dict) else range(len(entries))
                return Table(
                    tuple((Const(k), v) for k, v in zip(keys, entries, strict=True)), not isinstance(e, ast.Dict)
                )
            case ast.Subscript(value=ast.Name() as name, slice=key):
                return self.entry_of(name, key, None)
            case ast.Call(func=ast.Attribute(value=ast.Name() as name, attr="get"), args=[key, *rest]):
                return self.entry_of(name, key, rest[0] if rest else None)
            case ast.IfExp(test=test, body=a, orelse=b):
                return self.choice(test, a, b)
            case ast.Call(func=ast.Call(), args=[inner]):
                return self.value_of(inner)
            case ast.Call(func=func, args=args, keywords=keywords):
                found = self.resolve(func)
                assert found is not None
                if found[0] == "functools.partial":
                    return self.partial(args[0], args[1:], keywords)
                if found[0] in SAME_VALUES:
                    return self.value_of(args[0])
                return self.returned_by(self.own_name(found[0]), e)
        return None

    def local_value(self, name: str) -> Value | None:
        if name in self.env:
            return self.env[name]
        bound = self.bindings.get(name, [])
        if len(bound) < 2:
            return None  # read before it is bound
        cases: dict[str, Known] = {}
        for tag, e in zip(self.tags(name), bound, strict=True):
            if isinstance(e, ast.IfExp | ast.Call):
                return None
            value = self.closure(e, name) if isinstance(e, ast.FunctionDef) else self.value_of(e)
            if value is None or isinstance(value, Choice | Table):
                return None
            cases[tag] = self.known(value)
        return Choice(Var(name), tuple((Const(tag), k) for tag, k in cases.items()))

    def tags(self, name: str) -> list[str]:
        """What a variable that holds one of several functions is set to, for each of its bindings."""
        out: list[str] = []
        for i, e in enumerate(self.bindings[name]):
            path = dotted(e) if isinstance(e, ast.expr) else None
            tag = path[-1] if path else f"{name}_{i + 1}"
            out.append(tag if tag not in out or path else f"{tag}_{i + 1}")
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
        assert table is not None

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
        subject = self.settled(self.atom(key), f"{self.held_in or name.id.lower()}_key")
        if table.is_list:
            cases += [(Const(cast(int, k.value) - len(table.entries)), f) for k, f in cases]
        if default is not None:
            other = self.value_of(default)
            if other is None or isinstance(other, Choice | Table):
                return None
            return Choice(subject, (*cases, (Const(None), self.known(other))))
        return Choice(subject, tuple(cases), False)

    def choice(self, test: ast.expr, a: ast.expr, b: ast.expr) -> Value | None:
        """`f if test else g`: the test is kept under a name, for it decides at each call."""
        first, second = self.value_of(a), self.value_of(b)
        if isinstance(first, Choice | Table | None) or isinstance(second, Choice | Table | None):
            return None
        e = self.tree(test)
        if not isinstance(e, Var) or self.may_change(e.name):
            name = self.fresh(f"{self.held_in}_test" if self.held_in else "test")
            self.set(name, e)
            e = Var(name)
        return Choice(e, ((Const(True), self.known(first)), (Const(False), self.known(second))), flag=True)

    def partial(self, function: ast.expr, args: List[ast.expr], keywords: List[ast.keyword]) -> Value | None:
        value = self.value_of(function)
        if value is None or isinstance(value, Table | Choice):
            return None
        f = self.known(value)
        base = self.held_in or f.word
        if any(isinstance(a, ast.Starred) for a in args) or any(k.arg is None for k in keywords):
            return None

        def argument(e: ast.expr, name: str) -> Argument | None:
            if not self.functional(e):
                return self.settled(self.atom(e), f"{base}_{name}")
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

    def may_change(self, name: str) -> bool:
        if name in self.given:
            return False
        count = sum(
            1
            for n in body_nodes(self.node)
            if isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load)
        )
        return count + (name in self.params) > 1 or '"' in name

    def known(self, value: Closure | Known) -> Known:
        """A closure as a function of its own, with what it captures here."""
        if isinstance(value, Known):
            return value
        name = self.lift(value)
        captured = self.captures(value)
        before = tuple(self.captured_value(n) for n in captured)
        node = None if self.recurs(value) else value.node
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

    def recurs(self, closure: Closure) -> bool:
        """Whether a nested function may call itself, through its siblings as well."""
        seen: list[Closure] = []
        todo = [closure]
        while todo:
            for name in free_names(todo.pop().node):
                value = self.env.get(name)
                if value is closure:
                    return True
                if isinstance(value, Closure) and value not in seen:
                    seen.append(value)
                    todo.append(value)
        return False

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
                    inner = self.captures(value, (*seen, closure)) if value not in (*seen, closure) else []
                case Known() | Choice():
                    inner = [a.name for a in value.atoms if isinstance(a, Var)]
                case Table():
                    for _, e in value.entries:
                        part = self.value_of(e)
                        if isinstance(part, Closure):
                            inner += self.captures(part, (*seen, closure)) if part not in (*seen, closure) else []
                        elif isinstance(part, Known):
                            inner += [a.name for a in part.atoms if isinstance(a, Var)]
                case None:
                    inner = [name]
            found += [n for n in inner if n not in found]
        return found

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
        params = {n: n if n in free or n not in own else self.unused(f"outer_{n}", own) for n in self.captures(closure)}
        env = {n: self.moved(v, params) for n in free_names(closure.node) if (v := self.seen_inside(n)) is not None}
        node = self.as_def(closure.node, name, list(params.values()))
        writes = self.writes(closure)
        if writes:
            node = with_results(node, writes)
        text = "the lambda" if isinstance(closure.node, ast.Lambda) and closure.name == "function" else closure.name
        self.names.add(
            name, Made(node, cast(dict[str, object], env), self.notes, f"What {text} in {self.node.name} computes.")
        )
        return name

    def unused(self, wish: str, taken: set[str]) -> str:
        name, k = wish, 1
        while name in taken:
            k += 1
            name = f"{wish}_{k}"
        taken.add(name)
        return name

    def seen_inside(self, name: str) -> Value | None:
        if name in self.env:
            return self.env[name]
        return self.local_value(name) if name in self.bindings else None

    def moved(self, value: Value, params: dict[str, str]) -> Value:
        """A function as it is seen where what it captures has other names."""
        match value:
            case Closure():
                return self.moved(self.known(value), params)
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

    def as_def(self, node: FunctionLike, name: str, captured: list[str]) -> ast.FunctionDef:
        """A nested function as one of the module, what it captures before its own parameters."""
        args = copy.copy(node.args)
        first = [ast.copy_location(ast.arg(n), node) for n in captured]
        args.args = [*first, *args.posonlyargs, *args.args]
        args.posonlyargs = []
        defaults: list[ast.expr] = []
        for d in args.defaults:
            defaults.append(d if isinstance(d, ast.Constant) else made(ast.Constant(None), d))
        args.defaults = defaults
        args.kw_defaults = [
            d if d is None or isinstance(d, ast.Constant) else made(ast.Constant(None), d) for d in args.kw_defaults
        ]
        alone = [made(ast.Return(node.body), node.body)] if isinstance(node, ast.Lambda) else []
        body: list[ast.stmt] = [*alone, *(node.body if isinstance(node, ast.FunctionDef) else ())]
        returns = node.returns if isinstance(node, ast.FunctionDef) else None
        out = ast.FunctionDef(name, args, body, [], returns)
        return ast.copy_location(out, node)

    # ------------------------------------------------------------ statements

    def decorated(self, node: ast.FunctionDef) -> list[ast.expr]:
        """Refuses decorators whose function is not that of the text; returns those that stand for a with statement."""
        contexts: list[ast.expr] = []
        for d in node.decorator_list:
            name = meaning(d, self.imports.names)
            if name in CONTEXTS and isinstance(d, ast.Call):
                contexts.append(d)
            elif name not in SAME_VALUES:
                self.refuse("decorated", d, node.name, f"it is decorated with `{self.text(d)}`")
        return contexts

    def define(self, s: ast.FunctionDef) -> None:
        """A nested function: nothing runs here but its defaults."""
        if self.decorated(s):
            self.refuse("decorated", s.decorator_list[0], s.name, "a decorator of a nested function stands for a with")
        if s.name not in self.bindings:
            self.refuse("nested", s, "a function whose name is bound to something else")
            return
        if any(isinstance(n, ast.Yield | ast.YieldFrom) for x in s.body for n in own_walk(x)):
            self.refuse("async", s, "a generator")
            return
        closure = self.closure(s, s.name)
        self.hold_defaults(closure)
        if len(self.bindings[s.name]) > 1:
            self.bind_tag(s.name, s)

    def hold_defaults(self, closure: Closure) -> None:
        """Defaults are evaluated where the function is defined."""
        if closure.defaults:
            return
        for p, d in default_nodes(closure.node):
            if not isinstance(d, ast.Constant):
                closure.defaults[p] = self.settled(self.atom(d), f"{closure.name.strip('_')}_{p}")

    def bind_tag(self, name: str, e: Binding) -> None:
        """A variable that holds one of several functions is set to what tells them apart."""
        tag = next(t for t, b in zip(self.tags(name), self.bindings[name], strict=True) if b is e)
        if self.local_value(name) is None:
            self.refuse("callee", e, f"which function `{name}` is at its calls is not known")
        self.set(name, Const(tag))

    def bind_function(self, name: str, e: ast.expr) -> None:
        """name = a function."""
        if len(self.bindings[name]) > 1:
            self.bind_tag(name, e)
            return
        self.held_in = name
        value = self.value_of(e)
        self.held_in = ""
        if value is None:
            self.refuse("callee", e, f"which function `{name}` is can't be told from its text")
            return
        if isinstance(value, Closure):
            self.hold_defaults(value)
        self.env[name] = value

    # ------------------------------------------------------------ reading names

    def name(self, node: ast.Name) -> Expr:
        ready = getattr(node, "expr", None)
        if ready is not None:
            return cast(Expr, ready)
        if hasattr(node, "value_of") or (
            (node.id in self.env or node.id in self.bindings) and not self.is_renamed(node.id)
        ):
            return self.refuse("callee", node, f"the function `{node.id}` is used as a value here")
        return super().name(node)

    def raw(self, node: ast.expr | ast.stmt) -> ir.Raw:
        for n in ast.walk(node):
            if isinstance(n, ast.Name) and (n.id in self.env or n.id in self.bindings) and not self.is_renamed(n.id):
                self.refuse("callee", n, f"the function `{n.id}` is used in text that is carried over")
                break
        return super().raw(node)

    # ------------------------------------------------------------ calls

    def call(self, node: ast.Call, operand: Callable[[ast.expr], Expr]) -> Expr:
        if not isinstance(node.func, ast.Attribute) or not self.is_global_path(node.func):
            direct = isinstance(node.func, ast.Name) and not self.may_be_value(node.func)
            value = None if direct else self.value_of(node.func)
            if value is not None:
                return self.apply(value, node, operand)
        found = self.resolve(node.func)
        if found is not None and found[1] is None:
            fn = found[0]
            if fn.removeprefix("python.") in OPERATORS and (written := self.operator_of(fn, node)) is not None:
                return self.tree(written) if operand == self.tree else self.value(written)
            if fn.startswith("local.") and (special := self.specialised(self.own_name(fn), node, operand)) is not None:
                return special
        return super().call(node, operand)

    def operator_of(self, fn: str, node: ast.Call) -> ast.expr | None:
        """operator.mul(a, b) as a * b."""
        if node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
            return None
        match OPERATORS[fn.removeprefix("python.")], node.args:
            case ast.operator() as op, [a, b]:
                return made(ast.BinOp(a, op, b), node)
            case ast.unaryop() as op, [a]:
                return made(ast.UnaryOp(op, a), node)
            case ast.cmpop() as op, [a, b]:
                return made(ast.Compare(a, [op], [b]), node)
        return None

    def may_be_value(self, e: ast.Name) -> bool:
        return hasattr(e, "value_of") or self.is_local(e.id) or e.id in self.env or e.id in self.names.values

    def is_global_path(self, e: ast.expr) -> bool:
        path = dotted(e)
        return path is not None and not self.is_local(path[0])

    def apply(self, value: Value, node: ast.Call, operand: Callable[[ast.expr], Expr]) -> Expr:
        """A call of a function that is a value."""
        match value:
            case Table():
                return self.refuse("callee", node.func, "a table of functions is called")
            case Choice():
                return self.dispatched(value, node, operand)
            case Closure():
                self.hold_defaults(value)
                value = self.known(value)
        if value.node is not None and (out := self.written_out(value, node, operand)) is not None:
            return out
        given = {k.arg for k in node.keywords}
        positions = self.positions(value)
        reached = set(positions[len(value.captured) : len(value.before) + len(node.args)])
        options = [made_keyword(k, v, node) for k, v in value.options if k not in given and k not in reached]
        args = [as_node(e, node) for e in value.before] + list(node.args)
        call = made(ast.Call(value.callee, args, [*options, *node.keywords]), node)
        if value.writes:
            return self.writing(value, call, operand)
        return self.call(call, operand)

    def positions(self, value: Known) -> list[str]:
        """The positional parameters of a function of the module."""
        found = self.signature(self.own_name(value.key)) if value.key.startswith("local.") else None
        if found is None:
            return []
        return [a.arg for a in (*found.args.posonlyargs, *found.args.args)]

    def own_name(self, fn: str) -> str:
        """The name of a function of this module: "dense" for `local.dense`, and for `local.layers.dense` in layers."""
        return fn.removeprefix("local.").removeprefix(self.names.prefix)

    def signature(self, name: str) -> ast.FunctionDef | None:
        if name in self.names.made:
            return self.names.made[name].node
        node = self.names.functions.get(name)
        return node if isinstance(node, ast.FunctionDef) else None

    def writing(self, value: Known, call: ast.Call, operand: Callable[[ast.expr], Expr]) -> Expr:
        """A call that binds nonlocal names: they are results, too."""
        for name in value.writes:
            if name in self.seen or operand == self.tree or self.in_tree or not self.is_local(name) or name in self.env:
                return self.refuse("global", call, f"nonlocal {name}")
        e = self.call(call, self.atom)
        lifted = self.signature(self.own_name(value.key))
        gives = lifted is None or not all_writes(lifted, value.writes)
        targets = (self.fresh("result"), *value.writes) if gives else value.writes
        if len(targets) == 1:
            self.set(targets[0], e)
        else:
            self.emit(Unpack(targets, e, self.origin))
        return Var(targets[0]) if gives else ir.NONE

    def called(self, e: ast.Call) -> bool:
        """A call of a nested function as a statement; False for calls of other things."""
        if not isinstance(e.func, ast.Name) or not self.may_be_value(e.func) or not self.functional(e.func):
            return False
        value = self.value(e)
        if not ir.is_atom(value):
            self.emit(ir.Inert("", (value,), self.origin))
        return True

    def dispatched(self, value: Choice, node: ast.Call, operand: Callable[[ast.expr], Expr]) -> Expr:
        """One of several functions is called: a branch for each."""
        if self.in_tree or operand == self.tree:
            return self.refuse("callee", node.func, "one of several functions is called in a test or a comprehension")
        args, keywords = self.held_arguments(value, node)
        target = self.fresh("chosen")
        self.dispatch(value, lambda f: made(ast.Call(marker(f, node.func), args, keywords), node), target)
        return Var(target)

    def held_arguments(self, value: Choice, node: ast.Call) -> tuple[list[ast.expr], list[ast.keyword]]:
        """Arguments that stand in several branches: evaluated before, under names that one of the functions has."""
        params = next((parameters(f.node) for _, f in value.cases if f.node is not None and not f.captured), [])

        def held(e: ast.expr, wish: str) -> ast.expr:
            if isinstance(e, ast.Starred) or self.is_simple(e) or self.functional(e):
                return e
            atom = self.value(e)
            if not ir.is_atom(atom):
                name = self.fresh(wish)
                self.set(name, atom)
                atom = Var(name)
            return as_node(atom, e)

        args = [held(a, params[i].arg if i < len(params) else "argument") for i, a in enumerate(node.args)]
        return args, [made(ast.keyword(k.arg, held(k.value, k.arg or "argument")), k) for k in node.keywords]

    def dispatch(self, value: Choice, call: Callable[[Known], ast.expr], target: str) -> None:
        """if subject == tag: target = call of that function; elif ..."""
        origin = self.origin
        cases = merged(value.cases)
        blocks = []
        for _, f in cases:
            blocks.append(self.captured(lambda f=f: self.assign(target, call(f))))  # type: ignore[misc]
        rest: ir.Block
        if value.exhaustive:
            rest, cases, blocks = blocks[-1], cases[:-1], blocks[:-1]
        else:
            kind = "IndexError" if all(isinstance(tag.value, int) for tags, _ in cases for tag in tags) else "KeyError"
            error = Op(f"builtins.{kind}", (value.subject,), spelling=kind)
            rest = (ir.Inert("raise", (error,), origin),)
        for (tags, _), block in zip(reversed(cases), reversed(blocks), strict=True):
            test = value.subject if value.flag else equals(value.subject, tags)
            rest = (If(test, block, rest, origin),)
        for s in rest:
            self.emit(s)

    def assign(self, target: str, value: ast.expr) -> None:
        """A call of one of several functions is assigned in each branch."""
        if isinstance(value, ast.Call) and not self.in_tree:
            simple = isinstance(value.func, ast.Attribute) or (
                isinstance(value.func, ast.Name) and not self.may_be_value(value.func)
            )
            found = None if simple else self.value_of(value.func)
            if isinstance(found, Choice):
                func = value.func
                args, keywords = self.held_arguments(found, value)

                def call(f: Known) -> ast.expr:
                    return made(ast.Call(marker(f, func), args, keywords), func)

                self.dispatch(found, call, target)
                return
            if found is not None:
                if isinstance(found, Closure):
                    self.hold_defaults(found)
                    found = self.known(found)
                if isinstance(found, Known) and self.written_out(found, value, self.atom, target) is not None:
                    return
                known = made(ast.Call(marker(found, value.func), value.args, value.keywords), value)
                super().assign(target, known)
                return
        super().assign(target, value)

    # ------------------------------------------------------------ bodies of one expression

    def written_out(
        self, f: Known, node: ast.Call, operand: Callable[[ast.expr], Expr], target: str = ""
    ) -> Expr | None:
        """The body of a small nested function, in place of its call; None where it has to be called.

        With a target the value is assigned to that.
        """
        body = one_expression(f.node)
        if body is None or f.node is None or f.writes or not self.worth_writing(body, node):
            return None
        params = parameters(f.node)
        a = f.node.args
        if (
            a.vararg
            or a.kwarg
            or any(isinstance(x, ast.Starred) for x in node.args)
            or not all(k.arg for k in node.keywords)
        ):
            return None
        given: dict[str, ast.expr] = {}
        own = [p.arg for p in params if p not in a.kwonlyargs]
        positional = [as_node(e, node) for e in f.before[len(f.captured) :]] + list(node.args)
        if len(positional) > len(own):
            return None
        given.update(zip(own, positional, strict=False))
        for k in node.keywords:
            if k.arg in given or k.arg not in {p.arg for p in params}:
                return None
            given[str(k.arg)] = k.value
        options = dict(f.options)
        for p, d in default_nodes(f.node):
            if p not in given:
                given[p] = as_node(options[p], node) if p in options else d
        for p, given_before in options.items():
            given.setdefault(p, as_node(given_before, node))
        if set(given) != {p.arg for p in params}:
            return None
        captured = dict(zip(f.captured, cast("tuple[Expr, ...]", f.before), strict=False))
        free = set(free_names(f.node))
        if f.home and f.home != self.node.name:
            return None  # it calls functions that are not known here
        functions = {n for n in free if n in self.env or n in self.bindings} if f.home else set()
        functions |= dict(f.functions).keys()
        if any(self.is_local(n) for n in free - set(captured) - functions):
            return None  # a name of the module that a variable hides here
        if operand == self.tree and not all(map(self.is_simple, given.values())):
            return None
        if any(self.functional(e) for e in given.values()):
            return None
        atoms: dict[str, Expr] = {}
        for p, e in given.items():
            if operand == self.tree:
                atoms[p] = self.tree(e)
                continue
            value = self.value(e)
            if not ir.is_atom(value):
                uses = sum(1 for n in ast.walk(body) if isinstance(n, ast.Name) and n.id == p)
                name = self.fresh(p) if uses > 1 else self.temporary()
                self.set(name, value)
                value = Var(name)
            atoms[p] = value
        outer = self.rename, self.inner, self.env, self.turning
        self.turning = self.turning - atoms.keys()
        self.rename, self.inner, self.env = (
            captured | atoms,
            set(),
            self.env | cast("dict[str, Value]", dict(f.functions)),
        )
        out: Expr = Var(target)
        if target:
            self.assign(target, body)
        else:
            out = self.tree(body) if operand == self.tree else self.value(body)
        self.rename, self.inner, self.env, self.turning = outer
        return out

    def worth_writing(self, body: ast.expr, node: ast.Call) -> bool:
        """Whether a body is short enough for the number of times that it would be written out."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        calls = (n.func for n in ast.walk(self.node) if isinstance(n, ast.Call))
        count = sum(1 for f in calls if isinstance(f, ast.Name) and f.id == name)
        return sum(1 for n in ast.walk(body) if isinstance(n, WEIGHTY)) * max(1, count) <= SMALL

    # ------------------------------------------------------------ helpers that are handed functions

    def specialised(self, name: str, node: ast.Call, operand: Callable[[ast.expr], Expr]) -> Expr | None:
        """A call of a helper with functions among its arguments, or with parameters that take any number of them."""
        found = self.special(name, node)
        if found is None:
            return None
        own, args, keywords = found
        callee = made(ast.Name(own, ast.Load()), node.func)
        return super().call(made(ast.Call(callee, args, keywords), node), operand)

    def special(self, name: str, node: ast.Call) -> tuple[str, list[ast.expr], list[ast.keyword]] | None:
        """The helper made for the functions in a call, and the arguments that are left."""
        helper = self.signature(name)
        if (
            helper is None
            or any(isinstance(a, ast.Starred) for a in node.args)
            or not all(k.arg for k in node.keywords)
        ):
            return None
        a = helper.args
        normal = [*a.posonlyargs, *a.args]
        bound: dict[str, ast.expr] = dict(zip((p.arg for p in normal), node.args, strict=False))
        rest = list(node.args[len(normal) :])
        extra: dict[str, ast.expr] = {}
        known = {p.arg for p in (*normal, *a.kwonlyargs)}
        for k in node.keywords:
            if k.arg in known and k.arg not in bound:
                bound[str(k.arg)] = k.value
            elif a.kwarg is not None and k.arg not in known:
                extra[str(k.arg)] = k.value
            else:
                return None
        if rest and a.vararg is None:
            return None
        defaults = dict(default_nodes(helper))
        functions: dict[str, Value] = {}
        for p in (*normal, *a.kwonlyargs):
            if p.arg in bound:
                if self.functional(bound[p.arg]):
                    value = self.value_of(bound[p.arg])
                    if value is None:
                        self.refuse(
                            "callee", bound[p.arg], f"which function `{self.text(bound[p.arg])}` is can't be told"
                        )
                        return None
                    functions[p.arg] = value
            elif p.arg in defaults and self.module_scope(lambda p=p: self.functional(defaults[p.arg])):  # type: ignore[misc]
                functions[p.arg] = self.module_scope(lambda p=p: self.value_of(defaults[p.arg]))  # type: ignore[misc]
        if not functions and a.vararg is None and a.kwarg is None:
            return None
        if a.vararg is not None and rest and all(map(self.functional, rest)):
            found = [self.value_of(e) for e in rest]
            if any(v is None for v in found):
                return None
            entries = tuple(
                (Const(i), marker(cast(Value, v), e)) for i, (v, e) in enumerate(zip(found, rest, strict=True))
            )
            functions[a.vararg.arg], rest = Table(entries, True), []
        return self.made_for(name, helper, functions, bound, rest, extra, node)

    def made_for(
        self,
        name: str,
        helper: ast.FunctionDef,
        functions: dict[str, Value],
        bound: dict[str, ast.expr],
        rest: list[ast.expr],
        extra: dict[str, ast.expr],
        node: ast.Call,
    ) -> tuple[str, list[ast.expr], list[ast.keyword]] | None:
        ready: dict[str, Value] = {}
        for p, v in functions.items():
            ready[p] = self.known(v) if isinstance(v, Closure) else v
        for v in ready.values():
            if isinstance(v, Known) and v.writes:
                self.refuse("global", node, f"nonlocal {v.writes[0]}")
                return None
        taken = identifiers(helper) | {p.arg for p in parameters(helper)}
        params: dict[str, dict[str, str]] = {}
        values: dict[str, list[tuple[str, Expr]]] = {}
        shared: dict[str, str] = {}
        for p, v in ready.items():
            params[p], values[p] = {}, []
            for atom in self.value_atoms(v):
                if not isinstance(atom, Var):
                    continue
                if atom.name in shared:
                    params[p][atom.name] = shared[atom.name]
                else:
                    plain = "".join(c if c.isalnum() else "_" for c in atom.name).strip("_")
                    new = self.unused(plain if plain not in taken else f"{p}_{plain}", taken)
                    params[p][atom.name] = shared[atom.name] = new
                    values[p].append((new, atom))
        options = {k: self.unused(k if k not in taken else f"{k}_option", taken) for k in extra}
        a = helper.args
        counted = a.vararg is not None and a.vararg.arg not in ready
        key = (
            "special",
            name,
            tuple((p, self.identity(v)) for p, v in ready.items()),
            tuple(tuple(m.values()) for m in params.values()),
            tuple(extra),
            len(rest) if counted else None,
        )
        old = self.names.made.get(name)
        if key not in self.names.keys:
            if len(self.names.made) > MANY:
                self.refuse("callee", node.func, f"`{name}` hands functions on without an end")
                return None
            words = list(dict.fromkeys(self.word(v) for v in ready.values()))
            if counted:
                words.append(str(len(rest)))
            own = self.names.new_name("_".join([f"_{name.strip('_')}", *words, *extra]))
            self.names.keys[key] = own
            env: dict[str, object] = dict(old.env) if old else {}
            env |= {p: self.moved(v, params[p]) for p, v in ready.items()}
            atoms_of = {p: [n for n, _ in values[p]] for p in ready}
            fresh = self.without_functions(helper, own, atoms_of, list(options.values()))
            shown = ", ".join(f"{p} = {self.shown(v)}" for p, v in ready.items())
            if extra:
                shown += f"{', ' if shown else ''}the keywords {', '.join(extra)}"
            if a.vararg is not None and a.vararg.arg not in ready:
                shown += f"{', ' if shown else ''}{len(rest)} argument{'s' * (len(rest) != 1)} in {a.vararg.arg}"
            text = f"{name.strip('_') if old else name} with {shown}."
            notes = old.notes if old else self.names.notes_of(name)
            keywords = {a.kwarg.arg: options} if a.kwarg is not None else {}
            lengths = {a.vararg.arg: len(rest)} if counted and a.vararg is not None else {}
            self.names.add(own, Made(fresh, env, notes, text, keywords, lengths))
        own = self.names.keys[key]
        args: list[ast.expr] = []
        named: list[ast.keyword] = []
        gap = False
        for parameter in (*a.posonlyargs, *a.args, *a.kwonlyargs):
            p = parameter.arg
            if p in ready:
                atoms = [(n, as_node(e, node)) for n, e in values[p]]
            elif p in bound:
                atoms = [(p, bound[p])]
            else:
                gap = True
                continue
            for n, e in atoms:
                if gap or parameter in a.kwonlyargs:
                    named.append(made(ast.keyword(n, e), node))
                else:
                    args.append(e)
        if a.vararg is not None:
            p = a.vararg.arg
            if p in ready:
                named += [made(ast.keyword(n, as_node(e, node)), node) for n, e in values[p]]
            else:
                xs = as_node(self.tupled(made(ast.Tuple(rest, ast.Load()), node)), node)
                named.append(made(ast.keyword(p, xs), node))
        named += [made(ast.keyword(options[k], e), node) for k, e in extra.items()]
        order = [p.arg for p in self.names.made[own].node.args.args]
        named.sort(key=lambda k: order.index(k.arg) if k.arg in order else len(order))
        while named and len(args) < len(order) and named[0].arg == order[len(args)]:
            args.append(named.pop(0).value)
        return own, args, named

    def tupled(self, e: ast.Tuple) -> Expr:
        t = self.temporary()
        self.set(t, self.value(e))
        return Var(t)

    def value_atoms(self, v: Value) -> list[Expr]:
        match v:
            case Known() | Choice():
                return list(v.atoms)
            case Closure():
                return list(self.known(v).atoms)
            case Table():
                return [a for _, e in v.entries if (x := self.value_of(e)) is not None for a in self.value_atoms(x)]

    def identity(self, v: Value) -> object:
        match v:
            case Known() | Choice():
                return v.identity()
            case Closure():
                return self.known(v).identity()
            case Table():
                return tuple((k, self.identity(cast(Value, self.value_of(e)))) for k, e in v.entries)

    def word(self, v: Value) -> str:
        match v:
            case Known():
                return v.word
            case Choice():
                return "chosen"
            case Table():
                return "table"
            case Closure():
                return v.name.strip("_")

    def shown(self, v: Value) -> str:
        match v:
            case Known(node=ast.Lambda() as node) if len(ast.unparse(node)) < SHORT:
                return ast.unparse(node)
            case Known():
                return ast.unparse(v.callee)
            case Choice():
                return " or ".join(dict.fromkeys(self.shown(k) for _, k in v.cases))
        return "functions"

    def without_functions(
        self, helper: ast.FunctionDef, name: str, new: dict[str, list[str]], options: list[str]
    ) -> ast.FunctionDef:
        """A helper whose parameters that are functions are known: what these capture stands in their place.

        `*rest` is a tuple, and each keyword that `**options` takes a parameter; those with defaults come last.
        """
        a = helper.args

        def swapped(p: ast.arg) -> list[ast.arg]:
            return [ast.copy_location(ast.arg(n), p) for n in new[p.arg]] if p.arg in new else [p]

        normal = [*a.posonlyargs, *a.args]
        cut = len(normal) - len(a.defaults)
        first = [q for i, p in enumerate(normal) if i < cut or p.arg in new for q in swapped(p)]
        late = [(p, d) for p, d in zip(normal[cut:], a.defaults, strict=True) if p.arg not in new]
        if a.vararg is not None:  # those before it have been given, if it takes anything
            first += swapped(ast.copy_location(ast.arg(a.vararg.arg), a.vararg))
        first += [ast.copy_location(ast.arg(n), a.kwarg or helper) for n in options]
        keyword: list[tuple[ast.arg, ast.expr | None]] = []
        for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True):
            keyword += [(q, None if p.arg in new else d) for q in swapped(p)]
        args = ast.arguments(
            [],
            [*first, *(p for p, _ in late)],
            None,
            [p for p, _ in keyword],
            [d for _, d in keyword],
            None,
            [d for _, d in late],
        )
        out = ast.FunctionDef(name, args, helper.body, [], helper.returns)
        return ast.copy_location(out, helper)

    # ------------------------------------------------------------ functions that return functions

    def maker(self, name: str) -> ast.expr | None:
        """What a function of the module returns, if that is a function and it returns once, at its end."""
        node = self.signature(name)
        if node is None or self.decorators_matter(node):
            return None
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
                    and isinstance(n.value, ast.Lambda | ast.Call)
                    and any(isinstance(t, ast.Name) and t.id == inner for t in n.targets)
                ]
                if bound:
                    return last.value
                return last.value if lambdas and self.probe(node, name).functional(last.value) else None
            case ast.Call():
                return last.value if self.probe(node, name).functional(last.value) else None
        return None

    def decorators_matter(self, node: ast.FunctionDef) -> bool:
        return any(meaning(d, self.imports.names) not in SAME_VALUES for d in node.decorator_list)

    def probe(self, node: ast.FunctionDef, name: str) -> Functions:
        """The lowering of another function, to ask what its names mean."""
        env = cast("dict[str, Value]", self.names.made[name].env) if name in self.names.made else {}
        notes = self.names.made[name].notes if name in self.names.made else self.names.notes_of(name)
        return type(self)(node, self.names, self.source, notes, env)

    def returned_by(self, name: str, node: ast.Call) -> Value | None:
        """The function that a maker returns, with what it captures there."""
        made_helper = self.special(name, node)
        if made_helper is not None:
            name, args, keywords = made_helper
        else:
            args, keywords = list(node.args), list(node.keywords)
        maker = self.signature(name)
        if maker is None or any(isinstance(x, ast.Starred) for x in args):
            return None
        probe = self.probe(maker, name)
        before = len(probe.refusals)
        probe.block(maker.body[:-1])
        result = cast(ast.Return, maker.body[-1]).value
        assert result is not None
        value = probe.value_of(result)
        if value is None or isinstance(value, Table | Choice) or len(probe.refusals) > before:
            return None
        f = probe.known(value)
        if f.writes:
            return None
        bound: dict[str, ast.expr] = dict(
            zip((p.arg for p in (*maker.args.posonlyargs, *maker.args.args)), args, strict=False)
        )
        bound |= {str(k.arg): k.value for k in keywords}
        for p, d in default_nodes(maker):
            bound.setdefault(p, d)
        base = self.held_in or f.word
        needed = list(dict.fromkeys(a.name for a in f.atoms if isinstance(a, Var)))
        params = {p.arg for p in parameters(maker)}
        fixed = {n for n in needed if n in params and n not in probe.bound}
        swap: dict[str, Expr] = {}
        for n in needed:
            if n in fixed:
                if n not in bound:
                    return None
                swap[n] = self.settled(self.atom(bound[n]), f"{base}_{n}")
        others = [n for n in needed if n not in fixed]
        work = [s for s in maker.body[:-1] if not isinstance(s, ast.FunctionDef) and not is_docstring(s)]
        if others or work:
            call = self.captured_by(name, maker, others, probe)
            order = [p.arg for p in parameters(maker)]
            if any(p not in bound for p in order):
                return None
            op = Op(
                f"local.{call}",
                tuple(self.atom(bound[p]) for p in order),
                span=self.source.span(node),
                spelling=call,
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
        return f.swapped(swap)

    def captured_by(self, name: str, maker: ast.FunctionDef, others: list[str], probe: Functions) -> str:
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


def swapped(a: Argument, swap: dict[str, Expr]) -> Argument:
    return a.swapped(swap) if isinstance(a, Known | Choice) else ir.substitute(a, swap)


def is_docstring(s: ast.stmt) -> bool:
    return isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)


def own_walk(s: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a statement, without those inside nested functions."""
    yield s
    if isinstance(s, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
        return
    for n in ast.iter_child_nodes(s):
        yield from own_walk(n)


def marker(value: Value, like: ast.AST) -> ast.expr:
    """An expression that stands for a function that is known already."""
    node = made(ast.Name(like.id if isinstance(like, ast.Name) else "function", ast.Load()), like)
    node.value_of = value  # type: ignore[attr-defined]
    return node


def as_node(e: Argument, like: ast.AST) -> ast.expr:
    """An expression that has been lowered already, as part of one that has not."""
    if isinstance(e, Known | Choice):
        return marker(e, like)
    if isinstance(e, Const):
        node: ast.expr = made(ast.Constant(e.value), like)
        node.text = e.text  # type: ignore[attr-defined]
        return node
    name = made(ast.Name(e.name if isinstance(e, Var) else "_", ast.Load()), like)
    name.expr = e  # type: ignore[attr-defined]
    return name


def made_keyword(name: str, value: Argument, like: ast.expr) -> ast.keyword:
    return made(ast.keyword(name, as_node(value, like)), like)


def equals(subject: Expr, tags: tuple[Const, ...]) -> Expr:
    if len(tags) == 1:
        return Op("numpy.equal", (subject, tags[0]), form=Form.OPERATOR)
    return Op("operator.in", (subject, ir.Sequence(tags)), form=Form.OPERATOR)


def merged(cases: tuple[tuple[Const, Known], ...]) -> list[tuple[tuple[Const, ...], Known]]:
    """Cases of one function together."""
    out: list[tuple[tuple[Const, ...], Known]] = []
    for tag, f in cases:
        at = next((i for i, (_, g) in enumerate(out) if g == f), None)
        if at is None:
            out.append(((tag,), f))
        else:
            out[at] = ((*out[at][0], tag), f)
    return out


def default_nodes(node: FunctionLike) -> list[tuple[str, ast.expr]]:
    a = node.args
    normal = [*a.posonlyargs, *a.args]
    found = [(p.arg, d) for p, d in zip(normal[len(normal) - len(a.defaults) :], a.defaults, strict=True)]
    return found + [(p.arg, d) for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True) if d is not None]


def one_expression(node: FunctionLike | None) -> ast.expr | None:
    """The body of a function that is one small expression."""
    if node is None:
        return None
    if isinstance(node, ast.Lambda):
        body: ast.expr = node.body
    else:
        rest = [s for s in node.body if not is_docstring(s)]
        if len(rest) != 1 or not isinstance(rest[0], ast.Return) or rest[0].value is None:
            return None
        body = rest[0].value
    heavy = (ast.Lambda, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.JoinedStr, *COMPREHENSIONS)
    nodes = list(ast.walk(body))
    if any(isinstance(n, heavy) for n in nodes):
        return None
    if isinstance(node, ast.FunctionDef) and any(isinstance(n, ast.Name) and n.id == node.name for n in nodes):
        return None
    return body


def identifiers(node: ast.AST) -> set[str]:
    found = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    return found | {n.arg for n in ast.walk(node) if isinstance(n, ast.arg)} | set(known_names.BUILTINS)


def nonlocals(node: ast.AST) -> list[str]:
    """Names of the functions around that a function binds, or functions inside it."""
    found: list[str] = []
    own = {a.arg for a in parameters(node)} if isinstance(node, FunctionLike) else set()
    if isinstance(node, ast.FunctionDef):
        nodes = body_nodes(node)
        found += [x for n in nodes if isinstance(n, ast.Nonlocal) for x in n.names]
        own |= bound_names(nodes) - set(found)
    inner = [n for s in ast.iter_child_nodes(node) for n in own_walk(s) if isinstance(n, FunctionLike)]
    for n in inner:
        found += [x for x in nonlocals(n) if x not in own and x not in found]
    return found


def gives_value(node: FunctionLike) -> bool:
    """Whether a function returns something else than None."""
    if isinstance(node, ast.Lambda):
        return True
    returns = (n.value for s in node.body for n in own_walk(s) if isinstance(n, ast.Return))
    return any(v is not None and not (isinstance(v, ast.Constant) and v.value is None) for v in returns)


def all_writes(lifted: ast.FunctionDef, writes: tuple[str, ...]) -> bool:
    """Whether a function made by `with_results` returns the names that it binds and nothing else."""
    last = lifted.body[-1]
    value = last.value if isinstance(last, ast.Return) else None
    items = value.elts if isinstance(value, ast.Tuple) else [value]
    return len(items) == len(writes)


def with_results(node: ast.FunctionDef, writes: list[str]) -> ast.FunctionDef:
    """A function that also returns the nonlocal names that it binds."""

    alone = not gives_value(node)

    def results(value: ast.expr | None, at: ast.stmt) -> ast.stmt:
        items: list[ast.expr] = [made(ast.Name(n, ast.Load()), at) for n in writes]
        if not alone:
            items.insert(0, value if value is not None else made(ast.Constant(None), at))
        return made(ast.Return(items[0] if len(items) == 1 else made(ast.Tuple(items, ast.Load()), at)), at)

    class Returns(ast.NodeTransformer):
        def visit_Return(self, s: ast.Return) -> ast.stmt:
            return results(s.value, s)

        def visit_Nonlocal(self, s: ast.Nonlocal) -> ast.stmt:
            return made(ast.Pass(), s)

        def visit_FunctionDef(self, s: ast.FunctionDef) -> ast.stmt:
            return s

        def visit_Lambda(self, e: ast.Lambda) -> ast.expr:
            return e

    body = [cast(ast.stmt, Returns().visit(copy.deepcopy(s))) for s in node.body]
    if not isinstance(body[-1], ast.Return):
        body.append(results(None, node.body[-1]))
    out = ast.FunctionDef(node.name, node.args, body, [], None)
    return ast.copy_location(out, node)


__all__ = ["BINARY", "Functions", "Known"]
