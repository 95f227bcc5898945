"""Coin-turning games."""

from functools import cache
from itertools import combinations, pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphgame import explore
from graphgame.games import CATALOGUE, ruleset
from graphgame.labs.theory.coins import Coins
from graphgame.rules.notation import parse_position
from tests.brute import least_missing
from tests.notations import check_closed_form, check_example, check_round_trip, fault, table

NAMED = [entry.name for entry in CATALOGUE.values() if entry.ruleset == "Coins" and entry.fixed]


@pytest.mark.parametrize("name", ["coins", *NAMED])
def test_example(name):
    check_example(name)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("ruler{}", "ruler"),
        ("turnips{}", "turnips (3 equally spaced)"),
        ("triplets{}", "triplets (exactly 3)"),
        ("moidores{}", "moidores 1-9"),
        ("coins{1..3 within 5}", "mock turtle fives"),
        ("mock-turtle-fives{}", "mock turtle fives"),
        ("triplet-fives{}", "triplet fives"),
        ("ruler-fives{}", "ruler fives"),
        ("grunt{}", "grunt"),
        ("sym{}", "sym"),
        ("coins{1..9}", "moidores 1-9"),
    ],
)
def test_published(name, key):
    rules = ruleset(name.split("{")[0], name.split("{")[1][:-1])
    expected = table("coin-turning")[key]["expected"]
    assert [rules.value(place) for place in range(1, len(expected) + 1)] == expected


def test_published_row():
    record = table("coin-turning")["Mock Turtles row"]
    assert parse_position(f"mock-turtles({record['input']['row']})").grundy == record["expected"]


def odious(k):
    """Return the k-th number with an odd count of binary ones, from 0."""
    return 2 * k + (k.bit_count() + 1) % 2


@pytest.mark.parametrize(
    ("rule", "most"), [("any symmetric", 32), ("any", 19), ("1,2,3", 153), ("4 symmetric first", 200)]
)
def test_how_long_rows_may_be_is_told_in_any_order(rule, most):
    rules = Coins.from_text(rule)
    assert [rules.longest(wanted) for wanted in (5, 200, 5)] == [5, most, 5]


class TestTheorems:
    PLACES = range(1, 101)

    def check(self, rules, formula):
        assert [rules.value(place) for place in self.PLACES] == [formula(place) for place in self.PLACES]

    def test_turning_turtles_are_nim(self):
        self.check(ruleset("turning-turtles"), lambda n: n)

    def test_twins(self):
        self.check(ruleset("twins"), lambda n: n - 1)

    def test_mock_turtles_are_odious(self):
        self.check(ruleset("mock-turtles"), lambda n: odious(n - 1))

    def test_triplets_are_odious_later(self):
        self.check(ruleset("triplets"), lambda n: odious(n - 3) if n > 2 else 0)

    def test_ruler_is_the_power_of_two(self):
        self.check(ruleset("ruler"), lambda n: n & -n)

    def test_turnips_by_ternary_digits(self):
        self.check(ruleset("turnips"), lambda n: next((odious(k) for k in range(6) if (n - 1) // 3**k % 3 == 2), 0))

    @pytest.mark.parametrize(
        ("name", "formula"),
        [
            ("motley", lambda n: 2 ** (n - 1)),
            ("mock-turtle-fives", lambda n: (8, 1, 2, 4, 7)[n % 5]),
            ("triplet-fives", lambda n: (4, 0, 0, 1, 2)[n % 5]),
            ("ruler-fives", lambda n: min(n & -n, 4)),
            ("sympler", lambda n: int(n == 1)),
        ],
    )
    def test_stated_in_the_catalogue(self, name, formula):
        assert [ruleset(name).value(place) for place in range(1, 16)] == [formula(place) for place in range(1, 16)]

    def test_mogul_is_the_golay_code(self):
        values = list(map(ruleset("mogul").value, range(1, 25)))
        assert max(values).bit_length() == 12
        words = {0: 1}
        for value in values:
            words = {total: words.get(total, 0) + words.get(total ^ value, 0) for total in range(4096)}
        assert words[0] == 2**12
        lightest = next(k for k in range(1, 9) if any(sum_is_zero(chosen) for chosen in combinations(values, k)))
        assert lightest == 8


def sum_is_zero(values):
    total = 0
    for value in values:
        total ^= value
    return total == 0


RULES = {
    "1,2": lambda places: len(places) <= 2,
    "3": lambda places: len(places) == 3,
    "1..3 within 4": lambda places: len(places) <= 3 and places[-1] - places[0] < 4,
    "any adjacent": lambda places: places[-1] - places[0] == len(places) - 1,
    "2,3 adjacent": lambda places: len(places) in (2, 3) and places[-1] - places[0] == len(places) - 1,
    "3 spaced": lambda places: len(places) == 3 and places[2] - places[1] == places[1] - places[0],
    "any spaced": lambda places: len({b - a for a, b in pairwise(places)}) <= 1,
    "any": lambda places: True,
    "any symmetric": lambda places: symmetric(places),
    "4 symmetric first": lambda places: len(places) == 4 and symmetric(places) and places[0] == 0,
    "any symmetric first": lambda places: symmetric(places) and places[0] == 0,
    "2,3 first": lambda places: len(places) in (2, 3) and places[0] == 0,
    "3 spaced first within 5": lambda places: (
        len(places) == 3 and places[2] - places[1] == places[1] == places[1] - places[0] and places[2] < 5
    ),
}


def symmetric(places):
    return all(a + b == places[0] + places[-1] for a, b in zip(places, reversed(places), strict=True))


ROWS = ["".join(row) for row in product("ht", repeat=6)]


@pytest.mark.parametrize("turning", RULES)
def test_against_the_definition(turning):
    sets = [s for k in range(1, 7) for s in combinations(range(6), k) if RULES[turning](s)]

    @cache
    def brute(row):
        after = [
            "".join("th"[coin == "t"] if place in turned else coin for place, coin in enumerate(row))
            for turned in sets
            if row[turned[-1]] == "h"
        ]
        return least_missing([brute(other) for other in after])

    rules = ruleset("coins", turning)
    assert [rules.closed_form(row) for row in ROWS] == [brute(row) for row in ROWS]


@pytest.mark.parametrize("turning", RULES)
def test_closed_form_against_the_graph(turning):
    assert check_closed_form(ruleset("coins", turning), "hthhhh") > 1


def test_misere_play_is_that_of_the_row():
    text = "twins(hhthh)"
    moves = {row: list(ruleset("twins").options(row)) for row in explore(ruleset("twins"), "hhthh").labels}

    @cache
    def wins(row):
        return not moves[row] or any(not wins(after) for after in moves[row])

    assert (parse_position(text).under(misere=True).outcome == "N") == wins("hhthh")


@given(st.sets(st.integers(1, 40), min_size=1))
def test_heads_and_rows_are_the_same(heads):
    row = "".join("h" if place in heads else "t" for place in range(1, 43))
    by_heads = parse_position(f"turning-turtles({','.join(map(str, sorted(heads)))})")
    assert by_heads.components == parse_position(f"turning-turtles({row.upper()})").components


@pytest.mark.parametrize("text", ["coins{1..3 within 5}(thh)", "coins{any spaced}(hht)", "coins{2,4}(tt)", "ruler(h)"])
def test_round_trip(text):
    check_round_trip(text)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        (
            "coins{}(hh)",
            7,
            "expected how many coins may be turned, such as 1..3, or 3 spaced for three at equal distances",
        ),
        ("coins{three}(hh)", 7, "expected how many coins may be turned"),
        ("coins{1,0}(hh)", 9, "the number of coins is 0: expected 1..200"),
        ("coins{3..1}(hh)", 7, "the range '3..1' is empty"),
        ("coins{1,1..2..3}(hh)", 9, "expected a number or a range such as 1..5"),
        ("coins{2 within 0}(hh)", 16, "the number after 'within' is 0: expected 1..200"),
        ("ruler{2}(hh)", 7, "unexpected arguments: ruler takes none"),
        ("ruler(hxt)", 8, "expected coins, h or t, or the places of the heads, such as 2,3"),
        ("ruler()", 7, "expected coins"),
        ("ruler(2,2)", 9, "the head at place 2 is listed twice"),
        ("ruler(0)", 7, "the place of a head is 0: expected 1..200"),
        ("moidores(21)", 10, "a row of 21 coins: expected at most 20 with this turning set"),
        (f"ruler({'h' * 201})", 7, "a row of 201 coins: expected at most 200"),
    ],
)
def test_faults(text, column, message):
    found, said = fault(text)
    assert (found, message in said) == (column, True), said


@pytest.mark.parametrize("arguments", [{"counts": []}, {"counts": [0]}, {"span": 0}, {"shape": "round"}])
def test_wrong_turning_sets(arguments):
    with pytest.raises(ValueError, match=r"invalid|unknown shape"):
        Coins(**arguments)


def test_named_games_are_in_the_catalogue():
    assert set(NAMED) <= set(CATALOGUE)
