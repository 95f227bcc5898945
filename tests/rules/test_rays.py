"""Tables of games on two numbers whose moves go along lines: equal to the graph's on all that the graph reaches."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import OptionError, Ruleset, explore, parse_position, solve, value_table
from graphgame.games.wythoff import golden_part
from graphgame.rules.rays import Ray, lost_pairs, pair_values

QUEEN = (Ray((1, 0), (1, 0)), Ray((0, 1), (0, 1)), Ray((1, 1), (1, 1)))

numbers = st.tuples(st.integers(0, 3), st.integers(0, 3))
rays = st.builds(Ray, numbers.filter(any), numbers)


class Lines(Ruleset):
    def __init__(self, given_):
        self.given = given_

    def options(self, position):
        return [left for ray in self.given for left in ray.taken(*position)]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(rays, min_size=1, max_size=5), st.integers(1, 9), st.integers(1, 9), st.sampled_from(["normal", "misere"])
)
def test_tables_are_those_of_the_graph(given_, rows, columns, play):
    places = [(a, b) for a in range(rows) for b in range(columns)]
    solution = solve(explore(Lines(given_), *places), play=play)
    expected = [[solution.grundy[a, b] for b in range(columns)] for a in range(rows)]
    misere = play == "misere"
    assert pair_values(given_, rows, columns, misere=misere).tolist() == expected
    assert np.array_equal(lost_pairs(given_, rows, columns, misere=misere), np.array(expected) == 0)


def test_compiled_and_plain_loops_agree():
    given_ = (*QUEEN, Ray((2, 5), (3, 1)), Ray((4, 4), (0, 0)))
    assert pair_values(given_, 260, 200)[:60, :50].tolist() == pair_values(given_, 60, 50).tolist()
    assert lost_pairs(given_, 260, 200)[:60, :50].tolist() == lost_pairs(given_, 60, 50).tolist()


@pytest.mark.parametrize("name", ["wythoff", "wythoff{3}", "wythoff{b = 2a}", "wythoff{b <= a}", "euclid"])
@pytest.mark.parametrize("play", ["normal", "misere"])
def test_games_of_the_catalogue(name, play):
    table = value_table(f"{name}(2..17, 0..14)", play=play)
    for row, a in enumerate(table.ranges[0]):
        solution = solve(parse_position(f"{name}({a},14)", play=play).graph(), play=play)
        for b, value in enumerate(table.values[row]):
            grundy = solution.grundy.get((min(a, b), max(a, b)))
            assert grundy is None or grundy == value, (a, b)
            assert parse_position(f"{name}({a},{b})", play=play).outcome == table.outcomes[row][b]


def test_golden_pairs_far_out():
    lost = {(a, b) for a, b in np.argwhere(lost_pairs(QUEEN, 2000, 500)).tolist()}
    golden = {(golden_part(k), golden_part(k) + k) for k in range(1300)}
    assert lost == {(a, b) for pair in golden for a, b in (pair, pair[::-1]) if a < 2000 and b < 500}


@pytest.mark.parametrize("ray", [Ray((0, 0), (1, 0)), Ray((1, -1), (1, 1)), Ray((1, 1), (-1, 0))])
def test_moves_that_do_not_take_are_refused(ray):
    with pytest.raises(OptionError, match="each takes 0 or more"):
        pair_values([ray], 3, 3)


def test_large_tables_take_no_graph():
    assert (
        value_table("wythoff(0..1500, 0..1500)").values[1499][1500]
        == value_table("wythoff(1499..1499,1500..1500)").values[0][0]
    )
    nim = value_table("nim(0..900, 3, 0..900)").values
    assert nim[900][77] == 900 ^ 3 ^ 77
