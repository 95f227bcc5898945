"""Slow readers of token files and edge lists that follow the definition word by word, to test the fast readers."""

import re

WORD = re.compile(r"[^ \t\n\v\f\r]+")
NUMBER = re.compile(r"-?[0-9]{1,18}")
INTEGER = re.compile(r"0|-?[1-9][0-9]*")
HEADER = re.compile(r"[ \t]*source[ \t]+target[ \t\r]*", re.I)
LARGEST = 2**31 - 2


class WrongError(Exception):
    """A file that breaks its format; ``place`` is (line, column), None for the end, or "too large"."""

    def __init__(self, place):
        super().__init__(place)
        self.place = place


def lines(text):
    text = text.removeprefix("\ufeff")
    if "\r" in text and "\n" not in text:
        text = text.replace("\r", "\n")
    return text.split("\n")


def token_file(text):
    """Return the number of vertices, the edges and the tokens."""
    words = _words(text)
    vertices = _number(words, 0, None)
    if vertices > LARGEST:
        raise WrongError("too large")
    edges, tokens = (_number(words, 0, None) for _ in range(2))
    ends = [_number(words, 1, vertices) for _ in range(2 * edges)]
    marked = [_number(words, 1, vertices) for _ in range(tokens)]
    for _, place in words:
        raise WrongError(place)
    return vertices, list(zip(ends[::2], ends[1::2], strict=True)), marked


def _words(text):
    for number, line in enumerate(lines(text), 1):
        for found in WORD.finditer(line):
            if found[0][0] in "#%" and not NUMBER.fullmatch(found[0]):
                break
            yield found[0], (number, found.start() + 1)


def _number(words, least, most):
    word, place = next(words, (None, None))
    if word is None or not NUMBER.fullmatch(word):
        raise WrongError(place)
    if int(word) < least or (most is not None and int(word) > most):
        raise WrongError(place)
    return int(word)


def edge_list(text):
    """Return the positions and the edges, each a set."""
    if not WORD.search(text.removeprefix("\ufeff")):
        raise WrongError(None)
    rows = []
    is_top = True
    for number, line in enumerate(lines(text), 1):
        if line.startswith(("#", "%")) or not WORD.search(line):
            continue
        found = list(WORD.finditer(line))
        if is_top and HEADER.fullmatch(line):
            is_top = False
            continue
        is_top = False
        if len(found) > 2:
            raise WrongError((number, found[2].start() + 1))
        rows.append([word[0] for word in found])
    labels = {label for row in rows for label in row}
    integers = all(INTEGER.fullmatch(label) and -(2**63) <= int(label) < 2**63 for label in labels)
    if integers:
        labels, rows = set(map(int, labels)), [list(map(int, row)) for row in rows]
    return labels, {tuple(row) for row in rows if len(row) == 2}
