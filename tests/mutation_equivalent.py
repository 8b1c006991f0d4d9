"""Mutants of the table that mean the same as the rule, or are judged by more than numbers, with the reason."""

ROOT = (
    "scipy_linalg.sqrt_frechet: root = root if is_real(e) else "
    "root.astype(call('numpy.result_type', root, e, like=root)) -> root = "
)
COMPLEX = "a cotangent that is complex where the root is real: tests/test_complex_programs.py"
EQUIVALENT: dict[str, str] = {
    ROOT + "root.astype(call('numpy.result_type', root, e, like=root)) if is_real(e) else root": COMPLEX,
    ROOT + "root if is_real(e) else root.astype(call(root, 'numpy.result_type', e, like=root))": COMPLEX,
    ROOT + "root if is_real(e) else root.astype(call('numpy.result_type', root, e))": COMPLEX,
    ROOT + "root if is_real(e) else root.astype(call('numpy.result_type', e, e, like=root))": COMPLEX,
    ROOT + "root if is_real(e) else root.astype(call('numpy.result_type', root, root, like=root))": COMPLEX,
    ROOT + "root if is_real(e) else root.astype(call('numpy.result_type', root, e, like=e))": COMPLEX,
    "scipy_linalg.sqrt_frechet: return sla.solve_sylvester(root, root, e) -> "
    "return sla.solve_sylvester(root, root, e)": "the same",
}
