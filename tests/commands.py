"""Run commands in this process, in a folder with small files."""

from pathlib import Path

from click.testing import CliRunner, Result

from graphgame.cli import main

CHIPS = "6 8 4\n2 1\n2 4\n1 4\n1 5\n4 5\n1 3\n3 5\n3 6\n1 2 4 6\n"


def fill(folder: Path) -> None:
    """Write a token file, a graph with a cycle, and a file of rules, most of them wrong in some way."""
    (folder / "chips.txt").write_text(CHIPS)
    (folder / "cycle.edges").write_text("a b\nb a\n")
    (folder / "rules.py").write_text(RULES)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments, catch_exceptions=False)


def output(*arguments: str) -> str:
    result = run(*arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def error(*arguments: str) -> str:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr


RULES = """
from graphgame import Ruleset, Sum

class Square(Ruleset):
    start = 10
    def options(self, heap):
        return [heap - k * k for k in range(1, heap + 1) if k * k <= heap]

class Pairs(Ruleset):
    def options(self, position):
        a, b = position
        return [(i, b) for i in range(a)] + [(a, j) for j in range(b)]

class Boom(Ruleset):
    start = 10
    def options(self, heap):
        yield heap - 1
        if heap == 3:
            1 / 0

class Loop(Ruleset):
    start = 10
    def options(self, heap):
        return [(heap * 7 + 1) % 11]

class Grow(Ruleset):
    start = 1
    def options(self, heap):
        return [heap + 1]

class Endless(Ruleset):
    start = 1
    def options(self, heap):
        while True:
            heap += 1
            yield heap

class Nothing(Ruleset):
    start = 1
    def options(self, heap):
        return None

class Lists(Ruleset):
    start = 1
    def options(self, heap):
        return [[0]]

class Same(Ruleset):
    start = 2
    def options(self, heap):
        return range(heap)
    def format(self, heap):
        return "heap"

class Refuses(Ruleset):
    def options(self, heap):
        return []
    def parse(self, text):
        return {}[text]

class Late(Ruleset):
    @property
    def start(self):
        return {}[3]
    def options(self, heap):
        return []

class Crooked(Ruleset):
    start = 2
    def options(self, heap):
        return []
    def canonical(self, heap):
        raise IndexError("no such cell")

class Leaves(Ruleset):
    start = 3
    def options(self, heap):
        raise SystemExit(7)

class Claims(Ruleset):
    def options(self, heap):
        return range(heap)
    def closed_form(self, heap):
        return {}[heap]

class Needs(Ruleset):
    def __init__(self, size):
        self.size = size
    def options(self, heap):
        return []
"""
