"""What a game tells people about itself, a field for each part."""

from __future__ import annotations

import inspect
from typing import NamedTuple


class About(NamedTuple):
    """What a game tells people about itself: paragraphs in English, in reStructuredText.

    Attributes
    ----------
    rules : str
        The moves, in a sentence or two: what stands above the board.
    notation : str
        How positions are written, and what else belongs to the rules.
    theorem : str
        What is known of the values and of who wins.
    source : str
        Who invented or solved it, and where that is published.
    ending : str
        Who wins at the end of normal play, of a game whose rules say it in words of their own.
    graphs : tuple of tuple of str
        The graphs that one may name, of a game on graphs: each as it is written, and what it is.
    directions : str
        Which way the edges of these graphs go.

    Examples
    --------
    >>> from graphgame.rules.nim import Nim
    >>> Nim.about.source
    'C. L. Bouton, Nim, a game with a complete mathematical theory, Annals of Mathematics 3 (1901).'
    """

    rules: str
    notation: str = ""
    theorem: str = ""
    source: str = ""
    ending: str = ""
    graphs: tuple[tuple[str, str], ...] = ()
    directions: str = ""

    @staticmethod
    def of(kind: type) -> About | None:
        """Return what a class itself tells, not a base of it."""
        about = vars(kind).get("about")
        return about if isinstance(about, About) else None

    def documented(self, doc: str) -> str:
        """Return a class's docstring, whose summary is followed by these texts."""
        summary, _, examples = inspect.cleandoc(doc).partition("\n\n")
        notes, references = (
            f"{heading}\n{'-' * len(heading)}\n{text}" if text else ""
            for heading, text in (("Notes", self.theorem), ("References", self.source))
        )
        return "\n\n".join(filter(None, (summary, self.rules, self.ending, self.notation, notes, references, examples)))
