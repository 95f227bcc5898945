"""Small tools that several tests share."""

import importlib.util
from importlib import import_module

import numpy as np
import pytest

from graphgame import GameGraph
from graphgame.graph import LOONY, SUNNY


def needs(library, name=None):
    """Mark what needs a library: it is skipped where the library is missing, and the reason says what to install."""
    missing = importlib.util.find_spec(library) is None
    return pytest.mark.skipif(missing, reason=f"needs {name or library}: pip install {library}")


ENGINES = ["plain", pytest.param("compiled", marks=needs("numba"))]
"""The engines, as parameters of a test."""

ENGINES_HERE = ["plain", "compiled"] if importlib.util.find_spec("numba") else ["plain"]
"""The engines that a test can draw from."""

needs_graphviz = needs("pygraphviz", "Graphviz")


class Missing:
    """A library that is not installed: a test that uses it is skipped."""

    def __init__(self, name):
        self.name = name

    def __getattr__(self, attribute):
        return pytest.skip(f"needs {self.name}: pip install {self.name}")


def optional(name):
    """Return a library that may be missing; the core needs none of them, and a test that uses it is then skipped."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        return Missing(name.partition(".")[0])


def game(options, sums=(), tokens=None, decided=None):
    """Make a GameGraph of {vertex: [options]} over 0..n-1 through its arrays; ``decided`` maps vertices to P or N."""
    edges = [(v, w) for v, ends in options.items() for w in ends]
    source, target = np.array(edges, np.int64).reshape(-1, 2).T
    marks = np.array([v in sums for v in range(len(options))])
    codes = {"P": SUNNY, "N": LOONY}
    ends = None if decided is None else np.array([codes.get(decided.get(v), 0) for v in range(len(options))])
    return GameGraph.from_arrays(source, target, len(options), sums=marks, decided=ends, tokens=tokens)


CHIPS = [(2, 1), (2, 4), (1, 4), (1, 5), (4, 5), (1, 3), (3, 5), (3, 6)]
"""The worked example of tokens on a graph: six vertices, tokens on 1, 2, 4, 6, and the first player wins."""
