"""Play in words: moves as they are typed, records, hints, boards."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphgame import GameGraph, Ruleset, Sum, parse_position
from graphgame.errors import ParseError, RulesetError
from graphgame.play import (
    Computer,
    Match,
    Record,
    adviser,
    find_move,
    legal_moves,
    move_text,
    read_record,
    record_of,
    replay,
    write_record,
)
from graphgame.play.dialogue import hint, why
from graphgame.play.moves import MOST_LISTED, board_lines, distinct_moves, move_lines
from graphgame.rules.catalogue import CATALOGUE
from graphgame.rules.component_graphs import GraphRuleset
from graphgame.rules.position import Component, Position
from tests.commands import error
from tests.notations import installed

QUICK = {
    *("nim", "take", "mixed", "whiteboard", "cutting", "lasker", "moore", "wythoff", "euclid", "fibonacci", "kayles"),
    *("code", "treblecross", "staircase", "nimble", "georgia", "chomp", "cram", "bitter-chocolate", "notakto"),
    *("node-kayles", "arc-kayles", "geography", "colouring", "hackenbush", "sprouts", "wind-up", "turning-turtles"),
}
"""Games whose positions are read in no time."""


class TestMoves:
    @pytest.mark.parametrize(
        ("position", "text", "move"),
        installed(
            [
                ("nim(3,5)", "5 -> 2", "2: 5 -> 2"),
                ("nim(3,5)", "5->2", "2: 5 -> 2"),
                ("nim(3,5)", "-> 4", "2: 5 -> 4"),
                ("nim(3,3)", "-> 1", "1: 3 -> 1"),
                ("nim(3,3)", "2: 3 -> 1", "2: 3 -> 1"),
                ("nim(3) + kayles(4)", "nim(3) -> nim(1)", "1: nim(3) -> nim(1)"),
                ("nim(3) + kayles(4)", "3 -> 1", "1: nim(3) -> nim(1)"),
                ("nim(3) + kayles(4)", "kayles(4) -> 1,2", "2: kayles(4) -> kayles(1) + kayles(2)"),
                ("kayles(4)", "2 + 1", "1: 4 -> 1 + 2"),
                ("kayles(4)", "-> 1 + 2", "1: 4 -> 1 + 2"),
                ("cutting(4x2)", "2x2+2x2", "1: 4x2 -> 2x2 + 2x2"),
                ("wythoff(3,5)", "5,2", "1: 3,5 -> 2,5"),
                ("chomp(2x2)", "2", "1: 2,2 -> 2"),
                ("fibonacci(13)", "12:2", "1: 13:12 -> 12:2"),
                ("hackenbush(0-1)", "()", "1: 0-1 -> ()"),
                ("notakto(.../.../...)", "x../.../...", "1: .../.../... -> X../.../..."),
                (f"nim({10**30})", f"-> {10**29}", f"1: {10**30} -> {10**29}"),
            ]
        ),
    )
    def test_a_move_is_found_as_it_is_typed(self, position, text, move):
        position = parse_position(position)
        found = find_move(position, text)
        assert move_text(position, found, number=True).lower() == move.lower()

    @pytest.mark.parametrize(
        ("position", "text", "message"),
        installed(
            [
                ("nim(3,5)", "-> 2", "several components have the move '-> 2': write FROM -> TO, such as"),
                ("nim(3,5)", "4 -> 2", "no component matches '4 -> 2': there are 3, 5"),
                ("nim(3,5)", "5 -> 5", "'5 -> 5' is not a move here"),
                ("nim(3,5)", "3: 3 -> 1", "no component matches '3: 3 -> 1'"),
                ("nim(1,2,3,4,5,6,7,8,9,10,11)", "12 -> 2", "there are 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ..."),
                ("nim(3,5)", "take two", "'take two' is not a move here"),
                ("kayles(4)", "\x1b[31m", r"'\x1b[31m' is not a move here"),
                ("nim(3)", "-> " + "9" * 5000, "is not a move here"),
            ]
        ),
    )
    def test_what_is_no_move_is_refused(self, position, text, message):
        with pytest.raises(ParseError) as caught:
            find_move(parse_position(position), text)
        assert message in str(caught.value)

    @pytest.mark.parametrize("name", sorted(CATALOGUE.keys() & QUICK))
    def test_each_move_of_the_catalogue_is_found_by_its_text(self, name):
        position = parse_position(CATALOGUE[name].example)
        for move in distinct_moves(position)[:40]:
            found = find_move(position, move_text(position, move, number=True))
            assert Counted(position.after(found)) == Counted(position.after(move))

    @given(st.lists(st.text(max_size=6), min_size=2, max_size=6, unique=True))
    def test_positions_may_be_called_anything(self, names):
        graph = GameGraph([(names[0], name) for name in names[1:]])
        position = Position([Component("file", GraphRuleset(graph), names[0])])
        for move in legal_moves(position):
            found = find_move(position, move_text(position, move, number=True))
            assert move_text(position, found) == move_text(position, move)

    def test_there_are_numbers_for_so_many_moves(self):
        assert len(distinct_moves(parse_position("nim(1000000000000)"))) == MOST_LISTED

    def test_moves_that_are_the_same_have_one_number(self):
        class Twice(Ruleset):
            def options(self, position):
                return [Sum([0, 0]), Sum([0, 0])] * position

        assert len(distinct_moves(Position([Component("twice", Twice(), 3)]))) == 1

    def test_rules_that_fail_are_blamed(self):
        class Broken(Ruleset):
            def options(self, position):
                yield 1 // (position - 1)

            def format(self, position):
                return {}[position]

        position = Position([Component("broken", Broken(), 1)])
        with pytest.raises(RulesetError, match=r"test_texts.py:\d+ in options: ZeroDivisionError: .*, at position 1"):
            list(legal_moves(position))
        with pytest.raises(RulesetError, match=r"test_texts.py:\d+ in format: KeyError: 1, at position 1"):
            board_lines(position)


class Counted(frozenset):
    """The components of a sum, whatever their order, as texts."""

    def __new__(cls, position):
        texts = sorted(map(str, position.components))
        return super().__new__(cls, enumerate(texts))


class TestRecords:
    def match(self) -> tuple[Match, Record]:
        match = Match(parse_position("nim(3) + wind-up{5:1,2}(4)", misere=True))
        for text in ("wind-up{5:1,2}(4) -> wind-up{5:1,2}(3)", "3 -> 0"):
            match.move(find_move(match.position, text))
        return match, Record(str(match.start), players={"first": 0.25, "second": None})

    def test_there_and_back(self, tmp_path: Path):
        match, before = self.match()
        path = tmp_path / "game.play"
        write_record(record_of(match, before), path)
        record = read_record(path)
        again = replay(record, parse_position(record.game))
        assert again.positions == match.positions
        assert (again.start.misere, record.players, again.result) == (True, before.players, "unfinished")

    def test_the_text(self, tmp_path: Path):
        match, before = self.match()
        match.resign()
        path = tmp_path / "game.play"
        write_record(record_of(match, before), path)
        assert path.read_text() == (
            "# graphgame record 1\ngame nim(3) + wind-up{5:1,2}(4)\nplay misere\nfirst computer 0.25\nsecond person\n"
            "move 2: wind-up{5:1,2}(4) -> wind-up{5:1,2}(3)\n"
            "move 1: nim(3) -> nim(0)\nresult first resigns\n"
        )

    @pytest.mark.parametrize(
        "name",
        [
            name
            for name in ("nim", "cutting", "cram", "geography", "sprouts", "colouring", "wind-up")
            if name in CATALOGUE
        ],
    )
    def test_a_game_by_chance_is_replayed(self, name, tmp_path: Path):
        match = Match(parse_position(CATALOGUE[name].example))
        computer = Computer(None, 1.0, 3)
        while match.winner is None:
            match.move(computer.choose(match.position))
        path = tmp_path / "game.play"
        write_record(record_of(match, Record(str(match.start))), path)
        assert replay(read_record(path), parse_position(str(match.start))).positions == match.positions

    @pytest.mark.parametrize(("moves", "result"), [("", "unfinished"), ("move -> 0\n", "first wins")])
    def test_a_record_need_not_have_a_result(self, moves, result, tmp_path: Path):
        path = tmp_path / "game.play"
        path.write_text(f"# graphgame record 1\ngame nim(1)\n{moves}")
        assert replay(read_record(path), parse_position("nim(1)")).result == result

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "1: expected a record, whose first line is"),
            ("# graphgame record 2\n", "1: expected a record"),
            ("# graphgame record 1\n", "the record does not say which game"),
            ("# graphgame record 1\ngame nim(1)\nwho me\n", "3: unknown word 'who'"),
            ("# graphgame record 1\ngame nim(1)\n\ngame nim(2)\n", "4: a second line begins with the word game"),
            ("# graphgame record 1\ngame\n", "2: expected a text after the word game"),
            ("# graphgame record 1\ngame nim(1)\nplay wild\n", "3: unknown play 'wild'"),
            ("# graphgame record 1\ngame nim(1)\nfirst computer 7\n", "3: unknown player 'computer 7'"),
            ("# graphgame record 1\ngame nim(1)\nmove 1: 1 -> 3\n", "3: '1: 1 -> 3' is not a move here"),
            ("# graphgame record 1\ngame nim(1)\nmove -> 0\nmove -> 0\n", "4: '-> 0' is not a move here"),
            ("# graphgame record 1\ngame nim(1)\nmove -> 0\nresult unfinished\n", "4: the moves lead to the result"),
            ("# graphgame record 1\ngame nim(1)\nresult draw\n", "3: the moves lead to the result 'unfinished'"),
            ("# graphgame record 1\ngame nim(1)\nresult second resigns\n", "result 'first resigns', not 'second"),
        ],
    )
    def test_what_is_wrong_is_named(self, text, message, tmp_path: Path):
        path = tmp_path / "game.play"
        path.write_text(text)
        with pytest.raises(ParseError) as caught:
            replay(read_record(path), parse_position("nim(1)"))
        assert message in str(caught.value)

    @pytest.mark.parametrize("line", ["who me", "game nim(2)", "move", "play wild", "first computer 7"])
    def test_what_is_wrong_is_named_in_chinese(self, line, tmp_path: Path):
        path = tmp_path / "game.play"
        path.write_text(f"# graphgame record 1\ngame nim(1)\n{line}\n")
        assert not re.search("expected|unknown|begins", error("--lang", "zh", "play", "--replay", str(path)))

    @pytest.mark.parametrize(
        ("lines", "message"),
        [
            ("game nim(3,", "2: the bracket ( is not closed"),
            ("play normal\ngame nope(3)", "3: unknown game 'nope'"),
            ("game nim(3)\ntoken 2\ntoken q", "4: position 'q' is not a vertex"),
            ("game samples/chips.edges@99", "2: position '99' is not a vertex"),
        ],
    )
    def test_a_wrong_start_is_named_with_its_line(self, lines, message, tmp_path: Path):
        path = tmp_path / "game.play"
        path.write_text(f"# graphgame record 1\n{lines}\n")
        assert f"error: {path}:{message}" in error("play", "--replay", str(path))

    def test_bytes_that_are_no_text(self, tmp_path: Path):
        path = tmp_path / "game.play"
        path.write_bytes(b"# graphgame record 1\ngame \xff\n")
        with pytest.raises(ParseError, match="not UTF-8"):
            read_record(path)


class TestWords:
    @pytest.mark.parametrize(
        ("text", "misere", "shown"),
        [
            ("nim(3,5)", False, "5 -> 3 wins, in at most 7 moves"),
            ("nim(2,2)", False, "every move loses against perfect play; 2 -> 1 holds out longest, for at most 4 moves"),
            ("nim(0)", False, "there is no move"),
            ("nim(1)", True, "every move loses against perfect play; 1 -> 0 holds out longest, for at most 1 move"),
            (f"nim({10**18})", False, f"{10**18} -> 0 wins"),
            (f"nim({10**18},{10**18})", False, "every move loses against perfect play"),
        ],
    )
    def test_hints(self, text, misere, shown):
        position = parse_position(text)
        assert hint(adviser(position.under(misere)), position.under(misere)).startswith(shown)

    @pytest.mark.parametrize(
        ("text", "numbers"),
        installed(
            [
                ("cutting(4x2)", "1, 3"),  # 1x2 and 4x1 let a 1x1 be made
                ("cutting(3x3) + nim(1)", "1, 2"),
                ("cutting(1x3)", None),  # both moves make a 1x1
                ("whiteboard{3}(2)", "2, 3"),  # 2 or more has lost
                ("whiteboard{3}(5)", None),
                ("treblecross(.X...)", "1, 2, 3"),
                ("treblecross(......)", None),
                ("nim(3,5)", None),
            ]
        ),
    )
    def test_moves_that_lose_at_once(self, text, numbers):
        position = parse_position(text)
        lines = hint(adviser(position), position).splitlines()
        assert lines[1:] == ([] if numbers is None else [f"these moves lose at once: {numbers}"])

    @pytest.mark.parametrize(
        ("text", "misere", "line"),
        installed(
            [
                ("kayles(5)", False, "  value 4: none, so mex{0, 1, 2, 3} = 4"),
                ("kayles(2)", True, "  value 2: none, so mex{0, 1} = 2"),
                ("nim(3,5)", False, "first player wins: the nim-sum is 6"),
                ("nim(3,5)", True, "class S2: nim-sum not 0, two or more heaps of 2 or more."),
                ("kayles(2) + nim(2)", False, "second player wins: the nim-sum of the tokens is 0"),
                (f"nim({10**18},3)", False, f"first player wins: the nim-sum is {10**18 ^ 3}"),
            ]
        ),
    )
    def test_reasons(self, text, misere, line):
        assert line in why(parse_position(text, misere=misere)).split("\n")

    @pytest.mark.parametrize(
        ("text", "lines"),
        installed(
            [
                ("nim(7,0,12)", ["1  7   ooooo oo", "2  0", "3  12  ooooo ooooo oo"]),
                ("cutting(3x2)", ["3x2  ###", "     ###"]),
                ("coins{1}(ht)", ["h  H"]),
                ("cram(2x2)", ["../..  ..", "       .."]),
                ("bitter-chocolate(3x2)", ["3x2@1,1  xoo", "         ooo"]),
                ("node-kayles(grid:2x2)", ["grid:2x2  ..", "          .."]),
                (f"nim({10**18})", [str(10**18)]),
                ("chips.txt", []),
            ]
        ),
    )
    def test_boards(self, text, lines):
        if lines:
            assert board_lines(parse_position(text)) == lines

    def test_labels_are_made_harmless(self):
        rules = GraphRuleset(GameGraph([("\x1b[2J", "a\nb")]))
        position = Position([Component("x", rules, "\x1b[2J")])
        assert board_lines(position) == [r"\x1b[2J"]
        assert move_lines(position, distinct_moves(position)) == [r"1) -> a\nb"]

    def test_as_many_columns_as_fit(self):
        position = Position([Component("x", GraphRuleset(GameGraph([("s", f"{n:025}") for n in range(6)])), "s")])
        rows = move_lines(position, distinct_moves(position))
        assert [len(row) for row in rows] == [99, 99]

    def test_a_long_list_is_cut(self):
        position = parse_position("nim(30)")
        assert move_lines(position, distinct_moves(position))[-1] == '... and 10 more: type "moves" to list them'

    def test_a_list_that_moves_does_not_show_completely(self):
        position = parse_position("nim(3000)")
        assert move_lines(position, distinct_moves(position))[-1] == '... and more: type "moves" for the first 1,000'

    def test_many_components(self):
        assert board_lines(parse_position("nim(" + ",".join(["1"] * 300) + ")"))[-1] == "... and 100 components more"
