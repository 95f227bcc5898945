"""The token file: N M K, edges, tokens."""

import io

import networkx as nx
import numpy as np
import pytest
from hypothesis import given

from graphgame import GameGraph, solve
from graphgame.errors import FormatError, LimitError, ParseError, UnknownPositionError
from graphgame.io import parse_game, read_game, tokenfile, write_game
from graphgame.io.files import Source
from tests.helpers import CHIPS, ENGINES
from tests.strategies import dags_with_tokens

TEXT = "6 8 4\n" + "".join(f"{x} {y}\n" for x, y in CHIPS) + "1 2 4 6\n"


@pytest.fixture(params=ENGINES, autouse=True)
def engine(request, monkeypatch):
    monkeypatch.setattr("graphgame.io.scanner.use_compiled", lambda _: request.param == "compiled")


class TestRead:
    def test_the_example(self):
        graph = parse_game(TEXT, "token")
        assert set(graph.edges) == set(CHIPS)
        assert graph.tokens == (1, 2, 4, 6)
        assert solve(graph).winner == "first"

    @pytest.mark.parametrize(
        ("text", "positions", "edges", "tokens"),
        [
            ("0 0 0", [], [], ()),
            ("3 0 0\n", [1, 2, 3], [], ()),
            ("3 1 0\n3 1", [1, 2, 3], [(3, 1)], ()),
            ("2 3 2\n1 2\n1 2\n1 2\n1 1", [1, 2], [(1, 2)], (1, 1)),
            ("3\n2\n1\n1\n2 2\n3 3", [1, 2, 3], [(1, 2), (2, 3)], (3,)),
            ("\ufeff# a game\n2 1 1 % header\r\n1 2 # move\r\n\r\n2\r\n#end", [1, 2], [(1, 2)], (2,)),
            ("2 1 1\r1 2\r1\r", [1, 2], [(1, 2)], (1,)),
            ("1 1 0\n1 1\n", [1], [(1, 1)], ()),
        ],
    )
    def test_any_white_space_and_comments(self, text, positions, edges, tokens):
        graph = parse_game(text, "token")
        assert (list(graph), sorted(graph.edges), graph.tokens) == (positions, edges, tokens)

    @pytest.mark.parametrize(
        ("text", "place", "message"),
        [
            ("", "1", "the file is empty or blank: expected the header 'N M K'"),
            (" \n\n", "1", "the file is empty or blank"),
            ("# nothing\n", "1:10", "the file ends within its header: expected the number N of vertices"),
            ("6 8", "1:4", "the file ends within its header: expected the number K of tokens"),
            (
                "6 8 4\n",
                "1:6",
                "the header promises 8 edges and 4 tokens, which are 20 numbers, but only 0 numbers follow the header",
            ),
            ("6 8 0\n1 2\n2 3\n", "3:4", "the header promises 8 edges, but the file ends after 2"),
            (
                "6 4 2\n1 2\n2 3\n1 1\n",
                "4:4",
                "promises 4 edges and 2 tokens, which are 10 numbers, but only 6 numbers follow the header",
            ),
            (
                "6 1 3\n1 2\n5\n",
                "3:2",
                "the header promises 1 edge and 3 tokens, but the file ends after 1 of the tokens",
            ),
            (
                "6 1 1\n1 2\n5\n1 2\n",
                "4:1",
                "expected the end of the file, because the header promises 1 edge and 1 token, found 1",
            ),
            (
                "6 1 1\n1 2\n5 end\n",
                "3:3",
                "expected the end of the file, because the header promises 1 edge and 1 token, found 'end'",
            ),
            ("6 1 1\n0 2\n5\n", "2:1", "vertex 0: expected a number from 1 to 6"),
            ("6 2 1\n1 2\n1 7\n5\n", "3:3", "vertex 7: expected a number from 1 to 6"),
            ("6 1 1\n1 -2\n5\n", "2:3", "vertex -2: expected a number from 1 to 6"),
            ("6 1 2\n1 2\n5 9\n", "3:3", "vertex 9: expected a number from 1 to 6"),
            ("6 1 0\n1 " + "9" * 30, "2:3", "has more than 18 digits"),
            ("6 1 0\n  1 two", "2:5", "expected a vertex from 1 to 6, found 'two'"),
            ("6 1 0\n1 2.0", "2:3", "expected a vertex from 1 to 6, found '2.0'"),
            ("6 -1 0", "1:3", "the number M of edges in the header 'N M K' is -1: expected 0 or more"),
            ("x", "1:1", "expected the number N of vertices in the header 'N M K', found 'x'"),
            ("6 1 0\n1 \0", "2:3", "NUL byte"),
            ("6 1 0\n1 二", "2:3", "expected a vertex from 1 to 6, found '二'"),
            ("6 1000000000000000000 0\n1 2\n", "1:3", "expected the number M of edges"),
            (
                "6 100000000000000000 0\n1 2\n",
                "2:4",
                "the header promises 100,000,000,000,000,000 edges, but the file ends after 1",
            ),
            (
                "6 0 100000000000000000\n1 2\n",
                "2:4",
                "100,000,000,000,000,000 tokens, but the file ends after 2 of the tokens",
            ),
        ],
    )
    def test_says_where_it_is_wrong(self, text, place, message):
        with pytest.raises(ParseError) as caught:
            parse_game(text, "token")
        shown = str(caught.value)
        assert shown.startswith(f"<text>:{place}: ")
        assert message in shown

    def test_the_caret_stands_under_the_place(self):
        with pytest.raises(ParseError) as caught:
            parse_game("6 2 0\n1 2\n1\t77\n", "token")
        assert str(caught.value).splitlines()[1:] == ["    1 77", "      ^"]

    def test_bytes_that_are_not_utf8(self):
        with pytest.raises(ParseError, match=r"<text>:2:3: the byte 0xe9 is not UTF-8 text"):
            tokenfile.read(Source(b"6 1 0\n1 \xe9\n"))

    @pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le"])
    def test_utf16(self, encoding):
        with pytest.raises(ParseError, match="UTF-16"):
            tokenfile.read(Source(TEXT.encode(encoding)))

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            (
                "2147483647 0 0",
                "<text>:1:1: the graph has 2147483647 vertices, but 32-bit vertex numbers allow at most 2147483646",
            ),
            ("1000000000 0 0", "claims 1000000000 vertices, but has only 14 bytes"),
        ],
    )
    def test_a_short_file_does_not_take_all_memory(self, text, message):
        with pytest.raises(LimitError, match=message):
            parse_game(text, "token")

    def test_errors_far_into_a_long_file_have_their_line(self):
        rows = np.arange(1, 300_000)
        text = f"300000 {len(rows)} 0\n" + "".join(f"{x} {x + 1}\n" for x in rows.tolist()) + "oops\n"
        with pytest.raises(ParseError, match=r"<text>:300001:1: expected the end of the file, .* found 'oops'"):
            parse_game(text, "token")
        with pytest.raises(
            ParseError, match=r"<text>:300000:8: there is no vertex 300000: expected a number from 1 to 299999"
        ):
            parse_game(text.replace("300000", "299999", 1), "token")


class TestWrite:
    def test_the_example(self, capsys):
        write_game(parse_game(TEXT, "token"), "-", "token")
        lines = capsys.readouterr().out.splitlines()
        assert lines[0] == "6 8 4"
        assert lines[-1] == "1 2 4 6"
        assert sorted(lines[1:-1]) == sorted(f"{x} {y}" for x, y in CHIPS)

    @given(dags_with_tokens())
    def test_what_is_written_is_read_whatever_the_order_of_the_positions(self, game):
        options, tokens = game
        graph = {v + 1: [w + 1 for w in ends] for v, ends in options.items()}
        wanted = GameGraph(graph, tokens=[v + 1 for v in tokens])
        stream = io.StringIO()
        tokenfile.write(wanted, stream)
        found = parse_game(stream.getvalue(), "token")
        assert list(found) == sorted(wanted)
        assert set(found.edges) == set(wanted.edges)
        assert found.tokens == wanted.tokens

    @pytest.mark.parametrize("positions", [["a", "b"], [0, 1], [1, 3]])
    def test_refuses_other_positions(self, positions, tmp_path):
        with pytest.raises(
            FormatError, match=r"the positions are the numbers 1\.\.2, but the graph has other positions: write an edge"
        ):
            write_game(nx.DiGraph([positions]), tmp_path / "a.txt")
        assert list(tmp_path.iterdir()) == []

    def test_numbers_the_positions_when_asked(self, capsys):
        write_game(GameGraph([("a", "b")], tokens=["b"]), "-", "token", relabel=True)
        assert capsys.readouterr().out == "2 1 1\n1 2\n2\n"

    def test_refuses_sum_vertices(self, tmp_path):
        graph = nx.DiGraph([(1, 2)])
        graph.nodes[1]["kind"] = "sum"
        with pytest.raises(FormatError, match="the token format cannot express sum vertices"):
            write_game(graph, tmp_path / "a.txt")

    def test_refuses_a_token_that_is_no_position(self, tmp_path):
        with pytest.raises(UnknownPositionError, match="position 9 is not a vertex"):
            write_game(GameGraph([(1, 2)], tokens=[9]), tmp_path / "a.txt")
        assert list(tmp_path.iterdir()) == []


def test_a_file_is_read_as_its_text(tmp_path):
    path = tmp_path / "chips.txt"
    path.write_text(TEXT)
    assert set(read_game(path).edges) == set(CHIPS)
