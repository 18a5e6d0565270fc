"""Sends requests. The only module that opens connections.

A request that got no answer, or one that says "later", is sent again: a bounded number of times, after pauses that
grow, and never before Retry-After. Each change has an Idempotency-Key, so that it is made once however often it is
sent.
"""

import http.client
import json
import random
import secrets
import ssl
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode, urlsplit

from .problem import NoAnswer, Problem, problem_of

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


@dataclass
class Request:
    """`token`: "" sends none, None sends that of the client. `change`: whether it gets an Idempotency-Key."""

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


@dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes


def backoff(attempt: int) -> float:
    """Seconds before the next attempt. Random, so that clients that failed together do not return together."""
    return float(min(8.0, 0.25 * 2 ** min(attempt, 5)) * random.uniform(0.5, 1))


def wait_before(attempt: int, error: BaseException | None) -> float:
    """The same, but not less than the server asked for."""
    return float(getattr(error, "retry_after", None) or 0) + backoff(attempt)


def is_temporary(error: BaseException) -> bool:
    """Whether the request may succeed if it is sent again."""
    if isinstance(error, Problem):
        return error.status in LATER and error.kind not in LASTING
    return isinstance(error, NoAnswer)


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return str(value)


class Transport:
    def __init__(self, url: str, token: str | None, attempts: int = ATTEMPTS, timeout: float = ANSWER_S) -> None:
        parts = urlsplit(url)
        self._secure = parts.scheme == "https"
        self._host = parts.netloc
        self._prefix = parts.path.rstrip("/")
        self._idle: list[http.client.HTTPConnection] = []
        self.url = url.rstrip("/")
        self.token = token
        self.attempts = attempts
        self.timeout = timeout

    def close(self) -> None:
        """Closes idle connections."""
        while connection := self._reused():
            connection.close()

    def json(self, request: Request) -> Any:
        """Sends a request until there is an answer, and returns its JSON."""
        body = self.send(request).body
        return json.loads(body) if body else None

    def send(self, request: Request) -> Answer:
        """The same with the whole answer. Raises Problem or NoAnswer."""
        if request.change and request.key is None:
            request.key = secrets.token_hex(16)
        attempt = 0
        while True:
            try:
                return self._attempt(request)
            except (Problem, NoAnswer) as error:
                wait = wait_before(attempt, error)
                attempt += 1
                if not is_temporary(error) or attempt >= self.attempts or wait > PATIENCE_S:
                    raise
                time.sleep(wait)

    def _attempt(self, request: Request) -> Answer:
        connection = self._reused()
        try:
            return self._once(connection or self._connect(), request)
        except NoAnswer as error:
            # The server may close an idle connection just before the request comes.
            if not connection or not isinstance(error.__cause__, ConnectionError):
                raise
        return self._once(self._connect(), request)

    def _once(self, connection: http.client.HTTPConnection, request: Request) -> Answer:
        try:
            response = self._exchange(connection, request, request.timeout or self.timeout)
            answer = Answer(response.status, response.headers, response.read())
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise NoAnswer(f"No answer to {request.method} {request.path}: {error}") from error
        except BaseException:
            connection.close()
            raise
        if response.will_close:
            connection.close()
        else:
            self._idle.append(connection)
        if answer.status >= 400:
            raise _problem(answer)
        return answer

    def lines(self, request: Request) -> Iterator[bytes]:
        """The lines of an answer while it comes, without empty ones: one attempt. Fails if nothing comes for the
        timeout, and with a Problem for ALL_ENDED, too."""
        connection = self._connect()
        try:
            response = self._exchange(connection, request, request.timeout or self.timeout)
            if response.status >= 400 or response.status == ALL_ENDED:
                raise _problem(Answer(response.status, response.headers, response.read()))
            for line in response:
                if line.strip():
                    yield line
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise NoAnswer(f"The answer to {request.method} {request.path} was cut: {error}") from error
        finally:
            connection.close()

    def _reused(self) -> http.client.HTTPConnection | None:
        try:
            return self._idle.pop()
        except IndexError:  # asking before would be a race between threads
            return None

    def _connect(self) -> http.client.HTTPConnection:
        if self._secure:
            return http.client.HTTPSConnection(self._host, context=ssl.create_default_context())
        return http.client.HTTPConnection(self._host)

    def _exchange(self, connection: http.client.HTTPConnection, request: Request,
                  timeout: float) -> http.client.HTTPResponse:
        connection.timeout = timeout
        if connection.sock:
            connection.sock.settimeout(timeout)
        body = request.raw if request.body is None else json.dumps(request.body).encode()
        token = self.token if request.token is None else request.token
        headers = {"Accept": request.accept, **request.headers}
        if body is not None:
            headers["Content-Type"] = request.content_type
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if request.key:
            headers["Idempotency-Key"] = request.key
        query = urlencode({name: _text(value) for name, value in request.query.items() if value is not None})
        target = self._prefix + request.path + (f"?{query}" if query else "")
        connection.request(request.method, target, body, headers)
        return connection.getresponse()


def _problem(answer: Answer) -> Problem:
    headers = answer.headers
    return problem_of(answer.status, headers.get("Content-Type", ""), headers.get("Retry-After"), answer.body)
