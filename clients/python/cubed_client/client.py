"""Cubed and AsyncCubed, the ways in: questions about cubes, and the server's lists."""

import json
import ssl
from collections.abc import AsyncGenerator, Generator, Iterable, Mapping
from typing import Any
from urllib.parse import quote

from . import blocking
from .asynchronous import Asynchronous, iterate, run
from .blocking import Blocking
from .calls import call, checked, pages, stream
from .events import Event, watch_all
from .jobs import WAIT_MS, AsyncJobs, JobCalls, Jobs, Progress
from .options import (NewSessionRequest, Notation, PictureOptions, RowOptions, ScrambleOptions, SheetOptions, SolveOptions,
                      StateOptions, Unpack)
from .pages import Listing
from .patterns import AsyncPatterns, Patterns
from .problem import Problem
from .session import AsyncSession, Session
from .solves import AsyncSolves, Solves
from .steps import Item, Steps, Stream
from .transport import ANSWER_S, ATTEMPTS, NDJSON, Request, Transport
from .types import (AlgorithmAnalysis, AppliedMoves, CaseSet, CaseSetSummary, CubeAnswer, CubeInput, CubeValidation,
                    Forms, ListedSession, Moves, Pattern, RandomState, RandomStateList, ScrambleList, SessionDetails, SetCase,
                    Solution, TrainingRow, TransformationAnswer)

# A line of an answer comes when its question is answered, and a search may take 300 s.
LINE_S = 320.0
ROWS = "application/octet-stream"


def given(**members: object) -> dict[str, object]:
    """The members that are not None."""
    return _given(members)


def _given(members: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in members.items() if value is not None}


def _named(options: Mapping[str, object]) -> dict[str, object]:
    """Options by the names that the server has for them: some are words of Python."""
    return {name.rstrip("_"): value for name, value in options.items()}


def _rows(body: bytes) -> list[bytes]:
    return [body[i:i + 364] for i in range(0, len(body), 364)]


class CubedCalls:
    """The calls of both clients."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self._jobs = JobCalls(transport)

    # ---- questions about cubes ----

    @call
    def apply(self, *, cube: CubeInput | None = None, size: int | None = None, moves: Moves | None = None,
              notation: str | None = None, as_: Forms | None = None, turns: bool | None = None) -> Steps[AppliedMoves]:
        """Turns a cube."""
        body = given(cube=cube, size=size, moves=moves, notation=notation)
        answer: AppliedMoves = yield from self._ask("/v1/apply", body, **{"as": as_}, turns=turns)
        return answer

    @call
    def algorithm(self, moves: Moves, *, size: int | None = None, notation: str | None = None, rotation: Moves | None = None, mirror: str | None = None, write: str | None = None) -> Steps[AlgorithmAnalysis]:
        """Analyses a move sequence: its canonical, inverse and simplified forms, its length and order."""
        answer: AlgorithmAnalysis = yield from self._ask("/v1/algorithm", given(moves=moves, size=size, notation=notation, rotation=rotation, mirror=mirror, write=write))
        return answer

    @call
    def convert(self, cube: CubeInput, as_: Forms, pieces: Forms | None = None) -> Steps[CubeAnswer]:
        """A cube in other formats. `pieces`: of which `ranks` has ranks too, such as ["URF", "UF"]."""
        answer: CubeAnswer = yield from self._ask("/v1/convert", {"cube": cube}, **{"as": as_}, pieces=pieces)
        return answer

    @stream
    def convert_all(self, cubes: Iterable[CubeInput], as_: Forms,
                    pieces: Forms | None = None) -> Stream[dict[str, Any]]:
        """Many cubes in other formats, in their order; a cube that is wrong has an `error` in its place."""
        return self._ask_lines("/v1/convert", cubes, given(**{"as": as_}, pieces=pieces))

    @call
    def validate(self, cube: CubeInput) -> Steps[CubeValidation]:
        """Checks that turns lead to a cube; if not, says why, and how to repair it."""
        answer: CubeValidation = yield from self._ask("/v1/validate", {"cube": cube})
        return answer

    @call
    def compose(self, *cubes: CubeInput, assembled: bool = False, as_: Forms | None = None) -> Steps[TransformationAnswer]:
        """One cube after another, each used as what it does to a solved one. `assembled`: no turns need lead to them."""
        body = {"cubes": cubes, "assembled": assembled}
        answer: TransformationAnswer = yield from self._ask("/v1/compose", body, **{"as": as_})
        return answer

    @call
    def invert(self, cube: CubeInput, assembled: bool = False, as_: Forms | None = None) -> Steps[TransformationAnswer]:
        """The cube that undoes a cube. `assembled`: no turns need lead to it."""
        body = {"cube": cube, "assembled": assembled}
        answer: TransformationAnswer = yield from self._ask("/v1/invert", body, **{"as": as_})
        return answer

    @call
    def match(self, cube: CubeInput, pattern: Pattern) -> Steps[list[dict[str, Any]]]:
        """Finds the places where a pattern fits a cube."""
        matches: list[dict[str, Any]] = (yield from self._ask("/v1/match", {"cube": cube, "pattern": pattern}))["matches"]
        return matches

    @call
    def named_patterns(self, cube: CubeInput) -> Steps[list[dict[str, Any]]]:
        """Finds the common patterns that fit a cube: of each its `name` and the first way in which it fits."""
        body = {"cube": cube, "named": True, "any": True}
        matches: list[dict[str, Any]] = (yield from self._ask("/v1/match", body))["matches"]
        return matches

    @call
    def facts(self, cube: CubeInput) -> Steps[dict[str, Any]]:
        """Describes the state of a cube: its order, cycles, symmetry and canonical form."""
        facts: dict[str, Any] = yield from self._ask("/v1/facts", {"cube": cube})
        return facts

    @call
    def features(self, cubes: Iterable[CubeInput]) -> Steps[list[bytes]]:
        """For each cube a row of 364 bytes 0 and 1, for a neural network."""
        answer = yield from self.transport.send(Request("POST", "/v1/features", {"dtype": "uint8"}, {"cubes": list(cubes)},
                                             accept=ROWS))
        return _rows(answer.body)

    @call
    def net(self, *, cube: CubeInput | None = None, size: int | None = None, moves: Moves | None = None) -> Steps[str]:
        """An unfolded cube as text."""
        body = given(cube=cube, size=size, moves=moves)
        return (yield from self.transport.send(Request("POST", "/v1/apply", body=body, accept="text/plain"))).body.decode()

    @call
    def picture(self, **options: Unpack[PictureOptions]) -> Steps[str]:
        """A cube as SVG: `size`, `moves`, `case`, `facelets`, `view`, `mask`, ... (docs/reference/pictures.md)."""
        return (yield from self.transport.send(Request("GET", "/v1/image.svg", dict(options), accept="image/svg+xml"))).body.decode()

    @call
    def picture_png(self, **options: Unpack[PictureOptions]) -> Steps[bytes]:
        """The same as PNG; `pixels` is its width."""
        return (yield from self.transport.send(Request("GET", "/v1/image.png", dict(options), accept="image/png"))).body

    # ---- scrambles and solutions ----

    @call
    def case_sets(self) -> Steps[list[CaseSetSummary]]:
        """The sets of cases, such as COLL and ZBLL."""
        items: list[CaseSetSummary] = (yield from self.transport.json(Request("GET", "/v1/sets")))["items"]
        return items

    @call
    def case_set(self, name: str) -> Steps[CaseSet]:
        """A set with its cases and their algorithms."""
        answer: CaseSet = yield from self.transport.json(Request("GET", f"/v1/sets/{quote(name, safe='')}"))
        return answer

    @call
    def set_case(self, set_name: str, name: str) -> Steps[SetCase]:
        """A case of a set, such as pll-t of pll."""
        path = f"/v1/sets/{quote(set_name, safe='')}/{quote(name, safe='')}"
        answer: SetCase = yield from self.transport.json(Request("GET", path))
        return answer

    @call
    def scramble(self, **options: Unpack[ScrambleOptions]) -> Steps[ScrambleList]:
        """Scrambles, as many as `count` says, each with its cube: of a `size` or an `event`, from a `seed`, for states
        that fit `until` or are a `distance` from a `goal`."""
        request = Request("GET", "/v1/scramble", _named(options))
        answer: ScrambleList = yield from self.transport.json(request)
        return answer

    @call
    def states(self, **options: Unpack[StateOptions]) -> Steps[RandomStateList]:
        """Random states, without moves: much faster than scrambles, since nothing is solved."""
        answer: RandomStateList = yield from self.transport.json(Request("GET", "/v1/states", _named(options)))
        return answer

    @stream
    def each_state(self, **options: Unpack[StateOptions]) -> Stream[RandomState]:
        """The same one by one, while they come: for very many."""
        return self._lines(Request("GET", "/v1/states", _named(options), accept=NDJSON))

    @call
    def state_features(self, *, count: int | None = None, seed: str | None = None) -> Steps[list[bytes]]:
        """Random states of the 3x3x3 as rows of features()."""
        query = {"count": count, "seed": seed, "dtype": "uint8"}
        return _rows((yield from self.transport.send(Request("GET", "/v1/states", query, accept=ROWS))).body)

    @call
    def rows(self, **options: Unpack[RowOptions]) -> Steps[bytes]:
        """Rows of random 3x3x3 or 2x2x2 cubes for training, as bytes, one after another: with `walk`, such as "1..26", of
        random walks. A row depends on `seed` and its number alone, so `first` continues a set."""
        query = _named(options) | {"format": "raw"}
        return (yield from self.transport.send(Request("GET", "/v1/rows", query, accept=ROWS))).body

    @stream
    def each_row(self, **options: Unpack[RowOptions]) -> Stream[TrainingRow]:
        """The same one by one, while they come: for very many."""
        return self._lines(Request("GET", "/v1/rows", _named(options) | {"format": "ndjson"}, accept=NDJSON))

    @call
    def scramble_sheet(self, **options: Unpack[SheetOptions]) -> Steps[bytes]:
        """A page (HTML) with the scrambles of a round, to print: `event`, `count`, `extras`, `title`, `seed`."""
        return (yield from self.transport.send(Request("GET", "/v1/sheet", dict(options), accept="text/html"))).body

    @call
    def solve(self, cube: CubeInput, *, on_progress: Progress | None = None, wait_ms: int = WAIT_MS,
              **options: Unpack[SolveOptions]) -> Steps[Solution]:
        """Solves a cube, however long that takes; see Jobs.solve()."""
        return (yield from self._jobs._solve(cube, on_progress, wait_ms, dict(options)))

    @stream
    def solve_all(self, questions: Iterable[object]) -> Stream[dict[str, Any]]:
        """Solves many cubes, {"cube": ..., "method": ...}; a cube that is wrong has an `error` in its place."""
        return self._ask_lines("/v1/solve", questions, {})

    @call
    def solvers(self) -> Steps[list[dict[str, Any]]]:
        items: list[dict[str, Any]] = (yield from self.transport.json(Request("GET", "/v1/solvers")))["items"]
        return items

    # ---- sessions ----

    def _create(self, options: Mapping[str, object]) -> Steps[tuple[str, str | None, SessionDetails]]:
        request = Request("POST", "/v1/sessions", body=_given(options), change=True)
        details = yield from self.transport.json(request)
        return details["id"], details.pop("token", None), details

    @pages
    def sessions(self, *, size: int | None = None, name: str | None = None, limit: int | None = None,
                 as_: Forms | None = None) -> Listing[ListedSession]:
        """The listed sessions, newest first."""
        query = given(size=size, name=name, limit=limit, **{"as": as_})
        return Listing(lambda position: self.transport.json(Request("GET", "/v1/sessions", {**query, **position})))

    @pages
    def search(self, *, pattern: Pattern | None = None, size: int | None = None, cube: CubeInput | None = None,
               limit: int | None = None) -> Listing[ListedSession]:
        """Sessions whose cube fits a pattern now, or shows the same as `cube`."""
        body = given(pattern=pattern, size=size, cube=cube)

        def read(position: dict[str, object]) -> Steps[Any]:
            return self.transport.json(Request("POST", "/v1/search", {"limit": limit, **position}, body))

        return Listing(read)

    # ---- the server ----

    @call
    def ready(self) -> Steps[bool]:
        """Returns true if the server accepts changes."""
        try:
            yield from self.transport.json(Request("GET", "/readyz"))
            return True
        except Problem:
            return False

    @call
    def geometry(self, size: int = 3) -> Steps[dict[str, Any]]:
        """Returns the neighbours of each facelet, the rings of facelets around layers, and the facelets of cubies."""
        answer: dict[str, Any] = yield from self.transport.json(Request("GET", "/v1/geometry", query={"size": size}))
        return answer

    @call
    def formats(self) -> Steps[dict[str, Any]]:
        answer: dict[str, Any] = yield from self.transport.json(Request("GET", "/v1/formats"))
        return answer

    @call
    def limits(self) -> Steps[dict[str, dict[str, Any]]]:
        limits: dict[str, dict[str, Any]] = (yield from self.transport.json(Request("GET", "/v1/limits")))["limits"]
        return limits

    def _ask(self, path: str, body: object, **query: object) -> Steps[Any]:
        return (yield from self.transport.json(Request("POST", path, query, body)))

    def _ask_lines(self, path: str, values: Iterable[object], query: dict[str, object]) -> Stream[dict[str, Any]]:
        raw = "".join(json.dumps(value) + "\n" for value in values).encode()
        return self._lines(Request("POST", path, query, raw=raw, content_type=NDJSON, accept=NDJSON, timeout=LINE_S))

    def _lines(self, request: Request) -> Stream[Any]:
        lines = yield from self.transport.open(request)
        try:
            while (line := (yield from lines.line())) is not None:
                yield Item(json.loads(line))
        finally:
            lines.close()


class Cubed(CubedCalls, Blocking):
    """A server: Cubed("http://localhost:8080").

    Calls raise Problem if the server refuses, and NoAnswer if there is no answer after some attempts. A token that is
    given here is sent with each call. `timeout`: how long to wait for an answer, and for each part of a long one.
    `context`: for TLS, if the certificates that the system trusts are not enough. One client may be used by one thread
    at a time.
    """

    @checked
    def __init__(self, url: str, token: str | None = None, *, attempts: int = ATTEMPTS, timeout: float = ANSWER_S,
                 context: ssl.SSLContext | None = None) -> None:
        super().__init__(Transport(url, token, attempts, timeout, context))
        self.jobs = Jobs(self.transport)
        self.patterns = Patterns(self.transport)
        self.solves = Solves(self.transport)

    def close(self) -> None:
        """Closes the connections that are kept open; the client can still be used."""
        self.transport.close()

    def __enter__(self) -> "Cubed":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    @checked
    def create_session(self, **options: Unpack[NewSessionRequest]) -> Session:
        """Creates a session: a cube that is stored. The result has the owner's token."""
        return Session(self.transport, *blocking.run(self._create(options)))

    @checked
    def session(self, id: str, token: str | None = None) -> Session:
        """A session that exists. Nothing is sent yet. Without a token its `access` applies."""
        return Session(self.transport, id, token)

    def watch(self, *sessions: Session) -> Generator[Event, None, None]:
        """The events of several sessions, over one connection: of each its `state` first, then what follows. Broken
        connections are opened again and nothing is missed. Ends after the `end` of the last session."""
        return blocking.iterate(watch_all(self.transport, [(session.id, session.token) for session in sessions]))


class AsyncCubed(CubedCalls, Asynchronous):
    """The same for asyncio: AsyncCubed("http://localhost:8080").

    It has the calls of Cubed, which are awaited here: `await cubed.solve(cube)`. Events, lists and the answers to many
    questions are read with `async for`. Tasks of one event loop may share a client.
    """

    @checked
    def __init__(self, url: str, token: str | None = None, *, attempts: int = ATTEMPTS, timeout: float = ANSWER_S,
                 context: ssl.SSLContext | None = None) -> None:
        super().__init__(Transport(url, token, attempts, timeout, context))
        self.jobs = AsyncJobs(self.transport)
        self.patterns = AsyncPatterns(self.transport)
        self.solves = AsyncSolves(self.transport)

    async def close(self) -> None:
        """As of Cubed."""
        self.transport.close()

    async def __aenter__(self) -> "AsyncCubed":
        return self

    async def __aexit__(self, *exception: object) -> None:
        await self.close()

    @checked
    async def create_session(self, **options: Unpack[NewSessionRequest]) -> AsyncSession:
        """As of Cubed."""
        return AsyncSession(self.transport, *await run(self._create(options)))

    @checked
    def session(self, id: str, token: str | None = None) -> AsyncSession:
        """As of Cubed."""
        return AsyncSession(self.transport, id, token)

    def watch(self, *sessions: AsyncSession) -> AsyncGenerator[Event, None]:
        """As of Cubed."""
        return iterate(watch_all(self.transport, [(session.id, session.token) for session in sessions]))
