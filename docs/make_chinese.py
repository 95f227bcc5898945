"""Update the Chinese documents: ``python docs/make_chinese.py`` copies the code of each English page to its twin.

A page in docs/zh/ has a twin of the same name in docs/. The code is copied from the twin, and the output of commands is
made in Chinese. People write the text. The last line of a Chinese page is a digest of the English text, so a test fails
if the English text has changed. Then translate the change and run this script. The part of an English page after
``END`` has no Chinese version.
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Iterator
from contextlib import chdir
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from click.testing import CliRunner

from graphgame.cli import main

DOCS = Path(__file__).resolve().parent
HOWTO = [f"howto/{page.name}" for page in sorted(DOCS.glob("howto/*.md"))]
NAMES = ("games", "heaps", "index", "laws", "loopy", "misere", "pictures", "play", "scale", "tutorial")
TWINS = [*(f"{name}.md" for name in NAMES), *HOWTO]
END = "<!-- English only below -->"
MORE = "更多内容见[英文页](../{})。"
"""The last line of a Chinese page whose English twin is longer."""
CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
FILE = re.compile(r"^<!-- file: ([\w.]+) -->\n```python\n(.*?)```", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(
    r"(?P<command>^\$ (?:printf '(?P<input>[^']*)' \| )?graphgame (?P<words>.*)\n)(?:(?!\$ |```).*\n)*", re.MULTILINE
)
COMMENT = re.compile(r"^<!-- .* -->\n", re.MULTILINE)
DIGEST = re.compile(r"\n+<!-- English: \w+ -->\n\Z")


def page(name: str) -> str:
    """Return the text of a Chinese page: its own words, the code of the English page, and the digest."""
    english = english_of(name)
    words = CODE.split(chinese_of(name))
    code = code_of(english)
    if len(words) != len(code) + 1:
        raise SystemExit(f"docs/zh/{name} has {len(words) - 1} pieces of code, docs/{name} has {len(code)}")
    mixed = "".join(part for pair in zip(words, [*code, ""], strict=True) for part in pair)
    more = f"{MORE.format(name)}\n\n" if END in (DOCS / name).read_text(encoding="utf-8") else ""
    return f"{mixed.rstrip()}\n\n{more}<!-- English: {digest(english)} -->\n"


def english_of(name: str) -> str:
    """Return the part of an English page that has a Chinese version."""
    return (DOCS / name).read_text(encoding="utf-8").partition(END)[0]


def chinese_of(name: str) -> str:
    """Return a Chinese page without the lines that this script adds to its end."""
    text = DIGEST.sub("\n", (DOCS / "zh" / name).read_text(encoding="utf-8"))
    return text.rstrip().removesuffix(MORE.format(name)).rstrip() + "\n"


def code_of(english: str) -> list[str]:
    """Return the code blocks of a page, with the output of commands in Chinese."""
    with TemporaryDirectory() as folder, chdir(folder):
        shutil.copytree(DOCS.parent / "samples", "samples")
        for name, text in FILE.findall(english):
            Path(name).write_text(text, encoding="utf-8")
        return [COMMAND.sub(answered, piece) for piece in CODE.findall(english)]


def answered(found: re.Match[str]) -> str:
    """Return a command with its output in Chinese, without warnings about this machine, such as a missing font."""
    given = (found["input"] or "").replace("\\n", "\n")
    words = ["--lang", "zh", *shlex.split(found["words"])]
    with (
        patch("graphgame.compiled.engine.warn_caller"),
        patch("graphgame.labs.layouts.plots.warn_of_missing"),
        patch("graphgame.cli.errors.tell_of_compiling"),
    ):
        return found["command"] + CliRunner().invoke(main, words, input=given, catch_exceptions=False).output


def digest(english: str) -> str:
    """Return a short digest of the words of a page, without code."""
    return sha256(" ".join(CODE.sub("", english).split()).encode()).hexdigest()[:12]


def shape(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield for each paragraph of a page its kind, its number of list items or table rows, and its number of links."""
    for part in re.split(r"\n\n+", CODE.sub("```", COMMENT.sub("", text)).strip()):
        kind = re.findall(r"\A(?:#+ |\||- |1\. |!|<|```|)", part)[0]
        items = len(re.findall(r"^(?:\||- |\d+\. )", part, re.MULTILINE))
        yield kind, items, part.count("](")


if __name__ == "__main__":
    for name in TWINS:
        (DOCS / "zh" / name).write_text(page(name), encoding="utf-8")
