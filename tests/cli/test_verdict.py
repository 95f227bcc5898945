"""``solve --verdict`` of a token file needs no graph, and says what the graph says."""

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphgame
from graphgame.arrays import engine
from graphgame.cli.game import Game
from graphgame.cli.verdict import verdict_of_file
from graphgame.io import parse_game


@st.composite
def token_files(draw: st.DrawFn) -> str:
    """Return a token file of a graph without cycles, its vertices numbered at random, with parallel edges."""
    vertices = draw(st.integers(1, 9))
    name = draw(st.permutations(range(1, vertices + 1)))
    pairs = draw(st.lists(st.tuples(st.integers(0, vertices - 1), st.integers(0, vertices - 1)), max_size=30))
    edges = [(name[max(pair)], name[min(pair)]) for pair in pairs if pair[0] != pair[1]]
    tokens = draw(st.lists(st.integers(1, vertices), min_size=1, max_size=4))
    lines = [(vertices, len(edges), len(tokens)), *edges, tokens]
    return "\n".join(" ".join(map(str, line)) for line in lines) + "\n"


def verdict_of(folder: Path, text: str) -> str | None:
    path = folder / "game.txt"
    path.write_text(text)
    return verdict_of_file(Game(str(path)))


@given(text=token_files())
def test_it_is_the_verdict_of_the_graph(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    folder = tmp_path_factory.mktemp("verdict")
    expected = "win" if graphgame.solve(parse_game(text, "token")).nim_sum else "lose"
    assert verdict_of(folder, text) == expected
    # A comment leads past the short way: the readers and the arrays say the same.
    assert verdict_of(folder, f"# a game\n{text}") is None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("graphgame.cli.verdict._SMALL", 0)
        assert verdict_of(folder, f"# a game\n{text}") == expected
        patch.setattr(engine, "COMPILED_FROM", 0)
        patch.setattr("graphgame.cli.verdict.COMPILED_FROM", 0)
        assert verdict_of(folder, text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2 1 1\n1 2",
        "2 1 1\n1 3\n1",
        "2 1 0\n1 2\n",
        "2 2 1\n1 2\n2 1\n1",  # a cycle
        "2 1 1\n1 2\n0\n",
        "2 1 1\n1 -2\n1\n",
        "2 1 1\n1 2\n1 1\n",
        "2\n1 1\n1 2\n1\n",  # no header in a line: another format
        f"2 1 1\n1 {'0' * 18}2\n1\n",
        "99999999999 0 1\n1\n",
    ],
)
def test_what_is_no_game_with_an_end_is_left_to_the_readers(tmp_path: Path, text: str) -> None:
    assert verdict_of(tmp_path, text) is None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("graphgame.cli.verdict._SMALL", -1)
        assert verdict_of(tmp_path, text) is None


@pytest.mark.parametrize(("least", "absent"), [(0, {"networkx", "numpy"}), (1 << 17, {"networkx"})])
def test_it_loads_no_networkx(tmp_path: Path, least: int, absent: set[str]) -> None:
    path = tmp_path / "game.txt"
    path.write_text("3 2 1\n1 2\n2 3\n1\n" + "\n" * least)
    program = (
        "import sys; from graphgame.cli import main; "
        "main(['solve', sys.argv[1], '--verdict'], standalone_mode=False); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(path)], check=True, capture_output=True, text=True)
    verdict, loaded = done.stdout.splitlines()
    assert verdict == "lose"
    assert not absent & set(loaded.split())
