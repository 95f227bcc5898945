"""Graphs with cycles on their way out: the command line, values files, verification, explanations and pictures."""

import doctest
import itertools
import json
import re
from html import unescape
from pathlib import Path

import networkx as nx
import pytest
from click.testing import CliRunner
from hypothesis import assume, given
from hypothesis import strategies as st

from graphgame import Loopy, OptionError, draw, explain, read_values, solve, verify, write_dot, write_values
from graphgame.cli import main
from graphgame.drawing.plots import plot_statistics
from graphgame.solution.statistics import graph_statistics
from tests import ROOT, brute
from tests.documents import answer_of, dialogues
from tests.helpers import game
from tests.strategies import digraphs, digraphs_with_sums

DOCUMENT = (ROOT / "docs" / "loopy.md").read_text(encoding="utf-8")
EDGES = "a b\nb a\nb end\nc c\nd c\nd end\ne a\n"
VALUES = """position,grundy,outcome,remoteness
a,0,P,2
b,1,N,1
end,0,P,0
c,inf(),D,
d,inf(0),N,1
e,1,N,3
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    Path("game.edges").write_text(EDGES, encoding="utf-8")
    Path("values.csv").write_text(VALUES, encoding="utf-8")
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(main, arguments)


@pytest.fixture
def solution():
    return solve(nx.parse_edgelist(EDGES.splitlines(), create_using=nx.DiGraph), cycles="loopy")


@pytest.mark.usefixtures("place")
def test_each_command_of_the_document_answers_what_stands_there():
    for command, answer in dialogues(DOCUMENT):
        assert answer_of(command) == answer, command


def test_the_python_of_the_document():
    results = doctest.testfile(str(ROOT / "docs" / "loopy.md"), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0


@pytest.mark.usefixtures("place")
class TestCommands:
    def test_solve_json(self):
        result = json.loads(run("solve", "game.edges", "--loopy", "--tokens", "d b", "--json").stdout)
        assert (result["winner"], result["nim_sum"], result["length"]) == ("draw", "inf(1)", None)
        assert [row["grundy"] for row in result["components"]] == ["inf(0)", 1]
        assert result["drawing_moves"] == [{"component": 0, "from": "d", "to": "c"}]

    @pytest.mark.parametrize(("tokens", "verdict"), [("d", "win"), ("a", "lose"), ("c", "draw"), ("d b", "draw")])
    def test_verdict(self, tokens, verdict):
        assert run("solve", "game.edges", "--loopy", "--tokens", tokens, "--verdict").stdout == f"{verdict}\n"

    def test_without_the_option_a_cycle_is_an_error_that_names_it(self):
        for command in (["solve"], ["explain"], ["draw"], ["stats"], ["verify"]):
            result = run(*command, "game.edges", *(["values.csv"] if command == ["verify"] else []))
            assert result.exit_code == 2
            assert result.stderr.endswith("'a' -> 'b' -> 'a'; --loopy gives such games their values\n")

    def test_a_command_without_the_option_does_not_name_it(self):
        Path("game.txt").write_text("2 2 1\n1 2\n2 1\n1\n", encoding="utf-8")
        for name, *arguments in (["misere", "game.edges"], ["judge", "tokens", "game.txt"]):
            result = run(name, *arguments)
            assert result.exit_code == 2
            assert "loopy" not in result.stderr
            assert result.stderr.endswith(f"; graphgame {name} needs play that ends\n")

    def test_a_graph_in_which_every_position_has_a_predecessor(self):
        Path("ring.edges").write_text("a b\nb a\n", encoding="utf-8")
        lines = run("solve", "ring.edges", "--loopy").stdout.splitlines()
        assert lines[1].split() == ["a", "inf()", "D", "-", "-"]

    @pytest.mark.parametrize(
        ("heap", "size", "is_possible"),
        [(1000, "1,001 positions and 500,500 moves", True), (10**12, "1,000,000,000,001 positions", False)],
    )
    def test_a_component_that_is_too_large(self, heap, size, is_possible):
        result = run("solve", f"wind-up{{5:1,3}}(1) + nim({heap})", "--loopy", "--max-positions", "100")
        assert result.exit_code == 2
        assert f"it has at least {size}" in result.stderr
        assert "the limits are max_positions=100" in result.stderr
        # more is offered only where memory can hold it
        assert ("--max-positions allows more" in result.stderr) == is_possible

    def test_stats(self):
        assert "2 P, 3 N, 1 D under normal play" in run("stats", "game.edges", "--loopy").stdout
        result = json.loads(run("stats", "game.edges", "--loopy", "--json").stdout)
        assert (result["endless"], result["depth"], result["d_positions"], result["kernel"]) == (5, None, 1, None)
        assert [row["grundy"] for row in result["values"]] == [0, 1, "inf()", "inf(0)"]

    def test_verify(self):
        answer = run("verify", "game.edges", "values.csv", "--loopy", "--tokens", "d b")
        assert answer.stdout == "right: grundy, outcome, remoteness of all 6 positions; nobody can force a win\n"

    def test_plain_pictures_have_no_values(self):
        assert "leave out --tokens, --misere, --loopy" in run("draw", "game.edges", "--plain", "--loopy").stderr


class TestFiles:
    @pytest.mark.parametrize("name", ["values.csv", "values.json", "values.csv.gz"])
    def test_what_is_written_is_read_back(self, solution, tmp_path, name):
        write_values(solution, tmp_path / name)
        values = read_values(tmp_path / name)
        assert {position: tuple(row) for position, row in values.items()} == {
            position: (solution.grundy[position], solution.outcome[position], solution.remoteness[position])
            for position in solution.graph
        }
        assert verify(solution.graph, values, cycles="loopy")

    def test_text(self, solution, tmp_path):
        write_values(solution, tmp_path / "values.csv")
        assert (tmp_path / "values.csv").read_text(encoding="utf-8") == VALUES
        write_values(solution, tmp_path / "values.json")
        row = json.loads((tmp_path / "values.json").read_text(encoding="utf-8"))["values"][4]
        assert row == {"position": "d", "grundy": "inf(0)", "outcome": "N", "remoteness": 1}


class TestVerify:
    @given(digraphs(), st.sampled_from(["normal", "misere"]))
    def test_right_values_pass(self, options, play):
        graph = game(options)
        solution = solve(graph, cycles="loopy", play=play)
        assert verify(graph, solution.grundy, cycles="loopy", play=play)

    @given(digraphs(), st.data(), st.sampled_from(["normal", "misere"]))
    def test_wrong_values_fail(self, options, data, play):
        right = {v: Loopy(m) if isinstance(m, frozenset) else m for v, m in _brute(options, play).items()}
        some = st.one_of(st.integers(0, 3), st.builds(Loopy, st.sets(st.integers(0, 2))))
        wrong = right | data.draw(st.dictionaries(st.sampled_from(sorted(options)), some, min_size=1))
        assume(wrong != right)
        report = verify(game(options), wrong, cycles="loopy", play=play)
        assert not report
        assert report.reason

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
                if verify(graph, dict(enumerate(values)), cycles="loopy")
            ]
            assert passed == [tuple(solve(graph, cycles="loopy").grundy.values())]

    @pytest.mark.parametrize(
        ("before", "after", "reason"),
        [
            ("b,1,N,1", "b,2,N,1", "b: value 2, but the mex of its options' finite values {0} is 1"),
            ("c,inf(),D,", "c,0,P,", "c: value 0, but the mex of its options' finite values {0} is 1"),
            ("d,inf(0),N,1", "d,1,N,1", "d: value 1, but its option 'c' has no option of that value"),
            ("d,inf(0),N,1", "d,inf(),D,", "d: value inf(), but the finite values of its options are {0}"),
            (
                "e,1,N,3",
                "e,inf(0),N,3",
                "e: value inf(0), but each of its options of infinite value has an option of "
                "value 1, so that nothing keeps it from the value 1",
            ),
            ("c,inf(),D,", "c,inf(),N,", "c: outcome N, but a position of value inf() is D"),
            ("c,inf(),D,", "c,inf(),D,4", "c: remoteness 4, but nobody can force an end"),
            ("a,0,P,2", "a,0,P,4", "a: remoteness 4, but the longest resistance lasts 2"),
            ("e,1,N,3\n", "", "e: it has no value, and there are no tokens for which fewer values would do"),
            ("c,inf(),D,\n", "", "d: value inf(0), but its option 'c' has no value"),
        ],
    )
    def test_reasons(self, solution, tmp_path, before, after, reason):
        assert before in VALUES
        (tmp_path / "values.csv").write_text(VALUES.replace(before, after), encoding="utf-8")
        report = verify(solution.graph, read_values(tmp_path / "values.csv"), cycles="loopy")
        assert f"{report.position}: {report.reason}".startswith(reason)

    def test_a_wrong_end(self):
        report = verify(game({0: [], 1: [1]}), {0: 1, 1: Loopy()}, cycles="loopy")
        assert report.wrong == 1
        assert (report.position, report.reason) == (
            0,
            "value 1, but it has no option, so its value is 0 (1 under misère play)",
        )

    def test_values_that_rest_on_each_other_have_no_counter(self):
        """Round this ring each second position could be 0 if the first were: the first condition alone holds."""
        ring = game({0: [1], 1: [2], 2: [3], 3: [0]})
        report = verify(ring, {0: 0, 1: 1, 2: 0, 3: 1}, cycles="loopy")
        assert (
            report.reason == "value 0, but no counter function: its moves to larger values are undone only in a circle"
        )

    def test_an_infinite_value_where_play_must_end(self):
        report = verify(game({0: [], 1: [0]}), {0: 0, 1: Loopy({0})})
        assert (report.position, report.reason) == (1, "its value is infinite, but play must end there")

    @pytest.mark.parametrize(("tokens", "winner"), [([0], "second"), ([1], "first"), ([3], "draw"), ([1, 4], "draw")])
    def test_winner(self, tokens, winner):
        graph = game({0: [1], 1: [0, 2], 2: [], 3: [3], 4: [3, 2]})
        values = solve(graph, cycles="loopy").grundy
        assert verify(graph, values, tokens=tokens, cycles="loopy").winner == winner

    @given(digraphs_with_sums(), st.data())
    def test_sums_that_lead_into_cycles(self, drawn, data):
        options, sums = drawn
        graph = game(options, sums)
        right = dict(solve(graph, cycles="loopy").grundy)
        assert verify(graph, right, cycles="loopy")
        some = st.one_of(st.integers(0, 3), st.builds(Loopy, st.sets(st.integers(0, 2))))
        wrong = right | data.draw(st.dictionaries(st.sampled_from(sorted(options)), some, min_size=1))
        assert bool(verify(graph, wrong, cycles="loopy")) == (wrong == right)

    @pytest.mark.parametrize(
        ("vertex", "value", "reason"),
        [
            (4, 3, "value 3, but the sum of its parts' values is inf(1)"),
            (5, 0, "value 0, but its option 4 has no option of that value"),
        ],
    )
    def test_wrong_sums(self, vertex, value, reason):
        graph = game({0: [], 1: [0], 2: [3, 0], 3: [3], 4: [2, 1], 5: [4]}, sums={4})
        report = verify(graph, dict(solve(graph, cycles="loopy").grundy) | {vertex: value}, cycles="loopy")
        assert (report.position, report.reason) == (vertex, reason)

    def test_a_sum_on_a_cycle_is_refused(self):
        graph = game({0: [1], 1: [0, 2], 2: []}, sums={1})
        with pytest.raises(OptionError, match=r"the sum 1 lies on a cycle.*check the product"):
            verify(graph, dict.fromkeys(range(3), 0), cycles="loopy")


def _brute(options, play):
    return brute.loopy_values(options, misere=play == "misere")


class TestExplain:
    @pytest.mark.parametrize(
        ("position", "lines"),
        [
            (
                "a",
                [
                    "the move to b is undone by that to end, of value 0 again",
                    "a P-position: every option is an N-position",
                ],
            ),
            (
                "c",
                ["from c no move leads to value 0, so the value is not 0 but infinite", "a draw: no move leaves a P-"],
            ),
            (
                "d",
                [
                    "value 1: none, and mex{0} = 1",
                    "from c no move leads to value 1, so the value is not 1 but infinite",
                ],
            ),
        ],
    )
    def test_positions(self, solution, position, lines):
        text = explain(solution, position, depth=0)
        assert all(line in text for line in lines)

    @pytest.mark.parametrize(
        ("tokens", "text"),
        [
            (["d", "b"], r"(?s)^nobody can force a win: .* inf\(1\)\n.*does not hold it\.\n\ndrawing moves:\n"),
            (
                ["d"],
                r"(?s)^first player wins: .* inf\(0\) holds it\.\n\nwinning moves:\n  component 1: d -> end: value ",
            ),
            (["c", "d"], r"(?s)^nobody can force a win: .*Two infinite values have the sum inf\(\)"),
            (["a"], r"(?s)^second player wins: .*each move has an answer that makes it 0 again"),
            (["e"], r"(?s)^first player wins: .*so a move of the first player makes it 0"),
        ],
    )
    def test_sums(self, solution, tokens, text):
        assert re.search(text, explain(solve(solution.graph, tokens=tokens, cycles="loopy")))

    @given(digraphs(), st.sampled_from(["normal", "misere"]), st.data())
    def test_every_position_is_explained(self, options, play, data):
        tokens = data.draw(st.lists(st.sampled_from(sorted(options)), max_size=2))
        solution = solve(game(options), cycles="loopy", play=play, tokens=tokens)
        assert all(f"position {v} has value {solution.grundy[v]}" in explain(solution, v) for v in options)
        assert explain(solution)

    @given(digraphs_with_sums())
    def test_sums_that_lead_into_cycles_are_explained(self, drawn):
        options, sums = drawn
        solution = solve(game(options, sums), cycles="loopy")
        assert all(f"{v} has value {solution.grundy[v]}" in explain(solution, v, depth=0) for v in options)

    def test_a_move_to_a_sum_is_undone_in_a_part(self):
        graph = game({0: [], 1: [0], 2: [3, 0], 3: [2, 0], 4: [3, 1], 5: [4, 0], 6: [6]}, sums={4})
        solution = solve(graph, cycles="loopy")
        assert "the move to 4 is undone by 3 -> 0, of value 1 again" in explain(solution, 5, depth=0)


class TestPictures:
    def test_dot(self, solution, tmp_path):
        write_dot(solution, tmp_path / "game.dot", legend=False)
        text = (tmp_path / "game.dot").read_text(encoding="utf-8")
        assert 'label="c\\nD inf()",tooltip="c",shape=hexagon,fillcolor="#d9d9d9"' in text
        assert 'label="d\\nN inf(0)",tooltip="d",shape=box' in text
        assert "6 positions, 2 P, 3 N, 1 D" in text

    def test_legend_and_third_colour(self, solution, tmp_path):
        write_dot(solution, tmp_path / "game.dot", colors=("red", "blue", "green"))
        text = (tmp_path / "game.dot").read_text(encoding="utf-8")
        assert "draw: nobody can force an end" in text
        assert 'fillcolor="green"' in text

    @pytest.mark.parametrize(
        ("edges", "options", "draws", "infinite"),
        [
            (["ab", "ba", "bc"], {}, False, False),
            (["ab", "ba"], {}, True, True),
            (["ab", "ba"], {"values": False}, True, False),
            (["ab", "ba", "bc", "cb", "be", "xe"], {"around": ["x"], "steps": 1}, False, False),
            (["ab", "ba", "ce", "ca"], {"around": ["c"], "steps": 0}, False, True),
        ],
    )
    def test_the_legend_names_what_is_shown(self, tmp_path, edges, options, draws, infinite):
        write_dot(solve(nx.DiGraph(edges), cycles="loopy"), tmp_path / "game.dot", **options)
        text = (tmp_path / "game.dot").read_text(encoding="utf-8")
        assert ("draw: nobody can force an end" in text, "infinite value" in text) == (draws, infinite)

    def test_only_draws(self, solution, tmp_path):
        write_dot(solution, tmp_path / "game.dot", only="D", legend=False)
        text = (tmp_path / "game.dot").read_text(encoding="utf-8")
        assert re.findall(r'position="(\w+)"', text) == ["c"]

    def test_image(self, solution, tmp_path):
        draw(solve(solution.graph, tokens=["d", "b"], cycles="loopy"), tmp_path / "game.svg")
        text = unescape((tmp_path / "game.svg").read_text(encoding="utf-8"))
        assert "nobody can force a win, nim-sum inf(1)" in text

    def test_plots(self, solution, tmp_path):
        plot_statistics(graph_statistics(solution), tmp_path / "game.svg")
        assert (tmp_path / "game.svg").read_bytes().rstrip().endswith(b"</svg>")
