"""A vertex is found by its text, and by what the rules make of a text."""

import pytest

from graphgame import explain, solve
from graphgame.errors import UnknownPositionError
from tests.commands import run
from tests.notations import installed

TWO = [("a", 1), ("a", "1 "), (1, ("x", 2))]


@pytest.mark.parametrize(
    ("game", "name", "vertex"),
    [
        ("nim(3,4,5)", "3", "3"),
        ("cutting(4x2)", "cutting(2x4)", "4x2"),
        *installed([("staircase(5,3)", (5, 3), "5,3")]),
        ("cutting(5x3)", "3x5", "5x3"),
        ("nim(3) + cutting(4x2)", "cutting(4x2)", "cutting(4x2)"),
        (TWO, "1", "1"),
        (TWO, "('x', 2)", "('x', 2)"),
    ],
)
def test_explain(game, name, vertex):
    assert explain(game, name, depth=0).startswith(f"position {vertex} has value")


@pytest.mark.parametrize(
    ("game", "name"), [("cutting(5x3)", "nim(5)"), ("nim(3)", "nim(3,4)"), ("nim(3)", "9"), (TWO, "2")]
)
def test_none(game, name):
    with pytest.raises(UnknownPositionError, match="is not a vertex of the graph: "):
        explain(game, name)


@pytest.mark.parametrize(("name", "told"), [("3", "3"), ((3,), "3"), (9, ""), ("9", "")])
def test_values_tell_the_type(name, told):
    with pytest.raises(UnknownPositionError) as caught:
        solve("nim(3)").grundy[name]
    assert str(caught.value).partition(" is not a vertex of the graph")[2] == (
        f": did you mean {told}?" if told else ""
    )


@pytest.mark.parametrize("around", ["cutting(5x3)", "3x5", "cutting(3x5) cutting(3x3)"])
def test_around(around, tmp_path):
    file = tmp_path / "part.dot"
    assert run("draw", "cutting(5x3)", "--around", around, "--steps", "0", "-o", str(file)).exit_code == 0
    assert "5x3" in file.read_text()
