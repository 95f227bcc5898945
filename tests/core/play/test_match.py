"""Playing: perfect play against the theory, matches."""

from __future__ import annotations

from functools import cache
from itertools import product

import networkx as nx
import pytest

from graphgame import GameGraph, Ruleset, parse_position
from graphgame.errors import CycleError, LimitError, ParameterError
from graphgame.play import Computer, Match, Verdict, adviser, find_move, legal_moves
from graphgame.play.dialogue import history_lines, outcome_text
from graphgame.rules.component_graphs import GraphRuleset
from graphgame.rules.position import Component, Position
from tests.notations import installed

SMALL = installed(
    [
        "nim(3,4,2)",
        "take{1,3,4}(9) + nim(2)",
        "lasker(3,3)",
        "grundy(9)",
        "kayles(7)",
        "chomp(3x3)",
        "cram(3x3)",
        "wythoff(3,5)",
        "euclid(13,7)",
        "fibonacci(9)",
        "coins{1..2 within 3}(thhth)",
        "node-kayles(path:6)",
        "hackenbush(0-1,1-2,1-3,0-4)",
        "sprouts(2)",
        "nim(0)",
        "moore{2}(2,2,2)",
        "staircase(2,1,2)",
        "chocolate(4x2)",
        "georgia(1,3,6)",
    ]
)


def judged(position: Position, misere: str) -> tuple[str, int]:
    """Say who wins and how fast by the definition alone: move by move, over the rules."""

    @cache
    def value(components: tuple[Component, ...]) -> tuple[str, int]:
        here = Position(components)
        if here.decided:
            return here.decided, 0
        after = [value(tuple(sorted(here.after(move).components, key=str))) for move in legal_moves(here)]
        if not after:
            return ("P" if not misere else "N"), 0
        won = [length for outcome, length in after if outcome == "P"]
        return ("N", 1 + min(won)) if won else ("P", 1 + max(length for _, length in after))

    return value(tuple(sorted(position.components, key=str)))


ENDED_BY_A_MOVE = installed(["cutting(6x4)", "treblecross(7) + kayles(3)", "whiteboard{2}(9) + nim(2)"])
"""These have no misère play."""


@pytest.mark.parametrize(
    ("text", "misere"),
    [*product(SMALL, [False, True]), *((text, False) for text in ENDED_BY_A_MOVE)],
)
class TestPerfectPlay:
    def test_verdicts_are_those_of_the_definition(self, text, misere):
        position = parse_position(text)
        expected = judged(position, misere)
        assert adviser(position.under(misere)).verdict(position.under(misere)) == Verdict(*expected)

    def test_two_perfect_players_take_exactly_the_remoteness(self, text, misere):
        position = parse_position(text)
        outcome, length = judged(position, misere)
        match = Match(position.under(misere))
        computer = Computer(adviser(position.under(misere)))
        while match.winner is None:
            match.move(computer.choose(match.position))
        assert match.winner == ("first" if outcome == "N" else "second")
        assert len(match.moves) == length

    @pytest.mark.parametrize("seed", [1, 2, 3])
    def test_a_won_game_takes_at_most_its_remoteness(self, text, misere, seed):
        position = parse_position(text)
        outcome, length = judged(position, misere)
        known = adviser(position.under(misere))
        players = {"first": Computer(known, 1.0, seed), "second": Computer(known, 1.0, seed)}
        winner = "first" if outcome == "N" else "second"
        players[winner] = Computer(known)
        match = Match(position.under(misere))
        while match.winner is None:
            match.move(players[match.mover].choose(match.position))
        assert match.winner == winner
        assert len(match.moves) <= length


class TestLargePositions:
    @pytest.mark.parametrize(
        ("text", "misere", "winner"),
        installed(
            [
                ("nim(1000000000000000000,5)", False, "first"),
                ("nim(1000000000000000000,1000000000000000000)", False, "second"),
                (f"nim({10**40},7,1)", True, "first"),
                ("nim(1000000000000000000,1,1)", True, "first"),
                ("bash{3}(1000000000001) + nim(1)", False, "second"),
            ]
        ),
    )
    def test_no_graph_is_needed(self, text, misere, winner):
        match = Match(parse_position(text, misere=misere))
        known = adviser(match.start)
        players = {"first": Computer(known, 1.0, 5), "second": Computer(known, 1.0, 5)}
        players[winner] = Computer(known)
        assert known.verdict(match.start) == Verdict("N" if winner == "first" else "P", None)
        while match.winner is None and len(match.moves) < 400:
            match.move(players[match.mover].choose(match.position))
            if match.mover != winner:
                assert known.verdict(match.position).outcome == "P"
        assert match.winner == (None if "bash" in text else winner)

    def test_the_loser_of_large_heaps_takes_as_little_as_it_can(self):
        position = parse_position("nim(1000000,1000000)")
        assert str(adviser(position).best_move(position).end) == "nim(999999)"

    def test_a_sum_too_large_to_play_out_is_won_by_values(self):
        position = parse_position("cutting(30x20) + cutting(21x17) + nim(3)")
        known = adviser(position, product_limit=50)
        match, players = Match(position), [Computer(known), Computer(known, 1.0, 1)]
        assert known.verdict(position) == Verdict("N", None)
        while match.winner is None:
            match.move(players[len(match.moves) % 2].choose(match.position))
        assert match.winner == "first"

    def test_what_no_theorem_tells_is_refused(self):
        with pytest.raises(LimitError, match="max_positions=100"):
            adviser(parse_position("cutting(20x20)", max_positions=100))
        heaps = Position.of(GameGraph({size: range(size) for size in range(6)}, tokens=[5, 5, 3]))
        with pytest.raises(LimitError, match="product_limit=10"):
            adviser(heaps.under(misere=True), product_limit=10)


RING = {"s": ["left", "end"], "left": ["right"], "right": ["left", "far"], "far": ["end"]}


class TestCycles:
    def start(self, *tokens: str) -> Position:
        rules = GraphRuleset(GameGraph(RING, tokens=tokens))
        return Position(Component("ring", rules, token) for token in tokens)

    def test_play_that_need_not_end_is_refused(self):
        with pytest.raises(CycleError):
            adviser(self.start("s"))

    def test_a_win_is_taken_and_a_draw_is_kept(self):
        known = adviser(self.start("s"), loopy=True)
        assert known.verdict(self.start("s")) == Verdict("N", 1)
        assert known.verdict(self.start("left")) == Verdict("D", None)
        assert known.best_move(self.start("right")).end.position == "left"

    def test_the_third_time_is_a_draw(self):
        match = Match(self.start("left"))
        for end in ("right", "left", "right", "left"):
            assert match.winner is None
            match.move(find_move(match.position, end))
        assert (match.winner, match.result) == ("draw", "draw")
        match.undo()
        assert match.winner is None


class TestMatch:
    def test_resigning_and_taking_back(self):
        match = Match(parse_position("nim(1,2)"))
        match.move(find_move(match.position, "2 -> 1"))
        match.resign()
        assert (match.result, match.winner) == ("second resigns", "first")
        with pytest.raises(ParameterError, match="the game is over: second resigns"):
            match.move(find_move(match.position, "-> 0"))
        match.undo()
        match.undo()
        assert (match.position, match.mover) == (match.start, "first")
        with pytest.raises(ParameterError, match="there is no move to take back"):
            match.undo()

    @pytest.mark.parametrize(("misere", "winner"), [(False, "second"), (True, "first")])
    def test_whoever_cannot_move(self, misere, winner):
        match = Match(parse_position("nim(0)", misere=misere))
        assert (match.winner, match.result) == (winner, f"{winner} wins")
        with pytest.raises(ParameterError, match="the game is over"):
            match.resign()
        assert outcome_text(match) == f"no move is left: {winner} player wins after 0 moves"

    def test_history(self):
        match = Match(parse_position("nim(2)"))
        assert history_lines(match) == ["no moves yet"]
        match.move(find_move(match.position, "-> 1"))
        match.move(find_move(match.position, "-> 0"))
        assert history_lines(match) == ["1  first  1: 2 -> 1", "2  second 1: 1 -> 0"]


def test_a_random_graph_is_won_as_fast_as_it_can_be():
    graph = GameGraph(nx.gnp_random_graph(14, 0.4, seed=4, directed=True).edges)
    graph = GameGraph([(u, v) for u, v in graph.edges if u > v])
    rules = GraphRuleset(graph)
    position = Position(Component("g", rules, token) for token in (13, 12, 9))
    assert adviser(position).verdict(position) == Verdict(*judged(position, misere=False))


@pytest.mark.parametrize("error", [-0.1, 1.5])
def test_a_chance_is_a_chance(error):
    with pytest.raises(ParameterError, match="expected the probability of a random move, from 0 to 1"):
        Computer(None, error)


def test_a_computer_makes_no_random_move_after_play_is_over():
    class TakeToOne(Ruleset):
        def options(self, heap):
            return range(heap)

        def decided(self, heap):
            return "P" if heap <= 1 else None

    assert Computer(None, 1.0).choose(Position([Component("own", TakeToOne(), 1)])) is None
