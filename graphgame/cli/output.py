"""Where a result goes and in which form: to standard output or a file, as text, CSV, JSON, LaTeX or a NumPy array."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, wraps
from typing import IO, Any

import click

from graphgame.cli import common
from graphgame.cli.errors import UsageError
from graphgame.errors import both
from graphgame.io.compression import plain_suffix

_TEXT = "text"
_SUFFIXES = {".csv": "csv", ".json": "json", ".tex": "latex", ".npy": "npy", ".parquet": "parquet", ".txt": _TEXT}
_PICTURES = (".svg", ".png", ".pdf")
_HELP = {
    "csv": "Print CSV",
    "json": "Print one JSON object",
    "latex": "Print LaTeX, for the package booktabs",
    "npy": "Write an array of NumPy",
    "parquet": "Write Parquet",
}


@dataclass
class OutputOptions:
    """The options that say where a result goes, and in which form."""

    output: str = "-"
    as_csv: bool = False
    as_json: bool = False
    as_latex: bool = False
    as_npy: bool = False
    as_parquet: bool = False
    forms: tuple[str, ...] = ()
    default: str = _TEXT

    @cached_property
    def form(self) -> str:
        """What a flag says, or else the file's name; the default is that of the command."""
        flags = [form for form in self.forms if getattr(self, f"as_{form}")]
        if len(flags) > 1:
            raise UsageError("choose one of {flags}", both(f"--{form}" for form in flags))
        named = None if self.output == "-" else _SUFFIXES.get(plain_suffix(self.output))
        if flags and named not in (None, *flags):
            raise UsageError("--{flags} and the name {output} disagree: leave out one of them", flags[0], self.output)
        if flags or self.output == "-":
            return flags[0] if flags else self.default
        if named not in (*self.forms, self.default):
            known = ", ".join(suffix for suffix, form in _SUFFIXES.items() if form in (*self.forms, self.default))
            if self.output.endswith(_PICTURES) and _plots():
                raise UsageError(
                    "{output} is the name of a picture: expected {known}, or --plot OUT", self.output, known
                )
            raise UsageError("cannot tell the form from the name {output}: expected {known}", self.output, known)
        return named

    @property
    def as_text(self) -> bool:
        """Whether a person reads the result."""
        return self.form == _TEXT

    @property
    def is_default(self) -> bool:
        """Whether the result is to be printed as it is without options."""
        return self.form == self.default and self.output == "-"

    def check(self) -> None:
        """Refuse before long work what could not be written after it."""
        if self.form and self.output != "-":
            from graphgame.io.files import refuse_unwritable

            refuse_unwritable(self.output)

    def put(self, **makers: Callable[[], Any]) -> None:
        """Write the result by what makes it in the form that is asked for: a text, rows, a record or an array."""
        self.write(makers[self.form]())

    def write(self, made: Any) -> None:  # noqa: ANN401
        """Write the result, which is made in the form that is asked for."""
        if self.as_text and self.output == "-":
            click.echo(made, nl=False)
            return
        from graphgame.io.files import open_atomic

        with open_atomic(self.output, "wb" if self.form == "npy" else "w") as stream:
            _WRITERS[self.form](made, stream)
        common.tell_of(self.output)


def takes_output(default: str = _TEXT, **helps: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Hand a command ``-o`` and a flag for each form as one argument ``out``; a text is the help of its flag."""
    flags = (
        click.option(f"--{form}", f"as_{form}", is_flag=True, help=f"{_HELP[form]}{told and f': {told}'}.")
        for form, told in helps.items()
    )
    *suffixes, last = (suffix for suffix, form in _SUFFIXES.items() if form in (*helps, default))
    into = click.option(
        "-o",
        "--output",
        metavar="OUT",
        type=click.Path(allow_dash=True),
        default="-",
        help=f"Write the result to a file: {', '.join(suffixes)} or {last}.",
    )

    def taking(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def checked(out: OutputOptions, **given: Any) -> None:  # noqa: ANN401
            out.forms, out.default = tuple(helps), default
            out.check()
            command(out=out, **given)

        return common.takes(OutputOptions, "out", *flags, into)(checked)

    return taking


def _plots() -> bool:
    """Tell whether the command that runs has the option that draws."""
    return any(option.name == "plot" for option in click.get_current_context().command.params)


def _write_json(record: object, stream: IO[str]) -> None:
    import json

    stream.write(json.dumps(record, default=str) + "\n")


def _write_csv(rows: Any, stream: IO[str]) -> None:  # noqa: ANN401
    import csv

    csv.writer(stream, lineterminator="\n").writerows(rows)


def _write_npy(values: Any, stream: IO[bytes]) -> None:  # noqa: ANN401
    import numpy as np

    np.save(stream, values)


def _write_text(text: str, stream: IO[str]) -> None:
    stream.write(text)


_WRITERS: dict[str, Callable[[Any, Any], None]] = {
    _TEXT: _write_text,
    "latex": _write_text,
    "json": _write_json,
    "csv": _write_csv,
    "npy": _write_npy,
}
