"""The graphs that games are played on: their notation, files and symmetries."""

from itertools import permutations, product

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphgame.errors import ParseError
from graphgame.labs.bitboards.graph_games import DirectedGeography
from graphgame.labs.bitboards.play_graphs import PlayGraph, automorphisms, read_play_graph
from graphgame.rules.notation import parse_position
from tests.labs.bitboards.test_graphs import petersen
from tests.notations import fault, graph_value


class TestPlayGraph:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("path:5", nx.path_graph(5)),
            ("path:0", nx.empty_graph(0)),
            ("cycle:5", nx.cycle_graph(5)),
            ("cycle:2", nx.path_graph(2)),
            ("complete:5", nx.complete_graph(5)),
            ("star:5", nx.star_graph(4)),
            ("grid:3x4", nx.grid_2d_graph(3, 4)),
            ("queens:2", nx.complete_graph(4)),
            ("edges:a-b,b-c,c-a", nx.complete_graph(3)),
            (" edges:a-b , c", nx.Graph([(0, 1), (2, 2)])),
        ],
    )
    def test_graphs(self, text, expected):
        graph = read_play_graph(text)
        found = nx.Graph((a, b) for a, mask in enumerate(graph.near) for b in range(len(graph.near)) if mask >> b & 1)
        found.add_nodes_from(range(len(graph.vertices)))
        expected.remove_edges_from(list(nx.selfloop_edges(expected)))
        assert nx.is_isomorphic(found, expected)

    def test_queens_see_each_other(self):
        graph = read_play_graph("queens:8")
        assert len(graph.vertices) == 64
        assert {graph.near[place].bit_count() for place in range(64)} == {21, 23, 25, 27}

    def test_symmetries_keep_the_edges(self):
        boards = [("grid:3x4", 4), ("grid:3x3", 8), ("grid:1x4", 2), ("grid:9x9", 8), ("queens:5", 8), ("queens:8", 8)]
        others = [
            ("path:4", 2),
            ("cycle:5", 10),
            ("star:5", 24),
            ("complete:4", 24),
            ("complete:9", 1),
            (petersen(7), 14),
        ]
        for text, count in (*boards, *others, ("edges:a-a,a-b,b-c", 1), ("edges:a-b,b-c,c-d,c-e,e-f,e-g", 2)):
            graph = read_play_graph(text)
            images = [graph.images(1 << place) for place in range(len(graph.vertices))]
            assert len({tuple(column) for column in zip(*images, strict=True)}) == count
            for a, near in enumerate(graph.near):
                assert list(map(int.bit_count, graph.images(near))) == [near.bit_count()] * count
                for turn, moved in enumerate(graph.images(near)):
                    assert graph.near[images[a][turn].bit_length() - 1] == moved

    @given(
        st.integers(1, 6).flatmap(
            lambda size: st.tuples(st.just(size), st.sets(st.tuples(*[st.integers(0, size - 1)] * 2)))
        )
    )
    def test_automorphisms_are_all_that_there_are(self, drawn):
        size, edges = drawn
        near = [0] * size
        for a, b in edges:
            near[a] |= 1 << b
            near[b] |= 1 << a
        expected = [
            tuple(1 << image for image in images)
            for images in permutations(range(size))
            if all(near[a] >> b & 1 == near[images[a]] >> images[b] & 1 for a, b in product(range(size), repeat=2))
        ]
        assert automorphisms(near) == ([] if len(expected) > 128 else expected[1:])

    @pytest.mark.parametrize(("size", "count"), [(31, 3 * 31), (43, 3 * 43)])
    def test_at_most_128_automorphisms(self, size, count):
        # The automorphisms map i to a * i + b modulo the size, where a is a cube root of 1.
        roots = [a for a in range(size) if a**3 % size == 1]
        near = [0] * (2 * size)
        for i, step in product(range(size), roots):
            for end in ((i + step) % size, size + i, size + (i + step) % size):
                near[i] |= 1 << end
                near[end] |= 1 << i
        assert len(automorphisms(near)) == (count - 1 if count <= 128 else 0)

    def test_equal_graphs_are_equal(self):
        one, other = read_play_graph("edges:a-b"), read_play_graph("edges:a-b")
        assert one == other
        assert hash(one) == hash(other)
        assert one != read_play_graph("edges:b-a")
        assert one != PlayGraph("edges:a-b", "ab", [("b", "a")])

    def test_directions(self):
        assert parse_position("directed-geography(cycle:2@2)").grundy == 1
        rules = DirectedGeography()
        picture = rules.picture(rules._journey(read_play_graph("edges:a-b,c-a,b-c,c-b"), 2, 0b11))
        a, b, c, *lines = zip(picture.cells, picture.places, strict=True)
        assert [(cell.kind, place) for cell, place in lines] == [
            ("arc", (*a[1], *b[1])),
            ("arc", (*c[1], *a[1])),
            ("edge", (*b[1], *c[1])),
        ]

    def test_files(self, tmp_path):
        path = tmp_path / "graph.txt"
        path.write_text("a b\nb c\nc a\nd\n")
        assert parse_position(f"node-kayles(file:{path})").grundy == 1 ^ 1
        assert parse_position(f"directed-geography(file:{path}@b)").grundy == graph_value(
            "directed-geography(edges:a-b,b-c,c-a,d@b)"
        )

    def test_an_undirected_file(self, tmp_path):
        path = tmp_path / "graph.dot"
        path.write_text("graph { a -- b }")
        with pytest.raises(ParseError, match="if the game ignores directions, any direction will do"):
            parse_position(f"node-kayles(file:{path})")

    def test_a_broken_file(self, tmp_path):
        path = tmp_path / "graph.csv"
        path.write_text("a,b\nc,d,e\n")
        with pytest.raises(ParseError, match=rf"^1:18: {path}:2:"):
            parse_position(f"node-kayles(file:{path})")

    def test_a_large_file(self, tmp_path):
        path = tmp_path / "graph.edges"
        path.write_text("".join(f"v{k} v{k + 1}\n" for k in range(1000)))
        with pytest.raises(ParseError, match="a graph of 1001 vertices: expected at most 1000"):
            parse_position(f"node-kayles(file:{path})")

    @pytest.mark.parametrize(
        ("text", "column", "message"),
        [
            ("node-kayles()", 13, "expected a graph, such as path:5, grid:4x5, edges:a-b,b-c or file:PATH"),
            ("node-kayles( pth:3)", 14, "but found 'pth:3'"),
            ("node-kayles(path)", 13, "but found 'path'"),
            ("node-kayles(path:-3)", 18, "the number of vertices is -3: expected 0..1000"),
            ("node-kayles(path:99999999999)", 18, "the number of vertices is 99999999999"),
            ("node-kayles(grid:4)", 18, "expected two sides, such as 4x2"),
            ("node-kayles(grid:999x999)", 18, "a grid of 998001 cells: expected at most 1000"),
            ("node-kayles(queens:21)", 20, "the board's side is 21: expected 0..20"),
            ("node-kayles(edges:a-b,b-)", 23, "expected an edge such as a-b, or a vertex, but found 'b-'"),
            ("node-kayles(edges:a-b-c)", 19, "but found 'a-b-c'"),
            ("node-kayles(path:3@1,4)", 22, "'4' is not a vertex of path:3"),
            ("arc-kayles(path:3@1,)", 21, "'' is not a vertex of path:3"),
            ("geography(path:3)", 17, "expected @ and the vertex with the token, as in path:5@3"),
            ("geography(path:3@x)", 18, "'x' is not a vertex of path:3"),
            ("directed-geography(path:3@1:2,x)", 31, "'x' is not a vertex of path:3"),
            ("colouring{0}(path:3)", 11, "the number of colours is 0: expected 1..9"),
            ("colouring{}(path:3)", 11, "expected an integer, the number of colours, but found ''"),
            ("colouring{2}(path:3@1)", 22, "expected the colours that the vertex may take: some of the digits 12"),
            ("colouring{2}(path:3@1:3)", 23, "expected the colours that the vertex may take: some of the digits 12"),
            ("colouring{2}(path:3@1:1,7:1)", 25, "'7' is not a vertex of path:3"),
        ],
    )
    def test_faults(self, text, column, message):
        found, said = fault(text)
        assert (found, message in said) == (column, True), said

    def test_a_file_that_is_not_there(self):
        with pytest.raises(FileNotFoundError):
            parse_position("node-kayles(file:nowhere.txt)")
