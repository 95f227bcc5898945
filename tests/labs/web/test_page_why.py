"""The page in a browser: its reasons are, word for word, those of the terminal."""

import re

import networkx as nx
import pytest

from graphgame import explain, parse_position, solve
from graphgame.solution.results import play_name
from graphgame.text.positions import explain_sum
from graphgame.text.sentences import SENTENCES
from tests.page import chips, needs_chromium, rules

pytestmark = needs_chromium

COLUMNS = re.compile(
    r"\s*(.*\s\s\d+\s\s[01]+|-+|\d+\s\s[01]+|(.*\s\s)?(inf\([\d,]*\)|loony)|\S+\s\s\d+|\d+)",
)

CYCLES = {"a": "b", "b": ["a", "end"], "c": "c", "d": ["c", "end"], "e": "a"}


def plain(text):
    """Return the lines of an explanation without its columns of digits, each sentence that was broken as one."""
    for english in SENTENCES.values():
        if "\n" in english and "{" not in english:
            text = text.replace(english, english.replace("\n", " "))
    text = re.sub(r"(infinite component)\n(can)", r"\1 \2", text)
    return [line.strip() for line in text.split("\n") if line.strip() and not COLUMNS.fullmatch(line)]


def told(visit, solution):
    """Return what the page says of every position and of the sum, and what the package says."""
    visit.select("rules", play_name(solution.misere))
    names = [str(position) for position in solution.graph]
    page = visit.page.evaluate("names => names.map(name => Why.positionText(Game.labels.indexOf(name)))", names)
    return page, [plain(explain(solution, position, depth=0)) for position in solution.graph]


def told_of_sum(visit, solution):
    text = explain(solution, depth=0)
    page = visit.page.evaluate("Why.sumText(Game.tokens)")
    assert len(page) > 1
    return page, plain(text)[: len(page)]


@pytest.mark.parametrize(
    "text", ["kayles(7)", "kayles(4) + nim(3)", "chocolate(4x3)", "take{1,3}(5) + bash{2}(4)", "nim(2)"]
)
def test_positions_of_rules(pages, text):
    graph = parse_position(text).graph(texts=True)
    visit = pages.open(solve(graph))
    for misere in (False, True):
        solution = solve(graph, misere=misere)
        for page, package in (told(visit, solution), told_of_sum(visit, solution)):
            assert page == package


@pytest.mark.parametrize(
    "text",
    [
        "cutting(6x4)",
        "cutting(2x2) + cutting(3x2)",
        "cutting(1x2) + cutting(4x2)",
        "cutting(4x2) + nim(3)",
        "whiteboard{3}(5)",
        "whiteboard{3}(9) + whiteboard{2}(4)",
        "treblecross(5)",
        "treblecross(2) + treblecross(.X..X)",
    ],
)
def test_positions_that_a_move_decides(pages, text):
    graph = parse_position(text).graph(texts=True)
    solution = solve(graph)
    visit = pages.open(solution)
    names = [str(position) for position in graph]
    page = visit.page.evaluate("names => names.map(name => Why.positionText(Game.labels.indexOf(name)))", names)
    assert page == [plain(explain(solution, position, depth=0)) for position in graph]
    page = visit.page.evaluate("Why.sumText(Game.tokens)")
    assert len(page) > 1
    assert page == plain(explain(solution, depth=0))[: len(page)]


def test_tokens_of_a_graph(sample):
    for misere in (False, True):
        solution = chips(misere=misere)
        for page, package in (told(sample, solution), told_of_sum(sample, solution)):
            assert page == package


@pytest.mark.parametrize("tokens", ["db", "dd", "ab", "cd", "e"])
def test_where_play_need_not_end(pages, tokens):
    solution = solve(nx.DiGraph(CYCLES | {"b": ["a", "end"]}), tokens=list(tokens), loopy=True)
    visit = pages.open(solution)
    for page, package in (told(visit, solution), told_of_sum(visit, solution)):
        assert page == package


@pytest.mark.parametrize("tokens", ["aa", "c", "ca", "w", "e", "ee", "ab", "ed", "d"])
def test_where_play_need_not_end_or_a_move_ends_it(pages, tokens):
    graph = nx.DiGraph(CYCLES | {"b": ["a", "end"], "w": ["won"], "e": ["lost", "end"]})
    graph.add_node("won", kind="decided-P")
    graph.add_node("lost", kind="decided-N")
    solution = solve(graph, tokens=list(tokens), loopy=True)
    visit = pages.open(solution)
    names = [str(position) for position in graph]
    page = visit.page.evaluate("names => names.map(name => Why.positionText(Game.labels.indexOf(name)))", names)
    assert page == [plain(explain(solution, position, depth=0)) for position in graph]
    page, package = told_of_sum(visit, solution)
    assert page == package


@pytest.mark.parametrize("heaps", ["3,4,5", "1,2,3", "1,1,1", "1,1", "1,7", "2,3", "0", "0,0", "4,4,1,1"])
def test_nim_is_explained_by_its_rule(pages, heaps):
    position = parse_position(f"nim({heaps})")
    visit = pages.open(**rules(f"nim({heaps})"))
    for misere in (False, True):
        visit.select("rules", play_name(misere))
        page = " ".join(visit.page.evaluate("Why.sumText(Game.tokens)"))
        assert page == " ".join(" ".join(plain(explain_sum(position.under(misere)))).split())


class TestOnTheScreen:
    def test_why_unfolds_and_stays_so(self, sample):
        sample.click("[data-position] .why summary")
        assert sample.texts("[data-position] .why p")[-1] == "an N-position: the move to 5 leaves a P-position"
        sample.choose("3")
        assert sample.texts("[data-position] .why p")[-1] == "an N-position: the move to 5 leaves a P-position"

    def test_the_sum_has_its_reason_in_both_languages(self, sample):
        sample.click("[data-sum] .why summary")
        assert sample.text("[data-sum] .why p") == "first player wins: the nim-sum of the tokens is 3"
        sample.select("language", "zh")
        assert sample.text("[data-sum] .why p") == "先手胜：各棋子的尼姆和为 3"

    def test_a_match_has_its_reason(self, nim):
        nim.click("[data-why] summary")
        assert nim.text("[data-why] p") == "first player wins: the nim-sum is 2"
        assert nim.texts("[data-why] li") == ["component 1: leave 3 xor 2 = 1, so take 2"]
        assert nim.page.locator("[data-why] .xor").count() == 1
