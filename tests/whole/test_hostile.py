"""Full disks and hostile files: a clear error, exit status 2, no half-written file, bounded memory."""

import json
import subprocess
import sys

import networkx as nx
import pytest

from graphgame import write_game
from graphgame.io import FORMATS
from graphgame.io.source import COMPRESSIONS
from graphgame.labs.scale.generators import generate

GRAPHS = [
    *(f"out{format.suffixes[0]}" for format in FORMATS.values()),
    *(f"out.edges{packing}" for packing in COMPRESSIONS),
    "out.npz.gz",
    "out.parquet.zst",
]
CASES = [
    *(["convert", "--relabel", "game.edges", name] for name in GRAPHS),
    *(["solve", "game.edges", "--values", f"values.{suffix}"] for suffix in ("csv", "json", "parquet", "csv.zst")),
    ["draw", "game.edges", "-o", "picture.dot"],
    ["generate", "random", "--edges", "3000", "-o", "generated.parquet"],
]
LIMITED = """
import gc, json, os, resource, sys
import networkx, pandas, pyarrow.compute, pyarrow.parquet  # once, for every child
import graphgame.cli.convert, graphgame.cli.draw, graphgame.drawing, graphgame.io.delimited, graphgame.solution.solve
from graphgame.cli import main
gc.freeze()  # or every child goes through all of it as it ends
for case in json.load(sys.stdin):
    error = f"{case[-1]}.error"
    child = os.fork()
    if not child:
        os.dup2(os.open(error, os.O_CREAT | os.O_WRONLY | os.O_TRUNC), 2)
        resource.setrlimit(resource.RLIMIT_FSIZE, (400, 400))
        sys.argv = ["graphgame", *case]
        main()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(json.dumps([status, open(error).read()]))
    os.unlink(error)
"""


@pytest.mark.long
def test_full_disk_leaves_the_old_file(tmp_path):
    edges = generate("random", vertices=500, edges=3000, tokens=0).edges
    write_game(nx.DiGraph(edges), tmp_path / "game.edges")
    names = [case[-1] for case in CASES]
    before = {"game.edges": (tmp_path / "game.edges").read_text(), **dict.fromkeys(names[::2], "what was there")}
    for name, text in before.items():
        (tmp_path / name).write_text(text)
    command = [sys.executable, "-c", LIMITED]
    done = subprocess.run(command, input=json.dumps(CASES), cwd=tmp_path, capture_output=True, text=True, check=True)
    answers = list(map(json.loads, done.stdout.splitlines()))
    assert answers == [[2, f"graphgame: error: {tmp_path / name}: File too large\n"] for name in names]
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == before
