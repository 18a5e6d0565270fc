"""Cubed, the way in: questions about cubes, and the server's lists."""

import json
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote

from .events import Event, watch_all
from .jobs import Jobs
from .pages import Pages
from .patterns import Patterns
from .problem import Problem
from .session import Session
from .solves import Solves
from .transport import ANSWER_S, ATTEMPTS, NDJSON, Request, Transport
from .types import (AlgorithmAnalysis, AppliedMoves, CaseSet, CaseSetSummary, CubeAnswer, CubeInput, CubeValidation,
                    Forms, ListedSession, Moves, Pattern, ScrambleList, SetCase, Solution,
                    TransformationAnswer)


def given(**members: object) -> dict[str, object]:
    """The members that are not None."""
    return {name: value for name, value in members.items() if value is not None}


class Cubed:
    """A server: Cubed("http://localhost:8080").

    Calls raise Problem if the server refuses, and NoAnswer if there is no answer after some attempts. A token that is
    given here is sent with each call; one client may be used by one thread at a time.
    """

    def __init__(self, url: str, token: str | None = None, *, attempts: int = ATTEMPTS,
                 timeout: float = ANSWER_S) -> None:
        self.transport = Transport(url, token, attempts, timeout)
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

    def _ask(self, path: str, body: object, **query: object) -> Any:
        return self.transport.json(Request("POST", path, query, body))

    # ---- questions about cubes ----

    def apply(self, *, cube: CubeInput | None = None, size: int | None = None, moves: Moves | None = None,
              notation: str | None = None, as_: Forms | None = None, turns: bool | None = None) -> AppliedMoves:
        """Turns a cube."""
        body = given(cube=cube, size=size, moves=moves, notation=notation)
        answer: AppliedMoves = self._ask("/v1/apply", body, **{"as": as_}, turns=turns)
        return answer

    def algorithm(self, moves: Moves, *, size: int | None = None, notation: str | None = None, rotation: Moves | None = None, mirror: str | None = None, write: str | None = None) -> AlgorithmAnalysis:
        """What a move sequence is: canonical, inverse, simplified, its length and order."""
        answer: AlgorithmAnalysis = self._ask("/v1/algorithm", given(moves=moves, size=size, notation=notation, rotation=rotation, mirror=mirror, write=write))
        return answer

    def convert(self, cube: CubeInput, as_: Forms, pieces: Forms | None = None) -> CubeAnswer:
        """A cube in other formats. `pieces`: of which `ranks` has ranks too, such as ["URF", "UF"]."""
        answer: CubeAnswer = self._ask("/v1/convert", {"cube": cube}, **{"as": as_}, pieces=pieces)
        return answer

    def convert_all(self, cubes: Iterable[CubeInput], as_: Forms,
                    pieces: Forms | None = None) -> Iterator[dict[str, Any]]:
        """Many cubes in other formats, in their order; a cube that is wrong has an `error` in its place."""
        return self._ask_lines("/v1/convert", cubes, given(**{"as": as_}, pieces=pieces))

    def validate(self, cube: CubeInput) -> CubeValidation:
        """Whether turns lead to a cube; if not, why, and how to repair it."""
        answer: CubeValidation = self._ask("/v1/validate", {"cube": cube})
        return answer

    def compose(self, *cubes: CubeInput, assembled: bool = False, as_: Forms | None = None) -> TransformationAnswer:
        """One cube after another, each used as what it does to a solved one. `assembled`: no turns need lead to them."""
        body = {"cubes": cubes, "assembled": assembled}
        answer: TransformationAnswer = self._ask("/v1/compose", body, **{"as": as_})
        return answer

    def invert(self, cube: CubeInput, assembled: bool = False, as_: Forms | None = None) -> TransformationAnswer:
        """The cube that undoes a cube. `assembled`: no turns need lead to it."""
        body = {"cube": cube, "assembled": assembled}
        answer: TransformationAnswer = self._ask("/v1/invert", body, **{"as": as_})
        return answer

    def match(self, cube: CubeInput, pattern: Pattern) -> list[dict[str, Any]]:
        """Where a pattern fits a cube."""
        matches: list[dict[str, Any]] = self._ask("/v1/match", {"cube": cube, "pattern": pattern})["matches"]
        return matches

    def named_patterns(self, cube: CubeInput) -> list[dict[str, Any]]:
        """Which of the common patterns fit a cube: of each its `name` and the first way in which it fits."""
        body = {"cube": cube, "named": True, "any": True}
        matches: list[dict[str, Any]] = self._ask("/v1/match", body)["matches"]
        return matches

    def facts(self, cube: CubeInput) -> dict[str, Any]:
        """What kind of state a cube is in: its order, cycles, symmetry and canonical form."""
        facts: dict[str, Any] = self._ask("/v1/facts", {"cube": cube})
        return facts

    def features(self, cubes: Iterable[CubeInput]) -> list[bytes]:
        """For each cube a row of 364 bytes 0 and 1, for a neural network."""
        answer = self.transport.send(Request("POST", "/v1/features", {"dtype": "uint8"}, {"cubes": list(cubes)},
                                             accept="application/octet-stream"))
        return [answer.body[i:i + 364] for i in range(0, len(answer.body), 364)]

    def net(self, *, cube: CubeInput | None = None, size: int | None = None, moves: Moves | None = None) -> str:
        """An unfolded cube as text."""
        body = given(cube=cube, size=size, moves=moves)
        return self.transport.send(Request("POST", "/v1/apply", body=body, accept="text/plain")).body.decode()

    def picture(self, **options: str | int) -> str:
        """A cube as SVG: `size`, `moves`, `case`, `facelets`, `view`, `mask`, ... (docs/reference/pictures.md)."""
        return self.transport.send(Request("GET", "/v1/image.svg", given(**options), accept="image/svg+xml")).body.decode()

    def picture_png(self, **options: str | int) -> bytes:
        """The same as PNG; `pixels` is its width."""
        return self.transport.send(Request("GET", "/v1/image.png", given(**options), accept="image/png")).body

    # ---- scrambles and solutions ----

    def case_sets(self) -> list[CaseSetSummary]:
        """The sets of cases, such as COLL and ZBLL."""
        items: list[CaseSetSummary] = self.transport.json(Request("GET", "/v1/sets"))["items"]
        return items

    def case_set(self, name: str) -> CaseSet:
        """A set with its cases and their algorithms."""
        answer: CaseSet = self.transport.json(Request("GET", f"/v1/sets/{quote(name, safe='')}"))
        return answer

    def set_case(self, set_name: str, name: str) -> SetCase:
        """A case of a set, such as pll-t of pll."""
        path = f"/v1/sets/{quote(set_name, safe='')}/{quote(name, safe='')}"
        answer: SetCase = self.transport.json(Request("GET", path))
        return answer

    def scramble(self, *, size: int | None = None, event: str | None = None, count: int | None = None,
                 extras: int | None = None, seed: str | None = None, until: str | None = None, goal: str | None = None,
                 place: str | None = None, distance: int | None = None, as_: Forms | None = None) -> ScrambleList:
        query = given(size=size, event=event, count=count, extras=extras, seed=seed, until=until, goal=goal, place=place,
                      distance=distance, **{"as": as_})
        answer: ScrambleList = self.transport.json(Request("GET", "/v1/scramble", query))
        return answer

    def scramble_sheet(self, **options: str | int) -> bytes:
        """A page (HTML) with the scrambles of a round, to print: `event`, `count`, `extras`, `title`, `seed`."""
        return self.transport.send(Request("GET", "/v1/sheet", given(**options), accept="text/html")).body

    def solve(self, cube: CubeInput, **options: Any) -> Solution:
        """Solves a cube, however long that takes; see Jobs.solve()."""
        return self.jobs.solve(cube, **options)

    def solve_all(self, questions: Iterable[object]) -> Iterator[dict[str, Any]]:
        """Solves many cubes, {"cube": ..., "method": ...}; a cube that is wrong has an `error` in its place."""
        return self._ask_lines("/v1/solve", questions, {})

    def solvers(self) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = self.transport.json(Request("GET", "/v1/solvers"))["items"]
        return items

    # ---- sessions ----

    def create_session(self, *, size: int | None = None, cube: CubeInput | None = None, name: str | None = None,
                       access: str | None = None, listed: bool | None = None, turn_policy: str | None = None,
                       scramble: Moves | bool | None = None, seed: str | None = None) -> Session:
        """Creates a session: a cube that is stored. The result has the owner's token."""
        body = given(size=size, cube=cube, name=name, access=access, listed=listed, turn_policy=turn_policy,
                     scramble=scramble, seed=seed)
        details = self.transport.json(Request("POST", "/v1/sessions", body=body, change=True))
        return Session(self.transport, details["id"], details.pop("token", None), details)

    def session(self, id: str, token: str | None = None) -> Session:
        """A session that exists. Nothing is sent yet. Without a token its `access` applies."""
        return Session(self.transport, id, token)

    def sessions(self, *, size: int | None = None, name: str | None = None, limit: int | None = None,
                 as_: Forms | None = None) -> Pages[ListedSession]:
        """The listed sessions, newest first."""
        query = given(size=size, name=name, limit=limit, **{"as": as_})
        return Pages(lambda position: self.transport.json(Request("GET", "/v1/sessions", {**query, **position})))

    def search(self, *, pattern: Pattern | None = None, size: int | None = None, cube: CubeInput | None = None,
               limit: int | None = None) -> Pages[ListedSession]:
        """Sessions whose cube fits a pattern now, or shows the same as `cube`."""
        body = given(pattern=pattern, size=size, cube=cube)

        def read(position: dict[str, object]) -> Any:
            return self.transport.json(Request("POST", "/v1/search", {"limit": limit, **position}, body))

        return Pages(read)

    def watch(self, *sessions: Session) -> Iterator[Event]:
        """What happens in several sessions, over one connection: of each its `state` first, then what follows. Broken
        connections are opened again and nothing is missed. Ends after the `end` of the last session."""
        return watch_all(self.transport, [(session.id, session.token) for session in sessions])

    # ---- the server ----

    def ready(self) -> bool:
        """Whether changes are accepted."""
        try:
            self.transport.json(Request("GET", "/readyz"))
            return True
        except Problem:
            return False

    def geometry(self, size: int = 3) -> dict[str, Any]:
        """Which facelets lie beside which, the rings of facelets around layers, and the facelets of cubies."""
        answer: dict[str, Any] = self.transport.json(Request("GET", "/v1/geometry", query={"size": size}))
        return answer

    def formats(self) -> dict[str, Any]:
        answer: dict[str, Any] = self.transport.json(Request("GET", "/v1/formats"))
        return answer

    def limits(self) -> dict[str, dict[str, Any]]:
        limits: dict[str, dict[str, Any]] = self.transport.json(Request("GET", "/v1/limits"))["limits"]
        return limits

    def _ask_lines(self, path: str, values: Iterable[object], query: dict[str, object]) -> Iterator[dict[str, Any]]:
        raw = "".join(json.dumps(value) + "\n" for value in values).encode()
        request = Request("POST", path, query, raw=raw, content_type=NDJSON, accept=NDJSON)
        return (json.loads(line) for line in self.transport.lines(request))
