from s2s.rules.user import partials

partials("solver.ramp(x)", lambda x: 1.0 if x > 0.0 else 0.0)
