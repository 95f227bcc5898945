"""Pictures of positions of the labs' games, alone and in the vertices of a graph."""

import pytest

from graphgame import parse_position
from tests.core.drawing.test_pictures import boards_of, lines, picture_of

DRAWN = {
    "silver-dollar(0,2)": ["o.o"],
    "georgia(1,3)": ["o.o"],
    "moore{2}(1,2)": ["* **"],
    "wythoff(0,2)": ["0 **"],
    "fibonacci(3)": ["≤2 ***"],
    "mixed(2:3)": ["1, 3, … ***"],
    "kayles(4)": ["||||"],
    "kayles(25)": ["25"],
    "dawson-chess(2)": ["♟♟", "..", "♙♙"],
    "dawson-chess(0)": ["0"],
    "treblecross(4)": ["...."],
    "chomp(3,1)": ["xcc", "c"],
    "cram(..#/...)": ["..#", "..."],
    "notakto(.X./.../..X)": [".X.", "...", "..X"],
    "node-kayles(grid:2x2@1.1,1.2)": ["..", "##"],
    "cannibal-clobber(grid:2x2@1.1,1.2)": ["oo", "##"],
    "chocolate(2x1)": ["cc"],
    "bitter-chocolate(3x2@2,1)": ["cxc", "ccc"],
    "coins{1,2}(htth)": ["htth"],
    "mock-turtles(th)": ["th"],
}


@pytest.mark.parametrize(("text", "drawn"), DRAWN.items())
def test_pictures_of_positions(text, drawn):
    assert lines(picture_of(text)) == drawn


@pytest.mark.parametrize("text", ["cram(1x25)", "bitter-chocolate(1000000x1000000)"])
def test_no_picture(text):
    assert picture_of(text) is None


@pytest.mark.parametrize(
    ("text", "vertex", "drawn"),
    [("kayles(5)", (2, 2), ["|| ||"]), ("chocolate(3x1)", ((1, 1), (2, 1)), ["c/cc"])],
)
def test_pictures_of_sums(text, vertex, drawn):
    assert lines(parse_position(text).sum_picture(vertex)) == drawn


def test_components_are_drawn_side_by_side():
    position = parse_position("nim(2) + chomp(2x1)")
    assert [lines(position.picture(vertex)) for vertex in position.components] == [["**"], ["x", "c"]]
    assert lines(position.sum_picture(position.components)) == ["   x", "** c"]


@pytest.mark.parametrize(
    ("arguments", "boards"),
    [
        (["chomp(2x2)"], 4),
        (["nim(2) + chomp(2x1)"], 5),
        (["kayles(3)", "--misere", "--product"], 4),
        (["take{1,2}(5)", "--tokens", "4,2"], 6),
    ],
)
def test_draws_vertices_as_boards(arguments, boards):
    assert boards_of(*arguments) == boards
