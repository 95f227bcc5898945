"""Keep the texts of other languages in step with the source: ``python docs/make_texts.py``.

The catalogue, ``graphgame/explanation/texts/zh/LC_MESSAGES/graphgame.po``, gets an entry for each new text of the
source and loses those that are gone; the command says how many wait for a translation. Write those into it, and run it
once more: that also makes the ``.mo`` that the package reads.

Texts are what ``translate`` and ``amount`` are given, the help of the commands, the sentences of explanations, the
rules of the catalogue, what click says, and what messages are made of.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime
from io import BytesIO
from pathlib import Path

import click
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

import graphgame
from graphgame.cli import main
from graphgame.cli.common import OpenCommand
from graphgame.cli.judging import PROBLEMS
from graphgame.cli.language import paragraphs
from graphgame.explanation.rules import catalogue_texts
from graphgame.explanation.sentences import SENTENCES
from graphgame.explanation.texts import DOMAIN, FOLDER, LANGUAGES

PACKAGE = Path(graphgame.__file__).parent

CLICK = {
    *("Usage:", "Options", "Commands", "Positional arguments", "Show this message and exit.", "default: {default}"),
    *("Try '{command} {option}' for help.", "Error: {message}", "Aborted!", "Missing command.", "Missing argument"),
    *("Missing option", "Missing parameter", "Missing {param_type}", "Missing parameter: {param_name}"),
    *("No such option: {name}", "No such option {name!r}.", "No such command {name!r}.", "Invalid value: {message}"),
    *("Invalid value for {param_hint}: {message}", "Could not open file {filename!r}: {message}", "(dynamic)"),
    *(
        "Option {name!r} does not take a value.",
        "Argument {name!r} takes {nargs} values.",
        "{name} {filename!r} is a file.",
    ),
    *("{value!r} is not a valid {number_type}.", "{value} is not in the range {range}.", "file", "directory", "path"),
    *("{name} {filename!r} does not exist.", "{name} {filename!r} is a directory.", "Choose from:\n\t{choices}"),
    *("{name} {filename!r} is not readable.", "{name} {filename!r} is not writable."),
    ("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"),
    ("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)"),
    ("(Possible option: {possibilities})", "(Possible options: {possibilities})"),
    ("Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments."),
    ("{value!r} is not {choice}.", "{value!r} is not one of {choices}."),
}
"""What click says, of this release and of earlier ones."""

SAYING = {
    *("Failure", "UsageError", "BadParameter", "ClickException", "error", "fail", "needs_extra", "tell", "warn"),
    *("number", "numbers", "counted", "counted_cases", "finish", "_require"),
}
"""What is called with a message, or with what a message says is missing."""

TALKING = ("cli", "play", "export", "explanation")
"""Rooms whose texts are translated where they stand; elsewhere each text may become part of a message."""

DATED = re.compile(rb'"(POT-|PO-Rev|Last-|Language-Team|Gen)')
"""Lines of a catalogue that differ from day to day."""

WORDS = {
    *("graphgame judge --list has them all", "read {source} as {format}", "explored {source}"),
    *("position {position} {detail}", "proved: {proof}", "a graph", "an edge", "a vertex {bounds}", "standard input"),
    *("{heap} = {parts} in the Fibonacci numbers", "{heap} = {parts} in Schwenk's numbers"),
    *("{least} may be taken", "{least} may not be taken, but {most} at most", "{least}, the least, may be taken"),
    *("{least}, the least, may not be taken, but {most} at most", "{size} bytes", "; did you mean {names}?"),
    *("base 2", "base 3", "Fibonacci", "Fibonacci {a}"),
    *("tame", "restive", "restless", "wild", "tame, its options not all"),
    *("remoteness", "misère remoteness", "suspense", "misère suspense", "outcome", "misère outcome", "value"),
    *("conjunctive", "continued conjunctive", "selective", "shortened selective", "ordinal sum", "sum"),
    *("No such file or directory", "Permission denied", "Is a directory", "Not a directory", "File exists"),
    *("No space left on device", "File name too long", "Input/output error"),
    *("genus", "misere", "kind", "birthday", "form", "values", "P-positions", "graphs", "theorem", "source"),
    *("heap {done} of {total}", "code {done} of {total}"),
    *(
        "first",
        "second",
        "normal play",
        "misère play",
        "options",
        "longest play",
        "longest way down",
        "shortest way to an end",
    ),
    *("longest way without turning back", "moves are not drawn"),
    *("only moves of the tokens are drawn", "only winning moves of the tokens are drawn"),
    *("only moves from ◎ are drawn", "only winning moves from ◎ are drawn"),
    *("error:", "interrupted", "hangup", "terminated", " or ", " and ", "float range", "integer range"),
    *("'{text}' is no move here", "no component is as '{text}' says: there are {it}"),
    *("unexpected end of data", "invalid start byte", "invalid continuation byte", "0..9, A..V, * or {...}"),
    *("invalid syntax", "'(' was never closed", "unmatched ')'", "invalid decimal literal", ", at position {position}"),
    "name {name} of a values file: expected {formats} or {last}",
    "Tokens on a directed acyclic graph; chips.txt@4 is a token on position 4 of a graph file.",
    "the base",
    *("Extra data", "Expecting value", "Expecting property name enclosed in double quotes", "Expecting ',' delimiter"),
    *("Expecting ':' delimiter", "Unterminated string starting at", "line {line} column {column} (char {char})"),
    *("{count} vertices and {count2} edges", "force=True (--force) to try all the same", "a longer timeout"),
    *("({count} more)", ", values of misère play"),
    *(", at the text {text}", "standard input:{line}:{column}"),
    *("P-positions of misère play", "winning moves of misère play", "a winning move of misère play"),
    *("winning moves", "a winning move", "P-positions: none", "P-positions: all", "there is no move"),
    *("{states} states over base {base} digits", "{states} states over Fibonacci digits"),
    *(
        "an automaton of {states} states over base {base} digits",
        "an automaton of {states} states over Fibonacci digits",
    ),
    *("{states} states over Fibonacci {a} digits", "an automaton of {states} states over Fibonacci {a} digits"),
    "g({position} + {length}) = g({position}) for {position} >= {start}",
    "g({position} + {length}) = g({position}) + {saltus} for {position} >= {start}",
    "where g({position}) = 0, period {length} for {position} >= {start}",
    *(" ({value} under normal play)", " ({value} under misère play)"),
    *("{period} from n = {start}", "{period}, saltus {saltus}", "{period}, saltus {saltus}, from n = {start}"),
    "first counterexample: {where}: the guess says P, the value is {value} ({mex})",
    "first counterexample: {where}: the guess says N, the value is {value} ({mex})",
    "first counterexample: {where}: the guess says N, but no move leaves a P-position",
    "first counterexample: {where}: the guess says P, but a move leaves a P-position",
}
"""Texts that are looked up as they come, a word or two each."""

CODE = re.compile(
    r"\\[sdw]|\(\?|<=>|coalesce|bigint| is (not )?null$|^\S+ as \w+$|^(low|not inner|tw) |sum boolean|cast\(|case when"
    r"|if\(|^\w+\(.*\)$|\| None|PathLike|xmlns|</|><|\"kind\"|kind=|\"(source|play)\":|^\{\"|lower center|^# no"
    r"|^[a-z-]+\{.*\}\(.*\)$|^(ruler|twins) x|\] if |^\{first\} if|is null |^not inner|case\n|^k > 0"
)
"""What tells expressions and statements in a string from words."""

SILENT = ("arrays/backend", "__main__.py", "explanation/texts", "theory/laws/latex.py")
"""Where texts are for programs."""


def texts() -> set[str]:
    """Return every English text of the source."""
    found = {
        *WORDS,
        *SENTENCES.values(),
        *catalogue_texts(),
        *(text for problem in PROBLEMS.values() for text in (problem.title, problem.input, problem.output)),
        *(text for command in commands(main) for text in helps(command)),
    }
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith(SILENT):
            found |= set(texts_of_module(ast.parse(path.read_text(encoding="utf-8")), name.startswith(TALKING)))
    return found


def texts_of_module(tree: ast.Module, talking: bool) -> Iterator[str]:
    """Yield the texts of a module: what is translated, and what becomes part of messages."""
    constants = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name)
    }
    for loop in ast.walk(tree):
        if isinstance(loop, ast.comprehension | ast.For):
            over = constants.get(ast.unparse(loop.iter), loop.iter)
            names = [name.id for name in ast.walk(loop.target) if isinstance(name, ast.Name)]
            constants |= {name: over for name in names if isinstance(over, ast.Tuple)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "translate":
            yield from translated_texts(node.args[0], constants)
        elif isinstance(node, ast.Call) and called(node) == "Message":
            yield from (text.value for text in node.args[:1] if isinstance(text, ast.Constant))
        elif isinstance(node, ast.Call) and called(node) == "amount" and len(node.args) == 2:
            yield from (f"{{count}} {noun}" for noun in translated_texts(node.args[1], constants))
        elif isinstance(node, ast.Call) and called(node) == "plural":
            yield from (f"{{count}} {template(noun)}" for noun in strings(node.args[1]))
        elif isinstance(node, ast.Raise) or (isinstance(node, ast.Call) and called(node) in SAYING):
            yield from spoken(strings(node), least=1)
        elif isinstance(node, ast.keyword) and node.arg == "what":
            yield from spoken(strings(node.value), least=1)
        elif isinstance(node, ast.FunctionDef) and node.name.endswith("way_out"):
            yield from spoken(strings(node))
        elif node is tree and not talking:
            yield from spoken(strings(tree))


def called(call: ast.Call) -> str:
    """Return the name of what is called."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def translated_texts(node: ast.expr, constants: dict[str, ast.expr]) -> Iterator[str]:
    """Yield the texts that an argument may be: constants, choices between them, and names of a module's constants."""
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from translated_texts(one, constants)
            yield from translated_texts(other, constants)
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)) if name in constants:
            yield from translated_texts(constants[name], constants)
        case ast.Dict(values=parts) | ast.Tuple(elts=parts):
            for part in parts:
                yield from translated_texts(part, constants)
        case ast.Subscript(value=part):
            yield from translated_texts(part, constants)
        case ast.Attribute(value=ast.Name(id="self")):
            pass  # among the words above
        case _:
            raise ValueError(f"no text to be seen in translate({ast.unparse(node)}), line {node.lineno}")


def strings(node: ast.AST) -> Iterator[ast.Constant | ast.JoinedStr]:
    """Yield the strings of a statement, those within others too, but no docstring."""
    match node:
        case ast.Expr(value=ast.Constant()):
            return
        case ast.Constant(value=str()):
            yield node
        case ast.JoinedStr(values=parts):
            yield node
            yield from (text for part in parts if isinstance(part, ast.FormattedValue) for text in strings(part.value))
        case ast.FunctionDef(name="__repr__"):
            return
        case _:
            yield from (text for child in ast.iter_child_nodes(node) for text in strings(child))


def spoken(nodes: Iterable[ast.Constant | ast.JoinedStr], least: int = 2) -> Iterator[str]:
    """Yield the templates that are words for a person: so many words or more."""
    for text in map(template, nodes):
        words = re.findall(r"(?<![\w{'.`-])[A-Za-z][a-z]+(?![\w}(=`_-])", text)
        if len(words) >= least and " " in text.strip() and not CODE.search(text):
            yield text


def template(node: ast.Constant | ast.JoinedStr) -> str:
    """Return a string with the facts of its braces by name: ``f"{len(rows):,} rows of {self.name}"`` has two."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    text, names = "", set[str]()
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            name = named = fact(part)
            while name in names:
                name = f"{named}{int(name.removeprefix(named) or 1) + 1}"
            names.add(name)
            text += f"{{{name}}}"
        else:
            text += str(part.value)
    return text


def fact(part: ast.FormattedValue) -> str:
    """Return a name for what stands in braces: the last that its expression mentions."""
    if part.format_spec is not None and ast.unparse(part.format_spec) == "f','":
        return "count"
    value = part.value
    while isinstance(value, ast.Call) and value.args:
        value = value.args[0]
    names = (getattr(node, "attr", getattr(node, "id", None)) for node in ast.walk(value))
    return re.sub("[^a-z_]", "", next(filter(None, names), "it").lower()).strip("_") or "it"


def commands(command: click.Command) -> Iterator[click.Command]:
    """Yield a command and those below it."""
    yield command
    context = click.Context(command)
    if isinstance(command, OpenCommand):
        yield from (found for name in command.others for found in commands(command.other(name)))
    elif isinstance(command, click.Group):
        names = command.list_commands(context)
        yield from (
            below for name in names if (found := command.get_command(context, name)) for below in commands(found)
        )


def helps(command: click.Command) -> Iterator[str]:
    """Yield what a command says of itself and of its options."""
    for told in (command.help, command.short_help, command.epilog, *(getattr(p, "help", "") for p in command.params)):
        yield from paragraphs(told or "")


def catalogue(language: str) -> Catalog:
    """Return the catalogue of a language as its file has it."""
    return read_po(BytesIO(path(language).read_bytes()), locale=language)


def path(language: str, kind: str = "po") -> Path:
    """Return the file of a language."""
    return FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.{kind}"


def updated(language: str) -> Catalog:
    """Return a catalogue with the texts of the source, and those of click, with their translations as far as known."""
    known = catalogue(language)
    new = Catalog(locale=language, project="graphgame", header_comment="# The texts of graphgame.", fuzzy=False)
    for text in sorted({*texts(), *CLICK}, key=str):
        message = known.get(text)
        new.add(text, message.string if message else "")
    return new


def po(language: str) -> bytes:
    """Return the text of a catalogue's file."""
    stream = BytesIO()
    write_po(stream, updated(language), width=120, omit_header=False, sort_output=True)
    kept = [
        line
        for line in stream.getvalue().splitlines()
        if not re.match(rb'"(POT-|PO-Rev|Last-|Language-Team|Gen)', line)
    ]
    return b"\n".join(kept).rstrip() + b"\n"


def waiting(language: str) -> list[str]:
    """Return the texts of a catalogue that have no translation."""
    return [str(message.id) for message in catalogue(language) if message.id and not any(message.string)]


def mo(language: str) -> bytes:
    """Return the compiled form of a catalogue's file."""
    stream, known = BytesIO(), catalogue(language)
    known.creation_date = known.revision_date = datetime(2026, 1, 1)
    write_mo(stream, known)
    return stream.getvalue()


if __name__ == "__main__":
    for language in LANGUAGES[1:]:
        path(language).write_bytes(po(language))
        path(language, "mo").write_bytes(mo(language))
        print(f"{language}: {len(catalogue(language))} texts, {len(waiting(language))} without translation")
        if "--list" in sys.argv:
            print(*waiting(language), sep="\n")
