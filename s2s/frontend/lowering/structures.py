"""Objects and dicts in the lowering: groups are taken apart where they are bound and put together where they are used.

state = step_of(State(x, v))        a call: one value, whose attributes are read as `state.x`
state = State(x, v)                 state_x = x;  state_v = v
return state                        return State(x=state_x, v=state_v)
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Sequence as List
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from s2s import ir
from s2s.errors import Diagnostic
from s2s.frontend.lowering.expressions import Expressions
from s2s.frontend.rewrites.objects import (
    OF_ARRAYS,
    READING,
    Group,
    Grouping,
    Path,
    affects,
    arguments_of,
    copies_itself,
    is_tuple,
    keeps,
    part_text,
)
from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.fickle import changes
from s2s.frontend.text.function_bodies import has_effects
from s2s.frontend.text.kinds import PLAIN
from s2s.frontend.text.names import COPIES, NAMESPACE
from s2s.frontend.text.refuse import IN_LISTS_HELP, IN_OBJECTS_HELP, diagnostic
from s2s.frontend.text.scopes import is_read_outside, parameters, read_names, walk
from s2s.frontend.text.source import expression, made
from s2s.frontend.text.stated import with_fields
from s2s.frozen import replace
from s2s.ir import Assign, Attr, Const, Expr, Form, Inert, Op, Var


@dataclass(frozen=True)
class Bound:
    """An expression under the values of comprehension variables."""

    node: ast.expr
    values: tuple[tuple[str, Expr], ...]


Leaf = ast.expr | Expr | Bound
LONGEST = 16  # loops over more keys are not written out


class Structures(Expressions):
    """What is known of objects is used: parts are variables, methods are functions, wholes are displays."""

    def assign_to(self, target: ast.expr, value: ast.expr) -> None:
        raise NotImplementedError  # `Lowering`

    def grouping(self) -> Grouping:
        found = Grouping(self, [], {})
        found.env = self.groups
        return found

    # ------------------------------------------------------------ wholes

    def display(self, path: Path, group: Group) -> Expr:
        """The object or the dict, put together from its variables."""
        keys = tuple(Const(k) for k in group.parts)
        values = tuple(self.part_of((*path, k), inner) for k, inner in group.parts.items())
        return ir.Dict(keys, values, group.cls.path or group.cls.name if group.cls is not None else "")

    def part_of(self, path: Path, inner: Group | None) -> Expr:
        return self.variable_at(path) if inner is None else self.display(path, inner)

    def variable_at(self, path: Path) -> Expr:
        own = self.entries[self.rooted(path)]
        return self.rename.get(own, Var(own))

    def whole(self, node: ast.expr) -> Expr | None:
        """A name or a path that stands for several variables, as one value."""
        path = self.chain(node)
        if path is None:
            return None
        path = self.rooted(path)
        group = self.group_at(node)
        if group is not None:
            return self.display(path, group)
        if path[0] in self.stored and any(p[: len(path)] == path for p in self.stored[path[0]]):
            return self.changed_parameter(node, path, self.keeps(node))
        if isinstance(node, ast.Name) and node.id in self.aliases:
            return Var(part_text(path))
        return None

    def changed_parameter(self, node: ast.expr, path: Path, kept: bool) -> Expr:
        """A parameter of which the function has changed a part, as a whole: put together where that is possible.

        kept: what it is used for may hold on to the object.
        """
        cls = self.class_at(path)
        if cls is None or not cls.makes or any(len(p) != len(path) + 1 for p in self.stored[path[0]]) or kept:
            return self.refuse("changed", node, self.text(node), help=self.how_made(path, cls))
        parts: dict[str, Expr] = {}
        for name in cls.fields:
            own = self.variable_of((*path, Attr(name)))
            parts[Attr(name)] = Var(own) if own is not None else ir.NONE
        return ir.Dict(tuple(map(Const, parts)), tuple(parts.values()), cls.path or cls.name)

    def how_made(self, path: Path, cls: ClassInfo | None) -> tuple[str, ...]:
        """What it takes to put an object together again."""
        parts = "or hand on its parts one by one"
        if cls is None:
            return f"state the class of the parameter: `def f({path[0]}: State)`", parts
        if not cls.makes:
            return f"let the constructor of `{cls.name}` take the attributes and do no more than keep them", parts
        return (parts.removeprefix("or "),)

    def keeps(self, node: ast.expr) -> bool:
        """Whether what a whole is used for may hold on to the object."""
        up = self.parents.get(node)
        match up:
            case ast.Return():
                return False
            case ast.Attribute(attr=attr):
                cls = self.class_of_value(node)
                return cls is None or attr not in cls.methods or keeps(cls.methods[attr], 0)
            case ast.Call(func=func, args=args) if func is not node:
                found = self.resolve(func)
                callee = self.names.find_function(found[0][6:]) if found and found[0].startswith("local.") else None
                return callee is None or keeps(callee, next((i for i, a in enumerate(args) if a is node), ""))
        return True

    # ------------------------------------------------------------ taking apart

    def leaves(self, path: Path, group: Group, value: ast.expr) -> dict[Path, Leaf]:
        """What each variable of a group is given by an expression that makes it."""
        out: dict[Path, Leaf] = {}

        def part(key: str, v: ast.expr) -> None:
            inner = group.parts[key]
            for old in [p for p in out if p[: len(path) + 1] == (*path, key)]:
                del out[old]
            if inner is None:
                out[*path, key] = v
            else:
                out.update(self.leaves((*path, key), inner, v))

        match value:
            case ast.Dict(keys=keys, values=values):
                for k, v in zip(keys, values, strict=True):
                    if isinstance(k, ast.Constant):
                        part(str(k.value), v)
                    else:
                        out |= self.leaves(path, group, v)
            case ast.DictComp(value=element, generators=[g]):
                kept = dict(self.grouping().kept(value) or ())
                for item in self.items_of(g.iter) or []:
                    bound = bound_to(g.target, item)
                    if bound is None:
                        self.refuse("dict", value, f"the target `{self.text(g.target)}` is not followed here")
                        break
                    key = item.items[0] if isinstance(item, ir.Sequence) else item
                    assert isinstance(key, Const)
                    if key.value in kept:
                        out[*path, kept[key.value]] = Bound(element, tuple(bound.items()))
            case ast.Name() | ast.Attribute() | ast.Subscript():
                source = self.chain(value)
                found = self.group_at(value)
                assert source is not None and found is not None
                out |= self.copies(path, self.rooted(source), found)
            case ast.BinOp(left=a, right=b):
                out |= self.leaves(path, group, a)
                out |= self.leaves(path, group, b)
            case ast.Call(func=ast.Attribute(value=inner, attr="_replace" | "copy"), args=[], keywords=options):
                out |= self.leaves(path, group, inner)
                for o in options:
                    part(Attr(o.arg), o.value)
            case ast.Call(func=func, args=args, keywords=options):
                match self.resolve(func), args:
                    case ("dataclasses.replace" | "copy.copy", None), [inner]:
                        out |= self.leaves(path, group, inner)
                        for o in options:
                            part(Attr(o.arg), o.value)
                    case ("copy.deepcopy", None), [inner]:
                        out |= {p: self.deep(leaf, value) for p, leaf in self.leaves(path, group, inner).items()}
                    case ("builtins.dict", None), _:
                        for inner in args:
                            out |= self.leaves(path, group, inner)
                        for o in options:
                            part(str(o.arg), o.value)
                    case (fn, None), [] if fn == NAMESPACE:
                        for o in options:
                            part(Attr(o.arg), o.value)
                    case _ if getattr(value, "empty", False):
                        pass  # its attributes are assigned next
                    case _ if group.cls is not None and not group.cls.makes:
                        if path[0] in read_names(value):
                            self.refuse("constructor", value, group.cls.name)
                        self.constructor_written_out(path, group.cls, value)
                    case _:
                        assert group.cls is not None
                        for name, v in (arguments_of(group.cls, value) or {}).items():
                            part(Attr(name), v)
        return out

    def deep(self, leaf: Leaf, call: ast.Call) -> Leaf:
        """What `copy.deepcopy` makes of a part of what it is given."""
        if isinstance(leaf, Bound):
            return replace(leaf, node=made(ast.Call(call.func, [leaf.node], []), call))
        if isinstance(leaf, ast.expr):
            return leaf if isinstance(leaf, ast.Constant) else made(ast.Call(call.func, [leaf], []), call)
        return leaf if isinstance(leaf, Const) else Op("copy.deepcopy", (leaf,), spelling=ast.unparse(call.func))

    def copies(self, path: Path, source: Path, group: Group) -> dict[Path, Leaf]:
        out: dict[Path, Leaf] = {}
        for key, inner in group.parts.items():
            if inner is None:
                out[*path, key] = self.variable_at((*source, key))
            else:
                out |= self.copies((*path, key), (*source, key), inner)
        return out

    def assign_group(self, path: Path, group: Group, value: ast.expr) -> None:
        """Each variable of the group is given its value; one that a later value reads is given it at the end."""
        cls = self.class_of(value.func) if isinstance(value, ast.Call) else None
        if cls is not None and not cls.makes:
            assert isinstance(value, ast.Call)
            self.constructor_written_out(path, cls, value)
            return
        leaves = [(self.entries[p], e) for p, e in self.leaves(path, group, value).items() if e != Var(self.entries[p])]
        late: list[tuple[str, str]] = []
        for i, (own, e) in enumerate(leaves):
            target = own
            if any(own in self.variables_in(x) for _, x in leaves[i + 1 :]):
                target = self.fresh(f"{own}_new")
                late.append((own, target))
            if isinstance(e, Bound):
                outer = self.rename
                self.rename = outer | dict(e.values)
                self.assign(target, e.node)
                self.rename = outer
            elif isinstance(e, ast.expr):
                self.assign(target, e)
            else:
                self.set(target, e)
        for own, target in late:
            self.set(own, Var(target))

    def variables_in(self, e: Leaf) -> set[str]:
        """The variables of groups that an expression reads."""
        if isinstance(e, Bound):
            return self.variables_in(e.node).union(*(ir.reads(v) for _, v in e.values))
        if not isinstance(e, ast.expr):
            return set(ir.reads(e))
        found: set[str] = set()
        for n in walk(e):
            if isinstance(n, ast.Name) and n.id in self.groups:
                found |= {v for p, v in self.entries.items() if p[0] == n.id}
        return found

    def constructor_written_out(self, path: Path, cls: ClassInfo, call: ast.Call) -> None:
        """The statements of a constructor, with the arguments for its parameters."""
        if cls.init is None or getattr(call, "empty", False):
            return
        given = arguments_of(cls, call)
        assert given is not None
        again = path[0] in read_names(call)
        outer = self.rename
        values = {n: self.held(v) if again else self.atom(v) for n, v in given.items()}
        own = cls.init.args.args[0].arg
        self.rename = outer | values
        standing, self.standing = self.standing, self.standing | {own: path}
        for s in cls.init.body:
            match s:
                case (
                    ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value)
                ):
                    self.assign_to(target, value)
                case ast.Assign(targets=targets, value=value):
                    for t in targets:
                        self.assign_to(t, value)
                case ast.Assert(test=test):
                    self.emit(Inert("assert", (self.tree(test),), self.origin))
        self.standing = standing
        self.rename = outer

    def held(self, value: ast.expr) -> Expr:
        raise NotImplementedError  # `Lowering`

    def constructed(self, node: ast.expr, operand: Callable[[ast.expr], Expr]) -> Expr | None:
        """A display of an object or a dict that is made where it is used."""
        if isinstance(node, ast.Call) and self.resolve(node.func) is None and self.class_of(node.func) is None:
            return None
        group = self.grouping().made(node)
        if group is None or not self.can_be_made(group):
            return None

        def built(path: Path, group: Group, leaves: dict[Path, Leaf]) -> Expr:
            values = []
            for k, inner in group.parts.items():
                if inner is not None:
                    values.append(built((*path, k), inner, leaves))
                else:
                    e = leaves[*path, k]
                    outer = self.rename
                    if isinstance(e, Bound):
                        self.rename = outer | dict(e.values)
                        e = e.node
                    values.append(
                        (self.operand(e) if operand == self.atom else operand(e)) if isinstance(e, ast.expr) else e
                    )
                    self.rename = outer
            made = group.cls.path or group.cls.name if group.cls is not None else ""
            return ir.Dict(tuple(Const(k) for k in group.parts), tuple(values), made)

        return built(("",), group, self.leaves(("",), group, node))

    def can_be_made(self, group: Group) -> bool:
        return group.is_made and all(g is None or self.can_be_made(g) for g in group.parts.values())

    # ------------------------------------------------------------ reads and calls

    def of_object(self, node: ast.Attribute) -> Expr | None:
        """The attribute of an object: a variable, a property, or a read of one value."""
        own = self.part(node)
        if own is not None:
            self.seen.add(node.value.id if isinstance(node.value, ast.Name) else "")
            return self.rename.get(own, Var(own))
        whole = self.whole(node)
        if whole is not None:
            return whole
        cls = self.class_of_value(node.value)
        if cls is not None and node.attr in cls.constants:
            receiver = Var(cls.name) if self.group_at(node.value) is not None else self.tree(node.value)
            return ir.Attribute(receiver, node.attr, self.source.span(node))
        if cls is not None and node.attr in cls.properties:
            return self.method(node, cls, (), (), Form.ATTRIBUTE)
        return None

    def class_of_value(self, node: ast.expr) -> ClassInfo | None:
        """The class of a receiver, where it is known."""
        group = self.group_at(node)
        if group is not None:
            return group.cls if group.cls is None or not self.may_be_another(node) else None
        path = self.chain(node)
        return self.class_at(path) if path is not None else None

    def may_be_another(self, node: ast.expr) -> bool:
        """Whether a function that is called may bind an attribute to an object of another class than it is made of."""
        if not isinstance(node, ast.Attribute) or node.attr not in self.bound_by_calls():
            return False
        owner = self.group_at(node.value)
        cls = owner.cls if owner is not None else None
        return cls is None or not isinstance(self.inferred().get(f"{cls.name}.{node.attr}"), ClassInfo)

    def class_of_place(self, node: ast.expr) -> ClassInfo | None:
        """The class of `bodies[i]`, of a list of objects made here: those of a parameter may be of a subclass."""
        match node:
            case ast.Subscript(value=items, slice=key) if not isinstance(key, ast.Slice | ast.Tuple):
                cls = self.class_of_member(items)
                return cls if cls is not None and not self.is_given(items) else None
        return None

    def method_call(self, node: ast.Call, operand: Callable[[ast.expr], Expr]) -> Expr | None:
        """A call of a method whose class is known, of a dict whose keys are known, or of a constructor."""
        func = node.func
        if isinstance(func, ast.Attribute):
            group = self.group_at(func.value)
            if group is not None and not group.is_object and func.attr in READING:
                return self.read_of_dict(node, func, group)
            cls = self.class_of_value(func.value) or self.class_of_place(func.value)
            named = self.class_of(func.value) if cls is None and not self.is_local_root(func) else None
            owner = cls or named
            if owner is not None and func.attr in owner.methods:
                args = tuple(operand(a) for a in node.args if not isinstance(a, ast.Starred))
                options = tuple((k.arg or "", operand(k.value)) for k in node.keywords)
                if len(args) < len(node.args) or any(not k for k, _ in options):
                    return self.refuse("star", node, f"`{self.text(node)}`")
                return self.method(func, owner, args, options, Form.CALL if cls is None else Form.METHOD)
        cls = self.class_of(func) if not self.is_local_root(func) else None
        if cls is None and (self.resolve(func) or ("", None))[0] in COPIES:
            for own in filter(copies_itself, self.names.classes.values()):
                return self.refuse("copied", node, own.name)
        if cls is not None or (self.resolve(func) or ("", None))[0] in (NAMESPACE, "dataclasses.replace", *COPIES):
            made = self.constructed(node, operand)
            if made is not None:
                return made
            if cls is not None and cls.makes and any(isinstance(a, ast.Starred) for a in node.args):
                return self.refuse("star", node, f"`{self.text(node)}`")
            if cls is not None:
                why = getattr(self.node, "reasons", {}).get(cls.name, "")
                listed = not why and any(isinstance(n, ast.ListComp) and n.elt is node for n in walk(self.node))
                help_: tuple[str, ...] | None = IN_LISTS_HELP if listed else None
                if cls.doubt:
                    why, *ways = cls.doubt
                    help_ = (*ways,)
                if not why and not cls.doubt and self.is_of_constants(node, cls):
                    return self.of_constants(node)
                if attr := self.gets_objects(cls):
                    help_ = (IN_OBJECTS_HELP.format(attr, cls.name),)
                return self.refuse("constructor", node, cls.name, label=why, help=help_)
            of = self.class_of_value(node.args[0]) if self.replaced(node) is not None else None
            if of is not None and not of.makes:
                return self.refuse("constructor", node, of.name)
        if isinstance(func, ast.Attribute) and func.attr == "_replace":
            return self.constructed(node, operand)
        return None

    def is_of_constants(self, call: ast.Call, cls: ClassInfo) -> bool:
        """Whether an object is made of literals alone, the same each time, in a function that binds no attributes."""
        given = [*call.args, *(k.value for k in call.keywords)]
        if cls.kind != "plain" or not cls.is_known or not all(isinstance(e, ast.Constant) for e in given):
            return False
        bound = any(isinstance(n, ast.Attribute) and not isinstance(n.ctx, ast.Load) for n in walk(self.node))
        functions = self.names.functions
        return not bound and (cls.init is None or not changes(cls.init, cls.methods, functions, set()))

    def of_constants(self, call: ast.Call) -> Expr:
        """`Ellipsoid("wgs84")` as it stands: what it is made of carries no derivative, and it is read as an object of
        the caller is, which a parameter may be: `if ell is None: ell = Ellipsoid()`."""
        options = tuple((str(k.arg), self.tree(k.value)) for k in call.keywords)
        args, name = tuple(map(self.tree, call.args)), self.text(call.func)
        return Op(f"object.{name}", args, options, Form.CALL, name, self.source.span(call))

    def gets_objects(self, cls: ClassInfo) -> str:
        """The attribute of a class under which objects made here are appended to a list that its constructor makes."""
        empty: set[str] = {
            t.attr
            for s in (cls.init.body if cls.init is not None else ())
            if isinstance(s, ast.Assign) and isinstance(s.value, ast.List)
            for t in s.targets
            if isinstance(t, ast.Attribute)
        }
        for n in walk(self.node) if empty else ():
            match n:
                case ast.Call(func=ast.Attribute(attr="append"), args=items) | ast.List(elts=items):
                    calls = (e.func for e in items if isinstance(e, ast.Call) and not self.is_local_root(e.func))
                    names = (e for e in items if isinstance(e, ast.Name))
                    if any(map(self.class_of, calls)) or any(map(self.class_of_value, names)):
                        return sorted(empty)[0]
        return ""

    def is_local_root(self, func: ast.expr) -> bool:
        while isinstance(func, ast.Attribute):
            func = func.value
        return not isinstance(func, ast.Name) or self.is_local(func.id)

    def problems(self) -> list[Diagnostic]:
        """All that is refused, but for what follows from the rest: an object is not followed from its constructor on
        where a call that changes it stands inside a statement."""
        follow = {diagnostic("constructor", None, c).message for c in self.changing}
        return [d for d in self.refusals if d.message not in follow]

    def method(
        self,
        func: ast.Attribute,
        cls: ClassInfo,
        args: tuple[Expr, ...],
        options: tuple[tuple[str, Expr], ...],
        form: Form,
    ) -> Expr:
        name, span = func.attr, self.source.span(func)
        if name in cls.strange:
            if name in cls.cached:
                return self.refuse("cached", func, name)
            return self.refuse("decorated", func, name, "its decorator is not known")
        if affects(cls.methods[name], self.names):
            values = [n.value for n in walk(self.node) if isinstance(n, ast.Expr | ast.Assign | ast.Return)]
            if not any(isinstance(v, ast.Call) and v.func is func for v in values):
                self.changing.add(cls.name)
            return self.refuse("changes", func, self.text(func))
        fn = f"local.{cls.key(name)}"
        if form is Form.CALL or name in cls.statics:  # Model.layer(self, x)
            text = self.text(func) if self.group_at(func.value) is None else f"{cls.path or cls.name}.{name}"
            return Op(fn, args, options, Form.CALL, text, span)
        receiver = self.atom(func.value)
        path = self.chain(func.value)
        if self.group_at(func.value) is None and path is not None:
            guard = (self.variable_of(path) or part_text(self.rooted(path)), cls.path or cls.name, name)
            given = self.rooted(path)[0] in self.params - self.bound
            if given and (self.in_tree or not self.lacks_part(path)):
                self.guarded.setdefault(guard)
            elif not self.in_tree and self.may_be_given(func.value):
                self.ahead(Inert("assert", (self.is_method(guard),), self.origin))
        return Op(fn, (receiver, *args), options, form, name, span)

    def ahead(self, s: ir.Stmt) -> None:
        """Writes a statement before the pieces of the user's statement that is being lowered."""
        at = len(self.out)
        while at and getattr(self.out[at - 1], "origin", None) is self.origin:
            at -= 1
        self.out.insert(at, s)

    def guards(self) -> list[ir.Stmt]:
        """The methods that are called are those of the classes that are stated: a subclass may have others."""
        tests = [self.is_method(g) for g in self.guarded]
        tests += [self.is_array(Var(name), attr) for name, attr in self.arrays_given.items()]
        tests += self.apart()
        if not tests:
            return []
        return [
            Inert("assert", (tests[0] if len(tests) == 1 else Op("operator.and", tuple(tests), form=Form.OPERATOR),))
        ]

    def is_array(self, e: Expr, attr: str) -> Expr:
        """hasattr(x, "dtype"), which no class of the module has; numbers of Python have a real part, too."""
        own = "conjugate" if attr in ("real", "imag") else "dtype"
        return Op("builtins.hasattr", (e, Const(own)), spelling="hasattr")

    def asks_array(self, node: ast.Attribute) -> bool:
        """Whether an attribute is that of an array for sure, where a class of the module has one of its name, too: the
        output asserts so of what the caller gives."""
        e, attr = node.value, node.attr
        if not self.objects_have(attr):
            return True
        root = e
        while isinstance(root, ast.Subscript | ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name):
            return True
        name = root.id
        known = self.name_bindings[name]
        if name in self.params:
            notes = [a.annotation for a in parameters(self.node) if a.arg == name and a.annotation]
            if name in self.typed or (notes and self.kinds().annotated(ast.unparse(notes[0])) is PLAIN):
                return True
        elif known.values and not known.lists and None not in self.values_of(name):
            return True  # `may_be_object_with` knows
        elif known.lists and not any(self.is_given(items) for _, items in known.lists):
            return True
        if root is e and name in self.params - self.bound:
            self.arrays_given.setdefault(name, attr)
            return True
        if not self.is_local(name):
            return False  # of a comprehension
        self.emit(Inert("assert", (self.is_array(self.tree(e), attr),), self.origin))
        return True

    def taken_for_array(self, node: ast.Call, fn: str) -> str:
        """The attribute that a function reads of what may be an object here, and takes for that of an array; "" for
        none."""
        shared = OF_ARRAYS & {*self.namespaces().attributes, *(n for cls in self.known_classes() for n in cls.fields)}
        callee = self.names.find_function(fn[6:]) if shared else None
        if callee is None:
            return ""
        params = [p.arg for p in (*callee.args.posonlyargs, *callee.args.args)]
        given: dict[str, ast.expr] = dict(zip(params, node.args, strict=False))
        given |= {k.arg: k.value for k in node.keywords if k.arg}
        stated = {p.arg for p in parameters(callee) if p.annotation is not None}
        for of, attr in self.read_as_arrays(callee, shared, set()):
            for p in [of] if of in given else sorted(given):
                e = given[p]
                if p not in stated and (self.is_unbound(e) or self.may_be_object_with(e, attr)):
                    return attr
        return ""

    def is_unbound(self, e: ast.expr) -> bool:
        """Whether nothing is known of a name here: an item that `map` hands over, a parameter of a function inside."""
        if not isinstance(e, ast.Name) or e.id in self.params:
            return False
        bound = self.name_bindings[e.id]
        return not (bound.stores or bound.lists)

    def read_as_arrays(self, function: ast.AST, shared: AbstractSet[str], seen: set[ast.AST]) -> set[tuple[str, str]]:
        """The attributes that a function reads, or one that it calls, with the parameter of which it does, or ""."""
        seen.add(function)
        own = {p.arg for p in parameters(function)} if isinstance(function, ast.FunctionDef) else set()
        found: set[tuple[str, str]] = set()
        for n in walk(function):
            match n:
                case ast.Attribute(value=value, attr=attr) if attr in shared:
                    found.add((value.id if isinstance(value, ast.Name) and value.id in own else "", attr))
                case ast.Name(id=name) if isinstance(inner := self.names.functions.get(name), ast.FunctionDef):
                    if inner not in seen:
                        found |= {("", attr) for _, attr in self.read_as_arrays(inner, shared, seen)}
        return found

    def apart(self) -> list[Expr]:
        """Objects of which one is changed are not one object, where both have the part that changes, nor do they lie in
        a list whose objects have it."""
        if not self.stored:
            return []
        paths = {
            self.rooted(p): None
            for n in self.parents
            if isinstance(n, ast.Attribute | ast.Subscript) and (p := self.chain(n)) is not None
            if self.rooted(p)[0] in self.params - self.bound
        }
        pairs: dict[tuple[str, str], None] = {}
        for changed in (p for stored in self.stored.values() for p in stored):
            for other in paths:
                owner, same = changed[:-1], other[:-1]
                if other[-1] == changed[-1] and owner != same and (part_text(same), part_text(owner)) not in pairs:
                    pairs[part_text(owner), part_text(same)] = None
        tests: list[Expr] = [Op("operator.is_not", (Var(a), Var(b)), form=Form.OPERATOR) for a, b in pairs]
        parts = {p[:-1]: p[-1] for stored in self.stored.values() for p in stored}
        lists = [p for p in parameters(self.node) if parts and p.arg in self.params - self.bound]
        classes = [(p.arg, cls) for p in lists if (cls := self.class_in_list(p.annotation)) is not None]
        for owner, part in parts.items():
            for items in (n for n, cls in classes if isinstance(part, Attr) and cls.has(part)):  # it may lie there, too
                differs = Op("operator.is_not", (Var("v"), Var(part_text(owner))), form=Form.OPERATOR)
                each = ir.Comprehension(differs, ((Var("v"), Var(items), ()),), "generator")
                tests.append(Op("builtins.all", (each,)))
        return tests

    @staticmethod
    def is_method(guard: tuple[str, str, str]) -> Expr:
        """type(state).energy is State.energy"""
        receiver, cls, name = guard
        e: Expr = Var(cls.split(".")[0])
        for part in cls.split(".")[1:]:
            e = ir.Attribute(e, part)
        kind = Op("builtins.type", (Var(receiver),))
        return Op("operator.is", (ir.Attribute(kind, name), ir.Attribute(e, name)), form=Form.OPERATOR)

    def read_of_dict(self, node: ast.Call, func: ast.Attribute, group: Group) -> Expr:
        """items(), keys(), values(), get() and copy() of a dict with known keys."""
        path = self.chain(func.value)
        assert path is not None
        path = self.rooted(path)
        values = [self.part_of((*path, k), inner) for k, inner in group.parts.items()]
        keys = [Const(k) for k in group.parts]
        match func.attr, node.args:
            case "keys", []:
                return ir.Sequence(tuple(keys))
            case "values", []:
                return ir.Sequence(tuple(values))
            case "items", []:
                return ir.Sequence(tuple(ir.Sequence((k, v)) for k, v in zip(keys, values, strict=True)))
            case "copy", []:
                return self.display(path, group)
            case "get", [ast.Constant(value=str() as key), *rest] if (
                not node.keywords and len(rest) < 2 and not any(has_effects(e, self.names.functions) for e in rest)
            ):
                if key in group.parts and key not in group.added:
                    return values[list(group.parts).index(key)]
                if key not in group.parts:
                    return self.value(rest[0]) if rest else ir.NONE
        return self.refuse("dict", node, f"`{self.text(node)}` of a dict with known keys is not followed")

    # ------------------------------------------------------------ parts that are lists

    def listed_parts(self, nodes: Iterable[ast.AST]) -> set[str]:
        """The variables of parts that are only ever bound to lists which are made there: `{"x": [], "v": []}`."""
        values: dict[str, list[Leaf | None]] = {}
        for n in nodes:
            match n:
                case (
                    ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value)
                ):
                    path = self.chain(target) if isinstance(target, ast.expr) else None
                    if path is None:
                        continue
                    path = self.rooted(path)
                    if path in self.entries and path[0] in self.groups:
                        values.setdefault(self.entries[path], []).append(value)
                    group = self.group_at(target)
                    if group is not None:
                        for own, leaf in self.given_parts(path, group, value):
                            values.setdefault(own, []).append(leaf)
        return {
            own for own, given in values.items() if all(isinstance(v, ast.expr) and self.makes_list(v) for v in given)
        }

    def given_parts(self, path: Path, group: Group, value: ast.expr) -> Iterator[tuple[str, Leaf | None]]:
        """What the variables of a group are given where it is bound."""
        cls = self.class_of(value.func) if isinstance(value, ast.Call) else None
        if cls is not None and not cls.makes:
            init = None if getattr(value, "empty", False) else cls.init
            handed = arguments_of(cls, value) or {} if isinstance(value, ast.Call) else {}
            handed = {p: e for p, e in handed.items() if isinstance(e, ast.Constant) or not is_shared(e, cls)}
            for s in init.body if init is not None else ():
                match s:
                    case (
                        ast.Assign(targets=[ast.Attribute(attr=name)], value=given)
                        | ast.AnnAssign(target=ast.Attribute(attr=name), value=ast.expr() as given)
                    ) if (*path, Attr(name)) in self.entries:
                        yield self.entries[*path, Attr(name)], meant(given, handed)
            return
        for p, leaf in self.leaves(path, group, value).items():
            yield self.entries[p], None if cls is not None and is_shared(leaf, cls) else leaf

    def by_variable(self, e: ast.expr) -> ast.expr:
        """A part that is a list as the variable that it is: `history["x"]` as `history_x`."""
        own = self.part(e) if isinstance(e, ast.Attribute | ast.Subscript) else None
        if own is None or own not in self.lists:
            return e
        self.locals.add(own)
        return made(ast.Name(own, ast.Load()), e)

    # ------------------------------------------------------------ loops over known keys

    def items_of(self, it: ast.expr) -> list[Expr] | None:
        """What a loop runs over, where that is known: texts, or the keys, values and items of a dict."""
        match it:
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                texts: list[Expr] = [Const(e.value) for e in elts if isinstance(e, ast.Constant)]
                known = len(texts) == len(elts) and all(
                    isinstance(t, Const) and isinstance(t.value, str) for t in texts
                )
                return texts if texts and known else None
            case ast.Call(func=ast.Name(id="enumerate"), args=[of], keywords=[]) if not self.is_local("enumerate"):
                inner = self.items_of(of) if self.is_written_out(of) else None
                return None if inner is None else [ir.Sequence((Const(i), e)) for i, e in enumerate(inner)]
            case ast.Call(func=ast.Attribute(value=ast.Dict(keys=keys, values=given), attr="values" | "items" as attr)):
                names = [k.value for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, str)]
                if not names or len(set(names)) < len(given):
                    return None
                pairs = [(Const(n), self.atom(v)) for n, v in zip(names, given, strict=True)]
                return [v if attr == "values" else ir.Sequence((k, v)) for k, v in pairs]
            case ast.Call(func=ast.Attribute(value=inner, attr="keys" | "values" | "items") as func, args=[]):
                group = self.group_at(inner)
                if group is None or group.is_object:
                    return None
                found = self.read_of_dict(it, func, group)
                return list(found.items) if isinstance(found, ir.Sequence) else None
            case ast.Name(id=name):
                if self.is_written_out(it):
                    return self.items_of(self.names.values[name])
                group = self.group_at(it)
                return None if group is None or group.is_object else [Const(k) for k in group.parts]
        return None

    def written_loop(
        self, target: ast.expr, it: ast.expr, inside: List[ast.AST], write: Callable[[], None], own: bool = False
    ) -> bool:
        """A loop over known keys, written out: `write` writes the body once for each of them. own: that of a
        comprehension, whose variables nobody else has."""
        items = self.items_of(it)
        if items is None or len(items) > LONGEST:
            return False
        names = read_names(target)
        if isinstance(it, ast.Tuple | ast.List) and not any(self.is_keyed(n, names) for n in inside):
            return False
        named = isinstance(it, ast.Name) and self.is_written_out(it)
        numbered = isinstance(it, ast.Call) and isinstance(it.func, ast.Name)  # enumerate(("x", "v"))
        keyed = (n for n in inside if isinstance(n, ast.Subscript) and self.is_keyed(n, names))
        if (named or numbered) and not any(self.group_at(n.value) is not None for n in keyed):
            return False
        bound = {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        changed = {v for n in inside if isinstance(n, ast.expr) for v in self.stored_parts(n)}
        kept_behind = {n for n in names if not own and is_read_outside(self.node, n)}
        given = [bound_to(target, item) for item in items]
        if None in given:
            return False
        anew = bound | names
        anew |= {v for path, v in self.entries.items() if path[0] in anew}
        rounds = [self.held_before(it, v, anew, changed) for v in given if v is not None]
        for values in rounds:
            outer = self.rename
            self.rename = dict(outer)
            for name, e in values.items():
                kept = name not in bound
                if isinstance(e, Var):
                    kept = kept and e.name not in changed
                if kept and isinstance(e, Var | Const):
                    if name in kept_behind:
                        self.set(name, e)
                    self.rename[name] = e
                elif name in self.locals and not own:
                    self.set(name, e)
                else:
                    t = self.temporary()
                    self.set(t, e)
                    self.rename[name] = Var(t)
            write()
            self.rename = outer
        return True

    def held_before(self, it: ast.expr, values: dict[str, Expr], anew: set[str], changed: set[str]) -> dict[str, Expr]:
        """What the variables of a loop are bound to in one round, with names for what the body binds anew: a loop over
        `d.items()` runs over the dict that d was before, whatever the body calls d. changed: entries that the body
        puts into dicts, of the one before or the new one."""
        out = dict(values)
        for name, e in values.items():
            if not (ir.reads(e) & anew):
                continue
            if ir.reads(e) & changed:
                self.refuse("late", it)
            t = self.temporary()
            self.set(t, e)
            out[name] = Var(t)
        return out

    def iterable(self, node: ast.expr) -> Expr:
        """The keys, values or items of a dict that is taken apart, where its loop is not written out."""
        match node:
            case ast.Name(id=of) if of in self.groups:
                attr = "keys"
            case ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr=attr), args=[]) if of in self.groups:
                pass
            case _:
                return super().iterable(node)
        items = self.items_of(node)
        if items is None:
            return super().iterable(node)
        name = self.fresh(f"{of}_{attr}")
        self.locals.add(name)
        self.set(name, ir.Sequence(tuple(items)))
        return Var(name)

    def stored_parts(self, node: ast.expr) -> set[str]:
        """The variables that a store binds: of `d[k]`, where k is any key, those of all entries."""
        if not isinstance(getattr(node, "ctx", None), ast.Store) or isinstance(node, ast.Name):
            return set()
        path = self.chain(node)
        while path is None and isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
            path = self.chain(node)
        if path is None:
            return set()
        path = self.rooted(path)
        return {own for p, own in self.entries.items() if p[: len(path)] == path}

    def is_written_out(self, it: ast.expr) -> bool:
        """Whether an expression is a list or a tuple that is written out, there or as a name of the module."""
        if isinstance(it, ast.Name) and not self.is_local(it.id):
            it = self.names.values.get(it.id, it)
        return isinstance(it, ast.Tuple | ast.List)

    @staticmethod
    def is_keyed(n: ast.AST, names: set[str]) -> bool:
        return isinstance(n, ast.Subscript) and isinstance(n.slice, ast.Name) and n.slice.id in names

    def fields_of(self, value: ast.expr) -> ast.expr:
        """`x, y = point` of a parameter that is a named tuple as `x, y = point.x, point.y`."""
        if not isinstance(value, ast.Name) or self.group_at(value) is not None:
            return value
        cls = self.typed.get(value.id) if value.id not in self.bound else self.class_of_local(value.id)
        if cls is None or cls.kind != "namedtuple":
            return value
        parts: list[ast.expr] = [made(ast.Attribute(value, name, ast.Load()), value) for name in cls.fields]
        return made(ast.Tuple(parts, ast.Load()), value)

    def unpacked_group(self, targets: List[ast.expr], value: ast.expr) -> bool:
        """x, y = point, for a named tuple that is a group."""
        group = self.group_at(value)
        if group is None or not is_tuple(group):
            return False
        path = self.chain(value)
        assert path is not None
        for t, k in zip(targets, group.parts, strict=True):
            inner = group.parts[k]
            e = self.part_of((*path, k), inner)
            assert isinstance(t, ast.Name)
            self.set(t.id, e)
        return True

    def known_fields(self) -> tuple[tuple[ir.Param, ...], tuple[tuple[str, str, tuple[str, ...]], ...]]:
        """The annotated fields of parameters whose class is known and of fields that are objects, and these classes."""
        found: list[ir.Param] = []
        classes: list[tuple[str, str, tuple[str, ...]]] = []

        def visit(path: Path, cls: ClassInfo) -> None:
            made = (cls.path or cls.name) if cls.makes and cls.kind != "plain" else ""
            classes.append((part_text(path), made, tuple(cls.fields)))
            for name, field in cls.fields.items():
                inner = self.class_named(field.annotation)
                if inner is not None and len(path) < 4:
                    visit((*path, Attr(name)), inner)
                elif field.annotation:
                    meant = self.type_meant(expression(field.annotation, self.node))
                    found.append(ir.Param(part_text((*path, Attr(name))), field.annotation, meant=meant))

        for name, cls in sorted(self.typed.items()):
            visit((name,), cls)
        return tuple(found), tuple(classes)

    def is_stated_list(self, name: str) -> bool:
        """Whether a name is a parameter that is annotated as a list, and bound to nothing else."""
        notes = [p.annotation for p in parameters(self.node) if p.arg == name and name in self.params]
        note = notes[0].value if notes and isinstance(notes[0], ast.Subscript) else notes[0] if notes else None
        stated = isinstance(note, ast.Name) and note.id in ("list", "List")
        return stated and not self.name_bindings[name].stores

    def type_meant(self, annotation: ast.expr) -> str:
        """The text of an annotation with the types written out that modules have given names, and the classes of what
        lies in lists with their fields; "" where there are none."""
        text = self.names.type_meant(annotation)
        return with_fields(text or ast.unparse(annotation), self.class_of, self.kinds().is_base) or text

    # ------------------------------------------------------------ parameters that are changed

    def initial_parts(self) -> list[Assign]:
        """`self_h = self.h` at the start, for a part that the function changes and may read before."""
        out: list[Assign] = []
        for _, paths in sorted(self.stored.items()):
            for path, node in sorted(paths.items(), key=lambda item: item[0]):
                if not self.set_first(path, node):
                    out.append(Assign(self.entries[path], Var(part_text(path))))
        return out

    def set_first(self, path: Path, node: ast.expr) -> bool:
        """Whether the first that the function does with a part is to assign it."""
        for s in self.node.body:
            inner = {n.value for n in walk(s) if isinstance(n, ast.Attribute | ast.Subscript)}
            paths = {
                n: self.rooted(p)
                for n in walk(s)
                if isinstance(n, ast.expr) and (p := self.chain(n)) is not None
                if n not in inner or self.rooted(p) == path
            }
            touched = [n for n, p in paths.items() if p[: len(path)] == path or path[: len(p)] == p]
            if touched:
                return isinstance(s, ast.Assign) and s.targets == [node] and touched == [node]
        return False


def bound_to(target: ast.expr, item: Expr) -> dict[str, Expr] | None:
    """The names of a loop's target with what one item gives them; None where the text does not say it."""
    match target, item:
        case ast.Name(id=name), _:
            return {name: item}
        case ((ast.Tuple(elts=elts) | ast.List(elts=elts)), ir.Sequence(items=items)) if len(elts) == len(items):
            parts = list(items)
        case ((ast.Tuple(elts=elts) | ast.List(elts=elts)), Var()):
            parts = [ir.Index(item, Const(i)) for i in range(len(elts))]
        case _:
            return None
    found: dict[str, Expr] = {}
    for t, e in zip(elts, parts, strict=True):
        inner = bound_to(t, e)
        if inner is None:
            return None
        found |= inner
    return found


def is_shared(value: Leaf, cls: ClassInfo) -> bool:
    """Whether a value is the default of a constructor that the user has written: all its calls share a list."""
    if cls.init is None or "__post_init__" in cls.methods:
        return False
    return any(value is d for d in (*cls.init.args.defaults, *cls.init.args.kw_defaults))


def meant(value: ast.expr, given: Mapping[str, ast.expr]) -> ast.expr:
    """What a constructor assigns, where that is a parameter, or a list for one that is None."""
    match value:
        case ast.Name(id=name) if name in given:
            return given[name]
        case ast.IfExp(
            test=ast.Compare(
                left=ast.Name(id=name), ops=[ast.Is() | ast.IsNot() as op], comparators=[ast.Constant(None)]
            )
        ) if isinstance(asked := given.get(name), ast.Constant | ast.List):
            none = isinstance(asked, ast.Constant) and asked.value is None
            return meant(value.body if none == isinstance(op, ast.Is) else value.orelse, given)
    return value


__all__ = ["Structures"]
