"""Reasons that games state beside their rules: the numbers of a theorem, and those of each winning move."""

import pytest

from graphgame import parse_position
from graphgame.games import CATALOGUE
from graphgame.rules.ruleset import MAX_TRIED, Ruleset, Sum
from graphgame.text.positions import explain_by_theorem


def said(text):
    return explain_by_theorem(parse_position(text))


def ends(rules, position):
    parts = {option: option if type(option) is Sum else (option,) for option in rules.options(position)}
    return {option for option, of in parts.items() if all(rules.outcome_form(part) == "P" for part in of)}


@pytest.mark.parametrize("name", CATALOGUE)
def test_reasons_agree_with_who_wins(name):
    position = parse_position(CATALOGUE[name].example)
    lines = explain_by_theorem(position)
    assert not lines or lines[0].startswith(f"{position.winner} player wins: ")


def test_rules_of_ones_own_state_a_reason(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.py").write_text(
        "from graphgame import Ruleset\nclass Five(Ruleset):\n"
        "    def options(self, n): return range(max(0, n - 4), n)\n"
        "    def closed_form(self, n): return n % 5\n    def reason(self, n): return f'{n} leaves {n % 5} by 5'\n"
    )
    assert explain_by_theorem(parse_position("rules.py:Five(12)", run_rules=True))[:4] == [
        "first player wins: 12 leaves 2 by 5",
        "",
        "winning moves:",
        "  12 -> 10: 10 leaves 0 by 5",
    ]


def test_closed_forms_are_not_for_decided_positions():
    class LastLoses(Ruleset):
        def options(self, heap):
            return range(max(heap - 3, 0), heap)

        def decided(self, heap):
            return None if heap else "N"

        def closed_form(self, heap):
            return [0, 1, 2, 3][(heap - 1) % 4] if heap else {}["decided"]

        def reason(self, heap):
            return "last"

    from graphgame import Position
    from graphgame.rules.position import Component

    assert explain_by_theorem(Position([Component("own", LastLoses(), 1)]))[0] == "second player wins: last"


def test_very_many_options_are_not_all_looked_at():
    class Wide(Ruleset):
        def options(self, position):
            return range(1, 2 * MAX_TRIED)

        def outcome_form(self, position):
            return "N"

        def reason(self, position):
            return "wide"

    from graphgame import Position
    from graphgame.rules.position import Component

    assert "  ... and perhaps more" in explain_by_theorem(Position([Component("wide", Wide(), 0)]))
