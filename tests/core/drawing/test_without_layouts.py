"""Images where the lab of layouts is missing: Graphviz draws small ones, a message names the lab for others."""

import networkx as nx
import pytest

from graphgame import errors, solve
from graphgame.drawing import draw, image
from tests.helpers import CHIPS, needs_graphviz


@pytest.fixture
def chips(monkeypatch):
    """A small game, and no lab."""

    def missing(job):
        raise errors.MissingLabError(job, "layouts")

    monkeypatch.setattr(image, "offers", lambda kind: {})
    monkeypatch.setattr(image, "registered", missing)
    return solve(nx.DiGraph(CHIPS), tokens=[1, 2, 4, 6])


@needs_graphviz
@pytest.mark.parametrize(("name", "start"), [("a.svg", b"<?xml"), ("a.png", b"\x89PNG"), ("a.pdf", b"%PDF")])
def test_graphviz_draws_what_is_small(chips, tmp_path, name, start):
    assert image.draw_as(chips, tmp_path / name, title="Chips") == ("dot", 1.0)
    data = (tmp_path / name).read_bytes()
    assert data.startswith(start)
    assert name != "a.svg" or b">Chips<" in data


@needs_graphviz
def test_dots_an_inch(chips, tmp_path):
    for dpi in (72, 144):
        draw(chips, tmp_path / f"{dpi}.png", dpi=dpi)
    small, large = (int.from_bytes((tmp_path / f"{dpi}.png").read_bytes()[16:20], "big") for dpi in (72, 144))
    assert 1.9 < large / small < 2.1


@pytest.mark.parametrize(
    ("drawn", "name", "options"),
    [
        ([(0, 1)], "a.tex", {}),
        ([(0, 1)], "a.svg", {"layout": "layers"}),
        ("nim(40,40)", "a.png", {}),
    ],
)
def test_other_pictures_name_the_lab(chips, tmp_path, drawn, name, options):
    with pytest.raises(errors.MissingLabError, match=r"picture of any size needs graphgame\.labs\.layouts"):
        draw(drawn, tmp_path / name, **options)
    assert not list(tmp_path.iterdir())
