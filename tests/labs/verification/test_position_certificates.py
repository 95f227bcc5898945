"""Certificates of searches: small, right, refused where a value is wrong, and a guide for the winner."""

import json
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import Position, Ruleset, Search, parse_position
from graphgame.cli import main
from graphgame.errors import ParameterError, ParseError
from graphgame.labs.verification.position_certificates import (
    ByCertificate,
    PositionCertificate,
    read_position_certificate,
)
from graphgame.play import Match, legal_moves
from graphgame.rules.ruleset import Component
from tests.labs.search.test_search import positions
from tests.notations import graph_value


def run(*arguments, code=0, typed=""):
    result = CliRunner().invoke(main, [*map(str, arguments)], input=typed, catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.stderr if code else result.stdout


@given(st.lists(positions, min_size=1, max_size=2), st.booleans())
@settings(max_examples=25, deadline=None)
def test_what_is_listed_is_right(texts, value):
    position = parse_position(" + ".join(texts))
    certificate = Search(position).certificate(value=value)
    assert certificate.fault(position) is None
    assert certificate.value in (None, *([position.grundy] if value else ()))
    assert certificate.outcome == position.outcome
    for name, rows in certificate.games:
        for text, listed in rows:
            assert graph_value(f"{name}({text})") == listed


@pytest.mark.parametrize(("text", "most"), [("cram(5x5)", 118), ("cram(4x6)", 71), ("sprouts(5)", 45)])
def test_small(text, most):
    search = Search(text)
    assert 0 < len(search.certificate()) <= most < max(search.visited, 100) * 2


@pytest.mark.parametrize(("text", "most"), [("cram(5x6)", 56), ("cram(4x8)", 449)])
def test_small_where_a_theorem_tells_the_winner(text, most):
    certificate = Search(text).certificate()
    assert 0 < len(certificate) <= most
    assert certificate.fault(parse_position(text)) is None


def test_after_the_value_was_asked_for():
    search = Search("sprouts(0.ab/ab.cd/cd!)")
    assert search.grundy == 1
    assert search.certificate().fault(search.position) is None


@pytest.mark.parametrize("text", ["cram(3x4)", "cram(3x5) + *1", "sprouts(3)", "chomp(3x3)", "nim(0)"])
def test_every_other_value_is_refused(text):
    position = parse_position(text)
    whole = Search(position).certificate(value=True)
    for game, (name, rows) in enumerate(whole.games):
        for place, (listed, value) in enumerate(rows):
            for wrong in {0, 1, 2, value + 1} - {value}:
                changed = [*rows[:place], (listed, wrong), *rows[place + 1 :]]
                games = [*whole.games[:game], (name, changed), *whole.games[game + 1 :]]
                assert replace(whole, games=games).fault(position) is not None


def test_a_value_that_the_answer_needs_may_not_lack():
    position = parse_position("cram(4x5)")
    whole = Search(position).certificate(value=True)
    ((name, rows),) = whole.games
    lacking = [replace(whole, games=[(name, rows[:place] + rows[place + 1 :])]) for place in range(len(rows))]
    assert sum(each.fault(position) is None for each in lacking) <= len(rows) // 10
    assert replace(whole, outcome="P").fault(position) == f"the listed values do not prove that '{whole.position}' is P"
    assert replace(whole, value=3).fault(position) == f"the listed values do not give '{whole.position}' the value 3"


@pytest.mark.parametrize("text", ["cram(4x5)", "cram(5x5)", "sprouts(4)", "sprouts(3) + cram(3x3)"])
@pytest.mark.parametrize("seed", range(3))
def test_the_winner_wins_by_it(text, seed):
    position = parse_position(text)
    guide = ByCertificate(Search(position).certificate(), position)
    match, winner, chance = Match(position), Search(position).winner, Random(seed)
    while match.winner is None:
        mine = match.mover == winner
        assert guide.verdict(match.position).outcome == ("N" if mine else "P")
        match.move(guide.best_move(match.position) if mine else chance.choice(list(legal_moves(match.position))))
    assert match.winner == winner


def test_file(tmp_path):
    path = tmp_path / "cram.json"
    assert run("search", "cram(4x5)", "--value", "--certificate", path).startswith("first player wins: value 2\n")
    assert read_position_certificate(path).value == 2
    right = "right: the values of 122 positions, enough to prove who wins; first player wins: value 2\n"
    assert run("verify", path) == run("verify", "cram(5x4)", path) == right
    wrong = CliRunner().invoke(main, ["verify", "cram(3x4)", str(path)])
    assert (wrong.exit_code, wrong.stdout) == (2, "wrong: the listed values do not give 'cram(4x5)' the value 2\n")
    assert "is about" in run("verify", "kayles(3)", path, code=2)
    assert "leave out --misere" in run("play", "--certificate", path, "--misere", code=2)
    assert "leave out --misere" in run("verify", "cram(4x5)", path, "--misere", code=2)


def test_a_board_without_a_move_left(tmp_path):
    path = tmp_path / "chomp.json"
    assert run("search", "chomp(10x10)", "--certificate", path).startswith("first player wins")
    assert run("verify", path).startswith("right: the values of 10 positions")


def test_the_end_of_play():
    start, end = parse_position("treblecross(6)"), parse_position("treblecross(XXX...)")
    adviser = ByCertificate(Search(start).certificate(), start)
    assert (adviser.verdict(end).outcome, adviser.best_move(end)) == ("P", None)


@pytest.mark.parametrize(("text", "outcome"), [("treblecross(XXX)", "P"), ("treblecross(XX.)", "N")])
def test_a_decisive_position_has_no_value(text, outcome):
    position = parse_position(text)
    assert PositionCertificate(text, outcome, None, []).fault(position) is None
    assert "wrong outcome or value" in PositionCertificate(text, outcome, 5, []).fault(position)
    assert "is listed with" in PositionCertificate(text, outcome, None, [("treblecross", [("X..", 7)])]).fault(position)


@pytest.mark.parametrize("games", [[], [("wind-up{5:1,3}", [])]])
def test_equal_positions_of_play_without_end_do_not_cancel(games):
    text = "wind-up{5:1,3}(1) + wind-up{5:1,3}(1)"  # a draw
    with pytest.raises(ParameterError, match="may repeat a position: a certificate needs play that ends"):
        PositionCertificate(text, "P", 0, games).fault(parse_position(text))


def test_damaged_and_foreign(tmp_path):
    path = tmp_path / "proof.json"
    certificate = Search("cram(3x4)").certificate()
    certificate.write(path)
    record = json.loads(path.read_text())
    path.write_text(json.dumps(record | {"outcome": "P"}))
    with pytest.raises(ParseError, match="damaged"):
        read_position_certificate(path)
    with pytest.raises(ParameterError, match="is about"):
        certificate.fault(parse_position("kayles(3)"))
    two = PositionCertificate("nim(1,1)", "P", 0, [("nim", [("1,1", 0)])])
    with pytest.raises(ParameterError, match="not a single position"):
        two.fault(parse_position("nim(1,1)"))


def test_rules_of_ones_own(tmp_path):
    (tmp_path / "mine.py").write_text(
        "from graphgame import Ruleset\nclass Pins(Ruleset):\n"
        "    def options(self, row):\n        return [row - hit for hit in (1, 2) if hit <= row]\n"
    )
    source, path = f"{tmp_path}/mine.py:Pins(70)", tmp_path / "pins.json"
    run("search", source, "--certificate", path)
    for command in (["verify", path], ["play", "--certificate", path]):
        assert "names rules in Python, which graphgame runs only if you name them" in run(*command, code=2)
    assert run("verify", source, path).startswith("right: the values of")


def test_play(tmp_path):
    path = tmp_path / "cram.json"
    run("search", "cram(4x5)", "--certificate", path)
    typed = "hint\nwhy\n" + "1\n" * 6
    lines = run("play", "--certificate", path, typed=typed)
    assert run("play", path, typed=typed) == lines
    assert "means the player to move now" in lines
    assert "every move loses against perfect play" in lines
    assert lines.endswith("first player wins after 9 moves: the computer wins\n")
    lines = run("play", "--certificate", path, "--first", "person", "--second", "person", typed="1\nhint\n", code=2)
    assert "the winning side did not play the certificate's moves" in lines


RULES = """
from graphgame import Ruleset, Sum


class Take(Ruleset):
    def options(self, heap):
        return range(max(0, heap - 3), heap)

    def canonical(self, heap):
        return {images}.get(heap, heap)


class Row(Ruleset):
    def options(self, row):
        for hit in (1, 2):
            for left in range(len(row) - hit + 1):
                yield Sum([part for part in (row[:left], row[left + hit :]) if part])

    def canonical(self, row):
        return {image}

    def parse(self, text):
        return text

    def format(self, row):
        return row
"""


class Take(Ruleset):
    """Take 1 to 3, where some heap is said to be the same as another."""

    def __init__(self, images):
        self.images = images

    def options(self, heap):
        return range(max(0, heap - 3), heap)

    def canonical(self, heap):
        return self.images.get(heap, heap)


@pytest.mark.parametrize(("heap", "image"), [(5, 5), *combinations(range(7, -1, -1), 2)])
def test_a_wrong_canonical_proves_no_wrong_winner(heap, image):
    for start in range(11):
        position = Position([Component("take", Take({heap: image}), start)])
        certificate = Search(position).certificate()
        fault = certificate.fault(position)
        right = certificate.outcome == ("N" if start % 4 else "P")
        assert right or fault
        assert heap != image or not fault


def test_the_command_refuses_a_wrong_winner_by_the_rules_of_a_file(tmp_path):
    (tmp_path / "own.py").write_text(RULES.format(images={5: 4}, image="row"))
    text, path = f"{tmp_path / 'own.py'}:Take(5)", tmp_path / "certificate.json"
    assert "second player wins" in run("search", text, "--certificate", path)
    checked = CliRunner().invoke(main, ["verify", text, str(path)])
    assert (checked.exit_code, checked.stdout) == (
        2,
        "wrong: '5' is listed with the value 0, but the option '4' may have this value too\n",
    )


@pytest.mark.parametrize(
    ("image", "told"),
    [
        ("min(row, row[::-1])", None),
        ("''.join(sorted(row))", None),  # only how long a row is matters
        ("'a' * len(row)", None),
        ("'a' * min(len(row), 3)", "have different options, or only one of them is loony"),
    ],
)
def test_positions_that_cancel_by_symmetry_are_compared_to_the_end(tmp_path, image, told):
    (tmp_path / "own.py").write_text(RULES.format(images={}, image=image))
    name = f"{tmp_path / 'own.py'}:Row"
    text = f"{name}(abcdefg) + {name}({'abcd' if told else 'gfedcba'})"
    fault = PositionCertificate(text, "P", 0, [(name, [])]).fault(parse_position(text, run_rules=True))
    assert fault is None if told is None else told in fault
