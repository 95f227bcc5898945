"""The backend for networkx: its functions on arrays, for a GameGraph, and for other DiGraphs on request."""
