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
    called = {n.fn for f in out for s in ir.statements(f.body) for n in ir.nodes(s) if isinstance(n, Op)}
    private = [f for f in out if f.name in hidden]
    called.add(f"local.{gradient}")
    return [f for f in out if f not in private] + [f for f in private if f"local.{f.name}" in called]


class Matrix:
    """A function that returns a matrix for each of the variables, put together from products with unit vectors.

    free: a name like this that the function does not have; dots: what tangents are called; ranks: of wrt.
    """

    def __init__(
        self,
        f: ir.Function,
        wrt: tuple[str, ...],
        free: Callable[[str], str],
        dots: dict[str, str],
        ranks: dict[str, int | None],
    ) -> None:
        self.f, self.wrt, self.free, self.dots = f, wrt, free, dots
        self.scalars, self.vectors = ({n for n in wrt if ranks[n] == rank} for rank in (0, 1))
        self.row, self.column = Var(free(ROW)), Var(free(COLUMN))

    def value(self, name: str) -> Expr:
        meant = read(name)
        assert meant is not None
        return meant.of(Var(meant.part))

    def rows(self, name: str) -> Expr:
        return shape(self.value(name)) if name in self.vectors else flat(self.value(name))

    def call(self, fn: str, options: Iterable[tuple[str, Expr]]) -> Op:
        args = tuple(Var(p.name) for p in self.f.params if p.by_position)
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
    rows = m.call(vjp, [(out_bar, Op("helper._unit", (out, m.row)))])
    back: list[Stmt] = [
        Assign(b.name, zeros(flat(out), shape(m.value(n)), (out, m.value(n)))) for n, b in blocks.items()
    ]
    if len(m.wrt) == 1:
        sweep: list[Stmt] = [Store(Index(blocks[m.wrt[0]], m.row), Index(rows, Const(1)))]
    else:
        bars = [m.free(f"{word(n)}_bar") for n in m.wrt]
        sweep = [Unpack(tuple(bars), Index(rows, Const(1)))]
        sweep += [Store(Index(blocks[n], m.row), Var(b)) for n, b in zip(m.wrt, bars, strict=True)]
    back.append(counted(m.row, out, sweep))
    forward: list[Stmt] = []
    for n, b in blocks.items():
        column = Index(m.call(jvp, m.seeds(n, m.column)), Const(1))
        if n in m.scalars:
            forward.append(Assign(b.name, column))
            continue
        place = Index(b, ir.Sequence((ir.ELLIPSIS, m.column)))
        forward.append(Assign(b.name, zeros(shape(out), flat(m.value(n)), (out, m.value(n)))))
        forward.append(counted(m.column, m.value(n), [Store(place, column)]))
    total: Expr = Op("numpy.size", (m.value(m.wrt[0]),))
    for n in m.wrt[1:]:
        total = algebra.op(algebra.ADD, total, Op("numpy.size", (m.value(n),)))
    fewer = Op("numpy.less", (Op("numpy.size", (out,)), total), form=ir.Form.OPERATOR)
    whole = [reshaped(b, shape(out), shape(m.value(n))) for n, b in blocks.items()]
    body: list[Stmt] = [
        Unpack((out.name, "_"), m.call(jvp, m.seeds())),
        ir.If(fewer, tuple(back), tuple(forward)),
        ir.Return(together(whole)),
    ]
    return m.finished(name, body, docstring)


def hessian(m: Matrix, name: str, hvp: str, docstring: list[str]) -> ir.Function:
    """f_hessian: for each pair of wrts an array of the shape of the one, then that of the other."""
    if len(m.wrt) == 1 and m.scalars:
        return m.finished(name, [ir.Return(m.call(hvp, m.seeds(m.wrt[0])))], docstring)
    several = len(m.wrt) > 1
    blocks = {
        (a, b): Var(m.free(f"{word(a)}_{word(b)}_hessian" if several else "hessian")) for a in m.wrt for b in m.wrt
    }
    body: list[Stmt] = [
        Assign(v.name, zeros(m.rows(a), shape(m.value(b)), (m.value(a), m.value(b))))
        for (a, b), v in blocks.items()
        if a not in m.scalars
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
        body.append(counted(m.row, m.value(a), inner))
    whole = {
        (a, b): v if a in m.scalars or a in m.vectors else reshaped(v, shape(m.value(a)), shape(m.value(b)))
        for (a, b), v in blocks.items()
    }
    body.append(ir.Return(together([together([whole[a, b] for b in m.wrt]) for a in m.wrt])))
    return m.finished(name, body, docstring)


def together(items: list[Expr]) -> Expr:
    return items[0] if len(items) == 1 else ir.Sequence(tuple(items))


def counted(index: Var, x: Expr, body: list[Stmt]) -> For:
    """A loop over the elements of x."""
    return For(index, Op("builtins.range", (Op("numpy.size", (x,)),)), tuple(body))


def shape(x: Expr) -> Expr:
    return Op("numpy.shape", (x,))


def flat(x: Expr) -> Expr:
    """The shape of x with all its axes in one."""
    return ir.Sequence((Op("numpy.size", (x,)),))


def zeros(first: Expr, second: Expr, like: tuple[Expr, ...]) -> Expr:
    """Zeros in one shape, then another, of the type of derivatives."""
    kinds = (*dict.fromkeys(like), ZERO)
    return Op("numpy.zeros", (algebra.op(algebra.ADD, first, second),), (("dtype", Op("numpy.result_type", kinds)),))


def reshaped(x: Expr, first: Expr, second: Expr) -> Expr:
    return Op("numpy.reshape", (x, algebra.op(algebra.ADD, first, second)))


__all__ = ["FIRST", "SECOND", "Matrix", "functions", "hessian", "jacobian", "output_name"]
