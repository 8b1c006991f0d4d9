from s2s.rules.user import function, general

general("solver.march(u)", vjp=[lambda g, u: function("solver.march_bar")(g, u)])
