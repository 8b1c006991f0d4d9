"""Mutants of the table that mean the same as the rule, or are judged by more than numbers, with the reason.

The keys are regular expressions for the titles of mutants: a whole title, or what a kind of change looks like.
"""

from __future__ import annotations

SAME_VALUE = "chooses another way of writing the same numbers: a text, or the helper for operands of unknown rank"
RANK = "only the rank of this argument is read, and it is the same"
EQUIVALENT: dict[str, str] = {
    r"zip\((.+), strict=True\).* -> .*zip\(\1\)": "the lists have one length by their making",
    r" \* np\.ones_like\((\w+)\).* -> .* / np\.ones_like\(\1\)": "a division by 1",
    r"np\.maximum\((.+), (1\.0|a_min)\).* -> .*np\.maximum\(\2, \1\)": "symmetric",
    r"np\.hypot\((\w+), (\w+)\).* -> .*np\.hypot\(\2, \1\)": "symmetric",
    r"signal\.np\.correlate: np\.convolve\((.+), v, 'valid'\) -> np\.convolve\(v, \1, 'valid'\)": "symmetric",
    r"signal\.np\.kaiser: .* -> g @ h\._kaiser_slope": "the product of two vectors",
    r"signal\.interp_fp: .*_bar_fp\(g, x, xp, fp, .* -> .*_bar_fp\(g, x, xp, xp,": "only its length is read",
    r"(sorting\.quantile_rules: full|ufuncs\.outer_rule: low) = ": "names samples",
    r"reductions\.(nan_)?shares: at_out = .*dtype_of": "an extremum has the dtype of the elements",
    r"reductions\.log_shares: .* -> parts = np\.exp\(np\.where\(x == out, 1\.0": "a factor that all the shares have",
    r"linalg\.solve_a: .*solve_adjoint\(g, a, (g|a|out)\)": RANK,
    r"statistics\.average_dot: weights -> (out|axis|keepdims)$": SAME_VALUE,
    r"statistics\.(cov|corrcoef)_dot: .*np\.zeros_like.* -> .*np\.ones_like": "a constant tangent is centred away",
    r"products\.matmul_a: n > 2 -> n >= 2$": "two matrices are taken by the case before",
    r"products\.(same_stack|vdot_a|tensordot_b): (return m is not None|ranks = |m is None or)": SAME_VALUE,
    r"products\.(matmul_[ab]|dot_b): return (g @ b\.T|a\.T @ g) -> ": "of a sparse matrix: judged by programs",
    r"linalg\.norm_x: vector = ": SAME_VALUE,
    r"linalg\.power_a: ndim\(a\) == 2 -> ndim\(a\) != 2": SAME_VALUE,
    r"linalg\.chain: len\(arrays\) > 2 -> len\(arrays\) >= 2$": SAME_VALUE,
    r"ufuncs\.(widened|outer_bar): m is (not )?None": SAME_VALUE,
    r"ufuncs\.widened: .* -> .*tuple\(range\(m, m \+ n\)\) if n == 1 else m|ufuncs\.widened: .*m if n != 1": SAME_VALUE,
    r"python\.erf_x: .*pi\(x\).* -> .*pi\(g\)": "the same number, by its name in a text",
    r"scipy_linalg\.sqrt_frechet: root = ": "a cotangent that is complex where the root is real: judged by programs",
    r"scipy_linalg\.sqrt_frechet: return sla\.solve_sylvester\(root, root, e\) -> ": "the same",
}
