"""Slices that have a name, where they are used as keys.

ii = slice(2 * i, 2 * i + 2)
K[ii, ii] += k                      K[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] += k

VELOCITY = slice(3, 6)              of the module
x[VELOCITY] *= drag                 x[3:6] *= drag
"""

from __future__ import annotations

import ast
import copy
from typing import TypeGuard

from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import bound_names, every_block, is_bound, key_parts, parameters, walk
from s2s.frontend.text.source import made


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the body of a function: what is done already is not done again."""
    nodes = list(walk(function))
    own = bound_names(nodes) | {n.arg for n in nodes if isinstance(n, ast.arg)}  # of functions inside, too
    for name, value in names.values.items():
        if name not in own and is_slice(value) and not names_in(value.args):
            for s in function.body:
                _Keys(name, value).visit(s)
    for block in every_block(function.body):
        for at in reversed(range(len(block))):
            match block[at]:
                case ast.Assign(targets=[ast.Name(id=name)], value=call) if (
                    len(block) > 1 and is_slice(call) and is_key(function, block[at + 1 :], name, call)
                ):
                    for s in block[at + 1 :]:
                        _Keys(name, call).visit(s)
                    del block[at]


def is_slice(e: ast.expr) -> TypeGuard[ast.Call]:
    """slice(a, b) of names, numbers and sums of them"""
    match e:
        case ast.Call(func=ast.Name(id="slice"), args=[_, *_] as args, keywords=[]):
            return len(args) <= 3 and all(map(is_plain, args))
    return False


def is_plain(e: ast.expr) -> bool:
    """Names, numbers and sums of them: the same wherever the names are."""
    parts = (ast.Name, ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.expr_context)
    return all(isinstance(n, parts) for n in walk(e))


def is_key(function: ast.FunctionDef, behind: list[ast.stmt], name: str, call: ast.Call) -> bool:
    """Whether a name is bound once, and all its uses are keys behind that, where what it is made of has not changed."""
    every = [n for s in function.body for n in walk(s)]
    own = bound_names(every) | {a.arg for a in parameters(function)}
    inside = [n for s in behind for n in walk(s)]
    uses = [n for n in every if isinstance(n, ast.Name) and n.id == name and not is_bound(n)]
    stores = [n for n in every if isinstance(n, ast.Name) and n.id == name and is_bound(n)]
    keys = [k for n in inside if isinstance(n, ast.Subscript) for k in key_parts(n.slice)]
    if "slice" in own or len(stores) != 1 or not uses or any(a.arg == name for a in parameters(function)):
        return False
    if any(isinstance(n, ast.FunctionDef | ast.Lambda | ast.Nonlocal | ast.Global) for n in every):
        return False
    if not {id(n) for n in uses} <= {id(k) for k in keys}:
        return False
    return not names_in(call.args) & bound_names(inside)


def names_in(args: list[ast.expr]) -> set[str]:
    return {n.id for a in args for n in walk(a) if isinstance(n, ast.Name)}


class _Keys(ast.NodeTransformer):
    def __init__(self, name: str, call: ast.Call) -> None:
        self.name, self.args = name, call.args

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        found = [self.written(k) for k in key_parts(node.slice)]
        if isinstance(node.slice, ast.Tuple):
            node.slice.elts = found
        else:
            node.slice = found[0]
        return node

    def written(self, k: ast.expr) -> ast.expr:
        if not isinstance(k, ast.Name) or k.id != self.name:
            return k
        parts: list[ast.expr | None] = [
            None if isinstance(a, ast.Constant) and a.value is None else copy.deepcopy(a) for a in self.args
        ]
        start, stop, step = [None, *parts, None] if len(parts) == 1 else [*parts, None][:3]
        return made(ast.Slice(start, stop, step), k)
