"""Every move of every game of the catalogue can be made on its board, and the board then shows the new position."""

import pytest

from graphgame import parse_position, solve
from graphgame.labs.web.page import document as data
from graphgame.rules.catalogue import CATALOGUE

SMALLER = {"cram": "cram(3x3)", "amazons": "amazons(Q../..Q)", "mock-turtles": "mock-turtles(htthth)"}
EXAMPLES = [SMALLER.get(name, entry.example) for name, entry in CATALOGUE.items()]
OTHERS = [
    "node-kayles(cycle:6)",
    "colouring{3}(edges:a-b,b-c,c-a)",
    "arc-kayles(edges:a-a,a-b)",
    "geography(star:4@1)",
    "hackenbush(0-1,0-1,1-1,1-2,2-0)",
    "kayles(4) + nim(2) + notakto(2)",
    "kayles(4) & nim(3)",
    "chomp(2x2) && chocolate(4x4)",
    "kayles(2) | (nim(1,2) + chomp(1x2))",
    "hackenbush(0-1,1-2) || sprouts(1)",
    "coins{1..2}(ht) : kayles(3)",
]
GONE = ("blank", "taken", "note")
NUMBERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


@pytest.fixture(autouse=True)
def no_layout(monkeypatch):
    """Turn off the layout by Graphviz, because only boards are tested."""
    monkeypatch.setattr(data, "graphviz_layout", lambda *_: None)


def data_of(text):
    position = parse_position(text)
    loopy = any(component.ruleset.loopy for component in position.components)
    return data.page_data(solve(position.graph(texts=True), loopy=loopy), position=position)


def numbers(cells):
    return [NUMBERS.index(sign) for sign in cells] if isinstance(cells, str) else cells


class Boards:
    """The boards in the data of a page."""

    def __init__(self, page, stones=()):
        self.data, self.surfaces, self.stones = page, page["surfaces"], {*stones}
        self.sums = set(page["sums"])

    def options(self, v):
        return self.data["options"][self.data["pointers"][v] : self.data["pointers"][v + 1]]

    def look(self, v):
        return numbers(self.surfaces["looks"][v][1])

    def agree(self, v, after, parts):
        """Return True if the cells of each part lie on equal cells of the board after a move from ``v``.

        If the board has ``stones`` of two kinds, as in Clobber, a square of a part may also lie on a stone of another
        part, on a stone that cannot move any more, or beyond the board.
        """
        pairs = [
            (self.shown(self.renamed(cell, self.surfaces["names"][parts[i + 2]])), place)
            for i in range(0, len(parts), 3)
            for cell, place in zip(self.look(parts[i]), self.surfaces["maps"][parts[i + 1]], strict=True)
            if self.surfaces["cells"][cell][0] not in GONE
        ]
        stones = [place for (kind, _), place in pairs if kind in self.stones]
        stuck = [place for place in range(len(after)) if self.is_stuck(v, after, place)]
        free = {*stones, *stuck, -1} if self.stones else set()
        is_equal = all(
            (cell == self.shown(after[place]) and place >= 0) or (cell[0] == "square" and place in free)
            for cell, place in pairs
        )
        return all(number >= 0 for number in parts[1::3]) and len({*stones}) == len(stones) and is_equal

    def is_stuck(self, v, after, place):
        """Return True for a stone without a neighbour of the other colour."""
        places = self.surfaces["shapes"][self.surfaces["looks"][v][0]]
        x, y = places[place][:2]
        near = [i for i, (a, b, *_) in enumerate(places) if abs(a - x) + abs(b - y) == 1]
        kind = self.shown(after[place])[0]
        return kind in self.stones and not any(self.shown(after[i])[0] in self.stones - {kind} for i in near)

    def shown(self, cell):
        """Return a cell without the name of its vertex, because symmetry may rename vertices."""
        kind, text = self.surfaces["cells"][cell]
        return kind, "" if kind == "vertex" else text

    def renamed(self, cell, names):
        return dict(zip(names[::2], names[1::2], strict=True)).get(cell, cell)


@pytest.mark.long
@pytest.mark.parametrize("text", [*EXAMPLES, *OTHERS])
def test_every_move_can_be_made_on_the_board(text):
    boards = Boards(data_of(text), ("coin", "cross") if text.startswith("clobber") else ())
    for v, ways in enumerate(boards.surfaces["ways"]):
        if v not in boards.sums:
            assert {way[0] for way in ways} == set(boards.options(v))
            for _, after, touched, line, parts in ways:
                cells = None if after == 0 else numbers(after)
                assert touched or line or cells != boards.look(v)
                assert cells is None or len(cells) == len(boards.look(v))
                assert not parts or boards.agree(v, cells, parts)


@pytest.mark.parametrize("text", ["nim(50)", "whiteboard{3}(1000)", "kayles(40)"])
def test_positions_too_large_to_draw_have_few_cells_to_click(text):
    ways = (data_of(text)["surfaces"] or {"ways": [[]]})["ways"]
    assert all(touched == 0 or len(touched) < 60 for row in ways for _, _, touched, _, _ in row)
