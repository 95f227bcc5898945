"""The package inside another program: in threads, and with modules that are loaded again."""

import io
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

import graphgame
from graphgame.__main__ import main


def test_command_in_a_thread_of_another_program(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["graphgame", "solve", "nim(3,4,5)", "--verdict"])
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    with ThreadPoolExecutor() as threads, pytest.raises(SystemExit) as ended:
        threads.submit(main).result()
    assert (ended.value.code, sys.stdout.getvalue()) == (0, "win\n")


def nim_sum(first):
    position = graphgame.parse_position(f"nim({first},4,5)")
    graph = position.graph()
    solution = graphgame.solve(graph)
    assert graphgame.verify(graph, solution)
    return position.nim_sum, solution.grundy[position.components[0].position]


def test_many_threads():
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(nim_sum, range(1, 25))) == [(n ^ 4 ^ 5, n) for n in range(1, 25)]


RELOADING = """
import importlib, sys
import graphgame
old = graphgame.GameGraph([(1, 2)])
importlib.reload(graphgame)
for name in ("registry", "errors", "graph.gamegraph", "rules.notation"):
    importlib.reload(importlib.import_module(f"graphgame.{name}"))
assert graphgame.solve(old).grundy[1] == 1 and graphgame.solve("nim(1,2)").winner == "first"
for name in [name for name in sys.modules if name.partition(".")[0] == "graphgame"]:
    del sys.modules[name]
import graphgame
assert graphgame.solve(old).grundy[1] == 1
assert graphgame.explain("nim(1,2)").startswith("first player wins")
"""


def test_import_does_not_load_typing():
    # Before ``main`` begins, Ctrl-C prints a traceback: so importing the package must be quick.
    code = "import sys; old = {*sys.modules}; import graphgame; print({'pkgutil', 'typing'} & ({*sys.modules} - old))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("set()\n", "")


def test_modules_that_a_notebook_loads_again():
    done = subprocess.run([sys.executable, "-W", "error", "-c", RELOADING], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
