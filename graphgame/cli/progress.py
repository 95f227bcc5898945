"""Meters: lines on a terminal that show the progress of long work."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import click

from graphgame.compiled.engine import work_clock
from graphgame.text.languages import translate

_LARGE_STREAM = 1 << 22
_SECONDS_BEFORE_FIRST, _SECONDS_BETWEEN = 0.5, 0.1
_WIDTH = 60


class Meter:
    """A line that appears after half a second of work, and is rewritten at most ten times a second."""

    def __init__(self) -> None:
        self._started = self._shown = work_clock()
        self._visible = False

    def show(self, text: str) -> None:
        """Write the text as the line, unless it is too soon after the start or after the last text."""
        now = work_clock()
        if now - self._started < _SECONDS_BEFORE_FIRST or now - self._shown < _SECONDS_BETWEEN:
            return
        self._shown, self._visible = now, True
        click.echo(f"\r{text:<{_WIDTH - 1}} ", nl=False, err=True)

    def clear(self) -> None:
        """Remove the line."""
        if self._visible:
            click.echo(f"\r{' ' * _WIDTH}\r", nl=False, err=True)


class Reading(Meter):
    """Shows how much of a file was read."""

    def __call__(self, done: int, total: int | None) -> None:
        """Show the share of bytes done. Of a stream (``total`` is None) show the megabytes, from 4 MB on."""
        if total is not None or done >= _LARGE_STREAM:
            self.show(translate("reading {share}", share=share_text(done, total)))


class Writing(Meter):
    """Shows how many megabytes of a text file were written."""

    def __call__(self, done: int) -> None:
        """Show the megabytes done: each of the ``done`` characters counts as one byte."""
        self.show(translate("writing {share}", share=share_text(done, None)))


class Exploring(Meter):
    """Shows how many positions and moves an exploration has found."""

    def __call__(self, positions: int, moves: int) -> None:
        """Show the counts."""
        counts = {"positions": f"{positions:,}", "moves": f"{moves:,}"}
        self.show(translate("exploring: {positions} positions, {moves} moves", **counts))


class Working(Meter):
    """Shows how much of one stage of long work is done."""

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        """Show the name of the stage, and the share done or, without a total, the megabytes done."""
        self.show(f"{stage} {share_text(done, total)}")


def share_text(done: int, total: int | None) -> str:
    """Return the share of work done as a percentage with a bar; if ``total`` is None or 0, the megabytes done."""
    return f"{done / total:4.0%} [{'#' * (20 * done // total):20}]" if total else f"{done >> 20} MB"


def tell_of_compiling() -> None:
    """Print that loops are being compiled; at a terminal, overwrite the line of a meter."""
    text = translate("compiling, first use only")
    start, width = ("\r", _WIDTH - 1) if sys.stderr.isatty() else ("", 0)
    click.echo(f"{start}{f'graphgame: {text}':<{width}}", err=True)


Kind = TypeVar("Kind", bound=Meter)


@contextmanager
def shown(kind: Callable[[], Kind]) -> Iterator[Kind | None]:
    """Yield a meter, or None if standard error is not a terminal; remove its line at the end."""
    meter = kind() if sys.stderr.isatty() else None
    try:
        yield meter
    finally:
        if meter is not None:
            meter.clear()
