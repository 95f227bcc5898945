"""The benchmarks run, print tables, and their programs find right answers."""

from __future__ import annotations

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from graphgame import Search

ROOT = Path(__file__).parents[2]
OTHERS = [name for name in ("networkx", "rustworkx", "igraph") if find_spec(name)]


def run(script, *arguments, env=None):
    command = [sys.executable, ROOT / "benchmarks" / script, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=env)


@pytest.fixture
def bench(monkeypatch):
    """What ``run.py`` defines."""
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    return runpy.run_path(str(ROOT / "benchmarks" / "run.py"))


@pytest.fixture
def failing_compiler(tmp_path, monkeypatch):
    """A compiler whose programs say why they fail."""
    (tmp_path / "g++").write_text("#!/bin/sh\nprintf '#!/bin/sh\necho no memory >&2; exit 3\n' > $3\nchmod +x $3\n")
    (tmp_path / "g++").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="only on Linux")
def test_formats():
    done = run("formats.py", "--sizes", "1e3", "--formats", "edges", "quoted", "--repeat", "1")
    assert done.returncode == 0, done.stderr
    reading, writing, releases = (part.splitlines() for part in done.stdout.split("\n\n"))
    assert reading[0].startswith("| read | edges | graphgame | pandas | pyarrow | polars | networkx |")
    assert writing[0].startswith("| written | edges | graphgame |")
    assert len(reading[2:]) == 2
    assert len(writing[2:]) == 1  # labels are quoted where they must be, so that no file is written with quotes
    assert all(re.match(r"\| .* \| 1,000 \| \d+\.\d\d s, \d+ MB \|", line) for line in reading[2:] + writing[2:])
    assert releases[0].startswith("Python 3")


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="only on Linux")
def test_formats_that_would_take_too_long_are_left_out():
    done = run("formats.py", "--sizes", "1e3", "1e4", "--formats", "dot", "--repeat", "1", "--most", "0")
    assert "| 10,000 | over 0 s | - |" in done.stdout
    done = run("formats.py", "--sizes", "1e3", "--formats", "dot", "--minutes", "0")
    assert "| 1,000 | no time left | - |" in done.stdout


@pytest.mark.parametrize("contender", ["graphgame", "solve", *OTHERS])
def test_a_contender_solves_the_worked_example(contender):
    """The values of 1 to 6 are 2, 0, 1, 1, 0 and 0."""
    done = run("contenders.py", contender, ROOT / "samples" / "chips.txt")
    assert done.stdout == "win\n"
    assert done.stderr.endswith(f"checksum {1 * 2 + 3 * 1 + 4 * 1}\n")


@pytest.mark.long
def test_a_small_size(tmp_path):
    limits = ("--slow-limit", "1e3", "--repeat", 1)
    done = run("run.py", "--sizes", "1e4", "--shapes", "grid", *limits, "-o", tmp_path / "table")
    assert done.returncode == 0, done.stderr
    rows = json.loads((tmp_path / "table.json").read_text())["rows"]
    assert {(row["shape"], row["vertices"], row["edges"]) for row in rows} == {("grid", 71**2, 2 * 71 * 70)}
    runs = {row["contender"]: row["run"] for row in rows}
    assert {"graphgame solve", "grundy_values"} <= set(runs)
    assert set(runs).isdisjoint({"solve(nx.DiGraph)", *OTHERS})
    assert all(each["seconds"] > 0 and each["peak"] > 2**20 for each in runs.values())
    assert {"C++", "C++ by hand"} <= set(runs) or shutil.which("g++") is None
    assert len({each["verdict"] for each in runs.values()}) == 1
    assert len({each["checksum"] for each in runs.values() if "checksum" in each}) == 1
    assert done.stdout.strip() == (tmp_path / "table.md").read_text().strip()
    assert done.stdout.count("| grid | 5,041 | 9,940 |") == 5
    assert done.stdout.count(" | – | – | – |\n") == 5


@pytest.mark.long
@pytest.mark.usefixtures("failing_compiler")
def test_contender_that_fails_has_a_dash_and_the_reason(tmp_path):
    done = run("run.py", "--sizes", 20, "--shapes", "path", "--repeat", 1, "-o", tmp_path / "table")
    assert done.returncode == 0, done.stderr
    contenders = {row["contender"] for row in json.loads((tmp_path / "table.json").read_text())["rows"]}
    assert {"C++", "solve(nx.DiGraph)", *OTHERS} <= contenders
    assert "- C++, path, 20 edges: no memory" in done.stdout


@pytest.mark.long
@pytest.mark.skipif("rustworkx" not in OTHERS, reason="needs rustworkx: pip install rustworkx")
def test_times_of_networkx_functions(installed):
    done = run("networkx_functions.py", 20, 60, env=installed)
    assert done.returncode == 0, done.stderr
    told = [line.split(" | ")[0] for line in done.stdout.splitlines()]
    assert {"| `descendants`", "| `topological_sort`", "| `pagerank`"} <= set(told)


@pytest.mark.parametrize("other", [{"verdict": "lose"}, {"checksum": 8}])
def test_contenders_with_different_answers_are_refused(bench, other):
    ours = bench["Run"](1.0, 1.0, 1.0, "win", 0.1, 0.1, 9)
    bench["refuse_disagreement"]("path", 20, {"ours": [ours], "C++": [ours._replace(checksum=None)]})
    with pytest.raises(SystemExit, match="path, 20 edges: the answers differ: ours win 9, C\\+\\+ "):
        bench["refuse_disagreement"]("path", 20, {"ours": [ours, ours], "C++": [ours, ours._replace(**other)]})


def test_medians(bench):
    runs = [bench["Run"](seconds, 1.0, peak, "win") for seconds, peak in [(3.0, 10), (1.0, 30), (2.0, 20)]]
    assert bench["middle"](runs) == bench["Run"](2.0, 1.0, 20, "win")
    failed = bench["Run"](0.1, 0.1, 1, error="killed")
    assert bench["middle"]([*runs, failed]) == failed


@pytest.mark.parametrize(
    "wrong",
    [
        ("--sizes", "many"),
        ("--sizes", "15.5"),
        ("--sizes", "inf"),
        ("--shapes", "cube"),
        ("--repeat", "0"),
        ("--output", "no-such-folder/table"),
    ],
)
def test_wrong_options_are_named(wrong):
    done = run("run.py", *wrong)
    assert done.returncode == 2
    assert wrong[0] in done.stderr.splitlines()[-1]


@pytest.mark.parametrize(("name", "counted"), [("python", 2), ("java", 1)])
def test_memory_before_exec_belongs_to_the_parent(monkeypatch, name, counted):
    """A copy of a Python process has pages of its own; one of Java's shares all of them."""
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    family = runpy.run_path(str(ROOT / "benchmarks" / "spark.py"))["family"]
    fork = "import os, sys; child = os.fork(); child and print('ready', flush=True); sys.stdin.read()"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([name, "-c", fork], executable=sys.executable, **pipes) as process:
        process.stdout.readline()
        assert len(list(family(process.pid))) == counted
        process.stdin.close()


@pytest.mark.long
@pytest.mark.skipif("igraph" not in OTHERS or not find_spec("pygraphviz"), reason="needs igraph and pygraphviz")
def test_sizes_of_pictures():
    done = run("pictures.py", "random:80:200")
    assert done.returncode == 0, done.stderr
    row = done.stdout.splitlines()[-1]
    assert row.startswith("| random | 80 | 200 | ")
    assert (row.count(" px |"), row.count("1,280 x 720 px")) == (4, 1)


@pytest.mark.long
def test_the_second_search_agrees_with_the_first(tmp_path):
    if (compiler := shutil.which("g++")) is None:
        return
    program = tmp_path / "second_search"
    subprocess.run([compiler, "-std=c++17", "-o", program, ROOT / "benchmarks" / "second_search.cpp"], check=True)
    first = {
        ("nogo", 1, 13): lambda n: f"nogo(1x{n})",
        ("nogo-2", 1, 6): lambda n: f"nogo(2x{n})",
        ("node-kayles", 1, 13): lambda n: f"node-kayles(grid:3x{n})",
        ("petersen", 5, 17): lambda n: f"node-kayles(edges:{generalized_petersen(n)})",
    }
    for (game, start, last), board in first.items():
        done = subprocess.run([program, game, str(start), str(last)], capture_output=True, text=True, check=True)
        values = [int(line.split()[1]) for line in done.stdout.splitlines()]
        assert values == [Search(board(n)).grundy for n in range(start, last + 1)]


def generalized_petersen(n):
    return ",".join(f"o{i}-o{(i + 1) % n},o{i}-i{i},i{i}-i{(i + 2) % n}" for i in range(n))
