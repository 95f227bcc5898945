"""Explanations of sums without a graph."""

import re
from functools import reduce
from operator import xor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphgame import explain, solve
from graphgame.rules.notation import parse_position
from graphgame.text.positions import explain_sum

HEAPS = st.lists(st.integers(0, 12), min_size=1, max_size=4)


def moves_said(text):
    """Return (component, end, taken) of every winning move in an explanation."""
    found = re.findall(r"component (\d+): leave (?:\d+ xor \d+ = )?(\d+), so take (\d+)", text)
    return [(int(place) - 1, int(end), int(taken)) for place, end, taken in found]


def nim(heaps):
    return parse_position(f"nim({','.join(map(str, heaps))})")


@given(HEAPS, st.booleans())
def test_every_winning_move_of_nim_with_its_numbers(heaps, misere):
    position = nim(heaps)
    text = explain(position.under(misere))
    winning = [(m.component, m.end, m.start - m.end) for m in solve(position, misere=misere).winning_moves()]
    assert sorted(moves_said(text)) == sorted(winning)
    assert text.startswith(f"{solve(position, misere=misere).winner} player wins")


@given(HEAPS)
def test_the_rule_with_its_numbers(heaps):
    total = reduce(xor, heaps)
    text = explain_sum(nim(heaps))
    for a, b, end in re.findall(r"leave (\d+) xor (\d+) = (\d+)", text):
        assert int(b) == total
        assert int(a) ^ total == int(end) < int(a)


@pytest.mark.parametrize(
    ("heaps", "kind", "why"),
    [
        ("1", "S0", "the first player takes the last one and loses."),
        ("1,9", "S1", "leaves an odd number of 1s"),
        ("3,5,1", "S2", "makes the nim-sum 0 and leaves heaps of 2 or more (class T2)"),
        ("1,1", "T0", "the second player takes the last one and loses."),
        ("0,0", "T0", "No heap is left: the player who cannot move wins."),
        ("6,6", "T2", "(class S1 or S2): the second player wins."),
    ],
)
def test_misere_classes(heaps, kind, why):
    lines = explain_sum(parse_position(f"nim({heaps})", misere=True)).splitlines()
    place = next(place for place, line in enumerate(lines) if line.startswith(f"class {kind}: "))
    assert why in lines[place + 1]


def test_long_lists_are_cut():
    assert "... and 979 more" in explain(nim([5] * 999))
