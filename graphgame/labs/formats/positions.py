"""Shared by the readers of DOT, XML, JSON, CSV and Parquet: positions and tokens from text, graphs by vertex names.

A file may state the kind of its positions: ``int``, ``str`` or ``json``. The kind determines how a text becomes a
position: :mod:`graphgame.io.interchange` describes the kinds, and the rule for files that do not state a kind.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, cast

import numpy as np

from graphgame.compiled.engine import use_compiled
from graphgame.errors import LimitError, Message, ParseError
from graphgame.graph.attributes import kinds_of
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.interning import Texts, texts
from graphgame.graph.labels import Labels, RangeLabels, are_integers, as_labels
from graphgame.io.files import Source
from graphgame.io.interchange import as_integers, first_repeated, is_integer, is_integer_label
from graphgame.labs.formats.edge_items import ItemLabels, items_alike, items_of

_MAX_DEPTH_OF_ARRAYS = 100
_KINDS = ("int", "str", "json")
_MAX_EXTRA_EDGES = 10**7
_LEAST_BYTES_OF_EDGE = 20
"""An edge of JSON or XML takes at least this many bytes: so the size of a file limits the number of its edges."""


def decode_positions(texts: Sequence[str], source: Source) -> np.ndarray | list[Hashable]:
    """Return the position of each text: integers if every text is an integer in canonical form, otherwise the texts.

    Integers in increasing order are returned as an array, and all other positions as a list. Raises ParseError if two
    texts are equal.
    """
    numbers = as_integers(texts)
    if numbers is not None and is_increasing(numbers):
        return numbers
    return _check_distinct(list(texts) if numbers is None else numbers.tolist(), source)


def _check_distinct(positions: list[Any], source: Source) -> list[Hashable]:
    """Return the argument ``positions``; raise ParseError if a position occurs twice in it."""
    if len(set(positions)) < len(positions):
        raise source.error(
            Message(
                "two vertices have the position {position!r}: expected different positions", first_repeated(positions)
            )
        )
    return positions


def positions_of_kind(texts: Iterable[str], kind: str | None, source: Source) -> np.ndarray | list[Hashable]:
    """Return the position of each text, as an array or a list.

    ``kind`` is the kind of the positions that the file states: ``int``, ``str`` or ``json``. If the file states none,
    ``kind`` is None, and the positions are those of :func:`decode_positions`. Raises ParseError if a text is not of
    the stated kind, or if two texts mean the same position.
    """
    texts = list(texts)
    if kind == "json":
        return _check_distinct([_position_of_json_text(text, source) for text in texts], source)
    if kind == "str":
        return _check_distinct(texts, source)
    positions = decode_positions(texts, source)
    if kind == "int" and len(positions) and isinstance(positions[0], str):
        wrong = next(text for text in texts if not is_integer(text))
        raise source.error(
            Message(
                "position {wrong!r} is not an integer in canonical form (64 bits, no leading zeros), but the file "
                "states that all positions are integers",
                wrong,
            )
        )
    return positions


def decode_tokens(
    text: str, positions: Labels | np.ndarray | list[Hashable], kind: str | None, source: Source
) -> list[Hashable]:
    """Return the tokens in ``text``, a JSON array of positions.

    ``positions`` are all positions of the graph, and ``kind`` is their kind as for :func:`positions_of_kind`. Raises
    ParseError if the text is not an array of positions, or if a token is not among ``positions``.
    """
    try:
        array_of_tokens = DECODER.decode(text)
        tokens = list(map(position_of_json, array_of_tokens)) if isinstance(array_of_tokens, list) else None
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
    """Return a list of increasing 64-bit integers as an array, and any other list unchanged.

    Examples
    --------
    >>> compact([1, 3, 4]), compact([3, 1])
    (array([1, 3, 4]), [3, 1])
    """
    if set(map(type, positions)) <= {int} and all(-(2**63) <= position < 2**63 for position in positions):  # type: ignore[operator]
        numbers = np.array(positions, np.int64)
        if is_increasing(numbers):
            return numbers
    return positions


class GraphBuilder:
    """Collects the vertices and edges of a file, and then makes a graph of them.

    Vertices have names in the file. They are numbered from 0 in the order in which their names first occur.

    Attributes
    ----------
    numbers : dict of hashable to int
        The number of each vertex, by its name.
    kinds : dict of int to str
        The attribute ``kind`` of the vertices that have it, by their numbers. A text that is not in
        :data:`graphgame.graph.attributes.VERTEX_KINDS` means an ordinary vertex.
    dropped : set of int
        The numbers of the vertices to leave out of the graph, together with their edges.
    """

    def __init__(self, source: Source) -> None:
        self.numbers: dict[Any, int] = {}
        self.kinds: dict[int, str] = {}
        self.dropped: set[int] = set()
        self._source = source
        self._starts = array("i")
        self._ends = array("i")
        self._extra_edges = 0
        self._undeclared: dict[Hashable, ParseError] = {}
        self._vertices_of_texts: dict[object, tuple[Texts, array[int]]] = {}

    def declare(self, name: Hashable, error: Callable[[str], ParseError]) -> int:
        """Record that the file lists a vertex with this name, and return the number of the vertex.

        Raises a ParseError, made by ``error`` from a message, if the file lists the name twice.
        """
        if name in self.numbers and name not in self._undeclared:
            raise error(Message("the vertex {name!r} is listed twice: expected each vertex once", name))
        self._undeclared.pop(name, None)
        return self.numbers.setdefault(name, len(self.numbers))

    def end_of_edge(self, name: Hashable, error: Callable[[str], ParseError]) -> int:
        """Return the number of the vertex of this name, at which an edge starts or ends.

        The file may list the vertex later. If it never does, :meth:`check_declared` raises a ParseError, which
        ``error`` makes from a message.
        """
        if name not in self.numbers:
            self._undeclared[name] = error(
                Message("the edge leads from or to {name!r}, which is not a vertex of the file", name)
            )
        return self.numbers.setdefault(name, len(self.numbers))

    def check_declared(self) -> None:
        """Raise a ParseError for the first end of an edge that the file does not list as a vertex, if there is one."""
        for error in self._undeclared.values():
            raise error

    def edges(self, ends: Sequence[Hashable]) -> bool:
        """Add edges between known vertices; ``ends`` has the names of sources and targets in turn. Return True.

        If a name is not in ``numbers``, add no edge, and return False.
        """
        try:
            numbers = np.fromiter(map(self.numbers.__getitem__, ends), np.int32, len(ends))
        except KeyError:
            return False
        self.add_edges(numbers[::2], numbers[1::2])
        return True

    def labelled_edges(self, labels: ItemLabels) -> bool:
        """Add edges as :meth:`edges` does, but look up the names of their ends in a compiled loop. Return True.

        But add no edge, and return False, in two cases: a name is not in ``numbers``, or quotes are around only the
        sources or only the targets.
        """
        if len({*labels.quoted}) > 1:
            return False
        name_of: Callable[[str], Hashable] = str if labels.quoted[0] else int
        ends = self.vertices_of(
            name_of, labels[:2], lambda texts: [self.numbers.get(name_of(each), -1) for each in texts]
        )
        if ends.min(initial=0) < 0:
            return False
        self.add_edges(ends[::2], ends[1::2])
        return True

    def vertices_of(
        self, kind: object, labels: tuple[np.ndarray, np.ndarray], vertices_of_new: Callable[[list[str]], Any]
    ) -> np.ndarray:
        """Return the number of the vertex of each label, as an int32 array.

        ``labels`` is (data, offsets), an array of bytes and one of integers: label k is
        ``data[offsets[k]:offsets[k + 1]]``. A compiled loop looks up each label in a table of the labels of earlier
        calls. For labels that are not in the table, it takes the numbers that ``vertices_of_new(new_labels)`` returns.
        Each ``kind`` has its own table: a label, such as 1, may name different vertices in different kinds.
        """
        if kind not in self._vertices_of_texts:
            self._vertices_of_texts[kind] = texts(True), array("i")
        texts_so_far, vertices = self._vertices_of_texts[kind]
        first_new = len(texts_so_far)
        indices = texts_so_far.numbers(*labels)
        vertices.frombytes(np.asarray(vertices_of_new(texts_so_far.strings(first_new)), np.int32).tobytes())
        return np.frombuffer(vertices, np.int32)[indices]  # type: ignore[no-any-return]

    def add_edges(self, starts: np.ndarray, ends: np.ndarray) -> None:
        """Add edges, given the vertex numbers of their sources and of their targets as int32 arrays."""
        self._starts.frombytes(starts.tobytes())
        self._ends.frombytes(ends.tobytes())

    def declare_all(self, names: Sequence[Hashable]) -> bool:
        """Record that the file lists a vertex with each of these names, and return True.

        If a name occurs twice or is already in ``numbers``, record none of them, and return False.
        """
        new = dict.fromkeys(names)
        if len(new) < len(names) or not self.numbers.keys().isdisjoint(new):
            return False
        self.numbers.update(zip(names, range(len(self.numbers), len(self.numbers) + len(names)), strict=True))
        return True

    def __len__(self) -> int:
        return len(self._starts)

    def take_edges(self) -> list[tuple[int, int]]:
        """Return all edges so far as pairs of vertex numbers, in the order added, and remove them from the builder."""
        edges = list(zip(self._starts, self._ends, strict=True))
        self._starts, self._ends = array("i"), array("i")
        return edges

    def edge(self, start: int, end: int, multiplicity: int = 1) -> None:
        """Add an edge between two vertex numbers, ``multiplicity`` times.

        Raises LimitError if multiplicities above 1 have added more than ten million edges to the builder.
        """
        self._starts.append(start)
        self._ends.append(end)
        if multiplicity > 1:
            self._extra_edges += multiplicity - 1
            if self._extra_edges > _MAX_EXTRA_EDGES:
                raise LimitError(
                    "{name}: multiplicities add more than {most} edges: under normal play without cycles, equal parts "
                    "of a sum cancel in pairs, so write 1 in place of any odd multiplicity, and 2 in place of any even "
                    "one",
                    self._source.name,
                    _MAX_EXTRA_EDGES,
                )
            self._starts.extend([start] * (multiplicity - 1))
            self._ends.extend([end] * (multiplicity - 1))

    def build(self, attributes: Mapping[str, str], texts: Sequence[str] | None = None) -> GameGraph:
        """Return the graph, without the vertices in ``dropped``.

        ``attributes`` are attributes of the graph in the file: ``positions`` is the kind of its positions, and
        ``tokens`` a JSON array of tokens. ``texts`` has the text of each vertex's position; by default it is the name
        of the vertex. Raises ParseError if a text is not a position of this kind, if two vertices have the same
        position, if the tokens are not an array of positions of the graph, or if a decided position has options.
        """
        kind = attributes["positions"] if attributes.get("positions") in _KINDS else None
        of_vertices: Iterable[str] = self.numbers if texts is None else texts
        in_graph = (text for vertex, text in enumerate(of_vertices) if vertex not in self.dropped)
        positions = positions_of_kind(in_graph if self.dropped else of_vertices, kind, self._source)
        tokens = decode_tokens(attributes["tokens"], positions, kind, self._source) if "tokens" in attributes else None
        return self.graph(positions, tokens)

    def graph(self, positions: np.ndarray | Sequence[Hashable], tokens: Iterable[Hashable] | None) -> GameGraph:
        """Return the graph without the vertices in ``dropped``; ``tokens`` are its tokens, if any.

        ``positions`` has the positions of the remaining vertices, in the order of vertex numbers. Raise ParseError if a
        decided position has options.
        """
        in_graph = np.ones(len(self.numbers), np.bool_)
        in_graph[list(self.dropped)] = False
        with_kind = len(in_graph) if self.kinds else 0
        sums, decided = kinds_of(map(self.kinds.get, range(with_kind)), with_kind)
        start, end = np.array(self._starts, np.int32), np.array(self._ends, np.int32)
        if self.dropped:
            both_in_graph = in_graph[start] & in_graph[end]
            number = np.cumsum(in_graph, dtype=np.int32) - 1
            start, end = number[start[both_in_graph]], number[end[both_in_graph]]
            sums, decided = (None if marks is None else marks[in_graph] for marks in (sums, decided))
        try:
            return GameGraph.from_arrays(start, end, positions, sums=sums, decided=decided, tokens=tokens)
        except ValueError as error:  # A decided position has options.
            raise self._source.error(str(error)) from None


@dataclass
class Items:
    """Adds simple vertices, or simple edges, to a builder: many at a time, which is faster than one by one.

    ``pattern`` matches one vertex or one edge, and the separator after it. Every match ends in the text ``mark``, after
    which blocks are cut. The pattern has a group for the name of the vertex, or two groups for the names of the edge's
    ends. ``name_of`` converts the text of a group to a name. ``size`` is about the size of the file, 0 if unknown.
    """

    builder: GraphBuilder
    pattern: re.Pattern[str]
    mark: str
    size: int
    name_of: Callable[[str], Hashable] = str

    def take(self, block: bytes) -> int:
        """Add simple items at the start of a block, and return the number of bytes that they take.

        There are up to three attempts, each adding all items of a text or none. If all fail, return 0.

        1. Only for edges, and if the file is large: a compiled loop reads edges until one is written differently from
           the first edge. If they are more than half of the block, try to add them.
        2. Try the items up to the last ``mark`` in the block.
        3. Try the items up to the last ``mark`` before the first "]" in the block.

        An attempt fails if the text has anything but simple items, an edge whose end is not a known vertex, or a
        vertex that is already known.
        """
        # The compiled loop stops at the first item that is written differently. If that is in the first half of the
        # block, ignore its result, and match the block with the regular expression.
        is_compiled = self.pattern.groups == 2 and use_compiled(self.size // _LEAST_BYTES_OF_EDGE)
        alike = items_alike(self.pattern, block) if is_compiled else None
        if alike and alike[1] > len(block) // 2 and self.builder.labelled_edges(alike[0]):
            return alike[1]
        text = block.decode("utf-8", "surrogatepass")
        add = self.builder.edges if self.pattern.groups == 2 else self.builder.declare_all
        # First try the items up to the end of the block. That fails if a JSON array ends in the block: then try the
        # items up to the first "]".
        for stop in (len(text), text.find("]")):
            end = text.rfind(self.mark, 0, max(stop, 0)) + len(self.mark)
            names = items_of(self.pattern, text[:end])
            if names and add(list(map(self.name_of, names))):
                return len(text[:end].encode("utf-8", "surrogatepass"))
        return 0


def multiplicity_of(text: object, error: Callable[[str], ParseError]) -> int:
    """Return the value of an edge's attribute ``multiplicity``.

    Raises a ParseError, made by ``error`` from a message, if it is not an integer in 1..10**18-1.
    """
    digits = str(text).strip()
    if not re.fullmatch(r"[1-9][0-9]{0,17}", digits):
        raise error(Message("multiplicity {text!r}: expected an integer in 1..10**18-1", text))
    return int(digits)


def _position_of_json_text(text: str, source: Source) -> Hashable:
    try:
        return position_of_json(DECODER.decode(text))
    except (ValueError, TypeError, RecursionError):
        message = Message("position {text!r}: expected a JSON string, number or array", text)
        raise source.error(message) from None


def position_of_json(value: Any, depth: int = 0) -> Hashable:  # noqa: ANN401
    """Return the position that a decoded JSON value means: an array means a tuple, and other values mean themselves.

    ``depth`` is the number of arrays around the value. Raises TypeError for an object, for arrays more than 100 deep,
    and for ``null`` outside arrays, because networkx does not accept None as a node.
    """
    if isinstance(value, list):
        if depth == _MAX_DEPTH_OF_ARRAYS:
            raise TypeError(Message("arrays more than {most} deep", _MAX_DEPTH_OF_ARRAYS))
        return tuple(position_of_json(entry, depth + 1) for entry in value)
    if isinstance(value, dict) or (value is None and depth == 0):
        raise TypeError(Message("expected a string, a number or an array"))
    return value  # type: ignore[no-any-return]


def _refuse_constant(name: str) -> None:
    raise ValueError(Message("{name} is not a JSON number", name))


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise ValueError(Message("{digits!r} is outside the range of a 64-bit float", digits))
    return number


def _distinct_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError(Message("an object has the name {name!r} twice", first_repeated(name for name, _ in pairs)))
    return members


DECODER = json.JSONDecoder(object_pairs_hook=_distinct_members, parse_float=_finite, parse_constant=_refuse_constant)
"""A decoder that raises ValueError if a JSON object has a name twice, or if a number is infinite or NaN."""


def integer_array(labels: Labels) -> np.ndarray | None:
    """Return the positions as an int64 array, in their order; None if a position is not a 64-bit integer.

    Examples
    --------
    >>> integer_array(GameGraph([(2, 1)]).labels)
    array([2, 1])
    """
    if isinstance(labels, RangeLabels) and len(labels):
        first = cast("int", labels[0])
        return np.arange(first, first + len(labels))
    if are_integers(labels) or all(map(is_integer_label, labels)):
        return np.fromiter(cast("Iterable[int]", labels), np.int64, len(labels))
    return None


def is_increasing(numbers: np.ndarray) -> bool:
    """Return True if each number is larger than the number before it."""
    return bool((numbers[1:] > numbers[:-1]).all())
