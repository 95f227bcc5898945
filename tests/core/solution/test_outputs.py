"""Graphs with cycles on their way out: the command line, values files, verification, explanations and pictures."""

import json
import re
from html import unescape
from pathlib import Path

import networkx as nx
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from graphgame import draw, explain, solve, write_dot, write_values
from graphgame.cli import main
from tests import ROOT, brute
from tests.helpers import game
from tests.strategies import digraphs, digraphs_with_sums

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
    return solve(nx.parse_edgelist(EDGES.splitlines(), create_using=nx.DiGraph), loopy=True)


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

    def test_a_graph_in_which_every_position_has_a_predecessor(self):
        Path("ring.edges").write_text("a b\nb a\n", encoding="utf-8")
        lines = run("solve", "ring.edges", "--loopy").stdout.splitlines()
        assert lines[1].split() == ["a", "inf()", "D", "-", "-"]
        assert lines[-1].startswith("inf(...): play can go on forever; ")

    @pytest.mark.parametrize(
        ("heap", "size", "is_possible"),
        [(1000, "1,001 positions and 500,500 moves", True), (10**12, "1,000,000,000,001 positions", False)],
    )
    def test_a_component_that_is_too_large(self, heap, size, is_possible):
        result = run("solve", f"wind-up{{5:1,3}}(1) + nim({heap})", "--loopy", "--max-positions", "100")
        assert result.exit_code == 2
        assert f"it has at least {size}" in result.stderr
        assert "the limits are 100 positions" in result.stderr
        # more is offered only where memory can hold it
        assert ("--max-positions allows more" in result.stderr) == is_possible

    def test_stats(self):
        assert "2 P, 3 N, 1 D under normal play" in run("stats", "game.edges", "--loopy").stdout
        result = json.loads(run("stats", "game.edges", "--loopy", "--json").stdout)
        assert (result["endless"], result["depth"], result["d_positions"], result["kernel"]) == (5, None, 1, None)
        assert [row["grundy"] for row in result["values"]] == [0, 1, "inf()", "inf(0)"]

    def test_plain_pictures_have_no_values(self):
        assert "leave out --tokens, --misere, --loopy" in run("draw", "game.edges", "--plain", "--loopy").stderr


class TestFiles:
    def test_text(self, solution, tmp_path):
        write_values(solution, tmp_path / "values.csv")
        assert (tmp_path / "values.csv").read_text(encoding="utf-8") == VALUES


def _brute(options, misere):
    return brute.loopy_values(options, misere=misere)


class TestExplain:
    @pytest.mark.parametrize(
        ("position", "lines"),
        [
            (
                "a",
                [
                    "the move to b is undone by the move to end, which makes the value 0 again",
                    "a P-position: every option is an N-position",
                ],
            ),
            (
                "c",
                [
                    "the move to c cannot be undone by a move to value 0, so the value is infinite",
                    "a draw: no move leaves a P-",
                ],
            ),
            (
                "d",
                [
                    "value 1: none, and mex{0} = 1",
                    "the move to c cannot be undone by a move to value 1, so the value is infinite",
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
            (["d", "b"], r"(?s)^nobody can force a win: .* inf\(1\)\n.*does not contain 0\.\n\ndrawing moves:\n"),
            (
                ["d"],
                r"(?s)^first player wins: .* inf\(0\) contains 0\.\n\nwinning moves:\n  component 1: d -> end: value ",
            ),
            (["c", "d"], r"(?s)^nobody can force a win: .*Two infinite values have the sum inf\(\)"),
            (["a"], r"(?s)^second player wins: .*each move has an answer that makes it 0 again"),
            (["e"], r"(?s)^first player wins: .*so a move of the first player makes it 0"),
        ],
    )
    def test_sums(self, solution, tokens, text):
        assert re.search(text, explain(solve(solution.graph, tokens=tokens, loopy=True)))

    @given(digraphs(), st.booleans(), st.data())
    def test_every_position_is_explained(self, options, misere, data):
        tokens = data.draw(st.lists(st.sampled_from(sorted(options)), max_size=2))
        solution = solve(game(options), loopy=True, misere=misere, tokens=tokens)
        assert all(f"position {v} has value {solution.grundy[v]}" in explain(solution, v) for v in options)
        assert explain(solution)

    @given(digraphs_with_sums())
    def test_sums_that_lead_into_cycles_are_explained(self, drawn):
        options, sums = drawn
        solution = solve(game(options, sums), loopy=True)
        assert all(f"{v} has value {solution.grundy[v]}" in explain(solution, v, depth=0) for v in options)

    def test_a_move_to_a_sum_is_undone_in_a_part(self):
        graph = game({0: [], 1: [0], 2: [3, 0], 3: [2, 0], 4: [3, 1], 5: [4, 0], 6: [6]}, sums={4})
        solution = solve(graph, loopy=True)
        assert "the move to 4 is undone by 3 -> 0, which makes the value 1 again" in explain(solution, 5, depth=0)


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
        assert "draw: nobody can force a win" in text
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
        write_dot(solve(nx.DiGraph(edges), loopy=True), tmp_path / "game.dot", **options)
        text = (tmp_path / "game.dot").read_text(encoding="utf-8")
        assert ("draw: nobody can force a win" in text, "infinite value" in text) == (draws, infinite)

    def test_only_draws(self, solution, tmp_path):
        write_dot(solution, tmp_path / "game.dot", only="D", legend=False)
        text = (tmp_path / "game.dot").read_text(encoding="utf-8")
        assert re.findall(r'position="(\w+)"', text) == ["c"]

    def test_image(self, solution, tmp_path):
        draw(solve(solution.graph, tokens=["d", "b"], loopy=True), tmp_path / "game.svg")
        text = unescape((tmp_path / "game.svg").read_text(encoding="utf-8"))
        assert "nobody can force a win, nim-sum inf(1)" in text
