"""Games that only split heaps: their values, their moves and how they are written."""

from itertools import combinations

import numpy as np
import pytest

from graphgame.labs import heaps
from graphgame.labs.heaps.games import Split
from graphgame.rules.notation import parse_position
from tests.notations import check_example, check_round_trip, fault


def odd_prime_factors(number):
    return (
        0
        if number < 3
        else next((1 + odd_prime_factors(number // p) for p in range(3, number + 1, 2) if number % p == 0), 0)
    )


class TestSplits:
    def test_equal_heaps(self):
        """The value counts the odd prime factors, and 1 more where the heap is even."""
        values = heaps.split(2, None, "equal").grundy_values(2000)
        assert values[1:].tolist() == [odd_prime_factors(n) + (n % 2 == 0) for n in range(1, 2001)]

    def test_couples_are_officers_shifted(self):
        """OEIS A046695."""
        assert heaps.couples().grundy_values(3001)[1:].tolist() == heaps.octal("0.6").grundy_values(3000).tolist()

    def test_the_name_tells_the_least_number_of_equal_heaps(self):
        game = heaps.split(3, None, "equal")
        assert game.name == "split{3.. equal}"
        assert np.array_equal(heaps.game(game.name).grundy_values(60), game.grundy_values(60))

    def test_unequal_is_grundys_game(self):
        assert np.array_equal(heaps.game("split{unequal}").grundy_values(500), heaps.grundy_game().grundy_values(500))

    @pytest.mark.parametrize("parts", [2, 3, 4])
    def test_unequal_heaps(self, parts):
        for heap in range(26):
            assert list(Split(2, parts, "unequal").options(heap)) == [
                sizes
                for count in range(2, parts + 1)
                for sizes in combinations(range(1, heap + 1), count)
                if sum(sizes) == heap
            ]

    @pytest.mark.parametrize("text", ["split{2..3 unequal}", "split{4 unequal}", "split{2..3 not all equal}"])
    def test_engines_agree(self, text):
        game = heaps.game(text)
        assert np.array_equal(game.grundy_values(60, engine="plain"), game.grundy_values(60, engine="compiled"))

    def test_couples_have_no_period(self):
        assert heaps.couples().period(3000) is None

    @pytest.mark.parametrize("name", ["couples", "split", "officers", "guiles"])
    def test_catalogue(self, name):
        check_example(name)

    @pytest.mark.parametrize(
        "text",
        ["couples(9,4)", "split{unequal}(8)", "split{3 unequal}(9)", "split{2..3 not all equal}(9)", "officers(7)"],
    )
    def test_round_trip(self, text):
        check_round_trip(text)

    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("split{ 2 }(9)", "split{2}(9)"),
            ("split{2 not all equal}(9)", "split{unequal}(9)"),
            ("split{2..3 unequal}(9)", "split{2..3 unequal}(9)"),
            ("split{3..3}(9)", "split{3}(9)"),
            ("split{3 .. equal}(9)", "split{3.. equal}(9)"),
            ("split{2.. equal}(9)", "split{equal}(9)"),
        ],
    )
    def test_text(self, text, shown):
        assert str(parse_position(text)) == shown

    @pytest.mark.parametrize(
        ("text", "column", "message"),
        [
            (
                "split{}(9)",
                7,
                "expected the number of heaps, their sizes or both, such as 2..3, unequal, equal or 2..3 not all equal",
            ),
            (
                "split{even}(9)",
                7,
                "expected the number of heaps, their sizes or both, such as 2..3, unequal, equal or 2..3 not all equal",
            ),
            (
                "split{2..5 unequal}(9)",
                7,
                "a move cannot leave 2..5 heaps: expected 2 to 4, with the smaller number first",
            ),
            ("split{2..5}(9)", 7, "a move cannot leave 2..5 heaps: expected 2 to 4, with the smaller number first"),
            (
                "split{3..2 equal}(9)",
                7,
                "a move cannot leave 3..2 heaps: expected 2 or more, with the smaller number first",
            ),
            (
                "split{2..}(9)",
                7,
                "expected the number of heaps, their sizes or both, such as 2..3, unequal, equal or 2..3 not all equal",
            ),
            ("split{1}(9)", 7, "a move cannot leave 1..1 heaps: expected 2 to 4, with the smaller number first"),
            ("couples{2}(3)", 9, "unexpected arguments: Couples takes none"),
        ],
    )
    def test_bad_text(self, text, column, message):
        assert fault(text) == (column, message)
