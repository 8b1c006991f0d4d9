"""Lists beside arrays in arithmetic, as the arrays that NumPy makes of them.

    x[1:] * [1.0, 2.0]      x[1:] * np.array([1.0, 2.0])
    x - [a, b]              x - np.array([a, b])
    [a, b] + np.sin(x)      np.array([a, b]) + np.sin(x)
    x - [c * a for a in y]  x - np.array([c * a for a in y])

A list times a whole number is repeated, and a list and a list are joined. So `*` and `+` are taken for arithmetic only
where the text of the other operand shows that it is no whole number, or no list; of `-` and `/` a list has none.
"""

from __future__ import annotations

import ast
import functools

from s2s.frontend.text.names import ARRAY_MAKERS, ModuleNames, words
from s2s.frontend.text.reaching import Reaching
from s2s.frontend.text.scopes import body_nodes, bound_names, parameters
from s2s.frontend.text.source import made

ARITHMETIC = (ast.Sub, ast.Div, ast.Pow, ast.FloorDiv)  # with a list: only of arrays
# Functions of floats: they give floats, or arrays.
OF_FLOATS = frozenset(
    f"numpy.{n}"
    for n in words("""
    arccos arccosh arcsin arcsinh arctan arctan2 arctanh cbrt cos cosh divide exp exp2 expm1 hypot log log10 log1p log2
    logaddexp mean sin sinh sqrt std tan tanh true_divide var
""")
)
NUMBERS = frozenset(
    f"numpy.{n}" for n in words("abs absolute clip cumprod cumsum dot max maximum min minimum outer prod sum")
)
OVERLOADED = ("add", "sub", "mul", "truediv", "floordiv", "pow")


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the body of a function: what is done already is not done again."""
    nodes = body_nodes(function)
    operands = [e for n in nodes if isinstance(n, ast.BinOp) for e in (n.left, n.right)]
    operands += [n.value for n in nodes if isinstance(n, ast.AugAssign)]
    if not any(isinstance(e, ast.List | ast.Tuple | ast.Name) for e in operands):
        return
    own = bound_names(nodes) | {p.arg for p in parameters(function)}
    numpy = names.own_numpy(own)
    overloaded = {f"__{r}{n}__" for n in OVERLOADED for r in ("", "r", "i")}
    if numpy and not any(overloaded & c.methods.keys() for c in names.classes.values()):
        work = _Displays(function, names, own, numpy)
        for s in function.body:
            work.visit(s)


class _Displays(ast.NodeVisitor):
    def __init__(self, function: ast.FunctionDef, names: ModuleNames, own: set[str], numpy: str) -> None:
        self.function, self.imports, self.own, self.numpy = function, names.imports.names, own, numpy

    @functools.cached_property
    def reaching(self) -> Reaching:
        return Reaching(self.function)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        pass  # its names are its own

    def visit_Lambda(self, node: ast.Lambda) -> None:
        pass

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self.generic_visit(node)
        if self.is_list(node.left) and self.is_arithmetic(node.op, node.right):
            node.left = self.array(node.left)
        elif self.is_list(node.right) and self.is_arithmetic(node.op, node.left):
            node.right = self.array(node.right)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.generic_visit(node)
        if self.is_list(node.value) and self.is_arithmetic(node.op, node.target):
            node.value = self.array(node.value)

    def array(self, e: ast.expr) -> ast.expr:
        callee = made(ast.Attribute(made(ast.Name(self.numpy, ast.Load()), e), "array", ast.Load()), e)
        return made(ast.Call(callee, [e], []), e)

    def is_list(self, e: ast.expr) -> bool:
        match e:
            case ast.List() | ast.Tuple() | ast.ListComp():
                return True
            case ast.Name():
                values = self.reaching.of(e)
                return bool(values) and all(isinstance(v, ast.List | ast.Tuple | ast.ListComp) for v in values or ())
        return False

    def is_arithmetic(self, op: ast.operator, other: ast.expr) -> bool:
        match op:
            case ast.Mult():
                return self.is_no_integer(other, frozenset())
            case ast.Add():
                return self.is_no_list(other, frozenset())
        return isinstance(op, ARITHMETIC)

    def values(self, name: ast.Name, asked: frozenset[int]) -> tuple[list[ast.expr], frozenset[int]]:
        """What a name may be bound to, but for what is asked already; nothing where that is not known."""
        found = self.reaching.of(name) or []
        return [v for v in found if id(v) not in asked], asked | {id(v) for v in found}

    def is_no_integer(self, e: ast.expr, asked: frozenset[int]) -> bool:
        match e:
            case ast.Constant(value=float() | complex()) | ast.Subscript(slice=ast.Slice()):
                return True  # of a list, a slice can't be multiplied by one
            case ast.Subscript(slice=ast.Tuple(elts=elts)):
                return any(isinstance(k, ast.Slice) for k in elts)
            case ast.BinOp(op=ast.Div()):
                return True
            case ast.BinOp(left=a, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Pow(), right=b):
                return self.is_no_integer(a, asked) or self.is_no_integer(b, asked)
            case ast.UnaryOp(op=ast.USub(), operand=inner) | ast.Attribute(value=inner, attr="T"):
                return self.is_no_integer(inner, asked)
            case ast.Call():
                return self.called(e) in OF_FLOATS | ARRAY_MAKERS
            case ast.Name():
                values, asked = self.values(e, asked)
                return bool(values) and all(self.is_no_integer(v, asked) for v in values)
        return False

    def is_no_list(self, e: ast.expr, asked: frozenset[int]) -> bool:
        match e:
            case ast.Constant(value=int() | float() | complex()) | ast.UnaryOp(op=ast.USub()):
                return True
            case ast.BinOp(op=ast.Sub() | ast.Div() | ast.Pow() | ast.FloorDiv() | ast.MatMult()):
                return True
            case ast.BinOp(left=a, op=ast.Add(), right=b):
                return self.is_no_list(a, asked) or self.is_no_list(b, asked)
            case ast.BinOp(left=a, op=ast.Mult(), right=b):
                both = self.is_no_list(a, asked) and self.is_no_list(b, asked)
                return both or any(isinstance(x, ast.Constant) and isinstance(x.value, float) for x in (a, b))
            case ast.Call(func=ast.Attribute(value=inner, attr=attr)) if not self.called(e):
                return attr == "astype" or (attr == "copy" and self.is_no_list(inner, asked))
            case ast.Call():
                return self.called(e) in OF_FLOATS | ARRAY_MAKERS | NUMBERS
            case ast.Attribute(value=inner, attr="T") | ast.Subscript(value=inner, slice=ast.Slice()):
                return self.is_no_list(inner, asked)
            case ast.Name():
                values, asked = self.values(e, asked)
                return bool(values) and all(self.is_no_list(v, asked) for v in values)
        return False

    def called(self, e: ast.Call) -> str:
        match e.func:
            case ast.Attribute(value=ast.Name(id=root), attr=attr) if root not in self.own and root in self.imports:
                return f"{self.imports[root]}.{attr}"
            case ast.Name(id=name) if name not in self.own:
                return self.imports.get(name, "")
        return ""
