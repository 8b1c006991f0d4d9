"""Expressions in A-normal form: operands that can carry a derivative become atoms, the rest stays as it is written.

`value` gives the right-hand side of an assignment, `atom` a name or a literal, `tree` the expression as it stands; the
statements that must run before are written on the way. Comprehensions and sums over generators become loops.
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import re
from collections.abc import Callable, Iterable
from collections.abc import Sequence as List
from itertools import pairwise
from typing import cast

from s2s import ir, rules
from s2s.errors import Diagnostic, Span
from s2s.frontend.rewrites import turns
from s2s.frontend.rewrites.objects import OF_ARRAYS, OF_VALUES, Objects, affects, part_text
from s2s.frontend.rewrites.optional import is_none
from s2s.frontend.rewrites.sets import makes_set
from s2s.frontend.text import names as known
from s2s.frontend.text.bindings import tuple_names
from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.exits import Continue, Leave, Loose, negate
from s2s.frontend.text.fickle import is_fickle, object_at
from s2s.frontend.text.function_bodies import default_nodes
from s2s.frontend.text.function_values import as_node, is_canonical
from s2s.frontend.text.keys import is_one_for_each
from s2s.frontend.text.names import Imports, ModuleNames
from s2s.frontend.text.reaching import Reaching
from s2s.frontend.text.refuse import FAMILIES, IN_LISTS_OF_FUNCTIONS, OF_SETS, WITH, diagnostic, instead
from s2s.frontend.text.scopes import (
    COMPREHENSIONS,
    body_nodes,
    bound_names,
    dotted,
    parameters,
    raw_reads,
    read_names,
    walk,
)
from s2s.frontend.text.source import Source, made, one_line
from s2s.ir import NONE, Assign, Block, Const, Expr, For, Form, If, Op, Origin, Var
from s2s.rules import effects
from s2s.rules.kinds import Constant
from s2s.rules.refused import why_refused

BINARY: dict[type[ast.operator], str] = {
    ast.Add: "numpy.add",
    ast.Sub: "numpy.subtract",
    ast.Mult: "numpy.multiply",
    ast.Div: "numpy.divide",
    ast.FloorDiv: "numpy.floor_divide",
    ast.Mod: "numpy.remainder",
    ast.MatMult: "numpy.matmul",
    ast.Pow: "numpy.power",
    ast.LShift: "numpy.left_shift",
    ast.RShift: "numpy.right_shift",
    ast.BitAnd: "numpy.bitwise_and",
    ast.BitXor: "numpy.bitwise_xor",
    ast.BitOr: "numpy.bitwise_or",
}
UNARY: dict[type[ast.unaryop], str] = {
    ast.USub: "numpy.negative",
    ast.UAdd: "numpy.positive",
    ast.Invert: "numpy.invert",
    ast.Not: "operator.not",
}
COMPARE: dict[type[ast.cmpop], str] = {
    ast.Lt: "numpy.less",
    ast.LtE: "numpy.less_equal",
    ast.Gt: "numpy.greater",
    ast.GtE: "numpy.greater_equal",
    ast.Eq: "numpy.equal",
    ast.NotEq: "numpy.not_equal",
    ast.In: "operator.in",
    ast.NotIn: "operator.not_in",
    ast.Is: "operator.is",
    ast.IsNot: "operator.is_not",
}
CONTAINERS = {
    "collections.deque": ("use a list: `queue.append(x)`, and `queue = queue[1:]` for what leaves it",),
    "collections.defaultdict": (
        "use an array, `np.zeros(n)`, for keys that count from 0",
        "or a dict, `{}`, and say in each place what is meant for a missing key: `sums.get(k, 0.0)`",
    ),
}
MATRIX = ("make an array, `np.array(...)`, and write its products with `@`: `*` means another product here",)
MASKED = ("take the elements that count, `x[mask]`, or set the others: `np.where(mask, x, 0.0)`",)
# Arrays of other kinds, by what makes them: operators and reductions mean something else there, of constants, too.
KINDS_OF_ARRAYS = {f"numpy.{name}": MATRIX for name in ("matrix", "asmatrix", "mat", "bmat")} | {"numpy.ma": MASKED}
FEW, FEW_NUMBERS = 4, 20  # items, numbers that are written out
OF_UNKNOWN_CLASS = (
    "let the name stand for objects of one class: state that of a parameter, give a branch's or a loop's own name",
    "or let the method return a new object, and bind that to a name",
)
OUT = ("bind the result to the name, or store it: `a[...] = ...`",)
OVERWRITTEN = "written before it is read: give an array of its own as out"
OPERATORS = {f"__{r}{n}__" for r in ("", "r") for n in ("add", "sub", "mul", "truediv", "matmul", "pow", "mod")}
ITERATORS = frozenset(
    [*(f"builtins.{fn}" for fn in (*turns.LAZY, "iter", "reversed"))]
    + [f"itertools.{fn}" for fn in ("chain", "combinations", "islice", "pairwise", "permutations", "product")]
)
HARD = {"S107", "S201", "S202", "S208"}  # what must not be carried over as text


def kind_of_array(name: str, module: ModuleNames, above: frozenset[str] = frozenset()) -> str | None:
    """What makes a value of the module an array of another kind: the text of it, or of what it is made of, says so."""
    value = module.values.get(name) if name not in above else None
    for n in ast.walk(value) if value is not None else ():
        match n:
            case ast.Call(func=func) if (path := dotted(func)) is not None and path[0] in module.imports.names:
                full = ".".join([module.imports.names[path[0]], *path[1:]]).split(".")
                if (kind := ".".join(full[:2])) in KINDS_OF_ARRAYS:
                    return kind
            case ast.Name(id=other) if (kind_ := kind_of_array(other, module, above | {name})) is not None:
                return kind_
    return None


def is_over_keys(node: ast.DictComp) -> bool:
    """Whether a dict comprehension runs over the keys of a dict, and each gives one of its own, if any:
    `{k: e for k in list(params)}`, `{k + "_0": e for k in list(params) if k != "b"}`."""
    match node:
        case ast.DictComp(
            key=key,
            generators=[
                ast.comprehension(
                    target=ast.Name(id=name),
                    iter=ast.Call(func=ast.Name(id="list" | "sorted"), args=[ast.Name()], keywords=[]),
                    is_async=0,
                )
            ],
        ):
            return getattr(node, "made", False) and is_one_for_each(key, name)
    return False


JOINING = frozenset(f"numpy.{n}" for n in "concatenate hstack vstack stack dstack column_stack".split())  # noqa: SIM905

Options = tuple[tuple[str, Expr], ...]
ENDS = ("bar", "dot", "saved")  # of the names of what belongs to a variable
SHAPES = ("shape", "newshape")  # of np.reshape: the name of the argument, and that of NumPy 2.0


def in_place(fn: str, args: tuple[Expr, ...], options: Options) -> tuple[tuple[Expr, ...], Options]:
    """Arguments by keywords that are read by their places: the operand of np.sum(a=x), the shape of np.reshape."""
    moved: tuple[str, ...] = ()
    if fn == "numpy.reshape" and len(args) == 1:
        moved = SHAPES
    elif not args and fn.startswith("numpy.") and (rule := rules.lookup(fn)) is not None and rule.names:
        if isinstance(rule, Constant):  # which has no operand
            return args, options
        named = [k for k, _ in options if k]
        moved = tuple(k for k in named if rule.names[0] in (k, rule.spelling(k)))
    return (*args, *(v for k, v in options if k in moved)), tuple(o for o in options if o[0] not in moved)


class Expressions(Objects):
    """The state of lowering one function: the block being written, the statement's origin, names given so far."""

    def __init__(self, node: ast.FunctionDef, names: ModuleNames, source: Source, cls: ClassInfo | None = None) -> None:
        self.node, self.names, self.source = node, names, source
        self.refusals: list[Diagnostic] = []
        self.out: list[Loose] = []
        self.origin: Origin | None = None
        self.constant = False
        self.numeric: ast.stmt | None = None  # the statement whose calls without a rule are left to differences
        self.numeric_used = False
        self.changing: set[str] = set()  # classes of objects that a call changes inside a statement
        self.kept = False  # inside a try with handlers
        self.caught: set[int] = set()  # by id: what is raised or asserted for a handler around it
        self.used = known.used_names(node)
        self.params = {a.arg for a in parameters(node)}
        nodes = body_nodes(node)
        bound = bound_names(nodes)
        self.bound = bound
        self.locals = self.params | bound
        self.inner: set[str] = set()  # variables of the comprehensions around, under their own names
        self.rename: dict[str, Expr] = {}
        self.seen: set[str] = set()  # names read so far by the statement
        self.given: set[str] = set()
        self.count = 0
        self.in_tree = 0  # depth of comprehensions that stay trees
        self.imports = Imports(dict(names.imports.names), {}, list(names.imports.stars))
        local_imports = Imports()
        for n in nodes:
            if isinstance(n, ast.Import | ast.ImportFrom):
                local_imports.add(n)
        self.imports.names.update(local_imports.names)
        self.imports.stars += local_imports.stars
        self.without_places: set[str] = set()  # variables that hold a set, a view of a dict, or an iterator
        self.iterators: dict[str, frozenset[str]] = {}  # of these, the iterators, and from which each takes
        self.displays_held: set[str] = set()  # variables that a list or a tuple is shown for
        self.summed: dict[str, None] = {}  # attributes of items of lists of which the text says `p.x += e`
        self.arrays_given: dict[str, str] = {}  # parameters that are arrays, as an attribute is read of them
        self.unseen: dict[int, str] = {}  # functions handed to a call that is not followed, and why it is not
        self.guarded: dict[tuple[str, str, str], None] = {}  # (receiver, class, method) of calls that are followed
        self.placed: set[str] = set()  # lists of which parts of items may be bound anew: `bodies[i].x = e`
        self.find_objects(cls)
        self.find_results(nodes)
        self.lists = self.made_lists(nodes) | self.listed_parts(nodes)
        self.only_lists = {n for n in self.lists if n not in self.arrays}  # at no point an array

    def free(self, name: str) -> bool:
        if name in self.used or name in self.given:
            return False
        stem, _, last = name.rpartition("_")
        of_another = last in ENDS and (stem in self.used or stem in self.given)
        return not of_another and not any(f"{name}_{end}" in self.used for end in ENDS)

    def fresh(self, base: str) -> str:
        """A readable name that the function does not use, nor its adjoint's, and that is no other's adjoint's."""
        name, k = base, 1
        while not self.free(name):
            k += 1
            name = f"{base}_{k}"
        self.given.add(name)
        return name

    def temporary(self) -> str:
        while True:
            self.count += 1
            if self.free(f"t{self.count}"):
                self.given.add(f"t{self.count}")
                return f"t{self.count}"

    def is_temporary(self, name: str) -> bool:
        return name in self.given and re.fullmatch(r"t\d+", name) is not None

    def is_local(self, name: str) -> bool:
        return name in self.locals or name in self.inner or name in self.rename

    def made_lists(self, nodes: Iterable[ast.AST]) -> set[str]:
        """Local names that are only ever bound to lists made here, so that `append` changes nothing of others."""
        made: set[str] = set()
        self.arrays: set[str] = set()
        other: set[str] = set(self.params)
        accounted: dict[str, int] = {}
        stores: dict[str, int] = {}
        for n in nodes:
            match n:
                case (
                    ast.Assign(targets=[ast.Name(id=name)], value=value)
                    | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                ):
                    accounted[name] = accounted.get(name, 0) + 1
                    if self.makes_list(value) or self.copies_list(value, made):
                        made.add(name)
                    elif self.makes_array(value):
                        self.arrays.add(name)
                    else:
                        other.add(name)
                case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)) if len(targets) == len(
                    values
                ):
                    for t, v in zip(targets, values, strict=True):
                        if isinstance(t, ast.Name):
                            accounted[t.id] = accounted.get(t.id, 0) + 1
                            (made if self.makes_list(v) else other).add(t.id)
                case ast.AugAssign(target=ast.Name(id=name)):
                    accounted[name] = accounted.get(name, 0) + 1
                case ast.Name(id=name, ctx=ast.Store()):
                    stores[name] = stores.get(name, 0) + 1
        return {n for n in made - other if stores.get(n, 0) <= accounted.get(n, 0)}

    @functools.cached_property
    def only_tuples(self) -> set[str]:
        """Names that are bound to nothing but tuples."""
        return tuple_names(body_nodes(self.node), self.params)

    @functools.cached_property
    def reaching(self) -> Reaching:
        """Which bindings reach a place: only asked for lists that grow."""
        return Reaching(self.node)

    def grows(self, name: ast.Name) -> bool:
        """Whether what a name is bound to here is a list that was made for it, so that it may become longer.

        By then other names may see it. A list that was made for another name may be longer under that one.
        """
        if name.id in self.lists:
            return True
        values = self.reaching.of(name)
        return values is not None and not any(isinstance(v, ast.Name) or not self.is_list(v, set()) for v in values)

    def is_list(self, value: ast.expr, asked: set[int]) -> bool:
        """asked: values that are looked into already, as of a name that a loop binds to itself."""
        match value:
            case (
                (ast.Name() as other)
                | ast.Subscript(value=ast.Name() as other, slice=ast.Slice())
                | ast.Call(func=ast.Attribute(value=ast.Name() as other, attr="copy"), args=[])
            ):
                values = self.reaching.of(other)
                if values is None:
                    return False
                new = [v for v in values if id(v) not in asked]
                asked |= set(map(id, new))
                return all(self.is_list(v, asked) for v in new)
        return self.makes_list(value)

    def makes_list(self, value: ast.expr) -> bool:
        match value:
            case ast.List() | ast.ListComp():
                return True
            case ast.BinOp(left=a, op=ast.Mult(), right=b):
                return isinstance(a, ast.List) or isinstance(b, ast.List)
            case ast.BinOp(left=a, op=ast.Add(), right=b):
                return self.makes_list(b) or self.makes_list(a)
            case ast.Call(func=func):
                return self.resolve(func) in (("builtins.list", None), ("builtins.sorted", None))
        return False

    def copies_list(self, value: ast.expr, lists: set[str]) -> bool:
        """A slice or a copy of a list that stands further up."""
        match value:
            case (
                ast.Subscript(value=ast.Name(id=name), slice=ast.Slice())
                | ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="copy"), args=[])
            ):
                return name in lists and name not in self.arrays
        return False

    def makes_array(self, value: ast.expr) -> bool:
        """`path = np.stack(path)`: no list that somebody else has."""
        match value:
            case ast.Call(func=func):
                found = self.resolve(func)
                return found is not None and found[1] is None and found[0].startswith("numpy.")
        return False

    # ------------------------------------------------------------ results of several parts (`Results`)

    def find_results(self, nodes: Iterable[ast.AST]) -> None:
        raise NotImplementedError

    def part_of_result(self, node: ast.Attribute | ast.Subscript) -> Expr | None:
        raise NotImplementedError

    # ------------------------------------------------------------ objects (`Structures`)

    def listed_parts(self, nodes: Iterable[ast.AST]) -> set[str]:
        raise NotImplementedError

    def whole(self, node: ast.expr) -> Expr | None:
        raise NotImplementedError

    def of_object(self, node: ast.Attribute) -> Expr | None:
        raise NotImplementedError

    def method_call(self, node: ast.Call, operand: Callable[[ast.expr], Expr]) -> Expr | None:
        raise NotImplementedError

    def constructed(self, node: ast.expr, operand: Callable[[ast.expr], Expr]) -> Expr | None:
        raise NotImplementedError

    def written_loop(
        self, target: ast.expr, it: ast.expr, inside: List[ast.AST], write: Callable[[], None], own: bool = False
    ) -> bool:
        raise NotImplementedError

    # ------------------------------------------------------------ writing

    def refuse(
        self,
        family: str,
        node: ast.stmt | ast.expr | ast.arg | ast.keyword,
        *words: str,
        label: str = "",
        help: tuple[str, ...] | None = None,
    ) -> Const:
        d = diagnostic(family, self.source.span(node), *words, label=label, help=help)
        if d not in self.refusals:
            self.refusals.append(d)
        return NONE

    def text(self, node: ast.stmt | ast.expr | ast.arg) -> str:
        return one_line(self.source.segment(node))

    def emit(self, s: Loose) -> None:
        if isinstance(s, Assign) and self.is_without_places(s.value):
            self.without_places.add(s.target)
        if isinstance(s, Assign) and (takes := self.taken_from(s.target, s.value)):
            self.iterators[s.target] = takes
            self.without_places.add(s.target)
        if isinstance(s, Assign) and isinstance(s.value, ir.Sequence) and s.value.kind != "set":
            self.displays_held.add(s.target)
        self.out.append(s)

    def set(self, target: str, value: Expr) -> None:
        self.emit(Assign(target, value, self.origin, self.constant))

    def captured(self, write: Callable[[], None]) -> Block:
        outer, self.out = self.out, []
        write()
        inner, self.out = self.out, outer
        return cast(Block, tuple(inner))

    # ------------------------------------------------------------ values that need several statements

    def assign(self, target: str, value: ast.expr) -> None:
        """target = value, where the value may need several statements."""
        if (default := display_otherwise(target, value)) is not None:
            question, sense, display = default
            test = self.tree(question) if sense else negate(self.tree(question))
            self.emit(If(test, self.captured(lambda: self.assign(target, display)), (), self.origin))
            return
        match value:
            case ast.IfExp() if not self.simple_choice(value):
                test = self.tree(value.test)
                if (holds := decided(test)) is not None:
                    self.assign(target, value.body if holds else value.orelse)
                    return
                body = self.captured(lambda: self.assign(target, value.body))
                orelse = self.captured(lambda: self.assign(target, value.orelse))
                self.emit(If(test, body, orelse, self.origin))
            case ast.BoolOp() if not self.is_boolean(value):
                self.short_circuit(target, isinstance(value.op, ast.Or), value.values)
            case ast.ListComp() if not self.stays(value):
                self.filled(target, value)
            case ast.Call(func=func, args=[ast.GeneratorExp() | ast.ListComp() as inner, *_]) if self.resolve(func) == (
                "builtins.sum",
                None,
            ) and not self.stays(inner):
                self.total(target, value, inner)
            case ast.Call(func=func, args=[ast.GeneratorExp() as inner], keywords=[]) if self.resolve(func) == (
                "builtins.list",
                None,
            ) and not self.stays(inner):
                self.filled(target, inner)
            case ast.BinOp() if is_repeated(value):
                made_of = self.repeated(value, target)
                if made_of != Var(target):
                    self.set(target, made_of)
            case _:
                self.set(target, self.value(value))

    def short_circuit(self, target: str, is_or: bool, values: List[ast.expr]) -> None:
        """a or b, exactly: b is evaluated only if a is false."""
        first, rest = self.atom(values[0]), values[1:]
        if not rest:
            self.set(target, first)
            return
        if len(rest) == 1 and self.is_simple(rest[0]):
            b = self.atom(rest[0])
            args = (first, first, b) if is_or else (first, b, first)
            self.set(target, Op("operator.ifexp", args, form=Form.OPERATOR))
            return
        found = self.captured(lambda: self.set(target, first))
        other = self.captured(lambda: self.short_circuit(target, is_or, rest))
        self.emit(If(first, found, other, self.origin) if is_or else If(first, other, found, self.origin))

    def store(self, target: ast.expr) -> None:
        match target:
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if name not in self.params:
                other = f"let `{attr}` be an attribute that is assigned as it is, and that arrays do not have"
                self.refuse("store", target, self.text(target), help=(other, "or keep the values in arrays"))
            case ast.Subscript() | ast.Attribute():
                self.refuse("store", target, self.text(target))
            case _:
                self.refuse("target", target, f"`{self.text(target)}`")

    def iterable(self, node: ast.expr) -> Expr:
        """What a loop runs over: range, zip, enumerate and reversed of names; anything else gets a name before."""
        match node:
            case ast.Call(args=[ast.Name(id=name)]) if getattr(node, "keyed", False) or getattr(node, "of_dict", False):
                keys = self.fresh(f"{name}_keys")
                self.locals.add(keys)
                self.set(keys, self.value(node))
                return Var(keys)
            case ast.Call() if getattr(node, "keyed", False):
                return self.atom(node)
            case ast.GeneratorExp():
                return self.listed(node)
            case ast.Subscript(value=ast.Call(func=func), slice=ast.Slice(lower=None, step=None)) if self.resolve(
                func
            ) == ("builtins.range", None):
                return self.tree(node)
            case ast.Call(func=func, args=args) if not any(isinstance(a, ast.Starred) for a in args):
                match self.resolve(func):
                    case ("builtins.range", None):
                        return self.tree(node)
                    case ("builtins.zip" | "builtins.enumerate" | "builtins.reversed") as fn, None:
                        first = [self.iterable(a) for a in (args[:1] if fn == "builtins.enumerate" else args)]
                        first += [self.tree(a) for a in args[len(first) :]]
                        options = tuple((k.arg or "", self.tree(k.value)) for k in node.keywords)
                        if fn == "builtins.zip" and self.measured(first, options):
                            options = ()
                        return Op(fn, tuple(first), options, spelling=self.text(func), span=self.source.span(node))
        return self.with_places(node)

    def taken_from(self, name: str, e: Expr) -> frozenset[str]:
        """The iterators from which items are taken where those of this value are, if it is one itself."""
        match e:
            case Var(name=other):
                return self.iterators.get(other, frozenset())
            case Op(fn=fn, args=args) if fn in ITERATORS:
                return frozenset([name]).union(*(self.iterators.get(a.name, ()) for a in args if isinstance(a, Var)))
        return frozenset()

    def run_over(self, node: ast.expr, rounds: Iterable[ast.AST]) -> Expr:
        """What a loop runs over, where an iterator is written as the list of what it still gives: its items are then
        taken before the rounds, which must leave none of them, and take none themselves."""
        inside = list(rounds)
        left = turns.leaves([x for x in inside if isinstance(x, ast.stmt)])
        seen: frozenset[str] = frozenset()
        for n in (n for x in (node, *inside) for n in walk(x) if isinstance(n, ast.Name)) if self.iterators else ():
            v = self.rename.get(n.id, Var(n.id))
            if isinstance(v, Var) and (takes := self.iterators.get(v.name)):
                if left or takes & seen:
                    self.refuse("iterator", node, n.id)
                seen |= takes
        return self.iterable(node)

    def is_without_places(self, e: Expr) -> bool:
        """Whether a value is a set, or a view of a dict."""
        match e:
            case ir.Sequence(kind=kind) | ir.Comprehension(kind=kind):
                return kind == "set"
            case Op(fn="builtins.set" | "builtins.frozenset" | "method.items" | "method.keys" | "method.values"):
                return True
            case Op(fn="numpy.bitwise_or" | "numpy.bitwise_and" | "numpy.bitwise_xor" | "numpy.subtract", args=args):
                return any(isinstance(a, Var) and a.name in self.without_places for a in args)
        return False

    def with_places(self, node: ast.expr) -> Expr:
        """What a loop runs over, as a list where its items have no places by which a sweep could run backwards."""
        found = self.atom(node)
        if isinstance(found, Var) and found.name in self.without_places:
            of_dict = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "items"
            named = isinstance(node, ast.Name | ast.Attribute)
            items = self.fresh(f"{found.name}_items" if named else "pairs" if of_dict else "items")
            self.set(items, Op("builtins.list", (found,), spelling="list"))
            return Var(items)
        return found

    def measured(self, items: list[Expr], options: tuple[tuple[str, Expr], ...]) -> bool:
        """zip(..., strict=True) as an assertion on the lengths, which the loop then need not compare."""
        match options:
            case (("strict", Const(value=bool() as strict)),) if strict is False or all(
                isinstance(i, Var) or (isinstance(i, Op) and i.fn == "builtins.range") for i in items
            ):
                lengths = [Op("builtins.len", (i,)) for i in items]
                for a, b in pairwise(lengths if strict else []):
                    self.emit(ir.Inert("assert", (Op("numpy.equal", (a, b), form=Form.OPERATOR),), self.origin))
                return True
        return False

    def loop_target(self, node: ast.expr) -> Expr:
        match node:
            case ast.Name(id=name):
                return self.rename.get(name, Var(name))
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                return ir.Sequence(tuple(self.loop_target(e) for e in elts))
        if isinstance(node, ast.Starred):
            return self.refuse("target", node, f"`{self.text(node)}` in the target of a loop")
        self.store(node)
        return NONE

    def emit_for(self, target: Expr, iterable: Expr, body: Block, node: ast.expr) -> None:
        """The loop; a name of its header that the body rebinds gets another name before, for the way back."""
        killed = set(ir.target_names(target)) | {n for s in loose_statements(body) for n in ir.binds(s)}
        grown = {s.array for s in loose_statements(body) if isinstance(s, ir.Append)}
        values: dict[str, Expr] = {}
        for name in sorted(ir.reads(iterable) & grown):
            length = Op("builtins.len", (Var(name),), spelling="len")
            if any(e == length for e in ir.walk(iterable)):
                t = self.fresh(f"{name}_len")
                self.set(t, length)
                iterable = replace(iterable, length, Var(t))
            if name in ir.reads(iterable):
                self.refuse("loopchange", node, name)
        for name in sorted(ir.reads(iterable) & killed):
            base = f"{name}_start" if name[-1].isdigit() else f"{name}0"
            values[name] = Var(self.fresh(base))
            self.set(cast(Var, values[name]).name, Var(name))
        self.emit(For(target, ir.substitute(iterable, values) if values else iterable, body, self.origin))

    # ------------------------------------------------------------ comprehensions and sums

    def stays(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> bool:
        """A comprehension over ranges whose elements are made of literals and its own variables only."""
        own: set[str] = set()
        for g in node.generators:
            match g.iter:
                case ast.Call(func=func) if self.resolve(func) == ("builtins.range", None) and not g.is_async:
                    own |= read_names(g.target)
                case _:
                    return False
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        parts += [t for g in node.generators for t in g.ifs]
        plain = (ast.Call, ast.NamedExpr, ast.Lambda, *COMPREHENSIONS)
        if isinstance(node, ast.ListComp) and is_zeros(node.elt):  # [[0.0] * n for _ in range(m)]
            return True
        return all(read_names(p) <= own and not any(isinstance(n, plain) for n in walk(p)) for p in parts)

    def is_read_in(self, node: ast.expr, target: str) -> bool:
        """Whether an expression reads a variable, or the object or dict of which that is a part."""
        read = read_names(node)
        owners = {path[0] for path, variable in self.entries.items() if variable == target}
        parts = (n for n in walk(node) if isinstance(n, ast.Attribute | ast.Subscript))
        return not read.isdisjoint({target, *owners}) or any(self.part(n) == target for n in parts)

    def is_bound_to_others(self, target: str) -> bool:
        """Whether a variable is another one's object in one place, `w = u`, which no list that is filled is."""
        for n in walk(self.node):
            match n:
                case ast.Assign(targets=[ast.Name(id=name)], value=value) if name == target:
                    values = [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]
                    if any(isinstance(v, ast.Name) or is_none(v) for v in values):
                        return True
        return False

    def filled(self, target: str, node: ast.ListComp | ast.GeneratorExp) -> None:
        """target = []; for ...: target.append(element)"""
        apart = self.is_read_in(node, target) or self.is_bound_to_others(target)
        name = self.fresh(f"new_{target}") if apart else target
        self.set(name, ir.Sequence((), "list"))
        self.clauses(node.generators, lambda: self.emit(ir.Append(name, self.atom(node.elt), self.origin)))
        if name != target:
            self.set(target, Var(name))

    def listed(self, node: ast.ListComp | ast.GeneratorExp) -> Var:
        t = self.temporary()
        self.filled(t, node)
        return Var(t)

    def total(self, target: str, call: ast.Call, node: ast.GeneratorExp | ast.ListComp) -> None:
        """target = 0; for ...: target = target + element

        What is written into later gets a copy: no partial sum is that array, whose adjoint would be kept beside each.
        """
        starts = [*call.args[1:], *(k.value for k in call.keywords if k.arg == "start")]
        written = not starts and self.name_bindings[target].is_stored_into
        read = self.is_read_in(call, target)
        name = self.fresh("total") if written else self.fresh(f"new_{target}") if read else target
        self.set(name, self.atom(starts[0]) if starts else Const(0))

        def add() -> None:
            self.set(
                name, Op("numpy.add", (Var(name), self.atom(node.elt)), form=Form.OPERATOR, span=self.source.span(call))
            )

        self.clauses(node.generators, add, node.elt)
        if name != target:
            self.set(target, Op("numpy.positive", (Var(name),), form=Form.OPERATOR) if written else Var(name))

    def clauses(
        self, generators: List[ast.comprehension], write: Callable[[], None], element: ast.expr | None = None
    ) -> None:
        """The loops of a comprehension around what `write` writes."""
        if not generators:
            write()
            return
        g, rest = generators[0], generators[1:]
        if g.is_async:
            self.refuse("async", g.target, "an async comprehension")

        def conditions(tests: List[ast.expr]) -> None:
            if not tests:
                self.clauses(rest, write, element)
                return
            test = self.tree(tests[0])
            self.emit(If(test, self.captured(lambda: conditions(tests[1:])), (), self.origin))

        inside = [n for x in (element, *g.ifs, *rest) if x is not None for n in walk(x)]
        if self.written_loop(g.target, g.iter, inside, lambda: conditions(g.ifs), own=True):
            return
        iterable = self.run_over(g.iter, inside)
        restore = self.enter_loop(g.target, g.iter)
        target = self.loop_target(g.target)
        body = self.captured(lambda: conditions(g.ifs))
        restore()
        self.emit_for(target, iterable, body, g.iter)

    def enter_loop(self, target: ast.expr, source: ast.expr) -> Callable[[], None]:
        return self.enter(target)

    def enter(self, target: ast.expr) -> Callable[[], None]:
        """Makes a comprehension's variables known, under other names where theirs are taken; the result undoes it."""
        rename, inner = self.rename, self.inner
        self.rename, self.inner = dict(rename), set(inner)
        module = self.names
        for name in sorted(read_names(target)):
            taken = name in self.locals or name in inner or name in rename or name in self.imports.names
            if (
                taken
                or name in module.functions
                or name in module.constants
                or name in module.others
                or name in known.BUILTINS
            ):
                self.rename[name] = Var(self.fresh(f"{name}_start" if name[-1].isdigit() else f"{name}1"))
            else:
                self.inner.add(name)

        def restore() -> None:
            self.rename, self.inner = rename, inner

        return restore

    def comprehension(self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp) -> Expr:
        """A comprehension that carries no derivative, as it is."""
        self.in_tree += 1
        clauses: list[tuple[Expr, Expr, tuple[Expr, ...]]] = []
        restores: list[Callable[[], None]] = []
        for g in node.generators:
            if g.is_async:
                self.refuse("async", g.target, "an async comprehension")
            iterable = self.tree(g.iter)
            restores.append(self.enter(g.target))
            clauses.append((self.loop_target(g.target), iterable, tuple(self.tree(t) for t in g.ifs)))
        if isinstance(node, ast.DictComp):
            element: Expr = ir.Slice(self.tree(node.key), self.tree(node.value))
        else:
            element = self.tree(node.elt)
        for restore in reversed(restores):
            restore()
        self.in_tree -= 1
        kind = {ast.ListComp: "list", ast.SetComp: "set", ast.DictComp: "dict"}.get(type(node), "generator")
        return ir.Comprehension(element, tuple(clauses), kind)

    def keyed(self, node: ast.DictComp) -> Expr:
        """{k: e for k in list(params)}, of the list of its values; the keys that are kept are a list as well, and so is
        what is made of them."""
        g = node.generators[0]
        it = g.iter
        assert isinstance(it, ast.Call) and isinstance(g.target, ast.Name)
        if g.ifs:
            kept = self.list_of(made(ast.ListComp(made(ast.Name(g.target.id, ast.Load()), node), [g]), node))
            g = ast.comprehension(g.target, kept, [], 0)
            keys: Expr = Var(kept.id)
        elif getattr(it, "keyed", False) and isinstance(listed := self.iterable(it), Var):  # of a dict that is open
            keys = listed
            g = ast.comprehension(g.target, made(ast.Name(listed.name, ast.Load()), it), [], 0)
        else:
            keys = self.tree(it.args[0] if ast.unparse(it.func) == "list" else it)
        if not isinstance(node.key, ast.Name):
            keys = Var(self.list_of(made(ast.ListComp(node.key, [g]), node)).id)
        values = self.temporary()
        self.filled(values, made(ast.ListComp(node.value, [g]), node))
        return ir.keyed(keys, Var(values))

    def list_of(self, node: ast.ListComp) -> ast.Name:
        """The name of a list of keys."""
        name = self.fresh("keys")
        self.locals.add(name)
        self.set(name, self.comprehension(node))
        return made(ast.Name(name, ast.Load()), node)

    # ------------------------------------------------------------ expressions

    def atom(self, node: ast.expr) -> Expr:
        """The value as a name or a literal; what computes it is written before."""
        return self.named(self.value(node))

    def named(self, e: Expr) -> Expr:
        """The value of an expression as a name or a literal."""
        if ir.is_atom(e):
            return e
        t = self.temporary()
        self.set(t, e)
        return Var(t)

    def operand(self, node: ast.expr) -> Expr:
        """An atom, or a tuple or list display of such: np.stack([a, b])."""
        match node:
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                return self.sequence(node, elts, self.operand)
        return self.atom(node)

    def sequence(self, node: ast.expr, elts: List[ast.expr], item: Callable[[ast.expr], Expr]) -> Expr:
        kind = {ast.Tuple: "tuple", ast.List: "list"}.get(type(node), "set")
        starred = frozenset(i for i, e in enumerate(elts) if isinstance(e, ast.Starred))
        spread = self.items_in if item == self.operand else item
        items = tuple(spread(e.value) if isinstance(e, ast.Starred) else item(e) for e in elts)
        return ir.Sequence(items, kind, starred)

    def value(self, node: ast.expr) -> Expr:
        """The right-hand side of an assignment: one operation on atoms. Writes what must run before it."""
        match node:
            case ast.Compare() | ast.UnaryOp(op=ast.Not()):
                return self.tree(node)
            case ast.BoolOp() | ast.BinOp() | ast.UnaryOp() if self.is_boolean(node):
                return self.tree(node)
            case ast.IfExp() if self.simple_choice(node):
                test = self.tree(node.test)
                if (holds := decided(test)) is not None:
                    return self.value(node.body if holds else node.orelse)
                args = (test, self.atom(node.body), self.atom(node.orelse))
                return Op("operator.ifexp", args, form=Form.OPERATOR, span=self.source.span(node))
            case ast.ListComp() | ast.SetComp() | ast.DictComp() if self.stays(node):
                return self.comprehension(node)
            case ast.IfExp() | ast.BoolOp() | ast.ListComp():
                t = self.temporary()
                self.assign(t, node)
                return Var(t)
            case ast.DictComp() if is_over_keys(node):
                return self.keyed(node)
            case ast.DictComp() if (made_here := self.constructed(node, self.atom)) is not None:
                return made_here
            case ast.SetComp() | ast.DictComp():
                return self.comprehension(node)
            case ast.GeneratorExp():
                return self.refuse("comprehension", node, "a generator expression")
            case ast.Lambda():
                return self.handed_over(node, "a lambda")
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                return self.sequence(node, elts, self.operand)
        return self.build(node, self.atom)

    def tree(self, node: ast.expr) -> Expr:
        """The expression as it is written, for places that carry no derivative."""
        match node:
            case ast.BoolOp(op=op, values=values) if not any(map(self.runs_once, values[1:])):
                return joined(isinstance(op, ast.And), [self.tree(v) for v in values], self.source.span(node))
            case ast.IfExp() if not self.runs_once(node.body) and not self.runs_once(node.orelse):
                test = self.tree(node.test)
                if (holds := decided(test)) is not None:
                    return self.tree(node.body if holds else node.orelse)
                args = (test, self.tree(node.body), self.tree(node.orelse))
                return Op("operator.ifexp", args, form=Form.OPERATOR, span=self.source.span(node))
            case ast.BoolOp() | ast.IfExp() if not self.in_tree:
                t = self.temporary()
                if isinstance(node, ast.BoolOp):
                    self.short_circuit(t, isinstance(node.op, ast.Or), node.values)
                else:
                    self.assign(t, node)
                return Var(t)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() if not self.in_tree and self.runs_once(node):
                t = self.fresh("drawn")
                self.set(t, self.comprehension(node))
                return Var(t)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return self.comprehension(node)
            case ast.Lambda():
                return self.carried_text(node)
            case ast.Tuple(elts=elts) | ast.List(elts=elts) | ast.Set(elts=elts):
                return self.sequence(node, elts, self.tree)
        if isinstance(node, ast.Call) and not self.in_tree:
            filled = [a for a in node.args if isinstance(a, COMPREHENSIONS)]
            if self.runs_once(node, inside=False) or any(map(self.runs_once, filled)):
                e = self.build(node, self.atom)
                if isinstance(e, Op):  # it gets a name: the tree is written again where the reverse wants its value
                    last = e.fn.rpartition(".")[2]
                    t = self.fresh(f"{last}_value" if e.fn.startswith("module.") else "drawn")
                    self.set(t, e)
                    return Var(t)
                return e
        return self.build(node, self.tree)

    def runs_once(self, node: ast.expr, inside: bool = True) -> bool:
        """Whether an expression binds a name, or calls what is not to be called twice; `inside`: its operands, too."""
        for n in walk(node) if inside else (node,):
            if isinstance(n, ast.NamedExpr):
                return True
            if isinstance(n, ast.Call) and (found := self.resolve(n.func)) is not None:
                fn = found[0]
                if not effects.repeats(fn) or (fn.startswith("local.") and self.helper_draws(fn[6:])):
                    return True
        return False

    def repeats(self, e: Op) -> bool:
        """Whether an operation gives the same each time."""
        return effects.repeats(e.fn) and not (e.fn.startswith("local.") and self.helper_draws(e.fn[6:]))

    def helper_draws(self, name: str) -> bool:
        definition = self.names.find_function(name)
        return definition is not None and effects.may_draw(definition, self.names.find_function, frozenset({name}))

    def build(self, node: ast.expr, operand: Callable[[ast.expr], Expr]) -> Expr:
        """One node of an expression, its operands made by `operand`."""
        match node:
            case ast.Constant():
                return self.literal(node)
            case ast.Name():
                return self.name(node)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() | complex() as number) as inner):
                if not isinstance(number, bool):
                    text = self.literal(inner).text
                    return Const(-number, "-" + text if text else "")
                return Op("numpy.negative", (self.literal(inner),), form=Form.OPERATOR)
            case ast.UnaryOp(op=op, operand=inner):
                if (cls := self.object_of_module(inner)) is not None and not isinstance(op, ast.Not):
                    return self.refuse("operator", node, self.text(node), cls.name)
                return Op(UNARY[type(op)], (operand(inner),), form=Form.OPERATOR, span=self.source.span(node))
            case ast.BinOp():
                return self.binary(node, operand)
            case ast.Compare():
                return self.compared(node)
            case ast.Call():
                return self.call(node, operand)
            case ast.Attribute():
                return self.attribute(node, operand)
            case ast.Subscript():
                return self.subscript(node, operand)
            case ast.Dict(keys=keys, values=values):
                if any(k is None for k in keys):
                    if (made := self.constructed(node, operand)) is not None:
                        return made
                    return self.refuse("star", node, "`**` in a dict display")
                fixed = [k.value for k in keys if isinstance(k, ast.Constant)]
                if len(set(fixed)) < len(fixed):  # 1, 1.0 and True are one key
                    return self.refuse("dict", node, "a dict display that gives one key twice is not followed")
                each = self.tree if operand == self.tree else self.operand
                open_ = getattr(node, "open", False)
                return ir.Dict(tuple(self.tree(k) for k in keys if k), tuple(each(v) for v in values), open=open_)
            case ast.Set(elts=elts):
                return self.sequence(node, elts, operand)
            case ast.JoinedStr():
                carried = self.carried_text(node)
                return dataclasses.replace(carried, atom=True) if isinstance(carried, ir.Raw) else carried
            case ast.NamedExpr():
                return self.walrus(node)
            case ast.Slice(lower=lower, upper=upper, step=step):
                return ir.Slice(*(None if p is None else self.tree(p) for p in (lower, upper, step)))
            case ast.Starred():
                return self.refuse("star", node, f"`{self.text(node)}`")
            case ast.Await() | ast.Yield() | ast.YieldFrom():
                word = "await" if isinstance(node, ast.Await) else "yield"
                return self.refuse("coroutine" if word == "await" else "async", node, f"`{word}`")
        return self.refuse("expression", node, f"`{self.text(node)}`")

    def literal(self, node: ast.Constant) -> Const:
        if getattr(node, "made", False):
            return Const(node.value, getattr(node, "text", ""))
        text = self.source.segment(node) if node.lineno == node.end_lineno else ""
        if isinstance(node.value, str | bytes):
            one_token = text[-1:] in ("'", '"') and text.isprintable()
            try:
                one_token = one_token and isinstance(ast.parse(text, mode="eval").body, ast.Constant)
            except SyntaxError:  # a piece of an f-string
                one_token = False
            return Const(node.value, text if one_token else "")
        return Const(node.value, text if isinstance(node.value, int | float | complex) else "")

    def variable(self, name: str) -> str:
        renamed = self.rename.get(name)
        return renamed.name if isinstance(renamed, Var) else name

    def name(self, node: ast.Name) -> Expr:
        name = node.id
        self.seen.add(name)
        if name in self.rename:
            return self.rename[name]
        if (whole := self.whole(node)) is not None:
            return whole
        if name in self.locals or name in self.inner:
            return Var(name)
        module = self.names
        if module.is_changed(name):
            if module.is_setting(name):
                return ir.Attribute(Var(ir.ITSELF), name, self.source.span(node))
            return self.refuse("rebound", node, name)
        if is_fickle(module, [name]):
            return self.refuse("fickle", node, name)
        if (kind := kind_of_array(name, module)) is not None:
            return self.refuse("expression", node, f"`{name}`, made by `{kind}`,", help=KINDS_OF_ARRAYS[kind])
        if (name in module.functions or name in self.imports.names) and self.is_global_function(node):
            return ir.Raw(name, frozenset((name,)), atom=True)
        if name in self.imports.names or name in module.functions or name in module.constants or name in module.others:
            return Var(name)
        if name not in known.BUILTINS and not self.imports.stars:
            return self.refuse("name", node, name)
        return Var(name)

    def walrus(self, node: ast.NamedExpr) -> Expr:
        name = node.target.id
        if self.in_tree:
            return self.refuse("walrus", node, "a comprehension that stays an expression")
        if name in self.seen:
            return self.refuse("walrus", node, f"`{name}` is read earlier in the same statement")
        self.assign(name, node.value)
        self.seen.add(name)
        return Var(name)

    def object_of_module(self, e: ast.expr) -> ClassInfo | None:
        """The class of an object that this module, or another one, has made."""
        path = dotted(e)
        found = object_at(self.names, path) if path is not None and not self.is_local(path[0]) else None
        return None if found is None else found[0]

    def binary(self, node: ast.BinOp, operand: Callable[[ast.expr], Expr]) -> Expr:
        fn, span = BINARY[type(node.op)], self.source.span(node)
        left, right = node.left, node.right
        for e in (left, right):
            cls = self.class_of(e.func) if isinstance(e, ast.Call) else self.class_of_value(e)
            cls = cls or self.object_of_module(e)
            if cls is not None and cls.fields and any(m in OPERATORS for m in cls.methods):
                return self.refuse("operator", node, self.text(node), cls.name)
        if operand == self.atom:
            if isinstance(node.op, ast.Mod) and isinstance(left, ast.JoinedStr | ast.Constant) and is_text(left):
                operand = self.tree
            elif is_repeated(node):
                return self.repeated(node)
            elif self.joins(node):
                return self.joined(node)
        if operand == self.atom and isinstance(node.op, ast.MatMult):
            return self.of_arrays(Op(fn, (self.operand(left), self.operand(right)), form=Form.OPERATOR, span=span))
        return Op(fn, (operand(left), operand(right)), form=Form.OPERATOR, span=span)

    def repeated(self, node: ast.BinOp, target: str = "") -> Expr:
        """[0.0] * n as a comprehension; of a few items, as a display of all of them; of others, as a loop of appends.

        target: the variable that the list is bound to.
        """
        display, count = (node.left, node.right) if is_display(node.left) else (node.right, node.left)
        assert isinstance(display, ast.List | ast.Tuple)
        plain = all(isinstance(e, ast.Constant) for e in display.elts)
        kind = "list" if isinstance(display, ast.List) else "tuple"
        few = (FEW_NUMBERS if kind == "tuple" else 0) if plain else FEW
        match count:
            case ast.Constant(value=int() as n) if n * len(display.elts) <= few:  # (1, 2) * 2 is (1, 2, 1, 2)
                return ir.Sequence(tuple(map(self.atom, display.elts)) * n, kind)
        times = Op("builtins.range", (self.tree(count),), spelling="range")
        if plain and display.elts:
            clauses: list[tuple[Expr, Expr, tuple[Expr, ...]]] = [(Var("_"), times, ())]
            element = self.tree(display.elts[0])
            if len(display.elts) > 1:
                element = Var(self.fresh("item"))
                clauses.append((element, self.tree(display), ()))
            result: Expr = ir.Comprehension(element, tuple(clauses))
        else:
            items = [self.atom(e) for e in display.elts]
            t = target if target and kind == "list" and target not in read_names(node) else self.temporary()
            self.set(t, ir.Sequence((), "list"))
            body = tuple(ir.Append(t, i, self.origin) for i in items)
            self.emit(For(Var(self.fresh("k")), times, body, self.origin))
            result = Var(t)
        return result if kind == "list" else Op("builtins.tuple", (result,), spelling="tuple")

    def joins(self, node: ast.expr) -> bool:
        """Whether a sum is one of lists, or of tuples."""
        match node:
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                if any(is_display(e) or is_repeated(e) or self.tuple_of(e) is not None for e in (left, right)):
                    return True
                return self.makes_list(right) and self.makes_list(left)  # `a + b + ...` is deep on the left
        return False

    def tuple_of(self, e: ast.expr) -> ast.expr | None:
        """What has the items of a new tuple: `tuple(x)`."""
        match e:
            case ast.Call(func=func, args=[inner], keywords=[]) if self.resolve(func) == ("builtins.tuple", None):
                return None if isinstance(inner, ast.Starred) else inner
        return None

    def joined(self, node: ast.BinOp) -> Expr:
        """a + [b] as [*a, b]."""
        items: list[Expr] = []
        stars: set[int] = set()
        sides = [n for e in (node.left, node.right) for n in ((e.left, e.right) if isinstance(e, ast.BinOp) else (e,))]
        kind = "tuple" if any(isinstance(n, ast.Tuple) or self.tuple_of(n) is not None for n in sides) else "list"
        for side in (node.left, node.right):
            if isinstance(side, ast.List | ast.Tuple):
                items += [self.operand(e) for e in side.elts]
                continue
            of = self.tuple_of(side)
            whole = (
                self.repeated(side) if isinstance(side, ast.BinOp) and is_repeated(side) else self.items_in(of or side)
            )
            if isinstance(whole, ir.Sequence):
                items += whole.items
                continue
            stars.add(len(items))
            items.append(self.named(whole))
            known = isinstance(side, ast.Name) and side.id in (self.lists if kind == "list" else self.only_tuples)
            if not known and of is None and not self.makes_list(side):
                self.assume_list(items[-1], kind, node)
        return ir.Sequence(tuple(items), kind, frozenset(stars))

    def items_in(self, e: ast.expr) -> Expr:
        """What stands behind a star: a generator as a list."""
        return self.listed(e) if isinstance(e, ast.GeneratorExp) else self.atom(e)

    def assume_list(self, e: Expr, kind: str, node: ast.BinOp) -> None:
        """An array would be added to: what can't be known here is asserted in the output."""
        test = Op("builtins.isinstance", (e, Const(None, kind)), spelling="isinstance", span=self.source.span(node))
        self.emit(ir.Inert("assert", (test,), self.origin))

    def compared(self, node: ast.Compare) -> Expr:
        span = self.source.span(node)
        if any(map(self.runs_once, node.comparators[1:])):
            return self.refuse("walrus", node, "a chain of comparisons may leave it out")
        args = (self.tree(node.left), *map(self.tree, node.comparators))
        if len(node.ops) == 1:
            return Op(COMPARE[type(node.ops[0])], args, form=Form.OPERATOR, span=span)
        symbols = ",".join(ir.OPERATORS[COMPARE[type(op)]][0] for op in node.ops)
        return Op("operator.chain", args, form=Form.OPERATOR, spelling=symbols, span=span)

    def attribute(self, node: ast.Attribute, operand: Callable[[ast.expr], Expr]) -> Expr:
        span, attr = self.source.span(node), node.attr
        path = dotted(node)
        if path is not None and not self.is_local(path[0]) and path[0] not in self.standing:
            return self.global_attribute(node, path)
        found = self.of_object(node) or self.part_of_result(node)
        if found is not None:
            return found
        match node.value:
            case ast.Call(func=func, args=[_], keywords=[]) if self.resolve(func) == ("builtins.type", None):
                return ir.Attribute(self.tree(node.value), attr, span)  # of a class: `type(v).size is Vector.size`
        if attr in OF_VALUES and self.is_field_of_object(node):
            whole = operand(node.value)
            return (
                ir.Attribute(whole, attr, span) if operand == self.tree else ir.Index(whole, Const(ir.Attr(attr)), span)
            )
        if attr in known.BOUND_METHODS:
            return self.refuse("mutation", node, self.text(node))
        if attr in OF_ARRAYS and (self.may_be_object_with(node.value, attr) or not self.asks_array(node)):
            return self.refuse("attribute", node, attr)
        if attr in known.ARRAY_ATTRIBUTES:
            fn = known.ARRAY_ATTRIBUTES[attr]
            return Op(fn, (operand(node.value),), form=Form.ATTRIBUTE, spelling=attr, span=span)
        if attr in known.PLAIN_ATTRIBUTES:
            return ir.Attribute(operand(node.value), attr, span)
        match node.value:
            case ast.Call(func=func) if (self.resolve(func) or ("", None))[0] in ("numpy.finfo", "numpy.iinfo"):
                return ir.Attribute(self.tree(node.value), attr, span)
            case ast.Attribute(attr="dtype"):
                return ir.Attribute(self.tree(node.value), attr, span)
        if operand == self.tree:  # in a test or a key an attribute of an object needs no derivative
            return ir.Attribute(self.tree(node.value), attr, span)
        name = ir.Property(attr) if self.objects_compute(attr) else ir.Attr(attr)
        return ir.Index(operand(node.value), Const(name), span)

    def asks_array(self, node: ast.Attribute) -> bool:
        raise NotImplementedError  # `Structures`

    def taken_for_array(self, node: ast.Call, fn: str) -> str:
        raise NotImplementedError  # `Structures`

    def is_global_function(self, e: ast.expr) -> bool:
        raise NotImplementedError  # `Solvers`

    def global_attribute(self, node: ast.Attribute, path: list[str]) -> Expr:
        """np.pi, or an attribute of one of the module's own names."""
        root = path[0]
        module = self.names
        present = (
            root in self.imports.names or root in module.functions or root in module.constants or root in module.others
        )
        if not present and root not in known.BUILTINS and not self.imports.stars:
            return self.refuse("name", innermost(node), root)
        if is_fickle(module, path):
            return self.refuse("fickle", node, ".".join(path))
        e: Expr
        if module.is_changed(root):
            e = self.name(cast(ast.Name, innermost(node)))
            for part in path[1:]:
                e = ir.Attribute(e, part, self.source.span(node))
            return e
        e = Var(root)
        canonical = self.imports.names.get(root, "")
        if ".".join([canonical, *path[1:]]) == "numpy.newaxis":
            return Const(None, ".".join(path))
        if self.is_global_function(node):  # as a value, in which there is no derivative
            return ir.Raw(".".join(path), frozenset((root,)), atom=True)
        for part in path[1:]:
            e = ir.Attribute(e, part, self.source.span(node))
        return e

    def subscript(self, node: ast.Subscript, operand: Callable[[ast.expr], Expr]) -> Expr:
        own = self.part(node)
        if own is not None:
            self.seen.add(own)
            return self.rename.get(own, Var(own))
        whole = self.whole(node) or self.part_of_result(node)
        if whole is not None:
            return whole
        if isinstance(node.value, ast.Name) and node.value.id in self.dict_params and self.chain(node) is None:
            message = f"the dict `{node.value.id}` is read through the computed key `{self.text(node.slice)}`"
            return self.refuse("dict", node, message)
        cls = self.object_of_module(node.value)
        if cls is not None and "__getitem__" in cls.methods and not is_fickle(self.names, dotted(node.value) or [""]):
            return self.refuse("operator", node, self.text(node), cls.name)
        span = self.source.span(node)
        if (fn := self.library_object(node.value)) is not None:
            return Op(
                fn, (self.key(node.slice, operand),), form=Form.SUBSCRIPT, spelling=self.text(node.value), span=span
            )
        if isinstance(node.value, ast.Attribute) and node.value.attr in known.PLAIN_ATTRIBUTES:
            base = self.value(node.value) if operand == self.atom else self.tree(node.value)
        else:
            base = operand(node.value)
        if getattr(node, "keyed", False):
            return ir.Index(base, Op(ir.KEY, (self.tree(node.slice),)), span)
        return ir.Index(base, self.key(node.slice), span)

    def library_object(self, node: ast.expr) -> str | None:
        """The canonical name of `np.c_`, or another object of NumPy that is subscripted; None for all else."""
        path = dotted(node)
        if path is None or self.is_local(path[0]) or path[0] not in self.imports.names:
            return None
        found = ".".join([self.imports.names[path[0]], *path[1:]])
        return found if found in known.SUBSCRIPTED else None

    def key(self, node: ast.expr, operand: Callable[[ast.expr], Expr] | None = None) -> Expr:
        """The key of a subscript. operand: of an object of a library, whose key holds arrays: how these are read."""
        match node:
            case ast.Tuple(elts=elts):
                return self.sequence(node, elts, lambda e: self.key(e, operand))
            case ast.Name(id=name) if self.imports.names.get(name) == "numpy.newaxis" and not self.is_local(name):
                return Const(None, name)
            case ast.expr() if operand is not None and not isinstance(node, ast.Slice):
                return operand(node)
        return ir.as_key(self.tree(node))

    # ------------------------------------------------------------ calls

    def resolve(self, func: ast.expr) -> tuple[str, ast.expr | None] | None:
        """The canonical name of what is called, and the receiver of a method; None if it has no name."""
        path = dotted(func)
        module = self.names
        if is_canonical(func):
            return cast(ast.Name, func).id, None
        if path is not None and not self.is_local(path[0]):
            root, rest = path[0], ".".join(path[1:])
            if root in module.made:
                return f"local.{root}", None
            if root in module.functions and root not in module.rebound:
                if not rest and rules.lookup(key := (module.prefix or rules.OWN) + root) is not None:
                    return key, None  # a rule of the user's own: it is called, not differentiated through
                if not rest and root == ir.TOTAL and module.carries(root):
                    return "numpy.sum", None
                if not rest and rules.lookup(key := f"helper.{root}") is not None and module.carries(root):
                    return key, None
                return (f"local.{module.prefix}{root}" if not rest else f"module.{'.'.join(path)}"), None
            if rest and module.is_setting(root) and module.is_changed(root):
                assert isinstance(func, ast.Attribute)
                return known.METHODS.get(func.attr, f"method.{func.attr}"), func.value
            if root in self.imports.names:
                if rest and module.is_object(".".join([self.imports.names[root], *path[1:-1]])):
                    assert isinstance(func, ast.Attribute)
                    return known.METHODS.get(func.attr, f"module.{'.'.join(path)}"), func.value
                full = module.link(".".join(filter(None, [self.imports.names[root], rest])))
                return f"python.{full}" if full.startswith("operator.") else rules.canonical(full), None
            if root in module.others or (
                self.imports.stars and root not in known.BUILTINS and root not in module.constants
            ):
                if rest and {*path[1:-1]} <= {"T"} and (root in module.arrays or path[-1] in known.VIEWING):
                    assert isinstance(func, ast.Attribute)
                    return known.METHODS.get(func.attr, f"method.{func.attr}"), func.value
                if isinstance(func, ast.Attribute) and module.holds_object(root):
                    return known.METHODS.get(func.attr, f"module.{'.'.join(path)}"), func.value
                return f"module.{'.'.join(path)}", None
            if root in known.BUILTINS:
                return f"builtins.{'.'.join(path)}", None
            if root not in module.constants:
                return None
        if isinstance(func, ast.Attribute):
            return known.METHODS.get(func.attr, f"method.{func.attr}"), func.value
        return None

    def call(self, node: ast.Call, operand: Callable[[ast.expr], Expr]) -> Expr:
        if (of_object := self.method_call(node, operand)) is not None:
            return of_object
        if getattr(node, "keyed", False):
            text = self.text(node.func)
            fn = ir.COUNT if text == "len" else ir.KEYS
            return Op(fn, (self.atom(node.args[0]),), spelling=text, span=self.source.span(node))
        found = self.resolve(node.func)
        span = self.source.span(node)
        if found is None:
            return self.refuse_callee(node.func)
        fn, receiver = found
        if fn == "builtins.super":
            return self.refuse("super", node)
        match node.func:
            case ast.Attribute(attr=attr) if receiver is not None and attr in known.METHODS:
                if self.may_be_object_with(receiver, attr):
                    return self.refuse("attribute", node.func, attr)
        if fn.startswith("local.") and (unclear := self.taken_for_array(node, fn)):
            return self.refuse("attribute", node, unclear)
        if fn.startswith("numpy.") and operand != self.tree:
            outs = [k.value for k in node.keywords if k.arg == "out"]
            if outs and not self.allocates(outs[0]):
                return self.computed_into(node)
        if not self.allowed(node, fn, receiver):
            return NONE
        if operand != self.tree and (special := self.special_call(node, fn)) is not None:
            return special
        if operand != self.tree and fn in JOINING and node.args and is_list_of_lists(node.args[0]):
            parts = self.fresh("parts")  # a list with a name can have an adjoint, item by item
            self.locals.add(parts)
            whole = node.args[0]
            self.assign(parts, made(ast.List(whole.elts, ast.Load()), whole) if isinstance(whole, ast.Tuple) else whole)
            node = made(ast.Call(node.func, [as_node(Var(parts), node), *node.args[1:]], node.keywords), node)
        args = self.arguments(node, fn, receiver, operand)
        options = tuple((k.arg or "", self.option(k, fn, operand)) for k in node.keywords)
        args, options = in_place(fn, args, options)
        if receiver is not None:
            assert isinstance(node.func, ast.Attribute)
            if fn in ("numpy.reshape", "numpy.transpose") and len(args) > 2:
                args = (args[0], ir.Sequence(args[1:]))
            return Op(fn, args, options, Form.METHOD, node.func.attr, span)
        spelling = "" if is_canonical(node.func) and fn != known.NAMESPACE else self.text(node.func)
        called = Op(fn, args, options, Form.CALL, spelling, span)
        return called if operand == self.tree else self.of_arrays(called)

    def of_arrays(self, e: Op) -> Op:
        """np.dot([a, b], v) as np.dot(np.array([a, b]), v): rules compute with their operands."""
        rule = rules.lookup(e.fn) if e.fn.startswith(("numpy.", "scipy.")) else None
        given = (*e.args, *(value for _, value in e.options))
        if rule is None or not any(isinstance(a, ir.Sequence) for a in given):
            return e
        plain = all(isinstance(n, ir.Sequence | Const) for a in given if isinstance(a, ir.Sequence) for n in ir.walk(a))
        try:
            single = {id(a) for a in rule.single(e, plain)}
        except rules.RuleError:
            return e  # refused where it is differentiated

        def array(a: Expr) -> Expr:
            if not isinstance(a, ir.Sequence) or a.starred:
                return a
            if id(a) not in single:
                return dataclasses.replace(a, items=tuple(map(array, a.items)))
            t = self.temporary()
            self.set(t, Op("numpy.array", (a,), span=e.span))
            return Var(t)

        options = tuple((k, array(value)) for k, value in e.options)
        return dataclasses.replace(e, args=tuple(map(array, e.args)), options=options)

    def allocates(self, node: ast.expr) -> bool:
        """np.zeros_like(x) as `out`: an array that nothing else sees, so that the call is a value like any other."""
        found = self.resolve(node.func) if isinstance(node, ast.Call) else None
        return found is not None and found[0] in known.ALLOCATIONS

    def is_made_there(self, node: ast.expr) -> bool:
        """Whether what is given as `out` is a new array with elements, `np.full(3, 0.5)` or `x / 2`."""
        match node:
            case ast.Call(keywords=keywords) if not any(k.arg == "copy" for k in keywords):
                found = self.resolve(node.func)
                return found is not None and found[0] in known.FILLED
        return isinstance(node, ast.BinOp)

    def computed_into(self, node: ast.Call) -> Expr:
        """np.add(a, b, out=c) writes the sum into c, and c is its value; with `where`, only those elements."""
        out = next(k.value for k in node.keywords if k.arg == "out")
        if isinstance(out, ast.Tuple) and len(out.elts) == 1:
            out = out.elts[0]
        rest = ast.Call(node.func, node.args, [k for k in node.keywords if k.arg != "out"])
        ast.copy_location(rest, node)
        value = self.value(rest)
        match out:
            case ast.Constant(value=None):
                return value
            case ast.Subscript() if self.part(out) is None:
                place = self.place(out)
                if place is not None and not any(isinstance(k, ir.Slice) for k in ir.key_items(place.key)):
                    place = ir.Index(place, ir.ELLIPSIS, self.source.span(out))  # the item of a list stays the array
            case _ if (array := self.written(out)) is not None:
                place = ir.Index(array, ir.ELLIPSIS, self.source.span(out))
            case _ if self.is_made_there(out) and isinstance(value, Op) and "where" in dict(value.options):
                name = self.fresh("elsewhere")
                self.locals.add(name)
                self.assign(name, out)
                return self.masked(value, Var(name))
            case _:
                return self.refuse("mutation", out, f"{self.text(node.func)}(..., out={self.text(out)})", help=OUT)
        if place is None:
            return NONE
        if isinstance(value, Op) and value.fn in known.WRITE_AS_THEY_READ:
            self.assume_apart(place.array if place.key == ir.ELLIPSIS else place, value.args[0])
        if isinstance(value, Op) and "where" in dict(value.options):
            value = self.masked(value, place.array if place.key == ir.ELLIPSIS else place)
        self.emit(ir.Store(place, value, self.origin, constant=self.constant))
        return place.array if place.key == ir.ELLIPSIS else place

    def masked(self, value: Op, old: Expr) -> Op:
        """What a call gives where its mask is true, and what stands in `out` elsewhere."""
        new = self.temporary()
        options = (*value.options, ("out", Op("numpy.zeros_like", (old,))))
        self.set(new, dataclasses.replace(value, options=options))
        return Op("numpy.where", (dict(value.options)["where"], Var(new), old))

    def assume_apart(self, out: Expr, operand: Expr) -> None:
        """Such a function may overwrite what it has still to read: that it does not is asserted in the output."""
        parts = operand.items if isinstance(operand, ir.Sequence) else (operand,)
        for part in dict.fromkeys(p for p in parts if not isinstance(p, Const)):
            apart: Expr = Op("numpy.shares_memory", (out, part))
            if not isinstance(operand, ir.Sequence):  # an array, or a list of arrays
                item = Var(self.fresh("part"))
                each = ir.Comprehension(Op("numpy.shares_memory", (out, item)), ((item, part, ()),), "generator")
                apart = Op("builtins.any", (each,), spelling="any")
            self.emit(ir.Inert("assert", (negate(apart), Const(OVERWRITTEN)), self.origin))

    def is_written(self, node: ast.expr) -> bool:
        """Whether a call may write into an array: a name of the function, a part of an object, or a view of one."""
        while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
            if isinstance(node, ast.Call):
                if not isinstance(node.func, ast.Attribute) or node.func.attr not in known.VIEWING:
                    return False
                node = node.func
            node = node.value
        return isinstance(node, ast.Name) and self.is_local(node.id)

    def written(self, node: ast.expr) -> Var | None:
        """The array that a call writes into; None for what it may not write into."""
        array = self.atom(node) if self.is_written(node) else None
        return array if isinstance(array, Var) else None

    def place(self, target: ast.Subscript) -> ir.Index | None:
        raise NotImplementedError  # of statements

    def refuse_callee(self, func: ast.expr) -> Const:
        made_by = func
        if isinstance(func, ast.Name) and self.is_local(func.id):
            values = self.name_bindings[func.id].values
            made_by = values[0] if len(values) == 1 and values[0] is not None else func
        found = self.resolve(made_by.func) if isinstance(made_by, ast.Call) else None
        if found is not None and (why := why_refused(found[0])):
            what, _, advice = why.partition("; ")
            help_ = (advice,) if advice else ()
            return self.refuse("callee", func, f"`{self.text(made_by)}` {what}", help=help_)
        match func:
            case ast.Name(id=name) if not self.is_local(name):
                return self.refuse("name", func, name)
            case ast.Name(id=name) if isinstance(dict(default_nodes(self.node)).get(name), ast.Lambda):
                help_ = (f"give its default a name, which the derivative can ask for: `def law(x):`, `{name}=law`",)
                what = f"`{name}` is a parameter whose default has no name: which function it calls is not known"
                return self.refuse("callee", func, what, help=help_)
            case ast.Name(id=name):
                if name not in self.params:
                    return self.refuse(
                        "callee", func, f"`{name}` is a local value: which function it calls is not known"
                    )
                ways = (WITH.format(name), f"or {FAMILIES['callee'].help[0]}")
                what = f"`{name}` is a parameter: which function it calls is not known"
                return self.refuse("callee", func, what, help=ways)
            case ast.Attribute():
                return self.refuse("name", func, ".".join(dotted(func) or ["?"]))
        return self.refuse("callee", func, f"the call of `{self.text(func)}` has no name")

    def handed_over(self, node: ast.expr, what: str) -> Const:
        """Refuses a function among the arguments of a call that is not followed, or in a list that is not."""
        why = self.unseen.get(id(node))
        for n in walk(self.node):
            match n:
                case (
                    ast.List(elts=items)
                    | ast.Tuple(elts=items)
                    | ast.Call(func=ast.Attribute(attr="append"), args=items)
                ):
                    listed = any(e is node for e in items)
                case ast.ListComp(elt=item):
                    listed = item is node
                case _:
                    continue
            if listed and not why:
                message = f"{what} is put into a list, and which of its functions is called is not known"
                return self.refuse("caller", node, message, help=IN_LISTS_OF_FUNCTIONS)
        help_ = (why, *FAMILIES["caller"].help) if why else None
        return self.refuse("caller", node, f"{what} is handed to something that s2s does not see into", help=help_)

    def mutation(self, node: ast.Call) -> Const:
        """Refuses a call that changes a value in place, with what to write for it."""
        called, first = self.text(node.func), self.text(node.args[0]) if node.args else ""
        root = (dotted(node.func) or ["?"])[0]
        method = isinstance(node.func, ast.Attribute) and root not in self.imports.names
        if any(v is not None and makes_set(v) for v in self.name_bindings[root].values):
            return self.refuse("mutation", node, called, help=(OF_SETS.format(root),))
        given = called.count(".") == 1 and root in self.params and not self.name_bindings[root].values
        return self.refuse("mutation", node, called, help=instead(called, first, method, given))

    def allowed(self, node: ast.Call, fn: str, receiver: ast.expr | None) -> bool:
        """Refuses what changes values in place, and arguments that are not written out."""
        count = len(self.refusals)
        text = self.text(node.func)
        held = receiver is not None or (fn.startswith("module.") and fn.count(".") > 1)  # by a name of the module
        method = node.func.attr if held and isinstance(node.func, ast.Attribute) else ""
        if method in known.MUTATING_METHODS or fn in known.MUTATING_FUNCTIONS:
            self.mutation(node)
        if fn.startswith("numpy.") and fn.endswith(".at"):
            self.mutation(node)
        if fn.startswith("method.") and self.objects_are_changed_by(method):
            self.refuse("mutation", node, text, help=OF_UNKNOWN_CLASS)
        if fn in known.DYNAMIC:
            self.refuse("expression", node, f"`{text}`")
        if fn in CONTAINERS:
            self.refuse("expression", node, f"`{text}`", help=CONTAINERS[fn])
        if (kind := ".".join(fn.split(".")[:2])) in KINDS_OF_ARRAYS:
            self.refuse("expression", node, f"`{text}`", help=KINDS_OF_ARRAYS[kind])
        callee = self.names.find_function(fn[6:]) if fn.startswith("local.") else None
        if callee is not None and affects(callee, self.names):
            self.refuse("changes", node, text)
        for a in node.args:
            if isinstance(a, ast.Starred):
                one = ("write them out, one by one", f"or let `{text}` take one tuple, without a star")
                self.refuse("star", a, f"`{self.text(a)}` in a call", help=one if fn.startswith("local.") else None)
        for k in node.keywords:
            if k.arg is None:
                self.refuse("star", k, f"`{one_line(self.source.segment(k))}` in a call")
            elif k.arg == "out" and not (fn.startswith("local.") or self.allocates(k.value)):
                self.refuse("mutation", k, f"{text}(..., out={self.text(k.value)})", help=OUT)
        return len(self.refusals) == count

    def special_call(self, node: ast.Call, fn: str) -> Expr | None:
        """Calls over generators, and sums of displays."""
        match fn, node.args:
            case "builtins.sum", [ast.GeneratorExp() | ast.ListComp() as inner, *_] if not self.stays(inner):
                t = self.temporary()
                self.total(t, node, inner)
                return Var(t)
            case "builtins.sum", [ast.List(elts=elts) | ast.Tuple(elts=elts)] if elts and not node.keywords:
                if not any(isinstance(e, ast.Starred) for e in elts):
                    return self.added(node, elts)
            case "builtins.list", [ast.GeneratorExp() as inner] if not self.stays(inner):
                return self.listed(inner)
            case "builtins.list", [ast.Tuple(elts=elts)]:
                return self.value(made(ast.List(elts, ast.Load()), node))
            case "builtins.tuple", [ast.Tuple(elts=elts) | ast.List(elts=elts)]:
                return self.value(made(ast.Tuple(elts, ast.Load()), node))
            case "builtins.list", [ast.Name() as whole] if self.is_display(whole):
                v, target = made(ast.Name("v", ast.Load()), whole), made(ast.Name("v", ast.Store()), whole)
                return self.listed(made(ast.ListComp(v, [ast.comprehension(target, whole, [], 0)]), node))
            case (("builtins.any" | "builtins.all"), [ast.GeneratorExp() | ast.ListComp()]):
                return self.build(node, self.tree)
            case "builtins.dict", [] if node.keywords and all(k.arg for k in node.keywords):
                return ir.Dict(
                    tuple(Const(k.arg) for k in node.keywords), tuple(self.operand(k.value) for k in node.keywords)
                )
        return None

    def is_display(self, e: ast.Name) -> bool:
        """Whether a name holds a list or a tuple that the text shows."""
        value = self.rename.get(e.id, getattr(e, "expr", Var(e.id)))
        return isinstance(value, Var) and value.name in self.displays_held

    def added(self, node: ast.expr, elts: List[ast.expr]) -> Expr:
        """sum([a, b, c]) as a + b + c; 0 + a + b + c where a may be a mask, or stand alone: the sum is new."""
        total = self.value(elts[0])
        if len(elts) == 1 or not (
            isinstance(elts[0], ast.BinOp) and not isinstance(elts[0].op, ast.BitOr | ast.BitAnd | ast.BitXor)
        ):
            total = Op("numpy.add", (Const(0), self.named(total)), form=Form.OPERATOR, span=self.source.span(node))
        for e in elts[1:]:
            if not ir.is_atom(total):
                t = self.temporary()
                self.set(t, total)
                total = Var(t)
            total = Op("numpy.add", (total, self.atom(e)), form=Form.OPERATOR, span=self.source.span(node))
        return total

    def arguments(
        self, node: ast.Call, fn: str, receiver: ast.expr | None, operand: Callable[[ast.expr], Expr]
    ) -> tuple[Expr, ...]:
        trees_from = known.TREE_ARGUMENTS.get(fn, len(node.args) + 1)
        if fn.startswith("method.") and isinstance(receiver, ast.Constant | ast.JoinedStr):
            trees_from = 0  # a method of a text
        nodes = ([receiver] if receiver is not None else []) + node.args
        args: list[Expr] = []
        for i, a in enumerate(nodes):
            if operand == self.tree or i >= trees_from:
                args.append(self.tree(a))
            elif isinstance(a, ast.GeneratorExp):
                args.append(self.comprehension(a) if self.stays(a) else self.listed(a))
            elif fn.startswith("local."):
                args.append(self.atom(a))
            elif isinstance(a, ast.List | ast.Tuple) and any(isinstance(e, ast.Starred) for e in a.elts):
                args.append(self.settled_items(self.operand(a)))
            elif isinstance(a, ast.BinOp) and self.joins(a):
                args.append(self.settled_items(self.joined(a)))
            else:
                args.append(self.operand(a))
        return tuple(args)

    def settled_items(self, display: Expr) -> Var:
        """A display of so many items as only the run knows, under a name: `sum([*a, *b])`."""
        name = self.fresh("items")
        self.set(name, display)
        return Var(name)

    def option(self, k: ast.keyword, fn: str, operand: Callable[[ast.expr], Expr]) -> Expr:
        if operand == self.tree:
            return self.tree(k.value)
        if fn.startswith("local."):
            return self.atom(k.value)
        if k.arg in known.TREE_OPTIONS or k.arg == "out" or isinstance(k.value, ast.Lambda):
            return self.tree(k.value)
        return self.operand(k.value)

    # ------------------------------------------------------------ text that is carried over

    def raw(self, node: ast.expr | ast.stmt) -> ir.Raw:
        """The node as text, with the names that it reads."""
        names = raw_reads(node)
        text = self.source.segment(node)
        if not says(text, node):  # it has been rewritten: `f"{len(L)}"` behind `L.pop()`
            text = ast.unparse(node)
        changed = {n for n in names if n in self.rename} | (
            names & {*self.groups, *self.stored, *self.standing, *self.aliases}
        )
        if changed:
            node = cast(ast.expr, Renamer(self).visit(ast.parse(f"({text})", mode="eval").body))
            text, names = ast.unparse(node), raw_reads(node)
        elif "\n" in text or not text.isprintable():
            text = ast.unparse(node)
        settings = {n for n in names if self.names.is_changed(n) and n not in self.locals and n not in self.inner}
        for n in sorted(settings):
            if not self.names.is_setting(n):
                self.refuse("rebound", node, n)
        return ir.with_names(ir.Raw(text, frozenset(names)), {n: f"{ir.OWN}{n}" for n in settings})

    def carried_text(self, node: ast.Lambda | ast.JoinedStr) -> Expr:
        """A lambda or an f-string as text, where no call in it changes what is differentiated. What the functions of
        the file write into is known later, to `derive.checks`."""
        for n in walk(node):
            if not isinstance(n, ast.Call):
                continue
            method = n.func.attr if isinstance(n.func, ast.Attribute) else ""
            fn = (self.resolve(n.func) or ("",))[0]
            given = fn.startswith("numpy.") and any(k.arg == "out" for k in n.keywords)
            if method in known.MUTATING_METHODS or fn in known.MUTATING_FUNCTIONS or given or fn.endswith(".at"):
                return self.mutation(n)
        return self.raw(node)

    def tree_or_raw(self, node: ast.expr) -> Expr:
        """An expression that runs once: what is not supported in it is carried over as text."""
        before, out = list(self.refusals), list(self.out)
        e = self.tree(node)
        if len(self.refusals) == len(before):
            return e
        hard = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
        if any(isinstance(n, hard) for n in walk(node)) or any(d.code in HARD for d in self.refusals[len(before) :]):
            return NONE
        self.refusals, self.out = before, out
        return self.raw(node)

    # ------------------------------------------------------------ questions

    def is_simple(self, node: ast.expr) -> bool:
        """An atom without any statement before it."""
        match node:
            case ast.Name() | ast.Constant() | ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
                return True
            case ast.Subscript() | ast.Attribute():
                return self.part(node) is not None
        return False

    def simple_choice(self, node: ast.IfExp) -> bool:
        """A choice that no statement has to be written for, or one by which a reverse sweep keeps a zero: one that
        `derive.zeros` must see as a whole."""
        return (self.is_simple(node.body) and self.is_simple(node.orelse)) or keeps_zero(node)

    def is_boolean(self, node: ast.expr) -> bool:
        """An expression that gives truth values whatever its operands are."""
        match node:
            case ast.Compare() | ast.UnaryOp(op=ast.Not()) | ast.Constant(value=bool()):
                return True
            case ast.BoolOp(values=values):
                return all(map(self.is_boolean, values)) and not any(map(self.runs_once, values[1:]))
            case ast.BinOp(left=a, op=ast.BitAnd() | ast.BitOr() | ast.BitXor(), right=b):
                return self.is_boolean(a) and self.is_boolean(b)
            case ast.UnaryOp(op=ast.Invert(), operand=a):
                return self.is_boolean(a)
            case ast.Call(func=func):
                found = self.resolve(func)
                return found is not None and found[0] in known.BOOLEAN
        return False


def decided(test: Expr) -> bool | None:
    """Whether a test holds that is known here: one of a literal for None, that a constructor makes of what it is given,
    or of the keywords of a call."""
    match test:
        case Const(value=bool() as holds):
            return holds
        case Op(fn="operator.is" | "operator.is_not" as fn, args=(Const(value=a), Const(value=b))) if (
            a is None or b is None
        ):
            return (a is b) == (fn == "operator.is")
        case Op(fn="operator.is" | "operator.is_not" as fn, args=(Op(fn="numpy.negative", args=(Const(),)), ir.NONE)):
            return fn == "operator.is_not"  # `-1 is None`
    return None


def is_truth(e: Expr) -> bool:
    """Whether an expression is a test that gives a truth value itself, not one of NumPy's, or an array of them."""
    match e:
        case Op(fn="operator.is" | "operator.is_not" | "operator.in" | "operator.not_in"):
            return True
        case Op(fn="numpy.equal", args=(Const(value=str()), _) | (_, Const(value=str()))):
            return True
    return False


def joined(every: bool, operands: List[Expr], span: Span | None) -> Expr:
    """`a and b` (every), or `a or b`: up to the first operand that is known to decide it, and without those before that
    are known not to."""
    kept: list[Expr] = []
    for e in operands:
        known = decided(e)
        if known is every and all(map(is_truth, kept)):
            continue
        kept.append(e)
        if known is (not every):
            break
    fn = "operator.and" if every else "operator.or"
    match kept:
        case []:
            return Const(every)
        case [one]:
            return one
    return Op(fn, tuple(kept), form=Form.OPERATOR, span=span)


def keeps_zero(node: ast.IfExp) -> bool:
    """`0.0 if x_bar == 0.0 else x_bar / d`."""
    match node:
        case ast.IfExp(test=test, body=ast.Constant(value=0.0), orelse=ast.BinOp() | ast.UnaryOp() as e):
            tests = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
            arithmetic = (ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop, ast.Name, ast.Constant, ast.Subscript)
            return any(map(is_zero_adjoint, tests)) and all(
                isinstance(n, (*arithmetic, ast.Attribute, ast.Call, ast.expr_context)) for n in walk(e)
            )
    return False


def is_zero_adjoint(test: ast.expr) -> bool:
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.Constant(value=0.0)]):
            while isinstance(left, ast.Subscript | ast.Attribute):
                left = left.value
            return isinstance(left, ast.Name) and ir.is_adjoint(left.id)
    return False


class Renamer(ast.NodeTransformer):
    """Names and dict entries in text that is carried over, as the lowering calls them."""

    def __init__(self, lowering: Expressions) -> None:
        self.lowering = lowering

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.lowering.aliases:
            return ast.parse(part_text(self.lowering.aliases[node.id]), mode="eval").body
        renamed = self.lowering.rename.get(node.id)
        if isinstance(renamed, Var):
            return ast.Name(renamed.name, ast.Load())
        return node if renamed is None else ast.parse(ir.Printer()(renamed), mode="eval").body  # a text, a number

    def visit_part(self, node: ast.Attribute | ast.Subscript) -> ast.AST:
        own = self.lowering.part(node)
        if own is not None and own.isidentifier():
            return ast.Name(own, ast.Load())
        return self.generic_visit(node)

    visit_Attribute = visit_Subscript = visit_part


def is_list_of_lists(e: ast.expr) -> bool:
    """Whether a list is put together of others where it is written: `[*xs, y]`, `[f(x) for x in xs] + ys`."""
    match e:
        case ast.List(elts=elts) | ast.Tuple(elts=elts):
            return any(isinstance(x, ast.Starred) for x in elts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return any(isinstance(x, ast.List | ast.ListComp) or is_list_of_lists(x) for x in (left, right))
    return False


def loose_statements(block: Iterable[Loose]) -> Iterable[ir.Stmt]:
    """All statements of a block that may still hold exits."""
    for s in block:
        match s:
            case Leave():
                yield from loose_statements(cast(Iterable[Loose], s.pieces))
            case Continue():
                pass
            case _:
                yield s
                for inner in ir.blocks(s):
                    yield from loose_statements(cast(Iterable[Loose], inner))


def replace(e: Expr, old: Expr, new: Expr) -> Expr:
    return new if e == old else ir.rebuild(e, lambda c: replace(c, old, new))


def is_zeros(node: ast.expr) -> bool:
    """A list of literals, repeated any number of times."""
    match node:
        case ast.BinOp(left=ast.List(elts=elts), op=ast.Mult()):
            return all(isinstance(e, ast.Constant) or is_zeros(e) for e in elts)
        case ast.ListComp(elt=elt):
            return isinstance(elt, ast.Constant) or is_zeros(elt)
    return False


def display_otherwise(target: str, value: ast.expr) -> tuple[ast.expr, bool, ast.expr] | None:
    """The test, its outcome and the display in `w = [] if w is None else w`, or `w = w or []`: otherwise w stays."""
    match value:
        case ast.IfExp(test=test, body=display, orelse=ast.Name(id=name)) if name == target and is_default(display):
            return test, True, display
        case ast.IfExp(test=test, body=ast.Name(id=name), orelse=display) if name == target and is_default(display):
            return test, False, display
        case ast.BoolOp(op=ast.Or(), values=[ast.Name(id=name) as test, display]) if name == target and is_default(
            display
        ):
            return test, False, display
    return None


def is_default(node: ast.expr) -> bool:
    return is_display(node) or isinstance(node, ast.Dict)


def is_display(node: ast.expr) -> bool:
    return isinstance(node, ast.List | ast.Tuple)


def is_repeated(node: ast.expr) -> bool:
    """[x] * n"""
    match node:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return is_display(left) or is_display(right)
    return False


def innermost(node: ast.expr) -> ast.expr:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node


def is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def says(text: str, node: ast.expr | ast.stmt) -> bool:
    """Whether a part of the user's text is what a node of its tree still says."""
    try:
        body = ast.parse(text if isinstance(node, ast.stmt) else f"({text})").body
    except SyntaxError:
        return False
    match body:
        case [ast.Expr(value=value)] if isinstance(node, ast.expr):
            return ast.dump(value) == ast.dump(node)
        case [s]:
            return ast.dump(s) == ast.dump(node)
    return False
