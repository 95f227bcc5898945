"""A line on a terminal that tells how far long work has come."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import click

from graphgame.compiled.engine import work_clock
from graphgame.errors import Message
from graphgame.text.languages import translate
from graphgame.text.text import printable

_LARGE = 1 << 22
_PATIENCE = 0.5
_WIDTH = 60
_READING = Message("reading {path}: {count} positions")
_WRITING = Message("writing {path}: {count} positions")


class Meter:
    """A line that is written again at most ten times a second, and not before the work has taken a while."""

    def __init__(self) -> None:
        self._started = self._shown = work_clock()
        self._visible = False

    def show(self, text: str) -> None:
        """Write the line if it is time to."""
        now = work_clock()
        if now - self._started < _PATIENCE or now - self._shown < 0.1:
            return
        self._shown, self._visible = now, True
        click.echo(f"\r{text:<{_WIDTH - 1}} ", nl=False, err=True)

    def clear(self) -> None:
        """Remove the line."""
        if self._visible:
            click.echo(f"\r{' ' * _WIDTH}\r", nl=False, err=True)


class Reading(Meter):
    """How much of a file is read, in bytes."""

    def __call__(self, done: int, total: int | None) -> None:
        """Tell of a file that takes long; of a stream, which a person may be typing, only once it is large."""
        if total is not None or done >= _LARGE:
            self.show(translate("reading {share}", share=_share(done, total)))


class Writing(Meter):
    """How much of a text file is written, in characters."""

    def __call__(self, done: int) -> None:
        """Report a file that takes long to write."""
        self.show(translate("writing {share}", share=_share(done, None)))


class Exploring(Meter):
    """How many positions and moves are found."""

    def __call__(self, positions: int, moves: int) -> None:
        """Tell of a long exploration."""
        told = {"positions": f"{positions:,}", "moves": f"{moves:,}"}
        self.show(translate("exploring: {positions} positions, {moves} moves", **told))


class Searching(Meter):
    """How many positions a search has visited."""

    def __call__(self, visited: int, depth: int) -> None:
        """Tell of a long search."""
        self.show(translate("searching: {count} positions, depth {depth}", count=f"{visited:,}", depth=depth))


class Keeping(Meter):
    """How many of the positions of a file of what is known are read, or ready to be written."""

    def __init__(self, path: str, reading: bool = False) -> None:
        super().__init__()
        self._path, self._reading = path, reading

    def __call__(self, done: int, total: int) -> None:
        """Tell of a large file."""
        told = {"path": printable(self._path), "count": f"{total:,}"}
        text = translate(_READING if self._reading else _WRITING, **told)
        self.show(f"{text} {_share(done, total)}")


class Working(Meter):
    """How far a stage of long work is."""

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        """Tell of the stage."""
        self.show(f"{stage} {_share(done, total)}")


def _share(done: int, total: int | None) -> str:
    return f"{done / total:4.0%} [{'#' * (20 * done // total):20}]" if total else f"{done >> 20} MB"


def tell_of_compiling() -> None:
    """Say once in a process why a command takes a while, in place of the line of a meter."""
    text = translate("compiling, first use only")
    start, width = ("\r", _WIDTH - 1) if sys.stderr.isatty() else ("", 0)
    click.echo(f"{start}{f'graphgame: {text}':<{width}}", err=True)


Kind = TypeVar("Kind", bound=Meter)


@contextmanager
def shown(kind: Callable[[], Kind]) -> Iterator[Kind | None]:
    """Give a meter where standard error is a terminal, and remove its line at the end."""
    meter = kind() if sys.stderr.isatty() else None
    try:
        yield meter
    finally:
        if meter is not None:
            meter.clear()
