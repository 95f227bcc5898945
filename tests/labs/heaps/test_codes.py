"""Codes with the marks, braces and brackets of CGSuite: options and values by their definition, and texts."""

from functools import cache

import pytest

from graphgame.errors import ParseError
from graphgame.labs import heaps
from graphgame.rules.notation import parse_position
from tests.brute import least_missing
from tests.notations import check_round_trip, one_move_further

ALLOWED = {
    "4.0": lambda taken, parts: taken == 0 and len(parts) == 2,
    "4!.0": lambda taken, parts: taken == 0 and len(parts) == 2 and unequal(parts),
    "8!.0": lambda taken, parts: taken == 0 and len(parts) == 3 and unequal(parts),
    "8?.0": lambda taken, parts: taken == 0 and len(parts) == 3 and not equal(parts),
    "80.0": lambda taken, parts: taken == -1 and len(parts) == 3,
    "G00.0": lambda taken, parts: taken == -2 and len(parts) == 4,
    "{2+}.0": lambda taken, parts: taken == 0 and len(parts) > 1,
    "{2+}!.0": lambda taken, parts: taken == 0 and len(parts) > 1 and unequal(parts),
    "{2+}=.0": lambda taken, parts: taken == 0 and len(parts) > 1 and equal(parts),
    "{2!,3=}.0": lambda taken, parts: (
        taken == 0 and ((len(parts), unequal(parts)) == (2, True) or (len(parts) == 3 and equal(parts)))
    ),
    "{2,4}=.0": lambda taken, parts: taken == 0 and len(parts) in (2, 4) and equal(parts),
    "4.[3]": lambda taken, parts: (taken == 0 and len(parts) == 2) or (taken > 0 and len(parts) < 2),
    "4.7[3]": lambda taken, parts: (taken in (0, 1) and len(parts) == 2) or (taken > 0 and len(parts) < 2),
    "0.[3]": lambda taken, parts: taken > 0 and len(parts) < 2,
    "0.[2]": lambda taken, parts: taken > 0 and len(parts) == 1,
    "0.303[3]": lambda taken, parts: taken > 0 and taken != 2 and len(parts) < 2,
    "0.[30]": lambda taken, parts: taken % 2 == 1 and taken > 0 and len(parts) < 2,
    "0.[37]": lambda taken, parts: taken > 0 and len(parts) < 2 + (taken % 2 == 0),
    "0.[37!]": lambda taken, parts: taken > 0 and len(parts) < 2 + (taken % 2 == 0) and unequal(parts),
    "0.[*=]": lambda taken, parts: taken > 0 and equal(parts),
    "0.*": lambda taken, parts: taken == 1,
    "0.*?3": lambda taken, parts: (
        (taken == 1 and (len(parts) < 2 or not equal(parts))) or (taken == 2 and len(parts) < 2)
    ),
    "0.{2,3}": lambda taken, parts: taken == 1 and len(parts) in (2, 3),
    "0.{1,2!,3=}": lambda taken, parts: (
        taken == 1 and (len(parts) == 1 or (len(parts) == 2 and unequal(parts)) or (len(parts) == 3 and equal(parts)))
    ),
    "0.07!": lambda taken, parts: taken == 2 and len(parts) < 3 and unequal(parts),
}
"""Code -> whether one may take so many and leave these heaps; what is taken may be less than nothing."""


def equal(parts):
    return len(set(parts)) < 2


def unequal(parts):
    return len(set(parts)) == len(parts)


def partitions(total, least=1):
    """Yield the heaps that make a total, in increasing order."""
    yield from [()] if total == 0 else ()
    for first in range(least, total + 1):
        for rest in partitions(total - first, first):
            yield first, *rest


def left_of(code, heap):
    """Return what a code allows to leave of a heap, straight from the definition of its digits."""
    return {parts for taken in range(-2, heap + 1) for parts in partitions(heap - taken) if ALLOWED[code](taken, parts)}


@pytest.mark.parametrize("code", ALLOWED)
class TestByDefinition:
    def test_options(self, code):
        for heap in range(9):
            options = list(heaps.game(code).options(heap))
            assert one_move_further(heaps.game(code), heap) == left_of(code, heap)
            assert len(options) == len(set(options)), "an option is listed once"

    @pytest.mark.parametrize("engine", ["plain", "compiled"])
    def test_values(self, code, engine):
        @cache
        def value(heap):
            return least_missing({nim_sum(map(value, parts)) for parts in left_of(code, heap)})

        assert heaps.game(code).grundy_values(12, engine=engine).tolist() == [value(heap) for heap in range(13)]

    def test_text(self, code):
        assert heaps.game(heaps.game(code).name).name == heaps.game(code).name
        check_round_trip(f"code{{{code}}}(7,3)")


def nim_sum(values):
    total = 0
    for value in values:
        total ^= value
    return total


@pytest.mark.parametrize(
    ("code", "same"),
    [
        ("4!.0", "grundy"),
        ("4.[3]", "lasker"),
        ("0.[30]", "take{odd}"),
        ("0.[03]", "take{even}"),
        ("0.3003330[3]", "take{not 2,3,7}"),
        ("{2+}=.0", "split{equal}"),
        ("C=.0", "split{2..3 equal}"),
        ("C.0", "split{2..3}"),
        ("C!.0", "split{2..3 unequal}"),
        ("O?.0", "split{3..4 not all equal}"),
        ("0.{2,3}", "0.C"),
    ],
)
def test_two_ways_to_say_it(code, same):
    assert heaps.game(code).grundy_values(100).tolist() == heaps.game(same).grundy_values(100).tolist()


@pytest.mark.parametrize(
    ("code", "preperiod", "period", "saltus"),
    [("0.[3]", 0, 1, 1), ("4.[3]", 1, 4, 4), ("0.3003330[3]", 0, 4, 2), ("0.7[3]", 0, 1, 1)],
)
def test_periods_of_codes_that_never_end(code, preperiod, period, saltus):
    found = heaps.game(code).period(200)
    assert (found.preperiod, found.period, found.saltus) == (preperiod, period, saltus)
    assert heaps.game(code).holds(found)


@pytest.mark.parametrize("code", ["0.[37]", "{2+}!.0", "80.0", "0.[30]", "4!.0"])
def test_no_period_is_claimed_without_a_theorem(code):
    assert not heaps.game(code).provable
    assert heaps.game(code).period(60) is None


def test_large_heaps_by_the_period():
    position = parse_position("lasker(1000000000000000001,1000000000000000003) + code{4.[3]}(3)")
    assert position.grundy == (10**18 + 1) ^ (10**18 + 4) ^ 4 == 1
    assert [str(move.end) for move in position.first_winning_moves(1)[0]] == ["lasker(999999999999999999)"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("04.30", "octal{4.3}"),
        ("04.00[30]", "octal{4.00[30]}"),
        ("00.3[00]", "octal{0.3}"),
        ("0.{1,2!}", "octal{0.6!}"),
        ("0.{0!,2!,3!}", "code{0.D!}"),
        ("0.{0!,2!,3}", "code{0.{0,2!,3}}"),
        ("0.{0!,2!,3!+}", "code{0.{0,2+}!}"),
        ("0.{0!,2,3!+}", "code{0.{0,2,3!+}}"),
        ("0.{0,1,2!+}", "code{0.*!}"),
        ("0.{0,1!,2+}", "code{0.*}"),
        ("{6}.0", "code{{6}.0}"),
        ("0.3!", "octal{0.3}"),
    ],
)
def test_names(text, shown):
    assert heaps.game(text).name == shown


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        (
            "20.017",
            1,
            "a digit before the point adds 1 to the heap: expected a digit that leaves 3 heaps or more, so that all of "
            "them are smaller",
        ),
        (
            "{3+}00.0",
            1,
            "a digit before the point adds 2 to the heap: expected a digit that leaves 4 heaps or more, so that all of "
            "them are smaller",
        ),
        ("0.[3", 3, "'[' is not a digit of this code"),
        ("0.3]", 4, "']' is not a digit of this code"),
        ("0.[]", 1, "expected a code with a point and digits, such as 0.77 or 4.0"),
        ("0.[3]3", 3, "'[' is not a digit of this code"),
        ("0.[0]", 3, "the code has no move"),
        ("0.{3,2}", 4, "expected the numbers of heaps in increasing order, such as 2,3"),
        (
            "0.{2,3!}!",
            7,
            "the code has one mark (!, ? or =) inside the braces and another mark after them: expected only one mark",
        ),
        ("0.{31}", 4, "the number of heaps is 31: expected 0..30"),
        ("0.{x}", 4, "expected an integer, the number of heaps, but found 'x'"),
        ("0.{2", 3, "'{' is not a digit of this code"),
        ("0.!3", 3, "'!' is not a digit of this code"),
        ("octal{0.{3}}", 9, "'{3}' is not a digit of this code: expected 0..7, or code{...} for digits up to V"),
        ("C.77(5)", 5, "'(' is not a digit of this code"),
        ("take{1} + 0.7", 9, "expected a game without a heap or a sum"),
        ("code{0.{2,3}", 5, "expected a game without a heap or a sum, such as grundy or take{1,3}"),
    ],
)
def test_bad_codes(text, column, message):
    with pytest.raises(ParseError, match="1:") as caught:
        heaps.game(text)
    assert (caught.value.column, message in caught.value.message) == (column, True), caught.value.message


def test_a_letter_before_the_point_and_braces_after_it():
    assert heaps.game("C.{2,3}").grundy_values(12).tolist() == heaps.code("C.C").grundy_values(12).tolist()
    assert heaps.game("C!.2{1+}").grundy_values(12).tolist() == heaps.code("C!.2{1+}").grundy_values(12).tolist()


def test_moves_that_add_to_a_heap_do_not_change_its_picture():
    assert heaps.code("80.0").ways(5) is None
    assert [len(way.after) for way in heaps.code("8.0").ways(5)] == [5, 5]
