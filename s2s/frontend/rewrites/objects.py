"""Objects and dicts inside one function: which of them are really groups of names.

    state = State(pos, vel)             state_pos = pos
    state.vel = state.vel + dt * a      state_vel = state_vel + dt * a
    return params["W"] @ state.pos      return params["W"] @ state_pos

A part of a parameter is a name as it stands: `params["W"]`, `state.pos`. A local dict or object becomes a variable for
each of its parts where all that is done with it is known: how it is made, and that no other name may change it. It is
put together again where it is handed on or returned. What is changed of a parameter becomes local, too: the caller's
object stays as it is. Everything else stays one value.
"""

from __future__ import annotations

import ast
import builtins
import functools
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from collections.abc import Sequence as List
from dataclasses import dataclass, field
from typing import cast

import numpy as np

from s2s.frontend.rewrites import optional
from s2s.frontend.rewrites.entries import open_dicts
from s2s.frontend.rewrites.makers import dicts
from s2s.frontend.text import keys as calculated
from s2s.frontend.text import names as known
from s2s.frontend.text.bindings import Bindings, bound_outside, is_item, looped, root_node, root_of, sources
from s2s.frontend.text.classes import ClassInfo, Field, Namespaces, is_made_anew, is_namespace, namespace_of
from s2s.frontend.text.fillings import fillings
from s2s.frontend.text.kinds import ABSENT, SPECIAL, Items, Kinds, Known, Plain, Several, same, update
from s2s.frontend.text.literals import is_literal
from s2s.frontend.text.names import COPIES, NAMESPACE, NEVER_READ, Imports, ModuleNames, target_names
from s2s.frontend.text.origins import Origins, is_none, optional_parameters
from s2s.frontend.text.reaching import Reaching
from s2s.frontend.text.scopes import (
    COMPREHENSIONS,
    SCOPES,
    blocks_of,
    body_nodes,
    bound_names,
    children,
    dotted,
    free_names,
    is_bound,
    is_number,
    own_walk,
    parameters,
    read_at_once,
    read_names,
    string_key,
    walk,
)
from s2s.frontend.text.source import expression
from s2s.ir import Attr, Const, Expr

MANY = 16  # calls of one function with other constants
Path = tuple[str, ...]  # a name, then keys and attributes from the outside in
OF_ARRAYS = known.PLAIN_ATTRIBUTES | known.ARRAY_ATTRIBUTES.keys()
OF_DICTS = frozenset(["get", "items", "pop", "popitem", "setdefault", "values"])
OF_VALUES = OF_ARRAYS | known.METHODS.keys()
VIEWS = frozenset(["items", "keys", "values"])
ASKING = (ast.In, ast.NotIn, ast.Is, ast.IsNot)
READING = frozenset(["items", "keys", "values", "get", "copy"])  # methods of dicts that change nothing
OF_LISTS = frozenset(["append", "extend", "insert", "pop", "remove", "reverse", "clear", "appendleft", "popleft"])
LISTED = frozenset(["list", "List", "tuple", "Tuple", "Sequence"])
MAPPED = frozenset(["dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict"])
Dotted = ast.Name | ast.Attribute


@dataclass
class Group:
    """The parts of a local dict (class None, not an object) or object; None for a part that is one value."""

    cls: ClassInfo | None = None
    is_object: bool = False
    parts: dict[str, Group | None] = field(default_factory=dict)
    added: set[str] = field(default_factory=set)  # parts that are not there from the beginning

    def same(self, other: Group) -> bool:
        mine, its = (None if g.cls is None else g.cls.node for g in (self, other))
        return mine is its and self.is_object == other.is_object

    @property
    def is_frozen(self) -> bool:
        return self.cls is not None and self.cls.frozen and "__post_init__" not in self.cls.methods

    @property
    def is_made(self) -> bool:
        """Whether it can be put together again."""
        return self.cls is None or self.cls.makes


class Objects:
    """What the names of one function stand for, found before it is lowered."""

    node: ast.FunctionDef
    names: ModuleNames
    imports: Imports
    params: set[str]
    bound: set[str]
    rename: dict[str, Expr]
    locals: set[str]

    def resolve(self, func: ast.expr) -> tuple[str, ast.expr | None] | None:
        raise NotImplementedError  # `Expressions`

    def is_local(self, name: str) -> bool:
        raise NotImplementedError  # `Expressions`

    def fresh(self, base: str) -> str:
        raise NotImplementedError  # `Expressions`

    def find_objects(self, cls: ClassInfo | None) -> None:
        """Fills in what is known of parameters and local names."""
        self.typed: dict[str, ClassInfo] = {}
        self.groups: dict[str, Group] = {}
        self.entries: dict[Path, str] = {}  # the variables that parts have become
        self.aliases: dict[str, Path] = {}  # a second name of a part of a parameter
        self.stored: dict[str, dict[Path, ast.expr]] = {}  # what is changed of a parameter
        self.objects: set[Path] = set()  # parts of parameters that have attributes
        self.dict_params: set[str] = set()
        self.loop_keys: dict[
            str, list[str]
        ] = {}  # variables of loops over texts: those texts, where they are written out
        self.local_classes: dict[str, ClassInfo | None] = {}
        self.known_bindings: Bindings | None = None
        self.known_fillings: dict[str, list[ast.expr | None]] = {}
        self.known_stores: set[str] | None = None
        self.known_kinds: dict[str, Known] | None = None
        self.fields_without: set[str] = set()  # attributes that an object may have as None
        self.fields_lent: set[str] = set()  # those that may be objects of the caller's
        self.kinds_stated: list[Callable[[], Known]] = []  # of what fields get whose class is stated
        self.own_kinds: Kinds | None = None
        self.inferring = False
        self.called_so: dict[tuple[object, ...], ast.FunctionDef] = {}  # see `as_called`
        self.every_class: list[ClassInfo] | None = None
        self.every_namespace: Namespaces | None = None
        self.elsewhere: bool | None = None  # see `calls_elsewhere`
        self.asked: set[str] = set()  # lists of which the class of the items is being found out
        self.supposed: dict[str, ClassInfo] = {}  # lists that are supposed to have items of a class, to see whether so
        self.parents: dict[ast.AST, ast.AST] = {}
        self.open: set[str] = set()
        self.standing: dict[str, Path] = {}  # `self` of a constructor that is written out: the object that it makes
        nodes = [n for s in self.node.body for n in walk(s)]
        first = [a.arg for a in parameters(self.node)][:1]
        if cls is not None and self.node.name not in cls.statics | cls.class_methods:
            self.typed |= dict.fromkeys(first, cls)
        self.typed |= getattr(self.node, "stated", {})
        for a in parameters(self.node):
            if a.annotation is not None and (found := self.class_of(a.annotation)) is not None:
                self.typed.setdefault(a.arg, found)
        for p in optional.may_be_objects(self.node, self.names) if cls is None else ():
            made_here = optional.class_otherwise(self.node, p)
            if made_here is not None and (found := self.class_not_local(made_here)) is not None:
                self.typed.setdefault(p, found)  # or what has a method of its own, which the output asserts not
        if not any(isinstance(n, ast.Attribute | ast.Subscript | ast.Dict | ast.Call) for n in nodes):
            return
        for name, found in self.classes_asked_for(nodes).items():
            self.typed.setdefault(name, found)
        self.parents = parents = {c: n for n in (self.node, *nodes) for c in children(n)}
        self.open = open_dicts(self.node)  # dicts whose keys are not known: one value each
        whole = {a.arg for a in parameters(self.node)} - self.bound - self.open
        self.loop_keys = self.find_loop_keys(nodes)
        self.find_parts(nodes, parents, whole)
        self.find_aliases(nodes, parents, whole)
        Grouping(self, nodes, parents).run()
        for name, group in sorted(self.groups.items()):
            self.name_parts((name,), group)
        for paths in self.stored.values():
            for path in sorted(paths):
                self.entries[path] = self.fresh("_".join(map(word, path)))

    def classes_asked_for(self, nodes: list[ast.AST]) -> dict[str, ClassInfo]:
        """The classes of parameters of which a method or a property is asked for that one class of the module has, and
        those that are derived from it: `cell.area`. The output asserts it."""
        unknown = {a.arg for a in parameters(self.node) if a.annotation is None} - self.typed.keys() - self.bound
        asked: dict[str, set[str]] = {}
        for n in nodes:
            if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id in unknown:
                asked.setdefault(n.value.id, set()).add(n.attr)
        methods = optional.methods_of(self.names)
        own = {p: names & methods for p, names in asked.items()}
        out: dict[str, ClassInfo] = {}
        for p, names in own.items():
            able = [c for c in self.names.classes.values() if all(map(c.has, asked[p]))]
            makers = {id(f) for c in able for m in names for f in [c.methods.get(m)]}
            if names and able and len(makers) == len(names) and all(c.is_known for c in able):
                out[p] = able[0]
        return out

    def name_parts(self, path: Path, group: Group) -> None:
        for key, inner in sorted(group.parts.items()):
            if inner is None:
                self.entries[*path, key] = self.fresh("_".join(map(word, (*path, key))))
            else:
                self.name_parts((*path, key), inner)

    def find_loop_keys(self, nodes: list[ast.AST]) -> dict[str, list[str]]:
        """Variables that only run over known texts, or over the keys of a dict: [] for these."""
        found: dict[str, list[str]] = {}
        bound: dict[str, int] = {}
        for n in nodes:
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store):
                bound[n.id] = bound.get(n.id, 0) + 1
            if not isinstance(n, ast.For | ast.comprehension):
                continue
            match n.target, n.iter:
                case ast.Name(id=name), ast.Tuple(elts=elts) | ast.List(elts=elts):
                    if elts and all(isinstance(e, ast.Constant) and isinstance(e.value, str) for e in elts):
                        found.setdefault(name, []).extend(str(e.value) for e in elts if isinstance(e, ast.Constant))
                case _, ast.Call(func=ast.Attribute(value=ast.Subscript())):
                    pass  # of a dict in a list or a dict: which keys it has is not known
                case ast.Name(id=name), ast.Name() | ast.Call(func=ast.Attribute(attr="keys"), args=[]):
                    found.setdefault(name, [])
                case ast.Tuple(elts=[ast.Name(id=name), _]), ast.Call(func=ast.Attribute(attr="items"), args=[]):
                    found.setdefault(name, [])
                case ast.Tuple(elts=[_, ast.Name(id=name)]), ast.Call(func=ast.Name(id="enumerate"), args=[of]):
                    if isinstance(of, ast.Name | ast.Tuple | ast.List):
                        found.setdefault(name, [])
        loops = [n.target for n in nodes if isinstance(n, ast.For | ast.comprehension)]
        in_loops = [x.id for t in loops for x in walk(t) if isinstance(x, ast.Name)]
        return {n: keys for n, keys in found.items() if bound[n] == in_loops.count(n) and n not in self.params}

    # ------------------------------------------------------------ parameters

    def find_parts(self, nodes: list[ast.AST], parents: dict[ast.AST, ast.AST], whole: set[str]) -> None:
        own = set(map(id, body_nodes(self.node)))
        for n in (n for n in nodes if isinstance(n, ast.Attribute | ast.Subscript)):
            path = self.chain(n)
            if path is None:
                match n:
                    case ast.Subscript(value=ast.Name(id=name), slice=ast.Name(id=k)) if name in whole and (
                        keys := self.loop_keys.get(k)
                    ):
                        self.dict_params.add(name)
                        if isinstance(n.ctx, ast.Store):
                            for key in keys:
                                self.stored.setdefault(name, {}).setdefault((name, key), n)
                continue
            if path[0] not in whole:
                continue
            if shows_object(n, parents):
                self.objects |= {path[:i] for i in range(1, len(path)) if isinstance(path[i], Attr)}
            if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name):
                self.dict_params.add(path[0])
            if isinstance(n.ctx, ast.Store) and id(n) in own:
                self.stored.setdefault(path[0], {}).setdefault(path, n)

    def find_aliases(self, nodes: list[ast.AST], parents: dict[ast.AST, ast.AST], whole: set[str]) -> None:
        """`layer = self.layer`, where `layer.W` is read: bound once, to a part of a parameter that never changes."""
        bindings: dict[str, list[ast.expr | None]] = {}
        for n in nodes:
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store | ast.Del):
                up = parents[n]
                value = up.value if isinstance(up, ast.Assign) and up.targets == [n] else None
                bindings.setdefault(n.id, []).append(value)
        read_of = {
            n.value.id
            for n in nodes
            if isinstance(n, ast.Attribute | ast.Subscript)
            and isinstance(n.value, ast.Name)
            and (string_key(n) is not None if isinstance(n, ast.Subscript) else n.attr not in OF_VALUES)
        }
        again = True
        while again:
            again = False
            for name, values in bindings.items():
                path = self.chain(values[0]) if len(values) == 1 and values[0] is not None else None
                if path is None or name in self.aliases or name in self.params or name not in read_of:
                    continue
                root = self.rooted(path)
                if root[0] in whole and root[0] not in self.stored:
                    self.aliases[name] = root
                    again = True
        if self.aliases:  # what is read through them are parts, too
            for n in (n for n in nodes if isinstance(n, ast.Attribute | ast.Subscript)):
                path = self.chain(n)
                if path is None or path[0] not in self.aliases:
                    continue
                path = self.rooted(path)
                if shows_object(n, parents):
                    self.objects.add(path[:-1])
                if isinstance(n, ast.Subscript):
                    self.dict_params.add(path[0])
                if isinstance(n.ctx, ast.Store):
                    self.stored.setdefault(path[0], {}).setdefault(path, n)

    # ------------------------------------------------------------ paths

    def chain(self, node: ast.expr) -> Path | None:
        """("state", "pos", "x") for `state.pos.x`; None for anything else than a name, attributes and text keys."""
        keys: list[str] = []
        while True:
            match node:
                case ast.Name(id=name):
                    return (name, *reversed(keys))
                case ast.Attribute(value=ast.Attribute(attr="dtype" | "flags" as inner_attr), attr=attr) if (
                    attr in known.ATTRIBUTES_OF[inner_attr]
                ):
                    return None  # what is asked of an array
                case ast.Attribute(value=inner, attr=attr):
                    keys.append(Attr(attr))
                    node = inner
                case ast.Subscript(value=inner) if (key := self.text_key(node)) is not None:
                    keys.append(key)
                    node = inner
                case _:
                    return None

    def text_key(self, node: ast.Subscript) -> str | None:
        """The key of `d["key"]`, of `d[k]` in a loop over known keys, and of `p[0]` of a named tuple."""
        match node.slice:
            case ast.Constant(value=int(at)) if isinstance(node.value, ast.Name) and node.value.id not in self.bound:
                cls = self.typed.get(node.value.id)
                names = list(cls.fields) if cls is not None and cls.kind == "namedtuple" else []
                return Attr(names[at]) if not isinstance(at, bool) and -len(names) <= at < len(names) else None
            case ast.Name(id=name) if isinstance(value := self.rename.get(name), Const) and isinstance(
                value.value, str
            ):
                return value.value
        return string_key(node)

    def rooted(self, path: Path) -> Path:
        while path[0] in self.aliases or path[0] in self.standing:
            head = self.standing.get(path[0]) or self.aliases[path[0]]
            path = (*head, *path[1:])
        return path

    def variable_of(self, path: Path) -> str | None:
        """The variable that a path names: of a local object, or a part of a parameter."""
        path = self.rooted(path)
        if path in self.entries:
            return self.entries[path]
        root = path[0]
        if root in self.groups or root not in self.params or root in self.bound | self.open or len(path) == 1:
            return None
        if any(path[:i] in self.entries for i in range(1, len(path))):
            return None
        if any(p[: len(path)] == path for p in self.stored.get(root, ())):
            return None
        if not isinstance(path[1], Attr) and root not in self.dict_params:
            return None
        for i in range(1, len(path)):
            if isinstance(path[i], Attr) and not self.is_field(path[:i], path[i]):
                return None
        return part_text(path)

    def part(self, node: ast.expr) -> str | None:
        """The variable that `state.pos` or `params["W"]` names."""
        path = self.chain(node) if isinstance(node, ast.Attribute | ast.Subscript) else None
        return self.variable_of(path) if path is not None else None

    def is_field(self, path: Path, attr: str) -> bool:
        """Whether an attribute is a stored value, not one of arrays nor a property."""
        cls = self.class_at(path)
        if cls is not None and attr in cls.fields:
            return True
        if cls is not None and (attr in cls.methods or attr in cls.constants):
            return False
        return attr not in OF_ARRAYS or path in self.objects

    def class_at(self, path: Path) -> ClassInfo | None:
        """The class of a parameter, or of a field of it by its annotation."""
        path = self.rooted(path)
        cls = self.typed.get(path[0]) if path[0] not in self.bound else self.class_of_local(path[0])
        if len(path) == 1:
            return cls
        stated = [a.annotation for a in parameters(self.node) if a.arg == path[0] and a.annotation]
        given = path[0] not in self.bound if path[0] in self.params else self.is_given_item(path[0])  # it is asserted
        note = stated[0] if stated and given else None
        for i, key in enumerate(path[1:]):
            entry = self.class_inside(note, MAPPED) if not isinstance(key, Attr) else None
            if not isinstance(key, Attr) and not i and path[0] not in self.params:
                entry = self.class_of_entry(ast.Name(path[0], ast.Load()))
            if entry is not None:
                cls, note = entry if given or not self.kinds().is_base(entry) else None, None
                continue
            known_field = cls.fields.get(key) if cls is not None else None
            note = ast.Constant(known_field.annotation) if known_field is not None else None
            if cls is not None and known_field is not None and self.is_open(known_field, given):
                kind = self.inferred().get(f"{cls.name}.{key}")
                cls = kind if isinstance(kind, ClassInfo) else None
            else:
                cls = None if known_field is None else self.class_named(known_field.annotation)
        return cls

    def is_open(self, of: Field, given: bool = False) -> bool:
        """Whether nothing says of which class a field is: what is stated of it may be true of other classes, too.

        given: it is one of a parameter.
        """
        stated = self.class_named(of.annotation)
        return not of.annotation or (stated is not None and not given and self.kinds().is_base(stated))

    def group_at(self, node: ast.expr) -> Group | None:
        """The group that a name or a path stands for as a whole."""
        path = self.chain(node)
        if path is None:
            return None
        path = self.rooted(path)
        group: Group | None = self.groups.get(path[0])
        for key in path[1:]:
            group = group.parts.get(key) if group is not None else None
        return group

    # ------------------------------------------------------------ classes

    def class_of_local(self, name: str) -> ClassInfo | None:
        """The class of a name that is only bound to results of functions that make objects of one class, or to None
        (`may_be_none`)."""
        if name not in self.local_classes:
            self.local_classes[name] = None  # for names that are bound to each other
            values = [v for v in self.values_of(name) if not is_none(v)]
            steps = [v for v in values if called_on(v) == name]  # `s = s.step(dt)`
            found = [self.class_of_result(v) for v in values if v not in steps and self.remade(v) != name]
            own = found[0] if found else None
            found += [self.class_of_result(v) for v in steps if self.remade(v, of=own) != name]
            if name in self.params:
                found.append(self.typed.get(name))
            if not found or None in found:
                found = self.classes_of_items(name)
            first = found[0] if found else None
            if first is not None and all(c is not None and c.node is first.node for c in found):
                self.local_classes[name] = first
            else:
                kind = self.inferred().get(name)
                if not self.inferring:
                    self.local_classes[name] = kind if isinstance(kind, ClassInfo) else None
                    return self.local_classes[name]
                del self.local_classes[name]
                return kind if isinstance(kind, ClassInfo) else None
        return self.local_classes[name]

    # ------------------------------------------------------------ kinds

    def kinds(self) -> Kinds:
        """The kinds of the expressions of the function."""
        if self.own_kinds is None:
            self.own_kinds = Kinds(
                self.kind_of,
                self.class_not_local,
                self.names.functions,
                self.known_classes,
                lambda cls, name: self.inferred().get(f"{cls.name}.{name}"),
                as_called=self.as_called,
                members=self.members,
                origins=self.origins(),
                is_optional=self.may_be_none,
                is_lent=self.may_be_given,
            )
        return self.own_kinds

    def as_called(self, function: ast.FunctionDef, call: ast.Call) -> ast.FunctionDef:
        """A function as it is for the constants in a call: which class a factory makes an object of may depend on a
        text. The same one for the same constants."""
        given = [ast.unparse(a) if isinstance(a, ast.Constant) else "" for a in call.args]
        given += [f"{k.arg}={ast.unparse(k.value) if isinstance(k.value, ast.Constant) else ''}" for k in call.keywords]
        key = (function, *given)
        if key not in self.called_so:
            if sum(of is function for of, *_ in self.called_so) > MANY:
                return function  # one that calls itself with numbers counts on without an end
            self.called_so[key] = optional.for_call(function, call)
        return self.called_so[key]

    def class_not_local(self, node: ast.expr) -> ClassInfo | None:
        path = dotted(node.func if isinstance(node, ast.Call) else node)
        return None if path is not None and self.is_local(path[0]) else self.class_of(node)

    def known_classes(self) -> List[ClassInfo]:
        """The classes of the module, and those that it imports and its functions name."""
        if self.every_class is not None:
            return self.every_class
        functions = [f for f in self.names.functions.values() if isinstance(f, ast.FunctionDef)]
        paths = {self.imported(n): n for f in (self.node, *functions) for n in walk(f) if isinstance(n, Dotted)}
        found = [self.class_of(n) for path, n in sorted(paths.items()) if path]
        self.every_class = [*self.names.classes.values(), *(c for c in found if c is not None)]
        return self.every_class

    def namespaces(self) -> Namespaces:
        """The namespaces that the function at hand makes, or another one of the module."""
        if self.every_namespace is None:
            texts = {id(f): f for f in (self.node, *self.names.texts().values())}
            self.every_namespace = Namespaces.in_texts(texts.values(), self.imports)
        return self.every_namespace

    def classes_with_fields(self) -> List[ClassInfo]:
        """The known classes, and those of namespaces."""
        return [*self.known_classes(), *self.namespaces().classes]

    def may_have(self, cls: ClassInfo, attribute: str) -> bool:
        """Whether an object has an attribute, or may get it."""
        return cls.has(attribute) or (cls.kind == "namespace" and attribute in self.namespaces().attributes)

    def objects_have(self, attribute: str) -> bool:
        """Whether there are objects with an attribute."""
        return attribute in self.namespaces().attributes or any(c.has(attribute) for c in self.known_classes())

    def objects_compute(self, attribute: str) -> bool:
        """Whether there are objects that compute an attribute, and none that hold it."""
        have = [c for c in self.known_classes() if c.has(attribute)]
        held = attribute in self.namespaces().attributes or any(attribute in c.fields for c in have)
        return bool(have) and not held

    def objects_are_changed_by(self, method: str) -> bool:
        """Whether there are objects that a method of this name changes."""
        return any(method in c.methods and affects(c.methods[method], self.names) for c in self.known_classes())

    def kind_of(self, e: ast.expr) -> Known:
        """Of which kind a name, a path or an item of a list is."""
        match e:
            case ast.Name(id=name):
                if not self.is_local(name):
                    return None
                if name in self.params and name not in self.bound and name not in self.typed:
                    notes = [a.annotation for a in parameters(self.node) if a.arg == name and a.annotation]
                    return self.kinds().annotated(ast.unparse(notes[0])) if notes else None
                cls = self.class_of_value(e)
                return cls if cls is not None else self.inferred().get(name)
            case ast.Attribute():
                return self.class_of_value(e)
            case ast.Subscript(value=items, slice=key) if not isinstance(key, ast.Slice | ast.Tuple):
                return self.class_of_value(e) or self.class_of_member(items)
        return None

    def inferred(self) -> dict[str, Known]:
        """The kinds of names that are bound to one kind only, also where they are made of each other in a loop."""
        if self.known_kinds is not None:
            return self.known_kinds
        found: dict[str, Known] = {}
        self.known_kinds = found
        if not self.classes_with_fields():
            return found
        self.inferring = self.kinds().guesses = True
        values = self.every_value()
        todo = True
        while todo:
            todo = False
            for name in sorted(values.keys() - found.keys()):
                for kind_of in values[name]:
                    kind = kind_of()
                    if isinstance(kind, ClassInfo | Plain | Several):
                        found[name], todo = kind, True
                        break
            self.forget_kinds()
        self.kinds().guesses, todo = False, True
        self.forget_kinds()
        while todo:
            before = len(self.fields_without) + len(self.fields_lent)
            wrong = [n for n, k in found.items() if not all(agrees_with(kind_of(), k) for kind_of in values[n])]
            for kind_of in self.kinds_stated:
                kind_of()
            for name in wrong:
                del found[name]
            self.forget_kinds()
            todo = bool(wrong) or before < len(self.fields_without) + len(self.fields_lent)
        self.inferring = False
        return found

    def forget_kinds(self) -> None:
        """Of expressions, as more is known of a name."""
        self.kinds().seen.clear()
        self.kinds().results.clear()

    def every_value(self) -> dict[str, list[Callable[[], Known]]]:
        """What names are bound to, an update being the operator that it is, and what fields are given ("Body.pos").

        Without names that are bound in other ways.
        """
        values: dict[str, list[Callable[[], Known]]] = {}
        stores: dict[str, int] = {}
        kinds = self.kinds()
        self.kinds_stated = []

        def add(name: str, value: ast.expr) -> None:
            values.setdefault(name, []).append(lambda: kinds.kind(value))

        def add_parts(targets: List[ast.expr], whole: Callable[[], Known]) -> None:
            for i, t in enumerate(targets):
                if isinstance(t, ast.Starred):
                    break

                def part(i: int = i) -> Known:
                    found = whole()
                    return found.parts[i] if isinstance(found, Several) and i < len(found.parts) else None

                if isinstance(t, ast.Name):
                    values.setdefault(t.id, []).append(part)
                elif isinstance(t, ast.Tuple):
                    add_parts(t.elts, part)

        def add_field(
            attr: str, owner: ast.expr, value: ast.expr, inside: Callable[[], Kinds | None] = lambda: kinds
        ) -> None:
            def kind(cls: ClassInfo) -> Known:
                there = inside()
                of_other = there is None or there.kind(owner) not in (None, cls)
                return found_of(cls, attr) if there is None or of_other else given(attr, value, there)

            for cls in self.classes_with_fields():
                if attr in cls.fields:
                    add_open(cls, attr, lambda cls=cls: kind(cls))  # type: ignore[misc]

        def given(attr: str, value: ast.expr, there: Kinds) -> Known:
            if there.is_optional(value):
                self.fields_without.add(attr)
            if there.is_lent(value):
                self.fields_lent.add(attr)
            return there.kind(value)

        def add_open(cls: ClassInfo, attr: str, kind: Callable[[], Known]) -> None:
            if self.is_open(cls.fields[attr]):
                values.setdefault(f"{cls.name}.{attr}", []).append(kind)
            else:
                self.kinds_stated.append(kind)

        def found_of(cls: ClassInfo, attr: str) -> Known:
            return (self.known_kinds or {}).get(f"{cls.name}.{attr}")

        for n in body_nodes(self.node):
            match n:
                case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                    stores[name] = stores.get(name, 0) + 1
                case ast.FunctionDef():
                    for name in bound_outside(n):
                        stores[name] = stores.get(name, 0) + 1
                    for place, value in stored_fields(n):
                        add_field(place.attr, place.value, value, lambda n=n: kinds.within(n, {}))  # type: ignore[misc]
                case (
                    ast.Assign(targets=[ast.Name(id=name)], value=value)
                    | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                ):
                    add(name, value)
                case ast.Assign(targets=[ast.Tuple() as target], value=ast.Tuple() as value) if is_paired(
                    target, value
                ):
                    for t, e in paired(target, value):
                        if isinstance(t, ast.Name):
                            add(t.id, e)
                        elif isinstance(t, ast.Attribute):
                            add_field(t.attr, t.value, e)
                case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value):
                    add_parts(targets, lambda value=value: kinds.kind(value))  # type: ignore[misc]
                    for t, e in zip(targets, value.elts if isinstance(value, ast.Tuple) else (), strict=False):
                        if isinstance(t, ast.Attribute):
                            add_field(t.attr, t.value, e)
                case ast.Assign(targets=[ast.Attribute(value=owner, attr=attr)], value=value):
                    add_field(attr, owner, value)
                case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                    add(name, update(ast.Name(name, ast.Load()), op, value))
                case ast.AugAssign(target=ast.Attribute(value=owner, attr=attr), op=op, value=value):
                    add_field(attr, owner, update(ast.Attribute(owner, attr, ast.Load()), op, value))
                case ast.Call(func=func) if (cls := self.class_not_local(func) or self.class_not_local(n)) is not None:
                    for place, value, inside in self.stored_by(n, lambda: kinds):
                        add_field(place.attr, place.value, value, inside)
                    for attr, value in given_fields(cls, n).items():
                        add_open(cls, attr, lambda attr=attr, value=value: given(attr, value, kinds))  # type: ignore[misc]
                case ast.Call():
                    for place, value, inside in self.stored_by(n, lambda: kinds):
                        add_field(place.attr, place.value, value, inside)
        return {n: v for n, v in values.items() if "." in n or (len(v) == stores.get(n) and n not in self.params)}

    def stored_by(
        self, call: ast.Call, kinds: Callable[[], Kinds | None], seen: frozenset[int] = frozenset()
    ) -> Iterator[tuple[ast.Attribute, ast.expr, Callable[[], Kinds | None]]]:
        """The attributes that the functions bind which a call runs, each with its value, and the kinds of expressions
        there, None where the function is not called. What a constructor binds itself is read off the call
        (`given_fields`)."""
        for function, before in self.may_run(call):
            if id(function) in seen:
                continue

            def inside(function: ast.FunctionDef = function, before: int = before) -> Kinds | None:
                there = kinds()
                return self.kinds_in(function, before, call, there) if there is not None else None

            if function.name != "__init__":
                yield from ((place, value, inside) for place, value in stored_fields(function))
            for n in walk(function):
                if isinstance(n, ast.Call):
                    yield from self.stored_by(n, inside, seen | {id(function)})

    def bound_by_calls(self) -> set[str]:
        """The attributes that functions bind which are called here, constructors aside, or stand inside of this one."""
        if self.known_stores is None:
            nodes = body_nodes(self.node)
            texts = [n for n in nodes if isinstance(n, ast.FunctionDef)]
            todo = [n for n in nodes if isinstance(n, ast.Call)]
            for text in texts:
                todo += [n for n in walk(text) if isinstance(n, ast.Call)]
            while todo:
                new = [f for f, _ in self.may_run(todo.pop()) if f not in texts]
                texts += new
                todo += [n for f in new for n in walk(f) if isinstance(n, ast.Call)]
            others = [f for f in texts if f.name != "__init__"]
            self.known_stores = {place.attr for f in others for place, _ in stored_fields(f)}
        return self.known_stores

    def kinds_in(self, function: ast.FunctionDef, before: int, call: ast.Call, kinds: Kinds) -> Kinds | None:
        """The kinds of expressions of a function in one call; None where the call is one of another class's method."""
        params = [p.arg for p in (*function.args.posonlyargs, *function.args.args)]
        env = dict(zip(params[before:], map(kinds.kind, call.args), strict=False))
        env |= {k.arg: kinds.kind(k.value) for k in call.keywords if k.arg is not None}
        owner = next((c for c in self.known_classes() if function in c.methods.values()), None)
        if owner is not None and isinstance(call.func, ast.Attribute):
            receiver = kinds.kind(call.func.value)
            if isinstance(receiver, ClassInfo) and function not in receiver.methods.values():
                return None
            if before and function.name not in owner.class_methods:
                env[params[0]] = receiver if isinstance(receiver, ClassInfo) else owner
        bindings = Bindings(body_nodes(function))

        def lookup(e: ast.expr) -> Known:
            bound = bindings[e.id] if isinstance(e, ast.Name) else None
            if bound is None or not isinstance(e, ast.Name):
                return None
            if e.id in env:
                return env[e.id] if not bound.stores else None
            return there.kind(bound.values[0]) if bound.stores == len(bound.values) == 1 else None

        within = kinds.within(function, env)
        there = within.other(lookup)
        given = {*params[before : before + len(call.args)], *(k.arg for k in call.keywords)}
        absent = {p for p, a in zip(params[before:], call.args, strict=False) if kinds.is_optional(a)}
        absent |= {k.arg for k in call.keywords if k.arg is not None and kinds.is_optional(k.value)}
        lent = {p for p, a in zip(params[before:], call.args, strict=False) if kinds.is_lent(a)}
        lent |= {k.arg for k in call.keywords if k.arg is not None and kinds.is_lent(k.value)}
        if before and isinstance(call.func, ast.Attribute) and kinds.is_lent(call.func.value):
            lent.add(params[0])
        there.stand_in(function, absent | (optional_parameters(function) - given), lent)
        return there

    def remade(self, value: ast.expr | None, inside: frozenset[str] = frozenset(), of: ClassInfo | None = None) -> str:
        """The name of the object of which a call makes another one of its class: `state` of `step(state)`, where that
        returns `replace(state, x=...)` of its parameter, and of `state.step()`. of: the class, where it is known."""
        if not isinstance(value, ast.Call):
            return ""
        inner = self.replaced(value)
        if inner is not None:
            return self.name_remade(inner, inside, of)
        if isinstance(value.func, ast.Attribute):
            method = value.func.attr
            classes = [of] if of is not None else [cls for cls in self.known_classes() if cls.has(method)]
            same = self.remakes_owner(method, classes, inside)
            return self.name_remade(value.func.value, inside, of) if same else ""
        function = self.names.functions.get(value.func.id) if isinstance(value.func, ast.Name) else None
        if not isinstance(function, ast.FunctionDef) or self.is_local(function.name) or function.name in inside:
            return ""
        params = [p.arg for p in (*function.args.posonlyargs, *function.args.args)]
        given = dict(zip(params, value.args, strict=False)) | {k.arg: k.value for k in value.keywords if k.arg}
        found = given.get(self.returns_remade(function, inside | {function.name}))
        return self.name_remade(found, inside) if found is not None else ""

    def class_remade(self, value: ast.Call) -> ClassInfo | None:
        """The class of the variable of whose object a call makes another one."""
        of = self.class_of_local(name) if (name := called_on(value)) and self.is_local(name) else None
        name = self.remade(value, of=of)
        return self.class_of_local(name) if name and self.is_local(name) else None

    def name_remade(self, e: ast.expr, inside: frozenset[str], of: ClassInfo | None = None) -> str:
        """A name, or that of the object of which a call makes another one."""
        return e.id if isinstance(e, ast.Name) else self.remade(e, inside, of)

    def remakes_owner(self, method: str, classes: List[ClassInfo], inside: frozenset[str]) -> bool:
        """Whether a method of each of these classes returns `replace(self, x=...)`, or the object itself."""
        found = [(cls.methods.get(method), cls) for cls in classes if f".{method}" not in inside]
        inside |= {f".{method}"}
        return bool(found) and all(
            f is not None and bool(f.args.args) and self.returns_remade(f, inside, cls) == f.args.args[0].arg
            for f, cls in found
        )

    def returns_remade(self, function: ast.FunctionDef, inside: frozenset[str], of: ClassInfo | None = None) -> str:
        """The one variable of a function, which it does not bind, of which all that it returns is made."""
        bindings = Bindings(body_nodes(function))
        returned: set[str] = set()
        for n in body_nodes(function):
            if isinstance(n, ast.Return):
                name = self.name_remade(n.value, inside, of) if n.value is not None else ""
                bound = bindings[name]
                if bound.stores == len(bound.values) == 1 and (value := bound.values[0]) is not None:
                    name = self.remade(value, inside, of)
                returned.add(name)
        name = next(iter(returned)) if len(returned) == 1 else ""
        return "" if name in bound_names(body_nodes(function)) else name

    def replaced(self, call: ast.Call) -> ast.expr | None:
        """The object of which `replace(state, x=...)` or `state._replace(x=...)` makes another one."""
        match call:
            case ast.Call(func=ast.Attribute(value=inner, attr="_replace"), args=[]):
                return inner
            case ast.Call(func=func, args=[inner]):
                path = dotted(func) or [""]
                fn = ".".join([self.imports.names.get(path[0], path[0]), *path[1:]])
                return inner if fn in ("dataclasses.replace", "copy.replace", "copy.copy") else None
        return None

    @property
    def name_bindings(self) -> Bindings:
        """What each name is bound to; to be dropped where the body is rewritten."""
        if self.known_bindings is None:
            self.known_bindings = Bindings(body_nodes(self.node))
        return self.known_bindings

    def seen_through(self, names: set[str], pending: Iterable[List[ast.stmt]] = ()) -> set[str]:
        """These variables, and those that may see what is written through them: other names of their memory.

        pending: statements that will be part of the body.
        """
        more = Bindings([n for block in pending for s in block for n in walk(s)])
        own = {n for n in self.locals if not self.is_number_name(n)} | more.names.keys()
        return self.name_bindings.together(names, own, more.shared)

    def read_by_functions(self, expressions: Iterable[ast.expr]) -> set[str]:
        """The variables of the functions inside of this one, lambdas among them, that expressions name, or that are in
        what the names are bound to."""
        inside = [n for e in expressions for n in walk(e)]
        called = {n.func.id for n in inside if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}  # functions
        nested = {s.name: s for s in body_nodes(self.node) if isinstance(s, ast.FunctionDef)}
        found = {x for e in inside if isinstance(e, ast.Lambda) for x in free_names(e)}
        todo = [*{n.id: None for n in inside if isinstance(n, ast.Name)}]
        for n in todo:
            more = {*free_names(nested[n])} if n in nested else set()
            for value in self.name_bindings[n].values:
                parts = [*walk(value)]
                more |= {x.id for x in parts if isinstance(x, ast.Name) and x.id in nested}
                more |= {x for e in parts if isinstance(e, ast.Lambda) for x in free_names(e)}
                more |= read_names(value) if n in called else set()
            todo += more - found - {*todo}
            found |= more
        return found & self.locals

    def read_through(self, expressions: Iterable[ast.expr]) -> set[str]:
        """All names that occur in expressions, and the variables of the functions inside of this one that are named."""
        given = [*expressions]
        return {n for e in given for n in read_names(e)} | self.read_by_functions(given)

    def is_number_name(self, name: str) -> bool:
        """Whether a variable is bound to nothing but numbers, by its annotation and what is written out."""
        notes = [p.annotation for p in parameters(self.node) if p.arg == name]
        stated = all(isinstance(note, ast.Name) and note.id in ("float", "int", "complex", "bool") for note in notes)
        bound = self.name_bindings[name]
        written = len(bound.values) == bound.stores and all(is_number(v) for v in bound.values)
        return stated and written and bool(notes or bound.values)

    def forget_bindings(self) -> None:
        """To be called where the body is rewritten."""
        self.known_bindings = self.known_kinds = self.own_kinds = None
        self.known_fillings = {}
        self.known_stores = None

    def classes_of_items(self, name: str) -> list[ClassInfo | None]:
        """The classes of what a name is bound to, where items of lists are among it: in loops, and by their numbers."""
        bound = self.name_bindings[name]
        lists = [(n, items) for n, items in bound.lists if is_item(n)]
        own = [n for n, _ in lists if not isinstance(n, ast.comprehension)]  # those have variables of their own
        items_of = {id(n.value) for n in own if isinstance(n, ast.Assign)}
        values = [v for v in bound.values if id(v) not in items_of] if own else []
        if len(own) + len(values) != bound.stores or name in self.params:
            return [None]
        made = [self.class_of_result(v) for v in values]
        inside = (isinstance(n, ast.comprehension) and self.is_given(items) for n, items in lists)
        classes = (
            None if g else self.class_of_member(items) if isinstance(n, ast.Assign) else self.class_of_item(items)
            for g, (n, items) in zip(inside, lists, strict=True)
        )
        return [*classes, *made]

    def is_given(self, items: ast.expr | None, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a list is a parameter or a part of one, or may have items of one: these may be of a subclass."""
        match items:
            case None:
                return True
            case ast.Call(args=[inner, *_]) | ast.Call(func=ast.Attribute(value=inner, attr="values"), args=[]):
                return self.is_given(inner, seen)
            case ast.List(elts=elts) | ast.Tuple(elts=elts):
                return any(self.is_given_object(e, seen) for e in elts)
            case ast.Dict(values=entries):
                return any(self.is_given_object(e, seen) for e in entries)
            case ast.DictComp(value=value):
                return self.is_given_object(value, seen)
            case ast.ListComp(elt=elt):
                own = {n: of for g in items.generators for n, of in looped(g.target, g.iter)}
                if isinstance(elt, ast.Name) and elt.id in own:
                    return self.is_given(own[elt.id], seen)
                return self.is_given_object(elt, seen)
            case ast.BinOp(left=a, right=b) | ast.IfExp(body=a, orelse=b):
                return self.is_given(a, seen) or self.is_given(b, seen)
        root = root_of(items)
        if root in self.params or not root:
            return True
        if root in seen:
            return False
        seen |= {root}
        stated = self.class_of_member(items) if isinstance(items, ast.Attribute) else None
        if stated is not None and self.kinds().is_base(stated):
            return True  # what the annotation of a field says is true of other classes
        if isinstance(items, ast.Subscript) and (shown := self.rows_of(items.value)):
            return any(self.is_given(v, seen) for v in shown)
        if not isinstance(items, ast.Name):  # a list that an object holds: as it was given, or made here
            values = self.values_of(root)
            return any(self.is_given_object(v, seen) or self.is_given_something(v, seen) for v in values)
        rows: list[ast.expr | None] = [*self.rows_with(root)]
        if not rows:
            rows = [v for v in self.values_of(root) if not (isinstance(v, ast.List) and not v.elts)]
        new = [*self.name_bindings[root].appended, *self.name_bindings[root].put, *self.fillings(root)]
        return any(self.is_given(v, seen) for v in rows) or any(self.is_given_object(e, seen) for e in new)

    def is_given_object(self, e: ast.expr | None, seen: frozenset[str]) -> bool:
        """Whether an object may be a parameter, a part of one, or an item of one."""
        match e:
            case ast.Call():
                if is_namespace(e, self.imports):
                    return False
                inner = self.replaced(e)
                return self.is_given_object(inner, seen) if inner is not None else not self.makes_new(e.func)
            case ast.IfExp(body=a, orelse=b):
                return self.is_given_object(a, seen) or self.is_given_object(b, seen)
            case ast.Name(id=name):
                if name in self.params:
                    return True
                if name in seen:
                    return False
                bound = self.name_bindings[name]
                lists = [items for n, items in bound.lists if not isinstance(n, ast.comprehension)]
                values = bound.values if len(bound.values) + len(lists) == bound.stores else [None]
                seen |= {name}
                return any(self.is_given(i, seen) for i in lists) or any(self.is_given_object(v, seen) for v in values)
        return e is None or self.is_given(e, seen)

    def class_for_sure(self, e: ast.expr) -> ClassInfo | None:
        """The class of what is an object, and true: neither None nor, by its `__len__`, false."""
        values: List[ast.expr | None] = [e]
        if isinstance(e, ast.Name):
            values = self.values_of(e.id) if e.id not in self.params else []
        if not values or not all(isinstance(v, ast.Call) and self.class_not_local(v.func) for v in values):
            return None
        cls = self.kinds().kind(e)
        return cls if isinstance(cls, ClassInfo) and not {"__bool__", "__len__"} & cls.methods.keys() else None

    def origins(self) -> Origins:
        def functions(call: ast.Call) -> list[ast.FunctionDef]:
            return [f for f, _ in self.may_run(call) if f.name != "__init__"]

        def makes(call: ast.Call) -> bool:
            return is_namespace(call, self.imports) or self.class_of(call.func) is not None

        return Origins(functions, makes, self.may_lack, self.may_be_lent)

    def may_be_none(self, e: ast.expr | None) -> bool:
        """Whether an object may be None."""
        origins = self.kinds().origins
        return origins is not None and origins.may_be_none(e, self.node, optional_parameters(self.node))

    def may_be_given(self, e: ast.expr | None) -> bool:
        """Whether an object may be one of the caller's, of a parameter that is stated to be, or to hold, such ones."""
        origins = self.kinds().origins
        stated = {
            a.arg
            for a in parameters(self.node)
            if a.arg in self.typed
            or (a.annotation and (self.class_in_list(a.annotation) or self.class_inside(a.annotation, MAPPED)))
        }
        return origins is None or origins.may_be_given(e, self.node, stated)

    def may_lack(self, attr: str) -> bool:
        """Whether objects may have an attribute as None."""
        self.inferred()
        origins = self.kinds().origins
        stated = origins is not None and any(origins.lacks(cls, attr) for cls in self.classes_with_fields())
        return stated or attr in self.fields_without

    def lacks_part(self, path: Path) -> bool:
        """Whether what lies in an object may be None: nothing can be asserted of it where the function starts."""
        return any(self.may_lack(key) for key in self.rooted(path)[1:] if isinstance(key, Attr))

    def may_be_lent(self, attr: str) -> bool:
        """Whether an attribute of objects that are made here may be an object of the caller's."""
        self.inferred()
        return attr in self.fields_lent

    def is_given_something(self, made: ast.expr | None, seen: frozenset[str]) -> bool:
        """Whether an object is made of a list that may have items of a parameter."""
        given = [*made.args, *(k.value for k in made.keywords)] if isinstance(made, ast.Call) else []
        lists = [e for e in given if self.class_of_item(e) is not None]
        return any(self.is_given(e, seen) for e in lists)

    def makes_new(self, func: ast.expr) -> bool:
        """Whether a call makes an object of one class: of a constructor, or of what returns such calls."""
        match func:
            case _ if self.class_of(func) is not None:
                return True
            case ast.Name(id=name):
                functions = [self.names.functions.get(name)]
            case ast.Attribute(attr=attr):
                functions = [c.methods[attr] for c in self.known_classes() if attr in c.methods]
            case _:
                return False
        for function in functions:
            if not isinstance(function, ast.FunctionDef):
                return False
            nodes = body_nodes(function)
            own = Bindings(nodes)
            for n in nodes:
                if isinstance(n, ast.Return):
                    value = n.value
                    if isinstance(value, ast.Name) and len(own[value.id].values) == own[value.id].stores == 1:
                        value = own[value.id].values[0]
                    if not isinstance(value, ast.Call) or self.class_of(value.func) is None:
                        return False
        return bool(functions)

    def is_given_item(self, name: str) -> bool:
        """Whether a name is bound to items of a parameter, or of a part of one."""
        lists = self.name_bindings[name].lists
        if (key := f"{name}[]") in self.asked:
            return False  # for q in q.inner.parts
        self.asked.add(key)
        found = any(self.is_given(items) for n, items in lists if not isinstance(n, ast.comprehension))
        self.asked.discard(key)
        return found

    def class_of_item(self, items: ast.expr | None) -> ClassInfo | None:
        """The class of the items of a list: of a parameter or a field that is stated, or of one that is made here."""
        if not isinstance(items, ast.ListComp) and (inner := sources(items)):
            every = [self.class_of_item(e) for e in inner]
            return every[0] if all(c is every[0] for c in every) else None
        match items:
            case ast.List(elts=elts) | ast.Tuple(elts=elts) if elts:
                found = [self.class_of_result(e) for e in elts]
                return found[0] if all(c is found[0] for c in found) else None
            case ast.ListComp():
                return self.class_of_element(items)
            case ast.Call(func=ast.Attribute(value=entries, attr="values"), args=[], keywords=[]):
                return self.class_of_entry(entries)
            case ast.Call(func=func) if (path := dotted(func)) is not None and not self.is_local(path[0]):
                if len(path) == 1 and path[0] in self.names.functions:
                    return self.class_of_items_of(self.names.functions[path[0]], self.class_of)
                there = self.names.helper(self.imported(func)) if self.imported(func) else None
                if there is not None:
                    names, own = there
                    return self.class_of_items_of(names.functions.get(own), lambda e: self.class_named_in(names, e))
            case ast.Name(id=name) if name in self.params and name not in self.bound:
                notes = [a.annotation for a in parameters(self.node) if a.arg == name]
                return self.class_in_list(notes[0]) if notes else None
            case ast.Name(id=name) if name in self.supposed:
                return self.supposed[name]
            case ast.Subscript(value=grid) if inner := self.rows_of(grid):
                every = [self.class_of_item(e) for e in inner]
                return every[0] if all(c is every[0] for c in every) else None
            case ast.Name(id=name) if name not in self.asked and (inner := self.rows_with(name)):
                every = [self.class_of_item(e) for e in inner]
                return every[0] if all(c is every[0] for c in every) else None
            case ast.Name(id=name) if name not in self.asked:
                before = dict(self.local_classes)
                self.asked.add(name)
                found = self.classes_in(name)
                self.asked.discard(name)
                known_classes = [c for c in found if c is not None]
                if None in found and known_classes and self.is_made_of_itself(name, known_classes[0]):
                    self.local_classes = before  # what was not known of names that are bound to the items
                    self.forget_kinds()
                    return known_classes[0]
                return found[0] if found and all(c is found[0] for c in found) else None
            case ast.Attribute(value=owner, attr=attr):
                cls = self.class_of_value(owner)
                known_field = cls.fields.get(attr) if cls is not None else None
                if known_field is None or not known_field.annotation:
                    given = self.given_at_first(items)
                    return self.class_of_item(given) if given is not None else self.class_in_attribute(items)
                return self.class_inside(ast.Constant(known_field.annotation), LISTED)
        return None

    def class_of_member(self, items: ast.expr | None) -> ClassInfo | None:
        """The class of `items[key]`, of a list or a dict."""
        return self.class_of_item(items) or self.class_of_entry(items)

    def members(self, e: ast.expr) -> Items | None:
        """What a list or a dict holds, where that is objects of one class."""
        if (cls := self.class_of_item(e)) is not None:
            return Items(cls)
        return Items(cls, in_dict=True) if (cls := self.class_of_entry(e)) is not None else None

    def class_of_entry(self, entries: ast.expr | None) -> ClassInfo | None:
        """The class of the values of a dict: of a parameter or a field that is stated, or of one that is made here."""
        match entries:
            case ast.Name(id=name) if name in self.params and name not in self.bound:
                notes = [a.annotation for a in parameters(self.node) if a.arg == name and a.annotation]
                return self.class_inside(notes[0], MAPPED) if notes else None
            case ast.Name(id=name) if name not in self.params and name not in self.asked and self.is_local(name):
                self.asked.add(name)
                found = [*map(self.class_put, self.entries_of(name))]
                self.asked.discard(name)
                return found[0] if found and all(same(c, found[0]) for c in found) else None
            case ast.Dict(values=values) if values:
                found = [*map(self.class_put, values)]
                return found[0] if all(same(c, found[0]) for c in found) else None
            case ast.Attribute(value=owner, attr=attr):
                cls = self.class_of_value(owner)
                known_field = cls.fields.get(attr) if cls is not None else None
                if known_field is None or not known_field.annotation:
                    return self.class_of_entry(self.given_at_first(entries))
                return self.class_inside(ast.Constant(known_field.annotation), MAPPED)
        return None

    def class_put(self, e: ast.expr | None) -> ClassInfo | None:
        """The class of what is put into a list or a dict."""
        if isinstance(e, ast.Subscript):
            kind = self.kind_of(e)
            return kind if isinstance(kind, ClassInfo) else None
        return self.class_of_value(e) if isinstance(e, ast.Name) else self.class_of_result(e)

    def entries_of(self, name: str) -> list[ast.expr | None]:
        """All that may be put into a local dict; None for what is not known."""
        out: list[ast.expr | None] = []
        for value in self.values_of(name):
            match value:
                case ast.Dict(keys=keys, values=values) if None not in keys:
                    out += values
                case ast.DictComp(value=inner):
                    out.append(inner)
                case _:
                    return [None]
        out += [*self.name_bindings[name].put, *self.fillings(name)]
        for n in [n for s in self.node.body for n in walk(s)]:
            match n:
                case ast.Attribute(value=ast.Name(id=of), attr=attr) if of == name and attr not in READING | {"pop"}:
                    return [None]
                case ast.AugAssign(target=ast.Name(id=of)) if of == name:
                    return [None]
        return out

    def rows_with(self, name: str) -> list[ast.expr]:
        """The lists that a name is bound to in turn, as the items of one list: `for row in grid`, where the text shows
        all rows of the grid, and they and it are only read. Empty for another name."""
        bound = self.name_bindings[name]
        loops = [n for n, _ in bound.lists if not isinstance(n, ast.comprehension)]
        if name in self.params or not bound.lists or bound.values or len(loops) != bound.stores:
            return []
        out: list[ast.expr] = []
        for _, grid in bound.lists:
            found = self.rows_of(grid)
            if not found:
                return []
            out += found
        return out

    def rows_of(self, grid: ast.expr | None) -> list[ast.expr]:
        """The lists that a list of lists holds, where the text shows all of them."""
        if not isinstance(grid, ast.Name) or grid.id in self.params:
            return []
        known = self.name_bindings[grid.id]
        out: list[ast.expr] = []
        for shown in known.values if len(known.values) == known.stores else ():
            match shown:
                case ast.ListComp(elt=ast.ListComp() as row):
                    out.append(row)
                case ast.List(elts=rows) | ast.Tuple(elts=rows) if all(isinstance(r, ast.List) for r in rows):
                    out += rows
                case _:
                    return []
        return out if out and self.is_read_by_rows(grid.id) else []

    def is_read_by_rows(self, grid: str) -> bool:
        """Whether all that is done with a list of lists is to run over it, its rows and their items, to read items by
        their places, and to ask for lengths."""
        nodes = [n for s in self.node.body for n in walk(s)]
        lists, read = {grid}, set[int]()
        for n in nodes:
            match n:
                case ast.For(target=target, iter=it) | ast.comprehension(target=target, iter=it):
                    pairs = [(name, of) for name, of in looped(target, it) if isinstance(of, ast.Name)]
                    lists |= {name for name, of in pairs if isinstance(of, ast.Name) and of.id == grid}
                    read |= {id(of) for _, of in pairs}
                case ast.Call(func=ast.Name(id="len"), args=[ast.Name() as of]):
                    read.add(id(of))
                case ast.Subscript(value=ast.Subscript(value=ast.Name() as of, slice=at), slice=key, ctx=ast.Load()):
                    if not isinstance(at, ast.Slice | ast.Tuple) and not isinstance(key, ast.Slice | ast.Tuple):
                        read.add(id(of))
                case ast.Subscript(value=ast.Name(id=name) as of, slice=key, ctx=ast.Load()) if name != grid:
                    if not isinstance(key, ast.Slice | ast.Tuple):
                        read.add(id(of))
        return all(id(n) in read or is_bound(n) for n in nodes if isinstance(n, ast.Name) and n.id in lists)

    def class_of_element(self, e: ast.ListComp) -> ClassInfo | None:
        """The class of what a comprehension makes, also of the objects that it runs over: `p.moved(h) for p in ps`."""
        if not self.classes_with_fields():
            return None
        found = self.class_of_result(e.elt)
        if found is not None:
            return found
        items = [pair for g in e.generators for pair in looped(g.target, g.iter)]
        env = {n: cls for n, of in items if (cls := self.class_of_item(of)) is not None}
        if not env and not isinstance(e.elt, ast.Subscript):  # [ps[k] for k in order]
            return None
        own = {n for g in e.generators for n in target_names(g.target)}

        def lookup(x: ast.expr) -> Known:
            root = root_of(x)
            if root not in own:
                return self.kind_of(x)
            return env.get(root) if isinstance(x, ast.Name) else None

        kinds = self.kinds().other(lookup)
        inner = self.replaced(e.elt) if isinstance(e.elt, ast.Call) else None
        kind = kinds.kind(e.elt if inner is None else inner)
        return kind if isinstance(kind, ClassInfo) else None

    def classes_in(self, name: str) -> list[ClassInfo | None]:
        """The classes of the items of what a name is bound to, and of those that it gets."""
        values = [v for v in self.values_of(name) if not isinstance(v, ast.Subscript) or root_of(v) != name]
        made = [v for v in values if not (isinstance(v, ast.List) and not v.elts)]
        bound = self.name_bindings[name]
        new = [v for v in bound.appended if not self.is_item_anew(v, name)]
        new += [v for v in bound.put if not (isinstance(v, ast.Subscript) and root_of(v) == name)]  # it changes places
        new += self.fillings(name) if made or new else []
        own = [*map(self.class_put, new)]
        given = [self.class_in_list(a.annotation) for a in parameters(self.node) if a.arg == name and a.annotation]
        return [*given, *map(self.class_of_item, made), *own]

    def fillings(self, name: str) -> list[ast.expr | None]:
        """What may be put into a list by other names than its own."""
        if name not in self.known_fillings:
            self.known_fillings[name] = fillings(self.node, name, self.may_run)
        return self.known_fillings[name]

    def may_run(self, call: ast.Call) -> list[tuple[ast.FunctionDef, int]]:
        """The functions that a call may run, methods by their names, each with the number of its parameters that come
        before the arguments."""
        match call.func:
            case ast.Name() as func if (cls := self.class_of(func)) is not None:
                return [(cls.init, 1)] if cls.init is not None else []
            case ast.Name(id=name) if isinstance(function := self.names.functions.get(name), ast.FunctionDef):
                return [(function, 0)]
        path = self.imported(call.func)
        elsewhere = self.names.helper(path) if path else None
        if elsewhere is not None:
            function = elsewhere[0].functions.get(elsewhere[1])
            return [(function, 0)] if isinstance(function, ast.FunctionDef) else []
        if isinstance(call.func, ast.Attribute):
            name = call.func.attr
            classes = [c for c in self.known_classes() if name in c.methods]
            return [(c.methods[name], int(name not in c.statics)) for c in classes]
        return []

    def is_made_of_itself(self, name: str, cls: ClassInfo) -> bool:
        """Whether all items of a list are of a class if those are that they are made of: `[p.moved(h) for p in ps]`."""
        if self.supposed:
            return False
        kept = self.local_classes, self.known_kinds, self.own_kinds, self.inferring
        self.local_classes = {n: c for n, c in self.local_classes.items() if c is not None}
        self.known_kinds = self.own_kinds = None
        self.supposed[name] = cls
        holds = all(c is cls for c in self.classes_in(name))
        del self.supposed[name]
        self.local_classes, self.known_kinds, self.own_kinds, self.inferring = kept
        return holds

    def class_named_in(self, names: ModuleNames, node: ast.expr) -> ClassInfo | None:
        """The class that a name or a path names in another module."""
        path = dotted(node)
        if path is None:
            return None
        if len(path) == 1 and path[0] in names.classes:
            return self.names.find_class(names.prefix + path[0])
        imported = names.imports.names.get(path[0])
        return self.names.find_class(names.absolute(".".join([imported, *path[1:]]))) if imported else None

    def class_of_items_of(
        self, function: ast.AST | None, class_of: Callable[[ast.expr], ClassInfo | None]
    ) -> ClassInfo | None:
        """The class of the items of the lists that a function returns, where it makes all of them.

        class_of: of a name or a path in the function's module.
        """
        if not isinstance(function, ast.FunctionDef):
            return None
        nodes = body_nodes(function)
        own, bound = Bindings(nodes), bound_names(nodes) | {p.arg for p in parameters(function)}

        def made(e: ast.expr | None) -> list[ClassInfo | None]:
            match e:
                case ast.ListComp(elt=ast.Call() as item):
                    if self.replaced(item) is not None:
                        return [self.class_with({k.arg or "" for k in item.keywords}, item)]
                    path = dotted(item.func)
                    return [None if path is None or path[0] in bound else class_of(item.func) or class_of(item)]
                case ast.List(elts=elts):
                    return [c for x in elts for c in made(ast.ListComp(x, []))]
                case ast.Name(id=name) if name in own.names and not own[name].is_stored_into:
                    known = own[name]
                    if name in {p.arg for p in parameters(function)} or len(known.values) != known.stores:
                        return [None]
                    added = (made(ast.ListComp(x, [])) if x is not None else [None] for x in known.appended)
                    return [c for v in known.values for c in made(v)] + [c for found in added for c in found]
            return [None]

        returns = [n.value for n in nodes if isinstance(n, ast.Return)]
        found = [c for r in returns for c in made(r)]
        return found[0] if found and all(c is found[0] for c in found) else None

    def class_with(self, names: set[str], call: ast.Call) -> ClassInfo | None:
        """The only class of which `p._replace(x=...)` or `replace(p, x=...)` may make an object, by the fields that
        are named."""
        is_tuple = getattr(call.func, "attr", "") == "_replace"
        found = [
            c
            for c in self.known_classes()
            if c.makes and c.is_known and (c.kind == "namedtuple") is is_tuple and names <= c.fields.keys()
        ]
        return found[0] if len(found) == 1 else None

    def given_at_first(self, place: ast.Attribute) -> ast.Name | None:
        """The name of a local value which an attribute of an object is bound to that is made here, where nothing binds
        such an attribute anew: `plant.layers` of `plant = Plant(layers)`."""
        owner: ast.expr | None = place.value
        if isinstance(owner, ast.Attribute):
            owner = self.given_at_first(owner)
        if not isinstance(owner, ast.Name) or owner.id in self.params or not self.is_local(owner.id):
            return None
        made = self.values_of(owner.id)
        call = made[0] if len(made) == 1 else None
        cls = self.class_of(call.func) if isinstance(call, ast.Call) else None
        if cls is None or not isinstance(call, ast.Call) or place.attr in self.bound_by_calls():
            return None
        kept = given_fields(cls, call)
        given = [kept[place.attr]] if place.attr in kept else []
        stores = 0
        for n in [n for s in self.node.body for n in walk(s)]:
            match n:
                case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=name), attr=attr)], value=value):
                    given += [value] if (name, attr) == (owner.id, place.attr) else []
                case ast.Attribute(attr=attr, ctx=ast.Store() | ast.Del()):
                    stores += attr == place.attr
        if stores + (place.attr in kept) != len(given):
            return None
        only = given[0] if len(given) == 1 else None
        return only if isinstance(only, ast.Name) and self.is_local(only.id) else None

    def class_in_attribute(self, items: ast.Attribute) -> ClassInfo | None:
        """The class of the items of a list that is an attribute of an object that is made here: all of them are made
        here, too, and nothing is done with the object but to read and bind its attributes."""
        path = dotted(items)
        if path is None or path[0] in self.params or not self.is_local(path[0]):
            return None
        nodes = [n for s in self.node.body for n in walk(s)]
        parents = {id(c): n for n in nodes for c in children(n)}
        made: list[ast.expr] = []
        maker = self.starts_empty(items)
        lists: list[ast.expr] = []
        for n in nodes:
            up = parents.get(id(n))
            if isinstance(n, SCOPES) and path[0] in read_names(n):
                return None
            is_made = maker is not None and isinstance(up, ast.Assign) and up.value is maker
            if isinstance(n, ast.Name) and n.id == path[0] and not is_made and not is_attribute_only(n, parents):
                return None
            if not isinstance(n, ast.Attribute) or dotted(n) != path:
                continue
            match up:
                case ast.Assign(targets=[target], value=ast.List(elts=elts)) if target is n:
                    made += elts
                case ast.Assign(targets=[target], value=ast.ListComp(elt=elt)) if target is n:
                    made.append(elt)
                case ast.Assign(targets=[target], value=ast.Call() as value) if target is n:
                    lists.append(value)
                case ast.Attribute(attr="append"):
                    call = parents.get(id(up))
                    if not isinstance(call, ast.Call) or call.func is not up:
                        return None
                    made += call.args
                case ast.Subscript(ctx=ast.Load()) | ast.For() | ast.comprehension():
                    pass
                case ast.Call(func=ast.Name(id="len" | "enumerate" | "zip" | "reversed")):
                    pass
                case _:
                    return None
        if (key := ".".join(path)) in self.asked:
            return None  # an item that is made of others is no object: `parts.append(parts[0] * k)`
        self.asked.add(key)
        found = [*map(self.class_put, made), *map(self.class_of_item, lists)]
        self.asked.discard(key)
        return found[0] if found and all(c is found[0] for c in found) else None

    def starts_empty(self, items: ast.Attribute) -> ast.Call | None:
        """The call of a constructor that makes the object, where that gives the attribute a new list and nothing else
        binds one of its name."""
        made = self.values_of(items.value.id) if isinstance(items.value, ast.Name) else []
        call = made[0] if len(made) == 1 else None
        cls = self.class_of(call.func) if isinstance(call, ast.Call) else None
        if cls is None or cls.init is None or cls.kind != "plain" or items.attr in self.bound_by_calls():
            return None
        bound = [value for place, value in stored_fields(cls.init) if place.attr == items.attr]
        is_empty = len(bound) == 1 and isinstance(bound[0], ast.List) and not bound[0].elts
        return call if is_empty and isinstance(call, ast.Call) else None

    def class_in_list(self, annotation: ast.expr | None) -> ClassInfo | None:
        """The class that `list[Layer]` names."""
        return self.class_inside(annotation, LISTED)

    def class_inside(self, annotation: ast.expr | None, kinds: Container[str]) -> ClassInfo | None:
        """The class of the items of a list, or of the values of a dict, that an annotation names.

        kinds: the names of their types.
        """
        match annotation:
            case ast.Constant(value=str() as text):
                try:
                    return self.class_inside(ast.parse(text, mode="eval").body, kinds)
                except SyntaxError:
                    return None
            case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=inner) if name in kinds:
                if isinstance(inner, ast.Tuple):
                    if len(inner.elts) != 2 or name not in MAPPED | {"tuple", "Tuple"}:
                        return None
                    inner = inner.elts[name in MAPPED]
                return self.class_of(inner)
        return None

    def class_of_value(self, node: ast.expr) -> ClassInfo | None:
        raise NotImplementedError  # `Structures`

    def values_of(self, name: str) -> list[ast.expr | None]:
        """What a name is bound to, None where that is no plain assignment."""
        bound = self.name_bindings[name]
        return [*bound.values] if len(bound.values) == bound.stores else [None]

    def is_item_anew(self, value: ast.expr | None, name: str) -> bool:
        """Whether a value is an item of a list with other entries: `replace(states[-1], x=...)`."""
        match self.replaced(value) if isinstance(value, ast.Call) else None:
            case ast.Subscript(value=ast.Name(id=items)):
                return items == name
            case ast.Name(id=item):
                lists = [items for _, items in self.name_bindings[item].lists]
                return bool(lists) and all(items is not None and root_of(items) == name for items in lists)
        return False

    def class_of_result(self, value: ast.expr | None) -> ClassInfo | None:
        """The class of the object that a call makes: a constructor, or a function whose returns all are."""
        if isinstance(value, ast.BinOp | ast.UnaryOp | ast.IfExp) and self.classes_with_fields():
            kind = self.kinds().kind(value)
            return kind if isinstance(kind, ClassInfo) else None
        if isinstance(value, ast.Name):
            return self.typed.get(value.id) if value.id not in self.bound else None
        if not isinstance(value, ast.Call):
            return None
        cls = self.class_of(value.func) or self.class_of(value)
        if cls is not None:
            return cls
        if (inner := self.replaced(value)) is not None and (cls := self.class_of_value(inner)) is not None:
            return cls
        if (cls := self.class_remade(value)) is not None:
            return cls
        if isinstance(value.func, ast.Attribute) and self.known_classes():
            kind = self.kinds().kind(value)
            if isinstance(kind, ClassInfo):
                return kind
        path = dotted(value.func)
        if path is None or len(path) != 1 or self.is_local(path[0]):
            return None
        function = self.names.functions.get(path[0])
        if not isinstance(function, ast.FunctionDef):
            return None
        stated = self.class_of(function.returns) if function.returns is not None else None
        if stated is not None and not self.kinds().is_base(stated):
            return stated
        function = self.as_called(function, value)
        returns = [n.value for n in body_nodes(function) if isinstance(n, ast.Return)]
        made = [self.class_of(r.func) or self.class_of(r) if isinstance(r, ast.Call) else None for r in returns]
        first = made[0] if made else None
        return first if first is not None and all(c is first for c in made) else None

    def is_field_of_object(self, node: ast.Attribute) -> bool:
        """Whether an attribute is a field of an object for sure, though arrays have one of its name, too."""
        if not any(node.attr in cls.fields for cls in self.classes_with_fields()):
            return False
        cls = self.kinds().kind(node.value)
        if cls is None and isinstance(node.value, ast.Name) and node.value.id not in self.params:
            bound = self.name_bindings[node.value.id]
            if not bound.lists or bound.stores != sum(not isinstance(n, ast.comprehension) for n, _ in bound.lists):
                return False
            items = [i for _, i in bound.lists]
            found = [self.class_of_item(i) for i in items]
            cls = found[0] if all(c is found[0] for c in found) else None
            if cls is None:
                return all(self.has_items_with(i, node.attr) for i in items)
        if cls is None and isinstance(node.value, ast.Subscript) and not isinstance(node.value.slice, ast.Slice):
            return self.has_items_with(node.value.value, node.attr)
        return isinstance(cls, ClassInfo) and node.attr in cls.fields

    def has_items_with(self, items: ast.expr | None, attribute: str) -> bool:
        """Whether all items of a list are made here of their attributes, and have this one."""
        match items:
            case ast.Name(id=name) if name not in self.params:
                values, new = self.values_of(name), self.name_bindings[name].appended
                made = [v for v in values if not (isinstance(v, ast.List) and not v.elts)]
                every = [ast.List([e], ast.Load()) if e is not None else None for e in new]
                return bool(made or every) and all(self.has_items_with(v, attribute) for v in (*made, *every))
            case ast.ListComp(elt=elt):
                return self.has_items_with(ast.List([elt], ast.Load()), attribute)
            case ast.List(elts=elts) if elts:
                return all(attribute in self.attributes_made(e) for e in elts)
        return False

    def attributes_made(self, e: ast.expr) -> set[str]:
        """The attributes of an object that is made of them, without a class (`items`)."""
        if not isinstance(e, ast.Call) or not isinstance(e.func, ast.Name):
            return set()
        if (cls := self.class_of(e)) is not None:
            return set(cls.fields)
        made = self.names.keys
        return {n for cls in self.known_classes() if made.get(("new", cls.name)) == e.func.id for n in cls.fields}

    def makes_objects_with(self, function: ast.AST | None, attribute: str, seen: set[ast.AST]) -> bool:
        """Whether a function may return an object of a class that has an attribute, to judge by what it names."""
        if function is None or function in seen:
            return False
        seen.add(function)
        for n in values_in(function):
            cls = self.class_of(n) if isinstance(n, ast.Call | Dotted) else None
            if cls is not None and self.may_have(cls, attribute):
                return True
            if cls is None and is_namespace(n, self.imports):
                return True
            if isinstance(n, Dotted) and self.names.makes_elsewhere(self.imported(n), attribute):
                return True
            match n:
                case ast.Name(id=name):
                    inner: list[ast.AST | None] = [self.names.functions.get(name), *self.functions_in(name)]
                case ast.Call(func=ast.Attribute(attr=attr)):
                    inner = [c.methods.get(attr) for c in self.known_classes()]
                    paths = [expression(c.path, n) for c in self.known_classes() if c.path and attr in c.methods]
                    if any(self.names.makes_elsewhere(f"{self.imported(p)}.{attr}", attribute) for p in paths):
                        return True
                case _:
                    continue
            if any(self.makes_objects_with(f, attribute, seen) for f in inner):
                return True
        return False

    def functions_in(self, name: str) -> list[ast.AST]:
        """What a name of the module may hold that can be called: lambdas, and names of functions and classes."""
        nodes = [*walk(self.names.values[name])] if name in self.names.values else []
        called = {id(n.func) for n in nodes if isinstance(n, ast.Call)}
        return [n for n in nodes if isinstance(n, ast.Lambda | ast.Name) and id(n) not in called]

    def functions_inside(self, name: str) -> list[ast.FunctionDef]:
        """The functions inside of this one that have a name."""
        nodes = walk(self.node)
        return [n for n in nodes if isinstance(n, ast.FunctionDef) and n.name == name and n is not self.node]

    def called_by(self, func: ast.expr) -> list[ast.AST]:
        """What is called under an expression: itself, and what its names are bound to in this function."""
        found: list[ast.AST] = [func]
        for e in found:
            for n in walk(e):
                if not isinstance(n, ast.Name) or not self.is_local(n.id):
                    continue
                new: list[ast.AST] = [*self.functions_inside(n.id)]
                for v in self.name_bindings[n.id].values:
                    cls = self.class_of(v.func) if isinstance(v, ast.Call) else None
                    call = cls.methods.get("__call__") if cls is not None else None
                    new += [v] if cls is None else [call] if call is not None else []
                found += [x for x in new if x not in found]
        return found

    def imported(self, func: ast.expr) -> str:
        """The path of a function or class that is imported, where its text may be read; "" for any other."""
        path = dotted(func)
        if path is None or path[0] not in self.imports.names or self.is_local(path[0]):
            return ""
        target = self.imports.names[path[0]]
        return "" if target.partition(".")[0] in NEVER_READ | {"scipy"} else ".".join([target, *path[1:]])

    def calls_elsewhere(self) -> bool:
        """Whether a function of the module, or the one at hand, calls functions of other modules that may be read."""
        if self.elsewhere is None:
            functions = [f for f in self.names.functions.values() if isinstance(f, ast.FunctionDef)]
            calls = (n for f in (self.node, *functions) for n in walk(f) if isinstance(n, ast.Call))
            self.elsewhere = any(self.imported(n.func) for n in calls)
        return self.elsewhere

    def may_be_object_with(self, e: ast.expr, attribute: str) -> bool:
        """Whether a value may be an object, of a class of the user's with an attribute that arrays have as well."""
        if not (self.objects_have(attribute) or self.namespaces().is_open or self.calls_elsewhere()):
            return False
        nodes = [n for s in self.node.body for n in walk(s)]
        holders = {name for name, cls in self.typed.items() if self.may_have(cls, attribute)}

        @functools.cache
        def makes(name: str) -> bool:
            """Whether a name is that of a function that may make such an object."""
            if not self.is_local(name):
                called = ast.Call(ast.Name(name, ast.Load()), [], [])
                return self.makes_objects_with(ast.Expr(called), attribute, set())
            bound = [v for v in self.name_bindings[name].values if isinstance(v, ast.Lambda)]
            return any(self.makes_objects_with(f, attribute, set()) for f in (*bound, *self.functions_inside(name)))

        def of_module(name: str) -> bool:
            """Whether a value of the module is such an object, or has one in it: `LENSES = [Lens(1.0), Lens(2.0)]`."""
            value = None if self.is_local(name) else self.names.assigned.get(name)
            made_of = [self.class_of(n.func) for n in ast.walk(value) if isinstance(n, ast.Call)] if value else []
            return any(cls is not None and self.may_have(cls, attribute) for cls in made_of)

        def holds(e: ast.AST | None) -> bool:
            match e:
                case ast.Name(id=name):
                    return name in holders or makes(name) or of_module(name)
                case ast.Lambda(body=body):
                    return self.makes_objects_with(body, attribute, set())
                case ast.Attribute(attr=attr):
                    cls = self.kind_of(e)
                    return (isinstance(cls, ClassInfo) and self.may_have(cls, attribute)) or f".{attr}" in holders
                case None:
                    return False
                case ast.Subscript(value=inner):
                    return holds(inner)
                case ast.Call() if (cls := self.class_of_result(e)) is not None:
                    return self.may_have(cls, attribute)
                case ast.Call() if is_namespace(e, self.imports):
                    return True
                case ast.Call(func=ast.Attribute(value=inner, attr=method)) if (
                    method == attribute and root_of(inner) not in self.imports.names
                ):
                    return holds(inner)  # what the method of an array gives is an array
                case ast.Call(func=func, args=args, keywords=options):
                    own = dotted(func)
                    foreign = own is not None and own[0] in self.imports.names and not self.imported(func)
                    if foreign and self.replaced(e) is None:
                        return False
                    texts = [
                        ast.Expr(ast.Call(func, [], [])),
                        *([] if isinstance(func, ast.Attribute) else self.called_by(func)),
                    ]
                    if any(self.makes_objects_with(text, attribute, set()) for text in texts):
                        return True
                    of = [func.value] if isinstance(func, ast.Attribute) and func.attr in OF_DICTS else []
                    of += [func] if isinstance(func, ast.Name) and self.is_local(func.id) else []
                    return any(map(holds, [*of, *args, *(k.value for k in options)]))
                case ast.expr() | ast.keyword() | ast.comprehension():
                    return any(map(holds, children(e)))
            return False

        todo = True
        while todo:
            before = len(holders)
            for n in nodes:
                match n:
                    case ast.Assign(targets=targets, value=value) if holds(value):
                        holders.update(*map(places_bound, targets))
                    case ast.AnnAssign(target=t, value=value) if holds(value):
                        holders |= places_bound(t)
                    case ast.For(target=t, iter=it) | ast.comprehension(target=t, iter=it) if holds(it):
                        holders |= places_bound(t)
                    case ast.Call(func=ast.Attribute(value=of, attr=attr), args=args):
                        if attr in OF_LISTS and any(map(holds, args)):
                            holders |= places_bound(of)
            todo = len(holders) > before
        return holds(e)

    def class_named(self, annotation: str) -> ClassInfo | None:
        try:
            return self.class_of(ast.parse(annotation, mode="eval").body) if annotation else None
        except SyntaxError:
            return None

    def class_of(self, node: ast.expr) -> ClassInfo | None:
        """The class that a name, a path or an annotation names; that of a namespace, which has no name."""
        match node:
            case ast.Call():
                return namespace_of(node, self.imports)
            case ast.Constant(value=str() as text):
                return self.class_named(text)
            case ast.BinOp(left=a, op=ast.BitOr(), right=ast.Constant(value=None)):
                return self.class_of(a)
        path = dotted(node)
        if path is None or self.is_local(path[0]):
            return None
        if len(path) == 1 and path[0] in self.names.classes:
            return self.names.classes[path[0]]
        if path[0] in self.imports.names:
            found = self.names.find_class(".".join([self.imports.names[path[0]], *path[1:]]))
            if found is not None:
                found.path = ".".join(path)
            return found
        return None


def agrees_with(kind: Known, known: Known) -> bool:
    return same(kind, known) or kind is ABSENT


def places_bound(target: ast.expr) -> set[str]:
    """The names and attributes, `.items`, that a target binds, or into whose items it writes."""
    match target:
        case ast.Name(id=name):
            return {name}
        case ast.Attribute(attr=attr):
            return {f".{attr}"}
        case ast.Subscript(value=inner) | ast.Starred(value=inner):
            return places_bound(inner)
        case ast.Tuple(elts=elts) | ast.List(elts=elts):
            return set().union(*map(places_bound, elts))
    return set()


def stored_fields(function: ast.AST) -> Iterator[tuple[ast.Attribute, ast.expr]]:
    """The attributes that a function binds, each with its value."""
    for n in walk(function):
        match n:
            case ast.Assign(targets=targets, value=value):
                pairs = [pair for t in targets for pair in paired(t, value)]
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                pairs = [(target, value)]
            case ast.AugAssign(target=ast.Attribute(value=owner, attr=attr) as target, op=op, value=value):
                pairs = [(target, update(ast.Attribute(owner, attr, ast.Load()), op, value))]
            case _:
                continue
        yield from ((t, v) for t, v in pairs if isinstance(t, ast.Attribute))


def paired(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """`a, p.x = u, v` as (a, u), (p.x, v); of a value that is not taken apart here the value as a whole."""
    match target, value:
        case ((ast.Tuple(elts=targets) | ast.List(elts=targets)), ast.Tuple(elts=values)) if len(targets) == len(
            values
        ):
            for t, v in zip(targets, values, strict=True):
                yield from paired(t, v)
        case ((ast.Tuple(elts=targets) | ast.List(elts=targets)), _):
            for t in targets:
                yield from paired(t, ast.Starred(value, ast.Load()))
        case _:
            yield target, value


def is_paired(target: ast.Tuple, value: ast.Tuple) -> bool:
    """Whether each target of an assignment has a value of its own."""
    both = (*target.elts, *value.elts)
    return len(target.elts) == len(value.elts) and not any(isinstance(e, ast.Starred | ast.Tuple) for e in both)


def called_on(value: ast.expr | None) -> str:
    """The name of which methods are called: s of `s.moved(d).step(dt)`."""
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        value = value.func.value
    return value.id if isinstance(value, ast.Name) else ""


def values_in(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a text but annotations, and the classes that `isinstance` asks for."""
    todo = [function]
    for n in todo:
        yield n
        match n:
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[subject, _]):
                todo.append(subject)
            case ast.FunctionDef(body=body):
                todo += [*body, *n.args.defaults, *(d for d in n.args.kw_defaults if d is not None)]
            case ast.AnnAssign(target=target, value=value):
                todo += [target, *([value] if value is not None else [])]
            case _:
                todo += children(n)


def part_text(path: Path) -> str:
    text = path[0]
    for key in path[1:]:
        text += f".{key}" if isinstance(key, Attr) else f'["{key}"]'
    return text


def is_named(s: ast.stmt) -> bool:
    """best = box"""
    return isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name) and isinstance(s.value, ast.Name)


def mentions(node: ast.AST, name: str) -> int:
    """How often a name stands somewhere."""
    return sum(isinstance(n, ast.Name) and n.id == name for n in walk(node))


def binds_first(block: List[ast.stmt], name: str) -> bool | None:
    """Whether the first statement that mentions a name surely binds it, without reading it; None where none does.

    Not so, where a loop may be left or begun again before.
    """
    leaves = False
    for s in block:
        if not mentions(s, name):
            leaves = leaves or any(isinstance(n, ast.Break | ast.Continue) for n in walk(s))
        elif leaves:
            return False
        match s:
            case ast.Assign(targets=[ast.Name(id=bound)], value=value) if bound == name:
                return not mentions(value, name)
            case ast.If(test=test, body=body, orelse=orelse) if mentions(s, name):
                return not mentions(test, name) and bool(binds_first(body, name) and binds_first(orelse, name))
            case _ if mentions(s, name):
                return False
    return None


def word(key: str) -> str:
    return "".join(c if c.isalnum() else "_" for c in key)


class Grouping:
    """Finds the local names that are groups: made of known parts wherever they are bound, never changed unseen."""

    def __init__(self, objects: Objects, nodes: list[ast.AST], parents: dict[ast.AST, ast.AST]) -> None:
        self.o, self.nodes, self.parents = objects, nodes, parents
        own = (n for s in objects.node.body for n in own_walk(s))
        stores = (n for n in own if isinstance(n, ast.Attribute | ast.Subscript) and isinstance(n.ctx, ast.Store))
        self.places_stored = [*stores]  # in the order of the text
        self.bindings: dict[str, list[ast.expr]] = {}
        self.uses: dict[str, list[ast.Name]] = {}
        self.env: dict[str, Group] = {}
        self.shared: set[str] = set()  # another name may stand for the same object
        self.copied: list[set[str]] = []  # a copy and what it is of: they share the groups that are parts of them
        self.owned: dict[tuple[str, str], None] = {}  # objects to which a part of another one is bound, and that
        self.viewed: set[str] = set()  # dicts of groups, which `d.values()` or `d.get(k)` gives

    def run(self) -> None:
        candidates = self.candidates()
        while candidates:
            self.env = {}
            again = True
            while again:
                again = False
                for name in sorted(candidates - self.env.keys()):
                    found = [g for v in self.bindings[name] if (g := self.made(v)) is not None]
                    if found:
                        self.env[name] = found[0]
                        again = True
            for _ in self.env:  # what was made before its parts were known
                old = dict(self.env)
                for name in sorted(self.env):
                    found = [g for v in self.bindings[name] if (g := self.made(v)) is not None]
                    if found and not agrees(found[0], self.env[name]):
                        self.env[name] = found[0]
                if all(self.env[n] is g for n, g in old.items()):
                    break
            self.shared, self.copied, self.owned, self.viewed = set(), [], {}, set()
            bad = {name for name in candidates if name not in self.env or not self.holds(name)}
            bad |= {name for name in self.env if not self.is_made_alike(name)}  # with the parts that are added
            changed = self.changed(self.nodes)
            bad |= {n for n in self.shared if n in self.env and (n in changed or self.is_changed_elsewhere(n))}
            for pair in (p for p in self.owned if p[0] in self.env):  # the owner has its own variables without it
                bad |= {pair[0]} if any(n in changed or self.is_changed_elsewhere(n) for n in pair) else set()
            if self.copied or self.viewed:
                inside = self.changed(self.nodes, inside=True)
                for group in (*self.copied, *({n} for n in self.viewed)):
                    if group & inside or any(map(self.is_changed_elsewhere, sorted(group))):
                        bad |= group & self.env.keys()
            if not bad:
                break
            candidates -= bad
            self.env = {}
        self.o.groups = self.env

    def candidates(self) -> set[str]:
        """Names that are only bound by plain assignments, and not read inside nested functions."""
        bad = set(self.o.params) | set(self.o.aliases)
        for n in self.nodes:
            match n:
                case ast.Name(id=name, ctx=ast.Load()):
                    self.uses.setdefault(name, []).append(n)
                case ast.Name(id=name):
                    match self.parents[n]:
                        case ast.Assign(targets=[target], value=value) if target is n:
                            self.bindings.setdefault(name, []).append(value)
                        case ast.AnnAssign(target=target, value=ast.expr() as value) if target is n:
                            self.bindings.setdefault(name, []).append(value)
                        case _:
                            bad.add(name)
                case ast.FunctionDef() | ast.Lambda() | ast.ClassDef() | ast.AsyncFunctionDef():
                    bad |= {x.id for x in walk(n) if isinstance(x, ast.Name)}
                case ast.Global(names=names) | ast.Nonlocal(names=names):
                    bad |= set(names)
                case ast.comprehension(target=target):
                    bad |= {x.id for x in walk(target) if isinstance(x, ast.Name)}
        return self.bindings.keys() - bad

    # ------------------------------------------------------------ how a value is made

    def made(self, value: ast.expr) -> Group | None:
        """The group that an expression makes, None where that is not known."""
        match value:
            case ast.Dict(keys=keys, values=values):
                return self.of_dict(keys, values)
            case ast.DictComp():
                kept = self.kept(value)
                return None if kept is None else Group(parts=dict.fromkeys(new for _, new in kept))
            case ast.Name(id=name):
                return self.env.get(name)
            case ast.Attribute() | ast.Subscript():
                path = self.o.chain(value)
                group = self.env.get(path[0]) if path is not None else None
                for key in path[1:] if path is not None else ():
                    group = group.parts.get(key) if group is not None else None
                return group
            case ast.BinOp(left=a, op=ast.BitOr(), right=b):
                x, y = self.made(a), self.made(b)
                if x is None or y is None or x.is_object or y.is_object:
                    return None
                return Group(parts=x.parts | y.parts)
            case ast.Call(func=ast.Attribute(value=inner, attr="_replace"), args=[], keywords=options):
                return self.replaced(inner, options)
            case ast.Call(func=ast.Attribute(value=inner, attr="copy"), args=[], keywords=[]):
                return self.made(inner)
            case ast.Call(func=func, args=args, keywords=options):
                if any(isinstance(a, ast.Starred) for a in args):
                    return None
                match self.o.resolve(func), args:
                    case ("builtins.dict", None), [] | [_] if all(k.arg for k in options):
                        start = self.made(args[0]) if args else Group()
                        if start is None or start.is_object:
                            return None
                        return Group(parts=start.parts | {str(k.arg): self.made(k.value) for k in options})
                    case ("dataclasses.replace", None), [inner]:
                        return self.replaced(inner, options)
                    case ("copy.copy" | "copy.deepcopy", None), [inner] if not options:
                        group = self.made(inner)
                        if group is None or (group.cls is not None and copies_itself(group.cls)):
                            return None
                        return Group(group.cls, group.is_object, dict(group.parts))
                    case (fn, None), [] if fn == NAMESPACE and all(k.arg for k in options):
                        return Group(is_object=True, parts={Attr(k.arg): self.made(k.value) for k in options})
                cls = self.o.class_of(func)
                return self.constructed(cls, value) if cls is not None else None
        return None

    def keys_of(self, it: ast.expr) -> list[str] | None:
        """The texts that a loop runs over: those of a display, or the keys of a dict."""
        match it:
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                texts = [e.value for e in elts if isinstance(e, ast.Constant) and isinstance(e.value, str)]
                return texts if texts and len(texts) == len(elts) and all(map(is_key, texts)) else None
            case ast.Call(func=ast.Attribute(value=of, attr="keys" | "items"), args=[]) | of:
                found = self.made(of)
                return None if found is None or found.is_object or found.added else list(found.parts)

    def kept(self, node: ast.DictComp) -> list[tuple[str, str]] | None:
        """The keys that a comprehension over known ones keeps, each with what it makes of it."""
        texts = self.keys_of(node.generators[0].iter) if len(node.generators) == 1 else None
        if texts is None:
            return None
        fixed = {n: e for n, e in self.o.names.values.items() if not self.o.is_local(n)}
        kept = calculated.kept(node, texts, fixed)
        return kept if kept is not None and all(is_key(new) for _, new in kept) else None

    def of_dict(self, keys: list[ast.expr | None], values: list[ast.expr]) -> Group | None:
        group = Group()
        for k, v in zip(keys, values, strict=True):
            if k is None:
                inner = self.made(v)
                if inner is None or inner.is_object:
                    return None
                group.parts |= inner.parts
            elif isinstance(k, ast.Constant) and isinstance(k.value, str) and is_key(k.value):
                group.parts[k.value] = self.made(v)
            else:
                return None
        return group

    def replaced(self, inner: ast.expr, options: list[ast.keyword]) -> Group | None:
        group = self.made(inner)
        if group is None or not all(k.arg in group.parts for k in options):
            return None
        if group.cls is not None and not group.cls.makes:
            return None  # its constructor does more than to take its fields
        return Group(group.cls, group.is_object, dict(group.parts))

    def constructed(self, cls: ClassInfo, call: ast.Call) -> Group | None:
        if getattr(call, "empty", False):  # its attributes are assigned next (`methods`)
            return Group(cls, True)
        given = arguments_of(cls, call)
        if given is None:
            return None
        own = self.o.params | self.o.bound
        defaults = [
            v for v in given.values() if not any(v is a for a in [*call.args, *(k.value for k in call.keywords)])
        ]
        if any(read_names(d) & own for d in defaults):
            return None
        if cls.makes:
            parts: dict[str, Group | None] = {Attr(n): self.made(v) for n, v in given.items()}
            return Group(cls, True, parts)
        reads = read_names(cls.init) - set(given) if cls.init is not None else set()
        if cls.kind == "plain" and cls.is_known and not cls.prefix and (cls.init is None or writable(cls.init)):
            if (reads - {cls.init.args.args[0].arg} if cls.init is not None else set()) & own:
                return None  # a name there is another one here
            return Group(cls, True, {Attr(n): None for n in (written_fields(cls.init) if cls.init else ())})
        return None

    # ------------------------------------------------------------ what is done with it

    def holds(self, name: str) -> bool:
        """Whether every binding makes the same group, and every use is understood."""
        group = self.env[name]
        for value in self.bindings[name]:
            found = self.made(value)
            if found is None or not agrees(found, group):
                return False
            if isinstance(value, ast.Name | ast.Attribute | ast.Subscript):
                path = self.o.chain(value)
                assert path is not None
                if not self.is_let_go(value):
                    self.shared |= {name, path[0]}
            elif any(g is not None for g in group.parts.values()):
                copied = {path[0] for e in copied_from(value) if (path := self.o.chain(e)) is not None}
                self.copied += [{name, *copied}] if copied else []
                if any(self.made(e) is not None and not self.is_handed_over(e) for e in self.paths_in(value)):
                    self.copied.append({name})
        for n in self.places_stored:  # parts that are added
            path = self.o.chain(n)
            if path is not None and path[0] == name and not self.stores(group, path, n):
                return False
        for use in self.uses.get(name, ()):
            shared, owned = set(self.shared), dict(self.owned)
            if not self.understood(use, group, name):
                return False
            if (self.shared != shared or self.owned != owned) and self.is_let_go(use):
                self.shared, self.owned = shared, owned
        return True

    def is_made_alike(self, name: str) -> bool:
        found = [self.made(v) for v in self.bindings[name] if isinstance(v, ast.DictComp)]
        return all(g is not None and agrees(g, self.env[name]) for g in found)

    def is_handed_over(self, e: ast.expr) -> bool:
        """Whether a name is bound once, and read once, behind that in the same block: nothing else sees its object."""
        if not isinstance(e, ast.Name) or len(self.uses.get(e.id, ())) != 1 or len(self.bindings[e.id]) != 1:
            return False
        around = [self.statement_of(n) for n in (self.bindings[e.id][0], e)]
        return self.parents[around[0]] is self.parents[around[1]]

    def is_let_go(self, e: ast.expr) -> bool:
        """Whether a name is not read any more before it is bound to another object: what e hands on has a new owner.

        g = q                   boxes.append(box)
        q = Point(x, y)         (and each iteration begins with a new box)
        """
        here: ast.AST = self.statement_of(e)
        if not isinstance(e, ast.Name) or mentions(here, e.id) != 1 or self.is_repeated(e):
            return False
        while here is not self.o.node:
            around = cast(ast.stmt, self.parents[here])
            if not isinstance(around, ast.If | ast.For | ast.While) and around is not self.o.node:
                return False
            blocks = [self.o.node.body] if around is self.o.node else list(blocks_of(around))
            block = next((b for b in blocks if here in b), None)
            if block is None:
                return False
            bound = binds_first(block[block.index(cast(ast.stmt, here)) + 1 :], e.id)
            if bound is not None:
                return bound
            if isinstance(around, ast.For | ast.While):
                if any(mentions(s, e.id) for s in around.orelse):
                    return False
                head = mentions(around, e.id) - sum(mentions(s, e.id) for b in blocks for s in b)
                if head or not binds_first(around.body, e.id):
                    return False
            here = around
        return True

    def is_repeated(self, e: ast.AST) -> bool:
        """Whether a statement may evaluate an expression several times: in a comprehension, or the test of a loop."""
        while not isinstance(e, ast.stmt):
            if isinstance(e, (*COMPREHENSIONS, ast.Lambda)):
                return True
            e = self.parents[e]
        return isinstance(e, ast.While)

    def statement_of(self, node: ast.AST) -> ast.AST:
        while not isinstance(node, ast.stmt):
            node = self.parents[node]
        return node

    def paths_in(self, value: ast.expr) -> Iterator[ast.expr]:
        """The names, attributes and entries that an expression reads, each as a whole."""
        for n in walk(value):
            if isinstance(n, ast.Name | ast.Attribute | ast.Subscript):
                up = self.parents[n]
                if not (isinstance(up, ast.Attribute | ast.Subscript) and up.value is n):
                    yield n

    def stores(self, group: Group, path: Path, node: ast.expr) -> bool:
        inner: Group | None = group
        for key in path[1:-1]:
            inner = inner.parts.get(key) if inner is not None else None
        if inner is None or inner.is_frozen or isinstance(path[-1], Attr) != inner.is_object:
            return False
        if inner.cls is not None and path[-1] in inner.cls.methods:
            return False
        up = self.parents[node]
        value = up.value if isinstance(up, ast.Assign) and up.targets == [node] else None
        new = self.made(value) if value is not None else None
        if path[-1] not in inner.parts:
            inner.parts[path[-1]] = new
            while not isinstance(up, ast.stmt):
                up = self.parents[up]
            if len(path) > 2 or not self.is_sure(path[0], up):
                inner.added.add(path[-1])
            return True
        old = inner.parts[path[-1]]
        if old is None and new is not None and value is not None:  # what is None at first is an object as a whole
            self.shared.add(root_of(value))
            return new.is_object and self.handed_on(new)
        return agrees(new, old) if new is not None and old is not None else new is old

    def is_sure(self, name: str, store: ast.AST) -> bool:
        """Whether a part that a statement adds is there where the whole is used: all stand in one block, in order. Of a
        branch, the other one adds it, too."""
        if len(self.bindings[name]) != 1:
            return False
        binding = self.parents[self.bindings[name][0]]
        around = self.parents[binding]
        for block in (getattr(around, part, None) for part in ("body", "orelse", "finalbody")):
            if not isinstance(block, list) or binding not in block:
                continue
            while store not in block and isinstance(branch := self.parents.get(store), ast.If):
                if not bind_alike(branch, name):
                    break
                store = branch
            if store not in block:
                continue
            at = block.index(store)
            behind = {n for s in block[at + 1 :] for n in walk(s)}
            wholes = [u for u in self.uses.get(name, ()) if not self.is_part(self.parents[u])]
            return block.index(binding) < at and behind.issuperset(wholes)
        return False

    def is_part(self, up: ast.AST) -> bool:
        """Whether what holds a name is an entry or an attribute of it; a method sees the whole."""
        if isinstance(up, ast.Attribute):
            call = self.parents[up]
            return not (isinstance(call, ast.Call) and call.func is up)
        return isinstance(up, ast.Subscript)

    def changed(self, nodes: Iterable[ast.AST], inside: bool = False) -> set[str]:
        """Names of which a part is assigned to, or only a part of a part."""
        stores = [n for n in nodes if isinstance(n, ast.Attribute | ast.Subscript) and isinstance(n.ctx, ast.Store)]
        known = {path[0] for n in stores if (path := self.o.chain(n)) is not None and len(path) > 1 + inside}
        keyed = (n.value for n in stores if self.o.chain(n) is None and self.is_named(n))  # `for k in d: d[k] = x`
        return known | {path[0] for e in keyed if (path := self.o.chain(e)) is not None and len(path) > inside}

    def is_changed_elsewhere(self, name: str) -> bool:
        """Whether a part of an object may be assigned to under another name, or by way of what it lies in:
        `d["a"]["k"] = x`, `for p in d.values(): p["x"] = e`."""
        aliases, holders = self.ends(name)
        places = (n for n in self.nodes if isinstance(n, ast.Attribute | ast.Subscript))
        stores = [n for n in places if isinstance(n.ctx, ast.Store) and self.is_named(n)]
        inside = [n for n in stores if isinstance(n.value, ast.Attribute | ast.Subscript)]  # not of the holder itself
        return not aliases.isdisjoint(map(root_of, stores)) or not holders.isdisjoint(map(root_of, inside))

    def is_named(self, part: ast.Attribute | ast.Subscript) -> bool:
        """Whether a part is one of an object or a dict, not of an array or a list."""
        if isinstance(part, ast.Attribute) or string_key(part) is not None:
            return True
        return isinstance(part.slice, ast.Name) and part.slice.id in self.o.loop_keys

    def ends(self, name: str) -> tuple[set[str], set[str]]:
        """The names that may stand for an object, or a part of it, and those that may only hold it."""
        aliases: set[str] = set()
        holders: set[str] = set()
        reads: List[ast.AST] = [u for u in self.uses.get(name, ()) if not self.is_value(u)]
        reached = {name}
        while reads:
            found = [(t, held) for n in reads for t, held in self.reached_by(n)]
            holders |= {t for t, held in found if held}
            aliases |= {t for t, held in found if not held}
            new = {t for t, _ in found} - reached
            reached |= new
            reads = [u for t in sorted(new) for u in self.uses.get(t, ())]
        return aliases - {name}, holders - aliases - {name}

    def is_value(self, use: ast.Name) -> bool:
        """Whether a read of a group is one of a part that is no object: nothing else gets to see the group by it."""
        path: ast.expr = use
        while isinstance(up := self.parents[path], ast.Attribute | ast.Subscript) and up.value is path:
            path = up
        if (keys := self.o.chain(path)) is None:
            return False
        group: Group | None = self.env.get(use.id)
        for key in keys[1:]:
            if group is None or key not in group.parts:
                return False
            group = group.parts[key]
        return group is None

    def reached_by(self, n: ast.AST) -> Iterator[tuple[str, bool]]:
        """The names that an expression gets to where it is read, and whether they hold it in a list, a dict or an
        object that is made there."""
        held = False
        while not isinstance(n, ast.stmt):
            up = self.parents[n]
            match up:
                case ast.comprehension(target=target) if up.iter is n:
                    yield from ((t, False) for t in bound_names(walk(target)))
                case ast.Dict() | ast.List() | ast.Tuple() | ast.Set():
                    held = True
                case ast.Call(func=ast.Attribute(value=receiver)) if receiver is not n and n is not up.func:
                    yield root_of(receiver), True  # boxes.append(box)
                    held = False
                case ast.Call(func=func):
                    held = self.is_constructor(func)
                case ast.NamedExpr(target=ast.Name(id=name)):
                    yield name, held
                case ast.Attribute() | ast.Subscript():
                    held = False
            n = up
        match n:
            case ast.Assign(targets=targets):
                ends: List[ast.expr] = targets
            case ast.AnnAssign(target=target) | ast.AugAssign(target=target) | ast.For(target=target):
                ends = [target]
            case _:
                return
        for target in ends:
            for t in [target] if not isinstance(target, ast.Tuple | ast.List) else walk(target):
                match t:
                    case ast.Name(id=name, ctx=ast.Store()):
                        yield name, held and t is target and not isinstance(n, ast.For)
                    case ast.Attribute(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store()):
                        yield root_of(t), True

    def is_constructor(self, func: ast.expr) -> bool:
        return self.o.class_of(func) is not None or self.o.resolve(func) == (NAMESPACE, None)

    def understood(self, use: ast.expr, group: Group, name: str) -> bool:
        """Whether a read of a group, or of a part that is itself one, is of a kind that is known."""
        up = self.parents[use]
        match up:
            case ast.Attribute(attr=attr) if group.is_object:
                called = isinstance(call := self.parents[up], ast.Call) and call.func is up
                if called and attr == "_replace":
                    return True
                kept = group.cls is not None and attr in group.cls.fields and attr not in group.cls.methods
                if (called and not kept) or (group.cls is not None and attr in group.cls.properties):
                    self.lent(group.cls.methods.get(attr) if group.cls is not None else None, 0, name)
                    return group.cls is not None and attr in group.cls.methods and self.handed_on(group)
                return self.part_used(up, group, Attr(attr), name)
            case ast.Attribute(attr=attr):
                known = attr in READING and (attr == "get" or not group.added)
                call = self.parents[up]
                known = known and isinstance(call, ast.Call) and call.func is up
                if known and attr != "keys" and any(g is not None for g in group.parts.values()):
                    self.viewed.add(name)
                return known and (attr not in VIEWS or self.is_read_at_once(call, name))
            case ast.Subscript() if up.value is use and not group.is_object:
                key = string_key(up)
                if key is None and isinstance(up.slice, ast.Name) and up.slice.id in self.o.loop_keys:
                    known = isinstance(up.ctx, ast.Load) or self.is_one_of_its_keys(up.slice.id, group)
                    return known and all(g is None for g in group.parts.values())
                return key is not None and self.part_used(up, group, key, name)
            case ast.Call(func=func) if func is use:  # layers["z"](x)
                method = group.cls.methods.get("__call__") if group.is_object and group.cls is not None else None
                self.lent(method, 0, name)
                return method is not None and self.handed_on(group)
            case ast.Call(func=func):
                found = self.o.resolve(func)
                if found is not None and found[0] in ("dataclasses.replace", *COPIES, "builtins.dict"):
                    return not group.added
                if found == ("builtins.len", None):
                    return not group.is_object and not group.added
                if self.o.class_of(func) is not None:  # part of another object
                    self.shared.add(name)
                    return self.handed_on(group) or self.is_taken_apart(up)
                if found is not None and found[0].startswith("local."):
                    at = next((i for i, a in enumerate(up.args) if a is use), "")
                    return self.handed_on(group) and self.lent(self.o.names.find_function(found[0][6:]), at, name)
                appended = isinstance(func, ast.Attribute) and func.attr == "append" and len(up.args) == 1
                return appended and self.handed_on(group) and self.is_let_go(use)
            case ast.keyword(arg=None):
                return not group.is_object and self.handed_on(group)
            case ast.keyword():
                call = self.parents[up]
                return isinstance(call, ast.Call) and self.understood_argument(call, up, group, name)
            case ast.Return() | ast.Assign() | ast.AnnAssign():
                if self.is_copy(up, group, name):
                    return True
                leaves = isinstance(up, ast.Return) or (is_named(up) and self.is_let_go(use))
                return leaves and self.handed_on(group)
            case ast.Tuple() | ast.List():
                while isinstance(up, ast.Tuple | ast.List):
                    up = self.parents[up]
                return isinstance(up, ast.Return) and self.handed_on(group)
            case ast.Dict(values=values, keys=keys):
                if any(v is use and k is None for k, v in zip(keys, values, strict=True)):
                    return True
                self.shared.add(name)
                return self.handed_on(group)
            case ast.BinOp(op=ast.BitOr()):
                return not group.is_object
            case ast.Compare(ops=[ast.In() | ast.NotIn()]):
                return not group.is_object and not group.added
            case ast.For(iter=it) | ast.comprehension(iter=it):
                return it is use and not group.is_object and not group.added
        return False

    def is_one_of_its_keys(self, name: str, group: Group) -> bool:
        """Whether a variable runs over keys only that a dict has: an assignment under it adds none."""
        loops = [n for n in self.nodes if isinstance(n, ast.For | ast.comprehension)]
        its = [n.iter for n in loops if name in {x.id for x in ast.walk(n.target) if isinstance(x, ast.Name)}]
        found = [self.keys_of(it) for it in its]
        return bool(found) and all(keys is not None and group.parts.keys() >= {*keys} for keys in found)

    def is_read_at_once(self, view: ast.AST, name: str) -> bool:
        """Whether nothing that is changed in a dict later can be seen in `d.values()`, `d.items()` or `d.keys()`."""
        reads = read_at_once(view, self.parents)
        if isinstance(reads, ast.For):  # over the view itself it is written out, with what the dict holds before
            inside = (n for s in reads.body for n in walk(s))
            return self.parents[view] is reads or name not in self.changed(inside)
        return reads or name not in self.changed(self.nodes)

    def understood_argument(self, call: ast.Call, k: ast.keyword, group: Group, name: str) -> bool:
        found = self.o.resolve(call.func)
        if self.o.class_of(call.func) is not None or found in ((NAMESPACE, None), ("builtins.dict", None)):
            self.shared.add(name)
            return self.handed_on(group) or self.is_taken_apart(call)
        if found is not None and found[0].startswith("local."):
            callee = self.o.names.find_function(found[0][6:])
            return self.handed_on(group) and self.lent(callee, str(k.arg), name)
        return (found is not None and found[0] == "dataclasses.replace") or (
            isinstance(call.func, ast.Attribute) and call.func.attr == "_replace"
        )

    def is_copy(self, up: ast.AST, group: Group, name: str) -> bool:
        match up:
            case ast.Assign(targets=[ast.Name(id=target)]) | ast.AnnAssign(target=ast.Name(id=target)):
                return target in self.env
            case ast.Assign(targets=[(ast.Attribute() | ast.Subscript()) as target]):
                path = self.o.chain(target)
                if path is not None:
                    self.owned[name, path[0]] = None
                return path is not None and path[0] in self.env
            case ast.Assign(targets=[ast.Tuple(elts=elts)]):  # x, y = point
                return is_tuple(group) and len(elts) == len(group.parts) and all(isinstance(t, ast.Name) for t in elts)
        return False

    def is_taken_apart(self, call: ast.Call) -> bool:
        """Whether a call makes an object that has a name, and is a group, too: its parts are copied one by one."""
        match self.parents[call]:
            case ast.Assign(targets=[ast.Name(id=target)]) | ast.AnnAssign(target=ast.Name(id=target)):
                return target in self.env
        return False

    def part_used(self, node: ast.expr, group: Group, key: str, name: str) -> bool:
        if isinstance(getattr(node, "ctx", None), ast.Store):
            return True
        if key not in group.parts:
            return False
        inner = group.parts[key]
        return inner is None or self.understood(node, inner, name)

    def handed_on(self, group: Group) -> bool:
        """Whether the group can be put together again, all of its parts being there."""
        return group.is_made and not group.added and all(g is None or self.handed_on(g) for g in group.parts.values())

    def lent(self, function: ast.FunctionDef | None, at: int | str, name: str) -> bool:
        """Handed to a function; one that may keep it shares it with what it returns."""
        if function is None or keeps(function, at, self.o.known_classes()):
            self.shared.add(name)
        return True


def keeps(
    function: ast.FunctionDef | ast.Lambda,
    at: int | str,
    classes: List[ClassInfo] = (),
    inside: frozenset[ast.FunctionDef | ast.Lambda] = frozenset(),
) -> bool:
    """Whether a function does more with a parameter than read its attributes and entries, and calculate with it by
    operators of these classes that do no more."""
    a = function.args
    order = [x.arg for x in [*a.posonlyargs, *a.args]]
    name = (order[at] if at < len(order) else "") if isinstance(at, int) else at
    parents = {c: n for n in walk(function) for c in children(n)}

    def is_read(n: ast.AST) -> bool:
        match parents[n]:
            case ast.Attribute() | ast.Subscript():
                return True
            case ast.Compare(ops=ops) if all(isinstance(op, ASKING) for op in ops):
                return True
            case ast.BinOp() | ast.UnaryOp() if function not in inside:
                methods = [m for c in classes for k, m in c.methods.items() if k in SPECIAL]
                return bool(methods) and not any(
                    keeps(m, i, classes, inside | {function}) for m in methods for i in range(len(m.args.args))
                )
            case ast.BinOp() | ast.UnaryOp():
                return True  # of a method that is being asked
        return False

    return not name or any(isinstance(n, ast.Name) and n.id == name and not is_read(n) for n in walk(function))


def is_attribute_only(n: ast.Name, parents: Mapping[int, ast.AST]) -> bool:
    """Whether an object is made here, without attributes, or one of them is read or bound; a method may do anything."""
    up = parents.get(id(n))
    match up:
        case ast.Attribute(value=value) if value is n:
            called = parents.get(id(up))
            return not (isinstance(called, ast.Call) and called.func is up)
        case ast.Assign(targets=[target], value=ast.Call(args=[], keywords=[])):
            return target is n
    return False


def changes(function: ast.FunctionDef) -> bool:
    """Whether a function assigns to attributes or entries of a parameter, by another name as well, or writes into an
    array that is one, under a name of its own, `u = state.u`, `u[0] = 0.0`: its caller sees that."""
    names = seen_as_given(function)
    arrays = {name for n in walk(function) for name, value in bound_to(n) if is_text_part(value, names)}
    nodes = [n for s in function.body for n in walk(s)]
    keyed = dicts(function, nodes, {a.arg for a in parameters(function)}) if any(map(is_store, nodes)) else set()
    reaching: Reaching | None = None
    for n in walk(function):
        written = [n] if isinstance(n, ast.Subscript) and is_store(n) else filled(n)
        roots = [name for name in map(root_node, written) if name is not None and name.id in arrays]
        if roots and any(may_be_part(name, names, reaching := reaching or Reaching(function)) for name in roots):
            return True
        if is_store(n) and isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and n.value.id in keyed:
            return True
        stored = isinstance(n, ast.Attribute | ast.Subscript) and isinstance(n.ctx, ast.Store | ast.Del)
        for place in [n] if stored else filled(n):
            if is_text_part(cast(ast.expr, place), names):
                return True
    return False


def may_be_part(name: ast.Name, given: set[str], reaching: Reaching) -> bool:
    """Whether a name may be bound to an attribute or an entry of what is given, where it is read."""
    found = reaching.of(name)
    return found is None or any(is_text_part(value, given) for value in found)


def seen_as_given(function: ast.FunctionDef) -> set[str]:
    """The parameters, and the names that may be bound to them, to parts of them or to their items."""
    names = {a.arg for a in parameters(function)} - bound_anew(function)

    def is_seen(value: ast.expr) -> bool:
        return any(root_of(e) in names for e in may_be(value))

    def bound(target: ast.expr, value: ast.expr) -> Iterator[str]:
        match target, value:
            case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
                for t, v in zip(targets, values, strict=True):
                    yield from bound(t, v)
            case ast.Name(id=name), _ if is_seen(value):
                yield name
            case ast.Tuple(), _ if is_seen(value):
                yield from target_names(target)

    while True:
        more: set[str] = set()
        for n in walk(function):
            match n:
                case ast.Assign(targets=targets, value=value):
                    more |= {name for t in targets for name in bound(t, value)}
                case ast.NamedExpr(target=target, value=value):
                    more |= {*bound(target, value)}
                case ast.For(target=target, iter=it) | ast.comprehension(target=target, iter=it):
                    if names & set(read_names(it)):  # for body in bodies, for i, body in enumerate(bodies)
                        more |= {*target_names(target)}
        if more <= names:
            return names
        names |= more


def may_be(value: ast.expr) -> Iterator[ast.expr]:
    """The names, and parts and items of them, of which a value may be one, or a list of some."""
    match value:
        case ast.IfExp(body=a, orelse=b):
            yield from may_be(a)
            yield from may_be(b)
        case ast.BoolOp(values=inner) | ast.List(elts=inner) | ast.Tuple(elts=inner):
            for e in inner:
                yield from may_be(e)
        case ast.NamedExpr(value=e) | ast.ListComp(elt=e) | ast.GeneratorExp(elt=e) | ast.Starred(value=e):
            yield from may_be(e)
        case ast.Call(func=ast.Name(id=name), args=args) if name in CHOOSING:
            for e in args:
                yield from may_be(e)
        case ast.Attribute() | ast.Subscript() | ast.Name():
            yield value


def bound_anew(function: ast.FunctionDef) -> set[str]:
    """The parameters that are bound to what a call gives, or to a part of that, before anything else is done with them
    than to hand them on: `s = step(s, k)`; `s, s_dot = step_jvp(s, s_dot)`; `both = step(s, k)`, `s, k = both`."""
    names = {a.arg for a in parameters(function)}
    found: set[str] = set()
    made: set[str] = set()  # by calls
    for s in function.body:
        own: set[str] = set()
        match s:
            case ast.Assert():
                continue
            case ast.Assign(targets=[target], value=ast.Call(func=ast.Name(id=called)) as call):
                if not hasattr(builtins, called):  # a copy of a dict holds the caller's arrays
                    own = bound_names(walk(target))
                    names -= {root_of(n.func) for n in walk(call) if isinstance(n, ast.Call)}  # step(s.pop())
            case ast.Assign(targets=[target], value=ast.Name(id=name)) if name in made:
                own = bound_names(walk(target))
        found |= names & own
        made |= own
        if not own:
            made -= bound_names(walk(s))
            names -= read_names(s)
        names -= own
    return found


def is_text_part(e: ast.expr, names: Container[str]) -> bool:
    """Whether an expression is an attribute or an entry of one of some names, or lies in such a part."""
    text = False
    inner = e
    while isinstance(inner, ast.Attribute | ast.Subscript):
        text = text or isinstance(inner, ast.Attribute) or string_key(inner) is not None
        inner = inner.value
    return text and root_of(inner) in names


def bound_to(n: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The names that an assignment binds, with their values: of `u, v = s.u, s.v`, each its own."""
    match n:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                match target, value:
                    case ast.Name(id=name), _:
                        yield name, value
                    case (
                        (ast.Tuple(elts=names) | ast.List(elts=names)),
                        (ast.Tuple(elts=items) | ast.List(elts=items)),
                    ):
                        if len(names) == len(items):
                            for t, item in zip(names, items, strict=True):
                                if isinstance(t, ast.Name):
                                    yield t.id, item
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            yield name, value


def affects(function: ast.FunctionDef, names: ModuleNames) -> bool:
    """Whether a function changes an object that it is given, itself or through what it calls."""
    if id(function) not in names.effects:
        reached = [function]
        for f in reached:
            if changes(f) or any(grows(n, f) or hands_on(n, f, names) for n in walk(f)):
                break
            given = {a.arg for a in parameters(f)} | seen_as_given(f)
            reached += [g for n in walk(f) for g in given_on(n, given, names) if g not in reached]
        else:
            names.effects[id(function)] = False
            return False
        names.effects[id(function)] = True
    return names.effects[id(function)]


def is_store(n: ast.AST) -> bool:
    return isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store)


def grows(n: ast.AST, function: ast.FunctionDef) -> bool:
    """state.log.append(x), state.logs[k].append(x), xs.append(x), of a parameter."""
    match n:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name) as grown, attr=attr)) if attr in OF_LISTS:
            own = function.args.kwarg.arg if function.args.kwarg is not None else ""  # a dict of the call's own
            return name in {a.arg for a in parameters(function)} - {own} and not is_new_list(grown, function)
        case ast.Call(func=ast.Attribute(value=ast.Attribute() | ast.Subscript() as receiver, attr=name)) if is_part(
            receiver
        ) or is_part(receiver.value):
            mutating = name in known.MUTATING_METHODS | {"append", "extend"}
            return mutating and root_of(receiver) in {a.arg for a in parameters(function)}
    return False


def is_new_list(name: ast.Name, function: ast.FunctionDef) -> bool:
    """Whether a name stands for a list that the function has made, `xs = list(xs)`, where it is read."""
    reaching = Reaching(function)
    asked: set[int] = set()

    def is_new(e: ast.expr) -> bool:
        match e:
            case ast.Name():
                return are_new(e)
            case ast.Call(func=ast.Name(id=called)):
                return called in NEW_LISTS
        return isinstance(e, ast.List | ast.ListComp)

    def are_new(n: ast.Name) -> bool:
        values = reaching.of(n)
        if values is None:
            return False
        new = [v for v in values if id(v) not in asked]
        asked.update(map(id, new))
        return all(map(is_new, new))

    return are_new(name)


NEW_LISTS = ("list", "sorted")
CHOOSING = (*NEW_LISTS, "iter", "max", "min", "next", "reversed", "tuple")


def written_arrays(function: ast.FunctionDef, updates: bool = True) -> set[str]:
    """The parameters that a function stores into by subscripts, or updates by `x += e`."""
    params = {a.arg for a in parameters(function)}
    found: set[str] = set()
    for n in walk(function):
        match n:
            case ast.Subscript(ctx=ast.Store()):
                found.add(root_of(n))
            case ast.AugAssign(target=ast.Name(id=name)) if updates:
                found.add(name)
        found |= set(map(root_of, filled(n)))
    return found & params


def shows_object(n: ast.expr, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether an attribute is read that arrays do not have; a method that is called may be one of theirs."""
    called = isinstance(call := parents.get(n), ast.Call) and call.func is n
    return isinstance(n, ast.Attribute) and n.attr not in OF_ARRAYS and not called


def filled(n: ast.AST) -> list[ast.expr]:
    """The arrays that a call writes into, as its text shows: np.add(a, b, out=c), np.put(a, k, v), a.fill(v)."""
    if not isinstance(n, ast.Call):
        return []
    outs = [k.value for k in n.keywords if k.arg == "out"]
    found = [e for out in outs for e in (out.elts if isinstance(out, ast.Tuple) else [out])]
    match n:
        case ast.Call(func=ast.Attribute(attr="at" | "shuffle"), args=[array, *_]):
            found.append(array)
        case ast.Call(func=ast.Attribute(value=receiver, attr=attr), args=args):
            if args and f"numpy.{attr}" in known.MUTATING_FUNCTIONS:
                found.append(args[0])
            if attr in ("fill", "partition", "put", "sort"):
                found.append(receiver)
            function = getattr(np, attr, None)
            operands = function.nin if isinstance(function, np.ufunc) else known.OPERANDS.get(attr)
            if operands is not None and len(args) == operands + 1:
                found.append(args[-1])
    return [viewed(e) for e in found]


def viewed(e: ast.expr) -> ast.expr:
    """The array of which methods give a view: `a` of `a.reshape(-1)`."""
    while isinstance(e, ast.Call) and isinstance(e.func, ast.Attribute) and e.func.attr in known.VIEWING:
        e = e.func.value
    return e


def hands_on(n: ast.AST, function: ast.FunctionDef, names: ModuleNames) -> bool:
    """put(self.u, 1.0), where the function that is called writes into its argument, itself or by one more."""
    own = {a.arg for a in parameters(function)}
    match n:
        case ast.Call(func=ast.Name(id=name), args=args):
            called = names.functions.get(name)
            parts = [i for i, a in enumerate(args) if is_part(a) and root_of(a) in own]
            return isinstance(called, ast.FunctionDef) and any(writes(called, i, names) for i in parts)
    return False


def writes(function: ast.FunctionDef, i: int, names: ModuleNames) -> bool:
    """Whether a function writes into its argument number i, or hands it to one that does."""
    todo = [(function, i)]
    for f, k in todo:
        given = [p.arg for p in (*f.args.posonlyargs, *f.args.args)]
        if k >= len(given):
            continue
        if given[k] in written_arrays(f):
            return True
        for n in walk(f):
            match n:
                case ast.Call(func=ast.Name(id=name), args=args):
                    called = names.functions.get(name)
                    if isinstance(called, ast.FunctionDef):
                        places = [(called, at) for at, a in enumerate(args) if root_of(a) == given[k]]
                        todo += [p for p in places if p not in todo]
    return False


def given_on(n: ast.AST, given: Container[str], names: ModuleNames) -> list[ast.FunctionDef]:
    """The functions that a call may hand what is given to: methods, its own or `Base.kick(self, a)`, by their name."""
    match n:
        case ast.Call(func=ast.Attribute(value=receiver, attr=name), args=args, keywords=keywords) if any(
            root_of(a) in given for a in (receiver, *args, *(k.value for k in keywords))
        ):
            return [c.methods[name] for c in names.classes.values() if name in c.methods]
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords) if any(
            root_of(a) in given for a in (*args, *(k.value for k in keywords))
        ):
            node = names.functions.get(name)
            return [node] if isinstance(node, ast.FunctionDef) else []
    return []


def is_part(e: ast.expr) -> bool:
    """Whether an expression is an attribute, or an entry under a text, of something."""
    return isinstance(e, ast.Attribute) or (isinstance(e, ast.Subscript) and string_key(e) is not None)


def copied_from(value: ast.expr) -> Iterator[ast.expr]:
    """The dicts and objects of which a value is a copy that shares their parts."""
    match value:
        case ast.Dict(keys=keys, values=values):
            for k, v in zip(keys, values, strict=True):
                if k is None:
                    yield v
        case ast.BinOp(left=a, op=ast.BitOr(), right=b):
            for e in (a, b):
                yield e
                yield from copied_from(e)
        case ast.Call(func=ast.Attribute(value=inner, attr="copy" | "_replace")):
            yield inner
        case ast.Call(func=ast.Name(id="dict" | "replace") | ast.Attribute(attr="replace"), args=args):
            yield from args


def is_tuple(group: Group) -> bool:
    return group.cls is not None and group.cls.kind == "namedtuple"


def bind_alike(branch: ast.If, name: str) -> bool:
    """Whether both branches surely bind the same parts of an object or a dict, in the same order, and nothing else of
    it."""
    parts = [parts_bound(body, name) for body in (branch.body, branch.orelse)]
    return parts[0] is not None and parts[0] == parts[1]


def parts_bound(body: List[ast.stmt], name: str) -> list[str] | None:
    """The attributes or entries that statements surely bind, in order; None where they may bind others."""
    found: list[str] = []
    for s in body:
        stores = [n for n in walk(s) if isinstance(n, ast.Attribute | ast.Subscript) and isinstance(n.ctx, ast.Store)]
        match s:
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript() as place]) if stores == [place]:
                found += [ast.unparse(place)] if root_of(place) == name else []
            case ast.If():
                inner = parts_bound(s.body, name)
                if inner is None or inner != parts_bound(s.orelse, name):
                    return None
                found += inner
            case _:
                if any(root_of(n) == name for n in stores):
                    return None
    return list(dict.fromkeys(found))


def is_key(text: str) -> bool:
    return text.isprintable() and not set(text) & set("\"'\\[]")


def agrees(a: Group, b: Group | None) -> bool:
    """Whether two groups have the same parts; what is added to one later may be absent of the other."""
    if b is None or not a.same(b):
        return False
    if (a.parts.keys() | a.added) - b.added != (b.parts.keys() | b.added) - b.added:
        return False
    for key in a.parts.keys() & b.parts.keys():
        x, y = a.parts[key], b.parts[key]
        if (x is None) != (y is None) or (x is not None and not agrees(x, y)):
            return False
    return True


def arguments_of(cls: ClassInfo, call: ast.Call) -> dict[str, ast.expr] | None:
    """The fields (or parameters of a constructor) that a call gives, with defaults; None where that is not known."""
    if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
        return None
    defaults: dict[str, ast.expr | None]
    order: list[str]
    if cls.kind == "plain":
        if cls.init is None:
            return {} if not call.args and not call.keywords else None
        a = cls.init.args
        order = [x.arg for x in [*a.posonlyargs, *a.args]][1:]
        defaults = dict.fromkeys([*order, *(x.arg for x in a.kwonlyargs)])
        for x, d in zip(reversed(order), reversed(a.defaults), strict=False):
            defaults[x] = d
        defaults |= {x.arg: d for x, d in zip(a.kwonlyargs, a.kw_defaults, strict=True) if d is not None}
    else:
        order = list(cls.fields)
        defaults = {n: f.default for n, f in cls.fields.items()}
    if len(call.args) > len(order):
        return None
    given: dict[str, ast.expr] = dict(zip(order, call.args, strict=False))
    for k in call.keywords:
        if k.arg not in defaults or k.arg in given:
            return None
        given[str(k.arg)] = k.value
    for n, default in defaults.items():
        if n not in given:
            if default is None or (cls.prefix and not reads_alike(default, cls.alike)):
                return None
            given[n] = default
    return {n: given[n] for n in defaults}


def reads_alike(default: ast.expr, names: Collection[str]) -> bool:
    """Whether a default of another module is written out here as well: `(0.1, 2.0)`, a new list for each object.

    names: those that are the same in both modules.
    """
    if is_made_anew(default):
        return read_names(default) <= set(names)
    return is_literal(default) and not any(isinstance(n, ast.List | ast.Dict | ast.Set) for n in walk(default))


def given_fields(cls: ClassInfo, call: ast.Call) -> dict[str, ast.expr]:
    """What a constructor gives its fields, as far as it keeps what it is given."""
    if cls.kind == "namespace":
        return {k.arg: k.value for k in call.keywords if k.arg}
    given = arguments_of(cls, call) or {}
    if cls.kind != "plain" or cls.init is None or cls.makes:
        return {n: e for n, e in given.items() if n in cls.fields}
    own = cls.init.args.args[0].arg if cls.init.args.args else ""
    found: dict[str, ast.expr] = {}
    for s in walk(cls.init):
        match s:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=who), attr=attr)], value=value) if who == own:
                if isinstance(value, ast.Name) and value.id in given and attr in cls.fields:
                    found[attr] = given[value.id]
                elif (isinstance(value, ast.Call) or is_none(value)) and attr in cls.fields:
                    found[attr] = value  # a new object, or none yet
    return found


def writable(init: ast.FunctionDef) -> bool:
    """A constructor whose statements can stand where it is called; `self` is read by its attributes only."""
    from s2s.frontend.text.classes import straight

    own = init.args.args[0].arg if init.args.args else ""
    if not own or not straight(init):
        return False
    parents = {c: n for n in walk(init) for c in children(n)}
    fields = set(written_fields(init))
    for n in walk(init):
        if isinstance(n, ast.Name) and n.id == own:
            up = parents[n]
            if not isinstance(up, ast.Attribute) or up.attr not in fields:
                return False
        if isinstance(n, ast.Lambda | ast.NamedExpr) or (isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)):
            return False
    return True


def written_fields(init: ast.FunctionDef) -> Iterator[str]:
    """The attributes that the statements of a constructor assign, each once it is sure."""
    own = init.args.args[0].arg if init.args.args else ""
    seen: set[str] = set()
    for s in init.body:
        targets = s.targets if isinstance(s, ast.Assign) else [s.target] if isinstance(s, ast.AnnAssign) else []
        for t in targets:
            match t:
                case ast.Attribute(value=ast.Name(id=who), attr=name) if who == own and name not in seen:
                    seen.add(name)
                    yield name


def copies_itself(cls: ClassInfo) -> bool:
    """Whether a class says what `copy` makes of its objects: something else than one with the same fields."""
    own = ("copy", "deepcopy", "reduce", "reduce_ex", "getstate", "setstate", "new")
    return any(f"__{name}__" in cls.methods for name in own)
