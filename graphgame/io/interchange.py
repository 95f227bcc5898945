"""What GraphML, GEXF, node-link JSON and DOT share: positions as text, tokens, and graphs built by name.

Text of a position
------------------
A file says in the attribute ``positions`` of the graph how its texts are meant:

``int``
    decimal integers;
``str``
    strings, as they stand;
``json``
    JSON: strings in quotes, numbers, ``true``, ``false``, and arrays, which are tuples. Used where a graph mixes kinds,
    and for strings with control characters, which XML cannot hold.

Positions of any other type are written as their ``str``. Without the attribute the texts are integers if each of them
is one in canonical form (no sign but ``-``, no leading zeros, 64 bits), else strings.

The attribute ``tokens`` of the graph holds the tokens as a JSON array of positions.
"""

from __future__ import annotations

import json
import math
import re
from array import array
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from operator import eq
from typing import Any

import numpy as np

from graphgame.arrays.attributes import kinds_of
from graphgame.arrays.labels import Labels, are_integers, as_labels
from graphgame.errors import FormatError, LimitError, Message, ParseError
from graphgame.graph import GameGraph
from graphgame.io.files import Source
from graphgame.io.jsontext import first_repeated, loads, position_of_json

_INTEGER = re.compile(r"-?[1-9][0-9]{0,18}|0")
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_KINDS = ("int", "str", "json")
_MOST_REPEATS = 10**7


def position_texts(labels: Sequence[Hashable]) -> tuple[str, Iterable[str]]:
    """Return the kind that expresses these positions, and the text of each.

    Examples
    --------
    >>> for labels in ([1, 2], ["1", "a"], [1, "1"], [(1, 2)]):
    ...     kind, texts = position_texts(labels)
    ...     print(kind, list(texts))
    int ['1', '2']
    str ['1', 'a']
    json ['1', '"1"']
    json ['[1, 2]']
    """
    if are_integers(labels):
        return "int", map(str, labels)
    positions = list(map(_plain, labels))
    types = set(map(type, positions))
    if types <= {int} and all(-(2**63) <= position < 2**63 for position in positions):
        return "int", map(str, positions)
    if types <= {str} and not any(map(_UNPRINTABLE.search, positions)):
        return "str", positions
    if type(None) not in types and all(map(_is_json, positions)):
        return "json", map(json.dumps, positions)
    return "str", unique_texts(positions)


def unique_texts(labels: Sequence[Hashable]) -> list[str]:
    """Return the text of every position; raise a FormatError where two have the same."""
    texts = list(map(str, labels))
    if not are_integers(labels) and len(set(texts)) < len(texts):
        raise FormatError("two positions have the text {text!r}: relabel the graph first", first_repeated(texts))
    return texts


def is_integer(text: str) -> bool:
    """Tell whether a text is an integer label: of 64 bits, with no sign but ``-`` and no leading zeros.

    This is what makes the positions of a file integers, in every format.

    Examples
    --------
    >>> [is_integer(text) for text in ("7", "-7", "07", "+7", "9223372036854775807", "9223372036854775808")]
    [True, True, False, False, True, False]
    """
    return _INTEGER.fullmatch(text) is not None and -(2**63) <= int(text) < 2**63


def as_integers(texts: Sequence[str]) -> np.ndarray | None:
    """Return the numbers that texts are if each is an integer label (see :func:`is_integer`), else None.

    Examples
    --------
    >>> as_integers(["7", "-7"]), as_integers(["7", "07"])
    (array([ 7, -7]), None)
    """
    try:
        numbers = np.array(list(map(int, texts)), np.int64)
    except (ValueError, OverflowError):
        return None
    return numbers if all(map(eq, map(str, numbers.tolist()), texts)) else None


def decode_positions(texts: Iterable[str], kind: str | None, source: Source) -> np.ndarray | list[Hashable]:
    """Return the positions of these texts, increasing integers as an array.

    ``kind`` is what the file says; None or an unknown one follows the rule for files that do not say. A ParseError
    tells that a text is not of the kind, or that two mean the same position.
    """
    texts = list(texts)
    numbers = None if kind in ("str", "json") else as_integers(texts)
    if numbers is not None:
        positions = numbers if _is_increasing(numbers) else numbers.tolist()
    elif kind == "int":
        wrong = next(text for text in texts if not is_integer(text))
        raise source.error(Message("position {wrong!r} is not an integer: the file says that all positions are", wrong))
    else:
        positions = [_from_json(text, source) for text in texts] if kind == "json" else list(texts)
    if isinstance(positions, list) and len(set(positions)) < len(positions):
        raise source.error(
            Message("two vertices have the position {position!r}: each needs its own", first_repeated(positions))
        )
    return positions


def decode_tokens(
    text: str, positions: Labels | np.ndarray | list[Hashable], kind: str | None, source: Source
) -> list[Hashable]:
    """Return the tokens that a JSON array names, each a position; ``kind`` is that of the positions.

    A ParseError tells that it is no such array, or that a token is not a position.
    """
    try:
        listed = loads(text)
        tokens = list(map(position_of_json, listed)) if isinstance(listed, list) else None
    except (ValueError, TypeError, RecursionError):
        tokens = None
    if tokens is None:
        raise source.error(Message("tokens {text!r}: expected a JSON array of positions", text))
    labels = as_labels(positions)
    if kind != "json":
        as_text = [token if isinstance(token, str) else json.dumps(token) for token in tokens]
        integers = isinstance(positions, np.ndarray) or (len(positions) > 0 and isinstance(positions[0], int))
        tokens = [int(token) if integers and is_integer(token) else token for token in as_text]
    for token in tokens:
        if token not in labels:
            raise source.error(Message("token {token!r} is not a position of the graph", token))
    return tokens


def compact(positions: list[Hashable]) -> np.ndarray | list[Hashable]:
    """Return increasing integers as an array, and any other list as it is.

    Examples
    --------
    >>> compact([1, 3, 4]), compact([3, 1])
    (array([1, 3, 4]), [3, 1])
    """
    if set(map(type, positions)) <= {int} and all(-(2**63) <= position < 2**63 for position in positions):  # type: ignore[operator]
        numbers = np.array(positions, np.int64)
        if _is_increasing(numbers):
            return numbers
    return positions


def _is_increasing(numbers: np.ndarray) -> bool:
    return bool((numbers[1:] > numbers[:-1]).all())


def graph_attributes(graph: GameGraph, kind: str) -> dict[str, str]:
    """Return what a file says of the graph as a whole: the kind of its positions, and its tokens.

    Examples
    --------
    >>> graph_attributes(GameGraph([(1, 2)], tokens=[1, 1]), "int")
    {'positions': 'int', 'tokens': '[1, 1]'}
    """
    if graph.tokens is None:
        return {"positions": kind}
    shown: Callable[[Any], Any] = str if kind == "str" else _plain
    tokens = [shown(graph.labels[graph.number_of(token)]) for token in graph.tokens]
    return {"positions": kind, "tokens": json.dumps(tokens, ensure_ascii=kind == "json")}


class VertexNumbers(dict[str, int]):
    """The numbers of vertices by their texts in a file; ``number_of`` is asked once for each text.

    ``number_of`` raises KeyError for a text of no vertex.
    """

    def __init__(self, number_of: Callable[[str], int]) -> None:
        self._number_of = number_of

    def __missing__(self, text: str) -> int:
        number = self[text] = self._number_of(text)
        return number


class GraphBuilder:
    """Collects vertices and edges by name, in the order in which they are met.

    Attributes
    ----------
    numbers : dict of str to int
        The number of each vertex.
    kinds : dict of int to str
        The attribute ``kind`` of vertices, which may be any text.
    dropped : set of int
        The vertices that the graph is made without.
    """

    def __init__(self, source: Source) -> None:
        self.numbers: dict[Any, int] = {}
        self.kinds: dict[int, str] = {}
        self.dropped: set[int] = set()
        self._source = source
        self._starts = array("i")
        self._ends = array("i")
        self._repeats = 0
        self._undeclared: dict[Hashable, ParseError] = {}

    def vertex(self, name: Hashable) -> int:
        """Return the number of a vertex, a new one for a new name."""
        return self.numbers.setdefault(name, len(self.numbers))

    def declare(self, name: Hashable, error: Callable[[str], ParseError]) -> int:
        """Return the number of a vertex that a file lists, once; ``error`` makes the error for this place."""
        if name in self.numbers and name not in self._undeclared:
            raise error(Message("a second vertex {name!r}: each vertex is listed once", name))
        self._undeclared.pop(name, None)
        return self.vertex(name)

    def end_of_edge(self, name: Hashable, error: Callable[[str], ParseError]) -> int:
        """Return the number of a vertex that an edge names; the file may list it later."""
        if name not in self.numbers:
            self._undeclared[name] = error(Message("the edge names {name!r}, which is not a vertex of the file", name))
        return self.vertex(name)

    def check_declared(self) -> None:
        """Raise a ParseError for the first edge that names a vertex which the file does not list."""
        for error in self._undeclared.values():
            raise error

    def edges(self, ends: Sequence[str], numbers: Mapping[str, int]) -> bool:
        """Add edges, given the texts of a start and an end in turn; return False where a text is of no vertex yet."""
        try:
            found = np.fromiter(map(numbers.__getitem__, ends), np.int32, len(ends))
        except KeyError:
            return False
        self.add_edges(found[::2], found[1::2])
        return True

    def add_edges(self, starts: np.ndarray, ends: np.ndarray) -> None:
        """Add edges between numbers, int32."""
        self._starts.frombytes(starts.tobytes())
        self._ends.frombytes(ends.tobytes())

    def declare_all(self, names: Sequence[Hashable]) -> bool:
        """Add vertices that a file lists; return False, and add none, where one was named before."""
        new = dict.fromkeys(names)
        if len(new) < len(names) or not self.numbers.keys().isdisjoint(new):
            return False
        self.numbers.update(zip(names, range(len(self.numbers), len(self.numbers) + len(names)), strict=True))
        return True

    def __len__(self) -> int:
        return len(self._starts)

    def take_edges(self) -> list[tuple[int, int]]:
        """Return all edges so far, in their order, and forget them."""
        edges = list(zip(self._starts, self._ends, strict=True))
        self._starts, self._ends = array("i"), array("i")
        return edges

    def edge(self, start: int, end: int, multiplicity: int = 1) -> None:
        """Add an edge between two numbers."""
        self._starts.append(start)
        self._ends.append(end)
        if multiplicity > 1:
            self._repeat(start, end, multiplicity - 1)

    def build(self, attributes: Mapping[str, str], texts: Sequence[str] | None = None) -> GameGraph:
        """Return the graph, given what the file says of it, of which ``positions`` and ``tokens`` count.

        The text of each vertex's position is its name if not given. A ParseError tells that a position or a token does
        not fit.
        """
        kind = attributes["positions"] if attributes.get("positions") in _KINDS else None
        names: Iterable[str] = self.numbers if texts is None else texts
        kept = (name for vertex, name in enumerate(names) if vertex not in self.dropped)
        positions = decode_positions(kept if self.dropped else names, kind, self._source)
        tokens = decode_tokens(attributes["tokens"], positions, kind, self._source) if "tokens" in attributes else None
        return self.graph(positions, tokens)

    def graph(self, positions: np.ndarray | Sequence[Hashable], tokens: Iterable[Hashable] | None) -> GameGraph:
        """Return the graph, given the positions of the vertices that are kept."""
        kept = _marked(self.dropped, len(self.numbers), False)
        sums, decided = kinds_of(
            map(self.kinds.get, range(len(kept) if self.kinds else 0)), len(kept) * bool(self.kinds)
        )
        start, end = np.array(self._starts, np.int32), np.array(self._ends, np.int32)
        if self.dropped:
            both = kept[start] & kept[end]
            number = np.cumsum(kept, dtype=np.int32) - 1
            start, end = number[start[both]], number[end[both]]
            sums, decided = (None if marks is None else marks[kept] for marks in (sums, decided))
        try:
            return GameGraph.from_arrays(start, end, positions, sums=sums, decided=decided, tokens=tokens)
        except ValueError as error:  # a decided position has options
            raise self._source.error(str(error)) from None

    def _repeat(self, start: int, end: int, times: int) -> None:
        self._repeats += times
        if self._repeats > _MOST_REPEATS:
            raise LimitError(
                "{name}: multiplicities of more than {most} in all: equal parts of a sum cancel in "
                "pairs, so write 1 or 2",
                self._source.name,
                _MOST_REPEATS,
            )
        self._starts.extend([start] * times)
        self._ends.extend([end] * times)


def multiplicity_of(text: object) -> int:
    """Return the multiplicity that an attribute states; raise ValueError where it is no integer of 1 or more."""
    shown = str(text).strip()
    if not re.fullmatch(r"[1-9][0-9]{0,17}", shown):
        raise ValueError(Message("multiplicity {text!r}: expected an integer of 1 or more", text))
    return int(shown)


def _marked(numbers: set[int], length: int, mark: bool) -> np.ndarray:
    array = np.full(length, not mark)
    array[list(numbers)] = mark
    return array


def _plain(position: Any) -> Any:  # noqa: ANN401
    return position.item() if isinstance(position, np.generic) else position


def _is_json(position: Any) -> bool:  # noqa: ANN401
    if isinstance(position, tuple):
        return all(map(_is_json, position))
    if isinstance(position, float):
        return math.isfinite(position)
    return position is None or isinstance(position, str | int)


def _from_json(text: str, source: Source) -> Hashable:
    try:
        return position_of_json(loads(text))
    except (ValueError, TypeError, RecursionError):
        message = Message("position {text!r}: expected JSON of a string, a number or an array", text)
        raise source.error(message) from None
