"""Names for dicts that have none, where they are returned or put into lists, and copies of those of the caller."""

from __future__ import annotations

import ast
from typing import cast

from s2s.frontend.rewrites.borrowed import Renamed
from s2s.frontend.rewrites.entries import Entries
from s2s.frontend.rewrites.gathered import only_in_loops
from s2s.frontend.rewrites.keyed import (
    VIEWS,
    entry,
    free,
    is_entry_of,
    is_known,
    is_name,
    is_put,
    keys_from,
    keys_of,
    loop_over,
    names_in,
    over_keys,
    values_of,
)
from s2s.frontend.rewrites.makers import (
    copy_of,
    dicts,
    filled,
    given_for,
    has_keys_of,
    hidden,
    is_filling,
    is_showing,
    is_unnamed,
    keys_unknown,
    known_keys,
    makes,
    path_of,
    used_otherwise,
)
from s2s.frontend.rewrites.order import is_quiet
from s2s.frontend.text.function_bodies import evaluated
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import body_nodes, bound_names, every_block, is_bound, names_used, parameters
from s2s.frontend.text.source import expression, made


def name_returned(function: ast.FunctionDef, module: ModuleNames) -> None:
    """`return {k: e for k in params}` with a name for the dict, and in tuples, `total, {k: e for k in params}`; copies,
    `total, dict(d)`, and `dict.fromkeys(d, 0.0)` are no other."""
    found = [
        (block, s)
        for block in every_block(function.body)
        for s in block
        if isinstance(s, ast.Return | ast.Assign)
        and any(isinstance(e, ast.DictComp) or has_keys_of(e) for e in values_of(s))
    ]
    if not found:
        return
    own_dicts = filled(function, module)
    over = keys_unknown(function) | own_dicts
    taken = names_used(function)
    name = free("made", taken)
    for block, s in found:
        own = name
        for e in values_of(s):
            if not is_unnamed(e, over) and copy_of(e) not in own_dicts:
                continue
            block.insert(block.index(s), ast.copy_location(ast.Assign([made(ast.Name(own, ast.Store()), s)], e), s))
            _Put(e, made(ast.Name(own, ast.Load()), s)).visit(s)
            own = free("made", taken)


def name_listed(function: ast.FunctionDef, module: ModuleNames) -> None:
    """Dicts that go into lists, with a name for each; a comprehension of them is the loop that it stands for.

    rows = [{k: 2.0 * v for k, v in p.items()} for p in params]         rows = []
                                                                        for p in params:
                                                                            row = {k: 2.0 * v for k, v in p.items()}
                                                                            rows.append(row)
    """
    nodes = body_nodes(function)
    if not any(dict_listed(n) for n in nodes):
        return
    over = filled(function, module)
    taken = names_used(function)
    for block in list(every_block(function.body)):
        for s in list(block):
            d = dict_listed(s)
            if d is None or not is_unnamed(d, over | keys_unknown(function)):
                continue
            own = free(one_of(listing(s)), taken)
            named = ast.copy_location(ast.Assign([made(ast.Name(own, ast.Store()), s)], d), s)
            at = block.index(s)
            match s:
                case ast.Expr(value=ast.Call() as call):
                    call.args = [made(ast.Name(own, ast.Load()), s)]
                    block.insert(at, named)
                case ast.Assign(targets=[ast.Name(id=rows)], value=ast.ListComp(generators=[g]) as whole):
                    rename(whole, taken_elsewhere(function, whole), taken)
                    put: ast.stmt = ast.Expr(expression(f"{rows}.append({own})", s))
                    body: list[ast.stmt] = [named, ast.copy_location(put, s)]
                    if g.ifs:
                        test = g.ifs[0] if len(g.ifs) == 1 else made(ast.BoolOp(ast.And(), g.ifs), s)
                        body = [ast.copy_location(ast.If(test, body, []), s)]
                    loop = ast.copy_location(ast.For(g.target, g.iter, body, []), s)
                    s.value = made(ast.List([], ast.Load()), s)
                    block.insert(at + 1, loop)


def name_added(function: ast.FunctionDef, module: ModuleNames) -> None:
    """`rows_bar[j] = _added(rows_bar[j], _norm_rev(rows[j]))`, as written derivatives add up, with a name for the dict
    that a function returns."""
    if not module.carries("_added"):
        return
    added_by_entries(function)
    taken = names_used(function)
    for block in list(every_block(function.body)):
        for s in list(block):
            match s:
                case ast.Assign(
                    targets=[ast.Subscript(value=ast.Name(id=rows))],
                    value=ast.Call(func=ast.Name(id="_added"), args=[_, ast.Call() as more]) as total,
                ) if is_filling(more, module) or given_for(more, (), module):
                    own = free(f"{rows.removesuffix('_bar')}_inc", taken)
                    named = ast.copy_location(ast.Assign([made(ast.Name(own, ast.Store()), s)], more), s)
                    block.insert(block.index(s), named)
                    total.args[1] = made(ast.Name(own, ast.Load()), s)


def added_by_entries(function: ast.FunctionDef) -> None:
    """d_bar = _added({k: zeros(v) for k, v in d.items()}, out_bar)
    d_bar = {k: _added(zeros(v), out_bar[k]) for k, v in d.items()}
    """
    for s in (s for block in every_block(function.body) for s in block):
        match s:
            case ast.Assign(
                value=ast.Call(
                    func=ast.Name(id="_added"),
                    args=[ast.DictComp(key=ast.Name(id=k), generators=[ast.comprehension(ifs=[])]) as of, other],
                ) as total
            ):
                more = entry_under(other, k)
                own = bound_names(ast.walk(of))
                if more is None or not own.isdisjoint({n.id for n in names_in(more)} - {k}):
                    continue
                of.value = made(ast.Call(total.func, [of.value, more], []), s)
                s.value = of


def entry_under(e: ast.expr, k: str) -> ast.expr | None:
    """The entry of a dict under the key that a variable has: of one with a name, or that has the keys of such."""
    match e:
        case ast.Name() | ast.Subscript(value=ast.Name(), slice=ast.Constant()):
            return made(ast.Subscript(e, made(ast.Name(k, ast.Load()), e), ast.Load()), e)
        case ast.DictComp(
            key=ast.Name(id=own),
            value=value,
            generators=[
                ast.comprehension(
                    target=ast.Tuple(elts=[ast.Name(id=first), ast.Name(id=v)]),
                    iter=ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr="items"), args=[]),
                    ifs=[],
                )
            ],
        ) if own == first:
            renamed = Renamed({own: made(ast.Name(k, ast.Load()), e)})
            return cast(ast.expr, renamed.visit(Entries(v, of, own).visit(value)))
    return None


def zeros_by_entries(function: ast.FunctionDef, module: ModuleNames) -> None:
    """`d_bar = _zeros_like(d)` as `d_bar = {k: _zeros_like(d[k]) for k in d}`, of a dict that the function fills; so in
    `_added(_zeros_like(d), e)`."""
    if not module.carries("_zeros_like"):
        return
    found: list[tuple[ast.Assign, ast.Call, str]] = []
    for n in body_nodes(function):
        match n:
            case ast.Assign(targets=[ast.Name()], value=ast.Call(func=ast.Name(id=called), args=[first, *_]) as call):
                zeros = first if called == "_added" else call
                match zeros:
                    case ast.Call(func=ast.Name(id="_zeros_like"), args=[ast.Name(id=name)]):
                        found.append((n, zeros, name))
    if not found:
        return
    own = filled(function, module)
    taken = names_used(function)
    for s, zeros, name in found:
        if name in own:
            k = free("k", taken)
            zeros.args = [entry(name, k, ast.Load(), zeros)]
            each = made(ast.DictComp(made(ast.Name(k, ast.Load()), s), zeros, [over_keys(k, name, s)]), zeros)
            if s.value is zeros:
                s.value = each
            else:
                cast(ast.Call, s.value).args[0] = each


def name_run_over(function: ast.FunctionDef, module: ModuleNames) -> None:
    """`for k, v in weights(q).items()` with a name for the dict that a function returns, and `state[1].items()` or
    `dict(state[1])` with one for the dict that lies in a parameter."""
    given = {p.arg for p in parameters(function)} - bound_names(body_nodes(function))

    def has_no_name(e: ast.expr) -> bool:
        match e:
            case ast.Call(func=ast.Name(id="_added"), args=[ast.DictComp(), _]):
                return module.carries("_added")
            case ast.Call():
                return is_filling(e, module) or is_showing(e, module=module) or bool(given_for(e, (), module))
        root, path = path_of(e)
        return bool(path) and isinstance(root, ast.Name) and root.id in given

    taken = names_used(function)
    for block in list(every_block(function.body)):
        for s in list(block):
            match s:
                case ast.For(iter=e) | ast.Return(value=ast.expr() as e) | ast.Expr(value=e):
                    pass
                case ast.Assign(value=e) | ast.AugAssign(value=e):
                    pass
                case _:
                    continue
            alone = e if isinstance(s, ast.For) else None  # nothing is called before it
            for n in evaluated(e):
                match n:
                    case ast.Call(func=ast.Attribute(value=d, attr=attr) as view, args=[], keywords=[]) if (
                        attr in VIEWS and has_no_name(d) and (n is alone or is_quiet(alone or s, module))
                    ):
                        own = free("entries", taken)
                        view.value = made(ast.Name(own, ast.Load()), d)
                    case ast.Call(func=ast.Name(id="dict"), args=[ast.Subscript() as d]) as copied if (
                        isinstance(s, ast.Assign) and n is e and has_no_name(d)
                    ):
                        own = free("entries", taken)
                        copied.args = [made(ast.Name(own, ast.Load()), d)]
                    case _:
                        continue
                block.insert(block.index(s), made(ast.Assign([made(ast.Name(own, ast.Store()), d)], d), d))


def listing(s: ast.stmt) -> str:
    """The list of a statement for which `dict_listed` finds something."""
    match s:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return ""


def one_of(rows: str) -> str:
    """A name for an item: `grad` of `grads`."""
    return rows[:-1] if rows.endswith("s") and not rows.endswith("ss") and len(rows) > 2 else f"{rows}_item"


def dict_listed(s: ast.AST) -> ast.expr | None:
    """The new dict that a statement puts into a list, or makes a list of: a comprehension, `dict.fromkeys(d, 0.0)`."""
    match s:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(), attr="append"), args=[d])):
            pass
        case ast.Assign(targets=[ast.Name(id=rows)], value=ast.ListComp(elt=d, generators=[g])):
            if g.is_async or any(is_name(n, rows) for n in ast.walk(s.value)):
                return None
        case _:
            return None
    return d if isinstance(d, ast.DictComp) or keys_from(d) is not None else None


def taken_elsewhere(function: ast.FunctionDef, e: ast.expr) -> set[str]:
    """The names that stand outside an expression."""
    inside = {id(n) for n in ast.walk(e)}
    outside = {n.id for s in function.body for n in ast.walk(s) if isinstance(n, ast.Name) and id(n) not in inside}
    return outside | {p.arg for p in parameters(function)}


def rename(e: ast.ListComp, others: set[str], taken: set[str]) -> None:
    """Names of their own for the variables of a comprehension that becomes a loop."""
    bound = {n.id for n in ast.walk(e.generators[0].target) if isinstance(n, ast.Name)}
    new = {n: free(f"{n}_", taken) for n in sorted(bound & others)}
    first = set(ast.walk(e.generators[0].iter))  # which the scope around evaluates
    for n in ast.walk(e):
        if isinstance(n, ast.Name) and n.id in new and n not in first:
            n.id = new[n.id]


class _Put(ast.NodeTransformer):
    """Puts an expression in the place of another one."""

    def __init__(self, old: ast.expr, new: ast.expr) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        if node is self.old:
            return self.new
        if isinstance(node, ast.Tuple):
            node.made = True  # type: ignore[attr-defined]
        return self.generic_visit(node) if isinstance(node, ast.Return | ast.Assign | ast.Tuple) else node


def copy_given(function: ast.FunctionDef, module: ModuleNames) -> None:
    """A parameter that is a dict, and gets entries under keys which are not known: a copy of it gets them.

    for k in m:                      m_new = {}
        m[k] = 0.9 * m[k]            for k in list(m):
                                         m_new[k] = m[k]
                                     for k in m_new: ...
    """
    nodes = body_nodes(function)
    params = {p.arg for p in parameters(function)}
    again = bound_anew(nodes, params, module)
    given = params - (bound_names(nodes) - again)
    stored = (
        again
        | {
            n.value.id
            for n in nodes
            if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        & given
    )
    written = sorted(stored & dicts(function, nodes, given)) if stored else []
    known = known_keys(nodes, set())
    evident = dicts(function, nodes, given) if written else set()
    guards: list[ast.expr] = []
    copied_: set[str] = set()
    for name in written:
        keys = [n.slice for n in nodes if isinstance(n, ast.Subscript) and is_entry_of(n, name) and is_put(n)]
        if (
            (name not in again and all(is_known(k, known) for k in keys))
            or name in hidden(function)
            or used_otherwise(nodes, {name}, module)
        ):
            continue
        taken = {n.id for s in function.body for n in ast.walk(s) if isinstance(n, ast.Name)} | given
        guards += apart(function, name, evident - copied_, module)
        copied_.add(name)
        own = free(f"{name}_new", taken)
        for n in (n for s in function.body for n in ast.walk(s)):
            if isinstance(n, ast.Name) and n.id == name:
                n.id = own
            if isinstance(n, ast.expr) and any(isinstance(x, ast.Name) and x.id == own for x in ast.walk(n)):
                n.made = True  # type: ignore[attr-defined]
        first = function.body[1 if ast.get_docstring(function) is not None else 0]
        k = "k" if "k" not in params and only_in_loops(function, {"k"}) else free("k", taken)
        empty = made(ast.Assign([made(ast.Name(own, ast.Store()), first)], made(ast.Dict([], []), first)), first)
        fill = loop_over(
            k,
            keys_of(name, first),
            entry(own, k, ast.Store(), first),
            entry(name, k, ast.Load(), first),
            first,
        )
        at = function.body.index(first)
        function.body[at:at] = [empty, fill]
    first = function.body[1 if ast.get_docstring(function) is not None else 0]
    at = function.body.index(first)
    function.body[at:at] = [made(ast.Assert(e), first) for e in guards]


def apart(function: ast.FunctionDef, name: str, dicts: set[str], module: ModuleNames) -> list[ast.expr]:
    """What is taken for granted of a dict that gets entries: it is no other parameter; and where its arrays are
    updated in place, they are no others, and lie under one key each."""
    like = function.body[0]
    others = [p for p in parameters(function) if p.arg != name]
    found = [expression(f"{name} is not {p.arg}", like) for p in others if p.arg in dicts]
    nodes = body_nodes(function)
    updated = any(
        isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Subscript) and is_entry_of(n.target, name)
        for n in nodes
    )
    numpy = module.numpy({*bound_names(nodes), *(p.arg for p in parameters(function))}) if updated else ""
    if updated:
        test = f"not any({numpy}.shares_memory({name}[a], {name}[b]) for a in {name} for b in {name} if a != b)"
        found.append(expression(test, like))
    for p in others if updated else ():
        shared = f"{numpy}.shares_memory"
        if p.arg in dicts:
            test = f"not any({shared}(a, b) for a in {name}.values() for b in {p.arg}.values())"
            found.append(expression(test, like))
        elif p.annotation is None:
            found.append(expression(f"not any({shared}(a, {p.arg}) for a in {name}.values())", like))
    return found


def bound_anew(nodes: list[ast.AST], params: set[str], module: ModuleNames) -> set[str]:
    """The parameters that are bound again to dicts only, and are handed to functions: `p = {k: ... for k in p}`."""
    values: dict[str, list[ast.expr]] = {}
    counts: dict[str, int] = {}
    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in params:
                values.setdefault(name, []).append(value)
            case ast.Name(id=name) if name in params and is_bound(n):
                counts[name] = counts.get(name, 0) + 1
    handed = {a.id for n in nodes if isinstance(n, ast.Call) for a in n.args if isinstance(a, ast.Name)}
    looped = {  # whose items are asked for
        n.value.id for n in nodes if isinstance(n, ast.Attribute) and n.attr in VIEWS and isinstance(n.value, ast.Name)
    }
    for n in nodes:  # {k: p[k] - h * g[k] for k in p}
        match n:
            case ast.DictComp(key=ast.Name(id=k), value=e, generators=[ast.comprehension(iter=ast.Name(id=name))]):
                items = (x for x in ast.walk(e) if isinstance(x, ast.Subscript) and is_entry_of(x, name))
                if any(isinstance(x.slice, ast.Name) and x.slice.id == k for x in items):
                    looped.add(name)
    return {
        name
        for name, each in values.items()
        if name in handed | looped
        and len(each) == counts[name]
        and all(isinstance(e, ast.DictComp | ast.Call) and makes(e, {name}, params, (), module) for e in each)
        and (name in looped or any(isinstance(e, ast.DictComp) for e in each))
    }
