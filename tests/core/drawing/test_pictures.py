"""Positions as they look on the table: what each ruleset draws, as SVG and in the vertices of a graph."""

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from graphgame import parse_position, write_dot
from graphgame.cli import main
from graphgame.drawing.dot import board_markup
from graphgame.drawing.style import THEMES
from graphgame.errors import RulesetError
from graphgame.rules.pictures import Cell, Picture, beside, check_picture, grid, halves, heap, row, rows, sheet
from tests import ROOT
from tests.notations import installed

SVG = "{http://www.w3.org/2000/svg}"

SIGNS = {
    "blank": " ",
    "coin": "o",
    "cross": "X",
    "cut": "/",
    "heads": "h",
    "note": "?",
    "paper": "p",
    "piece": "*",
    "pin": "|",
    "poison": "x",
    "square": ".",
    "sweet": "c",
    "tails": "t",
    "taken": "#",
}

DRAWN = {
    "nim(3)": ["***"],
    "nim(7)": ["*****", "**"],
    "nim(0)": ["0"],
    "nim(1000000000000000000)": ["1000000000000000000"],
    "whiteboard{3}(12:9)": ["12345678910", "11121314"],
    "cutting(3x2)": ["ppp", "ppp"],
    "cutting(200x2)": ["200x2"],
    "nimble(2)": ["..o"],
    "staircase(1,2)": [" *", " *", "*#", "##"],
}


def lines(picture):
    return ["".join(cell.text or SIGNS[cell.kind] for cell in cells).rstrip() for cells in picture.rows]


def picture_of(text):
    (component,) = parse_position(text).components
    return component.ruleset.picture(component.position)


@pytest.mark.parametrize(("text", "drawn"), installed(DRAWN.items()))
def test_what_a_position_looks_like(text, drawn):
    assert lines(picture_of(text)) == drawn


def test_no_picture():
    assert picture_of("wind-up{61:1}(3)") is None


@pytest.mark.parametrize(
    ("text", "vertex", "drawn"),
    installed(
        [
            ("nimble(3,1,1)", (3, 1, 1), [".2.o"]),
            ("cutting(4x2)", ((2, 2), (2, 2)), ["pp/pp", "pp/pp"]),
        ]
    ),
)
def test_what_a_sum_looks_like(text, vertex, drawn):
    assert lines(parse_position(text).sum_picture(vertex)) == drawn


def test_a_mixture_is_drawn_side_by_side():
    position = parse_position("nim(2) + cutting(3x1)")
    assert [lines(position.picture(vertex)) for vertex in position.components] == [["**"], ["ppp"]]
    assert lines(position.sum_picture(position.components)) == ["** ppp"]


def test_a_sum_with_a_part_that_has_no_picture_has_none():
    position = parse_position("nim(2) + wind-up{61:1}(3)")
    assert position.sum_picture(position.components) is None


class TestParts:
    def test_two_sheets_that_were_one(self):
        assert lines(halves([(2, 3), (3, 3)], "paper")) == ["pp/ppp"] * 3
        assert halves([(2, 3), (4, 5)], "paper") is None
        assert halves([(2, 2)] * 3, "paper") is None
        assert halves([(13, 2), (13, 2)], "paper") is None
        assert halves([], "paper") is None

    def test_nothing_beside_nothing(self):
        assert beside([]) is None

    @given(st.integers(1, 40))
    def test_a_heap_has_its_pieces(self, size):
        assert sum(map(len, heap(size).rows)) == size

    def test_lengths(self):
        assert (len(row(24, "pin").cells), lines(row(25, "pin")), lines(row(0, "pin"))) == (24, ["25"], ["0"])
        assert (len(sheet(12, 12, "paper").rows[0]), lines(sheet(13, 1, "paper"))) == (12, ["13x1"])
        assert grid("." * 25, {".": "square"}) is None


@pytest.mark.parametrize(
    ("picture", "message"),
    [
        (rows([[Cell("dragon")]]), "a cell of a picture is .*dragon.*: expected a Cell of one of the kinds arc, blank"),
        (rows([[Cell("note", 7)]]), "a cell of a picture is .*7"),
        (rows([["square"]]), "a cell of a picture is 'square'"),
        ("xo", "a ruleset's picture is 'xo': expected a Picture"),
        (Picture((Cell("note", "x"),), ()), "a ruleset's picture is .*: expected a Picture"),
        (Picture((Cell("note", "x"),), ((1,),)), "a ruleset's picture is .*: expected a Picture"),
    ],
)
def test_what_is_no_picture(picture, message):
    with pytest.raises(RulesetError, match=message):
        check_picture(picture)


def test_a_picture_without_cells():
    assert board_markup(Picture((), ())) == ""


def run(*arguments):
    return CliRunner().invoke(main, ["draw", *arguments])


def boards_of(*arguments):
    """Return how many vertices are drawn as boards."""
    done = run(*arguments, "--pictures", "--no-legend")
    vertices = [line for line in done.stdout.splitlines() if line.startswith("n") and "->" not in line]
    return sum('BGCOLOR="#ffffff" COLOR="#7a808a"' in line for line in vertices)


class TestCommand:
    @pytest.mark.parametrize(
        ("arguments", "boards"),
        [
            (["cutting(3x1)"], 2),
            (["nim(1,2)", "--product"], 4),
            (["nim(2) + cutting(2x1)"], 5),
            (["cutting(2x2)", "--tokens", "2x2,2x1"], 4),
        ],
    )
    def test_draws_vertices_as_boards(self, arguments, boards):
        assert boards_of(*arguments) == boards

    @pytest.mark.parametrize(
        ("source", "message"),
        [
            (
                "wind-up{61:1}(3)",
                ("pictures=True draws positions as their rules do, but the rules of this game draw no pictures"),
            ),
            (
                "samples/chips.txt",
                "--pictures draws positions by the rules of a game: a graph file has no rules, only names of positions",
            ),
        ],
    )
    def test_nothing_to_draw(self, source, message):
        path = source if "(" in source else str(ROOT / source)
        done = run(path, "--pictures")
        assert (done.exit_code, message in done.stderr) == (2, True)

    def test_title_and_caption(self):
        heading = run("nim(2)", "--no-legend").stdout.split("\n")[1]
        assert heading.index(">nim(2)<") < heading.index(">first player wins<")
        own = run("nim(2)", "--no-legend", "--title", "A <game>", "--caption", "by me").stdout.split("\n")[1]
        assert own.index(">A &lt;game&gt;<") < own.index(">by me<")

    def test_rules_of_ones_own(self, tmp_path):
        (tmp_path / "rules.py").write_text(
            "from graphgame import Ruleset\nfrom graphgame.rules.pictures import row\n"
            "class Pins(Ruleset):\n    def options(self, n): return range(n)\n"
            "    def picture(self, n): return row(n, 'pin') if n < 3 else 1 // 0\n"
        )
        drawn = run(f"{tmp_path / 'rules.py'}:Pins(2)", "--pictures")
        assert (drawn.exit_code, drawn.stdout.count("▮")) == (0, 3)
        failed = run(f"{tmp_path / 'rules.py'}:Pins(3)", "--pictures")
        assert failed.exit_code == 2
        assert "rules.py:5 in picture: ZeroDivisionError: " in failed.stderr


@pytest.mark.parametrize(
    ("theme", "paper", "lost"),
    [("light", "#ffffff", "#0072b2"), ("dark", "#15181d", "#56b4e9"), ("print", "#ffffff", "#404040")],
)
def test_themes(theme, paper, lost, tmp_path):
    write_dot("nim(1)", tmp_path / "a.dot", theme=theme)
    text = (tmp_path / "a.dot").read_text()
    assert f'bgcolor="{paper}"' in text
    assert f'fillcolor="{lost}"' in text


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
def test_without_colour_lost_positions_are_unlike_the_others(theme):
    def lightness(color):
        return sum(w * int(color[i : i + 2], 16) for w, i in ((0.299, 1), (0.587, 3), (0.114, 5))) / 255

    lost, *others = map(lightness, THEMES[theme].fills)
    assert all(abs(lost - other) > 0.25 for other in others)


@pytest.mark.parametrize("theme", ["light", "dark", "print"])
def test_what_carries_meaning_stands_out(theme):
    def light(color):
        parts = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
        linear = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
        return 0.05 + sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))

    colors = THEMES[theme]
    lost, won, _ = colors.fills
    pairs = [(colors.paper, color) for color in (colors.ink, colors.outline, colors.move, colors.winning)]
    for pair in [*pairs, (lost, won), ("#ffffff", colors.token)]:
        lower, upper = sorted(map(light, pair))
        assert upper / lower >= 3
