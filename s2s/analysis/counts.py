"""Parameters that are numbers of things, by what is done with them: they carry no derivative, though they divide.

for i in range(n): ...      np.zeros((n, m))      x[1:n]      np.linspace(a, b, n)      1.0 / n
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from s2s import ir
from s2s.ir import Assign, Const, Expr, Op, Var

SHAPED = frozenset(f"numpy.{n}" for n in ("zeros", "ones", "empty", "full", "eye", "identity", "tri", "indices"))
SPACED = frozenset(f"numpy.{n}" for n in ("linspace", "logspace", "geomspace"))
Counted = Callable[[Op], list[Expr]]


def counts(f: ir.Function, handed: Counted) -> frozenset[str]:
    """The parameters of `f` that range, a slice or a shape takes, as they are or a whole number away.

    handed: the arguments of a helper's call that are such numbers there.
    """
    bound = Counter(n for s in ir.statements(f.body) for n in ir.binds(s))
    bound.update(f.names)  # a parameter that is bound again has two values
    chosen: dict[str, list[Expr]] = {}
    for s in ir.statements(f.body):
        if isinstance(s, Assign):
            chosen.setdefault(s.target, []).append(s.value)
    made = {name: values[0] for name, values in chosen.items() if bound[name] == 1}

    def numbers(e: Expr) -> Iterator[str]:
        match e:
            case Var(name=name) if name in made:
                yield from numbers(made[name])
            case Var(name=name) if bound[name] == 1 and name in f.names:
                yield name
            case ir.Sequence(items=items):
                for item in items:
                    yield from numbers(item)
            case Op(fn="numpy.add" | "numpy.subtract", args=(a, b), form=ir.Form.OPERATOR):
                if is_whole(a):
                    yield from numbers(b)
                if is_whole(b):
                    yield from numbers(a)

    def is_whole(e: Expr) -> bool:
        """1, or 1 in one case and 0 in another"""
        if isinstance(e, Var) and e.name in chosen:
            return len(chosen[e.name]) == bound[e.name] and all(
                isinstance(v, Const) and is_whole(v) for v in chosen[e.name]
            )
        return isinstance(e, Const) and isinstance(e.value, int)

    found: set[str] = set()
    products: set[Expr] = set()  # range(x) of `x * [1.0, 2.0]`: x may be an array
    for s in ir.statements(f.body):
        for n in ir.nodes(s):
            taken: list[Expr] = []
            if isinstance(n, ir.Comprehension) and len(n.clauses) > 1 and n.clauses[0][0] == Var("_"):
                products.update(n.clauses[0][1:2])
            if isinstance(n, ir.Index):
                slices = [k for k in ir.key_items(n.key) if isinstance(k, ir.Slice)]
                found.update(name for k in slices for e in (k.start, k.stop, k.step) if e for name in numbers(e))
            if not isinstance(n, Op) or n in products:
                continue
            if n.fn == "builtins.range":
                taken = list(n.args)
            elif n.fn in SHAPED:
                taken = list(n.args[:1])
            elif n.fn in SPACED:
                taken = [*n.args[2:3], *(v for k, v in n.options if k == "num")]
            elif n.fn.startswith("local."):
                taken = handed(n)
            found.update(name for e in taken for name in numbers(e))
    return frozenset(f.names) & found
