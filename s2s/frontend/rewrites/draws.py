"""Draws with parameters, as functions of draws without: a derivative passes through their place and their scale.

    rng.normal(mu, sigma, n)            mu + sigma * rng.standard_normal(n)
    np.random.uniform(a, b, size=n)     a + (b - a) * np.random.random(n)
    rng.exponential(scale)              scale * rng.standard_exponential()
    rng.gamma(2.0, scale, n)            scale * rng.standard_gamma(2.0, n)
    random.gauss(mu, sigma)             mu + sigma * random.gauss(0.0, 1.0)
    np.random.rand(*x.shape)            np.random.random_sample(x.shape)

These are the same numbers, drawn in the same order: it is how they are drawn. Parameters that are literals stay.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from collections.abc import Sequence as List
from typing import cast

from s2s.frontend.text.names import ModuleNames
from s2s.frontend.text.scopes import body_nodes, bound_names, dotted, full_path, parameters
from s2s.frontend.text.source import expression, made
from s2s.rules import effects

# Parameters with their defaults, what is drawn instead, and the value: `a` and `b` are the parameters, `z` the draw.
NUMPY: Mapping[str, tuple[dict[str, str], str, str]] = {
    "normal": ({"loc": "0.0", "scale": "1.0"}, "standard_normal", "a + b * z"),
    "uniform": ({"low": "0.0", "high": "1.0"}, "random", "a + (b - a) * z"),
    "exponential": ({"scale": "1.0"}, "standard_exponential", "a * z"),
    "gamma": ({"shape": "", "scale": "1.0"}, "standard_gamma", "b * z"),
    "lognormal": ({"mean": "0.0", "sigma": "1.0"}, "standard_normal", "exp(a + b * z)"),
}
PYTHON: Mapping[str, tuple[dict[str, str], str, str]] = {
    "gauss": ({"mu": "0.0", "sigma": "1.0"}, "gauss(0.0, 1.0)", "a + b * z"),
    "uniform": ({"a": "", "b": ""}, "random()", "a + (b - a) * z"),
}
OF_A_SHAPE = {"rand": "random_sample", "randn": "standard_normal"}  # whose arguments are the lengths
GENERATORS = frozenset(["Generator", "RandomState"])
NAMED = ("rng", "random_state", "generator")


def write_out(function: ast.FunctionDef, names: ModuleNames) -> None:
    """Changes the body of a function: what is done already is not done again."""
    nodes = body_nodes(function)
    calls = [n for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
    if not {n.func.attr for n in calls if isinstance(n.func, ast.Attribute)} & {*NUMPY, *PYTHON, *OF_A_SHAPE}:
        return
    imports = names.imports.names
    own = bound_names(nodes) | {p.arg for p in parameters(function)}
    work = _Draws(own, numbers(function), names.own_numpy(own), imports, generators(function, nodes, imports))
    function.body = [work.visit(s) for s in function.body]


def numbers(function: ast.FunctionDef) -> set[str]:
    """The parameters that are said to be numbers."""
    noted = ((p.arg, p.annotation) for p in parameters(function))
    return {n for n, note in noted if isinstance(note, ast.Name) and note.id in ("float", "int")}


def generators(function: ast.FunctionDef, nodes: List[ast.AST], imports: Mapping[str, str]) -> set[str]:
    """The names of generators of NumPy: made here, annotated, or called so."""
    found = {p.arg for p in parameters(function) if p.arg.endswith(NAMED) or _is_generator(p.annotation)}
    for n in nodes:
        match n:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=func)):
                full = full_path(func, imports)
                if full in effects.MAKERS and full.startswith("numpy."):
                    found.add(name)
    return found


def draws(function: ast.FunctionDef, functions: Mapping[str, ast.AST], seen: frozenset[ast.AST] = frozenset()) -> bool:
    """Whether a function draws random numbers from a generator that it has not made itself. functions: of the module"""
    made_here: set[str] = set()
    received: list[ast.expr] = []
    for n in body_nodes(function):
        match n:
            case ast.Call(func=ast.Attribute(value=of, attr=attr)) if attr in effects.DRAWS:
                received.append(of)
            case ast.Call(func=ast.Name(id=name)):
                inner = functions.get(name)
                known = isinstance(inner, ast.FunctionDef) and inner not in seen
                if known and draws(cast(ast.FunctionDef, inner), functions, seen | {function}):
                    return True
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call()):
                made_here.add(name)
    return any(not (isinstance(e, ast.Name) and e.id in made_here) for e in received)


def is_generator(e: ast.expr) -> bool:
    """Whether an expression is a generator by its name."""
    path = dotted(e) if isinstance(e, ast.Name | ast.Attribute) else None
    return path is not None and path[-1].endswith(NAMED)


def _is_generator(note: ast.expr | None) -> bool:
    path = dotted(note) if isinstance(note, ast.Name | ast.Attribute) else None
    return path is not None and path[-1] in GENERATORS


class _Draws(ast.NodeTransformer):
    def __init__(
        self, own: set[str], numbers: set[str], numpy: str, imports: Mapping[str, str], generators: set[str]
    ) -> None:
        self.own, self.numbers, self.numpy, self.imports, self.generators = own, numbers, numpy, imports, generators

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Attribute):
            return node
        path = dotted(node.func.value)
        if path is None:
            return node
        full = ".".join([self.imports.get(path[0], path[0]), *path[1:]]) if path[0] not in self.own else ""
        match node:
            case ast.Call(args=[ast.Starred(value=shape)], keywords=[], func=ast.Attribute(attr=attr)) if (
                attr in OF_A_SHAPE and (full == "numpy.random" or path[0] in self.generators)
            ):
                func = made(ast.Attribute(node.func.value, OF_A_SHAPE[attr], ast.Load()), node)
                return made(ast.Call(func, [shape], []), node)
        if full == "random":
            return self.written(node, PYTHON, False) or node
        if full == "numpy.random" or path[0] in self.generators or is_generator(node.func.value):
            return self.written(node, NUMPY, True) or node
        return node

    def written(
        self, node: ast.Call, table: Mapping[str, tuple[dict[str, str], str, str]], sized: bool
    ) -> ast.expr | None:
        assert isinstance(node.func, ast.Attribute)
        if node.func.attr not in table or any(isinstance(a, ast.Starred) for a in node.args):
            return None
        params, instead, text = table[node.func.attr]
        order = [*params, *(["size"] if sized else [])]
        given = dict(zip(order, node.args, strict=False)) | {str(k.arg): k.value for k in node.keywords}
        if len(node.args) > len(order) or not given.keys() <= {*order}:
            return None
        values = {p: given.get(p) or (expression(d, node) if d else None) for p, d in params.items()}
        if None in values.values() or not any(self.varies(given[p]) for p in params if p in given and p != "shape"):
            return None
        parts = dict(zip("ab", values.values(), strict=False))
        draw = self.draw(node, instead, given, [e for p, e in values.items() if e is not None], sized)
        if draw is None or (text.startswith("exp(") and not self.numpy):
            return None
        twice = text.count("a") > 1 and parts["a"] is not None  # it is evaluated twice
        if twice and any(isinstance(n, ast.Call | ast.Subscript) for n in ast.walk(cast(ast.expr, parts["a"]))):
            return None
        return self.shaped(text, {**parts, "z": draw}, node)

    def draw(
        self, node: ast.Call, instead: str, given: Mapping[str, ast.expr], values: List[ast.expr], sized: bool
    ) -> ast.expr | None:
        """The draw without parameters: of the size that is given, or of the shape that the parameters have."""
        assert isinstance(node.func, ast.Attribute)
        of = ast.unparse(node.func.value)
        if not sized:
            return expression(f"{of}.{instead}", node)
        first = [ast.unparse(given["shape"])] if instead == "standard_gamma" else []
        size = given.get("size")
        if size is None or (isinstance(size, ast.Constant) and size.value is None):
            open_ = [e for e in values if not self.is_number(e)]
            if not all(isinstance(e, ast.Name) for e in open_) or (open_ and not self.numpy):
                return None
            shapes = list(dict.fromkeys(f"{self.numpy}.shape({ast.unparse(e)})" for e in open_))
            joined = ", ".join(shapes)
            first += [joined if len(shapes) == 1 else f"{self.numpy}.broadcast_shapes({joined})"] if shapes else []
        else:
            first.append(ast.unparse(size))
        return expression(f"{of}.{instead}({', '.join(first)})", node)

    def shaped(self, text: str, parts: Mapping[str, ast.expr | None], node: ast.Call) -> ast.expr:
        """The value, without the place 0.0 and the scale 1.0."""
        e = expression(text.replace("exp(", f"{self.numpy}.exp("), node)

        class Put(ast.NodeTransformer):
            def visit_Name(self, n: ast.Name) -> ast.AST:
                return parts.get(n.id) or n

            def visit_BinOp(self, n: ast.BinOp) -> ast.AST:
                n = made(ast.BinOp(self.visit(n.left), n.op, self.visit(n.right)), node)
                match n:
                    case ast.BinOp(left=ast.Constant(value=0.0), op=ast.Add(), right=e):
                        return e
                    case ast.BinOp(left=e, op=ast.Sub(), right=ast.Constant(value=0.0)):
                        return e
                    case ast.BinOp(left=ast.Constant(value=1.0), op=ast.Mult(), right=e):
                        return e
                return n

        found = Put().visit(e)
        assert isinstance(found, ast.expr)
        return found

    def varies(self, e: ast.expr) -> bool:
        return any(isinstance(n, ast.Name) and n.id in self.own for n in ast.walk(e))

    def is_number(self, e: ast.expr) -> bool:
        return isinstance(e, ast.Constant) or (isinstance(e, ast.Name) and e.id in self.numbers)


__all__ = ["draws", "is_generator", "write_out"]
