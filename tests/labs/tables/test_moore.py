"""Moore's Nim."""

from itertools import islice, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphgame import explore, solve
from graphgame.errors import LimitError
from graphgame.labs.tables.moore import Moore, moore_outcome
from graphgame.rules.notation import parse_position
from graphgame.rules.position import Position
from tests.notations import check_example, check_outcome_form, check_round_trip, fault, graph_values


def test_example():
    check_example("moore")


@pytest.mark.parametrize("most", [1, 2, 3, 4])
def test_outcome_against_the_graph(most):
    solution = solve(explore(Moore(most), (5, 5, 5, 5)))
    assert all(moore_outcome(heaps, most) == outcome for heaps, outcome in solution.outcome.items())


@pytest.mark.parametrize("most", [1, 2, 3, 5])
def test_options_as_defined(most):
    for heaps in [(), (3,), (1, 2, 3), (2, 2, 1), (1, 1, 1, 2)]:
        smaller = product(*(range(heap + 1) for heap in heaps))
        expected = [o for o in smaller if 0 < sum(a != b for a, b in zip(o, heaps, strict=True)) <= most]
        assert sorted(Moore(most).options(heaps)) == sorted(Moore(most).canonical(option) for option in expected)


def test_one_heap_a_move_is_nim():
    assert all(
        value == heaps[0] ^ heaps[1] ^ heaps[2]
        for heaps, value in graph_values(Moore(1), (4, 5, 6)).items()
        if len(heaps) == 3
    )


@given(st.lists(st.integers(0, 10**18), max_size=5), st.integers(1, 4))
def test_every_loss_can_be_repeated(heaps, most):
    """k + 1 copies of each heap are a P-position, and changing one heap of it is not."""
    copies = heaps * (most + 1)
    assert moore_outcome(copies, most) == "P"
    if any(heaps):
        assert moore_outcome([*copies, max(heaps)], most) == "N"


@pytest.mark.parametrize(
    ("text", "shown", "outcome"),
    [
        ("moore{2}(3,4,5)", "moore{2}(3,4,5)", "N"),
        ("moore{2}(5,0,5,5)", "moore{2}(5,5,5)", "P"),
        ("moore{3}(7)", "moore{3}(7)", "N"),
        ("moore{1}(0)", "moore{1}(0)", "P"),
    ],
)
def test_text(text, shown, outcome):
    position = parse_position(text)
    assert (str(position), position.outcome) == (shown, outcome)
    check_round_trip(text)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("moore{0}(3)", 7, "the largest number of heaps in a move is 0: expected 1 or more"),
        (
            "moore(3)",
            6,
            "moore needs braces, as in moore{2}(3,4,5): "
            "expected an integer, the largest number of heaps in a move, but found ''",
        ),
        ("moore{2}(3,-4)", 12, "a heap's size is -4: expected 0 or more"),
    ],
)
def test_bad_text(text, column, message):
    assert fault(text) == (column, message)


def test_large_heaps():
    position = parse_position(f"moore{{2}}({10**18},{10**18},{10**18 - 1})")
    assert position.outcome == "N"
    with pytest.raises(LimitError, match="larger than the limit"):
        _ = Position(position.components, max_positions=1000).grundy


@pytest.mark.parametrize(("heaps", "winning"), [((10**6,) * 3, []), ((10**6, 10**6, 5), [(5, 5, 5)])])
def test_too_many_options_to_try(heaps, winning):
    options = Moore(2).winning_options(heaps)
    assert list(islice(options, len(winning))) == winning
    with pytest.raises(LimitError, match="too many options"):
        next(options)


def test_outcome_form_against_the_graph():
    for heaps, most in [((3, 4, 5), 2), ((2, 2, 2, 2), 3), ((7,), 1), ((), 2)]:
        check_outcome_form(Moore(most), heaps)
