"""Large games on sets of cells are explored by a compiled loop: the same graph as position by position."""

from __future__ import annotations

import pickle
import random
from collections import Counter

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from graphgame import MaskGame, MaskRuleset, Sum, explore, solve
from graphgame.errors import LimitError, ParseError, RulesetError
from graphgame.labs.bitboards.board_games import Clobber, NoGo
from graphgame.labs.bitboards.exploration import MaskExploration
from graphgame.rules.exploration import Exploration, Limits
from graphgame.rules.notation import parse_position

LIMITS = Limits(10**6, 10**7)


class Trominoes(MaskRuleset):
    game = MaskGame.placing(4, 4, ["ooo", "oo/o."])


class Hops(MaskRuleset):
    """A counter jumps over its neighbour, which is taken, to the next cell of a row, or is taken alone."""

    game = MaskGame(
        8,
        [
            *((3 << c, 3 << c, 4 << c) for c in range(6)),
            *((6 << c, 6 << c, 1 << c) for c in range(6)),
            *((1 << c, 1 << c) for c in range(8)),
        ],
        symmetries=[range(7, -1, -1)],
    )


class Blocked(MaskRuleset):
    """As NoGo in a row of five squares, where both colours of a square are near both of the next."""

    game = MaskGame(10, [(3 << 2 * s, 1 << 2 * s + k) for s in range(5) for k in (0, 1)], liberties=True,
                    near=[0b1111 << 2 * max(c // 2 - 1, 0) & 1023 for c in range(10)])  # fmt: skip


def rules_and_starts(text):
    components = parse_position(text).components
    rules = components[0].ruleset
    return rules, [rules.canonical(component.position) for component in components]


class TakeOne(MaskRuleset):
    """Any cell is taken alone, but all cells count as one component."""

    game = MaskGame(15, [(1 << c, 1 << c) for c in range(15)], near=[(1 << 15) - 1] * 15)


def test_there_may_be_more_starts_than_the_first_room():
    assert len(explore(TakeOne(), *range(1, 20_000))) == 20_000


def assert_same(rules, starts):
    compiled = MaskExploration(rules, starts, LIMITS, None)
    assert compiled.fits
    found, expected = compiled.run(), Exploration(rules, LIMITS, None).run(starts)
    assert (len(found), found.number_of_edges()) == (len(expected), expected.number_of_edges())
    known = {position for position in expected if type(position) is not Sum}
    assert {position for position in found if type(position) is not Sum} == known
    assert found.tokens == expected.tokens
    values, truth = solve(found), solve(expected)
    assert all(values.grundy[position] == truth.grundy[position] for position in known)
    assert all(as_sets(found[position]) == as_sets(expected[position]) for position in known)


def as_sets(options):
    """Options without the order of a sum, which is that of when its parts were met."""
    return {frozenset(Counter(option).items()) if type(option) is Sum else option for option in options}


@pytest.mark.parametrize(
    "text",
    [
        "cram(4x5)",
        "cram(3x4) + cram(2x3)",
        "cram(..#./..../.#..)",
        "node-kayles(grid:4x4)",
        "node-kayles(queens:5)",
        "node-kayles(cycle:11)",
        "node-kayles(edges:a-b,b-c,c-d,d-a,a-c,d-e,e-f,f-a)",
        "arc-kayles(grid:3x4)",
        "clobber(3x4)",
        "clobber(xxo.o/oxox.)",
        "nogo(2x4)",
        "nogo(1x9) + nogo(1x5)",
        "nogo(.#.../...#.)",
        "chomp(5x6)",
        "chomp(6,3,3,2)",
    ],
)
def test_the_graph_is_that_of_positions_one_by_one(text):
    assert_same(*rules_and_starts(text))


def test_a_column_is_explored_like_a_row():
    assert_same(NoGo(), [NoGo().parse("10x1")])


@pytest.mark.parametrize("rules", [Trominoes(), Hops(), Blocked()], ids=["trominoes", "hops", "blocked"])
def test_rules_of_ones_own(rules):
    assert_same(rules, [rules.canonical(rules.start)])


@pytest.mark.parametrize("game", ["clobber", "nogo", "chomp"])
@given(st.data())
@settings(max_examples=25, deadline=None)
def test_random_boards(game, data):
    if game == "chomp":
        rows = sorted(data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=5)), reverse=True)
        text = ",".join(map(str, rows))
    else:
        marks = st.sampled_from("xo." if game == "clobber" else ".....xo#")
        columns = data.draw(st.integers(1, 4))
        text = "/".join(data.draw(st.text(marks, min_size=columns, max_size=columns)) for _ in range(3))
    try:
        rules, starts = rules_and_starts(f"{game}({text})")
    except ParseError:  # a block without a liberty
        assume(False)
    compiled = MaskExploration(rules, starts[:1], LIMITS, None)
    assume(compiled.fits)
    if compiled.run() is None:
        assert (game, "#" in text) == ("nogo", True)
    else:
        assert_same(rules, starts[:1])


def test_positions_are_named_when_asked_for():
    named = []

    class Counting(Clobber):
        def canonical(self, position):
            named.append(position)
            return super().canonical(position)

    Counting.__module__ = Clobber.__module__
    rules = Counting()
    start = rules.parse("2x6")
    found = MaskExploration(rules, [rules.canonical(start)], LIMITS, None).run()
    solution = solve(found)
    assert solution.nim_sum == solution.grundy[found.tokens[0]] == 0
    assert len(named) < 9 < 1000 < len(found)
    assert pickle.loads(pickle.dumps(found)).tokens == found.tokens
    assert found.labels.index(found.labels[len(found) - 1]) == len(found) - 1 == found.labels.index(found.labels[-1])


def test_random_graphs():
    chosen = random.Random(7)
    for _ in range(20):
        pairs = [(a, b) for a in range(9) for b in range(a) if chosen.random() < 0.3]
        edges = ",".join(f"{a}-{b}" for a, b in pairs)
        assert_same(*rules_and_starts(f"node-kayles(edges:{edges})"))


@pytest.mark.parametrize("size", ["3x5", "9x9", "12x12"])
def test_what_remains_of_a_grid_is_not_moved_about(size):
    rules, (whole,) = rules_and_starts(f"node-kayles(grid:{size})")
    chosen = random.Random(3)
    mask = sum(1 << cell for cell in chosen.sample(range(15), 11)) << (0 if size == "3x5" else 40)
    assert_same(
        rules, [rules.canonical(rules.off_board(whole, part)) for part in rules.on_board(whole)[0].components(mask)]
    )


def test_wide_boards():
    board = "/".join(["#" * 10 + "." * 6 + "#" * 48] * 2)
    rules, starts = rules_and_starts(f"cram({board}) + cram(1x70)")
    assert_same(rules, starts[:1])


class Own(Trominoes):
    def canonical(self, position):
        return position


def test_what_it_does_not_take():
    rules, starts = rules_and_starts("cram(2x2) + cram(1x5)")
    assert not MaskExploration(rules, starts, LIMITS, None).fits
    own = Own()
    assert not MaskExploration(own, [own.start], LIMITS, None).fits
    assert not MaskExploration(Trominoes(), [0], LIMITS, None).fits
    assert not MaskExploration(Trominoes(), [0xF00F], LIMITS, None).fits  # two components
    assert len(explore(Trominoes(), 0)) == 1


def test_limits_and_progress():
    rules, starts = rules_and_starts("cram(5x5)")
    told = []
    graph = explore(rules, *starts, progress=lambda positions, moves: told.append((positions, moves)))
    assert told[-1][0] == len(graph) == 31_346
    assert told[-1][1] >= graph.number_of_edges() == 270_935
    with pytest.raises(LimitError, match=r"positions and .* moves found after exploring .* max_positions=20000"):
        explore(rules, *starts, max_positions=20_000)
    with pytest.raises(LimitError, match="max_moves=100000"):
        explore(rules, *starts, max_moves=100_000)


def test_small_games_are_explored_one_by_one(monkeypatch):
    monkeypatch.setattr(MaskExploration, "run", None)
    rules, starts = rules_and_starts("cram(3x4)")
    assert len(explore(rules, *starts)) == 73


def test_rules_without_a_game():
    with pytest.raises(RulesetError, match="the class MaskRuleset has no attribute game: define one"):
        MaskRuleset().parse("")
