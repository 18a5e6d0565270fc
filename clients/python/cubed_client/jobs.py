"""Searches for solutions, and the jobs that long ones become."""

import json
import time
from collections.abc import Callable
from typing import Any

from .problem import Problem
from .transport import Request, Transport
from .types import CubeInput, Job, Solution

WAIT_MS = 2000
LOOK_FIRST_S = 0.2
LOOK_LAST_S = 2.0


class Jobs:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def start(self, cube: CubeInput, *, wait_ms: int = WAIT_MS,
              **members: object) -> tuple[Solution | None, Job | None]:
        """Asks for a solution: the solution, if it is found within `wait_ms`, else the job."""
        body: dict[str, object] = {"cube": cube, "wait_ms": wait_ms, **members}
        request = Request("POST", "/v1/solve", body=body, timeout=self._transport.timeout + wait_ms / 1000)
        answer = self._transport.send(request)
        value = json.loads(answer.body)
        return (None, value) if answer.status == 202 else (value, None)

    def solve(self, cube: CubeInput, *, on_progress: Callable[[Job], None] | None = None, **members: Any) -> Solution:
        """Asks for a solution and waits for it, however long that takes. Members as in openapi.yaml: `method`, `until`,
        `max_length`, `improve`, `timeout_ms`, ..."""
        solution, job = self.start(cube, **members)
        if solution is not None:
            return solution
        assert job is not None
        return self.wait(job["id"], on_progress)

    def wait(self, id: str, on_progress: Callable[[Job], None] | None = None) -> Solution:
        """Waits until a job has ended and returns its result: of a cancelled one the best solution so far. If the wait
        is interrupted (Ctrl-C), the job is cancelled."""
        look = LOOK_FIRST_S
        try:
            while True:
                job = self.get(id)
                if on_progress:
                    on_progress(job)
                if job["problem"]:
                    raise Problem(job["problem"])
                if job["result"]:
                    return job["result"]
                if job["status"] not in ("queued", "running"):
                    raise RuntimeError(f"Job {id} has no result: it is {job['status']}.")
                time.sleep(look)
                look = min(LOOK_LAST_S, look * 1.3)
        except KeyboardInterrupt:
            self.cancel(id)
            raise

    def get(self, id: str) -> Job:
        job: Job = self._transport.json(Request("GET", f"/v1/jobs/{id}"))
        return job

    def cancel(self, id: str) -> Job:
        """Ends a job; its result is then the best solution so far."""
        job: Job = self._transport.json(Request("DELETE", f"/v1/jobs/{id}"))
        return job
