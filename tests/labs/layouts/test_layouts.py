"""Pictures of any size: what boards, layers and overviews hold."""

import base64
import re
import xml.etree.ElementTree as ElementTree
import zlib
from importlib import import_module

import networkx as nx
import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import GameGraph, draw, solve
from graphgame.cli import main
from graphgame.drawing.image import draw_as
from graphgame.drawing.options import PictureOptions
from graphgame.drawing.picture import GraphPicture
from graphgame.drawing.style import THEMES
from graphgame.errors import LayoutError
from graphgame.graph.labels import as_labels
from graphgame.labs.layouts import files
from graphgame.labs.layouts.board import FARTHEST, PairLabels, coordinates, is_board
from graphgame.labs.layouts.layers import chains, places
from graphgame.labs.layouts.shapes import pixels, scale_pixels
from tests import ROOT

SAMPLES = ROOT / "samples"
SVG = "{http://www.w3.org/2000/svg}"


def path_graph(moves):
    ends = np.arange(moves)
    return GameGraph.from_arrays(ends + 1, ends, moves + 1, tokens=[moves])


def random_graph(positions, moves, seed=1, tokens=(0,)):
    ends = np.sort(np.random.default_rng(seed).integers(0, positions, (moves, 2)))
    ends = ends[ends[:, 0] < ends[:, 1]]
    return GameGraph.from_arrays(ends[:, 0], ends[:, 1], positions, tokens=tokens)


def pairs(size):
    """A king that goes to smaller numbers, on a square board."""
    squares = [(row, column) for row in range(size) for column in range(size)]
    steps = [(0, 1), (1, 0), (1, 1)]
    return GameGraph(
        {(r, c): [(r - a, c - b) for a, b in steps if r >= a and c >= b] for r, c in squares}, tokens=[(size - 1,) * 2]
    )


class Page:
    """What an SVG image holds."""

    def __init__(self, drawn, tmp_path, **options):
        path = tmp_path / "a.svg"
        self.layout, self.scale = draw_as(drawn, path, **options)
        self.root = ElementTree.fromstring(path.read_bytes())

    def texts(self, kind):
        return [text.text for text in self.root.iter(f"{SVG}text") if text.get("class") == kind]

    def groups(self, kind):
        return [group for group in self.root.iter(f"{SVG}g") if group.get("class") == kind]

    def marks(self, kind):
        """Return the places of the marks of a kind, those of the legend left out: left, top, right, bottom, hint."""
        found = []
        for group in self.groups(kind):
            for mark in group:
                hint = mark.findtext(f"{SVG}title")
                if hint is not None:
                    found.append((*extent(mark), hint))
        return found

    def fact(self):
        return " ".join(self.texts("fact"))


def extent(mark):
    if mark.tag == f"{SVG}rect":
        x, y, wide, high = (float(mark.get(name)) for name in ("x", "y", "width", "height"))
        return x, y, x + wide, y + high
    if mark.tag == f"{SVG}circle":
        x, y, radius = (float(mark.get(name)) for name in ("cx", "cy", "r"))
        return x - radius, y - radius, x + radius, y + radius
    points = np.array([[float(n) for n in point.split(",")] for point in re.findall(r"[-\d.]+,[-\d.]+", mark.get("d"))])
    return (*points.min(axis=0), *points.max(axis=0))


def overlaps(marks):
    boxes = np.array([mark[:4] for mark in marks])
    across = np.minimum(boxes[:, None, 2], boxes[None, :, 2]) - np.maximum(boxes[:, None, 0], boxes[None, :, 0])
    down = np.minimum(boxes[:, None, 3], boxes[None, :, 3]) - np.maximum(boxes[:, None, 1], boxes[None, :, 1])
    return int(((across > 0.1) & (down > 0.1)).sum()) - len(boxes)


def image(element):
    """Return the pixels of an image in SVG."""
    data = base64.b64decode(element.get("href").split(",")[1])
    columns, rows = int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
    start = data.index(b"IDAT") + 4
    lines = np.frombuffer(zlib.decompress(data[start:-16]), np.uint8).reshape(rows, -1)
    return lines[:, 1:].reshape(rows, columns, 3)


@pytest.mark.parametrize(
    ("drawn", "layout"),
    [
        (solve("wythoff(2,3)"), "dot"),
        (solve("wythoff(8,8)"), "board"),
        (solve("chomp(3x6)"), "board"),
        (solve("nim(3,4,5)"), "dot"),
        (solve(random_graph(300, 3000)), "layers"),
        (solve(path_graph(300)), "overview"),
        (path_graph(300), "overview"),
        (nx.DiGraph({n: [] for n in range(100)}), "layers"),
        (solve(random_graph(20_000, 30_000)), "overview"),
        (GameGraph([]), "dot"),
    ],
)
def test_a_layout_that_can_be_read_is_chosen(drawn, layout):
    assert files.layout_of(GraphPicture(drawn, PictureOptions())) == layout


@pytest.mark.long
def test_names_on_a_page_can_be_read_unless_graphviz_is_asked_for(tmp_path):
    page = Page("cram(2x6)", tmp_path, ratio="16:9")
    assert (page.layout, page.scale) == ("layers", 1)
    assert Page("cram(2x5)", tmp_path, ratio="16:9").layout == "dot"
    assert Page("wythoff(9,9)", tmp_path, ratio="16:9", layout="dot").scale < files.READABLE
    words = ["draw", "wythoff(9,9)", "-o", str(tmp_path / "a.svg"), "--ratio", "16:9", "--layout", "dot"]
    assert "of their usual size, too small to be read: leave out --layout" in CliRunner().invoke(main, words).stderr


@pytest.mark.parametrize(("positions", "page", "jump"), [(7_000, True, 1), (20_001, False, 1), (5_200, False, 100)])
def test_a_page_is_proposed_only_if_it_can_hold_the_graph(tmp_path, positions, page, jump):
    """The last graph has 515,000 moves."""
    moves = (f"{n} {n - step}\n" for n in range(positions) for step in range(1, min(n, jump) + 1))
    (tmp_path / "a.edges").write_text("".join(moves))
    notes = CliRunner().invoke(main, ["draw", str(tmp_path / "a.edges"), "-o", str(tmp_path / "a.svg")]).stderr
    assert "--around POSITION draws a part" in notes
    assert ("-o FILE.html writes a page" in notes) == page


def test_the_note_on_small_names_has_the_option_that_was_typed(tmp_path):
    words = ["draw", "kayles(12)", "--misere", "--genus", "--ratio", "5:1", "-o", str(tmp_path / "a.svg")]
    assert "too small to be read: leave out --genus or --ratio" in CliRunner().invoke(main, words).stderr


def test_a_layout_that_shows_no_genera_is_named(tmp_path):
    words = ["draw", "kayles(4)", "--misere", "-o", str(tmp_path / "a.svg"), "--layout", "layers"]
    notes = [CliRunner().invoke(main, [*words, *more]).stderr for more in ([], ["--genus"], ["--pictures"])]
    assert ["only --layout dot shows --genus and --pictures" in note for note in notes] == [False, True, True]


class TestBoard:
    def test_every_position_has_its_cell_and_its_value(self, tmp_path):
        solution = solve("wythoff(9,9)")
        page = Page(solution, tmp_path)
        cells = {hint: box for mark in "PN" for *box, hint in page.marks(mark)}
        assert set(cells) == {f"{p}: {solution.outcome[p]} {solution.grundy[p]}" for p in solution.graph}
        side = cells["0,0: P 0"][2] - cells["0,0: P 0"][0]
        for hint, (left, top, *_) in cells.items():
            row, column = map(int, re.findall(r"\d+", hint)[:2])
            start = cells["0,0: P 0"]
            assert (left - start[0], top - start[1]) == pytest.approx((column * side, row * side), abs=0.1)
        assert sorted(page.texts("value")) == sorted(map(str, solution.grundy.array))

    def test_only_the_tokens_moves_are_drawn_and_those_that_win_stand_out(self, tmp_path):
        page = Page(solve("wythoff(9,9)"), tmp_path)
        moves = {kind: sum(map(len, page.groups(kind))) // 2 for kind in ("move", "token win")}  # a line, a head
        assert moves == {"move": 17, "token win": 1}
        assert "only moves of the tokens are drawn" in page.fact()

    @pytest.mark.parametrize(
        ("around", "moves", "rings"),
        [("3,5", {"move": 10, "token win": 0}, {"centre": 2, "token": 1}), ("8,8", {"move": 15, "token win": 1}, None)],
    )
    def test_what_a_board_is_drawn_around_is_no_token(self, around, moves, rings, tmp_path):
        page = Page(solve("wythoff(8,8)"), tmp_path, around=[around], layout="board")
        assert {kind: sum(map(len, page.groups(kind))) // 2 for kind in moves} == moves
        assert "only moves from ◎ are drawn; each pair is drawn once, with the smaller number first" in page.fact()
        assert {"drawn around this position", "token", "move"} <= set(page.texts("legend"))
        if rings:
            assert {kind: sum(map(len, page.groups(kind))) for kind in rings} == rings

    def test_bars_of_chomp_without_a_row_have_none(self, tmp_path):
        page = Page(solve("chomp(2x30)"), tmp_path)
        assert page.fact().startswith("a board of 30 x 31: 494 positions")

    def test_three_numbers_are_several_boards(self, tmp_path):
        page = Page(solve("chomp(3x6)"), tmp_path)
        assert page.texts("slice") == [f"first number {n}" for n in range(1, 7)]
        marks = page.marks("P") + page.marks("N")
        assert (len(marks), overlaps(marks)) == (77, 0)

    def test_texts_with_spaces_are_numbers(self, tmp_path):
        done = CliRunner().invoke(main, ["draw", str(SAMPLES / "queen.csv"), "-o", str(tmp_path / "a.svg")])
        assert done.exit_code == 0
        assert done.stderr.count("drawn as a cell of a board; if there are few, --layout dot draws their names") == 1

    @pytest.mark.parametrize("theme", ["light", "dark", "print"])
    def test_a_large_one_is_a_heat_map(self, tmp_path, theme):
        solution = solve(pairs(200))
        page = Page(solution, tmp_path, theme=theme)
        assert page.fact().startswith("a heat map of 200 x 200: 40,000 positions")
        (heat,) = (element for element in page.root.iter(f"{SVG}image") if element.get("class") == "heat")
        shown, lost = image(heat), solution.grundy.array.reshape(200, 200) == 0
        assert (shown[lost] == pixels(THEMES[theme].fills[0])).all()
        ones = solution.grundy.array.reshape(200, 200) == 1
        assert (shown[ones] == scale_pixels(np.array(0), THEMES[theme])).all()

    @pytest.mark.parametrize("only", [None, "N", "P"])
    def test_the_scale_of_a_heat_map_stands_for_its_n_positions(self, tmp_path, only):
        legend = Page(solve(pairs(200)), tmp_path, layout="board", only=only).texts("legend")
        scale = [text for text in legend if text.endswith("Grundy value of N-positions")]
        assert (len(scale), "previous player wins" in legend) == (only in (None, "N"), only in (None, "P"))
        assert "next player wins" not in legend

    def test_a_heat_map_of_many_cells_keeps_rare_p_positions(self, tmp_path):
        rows = np.arange(1500)
        graph = GameGraph.from_arrays(rows[1:], rows[:-1], [(int(n), int(n)) for n in rows])
        page = Page(solve(graph), tmp_path, layout="board")
        (heat,) = (element for element in page.root.iter(f"{SVG}image") if element.get("class") == "heat")
        assert (image(heat)[np.arange(750), np.arange(750)] == pixels(THEMES["light"].fills[0])).all()

    @pytest.mark.parametrize(
        ("positions", "message"),
        [
            (
                [(0, 1), (0, 9000)],
                "layout='board' draws only positions of two or three nonnegative numbers, such as 3,5, if each "
                "number varies by less than 4,000: for other positions",
            ),
            (["a", "b"], "layout='board' draws only positions of two or three nonnegative numbers"),
            (["1,2", "3,x"], "layout='board' draws only positions of two or three nonnegative numbers"),
            ([(1, 2), (1, 2, 0)], "layout='board' draws only positions of two or three nonnegative numbers"),
            ([(-1, 2)], "layout='board' draws only"),
            ([5, 6], "layout='board' draws only"),
            ([], "layout='board' draws only"),
            (
                [(a, b, c) for a in range(30) for b in range(30) for c in range(30)],
                "30 boards are too many for one picture",
            ),
        ],
    )
    def test_what_is_no_board(self, tmp_path, positions, message):
        with pytest.raises(LayoutError, match=message):
            draw(solve(nx.DiGraph({position: [] for position in positions})), tmp_path / "a.svg", layout="board")
        assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("shape", "axes"),
    [
        ((3, 4), "rows: first number, columns: second number"),
        ((2, 3, 4), "rows: second number, columns: third number"),
        ((3, 2, 4), "rows: first number, columns: third number"),
        ((3, 4, 2), "rows: first number, columns: second number"),
    ],
)
def test_a_board_says_which_numbers_are_rows_and_columns(shape, axes, tmp_path):
    graph = nx.DiGraph({tuple(position): [] for position in np.argwhere(np.ones(shape)).tolist()})
    assert axes in Page(solve(graph), tmp_path, layout="board").fact()


def test_a_board_has_up_to_4000_rows_and_columns():
    texts = ["0,0", f"{FARTHEST - 1},1"]
    numbers = np.arange(2 * FARTHEST)
    assert coordinates(as_labels(texts), numbers[:2]).tolist() == [[0, 0], [FARTHEST - 1, 1]]
    assert coordinates(as_labels([*texts, f"{FARTHEST},0"]), numbers[:3]) is None
    assert coordinates(PairLabels(range(FARTHEST), range(2)), numbers)[-1].tolist() == [FARTHEST - 1, 1]
    assert coordinates(PairLabels(range(FARTHEST + 1), range(2)), numbers) is None


def test_boards_are_counted_without_the_missing_ones_between_them():
    """The first numbers are 0, 2, ..., 48: that is 25 boards, and 24 without the last."""
    positions = [(a, b, c) for a in range(0, 50, 2) for b in range(30) for c in range(30)]
    for least, count in ((0, 25), (1, 24)):
        picture = GraphPicture(solve(nx.empty_graph(positions[900 * least :], nx.DiGraph)), PictureOptions())
        assert is_board(picture) == (count <= 24)


def test_pairs_are_counted_from_the_end_too():
    labels = PairLabels(range(2, 4), range(3))
    assert (labels[-1], labels[-6], labels[4:]) == ("3,2", "2,0", ["3,1", "3,2"])


class TestLayers:
    @pytest.mark.parametrize(
        "graph",
        [
            random_graph(300, 3000),
            random_graph(2000, 3000, tokens=[5, 9]),
            path_graph(90),
            GameGraph({"hub": range(1500)}, tokens=["hub"]),
            GameGraph("kayles(12)"),
            GameGraph({n: [(n + 1) % 100, (n + 7) % 100] for n in range(100)}),
        ],
    )
    @pytest.mark.parametrize("left_to_right", [False, True])
    def test_every_position_stands_on_the_page_and_on_no_other(self, tmp_path, graph, left_to_right):
        solution = solve(graph, loopy=True)
        page = Page(solution, tmp_path, layout="layers", left_to_right=left_to_right)
        marks = [mark for kind in "PND" for mark in page.marks(kind)]
        assert (len(marks), len({mark[4] for mark in marks}), overlaps(marks)) == (len(graph), len(graph), 0)
        boxes = np.array([mark[:4] for mark in marks])
        assert boxes.min() >= 0
        assert boxes[:, 2].max() <= 1280
        assert boxes[:, 3].max() <= float(page.root.get("height")) - 24

    def test_moves_lead_downwards(self, tmp_path):
        graph = random_graph(200, 400)
        solution = solve(graph)
        page = Page(solution, tmp_path, layout="layers")
        middle = {}
        for left, top, right, bottom, hint in page.marks("P") + page.marks("N"):
            middle[int(hint.split(":")[0])] = (left + right) / 2, (top + bottom) / 2
        # downwards or to the right, whichever has more room: one axis goes with the longest play
        ways = [all(middle[s][axis] < middle[t][axis] for s, t in graph.edges) for axis in (0, 1)]
        assert any(ways)

    def test_what_is_left_out_is_counted(self, tmp_path):
        solution = solve(random_graph(1000, 10_000))
        page = Page(solution, tmp_path)
        drawn = sum(len(group) for kind in ("move", "win", "token win") for group in page.groups(kind))
        total = solution.graph.number_of_edges()
        assert f"{drawn:,} of {total:,} moves are drawn, winning and short moves first" in page.fact()
        assert 300 < drawn < total

    def test_merged_positions_are_counted_and_the_token_keeps_its_name(self, tmp_path):
        page = Page(solve(SAMPLES / "queen.csv"), tmp_path, layout="layers", merge=True)
        assert page.fact().startswith("35 positions (merged from 64) in 15 levels")
        assert page.texts("name") == ["6, 4"]
        assert sum(int(sign[1:]) - 1 for sign in page.texts("times")) == 64 - 35
        assert "3 equal positions, drawn as one" in page.texts("legend")
        page = Page(solve("chomp(4x4)"), tmp_path, layout="layers", merge=True)
        assert page.fact().startswith("42 positions (no two are equal) in 16 levels")

    @pytest.mark.parametrize("layout", ["layers", "board"])
    def test_the_legend_explains_each_sign_that_is_written(self, tmp_path, layout):
        moves = [((0, 0), (0, 1)), ((0, 1), (0, 0)), ((0, 1), (1, 1)), ((1, 0), (0, 0)), ((1, 0), (1, 1))]
        loops = GameGraph([*moves, ((1, 1), (1, 2)), ((1, 2), (1, 1)), ((1, 1), (0, 2))])
        ends = GameGraph.from_arrays([1, 2], [0, 1], [(0, 0), (0, 1), (1, 0)], decided=np.array([-2, 0, 0], np.int8))
        for solution in (solve(loops, loopy=True), solve(ends)):
            page = Page(solution, tmp_path, layout=layout)
            words = {word.split("(")[0] for text in page.texts("value") for word in text.split()} - {*"PND0123"}
            assert words in ({"inf"}, {"sunny", "loony"})
            assert words == {text.split("(")[0] for text in page.texts("legend")} & {"inf", "sunny", "loony"}

    @pytest.mark.parametrize("text", ["kayles(20)", "grundy(20)", "cram(4x4) + nim(2)", "chomp(4x4)"])
    def test_parts_of_sums_are_no_moves_and_sums_no_positions(self, tmp_path, text):
        solution = solve(text)
        counts, sums = solution.counts(), len(solution.graph) - solution.counts().positions
        positions = f"{counts.positions:,} positions" + (f", {sums:,} sums" if sums else "")
        fact = Page(solution, tmp_path, layout="layers").fact()
        assert fact.startswith(f"{positions} in ")
        drawn = re.search(r"all ([\d,]+) moves are drawn|([\d,]+) of ([\d,]+) moves are drawn", fact)
        assert (drawn[1] or drawn[3]) == f"{counts.moves:,}"
        assert int((drawn[1] or drawn[2]).replace(",", "")) <= counts.moves

    def test_a_name_covers_no_other_position(self, tmp_path):
        page = Page(solve("chomp(4x4)"), tmp_path, layout="layers")
        (name,) = [text for text in page.root.iter(f"{SVG}text") if text.text == "4,4,4,4"]
        (following,) = [box for *box, hint in page.marks("N") if hint.startswith(("4,4,4,3", "3,4,4,4"))]
        assert not following[1] - 6 < float(name.get("y")) < following[3] + 12

    def test_the_tokens_winning_moves_are_drawn_thick(self, tmp_path):
        solution = solve(random_graph(1000, 10_000, tokens=[3]))
        page = Page(solution, tmp_path)
        (group,) = page.groups("token win")
        assert len(group) == len(solution.winning_moves())
        assert "3" in page.texts("name")
        assert float(group.get("stroke-width")) > float(page.groups("win")[0].get("stroke-width"))

    def test_a_tokens_winning_move_is_drawn_although_many_moves_are_shorter(self, tmp_path):
        graph = GameGraph({n: ["end"] for n in range(600)} | {"start": ["end", 0]}, tokens=["start"])
        (group,) = Page(solve(graph), tmp_path, layout="layers").groups("token win")
        assert len(group) == 1

    def test_few_positions_have_their_names(self, tmp_path):
        graph = random_graph(80, 90)
        page = Page(solve(graph), tmp_path, layout="layers")
        assert set(page.texts("name")) >= set(map(str, graph))

    def test_a_graph_without_values(self, tmp_path):
        page = Page(random_graph(80, 300), tmp_path, layout="layers")
        assert len(page.marks("-")) == 80
        assert "short moves first" in page.fact() or "all" in page.fact()

    def test_too_many_are_refused(self, tmp_path):
        for graph in (path_graph(1000), random_graph(30_000, 10)):
            with pytest.raises(LayoutError, match=r"too many .*--layout overview"):
                draw(solve(graph), tmp_path / "a.svg", layout="layers")
        assert not list(tmp_path.iterdir())

    @given(st.data())
    @settings(max_examples=30)
    def test_places_keep_their_distance(self, data):
        size = data.draw(st.integers(2, 40))
        level = np.sort(np.array(data.draw(st.lists(st.integers(0, 5), min_size=size, max_size=size))))
        level = np.unique(level, return_inverse=True)[1]
        ends = data.draw(st.lists(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), max_size=60))
        moves = np.array([(s, t) for s, t in ends if level[s] > level[t]], np.int64).reshape(-1, 2)
        found = chains(level, moves[:, 0], moves[:, 1], np.zeros(len(moves), np.int64))
        assert (found.level[found.upper] == found.level[found.lower] + 1).all()
        widths = np.where(np.arange(len(found.level)) < size, 10.0, 1.0)
        x = places(found, widths, 1000.0, size)
        for each in np.unique(found.level):
            here = np.flatnonzero(found.level == each)
            here = here[np.argsort(x[here])]
            apart = np.diff(x[here]) - (widths[here][1:] + widths[here][:-1]) / 2
            assert (apart > -1e-6).all()
        assert (x >= 0).all()
        assert (x <= 1000).all()


class TestOverview:
    def numbers(self, page, kind):
        return [int(text.replace(",", "")) for text in page.texts(kind)]

    def test_levels_count_their_positions_and_moves(self, tmp_path):
        graph = random_graph(500, 1200)
        solution = solve(graph)
        page = Page(solution, tmp_path, layout="overview")
        levels = sorted(set(solution.birthday.values()))
        assert page.texts("level") == [str(level) for level in levels]
        for kind in "PN":
            at = [solution.birthday[p] for p in graph if solution.outcome[p] == kind]
            assert self.numbers(page, kind) == [at.count(level) for level in levels]
        leaving = [solution.birthday[p] for p, _ in graph.edges]
        assert self.numbers(page, "moves") == [leaving.count(level) for level in levels]
        assert "how often each value occurs in the row" in page.texts("legend")

    def test_sunny_and_loony_values_have_no_cell(self, tmp_path):
        graph = GameGraph.from_arrays([1, 2, 3], [0, 0, 1], 5, decided=np.array([-2, 0, 0, 0, 0]))
        page = Page(solve(graph), tmp_path, layout="overview")
        strips = [strip.get("href") for strip in page.root.iter(f"{SVG}image")]
        # The scale of the legend, two equal strips with the value 0, and the empty strip of the loony positions.
        assert (len(strips), len(set(strips))) == (4, 3)

    def test_bands_are_as_wide_as_their_moves_are_many(self, tmp_path):
        graph = GameGraph({"a": ["b1", "b2", "b3"], "b1": ["c"], "b2": [], "b3": []})
        page = Page(solve(graph), tmp_path, layout="overview")
        marks = [mark for group in page.groups("move") for mark in group]
        widths = sorted(float(mark.get("width")) for mark in marks if mark.tag == f"{SVG}rect")
        ends = {p: solve(graph).birthday[p] for p in graph}
        assert ends == {"a": 2, "b1": 1, "c": 0, "b2": 0, "b3": 0}
        assert len(widths) == 2
        assert widths[0] == widths[1]  # a -> b1, b1 -> c
        arcs = [float(group.get("stroke-width")) for group in page.groups("move") if "M" in (group[0].get("d") or "")]
        assert arcs == pytest.approx([2 * widths[0]])

    def test_many_levels_share_rows(self, tmp_path):
        page = Page(solve(path_graph(999)), tmp_path)
        assert len(page.texts("level")) == 18
        assert sum(self.numbers(page, "P")) == sum(self.numbers(page, "N")) == 500
        assert (
            "1,000 levels; level: longest play; 56 levels per row; 982 moves between positions of one row are not drawn"
            in page.fact()
        )

    def test_levels_outside_the_part_drawn_do_not_count(self, tmp_path):
        page = Page(solve(path_graph(100)), tmp_path, layout="overview", reachable_from=[50])
        assert "51 levels; level: longest play; 3 levels per row" in page.fact()

    def test_the_best_line_is_named(self, tmp_path):
        heap = GameGraph({n: [n - k for k in (1, 2, 3) if n >= k] for n in range(12)}, tokens=[11])
        page = Page(solve(heap), tmp_path, layout="overview")
        line = [int(name) for name in page.texts("name")]
        assert (line[0], line[-1], len(line)) == (11, 0, solve(heap).remoteness[11] + 1)
        assert all(here % 4 == 0 for here in line[1::2])

    def test_no_best_line_leads_from_a_sum_to_its_parts(self, tmp_path):
        graph = nx.DiGraph(["sa", "sd", "ac", "de", "ec"])
        graph.nodes["s"]["kind"] = "sum"
        assert Page(solve(GameGraph(graph)), tmp_path, layout="overview").texts("name") == ["s"]

    def test_several_tokens_are_named(self, tmp_path):
        page = Page(GameGraph({0: [1], 1: [2]}, tokens=[0]), tmp_path, layout="overview")
        assert ("best line" in page.texts("header"), "tokens" in page.texts("header")) == (False, True)
        page = Page(solve(random_graph(500, 1200, tokens=[1, 2])), tmp_path, layout="overview")
        assert sorted(name for text in page.texts("name") for name in text.split(", ")) == ["1", "2"]

    def test_play_that_need_not_end(self, tmp_path):
        graph = nx.DiGraph([("a", "b"), ("b", "a"), ("a", "end"), ("c", "d"), ("d", "c")])
        page = Page(solve(graph, loopy=True), tmp_path, layout="overview")
        assert page.texts("level") == ["0", "1", "2", "endless play"]
        assert "; 3 levels; " in "".join(page.texts("fact"))
        assert (self.numbers(page, "D"), self.numbers(page, "P")) == ([0, 0, 0, 2], [1, 0, 1, 0])
        plain = Page(graph, tmp_path, layout="overview")
        assert self.numbers(plain, "positions") == [1, 1, 1, 2]

    @pytest.mark.parametrize("engine", ["plain", "compiled"])
    def test_a_part_is_counted_as_a_part(self, tmp_path, engine, monkeypatch):
        overview_module = import_module("graphgame.labs.layouts.overview")
        run = overview_module.runner
        monkeypatch.setattr(overview_module, "runner", lambda loop, size: run(loop, size, engine))
        solution = solve(random_graph(500, 1200))
        page = Page(solution, tmp_path, layout="overview", only="P")
        assert sum(self.numbers(page, "P")) == int((solution.outcome.array == "P").sum())
        assert sum(self.numbers(page, "N")) == sum(self.numbers(page, "moves")) == 0

    def test_of_nothing(self, tmp_path):
        assert Page(GameGraph([]), tmp_path, layout="overview").texts("level") == []
        assert Page(solve(GameGraph([])), tmp_path, layout="layers").marks("P") == []
