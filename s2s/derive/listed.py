"""Lists that functions of NumPy take for arrays, as the arrays that they make of them.

    np.prod(L)          np.prod(np.array(L))
    np.dot(w, L)        np.dot(w, np.array(L))
    x * L               x * np.array(L)             where x is an array
    x @ y               x @ np.asarray(y)           where y may be a list, and an array in another place

The cotangent of the array is one array: the rule of `np.array` knows what each item of the list gets of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import count

from s2s import ir, rules
from s2s.analysis.facts import Facts, may_hold_items
from s2s.analysis.loops import Header, rewritten
from s2s.derive.context import SUMS_OF_LISTS
from s2s.frozen import replace
from s2s.ir import Assign, Const, Expr, Form, Op, Stmt, Var

ZERO = Const(0)


def as_arrays(
    f: ir.Function, facts: Facts, active: Collection[str], headers: dict[int, Header], forward: bool
) -> tuple[ir.Function, dict[int, Header]]:
    """The function, with an array for each active list that is taken for one; the facts of these are noted.

    Forward mode leaves what may be a list as it is: its tangent is taken for an array as well.
    """
    lists = {n for n in active if facts.of(Var(n)).kind in ("list", "tuple")}
    either = {n for n in active if may_hold_items(facts.of(Var(n)))} if not forward else set()
    lists |= either
    if not lists:
        return f, headers
    own = {*f.names, *(n for s in ir.statements(f.body) for n in ir.binds(s))}
    fresh = (name for k in count() if (name := f"t{k}") not in own)
    made: list[str] = []

    def steps(s: Stmt) -> Iterator[Stmt]:
        if isinstance(s, Assign | ir.Unpack | ir.Append | ir.Return | ir.Store) and isinstance(s.value, Op):
            found = [a for a in arrays_of(s.value, facts) if isinstance(a, Var) and a.name in lists]
            put: dict[int, Expr] = {}
            for a in dict.fromkeys(found):
                name = next(fresh)
                array = Op(f"numpy.{'asarray' if a.name in either else 'array'}", (a,), span=s.value.span)
                facts.names[name] = facts.of(array)
                made.append(name)
                put |= {id(x): Var(name) for x in found if x == a}
                yield Assign(name, array, s.origin)
            if put:
                s = replace(s, value=exchanged(s.value, put))
        yield s

    new, moved = rewritten(f, headers, steps)
    if not made:
        return f, headers
    facts.function = new
    facts.stable |= frozenset(made)
    return new, moved


def is_float(e: Expr, facts: Facts) -> bool:
    """Whether a value is an array of floats, or a number: which Python does not add to a list."""
    return facts.of(e).kind in ("float", "complex")


def exchanged(e: Expr, put: dict[int, Expr]) -> Expr:
    """An expression with other arguments, some of them in the list that is one: `np.stack([x, L])`."""
    return ir.rebuild(e, lambda x: exchanged(x, put) if isinstance(x, ir.Sequence) else put.get(id(x), x))


def arrays_of(e: Op, facts: Facts) -> Iterator[Expr]:
    """The arguments that a function takes for one array each."""
    rule = rules.lookup(e.fn)
    if rule is None or not e.fn.startswith(("numpy.", "scipy.", "math.")) or e.form is Form.METHOD:
        return
    if e.fn in SUMS_OF_LISTS:  # of whole items, their rule knows lists
        if e.args[1:] not in ((), (ZERO,)) or e.options not in ((), (("axis", ZERO),)):
            yield e.args[0]
        return
    arrays = [a for a in e.args if (facts.ndim(a) or is_float(a, facts)) and not may_hold_items(facts.of(a))]
    either = e.fn in ("numpy.add", "numpy.multiply") or any(isinstance(a, Const) for a in e.args)
    if e.form is Form.OPERATOR and e.fn != "numpy.matmul" and not arrays and either:
        return  # `L + M`, and `n * L`; of `x - L` in which neither is an array Python has nothing
    try:
        # a list that is updated, `L[k] += x`, gets longer
        yield from (a for a in rule.single(e) if not (ir.is_update(e) and a == e.args[0]))
    except rules.RuleError:  # refused where it is differentiated
        return
