"""The application: routes, limits and headers around the worker processes that do the work."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import cache
from gzip import compress
from hashlib import sha256
from mimetypes import guess_type
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from fastapi.routing import APIRoute
from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import JSONResponse, RedirectResponse

from battletape._version import VERSION
from battletape.views.board import STYLE
from battletape.web import error_replies
from battletape.web.api import router as api
from battletape.web.clients import NO_PROXIES, Proxies, ProxyMiddleware
from battletape.web.hosts import ANYWHERE, Hosts, KnownHostMiddleware
from battletape.web.jobs import ReplyForm
from battletape.web.limits import LIMITS, Limits
from battletape.web.pages import ROUTERS
from battletape.web.pages.asking import reply_form_of, respond
from battletape.web.rendering import STATIC, stamp
from battletape.web.security import SafetyMiddleware
from battletape.web.worker_lanes import WORKER
from battletape.web.worker_pool import Executor, InProcess, UnfinishedResults, WorkerPool

YEAR = 31_536_000
METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]


def create_app(
    limits: Limits = LIMITS,
    workers: int = 0,
    ready: Callable[[], None] = lambda: None,
    command: Sequence[str] = WORKER,
    proxies: Proxies = NO_PROXIES,
    hosts: Hosts = ANYWHERE,
) -> FastAPI:
    """Return the application; with `workers` processes in its quick lane, or with none and all work in a thread."""
    executor: Executor = WorkerPool(limits, workers, command) if workers else InProcess(limits)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        await executor.start()
        ready()
        yield
        await executor.stop()

    app = FastAPI(
        title="Battletape",
        version=VERSION,
        lifespan=life,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,  # it names the host as the request does; ours is in _refused
    )
    app.state.executor = executor
    app.state.unfinished_results = UnfinishedResults(limits.begun)
    app.add_api_route("/healthz", healthz, include_in_schema=False)
    app.add_api_route("/static/{mark}/{path:path}", static_file, include_in_schema=False)
    app.add_api_route("/favicon.ico", favicon, include_in_schema=False)
    app.include_router(api)
    app.add_api_route("/api/{path:path}", nothing, methods=METHODS, include_in_schema=False)
    for router in ROUTERS:
        app.include_router(router)
    app.add_exception_handler(HTTPException, _refused)
    app.add_middleware(GZipMiddleware, minimum_size=800, compresslevel=5)
    app.add_middleware(ProxyMiddleware, proxies=proxies, limits=limits)
    app.add_middleware(KnownHostMiddleware, hosts=hosts)
    app.add_middleware(SafetyMiddleware)
    return app


async def end_work(app: FastAPI) -> None:
    """End all workers, and tell all clients that wait."""
    await asyncio.gather(app.state.executor.stop(), app.state.charts.stop())


async def healthz(request: Request) -> Response:
    """Return whether the server is alive, and which rulesets of other packages it has to do without."""
    broken = [{"ruleset": name, "error": why} for name, why in request.app.state.executor.broken.items()]
    return JSONResponse({"status": "ok", "version": VERSION, "broken": broken})


async def favicon() -> Response:
    """Return the little picture in the tab."""
    return Response(static_files()["die.svg"].body, media_type="image/svg+xml")


async def static_file(request: Request, mark: str, path: str) -> Response:
    """Return a static file; browsers may keep an address with the current stamp for ever."""
    lasting = f"public, max-age={YEAR}, immutable" if mark == stamp() else "no-cache"
    if path == "css/drawing.css":  # the style that drawings have in files, too
        return Response(STYLE, headers={"Cache-Control": lasting}, media_type="text/css")
    file = static_files().get(path)
    if file is None:
        raise HTTPException(404)
    headers = {"Cache-Control": lasting, "ETag": file.tag, "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == file.tag:
        return Response(status_code=304, headers=headers)
    if file.packed and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.packed, headers={**headers, "Content-Encoding": "gzip"}, media_type=file.type)
    return Response(file.body, headers=headers, media_type=file.type)


class StaticFile(Struct, frozen=True):
    """A file as it is sent: plain, or packed if that is shorter."""

    body: bytes
    packed: bytes
    type: str
    tag: str


@cache
def static_files() -> dict[str, StaticFile]:
    """Return all static files by name; in memory, so that sending them takes no descriptors and no packing."""
    found = {}
    for place in sorted(place for place in STATIC.rglob("*") if place.is_file()):
        body = place.read_bytes()
        packed = compress(body, 9, mtime=0)
        found[place.relative_to(STATIC).as_posix()] = StaticFile(
            body,
            packed if len(packed) < 0.9 * len(body) else b"",
            guess_type(place.name)[0] or "application/octet-stream",
            f'"{sha256(body).hexdigest()[:32]}"',
        )
    return found


async def nothing(request: Request) -> Response:
    """Refuse unknown addresses of the API, so that no page takes them for a ruleset."""
    raise HTTPException(405 if _methods(request, request.scope["path"]) else 404)


def _methods(request: Request, path: str) -> set[str]:
    """Return the methods that can be used at a path."""
    routers = (api,) if path.startswith("/api/") else (request.app, *ROUTERS)
    routes = [route for router in routers for route in router.routes if isinstance(route, APIRoute)]
    methods = {method for route in routes if route.path_regex.match(path) for method in route.methods or ()}
    return methods | {"HEAD"} if "GET" in methods else methods


async def _refused(request: Request, error: Exception) -> Response:
    """Return an error of the routes themselves, in our words."""
    assert isinstance(error, HTTPException)
    path = request.scope["path"]
    methods = _methods(request, path)
    bare = path.removesuffix("/")
    if error.status_code == 404 and not methods and bare != path and request.method in _methods(request, bare):
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(quote(bare) + query, 308)
    reply_form: ReplyForm = "api" if path.startswith("/api/") else reply_form_of(request)
    start = "/api/v1/rulesets" if reply_form == "api" else "/"
    sentences = {
        404: f"There is nothing at {path[:200]}. The systems and their questions start at {start}.",
        405: f"{request.method} cannot be used at {path[:200]}.",
    }
    reply = error_replies.error_reply(
        error.status_code, sentences.get(error.status_code, str(error.detail)), reply_form
    )
    response = respond(request, reply)
    response.headers.update(error.headers or {})
    if error.status_code == 405:  # of two routes with one path, the error knows only the first
        response.headers["Allow"] = ", ".join(sorted(methods))
    return response
