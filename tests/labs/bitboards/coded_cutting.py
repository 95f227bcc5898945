"""The Cutting Game with codes: rules with sums, and with moves that end play at once."""

from math import isqrt

import numpy as np

from graphgame.errors import Message
from graphgame.games.cutting import Cutting
from graphgame.labs.coded import CodedRuleset


class CodedCutting(Cutting, CodedRuleset):
    """The Cutting Game with codes: the code of a sheet is its index in the list 1x0, 1x1, 2x0, 2x1, 2x2, 3x0, ...

    Here Wx0 stands for the end of play: a strip Wx1 from which a 1x1 was just cut.
    """

    size = (Cutting.most + 1) * (Cutting.most + 2) // 2

    def decided_codes(self, codes):
        """Return for each code -2 (decided as "P": the cut of a 1x1 has just ended and won the game) or 0."""
        return np.where(_sides(codes)[1] == 0, np.int8(-2), np.int8(0))

    def encode(self, position):
        """Return the code of a sheet, whose sides may come in either order; or of the two sheets after the last cut."""
        pair = isinstance(position, tuple) and len(position) == 2
        over = pair and position[0] == (1, 1) and isinstance(position[1], tuple) and len(position[1]) == 2
        sheet = position[1] if over else position
        if not pair or not all(isinstance(side, int) and 1 <= side <= self.most for side in sheet):
            raise ValueError(
                Message("invalid position {position!r}: expected two sides in 1..{most}", position, self.most)
            )
        width, height = (max(sheet) + 1, 0) if over else (max(sheet), min(sheet))
        return width * (width + 1) // 2 + height - 1

    def decode(self, code):
        """Return the sheet with a code, the longer side first; for the code of Wx0, the two sheets of the last cut."""
        width = (isqrt(8 * code + 9) - 1) // 2
        height = code + 1 - width * (width + 1) // 2
        return (width, height) if height else ((1, 1), (width - 1, 1))

    def option_codes(self, codes):
        """Return the options of some sheets as codes all cuts of the width, then all cuts of the height."""
        width, height = _sides(codes)
        rows, parts = zip(_cuts(width, height), _cuts(height, width), strict=True)
        return np.concatenate(rows), np.concatenate(parts)

    def ranks(self, codes):
        """Return the areas of the sheets: each part of a cut sheet has a smaller area."""
        width, height = _sides(codes)
        return width * height


def _sides(codes):
    """Return the widths and the heights of the sheets with these codes; no height is larger than the width."""
    # Exact in floating point, because 8 times the largest code is far below 2**53.
    width = ((np.sqrt(8 * codes + 9) - 1) / 2).astype(np.int64)
    return width, codes + 1 - width * (width + 1) // 2


def _cuts(divided, uncut):
    """Return the cuts that divide one side of each sheet, in the arrays of :meth:`CodedRuleset.option_codes`.

    ``divided`` has the lengths of these sides, ``uncut`` those of the sides that stay whole.
    """
    # Cuts at 1, 2, ..., half of the side; the same cut from the other end has the same parts.
    counts = divided // 2
    rows = np.repeat(np.arange(len(divided)), counts)
    cut = np.arange(1, len(rows) + 1) - np.repeat(np.cumsum(counts) - counts, counts)
    parts = np.stack([cut, divided[rows] - cut], axis=1)
    width, height = np.maximum(parts, uncut[rows, None]), np.minimum(parts, uncut[rows, None])
    codes = width * (width + 1) // 2 + height - 1
    # A cut that makes a 1x1 ends play: it leads to the code of Wx0, not to a sum.
    ends = (cut == 1) & (uncut[rows] == 1)
    length = divided[rows[ends]]
    codes[ends] = np.stack([length * (length + 1) // 2 - 1, np.full(len(length), -1)], axis=1)
    return rows, codes
