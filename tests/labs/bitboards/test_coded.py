"""Rules whose positions are codes are explored by arrays; what they give is checked."""

import numpy as np
import pytest

from graphgame import LimitError, RulesetError
from graphgame.rules.coded import CodedRuleset
from graphgame.rules.exploration import explore
from tests.helpers import CodedTakeUpToThree


def test_codes_out_of_range():
    class Wrong(CodedRuleset):
        size = 5

        def option_codes(self, codes):
            return np.zeros(1, int), np.array([7])

    with pytest.raises(RulesetError, match=r"gave the code 7: expected 0\.\.4"):
        explore(Wrong(), 1)


def test_code_table_beyond_memory():
    class Vast(CodedTakeUpToThree):
        size = 10**15

    with pytest.raises(LimitError, match=r"100000000000000 .*\b1\d+\b"):
        explore(Vast(), 10**14)
    assert len(explore(Vast(), 1)) == 2


@pytest.mark.parametrize("ends", [np.zeros(3, int), np.zeros((2, 3), int), np.zeros((2, 2, 1), int)])
def test_codes_of_a_wrong_shape(ends):
    class Wrong(CodedRuleset):
        size = 5

        def option_codes(self, codes):
            return np.zeros(2, int), ends

    with pytest.raises(RulesetError, match=r"option_codes .*\b2 rows"):
        explore(Wrong(), 1)
