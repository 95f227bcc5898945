"""Text for people at a terminal."""

from __future__ import annotations

import inspect

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphgame.rules.catalogue import CATALOGUE
from graphgame.rules.nim import Nim
from graphgame.rules.notation import parse_position
from graphgame.rules.position import Position
from graphgame.rules.ruleset import About, Component
from graphgame.solution.results import Move
from graphgame.text.rules import described, rules_texts
from graphgame.text.text import capped, component_move_text, printable, sum_columns, table


class TestPrintable:
    @pytest.mark.parametrize(
        ("value", "text"),
        [
            ("a b", "a b"),
            (7, "7"),
            ((1, "x"), "(1, 'x')"),
            ("", '""'),
            ("位置", "位置"),
            ("a\nb\tc", r"a\nb\tc"),
            ("\x1b[2J\x07", r"\x1b[2J\x07"),
            ("\u202eabc\u2066", r"\u202eabc\u2066"),
            ("\udc80", r"\udc80"),
            ("x" * 41, "x" * 18 + "..." + "x" * 18),
        ],
    )
    def test_one_line_that_a_terminal_does_not_obey(self, value: object, text: str) -> None:
        assert printable(value) == text

    def test_no_limit(self) -> None:
        assert printable("x" * 1000, length=0) == "x" * 1000

    @given(st.text())
    def test_any_text(self, text: str) -> None:
        assert printable(text).isprintable()


class TestTable:
    def test_wide_characters_take_two_columns(self) -> None:
        assert table(("name", "n"), [("位置", 1), ("e\u0301", 22)], "lr") == ["name   n", "位置   1", "e\u0301     22"]

    def test_no_rows(self) -> None:
        assert table(("name", "n"), [], "lr") == ["name  n"]


class TestBinaryColumns:
    def test_no_values(self) -> None:
        assert sum_columns([], 0) == ["     -", "  0  0"]

    def test_the_rest_is_counted(self) -> None:
        lines = sum_columns([(f"t{k}", k) for k in range(30)], 1)
        assert lines[0] == "t0    0  00000"
        assert lines[20:] == ["... and 10 more", "         -----", "      1  00001"]

    @pytest.mark.long
    @given(st.lists(st.tuples(st.text(max_size=3), st.integers(0, 10**6)), max_size=19))
    def test_each_column_has_an_even_number_of_ones(self, values: list[tuple[str, int]]) -> None:
        total = 0
        for _, value in values:
            total ^= value
        bits = [line.rsplit(" ", 1)[1] for line in sum_columns(values, total) if not line.endswith("-")]
        assert all(column.count("1") % 2 == 0 for column in zip(*bits, strict=True))


def test_a_capped_list_reads_no_further_than_it_shows() -> None:
    assert capped((str(1 // (3 - k)) for k in range(9)), 9, limit=3) == ["0", "0", "1", "... and 6 more"]


def test_a_move() -> None:
    assert component_move_text(Move(0, "a", "\n")) == r"component 1: a -> \n"


@pytest.mark.parametrize("entry", CATALOGUE.values(), ids=lambda entry: entry.name)
def test_a_game_says_what_it_is_in_fields_and_its_docstring_is_made_of_them(monkeypatch, entry):
    kind, told = entry.load(), described(entry)
    assert told.rules
    assert told.notation
    assert told.theorem or entry.name in ("code", "wind-up")
    assert told.source or entry.name == "mixed"
    if entry.own is None:
        doc = inspect.getdoc(kind)
        texts = [kind.about.rules, kind.about.notation, kind.about.theorem, kind.about.source, "Examples\n--------\n"]
        places = [doc.index(text) for text in filter(None, texts)]
        assert places == sorted(places)
        assert "\n\n" not in kind.about.rules
    monkeypatch.setattr(kind, "__doc__", "Something else.\n\nNotes\n-----\nNothing.")
    assert described(entry) == told
    assert "Something else." not in str(rules_texts(parse_position(entry.example)))


def test_rules_of_ones_own_may_say_what_they_are():
    class Mine(Nim):
        """Just mine.

        Notes
        -----
        Nobody knows.
        """

    class Theirs(Mine):
        """Theirs."""

        about = About("Take ``any`` number.", ending="The last\n  wins.")

    def told(rules):
        return rules_texts(Position([Component("mine", rules, 3)]))

    assert told(Mine()) == [(("Just mine.", ""), ("Just mine.", ""))]
    assert told(Theirs()) == [(("Take any number.", "The last wins."),) * 2]
    assert inspect.getdoc(Theirs) == "Theirs.\n\nTake ``any`` number.\n\nThe last\n  wins."
