"""Laws: found from tables, proved by automata, and never claimed where they are not so."""

from __future__ import annotations

import json
import operator
import runpy
from functools import cache
from itertools import islice, product
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import graphgame
from graphgame.cli import main
from graphgame.errors import LimitError, OptionError, ParseError
from graphgame.games import laws
from graphgame.games.notation import parse_position
from graphgame.games.wythoff import wythoff_outcome
from graphgame.proof.digit_sets import table_set
from graphgame.proof.law_claims import decide_induction
from graphgame.rules.declared import DeclaredMoves
from graphgame.theory.laws.automata import linear
from graphgame.theory.laws.candidates import beatty
from graphgame.theory.laws.expressions import Formula
from graphgame.theory.laws.induction import lost_positions, position_values
from graphgame.theory.laws.learning import learned
from graphgame.theory.laws.numeration import numeration_of
from graphgame.theory.laws.proving import by_induction
from graphgame.theory.laws.statements import set_of
from graphgame.theory.laws.tables import declared_values
from graphgame.theory.laws.wythoff_pairs import wythoff_pairs

DOCS = Path(__file__).parents[2] / "docs"
NUMERATIONS = ["base 2", "base 3", "Fibonacci", "Fibonacci 2"]
RARER = ["Fibonacci 2,2", "Fibonacci 4,-1"]
SIZES = {1: 128, 2: 34, 3: 8}
ONE_HEAP = ("a' < a and b' = b", "a' = a and b' < b")
WYTHOFF = DeclaredMoves(("a", "b"), (*ONE_HEAP, "a' < a and a - a' = b - b'"))
NIM = DeclaredMoves(("a", "b"), ONE_HEAP)

PROVED = [
    ("bash{3}(n)", "g(n) = n % 4", "n % 4 = 0"),
    ("bash{6}(n)", "g(n) = n % 7", "n % 7 = 0"),
    ("take{1,3,4}(n)", "g(n) = (0, 1, 0, 1, 2, 3, 2)[n % 7]", "n % 7 in {0, 2}"),
    ("take{odd}(n)", "g(n) = n % 2", "n % 2 = 0"),
    ("take{even}(n)", "g(n) = n // 2", "n in {0, 1}"),
    ("take{not 2}(n)", "g(n) = 2*(n // 4) + (0, 1, 0, 1)[n % 4]", "n in {0, 2}"),
    ("kayles", "g(n + 12) = g(n) for n >= 71", "n = 0"),
    (
        "guiles(n)",
        "g(n) = 0 if n = 0 else (2, 1, 1, 0, 1, 1, 2, 2, 1, 2)[n % 10]",
        "n = 0 or n >= 3 and n % 10 = 3",
    ),
    ("lasker(n)", "g(n) = 0 if n = 0 else 4*(n // 4) + (0, 2, 3, 5)[n % 4] - 1", "n = 0"),
    ("whiteboard{3}(n)", "g(n) = (3, 0, 1, 2)[n % 4]", "n % 4 = 1"),
    ("nim(a,b)", "g(a,b) = a ^ b", "a = b"),
    ("nim(a,b,c)", "g(a,b,c) = a ^ b ^ c", "a ^ b ^ c = 0"),
    ("nimble(a,b)", "g(a,b) = a ^ b", "a = b"),
    ("staircase(a,b,c)", "g(a,b,c) = a ^ c", "a ^ c = 0"),
    ("take{1,2}(a) + nim(b)", "g(a,b) = (a % 3) ^ b", None),
    ("wythoff(a,b)", None, "min(a, b) = floor(abs(a - b)*phi)"),
    ("wythoff{2}(a,b)", None, beatty(2, ("a", "b"))),
    ("chomp(a,b)", None, "a = b + 1"),
]


@pytest.mark.parametrize(("text", "values", "lost"), PROVED, ids=[row[0] for row in PROVED])
def test_laws_that_are_proved(text, values, lost):
    names = sum(f"{name})" in text or f"{name}," in text for name in "abc") or 1
    found = {law.about: law for law in laws.find(text, size=SIZES[names])}
    assert all(law.status == "proved" for law in found.values())
    assert (found["values"].text if "values" in found else None) == values
    if lost is not None:
        assert found["P-positions"].text == f"P-positions: {lost}"


def test_moore_is_proved_by_an_automaton():
    (law,) = laws.find("moore{2}(a,b,c)", size=9)
    assert (law.status, len(law.automaton)) == ("proved", 2)
    assert (law(4, 4, 4), law(4, 4, 5)) == (True, False)


@pytest.mark.parametrize("text", ["bash{6}(n)", "lasker(n)", "dawson-chess(n)", "whiteboard{3}(n)", "octal{0.17}(n)"])
def test_the_table_of_the_documents(text):
    made = runpy.run_path(str(DOCS / "make_laws.py"))["row"](text)
    assert f"\n| {made} | " in (DOCS / "laws-table.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("take{1,3,4}(n)", r"$g(n) = (0, 1, 0, 1, 2, 3, 2)_{n \bmod 7}$"),
        ("nim(a,b,c)", r"$g(a, b, c) = a \oplus b \oplus c$"),
        ("take{1,2}(a) + nim(b)", r"$g(a, b) = (a \bmod 3) \oplus b$"),
        ("kayles(n)", r"g(n + 12) = g(n) for n \textgreater{}= 71"),
    ],
)
def test_laws_in_latex(text, told):
    assert laws.find(text, size=12 if "c" in text else 40)[0].latex == told


@pytest.mark.parametrize("text", ["grundy(n)", "octal{0.007}(n)", "cram(axb)", "couples(n)"])
def test_no_law_is_claimed(text):
    assert [law.text for law in laws.find(text) if law.status == "proved"] == []


def test_fibonacci_nim_is_proved_of_all_its_positions():
    law, move = laws.find("fibonacci(n)")
    assert (law.formula.text, law.status, len(law.automaton), len(law.whole)) == ("n = zeckendorf(n)", "proved", 3, 5)
    assert [n for n in range(60) if law(n)] == [0, 1, 2, 3, 5, 8, 13, 21, 34, 55]
    assert (move.text, move.status) == ("a winning move: n' = n - zeckendorf(n) < n", "proved")
    assert (move(27, 26), move(27, 21)) == (True, False)


WINNING = [
    ("take{1,2,3}(n)", "normal", "winning moves: n' = n - n % 4 < n"),
    ("take{1,2,3}(n)", "misere", "winning moves of misère play: n' = n - (n - 1) % 4 < n"),
    (
        "take{1,3,4}(n)",
        "normal",
        "winning moves: n' = n - 1 and n % 7 in {1, 3} or n' = n - 3 and n % 7 in {3, 5}"
        " or n' = n - 4 and n % 7 in {4, 6}",
    ),
    ("take{odd}(n)", "normal", "winning moves: all, where n % 2 = 1"),
    ("take{any}(n)", "normal", "winning moves: n' = 0 < n"),
    ("nim(a,b,c)", "normal", "winning moves: a' = b ^ c < a or b' = a ^ c < b or c' = a ^ b < c"),
    ("take-away{a <= k}(n)", "normal", "a winning move: n' = n - (n & -n) < n"),
]


@pytest.mark.parametrize(("game", "play", "text"), WINNING)
def test_winning_moves_are_proved(game, play, text):
    law = laws.find(game, play=play)[-1]
    assert (law.text, law.status) == (text, "proved")


MISERE = [
    ("nim(a,b,c)", "a ^ b ^ c if max(a, b, c) > 1 else a ^ b ^ c ^ 1", "max(a, b, c) > 1 and a ^ b ^ c = 0"),
    ("take{1,3,4}(n)", "(1, 0, 1, 0, 2, 3, 2)[n % 7]", "n % 7 in {1, 3}"),
]


@pytest.mark.parametrize(("game", "values", "lost"), MISERE)
def test_misere_values_are_proved(game, values, lost):
    found = laws.find(game, play="misere")
    assert [law.status for law in found[:2]] == ["proved", "proved"]
    assert found[0].formula.text == values
    assert found[1].formula.text.startswith(lost)


SPLITTING = [
    ("kayles(n)", "n in {1, 4, 9, 12, 20}"),
    ("guiles(n)", "n in {1, 2, 4, 5, 8, 11, 12}"),
    ("dawson-kayles(n)", None),
    ("octal{0.72}(n)", "n in {1, 5} or n >= 10 and n % 4 = 2"),
    ("octal{0.75}(n)", "n in {1, 3}"),
    ("octal{4.3}(n)", "n % 2 = 1"),
    ("grundy(n)", None),
]


@pytest.mark.parametrize(("game", "lost"), SPLITTING)
def test_outcomes_of_heaps_that_split_are_proved_by_a_misere_quotient(game, lost):
    found = {law.about: law for law in laws.find(game, play="misere")}
    assert found.keys() == ({"P-positions"} if lost else set())
    table = laws.law_table(game, play="misere")
    rules = parse_position(game.replace("(n)", "(9)")).components[0].ruleset

    @cache
    def wins(heaps):
        ends = [
            tuple(sorted((*heaps[:k], *(end if isinstance(end, tuple) else (end,)), *heaps[k + 1 :])))
            for k, heap in enumerate(heaps)
            for end in rules.options(heap)
        ]
        return not ends or not all(map(wins, ends))

    assert [int(wins((heap,))) for heap in range(14)] == table.values[:14].tolist()
    if lost:
        law = found["P-positions"]
        assert (law.formula.text, law.status, law.quotient.complete) == (lost, "proved", True)
        assert [law(heap) for heap in range(14)] == [not wins((heap,)) for heap in range(14)]
        assert law(10**18) == (law.certificate.value(10**18) == 0)


def test_guesses_of_outcomes_of_heaps_that_split():
    assert laws.guess("kayles(n)", "n in {1, 4, 9, 12, 20}", play="misere").status == "proved"
    refuted = laws.guess("kayles(n)", "n in {1, 4, 9, 12}", play="misere")
    assert str(refuted) == "first counterexample: n = 20: the guess says N, but no move leaves a P-position"
    refuted = laws.guess("kayles(n)", "n % 3 = 1", play="misere")
    assert str(refuted) == "first counterexample: n = 7: the guess says P, but a move leaves a P-position"
    with pytest.raises(OptionError, match="heaps that split have none under misère play"):
        laws.guess("kayles(n)", "n", play="misere")


@pytest.mark.parametrize(
    ("game", "size", "told"),
    [
        ("grundy(n)", 60, "a misère quotient of 29 heaps is known: a candidate has more than 800 elements"),
        ("cram(2xn)", None, "moves that split a position"),
    ],
)
def test_outcomes_that_are_not_known(game, size, told):
    with pytest.raises(LimitError, match=told):
        laws.law_table(game, size=size, play="misere")


@pytest.mark.parametrize(
    ("game", "play"), [("euclid(a,b)", "normal"), ("chomp(b,a)", "normal"), ("chomp(a,b)", "misere")]
)
def test_large_tables_come_from_the_rules_and_are_those_of_the_moves(game, play):
    table = laws.law_table(game, size=150, play=play)
    known = declared_values(table.moves, 32, misere=play == "misere")
    assert (table.values[:32, :32] == known).all()
    assert table.values.shape == (150, 150)


@pytest.mark.parametrize(
    ("game", "size", "told"),
    [
        ("ruler(n)", 1000, "rows have at most 200 coins"),
        ("fibonacci(n)", 1_000_000, "only the graph knows its values"),
        ("euclid(a,b)", 3000, "larger than the limit, 4,100,000"),
    ],
)
def test_tables_that_are_too_large_say_why(game, size, told):
    with pytest.raises(LimitError, match=told):
        laws.law_table(game, size=size)


def test_a_graph_far_beyond_the_limit_is_not_begun(tmp_path):
    path = tmp_path / "rules.py"
    path.write_text(
        "from graphgame import Ruleset, Sum\n"
        "class Pairs(Ruleset):\n"
        "    largest = 0\n"
        "    def options(self, n):\n"
        "        Pairs.largest = max(n, Pairs.largest)\n"
        "        if Pairs.largest > 210: raise ValueError(n)\n"
        "        return [Sum((a, n - a)) for a in range(1, n)]\n"
    )
    assert len(laws.law_table(f"{path}:Pairs(n)", max_positions=5000).values) == 128


def test_a_letter_beside_a_digit_stands_for_no_number():
    with pytest.raises(ParseError, match="found '2n'"):
        laws.find("kayles(2n)")


def test_a_false_value_of_misere_play_is_not_proved():
    move = DeclaredMoves(("n",), ("n - n' in {1, 2}",))
    steps = position_values(
        move, set_of(numeration_of("base 2"), "value = n % 3", ("n", "value")), "value", misere=True
    )
    assert (
        next(step.text for step in steps if step.example is not None) == "the value of a position without a move is 1"
    )


@pytest.mark.parametrize("game", ["grundy(n)", "octal{0.007}(n)"])
def test_an_automaton_that_is_a_list_is_no_law(game):
    assert laws.find(game, size=30_000) == []


def test_euclid_is_proved_by_single_steps():
    (law,) = laws.find("euclid(a,b)", size=60)
    assert (law.status, law(4, 6), law(4, 7), law(10**20, 161803398874989484820)) == ("proved", True, False, True)


class TestStatementsAsRules:
    NIM = "a' < a and b' = b; a' = a and b' < b"

    def test_wythoff_with_terminal_positions(self):
        """The variants of Renard and Rigo: who leaves a total of 3 or less has won."""
        diagonal = "a' < a and a - a' = b - b'"
        moves = [f"a + b > 3 and {move}" for move in (*self.NIM.split("; "), diagonal)]
        found = {law.about: law for law in laws.find("; ".join(moves))}
        law = found["P-positions"]
        assert (law.status, law.automaton.numeration.name) == ("proved", "Fibonacci")
        moves = DeclaredMoves(("a", "b"), tuple(moves))
        lost = declared_values(moves, 60) == 0
        assert [[law(a, b) for b in range(60)] for a in range(60)] == lost.tolist()

    def test_misere_nim(self):
        (law,) = (law for law in laws.find(self.NIM, play="misere", size=60) if law.about == "P-positions")
        assert (law.status, law.text[:28]) == ("proved", "P-positions of misère play: ")
        assert [(a, b) for a in range(5) for b in range(5) if law(a, b)] == [(0, 1), (1, 0), (2, 2), (3, 3), (4, 4)]

    def test_totals_are_found(self):
        law = laws.find("a' < a and b' - b = 2*(a - a'); b' < b and a' = a", size=40)
        assert {each.status for each in law} <= {"proved", "holds"}

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("n' = n + 1", "found no total"),
            ("n' < m'; q' < p; a' = b", "6 names"),
            ("n' <", "no statement"),
            ("n' < n and f(n) = 3", "not understood"),
        ],
    )
    def test_what_is_refused(self, text, told):
        with pytest.raises((OptionError, LimitError), match=told):
            laws.find(text)


MOVES = [
    DeclaredMoves(
        ("a", "b"), ("a' < a and b' = b", "a' = a and b' < b", "a' < a and b' < b and abs(a - a' - b + b') < 3")
    ),
    DeclaredMoves(("a", "b"), ("a + b > 3 and a' < a and b' = b", "a + b > 3 and b' < b and a' = a")),
    DeclaredMoves(("a", "b"), ("a' < a and b' = b", "b' < b and a' - a = b - b'"), weights=(1, 2)),
    DeclaredMoves(("a", "b"), ("a' = a and b' < b", "a' < a and b' = b", "a' = a - 1 and b' = b - 1"), "b <= a"),
    DeclaredMoves(("n",), ("n - n' in {1, 3, 4}", "(n - n') % 5 = 2 and n' < n")),
]


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("moves", MOVES, ids=range(len(MOVES)))
@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_tables_of_declared_moves(moves, misere, engine):
    size = 14 if len(moves.names) > 1 else 40
    found = declared_values(moves, size, misere=misere, engine=engine)
    said = [Formula(move, (*moves.names, *(f"{name}_" for name in moves.names))) for move in moves.moves]
    where, values = Formula(moves.positions, moves.names), {}
    places = [place for place in product(range(size), repeat=len(moves.names)) if where(*place)]
    for place in sorted(places, key=lambda place: sum(map(operator.mul, place, moves.weights))):
        if found[place] >= 0:
            seen = {values[end] for end in values if any(move(*place, *end) for move in said)}
            value = next(value for value in range(len(seen) + 1) if value not in seen)
            values[place] = 1 if misere and not seen else value
            assert found[place] == values[place], place
    assert len(values) > 30


class TestGuesses:
    @pytest.mark.parametrize(
        ("text", "guess", "grounds"),
        [
            ("take{1,3,4}(n)", "n % 7 in {0, 2}", "proved: period 7, by the values to n = 11"),
            ("take{1,3,4}(n)", "not (n % 7 - 2) * (n % 7)", "holds on 512 positions"),
            ("take{1,3,4}(n)", "n % 7 in {0, 2} and n != 70000", "holds on 512 positions"),
            ("nim(a,b)", "(a | b) - (a & b)", "holds on 40,000 positions (200 x 200)"),
            ("bash{3}(n)", "n - n // 4 * 4", "proved: automaton of 7 states over base 2 digits"),
        ],
    )
    def test_right(self, text, guess, grounds):
        assert laws.guess(text, guess).grounds.startswith(grounds)

    @pytest.mark.parametrize(
        ("text", "guess", "told"),
        [
            ("take{1,3,4}(n)", "n % 7", "n = 2: the guess says 2, the value is 0 (mex of 1)"),
            ("take{1,3,4}(n)", "n % 7 in {0, 2} and n < 511", "n = 511: the guess says N, the value is 0"),
            ("nim(a,b)", "a ^ b if (a, b) != (89, 88) else 0", "a = 89, b = 88: the guess says 0, the value is 1"),
            ("wythoff(a,b)", "a = b", "a = 1, b = 1: the guess says P, the value is 2"),
            ("nim(n)", "n + 1", "n = 0: the guess says 1, the value is 0 (there is no move)"),
        ],
    )
    def test_wrong(self, text, guess, told):
        assert str(laws.guess(text, guess)).startswith(f"first counterexample: {told}")

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
        "text", ["a b", "x < 3", "a.b < 1", "f(a) < 1", "a*b < 3", "a in ()", "max(a - b, -1) = 2", "(a - b) ^ 1 = 1"]
    )
    def test_what_is_none(self, text):
        with pytest.raises(OptionError):
            set_of(numeration_of("base 2"), text, ("a", "b"))

    @settings(max_examples=40, deadline=None)
    @given(
        st.sampled_from([*NUMERATIONS, *RARER]),
        st.lists(st.integers(-3, 3), min_size=2, max_size=2),
        st.integers(-6, 6),
    )
    def test_linear_forms(self, name, factors, constant):
        found = linear(numeration_of(name), dict(zip("ab", factors, strict=True)), constant, lambda sign: sign > 0)
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
        assert by_induction(WYTHOFF, right, of_lost=True) is not None
        for a, b in [(1, 2), (9, 9), (1000, 1618), (12345, 999)]:
            one = set_of(right.numeration, f"a = {a} and b = {b}", ("a", "b"))
            for wrong in (right.minus(one), right | one):
                if len(wrong) != len(right):
                    assert by_induction(WYTHOFF, wrong, of_lost=True) is None

    def test_values_with_one_entry_changed_are_refused(self):
        names = ("a", "b", "z")
        numeration = numeration_of("base 2")
        right = set_of(numeration, "z = (a ^ b)", names)
        assert all(step.example is None for step in position_values(NIM, right, "z"))
        wrong = right.minus(set_of(numeration, "a = 300 and b = 5", names)) | set_of(
            numeration, "a = 300 and b = 5 and z = 7", names
        )
        assert any(step.example is not None for step in position_values(NIM, wrong, "z"))

    def test_moves_without_end_are_refused(self):
        moves = DeclaredMoves(("n",), ("n' = n + 1",))
        nothing = set_of(numeration_of("base 2"), "False", ("n",))
        assert next(lost_positions(moves, nothing)).example is not None

    def test_a_total_that_may_get_negative_is_refused(self):
        nothing = set_of(numeration_of("base 2"), "False", ("m", "n"))
        for positions, fault in [("m <= n + 1", True), ("m <= n", False)]:
            moves = DeclaredMoves(("n", "m"), ("n' = n and m' = m + 1",), positions, (1, -1))
            first, lowers = islice(lost_positions(moves, nothing), 2)
            assert (first.text, first.example is not None, lowers.example) == (
                "the total is never negative",
                fault,
                None,
            )
            checked = next(decide_induction(moves, table_set(json.loads(json.dumps(nothing.record())), ("m", "n"))))
            assert (checked.example is not None) == fault

    @settings(max_examples=60, deadline=None)
    @given(st.lists(st.integers(1, 6), min_size=1, max_size=3, unique=True))
    def test_subtraction_sets_by_automata_and_by_brute_force(self, amounts):
        lost = np.ones(400, bool)
        for n in range(400):
            lost[n] = not any(n >= amount and lost[n - amount] for amount in amounts)
        moves = DeclaredMoves(("n",), (f"n - n' in ({', '.join(map(str, amounts))},)",))
        found = learned(numeration_of("base 2"), ("n",), lost[:256])
        if found is not None and by_induction(moves, found, of_lost=True) is not None:
            assert (found.contains(n=np.arange(400)) == lost).all()


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

    @pytest.mark.parametrize(
        "text",
        ["__import__(n)", "n.real", "n[0]", "lambda: n", "[n for n in {1, 2}]", "9**9**9", "n/2", "'n'*9", "sqrt(2)*n"],
    )
    def test_nothing_else_is_run(self, text):
        with pytest.raises(OptionError):
            Formula(text, ("n",))(3)


class TestOwnRules:
    RULES = '''
from graphgame import Ruleset, Sum
from graphgame.rules.declared import DeclaredMoves

class Mine(Ruleset):
    """Take 1 or 3."""
    def options(self, heap):
        return [heap - k for k in (1, 3) if k <= heap]
    def declared_moves(self, size):
        return DeclaredMoves(("n",), ("n - n' in {1, 3}",)) if size == 1 else None

class Wrong(Mine):
    def declared_moves(self, size):
        return DeclaredMoves(("n",), ("n - n' in {1, 2}",))

class Silent(Mine):
    def declared_moves(self, size):
        return None

class Odd(Ruleset):
    """Take 1; or half of an even heap."""
    def options(self, heap):
        return [heap - 1] * (heap > 0) + [heap // 2] * (heap % 2 == 0 < heap)

class Half(Ruleset):
    def options(self, heap):
        return [heap - k for k in range(1, heap // 2 + 1)]

class Pins(Ruleset):
    """Kayles."""
    def options(self, row):
        return [Sum([left, row - hit - left]) for hit in (1, 2) for left in range(row - hit + 1)]

class Divisor(Ruleset):
    def options(self, heap):
        return [heap - k for k in range(1, heap) if heap % k == 0]

class Knight(Ruleset):
    def options(self, position):
        a, b = position
        steps = ((1, 0), (2, -1), (0, 2))
        return [(a - x, b - y) for x, y in steps if a >= x and b >= y and b - y <= 60]

class Turns(Silent):
    """As Silent, but for heaps above 600."""
    def options(self, heap):
        return super().options(heap) if heap < 600 else [heap - 1]
'''

    @pytest.fixture
    def path(self, tmp_path):
        path = tmp_path / "rules.py"
        path.write_text(self.RULES)
        return path

    def test_declared_moves_are_proved(self, path):
        assert {law.status for law in laws.find(f"{path}:Mine(n)")} == {"proved"}

    @pytest.mark.parametrize(
        ("game", "play", "text", "supposed"),
        [
            ("Silent(n)", "normal", "g(n) = n % 2", "take{1,3}"),
            ("Silent(n)", "misere", "g(n) = (1, 0)[n % 2], values of misère play", "take{1,3}"),
            ("Turns(n)", "normal", "g(n) = n % 2", "take{1,3}"),
            (
                "Odd(n)",
                "misere",
                "P-positions of misère play: n % 2 = 1",
                "n % 2 = 0 and ((n - n' = 1) or (n' = n // 2 and n > 0)); n % 2 = 1 and n - n' = 1",
            ),
            ("Half(n)", "normal", "P-positions: n + 1 = (n + 1) & -(n + 1)", "n' < n and 2*(n - n') <= n"),
            ("Pins(n)", "normal", "g(n + 12) = g(n) for n >= 71", "octal{0.77}"),
            ("Pins(n)", "misere", "P-positions of misère play: n in {1, 4, 9, 12, 20}", "octal{0.77}"),
            ("Divisor(n)", "normal", "g(n) = 0 if n = 0 else v2(n)", ""),
        ],
    )
    def test_moves_that_are_not_declared_prove_nothing_but_are_recognised(self, path, game, play, text, supposed):
        found = {law.text: law for law in laws.find(f"{path}:{game}", play=play)}
        said = f'; proved for "{supposed}", whose moves are its options there' if supposed else ""
        assert {law.status for law in found.values()} == {"holds"}
        assert found[text].grounds.partition(" positions")[2] == said

    def test_moves_that_are_not_the_options_are_refused(self, path):
        with pytest.raises(OptionError, match="declared moves"):
            laws.find(f"{path}:Wrong(n)")


class TestCommand:
    def run(self, *arguments):
        return CliRunner().invoke(main, ["law", *arguments])

    def test_the_number_that_was_tried_is_told(self):
        told = self.run("cram(n)").stderr
        assert "no n makes this a position; with n = 3: expected two sides, such as 4x2, but found '3'" in told
        assert told.endswith("    cram(n)\n         ^\n")
        assert self.run("nimm(n)").stderr.endswith("    nimm(n)\n    ^\n")

    def test_what_cannot_be_drawn_is_refused_before_it_is_told(self, tmp_path):
        done = self.run("kayles(a,b)", "--draw", str(tmp_path / "law.svg"))
        assert (done.exit_code, done.stdout) == (2, "")

    def test_text(self):
        told = self.run("bash{2}(n)", "--steps").output
        assert "P-positions: n % 3 = 0             proved" in told
        assert "  every other position has a move to one of them" in told

    def test_json(self):
        values, lost, _ = json.loads(self.run("nim(a,b)", "--json").output)["laws"]
        assert (values["formula"], values["status"], lost["automaton"]["numeration"]) == ("a ^ b", "proved", "base 2")

    def test_nothing_found(self):
        assert "values: no law found on 256 positions" in self.run("octal{0.007}(n)").output

    @pytest.mark.parametrize("text", ["chomp(axb)", "cram(axb)"])
    def test_sides_of_boards_have_no_declared_moves_and_few_boards_no_law(self, text):
        assert "P-positions: no law found on" in self.run(text).output

    def test_a_wrong_guess(self):
        done = self.run("bash{3}(n)", "--guess", "n % 5")
        assert (done.exit_code, done.output.splitlines()) == (
            2,
            ["first counterexample: n = 4: the guess says 4, the value is 0 (mex of 1, 2, 3)"],
        )

    @pytest.mark.parametrize(
        ("text", "formula", "position"),
        [
            ("mock-turtles(n)", "n", (3,)),
            ("wythoff(a,b)", "(a + b) % 3 = 0", (0, 3)),
            ("bash{4}(a) + bash{2}(b)", "a ^ b", (0, 3)),
        ],
    )
    def test_the_rival_that_is_refuted_last(self, text, formula, position):
        law = laws.find(text)[0]
        assert (law.rival.formula, law.rival.position, law.rival.largest) == (formula, position, max(position))
        assert law.record()["rival"] == {"formula": formula, "position": position}
        size = law.rival.largest
        table = laws.law_table(text, size=size).values
        places = np.argwhere(table >= 0).tolist()
        truth = [bool(law(*place)) if law.about == "P-positions" else law(*place) for place in places]
        assert [Formula(formula, law.names)(*place) for place in places] == truth
        assert Formula(formula, law.names)(*position) != law(*position)
        told = self.run(text, "--steps").output
        assert f"the simpler {formula} fails first at " in told
        assert f"; a table to {size} refutes all simpler ones" in told

    @pytest.mark.parametrize(
        ("guess", "better"),
        [("v2(n)", "0 if n = 0 else v2(n)"), ("3 // n = 2", "True if n = 0 else 3 // n = 2")],
    )
    def test_a_guess_without_a_value(self, guess, better):
        done = self.run("nim(n)", "--guess", guess)
        told = f"n = 0: the guess has no value, the value is 0 (there is no move); write: {better}\n"
        assert (done.exit_code, done.output) == (2, f"first counterexample: {told}")
        assert "no value" not in self.run("nim(n)", "--guess", better).output

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["nim(3,4)"], "expected 1 to 4, as in wythoff(a,b)"),
            (["chomp"], "its positions are not numbers alone"),
            (["kayles(n)", "--guess", "m"], "the names are n"),
            (["nim(a,b"], "the bracket ( is not closed"),
            (["nim(3)"], "no name in place of a number"),
            (["kayles(n)", "--guess", "(n, n)"], "several numbers, where one is meant"),
            (["nimm(n)"], "did you mean nim"),
        ],
    )
    def test_errors(self, arguments, told):
        done = self.run(*arguments)
        assert done.exit_code == 2
        assert told in done.output


def test_the_module_is_reached_from_the_top():
    assert graphgame.laws is laws


class TestSoundness:
    def test_names_in_another_order(self):
        (law,) = laws.find("chomp(b,a)", size=20)
        assert (law.status, law.text) == ("proved", "P-positions: b = a + 1")
        for text in ("moore{2}(k,m,p)", "moore{2}(p,k,m)"):
            (law,) = laws.find(text, size=9)
            assert (law.status, law(4, 4, 4), law(1, 2, 4)) == ("proved", True, False)

    def test_the_axes_of_a_learned_set_are_those_of_the_names(self):
        (law,) = (law for law in laws.find("euclid(b,a)", size=56) if law.about == "P-positions")
        assert [law(b, a) for b, a in [(5, 4), (9, 4), (3, 5), (5, 3)]] == [True, False, False, False]

    @pytest.mark.parametrize("text", ["moore{2}(a,a)", "moore{2}(3,a)", "staircase(a,2)", "staircase(a,a)", "nim(a,a)"])
    def test_numbers_that_are_not_free_prove_nothing_by_induction(self, text):
        assert all("automaton" not in law.proof for law in laws.find(text, size=9))

    def test_a_letter_is_no_track_of_values(self):
        assert {law.status for law in laws.find("nim(z)")} == {"proved"}
        assert laws.find("nim(z)")[0](7) == 7

    @pytest.mark.parametrize(
        ("names", "weights"), [(("n",), (-1,)), (("n",), (1, 1)), (("n", "n"), ()), (("n_",), ()), (("value",), ())]
    )
    def test_moves_that_would_prove_too_much(self, names, weights):
        with pytest.raises(ValueError, match="invalid"):
            DeclaredMoves(names, ("n' = n + 1",), weights=weights)

    @pytest.mark.parametrize(
        "text", ["(0, 1)[n] = 1", "not (0, 1)[n // 9] = 1", "(1, 0)[n - 1] = 0", "(0 if n < 3 else n - 5) = 1"]
    )
    def test_a_choice_without_value_is_no_statement(self, text):
        with pytest.raises(OptionError):
            set_of(numeration_of("base 2"), text, ("n",))

    def test_a_choice_within_its_bounds(self):
        found = set_of(numeration_of("base 2"), "((3, 1, 2)[n] if n < 3 else n - 3) = 1", ("n",))
        assert [n for n in range(9) if found.contains(n=n)] == [1, 4]

    def test_positions_beyond_64_bits_and_below_0(self):
        (law,) = laws.find("moore{2}(a,b,c)", size=9)
        assert (law(10**30, 10**30, 10**30), law(10**30, 10**30, 1)) == (True, False)
        with pytest.raises(OptionError, match="0 or more"):
            law(1, -1, 2)

    @pytest.mark.parametrize("text", ["-" * 1500 + "n", "(" * 150 + "n" + ")" * 150, "+".join(["n"] * 900)])
    def test_deep_text_is_refused_or_read(self, text):
        try:
            Formula(text, ("n",))(1)
        except OptionError as error:
            assert "deep" in str(error) or "no statement" in str(error)  # noqa: PT017

    def test_periods_that_would_take_hours_are_not_looked_for(self):
        assert [law.text for law in laws.find("split{2..3}(n)")] == ["P-positions: n in {0, 1}"]

    def test_a_large_table_is_refused(self):
        with pytest.raises(LimitError, match="a table of 10,000,000,000 entries"):
            laws.find("nim(a,b)", size=100_000)
