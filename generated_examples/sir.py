"""An epidemic in a closed population: susceptible, infected, recovered (Kermack and McKendrick, 1927)."""


def rates(s, i, beta, gamma):
    """Rates of change of the susceptible and the infected fractions."""
    infections = beta * s * i
    return -infections, infections - gamma * i


def runge_kutta_step(s, i, beta, gamma, dt):
    """One step of the classical Runge-Kutta method."""
    s1, i1 = rates(s, i, beta, gamma)
    s2, i2 = rates(s + 0.5 * dt * s1, i + 0.5 * dt * i1, beta, gamma)
    s3, i3 = rates(s + 0.5 * dt * s2, i + 0.5 * dt * i2, beta, gamma)
    s4, i4 = rates(s + dt * s3, i + dt * i3, beta, gamma)
    s = s + dt / 6.0 * (s1 + 2.0 * s2 + 2.0 * s3 + s4)
    i = i + dt / 6.0 * (i1 + 2.0 * i2 + 2.0 * i3 + i4)
    return s, i


# s2s: wrt=beta,gamma,i0 emit=value_and_grad
# s2s: observed (n_days,)
def misfit(beta: float, gamma: float, i0: float, observed, steps_per_day: int = 4):
    """Squared distance between the infected fraction of each day and what was observed."""
    dt = 1.0 / steps_per_day
    s = 1.0 - i0
    i = i0
    loss = 0.0
    for day in range(len(observed)):
        loss += (i - observed[day]) ** 2
        for step in range(steps_per_day):
            s, i = runge_kutta_step(s, i, beta, gamma, dt)
    return loss
