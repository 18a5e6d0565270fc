"""Patterns with a name: common ones, and those that a session stores."""

from typing import Any
from urllib.parse import quote

from .transport import Request, Transport
from .types import Pattern


class Patterns:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, *, size: int | None = None, session: str | None = None) -> Any:
        return self._transport.json(Request("GET", "/v1/patterns", {"size": size, "session": session}))["items"]

    def get(self, name: str, *, size: int | None = None, session: str | None = None) -> dict[str, Any]:
        answer: dict[str, Any] = self._transport.json(Request("GET", _path(name), {"size": size, "session": session}))
        return answer

    def put(self, name: str, pattern: Pattern, *, session: str | None = None, token: str | None = None,
            title: str | None = None) -> dict[str, Any]:
        """Stores a pattern in the session of the token, or in `session`."""
        body = {"pattern": pattern} if title is None else {"pattern": pattern, "title": title}
        request = Request("PUT", _path(name), {"session": session}, body, token=token, change=True)
        answer: dict[str, Any] = self._transport.json(request)
        return answer

    def remove(self, name: str, *, session: str | None = None, token: str | None = None) -> None:
        self._transport.send(Request("DELETE", _path(name), {"session": session}, token=token, change=True))


def _path(name: str) -> str:
    return f"/v1/patterns/{quote(name, safe='')}"
