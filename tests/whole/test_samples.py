"""Every sample gives the answer or the error that samples/README.md states."""

from pathlib import Path

import pytest

from graphgame import solve
from graphgame.errors import CycleError, LimitError, ParseError, UndirectedGraphError
from graphgame.io import FORMATS, read_game
from graphgame.labs.judges.judge_format import read_judge_cases

SAMPLES = Path(__file__).parents[2] / "samples"
CHIPS = (6, 8, (1, 2, 4, 6), 3, [(0, 1, 3), (0, 1, 4)])

ANSWERS = {
    **{f"chips.{suffix}": (format, *CHIPS) for suffix, format in (
        ("txt", "token"), ("txt.gz", "token"), ("edges", "edgelist"), ("edges.xz", "edgelist"), ("csv", "csv"),
        ("csv.bz2", "csv"), ("tsv", "tsv"), ("adjlist", "adjlist"), ("graphml", "graphml"), ("gexf", "gexf"),
        ("json", "node-link"), ("dot", "dot"), ("edges.zst", "edgelist"), ("parquet", "parquet"), ("arrow", "arrow"),
        ("npz", "npz"),
    )},
    "chips.judge": ("judge", 6, 8, (0, 1, 3, 5), 3, [(0, 0, 2), (0, 0, 3)]),
    "queries.judge": ("judge", 6, 8, (0, 1, 3, 5), 3, [(0, 0, 2), (0, 0, 3)]),
    "nim.edges": ("edgelist", 6, 15, (3, 4, 5), 2, [(0, 3, 1)]),
    "subtraction.adjlist": ("adjlist", 11, 27, (10,), 2, [(0, 10, 8)]),
    "steps.tsv": ("tsv", 8, 13, ("step 7", "step 6"), 1, [(0, "step 7", "step 6"), (1, "step 6", "step 4")]),
    "kayles.edges": ("edgelist", 11, 26, ("5",), 4, [(0, "5", "2+2")]),
    "queen.csv": ("csv", 64, 588, ("6, 4",), 9, [(0, "6, 4", "5, 3")]),
    "journey.edges": ("edgelist", 6, 6, ("山顶",), 1, [(0, "山顶", "茶亭")]),
}  # fmt: skip

WITHOUT_TOKENS = {"chips.npy": ("npy", 6, 8)}

VERDICTS = {
    "queries.judge": [["win", "lose", "win", "lose", "win"]],
    "cases.judge": [["win", "win"], ["win", "lose", "win"]],
}

ERRORS = {
    "cycle.edges": (CycleError, "the graph has a cycle, so play need not end: 'left' -> 'bridge' -> 'tower' -> 'left'"),
    "cases.judge": (ParseError, "the file holds several cases"),
    "broken/self-loop.edges": (CycleError, "position 'b' has a move to itself"),
    "broken/empty.txt": (ParseError, "empty.txt:1: the file is empty or blank: expected a graph"),
    "broken/header-only.txt": (ParseError, ":1:6: the header promises 8 edges and 4 tokens"),
    "broken/too-few-edges.txt": (
        ParseError,
        ":7:8: the header promises 8 edges and 4 tokens, which are 20 numbers, but only 14 numbers follow the header",
    ),
    "broken/too-many-edges.txt": (ParseError, ":10:5: expected the end of the file"),
    "broken/too-few-tokens.txt": (
        ParseError,
        ":10:4: the header promises 8 edges and 4 tokens, but the file ends after 2",
    ),
    "broken/vertex-zero.txt": (ParseError, ":3:3: there is no vertex 0: expected a number from 1 to 6"),
    "broken/vertex-too-large.txt": (ParseError, ":9:3: there is no vertex 7: expected a number from 1 to 6"),
    "broken/negative.txt": (ParseError, ":4:3: there is no vertex -4: expected a number from 1 to 6"),
    "broken/huge-number.txt": (ParseError, ":4:3: expected a vertex from 1 to 6, found the number '9999999999"),
    "broken/huge-claim.txt": (
        ParseError,
        ":1:3: expected the number M of edges in the header 'N M K', found the number '1000000",
    ),
    "broken/too-many-vertices.txt": (LimitError, "claims 1000000000 vertices, but has only 21 bytes"),
    "broken/not-a-number.txt": (ParseError, ":6:3: expected a vertex from 1 to 6, found 'five'"),
    "broken/nul-byte.txt": (ParseError, ":6:2: the file has a NUL byte"),
    "broken/latin-1.edges": (ParseError, ":1:10: the byte 0xe9 is not UTF-8 text"),
    "broken/utf-16.txt": (ParseError, ":1: the file is UTF-16 text"),
    "broken/truncated.txt.gz": (ParseError, "the gzip data is truncated"),
    "broken/not-gzip.txt.gz": (ParseError, "the gzip data is damaged: not a gzipped file"),
    "broken/three-columns.edges": (ParseError, ":2:5: expected one or two labels on a line, found 3"),
    "broken/open-quote.edges": (ParseError, ":2:3: the label '\"the' begins with a quote"),
    "broken/open-quote.csv": (ParseError, ":2:1: the row is not CSV, unexpected end of data"),
    "broken/no-source.csv": (ParseError, ":3:1: the source of this move is empty"),
    "broken/unknown-token.edges": (ParseError, ":1:13: token 'z' is not a position of the graph"),
    "broken/wrong-vertex.judge": (ParseError, ":3:3: an option of vertex 1 is 5: expected 0..2"),
    "broken/unfinished.judge": (ParseError, ":5:4: the input ends too early: expected the number of tokens of a query"),
    "broken/half.json": (ParseError, "half.json:"),
    "broken/unclosed.graphml": (ParseError, ":5:5: not XML: mismatched tag"),
    "broken/undirected.json": (UndirectedGraphError, "the graph is undirected"),
    "broken/undirected.graphml": (UndirectedGraphError, "the graph is undirected"),
    "broken/undirected.dot": (UndirectedGraphError, "the graph is undirected"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_answer(name):
    format, positions, moves, tokens, nim_sum, winning = ANSWERS[name]
    graph = read_game(SAMPLES / name)
    solution = solve(graph)
    assert graph.graph["format"] == format
    assert (len(graph), graph.number_of_edges(), graph.tokens) == (positions, moves, tokens)
    assert (solution.nim_sum, solution.winner) == (nim_sum, "first")
    assert solution.winning_moves() == winning


@pytest.mark.parametrize("name", VERDICTS)
def test_verdicts(name):
    found = [
        ["win" if solve(case.graph, tokens=query).winner == "first" else "lose" for query in case.queries]
        for case in read_judge_cases(SAMPLES / name)
    ]
    assert found == VERDICTS[name]


@pytest.mark.parametrize("name", WITHOUT_TOKENS)
def test_graph(name):
    graph = read_game(SAMPLES / name)
    assert (graph.graph["format"], len(graph), graph.number_of_edges(), graph.tokens) == (*WITHOUT_TOKENS[name], None)


@pytest.mark.parametrize("name", ERRORS)
def test_error(name):
    error, message = ERRORS[name]
    with pytest.raises(error) as caught:
        solve(read_game(SAMPLES / name))
    assert message in str(caught.value)


def test_every_format_has_a_sample():
    assert {answer[0] for answer in (ANSWERS | WITHOUT_TOKENS).values()} == set(FORMATS)


def test_the_readme_lists_every_sample_and_every_sample_is_tested():
    files = {str(path.relative_to(SAMPLES)) for path in SAMPLES.rglob("*") if path.is_file()} - {"README.md"}
    readme = (SAMPLES / "README.md").read_text()
    assert files == {*ANSWERS, *WITHOUT_TOKENS, *VERDICTS, *ERRORS}
    assert [name for name in sorted(files) if f"`{name}`" not in readme] == []
