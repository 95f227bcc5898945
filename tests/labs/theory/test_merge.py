"""Pictures in which equal positions are drawn as one."""

import re

import networkx as nx
import numpy as np

from graphgame import parse_position, solve, write_dot
from graphgame.drawing.options import PictureOptions
from graphgame.drawing.picture import GraphPicture
from tests.helpers import CHIPS
from tests.labs.layouts.test_layouts import SVG, Page, random_graph


class TestMerge:
    def test_equal_positions_are_one_with_their_number(self, tmp_path):
        solution = solve(nx.DiGraph(CHIPS), tokens=[1, 2, 4, 6])
        write_dot(solution, tmp_path / "a.dot", merge=True, reachable_from=[3])
        text = (tmp_path / "a.dot").read_text()
        first, second = re.findall(r"""label="(\d) ×2\\n""", text)
        assert (first in "34", second in "56") == (True, True)
        assert "3 equal positions, drawn as one" in text

    def test_values_and_tokens_are_those_of_the_positions(self, tmp_path):
        graph = random_graph(400, 500, tokens=[1, 2])
        solution = solve(graph)
        picture = GraphPicture(solution, PictureOptions(merge=True, around=[7]))
        assert picture.solution.nim_sum == solution.nim_sum
        assert picture.counts.sum() == 400
        assert len(picture.centres) == 1
        page = Page(solution, tmp_path, merge=True, layout="overview")
        assert re.search(r"overview of \d+ positions", page.fact())
        assert "(merged from 400)" in page.root.find(f"{SVG}desc").text

    def test_a_vertex_with_another_name_still_ends_play_at_once(self):
        solution = solve(parse_position("treblecross(6)").graph())
        ended = solution.graph.labels[int(np.flatnonzero(solution.graph.decided)[-1])]
        picture = GraphPicture(solution, PictureOptions(merge=True, around=[ended]))
        assert picture.graph.decided[picture.graph.number_of(ended)]

    def test_misere_and_cycles(self, tmp_path):
        misere = solve(random_graph(100, 300), misere=True)
        assert GraphPicture(misere, PictureOptions(merge=True)).solution.winner == misere.winner
        loops = solve(nx.DiGraph([(n, (n + 1) % 4) for n in range(4)] + [(9, 0), (9, 8)]), loopy=True)
        assert GraphPicture(loops, PictureOptions(merge=True)).counts.tolist() == [4, 1, 1]
