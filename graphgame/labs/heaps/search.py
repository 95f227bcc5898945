"""Search for proved periods of all codes that match a pattern."""

from __future__ import annotations

import re
import time
from collections.abc import Generator
from concurrent.futures import CancelledError, ThreadPoolExecutor, as_completed
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from itertools import product
from math import prod
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np

from graphgame.compiled.engine import Engine, Progress, cores, report, use_compiled
from graphgame.errors import LimitError, Message, ParseError, checks_parameters, needs_extra
from graphgame.io.files import PathLike, Source, open_atomic
from graphgame.labs.heaps.codes import LETTERS
from graphgame.labs.heaps.games import game
from graphgame.labs.heaps.heapgame import HeapGame
from graphgame.labs.heaps.periods import PeriodCertificate
from graphgame.labs.heaps.study import same_moves
from graphgame.labs.records import RecordFormat, digest, natural

_WILD = {"d": LETTERS[:8], "x": LETTERS[:16]}
"""Wild card of a pattern -> a text of all digits that it stands for."""

_LIMIT = 10_000
_LIMIT_OF_MANY_PARTS = 1000
"""The default limit of a search if moves may leave three heaps or more: such values take much longer."""

_ABOVE_7 = re.compile("[89A-V*{]")

_MOST_CODES = 1 << 18
"""The maximum number of codes that a pattern may stand for, valid or not."""

_COMPARED = 128
"""To compare a code with other codes, its values are computed up to this heap plus the length of the code."""

_COMPARISON_STEPS = 4096
"""An estimate of the steps to compare one code with other codes, for the decision whether to compile."""

_FIRST_ROUND = 8192
"""The largest heap of a first round for all codes. A second round goes to the limit, for codes without a period."""

_SAVING_INTERVAL = 5.0
"""The number of seconds between two saves."""


@dataclass(frozen=True)
class SearchRow:
    """The result for a code: its proved period, and ``maximum``, the largest value up to the end of the first period.

    Without a proved period, all numbers are None and the signature is empty. Codes that are proved to have the same
    values, except for the number of zeros at the start, share the row of the first code; ``same_as`` lists the other
    codes. The proof compares the moves or, if periods are proved, the signatures (digests of the values).
    """

    code: str
    same_as: tuple[str, ...] = ()
    preperiod: int | None = None
    period: int | None = None
    saltus: int | None = None
    last_heap: int | None = None
    maximum: int | None = None
    signature: str = ""

    def record(self) -> dict[str, Any]:
        """Return the row as a dictionary with the keys :data:`COLUMNS`."""
        return {name: getattr(self, name) for name in COLUMNS}


COLUMNS = ("code", "same_as", "preperiod", "period", "saltus", "last_heap", "maximum")
"""The columns of a table of results."""

_ROW = dict.fromkeys(COLUMNS[2:], (natural, None))
_RECORD = RecordFormat(
    "graphgame heap search",
    3,
    {"pattern": str, "limit": natural, "rows": [{"code": str, "same_as": [str], **_ROW, "signature": str}]},
    Message("start again with a new file"),
)


def codes(pattern: str) -> list[str]:
    """Return all codes that match a pattern, in the order of their digits.

    Zeros at the end are left out, except one right after the point, as in 4.0. Codes that are invalid or have no moves
    are left out, and each code is listed once. In a pattern ``d`` stands for any digit 0-7 and ``x`` for any digit 0-9,
    A-F. Raise a ParseError if there is no such code, and a LimitError if the pattern stands for more than 2**18 codes.

    Examples
    --------
    >>> codes("0.d")
    ['0.1', '0.2', '0.3', '0.4', '0.5', '0.6', '0.7']
    """
    if "." not in pattern:
        raise ParseError(
            "expected a pattern such as 0.dd, where d stands for any digit 0-7", text=pattern, line=1, column=1
        )
    choices = [_WILD.get(letter, letter) for letter in pattern]
    if (count := prod(map(len, choices))) > _MOST_CODES:
        raise LimitError("{pattern!r} has {count:,} codes: expected at most {most:,}", pattern, count, _MOST_CODES)
    matching: dict[str, None] = {}
    for letters in product(*choices):
        try:
            matching[game("".join(letters)).arguments] = None
        except ParseError as error:
            fault = error
    if not matching:
        fault.text = pattern
        raise fault
    return list(matching)


@checks_parameters
def search(
    pattern: str,
    limit: int | None = None,
    *,
    jobs: int | None = None,
    resume: PathLike | None = None,
    certificates: PathLike | None = None,
    engine: Engine = "auto",
    progress: Progress | None = None,
) -> list[SearchRow]:
    """Search for a proved period of every code that matches a pattern such as ``0.ddd``.

    Codes whose values are proved to be the same, except for zeros at the start, share one row.

    Parameters
    ----------
    pattern : str
        A code in which ``d`` stands for any digit 0-7 and ``x`` for any digit 0-9, A-F.
    limit : int, optional
        The largest heap to compute. The default is 10,000, but 1,000 if a code has a digit above 7.
    jobs : int, optional
        Number of threads, by default one for each core. They help only if the loops run compiled.
    resume : str or os.PathLike, optional
        A file in which results are saved every few seconds. A code with a result in the file is not searched again,
        except if the period is proved but the folder ``certificates`` has no certificate of it, or if the period is not
        proved and the file was written with a smaller limit.
    certificates : str or os.PathLike, optional
        A folder for the certificates of proved periods, such as ``0.77.json``. For codes that share a search (see
        ``progress``), only the first code has a certificate. The folder is created if it is missing, but its parent
        must exist.
    engine : {"auto", "plain", "compiled"}
    progress : callable, optional
        Called as ``progress(done, total)`` with numbers of searches. Codes whose moves prove that they have the same
        values share one search.

    Raises
    ------
    ParseError
        The pattern is wrong, or the ``resume`` file is damaged or was written with another pattern or a larger limit.
    LimitError
        The pattern has too many codes, or moves leave so many heaps that ``limit`` is too large.
    ParameterError
        The number of threads is below 1, or ``limit`` is negative or too large.

    Examples
    --------
    >>> for row in search("0.0d", 1000):
    ...     print(row.code, row.same_as, row.preperiod, row.period)
    0.01 () 3 1
    0.02 ('0.03',) 1 4
    0.04 () None None
    0.05 () 1 2
    0.06 () None None
    0.07 () 53 34
    """
    jobs = cores() if jobs is None else jobs
    matching = codes(pattern)
    if limit is None:
        limit = _LIMIT_OF_MANY_PARTS if any(map(_ABOVE_7.search, matching)) else _LIMIT
    rows = {} if resume is None or not Path(resume).exists() else _load(resume, pattern, limit)
    classes = _classes(matching, engine)
    if certificates is not None:
        Path(certificates).mkdir(exist_ok=True)
        rows = {code: row for code, row in rows.items() if row.period is None or _file(certificates, code).exists()}
    if use_compiled((len(classes) - len(rows)) * limit, engine):
        engine = "compiled"  # one small search is not worth the time to compile, but many are
    saved = time.monotonic()
    try:
        # The first round computes few heaps of each code. The second computes all heaps of the codes without a period.
        for last in sorted({min(limit, _FIRST_ROUND), limit}):
            remaining = [code for code in classes if code not in rows]
            with closing(_searched(remaining, last, engine, jobs, certificates)) as searched:
                for row in searched:
                    if row.period is None and last < limit:
                        continue
                    rows[row.code] = row
                    report(progress, len(rows), len(classes))
                    if resume is not None and time.monotonic() - saved > _SAVING_INTERVAL:
                        _save(resume, pattern, limit, rows)
                        saved = time.monotonic()
    finally:
        if resume is not None:
            _save(resume, pattern, limit, rows)
    return _merged([replace(rows[code], same_as=tuple(same)) for code, same in classes.items()])


def columnar(records: list[dict[str, Any]]) -> Any:  # noqa: ANN401
    """Return the records of rows (:meth:`SearchRow.record`) as a pyarrow table; each ``same_as`` must be a text."""
    with needs_extra(Message("a Parquet file"), "parquet"):
        import pyarrow as pa
    return pa.Table.from_pylist(
        records,
        pa.schema([(name, pa.string() if name in ("code", "same_as") else pa.int64()) for name in COLUMNS]),
    )


def _classes(texts: list[str], engine: Engine) -> dict[str, list[str]]:
    """Group codes whose moves prove that they have the same values, except for zeros at the start.

    Return a dictionary: the first code of each group -> the list of all other codes of the group.
    """
    runs: Engine = "compiled" if use_compiled(len(texts) * _COMPARISON_STEPS, engine) else "plain"
    classes: dict[str, list[str]] = {}
    heads: dict[bytes, list[tuple[HeapGame, int]]] = {}
    for text in texts:
        rules = game(text)
        values = rules.grundy_values(_COMPARED + len(text), method="dense", engine=runs).astype(np.uint32)
        zeros = int(np.argmax(values > 0))
        candidates = heads.setdefault(values[zeros : zeros + _COMPARED // 2].tobytes(), [])
        head = next((first for first, before in candidates if same_moves(first, rules, zeros - before)), None)
        if head is None:
            candidates.append((rules, zeros))
            classes[text] = []
        else:
            classes[head.arguments].append(text)
    return classes


def _file(folder: PathLike, code: str) -> Path:
    return Path(folder) / f"{code}.json"


def _searched(
    codes: list[str], limit: int, engine: Engine, jobs: int, certificates: PathLike | None
) -> Generator[SearchRow, None, None]:
    """Search for a proved period of each code, in ``jobs`` threads; yield a row as soon as a search finishes.

    Each search computes heaps up to ``limit`` at most. A certificate of each proved period is saved in the folder
    ``certificates``; None means that none are saved.
    """
    stopped = Event()

    def stop_if_asked(_done: int, _total: int) -> None:
        if stopped.is_set():
            raise CancelledError

    def row(code: str) -> SearchRow:
        period = game(code).period(limit, engine=engine, progress=stop_if_asked)
        if period is not None and certificates is not None:
            period.save(_file(certificates, code))
        return SearchRow(code) if period is None else _row(code, period)

    if jobs == 1 or len(codes) < 2:
        yield from map(row, codes)
        return

    pool = ThreadPoolExecutor(min(jobs, len(codes)))
    try:
        futures = [pool.submit(row, code) for code in codes]
        yield from (future.result() for future in as_completed(futures))
    finally:
        stopped.set()
        pool.shutdown(cancel_futures=True)


def _row(code: str, period: PeriodCertificate) -> SearchRow:
    # The signature is a digest of the infinite sequence of values from the first nonzero value on.
    values = period.values_to(len(period.values))
    zeros = int(np.argmax(values > 0))
    start = max(period.preperiod - zeros, 0)
    values = period.values_to(zeros + start + period.period - 1)[zeros:].astype("<u4")
    signature = digest([repr((start, period.period, period.saltus)).encode(), values.data])
    numbers = period.preperiod, period.period, period.saltus, period.last_heap, period.maximum
    return SearchRow(code, (), *numbers, signature)


def _merged(rows: list[SearchRow]) -> list[SearchRow]:
    """Merge rows whose signatures show that they have the same values, except for zeros at the start.

    The first of these rows stays, and its ``same_as`` gets the codes of the others. Rows without a proved period have
    no signature, and stay as they are.
    """
    first: dict[str, SearchRow] = {}
    for row in rows:
        key = row.signature or row.code
        head = first.get(key)
        first[key] = row if head is None else replace(head, same_as=(*head.same_as, row.code, *row.same_as))
    return list(first.values())


def _save(path: PathLike, pattern: str, limit: int, rows: dict[str, SearchRow]) -> None:
    record = {"pattern": pattern, "limit": limit, "rows": list(map(asdict, rows.values()))}
    with open_atomic(path) as stream:
        stream.write(_RECORD.dumps(record) + "\n")


def _load(path: PathLike, pattern: str, limit: int) -> dict[str, SearchRow]:
    with Source(path) as source:
        record = _RECORD.loads(source.read_text(), source.name)
        if record["pattern"] != pattern or record["limit"] > limit:
            raise source.error(
                Message(
                    "the file has the results of {found} to heap {last_heap}, not of {pattern} to {limit}",
                    record["pattern"],
                    record["limit"],
                    pattern,
                    limit,
                )
            )
    rows = [SearchRow(**{**row, "same_as": ()}) for row in record["rows"]]
    return {row.code: row for row in rows if row.period is not None or record["limit"] == limit}
