"""Laws over rarer numerations, rivals of periods, and recurrences: each beside a twin by brute force."""

from __future__ import annotations

import json
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame.games import laws
from graphgame.games.law_files import check_laws, laws_record
from graphgame.rules.declared import DeclaredMoves
from graphgame.theory.laws.learning import learned
from graphgame.theory.laws.lost_tables import lost_table
from graphgame.theory.laws.numeration import numeration_of
from graphgame.theory.laws.periodic import least_period
from graphgame.theory.laws.rivals import Repetition, rival_repetition
from graphgame.theory.laws.tables import declared_values

HEAPS = ("a' < a and b' = b", "a' = a and b' < b")
GUARDED = "; ".join(f"a + b > 2 and {move}" for move in (*HEAPS, "a' < a and b' < b and abs(a - a' - b + b') < 2"))


@pytest.mark.parametrize(
    "moves",
    [
        ("a' < a and a - a' = b - b'",),
        ("a' < a and b' < b and a - a' < 2*(b - b') + 1 and b - b' < 2*(a - a') + 1",),
        ("a' = a - 1 and b' = b + 2",),
    ],
)
def test_tables_of_lost_positions_alone(moves):
    game = DeclaredMoves(("a", "b"), (*HEAPS, *moves), weights=(3, 1))
    known = declared_values(game, 20)
    assert (lost_table(game, 20) == (known == 0))[known >= 0].all()


def test_a_table_with_many_lost_positions_is_given_up():
    assert lost_table(DeclaredMoves(("a", "b"), ("a' = a - 1 and b' = b - 1",)), 40) is None


def test_a_wide_wythoff_game_with_other_ends(tmp_path):
    found = {law.about: law for law in laws.find(GUARDED, size=16)}
    lost = found["P-positions"]
    assert (lost.status, lost.automaton.numeration.name, len(lost.automaton)) == ("proved", "Fibonacci 2", 17)
    ends = lost_table(DeclaredMoves(("a", "b"), tuple(GUARDED.split("; "))), 160)
    a, b = np.indices((160, 160))
    assert (lost.automaton.contains(a=a, b=b) == ends).all()
    record = json.loads(json.dumps(laws_record(GUARDED, [lost])))
    path = tmp_path / "law.json"
    path.write_text(json.dumps(record))
    assert [checked.fault for checked in check_laws(path)] == [None]
    record["laws"][0]["automaton"]["accepting"].pop()
    path.write_text(json.dumps(record))
    assert all(checked.fault for checked in check_laws(path))


def test_fraenkels_heap_games():
    # The larger number is written as the smaller one with a 0 added (Fraenkel, Heap games, numeration systems and
    # sequences, 1998): with s = 2 and t = 1 in the weights 1, 3, 8, 22, ...
    game = laws.law_table("wythoff{b < 2a + 1}(a,b)", size=8).moves
    lost, numeration = lost_table(game, 500), numeration_of("Fibonacci 2,2")
    for a, b in np.argwhere(np.triu(lost)).tolist():
        word = numeration.words(np.array(a), 8).tolist()
        assert numeration.number([*word, 0]) == b
    assert len(learned(numeration, ("a", "b"), lost)) == 10


@settings(deadline=None)
@given(st.lists(st.integers(0, 2), max_size=4), st.lists(st.integers(0, 2), min_size=1, max_size=4))
def test_rivals_of_periods_against_all_shorter_ones(first, cycle):
    values = np.array([*first, *cycle * 60])[:60]
    found = Repetition(*least_period([*first, *cycle], len(first), len(cycle)))
    size, furthest = found.start + found.period, None
    for start, period in product(range(size), range(1, size)):
        if start + period < size:
            said = [*values[: start + period]]
            while len(said) < 60:
                said.append(said[-period])
            wrong = np.flatnonzero(np.array(said) != values)
            assert len(wrong), (start, period)
            furthest = max(furthest or 0, int(wrong[0]))
    rival = rival_repetition(values, found, growing=False)
    assert (None if rival is None else rival[1]) == furthest


@pytest.mark.parametrize(
    ("text", "rival", "place"),
    [
        ("take{1,2,3,7}(n)", "n", 4),
        ("kayles(n)", "g(n) = g(n - 24) for n >= 82", 94),
        ("lasker(n)", "(0, 1)[n] if n < 2 else n // 2 + (1, 3)[n % 2]", 6),
    ],
)
def test_the_rivals_of_proved_periods(text, rival, place):
    law = laws.find(text)[0]
    assert (law.rival.formula, law.rival.position) == (rival, (place,))
