"""Solution: what it answers, against the definition of play."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphgame import GameGraph, Move, draw, read_game, solve
from graphgame.errors import (
    CycleError,
    LimitError,
    ParameterError,
    TokenError,
    UndirectedGraphError,
    UnknownPositionError,
)
from graphgame.solution.results import ValueCount
from graphgame.solution.solve import solution_of
from graphgame.solution.sums import Product, product
from tests import brute
from tests.helpers import CHIPS, ENGINES_HERE, game
from tests.strategies import dags, dags_with_sums, dags_with_tokens, decided_dags

PLAYS = st.booleans()


@pytest.fixture
def chips():
    return solve(GameGraph(CHIPS), tokens=[1, 2, 4, 6])


def heap(n):
    return nx.DiGraph([(a, b) for a in range(n + 1) for b in range(a)])


class TestWorkedExample:
    def test_values(self, chips):
        assert dict(chips.grundy) == {1: 2, 2: 0, 3: 1, 4: 1, 5: 0, 6: 0}
        assert chips.outcome[4] == "N"
        assert (chips.nim_sum, chips.winner) == (3, "first")

    def test_moves(self, chips):
        assert chips.winning_moves() == [Move(0, 1, 4), Move(0, 1, 3)]
        assert chips.best_move() in chips.winning_moves()

    def test_counts(self, chips):
        counts = chips.counts()
        assert (counts.positions, counts.moves, counts.p_positions, counts.n_positions) == (6, 8, 3, 3)
        assert counts.histogram == {0: ValueCount(3, 2), 1: ValueCount(2, 4), 2: ValueCount(1, 1)}

    def test_options(self, chips):
        options = chips.options(1)
        assert [(o.position, o.grundy, o.outcome) for o in options] == [(4, 1, "N"), (5, 0, "P"), (3, 1, "N")]
        assert (options.kind, options.value, options.derivation) == ("position", 2, "mex{0, 1} = 2")
        assert chips.options(6).derivation == "mex{} = 0"

    def test_node_attributes(self, chips):
        graph = chips.to_networkx()
        assert type(graph) is nx.DiGraph
        assert graph.nodes[1] == {"grundy": 2, "outcome": "N", "tokens": 1}
        assert graph.nodes[5] == {"grundy": 0, "outcome": "P"}

    def test_networkx_writes_it(self, chips, tmp_path):
        nx.write_graphml(chips.to_networkx(), tmp_path / "chips.graphml")
        again = nx.read_graphml(tmp_path / "chips.graphml", node_type=int)
        assert again.nodes(data=True) == chips.to_networkx().nodes(data=True)

    def test_arrays(self, chips):
        assert chips.grundy.array.dtype == np.int32
        assert np.asarray(chips.grundy).tolist() == [0, 2, 1, 0, 1, 0]
        with pytest.raises(ValueError, match="read-only"):
            chips.grundy.array[0] = 5


@pytest.mark.parametrize(
    ("heaps", "moves"),
    [
        ((14, 21, 39), [(2, 39, 27)]),
        ((55, 81, 121), [(0, 55, 40), (1, 81, 78), (2, 121, 102)]),
        ((29, 45, 58), [(0, 29, 23), (1, 45, 39), (2, 58, 48)]),
        ((7, 8, 9), [(0, 7, 1)]),
        ((0, 5, 5), []),
        ((1, 2, 3), []),
    ],
)
def test_nim_by_bouton(heaps, moves):
    solution = solve(heap(max(heaps)), tokens=heaps)
    assert (solution.winner == "first") == bool(moves)
    assert solution.winning_moves() == [Move(*move) for move in moves]


def test_a_full_game_of_nim():
    """From (7, 8, 9) the first player wins; the listed replies are the second player's."""
    graph, heaps = GameGraph(heap(9)), [7, 8, 9]
    for reply in [(1, 8, 4), (1, 4, 4), (0, 4, 2), (0, 2, 1), (0, 1, 0)]:
        component, _, end = solve(graph, tokens=heaps).winning_moves()[0]
        heaps[component] = end
        assert solve(graph, tokens=heaps).winner == "second"
        heaps = list(reply)
    assert solve(graph, tokens=heaps).winning_moves() == [Move(1, 1, 0)]


class TestSumOfTokens:
    @given(dags_with_tokens(), PLAYS)
    def test_winner_winning_moves_and_length(self, drawn, misere):
        options, tokens = drawn
        options = {v: sorted(set(ends)) for v, ends in options.items()}
        solution = solve(game(options), tokens=tokens, misere=misere)
        result = brute.play_out(options, misere=misere)
        wins, length = result(tuple(tokens))
        assert solution.winner == ("first" if wins else "second")
        assert solution.sum_remoteness() == length
        after = {
            Move(i, v, w): result((*tokens[:i], w, *tokens[i + 1 :])) for i, v in enumerate(tokens) for w in options[v]
        }
        assert solution.winning_moves() == [move for move in after if not after[move][0]]
        best = solution.best_move()
        assert (best is None) == (not after)
        if best:
            assert after[best] == (not wins, length - 1)

    @given(dags_with_tokens())
    def test_nim_sum_agrees_with_the_product(self, drawn):
        options, tokens = drawn
        solution = solve(game(options), tokens=tokens)
        assert (solution.nim_sum != 0) == brute.play_out(options)(tuple(tokens))[0]

    @given(dags_with_sums(), PLAYS)
    def test_graphs_with_sum_vertices(self, drawn, misere):
        options, sums = drawn
        solution = solve(game(options, sums), misere=misere)
        result = brute.play_out(options, sums, misere=misere)
        for vertex in options:
            wins, length = result((vertex,))
            assert solution.outcome[vertex] == ("N" if wins else "P")
            assert solution.remoteness[vertex] == length

    @given(dags_with_sums(), PLAYS, st.data())
    def test_tokens_on_graphs_with_sum_vertices(self, drawn, misere, data):
        options, sums = drawn
        positions = sorted(set(options) - sums)
        tokens = data.draw(st.lists(st.sampled_from(positions), max_size=2)) if positions else []
        solution = solve(game(options, sums), misere=misere, tokens=tokens)
        result = brute.play_out(options, sums, misere=misere)
        wins, length = result(tuple(tokens))
        assert solution.winner == ("first" if wins else "second")
        assert solution.sum_remoteness() == length
        for i, start, end in solution.winning_moves():
            assert start == tokens[i]
            assert not result((*tokens[:i], end, *tokens[i + 1 :]))[0]

    @pytest.mark.long
    @given(decided_dags(), st.sampled_from(ENGINES_HERE))
    def test_positions_at_which_all_play_ends(self, drawn, engine):
        options, sums, decided, tokens = drawn
        graph = game(options, sums, tokens, decided)
        solution = solve(graph, engine=engine)
        result = brute.play_out(options, sums, decided=decided)
        for vertex in options:
            wins, length = result((vertex,))
            assert (solution.outcome[vertex], solution.remoteness[vertex]) == ("N" if wins else "P", length)
        assert dict(solution.birthday) == brute.longest_play(options, sums, decided)
        wins, length = result(tuple(tokens))
        assert (solution.winner, solution.sum_remoteness()) == ("first" if wins else "second", length)
        whole = product(graph)
        assert solve(whole).remoteness[whole.tokens[0]] == length
        over = any(token in decided for token in tokens)
        after = {
            Move(i, v, w): result((*tokens[:i], w, *tokens[i + 1 :]))
            for i, v in enumerate(tokens)
            for w in options[v]
            if not over
        }
        assert solution.winning_moves() == [move for move in after if not after[move][0]]
        best = solution.best_move()
        assert (best is None) == (not after)
        assert best is None or after[best] == (not wins, length - 1)

    def test_raising_moves_are_reported(self):
        """A move may raise a component's value to what wins."""
        graph = nx.DiGraph([("a", "b"), ("b", "c"), ("x", "y")])
        solution = solve(graph, tokens=["a", "x"])
        assert solution.grundy["a"] == 0
        assert solution.winning_moves() == [Move(0, "a", "b"), Move(1, "x", "y")]

    def test_a_product_reports_every_256_positions(self):
        graph, calls = GameGraph(heap(40)), []
        start = [graph.number_of(40)] * 2
        whole = Product(graph, [start], progress=lambda *call: calls.append(call)).graph
        assert len(calls) == -(-len(whole) // 256) == 4
        assert calls == sorted(calls)

    @pytest.mark.parametrize(("misere", "winner"), [(False, "second"), (True, "first")])
    def test_no_tokens_at_all_is_the_empty_sum(self, misere, winner):
        solution = solve(GameGraph(CHIPS), tokens=[], misere=misere)
        assert (solution.winner, solution.winning_moves(), solution.best_move()) == (winner, [], None)
        assert solution.sum_remoteness() == 0

    def test_tokens_on_the_same_vertex_cancel(self):
        solution = solve(GameGraph(CHIPS), tokens=[1, 1])
        assert (solution.nim_sum, solution.winner, solution.winning_moves()) == (0, "second", [])

    def test_tokens_of_the_graph(self):
        assert solve(GameGraph(CHIPS, tokens=[5])).tokens == (5,)
        assert solve(nx.DiGraph(CHIPS, tokens=[5])).tokens == (5,)
        assert solve(GameGraph(CHIPS, tokens=[5]), tokens=[1]).tokens == (1,)


class TestMisere:
    @pytest.mark.parametrize(
        ("heaps", "winner"),
        [
            ((1,), "second"),
            ((1, 1), "first"),
            ((1, 1, 1), "second"),
            ((2,), "first"),
            ((2, 2), "second"),
            ((3, 5, 1), "first"),
            ((1, 2, 3), "second"),
            ((), "first"),
        ],
    )
    def test_misere_nim(self, heaps, winner):
        assert solve(heap(5), tokens=heaps, misere=True).winner == winner

    def test_has_no_nim_sum(self):
        with pytest.raises(TokenError, match="under misère play a sum has no nim-sum"):
            _ = solve(heap(3), tokens=[1, 2], misere=True).nim_sum

    def test_derivation(self):
        solution = solve(heap(2), misere=True)
        assert [solution.options(v).derivation for v in (0, 1, 2)] == [
            "a position without options has the value 1 in misère play",
            "mex{1} = 0",
            "mex{0, 1} = 2",
        ]


class TestRefusals:
    def test_no_tokens(self):
        solution = solve(GameGraph(CHIPS))
        with pytest.raises(TokenError, match="there are no tokens to ask about"):
            _ = solution.winner
        for moves in (solution.winning_moves, solution.drawing_moves):
            with pytest.raises(TokenError):
                moves()

    def test_unknown_token(self):
        with pytest.raises(UnknownPositionError, match="position 9 has a token but is not a vertex"):
            solve(GameGraph(CHIPS), tokens=[9])

    def test_token_on_a_sum(self):
        with pytest.raises(TokenError, match="token 1 stands on a sum vertex"):
            solve(game({0: [], 1: [0]}, sums={1}), tokens=[1])

    def test_text_as_tokens(self):
        with pytest.raises(TypeError, match=r"write \['ab'\]"):
            solve(nx.DiGraph([("a", "b")]), tokens="ab")

    @pytest.mark.parametrize("name", ["misere", "loopy"])
    def test_what_is_true_or_false(self, name):
        with pytest.raises(ParameterError, match=f"invalid {name} 'normal': expected True or False"):
            solve(GameGraph(CHIPS), **{name: "normal"})

    def test_not_a_graph(self):
        with pytest.raises(TypeError, match="expected a game, got list"):
            solve([1, 2])

    def test_undirected(self):
        with pytest.raises(UndirectedGraphError):
            solve(nx.path_graph(3))

    @pytest.mark.parametrize("question", [lambda s: s.winner, lambda s: s.best_move(), lambda s: s.sum_remoteness()])
    def test_product_too_large(self, question):
        solution = solve(heap(30), tokens=[30] * 4, misere=True, product_limit=1000)
        with pytest.raises(LimitError, match="more than 1,000 positions; the limit is product_limit=1000"):
            question(solution)

    def test_components_of_a_product_count_as_its_positions_do(self):
        solution = solve(nx.DiGraph([(1, 0)]), tokens=[1] * 900, misere=True, product_limit=1000)
        with pytest.raises(LimitError, match="100,079 components in 119 positions, more than 100 times the limit; "):
            _ = solution.winner
        assert solve(nx.DiGraph([(1, 0)]), tokens=[1] * 900, misere=True).winner == "first"

    def test_a_limit_beyond_the_largest_index(self):
        assert solve(nx.DiGraph([(1, 0)]), tokens=[1, 1], misere=True, product_limit=10**30).winner == "first"

    def test_sum_of_too_many_parts(self):
        options = {0: [], 1: [0], **{n: [n - 1, n - 1] for n in range(2, 60)}}
        with pytest.raises(LimitError, match="more than 200,000 components"):
            solve(game(options, sums=set(range(2, 60))), misere=True)


@given(dags())
def test_ordinary_graphs_and_game_graphs_have_the_same_solution(options):
    ordinary = nx.DiGraph(options)
    assert dict(solve(ordinary).grundy) == dict(solve(game(options)).grundy)


def test_multigraph():
    assert solve(nx.MultiDiGraph([("a", "b"), ("a", "b"), ("b", "c")])).grundy["a"] == 0


def test_repr(chips):
    assert repr(chips) == "<Solution: 6 vertices, 8 edges, normal play, 4 tokens>"
    assert repr(chips.outcome).startswith("{2: 'P', 1: 'N'")


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (lambda: solve("nim(3)", play="misere"), r"'play': expected one of misere, .*; did you mean misere=True\?"),
        (lambda: solve("nim(3)", token=[3]), "did you mean tokens="),
        (lambda: draw("nim(3)", "a.svg", misere=True), r": use solve\(game, misere=True\)$"),
        (lambda: read_game("a.edges", misere=True), r"progress, max_bytes; solve has this parameter: .*misere=True\)$"),
        (
            lambda: draw("nim(3)", "a.svg", cycles="loopy"),
            r": use solve\(game, loopy=True\)$",
        ),
        (lambda: draw("nim(3)", "a.svg", wide=True), "expected one of reachable_from, .*force, run_rules$"),
    ],
)
def test_unknown_parameters(ask, told):
    with pytest.raises(ParameterError, match=f"unknown parameter .*{told}"):
        ask()


def test_a_file_of_nearly_this_name():
    with pytest.raises(FileNotFoundError, match=r"did you mean samples/chips\.txt or .*: 'samples/chip\.txt'"):
        solve("samples/chip.txt")


class TestWithoutTheParameterCycles:
    """Functions that take no ``cycles`` do not advise it; other advice stays."""

    def test_no_advice_that_cannot_be_followed(self):
        with pytest.raises(CycleError) as caught:
            solution_of(nx.DiGraph([("a", "b"), ("b", "a")]))
        assert (caught.value.advice, caught.value.cycle) == (None, ["a", "b"])


def test_one_component_needs_no_product():
    heap = nx.DiGraph((n, m) for n in range(6) for m in range(n))
    assert solve(heap, tokens=[5], product_limit=1).sum_remoteness() == 1
