"""From a table to a theorem: formulas that fit, and proofs of them for positions of any size, by automata."""
