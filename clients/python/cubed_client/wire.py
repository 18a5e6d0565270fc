"""HTTP/1.1: what is sent and read on one connection, as steps."""

import http.client
import io
from collections.abc import Iterable

from .steps import Channel, Read, Steps, Write

# The most bytes of the head of an answer, and of one of its lines elsewhere.
HEAD_MAX = 65536
WITHOUT_BODY = (204, 304)


class WireError(Exception):
    """An answer is not HTTP, or is not whole."""


class Connection:
    """A connection, and what came on it that was not read yet."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.buffer = bytearray()

    def close(self) -> None:
        self.channel.close()

    def send(self, data: bytes, timeout: float) -> Steps[None]:
        yield Write(self.channel, data, timeout)

    def fill(self, timeout: float) -> Steps[bool]:
        """Waits for more bytes. False at the end of the connection."""
        data: bytes = yield Read(self.channel, timeout)
        self.buffer += data
        return bool(data)

    def until(self, end: bytes, timeout: float) -> Steps[bytes]:
        """Reads up to an end, and the end itself."""
        searched = 0
        while (place := self.buffer.find(end, searched)) < 0:
            searched = max(0, len(self.buffer) - len(end) + 1)
            if searched > HEAD_MAX:
                raise WireError("a line of the answer is too long")
            if not (yield from self.fill(timeout)):
                raise WireError("the connection ended in the answer")
        return self.take(place + len(end))

    def take(self, count: int) -> bytes:
        data = bytes(self.buffer[:count])
        del self.buffer[:count]
        return data


class Response:
    """An answer whose head was read; piece() reads the rest."""

    def __init__(self, connection: Connection, status: int, version: str, headers: http.client.HTTPMessage) -> None:
        self.connection = connection
        self.status = status
        self.headers = headers
        self._chunked = "chunked" in headers.get("Transfer-Encoding", "").lower()
        length = headers.get("Content-Length")
        # The bytes that are left of the body, or of its present chunk; None: until the connection ends.
        self._left: int | None = 0 if self._chunked else None if length is None else _number(length)
        self._ended = status in WITHOUT_BODY or (self._left == 0 and not self._chunked)
        kept = version != "HTTP/1.0" and "close" not in headers.get("Connection", "").lower()
        self._is_kept = kept and (self._ended or self._left is not None)

    @property
    def is_reusable(self) -> bool:
        """True if another request may follow on the connection."""
        return self._ended and self._is_kept

    def piece(self, timeout: float) -> Steps[bytes]:
        """The next bytes of the body; b"" at its end."""
        if self._chunked and self._left == 0 and not self._ended:
            yield from self._begin_chunk(timeout)
        if self._ended:
            return b""
        if not self.connection.buffer and not (yield from self.connection.fill(timeout)):
            if self._left is not None:
                raise WireError("the connection ended in the answer")
            self._ended = True
            return b""
        size = len(self.connection.buffer)
        data = self.connection.take(size if self._left is None else min(self._left, size))
        if self._left is not None:
            self._left -= len(data)
            if self._left == 0 and self._chunked:
                yield from self.connection.until(b"\r\n", timeout)
            self._ended = self._left == 0 and not self._chunked
        return data

    def _begin_chunk(self, timeout: float) -> Steps[None]:
        line = yield from self.connection.until(b"\n", timeout)
        self._left = _number(line.split(b";")[0].decode("latin-1"), 16)
        while self._left == 0 and line.strip():  # the last one: trailers follow, and an empty line
            line = yield from self.connection.until(b"\n", timeout)
        self._ended = self._left == 0

    def body(self, timeout: float) -> Steps[bytes]:
        parts = []
        while part := (yield from self.piece(timeout)):
            parts.append(part)
        return b"".join(parts)


def exchange(connection: Connection, method: str, target: str, headers: Iterable[tuple[str, str]], body: bytes | None,
             timeout: float) -> Steps[Response]:
    """Sends a request and reads the head of its answer. Raises OSError or WireError; a ConnectionError if the connection
    ended before an answer began."""
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers)]
    if body is not None or method in ("POST", "PUT", "PATCH"):
        lines.append(f"Content-Length: {len(body or b'')}")
    if any("\n" in line or "\r" in line for line in lines) or lines[0].count(" ") != 2:
        raise ValueError(f"a header has a line break, or the address a blank: {lines[0]!r}")
    head = "\r\n".join([*lines, "", ""]).encode("latin-1")
    yield from connection.send(head + (body or b""), timeout)
    if not connection.buffer and not (yield from connection.fill(timeout)):
        raise ConnectionResetError("the server closed the connection")
    while True:
        response = _response(connection, (yield from connection.until(b"\r\n\r\n", timeout)))
        if response.status >= 200:
            return response


def _response(connection: Connection, head: bytes) -> Response:
    line, _, rest = head.partition(b"\r\n")
    version, _, status = line.decode("latin-1").partition(" ")
    if not version.startswith("HTTP/1."):
        raise WireError(f"not an answer of HTTP: {line[:40]!r}")
    try:
        headers = http.client.parse_headers(io.BytesIO(rest))
    except http.client.HTTPException as error:
        raise WireError(str(error)) from error
    return Response(connection, _number(status[:3]), version, headers)


def _number(text: str, base: int = 10) -> int:
    try:
        return int(text, base)
    except ValueError as error:
        raise WireError(f"not an answer of HTTP: {text[:40]!r} is no number") from error
