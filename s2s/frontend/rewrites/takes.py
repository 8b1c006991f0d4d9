"""Lists that lose items, or get them elsewhere than at their end, are bound to new lists.

    x = queue.pop(0)        x = queue[0]
                            queue = queue[1:]
    values.insert(0, x)     values = [x, *values]
    del values[1]           values = [*values[:1], *values[2:]]
    values.reverse()        values = values[::-1]
    values[1:3] = [a]       values = [*values[:1], a, *values[3:]]
    del values[k]           values = [v for i, v in enumerate(values) if i != range(len(values))[k]]
    window.append(x)        window = [*window, x][-3:]      of window = deque(maxlen=3)

A new list is the same as the changed one where nothing else has the list: of a list that is made here, and that is
only read by items, taken apart, measured, looped over, joined, and returned. A deque is such a list, too.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from s2s.frontend.text.function_bodies import evaluated, own_expressions
from s2s.frontend.text.scopes import (
    AT_ONCE,
    body_nodes,
    bound_names,
    children,
    dotted,
    full_path,
    mentions,
    new_name,
    parameters,
    read_at_once,
    rewritten,
    walk,
)
from s2s.frontend.text.source import expression, made

CHANGES = frozenset(["pop", "insert", "reverse", "clear", "popleft", "appendleft"])
GROWS = frozenset(["append", "extend"])
SIMPLE = ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr | ast.Return


def write_out(function: ast.FunctionDef, imports: Mapping[str, str]) -> None:
    """Changes the body of a function."""
    nodes = [n for s in function.body for n in walk(s)]
    names = {n for n in map(changed, nodes) if n} | {
        t.id
        for n in nodes
        if isinstance(n, ast.Assign) and is_deque(n.value, imports)
        for t in n.targets
        if isinstance(t, ast.Name)
    }
    names &= bound_names(body_nodes(function))  # lists of the module live on
    names -= {p.arg for p in parameters(function) if taken_over_at(function, p.arg) is None}
    names -= {changed(n) for t in nodes if isinstance(t, ast.Try) for s in t.body for n in walk(s) if may_raise(n)}
    taken = {n.id for n in nodes if isinstance(n, ast.Name)} | {p.arg for p in parameters(function)}
    for name in sorted(names):
        if is_alone(function, name, imports):
            most = length_of(function, name, imports)
            assert not isinstance(most, str)
            function.body[:] = rewritten(function.body, _Takes(name, taken, imports, most).statement)


def changed(n: ast.AST) -> str:
    """The name of the list that a node changes elsewhere than at its end; "" for other nodes."""
    found = resized(n)
    return found.id if isinstance(found, ast.Name) else ""


def resized(n: ast.AST) -> ast.expr | None:
    """The list that a node changes elsewhere than at its end."""
    match n:
        case ast.Call(func=ast.Attribute(value=value, attr=attr)) if attr in CHANGES:
            return value
        case ast.Delete(targets=[ast.Subscript(value=value)]):
            return value
        case ast.Assign(targets=[ast.Subscript(value=value, slice=ast.Slice(step=None))]):
            return value
    return None


def may_raise(n: ast.AST) -> bool:
    """Whether the change of a list raises where an item is not there, which the new list may not do."""
    match n:
        case ast.Call(func=ast.Attribute(attr="insert" | "reverse" | "clear")) | ast.Assign():
            return False
        case ast.Delete(targets=[ast.Subscript(slice=ast.Slice())]):
            return False
    return True


def is_deque(value: ast.expr, imports: Mapping[str, str]) -> bool:
    match value:
        case ast.Call(func=func, args=args, keywords=options):
            known = [o.arg for o in options] in ([], ["maxlen"]) and len(args) + len(options) < 3
            return known and full_path(func, imports) == "collections.deque"
    return False


def longest(value: ast.expr | None) -> ast.expr | None:
    """The number of items that a deque has at most: of `deque(xs, maxlen=3)`, 3."""
    match value:
        case (
            ast.Call(args=[_, ast.Constant(value=None)])
            | ast.Call(keywords=[ast.keyword(value=ast.Constant(value=None))])
        ):
            return None
        case ast.Call(args=[_, most]) | ast.Call(keywords=[ast.keyword(arg="maxlen", value=most)]):
            return most
    return None


def length_of(function: ast.FunctionDef, name: str, imports: Mapping[str, str]) -> ast.expr | str | None:
    """The greatest length of a deque, one for all that the name is bound to: a number above zero, or a name that is
    bound nowhere. None where there is no such length, "" where it can't be told."""
    nodes = [n for s in function.body for n in walk(s)]
    values: list[ast.expr | None] = []
    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Name(id=own)], value=value) if own == name:
                values.append(value)
            case ast.AnnAssign(target=ast.Name(id=own), value=value) if own == name:
                values.append(value)
    most = [longest(v) if v is not None and is_deque(v, imports) else None for v in values]
    if not any(most):
        return None
    if len({ast.dump(m) if m is not None else "" for m in most}) > 1:
        return ""
    match most[0]:
        case ast.Constant(value=int() as k) if k > 0 and not isinstance(k, bool):
            return most[0]
        case ast.Name(id=bound) if bound not in bound_names(body_nodes(function)):
            return most[0]
    return ""


def is_alone(function: ast.FunctionDef, name: str, imports: Mapping[str, str]) -> bool:
    """Whether a name is only ever bound to lists that are made there, and nothing else can have them."""
    given = any(p.arg == name for p in parameters(function))
    start = taken_over_at(function, name) if given else 0
    if start is None:
        return False
    most = length_of(function, name, imports)
    if isinstance(most, str):
        return False
    parents = {c: n for s in function.body for n in walk(s) for c in children(n)}
    listed = any(is_popped(n, name) for s in function.body for n in walk(s))
    for n in [n for s in function.body[start:] for n in walk(s)]:
        inside = isinstance(n, ast.FunctionDef | ast.Lambda | ast.ClassDef) and mentions(n, name)
        if inside and not is_key(n, name, parents):
            return False
        if not (isinstance(n, ast.Name) and n.id == name):
            continue
        up = parents.get(n)
        match up:
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=value) if target is n:
                if value is None or not (makes_list(value, name, listed) or is_deque(value, imports)):
                    return False
            case ast.AugAssign(target=target, op=ast.Add()) if target is n:
                if most is not None:
                    return False
            case ast.Assign(targets=[ast.Tuple() | ast.List()], value=value) if value is n:  # first, *rest = L
                pass
            case ast.Subscript(value=array) if array is n:
                pass
            case ast.Attribute(attr="insert" | "copy") if (
                most is not None
            ):  # what is full takes no more; a copy is a deque
                return False
            case ast.Attribute(attr=attr) if attr in CHANGES | GROWS | {"copy", "index", "count", "sort"}:
                call = parents.get(up)
                if not (isinstance(call, ast.Call) and call.func is up):
                    return False
                if most is not None and attr in GROWS | {"appendleft"} and not is_filled_by(call, name, parents):
                    return False
            case ast.For() | ast.comprehension() | ast.Call(func=ast.Name(id="enumerate" | "zip" | "reversed")):
                loop = read_at_once(n, parents)
                if not loop or (isinstance(loop, ast.For) and changes(loop, name)):
                    return False
            case ast.Call() if up.func is not n:
                if not is_read_by(up, n, imports):
                    return False
            case ast.BoolOp():
                if not is_test(n, parents):
                    return False
            case ast.Tuple() if isinstance(parents.get(up), ast.Return):  # return values, state
                pass
            case ast.While() | ast.If() | ast.UnaryOp() | ast.Compare() | ast.Return() | ast.BinOp() | ast.Starred():
                pass
            case _:
                return False
    return True


def taken_over_at(function: ast.FunctionDef, name: str) -> int | None:
    """The place of the statement that binds a parameter to a new list, `xs = list(xs)`, before which it is only read;
    None where there is none."""
    for i, s in enumerate(function.body):
        match s:
            case ast.Assign(
                targets=[ast.Name(id=own)],
                value=ast.List() | ast.ListComp() | ast.Call(func=ast.Name(id="list" | "sorted")),
            ) if own == name:
                return i
        for n in walk(s):
            inside = isinstance(n, ast.FunctionDef | ast.Lambda | ast.ClassDef) and mentions(n, name)
            bound = isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load)
            if inside or bound or changed(n) == name:
                return None
    return None


def is_filled_by(call: ast.Call, name: str, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether a deque with a length gets an item in a statement of its own, in which nothing else changes it."""
    alone = isinstance(parents.get(call), ast.Expr) and len(call.args) == 1 and not call.keywords
    return alone and not any(changed(n) == name for a in call.args for n in walk(a))


def is_key(n: ast.AST, name: str, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether a function is what `sorted` and its kin sort by: it is called at once. It calls no method of the list."""
    match up := parents.get(n):
        case ast.keyword(arg="key"):
            call = parents.get(up)
            at_once = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in AT_ONCE
            methods = (x.value for x in walk(n) if isinstance(x, ast.Attribute))
            return at_once and not any(isinstance(x, ast.Name) and x.id == name for x in methods)
    return False


def is_popped(n: ast.AST, name: str) -> bool:
    """Whether an item is taken from a name by a method, as of no array, tuple or string; dicts have no slices."""
    match n:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=own), attr="pop"), args=[] | [ast.Constant(value=int())]):
            return own == name
    return False


def changes(loop: ast.For, name: str) -> bool:
    """Whether a list changes while a loop runs over its items."""
    return any(changed(x) == name for s in loop.body for x in walk(s))


def is_test(e: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> bool:
    """Whether of `e or ...` it is only asked whether it holds: else it may be one more name for e."""
    up = parents.get(e)
    match up:
        case ast.BoolOp():
            return is_test(up, parents)
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            return test is e
    return isinstance(up, ast.UnaryOp)


def is_read_by(call: ast.Call, given: ast.expr, imports: Mapping[str, str]) -> bool:
    """Whether a call has read a list when it returns, and neither is nor keeps it."""
    path = dotted(call.func)
    if path is None:
        return False
    if path[0] in imports:
        return imports[path[0]].partition(".")[0] in ("numpy", "math", "scipy")
    own = len(call.args) == 1 or (call.args[0] is given and path[0] not in ("min", "max"))
    return len(path) == 1 and path[0] in AT_ONCE and own  # the larger one of two lists is one of them


def makes_list(value: ast.expr, name: str, listed: bool = False) -> bool:
    """Whether a name is bound to a new list. listed: it is known to be bound to lists only."""
    match value:
        case ast.List() | ast.ListComp():
            return True
        case ast.BinOp(left=a, op=ast.Add(), right=b):
            return makes_list(a, name, listed) or makes_list(b, name, listed)
        case ast.BinOp(left=a, op=ast.Mult(), right=b):
            return isinstance(a, ast.List) or isinstance(b, ast.List)
        case ast.Subscript(value=ast.Name(id=own), slice=ast.Slice()):
            return own == name or listed
        case ast.Call(func=ast.Name(id="list" | "sorted")):
            return True
        case ast.IfExp(body=a, orelse=b):
            return makes_list(a, name, listed) and makes_list(b, name, listed)
    return False


def popped(n: ast.AST) -> str:
    """The list of which `L.pop()` takes the last item; "" for other nodes."""
    shorter = shortened(n)
    return shorter.id if shorter is not None else ""


def shortened(n: ast.AST) -> ast.Name | None:
    match n:
        case ast.Call(
            func=ast.Attribute(value=ast.Name() as name, attr="pop"),
            args=[] | [ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1))],
            keywords=[],
        ):
            return name
    return None


class _Takes:
    def __init__(self, name: str, taken: set[str], imports: Mapping[str, str], most: ast.expr | None) -> None:
        self.name, self.taken, self.imports = name, taken, imports
        self.most = most  # the greatest length, of a deque that has one

    def statement(self, s: ast.stmt) -> list[ast.stmt]:
        name = self.name
        match s:
            case ast.Assign(targets=[ast.Name(id=own)], value=value) if own == name and is_deque(value, self.imports):
                assert isinstance(value, ast.Call)
                first = value.args[0] if value.args else None
                listed = first if isinstance(first, ast.List) else None
                v = new_name(self.taken, "v")
                every = expression(f"[{v} for {v} in {ast.unparse(first)}]", value) if first else None
                s.value = listed or every or made(ast.List([], ast.Load()), value)
                return [s, parsed(f"{name} = {self.last(name)}", s)] if self.most and first else [s]
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=ast.Name(id=own), attr="append" | "extend" as attr), args=[new])
            ) if own == name and self.most and not any(map(self.is_pop, walk(new))):
                added = f"[*{name}, {'*' if attr == 'extend' else ''}{ast.unparse(new)}]"
                if isinstance(self.most, ast.Constant):
                    return [parsed(f"{name} = {self.last(added)}", s)]
                return [parsed(f"{name} = {added}", s), parsed(f"{name} = {self.last(name)}", s)]
            case ast.Delete(targets=[ast.Subscript(value=ast.Name(id=own), slice=key)]) if own == name:
                text = self.without_any(key)
                return [s] if text is None else [parsed(f"{name} = {text}", s)]
            case ast.Assign(
                targets=[ast.Subscript(value=ast.Name(id=own), slice=ast.Slice(start, stop, None))], value=value
            ) if own == name and in_order(start, stop) and not any(map(self.is_pop, walk(value))):
                return [parsed(f"{name} = {replaced(name, start, stop, value)}", s)]
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=own), attr=attr), args=args)) if (
                own == name and attr in CHANGES
            ):
                return self.called(s, attr, args)
        pops = [n for n in own_expressions(s) if self.is_pop(n)]
        if not pops or not isinstance(s, SIMPLE | ast.If):
            return [s]
        root = s.test if isinstance(s, ast.If) else s.value
        ordered = list(evaluated(root)) if root is not None else []
        last = max((i for i, n in enumerate(ordered) if self.is_pop(n)), default=-1)
        held = [n for n in ordered[: last + 1] if self.is_pop(n) or self.is_read(n)]
        rest = [n for n in own_expressions(s) if isinstance(n, ast.Name) and n.id == name]
        grows = isinstance(s, ast.Expr) and isinstance(s.value, ast.Call) and changed_or_grown(s.value) == name
        early = [n for n in ordered[: last + 1] if isinstance(n, ast.Name) and n.id == name]
        if isinstance(s, ast.AugAssign) and mentions(s.target, name):  # its key is evaluated before the value
            return [s]
        if sum(map(self.is_pop, ordered)) < len(pops) or len(early) > len(held) + grows:
            return [s]
        known, at = set(map(id, ordered)), place(ordered[last])
        inner = [n for n in walk(root) if isinstance(n, ast.Name) and n.id == name] if root is not None else []
        if any(id(n) not in known and place(n) <= at for n in inner):  # a comprehension before it sees the whole list
            return [s]
        if len(rest) == 1 and not isinstance(s, ast.If):  # read where it stands, taken away behind
            item, text = self.parts(pops[0])
            replace_in(s, pops[0], expression(item, pops[0]))
            behind = [] if isinstance(s, ast.Return) else [parsed(f"{name} = {text}", s)]
            return [s, *behind]
        before: list[ast.stmt] = []
        for n in held:
            item, text = self.parts(n) if self.is_pop(n) else (ast.unparse(n), "")
            kept = new_name(self.taken, f"{name}_item")
            before += [parsed(f"{kept} = {item}", s), *([parsed(f"{name} = {text}", s)] if text else [])]
            replace_in(s, n, expression(kept, n))
        return [*before, s]

    def last(self, items: str) -> str:
        """The items that a deque of this length keeps of those that it is given."""
        assert self.most is not None
        most = ast.unparse(self.most)
        return (
            f"{items}[-{most}:]" if isinstance(self.most, ast.Constant) else f"{items}[max(len({items}) - {most}, 0):]"
        )

    def without_any(self, key: ast.expr) -> str | None:
        """The list without one item, or without those of a slice."""
        name = self.name
        match key:
            case ast.Slice(start, None, None):
                return f"{name}[:{ast.unparse(start)}]" if start is not None else "[]"
            case ast.Slice(None, stop, None):
                return f"{name}[{ast.unparse(stop)}:]" if stop is not None else "[]"
            case ast.Slice(start, stop, None) if in_order(start, stop):
                return replaced(name, start, stop, made(ast.List([], ast.Load()), key))
            case ast.Slice():
                return None
            case ast.Name(id=k) if k != name:
                i, v = new_name(self.taken, "place"), new_name(self.taken, "v")
                at = k if getattr(key, "is_place", False) else f"range(len({name}))[{k}]"  # counted from the end, too
                return f"[{v} for {i}, {v} in enumerate({name}) if {i} != {at}]"
        return without(name, key)

    def is_read(self, n: ast.AST) -> bool:
        """Whether a node reads an item of the list, or its length."""
        match n:
            case ast.Subscript(value=ast.Name(id=own), slice=key):
                return own == self.name and not isinstance(key, ast.Slice) and not mentions(key, own)
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=own)]):
                return own == self.name
        return False

    def called(self, s: ast.stmt, attr: str, args: list[ast.expr]) -> list[ast.stmt]:
        name = self.name
        given = [ast.unparse(a) for a in args]
        match attr, args:
            case (("pop" | "popleft"), _):
                assert isinstance(s, ast.Expr)
                if not self.is_pop(s.value):
                    return [s]
                item, text = self.parts(s.value)
                return [parsed(f"{new_name(self.taken, f'{name}_item')} = {item}", s), parsed(f"{name} = {text}", s)]
            case "insert", [ast.Constant(value=0), _]:
                return [parsed(f"{name} = [{given[1]}, *{name}]", s)]
            case "insert", [ast.Constant(value=int()), _]:
                return [parsed(f"{name} = [*{name}[:{given[0]}], {given[1]}, *{name}[{given[0]}:]]", s)]
            case "appendleft", [_]:
                first = "" if self.most is None else f"[:{ast.unparse(self.most)}]"
                return [parsed(f"{name} = [{given[0]}, *{name}]{first}", s)]
            case "reverse", []:
                return [parsed(f"{name} = {name}[::-1]", s)]
            case "clear", []:
                return [parsed(f"{name} = []", s)]
        return [s]

    def is_pop(self, n: ast.AST) -> bool:
        match n:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=own), attr="pop"), args=[] | [_] as args, keywords=[]):
                return own == self.name and (not args or without(own, args[0]) is not None)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=own), attr="popleft"), args=[], keywords=[]):
                return own == self.name
        return False

    def parts(self, n: ast.AST) -> tuple[str, str]:
        """The item that a pop takes, and the list without it."""
        assert isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)
        first = made(ast.Constant(0), n)
        last = made(ast.UnaryOp(ast.USub(), made(ast.Constant(1), n)), n)
        key: ast.expr = first if n.func.attr == "popleft" else n.args[0] if n.args else last
        text = without(self.name, key)
        assert text is not None
        return f"{self.name}[{ast.unparse(key)}]", text


def place(n: ast.AST) -> tuple[int, int]:
    """Where a node begins in the text."""
    return getattr(n, "lineno", 0), getattr(n, "col_offset", 0)


def changed_or_grown(n: ast.Call) -> str:
    match n:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if attr in GROWS:
            return name
    return changed(n)


def without(name: str, key: ast.expr) -> str | None:
    """The list without one item, at a place that is known."""
    match key:
        case ast.Constant(value=0):
            return f"{name}[1:]"
        case ast.Constant(value=int() as k) if not isinstance(k, bool):
            return f"[*{name}[:{k}], *{name}[{k + 1}:]]"
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1)):
            return f"{name}[:-1]"
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as k)):
            return f"[*{name}[:-{k}], *{name}[-{k - 1}:]]"
    return None


def in_order(start: ast.expr | None, stop: ast.expr | None) -> bool:
    """Whether a slice is known not to end before it starts: its items lie between l[:start] and l[stop:]."""
    match start, stop:
        case (None, _) | (_, None):
            return True
        case ast.Constant(value=int() as a), ast.Constant(value=int() as b):
            return a <= b
    return False


def replaced(name: str, start: ast.expr | None, stop: ast.expr | None, value: ast.expr) -> str:
    """The list with other items in the place of a slice."""
    if isinstance(value, ast.ListComp) and start is None and stop is None:
        return ast.unparse(value)
    items: list[ast.expr] = value.elts if isinstance(value, ast.List | ast.Tuple) else [ast.Starred(value, ast.Load())]
    between = [ast.unparse(ast.List(items, ast.Load()))[1:-1]] if items else []
    first = isinstance(start, ast.Constant) and start.value == 0
    before = [] if start is None or first else [f"*{name}[:{ast.unparse(start)}]"]
    after = [] if stop is None else [f"*{name}[{ast.unparse(stop)}:]"]
    if not between and len([*before, *after]) == 1:
        return [*before, *after][0].removeprefix("*")
    return f"[{', '.join([*before, *between, *after])}]"


def replace_in(s: ast.stmt, old: ast.AST, new: ast.expr) -> None:
    class Once(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            if node is old:
                return new
            super().generic_visit(node)
            if isinstance(node, ast.expr) and any(n is new for n in walk(node)):
                node.made = True  # type: ignore[attr-defined]
            return node

    for field in ("value", "test"):
        if isinstance(e := getattr(s, field, None), ast.expr):
            setattr(s, field, Once().visit(e))


def parsed(text: str, like: ast.stmt) -> ast.stmt:
    """A statement for which the user's statement stands."""
    s = ast.parse(text).body[0]
    for n in walk(s):
        if isinstance(n, ast.expr):
            made(n, like)
    return ast.copy_location(s, like)


__all__ = ["write_out"]
