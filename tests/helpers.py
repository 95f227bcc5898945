"""Helpers that several tests share."""

import importlib.util
from importlib import import_module

import numpy as np
import pytest

from graphgame import GameGraph
from graphgame.graph import LOONY, SUNNY


def needs(library, name=None):
    """Return a mark that skips a test if a library is missing; the reason says what to install."""
    missing = importlib.util.find_spec(library) is None
    return pytest.mark.skipif(missing, reason=f"needs {name or library}: pip install {library}")


ENGINES = ["plain", pytest.param("compiled", marks=needs("numba"))]
"""The engines as parameters for a test."""

ENGINES_HERE = ["plain", "compiled"] if importlib.util.find_spec("numba") else ["plain"]
"""The engines that are available here."""

needs_graphviz = needs("pygraphviz", "Graphviz")


class Missing:
    """Stands for a library that is not installed; its use skips the test."""

    def __init__(self, name):
        self.name = name

    def __getattr__(self, attribute):
        return pytest.skip(f"needs {self.name}: pip install {self.name}")


def optional(name):
    """Return a library, or an object whose use skips the test if the library is missing."""
    try:
        return import_module(name)
    except ModuleNotFoundError:
        return Missing(name.partition(".")[0])


def game(options, sums=(), tokens=None, decided=None):
    """Return a GameGraph of {vertex: [options]} with vertices 0..n-1; ``decided`` maps vertices to P or N."""
    edges = [(v, w) for v, ends in options.items() for w in ends]
    source, target = np.array(edges, np.int64).reshape(-1, 2).T
    marks = np.array([v in sums for v in range(len(options))])
    codes = {"P": SUNNY, "N": LOONY}
    ends = None if decided is None else np.array([codes.get(decided.get(v), 0) for v in range(len(options))])
    return GameGraph.from_arrays(source, target, len(options), sums=marks, decided=ends, tokens=tokens)


CHIPS = [(2, 1), (2, 4), (1, 4), (1, 5), (4, 5), (1, 3), (3, 5), (3, 6)]
"""The edges of the example in the README: with tokens on 1, 2, 4 and 6 the first player wins."""
