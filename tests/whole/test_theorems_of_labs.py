"""The notation, and positions that add up."""

import pytest

from graphgame.errors import LimitError
from graphgame.rules import position as position_module
from graphgame.rules import ruleset as ruleset_module
from graphgame.rules.notation import parse_position
from graphgame.rules.ruleset import Sum
from tests.core.rules.test_notation import F90


class TestSums:
    @pytest.mark.parametrize(
        ("text", "outcome"),
        [
            ("wythoff(1618033988749894848,2618033988749894848)", "P"),
            ("wythoff(1618033988749894848,2618033988749894848) + wythoff(3,5) + moore{2}(1,2)", "N"),
            (f"fibonacci({F90},{F90 + 3}) + nim(4,4)", "N"),
            (f"moore{{2}}({10**18},{10**18},{10**18})", "P"),
            (f"kayles({10**18}) + lasker({10**18})", "N"),
            ("cram(16x16)", "P"),
            ("cram(15x16)", "N"),
            ("chomp(50x50)", "N"),
            ("geography(grid:12x12@1.1)", "N"),
        ],
    )
    def test_outcomes_by_theorem(self, text, outcome):
        position = parse_position(text, max_positions=1)
        assert position.outcome == position.theorem.outcome == outcome

    def test_no_theorem(self):
        assert parse_position("wythoff(1,3) + wythoff(1,4)").theorem.outcome is None
        assert parse_position("wythoff(1,3) + wythoff(1,4)").under(misere=True).theorem.outcome is None
        assert parse_position("wythoff(1,2) + nim(5)").theorem.values == (0, 5)

    @pytest.mark.parametrize(
        ("text", "first", "complete"),
        [
            (f"take{{1,3,4}}({10**18 + 1})", [], True),
            (f"take{{1,3,4}}({10**18})", [10**18 - 1], True),
            (f"take{{odd}}({10**18 + 1})", [10**18, 10**18 - 2, 10**18 - 4], False),
            (f"take{{even}}({10**18})", [0], True),
            (f"take{{any}}({10**18}) + nim(7)", [7], True),
            (f"take{{not 2}}({10**18 + 1})", [0, 2], True),
            (f"octal{{0.15}}({10**18})", [Sum((4, 10**18 - 6)), Sum((9, 10**18 - 11)), Sum((14, 10**18 - 16))], False),
        ],
    )
    def test_winning_moves_that_may_be_too_many_to_list(self, monkeypatch, text, first, complete):
        monkeypatch.setattr(ruleset_module, "MAX_TRIED", 1000)
        monkeypatch.setattr(position_module, "MAX_TRIED", 100)
        position = parse_position(text)
        moves, all_of_them = position.first_winning_moves(3)
        assert ([move.end.position for move in moves], all_of_them) == (first, complete)
        if complete:
            assert position.winning_moves() == moves
        else:
            with pytest.raises(LimitError, match="too many"):
                position.winning_moves()
