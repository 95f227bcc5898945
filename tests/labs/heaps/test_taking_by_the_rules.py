"""Nim and Bash's game against brute force over the rules as they are stated, under both play conventions."""

import pytest

from graphgame import parse_position
from tests import brute
from tests.core.rules.test_taking_by_the_rules import PLAYS, agrees, by_the_rules


@pytest.mark.parametrize("misere", PLAYS)
@pytest.mark.parametrize("most", [1, 2, 3, 4, 7])
def test_one_heap_of_bash(misere, most):
    result = brute.play_out({n: range(max(0, n - most), n) for n in range(31)}, misere=misere)
    for heap in range(31):
        agrees(parse_position(f"bash{{{most}}}({heap})"), misere, *by_the_rules((heap,), most, result))
