"""What is said of rules that are wrong: the line, what was done there, and what may be meant."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import graphgame
from graphgame import explore
from graphgame.cli import main
from graphgame.errors import RulesetError
from graphgame.games import ruleset
from graphgame.rules.ruleset import Ruleset

HEAD = "from graphgame import Ruleset, Sum\nclass G(Ruleset):\n    start = 5\n"


def said(tmp_path, body, *, command="solve", source="rules.py:G", head=HEAD):
    """Return what a command says of rules whose class has this body."""
    (tmp_path / "rules.py").write_text(head + "".join(f"    {line}\n" for line in body.splitlines()))
    done = CliRunner().invoke(main, [command, source])
    assert done.exit_code == 2, done.output
    return done.output


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "def options(self, n):\n    return [n - 1, n // (n - 3)]",
            "rules.py:5 in options: ZeroDivisionError: integer division or modulo by zero, at position 3, "
            "an option of 4\n",
        ),
        (
            "def options(self, n):\n    return [x for x in range(n) if x / 0]",
            "rules.py:5 in options: ZeroDivisionError",
        ),
        ("def options(self, n):\n    return half(n)", "rules.py:5 in options: NameError: name 'half' is not defined"),
        ("def options(self, n):\n    [n - 1]", "rules.py:4 in options: TypeError: None is returned: expected the opt"),
        (
            "def options(self, n):\n    return n - 1",
            "rules.py:4 in options: TypeError: 4 is returned: expected the opt",
        ),
        ("def options(self, n):\n    return 'ab'", "rules.py:4 in options: TypeError: 'ab' is returned: expected the "),
        ("def options(n):\n    return [n - 1]", "rules.py:4 in options: TypeError: G.options() takes 1 positional arg"),
        ("def options(self, n):\n    return self.options(n)", "rules.py:5 in options: RecursionError: maximum recurs"),
        (
            "def options(self, n):\n    return [[n - 1]]",
            "rules.py:4 in options: position [4], an option of 5, is not hashable: use tuples in place of lists",
        ),
        ("def options(self, n):\n    return [{n}]", "is not hashable: use a frozenset in place of a set"),
        ("def options(self, n):\n    return [{n: 1}]", "is not hashable: use a tuple of pairs in place of a dict"),
        ("def options(self, n):\n    return [(n, {n})]", "is not hashable: use a frozenset in place of a set"),
        (
            "def options(self, n):\n    return [(x for x in range(n))]",
            "rules.py:4 in options: TypeError: an option is an iterator: list its items, or use yield from",
        ),
        (
            "def options(self, n):\n    return [(k, n - k) for k in range(1, n)]",
            "at position (1, 4), an option of 5; is this option meant to be Sum([1, 4])?",
        ),
        (
            "def options(self, n):\n    return [(k, n**9999) for k in range(1, n)]",
            "an option of 5; is this option meant to be Sum(<list with a very large integer>)?",
        ),
        (
            "def options(self, n):\n    return [(*range(n * 100),)]",
            "is this option meant to be Sum([0, 1, 2, 3, 4, 5, 6, 7, 8, ...94, 495, 496, 497, 498, 499])?",
        ),
        (
            "def options(self, n):\n    return [Sum([k, n - k - 1 or '']) for k in range(n)]",
            "at position '', a part of an option of 5",
        ),
        ("def option(self, n):\n    return []", "class G has no method options: is option meant to be options?"),
        ("def moves(self, n):\n    return []", "class G has no method options\n"),
        (
            "def __init__(self, k):\n    self.k = k\ndef options(self, n):\n    return []",
            "class G needs arguments, (k), and has no classmethod from_text to read them from braces",
        ),
        ("def options(self, n):\n    return [n ** ]", "rules.py:5: SyntaxError: invalid syntax\n"),
    ],
)
def test_one_mistake(tmp_path, body, message):
    assert message in said(tmp_path, body)


def test_a_method_that_nothing_calls(tmp_path):
    body = "def options(self, n):\n    return range(n)\ndef closedform(self, n):\n    return n"
    assert "graphgame does not call closedform: is it meant to be closed_form?" in said(tmp_path, body, command="check")


def test_braces_that_nothing_reads(tmp_path):
    body = "def options(self, n):\n    return []\n@classmethod\ndef form_text(cls, text):\n    return cls()"
    told = said(tmp_path, body, source="rules.py:G{3}(4)")
    assert "G takes none, as it has no classmethod from_text: is form_text meant to be from_text?" in told


def test_positions_that_are_never_equal(tmp_path):
    head = f"class Heap:\n    def __init__(self, size):\n        self.size = size\n\n{HEAD}".replace(
        "start = 5", "start = Heap(5)"
    )
    body = "def options(self, heap):\n    return [Heap(size) for size in range(heap.size)]"
    told = said(tmp_path, body, command="check", head=head)
    assert "two objects of Heap are never equal: give this class __eq__ and __hash__, or use tuples" in told


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("rules.py:H", "rules.py has no ruleset 'H': the file defines Other, Game\n"),
        ("rules.py:game", "rules.py has no ruleset 'game': did you mean Game?"),
        (
            "rules.py:helper",
            "in rules.py, 'helper' is not a ruleset, because it is not a subclass of graphgame.Ruleset: the file "
            "defines ",
        ),
        ("rules.py", "a file of rules: add the name of a class in it, as in rules.py:Other or rules.py:Other(7); its "),
        ("rules.py(7)", 'did you mean "rules.py:Other(7)" or "rules.py:Game(7)"?'),
        ("rules.py:Game 7", 'did you mean "rules.py:Game(7)"?'),
        ("rules Game", 'did you mean "rules.py:Game"?'),
    ],
)
def test_a_class_that_is_not_named_right(tmp_path, source, message):
    head = "from graphgame import Ruleset\ndef helper(n):\n    return n\nclass Game(Ruleset):\n"
    body = "def options(self, n):\n    return []"
    head = head.replace("class Game", "class Other(Ruleset):\n    def options(self, n):\n        return []\nclass Game")
    assert message in said(tmp_path, body, source=source, head=head)


def test_a_start_that_is_a_list(tmp_path):
    told = said(tmp_path, "def options(self, n):\n    return []", head=HEAD.replace("5", "[3, 4]"))
    assert told.endswith("position [3, 4] is not hashable: use tuples in place of lists\n")
    with pytest.raises(RulesetError, match=re.escape("explore(rules, *[3, 4])")):
        explore(ruleset("nim"), [3, 4])


def test_a_closed_form_of_the_wrong_kind(tmp_path):
    told = said(tmp_path, "def options(self, n):\n    return range(n)\ndef closed_form(self, n):\n    return str(n)")
    assert "rules.py:6 in closed_form: TypeError: '5' is returned: expected int or None, at position 5\n" in told


def test_halves_that_are_floats(tmp_path):
    body = "def options(self, n):\n    return [n / 2] if n > 1 else []"
    assert "position 2.5 is a float: divide integers by //" in said(tmp_path, body, command="check")


def test_a_name_that_was_not_imported(tmp_path):
    told = said(tmp_path, "def options(self, n):\n    return []", head=HEAD.split("\n", 1)[1])
    assert (
        "rules.py:1: NameError: name 'Ruleset' is not defined (add: from graphgame import "
        "Ruleset), while the rules file rules.py"
    ) in told


@pytest.mark.parametrize(("names", "advice"), [("Sum, ruleset", "Ruleset"), ("Sum, SOLVE as f", "solve"), ("x", "")])
def test_a_name_that_is_not_there_to_import(tmp_path, names, advice):
    told = said(tmp_path, "def options(self, n):\n    return []", head=f"from graphgame import {names}\n{HEAD}")
    assert "rules.py:1: ImportError: cannot import name " in told
    assert ("(add: from graphgame import" in told) == bool(advice)
    assert f"(add: from graphgame import {advice})" in told or not advice


def test_the_line_in_a_helper_of_the_file(tmp_path):
    head = f"def half(n):\n    return n // 0\n\n{HEAD}"
    told = said(tmp_path, "def options(self, n):\n    yield half(n)", head=head)
    assert "rules.py:2 in half: ZeroDivisionError: integer division or modulo by zero, at position 5\n" in told


@pytest.mark.long
def test_rules_that_run_off_are_told_from_large_ones(tmp_path):
    body = "def options(self, n):\n    return [n + 1, n - 1]"
    assert "play might never end: 5 -> 6 -> 7 -> " in said(tmp_path, body)
    assert "5 -> 6 -> 5" in said(tmp_path, body, command="check")


def test_outside_the_folder_the_whole_path_is_shown(tmp_path):
    class Broken(Ruleset):
        def options(self, n):
            return 1 // n

    with pytest.raises(RulesetError, match=rf"^{Path(__file__)}:\d+ in options: ZeroDivisionError"):
        explore(Broken(), 0)


def test_the_line_is_not_one_of_the_standard_library(tmp_path):
    body = """def options(self, n):
    return range(n)
def canonical(self, n):
    return n if n != 3 else n // 0
def picture(self, n):
    return heap(n)
def ways(self, n):
    return [Way(k) for k in range(n)]"""
    said(tmp_path, body, head="from graphgame.rules.pictures import *\n" + HEAD)
    report = CliRunner().invoke(main, ["check", "rules.py:G"]).output
    assert "lead to exactly the options: rules.py:8 in canonical: ZeroDivisionError" in report
    assert "collections" not in report


def test_the_line_in_a_folder_whose_name_begins_like_that_of_the_package():
    file = f"{Path(graphgame.__file__).parent}-rules/game.py"
    names = {"Ruleset": Ruleset}
    exec(compile("class G(Ruleset):\n    def options(self, n):\n        return 1 // n\n", file, "exec"), names)
    with pytest.raises(RulesetError, match=r"game\.py:3 in options: ZeroDivisionError"):
        explore(names["G"](), 0)
