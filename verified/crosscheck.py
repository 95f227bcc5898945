"""Compare graphgame-proved with graphgame verify on random files, each good and damaged.

Both must accept the good files, and agree on the damaged ones: the same files accepted, with the same winner. Files of
kinds that graphgame-proved does not know are only counted. The functions ``_..._case`` write files into a folder. They
yield (damage, files, arguments) for each call of the two programs; the damage is "" for the good files. Their argument
``kind``, such as "values" or "law", matters only to :func:`_graph_case`.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

import networkx as nx
import numpy as np

from graphgame import GameGraph, parse_position, read_game, solve, verify, write_game
from graphgame.errors import GraphGameError
from graphgame.io.values import write_values
from graphgame.labs import heaps
from graphgame.labs.formats.values import read_values
from graphgame.labs.heaps.periods import PeriodCertificate
from graphgame.labs.laws import laws
from graphgame.labs.laws.proofs import check_laws, law_text, laws_record
from graphgame.labs.misere import find_fault, heap_graph, heap_quotient, misere_quotient, read_quotient, write_quotient
from graphgame.labs.search import Search
from graphgame.labs.theory.reduction import reduce, stable_classes, thin
from graphgame.labs.verification.certification import write_certificate
from graphgame.labs.verification.position_certificates import read_position_certificate
from tests.fuzz.fuzz_laws import random_rules

PROVED = Path(__file__).parent / "build" / "graphgame-proved"
ODD_LABELS = ["a b", 'say "hi"', "x,y", "élan", "=1", "007", "#1", "-3", "12345678901234567890", "", "λ", "N"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", type=int, default=10_000)
    parser.add_argument("--codes", type=int, default=1400)
    parser.add_argument("--certificates", type=int, default=1000)
    parser.add_argument("--searches", type=int, default=1000)
    parser.add_argument("--loopy", type=int, default=2000)
    parser.add_argument("--quotients", type=int, default=1000)
    parser.add_argument("--reductions", type=int, default=1000)
    parser.add_argument("--laws", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    differences = 0
    kinds = [(_graph_case, "values", options.graphs), (_graph_case, "certificate", options.certificates)]
    kinds.append((_loopy_case, "loopy", options.loopy))
    kinds += [(_code_case, "period", options.codes), (_search_case, "search", options.searches)]
    kinds += [(_quotient_case, "quotient", options.quotients), (_reduction_case, "reduction", options.reductions)]
    kinds.append((_law_case, "law", options.laws))
    with tempfile.TemporaryDirectory() as folder:
        for make, kind, times in kinds:
            for number in range(times):
                random.seed(f"{options.seed} {kind} {number}")
                for damage, files, arguments in make(Path(folder), kind):
                    expected = _verified(files, arguments)
                    found, said = _proved(files, arguments)
                    if said.startswith("not proved: ") or "the proved checker knows codes" in said:
                        counts[f"{kind}, {'damaged' if damage else 'good'}: not known to the proved checker"] += 1
                        continue
                    outcome = "accepted" if expected[0] else "refused"
                    counts[f"{kind}, {'damaged' if damage else 'good'}: {outcome} by both"] += expected == found
                    if expected != found or not (damage or expected[0]):
                        differences += 1
                        print(f"{kind} {number} {damage}: graphgame {expected}, proved {found}: {said}")
                        for file in files:
                            print(f"--- {file.name}\n{file.read_text()[:2000]}")
    for line, count in sorted(counts.items()):
        print(f"{line}: {count}")
    print(f"differences: {differences}")
    sys.exit(differences > 0)


def _graph_case(folder, kind):
    """Yield a random graph with a file of its values, for "certificate" with a certificate; then damaged copies.

    In 3 % of the cases, yield the good files only, and the arguments of the wrong play convention.
    """
    size = random.choice([1, 2, 3, 5, 8, 13, 30, 80])
    format, suffix = random.choice(
        [("token", ".txt"), ("edgelist", ".edges"), ("csv", ".csv"), ("tsv", ".tsv"), ("adjlist", ".adjlist")]
    )
    labels = list(range(1, size + 1))
    if format != "token" and random.random() < 0.6:
        odd = [label for label in ODD_LABELS if label or format in ("edgelist", "adjlist")]
        labels = random.sample(odd, min(size, len(odd))) + [f"v{n}" for n in range(size)]
        labels = labels[:size]
    order = random.sample(labels, size)
    density = random.choice([0.05, 0.2, 0.5, 1])
    edges = [(order[i], order[j]) for i in range(size) for j in range(i) if random.random() < density]
    misere = random.random() < 0.3
    most = 1 if misere else 3
    tokens = [random.choice(labels) for _ in range(random.randint(1, most))]
    if kind == "values" and random.random() < 0.3:
        tokens = None
    drawn = nx.DiGraph()
    drawn.add_nodes_from(labels)
    drawn.add_edges_from(edges)
    graph = GameGraph(drawn, tokens=tokens)
    graph_file, values_file = folder / f"graph{suffix}", folder / "values.csv"
    write_game(graph, graph_file, format)
    graph = read_game(graph_file)
    solution = solve(graph, misere=misere)
    if kind == "certificate":
        write_certificate(solution, values_file)
    else:
        write_values(solution, values_file)
    arguments = ["--misere"] if misere else []
    if random.random() < 0.03:
        arguments = ["--misere"] if not misere else []
        yield "other play", [graph_file, values_file], arguments
        return
    yield "", _csv_or_json(graph_file, values_file, misere), arguments
    for _ in range(2):
        values, text = values_file.read_bytes(), graph_file.read_bytes()
        damage = random.choice([_damage_values, _damage_values, _damage_graph])
        yield damage(graph_file, values_file), _csv_or_json(graph_file, values_file, misere), arguments
        values_file.write_bytes(values)
        graph_file.write_bytes(text)


def _csv_or_json(graph_file, values_file, misere):
    """Return the graph file and the values file; in 30 % of the cases, a JSON file with the same values as the latter.

    The JSON file also has the play convention, ``misere``.
    """
    if random.random() < 0.7:
        return [graph_file, values_file]
    with values_file.open(newline="") as stream:
        _, *rows = csv.reader(stream)
    position = int if graph_file.suffix == ".txt" and all(row[0].isdigit() for row in rows) else str
    columns = ("position", "grundy", "outcome", "remoteness")
    values = [
        dict(
            zip(columns, (position(name), int(value), outcome, int(more[0]) if more and more[0] else None), strict=True)
        )
        for name, value, outcome, *more in rows
    ]
    record = {"format": "graphgame values", "play": "misere" if misere else "normal", "values": values}
    json_file = values_file.with_suffix(".json")
    json_file.write_text(json.dumps(record))
    return [graph_file, json_file]


def _loopy_case(folder, kind):
    """Yield a random graph with cycles and its values, then damaged copies."""
    size = random.choice([2, 3, 5, 8, 13, 30])
    drawn = nx.gnp_random_graph(size, random.choice([0.5, 1, 2, 3]) / size, seed=random.randrange(2**32), directed=True)
    ends = random.sample(range(size), random.randint(0, size // 3))
    drawn.remove_edges_from([(start, end) for start, end in drawn.edges if start in ends])
    graph = GameGraph(drawn, tokens=[random.randrange(size) for _ in range(random.randint(0, 3))] or None)
    graph_file, values_file = folder / "graph.edges", folder / "values.csv"
    write_game(graph, graph_file, "edgelist")
    graph = read_game(graph_file)
    write_values(solve(graph, loopy=True), values_file)
    yield "", [graph_file, values_file], ["--loopy"]
    for _ in range(3):
        values, text = values_file.read_bytes(), graph_file.read_bytes()
        damage = random.choice([_damage_loopy, _damage_loopy, _damage_graph])
        yield damage(graph_file, values_file), [graph_file, values_file], ["--loopy"]
        values_file.write_bytes(values)
        graph_file.write_bytes(text)


def _damage_loopy(graph_file, values_file):
    with values_file.open(newline="") as stream:
        header, *rows = csv.reader(stream)
    kind = random.choice(["value", "infinite", "outcome", "remoteness", "swap", "twice"])
    row, other = random.choice(rows), random.choice(rows)
    if kind == "value":
        row[1] = random.choice("0012")
        row[2:] = ["", ""]
    elif kind == "infinite":
        row[1:] = [f"inf({','.join(sorted(random.sample('0123', random.randrange(3))))})", "", ""]
    elif kind == "outcome":
        row[2] = random.choice("PND")
    elif kind == "remoteness" and row[3]:
        row[3] = str(max(0, int(row[3]) + random.choice([-1, 1, 2])))
    elif kind == "swap":
        row[1:], other[1:] = other[1:], row[1:]
    elif kind == "twice":
        rows.append(row)
    with values_file.open("w", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([header, *rows])
    return kind


def _damage_values(graph_file, values_file):
    with values_file.open(newline="") as stream:
        header, *rows = csv.reader(stream)
    kind = random.choice(["value", "outcome", "remoteness", "drop", "twice", "swap", "position", "blank"])
    if rows:
        row = random.choice(rows)
        if kind == "value":
            row[1] = str(max(0, int(row[1]) + random.choice([-1, 1, 2, 60, 62, 10**6])))
        elif kind == "outcome":
            row[2] = "PN"[row[2] == "P"]
        elif kind == "remoteness" and len(row) > 3:
            row[3] = str(max(0, int(row[3]) + random.choice([-2, -1, 1, 2])))
        elif kind == "drop":
            rows.remove(row)
        elif kind == "twice":
            rows.append(row)
        elif kind == "swap":
            other = random.choice(rows)
            row[1:], other[1:] = other[1:], row[1:]
        elif kind == "position":
            row[0] += "x"
        elif len(row) > 3:
            row[3] = ""
    with values_file.open("w", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([header, *rows])
    return kind


def _damage_graph(graph_file, values_file):
    """Remove or reverse an edge in a graph's file; return "remove" or "turn". ``values_file`` is not used.

    In a .txt file, "remove" turns the edge into a loop. Do not change an .adjlist file, or one without a suitable edge.
    """
    lines = graph_file.read_text().split("\n")
    kind = random.choice(["remove", "turn"])
    separator = {".csv": ",", ".tsv": "\t"}.get(graph_file.suffix, " ")
    plain = [
        i for i, line in enumerate(lines) if line.count(separator) == 1 and '"' not in line and line[0] not in "#%s"
    ]
    if plain and graph_file.suffix != ".adjlist":
        i = random.choice(plain)
        start, end = lines[i].split(separator)
        if start and end:
            lines[i] = f"{end}{separator}{start}" if kind == "turn" else f"{end}"
            if graph_file.suffix == ".txt" and kind == "remove":
                lines[i] = f"{start}{separator}{start}"
    graph_file.write_text("\n".join(lines))
    return kind


def _random_code():
    kind = random.choice(["octal", "octal", "hexadecimal", "hexadecimal", "take", "all but", "any"])
    if kind == "any":
        more = "".join(random.choice("37") for _ in range(random.randint(0, 3)))
        return f"octal{{{random.choice('04')}.{more}[3]}}" if more else "lasker"
    if kind == "all but":
        return f"take{{not {','.join(map(str, sorted(random.sample(range(1, 12), random.randint(1, 4)))))}}}"
    if kind == "take":
        return f"take{{{','.join(map(str, sorted(random.sample(range(1, 12), random.randint(1, 4)))))}}}"
    alphabet = "01234567" if kind == "octal" else "0123456789ABCDEF"
    digits = "".join(random.choice(alphabet) for _ in range(random.randint(1, 4 if kind == "octal" else 2)))
    return f"{random.choice('0004')}.{digits}" if digits.strip("0") else "0.7"


def _nearly(game):
    """Return a game's name with one letter or digit replaced by a random digit from 1 to 7.

    This character comes after the point (without a point: after the opening brace) and before any ``[``. If the name
    has no such character, return "lasker"; if the name is "lasker", return the code of that game.
    """
    if game == "lasker":
        return "octal{4.3[3]}"
    start = game.index(".") if "." in game else game.index("{")
    i = random.choice(
        [i for i in range(start, game.index("[") if "[" in game else len(game)) if game[i].isalnum()] or [-1]
    )
    return game[:i] + random.choice("1234567") + game[i + 1 :] if i >= 0 else "lasker"


def _code_case(folder, kind):
    """Yield the certificate of the period of a random code or subtraction set, if there is one, then damaged copies."""
    game, most = _random_code(), random.choice([60, 300, 1000])
    certificate = heaps.game(game).period(min(most, 80) if any(digit in game for digit in "89ABCDEF") else most)
    if certificate is None:
        return
    file = folder / "period.json"
    certificate.save(file)
    yield "", [file], []
    good = json.loads(file.read_text())
    for _ in range(3):
        record = json.loads(json.dumps(good))
        damage = random.choice(["value", "period", "preperiod", "last_heap", "game", "later", "earlier", "saltus"])
        values, n0, p = record["values"], record["preperiod"], record["period"]
        if damage == "value":
            values[random.randrange(len(values))] += random.choice([1, 2, 64])
        elif damage == "period":
            more = [value + record["saltus"] for value in values[n0:]]
            last = record["last_heap"] + (p if "not" in game else 2 * p)
            record |= {"period": 2 * p, "saltus": 2 * record["saltus"], "values": values + more, "last_heap": last}
        elif damage == "preperiod":
            record["preperiod"] += 1
        elif damage == "last_heap":
            record["last_heap"] += random.choice([-1, 1])
        elif damage == "saltus":
            record["saltus"] = max(0, record["saltus"] + random.choice([-1, 1]))
        elif damage == "game":
            record["game"] = _nearly(good["game"])
        elif damage == "later":
            record |= {"preperiod": n0 + 1, "last_exception": n0, "values": [*values, values[n0] + record["saltus"]]}
            record["last_heap"] += 2 if n0 else 0
        elif n0:
            values.pop()
            record |= {"preperiod": n0 - 1, "last_exception": n0 - 2 if n0 > 1 else None}
            record["last_heap"] -= 2 if n0 > 1 else 0
        file.write_text(json.dumps(record))
        yield damage, [file], []


def _search_case(folder, kind):
    """Yield the certificate from a search for the outcome or value of a random sum, then damaged copies."""
    parts = []
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        m, n = random.randint(1, 3), random.randint(1, 4)
        games = [f"cram({m}x{n})", f"chomp({m}x{n})", f"kayles({m + n})", f"nim({m},{n})", "sprouts(2)"]
        parts.append(random.choice(games))
    search = Search(parse_position(" + ".join(parts)))
    good = search.certificate(value=random.random() < 0.5)
    file = folder / "search.json"
    good.write(file)
    yield "", [file], []
    for _ in range(3):
        games = [(name, list(rows)) for name, rows in good.games]
        damage, damaged = random.choice(["value", "drop", "swap", "outcome", "claim"]), good
        listed = [rows for _, rows in games if rows]
        if damage == "outcome":
            damaged = replace(good, outcome="PN"[good.outcome == "P"])
        elif damage == "claim":
            damaged = replace(good, value=random.randrange(4))
        elif listed:
            rows = random.choice(listed)
            i, j = random.randrange(len(rows)), random.randrange(len(rows))
            if damage == "drop":
                del rows[i]
            elif damage == "value":
                rows[i] = (rows[i][0], max(0, rows[i][1] + random.choice([-1, 1, 2, 62])))
            else:
                rows[i], rows[j] = (rows[i][0], rows[j][1]), (rows[j][0], rows[i][1])
            damaged = replace(good, games=games)
        damaged.write(file)
        yield damage, [file], []


def _quotient_case(folder, kind):
    """Yield the misère quotient of some heaps, or of a graph, then damaged copies."""
    file, graph_file = folder / "quotient.json", folder / "graph.edges"
    if random.random() < 0.4:
        size = random.randint(1, 7)
        drawn = nx.DiGraph((i, j) for i in range(size) for j in range(i) if random.random() < 0.5)
        drawn.add_nodes_from(range(size))
        write_game(GameGraph(drawn), graph_file, "edgelist")
        quotient = misere_quotient(read_game(graph_file), max_order=100, max_outcomes=20_000)
        files, damages = [graph_file, file], ["step", "lost", "word", "graph", "shorter", "merged"]
    else:
        game, count = heaps.game(_random_code()), random.randint(0, 12)
        quotient = heap_quotient(game, count, max_order=100, max_outcomes=20_000)
        files, damages = [file], ["step", "lost", "word", "game", "shorter", "merged"]
    write_quotient(quotient, file)
    good = json.loads(file.read_text())
    if not good["positions"]:
        return
    yield "", files, []
    for _ in range(4):
        record = json.loads(json.dumps(good))
        damage = random.choice(damages)
        order, row = len(record["steps"]), random.choice(record["steps"])
        if damage == "step" and row:
            row[random.randrange(len(row))] = random.randrange(order)
        elif damage == "lost":
            record["p_portion"] = sorted({*record["p_portion"]} ^ {random.randrange(order)})
        elif damage == "word" and record["generators"]:
            word = random.choice(record["words"])
            word[random.randrange(len(word) + 1) :] = [random.choice(record["generators"])]
        elif damage == "game":
            record["game"] = _nearly(good["game"])
        elif damage == "shorter":
            record["positions"].pop()
        elif damage == "merged":
            kept, gone = sorted(random.choices(range(order), k=2))
            record["steps"] = [[kept if x == gone else x for x in row] for row in record["steps"]]
        text = graph_file.read_text() if len(files) > 1 else ""
        if damage == "graph":
            _damage_graph(graph_file, None)
        file.write_text(json.dumps(record))
        yield damage, files, []
        if text:
            graph_file.write_text(text)


def _reduction_case(folder, kind):
    """Yield a random graph and a reduction of it (see :func:`_reduces`), then both again with one of them damaged."""
    size = random.choice([1, 2, 3, 5, 8, 13, 30])
    density = random.choice([0.1, 0.3, 0.6])
    edges = [(i, j) for i in range(size) for j in range(i) if random.random() < density]
    drawn = nx.DiGraph(edges)
    drawn.add_nodes_from(range(size))
    tokens = random.choice([None, [random.randrange(size)], random.choices(range(size), k=3)])
    files = folder / "large.edges", folder / "small.edges"
    write_game(GameGraph(drawn, tokens=tokens), files[0], "edgelist")
    large = read_game(files[0])
    small = random.choice([_equal, _heaps, thin])(large)
    write_game(small, files[1], "edgelist")
    yield "", list(files), []
    for _ in range(3):
        texts = [file.read_text() for file in files]
        damaged = random.choice(files)
        yield f"{damaged.stem} {_damage_graph(damaged, None)}", list(files), []
        for file, text in zip(files, texts, strict=True):
            file.write_text(text)


def _law_case(folder, kind):
    """Yield the proved laws of a random game, one at a time, each followed by damaged copies."""
    source = random.choice([*[_random_rules] * 5, _random_heaps, _random_heaps, _random_sum, _random_other])()
    misere = "+" not in source and random.random() < 0.3
    try:
        found = laws.find(source, size=40, misere=misere)
    except GraphGameError:
        return
    for law in (law for law in found if law.status == "proved"):
        file, good = folder / "law.json", law.record()
        file.write_text(json.dumps(laws_record(source, [law])))
        yield "", [file], []
        for _ in range(4):
            record, text = json.loads(json.dumps(good)), source
            damage = random.choice(
                ["formula", "formula", "moves", "period", "value", "coins", "quotient", "part", "row"]
            )
            if damage == "formula" and record["formula"]:
                record["formula"] = _with_other_digit(record["formula"])
            elif damage == "moves" and "moves" in record and "'" in source:
                moves = record["moves"]["moves"]
                i = random.randrange(len(moves))
                moves[i] = _with_other_digit(moves[i])
                text = "; ".join(moves)
            elif damage == "period" and "period" in record:
                record["period"]["period"] += 1
            elif damage == "value" and "period" in record:
                values = record["period"]["values"]
                values[random.randrange(len(values))] += 1
            elif damage == "coins" and "turns" in record:
                record["turns"]["values"] = record["formula"] = _with_other_digit(record["turns"]["values"])
            elif damage == "quotient" and "quotient" in record:
                lost = {*record["quotient"]["p_portion"]} ^ {random.randrange(record["quotient"]["order"])}
                record["quotient"]["p_portion"] = sorted(lost)
            elif damage == "part" and record.get("parts"):
                inner = random.choice(record["parts"])["law"]
                if "period" in inner:
                    inner["period"]["values"][-1] += 1
                else:
                    inner["formula"] = _with_other_digit(inner["formula"])
                inner["text"] = law_text(inner)
            elif damage == "row" and "rows" in record:
                row = random.choice(record["rows"]["rows"])
                row[random.randrange(2)] += random.choice([1, 2])
            record["text"] = law_text(record)
            file.write_text(json.dumps({**laws_record(text, []), "laws": [record]}))
            yield damage, [file], []


def _random_rules():
    return random_rules(random.randrange(2**32))


def _random_heaps():
    game = _random_code()
    return f"code{{{game}}}(n)" if "." in game and "{" not in game else f"{game}(n)"


def _random_sum():
    amounts = sorted(random.sample(range(1, 8), 2))
    other = random.choice(["kayles", "octal{0.17}", "dawson-chess", "take{1,3}"])
    return f"take{{{amounts[0]},{amounts[1]}}}(a) + {other}(b)"


def _random_other():
    coins = ["turning-turtles(n)", "mock-turtles(n)", "ruler(n)", "twins(n)", "triplets(n)", "ruler-fives(n)"]
    memory = [f"take-away{{a {sign} {random.choice(['k', '2k'])}}}(n)" for sign in ("<", "<=")]
    return random.choice([*coins, *memory, f"whiteboard{{{random.randint(1, 4)}}}(n)", "moore{2}(a,b,c)"])


def _with_other_digit(text):
    places = [i for i, letter in enumerate(text) if letter.isdigit()]
    if not places:
        return text.replace("<", "<=", 1) if random.random() < 0.5 else text.replace("=", "!=", 1)
    i = random.choice(places)
    return text[:i] + random.choice("123456") + text[i + 1 :]


def _equal(graph):
    return reduce(graph).graph


def _heaps(graph):
    return reduce(graph, heaps=True).graph


def _reduces(large, small):
    """Return whether ``small`` is a reduction of ``large``: each position and token becomes one of the same value.

    Either each position of value n becomes the Nim heap "*n". Or positions with the same options become one of these
    positions, and ``small`` has no moves that ``large`` does not have.
    """
    names, of_heaps = [*small], "*0" in small and "*0" not in large
    value, expected = solve(large).grundy, solve(small).grundy
    if of_heaps:
        image = {label: f"*{value[label]}" for label in large}
    elif len(small) == len(large):
        image = {label: label for label in large}
    else:
        both = GameGraph(nx.union(nx.DiGraph(large), nx.DiGraph(small), rename=("large ", "small ")))
        classes = stable_classes(both, np.zeros(len(both), int))
        found = {classes[both.number_of(f"small {name}")]: name for name in names}
        image = {label: found.get(classes[both.number_of(f"large {label}")]) for label in large}
        if len(found) < len(names) or any(image.get(name) != name for name in names):
            return False
    right = all(label in small and expected[label] == value[old] for old, label in image.items())
    if not of_heaps and right:
        moves = {(image[start], image[end]) for start, end in large.edges}
        right = all(name in large for name in names) and set(small.edges) <= moves
    tokens = None if large.tokens is None else [image[token] for token in large.tokens]
    return right and tokens == (None if small.tokens is None else [*small.tokens])


def _verified(files, arguments):
    """Return whether graphgame accepts the files, and which winner it names."""
    try:
        if files[0].name == "law.json":
            return all(law.grounds and law.fault is None for law in check_laws(files[0])), None
        if files[-1].name == "small.edges":
            return _reduces(*map(read_game, files)), None
        if files[-1].name == "quotient.json":
            quotient, graph = read_quotient(files[-1]), read_game(files[0]) if len(files) > 1 else None
            if graph is None:
                graph = heap_graph(heaps.game(quotient.game), len(quotient.labels) - 1)
            return find_fault(quotient, graph) is None, None
        if files[0].name == "search.json":
            certificate = read_position_certificate(files[0])
            right = certificate.fault(parse_position(certificate.position)) is None
            return right, ("first" if certificate.outcome == "N" else "second") if right else None
        if len(files) == 1:
            certificate = PeriodCertificate.load(files[0])
            return heaps.game(certificate.game).fault(certificate) is None, None
        values = read_values(files[1])
        misere, loopy = "--misere" in arguments, "--loopy" in arguments
        if values.misere not in (None, misere):
            return False, None
        report = verify(read_game(files[0]), values, misere=misere, loopy=loopy)
    except GraphGameError:
        return False, None
    return bool(report), report.winner if report else None


def _proved(files, arguments):
    """Return (whether the proved checker accepts the files, the winner it names or None), and its output."""
    if files[0].name == "search.json":
        certificate = read_position_certificate(files[0])
        files = [files[0].with_name("listing")]
        files[0].write_text(certificate.listing(parse_position(certificate.position)), encoding="utf-8")
    run = subprocess.run([PROVED, *arguments, *files], capture_output=True, text=True, check=False, timeout=600)
    said = (run.stdout + run.stderr).strip()
    if run.returncode not in (0, 2) or run.returncode != (0 if said.startswith("proved: ") else 2):
        raise AssertionError(f"exit {run.returncode}: {said}")
    words = {"first": "; first player wins", "second": "; second player wins", "draw": "; draw"}
    winner = next((name for name, text in words.items() if text in said), None)
    return (run.returncode == 0, winner if run.returncode == 0 else None), said


if __name__ == "__main__":
    main()
