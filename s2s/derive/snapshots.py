"""Parameters of which a function holds a view, and writes into the one or the other: of a list, it holds a copy.

    w = u[:]; w[0] = x          z = np.asarray(u); u[0] = x

What is written there is then not seen by both, and the derivative is that of an array. See `joined`, which asserts that
such a parameter is none.
"""

from __future__ import annotations

from collections.abc import Iterator

from s2s import ir, rules
from s2s.derive.context import Context
from s2s.ir import Assign, Expr, Index, Op, Var

ASKING = ("numpy.", "math.", "operator.", "builtins.sum", "builtins.len", "builtins.float", "builtins.min")


def objects(e: Expr) -> tuple[Var, ...]:
    """The variables of which one is the value of an expression."""
    match e:
        case Var():
            return (e,)
        case Op(fn="operator.ifexp", args=(_, a, b)):
            return (*objects(a), *objects(b))
    return ()


def seen_through(ctx: Context, name: str) -> bool:
    """Whether the function holds a view of a parameter that it writes to, and reads the parameter beside that."""
    every = list(ir.statements(ctx.function.body))
    if is_bound_first(ctx.function, name):
        return False
    bound = [(s.target, s.value) for s in every if isinstance(s, Assign)]
    whole = {name}
    while more := {n for n, value in bound if any(v.name in whole for v in objects(value))} - whole:
        whole |= more
    reads, views = 0, 0
    for s in every:
        passed = list(map(id, objects(s.value))) if isinstance(s, Assign) and s.target in whole else []
        reads += sum(isinstance(e, Var) and e.name in whole and id(e) not in passed for e in ir.nodes(s))
        views += sum(is_view(e, whole) for e in held_in(ctx, s, every))
    return views > 0 and reads > 1


def is_bound_first(f: ir.Function, name: str) -> bool:
    """Whether what is given is read for another value of that name only: `u = np.asarray(u)`."""
    reading = (s for s in f.body if any(e == Var(name) for t in ir.statements([s]) for e in ir.nodes(t)))
    first = next(reading, None)
    return isinstance(first, Assign) and first.target == name


def is_view(e: Expr, whole: set[str]) -> bool:
    match e:
        case Index(array=Var(name=name), key=ir.Slice()):
            return name in whole
        case Op(fn=fn, args=(Var(name=name), *_)) if fn.startswith("numpy.") and e.form is not ir.Form.OPERATOR:
            return name in whole and rules.may_alias(e)
    return False


def held_in(ctx: Context, s: ir.Stmt, every: list[ir.Stmt]) -> Iterator[Expr]:
    """The values of a statement that are bound, put into others, handed to helpers or written into: not what functions
    only compute with."""
    if isinstance(s, Assign) and s.target in ctx.temps:
        used = Var(s.target)
        if all(used not in kept(t) for t in every):
            return
    yield from kept(s)


def kept(s: ir.Stmt) -> list[Expr]:
    """What a statement may hold on to, with what it writes into."""
    found: list[Expr] = []

    def look(e: Expr) -> None:
        found.append(e)
        match e:
            case Op(fn=fn, args=args, options=options) if fn.startswith(ASKING) and not options:
                if rules.may_alias(e) or fn == "operator.ifexp":
                    for a in args:
                        look(a)
            case Index():
                return
            case _:
                for c in ir.children(e):
                    look(c)

    match s:
        case ir.Store(target=target, value=value):
            if isinstance(target.array, Index):
                look(target.array)
            look(value)
        case ir.For(iterable=ir.Sequence() as items):
            look(items)
        case ir.For() | ir.If() | ir.While():
            return []
        case _:
            for e in ir.expressions(s):
                look(e)
    return found
