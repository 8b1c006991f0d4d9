"""The adjoints of values: their states, and how contributions are gathered and accumulated.

Each value adjoint has a state: absent, a constant, or a variable that is owned (fresh: it may be updated in place) or
borrowed (it may share memory: the next contribution goes out of place).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from s2s import algebra, ir, rules
from s2s.algebra import ONE, ZERO
from s2s.analysis.activity import operands
from s2s.analysis.aliases import CONTAINERS, RANK_ZERO, ROOT, is_unwritten_item, rank_zero, sources
from s2s.analysis.containers import are_arrays
from s2s.analysis.diagonals import is_view
from s2s.analysis.facts import FLOATING, NOT_DIFFERENTIABLE, Fact, holds_mixed, is_open_mask
from s2s.analysis.numbers import COMPLEX, EITHER, REAL, upper
from s2s.analysis.shapes import SCALAR, Dim, Shape, unknown
from s2s.analysis.transfer import key_kind, key_parts
from s2s.derive.context import CHEAP, TURNED, Context, is_costly, role_of
from s2s.derive.nodes import Group
from s2s.derive.owned import held, is_size
from s2s.derive.phrases import (
    ARITHMETIC,
    WIDTH,
    asserted_array,
    bar,
    copied,
    entry_name,
    is_dict_of_floats,
    is_list_of_numbers,
    is_optional_object,
    joined,
    keyed_zeros,
    lacks_parts,
    method,
    new_numbers,
    owned,
    repeated,
    structure_of_zeros,
    zero_part,
    zero_record,
    zero_structure,
)
from s2s.derive.refusals import PARTS, refuse, refuse_shared, stating
from s2s.derive.survey import may_lack, scattered, survey
from s2s.frozen import replace
from s2s.ir import Assign, Augment, Const, Expr, Index, Op, Stmt, Var
from s2s.rules.kinds import Reduction

LONG = 6  # operations from which on an intermediate adjoint gets a name, though it is used once


MIXED = "items of this list are lists in one place, and numbers or arrays in another"
COPIES_OF_LISTS = ("builtins.list", "builtins.tuple")  # of which the items are the same


@dataclass(frozen=True, slots=True)
class Adjoint:
    """The state of a value adjoint. `shape` may be smaller than the value's: a uniform adjoint.

    masked: all that it is made of comes from branches, of np.where or an if, or is added to items that a key selects;
    it is zero where no branch was taken, and in what no key names.
    cut: items of it that a key selects were made zero: the array was written there.
    slots: of a list or a dict: its slots may be bound again, though what lies in them is not owned.
    frozen: of a tuple, as a helper gives it: what lies in its slots is owned, but they can't be bound again.
    """

    expr: Expr
    shape: Shape
    owned: bool
    masked: bool = False
    cut: bool = False
    slots: bool = False
    frozen: bool = False

    @property
    def constant(self) -> bool:
        return isinstance(self.expr, Const)


State = dict[str, Adjoint]
FULL = unknown("full")


@dataclass(slots=True)
class Contribution:
    expr: Expr
    shape: Shape
    key: Expr | None = None  # a contribution to name[key] only
    scatter: bool = False  # the key may repeat: np.add.at
    fresh: bool = False  # it shares no memory, though it does not look computed
    place: Index | None = None  # where it goes, as an adjoint: for parts of a written buffer
    path: tuple[Expr, ...] = ()  # the keys behind `key`: name[key][path[0]] ..., of lists of lists
    whole: bool = False  # it is a list, a dict or an object, as the item is into which it goes
    held: Fact | None = None  # and what it holds, where that is known
    handed: bool = False  # a list of its own, with items that nobody else sees: of an adjoint that is read no more
    slots: bool = False  # a list of its own, of an adjoint that is read no more, with items that others may see
    lent: bool = False  # it has a name in this group, by which it is read once more
    listed: bool = False  # it is a list where the value is one, though the name is taken for an array

    @property
    def to_all(self) -> bool:
        """Whether it goes to the variable as a whole, rather than to a part of it."""
        return self.key is None and self.place is None


def rows_of(c: Contribution) -> Contribution:
    """The array of which a contribution is the list of rows."""
    assert isinstance(c.expr, Op)
    return Contribution(c.expr.args[0], FULL)


def subscripted_at_rank_zero(ctx: Context) -> frozenset[str]:
    """The arrays that may be of rank 0 and are subscripted as that allows: by a mask of rank 0, `x[..., None]`."""
    every = list(ir.statements(ctx.function.body))
    places = [n for s in every for n in ir.nodes(s)] + [s.target for s in every if isinstance(s, ir.Store)]

    def allows(key: Expr) -> bool:
        return key in (ir.ELLIPSIS, ir.NONE) or is_open_mask(key, ctx.facts)

    return frozenset(
        n.array.name
        for n in places
        if isinstance(n, Index) and isinstance(n.array, Var) and not ctx.facts.is_array(n.array)
        if all(map(allows, ir.key_items(n.key)))
    )


@dataclass
class Collected:
    """What one group contributes, by variable, in the order in which the statement reads them."""

    by_name: dict[str, list[Contribution]] = field(default_factory=dict)

    def add(self, name: str, c: Contribution) -> None:
        self.by_name.setdefault(name, []).append(c)

    def note_wholes(self, g: Expr) -> None:
        """What adds all of `g`, a list, a dict or an object, to a part of something adds it item by item."""
        for c in (c for contributions in self.by_name.values() for c in contributions):
            c.whole |= c.key is not None and c.expr == g


class Adjoints:
    """The first layer of the reverse sweep: its state, and what happens to what a group of statements contributes."""

    def __init__(self, ctx: Context, seed: Expr, seed_shape: Shape | None = None) -> None:
        self.ctx = ctx
        self.facts = ctx.facts
        self.facts.sure.clear()
        self.active = ctx.activity.active
        self.seed = seed
        self.seed_shape = seed_shape
        self.out: list[Stmt] = []
        self.asserted: list[Stmt] = []  # of the adjoints that companions are made of
        self.before: list[set[str]] = []
        self.depth = 1
        self.known: set[str] = set(ctx.function.names)
        self.idle_tests: list[ir.If | None] = []
        self.copy_first: set[str] = set()  # first contributions that must not be borrowed
        self.want_copies: set[str] = set()
        self.late: set[str] = set()  # see `want_late`
        self.whole_numbers: set[str] = set()  # names of adjoints that may be of integers: `x_bar = mask`
        self.listed: set[str] = set()  # adjoints to which a contribution has been `listed`
        self.rank_zero: set[str] = set()  # adjoints that may be, or hold, arrays of rank 0, which other names may see
        self.slots: set[str] = set()  # names of the cotangents of what is put into lists
        self.row_lists: set[Expr] = set()  # lists of the rows of an array: `list(out_bar)`
        self.borrowed_rows: set[str] = set()  # names of lists whose adjoints are such, of an array that is not theirs
        self.new_copies: set[str] = set()
        self.pinned: set[str] = set()  # parameters whose adjoint is the caller's array: it is changed in place
        self.lent: set[str] = set()  # items taken out of adjoints of lists that may hold the caller's arrays
        self.outputs: State = {}  # adjoints of the final elements of parameters
        self.masks: dict[Expr, Op] = {}  # adjoints that come from branches only, and the choice
        self.cuts: set[Expr] = set()  # those of them that are zero only in some items
        self.masked_calls: list[str] = []  # reverses of helpers that are handed one
        self.infinite: dict[str, bool] = {}  # see `may_be_infinite`
        self.filled: Shape | None = None  # of what is written by a value that may have leading axes of length one
        self.added: list[str] = []  # names to whose adjoints calls of the group in work add in place
        self.apart = False  # what is pulled is not added as it is, and where it is: nothing is added in place
        self.unpacked: dict[str, int] = {}  # how long vectors are that the statement at hand takes apart
        self.survey = survey(ctx)
        self.at_rank_zero = subscripted_at_rank_zero(ctx)

    def pieces(self, unit: list[Stmt]) -> list[Stmt]:
        """The forward text of a group: promoted temporaries, then the statement, trees written out."""
        out: list[Stmt] = []
        for s in unit:
            if isinstance(s, Assign):
                if s.target in self.ctx.temps and s.target not in self.ctx.promoted:
                    continue
                value = self.ctx.written_out(s)
                if is_view(value) and self.ctx.aliases.content(s.target):  # it is read behind stores that are undone
                    value = copied(value, True)
                out.append(replace(s, value=value))
            elif isinstance(s, ir.Inert):
                out.append(replace(s, values=tuple(map(self.ctx.tree, s.values))))
            elif isinstance(s, ir.Shrink):
                out.append(ir.popped(s.array, s.origin))
            elif isinstance(s, ir.Unpack | ir.Append | ir.Return):
                out.append(replace(s, value=self.ctx.tree(s.value)))
            elif isinstance(s, ir.Store):
                place = self.ctx.tree(s.target)
                assert isinstance(place, Index)
                store = replace(s, target=place, value=self.ctx.tree(s.value))
                out.append(scattered(self.ctx, store))
        return out

    def is_active(self, e: Expr) -> bool:
        return any(v.name in self.active for v in operands(e))

    def shadows(self, names: tuple[str, ...]) -> list[str]:
        """Those of the names whose adjoint is bound in the forward sweep: the run decides which buffer they see."""
        aliases = self.ctx.aliases
        return [
            n for n in names if aliases.of.get(n) in aliases.dynamic and n in self.active and n not in self.ctx.temps
        ]

    def stating(self, e: Expr) -> str:
        """The advice to state what the parameters are of which an expression is made."""
        return stating(self.ctx.function, self.facts, e)

    def seen(self, e: Expr) -> bool:
        """Whether the value of an expression may share memory with a buffer that has a shadow."""
        if is_unwritten_item(e, self.facts):
            return False
        for v, _ in sources(e, self.facts):
            assert isinstance(v, Var)
            if self.shadows((v.name,)) or (v.name in self.ctx.temps and self.seen(self.ctx.temps[v.name])):
                return True
        return False

    def adjoint_place(self, target: Expr) -> Expr:
        """The part of the root's adjoint that belongs to a name or a subscript of it."""
        match target:
            case Index(array=array, key=key):
                place = self.adjoint_place(array)
                return self.place_in(place, self.ctx.tree(key), array)
            case Var(name=name) if name in self.ctx.temps and name not in self.ctx.aliases.views:
                return self.adjoint_place(self.ctx.temps[name])
            case Var(name=name):
                root, path = self.ctx.aliases.path(name)
                path = self.ctx.tree(path)
                for e in ir.walk(path):
                    if isinstance(e, Op) and e.fn.startswith("local."):
                        refuse_shared(self.ctx, e)
                return ir.substitute(path, {ROOT.name: Var(bar(root))})
            case Op(fn=fn) if fn.startswith("local."):
                refuse_shared(self.ctx, target)
            case Op(args=(first, *rest)):
                return replace(target, args=(self.adjoint_place(first), *rest))
            case ir.Sequence() | ir.Dict():  # `{"a": x, "b": w}[k]`: of which, only the run knows
                message = "a part of one of several arrays that are written carries a derivative"
                refuse(self.ctx, target, "S236", message, PARTS)
        raise TypeError(type(target).__name__)

    def place_in(self, place: Expr, key: Expr, whole: Expr) -> Index:
        """A part of a part of an adjoint, that of `whole`: one subscript, but for what may be a list."""
        if isinstance(whole, Var):
            whole = self.ctx.temps.get(whole.name, whole)
        if isinstance(whole, Index) and self.facts.of(whole.array).kind in ("list", "tuple", "dict", "any"):
            return Index(place, key)
        root = place
        while isinstance(root, Index):
            root = root.array
        if isinstance(root, Var) and root.name in map(bar, self.survey.containers):
            return Index(place, key)
        return joined(place, key, self.facts)

    def root_of(self, target: Expr) -> str:
        """The variable whose adjoint `adjoint_place` gives a part of."""
        name = ir.written_name(target)
        while name in self.ctx.temps and name not in self.ctx.aliases.views:
            name = ir.written_name(self.ctx.temps[name])
        return self.ctx.aliases.path(name)[0]

    def own_list(self, name: str, st: State) -> None:
        """Makes the adjoint of a list a list of its own: its slots are going to be bound again."""
        state = st.get(name)
        target = bar(name)
        if state is None:
            self.out.append(Assign(target, self.zeros(name)))
            st[name] = Adjoint(Var(target), SCALAR, True)
        elif state.frozen:
            self.with_slots(name, st)
        elif not (state.owned or state.slots):
            if may_lack(self.ctx, Var(name)):
                self.own_items(name, st)
                return
            copied = "builtins.dict" if self.facts.of(Var(name)).keyed else "builtins.list"
            self.out.append(Assign(target, Op(copied, (state.expr,))))
            st[name] = Adjoint(Var(target), SCALAR, False, slots=True)

    def own_items(self, name: str, st: State) -> Adjoint:
        """Makes the adjoint of a list one whose items are its own, too: what lies inside is going to be changed."""
        self.own_list(name, st) if name not in st else None
        state = self.with_slots(name, st)
        if not state.owned:
            self.want_copies.add(name)
            self.out.append(Assign(bar(name), Op("helper._added", (self.zeros(name), state.expr))))
            st[name] = state = Adjoint(Var(bar(name)), SCALAR, True)
        return state

    def with_slots(self, name: str, st: State) -> Adjoint:
        """The adjoint of a list or a tuple, as one whose slots can be bound again, where its items are owned."""
        state = st[name]
        if not state.frozen:
            return state
        flat = all(item.kind not in ("tuple", "any") for item in self.facts.of(Var(name)).items)
        anew = Op("builtins.list", (state.expr,)) if flat else Op("helper._added", (self.zeros(name), state.expr))
        self.out.append(Assign(bar(name), anew))
        st[name] = state = Adjoint(Var(bar(name)), SCALAR, True)
        return state

    def is_copied_read(self, target: Index) -> bool:
        """Whether reading with this key makes a copy."""
        keys = ir.key_items(target.key)
        return any(key_kind(self.ctx.tree(k), self.facts) in ("ints", "mask") for k in keys)

    def placed(self, name: str, c: Contribution) -> Contribution:
        """A contribution to a name of a written class, as one to a part of the root's adjoint."""
        if c.place is not None:
            return c
        place = self.adjoint_place(Var(name))
        if c.key is not None:
            root, path = self.ctx.aliases.path(name)
            place = self.place_in(place, c.key, ir.substitute(self.ctx.tree(path), {ROOT.name: Var(root)}))
        for key in c.path:
            place = Index(place, key)
        if not isinstance(place, Index):
            place = Index(place, ir.ELLIPSIS)
            if (fact := self.facts.of(Var(name))).kind in ("list", "tuple"):
                return replace(c, place=place, whole=True, held=fact)
        return replace(c, place=place)

    def own_whole(self, name: str, st: State) -> None:
        """Makes the adjoint of `name` an array of its own, of full shape: it is going to be changed in place."""
        state = st.get(name)
        target = bar(name)
        full = self.facts.shape(Var(name))
        masked = state is None or state.expr == ZERO or state.masked
        if state is None or (state.constant and state.expr == ZERO):
            self.out.append(Assign(target, self.zeros(name)))
        elif name in self.survey.containers:
            if not state.owned:
                self.out.append(Assign(target, Op("helper._added", (self.zeros(name), state.expr))))
        elif not state.owned or state.shape != full:
            self.want_copies.add(name)
            expr: Expr = algebra.op(algebra.MULTIPLY, ONE, state.expr)
            if state.shape != full:
                expr = algebra.add(self.full(state.expr, state.shape, full, Var(name)), ZERO)
            if not self.holds(name, state.expr):
                expr = state.expr if state.shape == full else expr
                expr = self.in_dtype(name, expr)
            self.out.append(Assign(target, self.as_array(name, expr, full)))
        st[name] = Adjoint(Var(target), full, True, masked, state is not None and state.cut)
        self.facts.names[target] = Fact("float", full)

    def note_part(self, name: str, c: Contribution, st: State) -> None:
        """What is added to a part of an adjoint leaves it masked where it is so itself, or where the key selects."""
        if st[name].masked and not (self.is_masked(c.expr) or self.selects(c)):
            st[name] = replace(st[name], masked=False)

    def selects(self, c: Contribution) -> bool:
        """Whether a key leaves out items as the branch of a np.where does: `r[mask]`, `r[np.triu_indices(n, 1)]`, or
        r[i, j] in a loop over j whose bounds depend on i."""
        key = c.key if c.place is None else c.place.key
        keys = () if key is None else tuple(self.ctx.tree(k) for k in ir.key_items(self.ctx.tree(key)))
        if c.scatter or any(key_kind(k, self.facts) in ("ints", "mask") for k in keys):
            return True
        names = {k.name for k in keys if isinstance(k, Var)}
        if c.place is not None or len(names) < 2:
            return False
        loops = [s for s in ir.statements(self.ctx.function.body) if isinstance(s, ir.For)]
        return any(
            isinstance(s.target, Var) and s.target.name in names and ir.reads(self.ctx.tree(s.iterable)) & names
            for s in loops
        )

    def split_after(self, node: Group, targets: set[str], stored: bool = False) -> None:
        """Splits the adjoint group in what reads the new value of the target, and what reads the old one.

        The old value is restored between the two. A part that reads the new value within an expression that reads the
        old one gets a name in front.

        stored: the value is written into the target, whose shape stays.
        """
        reads_old = functools.partial(_reads_old, targets=targets, stored=stored)
        post = node.post
        last = max((i for i, s in enumerate(post) if any(map(_reads_new, ir.expressions(s)))), default=-1)
        if any(reads_old(e) for s in post[: last + 1] for e in ir.expressions(s)):
            named: dict[Expr, str] = {}
            here: set[str] = set()  # not known yet, or another value, where the names in front are bound
            rest: list[Stmt] = []
            for s in post:
                name = functools.partial(self.without_new, named=named, targets=targets, here=here, reads_old=reads_old)
                rest.append(map_statement(s, name))
                here.update(ir.binds(s))
                if isinstance(s, Augment | ir.Store):
                    here.add(ir.written_name(s.target))
                elif isinstance(s, ir.Inert):  # np.add.at
                    here.update(n for e in s.values for n in ir.reads(e))
            node.pre = [Assign(n, self.copy_of(e) if n in self.new_copies else e) for e, n in named.items()]
            node.post = rest
            return
        node.pre, node.post = post[: last + 1], post[last + 1 :]

    def copy_of(self, e: Expr) -> Expr:
        """A copy of an array; of an entry of a dict or a list, which may be a number, what `+` makes of it."""
        of_container = isinstance(e, Index) and self.facts.of(e.array).kind in ("dict", "list")
        return Op("numpy.positive", (e,)) if of_container and not self.facts.is_array(e) else method("copy", e)

    def without_new(
        self,
        e: Expr,
        named: dict[Expr, str],
        targets: set[str],
        here: set[str],
        reads_old: Callable[[Expr], bool],
    ) -> Expr:
        if not _reads_new(e):
            return e
        names = {n.name for n in ir.walk(e) if isinstance(n, Var)}
        if reads_old(e) or names & here:
            return ir.rebuild(e, lambda x: self.without_new(x, named, targets, here, reads_old))
        if e not in named:
            target = sorted(names & targets)[0]
            adjoints = any(n.endswith(("_bar", "_inc")) and n not in self.ctx.definitions for n in names)
            wish = "a_bar" if adjoints else f"{self.ctx.base.get(target, target)}_new"
            named[e] = self.ctx.names.fresh(wish, target, e)
            self.facts.names[named[e]] = self.facts.of(e)
            if self.ctx.aliases.contents(e) and rules.may_alias(e) and not self.facts.is_scalar(e):
                self.new_copies.add(named[e])  # its elements are going to be restored
        return Var(named[e])

    def leaves(self, e: Expr) -> list[Expr]:
        """The operands of an elementwise expression."""
        match e:
            case Var():
                return [e]
            case Const() | ir.Raw():
                return []
            case ir.Attribute() if e.name in ("size", "ndim", "shape", "dtype"):
                return []
            case Op(fn=fn) if fn in ("numpy.size", "numpy.shape", "numpy.ndim", "builtins.len"):
                return []
            case Op(fn=fn) if fn.startswith("helper."):
                return self.leaves(e.args[0])
            case Op(fn=fn) if isinstance(rules.lookup(fn), Reduction):  # not of the shape of what it reduces
                return [e]
            case Op(args=args):
                return [leaf for a in args for leaf in self.leaves(a)]
            case ir.Attribute():
                return []
        return [e]

    def reduced(self, c: Expr, want: Shape, operand: Expr) -> Shape:
        """The shape of a reduction's contribution: the operand's, or one that broadcasts into it."""
        shape = self.facts.shape(c)
        if shape in (want, SCALAR):
            return shape
        if any(self.facts.shape(v) == want for v in self.leaves(c)):
            return want
        self.facts.shapes.within[shape] = want
        return shape

    def like(self, shape: Shape, node: Expr) -> Expr:
        """An expression that has this shape: a variable that the node reads, if there is one; of a real node, a real
        one, for the ones that are made like it."""
        numbers = (REAL, self.facts.of(node).number)
        candidates = [v for v in ir.walk(self.ctx.tree(node)) if isinstance(v, Var)]
        for v in candidates:
            fact = self.facts.of(v)
            if self.facts.shape(v) == shape and fact.kind not in ("list", "tuple", "dict") and fact.number in numbers:
                return v
        return node

    def size(self, shape: Shape, node: Expr) -> Expr:
        like = self.like(shape, node)
        if isinstance(like, Var) and shape.rank is not None:
            return ir.Attribute(like, "size")
        return Op("numpy.size", (like,))

    def is_repeated(self) -> bool:
        """Whether what is written now may run many times, so that NumPy's functions of numbers are too slow."""
        return self.depth > 1 or self.ctx.called

    def spread(self, c: Expr, shape: Shape, node: Expr, out: Expr | None = None) -> Expr:
        like = self.like(shape, node)
        measured = None
        if like == node and is_costly(self.ctx.tree(node)):  # not computed for its shape alone
            measured, like = self.measured(shape, node), node if out is None else out
        ones = measured or Op("numpy.ones_like", (like,))
        return ones if c == ONE else algebra.op(algebra.MULTIPLY, c, ones)

    def measured(self, shape: Shape, node: Expr) -> Expr | None:
        """Ones with the lengths of what a costly node reads, so that it is not computed for its shape alone."""
        lengths: dict[Dim, Expr] = {}
        dtype: Expr | None = None
        own = self.facts.of(node).number
        for v in (*ir.walk(self.ctx.tree(node)), *ir.walk(node)):
            dims = self.facts.dims(v) if isinstance(v, Var) and self.facts.of(v).kind in ("float", "any") else None
            for axis, d in enumerate(dims or ()):
                length = Index(ir.Attribute(v, "shape"), Const(axis)) if axis else Op("builtins.len", (v,))
                lengths.setdefault(d, length)
                if own == REAL != self.facts.of(v).number:
                    continue
                is_float = self.facts.is_float(v)
                dtype = dtype or (ir.Attribute(v, "dtype") if is_float else Op("numpy.result_type", (v, ONE)))
        if shape.rank is None or not lengths or any(d not in lengths for d in shape.dims):
            return None
        found = [lengths[d] for d in shape.dims]
        size = found[0] if len(found) == 1 else ir.Sequence(tuple(found))
        return Op("numpy.ones", (size,) if dtype is None else (size, dtype))

    def full(self, g: Expr, gshape: Shape, shape: Shape, node: Expr, out: Expr | None = None) -> Expr:
        """An adjoint in the full shape of its value; that of a container has the structure of the value.

        out: the name that the value has.
        """
        named = node if out is None else out
        whole = isinstance(named, Var) and self.is_container(named.name)
        if gshape == shape or whole or self.facts.of(node).kind in CONTAINERS:
            return g
        return self.spread(g, shape, node, out)

    def named(self, g: Expr, shape: Shape, value: Op, uses: int) -> Expr:
        """g, under a name of its own where it is costly and used more than once, or goes over an array three times."""
        g = self.ctx.simplify(self.ctx.resolve(g))
        if uses < 1 or isinstance(g, Var | Const):
            return g
        work = algebra.count(g, lambda n: (isinstance(n, Op) and n.fn != "numpy.negative") or algebra.is_expansion(n))
        passes = uses > 2 and work > 0 and shape != SCALAR
        if work >= LONG or passes or (uses > 1 and (work > 1 or is_costly(g))):
            return self.name_it(g, shape, value)
        return g

    def own_shape(self, e: Expr) -> Shape:
        """The shape of an elementwise expression, whatever fits into the place that a statement writes."""
        fits, self.facts.shapes.fits = self.facts.shapes.fits, {}
        found = self.facts.shapes.broadcast([self.facts.shape(v) for v in self.leaves(e)])
        self.facts.shapes.fits = fits
        return found

    def name_it(self, g: Expr, shape: Shape, value: Expr) -> Expr:
        for s in reversed(self.out):  # two terms of a sum get the same
            if not isinstance(s, Assign) or s.target in ir.reads(g):
                break
            if s.value == g and s.target not in self.ctx.definitions:
                return Var(s.target)
        wish = self.role(value)
        while (common := self.common([g])) is not None:
            g = _exchange(g, common, Var(self.name_part(common, value)))
        name = self.ctx.names.fresh(wish, self.ctx.names.of(value), "bar")
        shape = self.own_shape(g) if shape == self.filled else shape
        self.facts.names[name] = Fact("float", shape, number=self.facts.number(g))
        self.note_fraction(name, g)
        if shape == SCALAR and not self.is_own_number(g):
            self.rank_zero.add(name)
        self.out.append(Assign(name, g))
        return Var(name)

    def note_fraction(self, name: str, e: Expr) -> None:
        """Whether what `e` has just made under a name may be of integers."""
        if not self.has_fraction(e):
            self.whole_numbers.add(name)
        elif self.depth == 1:
            self.whole_numbers.discard(name)

    def role(self, value: Expr) -> str:
        """A name for the adjoint of an unnamed subexpression, by its role in the expression around it."""
        if isinstance(value, Op) and isinstance(rules.lookup(value.fn), Reduction):
            return f"{role_of(value)}_bar"
        for name, tree in self.ctx.temps.items():
            if tree is value:
                return _role(self.survey.parents.get(name), name)
        return "a_bar"

    def whole_of(self, e: Expr) -> Var | None:
        """The variable that a display takes apart by all of its items."""
        match e:
            case ir.Dict(keys=keys, values=(Index(array=Var() as v), *_)) if v.name in self.active:
                if e.values == tuple(Index(v, k) for k in keys) and v.name not in self.ctx.temps:
                    return v
        return None

    def prepare(self, sink: Collected) -> None:
        """Contributions as they are written, with costly common parts named."""
        for contributions in sink.by_name.values():
            for c in contributions:
                c.expr = self.ctx.simplify(self.ctx.resolve(c.expr))
        for name, contributions in sink.by_name.items():
            for c in contributions:
                c.expr = algebra.float_coefficients(c.expr, self.ctx.is_float)
            if self.takes_sums(name, contributions):
                sink.by_name[name] = merged(contributions)
        self.name_common(sink)

    def reading_order(self, unit: list[Stmt]) -> dict[str, int]:
        reads = [v for v in ir.walk(self.ctx.tree(_value(unit[-1]))) if isinstance(v, Var)]
        return {v.name: -i for i, v in enumerate(reversed(reads))}

    def settle(self, unit: list[Stmt], own: str | None, sink: Collected, st: State) -> list[Stmt]:
        """The statements that add what a group contributes; `own` is the variable that the group assigns."""
        self.own_added(st)
        self.prepare(sink)
        order = self.reading_order(unit)
        names = sorted(sink.by_name, key=lambda n: (n == own, order.get(n, 0)))
        adjoint = st.pop(own) if own is not None and own in st else None
        bare = sum(self.is_bare(c.expr, adjoint) for n in names for c in sink.by_name[n])
        bare += sum(self.is_bare(t.value, adjoint) for t in self.out if isinstance(t, Assign))
        survives = own is not None and own in sink.by_name and adjoint is not None
        if own is not None and adjoint is not None and self.reaches_by_view(own, names):
            self.set_aside(own, adjoint, sink)
            adjoint, survives = None, False
        self.hand_over(sink)
        for name in names:
            if name == own and survives:
                continue
            for c in self.at_once(name, self.gathered(name, sink.by_name[name]), st):
                dies = adjoint is not None and not survives and bare == 1 and len(sink.by_name[name]) == 1
                self.accumulate(name, c, st, adjoint if dies and adjoint is not None and adjoint.owned else None)
        if survives and own is not None and adjoint is not None:
            lent = any(isinstance(s, Assign) and self.is_bare(s.value, adjoint) for s in self.out)
            if lent and adjoint.shape != SCALAR:  # `w = w + z`: z_bar is the same array
                adjoint = replace(adjoint, owned=False)
            self.accumulate_own(own, sink.by_name[own], adjoint, st)
        return self.out

    def own_added(self, st: State) -> None:
        """The adjoints that calls of a group add to are arrays of their own before them."""
        calls, self.out = self.out, []
        for name in dict.fromkeys(self.added):
            if name not in self.pinned:
                self.own_whole(name, st)
                st[name] = replace(st[name], masked=False)
        self.out += calls
        self.added = []

    def reaches_by_view(self, own: str, names: Iterable[str]) -> bool:
        """Whether a statement that binds x anew reads a view of the old x: `v = x[1:]`, then `x = v.copy()`."""
        others = [n for n in names if n != own and n in self.ctx.aliases.of]
        return any(self.root_of(Var(n)) == own for n in others)

    def set_aside(self, own: str, adjoint: Adjoint, sink: Collected) -> None:
        """The adjoint of the new x gets a name of its own: that of the old one is made while it is read."""
        aside = self.aside(own, [adjoint.expr])
        for contributions in sink.by_name.values():
            for c in contributions:
                c.expr = ir.substitute(c.expr, aside)

    def aside(self, own: str, exprs: Iterable[Expr]) -> dict[str, Expr]:
        """Binds the adjoint of a variable to another name, if it is read: that name for it."""
        target = bar(own)
        if not any(target in ir.reads(e) for e in exprs):
            return {}
        name = self.ctx.names.fresh("g_bar", own)
        self.facts.names[name] = self.facts.of(Var(target))
        self.out.append(Assign(name, Var(target)))
        return {target: Var(name)}

    def hand_over(self, sink: Collected) -> None:
        """A fresh value that this group has named, and that one variable gets whole, becomes its adjoint."""
        named = [s for s in self.out if isinstance(s, Assign)]
        fresh = {s.target for s in named if self.is_fresh(Contribution(s.value, FULL))} - self.lent
        values = [s.value for s in named] + [c.expr for contributions in sink.by_name.values() for c in contributions]
        for contributions in sink.by_name.values():
            match contributions:
                case [Contribution(expr=Var(name=name), key=None) as c] if name in fresh and c.shape != SCALAR:
                    c.fresh = sum(rules.may_alias(e) and name in ir.reads(e) for e in values) == 1

    def name_common(self, sink: Collected) -> None:
        """Costly expressions that the contributions of a group hold twice are evaluated once, under a name."""
        every = [c for contributions in sink.by_name.values() for c in contributions]
        while (common := self.common([c.expr for c in every])) is not None:
            name = self.name_part(common, sink)
            for c in every:
                c.expr = _exchange(c.expr, common, Var(name))
                c.lent |= name in ir.reads(c.expr) and rules.may_alias(c.expr)
                c.fresh &= not c.lent

    def common(self, exprs: Iterable[Expr]) -> Op | None:
        """The widest of the costly expressions that these hold twice."""
        counts: dict[Op, int] = {}
        inner: set[str] = set()  # variables of comprehensions
        for n in (n for e in exprs for n in ir.walk(e)):
            if isinstance(n, ir.Comprehension):
                inner.update(x for target, _, _ in n.clauses for x in ir.target_names(target))
            if isinstance(n, Op) and self.is_worth_a_name(n) and not ir.reads(n) & inner:
                counts[n] = counts.get(n, 0) + 1
        repeated = [n for n, k in counts.items() if k > 1]
        return max(repeated, key=lambda n: algebra.count(n, lambda _: True), default=None)

    def name_part(self, e: Op, key: object) -> str:
        """Binds a costly expression to a name, by what it is."""
        if any(isinstance(n, Op) and n.fn == "numpy.equal" for n in ir.walk(e)):
            wish = "divisor" if e.fn == algebra.ADD else "at_max"  # `d + (d == 0.0)`
        else:
            wish = role_of(e)
        name = self.ctx.names.fresh(wish, e, self.ctx.names.of(key))
        self.facts.names[name] = self.facts.of(e)
        self.note_fraction(name, e)
        self.out.append(Assign(name, e))
        return name

    def is_worth_a_name(self, e: Op) -> bool:
        """Whether an expression that is needed twice is computed once: a call, or a sum, of arrays or of many terms."""
        if e.fn in (algebra.ADD, algebra.SUBTRACT):
            if any(isinstance(n, Var) and (n.after or algebra.is_cotangent(n)) for n in ir.walk(e)):
                return False
            work = algebra.count(e, lambda n: isinstance(n, Op) and n.fn != "numpy.negative")
            return work >= (4 if self.facts.is_scalar(e) else 2)
        if e.fn == ir.OCCURRENCES:
            return True
        return e.fn not in CHEAP and not e.fn.startswith(("operator.", "method.")) and e.fn != "numpy.power"

    def is_bare(self, e: Expr, adjoint: Adjoint | None) -> bool:
        """Whether a contribution is the adjoint itself or a view of it."""
        if adjoint is None or not isinstance(adjoint.expr, Var):
            return False
        return e == adjoint.expr or (rules.may_alias(e) and any(n == adjoint.expr for n in ir.walk(e)))

    def gathered(self, name: str, contributions: list[Contribution], together: bool = False) -> list[Contribution]:
        """Contributions of one group to one variable, added up where the sum fits on a line, or all `together`."""
        if not self.takes_sums(name, contributions):
            return contributions
        whole = [c for c in contributions if c.to_all]
        out: list[Contribution] = []
        for c in whole:
            if out and (together or (not c.fresh and not out[-1].fresh and self.has_sum(out[-1].expr, c.expr))):
                if not self.has_sum(out[-1].expr, c.expr):
                    out[-1].expr = algebra.op(algebra.MULTIPLY, ONE, out[-1].expr)
                total = algebra.factored(algebra.add(out[-1].expr, c.expr), self.ctx.is_float)
                fits = len(ir.Printer()(total)) + len(name) + 4 * self.depth + 8 <= WIDTH
                borrowed = out[-1].shape == c.shape and not self.is_fresh(out[-1])  # else it would be copied first
                if together or borrowed or (fits and out[-1].shape == c.shape):
                    out[-1] = Contribution(total, self.facts.shapes.broadcast([out[-1].shape, c.shape]))
                    continue
            out.append(c)
        parts: list[Contribution] = []
        for c in contributions:
            if c.to_all:
                continue
            same = next(
                (p for p in parts if (p.key, p.place) == (c.key, c.place) and not (p.scatter or c.scatter)), None
            )
            fit = same is not None and same.shape == c.shape and not same.fresh and not c.fresh
            if same is not None and fit and self.has_sum(same.expr, c.expr):
                total = algebra.add(same.expr, c.expr)
                where = c.key if c.key is not None else c.place
                assert where is not None
                if len(ir.Printer()(total)) + len(name) + len(ir.Printer()(where)) + 4 * self.depth + 12 <= WIDTH:
                    same.expr = total
                    continue
            parts.append(replace(c))
        return out + parts

    def at_once(self, name: str, contributions: list[Contribution], st: State) -> list[Contribution]:
        """The first contributions to a vector, or a list of numbers, if there is one to each of its items:
        `np.array([a_bar, b_bar])`, `[a_bar, b_bar]`."""
        fact, shape = self.facts.of(Var(name)), self.facts.shape(Var(name))
        listed = self.is_container(name)
        if listed:
            elem = fact.elem if fact.kind == "list" and not fact.keyed else None
            fits = elem is not None and elem.kind in FLOATING and self.facts.shapes(elem.shape) == SCALAR
        else:
            fits = shape.rank == 1
        n = self.unpacked.get(name, fact.length if listed else shape.dims[0] if fits else None)
        by_key: dict[object, Expr] = {}
        for c in contributions:
            if not isinstance(c.key, Const) or c.shape != SCALAR or c.scatter or c.whole or c.path or c.place:
                return contributions
            before = by_key.get(c.key.value)
            by_key[c.key.value] = c.expr if before is None else algebra.add(before, c.expr)
        if len(by_key) < 2 or not fits or by_key.keys() != {*range(len(by_key))} or n != len(by_key):
            return contributions
        if name in st or name in self.ctx.aliases.of or name in self.pinned:
            return contributions
        items = ir.Sequence(tuple(by_key[i] for i in range(len(by_key))), "list")
        if listed:
            items = replace(items, items=tuple(map(self.own_item, items.items)))
            return [Contribution(items, SCALAR, fresh=True)]
        if len(by_key) < len(contributions) or not any(self.has_fraction(c.expr) for c in contributions):
            return contributions
        return [Contribution(Op("numpy.array", (items,)), shape, fresh=True)]

    def own_item(self, e: Expr) -> Expr:
        """An item for a list of cotangents, which may be added to in place: no array of rank 0 that others see."""
        is_own = not held(e) or (isinstance(e, Var) and self.is_own_number(e))
        return e if is_own else algebra.op(algebra.MULTIPLY, ONE, e)

    def has_sum(self, a: Expr, b: Expr) -> bool:
        """Whether a + b is a sum: of two masks, it would be `a or b`."""
        return not all(algebra.may_be_mask(algebra.split_sign(e)[1], self.ctx.is_float) for e in (a, b))

    def takes_sums(self, name: str, contributions: list[Contribution]) -> bool:
        """Whether sums are written for what a group contributes: to a list they are made item by item.

        What arithmetic gives goes to a number or an array, whatever the name holds elsewhere.
        """
        if not self.is_container(name):
            return True
        known = self.facts.of(Var(name)).kind in CONTAINERS
        return not known and any(c.to_all and is_arithmetic(c.expr) for c in contributions)

    def is_container(self, name: str) -> bool:
        return self.facts.of(Var(name)).kind in CONTAINERS or name in self.survey.containers

    def holds_containers(self, name: str) -> bool:
        """Whether lists, tuples, dicts or objects may lie in what a name holds."""
        fact = self.facts.of(Var(name))
        inner = (*fact.items, *([fact.elem] if fact.elem else ()))
        known = fact.keys or fact.kind != "dict"
        return name in self.survey.containers or not known or any(f.kind in CONTAINERS or f.whole for f in inner)

    def is_fresh(self, c: Contribution) -> bool:
        """Whether a contribution shares memory with nothing else."""
        e = c.expr
        if c.fresh or isinstance(e, Const):
            return True
        if c.shape == SCALAR:
            return self.is_own_number(e)
        match e:
            case Op(fn="numpy.diag", args=(a, *_)) if self.facts.ndim(a) == 1:  # a matrix of it; else a view
                return True
        return not rules.may_alias(e)

    def is_own_number(self, e: Expr) -> bool:
        """Whether a scalar is a number, or an array of rank 0 made here: arguments and seeds may be such arrays."""
        match e:
            case Op(fn="operator.ifexp", args=(_, a, b)):
                return self.is_own_number(a) and self.is_own_number(b)
            case Op(args=(a, *_)) if rules.may_alias(e):
                return self.is_own_number(a)
            case Var() if self.may_be_rank_zero(e):
                return False
        base = e
        while isinstance(base, Index) or (isinstance(base, Op) and base.fn in COPIES_OF_LISTS):
            base = base.array if isinstance(base, Index) else base.args[0]
        if not isinstance(base, Var) or self.is_item(e):
            return True
        name = base.name
        return name not in self.survey.given | self.rank_zero and base != self.seed and not ir.is_part(name)

    def may_hold_rank_zero(self, e: Expr) -> bool:
        """Whether a list of adjoints may hold such arrays of the caller's: seeds, and arguments in `[x for _ in L]`."""
        if any(v == self.seed or v.name in self.rank_zero for v in ir.walk(e) if isinstance(v, Var)):
            return True
        match e:
            case ir.Sequence(items=parts) | ir.Dict(values=parts):
                return any(map(self.may_hold_rank_zero, parts))
            case ir.Comprehension(element=ir.Slice(stop=part)) | ir.Comprehension(element=part) if part is not None:
                return self.may_hold_rank_zero(part)
        return self.facts.shape(e) == SCALAR and not self.is_own_number(e)

    def may_be_rank_zero(self, e: Expr) -> bool:
        """Whether a scalar may be an array of rank 0, into which `+=` writes."""
        match e:
            case Var(name=name):
                return name in self.rank_zero or name in rank_zero(self.facts)
            case Op(fn="operator.ifexp", args=(_, a, b)):
                return self.may_be_rank_zero(a) or self.may_be_rank_zero(b)
            case Op(fn=fn):
                return fn in RANK_ZERO
        return False

    def is_lent(self, c: Contribution) -> bool:
        """Whether a contribution shares memory with a buffer that is written, or with the adjoint of one."""
        aliases = self.ctx.aliases
        if not aliases.of or c.fresh or c.shape == SCALAR or not rules.may_alias(c.expr):
            return False
        written = {bar(n) for n in aliases.of} | aliases.of.keys()
        return bool(ir.reads(c.expr) & written)

    def items_apart(self, e: Expr) -> Expr:
        """A list that a group makes, whose items share no memory with a buffer that is written: `[u for _ in L]`."""
        match e:
            case ir.Comprehension(element=item) if self.is_lent(Contribution(item, FULL)):
                return replace(e, element=algebra.op(algebra.MULTIPLY, ONE, item))
            case Op(fn="builtins.list", args=(array,)) if self.is_lent(Contribution(array, FULL)):
                return replace(e, args=(algebra.op(algebra.MULTIPLY, ONE, array),))
        return e

    def ends(self, c: Contribution, dying: Adjoint | None) -> bool:
        """Whether a contribution is the adjoint of a buffer that is made here: nobody changes it any more."""
        aliases = self.ctx.aliases
        if dying is None or c.expr != dying.expr or not isinstance(c.expr, Var):
            return False
        name = next((n for n in aliases.of if bar(n) == c.expr.name), None)
        if name is None or aliases.of[name] in aliases.dynamic or self.ctx.definitions[name] != 1:
            return False
        views = aliases.members[aliases.of[name]] - (self.ctx.temps.keys() - self.ctx.promoted)  # with adjoints
        return all(aliases.path(n)[0] == name for n in views)

    def is_float(self, c: Contribution) -> bool:
        """Whether a contribution is surely of a float type, so that floats can be added in place."""
        return c.fresh or c.shape == SCALAR or isinstance(c.expr, Const) or self.has_fraction(c.expr)

    def has_fraction(self, e: Expr) -> bool:
        """Whether the numbers of an expression are surely of a float type.

        What an active variable enters is taken to be: integers carry no derivative.
        """
        match e:
            case Const(value=value):
                return isinstance(value, float)
            case Var(name=name) if name.endswith(("_bar", "_inc")):
                return name not in self.whole_numbers
            case Var(name=name) if name in self.active:
                return name not in self.ctx.mixed
            case ir.Attribute(name="shape" | "size" | "ndim" | "dtype") | Op(fn="numpy.shape"):
                return False
            case Op(fn="numpy.zeros_like" | "numpy.ones_like", options=()):
                return False
            case Op(fn=fn, args=(a, *_)) if fn.startswith("helper."):
                return self.has_fraction(a)  # of the others some only give their shape
        if self.facts.of(e).kind in NOT_DIFFERENTIABLE:
            return False
        if any(map(self.has_fraction, ir.children(e))):
            return True
        unsure = self.ctx.mixed | self.whole_numbers
        known = not any(
            (isinstance(n, Var) and n.name in unsure) or (isinstance(n, Op) and n.fn.startswith("helper."))
            for n in ir.walk(e)
        )
        return known and self.facts.of(e).kind == "float"

    def is_item(self, e: Expr) -> bool:
        """Whether a scalar is an item of an array, by integers: NumPy makes a new number of it."""
        if not isinstance(e, Index) or not isinstance(e.array, Var) or "%" in e.array.name or e.array == self.seed:
            return False
        return self.facts.of(e.array).kind not in ("list", "tuple", "dict")

    def accumulate(self, name: str, c: Contribution, st: State, dying: Adjoint | None = None) -> None:
        target = bar(name)
        state = st.get(name)
        fact = self.facts.of(Var(name))
        if c.place is not None:
            if not self.shadows((name,)) and name not in self.pinned:
                root = self.ctx.aliases.path(name)[0]
                self.own_whole(root, st)
                self.note_part(root, c, st)
            if c.whole:
                self.out += self.add_items(c.place, self.ctx.simplify(c.expr), c.held)
            else:
                self.out.append(self.update(c.place, c))
            return
        if self.shadows((name,)) or name in self.pinned:
            place: Var | Index = Var(target) if c.key is None else Index(Var(target), c.key)
            if isinstance(c.key, ir.Slice) and c.whole and (first := first_of(c.key)) is not None:
                self.out += self.add_items(Var(target), self.ctx.simplify(c.expr), fact, first=first)
                return
            if c.whole or (c.key is None and fact.kind in CONTAINERS):
                held = self.displayed(name) if c.key is None else self.facts.of(Index(Var(name), c.key))
                self.out += self.add_items(place, self.ctx.simplify(c.expr), held)
                return
            if isinstance(place, Index):
                self.out.append(self.update(place, c))
                return
            made = self.ctx.definition(name)  # of what is an array, of rank 0 too, the adjoint is one
            sure = isinstance(made, Op) and made.fn in RANK_ZERO
            if fact.kind in ("float", "any") and not (
                sure or self.facts.is_array(Var(name)) or self.facts.is_scalar(Var(name))
            ):
                self.out.append(asserted_array(place))
            sign, rest = algebra.split_sign(self.ctx.simplify(c.expr))
            self.out.append(Augment(place, "+" if sign > 0 else "-", rest))
            if name in self.pinned:
                st[name] = self.outputs[name]
            return
        root, path = self.ctx.aliases.path(name)
        if root != name and path == ROOT:
            self.accumulate(root, c, st)
            return
        if self.is_container(name):
            self.accumulate_list(name, c, st, dying)
            return
        if root != name:
            self.own_whole(root, st)
            placed = self.placed(name, c)
            assert placed.place is not None
            self.note_part(root, placed, st)
            self.out.append(self.update(placed.place, placed))
            return
        if c.key is not None:
            self.own_whole(name, st)
            self.note_part(name, c, st)
            self.out.append(self.update(Index(Var(target), c.key), c))
            return
        if isinstance(c.expr, Const):
            c.shape = SCALAR
        if state is None or state.expr == ZERO:
            if algebra.may_be_mask(c.expr, self.ctx.is_float):  # adjoints are floats, so are their signs and sums
                c.expr, c.fresh = algebra.op(algebra.MULTIPLY, ONE, c.expr), True
            if self.is_lent(c) and not self.ends(c, dying):  # what it reads is going to be changed in place
                is_array = self.facts.shapes.has_axis(c.shape)
                c.expr = (
                    copied(c.expr, is_array) if self.has_fraction(c.expr) else algebra.op(algebra.MULTIPLY, ONE, c.expr)
                )
                c.fresh = True
            if isinstance(c.expr, Const):
                st[name] = Adjoint(c.expr, c.shape, True)
                return
            sure = self.is_float(c) and (c.shape == SCALAR or self.holds(name, c.expr))
            owned = (self.is_fresh(c) and sure) or (
                dying is not None
                and self.is_bare(c.expr, dying)
                and not _calls_helper(c.expr)
                and not is_read_only(c.expr)
            )
            owned = owned and (sure or self.facts.is_real(Var(name)))
            if c.shape == SCALAR and isinstance(c.expr, Index) and self.may_hold_rank_zero(c.expr.array):
                owned = False
            if not owned and name in self.copy_first and (sure or self.facts.is_real(Var(name))):
                c.expr, owned = algebra.op(algebra.MULTIPLY, ONE, c.expr), True
            elif not owned and name in self.copy_first and c.shape == self.facts.shape(Var(name)) != SCALAR:
                c.expr, owned = self.in_dtype(name, c.expr), True
            if c.expr != Var(target):
                self.out.append(Assign(target, self.as_array(name, self.of_its_type(name, c), c.shape)))
            if not (self.facts.shapes.has_axis(c.shape) or c.fresh or self.is_own_number(c.expr)):
                self.rank_zero.add(target)
            if c.listed:
                self.listed.add(target)
            st[name] = Adjoint(Var(target), c.shape, owned, self.is_masked(c.expr))
            self.note_dtype(name, c.expr)
            if not sure or self.facts.of(c.expr).kind in ("int", "bool"):
                self.whole_numbers.add(target)
            elif self.depth == 1:
                self.whole_numbers.discard(target)
            self.facts.names[target] = Fact("float", c.shape)
            return
        shape = self.facts.shapes.broadcast([state.shape, c.shape])
        if c.listed and target in self.listed and state.expr == Var(target):  # two lists, or two arrays
            self.out.append(Assign(target, Op("helper._added", (state.expr, c.expr))))
            st[name] = Adjoint(Var(target), shape, True)
            return
        if c.listed:  # the sum of two lists is a longer one
            c.expr = Op("numpy.asarray", (c.expr,))
        owned, in_place, total = True, False, c.expr
        if state.constant:
            total = algebra.add(c.expr, state.expr)
            if isinstance(total, Const):
                st[name] = Adjoint(total, shape, True)
                return
            owned = shape == SCALAR or self.holds(name, total)
            self.out.append(Assign(target, self.as_array(name, total, shape)))
        elif state.owned and state.shape == shape:
            in_place = True
            sign, rest = algebra.split_sign(c.expr)
            self.out.append(Augment(Var(target), "+" if sign > 0 else "-", rest))
        else:
            if self.idle_tests and not state.owned and state.shape == shape and target not in self.whole_numbers:
                self.want_copies.add(name)
            total = algebra.add(state.expr, c.expr)
            if isinstance(total, Const):
                st[name] = Adjoint(total, SCALAR, True)
                return
            owned = shape == SCALAR or self.holds(name, total)
            self.out.append(Assign(target, self.as_array(name, total, shape)))
        masked = self.is_masked(c.expr)
        st[name] = Adjoint(Var(target), shape, owned, state.masked and masked, state.cut and masked)
        if self.depth == 1 and self.has_fraction(c.expr):
            self.whole_numbers.discard(target)
        if not in_place:
            self.note_dtype(name, total)
        self.facts.names[target] = Fact("float", shape)

    def is_masked(self, e: Expr) -> bool:
        raise NotImplementedError  # `Pull`

    def as_array(self, name: str, e: Expr, shape: Shape) -> Expr:
        """What the adjoint starts with of an array that is subscripted and may be of rank 0: of such, arithmetic gives
        a number, which can't be written into.

        shape: of `e`; what has not all axes yet gets them before (`own_whole`).
        """
        whole = shape == self.facts.shape(Var(name))
        if name not in self.at_rank_zero or not whole or (isinstance(e, Op) and e.fn in RANK_ZERO):
            return e
        self.rank_zero.add(bar(name))
        return Op("numpy.asarray", (e,))

    def of_its_type(self, name: str, c: Contribution) -> Expr:
        """Choices between numbers have double precision, whatever the array has: zeros of its type keep that."""
        if c.shape == SCALAR or not any(map(self.is_choice, ir.walk(c.expr))) or not self.is_of_numbers(c.expr):
            return c.expr

        def typed(e: Expr) -> Expr:
            if not self.is_choice(e):
                return ir.rebuild(e, typed)
            assert isinstance(e, Op)
            test, a, b = e.args
            if ZERO in (a, b):
                return Op(e.fn, (test, *(self.zeros(name) if x == ZERO else x for x in (a, b))))
            return Op(e.fn, (test, algebra.multiply(a, Op("numpy.ones_like", (Var(name),))), b))

        return typed(c.expr)

    def is_choice(self, e: Expr) -> bool:
        """np.where of two numbers."""
        return isinstance(e, Op) and e.fn == "numpy.where" and len(e.args) == 3 and all(map(self.is_number, e.args[1:]))

    def is_number(self, e: Expr) -> bool:
        return isinstance(e, Const) or self.facts.is_scalar(e)

    def is_of_numbers(self, e: Expr) -> bool:
        """Whether nothing in an expression has the type of an array but for choices between numbers."""
        if self.is_number(e) or self.is_choice(e):
            return True
        return isinstance(e, Op) and e.form is ir.Form.OPERATOR and all(map(self.is_of_numbers, e.args))

    def accumulate_own(self, own: str, contributions: list[Contribution], adjoint: Adjoint, st: State) -> None:
        """x = f(x): what was x_bar becomes the adjoint of the old x; a coefficient of one needs no statement."""
        target = bar(own)
        before = SCALAR if adjoint.constant else adjoint.shape
        narrowed = Op("helper._unbroadcast", (adjoint.expr, Var(own)))
        rest: list[Contribution] = []
        kept = False
        for c in contributions:
            same = (c.expr == adjoint.expr and c.shape == before) or (before == self.wider(own) and c.expr == narrowed)
            if c.to_all and not kept and same:
                kept = True
            elif c.to_all and not kept and c.shape == before and (inner := without(c.expr, adjoint.expr)) is not None:
                kept = True
                rest.append(replace(c, expr=inner))
            else:
                rest.append(c)
        if kept:
            st[own] = adjoint
            for c in self.evaluated_first(target, self.gathered(own, rest, together=True)):
                self.accumulate(own, c, st)
            return
        whole = [c for c in rest if c.to_all]
        if len(whole) < len(rest) or any(
            isinstance(n, Var) and n == Var(target) for c in whole[1:] for n in ir.walk(c.expr)
        ):
            # read the old adjoint more than once while the new one is built: give it a name
            g = self.ctx.names.fresh("g_bar", own)
            self.facts.names[g] = Fact("float", adjoint.shape, number=self.facts.number(Var(own)))
            if isinstance(adjoint.expr, Var):
                gathered = self.gathered(own, whole, together=True)
                if len(gathered) == 1 and len(whole) == len(rest):
                    self.accumulate(own, gathered[0], st)
                    return
                self.out.append(Assign(g, adjoint.expr))
                for c in rest:
                    c.expr = ir.substitute(c.expr, {target: Var(g)})
        for c in self.gathered(own, rest):
            self.accumulate(own, c, st)

    def evaluated_first(self, target: str, contributions: list[Contribution]) -> list[Contribution]:
        """The same contributions to an adjoint: what reads it behind the first one, which changes it, gets a name."""
        out = contributions[:1]
        for c in contributions[1:]:
            e = c.expr
            if target in ir.reads(e):
                inner = e.args[0] if isinstance(e, Op) and e.fn == "numpy.negative" else e
                name = self.ctx.names.fresh(role_of(inner), inner, self.ctx.names.of(c))
                self.facts.names[name] = replace(self.facts.of(inner), shape=c.shape)
                self.note_fraction(name, inner)
                self.out.append(Assign(name, method("copy", inner) if rules.may_alias(inner) else inner))
                c = replace(c, expr=Var(name) if inner is e else algebra.negated(Var(name)))
            out.append(c)
        return out

    def add_items(
        self, place: Var | Index, value: Expr, fact: Fact | None, depth: int = 0, first: int = 0
    ) -> list[Stmt]:
        """Adds to a list that other names see: its items are changed, not the list; so are those of lists in it.

        first: the number of the item that the first one of `value` is added to.
        """
        if isinstance(place, Index) and place.key == ir.ELLIPSIS:  # all of it
            assert isinstance(place.array, Var | Index)
            place = place.array
        match value:
            case (
                Op(fn="builtins.list" | "builtins.dict", args=(Var() | Index() as of,), options=())
                | Op(fn="helper._added", args=(Op(fn="helper._zeros_like"), Var() | Index() as of))
            ):
                value = of  # it is only read here
        parts = fact.items if fact is not None else ()
        if any(part.kind in CONTAINERS for part in parts) or (fact is not None and fact.keys):
            out: list[Stmt] = []
            if not isinstance(value, Var | Index):
                name = self.ctx.names.fresh("g", "whole of", place, value)
                out, value = [Assign(name, value)], Var(name)
            for k, part in enumerate(parts):
                at = Const(fact.keys[k] if fact is not None and fact.keys else k)
                slot = Index(place, at)
                if part.kind in CONTAINERS:
                    out += self.add_items(slot, Index(value, at), part, depth)
                elif part.kind not in NOT_DIFFERENTIABLE:
                    out.append(Augment(slot, "+", Index(value, at)))
            return out
        if holds_mixed(fact) or (fact is not None and fact.elem is not None and fact.elem.whole):
            refuse(self.ctx, place, "S236", MIXED, "make two lists, or arrays of all items")
        i, item = (self.ctx.names.fresh(n, "items of", depth) for n in ("ig", "jh", "kv")[min(depth, 2)])
        pairs = Op("builtins.enumerate", (value, Const(first)) if first else (value,))
        slot = Index(place, Var(i))
        if fact is not None and fact.keyed:
            i = self.ctx.names.fresh("k", "items of", depth)
            pairs, slot = method("items", value), Index(place, Op(ir.KEY, (Var(i),)))
        inner = fact.elem if fact is not None else None
        if inner is not None and inner.kind in CONTAINERS:
            step = self.add_items(slot, Var(item), inner, depth + 1)
        else:
            step = [Augment(slot, "+", Var(item))]
        return [ir.For(ir.Sequence((Var(i), Var(item))), pairs, tuple(step))]

    def displayed(self, name: str) -> Fact:
        """What is known of a value; of each item where it is a display of lists and numbers that stays as it is."""
        fact, shown = self.facts.of(Var(name)), self.ctx.definition(name)
        if not isinstance(shown, ir.Sequence) or shown.starred or not holds_mixed(fact):
            return fact
        changes = (s for s in ir.statements(self.ctx.function.body) if isinstance(s, ir.Store | ir.Append))
        changed = {ir.written_name(s.target) if isinstance(s, ir.Store) else s.array for s in changes}
        mixed = any(holds_mixed(self.facts.of(Var(n))) for n in changed)
        return fact if mixed else replace(fact, items=tuple(map(self.facts.of, shown.items)))

    def gets_entries(self) -> set[str]:
        """The dicts that get entries under keys that are known when the function runs."""
        stores = (s.target for s in ir.statements(self.ctx.function.body) if isinstance(s, ir.Store))
        return {ir.written_name(target) for target in stores if ir.is_entry(target)}

    def has_all_items(self, name: str, c: Contribution) -> bool:
        """Whether a contribution has an item for each of what a name holds, a list or an array."""
        return self.facts.shapes.has_axis(c.shape) and c.shape == self.facts.shape(Var(name))

    def accumulate_list(self, name: str, c: Contribution, st: State, dying: Adjoint | None) -> None:
        """dying: the adjoint that this group takes over, if it is owned and read by nothing else."""
        taken_over = dying is not None and c.expr in (dying.expr, Index(dying.expr, TURNED))
        target = bar(name)
        state = st.get(name)
        fact = self.facts.of(Var(name))
        nested = self.holds_containers(name) or name in self.survey.kept
        if not (taken_over or c.handed):
            c = replace(c, expr=self.items_apart(c.expr))
        if (
            fact.kind == "list"
            and holds_mixed(fact)
            and not (c.path or c.whole)
            and (state is not None or c.key is not None)
        ):
            refuse(self.ctx, Var(name), "S236", MIXED, "make two lists, or arrays of all items")
        if c.key is None and state is None:
            fresh = c.fresh and (fact.kind == "dict" or fact.keyed or nested or isinstance(c.expr, ir.Sequence))
            fresh = fresh or taken_over or c.handed
            fresh = fresh or (isinstance(c.expr, Op) and c.expr.fn == "helper._added")
            frozen = fresh and fact.kind == "tuple" and is_handed_back(c.expr) and not c.slots
            expr = c.expr if fresh else self.copied(c.expr, fact)
            if c.lent and fact.kind == "list":  # its slots are bound anew, and those of lists in it
                expr = owned(c.expr, Var(name)) if holds_mixed(fact) else Op("builtins.list", (c.expr,))
            lacks = expr != c.expr and may_lack(self.ctx, Var(name))  # then there is no list to copy
            if not fresh and (lacks or name in self.copy_first):
                given = c.expr.args[0] if isinstance(c.expr, Op) and c.expr.fn == "builtins.list" else c.expr
                expr, fresh = self.own_items_of(name, given), True
            elif self.may_hold_rank_zero(expr):
                self.rank_zero.add(target)
            if not fresh and c.expr in self.row_lists and not self.is_fresh(rows_of(c)):
                self.borrowed_rows.add(name)
            self.out.append(Assign(target, expr))
            slots = c.slots or makes_slots(expr)
            st[name] = Adjoint(Var(target), SCALAR, fresh, slots=slots, frozen=frozen and not slots)
            return
        if c.key is None and state is not None:
            if fact.keyed and state.expr == Var(target) and name in self.gets_entries():  # it may have had fewer then
                flat = replace(fact, elem=None) if nested else fact
                steps = self.add_items(Var(target), self.ctx.simplify(c.expr), flat)
                self.out += [bound_anew(s, nested) for s in steps] if nested or not state.owned else steps
            elif fact.kind not in CONTAINERS and is_arithmetic(c.expr) and not self.has_all_items(name, c):
                self.out.append(Assign(target, algebra.add(state.expr, c.expr)))
                st[name] = Adjoint(Var(target), SCALAR, False)
            elif nested and not may_lack(self.ctx, Var(name)) and self.is_of_known_items(fact):
                inc = self.increment(name, c.expr)
                self.out.append(Assign(target, self.sum_of_items(state.expr, inc, fact)))
                st[name] = Adjoint(Var(target), SCALAR, True, frozen=True)
            elif (
                fact.keyed
                or may_lack(self.ctx, Var(name))
                or (nested and not (fact.kind == "dict" and fact.keys and all(i.kind != "dict" for i in fact.items)))
            ):
                self.out.append(Assign(target, Op("helper._added", (state.expr, c.expr))))
                st[name] = Adjoint(Var(target), SCALAR, True)
            elif fact.kind == "dict":
                self.accumulate_entries(name, c, state)
            else:
                more = c.expr.args[0] if isinstance(c.expr, Op) and c.expr.fn == "builtins.list" else c.expr
                self.out.append(Assign(target, self.sum_of_lists(state.expr, more)))
                st[name] = Adjoint(Var(target), SCALAR, True)
            return
        assert c.key is not None
        if state is None:
            self.out.append(Assign(target, self.zeros(name)))
            st[name] = state = Adjoint(Var(target), SCALAR, True)
        self.note_part(name, c, st)
        state = st[name]
        unsure = c.scatter and not c.path and fact.kind == "any"
        unsure = unsure and any(map(self.ctx.may_select, key_parts(c.key, self.facts)))  # it may be an array
        lacks = not state.owned and (fact.kind == "any" or state.shape == self.partly(name))  # it may be the number 0.0
        if c.path or c.whole or unsure or lacks:
            state = self.own_items(name, st)
        state = self.with_slots(name, st)
        slot = Index(Var(target), c.key)
        held: Expr = Index(Var(name), c.key)
        for key in c.path:
            slot = Index(slot, key)
        for key in c.path[:-1]:
            held = Index(held, key)
        if c.scatter and c.path and name in self.survey.containers and self.facts.of(held).kind == "any":
            unsure = any(map(self.ctx.may_select, key_parts(c.path[-1], self.facts)))  # a list may lie there, too
        if unsure:
            args = (slot.array, ir.as_value(slot.key), self.ctx.simplify(c.expr))
            self.out.append(ir.Inert("", (Op("helper._add_at", args),)))
        elif c.whole:
            if self.may_hold_rank_zero(c.expr):  # of zeros and these, the latter alone may be stored
                self.rank_zero.add(target)
            self.out.append(ir.Store(slot, Op("helper._added", (slot, c.expr))))
        elif state.owned:
            step = self.update(slot, replace(c, scatter=c.scatter and bool(c.path)))
            item: Expr = Var(name)
            for key in (c.key, *c.path):
                item = Index(item, key)
            if isinstance(step, Augment) and c.shape == self.facts.shape(item) and self.is_float(c):
                step = replace(step, full=True, own=taken_over or self.is_fresh(c))
            if self.may_hold_rank_zero(c.expr):  # added to a zero that is put there, it is stored itself
                self.rank_zero.add(target)
            self.out.append(step)
        else:
            if fact.kind == "tuple" and not state.slots:  # what a helper gives for a tuple is one
                self.want_copies.add(name)
            self.out.append(ir.Store(slot, algebra.add(slot, c.expr)))

    def accumulate_entries(self, name: str, c: Contribution, state: Adjoint) -> None:
        """The entries of a dict, or the attributes of an object, one by one."""
        fact, target = self.facts.of(Var(name)), bar(name)
        inc = self.increment(name, c.expr)
        for k, item in zip(fact.keys, fact.items, strict=True):
            slot, part = Index(Var(target), Const(k)), Index(inc, Const(k))
            if item.kind in NOT_DIFFERENTIABLE:
                continue
            if item.kind in CONTAINERS:  # of which `+` is another thing
                numbers = is_list_of_numbers(item, self.facts)
                total = self.sum_of_lists(slot, part) if numbers else Op("helper._added", (slot, part))
                self.out.append(ir.Store(slot, total))
            else:
                more = Augment(slot, "+", part)
                self.out.append(more if state.owned else ir.Store(slot, algebra.add(slot, part)))

    def increment(self, name: str, given: Expr) -> Var:
        """A name for what is added to the adjoint of a container, item by item."""
        if isinstance(given, Var):
            return given
        inc = Var(self.ctx.names.fresh(f"{entry_name(self.ctx.base.get(name, name))}_inc", name, given))
        self.facts.names[inc.name] = self.facts.of(Var(name))
        self.out.append(Assign(inc.name, given))
        return inc

    def is_of_known_items(self, fact: Fact) -> bool:
        """Whether a tuple holds numbers, arrays, lists of numbers and such tuples, each known to be what it is."""
        return (
            fact.kind == "tuple"
            and len(fact.items) in range(1, 4)
            and all(
                self.is_of_known_items(i)
                or is_list_of_numbers(i, self.facts)
                or (i.kind in ("float", "any") and not i.whole and self.facts.shapes(i.shape).rank is not None)
                for i in fact.items
            )
        )

    def sum_of_items(self, a: Expr, b: Expr, fact: Fact) -> Expr:
        """The sum of two adjoints of such a tuple: `(p[0] + q[0], [a + b for a, b in zip(p[1], q[1])])`."""
        if fact.kind == "tuple":
            parts = ((Index(a, Const(k)), Index(b, Const(k)), i) for k, i in enumerate(fact.items))
            return ir.Sequence(tuple(self.sum_of_items(*p) for p in parts))
        return self.sum_of_lists(a, b) if fact.kind == "list" else algebra.add(a, b)

    def sum_of_lists(self, first: Expr, second: Expr) -> Expr:
        """`[a + b for a, b in zip(first, second)]`"""
        a, b = (Var(self.ctx.names.fresh(n, "item")) for n in "ab")
        pairs = Op("builtins.zip", (first, second))
        return ir.Comprehension(algebra.op(algebra.ADD, a, b), ((ir.Sequence((a, b)), pairs, ()),))

    def own_items_of(self, name: str, given: Expr) -> Expr:
        """An adjoint of a list or a dict that is given, with items of its own."""
        match given:
            case ir.Comprehension(Op(fn="builtins.list", args=(row,)), ((item, _, ()),)) if row == item:
                if is_list_of_numbers(self.facts.of(Var(name)).elem or Fact(), self.facts):
                    if ir.root_name(name) not in self.ctx.function.names:
                        return given  # rows of numbers, copied already, which nobody else sees
                    v = Var(self.ctx.names.fresh("v", "item"))
                    return replace(given, element=new_numbers(row, v, lambda e: algebra.op(algebra.MULTIPLY, ONE, e)))
        fact = self.facts.of(Var(name))
        arrays = fact.kind == "list" and not fact.keyed and fact.elem is not None and fact.elem.kind == "float"
        if not (arrays or is_list_of_numbers(fact, self.facts)):
            if Op("builtins.list", (given,)) in self.row_lists:
                return Op("builtins.list", (algebra.op(algebra.MULTIPLY, ONE, given),))
            return Op("helper._added", (self.zeros(name), given))
        item = Var(self.ctx.names.fresh("v", "item"))
        return new_numbers(given, item, lambda e: algebra.op(algebra.MULTIPLY, ONE, e))

    def copied(self, e: Expr, fact: Fact) -> Expr:
        """The adjoint of a container as a container of its own, so that its slots can be changed."""
        if fact.kind == "dict" and fact.keys:
            return ir.Dict(tuple(Const(k) for k in fact.keys), tuple(Index(e, Const(k)) for k in fact.keys))
        if fact.kind == "tuple" and isinstance(e, Var | Index):
            return Op("builtins.list", (e,))
        return e

    def update(self, target: Index, c: Contribution) -> Stmt:
        expr = self.ctx.simplify(c.expr)
        if isinstance(expr, Var) and expr.name in self.listed:
            expr = Op("numpy.asarray", (expr,))
        if c.scatter:
            return ir.Inert(
                "",
                (
                    Op(
                        "numpy.add.at",
                        (
                            target.array,
                            ir.as_value(target.key),
                            expr,
                        ),
                    ),
                ),
            )
        sign, rest = algebra.split_sign(expr)
        return Augment(target, "+" if sign > 0 else "-", rest)

    def holds(self, name: str, e: Expr) -> bool:
        """Whether an array that is made by `e` can take, in place, what is added to the adjoint of `name`.

        The adjoint of a complex variable may start as an array of real numbers, `np.ones_like(x)`.
        """
        return self.facts.is_real(Var(name)) or self.facts.number(e) == COMPLEX

    def note_dtype(self, name: str, e: Expr) -> None:
        """Whether the adjoint that `e` has just made is complex by dtype; in a loop it may be what came around."""
        if self.depth > 1:
            self.facts.sure.clear()
        elif self.facts.complex and not self.facts.is_real(Var(name)) and self.holds(name, e):
            self.facts.sure.add(bar(name))
        else:
            self.facts.sure.discard(bar(name))

    def dtype(self, name: str) -> Expr:
        """A dtype for the adjoint of a complex variable."""
        if self.facts.number(Var(name)) == COMPLEX:
            return ir.Attribute(Var(name), "dtype")
        return Op("numpy.result_type", (Var(name), Const(1j)))

    def in_dtype(self, name: str, e: Expr) -> Expr:
        """A copy of what its adjoint starts with that can take complex numbers."""
        return Op("numpy.astype", (e, self.dtype(name)), form=ir.Form.METHOD, spelling="astype")

    def zeros(self, name: str) -> Expr:
        """A zero adjoint for a variable: of its shape, and of a dtype that does not truncate."""
        made = self.zeros_of(name)
        if self.makes_rank_zero(made, self.facts.of(Var(name))):
            self.rank_zero.add(bar(name))
        return made

    def makes_rank_zero(self, made: Expr, fact: Fact) -> bool:
        """Whether zeros may hold arrays of rank 0: `[np.zeros_like(v) for v in t]` where `t = [x + y, v]`."""
        items = fact.items or ((fact.elem,) if fact.elem else ())
        match made:
            case ir.Sequence(items=parts) | ir.Dict(values=parts) if len(parts) == len(items):
                return any(map(self.makes_rank_zero, parts, items))
            case ir.Comprehension(element=ir.Slice(stop=part)) | ir.Comprehension(element=part) if part is not None:
                return any(self.makes_rank_zero(part, f) for f in items)
            case Op(fn="numpy.zeros_like"):
                return not self.facts.shapes.has_axis(fact.shape)
        return False

    def zeros_of(self, name: str) -> Expr:
        fact = self.facts.of(Var(name))
        absent = name in self.survey.absent | self.ctx.optional
        if (fields := dict(self.ctx.function.records).get(name)) is not None:
            v, record = Var(self.ctx.names.fresh("v", "item")), fields
            if fact.keyed or name in self.facts.dicts:  # of a dict of them
                return keyed_zeros(Var(name), lambda v: zero_record(v, record, fact.elem))
            return ir.Comprehension(zero_record(v, fields, fact.elem), ((v, Var(name), ()),))
        if (fields := self.survey.records.get(name)) is not None:
            return zero_record(Var(name), fields, fact)
        if not absent and (entries := self.entries(name)):
            numbers = all(self.facts.shapes(f.shape) == SCALAR for f in entries)
            least = next((f for f in entries if f.kind != "float"), entries[0])
            return keyed_zeros(Var(name), lambda v: ZERO if numbers else self.zero_item(v, least, name))
        lost = name in self.survey.absent or (fact.absent and name not in self.ctx.optional)
        if is_optional_object(optional := replace(fact, absent=lost), self.facts):
            return zero_structure(Var(name), optional, self.facts)  # a named tuple can't be changed
        if is_dict_of_floats(fact) and not absent:
            return keyed_zeros(Var(name), lambda _: ZERO)
        if name in self.survey.containers | self.survey.kept or (fact.kind in CONTAINERS and absent):
            if fact.is_object and name not in self.ctx.function.names and not (absent or self.survey.kept & {name}):
                return self.zero_object(Var(name), fact)
            return Op("helper._zeros_like", (Var(name),))
        if name in self.survey.second and holds_lists_beside_numbers(fact):  # they are added at any depth
            return Op("helper._zeros_like", (Var(name),))
        if fact.kind == "tuple" and not fact.items and fact.elem is None:  # of what, only the run knows
            return Op("helper._zeros_like", (Var(name),))
        if fact.kind in CONTAINERS and (fact.kind != "tuple" or fact.items):
            return self.zero_structure(Var(name), fact, name)
        if self.facts.shapes(fact.shape) == SCALAR:
            return ZERO
        zeros = self.zero_array(name, fact, absent)
        if name in self.survey.texts:  # `name = "b"`, and a number of an array later
            text = Op("builtins.isinstance", (Var(name), Const(None, "str")), spelling="isinstance")
            return Op("operator.ifexp", (text, ZERO, zeros), form=ir.Form.OPERATOR)
        return zeros

    def zero_object(self, e: Expr, fact: Fact) -> Expr:
        """Zeros of an object with known attributes, in one that can be changed: a named tuple can't."""
        keys = tuple(Const(k) for k in fact.keys)
        parts = tuple(
            Op("helper._zeros_like", (Index(e, k),))
            if f.kind in CONTAINERS
            else zero_part(Index(e, k), f, self.facts, 0, "list")
            for k, f in zip(keys, fact.items, strict=True)
        )
        return ir.Dict(keys, parts)

    def zero_array(self, name: str, fact: Fact, absent: bool) -> Expr:
        """Zeros of the shape of a number or an array of which the number of axes is not known to be 0."""
        if fact.number == COMPLEX:
            return Op("numpy.zeros_like", (Var(name),))
        if self.may_be_number(name, fact, absent):
            return algebra.op(algebra.MULTIPLY, ZERO, Op("numpy.ones_like", (Var(name),)))
        careful = (self.survey.careful | self.survey.unpacked | self.ctx.temps.keys()) - self.ctx.known_floats
        careful |= self.survey.texts
        if (
            fact.number == REAL
            and name not in self.survey.maybe_integer - self.ctx.known_floats
            and not absent  # the zeros of None would be an object
            and (fact.kind == "float" or name not in careful)
        ):
            return Op("numpy.zeros_like", (Var(name),))
        vector = self.facts.ndim(Var(name)) == 1 and not absent
        item = name in self.survey.unpacked - self.survey.careful or (vector and name in self.survey.filled)
        of = Index(Var(name), Const(0)) if item else self.ctx.as_array(name)  # it may be a list of numbers, too
        if absent and name not in self.ctx.function.names:
            of = Var(name)  # None, where it is no array, makes a float: an array of it would be one of objects
        if of == Var(name) and name in self.survey.unpacked and ir.keys_of(name):  # an entry of what a user gives
            of = Op("numpy.asarray", (of,))
        dtype = Op("numpy.result_type", (of, _unit(fact.number)))
        if vector and name not in self.survey.unpacked - self.survey.careful:
            # shorter, and a third of the time of zeros_like with a dtype
            return Op("numpy.zeros", (Op("builtins.len", (Var(name),)),), (("dtype", dtype),))
        return Op("numpy.zeros_like", (Var(name),), (("dtype", dtype),))

    def may_be_number(self, name: str, fact: Fact, absent: bool) -> bool:
        """Whether a zero may stand for a number: then it is one, and no array of rank 0, whose sums take ten times as
        long. Not so where the adjoint, or a view of it, is written into."""
        is_array = self.facts.shapes.has_axis(fact.shape) or name in self.at_rank_zero or name in self.pinned
        is_array = is_array or self.ctx.aliases.is_stored(name) or bool(self.shadows((name,)))
        return fact.number == REAL and fact.kind in ("float", "any") and not (is_array or absent)

    def entries(self, name: str) -> list[Fact]:
        """What is known of the entries of a dict whose adjoint gets them under keys that only the run knows: of a
        parameter that all callers give such a dict for, and of a dict with known entries that is read by others."""
        fact = self.facts.dicts.get(name) or self.facts.of(Var(name))
        if fact.kind == "list" and name in self.facts.dicts and fact.elem is not None:
            found = [replace(fact.elem, kind="any") if fact.elem.kind == "float" else fact.elem]  # an int beside floats
        else:
            found = list(fact.items) if fact.kind == "dict" and self.is_read_under_variables(name) else []
            if all(self.facts.shapes(f.shape) == SCALAR for f in found):
                return []  # `{"u": 0.0, "v": 0.0}`
        known = not any(f.kind in (*CONTAINERS, *NOT_DIFFERENTIABLE) for f in found)
        return found if known and found and self.is_of_arrays(name) else []

    def is_of_arrays(self, name: str) -> bool:
        """Whether nothing is done to the entries of a dict but what is done to numbers and arrays."""
        return are_arrays(self.ctx.function, lambda e: isinstance(e, Index) and is_of(e, name))

    def is_read_under_variables(self, name: str) -> bool:
        """Whether an entry of a dict is read under a key that its text does not show."""
        nodes = (e for s in ir.statements(self.ctx.function.body) for e in ir.nodes(s))
        return any(isinstance(e, Index) and is_of(e, name) and not isinstance(e.key, Const) for e in nodes)

    def zero_structure(self, e: Expr, fact: Fact, name: str = "") -> Expr:
        """Zeros in the structure of a container; lists for tuples, as their items change."""
        elem = fact.elem
        of_optional = fact.kind == "list" and not fact.absent and is_optional_object(elem, self.facts)
        if of_optional or is_optional_object(fact, self.facts):
            return zero_structure(e, fact, self.facts)
        if (
            may_lack(self.ctx, e)
            or (elem is not None and lacks_parts(elem))
            or (fact.kind == "list" and holds_mixed(fact))
        ):
            return Op("helper._zeros_like", (e,))
        if fact.keyed and (elem is None or elem.kind not in CONTAINERS):
            numbers = elem is not None and self.facts.shapes(elem.shape) == SCALAR
            return keyed_zeros(self.shown(e), lambda v: ZERO if numbers else self.zero_item(v, elem, name))
        if fact.kind == "list" and (elem is None or elem.kind not in CONTAINERS):
            if elem is not None and self.facts.shapes(elem.shape) == SCALAR:
                return repeated(ZERO, e)
            if self.holds_open(e) or (elem is not None and elem.whole):
                return Op("helper._zeros_like", (e,))
            v = Var(self.ctx.names.fresh("v", "item"))
            return ir.Comprehension(self.zero_item(v, elem, name), ((v, e, ()),))
        if fact.kind == "tuple" and upper(fact) == EITHER:  # a loop may add what is complex to any of them
            fact = replace(fact, items=tuple(replace(f, number=EITHER) for f in fact.items))
        return zero_structure(self.shown(e), fact, self.facts)

    def holds_open(self, e: Expr) -> bool:
        """Whether items of a list get names, and may be lists by what is done under these."""
        bound = (s for s in ir.statements(self.ctx.function.body) if isinstance(s, Assign))
        items = {s.target for s in bound if isinstance(s.value, Index) and s.value.array == e}
        return not items.isdisjoint(self.survey.containers)

    def shown(self, e: Expr) -> Expr:
        """A temporary with its display in its place; what a helper gives is not asked for once more."""
        whole = self.ctx.tree(e)
        return e if isinstance(whole, Op) and is_costly(whole) else whole

    def zero_item(self, item: Expr, elem: Fact | None, name: str) -> Expr:
        """A zero for an item of the list `name`, which may be an array."""
        unknown = elem is None or (elem.kind == "any" and self.facts.shapes(elem.shape).rank is None)
        if (elem is not None and elem.whole) or (unknown and name in self.survey.containers | self.survey.kept):
            return Op("helper._zeros_like", (item,))
        sure = elem is not None and elem.kind == "float" and name not in self.survey.maybe_integer
        number = REAL if elem is None else upper(elem)
        if sure or number == COMPLEX:
            return Op("numpy.zeros_like", (item,))
        of = Op("numpy.asarray", (item,)) if self.ctx.holds_given(name) else item
        return Op("numpy.zeros_like", (item,), (("dtype", Op("numpy.result_type", (of, _unit(number)))),))

    def materialise(self, name: str, st: State, full: bool = False) -> list[Stmt]:
        """Makes the adjoint of `name` a variable, of its full shape where that is asked for."""
        a = st[name]
        shape = self.facts.shape(Var(name))
        target = bar(name)
        if a.expr == Var(target) and (a.shape == shape or not full):
            return []
        is_list = self.is_container(name)
        expr = self.ctx.simplify(a.expr)
        if full and a.shape != shape and not is_list:  # zeros stay as they are: `0.0 * np.ones_like(y)` has a shape
            made = self.full(a.expr, a.shape, shape, Var(name))
            expr = self.zeros(name) if a.expr == ZERO else self.ctx.simplify(made)
            a = replace(a, shape=shape, owned=a.expr == ZERO or self.holds(name, expr))
        st[name] = replace(a, expr=Var(target))
        self.facts.names[target] = Fact("float", a.shape)
        return [Assign(target, expr)]

    def initial(self, name: str, st: State, bound: frozenset[str]) -> list[Stmt]:
        """A zero adjoint, where a branch or a loop will accumulate into it; `bound` names have a value there."""
        shape = self.facts.shape(Var(name))
        target = bar(name)
        if shape != SCALAR and name not in bound | self.ctx.late and not ir.is_part(name):
            st[name] = Adjoint(Var(target), self.partly(name), False, masked=True)
            self.facts.names[target] = Fact("float", self.partly(name))
            none: Expr = Const(None) if self.facts.of(Var(name)).kind in ("list", "dict") else ZERO
            open_ = name in self.survey.containers and self.facts.of(Var(name)).kind not in CONTAINERS
            parts = None if open_ else self.zero_parts(name)
            if parts is None:
                self.want_late(name)
            return [Assign(target, parts or none)]
        st[name] = Adjoint(Var(target), shape, True, masked=True)
        self.facts.names[target] = Fact("float", shape)
        return [Assign(target, self.zeros(name))]

    def want_late(self, name: str) -> None:
        """Notes a container that is bound in a loop, and may be read in a later round: of which parts its zero is made
        the run tells, once the name is None before the loop."""
        holds = self.facts.of(Var(name)).kind in CONTAINERS or name in self.survey.containers
        if holds and name not in self.ctx.late:
            self.late.add(name)

    def zero_parts(self, name: str) -> Expr | None:
        """0.0 for each part of a container that has no value yet; None where the number of its parts is not known."""
        fact = self.facts.of(Var(name))
        if fact.kind != "list" or fact.elem is None:
            return structure_of_zeros(fact)
        sizes: set[int] = set()
        for s in ir.statements(self.ctx.function.body):
            match s:
                case Assign(target=target, value=ir.Sequence(items=items, starred=stars)) if (
                    target == name and items and not stars
                ):
                    sizes.add(len(items))
                case Assign(value=Var(name=held)) if held == name:
                    return None  # what is appended to its second name is not followed here
                case ir.Append(array=array) if array == name:
                    return None
                case _ if name in ir.binds(s):
                    return None
        part = structure_of_zeros(fact.elem)
        return None if len(sizes) != 1 or part is None else ir.Sequence((part,) * sizes.pop(), "list")

    def partly(self, name: str) -> Shape:
        """The shape of an adjoint that may be the number 0.0 in place of an array of zeros."""
        shape = unknown(f"0 or {name}")
        self.facts.shapes.within[shape] = self.facts.shape(Var(name))
        return shape

    def wider(self, name: str) -> Shape:
        """The shape of an adjoint that may have more axes than its value has at that point: it stands for its sum."""
        return unknown(f"sum of {name}")

    def order(self, name: str) -> tuple[int, str]:
        """Parameters first, in their order."""
        names = self.ctx.function.names
        base = ir.root_name(name)
        return (names.index(base) if base in names else len(names), name)

    def count(self, iterable: Expr) -> Expr:
        """range(min(len(a), len(b))) is range(len(a)) where the lengths are proved equal."""
        match iterable:
            case Op(fn="builtins.range", args=(Op(fn="builtins.min", args=lengths),)):
                known = {self.length(n) for n in lengths}
                if len(known) == 1 and None not in known:
                    return replace(iterable, args=(lengths[0],))
        return iterable

    def length(self, e: Expr) -> object:
        match e:
            case Op(fn="builtins.len", args=(Var(name=name),)) if name in self.survey.history:
                return self.length(self.survey.history[name])
        found = self.facts.of(e).length
        return found if found is None else self.facts.shapes.dim(found)

    def respread(self, name: str, st: State) -> list[Stmt]:
        a = st[name]
        shape = self.facts.shape(Var(name))
        if name in self.survey.containers:
            st[name] = replace(a, shape=shape)
            return []
        expr = self.full(a.expr, a.shape, shape, Var(name))
        st[name] = Adjoint(a.expr, shape, self.holds(name, expr))
        return [Assign(bar(name), expr)]


def holds_lists_beside_numbers(fact: Fact) -> bool:
    """Whether a tuple, or one inside of it, has lists, tuples or dicts among its items, and numbers or arrays."""
    kinds = {f.kind in CONTAINERS for f in fact.items if f.kind not in NOT_DIFFERENTIABLE}
    return (fact.kind == "tuple" and len(kinds) > 1) or any(map(holds_lists_beside_numbers, fact.items))


def first_of(key: ir.Slice) -> int | None:
    """The number of the first item of a part of a list without gaps, where it is written out."""
    match key:
        case ir.Slice(start=None, step=None):
            return 0
        case ir.Slice(start=Const(value=int() as first), step=None) if first >= 0:
            return first
    return None


def is_handed_back(e: Expr) -> bool:
    """Whether an expression is what the derivative of a helper returns, or one of the values that it returns."""
    return isinstance(e, Var) or (isinstance(e, Op) and e.fn.startswith("local."))


def makes_slots(e: Expr) -> bool:
    """Whether an expression makes a list or a dict of what lies in another one."""
    return isinstance(e, ir.Comprehension) or (isinstance(e, Op) and e.fn in ("builtins.list", "builtins.dict"))


def _unit(number: str) -> Const:
    """A weak number that makes a dtype a floating-point one, or a complex one."""
    return ZERO if number == REAL else Const(1j)


def is_read_only(e: Expr) -> bool:
    """Whether an expression gives a view that NumPy makes read-only, or a view of one: nothing can be added to it."""
    return is_view(e) or (isinstance(e, Op) and rules.may_alias(e) and any(map(is_read_only, e.args)))


def _reads_new(e: Expr) -> bool:
    return any(isinstance(n, Var) and n.after for n in ir.walk(e))


def _reads_old(e: Expr, targets: set[str], stored: bool) -> bool:
    if stored and is_size(e):
        return False
    if isinstance(e, Var):
        return e.name in targets and not e.after
    return any(_reads_old(c, targets, stored) for c in ir.children(e))


def map_statement(s: Stmt, f: Callable[[Expr], Expr]) -> Stmt:
    match s:
        case Assign() | ir.Unpack() | ir.Append():
            return replace(s, value=f(s.value))
        case Augment() | ir.Store():
            target = f(s.target) if isinstance(s.target, Index) else s.target
            return replace(s, target=target, value=f(s.value))
        case ir.Inert():
            return replace(s, values=tuple(map(f, s.values)))
        case ir.For():  # over the items of a list
            return replace(s, iterable=f(s.iterable), body=tuple(map_statement(x, f) for x in s.body))
    return s


def _calls_helper(e: Expr) -> bool:
    """Whether an inlined helper is called: what its result shares memory with is not looked into."""
    return any(isinstance(n, Op) and n.fn.startswith("helper.") for n in ir.walk(e))


def bound_anew(s: Stmt, nested: bool) -> Stmt:
    """`total[k] += g` as `total[k] = total[k] + g`: what lies there is lent, or, nested, a structure."""
    match s:
        case Augment(target=Index() as slot, value=value):
            return ir.Store(slot, Op("helper._added", (slot, value)) if nested else algebra.add(slot, value))
    return ir.with_blocks(s, lambda block: tuple(bound_anew(t, nested) for t in block))


def merged(contributions: list[Contribution]) -> list[Contribution]:
    """`x * x` contributes the same twice: 2.0 times, once."""
    out: list[Contribution] = []
    for c in contributions:
        twin = next((d for d in out if d.to_all and c.to_all and (d.expr, d.shape) == (c.expr, c.shape)), None)
        if twin is None or isinstance(c.expr, Const):
            out.append(c)
        else:
            twin.expr = algebra.float_coefficients(algebra.add(twin.expr, c.expr))
    return out


def is_arithmetic(e: Expr) -> bool:
    """Whether a number or an array is sure to come out, for lists have no arithmetic."""
    return isinstance(e, Op) and (e.fn in ARITHMETIC or e.fn == "helper._unbroadcast")


def _exchange(e: Expr, old: Expr, new: Expr) -> Expr:
    return new if e == old else ir.rebuild(e, lambda c: _exchange(c, old, new))


def _value(s: Stmt) -> Expr:
    return s.value if isinstance(s, Assign | ir.Unpack | ir.Append | ir.Return | ir.Store) else ir.NONE


def _role(parent: Op | None, name: str) -> str:
    """num_bar and den_bar of a quotient, s_bar of a term, a_bar of what a function is applied to."""
    if parent is not None and parent.fn == "numpy.divide":
        return "num_bar" if parent.args[0] == Var(name) else "den_bar"
    if parent is not None and parent.fn in ("numpy.add", "numpy.subtract"):
        return "s_bar"
    return "a_bar"


def without(e: Expr, term: Expr) -> Expr | None:
    """e - term, where term stands in the sum e with coefficient one."""
    match e:
        case Op(fn="numpy.add", args=(a, b), form=ir.Form.OPERATOR):
            if a == term:
                return b
            if b == term:
                return a
            if (inner := without(a, term)) is not None:
                return algebra.add(inner, b)
            if (inner := without(b, term)) is not None:
                return algebra.add(a, inner)
        case Op(fn="numpy.subtract", args=(a, b), form=ir.Form.OPERATOR):
            if a == term:
                return algebra.negated(b)
            if (inner := without(a, term)) is not None:
                return algebra.add(inner, algebra.negated(b))
    return None


def is_of(e: Index, name: str) -> bool:
    """Whether a value is an item of a name: `name[k]`."""
    return e.array == Var(name)
