"""The texts in other languages: none is missing, none is left over, and commands speak the language asked for."""

import ast
import re
import runpy
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from hypothesis import example, given
from hypothesis import strategies as st

from graphgame import explain, set_language
from graphgame.cli import main
from graphgame.errors import Message, ParameterError, either, system_message
from graphgame.io.formats import FORMATS
from graphgame.rules.catalogue import CATALOGUE
from graphgame.text.languages import LANGUAGES, current_language, language_of, lookup, render, texts_of, using
from tests.commands import fill

MAKE = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "make_texts.py"))


def zh(*arguments):
    return CliRunner().invoke(main, ["--lang", "zh", *arguments], catch_exceptions=False)


@pytest.fixture
def place(tmp_path, monkeypatch):
    fill(tmp_path)
    monkeypatch.chdir(tmp_path)


class TestCatalogue:
    @pytest.mark.long
    @pytest.mark.parametrize("language", LANGUAGES[1:])
    def test_catalogue_is_in_step_with_the_source(self, language):
        assert MAKE["path"](language).read_bytes() == MAKE["po"](language), "run python docs/make_texts.py"
        for domain in (MAKE["DOMAIN"], "click"):
            compiled = MAKE["path"](language, "mo", domain).read_bytes()
            assert compiled == MAKE["mo"](language, domain), "run python docs/make_texts.py"

    @pytest.mark.parametrize("language", LANGUAGES[1:])
    def test_no_text_is_without_translation(self, language):
        assert MAKE["waiting"](language) == [], "translate them in the catalogue, and run python docs/make_texts.py"

    @pytest.mark.parametrize("language", LANGUAGES[1:])
    def test_translations_take_the_facts_of_the_text(self, language):
        def facts(text):
            return set(re.findall(r"\{[a-z_]+\d*(?:!r|:,)?\}", text))

        texts = texts_of(language).items()
        assert len(texts) > 1000
        assert [english for english, text in texts if facts(english) != facts(text)] == []


def templates_that_are_made():
    """Yield the places where what should be a template is put together, so that no catalogue can have it."""
    for source in sorted(MAKE["PACKAGE"].rglob("*.py")):
        for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and MAKE["takes_template"](node):
                given = [node.args[0]]
                if isinstance(node.args[0], ast.IfExp):
                    given = [node.args[0].body, node.args[0].orelse]
                if any(isinstance(each, (ast.JoinedStr, ast.BinOp)) for each in given):
                    yield f"{source.relative_to(MAKE['PACKAGE'])}:{node.lineno}"


@pytest.mark.long
def test_every_template_is_a_literal():
    assert list(templates_that_are_made()) == []


def test_games_are_described_in_chinese():
    assert [text for text in MAKE["catalogue_texts"]() if lookup(text, "zh") == text] == []


class TestLanguage:
    @pytest.mark.parametrize(
        ("environment", "language"),
        [
            ({}, "en"),
            ({"LANG": "zh_CN.UTF-8"}, "zh"),
            ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
            ({"LANG": "C", "LC_MESSAGES": "zh"}, "zh"),
            ({"LANG": "de_DE"}, "en"),
        ],
    )
    def test_the_environment_chooses(self, environment, language, place):
        assert language_of(environment) == language
        told = CliRunner().invoke(main, ["solve", "chips.txt"], env=environment).output.splitlines()[0]
        assert told == {"en": "first player wins in 5 moves", "zh": "先手胜，整局 5 步"}[language]

    def test_the_option_stands_anywhere_and_wins(self, place):
        for words in (["--lang", "zh", "solve", "chips.txt"], ["solve", "chips.txt", "--lang=zh"]):
            assert CliRunner().invoke(main, words, env={"LC_ALL": "C"}).output.startswith("先手胜")
        words = ["solve", "chips.txt", "--lang", "en"]
        assert CliRunner().invoke(main, words, env={"LC_ALL": "zh_CN"}).output.startswith("first")
        assert current_language() == "en"

    def test_the_option_without_a_language(self, place):
        assert "'--lang' requires an argument" in CliRunner().invoke(main, ["solve", "chips.txt", "--lang"]).output

    def test_python_uses_english_by_default(self):
        assert explain("nim(3)").startswith("first player wins")
        with using("zh"):
            assert explain("nim(3)").startswith("先手胜")
        with pytest.raises(ParameterError, match="unknown language 'fr'"):
            set_language("fr")
        assert current_language() == "en"

    @pytest.mark.parametrize(
        "words",
        ["solve chips.txt --json", "solve chips.txt --verdict", "values nim(0..3) --csv", "stats chips.txt --json"],
    )
    def test_machine_readable_output_stays_english(self, words, place):
        assert zh(*words.split()).output == CliRunner().invoke(main, words.split()).output

    def test_columns_of_wide_characters_are_aligned(self, place):
        lines = zh("solve", "chips.txt").output.splitlines()
        head = next(place for place, line in enumerate(lines) if "分量  局面" in line)
        assert lines[head : head + 2] == ["分量  局面  值  胜负    剩余步数", "   1  1      2  必胜态         1"]


def choices():
    """Return the lists of keywords that commands ask for: formats, games, and what options take."""
    options = (param for command in MAKE["commands"](main) for param in command.params)
    taken = {tuple(map(str, param.type.choices)) for param in options if isinstance(param.type, click.Choice)}
    return sorted({tuple(FORMATS), tuple(CATALOGUE), *taken})


LABELS = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)


class TestMessages:
    @pytest.mark.parametrize("names", choices(), ids=lambda names: names[0])
    def test_names_to_type_are_never_translated(self, names):
        with using("zh"):
            listed = render(Message("unknown format {name!r}: expected one of {formats}", "foo", ", ".join(names)))
            assert listed == f"没有格式 'foo'：应为以下之一：{', '.join(names)}"
            for name in names:
                assert render(Message("{file}: {reason}", name, system_message("No such file or directory"))) == (
                    f"{name}: 没有这个文件或目录"
                )
                meant = Message("did you mean {names}?", either([name, "nim"]))
                assert render(Message("unknown game {name!r}: {hint}", "x", meant)) == (
                    f"没有游戏 'x'：是不是 {name} 或 nim？"
                )

    @given(LABELS)
    @example("winning moves")
    @example("winning moves: a")
    @example("{label} {name!r} mex{}")
    @example("; 5 positions (3 more)")
    def test_quoted_text_survives(self, label):
        """A label stands in an English and in a Chinese message as it is, also one that is a text of the catalogue."""
        fault = Message(
            "{file}: {fault}", label, Message("there is no column {name!r}, because the file has no rows", "x")
        )
        assert fault == f"{label}: there is no column 'x', because the file has no rows"
        with using("zh"):
            assert render(fault) == f"{label}: 没有列 'x'，因为文件没有数据行"
            assert render(label) == label

    @pytest.mark.parametrize(
        ("name", "fault"),
        [
            ("winning moves", "没有这个文件或目录"),
            ("winning moves.txt", "没有这个文件或目录"),
            ("winning moves.edges", "每行应为一个或两个标签"),
        ],
    )
    def test_a_file_keeps_its_name(self, place, name, fault):
        Path("winning moves.edges").write_text("a b c\n")
        told = zh("solve", name).stderr
        assert told.startswith(f"graphgame: 错误：{name}:")
        assert fault in told

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            ("solve nosuch.txt", "graphgame: 错误：nosuch.txt: 没有这个文件或目录\n"),
            ("solve nim(3,4", '1:4: 括号 ( 没有闭合：应为 )；是不是 "nim(3,4)"？\n    nim(3,4\n       ^\n'),
            ("solve chips.txt --tokens 9", "局面 '9' 不是图的顶点：它的局面是 1 至 6"),
            ("solve cycle.edges", "图中有环，所以对局不一定终止：'a' -> 'b' -> 'a'"),
            ("values nim(0..9999,0..9999)", "100000000 项的表超出限额 2000000 项；"),
            ("foo", "没有命令 'foo'"),
            ("solve", "用法："),
            ("solve --foo", "没有选项"),
            ("solve", "错误：缺少参数 'SOURCE'。\n"),
            ("convert chips.txt x.xyz", "可用的有 token, edgelist, csv"),
            ("values nim(0..2) --csv --json", "只能选一个：--csv 和 --json"),
            ("generate random --edges x", "不是有效的整数。"),
        ],
    )
    def test_errors_are_in_the_language(self, words, message, place):
        told = zh(*words.split())
        assert told.exit_code == 2
        assert message in told.stderr
