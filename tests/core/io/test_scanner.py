"""Numbers out of text: the compiled and the plain form agree on every text."""

from itertools import chain

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from graphgame.io.files import Source
from graphgame.io.scanner import ALONE, Columns, Numbers, Scanner
from tests.helpers import ENGINES, needs

WORDS = st.sampled_from(
    [
        "0",
        "7",
        "-3",
        "007",
        "-0",
        "-",
        "+1",
        "12ab",
        "#",
        "%",
        "#5",
        "x#1",
        "999999999999999999",
        "1" + "0" * 18,
        "\0",
        "é",
    ]
)
SPACES = st.sampled_from([" ", "\n", "\n", "\t", "\r\n", "  ", "\v\f"])
TEXTS = st.lists(st.tuples(WORDS | st.integers(-99, 99).map(str), SPACES)).map(
    lambda parts: "".join(word + space for word, space in parts).encode() + b"\n"
)


@pytest.fixture(params=ENGINES)
def engine(request, monkeypatch):
    monkeypatch.setattr("graphgame.io.scanner.use_compiled", lambda _: request.param == "compiled")
    return request.param


def scan(kind, engine, text):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("graphgame.io.scanner.use_compiled", lambda _: engine == "compiled")
        values, *rest = getattr(Scanner(Source(text)), kind)(text)
    return values.tolist(), rest


@needs("numba")
class TestForms:
    @pytest.mark.parametrize("kind", ["numbers", "pairs"])
    @given(text=TEXTS)
    @example(text=b"\n")
    @example(text=b"1 2\n#c\n 3\n")
    @example(text=b"1 # 2\n")
    @example(text=b"1234567 1\n12345678 123456789\n1\t2\n1 2\r\n007 5\n1 2 3\n \n")
    @example(text=b"1 2\n5 007\n1 2\n1 2\n")
    @example(text=b"1 2\n1x 2\n1 2\n1 2\n")
    @example(text=b"1 2\n1 2/\n1 2\n1 2\n")
    @example(text=b"1 2\n1 \xff2\n1 2\n1 2\n")
    def test_agree(self, kind, text):
        assert scan(kind, "plain", text) == scan(kind, "compiled", text)


class TestNumbersOfABlock:
    @pytest.mark.parametrize(
        ("text", "values", "stop"),
        [
            (b"1 2\n3\n", [1, 2, 3], 6),
            (b"\t-5\r\n\v007\n", [-5, 7], 10),
            (b"1 # 2 3\n%4\n5\n", [1, 5], 13),
            (b"1 2x\n", [1], 2),
            (b"1 2#3\n", [1], 2),
            (b"1 +2\n", [1], 2),
            (b"999999999999999999\n", [10**18 - 1], 19),
            (b"1000000000000000000\n", [], 0),
            (b"-\n", [], 0),
        ],
    )
    def test_reads_up_to_the_first_other_word(self, engine, text, values, stop):
        found, end, newlines = Scanner(Source(text)).numbers(text)
        assert (found.tolist(), end, newlines) == (values, stop, text[:stop].count(b"\n"))


class TestPairsOfABlock:
    @pytest.mark.parametrize(
        ("text", "values", "stop"),
        [
            (b"1 2\n3 4\n", [1, 2, 3, 4], 8),
            (b"1\n\n  \n 2\t3 \r\n", [1, ALONE, 2, 3], 13),
            (b"#x\n% y\n1 2\n", [1, 2], 11),
            (b"1 2\n3 4 5\n", [1, 2], 4),
            (b"1 2\n3 # 4\n", [1, 2], 4),
            (b"1 2\n01 3\n", [1, 2], 4),
            (b"1 2\n-0 3\n", [1, 2], 4),
            (b"1 2\n #\n", [1, 2], 4),
            (b"a b\n", [], 0),
        ],
    )
    def test_reads_up_to_the_first_other_line(self, engine, text, values, stop):
        found, end = Scanner(Source(text)).pairs(text)
        assert (found.tolist(), end) == (values, stop)


class TestNumbers:
    def test_blocks_do_not_show(self, engine, monkeypatch):
        monkeypatch.setattr("graphgame.io.source.BLOCK", 7)
        wanted = list(range(95, 1005))
        source = Source("\n".join(map(str, wanted)).encode())
        monkeypatch.setattr(source, "blocks", lambda: Source.blocks(source, 7))
        numbers = Numbers(source)
        assert list(chain.from_iterable(iter(lambda: numbers.take(3).tolist(), []))) == wanted

    def test_take_gives_at_most_what_is_asked(self, engine):
        numbers = Numbers(Source(b"1 2 3\n"))
        assert [numbers.take(2).tolist(), numbers.take(2).tolist(), numbers.take(2).tolist()] == [[1, 2], [3], []]


@pytest.mark.usefixtures("engine")
class TestColumns:
    def test_fill_row_by_row_whatever_comes_at_once(self):
        columns = Columns(0)
        for part in ([1], [2, 3], [], [4, 5, 6]):
            columns.extend(np.array(part, np.int64))
        source, target = columns.finish()
        assert (source.tolist(), target.tolist(), source.dtype) == ([1, 3, 5], [2, 4, 6], np.int32)

    def test_widen_where_a_number_needs_it(self):
        columns = Columns(1)
        columns.extend(np.array([1, 2], np.int64))
        columns.extend(np.array([2**31, -(2**40)], np.int64))
        source, target = columns.finish()
        assert (source.tolist(), target.tolist()) == ([1, 2**31], [2, -(2**40)])

    @pytest.mark.parametrize("wide", range(5))
    @pytest.mark.parametrize("before", [0, 1, 2])
    def test_widen_wherever_the_number_stands(self, wide, before):
        columns = Columns(0)
        first, values = np.arange(before), np.array([2**31 if k == wide else k for k in range(5)])
        columns.extend(first)
        columns.extend(values)
        columns.extend(np.array([9]))
        entries = [*first.tolist(), *values.tolist(), 9][: (before + 6) // 2 * 2]
        source, target = columns.finish()
        assert np.stack([source, target], axis=1).ravel().tolist() == entries

    def test_an_odd_entry_is_no_row(self):
        columns = Columns(4)
        columns.extend(np.array([1, 2, 3], np.int64))
        assert [part.tolist() for part in columns.finish()] == [[1], [2]]
