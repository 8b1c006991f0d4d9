"""Dicts of zeros of which a loop over all keys adds to each entry, once: the loop makes the entries.

sums_bar = dict.fromkeys(sums, 0.0)                 sums_bar = {k: 2.0 * sums[k] * s_bar for k in sums}
for k in reversed(sums):
    sums_bar[k] += 2.0 * sums[k] * s_bar    ->

rows_bar = {k: [0.0 for _ in v] for ...}            rows_bar = {}
for k in reversed(rows):                            for k in reversed(rows):
    a_bar = a_saved.pop() * s_bar                       a_bar = a_saved.pop() * s_bar
    rows_bar[k] = _added(rows_bar[k], list(a_bar))      rows_bar[k] = list(a_bar)
                                            ->

The second only where nobody sees in which order the entries lie: the dict is read and written under keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from s2s import algebra, ir
from s2s.analysis import webs
from s2s.frozen import replace
from s2s.ir import Assign, Augment, Block, Expr, For, Index, Op, Stmt, Store, Var
from s2s.optimise.fold import is_made
from s2s.optimise.presence import is_never_asked

LEAVE = (ir.Break, ir.Return)


def made_in_loops(body: Block, wishes: Mapping[str, str]) -> Block:
    """`body` with such dicts made where they get their entries. wishes: the names that variables are to have."""
    every = tuple(ir.statements(body))

    def block(b: Block) -> Block:
        out: list[Stmt] = []
        for s in b:
            s = ir.with_blocks(s, block)
            found = _filled(s, out) if isinstance(s, For) else None
            if found is None:
                out.append(s)
                continue
            assert isinstance(s, For)
            init, step, value = found
            at = out.index(init)
            work = [x for x in s.body if not isinstance(x, ir.Comment)]
            if len(work) == 1 and not any(map(_has_effect, ir.walk(value))):
                assert isinstance(s.target, Var)
                wish = Var(wishes.get(s.target.name, s.target.name))
                key, of = s.target if wish.name in ir.reads(value) else wish, Var(_run_over(s))
                value = ir.substitute(value, {s.target.name: key})
                del out[at]
                out += [x for x in s.body if isinstance(x, ir.Comment)]
                entry = ir.Slice(key, value)
                out.append(Assign(init.target, ir.Comprehension(entry, ((key, of, ()),), kind="dict")))
            elif is_never_asked(every, init.target):
                out[at] = replace(init, value=ir.Dict((), ()))
                stored = Store(step.target, value) if isinstance(step.target, Index) else step
                out.append(replace(s, body=tuple(stored if x is step else x for x in s.body)))
            else:
                out.append(s)
        return tuple(out)

    return block(body) if any(isinstance(s, For) and _run_over(s) for s in every) else body


def _run_over(s: For) -> str:
    """The dict over whose keys a loop runs."""
    match s.iterable:
        case Op(fn="builtins.reversed", args=(Var(name=of),)) | Var(name=of) if isinstance(s.target, Var):
            return of
    return ""


def _filled(s: For, before: list[Stmt]) -> tuple[Assign, Store | Augment, Expr] | None:
    """Where a dict of zeros is made which a loop fills, the statement that adds to its entries, and what it adds."""
    of = _run_over(s)
    steps = [x for x in s.body if isinstance(x, Store | Augment) and _is_entry(x.target, s.target)]
    if not of or len(steps) != 1 or any(isinstance(x, LEAVE) for x in ir.statements(s.body)):
        return None
    step = steps[0]
    value, name = _added(step, s.body), ir.written_name(step.target)
    inside = sum(name in webs.mentioned(x) for x in ir.statements(s.body))
    if value is None or name == of or inside != 1 or name in ir.reads(value) or of in _bound(s.body, s.target):
        return None
    for t in reversed(before):
        if isinstance(t, Assign) and t.target == name:
            return (t, step, value) if _is_zeros(t, of) and s.target not in (Var(name), Var(of)) else None
        if any(name in webs.mentioned(x) for x in ir.statements((t,))) or of in _bound((t,)):
            return None
    return None


def _bound(block: Block, key: Expr = ir.NONE) -> set[str]:
    """The names that a block binds, or of which it writes other entries than the one under a key."""
    every = list(ir.statements(block))
    stores = (s for s in every if isinstance(s, Store | Augment) and not _is_entry(s.target, key))
    return {n for s in every if not isinstance(s, Store | Augment) for n in ir.binds(s)} | {
        ir.written_name(s.target) for s in stores
    }


def _is_entry(target: Expr, key: Expr) -> bool:
    match target:
        case Index(array=Var(), key=Op(fn=ir.KEY, args=(k,))):
            return k == key
    return False


def _added(step: Store | Augment, body: Block) -> Expr | None:
    """What is added to zero, where it has memory of its own."""
    match step:
        case Augment(value=value, sign=sign, full=True) if sign in "+-" and (step.own or is_made(value)):
            return value if sign == "+" else algebra.negated(value)
        case Store(target=target, value=Op(fn="helper._added", args=(old, value)), update="") if old == target:
            return value if _is_new_list(value) or _is_last(value, step, body) else None
    return None


def _is_new_list(e: Expr) -> bool:
    match e:
        case ir.Comprehension(kind="list") | Op(fn="builtins.list" | "helper._added" | "helper._zeros_like"):
            return True
        case ir.Sequence(starred=starred):
            return not starred
    return False


def _is_last(e: Expr, step: Stmt, body: Block) -> bool:
    """Whether a name is that of a new list, made in the same round, which nothing reads any more behind a statement."""
    if not isinstance(e, Var):
        return False
    at = next(i for i, s in enumerate(body) if s is step)
    made = [s for s in ir.statements(body) if e.name in ir.binds(s)]
    plain = all(isinstance(s, Assign) and _is_new_list(s.value) for s in made)
    named = any(_gives(x, e.name) for s in ir.statements(body) if s is not step for x in _values(s))
    return (
        bool(made)
        and plain
        and not named
        and not any(e.name in webs.mentioned(s) for s in ir.statements(body[at + 1 :]))
    )


def _values(s: Stmt) -> Iterable[Expr]:
    return (s.value,) if isinstance(s, Store | Augment) else ir.expressions(s)


def _gives(e: Expr, name: str) -> bool:
    """Whether the value of an expression may be the list itself, a part of it, or hold one."""
    match e:
        case Var() | Index():
            return ir.written_name(e) == name
        case ir.Comprehension(element=Var() | Index()):
            return name in ir.reads(e)
        case ir.Comprehension() | Op(fn="builtins.len" | "builtins.sum"):
            return False
        case Op(fn=fn) if fn.startswith("numpy."):
            return False
    return name in ir.reads(e)


def _is_zeros(s: Assign, of: str) -> bool:
    """Whether a dict has zeros under the keys of another one, and no more."""
    match s.value:
        case Op(fn="builtins.dict", args=(Var(name=d), zero)):
            return d == of and zero == algebra.ZERO
        case Op(fn="helper._zeros_like", args=(Var(name=d),)):
            return d == of
        case ir.Comprehension(kind="dict", element=ir.Slice(start=Var() as k), clauses=((target, over, ()),)):
            first = target.items[0] if isinstance(target, ir.Sequence) else None
            return first == k and isinstance(over, Op) and over.fn == "numpy.items" and over.args == (Var(of),)
    return False


def _has_effect(e: Expr) -> bool:
    return isinstance(e, Op) and e.fn.startswith(("local.", "method."))
