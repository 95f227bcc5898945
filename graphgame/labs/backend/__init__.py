"""networkx's functions on arrays: what networkx calls for a GameGraph, and what it may call for other DiGraphs."""
