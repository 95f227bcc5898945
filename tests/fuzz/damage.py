"""Files that are nearly right: a seed gives a small game in a format, with some of its bytes changed.

``check`` reads such a file, and raises where a reader fails: it must return a game or raise an error of the package,
and what it returns must come back when it is written and read again.
"""

import io
import random
import tempfile
from contextlib import suppress
from pathlib import Path

import numpy as np

import graphgame
from graphgame import GameGraph, solve, write_values
from graphgame.errors import FormatError, GraphGameError
from graphgame.io import FORMATS
from graphgame.io.source import Source

READERS = [*FORMATS, "values csv", "values json", "values parquet", *(["judge cases"] if "judge" in FORMATS else [])]
"""What is tried: graph files, values files, and the cases of a judge."""

LABELS = ("a", "two words", "", '"', "é", "\n", "#", "01", "-1", "[1]", "a,b", "<b>", "=1", "x:y", "n0", "null")
PIECES = {
    "lists": [b" ", b"\n", b"\t", b",", b"#", b'"', b"-", b"\r", b"\0", b"9" * 30, b"# tokens: a\n", b"source,target"],
    "xml": [b"<", b">", b"</node>", b"<edge/>", b"&", b'"', b"]]>", b"<!--", b"<!DOCTYPE x>", b' id="a"', b"&#0;"],
    "json": [b"{", b"]", b",", b":", b'"', b"\\", b"null", b"1e999", b"NaN", b'"directed": true,', b"[[" * 60],
    "dot": [b"{", b"}", b"->", b"--", b"[", b"]", b"=", b";", b",", b'"', b"subgraph s ", b"/*", b"<", b"node "],
    "bytes": [b"\0", b"\xff", b"\x7f\xff\xff\xff", b"\x80", b"\0\0\0\0\0\0\0\0"],
}
KINDS = {"graphml": "xml", "gexf": "xml", "node-link": "json", "values json": "json", "dot": "dot"} | dict.fromkeys(
    ("npy", "npz", "parquet", "arrow", "values parquet"), "bytes"
)


def check(name, seed):
    """Read the damaged file of a seed; return whether it was one of the format all the same."""
    data = damaged(name, seed)
    try:
        found = read(name, data)
    except GraphGameError:
        return False
    if name in FORMATS:
        assert isinstance(found, GameGraph)
        assert_comes_back(name, found)
    return True


def damaged(name, seed):
    """Return the bytes of a file, some of them changed."""
    rng = random.Random(f"{name} {seed}")
    data = written(name, rng)
    pieces = [*PIECES[KINDS.get(name, "lists")], b"", b"\xc3", bytes([rng.randrange(256)])]
    for _ in range(rng.choice([0, 1, 1, 2, 5])):
        start = rng.randrange(len(data) + 1)
        end = min(len(data), start + rng.choice([0, 0, 1, 2, 10]))
        data = data[:start] + rng.choice([*pieces, data[end : end + 30]]) + data[end:]
    return data[: rng.randrange(len(data) + 1)] if rng.random() < 0.05 else data


def written(name, rng):
    """Return a right file."""
    if name.startswith("values"):
        return bytes_of(lambda path: write_values(solve(game(rng), tokens=[]), path, name.split()[1]))
    format = FORMATS["judge" if name == "judge cases" else name]
    stream = io.BytesIO() if format.mode == "wb" else io.StringIO()
    try:
        format.write(game(rng), stream)
    except FormatError:
        format.write(numbered(rng, 0 if format.name == "judge" else 1), stream)
    data = stream.getvalue()
    return data if isinstance(data, bytes) else data.encode()


def bytes_of(write):
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder, "values"))
        return Path(folder, "values").read_bytes()


def game(rng):
    """Return a small game; its positions are integers or texts, it may have sums and tokens."""
    count = rng.randint(1, 6)
    labels = rng.choice([range(1, count + 1), rng.sample(LABELS, count), rng.sample(range(50), count)])
    ends = np.array([(v, w) for v in range(count) for w in range(v) if rng.random() < 0.4], np.int64).reshape(-1, 2)
    sums = np.array([rng.random() < 0.1 for _ in range(count)])
    tokens = rng.choice([None, rng.choices(list(labels), k=2)])
    return GameGraph.from_arrays(*ends.T, labels, sums=sums if rng.random() < 0.3 else None, tokens=tokens)


def numbered(rng, first):
    """Return a game that every format can express."""
    count = rng.randint(2, 6)
    return GameGraph.from_arrays(np.arange(1, count), np.arange(count - 1), range(first, first + count))


def read(name, data):
    if name == "judge cases":
        from graphgame.labs.judges.judge_format import read_judge_cases

        return list(read_judge_cases(data))
    if name.startswith("values"):
        return dict(graphgame.read_values(data, name.split()[1]))
    return FORMATS[name].read(Source(data))


def assert_comes_back(name, graph):
    """Check that a graph is the same when it is written and read again."""
    stream = io.BytesIO() if FORMATS[name].mode == "wb" else io.StringIO()
    with suppress(FormatError):  # such as a name that begins with white space, in CSV
        FORMATS[name].write(graph, stream)
        data = stream.getvalue()
        back = read(name, data if isinstance(data, bytes) else data.encode(errors="surrogatepass"))
        assert set(back) == set(graph)
        assert set(back.edges) == set(graph.edges)
        assert (back.tokens or ()) == (graph.tokens or ())
