"""Calls that Python spreads out: `*args` and `**options` of known length, map, filter, reduce, zip(*...), and loops
over functions.

    f(*pair)                  f(pair[0], pair[1])
    map(f, xs)                (f(x) for x in xs)
    reduce(f, xs, start)      acc = start; for x in xs: acc = f(acc, x)
    for f in [sin, cos]:      for f in ["sin", "cos"]: a branch for each at its calls
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from collections.abc import Sequence as List
from typing import cast

import numpy as np

from s2s import ir
from s2s.frontend.lowering.solvers import Solvers
from s2s.frontend.rewrites.shown import is_plain
from s2s.frontend.rewrites.turns import as_generator
from s2s.frontend.text.bindings import root_of
from s2s.frontend.text.function_values import Choice, Known, Table, as_node
from s2s.frontend.text.keys import constants, folded
from s2s.frontend.text.scopes import body_nodes, is_bound, walk
from s2s.frontend.text.source import expression, made
from s2s.ir import Const, Expr, Op, Unpack, Var

CONSUMERS = ("list", "tuple", "sum", "max", "min", "any", "all", "sorted", "set", "math.prod", "math.fsum")
FEW = 6  # calls that reduce() is written out as
FEW_COPIES = 12  # arguments that `*[x] * n` is written out as
FEW_DEFAULTS = 3  # that are written out behind a star


class Calls(Solvers):
    """Each is written in terms of plainer calls."""

    # ------------------------------------------------------------ stars

    def call(self, node: ast.Call, operand: Callable[[ast.expr], Expr]) -> Expr:
        node = self.plain_iterables(node)
        if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            node = self.spread(node)
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="get"), keywords=[]) if (
                name in self.keywords
            ):
                return self.option_of(name, node, operand)
        match self.resolve(node.func), node:
            case (
                ("numpy.piecewise", None),
                ast.Call(
                    args=[
                        x,
                        ast.List(elts=tests) | ast.Tuple(elts=tests),
                        ast.List(elts=parts) | ast.Tuple(elts=parts),
                    ],
                    keywords=[],
                ),
            ) if operand != self.tree and len(parts) - len(tests) in (0, 1):
                return self.pieces(x, tests, parts, node)
            case ("statistics.fmean", None), ast.Call(args=[values], keywords=[]) if operand != self.tree:
                return self.mean(values)
            case ("numpy.einsum", None), ast.Call(args=[subscripts, *operands]) if (
                not isinstance(subscripts, ast.Constant)
            ) and isinstance(text := folded(subscripts, self.known_texts()), str):
                written = made(
                    ast.Call(node.func, [made(ast.Constant(text), subscripts), *operands], node.keywords), node
                )
                return super().call(written, operand)
            case (("functools.reduce", None), ast.Call(args=[f, xs, *start], keywords=[])) if (
                operand != self.tree and self.functional(f)
            ):
                return self.reduced(f, xs, start[0] if start else None, node)
            case ((("builtins.max" | "builtins.min") as fn, None), ast.Call(args=[inner], keywords=[])) if (
                operand != self.tree and isinstance(inner, ast.GeneratorExp | ast.ListComp) and not self.stays(inner)
            ):
                return self.extreme(fn, inner, node)
            case ((("builtins.max" | "builtins.min") as fn, None), ast.Call(args=[ast.Name(id=name)], keywords=[])) if (
                operand != self.tree and (self.is_written_list(name) or self.is_filled_list(name))
            ):
                return self.extreme(fn, node.args[0], node)
            case (
                (("builtins.max" | "builtins.min") as fn, None),
                ast.Call(args=[ast.Attribute() | ast.Subscript() as part], keywords=[]),
            ) if operand != self.tree and (own := self.by_variable(part)) is not part:
                return self.extreme(fn, own, node)
            case (("builtins.tuple", None), ast.Call(args=[ast.Name(id=name) as whole], keywords=[])) if (
                n := self.known_length(name)
            ) is not None:
                places = [made(ast.Constant(i), node) for i in range(n)]
                return ir.Sequence(tuple(operand(made(ast.Subscript(whole, k, ast.Load()), node)) for k in places))
            case (
                ((("builtins.list" | "builtins.tuple") as fn), None),
                ast.Call(
                    args=[ast.Call(func=ast.Attribute(attr="keys" | "values" | "items")) as view],
                    keywords=[],
                ),
            ) if (items := self.items_of(view)) is not None:
                return ir.Sequence(tuple(items), fn.removeprefix("builtins."))
        return super().call(node, operand)

    def known_texts(self) -> dict[str, object]:
        """The names of the module, and those bound once at the top of the function, that stand for texts or numbers."""
        known = constants({n: e for n, e in self.names.values.items() if not self.is_local(n)})
        for s in self.node.body:
            match s:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if (
                    self.name_bindings[name].stores == 1 and name not in self.params
                ):
                    known[name] = folded(value, known)
        return known

    def spread(self, node: ast.Call) -> ast.Call:
        """The call with what its stars stand for written out, as far as that is known."""
        args: list[ast.expr] = []
        for i, a in enumerate(node.args):
            items = self.starred_items(a.value, node, i) if isinstance(a, ast.Starred) else [a]
            args += [a] if items is None else items
        keywords: list[ast.keyword] = []
        for k in node.keywords:
            found = self.starred_options(k.value) if k.arg is None else [(k.arg, k.value)]
            keywords += [k] if found is None else [made(ast.keyword(n, e), k) for n, e in found]
        return made(ast.Call(node.func, args, keywords), node)

    def starred_items(self, e: ast.expr, call: ast.Call, position: int) -> list[ast.expr] | None:
        match e:
            case ast.Tuple(elts=elts) | ast.List(elts=elts) if not any(isinstance(x, ast.Starred) for x in elts):
                return list(elts)
            case ast.BinOp(left=ast.Tuple(elts=elts) | ast.List(elts=elts), op=ast.Mult(), right=number) if all(
                map(is_plain, elts)
            ):
                values = {n: v for n, v in self.names.values.items() if not self.is_local(n)}
                times = folded(number, constants(values))
                if isinstance(times, int) and times * len(elts) <= FEW_COPIES:
                    return [copy.deepcopy(x) for _ in range(times) for x in elts]
            case ast.Name(id=name) if isinstance(table := self.env.get(name), Table):
                return [x for _, x in table.entries]
            case ast.Name(id=name) if (n := self.known_length(name)) is not None:
                return [made(ast.Subscript(e, made(ast.Constant(i), e), ast.Load()), e) for i in range(n)]
            case ast.Subscript(value=ast.Name(id=name) as whole, slice=ast.Slice(lower=a, upper=b, step=c)) if (
                n := self.known_length(name)
            ) is not None:
                bounds = [folded(x, {}) if x is not None else None for x in (a, b, c)]
                known = [x for x in bounds if x is None or isinstance(x, int)]
                if len(known) == 3 and known[2] != 0:
                    places = range(n)[slice(*known)]
                    return [made(ast.Subscript(whole, made(ast.Constant(i), e), ast.Load()), e) for i in places]
        missing = self.missing(call, position)
        if missing is None:
            given = self.items_given.get(e.id) if isinstance(e, ast.Name) else None
            return None if given is None else [expression(f"{ast.unparse(e)}[{i}]", e) for i in given]
        if isinstance(e, ast.Name) and (defaults := self.defaults_behind(call, position)):
            items: list[ast.expr] = [expression(f"{e.id}[{i}]", e) for i in range(missing)]
            most = self.tree(expression(f"len({e.id}) <= {missing + len(defaults)}", e))
            self.emit(ir.Inert("assert", (most,), self.origin))
            for i, default in enumerate(defaults, missing):
                items.append(expression(f"{e.id}[{i}] if len({e.id}) > {i} else {ast.unparse(default)}", e))
            return items
        value = self.value(e)
        match e:
            case ast.Name(id=wish) | ast.Subscript(slice=ast.Constant(value=str() as wish)) if wish.isidentifier():
                pass
            case _:
                wish = "item"
        names = [self.fresh(f"{wish}_{i}") for i in range(missing)]
        self.emit(Unpack(tuple(names), value, self.origin))
        return [as_node(Var(n), e) for n in names]

    def missing(self, call: ast.Call, position: int) -> int | None:
        """How many positional arguments a star has to stand for: of a ufunc, or of a function, which is taken to be
        given what has no default (and see `defaults_behind`). Of any other number, the derivative raises where it
        unpacks them."""
        found, helper = self.resolve(call.func), self.function_called(call)
        stars = sum(isinstance(a, ast.Starred) for a in call.args)
        ufunc = getattr(np, found[0][6:], None) if found is not None and found[0].startswith("numpy.") else None
        if isinstance(ufunc, np.ufunc) and stars == 1 and not call.keywords:
            return max(ufunc.nin - len(call.args) + 1, 0) or None
        if helper is None or stars > 1 or helper.args.vararg or helper.args.kwarg:
            return None
        if any(k.arg is None for k in call.keywords):
            return None
        names = [p.arg for p in (*helper.args.posonlyargs, *helper.args.args)]
        names = names[: len(names) - len(helper.args.defaults)]
        given = sum(k.arg in names for k in call.keywords)
        n = len(names) - (len(call.args) - 1) - given
        return n if n > 0 else None

    def function_called(self, call: ast.Call) -> ast.FunctionDef | None:
        """The user's function that a call names."""
        fn = (self.resolve(call.func) or ("", None))[0]
        if not fn.startswith("local."):
            return None
        return self.signature(self.own_name(fn)) or self.names.find_signature(fn[6:])

    def defaults_behind(self, call: ast.Call, position: int) -> list[ast.expr]:
        """The numbers that are the defaults of what a star at the end of a call may stand for, too."""
        helper = self.function_called(call)
        if helper is None or position != len(call.args) - 1 or call.keywords:
            return []
        required = len(helper.args.posonlyargs) + len(helper.args.args) - len(helper.args.defaults)
        defaults = helper.args.defaults[max(position - required, 0) :]
        numbers = [d for d in defaults if isinstance(d, ast.Constant) and type(d.value) in (int, float)]
        return defaults if len(numbers) == len(defaults) <= FEW_DEFAULTS else []

    def known_length(self, name: str) -> int | None:
        """The length of a tuple or list that is bound to displays of one length only, and never changes."""
        if name in self.lengths:
            return self.lengths[name]
        if name in self.params:
            return None
        found: list[int | None] = []
        for n in body_nodes(self.node):
            match n:
                case ast.Assign(targets=[ast.Name(id=target)], value=ast.Tuple(elts=elts) | ast.List(elts=elts)) if (
                    target == name and not any(isinstance(x, ast.Starred) for x in elts)
                ):
                    found.append(len(elts))
                case ast.Assign(
                    targets=[ast.Name(id=target)], value=ast.Tuple(elts=[ast.Starred(value=ast.Name(id=of))])
                ) if target == name != of:  # tuple(p)
                    found.append(self.known_length(of))
                case ast.Call(func=ast.Attribute(value=ast.Name(id=owner))) if owner == name:
                    found.append(None)
                case ast.Subscript(value=ast.Name(id=owner), ctx=ast.Store() | ast.Del()) if owner == name:
                    found.append(None)
        stores = sum(1 for n in body_nodes(self.node) if isinstance(n, ast.Name) and n.id == name and is_bound(n))
        return found[0] if len(found) == stores and len({*found}) == 1 else None

    def starred_options(self, e: ast.expr) -> list[tuple[str, ast.expr]] | None:
        match e:
            case ast.Dict(keys=keys, values=values):
                found: list[tuple[str, ast.expr]] = []
                for k, v in zip(keys, values, strict=True):
                    if k is None:
                        inner = self.starred_options(v)
                    else:
                        inner = [(k.value, v)] if isinstance(k, ast.Constant) and isinstance(k.value, str) else None
                    if inner is None:
                        return None
                    found += inner
                return list(dict(found).items())
            case ast.Name(id=name) if (group := self.groups.get(name)) is not None and not group.is_object:
                pairs = [(k, self.part_of((name, k), inner)) for k, inner in group.parts.items()]
                return None if group.added else [(k, as_node(x, e)) for k, x in pairs]
            case ast.Name(id=name) if (given := self.items_given.get(name)) is not None:
                return [(str(k), expression(f"{name}[{k!r}]", e)) for k in given]
        return None

    def option_of(self, name: str, node: ast.Call, operand: Callable[[ast.expr], Expr]) -> Expr:
        """options.get("key", default), where it is known which keywords were given."""
        match node.args:
            case [ast.Constant(value=str() as key), *rest] if len(rest) < 2:
                if (name, key) in self.entries:
                    return Var(self.entries[name, key])
                return operand(rest[0]) if rest else ir.NONE
        return self.refuse("dict", node, f"a keyword of `{name}` is read that is not written out")

    def compared(self, node: ast.Compare) -> Expr:
        match node:
            case ast.Compare(
                left=ast.Constant(value=str() as key),
                ops=[ast.In() | ast.NotIn() as op],
                comparators=[ast.Name(id=name)],
            ) if (group := self.groups.get(name)) is not None and key not in group.added:
                return Const((key in group.parts) == isinstance(op, ast.In))
        return super().compared(node)

    # ------------------------------------------------------------ map, filter, reduce, max of a generator

    def as_generator(self, e: ast.expr) -> ast.expr:
        """map(f, xs) as (f(v) for v in xs), filter likewise."""
        return as_generator(e, self.fresh) if self.is_builtin("map") and self.is_builtin("filter") else e

    def is_builtin(self, name: str) -> bool:
        return self.resolve(ast.Name(name, ast.Load())) == (f"builtins.{name}", None)

    def plain_iterables(self, node: ast.Call) -> ast.Call:
        """sum(map(...)), list(filter(...)): over a generator instead."""
        found = self.resolve(node.func)
        if (
            found is None
            or found[1] is not None
            or found[0].removeprefix("builtins.") not in CONSUMERS
            or not node.args
        ):
            return node
        first = self.as_generator(node.args[0])
        return (
            node if first is node.args[0] else made(ast.Call(node.func, [first, *node.args[1:]], node.keywords), node)
        )

    def assign(self, target: str, value: ast.expr) -> None:
        if isinstance(value, ast.Call):
            value = self.plain_iterables(value)
        super().assign(target, value)

    def iterable(self, node: ast.expr) -> Expr:
        plain = self.as_generator(node)
        if plain is not node:
            return super().iterable(plain)
        if (tags := self.function_tags(node)) is not None:
            name = self.fresh(node.id.lower() if isinstance(node, ast.Name) else "functions")
            self.set(name, ir.Sequence(tuple(map(Const, tags)), "list"))
            return Var(name)
        match node:
            case ast.Call(func=func, args=args) if self.resolve(func) == ("numba.prange", None):
                return super().iterable(made(ast.Call(name_of("range", func), args, node.keywords), node))
            case ast.Call(func=func, args=args) if any(isinstance(a, ast.Starred) for a in args) and self.resolve(
                func
            ) == ("builtins.zip", None):
                spread = self.spread(node)
                if not any(isinstance(a, ast.Starred) for a in spread.args):
                    return super().iterable(spread)
        return super().iterable(node)

    def reduced(self, f: ast.expr, xs: ast.expr, start: ast.expr | None, node: ast.Call) -> Expr:
        """functools.reduce as a loop, or, of a few items that are written out, as one call after the other."""
        total = self.fresh("reduced")

        def step(item: ast.expr) -> None:
            self.assign(total, made(ast.Call(f, [as_node(Var(total), node), item], []), node))

        if functions := self.listed_functions(xs):
            xs = made(ast.List(functions, ast.Load()), xs)
        match xs:
            case ast.List(elts=elts) | ast.Tuple(elts=elts) if 0 < len(elts) <= FEW and not self.may_rebind(f):
                if not any(isinstance(e, ast.Starred) for e in elts):
                    given = ([start] if start else []) + elts
                    parts = [e if e in functions else as_node(self.atom(e), node) for e in given]
                    self.assign(total, parts[0])
                    for part in parts[1:]:
                        step(part)
                    return Var(total)
        xs = self.as_generator(xs)
        rest = xs
        if start is None:
            name = self.atom(xs) if not isinstance(xs, ast.GeneratorExp) else self.listed(xs)
            whole = as_node(name, node)
            start = made(ast.Subscript(whole, made(ast.Constant(0), node), ast.Load()), node)
            behind = made(ast.Slice(made(ast.Constant(1), node), None, None), node)
            rest = made(ast.Subscript(whole, behind, ast.Load()), node)
        self.assign(total, start)
        item = self.fresh("item")
        self.clauses([ast.comprehension(stored(item, node), rest, [], 0)], lambda: step(name_of(item, node)))
        return Var(total)

    def may_rebind(self, f: ast.expr) -> bool:
        """Whether a function may bind variables of this one: it is defined inside of it."""
        return isinstance(f, ast.Name) and self.is_local(f.id)

    def pieces(self, x: ast.expr, tests: List[ast.expr], parts: List[ast.expr], node: ast.Call) -> Expr:
        """np.piecewise(x, [test, ...], [part, ...]) as an array that is filled piece by piece, as NumPy does it."""
        array = Var(self.fresh("t"))
        self.set(array.name, Op("numpy.asarray", (self.atom(x),)))  # a number has no piece `x[mask]`
        whole = self.fresh("pieces")
        self.set(whole, Op("numpy.zeros_like", (array,)))
        masks: list[Var] = []
        for test in tests:
            masks.append(Var(self.fresh("mask")))
            self.assign(masks[-1].name, test)
        if len(parts) > len(tests):
            rest: Expr = masks[0]
            for mask in masks[1:]:
                either = Var(self.fresh("either"))
                self.set(either.name, Op("numpy.logical_or", (rest, mask)))
                rest = either
            masks.append(Var(self.fresh("mask")))
            self.set(masks[-1].name, Op("numpy.logical_not", (rest,)))
        for mask, part in zip(masks, parts, strict=True):
            piece: ast.expr = part
            if self.functional(part):
                picked = made(ast.Subscript(as_node(array, node), as_node(mask, node), ast.Load()), node)
                piece = made(ast.Call(part, [picked], []), node)
            value = self.value(piece)
            self.emit(ir.Store(ir.Index(Var(whole), mask), value, self.origin, constant=self.constant))
        return Var(whole)

    def mean(self, values: ast.expr) -> Expr:
        """statistics.fmean(values) as Python computes it: math.fsum(values) / len(values)."""
        if isinstance(values, ast.GeneratorExp):
            values = made(ast.ListComp(values.elt, values.generators), values)
        whole = self.atom(values)
        total = self.named(Op("math.fsum", (whole,)))
        return Op("numpy.divide", (total, Op("builtins.len", (whole,))), form=ir.Form.OPERATOR)

    def is_written_list(self, name: str) -> bool:
        """Whether a name is bound to nothing but lists that are written out, or is a parameter that is stated to be
        one; not lists of numbers."""
        bound = self.name_bindings[name]
        if name in self.params:
            return self.is_stated_list(name)
        if not bound.values or len(bound.values) < bound.stores:
            return False
        constants = (ast.Constant, ast.Tuple, ast.List, ast.Dict)
        grows = any(e is not None and not isinstance(e, constants) for e in bound.appended)  # `I.append(I[-1] * beta)`
        for value in bound.values:
            match value:
                case ast.ListComp() if not self.stays(value):
                    continue
                case ast.List(elts=elts) if grows and all(isinstance(e, ast.Constant) for e in elts):
                    continue
                case ast.List(elts=elts) if any(not isinstance(e, ast.Constant) for e in elts) or not elts:
                    continue
                case ast.Subscript(value=ast.Name(id=own), slice=ast.Slice()) if own == name:  # without its last item
                    continue
            return False
        return True

    def is_filled_list(self, name: str) -> bool:
        """Whether a name is bound to nothing but lists of floats, `[0.0] * n`, into which numbers are put."""
        bound = self.name_bindings[name]

        def is_floats(e: ast.expr) -> bool:
            match e:
                case ast.BinOp(left=ast.List() as inner, op=ast.Mult()):
                    return is_floats(inner)
                case ast.List(elts=elts):
                    return bool(elts) and all(isinstance(i, ast.Constant) and isinstance(i.value, float) for i in elts)
            return False

        whole = name not in self.params and bound.values and len(bound.values) == bound.stores
        if not whole or not bound.is_stored_into or not all(map(is_floats, bound.values)):
            return False
        stores = (n for n in body_nodes(self.node) if isinstance(n, ast.Assign) and n.value not in bound.values)
        put = [n.value for n in stores if any(root_of(x) == name for x in n.targets)]
        return not any(isinstance(e, ast.List | ast.Tuple | ast.ListComp) for e in put)

    def extreme(self, fn: str, inner: ast.expr, node: ast.Call) -> Expr:
        """max(e for x in xs), or max(items), as np.max of an array, where it may carry a derivative."""
        items = self.listed(inner) if isinstance(inner, ast.GeneratorExp | ast.ListComp) else self.atom(inner)
        array = self.temporary()
        span = self.source.span(node)
        self.set(array, Op("numpy.array", (items,), span=span))
        return Op(f"numpy.{fn.removeprefix('builtins.')}", (Var(array),), span=span)

    def unzipped(self, targets: List[ast.expr], value: ast.expr) -> bool:
        """a, b = zip(*pairs): a list of the first items, a list of the second items."""
        match value:
            case ast.Call(func=func, args=[ast.Starred(value=pairs)], keywords=[]) if self.resolve(func) == (
                "builtins.zip",
                None,
            ) and all(isinstance(t, ast.Name) for t in targets):
                whole = as_node(self.atom(pairs), value)
                item = self.fresh("item")
                for i, t in enumerate(targets):
                    part = made(ast.Subscript(name_of(item, t), made(ast.Constant(i), t), ast.Load()), t)
                    clause = ast.comprehension(stored(item, t), whole, [], 0)
                    self.assign(cast(ast.Name, t).id, made(ast.ListComp(part, [clause]), t))
                return True
        return False

    # ------------------------------------------------------------ loops over functions

    def function_tags(self, e: ast.expr) -> list[str] | None:
        """What stands for the functions of a table that a loop runs over."""
        if not isinstance(e, ast.Name | ast.List | ast.Tuple) or not self.functional(e):
            return None
        table = self.value_of(e)
        if not isinstance(table, Table):
            table = self.table(e) if isinstance(e, ast.Name) else None
        return None if table is None or not table.is_list else self.entry_tags(table)

    def entry_tags(self, table: Table) -> list[str]:
        out: list[str] = []
        for i, (_, e) in enumerate(table.entries):
            ready = getattr(e, "value_of", None)
            word = ready.word if isinstance(ready, Known) else ast.unparse(e).rpartition(".")[2]
            word = word if word.isidentifier() else f"function_{i + 1}"
            out.append(word if word not in out else f"{word}_{i + 1}")
        return out

    def loop_functions(self, target: ast.expr, source: ast.expr) -> dict[str, Table]:
        """The variables of a loop that are functions in turn."""
        match target, source:
            case ast.Name(id=name), ast.Name() | ast.List() | ast.Tuple() if self.function_tags(source) is not None:
                table = self.value_of(source)
                found = table if isinstance(table, Table) else self.table(cast(ast.Name, source))
                return {name: found} if found is not None else {}
            case ast.Tuple(elts=targets), ast.Call(func=ast.Name(id="zip"), args=args) if len(targets) == len(args):
                return {n: t for x, a in zip(targets, args, strict=True) for n, t in self.loop_functions(x, a).items()}
            case ast.Tuple(elts=[_, inner]), ast.Call(func=ast.Name(id="enumerate"), args=[a, *_]):
                return self.loop_functions(inner, a)
        return {}

    def chosen_in(self, name: str, table: Table, at_module: bool) -> Choice | None:
        cases: list[tuple[Const, Known]] = []
        for tag, (_, e) in zip(self.entry_tags(table), table.entries, strict=True):
            value = self.module_scope(lambda e=e: self.value_of(e)) if at_module else self.value_of(e)  # type: ignore[misc]
            if value is None or isinstance(value, Choice | Table):
                return None
            cases.append((Const(tag), self.known(value)))
        return Choice(Var(name), tuple(cases))

    def with_functions(self, target: ast.expr, source: ast.expr) -> Callable[[], None]:
        """Makes the variables of a loop known that are functions in turn; the result undoes it."""
        outer, turning = self.env, self.turning
        found = self.loop_functions(target, source)
        if not found:
            return lambda: None
        self.env = dict(outer)
        for name, table in found.items():
            at_module = not any(self.is_local(n.id) for n in walk(source) if isinstance(n, ast.Name))
            shown = self.rename.get(name, Var(name))
            choice = self.chosen_in(cast(Var, shown).name, table, at_module)
            if choice is None:
                self.refuse("callee", source, f"which function `{name}` is can't be told from its text")
            else:
                self.env[name] = choice
        self.turning = turning | found.keys()

        def restore() -> None:
            self.env, self.turning = outer, turning

        return restore

    def enter_loop(self, target: ast.expr, source: ast.expr) -> Callable[[], None]:
        found = self.loop_functions(target, source)
        restore = self.enter(target)
        if not found:
            return restore
        undo = self.with_functions(target, source)

        def leave() -> None:
            undo()
            restore()

        return leave


def name_of(name: str, like: ast.AST) -> ast.Name:
    return made(ast.Name(name, ast.Load()), like)


def stored(name: str, like: ast.AST) -> ast.expr:
    return made(ast.Name(name, ast.Store()), like)


__all__ = ["Calls"]
