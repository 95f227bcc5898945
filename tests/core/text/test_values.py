"""What an explanation says, and that it agrees with the solution that it explains."""

from __future__ import annotations

import re

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphgame
from graphgame.errors import ParameterError
from graphgame.text.positions import explain

CHIPS = nx.DiGraph([(1, 3), (1, 4), (1, 5), (2, 1), (2, 4), (3, 5), (3, 6), (4, 5)])
HEAP = nx.DiGraph((n, m) for n in range(50) for m in range(n))


def sums_graph() -> nx.DiGraph:
    """Position ``top`` splits into two heaps of Nim, 1 and 2, or moves to heap 1."""
    graph = nx.DiGraph([(1, 0), (2, 0), (2, 1), ("top", "1+2"), ("top", 1), ("1+2", 1), ("1+2", 2)])
    graph.add_node("1+2", kind="sum")
    return graph


def chips(**options: object) -> str:
    depth = options.pop("depth", 0)
    position = options.pop("position", None)
    return explain(graphgame.solve(CHIPS, **options), position, depth=depth)  # type: ignore[arg-type]


class TestPosition:
    def test_the_derivation_of_one_value(self) -> None:
        assert chips(position=1).splitlines() == [
            "position 1 has value 2; its options:",
            "  value 0: 5",
            "  value 1: 3; 4",
            "  value 2: none, so mex{0, 1} = 2",
            "  an N-position: the move to 5 leaves a P-position",
        ]

    @pytest.mark.parametrize(
        ("misere", "position", "line"),
        [
            (False, 5, "no options: mex{} = 0"),
            (False, 5, "a P-position: the player to move has no move, and loses"),
            (False, 2, "value 0: none, so mex{1, 2} = 0"),
            (False, 2, "a P-position: every option is an N-position"),
            (True, 5, "no options: value 1 under misère play"),
            (True, 5, "an N-position: the player who cannot move wins"),
            (True, 4, "value 0: none, so mex{1} = 0"),
            (True, 4, "a P-position: every option is an N-position"),
        ],
    )
    def test_each_kind_of_position(self, misere: str, position: int, line: str) -> None:
        assert f"  {line}" in chips(misere=misere, position=position).splitlines()

    @pytest.mark.parametrize(
        ("depth", "derived"), [(0, [2]), (1, [1, 2, 4]), (2, [1, 2, 3, 4, 5]), (9, [1, 2, 3, 4, 5, 6])]
    )
    def test_the_depth_bounds_what_is_derived(self, depth: int, derived: list[int]) -> None:
        found = [int(number) for number in re.findall(r"^position (\d+)", chips(position=2, depth=depth), re.M)]
        assert sorted(found) == derived
        assert found[0] == 2

    def test_many_options_and_values_are_cut(self) -> None:
        text = explain(graphgame.solve(HEAP), 49, depth=0)
        assert text.splitlines()[1:-1] == [
            *(f"  value {k}: {k}" for k in range(20)),
            "  ... and 29 more",
            "  value 49: none, so mex{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ..., 48} = 49",
        ]

    def test_many_options_of_one_value_are_cut(self) -> None:
        star = nx.DiGraph([("a", f"b{k}") for k in range(10)])
        assert "  value 0: b0; b1; b2; b3; b4; b5; b6; b7; ... and 2 more" in explain(graphgame.solve(star), "a")

    def test_values_above_the_gap_come_after_it(self) -> None:
        assert chips(position=2).splitlines()[1:4] == [
            "  value 0: none, so mex{1, 2} = 0",
            "  value 1: 4",
            "  value 2: 1",
        ]

    def test_no_more_than_forty_positions_are_derived(self) -> None:
        text = explain(graphgame.solve(HEAP), 49, depth=3)
        assert len(re.findall(r"^position ", text, re.M)) == 40
        assert text.endswith("\nonly 40 positions are explained here; name any other position to explain it")

    def test_a_long_path_needs_no_recursion(self) -> None:
        path = nx.path_graph(20_000, create_using=nx.DiGraph)
        assert "40 positions are explained" in explain(graphgame.solve(path), 0, depth=10**6)

    def test_a_label_cannot_reach_the_terminal(self) -> None:
        text = explain(graphgame.solve(nx.DiGraph([("\x1b[31m\n", "\u202eb")])), "\x1b[31m\n")
        assert r"position \x1b[31m\n has value 1; its options:" in text
        assert r"  value 0: \u202eb" in text.splitlines()

    def test_an_unknown_position(self) -> None:
        with pytest.raises(graphgame.errors.UnknownPositionError, match="position 9 is not a vertex"):
            chips(position=9)

    def test_a_negative_depth(self) -> None:
        with pytest.raises(ParameterError, match="invalid depth -1: expected an integer of 0 or more"):
            chips(depth=-1)

    def test_without_tokens_the_positions_that_no_move_leads_to(self) -> None:
        graph = nx.DiGraph([("a", "c"), ("b", "c")])
        assert re.findall(r"position (\w) has", explain(graphgame.solve(graph), depth=0)) == ["a", "b"]


class TestSumVertex:
    def test_normal_play_shows_the_columns(self) -> None:
        assert explain(graphgame.solve(sums_graph()), "1+2", depth=0).splitlines() == [
            "sum 1+2 has value 3",
            "  the xor of the parts of the sum:",
            "  1  1  01",
            "  2  2  10",
            "        --",
            "     3  11",
        ]

    def test_misere_play_does_not_pretend_an_xor(self) -> None:
        text = explain(graphgame.solve(sums_graph(), misere=True), "1+2", depth=0)
        assert "the parts of the sum: 1, 2" in text
        assert "misère values do not combine by xor" in text

    @pytest.mark.parametrize(
        ("misere", "line"),
        [
            (False, "no parts: the xor of nothing is 0"),
            (True, "no parts, so no move: value 1 under misère play"),
        ],
    )
    def test_an_empty_sum(self, misere: str, line: str) -> None:
        graph = nx.DiGraph([("a", "nothing")])
        graph.add_node("nothing", kind="sum")
        assert line in explain(graphgame.solve(graph, misere=misere), "nothing")  # type: ignore[arg-type]

    def test_an_answer_within_a_part(self) -> None:
        text = explain(graphgame.solve(sums_graph(), tokens=["top", "top"]), depth=0)
        assert "component 1: top -> 1+2 is answered by" in text


class TestTokens:
    def test_why_the_first_player_wins(self) -> None:
        assert chips(tokens=[1, 2, 4, 6]).split("\n\nposition")[0].splitlines() == [
            "first player wins: the nim-sum of the tokens is 3",
            "",
            "  1  2  10",
            "  2  0  00",
            "  4  1  01",
            "  6  0  00",
            "        --",
            "     3  11",
            "",
            "3 is 11 in binary, and component 1, position 1, has a 1 in its top column:",
            "2 xor 3 = 1 is less than 2, so by the mex rule this position has an option of value 1.",
            "This move makes the nim-sum 0. Every answer changes one value, so the nim-sum is no longer 0",
            "and can be made 0 again: the first player always has a move, and so makes the last one.",
            "",
            "winning moves:",
            *(
                f"  component 1: 1 -> {move.end}: value 2 becomes 2 xor 3 = 1"
                for move in graphgame.solve(CHIPS, tokens=[1, 2, 4, 6]).winning_moves()
            ),
        ]

    def test_a_raising_move_is_said_to_be_reversible(self) -> None:
        text = chips(tokens=[1, 2])
        assert "component 2: 2 -> 1: value 0 becomes 0 xor 2 = 2 (raises the value: a reversible move" in text

    def test_one_token_takes_no_nim_sum(self) -> None:
        assert chips(tokens=[4], depth=0).splitlines()[:4] == [
            "first player wins: 4 has the value 1, and a move to the value 0 wins",
            "",
            "winning moves:",
            "  4 -> 5",
        ]

    def test_why_every_move_loses(self) -> None:
        text = chips(tokens=[1, 1])
        assert text.startswith("second player wins: the nim-sum of the tokens is 0\n")
        assert "every move loses" in text
        assert "component 1: 1 -> 5 is answered by component 2: 1 -> 5" in text

    def test_a_move_that_loses_at_once_has_no_answer(self) -> None:
        graph = graphgame.GameGraph.from_arrays([1, 2, 2], [0, 0, 1], decided=np.array([-3, 0, 0]))
        single, double = (explain(graphgame.solve(graph, tokens=tokens), depth=0) for tokens in ([1], [1, 1]))
        assert "1 has the value 0; after each move the second player wins at once or makes the value 0 again" in single
        assert "play ends with it or with the answer to it.\n  component 1: 1 -> 0 loses at once" in double

    @pytest.mark.parametrize(
        ("part", "line"), [("a", "s -> S is answered by loony -> won"), ("lost", "s -> S loses at once")]
    )
    def test_the_answer_to_a_move_to_a_loony_sum(self, part: str, line: str) -> None:
        graph = nx.DiGraph([("s", "S"), ("S", "loony"), ("a", "b")])
        for name, kind in (("S", "sum"), ("won", "decided-P"), ("lost", "decided-N")):
            graph.add_node(name, kind=kind)
        graph.add_edges_from([("S", part), ("loony", "won")])
        assert f"  {line}" in explain(graphgame.solve(graph, tokens=["s"]), depth=0).splitlines()

    def test_who_ends_misere_play_loses(self) -> None:
        graph = nx.DiGraph([("a", "b"), ("b", "a"), ("a", "end"), ("b", "p"), ("p", "end")])
        text = explain(graphgame.solve(graph, loopy=True, misere=True), "a", depth=0)
        assert "  the move to end ends the game, and the player who makes it loses" in text.splitlines()

    @pytest.mark.parametrize(
        ("tokens", "lines"),
        [
            (["a", "win"], ["first player wins at once: from win a move ends play, whatever else is in the sum"]),
            (["won", "a"], ["second player wins: won ends play"]),
            (["end"], ["All values are finite and their xor is 0", "A move to a loony position loses too"]),
        ],
    )
    def test_cycles_and_moves_that_end_play(self, tokens: list[str], lines: list[str]) -> None:
        graph = nx.DiGraph([("a", "b"), ("b", "a"), ("win", "won"), ("end", "lost")])
        graph.add_node("won", kind="decided-P")
        graph.add_node("lost", kind="decided-N")
        text = explain(graphgame.solve(graph, loopy=True, tokens=tokens), depth=0)
        assert all(line in text for line in lines)

    def test_a_graph_in_which_a_move_leads_to_each_position(self) -> None:
        text = explain(graphgame.solve(nx.DiGraph(["ab", "ba"]), loopy=True), depth=0)
        assert [line.split()[1] for line in text.splitlines() if line.startswith("position")] == ["a", "b"]

    @pytest.mark.parametrize("tokens", [[], [5], [5, 6]])
    def test_no_move_at_all(self, tokens: list[int]) -> None:
        assert "No component has a move: the first player cannot move, and loses." in chips(tokens=tokens)
        misere = chips(tokens=tokens, misere=True)
        head = "first player wins under misère play: no component has a move, and the player who cannot move wins"
        assert misere.splitlines()[0] == head

    def test_misere_play_of_a_sum(self) -> None:
        text = chips(tokens=[1, 2], misere=True)
        assert text.startswith("first player wins under misère play\n\nThe sum of 1, 2 was solved move by move")
        moves = graphgame.solve(CHIPS, tokens=[1, 2], misere=True).winning_moves()
        assert re.findall(r"component (\d): (\d) -> (\d)", text) == [(str(c + 1), str(s), str(e)) for c, s, e in moves]

    def test_misere_play_that_is_lost(self) -> None:
        text = chips(tokens=[4], misere=True)
        assert "second player wins under misère play" in text
        assert "Every move loses: there is only 1 move, to an N-position." in text

    def test_a_hundred_tokens_are_cut(self) -> None:
        text = explain(graphgame.solve(HEAP, tokens=[1] * 99), depth=0)
        assert "... and 79 more" in text
        assert len(text.splitlines()) < 70


@st.composite
def games(draw: st.DrawFn) -> tuple[nx.DiGraph, list[int]]:
    size = draw(st.integers(1, 8))
    pairs = [(n, m) for n in range(size) for m in range(n)]
    graph = nx.DiGraph(draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else [])
    graph.add_nodes_from(range(size))
    return graph, draw(st.lists(st.integers(0, size - 1), min_size=1, max_size=4))


@given(games())
def test_every_reply_wins_and_every_winning_move_is_listed(game: tuple[nx.DiGraph, list[int]]) -> None:
    graph, tokens = game
    solution = graphgame.solve(graph, tokens=tokens)
    text = explain(solution, depth=0)
    if len(tokens) == 1:  # then no component is named
        text = re.sub(r"\b(\d+ -> \d+)", r"component 1: \1", text)
    if solution.winner == "first":
        listed = re.findall(r"^  component (\d+): (\d+) -> (\d+)(?:: value|$)", text, re.M)
        moves = [(str(c + 1), str(start), str(end)) for c, start, end in solution.winning_moves()]
        assert listed == moves[:20]
    for line in re.findall(r"^  component .* is answered by .*$", text, re.M):
        now = list(tokens)
        for component, start, end in re.findall(r"component (\d+): (\d+) -> (\d+)", line):
            assert now[int(component) - 1] == int(start)
            assert graph.has_edge(int(start), int(end))
            now[int(component) - 1] = int(end)
        assert graphgame.solve(graph, tokens=now).nim_sum == 0


def test_a_graph_is_solved_first():
    assert explain(nx.DiGraph([(1, 2)]), 1) == explain(graphgame.solve(nx.DiGraph([(1, 2)])), 1)


def test_an_explanation_shows_itself_at_a_prompt() -> None:
    told = explain("nim(3)")
    assert repr(told) == str(told)
    assert told == "\n".join(told.splitlines())
