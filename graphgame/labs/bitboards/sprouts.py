"""Sprouts: its rules, and positions as text. Drawings that the rules cannot tell apart have the same text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from string import ascii_letters

import numpy as np

from graphgame.compiled.compiling import Array, runner
from graphgame.compiled.engine import COMPILED_FROM
from graphgame.errors import LimitError, Message, ParseError, shorten
from graphgame.labs.bitboards.placement import TextRuleset
from graphgame.labs.bitboards.sprout_loops import WORK_ROWS, options_loop, settle_loop, weight_loop
from graphgame.rules.parsing import fields, integer
from graphgame.rules.pictures import Cell, Picture, Place, Way, circle
from graphgame.rules.ruleset import About, Sum

_MOST = 60
_ROOM, _MOST_ROOM = 1 << 14, 1 << 28
"""Bytes of the buffer for the options of a position: at first, and at most."""

_PLAIN = 20_000
"""Bytes of options after which compiled loops pay: Python writes this many in the time it takes to load the loops."""

_NAMES = ascii_letters + "".join(filter(str.isalpha, map(chr, range(0xC0, 0x100))))
_LIVES_OF = {"0": 3, "1": 2, "2": 1} | dict.fromkeys(_NAMES, 1)
_OVER = "!"


class Sprouts(TextRuleset):
    """The rules of Sprouts.

    Examples
    --------
    >>> list(Sprouts().options("0.0!"))
    ['1a1a!', '0.ab/ab!']
    """

    about = About(
        "Sprouts: join two spots, or a spot to itself, by a curve that crosses nothing, and put a new spot on it.",
        "No more than three curves may end at a spot. ``sprouts(4)`` begins with 4 spots. Any position can be written "
        "as its regions between slashes, with ``!`` at the end: a region is its boundaries between dots, and a "
        "boundary is the spots that one meets on a walk along it. A spot is the number of curves at it, 0, 1 or 2; one "
        "with two curves that is met twice is a letter. ``sprouts(0.0.1a1a!)`` is what one move joining two of four "
        "spots leaves.",
        theorem="Spots with three curves and regions without a move are left out; regions that share no spot are "
        "components of a sum. A region may be reflected by itself, a walk may begin anywhere, a spot that is met twice "
        "running is written once, and in a region where three curves at most may still end its spots are one boundary: "
        "equal positions get one text as far as hashes of all walks tell spots apart. Of n spots a game takes 2n to 3n "
        "- 1 moves. Conjecture, checked to 44 spots: the first player loses in normal play exactly when n mod 6 is 0, "
        "1 or 2.",
        source="D. Applegate, G. Jacobson, D. Sleator, Computer analysis of Sprouts, CMU-CS-91-144 (1991). J. Lemoine, "
        "S. Viennot, A further computer analysis of Sprouts (2007).",
    )

    by_proof_numbers = True

    def __init__(self) -> None:
        self._written = 0

    def options(self, position: str) -> Iterator[Hashable]:
        """Yield the distinct options of a position."""
        lines, _ = self.option_lines(position.encode("latin-1"))
        return map(_lands, dict.fromkeys(_text(lines).split("\n")[:-1]))

    def option_lines(self, text: bytes) -> tuple[Array, Array]:
        """Return all options of a position as text, and the weight of each land in it.

        Each option is one line; lines may be equal. A land is a component: each ends with ``!``. A weight estimates
        how long play lasts there; see ``weight_loop``.
        """
        return self._lines(np.frombuffer(bytearray(text), np.uint8), each=False)

    def _lines(self, text: Array, *, each: bool) -> tuple[Array, Array]:
        """Return the options as lines of text with notes; see ``options_loop`` for ``each`` and the notes.

        Raises LimitError if the text takes more than 256 MB.
        """
        work, room = _memory(text), _ROOM
        loop = runner(options_loop, self._work)
        while room <= _MOST_ROOM:
            out, notes = np.empty(room, np.uint8), np.empty(room, np.int64)
            if (length := loop(text, work, out, notes, each)) >= 0:
                self._written += length
                return out[:length], notes
            room <<= 4
        position = shorten(_text(text))
        raise LimitError(
            "{position} has too many options: their texts take more than {most:,} bytes", position, _MOST_ROOM
        )

    def picture(self, position: str) -> Picture | None:
        """Return a picture with the regions side by side. Each boundary is a circle of spots, named as in the text."""
        regions = [region.split(".") for region in position.rstrip(_OVER).split("/")] if position != _OVER else []
        cells: list[Cell] = []
        places: list[Place] = []
        x = 0.0
        for region in regions:
            walks = [[(a * 0.75, b * 0.75) for a, b in circle(len(boundary))] for boundary in region]
            radii = [max(abs(number) for place in walk for number in place) for walk in walks]
            cells.append(Cell("region"))
            high = max(radii) + 0.9
            places.append((x - 0.9, -high, x + sum(2 * radius + 1.3 for radius in radii) - 0.4, high))
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
        """Yield every curve: for each two places on boundaries of a region, all curves that can join them.

        A way has no board after the move, because the option is drawn from its own text.
        """
        board = self.picture(position)
        cells = [number for number, cell in enumerate(board.cells) if cell.kind == "vertex"] if board else []
        lines, ends = self._lines(_bytes(position), each=True)
        options = _text(lines).split("\n")[:-1]
        for option, (start, end) in zip(options, ends[: 2 * len(options)].reshape(-1, 2).tolist(), strict=True):
            yield Way(_lands(option), None, tuple(dict.fromkeys([cells[start], cells[end]])))

    def mobility(self, position: str) -> int:
        """Return the weight of a position: mainly its lives, then roughly its number of moves; see ``weight_loop``."""
        return runner(weight_loop, self._work)(_bytes(position))

    def parse(self, text: str) -> Hashable:
        """Return the position that a text describes: a number of spots, or regions ending in ``!``.

        Raises ParseError if the text does not describe a position.
        """
        written = text.strip()
        if not written.endswith(_OVER):
            spots = integer(text, what=Message("the number of spots"), most=_MOST)
            return ".".join("0" * spots) + _OVER
        _check(written[:-1], len(text) - len(text.lstrip()) + 1)
        self._written += len(written)
        position = _bytes(written)
        out = np.empty(2 * len(position) + 2, np.uint8)
        return _lands(_text(out[: runner(settle_loop, self._work)(position, _memory(position), out)]))

    @property
    def _work(self) -> int:
        """The work that ``runner`` is told: plain Python at first, compiled loops once some options were written."""
        return COMPILED_FROM if self._written > _PLAIN else 0


def _lands(text: str) -> Hashable:
    """Return the position of a text: the text itself if it has one land, otherwise the sum of its lands."""
    return text if text.count(_OVER) == 1 else Sum([land + _OVER for land in text.split(_OVER)[:-1]])


def _bytes(text: str) -> Array:
    return np.frombuffer(bytearray(text, "latin-1"), np.uint8)


def _text(array: Array) -> str:
    return str(array.tobytes(), "latin-1")


def _memory(text: Array) -> Array:
    """Return working memory for the loops. A row has room for the position after a move."""
    return np.empty((WORK_ROWS, max(2 * len(text) + 16, 256)), np.int64)


def _check(text: str, column: int) -> None:
    """Raise ParseError if a text (without its ``!``) is not a valid position; ``column`` is where it starts."""
    met = Counter(text)
    if (lives := sum(_LIVES_OF.get(character, 0) for character in text)) > 3 * _MOST:
        raise ParseError(
            "the spots have {lives} lives, a letter counted twice: expected {most} at most",
            lives,
            3 * _MOST,
            column=column,
        )
    for region, start in fields(text, "/") if text else ():
        for boundary, place in fields(region, "."):
            if not boundary:
                raise ParseError("expected the spots of a boundary: 0, 1, 2 or letters", column=column + start + place)
            for shift, character in enumerate(boundary, column + start + place):
                if character not in _LIVES_OF:
                    raise ParseError(
                        "unknown spot {character!r}: expected 0, 1, 2 or a letter", character, column=shift
                    )
                if character == "0" and len(boundary) > 1:
                    raise ParseError("a spot without curves is a boundary of its own", column=shift)
                if character.isalpha() and met[character] != 2:
                    raise ParseError(
                        "the spot {character} comes {met} times: expected 2", character, met[character], column=shift
                    )
