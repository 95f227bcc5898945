"""Base class of rules that number their positions and return the options of many positions at once, as arrays.

This module is not a lab: some labs define such rules, and other labs explore them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable
from numbers import Integral
from typing import Any

import numpy as np

from graphgame.errors import GraphGameError, LimitError, Message, RulesetError, shorten
from graphgame.rules.rule_errors import failure
from graphgame.rules.ruleset import Ruleset, decision, sum_of


class CodedRuleset(Ruleset):
    """Rules that number their positions and return the options of many positions at once, as arrays.

    The number of a position is its code, from 0 to ``size`` - 1. By default positions are the codes themselves. For any
    other positions, override :meth:`encode` and :meth:`decode`.

    Attributes
    ----------
    size : int
        One more than the largest code. Besides the graph, exploring takes 5 to 10 bytes for each code up to the largest
        one that is reached.

    Examples
    --------
    >>> import numpy as np
    >>> class TakeOneOrTwo(CodedRuleset):
    ...     size = 101
    ...     start = 100
    ...
    ...     def option_codes(self, codes):
    ...         rows = np.repeat(np.arange(len(codes)), 2)
    ...         options = np.repeat(codes, 2) - np.tile([1, 2], len(codes))
    ...         return rows[options >= 0], options[options >= 0]
    >>> from graphgame import explore, solve
    >>> solve(explore(TakeOneOrTwo())).outcome[99]
    'P'
    """

    size: int

    @abstractmethod
    def option_codes(self, codes: np.ndarray, /) -> tuple[np.ndarray, np.ndarray]:
        """Return all options of several positions.

        Parameters
        ----------
        codes : ndarray of int64, shape (k,)
            The codes of the positions.

        Returns
        -------
        rows : ndarray of int, shape (m,)
            The index into ``codes`` of the position that each option belongs to.
        options : ndarray of int, shape (m,) or (m, 2)
            The codes of the options. With two columns, a move may split the game: a row has the codes of both parts, or
            a code and -1 if the option is a single position.
        """

    def decided_codes(self, codes: np.ndarray, /) -> np.ndarray:
        """Return a number for each code: -2 if :meth:`decided` returns "P" for its position, -3 if "N", 0 if None."""
        decided = (decision(self, self.decode(code)) for code in codes.tolist())
        return np.fromiter(decided, np.int8, len(codes))

    def ranks(self, codes: np.ndarray, /) -> np.ndarray | None:
        """Return an integer rank for each code; None, the default, if there are no ranks.

        An option must have a smaller rank than its position; if the option is a sum, both parts must. A rank may be,
        for example, the total of the heaps.
        """
        return None

    def options(self, position: Any, /) -> list[Hashable]:  # noqa: ANN401
        """Return the options of one position; raise a LimitError if :meth:`encode` returns a code that is too large."""
        code = self.encode(position)
        if code >= self.size:
            raise LimitError(
                "the code of position {position!r} is too large: expected 0..{size}", position, self.size - 1
            )
        decode = self.decode
        return [
            decode(option) if isinstance(option, int) else sum_of(decode(code) for code in option if code >= 0)
            for option in self.option_codes(np.array([code], np.int64))[1].tolist()
        ]

    def encode(self, position: Any, /) -> int:  # noqa: ANN401
        """Return the code of a position, by default the position itself; raise ValueError if it has none."""
        if not isinstance(position, (int, Integral)) or not 0 <= int(position) < self.size:
            raise ValueError(
                Message("invalid position {position!r}: expected an integer in 0..{size}", position, self.size - 1)
            )
        return int(position)

    def decode(self, code: int, /) -> Hashable:
        """Return the position with this code, by default the code itself."""
        return code


def _integers(array: np.ndarray) -> np.ndarray:
    # NumPy turns an empty list into an array of floats. Accept this, but no other floats.
    entries = np.asarray(array)
    return entries.astype(np.int64, casting="same_kind" if entries.size else "unsafe", copy=False)


def option_codes(ruleset: CodedRuleset, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the arrays ``(rows, options)`` of ``ruleset.option_codes(codes)``, without options of decided positions.

    Raises RulesetError if the method fails, or if its arrays have the wrong shape, or numbers that are out of range. A
    GraphGameError or MemoryError of the method is raised unchanged.
    """
    try:
        undecided = np.flatnonzero(ruleset.decided_codes(codes) == 0) if ruleset.decides else None
        asked = codes if undecided is None else codes[undecided]
        arrays = ruleset.option_codes(asked)
        rows, options = map(_integers, arrays)
    except (GraphGameError, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        position = shorten(ruleset.decode(int(codes[0])))
        raise failure(type(ruleset).__name__, Message("the options"), error, position, ruleset.option_codes) from error
    if rows.ndim != 1 or options.shape not in (rows.shape, (len(rows), 2)):
        raise RulesetError(
            "option_codes returned arrays of the shapes {rows} and {options}: expected (m,) and (m,), or (m,) and "
            "(m, 2)",
            rows.shape,
            options.shape,
        )
    if not len(rows):
        return rows, options
    if rows.min() < 0 or rows.max() >= len(asked):
        bad = min(rows.min(), 0) or rows.max()
        raise RulesetError("option_codes gave the row {bad}: expected 0..{last}", bad, len(asked) - 1)
    least = options[:, 0].min() if options.ndim == 2 else 0
    if least < 0 or options.min() < 1 - options.ndim or options.max() >= ruleset.size:
        bad = min(options.min(), 0) if options.max() < ruleset.size else options.max()
        raise RulesetError("option_codes gave the code {bad}: expected 0..{size}", bad, ruleset.size - 1)
    return rows if undecided is None else undecided[rows], options
