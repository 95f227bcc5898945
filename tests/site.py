"""A running site of ``graphgame serve``, and its clients."""

import http.client
import os
import subprocess
import sys
from contextlib import contextmanager
from urllib.parse import quote

from tests.commands import fill

RULES = """
import os, pathlib, time
from graphgame import Ruleset

class Slow(Ruleset):
    start = 1
    def options(self, heap):
        pathlib.Path(f"slow.{os.getpid()}").touch()
        time.sleep(600)
        return []

class Large(Ruleset):
    start = 1
    def options(self, heap):
        return [0] if bytearray(3 << 30) else []  # takes no memory until it is written to
"""


class Running:
    """A site in a separate process."""

    def __init__(self, process, folder):
        self.process = process
        self.folder = folder
        self.address = process.stderr.readline().split()[1]
        self.port = int(self.address.rstrip("/").rpartition(":")[2])

    def ask(self, path, method="GET", body=None, **headers):
        """Return the status and the text of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body, sent)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        if answer.status == 303:
            return self.ask(answer.headers["Location"], **headers)
        return answer.status, text

    def position(self, text, **headers):
        return self.ask(f"/?position={quote(text)}", **headers)

    def children(self):
        """Return the ids of the processes that work on slow rules, or did."""
        return {int(path.suffix[1:]) for path in self.folder.glob("slow.*") if path.suffix[1:].isdigit()}


@contextmanager
def serving(folder, *options):
    """Run a site that may read ``chips.txt`` and run three rulesets of two files. It may not run ``secret.py``."""
    fill(folder)
    (folder / "slow.py").write_text(RULES)
    (folder / "secret.py").write_text("import pathlib; pathlib.Path('ran').touch()")
    command = [sys.executable, "-m", "graphgame", "serve", "--port", "0", "--no-browser", *options]
    command += ["chips.txt", "rules.py:Square", "slow.py:Slow", "slow.py:Large"]
    process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True, env={**os.environ})
    try:
        yield Running(process, folder)
    finally:
        process.kill()
        process.wait()
        process.stderr.close()  # not read to its end, which would wait for a running job
