"""Whether what lies in a dict or a list is a new value, that nothing else holds: it may be bound anew where the text
updates it, `d[k] += e`, whatever its type."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from s2s.frontend.rewrites.keyed import in_order


class Uses:
    """Where another name may come to see what lies in a dict, and whether it is changed there afterwards."""

    def __init__(self, function: ast.FunctionDef, makers: frozenset[str] = frozenset()) -> None:
        self.makers = makers  # functions of written derivatives that make new arrays, or new dicts of new arrays
        self.nodes = list(in_order(function))
        self.parents = {id(c): n for n in self.nodes for c in ast.iter_child_nodes(n)}
        self.at = {id(n): i for i, n in enumerate(self.nodes)}

    def entry_of(self, e: ast.expr) -> str:
        """The dict of which an expression is an entry: `d[k]`, `d.setdefault(k, [])`."""
        match e:
            case (
                ast.Subscript(value=ast.Name(id=name))
                | ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="setdefault"))
            ):
                return name
        return ""

    def loops(self, n: ast.AST) -> set[int]:
        found: set[int] = set()
        while (up := self.parents.get(id(n))) is not None:
            first = isinstance(up, ast.For) and n is up.iter
            found |= {id(up)} if isinstance(up, ast.For | ast.While) and not first else set()
            n = up
        return found

    def is_settled(self, use: ast.AST, name: str, kind: type[ast.AST]) -> bool:
        """Whether no entry of a dict is changed behind a use: by `+=`, or by a call of `append`."""
        around = self.loops(use)
        up = self.parents.get(id(use))
        inside = {id(up)} if isinstance(up, ast.For) else set()  # the loop runs over what is seen
        for n in self.nodes:
            match n:
                case ast.AugAssign(target=target):
                    changed = self.entry_of(target)
                case ast.Call(func=ast.Attribute(value=of, attr="append")):
                    changed = self.entry_of(of)
                case _:
                    continue
            if isinstance(n, kind) and changed == name and (self.at[id(n)] > self.at[id(use)]):
                return False
            if isinstance(n, kind) and changed == name and self.loops(n) & (around | inside):
                return False
        return True

    def seen(self, name: str) -> list[ast.AST]:
        """What may give an entry another name, of the uses of a dict."""
        found: list[ast.AST] = []
        for n in self.nodes:
            if not (isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)):
                continue
            up = self.parents[id(n)]
            match up:
                case ast.Subscript(value=value, ctx=ast.Load()) if value is n:
                    found += [] if self.is_computed(up) else [up]
                case ast.Subscript(value=value) if value is n:
                    pass
                case ast.Compare() | ast.For() | ast.comprehension() | ast.Return():
                    pass
                case ast.Tuple() if isinstance(self.parents[id(up)], ast.Return):
                    pass
                case ast.Call(func=ast.Name(id="len" | "list" | "sorted")):
                    pass
                case ast.Call(func=ast.Name(id=called)) if called in self.makers:
                    pass
                case ast.Attribute(attr="keys"):
                    pass
                case ast.Attribute(attr="values" | "items" | "get" | "setdefault"):
                    call = self.parents[id(up)]
                    found += [] if self.is_computed(call) else [call]
                case _:
                    found.append(n)
        return found

    def is_computed(self, e: ast.AST) -> bool:
        """Whether something new is computed of an entry, or of all."""
        up = self.parents.get(id(e))
        if is_computed_with(up) or isinstance(up, ast.Expr):
            return True
        match up:
            case ast.Call(func=ast.Name(id=called)) if called in self.makers:
                return True
            case ast.Attribute(attr="append") | ast.AugAssign():
                return True
            case ast.Call(func=ast.Name(id="sum" | "len")):
                return True
            case ast.Call(func=ast.Name(id="max" | "min"), args=[_]) if isinstance(e, ast.Subscript):
                return True  # of the items of a list, which are no entries
            case ast.Subscript(value=value, ctx=ast.Load()) if value is e:  # an item of a list
                return self.is_computed(up)
            case ast.comprehension(ifs=ifs) if any(e is test for test in ifs):
                return True
            case ast.comprehension(target=target):
                names = {x.id for x in ast.walk(target) if isinstance(x, ast.Name)}
                whole = self.parents[id(up)]
                reads = [x for x in ast.walk(whole) if isinstance(x, ast.Name) and x.id in names]
                return all(self.is_computed(x) for x in reads if isinstance(x.ctx, ast.Load))
        return False

    def holds_new(self, name: str) -> bool:
        """Whether all that is put into a dict is new, or an entry of a dict that is read at this place only."""
        for n in self.nodes:
            match n:
                case ast.Subscript(value=ast.Name(id=own), ctx=ast.Store()) if own == name:
                    match self.parents[id(n)]:
                        case ast.AugAssign():
                            pass
                        case ast.Assign(targets=[target], value=value) if target is n:
                            if not self.is_new(value):
                                return False
                        case _:
                            return False
                case ast.Assign(targets=[ast.Name(id=own)], value=value) if own == name:
                    if not self.makes_new(value):
                        return False
                case ast.Call(func=ast.Attribute(value=ast.Name(id=own), attr="setdefault"), args=[_, value]):
                    if own == name and not self.is_new(value):
                        return False
        return True

    def makes_new(self, value: ast.expr) -> bool:
        match value:
            case ast.Dict(values=values):
                return all(map(self.is_new, values))
            case ast.DictComp(value=item):
                return self.is_new(item)
            case ast.Call(func=ast.Name(id="dict"), args=[ast.Name() as of]):
                return self.is_read_once(of) and not self.loops(of)
            case ast.Call(func=ast.Name(id="dict"), args=[], keywords=options):
                return all(self.is_new(k.value) for k in options)
            case ast.Call(func=ast.Name(id="dict")):  # of pairs
                return False
            case ast.Call(func=ast.Name(id=called)) if called in self.makers:
                return True
            case ast.Call(func=ast.Attribute(attr="copy")):
                return False
            case ast.Call(args=args):
                return len(args) < 2 or isinstance(args[1], ast.Constant)
        return False

    def is_new(self, e: ast.expr) -> bool:
        """Whether an expression makes a number or an array that nothing else sees; an entry of a dict that is read here
        only is as good as that."""
        match e:
            case ast.Constant() | ast.BinOp() | ast.UnaryOp():
                return True
            case ast.Call(func=ast.Name(id=called)):
                return called in self.makers
            case ast.Call(func=ast.Attribute(value=ast.Name(), attr=attr)):
                return attr in ("zeros_like", "zeros", "ones", "copy", "sqrt", "exp")
            case ast.Subscript(value=ast.Name() as of, slice=ast.Name(id=k)):
                put = self.parents[id(e)]
                match put, self.parents[id(put)]:
                    case (
                        ast.Assign(targets=[ast.Subscript(slice=ast.Name(id=key))]),
                        ast.For(target=ast.Name(id=each), iter=it),
                    ):
                        pass
                    case ast.DictComp(
                        key=ast.Name(id=key), generators=[ast.comprehension(target=ast.Name(id=each), iter=it)]
                    ), _:
                        pass
                    case _:
                        return False
                over = it.args[0] if isinstance(it, ast.Call) and it.args else it
                return (
                    key == each == k
                    and isinstance(over, ast.Name)
                    and over.id == of.id
                    and self.is_read_once(of)
                    and len(self.loops(e)) == isinstance(put, ast.Assign)  # and the loop runs once
                )
        return False

    def is_read_once(self, of: ast.Name) -> bool:
        """Whether what lies in a dict is read at this place only, and once: the dict is not handed on, either."""
        reads = [
            n
            for n in self.nodes
            if isinstance(n, ast.Name) and n.id == of.id and n is not of and isinstance(n.ctx, ast.Load)
        ]
        for n in reads:
            match self.parents[id(n)]:
                case ast.Compare() | ast.For() | ast.comprehension():
                    pass
                case ast.Call(func=ast.Name(id="len" | "list" | "sorted")) | ast.Attribute(attr="keys"):
                    pass
                case _ if not any(isinstance(up, ast.Assert) for up in self.ancestors(n)):
                    return False
        return True

    def ancestors(self, n: ast.AST) -> Iterator[ast.AST]:
        while (up := self.parents.get(id(n))) is not None:
            yield up
            n = up


def is_computed_with(up: ast.AST | None) -> bool:
    return isinstance(up, ast.BinOp | ast.UnaryOp | ast.Compare) or (
        isinstance(up, ast.Call)
        and isinstance(up.func, ast.Attribute)
        and isinstance(up.func.value, ast.Name)
        and up.func.attr
        in ("sum", "mean", "exp", "log", "sqrt", "sin", "cos", "tanh", "abs", "maximum", "dot", "zeros_like")
    )
