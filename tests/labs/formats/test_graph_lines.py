"""Lines of a graph's vertices and edges: the compiled loop and plain Python write the same text."""

import numpy as np

from graphgame.graph.gamegraph import GameGraph
from graphgame.labs.formats.graph_lines import graph_edge_lines, vertex_lines
from tests.core.io.test_edges import both


def test_parts_of_sums_are_counted(monkeypatch):
    sums = np.array([True, True, False, False])
    graph = GameGraph.from_arrays([0, 0, 0, 1, 1, 2], [2, 2, 3, 3, 3, 3], "abcd", sums=sums)

    def written():
        edges = "".join(graph_edge_lines(graph, graph.labels, "", ">", lambda times: f"*{times} "))
        return edges + "".join(vertex_lines(graph, graph.labels, "", lambda kind: f"={kind} "))

    assert both(written, monkeypatch) == ["a>c*2 a>d*1 b>d*2 c>d*1 a=sum b=sum c= d= "] * 2
