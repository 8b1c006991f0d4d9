"""Attributes that are functions: a constructor binds them, and nothing else in the module does.

self.inv = np.linalg.inv        (in `__init__`)

K = self.inv(S)                 assert self.inv is np.linalg.inv
                                K = np.linalg.inv(S)

Where the constructor binds what it is given, `self.act = act`, they are the functions that the module gives it:
`Layer(W, b, np.tanh)`, `Layer(W, b, relu)`.

return self.act(z)              assert self.act is np.tanh or self.act is relu
                                return (np.tanh if self.act is np.tanh else relu)(z)

Of more than two there is a call of each: `np.tanh(z) if self.act is np.tanh else relu(z) if ... else ...`.

Where the constructor chooses, `if act is None: self.act = np.tanh`, it is one of all that it may choose. What it is of
an object that is made here is known (`decided`).
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, cast

from s2s.frontend.rewrites.optional import chosen as instead
from s2s.frontend.rewrites.optional import chosen_at, for_constants, is_none
from s2s.frontend.text.classes import ClassInfo, set_by_name
from s2s.frontend.text.function_bodies import default_nodes
from s2s.frontend.text.literals import of_literals, without_literals
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import body_nodes, bound_names, children, dotted, parameters, walk
from s2s.frontend.text.source import made, put

if TYPE_CHECKING:
    from s2s.frontend.lowering.normalise import Lowering

LIBRARIES = ("math.", "numpy.", "scipy.")
MOST = 4  # functions between which a call chooses
Functions = tuple[ast.expr, ...]
Path = tuple[str, ...]


def write_out(
    names: ModuleNames, tree: ast.Module, classes: Collection[str] = (), elsewhere: Collection[str] = ()
) -> set[str]:
    """Changes the methods of the classes of a module; gives the functions of the module that attributes are.

    The output has the very ones: a copy would be another function. classes: those alone; elsewhere: what other
    modules bind.
    """
    asked = {name: cls for name, cls in names.classes.items() if not classes or name in classes}
    found = {name: bound for name, cls in asked.items() if (bound := Attributes(cls, names, tree).functions())}
    if not found:
        return set()
    changed = stored_elsewhere(names, tree).union(elsewhere)
    handed: set[str] = set()
    for method, owners in holders(asked).items():
        kept = merged([found.get(cls.name, {}) for cls in owners])
        kept = {attr: functions for attr, functions in kept.items() if attr not in changed}
        named = name_functions(method, owners[0], kept)
        for cls in owners if named else ():
            cls.function_attributes |= kept.keys()
        handed |= named
    return handed & names.functions.keys()


def holders(classes: Mapping[str, ClassInfo]) -> dict[ast.FunctionDef, list[ClassInfo]]:
    """The methods of classes, and for each the classes whose objects get to it: by `super()`, too."""
    out: dict[ast.FunctionDef, list[ClassInfo]] = {}
    for cls in classes.values():
        line, methods = [cls], dict[ast.FunctionDef, None]()
        for c in line:
            methods |= dict.fromkeys(c.methods.values())
            bases = [b.id for b in c.node.bases if isinstance(b, ast.Name)]
            line += [classes[b] for b in bases if b in classes and classes[b] not in line]
        for method in methods:
            out.setdefault(method, []).append(cls)
    return out


def merged(several: Iterable[Mapping[str, Functions | None]]) -> dict[str, Functions]:
    """What an attribute is in one of several classes; without those that may be anything in one, or are too many."""
    found: dict[str, dict[str, ast.expr]] = {}
    unknown: set[str] = set()
    for bound in several:
        for attr, functions in bound.items():
            if functions is None:
                unknown.add(attr)
            else:
                found.setdefault(attr, {}).update({ast.unparse(f): f for f in functions})
    known = {a: (*fs.values(),) for a, fs in found.items() if a not in unknown}
    return {a: fs for a, fs in known.items() if 0 < sum(not is_none(f) for f in fs) <= MOST}


def stored_elsewhere(names: ModuleNames, tree: ast.Module) -> set[str]:
    """The attributes that the module binds in any other place than in the statements and branches of a constructor."""
    inits = {init for cls in names.classes.values() if (init := cls.methods.get("__init__")) is not None}
    inside = {id(t) for init in inits for t, _ in assigned(init.body)}
    every = (n for n in walk(tree) if isinstance(n, ast.Attribute) and not isinstance(n.ctx, ast.Load))
    return {n.attr for n in every if id(n) not in inside} | set_by_name(tree)


def assigned(body: Iterable[ast.stmt]) -> Iterator[tuple[ast.Attribute, ast.expr]]:
    """The attributes that statements, or their branches, bind one by one, and to what."""
    for s in body:
        match s:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name()) as target], value=value):
                yield target, value
            case ast.AnnAssign(target=ast.Attribute(value=ast.Name()) as target, value=ast.expr() as value):
                yield target, value
            case ast.If(body=a, orelse=b):
                yield from assigned((*a, *b))


def holds_functions(cls: ClassInfo) -> bool:
    """Whether a constructor keeps parameters that its methods call."""
    if cls.init is None:
        return False
    params = {p.arg for p in parameters(cls.init)[1:]}
    kept = {t.attr for t, value in assigned(cls.init.body) if isinstance(value, ast.Name) and value.id in params}
    calls = (n.func for m in cls.methods.values() for n in walk(m) if isinstance(n, ast.Call))
    return any(isinstance(f, ast.Attribute) and f.attr in kept for f in calls)


class Attributes:
    """The attributes of one class that its constructor binds to functions."""

    def __init__(self, cls: ClassInfo, names: ModuleNames, tree: ast.Module) -> None:
        self.cls = cls
        self.names = names
        self.tree = tree
        self.init = cls.methods.get("__init__") if not cls.prefix else None

    def functions(self) -> dict[str, Functions | None]:
        """What each may be; None for those that may be anything else, too."""
        if self.init is None:
            return {}
        first = [p.arg for p in parameters(self.init)][:1]
        called = self.called() - self.cls.methods.keys() - self.cls.constants
        bound: dict[str, Functions | None] = {}
        for target, value in assigned(self.init.body):
            if [cast(ast.Name, target.value).id] == first and target.attr in called:
                before, more = bound.get(target.attr, ()), self.chosen(value, target.attr)
                bound[target.attr] = None if before is None or more is None else (*before, *more)
        for base in self.bases():
            for attr, functions in Attributes(base, self.names, self.tree).functions().items():
                bound.setdefault(attr, functions)
        return bound

    def bases(self) -> Iterator[ClassInfo]:
        """The classes whose constructors that of the class calls: `Base.__init__(self, w)`."""
        for n in walk(self.init) if self.init is not None else ():
            match n:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=base), attr="__init__")) if (
                    base in self.names.classes and base != self.cls.name
                ):
                    yield self.names.classes[base]

    def chosen(self, value: ast.expr, attr: str) -> Functions | None:
        """The functions, and None, that an expression of the constructor may be that it binds an attribute to."""
        assert self.init is not None
        match value:
            case ast.Constant(value=None):
                return (value,)
            case ast.IfExp(body=a, orelse=b) | ast.BoolOp(op=ast.Or(), values=[a, b]):
                first, second = self.chosen(a, attr), self.chosen(b, attr)
                return None if first is None or second is None else (*first, *second)
            case ast.Name(id=p) if p in {x.arg for x in parameters(self.init)[1:]}:
                at = chosen_at(self.init, p)
                given = self.given(p) if at is not None else None
                if at is None or given is None:
                    return None
                if any(map(is_none, given)) and not self.is_kept(p, attr):
                    given = tuple(e for e in given if not is_none(e))
                otherwise = instead(self.init.body[at], p) if at >= 0 else None
                more = self.chosen(otherwise, attr) if otherwise is not None else ()
                return None if more is None else (*given, *more)
        own = bound_names(body_nodes(self.init)) | {p.arg for p in parameters(self.init)}
        found = (*self.alternatives(value, own),)
        return found if all(self.is_function(e, own, own=True) for e in found) else None

    def is_kept(self, p: str, attr: str) -> bool:
        """Whether an attribute may be None where a parameter is."""
        assert self.init is not None
        body, _ = for_constants(self.init, self.init.body, {p: ast.Constant(None)}, {})
        values = [value for target, value in assigned(body) if target.attr == attr]
        return any(is_none(v) or (isinstance(v, ast.Name) and v.id == p) for v in values)

    def called(self) -> set[str]:
        """The attributes that the methods of the class call."""
        calls = (n.func for m in self.cls.methods.values() for n in walk(m) if isinstance(n, ast.Call))
        return {f.attr for f in calls if isinstance(f, ast.Attribute)}

    def is_function(self, e: ast.expr, hidden: Collection[str], own: bool = False) -> bool:
        """Whether an expression names a function of a library, or one of the module."""
        path = dotted(e)
        if path is None or path[0] in hidden:
            return False
        if own and len(path) == 1 and path[0] in self.names.functions:
            return path[0] not in self.names.rebound
        full = ".".join([self.names.imports.names.get(path[0], ""), *path[1:]])
        return full.startswith(LIBRARIES) or (own and self.names.helper(full) is not None)

    def alternatives(self, e: ast.expr | None, hidden: Collection[str]) -> Iterator[ast.expr]:
        """What an expression chooses between: `np.sin if odd else np.cos`, `LAWS[kind]` of the module."""
        match e:
            case ast.IfExp(body=a, orelse=b):
                yield from (*self.alternatives(a, hidden), *self.alternatives(b, hidden))
            case ast.Subscript(value=ast.Name(id=table)) if table not in hidden and isinstance(
                shown := self.names.values.get(table), ast.Dict
            ):
                yield from shown.values
            case ast.expr():
                yield e

    def given(self, p: str) -> Functions | None:
        """What the module gives the constructor for a parameter; None where that may be anything else."""
        assert self.init is not None
        order = [a.arg for a in parameters(self.init)[1:]]
        defaults = {a: d for a, d in default_nodes(self.init) if is_none(d) or self.is_function(d, (), own=True)}
        made_by = {name for name, c in self.names.classes.items() if c.methods.get("__init__") is self.init}
        found: dict[str, ast.expr] = {}
        adopted = (self.names.classes[n].node for n in sorted(self.names.adopted))
        for s in (*self.tree.body, *adopted):
            hidden: set[str] | None = None
            for n in walk(s):
                match n:
                    case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args) if name in made_by:
                        pass
                    case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="__init__"), args=[_, *args]) if (
                        name in self.names.classes
                    ):
                        if name not in made_by:
                            continue
                    case ast.Call(func=ast.Attribute(attr="__init__")) | ast.Name(id="cls"):
                        return None  # of a class below it
                    case _:
                        continue
                if any(isinstance(a, ast.Starred) for a in args) or any(k.arg is None for k in n.keywords):
                    return None
                given = dict(zip(order, args, strict=False)) | {str(k.arg): k.value for k in n.keywords}
                value = given.get(p, defaults.get(p))
                if hidden is None and p in given:
                    hidden = {x.arg for x in walk(s) if isinstance(x, ast.arg)}
                    hidden |= {x.id for x in walk(s) if isinstance(x, ast.Name) and not isinstance(x.ctx, ast.Load)}
                for e in self.alternatives(value, hidden or set()):
                    if not is_none(e) and not self.is_function(e, hidden or () if p in given else (), own=True):
                        return None
                    found[ast.unparse(e)] = e
                if value is None:
                    return None
        if not found and p in defaults:
            found[p] = defaults[p]  # objects come from elsewhere
        return (*found.values(),)


def name_functions(function: ast.FunctionDef, cls: ClassInfo, bound: dict[str, Functions]) -> set[str]:
    """Calls of attributes that are functions, as calls of what they are. Gives the names that are read for them."""
    first = [p.arg for p in parameters(function)][:1]
    nodes = body_nodes(function)
    own = bound_names(nodes)
    if not first or first[0] in own or function.name in cls.statics | cls.class_methods:
        return set()
    hidden = own | {p.arg for p in parameters(function)}
    stored = [i for i, s in enumerate(function.body) if any(t.attr in bound for t, _ in assigned([s]))]
    behind = {n for s in function.body[stored[-1] + 1 :] for n in walk(s)} if stored else set()  # of a constructor
    guards: dict[str, ast.stmt] = {}
    read: set[str] = set()
    several: list[tuple[ast.Call, Functions, list[ast.expr]]] = []
    for n in nodes:
        match n:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr) as func) if name == first[0]:
                functions = tuple(f for f in bound.get(attr, ()) if not is_none(f))
                roots = {(dotted(f) or [""])[0] for f in functions}
                if not functions or roots & hidden or (stored and n not in behind):
                    continue
                read |= roots
                tests: list[ast.expr] = [
                    made(ast.Compare(copy_at(func, n), [ast.Is()], [copy_at(f, n)]), n) for f in functions
                ]
                if attr not in guards:
                    asked = copied(tests)
                    if len(functions) < len(bound[attr]):
                        asked.insert(
                            0, made(ast.Compare(copy_at(func, n), [ast.Is()], [made(ast.Constant(None), n)]), n)
                        )
                    test = asked[0] if len(asked) == 1 else made(ast.BoolOp(ast.Or(), asked), n)
                    guards[attr] = made(ast.Assert(test, None), function.body[0])
                    guards[attr].named = True  # type: ignore[attr-defined]
                if len(functions) > 2:
                    several.append((n, functions, tests))
                    continue
                chosen = copy_at(functions[-1], n)
                for f, test in zip(functions[-2::-1], tests[-2::-1], strict=True):
                    chosen = made(ast.IfExp(test, copy_at(f, n), chosen), n)
                chosen.asked = True  # type: ignore[attr-defined]
                chosen.named = func  # type: ignore[attr-defined]
                n.func = chosen
    for n, functions, tests in reversed(several):  # those within the arguments of others first
        calls = [made(ast.Call(copy_at(f, n), *copy.deepcopy((n.args, n.keywords))), n) for f in functions]
        chosen = calls[-1]
        for call, test in zip(calls[-2::-1], tests[-2::-1], strict=True):
            chosen = made(ast.IfExp(test, call, chosen), n)
        chosen.named = n  # type: ignore[union-attr]
        put(next(up for up in walk(function) if any(c is n for c in children(up))), n, chosen)
    start = 1 if ast.get_docstring(function, clean=False) is not None else 0
    start = stored[-1] + 1 if stored else start
    function.body[start:start] = guards.values()
    return read


def decided(lowering: Lowering) -> bool:
    """Puts in what attributes of objects are that are made here, once each is bound to one function.

    s.act = np.tanh             s.act = np.tanh
    y = s.act(x)                y = np.tanh(x)

    Tests of them are decided: `s.act is np.tanh`.
    """
    if not lowering.names.classes:
        return False
    nodes = body_nodes(lowering.node)
    values = {id(s.targets[0]): s.value for s in nodes if isinstance(s, ast.Assign) and len(s.targets) == 1}
    stores: dict[Path, list[ast.expr | None]] = {}
    for n in nodes:
        if isinstance(n, ast.Attribute) and not isinstance(n.ctx, ast.Load) and (path := lowering.chain(n)) is not None:
            stores.setdefault(lowering.rooted(path), []).append(values.get(id(n)))

    known = {id(v) for bound in stores.values() for v in bound if is_none(v) or is_one_function(v, lowering)}
    if not known:
        return False

    def function_of(part: ast.expr) -> ast.expr | None:
        if not isinstance(part, ast.Attribute) or lowering.part(part) is None:
            return None
        path = lowering.rooted(cast(Path, lowering.chain(part)))
        bound = [stores.get(path[:i], []) for i in range(2, len(path) + 1)]
        if path[0] in lowering.params or len(lowering.values_of(path[0])) != 1 or any(len(b) != 1 for b in bound):
            return None
        return bound[-1][0] if id(bound[-1][0]) in known else None

    fold = _Decided(function_of)
    lowering.node.body[:] = fold.block(lowering.node.body)
    return fold.done


def is_one_function(e: ast.expr | None, lowering: Lowering) -> bool:
    """Whether an expression is one function, by a name that means the same everywhere: `np.tanh`."""
    return isinstance(e, ast.Name | ast.Attribute) and dotted(e) is not None and lowering.global_function(e)


class _Decided(ast.NodeTransformer):
    """Statements without the tests that are known, and without the asserts of what is known to hold."""

    def __init__(self, function_of: Callable[[ast.expr], ast.expr | None]) -> None:
        self.function_of = function_of
        self.reached: set[int] = set()  # what statements before have bound that have run, too
        self.done = False

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Each branch and each body of a loop by itself: it may be left out."""
        once = isinstance(node, ast.With)
        for name, value in ast.iter_fields(node):
            before = {*self.reached}
            if isinstance(value, list) and any(isinstance(v, ast.stmt) for v in value):
                value[:] = self.block(value) or [made(ast.Pass(), value[0])]
            elif isinstance(value, list):
                value[:] = [self.visit(v) if isinstance(v, ast.AST) else v for v in value]
            elif isinstance(value, ast.AST):
                setattr(node, name, self.visit(value))
            self.reached = self.reached if once else before
        return node

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for s in body:
            new = self.visit(s)
            out += new if isinstance(new, list) else [new] if new is not None else []
        return out

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        self.reached.add(id(node.value))
        return node

    def known(self, part: ast.expr) -> ast.expr | None:
        """What an attribute is that was bound before."""
        bound = self.function_of(part)
        return bound if id(bound) in self.reached else None

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        match node:
            case ast.Compare(left=part, ops=[ast.Is() | ast.IsNot() as op], comparators=[asked]) if (
                known := self.known(part)
            ) is not None and (is_none(asked) or not is_none(known)):
                self.done = True
                same = ast.unparse(known) == ast.unparse(asked)
                return made(ast.Constant(same is isinstance(op, ast.Is)), node)
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        known = self.known(node.func)
        if known is not None and not is_none(known):
            self.done = True
            node.func = copy_at(known, node.func)
            made(node, node)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        return without_literals(node) if any(of_literals(v) is not None for v in node.values) else node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        self.generic_visit(node)
        holds = of_literals(node.test)
        return node if holds is None else node.body if holds else node.orelse

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        before = of_literals(node.test)
        self.generic_visit(node)
        holds = of_literals(node.test)
        if before is not None or holds is None:
            return node
        return (node.body if holds else node.orelse) or [made(ast.Pass(), node)]

    def visit_Assert(self, node: ast.Assert) -> ast.AST | None:
        self.generic_visit(node)
        return None if of_literals(node.test) else node


class Unnamed(ast.NodeTransformer):
    """The text of a method as it was before `name_functions`: another module may give a class other functions."""

    def methods(self, classes: Iterable[ClassInfo]) -> None:
        for method in dict.fromkeys(m for cls in classes for m in cls.methods.values()):
            self.visit(method)

    def visit(self, node: ast.AST) -> ast.AST | None:
        before = getattr(node, "named", None)
        if before is True:
            return None
        return self.generic_visit(node if before is None else before)


def is_asked(e: ast.expr) -> bool:
    """Whether an expression chooses between the functions that an attribute may be, for one call."""
    return hasattr(e, "asked")


def copied(nodes: list[ast.expr]) -> list[ast.expr]:
    return [copy.deepcopy(n) for n in nodes]


def copy_at(e: ast.expr, like: ast.AST) -> ast.expr:
    new = copy.deepcopy(e)
    for n in walk(new):
        if isinstance(n, ast.expr):
            made(n, like)
    return new
