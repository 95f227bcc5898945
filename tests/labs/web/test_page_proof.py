"""The page of a certificate in a browser: the computer wins from the winner's side, whatever the person does."""

import json
from random import Random

import pytest
from click.testing import CliRunner

from graphgame import Search, write_page
from graphgame.cli import main
from graphgame.errors import RulesetError
from graphgame.labs.web.page.document import proof_data
from tests.page import needs_chromium
from tests.site import serving


@needs_chromium
class TestInTheBrowser:
    @pytest.mark.parametrize("text", ["cram(4x4)", "cram(3x4) + *1", "sprouts(5)", "cram(1x6) + *3"])
    @pytest.mark.parametrize("seed", [1, 2])
    def test_the_computer_wins_by_the_certificate(self, text, seed, pages):
        proof = Search(text).certificate()
        visit, random = pages.open(proof, title=text), Random(seed)
        begins = 1 if proof.outcome == "N" else 0
        for turn in range(begins, 40, 2):
            visit.wait_for_move(turn) if turn else None
            if visit.page.locator(".status.lost").count():
                break
            moves = visit.page.locator("[data-move]:not([disabled])")
            moves.nth(random.randrange(moves.count())).dispatch_event("click")
        assert visit.text(".status") == "The computer wins."
        assert visit.texts("[role=tab]") == ["Play", "Explore"]

    def test_a_move_that_leaves_equal_parts_is_made_on_the_board(self, pages):
        visit = pages.open(Search("cram(1x6) + *3").certificate())
        visit.click("[data-key='cell-0-2']")
        visit.click("[data-key='cell-0-3']")
        visit.wait_for_move(2)
        assert visit.text(".status") == "The computer wins."
        assert visit.text("[data-timeline] p") == "✗ marks a mistake: a better outcome was possible. Click to go there."

    def test_what_is_not_known_is_told_so(self, pages):
        visit = pages.open(Search("cram(5x5)").certificate())
        assert visit.text(".verdict") == "Second player wins"
        visit.click("#tab-explore")
        assert visit.text(".verdict") == "Second player wins"
        assert visit.texts("#panel dt") == ["Value"]
        assert set(visit.texts("[data-list=options] .value")) == {"?"}
        assert set(visit.texts("[data-list=options] .badge")) == {"N"}
        assert visit.page.locator("[data-key=play-here], [data-key=rules]").count() == 0

    def test_options_and_predecessors_that_the_page_lacks_are_not_denied(self, pages):
        visit = pages.open(Search("chomp(3x4) + chomp(2x3)").certificate())
        visit.click("#tab-explore")
        assert visit.texts("[data-sum] p") == ["not on this page"]
        visit.page.locator("[type=search]").fill("3,3")
        visit.click("[data-list=found] [data-entry]")
        assert visit.texts("[data-position] > p.quiet") == ["not on this page"]
        visit.page.locator("[type=search]").fill("4,4,4")
        visit.click("[data-list=found] [data-entry]")
        assert visit.texts("[data-position] > p.quiet") == ["not on this page"]

    def test_the_site_shows_it(self, browser, tmp_path):
        Search("cram(4x4)").certificate().write(tmp_path / "proof.json")
        with serving(tmp_path, "proof.json") as site:
            page = browser.new_page()
            page.goto(f"{site.address}?position=proof.json")
            assert page.locator("[data-proof]").count() == 1
            page.close()


class TestDrawing:
    def test_a_certificate_is_drawn_as_a_page(self, tmp_path):
        path, drawn = tmp_path / "proof.json", tmp_path / "page.html"
        for command in (["search", "cram(3x4)", "--certificate", str(path)], ["draw", str(path), "-o", str(drawn)]):
            assert CliRunner().invoke(main, command).exit_code == 0
        data = json.loads(drawn.read_text().partition('type="application/json">')[2].partition("</script>")[0])
        assert (data["proof"], data["title"]) == ("N", "cram(3x4)")
        assert None in data["plays"]["normal"]["values"]

    @pytest.mark.parametrize(
        "more",
        [["-o", "x.svg"], *(["-o", "x.html", *more] for more in (["--misere"], ["--merge"], ["--theme", "dark"]))],
    )
    def test_it_is_drawn_whole(self, more, tmp_path):
        path = tmp_path / "proof.json"
        Search("cram(3x4)").certificate().write(path)
        result = CliRunner().invoke(main, ["draw", str(path), *more])
        assert (result.exit_code, "only as a page of the whole game" in result.output) == (2, True)

    def test_pairs_of_equal_components_are_left_out(self):
        data = proof_data(Search(" + ".join(["cram(3x4)"] * 3)).certificate())
        assert [data["labels"][token] for token in data["tokens"]] == ["..../..../...."]

    def test_a_wrong_one_is_refused(self, tmp_path):
        proof = Search("cram(3x4)").certificate()
        with pytest.raises(RulesetError, match="the certificate proves nothing"):
            write_page(type(proof)(proof.position, "P", None, proof.games), tmp_path / "page.html")
