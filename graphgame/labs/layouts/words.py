"""The texts of this lab's pictures: sizes, texts at edges, and a description for people who cannot see the picture."""

from __future__ import annotations

import numpy as np

from graphgame.drawing.captions import default_caption, positions_in_words, tells_winner, with_counts
from graphgame.drawing.dot import edge_labels, words_at
from graphgame.drawing.picture import GraphPicture
from graphgame.text.languages import amount, translate
from graphgame.text.text import capped, component_move_text, printable

_MOST_MOVES = 5


def alternative(picture: GraphPicture) -> tuple[str, str]:
    """Return a title and a description in words: who wins, the number of positions, and the winning moves."""
    caption = default_caption(picture)
    title = " ".join(printable(line, 0) for line in (picture.options.title or caption).splitlines())
    facts = [caption, *([positions_in_words(picture), *_winning_moves(picture)] if tells_winner(picture) else [])]
    return title, ". ".join(fact for fact in facts if fact != title)


def size_words(picture: GraphPicture, numbers: np.ndarray) -> str:
    """Return the number of positions and of sums among some vertices, in words."""
    sums = 0 if picture.graph.sums is None else int(np.count_nonzero(picture.graph.sums[numbers]))
    positions = with_counts(picture, amount(len(numbers) - sums, "position"))
    return translate(", ").join([positions, amount(sums, "sum")]) if sums else positions


def _winning_moves(picture: GraphPicture) -> list[str]:
    moves = [component_move_text(move) for move in picture.winning_moves[:_MOST_MOVES]]
    if len(picture.tokens or ()) == 1:
        moves = [f"{printable(move.start)} -> {printable(move.end)}" for move in picture.winning_moves[:_MOST_MOVES]]
    if not moves:
        return []
    return [
        translate("Winning moves: {moves}", moves="; ".join(capped(moves, len(picture.winning_moves), _MOST_MOVES)))
    ]


def edge_words(picture: GraphPicture) -> dict[tuple[str, str], str]:
    """Return the texts at edges: (name of the source, name of the target) -> text.

    The text of an edge is its attribute ``label``, and how often a part occurs in a sum, if more than once. Edges that
    have neither are left out.
    """
    labels, words_of = edge_labels(picture.graph), dict[tuple[str, str], str]()
    for block in picture.edges():
        if labels or block.multiplicity.max(initial=1) > 1:
            for source, target, _, multiplicity in zip(*(array.tolist() for array in block), strict=True):
                if words := words_at(labels.get((source, target)), multiplicity):
                    words_of[f"n{source}", f"n{target}"] = words
    return words_of
