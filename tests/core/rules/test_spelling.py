"""What is not quite in the notation: what it may mean, and how a position is written."""

import pytest

from graphgame import parse_position
from graphgame.errors import ParseError, UnknownGameError
from graphgame.games import CATALOGUE
from graphgame.rules.notation import did_you_mean, how_written


def is_position(text):
    try:
        return bool(parse_position(text).components)
    except (ParseError, UnknownGameError, OSError):
        return False


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("nim 3 4 5", "nim(3,4,5)"),
        ("Nim 3, 4; 5", "nim(3,4,5)"),
        ("nim3,4,5", "nim(3,4,5)"),
        ("nim:3,4", "nim(3,4)"),
        ("nim（3，4）", "nim(3,4)"),
        ("cutting[2x3]", "cutting(2x3)"),
        ("cutting 4x2 + nim[3]", "cutting(4x2) + nim(3)"),
        ("nim(3) + cutting 4x5", "nim(3) + cutting(4x5)"),
    ],
)
def test_what_a_text_means(text, meant):
    assert did_you_mean(text, is_position) == f'did you mean "{meant}"?'


@pytest.mark.parametrize("text", ["game.txt", "folder/nowhere", "a,b", "nim", "", "x" * 10_000, "a+" * 90, "nim(3,x)"])
def test_nothing_comes_near(text):
    assert did_you_mean(text, is_position) == ""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nim(3 4 5)", "but found '3 4 5'; did you mean \"nim(3,4,5)\"?"),
        ("nim(3,4", 'is not closed: expected ); did you mean "nim(3,4)"?'),
        ("nim((3,4,5))", 'did you mean "nim(3,4,5)"?'),
        ("cutting(4x2) nim(3)", 'did you mean "cutting(4x2) + nim(3)"?'),
        ("Nim(3)", "unknown game 'Nim': did you mean nim?"),
        ("nim(-1)", "a heap's size is -1: expected 0 or more\n"),
    ],
)
def test_an_error_asks_what_is_meant(text, message):
    with pytest.raises((ParseError, UnknownGameError)) as caught:
        parse_position(text)
    before, _, after = message.partition(".*")
    assert before in str(caught.value)
    assert after in str(caught.value)


@pytest.mark.parametrize("name", CATALOGUE)
def test_each_example_is_found_from_its_name_and_a_square_bracket(name):
    example = CATALOGUE[name].example
    begin, _, end = example.rpartition("(")
    assert f'"{example}"' in did_you_mean(f"{begin}[{end[:-1]}]", is_position)


def test_a_class_of_rules(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.py").write_text("class Mine(Ruleset):\n    print('is not run')\n")
    for text in ("rules:Mine(3)", "rules.py.Mine(3)", "rules.Mine(3)", "rules.py::Mine(3)"):
        assert did_you_mean(text, is_position) == 'did you mean "rules.py:Mine(3)"?'


def test_how_a_position_is_written():
    assert how_written("wind-up 3") == 'a position of wind-up is written as in "wind-up{7: 1,2,5}(3)"'
    assert how_written("chips") == 'a position is written as in "nim(3,4,5)"'
    assert how_written("chips.txt") == how_written("samples/chips") == ""
