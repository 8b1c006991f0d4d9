"""Derivatives of what solvers of SciPy return, made of the derivatives of the function that is handed to them.

For x with f(x, p) = 0 the implicit function theorem gives df/dx x_dot + df/dp p_dot = 0. Forward, x_dot solves that
system; in reverse, the cotangent of f(x, p) is -(df/dx)^-T x_bar, and what it contributes to p is a matter of the call
f(x, p), with x held. The derivative df/dx is a number, or the matrix of the tangents along the axes.

For the integral y of f(t, p) from a to b, Leibniz's rule: y_dot is the integral of the tangent of f, plus f at the
bounds times theirs; in reverse, the cotangent of p is the integral of that of f(t, p).

The least value of f(x, p) over x has the derivative of f in p at the minimum, where that of f in x is zero or points
into a bound (envelope theorem). The place of the minimum is a root of the gradient of f in x, or stays at its bound.

For x' = f(t, x, p), the tangent solves x_dot' = f_x x_dot + f_p p_dot, and the adjoint g' = -f_x^T g backwards in time;
the cotangent of p is the integral of f_p^T g. (Griewank & Walther, section 15.3; Cao, Li, Petzold & Serban, 2003.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from s2s import algebra, ir
from s2s.analysis.activity import operands
from s2s.analysis.aliases import written_by
from s2s.analysis.facts import Fact
from s2s.analysis.shapes import Length, Shape
from s2s.derive.refusals import HOLD, refuse, stating
from s2s.ir import Assign, Const, Expr, Index, Op, Stmt, Var
from s2s.rules.kinds import Solver

if TYPE_CHECKING:
    from s2s.derive.context import Context
    from s2s.rules import Call

IMPLICIT = "# implicit function theorem, at the {}"
ENVELOPE = "# envelope theorem: the place of the minimum is held"
ADJOINT = "# adjoint equation, backwards in time, to the tolerance of the solver"
TANGENT = "# equation of the tangent, to the tolerance of the solver"
LEIBNIZ = "# Leibniz integral rule: the integral of the partial derivative"


def function_of(call: Call) -> Op:
    """The call at a point of the function that is solved for."""
    first = call.values[call.rule.names[0]]
    assert isinstance(first, Op) and isinstance(first.args[0], Op)
    return first.args[0]


def at(call: Call, point: Expr) -> Op:
    found = ir.at_point(function_of(call), point)
    assert isinstance(found, Op)
    return found


def place(ctx: Context, call: Call) -> str:
    """The parameter that the point is given for."""
    bound = ctx.calls.bind(ctx, function_of(call))
    return next(p for p, e in bound.items() if e == ir.POINT)


def own_function(ctx: Context, value: Op, call: Call, point: Expr) -> Op:
    """The call at a point of the function that is handed over, whose derivatives are asked for."""
    f = at(call, point)
    if not f.fn.startswith("local."):
        wrapped = "hand over a function of your own that calls it: `lambda x: np.hypot(x, k) - 1.0`"
        refuse(ctx, value, "S302", f"`{call.rule.spelled}` of a function that is not the user's own", wrapped, HOLD)
    return f


def zeroed(ctx: Context, value: Op, call: Call, out: Expr) -> Op:
    """The call at the solution of the function that is zero there, or that gives the solution back."""
    f = own_function(ctx, value, call, out)
    if not is_place(call, value):
        return f
    if ctx.calls.draws(f.fn[6:]):
        refuse(ctx, value, "S202", f"`{f.fn[6:]}` draws random numbers: it has no minimum", "draw before the call")
    if bounds_of(ctx, value, call) is not None and not of_number(call):
        message = f"`x` of `{call.rule.spelled}` with bounds: which of them hold the minimum is not known"
        refuse(ctx, value, "S302", message, "what has a derivative with bounds is its `fun`", HOLD)
    gradient = ctx.calls.gradient(ctx, f, place(ctx, call))
    bound = ctx.calls.bind(ctx, gradient)
    active = [p for p, e in bound.items() if any(v.name in ctx.activity.active for v in operands(e)) and e != out]
    if not ctx.calls.depends(gradient.fn[6:], tuple(active)):
        kink = may_jump(ctx, gradient, out)
        if kink is not None:
            message = (
                f"the slope of the function may jump where `{ir.Printer()(kink)}` turns: a minimum there moves with it"
            )
            refuse(ctx, value, "S302", message, "smooth the kink: `np.sqrt((x - k) ** 2 + eps)`", HOLD)
    return gradient


def may_jump(ctx: Context, gradient: Op, out: Expr) -> Expr | None:
    """A test in a gradient that depends on the place of the minimum: where it turns, the function may have a kink."""
    points = frozenset(p for p, e in ctx.calls.bind(ctx, gradient).items() if e == out)
    return moving_test(ctx, gradient.fn[6:], points, points, ())


def is_place(call: Call, value: Op) -> bool:
    """Whether a solution is the place of a minimum."""
    return isinstance(call.rule, Solver) and call.rule.is_place(value)


def of_number(call: Call) -> bool:
    """Whether a minimum is that over one number."""
    return call.op.fn.endswith("minimize_scalar")


def bounds_of(ctx: Context, value: Op, call: Call) -> Expr | None:
    """The bounds of a minimum, where there are any."""
    found = dict(value.options).get("bounds", ir.NONE)
    if any(v.name in ctx.activity.active for v in operands(found)):
        refuse(ctx, value, "S302", f"`{call.rule.spelled}` with bounds that carry a derivative", HOLD)
    return None if found == ir.NONE else found


def size(e: Expr) -> Expr:
    return Op("builtins.abs", (e,))


def near(x: Expr) -> Expr:
    """How long Newton's step may be at a minimum that was found: at a kink, with a slope that jumps, it is longer."""
    return algebra.op("numpy.add", algebra.op(algebra.MULTIPLY, Const(1e-3), size(x)), Const(1e-5))


def curvature(ctx: Context, value: Op, call: Call, second: Op, out: Expr, written: list[Stmt]) -> Expr:
    """The second derivative at the place of a minimum, where the slope is zero; infinite where a bound holds it.

    second: the call that gives the slope there, and its derivative.
    """
    own = ctx.names.fresh("curvature", ctx.names.of(value))
    ctx.facts.names[own] = Fact("float")
    steep = ctx.names.fresh("slope", ctx.names.of(value))
    ctx.facts.names[steep] = Fact("float")
    written.append(ir.Unpack((steep, own), second))
    bounds = bounds_of(ctx, value, call)
    if bounds is None:
        step = algebra.op(algebra.MULTIPLY, Var(own), near(out))
        written.append(ir.Inert("assert", (algebra.op("numpy.less", size(Var(steep)), step),)))
        return Var(own)
    written.append(Assign(own, Op("helper._curvature_within", (out, Var(steep), Var(own), ctx.resolve(bounds)))))
    return Var(own)


def slope(ctx: Context, value: Op, call: Call, out: Expr, rank: int, written: list[Stmt], transposed: bool) -> Expr:
    """df/dx at the solution: a number under a name, or the Jacobian, of which reverse mode takes the transpose.

    value: the node of the primal, by which names are told apart.
    """
    f = zeroed(ctx, value, call, out)
    name = f.fn[6:]
    p = place(ctx, call)
    bound = ctx.calls.bind(ctx, f)
    forward, given = ctx.calls.jvp(ctx, name, bound, (p,))
    if not given:
        what = "the slope of the function" if is_place(call, value) else f"`{name}`"
        refuse(ctx, call.op, "S302", f"{what} does not depend on `{p}`, which is solved for", HOLD)
    args = tuple(ctx.resolve(e) for e in bound.values())
    if is_place(call, value) and rank == 0:
        return curvature(ctx, value, call, Op(f"local.{forward}", (*args, Const(1.0))), out, written)
    if rank == 0:
        own = ctx.names.fresh("slope", ctx.names.of(value))
        ctx.facts.names[own] = Fact("float")
        written.append(Assign(own, Index(Op(f"local.{forward}", (*args, Const(1.0))), Const(1))))
        return Var(own)
    symmetric = is_place(call, value)
    transposed &= not symmetric
    own = ctx.names.fresh("hessian" if symmetric else "jacobian_T" if transposed else "jacobian", ctx.names.of(value))
    e = Var(ctx.names.fresh("e", ctx.names.of(value), "axis"))
    column: Expr = Index(Op(f"local.{forward}", (*args, e)), Const(1))
    column = as_vector(ctx, call, f, out, column)
    axes = Op("numpy.eye", (Op("builtins.len", (ctx.resolve(out),)),))
    columns: Expr = Op("numpy.array", (ir.Comprehension(column, ((e, axes, ()),), "list"),))
    if not transposed and not symmetric:
        columns = Op("numpy.transpose", (columns,), form=ir.Form.ATTRIBUTE, spelling="T")
    ctx.facts.names[own] = Fact("float", Shape((Length(f"{own}.0"), Length(f"{own}.1"))))
    written.append(Assign(own, columns))
    if symmetric and may_jump(ctx, f, out) is not None:
        step = Op("numpy.linalg.solve", (Var(own), Op(f.fn, args)))
        small = algebra.op("numpy.less", size(step), near(out))
        written.append(ir.Inert("assert", (Op("numpy.all", (small,)),)))
    return Var(own)


def rank_at(ctx: Context, call: Call, f: Op, out: Expr) -> int | None:
    """The rank of what f gives at a vector. Of one unknown, SciPy takes a number for it; of more there are as many."""
    lengths = ctx.facts.shape(out).dims
    several = bool(lengths) and isinstance(lengths[0], int) and lengths[0] > 1
    if several or is_place(call, call.op):
        return 1
    return ctx.facts.ndim(f)


def as_vector(ctx: Context, call: Call, f: Op, out: Expr, value: Expr) -> Expr:
    """The tangent of what f gives at a vector, as a vector."""
    if ctx.facts.of(f).kind in ("list", "tuple"):
        return Op("numpy.array", (value,))
    return value if rank_at(ctx, call, f, out) == 1 else Op("numpy.atleast_1d", (value,))


def like_result(ctx: Context, call: Call, f: Op, out: Expr, g: Expr) -> Expr:
    """The cotangent of what f gives at a vector, of the shape that this has."""
    rank = 1 if ctx.facts.of(f).kind in ("list", "tuple") else rank_at(ctx, call, f, out)
    if rank == 0:
        return Index(g, Const(0))
    return g if rank else Op("numpy.reshape", (g, Op("numpy.shape", (ctx.resolve(f),))))


def rank_of(ctx: Context, call: Call, out: Expr) -> int:
    rank = ctx.facts.ndim(out)
    if rank is None or rank > 1:
        message = f"`{call.rule.spelled}` needs the shape of its start: a number or a vector"
        refuse(ctx, call.op, "S302", message, stating(ctx.function, ctx.facts, out))
    return rank


def responded(
    ctx: Context, value: Op, call: Call, out: Expr, change: Expr, written: list[Stmt], transposed: bool
) -> Expr:
    """The tangent of the solution for a tangent of f(x, p) at a held x; transposed, its cotangent for that of x."""
    rule = call.rule
    assert isinstance(rule, Solver)
    rank = rank_of(ctx, call, out)
    of = {"root": "root", "fixed": "fixed point", "optimum": "minimum"}[rule.equation]
    written.append(ir.Comment((IMPLICIT.format(of),)))
    matrix = slope(ctx, value, call, out, rank, written, transposed)
    if rule.equation != "fixed":
        change = algebra.op("numpy.negative", change)
    elif rank == 0:
        matrix = algebra.op("numpy.subtract", Const(1.0), matrix)
    else:
        eye = Op("numpy.eye", (Op("builtins.len", (ctx.resolve(out),)),))
        matrix = algebra.op("numpy.subtract", eye, matrix)
    if rank == 0:
        return algebra.op("numpy.divide", change, matrix)
    return Op("numpy.linalg.solve", (matrix, change))


def at_minimum(ctx: Context, value: Op, call: Call, written: list[Stmt]) -> tuple[Op, Expr]:
    """The call of f at the minimum that was found, and that minimum, which is held: the envelope theorem."""
    bounds_of(ctx, value, call)
    whole = dict(value.options)[ir.SOLUTION]
    for s in ir.statements(ctx.function.body):  # it may have a name
        match s:
            case Assign(target=name, value=Op() as e) if (
                is_place(call, e)
                and dict(e.options)[ir.SOLUTION] == whole
                and ctx.definitions[name] == 1
                and name not in ctx.temps
            ):
                written.append(ir.Comment((ENVELOPE,)))
                return own_function(ctx, value, call, Var(name)), Var(name)
    own = ctx.names.fresh("minimum", ctx.names.of(value))
    ctx.facts.names[own] = Fact("float") if of_number(call) else Fact("float", Shape((Length(own),)))
    written.append(ir.Comment((ENVELOPE,)))
    written.append(Assign(own, ir.Attribute(whole, "x")))
    return own_function(ctx, value, call, Var(own)), Var(own)


# ---------------------------------------------------------------- integrals

OF_VECTORS = "scipy.integrate.quad_vec"
KEPT = ("epsabs", "epsrel", "limit", "points")


def is_scalar(call: Call) -> bool:
    """Whether an integral is that of a function whose values are numbers: quad, not quad_vec."""
    return call.op.fn != OF_VECTORS


def integral(call: Call, integrand: Expr, scalar: bool) -> Expr:
    """The integral of another function between the same bounds, with the same tolerances."""
    f = call.op.args[0]
    assert isinstance(f, Op)
    first = (Op(ir.LAMBDA, (integrand,), spelling=f.spelling or "t"), *call.op.args[1:3])
    options = tuple((k, v) for k, v in call.op.options if k in KEPT)
    if scalar == is_scalar(call):
        return Index(Op(call.op.fn, first, options, spelling=call.op.spelling), Const(0))
    return Index(Op(OF_VECTORS, first, options), Const(0))


def bounds(call: Call) -> tuple[Expr, Expr]:
    return call.op.args[1], call.op.args[2]


# ---------------------------------------------------------------- initial value problems

RUN = ("method", "rtol", "atol", "max_step")


class Flow:
    """The parts of x' = f(t, x, p), x(t_span[0]) = y0, as the derivatives need them."""

    def __init__(self, ctx: Context, value: Op, call: Call) -> None:
        self.ctx, self.call = ctx, call
        self.f = function_of(call)
        self.name = self.f.fn[6:]
        if not self.f.fn.startswith("local."):
            refuse(ctx, value, "S302", f"`{call.rule.spelled}` of a function that is not the user's own", HOLD)
        self.bound = ctx.calls.bind(ctx, self.f)
        self.time, self.state = (next(p for p, e in self.bound.items() if e == point) for point in (ir.POINT, ir.STATE))
        options = dict(value.options)
        self.times = ir.Attribute(options[ir.SOLUTION], "t")
        self.t_span, self.y0 = value.args[1], value.args[2]
        self.options = tuple((k, v) for k, v in value.options if k in RUN)
        for e in (self.t_span, options.get("t_eval", ir.NONE)):
            if any(v.name in ctx.activity.active for v in operands(e)):
                scaled = "scale the time instead: integrate T * f(s * T, y) over s from 0 to 1"
                refuse(ctx, value, "S302", f"`{call.rule.spelled}` with times that carry a derivative", scaled, HOLD)

    def check(self, active: list[str]) -> None:
        """active: the parameters of f that carry a derivative."""
        for p in active:
            if self.ctx.facts.of(self.bound[p]).kind in ("list", "tuple", "dict"):
                message = f"`{self.call.rule.spelled}` of a function of the list, tuple or object `{p}`"
                refuse(self.ctx, self.call.op, "S302", message, "hand on its parts one by one: `args=(p.a, p.b)`")
        points = frozenset((self.time, self.state))
        found = moving_test(self.ctx, self.name, points, frozenset((self.state, *active)), ())
        if found is not None:
            message = f"the right-hand side may jump where `{ir.Printer()(found)}` turns, and the time of that moves"
            split = "solve it piece by piece, or smooth the jump: `np.tanh((y - a) / width)`"
            smooth = "a function without a jump can be written without a test: `np.maximum`, `np.minimum`, `np.abs`"
            refuse(self.ctx, self.call.op, "S302", message, split, smooth)

    @property
    def solver(self) -> Expr:
        return Op(ir.NAMED, (Op(self.call.op.fn, ()),))

    @property
    def function(self) -> Expr:
        return self.lambda_of(Op(self.f.fn, tuple(map(self.resolved, self.f.args)), self.f.options))

    def resolved(self, e: Expr) -> Expr:
        return self.ctx.resolve(e)

    def lambda_of(self, body: Expr, last: str = "") -> Expr:
        names = [self.time, self.state, *([f"{self.state}_{last}"] if last else [])]
        plain = isinstance(body, Op) and body.args == (ir.POINT, ir.STATE) and not body.options
        return Op(ir.NAMED, (body,)) if plain else Op(ir.LAMBDA, (body,), spelling=", ".join(names))

    def derivative(self, name: str, seeds: tuple[Expr, ...], last: str) -> Expr:
        args = tuple(map(self.resolved, self.bound.values()))
        return self.lambda_of(Op(f"local.{name}", (*args, *seeds)), last)


# ---------------------------------------------------------------- jumps

STEPS = frozenset(
    f"numpy.{name}"
    for name in """
    less less_equal greater greater_equal equal not_equal floor ceil trunc fix rint round around sign signbit heaviside
    floor_divide remainder mod fmod searchsorted digitize argmax argmin argsort isclose logical_and logical_or
    """.split()  # noqa: SIM905
) | {"operator.chain", "operator.in", "builtins.int", "builtins.round", "math.floor", "math.ceil", "math.trunc"}


def refuse_moving_jumps(ctx: Context, call: Call, active: list[str]) -> None:
    """Leibniz's rule has a term for each jump of the integrand that moves with a parameter: it is not known here
    whether there is a jump where a test depends on the variable of integration and on the parameter."""
    f = function_of(call)
    found = moving_test(ctx, f.fn[6:], frozenset((place(ctx, call),)), frozenset(active), ())
    if found is not None:
        name = f.fn.rpartition(".")[2]
        message = f"the integrand `{name}` may jump where `{ir.Printer()(found)}` turns, and that place moves"
        split = "split the integral there, and integrate each part by itself: `quad(f, a, k)[0] + quad(g, k, b)[0]`"
        smooth = "a function without a jump can be written without a test: `np.maximum`, `np.minimum`, `np.abs`"
        refuse(ctx, call.op, "S302", message, split, smooth)


def moving_test(
    ctx: Context, name: str, points: frozenset[str], params: frozenset[str], seen: tuple[str, ...]
) -> Expr | None:
    """A test in a function, or in one that it calls, that depends on one of the points and on one of the parameters."""
    if name in seen or len(seen) > 8 or name not in ctx.calls.source.functions:
        return None
    f = ctx.calls.prepare(name).function
    of_point, of_param = set(points), set(params)
    body = list(ir.statements(f.body))
    while True:
        before = len(of_point) + len(of_param)
        for s in body:
            read = {r for e in ir.expressions(s) for n in ir.reads(e) for r in ir.base_names(n)}
            bound = {*ir.binds(s), *([s.array] if isinstance(s, ir.Append) else ())}
            bound |= set(written_by(s, None, ctx.calls))
            of_point |= bound if read & of_point else set()
            of_param |= bound if read & of_param else set()
        if len(of_point) + len(of_param) == before:
            break

    parts = {s.target: s.value for s in body if isinstance(s, Assign) and ir.is_unnamed(s)}

    def whole(e: Expr) -> Expr:
        return whole(parts[e.name]) if isinstance(e, Var) and e.name in parts else ir.rebuild(e, whole)

    def depends(e: Expr, names: set[str]) -> bool:
        return any(r in names for n in ir.reads(e) for r in ir.base_names(n))

    for s in body:
        ends = isinstance(s, ir.While) or (isinstance(s, ir.If) and stops(s.body))  # an iteration that has converged
        for e in () if ends else ir.expressions(s):
            for n in ir.walk(e):
                if not isinstance(n, Op):
                    continue
                if n.fn in STEPS and depends(n, of_point) and depends(n, of_param):
                    return whole(n)
                if n.fn.startswith("local."):
                    given = ctx.calls.given(n)
                    at_point = frozenset(p for p, a in given.items() if depends(a, of_point))
                    at_param = frozenset(p for p, a in given.items() if depends(a, of_param))
                    if (found := moving_test(ctx, n.fn[6:], at_point, at_param, (*seen, name))) is not None:
                        return found
    return None


def stops(block: ir.Block) -> bool:
    return bool(block) and (isinstance(block[-1], ir.Break) or getattr(block[-1], "keyword", "") == "raise")
