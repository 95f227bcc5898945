"""The pictures of the gallery are those that its commands draw."""

import runpy
import xml.etree.ElementTree as ElementTree

import pytest

from tests import ROOT
from tests.helpers import needs_graphviz

GALLERY = ROOT / "docs" / "gallery"


@pytest.mark.long
@needs_graphviz
def test_the_gallery_is_what_its_command_draws(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    text = runpy.run_path(str(ROOT / "docs" / "make_gallery.py"))["draw"](tmp_path)
    assert text == (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    drawn = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert set(drawn) == {path.name for path in GALLERY.iterdir()}
    assert {ElementTree.fromstring(image).tag for image in drawn.values()} == {"{http://www.w3.org/2000/svg}svg"}
    assert all(f"gallery/{name}" in text for name in drawn)


def test_the_gallery_is_small():
    assert sum(path.stat().st_size for path in GALLERY.iterdir()) < 1_500_000
