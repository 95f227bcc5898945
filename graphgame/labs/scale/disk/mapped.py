"""A graph whose options lie in mapped files: what :mod:`graphgame.labs.verification.verification` checks beyond memory.

That each value is the mex of the options' values proves them all where play must end; on a cycle, wrong values may pass
for such. So both are looked at. A graph has no cycle if, turned around, it has none: an order of play is found from its
start, by the same rows that the values are checked by, and no rows of predecessors are made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from graphgame.compiled.engine import COMPILED_FROM, use_compiled
from graphgame.errors import CycleError
from graphgame.graph.gamegraph import GameGraph
from graphgame.graph.labels import as_labels
from graphgame.graph.play_order import freed_order
from graphgame.io.files import PathLike
from graphgame.io.source import parse_size
from graphgame.labs.scale import StageProgress
from graphgame.labs.scale.disk.collecting import MappedTexts, Settings, labels_of
from graphgame.labs.scale.disk.reading import Input
from graphgame.labs.scale.disk.rows import mapped_rows, release, unsolved_cycle
from graphgame.labs.scale.disk.solution import Stages
from graphgame.labs.scale.disk.workdir import Workdir


class MappedGraph(GameGraph):
    """A graph that has rows of options, in mapped files, and none of predecessors."""

    def __init__(self, workdir: Workdir) -> None:
        scan = workdir.stage("scan")
        assert scan is not None
        labels = labels_of(workdir)
        # a text is found by a search through all of them: too slow for a value of each
        self.labels = as_labels(list(labels)) if isinstance(labels, MappedTexts) else labels
        self.sums = None
        self._options = mapped_rows(workdir)
        self._edge_count = len(self._options.indices)
        self.out_degrees = self._options.lengths().astype(np.int32)
        self._workdir = workdir
        self._finish({}, scan["tokens"])

    def play_order(self) -> np.ndarray:
        """Return the vertices, options before the positions that move to them; a CycleError carries one cycle."""
        rows = self.option_rows
        order = freed_order(rows, np.array(self._workdir.array("degrees", np.int32)))
        if len(order) < len(self):
            raise CycleError(self.labels.take(unsolved_cycle(rows, order)[::-1]))
        release(rows)
        return order[::-1]


@contextmanager
def mapped_graph(
    edges: PathLike,
    workdir: PathLike,
    memory_limit: int | str = "2GB",
    resume: bool = True,
    progress: StageProgress | None = None,
    *,
    format: str | None = None,
    tell: Callable[[str], None] | None = None,
    keep: bool = False,
) -> Iterator[MappedGraph]:
    r"""Give a graph whose edges are on disk, to verify values of it.

    Parameters and errors are those of :func:`graphgame.labs.scale.disk.solve`, whose work files are others. They are
    deleted at the end unless they are to be kept, or there is an error.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from graphgame import verify
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> path = folder / "game.edges"
    >>> path.write_text("3 1\n3 2\n2 1\n")
    12
    >>> with mapped_graph(path, folder / "work") as graph:
    ...     verify(graph, {1: 0, 2: 1, 3: 3}).reason
    "value 3, but no option has the value 2; the mex of its options' values {0, 1} is 2"
    """
    limit = parse_size(memory_limit)
    report: StageProgress = progress or (lambda stage, done, total: None)
    with Input(edges, format, lambda done, total: report("reading", done, total)) as source:
        compiled = use_compiled(COMPILED_FROM if source.edges is None else source.edges)
        work = Workdir(workdir, source.identity(), resume, "verify")
        try:
            _Grouping(work, Settings(limit, compiled, options=True), report, tell).group(source)
            yield MappedGraph(work)
        except BaseException:
            work.close()
            raise
    if keep:
        work.close()
    else:
        work.clear()


class _Grouping(Stages):
    """The stages, with the memory that it takes to verify."""

    bytes_a_vertex = 60
