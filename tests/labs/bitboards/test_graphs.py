"""Games on graphs: Node Kayles, Arc Kayles, geography, colouring, and the graphs they are played on."""

import re
from functools import cache
from itertools import chain, product

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import explore
from graphgame.cli import main
from graphgame.games import ruleset
from graphgame.labs import heaps
from graphgame.labs.bitboards.graph_games import (
    ArcKayles,
    CannibalClobber,
    Colouring,
    DirectedGeography,
    Geography,
    NodeKayles,
)
from graphgame.labs.bitboards.play_graphs import _BUILT_IN, read_play_graph
from graphgame.rules.notation import parse_position
from graphgame.rules.ruleset import Sum
from tests import ROOT
from tests.brute import least_missing
from tests.notations import check_example, check_outcome_form, check_round_trip, graph_value, graph_values, table

GAMES = ["node-kayles", "arc-kayles", "cannibal-clobber", "geography", "directed-geography", "colouring"]


@st.composite
def graphs(draw, most=6):
    """Draw (vertices, directed edges), loops and both directions included."""
    names = "abcdef"[: draw(st.integers(1, most))]
    return names, draw(st.lists(st.sampled_from(list(product(names, names))), max_size=10))


def petersen(size):
    """Return a generalized Petersen graph, with ``size`` outer and ``size`` inner vertices."""
    each = ((f"u{i}", f"v{i}", f"u{(i + 1) % size}", f"v{(i + 2) % size}") for i in range(size))
    return "edges:" + ",".join(f"{outer}-{next_},{outer}-{inner},{inner}-{far}" for outer, inner, next_, far in each)


def edges_text(graph):
    names, edges = graph
    return f"edges:{','.join(chain(names, (f'{a}-{b}' for a, b in edges)))}"


def neighbours(graph):
    names, edges = graph
    return {v: {b for a, b in edges if a == v} | {a for a, b in edges if b == v} for v in names}


@pytest.mark.parametrize("name", GAMES)
def test_example(name):
    check_example(name)


@pytest.mark.parametrize("name", GAMES)
def test_every_graph_that_one_may_name_is_described(name):
    text = CliRunner().invoke(main, ["games", name]).stdout
    graphs = re.findall(r"^(\w+:\S+)  ", text, flags=re.MULTILINE)
    assert {graph.partition(":")[0] for graph in graphs} == {*_BUILT_IN, "edges", "file"}
    assert all(read_play_graph(graph).vertices for graph in graphs if graph != "file:PATH")
    page = (ROOT / "docs" / "games.md").read_text(encoding="utf-8")
    assert all(f"`{graph}`" in page for graph in graphs)


@pytest.mark.parametrize(
    "text",
    [
        "node-kayles(grid:2x3)",
        "node-kayles(path:0)",
        "node-kayles(path:9@1,2,4,8,9)",
        "node-kayles(edges:a-b,b-c,d)",
        "arc-kayles(edges:a-a,b-c,d)",
        "cannibal-clobber(path:9@1,2,4,8,9)",
        "cannibal-clobber(edges:a-a,b-c,c-d)",
        "geography(grid:3x3@2.2)",
        "geography(path:5@3:4,5)",
        "directed-geography(edges:a-b,b-a@a:)",
        "colouring{2}(path:5@4:2,5:12)",
        "colouring{3}(cycle:5)",
    ],
)
def test_round_trip(text):
    check_round_trip(text)


@pytest.mark.parametrize(
    ("name", "arguments", "start"),
    [
        ("node-kayles", "", "grid:3x3"),
        ("arc-kayles", "", "grid:2x4"),
        ("cannibal-clobber", "", "grid:2x4"),
        ("geography", "", "grid:3x3@2.2"),
        ("directed-geography", "", "edges:a-b,b-c,c-a,a-c,c-b@a"),
        ("colouring", "2", "grid:2x3"),
    ],
)
def test_every_position_has_a_text_and_one_representative(name, arguments, start):
    rules = ruleset(name, arguments)
    graph = explore(rules, rules.parse(start))
    positions = [position for position in graph.labels if type(position) is not Sum]
    assert len(positions) > 3
    for position in positions:
        assert rules.parse(rules.format(position)) == position
        assert rules.canonical(position) == position


class TestNodeKayles:
    @settings(max_examples=60)
    @given(graphs())
    def test_against_the_definition(self, graph):
        near = neighbours(graph)

        @cache
        def brute(left):
            return least_missing([brute(left - near[v] - {v}) for v in left])

        assert graph_value(f"node-kayles({edges_text(graph)})") == brute(frozenset(graph[0]))

    def test_queens(self):
        expected = table("node-kayles")["n-queens graph"]["expected"]
        assert [graph_value(f"node-kayles(queens:{n})") for n in range(8)] == expected[:8]

    @pytest.mark.parametrize(("rows", "most"), [(2, 10), (4, 5)])
    def test_grids(self, rows, most):
        expected = table("node-kayles")[f"{rows} x n grid"]["expected"]
        assert [graph_value(f"node-kayles(grid:{rows}x{n})") for n in range(1, most + 1)] == expected[:most]

    def test_paths_are_dawsons_kayles(self):
        expected = table("node-kayles")["arc kayles on looped paths = Kayles; arc kayles path n = 0.07"]["expected"]
        values = [graph_value(f"node-kayles(path:{n})") for n in range(0, 30)]
        assert values == expected["loopless"][:30]

    @pytest.mark.parametrize(
        ("text", "least"), [("grid:4x4", 15), ("grid:3x5", 20), ("grid:4x5", 40), ("grid:1x9", 5), ("queens:5", 15)]
    )
    def test_symmetry_tells_who_wins(self, text, least):
        rules = NodeKayles()
        assert check_outcome_form(rules, rules.parse(text)) >= least

    @pytest.mark.parametrize(
        ("text", "outcome"), [("8x8", "P"), ("10x12", "P"), ("9x9", "N"), ("7x11", "N"), ("5x6", None)]
    )
    def test_grids_of_any_size(self, text, outcome):
        rules = NodeKayles()
        assert rules.outcome_form(rules.parse(f"grid:{text}")) == outcome

    def test_other_graphs_have_no_symmetry_that_is_known(self):
        rules = NodeKayles()
        assert rules.outcome_form(rules.parse("path:4")) is None

    @given(st.integers(0, 2**12 - 1), st.integers(0, 2**12 - 1))
    def test_components_by_a_rim(self, mask, taken):
        game, _ = NodeKayles().on_board(NodeKayles().parse("grid:3x4"))
        for whole in game._all_components(mask, mask):
            left = whole & ~taken
            rim = sum(1 << v for v in range(12) if game.near[v] & taken & whole) & left
            assert set(game._all_components(left, rim or left)) == set(game._all_components(left, left))

    def test_moves_are_shown_by_what_remains(self):
        assert [str(move.end) for move in parse_position("node-kayles(path:3)").winning_moves()] == [
            "node-kayles(path:3@)"
        ]

    def test_board(self):
        rules = NodeKayles()
        assert rules.board(rules.parse("grid:2x3@1.1,1.2,2.2")) == "..#\n#.#"
        assert rules.board(rules.parse("path:3@2,3")) == "path:3@2,3"

    def test_each_way_is_listed_once(self):
        rules = NodeKayles()
        assert [way.touched for way in rules.ways(rules.parse("path:3@1,2"))] == [(0,), (1,)]


class TestArcKayles:
    @settings(max_examples=60)
    @given(graphs())
    def test_against_the_definition(self, graph):
        near = neighbours(graph)

        @cache
        def brute(left):
            return least_missing([brute(left - {a, b}) for a in left for b in near[a] & left])

        assert graph_value(f"arc-kayles({edges_text(graph)})") == brute(frozenset(graph[0]))

    def test_paths(self):
        expected = table("node-kayles")["arc kayles on looped paths = Kayles; arc kayles path n = 0.07"]["expected"]
        assert [graph_value(f"arc-kayles(path:{n})") for n in range(1, 31)] == expected["loopless"][:30]

    def test_looped_paths(self):
        expected = table("node-kayles")["arc kayles on looped paths = Kayles; arc kayles path n = 0.07"]["expected"]
        edges = [f"{n}-{n}" for n in range(1, 26)] + [f"{n}-{n + 1}" for n in range(1, 25)]
        text = f"edges:{','.join(edges)}"
        values = graph_values(ArcKayles(), ArcKayles().parse(text))
        first = [ArcKayles().parse(f"{text}@{','.join(map(str, range(1, n + 1)))}") for n in range(1, 26)]
        assert [values[position] for position in first] == expected["looped"][:25]

    @pytest.mark.parametrize("size", ["2x3", "3x3", "3x4", "4x4"])
    def test_grids_are_cram(self, size):
        assert graph_value(f"arc-kayles(grid:{size})") == graph_value(f"cram({size})")

    @pytest.mark.parametrize(("text", "least"), [("grid:4x4", 15), ("grid:3x4", 8)])
    def test_symmetry_tells_who_wins(self, text, least):
        assert check_outcome_form(ArcKayles(), ArcKayles().parse(text)) >= least


class TestCannibalClobber:
    @settings(max_examples=60)
    @given(graphs())
    def test_against_the_definition(self, graph):
        near = neighbours(graph)

        @cache
        def brute(stones):
            """Move a stone onto another one beside it, which is gone; the first one's place is empty."""
            return least_missing([brute(stones - {a}) for a in stones for b in near[a] & stones if a != b])

        assert graph_value(f"cannibal-clobber({edges_text(graph)})") == brute(frozenset(graph[0]))

    def test_rows_are_officers(self):
        """OEIS A046695."""
        values = heaps.octal("0.6").grundy_values(40).tolist()
        assert [graph_value(f"cannibal-clobber(path:{n})") for n in range(41)] == values

    @pytest.mark.parametrize(("text", "least"), [("grid:4x4", 15), ("grid:3x5", 10), ("queens:4", 3)])
    def test_symmetry_tells_who_wins(self, text, least):
        assert check_outcome_form(CannibalClobber(), CannibalClobber().parse(text)) >= least


class TestGeography:
    @staticmethod
    def brute(near):
        @cache
        def value(token, left):
            return least_missing([value(v, left - {v}) for v in near[token] & left])

        return value

    @settings(max_examples=60)
    @given(graphs())
    def test_undirected(self, graph):
        names = frozenset(graph[0])
        value = self.brute(neighbours(graph))
        for token in names:
            text = f"{edges_text(graph)}@{token}"
            expected = value(token, names - {token})
            assert graph_value(f"geography({text})") == expected
            assert Geography().outcome_form(Geography().parse(text)) == ("N" if expected else "P")

    @settings(max_examples=60)
    @given(graphs())
    def test_directed(self, graph):
        names = frozenset(graph[0])
        value = self.brute({v: {b for a, b in graph[1] if a == v} for v in names})
        for token in names:
            assert graph_value(f"directed-geography({edges_text(graph)}@{token})") == value(token, names - {token})

    @pytest.mark.parametrize(
        ("size", "token", "outcome"), [("4x5", "1.1", "N"), ("5x5", "1.1", "P"), ("5x5", "1.2", "N")]
    )
    def test_grids_by_their_matchings(self, size, token, outcome):
        position = Geography().parse(f"grid:{size}@{token}")
        assert Geography().outcome_form(position) == outcome
        if size == "4x5":
            assert parse_position(f"geography(grid:{size}@{token})").outcome == outcome

    def test_only_what_can_be_reached_counts(self):
        rules = DirectedGeography()
        assert rules.parse("edges:a-b,c-a,d-e@a") == rules.parse("edges:a-b,c-a,d-e@a:b")

    def test_board(self):
        assert Geography().board(Geography().parse("grid:2x3@2.2:1.1,1.2")) == "..#\n#T#"


class TestColouring:
    @settings(max_examples=40)
    @given(graphs(most=4), st.integers(1, 3))
    def test_against_the_definition(self, graph, colours):
        near = neighbours(graph)

        @cache
        def brute(given):
            colour_of = dict(given)
            after = [
                given | {(v, colour)}
                for v in graph[0]
                if v not in colour_of
                for colour in range(colours)
                if all(colour_of.get(u) != colour for u in near[v] - {v})
            ]
            return least_missing([brute(other) for other in after])

        assert graph_value(f"colouring{{{colours}}}({edges_text(graph)})") == brute(frozenset())

    @pytest.mark.parametrize("size", ["2x3", "3x3", "2x5"])
    def test_one_colour_is_node_kayles(self, size):
        assert graph_value(f"colouring{{1}}(grid:{size})") == graph_value(f"node-kayles(grid:{size})")

    def test_enough_colours_colour_everything(self):
        assert [graph_value(f"colouring{{3}}(path:{n})") for n in range(1, 6)] == [1, 0, 1, 0, 1]

    def test_wrong_number_of_colours(self):
        with pytest.raises(ValueError, match=r"invalid number of colours 10: expected 1\.\.9"):
            Colouring(10)

    def test_neighbours_without_a_common_colour_are_apart(self):
        text = "colouring{2}(path:2@1:1,2:2)"
        assert str(parse_position(text)) == "colouring{2}(path:2@1:1) + colouring{2}(path:2@2:2)"
