"""``graphgame solve`` with JSON, which the lab reads and writes."""

import json

import pytest

from tests.core.cli.test_solve import CHIPS, output, solve, write


def test_a_position_that_is_neither_text_nor_integer(tmp_path):
    graph = {"directed": True, "nodes": [{"id": [1, "x"]}, {"id": 2}], "edges": [{"source": [1, "x"], "target": 2}]}
    path = write(tmp_path / "g.json", json.dumps(graph))
    assert json.loads(output(path, "--json", "--tokens", "(1, 'x')"))["components"][0]["position"] == [1, "x"]
    assert json.loads(output(path, "--json", "--tokens", "2"))["components"][0]["position"] == 2


def test_an_empty_graph(tmp_path):
    path = write(tmp_path / "empty.json", '{"directed": true, "nodes": [], "edges": []}')
    assert output(path).splitlines()[-1] == "0 positions (0 P, 0 N), 0 moves"


@pytest.fixture
def chips(tmp_path):
    return write(tmp_path / "chips.txt", CHIPS)


def test_values(chips, tmp_path):
    out = tmp_path / "values.json"
    assert solve(chips, "--values", str(out)).stdout == output(chips)
    row = {"position": 1, "grundy": 2, "outcome": "N", "remoteness": 1}
    assert json.loads(out.read_text())["values"][0] == row


def test_a_folder_that_is_missing(chips, tmp_path):
    done = solve(chips, "--values", str(tmp_path / "missing" / "values.json"))
    assert (done.exit_code, done.stdout) == (2, "")
    assert "No such file or directory" in done.stderr
