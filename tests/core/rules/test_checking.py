"""The self-check: it passes what is in order, and names what is not."""

import itertools
import sys

import pytest

import graphgame
from graphgame.errors import RulesetError
from graphgame.games import CATALOGUE
from graphgame.rules.checking import check
from graphgame.rules.notation import parse_position
from graphgame.rules.pictures import Cell, Picture, Way, note, rows
from graphgame.rules.ruleset import Ruleset, Sum


class Pairs(Ruleset):
    """Nim of two heaps, the smaller first."""

    start = (2, 3)

    def options(self, position):
        a, b = position
        return [(i, b) for i in range(a)] + [(a, j) for j in range(b)]

    def canonical(self, position):
        return tuple(sorted(position))

    def closed_form(self, position):
        return position[0] ^ position[1]


class Kayles(Ruleset):
    start = 6

    def options(self, row):
        return [Sum([left, row - hit - left]) for hit in (1, 2) for left in range(row - hit + 1)]


def failures(report):
    return {entry.name: entry.detail for entry in report.checks if entry.passed is False}


class TestInOrder:
    @pytest.mark.parametrize("rules", [Pairs(), Kayles()])
    def test_all_passed(self, rules):
        report = check(rules)
        assert report.passed
        assert report.complete
        assert all(entry.passed for entry in report.checks)
        assert str(report) == "\n".join(map(str, report.checks))

    def test_what_applies_is_checked(self):
        names = [entry.name for entry in check(Pairs()).checks]
        assert "a position and its canonical position have the same value" in names
        assert "the closed form is the graph's value" in names
        assert len(check(Kayles()).checks) == 5

    @pytest.mark.long
    @pytest.mark.parametrize("name", CATALOGUE)
    def test_the_catalogue(self, name):
        components = parse_position(CATALOGUE[name].example).components
        report = check(components[0].ruleset, *(part.position for part in components), max_positions=300)
        assert report.passed, str(report)

    def test_values_are_not_compared_beyond_the_bound(self):
        report = check(Pairs(), (9, 9), max_positions=20)
        assert report.passed
        assert (report.positions, report.complete) == (20, False)
        skipped = [str(entry) for entry in report.checks if entry.passed is None]
        said = "there are more positions than the 20 that were looked at; start from a smaller position"
        assert skipped[:2] == [
            f"not checked  play ends: {said}",
            f"not checked  a position and its canonical position have the same value: {said}",
        ]

    def test_endless_options_are_bounded(self):
        class Endless(Ruleset):
            def options(self, position):
                return itertools.count(position + 1)

        report = check(Endless(), 0, max_positions=10)
        assert (report.positions, report.complete, report.passed) == (1, False, True)
        assert str(report.checks[1]) == "not checked  play ends: the limit of 200 moves was reached at the options of 0"

    def test_the_public_name(self):
        assert graphgame.check is check


class TestFaults:
    def found(self, base=Pairs, start=(), **methods):
        return failures(check(type("Rules", (base,), methods)(), *start))

    def test_unhashable(self):
        found = self.found(options=lambda self, position: [[1, 2]])
        said = "position [1, 2], an option of (2, 3), is not hashable: use tuples in place of lists"
        assert found == {"positions can be listed": said}

    def test_rules_that_fail(self):
        found = self.found(Kayles, options=lambda self, row: [1 // (row - 6)])
        assert found["positions can be listed"].endswith(
            ": ZeroDivisionError: integer division or modulo by zero, at position 6"
        )

    def test_rules_that_exit(self):
        found = self.found(Kayles, options=lambda self, row: sys.exit(3))
        assert found["positions can be listed"].endswith(" in test_rules_that_exit: SystemExit: 3, at position 6")

    def test_options_that_differ_from_time_to_time(self):
        times = itertools.count()
        found = self.found(Kayles, options=lambda self, row: [next(times) % 7 - 100] if row > 0 else [])
        assert found["options are the same each time"] == "position 6 first has the options [-100], and then [-99]"

    def test_a_cycle(self):
        found = self.found(Kayles, options=lambda self, row: [(row + 1) % 8])
        assert found["play ends"].startswith("the graph has a cycle, so play need not end: ")

    def test_a_cycle_through_a_sum(self):
        found = self.found(Kayles, options=lambda self, row: [Sum([0, row])])
        assert found["play ends"].startswith("position 6 has a move to itself")

    def test_canonical_that_goes_on(self):
        found = self.found(canonical=lambda self, position: (position[1], position[0]))
        detail = found["the method canonical leaves a canonical position as it is"]
        assert detail == "the method canonical turns position (2, 3) into (3, 2), and (3, 2) into (2, 3)"

    def test_canonical_that_changes_the_value(self):
        found = self.found(canonical=lambda self, position: (min(position), min(position)))
        detail = found["a position and its canonical position have the same value"]
        assert detail == "position (2, 3) has the value 1, but its canonical position (2, 2) has the value 0"

    @pytest.mark.parametrize(
        ("parse", "said"),
        [
            (lambda self, text: text, "the method format writes (2, 3) as '2,3', but parse reads '2,3'"),
            (lambda self, text: int(text), "the method format writes (2, 3) as '2,3'; parse fails: "),
        ],
    )
    def test_text(self, parse, said):
        found = self.found(parse=parse, canonical=Ruleset.canonical)
        assert found["the text of a position is read back"].startswith(said)

    def test_a_board_that_is_no_text(self):
        assert self.found(board=lambda self, position: None) == {
            "the board is a text": "the board of position (2, 3) is None: expected a text"
        }

    @pytest.mark.parametrize(
        ("picture", "said"),
        [
            (
                lambda self, position: 5,
                "the picture of position (2, 3) is wrong: RulesetError: a ruleset's picture is 5: expected a Picture "
                "with a Place, 2, 4 or 5 numbers, for each cell",
            ),
            (
                lambda self, position: rows([[Cell("nothing")]]),
                "the picture of position (2, 3) is wrong: RulesetError: a cell of a pic",
            ),
            (
                lambda self, position: Picture((Cell("piece"),), ((float("nan"), 0),)),
                "the picture of position (2, 3) is wrong: RulesetError: a ruleset's picture is Picture(",
            ),
            (lambda self, position: note(1 // position[0]), "the picture of position (0, 3) is wrong: "),
        ],
    )
    def test_a_wrong_picture(self, picture, said):
        found = self.found(picture=picture)
        assert list(found) == ["the picture is a Picture"]
        assert found["the picture is a Picture"].startswith(said)

    @pytest.mark.parametrize(
        ("ways", "said"),
        [
            (lambda self, position: [Way(position)], "the ways to move from position (2, 3) lead to "),
            (
                lambda self, position: [Way(option, ()) for option in self.options(position)],
                "a way to move from position (2, 3) has the wrong number of cells",
            ),
        ],
    )
    def test_wrong_ways(self, ways, said):
        found = self.found(ways=ways, picture=lambda self, position: note(position))
        assert list(found) == ["the ways to move lead to exactly the options"]
        assert found["the ways to move lead to exactly the options"].startswith(said)

    def test_pictures_of_some_positions(self):
        assert self.found(picture=lambda self, position: note("even") if sum(position) % 2 == 0 else None) == {}

    @pytest.mark.parametrize(
        ("mobility", "said"),
        [
            (lambda self, position: "many", "the mobility of position (2, 3) is 'many': expected an integer"),
            (lambda self, position: 6 // position[1], "tests/"),
        ],
    )
    def test_a_wrong_mobility(self, mobility, said):
        found = self.found(mobility=mobility)
        assert list(found) == ["the method mobility returns an integer"]
        assert found["the method mobility returns an integer"].startswith(said)

    def test_a_wrong_theorem(self):
        found = self.found(closed_form=lambda self, position: sum(position))
        assert (
            found["the closed form is the graph's value"] == "position (2, 3) has the value 1, the closed form says 5"
        )

    def test_a_wrong_outcome(self):
        found = self.found(outcome_form=lambda self, position: "P")
        assert found == {
            "the outcome by theorem is that of the graph": "position (2, 3) has the value 1, the theorem says 'P'"
        }

    def test_a_theorem_that_is_silent_is_not_wrong(self):
        assert self.found(closed_form=lambda self, position: None) == {}

    def test_options_of_a_value_that_are_not_all(self):
        found = self.found(options_of_value=lambda self, position, value: [])
        assert found["options_of_value agrees with the values of the graph"] == (
            "for position (2, 3) and value 3, options_of_value gives []: expected [(0, 3), (2, 1)]"
        )

    def test_no_start(self):
        class Nowhere(Ruleset):
            def options(self, position):
                return []

        with pytest.raises(RulesetError, match="Nowhere"):
            check(Nowhere())


def test_what_is_no_ruleset_is_told():
    with pytest.raises(RulesetError, match=r"'nim\(3\)'"):
        check("nim(3)")
