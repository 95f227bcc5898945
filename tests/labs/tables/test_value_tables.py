"""Sequences and tables of values."""

import json
from itertools import product
from textwrap import dedent

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from graphgame import solve, value_table
from graphgame.cli import main
from graphgame.errors import CycleError, LimitError, NoPositionError, ParameterError, ParseError, UnknownPositionError
from graphgame.labs.tables import plot_values
from graphgame.labs.tables.boards import draw_table
from graphgame.labs.tables.value_tables import p_positions
from graphgame.rules.notation import parse_position
from tests import DATA

NAMES = ["take{1,3}", "nim", "kayles", "take{odd}"]


@given(st.sampled_from(NAMES), st.sampled_from(NAMES), st.integers(0, 5), st.integers(0, 3), st.integers(0, 3))
def test_each_entry_is_the_value_of_its_position(first, second, least, more, others):
    text = f"{first}({least}..{least + more}) + {second}(0..{others})"
    table = value_table(text)
    assert table.ranges == (range(least, least + more + 1), range(others + 1))
    for row, a in enumerate(table.ranges[0]):
        for column, b in enumerate(table.ranges[1]):
            position = parse_position(f"{first}({a}) + {second}({b})")
            assert table.values[row][column] == position.grundy
            assert table.outcomes[row][column] == position.outcome


@pytest.mark.parametrize("text", ["kayles({})", "take{{1,3}}({})", "nim({})"])
def test_misere_values_of_one_component(text):
    table = value_table(text.format("0..7"), misere=True)
    for size in range(8):
        solution = solve(text.format(size), misere=True)
        assert table.values[size] == [solution.grundy[size]]
        assert table.outcomes[size] == [solution.outcome[size]]


def test_sums_have_outcomes_alone_under_misere_play():
    table = value_table("take{1,2}(0..3) + nim(0..3)", misere=True)
    assert table.values is None
    texts = [[f"take{{1,2}}({a}) + nim({b})" for b in range(4)] for a in range(4)]
    expected = [[parse_position(text, misere=True).outcome for text in row] for row in texts]
    assert table.outcomes == expected


def test_a_table_of_outcomes_says_that_it_has_no_values():
    table = value_table("wythoff(1000000..1000005, 1000003)")
    assert table.values is None
    assert table.outcomes == [["N"]] * 6
    with pytest.raises(ParameterError, match=r"^this table has outcomes but no values: ask for outcomes=True"):
        table.entries()


def test_a_published_sequence():
    records = json.loads((DATA / "oeis-heaps.json").read_text(encoding="utf-8"))
    expected = next(record["expected"] for record in records if record["game"] == "Wythoff")
    assert value_table("wythoff(0..12, 0..12)").values == expected


def test_sizes_beyond_graphs():
    assert value_table("nim(1000000000000000000, 0..1)").values == [[10**18], [10**18 + 1]]


def test_ranges_in_braces_are_the_rulesets_own():
    assert value_table("take{1..3}(0..4)").values == [[0], [1], [2], [3], [0]]


def test_a_file_of_rules_runs_once(tmp_path):
    (tmp_path / "rules.py").write_text(
        "from graphgame import Ruleset\nfrom pathlib import Path\n"
        f"with Path({str(tmp_path / 'log')!r}).open('a') as log: log.write('x')\n"
        "class One(Ruleset):\n    def options(self, n):\n        return [n - 1] if n else []\n"
    )
    table = value_table(f"{tmp_path / 'rules.py'}:One(0..6)", run_rules=True)
    assert table.values == [[0], [1], [0], [1], [0], [1], [0]]
    assert (tmp_path / "log").read_text() == "x"


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("nim(5)", 6, "expected a range"),
        ("take{1..3}(5)", 7, r"a range in these braces belongs to the rules: expected a range in the position"),
        ("bash{3}(5..)", 10, r"expected a range, as in nim\(0..20\)"),
        ("nim(7..5)", 5, "the range goes down"),
        (f"nim(0..{'7' * 20_000})", 5, "a number of the range has more than 18 digits"),
        ("mixed(0..1,0..1,0..1)", 17, "at most two ranges"),
        ("nim(0..1,x)", 10, "but found 'x'"),
        ("nimm(0..1)", 1, "unknown game 'nimm'"),
        ("nim(0..1) + bash{0}(10..20)", 18, "expected 1 or more"),
        ("nim(0..1) + nim(3..4", 16, "is not closed"),
        ("chomp(9..10,11) + nim(0..9)", 13, "expected no row longer than the row above it"),
        ("wythoff(8, -0..1)", 12, "heap's size is -1"),
    ],
)
def test_faults_point_at_the_place(text, column, message):
    with pytest.raises(ParseError, match=message) as caught:
        value_table(text)
    assert (caught.value.column, caught.value.text) == (column, text)


@pytest.mark.parametrize("text", ["chomp({},{})", "silver-dollar({},{})", "wythoff{{2}}({},{})", "cram({}x{})"])
@pytest.mark.parametrize("misere", [False, True])
def test_numbers_that_are_no_position_are_left_out(text, misere):
    first, second = (range(1, 5), range(1, 4)) if "x" in text else (range(6), range(1, 5))
    spans = (f"{numbers[0]}..{numbers[-1]}" for numbers in (first, second))
    table = value_table(text.format(*spans), misere=misere)
    for a, b in product(first, second):
        try:
            graph = parse_position(text.format(a, b)).graph()
        except NoPositionError:
            with pytest.raises(UnknownPositionError, match="has no position"):
                table[a, b]
            assert table.outcomes[a - first[0]][b - second[0]] is None
        else:
            solution = solve(graph, misere=misere)
            assert table[a, b] == solution.grundy[graph.tokens[0]]
            assert table.outcomes[a - first[0]][b - second[0]] == ("P" if solution.winner == "second" else "N")


def test_a_table_of_a_search_is_that_of_the_graph(monkeypatch):
    texts = ["nogo(1x1..9)", "node-kayles(grid:1..3x1..4)", "cram(1x1..6) + chomp(3,1..3)", "arc-kayles(path:1..9)"]
    searched = [value_table(text).values for text in texts]
    monkeypatch.setattr("graphgame.labs.tables.value_tables.is_compiled", lambda part: False)
    assert searched == [value_table(text).values for text in texts]


def test_sums_with_sunny_and_loony_positions(tmp_path):
    rules = """
        from graphgame import Ruleset
        class Race(Ruleset):  # take 1 or 2; whoever empties a heap wins at once
            options = lambda self, n: [n - k for k in (1, 2) if n >= k]
            decided = lambda self, n: "P" if n == 0 else None
    """
    (tmp_path / "race.py").write_text(dedent(rules))
    game = f"{tmp_path / 'race.py'}:Race"
    text, count = f"{game}(0..4) + {game}(0..4)", range(5)
    cells = [[parse_position(f"{game}({a}) + {game}({b})", run_rules=True) for b in count] for a in count]
    assert value_table(text, run_rules=True).values == [[cell.grundy for cell in row] for row in cells]
    lost = [(a, b) for a, b in product(count, count) if cells[a][b].winner == "second"]
    assert list(p_positions(text, run_rules=True).pairs()) == lost


class TestBlanks:
    TABLE = value_table("chomp(1..2, 1..2)")

    def test_texts(self):
        assert self.TABLE.shown().splitlines() == ["    1   2", "1   1", "2  [0]  2"]
        assert "1 & 1 &  " in self.TABLE.to_latex()
        assert "<td></td>" in self.TABLE._repr_html_()
        assert self.TABLE.to_pandas().isna().to_numpy().tolist() == [[False, True], [False, False]]

    @pytest.mark.parametrize(
        ("options", "expected"),
        [
            (["--csv"], ",1,2\n1,1,\n2,0,2\n"),
            (["--csv", "--outcomes"], ",1,2\n1,N,\n2,P,N\n"),
        ],
    )
    def test_csv(self, options, expected):
        assert CliRunner().invoke(main, ["values", self.TABLE.text, *options]).stdout == expected

    def test_json(self):
        found = json.loads(CliRunner().invoke(main, ["values", self.TABLE.text, "--json"]).stdout)
        assert (found["grundy"], found["outcome"]) == ([[1, None], [0, 2]], [["N", None], ["P", "N"]])

    def test_pictures(self, tmp_path):
        plot_values(self.TABLE, tmp_path / "map.svg")
        plot_values(value_table("chomp(3, 1..5)"), tmp_path / "row.svg")
        draw_table(self.TABLE, tmp_path / "board.svg")
        assert "None" not in "".join(path.read_text() for path in tmp_path.iterdir())
        assert "N-position (2)" in (tmp_path / "map.svg").read_text()
        with pytest.raises(ParameterError, match="only outcomes: draw it with graphgame values --outcomes --plot"):
            draw_table(value_table("nim(0..1, 0..1)", misere=True), tmp_path / "none.svg")


def test_a_small_table_of_large_numbers_is_small():
    assert value_table("euclid(6000..6001, 6000..6001)").values == [[1, 0], [0, 1]]
    with pytest.raises(LimitError, match="a table that needs 400040001 entries"):
        value_table("wythoff{b <= 3a}(20000..20000, 20000..20000)")


def test_limits():
    with pytest.raises(
        LimitError, match="a table that needs 1000000 entries is larger than the limit, max_positions=1000"
    ):
        value_table("nim(1..1000, 1..1000)", max_positions=1000)
    with pytest.raises(LimitError, match="max_positions=5"):
        value_table("kayles(0..3) + mem(9)", max_positions=5)


def test_p_positions_under_misere_play_need_linear_moves():
    assert p_positions("georgia(1..3, 1..3)").count == 4
    with pytest.raises(ParameterError, match="under misère play, P-positions"):
        p_positions("georgia(1..3, 1..3)", misere=True)


def test_misere_is_true_or_false():
    with pytest.raises(ParameterError, match="invalid misere 'reverse': expected True or False"):
        value_table("nim(0..3)", misere="reverse")


def test_a_parameter_that_there_is_not():
    with pytest.raises(ParameterError, match="did you mean max_positions="):
        value_table("nim(0..3)", max_position=7)


class TestCycles:
    def test_values(self):
        table = value_table("wind-up{5:1,3}(0..4) + nim(0..1)", loopy=True)
        assert [list(map(str, row)) for row in table.values] == [
            ["0", "1"],
            ["inf(0)", "inf(1)"],
            ["inf(0)", "inf(1)"],
            ["inf(0)", "inf(1)"],
            ["0", "1"],
        ]
        assert table.outcomes == [["P", "N"], ["N", "D"], ["N", "D"], ["N", "D"], ["P", "N"]]

    @pytest.mark.parametrize("misere", [False, True])
    def test_each_entry_is_that_of_its_position(self, misere):
        table = value_table("wind-up{6:1,3}(0..5) + nim(0..2)", misere=misere, loopy=True)
        for hour, row in enumerate(table.outcomes):
            for size, outcome in enumerate(row):
                winner = solve(f"wind-up{{6:1,3}}({hour}) + nim({size})", misere=misere, loopy=True).winner
                assert outcome == {"second": "P", "first": "N", "draw": "D"}[winner]

    def test_the_command(self):
        result = CliRunner().invoke(main, ["values", "wind-up{5:1,3}(0..2)", "--loopy", "--csv"])
        assert result.stdout == "n,grundy,outcome\n0,0,P\n1,inf(0),N\n2,inf(0),N\n"
        result = CliRunner().invoke(main, ["values", "wind-up{5:1,3}(0..2)"])
        assert result.exit_code == 2
        assert result.stderr.endswith("; --loopy solves games with cycles too\n")
        with pytest.raises(CycleError, match=r"loopy=True solves games with cycles too$"):
            value_table("wind-up{5:1,3}(0..2)")

    def test_a_value_that_holds_two_is_quoted(self, tmp_path):
        rules = tmp_path / "rules.py"
        rules.write_text(
            "from graphgame import Ruleset\n\n\nclass Pass(Ruleset):\n    loopy = True\n\n"
            "    def options(self, n):\n        return [n, 0, 1] if n > 2 else range(n)\n\n"
            "    def parse(self, text):\n        return int(text)\n"
        )
        result = CliRunner().invoke(main, ["values", f"{rules}:Pass(2..3)", "--loopy", "--csv"])
        assert result.stdout == 'n,grundy,outcome\n2,2,N\n3,"inf(0,1)",N\n'


class TestTakenAway:
    def test_shown_at_a_prompt_and_in_a_notebook(self):
        table = value_table("nim(0..1, 0..2)")
        assert repr(table).splitlines() == ["    0   1   2", "0  [0]  1   2", "1   1  [0]  3"]
        assert table._repr_html_().startswith("<table><tr><th></th><th>0</th><th>1</th><th>2</th></tr><tr><th>0</th>")
        assert "<td><b>0</b></td><td>1</td>" in table._repr_html_()
        large = value_table("nim(0..100, 0..100)")
        assert (repr(large), large._repr_html_()) == ("<ValueTable of nim(0..100, 0..100)>", None)

    def test_a_dataframe(self):
        frame = value_table("wythoff(2..4, 1..3)").to_pandas()
        assert (frame.index.tolist(), frame.columns.tolist()) == ([2, 3, 4], [1, 2, 3])
        assert frame.loc[2, 1] == 0
        assert frame.dtypes.unique().tolist() == ["int64"]

    def test_a_sequence(self):
        frame = value_table("kayles(2..4)", misere=True).to_pandas()
        assert frame.to_dict("list") == {"misere": [2, 3, 0], "outcome": ["N", "N", "P"]}
        assert (frame.index.tolist(), frame.index.name) == ([2, 3, 4], "n")

    def test_a_sum_under_misere_play_has_outcomes_alone(self):
        table = value_table("nim(1,0..2)", misere=True)
        assert table.to_pandas(outcomes=True)["outcome"].tolist() == ["P", "N", "N"]
        assert repr(table).split() == ["0", "1", "2", "[P]", "N", "N"]
        with pytest.raises(ParameterError, match="this table has outcomes but no values: ask for outcomes=True"):
            table.to_latex()

    def test_a_large_table_in_latex_stays_whole_and_can_be_scaled(self):
        assert "longtable" not in value_table("nim(0..50, 0..50)").to_latex()
        assert "longtable" in value_table("nim(0..500)").to_latex()

    def test_values_by_the_numbers_of_the_ranges(self):
        assert value_table("nim(3..5, 70..72)")[4, 71] == 4 ^ 71
        assert [value_table("kayles(3..8)")[n] for n in (3, 8)] == [3, 1]

    @pytest.mark.parametrize("numbers", [(2, 70), (3, 73), 3, (3, 70, 0), slice(3, 4), "3"])
    def test_other_numbers_are_refused(self, numbers):
        with pytest.raises(UnknownPositionError, match=r"is not in the table: expected numbers of 3\.\.5, 70\.\.72"):
            value_table("nim(3..5, 70..72)")[numbers]

    def test_a_table_is_no_sequence(self):
        with pytest.raises(TypeError, match="not iterable"):
            list(value_table("kayles(0..3)"))
        with pytest.raises(ParameterError, match="this table has outcomes but no values: ask for outcomes=True"):
            value_table("nim(1,0..2)", misere=True)[0]

    def test_infinite_values_in_latex(self):
        lines = value_table("wind-up{5:1,3}(0..4)", loopy=True).to_latex().splitlines()
        assert lines[5].startswith(r"\textbf{0} & $\infty_{0}$ & ")
