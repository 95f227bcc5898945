"""Sprouts."""

import networkx as nx
import pytest

from graphgame import explore, solve
from graphgame.games import sprouts
from graphgame.games.notation import parse_position
from graphgame.games.sprouts import Sprouts
from graphgame.rules.ruleset import Sum
from tests.notations import check_example, check_round_trip, fault, graph_value


def test_example():
    check_example("sprouts")


@pytest.fixture(scope="module")
def solutions():
    return {spots: solve(parse_position(f"sprouts({spots})").graph()) for spots in range(5)}


def test_values(solutions):
    assert [solutions[spots].nim_sum for spots in range(5)] == [0, 0, 0, 1, 1]


@pytest.mark.parametrize(("spots", "winner"), list(enumerate(["first", "first", "second", "second"])))
def test_misere_winners(spots, winner):
    assert solve(f"sprouts({spots})", play="misere").winner == winner


def test_a_game_takes_two_to_three_moves_a_spot(solutions):
    for spots, solution in list(solutions.items())[1:]:
        token = solution.tokens[0]
        assert solution.birthday[token] == 3 * spots - 1
        assert shortest(solution, token) == 2 * spots


def shortest(solution, token):
    """Return the length of the shortest play; that of a sum is the total of its parts."""
    lengths = {}
    graph = solution.graph
    for vertex in reversed(list(nx.topological_sort(graph))):
        after = [lengths[option] for option in (vertex if type(vertex) is Sum else graph.successors(vertex))]
        lengths[vertex] = sum(after) if type(vertex) is Sum else min((1 + length for length in after), default=0)
    return lengths[token]


@pytest.mark.parametrize("spots", [1, 2, 3])
def test_sorting_keeps_the_value(spots, monkeypatch, solutions):
    monkeypatch.setattr(sprouts, "_settled", lambda text: text + "!")
    graph = explore(Sprouts(), Sprouts().parse(str(spots)))
    assert len(graph) > len(solutions[spots].graph) or spots == 1
    assert solve(graph).nim_sum == solutions[spots].nim_sum


@pytest.mark.parametrize("spots", [1, 2, 3])
def test_what_is_left_out_changes_nothing(spots, monkeypatch, solutions):
    """Few lives, corners on one side, boundaries that are alike: each position is as long, and won alike, without."""
    rules = Sprouts()
    with monkeypatch.context() as plain:
        plain.setattr(sprouts, "_FEW", 1)
        plain.setattr(sprouts, "_merged", lambda boundary: boundary)
        plain.setattr(sprouts, "_alike", lambda region, lives, single: [[boundary] for boundary in region])
        graph = explore(rules, rules.parse(str(spots)))
    before, after = solve(graph), solutions[spots]
    positions = {label: rules.parse(label) for label in graph.labels if type(label) is not Sum}
    assert len(set(positions.values())) < len(positions) or spots == 1
    for position, image in positions.items():
        assert after.grundy[image] == before.grundy[position], position
        assert after.birthday[image] == before.birthday[position], position


def test_every_position_has_a_text(solutions):
    positions = [position for position in solutions[3].graph.labels if type(position) is not Sum]
    assert len(positions) > 100
    for position in positions:
        assert Sprouts().parse(position) == position


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("0.ab/ab!", "ba.0/ab!"),
        ("ab.0/ab!", "xy/0.xy!"),
        ("1a1a!", "z1z1!"),
        ("0.1a2b1/ab!", "ab/1b2a1.0!"),
        ("0.1a2b1/ab!", "ab/0.11b2a!"),
        ("0.1aa!", "0.21!"),
        ("2.2.2!", "222!"),
        ("0.ab/ab!", "0.ab/a.b!"),
    ],
)
def test_equal_positions_have_one_text(text, other):
    assert Sprouts().parse(text) == Sprouts().parse(other)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("!", 0),
        ("0!", 0),
        ("11!", 1),
        ("1!", 1),
        ("2.2!", 1),
        ("22!", 1),
        ("2!", 0),
        ("2/2!", 0),
        ("ab/ab!", 1),
        ("12!", 0),
    ],
)
def test_small_positions(text, value):
    assert graph_value(f"sprouts({text})") == value


def test_regions_without_a_common_spot_are_apart():
    assert str(parse_position("sprouts(11/0.0!)")) == "sprouts(11!) + sprouts(0.0!)"


def test_first_moves_of_two_spots():
    assert set(Sprouts().options("0.0!")) == {"1a1a!", "0.ab/ab!"}


@pytest.mark.parametrize("text", ["sprouts(3)", "sprouts(0)", "sprouts(0.0.1a1a!)", "sprouts(2.2/1!)"])
def test_round_trip(text):
    check_round_trip(text)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("sprouts()", 9, "expected an integer, the number of spots, but found ''"),
        ("sprouts(31)", 9, "the number of spots is 31: expected 0..30"),
        ("sprouts(0.0)", 9, "expected an integer, the number of spots, but found '0.0'"),
        ("sprouts(0..0!)", 11, "expected the spots of a boundary: 0, 1, 2 or letters"),
        ("sprouts( 1/3!)", 12, "unknown spot '3': expected 0, 1, 2 or a letter"),
        ("sprouts(01!)", 9, "a spot without curves is a boundary of its own"),
        ("sprouts(1.ab/a!)", 12, "the spot b comes 1 times: expected 2"),
    ],
)
def test_faults(text, column, message):
    found, said = fault(text)
    assert (found, message in said) == (column, True), said
