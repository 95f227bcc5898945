"""Pictures of misère play with the genus of each position."""

import pytest
from click.testing import CliRunner

from graphgame import explore, solve
from graphgame.cli import main
from graphgame.drawing import to_pydot
from graphgame.errors import ParameterError
from graphgame.games import ruleset
from graphgame.labs.misere import genus_table


class TestGenus:
    def test_genera_stand_in_place_of_values(self) -> None:
        solution = solve(explore(ruleset("kayles"), 5), misere=True, tokens=[])
        labels = {node.get_label() for node in to_pydot(solution, genus=genus_table(solution.graph)).get_nodes()}
        assert {r'"5\nN 4^146"', r'"4\nP 1"', r'"⊕ Sum(2, 2)\nP 0^0"'} <= labels

    def test_the_legend_says_so(self) -> None:
        solution = solve(explore(ruleset("kayles"), 3), misere=True)
        assert (
            "genus: a Nim heap's size, otherwise normal value ^ "
            in to_pydot(solution, genus=genus_table(solution.graph)).get_label()
        )
        assert "genus" not in to_pydot(solution).get_label()

    def test_genera_are_of_misere_play(self) -> None:
        graph = explore(ruleset("kayles"), 3)
        for drawn in (graph, solve(graph)):
            with pytest.raises(ParameterError, match="genus is about misère play"):
                to_pydot(drawn, genus=genus_table(graph))

    def test_command_line(self) -> None:
        done = CliRunner().invoke(main, ["draw", "kayles(5)", "--misere", "--genus"])
        assert (done.exit_code, "4^146" in done.stdout) == (0, True)
        wrong = CliRunner().invoke(main, ["draw", "kayles(5)", "--genus"])
        assert (wrong.exit_code, "give --misere too" in wrong.stderr) == (2, True)
