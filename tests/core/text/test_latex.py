"""Explanations as LaTeX: sums and lists become tables, names stay data."""

from __future__ import annotations

import re

import networkx as nx
import pytest

import graphgame
from graphgame.text.languages import using
from graphgame.text.latex import latex_text


def rows(text):
    """Return the rows of the tables of a text, each as its cells."""
    return [line.removesuffix(r" \\").split(" & ") for line in text.splitlines() if line.endswith(r"\\")]


class TestExplanations:
    def test_a_sum_and_its_moves(self):
        told = graphgame.explain("nim(3,4,5)").to_latex()
        assert rows(told) == [
            ["3", "3", "011"],
            ["4", "4", "100"],
            ["5", "5", "101"],
            ["", "2", "010"],
            ["component 1", "leave 3 xor 2 = 1, so take 2"],
        ]
        assert told.startswith("% \\usepackage{booktabs}\nfirst player wins: the nim-sum is 2\n")
        assert told.count("usepackage") == 1

    def test_chinese_paragraphs_need_a_package_even_if_no_table_has_chinese_text(self):
        with using("zh"):
            assert graphgame.explain("nim(3,3)").to_latex().startswith("% \\usepackage{ctex,booktabs}\n")

    def test_a_chinese_line_that_ends_with_a_colon(self):
        graph = nx.DiGraph([("S", "a"), ("S", "b")])
        graph.add_node("S", kind="sum")
        with using("zh"):
            assert "各部分的异或：" in graphgame.explain(graph, "S", depth=0).to_latex()

    def test_options_by_value(self):
        told = graphgame.explain("nim(2)", 2, depth=0).to_latex()
        assert rows(told) == [
            ["value 0", "0"],
            ["value 1", "1"],
            ["value 2", r"none, so mex\{0, 1\} = 2"],
            ["an N-position", "the move to 0 leaves a P-position"],
        ]

    def test_infinite_values(self):
        graph = nx.DiGraph([("a", "b"), ("b", "a"), ("c", "end")])
        solution = graphgame.solve(graph, tokens=["a", "end"], loopy=True)
        told = rows(graphgame.explain(solution, depth=0).to_latex())
        assert told[:3] == [["a", "inf()"], ["end", "0"], ["", "inf()"]]

    def test_many_components(self):
        told = rows(graphgame.explain("+".join(f"nim({n})" for n in range(1, 30))).to_latex())
        assert told[19:22] == [["20", "20", "10100"], [r"\multicolumn{3}{l}{... and 9 more}"], ["", "1", "00001"]]

    def test_names_that_look_like_parts_of_a_table(self):
        graph = nx.DiGraph([("a & b \\\\", "--------"), ("a & b \\\\", "10: 1  1")])
        told = graphgame.explain(graphgame.solve(graph, tokens=["a & b \\\\", "--------"])).to_latex()
        assert rows(told)[0] == [r"a \& b \textbackslash{}\textbackslash{}", "1", "1"]
        assert ["value 0", r"-{}-{}-{}-{}-{}-{}-{}-; 10: 1  1"] in rows(told)

    @pytest.mark.parametrize("language", ["en", "zh"])
    @pytest.mark.parametrize("name", ["score 1: 2", "值：2", "no: 1  11", "position"])
    def test_names_are_not_read(self, name, language):
        """A name stands whole in its place, whatever it looks like, and so does what is said of it."""
        graph, shown = nx.DiGraph([(name, "end"), ("other", "end")]), latex_text(name)
        move = latex_text(f"{name} -> end")
        with using(language):
            told = rows(graphgame.explain(graphgame.solve(graph, tokens=[name, "other"]), depth=0).to_latex())
            alone = rows(graphgame.explain(graphgame.solve(graph, tokens=[name]), depth=0).to_latex())
        assert told[:3] == [[shown, "1", "1"], ["other", "1", "1"], ["", "0", "0"]]
        assert told[3][0].startswith(r"\multicolumn{2}") or (len(told[3]) == 2 and move in told[3][1])
        assert alone[0] == [rf"\multicolumn{{2}}{{p{{0.9\linewidth}}}}{{{move}}}"]

    def test_every_environment_is_closed(self):
        told = graphgame.explain("cutting(4x2) + nim(3,5)").to_latex()
        assert re.findall(r"\\begin\{(\w+)\}", told) == re.findall(r"\\end\{(\w+)\}", told) != []
