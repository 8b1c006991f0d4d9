"""Functions of the table that return several values: what they return is unpacked where it is made.

    np.linalg.eigh(A)[1]            eigenvalues, eigenvectors = np.linalg.eigh(A);  eigenvectors
    t = np.linalg.eigh(A)           t_eigenvalues, t_eigenvectors = np.linalg.eigh(A)
    t.eigenvectors, t[1], x, y = t  t_eigenvectors

A result that is used as a whole is put together as a tuple there: cho_solve(t, b) as cho_solve((t_c, t_lower), b).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from s2s import ir, rules
from s2s.frontend.lowering.lists import Lists
from s2s.ir import Const, Expr, Op, Unpack, Var


class Results(Lists):
    """Names of the parts of results, for local names that are bound once."""

    def find_results(self, nodes: Iterable[ast.AST]) -> None:
        self.results: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}  # name -> names of parts, variables
        nodes = list(nodes)
        bound = [n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store | ast.Del)]
        for n in nodes:
            match n:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
                    parts = self.results_of(call)
                    if parts and bound.count(name) == 1 and name not in self.params:
                        self.results[name] = parts, tuple(self.fresh(f"{name}_{p}") for p in parts)

    def results_of(self, call: ast.Call) -> tuple[str, ...]:
        """The names of the values that a call returns, () where it returns one, or is not known."""
        found = self.resolve(call.func)
        rule = rules.lookup(found[0]) if found is not None and found[1] is None else None
        if rule is None or not rule.results:
            return ()

        def value(e: ast.expr) -> Expr:
            return Const(e.value) if isinstance(e, ast.Constant) else Var("_")

        if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
            return ()
        options = tuple((str(k.arg), value(k.value)) for k in call.keywords)
        try:
            return rule.bind(Op(rule.fn, tuple(map(value, call.args)), options)).results
        except rules.RuleError:
            return ()

    def part_of_result(self, node: ast.Attribute | ast.Subscript) -> Expr | None:
        """A subscript or an attribute of a result, as the variable that it is."""
        match node.value:
            case ast.Call() as call if not self.in_tree:
                parts = self.results_of(call)
                place = position(node, parts)
                if place is None:
                    return None
                names = [self.fresh(p) for p in parts]
                self.emit(Unpack(tuple(names), self.value(call), self.origin, self.constant))
                return Var(names[place])
            case ast.Name(id=name) if name in self.results and name not in self.rename:
                parts, variables = self.results[name]
                place = position(node, parts)
                if place is not None:
                    self.seen.add(name)
                    return Var(variables[place])
        return None

    def assign_part(self, name: str, node: ast.expr) -> bool:
        """x = np.linalg.lstsq(A, b)[0]: unpacked with the name among the targets. False for other values."""
        match node:
            case ast.Attribute(value=ast.Call() as call) | ast.Subscript(value=ast.Call() as call):
                parts = self.results_of(call)
                place = position(node, parts)
                if place is None or self.in_tree:
                    return False
                names = [name if i == place else self.fresh(p) for i, p in enumerate(parts)]
                self.emit(Unpack(tuple(names), self.value(call), self.origin, self.constant))
                return True
        return False

    def assign_result(self, name: str, call: ast.Call) -> None:
        """t = np.linalg.eigh(A): its parts."""
        self.emit(Unpack(self.results[name][1], self.value(call), self.origin, self.constant))

    def atom(self, node: ast.expr) -> Expr:
        """cho_solve(cho_factor(A), b): the parts have names before they are used."""
        if isinstance(node, ast.Call) and not self.in_tree and (parts := self.results_of(node)):
            names = tuple(self.fresh(p) for p in parts)
            self.emit(Unpack(names, self.value(node), self.origin, self.constant))
            return ir.Sequence(tuple(map(Var, names)))
        return super().atom(node)

    def whole(self, node: ast.expr) -> Expr | None:
        """A result that is used as a whole is the tuple of its parts."""
        if isinstance(node, ast.Name) and node.id in self.results and node.id not in self.rename:
            return ir.Sequence(tuple(map(Var, self.results[node.id][1])))
        return super().whole(node)

    def unpacks(self, targets: Sequence[ast.expr], name: str) -> bool:
        """x, y = t"""
        return len(targets) == len(self.results[name][0]) and all(isinstance(t, ast.Name) for t in targets)


def position(node: ast.expr, parts: tuple[str, ...]) -> int | None:
    """Which of the parts a subscript or an attribute reads."""
    match node:
        case ast.Subscript(slice=ast.Constant(value=int() as i)) if -len(parts) <= i < len(parts):
            return i % len(parts)
        case ast.Subscript(slice=ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as i))):
            return len(parts) - i if 0 < i <= len(parts) else None
        case ast.Attribute(attr=attr) if attr in parts:
            return parts.index(attr)
    return None
