"""Games whose ``least_size`` exceeds the limits are refused before exploration."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import explore, parse_position
from graphgame.errors import LimitError, RulesetError
from graphgame.labs.tables.value_tables import value_table
from graphgame.rules.checking import Unsized, check
from graphgame.rules.ruleset import Ruleset, Sum


class Tells(Ruleset):
    """Rules with a ``least_size``, whose options must not be listed."""

    def __init__(self, *told):
        self.told = told

    def least_size(self, position):
        return self.told

    def options(self, position):
        raise AssertionError


class TestMechanism:
    @pytest.mark.parametrize(
        ("told", "said"),
        [
            ((21, 0), "it has at least 21 positions and 0 moves; the limits are max_positions=20 and max_moves=30"),
            ((1, 31), "it has at least 1 position and 31 moves"),
            (
                (10**5000, 10**9000),
                "it has at least 1,000,000,000,000,000,000 positions and 1,000,000,000,000,000,000 moves",
            ),
        ],
    )
    @pytest.mark.parametrize("start", [7, Sum([7, 8])])
    def test_options_are_not_listed(self, told, said, start):
        with pytest.raises(LimitError) as caught:
            explore(Tells(*told), start, max_positions=20, max_moves=30)
        assert f"the game is larger than the limit: {said}" in str(caught.value)
        # a number of moves beyond all memory leaves out how to raise the limit
        assert caught.value.limit == ("max_positions" if told[1] < 10**11 else None)

    @pytest.mark.parametrize("told", [("many", 0), (1,), (None, None)])
    def test_invalid_least_size_is_a_rule_error(self, told):
        with pytest.raises(RulesetError, match="Tells fails at the least size of 7: "):
            explore(Tells(*told), 7)

    @pytest.mark.parametrize("told", [(5, 0), (1, 7)])
    def test_self_check_finds_a_least_size_that_is_too_large(self, told):
        class Wrong(Tells):
            def options(self, position):
                return range(position)

        failed = [entry for entry in check(Wrong(*told), 3).checks if entry.passed is False]
        assert [entry.name for entry in failed] == ["least_size is at most the size of the graph"]
        assert failed[0].detail == f"the least size of 3 is {told}, but its graph has the size (4, 6)"


@pytest.mark.parametrize(
    "text",
    [
        "nim(1000000)",
        "bash{3}(10000000)",
        "take{1,2,3}(1000000000000000000000)",
        "take{3,5}(100000000)",
        "take{any}(1000000)",
        "take{not 2,3}(1000000)",
        "mixed(100000000,7,5)",
        "whiteboard{3}(100000000)",
        "lasker(100000)",
        "kayles(1000000)",
        "moore{2}(300,400,500)",
        "wythoff(5000,5000)",
        f"turning-corners({'/'.join(['h' * 100] * 100)})",
        "nimble(3,1,400000)",
        "chomp(30x30)",
        "chocolate(1000x1000)",
        "bitter-chocolate(500x500@20,30)",
        f"mock-turtles({'h' * 100})",
        f"rugs({'/'.join(['h' * 30] * 30)})",
        " | ".join(["nim(9)"] * 30),
    ],
    ids=lambda text: text[:30],
)
def test_large_games_of_the_catalogue_are_refused_before_exploration(text):
    with pytest.raises(LimitError, match="it has at least"):
        parse_position(text).graph()


def test_large_value_table_is_refused_without_computing_it():
    with pytest.raises(LimitError, match="it has at least"):
        value_table("chomp(30x30) + nim(1..2)")


SMALL = {
    "nim": st.integers(0, 9).map("nim({})".format),
    "bash": st.builds("bash{{{}}}({})".format, st.integers(1, 9), st.integers(0, 15)),
    "take": st.builds(
        "take{{{}}}({})".format,
        st.sampled_from(["1", "2", "2,5", "3,4,9", "any", "not 1", "not 2,3", "not 1,4,6", "odd", "even"]),
        st.integers(0, 20),
    ),
    "codes": st.builds(
        "code{{{}}}({})".format,
        st.sampled_from(["0.77", "0.07", "4.0", "0.6", "0.04", "0.001", "0.3F", "0.F", "0.2004", "0.0003", "4.7"]),
        st.integers(0, 14),
    ),
    "breaking": st.builds(
        "{}({})".format,
        st.sampled_from(["lasker", "grundy", "couples", "split{2..3}", "split{3 unequal}", "split{equal}"]),
        st.integers(0, 14),
    ),
    "mixed": st.builds("mixed({}:{})".format, st.integers(1, 3), st.integers(0, 12)),
    "whiteboard": st.builds("whiteboard{{{}}}({})".format, st.integers(1, 5), st.integers(1, 15)),
    "wythoff": st.builds("wythoff({},{})".format, st.integers(0, 9), st.integers(0, 9)),
    "moore": st.lists(st.integers(0, 4), min_size=1, max_size=4).map(
        lambda heaps: f"moore{{2}}({','.join(map(str, heaps))})"
    ),
    "chomp": st.lists(st.integers(1, 6), min_size=1, max_size=5).map(
        lambda rows: f"chomp({','.join(map(str, sorted(rows, reverse=True)))})"
    ),
    "chocolate": st.builds("chocolate({}x{})".format, st.integers(1, 8), st.integers(1, 8)),
    "bitter": st.builds("bitter-chocolate({0}x{1}@{0},1)".format, st.integers(1, 6), st.integers(1, 6)),
    "compound": st.builds(
        "nim({}) {} take{{1,2}}({})".format,
        st.integers(0, 4),
        st.sampled_from(["&", "&&", "|", "||", ":"]),
        st.integers(0, 5),
    ),
}


@pytest.mark.parametrize("family", SMALL)
@given(data=st.data())
@settings(max_examples=25)
def test_lower_bound_is_never_above_the_size_of_the_graph(family, data):
    compare(data.draw(SMALL[family]))


@pytest.mark.parametrize(
    "text",
    [
        "mock-turtles(hthh)",
        "twins(thht)",
        "coins{2,3}(hhhh)",
        "twins(hhhhhhh)",
        "coins{3 adjacent}(hhhhhhh)",
        "coins{2,3 within 2}(hhthhhh)",
        "coins{3 within 2}(hhhh)",
        "coins{any symmetric}(hhhhh)",
        "coins{1,2 first}(hhhh)",
        "acrostic{twins x ruler}(hh/th/hh)",
        "rugs(hh/th)",
        "tartan{twins x ruler}(hh/th)",
    ],
)
def test_coins(text):
    compare(text)


def compare(text):
    for part in parse_position(text).components:
        positions, moves = part.ruleset.least_size(part.position)
        graph = explore(Unsized(part.ruleset), part.position)
        assert 1 <= positions <= len(graph)
        assert 0 <= moves <= graph.number_of_edges()
