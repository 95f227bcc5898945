"""``misere`` takes the same one-heap rules from a file as ``heap``."""

import pytest

from tests.commands import error, output

RULES = """
from graphgame import Ruleset, Sum

class Uneven(Ruleset):
    def options(self, heap):
        if heap:
            yield heap - 1
        for a in range(1, (heap + 1) // 2):
            yield Sum([a, heap - a])

class Started(Uneven):
    start = 4
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    (tmp_path / "inv.py").write_text(RULES)
    monkeypatch.chdir(tmp_path)


def positions(*words):
    return [line.split()[0] for line in output("misere", *words).splitlines()[1:]]


def test_genera_of_heaps():
    assert positions("inv.py:Uneven", "-n", "12") == [str(heap) for heap in range(13)]
    assert len(positions("inv.py:Uneven")) == 21
    assert positions("inv.py:Started", "-n", "2") == ["0", "1", "2"]


def test_rules_with_a_start_but_no_heap_count_are_a_graph():
    assert positions("inv.py:Started")[0] == "4"


def test_quotient_and_outcome():
    assert output("misere", "quotient", "inv.py:Uneven", "-n", "5").startswith(
        "inv.py:Uneven: misère quotient of order 6, 2 elements in the P-portion, proved for the heaps 0 to 5"
    )
    assert output("misere", "outcome", "inv.py:Uneven", "1,1,1").startswith("second player wins")
    assert output("misere", "outcome", "inv.py:Uneven", "1,1").startswith("first player wins")


def test_a_position_is_no_heap_game():
    assert "expected a game without a heap or a sum" in error("misere", "inv.py:Uneven(5)", "-n", "3")
