"""Items of lists of dicts that are used in place, with names: dicts under keys of the run are followed by their names.

v = rows[0]["a"]                    row = rows[0]
                                    v = row["a"]
held.append(rows[j])                row = rows[j]
                                    held.append(row)
zeros = dict.fromkeys(rows[j], 0.0) row = rows[j]
                                    zeros = dict.fromkeys(row, 0.0)
"""

from __future__ import annotations

import ast
import copy

from s2s.frontend.rewrites.keyed import free, is_name, keys_from
from s2s.frontend.rewrites.makers import filled, hidden
from s2s.frontend.rewrites.named import name_listed, one_of
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import body_nodes, every_block, is_bound, names_used, parameters
from s2s.frontend.text.source import made


def name_items(function: ast.FunctionDef, module: ModuleNames) -> None:
    """Changes the body of a function, where more of its dicts are followed then."""
    nodes = body_nodes(function)
    lists = lists_of_dicts(nodes) - hidden(function) - {p.arg for p in parameters(function)}
    if not lists or not any(used_in_place(s, lists) for block in every_block(function.body) for s in block):
        return
    trial = copy.deepcopy(function)
    put_names(trial, lists, module)
    name_listed(trial, module)
    if filled(trial, module) > filled(function, module):
        put_names(function, lists, module)
        name_listed(function, module)


def lists_of_dicts(nodes: list[ast.AST]) -> set[str]:
    """The lists that may hold dicts which are made here, by themselves or as items of other lists."""
    begun = {s.targets[0].id for s in nodes if isinstance(s, ast.Assign) and begins(s)}  # type: ignore[attr-defined]
    found: set[str] = set()
    holds = {
        n.targets[0].id
        for n in nodes
        if isinstance(n, ast.Assign)
        and isinstance(n.targets[0], ast.Name)
        and (isinstance(n.value, ast.Dict | ast.DictComp) or keys_from(n.value) is not None)
    }
    while True:
        more: set[str] = set()
        for n in nodes:
            match n:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=into), attr="append"), args=[item]) if into in begun:
                    of = item.value if isinstance(item, ast.Subscript) else item
                    if isinstance(of, ast.DictComp) or (isinstance(of, ast.Name) and of.id in holds | found):
                        more.add(into)
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript(value=ast.Name(id=of))) if of in found:
                    holds.add(name)
        if more <= found:
            return found
        found |= more


def begins(s: ast.Assign) -> bool:
    match s:
        case ast.Assign(targets=[ast.Name()], value=ast.List(elts=[])):
            return True
    return False


def put_names(function: ast.FunctionDef, lists: set[str], module: ModuleNames) -> None:
    taken = names_used(function)
    named: dict[str, str] = {}
    for block in list(every_block(function.body)):
        same: dict[str, set[str]] = {}  # items that are what their names hold, with the names that they are made of
        for s in list(block):
            items = {ast.unparse(e): e for e in used_in_place(s, lists)}
            if items and is_read_first(s, module):
                for text, e in items.items():
                    if text not in named:
                        named[text] = free(name_of(e), taken)
                    if text not in same:
                        own, read = made(ast.Name(named[text], ast.Store()), e), copy.deepcopy(e)
                        block.insert(block.index(s), made(ast.Assign([own], read), e))
                        same[text] = {n.id for n in ast.walk(read) if isinstance(n, ast.Name)}
                _Named({text: named[text] for text in items}).visit(s)
            lost = changed(s)
            same = {text: of for text, of in same.items() if not of & lost}


def name_of(e: ast.Subscript) -> str:
    """`row2` for `rows[2]`, and `row` for `rows[j]`."""
    number = str(e.slice.value) if isinstance(e.slice, ast.Constant) else ""
    return one_of(ast.unparse(e.value)) + number


def changed(s: ast.stmt) -> set[str]:
    """The names that a statement binds, or with which it does more than to read items of them."""
    nodes = list(ast.walk(s))
    read = {id(n.value) for n in nodes if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Load)}
    numbers = {id(x) for n in nodes if isinstance(n, ast.Subscript) for x in ast.walk(n.slice)}
    return {n.id for n in nodes if isinstance(n, ast.Name) and (is_bound(n) or id(n) not in read | numbers)}


def used_in_place(s: ast.stmt, lists: set[str]) -> list[ast.Subscript]:
    """The items of these lists of which a statement reads or writes entries, or that it puts into a list."""
    match s:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(), attr="append"), args=[given])):
            places = [given, *(n.value for n in ast.walk(given) if isinstance(n, ast.Subscript))]
        case ast.Assign() | ast.AugAssign():
            nodes = list(ast.walk(s))
            places = [n.value for n in nodes if isinstance(n, ast.Subscript)]
            places += [e for n in nodes if isinstance(n, ast.Call) and (e := keys_from(n)) is not None]
        case _:
            return []
    return [e for e in places if isinstance(e, ast.Subscript) and is_item(e, lists)]


def is_item(e: ast.Subscript, lists: set[str]) -> bool:
    match e:
        case ast.Subscript(value=ast.Name(id=name), slice=key):
            plain = ast.Name | ast.Constant | ast.BinOp | ast.UnaryOp | ast.operator | ast.unaryop | ast.expr_context
            return name in lists and all(isinstance(n, plain) for n in ast.walk(key))
    return False


def is_read_first(s: ast.stmt, module: ModuleNames) -> bool:
    """Whether the items are the same in front of a statement, and are read in each run of it: it calls nothing that
    could change a list, chooses nothing, and binds one place."""
    if isinstance(s, ast.Assign) and (len(s.targets) > 1 or isinstance(s.targets[0], ast.Tuple | ast.List)):
        return False
    for n in ast.walk(s):
        match n:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append")):
                if (
                    not isinstance(s, ast.Expr)
                    or n is not s.value
                    or any(is_name(x, name) for x in ast.walk(n.args[0]))
                ):
                    return False
            case ast.Call() if keys_from(n) is not None:
                pass
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name))):
                if name not in module.imports.names:
                    return False
            case ast.Call() | ast.IfExp() | ast.BoolOp() | ast.Compare() | ast.NamedExpr() | ast.Lambda():
                return False
            case ast.ListComp() | ast.DictComp() | ast.SetComp() | ast.GeneratorExp():
                return False
    return True


class _Named(ast.NodeTransformer):
    def __init__(self, named: dict[str, str]) -> None:
        self.named = named

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if isinstance(node.ctx, ast.Load) and (own := self.named.get(ast.unparse(node))) is not None:
            return made(ast.Name(own, ast.Load()), node)
        return self.generic_visit(node)
