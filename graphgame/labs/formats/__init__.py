"""Read and write the formats of other tools (DOT, GraphML, GEXF, JSON, Parquet, Arrow, NumPy).

Also converts graphs from and to SciPy, rustworkx and igraph, and from tables of pandas and polars.
"""

from graphgame.registry import register

register("formats", "formats", "labs.formats.catalogue:FORMATS")
register("values reader", "csv", "labs.formats.values:read_csv")
register("values reader", "json", "labs.formats.node_link:read_json_values")
register("values reader", "parquet", "labs.formats.tables:read_parquet_values")
register("values", "json", "labs.formats.node_link:write_json_values")
register("values", "parquet", "labs.formats.tables:write_parquet_values")
register("job", "edges of another library", "labs.formats.exchange:foreign_edges")
register("job", "networkx graph of another library", "labs.formats.exchange:with_attributes")
register("job", "graph in SciPy", "labs.formats.exchange:to_scipy")
register("job", "graph in rustworkx", "labs.formats.exchange:to_rustworkx")
register("job", "graph in igraph", "labs.formats.exchange:to_igraph")
register("job", "items written alike", "labs.formats.edge_items:items_alike")
