"""Which format a file of a lab is in, by its first lines, its first bytes or its name."""

import io
import sys

import networkx as nx
import pytest

from graphgame import GameGraph
from graphgame.errors import FormatError
from graphgame.io import FORMATS, generate_game, read_game, write_game
from graphgame.io.files import Source
from graphgame.io.formats import detect, format_of_name
from tests.core.io.test_formats import assert_detected

TEXTS = [
    ("judge", "2\n1 1\n0\n1 0\n0\n"),
    ("judge", "4\n2 1 2\n0\n1 3\n0\n1 0\n0\n"),
    ("judge", "2\n1 1\n0\n1 0\n"),
    ("judge", "1\n0\n1 0\n"),
    ("judge", "2\n1 1\n0\n1 0\nany line after the first query\n"),
    ("node-link", '\n {"directed": true}'),
    ("graphml", '<?xml version="1.0"?>\n<graphml xmlns="x"><graph edgedefault="directed"/></graphml>'),
    ("gexf", '<gexf version="1.2">'),
    ("dot", "digraph {"),
    ("dot", "strict digraph G {\n"),
    ("dot", '// by hand\n/* two\nlines */ digraph "a { b" {'),
    ("dot", "# one\ngraph{"),
]


@pytest.mark.parametrize(("name", "text"), TEXTS)
def test_by_the_first_lines(name, text, tmp_path, monkeypatch):
    assert_detected(name, text, tmp_path, monkeypatch)


def test_long_files_are_judged_by_whole_lines():
    rows = "".join(f"1 {v + 1}\n" for v in range(20_000))
    assert detect(Source(f"20001\n{rows}0\n0\n".encode()))[0].name == "judge"


def test_a_long_row_of_the_judge_form():
    zeros = "0\n" * 999
    row = " ".join(map(str, range(1, 1000)))
    assert detect(Source(f"1000\n999 {row}\n{zeros}1 0\n0\n".encode()))[0].name == "judge"


def test_by_the_name():
    assert format_of_name("a.JSON").name == "node-link"
    assert format_of_name("a.gv").name == "dot"


@pytest.mark.parametrize("name", [name for name, format in FORMATS.items() if format.magic])
def test_what_is_no_text_has_no_lines_and_is_known_by_its_first_bytes(name, tmp_path, monkeypatch):
    path = tmp_path / "game"
    write_game(nx.DiGraph([(1, 2)]), path, name)
    with Source(path) as source:
        assert detect(source) == (FORMATS[name], True)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    for place in (path, "-"):
        found = read_game(place)
        assert (list(found.edges), found.graph["format"]) == ([(1, 2)], name)
    with pytest.raises(FormatError, match=f"the format {name} is binary and has no lines: write the graph to a file"):
        generate_game(nx.DiGraph(), name)


def test_a_judge_file_numbers_the_positions_when_asked(capsys):
    write_game(GameGraph([("a", "b")], tokens=["b"]), "-", "judge", relabel=True)
    assert capsys.readouterr().out == "2\n1 1\n0\n1 1\n0\n"
