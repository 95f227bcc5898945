"""Solve graphs: compute the value of every position, and answer questions about positions and sums."""
