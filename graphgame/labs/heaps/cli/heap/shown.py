"""What the commands about heaps share: the game that a command is about, progress, and lines of values.

A game is named by a code, a name, the notation, or rules of one's own.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from graphgame.cli import common
from graphgame.cli.progress import Meter
from graphgame.errors import Message
from graphgame.text.languages import translate

if TYPE_CHECKING:
    from graphgame.labs.heaps import HeapGame, PeriodCertificate
    from graphgame.labs.heaps.packed import HeapValues


class Known(NamedTuple):
    """A game whose moves are those of a code: the code's game, and how far that is known."""

    game: HeapGame
    text: str
    record: dict[str, object]


def game_of(text: str) -> HeapGame:
    """Return the one-heap game that a text names.

    Raises
    ------
    ParseError, RulesetError, OSError
        There is none.
    """
    from graphgame.labs.heaps import HeapGame, game, rule

    if ".py" not in text:
        return game(text)
    from graphgame.errors import RulesetError
    from graphgame.rules.notation import own_rules

    own = own_rules(text, run_rules=True)
    if own is None:
        return game(text)
    if isinstance(own, HeapGame):
        own.name = text
        return own
    if own.decides:
        raise RulesetError(
            "in {name} a move may end play at once, so its heaps are no sums of smaller ones; see: "
            'graphgame values "{name}(1..20)"',
            text,
        )
    return rule(own.options, text)


def known_moves(game: HeapGame) -> Known:
    """Return the code whose moves a game has: stated by its rules, or found by comparing; else the game itself."""
    from graphgame.labs.heaps import game as named
    from graphgame.labs.heaps.codes import Code
    from graphgame.labs.heaps.recognition import recognised
    from graphgame.labs.heaps.rules import ByFunction

    if isinstance(game, Code) and game.row_of:
        text = translate("{game}: on a heap or in a row, its moves are those of {code}", game=game.name, code=game.code)
        return Known(game, f"{text}\n", {"code": game.code})
    found = recognised(game) if isinstance(game.rules, ByFunction) else None
    if found is None:
        return Known(game, "", {})
    code, last = found.code.code, found.last_heap
    text = translate(
        "{game}: its moves are those of {code} up to heap {heap}: compared, not proved for larger ones",
        game=game.name,
        code=code,
        heap=last,
    )
    return Known(named(code), f"{text}\n", {"code": code, "moves_compared_to": last})


_A_LINE = 20
_BLOCK = 1000 * _A_LINE
_MOST_WORDS = 1 << 16
_MEMORY = 5.0


class Counting(Meter):
    """How many heaps have a value, how fast more come, and when all will have one."""

    told = Message("heap {done} of {total}")

    def __init__(self) -> None:
        super().__init__()
        self._marks: list[tuple[float, int]] = []

    def __call__(self, done: int, total: int) -> None:
        """Tell of a long sequence."""
        now = time.monotonic()
        if not self._marks or now - self._marks[-1][0] > 0.1:
            self._marks = [mark for mark in self._marks if now - mark[0] < _MEMORY or mark is self._marks[-1]]
            self._marks.append((now, done))
        told = translate(self.told, done=f"{done:,}", total=f"{total:,}")
        self.show(f"{told}{self._pace(now, done, total)}".ljust(58))

    def _pace(self, now: float, done: int, total: int) -> str:
        """Return the rate of the last seconds, and the time left if it stays so."""
        start, before = self._marks[0]
        if now - start < 0.2 or done <= before:
            return ""
        rate = (done - before) / (now - start)
        minutes, seconds = divmod(int((total - done) / rate), 60)
        left = f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
        return translate(", {rate}/s, {left} left", rate=f"{rate:,.{0 if rate >= 10 else 1}f}", left=left)


class CountingCodes(Counting):
    """How many codes are searched."""

    told = Message("code {done} of {total}")


def value_lines(values: HeapValues, first: int = 0) -> Iterator[str]:
    """Yield lines of values, each led by the number of its first heap, many lines at a time."""
    import numpy as np

    largest = int(values.max())
    width = 1 + max(len(str(largest)), len(str(_A_LINE - 1)))
    side = len(str(first + len(values) - 1))
    words = np.array([b"%*d" % (width, value) for value in range(min(largest + 1, _MOST_WORDS))])
    tens = 10 ** np.arange(side - 1, -1, -1)
    for start in range(0, len(values), _BLOCK):
        block = values[start : start + _BLOCK]
        cells = words[block] if largest < _MOST_WORDS else np.char.mod(f"%{width}d", block).astype("S")
        lines = -(-len(block) // _A_LINE)
        text = np.full((lines, side + 1 + width * _A_LINE + 1), ord(" "), np.uint8)
        heaps = np.arange(first + start, first + start + lines * _A_LINE, _A_LINE)[:, None]
        digits = np.where((heaps >= tens) | (tens == 1), heaps // tens % 10 + ord("0"), ord(" "))
        text[:, :side], text[:, side], text[:, -1] = digits, ord(":"), ord("\n")
        cells.resize(lines * _A_LINE, refcheck=False)
        text[:, side + 1 : -1] = cells.view(np.uint8).reshape(lines, -1)
        missing = (lines * _A_LINE - len(block)) * width
        shown = text.tobytes().decode()
        yield f"{shown[: -1 - missing]}\n" if missing else shown


def latex_of(values: Sequence[object], width: int = 10) -> str:
    """Return rows of values as LaTeX, each led by the number of its first heap."""
    from graphgame.io.latex import latex_table

    rows = ([start, *values[start : start + width]] for start in range(0, len(values), width))
    return latex_table(["", *range(width)], rows, r"r@{\quad}" + "r" * width)


@contextmanager
def kept_told(path: str | None) -> Iterator[None]:
    """Where work is interrupted that is kept in a file, say how it goes on."""
    try:
        yield
    except KeyboardInterrupt:
        if path is not None and Path(path).exists():
            common.tell(Message("what was found is kept in {path}: the same command goes on from there", path))
        raise


def period_told(found: PeriodCertificate) -> str:
    """Return a period in words."""
    facts = {"period": found.period, "heap": found.preperiod}
    if not found.saltus:
        return translate("period {period} from heap {heap} on", **facts)
    return translate("period {period}, {saltus} added each time, from heap {heap} on", saltus=found.saltus, **facts)
