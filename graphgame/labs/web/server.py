"""The server of the local site.

It listens on the loopback address. It refuses requests from other sites, except when the user follows a link.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import re
import signal
import socket
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from urllib.parse import quote

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from graphgame.errors import Message
from graphgame.labs.web.work import Job, PageRequest, Reply, home
from graphgame.text.languages import LANGUAGES, current_language, render, translate, using

ADDRESS = "127.0.0.1"

_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_MOST_FILES = 50
"""The maximum number of uploaded files. A further file replaces the one whose last upload is the oldest."""

_LONGEST_NAME = 60
"""The maximum number of characters of an uploaded file's name, and of a request's path in an error message.

A character takes up to four bytes, and many systems allow 255 bytes in a name."""

_GRACE = 1
"""The seconds that running requests get to finish when the site ends."""


class ServeLimits(NamedTuple):
    """The maximum time to make a page, in seconds, and the maximum size of a file, in bytes."""

    seconds: float
    max_bytes: int


class Site:
    """The site: it answers requests for positions, for sources named on the command line, and for uploaded files.

    Parameters
    ----------
    sources : tuple of str
        The sources named on the command line.
    files : tuple of str
        The paths of files that these sources name, such as ``game.txt`` in ``game.txt@4``, exactly as written.
    folder : Path
        The folder for uploaded files; it exists while the site runs.
    limits : ServeLimits
    """

    def __init__(self, sources: tuple[str, ...], files: tuple[str, ...], folder: Path, limits: ServeLimits) -> None:
        self._sources = sources
        self._named = files
        self._folder = folder
        self._limits = limits
        self._uploads: OrderedDict[str, str] = OrderedDict()
        self._free = asyncio.Semaphore(os.cpu_count() or 1)

    def app(self, port: int) -> ASGIApp:
        """Return the site as an ASGI application, for a server on this port."""
        routes = [
            Route("/", self._show),
            Route("/file", self._take, methods=["POST"]),
            Route("/favicon.ico", _no_icon),
        ]
        handlers = {HTTPException: _refused, Exception: _failed}
        return _Guard(Starlette(routes=routes, exception_handlers=handlers), port)  # type: ignore[arg-type]

    async def _show(self, request: Request) -> Response:
        """Answer with the page of the position or file in the request.

        If the text is not in the notation but clearly means a position, redirect to its page. Answer with the start
        page if the request names nothing, if the answer is a picture of values, or if there is an error.
        """
        text, folder, named = request.query_params.get("position", "").strip(), None, self._named
        if (file := request.query_params.get("file")) is not None:
            if file not in self._uploads:
                return await self._begin(request, "", Message("the site no longer has this file: open the file again"))
            text, folder = self._uploads[file], str(self._folder / file)
            named = (text,)
        if not text:
            return await self._begin(request)
        wanted = PageRequest(text, named, folder, _language(request), *self._limits, str(self._folder))
        reply = await self._reply(request, wanted)
        if reply.meant:
            return RedirectResponse(f"/?position={quote(reply.meant)}", 303, _HEADERS)
        if reply.picture:
            return await self._begin(request, text, picture=reply.picture)
        if reply.html is None:
            return await self._begin(request, "" if folder else text, reply.error)
        return Response(reply.html, media_type="text/html", headers=_HEADERS)

    async def _reply(self, request: Request, wanted: PageRequest) -> Reply:
        """Make a page in a child process, and return the reply. If the client disconnects, end the child."""
        async with self._free:
            job = Job(wanted)
            done = asyncio.ensure_future(asyncio.to_thread(job.run))
            disconnected = asyncio.ensure_future(_disconnected(request))
            try:
                await asyncio.wait({done, disconnected}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                disconnected.cancel()
                if not done.done():
                    job.end()
            return await done

    async def _begin(self, request: Request, text: str = "", error: str = "", picture: str = "") -> Response:
        """Answer with the start page: ``text`` in its input field, and ``error`` or ``picture`` (in SVG) below it.

        If there is an error and the client does not accept HTML, answer only with the error.
        """
        status = 400 if error else 200
        if error and "text/html" not in request.headers.get("accept", ""):
            return _plain_answer(request, error, status)
        with using(_language(request)):
            error = render(error)
        page = await asyncio.to_thread(home, self._sources, text, error, picture)
        return Response(page, status, media_type="text/html", headers=_HEADERS)

    async def _take(self, request: Request) -> Response:
        """Store an uploaded file, and answer with its key; answer with an error if it is too large or incomplete."""
        name = _plain_name(request.query_params.get("name", ""))
        body = bytearray()
        try:
            async for block in request.stream():
                body += block
                if len(body) > (most := self._limits.max_bytes):
                    return _plain_answer(
                        request,
                        Message("{file} holds more than {max_bytes} bytes; --max-bytes allows more", name, most),
                        413,
                    )
        except ClientDisconnect:
            return _plain_answer(request, Message("the file did not arrive at the site: open the file again"), 400)
        key = hashlib.sha256(name.encode() + b"\0" + body).hexdigest()[:16]
        await asyncio.to_thread(self._keep, key, name, bytes(body))
        return JSONResponse({"file": key}, headers=_HEADERS)

    def _keep(self, key: str, name: str, body: bytes) -> None:
        folder = self._folder / key
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes(body)
        self._uploads[key] = name
        self._uploads.move_to_end(key)
        if len(self._uploads) > _MOST_FILES:
            oldest, old_name = self._uploads.popitem(last=False)
            (self._folder / oldest / old_name).unlink(missing_ok=True)


def serve_site(site: Site, listening: socket.socket) -> None:
    """Answer requests on a listening socket until a signal, such as an interrupt, stops the server."""
    logging.getLogger("uvicorn").setLevel(logging.CRITICAL)
    config = uvicorn.Config(
        site.app(listening.getsockname()[1]),
        http="h11",
        ws="none",
        lifespan="off",
        log_config=None,
        log_level=logging.CRITICAL,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE,
    )
    _Server(config).run(sockets=[listening])


class _Server(uvicorn.Server):
    """A server that a hangup signal stops in the same way as an interrupt.

    Without this class, the command line would turn the signal into an exception, and code that answers a request could
    catch it.
    """

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        hangup = getattr(signal, "SIGHUP", None)
        with super().capture_signals():
            if hangup is None or (before := signal.getsignal(hangup)) == signal.SIG_IGN:
                yield
                return
            signal.signal(hangup, self.handle_exit)
            try:
                yield
            finally:
                signal.signal(hangup, before)


class _Guard:
    """An ASGI application that passes requests on to ``app``.

    It refuses requests for other hosts, and requests from other sites, except when the user follows a link there.
    """

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self._hosts = {f"{name}:{port}" for name in (ADDRESS, "localhost")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        fault = self._fault(Headers(scope=scope)) if scope["type"] == "http" else ""
        await (_plain_answer(Request(scope), fault, 403) if fault else self._app)(scope, receive, send)

    def _fault(self, headers: Headers) -> str:
        if headers.getlist("host") not in [[host] for host in self._hosts]:
            return Message("this site answers only requests for 127.0.0.1 or localhost, at its own port")
        origins = {f"http://{host}" for host in self._hosts}
        from_others = headers.get("sec-fetch-site") in ("cross-site", "same-site")
        embedded = from_others and headers.get("sec-fetch-dest") != "document"
        if embedded or any(origin not in origins for origin in headers.getlist("origin")):
            return Message("this site refuses requests that come from other sites, except links")
        return ""


def _language(request: Request) -> str:
    """Return the first language in the request's header Accept-Language.

    If graphgame does not have this language, return that of the process.
    """
    wanted = request.headers.get("accept-language", "")[:2].lower()
    return wanted if wanted in LANGUAGES else current_language()


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _no_icon(request: Request) -> Response:
    return Response(status_code=204, headers=_HEADERS)


async def _refused(request: Request, error: HTTPException) -> Response:
    fault = f"{error.detail.lower()}: {request.method} {request.url.path[:_LONGEST_NAME]}"
    return _plain_answer(request, fault, error.status_code)


async def _failed(request: Request, error: Exception) -> Response:
    return _plain_answer(
        request, Message("a bug in graphgame raised the exception {exception}", type(error).__name__), 500
    )


def _plain_answer(request: Request, message: str, status: int) -> Response:
    with using(_language(request)):
        line = translate("error: {message}", message=render(message))
    return PlainTextResponse(f"graphgame: {line}\n", status, headers=_HEADERS)


def _plain_name(name: str) -> str:
    """Return the name of a file without its folders, for any system.

    "_" replaces each character that is not a letter, a digit or one of ``_.() +,-``. Of a long name, only the last 60
    characters are used. Dots, hyphens and spaces at the start are removed. An empty name becomes "graph".
    """
    last = PurePosixPath(name.replace("\\", "/")).name
    return re.sub(r"[^\w.() +,-]", "_", last)[-_LONGEST_NAME:].lstrip("-. ") or "graph"
