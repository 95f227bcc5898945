"""Compare pictures of growing graphs with Graphviz's ``dot`` and ``sfdp``, and with igraph's layout (Sugiyama's
method).

    python benchmarks/pictures.py [--limit SECONDS] [--most EDGES] [SHAPE:VERTICES:EDGES ...]

For graphgame the whole process is measured, from the file to the SVG. For Graphviz it is the layout of a ready DOT text
in its own process. igraph reads the moves and computes coordinates, 40 pixels apart, without drawing. Each process is
stopped after ``--limit`` seconds. The other programs are not run for graphs of more than ``--most`` edges.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

__all__ = ["main"]

GAMES = (
    "random:300:3000",
    "random:1000:10000",
    "random:5000:50000",
    "layered:5000:20000",
    "grid:2500:4900",
    "complete:400:79800",
    "path:1000000:999999",
    "random:100000:1000000",
    "random:1000000:10000000",
)

GRAPHVIZ = """
import sys, pygraphviz
graph = pygraphviz.AGraph(filename=sys.argv[2])
with open(sys.argv[3], "wb") as file:
    file.write(graph.draw(format="svg", prog=sys.argv[1]))
"""

SUGIYAMA = """
import sys, igraph, numpy as np
from pathlib import Path
with open(sys.argv[1]) as file:
    vertices, edges, _ = map(int, file.readline().split())
moves = np.loadtxt(sys.argv[1], np.int64, skiprows=1, max_rows=edges, ndmin=2) - 1
graph = igraph.Graph(vertices, moves, directed=True)
box = graph.layout_sugiyama(hgap=40, vgap=40).bounding_box()
Path(sys.argv[2]).write_text(f'<svg width="{box.width + 40:.0f}" height="{box.height + 40:.0f}">')
"""


class Run(NamedTuple):
    """A process: its processor seconds and peak bytes, and the size of its picture in pixels."""

    cpu: float
    peak: float
    size: tuple[int, int]

    def told(self) -> str:
        wide, high = self.size
        return f"{self.cpu:.1f} s, {self.peak / 2**20:,.0f} MiB, {wide:,} x {high:,} px"


def measure(command: list[str], picture: Path, limit: float) -> Run | str:
    """Run a process; return its measurements, or a text that says that it failed or took too long."""
    picture.unlink(missing_ok=True)
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        if time.perf_counter() - start > limit:
            process.kill()
        time.sleep(0.01)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode or not picture.exists():
        return f"over {limit:g} s" if process.returncode == -9 else "failed"
    unit = 1 if sys.platform == "darwin" else 1024
    return Run(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit, pixels(picture))


def pixels(picture: Path) -> tuple[int, int]:
    """Return the size of an SVG image in pixels; Graphviz states it in points."""
    with picture.open(encoding="utf-8") as file:
        head = re.search(r'<svg[^>]*?width="([\d.]+)(pt)?"[^>]*?height="([\d.]+)', file.read(2000), re.S)
    assert head is not None
    wide, high = (float(number) * (4 / 3 if head[2] else 1) for number in (head[1], head[3]))
    return round(wide), round(high)


def graphgame(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "graphgame", *arguments]


def compare(game: str, limit: float, most: int, folder: Path) -> str:
    """Measure each program on the game SHAPE:VERTICES:EDGES; return a row of the table in Markdown.

    The game and the pictures are files in ``folder``.
    """
    shape, vertices, edges = game.split(":")
    file, text, picture = (str(folder / name) for name in ("game.txt", "game.dot", "game.svg"))
    sizes = ["--vertices", vertices, "--edges", edges] if shape in ("random", "layered") else ["--edges", edges]
    subprocess.run(graphgame("generate", shape, *sizes, "-o", file), check=True, capture_output=True)
    commands = [graphgame("draw", file, "-o", picture)]
    if int(edges) <= most:
        subprocess.run(graphgame("draw", file, "--no-legend", "-o", text), check=True, capture_output=True)
        commands += [[sys.executable, "-c", GRAPHVIZ, program, text, picture] for program in ("dot", "sfdp")]
        commands.append([sys.executable, "-c", SUGIYAMA, file, picture])
    measure(commands[0], Path(picture), limit)  # the first run compiles the loops
    told = []
    for command in commands:
        run = measure(command, Path(picture), limit)
        told.append(run if isinstance(run, str) else run.told())
        print(f"{game}: {told[-1]}", file=sys.stderr)
    return f"| {shape} | {int(vertices):,} | {int(edges):,} | {' | '.join(told + ['–'] * (4 - len(told)))} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="SHAPE:VERTICES:EDGES", default=GAMES)
    parser.add_argument("--limit", type=float, default=60, metavar="SECONDS")
    parser.add_argument("--most", type=int, default=100_000, metavar="EDGES")
    given = parser.parse_args()
    print("| shape | positions | moves | graphgame draw | dot | sfdp | igraph |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for game in given.games:
            print(compare(game, given.limit, given.most, Path(folder)), flush=True)


if __name__ == "__main__":
    main()
