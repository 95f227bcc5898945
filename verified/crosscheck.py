"""Compare graphgame-proved with graphgame verify on random files, each good and damaged.

Both must accept the good files, and agree on the damaged ones: the same files accepted, with the same winner.
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
from pathlib import Path

import networkx as nx

from graphgame import GameGraph, heaps, read_game, solve, verify, write_game
from graphgame.errors import GraphGameError
from graphgame.heaps.certificates import PeriodCertificate
from graphgame.io.values import read_values, write_values
from graphgame.proof.certification import write_certificate

PROVED = Path(__file__).parent / "build" / "graphgame-proved"
ODD_LABELS = ["a b", 'say "hi"', "x,y", "élan", "=1", "007", "#1", "-3", "12345678901234567890", "", "λ", "N"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", type=int, default=10_000)
    parser.add_argument("--codes", type=int, default=1000)
    parser.add_argument("--certificates", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    differences = 0
    kinds = [(_graph_case, "values", options.graphs), (_graph_case, "certificate", options.certificates)]
    kinds.append((_code_case, "period", options.codes))
    with tempfile.TemporaryDirectory() as folder:
        for make, kind, times in kinds:
            for number in range(times):
                random.seed(f"{options.seed} {kind} {number}")
                for damage, files, arguments in make(Path(folder), kind):
                    expected = _verified(files, arguments)
                    found, said = _proved(files, arguments)
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
    """Yield a random graph with its values, then the same damaged."""
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
    play = "misere" if misere else "normal"
    graph_file, values_file = folder / f"graph{suffix}", folder / "values.csv"
    write_game(graph, graph_file, format)
    graph = read_game(graph_file)
    solution = solve(graph, play=play)
    if kind == "certificate":
        write_certificate(solution, values_file)
    else:
        write_values(solution, values_file)
    arguments = ["--misere"] if misere else []
    if random.random() < 0.03:
        arguments = ["--misere"] if not misere else []
        yield "other play", [graph_file, values_file], arguments
        return
    yield "", [graph_file, values_file], arguments
    for _ in range(2):
        values, text = values_file.read_bytes(), graph_file.read_bytes()
        damage = random.choice([_damage_values, _damage_values, _damage_graph])
        yield damage(graph_file, values_file), [graph_file, values_file], arguments
        values_file.write_bytes(values)
        graph_file.write_bytes(text)


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
    """Remove an edge, or turn one round."""
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


def _code_case(folder, kind):
    """Yield the certificate of the period of a random octal code, then the same damaged."""
    digits = "".join(random.choice("01234567") for _ in range(random.randint(1, 4)))
    code = f"{random.choice('0004')}.{digits}" if digits.strip("0") else "0.7"
    digits = code[2:]
    certificate = heaps.octal(code).period(random.choice([60, 300, 1000]))
    if certificate is None:
        return
    file = folder / "period.json"
    certificate.save(file)
    yield "", [file], []
    good = json.loads(file.read_text())
    for _ in range(3):
        record = json.loads(json.dumps(good))
        damage = random.choice(["value", "period", "preperiod", "last_heap", "game", "later", "earlier"])
        values, n0, p = record["values"], record["preperiod"], record["period"]
        if damage == "value":
            values[random.randrange(len(values))] += random.choice([1, 2, 64])
        elif damage == "period":
            record |= {"period": 2 * p, "values": values + values[n0:], "last_heap": record["last_heap"] + 2 * p}
        elif damage == "preperiod":
            record["preperiod"] += 1
        elif damage == "last_heap":
            record["last_heap"] += random.choice([-1, 1])
        elif damage == "game":
            i = random.randrange(len(digits))
            changed = digits[:i] + random.choice("01234567") + digits[i + 1 :]
            record["game"] = record["game"].replace(f".{digits.rstrip('0')}", f".{changed}")
        elif damage == "later":
            record |= {"preperiod": n0 + 1, "last_exception": n0, "values": [*values, values[n0]]}
            record["last_heap"] += 2 if n0 else 0
        elif n0:
            values.pop()
            record |= {"preperiod": n0 - 1, "last_exception": n0 - 2 if n0 > 1 else None}
            record["last_heap"] -= 2 if n0 > 1 else 0
        file.write_text(json.dumps(record))
        yield damage, [file], []


def _verified(files, arguments):
    """Return whether graphgame accepts the files, and which winner it names."""
    try:
        if len(files) == 1:
            certificate = PeriodCertificate.load(files[0])
            return heaps.game(certificate.game).fault(certificate) is None, None
        values = read_values(files[1])
        play = "misere" if arguments else "normal"
        if values.play not in (None, play):
            return False, None
        report = verify(read_game(files[0]), values, play=play)
    except GraphGameError:
        return False, None
    return bool(report), report.winner if report else None


def _proved(files, arguments):
    """Return the same of the proved checker, and what it says."""
    run = subprocess.run([PROVED, *arguments, *files], capture_output=True, text=True, check=False, timeout=600)
    said = (run.stdout + run.stderr).strip()
    if run.returncode not in (0, 2) or run.returncode != (0 if said.startswith("proved: ") else 2):
        raise AssertionError(f"exit {run.returncode}: {said}")
    winner = next((name for name in ("first", "second") if f"; {name} player wins" in said), None)
    return (run.returncode == 0, winner if run.returncode == 0 else None), said


if __name__ == "__main__":
    main()
