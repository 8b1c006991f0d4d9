"""What is put into a list or a dict by other names than its own: second names, what holds it, functions that get it.

    crowd = bodies                          crowd.append(Wall(k))
    scene = {"bodies": bodies}              scene["bodies"][0] = Wall(k)
    push(bodies, Wall(k))                   def push(xs, x): xs.append(x)

What a list holds is read off what its own name is given: that is all only where nothing else puts items into it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet

from s2s.frontend.text.bindings import root_of
from s2s.frontend.text.names import target_names
from s2s.frontend.text.scopes import body_nodes, bound_names, parameters, read_names, string_key, walk

FILLING = frozenset(
    ["append", "appendleft", "extend", "extendleft", "insert", "update", "setdefault", "__iadd__", "__setitem__"]
)
LIBRARY = frozenset(["heappush", "heappushpop", "heapreplace", "insort", "insort_left", "insort_right"])
COPIES = frozenset(
    ["list", "tuple", "sorted", "len", "sum", "zip", "enumerate", "reversed", "min", "max", "any", "all"]
)
Called = Callable[[ast.Call], list[tuple[ast.FunctionDef, int]]]
FunctionLike = ast.FunctionDef | ast.Lambda


def fillings(function: ast.FunctionDef, name: str, called: Called) -> list[ast.expr | None]:
    """What may be put into the list of a name beside what is appended to the name itself; None for what is not known.

    called: the functions that a call may run, with the number of their parameters that come before its arguments.
    """
    return _List(function, name, called, frozenset()).found()


class _List:
    """One list in one function, by the names that may be the list, and the names of what may hold it."""

    def __init__(
        self,
        function: ast.FunctionDef,
        name: str,
        called: Called,
        seen: AbstractSet[tuple[int, str]],
        is_held: bool = False,  # the name may stand for a tuple or an object that holds the list
    ) -> None:
        self.function, self.name, self.called = function, name, called
        self.is_inner = bool(seen)  # of a function that is given the list: its own appends count, too
        self.seen = seen | {(id(function), name)}
        self.nodes = [n for s in function.body for n in walk(s)]
        self.inside: dict[str, list[FunctionLike]] = {}  # nested functions
        self.unknown = {p.arg for p in parameters(function)} | bound_names(body_nodes(function))  # which function it is
        self.names = {name}
        self.holders: dict[str, set[str | None]] = {}  # with the attributes and keys that are the list; None for any
        if is_held:
            self.holders[name] = {None}
        for n in self.nodes:
            match n:
                case ast.FunctionDef(name=own):
                    self.inside.setdefault(own, []).append(n)
                case ast.Assign(targets=[ast.Name(id=own)], value=ast.Lambda() as value):
                    self.inside.setdefault(own, []).append(value)
        self.unknown -= self.inside.keys()
        before = -1
        while before != (before := self.size()):
            for n in self.nodes:
                self.follow(n)

    def size(self) -> int:
        return len(self.names) + sum(1 + len(keys) for keys in self.holders.values())

    # ------------------------------------------------------------ names

    def follow(self, n: ast.AST) -> None:
        match n:
            case ast.Assign(targets=targets, value=value):
                for t in targets:
                    self.bind(t, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
                self.bind(target, value)
            case ast.For(target=target, iter=it) | ast.comprehension(target=target, iter=it):
                if read_names(it) & self.holders.keys() or self.keys_of(it):
                    self.names.update(target_names(target))
            case ast.Call(func=ast.Attribute(value=receiver, attr=attr), args=args) if attr in FILLING:
                if any(self.is_list(a) or self.keys_of(a) for a in args):
                    self.hold(root_of(receiver), {None})
            case ast.Call(func=ast.Name(id=inner), args=args, keywords=options) if inner in self.inside:
                if any(self.is_list(a) or self.keys_of(a) for a in (*args, *(k.value for k in options))):
                    self.names.update(p.arg for f in self.inside[inner] for p in parameters(f))

    def bind(self, target: ast.expr, value: ast.expr) -> None:
        match target, value:
            case ((ast.Tuple(elts=targets) | ast.List(elts=targets)), (ast.Tuple(elts=values) | ast.List(elts=values))):
                if len(targets) == len(values):
                    for t, v in zip(targets, values, strict=True):
                        self.bind(t, v)
                    return
        keys = self.keys_of(value)
        if isinstance(target, ast.Name):
            if self.is_list(value):
                self.names.add(target.id)
            self.hold(target.id, keys)
        elif isinstance(target, ast.Attribute | ast.Subscript):
            if self.is_list(value) or keys:
                self.hold(root_of(target), {key_of(target)} if not keys else {None})
        elif keys or self.is_list(value):
            self.names.update(target_names(target))

    def hold(self, name: str, keys: set[str | None]) -> None:
        if keys and name:
            self.holders.setdefault(name, set()).update(keys)

    def is_list(self, e: ast.expr) -> bool:
        """Whether a value may be the list itself."""
        match e:
            case ast.Name(id=name):
                return name in self.names
            case ast.IfExp(body=a, orelse=b):
                return self.is_list(a) or self.is_list(b)
            case ast.BoolOp(values=values):
                return any(map(self.is_list, values))
            case ast.NamedExpr(value=value):
                return self.is_list(value)
            case ast.Subscript(slice=ast.Slice()):
                return False
            case ast.Attribute() | ast.Subscript():
                keys = self.holders.get(root_of(e), set())
                return None in keys or key_of(e) in keys or (bool(keys) and key_of(e) is None)
            case ast.Call(func=func):
                if isinstance(func, ast.Lambda):
                    return self.is_list(func.body)
                if isinstance(func, ast.Name) and func.id in self.inside:
                    return any(self.is_list(r) for f in self.inside[func.id] for r in results(f))
                return any(inner.returns() for inner in self.given(e))
        return False

    def keys_of(self, e: ast.expr) -> set[str | None]:
        """The keys and attributes under which a value may hold the list."""
        match e:
            case ast.Name(id=name):
                return self.holders.get(name, set())
            case ast.Tuple(elts=elts) | ast.List(elts=elts) | ast.Set(elts=elts):
                return {None} if any(self.is_list(x) or self.keys_of(x) for x in elts) else set()
            case ast.Dict(keys=keys, values=values):
                held = [k for k, v in zip(keys, values, strict=True) if self.is_list(v) or self.keys_of(v)]
                return {str(k.value) if isinstance(k, ast.Constant) else None for k in held}
            case ast.ListComp(elt=value) | ast.GeneratorExp(elt=value) | ast.DictComp(value=value):
                return {None} if self.is_list(value) or self.keys_of(value) else set()
            case ast.Starred(value=value) | ast.NamedExpr(value=value):
                return self.keys_of(value)
            case ast.IfExp(body=a, orelse=b):
                return self.keys_of(a) | self.keys_of(b)
            case ast.Call(func=func):
                if isinstance(func, ast.Name) and func.id in COPIES:
                    return set().union(*map(self.keys_of, e.args))
                return set().union(*(inner.kept() for inner in self.given(e)))
        return set()

    # ------------------------------------------------------------ functions that are given the list

    def given(self, call: ast.Call) -> Iterator[_List]:
        """The list in the functions that are given it, under the names of their parameters."""
        given = any(map(self.reaches, (*call.args, *(k.value for k in call.keywords))))
        for function, before in self.called(call) if given else ():
            for at, is_held in self.places(call, function, before):
                if (id(function), at) not in self.seen:
                    yield _List(function, at, self.called, self.seen, is_held)

    def places(self, call: ast.Call, function: ast.FunctionDef, before: int) -> Iterator[tuple[str, bool]]:
        """The parameters of a function that a call gives the list, and whether each may hold it, and not be it."""
        args = function.args
        params = [p.arg for p in (*args.posonlyargs, *args.args)][before:]
        options = [*params, *(p.arg for p in args.kwonlyargs)]
        rest, others = (p.arg if p is not None else None for p in (args.vararg, args.kwarg))
        spread = next((i for i, a in enumerate(call.args) if isinstance(a, ast.Starred)), len(call.args))
        reached: list[tuple[str | None, bool]] = []
        for i, a in enumerate(call.args):
            if self.reaches(a) and i >= spread:
                reached += [*((p, True) for p in params[spread:]), (rest, True)]
            elif self.reaches(a):
                reached.append((params[i], bool(self.keys_of(a))) if i < len(params) else (rest, True))
        for k in call.keywords:
            if self.reaches(k.value) and k.arg is None:
                reached += [*((p, True) for p in options), (others, True)]
            elif self.reaches(k.value):
                reached.append((k.arg, bool(self.keys_of(k.value))) if k.arg in options else (others, True))
        return ((at, is_held) for at, is_held in reached if at is not None)

    def reaches(self, e: ast.expr) -> bool:
        """Whether a value may be the list, or hold it."""
        return self.is_list(e) or bool(self.keys_of(e))

    def returns(self) -> bool:
        return any(map(self.is_list, results(self.function)))

    def kept(self) -> set[str | None]:
        """The attributes to which a constructor binds the list; those and the keys of what a function returns."""
        first = [p.arg for p in parameters(self.function)][:1]
        own = self.holders.get(first[0], set()) if first and self.function.name == "__init__" else set()
        return own.union(*map(self.keys_of, results(self.function)))

    # ------------------------------------------------------------ what is put in

    def found(self) -> list[ast.expr | None]:
        own = {*body_nodes(self.function)}
        out: list[ast.expr | None] = []
        for n in self.nodes:
            for place, value in put_in(n):
                if not self.is_list(place):
                    continue
                direct = isinstance(place, ast.Name) and place.id == self.name
                if not direct or self.is_inner or n not in own:
                    out.append(value if n in own and not self.is_inner else None)
            if isinstance(n, ast.Call):
                if isinstance(n.func, ast.Name) and n.func.id in self.unknown and any(map(self.is_list, n.args)):
                    out.append(None)
                out += [None for inner in self.given(n) if inner.found() or inner.is_filled_later()]
        return out if not self.is_filled_later() else [*out, None]

    def is_filled_later(self) -> bool:
        """Whether a function that is called puts items into an attribute that the list is bound to."""
        keys = {k for held in self.holders.values() for k in held if k is not None}
        todo, texts = [self.function], set[int]()
        while keys and todo:
            text = todo.pop()
            if id(text) in texts:
                continue
            texts.add(id(text))
            for n in walk(text):
                if isinstance(n, ast.Call):
                    todo += [f for f, _ in self.called(n)]
                if text is not self.function:
                    for place, _ in put_in(n):
                        if isinstance(place, ast.Attribute | ast.Subscript) and key_of(place) in keys:
                            return True
        return False


def put_in(n: ast.AST) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """The lists that a node puts something into, each with what that is, None where that is not one item."""
    match n:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="list"), attr=attr), args=[place, *_]) if attr in FILLING:
            yield place, None
        case ast.Call(func=ast.Name(id=attr) | ast.Attribute(attr=attr), args=[place, *_]) if attr in LIBRARY:
            yield place, None
        case ast.Call(func=ast.Attribute(value=place, attr="append"), args=[item], keywords=[]):
            yield place, item
        case ast.Call(func=ast.Attribute(value=place, attr=attr)) if attr in FILLING:
            yield place, None
        case ast.Assign(targets=[ast.Subscript(value=place, slice=key)], value=item) if not isinstance(key, ast.Slice):
            yield place, item
        case ast.AugAssign(target=place):
            yield (place.value if isinstance(place, ast.Subscript) else place), None
        case ast.Assign(targets=targets):
            for t in targets:
                for x in walk(t):
                    if isinstance(x, ast.Subscript) and isinstance(x.ctx, ast.Store):
                        yield x.value, None
        case ast.For(target=target) | ast.comprehension(target=target):
            for x in walk(target):
                if isinstance(x, ast.Subscript) and isinstance(x.ctx, ast.Store):
                    yield x.value, None


def results(function: FunctionLike) -> list[ast.expr]:
    if isinstance(function, ast.Lambda):
        return [function.body]
    return [n.value for n in body_nodes(function) if isinstance(n, ast.Return) and n.value is not None]


def key_of(e: ast.Attribute | ast.Subscript) -> str | None:
    """The last attribute or text of a path; None for a number and for what is computed."""
    return e.attr if isinstance(e, ast.Attribute) else string_key(e)


__all__ = ["fillings"]
