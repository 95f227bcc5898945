"""Positions as images in SVG."""

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphgame import parse_position
from graphgame.drawing import picture_svg
from graphgame.games import CATALOGUE, ruleset
from graphgame.rules.pictures import Picture, note

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("entry", CATALOGUE.values(), ids=lambda entry: entry.name)
def test_every_position_of_the_catalogue_is_an_image(entry):
    for component in parse_position(entry.example).components:
        picture = component.ruleset.picture(component.position)
        if picture is not None:
            image = ElementTree.fromstring(picture_svg(picture))
            marks = [mark for kind in ("circle", "path", "rect", "text") for mark in image.iter(f"{SVG}{kind}")]
            filled = sum(cell.kind != "blank" for cell in picture.cells)
            assert len(marks) > filled
            assert all(0 <= float(mark.get("cx", 1)) <= float(image.get("width")) for mark in marks)


class TestSvg:
    @given(st.text(min_size=1, max_size=60))
    def test_words_are_words(self, text):
        image = ElementTree.fromstring(picture_svg(note(text)))
        assert [child.tag for child in image] == [f"{SVG}g", f"{SVG}text"]

    def test_of_nothing(self):
        assert len(ElementTree.fromstring(picture_svg(Picture((), ())))) == 1

    @pytest.mark.parametrize(
        ("text", "lines"),
        [("node-kayles(cycle:5)", 5), ("node-kayles(cycle:5@1,2)", 1), ("geography(path:4@2:1)", 1)],
    )
    def test_lines_to_vertices_that_are_gone_are_not_drawn(self, text, lines):
        (component,) = parse_position(text).components
        image = ElementTree.fromstring(picture_svg(component.ruleset.picture(component.position)))
        assert len([*image.iter(f"{SVG}path"), *image.iter(f"{SVG}line")]) == lines

    def test_loops_begin_at_their_vertex_and_are_inside(self):
        image = ElementTree.fromstring(picture_svg(ruleset("hackenbush").picture("0-1,1-1,1-1,1-1")))
        loops = [(float(loop.get("cy")), float(loop.get("r"))) for loop in image.iter(f"{SVG}circle")]
        assert len({round(y + r) for y, r in loops}) == 1
        assert min(y - r for y, r in loops) > 0
