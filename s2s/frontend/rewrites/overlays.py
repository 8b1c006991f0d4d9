"""Options over their defaults: what a dict has where the caller's options may replace it.

    settings = {"rate": 0.1, **options}       settings_rate = options.get("rate", 0.1)
    return settings["rate"] * settings["k"]   return settings_rate * options["k"]

    options.setdefault("rate", 0.1)           options_rate = options.get("rate", 0.1)
    return model(x, **options)                return model(x, rate=options_rate, **options)

    k = options.pop("k", 2.0)                 k = options.get("k", 2.0)
    if options: raise TypeError               if set(options) - {"k"}: raise TypeError

    for _ in range(n):                        s = dict(s)
        s = {**s, "x": f(s["x"])}             for _ in range(n):
                                                  s["x"] = f(s["x"])

The first is that of any dict that is a parameter; what a function pops and sets is its own only where it takes
`**options`: those of a dict that the caller has would be seen by the caller. A dict that is used in another way is left
as it is written.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard, cast

from s2s.frontend.rewrites.objects import is_key, word
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import body_nodes, bound_names, children, every_block, parameters, string_key, walk
from s2s.frontend.text.source import expression, made


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the body of a function: what is done already is not done again."""
    options = own_options(function)
    nodes = body_nodes(function)
    if any(is_merge(n) for n in nodes) and not names.hides(frozenset(["dict"])):
        for name in sorted({renewed(n)[0] for n in nodes} - {""}):
            in_place(function, name)
        nodes = body_nodes(function)
    if not options and not any(is_merge(n) for n in nodes):
        return
    params = {p.arg for p in parameters(function)} - bound_names(nodes)
    params -= {root for n in nodes if (root := stored(n))}
    if options in params:
        own(function, options)
    join(function, params)
    for s in list(function.body):
        if (found := merged(s, params, names)) is not None:
            layer(function, s, *found)


def is_merge(n: ast.AST) -> bool:
    match n:
        case ast.Dict(keys=keys):
            return None in keys
        case (
            ast.BinOp(op=ast.BitOr()) | ast.Call(func=ast.Name(id="dict")) | ast.Call(func=ast.Attribute(attr="update"))
        ):
            return True
        case ast.AugAssign(op=ast.BitOr()):
            return True
    return False


def own_options(function: ast.FunctionDef) -> str:
    """The name of `**options`, which is a dict of the function's own, also where it has become a plain parameter."""
    return function.args.kwarg.arg if function.args.kwarg else getattr(function, "options", "")


def stored(n: ast.AST) -> str:
    """The dict that a statement changes."""
    match n:
        case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
            return name
    return ""


# ---------------------------------------------------------------- a dict with new entries, under its old name


def renewed(s: ast.AST) -> tuple[str, dict[str, ast.expr]]:
    """The dict and the new entries of `s = {**s, "x": x}` and `s = dict(s, x=x)`; none where a statement is neither."""
    match s:
        case ast.Assign(
            targets=[ast.Name(id=name)], value=ast.Dict(keys=[None, *keys], values=[ast.Name(id=of), *values])
        ) if of == name:
            texts = [k.value for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, str)]
            return (name, dict(zip(texts, values, strict=True))) if 0 < len({*texts}) == len(values) else ("", {})
        case ast.Assign(
            targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="dict"), args=[ast.Name(id=of)], keywords=more)
        ) if of == name and more:
            given = {k.arg: k.value for k in more if k.arg}
            return (name, given) if len(given) == len(more) else ("", {})
    return "", {}


def in_place(function: ast.FunctionDef, name: str) -> None:
    """Entries that loops renew are stored in a copy of the dict, which nobody else has: only entries are asked for."""
    nodes = body_nodes(function)
    found = [s for s in nodes if renewed(s)[0] == name]
    loops = {id(n) for s in nodes if isinstance(s, ast.For | ast.While) for n in walk(s)}
    given = name in {p.arg for p in parameters(function)}
    first = [(s, of) for s in function.body if isinstance(s, ast.Assign) and (of := copied(s, name))]
    if not any(id(s) in loops for s in found) or len(first) + given != 1:
        return
    entries = [
        n for n in nodes if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and n.value.id == name
    ]
    if any(string_key(n) is None or not isinstance(n.ctx, ast.Load) for n in entries):
        return
    every = [n for s in function.body for n in walk(s) if isinstance(n, ast.Name) and n.id == name]
    if len(every) != len(entries) + 2 * len(found) + len(first):
        return  # the whole dict is handed on, or seen in a function
    if given:
        at = 1 if ast.get_docstring(function) is not None else 0
        like = function.body[at]
        copy_ = made(ast.Assign([made(ast.Name(name, ast.Store()), like)], ast.Constant(None)), like)
        function.body.insert(at, copy_)
        first = [(copy_, name)]
    for s, of in first:
        s.value = expression(f"dict({of})", s)
    for block in every_block(function.body):
        for i, s_ in enumerate(block):
            if s_ in found:
                new = renewed(s_)[1]
                places: list[ast.expr] = []
                for k in new:
                    row, key = made(ast.Name(name, ast.Load()), s_), made(ast.Constant(k), s_)
                    places.append(made(ast.Subscript(row, key, ast.Store()), s_))
                one = len(places) == 1
                target = places[0] if one else made(ast.Tuple(places, ast.Store()), s_)
                value = next(iter(new.values())) if one else made(ast.Tuple([*new.values()], ast.Load()), s_)
                block[i] = ast.copy_location(ast.Assign([target], value), s_)


def copied(s: ast.Assign, name: str) -> str:
    """s of `t = {**s}`"""
    match s:
        case ast.Assign(targets=[ast.Name(id=own)], value=ast.Dict(keys=[None], values=[ast.Name(id=of)])):
            return of if own == name != of else ""
    return ""


# ---------------------------------------------------------------- what lies over what


def merged(
    s: ast.stmt, params: set[str], names: ModuleNames
) -> tuple[str, str, dict[str, ast.expr], dict[str, ast.expr]] | None:
    """(name, dict, defaults, what is fixed) where a statement binds a name to a dict over its defaults."""
    match s:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            pass
        case _:
            return None
    under: dict[str, ast.expr] = {}
    over: dict[str, ast.expr] = {}
    base = ""
    for key, e in parts(value):
        if isinstance(key, ast.Constant) and is_text(key.value):
            if base:
                over[key.value] = e
            else:
                under.pop(key.value, None)
                under[key.value] = e
        elif key is None and isinstance(e, ast.Name) and e.id in params and not base:
            base = e.id
        elif key is None and (given := displayed(e, names)) is not None and not base:
            under |= given
        else:
            return None
    return (name, base, under, over) if base else None


def join(function: ast.FunctionDef, params: set[str]) -> None:
    """`settings = {...}`, then `settings.update(options)`: as one display.

    What a parameter holds is the same at both places; what is calculated stays where it is.
    """
    made_at: dict[str, ast.Assign] = {}
    last: ast.stmt | None = None
    for s in list(function.body):
        before, last = last, s
        match s:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="update")) as call):
                over = updated(call)
            case ast.AugAssign(target=ast.Name(id=name), op=ast.BitOr(), value=e):
                over = parts(e)
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=ast.Constant() as key)], value=e) if (
                is_text(key.value)
            ):
                over = [(key, e)]
            case _:
                made_at = {k: v for k, v in made_at.items() if not reads_name(s, k)}
                if isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name) and is_display(s.value):
                    made_at[s.targets[0].id] = s
                continue
        first = made_at.get(name)
        made_at = {k: v for k, v in made_at.items() if k == name or not reads_name(s, k)}
        if first is None or over is None or any(reads_name(e, name) for _, e in over):
            made_at.pop(name, None)
            continue
        every = [*parts(first.value), *over]
        fixed = all(is_plain(e) or is_param(e, params) for _, e in over)
        if not (fixed or before is first) or not any(k is None and is_param(e, params) for k, e in every):
            made_at.pop(name, None)
            continue
        last = first
        first.value = made(ast.Dict([k for k, _ in every], [v for _, v in every]), first.value)
        first.made = True  # type: ignore[attr-defined]
        function.body.remove(s)


def updated(call: ast.Call) -> list[tuple[ast.expr | None, ast.expr]] | None:
    """What `.update(...)` puts in."""
    if len(call.args) > 1:
        return None
    named = [(made(ast.Constant(k.arg), k.value) if k.arg else None, k.value) for k in call.keywords]
    return [*(p for a in call.args for p in parts(a)), *named]


def is_param(e: ast.expr, params: set[str]) -> bool:
    return isinstance(e, ast.Name) and e.id in params


def is_name(e: ast.expr, name: str) -> bool:
    return isinstance(e, ast.Name) and e.id == name


def reads_name(s: ast.AST, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in walk(s))


def is_display(e: ast.expr) -> bool:
    match e:
        case ast.Dict() | ast.Call(func=ast.Name(id="dict"), args=[] | [ast.Name()]):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr="copy"), args=[], keywords=[]):
            return True
    return False


def parts(e: ast.expr) -> list[tuple[ast.expr | None, ast.expr]]:
    """The keys and values of a display, of `dict(...)` or of `a | b`; no key: a dict."""
    match e:
        case ast.Dict(keys=keys, values=values):
            return list(zip(keys, values, strict=True))
        case ast.Call(func=ast.Name(id="dict"), args=[] | [_] as args, keywords=keywords):
            named = [(made(ast.Constant(k.arg), k.value) if k.arg else None, k.value) for k in keywords]
            return [*((None, a) for a in args), *named]
        case ast.Call(func=ast.Attribute(value=ast.Name() as of, attr="copy"), args=[], keywords=[]):
            return [(None, of)]
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return [*parts(left), *parts(right)]
    return [(None, e)]


def displayed(e: ast.expr, names: ModuleNames) -> dict[str, ast.expr] | None:
    """The entries of a dict of the module, if it is a display; they are read where they are used."""
    value = names.values.get(e.id) if isinstance(e, ast.Name) else None
    if not isinstance(value, ast.Dict):
        return None
    found: dict[str, ast.expr] = {}
    for k in value.keys:
        if not isinstance(k, ast.Constant) or not is_text(k.value):
            return None
        found[k.value] = made(ast.Subscript(e, made(ast.Constant(k.value), e), ast.Load()), e)
        found[k.value].of_module = True  # type: ignore[attr-defined]
    return found


def is_text(key: object) -> TypeGuard[str]:
    return isinstance(key, str) and is_key(key)


def is_plain(e: ast.expr) -> bool:
    """Whether an expression is a number, a text or None, or an entry of a dict of the module."""
    return (
        isinstance(e, ast.Constant) or hasattr(e, "of_module") or (isinstance(e, ast.UnaryOp) and is_plain(e.operand))
    )


# ---------------------------------------------------------------- what is read


class Reads:
    """The uses of a dict: its entries by literal keys, the calls that it is handed to by `**`, and all others."""

    def __init__(self, nodes: list[ast.AST], name: str) -> None:
        self.keys: list[tuple[str, ast.expr]] = []  # entries that are read
        self.handed: list[ast.Call] = []
        known: set[int] = set()
        for n in nodes:
            match n:
                case ast.Subscript(value=ast.Name(id=of) as x, slice=ast.Constant() as k, ctx=ast.Load()) if (
                    of == name and is_text(k.value)
                ):
                    self.keys.append((k.value, n))
                    known.add(id(x))
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id=of) as x, attr="get" | "pop"),
                    args=[ast.Constant() as k, *rest],
                    keywords=[],
                ) if of == name and is_text(k.value) and len(rest) < 2:
                    self.keys.append((k.value, n))
                    known.add(id(x))
                case ast.Compare(
                    left=ast.Constant() as k, ops=[ast.In() | ast.NotIn()], comparators=[ast.Name(id=of) as x]
                ) if of == name and is_text(k.value):
                    self.keys.append((k.value, n))
                    known.add(id(x))
                case ast.Call(keywords=keywords) if any(is_handed(k, name) for k in keywords):
                    self.handed.append(n)
                    known |= {id(k.value) for k in keywords if is_handed(k, name)}
        self.others = [n for n in nodes if isinstance(n, ast.Name) and n.id == name and id(n) not in known]


def is_handed(k: ast.keyword, name: str) -> bool:
    return k.arg is None and isinstance(k.value, ast.Name) and k.value.id == name


def layer(
    function: ast.FunctionDef,
    s: ast.stmt,
    name: str,
    base: str,
    under: dict[str, ast.expr],
    over: dict[str, ast.expr],
) -> None:
    """A dict over its defaults as variables, one for each key that is read."""
    at = function.body.index(s)
    before = [n for x in function.body[:at] for n in walk(x)]
    behind = [n for x in function.body[at + 1 :] for n in walk(x)]
    reads = Reads(behind, name)
    if reads.others or any(isinstance(n, ast.Name) and n.id == name for n in before) or hidden(behind, name, base):
        return
    if not only_read(function, base, s):
        return
    if any(is_pop(n) for _, n in reads.keys):
        return
    read = {k for k, _ in reads.keys}
    under = {k: e for k, e in under.items() if k in read or reads.handed or not is_plain(e)}
    variables = fresh(function, name, [*under, *over])
    first: list[ast.stmt] = []
    for key in under:
        value: ast.expr = under[key] if key not in over else over[key]
        if key not in over:
            value = get(base, key, value, s) if is_plain(value) else chosen(first, variables[key], base, key, value, s)
        first.append(bind(variables[key], value, s))
    first += [bind(variables[key], e, s) for key, e in over.items() if key not in under]
    function.body[at : at + 1] = first
    swap = _Swap(name, base, variables)
    tail = function.body[at + len(first) :]
    function.body[at + len(first) :] = [cast(ast.stmt, swap.visit(x)) for x in tail]


def only_read(function: ast.FunctionDef, name: str, merge: ast.stmt) -> bool:
    """Whether nothing can change a dict: it has no second name, and no function is given it.

    Its entries are read where they are used, which may be behind a change.
    """
    nodes = [n for s in function.body if s is not merge for n in walk(s)]
    harmless: set[int] = set()
    for n in nodes:
        match n:
            case ast.Attribute(value=ast.Name() as x, attr="items" | "keys" | "values" | "setdefault"):
                harmless.add(id(x))
            case ast.Call(func=ast.Name(id="list" | "sorted" | "len" | "set"), args=[ast.Name() as x]):
                harmless.add(id(x))
            case ast.For(iter=ast.Name() as x) | ast.comprehension(iter=ast.Name() as x):
                harmless.add(id(x))
            case ast.Dict() | ast.BinOp(op=ast.BitOr()):
                harmless |= {id(x) for k, x in parts(n) if k is None}
            case ast.Call(func=ast.Name(id="dict"), args=[ast.Name() as x]):
                harmless.add(id(x))
    return all(id(n) in harmless for n in Reads(nodes, name).others)


def hidden(nodes: list[ast.AST], *names: str) -> bool:
    """Whether something within a function has these names for something else."""
    return any(
        (isinstance(n, ast.arg) and n.arg in names)
        or (isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load) and n.id in names)
        for n in nodes
    )


def chosen(first: list[ast.stmt], variable: str, base: str, key: str, value: ast.expr, s: ast.stmt) -> ast.expr:
    """A default that is calculated: before the choice, as it is written."""
    first.append(bind(variable, value, s))
    return get(base, key, made(ast.Name(variable, ast.Load()), s), s)


def get(base: str, key: str, default: ast.expr, like: ast.AST) -> ast.expr:
    func = made(ast.Attribute(made(ast.Name(base, ast.Load()), like), "get", ast.Load()), like)
    return made(ast.Call(func, [made(ast.Constant(key), like), default], []), like)


def bind(name: str, value: ast.expr, like: ast.stmt) -> ast.stmt:
    return ast.copy_location(ast.Assign([made(ast.Name(name, ast.Store()), like)], value), like)


def fresh(function: ast.FunctionDef, name: str, keys: list[str]) -> dict[str, str]:
    taken = {n.id for n in walk(function) if isinstance(n, ast.Name)}
    taken |= {n.arg for n in walk(function) if isinstance(n, ast.arg)}
    out: dict[str, str] = {}
    for key in keys:
        wish = f"{name}_{word(key)}"
        while wish in taken:
            wish += "_"
        taken.add(wish)
        out[key] = wish
    return out


class _Swap(ast.NodeTransformer):
    """The entries of a dict as variables; those that are none, as entries of the dict under it."""

    def __init__(self, name: str, base: str, variables: dict[str, str]) -> None:
        self.name, self.base, self.variables = name, base, variables

    def visit(self, node: ast.AST) -> ast.AST:
        match node:
            case (
                ast.Subscript(value=ast.Name(id=of), slice=ast.Constant(value=str(key)), ctx=ast.Load())
                | ast.Call(
                    func=ast.Attribute(value=ast.Name(id=of), attr="get" | "pop"),
                    args=[ast.Constant(value=str(key)), *_],
                )
            ) if of == self.name and key in self.variables:
                return made(ast.Name(self.variables[key], ast.Load()), node)
            case ast.Compare(
                left=ast.Constant(value=str(key)), ops=[ast.In() | ast.NotIn() as op], comparators=[ast.Name(id=of)]
            ) if of == self.name and key in self.variables:
                return made(ast.Constant(isinstance(op, ast.In)), node)
            case ast.Call(keywords=keywords) if any(is_handed(k, self.name) for k in keywords):
                at = next(i for i, k in enumerate(keywords) if is_handed(k, self.name))
                named = [
                    made(ast.keyword(k, made(ast.Name(v, ast.Load()), node)), node) for k, v in self.variables.items()
                ]
                keywords[at:at] = named
            case ast.Name(id=of) if of == self.name:
                return made(ast.Name(self.base, ast.Load()), node)
        inside = isinstance(node, ast.expr) and any(isinstance(n, ast.Name) and n.id == self.name for n in walk(node))
        self.generic_visit(node)
        if inside:
            node.made = True  # type: ignore[attr-defined]
        return node


# ---------------------------------------------------------------- `**options`


def own(function: ast.FunctionDef, name: str) -> None:
    """What a function sets and pops of its own `**options`."""
    nodes = body_nodes(function)
    if any(isinstance(n, ast.FunctionDef | ast.Lambda) and reads_name(n, name) for n in nodes):
        return
    _Keys(name).visit(function)
    take_out(function, body_nodes(function), name)
    for s in reversed(function.body[:]):
        match s:
            case (
                ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr="setdefault")) as call)
                | ast.Assign(value=ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr="setdefault")) as call)
            ) if of == name:
                set_default(function, s, call, name)


class _Keys(ast.NodeTransformer):
    """`options.keys() - {"k"}` as `set(options) - {"k"}`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        self.generic_visit(node)
        match node.left:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr="keys"), args=[]) if of == self.name:
                node.left = expression(f"set({of})", node.left)
        return node


def take_out(function: ast.FunctionDef, nodes: list[ast.AST], name: str) -> None:
    """Entries that are popped are read: where no other reader may see that they are still there."""
    pops = [n for n in nodes if is_pop(n, name)]
    at_top = [n for s in function.body for n in always(s) if is_pop(n, name)]
    keys = [key_of(n) for n in pops]
    reads = Reads(nodes, name)
    counts = [n for n in nodes if isinstance(n, ast.Raise) or is_count(n, name)]
    counted = {id(x) for n in counts for x in ([n.test] if isinstance(n, ast.If) else walk(n))}
    if (
        not pops
        or len(at_top) != len(pops)
        or any([k for k, _ in reads.keys].count(key) != 1 for key in keys)
        or any(id(n) not in counted for n in reads.others)
    ):
        return
    gone: list[str] = []
    for i, s in enumerate(function.body):
        new = [key_of(n) for n in always(s) if is_pop(n, name)]
        function.body[i] = cast(ast.stmt, _TakenOut(name, tuple(gone)).visit(s))
        gone += new


def always(s: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a statement that are calculated in any case."""
    if isinstance(s, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr | ast.Return) and s.value is not None:
        stack = [s.value]
        while stack:
            e = stack.pop()
            yield e
            if not isinstance(e, ast.Lambda | ast.IfExp | ast.BoolOp | ast.ListComp | ast.GeneratorExp | ast.DictComp):
                stack += [n for n in children(e) if isinstance(n, ast.expr)]
                stack += [n.value for n in children(e) if isinstance(n, ast.keyword)]


def is_pop(n: ast.AST, name: str = "") -> bool:
    match n:
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=of), attr="pop"), args=[ast.Constant(value=key), *rest], keywords=[]
        ):
            return is_text(key) and name in ("", of) and len(rest) < 2
    return False


def key_of(n: ast.AST) -> str:
    assert isinstance(n, ast.Call) and isinstance(n.args[0], ast.Constant)
    return str(n.args[0].value)


def is_count(n: ast.AST, name: str) -> bool:
    """Whether something asks whether a dict has entries."""
    match n:
        case ast.Assert(test=test):
            return is_count(test, name) or is_name(test, name)
        case ast.If(test=test) | ast.UnaryOp(op=ast.Not(), operand=test):
            return is_name(test, name)
        case ast.Call(func=ast.Name(id="len" | "bool"), args=[ast.Name(id=of)]):
            return of == name
    return False


class _TakenOut(ast.NodeTransformer):
    def __init__(self, name: str, gone: tuple[str, ...]) -> None:
        self.name, self.gone = name, gone

    def visit(self, node: ast.AST) -> ast.AST:
        if is_pop(node, self.name):
            assert isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            if len(node.args) == 1:
                return made(ast.Subscript(node.func.value, node.args[0], ast.Load()), node)
            return get(self.name, key_of(node), self.visit(node.args[1]), node)  # type: ignore[arg-type]
        if isinstance(node, ast.Call):
            for k in node.keywords:
                if is_handed(k, self.name):
                    k.without = self.gone  # type: ignore[attr-defined]
        raised = isinstance(node, ast.Raise) or is_count(node, self.name)
        if raised and self.gone:
            for inner in [node] if isinstance(node, ast.If) else list(walk(node)):
                for field, value in ast.iter_fields(inner):
                    if isinstance(value, ast.Name) and value.id == self.name:
                        setattr(inner, field, self.left(value))
                    elif isinstance(value, list):
                        value[:] = [self.left(v) if isinstance(v, ast.Name) and v.id == self.name else v for v in value]
        inside = isinstance(node, ast.expr) and reads_name(node, self.name)
        self.generic_visit(node)
        if inside:
            node.made = True  # type: ignore[attr-defined]
        return node

    def left(self, like: ast.expr) -> ast.expr:
        return expression(f"set({self.name}) - {{{', '.join(map(repr, self.gone))}}}", like)


def set_default(function: ast.FunctionDef, s: ast.stmt, call: ast.Call, name: str) -> None:
    """`options.setdefault(key, default)`: what is read behind it is a variable."""
    match call:
        case ast.Call(args=[ast.Constant(value=key), default], keywords=[]) if is_text(key):
            pass
        case _:
            return
    at = function.body.index(s)
    behind = [n for x in function.body[at + 1 :] for n in walk(x)]
    if Reads(behind, name).others or hidden(behind, name) or not only_read(function, name, s):
        return
    variables = fresh(function, name, [key])
    first: list[ast.stmt] = []
    value = get(name, key, default, s) if is_plain(default) else chosen(first, variables[key], name, key, default, s)
    first.append(bind(variables[key], value, s))
    if isinstance(s, ast.Assign):
        first.append(ast.copy_location(ast.Assign(s.targets, made(ast.Name(variables[key], ast.Load()), s)), s))
    function.body[at : at + 1] = first
    swap = _Swap(name, name, variables)
    tail = function.body[at + len(first) :]
    function.body[at + len(first) :] = [cast(ast.stmt, swap.visit(x)) for x in tail]


__all__ = ["write_out"]
