"""Symbolic shapes: what is proved of the rank and the lengths of a value, without ever guessing.

A `Shape` is known lengths, then, for a value of unknown rank, a tail: the axes of some named value from axis k on. So
`x[1:]` and `x[:-1]` of an unknown x have equal shapes (one length n-1, then the rest of x's axes), and two values with
equal `Shape` need no unbroadcasting, whatever their rank. A broadcast of unequal unknown shapes is kept as the set of
its parts: if it turns out to be a scalar, so are they all.

A length is an integer or `Length(symbol, minus, times)`: times * symbol - minus, and 0 where that is negative.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeGuard

from s2s.frozen import by_value


@by_value
class Length:
    symbol: str
    minus: int = 0
    times: int = 1

    def less(self, n: int) -> Length:
        return Length(self.symbol, self.minus + n, self.times)

    def of(self, symbol: str) -> Length:
        """The same of another symbol."""
        return Length(symbol, self.minus, self.times)

    def __str__(self) -> str:
        product = self.symbol if self.times == 1 else f"{self.times}*{self.symbol}"
        return product + (f" - {self.minus}" if self.minus > 0 else f" + {-self.minus}" if self.minus else "")


Dim = int | Length


@by_value
class Shape:
    """dims, then the axes of `tail` = (symbol, k) from its k-th on; `over`: the broadcast of these shapes."""

    dims: tuple[Dim, ...] = ()
    tail: tuple[str, int] | None = None
    over: frozenset[Shape] = frozenset()

    @property
    def rank(self) -> int | None:
        return len(self.dims) if self.tail is None and not self.over else None

    @property
    def parts(self) -> tuple[Shape, ...]:
        """The shapes that are broadcast, in one order in each run; the shape itself where it is none of several."""
        return tuple(sorted(self.over, key=repr)) if self.over else (self,)

    def symbols(self) -> set[str]:
        found = {d.symbol for d in self.dims if isinstance(d, Length)}.union(*(p.symbols() for p in self.over))
        return found | {self.tail[0]} if self.tail else found

    def renamed(self, of: Callable[[str], str]) -> Shape:
        """The same with each symbol replaced."""
        tail = (of(self.tail[0]), self.tail[1]) if self.tail else None
        return Shape(tuple(renamed(d, of) for d in self.dims), tail, frozenset(x.renamed(of) for x in self.over))


def renamed(d: Dim, of: Callable[[str], str]) -> Dim:
    return d.of(of(d.symbol)) if isinstance(d, Length) else d


SCALAR = Shape()


def unknown(symbol: str) -> Shape:
    return Shape((), (symbol, 0))


@dataclass
class Shapes:
    """What has been found out: tails that turned out to be finite, lengths that turned out to be equal."""

    tails: dict[str, tuple[Dim, ...]] = field(default_factory=dict)
    equal: dict[str, Dim] = field(default_factory=dict)
    within: dict[Shape, Shape] = field(default_factory=dict)  # shapes that are known to broadcast into another
    axes: dict[str, int] = field(default_factory=dict)  # tails that have at least so many axes
    kept: dict[Shape, tuple[Shape, int | str]] = field(default_factory=dict)  # (shape, axis) whose axis has become 1
    fits: dict[Shape, Shape] = field(default_factory=dict)  # as `within`, while one statement is derived
    version: int = 0  # counts findings, so that a fixpoint knows when nothing is new

    def copy(self) -> Shapes:
        """The same findings, for a function that is called: what is found out there is not known here."""
        return Shapes(dict(self.tails), dict(self.equal), dict(self.within), dict(self.axes), dict(self.kept))

    def renamed(self, of: Callable[[str], str]) -> Shapes:
        """A copy with each symbol replaced."""

        def axis(a: int | str) -> int | str:
            return of(a) if isinstance(a, str) else a

        return Shapes(
            {of(s): tuple(renamed(d, of) for d in dims) for s, dims in self.tails.items()},
            {of(s): renamed(d, of) for s, d in self.equal.items()},
            {s.renamed(of): into.renamed(of) for s, into in self.within.items()},
            {of(s): count for s, count in self.axes.items()},
            {s.renamed(of): (whole.renamed(of), axis(a)) for s, (whole, a) in self.kept.items()},
        )

    def symbols(self) -> set[str]:
        """All symbols of which something has been found out."""
        lengths = [d for dims in self.tails.values() for d in dims] + list(self.equal.values())
        shapes = [s for pair in self.within.items() for s in pair] + [s for s, _ in self.kept.values()]
        found = {*self.tails, *self.equal, *self.axes, *(d.symbol for d in lengths if isinstance(d, Length))}
        return found.union(*(s.symbols() for s in shapes))

    # ------------------------------------------------------------ normal form
    def dim(self, d: Dim) -> Dim:
        while isinstance(d, Length) and d.symbol in self.equal:
            to = self.equal[d.symbol]
            if isinstance(to, int):
                return max(0, d.times * to - d.minus)
            if to.minus > 0 > d.minus:  # where `to` is cut off at 0, the sum is not
                return d
            d = Length(to.symbol, d.times * to.minus + d.minus, d.times * to.times)
        return d

    def __call__(self, s: Shape) -> Shape:
        """The normal form of a shape under all findings."""
        if s.over:
            parts = frozenset(self(p) for p in s.over)
            return self.broadcast(list(parts)) if parts != s.over else s
        dims = tuple(self.dim(d) for d in s.dims) if s.dims and self.equal else s.dims
        if s.tail is not None and s.tail[0] in self.tails:
            rest = self.tails[s.tail[0]][s.tail[1] :]
            return Shape(dims + tuple(self.dim(d) for d in rest))
        return Shape(dims, s.tail) if dims != s.dims else s

    # ------------------------------------------------------------ findings
    def demand_rank(self, s: Shape, rank: int, seen: frozenset[Shape] = frozenset()) -> bool:
        """Record that a value of shape `s` has this rank; false where that contradicts what is known."""
        s = self(s)
        if s.over:
            if rank == 0:
                found = [self.demand_rank(p, 0, seen | {s}) for p in s.parts if p not in seen]
                return all(found)
            return True
        if s.tail is None:
            return len(s.dims) == rank
        symbol, k = s.tail
        n = rank - len(s.dims)
        if n < 0 or k + n < self.axes.get(symbol, 0):
            return False
        self.tails[symbol] = tuple(Length(f"{symbol}.{i}") for i in range(k + n))
        self.version += 1
        return True

    def demand_axes(self, s: Shape, count: int) -> None:
        """Record that a value of shape `s` has at least `count` axes."""
        s = self(s)
        if s.tail is not None:
            symbol, k = s.tail
            self.axes[symbol] = max(self.axes.get(symbol, 0), k + count - len(s.dims))

    def has_axis(self, s: Shape) -> bool:
        """Whether a value of shape `s` is surely an array of rank one or more."""
        s = self(s)
        if s.over:
            return any(self.has_axis(p) for p in s.over)
        return bool(s.dims) or (s.tail is not None and self.axes.get(s.tail[0], 0) > s.tail[1])

    def is_any(self, s: Shape) -> bool:
        """Whether a value of shape `s` may be a number or an array, for all that is known."""
        return self(s).rank is None and not self.has_axis(s)

    def demand_equal(self, a: Dim, b: Dim) -> None:
        """Record that two lengths are equal because NumPy would raise otherwise (the inner lengths of `@`)."""
        a, b = self.dim(a), self.dim(b)
        if a == b:
            return
        for x, y in ((a, b), (b, a)):
            if is_plain(x) and not (isinstance(y, Length) and y.symbol == x.symbol):
                if is_plain(y) and (len(y.symbol), y.symbol) > (len(x.symbol), x.symbol):
                    x, y = y, x
                self.equal[x.symbol] = y
                self.version += 1
                return

    # ------------------------------------------------------------ operations
    def broadcast(self, shapes: list[Shape]) -> Shape:
        parts: list[Shape] = []
        for s in map(self, shapes):
            for p in s.parts:
                if p != SCALAR and p not in parts:
                    parts.append(p)
        parts = [p for p in parts if not self.is_covered(p, parts)]
        if not parts:
            return SCALAR
        if len(parts) == 1:
            return parts[0]
        ranks = [p.rank for p in parts]
        if any(r is None for r in ranks):
            return Shape(over=frozenset(parts))
        width = max(r for r in ranks if r is not None)
        dims: list[Dim] = []
        for axis in range(width):
            found: list[Dim] = []
            for p in parts:
                at = axis - (width - len(p.dims))
                if at >= 0 and p.dims[at] != 1 and p.dims[at] not in found:
                    found.append(p.dims[at])
            dims.append(self.together(found))
        return Shape(tuple(dims))

    def is_covered(self, p: Shape, parts: list[Shape]) -> bool:
        """Whether a shape is known to broadcast into another one of these, or into all of some of them together."""
        into = self.fits.get(p)
        if self.within.get(p) in parts or into in parts or into == SCALAR:
            return True
        return into is not None and bool(into.over) and p not in into.over and into.over.issubset(parts)

    def together(self, found: list[Dim]) -> Dim:
        """The length of an axis on which these lengths are broadcast."""
        if not found:
            return 1
        if len(found) == 1:
            return found[0]
        numbers = [d for d in found if isinstance(d, int)]
        if numbers:  # a literal length other than 1 decides
            return numbers[0]
        parts: set[str] = set()
        for d in found:
            assert isinstance(d, Length)
            parts |= set(d.symbol.split("|")) if "|" in d.symbol else {str(d)}
        return Length("|".join(sorted(parts)))

    def fit(self, s: Shape, into: Shape) -> None:
        """Record that `s` broadcasts into another shape where the statement runs that is being derived."""
        for part in (s, *s.over):
            if part not in (SCALAR, into):
                self.fits[part] = into

    def axis_dim(self, s: Shape, axis: int) -> Dim | None:
        """The length along an axis, where it can be named."""
        s = self(s)
        if s.over:
            return None
        if s.tail is None:
            return s.dims[axis] if -len(s.dims) <= axis < len(s.dims) else None
        if axis < 0:
            return None
        if axis < len(s.dims):
            return s.dims[axis]
        symbol, k = s.tail
        return Length(f"{symbol}.{k + axis - len(s.dims)}")

    def reduced(self, s: Shape, axis: int | str, keepdims: bool) -> Shape | None:
        """The shape of a reduction of `s`, of unknown rank, over an axis: named after `s`, where that has a name.

        axis: a number, or the parameter that says which.
        """
        s = self(s)
        if isinstance(axis, str) and s.rank is not None:
            if any(isinstance(d, Length) and (d.symbol.startswith("?") or "~" in d.symbol) for d in s.dims):
                return None  # the lengths may be others the next time
            base = f"=({', '.join(map(str, s.dims))})"
        elif s.tail is None or s.dims or s.tail[1] != 0:
            return None
        else:
            base = s.tail[0]
        symbol = f"{base}/{axis}"
        if not keepdims:
            return unknown(symbol)
        found = unknown(symbol + "=1")
        self.within[found] = s
        self.kept[found] = (s, axis)
        return found

    def without_axis(self, s: Shape, axis: int) -> Shape | None:
        """The shape of `s`, of unknown rank, without an axis of length 1 that a reduction has left there."""
        of, kept = self.kept.get(self(s), (s, None))
        return self.reduced(of, axis, False) if kept == axis else None

    def with_axis(self, s: Shape, axis: int) -> Shape | None:
        """The shape of `s`, of unknown rank, with an axis of length 1 where a reduction has taken one away."""
        s = self(s)
        if s.tail is None or s.dims or s.tail[1] != 0:
            return None
        base, slash, removed = s.tail[0].rpartition("/")
        return self.reduced(unknown(base), axis, True) if slash and removed == str(axis) else None

    def split_first(self, s: Shape) -> tuple[Dim, Shape] | None:
        """(length of the first axis, shape of an element), for a value that is known to have an axis."""
        s = self(s)
        if s.over:
            return None
        if s.dims:
            return s.dims[0], Shape(s.dims[1:], s.tail)
        if s.tail is None:
            return None
        symbol, k = s.tail
        return Length(f"{symbol}.{k}"), Shape((), (symbol, k + 1))


DIMENSION = re.compile(r"(?:(?P<times>\d+)\*)?(?P<symbol>[^\W\d]\w*)(?P<plus>[+-]\d+)?")


def dimension(text: str) -> Dim:
    """A stated length: `3`, `n`, `n+1`, `4*h`."""
    found = DIMENSION.fullmatch(text)
    if found is None:
        return int(text)
    return Length(found["symbol"], -int(found["plus"] or 0), int(found["times"] or 1))


def is_plain(d: Dim) -> TypeGuard[Length]:
    """Whether a length is that of a symbol itself."""
    return isinstance(d, Length) and d.minus == 0 and d.times == 1


def slice_length(d: Dim, start: Dim | None, stop: Dim | None, step: Any) -> Dim | None:
    """The length of d[start:stop:step]; None where it has no name. Bounds that are a `Length` are not negative."""
    if isinstance(d, int):
        if isinstance(start, Length) or isinstance(stop, Length):
            return None
        return len(range(*slice(start, stop, step).indices(d)))
    if step not in (None, 1):
        return d if step == -1 and start is None and stop is None else None
    if isinstance(stop, Length):
        if stop.symbol != d.symbol or stop.times > d.times or stop.minus < d.minus:
            return None  # it may lie behind the end
        end = stop
    elif stop is None or stop < 0:
        end = d.less(-(stop or 0))
    else:
        return None
    return difference(end, start or 0)


def difference(a: Dim, b: Dim) -> Dim | None:
    """a - b, and 0 where that is negative; None where it has no name. Neither is negative."""
    if isinstance(b, int):
        return None if b < 0 else max(0, a - b) if isinstance(a, int) else a.less(b)
    if isinstance(a, int) or a.symbol != b.symbol or a.times < b.times or b.minus > 0:
        return None
    minus = a.minus - b.minus
    return max(0, -minus) if a.times == b.times else Length(a.symbol, minus, a.times - b.times)


def arithmetic(fn: str, a: Dim, b: Dim) -> Dim | None:
    """The length that an arithmetic function of lengths gives, None where it has no name, or is negative.

    A `Length` with a positive `minus` is cut off at 0, or it may be the number of that name, which is not: sums and
    differences are named where both mean the same.
    """
    if isinstance(a, int) and isinstance(b, int):
        if fn == "numpy.floor_divide":
            return a // b if b > 0 else None
        value = a + b if fn == "numpy.add" else a - b if fn == "numpy.subtract" else a * b
        return value if value >= 0 else None
    if isinstance(a, int):
        return arithmetic(fn, b, a) if fn in ("numpy.add", "numpy.multiply") else None
    match fn, b:
        case "numpy.add", int():
            return a.less(-b) if a.minus <= 0 else None
        case "numpy.add", Length(symbol=symbol) if symbol == a.symbol and a.minus <= 0 and b.minus <= 0:
            return Length(symbol, a.minus + b.minus, a.times + b.times)
        case "numpy.subtract", int():
            return a.less(b)
        case "numpy.subtract", Length() if a.minus <= 0 and (a.times > b.times or a.minus <= b.minus):
            return difference(a, b)
        case "numpy.multiply", int() if b > 0:
            return Length(a.symbol, a.minus * b, a.times * b)
        case "numpy.floor_divide", int() if b > 0 and a.times % b == a.minus % b == 0:
            return Length(a.symbol, a.minus // b, a.times // b)
    return None
