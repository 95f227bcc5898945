"""The notation, and positions that add up."""

from hypothesis import given
from hypothesis import strategies as st

from graphgame import Move, solve
from graphgame.rules.notation import parse_position
from tests import brute
from tests.core.rules.test_notation import RULES, _options


class TestSums:
    @given(
        st.lists(st.tuples(st.sampled_from(RULES), st.integers(0, 5)), max_size=3),
        st.booleans(),
    )
    def test_mixtures_by_playing_them_out(self, drawn, misere):
        position = parse_position(" + ".join(f"{rules}({heap})" for rules, heap in drawn)) if drawn else None
        if position is None:
            return
        options = {(r, h): [(r, o) for o in _options(r, h)] for r in RULES for h in range(6)}
        result = brute.play_out(options, misere=misere)
        wins, length = result(tuple(drawn))
        assert position.under(misere).outcome == ("N" if wins else "P")
        expected = [
            (i, end)
            for i, (r, h) in enumerate(drawn)
            for end in sorted(_options(r, h))
            if not result((*drawn[:i], (r, end), *drawn[i + 1 :]))[0]
        ]
        moves = position.under(misere).winning_moves()
        assert sorted((move.component, move.end.position) for move in moves) == expected
        best = position.under(misere).best_move()
        assert (best is None) == all(not options[part] for part in drawn)
        assert solve(position, misere=misere).sum_remoteness() == length

    def test_the_three_rule_mixture(self):
        position = parse_position("take{1,2,3}(10) + take{odd}(7) + nim(5)")
        start, end = position.components[2], position.components[2]._replace(position=3)
        assert position.winning_moves() == [Move(2, start, end)]
        assert repr(position.winning_moves()) == "[Move(component=2, start=nim(5), end=nim(3))]"
