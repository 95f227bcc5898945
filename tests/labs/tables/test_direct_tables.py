"""Tables that take no graph: equal to the values of the graph on small sizes, of every game that has any."""

from itertools import product

import pytest

from graphgame import parse_position, solve, value_table
from graphgame.errors import NoPositionError, RulesetError
from graphgame.labs.tables import p_positions
from graphgame.play.match import adviser
from graphgame.text.positions import explain_position

TEXTS = [
    "fibonacci(0..11:0..14)",
    "fibonacci(9:0..9)",
    "fibonacci(0..9,0..5)",
    "fibonacci(2..12)",
    "mem(0..9:0..12)",
    "mem(0..9)",
    "take-away{a>=2k+1}(0..10:0..6)",
    "take-away{a>k}(0..9:0..9)",
    "take-away{a<3k+1}(0..10:0..4)",
    "take-away{a<k}(0..9:0..9)",
    "take-away{a!=k}(0..9:0..10)",
    "take-away{a!=2k+1}(0..9:0..6)",
    "take-away{a=k}(0..9:0..9)",
    "take-away{a=2k+1}(0..11:0..6)",
    "take-away{a<=3k}(3..12:2..5)",
    "staircase(0..3,0..4)",
    "staircase(2,0..3,1,0..2)",
    "staircase(0..9)",
    "georgia(1..5,1..6)",
    "georgia(3,1..5,1..4)",
    "silver-dollar(0..4,2,0..5)",
    "georgia{4}(4..6,4..8)",
    "georgia(1..3,1..3,1)",
    "poker-nim(0..4,3,0..5)",
    "cutting(1..9x1..11)",
    "cutting(3..7x4)",
    "chocolate(1..6x1..5)",
    "chocolate(2X1..5)",
    "bitter-chocolate(1..4x1..5)",
    "bitter-chocolate(4x5@1..4,1..5)",
    "bitter-chocolate(2..3x4@2,1..3)",
    "wythoff(0..5,0..4)+kayles(5)",
    "nim(3)+(chomp(1..4,0..3))+nim(2)",
    "cutting(2..5x4)+nim(1..3)",
    "code{0.3F}(0..20,3..9)",
    "octal{0.6}(4..40)",
    "split{2..3 not all equal}(0..14)",
]


def positions_of(table):
    """Yield the numbers of a table with their position, None where there is none."""
    for numbers in product(*table.ranges):
        filled = table.text
        for each, number in zip(table.ranges, numbers, strict=True):
            filled = filled.replace(f"{each[0]}..{each[-1]}", str(number), 1)
        try:
            yield numbers if numbers[1:] else numbers[0], parse_position(filled)
        except NoPositionError:
            yield None, None


def by_graph(position, misere=False):
    loopy = any(part.ruleset.loopy for part in position.components)
    return solve(position.graph(), misere=misere, loopy=loopy).nim_sum


@pytest.mark.parametrize("text", TEXTS)
def test_values_are_those_of_the_graph(text):
    table = value_table(text)
    told = {numbers: by_graph(position) for numbers, position in positions_of(table) if position is not None}
    assert {numbers: table[numbers] for numbers in told} == told
    outcomes = [outcome for row in table.outcomes for outcome in row]
    assert outcomes.count("P") == [*told.values()].count(0)
    assert outcomes.count(None) == len(outcomes) - len(told)


@pytest.mark.parametrize("text", ["mem(0..9:0..11)", "take-away{a<=3k}(0..9:0..4)", "take-away{a!=k}(0..8:0..9)"])
def test_misere_values_are_those_of_the_graph(text):
    table = value_table(text, misere=True)
    for numbers, position in positions_of(table):
        solution = solve(position.graph(), misere=True)
        assert table[numbers] == solution.grundy[solution.graph.tokens[0]], position


@pytest.mark.parametrize("text", ["staircase(0..9,3,2..40)", "georgia(5..30,2..9)", "chocolate(1..9x3..11)"])
def test_lost_positions_by_formulas(text):
    table = value_table(text)
    assert [row.tolist() for row in p_positions(text).rows()] == [[v == 0 for v in row] for row in table.values]


@pytest.mark.parametrize("name", ["mem(110:7)", "cutting(101x103)", "fibonacci(105:6)"])
def test_a_large_position_takes_the_table(name):
    position = parse_position(name)
    assert position.table.answers
    solution = solve(position.graph())
    assert position.values == (solution.grundy[solution.graph.tokens[0]],)
    ends = {str(move.end) for move in solution.winning_moves()}
    assert len(position.winning_moves()) == len(ends)


def test_misere_play_by_the_table():
    position = parse_position("wythoff(101,100)", misere=True)
    solution = solve(position.graph(), misere=True)
    assert (position.table.answers, position.grundy, position.outcome) == (True, solution.grundy[100, 101], "N")
    assert {move.end.position for move in position.winning_moves()} == {move.end for move in solution.winning_moves()}
    assert explain_position(parse_position("wythoff(2000,1236)", misere=True)).startswith("second player wins under")


@pytest.mark.parametrize(
    "text", ["wythoff(0..60,0..40)", "wythoff{2}(0..40,0..70)", "wythoff{5}(0..40,0..90)", "moore{2}(0..9,0..8,2)"]
)
def test_who_wins_under_misere_play_by_theorems(text):
    table = value_table(text, misere=True)
    for numbers, position in positions_of(table):
        assert position.under(misere=True).theorem.outcome == ("N" if table[numbers] else "P"), position


@pytest.mark.parametrize("text", ["wythoff(20000,18000)", "wythoff{3}(6000,10000)", "moore{2}(99,90000,70000)"])
def test_winning_moves_under_misere_play_by_theorems(text):
    position = parse_position(text, misere=True)
    moves, _ = position.first_winning_moves(3)
    assert {position.after(move).outcome for move in moves} == {"P"}
    assert position.text(moves[0].end) in explain_position(position)


def test_moore_of_ones_under_misere_play():
    rules = parse_position("moore{2}(1)").components[0].ruleset
    assert [rules.misere_outcome_form((1,) * count) for count in range(6)] == [*"NPNNPN"]


def test_components_of_a_game_share_a_table():
    position = parse_position("mem(130:4) + mem(90:50) + mem(7)")
    assert position.values == tuple(parse_position(f"mem({part})").values[0] for part in ("130:4", "90:50", "7"))


@pytest.mark.parametrize("text", ["moore{2}(90,80,100)", "wythoff(2000,1800)", "mem(1000)", "cutting(900x800)"])
def test_play_goes_by_theorems_and_tables(text):
    position = parse_position(text)
    advice = adviser(position)
    for _ in range(3):
        move = advice.best_move(position)
        if move is None:
            break
        assert advice.verdict(position).outcome == "N"
        position = position.after(move)
        assert advice.verdict(position).outcome == "P"
        reply = advice.best_move(position)
        position = position if reply is None else position.after(reply)


@pytest.mark.parametrize(
    ("method", "body", "message"),
    [
        ("value_array", "raise KeyError(3)", r"KeyError: 3"),
        ("value_array", "return 7", r"7 is returned: expected an int array of shape \(4, 5\)"),
        ("value_array", "return np.zeros((2, 2), int)", r"expected an int array of shape \(4, 5\)"),
        ("values_at", "return 0.5", r"expected an int array of shape \(4, 5\)"),
        ("values_at", "return None", r"expected an int array of shape \(4, 5\)"),
        ("values_at", "return [1, 2]", r"ValueError: operands could not be broadcast"),
        ("lost_bits", "return 'x'", r"'x' is returned: expected an int array of shape \[3\]"),
    ],
)
def test_methods_that_fail(tmp_path, method, body, message):
    head = "import numpy as np\nfrom graphgame import Ruleset\nclass Bad(Ruleset):\n    def options(self, pair):\n"
    (tmp_path / "bad.py").write_text(f"{head}        return []\n    def {method}(self, *given):\n        {body}\n")
    work = p_positions if method == "lost_bits" else value_table
    with pytest.raises(RulesetError, match=message):
        work(f"{tmp_path}/bad.py:Bad(0..3,0..4)", run_rules=True)
