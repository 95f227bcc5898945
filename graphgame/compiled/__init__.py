"""How loops over arrays are compiled, cached and run: with numba, else as plain Python."""
