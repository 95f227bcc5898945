"""Where readers of edge lists put what does not fit in memory: numbers for positions, edges on disk.

Integers close together are numbered in increasing order. Integers far apart and strings are numbered in the order in
which they first come; the edges read until that turns out are numbered anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphgame.arrays.interning import Texts, texts
from graphgame.arrays.labels import Labels, as_labels
from graphgame.errors import LimitError
from graphgame.io.edge_stores import Words
from graphgame.io.interchange import TokensOf, is_integer
from graphgame.io.scanner import ALONE
from graphgame.io.source import Source
from graphgame.scale.disk import workdir
from graphgame.scale.disk.labels import MappedIntegers, MappedTexts
from graphgame.scale.disk.numbering import IntegerRange
from graphgame.scale.disk.workdir import Spool, Workdir, size_text

_AT_A_TIME = 1 << 16
_EDGE_SHARE, _LABEL_SHARE, _SPAN_SHARE = 128, 2, 8
_MOST_EDGES, _LEAST_EDGES = 1 << 23, 1 << 12


@dataclass(frozen=True)
class Settings:
    """How many bytes of memory the arrays may take, in which form loops run, and whether rows are to hold options."""

    memory: int
    compiled: bool
    options: bool = False

    @property
    def block(self) -> int:
        """Edges in a block of the spool."""
        return max(_LEAST_EDGES, min(_MOST_EDGES, self.memory // _EDGE_SHARE))


class EdgeStore:
    """A store of edges, about so many, between integers or strings; fits where the readers take ``IntegerEdges``."""

    def __init__(self, workdir: Workdir, settings: Settings, edges: int = 0) -> None:
        self._workdir, self._settings = workdir, settings
        room = settings.memory // _SPAN_SHARE
        self._range: IntegerRange | None = IntegerRange(room, settings.compiled, 2 * edges)
        self._texts = self._no_texts()
        self._spools = 0
        self._spool = self._new_spool()

    def add(self, values: np.ndarray) -> None:
        """Add edges, a source and a target in turn; ``ALONE`` as a target makes a vertex of the source."""
        alone = values[1::2] == ALONE
        if alone.any():
            self.add_vertices(values[::2][alone])
            self.append(values[::2][~alone], values[1::2][~alone])
        else:
            self.append(values[::2], values[1::2])

    def append(self, source: np.ndarray, target: np.ndarray) -> None:
        """Add edges, given as two arrays of integers."""
        numbers = self._numbers(np.concatenate([source, target]))
        self.append_numbers(numbers[: len(source)], numbers[len(source) :])

    def add_vertices(self, vertices: np.ndarray) -> None:
        """Add integers that may be without edges."""
        self._numbers(vertices)

    def append_numbers(self, source: np.ndarray, target: np.ndarray) -> None:
        """Add edges between labels that are numbered."""
        self._spool.add(source, target)

    def number_texts(self, data: np.ndarray, offsets: np.ndarray) -> np.ndarray:
        """Return the numbers of labels: see :meth:`graphgame.arrays.interning.Texts.numbers`."""
        self._range = None
        return self._texts.numbers(data, offsets)

    def number_words(self, labels: Sequence[str]) -> np.ndarray:
        """Return the numbers of labels."""
        self._range = None
        return self._texts.numbers_of(labels)

    def words(self, source: Source, *, compiled: bool) -> Words[None]:
        """Return a store that goes on with labels of any kind."""
        words = Words(self)
        old, label, rest = self._start_anew()
        for starts, ends in old.edges():
            words.add_integers(label(starts), label(ends))
        for vertex in rest.tolist():
            words.add(str(vertex), [])
        self._drop(old)
        return words

    def graph(self, tokens: TokensOf) -> None:
        """Record what was collected as the stage ``scan``."""
        if self._range is not None:
            self._finish_range(tokens)
        else:
            values = self._texts.finish()[0].view(np.int64)
            self._finish({"kind": "integers"}, tokens, MappedIntegers(values), {"labels": values})

    def finish_strings(self, tokens: TokensOf) -> None:
        """Record what was collected, strings, as the stage ``scan``."""
        text, starts = self._texts.finish()
        labels = MappedTexts(text, starts)
        self._finish({"kind": "strings"}, tokens, labels, {"labels": text, "starts": starts})

    def finish_words(self, tokens: TokensOf, quoted: bool) -> None:
        """Record words of a text, which are integers where all look so and none was quoted."""
        labels = MappedTexts(*self._texts.finish())
        if not quoted and all(is_integer(str(label)) for label in labels):
            values = np.array([int(str(label)) for label in labels], np.int64)
            self._finish({"kind": "integers"}, tokens, MappedIntegers(values), {"labels": values})
        else:
            self.finish_strings(tokens)

    def finish_vertices(self, first: int, count: int, tokens: TokensOf) -> None:
        """Record numbers from 0 to ``count`` - 1, which stand for the integers from ``first`` on."""
        self._finish({"kind": "range", "first": first}, tokens, as_labels(range(first, first + count)), {})

    def _finish(
        self, kind: dict[str, Any], tokens: TokensOf, labels: Labels, arrays: dict[str, np.ndarray], least: int = 0
    ) -> None:
        """Write down the labels, and how the edges lie on disk."""
        chosen = tokens(labels, kind["kind"] != "strings")
        first, counts = self._spool.finish()
        files = [self._spool.file]
        for name, array in {"counts": counts, **arrays}.items():
            files.append(self._workdir.file(name, fresh=True))
            files[-1].write(array)
        record = {
            "labels": kind,
            "vertices": len(labels),
            "edges": int(counts.sum()),
            "least": least,
            "spool": [self._spool.file.name, first, len(counts), workdir.BUCKET_BITS],
            "tokens": chosen,
        }
        self._workdir.record("scan", record, *files)
        for file in files:
            file.close()

    def _numbers(self, values: np.ndarray) -> np.ndarray:
        if self._range is not None:
            found = self._range.numbers(values)
            if found is not None:
                return found
            self._spread()
        places = np.arange(len(values) + 1, dtype=np.int64) * 8
        return self._texts.numbers(values.astype(np.int64).view(np.uint8), places)

    def _spread(self) -> None:
        """Go on with integers that lie far apart."""
        old, label, rest = self._start_anew()
        for starts, ends in old.edges():
            self.append(label(starts), label(ends))
        for start in range(0, len(rest), _AT_A_TIME):
            self._numbers(rest[start : start + _AT_A_TIME])
        self._drop(old)

    def _drop(self, edges: Spool) -> None:
        edges.file.close()
        self._workdir.remove(edges.file.name)

    def _start_anew(self) -> tuple[Spool, Any, np.ndarray]:
        """Return the edges so far, what turns their numbers into integers, and all integers; begin to number anew."""
        old, self._spool = self._spool, self._new_spool()
        if self._range is not None:
            least, occurs = self._range.finish()
            self._range = None
            return old, lambda numbers: numbers.astype(np.int64), np.flatnonzero(occurs) + least
        values = self._texts.finish()[0].view(np.int64)
        self._texts = self._no_texts()
        return old, lambda numbers: values[numbers], values

    def _finish_range(self, tokens: TokensOf) -> None:
        assert self._range is not None
        least, occurs = self._range.finish()
        if occurs.all():
            labels = as_labels(range(least, least + len(occurs)))
            self._finish({"kind": "range", "first": least}, tokens, labels, {}, least)
            return
        values = np.flatnonzero(occurs) + least
        ranks = np.cumsum(occurs, dtype=np.int32) - np.int32(1)
        arrays: dict[str, np.ndarray] = {"labels": values, "ranks": ranks}
        self._finish({"kind": "increasing"}, tokens, as_labels(values), arrays, least)

    def _new_spool(self) -> Spool:
        file = self._workdir.file(f"edges-{self._spools}", fresh=True)
        self._spools += 1
        return Spool(file, self._settings.block, self._settings.compiled, self._settings.options)

    def _no_texts(self) -> Texts:
        return texts(self._settings.compiled, self._allow)

    def _allow(self, need: int, labels: int) -> None:
        most = self._settings.memory // _LABEL_SHARE
        if need > most:
            raise LimitError(
                "the labels of {labels:,} positions need {need} of memory: {most} of the memory limit are for them",
                labels,
                size_text(need),
                size_text(most),
                limit="memory",
            )


def labels_of(workdir: Workdir) -> Labels:
    """Return the label table that the stage ``scan`` recorded."""
    record = workdir.stage("scan")
    assert record is not None
    kind = record["labels"]["kind"]
    if kind == "range":
        first = record["labels"]["first"]
        return as_labels(range(first, first + record["vertices"]))
    if kind == "strings":
        return MappedTexts(workdir.array("labels", np.uint8), workdir.array("starts", np.int64))
    values = workdir.array("labels", np.int64)
    return as_labels(values) if kind == "increasing" else MappedIntegers(values)
