"""Moore's Nim."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphgame import solve
from graphgame.games.moore import Moore, moore_outcome
from graphgame.notation import parse_position
from graphgame.ruleset import explore
from tests.notations import check_example, check_round_trip, fault, graph_values


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
    assert (str(position), position.outcome()) == (shown, outcome)
    check_round_trip(text)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("moore{0}(3)", 7, "the number of heaps in a move is 0: expected 1 or more"),
        ("moore(3)", 1, "expected an integer, the number of heaps in a move, but found ''"),
        ("moore{2}(3,-4)", 12, "a heap's size is -4: expected 0 or more"),
        (
            "moore{3}(60,60,60)",
            10,
            "the position has more than 10000 moves: expected smaller heaps; "
            "graphgame.games.moore.moore_outcome tells who wins with any heaps",
        ),
    ],
)
def test_bad_text(text, column, message):
    assert fault(text) == (column, message)


def test_the_number_of_moves_is_counted():
    for heaps, most in [([3, 4, 5], 2), ([2, 2, 2, 2], 3), ([7], 1), ([], 2)]:
        assert Moore(most)._count_moves(heaps) == len(list(Moore(most).options(tuple(heaps))))
    assert Moore(50)._count_moves([10**30] * 200) > 10**4
