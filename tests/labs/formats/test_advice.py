"""What the refusal of a file advises makes the graph of it."""

import gzip
import re
import subprocess
import sys
import warnings
from pathlib import Path

import networkx as nx
import pytest

from graphgame import GameGraph, read_game
from graphgame.errors import FormatError, ParseError, ReadingWarning
from tests.core.io.test_real_files import DATA
from tests.core.io.test_texts_of_people import REFUSED

ROOT = Path(__file__).parents[3]
LIBRARIES = {"ast", "igraph", "json", "numpy", "pandas", "pickle", "scipy", "yaml"}


def follow_advice(path):
    """Return the graph that what the refusal of a file advises makes of it."""
    with pytest.raises((ParseError, FormatError)) as caught:
        read_game(path)
    told = str(caught.value).splitlines()[0]
    if " in Python, " in told:
        *first, call = re.search(r"in Python, (.*) reads the file", told)[1].split("; ")
        names = {"GameGraph": GameGraph, "networkx": nx}
        for name in LIBRARIES & set(re.findall(r"(\w+)\.", told)):
            names[name] = pytest.importorskip(name)
            pytest.importorskip("scipy.io" if name == "scipy" else name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # open(path).read()
            exec("; ".join(first), names)
            return eval(call, names)
    command = re.search(
        r"(?:\w+ -dc < \S+ \| )?(?:awk|sed|tr|iconv) .*?(?:> utf8\.\w+|> game\.csv|- game\.edges)", told
    )[0]
    here = f"PYTHONPATH={ROOT} {sys.executable} -m graphgame convert"
    subprocess.run(command.replace("graphgame convert", here), shell=True, check=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReadingWarning)
        return read_game(command.split()[-1])


@pytest.mark.filterwarnings("ignore:The default value for `spmatrix`")  # GameGraph takes what either value returns
@pytest.mark.parametrize(
    ("name", "edges"),
    [
        *(("dimacs.col", 3), ("dimacs_sp.gr", 2), ("excel_unicode.txt", 1), ("excel_zh_gbk.csv", 2), ("igraph.gml", 4)),
        *(("igraph.lgl", 4), ("igraph.net", 4), ("igraph_dimacs.txt", 4), ("networkrepository.mtx", 2), ("nx.gml", 4)),
        *(("nx.net", 4), ("nx_multiline.txt", 4), ("pandas_records.json", 4), ("pandas_utf16.csv", 4)),
        *(("nx_adjacency.json", 4), ("scipy.mtx", 3), ("tgf.tgf", 1)),
    ],
)
def test_what_is_advised(name, edges, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes((DATA / name).read_bytes())
    graph = follow_advice(name)
    assert graph.number_of_edges() == edges
    assert not any("#" in str(vertex) or "\0" in str(vertex) for vertex in graph)


@pytest.mark.parametrize(("name", "text", "message", "edges"), REFUSED)
def test_what_is_advised_of_texts(name, text, message, edges, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    assert sorted(follow_advice(name).edges) == sorted(edges)


@pytest.mark.parametrize("name", ["excel_zh_gbk.csv", "dimacs.col", "pandas_utf16.csv"])
def test_what_is_advised_of_compressed_files(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = (DATA / name).read_bytes()
    Path(name).write_bytes(data)
    Path(f"{name}.gz").write_bytes(gzip.compress(data))
    assert sorted(follow_advice(f"{name}.gz").edges) == sorted(follow_advice(name).edges)
