"""Generated games: their shapes, their sizes, and that a seed decides."""

from __future__ import annotations

import networkx as nx
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from graphgame import read_game, solve
from graphgame.cli import main
from graphgame.errors import LimitError, ParameterError
from graphgame.labs.scale.generators import SHAPES, edge_blocks, generate

FREE = ("random", "layered", "components")


class TestShapes:
    @pytest.mark.parametrize(
        ("shape", "vertices", "edges"),
        [
            (
                "grid",
                9,
                [(1, 2), (2, 3), (4, 5), (5, 6), (7, 8), (8, 9), (1, 4), (2, 5), (3, 6), (4, 7), (5, 8), (6, 9)],
            ),
            ("path", 4, [(1, 2), (2, 3), (3, 4)]),
            ("star", 4, [(1, 2), (1, 3), (1, 4)]),
            ("complete", 4, [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)]),
            *((shape, 1, []) for shape in SHAPES),
        ],
    )
    def test_small_ones(self, shape, vertices, edges):
        graph = generate(shape, vertices=vertices)
        assert sorted(graph.edges) == sorted(edges)
        assert list(graph) == list(range(1, vertices + 1))

    def test_all_values_of_a_complete_graph_differ(self):
        assert sorted(solve(generate("complete", vertices=90)).grundy.values()) == list(range(90))

    def test_layers(self):
        graph = generate("layered", vertices=30, edges=60, seed=3)
        assert {(v - 1) // 5 - (u - 1) // 5 for u, v in graph.edges} == {1}

    def test_components(self):
        graph = generate("components", vertices=95, seed=3)
        assert {(u - 1) // 10 == (v - 1) // 10 for u, v in graph.edges} == {True}
        assert max(map(len, nx.weakly_connected_components(graph))) <= 10

    @given(st.sampled_from(sorted(SHAPES)), st.integers(1, 60), st.integers(0, 9), st.booleans())
    def test_every_move_goes_upwards_unless_shuffled(self, shape, vertices, seed, shuffle):
        graph = generate(shape, vertices=vertices, seed=seed, shuffle=shuffle)
        assert nx.is_directed_acyclic_graph(graph)
        assert shuffle or all(u < v for u, v in graph.edges)


class TestSizes:
    @given(st.sampled_from(FREE), st.integers(1, 60), st.data())
    def test_exactly_as_many_as_asked_for(self, shape, vertices, data):
        edges = data.draw(st.integers(0, SHAPES[shape].edges(vertices)))
        graph = generate(shape, vertices=vertices, edges=edges)
        assert (len(graph), graph.number_of_edges()) == (vertices, edges)

    @pytest.mark.parametrize(
        ("shape", "edges", "vertices", "found"),
        [("grid", 12, 9, 12), ("grid", 23, 9, 12), ("path", 7, 8, 7), ("star", 0, 1, 0), ("complete", 11, 5, 10)],
    )
    def test_the_largest_with_no_more_edges(self, shape, edges, vertices, found):
        graph = generate(shape, edges=edges)
        assert (len(graph), graph.number_of_edges()) == (vertices, found)

    def test_the_largest_with_no_more_of_either(self):
        assert len(generate("path", vertices=10, edges=5)) == 6
        assert len(generate("path", vertices=5, edges=10)) == 5
        assert len(generate("grid", vertices=10)) == 9

    @pytest.mark.parametrize(("shape", "vertices"), [("random", 500), ("layered", 500), ("components", 2500)])
    def test_vertices_follow_from_edges(self, shape, vertices):
        graph = generate(shape, edges=5000)
        assert (len(graph), graph.number_of_edges()) == (vertices, 5000)

    @pytest.mark.parametrize("shape", FREE)
    def test_there_are_enough_vertices_for_the_edges(self, shape):
        assert [edge_blocks(shape, edges=edges).edges for edges in range(0, 1500, 10)] == list(range(0, 1500, 10))

    @pytest.mark.parametrize("shape", sorted(SHAPES))
    def test_a_usual_size(self, shape):
        assert len(generate(shape)) == 100

    @pytest.mark.parametrize("vertices", [3, 10**5])
    def test_all_pairs_are_numbered(self, vertices):
        from graphgame.labs.scale.generators import _pair, np

        most = vertices * (vertices - 1) // 2
        numbers = np.unique(np.array([0, 1, 2, most // 2, most - 2, most - 1]))
        low, high = _pair(numbers)
        assert (high * (high - 1) // 2 + low == numbers).all()
        assert ((low >= 0) & (low < high) & (high < vertices)).all()


class TestSeeds:
    @pytest.mark.parametrize("shape", FREE)
    def test_the_seed_decides(self, shape):
        same = [list(generate(shape, vertices=200, seed=4, shuffle=True).edges) for _ in range(2)]
        assert same[0] == same[1] != list(generate(shape, vertices=200, seed=5, shuffle=True).edges)

    @pytest.mark.parametrize("shape", sorted(SHAPES))
    def test_shuffling_keeps_the_game(self, shape):
        plain, mixed = (solve(generate(shape, vertices=64, tokens=3, shuffle=shuffle)) for shuffle in (False, True))
        assert sorted(plain.grundy.values()) == sorted(mixed.grundy.values())
        assert [plain.grundy[token] for token in plain.tokens] == [mixed.grundy[token] for token in mixed.tokens]

    def test_tokens(self):
        assert generate("path").tokens == (1,)
        assert generate("path", tokens=3).tokens == (1, 2, 3)
        assert generate("path", tokens=0).tokens == ()


class TestRefusals:
    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (
                {"shape": "blob"},
                "unknown shape 'blob': expected one of random, grid, path, star, layered, complete, comp",
            ),
            ({"shape": "path", "vertices": 0}, "invalid vertices 0: expected an integer of 1 or more"),
            ({"shape": "path", "edges": -1}, "invalid edges -1: expected an integer of 0 or more"),
            ({"shape": "path", "tokens": -1}, "invalid tokens -1: expected an integer of 0 or more"),
            ({"shape": "path", "seed": -1}, "invalid seed -1: expected an integer of 0 or more"),
            ({"shape": "path", "vertices": 2, "tokens": 3}, "3 tokens on 2 vertices: at most one token can stand on"),
            (
                {"shape": "random", "vertices": 4, "edges": 7},
                r"too many edges \(7\): the shape random with 4 vertices has at most 6",
            ),
            (
                {"shape": "layered", "vertices": 4, "edges": 5},
                r"too many edges \(5\): the shape layered with 4 vertices has at most 4",
            ),
        ],
    )
    def test_sizes_that_do_not_exist(self, arguments, message):
        with pytest.raises(ParameterError, match=message):
            generate(**arguments)

    @pytest.mark.parametrize("shape", sorted(SHAPES))
    @pytest.mark.parametrize("size", [{"vertices": 10**18}, {"edges": 10**18}])
    def test_sizes_beyond_memory(self, shape, size):
        with pytest.raises(LimitError, match="at most 500000000 vertices and 500000000 edges can be generated"):
            generate(shape, **size)

    def test_a_grid_beyond_a_small_limit(self):
        with pytest.raises(LimitError):
            edge_blocks("grid", edges=1000, most=7)


class TestBlocks:
    @given(st.sampled_from(sorted(SHAPES)), st.integers(1, 60), st.integers(0, 9), st.booleans(), st.data())
    def test_blocks_are_of_bounded_size_and_together_the_game(self, shape, vertices, seed, shuffle, data):
        edges = data.draw(st.none() if shape not in FREE else st.integers(0, SHAPES[shape].edges(vertices)))
        asked = {"vertices": vertices, "edges": edges, "seed": seed, "shuffle": shuffle}
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("graphgame.labs.scale.generators._EDGES_OF_BLOCK", 7)
            game, graph = edge_blocks(shape, **asked), generate(shape, **asked)
        pairs = [list(zip(*(end.tolist() for end in ends), strict=True)) for ends in game.blocks]
        assert game.edges == sum(map(len, pairs)) == len({pair for block in pairs for pair in block})
        assert sorted((u + 1, v + 1) for block in pairs for u, v in block) == sorted(graph.edges)
        assert len(pairs) == max(1, -(-game.edges // 7))
        assert (game.vertices, tuple(game.tokens)) == (len(graph), graph.tokens)

    def test_parquet_is_the_same_game(self, tmp_path):
        size = ["random", "--vertices", "2e2", "--edges", "3e2", "--seed", "4", "--shuffle", "--tokens", "3"]
        for name in ("game.parquet", "game.npz"):
            CliRunner().invoke(main, ["generate", *size, "-o", str(tmp_path / name)], catch_exceptions=False)
        blocks, whole = (read_game(tmp_path / name) for name in ("game.parquet", "game.npz"))
        assert list(blocks) == list(range(1, 201))
        assert sorted(blocks.edges) == sorted(whole.edges)
        assert blocks.tokens == whole.tokens
