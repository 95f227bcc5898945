"""What the formats with attributes share: positions of a stated kind, tokens, and graphs built by name.

How the texts of positions are meant is in :mod:`graphgame.io.interchange`.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from math import isfinite
from typing import Any, cast

import numpy as np

from graphgame.compiled.engine import use_compiled
from graphgame.errors import LimitError, Message, ParseError
from graphgame.graph.attributes import kinds_of
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.interning import Texts, texts
from graphgame.graph.labels import Labels, RangeLabels, are_integers, as_labels
from graphgame.io.edge_items import ItemLabels, items_alike, items_of
from graphgame.io.files import Source
from graphgame.io.interchange import as_integers, first_repeated, is_integer, is_integer_label

_DEEPEST = 100
_KINDS = ("int", "str", "json")
_MOST_REPEATS = 10**7
_BYTES_AN_EDGE = 20


def decode_positions(texts: Sequence[str], source: Source) -> np.ndarray | list[Hashable]:
    """Return the positions of these texts: integers if all are, increasing ones as an array, else strings.

    A ParseError tells that two texts mean the same position.
    """
    numbers = as_integers(texts)
    if numbers is None:
        return unrepeated(list(texts), source)
    return numbers if is_increasing(numbers) else unrepeated(numbers.tolist(), source)


def unrepeated(positions: list[Any], source: Source) -> list[Hashable]:
    """Return the positions; raise a ParseError where one is there twice."""
    if len(set(positions)) < len(positions):
        raise source.error(
            Message("two vertices have the position {position!r}: each needs its own", first_repeated(positions))
        )
    return positions


def positions_of_kind(texts: Iterable[str], kind: str | None, source: Source) -> np.ndarray | list[Hashable]:
    """Return the positions of these texts, increasing integers as an array.

    ``kind`` is what the file says; None or an unknown one follows the rule for files that do not say. A ParseError
    tells that a text is not of the kind, or that two mean the same position.
    """
    texts = list(texts)
    if kind == "json":
        return unrepeated([_from_json(text, source) for text in texts], source)
    if kind == "str":
        return unrepeated(texts, source)
    positions = decode_positions(texts, source)
    if kind == "int" and len(positions) and isinstance(positions[0], str):
        wrong = next(text for text in texts if not is_integer(text))
        raise source.error(Message("position {wrong!r} is not an integer: the file says that all positions are", wrong))
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
        if is_increasing(numbers):
            return numbers
    return positions


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
        self._texts: dict[object, tuple[Texts, array[int]]] = {}

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

    def edges(self, ends: Sequence[Hashable]) -> bool:
        """Add edges, given the names of a start and an end in turn; return False where a name is of no vertex yet."""
        try:
            found = np.fromiter(map(self.numbers.__getitem__, ends), np.int32, len(ends))
        except KeyError:
            return False
        self.add_edges(found[::2], found[1::2])
        return True

    def pairs(self, pairs: ItemLabels) -> bool:
        """Add edges as :meth:`edges` does, by names of one type; a compiled loop finds all names but new ones."""
        if len({*pairs.quoted}) > 1:
            return False
        name_of: Callable[[str], Hashable] = str if pairs.quoted[0] else int
        ends = self.vertices_of(
            name_of, pairs[:2], lambda texts: [self.numbers.get(name_of(each), -1) for each in texts]
        )
        if ends.min(initial=0) < 0:
            return False
        self.add_edges(ends[::2], ends[1::2])
        return True

    def vertices_of(
        self, kind: object, labels: tuple[np.ndarray, np.ndarray], numbers_of: Callable[[list[str]], Any]
    ) -> np.ndarray:
        """Return the vertices of labels of a kind, text k being ``data[offsets[k]:offsets[k + 1]]``.

        A compiled loop finds all but those that come for the first time, which are given to ``numbers_of``.
        """
        if kind not in self._texts:
            self._texts[kind] = texts(True), array("i")
        known, vertices = self._texts[kind]
        first = len(known)
        found = known.numbers(*labels)
        vertices.frombytes(np.asarray(numbers_of(known.strings(first)), np.int32).tobytes())
        return np.frombuffer(vertices, np.int32)[found]  # type: ignore[no-any-return]

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
        positions = positions_of_kind(kept if self.dropped else names, kind, self._source)
        tokens = decode_tokens(attributes["tokens"], positions, kind, self._source) if "tokens" in attributes else None
        return self.graph(positions, tokens)

    def graph(self, positions: np.ndarray | Sequence[Hashable], tokens: Iterable[Hashable] | None) -> GameGraph:
        """Return the graph without the vertices that were dropped; ``positions`` are those of the others."""
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


class Items:
    """Adds vertices or edges of a file to a builder; runs of simple ones many at a time.

    ``pattern`` matches one of them and the separator after it, which ends with ``mark``. Its groups are the name
    of a vertex, or those of the ends of an edge, as ``name_of`` reads them. ``size`` is that of the file.
    """

    def __init__(
        self,
        builder: GraphBuilder,
        pattern: re.Pattern[str],
        mark: str,
        size: int,
        name_of: Callable[[str], Hashable] = str,
    ) -> None:
        self._builder, self._pattern, self._mark, self._name_of = builder, pattern, mark, name_of
        self._compiled = pattern.groups == 2 and use_compiled(size // _BYTES_AN_EDGE)

    def take(self, block: bytes) -> int:
        """Add items that begin a block of text; return where they end, 0 where others are among them."""
        alike = items_alike(self._pattern, block) if self._compiled else None
        if alike and alike[1] > len(block) // 2 and self._builder.pairs(alike[0]):
            return alike[1]
        text = block.decode("utf-8", "surrogatepass")
        add = self._builder.edges if self._pattern.groups == 2 else self._builder.declare_all
        for stop in (len(text), text.find("]")):  # an array of JSON may end within the text
            end = text.rfind(self._mark, 0, max(stop, 0)) + len(self._mark)
            names = items_of(self._pattern, text[:end])
            if names and add(list(map(self._name_of, names))):
                return len(text[:end].encode("utf-8", "surrogatepass"))
        return 0


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


def _from_json(text: str, source: Source) -> Hashable:
    try:
        return position_of_json(loads(text))
    except (ValueError, TypeError, RecursionError):
        message = Message("position {text!r}: expected JSON of a string, a number or an array", text)
        raise source.error(message) from None


def loads(text: str) -> Any:  # noqa: ANN401
    """Return the value of a JSON text; raise ValueError where it is none, repeats a name, or holds no finite number."""
    return DECODER.decode(text)


def position_of_json(value: Any, depth: int = 0) -> Hashable:  # noqa: ANN401
    """Return a value of JSON as a position: arrays become tuples.

    A TypeError tells of ``null``, which networkx does not take for a node, of an object, or of arrays too deep in
    others.
    """
    if isinstance(value, list):
        if depth == _DEEPEST:
            raise TypeError(Message("arrays more than {most} deep", _DEEPEST))
        return tuple(position_of_json(part, depth + 1) for part in value)
    if isinstance(value, dict) or (value is None and depth == 0):
        raise TypeError(Message("expected a string, a number or an array"))
    return value  # type: ignore[no-any-return]


def _refuse_constant(name: str) -> None:
    raise ValueError(Message("{name} is not a number of JSON", name))


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number):
        raise ValueError(Message("{digits!r} is too large for a number", digits))
    return number


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(Message("a second {name!r} in an object", first_repeated(name for name, _ in pairs)))
    return found


DECODER = json.JSONDecoder(object_pairs_hook=_unrepeated, parse_float=_finite, parse_constant=_refuse_constant)
"""Reads JSON in which no name stands twice in an object and all numbers are finite."""


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
    if are_integers(labels) or all(map(is_integer_label, labels)):
        return np.fromiter(cast("Iterable[int]", labels), np.int64, len(labels))
    return None


def is_increasing(numbers: np.ndarray) -> bool:
    """Tell whether each number is larger than the one before."""
    return bool((numbers[1:] > numbers[:-1]).all())
