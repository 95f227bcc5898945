"""The table of this lab's graph formats: their names, file suffixes, and the modules that read and write them.

The core adds it to its own table.
"""

from __future__ import annotations

from functools import partial

from graphgame.errors import Message
from graphgame.io.format import Format

_TABLE = partial(Format, family="labs.formats.tables", named_columns=True)

FORMATS = (
    Format("dot", (".dot", ".gv"), "labs.formats.dot_graphs", Message("Graphviz DOT"), with_kinds=True),
    Format("graphml", (".graphml",), "labs.formats.xml_graphs", Message("GraphML"), with_kinds=True),
    Format("gexf", (".gexf",), "labs.formats.xml_graphs", "GEXF", options={"kind": "gexf"}, with_kinds=True),
    Format(
        "node-link",
        (".json",),
        "labs.formats.node_link",
        Message("node-link JSON, as networkx writes it"),
        with_kinds=True,
    ),
    _TABLE("parquet", (".parquet",), description=Message("Parquet: columns source and target"), magic=(b"PAR1",)),
    _TABLE(
        "arrow",
        (".arrow", ".feather"),
        description=Message("Arrow file or Feather: columns source and target"),
        options={"kind": "arrow"},
        magic=(b"ARROW1\0\0", b"\xff\xff\xff\xff"),
    ),
    Format(
        "npy",
        (".npy",),
        "labs.formats.arrays",
        Message("NumPy array of edges, shape (m, 2)"),
        options={"kind": "npy"},
        magic=(b"\x93NUMPY",),
    ),
    Format(
        "npz",
        (".npz",),
        "labs.formats.arrays",
        Message("NumPy arrays source and target, or SciPy's sparse matrix"),
        magic=(b"PK\3\4",),
        with_kinds=True,
    ),
)
