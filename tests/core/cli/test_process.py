"""The command as a real process: exit status, streams, interrupts, pipes, terminals and what it loads."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import graphgame
from tests.helpers import needs_graphviz

CHIPS = "6 8 4\n2 1\n2 4\n1 4\n1 5\n4 5\n1 3\n3 5\n3 6\n1 2 4 6\n"
COMMAND = [sys.executable, "-m", "graphgame"]


@pytest.fixture
def chips(tmp_path: Path) -> str:
    path = tmp_path / "chips.txt"
    path.write_text(CHIPS)
    return str(path)


def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    settings: dict[str, object] = {"text": True, "encoding": "utf-8", "timeout": 60, "capture_output": True, **options}
    return subprocess.run([*COMMAND, *arguments], check=False, **settings)  # type: ignore[call-overload,no-any-return]


def start(*arguments: str, **options: object) -> subprocess.Popen[str]:
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    settings: dict[str, object] = {**pipes, "preexec_fn": hear_signals, **options}
    return subprocess.Popen([*COMMAND, *arguments], **settings)  # type: ignore[call-overload,no-any-return]


def in_shell(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command, and what the shell makes of its streams."""
    line = f"{sys.executable} -m graphgame {command}"
    return subprocess.run(["sh", "-c", line], check=False, text=True, capture_output=True, cwd=folder)


def completions(words: str) -> list[str]:
    """Return what bash is offered for the last of some words."""
    last = str(len(words.split()) - 1)
    environment = {"_GRAPHGAME_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": last}
    return run(env={**os.environ, **environment}).stdout.splitlines()


def modules_loaded(*words: str) -> set[str]:
    """Return the modules that a command loads; what it compiles, it compiles before."""
    program = "import sys; from graphgame.cli import main; main(sys.argv[1:], standalone_mode=False); "
    command = [sys.executable, "-c", f"{program} print(*sys.modules)", *words]
    for _ in range(2):  # loops are cached by the second run, if not before
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    return set(done.stdout.splitlines()[-1].split())


def hear_signals() -> None:
    """Reset the signals that end a command: nohup, or the background of a script, leaves them ignored."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def wait_until_it_reads(process: subprocess.Popen[str]) -> None:
    """Write more than a pipe holds: that ends when the process has read some of it."""
    assert process.stdin is not None
    process.stdin.write("# nothing yet\n" * 20_000)
    process.stdin.flush()


def wait_until(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.parametrize("encoding", ["cp437", "cp1252", "gbk", "ascii"])
@pytest.mark.parametrize(
    ("words", "status"),
    [("--help", 0), ("games nim", 0), ("explain nim(1,2)", 0), ("solve nope(3)", 2), ("solve", 2), ("nope", 2)],
)
def test_consoles_without_chinese_characters(encoding: str, words: str, status: int) -> None:
    env = {**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"}
    done = run(*words.split(), "--lang", "zh", env=env, encoding=None, text=False)
    assert (done.returncode, b"Traceback" in done.stderr) == (status, False)
    shown = (done.stdout + done.stderr).decode("utf-8" if encoding == "ascii" else encoding)  # click writes UTF-8 then
    assert ("\\u" in shown) == encoding.startswith("cp")


class TestStreams:
    def test_a_result_goes_to_standard_output(self, chips: str) -> None:
        done = run("solve", chips, "--verdict")
        assert (done.returncode, done.stdout, done.stderr) == (0, "win\n", "")

    def test_a_message_goes_to_standard_error(self, tmp_path: Path) -> None:
        done = run("solve", f"{tmp_path}/missing.txt")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr == f"graphgame: error: {tmp_path}/missing.txt: No such file or directory\n"

    def test_binary_input_has_no_traceback(self, tmp_path: Path) -> None:
        path = tmp_path / "noise.txt"
        path.write_bytes(bytes(range(256)) * 9)
        done = run("solve", str(path))
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"graphgame: error: {path}:1:")

    def test_standard_input(self) -> None:
        assert run("solve", "-", "--verdict", input=CHIPS).stdout == "win\n"

    @pytest.mark.parametrize(
        ("encoding", "shown"),
        [("ascii", "位置".encode()), ("latin-1", rb"\u4f4d\u7f6e"), ("cp1252", rb"\u4f4d\u7f6e")],
    )
    def test_a_terminal_without_unicode(self, tmp_path: Path, encoding: str, shown: bytes) -> None:
        path = tmp_path / "labels.csv"
        path.write_text("位置,é\n", encoding="utf-8")
        environment = {**os.environ, "PYTHONIOENCODING": encoding, "LC_ALL": "C"}
        done = run("solve", str(path), env=environment, text=False, encoding=None)
        assert (done.returncode, done.stderr) == (0, b"")
        assert shown in done.stdout

    def test_dot_on_a_terminal_says_how_to_get_a_picture(self, tmp_path: Path) -> None:
        path = tmp_path / "a.edges"
        path.write_text("a b\n")
        ours, theirs = os.openpty()
        words = ("draw", str(path), "--plain", "--no-legend")
        done = run(*words, stdout=theirs, capture_output=False, stderr=subprocess.PIPE)
        assert os.read(ours, 1 << 12).startswith(b"digraph")
        assert done.stderr == "graphgame: this is DOT, text for Graphviz: -o FILE.svg draws a picture\n"
        assert run(*words).stderr == ""
        os.close(ours)
        os.close(theirs)

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
    def test_a_full_disk(self, chips: str) -> None:
        with Path("/dev/full").open("w") as full:
            done = run("solve", chips, stdout=full, capture_output=False, stderr=subprocess.PIPE)
        assert (done.returncode, done.stderr) == (2, "graphgame: error: No space left on device\n")

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
    @pytest.mark.parametrize(
        ("command", "status", "message"),
        [
            ("solve chips.txt >&-", 2, "standard input or output is closed"),
            ("solve chips.txt --values - >&-", 2, "standard input or output is closed"),
            ("solve - <&-", 2, "standard input or output is closed"),
            ("play chips.txt <&-", 2, "standard input or output is closed"),
            ("--help >&-", 2, "standard input or output is closed"),
            ("--help >/dev/full", 2, "No space left on device"),
            ("solve --help >/dev/full", 2, "No space left on device"),
            ("--version >/dev/full", 2, "No space left on device"),
            ("solve chips.txt >/dev/null 2>&-", 0, None),
            ("draw chips.txt -o a.dot <&- >&- 2>&-", 0, None),
            ("solve missing 2>&-", 2, None),
            ("solve missing 2>/dev/full", 2, None),
            ("no-such-command <&- >&- 2>&-", 2, None),
        ],
    )
    def test_streams_that_are_closed_or_full(self, chips: str, command: str, status: int, message: str | None) -> None:
        done = in_shell(command, Path(chips).parent)
        assert (done.returncode, done.stderr) == (status, f"graphgame: error: {message}\n" if message else "")


class TestPipesAndInterrupts:
    @pytest.mark.parametrize("arguments", [["solve", "--json"], ["solve", "--values", "-"], ["draw"], ["explain"]])
    def test_a_reader_that_goes_away(self, tmp_path: Path, arguments: list[str]) -> None:
        path = tmp_path / "star.edges"
        path.write_text("".join(f"{n} 0\n" for n in range(1, 5000)))
        with start(arguments[0], str(path), *arguments[1:]) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.read(10)
            process.stdout.close()
            assert process.stderr.read() == ""
            assert process.wait(60) in (0, 141)

    def test_a_reader_of_a_game_that_goes_away(self) -> None:
        with start("play", "nim(1,2)") as process:
            assert process.stdin is not None
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.readline()
            process.stdout.close()
            process.stdin.write("help\n" * 3)
            process.stdin.close()
            assert process.stderr.read() == ""
            assert process.wait(60) == 141

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
    def test_a_game_saved_to_a_full_disk(self) -> None:
        done = run("play", "nim(1,2)", input="save /dev/full\nquit\n")
        assert done.stderr.startswith("graphgame: /dev/full: No space left on device\n")

    @pytest.mark.parametrize(
        "command", ["--help", "solve --help", "check nim(3,4,5)", "explain nim(3,4,5)", "draw nim(2)"]
    )
    def test_no_reader_at_all(self, command: str) -> None:
        read, write = os.pipe()
        os.close(read)
        done = run(*command.split(), capture_output=False, stdout=write, stderr=subprocess.PIPE)
        os.close(write)
        assert (done.returncode, done.stderr) == (141, "")

    @pytest.mark.parametrize(
        ("number", "status", "message"),
        [
            (signal.SIGINT, 130, "interrupted\n"),
            (signal.SIGTERM, 143, "terminated\n"),
            (signal.SIGHUP, 129, "hangup\n"),
        ],
    )
    def test_a_signal_ends_a_command_and_leaves_no_file(
        self, tmp_path: Path, number: int, status: int, message: str
    ) -> None:
        process = start("convert", "-", str(tmp_path / "out.edges"))
        wait_until_it_reads(process)
        process.send_signal(number)
        assert process.communicate(timeout=60) == ("", message)
        assert process.returncode == status
        assert list(tmp_path.iterdir()) == []

    def test_a_hangup_that_is_ignored_stays_so(self) -> None:
        process = start("solve", "-", "--verdict", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        wait_until_it_reads(process)
        process.send_signal(signal.SIGHUP)
        assert process.communicate("a b\n# tokens: a\n", timeout=60) == ("win\n", "")

    @needs_graphviz
    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
    def test_a_command_that_is_ended_ends_its_layout(self, tmp_path: Path, number: int) -> None:
        path = tmp_path / "large.edges"
        path.write_text("".join(f"{n} {m}\n" for n in range(90) for m in range(n)))
        process = start("draw", str(path), "--force", "-o", str(tmp_path / "large.svg"))
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        wait_until(children.read_text)
        maps = Path(f"/proc/{children.read_text().strip()}/maps")
        wait_until(lambda: "graphviz" in maps.read_text())
        process.send_signal(number)
        process.communicate(timeout=60)
        wait_until(lambda: not maps.exists() or not maps.read_text())

    def test_an_interrupt_while_the_libraries_load(self, tmp_path: Path) -> None:
        (tmp_path / "networkx.py").write_text("import signal; print('loading', flush=True); signal.pause()")
        paths = os.pathsep.join([str(tmp_path), *sys.path])
        process = start("solve", "chips.txt", env={**os.environ, "PYTHONPATH": paths})
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=60) == ("", "interrupted\n")
        assert process.returncode == 130


class TestStart:
    def test_a_small_game_loads_nothing_heavy(self, chips: str) -> None:
        program = (
            "import sys; from graphgame.cli import main; main(['solve', sys.argv[1]], standalone_mode=False); "
            "print(*sys.modules)"
        )
        done = subprocess.run([sys.executable, "-c", program, chips], check=True, capture_output=True, text=True)
        loaded = {name.split(".")[0] for name in done.stdout.splitlines()[-1].split()}
        assert not loaded & {"pydot", "pyparsing", "numba", "rich", "pygraphviz", "scipy", "matplotlib"}
        assert not {name for name in done.stdout.split() if name.startswith("graphgame.drawing")}

    @pytest.mark.parametrize(
        ("words", "unwanted"),
        [
            ("--help", "networkx numpy graphgame.cli.solve"),
            ("solve nim(3,4)", "numba graphgame.labs.search.nimber_search graphgame.labs.heaps.games"),
        ],
    )
    def test_what_a_command_does_not_load(self, words: str, unwanted: str) -> None:
        assert not set(unwanted.split()) & modules_loaded(*words.split())

    @pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="threads are counted as Linux tells them")
    def test_numpy_starts_no_threads(self) -> None:
        program = "import os, sys; from graphgame.__main__ import main; sys.argv[1:] = ['solve', 'nim(3,4)']\n"
        program += "try: main()\nfinally: print(len(os.listdir('/proc/self/task')))"
        unset = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
        done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True, env=unset)
        assert done.stdout.splitlines()[-1] == "1"

    def test_the_help_of_no_command_loads_libraries(self) -> None:
        program = (
            "import sys; from graphgame.cli import main; from click.testing import CliRunner\n"
            "for name in set(main.list_commands(None)) - {'generate'}:\n"  # whose help lists its loops
            "    assert CliRunner().invoke(main, [name, '--help']).exit_code == 0\n"
            "print(*sys.modules)"
        )
        done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
        assert not {"networkx", "numpy", "numba"} & set(done.stdout.split())

    def test_version(self) -> None:
        assert run("--version").stdout == f"graphgame {graphgame.__version__}\n"

    def test_the_installation_and_its_cache(self, tmp_path: Path) -> None:
        folder = tmp_path / "graphgame" / "loops"
        (folder / "0123").mkdir(parents=True)
        (folder / "0123" / "a loop").write_bytes(b"code")
        env = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
        lines = run("-v", "--version", env=env).stdout.splitlines()
        assert lines == run("--version", "-v", env=env).stdout.splitlines()
        assert (lines[0], lines[-1]) == (f"graphgame {graphgame.__version__}", f"compiled loops are cached in {folder}")
        assert f"numpy {np.__version__}" in lines
        assert [run("--clear-cache", env=env).stdout for _ in range(2)] == [
            f"removed 1 file from {folder}\n",
            f"removed 0 files from {folder}\n",
        ]
        assert not folder.exists()

    @pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
    def test_the_script_that_completes(self, shell: str) -> None:
        done = run(env={**os.environ, "_GRAPHGAME_COMPLETE": f"{shell}_source"})
        assert "_GRAPHGAME_COMPLETE" in done.stdout

    @pytest.mark.parametrize(
        ("words", "completion"),
        [
            ("graphgame so", "plain,solve"),
            ("graphgame solve x --for", "plain,--format"),
            ("graphgame solve x --format edge", "plain,edgelist"),
            ("graphgame convert x y --to cs", "plain,csv"),
            ("graphgame solve x --engine co", "plain,compiled"),
            ("graphgame solve ch", "file,ch"),
            ("graphgame solve nim", "plain,nim"),
            ("graphgame games wi", "plain,wind-up"),
            ("graphgame play cut", "plain,cutting"),
        ],
    )
    def test_completion(self, words: str, completion: str) -> None:
        assert completion in completions(words)

    def test_a_large_game_without_numba_is_told_what_to_install(self, tmp_path: Path) -> None:
        path = tmp_path / "large.edges"
        path.write_text("".join(f"{n} {n - 1}\n" for n in range(1, 250_000)))
        block = "import sys; sys.modules['numba'] = None; import importlib.util as u; find = u.find_spec; "
        block += "u.find_spec = lambda name, *rest: None if name == 'numba' else find(name, *rest); "
        program = (
            f"{block} from graphgame.cli import main; main(['solve', {str(path)!r}, '--verdict', '--tokens', '5'])"
        )
        done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (0, "win\n")
        assert done.stderr == ("graphgame: this game is large; compiled loops solve it faster: pip install numba\n")


def test_two_names_of_one_file_as_where_capital_letters_make_no_difference(tmp_path: Path) -> None:
    path, again = tmp_path / "game.txt", tmp_path / "GAME.TXT"
    path.write_text("1 0 1\n1\n")
    again.hardlink_to(path)
    done = run("convert", str(path), str(again), "--to", "csv")
    assert (done.returncode, f"this would overwrite {again} with another format, csv: " in done.stderr) == (2, True)
    assert path.read_text() == again.read_text() == "1 0 1\n1\n"
