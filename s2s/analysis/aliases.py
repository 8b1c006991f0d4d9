"""Which names may see the same buffer, and how the names of a written buffer hang together.

Names that an assignment, a view, a list or a choice connects are one class (unification: Steensgaard, POPL 1996). Only
classes that some statement stores into matter: all other arrays are values, and two names for a value are harmless.

In a class that is stored into, a name is

    a root      bound to fresh memory wherever it is bound: np.zeros, a copy, arithmetic; a parameter
    a value     connected to a root, but never read after a store that came behind its binding: as good as a copy
    a view      of its base under a fixed path, `v = y[1:]`: its adjoint is the same view of the base's adjoint

Where the run decides what a name sees (buffers that a loop swaps, that a branch chooses, that lie in a list), the class
is `dynamic`: its adjoints are bound beside the primal's names (see `derive.shadows`).
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeGuard

from s2s import helpers, ir, rules
from s2s.analysis import counts
from s2s.frozen import replace
from s2s.ir import Block, Expr, Index, Op, Stmt, Var
from s2s.rules import effects
from s2s.rules.kinds import Reduction

if TYPE_CHECKING:
    from s2s.analysis.facts import Fact, Facts

ROOT = Var("%root")  # stands for the base in the path of a view

MAYBE_VIEWS = frozenset(
    f"numpy.{n}" for n in (
        "reshape", "ravel", "asarray", "ascontiguousarray", "asfortranarray", "asanyarray", "asarray_chkfinite",
        "require",
    )
)  # fmt: skip
# Views of arrays; of a number, a new array.
ARRAYS_OF_NUMBERS = frozenset(f"numpy.{n}" for n in ("atleast_1d", "atleast_2d", "atleast_3d", "expand_dims")) | {
    "numpy.squeeze",
    "numpy.transpose",
}
# Functions of VIEWS that never share memory with what they are given, as they are written.
COPIES = frozenset({"flatten", "copy"})
FRESH_VIEWS = frozenset({"numpy.nan_to_num", "numpy.float32", "helper._expand"})
# Views that NumPy makes read-only: no adjoint can be added to through them.
READ_ONLY = frozenset({"numpy.diag", "numpy.diagonal", "numpy.linalg.diagonal", "numpy.broadcast_to"})
# Views of all that is given, of what depends on the values, or the array itself for some arguments.
NOT_FOLLOWED = frozenset(
    f"numpy.{n}" for n in ("broadcast_arrays", "meshgrid", "trim_zeros", "diff", "linalg.matrix_power")
)
LISTS_OF_VIEWS = frozenset(
    f"numpy.{name}" for name in ("split", "array_split", "hsplit", "vsplit", "dsplit", "unstack")
)
JOINS = frozenset({"numpy.add", "numpy.multiply"})  # operators that make one list of others
CHOOSE = frozenset({"builtins.max", "builtins.min", "operator.or", "operator.and"})
COMPARED = frozenset({"builtins.max", "builtins.min"})
FRESH_MODULES = ("numpy", "scipy", "math", "cmath", "builtins", "operator", "random", "helper", "local")
# What Python makes of a container, or takes from it.
HOLDS_ITEMS = frozenset(
    f"builtins.{name}" for name in (
        "dict", "enumerate", "filter", "iter", "list", "map", "next", "reversed", "sorted", "tuple", "zip",
    )
) | {"copy.copy", "method.copy", "method.get", "method.pop", "method.values", "method.items"}  # fmt: skip
METADATA = frozenset(
    f"{m}" for m in (
        "numpy.shape", "numpy.size", "numpy.ndim", "builtins.len", "numpy.zeros_like", "numpy.ones_like",
        "numpy.empty_like", "numpy.result_type",
    )
)  # fmt: skip
FIRST = frozenset({0})


@dataclass
class Aliases:
    """Classes of names by their representative; only those that are stored into are kept."""

    of: dict[str, str] = field(default_factory=dict)  # name -> class
    members: dict[str, frozenset[str]] = field(default_factory=dict)
    roots: dict[str, str] = field(default_factory=dict)  # class -> its one root
    buffers: set[str] = field(default_factory=set)  # roots that are stored into, be it by other names
    views: dict[str, tuple[str, Expr]] = field(default_factory=dict)  # view -> (base, path over ROOT)
    dynamic: dict[str, tuple[str, ir.Origin | None]] = field(default_factory=dict)  # class -> why, where
    unsure: list[tuple[str, Expr, ir.Origin | None]] = field(default_factory=list)  # a number, or a view: not known
    lost: list[tuple[str, str, Expr, ir.Origin | None]] = field(default_factory=list)  # (name, what it may see, ...)
    parts: dict[str, str] = field(default_factory=dict)  # names of what is put into a list, and read by nothing else,
    # each with the class of the list

    def is_stored(self, name: str) -> bool:
        """Whether what a name holds, or a part of it, is stored into, be it under another name."""
        return name in self.of or name in self.parts

    def content(self, name: str) -> str:
        """The location of the elements that a name sees, "" where they are never stored into."""
        found = self.of.get(name, self.parts.get(name))
        return f"*{found}" if found is not None else ""

    def path(self, name: str) -> tuple[str, Expr]:
        """The root that a view belongs to, and its path from there."""
        path: Expr = ROOT
        steps: list[Expr] = []
        while name in self.views:
            name, step = self.views[name]
            steps.append(step)
        for step in reversed(steps):
            path = ir.substitute(step, {ROOT.name: path})
        return name, path

    def contents(self, e: Expr) -> frozenset[str]:
        """The locations that evaluating `e` reads the elements of."""
        if not self.of:
            return ir.NO_NAMES
        return frozenset(self.content(n) for n in values_read(e) if self.is_stored(n))


@dataclass(frozen=True)
class Seen:
    """Through which names elements can be seen.

    peers: the names through which what a name holds can be seen, too.
    at_end: names whose elements the caller sees.
    """

    peers: dict[str, frozenset[str]] = field(default_factory=dict)
    at_end: frozenset[str] = frozenset()
    effects: frozenset[str] = frozenset()  # functions that write into their arguments
    proofs: frozenset[ir.Origin] = frozenset()  # statements by which ranks are known, `m, n = A.shape`
    # of functions that do nothing but compute and write into one argument: its position, and its name
    writers: dict[str, tuple[int, str]] = field(default_factory=dict)
    # what stands for an entry that is not there, of dicts under keys of the run
    absent: dict[str, Expr] = field(default_factory=dict)
    arrays: frozenset[str] = frozenset()  # names of what is no list, tuple or dict, and of its adjoints

    def visible(self, name: str) -> frozenset[str]:
        """The names through which the elements that a name holds can be seen; it may be a list of saved arrays."""
        return self.peers.get(name) or self._holders.get(name, ir.NO_NAMES)

    def only_written(self, call: Op) -> Index | None:
        """The elements that a call writes into, where that is all it does but to give a result."""
        at, name = self.writers.get(call.fn, (len(call.args), ""))
        given = call.args[at] if at < len(call.args) else dict(call.options).get(name)
        match given:
            case Index():
                return given
            case Var():
                return Index(given, ir.ELLIPSIS)
        return None

    @functools.cached_property
    def _holders(self) -> dict[str, frozenset[str]]:
        found: dict[str, frozenset[str]] = {}
        for group in set(self.peers.values()):
            for name in group - self.peers.keys():
                found[name] = found.get(name, group) | group
        return found

    def renamed(self, names: dict[str, str]) -> Seen:
        """The same for names that are called otherwise now; two that have become one share their peers."""
        peers: dict[str, frozenset[str]] = {}
        for name, others in self.peers.items():
            new = names.get(name, name)
            peers[new] = peers.get(new, frozenset()).union(names.get(n, n) for n in others)
        return replace(self, peers=peers, at_end=frozenset(names.get(n, n) for n in self.at_end))


NOBODY = Seen()


def measured(e: Expr) -> tuple[Var, tuple[Expr, ...]] | None:
    """The name whose shape gives that of `e`, and the keys that are read for it, where no elements are."""
    match e:
        case Var():
            return e, ()
        case Index(array=array, key=key) if any(isinstance(k, ir.Slice) for k in ir.key_items(key)):
            found = measured(array)
            return None if found is None else (found[0], (*found[1], key))
        case Op(fn="numpy.asarray", args=(of,), options=()):
            return measured(of)
        case Op(fn="numpy.reshape" | "numpy.ravel" | "numpy.transpose", args=(of, *rest), options=()):
            found = measured(of)
            return None if found is None else (found[0], (*found[1], *rest))
    return None


def measured_at(fn: str) -> frozenset[int]:
    """The positions of the arguments of which a function reads the shape or the type only."""
    if fn.startswith("helper."):
        return helpers.measured(fn[7:])
    return FIRST if fn in METADATA else frozenset()


def values_read(e: Expr) -> frozenset[str]:
    """Names whose elements an expression reads, not only their shape or type."""
    match e:
        case Var():
            return frozenset((e.name,))
        case ir.Attribute(value=whole, name="shape" | "size" | "ndim" | "dtype"):
            found = measured(whole)
            return values_read(whole) if found is None else frozenset().union(*map(values_read, found[1]))
        case Op(fn=fn, args=args, options=options) if places := measured_at(fn):
            read = [] if fn in METADATA else [v for _, v in options]
            for i, a in enumerate(args):
                found = measured(a) if i in places else None
                read += [a] if found is None else found[1]
            return frozenset().union(*map(values_read, read))
        case ir.Raw():
            return e.names
    return frozenset().union(*map(values_read, ir.children(e)))


def sources(e: Expr, facts: Facts | None) -> list[tuple[Expr, str]]:
    """The names that the value of `e` may share memory with, and how: see `sharing`."""
    if facts is not None and facts.is_scalar(e) and facts.of(e).kind in ("float", "int", "bool", "any"):
        if isinstance(e, Var):
            return [(e, "view")] if e.name in rank_zero(facts) else []
        if not is_view_of_rank_zero(e, facts):
            return []
    if isinstance(e, Op) and e.fn.startswith("local."):
        if facts is None or facts.calls is None:
            return [(v, "choice") for a in e.args for v, _ in sources(a, facts)]
        return [(v, "choice") for a in facts.calls.returned(e, facts) for v, _ in sources(a, facts)]
    match e:
        case Var():
            return [(e, "view")]
        case Index(array=array, key=key):
            holds = facts is not None and facts.of(array).kind in CONTAINERS  # of those, each key is of one item
            if (not holds and is_copying_key(key, facts)) or (facts is not None and is_part_of_numbers(e, facts)):
                return []
            inner = sources(array, facts)
            kind = "item" if facts is None or facts.of(array).kind in ("list", "tuple", "dict", "any") else "view"
            if facts is not None and facts.of(array).kind == "any":
                kind = "view"
            return [(v, kind if how == "view" else how) for v, how in inner]
        case Op(fn="operator.ifexp", args=(_, a, b)):
            return [(v, "choice") for x in (a, b) for v, _ in sources(x, facts)]
        case Op(fn="builtins.sum", args=(_, start)):  # of nothing, it is what it starts with
            return [(v, "lost") for v, _ in sources(start, facts)]
        case ir.Comprehension(element=element, clauses=clauses):
            taken = dict(pair for target, iterable, _ in clauses for pair in taken_from(target, iterable))
            item = element.stop if isinstance(element, ir.Slice) and element.stop is not None else element
            given = [v for v, _ in sources(item, facts)]
            over = {n: taken[n] for v in given for n in ir.reads(v) if n in taken}
            given += [v for iterable in over.values() for v, _ in sources(iterable, facts)]
            return [(v, "item") for v in given if not ir.reads(v) & taken.keys()]
        case Op():
            how = sharing(e, facts)
            if not how:
                return []
            apart = ("dtype", "key") if e.fn in CHOOSE else ("dtype",)  # keys are compared
            of = e.args[:1] if how in ("view", "choice") else (*e.args, *(v for k, v in e.options if k not in apart))
            found = [x for a in of for x in sources(a, facts)]
            return [(v, k if how == "view" or k == "lost" else how) for v, k in found]
        case ir.Attribute(value=value, name=name):
            return [] if name in ("shape", "size", "ndim", "dtype") else sources(value, facts)
        case ir.Sequence(items=items, starred=starred):
            copied = {items[k] for k in starred if facts is not None and holds_numbers(items[k], facts)}
            return [(v, "item") for i in items if i not in copied for v, _ in sources(i, facts)]
        case ir.Dict(values=values):
            return [(v, "item") for i in values for v, _ in sources(i, facts)]
    return []


def is_view_of_rank_zero(e: Expr, facts: Facts) -> bool:
    """Whether an expression of rank 0 may be an array that shares memory: `y[:1].reshape(())`, `y[0, ...]`, and an item
    of a list in which such may lie, where one is written."""
    match e:
        case Index(array=array) if facts.of(array).kind in CONTAINERS:
            held = ir.reads(array) & holds_rank_zero(facts)
            return bool(held) and not (facts.settled and held.isdisjoint(beside_written(facts, known=False)))
        case Index(array=array, key=key):
            if facts.is_scalar(array) and not (isinstance(array, Var) and array.name in rank_zero(facts)):
                return False  # of a number
            return ir.ELLIPSIS in ir.key_items(key)
    return isinstance(e, Op) and (e.fn in RANK_ZERO or e.fn in MAYBE_VIEWS or gives_view(e, facts))


def gives_view(e: Expr, facts: Facts) -> bool:
    """Whether a helper may return a view of rank 0 of an array with axes."""
    if not isinstance(e, Op) or not e.fn.startswith("local.") or facts.calls is None:
        return False
    return bool(facts.calls.takes_views(e.fn[6:]) and facts.calls.returned(e))


def taken_from(target: Expr, iterable: Expr) -> list[tuple[str, Expr]]:
    """What each name that a loop or a comprehension binds is an item of."""
    match target, iterable:
        case ir.Sequence(items=names), Op(fn="builtins.zip", args=args) if len(names) == len(args):
            return [pair for n, a in zip(names, args, strict=True) for pair in taken_from(n, a)]
    return [(n, iterable) for n in ir.target_names(target)]


def is_part_of_numbers(e: Index, facts: Facts) -> bool:
    """Whether `r[a:b]` is a new list of the numbers of a list: of an array it were a view."""
    return isinstance(e.key, ir.Slice) and holds_numbers(e.array, facts)


def holds_numbers(e: Expr, facts: Facts) -> bool:
    """Whether a value is a list or a tuple of numbers, which are copied with it; so are arrays of rank 0 that nobody
    writes."""
    of = facts.of(e)
    held = of.items if of.kind == "tuple" and of.items else (of.elem,) if of.kind == "list" else ()
    if not held or any(i is None or i.kind in CONTAINERS or facts.shapes(i.shape).rank != 0 for i in held):
        return False
    return not rank_zero(facts) or (facts.settled and not beside_written(facts, known=False))


WORDS = """
    array asanyarray asarray astype broadcast_to choose copy empty empty_like full full_like moveaxis ones ones_like
    piecewise reshape select squeeze swapaxes transpose where zeros zeros_like
"""
# Functions of numbers that give an array of rank 0, which can be written into.
RANK_ZERO = frozenset(f"numpy.{n}" for n in WORDS.split())


HELD = ("any", "float")  # what is put into a list may be seen there, if it is a view


def is_number_or_view(e: Expr, facts: Facts, kinds: tuple[str, ...] = ("any",)) -> bool:
    """Whether an expression is an item of an array, which is a number or a view as the array's rank decides.

    kinds: what it may be; where it is put into a list, of floats, too.
    """
    if not isinstance(e, Index) or facts.of(e).kind not in kinds or facts.of(e.array).kind in CONTAINERS:
        return False
    from s2s.analysis.transfer import key_kind, key_parts

    return (
        not facts.is_array(e)
        and not facts.is_scalar(e)
        and all(key_kind(k, facts) == "int" for k in key_parts(e.key, facts))
    )


def is_unwritten_item(e: Expr, facts: Facts) -> bool:
    """Whether an item is a number or a view, where nothing can tell: stores are into the slots of lists and dicts, and
    into arrays that share no memory with it."""
    return is_number_or_view(e, facts) and ir.reads(e).isdisjoint(beside_written(facts))


def elements(given: Expr, facts: Facts) -> Index:
    """The elements that a helper writes into, of what it is given: all those of an item of a list or a dict."""
    part = isinstance(given, Index) and facts.of(given.array).kind not in CONTAINERS
    return given if part and isinstance(given, Index) else Index(given, ir.ELLIPSIS)


def rank_zero(facts: Facts) -> frozenset[str]:
    """The names that may hold arrays of rank 0."""
    return _rank_zero(facts)[0]


def holds_rank_zero(facts: Facts) -> frozenset[str]:
    """The names of lists, tuples and dicts that may hold such arrays."""
    return _rank_zero(facts)[1]


def _rank_zero(facts: Facts) -> tuple[frozenset[str], frozenset[str]]:
    version = facts.shapes.version
    if facts.rank_zero is None or facts.rank_zero[0] != version:
        every = list(ir.statements(facts.function.body))
        stores = (s.target.array for s in every if isinstance(s, ir.Store))
        found = {array.name for array in stores if isinstance(array, Var) and facts.is_scalar(array)}
        holders: set[str] = set()

        def may_be(e: Expr) -> bool:
            match e:
                case Var(name=name):
                    return name in found
                case Op(fn=fn) if fn in RANK_ZERO or gives_view(e, facts):
                    return facts.ndim(e) in (0, None)  # what it is bound to may be known to have no axes
                case Op(fn="operator.ifexp", args=(_, a, b)):
                    return may_be(a) or may_be(b)
                case Op(form=ir.Form.OPERATOR, args=(Var(name=other), *_)) if other in found:
                    # `z += e` leaves it the array that it was
                    return e.spelling[-1:] == "=" and not e.fn.startswith("operator.")
                case Index(array=array, key=key) if ir.ELLIPSIS in ir.key_items(key):
                    return facts.is_scalar(e) and (not facts.is_scalar(array) or may_be(array))
                case Index(array=Var(name=name)) if name in facts.of_numbers:
                    return True
                case Index(array=array) if holds(array):
                    return not facts.is_array(e) and facts.of(e).kind not in CONTAINERS
            return False

        def holds(e: Expr) -> bool:
            match e:
                case Var(name=name):
                    return name in holders
                case ir.Sequence(items=items) | ir.Dict(values=items):
                    return any(may_be(i) or holds(i) for i in items)
                case ir.Comprehension(element=element):
                    return may_be(element) or holds(element)
                case Index(array=array):
                    return holds(array)
                case Op(fn="operator.ifexp", args=(_, a, b)):
                    return holds(a) or holds(b)
                case Op(fn="builtins.list" | "builtins.tuple" | "numpy.add", args=args):
                    return any(map(holds, args))
            return False

        while True:
            before = len(found) + len(holders)
            for s in every:
                match s:
                    case ir.Unpack(targets=targets, value=Var(name=name)) if name in facts.of_numbers:
                        found.update(targets)
                        continue
                    case ir.Unpack(targets=targets, value=value) if holds(value):
                        holders.update(t for t in targets if facts.of(Var(t)).kind in CONTAINERS)
                        found.update(
                            t for t in targets if facts.of(Var(t)).kind not in CONTAINERS and not facts.is_array(Var(t))
                        )
                        continue
                    case ir.Assign(target=name, value=value) | ir.Append(array=name, value=value):
                        put = isinstance(s, ir.Append)
                    case ir.Store(target=target, value=value):
                        name, put = ir.written_name(target), True
                    case _:
                        continue
                if holds(value) or (put and may_be(value) and facts.of(Var(name)).kind in CONTAINERS):
                    holders.add(name)
                if not put and may_be(value):
                    found.add(name)
            if len(found) + len(holders) == before:
                break
        facts.rank_zero = version, frozenset(found), frozenset(holders)
    return facts.rank_zero[1:]


def beside_written(facts: Facts, known: bool = True) -> frozenset[str]:
    """The names that may share memory with an array which is written into. known: also with one that has axes.

    Where no array is written into that may be of rank 0, such arrays are as good as numbers, unless some are views of
    arrays with axes.
    """
    kept = facts.beside_written.get(known)
    if kept is None or kept[0] != facts.shapes.version:
        every = known or takes_views(facts)
        written: set[str] = set()
        for s in ir.statements(facts.function.body):
            stored = isinstance(s, ir.Store) and facts.of(s.target.array).kind not in CONTAINERS
            places = [s.target.array] if isinstance(s, ir.Store) and stored else []
            for call in ir.helper_calls(*ir.expressions(s)) if facts.calls is not None else ():
                places += facts.calls.written(call, facts).values()
            arrays = (e for e in places if every or not facts.is_array(e))
            written |= {v.name for e in arrays for v, _ in sources(e, None) if isinstance(v, Var)}
        union = Union()
        for s in ir.statements(facts.function.body) if written else ():
            for a, b in (*((a, b) for a, b, _, _ in connections(s, None)), *tangled(s, facts)):
                union.unite(a, b)
        groups = {union.find(n) for n in written}
        names = frozenset(n for n in {*union.parent, *written} if union.find(n) in groups)
        kept = facts.beside_written[known] = facts.shapes.version, names
    return kept[1]


def takes_views(facts: Facts) -> bool:
    """Whether a function, or a helper that it calls, may take a view of rank 0 of an array with axes."""
    f = facts.function
    if any(is_view_without_axes(n) for s in ir.statements(f.body) for n in ir.nodes(s)):
        return True
    calls = facts.calls
    inner = (c for s in ir.statements(f.body) for c in ir.helper_calls(*ir.expressions(s)))
    return calls is not None and any(calls.takes_views(c.fn[6:]) for c in inner)


def is_view_without_axes(e: object) -> bool:
    """Whether an expression may be a view of rank 0 of an array with axes, by its text: `y[0, ...]`, np.squeeze(y)."""
    match e:
        case Index(key=key) if key != ir.ELLIPSIS:
            return ir.ELLIPSIS in ir.key_items(key) and not any(isinstance(k, ir.Slice) for k in ir.key_items(key))
        case Op(fn="numpy.reshape" | "numpy.squeeze"):
            return True
    return False


def sharing(e: Op, facts: Facts | None) -> str:
    """How the value of an operation may share memory with what it is given; "" where it never does, and for helpers.

    view      of the first argument, or a copy: its adjoint is the same view of an adjoint
    choice    of the first argument or a copy of it, as its type decides
    item      a container of what it is given, or an item of that
    lost      of what it is given in a way that is not followed; so is all that is not known
    """
    fn = e.fn
    first = e.args[0] if e.args else ir.NONE
    container = facts is not None and facts.of(first).kind in CONTAINERS
    options = dict(e.options)
    if fn == "numpy.copy" and container and e.form is ir.Form.METHOD:
        return "item"  # of a list or a dict: its items are the same
    if facts is not None and is_addition(e) and facts.of(e).kind in CONTAINERS:
        return "item"  # lists that are joined, or repeated
    if fn == "numpy.einsum":
        return "lost" if len(e.args) == 2 and _moves(first) else ""
    if fn == "numpy.ndarray" and len(e.args) < 3 and "buffer" not in options:
        return ""
    if fn in ("numpy.conj", "numpy.conjugate"):
        return "view" if e.form is ir.Form.METHOD else ""
    if fn in ("numpy.array", "numpy.astype", "numpy.nan_to_num"):
        return "choice" if options.get("copy", ir.Const(True)) != ir.Const(True) and not container else ""
    if fn in NOT_FOLLOWED:
        return "lost" if rules.may_alias(e) else ""
    if fn in READ_ONLY:
        return "" if fn == "numpy.diag" and facts is not None and facts.ndim(first) == 1 else "lost"
    if fn in rules.VIEWS:
        if fn in FRESH_VIEWS or e.spelling.rpartition(".")[2] in COPIES:
            return ""
        if fn in ("numpy.asarray", "numpy.ascontiguousarray", "numpy.float64") and container:
            return ""
        if fn == "numpy.asarray" and (len(e.args) > 1 or e.options):
            return "choice"
        return "item" if fn == "builtins.list" or fn in LISTS_OF_VIEWS else "view"
    if fn in HOLDS_ITEMS:
        return "item" if container or not fn.startswith("copy.") else ""
    if fn in CHOOSE or fn in rules.MAY_SHARE:
        return "lost"
    known = fn.partition(".")[0] in FRESH_MODULES  # what a rule of the user's own is for is not looked at
    known = known or (effects.makes_numbers(fn) and "out" not in options)
    return "" if known or fn in ("method.item", "method.tolist", "copy.deepcopy") else "lost"


def is_addition(e: object) -> TypeGuard[Op]:
    """Whether an operation makes one list of others, if it is one of lists."""
    return isinstance(e, Op) and e.form is ir.Form.OPERATOR and e.fn in JOINS


def _moves(subscripts: Expr) -> bool:
    """Whether np.einsum of one operand only moves its axes: that is a view."""
    if not isinstance(subscripts, ir.Const) or not isinstance(subscripts.value, str):
        return True
    before, arrow, after = subscripts.value.replace(" ", "").partition("->")
    if not arrow:  # each letter that stands once is in the result
        return len(set(before)) == len(before)
    return set(before) == set(after)


def is_copying_key(key: Expr, facts: Facts | None) -> bool:
    """An integer array or a mask as a key makes a copy."""
    keys = ir.key_items(key)
    if facts is None:
        return any(isinstance(k, ir.Sequence) for k in keys)
    from s2s.analysis.transfer import key_kind

    return any(key_kind(k, facts) in ("ints", "mask") for k in keys)


Flow = frozenset[tuple[str, str, str]]  # ("alias", a, b), ("stored", name, ""), ("rebound", name, "")


def pair(a: str, b: str) -> tuple[str, str, str]:
    return ("alias", a, b) if a < b else ("alias", b, a)


class Union:
    """Disjoint sets of names."""

    def __init__(self) -> None:
        self.parent: dict[str, str] = {}

    def find(self, name: str) -> str:
        self.parent.setdefault(name, name)
        while self.parent[name] != name:
            self.parent[name] = self.parent[self.parent[name]]
            name = self.parent[name]
        return name

    def unite(self, a: str, b: str) -> None:
        a, b = self.find(a), self.find(b)
        if a != b:
            self.parent[max(a, b)] = min(a, b)


def tangled(s: Stmt, facts: Facts | None) -> list[tuple[str, str]]:
    """Pairs of names that a call binds to parts of a helper's result which may share memory; a name of such a whole is
    a pair with itself."""
    if not isinstance(s, ir.Assign | ir.Unpack) or not isinstance(s.value, Op) or not s.value.fn.startswith("local."):
        return []
    if facts is None or facts.calls is None or not facts.calls.tangled(s.value, facts):
        return []
    names = [n for n in ir.binds(s) if not facts.is_scalar(Var(n)) or facts.of(Var(n)).kind in CONTAINERS]
    return list(zip(names, [*names[1:], *names[:1]], strict=True))


def connections(s: Stmt, facts: Facts | None) -> list[tuple[str, str, str, Expr]]:
    """(name, other, how, value) for each name that a statement connects with another."""
    if facts is not None and isinstance(s, ir.Assign | ir.Append | ir.Store) and is_unwritten_item(s.value, facts):
        named = isinstance(s, ir.Assign) and not facts.any_rank  # a name of an item is taken for a number
        if not (named and beside_written(facts)):
            return []
    if facts is not None and isinstance(s, ir.Assign) and s.target in facts.guarded:
        return []
    match s:
        case ir.Assign():
            found = [(s.target, v.name, how, s.value) for v, how in sources(s.value, facts) if isinstance(v, Var)]
            return found + [(a, b, "lost", s.value) for a, b in tangled(s, facts)]
        case ir.Unpack():
            value = taken_apart(s, facts)
            taken = [t for t in s.targets if facts is None or not is_taken_number(facts, t, value)]
            others = [
                (v.name, how if how == "lost" else "taken") for v, how in sources(value, facts) if isinstance(v, Var)
            ]
            rest = s.targets[s.starred] if s.starred >= 0 else ""
            found = [
                (t, n, "item", Index(value, ir.Slice(None, None))) if t == rest else (t, n, how, value)
                for n, how in others
                for t in taken
            ]
            return found + [(a, b, "lost", value) for a, b in tangled(s, facts)]
        case ir.Shrink():
            return []
        case ir.Append():
            return [(s.array, v.name, "put", s.value) for v, _ in sources(s.value, facts) if isinstance(v, Var)]
        case ir.For():
            return [
                (t, v.name, "taken", s.iterable)
                for t, it in taken_from(s.target, s.iterable)
                for v, _ in sources(it, facts)
                if isinstance(v, Var)
            ]
        case ir.Store(target=target):
            base = ir.written_name(target)
            if facts is not None and facts.of(target.array).kind not in ("list", "dict"):
                return []  # the elements are copied
            if facts is not None and isinstance(target.key, ir.Slice) and holds_numbers(s.value, facts):
                return []  # and so are numbers that are put into a part of a list
            value = s.value
            if isinstance(target.key, ir.Slice) and isinstance(value, Var):  # not the list is put in, but its items
                value = Index(value, ir.Slice(None, None))
            return [(base, v.name, "put", value) for v, _ in sources(s.value, facts) if isinstance(v, Var)]
    return []


def taken_apart(s: ir.Unpack, facts: Facts | None) -> Expr:
    """What names are taken from: the call of a helper, where a part of what it returns, which shares no memory with
    the others, is taken apart at once."""
    if facts is None or facts.calls is None or not isinstance(s.value, Var):
        return s.value
    if facts.handed_on is None or facts.handed_on[0] is not facts.function:
        facts.handed_on = facts.function, ir.handed_on(facts.function)
    call = facts.handed_on[1].get(s.value.name)
    return s.value if call is None or facts.calls.tangled(call, facts) else call


def is_taken_number(facts: Facts, name: str, value: Expr) -> bool:
    """Whether a name of an unpacking is bound to a number, or to a tuple of such, and to no array of rank 0 that lies
    in what is unpacked, or that a helper takes as a view."""

    def numbers(fact: Fact) -> bool:
        if fact.kind == "tuple" and fact.items:
            return all(map(numbers, fact.items))
        return fact.kind not in CONTAINERS and facts.shapes(fact.shape).rank == 0

    if not numbers(facts.of(Var(name))) or name in rank_zero(facts):
        return False
    if gives_view(value, facts):
        return False
    return ir.reads(value).isdisjoint(holds_rank_zero(facts) | rank_zero(facts))


CONTAINERS = ("list", "tuple", "dict")


def of_floats(fact: Fact) -> Fact:
    """What is known of the tangent or the adjoint of a value."""
    return fact if fact.kind in CONTAINERS else replace(fact, kind="float")


def in_common(f: ir.Function, facts: Facts | None = None) -> Union:
    """The names that may share memory, or what they hold; an item of what may be a list is a name for what is in it.

    facts: numbers share nothing, and what helpers return is known better.
    """
    union = Union()
    for s in ir.statements(f.body):
        helper = isinstance(s, ir.Assign | ir.Unpack) and isinstance(s.value, Op) and s.value.fn.startswith("local.")
        for a, b, _, _ in connections(s, facts if helper else None):
            if facts is None or not (is_number(facts, a) or is_number(facts, b)):
                union.unite(a, b)
    return union


def is_number(facts: Facts, name: str) -> bool:
    return facts.of(Var(name)).kind not in CONTAINERS and facts.is_scalar(Var(name))


def unions(s: Stmt, facts: Facts | None, settled: Container[int] = ()) -> list[tuple[str, str]]:
    """The locations that a statement makes one: names, and `L[]` for what a list holds.

    settled: statements that make none, see `connecting_last`.
    """
    pairs = (united_by(c, facts) for c in connections(s, facts)) if id(s) not in settled else ()
    return [pair for pair in pairs if pair is not None]


def connecting_last(f: ir.Function, facts: Facts, union: Union) -> frozenset[int]:
    """The statements that connect names of arrays, behind which nothing is written into these, and which the function
    does not return: from there on what they share stays as it is, and each may have an adjoint of its own."""
    found: set[int] = set()

    def written(s: Stmt) -> set[str]:
        names = {*written_into([s], facts), *(ir.reads(s.value) if isinstance(s, ir.Return) and s.value else ())}
        return {union.find(n) for n in names if n in union.parent}

    def is_of_array(connection: tuple[str, str, str, Expr]) -> bool:
        name, other, how, _ = connection
        return how != "lost" and facts.of(Var(other if how == "put" else name)).kind in NO_LISTS

    def visit(block: ir.Block, behind: set[str]) -> None:
        for s in reversed(block):
            inside = {c for x in ir.statements((s,)) for c in written(x)}
            for inner in ir.blocks(s):
                visit(inner, behind | inside if isinstance(s, ir.For | ir.While) else behind)
            behind = behind | inside
            links = connections(s, facts)
            pairs = (united_by(c, facts) for c in links)
            seen = {union.find(n) for pair in pairs if pair is not None for n in pair}
            if seen.isdisjoint(behind) and all(map(is_of_array, links)):
                found.add(id(s))

    visit(f.body, set())
    return frozenset(found)


def united_by(connection: tuple[str, str, str, Expr], facts: Facts | None) -> tuple[str, str] | None:
    """The two locations that a connection makes one; None where it is between a number and what a list holds."""
    name, other, how, value = connection
    if facts is None:
        return name, other
    holds, held = (facts.of(Var(n)).kind in CONTAINERS for n in (name, other))
    if how == "taken" and held:
        return name, f"{other}[]"
    if how not in ("item", "put", "taken"):
        if holds and not held:  # `(u, v) if c else (v, u)`, and what a helper returns with its arguments in it
            return f"{name}[]", other
        if holds or not held or not (isinstance(value, Op) and value.fn.startswith("local.")):
            return name, other
        return None if facts.is_scalar(Var(name)) else (name, f"{other}[]")  # a helper returns what lies in an argument
    match value:
        case Index(key=key) if holds and held:  # of lists; what is put into one, it holds
            listed = how == "put" or isinstance(key, ir.Slice)
            return (f"{name}[]" if listed else name), f"{other}[]"
        case Op() if holds and held:
            return f"{name}[]", f"{other}[]"
        case ir.Sequence(items=items, starred=starred) if holds and any(
            items[k] == Var(other) for k in starred
        ):  # what it holds is put in, not the list itself
            return f"{name}[]", f"{other}[]" if held else other
    return f"{name}[]" if holds else name, f"{other}[]" if held and not holds else other


def location(target: Expr, facts: Facts | None) -> str:
    """What a store into a part of `target` writes: the elements of a name, or of what a list holds."""
    match target:
        case Var(name=name):
            return name
        case Index(array=array, key=key):
            inner = location(array, facts)
            listed = facts is not None and facts.of(array).kind in CONTAINERS and not isinstance(key, ir.Slice)
            return f"{inner}[]" if listed else inner
        case Op(args=(first, *_)):
            return location(first, facts)
    raise TypeError(type(target).__name__)


def united(
    f: ir.Function,
    facts: Facts | None,
    calls: Any = None,
    updates: bool = False,
    alone: frozenset[str] = ir.NO_NAMES,
    moved: frozenset[str] = ir.NO_NAMES,
    settled: frozenset[int] = frozenset(),
) -> tuple[Union, set[str]]:
    """The locations of a function that may be one, and those that are stored into; updates: by `x += e`, too.

    alone: lists that grow only while no other name sees them; moved: lists that nothing but another list sees, once
    they are put into it; settled: statements that connect what stays as it is, see `connecting_last`.
    """
    union = Union()
    written: set[str] = set()
    grown: list[str] = []
    every = list(ir.statements(f.body))
    for s in every:
        match s:
            case ir.Store():
                written.add(location(s.target.array, facts))
                continue
            case ir.Append() if facts is not None and s.array not in alone:
                grown.append(s.array)
            case ir.Assign(target=target, value=Op(args=(old, *_)) as value) if updates and ir.is_update(value):
                written.add(target)
                if facts is None and isinstance(old, Var):  # the array that it was, which may have another name
                    union.unite(target, old.name)
        written.update(written_by(s, facts, calls))
    if not written and not grown:
        return union, written  # nobody asks what shares memory that is never written
    for s in every:
        if is_move(s, moved):
            continue
        for a, b in unions(s, facts, settled):
            union.unite(a, b)
    for name in grown:  # a list with two names that grows changes under both
        if any(n != name and n[-2:] != "[]" and union.find(n) == union.find(name) for n in list(union.parent)):
            written.add(name)
    for n in [*union.parent, *written] if written else ():  # what holds what is written, at any depth
        while n.endswith("[]"):
            union.find(n)
            n = n[:-2]
    while written:  # what lists that may be one hold may be one
        before = dict(union.parent)
        members: dict[str, list[str]] = {}
        for n in sorted({*union.parent, *written}):
            members.setdefault(union.find(n), []).append(n)
        for group in members.values():
            inner = [f"{n}[]" for n in group if f"{n}[]" in union.parent]
            for n in inner[1:]:
                union.unite(inner[0], n)
        if union.parent == before:
            break
    while written:  # a list whose items are written is one with them
        before = dict(union.parent)
        stored = {union.find(n) for n in written}
        for n in [n for n in union.parent if n.endswith("[]") and union.find(n) in stored]:
            union.unite(n, n[:-2])
        if union.parent == before:
            break
    return union, written


def is_filled_by(s: Stmt) -> bool:
    """Whether a dict gets an entry under a new key: what lay in it stays."""
    return isinstance(s, ir.Store) and s.new and isinstance(s.target.array, Var)


def is_move(s: Stmt, moved: frozenset[str]) -> bool:
    return isinstance(s, ir.Append) and isinstance(s.value, Var) and s.value.name in moved


def written_by(s: Stmt, facts: Facts | None, calls: Any = None) -> list[str]:
    """The names that a statement stores into, itself or by a helper that it calls."""
    if isinstance(s, ir.Store):
        return [ir.written_name(s.target)]
    calls = calls if facts is None else facts.calls
    out: list[str] = []
    for call in ir.helper_calls(*ir.expressions(s)) if calls is not None else ():
        found = calls.maybe_written(call) if facts is None else calls.written(call, facts).values()
        names = [v.name for a in found for v, _ in sources(a, None) if isinstance(v, Var)]
        out += names
        out += [f"{n}[]" for n in names if facts is not None and facts.of(Var(n)).kind in CONTAINERS]  # or its items
    return out


def classes(f: ir.Function, facts: Facts | None, calls: Any = None, updates: bool = False) -> dict[str, frozenset[str]]:
    """The names that may see the same buffer, for each name of a class that is stored into.

    updates: `x += e` counts as a store, too.
    """
    union, written = united(f, facts, calls, updates)
    if not written:
        return {}
    stored = {union.find(n) for n in written}
    groups: dict[str, set[str]] = {}
    for n in {*union.parent, *written}:
        if union.find(n) in stored:
            groups.setdefault(union.find(n), set()).add(n)
    return {n: frozenset(x for x in g if x[-2:] != "[]") for g in groups.values() for n in g if n[-2:] != "[]"}


def analyse(f: ir.Function, facts: Facts, outputs: tuple[str, ...] = ()) -> Aliases:
    """The classes of `f` that are stored into. `outputs`: parameters whose final elements somebody reads."""
    everything = list(ir.statements(f.body))
    written = {n for s in everything for n in written_by(s, facts)}
    union, locations = united(f, facts)
    if not locations:
        return Aliases()
    written |= {n for n in locations if n[-2:] != "[]"}

    def classes_of(
        union: Union, locations: set[str], moved: frozenset[str] = ir.NO_NAMES, done: frozenset[int] = frozenset()
    ) -> _Classes:
        stored = {union.find(n) for n in locations}
        found = [
            (s, c)
            for s in everything
            if not is_move(s, moved) and id(s) not in done
            for c in connections(s, facts)
            if (pair := united_by(c, facts)) is not None
            and union.find(pair[0]) in stored  # else nothing that the two share is written
        ]
        names = {n for n in {*union.parent, *locations} if union.find(n) in stored and n[-2:] != "[]"}
        into = {union.find(n) for n in written_into(everything, facts)}
        names = {n for n in names if union.find(n) in into or facts.of(Var(n)).kind not in NO_LISTS}
        return _Classes(f, facts, union, names, written, found, outputs)

    out = classes_of(union, locations)
    alone, moved = out.put_away()
    if alone or moved:
        union, locations = united(f, facts, alone=alone, moved=moved)
        if not locations:
            return Aliases()
        out = classes_of(union, locations, moved)
    found = out.run()
    done = connecting_last(f, facts, union) if found.dynamic else frozenset[int]()
    while done:
        union, locations = united(f, facts, alone=alone, moved=moved, settled=done)
        apart = classes_of(union, locations, moved, done).run() if locations else Aliases()
        beside = {n for n, c in apart.of.items() if c in apart.dynamic}  # whose adjoints are bound beside them
        mixed = {id(s) for s in everything if id(s) in done and any(beside & {*c[:2]} for c in connections(s, facts))}
        if not mixed:
            found = apart
            break
        done -= mixed
    while True:
        put = ((s.array, s.value) for s in everything if isinstance(s, ir.Append) and is_move(s, moved))
        classes = found.of | found.parts
        parts = {value.name: classes[name] for name, value in put if isinstance(value, Var) and name in classes}
        if parts.keys() <= found.parts.keys():
            return found
        found.parts |= parts


NO_LISTS = ("float", "int", "bool")  # numbers and arrays of them: no slot of a list is one of theirs


def written_into(every: Iterable[Stmt], facts: Facts) -> Iterator[str]:
    """The locations of which elements are written, not only the slots of lists and dicts."""
    for s in every:
        if not isinstance(s, ir.Store):
            yield from written_by(s, facts)
        elif facts.of(s.target.array).kind not in CONTAINERS:
            yield from (location(s.target.array, facts), ir.written_name(s.target))


class _Classes:
    def __init__(
        self,
        f: ir.Function,
        facts: Facts,
        union: Union,
        names: set[str],
        written: set[str],
        found: list[tuple[Stmt, tuple[str, str, str, Expr]]],
        outputs: tuple[str, ...],
    ) -> None:
        self.outputs = outputs
        self.f, self.facts, self.union, self.names, self.written, self.found = f, facts, union, names, written, found
        self.late: set[str] = set()  # read after a store that came behind their binding, or stored through
        self.watched: set[str] = set()  # lists that grow while another name sees them
        self.shared: set[str] = set()  # what grows, or is put into a list, while another name sees it
        self.stale: set[str] = set()  # read after their base or a name in their key was bound again
        self.paths: dict[str, list[tuple[str, Expr]]] = {}
        self.bindings: dict[str, int] = {}

    def put_away(self) -> tuple[frozenset[str], frozenset[str]]:
        """Rows that are filled and then put into a list of rows.

        First the lists that grow only before another name sees them. Then lists, dicts and arrays that are made, put
        into one list, and read by nothing else: from there on they are parts of that list. So is what they hold.
        """
        every = list(ir.statements(self.f.body))
        grown = {s.array for s in every if isinstance(s, ir.Append)} & self.names
        if not grown:
            return ir.NO_NAMES, ir.NO_NAMES
        self.prepare()
        held = {s.value.name for s in every if isinstance(s, ir.Append) and isinstance(s.value, Var)} & self.names
        held -= self.shared | set(self.f.names) | set(self.outputs)
        for s in every:
            match s:
                case ir.Assign(value=value) if isinstance(value, ir.Sequence) or id(s) not in self.linked:
                    held -= ir.reads(value)
                case ir.Append(value=Var()):
                    pass
                case ir.Store(value=value) if is_filled_by(s):
                    held -= ir.reads(value)
                case _:
                    held -= {*ir.binds(s), *(n for e in ir.expressions(s) for n in ir.reads(e))}
        while found := {t for t in held if any(other not in held for other, *_ in self.links.get(t, ()))}:
            held -= found
        return frozenset(grown - self.watched), frozenset(held)

    def run(self) -> Aliases:
        self.prepare()
        out = Aliases()
        classes: dict[str, set[str]] = {}
        for name in self.names:
            classes.setdefault(self.union.find(name), set()).add(name)
        for representative, members in classes.items():
            self.settle(out, representative, members)
        return out

    def prepare(self) -> None:
        links: dict[str, list[tuple[str, str, Expr, Stmt]]] = {}
        for s, (name, other, how, value) in self.found:
            if name in self.names and other in self.names:
                links.setdefault(name, []).append((other, how, value, s))
        self.links = links
        linked = {id(s) for s, _ in self.found}
        every = list(ir.statements(self.f.body))
        self.fresh = {s.target for s in every if isinstance(s, ir.Assign) and id(s) not in linked}
        self.subscripted = {
            n.array.name
            for s in ir.statements(self.f.body)
            for n in ir.nodes(s)
            if isinstance(n, Index) and isinstance(n.array, Var)
        }
        for name in self.f.names:
            self.bindings[name] = 1
        for s in ir.statements(self.f.body):
            for name in ir.binds(s):
                self.bindings[name] = self.bindings.get(name, 0) + 1
        self.writes = {
            id(s): [s.array] for s in ir.statements(self.f.body) if isinstance(s, ir.Append) and s.array in self.names
        }
        self.grown = {s.array for s in ir.statements(self.f.body) if isinstance(s, ir.Append)}
        self.writes |= {id(s): w for s in ir.statements(self.f.body) if (w := written_by(s, self.facts))}
        self.flow()

    def settle(self, out: Aliases, representative: str, members: set[str]) -> None:
        todo = sorted(n for n in members if n in self.late)
        origin = None
        why = ""
        while todo and not why:  # values among the bases of views are views themselves: one name, one adjoint
            name = todo.pop(0)
            if name in out.views or name not in self.links:
                continue
            linked = self.links[name]
            other, how, value, s = linked[0]
            origin = s.origin
            again = self.bindings.get(name, 0) > 1 or name in self.stale
            if how == "lost":
                out.lost.append((name, other, value, origin))
            if len(linked) > 1 or how != "view" or again or members & self.grown:
                why = f"`{name}` and `{other}` may be the same array"
                break
            if isinstance(value, Op) and value.fn in MAYBE_VIEWS:
                why = f"`{name}` is a view of `{other}` or a copy"  # the adjoint is made with the same layout
                break
            if not (self.is_surely_view(value) or name in self.subscripted or name in self.written):
                out.unsure.append((name, value, origin))
            if name in (other, out.path(other)[0]):  # `u = u` of a name that is never bound else
                why = f"`{name}` is read before it is bound"
                break
            out.views[name] = (other, _path(value, other))
            todo.append(other)
        roots = sorted(n for n in members if n not in out.views)
        values = {n for n in roots if n in self.links}
        real = {n for n in roots if n not in values}
        for name in members & set(self.outputs):
            if self.bindings[name] > 1:
                why = why or f"`{name}` is bound again, and its first array is a result"
        for name in values & self.written:
            why = why or f"`{name}` may share memory with another array"
        groups: dict[str, set[str]] = {r: {r} for r in real}
        if why:
            # an item has a shadow in such a class only if it is a view
            for name in sorted(members & self.links.keys()):
                for other, how, value, s in self.links[name]:
                    if how == "lost":
                        out.lost.append((name, other, value, s.origin))
                    known = self.is_surely_view(value) or name in self.subscripted or name in self.written
                    if how == "view" and not known:
                        out.unsure.append((name, value, s.origin))
            for n in members:
                out.of[n] = representative
                out.views.pop(n, None)
            out.members[representative] = frozenset(members)
            out.dynamic[representative] = (why, origin)
            return
        for name in members - real:
            for root in self.reaches(name, set()):
                groups.setdefault(root, {root}).add(name)
        owners: dict[str, set[str]] = {}
        for root, group in groups.items():
            for n in group:
                owners.setdefault(n, set()).add(root)
        # a value that may be of two buffers makes their contents one location
        merged = Union()
        for roots_of in owners.values():
            first, *rest = sorted(roots_of)
            for r in rest:
                merged.unite(first, r)
            merged.find(first)
        for name, roots_of in owners.items():
            out.of[name] = merged.find(min(roots_of))
        for representative_ in sorted({out.of[n] for n in owners}):
            together = frozenset(n for n in owners if out.of.get(n) == representative_)
            if not any(n in self.written for n in together):
                for n in together:
                    del out.of[n]
                continue
            out.members[representative_] = together
            holding = any(self.facts.of(Var(n)).kind in CONTAINERS for n in together)
            out.buffers |= {r for n in together & self.written for r in (real if holding else owners[n])} & together
            mine = sorted(r for r in real if out.of.get(r) == representative_)
            if len(mine) == 1:
                out.roots[representative_] = mine[0]

    def is_surely_view(self, value: Expr) -> bool:
        """An item is a view of its array only if it is an array itself."""
        if not isinstance(value, Index) or self.facts.is_array(value):
            return True
        from s2s.analysis.transfer import key_kind

        keys = ir.key_items(value.key)
        return all(key_kind(k, self.facts) in ("slice", "ellipsis", "newaxis") for k in keys)

    def reaches(self, name: str, seen: set[str]) -> set[str]:
        if name not in self.links:
            return {name}
        out: set[str] = set()
        for other, *_ in self.links[name]:
            if other not in seen:
                out |= self.reaches(other, seen | {name})
        if name in self.fresh:
            out.add(name)  # some of its bindings are
        return out or {name}

    # ------------------------------------------------------------ what is read after a store
    def flow(self) -> None:
        """Finds what is read after a store into it, or after what it was taken from was bound again."""
        self.heads: dict[int, Flow] = {}
        self.breaks: list[list[Flow]] = []
        self.ground: dict[str, frozenset[str]] = {}
        self.linked: dict[int, list[tuple[str, str]]] = {}
        for s, (name, other, _, _) in self.found:
            if name in self.names and other in self.names:
                self.linked.setdefault(id(s), []).append((name, other))
        self.block(self.f.body, frozenset())

    def block(self, block: Block, state: Flow | None) -> Flow | None:
        for s in block:
            if state is None:
                return None
            state = self.statement(s, state)
        return state

    def use(self, names: frozenset[str], state: Flow) -> None:
        for n in names & self.names:
            if ("stored", n, "") in state:
                self.late.add(n)
            if ("rebound", n, "") in state:
                self.stale.add(n)

    def partners(self, name: str, state: Flow) -> set[str]:
        """The names that may see now what `name` sees."""
        out: set[str] = set()
        for kind, a, b in state:
            if kind == "alias" and name in (a, b):
                out.add(b if a == name else a)
        return out

    def seers(self, name: str, state: Flow) -> set[str]:
        """The partners of a list that may see the list itself: not those that are only put into it."""
        origins = self.origins(name)
        return {n for n in self.partners(name, state) if n in origins or not origins.isdisjoint(self.grounds(n))}

    def origins(self, name: str) -> frozenset[str]:
        """The names of which a name may have the list that it is bound to, and itself."""
        seen: set[str] = set()
        todo = [name]
        while todo:
            seen.add(name := todo.pop())
            for other, _, value, s in self.links.get(name, ()):
                if isinstance(s, ir.Append | ir.Store) or isinstance(value, ir.Sequence):
                    continue  # in a list that is made here
                if isinstance(s, ir.Assign) and isinstance(value, Var):
                    todo += {other} - seen
                else:
                    seen |= {other, *self.grounds(other)}
        return frozenset(seen)

    def connect(self, name: str, others: Iterable[str], state: Flow) -> Flow:
        found = {x for o in others for x in (o, *self.partners(o, state)) if x != name}
        return state | {pair(name, x) for x in found}

    def bind(self, s: Stmt, state: Flow) -> Flow:
        """The state after the names that a statement binds see what their values see."""
        bound = set(ir.binds(s))
        linked = self.linked.get(id(s), [])
        if not bound:
            for name, other in linked:
                state = self.connect(name, [other], state)
            return state
        shared = {name: {x for a, o in linked if a == name for x in (o, *self.partners(o, state))} for name in bound}
        out: Flow = frozenset([x for x in state if x[1] not in bound and x[2] not in bound])
        for name, others in shared.items():
            out |= {pair(name, o) for o in others - bound}
        out |= {pair(a, b) for a, b in tangled(s, self.facts) if a != b}
        stale = {
            ("rebound", name, "")
            for name, found in self.links.items()
            if name not in bound
            if self.grounds(name) & bound
        }
        return out | stale

    def grounds(self, name: str) -> frozenset[str]:
        """What a linked name was taken from, through others: bases and the names in keys."""
        if name not in self.ground:
            seen: set[str] = set()
            todo = [name]
            while todo:
                for other, _, value, _ in self.links.get(todo.pop(), ()):
                    new = {other, *ir.reads(value)} - seen
                    seen |= new
                    todo += new
            self.ground[name] = frozenset(seen)
        return self.ground[name]

    def statement(self, s: Stmt, state: Flow) -> Flow | None:
        for e in ir.expressions(s):
            self.use(ir.reads(e), state)
        for base in self.writes.get(id(s), ()):
            self.late.add(base)
            self.use(frozenset((base,)), state)
            state = state | {("stored", n, "") for n in self.partners(base, state) if n in self.links}
        match s:
            case ir.Append(array=base):
                held = [s.value.name] if isinstance(s.value, Var) else []  # two lists may hold it, or one may twice
                found = {n for n in (base, *held) if n in self.names and self.seers(n, state)}
                self.watched |= found & {base}
                self.shared |= found
        match s:
            case ir.If():
                a = self.block(s.body, state)
                b = self.block(s.orelse, state)
                if a is None:
                    return b
                return a if b is None else a | b
            case ir.For() | ir.While():
                head = state | self.heads.get(id(s), frozenset())
                while True:
                    self.breaks.append([])
                    inner = self.bind(s, head)
                    if isinstance(s, ir.While):
                        self.use(ir.reads(s.test), inner)
                    end = self.block(s.body, inner)
                    left = self.breaks.pop()
                    again = head | (end or frozenset())
                    if again == head:
                        break
                    head = again
                self.heads[id(s)] = head
                return head.union(*left) if left else head
            case ir.Break():
                self.breaks[-1].append(state)
                return None
            case ir.Return():
                return None
            case ir.Inert(keyword="raise"):
                return None
        return self.bind(s, state)


def settled(
    f: ir.Function, facts: Facts, outputs: tuple[str, ...] = ()
) -> tuple[Aliases, list[tuple[str, Expr, ir.Origin | None]]]:
    """The classes of `f`, with items of arrays of unknown rank taken for numbers where it matters.

    `a = y[0]` is a number or a view, and it matters where y is written before a is read. That it is a number becomes
    a fact where it follows from ranks of parameters, which the output guards. Second result: those of which it does
    not, with what they are bound to (see `take_for_numbers`).
    """
    from s2s.analysis.shapes import SCALAR

    tried: set[str] = set()
    while True:
        out = analyse(f, facts, outputs)
        if all(name in tried for name, _, _ in out.unsure):
            return out, out.unsure
        summed = reduced_names(f)
        for name, value, _ in out.unsure:
            tried.add(name)
            before = facts.shapes.version
            if name in summed:
                facts.assume_rank(value, 1)
                continue
            facts.assume_scalar(value)
            if facts.shapes.version == before or facts.shape(Var(name)) != SCALAR:
                facts.assume_scalar(Var(name))


def take_for_numbers(f: ir.Function, facts: Facts, unsure: list[tuple[str, Expr, ir.Origin | None]]) -> bool:
    """Takes items of arrays for numbers where they are bound, which the output asserts there; false where none is one
    that has one name and one place, and of which nothing says that it is an array."""
    from s2s.analysis.shapes import SCALAR

    bound = Counter(n for s in ir.statements(f.body) for n in ir.binds(s))
    summed = reduced_names(f)
    swapped = counts.exchanges(f)
    items = {
        n
        for n, e, _ in unsure
        if bound[n] == 1 and n not in summed
        if is_number_or_view(e, facts, HELD) or (n in swapped and not facts.is_array(e))
    }
    second = {s.value.name: s for s in ir.statements(f.body) if isinstance(s, ir.Assign) and isinstance(s.value, Var)}
    for name in list(items):
        match second.get(name):  # `x, a[0] = a[0], y`: the name of the user's own is asserted first
            case ir.Assign(target=own) if own not in facts.guarded and bound[own] == 1 and own not in summed:
                items = items - {name} | {own}
    for name in items:
        facts.guarded.add(name)
        facts.names[name] = replace(facts.of(Var(name)), shape=SCALAR)
    for key in {k for e in swapped.values() for k in ir.key_items(e.key)} if items & swapped.keys() else ():
        if isinstance(key, Var) and bound[key.name] == 1 and key.name not in f.names and facts.of(key).kind == "any":
            facts.guarded.add(key.name)
            facts.names[key.name] = replace(facts.of(key), kind="int", shape=SCALAR)
    return bool(items)


def take_chosen_for_numbers(f: ir.Function, facts: Facts, lost: list[tuple[str, str, Expr, ir.Origin | None]]) -> bool:
    """Takes what `min(a, b)` and `max(a, b)` choose for numbers, which the output asserts where they are bound: such
    values are compared, and arrays of more than one element are not; false where there is none to take, or another
    value that is not followed."""
    from s2s.analysis.shapes import SCALAR

    bound = Counter(n for s in ir.statements(f.body) for n in ir.binds(s))
    chosen = {n for n, _, e, _ in lost if isinstance(e, Op) and e.fn in COMPARED and len(e.args) > 1 and bound[n] == 1}
    if not lost or chosen != {n for n, *_ in lost} or chosen & facts.guarded:
        return False
    if any(facts.of(a).kind in CONTAINERS for _, _, e, _ in lost for a in ir.children(e)):  # one of two lists
        return False
    for name in chosen:
        facts.guarded.add(name)
        facts.names[name] = replace(facts.of(Var(name)), shape=SCALAR)
    return True


def kept_values(f: ir.Function) -> frozenset[str]:
    """The names of what is put into lists, tuples and dicts, and of what gets a second name: `x, a[0] = a[0], y`."""
    found: set[str] = set()
    for s in ir.statements(f.body):
        if isinstance(s, ir.Append | ir.Store | ir.Assign) and isinstance(s.value, Var):
            found.add(s.value.name)
        for e in ir.expressions(s):
            for n in ir.walk(e):
                if isinstance(n, ir.Sequence | ir.Dict):
                    found.update(
                        v.name for v in (n.items if isinstance(n, ir.Sequence) else n.values) if isinstance(v, Var)
                    )
    return frozenset(found)


def reduced_names(f: ir.Function) -> set[str]:
    """Names of which a sum, a mean, a maximum is taken: nobody takes it of a number, though NumPy would."""
    ops = (n for s in ir.statements(f.body) for e in ir.expressions(s) for n in ir.walk(e) if isinstance(n, ir.Op))
    return {
        n.args[0].name
        for n in ops
        if n.fn.startswith("numpy.")
        and n.args
        and isinstance(n.args[0], Var)
        and isinstance(rules.lookup(n.fn), Reduction)
    }


def _path(value: Expr, base: str) -> Expr:
    return ir.substitute(value, {base: ROOT})


__all__ = ["ROOT", "Aliases", "analyse", "classes", "in_common", "sources", "values_read"]
