"""Elements of arrays that are read or written through an attribute.

    a.flat[k] = v           a_flat = a.reshape(-1)
                            a_flat[k] = v
    for v in a.flat:        for v in a_flat:
    b, c = a.flat           b, c = a_flat
    a.item(k)               a_flat[k]
    a.item(i, j)            a[i, j]
    a.flat = v              a[...] = np.resize(v, np.shape(a))
    z.real = v              z.real[...] = v
    z.imag += v             z.imag[...] += v

Where a class of the module, or an object made of keywords, has an attribute of such a name, nothing is written out.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable

import numpy as np

from s2s.frontend.text.bindings import root_of
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import body_nodes, bound_names, every_block, parameters, read_names, walk
from s2s.frontend.text.source import expression, made

PARTS = frozenset(["flat", "item", "real", "imag"])
METHODS = frozenset(["copy", "conj", "conjugate", "reshape", "ravel", "transpose", "squeeze", "swapaxes", "dot"])
READERS = frozenset(["enumerate", "len", "list", "max", "min", "sorted", "sum", "tuple", "zip"])


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the body of a function: what is done already is not done again."""
    nodes = body_nodes(function)
    used = {n.attr for n in nodes if isinstance(n, ast.Attribute) and n.attr in PARTS}
    if not used or not (used := used & of_arrays(names)):
        return
    own = bound_names(nodes) | {p.arg for p in parameters(function)}
    if "item" in used and "flat" in of_arrays(names):
        items = _Items(own)
        function.body = [items.visit(s) for s in function.body]
    if used & {"real", "imag"}:
        write_parts(function, _Arrays(function, names), used)
    if used & {"flat", "item"} and (numpy := names.own_numpy(own)):
        _Elements(numpy, own, function).write_out(function)


class _Items(ast.NodeTransformer):
    """`a.item(k)` as `a.flat[k]`, `a.item(i, j)` as `a[i, j]`."""

    def __init__(self, own: Collection[str]) -> None:
        self.own = own

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Attribute(value=array, attr="item"), args=[first, *rest] as keys, keywords=[]):
                if root_of(array) not in self.own or any(isinstance(k, ast.Starred) for k in keys):
                    return node
                if rest:
                    return made(ast.Subscript(array, made(ast.Tuple(keys, ast.Load()), node), ast.Load()), node)
                flat = made(ast.Attribute(array, "flat", ast.Load()), node)
                if not isinstance(first, ast.Tuple):
                    return made(ast.Subscript(flat, first, ast.Load()), node)
        return node


def of_arrays(names: ModuleNames) -> frozenset[str]:
    """The attributes that only arrays have: no class of the module, and no object made of keywords."""
    if names.parts is None:
        functions = [f for f in names.functions.values() if isinstance(f, ast.FunctionDef)]
        functions += [m for c in names.classes.values() for m in c.methods.values()]
        given = {k.arg for f in functions for k in walk(f) if isinstance(k, ast.keyword)}
        names.parts = frozenset(a for a in PARTS - given if not any(c.has(a) for c in names.classes.values()))
    return names.parts


def write_parts(function: ast.FunctionDef, arrays: _Arrays, used: Collection[str]) -> None:
    """`z.real = e` as `z.real[...] = e`: to assign to it writes into the array."""

    def part(target: ast.expr) -> ast.expr:
        match target:
            case ast.Attribute(attr="real" | "imag" as attr) if attr in used and arrays.is_array(target.value):
                return every(made(ast.Attribute(target.value, attr, ast.Load()), target))
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                target.elts = list(map(part, elts))
        return target

    for block in every_block(function.body):
        for s in block:
            if isinstance(s, ast.Assign):
                s.targets = list(map(part, s.targets))
            elif isinstance(s, ast.AugAssign) and isinstance(target := part(s.target), ast.Subscript):
                s.target = target


class _Arrays:
    """What is an array, as its bindings show: of objects, `p.real = e` binds an attribute."""

    def __init__(self, function: ast.FunctionDef, names: ModuleNames) -> None:
        self.imports, self.own = names.imports.names, bound_names(body_nodes(function))
        self.values: dict[str, list[ast.expr]] = {}
        self.stated: set[str] = set()
        for a in parameters(function):
            self.values[a.arg] = []
            if a.annotation is not None and is_array_type(ast.unparse(a.annotation)):
                self.stated.add(a.arg)
        stores: dict[str, int] = {}
        for n in body_nodes(function):
            match n:
                case ast.Assign(targets=targets, value=value):
                    for target in targets:
                        for t, v in pairs(target, value):
                            if isinstance(t, ast.Name):
                                self.values.setdefault(t.id, []).append(v)
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    self.values.setdefault(name, []).append(value)
                case ast.AugAssign(target=ast.Name(id=name)):
                    stores[name] = stores.get(name, 0) - 1
            if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load):
                stores[n.id] = stores.get(n.id, 0) + 1
        for name, values in self.values.items():
            if not values or stores.get(name, 0) > len(values) or name in {a.arg for a in parameters(function)}:
                self.values[name] = []
        self.parts: dict[str, list[ast.expr]] = {}
        methods = [m for c in names.classes.values() for m in c.methods.values()]
        for f in [*names.functions.values(), *methods]:
            for n in walk(f):
                match n:
                    case ast.Assign(targets=[ast.Attribute(attr=key)], value=value):
                        self.parts.setdefault(key, []).append(value)
                    case ast.Assign(targets=[ast.Subscript(slice=ast.Constant(value=str(key)))], value=value):
                        self.parts.setdefault(key, []).append(value)
                    case ast.Dict(keys=keys, values=values):
                        for k, v in zip(keys, values, strict=True):
                            if isinstance(k, ast.Constant) and isinstance(k.value, str):
                                self.parts.setdefault(k.value, []).append(v)
                    case ast.keyword(arg=str(key), value=value):
                        self.parts.setdefault(key, []).append(value)

    def is_array(self, e: ast.expr, asked: frozenset[str] = frozenset()) -> bool:
        match e:
            case ast.Name(id=name):
                if name in self.stated or name in asked:
                    return True
                values = self.values.get(name, [])
                return bool(values) and all(self.is_array(v, asked | {name}) for v in values)
            case ast.Subscript(value=inner, slice=ast.Constant(value=str(key))) | ast.Attribute(value=inner, attr=key):
                if isinstance(e, ast.Attribute) and key in ("T", "real", "imag"):
                    return self.is_array(inner, asked)
                values = self.parts.get(key, [])
                return bool(values) and all(not isinstance(v, ast.Name) and self.is_array(v) for v in values)
            case ast.Subscript(value=inner):
                return self.is_array(inner, asked)
            case ast.BinOp() | ast.UnaryOp(op=ast.USub()):
                return True
            case ast.Call(func=ast.Attribute(value=inner, attr=attr)):
                root = root_of(inner)
                if root in self.imports and root not in self.own:
                    return self.imports[root].partition(".")[0] in ("numpy", "scipy")
                return attr == "astype" or (attr in METHODS and self.is_array(inner, asked))
            case ast.Call(func=ast.Name(id=name)):
                return name not in self.own and self.imports.get(name, "").startswith("numpy.")
        return False


def pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    match target, value:
        case (ast.Tuple(elts=targets), ast.Tuple(elts=values)) if len(targets) == len(values):
            return list(zip(targets, values, strict=True))
    return [(target, value)]


def is_array_type(annotation: str) -> bool:
    return any(word in annotation for word in ("complex", "Complex", "ndarray", "NDArray"))


def every(array: ast.expr) -> ast.Subscript:
    """array[...]"""
    return made(ast.Subscript(array, made(ast.Constant(...), array), ast.Store()), array)


class _Elements:
    """Elements in the order of `a.flat`, where it is read by keys, iterated over, or written: of a view, of which the
    output asserts that it is one. The iterator itself as a value is not followed."""

    def __init__(self, numpy: str, own: Collection[str], function: ast.FunctionDef) -> None:
        self.numpy, self.own = numpy, own
        self.views: dict[str, str] = {}  # of arrays that are bound once, and have one view for all uses
        self.taken = {n.id for n in walk(function) if isinstance(n, ast.Name)} | {*own}
        nodes = body_nodes(function)
        self.objects = {
            n.value.id
            for n in nodes
            if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and not hasattr(np.ndarray, n.attr)
        }
        self.counters = {
            n.target.id
            for n in nodes
            if isinstance(n, ast.For)
            and isinstance(n.target, ast.Name)
            and isinstance(n.iter, ast.Call)
            and isinstance(n.iter.func, ast.Name)
            and n.iter.func.id == "range"
        }

    def write_out(self, function: ast.FunctionDef) -> None:
        for block in every_block(function.body):
            for s in block:
                match s:
                    case ast.Assign(targets=[target]) if (array := self.whole(target)) is not None:
                        s.targets = [every(array)]
                        if not isinstance(s.value, ast.Constant):
                            s.value = self.call("resize", s.value, s.value, self.call("shape", target, array))
        for name in dict.fromkeys(map(self.used, body_nodes(function))):
            if name:
                self.name_the_view(function, name)
        for block in every_block(function.body):
            for i, s in reversed(list(enumerate(block))):
                match s:
                    case ast.Assign(targets=targets):
                        block[i:i] = [a for t in targets for a in self.stored(t)]
                    case ast.AugAssign(target=target):
                        block[i:i] = self.stored(target)
        for n in body_nodes(function):
            if not isinstance(n, ast.Subscript | ast.Attribute) and not self.is_operation(n):
                self.copy_slices(n)
        for n in body_nodes(function):
            match n:
                case ast.Subscript(value=e, ctx=ast.Load()):
                    n.value = self.elements(e)
                case ast.For(iter=e) | ast.comprehension(iter=e):
                    n.iter = self.elements(e)
                case ast.Assign(targets=[ast.Tuple() | ast.List()], value=e):
                    n.value = self.elements(e)
                case ast.Call(func=ast.Name(id=name), args=args) if name in READERS and name not in self.own:
                    n.args = [self.elements(a) for a in args]
                case ast.Call(func=ast.Attribute(value=ast.Name(id=root)), args=args) if root == self.numpy:
                    n.args = [self.elements(a) for a in args]

    def is_operation(self, n: ast.AST) -> bool:
        """Whether a node makes something new of its operands."""
        match n:
            case ast.BinOp() | ast.UnaryOp() | ast.Compare() | ast.AugAssign():
                return True
            case ast.Call(func=ast.Attribute(value=ast.Name(id=root))):
                return root == self.numpy
        return False

    def copy_slices(self, n: ast.AST) -> None:
        """`v = a.flat[1:]` is a copy: of a view, it is to be asked for."""

        def copied(e: object) -> object:
            match e:
                case ast.Subscript(value=flat, slice=ast.Slice(), ctx=ast.Load()) if self.array(flat) is not None:
                    return self.call("copy", e, e)
            return e

        for field, value in ast.iter_fields(n):
            setattr(n, field, [copied(v) for v in value] if isinstance(value, list) else copied(value))

    def is_object(self, e: ast.expr) -> bool:
        """Whether what a name holds has attributes that arrays do not have."""
        return isinstance(e, ast.Name) and e.id in self.objects

    def used(self, n: ast.AST) -> str:
        """The name of an array of which `flat` is read, or is subscripted."""
        match n:
            case ast.Attribute(value=ast.Name(id=name) as array, attr="flat", ctx=ast.Load()) if name in self.own:
                return "" if self.is_object(array) else name
        return ""

    def name_the_view(self, function: ast.FunctionDef, name: str) -> None:
        """Binds the view before the first statement that needs it, where the array is bound once."""
        given = name in {p.arg for p in parameters(function)}
        bound = [n for n in walk(function) if isinstance(n, ast.Name) and n.id == name]
        if sum(not isinstance(n.ctx, ast.Load) for n in bound) != (0 if given else 1):
            return
        for block in every_block(function.body):
            start = 0
            if not (given and block is function.body):
                binding = [
                    i
                    for i, s in enumerate(block)
                    if isinstance(s, ast.Assign) and [ast.unparse(t) for t in s.targets] == [name]
                ]
                if not binding:
                    continue
                start = binding[0] + 1
            self.insert(block, start, name)
            return

    def insert(self, block: list[ast.stmt], start: int, name: str) -> None:
        """Binds the view before the first statement that needs it: in a branch, where no other statement does."""
        needed = [i for i in range(start, len(block)) if self.is_used(block[i : i + 1], name)]
        if not needed:
            return
        s = block[needed[0]]
        if len(needed) == 1 and isinstance(s, ast.If) and not self.is_used([s.test], name):
            branches = [b for b in (s.body, s.orelse) if self.is_used(b, name)]
            if len(branches) == 1:
                self.insert(branches[0], 0, name)
                return
        view = f"{name}_flat"
        while view in self.taken:
            view += "_"
        self.taken.add(view)
        self.views[name] = view
        value = expression(f"{name}.reshape(-1)", s)
        block.insert(needed[0], made(ast.Assign([made(ast.Name(view, ast.Store()), s)], value), s))

    def is_used(self, nodes: Iterable[ast.AST], name: str) -> bool:
        return any(self.used(n) == name for x in nodes for n in walk(x))

    def array(self, e: ast.expr) -> ast.expr | None:
        """The array of `a.flat`, where `a` is a name of the function, or a part of one."""
        match e:
            case ast.Attribute(value=array, attr="flat") if root_of(array) in self.own and not self.is_object(array):
                return array
        return None

    def whole(self, target: ast.expr) -> ast.expr | None:
        """The array whose elements are all set: repeats of the values, as often as they are needed."""
        match target:
            case ast.Subscript(value=e, slice=ast.Slice(lower=None, upper=None, step=None)):
                return self.array(e)
        return self.array(target)

    def stored(self, target: ast.expr) -> list[ast.stmt]:
        """Makes a target one of a view; with an assertion that no places of two dimensions broadcast the values."""
        if isinstance(target, ast.Tuple | ast.List):
            return [a for t in target.elts for a in self.stored(t)]
        match target:
            case ast.Subscript(value=e, slice=key) if self.array(e) is not None:
                if any(isinstance(n, ast.Call) and not self.is_plain(n.func) for n in walk(key)):
                    return []
                target.value = self.elements(e, reshaped=True)
                if not read_names(key) - self.counters or isinstance(key, ast.Slice | ast.List):
                    return []
                test = expression(f"{self.numpy}.ndim({ast.unparse(key)}) < 2", target)
                return [made(ast.Assert(test, None), target)]
        return []

    def is_plain(self, func: ast.expr) -> bool:
        """Whether a call in a key may be written twice."""
        match func:
            case ast.Attribute(value=ast.Name(id=root)):
                return root == self.numpy
            case ast.Name(id=name):
                return name in READERS and name not in self.own
        return False

    def elements(self, e: ast.expr, reshaped: bool = False) -> ast.expr:
        array = self.array(e)
        match array:
            case None:
                return e
            case ast.Name(id=name) if name in self.views:
                return made(ast.Name(self.views[name], ast.Load()), e)
        method = made(ast.Attribute(array, "reshape" if reshaped else "ravel", ast.Load()), e)
        every = made(ast.UnaryOp(ast.USub(), made(ast.Constant(1), e)), e)
        return made(ast.Call(method, [every] if reshaped else [], []), e)

    def call(self, function: str, like: ast.AST, *args: ast.expr) -> ast.expr:
        callee = made(ast.Attribute(made(ast.Name(self.numpy, ast.Load()), like), function, ast.Load()), like)
        return made(ast.Call(callee, list(args), []), like)
