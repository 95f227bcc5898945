"""The judge form: graphs and queries, case after case."""

import io

import networkx as nx
import pytest

from graphgame import GameGraph, solve
from graphgame.errors import FormatError, LimitError, ParseError
from graphgame.io import parse_game, write_game
from graphgame.io.files import Source
from graphgame.labs.judges import judge_format as judge
from graphgame.labs.judges.judge_format import read_judge_cases

TWO_CASES = """4
2 1 2
0
1 3
0
1 0
2 0 2
0
4
1 1
1 2
0
0
2 0 1
2 1 1
3 0 1 3
0
"""


@pytest.fixture(params=["plain", "compiled"], autouse=True)
def engine(request, monkeypatch):
    monkeypatch.setattr("graphgame.io.scanner.use_compiled", lambda _: request.param == "compiled")


def cases(text):
    return list(judge.read_cases(Source(text.encode())))


class TestReadCases:
    def test_graphs_and_queries(self):
        first, second = cases(TWO_CASES)
        assert sorted(first.graph.edges) == [(0, 1), (0, 2), (2, 3)]
        assert first.queries == [(0,), (0, 2)]
        assert sorted(second.graph.edges) == [(0, 1), (1, 2)]
        assert second.queries == [(0, 1), (1, 1), (0, 1, 3)]
        assert second.graph.tokens == (0, 1)

    def test_the_verdicts(self):
        answers = [solve(case.graph, tokens=query).winner for case in cases(TWO_CASES) for query in case.queries]
        assert answers == ["first", "first", "first", "second", "first"]

    @pytest.mark.parametrize(
        ("text", "sizes"),
        [
            ("0 0", [0]),
            ("1\n0\n0\n", [1]),
            ("2 1\n1 0 0 1 0 0", [2, 1]),
            ("# a graph\n2 % vertices\n2 1 1\n0\n0", [2]),
        ],
    )
    def test_any_white_space_and_comments(self, text, sizes):
        assert [len(case.graph) for case in cases(text)] == sizes

    def test_cases_come_one_by_one(self, tmp_path):
        path = tmp_path / "a.judge"
        path.write_text(TWO_CASES + "oops")
        found = read_judge_cases(path)
        assert [len(next(found).graph), len(next(found).graph)] == [4, 4]
        with pytest.raises(ParseError, match=r"a\.judge:18:1: expected a number of vertices, found 'oops'"):
            next(found)

    @pytest.mark.parametrize(
        ("text", "place", "message"),
        [
            ("", "1", "the file is empty or blank: expected a number of vertices"),
            ("-1", "1:1", "the number of vertices is -1: expected 0 or more"),
            ("x", "1:1", "expected a number of vertices, found 'x'"),
            ("2\n", "1:2", "the input ends too early: expected the number of options of vertex 0"),
            ("2\n1", "2:2", "the input ends too early: expected an option of vertex 0"),
            ("2\n1 2", "2:3", "an option of vertex 0 is 2: expected 0..1"),
            ("2\n1 -1", "2:3", "an option of vertex 0 is -1: expected 0..1"),
            ("2\n-1", "2:1", "the number of options of vertex 0 is -1: expected 0 or more"),
            ("2\n1 1\n0\n", "3:2", "the input ends too early: expected the number of tokens of a query"),
            ("2\n1 1\n0\n2 0\n", "4:4", "the input ends too early: expected the vertex of a token"),
            ("2\n1 1\n0\n1 5\n0\n", "4:3", "the vertex of a token is 5: expected 0..1"),
            ("2\n100000000000000000 1\n", "2:21", "the input ends too early: expected an option of vertex 0"),
        ],
    )
    def test_says_where_it_is_wrong(self, text, place, message):
        with pytest.raises(ParseError) as caught:
            cases(text)
        assert str(caught.value).startswith(f"<text>:{place}: ")
        assert message in str(caught.value)

    def test_a_claim_of_too_many_vertices(self):
        with pytest.raises(
            LimitError,
            match="<text>:1:1: the graph has 3000000000 vertices, but 32-bit vertex numbers allow at most 2147483646",
        ):
            cases("3000000000")
        with pytest.raises(ParseError, match="expected the number of options of vertex 0"):
            cases("2000000000")


class TestRead:
    def test_one_case_has_the_tokens_of_its_first_query(self):
        assert parse_game("2\n1 1\n0\n2 0 0\n1 1\n0\n", "judge").tokens == (0, 0)
        assert parse_game("2\n1 1\n0\n0\n", "judge").tokens is None

    def test_several_cases_are_refused(self):
        with pytest.raises(ParseError, match=r"the file holds several cases: .*judge chess answers all"):
            parse_game(TWO_CASES, "judge")

    def test_no_case(self):
        with pytest.raises(ParseError, match="the file holds no numbers"):
            parse_game("# nothing\n", "judge")


class TestWrite:
    @pytest.mark.parametrize("tokens", [None, [0, 2, 2]])
    def test_what_is_written_is_read(self, tokens):
        graph = GameGraph(nx.DiGraph({0: [1, 2], 1: [], 2: [1]}), tokens=tokens)
        stream = io.StringIO()
        judge.write(graph, stream)
        found = parse_game(stream.getvalue(), "judge")
        assert set(found.edges) == set(graph.edges)
        assert found.tokens == graph.tokens

    def test_refuses_other_positions(self, tmp_path):
        with pytest.raises(
            FormatError, match=r"the positions are the numbers 0\.\.1, but the graph has other positions"
        ):
            write_game(nx.DiGraph([(1, 2)]), tmp_path / "a.judge")

    def test_refuses_sum_vertices(self, tmp_path):
        graph = nx.DiGraph([(0, 1)])
        graph.nodes[0]["kind"] = "sum"
        with pytest.raises(FormatError, match="the judge format cannot express sum vertices"):
            write_game(graph, tmp_path / "a.judge")
