"""Histograms of a game in files."""

import sys
from pathlib import Path

import networkx as nx
import pytest

from graphgame import solve
from graphgame.errors import FormatError, MissingExtraError
from graphgame.labs.layouts.plots import plot_statistics
from graphgame.solution.statistics import graph_statistics
from tests.helpers import CHIPS

FIGURES = graph_statistics(solve(nx.DiGraph(CHIPS), tokens=[1, 2, 4, 6]))


@pytest.mark.parametrize(("name", "start"), [("a.svg", b"<?xml"), ("a.png", b"\x89PNG"), ("a.pdf", b"%PDF")])
def test_formats(tmp_path, name, start):
    plot_statistics(FIGURES, tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(start)


@pytest.mark.parametrize("graph", [nx.DiGraph(), nx.path_graph(3000, nx.DiGraph)])
def test_small_and_large_ones(tmp_path, graph):
    plot_statistics(graph_statistics(graph), tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "</svg>" in text
    assert len(text) < 200_000


def test_the_same_figures_give_the_same_file(tmp_path):
    for name in ("a.svg", "b.svg"):
        plot_statistics(FIGURES, tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


@pytest.mark.parametrize("name", ["a.txt", "-", "a"])
def test_other_names(tmp_path, name, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FormatError, match=r"expected a file name that ends in .svg, .png or .pdf"):
        plot_statistics(FIGURES, name)
    assert list(Path().iterdir()) == []


def test_without_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match="a plot needs matplotlib: pip install matplotlib"):
        plot_statistics(FIGURES, tmp_path / "a.svg")


def test_infinite_values(tmp_path):
    solution = solve(nx.DiGraph([("a", "b"), ("b", "a"), ("b", "c")]), loopy=True)
    plot_statistics(graph_statistics(solution), tmp_path / "game.svg")
    assert (tmp_path / "game.svg").read_bytes().rstrip().endswith(b"</svg>")


def test_decisive_values(tmp_path):
    solution = solve("cutting(2x2)")
    plot_statistics(graph_statistics(solution), tmp_path / "game.svg")
    assert (tmp_path / "game.svg").read_bytes().rstrip().endswith(b"</svg>")
