"""Calls that give something else each time, or change what later calls give (draws of random numbers, clocks, input),
and output.

The derivative runs each of them once, in the forward sweep, in the order of the primal: a test, a header or a key that
holds one gets a name, one whose value nobody reads runs all the same, a helper that draws is not run again, and of one
that prints the reverse runs a copy that does not.
"""

from __future__ import annotations

import ast
import contextlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextvars import ContextVar

from s2s import ir
from s2s.frozen import replace
from s2s.ir import Expr, Op, Var

WORDS = """
    beta betavariate binomial chisquare choice choices dirichlet exponential expovariate gamma gammavariate
    gauss geometric getrandbits gumbel hypergeometric integers laplace logistic lognormal lognormvariate logseries
    multinomial multivariate_hypergeometric multivariate_normal negative_binomial noncentral_chisquare noncentral_f
    normal normalvariate paretovariate pareto permutation permuted poisson rand randint randn random
    random_integers random_raw random_sample randrange ranf rayleigh sample shuffle spawn standard_cauchy
    standard_exponential standard_gamma standard_normal standard_t token_bytes token_hex triangular uniform vonmises
    vonmisesvariate wald weibull weibullvariate zipf
"""
DRAWS = frozenset(WORDS.split())
CHOICES = frozenset(["choice", "choices", "permutation", "permuted", "sample"])  # of what is given
NEXT = frozenset(["input", "next", "open"])
READS = frozenset(["read", "readline", "readlines"])
LOGGING = frozenset(["debug", "info", "warning", "error", "exception", "critical", "log", "warn"])
OUTPUT = LOGGING | {"print", "write"}
MODULES = ("numpy.random.", "random.", "secrets.", "time.", "uuid.")
# Whose functions are known by their full names; elsewhere the last one tells: `module.rng.normal`, `layers.rng.normal`.
KNOWN = ("numpy.", "scipy.", "math.", "cmath.", "builtins.", "operator.", "local.", "helper.")
# What makes a generator, whose draws nobody else sees.
MAKERS = frozenset(
    ["numpy.random.default_rng", "numpy.random.Generator", "numpy.random.RandomState", "random.Random"]
    + [f"numpy.random.{name}" for name in ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64", "SeedSequence")]
)
# Methods that give the same each time. `pop` is written by derivation only.
SAME = {name for kind in (str, bytes, dict, list, tuple, set, float, int, complex, range) for name in dir(kind)}
SAME |= {"_asdict", "_replace", "item", "tobytes", "tolist", "view"}


# Functions of other modules that are not followed, by their paths: they may change what their modules hold.
UNFOLLOWED: ContextVar[set[str]] = ContextVar("UNFOLLOWED")


@contextlib.contextmanager
def unfollowed() -> Iterator[None]:
    """None is known at first, and what is found out holds for as long as this lasts."""
    token = UNFOLLOWED.set(set())
    try:
        yield
    finally:
        UNFOLLOWED.reset(token)


def leave(path: str) -> None:
    """Says that a function is not followed."""
    if (found := UNFOLLOWED.get(None)) is not None:
        found.add(path)


def is_unfollowed(fn: str) -> bool:
    return fn in UNFOLLOWED.get(())


def repeats(fn: str) -> bool:
    """Whether a second call of this function gives the same as the first, and changes nothing."""
    if is_unfollowed(fn):
        return False
    if fn.startswith(MODULES):
        return fn in MAKERS
    if fn.startswith("method."):
        return fn[7:] in SAME
    if fn.endswith(".rvs") or is_draw_elsewhere(fn):
        return False
    if fn.startswith("module.") and (fn.count(".") == 1 or fn.rpartition(".")[2] in READS):
        return False  # a function whose text is not known, `noise = np.random.rand`, or one that moves on in a file
    return not (fn.startswith("builtins.") and fn[9:] in NEXT)


def is_draw_elsewhere(fn: str) -> bool:
    """Whether a function of the user's modules, or a method of what they hold, draws by its name."""
    return fn.rpartition(".")[2] in DRAWS and not fn.startswith(KNOWN)


def is_draw(fn: str) -> bool:
    """Whether a function gives a random number, and changes nothing but what the next draws give."""
    *path, name = fn.split(".")
    if is_draw_elsewhere(fn):
        return name != "shuffle"
    return name in DRAWS - {"shuffle"} and (path == ["method"] or f"{'.'.join(path)}.".startswith(MODULES))


def generators(f: ir.Function, handed: Callable[[Op], list[Expr]]) -> frozenset[str]:
    """The parameters of a function of which numbers are drawn, and with which nothing else is done.

    handed: the arguments of a helper's call that are such parameters there.
    """
    read: Counter[Expr] = Counter()
    drawn_of: Counter[Expr] = Counter()
    for s in ir.statements(f.body):
        for n in ir.nodes(s):
            match n:
                case Var():
                    read[n] += 1
                case Op(fn=fn, args=(Var() as of, *_)) if fn.startswith("method.") and fn[7:] in DRAWS:
                    drawn_of[of] += 1
                case Op(fn=fn) if fn.startswith("local."):
                    drawn_of.update(handed(n))
    bound = {n for s in ir.statements(f.body) for n in ir.binds(s)}
    return frozenset(n for n in f.names if n not in bound and 0 < read[Var(n)] == drawn_of[Var(n)])


def is_method(fn: str) -> bool:
    """Whether a function is a method of which only the name is known, and that is none of a draw."""
    return fn.startswith("method.") and fn[7:] not in DRAWS


def makes_numbers(fn: str) -> bool:
    """Whether what a draw gives are new numbers, none of what it was given."""
    return is_draw(fn) and fn.rpartition(".")[2] not in CHOICES


def drawn(e: Expr, helpers: frozenset[str] = frozenset()) -> list[Op]:
    """The calls in an expression that are not to be run twice, nor left out; `helpers`: functions that hold such."""
    return [n for n in ir.walk(e) if isinstance(n, Op) and (not repeats(n.fn) or n.fn in helpers)]


def is_output(s: ir.Stmt) -> bool:
    """A call as a statement that leaves all values as they are: it prints, logs or warns."""
    match s:
        case ir.Inert(keyword="", values=(Op(fn=fn),)):
            return not fn.startswith("local.")
        case ir.Inert(keyword="", values=(ir.Raw(),)):
            return True
    return False


def speaks(f: ir.Function, helpers: frozenset[str]) -> bool:
    """Whether a function prints, logs or warns; `helpers`: functions that do."""
    return any(
        is_output(s) or any(call.fn in helpers for call in ir.helper_calls(*ir.expressions(s)))
        for s in ir.statements(f.body)
    )


def hushed(f: ir.Function, copy_of: Callable[[str], str]) -> ir.Function:
    """A function without its output, that calls such copies of helpers. What it calls for their output only is left
    out: `copy_of` gives "" for it."""

    def renamed(e: Expr) -> Expr:
        e = ir.rebuild(e, renamed)
        if not (isinstance(e, Op) and is_call(e)):
            return e
        fn = f"local.{copy_of(e.fn[6:]) or e.fn[6:]}"
        return replace(e, fn=fn, form=ir.Form.CALL, spelling="")

    def is_call(e: Expr) -> bool:
        return isinstance(e, Op) and e.fn.startswith("local.") and copy_of(e.fn[6:]) != e.fn[6:]

    def block(body: ir.Block) -> ir.Block:
        out: list[ir.Stmt] = []
        for s in body:
            match s:
                case _ if is_output(s):
                    continue
                case ir.Inert(keyword="", values=(Op(fn=fn) as call,)) if is_call(call) and not copy_of(fn[6:]):
                    continue
            out.append(ir.with_expressions(ir.with_blocks(s, block), renamed))
        return tuple(out)

    return replace(f, body=block(f.body))


def may_draw(node: ast.AST, definition: Callable[[str], ast.AST | None], seen: frozenset[str] = frozenset()) -> bool:
    """Whether code may hold such a call, to judge by the names; `definition`: of the functions that it calls."""
    for n in ast.walk(node):
        match n:
            case ast.Call(func=ast.Attribute(attr=name)) if name in DRAWS:
                return True
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name))) if name in OUTPUT:
                return True
            case ast.Call(func=ast.Name(id=name)) if name not in seen:
                inner = definition(name)
                if inner is None and name in DRAWS | NEXT:
                    return True
                if inner is not None and may_draw(inner, definition, seen | {name}):
                    return True
    return False


def draws(f: ir.Function, helpers: frozenset[str] = frozenset()) -> bool:
    """Whether a function holds such a call, but for draws from a generator that it has made itself from a seed."""
    return any(
        not (n.fn.startswith("method.") and n.args and isinstance(n.args[0], Var) and n.args[0].name in own(f.body))
        for s in ir.statements(f.body)
        for e in ir.expressions(s)
        for n in drawn(e, helpers)
    )


def redrawn(f: ir.Function, in_helpers: Callable[[str], bool]) -> tuple[ir.Stmt, Op] | None:
    """The first call, and its statement, that gives something else when a function is run again. Draws of a module are
    the same behind a seed."""
    seeded: set[str] = set()
    made = own(f.body)
    for outer in f.body:
        for s in ir.statements((outer,)):
            for n in (n for e in ir.expressions(s) for n in ir.walk(e) if isinstance(n, Op)):
                module, _, name = n.fn.rpartition(".")
                of = n.args[0] if n.args else None
                if name == "seed" and of is not None and f"{module}." in MODULES:
                    seeded |= {module} if s is outer else set()
                    continue
                settled = module in seeded or (isinstance(of, Var) and of.name in made)
                if in_helpers(n.fn[6:]) if n.fn.startswith("local.") else not (repeats(n.fn) or settled):
                    return s, n
    return None


def own(block: ir.Block) -> frozenset[str]:
    """Generators that are made in a block from a seed, and only drawn from: nobody sees what has been drawn."""
    statements = list(ir.statements(block))
    made = Counter(
        s.target
        for s in statements
        if isinstance(s, ir.Assign) and isinstance(s.value, Op) and s.value.fn in MAKERS and s.value.args
    )
    if not made:
        return frozenset()
    mentions: dict[str, int] = {}
    received: dict[str, int] = {}
    for s in statements:
        for name in ir.binds(s):
            mentions[name] = mentions.get(name, 0) + 1
        for e in ir.expressions(s):
            for n in ir.walk(e):
                match n:
                    case Var(name=name):
                        mentions[name] = mentions.get(name, 0) + 1
                    case ir.Raw(names=names):
                        for name in names:
                            mentions[name] = mentions.get(name, 0) + 1
                    case Op(fn=fn, args=(Var(name=name), *_)) if fn.startswith("method."):
                        received[name] = received.get(name, 0) + 1
    return frozenset(n for n, k in made.items() if k == 1 and mentions[n] == 1 + received.get(n, 0))


__all__ = ["MAKERS", "drawn", "draws", "hushed", "is_draw", "may_draw", "own", "redrawn", "repeats", "speaks"]
