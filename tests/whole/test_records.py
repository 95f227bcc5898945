"""Files of ``--resume``: if a file is damaged, the answer is the same, or an error says so."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphgame import Search, parse_position
from graphgame.errors import GraphGameError, ParseError
from graphgame.labs import heaps
from graphgame.labs.heaps.search import search
from graphgame.labs.heaps.storage import resumed_values
from graphgame.labs.misere import find_fault, heap_graph, heap_quotient, read_quotient, write_quotient
from graphgame.labs.records import RecordFormat, fits, natural
from graphgame.labs.scale import disk as external
from graphgame.labs.scale.disk import workdir
from tests.alterations import altered

COUNTS = RecordFormat("graphgame counts", 3, {"counts": [natural]}, "count again")


def values(path: Path) -> list[int]:
    return resumed_values(heaps.octal("0.77"), 40, path).tolist()


def periods(path: Path) -> list[Any]:
    return search("0.0d", 12, resume=path)


def table(path: Path) -> tuple[int | None, ...]:
    position = parse_position("cram(2x3)")
    kept = Search(position)
    if path.exists():
        kept.read_table(path)
    found = kept.grundy
    kept.write_table(path)
    return (found,)


def outcomes(path: Path) -> list[str] | str:
    """What the file says once it is proved; its proof is in it, so that it needs no digest."""
    kayles = heaps.octal("0.77")
    if not path.exists():
        write_quotient(heap_quotient(kayles, 12), path)
    found = read_quotient(path)
    fault = find_fault(found, heap_graph(kayles, 12))
    if fault is not None:
        raise ParseError(fault, source=path.name)
    return [found.outcome(a, b) for a in range(13) for b in range(a)]


RECORDS: dict[str, Callable[[Path], Any]] = {
    "heap run": values,
    "heap search": periods,
    "search table": table,
    "misère quotient": outcomes,
}


@pytest.mark.parametrize("name", RECORDS)
def test_an_altered_record(name: str, tmp_path: Path) -> None:
    path, answer = tmp_path / "record", RECORDS[name]
    expected = answer(path)
    data, found = path.read_bytes(), []
    assert answer(path) == expected, "goes on with what is there"
    for changed in altered(data, seed=1):
        path.write_bytes(changed)
        found.append(answered(answer, path, expected))
    assert found.count("error") >= 15
    assert set(found) <= {"error", "same"}


@pytest.mark.parametrize("stage", ["grouping", "done"])
def test_an_altered_manifest(stage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of work that was stopped after three buckets, and of all work."""
    monkeypatch.setattr(workdir, "BUCKET_BITS", 2)
    edges, work = tmp_path / "game.edges", tmp_path / "work"
    edges.write_text("# tokens: 17 29\n" + "".join(f"{n} {m}\n" for n in range(30) for m in range(max(0, n - 3), n)))

    def stop(told: str, done: int, total: int | None) -> None:
        if (told, done) == (stage, 3):
            raise KeyboardInterrupt

    def answer(folder: Path) -> tuple[Any, ...]:
        with external.solve(edges, folder, engine="plain") as solution:
            return solution.values.tolist(), solution.tokens, solution.nim_sum, solution.winning_moves()

    if stage == "done":
        answer(work)
    else:
        with pytest.raises(KeyboardInterrupt):
            external.solve(edges, work, progress=stop, engine="plain")
    kept = {file.name: file.read_bytes() for file in work.iterdir()}
    expected, found = answer(work), []
    for number, changed in enumerate(altered(kept["manifest.json"], seed=2)):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, data in {**kept, "manifest.json": changed}.items():
            (folder / name).write_bytes(data)
        found.append(answered(answer, folder, expected))
        if found[-1] == "error":
            assert {name: (folder / name).read_bytes() for name in kept} == {**kept, "manifest.json": changed}
    assert found.count("error") >= 30
    assert set(found) <= {"error", "same"}


def answered(answer: Callable[[Path], Any], path: Path, expected: Any) -> str:
    """Say how a question about a record that was altered ended."""
    try:
        return "same" if answer(path) == expected else "another"
    except GraphGameError as error:
        message = str(error)
    return "error" if path.name in message and len(message.splitlines()) == 1 else message


class TestRecord:
    TEXT = COUNTS.dumps({"counts": [3, 1]})

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "f: not in the format 'graphgame counts': count again"),
            ('{"format": "others"}', "f: not in the format 'graphgame counts': count again"),
            (TEXT[:-1], "f: the file is damaged: count again"),
            (TEXT + "}", "f: the file is damaged: count again"),
            (TEXT.replace("3,", "x,"), "f: the file is damaged: count again"),
            (TEXT.replace("[3, 1]", "[" * 100_000), "f: the file is damaged: count again"),
            (TEXT.replace("[3, 1]", "1" * 10_000), "f: the file is damaged: count again"),
            (TEXT.replace("[3, 1]", "1e999"), "f: the file is damaged: count again"),
            (
                TEXT.replace('"version": 3', '"version": 4'),
                "f: version 4 of the format 'graphgame counts', not version 3: count again",
            ),
            (TEXT.encode().replace(b"3", b"\xff"), "f: the file is damaged: count again"),
            (COUNTS.dumps({"counts": [-1]}), "f: the file is damaged: count again"),
            (COUNTS.dumps({"counts": []} | {"more": 1}), "f: the file is damaged: count again"),
            (COUNTS.dumps({}), "f: the file is damaged: count again"),
        ],
    )
    def test_methods_that_do_not_apply(self, text: str | bytes, message: str) -> None:
        with pytest.raises(ParseError) as caught:
            COUNTS.loads(text, "f")
        assert str(caught.value) == message

    def test_spaces_and_order_are_free(self) -> None:
        record = json.loads(self.TEXT)
        first = {"format": record.pop("format")}
        assert COUNTS.loads(json.dumps(first | dict(reversed(record.items()))), "f") == {"counts": [3, 1]}

    @pytest.mark.parametrize(
        ("found", "shape", "fitting"),
        [
            (3, int, True),
            (True, int, False),
            (3.0, int, False),
            (-1, natural, False),
            (None, (None, natural), True),
            ("a", ("b", "a"), True),
            ("c", ("b", "a"), False),
            ([], [int], True),
            ([1, "a"], [int], False),
            ([1, "a"], [int, str], True),
            ([1], [int, str], False),
            ({"a": 1}, {"a": int}, True),
            ({"a": 1, "b": 1}, {"a": int}, False),
            ({}, {"a": int}, False),
            ("text", [str], False),
        ],
    )
    def test_shapes(self, found: object, shape: object, fitting: bool) -> None:
        assert fits(found, shape) is fitting
