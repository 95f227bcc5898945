"""What the meters of searches say."""

from __future__ import annotations

import pytest

from graphgame.labs.search.meters import Keeping, Searching


@pytest.mark.parametrize(
    ("meter", "text"),
    [
        (Searching(), "searching: 1,234 positions, depth 7"),
        (Keeping("table.txt"), "writing 7 positions to table.txt: 100% [####################]"),
        (Keeping("table.txt", reading=True), "reading the 7 positions of table.txt: 100% [####################]"),
    ],
)
def test_what_it_says(capsys: pytest.CaptureFixture[str], meter: Keeping | Searching, text: str) -> None:
    meter._started -= 10
    meter._shown -= 10
    meter(1234 if isinstance(meter, Searching) else 7, 7)
    assert text in capsys.readouterr().err
