"""The answers of ``graphgame judge``: published samples, and each problem played out by its own rules."""

from __future__ import annotations

import json
import random
from functools import cache
from itertools import combinations

import pytest

from graphgame.io.files import Source
from graphgame.labs import heaps
from graphgame.labs.judges.judging import PROBLEMS, problem
from tests import DATA
from tests.brute import grundy_values as values_of
from tests.brute import play_out

SAMPLES = json.loads(DATA.joinpath("judge.json").read_text())
FIBONACCI = [1, 2, 3, 5, 8, 13, 21, 34]


def answers(name: str, text: str) -> list[str]:
    return list(problem(name).answers(Source(text.encode())))


def wins(moves, *, stuck=False):
    """Return a function that says whether the mover wins a position; whoever has no move wins if ``stuck``."""

    @cache
    def win(position):
        options = list(moves(position))
        return any(not win(option) for option in options) if options else stuck

    return win


def in_one_heap(ends):
    """Return the moves of several heaps, each turned into the heaps of ``ends(heap)``."""

    def moves(heaps):
        for place, heap in enumerate(heaps):
            for parts in ends(heap):
                yield tuple(sorted((*heaps[:place], *heaps[place + 1 :], *(part for part in parts if part))))

    return moves


def taking(amounts):
    return in_one_heap(lambda heap: [(heap - amount,) for amount in amounts if amount <= heap])


def any_amount(heap):
    return [(end,) for end in range(heap)]


def splits(heap):
    return [(small, heap - small) for small in range(1, heap // 2 + 1)]


def unequal_splits(heap):
    return [pair for pair in splits(heap) if pair[0] < pair[1]]


def down_the_stairs(stairs):
    for stair, balls in enumerate(stairs):
        for moved in range(1, balls + 1) if stair else ():
            after = list(stairs)
            after[stair] -= moved
            after[stair - 1] += moved
            yield tuple(after)


def to_the_left(squares):
    for place, square in enumerate(squares):
        before = squares[place - 1] if place else 0
        for end in range(before + 1, square):
            yield (*squares[:place], end, *squares[place + 1 :])


def heap_cases(generator, count, most_heaps, largest, least=1):
    return [
        tuple(generator.randint(least, largest) for _ in range(generator.randint(1, most_heaps))) for _ in range(count)
    ]


def counted(cases):
    return f"{len(cases)}\n" + "".join(sized(case) for case in cases)


def sized(case):
    return f"{len(case)}\n{' '.join(map(str, case))}\n"


class TestSamples:
    @pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample["game"])
    def test_published(self, sample):
        assert answers(sample["problem"], sample["stdin"]) == sample["expected"]

    @pytest.mark.parametrize(
        ("name", "text", "expected"),
        [
            ("stairs", "3\n3\n0 2 1\n4\n1 1 1 1\n2\n5 3\n", ["first", "second", "first"]),
            ("grundy", "3\n6\n7\n8\n", ["first", "second", "first"]),
            ("fibonacci", "1 1 1\n1 4 1\n0 0 0\n", ["Fibo", "Nacci"]),
            ("cutting", "1 1\n1 2\n7 1\n2 2\n2 3\n3 2\n", ["LOSE", "WIN", "WIN", "LOSE", "LOSE", "LOSE"]),
        ],
    )
    def test_worked_by_hand(self, name, text, expected):
        assert answers(name, text) == expected

    def test_every_problem_has_a_sample(self):
        assert {sample["problem"] for sample in SAMPLES} | {"stairs", "grundy", "fibonacci"} == set(PROBLEMS)


class TestAgainstPlay:
    @pytest.mark.parametrize(
        ("name", "moves", "stuck", "least", "players"),
        [
            ("nim-1", in_one_heap(any_amount), False, 1, ("first", "second")),
            ("nim-2", taking([1, 2, 3]), False, 1, ("first", "second")),
            ("john", in_one_heap(any_amount), True, 1, ("John", "Brother")),
            ("lasker", in_one_heap(lambda heap: any_amount(heap) + splits(heap)), False, 1, ("Alice", "Bob")),
            ("stairs", down_the_stairs, False, 0, ("first", "second")),
        ],
    )
    def test_heaps(self, name, moves, stuck, least, players):
        cases = heap_cases(random.Random(name), 80, 4, 5, least)
        win = wins(moves, stuck=stuck)
        order = tuple if name == "stairs" else sorted
        expected = [players[0] if win(tuple(order(case))) else players[1] for case in cases]
        assert set(expected) == set(players)
        assert answers(name, counted(cases)) == expected

    def test_georgia(self):
        generator = random.Random(3)
        cases = [tuple(sorted(squares)) for size in range(1, 5) for squares in combinations(range(1, 8), size)]
        win = wins(to_the_left)
        shuffled = [generator.sample(case, len(case)) for case in cases]
        expected = ["Georgia will win" if win(case) else "Bob will win" for case in cases]
        assert answers("georgia", counted(shuffled)) == expected

    def test_nim_moves(self):
        cases = heap_cases(random.Random(4), 60, 4, 5, 0)
        moves = in_one_heap(any_amount)
        win = wins(moves)
        expected = [str(sum(not win(after) for after in moves(case))) for case in cases]
        assert answers("nim-moves", "".join(map(sized, cases)) + "0\n") == expected

    def test_whiteboard(self):
        pairs = [(limit, most) for limit in range(1, 25) for most in range(1, 7)]
        expected = ["Tang" if self.writes_and_wins(limit, most)(0) else "Jiang" for limit, most in pairs]
        assert answers("whiteboard", "".join(f"{n} {k}\n" for n, k in pairs) + "0 0\n") == expected

    def writes_and_wins(self, limit, most):
        @cache
        def win(last):
            return any(number < limit and not win(number) for number in range(last + 1, last + most + 1))

        return win

    def test_grundy(self):
        win = wins(in_one_heap(unequal_splits))
        expected = ["first" if win((heap,)) else "second" for heap in range(1, 21)]
        assert answers("grundy", f"20\n{' '.join(map(str, range(1, 21)))}\n") == expected

    def test_cutting(self):
        sheets = [(width, height) for width in range(1, 6) for height in range(1, 5)]
        expected = ["WIN" if self.cuts_and_wins(((width, height),)) else "LOSE" for width, height in sheets]
        assert answers("cutting", "".join(f"{width} {height}\n" for width, height in sheets)) == expected

    @staticmethod
    @cache
    def cuts_and_wins(sheets):
        for place, (width, height) in enumerate(sheets):
            rest = sheets[:place] + sheets[place + 1 :]
            cuts = [((cut, height), (width - cut, height)) for cut in range(1, width // 2 + 1)]
            cuts += [((width, cut), (width, height - cut)) for cut in range(1, height // 2 + 1)]
            for parts in cuts:
                if (1, 1) in parts or not TestAgainstPlay.cuts_and_wins(tuple(sorted(rest + parts))):
                    return True
        return False

    def test_s_nim(self):
        generator = random.Random(5)
        text, expected = "", []
        for _ in range(12):
            amounts = [generator.randint(1, 9) for _ in range(generator.randint(1, 4))]
            cases = heap_cases(generator, 10, 3, 9, 0)
            win = wins(taking(set(amounts)))
            text += sized(amounts) + counted(cases)
            expected.append("".join("W" if win(tuple(sorted(case))) else "L" for case in cases))
        assert answers("s-nim", text + "0\n") == expected

    @pytest.mark.parametrize("amounts", [[1], [2, 3], [1, 3, 4], [5, 5, 2], [40], [3, 10**17]])
    def test_sticks(self, amounts):
        win = wins(taking(set(amounts)))
        expected = "".join("W" if win((heap,)) else "L" for heap in range(1, 31))
        assert answers("sticks", f"30 {len(amounts)}\n{' '.join(map(str, amounts))}\n") == [expected]

    def test_fibonacci(self):
        cases = [(a, b, c) for a in range(8) for b in range(a, 8) for c in range(b, 8) if c]
        win = wins(taking(FIBONACCI))
        expected = ["Fibo" if win(case) else "Nacci" for case in cases]
        assert answers("fibonacci", "".join(f"{a} {b} {c}\n" for a, b, c in cases) + "0 0 0\n") == expected

    def test_tokens_and_chess(self):
        generator = random.Random(6)
        text, queried = "", []
        for _ in range(10):
            size = generator.randint(1, 7)
            options = {v: sorted(generator.sample(range(v), generator.randint(0, v))) for v in range(size)}
            result = play_out(options)
            text += f"{size}\n" + "".join(f"{len(row)} {' '.join(map(str, row))}\n" for row in options.values())
            for _ in range(5):
                tokens = tuple(generator.randrange(size) for _ in range(generator.randint(1, 3)))
                first = result(tokens)[0]
                text += f"{len(tokens)} {' '.join(map(str, tokens))}\n"
                queried.append("WIN" if first else "LOSE")
                edges = [(v + 1, w + 1) for v, row in options.items() for w in row]
                file = f"{size} {len(edges)} {len(tokens)}\n" + "".join(f"{v} {w}\n" for v, w in edges)
                file += " ".join(str(token + 1) for token in tokens)
                assert answers("tokens", file) == ["win" if first else "lose"]
            text += "0\n"
        assert answers("chess", text) == queried
        assert answers("tokens", text) == queried


class TestTables:
    @pytest.mark.parametrize("amounts", [[], [1], [2], [1, 2, 3], [1, 3, 4], [4, 10, 12], [7, 7, 100], [61]])
    def test_subtraction(self, amounts):
        options = {heap: [heap - amount for amount in amounts if amount <= heap] for heap in range(61)}
        assert heaps.subtraction(amounts).grundy_values(60).tolist() == list(values_of(options).values())

    def test_lost_heaps_of_grundys_game(self):
        values = heaps.grundy_game().grundy_values(3000)
        assert max(heap for heap, value in enumerate(values) if value == 0) == 1222

    def test_sheets(self):
        options = {}
        for width in range(2, 13):
            for height in range(2, 13):
                columns = [((i, height), (width - i, height)) for i in range(2, width - 1)]
                rows = [((width, j), (width, height - j)) for j in range(2, height - 1)]
                options[width, height] = columns + rows
                options.update({pair: list(pair) for pair in columns + rows})
        sums = {pair for pair in options if isinstance(pair[0], tuple)}
        values = values_of(options, sums)
        sheets = [sheet for sheet in options if sheet not in sums]
        expected = ["WIN" if values[sheet] else "LOSE" for sheet in sheets]
        assert answers("cutting", "".join(f"{width} {height}\n" for width, height in sheets)) == expected


class TestAtScale:
    """Inputs as large as the problems allow, whose answers are known."""

    def test_many_small_cases(self):
        assert answers("nim-1", "200000\n" + "1\n1000000000\n" * 200_000) == ["first"] * 200_000

    def test_many_heaps(self):
        heaps = " ".join(str(2**31 - 1 - place // 2) for place in range(200_000))
        assert answers("lasker", f"2\n200000\n{heaps}\n200001\n{heaps} 5") == ["Bob", "Alice"]

    def test_many_pairs(self):
        text = "".join(f"{limit} 100\n" for limit in range(10**8 - 10**5, 10**8)) + "0 0\n"
        expected = ["Jiang" if limit % 101 == 1 else "Tang" for limit in range(10**8 - 10**5, 10**8)]
        assert answers("whiteboard", text) == expected

    def test_many_lost_heaps(self):
        odd = " ".join(map(str, range(1, 200, 2)))
        assert answers("sticks", f"1000000 100\n{odd}\n") == ["WL" * 500_000]

    def test_many_subtraction_sets(self):
        odd = " ".join(map(str, range(1, 200, 2)))
        position = "100 " + " ".join(map(str, range(9_900, 10_000)))
        text = f"100 {odd}\n100\n" + f"{position} 1\n".replace("100 ", "101 ", 1) * 100
        assert answers("s-nim", text * 5 + "0\n") == ["W" * 100] * 5

    def test_many_large_heaps_of_grundys_game(self):
        assert answers("grundy", "100000\n" + "1000000\n" * 99_999 + "1222\n") == ["first"] * 99_999 + ["second"]

    def test_many_large_sheets(self):
        text = "".join(f"200 {height} {height} 200\n" for height in range(2, 201)) * 50
        found = answers("cutting", text)
        assert found[::2] == found[1::2]

    def test_a_dense_graph_with_many_queries(self):
        rows = "".join(f"{v} {' '.join(map(str, range(v)))}\n" for v in range(1000))
        assert answers("chess", f"1000\n{rows}" + "3 7 999 992\n2 500 500\n" * 5000 + "0\n") == ["LOSE", "LOSE"] * 5000
