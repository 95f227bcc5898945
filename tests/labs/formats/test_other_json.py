"""JSON as d3, vis.js, pandas and other programs write it: read, or refused with advice that works."""

import warnings

import pytest

from graphgame import read_game
from graphgame.errors import FormatError
from tests.labs.formats.test_advice import follow_advice

NO_WORD = (
    "is read as node-link: the file does not say whether edges are directed: "
    "each is read as a move from source to target"
)
AB = [("a", "b"), ("b", "c")]
START, END = '{"source": "a", "target": "b"}', '{"source": "b", "target": "c"}'
SPLIT = '{"columns": ["source", "target"], "index": [0, 1], "data": [["a", "b"], ["b", "c"]]}'
NAMES = '"nodes": [{"name": "a"}, {"name": "b"}, {"name": "c"}]'


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ('{"nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": "a", "target": "b", "value": 1}]}', AB[:1]),
        (f'{{{NAMES}, "links": [{{"source": 0, "target": 1}}, {{"source": 1, "target": 2}}]}}', AB),
        (f'{{{NAMES}, "links": [{{"source": "a", "target": "b"}}, {{"source": "b", "target": "c"}}]}}', AB),
        ('{"nodes": [{"id": 1}, {"id": 2}], "edges": [{"from": 2, "to": 1}]}', [(2, 1)]),
    ],
)
def test_read(text, edges, tmp_path):
    (tmp_path / "game.json").write_text(text)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert list(read_game(tmp_path / "game.json").edges) == edges
    assert [str(each.message) for each in told] == [f"{tmp_path / 'game.json'} {NO_WORD}"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": ["b"], "b": ["c"], "c": []}', "is a JSON file with lists of options"),
        ('[["a", "b"], ["b", "c"]]', "is a JSON file with an array"),
        ('[{"source": "a", "target": "b"}, {"source": "b", "target": "c"}]', "is a JSON file with an array"),
        ('[{"from": "a", "to": "b"}, {"from": "b", "to": "c"}]', "is a JSON file with an array"),
        ('{"source": {"0": "a", "1": "b"}, "target": {"0": "b", "1": "c"}}', "is a table of pandas"),
        (
            '{"columns": ["source", "target"], "index": [0, 1], "data": [["a", "b"], ["b", "c"]]}',
            "is a table of pandas",
        ),
        ('{"source": "a", "target": "b"}\n{"source": "b", "target": "c"}\n', "is JSON lines"),
        (
            f'{{"elements": {{"edges": [{{"data": {START}}}, {{"data": {END}}}]}}}}',
            "is a graph of Cytoscape",
        ),
        (
            f'{{"graph": {{"nodes": {{}}, "edges": [{START}, {END}]}}}}',
            "is a file in the JSON Graph Format",
        ),
    ],
)
def test_refused_with_advice_that_works(text, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.json").write_text(text)
    with pytest.raises(FormatError, match=message):
        read_game("game.json")
    assert sorted(follow_advice("game.json").edges) == AB
