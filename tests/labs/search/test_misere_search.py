"""Search under misère play: against the explicit product of sums, and published outcomes."""

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from graphgame import Search, parse_position, solve
from graphgame.cli import main
from graphgame.errors import CycleError, LimitError, ParameterError, RulesetError, TokenError
from graphgame.labs.search import misere, proof_numbers
from graphgame.rules.component_graphs import GraphRuleset
from tests.helpers import game
from tests.labs.search.test_search import Circle, Failing, Line, of, positions
from tests.strategies import dags_with_sums

small = positions.filter(lambda text: len(text) < 24)


def outcome(position, **limits):
    return Search(position.under(misere=True), **limits).outcome


@given(st.lists(small, min_size=1, max_size=2), st.integers(0, 8))
@settings(max_examples=25, deadline=None)
def test_sums_of_games(texts, longest):
    position = parse_position(" + ".join(texts))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(misere, "_LONGEST_PLAY", longest)
        assert outcome(position) == position.under(misere=True).outcome


@given(dags_with_sums(), st.data(), st.integers(0, 5), st.sampled_from([1, 1 << 40]))
@settings(max_examples=60, deadline=None)
def test_any_graph(drawn, data, longest, most_needed):
    options, sums = drawn
    graph = game(options, sums)
    starts = sorted(set(options) - sums)
    tokens = data.draw(st.lists(st.sampled_from(starts), min_size=1, max_size=3)) if starts else []
    whole = solve(game(options, sums, tokens=tokens), misere=True).winner == "first"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(misere, "_LONGEST_PLAY", longest)
        patch.setattr(proof_numbers, "_LARGEST_NUMBER", most_needed)
        assert outcome(of(GraphRuleset(graph), *tokens)) == ("N" if whole else "P")


@pytest.mark.parametrize("spots", range(12))
def test_sprouts(spots):
    """OEIS A164950; to 17 spots: J. Lemoine and S. Viennot."""
    assert outcome(parse_position(f"sprouts({spots})")) == "NNPPPNNPPPNN"[spots]


def test_two_equal_components_do_not_cancel():
    assert outcome(parse_position("*2 + *2")) == "P"
    assert outcome(parse_position("*1 + *1")) == "N"
    assert outcome(parse_position("nim(1000000000000,1000000000000)")) == "P"


def test_limits_and_faults():
    with pytest.raises(LimitError, match="a table of more than 5 positions"):
        outcome(parse_position("cram(4x5)"), max_positions=5)
    with pytest.raises(CycleError):
        outcome(of(Circle(), 0))
    with pytest.raises(RulesetError, match="unhashable"):
        outcome(of(Failing(), 20))
    assert outcome(of(Line(), 3001)) == "P"


def test_what_there_is_not_under_misere_play(tmp_path):
    search = Search(parse_position("cram(2x3)").under(misere=True))
    with pytest.raises(TokenError):
        _ = search.grundy
    for work in (lambda: search.write_table(tmp_path / "table.txt"), search.certificate):
        with pytest.raises(ParameterError, match="it cannot be saved for misère play"):
            work()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["sprouts(4)", "--compare"],
            "second player wins\n485 positions visited of 1,189 in the whole graph; the answers agree\n",
        ),
        (
            ["kayles(9) + kayles(8) + kayles(7)", "--compare", "--max-positions", "300"],
            "; the whole graph has more positions or moves than --max-positions 300 allows\n",
        ),
        (["cram(3x3)", "--value"], "leave out --value, --resume and --certificate, or leave out --misere"),
    ],
)
def test_command(arguments, said):
    assert said in CliRunner().invoke(main, ["search", *arguments, "--misere"]).output
