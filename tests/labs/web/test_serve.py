"""``graphgame serve`` as a client of it sees it: what it answers, to whom, within which limits, and how it ends."""

import errno
import http.client
import json
import multiprocessing
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

import pytest

from graphgame.labs.web.cli import _files
from graphgame.labs.web.page import page_html
from graphgame.labs.web.server import ServeLimits, Site
from graphgame.labs.web.work import Job, PageRequest
from tests.commands import error
from tests.site import serving

SLOW = "GET /?position=slow.py:Slow HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("site"), "--max-bytes", "100KB") as running:
        yield running


def upload(site, name, body):
    status, text = site.ask(f"/file?name={name}", "POST", body)
    assert status == 200
    return site.ask(f"/?file={json.loads(text)['file']}")


def parts(page):
    """Return a page's policy, and its scripts."""
    return re.findall(r'Policy" content="(.*?)">', page) + re.findall(r"<script>(.*?)</script>", page, re.DOTALL)


def picture_of(page):
    return json.loads(re.search('id="game" type="application/json">(.*?)</script>', page)[1])["site"]["picture"]


def wait_until(holds):
    for _ in range(600):  # half a minute: other tests may keep the cores busy
        if holds():
            return
        time.sleep(0.05)
    raise AssertionError


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


class TestPages:
    @pytest.mark.parametrize(
        "text", ["nim(3,4,5)", " kayles(7) + chomp(2x3) ", "wind-up{7:1,2,5}(3)", "chips.txt", "chips.txt@4"]
    )
    def test_a_position_has_its_page(self, site, text):
        status, page = site.position(text)
        assert status == 200
        assert f"<title>{text.strip()}</title>" in page

    @pytest.mark.parametrize("text", ["wythoff(0..5, 0..7)", "take{1,3,4}(0..40)"])
    def test_ranges_are_a_picture_of_the_values(self, site, text):
        status, page = site.position(text)
        assert status == 200
        picture = picture_of(page)
        assert text in picture[: picture.index("</svg>")]
        assert site.position("nim(3..1)")[0] == 400

    def test_messages_speak_the_language_of_the_browser(self, site):
        assert "没有游戏" in site.position("kayls(5)", Accept_Language="zh-CN,en;q=0.5")[1]
        assert "16 个局面，4 必败态" in picture_of(site.position("nim(0..3,0..3)", Accept_Language="zh")[1])

    def test_it_is_the_offline_page_with_a_bar(self, site):
        page, alone = (parts(text) for text in (site.position("nim(1,2)")[1], page_html("nim(1,2)", title="nim(1,2)")))
        assert page[0].split("script-src")[0] == alone[0].split("script-src")[0]
        assert page[0].split("img-src")[1] == alone[0].split("img-src")[1]
        assert page[1].startswith(alone[1])
        assert len(page) == len(alone) == 2

    def test_rules_that_were_named_are_run(self, site):
        assert site.position("rules.py:Square(4)")[0] == 200

    def test_rules_that_were_not_are_not(self, site):
        for text in ("secret.py:Any", "secret.py", "./slow.py:Slow", "node-kayles(file:cycle.edges)", "cycle.edges@a"):
            status, answer = site.position(text)
            assert status == 400
            assert "may not be read here" in answer
        assert not (site.folder / "ran").exists()

    @pytest.mark.parametrize(
        "text",
        [
            "kayls(5)",
            "nim(3,x)",
            "cutting(0x0)",
            "nim(3)) + (",
            "rules.py:Boom(9)",
            "rules.py:Pairs",
            "rules.py",
        ],
    )
    def test_what_is_wrong_is_said_as_at_the_terminal(self, site, text, monkeypatch):
        monkeypatch.chdir(site.folder)
        status, answer = site.position(text)
        assert status == 400
        assert answer.rstrip() == error("draw", text, "-o", "x.html", "--loopy").rstrip()
        assert 'class="fault"' not in answer

    def test_a_browser_gets_the_message_on_the_page_that_the_site_begins_with(self, site):
        status, page = site.position("kayls(5)", Accept="text/html,*/*")
        data = json.loads(re.search('id="game" type="application/json">(.*?)</script>', page)[1])["site"]
        assert (status, data["text"], "kayles" in data["error"]) == (400, "kayls(5)", True)
        assert site.ask("/", Accept="text/plain")[1].startswith("<!DOCTYPE html>")

    @pytest.mark.parametrize(
        ("text", "opened"),
        [
            ("kayles", "kayles(7)"),
            ("Kayles", "kayles(7)"),
            ("Nim(3,4,5)", "nim(3,4,5)"),
            ("3,4,5", "nim(3,4,5)"),
            ("3 4 5", "nim(3,4,5)"),
            ("7", "nim(7)"),
            ("kayles[5]", "kayles(5)"),
            ("chomp 2x3", "chomp(2x3)"),
            ("kayles(4) + Nim 3", "kayles(4) + nim(3)"),
        ],
    )
    def test_what_is_surely_meant_is_opened(self, site, text, opened):
        status, page = site.position(text)
        assert (status, f"<title>{opened}</title>" in page) == (200, True)

    @pytest.mark.parametrize("text", ["kayls(5)", "dawson 7", "chips", "3.5", "nim kayles 5"])
    def test_what_is_in_doubt_is_asked(self, site, text):
        assert site.position(text)[0] == 400

    @pytest.mark.parametrize(
        ("text", "advice"),
        [
            ("chomp(30x30)", "a theorem says: first player wins; try a smaller position (the catalogue's"),
            ("nim(1000,1000)", "a theorem says: second player wins; try a smaller position (the catalogue's"),
            ("cram(9x9)", "graphgame search finds who wins without the whole graph; try a smaller position"),
            (f"northcott({'/'.join(['x......o'] * 7)})", "a theorem says: first player wins; try a smaller position"),
        ],
    )
    def test_of_what_is_too_large_it_says_what_one_may_do(self, site, text, advice):
        status, answer = site.position(text)
        assert status == 400
        assert f"{text} is too large for a page" in answer
        assert advice in answer

    @pytest.mark.parametrize("text", ["nim(1000,1000,1000)", "chomp(12x12)", "cram(9x9)", "a" * 2000])
    def test_what_is_too_large_is_refused(self, site, text):
        assert site.position(text)[0] == 400

    def test_what_takes_too_much_memory_is_refused(self, site):
        status, answer = site.position("slow.py:Large")
        assert (status, "not enough memory" in answer) == (400, True)
        assert site.position("nim(1)")[0] == 200

    def test_files_of_any_format(self, site):
        assert upload(site, "a.edges", "x y\ny z\n")[0] == 200
        assert upload(site, f"{quote('棋' * 200)}.edges", "x y\ny z\n")[0] == 200
        assert "<title>passwd.csv</title>" in upload(site, "..%2F..%2Fetc%2Fpasswd.csv", "x,y\n")[1]
        assert upload(site, "loop.json", '{"nodes": [{"id": 1}], "links": [], "directed": true}')[0] == 200
        assert upload(site, "", b"\x93NUMPY") == (400, upload(site, "-", b"\x93NUMPY")[1])

    def test_a_damaged_file_is_told_by_its_name(self, site):
        status, answer = upload(site, "bad.txt", "2 1 1\n1 9\n1\n")
        assert (status, answer.startswith("graphgame: error: bad.txt:2:")) == (400, True)

    def test_a_file_is_bounded(self, site):
        assert site.ask("/file?name=a.txt", "POST", b"1 " * 60_000)[0] == 413
        refused = site.ask("/file?name=a.txt", "POST", b"1 " * 60_000, accept_language="zh")[1]
        assert refused.startswith("graphgame: 错误：a.txt")
        assert "more than" in upload(site, "a.txt.gz", gzipped(10**6))[1]

    def test_unknown_addresses(self, site):
        assert [site.ask(path)[0] for path in ("/x", "/file", "/?file=../x", "/favicon.ico")] == [404, 405, 400, 204]


def gzipped(size):
    import gzip

    return gzip.compress(b"1 2\n" * (size // 4))


class TestGuard:
    @pytest.mark.parametrize(
        "headers",
        [
            {"Host": "example.org"},
            {"Host": "127.0.0.1"},
            {"Origin": "http://example.org"},
            {"Origin": "null"},
            {"Origin": "http://127.0.0.1:1"},
            {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Dest": "iframe"},
            {"Sec_Fetch_Site": "same-site", "Sec_Fetch_Dest": "empty"},
        ],
    )
    def test_other_sites_are_refused(self, site, headers):
        for method in ("GET", "POST"):
            assert site.ask("/file", method, **headers)[0] == 403

    def test_its_own_and_links_are_not(self, site):
        assert site.ask("/", Origin=site.address.rstrip("/"))[0] == 200
        assert site.ask("/", Sec_Fetch_Site="cross-site", Sec_Fetch_Dest="document")[0] == 200

    def test_it_listens_on_the_loopback_address_alone(self, site):
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.2", site.port))


class TestClients:
    def test_fifty_at_once(self, site):
        with ThreadPoolExecutor(50) as clients:
            asked = ["/" if number % 5 else "/?position=nim(1)" for number in range(50)]
            answers = list(clients.map(site.ask, asked))
        assert {status for status, _ in answers} == {200}
        assert len(set(answers)) == 2

    def test_who_goes_away_leaves_nothing_behind(self, site):
        for _ in range(2 * (os.cpu_count() or 1)):
            before = site.children()
            with socket.create_connection(("127.0.0.1", site.port)) as client:
                client.sendall(SLOW.format(site.port).encode())
                wait_until(lambda known=before: site.children() - known)
        assert site.position("nim(1)")[0] == 200
        wait_until(lambda: not any(map(is_running, site.children())))

    def test_half_a_request(self, site):
        with socket.create_connection(("127.0.0.1", site.port)) as client:
            client.sendall(
                b"POST /file?name=a HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 50\r\n\r\n1 2" % site.port
            )
        with socket.create_connection(("127.0.0.1", site.port)) as client:
            client.sendall(b"\0\xff nonsense\r\n\r\n")
            assert client.recv(100).startswith(b"HTTP/1.1 400")
        assert site.position("nim(1)")[0] == 200


@pytest.mark.long
class TestEnd:
    def test_ctrl_c_ends_it_in_the_middle(self, tmp_path):
        with serving(tmp_path) as site, socket.create_connection(("127.0.0.1", site.port)) as client:
            client.sendall(SLOW.format(site.port).encode())
            wait_until(site.children)
            site.process.send_signal(signal.SIGINT)
            _, told = site.process.communicate(timeout=30)
            assert (site.process.returncode, told) == (130, "interrupted\n")
            wait_until(lambda: not any(map(is_running, site.children())))

    @pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
    def test_a_signal_ends_it_in_the_middle_of_requests(self, tmp_path, number):
        def ask_on():
            with suppress(OSError, http.client.HTTPException):
                while True:
                    site.ask("/no-such-page")

        before = signal.signal(number, signal.SIG_DFL)  # under nohup a hangup is ignored, which the site would inherit
        try:
            for _ in range(2):
                with ThreadPoolExecutor(8) as clients, serving(tmp_path) as site:
                    for _ in range(8):
                        clients.submit(ask_on)
                    time.sleep(0.3)
                    site.process.send_signal(number)
                    _, told = site.process.communicate(timeout=30)
                    assert (site.process.returncode, told) == (128 + number, f"{signal.strsignal(number).lower()}\n")
        finally:
            signal.signal(number, before)

    def test_under_nohup_it_goes_on(self, tmp_path, monkeypatch):
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # which a process inherits
        try:
            with serving(tmp_path) as site:
                site.process.send_signal(signal.SIGHUP)
                assert site.position("nim(1)")[0] == 200
        finally:
            signal.signal(signal.SIGHUP, before)

    def test_killed_it_leaves_no_job_and_no_file(self, tmp_path, monkeypatch):
        temporary = Path(tempfile.mkdtemp())  # a short path: sockets have at most 107 characters
        monkeypatch.setenv("TMPDIR", str(temporary))
        with serving(tmp_path) as site, socket.create_connection(("127.0.0.1", site.port)) as client:
            assert upload(site, "mine.edges", "x y\n")[0] == 200
            assert [*temporary.rglob("mine.edges")]
            client.sendall(SLOW.format(site.port).encode())
            wait_until(site.children)
            site.process.kill()
            wait_until(lambda: not any(map(is_running, site.children())))
            wait_until(lambda: not [*temporary.glob("graphgame-*")])

    def test_killed_while_it_draws_it_leaves_no_temporary_file(self, tmp_path, monkeypatch):
        temporary = Path(tempfile.mkdtemp())
        monkeypatch.setenv("TMPDIR", str(temporary))
        with serving(tmp_path) as site, socket.create_connection(("127.0.0.1", site.port)) as client:
            request = f"GET /?position=wythoff(0..500,0..500) HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\n\r\n"
            client.sendall(request.encode())
            wait_until(lambda: any(temporary.rglob("tmp*/")))
            site.process.kill()
            wait_until(lambda: not any(temporary.rglob("tmp*/")))

    def test_a_page_that_takes_too_long_is_given_up(self, tmp_path):
        with serving(tmp_path, "--timeout", "0.5") as site:
            assert "not done after 0.5 seconds" in site.position("slow.py:Slow")[1]
            assert "0.5 秒后页面仍未生成" in site.position("slow.py:Slow", accept_language="zh")[1]
            wait_until(lambda: not any(map(is_running, site.children())))
            site.process.terminate()
            assert site.process.communicate(timeout=30)[1] == "terminated\n"
            assert site.process.returncode == 143


class TestLimits:
    def test_a_job_has_a_session_of_its_own_and_bounds_of_memory_and_time(self):
        bounds = "*(resource.getrlimit(bound)[0] for bound in (resource.RLIMIT_DATA, resource.RLIMIT_CPU))"
        told = f"print((os.getsid(0) == os.getpid(), {bounds}))"
        code = f"import os, resource; from graphgame.labs.web.work import _limit; _limit(1.5); {told}"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout == f"(True, {2 << 30}, 6)\n"

    def test_a_job_beyond_its_memory_ends_itself_where_the_system_has_no_bounds(self):
        receiver, sender = multiprocessing.Pipe()
        code = (
            "import sys; from multiprocessing.connection import Connection; from graphgame.labs.web import work; "
            "sys.modules['resource'] = None; work._limit(1.5); work._MOST_MEMORY = 1; "
            "work._watch(Connection(int(sys.argv[1])))"
        )
        command = [sys.executable, "-c", code, str(sender.fileno())]
        with subprocess.Popen(command, pass_fds=[sender.fileno()]) as job:
            sender.close()
            assert receiver.recv().error == "not enough memory for this game"
        assert job.returncode == -signal.SIGKILL

    def test_a_job_where_no_process_can_be_forked(self, tmp_path, monkeypatch):
        monkeypatch.setattr("graphgame.labs.web.work._START_METHOD", "spawn")
        asked = PageRequest("nim(1)", (), None, "en", 60, 1 << 20, str(tmp_path))
        assert "<title>nim(1)</title>" in Job(asked).run().html

    @pytest.mark.parametrize(("cores", "jobs"), [(3, 3), (1, 1), (None, 1)])
    def test_as_many_jobs_run_at_once_as_there_are_cores(self, cores, jobs, monkeypatch):
        monkeypatch.setattr(os, "cpu_count", lambda: cores)
        assert Site((), (), Path(), ServeLimits(1, 1))._free._value == jobs


class TestCommand:
    def test_the_files_of_sources(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        for name in ("a.txt", "a+b.txt"):
            Path(name).touch()
        assert [*_files(["a+b.txt", "a.txt@4", "rules.py:Mine(3) + nim(2)"])] == ["a+b.txt", "a.txt", "rules.py"]

    def test_what_cannot_be_shown_is_refused_at_once(self, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        assert "no.txt: No such file" in error("serve", "no.txt")
        assert "unknown game" in error("serve", "kayls(5)")
        assert "expected a number of bytes" in error("serve", "--max-bytes", "much")

    def test_a_port_that_is_taken(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            assert f"port {port} cannot be used: address already in use; --port 0" in error(
                "serve", "--port", str(port)
            )

    @pytest.mark.parametrize("options", [[], ["--port", "0"]])
    def test_no_port_can_be_used(self, options, monkeypatch):
        def refused(*_, **__):
            raise OSError(errno.EADDRINUSE, "")

        monkeypatch.setattr(socket, "create_server", refused)
        assert "no port of 127.0.0.1 can be used: address already in use\n" in error("serve", *options)
