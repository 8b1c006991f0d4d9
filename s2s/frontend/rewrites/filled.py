"""Dicts that the function makes, and fills under keys that are known when it runs only.

    total = {}                                  total = {}
    for name, v in zip(names, values):          for name, v in zip(names, values):
        total[name] = total.get(name, 0.0) + v      total[name] = (total[name] if name in total else 0.0) + v
    s = sum(total.values())                     s = sum([total[k] for k in list(total)])

Such a dict stays a dict, with a dict of the same keys for its cotangent (`makers` finds it). What is done with it is
written with stores, reads, `in`, `len`, and loops over the list of its keys. Where more is done with it, it is left.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from s2s.frontend.rewrites.entries import Entries, open_items
from s2s.frontend.rewrites.fresh import Uses
from s2s.frontend.rewrites.gathered import only_in_loops
from s2s.frontend.rewrites.key_loops import note_new, run_over_parameters
from s2s.frontend.rewrites.keyed import (
    MAKE_NEW,
    chosen_by_values,
    copied,
    entry,
    evaluated_late,
    free,
    is_alone,
    is_entry_of,
    is_name,
    is_one_of,
    is_shown,
    key_of,
    keys_of,
    listed,
    loop_over,
    name_key,
    number,
    over_keys,
    read_under_own_keys,
    replaced,
    steps,
    values_of,
)
from s2s.frontend.rewrites.makers import binds_filled, default_of, dicts, filled, maker, makes, of_dicts, zeros_of_lists
from s2s.frontend.rewrites.named import (
    copy_given,
    name_added,
    name_listed,
    name_returned,
    name_run_over,
    zeros_by_entries,
)
from s2s.frontend.rewrites.rows import named_choice
from s2s.frontend.rewrites.taken_up import name_items
from s2s.frontend.rewrites.takes import popped
from s2s.frontend.text.function_bodies import has_effects
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import body_nodes, bound_names, every_block, is_bound, parameters
from s2s.frontend.text.source import expression, made


def ask_first(function: ast.FunctionDef, module: ModuleNames) -> None:
    """try:                      if k in d:
        d[k] += e                    d[k] += e
    except KeyError:             else:
        d[k] = e                     d[k] = e
    """
    for block in every_block(function.body):
        for i, s in enumerate(block):
            match s:
                case ast.Try(
                    body=[ast.Assign() | ast.AugAssign() as first],
                    handlers=[
                        ast.ExceptHandler(type=ast.Name(id="KeyError"), name=None, body=[*_, ast.Assign()] as rest)
                    ],
                    orelse=[],
                    finalbody=[],
                ):
                    pass
                case _:
                    continue
            reads = [n for n in ast.walk(first) if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Load)]
            if isinstance(first, ast.AugAssign) and isinstance(first.target, ast.Subscript):
                reads.append(first.target)
            put = [n.targets[0] for n in rest if isinstance(n, ast.Assign)]
            match reads:
                case [ast.Subscript(value=ast.Name(id=d) as of, slice=key)] if not has_effects(
                    first.value, module.functions
                ) and any(isinstance(t, ast.Subscript) and is_entry_of(t, d) for t in put):
                    test = made(ast.Compare(copied(key), [ast.In()], [copied(of)]), s)
                    block[i] = ast.copy_location(ast.If(test, s.body, rest), s)


def by_values(nodes: list[ast.AST]) -> None:
    """`max(d, key=lambda k: d[k])` as `max(d, key=d.get)`, of a dict that is made here."""
    made_here: dict[str, bool] = {}
    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict() | ast.DictComp()):
                made_here.setdefault(name, True)
            case ast.Assign(targets=[ast.Name(id=name)]):
                made_here[name] = False
    bound = Counter(n.id for n in nodes if isinstance(n, ast.Name) and is_bound(n))
    assigned = Counter(
        n.targets[0].id for n in nodes if isinstance(n, ast.Assign) and isinstance(n.targets[0], ast.Name)
    )
    for n in nodes:
        match n:
            case ast.Call(
                func=ast.Name(id="max" | "min"),
                args=[ast.Name(id=name) as d],
                keywords=[
                    ast.keyword(
                        arg="key",
                        value=ast.Lambda(args=ast.arguments(args=[k], posonlyargs=[], kwonlyargs=[]), body=item),
                    ) as option
                ],
            ) if is_entry_under(item, name, k.arg) and made_here.get(name) and bound[name] == assigned[name]:
                option.value = made(ast.Attribute(copied(d), "get", ast.Load()), option.value)


def is_entry_under(e: ast.expr, name: str, key: str) -> bool:
    return isinstance(e, ast.Subscript) and is_entry_of(e, name) and is_name(e.slice, key)


def write_out(function: ast.FunctionDef, module: ModuleNames) -> set[str]:
    """Changes the body of a function; returns the names of these dicts."""
    name_run_over(function, module)
    nodes = body_nodes(function)
    if any(isinstance(n, ast.Try) for n in nodes):
        ask_first(function, module)
        nodes = body_nodes(function)
    by_values(nodes)
    stores = any(isinstance(n, ast.Subscript) and not isinstance(n.ctx, ast.Load) for n in nodes)
    if not stores and not any(
        isinstance(n, ast.DictComp)
        or (isinstance(n, ast.Assign) and is_shown(n.value))
        or (isinstance(n, ast.Attribute) and n.attr == "setdefault")
        or (isinstance(n, ast.Call) and maker(n.func, module))
        or (isinstance(n, ast.Assign) and isinstance(n.value, ast.Call) and binds_filled(n, n.value, module))
        for n in nodes
    ):
        return set()
    anew = any(isinstance(n, ast.Assign) and isinstance(n.value, ast.DictComp | ast.Call) for n in nodes)
    if (stores or anew) and not is_called(function, module):
        copy_given(function, module)
    name_returned(function, module)
    name_listed(function, module)
    zeros_by_entries(function, module)
    name_added(function, module)
    name_items(function, module)
    names = filled(function, module)
    if not names:
        return set()
    rebind(function, names, module)
    lists = appended(function, names)
    writer = _Written(function, module, names, lists)
    for block in list(every_block(function.body)):
        block[:] = [x for s in block for x in writer.statement(s)]
    assert_no_floats(function, writer.labels)
    for n in body_nodes(function):
        if isinstance(n, ast.expr):
            ast.fix_missing_locations(n)
    return names


def are_values(nodes: list[ast.AST], names: set[str]) -> bool:
    """Whether keys of these dicts may be more than keys: what is done with them in loops, and where a dict is handed
    on, is not seen."""
    keys = {n.slice for n in nodes if isinstance(n, ast.Subscript)}
    keys |= {n.left for n in nodes if isinstance(n, ast.Compare) and isinstance(n.ops[0], ast.In | ast.NotIn)}
    over: set[str] = set()
    known: set[int] = set()
    for n in nodes:
        match n:
            case ast.Subscript(value=ast.Name() as d):
                known.add(id(d))
            case ast.Compare(comparators=[ast.Name() as d]):
                known.add(id(d))
            case ast.For(target=ast.Name(id=k), iter=ast.Name() as d) if d.id in names:
                known.add(id(d))
                over.add(k)
            case ast.Attribute(value=ast.Name() as d, attr="values" | "get" | "setdefault"):
                known.add(id(d))
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name() as d]):
                known.add(id(d))
            case ast.Return():
                known |= {id(e) for e in values_of(n)}
    loads = [n for n in nodes if isinstance(n, ast.Name) and not is_bound(n)]
    return any(n.id in names and id(n) not in known for n in loads) or any(
        n.id in over and n not in keys for n in loads
    )


def assert_no_floats(function: ast.FunctionDef, labels: set[str]) -> None:
    """Keys that are numbers of which something is computed carry a derivative, which is not followed."""
    first = function.body[1 if ast.get_docstring(function) is not None else 0]
    at = function.body.index(first)
    tests = [expression(f"not any(isinstance(k, float) for k in {name})", first) for name in sorted(labels)]
    function.body[at:at] = [made(ast.Assert(test), first) for test in tests]


def mark(function: ast.FunctionDef, names: set[str], module: ModuleNames) -> None:
    """Tells the displays, the entries and the lists of keys of these dicts: see `Expressions`."""
    if names:
        run_over_parameters(function, names)
        note_new(function, names)
    nested = of_dicts(body_nodes(function)) & names
    nested |= zeros_of_lists(function, names, module)
    names = names | open_items(function)
    for n in body_nodes(function) if names else ():
        match n:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict() as display) if name in names:
                display.open = True  # type: ignore[attr-defined]
            case ast.Subscript(value=ast.Name(id=name)) if name in names:
                n.keyed = True  # type: ignore[attr-defined]
            case ast.Subscript(value=ast.Subscript(value=ast.Name(id=name))) if name in nested:
                n.keyed = True  # type: ignore[attr-defined]
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name))], value=ast.Dict() as display) if (
                name in nested
            ):
                display.open = True  # type: ignore[attr-defined]
            case ast.Call(func=ast.Name(id="list" | "sorted" | "len"), args=[ast.Name(id=name)]) if name in names:
                n.keyed = True  # type: ignore[attr-defined]
            case ast.Call(func=ast.Name(id="list"), args=[ast.Subscript(value=ast.Name(id=name))], keywords=[]) if (
                name in nested
            ):
                n.keyed = True  # type: ignore[attr-defined]


def is_called(function: ast.FunctionDef, module: ModuleNames) -> bool:
    """Whether a function of the module calls it, and so sees what it does with its parameters."""
    every = [f for f in module.functions.values() if isinstance(f, ast.FunctionDef)]
    return any(isinstance(n, ast.Name) and n.id == function.name for f in every for n in ast.walk(f))


def rebind(function: ast.FunctionDef, names: set[str], module: ModuleNames) -> None:
    """`d[k] += e` as `d[k] = d[k] + e`, where nothing else sees the array that lies there: it makes no difference."""
    nodes = body_nodes(function)
    uses = Uses(function, frozenset(n for n in MAKE_NEW if module.carries(n)))
    plain = names & {
        n.target.value.id
        for n in nodes
        if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Subscript) and isinstance(n.target.value, ast.Name)
    }
    for name in sorted(plain):
        if not uses.holds_new(name) or any(not uses.is_settled(n, name, ast.AugAssign) for n in uses.seen(name)):
            plain.discard(name)
    taken = {n.id for n in nodes if isinstance(n, ast.Name)} | {p.arg for p in parameters(function)}
    for block in every_block(function.body):
        for s in list(block):
            match s:
                case ast.AugAssign(target=ast.Subscript(value=ast.Name(id=name)) as place, op=op, value=value) if (
                    name in plain
                ):
                    i = block.index(s)
                    if any(popped(n) or is_user_call(n, module) for n in ast.walk(place.slice)):
                        block.insert(i, name_key(s, place, free("key", taken)))
                        i += 1
                    total = made(ast.BinOp(entry(name, place.slice, ast.Load(), s), op, value), value)
                    block[i] = ast.copy_location(ast.Assign([entry(name, place.slice, ast.Store(), s)], total), s)


def is_user_call(n: ast.AST, module: ModuleNames) -> bool:
    """Whether a function of the module is called, or a method of one of its classes."""
    match n:
        case ast.Call(func=ast.Name(id=name)):
            return name in module.functions
        case ast.Call(func=ast.Attribute(attr=attr)):
            return any(attr in cls.methods for cls in module.classes.values())
    return False


def appended(function: ast.FunctionDef, names: set[str]) -> set[str]:
    """The dicts of lists to which items are appended, and that no other name sees: `groups[label].append(x)`."""
    nodes = body_nodes(function)
    uses = Uses(function)
    found: set[str] = set()
    bad: set[str] = set()
    for n in nodes:
        match n:
            case ast.Call(func=ast.Attribute(value=of, attr="append")) if (name := uses.entry_of(of)) in names:
                found.add(name)
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name))], value=value) if name in names:
                if not isinstance(value, ast.List):
                    bad.add(name)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="setdefault"), args=[_, value]):
                if not isinstance(value, ast.List):
                    bad.add(name)
    for name in found - bad:
        if any(not uses.is_settled(n, name, ast.Call) for n in uses.seen(name)):
            bad.add(name)
    return found - bad


class _Written(ast.NodeTransformer):
    """Writes what is done with these dicts by stores, reads and loops."""

    def __init__(self, function: ast.FunctionDef, module: ModuleNames, names: set[str], lists: set[str]) -> None:
        self.names, self.functions, self.lists = names, module.functions, lists
        self.function = function
        self.nested = of_dicts(body_nodes(function)) & names
        self.zeros = zeros_of_lists(function, names, module)
        nodes = body_nodes(function)
        self.taken = {n.id for n in nodes if isinstance(n, ast.Name)} | {p.arg for p in parameters(function)}
        self.defaults: dict[str, ast.expr] = {}
        self.counts: set[str] = set()  # that give 0 for a key which is not there, and do not add it
        self.module = module
        self.present = {x for n in nodes if isinstance(n, ast.For) for x in read_under_own_keys(n)}
        self.given = given = {p.arg for p in parameters(function)} - bound_names(nodes)
        self.dicts = dicts(function, nodes, given)
        self.labels: set[str] = set()  # what is run over for keys, and may be a list of numbers
        self.asked_for_keys = are_values(nodes, names)
        self.alone = {name for name in names - given if is_alone(function, name, module)}
        for n in nodes:
            match n:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=func, args=args)) if name in names:
                    kind = maker(func, module)
                    if kind == "default" and (default := default_of(args[0])) is not None:
                        self.defaults[name] = default
                    elif kind == "count":
                        self.defaults[name] = expression("0", func)
                        self.counts.add(name)

    def free(self, wish: str) -> str:
        return free(wish, self.taken)

    def statement(self, s: ast.stmt) -> Iterator[ast.stmt]:
        match s:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in self.names:
                yield from self.bound(s, name, value)
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="setdefault"), args=[key, value])
            ) if name in self.names:
                yield self.added(name, key, value, s)
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(
                        value=ast.Call(
                            func=ast.Attribute(value=ast.Name(id=name), attr="setdefault"), args=[key, value]
                        ),
                        attr="append",
                    ) as func
                )
            ) if name in self.names:
                yield self.added(name, key, value, s)
                func.value = entry(name, key, ast.Load(), s)
                yield from self.longer(s)
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Subscript(value=ast.Name(id=name), slice=key), attr="append"), args=[_]
                )
            ) if name in self.lists:
                if name in self.defaults and not has_effects(key, self.functions):
                    yield self.added(name, key, self.defaults[name], s)
                yield from self.longer(s)
            case ast.AugAssign(target=ast.Subscript(value=ast.Name(id=name), slice=key), op=op, value=value) if (
                name in self.defaults and not has_effects(key, self.functions)
            ):
                old = self.got(name, key, self.defaults[name], s)
                total = made(ast.BinOp(old, op, self.visit(value)), value)
                yield ast.copy_location(ast.Assign([entry(name, key, ast.Store(), s)], total), s)
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=key)]) if (
                name in self.names and (first := self.added_to(s, name, key)) is not None
            ):
                yield self.added(name, key, first.args[1], s)
                s.value = replaced(s.value, first, entry(name, key, ast.Load(), s))
                yield self.visit(s)
            case ast.Assign(
                targets=[ast.Subscript(value=ast.Name(id=rows)) as row],
                value=ast.Call(func=ast.Name(id="_added") as total, args=[old, ast.Name(id=more)]),
            ) if rows in self.zeros and more in self.names and ast.unparse(old) == ast.unparse(row):
                k = self.free("k")

                def entry_of_row(ctx: ast.expr_context) -> ast.Subscript:
                    return made(ast.Subscript(copied(old), key_of(k, s), ctx), s)

                each = made(ast.Call(total, [entry_of_row(ast.Load()), entry(more, k, ast.Load(), s)], []), s)
                yield loop_over(k, keys_of(more, s), entry_of_row(ast.Store()), each, s)
            case ast.Assign() | ast.AugAssign() | ast.Expr() | ast.Return() | ast.Assert():
                yield from self.read_first(s)
                yield self.visit(s)
            case ast.If(test=test) | ast.While(test=test):
                if isinstance(s, ast.If):
                    yield from self.read_first(s, test)
                s.test = self.visit(test)
                yield s
            case ast.For(iter=ast.Subscript(value=ast.Name(id=name)) as it) if name in self.nested:
                s.iter = listed(it)
                yield s
            case ast.For(
                target=ast.Tuple(elts=[ast.Name(id=k), value]),
                iter=ast.Call(func=ast.Attribute(value=ast.Subscript(value=ast.Name(id=name)) as it, attr="items")),
            ) if name in self.nested:
                item = made(ast.Subscript(copied(it), key_of(k, s), ast.Load()), s)
                s.body.insert(0, made(ast.Assign([value], item), s))
                s.target, s.iter = made(ast.Name(k, ast.Store()), s), listed(it)
                yield s
            case ast.For(iter=ast.Call(func=ast.Name(id="reversed"), args=[ast.Name(id=name) as d]) as it) if (
                name in self.names
            ):
                it.args = [keys_of(name, d)]
                yield s
            case ast.For(target=ast.Name(id=k), iter=ast.Name(id=of) as it) if of in self.given and self.is_key(
                k, s.body
            ):
                s.iter = keys_of(of, it)
                s.iter.each_once = of in self.dicts  # type: ignore[attr-defined]
                if of not in self.dicts and self.asked_for_keys:
                    self.labels.add(of)
                yield s
            case ast.For(iter=it):
                s.iter = self.visit(it)
                yield s
            case _:
                yield s

    def is_key(self, k: str, body: list[ast.stmt]) -> bool:
        """Whether a variable is a key of these dicts, and nothing else: what it runs over may be a list or a dict."""
        nodes = [n for s in body for n in ast.walk(s)]
        keys = [n.slice for n in nodes if isinstance(n, ast.Subscript) and is_name(n.slice, k)]
        own = any(
            isinstance(n, ast.Subscript) and is_name(n.slice, k) and is_one_of(n.value, self.names) for n in nodes
        )
        return own and sum(is_name(n, k) for n in nodes) == len(keys)

    def longer(self, s: ast.Expr) -> Iterator[ast.stmt]:
        """`d[k].append(x)` as `d[k] = [*d[k], x]`, where no other name sees the list."""
        match s.value:
            case ast.Call(func=ast.Attribute(value=ast.Subscript(value=ast.Name(id=name), slice=key)), args=[item]) if (
                name in self.lists
            ):
                old = made(ast.Starred(entry(name, key, ast.Load(), s), ast.Load()), s)
                before, item = named_choice(self.visit(item), s, self.taken)
                yield from before
                total = made(ast.List([old, item], ast.Load()), s.value)
                yield ast.copy_location(ast.Assign([entry(name, key, ast.Store(), s)], total), s)
                return
        yield s

    def bound(self, s: ast.Assign, name: str, value: ast.expr) -> Iterator[ast.stmt]:
        """`d = {k: e for k in keys}` as `d = {}` and a loop."""
        empty = ast.copy_location(ast.Assign(s.targets, made(ast.Dict([], []), value)), s)
        is_step = isinstance(value, ast.DictComp) and name in self.alone and steps(value, name)
        if not is_step and self.is_filled(value) and any(is_name(n, name) for n in ast.walk(value)):
            made_anew = name.endswith("_new")  # the copy of a parameter
            other = self.free(f"{name.removesuffix('_new')}_next" if made_anew else f"{name}_new")
            self.names.add(other)
            if name in self.defaults:
                self.defaults[other] = self.defaults[name]
            first = ast.copy_location(ast.Assign([made(ast.Name(other, ast.Store()), s)], value), s)
            yield from self.bound(first, other, value)
            yield ast.copy_location(ast.Assign(s.targets, made(ast.Name(other, ast.Load()), s)), s)
            return
        match value:
            case ast.Dict():
                yield self.visit(s)
            case ast.Call(func=ast.Name(id="_added") as total, args=[ast.Name(id=of), more]) if self.module.carries(
                "_added"
            ):
                if not isinstance(more, ast.Name):
                    inc = self.free(f"{name.removesuffix('_bar')}_inc")
                    if makes(more, self.names, self.given, (), self.module):
                        self.names.add(inc)
                    yield ast.copy_location(ast.Assign([made(ast.Name(inc, ast.Store()), s)], self.visit(more)), s)
                    more = made(ast.Name(inc, ast.Load()), more)
                assert isinstance(more, ast.Name)
                k = self.free("k")
                each = made(ast.Call(total, [entry(of, k, ast.Load(), s), entry(more.id, k, ast.Load(), s)], []), value)
                s.value = made(ast.DictComp(key_of(k, s), each, [over_keys(k, of, s)]), value)
                yield from self.bound(s, name, s.value)
            case ast.Name() | ast.Call(func=ast.Name()) if not self.is_made(value):
                yield self.visit(s)
            case ast.DictComp(key=key, value=item, generators=generators):
                if is_step:
                    yield self.loop(name, key, item, generators, s)
                    return
                yield empty
                yield self.loop(name, key, item, generators, s)
            case ast.Call(func=ast.Name(id="dict"), args=[], keywords=options):
                keys: list[ast.expr | None] = [made(ast.Constant(k.arg), value) for k in options]
                yield ast.copy_location(ast.Assign(s.targets, made(ast.Dict(keys, [k.value for k in options]), s)), s)
            case (
                ast.Call(func=ast.Name(id="dict"), args=[ast.Name(id=of)])
                | ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr="copy"))
            ):
                k = self.free("k")
                yield empty
                yield loop_over(k, keys_of(of, s), entry(name, k, ast.Store(), s), entry(of, k, ast.Load(), s), s)
            case ast.Call(func=ast.Name(id="dict"), args=[pairs]):
                k, v = self.free("k"), self.free("v")
                yield empty
                step = loop_over(k, pairs, entry(name, k, ast.Store(), s), made(ast.Name(v, ast.Load()), s), s)
                step.target = made(ast.Tuple([step.target, made(ast.Name(v, ast.Store()), s)], ast.Store()), s)
                yield step
            case ast.Call(func=ast.Attribute(attr="fromkeys"), args=[it, item]):
                k = self.free("k")
                if not isinstance(item, ast.Constant):  # one array for all keys
                    one = self.free(f"{name}_first")
                    yield ast.copy_location(ast.Assign([made(ast.Name(one, ast.Store()), s)], item), s)
                    item = made(ast.Name(one, ast.Load()), s)
                if isinstance(it, ast.Name) and it.id in self.names:
                    it = keys_of(it.id, it)
                yield empty
                yield loop_over(k, it, entry(name, k, ast.Store(), s), item, s)
            case ast.Call(args=[counted]) if maker(value.func, self.module) == "count":
                k = self.free("k")
                yield empty
                more = made(ast.BinOp(self.got(name, key_of(k, s), self.defaults[name], s), ast.Add(), number(1, s)), s)
                yield loop_over(k, counted, entry(name, k, ast.Store(), s), more, s)
            case ast.Call(func=func) if maker(func, self.module):
                yield empty
            case _:  # an item of a list
                yield self.visit(s)

    def is_filled(self, value: ast.expr) -> bool:
        """Whether a new dict begins empty, and is filled entry by entry from what its value reads."""
        match value:
            case ast.DictComp() | ast.Call(func=ast.Name(id="dict"), args=[_]):
                return True
            case ast.Call(func=ast.Attribute(value=ast.Name(), attr="copy"), args=[]):
                return True
            case ast.Call(func=func):
                is_from_keys = isinstance(func, ast.Attribute) and func.attr == "fromkeys"
                return is_from_keys or maker(func, self.module) != ""
        return False

    def is_made(self, value: ast.expr) -> bool:
        """Whether a value is written out: it is no other name, and no call of a function of the module."""
        return not isinstance(value, ast.Name) and not (
            isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in self.functions
        )

    def loop(
        self, name: str, key: ast.expr, item: ast.expr, generators: list[ast.comprehension], s: ast.stmt
    ) -> ast.stmt:
        """The loops of a comprehension; a variable that the function reads elsewhere gets another name."""
        for g in generators:
            match g.target, g.iter:
                case ast.Tuple(elts=[ast.Name() as k, ast.Name(id=v)]), ast.Call(
                    func=ast.Attribute(value=ast.Name(id=of) as held, attr="items"), args=[]
                ):
                    put = Entries(v, of, k.id)
                    key, item = put.visit(key), put.visit(item)
                    for other in generators:
                        other.ifs = [put.visit(test) for test in other.ifs]
                        other.iter = other.iter if other is g else put.visit(other.iter)
                    g.target, g.iter = k, held
        targets = {x.id for g in generators for x in ast.walk(g.target) if isinstance(x, ast.Name)}
        own = {p.arg for p in parameters(self.function)}
        clash = targets if not only_in_loops(self.function, targets - own) else targets & own
        renamed = {n: self.free(n) for n in sorted(clash)}
        for n in (key, item, *generators) if renamed else ():
            for x in ast.walk(n):
                if isinstance(x, ast.Name) and x.id in renamed:
                    x.id = renamed[x.id]
                if isinstance(x, ast.expr):
                    x.made = True  # type: ignore[attr-defined]
        body: ast.stmt = made(ast.Assign([entry(name, key, ast.Store(), s)], self.visit(item)), s)
        for g in reversed(generators):
            for test in reversed(g.ifs):
                body = made(ast.If(self.visit(test), [body], []), s)
            body = made(ast.For(g.target, self.visit(g.iter), [body], []), s)
        return body

    def added(self, name: str, key: ast.expr, value: ast.expr, s: ast.stmt) -> ast.stmt:
        """`if key not in d: d[key] = value`"""
        test = made(ast.Compare(copied(key), [ast.NotIn()], [made(ast.Name(name, ast.Load()), s)]), s)
        put = made(ast.Assign([entry(name, key, ast.Store(), s)], self.visit(value)), s)
        return made(ast.If(test, [put], []), s)

    def got(self, name: str, key: ast.expr, default: ast.expr, like: ast.AST) -> ast.expr:
        """`d[key] if key in d else default`"""
        test = made(ast.Compare(copied(key), [ast.In()], [made(ast.Name(name, ast.Load()), like)]), like)
        return made(ast.IfExp(test, entry(name, key, ast.Load(), like), copied(default)), like)

    def added_to(self, s: ast.Assign, name: str, key: ast.expr) -> ast.Call | None:
        """The `d.get(key, 0.0)` of `d[key] = d.get(key, 0.0) + e`, where nothing else is asked of the dict."""
        first = s.value
        while isinstance(first, ast.BinOp):
            first = first.left
        match first:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=own), attr="get"),
                args=[asked, ast.Constant(value=int() | float())],
            ) if own == name and first is not s.value and ast.dump(asked) == ast.dump(key):
                once = sum(isinstance(n, ast.Name) and n.id == name for n in ast.walk(s)) == 2
                return first if once and not has_effects(key, self.functions) else None
        return None

    def read_first(self, s: ast.stmt, part: ast.expr | None = None) -> Iterator[ast.stmt]:
        """A `defaultdict` gets an entry where it is asked for one that it does not have. part: what is evaluated."""
        skipped = evaluated_late(s if part is None else part)
        for n in list(ast.walk(s if part is None else part)):
            match n:
                case ast.Subscript(value=ast.Name(id=name), slice=key, ctx=ast.Load()) if (
                    name in self.defaults.keys() - self.counts
                ):
                    if id(n) not in skipped | self.present and not has_effects(key, self.functions):
                        yield self.added(name, key, self.defaults[name], s)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Subscript(value=ast.Name(id=name), slice=key, ctx=ast.Load()) if name in self.counts:
                if id(node) not in self.present:
                    return self.got(name, key, self.defaults[name], node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if (d := chosen_by_values(node)) is not None and d.id in self.names:
            node.args = [keys_of(d.id, d)]
            return node
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="get"), args=[key, *rest]) if (
                name in self.names and not any(has_effects(e, self.functions) for e in node.args)
            ):
                return self.got(name, key, rest[0] if rest else made(ast.Constant(None), node), node)
            case ast.Call(
                func=ast.Name(id="sum" | "list" | "max" | "min" | "sorted") as func,
                args=[
                    ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="values"), args=[], keywords=[]),
                    *rest,
                ],
                keywords=[],
            ) if name in self.names:
                k = self.free("k")
                each = expression(f"[{name}[{k}] for {k} in list({name})]", node)
                if func.id == "list":
                    return each
                return made(ast.Call(func, [each, *rest], []), node)
        return node


__all__ = ["mark", "write_out"]
