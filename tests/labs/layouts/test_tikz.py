"""Pictures as TikZ: each shape of a drawing in its place and colour, words as they are."""

from __future__ import annotations

import re

import networkx as nx
import numpy as np
import pytest

import graphgame
from graphgame.drawing.style import THEMES
from graphgame.errors import LayoutError
from graphgame.labs.layouts.files import tikz_text
from graphgame.labs.layouts.page import Canvas
from graphgame.labs.layouts.shapes import Boxes, Discs, Group, Image, Look, PageText, Paths


def lines(*shapes):
    drawing = Canvas(THEMES["light"], "title", "description", 100, 100)
    drawing.add(*shapes)
    return [line.rstrip("\n") for line in tikz_text(drawing)][2:-1]


LINE = np.array([[0, 0], [1, 2], [3, 4], [5.25, 6]])


@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        (
            Boxes("P", Look("#0072b2", "black", 2, dashed=True), np.array([[1, 2, 10, 20]]), rounded=5),
            r"\path[fill=game0072B2, draw=game000000, line width=1.2bp, dash pattern=on 4.8bp off 3.6bp, "
            r"rounded corners=3bp] (1,2) rectangle (11,22);",
        ),
        (Discs("P", Look("orange"), np.array([[1, 2]]), 5), r"\path[fill=gameFFA500] (1,2) circle[radius=3bp];"),
        (
            Paths("move", Look(stroke="#000000", opacity=0.5), [LINE], curved=True),
            r"\path[draw=game000000, line width=0.6bp, opacity=0.5] (0,0) .. controls (1,2) and (3,4) .. (5.2,6);",
        ),
        (
            Paths("head", Look("#000000"), [LINE]),
            r"\path[fill=game000000] (0,0) -- (1,2) -- (3,4) -- (5.2,6) -- cycle;",
        ),
        (
            Group("P", [PageText("P", "50%_⊕", 1, 2, 10, "#000000", "end", bold=True, halo="white")]),
            r"\node[anchor=base east, scale=0.6, inner sep=0pt, text=game000000, fill=gameFFFFFF] at (1.0,2.0) "
            r"{\bfseries 50\%\_$\oplus$};",
        ),
    ],
)
def test_shapes(shape, expected):
    *colors, line = lines(shape)
    assert line == expected
    assert set(re.findall(r"game[0-9A-F]{6}", line)) == {re.search(r"game\w+", color)[0] for color in colors}


def test_pixels_are_refused():
    with pytest.raises(LayoutError, match=r"give a file name that ends in \.pdf or \.png"):
        lines(Image("cells", (0, 0, 1, 1), np.zeros((1, 1, 3), np.uint8)))


@pytest.mark.parametrize(
    "options", [{}, {"pictures": True}, {"layout": "board"}, {"layout": "layers"}, {"theme": "print"}]
)
def test_every_layout(options, tmp_path):
    graphgame.draw("chomp(2x3)", tmp_path / "a.tex", **options)
    text = (tmp_path / "a.tex").read_text()
    assert text.startswith("% \\usepackage{tikz}\n\\begin{tikzpicture}[")
    assert text.endswith("\\end{tikzpicture}\n")
    assert "{\\bfseries first player wins};" in text
    assert set(re.findall(r"=(game\w+)", text)) == set(re.findall(r"definecolor\{(\w+)\}", text))


def test_names_are_data(tmp_path):
    graphgame.draw(nx.DiGraph([(r"\input{a}", "[x]")]), tmp_path / "a.tex")
    text = (tmp_path / "a.tex").read_text()
    assert r"{\textbackslash{}input\{a\}};" in text
    assert r"{{[}x{]}};" in text
