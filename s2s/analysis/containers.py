"""Names that may hold lists, dicts or objects, for all that is known of them: only items are read of them.

`x[i]` is all that a function does with x: x is an array, or a list. Where an item is itself read by its items, summed
or multiplied as an array is, or read under a text, adjoint code is right for both; elsewhere x is taken for an array.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TypeGuard

from s2s import ir, rules
from s2s.analysis.facts import Fact, Facts, may_hold_items, takes_numbers
from s2s.analysis.transfer import key_kind
from s2s.frozen import replace
from s2s.ir import Assign, Const, Expr, Index, Op, Var

HOLDING = frozenset(
    f"builtins.{n}" for n in ("len", "zip", "enumerate", "reversed", "list", "set", "sorted", "isinstance", "type")
) | {
    "operator.in",
    "operator.not_in",
    "operator.is",
    "operator.is_not",
}
SHAPES = ("numpy.shape", "numpy.ndim")
JOINING = frozenset(f"numpy.{n}" for n in ("concatenate", "stack", "vstack", "hstack", "dstack", "column_stack"))


@dataclass
class Handed:
    """What a helper does with the arguments of a call.

    held:   it takes them for lists, dicts or objects.
    arrays: it takes them for arrays.
    keyed:  it reads what lies in them under texts.
    under:  it reads what lies in the first under the second.
    """

    held: list[Expr] = field(default_factory=list)
    arrays: list[Expr] = field(default_factory=list)
    keyed: list[Expr] = field(default_factory=list)
    under: list[tuple[Expr, Expr]] = field(default_factory=list)


Handing = Callable[[Op], Handed]


@dataclass
class Uses:
    """What a function does with its names.

    read:  their items are read, or they are handed to a helper that reads items.
    rich:  their items are more than numbers.
    other: they are used as a whole.
    """

    read: set[str] = field(default_factory=set)
    rich: set[str] = field(default_factory=set)
    other: set[str] = field(default_factory=set)
    arrays: set[str] = field(default_factory=set)  # they are handed to what takes arrays
    surely: set[str] = field(default_factory=set)  # they are arrays: their items are read by keys that no list takes
    listed: set[str] = field(default_factory=set)  # their items, or keys, are made a list of
    keyed: list[tuple[str, str]] = field(default_factory=list)  # their items are read under these names
    dicts: set[str] = field(default_factory=set)  # their items are read under keys
    returned: set[str] = field(default_factory=set)  # they are returned, and not used as a whole elsewhere
    # what names are bound to; items of lists that the function fills, to what is put into these
    made: dict[str, list[Expr]] = field(default_factory=dict)
    filled: dict[str, list[Expr]] = field(default_factory=dict)  # such lists, and what is put into them
    mapped: dict[str, list[Expr]] = field(default_factory=dict)  # and what that is computed of, element by element


def is_entry(key: Expr, temps: Mapping[str, Expr]) -> bool:
    """Whether a key is what a dict has under a text, `k[reaction["rate"]]`: a text itself, for all that is known."""
    while isinstance(key, Var) and key.name in temps:
        key = temps[key.name]
    return isinstance(key, Index) and isinstance(key.key, Const) and isinstance(key.key.value, str)


def uses(
    f: ir.Function,
    temps: Mapping[str, Expr],
    facts: Facts | None,
    handed: Handing,
    texts: Container[str] = (),
) -> Uses:
    """The uses of the names of `f`. handed: what a helper does with the arguments of a call. texts: see `texts_of`."""
    found = Uses()
    items = {n for s in ir.statements(f.body) if isinstance(s, ir.For) for n in ir.target_names(s.target)}
    items |= {s.target for s in ir.statements(f.body) if isinstance(s, Assign) and isinstance(s.value, Index)}

    dicts: set[str] = set()
    tagged: list[Expr] = []  # what is compared with texts
    visited: set[tuple[str, bool]] = set()  # values without a name of their own may be read more than once

    def kind_of(key: Expr) -> str:
        if isinstance(key, ir.Slice | ir.Sequence):
            return "slice"
        if facts is not None:
            of_dict = facts.of(key).kind in ("str", "other")  # or a slice
            kind = "str" if of_dict else key_kind(key, facts)
            return "ints" if kind == "any" and is_computed(key, facts) else kind  # or a mask
        text = isinstance(key, ir.Raw) or (isinstance(key, Const) and isinstance(key.value, str))
        text |= isinstance(key, Var) and key.name in texts
        return "str" if text else "newaxis" if key == ir.NONE else "ellipsis" if key == ir.ELLIPSIS else "int"

    def visit(e: Expr, as_array: bool) -> None:
        match e:
            case Var(name=name) if name in temps:
                if (name, as_array) not in visited:
                    visited.add((name, as_array))
                    visit(temps[name], as_array)
                return
            case Var(name=name):
                if name not in as_numbers:
                    found.other.add(name)
                    if as_array:
                        found.arrays.add(name)
                return
            case (
                Index(array=Var(name=name), key=Op(fn=ir.KEY, args=(key,)))
                | Op(fn=ir.KEYS | ir.COUNT, args=(Var(name=name) as key,))
            ) if name not in temps:  # a dict
                found.read.add(name)
                dicts.add(name)
                if as_array:
                    found.rich.add(name)
                if key != Var(name):
                    visit(key, False)
                return
            case Index(array=array, key=key):
                root = array
                while isinstance(root, Var) and root.name in temps:
                    root = temps[root.name]
                kind = kind_of(key)
                visit(key, False)
                if not isinstance(root, Var) or kind in ("slice", "ints", "mask", "ellipsis", "newaxis"):
                    if isinstance(root, Var) and kind != "slice":
                        found.surely.add(root.name)
                    visit(root, True)
                    return
                found.read.add(root.name)
                if isinstance(key, Var):
                    found.keyed.append((root.name, key.name))
                text = kind == "str" or ((kind != "int" or facts is None) and is_entry(key, temps))
                if as_array or text or (facts is not None and facts.is_array(e)):
                    found.rich.add(root.name)
                return
            case Op(fn=fn, args=args, options=options) if fn in HOLDING or fn.startswith("local."):
                given = (*args, *(c for _, c in options))
                if fn in ("builtins.list", "builtins.sorted"):
                    found.listed |= {c.name for c in args if isinstance(c, Var)}
                if fn.startswith("local."):
                    e = replace(e, args=tuple(shown_in(a, temps) for a in e.args))
                    given = (*e.args, *(c for _, c in options))
                does = handed(e) if fn.startswith("local.") else Handed()
                arrays = does.arrays
                inside = [*does.held, *(c for c in does.keyed if not isinstance(c, Var) or c.name in items)]
                for c, key in does.under:
                    if kind_of(key) == "str":
                        inside.append(c)
                    elif isinstance(c, Var) and isinstance(key, Var):
                        found.read.add(c.name)
                        found.keyed.append((c.name, key.name))
                found.arrays |= {c.name for c in arrays if isinstance(c, Var) and c.name not in temps}
                parts = {c.name for c in inside if isinstance(c, Var) and ir.is_part(c.name)}
                found.read |= parts
                found.rich |= parts
                parts -= found.other
                for c in ir.children(e):
                    if isinstance(c, Var) and c.name not in temps and c in given:
                        if fn.startswith("local."):
                            handed_on.add(c.name)
                        if c in inside:
                            found.read.add(c.name)
                            found.rich.add(c.name)
                    elif isinstance(c, ir.Sequence) and not c.starred:
                        for item in c.items:
                            if isinstance(item, Var) and item in inside:
                                found.read.add(item.name)
                                found.rich.add(item.name)
                            else:
                                visit(item, False)
                    else:
                        visit(c, fn == "builtins.len" or c in inside or c in arrays)
                if parts & found.other:  # in a display of the parts that the helper reads
                    found.other -= parts
                    visited.clear()
                return
            case Op(fn="helper._zeros_like", args=(Var(name=name),)) if name not in temps:
                found.read.add(name)
                found.rich.add(name)
                return
            case Op(fn="helper._overlaps"):  # of anything
                return
            case Op(fn="helper._added", args=args):
                for c in args:
                    whole = temps.get(c.name, c) if isinstance(c, Var) else c
                    part = whole.array if is_cut(whole) else whole
                    if isinstance(part, Var) and part.name not in temps:
                        found.read.add(part.name)
                        found.rich.add(part.name)
                    else:
                        visit(c, False)
                return
            case Op(fn="numpy.array" | "numpy.asarray", args=(Var(name=name), *_)) if (
                name not in temps and facts is not None and may_hold_items(facts.of(Var(name)))
            ):
                found.read.add(name)
                found.rich.add(name)
                return
            case Op(fn=fn, args=(Var(name=name), *rest)) if (
                fn in JOINING and name not in temps and (name in f.names or fn == "numpy.concatenate")
            ):  # a list of arrays
                found.read.add(name)
                found.rich.add(name)
                for c in (*rest, *(c for _, c in e.options)):
                    visit(c, False)
                return
            case Op(fn=fn, args=(Index() as item,)) if fn in SHAPES:  # of a number nobody asks for it
                visit(item, True)
                return
            case Op(fn="numpy.equal" | "numpy.not_equal", args=(tag, Const(value=str()))):  # of `("rect", b, h)`
                item = temps.get(tag.name, tag) if isinstance(tag, Var) else tag
                visit(item, False)
                tagged.append(item)
                return
            case Op(fn=fn):
                rule = rules.lookup(fn)
                of_array = rule is not None and rule.kind not in ("elementwise", "constant")
                as_array = as_array or (of_array and not takes_numbers(e))
            case ir.Comprehension(element=element, clauses=clauses):
                visit(element, False)
                for name in asked_for_shapes(element, clauses) - temps.keys():
                    found.read.add(name)
                    found.rich.add(name)
                for _, it, tests in clauses:
                    for c in (*(() if isinstance(it, Var) else (it,)), *tests):
                        visit(c, True)
                return
            case ir.Sequence(starred=starred) if starred:  # as `list(rows)` is
                for i, c in enumerate(e.items):
                    if i not in starred or not isinstance(c, Var) or c.name in temps:
                        visit(c, False)
                return
            case ir.Sequence() | ir.Dict():
                as_array = False
        for c in ir.children(e):
            visit(c, as_array)

    displays = ir.displays(f)
    asked = displays | ir.run_over(f)
    shown = returned_displays(f)
    zeros: set[str] = set()
    put: set[str] = set()
    within: set[str] = set()  # of these, those whose parts are written, or items of items
    kept: list[tuple[str, Expr]] = []  # what is put into lists under its name, and where
    handed_on: set[str] = set()
    returned: list[Expr] = []
    leaves = taken_for_numbers(f)
    as_numbers: Set[str] = frozenset()
    for s in ir.statements(f.body):
        as_numbers = leaves.get(id(s), frozenset())
        if isinstance(s, Assign):
            if s.target in temps or s.target in shown:
                continue
            found.made.setdefault(s.target, []).append(s.value)
            if is_zeros(s.value):
                zeros.add(s.target)
            if is_cut(s.value):  # of a list it is a list: see `containers`
                visit(s.value.key, False)
                continue
            if isinstance(s.value, Var) and s.value.name not in temps:  # a second name: see `containers`
                continue
        if isinstance(s, ir.Unpack) and isinstance(s.value, Var | Index):
            for t, place in zip(s.targets, places_of(s), strict=True):
                found.made.setdefault(t, []).append(Index(s.value, place))
            if isinstance(s.value, Index):
                visit(s.value, True)
                continue
            if s.value.name not in temps:
                found.read.add(s.value.name)
                continue
        match s:
            case ir.For(target=ir.Sequence(), iterable=Var(name=name)) if name not in temps:
                found.read.add(name)
                found.rich.add(name)
        if isinstance(s, ir.Store) and not adds(s, temps):  # what is put into it would have two names
            root = ir.written_name(s.target)
            while root in temps:
                root = root_of(temps[root])
            put.add(root)
            if not isinstance(s.target, Index) or s.target.array != Var(root) or isinstance(s.target.key, ir.Slice):
                within.add(root)
            elif isinstance(s.value, Var) and s.value.name not in temps:  # a second name, as well
                kept.append((root, s.value))
                visit(s.target, False)
                continue
        if isinstance(s, ir.Append) and isinstance(s.value, Var) and s.value.name not in temps:
            kept.append((s.array, s.value))
            continue
        if isinstance(s, ir.Return) and s.value is not None:
            for e in parts_of(s.value, {**temps, **shown}):
                if as_numbers and not (isinstance(e, Var) and e.name not in as_numbers):
                    visit(e, False)
                else:
                    returned.append(e)
            continue
        for e in ir.expressions(s):
            if isinstance(s, ir.If) and tested(e) in asked:  # whether it has items
                continue
            if isinstance(s, ir.Store) and e == s.target and is_cut(e) and is_sum(s.value):
                visit(Op("helper._added", (e,)), False)
                continue
            if not (isinstance(s, ir.For) and isinstance(e, Var) and e is s.iterable):
                visit(e, False)
    parts = [e for tag in tagged for e in (found.made.get(tag.name, []) if isinstance(tag, Var) else [tag])]
    found.rich |= {root_of(e) for e in parts if isinstance(e, Index)}
    found.read |= zeros
    found.returned = {e.name for e in returned if isinstance(e, Var)} - found.other
    keys = keys_of_dicts(f, found, temps) | keys_of_entries(f, facts)
    dicts |= {name for name, key in found.keyed if key in keys}
    as_zeros = zeros | dicts

    def is_of_zeros(e: Expr) -> bool:
        return root_of(e) in as_zeros if is_cut(e) else is_name(as_zeros)(e)

    while more := {n for n, values in found.made.items() if n not in as_zeros and all(map(is_of_zeros, values))}:
        as_zeros |= more
    moved = {
        n for n, values in found.made.items() if n in found.read and n not in f.names and all(map(is_moved, values))
    }
    for e in returned:
        if not is_name(as_zeros | moved)(e):
            visit(e, False)
    found.filled = filled_lists(f, found.made, within, temps)
    found.filled = {n: e for n, e in found.filled.items() if n not in dicts or n in found.rich}
    found.mapped = {n: [x for e in values for x in operands_of(e, temps)] for n, values in found.filled.items()}
    found.other |= {e.name for n, e in kept if n not in found.filled if isinstance(e, Var)}
    for name, values in found.made.items():
        if name in found.arrays:
            found.rich |= {root_of(e) for e in values if isinstance(e, Index) and not is_cut(e)} & found.mapped.keys()
        found.made[name] = [x for e in values for x in taken_out(e, found.filled)]
    found.other |= zeros & (put | handed_on)
    found.other -= asked_for_containers(f) & found.read
    found.rich |= found.listed & found.read
    found.rich |= displays
    found.rich |= dicts
    found.dicts = dicts
    for name, values in found.made.items():
        found.made[name] = [x for e in values for x in taken_over(e, dicts.union(temps))]
    return found


def taken_over(e: Expr, others: Container[str]) -> list[Expr]:
    """What a value is made of: a copy of a list, `list(rows)`, is the part of it that has all of its items, and
    `[*rows, row]` that part and a list of the others.

    others: names of what is no list: dicts, of which this takes the keys, and temporaries.
    """
    match e:
        case Op(fn="builtins.list" | "builtins.sorted" | "builtins.tuple", args=(Var(name=name),)) if (
            name not in others
        ):
            return [Index(e.args[0], ir.Slice(None, None))]
        case ir.Sequence(items=items, starred=starred) if starred:
            rest = tuple(x for i, x in enumerate(items) if i not in starred)
            lists = [Index(items[i], ir.Slice(None, None)) for i in sorted(starred)]
            if all(isinstance(x.array, Var) and x.array.name not in others for x in lists):
                return [*lists, ir.Sequence(rest, e.kind)]
    return [e]


def places_of(s: ir.Unpack) -> list[Expr]:
    """Under which keys the targets of `a, *rest, b = L` lie in L: 0, 1:-1 and -1."""
    n = len(s.targets)
    if s.starred < 0:
        return [Const(i) for i in range(n)]
    behind = n - 1 - s.starred
    part = ir.Slice(Const(s.starred), Const(-behind) if behind else None)
    return [*map(Const, range(s.starred)), part, *map(Const, range(-behind, 0))]


def is_moved(e: Expr) -> bool:
    """Whether a value lies elsewhere, under a name or in a list, as it is."""
    return isinstance(e, Index | Var)


def is_name(known: Container[str]) -> Callable[[Expr], bool]:
    """Tells which expressions are names of these."""
    return lambda e: isinstance(e, Var) and e.name in known


def returned_displays(f: ir.Function) -> dict[str, Expr]:
    """The names of tuples that are returned, alone or in another one, and of which else only items are read: `value =
    total, d`."""
    every = list(ir.statements(f.body))
    bound = Counter(n for s in every for n in ir.binds(s))
    shown: dict[str, Expr] = {
        s.target: s.value
        for s in every
        if isinstance(s, Assign) and isinstance(s.value, ir.Sequence) and s.value.kind == "tuple"
        if bound[s.target] == 1 and s.target not in f.names
    }
    if not shown:
        return shown
    read = ir.uses(every)
    held = [e for s in every if isinstance(s, ir.Return) and s.value is not None for e in ir.walk(s.value)]
    own = Counter(e.name for e in held if isinstance(e, Var))
    items = (n for s in every if isinstance(s, ir.Inert) for n in ir.nodes(s) if isinstance(n, Index))
    own.update(n.array.name for n in items if isinstance(n.array, Var) and isinstance(n.key, Const))
    own.update(e.name for t in shown for e in ir.children(shown[t]) if isinstance(e, Var) and own[t])
    return {n: e for n, e in shown.items() if 0 < own[n] == read[n]}


def filled_lists(
    f: ir.Function, made: Mapping[str, list[Expr]], within: set[str], temps: Mapping[str, Expr]
) -> dict[str, list[Expr]]:
    """The lists and dicts that are empty at first, and of which the function only appends or stores items, with what
    they get. within: names into whose parts, or items, is written."""
    out: dict[str, list[Expr]] = {}
    for s in ir.statements(f.body):
        match s:
            case ir.Shrink():
                continue
            case ir.Append(array=name, value=value) | ir.Store(target=Index(array=Var(name=name)), value=value):
                while isinstance(value, Var) and value.name in temps:
                    value = temps[value.name]
                out.setdefault(name, []).append(value)

    def stays(name: str, e: Expr) -> bool:
        empty = isinstance(e, ir.Dict) and not (e.keys or e.is_object)
        return empty or e == ir.Sequence((), "list") or (is_cut(e) and e.array == Var(name))

    return {
        n: values
        for n, values in out.items()
        if n not in within and n not in f.names and n in made and all(stays(n, e) for e in made[n])
    }


def operands_of(e: Expr, temps: Mapping[str, Expr]) -> list[Expr]:
    """The names and items of which a value is computed element by element: `np.tanh(w) - lr * g`."""
    while isinstance(e, Var) and e.name in temps:
        e = temps[e.name]
    if isinstance(e, Op):
        rule = rules.lookup(e.fn)
        return [x for a in e.args for x in operands_of(a, temps)] if rule and rule.kind == "elementwise" else []
    return [e] if isinstance(e, Var | Index) else []


def taken_out(e: Expr, filled: Mapping[str, list[Expr]]) -> list[Expr]:
    """What an item of such a list may be; any other expression itself."""
    if isinstance(e, Index) and isinstance(e.array, Var) and not isinstance(e.key, ir.Slice):
        return filled.get(e.array.name, [e])
    return [e]


def shown_in(e: Expr, temps: Mapping[str, Expr]) -> Expr:
    """The tuple that a temporary stands for, any other expression as it is."""
    shown = temps.get(e.name) if isinstance(e, Var) else None
    return shown if isinstance(shown, ir.Sequence) and shown.kind == "tuple" else e


def asked_for_shapes(element: Expr, clauses: Iterable[tuple[Expr, Expr, tuple[Expr, ...]]]) -> set[str]:
    """The names of the items of which a comprehension asks for the shape: `all(np.shape(v) == () for v in xs)`."""
    shaped = {n.args[0] for n in ir.walk(element) if isinstance(n, Op) and n.fn in SHAPES}
    found: set[str] = set()
    for target, it, _ in clauses:
        targets = target.items if isinstance(target, ir.Sequence) else (target,)
        over = it.args if isinstance(it, Op) and it.fn == "builtins.zip" else (it,)
        if len(targets) == len(over):
            found |= {e.name for v, e in zip(targets, over, strict=True) if v in shaped and isinstance(e, Var)}
    return found


def asked_for_containers(f: ir.Function) -> set[str]:
    """The names of which a condition asks whether they are lists, tuples or dicts: what else they are is used there.
    So it is of those whose items are read beside theirs, `tree_dot[i]` where `tree` is a list."""
    found: set[str] = set()
    for s in ir.statements(f.body):
        for n in ir.walk(s.test) if isinstance(s, ir.If) else ():
            match n:
                case Op(fn="builtins.isinstance", args=(Var(name=name), kinds)) if isinstance(s, ir.If):
                    if {v.name for v in ir.walk(kinds) if isinstance(v, Var)} <= {"list", "tuple", "dict"}:
                        found.add(name)
                        read = [e for x in ir.statements(s.body) for e in ir.nodes(x) if isinstance(e, Index)]
                        keys = {e.key for e in read if e.array == Var(name)}
                        found |= {e.array.name for e in read if isinstance(e.array, Var) and e.key in keys}
    return found


def taken_for_numbers(f: ir.Function) -> dict[int, Set[str]]:
    """The names that are numbers or texts in a statement, by its id, as a condition around it asks: the leaves of a
    tree, of whose other nodes the items are read. So are those that are taken apart as theirs are: `node_dot`."""
    every = list(ir.statements(f.body))
    apart = {s.value.name: len(s.targets) for s in every if isinstance(s, ir.Unpack) and isinstance(s.value, Var)}
    found: dict[int, Set[str]] = {}
    for s in every:
        match s:
            case ir.If(test=Op(fn="builtins.isinstance", args=(Var(name=name), kinds)), body=body):
                inside = list(ir.statements(body))
                asked = {v.name for v in ir.walk(kinds) if isinstance(v, Var)}
                if asked <= {"int", "float", "complex", "str"}:
                    names = {name, *(n for n, length in apart.items() if length == apart.get(name))}
                    names -= {n for x in inside for n in ir.binds(x)}
                    found |= {id(x): found.get(id(x), frozenset()) | names for x in inside}
    return found


def is_computed(key: Expr, facts: Facts) -> bool:
    """Whether a key is surely an array: the key of a dict may be a tuple, of which items are read as well."""
    if not isinstance(key, Var) or not facts.is_array(key) or key.name in facts.function.names:
        return False
    bound = [s for s in ir.statements(facts.function.body) if key.name in ir.binds(s)]
    return bool(bound) and all(
        isinstance(s, Assign) and isinstance(s.value, Op) and s.value.fn.startswith("numpy.") for s in bound
    )


def tested(e: Expr) -> str:
    """The name of which a condition takes the truth value, "" where it is more."""
    while isinstance(e, Op) and e.fn == "operator.not":
        e = e.args[0]
    return e.name if isinstance(e, Var) else ""


def parts_of(e: Expr, temps: Mapping[str, Expr] | None = None) -> list[Expr]:
    """The values in a display of displays."""
    while temps and isinstance(e, Var) and e.name in temps:
        e = temps[e.name]
    inner = e.items if isinstance(e, ir.Sequence) else e.values if isinstance(e, ir.Dict) else None
    return [e] if inner is None else [p for i in inner for p in parts_of(i, temps)]


def adds(s: ir.Store, temps: Mapping[str, Expr]) -> bool:
    """Whether a store adds to what is there, or takes from it: what was x[k] += e."""
    match s.value:
        case (
            Op(fn="numpy.add" | "numpy.subtract", args=(old, _), form=ir.Form.OPERATOR)
            | Op(fn="helper._added", args=(old, _))
        ):
            return spelled_out(of_array(old, temps), temps) == spelled_out(s.target, temps)
    return False


def of_array(e: Expr, temps: Mapping[str, Expr]) -> Expr:
    """What a temporary is the array of: an operand that may be a list, as `derive.listed` writes it."""
    match temps.get(e.name) if isinstance(e, Var) else None:
        case Op(fn="numpy.asarray", args=(of,), options=()):
            return of
    return e


def spelled_out(e: Expr, temps: Mapping[str, Expr]) -> Expr:
    """A place, without the temporaries on the way there."""
    while isinstance(e, Var) and e.name in temps:
        e = temps[e.name]
    return Index(spelled_out(e.array, temps), spelled_out(e.key, temps)) if isinstance(e, Index) else e


def keys_of_entries(f: ir.Function, facts: Facts | None) -> set[str]:
    """The variables that entries of dicts lie under which the function fills, but for integers."""
    every = (n for s in ir.statements(f.body) for top in ir.expressions(s) for n in ir.walk(top))
    keys = {
        v.name for n in every if isinstance(n, Op) and n.fn == ir.KEY for v in parts_of(n.args[0]) if isinstance(v, Var)
    }
    return {k for k in keys if facts is not None and facts.of(Var(k)).kind != "int"}


def keys_of_dicts(f: ir.Function, found: Uses, temps: Mapping[str, Expr]) -> set[str]:
    """The variables of loops over `list(x)`, where x is itself read by its items, and the first ones of those over
    `list(d.items())`: the keys of a dict."""

    def lists(e: Expr) -> bool:
        match e:
            case Op(fn="builtins.list" | "builtins.sorted", args=(Var(name=name), *_)):
                return name in found.listed & found.read
            case Op(fn=ir.KEYS):
                return True
        return False

    def views(e: Expr) -> bool:
        match e:
            case Op(fn="builtins.list", args=(Var(name=name),)) if name in temps:
                return isinstance(view := temps[name], Op) and view.fn == "method.items"
        return False

    lists_of_keys = {name for name, values in found.made.items() if any(map(lists, values))}
    lists_of_pairs = {name for name, values in found.made.items() if any(map(views, values))}
    out: set[str] = set()
    for s in ir.statements(f.body):
        match s:
            case ir.For(target=Var(name=name), iterable=it) if lists(it) or (
                isinstance(it, Var) and it.name in lists_of_keys
            ):
                out.add(name)
            case ir.For(target=ir.Sequence(items=(Var(name=name), _)), iterable=Var(name=of)) if of in lists_of_pairs:
                out.add(name)
            case Assign(target=name, value=Index(key=Const(value=0)) as first):
                match spelled_out(first, temps):
                    case Index(array=Index(array=Var(name=of))) if of in lists_of_pairs:
                        out.add(name)
            case Assign(target=name, value=Index(array=Var(name=of))) if of in lists_of_keys:
                out.add(name)
    return out


def keys_of_items(every: Sequence[ir.Stmt]) -> set[str]:
    """The variables of loops over `list(x)` or `sorted(x)` under which items of `x` are read, `x[k]`, and the names of
    those lists: keys of a dict carry no derivative, whatever is computed with them. Where one such loop stands beside
    others, x is a dict, and the variables of the others run over its keys, too. The first ones of `list(d.items())` are
    keys as well."""
    read = {
        (e.array.name, e.key.name)
        for s in every
        for top in ir.expressions(s)
        for e in ir.walk(top)
        if isinstance(e, Index) and isinstance(e.array, Var) and isinstance(e.key, Var)
    }
    lists: dict[str, list[Expr]] = {}
    bound: Counter[str] = Counter()
    for s in every:
        if isinstance(s, Assign):
            lists.setdefault(s.target, []).append(s.value)
        bound.update(ir.binds(s))
    loops: list[tuple[ir.Stmt, str, str | None, str]] = []
    for s in every:
        match s:
            case ir.For(target=Var(name=k), iterable=it) | Assign(target=k, value=Index(array=Var() as it)):
                pass
            case _:
                continue
        name = it.name if isinstance(it, Var) else None
        match lists.get(name, []) if name is not None else [it]:
            case [Op(fn="builtins.list" | "builtins.sorted", args=(Var(name=of), *_))] if bound[k] == 1:
                loops.append((s, k, name, of))
    firsts = Counter(s.target for s in every if isinstance(s, Assign) and is_first_of_pair(s.value, lists, bound))
    beside = Beside(every, [(s, Var(of)) for s, k, _, of in loops if (of, k) in read and bound[of] < 2])
    keys = [(k, name) for s, k, name, of in loops if (of, k) in read or beside.has(s, Var(of))]
    return {n for pair in keys for n in pair if n is not None} | {k for k, n in firsts.items() if n == bound[k]}


def is_first_of_pair(e: Expr, bound_to: Mapping[str, list[Expr]], bound: Mapping[str, int]) -> bool:
    """Whether an expression is `pairs[i][0]`, where `pairs = list(d.items())` is the one binding of that name."""

    def value(x: Expr) -> Expr:
        return bound_to[x.name][0] if isinstance(x, Var) and x.name in bound_to and bound[x.name] == 1 else x

    match e:
        case Index(array=pair, key=Const(value=0)):
            match value(pair):
                case Index(array=Var() as pairs):
                    match value(pairs):
                        case Op(fn="builtins.list", args=(view,)):
                            return (
                                isinstance(made := value(view), Op)
                                and made.fn == "method.items"
                                and len(made.args) == 1
                            )
    return False


class Beside:
    """What is found in loops, for other loops that stand beside them in a block, or inside such: where these run, so do
    those. A loop is given by itself, or by the statement at its head that binds an item."""

    def __init__(self, every: Sequence[ir.Stmt], found: Iterable[tuple[ir.Stmt, Expr]]) -> None:
        self.around: dict[int, tuple[int, ...]] = {}  # the blocks that a statement stands in, innermost first
        self.loops = {id(s.body) for s in every if isinstance(s, ir.For)}
        for s in every:
            outer = self.around.setdefault(id(s), (0,))
            for block in ir.blocks(s):
                self.around |= dict.fromkeys(map(id, block), (id(block), *outer))
        self.found = {(self.blocks(s)[0], x) for s, x in found}

    def blocks(self, s: ir.Stmt) -> tuple[int, ...]:
        inner, *outer = self.around[id(s)]
        return tuple(outer) if inner in self.loops and not isinstance(s, ir.For) else (inner, *outer)

    def has(self, s: ir.Stmt, x: Expr) -> bool:
        return any((block, x) in self.found for block in self.blocks(s))


def containers(
    found: Uses, may_be: Callable[[str], bool], given: Iterable[str], lists: Set[str] = frozenset()
) -> frozenset[str]:
    """The names that may hold containers.

    given: the parameters of which no shape is stated; lists: names that hold lists and tuples, by what is known.
    """
    out: set[str] = set()
    given = set(given)
    cuts = {name: {root_of(e) for e in values if is_cut(e) or is_zeros(e)} for name, values in found.made.items()}
    found.read |= set().union(*cuts.values())
    same = second_names(found.made)
    while True:  # what is used as a whole under one name is so under the others
        more = {root for name, roots in cuts.items() for root in roots if name in found.other}
        more |= {n for names in same.values() if not found.other.isdisjoint(names) for n in names}
        if more <= found.other:
            break
        found.other |= more
    for uses_ in (found.read, found.rich, found.arrays):
        uses_ |= {n for names in same.values() if not uses_.isdisjoint(names) for n in names}
    for name in found.arrays:
        values = found.made.get(name, [])
        if values and all(isinstance(e, Index) and not is_cut(e) for e in values):
            found.rich |= {root_of(e) for e in values} - found.other
    put = {name: [x for e in values for x in items_put(e)] for name, values in found.made.items()}
    put |= {name: [*put.get(name, []), *values] for name, values in found.filled.items()}
    put = {  # of a name, what that is bound to
        name: [x for e in values for x in (found.made.get(e.name, [e]) if isinstance(e, Var) else [e])]
        for name, values in put.items()
    }
    together: dict[str, set[str]] = {}  # lists of which one loop reads the items: `for W, b in zip(weights, biases)`
    for name, key in found.keyed:
        together.setdefault(key, set()).add(name)
    while True:
        before = len(out), len(found.rich)
        for beside in together.values():
            group = beside.union(*(same.get(n, ()) for n in beside))
            if group & given & out:
                found.rich |= group & given - found.other
        for name in found.rich & put.keys():  # what is read of its items is read of what has been put there
            found.rich |= {root_of(e) for e in put[name] if isinstance(e, Index) and not is_cut(e)} - found.other
        for name in (found.rich - found.dicts) & found.mapped.keys():
            for x in found.mapped[name]:
                items = found.made.get(x.name, []) if isinstance(x, Var) else [x]
                if all(isinstance(e, Index) and not isinstance(e.key, ir.Slice | Const) for e in items):
                    found.rich |= {root_of(e) for e in items} - found.other
        for name in sorted(found.read - found.other - out):
            names = same.get(name, frozenset((name,)))
            values = [
                e for n in names - given for e in found.made.get(n, ()) if not isinstance(e, Var) and e != ir.NONE
            ]
            roots = {root_of(e) for e in values if not isinstance(e, ir.Sequence | ir.Dict)} - names
            known = names <= given | found.made.keys() and bool(roots or names & given)
            inside = known and all(isinstance(e, Index | ir.Sequence | ir.Dict) or is_zeros(e) for e in values)
            inside = inside and roots <= out | found.read | lists
            if inside:  # its items are read: that of which it is one holds more than numbers
                rich = (roots if name in found.rich else roots - cuts.get(name, set())) - found.other
                found.rich |= {n for root in rich for n in same.get(root, (root,))}
            if all(map(may_be, names)) and (
                (name in given and name in found.rich)
                or (inside and roots <= out | lists and (name in found.rich or not names & given))
            ):
                out |= names
        if (len(out), len(found.rich)) == before:
            return frozenset(out)


def items_put(e: Expr) -> tuple[Expr, ...]:
    """What lies in a list or a tuple that a display makes, or in a list that a comprehension does."""
    match e:
        case ir.Sequence(items=items):
            return items
        case ir.Comprehension(element=element) if e.kind == "list":
            return (element,)
    return ()


def are_arrays(f: ir.Function, is_part: Callable[[Expr], bool]) -> bool:
    """Whether nothing is done to parts of structures but what is done to numbers and arrays."""
    every = list(ir.statements(f.body))
    read = {s.target for s in every if isinstance(s, Assign) and is_part(s.value)}

    def is_entry(e: Expr) -> bool:
        return is_part(e) or (isinstance(e, Var) and e.name in read)

    def is_arithmetic(e: Expr) -> bool:
        return is_zeros(e) or (isinstance(e, Op) and e.fn.startswith(("numpy.", "math.", "helper._unbroadcast")))

    tops = [e for s in every for e in ir.expressions(s) if not (isinstance(s, Assign) and s.target in read)]
    inner = (e for top in tops for e in ir.walk(top) if not is_arithmetic(e))
    return not any(map(is_entry, tops)) and not any(is_entry(c) for e in inner for c in ir.children(e))


def second_names(made: Mapping[str, Iterable[Expr]]) -> dict[str, frozenset[str]]:
    """The names that may be bound to one object, for each that has a second name: `best = row`, `before = best`."""
    same: dict[str, frozenset[str]] = {}
    for name, values in made.items():
        for e in values:
            if isinstance(e, Var):
                names = same.get(name, frozenset((name,))) | same.get(e.name, frozenset((e.name,)))
                same |= dict.fromkeys(names, names)
    return same


Items = frozenset[tuple[str, int]]


def texts_of(f: ir.Function, known: Mapping[str, Fact]) -> set[str]:
    """The variables that run over texts of the module: those of `for name in NAMES`, of `for n, name in TABLE`."""

    def fact(e: Expr) -> Fact | None:
        match e:
            case Var(name=name):
                return known.get(name)
            case Index(array=array, key=key) if (of := fact(array)) is not None and not isinstance(key, ir.Slice):
                match key:
                    case Const(value=int() as i) if -len(of.items) <= i < len(of.items):
                        return of.items[i]
                return of.elem
        return None

    made = ((s.target, fact(s.value)) for s in ir.statements(f.body) if isinstance(s, Assign))
    return {n for n, found in made if found is not None and found.kind == "str"}


def taken_as(
    f: ir.Function, handed: Handing, known: Mapping[str, Fact]
) -> tuple[frozenset[str], frozenset[str], Items]:
    """The parameters of a helper that may be containers, those that it takes for arrays, by its text alone, and items
    of parameters that are dicts, with their places. known: the constants of the module."""
    bound = Counter(n for s in ir.statements(f.body) for n in ir.binds(s))
    longer = {s.array for s in ir.statements(f.body) if isinstance(s, ir.Append)}
    sums = (s.value for s in ir.statements(f.body) if isinstance(s, ir.Store) and is_sum(s.value))
    added = {n for e in sums for n in ir.reads(e)}
    temps = {
        s.target: s.value
        for s in ir.statements(f.body)
        if isinstance(s, Assign) and bound[s.target] == 1 and s.target not in longer.union(f.names)
        if (isinstance(s.value, Index) and (not is_cut(s.value) or (s.target in added and ir.is_unnamed(s))))
        or ((is_plain(s.value) or isinstance(s.value, ir.Sequence | ir.Dict)) and ir.is_unnamed(s))
    }
    found = uses(f, temps, None, handed, texts_of(f, known))
    fixed = frozenset(n for n in f.names if n not in bound)
    parts = frozenset(n for n in found.read if ir.is_part(n) and ir.root_name(n) in fixed)
    held = containers(found, lambda name: True, fixed | parts)
    items: set[tuple[str, int]] = set()
    for name in found.dicts & held:
        for e in found.made.get(name, []):
            match e:
                case Index(array=Var(name=of), key=Const(value=int() as i)) if of in fixed:
                    items.add((of, i))
    return held & {*f.names, *parts}, fixed & (found.arrays | gone_through(f)), frozenset(items)


def gone_through(f: ir.Function) -> frozenset[str]:
    """The names of which the length is asked for, or the items are read by the variable of a loop, or by a sum or a
    product with one: they are no numbers."""
    every = list(ir.statements(f.body))
    counted = {n for s in every if isinstance(s, ir.For) for n in ir.target_names(s.target)}
    counted |= {s.target for s in every if isinstance(s, Assign) and is_plain(s.value) and ir.reads(s.value) & counted}
    found: set[str] = set()
    for e in (n for s in every for n in ir.nodes(s)):
        match e:
            case Op(fn="builtins.len", args=(Var(name=name),)):
                found.add(name)
            case Index(array=Var(name=name), key=key) if not isinstance(key, ir.Slice) and ir.reads(key) & counted:
                found.add(name)
    return frozenset(found)


def is_plain(e: Expr) -> bool:
    """Whether an expression is a sum or a product of NumPy's."""
    return isinstance(e, Op) and e.fn.startswith("numpy.") and e.form is ir.Form.OPERATOR


def of_themselves(f: ir.Function, given: Callable[[Op], Mapping[str, Expr]]) -> frozenset[str]:
    """The parameters of which an item is handed on as the same parameter, in a call of the function by itself: trees,
    and lists that hold lists. given: the arguments of such a call, by parameter."""
    items: dict[str, str] = {}
    for s in ir.statements(f.body):
        match s:
            case ir.Unpack(targets=targets, value=Var(name=of)):
                items |= dict.fromkeys(targets, of)
            case (
                ir.For(target=Var(name=target), iterable=Var(name=of))
                | Assign(target=target, value=Index(array=Var(name=of)))
            ) if not is_cut(s.value if isinstance(s, Assign) else Var(of)):
                items[target] = of

    def owner(e: Expr) -> str:
        match e:
            case Index(array=array) if not is_cut(e):
                return root_of(array)
            case Var(name=name) if name in items:
                return items[name]
        return ""

    found: set[str] = set()
    for call in ir.helper_calls(*(e for s in ir.statements(f.body) for e in ir.expressions(s))):
        for p, e in given(call).items():
            of = owner(e)
            while of in items and of != p:
                of = items[of]
            if of == p:
                found.add(p)
    return frozenset(found)


def is_cut(e: Expr) -> TypeGuard[Index]:
    """Whether an expression is x[a:b] of a name."""
    return isinstance(e, Index) and isinstance(e.array, Var) and isinstance(e.key, ir.Slice)


def is_sum(e: Expr) -> bool:
    """Whether an expression adds two structures, item by item."""
    return isinstance(e, Op) and e.fn == "helper._added"


def is_zeros(e: Expr) -> TypeGuard[Op]:
    """Whether an expression makes zeros in the structure of a name."""
    return isinstance(e, Op) and e.fn == "helper._zeros_like" and isinstance(e.args[0], Var)


def root_of(e: Expr) -> str:
    while isinstance(e, Index) or is_zeros(e):
        e = e.array if isinstance(e, Index) else e.args[0]
    return e.name if isinstance(e, Var) else ""


__all__ = [
    "Handed",
    "containers",
    "is_zeros",
    "keys_of_entries",
    "keys_of_items",
    "of_themselves",
    "root_of",
    "taken_as",
    "uses",
]
