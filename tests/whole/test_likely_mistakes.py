"""Likely mistakes: graphgame does what was meant, or the message says what to type."""

import numpy as np
import pytest

from graphgame import Ruleset, explore, mex, nimbers
from graphgame.errors import ParameterError, RulesetError
from tests.commands import error, fill, output


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    fill(tmp_path)
    monkeypatch.chdir(tmp_path)


class Square(Ruleset):
    def options(self, heap):
        return [heap - k * k for k in range(1, heap + 1) if k * k <= heap]


def test_starts_in_a_list():
    with pytest.raises(RulesetError, match=r"each item, call explore\(rules, \*\[1, 2, 3\]\); .* a tuple, \(1, 2, 3\)"):
        explore(Square(), [1, 2, 3])
    assert explore(Square(), *[1, 2, 3]).tokens == (1, 2, 3)


@pytest.mark.parametrize("values", ["abc", [-1], [0, 1.0], ["0"], [None]])
def test_mex_refuses_other_objects_than_values(values):
    with pytest.raises(ParameterError, match="expected integers of 0 or more"):
        mex(values)


def test_mex_takes_any_integers():
    assert (mex(np.array([0, 1, 3])), mex({0, 1}), mex(iter([1]))) == (2, 2, 0)


@pytest.mark.parametrize(
    ("text", "value"), [("*3 + *5", 6), ("2 * *3", 1), ("2 * 3", 1), ("*2*3", 1), ("(*4) ** 2", 6), ("mex{*0, *1}", 2)]
)
def test_nimbers_with_their_star(text, value):
    assert nimbers.evaluate(text) == value
    assert output("nimber", text) == f"{value}\n"


def test_nimbers_in_latex():
    assert nimbers.latex("*3 + 2 * *5") == r"\ast 3 \oplus 2 \otimes \ast 5"


def test_one_range_for_two_heaps():
    assert '; write two ranges: "wythoff(0..9, 0..9)"' in error("values", "wythoff(0..9)")
    assert "write two ranges" not in error("values", "wythoff(0..9, x)")


def test_tokens_that_are_several_words():
    for words in (["--tokens", "1", "2", "4", "6", "chips.txt"], ["chips.txt", "--tokens", "1", "2", "4", "6"]):
        assert '--tokens "1 2 4 6" chips.txt' in error("solve", *words)
    for words in (["nim(300)", "--tokens", "300", "200", "100"], ["--tokens", "300", "200", "100", "nim(300)"]):
        assert error("solve", *words).endswith('--tokens "300 200 100" "nim(300)"\n')
    assert output("solve", "--tokens", "1 2 4 6", "chips.txt").startswith("first player wins")


def test_a_tuple_as_a_position():
    assert output("solve", "rules.py:Pairs((1,2))") == output("solve", "rules.py:Pairs(1,2)")
