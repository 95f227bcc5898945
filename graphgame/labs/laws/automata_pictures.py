"""Draw the automaton of a law: its states, and arrows with the digits read."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from graphgame.drawing import style
from graphgame.drawing.dot import Statement
from graphgame.drawing.image import graphviz_command, laid_out
from graphgame.errors import FormatError, Message, MissingExtraError, shorten
from graphgame.io.files import PathLike, open_atomic, plain_suffix
from graphgame.io.interchange import dot_string
from graphgame.labs.laws.automata import Automaton
from graphgame.labs.laws.formulas import as_written
from graphgame.text.languages import render, translate

_MOST_SYMBOLS = 12
"""If an arrow has at least two symbols more than this, its label has this many symbols and the count of the others."""

_SYMBOLS_A_LINE = 4
"""Number of symbols in each line of an arrow's label."""

_SECONDS = 60
"""Time limit for Graphviz, in seconds."""


def automaton_lines(automaton: Automaton, names: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a Graphviz file for an automaton.

    An arrow is labelled with the digits that are read, in the order of ``names``. States from which no accepting state
    can be reached are left out, except the start.
    """
    alive = automaton.alive()
    title = translate(
        "The automaton reads the {numeration} digits of {names} in parallel, the most significant digits first",
        names=as_written(", ".join(names)),
        numeration=render(automaton.numeration.name),
    )
    yield "digraph automaton {\nrankdir=LR;\n"
    theme = style.THEMES["light"]
    words = {"label": dot_string(title), "labelloc": "b", "fontname": style.FONT, "fontsize": "11"}
    yield Statement(("graph",), words).line()
    yield Statement(("node",), {**style.node(theme), "shape": "circle"}).line()
    yield Statement(("edge",), style.edge(theme)).line()
    yield Statement(("start",), {"label": '""', "shape": "point", "width": "0.08", "height": "0.08"}).line()
    yield Statement(("start", "s0"), {}).line()
    for state in range(len(automaton)):
        if alive[state]:
            accepts = {"shape": "doublecircle"} if automaton.accepting[state] else {}
            yield Statement((f"s{state}",), {"label": dot_string(str(state)), **accepts}).line()
            for end, label in _arrow_labels(automaton, names, state).items():
                if alive[end]:
                    yield Statement((f"s{state}", f"s{end}"), {"label": label}).line()
    yield "}\n"


def draw_automaton(automaton: Automaton, names: Sequence[str], path: PathLike) -> None:
    """Draw an automaton to a .dot, .gv, .svg, .png or .pdf file, or as text to standard output ("-").

    Raises
    ------
    FormatError
        The file name has none of these endings.
    MissingExtraError
        Graphviz is not installed, and the file is an image.
    LayoutError
        Graphviz could not make the image, or took more than 60 seconds.
    """
    suffix, text = plain_suffix(path), "".join(automaton_lines(automaton, names))
    if suffix in (".dot", ".gv") or os.fspath(path) == "-":
        with open_atomic(path) as stream:
            stream.write(text)
        return
    if suffix not in (".svg", ".png", ".pdf"):
        name = shorten(os.fspath(path))
        raise FormatError(
            "cannot tell the picture's format from the name {name}: expected .svg, .png, .pdf or .dot", name
        )
    command = graphviz_command(suffix[1:])
    if command is None:
        raise MissingExtraError(Message("drawing an automaton to a file other than .dot or .gv"), "render")
    image = laid_out(text, command, _SECONDS, Message("write the text for Graphviz to a file whose name ends in .dot"))
    with open_atomic(path, "wb") as stream:
        stream.write(image)


def _arrow_labels(automaton: Automaton, names: Sequence[str], state: int) -> dict[int, str]:
    """Map each next state to the label of its arrow, quoted for Graphviz: the symbols that lead to it, in short lines.

    A symbol is written as its digits, in the order of ``names``. Of 14 symbols or more, only 12 are written.
    """
    digits, indices = automaton.numeration.digits, [automaton.tracks.index(name) for name in names]
    symbols_to: dict[int, list[str]] = {}
    # A symbol is a number with a digit for each track, the first track in the lowest place.
    for symbol, end in enumerate(automaton.table[state].tolist()):
        word = [str(symbol // digits**place % digits) for place in indices]
        symbols_to.setdefault(end, []).append(("" if digits <= 10 else ".").join(word))
    labels = {}
    for end, words in symbols_to.items():
        shown, more = sorted(words), len(words) - _MOST_SYMBOLS
        if more > 1:
            shown[_MOST_SYMBOLS:] = [translate("and {count} more", count=more)]
        lines = (" ".join(shown[start : start + _SYMBOLS_A_LINE]) for start in range(0, len(shown), _SYMBOLS_A_LINE))
        labels[end] = '"' + "\\n".join(lines) + '"'
    return labels
