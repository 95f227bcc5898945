"""``graphgame explain``, ``draw``, ``convert``, and the help of every command."""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

import graphgame
from graphgame.cli import common, main
from graphgame.cli.errors import Failure
from graphgame.compiled.engine import PRODUCT_LIMIT
from graphgame.drawing import PictureOptions
from graphgame.io import parse_game, read_game
from graphgame.labs.misere.genus import MAX_FORMS
from graphgame.labs.misere.solver import MAX_ORDER, MAX_OUTCOMES
from graphgame.rules import MAX_POSITIONS
from graphgame.text.positions import explain

CHIPS = "6 8 4\n2 1\n2 4\n1 4\n1 5\n4 5\n1 3\n3 5\n3 6\n1 2 4 6\n"


@pytest.fixture
def chips(tmp_path: Path) -> str:
    path = tmp_path / "chips.txt"
    path.write_text(CHIPS)
    return str(path)


def run(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=text, catch_exceptions=False)


def error(*arguments: str) -> str:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr


def commands() -> Iterator[tuple[str, ...]]:
    """Yield the names of every command, and after them those of its subcommands."""
    context = click.Context(main)
    for name in main.list_commands(context):
        command = main.get_command(context, name)
        yield (name,)
        yield from ((name, subcommand) for subcommand in getattr(command, "commands", ()))


class TestHelp:
    @pytest.mark.parametrize("command", ["solve", "explain", "draw", "convert"])
    @pytest.mark.parametrize("option", ["--help", "-h"])
    def test_each_command_has_examples_that_keep_their_lines(self, command: str, option: str) -> None:
        text = run(command, option).stdout
        assert "Examples:" in text
        lines = [line.strip() for line in text.split("Examples:")[1].splitlines() if line.strip()]
        assert lines[0].startswith(f"graphgame {command} ")
        assert len([line for line in lines if "graphgame " in line]) >= 4

    @pytest.mark.parametrize("command", [(), *commands()], ids=str)
    def test_the_shell_and_the_command_take_every_example(self, command: tuple[str, ...]) -> None:
        lines = run(*command, "--help").stdout.partition("Examples:")[2].splitlines()
        examples = [line.strip() for line in lines if line.startswith("    ") and "graphgame " in line[:30]]
        assert examples or command[:-1] == ("spark",)  # the help of the group has examples of all its commands
        subprocess.run(["sh", "-n"], input="\n".join(examples), check=True, text=True)
        for example in examples:
            words = shlex.split(example[example.index("graphgame ") :], comments=True)
            words = [*takewhile(lambda word: word not in ("|", "<", "&&"), words)][1:]
            taken: click.Command = main
            context = click.Context(main, **main.context_settings)
            while isinstance(taken, click.Group) and (
                words[0] in taken.list_commands(context) or not taken.invoke_without_command
            ):
                _, found, words = taken.resolve_command(context, words)
                assert found is not None
                taken = found
            taken.make_context("graphgame", words, context)

    @pytest.mark.parametrize("command", [*commands()], ids=str)
    def test_options_for_results_mean_the_same_in_every_command(self, command: tuple[str, ...]) -> None:
        found: click.Command = main
        for name in command:
            assert isinstance(found, click.Group)
            subcommand = found.get_command(click.Context(main), name)
            assert subcommand is not None
            found = subcommand
        options = {text: option for option in found.params for text in option.opts}
        forms = {"--csv", "--json", "--latex", "--npy", "--parquet"} & set(options)
        assert all(options[form].is_flag for form in forms)
        assert not forms or {"-o", "--output"} <= set(options)
        files = [option for option in found.params if option.metavar in ("OUT", "FILE")]
        assert all(isinstance(option.type, click.Path) for option in files)  # so that shells complete them

    @pytest.mark.parametrize(
        ("command", "limit"),
        [
            ("explain", MAX_FORMS),
            ("explain", PRODUCT_LIMIT),
            ("misere", MAX_FORMS),
            ("misere quotient", MAX_ORDER),
            ("misere outcome", MAX_OUTCOMES),
            ("search", MAX_POSITIONS),
            ("draw", PictureOptions().dpi),
        ],
    )
    def test_stated_defaults(self, command: str, limit: int) -> None:
        assert re.search(rf"\(default: {limit:,}[);]", " ".join(run(*command.split(), "--help").stdout.split()))

    def test_the_group_lists_its_commands(self) -> None:
        text = run("--help").stdout
        listed = text.split("Solve and explain:")[1].split("Examples:")[0]
        commands = re.findall(r"^  ([a-z]+)  ", listed, re.MULTILINE)
        assert commands[:4] == ["solve", "explain", "games", "convert"]
        assert set(commands) == set(main.list_commands(None))
        assert "_GRAPHGAME_COMPLETE=bash_source graphgame" in text

    @pytest.mark.parametrize(
        ("name", "hint"),
        [
            ("colour", "."),
            ("slove", ": did you mean solve?"),
            ("mis\u00e8re", ": did you mean misere?"),
            ("period", ": did you mean heap?"),
            ("nim(3,4)", ': did you mean solve "nim(3,4)"?'),
        ],
    )
    def test_an_unknown_command(self, name: str, hint: str) -> None:
        assert f"No such command {name!r}{hint}\n" in error(name)

    def test_superfluous_word(self, chips: str, tmp_path: Path) -> None:
        (rules := tmp_path / "rules.py").write_text("")
        for words, hint in [
            (("solve", chips, "4"), f"; write a position of a graph file as {chips}@4"),
            (("solve", chips, "left side (2)"), f"; write a position of a graph file as {chips}@left side (2)"),
            (("draw", chips, "chips.svg"), "; name the file to write by -o chips.svg"),
            (("solve", "nim", "3", "4"), '; write a position as one text in quotes: "nim(3,4)"'),
            (("solve", "nim(3)", "4"), ""),
            (("solve", str(rules), "4"), ""),
            (("solve", chips, "4", "--lang", "zh"), f"；要指明图文件中的局面，请写 {chips}@4"),
        ]:
            assert error(*words).endswith(f": {words[2]}{hint}\n".replace(": 3", ": 3 4")) or "zh" in words
            assert error(*words).endswith(f"{hint}\n")


class TestExplain:
    def test_a_position(self, chips: str) -> None:
        expected = explain(graphgame.solve(read_game(chips)), 4, depth=1)
        assert run("explain", chips, "4", "--depth", "1").stdout == f"{expected}\n"

    def test_the_tokens(self, chips: str) -> None:
        assert run("explain", chips).stdout.startswith("first player wins: the nim-sum of the tokens is 3\n")
        assert run("explain", chips, "--tokens", "1 1").stdout.startswith("second player wins")

    def test_misere_play(self, chips: str) -> None:
        text = run("explain", chips, "5", "--misere").stdout
        assert "no options: value 1 under misère play" in text

    def test_an_unknown_position(self, chips: str) -> None:
        message = "position '9' is not a vertex of the graph: its positions are 1 to 6"
        assert error("explain", chips, "9") == f"graphgame: error: {message}\n"

    def test_a_negative_depth(self, chips: str) -> None:
        assert "--depth" in error("explain", chips, "--depth", "-1")


class TestConvert:
    @pytest.mark.parametrize(
        ("name", "format"),
        [
            ("out.edges", "edgelist"),
            ("out.csv", "csv"),
            ("out.tsv.gz", "tsv"),
            ("out.graphml", "graphml"),
            ("out.gexf", "gexf"),
            ("out.json", "node-link"),
            ("out.dot", "dot"),
        ],
    )
    def test_the_formats_follow_from_the_names(self, chips: str, tmp_path: Path, name: str, format: str) -> None:
        out = str(tmp_path / name)
        result = run("convert", chips, out)
        assert (result.exit_code, result.stdout) == (0, "")
        assert result.stderr == f"graphgame: read {chips} as token, wrote {out} as {format}\n"
        written = read_game(out)
        assert written.number_of_edges() == 8
        assert graphgame.solve(written).winner == "first"

    def test_results_through_pipes(self) -> None:
        result = run("convert", "--from", "token", "--to", "edgelist", "-", "-", text=CHIPS)
        assert result.exit_code == 0
        assert set(map(tuple, map(str.split, result.stdout.splitlines()))) >= {("2", "1"), ("3", "6")}
        assert result.stderr == "graphgame: read - as token, wrote - as edgelist\n"

    def test_the_option_that_a_reader_names_works(self, tmp_path: Path) -> None:
        path, out = str(tmp_path / "moves.edges"), str(tmp_path / "out.csv")
        (tmp_path / "moves.edges").write_text("a b\nb c d\n")
        assert "--format adjlist reads each line as a position and its options" in error("convert", path, out)
        assert run("convert", path, out, "--format", "adjlist").exit_code == 0

    def test_file_name_without_a_format(self, chips: str) -> None:
        for name in ("out", "-"):
            message = error("convert", chips, name)
            assert f"the name '{name}' does not tell the format of the file: choose a name such as" in message
            assert "give the format (in convert and generate by --to)" in message

    @pytest.mark.parametrize(
        ("source", "to", "target", "message"),
        [
            ("moves.txt", "csv", "moves.txt", "this would overwrite moves.txt with another format, csv: choose "),
            ("moves.txt", "csv", "./moves.txt", "choose a new name that ends in .csv"),
            ("moves.txt", "csv", "moves.json", "--to csv and the name moves.json disagree: leave out --to"),
            ("moves.txt", "edgelist", "moves.CSV.GZ", "--to edgelist and the name moves.CSV.GZ disagree"),
            ("moves.txt", "token", "moves.txt", "this would overwrite moves.txt with another format, token: choose "),
            ("moves.txt", "edgelist", "moves.txt", None),
            ("moves.txt", "csv", "new.txt", None),
            ("moves.txt", "csv", "new.data", None),
            ("moves.txt", "csv", "moves.csv", None),
        ],
    )
    def test_file_name_with_the_suffix_of_another_format(
        self, source: str, to: str, target: str, message: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path(source).write_text("a b\nb c\n")
        if message is None:
            assert run("convert", source, target, "--to", to).exit_code == 0
            assert set(read_game(target, to).edges) == {("a", "b"), ("b", "c")}
        else:
            assert message in error("convert", source, target, "--to", to)
            assert [path.name for path in tmp_path.iterdir()] == [source]
            assert Path(source).read_text() == "a b\nb c\n"

    @pytest.mark.parametrize("name", ["a.json", "a.DOT.gz", "a.parquet"])
    def test_generated_file_has_the_format_of_its_name(self, tmp_path: Path, name: str) -> None:
        assert f"{name} disagree" in error(
            "generate", "path", "--vertices", "3", "--to", "csv", "-o", f"{tmp_path}/{name}"
        )
        assert not [*tmp_path.iterdir()]
        assert run("generate", "path", "--vertices", "3", "--to", "csv", "-o", f"{tmp_path}/a.data").exit_code == 0

    def test_an_unknown_format_is_refused_before_reading(self, tmp_path: Path) -> None:
        assert "unknown format 'xml'" in error("convert", str(tmp_path / "missing"), "-", "--to", "xml")

    def test_positions_that_the_format_cannot_name(self, tmp_path: Path) -> None:
        (tmp_path / "in.edges").write_text("a b\n")
        assert "graphgame: error: " in error("convert", str(tmp_path / "in.edges"), str(tmp_path / "out.txt"))
        assert not (tmp_path / "out.txt").exists()

    def test_a_bad_input_leaves_no_output(self, tmp_path: Path) -> None:
        (tmp_path / "in.txt").write_text("2 5 1\n1 2\n")
        error("convert", str(tmp_path / "in.txt"), str(tmp_path / "out.dot"))
        assert not (tmp_path / "out.dot").exists()


class TestErrors:
    @pytest.mark.parametrize(
        ("raised", "message"),
        [
            (MemoryError(), "graphgame: error: not enough memory for this game"),
            (RecursionError(), "graphgame: error: the input is nested too deeply"),
            (OSError(28, "No space left on device"), "graphgame: error: No space left on device"),
            (PermissionError(13, "Permission denied", "a\x1bb"), r"graphgame: error: a\x1bb: Permission denied"),
            (Failure("one\ntwo"), "graphgame: error: one\ntwo"),
        ],
    )
    def test_one_message_and_status_2(
        self, chips: str, monkeypatch: pytest.MonkeyPatch, raised: Exception, message: str
    ) -> None:
        def fail(*_: object, **__: object) -> None:
            raise raised

        monkeypatch.setattr(common, "load", fail)
        assert error("solve", chips) == f"{message}\n"

    @pytest.mark.parametrize(
        "command",
        [
            "LONG",
            "--LONG",
            "generate LONG",
            "generate path --vertices LONG",
            "judge LONG",
            "games LONG",
            "solve chips.txt LONG",
            "solve nim(LONG)",
            "solve chips.txt@LONG",
            "solve chips.txt --tokens LONG",
            "solve chips.txt --engine LONG",
            "solve chips.txt --workdir work --memory LONG",
            "draw chips.txt --timeout LONG",
            "heap 0.77 -n LONG",
            "heap LONG",
            "misere 0.77 --heaps LONG",
            "nimber LONG",
            "nimber --table LONG",
            "search cram(4x4) --timeout LONG",
            "values nim(0..LONG)",
            "verify chips.txt LONG",
        ],
    )
    def test_long_input_is_shortened_in_messages(
        self, chips: str, monkeypatch: pytest.MonkeyPatch, command: str
    ) -> None:
        monkeypatch.chdir(Path(chips).parent)
        assert len(error(*command.replace("LONG", "7" * 20_000).split())) < 700

    def test_judge_refuses_numbers_with_many_digits(self) -> None:
        result = run("judge", "john", text=f"1\n1\n{'7' * 20_000}\n")
        assert (result.exit_code, result.stdout) == (2, "")
        assert "standard input:3:1: expected a heap, found the number '777" in result.stderr
        assert len(result.stderr) < 300

    @pytest.mark.parametrize("seconds", ["nan", "inf", "1e400", "0", "-1"])
    def test_seconds_are_finite(self, chips: str, seconds: str) -> None:
        for command in (["search", "cram(2x2)", "--timeout"], ["draw", chips, "--timeout"]):
            assert "Invalid value for '--timeout" in error(*command, seconds)

    def test_an_interrupt(self, chips: str, monkeypatch: pytest.MonkeyPatch) -> None:
        def interrupt(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(common, "load", interrupt)
        result = run("solve", chips)
        assert (result.exit_code, result.stdout, result.stderr) == (130, "", "interrupted\n")

    def test_interrupt_that_surfaces_as_another_error(self, chips: str, monkeypatch: pytest.MonkeyPatch) -> None:
        def load(*_: object, **__: object) -> None:
            try:
                signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:
                raise ImportError from None

        monkeypatch.setattr(common, "load", load)
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # PySpark leaves one of its own
        try:
            result = run("solve", chips)
            assert (result.exit_code, result.stdout, result.stderr) == (130, "", "interrupted\n")
            assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        finally:
            signal.signal(signal.SIGINT, before)


class TestDraw:
    def test_a_file_by_its_name(self, chips: str, tmp_path: Path) -> None:
        out = tmp_path / "out.dot"
        result = run("draw", chips, "-o", str(out))
        assert (result.exit_code, result.stdout, result.stderr) == (0, "", f"graphgame: wrote {out}\n")
        assert sorted(read_game(str(out)).edges) == sorted(read_game(chips).edges)

    @pytest.mark.parametrize("options", [[], ["-o", "-"]])
    def test_dot_on_standard_output(self, chips: str, options: list[str]) -> None:
        result = run("draw", chips, *options)
        assert (result.exit_code, result.stderr) == (0, "")
        assert sorted(parse_game(result.stdout, "dot").edges) == sorted(read_game(chips).edges)

    def test_an_image(self, chips: str, tmp_path: Path) -> None:
        out = tmp_path / "out.svg"
        assert run("draw", chips, "-o", str(out)).exit_code == 0
        assert "<svg" in out.read_text()

    @pytest.mark.parametrize(
        ("options", "positions"),
        [
            (["--reachable-from", "4"], {4, 5}),
            (["--reachable-from", "3,4"], {3, 4, 5, 6}),
            (["--around", "6", "--steps", "1"], {3, 6}),
            (["--around", "6"], {1, 3, 6}),
            (["--only", "P"], {2, 5, 6}),
            (["--only", "N"], {1, 3, 4}),
            (["--only", "N", "--misere"], {1, 2, 5, 6}),
        ],
    )
    def test_part_of_the_graph(self, chips: str, options: list[str], positions: set[int]) -> None:
        assert set(parse_game(run("draw", chips, *options).stdout, "dot")) == positions

    @pytest.mark.parametrize(
        "options",
        [
            ["--left-to-right"],
            ["--no-values"],
            ["--no-names"],
            ["--no-legend"],
            ["--title", "a game"],
            ["--colors", "#123456, orange"],
            ["--misere"],
            ["--tokens", "5"],
            ["--plain"],
        ],
    )
    def test_each_style_option_changes_the_picture(self, chips: str, options: list[str]) -> None:
        result = run("draw", chips, *options)
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout != run("draw", chips).stdout
        assert sorted(parse_game(result.stdout, "dot").edges) == sorted(read_game(chips).edges)

    def test_a_graph_with_a_cycle_is_drawn_plain(self, tmp_path: Path) -> None:
        (tmp_path / "cycle.edges").write_text("a b\nb a\n")
        assert "the graph has a cycle" in error("draw", str(tmp_path / "cycle.edges"))
        text = run("draw", str(tmp_path / "cycle.edges"), "--plain").stdout
        assert set(parse_game(text, "dot").edges) == {("a", "b"), ("b", "a")}

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            (["--plain", "--only", "P"], "--plain draws without solving"),
            (["--around", "9"], "position '9' is not a vertex of the graph: its positions are 1 to 6"),
            (["--around", "1", "--steps", "-1"], "invalid steps -1: expected an integer of 0 or more"),
            (["--steps", "3"], "give --around POSITIONS"),
            (["--around", "1", "--reachable-from", "1"], "choose one of --around and --reachable-from"),
            (["--no-legend", "--legend", "right"], "choose one of --legend and --no-legend"),
            (["--colors", "red"], "expected two colours, for P- and N-positions"),
            (["--colors", "red,nocolor"], "'nocolor': expected #rrggbb, or one of black, white"),
            (["--dpi", "1"], "invalid dpi 1: expected an integer from 10 to 2400"),
            (["--timeout", "0"], "Invalid value for '--timeout'"),
            (["-o", "out.xyz"], "out.xyz"),
        ],
    )
    def test_refused_input(self, chips: str, options: list[str], message: str) -> None:
        assert message in error("draw", chips, *options)
