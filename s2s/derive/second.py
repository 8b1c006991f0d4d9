"""Full matrices, and what a request for derivatives of second order needs of the first order.

f_hvp is the tangent of f_grad: that function goes through the whole line once more, forward mode over its text. A
Jacobian is put together from products with unit tangents or unit cotangents, whichever are fewer; a Hessian from
products with unit tangents, row by row, since it is symmetric. (Griewank & Walther, 2nd ed., sections 3.2 and 5.1.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from s2s import algebra, ir
from s2s.algebra import ONE, ZERO
from s2s.derive.independents import read, word
from s2s.ir import Assign, Const, Expr, For, Index, Op, Stmt, Store, Unpack, Var

if TYPE_CHECKING:
    from s2s.derive.wrap import Selected

FIRST = ("value_and_grad", "grad", "vjp", "jvp")
SECOND = ("hvp", "hessian")
ROW, COLUMN = "i", "j"


def output_name(name: str, kind: str, private: bool = False) -> str:
    """What a derivative is called: Model_loss_grad for the gradient of the method Model.loss."""
    name = name.replace(".", "_")
    return f"_{name.lstrip('_')}_{kind}" if private else f"{name}_{kind}"


def functions(want: Selected) -> dict[str, str]:
    """The kinds of function that the output needs, each with its name: private where nobody asked for it.

    "gradient" is what is differentiated once more: f_grad, unless that is one line that calls f_value_and_grad.
    """
    base = want.primal or want.name
    order = ("hvp",) if want.primal else FIRST
    needs = {"jacobian": ("vjp", "jvp"), "hessian": ("hvp",)}
    kinds = {k for asked in want.emit for k in (asked, *needs.get(asked, ()))}
    out = {k: output_name(base, k, k not in want.emit) for k in order if k in kinds}
    if not want.primal and kinds & set(SECOND):
        short = "grad" not in out or "value_and_grad" in out
        out["gradient"] = output_name(base, "grad", True) if short else out["grad"]
    return out


def used(out: list[ir.Function], hidden: set[str], gradient: str) -> list[ir.Function]:
    """Public functions first, without private ones that no other calls; `gradient` is for the second order."""
    called = {
        n.fn
        for f in out
        for s in ir.statements(f.body)
        for e in ir.expressions(s)
        for n in ir.walk(e)
        if isinstance(n, Op)
    }
    private = [f for f in out if f.name in hidden]
    called.add(f"local.{gradient}")
    return [f for f in out if f not in private] + [f for f in private if f"local.{f.name}" in called]


class Matrix:
    """A function that returns a matrix for each of the variables, put together from products with unit vectors.

    free: a name like this that the function does not have; dots: what tangents are called; scalars: those among wrt.
    """

    def __init__(
        self,
        f: ir.Function,
        wrt: tuple[str, ...],
        free: Callable[[str], str],
        dots: dict[str, str],
        scalars: Iterable[str],
    ) -> None:
        self.f, self.wrt, self.free, self.dots, self.scalars = f, wrt, free, dots, set(scalars)
        self.row, self.column = Var(free(ROW)), Var(free(COLUMN))

    def value(self, name: str) -> Expr:
        meant = read(name)
        assert meant is not None
        return Var(meant.part) if meant.cut is None else Index(Var(meant.part), meant.cut)

    def call(self, fn: str, options: Iterable[tuple[str, Expr]]) -> Op:
        args = tuple(Var(p.name) for p in self.f.params if p.kind != "keyword")
        own = tuple((p.name, Var(p.name)) for p in self.f.params if p.kind == "keyword")
        return Op(f"local.{fn}", args, (*own, *options))

    def seeds(self, name: str = "", at: Expr | None = None) -> list[tuple[str, Expr]]:
        """The tangents: a one in `name` at `at`, zeros elsewhere."""
        out: list[tuple[str, Expr]] = []
        for n in self.wrt:
            x = self.value(n)
            if n in self.scalars:
                seed: Expr = ONE if n == name else ZERO
            else:
                seed = Op("helper._unit", (x, at)) if n == name and at is not None else Op("numpy.zeros_like", (x,))
            out.append((self.dots[n], seed))
        return out

    def finished(self, name: str, body: list[Stmt], docstring: list[str]) -> ir.Function:
        return ir.Function(name, self.f.params, tuple(body), "\n".join(docstring))


def jacobian(
    m: Matrix, name: str, vjp: str, jvp: str, out_bar: str, docstring: list[str], scalar_result: bool
) -> ir.Function:
    """f_jacobian: for each wrt an array of the result's shape, then that of the wrt."""
    if len(m.wrt) == 1 and m.scalars:
        return m.finished(name, [ir.Return(Index(m.call(jvp, m.seeds(m.wrt[0])), Const(1)))], docstring)
    if scalar_result:
        return m.finished(name, [ir.Return(Index(m.call(vjp, ()), Const(1)))], docstring)
    out = Var(m.free("result" if "out" in m.f.names else "out"))
    blocks = {n: Var(m.free(f"{word(n)}_jacobian" if len(m.wrt) > 1 else "jacobian")) for n in m.wrt}
    body: list[Stmt] = [Unpack((out.name, "_"), m.call(jvp, m.seeds()))]
    body += [Assign(blocks[n].name, zeros(out, m.value(n))) for n in m.wrt]
    rows = m.call(vjp, [(out_bar, Op("helper._unit", (out, m.row)))])
    cotangents: list[Stmt] = []
    if len(m.wrt) == 1:
        cotangents.append(Store(Index(blocks[m.wrt[0]], m.row), Index(rows, Const(1))))
    else:
        bars = [m.free(f"{word(n)}_bar") for n in m.wrt]
        cotangents.append(Unpack(tuple(bars), Index(rows, Const(1))))
        cotangents += [Store(Index(blocks[n], m.row), Var(b)) for n, b in zip(m.wrt, bars, strict=True)]
    tangents: list[Stmt] = []
    for n in m.wrt:
        column = Index(m.call(jvp, m.seeds(n, m.column)), Const(1))
        if n in m.scalars:
            tangents.append(Store(Index(blocks[n], ir.ELLIPSIS), column))
            continue
        place = Index(blocks[n], ir.Sequence((ir.ELLIPSIS, m.column), starred=frozenset((1,))))
        tangents.append(For(m.column, places(m.value(n)), (Store(place, column),)))
    sizes = [Op("numpy.size", (m.value(n),)) for n in m.wrt]
    total: Expr = sizes[0]
    for s in sizes[1:]:
        total = algebra.op(algebra.ADD, total, s)
    fewer = Op("numpy.less", (Op("numpy.size", (out,)), total), form=ir.Form.OPERATOR)
    body.append(ir.If(fewer, (For(m.row, places(out), tuple(cotangents)),), tuple(tangents)))
    body.append(ir.Return(together([blocks[n] for n in m.wrt])))
    return m.finished(name, body, docstring)


def hessian(m: Matrix, name: str, hvp: str, docstring: list[str]) -> ir.Function:
    """f_hessian: for each pair of wrts an array of the shape of the one, then that of the other."""
    several = len(m.wrt) > 1
    blocks = {
        (a, b): Var(m.free(f"{word(a)}_{word(b)}_hessian" if several else "hessian")) for a in m.wrt for b in m.wrt
    }
    if len(m.wrt) == 1 and m.scalars:
        return m.finished(name, [ir.Return(m.call(hvp, m.seeds(m.wrt[0])))], docstring)
    body: list[Stmt] = [
        Assign(v.name, zeros(m.value(a), m.value(b))) for (a, b), v in blocks.items() if a not in m.scalars
    ]
    for a in m.wrt:
        product = m.call(hvp, m.seeds(a, m.row))
        if a in m.scalars:
            body.append(Unpack(tuple(blocks[a, b].name for b in m.wrt), product))
            continue
        inner: list[Stmt] = []
        if several:
            rows = [m.free(f"{word(b)}_row") for b in m.wrt]
            inner.append(Unpack(tuple(rows), product))
            inner += [Store(Index(blocks[a, b], m.row), Var(r)) for b, r in zip(m.wrt, rows, strict=True)]
        else:
            inner.append(Store(Index(blocks[a, a], m.row), product))
        body.append(For(m.row, places(m.value(a)), tuple(inner)))
    body.append(ir.Return(together([together([blocks[a, b] for b in m.wrt]) for a in m.wrt])))
    return m.finished(name, body, docstring)


def together(items: list[Expr]) -> Expr:
    return items[0] if len(items) == 1 else ir.Sequence(tuple(items))


def places(x: Expr) -> Expr:
    return Op("numpy.ndindex", (Op("numpy.shape", (x,)),))


def zeros(a: Expr, b: Expr) -> Expr:
    """Zeros in the shape of a, then that of b."""
    shape = algebra.op(algebra.ADD, Op("numpy.shape", (a,)), Op("numpy.shape", (b,)))
    kinds = (a, ZERO) if a == b else (a, b, ZERO)
    return Op("numpy.zeros", (shape,), (("dtype", Op("numpy.result_type", kinds)),))


__all__ = ["FIRST", "SECOND", "Matrix", "functions", "hessian", "jacobian", "output_name"]
