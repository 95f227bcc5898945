"""Values files in JSON: what is written is read back, and what is no such file is refused."""

import json

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import solve
from graphgame.errors import ParseError
from graphgame.io.values import write_values
from graphgame.labs.formats.values import read_values
from tests.core.solution.test_outputs import EDGES
from tests.labs.formats.test_values import INTEGERS, TEXTS, RoundTrip, assert_comes_back, assert_holds, put


class TestRoundTrip(RoundTrip):
    format = "json"

    @pytest.mark.parametrize("labels", [TEXTS, INTEGERS], ids=["texts", "integers"])
    @given(data=st.data())
    @settings(max_examples=60)
    def test_any_labels(self, labels, data, tmp_path_factory):
        ends = data.draw(st.lists(labels, min_size=2, max_size=2, unique=True))
        assert_comes_back(*ends, tmp_path_factory.getbasetemp() / "values.json")

    def test_labels_that_csv_cannot_hold(self, tmp_path):
        solution = solve(nx.DiGraph([(1, "1"), ("1", (2, ("\0", "\ud800")))]))
        write_values(solution, tmp_path / "values.json")
        assert_holds(read_values(tmp_path / "values.json"), solution)


def test_it_is_json(tmp_path):
    path = tmp_path / "values.json"
    write_values(solve(nx.DiGraph([("a", (1, "b"))])), path)
    assert json.loads(path.read_text()) == {
        "format": "graphgame values",
        "play": "normal",
        "values": [
            {"position": "a", "grundy": 1, "outcome": "N", "remoteness": 1},
            {"position": [1, "b"], "grundy": 0, "outcome": "P", "remoteness": 0},
        ],
    }


def test_infinite_values(tmp_path):
    write_values(
        solve(nx.parse_edgelist(EDGES.splitlines(), create_using=nx.DiGraph), loopy=True), tmp_path / "values.json"
    )
    row = json.loads((tmp_path / "values.json").read_text(encoding="utf-8"))["values"][4]
    assert row == {"position": "d", "grundy": "inf(0)", "outcome": "N", "remoteness": 1}


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ('{"values": [{"position": "1", "grundy": 1}]}', {"1": (1, None, None)}),
        ('\ufeff {"values": [{"position": [1, "a"], "grundy": 2, "x": 0}]}', {(1, "a"): (2, None, None)}),
    ],
)
def test_other_objects(text, rows, tmp_path):
    assert dict(read_values(put(tmp_path, text, "values"))) == rows


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"values": [{"position": 1, "grundy": 1, "grundy": 0}]}',
            ":1:13: the JSON cannot be read: an object has the name 'grundy' twice",
        ),
        ('{"values": [], "values": []}', ":1:16: the name 'values' occurs twice: expected each name once"),
        (
            '{"values": [{"position": 1e999, "grundy": 1}]}',
            ":1:13: the JSON cannot be read: '1e999' is outside the range of a 64-bit float",
        ),
        (f'{{"values": [{{"position": {"[" * 500}1{"]" * 500}, "grundy": 1}}]}}', "]: arrays more than 100 deep"),
        ("{}", "not a values file: expected an object with the array 'values'"),
        ('{"format": "x"}', ":1:12: format 'x': expected 'graphgame values'"),
        ('{"play": "x"}', ":1:10: play 'x': expected normal or misere"),
        ('{"values": [1]}', ":1:13: row 1: expected an object with position, grundy, outcome and remoteness"),
        ('{"values": [{"position": "a", "grundy": true}]}', "grundy True: expected an integer"),
        ('{"values": [{"position": {}, "grundy": 0}]}', "position {}: expected a string, a number or an array"),
        ('{"values": [{"position": 1, "grundy": 0, "outcome": ["P"]}]}', "outcome ['P']: expected P, N or D"),
        ('{"values": [', ":1:13: not JSON: expecting value"),
        (
            '{"values": [{"position": 1, "grundy": 0}, {"position": 1.0, "grundy": 0}]}',
            "two rows have the position 1.0: expected one row for each position",
        ),
    ],
)
def test_errors(text, message, tmp_path):
    with pytest.raises(ParseError) as error:
        read_values(put(tmp_path, text, "values"))
    assert message in str(error.value)
