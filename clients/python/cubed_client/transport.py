"""Sends requests, in steps.

A request that got no answer, or one that says "later", is sent again: a bounded number of times, after pauses that
grow, and never before Retry-After. Each change has an Idempotency-Key, so that it is made once however often it is
sent.
"""

import json
import random
import secrets
import ssl
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.client import HTTPMessage
from typing import Any
from urllib.parse import urlencode, urlsplit

from .problem import NoAnswer, Problem, problem_of
from .steps import Connect, Pause, Steps
from .wire import Connection, Response, WireError, exchange

ANSWER_S = 20.0
ATTEMPTS = 6
# A longer Retry-After is reported instead of waited for.
PATIENCE_S = 60.0
# Statuses after which the same request may succeed later, and kinds of problems that waiting does not help against.
LATER = (429, 502, 503, 504)
LASTING = ("no-tables",)
# The status if all sessions of a ticket have ended.
ALL_ENDED = 204

JSON = "application/json"
NDJSON = "application/x-ndjson"

# The errors of a connection.
FAILURES = (OSError, WireError)


@dataclass
class Request:
    """`token`: "" sends none, None sends that of the client. `change`: whether it gets an Idempotency-Key. `timeout`:
    without progress. `attempts`: at most."""

    method: str
    path: str
    query: Mapping[str, object] = field(default_factory=dict)
    body: object = None
    raw: bytes | None = None
    content_type: str = JSON
    accept: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)
    token: str | None = None
    change: bool = False
    key: str | None = None
    timeout: float | None = None
    attempts: int | None = None


@dataclass
class Answer:
    status: int
    headers: HTTPMessage
    body: bytes


def backoff(attempt: int) -> float:
    """Seconds before the next attempt. Random, so that clients that failed together do not return together."""
    return float(min(8.0, 0.25 * 2 ** min(attempt, 5)) * random.uniform(0.5, 1))


def wait_before(attempt: int, error: BaseException | None) -> float:
    """The same, but not less than the server asked for."""
    return float(getattr(error, "retry_after", None) or 0) + backoff(attempt)


def is_temporary(error: BaseException) -> bool:
    """Returns true if the request may succeed if it is sent again."""
    if isinstance(error, Problem):
        return error.status in LATER and error.kind not in LASTING
    return isinstance(error, NoAnswer)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return str(value)


class Lines:
    """An answer that is read while it comes, line by line."""

    def __init__(self, response: Response, request: Request, timeout: float) -> None:
        self._response = response
        self._request = request
        self._timeout = timeout
        self._rest = b""
        self._lines: Iterator[bytes] = iter(())

    def line(self) -> Steps[bytes | None]:
        """The next line that is not empty; None at the end. Fails if nothing comes for the timeout."""
        while True:
            for line in self._lines:
                if line.strip():
                    return line
            try:
                piece = yield from self._response.piece(self._timeout)
            except FAILURES as error:
                raise NoAnswer(f"The answer to {self._request.method} {self._request.path} was cut: {error}") from error
            if not piece and not self._rest:
                return None
            *lines, self._rest = (self._rest + (piece or b"\n")).split(b"\n")
            self._lines = iter(lines)

    def close(self) -> None:
        self._response.connection.close()


class Transport:
    def __init__(self, url: str, token: str | None, attempts: int = ATTEMPTS, timeout: float = ANSWER_S,
                 context: ssl.SSLContext | None = None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"The address of a server is like http://localhost:8080, not {url!r}.")
        secure = parts.scheme == "https"
        self._context = (context or ssl.create_default_context()) if secure else None
        self._address = (parts.hostname, parts.port or (443 if secure else 80))
        self._host = parts.netloc.rpartition("@")[2]
        self._prefix = parts.path.rstrip("/")
        self._idle: list[Connection] = []
        self.url = url.rstrip("/")
        self.token = token
        self.attempts = attempts
        self.timeout = timeout

    def close(self) -> None:
        """Closes idle connections."""
        while connection := self._reused():
            connection.close()

    def json(self, request: Request) -> Steps[Any]:
        """Sends a request until there is an answer, and returns its JSON."""
        body = (yield from self.send(request)).body
        return json.loads(body) if body else None

    def send(self, request: Request) -> Steps[Answer]:
        """The same with the whole answer. Raises Problem or NoAnswer."""
        if request.change and request.key is None:
            request.key = secrets.token_hex(16)
        attempt = 0
        while True:
            try:
                return (yield from self._attempt(request))
            except (Problem, NoAnswer) as error:
                wait = wait_before(attempt, error)
                attempt += 1
                if not is_temporary(error) or attempt >= (request.attempts or self.attempts) or wait > PATIENCE_S:
                    raise
            yield Pause(wait)

    def _attempt(self, request: Request) -> Steps[Answer]:
        connection = self._reused()
        if connection:
            try:
                return (yield from self._once(connection, request))
            except NoAnswer as error:
                # The server may close an idle connection just before the request comes.
                if not isinstance(error.__cause__, ConnectionError):
                    raise
        return (yield from self._once(None, request))

    def _once(self, connection: Connection | None, request: Request) -> Steps[Answer]:
        timeout = request.timeout or self.timeout
        try:
            connection = connection or (yield from self._connect(timeout))
            response = yield from self._exchange(connection, request, timeout)
            answer = Answer(response.status, response.headers, (yield from response.body(timeout)))
        except BaseException as error:
            if connection:
                connection.close()
            if isinstance(error, FAILURES):
                raise NoAnswer(f"No answer to {request.method} {request.path}: {error}") from error
            raise
        if response.is_reusable:
            self._idle.append(connection)
        else:
            connection.close()
        if answer.status >= 400:
            raise _problem(answer)
        return answer

    def open(self, request: Request) -> Steps[Lines]:
        """Opens an answer that is read while it comes: one attempt. Fails with a Problem for ALL_ENDED, too."""
        timeout = request.timeout or self.timeout
        connection = None
        try:
            connection = yield from self._connect(timeout)
            response = yield from self._exchange(connection, request, timeout)
            if response.status >= 400 or response.status == ALL_ENDED:
                raise _problem(Answer(response.status, response.headers, (yield from response.body(timeout))))
            return Lines(response, request, timeout)
        except BaseException as error:
            if connection:
                connection.close()
            if isinstance(error, FAILURES):
                raise NoAnswer(f"No answer to {request.method} {request.path}: {error}") from error
            raise

    def _reused(self) -> Connection | None:
        try:
            return self._idle.pop()
        except IndexError:  # asking before would be a race between threads
            return None

    def _connect(self, timeout: float) -> Steps[Connection]:
        return Connection((yield Connect(*self._address, self._context, timeout)))

    def _exchange(self, connection: Connection, request: Request, timeout: float) -> Steps[Response]:
        body = request.raw if request.body is None else json.dumps(request.body).encode()
        token = self.token if request.token is None else request.token
        headers = {"Host": self._host, "Accept": request.accept, "Accept-Encoding": "identity", **request.headers}
        if body is not None:
            headers["Content-Type"] = request.content_type
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if request.key:
            headers["Idempotency-Key"] = request.key
        query = urlencode({name: _text(value) for name, value in request.query.items() if value is not None})
        target = self._prefix + request.path + (f"?{query}" if query else "")
        return exchange(connection, request.method, target, headers.items(), body, timeout)


def _problem(answer: Answer) -> Problem:
    headers = answer.headers
    return problem_of(answer.status, headers.get("Content-Type", ""), headers.get("Retry-After"), answer.body)
