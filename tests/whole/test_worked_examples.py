"""The worked examples of the games that the package exists for, each by theorem and on its explicit graph."""

import pytest

from graphgame import Move, explore, solve
from graphgame.games.cutting import Cutting
from graphgame.rules.nim import Nim, misere_nim_class, misere_nim_outcome, misere_nim_winning_moves
from graphgame.rules.notation import parse_position
from graphgame.rules.ruleset import Sum
from tests.notations import graph_value


class TestNim:
    @pytest.mark.parametrize(
        ("heaps", "taken", "from_heap", "moves"),
        [
            ((14, 21, 39), 12, 39, [(2, 39, 27)]),
            ((55, 81, 121), 19, 121, [(0, 55, 40), (1, 81, 78), (2, 121, 102)]),
            ((29, 45, 58), 10, 58, [(0, 29, 23), (1, 45, 39), (2, 58, 48)]),
        ],
    )
    def test_winning_moves(self, heaps, taken, from_heap, moves):
        position = parse_position(f"nim({','.join(map(str, heaps))})")
        assert [(move.component, move.start.position, move.end.position) for move in position.winning_moves()] == moves
        assert solve(position.graph()).winning_moves() == [Move(*move) for move in moves]
        assert (heaps.index(from_heap), from_heap, from_heap - taken) in moves

    @pytest.mark.parametrize("text", ["nim(0,0,0)", "nim(1,2,3)", *(f"nim(0,{n},{n})" for n in (1, 2, 7, 10**18))])
    def test_lost(self, text):
        assert parse_position(text).outcome == "P"
        assert parse_position(text).winning_moves() == []

    @pytest.mark.parametrize("text", ["nim(1,2,3)", "nim(0,9,9)", "nim(3,4,5)"])
    def test_graph_agrees(self, text):
        assert graph_value(text) == parse_position(text).grundy

    GAME = ((7, 8, 9), (1, 8, 9), (1, 8, 4), (1, 5, 4), (1, 4, 4), (0, 4, 4))
    GAME += ((0, 4, 2), (0, 2, 2), (0, 2, 1), (0, 1, 1), (0, 1, 0), (0, 0, 0))

    @pytest.mark.parametrize("turn", range(len(GAME) - 1))
    def test_the_whole_game_from_7_8_9(self, turn):
        """The first player moves at even turns, and leaves a P-position each time."""
        before, after = self.GAME[turn], self.GAME[turn + 1]
        position = parse_position(f"nim({','.join(map(str, before))})")
        solution = solve(explore(Nim(), Sum(before)))
        place = next(place for place in range(3) if before[place] != after[place])
        assert position.outcome == ("N" if turn % 2 == 0 else "P")
        assert solution.winner == ("first" if turn % 2 == 0 else "second")
        assert (Move(place, before[place], after[place]) in solution.winning_moves()) == (turn % 2 == 0)

    def test_the_first_player_wins_a_game_of_best_moves(self):
        heaps, turns = [7, 8, 9], 0
        while any(heaps):
            move = solve(explore(Nim(), Sum(heaps))).best_move()
            heaps[move.component] = move.end
            turns += 1
        assert turns % 2 == 1


class TestMisereNim:
    @pytest.mark.parametrize(
        ("sizes", "winner"),
        [([3, 5, 1], "John"), ([1], "Brother")],
    )
    def test_the_judge_cases(self, sizes, winner):
        assert ("John" if misere_nim_outcome(sizes) == "N" else "Brother") == winner
        solution = solve(explore(Nim(), Sum(sizes)), misere=True)
        assert ("John" if solution.winner == "first" else "Brother") == winner

    @pytest.mark.parametrize(
        ("sizes", "kind"),
        [([1, 1, 1], "S0"), ([1, 1, 4], "S1"), ([2, 3, 4], "S2"), ([1, 1], "T0"), ([2, 4, 6], "T2")],
    )
    def test_classes(self, sizes, kind):
        assert misere_nim_class(sizes) == kind

    def test_one_large_heap_is_won_by_an_odd_number_of_ones(self):
        for ones in range(6):
            (move,) = misere_nim_winning_moves([1] * ones + [9])
            assert (ones + move.end) % 2 == 1


class TestBash:
    @pytest.mark.parametrize("most", range(1, 8))
    def test_lost_at_multiples_of_k_and_1(self, most):
        for heap in range(40):
            position = parse_position(f"bash{{{most}}}({heap})")
            assert position.grundy == heap % (most + 1)
            assert (position.outcome == "P") == (heap % (most + 1) == 0)
        assert graph_value(f"bash{{{most}}}(39)") == 39 % (most + 1)


class TestWhiteboard:
    @pytest.mark.parametrize(("n", "k", "winner"), [(1, 1, "Jiang"), (30, 3, "Tang"), (10, 2, "Jiang")])
    def test_the_judge_cases(self, n, k, winner):
        position = parse_position(f"whiteboard{{{k}}}({n})")
        assert ("Tang" if position.outcome == "N" else "Jiang") == winner
        assert ("Tang" if graph_value(str(position)) else "Jiang") == winner


class TestTokens:
    EDGES = "6 8 4\n2 1\n2 4\n1 4\n1 5\n4 5\n1 3\n3 5\n3 6\n1 2 4 6\n"

    def test_the_token_file(self, tmp_path):
        path = tmp_path / "chips.txt"
        path.write_text(self.EDGES)
        position = parse_position(str(path))
        assert position.outcome == "N"
        assert solve(position.graph()).winner == "first"


class TestCutting:
    @pytest.mark.parametrize(
        ("text", "verdict"),
        [
            ("cutting(2x2)", "LOSE"),
            ("cutting(3x2)", "LOSE"),
            ("cutting(2x3)", "LOSE"),
            ("cutting(4x2)", "WIN"),
            ("cutting(1x1)", "LOSE"),
            ("cutting(1x2)", "WIN"),
            ("cutting(7x1)", "WIN"),
        ],
    )
    def test_verdict(self, text, verdict):
        assert ("WIN" if parse_position(text).outcome == "N" else "LOSE") == verdict

    def test_every_sheet_up_to_30_by_30(self):
        """g(W, H) = mex of g(i, H) xor g(W - i, H) and g(W, j) xor g(W, H - j), parts at least 2 wide."""
        value = {}
        for width in range(2, 31):
            for height in range(2, 31):
                across = {value[i, height] ^ value[width - i, height] for i in range(2, width - 1)}
                along = {value[width, j] ^ value[width, height - j] for j in range(2, height - 1)}
                value[width, height] = min(set(range(len(across | along) + 1)) - across - along)
        solution = solve(explore(Cutting(), (30, 30), *((w, h) for w in range(2, 31) for h in range(2, 31))))
        assert {sheet: solution.grundy[max(sheet), min(sheet)] for sheet in value} == value


class TestMixedHeaps:
    @pytest.mark.parametrize(
        ("sizes", "value"), [((10, 7, 5), 6), ((3, 1, 2), 0), ((4, 2, 8, 8), 0), ((5, 4, 1), 0), ((0, 0, 9), 9)]
    )
    def test_value(self, sizes, value):
        first, second, *others = sizes
        text = f"take{{1,2,3}}({first}) + take{{odd}}({second}) + nim({','.join(map(str, others))})"
        assert parse_position(text).grundy == value
        assert graph_value(text) == value
        assert parse_position(f"mixed({','.join(map(str, sizes))})").grundy == value
