"""The networkx backend: some of its functions on arrays, for a GameGraph or, with backend="graphgame", a DiGraph."""
