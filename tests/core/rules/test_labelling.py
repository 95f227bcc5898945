"""Graphs of texts, and the explicit graph of a whole sum."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphgame import GameGraph, explore, solve
from graphgame.errors import LimitError, RulesetError, TokenError
from graphgame.rules.component_graphs import with_texts
from graphgame.rules.notation import parse_position
from graphgame.rules.ruleset import Ruleset, Sum, sum_text
from graphgame.solution.sums import product
from tests import brute
from tests.notations import installed


class TestTexts:
    def test_integers_stay(self):
        graph = parse_position("nim(2,3)").graph(texts=True)
        assert set(graph) == {0, 1, 2, 3}
        assert graph.tokens == (2, 3)

    def test_rulesets_own_texts(self):
        graph = parse_position("cutting(3x1)").graph(texts=True)
        assert set(graph) == {"3x1", "1x1|2x1"}
        assert graph.tokens == ("3x1",)

    def test_sums(self):
        graph = parse_position("cutting(4x2)").graph(texts=True)
        assert {"4x2", "2x2", "2x2 + 2x2"} <= set(graph)
        assert graph["2x2 + 2x2"]["2x2"] == {"multiplicity": 2}

    def test_several_rulesets(self):
        graph = parse_position("wind-up{4:1}(1) + cutting(4x2)").graph(texts=True)
        assert graph.tokens == ("wind-up{4:1}(1)", "cutting(4x2)")
        assert "cutting(2x2) + cutting(2x2)" in graph

    @pytest.mark.parametrize(
        "text", installed(["staircase(3,4)", "cutting(6x5)", "nim(4) + cutting(4x2)", "staircase(1,2,2)"])
    )
    def test_the_game_is_the_same(self, text):
        position = parse_position(text)
        plain, shown = solve(position.graph()), solve(position.graph(texts=True))
        assert (shown.nim_sum, shown.winner) == (plain.nim_sum, plain.winner)
        assert list(shown.grundy.values()) == list(plain.grundy.values())

    def test_two_positions_of_one_text(self):
        class Blunt(Ruleset):
            def options(self, n):
                return range(n)

        with pytest.raises(RulesetError, match="positions 2 and 1 have the same text, 'few'"):
            with_texts(explore(Blunt(), 2), lambda n: "few" if n else "none")

    def test_no_part(self):
        assert sum_text(()) == "()"
        assert sum_text((1, 2)) == "1 + 2"


class TestProduct:
    @given(
        st.lists(
            st.sampled_from(installed(["nim(1)", "nim(3)", "staircase(1,1)", "nimble(2)"])), min_size=1, max_size=3
        )
    )
    def test_the_sum_as_one_position(self, parts):
        position = parse_position(" + ".join(parts))
        graph = position.product()
        (start,) = graph.tokens
        solution = solve(graph)
        assert solution.grundy[start] == position.grundy
        misere = solve(graph, misere=True)
        assert misere.outcome[start] == position.under(misere=True).outcome
        assert dict(solution.grundy) == brute.grundy_values({v: list(graph[v]) for v in graph})

    def test_texts(self):
        graph = parse_position("nim(1) + wind-up{2:1}(1)").product(texts=True)
        assert set(graph.edges) == {
            ("nim(1) + wind-up{2:1}(1)", "nim(1)"),
            ("nim(1) + wind-up{2:1}(1)", "wind-up{2:1}(1)"),
            ("nim(1)", "()"),
            ("wind-up{2:1}(1)", "()"),
        }

    def test_sum_vertices_are_replaced_by_their_parts(self):
        graph = parse_position("cutting(4x2)").product(texts=True)
        assert graph.sums is None
        assert "2x2 + 2x2" in graph["4x2"]

    def test_limits(self):
        with pytest.raises(LimitError, match="product_limit=10"):
            parse_position("nim(5,5)").product(limit=10)
        with pytest.raises(TokenError, match="tokens"):
            product(GameGraph([(1, 0)]))

    def test_no_components(self):
        graph = product(GameGraph([(1, 0)], tokens=[]))
        assert (list(graph), graph.tokens) == ([()], ((),))


class TestPosition:
    def test_terms_of_graph_files_are_notation(self, tmp_path):
        path = tmp_path / "game.edges"
        path.write_text("a b\na c\n")
        position = parse_position(f"{path}@a + *1")
        assert str(position) == f"{path}@a + nim(1)"
        assert parse_position(str(position)).components[1:] == position.components[1:]
        assert set(map(str, position.graph())) == {f"{path}@a", f"{path}@b", f"{path}@c", "nim(1)", "nim(0)"}

    @given(st.lists(st.integers(0, 5), max_size=4))
    def test_misere_nim_by_theorem(self, heaps):
        position = parse_position(f"nim({','.join(map(str, heaps or [0]))})")
        solution = solve(position.graph(), misere=True)
        assert position.under(misere=True).outcome == ("N" if solution.winner == "first" else "P")
        theorem = [(m.component, m.start.position, m.end.position) for m in position.under(misere=True).winning_moves()]
        assert sorted(theorem) == sorted(solution.winning_moves())

    def test_misere_nim_of_any_size(self):
        position = parse_position("nim(1000000000000000000,5)")
        assert position.under(misere=True).outcome == "N"
        assert [str(move.end) for move in position.under(misere=True).winning_moves()] == ["nim(5)"]

    def test_text(self):
        position = parse_position("cutting(4x2)")
        (move,) = position.winning_moves()
        assert [position.text(part) for part in move[1:]] == ["4x2", "2x2 + 2x2"]
        mixed = position + parse_position("nim(2)")
        assert mixed.text(mixed.components[0]) == "cutting(4x2)"

    def test_sums_of_sums_are_flat(self):
        assert str(parse_position("nim(1,2)").components) == "(nim(1), nim(2))"
        assert explore(parse_position("nim(1)").components[0].ruleset, Sum([1, 2])).tokens == (1, 2)
