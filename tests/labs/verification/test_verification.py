"""Checking values: every wrong value is found, every proof is enough, and no solver is needed."""

from __future__ import annotations

import ast
import csv
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphgame
from graphgame import GameGraph, explore, parse_position, solve, verify
from graphgame.errors import CycleError, ParameterError, TokenError, UnknownPositionError
from graphgame.io.values import Values, write_values
from graphgame.labs.backend.play_order import play_order
from graphgame.labs.formats.values import read_values
from graphgame.labs.verification.justification import blocks
from tests.brute import grundy_values, play_out
from tests.helpers import CHIPS, game
from tests.strategies import dags, dags_with_sums, dags_with_tokens

DIAMOND = nx.DiGraph([("a", "b"), ("a", "c"), ("b", "c")])
RIGHT = {"a": 2, "b": 1, "c": 0}
HEAP = nx.DiGraph((n, m) for n in range(6) for m in range(n))


def files(tmp_path, solution):
    """The values of a solution as they are read back from a file."""
    path = tmp_path / "values.json"
    write_values(solution, path)
    return read_values(path)


class TestAllValues:
    @pytest.mark.parametrize("graph", [DIAMOND, HEAP, nx.DiGraph(), nx.DiGraph(CHIPS), nx.path_graph(9, nx.DiGraph)])
    @pytest.mark.parametrize("misere", [False, True])
    def test_what_is_right_passes(self, graph, misere, tmp_path):
        report = verify(graph, files(tmp_path, solve(graph, misere=misere)))
        assert report
        assert (report.complete, report.rows, report.reason) == (True, len(graph), None)

    @given(dags_with_sums())
    def test_the_definition_passes(self, drawn):
        options, sums = drawn
        assert verify(game(options, sums), grundy_values(options, sums))

    @given(dags(), st.booleans(), st.data())
    def test_every_change_of_a_value_is_found_at_that_value(self, options, misere, data):
        values = grundy_values(options, terminal=int(misere))
        vertex = data.draw(st.sampled_from(sorted(options)))
        wrong = data.draw(st.integers(0, 9).filter(lambda value: value != values[vertex]))
        report = verify(game(options), values | {vertex: wrong}, misere=misere)
        assert (report.passed, report.position) == (False, vertex)
        assert report.reason.startswith(f"the value {wrong} is not justified: ")

    @given(dags_with_sums(), st.data())
    def test_all_wrong_values_are_listed(self, drawn, data):
        options, sums = drawn
        values = grundy_values(options, sums)
        claimed = {vertex: data.draw(st.sampled_from([value, 0, 5])) for vertex, value in values.items()}
        report = verify(game(options, sums), claimed)
        assert {position for position, _ in report.faults} == {v for v in values if claimed[v] != values[v]}
        assert report.wrong == len(report.faults)

    @given(drawn=dags_with_sums(), data=st.data())
    def test_outcomes_alone(self, tmp_path_factory, drawn, data):
        options, sums = drawn
        values = grundy_values(options, sums)
        claimed = {vertex: data.draw(st.sampled_from("PN")) for vertex in values}
        path = tmp_path_factory.mktemp("outcomes") / "values.csv"
        path.write_text("position,outcome\n" + "".join(f"{vertex},{o}\n" for vertex, o in claimed.items()))
        report = verify(game(options, sums), read_values(path))
        assert {position for position, _ in report.faults} == {v for v in values if claimed[v] != "NP"[values[v] == 0]}
        assert report.columns == ("outcome",)

    def test_outcomes_beside_values(self, tmp_path):
        path = tmp_path / "values.csv"
        path.write_text("position,grundy,outcome\n0,0,\n1,,P\n2,,N\n3,,N\n")
        graph = GameGraph({3: [2], 2: [1], 1: [0]}, tokens=[1])
        report = verify(graph, read_values(path))
        assert [position for position, _ in report.faults] == [1, 2]
        assert report.reason == "the outcome P is wrong: the option 0 is a P-position"
        path.write_text("position,grundy,outcome\n0,0,\n1,,N\n")
        assert verify(graph, read_values(path)).winner == "first"
        with pytest.raises(ParameterError, match="outcomes alone cannot be checked"):
            verify(GameGraph({1: [0], 5: [5]}, tokens=[1]), read_values(path), loopy=True)

    @given(dags(), st.booleans(), st.data())
    def test_all_wrong_remotenesses_are_listed(self, options, misere, data):
        graph = game(options)
        truth = solve(graph, misere=misere)
        claimed = Values(
            graph.labels,
            truth.grundy.array,
            truth.outcome.array,
            np.array([data.draw(st.sampled_from([length, length + 1])) for length in truth.remoteness.array], np.int32),
            misere,
        )
        wrong = claimed.remoteness != truth.remoteness.array
        report = verify(graph, claimed)
        assert {graph.number_of(position) for position, _ in report.faults} == set(np.flatnonzero(wrong).tolist())

    @given(dags_with_sums(), st.data())
    def test_every_change_in_a_graph_of_sums_is_found_at_that_value(self, drawn, data):
        options, sums = drawn
        values = grundy_values(options, sums)
        vertex = data.draw(st.sampled_from(sorted(options)))
        wrong = data.draw(st.integers(0, 9).filter(lambda value: value != values[vertex]))
        report = verify(game(options, sums), values | {vertex: wrong})
        assert (report.passed, report.position) == (False, vertex)

    @pytest.mark.parametrize("misere", [False, True])
    @pytest.mark.parametrize("graph", [DIAMOND, HEAP, nx.DiGraph(CHIPS), nx.path_graph(6, nx.DiGraph)])
    def test_every_single_corruption_of_a_file_is_found(self, graph, misere, tmp_path):
        right = files(tmp_path, solve(graph, misere=misere))
        largest = int(right.grundy.max()) + 2
        corruptions = {"grundy": range(largest), "outcome": "PN", "remoteness": range(len(graph) + 2)}
        for name, candidates in corruptions.items():
            column = getattr(right, name)
            for place, position in enumerate(right):
                kept = column[place]
                for candidate in candidates:
                    column[place] = candidate
                    report = verify(graph, right)
                    if column[place] == kept:
                        assert report.passed
                    else:
                        assert (report.passed, report.position) == (False, position)
                column[place] = kept

    @pytest.mark.parametrize("columns", [["position", "grundy", "outcome"], ["position", "outcome"]])
    def test_outcomes_of_positions_that_end_play_at_once(self, columns, tmp_path):
        graph, path = parse_position("cutting(3x2)").graph(), tmp_path / "values.csv"
        write_values(solve(graph), path)
        rows = list(csv.DictReader(path.read_text().splitlines()))

        def claimed(changed=None):
            with path.open("w", newline="") as stream:
                table = csv.writer(stream)
                table.writerow(columns)
                for row in rows:
                    wrong = {"outcome": "N" if row["outcome"] == "P" else "P"} if row is changed else {}
                    table.writerow([(row | wrong)[column] for column in columns])
            return read_values(path)

        assert verify(graph, claimed())
        decisive = {
            "sunny": "the outcome N is wrong: a sunny position is P",
            "loony": "the outcome P is wrong: a loony position is N",
        }
        for row in rows:
            report = verify(graph, claimed(row))
            assert (report.passed, str(report.position)) == (False, row["position"])
            assert report.reason == decisive.get(row["grundy"], report.reason)

    def test_an_outcome_is_not_enough_where_play_ends_at_once(self, tmp_path):
        graph = GameGraph.from_arrays(np.array([0, 1]), np.array([1, 2]), 3, decided=np.array([0, 0, -2]))
        claimed = files(tmp_path, solve(graph))
        claimed.grundy[2] = -1
        report = verify(graph, claimed)
        assert (report.passed, report.position, report.wrong) == (False, 2, 1)
        assert report.reason.startswith("the position has no value; ")

    def test_of_several_wrong_values_the_first_in_order_of_play_is_named(self):
        report = verify(nx.path_graph(5, nx.DiGraph), {0: 7, 1: 7, 2: 1, 3: 1, 4: 0})
        assert report.position == 2

    def test_two_errors_that_hide_each_other_are_found(self):
        # 3 -> 2 -> 1: with both ends raised by one the middle looks right
        assert not verify(nx.DiGraph([(3, 2), (2, 1)]), {3: 1, 2: 0, 1: 1})

    def test_large_values_and_wide_positions(self):
        graph = nx.DiGraph((n, m) for n in range(300) for m in range(n))
        values = {n: n for n in range(300)}
        assert verify(graph, values)
        assert verify(graph, values | {299: 298}).position == 299

    def test_a_value_above_the_number_of_options_takes_no_memory(self):
        report = verify(DIAMOND, RIGHT | {"a": 2**31 - 1})
        assert report.reason == (
            "the value 2147483647 is not justified: no option has the value 2; the mex of the options' values {0, 1} "
            "is 2"
        )

    def test_more_edges_than_a_block(self, monkeypatch):
        monkeypatch.setattr("graphgame.labs.verification.justification._EDGES_AT_A_TIME", 7)
        rng = np.random.default_rng(5)
        source = rng.integers(1, 200, 900)
        graph = GameGraph.from_arrays(source, rng.integers(0, source), 200)
        values = dict(solve(graph).grundy)
        assert verify(graph, values)
        for vertex in range(0, 200, 17):
            assert verify(graph, values | {vertex: values[vertex] + 1}).position == vertex

    def test_blocks_are_as_large_as_they_may_be(self, monkeypatch):
        # A vertex counts as one edge more than it has: 1, 2, 3, 4 and 5 of at most 7.
        monkeypatch.setattr("graphgame.labs.verification.justification._EDGES_AT_A_TIME", 7)
        rows = game({n: range(n) for n in range(5)}).option_rows
        assert [block.vertices.tolist() for block in blocks(rows, np.arange(5))] == [[0, 1, 2], [3], [4]]

    def test_compiled_and_plain_orders_agree(self, monkeypatch):
        rng = np.random.default_rng(6)
        source = rng.integers(1, 500, 3000)
        graph = GameGraph.from_arrays(source, rng.integers(0, source), 500)
        orders = []
        for compiled in (False, True):
            monkeypatch.setattr("graphgame.compiled.compiling.use_compiled", lambda *_, compiled=compiled: compiled)
            orders.append(play_order(graph).tolist())
        assert orders[0] == orders[1]
        place = np.argsort(orders[0])
        assert all(place[v] < place[u] for u, v in graph.edges)


class TestReasons:
    @pytest.mark.parametrize(
        ("values", "position", "reason"),
        [
            (
                {"a": 1, "b": 1, "c": 0},
                "a",
                "the value 1 is not justified: the option 'b' has the same value; the mex of the options' values {0, "
                "1} is 2",
            ),
            (
                {"a": 3, "b": 1, "c": 0},
                "a",
                "the value 3 is not justified: no option has the value 2; the mex of the options' values {0, 1} is 2",
            ),
            (
                {"a": 2, "b": 1, "c": 2},
                "c",
                "the value 2 is not justified: the position has no option, so its value is 0",
            ),
            (
                {"a": 2, "b": 1, "c": 1},
                "c",
                "the value 1 is not justified: the position has no option, so its value is 0 (1 is its value under "
                "misère play)",
            ),
        ],
    )
    def test_wrong_values(self, values, position, reason):
        report = verify(DIAMOND, values)
        assert (report.position, report.reason) == (position, reason)

    def test_wrong_misere_value(self):
        report = verify(DIAMOND, {"a": 2, "b": 0, "c": 0}, misere=True)
        assert (report.position, report.reason) == (
            "c",
            "the value 0 is not justified: the position has no option, so its value is 1 (0 is its value under normal "
            "play)",
        )

    def test_wrong_sum(self):
        graph = game({0: [], 1: [0], 2: [1, 1, 1, 0]}, sums={2})
        assert verify(graph, {0: 0, 1: 1, 2: 1})
        assert (
            verify(graph, {0: 0, 1: 1, 2: 0}).reason
            == "the value 0 is not justified: the xor of the parts' values is 1"
        )

    @pytest.mark.parametrize(
        ("column", "position", "value", "reason"),
        [
            ("outcome", "a", "P", "the outcome P is wrong: a position of value 2 is N"),
            ("outcome", "c", "N", "the outcome N is wrong: a position of value 0 is P"),
            ("outcome", "a", "D", "the outcome D is wrong: a position of value 2 is N"),
            ("outcome", "c", "D", "the outcome D is wrong: a position of value 0 is P"),
            (
                "remoteness",
                "c",
                1,
                "the remoteness 1 is wrong: the game is over at this position, so its remoteness is 0",
            ),
            (
                "remoteness",
                "b",
                2,
                "the remoteness 2 is wrong: by the options' remotenesses the fastest win takes 1 move",
            ),
            ("remoteness", "b", -1, "the position has no remoteness, although other positions have a remoteness"),
            (
                "remoteness",
                "c",
                2**31 - 1,
                "the remoteness 2147483647 is wrong: the game is over at this position, so its remoteness is 0",
            ),
        ],
    )
    def test_wrong_columns(self, column, position, value, reason, tmp_path):
        values = files(tmp_path, solve(DIAMOND))
        getattr(values, column)[list(values).index(position)] = value
        report = verify(DIAMOND, values)
        assert (report.position, report.reason) == (position, reason)

    def test_a_wrong_outcome_names_the_option_that_shows_it(self, tmp_path):
        (tmp_path / "values.csv").write_text("position,outcome\na,P\nb,N\nc,P\n")
        report = verify(DIAMOND, read_values(tmp_path / "values.csv"))
        assert report.faults == (("a", "the outcome P is wrong: the option 'c' is a P-position"),)

    def test_wrong_resistance(self, tmp_path):
        values = files(tmp_path, solve(nx.path_graph(3, nx.DiGraph)))
        values.remoteness[0] = 4
        assert (
            verify(nx.path_graph(3, nx.DiGraph), values).reason
            == "the remoteness 4 is wrong: by the options' remotenesses the longest resistance lasts 2 moves"
        )

    def test_what_was_checked_is_told(self, tmp_path):
        sums = explore(graphgame.parse_position("kayles(5)").components[0].ruleset, 5)
        assert verify(DIAMOND, RIGHT).columns == ("grundy",)
        assert verify(DIAMOND, files(tmp_path, solve(DIAMOND))).columns == ("grundy", "outcome", "remoteness")
        assert verify(sums, files(tmp_path, solve(sums))).columns == ("grundy", "outcome")


UNDECIDED = "the position has no value; the values of other positions do not prove who wins the sum of the tokens"
OPEN = (
    "the value 0 is not justified: the option {} may have the same value: "
    "neither this option nor one of its options with the value 0 is listed"
)


class TestCertificates:
    """Fewer values than all: a proof for the tokens."""

    PATH = nx.path_graph(6, nx.DiGraph)

    @pytest.mark.parametrize(
        ("tokens", "values", "winner"),
        [
            ([5], {5: 0}, "second"),
            ([3], {3: 0, 5: 0}, "second"),
            ([4], {5: 0}, "first"),
            ([0], {1: 0, 3: 0, 5: 0}, "first"),
            ([2, 2], {}, "second"),
            ([2, 3, 3], {3: 0, 5: 0}, "first"),
            ([1, 2], {}, "first"),
            ([1, 2, 2, 2], {}, "first"),
            ([], {}, "second"),
        ],
    )
    def test_enough(self, tokens, values, winner):
        report = verify(self.PATH, values, tokens=tokens)
        assert (report.passed, report.winner, report.complete) == (True, winner, False)

    def test_positions_without_values_are_listed_once_in_the_order_of_the_graph(self):
        report = verify(self.PATH, {}, tokens=[4, 0, 0, 2])
        assert ([position for position, _ in report.faults], report.wrong) == ([0, 2, 4], 3)

    @pytest.mark.parametrize(
        ("tokens", "values", "position", "reason"),
        [
            ([3], {3: 0}, 3, OPEN.format(4)),
            ([2], {}, 2, UNDECIDED),
            ([1], {1: 0}, 1, OPEN.format(2)),
            ([1, 3], {3: 0, 5: 0}, 1, UNDECIDED),
            (
                [5],
                {5: 0, 2: 0},
                2,
                "the value 0 is not justified: the option 3 has the same value; the mex of the options' values {0} is "
                "1",
            ),
            (
                None,
                {5: 0},
                0,
                "the position has no value; if there are no tokens, all positions need values or outcomes",
            ),
        ],
    )
    def test_not_enough(self, tokens, values, position, reason):
        report = verify(self.PATH, values, tokens=tokens)
        assert (report.passed, report.position, report.reason) == (False, position, reason)

    def test_values_above_0_need_smaller_ones_and_no_equal_one(self):
        assert verify(HEAP, {2: 2, 1: 1, 0: 0}, tokens=[5, 2]).winner == "first"
        assert (
            verify(HEAP, {2: 2, 0: 0}, tokens=[5, 2]).reason
            == "the value 2 is not justified: no option has the value 1"
        )

    def test_a_sum_among_the_options_needs_a_value(self):
        graph = game({0: [], 1: [0], 2: [1, 0], 3: [2]}, sums={2})
        assert verify(graph, {3: 0, 2: 1, 1: 1, 0: 0}, tokens=[3])
        assert verify(graph, {3: 0, 0: 0}, tokens=[3]).reason.startswith(
            "the value 0 is not justified: the option 2 may have the same value"
        )
        assert (
            verify(graph, {3: 0, 2: 1, 0: 0}, tokens=[3]).reason
            == "the value 1 is not justified: the part 1 has no value"
        )

    def test_misere_play(self):
        path = nx.path_graph(4, nx.DiGraph)
        assert verify(path, {2: 0}, tokens=[2], misere=True).winner == "second"
        assert verify(path, {2: 0}, tokens=[1], misere=True).winner == "first"
        assert verify(path, {}, tokens=[3], misere=True).winner == "first"
        assert verify(path, {}, tokens=[], misere=True).winner == "first"

    @given(dags_with_tokens(), st.data())
    def test_what_any_part_of_the_values_proves_is_true(self, drawn, data):
        options, tokens = drawn
        values = grundy_values(options)
        kept = data.draw(st.sets(st.sampled_from(sorted(options))))
        report = verify(game(options), {v: values[v] for v in kept}, tokens=tokens)
        wins, _ = play_out(options)(tuple(tokens))
        assert report.winner in (None, "first" if wins else "second")

    @given(dags_with_tokens(), st.data())
    def test_no_false_claims_prove_a_false_winner(self, drawn, data):
        options, tokens = drawn
        claims = data.draw(st.dictionaries(st.sampled_from(sorted(options)), st.integers(0, 3)))
        report = verify(game(options), claims, tokens=tokens)
        if report.passed:
            values = grundy_values(options)
            assert all(values[vertex] == value for vertex, value in claims.items())
            assert report.winner == ("first" if play_out(options)(tuple(tokens))[0] else "second")


class TestRefusals:
    @pytest.mark.parametrize("values", [{1: 0, 2: 1}, {1: 1, 2: 0}, {}])
    def test_a_cycle_proves_nothing(self, values):
        with pytest.raises(CycleError, match="the graph has a cycle, so play need not end: 1 -> 2 -> 1"):
            verify(nx.DiGraph([(1, 2), (2, 1)]), values)

    def test_the_cycle_is_one_of_the_graph(self):
        graph = nx.DiGraph([(0, 1), (1, 2), (2, 3), (3, 1), (3, 4)])
        with pytest.raises(CycleError) as caught:
            verify(graph, {})
        assert sorted(caught.value.cycle) == [1, 2, 3]

    @pytest.mark.parametrize("value", [-1, 2**31, 0.5, True, None, "1"])
    def test_what_is_no_value(self, value):
        with pytest.raises(ParameterError, match=r"of position 'a': expected an integer in 0..2147483647"):
            verify(DIAMOND, {"a": value})

    def test_an_unknown_position(self):
        with pytest.raises(UnknownPositionError, match="position 'x' of the values is not a vertex of the graph"):
            verify(DIAMOND, RIGHT | {"x": 0})

    def test_an_unknown_token(self):
        with pytest.raises(UnknownPositionError, match="position 'x' has a token but is not a vertex of the graph"):
            verify(DIAMOND, RIGHT, tokens=["x"])

    def test_a_token_on_a_sum(self):
        with pytest.raises(TokenError, match="token 1 stands on a sum vertex: put a token on each of its parts"):
            verify(game({0: [], 1: [0]}, sums={1}), {0: 0, 1: 0}, tokens=[1])

    def test_text_as_tokens(self):
        with pytest.raises(TypeError, match=r"write \['ab'\]"):
            verify(DIAMOND, RIGHT, tokens="ab")

    def test_misere_sums(self):
        with pytest.raises(ParameterError, match="a graph with sum vertices cannot be checked edge by edge"):
            verify(game({0: [], 1: [0, 0]}, sums={1}), {0: 1}, misere=True)
        with pytest.raises(ParameterError, match="values for only some positions prove nothing about several tokens"):
            verify(DIAMOND, {"b": 0}, misere=True, tokens=["a", "b"])

    def test_values_of_the_other_play(self, tmp_path):
        with pytest.raises(ParameterError, match="the values are marked as values of misère play, not of normal play"):
            verify(DIAMOND, files(tmp_path, solve(DIAMOND, misere=True)), misere=False)

    def test_misere_is_true_or_false(self):
        with pytest.raises(ParameterError, match="invalid misere 'fast': expected True or False"):
            verify(DIAMOND, RIGHT, misere="fast")

    def test_two_values_for_one_position(self):
        with pytest.raises(ParameterError, match="two entries for the position 2: expected one for each position"):
            verify(nx.DiGraph([(1, 2)]), {1: 1, 2: 0, "2": 0})


class TestPositionsByText:
    def test_a_text_stands_for_the_position_it_is_written_as(self):
        assert verify(nx.DiGraph([((1, 2), (0,))]), {"(1, 2)": 1, "(0,)": 0})
        assert verify(nx.DiGraph([("1", "0")]), {1: 1, 0: 0})

    def test_a_text_of_two_positions_stands_for_neither(self):
        graph = nx.DiGraph([("1", 1), ((0,), 1)])
        graph.add_node("(0,)")
        with pytest.raises(UnknownPositionError):
            verify(graph, {1.5: 0})


@pytest.mark.parametrize("misere", [False, True])
def test_a_solution_stands_for_its_values(misere):
    graph = GameGraph([("a", "b"), ("a", "c"), ("b", "c")])
    assert verify(graph, solve(graph, misere=misere))
    assert not verify(GameGraph([("a", "b"), ("b", "c"), ("d", "a")]), solve(graph, misere=misere))


def test_nothing_is_shared_with_the_solver():
    folder = Path(graphgame.__file__).parent
    for name in ("labs/verification/verification", "labs/verification/justification", "labs/backend/play_order"):
        tree = ast.parse((folder / f"{name}.py").read_text(encoding="utf-8"))
        imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert not imported & {
            "graphgame.solution.sprague_grundy",
            "graphgame.graph.kernels",
            "graphgame.solution.solve",
            "graphgame.solution.sums",
        }
