"""How loops over arrays are compiled, cached and run: with numba, otherwise as plain Python."""
