"""Certificates of graphs with cycles: few values that prove who wins, or that nobody does."""

from random import Random

import networkx as nx
import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import assume, given
from hypothesis import strategies as st

from graphgame import GameGraph, Loopy, solve, verify
from graphgame.cli import main
from graphgame.errors import ParameterError
from graphgame.graph import SUNNY
from graphgame.labs.formats.values import read_values
from graphgame.labs.verification.certification import certificate, write_certificate
from graphgame.solution.solve import LoopySolution
from tests import brute
from tests.helpers import game
from tests.labs.verification.test_certification import superfluous
from tests.strategies import digraphs, digraphs_with_sums

GRAPH = nx.DiGraph(["ab", "ba", ("b", "end"), "cc", "dc", ("d", "end"), "ea"])


def rows(solution):
    return {position: row.grundy for position, row in certificate(solution).items()}


class TestProof:
    @pytest.mark.parametrize(
        ("tokens", "expected"),
        [
            (["a"], {"end": 0, "a": 0}),
            (["b"], {"end": 0}),
            (["e"], {"end": 0, "a": 0}),
            (["d"], {"end": 0}),
            (["c"], {"c": Loopy()}),
            (["d", "b"], {"end": 0, "a": 0, "b": 1, "c": Loopy(), "d": Loopy({0})}),
            (["d", "a"], {"end": 0, "a": 0}),
            ([], {}),
        ],
    )
    def test_what_is_needed(self, tokens, expected):
        assert rows(solve(GRAPH, tokens=tokens, loopy=True)) == expected

    @given(digraphs(8), st.data(), st.booleans())
    def test_it_proves_the_winner(self, options, data, misere):
        most = 1 if misere else 3
        tokens = data.draw(st.lists(st.sampled_from(sorted(options)), max_size=most))
        graph = game(options, tokens=tokens)
        solution = solve(graph, misere=misere, loopy=True)
        report = verify(graph, certificate(solution), loopy=True, misere=misere)
        assert report.passed, report.reason
        assert report.winner == solution.winner

    @given(digraphs_with_sums(), st.data())
    def test_sums_that_lead_into_cycles(self, drawn, data):
        options, sums = drawn
        positions = sorted(set(options) - sums)
        graph = game(options, sums, data.draw(st.lists(st.sampled_from(positions), max_size=2)))
        solution = solve(graph, loopy=True)
        assert verify(graph, certificate(solution), loopy=True).winner == solution.winner

    @given(digraphs(9), st.data(), st.booleans())
    def test_nothing_can_be_left_out(self, options, data, misere):
        most = 1 if misere else 3
        graph = game(options, tokens=data.draw(st.lists(st.sampled_from(sorted(options)), max_size=most)))
        solution = solve(graph, misere=misere, loopy=True)
        assert superfluous(graph, solution, rows(solution)) == []

    def test_nothing_can_be_left_out_of_many(self):
        random = Random(1)
        for _ in range(200):
            options = {vertex: random.sample(range(10), random.randint(0, 4)) for vertex in range(10)}
            graph = game(options, tokens=random.choices(range(10), k=random.randint(1, 3)))
            solution = solve(graph, loopy=True)
            assert superfluous(graph, solution, rows(solution)) == [], graph.edges

    @given(digraphs_with_sums(), st.data())
    def test_nothing_can_be_left_out_where_there_are_sums(self, drawn, data):
        options, sums = drawn
        tokens = data.draw(st.lists(st.sampled_from(sorted(set(options) - sums)), max_size=3))
        graph = game(options, sums, tokens)
        solution = solve(graph, loopy=True)
        assert superfluous(graph, solution, rows(solution)) == []

    @given(digraphs(8), st.data())
    def test_moves_to_larger_values_are_taken_back_to_rows_above(self, options, data):
        token = data.draw(st.sampled_from(sorted(options)))
        solution = solve(game(options), tokens=[token], loopy=True)
        assume(isinstance(solution, LoopySolution))
        proof = rows(solution)
        place = {position: number for number, position in enumerate(proof)}
        for position, value in proof.items():
            if value == 0:
                for option in options[position]:
                    assert any(proof.get(reply) == 0 and place[reply] < place[position] for reply in options[option])


class TestFewValues:
    """Whatever rows are claimed, those that pass are right."""

    @given(digraphs(5), st.data(), st.booleans())
    def test_what_passes_is_right(self, options, data, misere):
        some = st.one_of(st.integers(0, 2), st.builds(Loopy, st.sets(st.integers(0, 1))))
        right = dict(solve(game(options), loopy=True, misere=misere).grundy)
        claims = data.draw(st.dictionaries(st.sampled_from(sorted(options)), some, min_size=1))
        kept = data.draw(st.sets(st.sampled_from(sorted(options))))
        claims |= {position: right[position] for position in kept}
        (token,) = data.draw(st.sets(st.sampled_from(sorted(options)), min_size=1, max_size=1))
        report = verify(game(options), claims, tokens=[token], loopy=True, misere=misere)
        if report:
            outcome = brute.loopy_outcomes(options, misere=misere)[token][0]
            assert report.winner == {"P": "second", "N": "first", "D": "draw"}[outcome]
            assert claims == {position: right[position] for position in claims}

    @given(digraphs_with_sums(), st.data())
    def test_what_passes_is_right_with_sums(self, drawn, data):
        options, sums = drawn
        graph = game(options, sums)
        solution = solve(graph, loopy=True)
        some = st.one_of(st.integers(0, 2), st.builds(Loopy, st.sets(st.integers(0, 1))))
        claims = data.draw(st.dictionaries(st.sampled_from(sorted(options)), some, max_size=2))
        kept = data.draw(st.sets(st.sampled_from(sorted(options))))
        claims |= {position: solution.grundy[position] for position in kept}
        token = data.draw(st.sampled_from(sorted(set(options) - sums)))
        if verify(graph, claims, tokens=[token], loopy=True):
            assert claims == {position: solution.grundy[position] for position in claims}

    def test_values_that_rest_on_each_other(self):
        ring = game({0: [1], 1: [2], 2: [3], 3: [0]})
        report = verify(ring, {0: 0, 2: 0}, tokens=[0], loopy=True)
        assert report.reason == (
            "the value 0 is not justified: the replies that restore the value after moves to larger values lead around "
            "a cycle, so they prove nothing"
        )

    @pytest.mark.parametrize(
        ("position", "reason"),
        [
            ("e", "the value 0 is not justified: no option of 'a' is listed with the value 0"),
            ("d", "the value 0 is not justified: the option 'end' has the same value"),
        ],
    )
    def test_one_value_alone(self, position, reason):
        assert verify(GRAPH, {position: 0}, tokens=[position], loopy=True).reason == reason

    def test_what_tells_too_little(self):
        report = verify(GRAPH, {"end": 0}, tokens=["a"], loopy=True)
        assert (
            report.reason
            == "the position has no value; the values of other positions do not prove who wins the sum of the tokens"
        )


class TestFiles:
    @pytest.mark.parametrize("name", ["proof.csv", "proof.json", "proof.parquet"])
    def test_what_is_written_verifies(self, tmp_path, name):
        solution = solve(GRAPH, tokens=["d", "b"], loopy=True)
        assert write_certificate(solution, tmp_path / name) == 5
        report = verify(GRAPH, read_values(tmp_path / name), tokens=solution.tokens, loopy=True)
        assert (report.winner, report.complete) == ("draw", False)

    def test_the_command(self, tmp_path):
        path = tmp_path / "game.edges"
        nx.write_edgelist(GRAPH, path, data=False)
        options = [str(path), "--loopy", "--tokens", "c"]
        written = CliRunner().invoke(main, ["certificate", *options, "-o", str(tmp_path / "proof.csv")])
        assert written.stderr.endswith(f"wrote {tmp_path / 'proof.csv'}: 1 value, nobody can force a win\n")
        verified = CliRunner().invoke(main, ["verify", str(path), str(tmp_path / "proof.csv"), *options[1:]])
        assert (
            verified.stdout
            == "right: grundy, outcome of 1 position, enough to prove who wins; nobody can force a win\n"
        )

    def test_replies_come_first_if_all_cycles_lead_through_decisive_positions(self):
        decided = np.array([0, 0, 0, 0, 0, 0, SUNNY])
        graph = GameGraph.from_arrays([0, 1, 2, 3, 2, 5, 5], [1, 2, 3, 4, 5, 2, 6], 7, tokens=[0], decided=decided)
        assert list(certificate(solve(graph, loopy=True))) == [4, 2, 0]

    def test_a_sum_on_a_cycle(self):
        graph = game({0: [1, 3], 1: [0, 2], 2: [], 3: []}, sums={1}, tokens=[0])
        with pytest.raises(ParameterError, match=r"the sum 1 lies on a cycle.*use the graph of the whole sum"):
            certificate(solve(graph, loopy=True))


def test_long_ways_need_no_recursion():
    ring = nx.cycle_graph(50_000, nx.DiGraph)
    ring.add_edges_from((v, -1) for v in range(1, 50_000, 2))
    solution = solve(ring, tokens=[0], loopy=True)
    proof = certificate(solution)
    assert solution.winner == "second"
    assert verify(ring, proof, tokens=[0], loopy=True).winner == "second"
