"""A file of rules of one's own, most of them wrong in some way."""

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
