"""Rulesets whose positions are texts that compiled loops read and write."""

from __future__ import annotations

from abc import abstractmethod

from graphgame.arrays.compiling import Array
from graphgame.rules.ruleset import Ruleset


class TextRuleset(Ruleset):
    """Rules whose positions are texts in Latin-1 that end in ``!``, which a search takes as they are.

    A text stands for all positions that are the same by symmetry. One that has nothing before the ``!`` is over.
    """

    @abstractmethod
    def option_lines(self, text: Array) -> tuple[Array, Array]:
        """Return the options of a text in bytes: a line each, with the texts of its components in a row.

        Equal ones may come several times. With them comes what :meth:`mobility` says of each component, in order. Both
        are read before the next call.
        """
