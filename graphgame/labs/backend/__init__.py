"""The networkx backend: networkx's functions on arrays, for a GameGraph or, with backend="graphgame", any DiGraph."""
