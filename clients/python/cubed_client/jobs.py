"""Searches for solutions, and the jobs that long ones become."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

from .asynchronous import Asynchronous
from .blocking import Blocking
from .calls import call
from .options import SolveOptions, Unpack
from .problem import Problem
from .steps import Pause, Steps, Tell
from .transport import Request, Transport
from .types import CubeInput, Job, Solution

WAIT_MS = 2000
LOOK_FIRST_S = 0.2
LOOK_LAST_S = 2.0

# Called with a job whenever it was looked at. For asyncio it may be a coroutine function.
Progress = Callable[[Job], object]


class JobCalls:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    @call
    def start(self, cube: CubeInput, *, wait_ms: int = WAIT_MS,
              **options: Unpack[SolveOptions]) -> Steps[tuple[Solution | None, Job | None]]:
        """Asks for a solution: the solution, if it is found within `wait_ms`, else the job."""
        return (yield from self._start(cube, wait_ms, dict(options)))

    @call
    def solve(self, cube: CubeInput, *, on_progress: Progress | None = None, wait_ms: int = WAIT_MS,
              **options: Unpack[SolveOptions]) -> Steps[Solution]:
        """Asks for a solution and waits for it, however long that takes. The options are those of openapi.yaml:
        `method`, `until`, `max_length`, `improve`, `timeout_ms`, ..."""
        return (yield from self._solve(cube, on_progress, wait_ms, dict(options)))

    @call
    def wait(self, id: str, on_progress: Progress | None = None) -> Steps[Solution]:
        """Waits until a job has ended and returns its result: of a cancelled one the best solution so far. If the wait
        is interrupted (Ctrl-C) or its task is cancelled, the job is cancelled."""
        return (yield from self._wait(id, on_progress))

    @call
    def get(self, id: str) -> Steps[Job]:
        job: Job = yield from self._transport.json(Request("GET", f"/v1/jobs/{id}"))
        return job

    @call
    def cancel(self, id: str) -> Steps[Job]:
        """Ends a job; its result is then the best solution so far."""
        job: Job = yield from self._transport.json(Request("DELETE", f"/v1/jobs/{id}"))
        return job

    def _start(self, cube: CubeInput, wait_ms: int,
               options: dict[str, Any]) -> Steps[tuple[Solution | None, Job | None]]:
        body: dict[str, object] = {"cube": cube, "wait_ms": wait_ms, **options}
        request = Request("POST", "/v1/solve", body=body, timeout=self._transport.timeout + wait_ms / 1000)
        answer = yield from self._transport.send(request)
        value = json.loads(answer.body)
        return (None, value) if answer.status == 202 else (value, None)

    def _solve(self, cube: CubeInput, on_progress: Progress | None, wait_ms: int,
               options: dict[str, Any]) -> Steps[Solution]:
        solution, job = yield from self._start(cube, wait_ms, options)
        if solution is not None:
            return solution
        assert job is not None
        return (yield from self._wait(job["id"], on_progress))

    def _wait(self, id: str, on_progress: Progress | None) -> Steps[Solution]:
        look = LOOK_FIRST_S
        try:
            while True:
                job: Job = yield from self._transport.json(Request("GET", f"/v1/jobs/{id}"))
                if on_progress:
                    yield Tell(on_progress, job)
                if job["problem"]:
                    raise Problem(job["problem"])
                if job["result"]:
                    return job["result"]
                if job["status"] not in ("queued", "running"):
                    raise RuntimeError(f"Job {id} has no result: it is {job['status']}.")
                yield Pause(look)
                look = min(LOOK_LAST_S, look * 1.3)
        except (KeyboardInterrupt, asyncio.CancelledError):
            yield from self._transport.send(Request("DELETE", f"/v1/jobs/{id}", attempts=1))
            raise


class Jobs(JobCalls, Blocking):
    """The searches of a client that blocks."""


class AsyncJobs(JobCalls, Asynchronous):
    """The searches of a client of asyncio."""
