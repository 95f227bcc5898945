"""Errors say what was wrong, where, and what to do."""

import inspect
import re
import subprocess
import sys
import tomllib
from operator import attrgetter
from pathlib import Path

import networkx as nx
import pytest

import graphgame
from graphgame import errors
from graphgame.cli.errors import _TWINS
from graphgame.errors import shorten
from graphgame.text.text import printable


@pytest.mark.parametrize(
    ("error", "also"),
    [
        (errors.ParseError("x"), ValueError),
        (errors.FormatError("x"), ValueError),
        (errors.CycleError([1, 2]), nx.NetworkXUnfeasible),
        (errors.UndirectedGraphError(), nx.NetworkXNotImplemented),
        (errors.UnknownPositionError(1), KeyError),
        (errors.UnknownPositionError(1), nx.NodeNotFound),
        (errors.TokenError("x"), ValueError),
        (errors.ParameterError("x"), ValueError),
        (errors.ParameterError("x"), TypeError),
        (errors.LimitError("x"), RuntimeError),
        (errors.LayoutError("x"), RuntimeError),
        (errors.MissingExtraError("x", "fast"), ImportError),
    ],
)
def test_error_is_ours_and_of_the_expected_type(error, also):
    assert isinstance(error, graphgame.errors.GraphGameError)
    assert isinstance(error, also)


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ({}, "vertex 7: expected 1..6"),
        ({"source": "g.txt"}, "g.txt: vertex 7: expected 1..6"),
        ({"source": "g.txt", "line": 3}, "g.txt:3: vertex 7: expected 1..6"),
        ({"line": 3, "column": 3, "text": "2 7"}, "3:3: vertex 7: expected 1..6\n    2 7\n      ^"),
        ({"line": 3, "column": 3, "text": "2\t7"}, "3:3: vertex 7: expected 1..6\n    2 7\n      ^"),
        ({"line": 1, "column": 2, "text": "a\x1b\0b"}, "1:2: vertex 7: expected 1..6\n    a\ufffd\ufffdb\n     ^"),
    ],
)
def test_parse_error(place, expected):
    assert str(errors.ParseError("vertex 7: expected 1..6", **place)) == expected


def test_long_lines_are_cut_around_the_place():
    text = "x" * 500 + "!" + "y" * 500
    _, shown, caret = str(errors.ParseError("odd", line=1, column=501, text=text)).split("\n")
    assert len(shown) < 150
    assert shown[caret.index("^")] == "!"


def test_missing_extra_says_what_to_install():
    assert str(errors.MissingExtraError("drawing", "render")) == "drawing needs pygraphviz: pip install pygraphviz"


BROUGHT = ("llvmlite", "py4j")
"""What numba and pyspark bring: declared because it is imported, but no message has to name it."""


def test_libraries_of_the_extras_are_those_of_the_project():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    for extra, libraries in errors.LIBRARIES.items():
        wanted = [re.split(r"[<>=;\[]", each)[0] for each in project["optional-dependencies"][extra]]
        own = [each for each in wanted if each not in (project["name"], *BROUGHT)]
        assert libraries.split()[: len(own)] == own


def test_long_values_are_shortened():
    assert len(str(errors.UnknownPositionError("x" * 1000))) < 120


def test_integers_of_more_digits_than_python_writes():
    for value, shown in [(1 << 40_000, "0x1000"), ((1 << 40_000,), "<tuple with a very ")]:
        assert shorten(value).startswith(shown)
        assert printable(value).startswith(shown)
        assert len(shorten(value)) <= 60


def test_public_names():
    assert all(hasattr(graphgame, name) for name in graphgame.__all__)
    assert {*graphgame.__all__, "errors", "nimbers", "theory"} <= set(dir(graphgame))
    with pytest.raises(AttributeError, match="module 'graphgame' has no attribute 'nothing'"):
        _ = graphgame.nothing


@pytest.mark.parametrize("name", [*graphgame._PACKAGES, "heaps.study", "labs.scale.disk"])
def test_completion_shows_only_public_names(name):
    for module in (graphgame, attrgetter(name)(graphgame)):
        shown = {each for each in dir(module) if not each.startswith("__")}
        assert shown >= set(module.__all__)
        assert all(inspect.ismodule(getattr(module, each)) for each in shown - set(module.__all__))


def test_messages_for_the_command_line_replace_messages_that_exist():
    texts = {path.read_text(encoding="utf-8") for path in Path(graphgame.__file__).parent.rglob("*.py")}
    joined = {re.sub(r'"\s+"', "", text) for text in texts}
    for template in _TWINS:
        assert sum(f'"{template}"' in text for text in joined) >= 2, template  # in the table, and where it is raised


def test_importing_the_package_loads_no_library():
    code = "import sys, graphgame; print([name for name in ('networkx', 'numpy', 'click') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_command_names_the_missing_library():
    code = "import sys; sys.modules['numpy'] = None; from graphgame.__main__ import main; main()"
    done = subprocess.run([sys.executable, "-c", code, "solve", "nim(3,4)"], capture_output=True, text=True)
    advice = "graphgame cannot run without numpy, which is not installed: pip install numpy"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"graphgame: error: {advice}\n")
