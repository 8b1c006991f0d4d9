"""scipy.optimize and scipy.integrate: what calls a function of the user's at points of its own choice.

A root is differentiated by the implicit function theorem, to the tolerance of the solver: of f(x, p) = 0,
dx/dp = -(df/dx)^-1 df/dp at the root, where it is isolated and the Jacobian is regular. An integral is by Leibniz's
rule: the integral of the partial derivative, and the integrand at the bounds. The solution of an initial value problem
is by the adjoint equation in reverse, and forward by the equation of its tangent, which are solved as the problem
itself is; the derivative is that of the exact solution, to the tolerance of the solver. The least value of f(x, p) is
by the envelope theorem, df/dp at the minimum; the place of it is a root of df/dx, which is a function of the output
like any other, or stays where it is at a bound. See Griewank & Walther, Evaluating Derivatives, 2nd ed., section 15.3,
and Blondel et al., Efficient and Modular Implicit Differentiation, 2022.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from s2s.rules.kinds import solver
from s2s.rules.tracing import is_literal

Check = Callable[[dict[str, Any]], str | None]


def only(name: str, **values: Any) -> Check:
    """A check that options have the one value that is supported."""

    def check(scope: dict[str, Any]) -> str | None:
        for option, value in values.items():
            given = scope[option]
            if not is_literal(given) or given != value:
                return f"`{name}` is supported with {option}={value!r} only"
        return None

    return check


BRACKETED = "args=(), xtol=2e-12, rtol=8.881784197001252e-16, maxiter=100, full_output=False, disp=True"
for name in ("brentq", "brenth", "ridder", "bisect"):
    solver(f"sp.optimize.{name}(f, a, b, {BRACKETED})", "root", check=only(f"scipy.optimize.{name}", full_output=False))
solver(
    "sp.optimize.toms748(f, a, b, args=(), k=1, xtol=2e-12, rtol=8.881784197001252e-16, maxiter=100, "
    "full_output=False, disp=True)",
    "root",
    check=only("scipy.optimize.toms748", full_output=False),
)
solver(
    "sp.optimize.newton(func, x0, fprime=None, args=(), tol=1.48e-08, maxiter=50, fprime2=None, x1=None, rtol=0.0, "
    "full_output=False, disp=True)",
    "root",
    functions=("fprime", "fprime2"),
    check=only("scipy.optimize.newton", full_output=False),
)
solver(
    "sp.optimize.fsolve(func, x0, args=(), fprime=None, full_output=0, col_deriv=0, xtol=1.49012e-08, maxfev=0, "
    "band=None, epsfcn=None, factor=100, diag=None)",
    "root",
    functions=("fprime",),
    check=only("scipy.optimize.fsolve", full_output=0),
)
solver(
    "sp.optimize.root(fun, x0, args=(), method='hybr', jac=None, tol=None, callback=None, options=None)",
    "root",
    functions=("jac",),
    part="x",
)
solver(
    "sp.optimize.root_scalar(f, args=(), method=None, bracket=None, fprime=None, fprime2=None, x0=None, x1=None, "
    "xtol=None, rtol=None, maxiter=None, options=None)",
    "root",
    functions=("fprime", "fprime2"),
    part="root",
)
solver(
    "sp.optimize.fixed_point(func, x0, args=(), xtol=1e-08, maxiter=500, method='del2')",
    "fixed",
)
solver(
    "sp.optimize.minimize_scalar(fun, bracket=None, bounds=None, args=(), method=None, tol=None, options=None)",
    "optimum",
    part="fun",
    place="x",
)
solver(
    "sp.optimize.minimize(fun, x0, args=(), method=None, jac=None, hess=None, hessp=None, bounds=None, constraints=(), "
    "tol=None, callback=None, options=None)",
    "optimum",
    functions=("jac", "hess"),
    part="fun",
    place="x",
    check=only("scipy.optimize.minimize", hessp=None, constraints=()),
)
solver(
    "sp.integrate.quad(func, a, b, args=(), full_output=0, epsabs=1.49e-08, epsrel=1.49e-08, limit=50, points=None, "
    "weight=None, wvar=None, wopts=None, maxp1=50, limlst=50, complex_func=False)",
    "integral",
    results=("y", "abserr"),
    smooth=("y",),
    check=only("scipy.integrate.quad", full_output=0, weight=None, complex_func=False),
)
solver(
    "sp.integrate.quad_vec(f, a, b, epsabs=1e-200, epsrel=1e-08, norm='2', cache_size=100000000.0, limit=10000, "
    "workers=1, points=None, quadrature=None, full_output=False, *, args=None)",
    "integral",
    results=("y", "abserr"),
    smooth=("y",),
    check=only("scipy.integrate.quad_vec", full_output=False),
)
solver(
    "sp.integrate.solve_ivp(fun, t_span, y0, method='RK45', t_eval=None, dense_output=False, events=None, "
    "vectorized=False, args=None, *, rtol=1e-3, atol=1e-6, max_step=None, first_step=None, jac=None, lband=None, "
    "uband=None)",
    "initial",
    functions=("jac",),
    part="y",
    check=only("scipy.integrate.solve_ivp", dense_output=False, events=None, vectorized=False),
)
