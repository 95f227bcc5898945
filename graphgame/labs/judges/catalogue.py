"""The entry for the format of online judges in the list of graph file formats."""

from __future__ import annotations

from graphgame.errors import Message
from graphgame.io.format import Format

FORMATS = (
    Format(
        "judge",
        (".judge",),
        "labs.judges.judge_format",
        Message("judge form: n, the options of each vertex, queries"),
    ),
)
