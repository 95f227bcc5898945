"""Files by chance: no reader fails, and the fast ones find what the slow ones find."""

from unittest.mock import patch

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from graphgame.errors import FormatError, LimitError, ParseError
from graphgame.io import delimited, tokenfile
from graphgame.io.edge_stores import IntegerEdges
from graphgame.io.source import Source
from tests import slow_reader
from tests.fuzz.damage import READERS, check
from tests.helpers import needs
from tests.slow_reader import WrongError

BORDERS = [2**31 - 1, 2**31, 2**32, 10**18 - 1, 10**18, 2**63 - 1, 2**63, 2**64, -1, -(2**31), -(2**63)]
ODD = ["+5", "5.0", "1e3", "007", "-0", "-", "#", "#5", "%", "1#2", "a", "0x10", "1,2", "1_0", *map(str, BORDERS)]
GAPS = [" ", "\n", "\n", "\t", "\r\n", "  ", "\n\n", " \n", "\v\f", "\n# 7 8\n", "\n%x\n", " # 9\n", ""]
SPACES = st.sampled_from(GAPS)
WORDS = st.integers(0, 9).map(str) | st.sampled_from(ODD)


def spaced(words):
    """Put spaces behind words: usually such that they stay apart."""
    return st.lists(SPACES, min_size=len(words), max_size=len(words)).map(
        lambda spaces: "".join(word + (space or "\n") for word, space in zip(words, spaces, strict=True))
    )


@st.composite
def token_files(draw):
    """Draw a right token file, and sometimes spoil a word of it."""
    vertices = draw(st.integers(1, 9))
    numbers = st.integers(1, vertices)
    ends = draw(st.lists(st.tuples(numbers, numbers), max_size=6))
    tokens = draw(st.lists(numbers, max_size=3))
    words = [str(n) for n in (vertices, len(ends), len(tokens), *sum(ends, ()), *tokens)]
    if draw(st.booleans()):
        words[draw(st.integers(0, len(words) - 1))] = draw(WORDS)
    if draw(st.booleans()):
        words = words[: draw(st.integers(1, len(words)))]
    return draw(spaced(words))


SOUP = st.lists(st.tuples(WORDS, SPACES)).map(lambda parts: "".join(map("".join, parts)))
PAIRS = st.lists(st.lists(WORDS, min_size=1, max_size=3).map(" ".join)).map("\r\n".join)


class Ends(list):
    def extend(self, values):
        super().extend(values.tolist())


def answer(read):
    try:
        return read()
    except WrongError as error:
        return error.place
    except LimitError:
        return "too large"
    except ParseError as error:
        at_end = any(
            part in error.message for part in ("but the file", "the file ends", "is empty", "follow the header")
        )
        return None if at_end else (error.line, error.column)


def scanned(text, size, compiled):
    """Return a source whose blocks are this small, and the patch that chooses the form of the scanner."""
    source = Source(text.encode())
    whole = source.blocks
    source.blocks = lambda: (block[i : i + size] for block in whole() for i in range(0, len(block), size))
    return source, patch("graphgame.io.scanner.use_compiled", lambda _: compiled)


def fast_token_file(text, size, compiled):
    source, chosen = scanned(text, size, compiled)
    with chosen, patch("graphgame.io.source._FREE_VERTICES", 2**62):
        ends, vertices, tokens = tokenfile.scan(source, lambda *_: Ends())
    edges = [(x + 1, y + 1) for x, y in zip(ends[::2], ends[1::2], strict=True)]
    return vertices, edges, tokens


def fast_edge_list(text, size, compiled):
    source, chosen = scanned(text, size, compiled)
    try:
        with chosen, patch("graphgame.io.delimited.use_compiled", lambda _: compiled):
            graph = delimited.scan(source, IntegerEdges(source.size))
    finally:
        assume(not source.notes)  # the slow reader guesses nothing
    return set(graph), set(graph.edges)


LABELS = st.sampled_from(
    [
        "a",
        "bc",
        "v1",
        "1",
        "é",
        "漢字",
        "\u3000x",
        "x\u00a0",
        "\u2026",
        '"q"',
        '"two words"',
        '"a ""b"""',
        '"',
        '"a"b',
        'c"d"',
        "\x1f",
        "\0",
        '"two\nlines"',
        '"\\u0061"',
        '""',
        "",
        "#c",
        "%d",
        "{'w': 1}",
        "NA",
        '"NA"',
        "label8ch",
        "label8cx",
        "longer than eight",
        "\r",
        "\udc80",
    ]
)


TUPLES = st.sampled_from(
    [
        "(3, 2)\n",
        "(3,2),\r\n",
        " ( -3 ,007 ) , \n",
        "('a', \"it's\")\n",
        "('a,)', 2, {'w': (1, 2)})\n",
        "('', 1)\n",
        "('it\\'s', 1)\n",
        "(1, 2, 3)\n",
        "(1, 2, {}\n",
        "(1, 2) x\n",
        "(1 2)\n",
        "('é', '\u3000')\n",
        "# tokens: 1\n",
        "%\n",
        "\n",
        "3 2\n",
    ]
)
FLOATS = st.sampled_from(["7.0", "7", "-7.0", "007.0", "7.5", "1.0.0", "", "a", "10.0", ".0", "-0.0"])


def rows_of(separators):
    return st.lists(st.tuples(LABELS, st.sampled_from(separators)), max_size=12).map(
        lambda parts: "".join(map("".join, parts))
    )


def labelled(text, size, compiled, separator, columns):
    """Return what is read: labels and edges in their order, or the error."""
    source, chosen = scanned("", size, compiled)
    source._origin = text.encode(errors="surrogatepass")
    source.columns = columns
    try:
        with chosen, patch("graphgame.io.delimited.use_compiled", lambda _: compiled):
            graph = delimited.scan(source, IntegerEdges(source.size), separator)
    except (FormatError, ParseError) as error:
        return str(error)
    return list(graph), list(graph.edges), graph.tokens


@needs("numba")
class TestCompiledLabels:
    """The compiled loop and the plain rows read the same labels, in the same order, and refuse the same rows."""

    @pytest.mark.parametrize("columns", [(None, None), ("2", "1"), ("1", "3")])
    @given(text=rows_of([",", ",", "\n", "\n", " ", "\r\n", ", "]), size=st.integers(1, 40))
    def test_csv(self, columns, text, size):
        assert labelled(text, size, True, ",", columns) == labelled(text, size, False, ",", columns)

    @pytest.mark.parametrize("columns", [(None, None), ("2", "1"), ("1", "3")])
    @given(text=rows_of([" ", " ", "\n", "\n", "\t", "\r\n", "  "]), size=st.integers(1, 40))
    @example(text='a "q" {"w": 1} ', size=1)
    @example(text='"two words" {"w": 1} "a ""b""" ', size=1)
    @example(text='1 1 "q" ', size=1)
    def test_words(self, columns, text, size):
        assert labelled(text, size, True, " ", columns) == labelled(text, size, False, " ", columns)

    @given(rows=st.lists(TUPLES, max_size=8), size=st.integers(1, 40))
    def test_tuples(self, rows, size):
        text = "(1, 2)\n" + "".join(rows)
        assert labelled(text, size, True, " ", (None, None)) == labelled(text, size, False, " ", (None, None))

    @given(rows=st.lists(st.tuples(FLOATS, FLOATS), max_size=8), size=st.integers(1, 40))
    def test_whole_numbers_as_floats(self, rows, size):
        text = "3.0,2.0\n" * 1000 + "".join(f"{start},{end}\n" for start, end in rows)
        assert labelled(text, size, True, ",", (None, None)) == labelled(text, size, False, ",", (None, None))

    @pytest.mark.parametrize(
        "row", ["({0}, {1})", "('p {0}', \"q{1}\"),", "({0},'é{1}', {{'weight': 0.0{1}, 'name': 'x{0}'}})"]
    )
    def test_all_tuples_written_alike_are_compiled(self, row):
        text = "% one\n% two\n" + "".join(row.format(i + 1, i) + "\n" for i in range(50))
        slow = labelled(text, 1 << 20, False, " ", (None, None))
        with patch("graphgame.io.delimited.TUPLE") as one_by_one:
            assert labelled(text, 1 << 20, True, " ", (None, None)) == slow
        assert one_by_one.fullmatch.call_args_list == []

    def test_nearly_all_rows_are_compiled(self):
        """Rows with quotes, doubled quotes and letters of other scripts are not left to the plain rows."""
        text = '"a ""b""",c\n漢字, é \n"two\nlines",x\r\nalone,\n' * 50
        with patch("graphgame.io.delimited._read_rows") as plain:
            graph = labelled(text, 1 << 20, True, ",", (None, None))
        assert list(plain.call_args.args[2]) == []
        assert graph[0] == ['a "b"', "c", "漢字", "é", "two\nlines", "x", "alone"]
        assert graph[1] == [('a "b"', "c"), ("漢字", "é"), ("two\nlines", "x")]


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=needs("numba"))])
class TestReaders:
    @given(text=token_files() | SOUP, size=st.integers(1, 40))
    @example(text="2 1 0\n1 2", size=4)
    @example(text="2 1 0\r1 2\r", size=3)
    @example(text="1 0 0\n#2", size=1)
    @example(text="1 0 0 +5\n", size=1)
    def test_token_files(self, compiled, text, size):
        found = answer(lambda: fast_token_file(text, size, compiled))
        assert found == answer(lambda: slow_reader.token_file(text))

    @given(text=PAIRS | SOUP, size=st.integers(1, 40))
    @example(text="source target\n1 2\n", size=5)
    @example(text="1 2\n3 -9223372036854775808", size=5)
    @example(text="1 2\n3 9223372036854775808", size=5)
    @example(text="1 2\n3 4 5\n", size=3)
    @example(text="2147483647 1\r\n1 1", size=1)
    def test_edge_lists(self, compiled, text, size):
        found = answer(lambda: fast_edge_list(text, size, compiled))
        assert found == answer(lambda: slow_reader.edge_list(text))


@pytest.mark.long
@pytest.mark.parametrize("name", READERS)
def test_damaged_files_are_read_or_refused(name):
    assert 0 < sum(check(name, seed) for seed in range(200)) < 200
