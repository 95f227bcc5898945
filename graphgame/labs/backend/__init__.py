"""The networkx backend: functions of networkx on arrays, for a GameGraph or, with backend="graphgame", a DiGraph."""
