"""Operators and other special methods of the user's classes: what they are desugared to, in both modes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from test_objects import agree, forgotten, generated

pytestmark = pytest.mark.table

__all__ = ["forgotten"]

CASES: dict[str, tuple[str, Callable[[dict[str, Any]], tuple[Any, ...]]]] = {}


def case(name: str, text: str, make: Callable[[dict[str, Any]], tuple[Any, ...]]) -> None:
    CASES[name] = (text, make)


def vec(n: int) -> Any:
    return np.linspace(0.4, 1.3, n) ** 2


def mat(a: int, b: int) -> Any:
    return np.cos(np.arange(a * b, dtype=float)).reshape(a, b)


case(
    "a vector: sums, products from both sides, a sign, abs",
    """
class Vec2:
    def __init__(self, x, y):
        self.x = x
        self.y = y
    def __add__(self, other):
        return Vec2(self.x + other.x, self.y + other.y)
    def __sub__(self, other):
        return Vec2(self.x - other.x, self.y - other.y)
    def __mul__(self, s):
        return Vec2(self.x * s, self.y * s)
    __rmul__ = __mul__
    def __neg__(self):
        return Vec2(-self.x, -self.y)
    def dot(self, other):
        return self.x * other.x + self.y * other.y
    def __abs__(self):
        return np.sqrt(self.dot(self))

def f(a: float, b: float):
    p = Vec2(a, b)
    q = Vec2(b, a * b)
    r = p + q * 2.0 - 3.0 * p
    s = -r
    return abs(s) + s.dot(q)
""",
    lambda m: (
        0.7,
        0.4,
    ),
)

case(
    "vectors that a loop carries",
    """
class Vec2:
    def __init__(self, x, y):
        self.x = x
        self.y = y
    def __add__(self, other):
        return Vec2(self.x + other.x, self.y + other.y)
    def __mul__(self, s):
        return Vec2(self.x * s, self.y * s)
    def __truediv__(self, s):
        return Vec2(self.x / s, self.y / s)
    def norm2(self):
        return self.x ** 2 + self.y ** 2

def f(a: float, b: float, n: int):
    pos = Vec2(a, b)
    vel = Vec2(b, -a)
    for k in range(n):
        acc = pos / pos.norm2() ** 1.5
        vel = vel + acc * -0.1
        pos = pos + vel * 0.1
    return pos.norm2()
""",
    lambda m: (
        0.7,
        0.4,
        5,
    ),
)

case(
    "operators of parameters",
    """
from dataclasses import dataclass
@dataclass
class Vec2:
    x: float
    y: float
    def __add__(self, other):
        return Vec2(self.x + other.x, self.y + other.y)
    def __sub__(self, other):
        return Vec2(self.x - other.x, self.y - other.y)
    def __rmul__(self, s):
        return Vec2(s * self.x, s * self.y)
    def __matmul__(self, o):
        return self.x * o.x + self.y * o.y

def f(p: Vec2, q: Vec2):
    r = 2.0 * p - q
    return r @ r + p @ q
""",
    lambda m: (
        m["Vec2"](0.7, 0.4),
        m["Vec2"](0.3, 1.2),
    ),
)

case(
    "an object is the result",
    """
from dataclasses import dataclass
@dataclass
class Vec2:
    x: float
    y: float
    def __add__(self, other):
        return Vec2(self.x + other.x, self.y + other.y)
    def __rmul__(self, s):
        return Vec2(s * self.x, s * self.y)

def f(p: Vec2, q: Vec2):
    return p + 2.0 * q
""",
    lambda m: (
        m["Vec2"](0.7, 0.4),
        m["Vec2"](0.3, 1.2),
    ),
)

case(
    "an update in place",
    """
class Acc:
    def __init__(self, s):
        self.s = s
    def __iadd__(self, v):
        self.s = self.s * 0.9 + v
        return self

def f(a: float, b: float, n: int):
    acc = Acc(a)
    for k in range(n):
        acc += b * acc.s
    return acc.s
""",
    lambda m: (
        0.7,
        0.4,
        4,
    ),
)

case(
    "subscripts, len and calls",
    """
class Poly:
    def __init__(self, c):
        self.c = c
    def __len__(self):
        return len(self.c)
    def __getitem__(self, i):
        return self.c[i]
    def __call__(self, x):
        y = 0.0
        for k in range(len(self)):
            y = y * x + self[k]
        return y

def f(c):
    p = Poly(c)
    return p(0.3) * p[1] + p(p[0])
""",
    lambda m: (vec(5),),
)

case(
    "stores into an object",
    """
class Field:
    def __init__(self, data):
        self.data = data
    def __getitem__(self, i):
        return self.data[i]
    def __setitem__(self, i, val):
        self.data[i] = val

def f(c):
    u = Field(np.zeros(5))
    for i in range(5):
        u[i] = c[i] ** 2
    u[2] = u[1] * u[3]
    return u[2] * u[4]
""",
    lambda m: (vec(5),),
)

case(
    "quaternions, a class method and a static one",
    """
import math
class Quaternion:
    def __init__(self, w, x, y, z):
        self.w, self.x, self.y, self.z = w, x, y, z

    def __mul__(self, o):
        return Quaternion(
            self.w * o.w - self.x * o.x - self.y * o.y - self.z * o.z,
            self.w * o.x + self.x * o.w + self.y * o.z - self.z * o.y,
            self.w * o.y - self.x * o.z + self.y * o.w + self.z * o.x,
            self.w * o.z + self.x * o.y - self.y * o.x + self.z * o.w,
        )

    def conj(self):
        return Quaternion(self.w, -self.x, -self.y, -self.z)

    def norm(self):
        return math.sqrt(self.w**2 + self.x**2 + self.y**2 + self.z**2)

    def normalized(self):
        n = self.norm()
        return Quaternion(self.w / n, self.x / n, self.y / n, self.z / n)

    @classmethod
    def from_vector(cls, v):
        return cls(0.0, v[0], v[1], v[2])

    @staticmethod
    def from_array(a):
        return Quaternion(*a)

    def rotate(self, v):
        p = Quaternion.from_vector(v)
        r = self * p * self.conj()
        return np.array([r.x, r.y, r.z])

def f(q, v):
    rot = Quaternion(q[0], q[1], q[2], q[3]).normalized()
    w = rot.rotate(v)
    return w @ np.array([1.0, 2.0, 3.0])
""",
    lambda m: (
        vec(4),
        vec(3),
    ),
)

case(
    "constructors that are class methods",
    """
class Gauss:
    def __init__(self, mu, sigma):
        self.mu = mu
        self.sigma = sigma
    @classmethod
    def from_moments(cls, m1, m2):
        return cls(m1, np.sqrt(m2 - m1**2))
    @classmethod
    def standard(cls):
        return cls(0.0, 1.0)
    def logpdf(self, x):
        z = (x - self.mu) / self.sigma
        return -0.5 * z * z - np.log(self.sigma)

def f(a: float, b: float):
    g = Gauss.from_moments(a, a**2 + b**2)
    return g.logpdf(0.1) + Gauss.standard().logpdf(a)
""",
    lambda m: (
        0.7,
        0.4,
    ),
)

case(
    "a setter of a property",
    """
class Body:
    def __init__(self, m, v):
        self.m = m
        self.v = v
    @property
    def p(self):
        return self.m * self.v
    @p.setter
    def p(self, value):
        self.v = value / self.m

def f(m: float, v: float):
    b = Body(m, v)
    b.p = b.p + 0.1 * v
    b.p += v * m
    return b.v ** 2 + b.p
""",
    lambda m: (
        0.7,
        0.4,
    ),
)

case(
    "a helper that asks for the class of objects",
    """
class Circle:
    def __init__(self, r):
        self.r = r
class Rect:
    def __init__(self, a, b):
        self.a = a
        self.b = b

def area(s):
    if isinstance(s, Circle):
        return np.pi * s.r ** 2
    elif isinstance(s, Rect):
        return s.a * s.b
    raise TypeError("shape")

def f(a: float, b: float):
    return area(Circle(a)) + 2.0 * area(Rect(a, b))
""",
    lambda m: (
        0.7,
        0.4,
    ),
)

case(
    "a helper that asks for the class of parameters",
    """
class Circle:
    def __init__(self, r):
        self.r = r
class Rect:
    def __init__(self, a, b):
        self.a = a
        self.b = b

def area(s):
    if isinstance(s, Circle):
        return np.pi * s.r ** 2
    elif isinstance(s, Rect):
        return s.a * s.b
    raise TypeError("shape")

def f(p: Rect, q: Circle):
    return area(p) * area(q)
""",
    lambda m: (
        m["Rect"](0.7, 0.4),
        m["Circle"](0.3),
    ),
)

case(
    "complex numbers: mixed operands, powers",
    """
class Complex:
    def __init__(self, re, im=0.0):
        self.re = re
        self.im = im
    def __add__(self, other):
        if isinstance(other, Complex):
            return Complex(self.re + other.re, self.im + other.im)
        return Complex(self.re + other, self.im)
    __radd__ = __add__
    def __mul__(self, other):
        if not isinstance(other, Complex):
            other = Complex(other)
        return Complex(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)
    def __rmul__(self, other):
        return self * other
    def __abs__(self):
        return np.hypot(self.re, self.im)
    def __pow__(self, n):
        out = Complex(1.0)
        for _ in range(n):
            out = out * self
        return out

def f(a: float, b: float, n: int):
    z = Complex(a, b)
    w = z * z + 0.3
    for k in range(n):
        w = w * w + z
    u = 2.0 * w + 1.0
    return abs(u) + (z ** 3).re
""",
    lambda m: (
        0.3,
        0.5,
        6,
    ),
)

case(
    "dual numbers: an operand that is made one",
    """
class Dual:
    def __init__(self, val, eps=0.0):
        self.val = val
        self.eps = eps
    def __add__(self, o):
        o = o if isinstance(o, Dual) else Dual(o)
        return Dual(self.val + o.val, self.eps + o.eps)
    def __mul__(self, o):
        o = o if isinstance(o, Dual) else Dual(o)
        return Dual(self.val * o.val, self.val * o.eps + self.eps * o.val)
def f(x: float):
    d = Dual(x, 1.0)
    y = d * d + d * 3.0
    return y.val * y.eps
""",
    lambda m: (0.7,),
)

case(
    "an object that is unpacked and looped over",
    """
class Pair:
    def __init__(self, a, b):
        self.a = a
        self.b = b
    def __iter__(self):
        return iter((self.a, self.b))
def f(a: float, b: float):
    p = Pair(a, b)
    x, y = p
    s = x * y
    for v in p:
        s += v ** 2
    return s
""",
    lambda m: (
        0.7,
        0.4,
    ),
)

case(
    "an update that binds a new object, of two names",
    """
class V:
    def __init__(self, x, y):
        self.x = x
        self.y = y
    def __add__(self, o):
        return V(self.x + o.x, self.y + o.y)
def f(a: float, b: float):
    p = V(a, b)
    q = p
    p += V(b, a * a)
    p += p
    return q.x * p.x + q.y * p.y ** 2
""",
    lambda m: (
        0.7,
        0.4,
    ),
)

case(
    "slices",
    """
class Field:
    def __init__(self, data):
        self.data = data
    def __getitem__(self, i):
        return self.data[i]
    def __setitem__(self, i, val):
        self.data[i] = val
def f(c):
    u = Field(c.copy())
    u[1:3] = u[0:2] * 2.0
    u[0] += u[1]
    u[-1] *= c[0]
    return u[0] * u[-1] + u[2] ** 2
""",
    lambda m: (vec(5),),
)

case(
    "arrays in objects",
    """
class Tensor:
    def __init__(self, data, name="t"):
        self.data = data
        self.name = name
    def __add__(self, o):
        return Tensor(self.data + o.data)
    def __matmul__(self, o):
        return Tensor(self.data @ o.data)
    def __mul__(self, o):
        other = o.data if isinstance(o, Tensor) else o
        return Tensor(self.data * other)
    __rmul__ = __mul__
    def tanh(self):
        return Tensor(np.tanh(self.data))
    def sum(self):
        return Tensor(np.sum(self.data))
def f(W, b, x):
    h = (Tensor(W) @ Tensor(x) + Tensor(b)).tanh()
    loss = (h * h * 0.5).sum() + (2.0 * h).sum()
    return loss.data
""",
    lambda m: (
        mat(3, 4),
        vec(3),
        vec(4),
    ),
)

case(
    "the reflected method of a subclass goes first",
    """
class A:
    def __init__(self, x):
        self.x = x
    def __add__(self, o):
        return A(self.x + o.x)
class B(A):
    def __radd__(self, o):
        return B(self.x * o.x)
def f(a: float, b: float):
    return (A(a) + B(b)).x
""",
    lambda m: (
        0.7,
        0.4,
    ),
)

case(
    "objects that branches bind",
    """
class V:
    def __init__(self, x, y):
        self.x = x
        self.y = y
    def __add__(self, o):
        return V(self.x + o.x, self.y + o.y)
    def __mul__(self, s):
        return V(self.x * s, self.y * s)
def f(a: float, b: float):
    p = V(a, b)
    if a > b:
        p = p + V(b, b)
    else:
        p = p * a
    q = p if a > 0.1 else V(b, a)
    q = q * 2.0
    return q.x * p.y
""",
    lambda m: (
        0.7,
        0.4,
    ),
)

case(
    "operators in tests and assertions",
    """
class C:
    def __init__(self, re, im):
        self.re = re
        self.im = im
    def __add__(self, o):
        return C(self.re + o.re, self.im + o.im)
    def __mul__(self, o):
        return C(self.re * o.re - self.im * o.im, self.re * o.im + self.im * o.re)
    def __abs__(self):
        return (self.re**2 + self.im**2) ** 0.5
def f(a: float, b: float, n: int):
    c = C(a, b)
    z = C(0.0, 0.0)
    k = 0
    while abs(z) < 2.0 and k < n:
        z = z * z + c
        k += 1
    assert abs(z) < 10.0
    return abs(z)
""",
    lambda m: (
        0.3,
        0.5,
        6,
    ),
)

case(
    "lists of objects",
    """
class V:
    def __init__(self, x, y):
        self.x = x
        self.y = y
    def __add__(self, o):
        return V(self.x + o.x, self.y + o.y)
    def __mul__(self, s):
        return V(self.x * s, self.y * s)
def f(w, b: float):
    ps = [V(wi, wi * b) for wi in w]
    total = V(0.0, 0.0)
    for p in ps:
        total = total + p * b
    qs = [p * 2.0 for p in ps]
    acc = 0.0
    for q in qs:
        acc += q.x * q.y
    return total.x * total.y + acc
""",
    lambda m: (
        vec(4),
        0.4,
    ),
)

case(
    "objects in objects",
    """
class Vec:
    def __init__(self, x, y):
        self.x = x
        self.y = y
    def __add__(self, o):
        return Vec(self.x + o.x, self.y + o.y)
    def __sub__(self, o):
        return Vec(self.x - o.x, self.y - o.y)
    def __mul__(self, s):
        return Vec(self.x * s, self.y * s)
    def __rmul__(self, s):
        return self * s
    def norm(self):
        return np.sqrt(self.x**2 + self.y**2)
class Body:
    def __init__(self, m, pos, vel):
        self.m = m
        self.pos = pos
        self.vel = vel
    def kick(self, acc, dt):
        self.vel = self.vel + dt * acc
    def drift(self, dt):
        self.pos += dt * self.vel
    def energy(self):
        return 0.5 * self.m * self.vel.norm() ** 2
def gravity(a, b):
    d = b.pos - a.pos
    return d * (b.m / (d.norm() ** 3 + 0.1))
def f(x: float, v: float, m: float, dt: float, n: int):
    sun = Body(m, Vec(0.0, 0.0), Vec(0.0, 0.0))
    earth = Body(1.0, Vec(1.0, x), Vec(0.0, v))
    for k in range(n):
        acc = gravity(earth, sun)
        earth.kick(acc, dt)
        earth.drift(dt)
        sun.kick(gravity(sun, earth), dt)
        sun.drift(dt)
    return earth.energy() + sun.energy()
""",
    lambda m: (
        0.1,
        0.2,
        1.5,
        0.01,
        5,
    ),
)

case(
    "a list of objects that have objects",
    """
class Vec:
    def __init__(self, x, y):
        self.x = x
        self.y = y
    def __add__(self, o):
        return Vec(self.x + o.x, self.y + o.y)
    def __sub__(self, o):
        return Vec(self.x - o.x, self.y - o.y)
    def __mul__(self, s):
        return Vec(self.x * s, self.y * s)
    def norm(self):
        return np.sqrt(self.x**2 + self.y**2)
class Body:
    def __init__(self, m, pos, vel):
        self.m = m
        self.pos = pos
        self.vel = vel
def f(x: float, v: float, m: float, dt: float, n: int):
    bodies = [
        Body(m, Vec(0.0, 0.0), Vec(0.0, 0.0)),
        Body(1.0, Vec(1.0, x), Vec(0.0, v)),
        Body(m, Vec(x, 2.0), Vec(v, v)),
    ]
    for k in range(n):
        for b in bodies:
            acc = Vec(0.0, 0.0)
            for o in bodies:
                if o is not b:
                    d = o.pos - b.pos
                    acc = acc + d * (o.m / (d.norm() ** 3 + 0.1))
            b.vel = b.vel + acc * dt
        for b in bodies:
            b.pos = b.pos + b.vel * dt
    e = 0.0
    for b in bodies:
        e += 0.5 * b.m * b.vel.norm() ** 2
    return e
""",
    lambda m: (
        0.1,
        0.2,
        1.5,
        0.01,
        5,
    ),
)

case(
    "class methods that call each other, inherited",
    """
class P:
    def __init__(self, a, b):
        self.a = a
        self.b = b
    @classmethod
    def pair(cls, t):
        return cls(t, t * t)
    @classmethod
    def twice(cls, t):
        return cls.pair(2.0 * t)
    def value(self):
        return self.a * self.b
class Q(P):
    def value(self):
        return self.a + self.b
def f(a: float, b: float):
    return P.twice(a).value() * Q.twice(b).value()
""",
    lambda m: (
        0.7,
        0.4,
    ),
)

case(
    "a pair of objects",
    """
class V:
    def __init__(self, x, y):
        self.x = x
        self.y = y
    def __add__(self, o):
        return V(self.x + o.x, self.y + o.y)
    def __mul__(self, s):
        return V(self.x * s, self.y * s)
def split(p: V, s):
    return p * s, p * (1.0 - s)
def f(p: V, s: float):
    a, b = split(p, s)
    c = a + b * s
    return c.x * c.y
""",
    lambda m: (
        m["V"](0.7, 0.4),
        0.5,
    ),
)

case(
    "methods that return self",
    """
class Acc:
    def __init__(self, s):
        self.s = s
    def add(self, v):
        self.s = self.s + v
        return self
    def mul(self, v):
        self.s = self.s * v
        return self
def f(a: float, b: float):
    acc = Acc(a)
    acc.add(b).mul(a).add(a * b)
    return acc.s
""",
    lambda m: (
        0.7,
        0.4,
    ),
)

case(
    "NotImplemented leaves it to the other operand",
    """
class V:
    def __init__(self, x):
        self.x = x
    def __mul__(self, o):
        if isinstance(o, (int, float)):
            return V(self.x * o)
        return NotImplemented
    def __rmul__(self, o):
        return V(self.x * o)
class M:
    def __init__(self, k):
        self.k = k
    def __rmul__(self, o):
        return V(o.x * self.k)
    def __matmul__(self, o):
        if isinstance(o, V):
            return V(self.k * o.x)
        elif isinstance(o, M):
            return M(self.k * o.k)
        return NotImplemented
def f(a: float, b: float):
    v = V(a)
    m = M(b)
    w = m @ v
    mm = m @ m
    u = v * 2.0
    z = v * m
    return w.x * mm.k * u.x * z.x
""",
    lambda m: (
        0.7,
        0.4,
    ),
)
case(
    "a rigid body with a quaternion",
    """
from dataclasses import dataclass
import math
@dataclass
class Quaternion:
    w: float
    x: float
    y: float
    z: float
    def __mul__(self, o: "Quaternion") -> "Quaternion":
        return Quaternion(
            self.w * o.w - self.x * o.x - self.y * o.y - self.z * o.z,
            self.w * o.x + self.x * o.w + self.y * o.z - self.z * o.y,
            self.w * o.y - self.x * o.z + self.y * o.w + self.z * o.x,
            self.w * o.z + self.x * o.y - self.y * o.x + self.z * o.w)
    def __add__(self, o: "Quaternion") -> "Quaternion":
        return Quaternion(self.w + o.w, self.x + o.x, self.y + o.y, self.z + o.z)
    def scale(self, s: float) -> "Quaternion":
        return Quaternion(self.w * s, self.x * s, self.y * s, self.z * s)
    def norm(self) -> float:
        return math.sqrt(self.w * self.w + self.x * self.x + self.y * self.y + self.z * self.z)
    def normalized(self) -> "Quaternion":
        return self.scale(1.0 / self.norm())
    def conjugate(self) -> "Quaternion":
        return Quaternion(self.w, -self.x, -self.y, -self.z)
    def rotate(self, v):
        q = self * Quaternion(0.0, v[0], v[1], v[2]) * self.conjugate()
        return np.array([q.x, q.y, q.z])
class RigidBody:
    def __init__(self, inertia, q, omega):
        self.inertia = inertia
        self.q = q
        self.omega = omega
    @property
    def energy(self):
        return 0.5 * np.sum(self.inertia * self.omega ** 2)
    def step(self, torque, dt):
        L = self.inertia * self.omega
        domega = (torque - np.cross(self.omega, L)) / self.inertia
        self.omega = self.omega + dt * domega
        w = Quaternion(0.0, self.omega[0], self.omega[1], self.omega[2])
        self.q = (self.q + (self.q * w).scale(0.5 * dt)).normalized()
def f(q0, omega0, inertia, dt: float, n: int):
    body = RigidBody(inertia, Quaternion(q0[0], q0[1], q0[2], q0[3]).normalized(), omega0)
    for k in range(n):
        torque = body.q.rotate(np.array([0.0, 0.1, -0.2]))
        body.step(torque, dt)
    tip = body.q.rotate(np.array([1.0, 0.0, 0.0]))
    return body.energy + tip[0] + 2.0 * tip[1]
""",
    lambda m: (
        vec(4),
        vec(3),
        vec(3),
        0.02,
        5,
    ),
)

case(
    "boundary conditions as strategies of a solver",
    """
class BoundaryCondition:
    def apply(self, u):
        raise NotImplementedError
class Dirichlet(BoundaryCondition):
    def __init__(self, value):
        self.value = value
    def ghost(self, u, side):
        inner = u[0] if side == "left" else u[-1]
        return 2.0 * self.value - inner
class Neumann(BoundaryCondition):
    def __init__(self, flux, dx):
        self.flux = flux
        self.dx = dx
    def ghost(self, u, side):
        return u[0] + self.flux * self.dx if side == "left" else u[-1] + self.flux * self.dx
class Solver:
    def __init__(self, left, right, nu, dx):
        self.left = left
        self.right = right
        self.nu = nu
        self.dx = dx
    def rhs(self, u):
        full = np.concatenate(([self.left.ghost(u, "left")], u, [self.right.ghost(u, "right")]))
        flux = -self.nu * (full[1:] - full[:-1]) / self.dx
        return -(flux[1:] - flux[:-1]) / self.dx
    def advance(self, u, dt, n):
        for _ in range(n):
            k1 = self.rhs(u)
            k2 = self.rhs(u + 0.5 * dt * k1)
            u = u + dt * k2
        return u
def f(u0, nu: float, ub: float, n: int):
    s = Solver(Dirichlet(ub), Neumann(0.3 * ub, 0.1), nu, 0.1)
    u = s.advance(u0, 0.002, n)
    return np.sum(u ** 2)
""",
    lambda m: (
        vec(8),
        0.1,
        0.7,
        4,
    ),
)

case(
    "layers given by stars",
    """
class Layer:
    def __call__(self, x):
        return self.forward(x)
class Linear(Layer):
    def __init__(self, W, b):
        self.W = W
        self.b = b
    def forward(self, x):
        return self.W @ x + self.b
class Tanh(Layer):
    def forward(self, x):
        return np.tanh(x)
class Sequential(Layer):
    def __init__(self, *layers):
        self.layers = layers
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
def f(W1, b1, W2, b2, x, y, n: int):
    net = Sequential(Linear(W1, b1), Tanh(), Linear(W2, b2))
    r = net(x) - y
    return 0.5 * np.sum(r ** 2)
""",
    lambda m: (
        mat(3, 4),
        vec(3),
        mat(2, 3),
        vec(2),
        vec(4),
        vec(2),
        3,
    ),
)

case(
    "a state that is made anew, with events",
    """
from dataclasses import dataclass
@dataclass
class State:
    t: float
    y: float
    v: float
class Ball:
    g = 9.81
    def __init__(self, restitution, drag):
        self.restitution = restitution
        self.drag = drag
    def deriv(self, s):
        return State(1.0, s.v, -self.g - self.drag * s.v)
    def step(self, s, h):
        k1 = self.deriv(s)
        mid = State(s.t + 0.5 * h, s.y + 0.5 * h * k1.y, s.v + 0.5 * h * k1.v)
        k2 = self.deriv(mid)
        return State(s.t + h, s.y + h * k2.y, s.v + h * k2.v)
    def bounce(self, s):
        return State(s.t, -s.y, -self.restitution * s.v)
def f(y0: float, v0: float, h: float, n: int, e: float):
    ball = Ball(e, 0.1)
    s = State(0.0, y0, v0)
    for _ in range(n):
        s = ball.step(s, h)
        if s.y < 0.0:
            s = ball.bounce(s)
    return s.y + 0.1 * s.v
""",
    lambda m: (
        1.0,
        0.2,
        0.01,
        120,
        0.8,
    ),
)

case(
    "__slots__",
    """
class Point:
    __slots__ = ("x", "y")

    def __init__(self, x=0.0, y=0.0):
        self.x = x
        self.y = y

    def __sub__(self, other):
        return Point(self.x - other.x, self.y - other.y)

def f(a: float, b: float):
    p = Point(a, b)
    q = p - Point(b)
    return q.x * q.y - (Point() - p).x
""",
    lambda m: (0.7, 0.4),
)


@pytest.mark.parametrize("name", CASES)
def test_operators(name: str) -> None:
    text, make = CASES[name]
    agree(text, make)


def test_the_text_is_that_of_the_components() -> None:
    text = generated(CASES["a vector: sums, products from both sides, a sign, abs"][0], "f")
    assert "r_x = a + b * 2.0 - a * 3.0" in text and "__" not in text.split("def f_grad")[1]
    text = generated(CASES["vectors that a loop carries"][0], "f")
    assert "        acc_x_bar = -0.1 * vel_x_bar\n" in text and "SimpleNamespace" not in text


def test_reads_of_one_element_take_no_array_each() -> None:
    text = generated(CASES["subscripts, len and calls"][0], "f")
    assert "c_bar[k] += y_bar" in text and "_getitem_rev" not in text


def test_an_operator_that_calls_itself() -> None:
    text = """
    class C:
        def __init__(self, re, im):
            self.re = re
            self.im = im

        def __mul__(self, o):
            return C(self.re * o.re - self.im * o.im, self.re * o.im + self.im * o.re)

        def __pow__(self, n):
            if n == 0:
                return C(1.0, 0.0)
            return self * self ** (n - 1)


    def f(a: float, b: float):
        return (C(a, b) ** 3).re
    """
    agree(text, lambda m: (0.7, 0.4))
