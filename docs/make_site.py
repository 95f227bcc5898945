"""Make the website: ``python docs/make_site.py [FOLDER]`` writes it to build/site. It works without a network.

The pages are the project's documents, unchanged, in English and Chinese. There is also a page for each game of the
catalogue, in both languages, and a page for each public name. A warning of Sphinx or a broken link is an error. This
needs the extra ``docs``.
"""

from __future__ import annotations

import re
import runpy
import shutil
import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from click.testing import CliRunner
from sphinx.cmd.build import build_main

from graphgame.cli import main as graphgame
from graphgame.rules.catalogue import CATALOGUE
from graphgame.rules.ruleset import About, Entry
from graphgame.text.languages import LANGUAGES, using
from graphgame.text.rules import described

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = (
    "README.md",
    "README.zh.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SUPPORT.md",
    "SECURITY.md",
    "LICENSE",
    "docs",
    "samples",
)
REFERENCE = runpy.run_path(str(ROOT / "docs" / "make_reference.py"))
COMMANDS = runpy.run_path(str(ROOT / "docs" / "make_commands.py"))
title = REFERENCE["title"]
ENUMERATION = re.compile(r"^(?=[A-Z]\.)", re.MULTILINE)
NOTATION = re.compile(r"((?<!\w)[a-z][a-z-]*(?:\{[^}]*\}(?:\([^)]*\))?|\([^)（]*\)))")
CHINESE_WORDS = {
    "Games": "游戏",
    "Play": "对弈",
    "Rules": "规则",
    "Source": "出处",
    "Theorem": "定理",
    "Values": "数值",
}
ABOUT_GAMES = {
    "en": "Rules, theorem, source, values and a board of each game. :doc:`/docs/games` explains the notation.",
    "zh": "每个游戏的规则、定理、出处、数值，以及可以对弈的棋盘。记法见\\ :doc:`/docs/zh/games`\\ 。",
}


def make(target: Path) -> None:
    """Delete what the folder contains, and write the site to it."""
    source = target.with_name(f"{target.name}-source")
    for folder in (source, target):
        shutil.rmtree(folder, ignore_errors=True)
    stage(source)
    write_games(source)
    REFERENCE["write"](source / "api")
    (source / "api" / "commands.md").write_text(COMMANDS["page"](), encoding="utf-8")
    arguments = ["-b", "html", "-W", "--keep-going", "-q", "-j", "2", "-c", str(ROOT / "docs")]
    if build_main([*arguments, "-d", str(source / ".doctrees"), str(source), str(target)]):
        raise SystemExit(1)
    write_boards(target / "play")
    if broken := list(broken_links(target)):
        raise SystemExit("\n".join(["broken links:", *broken]))
    shutil.rmtree(source)


def stage(source: Path) -> None:
    """Write the folder that Sphinx reads: documents with their paths in the project, start pages, and two pictures."""
    unwanted = shutil.ignore_patterns("*.py", "__pycache__", "site")
    source.mkdir(parents=True)
    for name in DOCUMENTS:
        path = ROOT / name
        if path.is_dir():
            shutil.copytree(path, source / name, ignore=unwanted)
        else:
            shutil.copy(path, source)
    for page in (ROOT / "docs" / "site").glob("*.md"):
        shutil.copy(page, source)
    for language in LANGUAGES:
        picture = str(source / f"chomp-{language}.svg")
        run("draw", "chomp(2x3)", "--pictures", "--legend", "below", "-o", picture, "--lang", language)
    for folder, other in (("docs", "zh/"), ("docs/zh", "../")):
        page = source / folder / "index.md"
        text = page.read_text(encoding="utf-8")
        page.write_text("\n".join([text, *contents(text, other)]), encoding="utf-8")


def contents(text: str, other: str) -> Iterator[str]:
    """Yield the lines of the side bar's toctrees: a toctree for each section of an index page that links to pages.

    Pages whose path begins with ``other``, the folder of the other language, are left out.
    """
    for section in text.split("\n## ")[1:]:
        links = re.findall(r"\]\(([^)#]+)\)", section)
        if pages := [path.rpartition(".")[0] for path in links if not path.startswith(other)]:
            yield from ("```{toctree}", ":hidden:", f":caption: {section.partition(chr(10))[0]}", "", *pages, "```", "")


def write_games(source: Path) -> None:
    """Write a page for each game of the catalogue in each language."""
    for language, folder in zip(LANGUAGES, (source / "games", source / "games" / "zh"), strict=True):
        folder.mkdir()
        for entry in CATALOGUE.values():
            (folder / f"{entry.name}.rst").write_text("\n".join(game_page(entry, language)), encoding="utf-8")
        (folder / "index.rst").write_text("\n".join(games_index(language)), encoding="utf-8")


def write_boards(folder: Path) -> None:
    """Write the offline page for each game's example."""
    folder.mkdir()
    for entry in CATALOGUE.values():
        run("draw", entry.example, "-o", str(folder / f"{entry.name}.html"), "--loopy")


def game_page(entry: Entry, language: str) -> Iterator[str]:
    """Yield the page about a game as reStructuredText."""
    about = description(entry, language)
    yield title(name_of(about.rules, entry.name))
    rules = "\n\n".join(filter(None, (about.rules, about.ending, about.notation)))
    for heading, text in (("Rules", rules), ("Theorem", about.theorem), ("Source", about.source)):
        if text:
            yield from (title(word(heading, language), "-"), text, "")
    page = f"../play/{entry.name}.html" if language == "en" else f"../../play/{entry.name}.html#language=zh"
    yield from (title(word("Play", language), "-"), f"``{entry.example}``", "", ".. raw:: html", "")
    yield f'   <iframe class="game" src="{page}" title="{entry.name}"></iframe>\n'
    yield from (title(word("Values", language), "-"), ".. code-block:: console", "", *values_of(entry.example))


def games_index(language: str) -> Iterator[str]:
    """Yield the index of games: a card for each game, with its picture and its rules in one sentence."""
    yield from (title(word("Games", language)), ABOUT_GAMES[language], "", *REFERENCE["toctree"](CATALOGUE, ":hidden:"))
    yield from ("", ".. grid:: 1 2 3 3", "   :gutter: 3", "")
    for entry in CATALOGUE.values():
        rules = description(entry, language).rules
        yield from (f"   .. grid-item-card:: {name_of(rules, entry.name)}", f"      :link: {entry.name}")
        yield from ("      :link-type: doc", "      :class-card: game", "")
        picture = f"docs/gallery/position-{entry.name}.svg"
        if (ROOT / picture).exists():
            yield from (f"      .. image:: /{picture}", "         :alt:", "")
        first = rules.removeprefix(name_of(rules, entry.name)).lstrip(":： ")
        yield from (f"      {first[:1].upper()}{first[1:]}", "")


def description(entry: Entry, language: str) -> About:
    """Return the description of a game as reStructuredText, in English or translated."""
    with using(language):
        about, written = (entry.about, str) if language == "en" else (described(entry), as_written)
    return about._replace(**{name: ENUMERATION.sub(r"\\", written(getattr(about, name))) for name in About._fields[:5]})


def as_written(text: str) -> str:
    """Return a text as reStructuredText: notation becomes code, everything else is escaped."""
    parts = NOTATION.split(text)
    parts[::2] = [re.sub(r"([\\*`|_])", r"\\\1", part) for part in parts[::2]]
    parts[1::2] = [rf"\ ``{part}``\ " for part in parts[1::2]]
    return "".join(parts)


def word(english: str, language: str) -> str:
    """Return a heading in the language of the page."""
    return CHINESE_WORDS[english] if language == "zh" else english


def name_of(rules: str, name: str) -> str:
    """Return the full name of a game: what its rules have before a colon in the first 41 letters; or its own name."""
    called = re.match(r"[^\n]{,40}?(?=[:：])", rules)
    return called[0] if called else name.replace("-", " ").capitalize()


@cache
def values_of(example: str) -> list[str]:
    """Return a command for a game's values and its output; with ranges if the example is one or two numbers."""
    name, _, position = example.rpartition("(")
    sources = [example]
    if re.fullmatch(r"\d+\)", position):
        sources = [f"{name}({least}..{most})" for most in (30, 4) for least in (0, 1)]
    elif re.fullmatch(r"\d+,\d+\)", position):
        sources = [f"{name}({least}..9, {least}..9)" for least in (0, 1)]
    for source in sources:
        done = CliRunner().invoke(graphgame, ["values", source, "--loopy", "--max-positions", "20000"])
        if done.exit_code == 0:
            return [f'   $ graphgame values "{source}"', *(f"   {line}" for line in done.output.splitlines())]
    raise SystemExit(done.output)


def run(*arguments: str) -> str:
    """Return the output of a graphgame command."""
    done = CliRunner().invoke(graphgame, arguments, catch_exceptions=False)
    if done.exit_code:
        raise SystemExit(f"graphgame {' '.join(arguments)}: {done.output}")
    return done.output


class Links(HTMLParser):
    """The anchors of a page, the targets of its links, and the files that it loads."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.targets: list[str] = []
        self.loaded: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect ids, link targets and loaded files."""
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                (self.targets if tag == "a" else self.loaded).append(value)


def broken_links(target: Path) -> Iterator[str]:
    """Yield broken links within the folder, and files loaded from elsewhere; skip the pages in play and _static."""
    pages = {
        path: Links(path)
        for path in target.rglob("*.html")
        if not {"play", "_static"} & {*path.relative_to(target).parts}
    }
    for path, links in pages.items():
        for link in (*links.targets, *links.loaded):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                wrong = link in links.loaded and parts.scheme != "data"
            else:
                end = (path.parent / unquote(parts.path)).resolve() if parts.path else path
                fragment = unquote(parts.fragment)
                wrong = not end.exists() or bool(end in pages and fragment and fragment not in pages[end].anchors)
            if wrong:
                yield f"{path.relative_to(target)}: {link}"


if __name__ == "__main__":
    make(Path(sys.argv[1] if sys.argv[1:] else ROOT / "build" / "site").resolve())
