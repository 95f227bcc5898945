"""SciPy's sparse arrays as graphs: row i and column j hold the move from vertex number i to number j."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from graphgame.arrays.exchange import matrix_arrays
from graphgame.arrays.labels import Labels
from graphgame.errors import plural
from graphgame.graph import GameGraph

__all__ = ["from_scipy_sparse_array"]


def from_scipy_sparse_array(
    A: Any,  # noqa: ANN401
    positions: Labels | np.ndarray | Sequence[Hashable] | None = None,
    *,
    tokens: Iterable[Hashable] | None = None,
) -> GameGraph:
    """Make a graph of a sparse adjacency matrix.

    Parameters
    ----------
    A : scipy.sparse array or matrix, shape (n, n)
        Of any format. Every entry that is not 0 is an edge; its value is not kept.
    positions : range, ndarray or sequence of hashable, length n, optional
        The position of each row, as :meth:`GameGraph.from_arrays` takes them; by default 0..n-1.
    tokens : iterable of hashable, optional

    Raises
    ------
    ValueError
        The matrix is not square, its indices are out of range, or there are not n positions.

    Notes
    -----
    O(n + m) time, on arrays; 16 bytes an edge beyond the matrix.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> sorted(from_scipy_sparse_array(csr_array([[0, 1, 1], [0, 0, 1], [0, 0, 0]])).edges)
    [(0, 1), (0, 2), (1, 2)]
    """
    if len(A.shape) != 2 or A.shape[0] != A.shape[1]:
        raise ValueError(f"a matrix of shape {A.shape}: expected (n, n), a row and a column for each position")
    count = A.shape[0]
    source, target, *_ = matrix_arrays(A)
    if positions is not None and len(positions) != count:
        raise ValueError(f"{plural(len(positions), 'position')} for {plural(count, 'row')}: expected one for each")
    return GameGraph.from_arrays(source, target, count if positions is None else positions, tokens=tokens)
