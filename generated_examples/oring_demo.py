"""`make demo`: fit the Challenger O-ring data with the derivative that s2s writes.

On the morning of 28 January 1986 it was 31 degrees Fahrenheit at the launch pad; no launch before had been below 53.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]


def title(text: str) -> None:
    print(f"\n{'-' * 8} {text} {'-' * max(2, 100 - len(text))}\n")


def main() -> None:
    import s2s

    primal = (HERE / "oring.py").read_text()
    title("the function, as written by hand: generated_examples/oring.py")
    print(primal)

    text = s2s.differentiate(primal, s2s.Request(filename="oring.py"))
    title("its derivative, as written by s2s: generated_examples/oring_grad.py")
    print(text)
    written = (HERE / "oring_grad.py").read_text()
    print("(the file holds this text)" if written == text else "(the file holds another text: make examples)")

    from oring import distress_loss
    from oring_grad import distress_loss_value_and_grad

    title("the fit: scipy.optimize.minimize(distress_loss_value_and_grad, ..., jac=True)")
    data = np.genfromtxt(HERE / "data" / "oring.csv", delimiter=",", comments="#", skip_header=5, usecols=(1, 2))
    temperature, distressed = data.T
    fit = minimize(
        distress_loss_value_and_grad, np.zeros(2), args=(temperature, distressed), jac=True, method="BFGS", tol=1e-10
    )
    intercept, slope = fit.x[0] - 7.0 * fit.x[1], fit.x[1] / 10.0
    print(f"{len(temperature)} launches, {distressed.sum():.0f} rings with distress out of {6 * len(temperature)}")
    print(
        f"log-odds of one ring = {intercept:.4f} {slope:+.4f} * temperature   ({fit.nit} iterations, {fit.nfev} calls)"
    )
    for degrees in (80, 70, 60, 53, 31):
        risk = 1.0 / (1.0 + np.exp(-(intercept + slope * degrees)))
        print(f"  at {degrees} F: {100.0 * risk:5.1f} % for a ring, {6 * risk:.2f} rings of six expected")

    title("agreement with finite differences")
    for theta in (np.zeros(2), np.array([-2.0, -1.0]), fit.x):
        _, gradient = distress_loss_value_and_grad(theta, temperature, distressed)
        differences = np.empty(2)
        for k, step in enumerate(1e-6 * np.eye(2)):
            above = distress_loss(theta + step, temperature, distressed)
            below = distress_loss(theta - step, temperature, distressed)
            differences[k] = (above - below) / 2e-6
        error = np.max(np.abs(gradient - differences))
        print(f"theta = {theta}: s2s {gradient}, differences {differences}, apart {error:.1e}")
        if error > 1e-6:
            raise SystemExit("the gradient is wrong")


if __name__ == "__main__":
    main()
