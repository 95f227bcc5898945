"""Solve graphs: compute the value of every position in one pass, and answer questions about positions and sums."""
