"""Statements, numerations, induction and formulas: what laws are made of."""

from __future__ import annotations

import json
import operator
from itertools import islice, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame.errors import ParameterError
from graphgame.labs.laws import laws
from graphgame.labs.laws.automata import linear, numeration_of, recorded
from graphgame.labs.laws.claims import decide_induction, held
from graphgame.labs.laws.declared_moves import side_by_side
from graphgame.labs.laws.formulas import Formula
from graphgame.labs.laws.learning import learned, wythoff_pairs
from graphgame.labs.laws.proofs import check_laws, laws_record
from graphgame.labs.laws.statements import set_of
from graphgame.labs.tables.wythoff import wythoff_outcome
from graphgame.rules.declared import DeclaredMoves
from tests.labs.laws.test_laws import NIM, ONE_HEAP

NUMERATIONS = ["base 2", "base 3", "Fibonacci", "Fibonacci 2"]
RARER = ["Fibonacci 2,2", "Fibonacci 4,-1"]
WYTHOFF = DeclaredMoves(("a", "b"), (*ONE_HEAP, "a' < a and a - a' = b - b'"))


class TestGuesses:
    @pytest.mark.parametrize(
        ("text", "guess", "grounds"),
        [
            ("take{1,3,4}(n)", "n % 7 in {0, 2}", "proved: period 7 from n = 0, by the values up to n = 11"),
            ("take{1,3,4}(n)", "not (n % 7 - 2) * (n % 7)", "holds on 512 positions"),
            ("take{1,3,4}(n)", "n % 7 in {0, 2} and n != 70000", "holds on 512 positions"),
            ("nim(a,b)", "a xor b", "proved: automaton of 2 states over base 2 digits"),
            ("nim(a,b,c)", "(a) xor b xor(c)", "proved: automaton of 2 states over base 2 digits"),
            ("nim(a,b)", "xor(a, b) if a xor b else xor(a, b)", "holds on 40,000 positions (200 x 200)"),
            ("nim(a,b)", "(a | b) - (a & b)", "holds on 40,000 positions (200 x 200)"),
            ("bash{3}(n)", "n - n // 4 * 4", "proved: automaton of 7 states over base 2 digits"),
        ],
    )
    def test_right(self, text, guess, grounds):
        assert laws.guess(text, guess).grounds.startswith(grounds)

    @pytest.mark.parametrize(
        ("text", "guess", "told"),
        [
            (
                "take{1,3,4}(n)",
                "n % 7",
                "n = 2: the guess says 2, but the value is 0, the mex of the options' values 1",
            ),
            ("take{1,3,4}(n)", "n % 7 in {0, 2} and n < 511", "n = 511: the guess says N, but the value is 0"),
            ("nim(a,b)", "a ^ b if (a, b) != (89, 88) else 0", "a = 89, b = 88: the guess says 0, but the value is 1"),
            ("wythoff(a,b)", "a = b", "a = 1, b = 1: the guess says P, but the value is 2"),
            ("nim(n)", "n + 1", "n = 0: the guess says 1, but the value is 0, because there is no move"),
            (
                "n' < n where n != 3",  # the move from 4 to 3 leads to no position
                "n if n < 4 else 77",
                "n = 4: the guess says 77, but the value is 3, the mex of the options' values 0, 1, 2",
            ),
        ],
    )
    def test_wrong(self, text, guess, told):
        assert str(laws.guess(text, guess)).startswith(f"first counterexample: {told}")

    @pytest.mark.parametrize(
        ("guess", "told"),
        [
            ("5", "n = 1: the guess says 5, but the value is 0, because each move loses at once"),
            (
                "(n - 1) % 3 if n != 2 else 5",
                "n = 2: the guess says 5, but the value is 1, the mex of the options' values 0",
            ),
        ],
    )
    def test_moves_that_lose_at_once(self, tmp_path, guess, told):
        (tmp_path / "rules.py").write_text(
            "from graphgame import Ruleset\n\n\n"
            "class Last(Ruleset):\n"
            "    def options(self, n):\n"
            "        return range(max(n - 2, 0), n)\n\n"
            "    def decided(self, n):\n"
            "        return 'N' if n == 0 else None\n"
        )
        refuted = laws.guess(f"{tmp_path}/rules.py:Last(n)", guess, size=8, run_rules=True)
        assert str(refuted).endswith(told)

    def test_every_position_ends_play_or_wins_at_once(self, tmp_path):
        (tmp_path / "rules.py").write_text(
            "from graphgame import Ruleset\n\n\n"
            "class Last(Ruleset):\n"
            "    def options(self, n):\n"
            "        return range(n)\n\n"
            "    def decided(self, n):\n"
            "        return 'P' if n == 0 else None\n"
        )
        rules = f"{tmp_path}/rules.py:Last(n)"
        assert laws.find(rules, size=40, run_rules=True) == []
        assert laws.guess(rules, "n = 1", size=40, run_rules=True).positions == 0

    def test_options_beyond_the_table_are_listed_too(self):
        refuted = laws.guess("staircase(a,b)", "a if a < 4 or b < 4 else 7", size=5)
        assert refuted.options == (0, 1, 2, 3, 5, 6, 7, 8)

    def test_a_function(self):
        assert laws.guess("nim(a,b)", operator.xor, size=30).grounds == "holds on 900 positions (30 x 30)"


class TestStatements:
    TEXTS = (
        "n % 4 in {0, 3} and n > 4",
        "min(a, b) < 2*max(a, b) // 3",
        "not a % 3 = b % 2",
        "abs(a - b) % 3 = 1 or a = 2*b + 1",
        "(a - b) % 5 = 2",
        "(2, 0, 1)[n % 3] = 1",
        "(n if n < 5 else 2*n) % 3 = 0",
        "a < b < c",
        "max(a, b, c) = 7",
        "max(a - b, -1) = 2",
        "(a - b) // 3 = -1",
        "((3, 1, 2)[n] if n < 3 else n - 3) = 1",
    )

    @pytest.mark.parametrize("name", NUMERATIONS)
    @pytest.mark.parametrize("text", TEXTS)
    def test_against_each_number(self, name, text):
        tracks = tuple(letter for letter in "abcn" if f"{letter} " in f"{text} ".replace(",", " ").replace(")", " "))
        found = set_of(numeration_of(name), text, tracks)
        formula = Formula(text, tracks)
        for numbers in product(range(9), repeat=len(tracks)):
            assert found.contains(**dict(zip(tracks, numbers, strict=True))) == formula(*numbers), numbers

    @pytest.mark.parametrize(
        "text",
        [
            *("a b", "x < 3", "a.b < 1", "f(a) < 1", "a*b < 3", "a in ()", "(a - b) ^ 1 = 1"),
            *("(0, 1)[a] = 1", "(" * 150 + "a"),
        ],
    )
    def test_what_is_none(self, text):
        with pytest.raises(ParameterError):
            set_of(numeration_of("base 2"), text, ("a", "b"))

    @settings(max_examples=40, deadline=None)
    @given(
        st.sampled_from([*NUMERATIONS, *RARER]),
        st.lists(st.integers(-3, 3), min_size=2, max_size=2),
        st.integers(-6, 6),
    )
    def test_linear_forms(self, name, factors, constant):
        found = linear(numeration_of(name), dict(zip("ab", factors, strict=True)), constant, {1})
        a, b = np.indices((30, 30))
        assert (found.contains(a=a, b=b) == (factors[0] * a + factors[1] * b + constant > 0)).all()
        some = found.without("b")
        enough = [n for n in range(20) if some.contains(a=n)]
        assert enough == [n for n in range(20) if (factors[0] * n + factors[1] * np.arange(100) + constant > 0).any()]


@pytest.mark.parametrize("name", [*NUMERATIONS, *RARER, "base 10", "Fibonacci 3"])
def test_words_are_read_back(name):
    numeration = numeration_of(name)
    length = numeration.length(999)
    words = numeration.words(np.arange(1000), length)
    assert len({tuple(word) for word in words.T.tolist()}) == 1000
    assert [numeration.number(word) for word in words.T.tolist()] == list(range(1000))


@pytest.mark.parametrize("width", [1, 2, 3, 4, 5])
def test_the_pairs_of_wythoff(width):
    a, b = np.indices((130, 130))
    found = wythoff_pairs(width, ("a", "b")).contains(a=a, b=b)
    assert found.tolist() == [[wythoff_outcome(x, y, width) == "P" for y in range(130)] for x in range(130)]


class TestInduction:
    def test_a_set_with_one_pair_more_or_less_is_refused(self):
        right = wythoff_pairs(1, ("a", "b"))
        assert held(decide_induction(WYTHOFF, right)) is not None
        for a, b in [(1, 2), (9, 9), (1000, 1618), (12345, 999)]:
            one = set_of(right.numeration, f"a = {a} and b = {b}", ("a", "b"))
            for wrong in (right.minus(one), right | one):
                if len(wrong) != len(right):
                    assert held(decide_induction(WYTHOFF, wrong)) is None

    def test_values_with_one_entry_changed_are_refused(self):
        names = ("a", "b", "value")
        numeration = numeration_of("base 2")
        right = set_of(numeration, "value = (a ^ b)", names)
        assert all(step.example is None for step in decide_induction(NIM, right))
        wrong = right.minus(set_of(numeration, "a = 300 and b = 5", names)) | set_of(
            numeration, "a = 300 and b = 5 and value = 7", names
        )
        assert any(step.example is not None for step in decide_induction(NIM, wrong))

    def test_moves_without_end_are_refused(self):
        moves = DeclaredMoves(("n",), ("n' = n + 1",))
        nothing = set_of(numeration_of("base 2"), "False", ("n",))
        assert next(decide_induction(moves, nothing)).example is not None

    def test_under_misere_play_the_options_of_a_position_without_moves_win_nothing(self):
        # 2 moves to 1, which has no move, as 0. So 2 is a P-position, although it "has all options" of 0.
        moves = DeclaredMoves(("n",), ("n = 2 and n' = 1",), followed=("n = 2 and n' = 0",))
        for text in ("False", "n = 2", "n = 2 or n = 0"):
            claimed = set_of(numeration_of("base 2"), text, ("n",))
            assert held(decide_induction(moves, claimed, misere=True)) is None

    def test_a_total_that_may_get_negative_is_refused(self):
        nothing = set_of(numeration_of("base 2"), "False", ("m", "n"))
        for positions, fault in [("m <= n + 1", True), ("m <= n", False)]:
            moves = DeclaredMoves(("n", "m"), ("n' = n and m' = m + 1",), positions, (1, -1))
            first, lowers = islice(decide_induction(moves, nothing), 2)
            assert (first.text, first.example is not None, lowers.example) == (
                "the weighted total of a position's numbers is never negative",
                fault,
                None,
            )
            checked = next(decide_induction(moves, recorded(json.loads(json.dumps(nothing.record())), ("m", "n"))))
            assert (checked.example is not None) == fault

    @settings(max_examples=60, deadline=None)
    @given(st.lists(st.integers(1, 6), min_size=1, max_size=3, unique=True))
    def test_subtraction_sets_by_automata_and_by_brute_force(self, amounts):
        lost = np.ones(400, bool)
        for n in range(400):
            lost[n] = not any(n >= amount and lost[n - amount] for amount in amounts)
        moves = DeclaredMoves(("n",), (f"n - n' in ({', '.join(map(str, amounts))},)",))
        found = learned(numeration_of("base 2"), ("n",), lost[:256])
        if found is not None and held(decide_induction(moves, found)) is not None:
            assert (found.contains(n=np.arange(400)) == lost).all()


@pytest.mark.parametrize("name", ["base 2", "base 3", "base 10", "Fibonacci", "Fibonacci 2"])
def test_numbers_of_more_than_63_bits(name):
    equal = linear(numeration_of(name), {"a": 1, "b": -1}, 0, {0})
    for number in (2**62, 2**63 - 1, 2**63 + 5, 95 * 10**17, 2**64 + 7):
        assert (equal.contains(a=number, b=number), equal.contains(a=number, b=number + 1)) == (True, False)
        assert equal.completed("b", a=number) == number


class TestFormulas:
    @pytest.mark.parametrize(
        ("text", "number", "worth"),
        [
            ("floor(n*phi)", 10**20, 161803398874989484820),
            ("floor(-n*phi)", 5, -9),
            ("floor(n*phi**2)", 7, 18),
            ("floor((n + sqrt(2))//3)", 10, 3),
            ("n ^ n // 2", 6, 5),
            ("2*n + (popcount(n) + 1) % 2", 3, 7),
            ("v2(n) + bit_length(n)", 12, 6),
            ("1 if n > 3 else 2", 3, 2),
        ],
    )
    def test_worth(self, text, number, worth):
        assert Formula(text, ("n",))(number) == worth

    def test_large_powers_are_refused_and_powers_of_one_are_not(self):
        power = Formula("n**100000", ("n",))
        assert (power(0), power(1)) == (0, 1)
        for text in ("n**100000", "2**2**2**2**n", "n**9000*n**9000"):
            with pytest.raises(ParameterError, match="a number has more than 3,000 digits"):
                Formula(text, ("n",))(2)

    @pytest.mark.parametrize(
        "text",
        ["__import__(n)", "n.real", "n[0]", "lambda: n", "[n for n in {1, 2}]", "9**9**9", "n/2", "'n'*9", "sqrt(2)*n"],
    )
    def test_nothing_else_is_run(self, text):
        with pytest.raises(ParameterError):
            Formula(text, ("n",))(3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("floor(n, 2)", "the function floor cannot be called with 2 numbers"),
        ("sqrt()", "the function sqrt cannot be called with 0 numbers"),
        ("min(n)", "the function min cannot be called with 1 number$"),
        ("n(3)", r"a formula cannot contain 'n\(3\)'"),
        ("floor(phi(3))", r"a formula cannot contain 'phi\(3\)'"),
        ("n % 7 = 0 or 2", 'the number 2 next to "and" or "or" is not a condition: write, for example, n in {0, 2}'),
    ],
)
def test_calls_that_are_refused(text, message):
    with pytest.raises(ParameterError, match=message):
        Formula(text, ("n",))(3)


def test_irrational_terms():
    rounded = Formula("floor(n*phi // 2 * 2)", ("n",))
    assert [rounded(number) for number in range(6)] == [0, 0, 2, 4, 6, 8]
    assert rounded.of_arrays(np.arange(6)).tolist() == [0, 0, 2, 4, 6, 8]
    for compared in ("n*sqrt(3) > n*phi", "n < phi"):
        with pytest.raises(ParameterError, match="a term contains phi or sqrt"):
            Formula(compared, ("n",))(1)


def test_parts_of_a_sum_may_have_conditional_moves():
    heap = DeclaredMoves(("n",), ("n' = n - 1 if n % 2 = 0 else n' = n - 3",))
    assert side_by_side([heap, heap]).moves[0] == "(a' = a - 1 if a % 2 = 0 else a' = a - 3) and b' = b"


@pytest.mark.parametrize(
    ("options", "declared", "told"),
    [
        ("(c, b) for c in range(a + 1, b + 1)", '("a\' > a and b\' = b",), "a <= b", (-1, 1)', "a = b"),
        ("(c, b + 1) for c in range(a + 2, b + 2)", '("a\' > a + 1 and b\' = b + 1",), "a <= b", (-1, 1)', "b <= a"),
        ("(c, b + 7) for c in range(a - 1, a) if a", '("a\' = a - 1 and b\' = b + 7",), "True", (1, 0)', "a % 2 = 0"),
    ],
)
def test_numbers_that_grow_without_bound(tmp_path, options, declared, told):
    (tmp_path / "rules.py").write_text(
        "from graphgame import Ruleset\nfrom graphgame.rules.declared import DeclaredMoves\n\n\n"
        "class Grow(Ruleset):\n"
        "    def options(self, position):\n"
        "        a, b = position\n"
        f"        return [{options}]\n\n"
        "    def declared_moves(self, size):\n"
        f'        return DeclaredMoves(("a", "b"), {declared})\n'
    )
    source = f"{tmp_path}/rules.py:Grow(a,b)"
    found = {law.about: law for law in laws.find(source, run_rules=True)}
    law = found["P-positions"]
    assert (law.formula.text, law.status) == (told, "proved")
    (tmp_path / "law.json").write_text(json.dumps(laws_record(source, [law])))
    (checked,) = check_laws(tmp_path / "law.json", run_rules=True)
    assert checked.fault is None
