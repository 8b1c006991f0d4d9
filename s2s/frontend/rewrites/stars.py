"""`**d` in a call of a function whose text is known: the items of d that its parameters name.

    assert "eps" not in p["norm"]
    x = norm(x, **p["norm"])          ->      x = norm(x, g=p["norm"]["g"], b=p["norm"]["b"])

d is a parameter, what a loop runs over, or an item of these. A parameter with a default keeps it, and the output asks
that d has no item of its name; where d has a name too many, Python raises when the function itself runs. Where all
that are left have numbers as defaults, d is what the caller sets of them:

    energy(x, **settings)             ->      energy(x, k=settings["k"] if "k" in settings else 1.0)

Likewise `*row` in a call of a class, which stands for the arguments that have no default:

    assert len(row) == 3
    cell = Cell(*row)                 ->      cell = Cell(row[0], row[1], row[2])

    s = State(*(a * h for a in s))    ->      s = State(s[0] * h, s[1] * h)

    s = State(*step(s))               ->      x, v = step(s)
                                              s = State(x, v)

    [P(*a) for a in zip(xs, ys)]      ->      [P(x, y) for x, y in zip(xs, ys)]

Of a dict that a module shows, and nobody changes, all keys are known, in a call of whatever function and in a display:

    solve(x, **OPTIONS)               ->      solve(x, tol=OPTIONS["tol"], n=OPTIONS["n"])
    {**TABLE[k], "b": x}              ->      {"a": TABLE[k]["a"], "b": x}
"""

from __future__ import annotations

import ast
from collections import Counter

from s2s.frontend.rewrites import overlays
from s2s.frontend.rewrites.optional import with_value
from s2s.frontend.text.bindings import Bindings
from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.function_bodies import default_nodes
from s2s.frontend.text.names import Made, ModuleNames
from s2s.frontend.text.scopes import (
    COMPREHENSIONS,
    blocks_of,
    body_nodes,
    bound_names,
    dotted,
    is_bound,
    new_name,
    parameters,
    walk,
)
from s2s.frontend.text.source import expression, made


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the body of a function: what is done already is not done again."""
    nodes = body_nodes(function)
    if not any(spreads(n) for n in nodes):
        return
    work = _Stars(function, names, nodes)
    function.body[:] = work.block(function.body)


def spreads(n: ast.AST) -> bool:
    match n:
        case ast.Call() if is_make(n):
            return True
        case ast.Call(keywords=keywords):
            is_dict = isinstance(n.func, ast.Name) and n.func.id == "dict"
            return bool(starred(n)) or any(k.arg is None for k in keywords) or is_dict
        case ast.Dict(keys=keys):
            return None in keys
        case ast.BinOp(op=ast.BitOr()):
            return True
    return False


def is_make(n: ast.Call) -> bool:
    """`State._make(values)`"""
    return isinstance(n.func, ast.Attribute) and n.func.attr == "_make" and len(n.args) == 1 and not n.keywords


class _Stars(ast.NodeTransformer):
    def __init__(self, function: ast.FunctionDef, names: ModuleNames, nodes: list[ast.AST]) -> None:
        self.names = names
        self.options = overlays.own_options(function)
        self.given = {p.arg for p in parameters(function)}
        self.own = bound_names(nodes) | self.given
        here = names.made.get(function.name)
        self.taken = here.keywords.keys() - self.own if here is not None else frozenset[str]()
        self.stores = Counter(n.id for n in walk(function) if isinstance(n, ast.Name) and is_bound(n))
        self.bindings = Bindings(nodes)
        self.over: dict[str, ast.expr] = {}  # of which dicts of dicts a variable has the items, one by one
        self.before: list[ast.stmt] = []
        self.may_not_run = 0  # branches of an expression, comprehensions and tests of loops around

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for s in body:
            if not isinstance(s, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                if isinstance(s, ast.For):
                    self.runs_over(s.target, s.iter)
                for inner in blocks_of(s):
                    inner[:] = self.block(inner)
                self.before = []
                for field in ("value", "iter", "test"):
                    e = getattr(s, field, None)
                    if isinstance(e, ast.expr):
                        self.may_not_run = int(isinstance(s, ast.While))
                        setattr(s, field, self.visit(e))
                out += self.before
            out.append(s)
        return out

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.Lambda):
            return node
        if isinstance(node, COMPREHENSIONS):
            self.rows(node)
            for g in node.generators:
                self.runs_over(g.target, g.iter)
        inside = isinstance(node, ast.IfExp | ast.BoolOp | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp)
        self.may_not_run += inside
        node = super().generic_visit(node)
        self.may_not_run -= inside
        if isinstance(node, ast.Call):
            self.show_keywords(node)
        if isinstance(node, ast.expr) and (over := self.merged(node)) is not None:
            node = over
        if isinstance(node, ast.Dict) and None in node.keys:
            self.show_entries(node)
        if isinstance(node, ast.Call) and sum(k.arg is None for k in node.keywords) == 1:
            self.call(node)
        match node:
            case ast.Call(func=ast.Attribute(value=cls), args=[row]) if is_make(node) and self.is_named_tuple(cls):
                node = made(ast.Call(cls, [made(ast.Starred(row, ast.Load()), node)], []), node)
        if isinstance(node, ast.Call) and len(starred(node)) == 1:
            self.row(node)
        return node

    def is_named_tuple(self, e: ast.expr) -> bool:
        cls = self.names.classes.get(e.id) if isinstance(e, ast.Name) and e.id not in self.own else None
        return cls is not None and cls.kind == "namedtuple"

    # ------------------------------------------------------------ dicts of modules

    def show_keywords(self, node: ast.Call) -> None:
        """The items of dicts that modules show, as the keywords of a call."""
        keywords: list[ast.keyword] = []
        for k in node.keywords:
            items = self.items(k.value) if k.arg is None else None
            if items is None or not all(n.isidentifier() for n, _ in items):
                keywords.append(k)
            else:
                keywords += [made(ast.keyword(n, e), k) for n, e in items]
        given = [k.arg for k in keywords if k.arg]
        if len(set(given)) == len(given):  # else it raises
            node.keywords[:] = keywords

    def show_entries(self, node: ast.Dict) -> None:
        """The items of dicts that modules show, as those of a display: of a key that comes again, the last value."""
        found: list[tuple[ast.expr | None, ast.expr]] = []
        for k, e in zip(node.keys, node.values, strict=True):
            items = self.items(e) if k is None else None
            found += [(k, e)] if items is None else [(made(ast.Constant(n), e), v) for n, v in items]
        if len(found) == len(node.keys) or not all(k is None or isinstance(k, ast.Constant) for k, _ in found):
            return
        new: dict[object, tuple[ast.expr | None, ast.expr]] = {}
        for i, (k, e) in enumerate(found):
            key = k.value if isinstance(k, ast.Constant) else (i,)
            old = new.get(key)
            if old is not None and not is_read(old[1]):
                return
            new[key] = (k, e)
        node.keys[:], node.values[:] = [k for k, _ in new.values()], [e for _, e in new.values()]
        made(node, node)

    def merged(self, node: ast.expr) -> ast.expr | None:
        """`D | {"b": x}` and `dict(D, b=x)` as displays, where a module shows D."""
        match node:
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                given = [left, right]
            case ast.Call(func=ast.Name(id="dict"), args=[left], keywords=keywords) if "dict" not in self.own:
                keys: list[ast.expr | None] = [made(ast.Constant(k.arg), k) if k.arg else None for k in keywords]
                given = [left, made(ast.Dict(keys, [k.value for k in keywords]), node)]
            case _:
                return None
        if not any(map(self.is_spread, given)) or not all(isinstance(e, ast.Dict) or self.is_spread(e) for e in given):
            return None
        entries = [
            p for e in given for p in (zip(e.keys, e.values, strict=True) if isinstance(e, ast.Dict) else [(None, e)])
        ]
        return made(ast.Dict([k for k, _ in entries], [e for _, e in entries]), node)

    def is_spread(self, e: ast.expr) -> bool:
        """Whether the keys of a dict that is no display are known: a module's, or what `**options` has taken."""
        return bool(self.items(e)) or (isinstance(e, ast.Name) and e.id in self.taken)

    def runs_over(self, target: ast.expr, it: ast.expr) -> None:
        """Notes the variable of a loop or comprehension over the values of a dict, where nothing else has its name."""
        for n, e in dicts_of(target, it):
            others = {*self.given, *self.names.values, *self.names.imports.names, *self.names.others}
            if self.stores[n] == 1 and n not in others:
                self.over[n] = e

    def items(self, e: ast.expr) -> list[tuple[str, ast.expr]] | None:
        """The keys of a dict that a module shows, and how its values are read."""
        shown = self.shown(e)
        keys = None if shown is None else keys_of(shown[0])
        if shown is None or not keys or any(keys_of(d) != keys for d in shown):
            return None
        return [(k, made(ast.Subscript(e, made(ast.Constant(k), e), ast.Load()), e)) for k in keys]

    def shown(self, e: ast.expr) -> list[ast.expr] | None:
        """What an expression stands for that a module shows: one of these."""
        if isinstance(e, ast.Name) and e.id in self.over:
            e = ast.Subscript(self.over[e.id], e, ast.Load())
        match e:
            case ast.Name() | ast.Attribute():
                path = dotted(e)
                if path is None or path[0] in self.own | self.stores.keys():
                    return None
                imported = self.names.imports.names.get(path[0])
                if imported is not None:
                    found = self.names.find_value(".".join([imported, *path[1:]]))
                else:
                    found = self.names.values.get(path[0]) if len(path) == 1 else None
                return None if found is None else [found]
            case ast.Subscript(value=inner, slice=ast.Constant() | ast.Name() as key):
                found_all: list[ast.expr] = []
                root = inner
                while isinstance(root, ast.Subscript | ast.Attribute):
                    root = root.value
                here = isinstance(root, ast.Name) and root.id not in self.names.imports.names
                for d in self.shown(inner) or ():
                    parts = entries_of(d)
                    if parts is None:
                        return None
                    if isinstance(key, ast.Constant):
                        if key.value not in parts:
                            return None
                        found_all.append(parts[key.value])
                    else:
                        found_all += parts.values()
                if here:  # names mean here what they mean there
                    found_all = [self.names.values.get(x.id, x) if isinstance(x, ast.Name) else x for x in found_all]
                return found_all or None
        return None

    # ------------------------------------------------------------ dicts of callers

    def rows(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> None:
        """What a comprehension runs over is taken apart at once, where it stands for arguments of a class only."""
        for g in node.generators:
            if not isinstance(g.target, ast.Name):
                continue
            own = g.target.id
            reads = [n for n in walk(node) if isinstance(n, ast.Name) and n.id == own and n is not g.target]
            calls = {id(star.value): n for n in walk(node) if isinstance(n, ast.Call) for star in starred(n)}
            found = [self.parts_of(calls[id(n)], g.iter) if id(n) in calls else None for n in reads]
            parts = found[0] if found else None
            if not parts or any(p is None or len(p) != len(parts) for p in found):
                continue
            taken = self.own | {n.id for n in walk(node) if isinstance(n, ast.Name)} - {own}
            names = [new_name(taken, p) for p in parts]
            g.target = made(ast.Tuple([ast.Name(n, ast.Store()) for n in names], ast.Store()), g.target)
            for n in reads:
                at = next(i for i, a in enumerate(calls[id(n)].args) if isinstance(a, ast.Starred) and a.value is n)
                calls[id(n)].args[at : at + 1] = [made(ast.Name(p, ast.Load()), n) for p in names]

    def parts_of(self, call: ast.Call, rows: ast.expr) -> list[str] | None:
        """The parameters for which a row stands in a call of a class, where its length is known."""
        if not isinstance(call.func, ast.Name) or call.func.id not in self.names.classes:
            return None
        callee = self.callee(call.func)
        if callee is None or len(starred(call)) > 1 or any(k.arg is None for k in call.keywords):
            return None
        a = callee.args
        if a.vararg or a.posonlyargs or not isinstance(call.args[-1], ast.Starred):
            return None
        given = {k.arg for k in call.keywords}
        left = [p.arg for p in a.args[len(call.args) - 1 :]]
        match rows:
            case ast.Call(func=ast.Name(id="zip"), args=args, keywords=[]) if "zip" not in self.own and not any(
                isinstance(x, ast.Starred) for x in args
            ):
                return left[: len(args)] if len(args) <= len(left) and not given & {*left[: len(args)]} else None
        return None if a.defaults or given & {*left} else left

    def row(self, node: ast.Call) -> None:
        """The values that a row stands for in a call of a class."""
        if not isinstance(node.func, ast.Name) or node.func.id not in self.names.classes or self.may_not_run:
            return
        callee, (star,) = self.callee(node.func), starred(node)
        if callee is None or any(k.arg is None for k in node.keywords):
            return
        a = callee.args
        if a.vararg or a.kwarg or a.posonlyargs:
            return
        is_item = self.is_item(star.value)
        if not is_item and (a.defaults or len(node.args) > 1 or node.keywords):
            return  # how many there are is not known, or others are evaluated before
        needed = [p.arg for p in a.args[: len(a.args) - len(a.defaults)]]
        missing = len(needed) - (len(node.args) - 1) - sum(k.arg in needed for k in node.keywords)
        at = node.args.index(star)
        if missing <= 0 or at < len(node.args) - 1:
            return
        if not is_item and (rounds := self.written_rounds(star.value, missing)) is not None:
            asserts, node.args[at:] = rounds
            self.before += asserts
            return
        if not is_item:
            names = [new_name(self.own, p) for p in needed]
            self.own |= {*names}
            target = ast.Tuple([ast.Name(n, ast.Store()) for n in names], ast.Store())
            self.before.append(made(ast.Assign([target], star.value), star))
            node.args[at:] = [made(ast.Name(n, ast.Load()), star) for n in names]
            return
        if a.defaults:
            self.before.append(
                made(ast.Assert(expression(f"len({ast.unparse(star.value)}) == {missing}", star), None), star)
            )
        items = (made(ast.Subscript(star.value, made(ast.Constant(i), star), ast.Load()), star) for i in range(missing))
        node.args[at:] = [*items]

    def written_rounds(self, e: ast.expr, n: int) -> tuple[list[ast.stmt], list[ast.expr]] | None:
        """The items of a comprehension over n items of names, or of several side by side, and what is asked for that:
        `a + h * b for a, b in zip(s, k)` as `s[0] + h * k[0], s[1] + h * k[1]`."""
        match e:
            case ast.GeneratorExp(element, [g]) | ast.ListComp(element, [g]) if not g.ifs and not g.is_async:
                pass
            case _:
                return None
        targets, rows = [g.target], [g.iter]
        match g.target, g.iter:
            case ast.Tuple(elts=several), ast.Call(ast.Name("zip"), args, []) if "zip" not in self.own:
                targets, rows = several, args
        names = [x.id for x in targets if isinstance(x, ast.Name)]
        again = any(isinstance(x, (*COMPREHENSIONS, ast.Lambda, ast.NamedExpr)) for x in walk(element))
        if (
            again
            or len({*names}) < len(targets)
            or len(names) != len(rows)
            or not all(isinstance(r, ast.Tuple | ast.List) or is_read(r) for r in rows)
        ):
            return None
        shown = [r for r in rows if isinstance(r, ast.Tuple | ast.List)]
        if any(len(r.elts) != n or not all(map(is_read, r.elts)) for r in shown):
            return None
        lengths = [f"len({ast.unparse(r)})" for r in rows if r not in shown]
        test = " == ".join([*dict.fromkeys(lengths), str(n)])
        asked: list[ast.stmt] = [made(ast.Assert(expression(test, e), None), e)] if lengths else []

        def item(row: ast.expr, i: int) -> ast.expr:
            if isinstance(row, ast.Tuple | ast.List):
                return row.elts[i]
            return made(ast.Subscript(row, made(ast.Constant(i), e), ast.Load()), e)

        items = ({x: item(row, i) for x, row in zip(names, rows, strict=True)} for i in range(n))
        return asked, [with_value(element, values) for values in items]

    def call(self, node: ast.Call) -> None:
        """The keywords of a call, written out where what they stand for is known."""
        star = next(k for k in node.keywords if k.arg is None)
        callee = self.callee(node.func)
        if callee is None or not self.is_item(star.value) or any(isinstance(a, ast.Starred) for a in node.args):
            return
        a = callee.args
        plain, only = [p.arg for p in a.args], [p.arg for p in a.kwonlyargs]
        given = {k.arg for k in node.keywords} | {*plain[: max(len(node.args) - len(a.posonlyargs), 0)]}
        defaults = dict(default_nodes(callee))
        free = defaults.keys() - {p.arg for p in a.posonlyargs}
        left = [n for n in (*plain, *only) if n not in given]
        without = getattr(star, "without", ())
        e = star.value
        own = overlays.is_name(e, self.options)
        # A dict for parameters that all have defaults is the caller's settings: it has some of them.
        settings = not a.kwarg and free >= {*left} and all(overlays.is_plain(defaults[n]) for n in left)
        if a.vararg or (self.may_not_run and free & {*left} and not own | settings) or {*without} & {*left} - free:
            return
        if a.kwarg and not (
            (own or (isinstance(e, ast.Name) and only_reads(callee, a.kwarg.arg)))
            and self.is_here(callee)
            and {k.arg for k in node.keywords if k.arg} <= {*plain, *only}
            and takes_whole(callee, a.kwarg.arg, {*left, *without})
        ):
            return
        named: list[tuple[str, ast.expr]] = []
        for n in left:
            item = made(ast.Subscript(e, made(ast.Constant(n), e), ast.Load()), e)
            if n not in free:
                named.append((n, item))
            elif (own or settings) and n not in without:
                default = defaults[n]
                if not overlays.is_plain(default):
                    return
                chosen = f"{ast.unparse(item)} if {n!r} in {ast.unparse(e)} else {ast.unparse(default)}"
                named.append((n, expression(chosen, e)))
            elif not own:
                absent = made(ast.Compare(made(ast.Constant(n), e), [ast.NotIn()], [e]), e)
                self.before.append(made(ast.Assert(absent, None), e))
        at = node.keywords.index(star)
        if a.kwarg:
            node.func = made(ast.Name(self.with_dict(callee), ast.Load()), node.func)
            named.append((a.kwarg.arg, e))
        node.keywords[at : at + 1] = [made(ast.keyword(n, i), star) for n, i in named]

    def is_here(self, callee: ast.FunctionDef) -> bool:
        """Whether a function is one of this module, by whose names its body is read."""
        made_here = self.names.made.get(callee.name)
        return callee in (self.names.functions.get(callee.name), made_here and made_here.node)

    def with_dict(self, callee: ast.FunctionDef) -> str:
        """The function with its `**options` as a plain parameter."""
        key = ("options", callee.name)
        if key not in self.names.keys:
            a = callee.args
            assert a.kwarg is not None
            own = self.names.new_name(f"_{callee.name.strip('_')}_{a.kwarg.arg}")
            self.names.keys[key] = own
            only = [*a.kwonlyargs, a.kwarg]
            args = ast.arguments(a.posonlyargs, a.args, None, only, [*a.kw_defaults, None], None, a.defaults)
            fresh = ast.copy_location(ast.FunctionDef(own, args, callee.body, [], callee.returns), callee)
            fresh.options = a.kwarg.arg  # type: ignore[attr-defined]
            old = self.names.made.get(callee.name)
            notes = old.notes if old else self.names.notes_of(callee.name)
            text = f"{callee.name} with {a.kwarg.arg} as one dict."
            self.names.add(own, Made(fresh, dict(old.env) if old else {}, notes, text))
        return self.names.keys[key]

    def callee(self, func: ast.expr) -> ast.FunctionDef | None:
        """The function of a call, of this module or of another one; of a class, what makes its objects."""
        if not isinstance(func, ast.Name) or func.id in self.own:
            return None
        if (cls := self.names.classes.get(func.id)) is not None and cls.is_known:
            return constructor(cls)
        found: object = self.names.made[func.id].node if func.id in self.names.made else None
        found = found or self.names.functions.get(func.id)
        if found is None and (path := self.names.imports.names.get(func.id)) is not None:
            linked = self.names.link(path)
            found = self.names.find_function(linked[6:]) if linked.startswith("local.") else None
        return found if isinstance(found, ast.FunctionDef) and not found.decorator_list else None

    def is_item(self, e: ast.expr | None, seen: frozenset[str] = frozenset()) -> bool:
        """Whether an expression is a parameter that is not bound again, what a loop binds, or an item of these."""
        while isinstance(e, ast.Attribute) or (
            isinstance(e, ast.Subscript) and isinstance(e.slice, ast.Constant | ast.Name)
        ):
            e = e.value
        if not isinstance(e, ast.Name) or e.id in seen:
            return False
        bound = self.bindings[e.id]
        if e.id in self.given:
            return bound.stores == 0
        items = [v for v in bound.values if isinstance(v, ast.Subscript)]
        loops = [over for n, over in bound.lists if not isinstance(n, ast.Assign)]
        every = [*items, *loops]
        return bound.stores == len(every) > 0 and all(self.is_item(x, seen | {e.id}) for x in every)


def dicts_of(target: ast.expr, it: ast.expr) -> list[tuple[str, ast.expr]]:
    """The variable that has the values of a dict, and that dict."""
    match target, it:
        case (ast.Name(id=name), ast.Call(func=ast.Attribute(value=of, attr="values"), args=[])) | (
            ast.Tuple(elts=[_, ast.Name(id=name)]),
            ast.Call(func=ast.Attribute(value=of, attr="items"), args=[]),
        ):
            return [(name, of)]
    return []


def entries_of(e: ast.expr) -> dict[object, ast.expr] | None:
    """The entries of a dict under different constants."""
    match e:
        case ast.Dict(keys=keys, values=values):
            found: dict[object, ast.expr] = {
                k.value: v for k, v in zip(keys, values, strict=True) if isinstance(k, ast.Constant)
            }
            return found if len(found) == len(keys) else None
        case ast.Call(func=ast.Name(id="dict"), args=[], keywords=keywords):
            named: dict[object, ast.expr] = {k.arg: k.value for k in keywords if k.arg}
            return named if len(named) == len(keywords) else None
    return None


def keys_of(e: ast.expr) -> list[str] | None:
    """The keys of a dict, if they are texts."""
    found = [k for k in entries_of(e) or () if isinstance(k, str)]
    return found if len(found) == len(entries_of(e) or ()) else None


def is_read(e: ast.expr) -> bool:
    """A constant, a name, or what they have under a key: nothing happens when it is left out."""
    while isinstance(e, ast.Subscript | ast.Attribute):
        e = e.value
    return isinstance(e, ast.Name | ast.Constant)


def starred(call: ast.Call) -> list[ast.Starred]:
    return [a for a in call.args if isinstance(a, ast.Starred)]


def takes_whole(callee: ast.FunctionDef, options: str, other: set[str]) -> bool:
    """Whether a function may be given a dict as its `**options` that has entries for other parameters too."""
    nodes = body_nodes(callee)
    if options in bound_names(nodes) or any(overlays.stored(n) == options for n in nodes):
        return False
    reads = overlays.Reads(nodes, options)
    return not other or not (reads.others or reads.handed or other & {k for k, _ in reads.keys})


def only_reads(callee: ast.FunctionDef, options: str) -> bool:
    """Whether a function leaves its `**options` as they are: they may then be a dict that its caller has."""
    nodes = body_nodes(callee)
    merged: set[int] = set()
    for n in nodes:
        match n:
            case ast.Call(func=ast.Name(id="dict"), args=args, keywords=keywords):
                merged |= {id(e) for e in (*args, *(k.value for k in keywords))}
            case ast.Call(func=ast.Attribute(attr="update"), args=args):
                merged |= {id(e) for e in args}
            case ast.Dict() | ast.BinOp(op=ast.BitOr()):
                merged |= {id(e) for k, e in overlays.parts(n) if k is None}
    reads = overlays.Reads(nodes, options)
    return all(id(n) in merged for n in reads.others) and not any(overlays.is_pop(n, options) for n in nodes)


def constructor(cls: ClassInfo) -> ast.FunctionDef | None:
    """The signature of what makes an object of a class."""
    if (init := cls.init) is not None:
        a = init.args
        if init.decorator_list or a.posonlyargs or not a.args:
            return None
        args = ast.arguments([], a.args[1:], a.vararg, a.kwonlyargs, a.kw_defaults, a.kwarg, a.defaults)
    elif cls.kind == "plain":
        return None
    else:
        fields = list(cls.fields.values())
        late: list[ast.expr] = [made(ast.Constant(None), cls.node) for f in fields if f.default]
        args = ast.arguments([], [ast.arg(n) for n in cls.fields], None, [], [], None, late)
    return ast.copy_location(ast.FunctionDef(cls.name, args, cls.node.body, [], None), cls.node)
