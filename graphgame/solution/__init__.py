"""Solve a graph: values by one pass over its reverse edges, the questions they answer, and sums."""
