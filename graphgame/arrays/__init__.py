"""Rows, labels and loops over arrays: what a graph is made of."""
