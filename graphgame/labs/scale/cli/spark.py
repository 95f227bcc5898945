"""``graphgame spark``: solve, verify and explore games on a cluster."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from graphgame.cli import common
from graphgame.cli.errors import Failure
from graphgame.cli.language import examples
from graphgame.cli.progress import Exploring, Working, shown
from graphgame.errors import Message, ParameterError, RulesetError
from graphgame.text.languages import amount, render, translate
from graphgame.text.text import component_move_text, printable, verdict_text

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from graphgame.labs.coded import CodedRuleset
    from graphgame.labs.scale.spark import SumVerdict

_EXAMPLES = examples(
    ("graphgame spark solve edges.parquet -o values.parquet", ""),
    ("graphgame spark solve hdfs:///edges -o hdfs:///values --master yarn --checkpoint hdfs:///work", ""),
    ("graphgame spark solve edges.parquet -o values.parquet --rank tokens_left --conf spark.driver.memory=4g", ""),
    ("graphgame spark verify edges.parquet values.parquet", ""),
    ('graphgame spark explore "wythoff(300,300)" -o edges.parquet', ""),
    ("graphgame spark explore rules.py:Walk -o edges.parquet", ""),
)

_output = click.option(
    "-o", "--output", metavar="PATH", required=True, help="The Parquet table to write: a path or a URL."
)
_cluster = common.with_options(
    click.option(
        "--master", metavar="URL", help="Spark's master.  [default: that of spark-submit, otherwise local[*]]"
    ),
    click.option(
        "--conf", multiple=True, metavar="KEY=VALUE", help="A setting of Spark: spark.driver.memory=4g. Repeatable."
    ),
)
_table = common.with_options(
    click.option(
        "--source",
        default="source",
        show_default=True,
        metavar="COLUMN",
        help="The column with the position where a move starts.",
    ),
    click.option(
        "--target",
        default="target",
        show_default=True,
        metavar="COLUMN",
        help="The column with the position where a move ends.",
    ),
    click.option(
        "--rank", metavar="COLUMN", help="A column with a rank of the source: an integer that falls with every move."
    ),
    click.option(
        "--sums",
        metavar="COLUMN",
        help="A column that is true if the source is a sum of its targets.  [default: the column sum, if there is one]",
    ),
    click.option(
        "--vertices", metavar="PATH", help="A Parquet table of one column: positions, also ones without edges."
    ),
)


@click.group("spark", epilog=_EXAMPLES)
def command() -> None:
    """Solve edge tables beyond one machine, on Apache Spark.

    Paths are Spark's own: files and folders that every machine can read, or URLs such as hdfs:// and s3a://.
    """


@command.command("solve", short_help="Give every position its value.")
@click.argument("edges")
@_output
@_cluster
@_table
@click.option(
    "--strategy",
    type=click.Choice(["auto", "levels", "windows"]),
    default="auto",
    show_default=True,
    help="auto solves a small game in one task, and a larger one by windows if there is a --rank, otherwise by levels.",
)
@click.option(
    "--tokens",
    multiple=True,
    metavar="POSITIONS",
    help="Positions of the sum's components, separated by commas or spaces. Repeatable.",
)
@click.option(
    "--checkpoint", metavar="DIR", help="A folder that every machine can write. An interrupted run continues from it."
)
@common.number_option(
    "--checkpoint-every",
    default=20,
    metavar="ROUNDS",
    help="With --checkpoint and --strategy levels: save the work every ROUNDS rounds.",
)
@click.option(
    "--no-resume",
    "resume",
    flag_value=False,
    default=True,
    help="With --checkpoint: start over instead of continuing an interrupted run.",
)
@common.number_option("--task-edges", least=0, help="The most moves that one task may process (default: 10,000,000).")
@common.number_option(
    "--partitions",
    help="How many partitions Spark's tables have; the default depends on the numbers of cores and moves.",
)
def solve_command(
    edges: str,
    output: str,
    master: str | None,
    conf: tuple[str, ...],
    vertices: str | None,
    tokens: tuple[str, ...],
    checkpoint: str | None,
    **options: Any,  # noqa: ANN401
) -> None:
    """Solve the Parquet table EDGES, and write a table with the columns position, grundy and outcome.

    Spark writes a table as a folder, so PATH becomes a folder. A folder that is there already is replaced only if it is
    empty, or if graphgame wrote it.
    """
    from graphgame.labs.scale import spark
    from graphgame.labs.scale.spark.solution import Output

    options = {name: value for name, value in options.items() if value is not None}
    columns = {name: options[name] for name in ("source", "target", "sums") if name in options}
    with _session(master, conf) as session:
        out = Output(session, output, *(path for path in (edges, vertices, checkpoint) if path))
        table = session.read.parquet(edges)
        on_positions = _positions(table, options["source"], tokens)
        more = None if vertices is None else session.read.parquet(vertices)
        with shown(Working) as progress:
            options |= {"progress": progress, "tell": common.tell}
            values = spark.solve(table, vertices=more, checkpoint_dir=checkpoint, **options)
            out.write(values)
        common.tell(Message("wrote {output}", output))
        if on_positions:
            written = session.read.parquet(output)
            components = _split_lists(written, on_positions)
            click.echo(_text_of(spark.verdict(table, written, components, **columns)))


@command.command("verify", short_help="Check values against the moves.")
@click.argument("edges")
@click.argument("values")
@_cluster
@_table
@click.option(
    "--checkpoint", metavar="DIR", help="A folder that every machine can write, for the check that play ends."
)
def verify_command(
    edges: str,
    values: str,
    master: str | None,
    conf: tuple[str, ...],
    vertices: str | None,
    checkpoint: str | None,
    **columns: Any,  # noqa: ANN401
) -> None:
    """Check the Parquet table VALUES against the moves of EDGES, and check that play ends.

    The exit status is 2 if a value or an outcome is wrong, if a value is missing, or if there is a cycle. With --rank
    the check takes two joins. Without it, the game is solved again to find cycles.
    """
    from graphgame.labs.scale import spark

    with _session(master, conf) as session:
        more = None if vertices is None else session.read.parquet(vertices)
        moves, claimed = session.read.parquet(edges), session.read.parquet(values)
        report = spark.verify(moves, claimed, vertices=more, checkpoint_dir=checkpoint, **columns)
    if not report:
        name = printable(report.position)
        click.echo(translate("wrong: position {name}: {reason}", name=name, reason=render(report.reason or "")))
        raise click.exceptions.Exit(2)
    facts = {"columns": ", ".join(report.columns), "positions": amount(report.rows, "position")}
    click.echo(translate("right: {columns} of all {positions}", **facts))


@command.command("explore", short_help="Write all moves of a game, computed from its rules.")
@click.argument("position")
@_output
@_cluster
@common.shared_options("max_positions")
def explore_command(position: str, output: str, master: str | None, conf: tuple[str, ...], max_positions: int) -> None:
    """Write all moves that can occur in play from POSITION.

    POSITION is a name such as "wythoff(300,300)", or rules.py:Walk for rules of your own. In the table, a position is
    an integer that the rules compute, so the rules must be a CodedRuleset. Your file is sent to Spark's executors,
    which must have the modules that it imports. If moves may split the game, the column named sum says which vertices
    are sums.
    """
    from graphgame.labs.scale import spark
    from graphgame.labs.scale.spark.solution import Output

    ruleset, starts = _rules(position)
    with _session(master, conf) as session, shown(Exploring) as progress, common.limits_named():
        out = Output(session, output)
        local = str(session.sparkContext.master).startswith("local")
        folder = None if local else f"{output.rstrip('/')}.work"
        edges = spark.explore(session, ruleset, *starts, path=folder, max_positions=max_positions, progress=progress)
        out.write(edges)
    common.tell(Message("wrote {output}", output))


@contextmanager
def _session(master: str | None, conf: tuple[str, ...]) -> Iterator[SparkSession]:
    """Open a Spark session. If Spark raises an error, which has many lines, raise a Failure with its first line.

    ``master`` and ``conf`` are the values of the options ``--master`` and ``--conf``.
    """
    from graphgame.labs.scale.spark.session import check_installed, connect

    check_installed()
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException

    try:
        with warnings.catch_warnings(), connect(master, dict(map(_setting, conf))) as session:
            # PySpark warns about future releases of pandas, which users can do nothing about.
            warnings.simplefilter("ignore", FutureWarning)
            yield session
    except PySparkException as error:
        raise Failure(str(error).strip().splitlines()[0]) from error
    except Py4JJavaError as error:
        raise Failure("Spark: {java_exception}", str(error.java_exception).splitlines()[0]) from error


def _setting(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise ParameterError("--conf {text}: expected KEY=VALUE, such as spark.driver.memory=4g", printable(text))
    return name, value


def _positions(table: DataFrame, source: str, texts: tuple[str, ...]) -> list[Any]:
    if source not in table.columns or table.schema[source].dataType.typeName() == "string":
        return list(texts)
    try:
        return [int(part) for text in texts for part in common.listed(text)]
    except ValueError:
        raise ParameterError(
            "tokens {texts}: expected integers, because the positions in the table are integers", ", ".join(texts)
        ) from None


def _split_lists(values: DataFrame, tokens: list[Any]) -> list[Any]:
    """Return the positions that ``tokens``, the values of the option ``--tokens``, stand for.

    An integer is a position, and so is a text that is a position in the table ``values``. Any other text is a list of
    positions, separated by commas or spaces.
    """
    positions = {row.position for row in values.where(values.position.isin(tokens)).collect()}
    lists = {token: common.listed(token) for token in tokens if isinstance(token, str) and token not in positions}
    return [position for token in tokens for position in lists.get(token, [token])]


def _text_of(verdict: SumVerdict) -> str:
    lines = [verdict_text(verdict.winner), *(f"  {component_move_text(move)}" for move in verdict.winning_moves)]
    return "\n".join(lines)


def _rules(text: str) -> tuple[CodedRuleset, list[Any]]:
    """Return the rules and the start positions that a text names, such as "wythoff(300,300)"."""
    # This import loads numpy, which other commands may not need.
    from graphgame.labs.coded import CodedRuleset

    position = common.position_of(text)
    if position is None:
        raise ParameterError("{text} names no game: expected a position such as wythoff(300,300)", printable(text))
    components = position.components
    rulesets = {id(component.ruleset): component.ruleset for component in components}
    ruleset = next(iter(rulesets.values()), None)
    if len(rulesets) != 1 or not isinstance(ruleset, CodedRuleset):
        raise RulesetError(
            "{text}: expected positions of a single game whose rules are a CodedRuleset", printable(text)
        )
    return ruleset, [component.position for component in components]
