"""Certificates: few values that prove who wins, none of them superfluous."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphgame import GameGraph, parse_position, solve, verify
from graphgame.errors import FormatError, ParameterError, TokenError
from graphgame.labs.formats.values import read_values
from graphgame.labs.verification.certification import certificate, write_certificate
from tests.brute import play_out
from tests.helpers import CHIPS, game
from tests.strategies import dags_with_sums, dags_with_tokens

HEAP = nx.DiGraph((n, m) for n in range(9) for m in range(max(0, n - 3), n))


def superfluous(graph, solution, proof):
    """Return the positions without which the winner is still proved."""
    asked = {"tokens": solution.tokens, "misere": solution.misere, "loopy": True}
    return [
        position
        for position in proof
        if verify(graph, {other: proof[other] for other in proof if other != position}, **asked).winner
        == solution.winner
    ]


def grundy_of(solution):
    return {position: row.grundy for position, row in certificate(solution).items()}


class TestOneToken:
    @pytest.mark.parametrize(
        ("start", "expected"),
        [(0, {0: 0}), (1, {0: 0}), (3, {0: 0}), (4, {0: 0, 4: 0}), (7, {0: 0, 4: 0}), (8, {0: 0, 4: 0, 8: 0})],
    )
    def test_the_multiples_of_four(self, start, expected):
        assert grundy_of(solve(HEAP, tokens=[start])) == expected

    @given(dags_with_tokens(max_vertices=10, max_edges=25, max_tokens=1), st.booleans())
    def test_every_move_from_a_p_position_has_a_reply(self, drawn, misere):
        options, tokens = drawn
        proof = certificate(solve(game(options), misere=misere, tokens=tokens))
        assert all((row.grundy, row.outcome) == (0, "P") for row in proof.values())
        for position in proof:
            for option in options[position]:
                ends_the_game = misere and not options[option]
                assert ends_the_game or set(options[option]) & set(proof)

    def test_a_reply_that_serves_twice_is_chosen(self):
        # a is lost; b can be answered by d or e, c by e alone
        graph = nx.DiGraph(["ab", "ac", "bd", "be", "ce"])
        assert grundy_of(solve(graph, tokens=["a"])) == {"a": 0, "e": 0}


class TestSums:
    @pytest.mark.parametrize(
        ("tokens", "expected"),
        [([5, 5], {}), ([5, 2, 5], {0: 0}), ([1, 2], {}), ([], {}), ([1, 2, 3], {0: 0, 1: 1, 2: 2, 3: 3})],
    )
    def test_what_is_needed(self, tokens, expected):
        assert grundy_of(solve(HEAP, tokens=tokens)) == expected

    def test_the_worked_example(self):
        solution = solve(nx.DiGraph(CHIPS), tokens=[1, 2, 4, 6])
        proof = certificate(solution)
        assert verify(solution.graph, proof, tokens=solution.tokens).winner == "first"
        assert len(proof) < len(solution.graph)

    @given(dags_with_tokens(max_vertices=9, max_edges=25), st.booleans())
    def test_it_proves_the_winner(self, drawn, misere):
        options, tokens = drawn
        tokens = tokens[:1] if misere else tokens
        graph = game(options)
        report = verify(graph, certificate(solve(graph, misere=misere, tokens=tokens)), tokens=tokens)
        assert report.passed
        assert report.winner == ("first" if play_out(options, misere=misere)(tuple(tokens))[0] else "second")

    @given(dags_with_tokens(max_vertices=9, max_edges=25, max_tokens=4), st.booleans())
    def test_nothing_can_be_left_out(self, drawn, misere):
        options, tokens = drawn
        tokens = tokens[:1] if misere else tokens
        graph = game(options)
        solution = solve(graph, misere=misere, tokens=tokens)
        assert superfluous(graph, solution, grundy_of(solution)) == []

    @pytest.mark.parametrize(
        ("options", "sums", "tokens"),
        [
            ({0: [], 1: [0], 2: [0, 1], 3: [0, 1, 2], 4: [0, 1, 2]}, (), [0, 3, 4, 1]),
            ({0: [], 1: [0], 2: [0, 1], 3: [2]}, {2}, [1, 3, 0]),
            ({0: [], 1: [0], 2: [0], 3: [2], 4: [], 5: [1], 6: [1, 3]}, {2, 5}, [4, 3, 6, 6]),
        ],
    )
    def test_another_winning_move_does_not_do_with_less(self, options, sums, tokens):
        graph = game(options, sums)
        solution = solve(graph, tokens=tokens)
        assert superfluous(graph, solution, grundy_of(solution)) == []

    @pytest.mark.parametrize(
        ("options", "tokens", "expected"),
        [
            ({0: [], 1: [], 2: [1], 3: [2], 4: [0, 2, 3]}, [4], {0: 0}),  # not 3, which takes the proof that 1 is lost
            ({0: [], 1: [0], 2: [1], 3: [0]}, [0, 2, 3], {0: 0, 2: 0}),  # not 2 -> 1, whose value is then needed
            ({0: [], 1: [], 2: [1]}, [2], {1: 0}),  # of the token that was moved nothing is needed
            ({0: [], 1: [], 2: [1], 3: [2], 4: [2], 5: [3], 6: [1]}, [6, 4], {1: 0, 2: 1, 6: 1}),
        ],
    )
    def test_the_winning_move_that_leaves_little_to_prove_is_taken(self, options, tokens, expected):
        assert grundy_of(solve(game(options), tokens=tokens)) == expected

    @pytest.mark.parametrize("engine", ["plain", "compiled"])
    def test_what_is_chosen_already_serves_again(self, engine):
        graph = nx.DiGraph([(1, 0), (2, 1), (3, 2), (5, 0), (5, 3), (6, 2), (6, 4)])
        assert len(certificate(solve(graph, tokens=[6, 5], engine=engine))) == 4

    @given(dags_with_sums(), st.data())
    def test_graphs_with_sum_vertices(self, drawn, data):
        options, sums = drawn
        plain = sorted(set(options) - sums)
        tokens = data.draw(st.lists(st.sampled_from(plain), max_size=3)) if plain else []
        graph = game(options, sums)
        solution = solve(graph, tokens=tokens)
        proof = grundy_of(solution)
        assert verify(graph, proof, tokens=tokens).winner == solution.winner
        assert superfluous(graph, solution, proof) == []

    def test_a_game_of_the_catalogue(self):
        graph = parse_position("kayles(7) + kayles(4)").graph(texts=True)
        solution = solve(graph)
        report = verify(graph, certificate(solution))
        assert report.winner == solution.winner
        assert not report.complete


class TestCompiled:
    @given(dags_with_sums(), st.data())
    def test_sums(self, drawn, data):
        options, sums = drawn
        plain = sorted(set(options) - sums)
        tokens = data.draw(st.lists(st.sampled_from(plain), max_size=3)) if plain else []
        self._agree(game(options, sums), misere=False, tokens=tokens)

    @given(dags_with_tokens(max_vertices=20, max_edges=120), st.booleans())
    def test_positions(self, drawn, misere):
        options, tokens = drawn
        self._agree(game(options), misere, tokens if not misere else tokens[:1])

    def _agree(self, graph, misere, tokens):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("graphgame.labs.verification.certification._MORE_LINKS", 1)
            found = [grundy_of(solve(graph, misere=misere, tokens=tokens, engine=e)) for e in ("plain", "compiled")]
        assert found[0] == found[1]


class TestFiles:
    @pytest.mark.parametrize("name", ["proof.csv", "proof.json", "proof.parquet", "proof.csv.gz"])
    @pytest.mark.parametrize("graph", [HEAP, nx.relabel_nodes(HEAP, 'heap, of "{}"\r'.format)])
    def test_what_is_written_verifies(self, tmp_path, name, graph):
        solution = solve(graph, tokens=list(graph)[2:5])
        count = write_certificate(solution, tmp_path / name)
        proof = read_values(tmp_path / name)
        assert len(proof) == count > 0
        assert verify(solution.graph, proof, tokens=solution.tokens).winner == solution.winner

    def test_the_text(self, capsys):
        write_certificate(solve(HEAP, tokens=[7]), "-")
        assert capsys.readouterr().out == "position,grundy,outcome\n0,0,P\n4,0,P\n"

    @pytest.mark.parametrize("name", ["proof.json", "proof.parquet"])
    def test_the_play_is_named(self, tmp_path, name):
        write_certificate(solve(HEAP, tokens=[7], misere=True), tmp_path / name)
        assert read_values(tmp_path / name).misere

    def test_an_empty_certificate(self, tmp_path):
        for name in ("proof.csv", "proof.json", "proof.parquet"):
            assert write_certificate(solve(HEAP, tokens=[5, 5]), tmp_path / name) == 0
            assert verify(HEAP, read_values(tmp_path / name), tokens=[5, 5]).winner == "second"


class TestRefusals:
    def test_no_tokens(self):
        with pytest.raises(TokenError, match="there are no tokens: a certificate proves who wins"):
            certificate(solve(HEAP))

    def test_misere_sums(self):
        with pytest.raises(ParameterError, match="certify the graph of the whole sum"):
            certificate(solve(HEAP, misere=True, tokens=[1, 2]))

    def test_names(self, tmp_path):
        with pytest.raises(
            FormatError, match=(r"of a values file: expected a name that ends in .csv, .json or .parquet")
        ):
            write_certificate(solve(HEAP, tokens=[1]), tmp_path / "proof.txt")
        with pytest.raises(FormatError, match="two positions have the same text, '1'"):
            write_certificate(solve(GameGraph([("1", 1)]), tokens=[1]), tmp_path / "proof.csv")
        with pytest.raises(FormatError, match="NUL"):
            write_certificate(solve(GameGraph([("a", "\0")]), tokens=["a"]), tmp_path / "proof.csv")
        assert list(tmp_path.iterdir()) == []


def test_long_plays_need_no_recursion():
    path = nx.path_graph(50_000, nx.DiGraph)
    solution = solve(path, tokens=[0])
    proof = certificate(solution)
    assert len(proof) == 25_000
    assert verify(solution.graph, proof, tokens=solution.tokens).winner == solution.winner
