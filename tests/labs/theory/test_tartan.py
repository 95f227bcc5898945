"""Products of two coin-turning games."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from graphgame import nimbers
from graphgame.games import ruleset
from graphgame.rules.notation import parse_position
from tests.brute import least_missing
from tests.notations import check_closed_form, check_example, check_round_trip, fault, table

FACTORS = {
    "twins": lambda places: len(places) == 2,
    "ruler": lambda places: places[-1] - places[0] == len(places) - 1,
    "mock-turtles": lambda places: len(places) <= 3,
    "1,2 within 2": lambda places: len(places) <= 2 and places[-1] - places[0] < 2,
}


@pytest.mark.parametrize("name", ["grunt", "tartan", "turning-corners", "rugs", "acrostic", "acrostic-twins"])
def test_example(name):
    check_example(name)


def test_published():
    record = table("tartan")["Turnips x Grunt row 7, cols 1..20"]
    rules = ruleset("tartan", "turnips x grunt")
    assert [rules.value(7, column) for column in range(1, 21)] == record["expected"]


def test_grunt_is_the_game_of_grundy():
    values = [ruleset("grunt").value(place) for place in range(1, 51)]
    assert values == [parse_position(f"grundy({heap})").grundy for heap in range(50)]


def test_strip_and_streak():
    expected = table("coin-turning")["Strip and Streak (acrostic Motley and Ruler)"]["expected"]
    rules = ruleset("acrostic", "motley x ruler")
    assert [[rules.value(row, column) for column in range(1, 21)] for row in range(1, 6)] == expected


def test_acrostic_twins_are_nim():
    rules = ruleset("acrostic-twins")
    assert all(rules.value(a + 1, b + 1) == a ^ b for a in range(20) for b in range(20))


def sets_of(factor, size):
    choices = (tuple(p for p in range(size) if mask >> p & 1) for mask in range(1, 1 << size))
    return [places for places in choices if FACTORS[factor](places)]


def product_turns(down, across):
    return [(s[-1], t[-1], {(x, y) for x in s for y in t}) for s in down for t in across]


def acrostic_turns(down, across):
    in_rows = [(x, t[-1], {(x, y) for y in t}) for x in range(2) for t in across]
    return in_rows + [(s[-1], y, {(x, y) for x in s}) for y in range(3) for s in down]


@pytest.mark.parametrize(("name", "turns_of"), [("tartan", product_turns), ("acrostic", acrostic_turns)])
@pytest.mark.parametrize(("down", "across"), list(product(FACTORS, repeat=2)))
def test_the_definition(name, turns_of, down, across):
    rows, columns = 2, 3
    turns = turns_of(sets_of(down, rows), sets_of(across, columns))

    @cache
    def value(heads):
        return least_missing({value(heads ^ turned) for x, y, turned in turns if (x, y) in heads})

    rules = ruleset(name, f"{down} x {across}")
    for marks in product((0, 1), repeat=rows * columns):
        heads = frozenset(divmod(k, columns) for k, mark in enumerate(marks) if mark)
        text = ",".join(f"{x + 1}.{y + 1}" for x, y in sorted(heads)) or "t"
        assert rules.closed_form(rules.parse(text)) == value(heads)


@pytest.mark.parametrize(
    ("name", "arguments", "sheet"),
    [
        ("tartan", "mock-turtles x ruler", "thh/hth"),
        ("tartan", "twins x twins", "thh/hth/tth"),
        ("tartan", "1..3 within 2 x any adjacent", "hhh/hhh"),
        ("tartan", "turnips x grunt", "tttt/tttt/thth"),
        ("acrostic", "mock-turtles x ruler", "thh/hth"),
        ("acrostic", "twins x sym", "thh/hth"),
    ],
)
def test_closed_form_against_the_graph(name, arguments, sheet):
    rules = ruleset(name, arguments)
    assert check_closed_form(rules, rules.parse(sheet)) > 1


def full(game, width, height):
    return parse_position(f"{game}({'/'.join(['h' * width] * height)})")


def test_all_winning_moves():
    values = nimbers.product(np.arange(25)[:, None], np.arange(26))
    total = np.bitwise_xor.reduce(values, axis=None)
    corners = (
        values[x, y] ^ values[other, y] ^ values[x, beside] ^ values[other, beside]
        for x, y in product(range(25), range(26))
        for other, beside in product(range(x), range(y))
    )
    position = full("turning-corners", 26, 25)
    assert position.grundy == total
    assert len(position.winning_moves()) == sum(change == total for change in corners) == 327


@pytest.mark.parametrize(
    "position", [full("turning-corners", 98, 97), full("rugs", 100, 99), full("acrostic-twins", 51, 49)]
)
def test_winning_moves_of_large_sheets(position):
    move = next(position.iter_winning_moves())
    assert position.grundy != 0
    assert position.after(move).grundy == 0


def test_named_products():
    for name, factor in (("turning-corners", "twins"), ("rugs", "ruler")):
        named, general = ruleset(name), ruleset("tartan", f"{factor} x {factor}")
        places = list(product(range(1, 9), repeat=2))
        assert [named.value(*place) for place in places] == [general.value(*place) for place in places]
    assert ruleset("turning-corners").value(20, 24) == nimbers.product(19, 23) == 86


def test_heads_and_rows_are_the_same():
    assert parse_position("rugs(1.2,1.3,2.1)") == parse_position("rugs(THH/h/ttt)")


@pytest.mark.parametrize(
    "text", ["tartan{ruler x twins}(thh/ht)", "tartan{1..3 within 5 x any spaced}(h)", "rugs(t)", "acrostic-twins(th)"]
)
def test_round_trip(text):
    check_round_trip(text)


def test_rows_without_heads_at_the_end_do_not_count():
    assert parse_position(f"tartan{{moidores x ruler}}(h{'/t' * 20})") == parse_position("tartan{moidores x ruler}(h)")


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("tartan{ruler}(h)", 8, "expected two coin-turning games"),
        ("tartan{ruler x nim}(h)", 16, "nim cannot be a factor"),
        ("tartan{ruler x nothing}(h)", 16, "nothing cannot be a factor"),
        ("tartan{ruler x 3..1}(h)", 16, "the range '3..1' is empty"),
        ("rugs{ruler}(h)", 6, "unexpected arguments"),
        ("rugs(hxh)", 7, "expected rows of coins"),
        ("rugs(h//h)", 8, "expected rows of coins"),
        ("rugs(1.3,2)", 10, "expected a head as row.column"),
        ("rugs(1.3,1.3)", 10, "the head at 1.3 is listed twice"),
        ("rugs(1.0)", 8, "the row or column of a head is 0"),
        ("tartan{moidores x ruler}(21.1)", 26, "a sheet of 21 rows and 1 columns: expected at most 20 and 200"),
    ],
)
def test_faults(text, column, message):
    found, said = fault(text)
    assert (found, message in said) == (column, True), said
