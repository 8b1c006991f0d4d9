"""Mutants of the table that mean the same as the rule, with the reason.

The keys are regular expressions for the titles of mutants: a whole title, or what a kind of change looks like. A
backreference asks that nothing else is changed.
"""

from __future__ import annotations

SAME_VALUE = "chooses another way of writing the same numbers: a text, or the helper for operands of unknown rank"
RANK = "only the rank or the shape of this argument is read, and it is the same"
TRACED = "read only for whether a rule is traced"
TAKEN = "the case that it would change is taken before"
SYMMETRIC = "symmetric"
LENGTH = "the two lists have one length"
SQUARE = "the matrix is square"
WHOLE = "a whole number, or its part after the point is not read: it carries no derivative"
NUMBER = "the same number, whose operand says whether it is written by name"
EQUIVALENT: dict[str, str] = {
    # ------------------------------------------------------------ anywhere
    r"zip\((.+), strict=True\).* -> .*zip\(\1\)": "the lists have one length by their making",
    r"zip\((.+), cycle\(.+\), strict=False\).* -> .*zip\(\1, ": "strict is false by itself",
    r": (.*) \* np\.ones_like\(([\w, =.]+)\)(.*) -> \1 / np\.ones_like\(\2\)\3$": "a division by 1",
    r": (.*)\bpi\(\w+\)(.*) -> \1pi\(\w+\)\2$": NUMBER,
    r": (.*)like=\w+(.*) -> \1like=\w+\2$": TRACED,
    r"np\.maximum\((.+), (0|0\.0|1\.0|a_min)\).* -> .*np\.maximum\(\2, \1\)": SYMMETRIC,
    r"np\.convolve\((.+), v, 'valid'\) -> np\.convolve\(v, \1, 'valid'\)": SYMMETRIC,
    r"sp\.elliprd\((.+), (.+), (.+)\)(.*) -> .*sp\.elliprd\(\2, \1, \3\)\4$": SYMMETRIC,
    # ------------------------------------------------------------ NumPy
    r"elementwise\.power_a: return 0\.0 \* g -> return 0\.0 \* (a|out)$": "zeros of the same shape",
    r"signal\.np\.kaiser: .* -> g @ h\._kaiser_slope": "the product of two vectors",
    r"signal\.interp_fp: .*_bar_fp\(g, x, xp, fp, .* -> .*_bar_fp\(g, x, xp, xp,": "only its length is read",
    r"reductions\.(nan_)?shares: at_out = .*dtype_of": "an extremum has the dtype of the elements",
    r"reductions\.log_shares: .* -> parts = np\.exp\(np\.where\(x == out, 1\.0": "a factor that all the shares have",
    r"statistics\.average_dot: weights -> (out|axis|keepdims)$": SAME_VALUE,
    r"statistics\.(cov|corrcoef)_dot: .*np\.zeros_like.* -> .*np\.ones_like": "a constant tangent is centred away",
    r"products\.matmul_a: n > 2 -> n >= 2$": TAKEN,
    r"products\.(same_stack|vdot_a|tensordot_b): (return m is not None|ranks = |m is None or)": SAME_VALUE,
    r"products\.(matmul_[ab]|dot_b): return (g @ b\.T|a\.T @ g) -> ": "of a sparse matrix: judged by programs",
    r"products\.explicit: letters = .* -> letters = .*\.replace\('', ','\)": "commas are no letters that occur once",
    r"products\.same_lengths: .* -> return dims\(b\) is not None and dims\(a\) == dims\(b\)": SYMMETRIC,
    r"decompositions\.of_its_rank: .*isinstance\(c, float\)": "a cut-off of -1 is guarded, and the guard passes",
    r"max\(n - 1, 0\) if .* -> return max\(0, n - 1\) if": SYMMETRIC,
    r"sorting\.weighted: .* -> return method is not None and": SAME_VALUE,
    r"ufuncs\.(widened|outer_bar): m is (not )?None": SAME_VALUE,
    r"ufuncs\.outer_bar: .*_outer_sum\(e, g, a, first\) -> .*_outer_sum\(e, out, a, first\)": RANK,
    r"ufuncs\.outer_dot: part, own, other = .* -> .*, (b|out)\) if b_dot is None else .*, (a|out)\)$": (
        "whether there is an axis to spread a tangent along, which does no harm where there is none"
    ),
    r"ufuncs\.outer_dot: spread = .* -> .*set\(names_of\(part\)\) < ": "no part reads an operand by both its names",
    r"(ufuncs\.behind|shaping\.along): .* -> .* if axis <= 0 else": TAKEN,
    r"shaping\.item_dot: .* -> .*np\.mean\(g\)": "of one element",
    r"shaping\.np\.extract: .*h\._places\(x\).* -> .*h\._places\(condition\)": "places count alike",
    r"shaping\.np\.insert: .*values, (.*)\[0\] -> .*(obj|axis), \1\[0\]": "what is inserted has no part in x",
    r"shaping\.select_(x|default): (.*)len\(choicelist\)(.*) -> \2len\(condlist\)\3$": LENGTH,
    r"shaping\.meshgrid_x: .* else g\[item\] -> .* else g\[sparse\]": "the first of one, where `sparse` is False",
    r"shaping\.(line|exponent)_end: (.*)part\(g, (.*) -> \2part\(\w+, \3$": TRACED,
    r"shaping\.points_dot: (.*)part\(out, (.*) -> \1part\(\w+, \2$": TRACED,
    r"shaping\.\w+space_\w+: .*between_numbers\(start, stop\).* -> .*between_numbers\(stop, start\)": SYMMETRIC,
    r"shaping\.\w+space_dot: .*between_numbers\(start, stop\).* -> .*between_numbers\((out, stop|start, out)\)": (
        "then points between numbers are scaled row by row too, which is the same"
    ),
    r"fft\.from_real: .*every_axis\(a\).* -> .*every_axis\(g\)": RANK,
    r"fft\.for suffix, .*several_axes\('(i?)fft' \+ suffix, 'i?fft' \+ .* -> several_axes": (
        "each of the two is the entry of the other then"
    ),
    r"fft\.for suffix, .*: 'rfft' \+ suffix -> ": "`to_real` asks for no function",
    # ------------------------------------------------------------ linear algebra
    r"decompositions\.cholesky_(a|dot): .* -> .*(transposed\(g, g\)|transposed\(out\)\), g\))": RANK,
    r"decompositions\.cholesky_dot: .* -> .*(transposed\(g, upper\)|, upper\) if upper)": SAME_VALUE,
    r"decompositions\.svd_dot: full_matrices is False and .* -> full_matrices is not False and": SAME_VALUE,
    r"linalg\.solve_a: .*solve_adjoint\(g, a, (g|a|out)\)": RANK,
    r"linalg\.solve_dot: .* -> .*h\._solve_dot\(a, b_dot, out, a_dot, b_dot\)": RANK,
    r"linalg\.norm_x: .*vector_norm_x\(g, x, out, ord, axis\) -> .*ord, \w+\)": "read for an order at run time",
    r"linalg\.power_a: return inv_a\(g, a, (.*) -> return inv_a\(g, g, \1$": RANK,
    r"linalg\.chain: len\(arrays\) > 2 -> len\(arrays\) >= 2$": SAME_VALUE,
    r"linalg\.np\.linalg\.cross: cross_part\((.*), [ab], axis\) -> cross_part\(\1, g, axis\)": (
        "an operand that is as long as the cotangent was not broadcast"
    ),
    r"linalg\.matrix_norm_x: (.*)per_matrix\(g, x\)(.*) -> \1per_matrix\(g, (ord|keepdims)\)\2$": SAME_VALUE,
    r"linalg\.cond_(x|dot): .* -> .*(summed\(.*, p\)|per_matrix\(g, p\))": SAME_VALUE,
    r"linalg\.(cond|matrix_norm)_dot: .*change\(g, ": SYMMETRIC,
    r"complex_numbers\.np\.polyfit: .* -> .*_bar\(g, x, y, g\)\[1\]": "only its length is read",
    r"linalg\.trace_x: return per_matrix\(g, x\) (.*) -> return per_matrix\(g, offset\) \1$": SAME_VALUE,
    r"linalg\.np\.linalg\.tensorinv: h\._tensorinv_dot\(g, a, out\) -> h\._tensorinv_dot\(g, (g|out), out\)": RANK,
    r"linalg\.(np\.linalg\.)?tensorsolve\w*: .*_adjoint\(g, a, out.* -> .*_adjoint\(g, a, [gb]": RANK,
    r"polynomials\.np\.polyfit: .*, out\)\[1\] -> .*, g\)\[1\]": RANK,
    r"scipy_linalg\.system: (.*)given\(assume_a=assume_a\)(.*) -> ": "how it is solved, not what comes out",
    r"scipy_linalg\.solve_a: (.*)out, b, a\) -> \1out, (g|out), a\)": RANK,
    r"scipy_linalg\.solve_triangular_a: (.*)\*pair, b, a\)(.*) -> \1\*pair, (g|out), a\)\2": RANK,
    r"scipy_linalg\.second_frechet: n, zero = ": RANK,
    r"signal\.trapezoid_dx: .*bar_dx\(g, y, dx.* -> .*bar_dx\(g, y, axis": RANK,
    r"products\.cross_bar: .* -> rank, along = \(ndim\((left|right|other)\)": RANK,
    r"scipy_linalg\.cho_solve_dot: moved = .* -> moved = h\._cho_moved\(c_and_lower\[0\], c_and_lower_dot,": SYMMETRIC,
    r"scipy_linalg\.log_frechet: n = np\.shape\(a\)\[0\] -> n = np\.shape\((a|e)\)\[[01]\]": SQUARE,
    r"scipy_linalg\.log_frechet: .* -> .*np\.zeros_like\(e\), a": SQUARE,
    # ------------------------------------------------------------ math, builtins, special functions, distributions
    r"python\.extremum: .*x\[1 - k\]\) -> .*x\[k - 1\]\)": "the other one of two",
    r"python\.(each|start_bar|fsum_x): .*ndim\(start\) (== 0.* -> .*ndim\(start\) != 0)": SAME_VALUE,
    r"python\.each: Op\('numpy\.multiply', (.*), form=Form\.OPERATOR\) -> Op\('numpy\.multiply', \1\)": SAME_VALUE,
    r"python\.fsum_x: .*each\(g, x, item, 0\) -> .*each\(g, x, item, 1\)": RANK,
    r"scipy_special\.ratio: .* -> return x / \(y - \(x == 0\.0\) \* \(y == 0\.0\)\)": "0 divided by -1",
    r"scipy_special\.beta_density: .*betaln\(a, b\)(.*) -> .*betaln\(b, a\)\1$": SYMMETRIC,
    r"sp\.hyp2f1\(a \+ 1\.0, b \+ 1\.0, (.*) -> .*sp\.hyp2f1\(b \+ 1\.0, a \+ 1\.0, \1$": SYMMETRIC,
    r"sp\.special\.huber: np\.clip\(r, -delta, delta\)(.*) -> np\.clip\(-delta, r, delta\)\1$": "a median",
    r"sp\.special\.i1e: (.*)np\.sign\(x\)(.*) -> \1np\.sign\(out\)\2$": "an odd function has the sign of its argument",
    r"\bsp\.(kve?)\((\w) - 1, x\)(.*) -> .*sp\.\1\(1 - \2, x\)\3$": "K is even in its order",
    r"scipy_special\.harmonic_theta: .* -> return 0\.5 / inside \* \(up - down\) \* g": "1 or -1",
    r"scipy_stats\.log_standard: .* -> z = shifted\(loc, x, scale\)": "the density is even",
    r"norm\.ppf: (.*)gauss\(shifted\(out, loc, scale\)\)(.*) -> \1gauss\(shifted\(loc, out, scale\)\)\2$": (
        "the density is even"
    ),
    # ------------------------------------------------------------ complex numbers
    r"complex_numbers\.np\.complex(64|128): for_complex\((.*), adjoint=False\) -> for_complex\(\2\)$": (
        "the transpose of the identity is its adjoint"
    ),
    r"complex_numbers\.lstsq_dot: .*pinv_of\(a, a_dot\)": "shows where a cut-off is given: judged with real matrices",
    r"complex_numbers\.power_b: base = .* -> base = a \+ \(out == 0\.0\)": "the power is 0 where its base is",
    r"complex_numbers\.power_b: base = .* -> base = a - \(a == 0\.0\)": "its logarithm is multiplied by 0",
    r"complex_numbers\.power_b: .*base \+ 0j.* -> .*base - 0j": "the imaginary part of x - 0j is 0, not -0",
    r"scipy_linalg\.sqrt_frechet: .*result_type', root, 1j.* -> .*result_type', e, 1j": "both have one precision",
    r"scipy_linalg\.(sylvester|as_complex): return ": "a matrix that is real beside complex ones: judged by programs",
    r"shaping\.transpose_x: .* -> return axes if ndim\(g\) == 0": "of a number, which programs hand to it",
    # ------------------------------------------------------------ fences
    r"fences\.scipy\.special\.elliprd: without x": "its check refuses all but the number 0",
    r"fences\.scipy\.special\.(polygamma|yn|kn|spherical_\w+|expn|eval_hermite|eval_hermitenorm): without n": WHOLE,
    r"fences\.scipy\.special\.pdtr: without k": WHOLE,
    r"fences\.scipy\.stats\.(poisson|bernoulli|binom)\.logpmf: without [kn]$": WHOLE,
    r"fences\.numpy\.linalg\.matrix_norm: without ord": "its orders are a few numbers, which are apart",
    r"fences\.numpy\.unwrap: without discont": "it moves no element but across a jump",
    r"fences\.scipy\.sparse\.linalg\.spsolve: without A": "a sparse matrix that is active is refused before",
}
