"""A process of its own: reads DOT, writes an image. Its arguments are the kind of image and pygraphviz's layout.

It is run by its path, so that it starts without the rest of the package. On Linux it ends with the process that
started it, even where that is killed.
"""

from __future__ import annotations

import contextlib
import ctypes
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Turn standard input into an image on standard output."""
    with contextlib.suppress(AttributeError, TypeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    import pygraphviz

    graph = pygraphviz.AGraph(string=sys.stdin.buffer.read().decode())
    sys.stdout.buffer.write(graph.draw(format=sys.argv[1], prog=sys.argv[2]))


if __name__ == "__main__":
    main()
