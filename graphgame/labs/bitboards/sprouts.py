"""Sprouts: its rules, and positions as text. Drawings of the same position have the same text, nearly always.

The terms *region*, *boundary* and *land* are defined in :mod:`graphgame.labs.bitboards.sprout_loops`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from string import ascii_letters

import numpy as np

from graphgame.compiled.compiling import Array, runner
from graphgame.compiled.engine import COMPILED_FROM
from graphgame.errors import LimitError, Message, ParseError, shorten
from graphgame.labs.bitboards.placement import TextRuleset
from graphgame.labs.bitboards.sprout_loops import WORK_ROWS, options_loop, settle_loop, weight_of
from graphgame.rules.parsing import fields, integer
from graphgame.rules.pictures import Cell, Picture, Place, Way, circle
from graphgame.rules.ruleset import About, Sum

_MOST_SPOTS = 60
_BUFFER, _LARGEST_BUFFER = 1 << 14, 1 << 26
"""The size of the buffer for the options of a position, in bytes: at first, and at most. It grows by a factor of 16."""

_PLAIN_BYTES = 20_000
"""Compiled loops are used once plain Python has written this many bytes of text: loading the loops takes as long."""

_NAMES = ascii_letters + "".join(filter(str.isalpha, map(chr, range(0xC0, 0x100))))
_LIVES_OF = {"0": 3, "1": 2, "2": 1} | dict.fromkeys(_NAMES, 1)
_OVER = "!"


class Sprouts(TextRuleset):
    """The rules of Sprouts. A position is the standard text of one land, that is, of one component.

    Examples
    --------
    >>> list(Sprouts().options("0.0!"))
    ['1a1a!', '0.ab/ab!']
    """

    about = About(
        "Sprouts: join two spots, or a spot to itself, by a curve that crosses nothing, and put a new spot on this "
        "curve.",
        "No more than three curves may end at a spot. ``sprouts(4)`` begins with 4 spots. Any position can be written "
        "as its regions, with slashes between them and ``!`` at the end. A region is its boundaries with dots between "
        "them. A boundary is a list of the spots that one meets on a walk along it. A spot is written as the number of "
        "curves at it, 0, 1 or 2, or as a letter if it has two curves and occurs twice in the text. "
        "``sprouts(0.0.1a1a!)`` is the position after a move that joins two of four spots.",
        theorem="Spots with three curves and regions without a move are left out, and regions that share no spot are "
        "components of a sum. Each region may be reflected without the others. A walk along a boundary may begin at "
        "any spot, and a spot that it meets two times in succession is written once. If at most three more curve ends "
        "fit into a region, all its spots are one boundary. So equal positions get the same text, unless hashes of all "
        "walks do not distinguish some spots. A game with n spots lasts 2n to 3n - 1 moves. Conjecture, checked up to "
        "44 spots: the first player loses in normal play exactly when n mod 6 is 0, 1 or 2.",
        source="D. Applegate, G. Jacobson, D. Sleator, Computer analysis of Sprouts, CMU-CS-91-144 (1991). J. Lemoine, "
        "S. Viennot, A further computer analysis of Sprouts (2007).",
    )

    by_proof_numbers = True

    def __init__(self) -> None:
        self._bytes_written = 0

    def options(self, position: str) -> Iterator[Hashable]:
        """Yield the distinct options of a position."""
        lines, _ = self.option_lines(position.encode("latin-1"))
        return map(_sum_of_lands, dict.fromkeys(_text(lines).split("\n")[:-1]))

    def option_lines(self, text: bytes) -> tuple[Array, Array]:
        """Return a line of text for each option of a position, and the weight of each land in these lines.

        Lines may be equal. A land is a component, and ends with ``!``. Its weight estimates how long play lasts there;
        see :meth:`mobility`. An option without lands is a single ``!``, of weight 0. The array of weights may have
        more entries than there are lands: ignore the rest.
        """
        return self._lines(np.frombuffer(bytearray(text), np.uint8), every_curve=False)

    def _lines(self, text: Array, *, every_curve: bool) -> tuple[Array, Array]:
        """Return a line of text for each option of the position ``text``, and the weight of each land in these lines.

        A line is the standard text of the option, with ``!`` after each land, and a newline. With ``every_curve``,
        each legal curve has a line, and the second array has the two ends of each curve instead of weights:
        indices into the sequence of all spots in ``text``. Otherwise some curves that lead to equal options are left
        out. The second array may have more entries than there are lands or ends: ignore the rest. Raises LimitError if
        the lines take more than about 64 MB.
        """
        work, size = _memory(text), _BUFFER
        loop = runner(options_loop, self._work)
        while size <= _LARGEST_BUFFER:
            out, notes = np.empty(size, np.uint8), np.empty(size, np.int64)
            if (length := loop(text, work, out, notes, every_curve)) >= 0:
                self._bytes_written += length
                return out[:length], notes
            size <<= 4
        position = shorten(_text(text))
        raise LimitError(
            "{position} has too many options: as texts they take more than {most:,} bytes", position, _LARGEST_BUFFER
        )

    def picture(self, position: str) -> Picture:
        """Return a picture with the regions side by side. Each boundary is a circle of spots.

        A spot is labelled with its character in the text of the position.
        """
        regions = [region.split(".") for region in position.rstrip(_OVER).split("/")] if position != _OVER else []
        cells: list[Cell] = []
        places: list[Place] = []
        x = 0.0
        for region in regions:
            walks = [[(a * 0.75, b * 0.75) for a, b in circle(len(boundary))] for boundary in region]
            radii = [max(abs(coordinate) for point in walk for coordinate in point) for walk in walks]
            cells.append(Cell("region"))
            height = max(radii) + 0.9
            places.append((x - 0.9, -height, x + sum(2 * radius + 1.3 for radius in radii) - 0.4, height))
            for boundary, walk, radius in zip(region, walks, radii, strict=True):
                ring = [(x + radius + a, b) for a, b in walk]
                if len(ring) > 1:
                    cells += [Cell("edge")] * len(ring)
                    places += [(*a, *b, len(ring) == 2) for a, b in zip(ring, (*ring[1:], ring[0]), strict=True)]
                cells += [Cell("vertex", spot) for spot in boundary]
                places += ring
                x += 2 * radius + 1.3
            x += 1.4
        return Picture(tuple(cells), tuple(places))

    def ways(self, position: str) -> Iterator[Way]:
        """Yield a :class:`Way` for each curve that the rules allow. The player touches the spots that the curve joins.

        ``Way.after`` is None, because the option is drawn from its own text.
        """
        cells = [number for number, cell in enumerate(self.picture(position).cells) if cell.kind == "vertex"]
        lines, ends = self._lines(_bytes(position), every_curve=True)
        options = _text(lines).split("\n")[:-1]
        for option, (start, end) in zip(options, ends[: 2 * len(options)].reshape(-1, 2).tolist(), strict=True):
            yield Way(_sum_of_lands(option), None, tuple(dict.fromkeys([cells[start], cells[end]])))

    def mobility(self, position: str) -> int:
        """Return the weight of a position: its number of lives * 2^24 + roughly its number of moves.

        The lives of a spot are the curves that may still end there.
        """
        return weight_of(position.encode("latin-1"), 0)

    def parse(self, text: str) -> Hashable:
        """Return the position that a text describes, as a standard text, or as a sum of such texts, one for each land.

        The text is the number of spots, such as ``4``, if there are no curves yet; or it has all regions, and ends with
        ``!``, as in ``0.1a1a!``. Raises ParseError if the text is malformed, if the number of spots is more than 60, or
        if the spots of the regions have more than 180 lives together. It is not checked that the regions can be drawn
        in a plane.
        """
        written = text.strip()
        if not written.endswith(_OVER):
            spots = integer(text, what=Message("the number of spots"), most=_MOST_SPOTS)
            return ".".join("0" * spots) + _OVER
        _check(written[:-1], len(text) - len(text.lstrip()) + 1)
        self._bytes_written += len(written)
        position = _bytes(written)
        out = np.empty(2 * len(position) + 2, np.uint8)
        return _sum_of_lands(_text(out[: runner(settle_loop, self._work)(position, _memory(position), out)]))

    @property
    def _work(self) -> int:
        """The second argument for ``runner``: 0 to run a loop in plain Python, COMPILED_FROM to run it compiled.

        It is 0 until the loops have worked on more than 20,000 bytes of text, because loading compiled loops takes
        time.
        """
        return COMPILED_FROM if self._bytes_written > _PLAIN_BYTES else 0


def _sum_of_lands(text: str) -> Hashable:
    """Return the position with a standard text: the text itself if it has one land, otherwise the sum of its lands."""
    return text if text.count(_OVER) == 1 else Sum([land + _OVER for land in text.split(_OVER)[:-1]])


def _bytes(text: str) -> Array:
    return np.frombuffer(bytearray(text, "latin-1"), np.uint8)


def _text(array: Array) -> str:
    return str(array.tobytes(), "latin-1")


def _memory(text: Array) -> Array:
    """Return working memory for the loops. Each row has room for the position ``text`` and for any of its options."""
    return np.empty((WORK_ROWS, max(2 * len(text) + 16, 256)), np.int64)


def _check(text: str, first_column: int) -> None:
    """Raise ParseError if a text, without its ``!``, is malformed, or if its spots have more than 180 lives together.

    ``first_column`` is the column of the first character, for the error.
    """
    counts = Counter(text)
    if (lives := sum(_LIVES_OF.get(character, 0) for character in text)) > 3 * _MOST_SPOTS:
        raise ParseError(
            "the spots have {lives} lives in total (3 for each 0, 2 for each 1, 1 for each 2 or letter): expected at "
            "most {most}",
            lives,
            3 * _MOST_SPOTS,
            column=first_column,
        )
    for region, region_start in fields(text, "/") if text else ():
        for boundary, offset in fields(region, "."):
            start = first_column + region_start + offset
            if not boundary:
                raise ParseError("expected a spot: 0, 1 or 2 (its number of curves), or a letter", column=start)
            for column, character in enumerate(boundary, start):
                if character not in _LIVES_OF:
                    raise ParseError(
                        "unknown spot {character!r}: expected 0, 1, 2 or a letter", character, column=column
                    )
                if character == "0" and len(boundary) > 1:
                    raise ParseError("a spot without curves is a boundary of its own", column=column)
                if character.isalpha() and counts[character] != 2:
                    raise ParseError(
                        "expected each letter twice, found {met} of {character}",
                        counts[character],
                        character,
                        column=column,
                    )
