"""Games named in the notation, at every command that takes a source."""

# ruff: noqa: F401, F811 - fixtures are imported

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphgame.labs.tables.value_tables import value_table
from tests.commands import error, output, run
from tests.core.cli.test_notation import place


class TestSolve:
    def test_several_rulesets_show_the_notation(self) -> None:
        lines = output("solve", "take{1,2,3}(10) + take{odd}(7) + nim(5)").splitlines()
        assert lines[0] == "first player wins in 13 moves"
        assert "  component 3: nim(5) -> nim(3)  (best)" in lines
        assert lines[-1] == "25 positions (8 P, 17 N), 58 moves, largest value 5"

    @pytest.mark.parametrize(
        ("source", "verdict"),
        [
            ("nim(7,8,9)", "win"),
            ("nim(1,2,3)", "lose"),
            ("*3 + nim(3)", "lose"),
            ("chips.txt@1", "win"),
            ("chips.txt@2", "lose"),
            ("chips.txt + *3", "lose"),
            ("rules.py:Square", "lose"),
            ("rules.py:Square(11)", "win"),
            ("rules.py:Pairs(3,4) + nim(7)", "lose"),
            ("octal{0.77}(20)", "win"),
            ("nim(1000000000000000000,5)", "win"),
            ("nim(1000000000000000000,1000000000000000000)", "lose"),
            ("nim(1000000000000000000) + chomp(3x4)", "win"),
        ],
    )
    def test_verdict(self, source: str, verdict: str) -> None:
        assert output("solve", source, "--verdict") == f"{verdict}\n"

    def test_other_tokens_than_the_positions_own(self) -> None:
        assert json.loads(output("solve", "nim(5)", "--tokens", "3 4", "--json"))["nim_sum"] == 7
        assert output("solve", "wythoff(4,5)", "--tokens", "1,2", "--verdict") == "lose\n"

    def test_theorem_that_gives_only_the_outcome(self) -> None:
        text = output("solve", "wythoff(1000000000000000000,5)")
        assert text.startswith("first player wins\n")
        assert "winning moves\n  component 1: 1000000000000000000,5 -> 3,5\n  ... and perhaps more\n" in text
        assert text.endswith("the answer comes from theorems: the game is too large to write down all its positions\n")
        answer = json.loads(output("solve", "wythoff(1000000000000000000,5)", "--json"))
        assert (answer["winner"], answer["nim_sum"]) == ("first", None)
        assert ([move["to"] for move in answer["winning_moves"]], answer["all_winning_moves"]) == (["3,5"], False)
        told = output("explain", "wythoff(1000000000000000000,5) + nim(4,4)")
        assert "N-position by the theorem of its game, and the nim-sum of all other components is 0" in " ".join(
            told.split()
        )

    def test_the_first_of_very_many_winning_moves(self) -> None:
        lines = output("solve", "take{odd}(1000000000000000001)").splitlines()
        assert "  component 1: 1000000000000000001 -> 1000000000000000000" in lines
        assert "  ... and perhaps more" in lines
        assert "  ... and perhaps more" in output("explain", "take{odd}(1000000000000000001)").splitlines()
        answer = json.loads(output("solve", "take{odd}(1000000000000000001)", "--json"))
        assert (len(answer["winning_moves"]), answer["all_winning_moves"]) == (10_000, False)

    def test_by_a_table(self) -> None:
        lines = output("solve", "wythoff(700,300) + nim(5)").splitlines()
        value = value_table("wythoff(700..701, 300..301)")[700, 300]
        assert any(line.split() == ["1", "wythoff(700,300)", str(value), "N", "-"] for line in lines)
        assert lines[-1] == "the values come from a table: the game is too large to write down all its positions"
        assert output("solve", "wythoff{b = 2a}(800,800)", "--verdict") == "lose\n"

    def test_by_theorems_and_the_graph_of_a_component(self) -> None:
        lines = output("solve", "nim(100000000) + cram(3x3)").splitlines()
        assert lines[-1].startswith("theorems and graphs of components give the values: ")

    def test_message_names_search_for_a_value(self) -> None:
        assert output("solve", "cram(7x8)").endswith("positions; graphgame search --value looks for the value\n")

    def test_by_theorem_in_json(self) -> None:
        answer = json.loads(output("solve", "nim(1000000000000000000) + kayles(3)", "--json"))
        assert (answer["winner"], answer["nim_sum"]) == ("first", 10**18 ^ 3)
        assert answer["winning_moves"] == [{"component": 0, "from": "nim(1000000000000000000)", "to": "nim(3)"}]
        assert (answer["positions"], answer["length"], answer["best_move"]) == (None, None, None)
        assert answer["components"][1] == {"position": "kayles(3)", "grundy": 3, "outcome": "N", "remoteness": None}

    def test_values_are_written_by_the_rulesets_text(self, place: Path) -> None:
        run("solve", "wythoff(1,2)", "--values", "out.csv")
        assert '"1,2",0,P,' in (place / "out.csv").read_text()


class TestOthers:
    def test_explain_without_a_graph(self) -> None:
        text = output("explain", "nim(1000000000000000000,5)")
        assert "leave 1000000000000000000 xor 1000000000000000005 = 5" in text
        text = output("explain", "bash{3}(10000000000) + chomp(3x4)")
        assert "  component 2: chomp(4,4,4) -> chomp(4,2,2), value 9 -> 0" in text


class TestRefusals:
    @pytest.mark.parametrize(
        ("source", "message"),
        [
            ("nimm(3)", "unknown game 'nimm': did you mean nim"),
            ("nim", "1:4: expected a position, such as nim(3,4,5)"),
            ("nim(3,x)", "1:7: expected an integer, a heap's size, but found 'x'"),
            ("nim(-1)", "1:5: a heap's size is -1: expected 0 or more"),
            ("cutting(0x3)", "a side is 0"),
            ("wythoff(3)", "expected two heaps, such as 3,5"),
            ("nim(3) + nowhere.txt@4", "1:10: expected a position such as nim(3,4,5), or a graph file"),
            ("chips.txt@9", "position '9' is not a vertex of the graph"),
            ("cycle.edges@a + nim(3)", "the graph has a cycle, so play need not end: 'cycle.edges@a' -> "),
            ("rules.py:Square(1,2", "the bracket ( is not closed"),
            ("rules.py:Missing", "has no ruleset 'Missing': the file defines Square, "),
            ("rules.py:Pairs", "rules.py:Pairs has no start position: name a position, as in rules.py:Pairs(...)"),
            (
                "rules.py:Boom",
                "rules.py:19 in options: ZeroDivisionError: division by zero, at position 3, an option of 4",
            ),
            ("rules.py:Loop", "the graph has a cycle, so play need not end: 10 -> 5 -> 3 -> "),
            (
                "rules.py:Nothing",
                " in options: TypeError: None is returned: expected the options, as a list or one by one with ",
            ),
            ("rules.py:Lists", "position [0], an option of 1, is not hashable: use tuples in place of lists"),
            (
                "rules.py:Same",
                (
                    "the positions 2 and 0 have the same text, 'heap': the ruleset's method format must "
                    "give different positions different texts"
                ),
            ),
            ("rules.py:Refuses(4)", " in parse: KeyError: '4', at the text '4'"),
            ("rules.py:Crooked", " in canonical: IndexError: no such cell, at the start"),
            ("rules.py:Late", " in start: KeyError: 3, at the start"),
            ("rules.py:Needs(4)", "class Needs needs arguments, "),
            ("rules.py:Leaves", " in options: SystemExit: 7, at position 3"),
            ("rules.py:Claims(3)", " in closed_form: KeyError: 3, at position 3"),
            ("nim(" + "1," * 5000 + "x)", "but found 'x'"),
        ],
    )
    def test_one_message(self, source: str, message: str) -> None:
        text = error("solve", source)
        assert text.startswith("graphgame: error: ")
        assert message in text

    @pytest.mark.parametrize(
        ("name", "advice"),
        [
            (
                "Grow",
                "; play might never end: 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> (2989 more) -> 2996 -> 2997 -> 2998 -> 2999 -> "
                "3000 -> 3001; graphgame check looks for what is wrong with the rules\n",
            ),
            ("Endless", "; --max-positions allows more\n"),
        ],
    )
    @pytest.mark.parametrize("command", ["solve", "draw", "explain"])
    def test_rules_without_an_end_meet_the_limit(self, command: str, name: str, advice: str) -> None:
        message = error(command, f"rules.py:{name}", "--max-positions", "5000")
        assert "larger than the limit: " in message
        assert message.endswith(advice)
        assert ("graphgame search" in message) == (name == "Endless")

    def test_every_game_of_the_catalogue_ends(self) -> None:
        message = error("draw", "fibonacci(4000)", "--max-positions", "90000")
        assert "play might never end" not in message
        assert message.endswith("(the catalogue's example is fibonacci(13)); --max-positions allows more\n")

    def test_message_names_search_if_it_helps(self) -> None:
        hint = "; graphgame search finds who wins without the whole graph"
        for source in ("cram(5x5)", "cram(5x5) + nim(3)"):
            assert hint in error("solve", source, "--max-positions", "500")
        told = error("solve", "cram(5x5)", "--max-positions", "500", "--misere")
        assert hint.replace("graphgame search", "graphgame search --misere") in told


@pytest.mark.parametrize("command", ["solve", "explain"])
def test_misere_play_beyond_the_limit_names_its_option(command: str) -> None:
    message = error(command, "kayles(9)", "--misere", "--product-limit", "20")
    assert "the limit is 20 positions; " in message
    assert message.endswith("--product-limit allows more\n")
