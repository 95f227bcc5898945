"""Values of one-heap games: against published tables, the explicit graph, and every move tried."""

from math import isqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame.errors import LimitError, ParameterError, ParseError, RulesetError
from graphgame.labs import heaps
from graphgame.labs.heaps import sparse
from graphgame.labs.heaps.rules import Growing, TakeAndBreak
from graphgame.labs.heaps.sparse import SparseSpace, choose_space
from graphgame.labs.heaps.values import Run
from tests.notations import graph_values, table

PUBLISHED = {game: record for game, record in table("octal-normal").items() if "values_0_60" in record["expected"]}
LARGEST = {game: record for game, record in PUBLISHED.items() if "largest_value" in record["expected"]}
OEIS = table("oeis-octal")
SUBTRACTION = table("subtraction")

octal_codes = st.builds("{}.{}".format, st.sampled_from("04"), st.text("01234567", min_size=1, max_size=4)).filter(
    lambda code: set(code) - set("0.")
)
long_codes = st.builds("{}.{}".format, st.sampled_from("08C"), st.text("0123478F", min_size=1, max_size=3)).filter(
    lambda code: set(code) - set("0.")
)
codes_without_splits = st.builds(
    "0.{}".format, st.text("0123", min_size=1, max_size=6).filter(lambda code: set(code) - {"0"})
)
some_amounts = st.sets(st.integers(1, 12), max_size=5)


class TestPublished:
    @pytest.mark.parametrize("game", PUBLISHED)
    def test_heaps_0_to_60(self, game):
        record = PUBLISHED[game]
        assert heaps.octal(record["input"]["code"]).grundy_values(60).tolist() == record["expected"]["values_0_60"]

    @pytest.mark.parametrize("game", OEIS)
    def test_oeis(self, game):
        record = OEIS[game]
        first, expected = record["input"]["first_heap"], record["expected"]["values"]
        values = heaps.octal(record["input"]["code"]).grundy_values(first + len(expected) - 1)
        assert values[first:].tolist() == expected

    @pytest.mark.parametrize("game", [game for game in LARGEST if LARGEST[game]["expected"]["largest_idx"] < 100_000])
    def test_largest_value(self, game):
        expected = LARGEST[game]["expected"]
        values = heaps.octal(game).grundy_values(max(1000, expected["largest_idx"] * 2), engine="compiled")
        assert (values.max(), values.argmax()) == (expected["largest_value"], expected["largest_idx"])

    def test_grundys_game(self):
        expected = table("oeis-heaps")["Grundy's game"]["expected"]
        assert heaps.grundy_game().grundy_values(len(expected) - 1).tolist() == expected

    def test_three_heaps(self):
        assert (
            heaps.code("0.3F").grundy_values(20)[1:].tolist()
            == (table("hex-arithmetic-periodic")["0.3F"]["expected"]["values"])
        )

    def test_squares(self):
        """OEIS A014586, to heap 33."""
        game = heaps.subtraction(lambda amount: isqrt(amount) ** 2 == amount)
        published = "0101201012010120101201012323453234"
        assert "".join(map(str, game.grundy_values(33).tolist())) == published

    def test_all_but(self):
        assert (
            heaps.game("take{not 2,3,7}").grundy_values(20)[1:].tolist() == (SUBTRACTION["all-but {2,3,7}"]["expected"])
        )

    def test_codes_that_differ_late(self):
        """Some tables print 0.161 and 0.36 as one game."""
        one, other = (heaps.octal(code).grundy_values(600) for code in ("0.161", "0.36"))
        assert np.flatnonzero(one != other)[0] == 519

    def test_misprinted_equivalence(self):
        same = table("octal-equivalence")["0.27 vs 0.26"]["expected"]
        values = heaps.octal("0.27").grundy_values(500)
        assert np.array_equal(values, heaps.octal(same["same_as"]).grundy_values(500))
        assert not np.array_equal(values, heaps.octal(same["different_from"]).grundy_values(500))


class TestAgainstEveryMove:
    @settings(max_examples=60)
    @given(octal_codes, st.integers(0, 2500))
    def test_octal(self, code, n):
        game = heaps.octal(code)
        dense = game.grundy_values(n, method="dense", engine="compiled")
        assert np.array_equal(game.grundy_values(n, engine="compiled"), dense)

    @pytest.mark.parametrize(
        "code", ["0.044", "0.045", "0.6", "0.07", "4.0", "0.007", "0.127", "4.444", "0.04", "0.77"]
    )
    def test_far_heaps(self, code):
        game = heaps.octal(code)
        dense = game.grundy_values(12_000, method="dense", engine="compiled")
        assert np.array_equal(game.grundy_values(12_000, engine="compiled"), dense)

    @pytest.mark.parametrize("text", ["grundy", "couples"])
    def test_splits_alone(self, text):
        game = heaps.game(text)
        dense = game.grundy_values(8000, method="dense", engine="compiled")
        assert np.array_equal(game.grundy_values(8000, engine="compiled"), dense)

    @given(some_amounts, st.integers(0, 300))
    def test_all_but(self, excluded, n):
        game = heaps.subtraction(excluded=excluded)
        assert np.array_equal(game.grundy_values(n), game.grundy_values(n, method="dense"))

    @given(some_amounts, some_amounts, st.sampled_from(["odd", "even", None]))
    def test_subtraction(self, amounts, excluded, word):
        allowed = {"odd": range(1, 60, 2), "even": range(2, 60, 2), None: amounts}[word]
        slow = heaps.rule(lambda n: [n - k for k in set(allowed) - excluded if k <= n])
        assert np.array_equal(heaps.subtraction(word or amounts, excluded).grundy_values(59), slow.grundy_values(59))

    @pytest.mark.parametrize("engine", ["plain", "compiled"])
    @given(st.one_of(some_amounts.map(heaps.subtraction), codes_without_splits.map(heaps.octal)), st.integers(0, 300))
    def test_p_heaps(self, engine, game, n):
        assert game.p_heaps(n, engine=engine).tolist() == np.flatnonzero(game.grundy_values(n) == 0).tolist()

    @pytest.mark.parametrize(
        "text", ["take{odd}", "take{not 2,5}", "grundy", "kayles", "lasker", "split{equal}", "0.3F"]
    )
    def test_p_heaps_by_values(self, text):
        game = heaps.game(text)
        assert game.p_heaps(50).tolist() == np.flatnonzero(game.grundy_values(50) == 0).tolist()


class TestAgainstTheGraph:
    @settings(max_examples=15)
    @given(octal_codes | long_codes)
    def test_codes(self, code):
        game = heaps.code(code)
        found = graph_values(game.ruleset, *range(16))
        assert game.grundy_values(15).tolist() == [found[heap] for heap in range(16)]

    @pytest.mark.parametrize(
        "text",
        [
            "grundy",
            "lasker",
            "kayles",
            "officers",
            "guiles",
            "couples",
            "take{1,4}",
            "take{even}",
            "take{not 2}",
            "split{2}",
            "split{unequal}",
            "split{equal}",
            "split{2..3 equal}",
            "split{3 equal}",
            "split{3}",
            "split{2..3 not all equal}",
            "split{3..4 not all equal}",
            "split{2..3 unequal}",
            "split{3 unequal}",
            "split{4 unequal}",
            "split{2..4 unequal}",
            "split{2..4}",
        ],
    )
    def test_names(self, text):
        game = heaps.game(text)
        found = graph_values(game.ruleset, *range(26))
        assert game.grundy_values(25).tolist() == [found[heap] for heap in range(26)]

    def test_a_predicate(self):
        game = heaps.subtraction(lambda amount: amount % 3 == 1, excluded=[4])
        found = graph_values(game.ruleset, *range(41))
        assert game.grundy_values(40).tolist() == [found[heap] for heap in range(41)]

    def test_a_rule(self):
        game = heaps.rule(lambda n: [(1, n - 3), (2, 1, n - 4), n - 1] if n > 4 else range(n))
        found = graph_values(game.ruleset, *range(21))
        assert game.grundy_values(20).tolist() == [found[heap] for heap in range(21)]


class TestEngines:
    @settings(max_examples=20)
    @given(octal_codes | long_codes, st.integers(0, 60))
    def test_plain_and_compiled(self, code, n):
        game = heaps.code(code)
        assert np.array_equal(game.grundy_values(n, engine="plain"), game.grundy_values(n, engine="compiled"))

    def test_subtraction(self):
        for game in (
            heaps.subtraction([2, 5]),
            heaps.subtraction(excluded=[2, 5]),
            heaps.lasker(),
            heaps.split(2, 9, "equal"),
        ):
            assert np.array_equal(game.grundy_values(99, engine="plain"), game.grundy_values(99, engine="compiled"))

    @settings(max_examples=20)
    @given(octal_codes, st.integers(1, 300), st.integers(0, 300))
    def test_known_values_are_extended(self, code, known, more):
        """Heaps that are known already change nothing, whatever space they lead to."""
        rules = TakeAndBreak({k: int(digit) for k, digit in enumerate(code.replace(".", "")) if digit != "0"})
        whole = heaps.octal(code).grundy_values(known + more - 1, engine="plain")
        extended = rules.extend(whole[:known], known + more, Run("plain"))
        assert np.array_equal(extended, whole)

    @pytest.mark.parametrize("text", ["lasker", "0.77", "0.156", "take{1,3,4}", "take{not 1,4}"])
    def test_the_rest_follows_from_a_proved_period(self, text):
        game = heaps.game(text)
        dense = game.grundy_values(3000, method="dense")
        assert np.array_equal(game.grundy_values(3000), dense)
        assert np.array_equal(game.packed_values(3000, dense[:700]), dense)

    @pytest.mark.parametrize("engine", ["plain", "compiled"])
    def test_values_beyond_16_bits(self, engine):
        any_amount = Growing(lambda heap: ((amount, 3) for amount in range(1, heap + 1)))
        known = np.arange(65_530, dtype=np.uint16)
        values = any_amount.extend(known, 65_540, Run(engine, dense=True))
        assert np.array_equal(values, np.arange(65_540))

    @pytest.mark.parametrize(
        "text", ["0.6", "grundy", "0.07", "0.044", "0.045", "couples", "split{2..3 not all equal}"]
    )
    def test_small_heaps(self, text):
        """The plain loop starts anew at each heap, so that the first heaps of a block and of a space are all met."""
        game = heaps.game(text)
        whole = game.grundy_values(70, engine="compiled")
        for n in range(70):
            assert np.array_equal(game.grundy_values(n, engine="plain"), whole[: n + 1])


class TestSparseSpace:
    def test_kayles(self):
        values = heaps.octal("0.77").grundy_values(2000)
        space = choose_space(values, np.array([1, 2]))
        assert space.rares(values).tolist() == [heap for heap in range(71) if int(values[heap]).bit_count() % 2 == 0]

    @pytest.mark.parametrize(("code", "splitting"), [("0.6", [1]), ("0.07", [2]), ("0.77", [1, 2])])
    def test_long_sequences_are_counted_in_blocks(self, code, splitting, monkeypatch):
        values = heaps.octal(code).grundy_values(1000)
        space = choose_space(values, np.array(splitting))
        rares = space.rares(values)
        monkeypatch.setattr(sparse, "VALUES_AT_A_TIME", 16)
        assert choose_space(values, np.array(splitting)) == space
        assert np.array_equal(space.rares(values), rares)

    @given(st.lists(st.integers(0, 40), min_size=1, max_size=60), st.sampled_from([[1], [2], [1, 3], [1, 2]]))
    def test_no_other_space_has_fewer_rares(self, values, splitting):
        values, splitting = np.array(values, np.uint16), np.array(splitting)
        best = len(choose_space(values, splitting).rares(values))
        steps = (0, 1) if len(set(splitting % 2)) == 1 else (0,)
        spaces = [SparseSpace(mask, step, splitting[0] & 1) for mask in range(1, 64) for step in steps]
        assert best <= min(len(space.rares(values)) for space in spaces)


class TestErrors:
    @pytest.mark.parametrize(
        ("make", "kind", "message"),
        [
            (lambda: heaps.octal("0.78"), ParseError, "1:4: '8' is not a digit of this code"),
            (lambda: heaps.octal(""), ParseError, "expected a code with a point"),
            (lambda: heaps.octal("0.7 7"), ParseError, "1:4: ' ' is not a digit of this code"),
            (lambda: heaps.octal("0.0"), ParseError, "the code has no move"),
            (lambda: heaps.octal("1.7"), ParseError, "expected a multiple of 4"),
            (lambda: heaps.code("0.W"), ParseError, "'W' is not a digit of this code"),
            (lambda: heaps.game("octal{0.79}"), ParseError, "1:10: '9' is not a digit"),
            (lambda: heaps.game("take{1,0}"), ParseError, "1:8: the size of a move is 0: expected 1..1000000"),
            (
                lambda: heaps.game("take{1,2"),
                ParseError,
                "1:5: expected a game without a heap or a sum, such as grundy or take{1,3}",
            ),
            (lambda: heaps.game("take{1}(9)"), ParseError, "1:8: expected a game without a heap or a sum"),
            (lambda: heaps.game("chomp"), RulesetError, "chomp is not a game on one heap"),
            (lambda: heaps.game("kale"), RulesetError, "unknown game 'kale'"),
            (lambda: heaps.subtraction([0]), ParameterError, "invalid amount 0: expected an integer of 1 or more"),
            (lambda: heaps.subtraction([1.5]), ParameterError, "invalid amount 1.5: expected an integer of 1 or more"),
            (lambda: heaps.subtraction([[1]]), ParameterError, "invalid amount [1]: expected an integer of 1 or more"),
            (lambda: heaps.subtraction(5), ParameterError, "invalid amounts 5: expected a collection of integers"),
            (lambda: heaps.subtraction("any", "2"), ParameterError, "invalid excluded '2': expected a collection"),
            (lambda: heaps.subtraction(bool, [True]), ParameterError, "invalid amount True: expected an integer"),
            (lambda: heaps.split("2"), ParameterError, "invalid least '2': expected an integer"),
            (lambda: heaps.split(2, 2.0), ParameterError, "invalid most 2.0: expected an integer"),
            (lambda: heaps.rule("0.77"), ParameterError, "invalid options '0.77': expected a function"),
            (lambda: heaps.octal("0.7").holds(3), ParameterError, "invalid certificate 3: expected a certificate of"),
            (lambda: heaps.subtraction("some"), ValueError, "unknown rule 'some'"),
            (lambda: heaps.octal("0.7").grundy_values(-1), ParameterError, "invalid n -1: expected an integer of 0"),
            (lambda: heaps.octal("0.3").p_heaps(-1), ParameterError, "invalid n -1: expected an integer of 0"),
            (lambda: heaps.octal("0.7").grundy_values(10**18), ParameterError, "for a larger heap prove a period"),
            (lambda: heaps.octal("0.7").grundy_values(5, method="x"), ParameterError, "unknown method 'x'"),
            (lambda: heaps.octal("0.7").grundy_values(5, engine="x"), ValueError, "unknown engine 'x'"),
            (lambda: heaps.code("0.F").grundy_values(10**8), LimitError, "ask for smaller heaps"),
            (lambda: heaps.lasker().grundy_values(10**9), LimitError, "heaps of at most 9999999"),
            (lambda: heaps.rule(lambda n: [n]).grundy_values(3), RulesetError, "heap 0 the option 0: expected only"),
            (lambda: heaps.rule(lambda n: [(1, "a")]).grundy_values(3), RulesetError, "the option (1, 'a')"),
            (
                lambda: heaps.rule(lambda n: [1 // n]).grundy_values(3),
                RulesetError,
                "ZeroDivisionError: integer division or modulo by zero, at heap 0",
            ),
        ],
    )
    def test_message(self, make, kind, message):
        with pytest.raises(kind) as caught:
            make()
        assert message in str(caught.value)

    def test_the_place_of_a_wrong_digit_is_shown(self):
        with pytest.raises(ParseError) as caught:
            heaps.octal("0.778")
        assert str(caught.value).endswith("    0.778\n        ^")


def test_progress_ends_with_all_heaps():
    told = []
    heaps.octal("0.6").grundy_values(999, progress=lambda *now: told.append(now))
    assert told == sorted(told)
    assert told[-1] == (1000, 1000)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("0.77", "octal{0.77}"),
        (".7700", "octal{0.77}"),
        ("0.3f", "code{0.3F}"),
        ("officers", "octal{0.6}"),
        (" kayles ", "octal{0.77}"),
        ("code{0.9}", "code{0.9}"),
        ("take{3,1}", "take{1,3}"),
        ("take{any}", "take{any}"),
        ("bash{3}", "bash{3}"),
    ],
)
def test_names(text, name):
    game = heaps.game(text)
    assert game.name == name
    assert np.array_equal(heaps.game(name).grundy_values(30), game.grundy_values(30))


def test_treblecross_is_a_shifted_octal_game():
    rows = heaps.game("treblecross").grundy_values(30)
    heap_values = heaps.octal("treblecross-strip").grundy_values(32)[2:]
    assert np.flatnonzero(rows != heap_values).tolist() == [2]  # in a row of two squares nobody makes three
