"""Small tools that several tests share."""

import numpy as np

from graphgame import CodedRuleset, GameGraph, verify


def game(options, sums=(), tokens=None):
    """Make a GameGraph of {vertex: [options]} over 0..n-1 through its arrays."""
    edges = [(v, w) for v, ends in options.items() for w in ends]
    source, target = np.array(edges, np.int64).reshape(-1, 2).T
    marks = np.array([v in sums for v in range(len(options))])
    return GameGraph.from_arrays(source, target, len(options), sums=marks, tokens=tokens)


def superfluous(graph, solution, proof):
    """Return the positions without which the winner is still proved."""
    asked = {"tokens": solution.tokens, "play": solution.play, "cycles": "loopy"}
    return [
        position
        for position in proof
        if verify(graph, {other: proof[other] for other in proof if other != position}, **asked).winner
        == solution.winner
    ]


CHIPS = [(2, 1), (2, 4), (1, 4), (1, 5), (4, 5), (1, 3), (3, 5), (3, 6)]
"""The worked example of tokens on a graph: six vertices, tokens on 1, 2, 4, 6, and the first player wins."""


class CodedTakeUpToThree(CodedRuleset):
    """Take 1, 2 or 3 from a heap, the position a code."""

    size = 11
    start = 10

    def option_codes(self, codes):
        ends = codes[:, None] - np.arange(1, 4)
        rows = np.broadcast_to(np.arange(len(codes))[:, None], ends.shape)
        return rows[ends >= 0], ends[ends >= 0]
