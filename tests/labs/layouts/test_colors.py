"""Colours by name, and one's own."""

import re
import subprocess
import sys

import networkx as nx

from graphgame import solve
from graphgame.drawing import draw
from graphgame.drawing.style import NAMES
from tests.helpers import needs_graphviz
from tests.labs.layouts.test_image import SVG, labelled, marks


@needs_graphviz
class TestColors:
    def test_graphviz_knows_every_name(self):
        text = f"digraph {{ {' '.join(f'{name} [style=filled fillcolor={name}]' for name in [*NAMES, 'octarine'])} }}"
        program = "import sys, pygraphviz; pygraphviz.AGraph(string=sys.stdin.read()).draw(format='svg', prog='dot')"
        done = subprocess.run([sys.executable, "-c", program], input=text, capture_output=True, text=True, check=True)
        assert re.findall(r"(\S+) is not a known color", done.stderr) == ["octarine"]

    def test_own_colours(self, tmp_path):
        draw(solve(nx.DiGraph([(1, 0)])), tmp_path / "a.svg", colors=("navy", "#FFEE00"), legend=False)
        vertices = labelled(tmp_path / "a.svg")
        assert marks(vertices["0", "P 0"])[-1][1] == "navy"
        assert marks(vertices["1", "N 1"])[0][1].lower() == "#ffee00"
        assert vertices["0", "P 0"].find(f".//{SVG}text").get("fill") == "#ffffff"
