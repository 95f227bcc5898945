"""Whether values are right, by code that shares nothing with the solver."""
