"""Which claims about values are justified by those about options, as :mod:`.verification` states.

Nothing here is shared with the solver.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from graphgame.errors import Message, shorten
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.rows import Rows
from graphgame.solution.results import ValueCodes

_EDGES_AT_A_TIME = 1 << 20
_VERTICES_AT_A_TIME = 1 << 20
_LARGEST = 2**31 - 1
_SHOWN_VALUES = 12


class Claims(NamedTuple):
    """What is claimed of each vertex: -1 or an empty text where nothing is.

    Attributes
    ----------
    grundy : ndarray of int32
        -2 or less where an infinite value is claimed.
    outcome : ndarray of str
    remoteness : ndarray of int32
    terminal : {0, 1}
        The value of a position without options.
    codes : ValueCodes
        What the values of -2 and less mean.
    """

    grundy: np.ndarray
    outcome: np.ndarray
    remoteness: np.ndarray
    terminal: int
    codes: ValueCodes

    @classmethod
    def nothing(cls, size: int, terminal: int) -> Claims:
        """Return the claims that say nothing of so many vertices."""
        numbers = np.full((2, size), -1, np.int32)
        return cls(numbers[0], np.full(size, "", "<U1"), numbers[1], terminal, ValueCodes())


class Block(NamedTuple):
    """Some vertices and their options: option e belongs to ``vertices[owner[e]]``."""

    vertices: np.ndarray
    owner: np.ndarray
    option: np.ndarray


def unjustified(graph: GameGraph, claims: Claims, *, remoteness: bool) -> np.ndarray:
    """Mark the vertices whose row does not follow from the rows of their options.

    With the remoteness, every vertex must have a value. One look at each edge out of a vertex that has a row, and at
    those out of an option that has none.
    """
    known = np.flatnonzero(claims.grundy >= 0)
    is_sum = np.zeros(len(graph), np.bool_) if graph.sums is None else graph.sums
    wrong: np.ndarray = (claims.grundy >= 0) & _contradicted(claims)
    for block in blocks(graph.option_rows, known[~is_sum[known]]):
        wrong[block.vertices] |= _wrong_positions(graph, claims, block)
        if remoteness:
            wrong[block.vertices] |= wrong_lengths(claims, block)
    for block in blocks(graph.option_rows, known[is_sum[known]]):
        wrong[block.vertices] |= _wrong_sums(claims, block)
    return wrong


def why_unjustified(graph: GameGraph, claims: Claims, vertex: int) -> str:
    """Say why the row of a vertex is not justified, given that the rows below it are."""
    if graph.sums is not None and graph.sums[vertex]:
        why = _why_sum(graph, claims, vertex)
    else:
        why = _why_position(graph, claims, vertex)
    value, outcome = int(claims.grundy[vertex]), str(claims.outcome[vertex])
    if why:
        return Message("value {value}, but {why}", value, why)
    if _contradicted(claims)[vertex]:
        return Message(
            "outcome {outcome}, but a position of value {value} is {right}", outcome, value, "N" if value else "P"
        )
    return why_length(graph, claims, vertex)


def _contradicted(claims: Claims) -> np.ndarray:
    """Mark the vertices whose outcome is given and does not fit the value."""
    expected = np.where(claims.grundy == 0, "P", "N")
    return (claims.outcome != "") & (claims.outcome != expected)  # type: ignore[no-any-return]


def _why_sum(graph: GameGraph, claims: Claims, vertex: int) -> str:
    parts, times = np.unique(graph.option_rows.row(vertex), return_counts=True)
    odd = parts[times % 2 == 1]
    values = claims.grundy[odd]
    if (values < 0).any():
        return Message("its part {part} has no value", position_text(graph, odd[values < 0][0]))
    total = int(np.bitwise_xor.reduce(values)) if len(values) else 0
    return "" if total == claims.grundy[vertex] else Message("the xor of its parts' values is {total}", total)


def _why_position(graph: GameGraph, claims: Claims, vertex: int) -> str:
    value, row = int(claims.grundy[vertex]), graph.option_rows.row(vertex)
    theirs = claims.grundy[row]
    if len(row) == 0:
        return "" if value == claims.terminal else why_end(claims, value)
    least = mex_of(theirs)
    end = (
        ""
        if (theirs < 0).any()
        else Message("; the mex of its options' values {theirs} is {least}", shown_values(theirs), least)
    )
    if (theirs == value).any():
        return Message(
            "its option {option} has that value too{end}", position_text(graph, row[theirs == value][0]), end
        )
    if least < value:
        return Message("no option has the value {least}{end}", least, end)
    for option in row[theirs < 0].tolist():
        if not _differs(graph, claims, np.array([option]), np.array([value]))[0]:
            name = position_text(graph, option)
            return Message(
                "its option {name} may have it too: it has no value, and no option of value {value}", name, value
            )
    return ""


def why_end(claims: Claims, value: int) -> str:
    """Say that a position without options has another value; and if it has this one under the other play, say so."""
    under = (
        Message(" ({value} under normal play)", value)
        if claims.terminal
        else Message(" ({value} under misère play)", value)
    )
    other = under if value == 1 - claims.terminal else ""
    return Message("it has no option, so its value is {terminal}{other}", claims.terminal, other)


def why_length(graph: GameGraph, claims: Claims, vertex: int) -> str:
    """Say why the remoteness of a vertex is wrong; an empty text where it is not."""
    row, length = graph.option_rows.row(vertex), int(claims.remoteness[vertex])
    if length < 0:
        return Message("it has no remoteness, though other positions have one")
    lost = claims.grundy[vertex] == 0
    chosen = row if lost else row[claims.grundy[row] == 0]
    lengths = claims.remoteness[chosen]
    if len(chosen) == 0:
        return Message("remoteness {length}, but the game is over there, so it is 0", length)
    if lost:
        return Message("remoteness {length}, but the longest resistance lasts {first}", length, lengths.max() + 1)
    return Message("remoteness {length}, but the fastest win takes {first}", length, lengths.min() + 1)


def mex_of(values: np.ndarray) -> int:
    """Return the least value that is missing."""
    present = np.zeros(len(values) + 1, np.bool_)
    present[values[(values >= 0) & (values < len(values))]] = True
    return int(np.argmin(present))


def position_text(graph: GameGraph, vertex: int) -> str:
    """Return a position as it stands in a reason."""
    return shorten(graph.labels[int(vertex)])


def shown_values(values: np.ndarray) -> str:
    """Return a set of values as it stands in a reason."""
    distinct = np.unique(values)
    shown = ", ".join(map(str, distinct[:_SHOWN_VALUES].tolist()))
    return f"{{{shown}{', ...' if len(distinct) > _SHOWN_VALUES else ''}}}"


def blocks(rows: Rows, vertices: np.ndarray) -> Iterator[Block]:
    """Yield vertices with their options, a bounded number at a time."""
    for start in range(0, len(vertices), _VERTICES_AT_A_TIME):
        yield from _some_blocks(rows, vertices[start : start + _VERTICES_AT_A_TIME])


def _some_blocks(rows: Rows, vertices: np.ndarray) -> Iterator[Block]:
    ends = np.cumsum(rows.pointers[vertices + 1] - rows.pointers[vertices] + 1)
    start = 0
    while start < len(vertices):
        before = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, before + _EDGES_AT_A_TIME, "right")))
        yield Block(vertices[start:stop], *rows.gather(vertices[start:stop]))
        start = stop


def _wrong_positions(graph: GameGraph, claims: Claims, block: Block) -> np.ndarray:
    value, degree = claims.grundy[block.vertices], graph.out_degrees[block.vertices]
    wrong: np.ndarray = np.where(degree == 0, value != claims.terminal, value > degree)
    smaller = np.where(wrong | (degree == 0), 0, value).astype(np.int64)
    own, theirs = value[block.owner], claims.grundy[block.option]
    wrong[block.owner[own == theirs]] = True
    occurs = np.zeros(smaller.sum(), np.bool_)
    counts = (theirs >= 0) & (theirs < smaller[block.owner])
    occurs[(np.cumsum(smaller) - smaller)[block.owner[counts]] + theirs[counts]] = True
    wrong[np.repeat(np.arange(len(value)), smaller)[~occurs]] = True
    unknown = np.flatnonzero(theirs < 0)
    if len(unknown):
        refuted = _differs(graph, claims, block.option[unknown], own[unknown])
        wrong[block.owner[unknown[~refuted]]] = True
    return wrong


def _differs(graph: GameGraph, claims: Claims, vertices: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Tell which vertices without a row are known not to have these values."""
    pairs, inverse = np.unique(vertices.astype(np.int64) << 31 | values, return_inverse=True)
    vertex, value = pairs >> 31, pairs & _LARGEST
    differs = (graph.out_degrees[vertex] == 0) & (value != claims.terminal)
    start = 0
    for block in blocks(graph.option_rows, vertex):
        hits = claims.grundy[block.option] == value[start + block.owner]
        differs[start + block.owner[hits]] = True
        start += len(block.vertices)
    if graph.sums is not None:
        differs &= ~graph.sums[vertex]
    of_all: np.ndarray = differs[inverse]
    return of_all


def _wrong_sums(claims: Claims, block: Block) -> np.ndarray:
    wrong = np.zeros(len(block.vertices), np.bool_)
    total = np.zeros(len(block.vertices), np.int32)
    changes = (block.owner[1:] != block.owner[:-1]) | (block.option[1:] != block.option[:-1])
    first = np.flatnonzero(np.concatenate([np.ones(min(1, len(block.owner)), np.bool_), changes]))
    odd = first[np.diff(np.append(first, len(block.owner))) % 2 == 1]
    owner, value = block.owner[odd], claims.grundy[block.option[odd]]
    wrong[owner[value < 0]] = True
    np.bitwise_xor.at(total, owner, value)
    wrong |= total != claims.grundy[block.vertices]
    return wrong


def wrong_lengths(claims: Claims, block: Block) -> np.ndarray:
    """Tell where the remoteness is not 1 more than the loser's longest, or the winner's shortest option's."""
    length, lost = claims.remoteness[block.vertices], claims.grundy[block.vertices] == 0
    theirs = claims.remoteness[block.option]
    chosen = lost[block.owner] | (claims.grundy[block.option] == 0)
    signed = np.where(lost[block.owner], theirs, -theirs)[chosen]
    best = np.full(len(length), -_LARGEST, np.int32)
    np.maximum.at(best, block.owner[chosen], signed)
    expected = np.where(best == -_LARGEST, 0, np.where(lost, best, -best) + 1)
    wrong: np.ndarray = (length < 0) | (length != expected)
    wrong[block.owner[chosen & (theirs < 0)]] = True
    return wrong
