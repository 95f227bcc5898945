"""Helpers for tests of games: values from the explicit graph, published tables, errors in a text."""

import json
from functools import reduce
from operator import xor
from pathlib import Path

import pytest

from graphgame import explore, solve
from graphgame.errors import GraphGameError, ParseError, UnknownGameError
from graphgame.games import CATALOGUE
from graphgame.rules.notation import parse_position
from graphgame.rules.ruleset import Sum
from graphgame.solution.results import Decisive


def table(topic):
    """Return {game: record} of a published table."""
    records = json.loads((Path(__file__).parent / "data" / f"{topic}.json").read_text(encoding="utf-8"))
    return {record["game"]: record for record in records}


def installed(cases):
    """Return the cases (texts, or tuples that begin with a text) whose games exist, because labs may be deleted."""

    def is_there(text):
        try:
            parse_position(text)
        except UnknownGameError:
            return False
        except GraphGameError:
            return True
        return True

    return [case for case in cases if is_there(case if isinstance(case, str) else case[0])]


def graph_value(text):
    """Return the Grundy value of a position from its explicit graph, without closed forms."""
    return solve(parse_position(text).graph()).nim_sum


def graph_values(rules, *starts):
    """Return {position: value} for all positions that play can reach."""
    return dict(solve(explore(rules, *starts)).grundy)


def one_move_further(rules, position):
    """Return the set of options, each as the sorted tuple of its parts, without parts that are 0."""
    options = (option if isinstance(option, tuple) else (option,) for option in rules.options(position))
    return {tuple(sorted(part for part in option if part)) for option in options}


def fault(text):
    """Return the column and the message of the error in a text."""
    with pytest.raises(ParseError) as caught:
        parse_position(text)
    return caught.value.column, caught.value.message


def check_closed_form(rules, *starts):
    """Check closed form and options of each value against the explicit graph; return the number of positions that
    are not sums."""
    values = {position: value for position, value in graph_values(rules, *starts).items() if type(position) is not Sum}

    def value_of(option):
        parts = option if type(option) is Sum else (option,)
        return reduce(xor, (values[rules.canonical(part)] for part in parts), 0)

    for position, value in values.items():
        if rules.decided(position):  # play has ended, so the position needs no value
            continue
        assert rules.closed_form(position) == value
        options = list(rules.options(position))
        for wanted in [*range(value + 3 if isinstance(value, int) else 3), *(Decisive if rules.decides else ())]:
            expected = sorted(repr(option) for option in options if value_of(option) == wanted)
            assert sorted(map(repr, rules.options_of_value(position, wanted))) == expected, (position, wanted)
    return len(values)


def check_outcome_form(rules, *starts):
    """Check ``outcome_form`` against the explicit graph; return for how many positions it gives an outcome."""
    values = {position: value for position, value in graph_values(rules, *starts).items() if type(position) is not Sum}
    outcomes = {position: rules.outcome_form(position) for position in values}
    expected = {position: "N" if value else "P" for position, value in values.items()}
    assert {position: expected[position] for position, outcome in outcomes.items() if outcome} == {
        position: outcome for position, outcome in outcomes.items() if outcome
    }
    return sum(outcome is not None for outcome in outcomes.values())


def check_round_trip(text):
    """Check that the text of a position is read as the same position."""
    position = parse_position(text)
    assert parse_position(str(position)).components == position.components


def check_example(name):
    """Check that a game's example in the catalogue has a board, and that its text is read as the same position."""
    position = parse_position(CATALOGUE[name].example)
    assert all(component.ruleset.board(component.position) for component in position.components)
    check_round_trip(CATALOGUE[name].example)
