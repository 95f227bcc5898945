"""networkx as it calls the backend by itself, and its own tests on graphs in arrays."""

import os
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest

from graphgame import GameGraph
from tests.core.graph.test_networkx_api import BY_THE_BACKEND, CYCLE, EDGES, answer
from tests.helpers import needs

SESSION = """
import sys
import networkx as nx
assert "numpy" not in sys.modules and not [name for name in sys.modules if name.startswith("graphgame.graph.gamegraph")]
from graphgame import GameGraph
from graphgame.labs.backend import functions
ran = []
for name in ("descendants", "topological_sort"):
    def noted(name=name, function=getattr(functions, name), **arguments):
        ran.append(name)
        return function(**arguments)
    setattr(functions, name, noted)
G = GameGraph({"a": ["b", "c"], "b": ["c"]})
D = nx.DiGraph(G)
assert nx.descendants(G, "a") == {"b", "c"}
assert list(nx.topological_sort(G)) == ["a", "b", "c"]
assert nx.number_of_nodes(G) == 3 and nx.is_isomorphic(G, G)
assert nx.is_isomorphic(G, D) and nx.is_isomorphic(D, G) and len(nx.compose_all([G, D])) == 3
assert nx.transitive_closure(G).number_of_edges() == 3
assert list(nx.condensation(G, backend="networkx")) == list(nx.condensation(G, backend="networkx")) == [0, 1, 2]
assert ran == ["descendants", "topological_sort"], ran
assert nx.descendants(D, "a", backend="graphgame") == {"b", "c"} and len(ran) == 3
assert nx.descendants(D, "a") == {"b", "c"} and len(ran) == 3
try:
    nx.set_node_attributes(G, 1, "x")
except Exception as error:
    print(error)
with nx.config(backend_priority=["graphgame"]):
    assert nx.descendants(nx.DiGraph(D), "a") == {"b", "c"} and len(ran) == 3  # it is small
assert nx.pagerank(G) == nx.pagerank(D)
T = GameGraph(G, tokens=["a"])
assert nx.relabel_nodes(T, {"a": "z"}).graph["tokens"] == ("z",)
assert nx.convert_node_labels_to_integers(T).graph["tokens"] == (0,)
"""

TESTS_OF_NETWORKX = [
    "algorithms/traversal/tests/test_bfs.py",
    "algorithms/traversal/tests/test_dfs.py",
    "algorithms/tests/test_dag.py",
    "algorithms/shortest_paths/tests/test_unweighted.py",
    "algorithms/shortest_paths/tests/test_generic.py",
    "algorithms/components/tests/test_strongly_connected.py",
    "algorithms/components/tests/test_weakly_connected.py",
    "algorithms/link_analysis/tests/test_pagerank.py",
    "algorithms/operators/tests/test_all.py",
    "algorithms/operators/tests/test_binary.py",
    "algorithms/operators/tests/test_unary.py",
    "algorithms/tests/test_cycles.py",
    "algorithms/tests/test_dominance.py",
    "classes/tests/test_function.py",
    "tests/test_convert_numpy.py",
    "tests/test_convert_pandas.py",
    "tests/test_convert_scipy.py",
    "tests/test_relabel.py",
]


@needs("scipy")
def test_networkx_calls_it_by_itself(installed, tmp_path):
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", SESSION], env=installed, cwd=tmp_path, capture_output=True, text=True
    )
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.long
@needs("scipy")
def test_networkx_own_tests(installed):
    home = Path(nx.__file__).parent
    options = ["-q", "-c", os.devnull, "-p", "no:cacheprovider", "--import-mode=importlib", "--rootdir", str(home)]
    command = [sys.executable, "-m", "pytest", *options, *TESTS_OF_NETWORKX]
    settings = {"NETWORKX_TEST_BACKEND": "graphgame", "NETWORKX_FALLBACK_TO_NX": "True"}
    environment = {**installed, **settings, "PYTEST_ADDOPTS": ""}
    run = subprocess.run(command, env=environment, cwd=home, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-1000:]
    assert " passed" in run.stdout


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("edges", [EDGES, CYCLE], ids=["acyclic", "cycle"])
@pytest.mark.parametrize("name", sorted(BY_THE_BACKEND))
def test_functions_that_change_the_graph_for_a_moment(name, edges):
    found, expected = (answer(getattr(nx, name), kind(nx.DiGraph(edges))) for kind in (GameGraph, nx.DiGraph))
    assert found == expected
