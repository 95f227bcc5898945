"""Kill a solver that works on disk at random moments, or fill its disk; then resume it and compare the values.

    python benchmarks/interruptions.py GAME [--kills 20] [--memory 300MB] [--seed 1] [--disk 100] [--folder DIR]
    python benchmarks/interruptions.py --search "sprouts(8)" [--kills 20] [--seed 1] [--jobs 2] [--every 2]

GAME is a graph file with tokens. The script first solves it without interruption. Then it repeats these steps
``--kills`` times: start a solver from the beginning, kill it (SIGKILL) after a random part of the time that the first
run took, and run the same command to its end. ``--memory`` is the solver's memory limit.

With ``--disk`` it also solves the game on a disk of this many megabytes (tmpfs, so you need the right to mount), and
enlarges the disk until it is large enough. Then it solves the game on this disk three more times, while a thread fills
the disk at some moment, and frees it after the failure. All values must be the same, byte by byte; otherwise the exit
status is 1.

With ``--search`` GAME is a position. A search for its value writes its table every ``--every`` seconds. It is killed
twice, continues from the table each time, and must find the same value. ``--jobs`` is the number of threads; only
searches that visit more than 262,144 positions, such as that of ``cram(5x7)``, use more than one.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

STAGES = ("scan", "group", "rows", "values")
MOST_ATTEMPTS = 20


def command(game: Path, work: Path, values: Path, memory: str) -> list[str]:
    """Return the command that solves ``game`` in the folder ``work`` and writes the values to the file ``values``.

    ``memory`` is the solver's memory limit, such as "300MB".
    """
    arguments = ["solve", str(game), "--workdir", str(work), "--memory", memory, "--values", str(values)]
    return [sys.executable, "-m", "graphgame", *arguments, "--verdict"]


def solved(game: Path, work: Path, values: Path, memory: str) -> str:
    """Run :func:`command` to its end; return a digest of the file ``values``."""
    done = subprocess.run(command(game, work, values, memory), capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"failed with status {done.returncode}:\n{done.stderr}")
    return digest_of(values)


def digest_of(values: Path) -> str:
    return blake2b(values.read_bytes()).hexdigest()


def reached(work: Path) -> str:
    """Return how far a killed solver came, by its manifest: a text such as ``after rows``."""
    manifest = work / "manifest.json"
    stages = json.loads(manifest.read_text())["stages"] if manifest.exists() else {}
    recorded = [stage for stage in STAGES if stages.get(stage)]
    return f"after {recorded[-1]}" if recorded else "before scan" if stages else "at the start or the end"


def kill_once(game: Path, folder: Path, memory: str, after: float) -> tuple[str, str]:
    """Kill a solver with the memory limit ``memory`` after ``after`` seconds, and solve again to the end.

    Return the stage that the killed solver had reached, and the digest of the values of the second run.
    """
    work, values = folder / "work", folder / "values.parquet"
    line = command(game, work, values, memory)
    process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(after)
    process.kill()
    process.wait()
    return reached(work), solved(game, work, values, memory)


def search(position: str, table: Path, every: float, jobs: int | None) -> list[str]:
    arguments = ["search", position, "--value", "--resume", str(table), "--resume-every", str(every), "--json"]
    threads = [] if jobs is None else ["--jobs", str(jobs)]
    return [sys.executable, "-m", "graphgame", *arguments, *threads]


def answer(line: list[str]) -> tuple[tuple[str, int], int]:
    """Run a search to its end; return ((outcome, value), number of visited positions)."""
    done = subprocess.run(line, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"failed with status {done.returncode}:\n{done.stderr}")
    report = json.loads(done.stdout)
    return (report["outcome"], report["value"]), report["visited"]


def kill_searches(line: list[str], kills: int, moments: random.Random, table: Path) -> int:
    """Repeat ``kills`` times: kill a search, kill the search that continues it, and let a third search finish.

    ``line`` is the command of a search that writes, and continues from, the file ``table``. ``moments`` chooses when to
    kill. Return how many third searches gave another answer than a search without interruption.
    """
    wrong = 0
    begin = time.monotonic()
    expected, visited = answer(line)
    whole = time.monotonic() - begin
    print(f"undisturbed: {whole:.1f} s, {expected}, {visited:,} positions visited", flush=True)
    for number in range(kills):
        table.unlink(missing_ok=True)
        after = [moments.uniform(0, whole) for _ in range(2)]
        for seconds in after:
            process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(seconds)
            process.kill()
            process.wait()
        result, left = answer(line)
        wrong += result != expected
        moved = " and ".join(f"{seconds:.2f} s" for seconds in after)
        same = "the same" if result == expected else f"ANOTHER ANSWER, {result}"
        print(f"{number + 1}: killed after {moved}, {left:,} positions were left to visit: {same}", flush=True)
    return wrong


def refused(line: list[str], work: Path, when: str) -> bool:
    """Run a solver in the folder ``work``; return whether it failed.

    If it failed, print three things: the text ``when``, how far the solver came, and its error. End the script if the
    error is a traceback or the exit status is not 2.
    """
    done = subprocess.run(line, capture_output=True, text=True)
    if done.returncode:
        print(f"{when}, {reached(work)}: {done.stderr.strip()}", flush=True)
        if done.returncode != 2 or "Traceback" in done.stderr:
            raise SystemExit("expected an error message")
    return done.returncode != 0


def fill_disk(game: Path, folder: Path, memory: str, megabytes: int, whole: float) -> list[str]:
    """Solve on a disk that grows after each failure, then three times while a thread fills it.

    Return digests of the values: of the first run that succeeds, and of each run that follows a failure on the filled
    disk. ``megabytes`` is the first size of the disk, ``memory`` the solver's memory limit, and ``whole`` the seconds
    of a run without interruption.
    """
    disk, values = folder / "disk", folder / "values.parquet"
    disk.mkdir()
    line, digests = command(game, disk / "work", values, memory), []
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes}M", "tmpfs", str(disk)], check=True)
    try:
        for _ in range(MOST_ATTEMPTS):
            if not refused(line, disk / "work", f"{megabytes} MB"):
                break
            megabytes = megabytes * 5 // 4
            subprocess.run(["mount", "-o", f"remount,size={megabytes}M", str(disk)], check=True)
        digests.append(digest_of(values))
        for share in (0.4, 0.6, 0.8):
            filler = threading.Timer(share * whole, fill, [disk])
            filler.start()
            failed = refused(line, disk / "work", f"filled after {share * whole:.1f} s")
            filler.join()
            (disk / "filler").unlink()
            if failed:
                digests.append(solved(game, disk / "work", values, memory))
    finally:
        subprocess.run(["umount", str(disk)], check=True)
    return digests


def fill(disk: Path) -> None:
    """Write a file that takes all free space of a disk."""
    with suppress(OSError), (disk / "filler").open("wb", buffering=0) as file:
        while file.write(bytes(1 << 20)):
            pass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", help="a file, or a position with --search")
    parser.add_argument("--search", action="store_true", help="kill searches for the value of a position")
    parser.add_argument("--jobs", type=int, help="threads of a search")
    parser.add_argument(
        "--every", type=float, default=0.1, metavar="SECONDS", help="how often a search writes its table"
    )
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--memory", default="300MB")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--disk", type=int, metavar="MEGABYTES")
    parser.add_argument("--folder", type=Path, help="folder for work files; default: the folder for temporary files")
    options = parser.parse_args()
    moments, met, wrong = random.Random(options.seed), Counter[str](), 0
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder, game = Path(name), Path(options.game)
        if options.search:
            table = folder / "table.txt"
            line = search(options.game, table, options.every, options.jobs)
            wrong = kill_searches(line, options.kills, moments, table)
            sys.exit(wrong > 0)
        begin = time.monotonic()
        expected = solved(game, folder / "work", folder / "values.parquet", options.memory)
        whole = time.monotonic() - begin
        print(f"undisturbed: {whole:.1f} s", flush=True)
        for number in range(options.kills):
            after = moments.uniform(0, whole)
            where, found = kill_once(game, folder, options.memory, after)
            met[where] += 1
            wrong += found != expected
            same = "the same values" if found == expected else "OTHER VALUES"
            print(f"{number + 1}: killed after {after:.2f} s, {where}: {same}", flush=True)
            shutil.rmtree(folder / "work", ignore_errors=True)
        if options.disk:
            others = fill_disk(game, folder, options.memory, options.disk, whole)
            wrong += sum(found != expected for found in others)
            print(f"full disks: solved {len(others)} times afterwards")
    print(f"{options.kills} kills: {dict(met)}; other values: {wrong}")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
