"""Label tables over mapped files, for positions that fill no range."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator

import numpy as np

from graphgame.arrays.labels import Labels

_AT_A_TIME = 1 << 16


class MappedIntegers(Labels):
    """Integers in any order, int64; a position is found by looking at all of them."""

    def __init__(self, values: np.ndarray) -> None:
        self._positions = values

    def __iter__(self) -> Iterator[Hashable]:
        return (label for start in range(0, len(self), _AT_A_TIME) for label in self[start : start + _AT_A_TIME])

    def at(self, number: int) -> int:  # noqa: D102
        return int(self._positions[number])

    def find(self, position: object) -> int:  # noqa: D102
        hash(position)
        whole = isinstance(position, int | np.integer) and -(2**63) <= position < 2**63
        for start in range(0, len(self) if whole else 0, _AT_A_TIME):
            found = np.flatnonzero(self._positions[start : start + _AT_A_TIME] == position)
            if len(found):
                return start + int(found[0])
        raise KeyError(position)

    def column(self, numbers: np.ndarray) -> np.ndarray:  # noqa: D102
        return self._positions[numbers]  # type: ignore[no-any-return]

    def take(self, numbers: np.ndarray) -> list[Hashable]:  # noqa: D102
        return self.column(numbers).tolist()  # type: ignore[no-any-return]


class MappedTexts(Labels):
    """Strings, kept as UTF-8 one after the other; a position is found by a search through the text.

    Label i is ``text[starts[i]:starts[i + 1]]``.
    """

    def __init__(self, text: np.ndarray, starts: np.ndarray) -> None:
        self.text, self.starts = text, starts

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __iter__(self) -> Iterator[Hashable]:
        return map(self.at, range(len(self)))

    def at(self, number: int) -> str:  # noqa: D102
        return self.text[self.starts[number] : self.starts[number + 1]].tobytes().decode(errors="surrogatepass")

    def find(self, position: object) -> int:  # noqa: D102
        hash(position)
        if not isinstance(position, str):
            raise KeyError(position)
        label = position.encode(errors="surrogatepass")
        if not label:
            return self._find_empty()
        place = self._search(label, 0)
        while place >= 0:
            number = int(np.searchsorted(self.starts, place, "right")) - 1
            if self.starts[number] == place and self.starts[number + 1] == place + len(label):
                return number
            place = self._search(label, place + 1)
        raise KeyError(position)

    def take(self, numbers: np.ndarray) -> list[Hashable]:  # noqa: D102
        return list(map(self.at, numbers.tolist()))

    def _search(self, label: bytes, start: int) -> int:
        # A regular expression searches mapped memory as it is; bytes.find would want a copy.
        found = re.compile(re.escape(label)).search(self.text, start)  # type: ignore[call-overload]
        return -1 if found is None else int(found.start())

    def _find_empty(self) -> int:
        for start in range(0, len(self), _AT_A_TIME):
            found = np.flatnonzero(np.diff(self.starts[start : start + _AT_A_TIME + 1]) == 0)
            if len(found):
                return start + int(found[0])
        raise KeyError("")
