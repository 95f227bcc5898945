"""Pictures that the rules of several labs share."""

from graphgame.labs.shared_rules import heaps, strip


def test_a_strip_counts_its_coins():
    assert [(cell.kind, cell.text) for cell in strip(1, {2: 1, 4: 12}).cells] == [
        ("square", ""),
        ("coin", ""),
        ("square", ""),
        ("coin", "12"),
    ]
    assert strip(0, {24: 1}) is None


def test_many_heaps_are_not_drawn():
    assert len(heaps([1] * 12).rows[0]) == 23
    assert heaps([1] * 13) is None
