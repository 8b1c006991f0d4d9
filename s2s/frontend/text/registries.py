"""Tables of functions that a module fills while it is imported: by statements, and by decorators that note functions.

    LAWS = {}

    def register(name):                     LAWS = {"linear": linear, "cubic": cubic}
        def note(f):
            LAWS[name] = f
            return f
        return note

    @register("linear")
    def linear(x): ...

    LAWS["cubic"] = cubic

Only where nothing else may put anything into the table. Another module that registers something under a key of its own
changes nothing for those that are known here, and a derivative raises where it is asked for any other.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from s2s.frontend.text.decorators import leaves_as_it_is
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import children, walk
from s2s.frontend.text.source import made

READING = frozenset(["get", "items", "keys", "values"])
Entry = tuple[ast.Constant, ast.expr]  # a key, and what stands there


def registries(tree: ast.Module, names: ModuleNames) -> tuple[dict[str, ast.Dict], dict[str, str]]:
    """The tables of a module, as displays of all that they hold when it is imported; and the decorators that fill
    them, with the table of each: another module may use them, too."""
    asked = {n: e for n, e in names.assigned.items() if n not in names.changed and is_table(e)}
    if not asked:
        return {}, {}
    nodes = list(walk(tree))
    parents = {c: n for n in nodes for c in children(n)}
    found: dict[str, ast.Dict] = {}
    decorators: dict[str, str] = {}
    for name, shown in asked.items():
        work = _Table(tree, names, nodes, parents, name)
        if (entries := work.entries(shown)) is not None:
            for cls in work.classes:
                cls.decorator_list.clear()
            keys, values = [k for k, _ in entries], [v for _, v in entries]
            found[name] = made(ast.Dict(list[ast.expr | None](keys), values), values[-1])
            decorators |= dict.fromkeys(work.decorators, name)
    return found, decorators


def is_table(e: ast.expr) -> bool:
    """Whether a value is an empty dict, or one whose keys are texts."""
    match e:
        case ast.Dict(keys=keys):
            return all(isinstance(k, ast.Constant) and isinstance(k.value, str) for k in keys)
        case ast.Call(func=ast.Name(id="dict"), args=[], keywords=[]):
            return True
    return False


class _Table:
    def __init__(
        self, tree: ast.Module, names: ModuleNames, nodes: list[ast.AST], parents: dict[ast.AST, ast.AST], name: str
    ) -> None:
        self.tree, self.names, self.nodes, self.parents, self.name = tree, names, nodes, parents, name
        self.top = set(map(id, tree.body))
        self.decorators: list[str] = []
        self.classes: list[ast.ClassDef] = []  # that are noted, and are what their text says

    def entries(self, shown: ast.expr) -> list[Entry] | None:
        """What the table holds, in the order of the text; None where that is not known, or where it is not filled."""
        found: list[Entry] = []
        if isinstance(shown, ast.Dict):
            found += [(k, v) for k, v in zip(shown.keys, shown.values, strict=True) if isinstance(k, ast.Constant)]
        bound, shown_only = 0, len(found)
        for n in self.nodes:
            if not isinstance(n, ast.Name) or n.id != self.name:
                continue
            if not isinstance(n.ctx, ast.Load):
                bound += 1
            elif not self.is_read(n):
                more = self.put_in(n)
                if more is None:
                    return None
                found += more
        found.sort(key=lambda entry: entry[1].lineno)
        once = bound == 1 and len(found) > shown_only and len({k.value for k, _ in found}) == len(found)
        return found if once and all(self.is_known(v) for _, v in found) else None

    def is_read(self, n: ast.Name) -> bool:
        """Whether what is done with the table leaves it as it is, and lets no other name see it."""
        match self.parents[n]:
            case ast.Subscript(value=value, ctx=ast.Load()):
                return value is n
            case ast.Attribute(attr=attr):
                return attr in READING
            case ast.Call(func=ast.Name(id="len" | "list" | "sorted" | "tuple")):
                return True
            case ast.For(iter=it) | ast.comprehension(iter=it):
                return it is n
        return isinstance(self.parents[n], ast.Compare)

    def put_in(self, n: ast.Name) -> list[Entry] | None:
        """What is stored into the table at one place."""
        store = self.parents[n]
        s = self.parents[store]
        match s:
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(), slice=key)], value=value):
                pass
            case _:
                return None
        if id(s) in self.top:
            return [(key, value)] if isinstance(key, ast.Constant) and isinstance(key.value, str) else None
        inner = self.parents[s]
        outer = self.parents[inner]
        maker = inner if id(inner) in self.top else outer
        if not isinstance(inner, ast.FunctionDef) or not isinstance(maker, ast.FunctionDef):
            return None
        called = inner is not maker
        alone = maker.name in self.names.functions and maker.name not in self.names.rebound and id(maker) in self.top
        if not alone or not leaves_as_it_is(maker, called) or not only(s, inner) or (called and not only(inner, maker)):
            return None
        given = (*inner.args.posonlyargs, *inner.args.args)[0].arg
        if not isinstance(value, ast.Name) or value.id != given:
            return None
        return self.noted(maker, given, key, called)

    def noted(self, maker: ast.FunctionDef, given: str, key: ast.expr, called: bool) -> list[Entry] | None:
        """What a decorator notes: the functions of the module above which it stands, and it stands nowhere else."""
        found: list[Entry] = []
        self.decorators.append(maker.name)
        for n in self.nodes:
            if not isinstance(n, ast.Name) or n.id != maker.name:
                continue
            decorator: ast.expr = n
            call = self.parents[n]
            if called:
                if not isinstance(call, ast.Call) or call.func is not n:
                    return None
                decorator = call
            f = self.parents[decorator]
            if not isinstance(f, ast.FunctionDef | ast.ClassDef) or id(f) not in self.top:
                return None
            arguments = bound_texts(maker, decorator) if isinstance(decorator, ast.Call) else {}
            text = key_of(key, given, f.name, arguments)
            if text is None or f.decorator_list != [decorator]:
                return None
            if isinstance(f, ast.ClassDef):
                self.classes.append(f)
            found.append((made(ast.Constant(text), f), made(ast.Name(f.name, ast.Load()), f)))
        return found

    def is_known(self, value: ast.expr) -> bool:
        """Whether a value is a function that stays what it is: of the module, of another one, or a lambda."""
        match value:
            case ast.Name(id=name) if name in self.names.functions:
                return name not in self.names.rebound
            case ast.Name(id=name) | ast.Attribute(value=ast.Name(id=name)):
                return name in self.names.imports.names or name in (c.name for c in self.classes)
        return isinstance(value, ast.Lambda)


def only(s: ast.stmt, function: ast.FunctionDef) -> bool:
    """Whether a function does nothing but one statement, beside its documentation and what it returns."""
    texts = (x for x in function.body if isinstance(x, ast.Expr) and isinstance(x.value, ast.Constant))
    return len(function.body) - len(list(texts)) == 2 and s in function.body


def bound_texts(maker: ast.FunctionDef, call: ast.Call) -> dict[str, str | None]:
    """The parameters of a function that are given texts, or None."""
    every = (*maker.args.posonlyargs, *maker.args.args)
    defaults = zip(reversed(every), reversed(maker.args.defaults), strict=False)
    given: Iterator[tuple[str, ast.expr]] = iter(
        [
            *((p.arg, e) for p, e in defaults),
            *((p.arg, e) for p, e in zip(every, call.args, strict=False)),
            *((k.arg or "", k.value) for k in call.keywords),
        ]
    )
    return {p: e.value for p, e in given if isinstance(e, ast.Constant) and isinstance(e.value, str | None)}


def key_of(key: ast.expr, given: str, name: str, texts: dict[str, str | None]) -> str | None:
    """The text that a key is for a function of this name."""
    match key:
        case ast.Constant(value=str(text)):
            return text
        case ast.Attribute(value=ast.Name(id=of), attr="__name__") if of == given:
            return name
        case ast.Name(id=of):
            return texts.get(of)
        case ast.BoolOp(op=ast.Or(), values=[ast.Name(id=of), other]) if of in texts:
            return texts[of] or key_of(other, given, name, texts)
    return None
