"""Laws: found from tables, proved by automata, and never claimed where they are not so."""

from __future__ import annotations

import operator
import runpy
from functools import cache
from itertools import product

import numpy as np
import pytest

import graphgame
from graphgame.errors import LimitError, ParameterError, ParseError, RulesetError
from graphgame.labs.laws import laws
from graphgame.labs.laws.automata import numeration_of
from graphgame.labs.laws.claims import decide_induction, pairs_text
from graphgame.labs.laws.declared_moves import declared_values
from graphgame.labs.laws.formulas import Formula, formula_latex
from graphgame.labs.laws.statements import set_of
from graphgame.rules.declared import DeclaredMoves
from graphgame.rules.notation import parse_position
from tests import ROOT

DOCS = ROOT / "docs"
SIZES = {1: 128, 2: 34, 3: 8}
ONE_HEAP = ("a' < a and b' = b", "a' = a and b' < b")
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
    ("whiteboard{5}(n)", "g(n) = (5, 0, 1, 2, 3, 4)[n % 6]", "n % 6 = 1"),
    ("nim(a,b)", "g(a,b) = a ^ b", "a = b"),
    ("nim(a,b,c)", "g(a,b,c) = a ^ b ^ c", "a ^ b ^ c = 0"),
    ("nimble(a,b)", "g(a,b) = a ^ b", "a = b"),
    ("staircase(a,b,c)", "g(a,b,c) = a ^ c", "a = c"),
    ("take{1,2}(a) + nim(b)", "g(a,b) = (a % 3) ^ b", None),
    ("wythoff(a,b)", None, "min(a, b) = floor(abs(a - b)*phi)"),
    ("wythoff{2}(a,b)", None, pairs_text(2, ("a", "b"))),
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
        ("kayles(n)", r"$g(n + 12) = g(n)$ for $n \geq 71$"),
    ],
)
def test_laws_in_latex(text, told):
    assert laws.find(text, size=12 if "c" in text else 40)[0].latex == told


@pytest.mark.parametrize(
    ("formula", "latex"),
    [
        ("a = 0 and (b = 1 or b > 2)", r"a = 0 \text{ and } (b = 1 \text{ or } b > 2)"),
        ("a + (b ^ c)", r"a + (b \oplus c)"),
        ("n - n % 4", r"n - (n \bmod 4)"),
        ("a + b*c - (d - e)", "a + b c - (d - e)"),
        ("2*3*n + n // 2", r"2 \cdot 3 n + \lfloor n / 2 \rfloor"),
    ],
)
def test_latex_keeps_the_order_of_operations(formula, latex):
    assert formula_latex(formula) == latex


@pytest.mark.parametrize("text", ["grundy(n)", "octal{0.007}(n)", "cram(axb)", "couples(n)"])
def test_no_law_is_claimed(text):
    assert [law.text for law in laws.find(text) if law.status == "proved"] == []


def test_fibonacci_nim_is_proved_of_all_its_positions():
    law, move = laws.find("fibonacci(n)")
    assert (law.formula.text, law.status, len(law.automaton), len(law.evidence.whole)) == (
        "n = zeckendorf(n)",
        "proved",
        3,
        5,
    )
    assert [n for n in range(60) if law(n)] == [0, 1, 2, 3, 5, 8, 13, 21, 34, 55]
    assert (move.text, move.status) == ("a winning move: n' = n - zeckendorf(n) < n", "proved")
    assert (move(27, 26), move(27, 21)) == (True, False)


WINNING = [
    ("take{1,2,3}(n)", False, "winning moves: n' = n - n % 4 < n"),
    ("take{1,2,3}(n)", True, "winning moves of misère play: n' = n - (n - 1) % 4 < n"),
    (
        "take{1,3,4}(n)",
        False,
        "winning moves: n' = n - 1 and n % 7 in {1, 3} or n' = n - 3 and n % 7 in {3, 5}"
        " or n' = n - 4 and n % 7 in {4, 6}",
    ),
    ("take{odd}(n)", False, "winning moves: all, where n % 2 = 1"),
    ("take{any}(n)", False, "winning moves: n' = 0 < n"),
    ("nim(a,b,c)", False, "winning moves: a' = b ^ c < a or b' = a ^ c < b or c' = a ^ b < c"),
    ("take-away{a <= k}(n)", False, "a winning move: n' = n - (n & -n) < n"),
]


@pytest.mark.parametrize(("game", "misere", "text"), WINNING)
def test_winning_moves_are_proved(game, misere, text):
    law = laws.find(game, misere=misere)[-1]
    assert (law.text, law.status) == (text, "proved")


MISERE = [
    ("nim(a,b,c)", "a ^ b ^ c if max(a, b, c) > 1 else a ^ b ^ c ^ 1", "max(a, b, c) > 1 and a ^ b ^ c = 0"),
    ("take{1,3,4}(n)", "(1, 0, 1, 0, 2, 3, 2)[n % 7]", "n % 7 in {1, 3}"),
]


@pytest.mark.parametrize(("game", "values", "lost"), MISERE)
def test_misere_values_are_proved(game, values, lost):
    found = laws.find(game, misere=True)
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


def test_a_guess_that_is_a_function_is_a_law_with_a_text():
    values = laws.guess("nim(a,b)", lambda a, b: a ^ b, size=8)
    assert (values.text, values.status, values(1, 2)) == ("values: the guessed function", "holds", 3)
    lost = laws.guess("nim(a,b)", lambda a, b: a == b, size=8)
    assert (lost.text, lost(1, 2)) == ("P-positions: the guessed function", False)
    assert (lost.as_automaton(), lost.record()["formula"]) == (None, None)
    assert laws.guess("nim(a,b)", lambda a, b: np.bool_(a == b), size=8).text == lost.text


@pytest.mark.parametrize("formula", [lambda a: a, lambda a, b, c: a, 5])
def test_a_guess_that_is_no_function_of_the_numbers_is_refused(formula):
    with pytest.raises(ParameterError, match="expected a string, or a function of the numbers a, b"):
        laws.guess("nim(a,b)", formula, size=8)


@pytest.mark.parametrize(("game", "lost"), SPLITTING)
def test_outcomes_of_heaps_that_split_are_proved_by_a_misere_quotient(game, lost):
    found = {law.about: law for law in laws.find(game, misere=True)}
    assert found.keys() == ({"P-positions"} if lost else set())
    table = laws.law_table(game, misere=True)
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
        assert (law.formula.text, law.status, law.evidence.quotient.complete) == (lost, "proved", True)
        assert [law(heap) for heap in range(14)] == [not wins((heap,)) for heap in range(14)]
        assert law(10**18) == (law.evidence.certificate.value(10**18) == 0)


def test_guesses_of_outcomes_of_heaps_that_split():
    assert laws.guess("kayles(n)", "n in {1, 4, 9, 12, 20}", misere=True).status == "proved"
    refuted = laws.guess("kayles(n)", "n in {1, 4, 9, 12}", misere=True)
    assert str(refuted) == "first counterexample: n = 20: the guess says N, but no move leads to a P-position"
    refuted = laws.guess("kayles(n)", "n % 3 = 1", misere=True)
    assert str(refuted) == "first counterexample: n = 7: the guess says P, but a move leads to a P-position"
    with pytest.raises(ParameterError, match="heaps that split have no values under misère play"):
        laws.guess("kayles(n)", "n", misere=True)


@pytest.mark.parametrize(
    ("game", "size", "told"),
    [
        (
            "grundy(n)",
            60,
            "the misère quotient is known only for 29 heaps: an intermediate quotient has more than 800 elements",
        ),
        ("cram(2xn)", None, "a move splits a position"),
    ],
)
def test_outcomes_that_are_not_known(game, size, told):
    with pytest.raises(LimitError, match=told):
        laws.law_table(game, size=size, misere=True)


@pytest.mark.parametrize(("game", "misere"), [("euclid(a,b)", False), ("chomp(b,a)", False), ("chomp(a,b)", True)])
def test_large_tables_come_from_the_rules_and_are_those_of_the_moves(game, misere):
    table = laws.law_table(game, size=150, misere=misere)
    known = declared_values(table.moves, 32, misere=misere)
    assert (table.values[:32, :32] == known).all()
    assert table.values.shape == (150, 150)


@pytest.mark.parametrize(
    ("game", "size", "told"),
    [
        ("ruler(n)", 1000, "a row has at most 200 coins"),
        ("fibonacci(n)", 1_000_000, "its values are known only from its graph"),
        ("euclid(a,b)", 3000, "larger than the limit, 4,100,000"),
    ],
)
def test_tables_that_are_too_large_say_why(game, size, told):
    with pytest.raises(LimitError, match=told):
        laws.law_table(game, size=size)


@pytest.mark.parametrize("game", ["nim(a)", "ruler(n)", "n' < n"])
def test_a_table_without_positions_is_refused(game):
    with pytest.raises(ParameterError, match="invalid size 0: expected an integer of 1 or more"):
        laws.find(game, size=0)


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
    assert len(laws.law_table(f"{path}:Pairs(n)", max_positions=5000, run_rules=True).values) == 128


def test_a_letter_beside_a_digit_stands_for_no_number():
    with pytest.raises(ParseError, match="found '2n'"):
        laws.find("kayles(2n)")


def test_a_false_value_of_misere_play_is_not_proved():
    move = DeclaredMoves(("n",), ("n - n' in {1, 2}",))
    claimed = set_of(numeration_of("base 2"), "value = n % 3", ("n", "value"))
    steps = decide_induction(move, claimed, misere=True)
    assert (
        next(step.text for step in steps if step.example is not None)
        == "under misère play the value of a position without a move is 1"
    )


@pytest.mark.parametrize("game", ["grundy(n)", "octal{0.007}(n)"])
def test_an_automaton_that_is_a_list_is_no_law(game):
    assert laws.find(game, size=30_000) == []


def test_euclid_under_misere_play_needs_no_size():
    (law,) = laws.find("euclid(a,b)", misere=True)
    assert (law.status, law.largest) == ("proved", (39, 39))


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
        (law,) = (law for law in laws.find(self.NIM, misere=True, size=60) if law.about == "P-positions")
        assert (law.status, law.text[:28]) == ("proved", "P-positions of misère play: ")
        assert [(a, b) for a in range(5) for b in range(5) if law(a, b)] == [(0, 1), (1, 0), (2, 2), (3, 3), (4, 4)]

    def test_totals_are_found(self):
        law = laws.find("a' < a and b' - b = 2*(a - a'); b' < b and a' = a", size=40)
        assert {each.status for each in law} <= {"proved", "holds"}

    def test_a_number_that_does_not_matter(self):
        values, lost = laws.find("a' = a and b' < b and b - b' <= 3", size=40)[:2]
        assert [values.text, lost.text] == ["g(a,b) = b % 4", "P-positions: b % 4 = 0"]
        assert repr(lost).startswith("<Law P-positions: b % 4 = 0; proved: automaton of 3 states")

    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("n' = n + 1", "no weighted total of the numbers was found"),
            ("a' < a; b' < b", "the move a' < a does not restrict b', so b may grow: add b' = b if"),
            ("a' = a - 1 and b' = b + 5", "moves may raise b .* lead out of a table of any size"),
            ("n' < n where n > 9000", "the condition n > 9000 excludes all positions with numbers below 4,096"),
            ("a' = a - 1 and b' = b + 1 where a + b > 250", "with numbers below 200, moves may lead to larger numbers"),
            ("n' < m'; q' < p; a' = b", "6 letters for numbers"),
            ("n' = (0, 1, 2)[n]", r"the term \(0, 1, 2\)\[n\] has no value for some numbers"),
            ("n' <", "is not a formula or statement"),
            ("n' < n and f(n) = 3", "cannot contain"),
        ],
    )
    def test_what_is_refused(self, text, told):
        with pytest.raises((ParameterError, LimitError), match=told):
            laws.find(text)


@pytest.mark.parametrize("declared", ["n' < n", DeclaredMoves(("a", "b"), ("a' < a and b' = b",))])
def test_declared_moves_of_another_kind_are_refused(tmp_path, monkeypatch, declared):
    monkeypatch.chdir(tmp_path)
    lines = (
        "from graphgame import Ruleset",
        "from graphgame.rules.declared import DeclaredMoves",
        "class Mine(Ruleset):",
        "    options = lambda self, n: range(n)",
        f"    declared_moves = lambda self, size: {declared!r}",
    )
    (tmp_path / "rules.py").write_text("\n".join(lines))
    with pytest.raises(RulesetError, match=r"declared_moves\(1\) returns .*: expected None, DeclaredMoves with 1 name"):
        laws.find("rules.py:Mine(n)", run_rules=True)


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


def test_a_refutation_under_misere_play_lists_the_values_of_misere_play(tmp_path):
    path = tmp_path / "rules.py"
    path.write_text(
        "from graphgame import Ruleset\n"
        "class Half(Ruleset):\n"
        "    def options(self, n):\n"
        "        return [m for m in range(n) if n - m in (1, 3, 4) or (n > 7 and m == n // 2)]\n"
    )
    table = laws.law_table(f"{path}:Half(n)", size=30, misere=True, run_rules=True)
    ends = {7: (3, 4, 6), 14: (7, 10, 11, 13)}
    assert {n: table.option_values((n,)) for n in ends} == {
        n: {int(table.values[end]) for end in each} for n, each in ends.items()
    }


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

    @pytest.mark.parametrize("text", ["(0, 1)[n] = 1", "not (0, 1)[n // 9] = 1", "(1, 0)[n - 1] = 0"])
    def test_a_choice_without_value_is_no_statement(self, text):
        with pytest.raises(ParameterError):
            set_of(numeration_of("base 2"), text, ("n",))

    def test_a_choice_within_its_bounds(self):
        found = set_of(numeration_of("base 2"), "((3, 1, 2)[n] if n < 3 else n - 3) = 1", ("n",))
        assert [n for n in range(9) if found.contains(n=n)] == [1, 4]
        below_0 = set_of(numeration_of("base 2"), "(0 if n < 3 else n - 5) = 1", ("n",))
        assert [n for n in range(9) if below_0.contains(n=n)] == [6]

    def test_positions_beyond_64_bits_and_below_0(self):
        (law,) = laws.find("moore{2}(a,b,c)", size=9)
        assert (law(10**30, 10**30, 10**30), law(10**30, 10**30, 1)) == (True, False)
        with pytest.raises(ParameterError, match="0 or more"):
            law(1, -1, 2)

    @pytest.mark.parametrize("text", ["-" * 1500 + "n", "(" * 150 + "n" + ")" * 150, "+".join(["n"] * 900)])
    def test_deep_text_is_refused_or_read(self, text):
        try:
            Formula(text, ("n",))(1)
        except ParameterError as error:
            assert "deep" in str(error) or "is not a formula or statement" in str(error)  # noqa: PT017

    def test_periods_that_would_take_hours_are_not_looked_for(self):
        assert [law.text for law in laws.find("split{2..3}(n)")] == ["P-positions: n in {0, 1}"]

    def test_a_large_table_is_refused(self):
        with pytest.raises(LimitError, match="a table of 10,000,000,000 entries"):
            laws.find("nim(a,b)", size=100_000)
