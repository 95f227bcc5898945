"""The search of the website shows the right page first."""

import runpy

import pytest
from sphinx.cmd.build import build_main

from tests import ROOT

FIRST = {
    "install": "docs/install.html",
    "own rules": "docs/howto/rules.html",
    "solve": "README.html#solve",
    "misere": "docs/misere.html",
    "period": "docs/heaps.html",
    "自己的规则": "docs/zh/howto/rules.html",
    "求解": "README.zh.html#id2",
}

OTHERS = {
    "games/chomp": "Chomp\n=====\n\nRules\n-----\n\nThe rules of its own.\n",
    "games/kayles": "Kayles\n======\n\nRules\n-----\n\nIts own rules. Solve it.\n",
    "api/labs.scale.disk.solve": "disk.solve\n==========\n\nSolve a graph on disk.\n",
    "api/solution.solve.solve": "solve\n=====\n\nSolve a game by your own rules. Install nothing.\n",
}
"""Pages in place of those that the site makes of the catalogue and of docstrings, which take a minute."""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Return a folder with the documents as a website."""
    source, target = (tmp_path_factory.mktemp("site") / name for name in ("source", "html"))
    runpy.run_path(str(ROOT / "docs" / "make_site.py"))["stage"](source)
    for name, text in OTHERS.items():
        page = source / f"{name}.rst"
        page.parent.mkdir(exist_ok=True)
        page.write_text(text, encoding="utf-8")
    assert build_main(["-b", "html", "-Q", "-c", str(ROOT / "docs"), str(source), str(target)]) == 0
    return target


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_page_that_the_search_shows_first(site, browser):
    tab = browser.new_page()
    first = {}
    for query in FIRST:
        tab.goto(f"{(site / 'search.html').as_uri()}?q={query}")
        tab.wait_for_selector("#search-results ul.search > li a", timeout=60_000)
        tab.wait_for_selector("#search-results h2", timeout=60_000)
        first[query] = tab.get_attribute("#search-results ul.search > li >> nth=0 >> a >> nth=0", "href").partition(
            "?"
        )[0]
    tab.close()
    assert first == FIRST
