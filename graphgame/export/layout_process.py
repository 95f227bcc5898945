"""A process of its own: reads DOT, writes an image of the kind in its first argument, laid out by pygraphviz.

It is run by its path, so that it starts without the rest of the package.
"""

from __future__ import annotations

import sys

__all__: list[str] = []


def main() -> None:
    """Turn standard input into an image on standard output."""
    import pygraphviz

    graph = pygraphviz.AGraph(string=sys.stdin.buffer.read().decode())
    sys.stdout.buffer.write(graph.draw(format=sys.argv[1], prog="dot"))


if __name__ == "__main__":
    main()
