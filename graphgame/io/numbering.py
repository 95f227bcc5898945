"""Positions as consecutive integers, which some formats need."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

import numpy as np

from graphgame.arrays.labels import Labels, RangeLabels, are_integers
from graphgame.errors import FormatError
from graphgame.graph import GameGraph


def integer_array(labels: Labels) -> np.ndarray | None:
    """Return the positions as an array of int64, or None where one is not an integer of 64 bits.

    Examples
    --------
    >>> integer_array(GameGraph([(2, 1)]).labels)
    array([2, 1])
    """
    if isinstance(labels, RangeLabels) and len(labels):
        first = cast("int", labels[0])
        return np.arange(first, first + len(labels))
    if are_integers(labels) or all(map(_is_integer, labels)):
        return np.fromiter(cast("Iterable[int]", labels), np.int64, len(labels))
    return None


def numbered(graph: GameGraph, first: int, *, relabel: bool = False) -> GameGraph:
    """Return the graph with the positions first, first + 1, ... in increasing order.

    To relabel is to number the positions anew, in the order of their vertices; else they must be these integers
    already, or a FormatError is raised.

    Examples
    --------
    >>> list(numbered(GameGraph([(2, 3), (1, 2)]), 1))
    [1, 2, 3]
    """
    count = len(graph)
    if isinstance(graph.labels, RangeLabels) and (count == 0 or graph.labels[0] == first):
        return graph
    number = np.arange(count) if relabel else _own_numbers(graph, first)
    attributes = {key: value for key, value in graph.graph.items() if key != "tokens"}
    tokens = None if graph.tokens is None else [int(number[graph.number_of(token)]) + first for token in graph.tokens]
    return GameGraph.from_arrays(
        number[graph.option_rows.owners()],
        number[graph.option_rows.indices],
        range(first, first + count),
        sums=graph.sums,
        decided=graph.decided,
        tokens=tokens,
        **attributes,
    )


def _own_numbers(graph: GameGraph, first: int) -> np.ndarray:
    """Return where each vertex comes among the integers from the first on."""
    count = len(graph)
    places = [label - first if type(label) is int else -1 for label in graph.labels]
    if set(places) != set(range(count)):
        last = f"{first + count - 1}" if count else "?"
        raise FormatError(
            "this format has the positions {first}..{last}, the graph has others: write an edge "
            "list, or let graphgame convert --relabel number them",
            first,
            last,
        )
    return np.array(places, np.int64)


def _is_integer(label: object) -> bool:
    return isinstance(label, int | np.integer) and not isinstance(label, bool) and -(2**63) <= int(label) < 2**63
