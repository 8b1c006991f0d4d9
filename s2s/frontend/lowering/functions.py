"""Functions as values: nested ones and lambdas, those handed to others or returned, partial, tables of functions.

No value of the IR is a function. Which function a call means is known when it is lowered, or is one of a few that a
variable tells apart:

    g(x), g nested             _f_g(w, x)           a function of its own, with what g captures as parameters
    (lambda t: w * t)(x)       w * x                a body of one expression is written out
    apply(np.sin, x)           _apply_sin(x)        a helper for each function that is handed to it
    g = make(w); g(x)          _make_g(w, x)        what a maker returns, with what it captures
    TABLE[kind](x)             if kind == "a": ...  a branch for each function that it may be

Captured variables are read where the function is called, as Python does.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any, cast

from s2s import ir, rules
from s2s.errors import Diagnostic
from s2s.frontend.lowering.closures import OPERATORS, Binding, FunctionValues, nodes_of, noted
from s2s.frontend.rewrites import optional
from s2s.frontend.rewrites.asked import asks_for_class
from s2s.frontend.rewrites.bound import method_of
from s2s.frontend.rewrites.objects import LISTED, MAPPED, affects
from s2s.frontend.rewrites.taken import taken_out
from s2s.frontend.text.classes import ClassInfo
from s2s.frontend.text.decorators import CONTEXTS, SAME_VALUES, is_cached, meaning
from s2s.frontend.text.function_bodies import (
    all_writes,
    default_nodes,
    identifiers,
    not_by_differences,
    one_expression,
    whole,
    written_names,
)
from s2s.frontend.text.function_values import (
    Choice,
    Closure,
    Known,
    Table,
    Value,
    as_node,
    canonical,
    captured_node,
    made_keyword,
    marker,
    merged,
)
from s2s.frontend.text.kinds import Items
from s2s.frontend.text.names import Made, ModuleNames
from s2s.frontend.text.scopes import (
    body_nodes,
    bound_names,
    dotted,
    free_names,
    mentions,
    new_name,
    own_walk,
    parameters,
    read_names,
    walk,
)
from s2s.frontend.text.source import copied_body, made
from s2s.ir import Const, Expr, Form, If, Op, Unpack, Var

SMALL = 12  # operations, in all the places where a body of one expression is written out
WEIGHTY = (ast.BinOp, ast.UnaryOp, ast.Call, ast.Subscript, ast.Compare, ast.IfExp)
SHORT = 60  # characters of a lambda that is quoted
MANY = 300  # helpers made for one module: beyond, functions are handed on without an end


class Functions(FunctionValues):
    """Definitions and calls: what is bound, applied, dispatched, written out, or made anew for a function argument."""

    # ------------------------------------------------------------ statements

    def decorated(self, node: ast.FunctionDef) -> list[ast.expr]:
        """Refuses decorators whose function is not that of the text; returns those that stand for a with statement."""
        contexts: list[ast.expr] = []
        for d in node.decorator_list:
            name = meaning(d, self.imports.names)
            if name in CONTEXTS and isinstance(d, ast.Call):
                contexts.append(d)
            elif name not in SAME_VALUES or self.is_bound_below(d):
                self.refuse("decorated", d, node.name, f"it is decorated with `{self.text(d)}`")
        return contexts

    def is_bound_below(self, decorator: ast.expr) -> bool:
        """Whether the module binds the name of a decorator below it: what it was there is another thing."""
        return any(
            isinstance(n, ast.Name) and self.names.moments.bound.get(n.id, 0) > getattr(decorator, "lineno", 0)
            for n in walk(decorator)
        )

    def define(self, s: ast.FunctionDef) -> None:
        """A nested function: nothing runs here but its defaults."""
        if self.decorated(s):
            self.refuse("decorated", s.decorator_list[0], s.name, "a decorator of a nested function stands for a with")
        if s.name not in self.bindings:
            self.refuse("nested", s, f"`{s.name}` is bound to something else, too")
            return
        if any(isinstance(n, ast.Yield | ast.YieldFrom) for x in s.body for n in own_walk(x)):
            self.refuse("async", s, "a generator")
            return
        if is_cached(s, self.imports.names):
            written = written_names(self.node, self.names.functions)
            for n in self.captures(self.closure(s, s.name)):
                if self.may_change(n) or n in written:
                    why = f"it keeps its results, and `{n}`, which it reads, is bound again, or written into"
                    self.refuse("decorated", s.decorator_list[0], s.name, why)
        if len(self.bindings[s.name]) > 1:
            self.bind_tag(s.name, s)
        else:
            self.hold_defaults(self.closure(s, s.name))

    def bind_tag(self, name: str, e: Binding) -> None:
        """A variable that holds one of several functions is set to what tells them apart."""
        if isinstance(e, ast.FunctionDef | ast.Lambda):
            self.hold_defaults(self.closure(e, name))
        tag = next(t for t, b in zip(self.tags(name), self.bindings[name], strict=True) if b is e)
        if self.local_value(name) is None:
            self.refuse("callee", e, f"which function `{name}` is at its calls is not known")
        self.set(name, Const(tag))

    def bind_function(self, name: str, e: ast.expr) -> None:
        """name = a function."""
        if len(self.bindings[name]) > 1:
            self.bind_tag(name, e)
            return
        self.held_in = name
        value = self.value_of(e)
        value = None if value is None else self.as_it_is(value, e)
        self.held_in = ""
        if value is None:
            self.refuse("callee", e, f"which function `{name}` is can't be told from its text")
        else:
            self.env[name] = value

    # ------------------------------------------------------------ reading names

    def name(self, node: ast.Name) -> Expr:
        ready = getattr(node, "expr", None)
        if ready is not None:
            return cast(Expr, ready)
        if hasattr(node, "value_of") or (
            (node.id in self.env or node.id in self.bindings) and not self.is_renamed(node.id)
        ):
            match self.env.get(node.id):
                case Known(callee=ast.Name() | ast.Attribute() as callee, before=(), options=(), captured=()) if (
                    self.module_scope(lambda: self.global_function(callee))
                ):
                    return self.object_of(callee)
            return self.handed_over(node, f"the function `{node.id}`")
        return super().name(node)

    def raw(self, node: ast.expr | ast.stmt) -> ir.Raw:
        for n in walk(node):
            if isinstance(n, ast.Name) and (n.id in self.env or n.id in self.bindings) and not self.is_renamed(n.id):
                self.refuse("callee", n, f"the function `{n.id}` is used in text that is carried over")
                break
        return super().raw(node)

    # ------------------------------------------------------------ calls

    def by_differences(self, node: ast.Call, operand: Callable[[ast.expr], Expr]) -> Expr | None:
        """A call that has no rule, on a line that ends with `# s2s: numeric`; of the model's own functions the
        outermost call of the line."""
        found = self.resolve(node.func)
        if self.numeric is None or operand == self.tree or found is None or found[1] is not None:
            return None
        fn = found[0]
        own = fn.startswith("local.")
        if rules.lookup(fn) is not None or fn.startswith("builtins.") or (own and node is not whole(self.numeric)):
            return None
        self.numeric_used = True
        if not self.allowed(node, fn, None):
            return ir.NONE
        definition = self.signature(self.own_name(fn)) if own else None
        for reason in not_by_differences(fn, node, definition):
            span = self.source.span(node)
            help_ = ("write a rule for it: `s2s explain your-own-rules`",)
            self.refusals.append(
                Diagnostic("S308", f"differences of `{self.text(node.func)}`: {reason}", span, "", help_)
            )
            return ir.NONE
        args = self.arguments(node, fn, None, operand)
        options = tuple((k.arg or "", self.option(k, fn, operand)) for k in node.keywords)
        return Op(f"numeric.{fn}", args, options, Form.CALL, self.text(node.func), self.source.span(node))

    def call(self, node: ast.Call, operand: Callable[[ast.expr], Expr]) -> Expr:
        if self.numeric is not None and (differences := self.by_differences(node, operand)) is not None:
            return differences
        if not isinstance(node.func, ast.Attribute) or not self.is_global_path(node.func):
            direct = isinstance(node.func, ast.Name) and not self.may_be_value(node.func)
            value = None if direct else self.value_of(node.func)
            if value is not None:
                return self.apply(value, node, operand)
        if (elsewhere := self.specialised_elsewhere(node, operand)) is not None:
            return elsewhere
        found = self.resolve(node.func)
        if found is not None and found[1] is None:
            fn = found[0]
            if fn.removeprefix("python.") in OPERATORS and (written := self.operator_of(fn, node)) is not None:
                return self.tree(written) if operand == self.tree else self.value(written)
            if fn.startswith("local.") and (special := self.specialised(self.own_name(fn), node, operand)) is not None:
                return special
        return super().call(node, operand)

    def operator_of(self, fn: str, node: ast.Call) -> ast.expr | None:
        """operator.mul(a, b) as a * b."""
        if node.keywords or any(isinstance(a, ast.Starred) for a in node.args):
            return None
        match OPERATORS[fn.removeprefix("python.")], node.args:
            case ast.operator() as op, [a, b]:
                return made(ast.BinOp(a, op, b), node)
            case ast.unaryop() as op, [a]:
                return made(ast.UnaryOp(op, a), node)
            case ast.cmpop() as op, [a, b]:
                return made(ast.Compare(a, [op], [b]), node)
        return None

    def may_be_value(self, e: ast.Name) -> bool:
        return hasattr(e, "value_of") or self.is_local(e.id) or e.id in self.env or e.id in self.names.values

    def is_global_path(self, e: ast.expr) -> bool:
        path = dotted(e)
        return path is not None and not self.is_local(path[0])

    def apply(self, value: Value, node: ast.Call, operand: Callable[[ast.expr], Expr]) -> Expr:
        """A call of a function that is a value."""
        functions = nodes_of(value)
        if isinstance(value, Known) and (name := self.hidden(value)):
            own = f"`{self.text(node.func)}` calls `{name}` of the module, whose name is another one's here"
            return self.refuse("callee", node.func, own, help=("give one of the two another name",))
        match value:
            case Table():
                return self.refuse("callee", node.func, "a table of functions is called")
            case Choice():
                return self.dispatched(value, node, operand)
            case Closure():
                self.hold_defaults(value)
                value = self.known(value, called=True)
        node = self.own_call(value, node)
        if value.node is not None and (out := self.written_out(value, node, operand)) is not None:
            return out
        given = {k.arg for k in node.keywords}
        positions = self.positions(value)
        reached = set(positions[len(value.captured) : len(value.before) + len(node.args)])
        options = [made_keyword(k, v, node) for k, v in value.options if k not in given and k not in reached]
        before = tuple(self.reread(e, functions[0]) for e in value.before) if functions else value.before
        args = [as_node(e, node) for e in before] + list(node.args)
        call = made(ast.Call(value.callee, args, [*options, *node.keywords]), node)
        if value.writes:
            return self.writing(value, call, operand)
        return self.call(call, operand)

    def hidden(self, f: Known) -> str:
        """The name of a function of the module which something of this function has, too; "" where it is free."""
        root = (dotted(f.callee) or [""])[0]
        taken = self.is_local(root) or root in self.env or root in self.bindings
        return root if taken and not hasattr(f.callee, "value_of") else ""

    def own_call(self, f: Known, node: ast.Call) -> ast.Call:
        keywords = self.own_keywords(f, node.keywords)
        return node if keywords is node.keywords else made(ast.Call(node.func, node.args, [*keywords]), node)

    def positions(self, value: Known) -> list[str]:
        """The positional parameters of a function of the module."""
        found = self.signature(self.own_name(value.key)) if value.key.startswith("local.") else None
        if found is None:
            return []
        return [a.arg for a in (*found.args.posonlyargs, *found.args.args)]

    def writing(self, value: Known, call: ast.Call, operand: Callable[[ast.expr], Expr]) -> Expr:
        """A call that binds nonlocal names: they are results, too."""
        for name in value.writes:
            if name in self.seen or operand == self.tree or self.in_tree or not self.is_local(name) or name in self.env:
                return self.refuse("global", call, f"nonlocal {name}")
        e = self.call(call, self.atom)
        lifted = self.signature(self.own_name(value.key))
        gives = lifted is None or not all_writes(lifted, value.writes)
        targets = (self.fresh("result"), *value.writes) if gives else value.writes
        if len(targets) == 1:
            self.set(targets[0], e)
        else:
            self.emit(Unpack(targets, e, self.origin))
        return Var(targets[0]) if gives else ir.NONE

    def called(self, e: ast.Call) -> bool:
        """A call of a nested function as a statement; False for calls of other things."""
        if not isinstance(e.func, ast.Name) or not self.may_be_value(e.func) or not self.functional(e.func):
            return False
        value = self.value(e)
        if not ir.is_atom(value):
            self.emit(ir.Inert("", (value,), self.origin))
        return True

    def dispatched(self, value: Choice, node: ast.Call, operand: Callable[[ast.expr], Expr]) -> Expr:
        """One of several functions is called: a branch for each."""
        if self.in_tree or operand == self.tree:
            return self.refuse("callee", node.func, "one of several functions is called in a test or a comprehension")
        args, keywords = self.held_arguments(value, node)
        target = self.fresh("chosen")
        self.dispatch(value, lambda f: made(ast.Call(marker(f, node.func), args, keywords), node), target)
        return Var(target)

    def held_arguments(self, value: Choice, node: ast.Call) -> tuple[list[ast.expr], list[ast.keyword]]:
        """Arguments that stand in several branches: evaluated before, under names that one of the functions has."""
        params = next((parameters(f.node) for _, f in value.cases if f.node is not None and not f.captured), [])

        def held(e: ast.expr, wish: str) -> ast.expr:
            if isinstance(e, ast.Starred) or self.is_simple(e) or self.functional(e):
                return e
            atom = self.value(e)
            if not ir.is_atom(atom):
                name = self.fresh(wish)
                self.set(name, atom)
                atom = Var(name)
            return as_node(atom, e)

        args = [held(a, params[i].arg if i < len(params) else "argument") for i, a in enumerate(node.args)]
        return args, [made(ast.keyword(k.arg, held(k.value, k.arg or "argument")), k) for k in node.keywords]

    def dispatch(self, value: Choice, call: Callable[[Known], ast.expr], target: str) -> None:
        """if subject == tag: target = call of that function; elif ..."""
        origin = self.origin
        cases = merged(value.cases)
        blocks = []
        for _, f in cases:
            blocks.append(self.captured(lambda f=f: self.assign(target, call(f))))  # type: ignore[misc]
        rest: ir.Block
        if value.exhaustive:
            rest, cases, blocks = blocks[-1], cases[:-1], blocks[:-1]
        else:
            keys = [tag for tags, _ in cases for tag in tags]
            kind = "IndexError" if all(isinstance(k, Const) and isinstance(k.value, int) for k in keys) else "KeyError"
            error = Op(f"builtins.{kind}", (value.subject,), spelling=kind)
            rest = (ir.Inert("raise", (error,), origin),)
        for (tags, _), block in zip(reversed(cases), reversed(blocks), strict=True):
            rest = (If(value.holds(tags), block, rest, origin),)
        for s in rest:
            self.emit(s)

    def assign(self, target: str, value: ast.expr) -> None:
        """A call of one of several functions is assigned in each branch."""
        if isinstance(value, ast.Call) and not self.in_tree:
            simple = isinstance(value.func, ast.Attribute) or (
                isinstance(value.func, ast.Name) and not self.may_be_value(value.func)
            )
            found = None if simple else self.value_of(value.func)
            if isinstance(found, Choice):
                func = value.func
                args, keywords = self.held_arguments(found, value)

                def call(f: Known) -> ast.expr:
                    return made(ast.Call(marker(f, func), args, keywords), func)

                self.dispatch(found, call, target)
                return
            if found is not None:
                if isinstance(found, Closure):
                    self.hold_defaults(found)
                    found = self.known(found)
                if isinstance(found, Known):
                    value = self.own_call(found, value)
                    if self.written_out(found, value, self.atom, target) is not None:
                        return
                known = made(ast.Call(marker(found, value.func), value.args, value.keywords), value)
                super().assign(target, known)
                return
        super().assign(target, value)

    # ------------------------------------------------------------ bodies of one expression

    def written_out(
        self, f: Known, node: ast.Call, operand: Callable[[ast.expr], Expr], target: str = ""
    ) -> Expr | None:
        """The body of a small nested function, in place of its call; None where it has to be called.

        With a target the value is assigned to that.
        """
        body = one_expression(f.node)
        if body is None or f.node is None or f.writes or not self.worth_writing(body, node):
            return None
        if is_cached(f.node, self.imports.names):
            return None  # it returns one object, not a new one
        params = parameters(f.node)
        a = f.node.args
        if (
            a.vararg
            or a.kwarg
            or any(isinstance(x, ast.Starred) for x in node.args)
            or not all(k.arg for k in node.keywords)
        ):
            return None
        given: dict[str, ast.expr] = {}
        own = [p.arg for p in params if p not in a.kwonlyargs]
        positional = [as_node(e, node) for e in f.before[len(f.captured) :]] + list(node.args)
        if len(positional) > len(own):
            return None
        given.update(zip(own, positional, strict=False))
        for k in node.keywords:
            if k.arg in given or k.arg not in {p.arg for p in params}:
                return None
            given[str(k.arg)] = k.value
        options = dict(f.options)
        for p, d in default_nodes(f.node):
            if p not in given:
                given[p] = as_node(options[p], node) if p in options else d
        for p, given_before in options.items():
            given.setdefault(p, as_node(given_before, node))
        if set(given) != {p.arg for p in params}:
            return None
        captured = dict(zip(f.captured, cast("tuple[Expr, ...]", f.before), strict=False))
        free = set(free_names(f.node))
        if f.home and f.home != self.node.name:
            return None  # it calls functions that are not known here
        functions = {n for n in free if n in self.env or n in self.bindings} if f.home else set()
        functions |= dict(f.functions).keys()
        if any(self.is_local(n) for n in free - set(captured) - functions):
            return None  # a name of the module that a variable hides here
        if operand == self.tree and not all(map(self.is_simple, given.values())):
            return None
        if any(self.functional(e) for e in given.values()):
            return None
        atoms: dict[str, Expr] = {}
        for p, e in given.items():
            if operand == self.tree:
                atoms[p] = self.tree(e)
                continue
            value = self.value(e)
            if not ir.is_atom(value):
                uses = sum(1 for n in walk(body) if isinstance(n, ast.Name) and n.id == p)
                name = self.fresh(p) if uses > 1 else self.temporary()
                self.set(name, value)
                value = Var(name)
            atoms[p] = value
        outer = self.rename, self.inner, self.env, self.turning
        self.turning = (self.turning | functions) - atoms.keys()
        self.rename, self.inner, self.env = (
            {n: e for n, e in captured.items() if n not in self.stored or e != Var(n)} | atoms,
            set(),
            self.env | cast("dict[str, Value]", dict(f.functions)),
        )
        out: Expr = Var(target)
        if target:
            self.assign(target, body)
        else:
            out = self.tree(body) if operand == self.tree else self.value(body)
        self.rename, self.inner, self.env, self.turning = outer
        return out

    def worth_writing(self, body: ast.expr, node: ast.Call) -> bool:
        """Whether a body is short enough for the number of times that it would be written out."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        calls = (n.func for n in walk(self.node) if isinstance(n, ast.Call))
        count = sum(1 for f in calls if isinstance(f, ast.Name) and f.id == name)
        return sum(1 for n in walk(body) if isinstance(n, WEIGHTY)) * max(1, count) <= SMALL

    # ------------------------------------------------------------ helpers that are handed functions

    def specialised(self, name: str, node: ast.Call, operand: Callable[[ast.expr], Expr]) -> Expr | None:
        """A call of a helper with functions among its arguments, or with parameters that take any number of them."""
        found = self.special(name, node)
        if found is None:
            return None
        own, args, keywords = found
        if affects(self.names.made[own].node, self.names):
            return self.refuse("changes", node, name)
        callee = made(ast.Name(own, ast.Load()), node.func)
        return super().call(made(ast.Call(callee, args, keywords), node), operand)

    def specialised_elsewhere(self, node: ast.Call, operand: Callable[[ast.expr], Expr]) -> Expr | None:
        """A call of another module's function that is given functions, or takes any number of arguments: that module
        gets the helper, whose names mean there what they mean in its text. None where its text can't be differentiated
        for them."""
        of = self.helper_elsewhere(node.func)
        if of is None:
            return None
        home, name = of
        helper = home.functions[name]
        counts = isinstance(helper, ast.FunctionDef) and (helper.args.vararg or helper.args.kwarg) is not None
        given = [*node.args, *(k.value for k in node.keywords)]
        handed = [e for e in given if self.functional(e)]
        objects = [e for e in given if self.adopted_class(e) or (home.classes and self.members(e))]
        if not counts and not handed and not objects:
            return None
        found = self.special(name, node, home)
        if found is None:
            return None
        own, args, keywords = found
        if affects(home.made[own].node, home):
            return self.refuse("changes", node, self.text(node.func))
        if not self.names.lowers(own, self.imported(node.func)):
            if self.is_function((self.resolve(node.func) or ("", None))[0]):  # as it can for its defaults
                what = f"`{self.text(node.func)}` can't be differentiated for the functions that it is given here"
                return self.refuse("callee", node, what)
            self.unseen |= {id(e): self.names.why_not(self.imported(node.func)) for e in handed}
            return None
        return super().call(made(ast.Call(canonical(f"local.{own}", node.func), args, keywords), node), operand)

    def special(
        self, name: str, node: ast.Call, home: ModuleNames | None = None
    ) -> tuple[str, list[ast.expr], list[ast.keyword]] | None:
        """The helper made for the functions in a call, and the arguments that are left; home: of another module's."""
        names = home or self.names
        abroad = home is not None
        helper = names.functions.get(name) if abroad else self.signature(name)
        if (
            not isinstance(helper, ast.FunctionDef)
            or any(isinstance(a, ast.Starred) for a in node.args)
            or not all(k.arg for k in node.keywords)
        ):
            return None
        a = helper.args
        normal = [*a.posonlyargs, *a.args]
        bound: dict[str, ast.expr] = dict(zip((p.arg for p in normal), node.args, strict=False))
        rest = list(node.args[len(normal) :])
        extra: dict[str, ast.expr] = {}
        known = {p.arg for p in (*normal, *a.kwonlyargs)}
        for k in node.keywords:
            if k.arg in known and k.arg not in bound:
                bound[str(k.arg)] = k.value
            elif a.kwarg is not None and k.arg not in known:
                extra[str(k.arg)] = k.value
            else:
                return None
        if rest and a.vararg is None:
            return None
        defaults = dict(default_nodes(helper))
        functions: dict[str, Value] = {}
        left = {  # another module, or partial, may give what no call of the module does
            p: d
            for p, d in left_out(helper, names).items()
            if p not in bound or (d.value is None and optional.is_none(bound[p]))
        }
        objects = optional.may_be_objects(helper, names) if not abroad else []
        may_lack = [*optional.optional(helper, names), *objects, *(p for p, d in left.items() if d.value is None)]
        absent = [p for p in dict.fromkeys(may_lack) if optional.is_none(bound.get(p, defaults[p]))]
        modules = {p: e for p in known if (e := bound.get(p)) and self.is_module(e) and self.may_stand_in(e, p, helper)}
        if abroad and modules:
            return None  # a name that means something else there
        modules |= {p: d for p, d in left.items() if d.value is not None}
        if not abroad:
            modules |= self.subscripts(helper, defaults | bound)
        for p in (*normal, *a.kwonlyargs):
            if p.arg in absent or p.arg in modules:
                bound.pop(p.arg, None)
            elif p.arg in bound:
                if self.functional(bound[p.arg]):
                    value = self.value_of(bound[p.arg])
                    if value is None:
                        self.refuse(
                            "callee", bound[p.arg], f"which function `{self.text(bound[p.arg])}` is can't be told"
                        )
                        return None
                    functions[p.arg] = value
            elif (
                not abroad
                and p.arg in defaults
                and self.module_scope(lambda p=p: self.functional(defaults[p.arg]))  # type: ignore[misc]
                and not self.names.moments.is_late(defaults[p.arg], helper.lineno - 1)
            ):
                functions[p.arg] = self.module_scope(lambda p=p: self.value_of(defaults[p.arg]))  # type: ignore[misc]
        classes = self.classes_needed(name, helper, bound, names) if self.names.classes or names.classes else {}
        there = {p: cls for p in objects if p in bound and (cls := self.class_for_sure(bound[p])) is not None}
        classes |= there
        if not functions and not absent and not modules and not classes and a.vararg is None and a.kwarg is None:
            return None
        if a.vararg is not None and rest and all(map(self.functional, rest)):
            found = [self.value_of(e) for e in rest]
            if any(v is None for v in found):
                return None
            entries = tuple(
                (Const(i), marker(cast(Value, v), e)) for i, (v, e) in enumerate(zip(found, rest, strict=True))
            )
            functions[a.vararg.arg], rest = Table(entries, True), []
        tests = absent, [*there]
        return self.made_for(name, helper, functions, tests, bound, rest, extra, node, classes, modules, names)

    def is_module(self, e: ast.expr) -> bool:
        return optional.is_module(e, self.names) and self.is_global_path(e)

    def may_stand_in(self, e: ast.expr, parameter: str, helper: ast.FunctionDef) -> bool:
        """Whether a module can stand for a parameter in the text of a helper, where its name means the same."""
        own = {p.arg for p in parameters(helper)} | bound_names(body_nodes(helper))
        return optional.chosen_at(helper, parameter) is not None and not own & set(read_names(e))

    def subscripts(self, helper: ast.FunctionDef, given: Mapping[str, ast.expr]) -> dict[str, ast.expr]:
        """The parameters of a helper that are subscripts of an einsum there, and are given as texts."""
        asked = {
            n.args[0].id
            for n in body_nodes(helper)
            if isinstance(n, ast.Call)
            and n.args
            and isinstance(n.args[0], ast.Name)
            and meaning(n.func, self.imports.names) == "numpy.einsum"
        }
        return {
            p: e
            for p, e in given.items()
            if p in asked
            and isinstance(e, ast.Constant)
            and isinstance(e.value, str)
            and optional.chosen_at(helper, p) == -1
        }

    def adopted_class(self, e: ast.expr) -> ClassInfo | None:
        """The class of an object, where that is one of another module, which a third one may know as well."""
        cls = self.kinds().kind(e) if self.names.adopted else None
        return cls if isinstance(cls, ClassInfo) and cls.name in self.names.adopted else None

    def classes_needed(
        self, name: str, helper: ast.FunctionDef, bound: dict[str, ast.expr], names: ModuleNames
    ) -> dict[str, ClassInfo | Items]:
        """The parameters that are not annotated, of which methods or operators are called, or of the items of which: of
        which class they are.

        names: of the helper's module, which gets to know a class of a third one.
        """
        if names is not self.names:
            return self.classes_made_known(helper, bound, names)
        found: dict[str, ClassInfo | Items] = {}
        for p in (*helper.args.posonlyargs, *helper.args.args, *helper.args.kwonlyargs):
            if says_class(p.annotation) or p.arg not in bound or name in self.names.asked:
                continue
            kind = self.kinds().kind(bound[p.arg])
            of = self.members(bound[p.arg]) or kind
            if not self.is_own_class(of.of if isinstance(of, Items) else of):
                continue
            of = cast("ClassInfo | Items", of)
            if asks_for_class(self.names, helper, p.arg, of, frozenset()):
                found[p.arg] = of
        return found

    def class_at_home(self, cls: ClassInfo, names: ModuleNames) -> ClassInfo | None:
        """A class as the module knows it that defines it, if that is the one of these names."""
        own = names.classes.get(cls.name)
        home = self.names.find_class(self.imports.names[cls.name]) if cls.name in self.names.adopted else cls
        return own if own is not None and home is not None and home.node is own.node else None

    def classes_made_known(
        self, helper: ast.FunctionDef, bound: dict[str, ast.expr], names: ModuleNames
    ) -> dict[str, ClassInfo | Items]:
        """The classes of objects that a helper elsewhere has to know, as those of its module: of objects of a third
        module, and of those in lists and dicts."""
        found: dict[str, ClassInfo | Items] = {}
        for p in parameters(helper):
            if p.arg not in bound or says_class(p.annotation):
                continue
            items = self.members(bound[p.arg])
            own = self.class_at_home(items.of, names) if items is not None else None
            if items is not None and own is not None:
                if asks_for_class(names, helper, p.arg, items := Items(own, items.in_dict), frozenset()):
                    found[p.arg] = items
                continue
            cls = self.adopted_class(bound[p.arg])
            if cls is None or not asks_for_class(names, helper, p.arg, cls, frozenset()):
                continue
            path = names.relative(self.names.absolute(self.imports.names[cls.name]))
            at = ast.copy_location(ast.Name(cls.name, ast.Load()), helper)
            if path and names.is_free(cls.name, path) and names.adopt(path, cls.name, at):
                found[p.arg] = names.classes[cls.name]
        return found

    def made_for(
        self,
        name: str,
        helper: ast.FunctionDef,
        functions: dict[str, Value],
        tests: tuple[list[str], list[str]],
        bound: dict[str, ast.expr],
        rest: list[ast.expr],
        extra: dict[str, ast.expr],
        node: ast.Call,
        classes: dict[str, ClassInfo | Items],
        modules: dict[str, ast.expr],
        names: ModuleNames,
    ) -> tuple[str, list[ast.expr], list[ast.keyword]] | None:
        """tests: the parameters that are None, and those that are objects: what is asked of them is decided."""
        abroad = names is not self.names
        absent, there = tests
        ready: dict[str, Value] = {}
        for p, v in functions.items():
            ready[p] = self.known(v) if isinstance(v, Closure) else v
        for v in ready.values():
            if isinstance(v, Known) and v.writes:
                self.refuse("global", node, f"nonlocal {v.writes[0]}")
                return None
        taken = identifiers(helper) | {p.arg for p in parameters(helper)}
        params: dict[str, dict[str, str]] = {}
        values: dict[str, list[tuple[str, Expr]]] = {}
        shared: dict[str, str] = {}
        for p, v in ready.items():
            params[p], values[p] = {}, []
            called = self.captured_names(v)
            for atom in self.value_atoms(v):
                if not isinstance(atom, Var):
                    continue
                if atom.name in shared:
                    params[p][atom.name] = shared[atom.name]
                else:
                    wish = called.get(atom.name, atom.name) if self.is_temporary(atom.name) else atom.name
                    plain = "".join(c if c.isalnum() else "_" for c in wish).strip("_")
                    if isinstance(v, Choice) and v.objects and atom == v.subject:
                        new = p  # the function itself, as it is handed over
                    else:
                        new = new_name(taken, plain if plain not in taken else f"{p}_{plain}")
                    params[p][atom.name] = shared[atom.name] = new
                    values[p].append((new, atom))
        captured = {} if abroad else self.classes_of(shared)
        options = {k: new_name(taken, k if k not in taken else f"{k}_option") for k in extra}
        a = helper.args
        counted = a.vararg is not None and a.vararg.arg not in ready
        apart = a.vararg.arg if a.vararg is not None and counted and rest else ""
        apart = apart if apart and is_spread(helper, apart, len(rest)) else ""
        given_to_stars = items_given(helper, bound)
        key = (
            "special",
            name,
            tuple((p, self.identity(v)) for p, v in ready.items()),
            tuple(absent),
            tuple(there),
            tuple(tuple(m.values()) for m in params.values()),
            tuple(extra),
            len(rest) if counted else None,
            tuple((p, kind_words(c)) for p, c in (classes | captured).items()),
            tuple((p, ast.unparse(e)) for p, e in modules.items()),
            tuple(given_to_stars.items()),
        )
        old = names.made.get(name)
        if key not in names.keys:
            if len(names.made) > MANY:
                self.refuse("callee", node.func, f"`{name}` hands functions on without an end")
                return None
            paths = {p: ast.unparse(e) for p, e in modules.items() if not isinstance(e, ast.Constant)}
            told = [*(kind_name(c) for c in classes.values()), *(path.replace(".", "_") for path in paths.values())]
            words = list(dict.fromkeys([*map(self.word, ready.values()), *told]))
            if counted:
                words.append(str(len(rest)))
            if name.startswith("_") and not words and not extra:
                words = ["by_default"]  # the name alone is taken
            own = names.new_name("_".join([f"_{name.strip('_')}", *words, *extra]))
            names.keys[key] = own
            env: dict[str, object] = dict(old.env) if old else {}
            moved = {p: self.moved(v, params[p]) for p, v in ready.items()}
            env |= {p: self.sent(v) for p, v in moved.items()} if abroad else moved
            atoms_of = {p: [n for n, _ in values[p]] for p in ready} | {p: [] for p in (*absent, *modules)}
            each: list[str] = []
            if apart:  # each of them is a parameter
                wishes = [e.id if isinstance(e, ast.Name) else "" for e in rest]
                each = [new_name(taken, w if w and w not in taken else f"{apart}_{i}") for i, w in enumerate(wishes)]
                atoms_of[apart] = each
            fresh = self.without_functions(helper, own, atoms_of, list(options.values()), classes | captured)
            given = {p: "" for p, v in ready.items() if isinstance(v, Known | Choice)} | dict.fromkeys(paths, "")
            meant = given | dict.fromkeys(there, "") | dict.fromkeys(absent, optional.NONE)
            notes = old.notes if old else names.notes_of(name)
            fresh.body = optional.decided(helper, meant, notes, modules)
            if apart:
                fresh.body = _Apart(apart, each).block(copied_body(fresh.body, notes))
            if a.kwarg is not None:
                left = taken_out(fresh.body, a.kwarg.arg, extra)
                if left is None:
                    what = f"which keywords `{name}` has in `{a.kwarg.arg}` when it reads them is not known"
                    help_ = f"take each out once, on every path: `width = {a.kwarg.arg}.pop('width', 1.0)`"
                    self.refuse("callee", node, what, help=(help_,))
                    del names.keys[key]  # the next such call is refused, too
                    return None
                fresh.body = left
            shown = ", ".join(
                [
                    *(f"{p} = {self.shown(v)}" for p, v in ready.items()),
                    *(f"{p} = None" for p in absent),
                    *(f"{p} = {ast.unparse(e)}" for p, e in modules.items()),
                    *(f"{p} {kind_words(c)}" for p, c in classes.items()),
                ]
            )
            if extra:
                shown += f"{', ' if shown else ''}the keywords {', '.join(extra)}"
            if a.vararg is not None and a.vararg.arg not in ready:
                shown += f"{', ' if shown else ''}{len(rest)} argument{'s' * (len(rest) != 1)} in {a.vararg.arg}"
            text = f"{name.strip('_') if old else name} {f'with {shown}' if shown else 'without keywords'}."
            keywords = {a.kwarg.arg: options} if a.kwarg is not None else {}
            lengths = {a.vararg.arg: len(rest)} if counted and not apart and a.vararg is not None else {}
            names.add(own, Made(fresh, env, notes, text, keywords, lengths, given_to_stars, each))
        own = names.keys[key]
        every = [*node.args, *(k.value for k in node.keywords)]
        if (extra or rest) and any(self.calls_helper(e) for e in every):  # they are evaluated in the order of the text
            here = {id(e) for e in (*bound.values(), *rest, *extra.values())}
            done = {id(e): as_node(self.atom(e), node) for e in every if id(e) in here and not self.functional(e)}
            bound = {p: done.get(id(e), e) for p, e in bound.items()}
            rest = [done.get(id(e), e) for e in rest]
            extra = {k: done.get(id(e), e) for k, e in extra.items()}
        args: list[ast.expr] = []
        named: list[ast.keyword] = []
        gap = False
        defaulted = [q.arg for q in (*a.posonlyargs, *a.args)][len(a.posonlyargs) + len(a.args) - len(a.defaults) :]
        for parameter in (*a.posonlyargs, *a.args, *a.kwonlyargs):  # those with defaults stand last: see below
            p = parameter.arg
            if p in ready:
                atoms = [(n, captured_node(e, node)) for n, e in values[p]]
            elif p in bound:
                atoms = [(p, bound[p])]
            else:
                gap = True
                continue
            for n, e in atoms:
                if gap or parameter in a.kwonlyargs or (p in defaulted and p not in ready):
                    named.append(made(ast.keyword(n, e), node))
                else:
                    args.append(e)
        if a.vararg is not None:
            p = a.vararg.arg
            if p in ready:
                named += [made(ast.keyword(n, captured_node(e, node)), node) for n, e in values[p]]
            elif apart:
                named += [made(ast.keyword(n, e), node) for n, e in zip(names.made[own].rest, rest, strict=True)]
            else:
                xs = as_node(self.tupled(made(ast.Tuple(rest, ast.Load()), node)), node)
                named.append(made(ast.keyword(p, xs), node))
        named += [made(ast.keyword(options[k], e), node) for k, e in extra.items()]
        order = [p.arg for p in names.made[own].node.args.args]
        named.sort(key=lambda k: order.index(k.arg) if k.arg in order else len(order))
        while named and len(args) < len(order) and named[0].arg == order[len(args)]:
            args.append(named.pop(0).value)
        return own, args, named

    def calls_helper(self, e: ast.expr) -> bool:
        """Whether an expression calls a function of the user's, which may write into what it is given."""
        found = (self.resolve(n.func) for n in walk(e) if isinstance(n, ast.Call))
        return any(f is None or f[0].startswith("local.") for f in found)

    def tupled(self, e: ast.Tuple) -> Expr:
        t = self.temporary()
        self.set(t, self.value(e))
        return Var(t)

    def captured_names(self, v: Value) -> dict[str, str]:
        """What a function calls that which it captures, by the names that stand for it here."""
        v = self.known(v) if isinstance(v, Closure) else v
        if not isinstance(v, Known):
            return {}
        return {e.name: n for n, e in zip(v.captured, v.before, strict=False) if isinstance(e, Var)}

    def value_atoms(self, v: Value) -> list[Expr]:
        match v:
            case Known() | Choice():
                return list(v.atoms)
            case Closure():
                return list(self.known(v).atoms)
            case Table():
                return [a for _, e in v.entries if (x := self.value_of(e)) is not None for a in self.value_atoms(x)]

    def identity(self, v: Value) -> object:
        match v:
            case Known() | Choice():
                return v.identity()
            case Closure():
                return self.known(v).identity()
            case Table():
                return tuple((k, self.identity(cast(Value, self.value_of(e)))) for k, e in v.entries)

    def word(self, v: Value) -> str:
        match v:
            case Known():
                return v.word
            case Choice():
                return "chosen"
            case Table():
                return "table"
            case Closure():
                return v.name.strip("_")

    def shown(self, v: Value) -> str:
        match v:
            case Known(node=node) if node is not None and (method := method_of(node)) is not None:
                return ast.unparse(method)
            case Known(node=ast.Lambda() as node) if len(ast.unparse(node)) < SHORT:
                return ast.unparse(node)
            case Known():
                return ast.unparse(v.callee)
            case Choice():
                return " or ".join(dict.fromkeys(self.shown(k) for _, k in v.cases))
        return "functions"

    def without_functions(
        self,
        helper: ast.FunctionDef,
        name: str,
        new: dict[str, list[str]],
        options: list[str],
        classes: Mapping[str, ClassInfo | Items],
    ) -> ast.FunctionDef:
        """A helper whose parameters that are functions are known: what these capture stands in their place.

        Those of which the class is known are annotated.

        `*rest` is a tuple, and each keyword that `**options` takes a parameter; those with defaults come last.
        """
        a = helper.args

        def swapped(p: ast.arg) -> list[ast.arg]:
            names = new.get(p.arg, [p.arg] if p.arg in classes else None)
            if names is None:
                return [p]
            return [ast.copy_location(ast.arg(n, noted(n, classes, helper.body[0])), p) for n in names]

        normal = [*a.posonlyargs, *a.args]
        cut = len(normal) - len(a.defaults)
        first = [q for i, p in enumerate(normal) if i < cut or p.arg in new for q in swapped(p)]
        late = [(q, d) for p, d in zip(normal[cut:], a.defaults, strict=True) if p.arg not in new for q in swapped(p)]
        if a.vararg is not None:  # those before it have been given, if it takes anything
            first += swapped(ast.copy_location(ast.arg(a.vararg.arg), a.vararg))
        first += [ast.copy_location(ast.arg(n), a.kwarg or helper) for n in options]
        keyword: list[tuple[ast.arg, ast.expr | None]] = []
        for p, d in zip(a.kwonlyargs, a.kw_defaults, strict=True):
            keyword += [(q, None if p.arg in new else d) for q in swapped(p)]
        args = ast.arguments(
            [],
            [*first, *(p for p, _ in late)],
            None,
            [p for p, _ in keyword],
            [d for _, d in keyword],
            None,
            [d for _, d in late],
        )
        out = ast.FunctionDef(name, args, helper.body, helper.decorator_list, helper.returns)
        return ast.copy_location(out, helper)


def is_spread(helper: ast.FunctionDef, rest: str, count: int) -> bool:
    """Whether a function only hands its `*rest` on, and reads it by numbers: each of them may be a parameter."""
    nodes = [n for s in helper.body for n in walk(s)]
    uses = [n for n in body_nodes(helper) if isinstance(n, ast.Name) and n.id == rest]
    known: set[int] = set()
    for n in body_nodes(helper):
        match n:
            case ast.Call(args=args):
                known |= {id(x.value) for x in args if isinstance(x, ast.Starred)}
            case ast.Subscript(value=ast.Name() as x, slice=ast.Constant(value=int(k)), ctx=ast.Load()) if k < count:
                known.add(id(x))
    return all(id(n) in known for n in uses) and len(uses) == sum(
        (isinstance(n, ast.Name) and n.id == rest) or (isinstance(n, ast.arg) and n.arg == rest) for n in nodes
    )


class _Apart(ast.NodeTransformer):
    """`g(*rest)` as `g(a, b)`, and `rest[0]` as `a`."""

    def __init__(self, rest: str, names: list[str]) -> None:
        self.rest, self.names = rest, names

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        return [self.visit(s) for s in body]

    def visit(self, node: ast.AST) -> Any:
        before = isinstance(node, ast.expr) and mentions(node, self.rest)
        match node:
            case ast.Call(args=args):
                node.args = [
                    new
                    for x in args
                    for new in (
                        [made(ast.Name(n, ast.Load()), x) for n in self.names]
                        if isinstance(x, ast.Starred) and isinstance(x.value, ast.Name) and x.value.id == self.rest
                        else [x]
                    )
                ]
            case ast.Subscript(value=ast.Name(id=of), slice=ast.Constant(value=int(k))) if of == self.rest:
                return made(ast.Name(self.names[k], ast.Load()), node)
        self.generic_visit(node)
        return made(node, node) if before and isinstance(node, ast.expr) else node


def left_out(helper: ast.FunctionDef, names: ModuleNames) -> dict[str, ast.Constant]:
    """See `optional.left_out`."""
    known: dict[str, ast.Constant] | None = getattr(helper, "left_out", None)
    if known is None:
        known = helper.left_out = optional.left_out(helper, names)  # type: ignore[attr-defined]
    return known


def items_given(helper: ast.FunctionDef, bound: Mapping[str, ast.expr]) -> dict[str, tuple[int | str, ...]]:
    """The places in the tuples, and the keys of the dicts, that a call gives to parameters of which a helper calls
    something with all: `func(x, *args, **kwargs)`."""
    nodes = body_nodes(helper)
    calls = [n for n in nodes if isinstance(n, ast.Call)]
    starred = [a.value for n in calls for a in n.args if isinstance(a, ast.Starred)]
    doubly = [k.value for n in calls for k in n.keywords if k.arg is None]
    elsewhere = {n.id for n in nodes if isinstance(n, ast.Name) and not any(n is e for e in doubly)}
    defaults = dict(default_nodes(helper))
    found: dict[str, tuple[int | str, ...]] = {}
    for p in {e.id for e in (*starred, *doubly) if isinstance(e, ast.Name)} - bound_names(nodes):
        match bound.get(p, defaults.get(p)):
            case ast.Tuple(elts=elts) if not any(isinstance(e, ast.Starred) for e in elts):
                found[p] = (*range(len(elts)),)
            case ast.Dict(keys=keys) if p not in elsewhere:  # nothing adds to it
                names = [k.value for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, str)]
                if len(names) == len(keys):
                    found[p] = (*dict.fromkeys(names),)
    return dict(sorted(found.items()))


def says_class(annotation: ast.expr | None) -> bool:
    """Whether an annotation may say of which class an object is, or those are in a list or a dict."""
    return annotation is not None and ast.unparse(annotation).strip("'\"") not in LISTED | MAPPED


def kind_name(kind: ClassInfo | Items) -> str:
    return kind.of.name if isinstance(kind, Items) else kind.name


def kind_words(kind: ClassInfo | Items) -> str:
    if isinstance(kind, Items):
        return f"a {'dict' if kind.in_dict else 'list'} of {kind.of.name} objects"
    return f"a {kind.name}"
