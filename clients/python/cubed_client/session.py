"""One session: reading it, changing it, its tokens, and what happens in it."""

import json
from collections.abc import Mapping
from typing import Any

from .asynchronous import Asynchronous
from .blocking import Blocking
from .calls import call, pages, stream
from .events import Event, watch
from .options import Cue, Notation, SessionChangeRequest, SessionPictureOptions, Unpack
from .pages import Listing
from .steps import Steps, Stream
from .transport import Request, Transport
from .types import CreatedToken, CubeAt, Entry, Forms, Moves, Pattern, Role, SessionDetails, TokenInfo, WrittenEntry


class SessionCalls:
    """Made by create_session() and session() of a client.

    `token`: keep it, the server shows it once. `details`: the session as it was created; None for one that existed.
    `etag`: of the last answer about the session, for `if_match`.
    """

    def __init__(self, transport: Transport, id: str, token: str | None, details: SessionDetails | None = None) -> None:
        self._transport = transport
        self.id = id
        self.token = token
        self.details = details
        self.etag: str | None = None
        self.path = f"/v1/sessions/{id}"

    def _call(self, method: str, path: str = "", query: dict[str, object] | None = None, body: object = None, *,
              change: bool = False, key: str | None = None, if_match: str | None = None) -> Steps[Any]:
        headers = {"If-Match": if_match} if if_match else {}
        request = Request(method, self.path + path, query or {}, body, headers=headers, token=self.token,
                          change=change, key=key)
        answer = yield from self._transport.send(request)
        self.etag = answer.headers.get("ETag", self.etag)
        return json.loads(answer.body) if answer.body else None

    # ---- reading ----

    @call
    def read(self, as_: Forms | None = None) -> Steps[SessionDetails]:
        details: SessionDetails = yield from self._call("GET", query={"as": as_})
        return details

    @call
    def cube(self, at: int | None = None, as_: Forms | None = None) -> Steps[CubeAt]:
        """Its cube now, or at a revision."""
        answer: CubeAt = yield from self._call("GET", "/cube", {"at": at, "as": as_})
        return answer

    @call
    def picture(self, **options: Unpack[SessionPictureOptions]) -> Steps[str]:
        """Its cube as SVG, now or `at` a revision; the options of Cubed.picture()."""
        return (yield from self._picture("svg", "image/svg+xml", options)).decode()

    @call
    def picture_png(self, **options: Unpack[SessionPictureOptions]) -> Steps[bytes]:
        """The same as PNG."""
        return (yield from self._picture("png", "image/png", options))

    def _picture(self, form: str, accept: str, options: Mapping[str, object]) -> Steps[bytes]:
        request = Request("GET", f"{self.path}/image.{form}", dict(options), accept=accept, token=self.token)
        return (yield from self._transport.send(request)).body

    @pages
    def history(self, after: int = 0, limit: int | None = None) -> Listing[Entry]:
        """Its entries, oldest first."""
        return Listing(lambda position: self._call("GET", "/history", {"after": after, "limit": limit, **position}))

    @call
    def find(self, pattern: Pattern, after: int = 0) -> Steps[list[dict[str, Any]]]:
        """Finds the entries of the history with which a pattern came to hold."""
        body = {"pattern": pattern, "after": after}
        matches: list[dict[str, Any]] = (yield from self._call("POST", "/find", body=body))["matches"]
        return matches

    @call
    def stages(self, *patterns: Pattern) -> Steps[list[dict[str, Any] | None]]:
        """The stages of the newest solve: where each pattern first held, one after another."""
        stages: list[dict[str, Any] | None] = (yield from self._call("POST", "/find", body={"patterns": patterns}))["stages"]
        return stages

    @stream
    def watch(self, after: str | int | None = None) -> Stream[Event]:
        """Yields the events of the session, from its present `state` on, or from `after` (a revision or the id of an
        event) on. Opens broken connections again, so that nothing is missed. Ends after the event `end`; raises Problem
        if the session may no longer be seen."""
        return watch(self._transport, self.id, self.token, after)

    @call
    def cue(self, **cue: Unpack[Cue]) -> Steps[int]:
        """Shows something to all who watch: `title`, `text`, `revision` with `moves` and `position`, `look`, `marks`; or
        a `reaction`. It is not stored. Returns how many watch."""
        watchers: int = (yield from self._call("POST", "/cue", body=cue))["watchers"]
        return watchers

    # ---- changing ----

    def _append(self, kind: str, body: dict[str, object], revision: int | None, key: str | None) -> Steps[WrittenEntry]:
        if revision is not None:
            body["revision"] = revision
        written: WrittenEntry = yield from self._call("POST", f"/{kind}", body=body, change=True, key=key)
        return written

    @call
    def turn(self, moves: Moves, *, notation: Notation | None = None, revision: int | None = None,
             key: str | None = None) -> Steps[WrittenEntry]:
        """Turns the cube: one entry in its history. `revision`: only if the session is still there."""
        body: dict[str, object] = {"moves": moves} if notation is None else {"moves": moves, "notation": notation}
        return (yield from self._append("moves", body, revision, key))

    @call
    def undo(self, count: int = 1, *, revision: int | None = None, key: str | None = None) -> Steps[WrittenEntry]:
        """Takes the newest entries back."""
        return (yield from self._append("undo", {"count": count}, revision, key))

    @call
    def redo(self, count: int = 1, *, revision: int | None = None, key: str | None = None) -> Steps[WrittenEntry]:
        return (yield from self._append("redo", {"count": count}, revision, key))

    @call
    def reset(self, *, revision: int | None = None, key: str | None = None) -> Steps[WrittenEntry]:
        return (yield from self._append("reset", {}, revision, key))

    @call
    def scramble(self, moves: Moves | None = None, *, seed: str | None = None, revision: int | None = None,
                 key: str | None = None) -> Steps[WrittenEntry]:
        """Without moves the server makes a scramble."""
        members: dict[str, object] = {"moves": moves, "seed": seed}
        body = {name: value for name, value in members.items() if value is not None}
        return (yield from self._append("scramble", body, revision, key))

    @call
    def configure(self, *, if_match: str | None = None, **settings: Unpack[SessionChangeRequest]) -> Steps[SessionDetails]:
        """Changes `name`, `access`, `turn_policy`, or whether it is `listed`."""
        details: SessionDetails = yield from self._call("PATCH", body=settings, change=True, if_match=if_match)
        return details

    @call
    def remove(self) -> Steps[None]:
        """Removes the session and its history, for ever."""
        yield from self._call("DELETE", change=True)

    # ---- tokens ----

    @call
    def create_token(self, role: Role, label: str | None = None) -> Steps[CreatedToken]:
        """The answer has the `token`, which is shown only once. `label` is the name that others see.

        Made by an owner it may have any role; by others, it is a guest: of at most their role, and
        revoked together with their token.
        """
        body: dict[str, object] = {"role": role} if label is None else {"role": role, "label": label}
        token: CreatedToken = yield from self._call("POST", "/tokens", body=body, change=True)
        return token

    @call
    def name_token(self, label: str | None, id: str = "self") -> Steps[TokenInfo]:
        """Sets the name that others see, of your own token; an owner may name any."""
        token: TokenInfo = yield from self._call("PATCH", f"/tokens/{id}", body={"label": label}, change=True)
        return token

    @call
    def tokens(self) -> Steps[list[TokenInfo]]:
        """Only for owners."""
        items: list[TokenInfo] = (yield from self._call("GET", "/tokens"))["items"]
        return items

    @call
    def revoke_token(self, id: str) -> Steps[None]:
        """Only for owners. Its guests are revoked with it."""
        yield from self._call("DELETE", f"/tokens/{id}", change=True)


class Session(SessionCalls, Blocking):
    """A session of a client that blocks."""


class AsyncSession(SessionCalls, Asynchronous):
    """A session of a client of asyncio."""
