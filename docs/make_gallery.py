"""Draw the gallery: ``python docs/make_gallery.py`` writes docs/gallery.md and the pictures in docs/gallery/."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from click.testing import CliRunner

from graphgame import parse_position
from graphgame.cli import main as graphgame
from graphgame.drawing import picture_svg
from graphgame.rules.catalogue import CATALOGUE

ROOT = Path(__file__).resolve().parent.parent

PAIRS = (
    "law \"a' < a and b' = b; a' = a and b' < b; a' = a - 1 and b' = b - 1\" "
    '--guess "a // 3 = b // 3 and (a + b) % 3 = 0"'
)
GRAPHS = {
    "chips": ("Tokens on a graph", 'draw samples/chips.txt --ratio 16:9 --title "Four chips on a graph"'),
    "chips-print": (
        "Tokens on a graph, for print without colour",
        'draw samples/chips.txt --theme print --ratio 4:3 --title "Four chips on a graph"',
    ),
    "chips-small": (
        "Tokens on a graph, in a picture small enough for a text",
        "draw samples/chips.txt --left-to-right --legend below",
    ),
    "beans": (
        "Ten beans: take 1, 2 or 3",
        'draw "bash{3}(10)" --left-to-right --no-values --ratio 16:9 --title "Ten beans: take 1, 2 or 3"',
    ),
    "beans-zh": (
        "Ten beans, in Chinese",
        'draw "bash{3}(10)" --left-to-right --no-values --ratio 16:9 --title "十颗豆子：每次取 1、2 或 3 颗" --lang zh',
    ),
    "chips-zh": (
        "Tokens on a graph, in Chinese",
        'draw samples/chips.txt --ratio 16:9 --title "图上的四枚棋子" --lang zh',
    ),
    "chomp": ("Chomp on a bar of 2 rows of 3", 'draw "chomp(2x3)" --pictures --no-names --ratio 16:9'),
    "chomp-dark": (
        "Chomp for a dark slide",
        'draw "chomp(3x3)" --pictures --no-names --theme dark --ratio 16:9 --legend right',
    ),
    "cutting": ("The Cutting Game: a sheet and its cuts", 'draw "cutting(4x4)" --pictures --no-names --ratio 16:9'),
    "kayles": ("Kayles: a row of five pins", 'draw "kayles(5)" --pictures --no-names --ratio 16:9'),
    "nim": (
        "Nim with heaps of 1, 2 and 2: the graph of all positions of the sum",
        'draw "nim(1,2,2)" --product --pictures --no-names --ratio 16:9 --legend right',
    ),
    "notakto": (
        "Notakto under misère play",
        'draw "notakto(.X./X../...)" --misere --pictures --no-names --ratio 16:9 '
        '--caption "whoever makes three in a row loses"',
    ),
    "wythoff": ("Wythoff's game: heaps of 2 and 3", 'draw "wythoff(2,3)" --pictures --ratio 16:9'),
    "strategy": (
        "A subtraction game, from left to right",
        'draw "take{1,3,4}(12)" --left-to-right --ratio 16:9 --title "Take 1, 3 or 4"',
    ),
    "strategy-lost": (
        "A subtraction game: only the P-positions",
        'draw "take{1,3,4}(30)" --only P --ratio 16:9 --title "Take 1, 3 or 4: where the previous player wins"',
    ),
    "queen": ("A queen on a board: positions that are pairs of numbers", 'draw samples/queen.csv --title "One queen"'),
    "wythoff-board": (
        "Wythoff's game up to 40 on a board: P-positions lie near two lines",
        'draw "wythoff(40,40)" --layout board --caption "a queen that goes to the corner"',
    ),
    "wythoff-map": (
        "Wythoff's game up to 200: values as a heat map",
        'draw "wythoff(0..200, 0..200)" --title "The values of Wythoff\'s game"',
    ),
    "chomp-boards": (
        "Chomp with three rows: a board for each length of the first row",
        'draw "chomp(3x7)" --theme dark',
    ),
    "layers": ("Chomp with hundreds of positions, level by level", 'draw "chomp(5x6)" --layout layers'),
    "overview": ("An overview of a large game", 'draw "chomp(7x9)" --title "Chomp on 7 rows of 9"'),
    "merged": ("Equal positions drawn as one vertex", 'draw "notakto(.X./X../...)" --misere --merge --ratio 16:9'),
    "around": (
        "A part of a larger game, with the number of moves to positions outside it",
        'draw "chomp(3x4)" --around 3,2,1 --steps 1 --ratio 16:9',
    ),
    "journey": ("Labels in any script", "draw samples/journey.edges --ratio 16:9"),
    "cycle": ("A game with a cycle: draws are hexagons", "draw samples/cycle.edges --loopy --ratio 16:9"),
}
LAWS = {
    "law": ("An automaton that accepts the P-positions", PAIRS),
    "law-zh": ("The automaton with Chinese words", f"{PAIRS} --lang zh"),
}

PLOTS = {
    "wythoff-values": ("The values of Wythoff's game", 'values "wythoff(0..60, 0..60)"'),
    "wythoff-lost": (
        "The P-positions of Wythoff's game lie near two lines of slopes φ and 1/φ",
        'values "wythoff(0..99, 0..99)" --outcomes',
    ),
    "euclid-values": ("The values of Euclid's game", 'values "euclid(1..16, 1..16)"'),
    "dawson-values": ("Dawson's Kayles: a sequence of period 34", 'values "octal{0.07}(0..200)"'),
    "chomp-stats": ("Chomp: lengths of play, numbers of options, and values", 'stats "chomp(4x5)"'),
}

ABOUT = (
    "After this page you know which pictures graphgame can draw, and the command for each picture. "
    "`python docs/make_gallery.py` draws all pictures of this page."
)


def draw(folder: Path) -> str:
    """Draw all pictures into a folder, and return the text of the page."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["# Gallery", "", ABOUT, ""]
    for title, pictures, option in (("Graphs", GRAPHS, "-o"), ("Plots", PLOTS, "--plot"), ("Laws", LAWS, "--draw")):
        lines += [f"## {title}", ""]
        for name, (caption, command) in pictures.items():
            run(f"{command} {option} {shlex.quote(str(folder / f'{name}.svg'))}")
            shown = f"graphgame {command} {option} {name}.svg"
            lines += [f"### {caption}", "", f"![{caption}](gallery/{name}.svg)", "", "```sh", shown, "```", ""]
    lines += [
        "## Positions",
        "",
        "The option `--pictures` of `draw` draws these boards in the vertices of a graph.",
        "",
        "| game | position |",
        "|---|---|",
    ]
    return "\n".join([*lines, *positions(folder), ""])


def run(command: str) -> None:
    """Run a command, written without the word ``graphgame``, in the current folder; exit if it fails."""
    done = CliRunner().invoke(graphgame, shlex.split(command), catch_exceptions=False)
    if done.exit_code:
        raise SystemExit(f"graphgame {command}: {done.output}")


def positions(folder: Path) -> list[str]:
    """Draw the examples of all games whose rules draw a picture, and return their rows of a table."""
    rows = []
    for name, entry in CATALOGUE.items():
        position = parse_position(entry.example)
        ruleset = position.components[0].ruleset
        parts = [component.position for component in position.components]
        picture = ruleset.sum_picture(parts) if parts[1:] else ruleset.picture(parts[0])
        if picture is not None:
            (folder / f"position-{name}.svg").write_text(picture_svg(picture), encoding="utf-8")
            rows.append(f"| `{entry.example}` | ![{name}](gallery/position-{name}.svg) |")
    return rows


if __name__ == "__main__":
    os.chdir(ROOT)
    (ROOT / "docs" / "gallery.md").write_text(draw(Path("docs/gallery")), encoding="utf-8")
