"""Values of graphs with cycles: by definition, by published values, and in sums."""

import json
import random

import networkx as nx
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from graphgame import GameGraph, Loopy, Ruleset, Sum, check, explain, explore, parse_position, solve
from graphgame.errors import CycleError, LimitError, ParseError, TokenError
from graphgame.games import ruleset
from graphgame.solution.results import Move, ValueCodes, value_key
from graphgame.solution.solve import LoopySolution, Solution
from graphgame.solution.statistics import graph_statistics
from tests import DATA, brute
from tests.helpers import ENGINES, ENGINES_HERE, game, needs
from tests.strategies import digraphs, digraphs_with_sums

PUBLISHED = json.loads((DATA / "loopy.json").read_text(encoding="utf-8"))


def value(expected):
    """Return a value as the package has it: a set is that of an infinite value."""
    return Loopy(expected) if isinstance(expected, frozenset) else expected


def random_digraph(rng):
    """Return {vertex: [options]}: sparse, dense or nearly acyclic, so that values up to 5 come up."""
    n, density, back = rng.randint(1, 6), rng.random(), rng.random() ** 2
    return {v: [w for w in range(n) if rng.random() < density * (1 if w < v else back)] for v in range(n)}


class TestLoopy:
    def test_text(self):
        assert (str(Loopy([2, 0, 2])), repr(Loopy()), f"{Loopy({10, 9})}") == ("inf(0,2)", "inf()", "inf(9,10)")

    @pytest.mark.parametrize(
        ("one", "other", "total"),
        [
            (Loopy({0, 2}), 3, Loopy({3, 1})),
            (3, Loopy({0, 2}), Loopy({3, 1})),
            (Loopy(), 5, Loopy()),
            (Loopy({1}), Loopy({1}), Loopy()),
        ],
    )
    def test_sums(self, one, other, total):
        assert one ^ other == total

    def test_values_are_hashable_and_differ_from_integers(self):
        assert len({Loopy({0}), Loopy([0, 0]), Loopy(), 0}) == 3

    def test_order(self):
        values = [Loopy({1}), 3, Loopy(), Loopy({0, 5}), 0]
        assert sorted(values, key=value_key) == [0, 3, Loopy(), Loopy({0, 5}), Loopy({1})]

    def test_codes(self):
        codes = ValueCodes()
        values = [Loopy({0}), 4, Loopy(), Loopy({0})]
        numbers = [codes.encode(one) for one in values]
        assert (numbers, codes.decode(numbers), list(codes)) == ([-2, 4, -3, -2], values, [Loopy({0}), Loopy()])


class TestValues:
    @pytest.mark.long
    def test_ten_thousand_random_digraphs(self):
        """They stand side by side in one graph, in a shuffled order."""
        rng = random.Random(7)
        everything, expected, outcomes = {}, {}, {}
        for _ in range(10_000):
            options, base = random_digraph(rng), len(everything)
            everything |= {base + v: [base + w for w in ends] for v, ends in options.items()}
            expected |= {base + v: value(found) for v, found in brute.loopy_values(options).items()}
            outcomes |= {base + v: found for v, found in brute.loopy_outcomes(options).items()}
        name = list(range(len(everything)))
        rng.shuffle(name)
        graph = game({name[v]: [name[w] for w in ends] for v, ends in everything.items()})
        for engine in ENGINES_HERE:
            solution = solve(graph, loopy=True, engine=engine)
            assert {v: solution.grundy[name[v]] for v in expected} == expected
            assert {v: (solution.outcome[name[v]], solution.remoteness[name[v]]) for v in outcomes} == outcomes
        assert max(value_key(found)[1][0] for found in expected.values() if isinstance(found, int)) >= 4
        assert len({found for found in expected.values() if isinstance(found, Loopy)}) >= 8

    @given(digraphs(), st.sampled_from(ENGINES_HERE))
    def test_misere_play(self, options, engine):
        solution = solve(game(options), misere=True, loopy=True, engine=engine)
        assert dict(solution.grundy) == {v: value(m) for v, m in brute.loopy_values(options, misere=True).items()}
        found = {v: (solution.outcome[v], solution.remoteness[v]) for v in options}
        assert found == brute.loopy_outcomes(options, misere=True)

    @pytest.mark.parametrize("row", PUBLISHED, ids=lambda row: row["game"])
    def test_published(self, row):
        options = dict(enumerate(row["input"]["succ"]))
        solution = solve(game(options), loopy=True)
        assert [str(found) for found in solution.grundy.values()] == list(map(str, row["expected"]))

    @pytest.mark.parametrize("engine", ENGINES)
    def test_values_beyond_a_word(self, engine):
        """From the heap of 100 on, a move round a circle cannot be undone."""
        options = {n: list(range(n)) for n in range(201)} | {201: [201]}
        options[100] = [*options[100], 201]
        solution = solve(game(options), loopy=True, engine=engine)
        assert [solution.grundy[n] for n in range(100)] == list(range(100))
        assert {solution.grundy[n] for n in range(100, 201)} == {Loopy(range(100))}

    @pytest.mark.parametrize("engine", ENGINES)
    def test_large_values_whose_moves_are_undone(self, engine):
        options = {n: list(range(n)) for n in range(201)} | {201: [0, 200, 202], 202: [201]}
        options[100] = [*options[100], 201]
        solution = solve(game(options), loopy=True, engine=engine)
        assert list(solution.grundy.values()) == [*range(201), 1, 0]

    @needs("numba")
    @given(digraphs(8))
    def test_engines_agree(self, options):
        plain, compiled = (solve(game(options), loopy=True, engine=engine) for engine in ("plain", "compiled"))
        assert dict(plain.grundy) == dict(compiled.grundy)
        assert dict(plain.remoteness) == dict(compiled.remoteness)
        assert dict(plain.birthday) == dict(compiled.birthday)

    @given(digraphs(8))
    def test_the_counter_undoes_moves_to_larger_values(self, options):
        solution = solve(game(options), loopy=True)
        if not isinstance(solution, LoopySolution):
            return
        for u, m in solution.grundy.items():
            for v in options[u] if isinstance(m, int) else ():
                if isinstance(solution.grundy[v], Loopy) or solution.grundy[v] > m:
                    replies = [solution.counter[w] for w in options[v] if solution.grundy[w] == m]
                    assert min(replies) < solution.counter[u]

    def test_without_a_cycle_it_is_an_ordinary_solution(self):
        solution = solve(nx.DiGraph([(1, 2)]), tokens=[1], loopy=True)
        assert type(solution) is Solution
        assert solution.drawing_moves() == []

    @pytest.mark.parametrize("graph", [nx.DiGraph(), nx.DiGraph([(1, 1)])])
    def test_small_graphs(self, graph):
        assert dict(solve(graph, loopy=True).grundy) == dict.fromkeys(graph, Loopy())


class TestSolution:
    graph = GameGraph([("a", "b"), ("b", "a"), ("b", "end"), ("c", "c"), ("d", "c"), ("d", "end"), ("e", "a")])

    def test_views(self):
        solution = solve(self.graph, loopy=True)
        assert repr(solution.grundy) == "{'a': 0, 'b': 1, 'end': 0, 'c': inf(), 'd': inf(0), 'e': 1}"
        assert dict(solution.outcome) == {"a": "P", "b": "N", "end": "P", "c": "D", "d": "N", "e": "N"}
        assert dict(solution.remoteness) == {"a": 2, "b": 1, "end": 0, "c": None, "d": 1, "e": 3}
        assert dict(solution.birthday) == {"a": None, "b": None, "end": 0, "c": None, "d": None, "e": None}
        assert solution.grundy.array.dtype == np.int32
        assert solution.to_networkx().nodes["d"] == {"grundy": Loopy({0}), "outcome": "N"}

    def test_counts(self):
        counts = solve(self.graph, loopy=True).counts()
        assert (counts.positions, counts.p_positions, counts.n_positions, counts.d_positions) == (6, 2, 3, 1)
        assert {str(found): entry.count for found, entry in counts.histogram.items()} == {
            "0": 2,
            "1": 2,
            "inf()": 1,
            "inf(0)": 1,
        }

    @pytest.mark.parametrize(
        ("position", "derivation"),
        [
            ("b", "mex{0} = 1"),
            (
                "d",
                ("the position has no finite value; the finite values of its options are {0}, so its value is inf(0)"),
            ),
        ],
    )
    def test_derivation(self, position, derivation):
        assert solve(self.graph, loopy=True).options(position).derivation == derivation

    @pytest.mark.parametrize(
        ("tokens", "total", "winner", "winning", "drawing"),
        [
            (["a", "end"], "0", "second", [], []),
            (["d"], "inf(0)", "first", [Move(0, "d", "end")], [Move(0, "d", "c")]),
            (["d", "b"], "inf(1)", "draw", [], [Move(0, "d", "c")]),
            (["c", "b"], "inf()", "draw", [], [Move(0, "c", "c"), Move(1, "b", "a"), Move(1, "b", "end")]),
            (["c", "d"], "inf()", "draw", [], [Move(0, "c", "c"), Move(1, "d", "end"), Move(1, "d", "c")]),
            ([], "0", "second", [], []),
        ],
    )
    def test_tokens(self, tokens, total, winner, winning, drawing):
        solution = solve(self.graph, loopy=True, tokens=tokens)
        assert (str(solution.nim_sum), solution.winner) == (total, winner)
        assert (solution.winning_moves(), solution.drawing_moves()) == (winning, drawing)

    @pytest.mark.parametrize(
        ("tokens", "best", "length"),
        [
            (["d"], Move(0, "d", "end"), 1),
            (["d", "b"], Move(0, "d", "c"), None),
            (["a"], Move(0, "a", "b"), 2),
            (["end"], None, 0),
        ],
    )
    def test_the_course_of_play(self, tokens, best, length):
        solution = solve(self.graph, loopy=True, tokens=tokens)
        assert (solution.best_move(), solution.sum_remoteness()) == (best, length)

    @given(digraphs(4), st.data(), st.booleans())
    def test_sums_are_those_of_the_product(self, options, data, misere):
        graph = game(options | {len(options): [len(options)]})
        tokens = data.draw(st.lists(st.integers(0, len(options)), min_size=1, max_size=3))
        solution = solve(graph, tokens=tokens, loopy=True, misere=misere)
        product = nx.DiGraph()
        stack = [tuple(tokens)]
        while stack:
            here = stack.pop()
            if here in product and product.nodes[here]:
                continue
            product.add_node(here, seen=True)
            for place, vertex in enumerate(here):
                for end in graph.successors(vertex):
                    after = (*here[:place], end, *here[place + 1 :])
                    product.add_edge(here, after)
                    stack.append(after)
        ends = {here: list(product.successors(here)) for here in product}
        outcomes = brute.loopy_outcomes(ends, misere=misere)
        outcome, length = outcomes[tuple(tokens)]
        assert solution.winner == {"P": "second", "N": "first", "D": "draw"}[outcome]
        assert solution.sum_remoteness() == length
        for wanted, moves in (("P", solution.winning_moves()), ("D", solution.drawing_moves())):
            after = {(*tokens[: m.component], m.end, *tokens[m.component + 1 :]) for m in moves}
            assert after == {end for end in ends[tuple(tokens)] if outcomes[end][0] == wanted}
        best = solution.best_move()
        if best is None:
            assert not ends[tuple(tokens)]
            return
        end = (*tokens[: best.component], best.end, *tokens[best.component + 1 :])
        assert outcomes[end][0] == {"N": "P", "D": "D", "P": "N"}[outcome]
        assert outcome == "D" or outcomes[end][1] == length - 1

    def test_misere_play_has_no_nim_sum(self):
        with pytest.raises(TokenError, match="under misère play a sum has no nim-sum"):
            _ = solve(self.graph, loopy=True, misere=True, tokens=["a"]).nim_sum


class TestSums:
    """Sum vertices."""

    def test_a_sum_beside_the_cycle(self):
        options = {0: [], 1: [0], 2: [1, 1], 3: [2, 4], 4: [3], 5: [1, 0]}
        solution = solve(game(options, sums={2, 5}), loopy=True)
        assert [str(found) for found in solution.grundy.values()] == ["0", "1", "0", "1", "0", "1"]

    def test_a_sum_with_a_part_on_the_cycle(self):
        """Vertex 4 is the sum of the draw 2 and the heap 1; 5 is that of two draws."""
        options = {0: [], 1: [0], 2: [3, 0], 3: [3], 4: [2, 1], 5: [2, 3], 6: [4], 7: [5]}
        solution = solve(game(options, sums={4, 5}), loopy=True)
        assert [str(solution.grundy[v]) for v in range(2, 8)] == [
            "inf(0)",
            "inf()",
            "inf(1)",
            "inf()",
            "inf()",
            "inf()",
        ]
        assert [solution.remoteness[v] for v in range(4)] == [0, 1, 1, None]

    @given(digraphs_with_sums(), st.sampled_from(ENGINES_HERE))
    def test_sums_that_lead_into_cycles(self, drawn, engine):
        options, sums = drawn
        product, starts = brute.played_out(options, sums)
        assume(len(product) < 40)
        expected = brute.loopy_values(product)
        solution = solve(game(options, sums), loopy=True, engine=engine, product_limit=200)
        assert dict(solution.grundy) == {v: value(expected[start]) for v, start in starts.items()}

    def test_many_sums_one_above_the_other(self):
        """Each ring of three moves to the sum of the ring below and a heap; the product is far too large."""
        options, sums = {0: [], 1: [0], 2: [1, 0], 3: [3, 0]}, set()
        for ring in range(4, 4000, 4):
            sums.add(ring)
            options |= {
                ring: [ring - 1, 2],
                ring + 1: [ring + 2, ring],
                ring + 2: [ring + 3],
                ring + 3: [ring + 1, ring],
            }
        solution = solve(game(options, sums), loopy=True)
        assert {str(solution.grundy[v]) for v in range(4, 4000)} == {"inf()", "inf(2)"}

    @pytest.mark.parametrize(
        ("options", "sums", "message"),
        [
            ({0: [1, 3], 1: [0, 2], 2: [3], 3: []}, {1}, "sum 1 lead back to it with an additional component"),
            ({0: [1], 1: [0, 0]}, {1}, "sum 1 lead back to it with an additional component"),
            ({0: [1], 1: [2, 3], 2: [0], 3: [4], 4: []}, {1, 2}, "sum 1 lead back to it with an additional component"),
            ({0: [1], 1: [1]}, {1}, "the sum 1 is a part of itself"),
            ({0: [1], 1: [2], 2: [1, 3], 3: []}, {1, 2}, "the sum 1 is a part of itself"),
        ],
    )
    @pytest.mark.parametrize("misere", [False, True])
    def test_a_sum_without_an_end_is_refused_at_once(self, options, sums, message, misere):
        with pytest.raises(LimitError, match=message):
            solve(game(options, sums), misere=misere, loopy=True)

    @pytest.mark.parametrize("misere", [False, True])
    def test_a_sum_on_a_cycle_of_which_one_part_moves(self, misere):
        options = {0: [1, 3], 1: [2, 4], 2: [0], 3: [], 4: [3, 3]}
        solution = solve(game(options, {1, 4}), misere=misere, loopy=True)
        plain = brute.loopy_values({0: [2, 3], 2: [0], 3: []}, misere=misere)
        assert [solution.grundy[v] for v in (0, 1, 2)] == [value(plain[v]) for v in (0, 2, 2)]


class TestRules:
    class Counter(Ruleset):
        """Add 1 or take 1 or 2: repetition is allowed, and 0 ends the play."""

        loopy = True

        def options(self, position):
            return [n for n in (position + 1, position - 1, position - 2) if 0 <= n < 6] if position else []

    def test_a_ruleset_with_repetition(self):
        graph = explore(self.Counter(), 3)
        solution = solve(graph, loopy=True)
        options = {v: list(graph.successors(v)) for v in graph}
        assert dict(solution.grundy) == {v: value(m) for v, m in brute.loopy_values(options).items()}

    def test_the_self_check_asks_for_no_end(self):
        assert check(self.Counter(), 3).passed
        assert not check(type("Rules", (self.Counter,), {"loopy": False})(), 3).passed

    def test_wind_up(self):
        position = parse_position("wind-up{5:1,3}(4,1) + nim(3)")
        assert str(solve(position, loopy=True).nim_sum) == "inf(3)"
        with pytest.raises(CycleError, match="loopy=True"):
            solve(position)

    @pytest.mark.parametrize(
        ("row", "hours", "steps"),
        [(row, *json.loads(row["game"][6:].replace("(", "[").replace(")", "]"))) for row in PUBLISHED[:3]],
        ids=lambda part: part["game"] if isinstance(part, dict) else None,
    )
    def test_wind_up_is_the_published_graph(self, row, hours, steps):
        rules = ruleset("wind-up", f"{hours}: {','.join(map(str, steps))}")
        assert [sorted(rules.options(hour)) for hour in range(hours)] == row["input"]["succ"]
        assert rules.parse("0,1") == Sum([0, 1])

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("wind-up{5}(1)", "expected the hours, a colon and the steps"),
            ("wind-up{0:1}(0)", "the number of hours is 0: expected 1..1000000"),
            ("wind-up{5:1,9}(1)", "a step is 9: expected 1..5"),
            ("wind-up{5:1,3}(5)", "an hour is 5: expected 0..4"),
        ],
    )
    def test_wrong_wind_up(self, text, message):
        with pytest.raises(ParseError, match=message):
            parse_position(text)


class TestRefusals:
    def test_the_error_names_the_option(self):
        said = "the graph has a cycle, so play need not end: 1 -> 2 -> 1; loopy=True solves games with cycles too"
        with pytest.raises(CycleError, match=f"^{said}$"):
            solve(nx.DiGraph([(1, 2), (2, 1)]))

    @pytest.mark.parametrize("function", [explain, graph_statistics])
    def test_functions_without_the_option_do_not_name_it(self, function):
        with pytest.raises(CycleError, match="1 -> 2 -> 1") as raised:
            function(nx.DiGraph([(1, 2), (2, 1)]))
        assert "loopy" not in str(raised.value)

    def test_positions_do_not_name_it(self):
        with pytest.raises(CycleError, match=r"-> 4$"):
            _ = parse_position("wind-up{5:1,3}(4)").winner
