"""Tables of games whose moves are rays: equal to the graph's on all that the graph reaches."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import Ruleset, explore, parse_position, solve, value_table
from graphgame.errors import LimitError, ParameterError
from graphgame.labs.laws.declared_moves import rays_of
from graphgame.labs.tables import p_positions
from graphgame.labs.tables.rays import Ray, ray_p_bits, ray_values
from graphgame.labs.tables.wythoff import golden_part

QUEEN = (Ray((1, 0), (1, 0)), Ray((0, 1), (0, 1)), Ray((1, 1), (1, 1)))
MANY = (*QUEEN, Ray((2, 5), (3, 1), (1, 2)), Ray((4, 4)))
GAMES = "wythoff,wythoff{3},wythoff{b = 2a},wythoff{b <= a},wythoff{b != a},wythoff{b <= 2a},wythoff{b > 3a + 1},euclid"

vectors = st.tuples(st.integers(0, 3), st.integers(0, 3))
rays = st.builds(lambda first, steps: Ray(first, *steps), vectors.filter(any), st.lists(vectors, max_size=3))


class Moves(Ruleset):
    def __init__(self, given_):
        self.given = given_

    def options(self, position):
        return [left for ray in self.given for left in ray.taken(position)]


def lost(given_, shape, **options):
    bits = ray_p_bits(given_, shape, **options)
    return np.unpackbits(bits, count=int(np.prod(shape)), bitorder="little").reshape(shape).astype(bool)


@settings(max_examples=60, deadline=None)
@given(st.lists(rays, min_size=1, max_size=5), st.integers(1, 9), st.integers(1, 9), st.booleans())
def test_tables_are_those_of_the_graph(given_, rows, columns, misere):
    places = [(a, b) for a in range(rows) for b in range(columns)]
    solution = solve(explore(Moves(given_), *places), misere=misere)
    expected = [[solution.grundy[a, b] for b in range(columns)] for a in range(rows)]
    misere = misere
    assert ray_values(given_, (rows, columns), misere=misere).tolist() == expected
    assert np.array_equal(lost(given_, (rows, columns), misere=misere), np.array(expected) == 0)


def test_compiled_and_plain_loops_agree():
    far = ray_values(MANY, (260, 200), engine="compiled")
    assert (far[:60, :50] == ray_values(MANY, (60, 50), engine="plain")).all()
    assert (lost(MANY, (260, 200)) == (far == 0)).all()


RELATIONS = st.builds(
    "wythoff{{b {} {}a + {}}}".format, st.sampled_from(["<", "<=", ">", ">=", "=", "!="]), *[st.integers(1, 4)] * 2
)


@settings(max_examples=20, deadline=None)
@given(RELATIONS, st.booleans())
def test_every_relation_against_its_definition(name, misere):
    rules, values = parse_position(f"{name}(1,2)").components[0].ruleset, {}
    for pair in product(range(12), repeat=2):
        seen = {values[end] for end in rules.options(pair)}
        least = next(value for value in range(len(seen) + 1) if value not in seen)
        values[pair] = values[pair[::-1]] = least if seen else int(misere)
    assert value_table(f"{name}(0..11, 0..11)", misere=misere).values == [
        [values[a, b] for b in range(12)] for a in range(12)
    ]
    declared = rays_of(rules.declared_moves(2), 12).rays
    assert (rules.value_array((12, 12), False) == ray_values(declared, (12, 12), weights=(1, 1))).all()


@pytest.mark.parametrize("name", GAMES.split(","))
@pytest.mark.parametrize("misere", [False, True])
def test_games_of_the_catalogue(name, misere):
    pairs = [(a, b) for a in range(18) for b in range(a, 18)]
    rules = parse_position(f"{name}(1,2)").components[0].ruleset
    grundy = solve(explore(rules, *pairs), misere=misere).grundy
    table = value_table(f"{name}(2..17, 0..14)", misere=misere)
    assert table.values == [[grundy[min(a, b), max(a, b)] for b in range(15)] for a in range(2, 18)]


@pytest.mark.parametrize("text", ["moore{2}(0..9, 4, 3..9)", "moore{3}(4, 0..5, 3, 1..4)", "moore{2}(0..20, 19)"])
def test_moores_game_of_several_heaps(text):
    table = value_table(text)
    first, *second = table.ranges
    numbers = text.replace(f"{first[0]}..{first[-1]}", "{0}")
    numbers = numbers.replace(f"{second[0][0]}..{second[0][-1]}", "{1}") if second else numbers
    heaps = numbers.partition("}(")[2].strip(")")
    largest = parse_position(text.partition("(")[0] + f"({heaps.format(*(each[-1] for each in table.ranges))})")
    grundy = solve(largest.graph()).grundy
    for pair in product(*table.ranges):
        position = tuple(sorted(filter(None, map(int, heaps.format(*pair).split(",")))))
        assert table[pair if second else pair[0]] == grundy[position], position


def test_a_large_position_takes_the_table():
    position = parse_position("moore{2}(2, 90, 130)")
    assert position.grundy == value_table("moore{2}(90, 130, 0..2)")[2] == 222
    assert [str(move.end) for move in position.winning_moves()] == ["moore{2}(2,2,2)"]


def test_golden_pairs_far_out():
    found = {*p_positions("wythoff(3..2000, 7..499)").pairs()}
    golden = {(golden_part(k), golden_part(k) + k) for k in range(1300)}
    both = {(a, b) for pair in golden for a, b in (pair, pair[::-1])}
    assert found == {(a, b) for a, b in both if 3 <= a <= 2000 and 7 <= b < 500}


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("text", ["wythoff{b != a}(5..30, 2..9)", "moore{2}(1..9, 4, 2..11)", "moore{2}(4, 0..40, 3)"])
def test_lost_positions_are_those_of_the_values(text, misere):
    table, found = value_table(text, misere=misere), p_positions(text, misere=misere)
    assert [row.tolist() for row in found.rows()] == [[value == 0 for value in row] for row in table.values]
    assert found.count == len([*found.pairs()])
    assert all(table[pair if len(pair) == 2 else pair[0]] == 0 for pair in found.pairs())


def test_lost_positions_of_two_components():
    table = value_table("kayles(3..40, 0..50)")
    assert [row.tolist() for row in p_positions(table.text).rows()] == [[v == 0 for v in row] for row in table.values]


@pytest.mark.parametrize(
    ("text", "error", "told"),
    [
        ("wythoff(0..99999, 0..99999)", LimitError, "10000000000 bits"),
        ("nim(0..99999, 0..99999)", LimitError, "10000000000 bits"),
        ("chomp(1..9, 1..9)", ParameterError, "linear move families"),
        ("kayles(0..9)", ParameterError, "two components"),
    ],
)
def test_lost_positions_that_are_refused(text, error, told):
    with pytest.raises(error, match=told):
        p_positions(text)


def test_values_of_a_large_table_are_refused_with_what_is_known():
    with pytest.raises(LimitError, match="--outcomes"):
        value_table("wythoff(0..9000, 0..9000)")


@pytest.mark.parametrize("ray", [Ray((0, 0), (1, 0)), Ray((1, -1), (1, 1)), Ray((1, 1), (-1, 0)), Ray((1,))])
def test_moves_that_do_not_take_are_refused(ray):
    with pytest.raises(ParameterError, match="must lower the weighted total"):
        ray_values([ray], (3, 3))


def test_a_first_move_that_adds_may_have_at_most_one_step():
    with pytest.raises(ParameterError, match="at most one step"):
        ray_values([Ray((-1, 3), (2, 2), (1, 0))], (7, 7), weights=(1, 2))


def test_a_step_may_add_to_a_number_that_the_first_move_makes_negative():
    ray, shape = Ray((3, 0), (-1, 2)), (6, 9)
    assert [*ray.taken((2, 5))] == [(0, 3), (1, 1)]
    grundy = {}
    for pair in sorted(product(*map(range, shape)), key=lambda pair: 3 * pair[0] + 2 * pair[1]):
        seen = {grundy[left] for left in ray.taken(pair) if left in grundy}
        grundy[pair] = next(value for value in range(len(seen) + 1) if value not in seen)
    table = ray_values([ray], shape, weights=(3, 2))
    # From larger first numbers a move may lead out of the table.
    assert all(table[pair] == value for pair, value in grundy.items())


def test_large_tables_take_no_graph():
    assert (
        value_table("wythoff(0..1500, 0..1500)").values[1499][1500]
        == value_table("wythoff(1499..1499,1500..1500)").values[0][0]
    )
    nim = value_table("nim(0..900, 3, 0..900)").values
    assert nim[900][77] == 900 ^ 3 ^ 77
