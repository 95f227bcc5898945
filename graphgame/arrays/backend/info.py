"""What networkx asks about the backend while it is itself imported; so this imports nothing."""

__all__ = ["FUNCTIONS", "get_info"]

FUNCTIONS = {
    "ancestors": (),
    "bfs_edges": ("sort_neighbors",),
    "bfs_layers": (),
    "bfs_predecessors": ("sort_neighbors",),
    "bfs_successors": ("sort_neighbors",),
    "bidirectional_shortest_path": (),
    "dag_longest_path": ("default_weight", "topo_order"),
    "dag_longest_path_length": ("default_weight",),
    "descendants": (),
    "descendants_at_distance": (),
    "dfs_edges": ("sort_neighbors",),
    "dfs_postorder_nodes": ("sort_neighbors",),
    "dfs_predecessors": ("sort_neighbors",),
    "dfs_preorder_nodes": ("sort_neighbors",),
    "dfs_successors": ("sort_neighbors",),
    "has_cycle": (),
    "has_path": (),
    "is_directed_acyclic_graph": (),
    "is_strongly_connected": (),
    "is_weakly_connected": (),
    "number_strongly_connected_components": (),
    "number_weakly_connected_components": (),
    "shortest_path": ("weight", "method"),
    "shortest_path_length": ("weight", "method"),
    "single_source_shortest_path": (),
    "single_source_shortest_path_length": (),
    "single_target_shortest_path": (),
    "single_target_shortest_path_length": (),
    "strongly_connected_components": (),
    "to_numpy_array": (),
    "to_scipy_sparse_array": (),
    "topological_generations": (),
    "topological_sort": (),
    "weakly_connected_components": (),
}
"""The functions that run on arrays, each with its parameters that must be left alone."""


def get_info() -> dict[str, object]:
    """Return what networkx shows of the backend in its documentation."""
    return {
        "backend_name": "graphgame",
        "package": "graphgame",
        "short_summary": "On the arrays of a GameGraph, compiled where the graph is large.",
        "functions": {name: _documented(kept) for name, kept in FUNCTIONS.items()},
    }


def _documented(kept: tuple[str, ...]) -> dict[str, str]:
    return {"additional_docs": f"networkx itself runs where {' or '.join(kept)} is given."} if kept else {}
