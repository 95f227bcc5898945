"""Meters and messages of searches at a terminal."""

from __future__ import annotations

from graphgame.cli.common import tell
from graphgame.cli.progress import Meter, share_text
from graphgame.errors import Message
from graphgame.text.languages import translate
from graphgame.text.text import printable


class Searching(Meter):
    """Shows how many positions a search has visited, and its depth."""

    def __call__(self, visited: int, depth: int) -> None:
        """Show the number of visited positions, and the depth of the search."""
        self.show(translate("searching: {count} positions, depth {depth}", count=f"{visited:,}", depth=depth))


class Keeping(Meter):
    """Shows the progress of reading a table file if ``reading`` is true, otherwise of writing it."""

    def __init__(self, path: str, reading: bool = False) -> None:
        super().__init__()
        self._path, self._reading = path, reading

    def __call__(self, done: int, total: int) -> None:
        """Show the total number of positions, and the share of them that is read or written."""
        text = translate(
            "reading the {count} positions of {path}:" if self._reading else "writing {count} positions to {path}:",
            path=printable(self._path),
            count=f"{total:,}",
        )
        self.show(f"{text} {share_text(done, total)}")


def tell_of_part(done: int, asked: int) -> None:
    """Print on standard error that work stopped early, after ``done`` of ``asked`` positions."""
    tell(Message("stopped early: {done:,} of {asked:,} positions are done", done, asked))
