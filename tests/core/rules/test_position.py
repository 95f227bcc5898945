"""A position answers as the solution of its graph does."""

import numpy as np
import pytest

from graphgame import GameGraph, Position, Ruleset, Sum, check, parse_position, solve
from graphgame.errors import LimitError, ParameterError, RulesetError, TokenError
from graphgame.play import adviser
from graphgame.rules.component_graphs import OpenGraph
from graphgame.rules.ruleset import Component, at_most
from graphgame.rules.sources import named_game
from graphgame.rules.strategies import first_moves
from graphgame.solution.results import Decisive
from tests.notations import graph_value, installed

TEXTS = installed(
    ["nim(3,4,5)", "nim(1,1)", "nim(0)", "nimble(2,3)", "staircase(1,3,2) + nim(2)", "staircase(2,1)", "chocolate(4x4)"]
)
CASES = [(text, misere) for text in TEXTS for misere in (False, True)]


@pytest.mark.parametrize(("text", "misere"), CASES)
class TestAlike:
    def test_who_wins(self, text, misere):
        position = parse_position(text, misere=misere)
        solution = solve(position)
        assert (position.winner, position.misere) == (solution.winner, solution.misere)
        assert (position.outcome == "N") == (position.winner == "first")

    def test_moves(self, text, misere):
        position = parse_position(text, misere=misere)
        solution = solve(position.graph(), misere=misere)
        assert len(position.winning_moves()) == len(solution.winning_moves())
        assert all(position.after(move).winner == "second" for move in position.winning_moves())
        best = position.best_move()
        assert (best is None) == (solution.best_move() is None)
        assert best is None or (best in position.winning_moves()) == (position.winner == "first")

    def test_values(self, text, misere):
        position = parse_position(text, misere=misere)
        whole = solve(position.product(), misere=misere)
        assert position.grundy == whole.grundy[whole.tokens[0]]
        if misere:
            with pytest.raises(TokenError, match="nim-sum"):
                _ = position.nim_sum
        else:
            assert position.nim_sum == position.grundy == graph_value(text)


class TestSums:
    def test_texts_add(self):
        position = parse_position("nim(3)")
        assert str("nim(1)" + position + "cutting(4x2)") == "nim(1) + nim(3) + cutting(4x2)"
        assert str("nim(1)" + position.under(misere=True)) == "nim(1) + nim(3)"

    def test_plays_do_not(self):
        position = parse_position("nim(3)")
        with pytest.raises(ParameterError, match=r"normal .* misère"):
            _ = position + position.under(misere=True)

    def test_play_tells_positions_apart(self):
        position = parse_position("nim(3)")
        assert position.under(misere=False) is position
        assert position.under(misere=True) != position
        assert repr(position.under(misere=True)) == "nim(3), misere play"
        with pytest.raises(ParameterError, match="'reverse'"):
            position.under("reverse")


class TestOf:
    def test_tokens_on_a_solved_graph(self):
        solution = solve({"a": ["b"], "b": ["c"]}, tokens=["a", "b"], misere=True)
        position = Position.of(solution)
        assert repr(position) == "graph@a + graph@b, misere play"
        assert (position.winner, position.best_move().start.position) == (solution.winner, solution.best_move().start)

    def test_tokens_on_different_graphs(self):
        edges = {"a": ["b"]}, {"a": ["b", "c"], "b": ["c"]}
        graphs = [GameGraph(each, tokens=["a"]) for each in edges]
        one, other = map(Position.of, graphs)
        assert (one.grundy, other.grundy, (one + other).grundy, (one + one).grundy) == (1, 2, 3, 0)
        assert str(one + other + one + other) == "graph@a + graph2@a + graph@a + graph2@a"
        assert (solve(one + other).nim_sum, (one + other).winner) == (3, "first")
        assert one == Position.of(graphs[0])

    def test_a_text_is_no_components(self):
        with pytest.raises(TypeError, match=r"not of a text: use Position.of\('nim\(3\)'\)"):
            Position("nim(3)")

    def test_a_graph_too_large_where_theorems_tell(self):
        with pytest.raises(LimitError, match=r"Position\.of\(game\)\.winner"):
            solve("nim(1000000000000,5)")
        # A theorem has the value of nim(3), but not the winner of the sum.
        for text in ("cutting(20x20)", "nim(3) + cutting(20x20)"):
            with pytest.raises(LimitError) as caught:
                solve(parse_position(text, max_positions=50))
            assert "theorems" not in str(caught.value)

    def test_a_file_comes_before_the_notation(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "nim(3)").write_text("a b\n")
        assert list(named_game("nim(3)")) == ["a", "b"]
        assert solve(parse_position("nim(3)")).nim_sum == 3


class TestStrategies:
    def test_what_comes_after_shares_the_graph(self, monkeypatch):
        position = parse_position("cutting(6x4) + nim(3)")
        moves = position.winning_moves()
        monkeypatch.setattr("graphgame.rules.component_graphs.explored", None)
        assert {position.after(move).outcome for move in moves} == {"P"}
        with pytest.raises(TypeError):
            _ = parse_position("cutting(6x4)").outcome

    def test_another_graph_is_explored_where_the_first_has_not_all(self):
        position, other = parse_position("cutting(3x3)"), parse_position("cutting(6x4)")
        assert position.outcome == "P"
        (move, *_) = position._with(other.components).winning_moves()
        graph = OpenGraph(other.after(move), position.open_graph.computed_solution)
        assert graph.solution is not position.open_graph.solution

    def test_a_closed_form_of_some_positions_only(self):
        class Rules(Ruleset):
            def options(self, heap):
                return range(max(heap - 3, 0), heap)

            def closed_form(self, heap):
                return None if heap % 4 else 0

        rules = Rules()
        position = Position([Component("own", rules, 8)]) + "nim(3)"
        assert position.nim_sum == 3
        assert [str(move.end) for move in position.winning_moves()] == ["own(7)", "nim(0)"]
        assert check(rules, 8).passed

    def test_options_with_a_closed_form_come_before_the_graph(self):
        class Rules(Ruleset):
            def options(self, heap):
                return range(max(heap - 3, 0), heap)

            def closed_form(self, heap):
                return heap % 4 if heap % 4 in (0, 3) else None

        component = Component("own", Rules(), 4_000_003)
        assert adviser(Position([component])).best_move(Position([component])).end.position == 4_000_000
        moves, complete = Position([component]).first_winning_moves(5)
        assert ([move.end.position for move in moves], complete) == ([4_000_000], False)
        assert [move.end.position for move in Position([component._replace(position=7)]).winning_moves()] == [4]

    def test_values_of_components_are_those_of_normal_play(self):
        """A table under misère play has other values."""

        class Rules(Ruleset):
            def options(self, position):
                return [(position[0] - 1, position[1])] if position[0] else []

            def value_array(self, shape, misere):
                return np.broadcast_to((np.arange(shape[0], dtype=np.int32) + misere)[:, None] % 2, shape)

        components = [Component("own", Rules(), (100, 100)), *parse_position("nim(3)").components]
        for misere in (False, True):
            assert Position(components, misere=misere, max_positions=50).values == (0, 3)
        assert Position(components[:1], misere=True).grundy == 1

    def test_loony_values_in_a_table_of_heaps(self):
        class Rules(Ruleset):
            def options(self, heap):
                return range(max(heap - 3, 0), heap)

            def decided(self, heap):
                return None if heap else "P"

            def table_shape(self, heap):
                return (heap + 1,)

            def value_array(self, shape, misere):
                return np.array(([-2, -3, -3, -3] + [n % 4 for n in range(shape[0])])[: shape[0]])

        position = Position([Component("own", Rules(), heap) for heap in (200, 2)])
        assert position.values == (0, Decisive.LOONY)
        assert [move.end.position for move in position.winning_moves()] == [0]

    def test_equal_options_are_one_move(self):
        class Rules(Ruleset):
            def options(self, heap):
                return [heap - 1, heap - 1] if heap else []

            def outcome_form(self, heap):
                return "N" if heap % 2 else "P"

        position = Position([Component("own", Rules(), 7)])
        assert [move.end.position for move in position.theorem.moves()] == [6]

    def test_an_error_in_the_canonical_position_of_an_option(self):
        class Rules(Ruleset):
            def options(self, heap):
                return range(heap)

            def canonical(self, heap):
                return heap or {}[0]

            def closed_form(self, heap):
                return heap

        with pytest.raises(RulesetError, match="in canonical: KeyError: 0, at position 7"):
            Position([Component("own", Rules(), 7)]).winning_moves()

    def test_the_empty_sums_of_several_games_are_one_vertex(self):
        class Take(Ruleset):
            def options(self, heap):
                return [Sum()] if heap else []

        position = Position([Component("one", Take(), 1)]) + Position([Component("two", Take(), 1)])
        assert list(position.graph(texts=True)) == ["one(1)", "()", "two(1)"]
        assert position.best_move().end.position == Sum()

    def test_the_first_moves_where_there_are_too_many(self):
        def moves():
            yield from "ab"
            raise LimitError("more")

        assert first_moves(moves(), 2) == (["a", "b"], False)
        assert first_moves(moves(), 3) == (["a", "b"], False)
        assert first_moves(iter("ab"), 3) == (["a", "b"], True)

    def test_options_are_counted(self):
        assert list(at_most("abc", 3)) == ["a", "b", "c"]
        with pytest.raises(LimitError, match=r"more than 2$"):
            list(at_most("abc", 2))
