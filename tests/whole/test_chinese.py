"""Every command in Chinese: the output has no English words except names, typed text and notation."""

import re
import shlex

import pytest
from click.testing import CliRunner

from graphgame.cli import main
from graphgame.io.formats import FORMATS
from graphgame.rules.catalogue import CATALOGUE
from tests.commands import fill

COMMANDS = """
solve chips.txt --values values.csv --draw game.svg
solve chips.txt --misere -o misere.txt
solve cycle.edges --loopy --tokens a,b
solve "nim(3,4,5)" --misere
solve "take{1,2,3}(10) + kayles(4)"
solve "kayles(4) || nim(2)"
solve "wythoff(1000000,3)"
solve rules.py:Square(7)
solve "nim(3,4"
solve "nim(3,a)"
solve "chomp(0x3)"
solve "wythoff(3)"
solve chips.txt --tokens 9
solve chips.txt --values a.xyz
solve chips.txt -o a.xyz
solve chips.txt --json --latex
explain chips.txt
explain chips.txt 4 --misere
explain "kayles(5)" --misere --genus --depth 0
explain cycle.edges a --loopy
explain "nim(14,21,39)" --misere
explain "kayles(4) & nim(3)"
explain "kayles(4) && nim(3)" --misere
explain "kayles(4) : nim(3)"
explain "wythoff(5,8)" --depth 0
explain "fibonacci(13)" --depth 0
explain chips.txt --genus
draw chips.txt -o a.svg --around 99
draw chips.txt -o a.svg --ratio x
draw "nim(9,9,9)" -o a.svg --layout dot --product
draw "kayles(0..40)" -o a.svg
convert chips.txt game.graphml
convert chips.txt a.xyz
play chips.txt <<< hint;why;rules;history;moves;save;save a.play;99;-> 5;xx;undo;resign
play "kayles(4)" --misere <<< hint;why;1;1;1
play "nim(2,1)" --first computer <<< 1;1
play "wind-up{7:1,2,5}(3)" --loopy <<< rules;hint;why;quit
play --replay a.play
games nope
heap 0.77 --period --certificate period.json
heap "4.[3]" --period
heap "take{not 2,3}" --period
heap 0.6 -n 100 --stats
heap rules.py:Square --period
heap check period.json --heap 1000
heap check chips.txt
heap search 0.d -n 300 -o codes.csv
heap search 0.zz
heap compare 0.137 0.07
heap compare 0.77 0.7 -n 100
misere "take{1,3,4}" --heaps 8
misere chips.txt
misere 0.123 --heaps 5 --canonical
misere quotient 0.123 --heaps 20 -o quotient.json
misere check quotient.json
misere check quotient.json 0.137
misere check period.json
misere outcome 0.123 3 --heaps 20
misere outcome 0.123 3,x
search "cram(3x4)" --value
search "node-kayles(grid:3x4)" --compare
search "sprouts(3)" --resume sprouts.txt
search "cram(7x7)" --timeout 0.001
nimber "7*"
nimber "foo"
reduce chips.txt
reduce cycle.edges --to heaps
values chips.txt
values "nim(0..9999,0..9999)"
law "take{1,2,3}(n)" --steps -o take.json
law kayles
law "lasker(n)"
law "bash{3}(n)" --misere
law "nim(a,b)" --steps
law "nim(a,b)" -o nim.json
law "chomp(2xn)"
law grundy
law "take{1,3,4}(n)" --guess "n % 7 in {0, 3}"
law "take{1,3,4}(n)" --guess "n %% 7"
law "kayles(n)" --misere
law "nim(a,b,c,d,e)"
verify take.json
verify nim.json
verify chips.txt values.csv
verify chips.txt values.csv --misere
verify chips.txt chips.txt
verify chips.txt
check rules.py:Loop
check rules.py:Boom
check rules.py:Nothing
check rules.py:Same
check rules.py:Refuses(3)
check "wythoff(3,3)"
judge john <<< 1;2;3 x
judge nope
stats chips.txt
stats "nim(3,4)" --product
certificate chips.txt -o proof.csv
certificate cycle.edges
generate random --vertices 20 --edges 40 -o random.txt
generate random --vertices 2 --edges 100
generate foo
"""

NAMES = {
    *("mex", "xor", "mod", "phi", "floor", "graphgame", "games", "main", "token", "help", "pretending", "Graphviz"),
    *("grundy", "value", "outcome", "remoteness", "position", "FROM", "Python", "reduce", "equal", "parse", "format"),
    "canonical",
    *("Guy", "Smith", "Fibonacci", "options", "division", "by", "zero", "None", "yield", "abs", "gcd", "max", "min"),
    *("popcount", "csv", "json", "parquet", "in", "if", "else", "law", "search", "inf", "relabel", "or"),
    *("pictures", "genus", "force", "generate", "decode", "encode"),
    *("board", "moves", "hint", "why", "rules", "undo", "history", "save", "resign", "quit", "values", "sqrt"),
    *CATALOGUE,
    *FORMATS,
}


def english(told, command):
    """Return the English words of an output that are not names, quoted, typed or notation."""
    told = re.sub(r"""'[^'\n]*'|"[^"\n]*\"""", "", told)
    words = re.findall(r"(?<![\w{}()/.\\^_*+=<>@:-])[A-Za-z][a-z]+(?![\w{}(/\\^_*+=<>@-]|\.\w)", told)
    return [word for word in words if word not in NAMES | set(re.findall("[A-Za-z]+", command))]


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """Return the output of each command, run in a folder with small files."""
    place = tmp_path_factory.mktemp("chinese")
    fill(place)
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        for line in filter(None, COMMANDS.splitlines()):
            words, _, lines = line.partition(" <<< ")
            arguments = ["--lang", "zh", *shlex.split(words)]
            typed = lines.replace(";", "\n") + "\n" if lines else None
            found[line] = CliRunner().invoke(main, arguments, input=typed, catch_exceptions=False).output
    return found


@pytest.mark.long
def test_no_english_is_left(told):
    assert len(told) > 90
    left = {line: english(text, line) for line, text in told.items()}
    assert [f"{line}: {' '.join(words)}" for line, words in left.items() if words] == []


@pytest.mark.long
def test_punctuation_is_chinese_where_the_words_are(told):
    assert [text for text in told.values() if re.search("[\u3400-\u9fff][:;,] ", text)] == []


def test_the_line_about_help_follows_the_language_each_time():
    for language, words in (("zh", "显示本说明"), ("en", "Show this message"), ("zh", "显示本说明")):
        assert words in CliRunner().invoke(main, ["stats", "--lang", language, "--help"]).output


@pytest.mark.parametrize(
    ("command", "english", "chinese"),
    [
        (
            "convert",
            "  edgelist  .edges, .edgelist  two labels on each line",
            "  edgelist  .edges, .edgelist  每行两个标签",
        ),
        ("generate", "  path        one long line of play", "  path        一条长的对局"),
        ("games", "  A + B   sum: move in", "  A + B   和："),
        ("heap", "heap 0.77                      # the values", "heap 0.77                      # 凯尔斯"),
    ],
)
def test_the_lists_below_the_options_are_in_the_language(command, english, chinese):
    """The language may change between calls; the columns stay aligned."""
    for language, told, other in (("zh", chinese, english), ("en", english, chinese), ("zh", chinese, english)):
        text = CliRunner().invoke(main, ["--lang", language, command, "--help"]).output
        assert told in text
        assert other not in text
