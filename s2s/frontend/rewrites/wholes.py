"""New arrays that have no name, and that are taken apart at once into parts that are written: they get a name.

    a, b = np.split(x * 2.0, 2)         whole = x * 2.0
    a *= b                              a, b = np.split(whole, 2)
                                        a *= b

What is written in a part is written in the whole, whose adjoint has the parts of its own.
"""

from __future__ import annotations

import ast

from s2s.frontend.rewrites.stacks import parsed
from s2s.frontend.text.bindings import root_of
from s2s.frontend.text.function_bodies import written_names
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import body_nodes, bound_names, dotted, every_block, new_name, parameters, walk

SPLITS = frozenset(["split", "array_split", "hsplit", "vsplit", "dsplit"])
VIEWS = SPLITS | {"reshape", "transpose", "swapaxes", "ravel", "moveaxis"}


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the body of a function: what is done already is not done again."""
    nodes = body_nodes(function)
    if not any(isinstance(n, ast.Attribute) and n.attr in VIEWS for n in nodes):
        return
    own = bound_names(nodes) | {p.arg for p in parameters(function)}
    numpy = names.own_numpy(own)
    taken = own | {n.id for n in walk(function) if isinstance(n, ast.Name)}
    written = _written(function, names)
    for block in every_block(function.body):
        block[:] = [new for s in block for new in _named(s, numpy, written, taken)]


def _written(function: ast.FunctionDef, names: ModuleNames) -> set[str]:
    """The names that are written into, and those of which parts are."""
    nodes = body_nodes(function)
    found = written_names(function, names.functions)
    found |= {n.target.id for n in nodes if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name)}
    taken = [(n.targets, n.value) for n in nodes if isinstance(n, ast.Assign)]
    taken += [([n.target], n.iter) for n in nodes if isinstance(n, ast.For)]
    while more := {root_of(e) for targets, e in taken if _names(targets) & found} - found - {""}:
        found |= more
    return found


def _names(targets: list[ast.expr]) -> set[str]:
    return {n.id for t in targets for n in walk(t) if isinstance(n, ast.Name)}


def _named(s: ast.stmt, numpy: str, written: set[str], taken: set[str]) -> list[ast.stmt]:
    match s:
        case ast.Assign(targets=[target], value=value) | ast.For(target=target, iter=value):
            if not _names([target]) & written:
                return [s]
        case _:
            return [s]
    apart = isinstance(s, ast.For) or isinstance(target, ast.Tuple | ast.List)
    steps: list[ast.expr] = []
    e: ast.expr | None = value
    while e is not None and (inner := _viewed(e, numpy)) is not None:
        apart |= _function(e, numpy) in SPLITS
        steps.append(e)
        e = inner
    if not steps or not apart or not isinstance(e, ast.Call | ast.BinOp | ast.UnaryOp):
        return [s]
    name = new_name(taken, "whole")
    named = ast.copy_location(ast.Name(name, ast.Load()), e)
    match steps[-1]:
        case ast.Call(func=ast.Attribute(value=of) as func) if of is e:
            func.value = named
        case ast.Call(args=args):
            args[0] = named
        case ast.Attribute() | ast.Subscript() as step:
            step.value = named
    first = parsed(f"{name} = 0", e)
    assert isinstance(first, ast.Assign)
    first.value = e
    return [first, s]


def _function(e: ast.expr, numpy: str) -> str:
    """The function of NumPy that a call calls, by its name."""
    found = dotted(e.func) if isinstance(e, ast.Call) and numpy else None
    return found[1] if found is not None and len(found) == 2 and found[0] == numpy else ""


def _viewed(e: ast.expr, numpy: str) -> ast.expr | None:
    """What a value is a view, or a list of views, of; None where it is none of what is known here."""
    match e:
        case ast.Call(args=[of, *_]) if _function(e, numpy) in VIEWS and not isinstance(of, ast.Starred):
            return of
        case ast.Call(func=ast.Attribute(value=of, attr="reshape" | "transpose" | "swapaxes" | "ravel")):
            return None if isinstance(of, ast.Name) and of.id == numpy else of
        case ast.Attribute(value=of, attr="T") | ast.Subscript(value=of):
            return of
    return None
