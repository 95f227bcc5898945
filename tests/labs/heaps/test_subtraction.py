"""Subtraction games: the sets that the notation names."""

from itertools import islice

import numpy as np
import pytest

from graphgame import explore, solve
from graphgame.errors import ParseError
from graphgame.labs import heaps
from graphgame.labs.heaps.games import Subtraction
from graphgame.labs.heaps.rules import Growing
from graphgame.labs.heaps.values import Run
from tests import brute
from tests.notations import check_closed_form


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("1,3,4", {1, 3, 4}),
        ("4, 1 ,3", {1, 3, 4}),
        ("1..3,7", {1, 2, 3, 7}),
        ("any", set(range(1, 13))),
        ("odd", set(range(1, 13, 2))),
        ("even", set(range(2, 13, 2))),
        ("not 2,3", set(range(1, 13)) - {2, 3}),
        ("odd not 3", {1, 5, 7, 9, 11}),
        ("all but 2,3", set(range(1, 13)) - {2, 3}),
        ("up to 4", {1, 2, 3, 4}),
        ("even not 2..6", {8, 10, 12}),
    ],
)
class TestSets:
    def test_options(self, text, allowed):
        assert {12 - end for end in Subtraction.from_text(text).options(12)} == allowed

    def test_arguments_name_the_same_rules(self, text, allowed):
        rules = Subtraction.from_text(text)
        assert {12 - end for end in Subtraction.from_text(rules.arguments).options(12)} == allowed

    def test_values(self, text, allowed):
        rules = Subtraction.from_text(text)
        expected = brute.grundy_values({n: [n - k for k in allowed if k <= n] for n in range(13)})
        found = solve(explore(rules, *range(13))).grundy
        assert {n: found[n] for n in range(13)} == expected
        for n in range(13):
            assert rules.closed_form(n) in (None, expected[n])


def test_finite_sets_lose_what_is_excluded():
    rules = Subtraction([1, 2, 3], excluded=[2])
    assert (rules.arguments, list(rules.options(5))) == ("1,3", [4, 2])


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("", 1),
        ("1,0", 3),
        ("two", 1),
        ("1..2..3", 1),
        ("not x", 5),
        ("1,2,x", 5),
        ("1,5..3", 3),
        ("up to x", 7),
        ("up to 3,5", 7),
        ("up 3", 1),
    ],
)
def test_wrong_sets_are_refused_at_their_place(text, column):
    with pytest.raises(ParseError) as caught:
        Subtraction.from_text(text)
    assert caught.value.column == column


@pytest.mark.parametrize(("amounts", "excluded"), [("prime", ()), ([0], ()), ([-1, 2], ()), ("odd", [0])])
def test_wrong_sets_in_python(amounts, excluded):
    with pytest.raises(ValueError, match=r"unknown rule 'prime'|expected an integer of 1 or more"):
        Subtraction(amounts, excluded)


def test_bash_with_more_amounts_than_a_code_has_digits():
    for most in (998, 999, 1000, 2000):
        game = heaps.game(f"bash{{{most}}}")
        assert game.name == f"bash{{{most}}}"
        assert game.grundy_values(2 * most + 1).tolist() == [*range(most + 1)] * 2
        assert game.period(2 * most + 1).period == most + 1


def test_bash_with_more_amounts_than_a_subtraction_set_may_have():
    assert heaps.game("bash{1000000000}").grundy_values(20).tolist() == [*range(21)]


def test_heaps_without_a_bound_on_their_options_have_a_largest():
    with pytest.raises(
        ParseError,
        match=r"no formula gives \(see graphgame heap\) is 1000001: expected 0\.\.1000000",
    ):
        Subtraction("odd", [3]).parse("1000001")


SETS = ["1,3,4", "2,3,7", "1..6", "4,5,9,11", "not 2,3", "odd", "even", "any", "2"]


@pytest.mark.parametrize("arguments", SETS)
def test_closed_form_against_the_graph(arguments):
    assert check_closed_form(Subtraction.from_text(arguments), 60) > 5


@pytest.mark.parametrize("arguments", ["odd", "even", "odd not 3"])
def test_values_of_rules_without_a_bound_against_every_move(arguments):
    rules = Subtraction.from_text(arguments)
    for heap in (0, 1, 255, 256, 700):
        values = rules.grundy_values(heap)
        assert values.tolist() == rules.grundy_values(heap, method="dense").tolist()
        assert values.dtype.kind == "u"


def test_every_move_is_tried_without_the_formula():
    rules = Growing(lambda heap: ((k, 3) for k in range(1, heap + 1)), formula=np.zeros_like)
    none = np.zeros(0, np.uint8)
    assert rules.extend(none, 5, Run()).tolist() == [0] * 5
    assert rules.extend(none, 5, Run(dense=True)).tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("arguments", ["1,3,4", "2,3,7", "1..6", "1..1000000", "1,1000", "5,50,97"])
def test_large_heaps_by_the_period(arguments):
    rules = Subtraction.from_text(arguments)
    for heap in range(10**18, 10**18 + 3):
        options = islice(rules.options(heap), 100)
        assert rules.closed_form(heap) not in {rules.closed_form(option) for option in options}
    assert rules.closed_form(10**18) is not None


def test_amounts_of_numpy_and_of_an_iterator():
    plain = heaps.subtraction([1, 3])
    assert heaps.subtraction(np.array([1, 3], np.uint8)).closed_form(300) == plain.closed_form(300)
    assert heaps.subtraction(iter([1, 3])).name == plain.name == "take{1,3}"
    assert heaps.subtraction("any", np.array([2, 3])).name == heaps.subtraction("any", [2, 3]).name
