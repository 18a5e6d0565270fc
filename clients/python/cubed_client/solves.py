"""Recorded solves, their averages, and files of other timers."""

from typing import Any, Literal

from .pages import Pages
from .transport import Request, Transport
from .types import RecordedSolve, Solve

ACCEPT = {"cstimer": "application/vnd.cstimer+json", "csv": "text/csv"}


class Solves:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def add(self, **members: object) -> RecordedSolve:
        """Records a solve: `time_ms`, or `scramble` and `solution`; members as in openapi.yaml. Without a session and a
        token a new book is made; the answer then has its `token`."""
        answer: RecordedSolve = self._transport.json(Request("POST", "/v1/solves", body=members, change=True))
        return answer

    def list(self, **query: object) -> Pages[Solve]:
        """The newest first. `session`, `list`, `event`, `size`, `from_`, `to`, `penalty`, `assisted` and `limit`
        select."""
        return Pages(lambda position: self._transport.json(Request("GET", "/v1/solves", {**_named(query), **position})))

    def stats(self, **query: object) -> dict[str, Any]:
        """Averages of each event in `items`, that of the newest solve first: `ao5`, `ao12`, ..., each with `current`
        and `best`."""
        answer: dict[str, Any] = self._transport.json(Request("GET", "/v1/solves/stats", _named(query)))
        return answer

    def get(self, id: str) -> RecordedSolve:
        """One solve with its stages."""
        answer: RecordedSolve = self._transport.json(Request("GET", f"/v1/solves/{id}"))
        return answer

    def change(self, id: str, **members: object) -> RecordedSolve:
        answer: RecordedSolve = self._transport.json(Request("PATCH", f"/v1/solves/{id}", body=members, change=True))
        return answer

    def remove(self, id: str) -> None:
        self._transport.send(Request("DELETE", f"/v1/solves/{id}", change=True))

    def export(self, form: Literal["cstimer", "csv"], **query: object) -> str:
        """All solves as a file of csTimer, or as a table."""
        return self._transport.send(Request("GET", "/v1/solves", _named(query), accept=ACCEPT[form])).body.decode()

    def import_(self, file: str, **query: object) -> dict[str, Any]:
        """Reads a file of another timer."""
        request = Request("POST", "/v1/solves/import", query, raw=file.encode(), content_type="text/plain", change=True)
        answer: dict[str, Any] = self._transport.json(request)
        return answer


def _named(query: dict[str, object]) -> dict[str, object]:
    return {name.rstrip("_"): value for name, value in query.items()}
