"""Rows of values that repeat with their period added: published ones, brute force, and what is wrong refused."""

from __future__ import annotations

import json
from contextlib import nullcontext

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame.errors import ParameterError
from graphgame.labs.laws import laws
from graphgame.labs.laws.declared_moves import declared_values, moves_of_text
from graphgame.labs.laws.proofs import check_laws, laws_record
from graphgame.labs.laws.rows import decide_rows, periodic_rows
from graphgame.rules.declared import DeclaredMoves
from tests.fuzz import fuzz_laws

HEAPS = "a' < a and b' = b; a' = a and b' < b"
WYTHOFF = f"{HEAPS}; a' < a and a - a' = b - b'"
GAMES = {
    WYTHOFF: 8,
    f"{HEAPS}; a' = a - 1 and b' = b - 1": 8,
    f"{HEAPS}; a' < a and b' < b and abs(a - a' - b + b') < 2": 6,
    "; ".join(f"a + b > 3 and {move}" for move in WYTHOFF.split("; ")): 8,
    "a' < a and b' = b; a' = a and b' < b and b - b' <= 3; a' < a and a - a' = b - b'": 8,
}


def rows_of(text, size):
    return periodic_rows(moves_of_text(text), size)


def test_published_rows_of_wythoff():
    """Rows 1 and 2 are A004482 and A004483; the corner is that of Blass and Fraenkel (1990), the diagonal A047708."""
    found = rows_of(WYTHOFF, 30)
    for b in [*range(70), 10**9]:
        assert found.value(1, b) == 3 * (b // 3) + (b + 1) % 3
        assert found.value(2, b) == 3 * (b // 3) + (b + 2) % 3
    corner = [[found.value(a, b) for a in range(8)] for b in range(8)]
    triangle = [corner[b][a] for b in range(8) for a in range(b + 1)]
    assert triangle == [0, 1, 2, 2, 0, 1, 3, 4, 5, 6, 4, 5, 3, 2, 7, 5, 3, 4, 0, 6, 8, 6, 7, 8, 1, 9, 10, 3, 7, 8,
                        6, 9, 0, 1, 4, 5]  # fmt: skip
    diagonal = "0 2 1 6 7 8 3 5 4 16 14 15 10 9 11 20 13 21 12 25 17"
    assert [found.value(n, n) for n in range(21)] == list(map(int, diagonal.split()))
    assert [row.period for row in found.rows][:12] == [1, 3, 3, 6, 12, 24, 12, 24, 24, 24, 24, 48]


@pytest.mark.parametrize("text", GAMES, ids=range(len(GAMES)))
def test_rows_go_on_as_they_are_said_to(text):
    found = rows_of(text, GAMES[text])
    values = declared_values(moves_of_text(text), 400)[: len(found.rows)]
    assert len(found.rows) >= 3
    for row, of_row in enumerate(values.tolist()):
        assert [found.value(row, column) for column in range(400)] == of_row


def test_the_rows_of_nim_are_xor():
    found = rows_of(HEAPS, 20)
    assert [row.period for row in found.rows] == [1 << row.bit_length() for row in range(20)]
    assert found.value(13, 10**12 + 7) == 13 ^ 10**12 + 7


@pytest.mark.parametrize(
    "moves",
    [
        (f"{HEAPS}; a' < a and b' < b and a - a' != b - b'", "True"),
        (f"{HEAPS}; b % 2 = 0 and a' = a - 1 and b' = b - 1", "True"),
        (HEAPS, "b <= a"),
        ("a' < a and b' = b; a' = a and b' < b and b' % 3 = 0", "True"),
    ],
)
def test_moves_that_make_no_such_rows(moves):
    assert periodic_rows(DeclaredMoves(("a", "b"), tuple(moves[0].split("; ")), moves[1]), 20) is None


def test_rows_with_larger_values_than_columns():
    """The first columns have values up to 50, but 16 columns prove the periods."""
    moves = moves_of_text("b < 4 and a' <= a and b' <= b and a' + b' < a + b; b >= 4 and a' = a and b' = b - 4")
    found = periodic_rows(moves, 48)
    assert (len(found.rows), found.rows[47], found.value(47, 3)) == (48, (4, 8, 8, 8), 50)
    assert all(step.example is None for step in decide_rows(moves, found.record()))


@pytest.fixture(scope="module")
def record():
    found = [law for law in laws.find("wythoff(a,b)", size=20) if law.about == "rows"]
    return json.dumps(laws_record("wythoff(a,b)", found))


def fault_of(tmp_path, whole):
    path = tmp_path / "rows.json"
    path.write_text(json.dumps(whole))
    (checked,) = check_laws(path)
    return checked.fault


def test_what_was_found_passes(tmp_path, record):
    assert fault_of(tmp_path, json.loads(record)) is None


CHANGES = [
    (("rows", 3, 0), 7, "its preperiod is not 7, or its period is not "),
    (("rows", 3, 0), 9, "its preperiod is not 9, or its period is not "),
    (("rows", 3, 1), 12, "not a multiple of the periods"),
    (("rows", 3, 1), 2, "or its period is not 2"),
    (("rows", 5, 3), 36, "not a multiple of the periods"),
    (("rows", 4, 2), 18, "a row above does not repeat yet"),
    (("rows", 3, 3), 0, "missing or wrong members"),
    (("rows", 3), [8, 6, 39], "missing or wrong members"),
    (("width",), 4, "no other move goes back by more than 4 columns"),
    (("width",), True, "missing or wrong members"),
    (("whole",), False, "the text of the law should be: rows of values: g(a, b + p) = g(a, b), for"),
    (("whole",), 1, "missing or wrong members"),
]


@pytest.mark.parametrize(("where", "other", "told"), CHANGES)
def test_what_is_changed_is_refused(tmp_path, record, where, other, told):
    whole = json.loads(record)
    *path, last = ("rows", *where)
    part = whole["laws"][0]
    for key in path:
        part = part[key]
    part[last] = other
    assert told in fault_of(tmp_path, whole)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 8), st.integers(0, 3), st.integers(-3, 3).filter(bool))
def test_a_changed_number_is_refused(record, row, place, more):
    claim = json.loads(record)["laws"][0]["rows"]
    claim["rows"] = claim["rows"][:9]
    right = claim["rows"][row][place]
    claim["rows"][row][place] = max(right + more, int(place % 2))
    now = claim["rows"][row][place]
    as_true = now % right == 0 if place == 3 else now >= right if place == 2 else now == right
    with nullcontext() if as_true else pytest.raises(ParameterError):
        assert all(step.example is None for step in decide_rows(moves_of_text(WYTHOFF), claim))


def test_rows_that_are_not_known_have_no_values():
    (law,) = (law for law in laws.find("wythoff(a,b)", size=6) if law.about == "rows")
    assert law.text.startswith("rows of values: g(a, b + p) = g(a, b) + p, for a = 0 to ")
    with pytest.raises(ParameterError, match="the law is about the rows"):
        law(50, 3)


def test_random_rules():
    tried = 0
    for seed in range(24):
        text = fuzz_laws.random_rules(seed)
        if "a'" not in text:
            continue
        try:
            moves = moves_of_text(text)
        except ParameterError:
            continue
        found = periodic_rows(moves, 5)
        if found is not None:
            tried += 1
            values = declared_values(moves, 24)[: len(found.rows)].tolist()
            assert values == [[found.value(row, column) for column in range(24)] for row in range(len(found.rows))], (
                text
            )
    assert tried > 2
