"""How positions of one-heap games are written, and what is wrong in a text of one."""

import re

import pytest

from graphgame import parse_position
from graphgame.errors import ParseError
from graphgame.rules.notation import did_you_mean, how_written
from tests.core.rules.test_spelling import is_position


@pytest.mark.parametrize(
    ("text", "shown", "value"),
    [
        ("take{1,2,3}(10) + take{odd}(7) + nim(5)", "take{1,2,3}(10) + take{odd}(7) + nim(5)", 2 ^ 1 ^ 5),
        ("take{not 2}(4)", "take{not 2}(4)", 2),
        ("take{1..3}(7)", "take{1,2,3}(7)", 3),
        ("bash{3}(10)", "bash{3}(10)", 2),
    ],
)
def test_value(text, shown, value):
    position = parse_position(text)
    assert (str(position), position.grundy) == (shown, value)
    assert str(parse_position(shown)) == shown


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        (f"take{{{'7' * 3_000}..1}}(3)", 6, "expected 1..1000000"),
        (f"hackenbush(0-1,2-{'7' * 20_000})", 16, "the edge '2-777"),
        ("take{1,0}(4)", 8, "the size of a move is 0: expected 1..1000000"),
        ("take{}(4)", 6, "expected the numbers that may be taken, such as 1,3,4 or odd"),
        ("take{1,3(5)", 5, "the bracket { is not closed: expected }"),
        ("take{1,3,4}", 12, "expected a position in parentheses"),
        ("nim(3) + kaylse(3)", 10, "unknown game 'kaylse': did you mean kayles"),
        ("bash(5)", 5, "bash needs braces, as in bash{3}(10)"),
        ("nim(1) + take (5)", 14, "take needs braces, as in take{1,3,4}(10): expected the numbers that may be taken"),
        ("bash(3,10)", 5, 'did you mean "bash{3}(10)"?'),
        ("kayles(5) nim(3)", 11, 'did you mean "kayles(5) + nim(3)"?'),
    ],
)
def test_errors_point_at_the_place(text, column, message):
    with pytest.raises(ParseError, match=re.escape(message)) as caught:
        parse_position(text)
    assert caught.value.column == column


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("kayles[5]", "kayles(5)"),
        ("kayles 5 + nim[3]", "kayles(5) + nim(3)"),
        ("nim(3) + kayles 4", "nim(3) + kayles(4)"),
        ("dawson 7", 'dawson-chess(7)" or "dawson-kayles(7)'),
        ("grundy's game(5)", "grundy(5)"),
        ("fibonacci nim 13", "fibonacci(13)"),
        ("bash 3 12", "bash{3}(12)"),
        ("take 1,3 10", "take{1,3}(10)"),
        ("moore 2 3 4 5", "moore{2}(3,4,5)"),
        ("0.77(5)", "octal{0.77}(5)"),
        ("chomp 3x4", "chomp(3x4)"),
    ],
)
def test_what_a_text_means(text, meant):
    assert did_you_mean(text, is_position) == f'did you mean "{meant}"?'


def test_how_a_position_is_written():
    assert how_written("octal 0.77") == 'a position of octal is written as in "octal{0.77}(20)"'
    assert how_written("0.77") == 'a heap of octal{0.77} is written as in "octal{0.77}(20)"'
    assert how_written("3.5") == 'a position is written as in "nim(3,4,5)"'  # 3 is no digit before the point
