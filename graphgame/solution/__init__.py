"""The pass, what it answers, and sums: from a graph to who wins."""
