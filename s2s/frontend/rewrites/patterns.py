"""`match` as the if and elif that it stands for.

    match shape:                        if isinstance(shape, Circle):
        case Circle(r):                     r = shape.r
            ...                             ...
        case Rect(a, height=h):         elif isinstance(shape, Rect):
            ...                             a = shape.a
                                            h = shape.height
    match law:
        case {"k": k}:                  if isinstance(law, dict) and "k" in law:
            ...                             k = law["k"]
        case [first, *rest]:            elif isinstance(law, (list, tuple)) and len(law) >= 1:
            ...                             first = law[0]
                                            rest = [item for item in law[1:]]

A subject that is more than a name gets one. A `match` with a pattern that is not known stays, and is refused.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Mapping
from collections.abc import Sequence as List

from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.scopes import blocks_of, bound_names, parameters, read_names, walk
from s2s.frontend.text.source import NOTHING, Note, made

SELF_MATCHING = ("bool", "bytes", "dict", "float", "frozenset", "int", "list", "set", "str", "tuple")
Found = tuple[list[ast.expr], list[tuple[str, ast.expr]]]  # the tests of a pattern, and the names that it binds


def write_out(
    function: ast.FunctionDef, classes: Mapping[str, ClassInfo], notes: Callable[[], dict[int, Note]]
) -> None:
    """Changes the body of a function; notes: what the comments of its statements say, asked for where there are any."""
    if any(isinstance(n, ast.Match) for n in walk(function)):
        work = _Patterns(function, classes, notes())
        function.body[:] = work.block(function.body)


class Unknown(Exception):
    """A pattern that is not supported, and what of it."""

    def __init__(self, pattern: ast.pattern, text: str = "") -> None:
        super().__init__(text)
        self.pattern = pattern
        self.text = text or f"the pattern `{ast.unparse(pattern)}`"


class _Patterns:
    def __init__(self, function: ast.FunctionDef, classes: Mapping[str, ClassInfo], notes: dict[int, Note]) -> None:
        self.node, self.classes, self.notes = function, classes, notes
        self.params = {p.arg for p in parameters(function)}
        self.local = self.params | bound_names(walk(function))
        self.taken = self.local | {n.id for n in walk(function) if isinstance(n, ast.Name)}
        self.dicts: set[str] = set()  # subjects of which nothing is asked but which keys they have

    def block(self, body: List[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for s in body:
            if isinstance(s, ast.Match):
                for case in s.cases:
                    case.body[:] = self.block(case.body)
                try:
                    new = self.matched(s)
                except Unknown as e:
                    s.unknown = e  # type: ignore[attr-defined]
                    new = [s]
                if new and new[0] is not s:
                    self.notes[id(new[0])] = self.notes.get(id(s), NOTHING)
                out += new
                continue
            for inner in blocks_of(s):
                inner[:] = self.block(inner)
            out.append(s)
        return out

    def matched(self, s: ast.Match) -> list[ast.stmt]:
        self.state_list(s)
        before, subject = self.subject(s.subject, {name for c in s.cases for name in names_of(c.pattern, s.subject)})
        self.dicts = {ast.dump(subject)} if _is_for_dicts(s) else set()
        chain: list[ast.stmt] = []
        for case in reversed(s.cases):
            tests, bindings = self.pattern(case.pattern, subject)
            body = [*(bind(name, value, case.pattern) for name, value in bindings), *case.body]
            if case.guard is not None and bindings and tests:
                values = dict(bindings)
                if any(self.bound_elsewhere(name, s) for name in values):
                    raise Unknown(case.pattern, "this guard of a pattern that binds a name bound elsewhere")
                tests = [*tests, Replaced(values).visit(copy.deepcopy(case.guard))]
            elif case.guard is not None and bindings:  # the pattern always matches: it binds, then the guard decides
                names, body = body[: len(bindings)], body[len(bindings) :]
                chain = [*names, choice([case.guard], body, chain, case.pattern)]
                continue
            elif case.guard is not None:
                tests = [*tests, case.guard]
            chain = [choice(tests, body, chain, case.pattern)] if tests else body
        return [*before, *chain]

    def subject(self, e: ast.expr, bound: set[str]) -> tuple[list[ast.stmt], ast.expr]:
        """What gives the subject a name, and the subject as an expression that may be read many times.

        bound: the names that patterns bind, which may be bound anew before the subject is read for the last time.
        """
        if is_path(e) and not bound & read_names(e):
            return [], e
        if isinstance(e, ast.Tuple | ast.List) and not any(isinstance(x, ast.Starred) for x in e.elts):
            each = [self.subject(x, bound) for x in e.elts]
            return [x for b, _ in each for x in b], made(ast.Tuple([x for _, x in each], ast.Load()), e)
        name, k = "subject", 1
        while name in self.taken:
            k += 1
            name = f"subject_{k}"
        self.taken.add(name)
        first = made(ast.Assign([made(ast.Name(name, ast.Store()), e)], e), e)
        return [first], made(ast.Name(name, ast.Load()), e)

    def state_list(self, s: ast.Match) -> None:
        """A parameter of which nothing is stated, and that matches nothing but sequences, is a list: no array does."""
        cases = list(s.cases)
        match cases[-1]:
            case ast.match_case(pattern=ast.MatchAs(pattern=None), body=[ast.Raise() | ast.Return(), *_]):
                cases.pop()
        if not cases or not all(isinstance(c.pattern, ast.MatchSequence) for c in cases):
            return
        for p in parameters(self.node):
            if isinstance(s.subject, ast.Name) and p.arg == s.subject.id and p.annotation is None:
                p.annotation = made(ast.Name("list", ast.Load()), p)

    def bound_elsewhere(self, name: str, s: ast.Match) -> bool:
        inside = sum(1 for n in walk(s) if isinstance(n, ast.MatchAs | ast.MatchStar) and n.name == name)
        every = sum(
            1
            for n in walk(self.node)
            if (isinstance(n, ast.MatchAs | ast.MatchStar) and n.name == name)
            or (isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load))
        )
        return name in self.params or every > inside

    def pattern(self, p: ast.pattern, subject: ast.expr) -> Found:
        """The tests that a pattern stands for, and the names that it binds."""

        def test(op: ast.cmpop, value: ast.expr) -> ast.expr:
            return made(ast.Compare(subject, [op], [value]), p)

        match p:
            case ast.MatchValue(value=value):
                return [test(ast.Eq(), value)], []
            case ast.MatchSingleton(value=value):
                return [test(ast.Is(), made(ast.Constant(value), p))], []
            case ast.MatchAs(pattern=inner, name=name):
                found = ([], []) if inner is None else self.pattern(inner, subject)
                return found[0], [*found[1], *([(name, subject)] if name is not None else [])]
            case ast.MatchOr(patterns=patterns):
                return self.either(patterns, subject, p)
            case ast.MatchSequence(patterns=patterns):
                return self.sequence_pattern(patterns, subject, p)
            case ast.MatchClass(cls=ast.Name(id=name), patterns=patterns, kwd_attrs=[]) if (
                name in SELF_MATCHING and name not in self.local and len(patterns) <= 1
            ):
                kind = made(ast.Call(made(ast.Name("isinstance", ast.Load()), p), [subject, p.cls], []), p)
                found = self.pattern(patterns[0], subject) if patterns else ([], [])
                return [kind, *found[0]], found[1]
            case ast.MatchClass(cls=ast.Name(id=name)) if name in self.classes and name not in self.local:
                return self.class_pattern(p, self.classes[name], subject)
            case ast.MatchMapping(rest=None):
                return self.mapping_pattern(p, subject)
        raise Unknown(p)

    def class_pattern(self, p: ast.MatchClass, cls: ClassInfo, subject: ast.expr) -> Found:
        """`case Rect(a, height=h)`: an object of that class, by its attributes."""
        order = list(cls.fields) if cls.kind != "plain" else []
        match cls.values.get("__match_args__"):
            case ast.Tuple(elts=elts):
                order = [e.value for e in elts if isinstance(e, ast.Constant) and isinstance(e.value, str)]
            case ast.expr():
                raise Unknown(p)
        if len(p.patterns) > len(order) or isinstance(subject, ast.Tuple):
            raise Unknown(p)
        inner = [*zip(order, p.patterns, strict=False), *zip(p.kwd_attrs, p.kwd_patterns, strict=True)]
        tests: list[ast.expr] = [made(ast.Call(made(ast.Name("isinstance", ast.Load()), p), [subject, p.cls], []), p)]
        bindings: list[tuple[str, ast.expr]] = []
        for attr, x in inner:
            if attr not in cls.fields and attr not in cls.properties:
                raise Unknown(p)
            found = self.pattern(x, made(ast.Attribute(subject, attr, ast.Load()), p))
            tests += found[0]
            bindings += found[1]
        return tests, bindings

    def mapping_pattern(self, p: ast.MatchMapping, subject: ast.expr) -> Found:
        """`case {"kind": "cubic", "k": k}`: a dict that has these keys."""
        if isinstance(subject, ast.Tuple):
            raise Unknown(p)
        if not p.keys:
            raise Unknown(p)
        tests: list[ast.expr] = []
        if ast.dump(subject) not in self.dicts:
            kind = made(ast.Name("dict", ast.Load()), p)
            tests.append(made(ast.Call(made(ast.Name("isinstance", ast.Load()), p), [subject, kind], []), p))
        bindings: list[tuple[str, ast.expr]] = []
        for key, x in zip(p.keys, p.patterns, strict=True):
            tests.append(made(ast.Compare(key, [ast.In()], [subject]), p))
            found = self.pattern(x, made(ast.Subscript(subject, key, ast.Load()), p))
            tests += found[0]
            bindings += found[1]
        return tests, bindings

    def either(self, patterns: List[ast.pattern], subject: ast.expr, p: ast.pattern) -> Found:
        parts: list[ast.expr] = []
        if all(isinstance(x, ast.MatchValue) for x in patterns):
            values = [x.value for x in patterns if isinstance(x, ast.MatchValue)]
            if all(isinstance(v, ast.Constant) for v in values):  # "a" | "b": the subject is in ("a", "b")
                options = made(ast.Tuple(values, ast.Load()), p)
                return [made(ast.Compare(subject, [ast.In()], [options]), p)], []
        for x in patterns:
            found = self.pattern(x, subject)
            tests, bindings = found
            if bindings:
                raise Unknown(p, f"names in alternatives, `{ast.unparse(p)}`,")
            if not tests:
                return [], []
            parts.append(tests[0] if len(tests) == 1 else made(ast.BoolOp(ast.And(), tests), p))
        return [made(ast.BoolOp(ast.Or(), parts), p)], []

    def sequence_pattern(self, patterns: List[ast.pattern], subject: ast.expr, p: ast.pattern) -> Found:
        """`case [x, y, *rest]`: a list or a tuple of that length."""
        star = next((i for i, x in enumerate(patterns) if isinstance(x, ast.MatchStar)), None)
        least = len(patterns) - (star is not None)
        tests: list[ast.expr] = []
        bindings: list[tuple[str, ast.expr]] = []
        known = subject.elts if isinstance(subject, ast.Tuple) else None
        if known is not None:
            if len(known) != least if star is None else len(known) < least:
                return [made(ast.Constant(False), p)], []
        else:

            def call(name: str, *args: ast.expr) -> ast.expr:
                return made(ast.Call(made(ast.Name(name, ast.Load()), p), list(args), []), p)

            kinds: list[ast.expr] = [made(ast.Name(k, ast.Load()), p) for k in ("list", "tuple")]
            tests.append(call("isinstance", subject, made(ast.Tuple(kinds, ast.Load()), p)))
            op = ast.Eq() if star is None else ast.GtE()
            tests.append(made(ast.Compare(call("len", subject), [op], [made(ast.Constant(least), p)]), p))

        def item(i: int) -> ast.expr:
            if known is not None:
                return known[i]
            return made(ast.Subscript(subject, made(ast.Constant(i), p), ast.Load()), p)

        for i, x in enumerate(patterns):
            if isinstance(x, ast.MatchStar):
                if x.name is not None:
                    rest: ast.expr
                    behind = len(patterns) - 1 - i
                    if known is not None:
                        rest = made(ast.List(list(known[i : len(known) - behind]), ast.Load()), p)
                    else:
                        lower = made(ast.Constant(i), p)
                        upper = made(ast.Constant(-behind), p) if behind else None
                        part = made(ast.Subscript(subject, made(ast.Slice(lower, upper), p), ast.Load()), p)
                        each = made(ast.comprehension(made(ast.Name("item", ast.Store()), p), part, [], 0), p)  # type: ignore[type-var]
                        rest = made(ast.ListComp(made(ast.Name("item", ast.Load()), p), [each]), p)
                    bindings.append((x.name, rest))
                continue
            found = self.pattern(x, item(i if star is None or i < star else i - len(patterns)))
            tests += found[0]
            bindings += found[1]
        return tests, bindings


def _is_for_dicts(s: ast.Match) -> bool:
    """Whether a match is meant for dicts only, so that it need not be asked whether its subject is one: each case is a
    pattern of keys, or one for the rest that does not read the subject."""
    read = read_names(s.subject)
    for case in s.cases:
        match case.pattern:
            case ast.MatchMapping():
                pass
            case ast.MatchAs(pattern=None, name=None) if not any(read & read_names(b) for b in case.body):
                pass
            case _:
                return False
    return True


def names_of(p: ast.pattern, subject: ast.expr) -> set[str]:
    """The names that a pattern binds to something else than what they stand for: `case shape` of `match shape`."""
    if isinstance(p, ast.MatchAs) and isinstance(subject, ast.Name) and p.name == subject.id:
        return names_of(p.pattern, subject) if p.pattern is not None else set()
    return {n.name for n in walk(p) if isinstance(n, ast.MatchAs | ast.MatchStar) and n.name is not None}


def is_path(e: ast.expr) -> bool:
    """A name, an attribute of one, or a literal."""
    while isinstance(e, ast.Attribute):
        e = e.value
    if isinstance(e, ast.UnaryOp) and isinstance(e.op, ast.USub):
        e = e.operand
    return isinstance(e, ast.Name | ast.Constant)


def bind(name: str, value: ast.expr, at: ast.pattern) -> ast.stmt:
    return made(ast.Assign([made(ast.Name(name, ast.Store()), at)], copy.deepcopy(value)), at)


def choice(tests: List[ast.expr], body: List[ast.stmt], orelse: List[ast.stmt], at: ast.pattern) -> ast.stmt:
    tests = [copy.deepcopy(t) for t in tests]
    test = tests[0] if len(tests) == 1 else made(ast.BoolOp(ast.And(), tests), at)
    return ast.copy_location(ast.If(test, list(body), list(orelse)), at)


class Replaced(ast.NodeTransformer):
    """Names of a pattern in its guard, as what they are bound to."""

    def __init__(self, values: dict[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.values.get(node.id, node)
