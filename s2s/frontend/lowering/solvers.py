"""Calls that hand a function of the user's to a solver of SciPy: brentq, root, quad and their kin.

    brentq(residual, a, b, args=(p,))       the function by its name, and its call at a point: residual(POINT, p)
    brentq(lambda x: x**2 - p, a, b)        brentq(lambda x: _f_function(p, x), a, b)

Which function it is, and what it captures, is known here as for any other call; the derivative is made of the call at
the point that the solver returns (`derive/solvers.py`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import cast

from s2s import ir, rules
from s2s.frontend.lowering.functions import Functions
from s2s.frontend.text.function_values import Closure, Known
from s2s.frontend.text.scopes import dotted, parameters
from s2s.frontend.text.source import made
from s2s.frozen import replace
from s2s.ir import Expr, Form, Op, Sequence
from s2s.rules.kinds import Solver
from s2s.rules.refused import why_refused

NOT_WRITTEN_OUT = "write `args` as a tuple, `args=(p, q)`, or let the function capture what it reads"


# What else is read of a whole result: it says how the solver fared, and carries no derivative.
REPORTS = frozenset(
    "t success status message nfev nit njev converged flag iterations function_calls method".split()  # noqa: SIM905
)
ONCE = "take differences of the gradient, or solve the equations of its tangent as a problem of their own"
TIMES = "the solver chooses the times: give it `t_eval`, or read the last column alone, `sol.y[:, -1]`"
WHOLE = "read its solution where it is made, or bind the result to a name of its own: `sol = {0}(...)`, then `sol.{1}`"


WITH_WHOLE = ("initial", "optimum")  # whose derivative reads more of the result: its times, its minimum


class Solvers(Functions):
    """Each is an operation on the function as a call at a point."""

    def find_results(self, nodes: Iterable[ast.AST]) -> None:
        nodes = list(nodes)
        super().find_results(nodes)
        self.unplanned: set[str] = set()  # solutions at times that the solver has chosen
        self.solutions: dict[str, tuple[Solver, dict[str, str]]] = {}  # whole result -> its rule, variables of parts
        bound = [n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store | ast.Del)]
        found: dict[str, list[Solver]] = {}
        for n in nodes:
            match n:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call) if name not in self.params:
                    rule = self.solver_of(call)
                    if rule is not None and rule.part:
                        found.setdefault(name, []).append(rule)
        self.is_derivative = any(isinstance(n, ast.Name) and n.id.startswith("_solve_ivp_") for n in nodes)
        self.ends = {id(n.value) for n in nodes if isinstance(n, ast.Subscript) and reads_last(n.slice)}
        for name, made_by in found.items():
            if len(made_by) == bound.count(name) and len({r.part for r in made_by}) == 1:
                read = {n.attr for n in nodes if isinstance(n, ast.Attribute) and is_name(n.value, name)}
                parts = [p for p in made_by[0].parts() if p in read] or [made_by[0].part]
                self.solutions[name] = made_by[0], {p: self.fresh(f"{name}_{p}") for p in parts}

    def solver_of(self, node: ast.expr) -> Solver | None:
        """The rule of a call that hands a function to a solver."""
        found = self.resolve(node.func) if isinstance(node, ast.Call) else None
        rule = rules.lookup(found[0]) if found and found[1] is None and found[0].startswith("scipy.") else None
        return rule if isinstance(rule, Solver) else None

    def assign(self, target: str, value: ast.expr) -> None:
        """sol = root(f, x0): the whole result, which carries no derivative, and the solution in it."""
        rule = self.solver_of(value) if target in self.solutions else None
        if rule is None or self.in_tree:
            super().assign(target, value)
            return
        assert isinstance(value, ast.Call)
        e = self.solved(rule, value, self.atom)
        if isinstance(e, Op):
            self.hold(target, self.solutions[target][1], e)
            return
        super().assign(target, value)

    def hold(self, whole: str, parts: dict[str, str], e: Op) -> None:
        """whole = root(f, x0); solution = whole.x"""
        callee = e.spelling.rpartition(".")[0]
        self.emit(ir.Assign(whole, replace(e, form=Form.CALL, spelling=callee), self.origin, True))
        for part, variable in parts.items():
            options = (*e.options, (ir.SOLUTION, ir.Var(whole)))
            self.set(variable, replace(e, options=options, spelling=f"{callee}.{part}"))
            if not any(k == "t_eval" for k, _ in e.options):
                self.unplanned.add(variable)

    def planned(self, node: ast.Attribute, solution: str) -> bool:
        """Refuses to read times that the solver has chosen, and the solution at them."""
        if self.is_derivative:
            self.refuse("caller", node, "the derivative of `solve_ivp` can't be differentiated once more", help=(ONCE,))
            return False
        if solution in self.unplanned and id(node) not in self.ends:
            what = f"`{self.text(node)}` is read at times that are not known"
            self.refuse("caller", node, what, help=(TIMES,))
            return False
        return True

    def attribute(self, node: ast.Attribute, operand: Callable[[ast.expr], Expr]) -> Expr:
        match node.value:
            case ast.Name(id=name) if name in self.solutions and name not in self.rename:
                rule, parts = self.solutions[name]
                timed = rule.equation == "initial" and node.attr in (rule.part, "t")
                if timed and not all(self.planned(node, solution) for solution in parts.values()):
                    return ir.NONE
                if node.attr in parts:
                    self.seen.add(name)
                    return ir.Var(parts[node.attr])
                if node.attr in REPORTS:
                    self.seen.add(name)
                    return ir.Attribute(ir.Var(name), node.attr, self.source.span(node))
                message = f"`{node.attr}` of the result of `{rule.spelled}` has no derivative rule"
                known = " and ".join(f"`{name}.{p}`" for p in rule.parts())
                return self.refuse("caller", node, message, help=(f"what has one is {known}",))
            case ast.Call() as call if (found := self.solver_of(call)) is not None and node.attr in found.parts():
                if operand != self.tree and (e := self.solved(found, call, operand)) is not None:
                    if found.equation in WITH_WHOLE and isinstance(e, Op):
                        whole, solution = self.fresh("sol"), self.fresh(f"sol_{node.attr}")
                        self.hold(whole, {node.attr: solution}, e)
                        planned = found.equation != "initial" or self.planned(node, solution)
                        return ir.Var(solution) if planned else ir.NONE
                    return e
        return super().attribute(node, operand)

    def name(self, node: ast.Name) -> Expr:
        if node.id in self.solutions and node.id not in self.rename and not hasattr(node, "expr"):
            rule, _ = self.solutions[node.id]
            return self.refuse(
                "caller",
                node,
                f"the result of `{rule.spelled}` is used as a whole",
                help=(WHOLE.format(rule.spelled, rule.part),),
            )
        return super().name(node)

    def call(self, node: ast.Call, operand: Callable[[ast.expr], Expr]) -> Expr:
        rule = self.solver_of(node) if operand != self.tree else None
        if rule is not None and (solved := self.solved(rule, node, operand)) is not None:
            if rule.part:
                message = f"the result of `{rule.spelled}` is used as a whole"
                return self.refuse("caller", node, message, help=(WHOLE.format(rule.spelled, rule.part),))
            return solved
        found = self.resolve(node.func)
        reason = why_refused(found[0]) if found is not None and found[0].startswith("scipy.") else None
        if reason is not None and any(self.functional(a) for a in node.args):
            message = f"`{self.text(node.func)}` is handed a function, and has no derivative rule"
            return self.refuse("caller", node, message, help=(reason,))
        return super().call(node, operand)

    def solved(self, rule: Solver, node: ast.Call, operand: Callable[[ast.expr], Expr]) -> Expr | None:
        """The call with its functions as calls at a point; None where the first argument is none that is known."""
        if not self.allowed(node, rule.fn, None):
            return ir.NONE
        try:
            given = rule.arguments(tuple(node.args), {str(k.arg): k.value for k in node.keywords})
        except rules.RuleError:
            return None  # refused by the rule
        bound = {n: e for n, e in given.items() if isinstance(e, ast.expr)}
        first = bound.get(rule.functions[0])
        if first is None or not (self.functional(first) or self.of_other_module(first)):
            return None
        match bound.get("args"):
            case None | ast.Constant(value=None):
                args: tuple[Expr, ...] = ()
            case ast.Tuple(elts=elts) if not any(isinstance(e, ast.Starred) for e in elts):
                args = tuple(map(self.atom, elts))
            case other:
                return self.refuse("caller", other, "`args` is not written out", help=(NOT_WRITTEN_OUT,))
        found: dict[str, Known] = {}
        for name in rule.functions:
            e = bound.get(name)
            if e is not None and not (isinstance(e, ast.Constant) and e.value is None):
                f = self.handed(e)
                if f is None:
                    return ir.NONE
                found[name] = f
        named = not any(f.before or f.options for f in found.values())
        points = (ir.POINT, ir.STATE) if rule.equation == "initial" else (ir.POINT,)
        functions = {name: self.at_a_point(f, points, args, named) for name, f in found.items()}
        values: dict[str, Expr] = {}
        for name, e in bound.items():
            if name in functions:
                values[name] = functions[name]
            elif name == "args":
                values |= {"args": Sequence(args)} if args and named else {}
            else:
                option = made(ast.keyword(name, e), e)
                values[name] = (
                    self.bound_or_start(e, name) if name in rule.names else self.option(option, rule.fn, operand)
                )
        given_first = tuple(values.pop(n) for n in rule.names)
        text, form = self.text(node.func), Form.CALL
        if rule.part:
            text, form = f"{text}.{rule.part}", Form.PART
        return Op(rule.fn, given_first, tuple(values.items()), form, text, self.source.span(node))

    def bound_or_start(self, e: ast.expr, name: str) -> Expr:
        """A bound or a start: a display of atoms, or an atom under the name of the parameter."""
        if isinstance(e, ast.Tuple | ast.List) and not any(isinstance(x, ast.Starred) for x in e.elts):
            return Sequence(tuple(map(self.atom, e.elts)), "list" if isinstance(e, ast.List) else "tuple")
        value = self.value(e)
        if not ir.is_atom(value):
            held = self.fresh(name) if name in ("x0", "y0", "t_span") else self.temporary()
            self.set(held, value)
            value = ir.Var(held)
        return value

    def named_solution(self, e: Expr) -> Expr:
        """What is unpacked, `x, y = fsolve(f, start)`: a solution has a name, for its derivative reads it."""
        rule = rules.lookup(e.fn) if isinstance(e, Op) and e.fn.startswith("scipy.") else None
        if not isinstance(rule, Solver) or rule.results:
            return e
        name = self.fresh("solution")
        self.set(name, e)
        return ir.Var(name)

    def of_other_module(self, e: ast.expr) -> Known | None:
        """A function that is imported from a module whose text is read."""
        path = dotted(e)
        found = self.resolve(e) if path is not None and not self.is_local(path[0]) else None
        if found is None or found[1] is not None or not found[0].startswith("local."):
            return None
        known = self.names.find_function(found[0].removeprefix("local.")) is not None
        return Known(e, found[0], path[-1].strip("_")) if known and path is not None else None

    def is_global_function(self, e: ast.expr) -> bool:
        """Whether an expression names a function of a library, of the module, or of another one that is read."""
        return self.global_function(e) or self.of_other_module(e) is not None

    def handed(self, e: ast.expr) -> Known | None:
        """The function that an argument of a solver is."""
        value = self.value_of(e) or self.of_other_module(e)
        if isinstance(value, Closure):
            self.hold_defaults(value)
            value = self.known(value)
        if not isinstance(value, Known):
            self.refuse("callee", e, f"which function `{self.text(e)}` is can't be told from its text")
            return None
        if value.writes:
            self.refuse("global", e, f"nonlocal {value.writes[0]}")
            return None
        return value

    def at_a_point(self, f: Known, points: tuple[Expr, ...], args: tuple[Expr, ...], named: bool) -> Expr:
        """A function as its call at a point, by name where nothing but `args` goes with it."""
        before = cast("tuple[Expr, ...]", f.before)
        call = Op(f.key, (*before, *points, *args), cast("tuple[tuple[str, Expr], ...]", f.options))
        if named:
            return Op(ir.NAMED, (call,))
        definition = f.node or (self.signature(self.own_name(f.key)) if f.key.startswith("local.") else None)
        own = [p.arg for p in parameters(definition)] if definition is not None else []
        rest = own[len(before) - len(f.captured) :]
        usual = ("t", "y")[: len(points)]
        names = rest[: len(points)] if len(rest) >= len(points) else usual
        return Op(ir.LAMBDA, (call,), spelling=", ".join(names))


def is_name(e: ast.expr, name: str) -> bool:
    return isinstance(e, ast.Name) and e.id == name


def reads_last(key: ast.expr) -> bool:
    """`y[:, -1]`, `y[i, -1]`, `t[-1]`"""
    last = key.elts[-1] if isinstance(key, ast.Tuple) and key.elts else key
    return isinstance(last, ast.UnaryOp) and ast.unparse(last) == "-1"


__all__ = ["Solvers"]
