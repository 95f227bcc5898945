"""Files of the lab's formats as other programs write them, and long labels in one of them."""

import pytest

from graphgame import read_game, write_game
from graphgame.errors import FormatError
from tests.core.io import test_real_files
from tests.core.io.test_real_files import DATA, FROM_0, LEFT, THREE, assert_read

NAMES = "the positions are the names of the nodes, not their ids, because a program generated ids such as {}"
READ = {
    "gephi.gexf": ({("start", "end")}, NAMES.format("0")),
    "gml2gv.gv": (FROM_0,),
    "graphviz.xdot.gv": (LEFT,),
    "graphviz_laid_out.dot": (LEFT,),
    "gvpr.gv": (LEFT,),
    "igraph.dot": (FROM_0,),
    "igraph.graphml": (LEFT, NAMES.format("n0")),
    "numpy.npy": (THREE,),
    "nx.gexf": (LEFT,),
    "nx.graphml": (LEFT,),
    "nx_data.graphml": (THREE,),
    "nx_edges.json": (LEFT,),
    "nx_links.json": (LEFT,),
    "pydot.dot": (LEFT,),
    "pygraphviz.dot": (LEFT,),
    "scipy.npz": ({(0, 1), (0, 2), (1, 2)},),
    "yed.graphml": ({("start", "end")}, NAMES.format("n0")),
}
"""Name -> the edges, and what the reader had to guess."""

REFUSED = {
    "nx_adjacency.json": (
        "is networkx's adjacency data, which graphgame does not read: in Python, GameGraph(networkx.adjacency"
    ),
    "pandas_records.json": (
        "which graphgame does not read: in Python, GameGraph(json.load(open({path!r}))) reads the file"
    ),
}


def test_the_tables_name_all_files():
    tables = (READ, REFUSED, test_real_files.READ, test_real_files.REFUSED)
    assert sorted(path.name for path in DATA.iterdir()) == sorted(name for table in tables for name in table)


@pytest.mark.parametrize(("name", "expected"), READ.items())
def test_read(name, expected):
    assert_read(name, expected)


@pytest.mark.parametrize(("name", "message"), REFUSED.items())
def test_refused(name, message):
    test_real_files.test_refused(name, message)


def test_a_format_without_columns():
    with pytest.raises(FormatError, match="graphml has no columns that --source and --target could choose"):
        read_game(DATA / "nx.graphml", source="a", target="b")


def test_long_labels(tmp_path):
    label = "x, y" * 50_000
    write_game([(label, "b")], tmp_path / "long.npz")
    assert list(read_game(tmp_path / "long.npz").edges) == [(label, "b")]
