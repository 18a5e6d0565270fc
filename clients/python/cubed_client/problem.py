"""The errors that a call fails with: the server's refusal, or no answer at all."""

import json
from typing import Any

_PREFIX = "urn:cubed:problem:"


class Problem(Exception):
    """The server refused a request (RFC 9457). Compare `kind` or `status`; the text is for people.

    `details` has all members, also those that only some types have: `missed`, `revision`, `problems`, ...
    """

    def __init__(self, details: dict[str, Any], retry_after: float | None = None) -> None:
        self.details = details
        self.type: str = details["type"]
        self.kind = self.type.removeprefix(_PREFIX)
        self.title: str = details["title"]
        self.status: int = details["status"]
        self.detail: str = details["detail"]
        self.pointer: str | None = details.get("pointer")
        self.parameter: str | None = details.get("parameter")
        self.offset: int | None = details.get("offset")
        self.length: int | None = details.get("length")
        self.column: int | None = details.get("column")
        self.expected: str | None = details.get("expected")
        self.suggestion: str | None = details.get("suggestion")
        self.errors: list[dict[str, Any]] = details.get("errors", [])
        self.help: str | None = details.get("help")
        self.request_id: str | None = details.get("request_id")
        self.retry_after = retry_after
        super().__init__(self.detail or self.title)


class NoAnswer(Exception):
    """No answer came, after all attempts. A change that was sent may or may not have been made."""


def problem_of(status: int, content_type: str, retry_after: str | None, body: bytes) -> Problem:
    """The problem of an answer; also of one that is not the server's, such as a proxy's page."""
    details: dict[str, Any] = {
        "type": "about:blank", "title": f"The server answered {status}.", "status": status, "detail": "",
    }
    if content_type.startswith("application/problem+json"):
        try:
            details.update(json.loads(body))
        except ValueError:
            pass
    seconds = float(retry_after) if retry_after and retry_after.isdigit() else None
    return Problem(details, seconds)
