"""Pictures where Graphviz is missing, fails, or would take too long."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import networkx as nx
import pytest

from graphgame import solve
from graphgame.drawing import draw
from graphgame.drawing.image import LAYOUT_LIMIT, graphviz_command
from graphgame.errors import LayoutError, MissingExtraError, ParameterError
from tests.helpers import CHIPS, needs_graphviz


@pytest.fixture(scope="module")
def chips():
    return solve(nx.DiGraph(CHIPS), tokens=[1, 2, 4, 6])


@pytest.fixture
def no_graphviz(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    monkeypatch.setattr(shutil, "which", lambda program: None)


def graphviz_is(monkeypatch, tmp_path, script):
    """Put a program in the place of Graphviz."""
    program = tmp_path / "dot"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")


class TestWithoutGraphviz:
    def test_the_text_is_written_beside(self, chips, tmp_path, no_graphviz):
        with pytest.raises(MissingExtraError) as caught:
            draw(chips, tmp_path / "a.svg")
        assert "drawing a.svg" in str(caught.value)
        assert f"its text for Graphviz was written to {tmp_path / 'a.svg.dot'}" in str(caught.value)
        assert "pip install pygraphviz" in str(caught.value)
        assert [path.name for path in tmp_path.iterdir()] == ["a.svg.dot"]
        assert (tmp_path / "a.svg.dot").read_text().startswith("digraph game {")

    def test_dot_needs_none(self, chips, tmp_path, no_graphviz):
        draw(chips, tmp_path / "a.dot")

    @pytest.mark.parametrize(
        ("script", "message"),
        [
            ("cat > /dev/null; echo first >&2; echo out of memory >&2; exit 1", "'out of memory'"),
            ("exit 3", "'exit status 3'"),
            ("cat > /dev/null", "'exit status 0'"),
        ],
    )
    def test_its_failure_leaves_nothing(self, chips, tmp_path, monkeypatch, script, message):
        graphviz_is(monkeypatch, tmp_path, script)
        with pytest.raises(LayoutError, match=f"Graphviz could not make the image: {message}"):
            draw(chips, tmp_path / "a.svg")
        assert [path.name for path in tmp_path.iterdir()] == ["dot"]


class TestLargePictures:
    def test_too_many_vertices(self, tmp_path):
        with pytest.raises(LayoutError) as caught:
            draw(nx.DiGraph({n: [] for n in range(LAYOUT_LIMIT + 1)}), tmp_path / "a.svg", layout="dot")
        message = str(caught.value)
        assert message.startswith("Graphviz would take too long to lay out 8,001 vertices and 0 edges")
        for way in ("--around POSITION --steps 2", "--reachable-from", "--merge", ".html", ".dot", "--force"):
            assert way in message
        assert not list(tmp_path.iterdir())

    def test_edges_that_skip_many_ranks_count(self, tmp_path):
        heap = nx.DiGraph((n, m) for n in range(60) for m in range(n))  # 1,770 edges skip 34,220 ranks
        with pytest.raises(LayoutError, match="take too long to lay out 60 vertices and 1,770 edges"):
            draw(solve(heap), tmp_path / "a.svg", layout="dot")

    def test_force_tries_all_the_same(self, tmp_path, monkeypatch):
        graphviz_is(monkeypatch, tmp_path, "cat > $(dirname $0)/asked; exit 1")
        with pytest.raises(LayoutError, match="could not make the image"):
            draw(nx.DiGraph({n: [] for n in range(LAYOUT_LIMIT + 1)}), tmp_path / "a.svg", force=True)
        assert "n8000 [" in (tmp_path / "asked").read_text()

    @pytest.mark.parametrize("force", [False, True])
    def test_a_slow_layout_is_given_up(self, chips, tmp_path, monkeypatch, force):
        graphviz_is(monkeypatch, tmp_path, "exec sleep 20")
        with pytest.raises(
            LayoutError, match=r"has not finished the layout in 0\.2 seconds: .*draw a part with around="
        ):
            draw(chips, tmp_path / "a.svg", timeout=0.2, force=force)
        assert [path.name for path in tmp_path.iterdir()] == ["dot"]

    @pytest.mark.long
    @needs_graphviz
    def test_an_interrupt_ends_a_layout_at_once(self, tmp_path):
        program = (
            "import networkx as nx, sys; from graphgame.drawing import draw; print('go', flush=True)\n"
            "draw(nx.DiGraph((n, m) for n in range(90) for m in range(n)), sys.argv[1], force=True)"
        )
        path = tmp_path / "a.svg"
        with subprocess.Popen(
            [sys.executable, "-c", program, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as child:
            child.stdout.readline()
            time.sleep(0.7)
            child.send_signal(signal.SIGINT)
            started = time.monotonic()
            _, errors = child.communicate()
        assert b"KeyboardInterrupt" in errors
        assert time.monotonic() - started < 5
        assert not list(tmp_path.iterdir())


def test_a_wrong_option_writes_nothing(chips, tmp_path):
    with pytest.raises(ParameterError, match="unknown parameter 'color'"):
        draw(chips, tmp_path / "a.svg", color="red")
    assert not list(tmp_path.iterdir())


@needs_graphviz
@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="processes are looked into as Linux shows them")
def test_a_layout_ends_with_the_process_that_asked_for_it_even_where_that_is_killed():
    """Its input stays open here, so nothing else would end it."""
    program = "import subprocess, sys, time; print(subprocess.Popen(sys.argv[1:]).pid, flush=True); time.sleep(600)"
    read, kept_open = os.pipe()
    command = [sys.executable, "-c", program, *graphviz_command()]
    with subprocess.Popen(command, stdin=read, stdout=subprocess.PIPE, text=True) as asker:
        layout = Path("/proc", asker.stdout.readline().strip())
        assert soon(lambda: "_graphviz" in (layout / "maps").read_text())  # it is at work
        asker.kill()
    assert soon(lambda: not layout.exists() or "State:\tZ" in (layout / "status").read_text())
    os.close(read)
    os.close(kept_open)


def soon(happens):
    """Tell whether something happens within a minute."""
    end = time.monotonic() + 60
    while not (done := happens()) and time.monotonic() < end:
        time.sleep(0.05)
    return done
