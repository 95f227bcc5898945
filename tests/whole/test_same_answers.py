"""If a game is too large for its graph, all commands give the same answers by theorems and tables."""

import json
import re
from itertools import count

import pytest
from click.testing import CliRunner

from graphgame import parse_position
from graphgame.cli import main
from tests.commands import run


def grundy_values(n):
    """Return the values of Grundy's game by the definition: a move splits a heap into two unequal ones."""
    values = []
    for heap in range(n + 1):
        seen = {values[a] ^ values[heap - a] for a in range(1, (heap + 1) // 2)}
        values.append(next(value for value in count() if value not in seen))
    return values


GRUNDY = grundy_values(3000)
PAIRS = (100_000, 161_804)
"""A P-position of Wythoff's game: floor(k phi) and floor(k phi^2)."""

WINS = {
    "wythoff(100000,161804)": False,
    "wythoff(100000,200000)": True,
    "wythoff(1000000000000,1000000000001)": True,
    "moore{2}(3000,4000,5000,6000)": True,
}


def solve(source):
    return json.loads(run("solve", source, "--json").stdout)["winner"] == "first"


def verdict(source):
    return run("solve", source, "--verdict").stdout == "win\n"


def explain(source):
    first, _ = run("explain", source, "--depth", "0").stdout.split(" player wins", 1)
    return first == "first"


def search(source):
    return run("search", source).stdout.startswith("first player wins")


def hint(source):
    told = CliRunner().invoke(main, ["play", source], input="hint\nquit\n").stdout
    assert "whoever cannot move loses" in told
    return "every move loses" not in told and bool(re.search(r" -> .* wins", told))


@pytest.mark.parametrize("answer", [solve, verdict, explain, search, hint])
@pytest.mark.parametrize("source", WINS)
def test_all_commands_agree(answer, source):
    assert answer(source) == WINS[source]


@pytest.mark.parametrize("answer", [solve, verdict, explain, hint])
def test_heaps_that_split_are_answered_by_their_values(answer):
    assert answer("grundy(3000)") == (GRUNDY[3000] != 0)
    assert answer("grundy(3000) + grundy(2600)") == (GRUNDY[3000] != GRUNDY[2600])


def test_winning_moves_of_a_splitting_heap_come_from_the_table():
    position = parse_position("grundy(700)")
    assert position.values == (GRUNDY[700],)
    ends = {tuple(move.end.position) for move in position.winning_moves()}
    assert ends == {(a, 700 - a) for a in range(1, 350) if GRUNDY[a] == GRUNDY[700 - a]}


@pytest.mark.parametrize("outcomes", [["--outcomes"], []])
def test_a_table_far_from_0(outcomes):
    source = f"wythoff({PAIRS[0]},{PAIRS[1] - 1}..{PAIRS[1] + 1})"
    result = run("values", source, *outcomes, "--json")
    assert json.loads(result.stdout)["outcome"] == ["N", "P", "N"]
    assert json.loads(result.stdout)["grundy"] is None
    assert ("add --outcomes" in run("values", source, *outcomes).stderr) == (not outcomes)


LARGE = "chomp(30x30)"
FAR = "northcott(x.........o/x.........o)"


@pytest.mark.parametrize(
    ("command", "advice"),
    [
        (["draw", LARGE, "-o", "x.svg"], "graphgame solve --verdict says who wins, by a theorem"),
        (["draw", "nim(1000,1000)", "-o", "x.html"], "graphgame solve --verdict says who wins, by a theorem"),
        (["play", LARGE], "graphgame solve --verdict says who wins, by a theorem"),
        (["values", LARGE], "graphgame solve --verdict says who wins, by a theorem"),
        (["certificate", LARGE, "-o", "x.json"], "graphgame solve --verdict says who wins, by a theorem"),
        (["solve", LARGE, "--loopy"], "graphgame solve --verdict says who wins, by a theorem"),
        (
            ["solve", FAR, "--loopy", "--max-positions", "99"],
            "graphgame solve --verdict says who wins, by a theorem",
        ),
        (["solve", LARGE, "--misere"], "graphgame search --misere finds who wins without the whole graph"),
        (["explain", "cram(9x9)", "--max-positions", "900"], "graphgame search finds who wins without the whole graph"),
    ],
)
def test_commands_suggest_an_option_for_games_that_are_too_large(command, advice):
    result = run(*command)
    assert result.exit_code == 2
    assert f"; {advice}; try a smaller position (the catalogue's example is " in result.stderr
    assert ("--max-positions allows more" in result.stderr) == ("--max-positions" in command)


@pytest.mark.parametrize(
    ("position", "winner", "move"),
    [
        ("northcott(x..o)", "first", "x..o -> xo.."),
        ("northcott(x..o/x..o)", "second", "no winning move"),
        ("northcott(x..o) + kayles(5)", "first", "kayles(5) -> kayles(1) + kayles(3)"),
        ("poker-nim(3,4,5)", "first", "3,4,5 -> 1,4,5:0,2"),
    ],
)
def test_theorem_answers_for_loopy_games(position, winner, move):
    told, why = run("solve", position), run("explain", position)
    assert told.exit_code == why.exit_code == 0
    assert told.stdout.startswith(f"{winner} player wins")
    assert why.stdout.startswith(f"{winner} player wins")
    assert move in told.stdout
    assert told.stdout.endswith(
        "play need not end, and the values come from a theorem; --loopy explores all positions instead\n"
    )
    assert run("solve", position, "--loopy").stdout.startswith(f"{winner} player wins")


@pytest.mark.parametrize("command", ["play", "search", "values"])
def test_commands_suggest_an_option_for_games_with_cycles(command):
    assert "--loopy" in run(command, "northcott(x..o)").stderr
