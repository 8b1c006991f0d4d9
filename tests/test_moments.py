"""Names of a module that it binds more than once, changes in place, or reads before it is done: the output has the
values that the primal sees, or the function is refused."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import checking
import numeric
from s2s import files
from s2s.errors import S2SError
from s2s.pipeline import Request, differentiate

X = np.array([0.7, 1.3, 0.4, 0.9])
H2 = {"h2.py": "C = 3.0\ndef k(x): return x**3\ndef g(x): return C * k(x)\n"}

FAST = "import not_to_be_found\ndef g(x): return x**5\nC = 5.0\n"

# (model.py, other modules)
RIGHT: dict[str, tuple[str, dict[str, str]]] = {
    "a module that lies in an object, of which other attributes are bound": (
        "def fill(mod, found, names):\n    mod.np = np\n    for s in names: setattr(mod, s, found[s])\n"
        "    for k in names: mod.targets[k] = found[k]\nfound = {'np': np}\n"
        "def f(x): return np.sum(np.sin(x))", {}),
    "a star import behind a def": (
        "def k(x): return x * 7\nC = 5.0\nfrom h2 import *\ndef f(x): return np.sum(k(x) * C)", H2),
    "a function that the main part of a file names in a text": (
        "def g(x): return x**2\ndef f(x): return np.sum(g(x))\n"
        "if __name__ == '__main__':\n    def bench():\n        from timeit import timeit\n"
        "        print(timeit('f(g(3))', globals=globals()))\n    bench()", {}),
    "a library that objects have, beside names of their own": (
        "class S:\n    def __init__(self, xp=np, n=3):\n        self.xp = xp\n        self.n = n\n"
        "    def run(self, x):\n        self.m = 2.0\n        return np.sin(x) * self.n * self.m\n"
        "def f(x): return np.sum(S(np).run(x))", {}),
    "a star import before a def": ("from h2 import *\ndef k(x): return x * 7\ndef f(x): return np.sum(k(x) * C)", H2),
    "a star import with numpy of its own": (
        "from h3 import *\ndef f(x): return np.sum(k(x))", {"h3.py": f"import numpy as np\n{H2['h2.py']}"}),
    "names that are public by steps": (
        "def g(x): return x\nfrom h3 import *\ndef f(x): return np.sum(g(x) * k(x))",
        {"h3.py": '__all__ = ["k"]\n__all__ += ["g"]\ndef k(x): return x\ndef g(x): return x**5\n'}),
    "two star imports": (
        "from h2 import *\nfrom h3 import *\ndef f(x): return np.sum(k(x) * C)", H2 | {"h3.py": "C = 4.0\n"}),
    "a list that a function changes": (
        "W = [1.0, 2.0]\ndef put(): W[0] = 9.0\nput()\ndef f(x): return np.sum(x**2) * W[0]", {}),
    "a list that a function is given": (
        "W = [3.0, 1.0]\ndef put(l): l.sort()\nput(W)\ndef f(x): return np.sum(x**2) * W[0]", {}),
    "a list that another module is given": (
        "W = [3.0, 1.0]\nimport h3\nh3.put(W)\ndef f(x): return np.sum(x**2) * W[0]",
        {"h3.py": "def put(l): l.sort()\n"}),
    "a list with two names": ("W = [1.0, 2.0]\nV = W\nV[0] = 9.0\ndef f(x): return np.sum(x**2) * W[0]", {}),
    "a list in a loop": ("W = [1.0]\nfor w in [W]: w[0] = 9.0\ndef f(x): return np.sum(x**2) * W[0]", {}),
    "an entry of an entry": (
        'D = {"a": {"b": 1.0}}\nd = D["a"]\nd["b"] = 7.0\ndef f(x): return np.sum(x**2) * D["a"]["b"]', {}),
    "a walrus": ("K = 1.0\ny = (K := 2.0) + 1\ndef f(x): return np.sum(x**2) * K * y", {}),
    "a walrus alone": ("Z = [M := 4.0]\ndef f(x): return np.sum(x**2) * M", {}),
    "a pattern": ("from math import pi as K\nmatch 3.0:\n    case K: pass\ndef f(x): return np.sum(x**2) * K", {}),
    "globals": ('K = 2.0\nglobals()["K"] = 5.0\ndef f(x): return np.sum(x**2) * K', {}),
    "exec": ('K = 2.0\nexec("K = 5.0")\ndef f(x): return np.sum(x**2) * K', {}),
    "a default of what is bound above": (
        "K = 2.0\nK = 5.0\ndef h(x, k=K): return x * k\ndef f(x): return np.sum(h(x) * x)", {}),
    "a default that is an array with a second content": (
        "W = np.arange(4.0)\ndef h(x, w=W): return x * w\nW[1] = 7.0\ndef f(x): return np.sum(h(x) * x)", {}),
    "a nested default": (
        "K = 2.0\ndef f(x):\n    def h(y, k=K): return y * k\n    return np.sum(h(x)**2)\nK = 5.0", {}),
    "a lambda that reads late": ("K = 2.0\ng = lambda x: K * x**2\nK = 5.0\ndef f(x): return np.sum(g(x))", {}),
    "a star import of the library behind another one": (
        "from h3 import *\nfrom numpy import *\ndef f(x): return np.sum(sin(x) * pi)",
        {"h3.py": "pi = 1.0\ndef sin(x): return x\n"}),
    "a star import in a handler": (
        "K = 1.0\ntry:\n    from h2 import *\nexcept ImportError:\n    from h3 import *\n"
        "def f(x): return np.sum(x**2) * C", H2 | {"h3.py": "C = 4.0\n"}),
    "an import that fails by what it imports": (
        "try:\n    from h3 import g\nexcept ImportError:\n    from h2 import g\ndef f(x): return np.sum(g(x))",
        H2 | {"h3.py": FAST}),
    "an import that fails, and more in the try": (
        "try:\n    from h3 import g\n    n = len('a')\nexcept ImportError:\n    from h2 import g\n    n = 0\n"
        "def f(x): return np.sum(g(x))", H2 | {"h3.py": FAST}),
    "an import that does not fail": (
        "try:\n    from h3 import g\nexcept ImportError:\n    from h2 import g\ndef f(x): return np.sum(g(x))",
        H2 | {"h3.py": "try:\n    import not_to_be_found\nexcept ImportError: pass\ndef g(x): return x**5\n"}),
    "an import of a module that fails": (
        "try:\n    import h3 as m\nexcept ImportError:\n    import h2 as m\ndef f(x): return np.sum(m.g(x)) * m.C",
        H2 | {"h3.py": FAST}),
    "an import that fails by a name": (
        "try:\n    from h3 import g\nexcept ImportError:\n    from numpy import sin as g\n"
        "def f(x): return np.sum(g(x))",
        H2 | {"h3.py": "from h2 import g, no_such\n"}),
    "an import behind what it replaces, which fails": (
        "def g(x): return x**7\ntry:\n    from h3 import g\nexcept ImportError:\n    pass\n"
        "def f(x): return np.sum(g(x))", {"h3.py": FAST}),
    "an import behind what it replaces": (
        "def g(x): return x**7\ntry:\n    from h2 import g\nexcept ImportError:\n    pass\n"
        "def f(x): return np.sum(g(x))", H2),
    "two imports, the second one of which fails": (
        "from h2 import g\ntry:\n    from h3 import g\nexcept ImportError:\n    pass\n"
        "def f(x): return np.sum(g(x))", H2 | {"h3.py": FAST}),
    "an import beside one that fails": (
        "try:\n    from h3 import g\n    import not_to_be_found\nexcept ImportError:\n    from h2 import g\n"
        "def f(x): return np.sum(g(x))", H2 | {"h3.py": FAST.partition("\n")[2]}),
    "an import in the else of one that fails": (
        "try:\n    import h3\nexcept ImportError:\n    from h2 import g\nelse:\n    from h3 import g\n"
        "def f(x): return np.sum(g(x))", H2 | {"h3.py": FAST}),
    "a star import that fails": (
        "try:\n    from h3 import *\nexcept ImportError:\n    from h2 import *\ndef f(x): return np.sum(g(x)) * C",
        H2 | {"h3.py": FAST}),
    "values of a module by its name": (
        "import h2, sys\nsys.modules['h2'].C = 4.0\ndef f(x): return np.sum(x**2) * h2.C", H2),
    "a value of a module by a name that is computed": (
        "import h2, sys\nn = 'h' + '2'\nsys.modules[n].C = 4.0\ndef f(x): return np.sum(h2.g(x))", H2),
    "modules that are asked for": (
        "import h2, sys\nKNOWN = 'h2' in sys.modules\ndef f(x): return np.sum(h2.g(x)) * h2.C", H2),
    "what a library has not": (
        "if not hasattr(np, 'trapezoid'): np.trapezoid = np.trapz\ndef f(x): return np.trapezoid(x**2)", {}),
    "attributes of a function": (
        "def h(x): return x**2\nh.calls = 0\nh.__doc__ = 'h'\ndef f(x): return np.sum(h(x))", {}),
    "a value that a function binds anew by what it is read from": (
        "K = 1.0\ndef g(x): return x**2 * K\ndef put(): g.__globals__['K'] = 5.0\nput()\n"
        "def f(x): return np.sum(g(x))", {}),
    "star imports under a test": (
        "import h2\nif h2.C > 1:\n    from h2 import *\nelse:\n    from h3 import *\n"
        "def f(x): return np.sum(x**2) * C", H2 | {"h3.py": "C = 4.0\n"}),
    "star imports under a test that bind the library to its name again": (
        "import h2\nif h2.C > 1:\n    from h3 import *\nelse:\n    from h4 import *\n"
        "def f(x): return np.sum(cast(Float, np.array(x)**2)) * h2.C",
        H2 | {"h3.py": "from typing import cast\nFloat = float\n",
              "h4.py": "import numpy as np\nfrom typing import cast\nFloat = int\n"}),
}  # fmt: skip

REFUSED: dict[str, tuple[str, dict[str, str], str]] = {
    "a default": ("K = 2.0\ndef h(x, k=K): return x * k\nK = 5.0\ndef f(x): return np.sum(h(x) * x)", {}, "S212"),
    "its own default": ("K = 2.0\ndef f(x, k=K * 2): return np.sum(x**2 * k)\nK = 5.0", {}, "S212"),
    "an item as a default": (
        "W = [1.0, 2.0]\ndef h(x, k=W[0]): return x * k\nW[0] = 5.0\ndef f(x): return np.sum(h(x))", {}, "S212"),
    "a function as a default": (
        "def h(x): return x**2\ndef g(x, fn=h): return fn(x)\ndef h(x): return x**3\ndef f(x): return np.sum(g(x))",
        {}, "S212"),
    "a default that is drawn": ("def f(x, w=np.random.rand(4)): return np.sum(x * w)", {}, "S212"),
    "a default elsewhere": (
        "from h3 import g\ndef f(x): return np.sum(g(x)**2)",
        {"h3.py": "K = 2.0\ndef g(x, k=K): return x * k\nK = 5.0\n"}, "S301"),
    "a default of a lambda": (
        "K = 2.0\ng = lambda x, k=K: k * x**2\nK = 5.0\ndef f(x): return np.sum(g(x))", {}, "S301"),
    "a partial": (
        "import functools\nK = 2.0\ndef h(k, x): return k * x**2\ng = functools.partial(h, K)\nK = 9.0\n"
        "def f(x): return np.sum(g(x))", {}, "S301"),
    "another name of a function": (
        "def h(x): return x**2\ng = h\ndef h(x): return x**3\ndef f(x): return np.sum(g(x))", {}, "S301"),
    "a table of functions": (
        'def h(x): return x**2\nT = {"a": h}\ndef h(x): return x**3\ndef f(x): return np.sum(T["a"](x))', {}, "S217"),
    "a field of a dataclass": (
        "from dataclasses import dataclass\nK = 2.0\n@dataclass\nclass P:\n    k: float = K\nK = 9.0\n"
        "def f(x): return np.sum(P().k * x**2)", {}, "S204"),
    "an attribute of a class that is set": (
        'class C:\n    K = 2.0\n    def go(self, x): return x * self.K\nsetattr(C, "K", 5.0)\n'
        "def f(x): return np.sum(C().go(x)**2)", {}, "S204"),
    "an import under a condition": (
        "FAST = False\nif FAST:\n    from h3 import g\nelse:\n    from h2 import g\ndef f(x): return np.sum(g(x))",
        H2 | {"h3.py": "def g(x): return x**5\n"}, "S301"),
    "a def, and an import under a condition": (
        "def g(x): return x\nif len('a'):\n    from h2 import g\ndef f(x): return np.sum(g(x))", H2, "S301"),
    "a star import of what is not known": (
        "def g(x): return x\nfrom h3 import *\ndef f(x): return np.sum(g(x))",
        {"h3.py": '__all__ = ["k"]\n__all__.append("g")\ndef k(x): return x\ndef g(x): return x**5\n'}, "S301"),
    "a method that is replaced": (
        "class P:\n    def go(self, x): return x\ndef other(self, x): return x**3\nP.go = other\n"
        "def f(x): return np.sum(P().go(x) * x)", {}, "S204"),
    "a function of another module that is replaced": (
        "import h2\ndef k(x): return x**4\nh2.g = k\ndef f(x): return np.sum(h2.g(x))", H2, "S301"),
    "a function that vars binds": (
        'def h(x): return x\nvars()["h"] = np.exp\ndef f(x): return np.sum(h(x))', {}, "S301"),
    "a default that another module changes": (
        "import h3\nh3.W = np.zeros(4)\ndef f(x): return np.sum(h3.g(x)) + np.sum(h3.W)",
        {"h3.py": "import numpy as np\nW = np.ones(4)\ndef g(x, w=W): return x**2 * w\n"}, "S301"),
    "a default that is an attribute which another module changes": (
        "from h3 import Cfg, g\nCfg.K = 5.0\ndef f(x): return np.sum(g(x))",
        {"h3.py": "class Cfg:\n    K = 2.0\ndef g(x, k=Cfg.K): return x**2 * k\n"}, "S301"),
    "a default that another module's method changes": (
        "from h3 import cfg, g\ncfg.set(5.0)\ndef f(x): return np.sum(g(x))",
        {"h3.py": "class Cfg:\n    K = 2.0\n    def set(self, k): self.K = k\ncfg = Cfg()\n"
         "def g(x, k=cfg.K): return x**2 * k\n"}, "S301"),
    "a default that another module writes by out": (
        "from h3 import W, g\nnp.multiply(W, 3.0, out=W)\ndef f(x): return np.sum(g(x))",
        {"h3.py": "import numpy as np\nW = np.ones(4)\ndef g(x, k=W.sum()): return x**2 * k\n"}, "S301"),
    "a module that a function is given, which binds its names": (
        "import h2\ndef setup(m): m.C = 4.0\nsetup(h2)\ndef f(x): return np.sum(h2.g(x))", H2, "S301"),
    **{
        f"a default of what is written by {how}": (
            f"W = np.ones((2, 2))\ndef h(x, k=W.sum()): return x**2 * k\n{how}\ndef f(x): return np.sum(h(x))",
            {}, "S212")
        for how in (
            "np.copyto(W, 3.0)", "np.add(W, 3.0, out=W)", "np.add.at(W, 0, 3.0)", "np.fill_diagonal(W, 3.0)",
            "np.put(W, [0], 3.0)", "V = W.reshape(4); V[0] = 3.0", "V = np.asarray(W); V[0] = 3.0",
            "W.__setitem__(0, 3.0)")
    },
    **{
        f"a function of a module that is replaced by {how}": (
            f"import h2, sys, importlib\n{how}\ndef f(x): return np.sum(h2.g(x))", H2, "S301")
        for how in (
            "sys.modules['h2'].g = np.sin", "importlib.import_module('h2').g = np.sin", "__import__('h2').g = np.sin",
            "m = sys.modules['h2']; m.g = np.sin", "setattr(sys.modules['h2'], 'g', np.sin)",
            "sys.modules.get('h2').__dict__['g'] = np.sin", "n = 'h' + '2'; sys.modules[n].g = np.sin",
            "sys.modules['h2'] = np",
            "object.__setattr__(h2, 'g', np.sin)", "h2.__setattr__('g', np.sin)", "m = [h2]; m[0].g = np.sin",
            "def into(m):\n    def mark(k):\n        setattr(m, 'g', k)\n        return k\n    return mark\n"
            "@into(h2)\ndef other(x): return x**4",
            "h2.g.__defaults__ = (2.0,)", "h2.g.__code__ = h2.k.__code__")
    },
    "functions of any module": (
        "import h2, sys\nfor n, m in list(sys.modules.items()):\n    if n == 'h2': m.g = np.sin\n"
        "def f(x): return np.sum(h2.g(x))", H2, "S212"),
    "a module that a function of another module is given": (
        "import h2, h3\nh3.put(h2)\ndef f(x): return np.sum(h2.g(x))",
        H2 | {"h3.py": "def put(m): m.g = abs\n"}, "S301"),
    "a function of the file that another module replaces": (
        "import h3\ndef g(x): return x**2\nh3.put()\ndef f(x): return np.sum(g(x))",
        {"h3.py": "import sys\ndef put(): sys.modules['model'].g = abs\n"}, "S301"),
    **{
        f"a function of which is set {how}": (
            f"def h(x, k=2.0): return x * k\ndef h2(x, k=5.0): return x**2\n{how}\ndef f(x): return np.sum(h(x)**2)",
            {}, "S301")
        for how in (
            "h.__defaults__ = (3.0,)", "h.__code__ = h2.__code__", "def put(): h.__defaults__ = (3.0,)\nput()",
            "q = h; q.__defaults__ = (3.0,)", "setattr(h, '__defaults__', (3.0,))", "h.__kwdefaults__ = {'k': 3.0}")
    },
    "its own defaults": ("def f(x, k=2.0): return np.sum(x**2) * k\nf.__defaults__ = (3.0,)", {}, "S212"),
    "the default of a method": (
        "class P:\n    def go(self, x, k=2.0): return x * k\nP.go.__defaults__ = (3.0,)\n"
        "def f(x): return np.sum(P().go(x)**2)", {}, "S204"),
    **{
        f"a library with {how}": (
            f"import builtins, math\nkept = np.sin, builtins.max, math.sqrt\ndef put():\n    {how}\n"
            "def f(x): return np.sum(np.sin(x))", {}, "S301")
        for how in (
            "np.sin = np.cos", "np.cos = np.sin", "setattr(np, 'sin', np.cos)", "vars(np)['sin'] = np.cos",
            "builtins.max = min", "math.sqrt = abs")
    },
    **{
        f"a function that is bound anew by {how}": (
            f"import sys\ndef g(x): return x**2\n{how}\ndef f(x): return np.sum(g(x))", {}, "S301")
        for how in (
            "G = globals()\nG['g'] = np.sin", "M = sys.modules[__name__]\nM.g = np.sin",
            "sys.modules[__name__].g = np.sin",
            "M = sys.modules[__name__]\ndef put(): M.g = np.sin", "g.__globals__['g'] = np.sin",
            "for n in ['g']: globals()[n] = np.sin", "def put(**kw): globals().update(kw)\nput(g=np.sin)",
            "def put(n): globals()[n] = np.sin\nput('g')", "globals().update({n: np.sin for n in ['g']})")
    },
    **{
        f"a library under another name: {how}": (f"{how}\ndef f(x): return np.sum(np.sin(x))", {}, "S301")
        for how in ("n = np\nn.sin = np.cos", "m = n = np\nn.sin = np.cos", "def put(m): m.sin = np.cos\nput(np)",
                    "n = np\nsetattr(n, 'sin', np.cos)",
                    "def put(m):\n    for s in ['sin']: setattr(m, s, np.cos)\nput(np)")
    },
    "a function that a text binds which is timed": (
        "from timeit import timeit\ndef g(x): return x**2\ntimeit('global g; g = np.sin', globals=globals())\n"
        "def f(x): return np.sum(g(x))", {}, "S301"),
    "a library that another module changes": (
        "import h3\ndef f(x): return np.sum(np.sin(x))",
        {"h3.py": "import numpy\ndef put(): numpy.sin = numpy.cos\n"}, "S301"),
    "a function in the place of an import that fails": (
        "try:\n    from h3 import g\nexcept ImportError:\n    def g(x): return x**4\ndef f(x): return np.sum(g(x))",
        {"h3.py": FAST}, "S301"),
    "an import that may fail": (
        "try:\n    from h3 import g\nexcept ImportError:\n    from h2 import g\ndef f(x): return np.sum(g(x))",
        H2 | {"h3.py": f"import sys\nif len(sys.path) > 99:\n    {FAST}"}, "S301"),
    "a function under a star import under a test": (
        "def k(x): return x\nFLAG = False\nif FLAG:\n    from h2 import *\ndef f(x): return np.sum(k(x)**2)",
        H2, "S301"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def forget_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    before = {name: sys.modules.pop(name, None) for name in ("model", "h2", "h3")}
    yield
    for name, module in before.items():
        sys.modules.pop(name, None)
        if module is not None:
            sys.modules[name] = module


def derived(tmp_path: Path, text: str, others: dict[str, str]) -> str:
    text = f"import numpy as np\n{text}\n"
    for name, other in {**others, "model.py": text}.items():
        (tmp_path / name).write_text(other)
    return differentiate(text, Request(functions=("f",), emit=("jvp",), read=files.reader(tmp_path)))


@pytest.mark.parametrize("name", RIGHT)
def test_the_values_are_those_of_the_primal(name: str, tmp_path: Path) -> None:
    text = derived(tmp_path, *RIGHT[name])
    f = importlib.import_module("model").f
    value, tangent = checking.evaluate(text, "<derivative>")["f_jvp"](X, x_dot=X[::-1])
    want, _ = numeric.along(f, (X,), [0], X[::-1])
    assert value == pytest.approx(f(X), rel=1e-14)
    assert tangent == pytest.approx(want[0], rel=1e-8)


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_computed_before_the_module_is_done(name: str, tmp_path: Path) -> None:
    text, others, code = REFUSED[name]
    with pytest.raises(S2SError) as fault:
        derived(tmp_path, text, others)
    assert {d.code for d in fault.value.diagnostics} == {code}


def test_a_list_that_is_only_read_is_copied(tmp_path: Path) -> None:
    source = (
        "W = [1.0, 2.0]\nN = len(W)\nV = np.array(W)\n\n\n"
        "def scaled(x, w):\n    s = w[0]\n    s += x\n    return s\n\n\n"
        "def f(x):\n    v = list(W)\n    v[0] = 3.0\n    return np.sum(scaled(x, W)) * v[0]\n"
    )
    assert "\nW = [1.0, 2.0]\n" in derived(tmp_path, source, {})
