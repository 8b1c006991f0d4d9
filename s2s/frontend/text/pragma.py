"""`# s2s:` comments, stated shapes, and what annotations say.

# s2s: wrt=w emit=vjp
# s2s: w (d,), X (n, d), params["b"] (h,), lam (), z complex (n,)
# s2s: act=np.tanh rhs=pendulum|spring
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from s2s import ir
from s2s.errors import Diagnostic, S2SError, Span
from s2s.frontend.text.stated import OBJECT
from s2s.ir import Function
from s2s.rules import sparse

COMMENT = re.compile(r"#\s*s2s:(?P<text>.*)$")
CONSTANT = re.compile(r"#\s*s2s:\s*constant\s*(?=#|$)")
NUMERIC = re.compile(r"#\s*s2s:\s*numeric\s*(?=#|$)")
SETTING = re.compile(r"(?P<key>[A-Za-z_]\w*)=(?P<value>[^\s()]+)")
SHAPE = re.compile(
    r"""(?x)(?P<name>[^\W\d]\w*(?:\[\s*(?:"[^"\\]*"|'[^'\\]*')\s*\]|\.[^\W\d]\w*)*)
    (?:\s+(?P<number>complex)\b)?\s*(?:\((?P<dims>[^()]*)\)|(?<=complex)(?=\s*(?:[,;]|$)))"""
)
# a number, or a name, with a factor in front of it and a number added: 3, n, n+1, 4*h
DIM = re.compile(r"(?:[1-9]\d*\*)?[^\W\d]\w*(?:[+-]\d+)?|\d+")
KEYS = ("wrt", "emit", "of")
CALLEES = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*(?:\|[^\W\d]\w*(?:\.[^\W\d]\w*)*)*")


@dataclass(frozen=True)
class Pragma:
    """What the `# s2s:` comments of a function say. An empty one opts the function in with the defaults."""

    wrt: tuple[str, ...] = ()
    emit: tuple[str, ...] = ()
    of: tuple[str, ...] = ()
    shapes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    numbers: frozenset[str] = frozenset()  # the parameters that are stated to be complex
    callees: dict[str, tuple[str, ...]] = field(default_factory=dict)  # the functions that a parameter may be


@dataclass(frozen=True)
class Stated:
    """What a function's annotations and pragma state of its parameters.

    `shapes` maps `x` or `params["b"]` to names or numbers of its dimensions, () for a scalar; `kinds` maps a parameter
    to "float", "int", "bool", "str", "array", "ints", "bools", "complex", "sparse", "other", or to what `structure`
    gives, where its annotation says so.
    """

    shapes: dict[str, tuple[str, ...]]
    kinds: dict[str, str]


def parse_shapes(text: str) -> dict[str, tuple[str, ...]]:
    """`w (d,), X (n, d), params["b"] (h,), lam ()` as a dict; raises S2SError (S410) where it can't be read."""
    return parse_stated(text).shapes


def parse_stated(text: str) -> Pragma:
    """What `w (d,), X (n, d), z complex (n,)` states; raises S2SError (S410) where it can't be read."""
    pragma = parse_pragma(text, what="`--shapes`")
    if pragma.wrt or pragma.emit or pragma.of or pragma.callees:
        raise S2SError(Diagnostic("S410", f"shapes can't be read: `{text.strip()}`", help=(SHAPES_HELP,)))
    return pragma


def parse_callees(text: str) -> dict[str, tuple[str, ...]]:
    """`act=np.tanh, rhs=pendulum|spring` as a dict; raises S2SError (S410) where it can't be read."""
    pragma = parse_pragma(text, what="`--with`")
    if pragma != Pragma(callees=pragma.callees):
        raise S2SError(Diagnostic("S410", f"`--with` can't be read: `{text.strip()}`", help=(CALLEES_HELP,)))
    return pragma.callees


SHAPES_HELP = 'shapes are written as: w (d,), X (n, d), params["b"] (h,), lam (), z complex (n,)'
SETTINGS_HELP = "settings: wrt=x,y emit=vjp"
KNOWN_HELP = f"known settings: {', '.join(k + '=' for k in KEYS)}; {SHAPES_HELP}"
CALLEES_HELP = "functions are written as: act=np.tanh, rhs=pendulum|spring"


def parse_pragma(text: str, span: Span | None = None, what: str = "`# s2s:` comment") -> Pragma:
    """The text behind `# s2s:`, or of an option (`what`); raises S2SError (S410) where it can't be read."""
    settings: dict[str, tuple[str, ...]] = {}
    callees: dict[str, tuple[str, ...]] = {}
    shapes: dict[str, tuple[str, ...]] = {}
    numbers: set[str] = set()
    position = 0
    while position < len(text):
        if text[position] in " \t,;":
            position += 1
        elif found := SETTING.match(text, position):
            position = found.end()
            if found["key"] in KEYS:
                settings[found["key"]] = split_names(found["value"])
                continue
            value = found["value"].rstrip(",;")
            if not CALLEES.fullmatch(value):
                message = f"`{value}` is not the name of a function"
                raise S2SError(Diagnostic("S410", message, span, help=(CALLEES_HELP, KNOWN_HELP)))
            callees[found["key"]] = tuple(value.split("|"))
        elif (found := SHAPE.match(text, position)) and (found["number"] or found["dims"] is not None):
            position = found.end()
            if found["number"]:
                numbers.add(normal_name(found["name"]))
            if found["dims"] is None:
                continue
            dims = ["".join(d.split()) for d in found["dims"].split(",")]
            if dims and not dims[-1]:
                dims.pop()
            bad = [d for d in dims if not DIM.fullmatch(d)]
            if bad:
                message = f"`{bad[0]}` is not a dimension of `{found['name']}`: a number is, or n, n+1, 4*n"
                raise S2SError(Diagnostic("S410", message, span, help=(SHAPES_HELP,)))
            shapes[normal_name(found["name"])] = tuple(dims)
        else:
            message = f"{what} can't be read at `{text[position:].strip()}`"
            help_ = {"`--shapes`": (SHAPES_HELP,), "`--with`": (CALLEES_HELP,)}.get(what, (SETTINGS_HELP, SHAPES_HELP))
            raise S2SError(Diagnostic("S410", message, span, help=help_))
    wrt, emit, of = (settings.get(key, ()) for key in KEYS)
    return Pragma(wrt, emit, of, shapes, frozenset(numbers), callees)


def split_names(text: str) -> tuple[str, ...]:
    """`x, self.W, params["b"], y[0, 1:3]` as names: commas in brackets are theirs."""
    names = re.findall(r"(?:[^,\[\]]|\[[^\]]*\])+", text)
    return tuple(dict.fromkeys(n for n in map(normal_name, names) if n))


def normal_name(name: str) -> str:
    """params['b'] as params["b"], the name of that entry everywhere."""
    return re.sub(r"""\[\s*['"]([^'"]*)['"]\s*\]""", r'["\1"]', name.strip())


def merged(parts: Iterable[Pragma]) -> Pragma | None:
    """Several comment lines as one; None without any."""
    result: Pragma | None = None
    for p in parts:
        if result is None:
            result = p
        else:
            shapes, numbers = result.shapes | p.shapes, result.numbers | p.numbers
            callees = result.callees | p.callees
            result = Pragma(p.wrt or result.wrt, p.emit or result.emit, p.of or result.of, shapes, numbers, callees)
    return result


def unknown_names(pragma: Pragma, params: Iterable[str], name: str, span: Span | None) -> list[Diagnostic]:
    """S411 for each name in wrt and shapes that is no parameter of the function, S410 for a setting that is none."""
    known = list(params)
    wanted = [*pragma.wrt, *pragma.of, *pragma.shapes, *sorted(pragma.numbers)]
    bad = dict.fromkeys(n for n in wanted if re.split(r"[.\[]", n)[0] not in known)
    help = f"parameters of {name}: {', '.join(known) or 'none'}"
    unknown = (n for n in pragma.callees if n not in known)
    return [
        *(Diagnostic("S411", f"`{n}` is not a parameter of `{name}`", span, help=(help,)) for n in bad),
        *(Diagnostic("S410", f"unknown setting `{n}=`", span, help=(KNOWN_HELP, help)) for n in unknown),
    ]


def stated(function: Function, pragma: Pragma | None) -> Stated:
    """Shapes and kinds of the parameters; the pragma goes before an annotation."""
    shapes: dict[str, tuple[str, ...]] = {}
    kinds: dict[str, str] = {}
    for p in (*function.params, *function.fields):
        if text := p.meant or p.annotation:
            kind, shape = annotation(text)
            if is_dict(text) and kind != "other" and p.kind != "double star" and not entries_of(function, p.name):
                kinds[p.name] = kind if kind == "dict(float)" else "dict"  # its keys are not known
            elif kind.startswith("dict("):
                for entry in entries_of(function, p.name):
                    kinds[entry] = kind[5:-1]
                    if kind == "dict(float)":
                        shapes[entry] = ()
            elif kind.endswith(")") and p.default == "None" and p.name in ir.displays(function):
                continue  # None, or a list: what is read of it says so
            elif kind:
                kinds[p.name] = kind
            elif is_bare(text):
                kinds[p.name] = ITEMS
            if shape is not None:
                shapes[p.name] = shape
    for name, dims in (pragma.shapes if pragma else {}).items():
        shapes[name] = dims
        if kinds.get(name) == "float" and dims:
            kinds[name] = "array"
    kinds |= dict.fromkeys(pragma.numbers if pragma else (), "complex")
    return Stated(shapes, kinds)


def is_bare(text: str) -> bool:
    """Whether an annotation says `list` or `tuple`, and not of what."""
    return text.rpartition(".")[2] in LISTS | TUPLES


def is_dict(text: str) -> bool:
    """Whether an annotation says `dict`, of whatever."""
    return text.strip().partition("[")[0].rpartition(".")[2] in DICTS


def entries_of(function: Function, name: str) -> set[str]:
    """The entries of a dict parameter that a function reads, but for those of dicts in it: `p["k"]`."""
    read = {n for s in ir.statements(function.body) for e in ir.expressions(s) for n in ir.reads(e)}
    return {n for n in read if ir.root_name(n) == name != n and n.count("[") == 1 and "." not in n.partition("[")[0]}


SCALARS = {
    "float": "float",
    "float64": "float",
    "float32": "float",
    "floating": "float",
    "double": "float",
    "int": "int",
    "int64": "int",
    "int32": "int",
    "integer": "int",
    "bool": "bool",
    "bool_": "bool",
    "str": "str",
    "bytes": "str",
    "complex": "complex",
    "complex128": "complex",
    "complex64": "complex",
    "cdouble": "complex",
}
# What is certainly no number; any other name may be the user's own for an array.
OTHERS = frozenset(
    """
    bytes bytearray set frozenset Set FrozenSet AbstractSet range slice type None
    Callable Path PathLike Pattern Match Enum Logger datetime date timedelta Generator Iterator Random RandomState
    Counter
    """.split()  # noqa: SIM905
)
DICTS = frozenset(["dict", "Dict", "Mapping", "MutableMapping", "defaultdict", "OrderedDict"])
TUPLES = frozenset(["tuple", "Tuple"])
LISTS = frozenset(["list", "List", "Sequence", "MutableSequence", "Iterable", "Collection", "deque"])
ITEMS = "items"  # the kind of a list or tuple of which the annotation does not say what it holds
CONSTANTS = frozenset(["int", "bool", "str", "ints", "bools", "other"])  # kinds that carry no derivative
ARRAYS = frozenset(["ndarray", "NDArray", "ArrayLike", "Array"])
DTYPES = {  # jaxtyping's
    **dict.fromkeys(("Float", "Float16", "Float32", "Float64", "Inexact", "Num", "Real", "Shaped"), "array"),
    **dict.fromkeys(("Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt32", "Integer"), "int"),
    "Bool": "bool",
    **dict.fromkeys(("Complex", "Complex64", "Complex128"), "complex"),
}


def annotation(text: str) -> tuple[str, tuple[str, ...] | None]:
    """Kind and shape that an annotation states, "" and None where it says nothing about numbers.

    An annotation that can't be read says nothing: it is the user's, and Python doesn't hold it either.
    """
    try:
        return annotation_of(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError):
        return "", None


def annotation_of(e: ast.expr) -> tuple[str, tuple[str, ...] | None]:
    match e:
        case ast.Constant(value=str() as text):
            return annotation(text)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            if name in SCALARS:
                return SCALARS[name], () if SCALARS[name] in ("float", "complex") else None
            if name in sparse.TYPES:
                return "sparse", None
            return ("array" if name in ARRAYS else "other" if name in OTHERS else ""), None
        case ast.BinOp(op=ast.BitOr()):
            return union(alternatives(e))
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Tuple(elts=elts)) if name == OBJECT:
            fields = [(p.lower, p.upper) for p in elts if isinstance(p, ast.Slice)]
            kinds = [f"{n.id}={annotation_of(e)[0] or 'any'}" for n, e in fields if isinstance(n, ast.Name) and e]
            return f"object({','.join(kinds)})", None
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=inner):
            return subscripted(name, inner)
    return "", None


def alternatives(e: ast.expr) -> list[ast.expr]:
    if isinstance(e, ast.BinOp) and isinstance(e.op, ast.BitOr):
        return alternatives(e.left) + alternatives(e.right)
    return [e]


def union(parts: list[ast.expr]) -> tuple[str, tuple[str, ...] | None]:
    """What all alternatives but None agree on; an array that may be absent has no stated shape (None has rank 0)."""
    present = [p for p in parts if not (isinstance(p, ast.Constant) and p.value is None)]
    found = {annotation_of(p) for p in present}
    kinds = {kind for kind, _ in found}
    if "float" in kinds:  # `int | float` is a real number, like `float` (PEP 484, "the numeric tower")
        found = {(kind, shape) for kind, shape in found if kind != "int"}
        kinds.discard("int")
    if len(found) != 1:
        return ("array" if kinds <= {"float", "array"} and "array" in kinds else ""), None
    kind, shape = found.pop()
    return kind, shape if len(present) == len(parts) or shape == () else None


def several(kind: str) -> str:
    """The kind of an array of unknown rank."""
    return f"{kind}s" if kind in ("int", "bool") else kind


def subscripted(name: str, inner: ast.expr) -> tuple[str, tuple[str, ...] | None]:
    parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
    if name == "Optional":
        return union([inner, ast.Constant(None)])
    if name == "Union":
        return union(parts)
    if name in ("Annotated", "Final", "ClassVar"):
        return annotation_of(parts[0])
    if name in DTYPES:
        kind = DTYPES[name]
        match parts:
            case [_, ast.Constant(value=str() as dims)]:
                shape = tuple(d.split("=")[-1] for d in dims.split())
                plain = all(DIM.fullmatch(d) for d in shape)
                return (kind, shape) if plain else (several(kind), None)
        return several(kind), None
    if name in ARRAYS:
        axes = rank_of(parts[0]) if len(parts) == 2 else None  # np.ndarray[tuple[int, int], np.dtype[np.float64]]
        inside = ast.unparse(parts[-1])
        kinds = (k for k in ("complex", "int", "bool") if k in inside and "floating" not in inside)  # an index, say
        kind = next(kinds, "array")
        return (kind, axes) if axes is not None else (several(kind), None)
    if name in DICTS and len(parts) == 2:  # what its values are is asked of each
        kind = annotation_of(parts[1])[0]
        if kind in CONSTANTS:
            return "other", None
        return (f"dict({kind})" if kind == "float" or kind.startswith("list(") else ""), None
    if name in TUPLES or name in LISTS:
        return structure(name, parts), None
    return ("other" if name in OTHERS else ""), None


def rank_of(e: ast.expr) -> tuple[str, ...] | None:
    """The axes that the type of a shape says, `tuple[int, int]`: how many, not how long they are."""
    match e:
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name), slice=inner) if name in TUPLES:
            items = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            return None if any(isinstance(i, ast.Constant) and i.value is ... for i in items) else ("_",) * len(items)
    return None


def structure(name: str, parts: list[ast.expr]) -> str:
    """The kind of a list or a tuple: `list(float)`, `tuple(array,any)`; "other" where no item carries a derivative, ""
    for a list of dicts or objects."""
    same = name in LISTS or (len(parts) == 2 and isinstance(parts[1], ast.Constant) and parts[1].value is ...)
    kinds = [annotation_of(p)[0] or "any" for p in (parts[:1] if same else parts)]
    if all(k in CONSTANTS for k in kinds):
        return "other"
    if same and kinds == ["any"] and ast.unparse(parts[0]).rpartition(".")[2] not in ("Any", "object"):
        return ""
    return f"{'list' if same else 'tuple'}({','.join(kinds)})"
