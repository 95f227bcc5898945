"""The notation, and positions that add up."""

import re
import sys
from pathlib import Path

import pytest

from graphgame import solve
from graphgame.errors import ParseError, RulesetError, UnknownPositionError
from graphgame.games import ruleset
from graphgame.rules.notation import is_notation, parse_position
from graphgame.rules.position import Component

CHIPS = "6 8 4\n2 1\n2 4\n1 4\n1 5\n4 5\n1 3\n3 5\n3 6\n1 2 4 6\n"


@pytest.fixture
def chips(tmp_path):
    path = tmp_path / "chips.txt"
    path.write_text(CHIPS)
    return str(path)


class TestParse:
    @pytest.mark.parametrize(
        ("text", "shown", "value"),
        [
            ("nim(3,4,5)", "nim(3) + nim(4) + nim(5)", 2),
            ("nim(1000000000000000000, 1)", "nim(1000000000000000000) + nim(1)", 10**18 + 1),
            ("*5 + nim(1)", "nim(5) + nim(1)", 4),
            ("wind-up{4:1}(3) + nim(5)", "wind-up{4:1}(3) + nim(5)", 1 ^ 5),
            ("cutting(4x2)", "cutting(4x2)", 1),
            ("  nim( 3 )  ", "nim(3)", 3),
        ],
    )
    def test_value(self, text, shown, value):
        position = parse_position(text)
        assert str(position) == shown
        assert str(parse_position(shown)) == shown
        assert position.grundy == value

    @pytest.mark.parametrize(
        ("text", "column", "message"),
        [
            ("nim(3,x)", 7, "expected an integer, a heap's size, but found 'x'"),
            (f"nim(3,{'7' * 20_000})", 7, "a heap's size has 20,000 digits: expected at most 4,000"),
            ("nim(-1)", 5, "a heap's size is -1: expected 0 or more"),
            ("nim(3) + nim(4, 5q)", 17, "but found '5q'"),
            ("wind-up{0:1}(4)", 9, "the number of hours is 0: expected 1..1000000"),
            ("wind-up{:1}(4)", 9, "expected an integer"),
            ("cutting(4y2)", 9, "expected two sides, such as 4x2, but found '4y2'"),
            ("cutting(4x0)", 11, "a side is 0"),
            ("nim{3}(4)", 5, "unexpected arguments: Nim takes none"),
            ("nim(3", 4, "the bracket ( is not closed: expected )"),
            ("wind-up{1,3(5)", 8, "the bracket { is not closed: expected }"),
            ("nim(3))", 7, "expected + or the end of the text after a position"),
            ("*1 + nim(3) nim(4)", 13, "expected + or the end of the text after a position"),
            ("wind-up{3:1}", 13, "expected a position in parentheses"),
            ("nowhere@a", 1, "there is no file of this name"),
            ("nim(3) + ", 9, "expected a position, such as nim"),
            ("+nim(3)", 1, "expected a position, such as nim"),
            ("nowhere.txt@4", 1, "there is no file of this name"),
        ],
    )
    def test_errors_point_at_the_place(self, text, column, message):
        with pytest.raises(ParseError, match=re.escape(message)) as caught:
            parse_position(text)
        assert caught.value.column == column
        assert caught.value.text == text

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("(" * 400_000, "parentheses are nested too deeply: expected at most 20 levels"),
            ("a.py:" * 24_000, "expected + or the end of the text after a position"),
            ("nim" + " " * 100_000 + "(1)x", "expected + or the end of the text after a position"),
            ("a.py:A" + " " * 100_000 + "(1)x", "expected + or the end of the text after a position"),
            ("a|" * 200_000, "there is no file of this name"),
            ("&".join(["nim(3)"] * 101), "the compound has more than 100 components"),
            ("nim(1)+" * 150_000, "the text has 1050000 characters: expected at most 1000000"),
        ],
        ids=lambda given: given[:12].strip(),
    )
    def test_long_texts(self, text, message):
        with pytest.raises(ParseError, match=re.escape(message)):
            parse_position(text)

    @pytest.mark.parametrize("text", ["+".join(["nim(3)"] * 17_000), "nim(" + ",".join("3" * 17_000) + ")"])
    def test_many_terms(self, text):
        assert len(parse_position(text).components) == 17_000

    def test_unknown_game(self):
        with pytest.raises(RulesetError, match="unknown game 'nimm': did you mean nim"):
            parse_position("nimm(3)")

    @pytest.mark.parametrize(
        ("text", "column", "message"),
        [
            ("nim(3) + NIM(3)", 10, "unknown game 'NIM': did you mean nim"),
            ("nim(3) + cuting(3)", 10, "unknown game 'cuting': did you mean cutting"),
            ("wind-up(5)", 8, "wind-up needs braces, as in wind-up{7: 1,2,5}(3)"),
        ],
    )
    def test_names_and_braces(self, text, column, message):
        with pytest.raises(ParseError, match=re.escape(message)) as caught:
            parse_position(text)
        assert (caught.value.column, caught.value.text) == (column, text)

    @pytest.mark.parametrize(
        ("rest", "column", "message"),
        [
            (":One{3}(5", 8, "the bracket ( is not closed: expected )"),
            (":One{3(5)", 5, "the bracket { is not closed: expected }"),
            (":One(5))", 8, "expected + or the end of the text after a position"),
            (":One@5", 5, "expected + or the end of the text after a position"),
            ("", 1, "add the name of a class in it, as in {path}:One or {path}:One(7); its classes are One, Two"),
            (":{3}(5)", 1, "its classes are One, Two"),
        ],
    )
    def test_rules_of_ones_own(self, tmp_path, rest, column, message):
        path = tmp_path / "rules (1).py"
        path.write_text("raise SystemExit\nclass One(Rules): pass\nclass Two(One): pass\nclass Helper: pass\n")
        with pytest.raises(ParseError, match=re.escape(message.replace("{path}", str(path)))) as caught:
            parse_position(f"{path}{rest}")
        assert caught.value.column == len(str(path)) + column

    @pytest.mark.parametrize("text", ["", "def", "x = 1"])
    def test_rules_without_a_class(self, tmp_path, text):
        path = tmp_path / "rules.py"
        path.write_text(text)
        with pytest.raises(
            ParseError, match=r"add the name of a class in it, as in .*rules.py:MyGame or .*MyGame.7.\n"
        ):
            parse_position(str(path))

    def test_a_directory(self, tmp_path):
        with pytest.raises(ParseError, match="directory"):
            parse_position(f"*1 + {tmp_path}@4")

    @pytest.mark.parametrize(
        ("text", "expected"), [("nim(3)", True), ("-", False), ("game.txt", False), ("rules.py", True), ("*3", True)]
    )
    def test_is_notation(self, text, expected):
        assert is_notation(text) == expected

    def test_a_file_of_such_a_name_is_a_file(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        (tmp_path / "nim(3)").write_text("1 2\n")
        assert not is_notation("nim(3)")


class TestOwnNames:
    """Rules in a file may have any name of Python, and a position in quotes."""

    @pytest.mark.parametrize(
        ("text", "options"),
        [
            ("数字(2)", ["0", "1"]),
            ('数字("2")', ["0", "1"]),
            ("Coins_2('TH')", ["T"]),
            ('Coins_2("TH")', ["T"]),
            ("Coins_2(TH)", ["T"]),
        ],
    )
    def test_any(self, text, options, tmp_path):
        path = tmp_path / "rules.py"
        path.write_text(
            "from graphgame import Ruleset\n"
            "class 数字(Ruleset):\n"
            "    def options(self, position):\n        return range(position)\n"
            "    def parse(self, text):\n        return int(text)\n"
            "class Coins_2(Ruleset):\n"
            "    def options(self, position):\n        return [position[:-1]] if position else []\n"
            "    def parse(self, text):\n        return text\n",
            encoding="utf-8",
        )
        graph = parse_position(f"{path}:{text}", run_rules=True).graph()
        assert sorted(map(str, graph.successors(graph.tokens[0]))) == options


class TestFiles:
    def test_tokens_of_a_file(self, chips):
        position = parse_position(chips)
        assert [component.position for component in position.components] == [1, 2, 4, 6]
        assert position.grundy == 3

    def test_one_position_and_a_heap(self, chips):
        position = parse_position(f"{chips}@1 + *2")
        assert (position.grundy, position.outcome, position.under(misere=True).outcome) == (0, "P", "P")

    def test_unknown_position(self, chips):
        text = f"*2 + {chips}@9"
        with pytest.raises(UnknownPositionError, match=r"'9' .* 1 to 6\n") as e:
            parse_position(text)
        assert (e.value.column, e.value.text) == (len(text), text)
        assert str(e.value).splitlines()[2].index("^") == len(str(e.value).splitlines()[1]) - 1

    def test_several_minus_signs_are_no_integer(self, chips):
        with pytest.raises(UnknownPositionError, match="'--3'"):
            parse_position(f"{chips}@--3")

    def test_no_position(self, chips):
        with pytest.raises(ParseError, match="@") as caught:
            parse_position(f"{chips}@ + *2")
        assert caught.value.column == len(chips) + 2

    def test_similar_positions(self, tmp_path):
        path = tmp_path / "game.edges"
        path.write_text("start middle\nmiddle end\n")
        with pytest.raises(UnknownPositionError, match="did you mean 'middle'"):
            parse_position(f"{path}@midle")

    def test_an_error_in_the_file_keeps_its_place(self, tmp_path):
        path = tmp_path / "game.txt"
        path.write_text("2 1 1\n1 7\n1\n")
        with pytest.raises(
            ParseError, match=(r"game.txt:2:3: there is no vertex 7: expected a number from 1 to 2 .*\n    1 7")
        ):
            parse_position(f"*1 + {path}@1")

    def test_file_without_tokens(self, tmp_path):
        path = tmp_path / "game.edges"
        path.write_text("a b\n")
        with pytest.raises(ParseError, match="FILE@POSITION"):
            parse_position(f"{path} + *1")


class TestOwnRules:
    RULES = """
from graphgame import Ruleset

class Square(Ruleset):
    start = 10
    def options(self, heap):
        return [heap - k * k for k in range(1, heap + 1) if k * k <= heap]

class Other:
    pass
"""

    @pytest.fixture
    def rules(self, tmp_path):
        path = tmp_path / "rules.py"
        path.write_text(self.RULES)
        return str(path)

    def test_start_and_position(self, rules):
        assert parse_position(f"{rules}:Square", run_rules=True).grundy == 0
        assert parse_position(f"{rules}:Square(11)", run_rules=True).grundy == 1

    def test_neighbours_of_one_name_in_two_folders_are_apart(self, tmp_path):
        for folder, least in (("a", 1), ("b", 2)):
            (tmp_path / folder).mkdir()
            (tmp_path / folder / "steps.py").write_text(f"def down(n):\n    return range({least - 1}, n)\n")
            (tmp_path / folder / "game.py").write_text(
                "from graphgame import Ruleset\nfrom steps import down\n"
                "class Mine(Ruleset):\n    def options(self, n):\n        return down(n)\n"
            )
        names = [f"{tmp_path}/{folder}/game.py:Mine(5)" for folder in "abab"]
        assert [parse_position(name, run_rules=True).grundy for name in names] == [5, 4, 5, 4]
        assert parse_position(" + ".join(names[:2]), run_rules=True).nim_sum == 1

    def test_a_neighbour_that_was_changed_is_read_again(self, tmp_path):
        (tmp_path / "game.py").write_text(
            "from graphgame import Ruleset\nfrom factor import FACTOR\n"
            "class Mine(Ruleset):\n    def options(self, n):\n        return range(n // FACTOR)\n"
        )
        for factor, value in ((1, 6), (2, 2), (100, 0)):
            (tmp_path / "factor.py").write_text(f"FACTOR = {factor}{' ' * factor}\n")
            assert parse_position(f"{tmp_path}/game.py:Mine(6)", run_rules=True).grundy == value

    def test_a_file_imports_its_neighbours_after_what_is_installed(self, rules, tmp_path):
        (tmp_path / "squares_of_mine.py").write_text(Path(rules).read_text())
        (tmp_path / "colorsys.py").write_text("raise SystemExit")
        mine = tmp_path / "mine.py"
        mine.write_text("import colorsys\nfrom squares_of_mine import Square\n\nclass Twice(Square):\n    start = 12\n")
        before = list(sys.path)
        assert parse_position(f"{mine}:Twice", run_rules=True).grundy == 0
        assert sys.path == before

    def test_a_neighbour_that_fails_is_named(self, tmp_path):
        (tmp_path / "failing_neighbour.py").write_text("\n1/0")
        (tmp_path / "mine.py").write_text("import failing_neighbour")
        with pytest.raises(
            RulesetError, match=(r"neighbour.py:2: ZeroDivisionError.*, while the rules file .*mine.py is loaded")
        ):
            parse_position(f"{tmp_path / 'mine.py'}:Game(1)", run_rules=True)

    @pytest.mark.parametrize(
        ("name", "said"),
        [
            ("Other", "in .*, 'Other' is not a ruleset, because it is not a subclass of graphgame.Ruleset"),
            ("Missing", "has no ruleset 'Missing'"),
        ],
    )
    def test_no_such_class(self, rules, name, said):
        with pytest.raises(RulesetError, match=f"{said}: the file defines Square$"):
            parse_position(f"{rules}:{name}(3)", run_rules=True)

    @pytest.mark.parametrize("body", ["1/0", "import nowhere_at_all", "def"])
    def test_a_file_that_fails(self, tmp_path, body):
        (tmp_path / "bad.py").write_text(body)
        with pytest.raises(RulesetError, match=r"bad.py:1: (ZeroDivision|ModuleNotFound|Syntax)Error"):
            parse_position(f"{tmp_path / 'bad.py'}:Game(1)", run_rules=True)

    def test_missing_file(self, tmp_path):
        with pytest.raises(FileNotFoundError):
            parse_position(f"{tmp_path / 'none.py'}:Game(1)", run_rules=True)


F90 = 2880067194370816120

RULES = ["take{1,2,3}", "take{odd}", "nim", "bash{2}", "take{not 1}"]


class TestSums:
    def test_adding(self):
        total = parse_position("nim(3)") + parse_position("cutting(4x2)")
        assert (str(total), total.grundy) == ("nim(3) + cutting(4x2)", 2)
        for add in (lambda: total + 3, lambda: 3 + total):
            with pytest.raises(TypeError, match=r"\b3\b"):
                add()

    def test_equal_positions(self):
        assert parse_position("nim(3) + *4") == parse_position("nim(3,4)")
        assert parse_position("nim(3)") != parse_position("wind-up{4:1}(3)")
        assert len({parse_position("nim(3)"), parse_position("*3")}) == 1

    def test_sum(self):
        assert sum([parse_position("nim(3)"), parse_position("nim(5)")]) == parse_position("nim(3,5)")

    def test_splitting_moves_are_shown_as_sums(self):
        (move,) = parse_position("cutting(4x2)").winning_moves()
        assert str(move.end) == "cutting(2x2) + cutting(2x2)"

    def test_one_ruleset_keeps_its_own_positions(self):
        assert set(parse_position("nim(1,2)").graph()) == {0, 1, 2}

    def test_several_rulesets_keep_apart(self):
        graph = parse_position("nim(1) + wind-up{2:1}(1)").graph()
        assert sorted(map(str, graph)) == ["nim(0)", "nim(1)", "wind-up{2:1}(0)", "wind-up{2:1}(1)"]
        assert graph.number_of(Component("nim", ruleset("nim"), 1)) >= 0
        assert solve(graph).winner == "second"


def _options(rules, heap):
    name, _, arguments = rules.rstrip("}").partition("{")
    return list(ruleset(name, arguments).options(heap))
