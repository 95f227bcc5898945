"""Misère quotients, finite commutative monoids that give the outcome of every sum of positions, and their files.

A file holds one JSON object. It can be checked against the rules, and a search can go on from it. Five of its members
define the quotient: ``positions`` (names, options first), ``generators`` (indices into ``positions``), ``words`` (for
each position a sum of generators that maps to the same element), ``steps`` (the product of each element and each
generator) and ``p_portion`` (a list of elements). Reading a file uses these five and ``format``, ``game``, ``asked``
and ``stopped``. The other members are for people and other programs. All of them but ``period`` follow from the
members that are read, and ``graphgame misere check`` compares them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from graphgame.compiled.compiling import Array
from graphgame.errors import Message, ParameterError, UnknownPositionError, plural
from graphgame.graph.rows import marked
from graphgame.io.files import PathLike, Source, open_atomic
from graphgame.io.other_formats import QUOTIENT
from graphgame.labs.misere.algebra import Word, multiplication_table, product_of, words_of_elements
from graphgame.labs.records import whole_value

if TYPE_CHECKING:
    from graphgame.labs.heaps import PeriodCertificate

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(eq=False, repr=False)
class MisereQuotient:
    """The misère quotient of a set of positions; made by :func:`misere_quotient` and :func:`heap_quotient`.

    Two sums X and Y belong to the same element if X + Z and Y + Z have the same outcome for every sum Z. Elements are
    numbers 0..order-1; 0 is the identity, the element of the empty sum.

    Attributes
    ----------
    game : str
        The name of the game.
    labels : list of hashable
        The positions for which the quotient is proved, options first.
    words : list of tuple of int
        For each position a sum of generators that maps to the same element, as indices into ``labels``.
    generators : list of int
        Indices into ``labels``.
    steps : ndarray of int32, shape (order, number of generators)
        The product of each element and each generator.
    is_p : ndarray of bool, shape (order,)
        Which elements are in the P-portion.
    asked : int
        The number of positions that the search should cover.
    stopped : str or None
        Why the search ended early: a limit, or an interruption by Ctrl-C. None if it finished.
    period : PeriodCertificate or None
        For heap games: the proved period of the pretending function, which gives the element of every heap. None if
        no period is proved, and after reading from a file, until :func:`prove_period` proves it.

    References
    ----------
    T. E. Plambeck, Taming the wild in impartial combinatorial games, Integers 5 (2005). T. E. Plambeck, A. N. Siegel,
    Misère quotients for impartial games, J. Combin. Theory Ser. A 115 (2008).
    """

    game: str
    labels: list[Hashable]
    words: list[Word]
    generators: list[int]
    steps: Array
    is_p: Array
    asked: int
    stopped: str | None = None
    period: PeriodCertificate | None = None

    def __repr__(self) -> str:
        done = f"{len(self.labels)} of {self.asked} positions" if self.stopped else plural(len(self.labels), "position")
        return f"<MisereQuotient of {self.game}: order {self.order}, {int(self.is_p.sum())} P, {done}>"

    @property
    def order(self) -> int:
        """The number of elements."""
        return len(self.is_p)

    @property
    def complete(self) -> bool:
        """True if the quotient is proved for all positions of the search."""
        return self.stopped is None

    @cached_property
    def table(self) -> Array:
        """The multiplication table: ndarray of int32, shape (order, order)."""
        return multiplication_table(self.steps)

    @cached_property
    def images(self) -> list[int]:
        """The element of each position. The map from positions to elements is called the pretending function."""
        column = {generator: column for column, generator in enumerate(self.generators)}
        return [product_of(self.steps, (column[part] for part in word)) for word in self.words]

    @cached_property
    def p_portion(self) -> list[int]:
        """The elements whose sums are P-positions, in increasing order."""
        return np.flatnonzero(self.is_p).tolist()

    def element(self, *positions: Hashable) -> int:
        """Return the element of a sum of positions, each given as a label; without positions it is 0.

        If a label is a text, any object with this ``str`` may be given instead: in a quotient that was read from a
        file, all labels except integers are texts. A heap may also be given as a text, such as ``"70"``.

        Raises
        ------
        UnknownPositionError
            The quotient is not proved for a position, and no period covers it.
        """
        return product_of(self.table, map(self._image, positions))

    def outcome(self, *positions: Hashable) -> Literal["P", "N"]:
        """Return the outcome of a sum of positions under misère play, "P" or "N".

        Raises
        ------
        UnknownPositionError
            The quotient is not proved for a position, and no period covers it.

        Examples
        --------
        >>> from graphgame import heaps
        >>> from graphgame.labs.misere import heap_quotient
        >>> quotient = heap_quotient(heaps.octal("0.77"), 40)
        >>> quotient.outcome(5, 4), quotient.outcome(5, 5, 12, 30)
        ('P', 'N')
        """
        return "P" if self.is_p[self.element(*positions)] else "N"

    @cached_property
    def letters(self) -> dict[str, Hashable]:
        """Maps each letter to a position. These positions are a minimal set that generates the quotient.

        After ``z`` the letters are ``a1``, ``b1``, ...
        """
        names = [_LETTERS[k % 26] + (str(k // 26) if k > 25 else "") for k in range(len(self._needed))]
        return {name: self.labels[self.generators[index]] for name, index in zip(names, self._needed, strict=True)}

    @cached_property
    def names(self) -> list[str]:
        """A name for each element: its shortest product of :attr:`letters`, such as ``ab^2``; the identity is ``1``.

        Of several shortest products it is the first in alphabetical order, where ``ab^2`` counts as ``abb``.
        """
        return [self._text(self._normal_forms[element]) for element in range(self.order)]

    @cached_property
    def relations(self) -> list[tuple[str, str]]:
        """Pairs of products of letters that are the same element; these relations define the quotient.

        The second product is the element's name, see :attr:`names`. As rules that rewrite the first product to the
        second, the pairs form a reduced rewriting system.
        """
        # A rule is needed for each word that is not a normal form itself, but becomes one whichever letter is removed.
        normal = set(self._normal_forms.values())
        rules = []
        for element, word in sorted(self._normal_forms.items(), key=lambda item: (len(item[1]), item[1])):
            for letter in range(word[-1] if word else 0, len(self._needed)):
                longer = (*word, letter)
                parts = (longer[:k] + longer[k + 1 :] for k in range(len(longer)))
                if longer not in normal and all(part in normal for part in parts):
                    product = int(self.steps[element, self._needed[letter]])
                    rules.append((self._text(longer), self.names[product]))
        return rules

    @cached_property
    def _needed(self) -> list[int]:
        """Indices into ``generators`` of generators that suffice: no such generator is a product of the others."""
        # Remove each generator that is a product of the remaining ones. Later generators are tried first, so that the
        # first positions remain.
        needed = list(range(len(self.generators)))
        for index in reversed(range(len(self.generators))):
            others = [other for other in needed if other != index]
            if int(self.steps[0, index]) in words_of_elements(self.steps, others):
                needed = others
        return needed

    @cached_property
    def _normal_forms(self) -> dict[int, Word]:
        return words_of_elements(self.steps[:, self._needed], range(len(self._needed)))

    def _text(self, word: Word) -> str:
        letters = list(self.letters)
        powers = [(letters[index], word.count(index)) for index in sorted(set(word))]
        factors = [letter if times == 1 else f"{letter}^{times}" for letter, times in powers]
        return ("" if len(letters) <= len(_LETTERS) else "*").join(factors) or "1"

    def _image(self, position: Hashable) -> int:
        index = self._index.get(position, self._index.get(str(position)))
        if index is not None:
            return self.images[index]
        # A heap may be given as a text. The proved period gives the element of a heap that is larger than all labels.
        if isinstance(position, str) and position.isdecimal() and position.isascii():
            return self._image(int(position))
        if self.period is not None and isinstance(position, int | np.integer) and position >= 0:
            return self.period.value(int(position))
        fault = Message("position {position!r} is none of the positions for which the quotient is proved", position)
        raise UnknownPositionError(position, fault)

    @cached_property
    def _index(self) -> dict[Hashable, int]:
        return {label: index for index, label in enumerate(self.labels)}


def quotient_record(quotient: MisereQuotient) -> dict[str, object]:
    """Return a quotient as a JSON object.

    Examples
    --------
    >>> from graphgame import heaps
    >>> from graphgame.labs.misere import heap_quotient
    >>> record = quotient_record(heap_quotient(heaps.octal("0.75"), 30))
    >>> record["order"], record["relations"][:2], record["pretending"][:9]
    (8, ['a^2 = 1', 'bc = ab'], ['1', 'a', 'b', 'a', 'b', 'c', 'b', 'c', 'b'])
    """
    names, period = quotient.names, quotient.period
    return {
        "format": QUOTIENT.format,
        "game": quotient.game,
        "complete": quotient.complete,
        "stopped": quotient.stopped,
        "asked": quotient.asked,
        "order": quotient.order,
        "elements": names,
        "p_portion": quotient.p_portion,
        "letters": {letter: _name(label) for letter, label in quotient.letters.items()},
        "relations": [f"{longer} = {shorter}" for longer, shorter in quotient.relations],
        "positions": [_name(label) for label in quotient.labels],
        "pretending": [names[element] for element in quotient.images],
        "period": None if period is None else {"preperiod": period.preperiod, "period": period.period},
        "generators": quotient.generators,
        "words": quotient.words,
        "steps": quotient.steps.tolist(),
        "multiplication": quotient.table.tolist(),
    }


def write_quotient(quotient: MisereQuotient, path: PathLike) -> None:
    """Write a quotient to a JSON file. Labels other than integers become strings. If writing fails, no file changes.

    Raises
    ------
    OSError
        The file cannot be written.
    """
    with open_atomic(path) as stream:
        stream.write(json.dumps(quotient_record(quotient)) + "\n")


def read_quotient(path: PathLike) -> MisereQuotient:
    """Read a quotient from a JSON file. Only the format is checked; :func:`find_fault` checks whether it is right.

    A period in the file is not read: :func:`prove_period` proves it again.

    Raises
    ------
    ParseError
        The file does not hold a quotient in the right format.
    OSError
        The file cannot be read.
    """
    return read_with_record(path)[0]


def read_with_record(path: PathLike) -> tuple[MisereQuotient, dict[str, Any]]:
    """Return the quotient in a file, like :func:`read_quotient`, and the JSON object in the file."""
    with Source(path) as source:
        record = whole_value(source)
        try:
            return quotient_of_record(record), record
        except ParameterError as error:
            raise source.error(str(error)) from None


_DERIVED = ("complete", "order", "elements", "letters", "relations", "pretending", "multiplication")


def contradicting_member(record: dict[str, Any], quotient: MisereQuotient) -> str | None:
    """Return the name of a member of a file's JSON object that does not follow from ``quotient``, the file's quotient.

    The result is None if all members follow. Members that reading the file does not use may be missing. The member
    ``period`` is not compared.
    """
    right = json.loads(json.dumps(quotient_record(quotient)))
    return next((name for name in _DERIVED if name in record and record[name] != right[name]), None)


def quotient_of_record(record: Any) -> MisereQuotient:  # noqa: ANN401
    """Return the quotient that a JSON object describes. Only the format is checked, as in :func:`read_quotient`.

    Raises
    ------
    ParameterError
        The object does not have the format of a quotient.
    """
    fault = _fault(record)
    if fault is not None:
        raise ParameterError("this is not a valid misère quotient: {fault}", fault)
    # All entries are in range now, so no index below can fail.
    order, generators = len(record["steps"]), record["generators"]
    is_p = marked(record["p_portion"], order)
    steps = np.array(record["steps"], np.int32).reshape(order, len(generators))
    words = [tuple(word) for word in record["words"]]
    game, labels, asked, stopped = (record[name] for name in ("game", "positions", "asked", "stopped"))
    return MisereQuotient(game, labels, words, generators, steps, is_p, asked, stopped)


def _name(label: object) -> int | str:
    return int(label) if type(label) is int or isinstance(label, np.integer) else str(label)


def _fault(record: Any) -> str | None:  # noqa: ANN401
    """Return how a JSON value differs from the format of a quotient, or None if it has the format."""
    if not isinstance(record, dict) or record.get("format") != QUOTIENT.format:
        return Message('expected an object with "format": "{format}"', QUOTIENT.format)
    lists = ("positions", "generators", "words", "steps", "p_portion")
    if missing := [name for name in lists if not isinstance(record.get(name), list)]:
        return Message('the member "{member}" is not a list', missing[0])
    labels, generators, words, steps, is_p = (record[name] for name in lists)
    if not all(type(label) in (int, str) for label in labels):
        return Message("a position is neither an integer nor a string")
    if not _are_numbers(generators, len(labels)) or len(set(generators)) < len(generators):
        return Message("a generator is not the index of a position, or is listed twice")
    if len(words) != len(labels) or not all(_are_numbers(word) and set(word) <= set(generators) for word in words):
        return Message('the member "words" does not have a list of generators for each position')
    if not steps or not all(_are_numbers(row, len(steps)) and len(row) == len(generators) for row in steps):
        return Message('the member "steps" does not have the product of each element and each generator')
    if not _are_numbers(is_p, len(steps)):
        return Message('the member "p_portion" is not a list of elements')
    if type(record.get("game")) is not str or not _are_numbers([record.get("asked")]):
        return Message('the member "game" is not a string, or the member "asked" is not an integer, 0 or more')
    if "stopped" not in record or not isinstance(record["stopped"], (str, type(None))):
        return Message('the member "stopped" is neither a string nor null')
    if record["stopped"] is None and record["asked"] != len(labels):
        return Message(
            'the member "asked" is {asked}, but it must be {count}, the number of positions, if "stopped" is null',
            record["asked"],
            len(labels),
        )
    return None


def _are_numbers(value: Any, end: float = math.inf) -> bool:  # noqa: ANN401
    """Return whether a JSON value is a list of integers n with 0 <= n < ``end``; the list may be empty."""
    return isinstance(value, list) and all(type(number) is int and 0 <= number < end for number in value)
