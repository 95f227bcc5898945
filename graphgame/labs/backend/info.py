"""The information about the backend that networkx reads while networkx itself is being imported.

So this module must not import anything.
"""

FUNCTIONS = {
    "ancestors": (),
    "bfs_edges": ("sort_neighbors",),
    "bfs_layers": (),
    "bfs_successors": ("sort_neighbors",),
    "bfs_tree": ("sort_neighbors",),
    "bidirectional_shortest_path": (),
    "compose": (),
    "condensation": ("scc",),
    "convert_node_labels_to_integers": ("ordering", "label_attribute"),
    "dag_longest_path": ("default_weight", "topo_order"),
    "dag_longest_path_length": ("default_weight",),
    "descendants": (),
    "descendants_at_distance": (),
    "dfs_edges": ("sort_neighbors",),
    "dfs_postorder_nodes": ("sort_neighbors",),
    "dfs_predecessors": ("sort_neighbors",),
    "dfs_preorder_nodes": ("sort_neighbors",),
    "dfs_successors": ("sort_neighbors",),
    "dfs_tree": ("sort_neighbors",),
    "disjoint_union": (),
    "find_cycle": ("orientation",),
    "has_cycle": (),
    "has_path": (),
    "immediate_dominators": (),
    "is_directed_acyclic_graph": (),
    "is_strongly_connected": (),
    "is_weakly_connected": (),
    "lexicographical_topological_sort": (),
    "number_strongly_connected_components": (),
    "number_weakly_connected_components": (),
    "relabel_nodes": ("copy",),
    "shortest_path": ("weight", "method"),
    "shortest_path_length": ("weight", "method"),
    "single_source_shortest_path": (),
    "single_source_shortest_path_length": (),
    "single_target_shortest_path": (),
    "single_target_shortest_path_length": (),
    "strongly_connected_components": (),
    "to_numpy_array": (),
    "to_pandas_edgelist": ("source", "target", "nodelist", "edge_key"),
    "to_scipy_sparse_array": (),
    "topological_generations": (),
    "topological_sort": (),
    "transitive_closure_dag": ("topo_order",),
    "transitive_reduction": (),
    "weakly_connected_components": (),
}
"""The functions that run on arrays, each with the parameters that must have their default values."""

KEEPING = {
    "compose",
    "convert_node_labels_to_integers",
    "disjoint_union",
    "relabel_nodes",
    "to_pandas_edgelist",
    "transitive_closure_dag",
}
"""The functions whose results keep node and edge attributes. For a graph with attributes, networkx's own code runs."""


def get_info() -> dict[str, object]:
    """Return what networkx needs to know about the backend, and what it shows in its documentation."""
    return {
        "backend_name": "graphgame",
        "package": "graphgame",
        "short_summary": "On the arrays of a GameGraph, compiled where the graph is large.",
        "functions": {
            name: {"additional_docs": f"networkx's own code runs if {' or '.join(fixed)} is not the default."}
            if fixed
            else {}
            for name, fixed in FUNCTIONS.items()
        },
    }
