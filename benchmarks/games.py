"""Random games as token files: shuffled vertices, every move at most `span` levels long."""

from __future__ import annotations

from pathlib import Path

import numpy as np

BLOCK = 1_000_000


def write_random_game(path: Path, vertices: int, edges: int, span: int = 1000, seed: int = 1) -> None:
    """Write a token file with three tokens."""
    source, target = random_edges(vertices, edges, span, seed)
    with path.open("w") as out:
        out.write(f"{vertices} {edges} 3\n")
        for start in range(0, edges, BLOCK):
            pairs = zip(source[start : start + BLOCK].tolist(), target[start : start + BLOCK].tolist(), strict=True)
            out.write("\n".join(f"{x} {y}" for x, y in pairs) + "\n")
        out.write("1 2 3\n")


def random_edges(vertices: int, edges: int, span: int = 1000, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends of random edges between the vertices 1..n, acyclic."""
    rng = np.random.default_rng(seed)
    name = rng.permutation(vertices) + 1
    source = rng.integers(1, vertices, edges)
    return name[source], name[np.maximum(source - rng.integers(1, span, edges), 0)]
