"""The page in a browser: the drawing of graphs that the page lays out itself."""

import pytest

from tests.page import needs_chromium, rules

pytestmark = needs_chromium

BEHIND = """() => {
    const boxes = [...document.querySelectorAll('.node')].map(node => {
        const { e, f } = node.transform.baseVal.consolidate().matrix;
        return { v: node.dataset.node, x: e, y: f };
    });
    const inside = ({ x, y }, box) =>
        Math.abs(x - box.x) < Layout.WIDTH / 2 - 1 && Math.abs(y - box.y) < Layout.HEIGHT / 2 - 1;
    return [...document.querySelectorAll('path[data-edge]')].filter(edge => {
        const ends = edge.dataset.edge.split(' ');
        const length = edge.getTotalLength();
        const points = Array.from({ length: 80 }, (_, i) => edge.getPointAtLength((length * i) / 79));
        return boxes.some(box => !ends.includes(box.v) && points.some(point => inside(point, box)));
    }).map(edge => edge.dataset.edge);
}"""
"""The moves that run behind positions that they have nothing to do with."""

OVERLAPS = """() => {
    const nodes = [...document.querySelectorAll('.node')];
    const places = nodes.map(node => node.transform.baseVal.consolidate().matrix);
    return places.some((a, i) => places.some((b, j) =>
        i < j && Math.abs(a.e - b.e) < Layout.WIDTH && Math.abs(a.f - b.f) < Layout.HEIGHT));
}"""


@pytest.mark.parametrize("text", ["kayles(20)", "chomp(4x5)", "cram(3x4)"])
def test_moves_do_not_run_behind_other_positions(pages, text):
    visit = pages.open(**rules(text))
    assert visit.page.evaluate("Game.data.layout") is None
    for _ in range(3):
        assert visit.page.evaluate(BEHIND) == []
        assert visit.page.evaluate(OVERLAPS) is False
        if visit.page.locator("[data-key=more]").count():
            visit.click("[data-key=more]")


def test_what_is_not_shown_is_said_and_opens_step_by_step(pages):
    visit = pages.open(**rules("kayles(20)"))
    shown = [visit.page.locator(".vertex").count()]
    while visit.page.locator("[data-key=more]").count():
        assert visit.text(".extent").startswith(f"{shown[-1]} of 111 positions and sums shown")
        visit.click("[data-key=more]")
        shown.append(visit.page.locator(".vertex").count())
    assert shown == sorted(set(shown))
    assert shown[-1] == 111
    assert visit.page.locator(".extent, .more").count() == 0


def test_names_give_way_to_values_until_they_can_be_read(pages):
    visit = pages.open(**rules("chomp(4x5)"))
    name, facts = (visit.page.locator(f".vertex .{part}").first for part in ("name", "facts"))
    assert not name.is_visible()
    assert facts.bounding_box()["height"] > 10
    for _ in range(4):
        visit.click("[aria-label='Zoom in']")
    assert name.is_visible()


class TestBoards:
    def test_positions_show_their_boards_as_far_as_these_can_be_drawn(self, pages):
        visit = pages.open(**rules("chomp(2x3)"))
        assert visit.page.locator(".node .drawing").count() == visit.page.evaluate("Game.size")
        assert visit.page.locator(f".node:has({visit.vertex('3,2')}) .cell").count() >= 5
        assert pages.open(**rules("cutting(12x12)")).page.locator(".node .drawing").count() == 0

    def test_a_board_stands_inside_its_position(self, pages):
        visit = pages.open(**rules("kayles(6) + nim(3)"))
        for vertex in visit.page.locator(".node:has(.drawing)").all():
            outer, inner = (vertex.locator(part).first.bounding_box() for part in (".outline", ".plate"))
            assert outer["x"] <= inner["x"]
            assert inner["x"] + inner["width"] <= outer["x"] + outer["width"]
            assert outer["y"] <= inner["y"]
            assert inner["y"] + inner["height"] <= outer["y"] + outer["height"]


def test_signs_on_boards_within_positions_are_no_larger_than_their_cells(pages):
    visit = pages.open(**rules("sprouts(2)"))
    sizes = visit.page.locator(".node .drawing text").evaluate_all(
        "all => all.map(text => parseFloat(getComputedStyle(text).fontSize))"
    )
    assert sizes
    assert max(sizes) < 1
