"""Patterns with a name: common ones, and those that a session stores."""

from typing import Any
from urllib.parse import quote

from .asynchronous import Asynchronous
from .blocking import Blocking
from .calls import call
from .steps import Steps
from .transport import Request, Transport
from .types import Pattern

Items = list[dict[str, Any]]


class PatternCalls:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    @call
    def list(self, *, size: int | None = None, session: str | None = None) -> Steps[Items]:
        answer = yield from self._transport.json(Request("GET", "/v1/patterns", {"size": size, "session": session}))
        items: Items = answer["items"]
        return items

    @call
    def get(self, name: str, *, size: int | None = None, session: str | None = None) -> Steps[dict[str, Any]]:
        request = Request("GET", _path(name), {"size": size, "session": session})
        answer: dict[str, Any] = yield from self._transport.json(request)
        return answer

    @call
    def put(self, name: str, pattern: Pattern, *, session: str | None = None, token: str | None = None,
            title: str | None = None) -> Steps[dict[str, Any]]:
        """Stores a pattern in the session of the token, or in `session`."""
        body = {"pattern": pattern} if title is None else {"pattern": pattern, "title": title}
        request = Request("PUT", _path(name), {"session": session}, body, token=token, change=True)
        answer: dict[str, Any] = yield from self._transport.json(request)
        return answer

    @call
    def remove(self, name: str, *, session: str | None = None, token: str | None = None) -> Steps[None]:
        request = Request("DELETE", _path(name), {"session": session}, token=token, change=True)
        yield from self._transport.send(request)


class Patterns(PatternCalls, Blocking):
    """The patterns of a client that blocks."""


class AsyncPatterns(PatternCalls, Asynchronous):
    """The patterns of a client of asyncio."""


def _path(name: str) -> str:
    return f"/v1/patterns/{quote(name, safe='')}"
