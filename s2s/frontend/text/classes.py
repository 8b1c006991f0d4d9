"""The classes of a module, as their text says: fields, methods, properties, and what their constructors do.

Nothing is executed. A class is understood where its bases are: classes of the same module, NamedTuple, object and the
like; a dataclass by its decorator. What is not understood has methods and fields that nobody resolves.
"""

from __future__ import annotations

import ast
import copy
import functools
from collections import ChainMap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeGuard, cast

from s2s.frontend.text.cached import MAKERS, doubt_cached
from s2s.frontend.text.class_defaults import bind_in_constructors
from s2s.frontend.text.function_bodies import is_fixed, one_expression
from s2s.frontend.text.moments import FUNCTION_PARTS, Moments
from s2s.frontend.text.names import NAMESPACE, Imports
from s2s.frontend.text.scopes import children, dotted, every_block, full_path, is_bound, own_walk, walk
from s2s.frontend.text.source import made

PLAIN_BASES = frozenset(
    ["object", "abc.ABC", "typing.Generic", "typing.Protocol", "typing_extensions.Protocol", "builtins.object"]
)
NAMED_TUPLES = frozenset(["typing.NamedTuple", "typing_extensions.NamedTuple"])
DATACLASSES = frozenset(["dataclasses.dataclass"])
ORDERING = "functools.total_ordering"
OWN_BASES = ("derive it from classes of the module only", "or hand numbers and arrays to a function")
UNDECORATED = "leave the decorator out, and write what it adds"
# Methods by which objects are something else than their attributes: read by a name, or as an array of NumPy's.
DYNAMIC = frozenset(
    f"__{name}__"
    for name in ("getattr", "getattribute", "setattr", "get", "set", "array", "array_ufunc", "array_function")
)


@dataclass(frozen=True)
class Field:
    name: str
    annotation: str = ""
    default: ast.expr | None = None


@dataclass
class ClassInfo:
    name: str
    node: ast.ClassDef
    kind: str = "plain"  # namedtuple, dataclass, plain, namespace
    frozen: bool = False
    fields: dict[str, Field] = field(default_factory=dict)
    methods: dict[str, ast.FunctionDef] = field(default_factory=dict)
    properties: set[str] = field(default_factory=set)
    statics: set[str] = field(default_factory=set)  # neither self nor a class is their first parameter
    strange: set[str] = field(default_factory=set)  # decorated otherwise, class methods
    class_methods: set[str] = field(default_factory=set)
    setters: dict[str, str] = field(default_factory=dict)  # of properties: the methods that are called, "set_..."
    getters: dict[str, str] = field(default_factory=dict)  # of properties that are more than one expression: "get_..."
    cached: set[str] = field(default_factory=set)  # properties that are computed once
    computed: set[str] = field(default_factory=set)  # fields of a dataclass that its constructor does not take
    accessors: dict[tuple[str, str], str] = field(default_factory=dict)  # their names, in this class and those below it
    constants: set[str] = field(default_factory=set)  # values that all objects share
    values: dict[str, ast.expr] = field(default_factory=dict)  # of constants
    tables: set[str] = field(default_factory=set)  # those that are dicts, of which the module only reads entries
    line: tuple[str, ...] = ()  # the class and its bases, in the order in which Python looks for a method
    is_known: bool = True
    doubt: tuple[str, ...] = ()  # why it is not known: because of what, and what may be written instead
    # of which its methods ask which functions they are (`rewrites.attributes`)
    function_attributes: set[str] = field(default_factory=set)
    makes: bool = False  # the constructor takes its fields by keyword and does nothing else
    prefix: str = ""  # of the names of its methods, for a class of another module
    path: str = ""  # how the module of the function knows it
    alike: frozenset[str] = frozenset()  # of a class of another module: the imported names that are the same in both

    def key(self, method: str) -> str:
        """The name of a method among the functions of a program."""
        return f"{self.prefix}{self.name}.{method}"

    def has(self, attribute: str) -> bool:
        return attribute in self.fields or attribute in self.methods or attribute in self.properties

    @property
    def of_class(self) -> set[str]:
        """What is the class's until an object has its own."""
        return self.values.keys() - self.fields.keys() | self.methods.keys() - self.properties

    @property
    def is_slotted(self) -> bool:
        """Whether its objects have no `__dict__`, but what `__slots__` names: so have those of a named tuple."""
        options = {k.arg for d in self.node.decorator_list if isinstance(d, ast.Call) for k in d.keywords}
        bound = [dotted(t) for s in self.node.body if isinstance(s, ast.Assign) for t in s.targets]
        return self.kind == "namedtuple" or "slots" in options or ["__slots__"] in bound

    @property
    def init(self) -> ast.FunctionDef | None:
        return self.methods.get("__init__")


def module_classes(
    tree: ast.Module, imports: Imports, moments: Moments, adopted: Mapping[str, ClassInfo] = MappingProxyType({})
) -> dict[str, ClassInfo]:
    """The classes at the top level of a module that it binds once; adopted: those of other modules, by their names here
    and by their paths, which may be bases of these."""
    bind_in_constructors(tree)
    nodes = [s for s in tree.body if isinstance(s, ast.ClassDef)]
    once = {node.name: node for node in nodes if sum(n.name == node.name for n in nodes) == 1}
    found: dict[str, ClassInfo] = {}
    every = ChainMap(found, dict(adopted))
    for node in makers_last(once):
        found[node.name] = read_class(node, imports, every)
    found = {name: found[name] for name in once}
    every.maps[0] = found
    for node in nodes:
        for function in node.body:
            if isinstance(function, ast.FunctionDef):
                name_bases(function, node, every)
    for node in nodes:
        if (info := found.get(node.name)) is not None and info.kind == "plain" and info.is_known:
            made_here = any(s is info.init for s in node.body) and not (MAKERS - {"__init__"} & info.methods.keys())
            info.makes = info.makes or (made_here and only_keeps(cast(ast.FunctionDef, info.init), every))
            info.makes = info.makes or not (info.fields or MAKERS & info.methods.keys())  # it has methods alone
    stores = stored_attributes(tree)
    handed = handed_attributes(tree)
    for info in found.values():
        info.constants -= stores
        info.tables = {n for n in info.constants - handed if isinstance(info.values.get(n), ast.Dict)}
        for name in sorted(n for n, v in info.values.items() if is_descriptor(v, every)):
            info.is_known = info.makes = False
            because = f"because its class says what `.{name}` is where it is read"
            info.doubt = info.doubt or (because, "write a property: `@property`")
        if hidden := sorted(stores & info.of_class):
            info.is_known = info.makes = False
            hides = f"because `.{hidden[0]}` is assigned to, which the class has, too"
            info.doubt = info.doubt or (hides, f"let the constructor bind it: `self.{hidden[0]} = ...`")
    for s in tree.body:
        match s:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call) if (
                path_of(call.func, imports) == "collections.namedtuple" and bound(tree, name) == 1
            ):
                fields = named_fields(call)
                if fields is not None:
                    text = ast.copy_location(ast.ClassDef(name, [], [], [], []), s)
                    found[name] = ClassInfo(name, text, "namedtuple", frozen=True, fields=fields, makes=True)
    for info in found.values():
        doubt_cached(info, tree)
    doubt_late(found.values(), moments)
    return found


def is_descriptor(value: ast.expr, classes: Mapping[str, ClassInfo]) -> bool:
    """Whether a class attribute says itself what is read of it."""
    path = dotted(value.func) if isinstance(value, ast.Call) else None
    cls = classes.get(".".join(path)) if path else None
    return cls is not None and "__get__" in cls.methods


def doubt_late(classes: Iterable[ClassInfo], moments: Moments) -> None:
    """Takes those classes for unknown whose constructors have a default that is another one when all has run."""
    for info in classes:
        defaults = [f.default for f in info.fields.values() if f.default is not None]
        makers = [m for n, m in info.methods.items() if n in MAKERS]
        defaults += [d for m in makers for d in (*m.args.defaults, *m.args.kw_defaults) if d is not None]
        if any(moments.is_late(d, info.node.lineno - 1) for d in defaults):
            info.is_known = info.makes = False


def stored_attributes(tree: ast.Module) -> set[str]:
    """The attributes that a module binds, of whatever objects."""
    stores = {n.attr for n in walk(tree) if isinstance(n, ast.Attribute) and not isinstance(n.ctx, ast.Load)}
    own = {  # `P.go.__defaults__ = (3.0,)`
        n.value.attr
        for n in walk(tree)
        if isinstance(n, ast.Attribute) and n.attr in FUNCTION_PARTS and isinstance(n.value, ast.Attribute)
    }
    return stores | own | set_by_name(tree)


def handed_attributes(tree: ast.Module) -> set[str]:
    """The names under which a module does more with an attribute, or a name in the body of a class, than to read its
    entries, to ask for them and to run over them."""
    parents = {c: n for n in walk(tree) for c in children(n)}
    found = {n.value for n in walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    for node in walk(tree):
        if isinstance(node, ast.ClassDef):
            found |= {n.id for s in node.body for n in own_walk(s) if isinstance(n, ast.Name) and not is_bound(n)}
    for n in walk(tree):
        if not isinstance(n, ast.Attribute):
            continue
        match parents[n]:
            case ast.Subscript(value=value, ctx=ast.Load()) if value is n:
                continue
            case ast.Attribute(attr="get" | "items" | "keys" | "values") as method:
                call = parents[method]
                if isinstance(call, ast.Call) and call.func is method:
                    continue
            case ast.Compare(ops=[ast.In() | ast.NotIn()]) | ast.For() | ast.comprehension():
                continue
        found.add(n.attr)
    return found


def set_by_name(tree: ast.Module) -> set[str]:
    """The attributes that a module binds by `setattr(p, "x", e)`."""
    found: set[str] = set()
    for n in walk(tree):
        match n:
            case ast.Call(func=ast.Name(id="setattr"), args=[_, ast.Constant(value=str(name)), _]):
                found.add(name)
    return found


def side_by_side(s: ast.Assign) -> dict[str, ast.expr]:
    """The names of a class that are bound in one statement, each with its value: `IDLE, HEAT = range(2)`."""
    match s:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            pass
        case ast.Assign(
            targets=[ast.Tuple(elts=targets)],
            value=ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int() as n)], keywords=[]),
        ):
            values = [ast.copy_location(ast.Constant(k), s.value) for k in range(n)]
        case _:
            return {}
    if len(targets) != len(values) or any(isinstance(e, ast.Starred) for e in (*targets, *values)):
        return {}
    return {t.id: e for t, e in zip(targets, values, strict=True) if isinstance(t, ast.Name)}


def makers_last(classes: dict[str, ast.ClassDef]) -> list[ast.ClassDef]:
    """The classes, those that another one derives from, or makes objects of in its constructor, before it."""
    done: dict[str, ast.ClassDef] = {}
    entered: set[str] = set()

    def enter(node: ast.ClassDef) -> None:
        if node.name in entered:
            return
        entered.add(node.name)
        parts = [s for s in node.body if not isinstance(s, ast.FunctionDef) or s.name in MAKERS]
        called = [n.func for s in parts for n in walk(s) if isinstance(n, ast.Call)]
        for e in [*node.bases, *called]:
            if isinstance(e, ast.Name) and e.id in classes:
                enter(classes[e.id])
        done[node.name] = node

    for node in classes.values():
        enter(node)
    return list(done.values())


def bound(tree: ast.Module, name: str) -> int:
    """How often a module binds a name."""
    stores = (n for n in walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store | ast.Del))
    return sum(n.id == name for n in stores) + sum(bool(getattr(s, "name", "") == name) for s in tree.body)


def named_fields(call: ast.Call) -> dict[str, Field] | None:
    """The fields of `namedtuple("Point", ["x", "y"], defaults=(0.0,))`; None where they are not written out."""
    match call.args:
        case [_, ast.Constant(value=str() as text)]:
            names = text.replace(",", " ").split()
        case [_, ast.List(elts=elts) | ast.Tuple(elts=elts)]:
            names = [e.value for e in elts if isinstance(e, ast.Constant) and isinstance(e.value, str)]
            if len(names) < len(elts):
                return None
        case _:
            return None
    defaults: list[ast.expr] = []
    for k in call.keywords:
        match k.arg, k.value:
            case "defaults", ast.List(elts=values) | ast.Tuple(elts=values) if len(values) <= len(names):
                defaults = values
            case _:
                return None
    last: list[ast.expr | None] = [*[None] * (len(names) - len(defaults)), *defaults]
    return {n: Field(n, "", d) for n, d in zip(names, last, strict=True)}


def path_of(e: ast.expr, imports: Imports) -> str:
    return full_path(e, imports.names)


@functools.cache
def namespace_class(fields: frozenset[str]) -> ClassInfo:
    """The class, without methods, of the namespaces that are made of the same attributes."""
    name = f"{NAMESPACE}({', '.join(sorted(fields))})"
    node = ast.ClassDef(name, [], [], [], [])
    return ClassInfo(name, node, "namespace", fields={n: Field(n) for n in sorted(fields)}, makes=True)


def namespace_of(e: ast.AST, imports: Imports) -> ClassInfo | None:
    """The class of `SimpleNamespace(x=a, v=b)`; None for one whose attributes are not written out, too."""
    if not is_namespace(e, imports) or e.args or not all(k.arg for k in e.keywords):
        return None
    return namespace_class(frozenset(k.arg for k in e.keywords if k.arg))


def is_namespace(e: ast.AST, imports: Imports) -> TypeGuard[ast.Call]:
    """Whether an expression makes a namespace: under the user's name for it, or the frontend's own."""
    if not isinstance(e, ast.Call):
        return False
    return (isinstance(e.func, ast.Name) and e.func.id == NAMESPACE) or path_of(e.func, imports) == NAMESPACE


@dataclass
class Namespaces:
    """The namespaces that functions make."""

    classes: list[ClassInfo] = field(default_factory=list)
    attributes: set[str] = field(default_factory=set)  # which they have, or may get
    is_open: bool = False  # whether there are attributes that are not written out

    @staticmethod
    def in_texts(texts: Iterable[ast.AST], imports: Imports) -> Namespaces:
        nodes = [n for text in texts for n in walk(text)]
        made = [n for n in nodes if is_namespace(n, imports)]
        if not made:
            return Namespaces()
        classes = {c.name: c for n in made if (c := namespace_of(n, imports)) is not None}
        attributes = {name for c in classes.values() for name in c.fields}
        attributes |= {n.attr for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)}
        return Namespaces([*classes.values()], attributes, any(namespace_of(n, imports) is None for n in made))


def read_class(node: ast.ClassDef, imports: Imports, others: Mapping[str, ClassInfo]) -> ClassInfo:
    info = ClassInfo(node.name, node)
    paths = [path_of(b.value if isinstance(b, ast.Subscript) else b, imports) for b in node.bases]  # Generic[T]
    bases = [others[path] for path in paths if path in others]
    for base, path in zip(node.bases, paths, strict=True):
        if path in NAMED_TUPLES:
            info.kind, info.frozen = "namedtuple", True
        elif path not in {*others, *PLAIN_BASES}:
            info.is_known, info.doubt = False, (f"because of its base `{ast.unparse(base)}`", *OWN_BASES)
    line = merged_line([*(b.line for b in bases), tuple(b.node.name for b in bases)])
    info.line = (node.name, *line)
    if len(bases) == 1:
        inherit(info, bases[0])
    elif bases:
        inherit_all(info, [others[n] for n in line if n in others])
        if not line or len(info.line) > sum(n in others for n in line) + 1:
            info.is_known = False
    if any(k.arg != "metaclass" or path_of(k.value, imports) != "abc.ABCMeta" for k in node.keywords):
        info.is_known = False
    for d in node.decorator_list:
        call = d.func if isinstance(d, ast.Call) else d
        if path_of(call, imports) in DATACLASSES:
            own_init = any(isinstance(s, ast.FunctionDef) and s.name == "__init__" for s in node.body)
            info.kind = "plain" if own_init else "dataclass"  # it keeps a constructor that the class has
            options = {k.arg: k.value for k in d.keywords} if isinstance(d, ast.Call) else {}
            frozen = options.get("frozen")
            info.frozen = isinstance(frozen, ast.Constant) and frozen.value is True
        elif path_of(call, imports) != ORDERING:
            info.is_known, info.doubt = False, (f"because of its decorator `@{ast.unparse(d)}`", UNDECORATED)
    own_fields(info, imports)
    for s in node.body:
        if isinstance(s, ast.FunctionDef):
            method(info, s, imports)
        if isinstance(s, ast.Assign):
            names = {t.id for t in s.targets if isinstance(t, ast.Name)}
            if isinstance(s.value, ast.Name) and s.value.id in info.methods:  # __rmul__ = __mul__
                info.methods |= dict.fromkeys(names, info.methods[s.value.id])
                continue
            info.constants |= names
            info.values |= dict.fromkeys(names, s.value)
            apart = side_by_side(s)
            info.constants |= apart.keys()
            info.values |= apart
    if any(path_of(d, imports) == ORDERING for d in node.decorator_list):
        order(info)
    if info.init is not None and info.kind == "plain":
        one_by_one(info.init)
        fields_of_init(info, info.init, others)
    info.constants -= info.fields.keys()
    if info.computed and "__post_init__" not in info.methods:
        info.is_known = False
    if "__post_init__" in info.methods and info.kind == "dataclass" and info.init is None and info.is_known:
        info.methods["__init__"] = written_init(info, info.methods["__post_init__"])
        info.kind = "plain"
        fields_of_init(info, info.methods["__init__"], others)
    makers = MAKERS & info.methods.keys() - {"__post_init__"}
    info.makes = info.is_known and info.kind != "plain" and not makers
    if info.kind == "plain" and makers == {"__init__"} and info.is_known and info.init is not None:
        info.makes = only_keeps(info.init)
    for s in node.body:
        if isinstance(s, ast.FunctionDef) and s.name in DYNAMIC:
            info.is_known = info.makes = False
            info.doubt = info.doubt or (f"because of its method `{s.name}`", "give the values plain attributes")
    return info


def merged_line(lines: list[tuple[str, ...]]) -> tuple[str, ...]:
    """The order of classes that keeps that of each line, as Python's; empty where there is none."""
    out: list[str] = []
    while lines := [x for x in lines if x]:
        head = next((x[0] for x in lines if not any(x[0] in other[1:] for other in lines)), None)
        if head is None:
            return ()
        out.append(head)
        lines = [x[1:] if x[0] == head else x for x in lines]
    return (*out,)


def own_names(info: ClassInfo, classes: Mapping[str, ClassInfo]) -> set[str]:
    """What a class binds itself: methods and values that are not those of its bases."""
    bases = [classes[n] for n in info.line[1:] if n in classes]
    own = {n for n, m in info.methods.items() if not any(b.methods.get(n) is m for b in bases)}
    return own | {n for n, e in info.values.items() if not any(b.values.get(n) is e for b in bases)}


def inherit_all(info: ClassInfo, line: list[ClassInfo]) -> None:
    """Of several bases that are plain, each name as the first class of the line has it that binds it."""
    classes = {c.name: c for c in line}
    info.is_known &= all(c.kind == "plain" and c.is_known for c in line)
    for base in reversed(line):
        own = own_names(base, classes)
        info.fields |= base.fields
        info.computed |= base.computed
        info.accessors |= base.accessors
        for mine, its in (
            (info.properties, base.properties),
            (info.statics, base.statics),
            (info.strange, base.strange),
            (info.class_methods, base.class_methods),
            (info.cached, base.cached),
            (info.constants, base.constants),
        ):
            mine -= own
            mine |= its & own
        info.methods |= {n: m for n, m in base.methods.items() if n in own}
        info.values |= {n: e for n, e in base.values.items() if n in own}
        info.setters |= {n: m for n, m in base.setters.items() if m in own}
        info.getters |= {n: m for n, m in base.getters.items() if m in own}


# What `functools.total_ordering` adds to a class that has one of these.
ORDERS = {
    "__lt__": {"__gt__": "not self < other and not self == other", "__le__": "self < other or self == other",
               "__ge__": "not self < other"},
    "__gt__": {"__lt__": "not self > other and not self == other", "__ge__": "self > other or self == other",
               "__le__": "not self > other"},
    "__le__": {"__ge__": "not self <= other or self == other", "__lt__": "self <= other and not self == other",
               "__gt__": "not self <= other"},
    "__ge__": {"__le__": "not self >= other or self == other", "__gt__": "self >= other and not self == other",
               "__lt__": "not self >= other"},
}  # fmt: skip


def order(info: ClassInfo) -> None:
    """The comparisons that a class gets from the one that it has, and from `==`."""
    given = [n for n in ORDERS if n in info.methods]
    if "__eq__" not in info.methods or not given:
        info.is_known = False
        return
    for name, text in ORDERS[given[0]].items():
        if name not in info.methods:
            function = cast(ast.FunctionDef, ast.parse(f"def {name}(self, other):\n    return {text}\n").body[0])
            for n in ast.walk(function):
                made(cast(ast.stmt, n), info.methods[given[0]])
            info.methods[name] = function


def inherit(info: ClassInfo, base: ClassInfo) -> None:
    if base.kind == "namedtuple" or not base.is_known:
        info.is_known = False
    info.kind = base.kind
    info.frozen = base.frozen
    info.fields |= base.fields
    info.methods |= base.methods
    info.properties |= base.properties
    info.statics |= base.statics
    info.strange |= base.strange
    info.class_methods |= base.class_methods
    info.setters |= base.setters
    info.getters |= base.getters
    info.cached |= base.cached
    info.computed |= base.computed
    info.accessors |= base.accessors
    info.constants |= base.constants
    info.values |= base.values


def own_fields(info: ClassInfo, imports: Imports) -> None:
    """Annotated names of the body; a field that the constructor does not take makes the class one of unknown making."""
    for s in info.node.body:
        match s:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
                text = ast.unparse(annotation)
                if "ClassVar" in text:
                    continue
                if "InitVar" in text:
                    info.is_known = False
                default = value
                if isinstance(value, ast.Call) and path_of(value.func, imports) == "dataclasses.field":
                    options = {k.arg: k.value for k in value.keywords}
                    default = options.get("default") or made_by(options.get("default_factory"))
                    match options.get("init"):
                        case ast.Constant(value=False):
                            info.computed.add(name)
                        case ast.expr():
                            info.is_known = False
                info.fields[name] = Field(name, text, default)


def name_bases(function: ast.FunctionDef, cls: ast.ClassDef, classes: Mapping[str, ClassInfo]) -> None:
    """super().step(h) as Base.step(self, h), in a method of a class.

    Where a class of the module has two others as its bases, which one `super()` is may depend on the object.
    """
    bases = [b.id for b in cls.bases if isinstance(b, ast.Name) and b.id in classes]
    if not function.args.args:
        return
    if len(bases) > 1 and cls.name in classes:
        bases = [*classes[cls.name].line[1:]]
    if function.name == "__init__" and reaches_object(cls, bases, classes):
        for block in every_block(function.body):
            block[:] = [ast.copy_location(ast.Pass(), s) if starts_object(s, cls.name) else s for s in block]
    own = function.args.args[0].arg
    for n in walk(function):
        match n:
            case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super"), args=[]), attr=attr) as func):
                base = next_with(attr, cls.name, classes) if cls.name in classes else next(iter(bases), "")
                if base and attr in classes[base].methods:
                    func.value = made(ast.Name(base, ast.Load()), n)
                    n.args.insert(0, made(ast.Name(own, ast.Load()), n))
                    if function.name == attr == "__init__" and classes[base].init is not None:
                        hand_on(function, n, cast(ast.FunctionDef, classes[base].init))
                    made(func, n)
                    made(n, n)


def next_with(attr: str, name: str, classes: Mapping[str, ClassInfo]) -> str:
    """The class whose method `super()` finds in one of this name, whatever the object; "" where that depends on it, or
    where no object has such a method."""
    found = set()
    for info in {c.name: c for c in classes.values()}.values():
        if name in info.line:
            rest = [n for n in info.line[info.line.index(name) + 1 :] if n in classes]
            found.add(next((n for n in rest if attr in own_names(classes[n], classes)), ""))
    found.discard("")  # a class that is only a part of others
    return found.pop() if len(found) == 1 else ""


def reaches_object(cls: ast.ClassDef, bases: list[str], classes: Mapping[str, ClassInfo]) -> bool:
    """Whether no base of a class has a constructor, but for `object`."""
    own = classes.get(cls.name)
    plain = own is not None and own.node is cls and own.is_known and own.kind == "plain"
    return plain and all("__init__" not in classes[b].methods for b in bases)


def starts_object(s: ast.stmt, name: str) -> bool:
    """super().__init__(), or super(Name, self).__init__(): of `object` it does nothing."""
    match s:
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=ast.Call(func=ast.Name(id="super"), args=args), attr="__init__"),
                args=[],
                keywords=[],
            )
        ):
            return not args or (isinstance(args[0], ast.Name) and args[0].id == name)
    return False


def hand_on(init: ast.FunctionDef, call: ast.Call, base: ast.FunctionDef) -> None:
    """The parameters of the base in the place of `*args` and `**options` that a constructor only hands on to it.

    def __init__(self, E, H, **options):          def __init__(self, E, H, *, density=1.0):
        super().__init__(E, **options)                super().__init__(E, density=density)
    """
    a, b = init.args, base.args
    if b.vararg or b.kwarg or b.posonlyargs or a.posonlyargs:
        return
    stars = [x for x in call.args if isinstance(x, ast.Starred)]
    options = [k for k in call.keywords if k.arg is None]
    for parameter, values in ((a.vararg, [x.value for x in stars]), (a.kwarg, [k.value for k in options])):
        own = parameter.arg if parameter else ""
        if any(not isinstance(e, ast.Name) or e.id != own for e in values) or len(values) > 1:
            return
        if sum(isinstance(n, ast.Name) and n.id == own for n in walk(init)) != len(values):
            return
    defaults = dict(zip((p.arg for p in reversed(b.args)), reversed(b.defaults), strict=False))
    defaults |= {p.arg: d for p, d in zip(b.kwonlyargs, b.kw_defaults, strict=True) if d is not None}
    own_names = {p.arg for p in (*a.args, *a.kwonlyargs)} | {n.id for n in walk(init) if isinstance(n, ast.Name)}
    first = len(call.args) - len(stars)
    given = {k.arg for k in call.keywords}
    left = [p for p in b.args[first:] if p.arg not in given]
    only = [p for p in b.kwonlyargs if p.arg not in given]
    if own_names & {p.arg for p in (*left, *only)} or (a.defaults and stars):
        return
    if not all(map(is_fixed, defaults.values())):
        return
    if not options and not stars:
        return
    if stars:
        if call.args[-1] is not stars[0] or any(k.arg for k in call.keywords):
            return
        call.args[-1:] = [made(ast.Name(p.arg, ast.Load()), call) for p in left]
        a.args += [ast.copy_location(ast.arg(p.arg), init) for p in left]
        a.defaults += [defaults[p.arg] for p in left if p.arg in defaults]
        left = []
    if options:
        call.keywords = [k for k in call.keywords if k.arg]
        for p in (*left, *only):
            call.keywords.append(made(ast.keyword(p.arg, made(ast.Name(p.arg, ast.Load()), call)), call))
            a.kwonlyargs.append(ast.copy_location(ast.arg(p.arg), init))
            a.kw_defaults.append(defaults.get(p.arg))
    a.vararg = a.vararg if not stars else None
    a.kwarg = a.kwarg if not options else None


def made_by(factory: ast.expr | None) -> ast.expr | None:
    """What a `default_factory` makes each time: an empty list or dict, or what a lambda says."""
    match factory:
        case ast.Name(id="list"):
            found: ast.expr = ast.List([], ast.Load())
        case ast.Name(id="dict"):
            found = ast.Dict([], [])
        case ast.Lambda(body=body):
            found = body
        case ast.expr():
            found = ast.Call(factory, [], [])
        case _:
            return None
    found.factory = True  # type: ignore[attr-defined]
    return ast.copy_location(found, factory)


def is_made_anew(default: ast.expr) -> bool:
    """Whether a default is made for each object: that of a `def` is one for all calls."""
    return getattr(default, "factory", False)


def accessor(info: ClassInfo, kind: str, of: str, s: ast.FunctionDef) -> str:
    """Names what the text of a property, or its setter, is called as: a method that the user has not written, and the
    same one in all classes that have it from another."""
    wish = info.accessors.get((kind, of), "")
    if not wish:
        wish = f"{kind}_{of}"
        while wish in info.methods or wish in info.fields:
            wish += "_"
    info.accessors[kind, of] = wish
    info.methods[wish] = s
    return wish


def method(info: ClassInfo, s: ast.FunctionDef, imports: Imports) -> None:
    match s.decorator_list:
        case [ast.Attribute(value=ast.Name(id=name), attr="setter")] if name == s.name and name in info.properties:
            info.setters[name] = accessor(info, "set", name, s)
            return
    if s.name in info.accessors.values():  # the user's own method has the name
        info.is_known = info.makes = False
    for known in (info.properties, info.statics, info.strange, info.class_methods, info.cached):
        known.discard(s.name)
    info.setters.pop(s.name, None)
    info.getters.pop(s.name, None)
    info.methods[s.name] = s
    for d in s.decorator_list:
        path = path_of(d, imports)
        if path == "classmethod":
            info.class_methods.add(s.name)
        if path in ("property", "functools.cached_property"):
            info.properties.add(s.name)
            if path == "functools.cached_property":
                info.cached.add(s.name)
            if one_expression(s) is None or ("get", s.name) in info.accessors:
                info.getters[s.name] = accessor(info, "get", s.name, s)
        elif path == "staticmethod":
            info.statics.add(s.name)
        elif path not in ("abc.abstractmethod", "typing.override", "typing_extensions.override"):
            info.strange.add(s.name)


def without_class(method: ast.FunctionDef, info: ClassInfo) -> ast.FunctionDef | None:
    """A class method as a function of its other parameters: the class stands where the first one is read. None where
    that is bound anew, where a name hides the class, and for what asks for the bases."""
    first = [*method.args.posonlyargs, *method.args.args][:1]
    if len(method.decorator_list) != 1 or not first:
        return None
    new = copy.deepcopy(method)
    new.decorator_list = []
    del (new.args.posonlyargs or new.args.args)[0]
    own, hidden = first[0].arg, {first[0].arg, info.name}
    for n in walk(new):
        match n:
            case ast.arg(arg=name) if name in hidden:
                return None
            case ast.Name(id="super" | "__class__"):
                return None
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if name in hidden:
                return None
            case ast.ExceptHandler(name=name) | ast.MatchAs(name=name) | ast.MatchStar(name=name) if name in hidden:
                return None
            case ast.alias(name=name, asname=asname) if hidden & {name, asname}:
                return None
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) if name in hidden and n is not new:
                return None
    for n in walk(new):
        if isinstance(n, ast.expr) and any(isinstance(x, ast.Name) and x.id == own for x in walk(n)):
            made(n, n)
    for n in walk(new):
        if isinstance(n, ast.Name) and n.id == own:
            n.id = info.name
    return new


def fields_of_init(info: ClassInfo, init: ast.FunctionDef, others: Mapping[str, ClassInfo]) -> None:
    """What the constructor of a plain class assigns; a field keeps the annotation of a parameter that it is.

    One that is an object of another class, and nothing else anywhere in the class, has that class.
    """
    own = init.args.args[0].arg if init.args.args else ""
    notes = {a.arg: ast.unparse(a.annotation) for a in [*init.args.args, *init.args.kwonlyargs] if a.annotation}
    for s in walk(init):
        match s:
            case (
                ast.Assign(targets=[ast.Attribute(value=ast.Name(id=who), attr=name)], value=value)
                | ast.AnnAssign(target=ast.Attribute(value=ast.Name(id=who), attr=name), value=value)
            ) if who == own:
                text = notes.get(value.id, "") if isinstance(value, ast.Name) else ""
                if isinstance(s, ast.AnnAssign):
                    text = ast.unparse(s.annotation)
                stores = [n for n in walk(info.node) if isinstance(n, ast.Attribute) and n.attr == name]
                once = sum(isinstance(n.ctx, ast.Store) for n in stores) == 1
                if (
                    isinstance(value, ast.Call)
                    and isinstance(value.func, ast.Name)
                    and value.func.id in others
                    and once
                ):
                    text = text or value.func.id
                before = info.fields.get(name)
                if before is not None and before.annotation != text:
                    text = before.annotation if name in info_annotations(info) else ""
                info.fields[name] = Field(name, text)


def one_by_one(init: ast.FunctionDef) -> None:
    """self.x, self.v = x, v in a constructor as two assignments, where no value reads the object, and so
    self.up = self.down = 0.0, of a number or a name: one value in both."""
    own = init.args.args[0].arg if init.args.args else ""
    body: list[ast.stmt] = []
    for s in init.body:
        match s:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)) if (
                len(targets) == len(values)
                and all(isinstance(t, ast.Attribute) for t in targets)
                and not any(isinstance(n, ast.Name) and n.id == own for v in values for n in walk(v))
            ):
                pairs = zip(targets, values, strict=True)
                body += [ast.copy_location(ast.Assign([t], v), s) for t, v in pairs]
            case ast.Assign(targets=[_, _, *_] as targets, value=ast.Constant() | ast.Name() as value) if all(
                isinstance(t, ast.Attribute) for t in targets
            ):
                body += [ast.copy_location(ast.Assign([t], copy.deepcopy(value)), s) for t in targets]
            case _:
                body.append(s)
    init.body = body


def info_annotations(info: ClassInfo) -> set[str]:
    return {s.target.id for s in info.node.body if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)}


def written_init(info: ClassInfo, last: ast.FunctionDef) -> ast.FunctionDef:
    """The constructor that a dataclass with a `__post_init__` has."""
    own = last.args.args[0].arg if last.args.args else "self"
    fields = [f for n, f in info.fields.items() if n not in info.computed]
    given = [ast.copy_location(ast.arg(f.name), last) for f in fields]

    def kept(name: str, value: ast.expr) -> ast.stmt:
        return ast.Assign([ast.Attribute(ast.Name(own, ast.Load()), name, ast.Store())], value)

    first = [kept(f.name, ast.Name(f.name, ast.Load())) for f in fields]
    first += [kept(n, f.default) for n, f in info.fields.items() if n in info.computed and f.default is not None]
    for s in first:
        ast.copy_location(s, last)
    defaults = [f.default for f in fields if f.default is not None]
    params = ast.arguments([], [ast.copy_location(ast.arg(own), last), *given], None, [], [], None, defaults)
    init = ast.FunctionDef("__init__", params, [*first, *map(plainly_set, last.body)], [])
    return ast.fix_missing_locations(ast.copy_location(init, last))


def plainly_set(s: ast.stmt) -> ast.stmt:
    """`object.__setattr__(self, "n", e)`, as objects of frozen classes get their attributes, as `self.n = e`."""
    match s:
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=ast.Name(id="object"), attr="__setattr__"),
                args=[ast.Name() as own, ast.Constant(value=str() as attribute), value],
                keywords=[],
            )
        ):
            return ast.copy_location(ast.Assign([ast.Attribute(own, attribute, ast.Store())], value), s)
        case ast.If(test=test, body=body, orelse=orelse):
            return ast.copy_location(ast.If(test, [*map(plainly_set, body)], [*map(plainly_set, orelse)]), s)
    return s


def straight(init: ast.FunctionDef, calls: bool = False) -> bool:
    """A constructor whose text can stand where it is called: assignments in a row; with `calls` calls, too."""
    plain = (ast.Assign, ast.AnnAssign, ast.Pass, ast.Assert, *((ast.Expr,) if calls else ()))
    a = init.args
    if a.vararg or a.kwarg or init.decorator_list:
        return False
    body = [s for s in init.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    return all(isinstance(s, plain) for s in body)


def given_parameters(call: ast.Call, base: ClassInfo) -> dict[str, ast.expr] | None:
    """What each parameter of a constructor is given in `Base.__init__(self, a, b=c)`; None where that is not all."""
    if base.init is None or any(isinstance(a, ast.Starred) for a in call.args):
        return None
    names = [p.arg for p in (*base.init.args.args[1:], *base.init.args.kwonlyargs)]
    found = dict(zip(names, call.args[1:], strict=False)) | {str(k.arg): k.value for k in call.keywords}
    return found if found.keys() == {*names} else None


def only_keeps(init: ast.FunctionDef, bases: Mapping[str, ClassInfo] | None = None) -> bool:
    """def __init__(self, a, b): self.a = a; self.b = b

    With bases, it may hand parameters to the constructor of one that keeps them: Base.__init__(self, a).
    """
    if not straight(init, calls=bool(bases)):
        return False
    a = init.args
    names = {x.arg for x in [*a.args[1:], *a.kwonlyargs]}
    kept: set[str] = set()
    for s in init.body:
        match s:
            case (
                ast.Assign(targets=[ast.Attribute(value=ast.Name(), attr=name)], value=ast.Name(id=value))
                | ast.AnnAssign(target=ast.Attribute(value=ast.Name(), attr=name), value=ast.Name(id=value))
            ) if name == value:
                kept.add(name)
            case ast.Expr(value=ast.Constant()):
                pass
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=base), attr="__init__")) as call) if (
                bases is not None and base in bases and bases[base].makes and not kept
            ):
                given = given_parameters(call, bases[base])
                if given is None or not all(isinstance(e, ast.Name) and e.id == n for n, e in given.items()):
                    return False
                kept |= given.keys()
            case _:
                return False
    return kept == names and not a.posonlyargs
