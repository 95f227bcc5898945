"""What an explanation says, and that it agrees with the solution that it explains."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import graphgame
from graphgame import explore
from graphgame.cli import main
from graphgame.errors import ParameterError, UnknownPositionError
from graphgame.labs import heaps
from graphgame.labs.misere import genus_table, heap_quotient, write_quotient
from graphgame.labs.misere.words import explain_by_quotient
from graphgame.text.positions import explain
from graphgame.text.text import component_move_text
from tests.core.text.test_values import CHIPS


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The quotient of 0.123 up to heap 20, which proves its period, and that of Kayles up to heap 40."""
    folder = tmp_path_factory.mktemp("quotients")
    write_quotient(heap_quotient(heaps.octal("0.123"), 20), folder / "0.123.json")
    write_quotient(heap_quotient(heaps.octal("0.77"), 40), folder / "kayles.json")
    return folder


class TestTheoryOfMiserePlay:
    def kayles(self, row: int) -> graphgame.Solution:
        return graphgame.solve(graphgame.explore(heaps.octal("0.77").ruleset, row), misere=True)

    @pytest.mark.parametrize(
        ("row", "line"),
        [
            (4, "genus 1, tame: equal to the heap of Nim *1"),
            (5, "genus 4^146, restless: normal value 4; misère values 1, 4, 6, 4, 6, ..."),
            (5, "canonical form {*1, *2, *3, {*2, *3}}"),
            (
                9,
                "genus 4^046, wild: normal value 4; misère values 0, 4, 6, 4, 6, ... in sums with 0, 1, 2, ... heaps "
                "of two",
            ),
            (9, "canonical form too long to show, with birthday 9"),
            (9, "element d of the quotient of order 24: it is in the P-portion, so this is a P-position"),
            (8, "element ab^2 of the quotient of order 24: it is not in the P-portion, so this is an N-position"),
        ],
    )
    def test_a_position(self, row: int, line: str) -> None:
        solution, quotient = self.kayles(row), heap_quotient(heaps.octal("0.77"), 12)
        text = explain(solution, row, depth=0, genus=genus_table(solution.graph), quotient=quotient)
        assert any(shown.startswith(f"  {line}") for shown in text.split("\n"))

    def test_a_sum(self) -> None:
        graph = graphgame.explore(heaps.octal("0.77").ruleset, 5, 4)
        solution, quotient = graphgame.solve(graph, misere=True), heap_quotient(heaps.octal("0.77"), 12)
        text = explain(solution, depth=0, genus=genus_table(graph), quotient=quotient)
        assert "\ngenus 5^057, wild: normal value 5" in text
        assert (
            "\nelement ac = c · a of the quotient of order 24: it is in the P-portion, so this is a P-position\n"
            in text
        )
        assert text.startswith("second player wins under misère play")

    def test_every_outcome_agrees_with_the_pass(self) -> None:
        solution, quotient = self.kayles(12), heap_quotient(heaps.octal("0.77"), 12)
        table = genus_table(solution.graph)
        text = explain(solution, 12, depth=3, genus=table, quotient=quotient)
        derived = [part.split("\n  ") for part in text.split("\n\n") if part.startswith(("position", "sum"))]
        assert len(derived) > 30
        for head, *lines in derived:
            lost = head.endswith(("value 0", "value 0; its options:"))
            assert lines[-1].endswith("a P-position" if lost else "an N-position")

    def test_what_does_not_fit_is_refused(self) -> None:
        solution, quotient = self.kayles(12), heap_quotient(heaps.octal("0.123"), 12)
        with pytest.raises(ParameterError, match=r"quotient of 'octal\{0.123\}' is wrong for these positions: "):
            explain(solution, quotient=quotient)
        with pytest.raises(UnknownPositionError, match="12 is none of the positions"):
            explain(solution, quotient=heap_quotient(heaps.octal("0.77"), 11))
        with pytest.raises(ParameterError, match="genus and quotient are only for misère play"):
            explain(graphgame.solve(CHIPS), 1, genus=genus_table(graphgame.GameGraph(CHIPS)))

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (["--genus"], "give --misere too"),
            (["--misere", "--genus", "--max-forms", "50"], "--max-forms allows more"),
            (["--misere", "--quotient", "missing.json"], "missing.json: No such file"),
        ],
    )
    def test_command_line_faults(self, options: list[str], message: str) -> None:
        done = CliRunner().invoke(main, ["explain", "kayles(30)", *options])
        assert (done.exit_code, done.stdout) == (2, "")
        assert message in done.stderr

    def test_a_saved_quotient(self, tmp_path: Path) -> None:
        file = tmp_path / "kayles.json"
        write_quotient(heap_quotient(heaps.octal("0.77"), 12), file)
        done = CliRunner().invoke(main, ["explain", "kayles(9)", "--misere", "--quotient", str(file), "--genus"])
        assert done.exit_code == 0
        assert (
            "  element d of the quotient of order 24: it is in the P-portion, so this is a P-position\n" in done.stdout
        )
        assert "  genus 4^046, wild" in done.stdout

    @pytest.mark.parametrize(
        ("position", "file", "lines"),
        [
            ("octal{0.123}(505)", "0.123.json", ["element a of the quotient of order 20: it is in the P-portion"]),
            ("octal{0.123}(503)", "0.123.json", ["element c of the quotient of order 20: it is not in the P-portion"]),
            (
                "kayles(40) + kayles(5)",
                "kayles.json",
                [
                    "player wins under misère play",
                    "  position  element",
                    "winning moves, each of which leaves an element of the P-portion:",
                ],
            ),
        ],
    )
    def test_large_heaps(self, saved: Path, position: str, file: str, lines: list[str]) -> None:
        options = ["--misere", "--depth", "0", "--product-limit", "1000", "--quotient", str(saved / file)]
        done = CliRunner().invoke(main, ["explain", position, *options])
        assert (done.exit_code, done.stderr) == (0, "")
        assert all(line in done.stdout for line in lines)

    @pytest.mark.parametrize(
        ("position", "message"),
        [
            ("kayles(41)", "kayles.json: the misère quotient is proved only up to heap 40, because no period"),
            ("dawson-kayles(41)", "the misère quotient of 'octal{0.77}' is wrong for these positions"),
        ],
    )
    def test_heaps_for_which_it_is_not_proved(self, saved: Path, position: str, message: str) -> None:
        done = CliRunner().invoke(main, ["explain", position, "--misere", "--quotient", str(saved / "kayles.json")])
        assert (done.exit_code, done.stdout) == (2, "")
        assert message in done.stderr

    def test_it_alone_answers_a_sum_of_boards(self, tmp_path: Path) -> None:
        file = tmp_path / "notakto.json"
        CliRunner().invoke(main, ["misere", "quotient", "notakto(1)", "-o", str(file)])
        options = ["--misere", "--product-limit", "300", "--quotient", str(file)]
        done = CliRunner().invoke(main, ["explain", "notakto(3)", *options])
        assert (done.exit_code, done.stderr) == (0, "")
        assert done.stdout.startswith("first player wins under misère play")
        assert "element ac^2 = d · d · d of the quotient of order 18: it is not in the P-portion" in done.stdout

    @pytest.mark.parametrize("heap", range(13))
    def test_the_quotient_alone_tells_the_winner_and_all_winning_moves(self, heap: int) -> None:
        quotient, graph = heap_quotient(heaps.octal("0.77"), 12), explore(heaps.octal("0.77").ruleset, heap, 5)
        solution = graphgame.solve(graph, misere=True)
        text = explain_by_quotient(graph, graph.tokens, quotient)
        assert text.startswith(f"{solution.winner} player wins")
        moves = [component_move_text(move) for move in solution.winning_moves()]
        assert [line.strip().rpartition(": element")[0] for line in text.splitlines() if " -> " in line] == moves
