"""Sprouts."""

from collections import Counter
from itertools import combinations_with_replacement, count, product
from random import Random
from string import ascii_letters

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import explore, solve
from graphgame.errors import LimitError
from graphgame.labs.bitboards import sprouts
from graphgame.labs.bitboards.sprouts import Sprouts
from graphgame.rules.notation import parse_position
from graphgame.rules.ruleset import Sum
from tests.notations import check_example, check_round_trip, fault, graph_value


def test_example():
    check_example("sprouts")


@pytest.fixture(scope="module")
def solutions():
    return {spots: solve(parse_position(f"sprouts({spots})").graph()) for spots in range(5)}


def test_values(solutions):
    assert [solutions[spots].nim_sum for spots in range(5)] == [0, 0, 0, 1, 1]


@pytest.mark.parametrize(("spots", "winner"), list(enumerate(["first", "first", "second", "second"])))
def test_misere_winners(spots, winner):
    assert solve(f"sprouts({spots})", misere=True).winner == winner


def test_a_game_takes_two_to_three_moves_a_spot(solutions):
    for spots, solution in list(solutions.items())[1:]:
        token = solution.tokens[0]
        assert solution.birthday[token] == 3 * spots - 1
        assert shortest(solution, token) == 2 * spots


def shortest(solution, token):
    """Return the length of the shortest play; that of a sum is the total of its parts."""
    lengths = {}
    graph = solution.graph
    for vertex in reversed(list(nx.topological_sort(graph))):
        after = [lengths[option] for option in (vertex if type(vertex) is Sum else graph.successors(vertex))]
        lengths[vertex] = sum(after) if type(vertex) is Sum else min((1 + length for length in after), default=0)
    return lengths[token]


def plain_options(position):
    """Yield what the curves leave by the rules as they stand: regions of boundaries of spots, and the lives of each."""
    regions, lives = position
    new = len(lives)
    for place, region in enumerate(regions):
        others = regions[:place] + regions[place + 1 :]
        for (k, one), (m, other) in combinations_with_replacement(enumerate(region), 2):
            rest = [boundary for number, boundary in enumerate(region) if number not in (k, m)]
            for i, j in product(range(len(one)), range(len(other))):
                left = [*lives, 1]
                left[one[i]] -= 1
                left[other[j]] -= 1
                if min(left) < 0:
                    continue
                if k != m:
                    joined = (*around(one, i, lives), new, *around(other, j, lives), new)
                    yield tidy([*others, [*rest, joined]], left)
                elif i <= j:
                    inner = (*one[i : j + 1], new)
                    outer = (*(around(one, i, lives) if i == j else one[j:] + one[: i + 1]), new)
                    for within in product([False, True], repeat=len(rest)):
                        parts = [
                            [each for each, side in zip(rest, within, strict=True) if side is s] for s in (True, False)
                        ]
                        yield tidy([*others, [inner, *parts[0]], [outer, *parts[1]]], left)


def around(boundary, place, lives):
    return boundary[place:] + boundary[:place] + ((boundary[place],) if lives[boundary[place]] < 3 else ())


def tidy(regions, lives):
    """Leave out spots with three curves; number the others as they come."""
    alive = [[[spot for spot in each if lives[spot]] for each in region] for region in regions]
    alive = [[each for each in region if each] for region in alive]
    names = {}
    for spot in (spot for region in alive for each in region for spot in each):
        names.setdefault(spot, len(names))
    return tuple(tuple(tuple(names[s] for s in each) for each in region) for region in alive if region), tuple(
        lives[spot] for spot in names
    )


def plain_text(position):
    regions, lives = position
    met = Counter(spot for region in regions for each in region for spot in each)
    names = [ascii_letters[spot] if met[spot] > 1 else str(3 - lives[spot]) for spot in range(len(lives))]
    return "/".join(".".join("".join(names[spot] for spot in each) for each in region) for region in regions) + "!"


@pytest.mark.parametrize("spots", [1, 2, 3])
def test_what_the_texts_leave_out_changes_nothing(spots):
    """Each position has the value and the length of its text's, and its moves lead to the options of that."""
    rules, found = Sprouts(), {}

    def look(position):
        if position not in found:
            ends = [look(option) for option in plain_options(position)]
            value = next(value for value in count() if value not in {end[0] for end in ends})
            parts = rules.parse(plain_text(position))
            parts = parts if type(parts) is Sum else (parts,)
            found[position] = value, 1 + max((end[1] for end in ends), default=-1), frozenset(Counter(parts).items())
        return found[position]

    look(tidy([[(spot,) for spot in range(spots)]], [3] * spots))
    graph = explore(rules, rules.parse(str(spots)))
    solution = solve(graph)
    kept = {part for *_, parts in found.values() for part, _ in parts}
    assert kept == {label for label in graph.labels if type(label) is not Sum}
    assert len(found) > len(kept) or spots == 1
    for position, (value, length, parts) in found.items():
        total = 0
        for part, times in parts:
            total ^= solution.grundy[part] * (times % 2)
        assert total == value, position
        assert sum(solution.birthday[part] * times for part, times in parts) == length, position


def test_compiled_and_plain_loops_write_the_same():
    plain, compiled = Sprouts(), Sprouts()
    compiled._bytes_written = 1 << 30
    for text in ["0.0.0.0!", "0.1a1b2/0.ab.0.11/2!", "abcdef/abc.2/def.0!", "!"]:
        position = plain.parse(text)
        assert list(plain.options(position)) == list(compiled.options(position))


@settings(max_examples=40, deadline=None)
@given(
    st.integers(),
    st.sampled_from(["abc/abcdef/fde!", "abc/ac/bd/def/ef!", "0.0.2ab1cd/0.ab/11.dc/222!", "0.1a1bc2/bac!"]),
)
def test_how_a_position_is_written_does_not_matter(seed, text):
    """Regions and boundaries in any order, walks from anywhere, each region reflected or not, letters of any names."""
    random = Random(seed)
    regions = [region.split(".") for region in text[:-1].split("/")]
    for region in random.sample(regions, len(regions)):
        way = random.choice([1, -1])
        for place, each in enumerate(random.sample(region, len(region))):
            start = random.randrange(len(each))
            region[place] = (each[start:] + each[:start])[::way]
    names = dict(zip("abcdef", random.sample(ascii_letters, 6), strict=True))
    written = "/".join(map(".".join, random.sample(regions, len(regions)))).translate(str.maketrans(names))
    one, other = Sprouts().parse(written + "!"), Sprouts().parse(text)
    assert one == other or (type(one) is Sum and sorted(one) == sorted(other))


def test_every_position_has_a_text(solutions):
    positions = [position for position in solutions[3].graph.labels if type(position) is not Sum]
    assert len(positions) > 100
    for position in positions:
        assert Sprouts().parse(position) == position


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("0.ab/ab!", "ba.0/ab!"),
        ("ab.0/ab!", "xy/0.xy!"),
        ("1a1a!", "z1z1!"),
        ("0.1a2b1/ab!", "ab/1b2a1.0!"),
        ("0.1a2b1/ab!", "ab/0.11b2a!"),
        ("0.1aa!", "0.21!"),
        ("2.2.2!", "222!"),
        ("0.ab/ab!", "0.ab/a.b!"),
    ],
)
def test_equal_positions_have_one_text(text, other):
    assert Sprouts().parse(text) == Sprouts().parse(other)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("!", 0),
        ("0!", 0),
        ("11!", 1),
        ("1!", 1),
        ("2.2!", 1),
        ("22!", 1),
        ("2!", 0),
        ("2/2!", 0),
        ("ab/ab!", 1),
        ("12!", 0),
    ],
)
def test_small_positions(text, value):
    assert graph_value(f"sprouts({text})") == value


def test_regions_without_a_common_spot_are_apart():
    assert str(parse_position("sprouts(11/0.0!)")) == "sprouts(11!) + sprouts(0.0!)"


def test_first_moves_of_two_spots():
    assert set(Sprouts().options("0.0!")) == {"1a1a!", "0.ab/ab!"}


def test_the_error_names_the_largest_buffer_that_was_too_small(monkeypatch):
    sizes = []
    monkeypatch.setattr(sprouts, "runner", lambda *_: lambda text, work, out, *rest: sizes.append(len(out)) or -1)
    with pytest.raises(LimitError, match="more than 67,108,864 bytes"):
        Sprouts().option_lines(b"0.0!")
    assert max(sizes) == 67_108_864


@pytest.mark.parametrize("text", ["sprouts(3)", "sprouts(0)", "sprouts(0.0.1a1a!)", "sprouts(2.2/1!)"])
def test_round_trip(text):
    check_round_trip(text)


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("sprouts()", 9, "expected an integer, the number of spots, but found ''"),
        ("sprouts(61)", 9, "the number of spots is 61: expected 0..60"),
        (
            f"sprouts({'.'.join('0' * 61)}!)",
            9,
            "the spots have 183 lives in total (3 for each 0, 2 for each 1, 1 for each "
            "2 or letter): expected at most 180",
        ),
        ("sprouts(0.0)", 9, "expected an integer, the number of spots, but found '0.0'"),
        ("sprouts(0..0!)", 11, "expected a spot: 0, 1 or 2 (its number of curves), or a letter"),
        ("sprouts( 1/3!)", 12, "unknown spot '3': expected 0, 1, 2 or a letter"),
        ("sprouts(01!)", 9, "a spot without curves is a boundary of its own"),
        ("sprouts(1.ab/a!)", 12, "expected each letter twice, found 1 of b"),
    ],
)
def test_faults(text, column, message):
    found, said = fault(text)
    assert (found, message in said) == (column, True), said
