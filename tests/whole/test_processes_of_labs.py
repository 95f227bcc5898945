"""Commands of labs as real processes, and their completion in the shell."""

import pytest

from tests.core.cli.test_process import CHIPS, completions, in_shell, modules_loaded
from tests.helpers import needs


def test_streams_that_are_closed(tmp_path):
    (tmp_path / "chips.txt").write_text(CHIPS)
    done = in_shell("draw chips.txt -o a.svg <&- >&- 2>&-", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    done = in_shell("heap 0.77 --npy >&- <&-", tmp_path)
    assert (done.returncode, done.stderr) == (2, "graphgame: error: standard input or output is closed\n")


@needs("numba")
@pytest.mark.parametrize("words", ["heap 0.106 -n 40000", "heap 0.77 --period"])
def test_cached_loops_need_no_library(words):
    assert not {"networkx", "numba"} & modules_loaded(*words.split())


@pytest.mark.parametrize(
    ("words", "completion"),
    [
        ("graphgame solve x --format gra", "plain,graphml"),
        ("graphgame convert x y --to node", "plain,node-link"),
        ("graphgame solve ch", "plain,chomp"),
        ("graphgame games wy", "plain,wythoff"),
        ("graphgame law wy", "plain,wythoff"),
        ("graphgame play cho", "plain,chomp"),
        ("graphgame misere quo", "plain,quotient"),
        ("graphgame misere quotient x --heap", "plain,--heaps"),
        ("graphgame heap check ka", "file,ka"),
    ],
)
def test_completion(words, completion):
    assert completion in completions(words)
