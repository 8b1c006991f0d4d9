"""Entries of local dicts that may be missing: a variable says whether they are there.

    law = {"k": k}                      law = {"k": k}
                                        law_has_d = False
    if damped:                          if damped:
        law["d"] = d                        law["d"] = d
                                            law_has_d = True
    if rigid:                           if rigid:
        del law["d"]                        law_has_d = False  (where no loop, and no sum, is over all entries)
    if "d" in law:                      if law_has_d:
        ...                                 ...
    d = law.get("d", 0.0)               d = law["d"] if law_has_d else 0.0  (a default without effects)

    k = law.pop("k")                    k = law["k"]
    d = law.pop("d", 0.0)               d = law.get("d", 0.0)  (where nothing below asks for it)
    total = sum(law.values())           total = sum({"d": law["d"]}.values())

Entries are taken out in the block that makes the dict: which keys it has is known from statement to statement.
"""

from __future__ import annotations

import ast
from typing import cast

from s2s.frontend.rewrites.objects import is_key, word
from s2s.frontend.rewrites.spellings import made_dicts
from s2s.frontend.text.function_bodies import has_effects
from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import (
    body_nodes,
    children,
    every_block,
    mentions,
    parameters,
    read_at_once,
    string_key,
    walk,
)
from s2s.frontend.text.source import expression, made


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the body of a function: what is done already is not done again."""
    nodes = body_nodes(function)
    if not any(asked_for(n) or taken_key(n) for n in nodes):
        return
    taken = {n.id for n in nodes if isinstance(n, ast.Name)} | {p.arg for p in parameters(function)}
    functions = names.functions | {n.name: n for n in nodes if isinstance(n, ast.FunctionDef)}
    if any(asked_for(n) and has_effects(n, functions) for n in nodes if isinstance(n, ast.Call)):
        return  # a default that does something is calculated in any case
    for name in sorted(taken):
        for block in list(every_block(function.body)):
            if is_alone(function, name) and no_views(function, name):
                take_out(function, block, name)
    for name in sorted(taken):
        for block in list(every_block(function.body)):
            if is_alone(function, name):
                read_instead(function, block, name)
        if is_alone(function, name):
            test_entries(function, name, taken)


def is_alone(function: ast.FunctionDef, name: str) -> bool:
    """Whether a name is only bound to dicts that are made there, and nothing else can have them."""
    nodes = body_nodes(function)
    if name in {p.arg for p in parameters(function)} or name not in made_dicts(nodes):
        return False
    if any(isinstance(n, ast.FunctionDef | ast.Lambda) and mentions(n, name) for n in nodes):
        return False
    parents = {c: n for s in function.body for n in walk(s) for c in children(n)}
    for n in nodes:
        if not isinstance(n, ast.Name) or n.id != name or not isinstance(n.ctx, ast.Load):
            continue
        match parents[n]:
            case ast.Subscript(value=value, ctx=ctx) as up if value is n:
                if not isinstance(ctx, ast.Load) and string_key(up) is None:
                    return False
            case ast.Attribute(attr=attr) if attr in READS:
                pass
            case ast.Compare(ops=[ast.In() | ast.NotIn()]) | ast.For() | ast.comprehension() | ast.Return():
                pass
            case ast.Call(func=ast.Name(id="len" | "list" | "sorted" | "dict")):
                pass
            case _:
                return False
    return True


def no_views(function: ast.FunctionDef, name: str) -> bool:
    """Whether `d.values()` and its kin are read where they stand: what keeps them sees how the dict changes."""
    parents = {c: n for s in function.body for n in walk(s) for c in children(n)}
    for n in parents:
        match n:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr="items" | "keys" | "values")) if of == name:
                if not read_at_once(n, parents):
                    return False
            case ast.comprehension(iter=ast.Name(id=of) as whole) if of == name:
                if not read_at_once(whole, parents):
                    return False
    return True


# ---------------------------------------------------------------- entries that may be missing


READS = frozenset(["get", "items", "keys", "pop", "values"])


def test_entries(function: ast.FunctionDef, name: str, taken: set[str]) -> None:
    """Tests for literal keys of one dict, and reads with a default, become tests of variables."""
    asked = {found[1] for n in body_nodes(function) if (found := asked_for(n)) is not None and found[0] == name}
    displays = [d for block in every_block(function.body) for s in block if (d := display(s, name)) is not None]
    known = [keys_of(d) for d in displays]
    gone = {s: k for block in every_block(function.body) for s in block if (k := lost_key(s, name)) is not None}
    if gone and not only_entries(function, name, len(displays) + len(gone)):
        return
    asked |= {*gone.values()}
    if not asked or any(k is None for k in known) or not all(map(is_key, asked)):
        return
    stored = {k for n in body_nodes(function) if (k := stored_key(n, name)) is not None}
    sure = {id(t) for block in every_block(function.body) for s in block for t in targets_of(s)}
    sure |= {id(n) for s in gone for n in walk(s)}
    if any(is_changed(n, name) and id(n) not in sure for n in body_nodes(function)):
        return  # in the target of a loop: nothing can stand behind it; or taken away
    flags: dict[str, str | bool] = {}
    for key in sorted(asked):
        there = [key in k for k in known if k is not None]
        if key not in gone.values() and (all(there) or (not any(there) and key not in stored)):
            flags[key] = there[0]
            continue
        flag = f"{name}_has_{word(key)}"
        while flag in taken:
            flag += "_"
        taken.add(flag)
        flags[key] = flag
        for block in list(every_block(function.body)):
            for s in list(block):
                if gone.get(s) == key:
                    absent = made(ast.Assign([made(ast.Name(flag, ast.Store()), s)], expression("False", s)), s)
                    block[block.index(s)] = absent
                    continue
                given = display(s, name)
                is_there = given is not None and key in (keys_of(given) or ())
                if given is not None or key in [stored_key(t, name) for t in targets_of(s)]:
                    says = expression(str(given is None or is_there), s)
                    bound = made(ast.Assign([made(ast.Name(flag, ast.Store()), s)], says), s)
                    block.insert(block.index(s) + 1, bound)
    writer = _Tests(name, flags)
    function.body[:] = [cast(ast.stmt, writer.visit(s)) for s in function.body]


def lost_key(s: ast.stmt, name: str) -> str | None:
    """The key of an entry that a statement takes away, and nothing else."""
    found = taken_key(s) if not isinstance(s, ast.Assign) else None
    return found[1] if found is not None and found[0] == name else None


def only_entries(function: ast.FunctionDef, name: str, others: int) -> bool:
    """Whether a dict is asked for single entries only, beside so many uses that are known."""
    nodes = body_nodes(function)
    single = [n for n in nodes if entry_key(n, name) or stored_key(n, name)]
    single += [n for n in nodes if (asked := asked_for(n)) is not None and asked[0] == name]
    return len(single) + others == uses(function.body, name)


def display(s: ast.stmt, name: str) -> ast.expr | None:
    """What a dict is made by, in a statement that binds the name."""
    match s:
        case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
            return value
    return None


def keys_of(value: ast.expr) -> set[str] | None:
    """The keys of a display, None where not all are written out."""
    match value:
        case ast.Dict(keys=keys):
            found = {k.value for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, str)}
            return found if len(found) == len(keys) else None
        case ast.Call(func=ast.Name(id="dict"), args=[], keywords=options):
            given = {k.arg for k in options if k.arg is not None}
            return given if len(given) == len(options) else None
    return None


def target_of(s: ast.stmt) -> ast.AST:
    return s.targets[0] if isinstance(s, ast.Assign) and len(s.targets) == 1 else s


def targets_of(s: ast.stmt) -> list[ast.AST]:
    """All that an assignment stores into."""
    match s:
        case ast.Assign(targets=targets):
            return [n for t in targets for n in walk(t)]
        case ast.AugAssign(target=target) | ast.AnnAssign(target=target, value=ast.expr()):
            return [target]
    return []


def is_changed(n: ast.AST, name: str) -> bool:
    """Whether an entry of a dict is stored or taken away here."""
    match n:
        case ast.Subscript(value=ast.Name(id=of), ctx=ast.Store() | ast.Del()):
            return of == name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr="pop")):
            return of == name
    return False


def stored_key(n: ast.AST, name: str) -> str | None:
    match n:
        case ast.Subscript(value=ast.Name(id=of), ctx=ast.Store()) if of == name:
            return string_key(n)
    return None


def asked_for(n: ast.AST) -> tuple[str, str] | None:
    """The dict and the key of `"k" in d` and of `d.get("k")`."""
    match n:
        case ast.Compare(
            left=ast.Constant(value=str(key)), ops=[ast.In() | ast.NotIn()], comparators=[ast.Name(id=of)]
        ):
            return of, key
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=of), attr="get"),
            args=[ast.Constant(value=str(key)), *rest],
            keywords=[],
        ) if len(rest) < 2:
            return of, key
    return None


class _Tests(ast.NodeTransformer):
    def __init__(self, name: str, flags: dict[str, str | bool]) -> None:
        self.name, self.flags = name, flags

    def visit(self, node: ast.AST) -> ast.AST:
        node = super().generic_visit(node)
        found = asked_for(node)
        if found is None or found[0] != self.name or found[1] not in self.flags:
            return node
        key = found[1]
        flag = self.flags[key]
        match node:
            case ast.Compare(ops=[op]):
                return expression(str(flag) if isinstance(op, ast.In) else f"not {flag}", node)
            case ast.Call(args=[_, *rest]):
                entry = expression(f"{self.name}[{key!r}]", node)
                other = rest[0] if rest else made(ast.Constant(None), node)
                if isinstance(flag, bool):
                    return entry if flag else other
                return made(ast.IfExp(expression(flag, node), entry, other), node)
        return node


# ---------------------------------------------------------------- entries that are taken out


def take_out(function: ast.FunctionDef, block: list[ast.stmt], name: str) -> None:
    """`del d["k"]` and `x = d.pop("k")` in the block that makes the dict, and that is the only one which uses it."""
    at = next((i for i, s in enumerate(block) if display(s, name) is not None), None)
    if at is None or uses(block[at:], name) < uses(function.body, name):
        return
    given = display(block[at], name)
    assert given is not None
    known = keys_of(given)
    if known is None or not all(map(is_key, known)):
        return
    keys = in_order(given)
    steps: list[tuple[ast.stmt, str | None, list[str]]] = []  # the key that is taken, and the keys that there are
    there: set[int] = set()  # the statements that take a key which is there
    for s in block[at + 1 :]:
        found = taken_key(s)
        if found is not None and found[0] == name:
            if found[1] not in keys and default_of(s) is None:
                return
            there.add(id(s) if found[1] in keys else 0)
            keys = [k for k in keys if k != found[1]]
            steps.append((s, found[1], keys))
            continue
        stores = [k for n in walk(s) if (k := stored_key(n, name)) is not None]
        if (stores and stored_key(target_of(s), name) is None) or display(s, name) is not None:
            return  # in a branch, or a loop: which keys there are is not known
        if any((x := taken_key(n)) is not None and x[0] == name for n in walk(s)):
            return
        read = {k for n in walk(s) if (k := entry_key(n, name)) is not None}
        if any(taken is not None for _, taken, _ in steps) and not read <= {*keys, ""}:
            return  # a KeyError
        steps.append((s, None, keys))
        keys = [*keys, *(k for k in stores if k not in keys)]
    changed = False
    for s, key, keys in steps:
        if key is None:
            if changed:
                block[block.index(s)] = cast(ast.stmt, _Whole(name, keys).visit(s))
            continue
        changed = True
        if isinstance(s, ast.Assign):
            s.value = expression(f"{name}[{key!r}]", s) if id(s) in there else cast(ast.expr, default_of(s))
        else:
            block.remove(s)


def uses(body: list[ast.stmt], name: str) -> int:
    return sum(isinstance(n, ast.Name) and n.id == name for s in body for n in walk(s))


def in_order(value: ast.expr) -> list[str]:
    if isinstance(value, ast.Dict):
        return list(dict.fromkeys(str(k.value) for k in value.keys if isinstance(k, ast.Constant)))
    return [str(k.arg) for k in value.keywords] if isinstance(value, ast.Call) else []


def taken_key(n: ast.AST) -> tuple[str, str] | None:
    """The dict and the key of `del d["k"]`, and of `d.pop("k")` as a statement or bound to a name."""
    match n:
        case ast.Delete(targets=[ast.Subscript(value=ast.Name(id=of)) as target]):
            key = string_key(target)
            return (of, key) if key is not None else None
        case ast.Assign(targets=[ast.Name()], value=ast.Call() as call) | ast.Expr(value=ast.Call() as call):
            match call:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id=of), attr="pop"),
                    args=[ast.Constant(value=str(key)), *rest],
                    keywords=[],
                ) if not rest or default_of(n) is not None:
                    return of, key
    return None


def default_of(s: ast.AST) -> ast.expr | None:
    """What `x = d.pop("k", 1.0)` gives where there is no such key: a number, or a name."""
    match s:
        case ast.Assign(value=ast.Call(args=[_, value])) | ast.Expr(value=ast.Call(args=[_, value])):
            number = value.operand if isinstance(value, ast.UnaryOp) else value
            return value if isinstance(number, ast.Constant | ast.Name) else None
    return None


def read_instead(function: ast.FunctionDef, block: list[ast.stmt], name: str) -> None:
    """`x = d.pop("k", 1.0)` as `x = d.get("k", 1.0)` in the block that makes the dict, where only entries under other
    keys are asked for below."""
    at = next((i for i, s in enumerate(block) if display(s, name) is not None), None)
    if at is None or uses(block[at:], name) < uses(function.body, name):
        return
    for i, s in enumerate(block[at + 1 :], at + 2):
        found = taken_key(s)
        if found is None or found[0] != name or default_of(s) is None or not isinstance(s, ast.Assign):
            continue
        below = [n for t in block[i:] for n in walk(t)]
        others = [n for n in below if (entry_key(n, name) or stored_key(n, name) or found[1]) != found[1]]
        others += [
            n for n in below if (asked := asked_for(n)) is not None and asked[0] == name and asked[1] != found[1]
        ]
        others += [n for n in below if (gone := taken_key(n)) is not None and gone[0] == name and gone[1] != found[1]]
        call = cast(ast.Call, s.value)
        if len(others) == uses(block[i:], name):
            cast(ast.Attribute, call.func).attr = "get"


def entry_key(n: ast.AST, name: str) -> str | None:
    """The key of an entry that is read."""
    match n:
        case ast.Subscript(value=ast.Name(id=of), ctx=ast.Load()) if of == name:
            return string_key(n) or ""
    return None


class _Whole(ast.NodeTransformer):
    """What is done with the whole dict, done with a display of the entries that are left."""

    def __init__(self, name: str, keys: list[str]) -> None:
        self.name, self.keys = name, keys

    def visit(self, node: ast.AST) -> ast.AST:
        match node:
            case ast.Subscript(value=ast.Name(id=of)) if of == self.name:
                return node
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=of)]) if of == self.name:
                return expression(str(len(self.keys)), node)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr="values"), args=[]) if of == self.name:
                return expression("(" + "".join(f"{of}[{k!r}], " for k in self.keys) + ")", node)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr="keys"), args=[]) if of == self.name:
                return expression(str(tuple(self.keys)), node)
            case ast.For(iter=ast.Name(id=of)) | ast.comprehension(iter=ast.Name(id=of)) if of == self.name:
                node.iter = expression(str(tuple(self.keys)), node.iter)
            case ast.Name(id=of) if of == self.name:
                return expression("{" + ", ".join(f"{k!r}: {of}[{k!r}]" for k in self.keys) + "}", node)
        found = asked_for(node)
        if found is not None and found[0] == self.name:
            there = found[1] in self.keys
            match node:
                case ast.Compare(ops=[op]):
                    return expression(str(there == isinstance(op, ast.In)), node)
                case ast.Call(args=[_, *rest]):
                    other = rest[0] if rest else made(ast.Constant(None), node)
                    return expression(f"{self.name}[{found[1]!r}]", node) if there else other
        node = super().generic_visit(node)
        if isinstance(node, ast.expr):
            node.made = True  # type: ignore[attr-defined]
        return node


__all__ = ["write_out"]
