"""Compounds: conjunctive, continued, selective, shortened, ordinal; theory, explicit graph and definition agree."""

from functools import cache
from itertools import product

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import GameGraph, explore, solve
from graphgame.cli import main
from graphgame.errors import CycleError, LimitError, ParameterError, ParseError, TokenError
from graphgame.labs.theory import Compound, suspense
from graphgame.labs.theory.compounds import KINDS
from graphgame.labs.theory.compounds.rules import operand_of
from graphgame.rules.notation import is_notation, parse_position, split_compound
from tests.brute import play_out
from tests.helpers import game
from tests.notations import check_round_trip, fault
from tests.strategies import dags, dags_with_sums

SIGNS = list(KINDS)
PLAYS = [False, True]


def moves_of(sign, position, options):
    """Yield the options of a tuple of components by the definition of each compound; ended components are ()."""
    choices = [options[component] for component in position]
    if sign == ":":
        for place, ends in enumerate(choices):
            yield from ((*position[:place], end) for end in ends)
        return
    if sign in ("&", "||") and not all(choices):
        return
    for chosen in product((False, True), repeat=len(position)):
        if not any(chosen) or any(chosen[k] and not choices[k] for k in range(len(position))):
            continue
        if sign == "&" and not all(chosen):
            continue
        if sign == "&&" and any(choices[k] and not chosen[k] for k in range(len(position))):
            continue
        yield from product(*(choices[k] if moved else [position[k]] for k, moved in enumerate(chosen)))


def wins(sign, options, misere):
    """Return a function that tells whether the mover wins a tuple of components."""

    @cache
    def result(position):
        after = [result(option) for option in moves_of(sign, position, options)]
        return misere if not after else not all(after)

    return result


@pytest.mark.parametrize("misere", PLAYS)
@pytest.mark.parametrize("sign", SIGNS)
@settings(max_examples=25, deadline=None)
@given(dags(7, 12), st.data())
def test_theory_graph_and_definition_agree(sign, misere, options, data):
    options = {vertex: sorted(set(ends)) for vertex, ends in options.items()}
    starts = data.draw(st.lists(st.sampled_from(sorted(options)), min_size=1, max_size=3))
    rules = Compound(sign, [game(options, tokens=[start]) for start in starts])
    solution = solve(explore(rules), misere=misere)
    told = rules.outcome_form if not misere else rules.misere_outcome_form
    defined = wins(sign, options, misere)
    for position in solution.graph:
        assert told(position) == solution.outcome[position] == ("N" if defined(position) else "P"), position


@pytest.mark.parametrize("misere", PLAYS)
@settings(max_examples=25, deadline=None)
@given(dags(7, 12), st.data())
def test_lengths_of_conjunctive_compounds(misere, options, data):
    starts = data.draw(st.lists(st.sampled_from(sorted(options)), min_size=1, max_size=3))
    graphs = [game(options, tokens=[start]) for start in starts]
    ends, goes_on = Compound("&", graphs), Compound("&&", graphs)
    solution = solve(explore(ends), misere=misere)
    assert all(ends.length(position, misere) == solution.remoteness[position] for position in solution.graph)
    solution = solve(explore(goes_on), misere=misere)
    assert all(goes_on.length(position, misere) == suspense(solution)[position] for position in solution.graph)


@given(dags(), st.sampled_from(PLAYS), st.sampled_from(["plain", "compiled"]))
def test_suspense(options, misere, engine):
    found = suspense(solve(game(options), misere=misere, engine=engine))
    outcome = solve(game(options), misere=misere).outcome

    @cache
    def defined(vertex):
        lost = [defined(option) for option in options[vertex] if outcome[option] == "P"]
        return 1 + max(lost) if lost else 1 + min(map(defined, options[vertex]), default=-1)

    assert {vertex: found[vertex] for vertex in options} == {vertex: defined(vertex) for vertex in options}
    assert all((found[vertex] % 2 == (not misere)) == (outcome[vertex] == "N") for vertex in options)


@settings(max_examples=25, deadline=None)
@given(dags(6, 10), st.data())
def test_ordinal_sums_have_values(options, data):
    starts = data.draw(st.lists(st.sampled_from(sorted(options)), min_size=1, max_size=3))
    rules = Compound(":", [game(options, tokens=[start]) for start in starts])
    values = solve(explore(rules)).grundy
    assert {position: rules.closed_form(position) for position in values} == dict(values)


@pytest.mark.parametrize("sizes", [(2, 3), (0, 4), (5, 0), (3, 1, 2)])
def test_an_ordinal_sum_of_nim_heaps_is_one_heap(sizes):
    text = " : ".join(f"nim({size})" for size in sizes)
    assert parse_position(text).grundy == solve(parse_position(text).graph()).nim_sum == sum(sizes)


@settings(max_examples=25, deadline=None)
@given(dags_with_sums(6, 9), st.sampled_from(SIGNS), st.sampled_from(PLAYS), st.data())
def test_components_that_split(with_sums, sign, misere, data):
    options, sums = with_sums
    positions = sorted(set(options) - sums)
    if not positions:
        return
    start = data.draw(st.sampled_from(positions))
    rules = Compound(sign, [game(options, sums, tokens=[start])])
    told = rules.outcome_form if not misere else rules.misere_outcome_form
    won, _ = play_out(options, sums, misere=misere)((start,))
    assert told(rules.start) == ("N" if won else "P")


def test_tokens_of_a_graph_are_one_component():
    heap = GameGraph({n: range(n) for n in range(1, 5)}, tokens=[4, 4])
    rules = Compound("selective", [heap, GameGraph({1: [0]}, tokens=[0])])
    assert rules.outcome_form(rules.start) == "P"
    assert solve(explore(rules)).outcome[rules.start] == "P"


def test_an_operand_takes_the_start_as_the_user_writes_it():
    operand = operand_of(parse_position("wythoff(2,1)"))
    assert operand.start != operand.token
    assert operand.options(operand.start) == operand.options(operand.token)


def test_faults_of_compounds():
    with pytest.raises(ParameterError, match="unknown kind of compound 'both'"):
        Compound("both", [])
    with pytest.raises(ParameterError, match="a compound without components"):
        Compound("&", [])
    with pytest.raises(TokenError, match="start as a token"):
        Compound("&", [GameGraph([(2, 1)])])
    endless = Compound("&", [GameGraph([(2, 1), (1, 2)], tokens=[1])])
    with pytest.raises(CycleError):
        endless.outcome_form(endless.start)
    with pytest.raises(ParameterError, match="the length of play can be computed for"):
        Compound("|", [GameGraph([(2, 1)], tokens=[2])]).length((2,))
    with pytest.raises(ParameterError, match="sum vertices"):
        suspense(solve(game({0: [1, 1], 1: []}, sums={0})))


class TestPictures:
    def test_a_cut_touches_only_the_pieces_beside_it(self):
        # The pieces lie in rows of five, so a piece of another row is near the cut, but not beside it.
        part = parse_position("grundy(9) & nim(3)").components[0]
        places = part.ruleset.picture(part.position).places[:9]
        touched = {tuple(cell for cell in way.touched if cell < 9) for way in part.ruleset.ways(part.position)}
        assert places[:6] == ((0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (0, 1))
        assert touched == {(0, 1), (1, 2), (2, 3), (3, 4), (4,), (5, 6), (6, 7), (7, 8)}


class TestNotation:
    @pytest.mark.parametrize(
        "text",
        [
            "nim(3) & nim(5)",
            "nim(1,2) && kayles(4)",
            "(nim(3) | cram(2x2)) + take{1,2}(5)",
            "(nim(1) & nim(2)) || (nim(3) : nim(4)) || nim(2)",
            "samples/chips.txt@4 & samples/chips.txt@1",
            "((nim(1) & nim(2)) + nim(2)) : nim(3)",
        ],
    )
    def test_round_trip(self, text):
        check_round_trip(text)
        position = parse_position(text)
        for misere in PLAYS:
            solved = solve(position, misere=misere)
            assert position.under(misere).outcome == ("P" if solved.winner == "second" else "N")

    @pytest.mark.parametrize("sign", SIGNS)
    def test_spaces_do_not_matter(self, sign):
        assert parse_position(f"nim(3){sign}*5{sign}(nim(2))") == parse_position(f"nim(3) {sign} *5 {sign} nim(2)")
        assert split_compound(f"*2{sign}*3")[0] == sign

    @pytest.mark.parametrize("text", ["rules.py:Game(3)", "a.txt@b:c", "a.txt@x|y", "geography(edges:a-b,b-c@a)", "*3"])
    def test_signs_within_names(self, text):
        assert split_compound(text) == ("", [(text, 0)])

    def test_the_sum_binds_less(self):
        names = [component.name for component in parse_position("nim(1) + nim(2) & nim(3) + nim(4)").components]
        assert names == ["nim", "&", "nim"]

    @pytest.mark.parametrize("text", ["nim(1) : nim(2)", "nim(1)", "nim(1) & nim(2) & nim(1)"])
    def test_a_position_has_the_sign_and_the_count_of_the_compound(self, text: str) -> None:
        rules = parse_position("nim(3) & nim(4)").components[0].ruleset
        assert rules.parse("nim(1) & nim(2)") is not None
        with pytest.raises(ParseError, match="expected 2 components with & between them"):
            rules.parse(text)

    def test_is_notation(self):
        assert all(map(is_notation, ["a.txt & b.txt", "a.txt | b.txt", "a.txt : b.txt"]))
        assert not is_notation("a:b.txt")

    @pytest.mark.parametrize(
        ("text", "column", "message"),
        [
            ("nim(1) & nim(2) | nim(3)", 17, "the signs & and | are mixed without parentheses"),
            ("nim(1) & ", 9, "expected a position"),
            ("& nim(3)", 1, "expected a position"),
            ("nim(3) &&& nim(4)", 10, "the signs && and & are mixed without parentheses"),
            ("nim(1) & nmi(3)", 10, "unknown game 'nmi'"),
            ("nim(2) : (nim(1) | nim(x))", 24, "expected an integer"),
            ("(nim(1) & nim(2)", 1, "the bracket ( is not closed"),
            ("nim(1)) & nim(2)", 7, "expected + or the end"),
            ("()", 2, "expected a position"),
            ("(" * 30 + "nim(1)" + ")" * 30, 21, "expected at most 20 levels"),
        ],
    )
    def test_faults(self, text, column, message):
        found, said = fault(text)
        assert (found, message in said) == (column, True), said

    def test_limits(self):
        position = parse_position("nim(100) & nim(200)", max_positions=50)
        with pytest.raises(LimitError, match="max_positions=50"):
            _ = position.outcome


class TestCommandLine:
    def answer(self, *arguments):
        result = CliRunner().invoke(main, list(arguments))
        assert result.exit_code == 0, result.output
        return result.output

    def test_solve(self):
        assert self.answer("solve", "bash{2}(5) & bash{3}(8)").startswith("first player wins in 3 moves\n")

    @pytest.mark.parametrize("options", [[], ["--misere"]])
    def test_theory_answers_where_the_graph_is_too_large(self, options):
        answer = self.answer("solve", "nim(1000000000) | nim(1000000000,7)", "--max-positions", "1000", *options)
        assert answer.startswith("first player wins")

    @pytest.mark.parametrize("sign", SIGNS)
    @pytest.mark.parametrize("options", [[], ["--misere"]])
    def test_explain(self, sign, options):
        text = f"kayles(4) {sign} nim(2)"
        answer = self.answer("explain", text, *options)
        kind = KINDS[sign]
        assert f"{kind.name}: {kind.rule[:30]}" in answer
        position = parse_position(text)
        position = position.under(misere=bool(options))
        assert answer.startswith(f"{'first' if position.outcome == 'N' else 'second'} player wins")
        winning = {move.end.ruleset.format(move.end.position) for move in position.winning_moves()}
        listed = answer.partition("winning moves:\n")[2].splitlines()
        assert {line.strip() for line in listed} == winning

    def test_check(self):
        answer = self.answer("check", "(nim(3) | nim(2)) & (kayles(4) + nim(2))")
        assert "ok           the outcome by theorem is that of the graph" in answer
