"""Loops over the keys of dicts: those of parameters, and the stores in them that give each key an entry of its own."""

from __future__ import annotations

import ast
import itertools
from collections import Counter
from collections.abc import Iterator

from s2s.frontend.rewrites.keyed import free, has_each_once, is_entry_of, is_list_of_keys, is_name, is_put, keys_of
from s2s.frontend.rewrites.makers import dicts, hidden
from s2s.frontend.text.scopes import body_nodes, bound_names, every_block, is_bound, key_parts, parameters
from s2s.frontend.text.source import made


def run_over_parameters(function: ast.FunctionDef, names: set[str]) -> None:
    """Loops over dicts that have the keys of a parameter, which stay what they are, run over those of the parameter.

    m = {}                                  keys = list(params)
    for k in params: m[k] = 0.0             m = {}
    for k in m: m[k] = e                    for k in keys: m[k] = 0.0
                                            for k in keys: m[k] = e
    """
    nodes = body_nodes(function)
    given = {p.arg for p in parameters(function)} - bound_names(nodes) - hidden(function)
    given -= {n.value.id for n in nodes if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and is_put(n)}
    given -= {  # that may be None
        n.left.id
        for n in nodes
        if isinstance(n, ast.Compare) and isinstance(n.ops[0], ast.Is | ast.IsNot) and isinstance(n.left, ast.Name)
    }
    of = {name: name for name in dicts(function, nodes, given)}
    asked = {n.value.id for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)}
    of |= {
        name: name for name in given - asked for n in nodes if isinstance(n, ast.For) and is_list_of_keys(n.iter, name)
    }
    if not of:
        return
    counts = Counter(n.id for n in nodes if isinstance(n, ast.Name) and is_bound(n))
    parents = {id(c): n for n in nodes for c in ast.iter_child_nodes(n)}
    sure = {name for name in names if counts[name] == 1} - hidden(function)
    sure -= {n.id for n in nodes if isinstance(n, ast.Name) and not (is_bound(n) or keeps_keys(n, parents.get(id(n))))}
    stores = list(stored_in_loops(function.body, {}))
    for block in every_block(function.body):
        for first, s in itertools.pairwise(block):
            match first, s:
                case (
                    ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(keys=[])),
                    ast.For(
                        target=ast.Name(id=k),
                        iter=it,
                        body=[ast.Assign(targets=[ast.Subscript(value=ast.Name(id=own), slice=ast.Name(id=key))])],
                        orelse=[],
                    ),
                ) if name in sure and (name, k) == (own, key) and (p := keys_of_parameter(it, of)):
                    own_keys = of | {name: p}
                    if all(keys_of_parameter(over, own_keys) == p for d, over in stores if d == name):
                        of[name] = p
    loops = [n for n in nodes if isinstance(n, ast.For | ast.comprehension) and keys_of_parameter(n.iter, of)]
    again = Counter(keys_of_parameter(n.iter, of) for n in loops)
    again.update(  # a list of its keys in a loop is made before it
        keys_of_parameter(n.iter, of)
        for up in nodes
        if isinstance(up, ast.For | ast.While)
        for n in loops
        if isinstance(n, ast.For) and n is not up and any(x is n for s in up.body for x in ast.walk(s))
    )
    taken = {n.id for s in function.body for n in ast.walk(s) if isinstance(n, ast.Name)}
    for p in sorted(p for p, n in again.items() if n > 1):
        keys = free(f"{p}_keys", taken)
        for n in loops:
            if keys_of_parameter(n.iter, of) == p:
                n.iter = made(ast.Name(keys, ast.Load()), n.iter)
                n.iter.of_dict = True  # type: ignore[attr-defined]
        at = next(i for i, s in enumerate(function.body) if any(is_name(n, keys) for n in ast.walk(s)))
        first = function.body[at]
        function.body.insert(at, made(ast.Assign([made(ast.Name(keys, ast.Store()), first)], keys_of(p, first)), first))


def keys_of_parameter(it: ast.expr | None, of: dict[str, str]) -> str:
    """The parameter over whose keys a loop runs. of: dicts, each with the parameter whose keys it has."""
    match it:
        case ast.Call(func=ast.Name(id="list"), args=[ast.Name(id=name)], keywords=[]) if getattr(it, "of_dict", False):
            return of.get(name, "")
        case ast.Name(id=name):
            return of.get(name, "")
    return ""


def keeps_keys(n: ast.Name, up: ast.AST | None) -> bool:
    """Whether a use of a dict gives it no other name, and no function that may store into it."""
    match up:
        case ast.Subscript(value=inner):
            return inner is n
        case ast.For(iter=it) | ast.comprehension(iter=it):
            return it is n
        case ast.Call(func=ast.Name(id="list" | "len" | "sorted")) | ast.Compare() | ast.Return():
            return True
    return False


def stored_in_loops(block: list[ast.stmt], over: dict[str, ast.expr]) -> Iterator[tuple[str, ast.expr | None]]:
    """The dicts into which is stored, and what the loop runs over whose variable is the key."""
    for s in block:
        inner = over
        if isinstance(s, ast.For) and isinstance(s.target, ast.Name):
            bound = bound_names([n for x in s.body for n in ast.walk(x)])
            inner = {k: it for k, it in over.items() if k not in bound | {s.target.id}}
            inner |= {s.target.id: s.iter} if s.target.id not in bound else {}
        own = [b for field in ("body", "orelse", "finalbody") if (b := getattr(s, field, None))]
        for n in ast.walk(s) if not own else ():
            if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name) and not isinstance(n.ctx, ast.Load):
                yield n.value.id, over.get(n.slice.id) if isinstance(n.slice, ast.Name) else None
        for b in own:
            yield from stored_in_loops(b, inner)


def note_new(function: ast.FunctionDef, names: set[str]) -> None:
    """Entries of which it is known that they are new: those of an empty dict in a loop over keys, one for each."""
    nodes = body_nodes(function)
    asked = {
        n.comparators[0].id for n in nodes if isinstance(n, ast.Compare) and isinstance(n.comparators[0], ast.Name)
    } | {
        n.args[0].id
        for n in nodes
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id == "len" and n.args
        if isinstance(n.args[0], ast.Name)
    }
    asked |= {
        n.value.id
        for n in nodes
        if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Del) and isinstance(n.value, ast.Name)
    }
    for block in every_block(function.body):
        empty: set[str] = set()
        for s in block:
            match s:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(keys=[])) if name in names - asked:
                    empty.add(name)
                    continue
                case ast.For() if empty:
                    for name in sorted(empty):
                        found = new_entries([s], name, (), names)
                        for n in found or ():
                            n.new = True  # type: ignore[attr-defined]
            empty -= {n.id for n in ast.walk(s) if isinstance(n, ast.Name)}


def new_entries(block: list[ast.stmt], name: str, around: tuple[str, ...], names: set[str]) -> list[ast.expr] | None:
    """The entries of a dict that a block binds, each under a key of its own; None where that is not sure.

    around: the variables of the loops around, of which each key names all.
    """
    found: list[ast.expr] = []
    for s in block:
        inside = [n for n in ast.walk(s) if isinstance(n, ast.Subscript) and is_entry_of(n, name) and is_put(n)]
        if not inside:
            continue
        if found:  # one after the other
            return None
        more: list[ast.expr] | None = None
        match s:
            case ast.Assign(targets=[ast.Subscript() as place]) if inside == [place] and names_all(place.slice, around):
                more = [place]
            case ast.For(target=ast.Name(id=k), iter=it, body=body, orelse=[]) if is_distinct(it, names):
                bound = bound_names([n for x in body for n in ast.walk(x)])
                if k not in bound | {*around} and name not in bound and not bound & {*around}:
                    more = new_entries(body, name, (*around, k), names)
            case ast.If(body=body, orelse=orelse):
                a, b = new_entries(body, name, around, names), new_entries(orelse, name, around, names)
                more = None if a is None or b is None else [*a, *b]
        if more is None:
            return None
        found += more
    return found


def names_all(key: ast.expr, loops: tuple[str, ...]) -> bool:
    """Whether a key is another one for each value of the variables of these loops."""
    return {*loops} <= {k for e in key_parts(key) for k in loops if is_one_for_each(e, k)}


def is_one_for_each(e: ast.expr, k: str) -> bool:
    """Whether an expression is another one for each value of a variable: `k`, `2 * k + 1`, `f"w{k}"`."""
    match e:
        case ast.Name(id=own):
            return own == k
        case ast.BinOp(left=ast.Constant(value=str() as text), op=ast.Mod(), right=inner):
            return text.count("%") == 1 and is_one_for_each(inner, k)
        case (
            ast.BinOp(left=inner, op=ast.Add() | ast.Sub() | ast.Mult() as op, right=ast.Constant(value=c))
            | ast.BinOp(left=ast.Constant(value=c), op=ast.Add() | ast.Sub() | ast.Mult() as op, right=inner)
        ):
            return is_one_for_each(inner, k) and (isinstance(op, ast.Add) or (isinstance(c, int) and bool(c)))
        case ast.Call(func=ast.Name(id="str"), args=[inner], keywords=[]):
            return is_one_for_each(inner, k)
        case ast.JoinedStr(values=values):
            shown = [v for v in values if isinstance(v, ast.FormattedValue)]
            return len(shown) == 1 and shown[0].format_spec is None and is_one_for_each(shown[0].value, k)
    return False


def is_distinct(it: ast.expr, names: set[str]) -> bool:
    """Whether a loop runs over the keys of a dict, or over numbers: each of them once."""
    match it:
        case ast.Call(func=ast.Name(id="range")):
            return True
        case ast.Call(func=ast.Name(id="list" | "sorted"), args=[ast.Name()], keywords=[]):
            return has_each_once(it)
        case ast.Name(id=name):
            return name in names or has_each_once(it)
    return False
