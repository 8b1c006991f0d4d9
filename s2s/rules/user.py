"""Rules of the user's own, read from a file of the same form as the table: `--rules FILE`.

    from s2s.rules.user import multilinear, partials

    partials("mypkg.softplus(x)", lambda x: 1.0 / (1.0 + np.exp(-x)))
    multilinear("conv(x, w)", lambda g, w: np.convolve(g, w), lambda g, x: np.correlate(g, x, "valid"))

A key without a module is a function of the file that is differentiated, or of any file under the name that it is
imported by; `mypkg.softplus` is never imported. The file is Python and is executed, because the user names it on the
command line or hands over its text; nothing else ever names one.
"""

from __future__ import annotations

import ast
import difflib
import sys
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from s2s.errors import Diagnostic, S2SError, Span
from s2s.ir import Op
from s2s.rules import kinds
from s2s.rules.kinds import (
    READING,
    USED,
    General,
    Rule,
    constant,
    elementwise,
    general,
    jacobian,
    linear,
    lookup,
    multilinear,
    names_of,
    partials,
    reduction,
)
from s2s.rules.tracing import BranchError, RuleError, Sym, facts_of, h, is_traced, literal, m, ndim, pick, to_expr

ALWAYS = ("g", "out", "item", "wanted")  # what an action may read besides the arguments of its key

FORMS = "write it as one of the forms that `s2s explain your-own-rules` shows"
MEND = "mend the line: the file of rules is executed, and needs only NumPy and `s2s.rules.user`"


class BrokenRule(RuleError):
    """The code of a rule of the user's fails."""

    code = "S307"
    help = ("a rule is ordinary NumPy, without branches on values: `s2s explain add-a-rule`",)


class RuleFile:
    """The entries of one file, and what is wrong in it."""

    def __init__(self, text: str, name: str) -> None:
        self.text, self.name = text, name
        self.rules: dict[str, Rule] = {}
        self.problems: list[Diagnostic] = []

    # ------------------------------------------------------------ entries

    def make(self, kind: type[Rule], key: str, actions: tuple[Any, ...], more: dict[str, Any]) -> Rule:
        line = self.line()
        try:
            checked_key(key)
            guard = self.guard(key, line)
            for a in [*actions, *functions_in(more)]:
                if a is not None and not hasattr(a, "reads") and not isinstance(a, types.FunctionType):
                    raise ValueError(f"{a!r} is not a function of the names of the key, nor None")
            rule = kind(key, *map(guard, actions), **{k: guarded(v, guard) for k, v in more.items()})
            self.verify(rule, actions, more)
            self.rules[rule.fn] = rule
            return rule
        except (ValueError, TypeError, AttributeError, SyntaxError, KeyError) as e:
            self.problem("S441", f"the rule {key!r}: {reason(e)}", line)
        return Rule("len(x)")  # stands for it until the problems are reported

    def verify(self, rule: Rule, actions: tuple[Any, ...], more: dict[str, Any]) -> None:
        """Raises ValueError with what is wrong with an entry."""
        if rule.fn in self.rules:
            raise ValueError("the file has another rule for this function")
        if lookup(rule.fn) is not None:
            raise ValueError("s2s has a rule for this function")
        for listed in (actions, more.get("vjp") or (), more.get("jvp") or ()):
            if isinstance(listed, list | tuple) and len(listed) > len(rule.params):
                raise ValueError(f"{len(listed)} functions for {len(rule.params)} arguments")
        whole = more.get("jvp") if callable(more.get("jvp")) else None
        for part in [*actions, *functions_in(more)]:
            extra = tuple(f"{p}_dot" for p in rule.params) if part is whole else ()
            known = (*rule.params, *ALWAYS, *extra)
            for name in names_of(part) if part is not None else ():
                if name not in known:
                    near = difflib.get_close_matches(name, known, 1)
                    hint = f"; did you mean `{near[0]}`?" if near else f": it takes {', '.join(known)}"
                    raise ValueError(f"a function of it reads `{name}`, which the key does not have{hint}")
        if rule.kind != "constant" and not any(rule.actions.values()):
            raise ValueError("no argument has a derivative: use constant(...) if that is meant")
        if isinstance(rule, General) and rule.whole is None and not rule.forward and more.get("vjp") is None:
            raise ValueError("give it `jvp=`, `vjp=` or both")

    def guard(self, key: str, line: int) -> Callable[[Any], Any]:
        """Makes of an action one whose exceptions name the rule."""

        def guard(part: Any) -> Any:
            return None if part is None else Guarded(part, f"the rule of `{key}` ({self.name}:{line}) fails")

        return guard

    # ------------------------------------------------------------ reading

    def line(self) -> int:
        """The line of the file that is being executed."""
        frame = sys._getframe()
        while frame is not None and frame.f_code.co_filename != self.name:
            frame = frame.f_back  # type: ignore[assignment]
        return frame.f_lineno if frame is not None else 1

    def problem(self, code: str, message: str, line: int, *help_: str) -> None:
        lines = self.text.splitlines()
        text = lines[line - 1] if 0 < line <= len(lines) else ""
        span = Span(line, len(text) - len(text.lstrip()), line, len(text))
        self.problems.append(Diagnostic(code, message, span, "", help_ or (FORMS,), file=(self.name, self.text)))

    def read(self) -> None:
        try:
            code = compile(self.text, self.name, "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as e:
            self.problem("S440", f"the rules can't be read: {e.args[0]}", getattr(e, "lineno", None) or 1, MEND)
            return
        try:
            exec(code, {"__name__": "s2s_rules", "__file__": self.name})
        except (Exception, SystemExit) as e:
            line, trace = 1, e.__traceback__
            while trace is not None:
                line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == self.name else line
                trace = trace.tb_next
            self.problem("S440", f"the rules can't be read: {type(e).__name__}: {e}", line, MEND)
            return
        if not self.rules and not self.problems:
            self.problem("S440", f"{self.name} has no rule", 1, "an entry is a call: `s2s explain your-own-rules`")


class Guarded:
    """An action whose exceptions become refusals that name the rule."""

    def __init__(self, part: Callable[..., Any], where: str) -> None:
        self.part, self.where, self.reads = part, where, names_of(part)

    def __call__(self, *args: Any, **scope: Any) -> Any:
        try:
            value = self.part(*args, **scope)
            if is_traced(*scope.values()):
                to_expr(value)
            return value
        except RuleError:
            raise
        except Exception as e:
            raise BrokenRule(f"{self.where}: {reason(e)}") from e


def checked_key(key: str) -> None:
    """Raises ValueError where a key is not a call as a user writes it."""
    example = 'write the call with its parameters, "mypkg.f(x, axis=None)"'
    try:
        call = ast.parse(key.replace("*, ", ""), mode="eval").body  # a bare star: what follows is by keyword only
    except (SyntaxError, ValueError, TypeError):
        raise ValueError(f"its key is no expression: {example}") from None
    match call:
        case ast.Call(func=func, args=args, keywords=keywords) if all(
            isinstance(a, ast.Name) or (isinstance(a, ast.Starred) and isinstance(a.value, ast.Name)) for a in args
        ):
            while isinstance(func, ast.Attribute):
                func = func.value
            if isinstance(func, ast.Name) and all(k.arg for k in keywords):
                for k in keywords:
                    try:
                        ast.literal_eval(k.value)
                    except ValueError:
                        raise ValueError(f"the default of `{k.arg}` is not a literal") from None
                return
    raise ValueError(f"its key is not a call of a named function: {example}")


def functions_in(more: dict[str, Any]) -> list[Any]:
    """The functions among the options of an entry: those of `jvp=` and `vjp=`."""
    found: list[Any] = []
    for name in ("jvp", "vjp"):
        value = more.get(name)
        found += value if isinstance(value, list | tuple) else [value] if value is not None else []
    return found


def guarded(value: Any, guard: Callable[[Any], Any]) -> Any:
    if isinstance(value, list | tuple):
        return [guard(v) if callable(v) or v is None else v for v in value]
    return guard(value) if callable(value) else value


def reason(e: BaseException) -> str:
    text = (str(e).splitlines() or [""])[0]
    return text if type(e) in (ValueError, BranchError) else f"{type(e).__name__}: {text}"


@lru_cache(maxsize=16)
def load(text: str, name: str) -> RuleFile:
    """The entries of a rules file, which is executed. Raises S2SError (S440, S441) with all that is wrong in it."""
    found = RuleFile(text, name)
    token = READING.set(found)
    try:
        found.read()
    finally:
        READING.reset(token)
    if found.problems:
        raise S2SError(found.problems, name, text)
    return found


@contextmanager
def using(text: str, name: str) -> Iterator[None]:
    """The rules of a file beside the table, for as long as this lasts; "" for none."""
    token = USED.set(load(text, name) if text else None)
    try:
        yield
    finally:
        USED.reset(token)


# ---------------------------------------------------------------- what the file may use


class function:
    """A function for rules to call: on a symbol it becomes a call in the output, which imports what it needs.

    path: "mypkg.softplus_slope", or "conv_bar" for a function of the file that is differentiated.
    """

    def __init__(self, path: str) -> None:
        self.path = path

    def __call__(self, *args: Any, **options: Any) -> Any:
        if not is_traced(*args, *options.values()):
            raise TypeError(f"`{self.path}` is called without an argument of the rule")
        pairs = tuple((k, to_expr(v)) for k, v in options.items())
        fn, spelling = (self.path, "@" + self.path) if "." in self.path else (kinds.OWN + self.path, self.path)
        return Sym(Op(fn, tuple(to_expr(a) for a in args), pairs, spelling=spelling), facts_of(*args))


def own_rules() -> Iterator[Rule]:
    """The rules of the file in use."""
    used = USED.get()
    if used is not None:
        yield from used.rules.values()


# what a file of rules may import
__all__ = [
    "RuleError",
    "constant",
    "elementwise",
    "function",
    "general",
    "h",
    "jacobian",
    "linear",
    "literal",
    "m",
    "multilinear",
    "ndim",
    "partials",
    "pick",
    "reduction",
]
