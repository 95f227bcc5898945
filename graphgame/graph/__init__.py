"""The explicit graph of positions: its arrays, its labels, views for networkx, conversion from other libraries."""
