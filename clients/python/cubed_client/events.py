"""The events of sessions, over a stream that is opened again whenever it breaks."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .problem import NoAnswer, Problem
from .steps import Item, Pause, Stream
from .transport import ALL_ENDED, NDJSON, Request, Transport, is_temporary, wait_before

# The server sends something at least every 15 s; after this time of silence the connection is dead.
SILENT_S = 40.0


@dataclass(frozen=True)
class Event:
    """`event`: state, entry, resync, presence, cue, solved, ... `id`: where to continue with watch(after=id)."""

    event: str
    data: dict[str, Any]
    session: str
    id: str | None


def watch(transport: Transport, session: str, token: str | None, after: str | int | None) -> Stream[Event]:
    """The events of a session; see Session.watch()."""
    last = None if after is None else str(after)
    failures = 0
    while True:
        failure: Exception | None = None
        headers = {} if last is None else {"Last-Event-ID": last}
        request = Request("GET", f"/v1/sessions/{session}/events", accept=NDJSON, headers=headers, token=token,
                          timeout=SILENT_S)
        lines = None
        try:
            lines = yield from transport.open(request)
            while (line := (yield from lines.line())) is not None:
                failures = 0
                value = json.loads(line)
                if value["event"] == "ping":
                    continue
                last = value.get("id", last)
                yield Item(Event(value["event"], value["data"], session, value.get("id")))
                if value["event"] == "end":
                    return
        except Problem as problem:
            failure = problem
            if problem.status < 500 and not is_temporary(problem):
                raise
        except (NoAnswer, json.JSONDecodeError) as error:
            failure = error
        finally:
            if lines:
                lines.close()
        yield Pause(wait_before(failures, failure))
        failures += 1


def watch_all(transport: Transport, sessions: Sequence[tuple[str, str | None]]) -> Stream[Event]:
    """The events of several sessions over one stream; see Cubed.watch()."""
    watched = {id: {"id": id, "token": token} if token else {"id": id} for id, token in sessions}
    last: str | None = None
    ticket: str | None = None
    failures = 0
    while watched:
        known = ticket is not None
        failure: Exception | None = None
        lines = None
        try:
            if ticket is None:
                body = {"sessions": list(watched.values())}
                made = yield from transport.json(Request("POST", "/v1/tickets", body=body, token=""))
                ticket = str(made["ticket"])
            headers = {} if last is None else {"Last-Event-ID": last}
            request = Request("GET", "/v1/events", {"ticket": ticket}, accept=NDJSON, headers=headers, token="",
                              timeout=SILENT_S)
            lines = yield from transport.open(request)
            while (line := (yield from lines.line())) is not None:
                failures = 0
                value = json.loads(line)
                if value["event"] == "ping":
                    continue
                last = value.get("id", last)
                session = value["data"]["session"]
                yield Item(Event(value["event"], value["data"], session, value.get("id")))
                if value["event"] == "end":
                    watched.pop(session, None)
        except Problem as problem:
            ticket, failure = None, problem
            if known and problem.status == 401:  # it is too old, or from before a restart of the server
                continue
            if problem.status == ALL_ENDED:
                return
            if problem.status < 500 and not is_temporary(problem):
                raise
        except (NoAnswer, json.JSONDecodeError) as error:
            failure = error
        finally:
            if lines:
                lines.close()
        if watched:
            yield Pause(wait_before(failures, failure))
            failures += 1
