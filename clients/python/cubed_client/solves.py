"""Recorded solves, their averages, and files of other timers."""

from collections.abc import Mapping
from typing import Any, Literal

from .asynchronous import Asynchronous
from .blocking import Blocking
from .calls import call, pages
from .options import ImportOptions, ListOptions, NewSolveRequest, SelectionOptions, SolveChangeRequest, StatsOptions, Unpack
from .pages import Listing
from .steps import Steps
from .transport import Request, Transport
from .types import RecordedSolve, Solve

ACCEPT = {"cstimer": "application/vnd.cstimer+json", "csv": "text/csv"}


class SolveCalls:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    @call
    def add(self, **members: Unpack[NewSolveRequest]) -> Steps[RecordedSolve]:
        """Records a solve: `time_ms`, or `scramble` and `solution`; members as in openapi.yaml. Without a session and a
        token a new book is made; the answer then has its `token`."""
        request = Request("POST", "/v1/solves", body=members, change=True)
        answer: RecordedSolve = yield from self._transport.json(request)
        return answer

    @pages
    def list(self, **query: Unpack[ListOptions]) -> Listing[Solve]:
        """The newest first. `session`, `list`, `event`, `size`, `from_`, `to`, `penalty`, `assisted` and `limit`
        select."""
        return Listing(lambda position: self._transport.json(Request("GET", "/v1/solves", {**_named(query), **position})))

    @call
    def stats(self, **query: Unpack[StatsOptions]) -> Steps[dict[str, Any]]:
        """Averages of each event in `items`, that of the newest solve first: `ao5`, `ao12`, ..., each with `current`
        and `best`."""
        request = Request("GET", "/v1/solves/stats", _named(query))
        answer: dict[str, Any] = yield from self._transport.json(request)
        return answer

    @call
    def get(self, id: str) -> Steps[RecordedSolve]:
        """One solve with its stages."""
        answer: RecordedSolve = yield from self._transport.json(Request("GET", f"/v1/solves/{id}"))
        return answer

    @call
    def change(self, id: str, **members: Unpack[SolveChangeRequest]) -> Steps[RecordedSolve]:
        request = Request("PATCH", f"/v1/solves/{id}", body=members, change=True)
        answer: RecordedSolve = yield from self._transport.json(request)
        return answer

    @call
    def remove(self, id: str) -> Steps[None]:
        yield from self._transport.send(Request("DELETE", f"/v1/solves/{id}", change=True))

    @call
    def export(self, form: Literal["cstimer", "csv"], **query: Unpack[SelectionOptions]) -> Steps[str]:
        """All solves as a file of csTimer, or as a table."""
        request = Request("GET", "/v1/solves", _named(query), accept=ACCEPT[form])
        return (yield from self._transport.send(request)).body.decode()

    @call
    def import_(self, file: str, **query: Unpack[ImportOptions]) -> Steps[dict[str, Any]]:
        """Reads a file of another timer."""
        request = Request("POST", "/v1/solves/import", _named(query), raw=file.encode(), content_type="text/plain",
                          change=True)
        answer: dict[str, Any] = yield from self._transport.json(request)
        return answer


class Solves(SolveCalls, Blocking):
    """The recorded solves of a client that blocks."""


class AsyncSolves(SolveCalls, Asynchronous):
    """The recorded solves of a client of asyncio."""


def _named(query: Mapping[str, object]) -> dict[str, object]:
    return {name.rstrip("_"): value for name, value in query.items()}
