"""Rules whose positions are codes: the options of many positions at once, as arrays.

This is no lab: several labs have such rules, and others explore them.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable
from numbers import Integral
from typing import Any

import numpy as np

from graphgame.errors import GraphGameError, LimitError, Message, RulesetError, shorten
from graphgame.rules.faults import failure
from graphgame.rules.ruleset import Ruleset, decision, sum_of


class CodedRuleset(Ruleset):
    """Rules whose positions are integers 0..size-1, with the options of many positions at once as arrays.

    Attributes
    ----------
    size : int
        One more than the largest code; exploring takes 5 bytes for each code up to the largest that comes up.

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
    def option_codes(self, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return all options of some positions.

        Parameters
        ----------
        codes : ndarray of int64, shape (k,)

        Returns
        -------
        rows : ndarray of int, shape (m,)
            The index into ``codes`` of the position that each option belongs to.
        options : ndarray of int, shape (m,) or (m, 2)
            Codes, in 0..size-1. In two columns a move may split the game: the codes of both parts, or one and -1.
        """

    def decided_codes(self, codes: np.ndarray) -> np.ndarray:
        """Return, for some positions, -2 where :meth:`decided` says "P", -3 where it says "N", and 0 elsewhere."""
        decided = (decision(self, self.decode(code)) for code in codes.tolist())
        return np.fromiter(decided, np.int8, len(codes))

    def ranks(self, codes: np.ndarray) -> np.ndarray | None:
        """Return an integer for each code that falls with every move, such as a total of heaps, or None."""
        return None

    def options(self, position: Any) -> list[Hashable]:  # noqa: ANN401
        """Return the options of one position."""
        code = self.encode(position)
        if code >= self.size:
            raise LimitError(
                "position {position!r} is too large for codes: expected codes below {size}", position, self.size
            )
        return list(map(self._decoded, self.option_codes(np.array([code], np.int64))[1].tolist()))

    def _decoded(self, option: int | list[int]) -> Hashable:
        if isinstance(option, int):
            return self.decode(option)
        return sum_of(self.decode(code) for code in option if code >= 0)

    def encode(self, position: Any) -> int:  # noqa: ANN401
        """Return the code of a position; by default the position is its code. Raise ValueError where there is none."""
        if not isinstance(position, (int, Integral)) or not 0 <= int(position) < self.size:
            raise ValueError(
                Message("invalid position {position!r}: expected an integer in 0..{size}", position, self.size - 1)
            )
        return int(position)

    def decode(self, code: int) -> Hashable:
        """Return the position of a code."""
        return code


def option_codes(ruleset: CodedRuleset, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return what the rules say are the options of some positions, if it is well-formed; else raise RulesetError."""
    try:
        if ruleset.decides:
            goes_on = np.flatnonzero(ruleset.decided_codes(codes) == 0)
            rows, options = ruleset.option_codes(codes[goes_on])
            return _checked(ruleset, goes_on[rows], options)
        rows, options = ruleset.option_codes(codes)
    except (GraphGameError, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        position = shorten(ruleset.decode(int(codes[0])))
        raise failure(type(ruleset).__name__, Message("the options"), error, position, ruleset.option_codes) from error
    return _checked(ruleset, rows, options)


def _checked(ruleset: CodedRuleset, rows: np.ndarray, options: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    if options.shape not in ((len(rows),), (len(rows), 2)):
        raise RulesetError("option_codes gave {count} rows and options of shape {shape}", len(rows), options.shape)
    first = options[:, 0] if options.ndim == 2 else options
    if len(options) and (first.min() < 0 or options.max() >= ruleset.size):
        bad = min(first.min(), 0) or options.max()
        raise RulesetError("option_codes gave the code {bad}: expected 0..{size}", bad, ruleset.size - 1)
    return rows, options
