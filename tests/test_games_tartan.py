"""Products of two coin-turning games."""

from functools import cache
from itertools import product

import pytest

from graphgame import nim_product
from graphgame.games import ruleset
from graphgame.games.notation import parse_position
from tests.brute import least_missing
from tests.notations import check_closed_form, check_example, check_round_trip, fault, table

FACTORS = {
    "twins": lambda places: len(places) == 2,
    "ruler": lambda places: places[-1] - places[0] == len(places) - 1,
    "mock-turtles": lambda places: len(places) <= 3,
    "1,2 within 2": lambda places: len(places) <= 2 and places[-1] - places[0] < 2,
}


@pytest.mark.parametrize("name", ["grunt", "tartan", "turning-corners", "rugs"])
def test_example(name):
    check_example(name)


def test_published():
    record = table("tartan")["Turnips x Grunt row 7, cols 1..20"]
    rules = ruleset("tartan", "turnips x grunt")
    assert [rules.value(7, column) for column in range(1, 21)] == record["expected"]


def test_grunt_is_the_game_of_grundy():
    values = [ruleset("grunt").value(place) for place in range(1, 51)]
    assert values == [parse_position(f"grundy({heap})").grundy() for heap in range(50)]


def sets_of(factor, size):
    choices = (tuple(p for p in range(size) if mask >> p & 1) for mask in range(1, 1 << size))
    return [places for places in choices if FACTORS[factor](places)]


@pytest.mark.parametrize(("down", "across"), list(product(FACTORS, repeat=2)))
def test_the_definition(down, across):
    rows, columns = 2, 3
    turns = [
        (s[-1], t[-1], {(x, y) for x in s for y in t}) for s in sets_of(down, rows) for t in sets_of(across, columns)
    ]

    @cache
    def value(heads):
        return least_missing({value(heads ^ turned) for x, y, turned in turns if (x, y) in heads})

    rules = ruleset("tartan", f"{down} x {across}")
    for marks in product((0, 1), repeat=rows * columns):
        heads = frozenset(divmod(k, columns) for k, mark in enumerate(marks) if mark)
        text = ",".join(f"{x + 1}.{y + 1}" for x, y in sorted(heads)) or "t"
        assert rules.closed_form(rules.parse(text)) == value(heads)


@pytest.mark.parametrize(
    ("arguments", "sheet"),
    [
        ("mock-turtles x ruler", "thh/hth"),
        ("twins x twins", "thh/hth/tth"),
        ("1..3 within 2 x any adjacent", "hhh/hhh"),
        ("turnips x grunt", "tttt/tttt/thth"),
    ],
)
def test_closed_form_against_the_graph(arguments, sheet):
    rules = ruleset("tartan", arguments)
    assert check_closed_form(rules, rules.parse(sheet)) > 1


def test_named_products():
    for name, factor in (("turning-corners", "twins"), ("rugs", "ruler")):
        named, general = ruleset(name), ruleset("tartan", f"{factor} x {factor}")
        places = list(product(range(1, 9), repeat=2))
        assert [named.value(*place) for place in places] == [general.value(*place) for place in places]
    assert ruleset("turning-corners").value(20, 24) == nim_product(19, 23) == 86


def test_heads_and_rows_are_the_same():
    assert parse_position("rugs(1.2,1.3,2.1)") == parse_position("rugs(THH/h/ttt)")


@pytest.mark.parametrize("text", ["tartan{ruler x twins}(thh/ht)", "tartan{1..3 within 5 x any spaced}(h)", "rugs(t)"])
def test_round_trip(text):
    check_round_trip(text)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("tartan{ruler}(h)", 8, "expected two coin-turning games"),
        ("tartan{ruler x nim}(h)", 16, "nim is no coin-turning game"),
        ("tartan{ruler x nothing}(h)", 16, "nothing is no coin-turning game"),
        ("tartan{ruler x 3..1}(h)", 16, "the range 3..1 is empty"),
        ("rugs{ruler}(h)", 6, "unexpected arguments"),
        ("rugs(hxh)", 7, "expected rows of coins"),
        ("rugs(h//h)", 8, "expected rows of coins"),
        ("rugs(1.3,2)", 10, "expected a head as row.column"),
        ("rugs(1.3,1.3)", 10, "the head at 1.3 comes twice"),
        ("rugs(1.0)", 8, "the row or column of a head is 0"),
        ("tartan{moidores x ruler}(21.1)", 26, "a sheet of 21 rows and 1 columns: expected at most 20 and 200"),
    ],
)
def test_faults(text, column, message):
    found, said = fault(text)
    assert (found, message in said) == (column, True), said
