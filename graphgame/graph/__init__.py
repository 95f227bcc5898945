"""The explicit graph of positions: its rows, its labels, views for networkx, conversion from other libraries."""
