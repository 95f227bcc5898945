"""Graphs with cycles on their way out: the command line, values files, verification, explanations and pictures."""

# ruff: noqa: F401, F811 - fixtures are imported

import itertools
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graphgame import GameGraph, Loopy, read_values, solve, verify, write_values
from graphgame.errors import CycleError, ParameterError
from graphgame.solution.results import Decisive
from tests.core.solution.test_outputs import VALUES, _brute, place, run, solution
from tests.helpers import game
from tests.strategies import digraphs, digraphs_with_sums


@pytest.mark.usefixtures("place")
class TestCommands:
    def test_without_the_option_a_cycle_is_an_error_that_names_it(self):
        for command in (["solve"], ["explain"], ["draw"], ["stats"], ["verify"]):
            result = run(*command, "game.edges", *(["values.csv"] if command == ["verify"] else []))
            assert result.exit_code == 2
            assert result.stderr.endswith("'a' -> 'b' -> 'a'; --loopy solves games with cycles too\n")

    def test_a_command_without_the_option_does_not_name_it(self):
        Path("game.txt").write_text("2 2 1\n1 2\n2 1\n1\n", encoding="utf-8")
        for name, *arguments in (["misere", "game.edges"], ["judge", "tokens", "game.txt"]):
            result = run(name, *arguments)
            assert result.exit_code == 2
            assert "loopy" not in result.stderr
            assert result.stderr.endswith(f"; graphgame {name} needs a game in which play ends\n")

    def test_verify(self):
        answer = run("verify", "game.edges", "values.csv", "--loopy", "--tokens", "d b")
        assert answer.stdout == "right: grundy, outcome, remoteness of all 6 positions; nobody can force a win\n"


class TestFiles:
    @pytest.mark.parametrize("name", ["values.csv", "values.json", "values.csv.gz"])
    def test_what_is_written_is_read_back(self, solution, tmp_path, name):
        write_values(solution, tmp_path / name)
        values = read_values(tmp_path / name)
        assert {position: tuple(row) for position, row in values.items()} == {
            position: (solution.grundy[position], solution.outcome[position], solution.remoteness[position])
            for position in solution.graph
        }
        assert verify(solution.graph, values, loopy=True)

    @pytest.mark.parametrize("code", [-2, -3])
    def test_draws_beside_decided_positions_have_no_remoteness(self, tmp_path, code):
        graph = GameGraph.from_arrays([0, 1, 2], [1, 0, 3], 4, decided=[0, 0, 0, code])
        path = tmp_path / "values.csv"
        write_values(solve(graph, loopy=True), path)
        assert verify(graph, read_values(path), loopy=True)
        path.write_text(path.read_text().replace("1,inf(),D,", "1,inf(),D,5"))
        assert verify(graph, read_values(path), loopy=True).reason == (
            "the remoteness 5 is wrong: nobody can force a win"
        )


class TestVerify:
    @given(digraphs(), st.booleans())
    def test_right_values_pass(self, options, misere):
        graph = game(options)
        solution = solve(graph, loopy=True, misere=misere)
        assert verify(graph, solution.grundy, loopy=True, misere=misere)

    @given(digraphs(), st.data(), st.booleans())
    def test_wrong_values_fail(self, options, data, misere):
        right = {v: Loopy(m) if isinstance(m, frozenset) else m for v, m in _brute(options, misere).items()}
        some = st.one_of(st.integers(0, 3), st.builds(Loopy, st.sets(st.integers(0, 2))))
        wrong = right | data.draw(st.dictionaries(st.sampled_from(sorted(options)), some, min_size=1))
        assume(wrong != right)
        report = verify(game(options), wrong, loopy=True, misere=misere)
        assert not report
        assert report.reason

    def test_a_graph_with_cycles_needs_an_option(self):
        with pytest.raises(CycleError, match=r"1 -> 2 -> 1; loopy=True solves games with cycles too$"):
            verify(nx.DiGraph([(1, 2), (2, 1)]), {1: 0})

    def test_every_assignment_but_one_fails(self):
        """All graphs of two positions, and all values that they might have: the three conditions have one solution."""
        subsets = [[], [0], [1], [0, 1]]
        candidates = [0, 1, 2, *(Loopy(finite) for finite in ([], [0], [1], [0, 1], [0, 2], [1, 2]))]
        for ends in itertools.product(subsets, repeat=2):
            options = dict(enumerate(ends))
            graph = game(options)
            passed = [
                values
                for values in itertools.product(candidates, repeat=2)
                if verify(graph, dict(enumerate(values)), loopy=True)
            ]
            assert passed == [tuple(solve(graph, loopy=True).grundy.values())]

    @pytest.mark.parametrize(
        ("before", "after", "reason"),
        [
            ("b,1,N,1", "b,2,N,1", "b: the value 2 is not justified: the mex of the options' finite values {0} is 1"),
            ("c,inf(),D,", "c,0,P,", "c: the value 0 is not justified: the mex of the options' finite values {0} is 1"),
            ("d,inf(0),N,1", "d,1,N,1", "d: the value 1 is not justified: no option of 'c' is listed with the value 1"),
            (
                "d,inf(0),N,1",
                "d,inf(),D,",
                "d: the value inf() is not justified: the finite values of the options are {0}",
            ),
            (
                "e,1,N,3",
                "e,inf(0),N,3",
                "e: the value inf(0) is not justified: each option of infinite value has an option of "
                "value 1, so the position has the value 1 if the other values are right",
            ),
            ("c,inf(),D,", "c,inf(),N,", "c: the outcome N is wrong: a position of value inf() is D"),
            ("c,inf(),D,", "c,inf(),D,4", "c: the remoteness 4 is wrong: nobody can force a win"),
            (
                "a,0,P,2",
                "a,0,P,4",
                "a: the remoteness 4 is wrong: by the options' remotenesses the longest resistance lasts 2 moves",
            ),
            (
                "e,1,N,3\n",
                "",
                "e: the position has no value; if there are no tokens, all positions need values or outcomes",
            ),
            ("c,inf(),D,\n", "", "d: the value inf(0) is not justified: the option 'c' has no value"),
        ],
    )
    def test_reasons(self, solution, tmp_path, before, after, reason):
        assert before in VALUES
        (tmp_path / "values.csv").write_text(VALUES.replace(before, after), encoding="utf-8")
        report = verify(solution.graph, read_values(tmp_path / "values.csv"), loopy=True)
        assert f"{report.position}: {report.reason}".startswith(reason)

    @pytest.mark.parametrize("wrong", [8, 0, -1])
    def test_a_wrong_remoteness_does_not_blame_a_right_one(self, tmp_path, wrong):
        graph = GameGraph([("a", "b"), ("b", "c"), ("c", "d"), ("x", "y"), ("y", "x")])
        write_values(solve(graph, loopy=True), tmp_path / "values.csv")
        values = read_values(tmp_path / "values.csv")
        values.remoteness[list(values).index("c")] = wrong
        assert verify(graph, values, loopy=True).position == "c"

    def test_a_wrong_end(self):
        report = verify(game({0: [], 1: [1]}), {0: 1, 1: Loopy()}, loopy=True)
        assert report.wrong == 1
        assert (report.position, report.reason) == (
            0,
            "the value 1 is not justified: the position has no option, so its value is 0 (1 is its value under misère "
            "play)",
        )

    def test_a_missing_reply_further_on_is_no_cycle(self):
        report = verify(game({0: [1], 1: [2], 2: [3], 3: [3]}), {0: 0, 1: 1, 2: 0, 3: Loopy()}, loopy=True)
        assert (report.position, report.reason) == (
            2,
            "the value 0 is not justified: no option of 3 is listed with the value 0",
        )

    def test_a_move_to_an_end_needs_no_reply_under_misere_play(self):
        report = verify(GameGraph({0: [1, 2], 1: [0]}, tokens=[0]), {0: 0, 1: 1}, misere=True, loopy=True)
        assert report.position == 0
        assert "lead around a cycle" in report.reason

    def test_values_that_rest_on_each_other_have_no_counter(self):
        """Round this ring each second position could be 0 if the first were: the first condition alone holds."""
        ring = game({0: [1], 1: [2], 2: [3], 3: [0]})
        report = verify(ring, {0: 0, 1: 1, 2: 0, 3: 1}, loopy=True)
        assert report.reason == (
            "the value 0 is not justified: the replies that restore the value after moves to larger values lead around "
            "a cycle, so they prove nothing"
        )

    def test_an_infinite_value_where_play_must_end(self):
        report = verify(game({0: [], 1: [0]}), {0: 0, 1: Loopy({0})})
        assert (report.position, report.reason) == (1, "the value is infinite, but all play from this position ends")

    def test_a_sunny_value_where_play_goes_on(self):
        report = verify(game({0: [], 1: [0]}), {0: Decisive.SUNNY, 1: 1})
        assert report.reason == (
            "the value sunny is not justified: this position is not decided, and no move from it wins at once"
        )

    @pytest.mark.parametrize(("tokens", "winner"), [([0], "second"), ([1], "first"), ([3], "draw"), ([1, 4], "draw")])
    def test_winner(self, tokens, winner):
        graph = game({0: [1], 1: [0, 2], 2: [], 3: [3], 4: [3, 2]})
        values = solve(graph, loopy=True).grundy
        assert verify(graph, values, tokens=tokens, loopy=True).winner == winner

    @given(digraphs_with_sums(), st.data())
    def test_sums_that_lead_into_cycles(self, drawn, data):
        options, sums = drawn
        graph = game(options, sums)
        right = dict(solve(graph, loopy=True).grundy)
        assert verify(graph, right, loopy=True)
        some = st.one_of(st.integers(0, 3), st.builds(Loopy, st.sets(st.integers(0, 2))))
        wrong = right | data.draw(st.dictionaries(st.sampled_from(sorted(options)), some, min_size=1))
        assert bool(verify(graph, wrong, loopy=True)) == (wrong == right)

    @pytest.mark.parametrize(
        ("vertex", "value", "reason"),
        [
            (4, 3, "the value 3 is not justified: the xor of the parts' values is inf(1)"),
            (5, 0, "the value 0 is not justified: no option of 4 is listed with the value 0"),
        ],
    )
    def test_wrong_sums(self, vertex, value, reason):
        graph = game({0: [], 1: [0], 2: [3, 0], 3: [3], 4: [2, 1], 5: [4]}, sums={4})
        report = verify(graph, dict(solve(graph, loopy=True).grundy) | {vertex: value}, loopy=True)
        assert (report.position, report.reason) == (vertex, reason)

    def test_a_sum_on_a_cycle_is_refused(self):
        graph = game({0: [1], 1: [0, 2], 2: []}, sums={1})
        with pytest.raises(ParameterError, match=r"the sum 1 lies on a cycle.*use the graph of the whole sum"):
            verify(graph, dict.fromkeys(range(3), 0), loopy=True)
