"""Tests that need no server: answers that come in pieces, time limits, and options that calls do not have."""

import asyncio
import inspect
import unittest
from collections.abc import Callable
from functools import partial
from typing import Any

import cubed_client
from cubed_client import AsyncCubed, Cubed, NoAnswer
from cubed_client.calls import _Call
from cubed_client.options import PictureOptions
from cubed_client.steps import Connect, Pause, Read, Steps, Write
from cubed_client.transport import ANSWER_S, Request, Transport

JSON = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


class Wire:
    """A network that answers with these pieces, each after so many seconds of a clock of its own."""

    def __init__(self, *pieces: bytes, seconds: float = 0.0) -> None:
        self.pieces = [*pieces, b""]
        self.seconds = seconds
        self.now = 0.0
        self.sent = b""
        self.opened = 0
        self.closed = 0

    def close(self) -> None:
        self.closed += 1

    def run(self, steps: Steps[Any]) -> Any:
        act: Callable[[], Any] = partial(next, steps)
        while True:
            try:
                step = act()
            except StopIteration as end:
                return end.value
            result, error = self.result(step)
            act = partial(steps.throw, error) if error else partial(steps.send, result)

    def result(self, step: object) -> tuple[Any, Exception | None]:
        if isinstance(step, Connect):
            self.opened += 1
            return self, None
        if isinstance(step, Write):
            self.sent += step.data
        elif isinstance(step, Pause):
            self.now += step.seconds
        elif isinstance(step, Read):
            self.now += min(self.seconds, step.timeout)
            return (None, TimeoutError("timed out")) if self.seconds > step.timeout else (self.pieces.pop(0), None)
        return None, None


def ask(wire: Wire, transport: Transport | None = None, **members: Any) -> Any:
    transport = transport or Transport("http://cubes.example", None, attempts=1)
    return wire.run(transport.json(Request("GET", "/v1/limits", **members)))


class Answers(unittest.TestCase):
    def test_request(self) -> None:
        wire = Wire(JSON + b"Content-Length: 2\r\n\r\n{}")
        transport = Transport("http://cubes.example:81/under/", "secret", attempts=1)
        self.assertEqual(ask(wire, transport, query={"a": [1, 2], "b": None, "c": True}), {})
        head = wire.sent.decode().split("\r\n")
        self.assertEqual(head[0], "GET /under/v1/limits?a=1%2C2&c=true HTTP/1.1")
        for line in ("Host: cubes.example:81", "Authorization: Bearer secret", "Accept: application/json"):
            self.assertIn(line, head)

    def test_wrong_requests(self) -> None:
        wire = Wire()
        for path, value in (("/v1/a b", "1"), ("/v1/a\r\nX: 1", "1"), ("/v1/a", "1\n2")):
            with self.assertRaises(ValueError):
                wire.run(Transport("http://cubes.example", None).json(Request("GET", path, headers={"X": value})))
        self.assertEqual((wire.sent, wire.opened, wire.closed), (b"", 3, 3))

    def test_pieces(self) -> None:
        whole = JSON + b"Transfer-Encoding: chunked\r\n\r\n4\r\n{\"a\"\r\n3;x=y\r\n: 1\r\n1\r\n}\r\n0\r\nT: 1\r\n\r\n"
        whole = b"HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n" + whole
        for size in (1, 2, 7, len(whole)):
            wire = Wire(*(whole[i:i + size] for i in range(0, len(whole), size)))
            self.assertEqual(ask(wire), {"a": 1})
            self.assertEqual(wire.closed, 0)

    def test_connections(self) -> None:
        transport = Transport("http://cubes.example", None, attempts=1)
        kept, last = JSON + b"Content-Length: 2\r\n\r\n{}", JSON + b"Connection: close\r\nContent-Length: 2\r\n\r\n{}"
        wire = Wire(kept, kept, last, JSON + b"\r\n{", b"}")
        self.assertEqual([ask(wire, transport) for _ in range(4)], [{}] * 4)
        self.assertEqual((wire.opened, wire.closed), (2, 2))
        transport.close()
        self.assertEqual(wire.closed, 2)

    def test_cut_answers(self) -> None:
        for piece in (b"", b"HTTP/1.1 200", JSON + b"Content-Length: 9\r\n\r\n{", b"SSH-2.0 \r\n\r\n",
                      JSON + b"Transfer-Encoding: chunked\r\n\r\nx\r\n", b"x" * 70000):
            wire = Wire(piece)
            with self.assertRaises(NoAnswer):
                ask(wire)
            self.assertEqual((wire.opened, wire.closed), (1, 1))

    def test_long_answers(self) -> None:
        """The time limit is for each part of an answer, not for the whole."""
        body = [b"1\r\n[\r\n"] + [b"2\r\n1,\r\n"] * 500 + [b"2\r\n1]\r\n0\r\n\r\n"]
        wire = Wire(JSON + b"Transfer-Encoding: chunked\r\n\r\n", *body, seconds=ANSWER_S - 1)
        self.assertEqual(len(ask(wire)), 501)
        self.assertGreater(wire.now, 500 * (ANSWER_S - 1))
        with self.assertRaisesRegex(NoAnswer, "timed out"):
            ask(Wire(JSON, *body, seconds=ANSWER_S + 1))


class Options(unittest.TestCase):
    def calls(self) -> list[tuple[str, Any]]:
        """All calls of both clients that have options, with what they belong to."""
        found: list[tuple[str, Any]] = []
        clients: list[Any] = [Cubed("http://localhost:9"), AsyncCubed("http://localhost:9")]
        for client in clients:
            for owner in (client, client.jobs, client.patterns, client.solves, client.session("0" * 16)):
                names = [name for name in dir(owner) if not name.startswith("_")]
                members = ((name, getattr(type(owner), name, None)) for name in names)
                found += [(name, getattr(owner, name)) for name, member in members
                          if isinstance(member, _Call) or name in ("create_session", "session")]
        return found

    def test_every_call_refuses_other_options(self) -> None:
        calls = self.calls()
        self.assertGreater(len(calls), 100)
        for name, call in calls:
            with self.assertRaisesRegex(TypeError, rf"{name}\(\) has no option 'nonsense'", msg=name):
                call(nonsense=1)

    def test_the_nearest_option_is_named(self) -> None:
        cubed = Cubed("http://localhost:9")
        wrong: Any = {"cuont": 1}
        with self.assertRaisesRegex(TypeError, r"scramble\(\) has no option 'cuont'; did you mean 'count'\?"):
            cubed.scramble(**wrong)
        wrong = {"mask_": "f2l"}
        with self.assertRaisesRegex(TypeError, r"did you mean 'mask'\?"):
            cubed.picture(**wrong)
        wrong = {"tokn": "x"}
        with self.assertRaisesRegex(TypeError, r"did you mean 'token'\?"):
            Cubed("http://localhost:9", **wrong)
        wrong = {"x": 1}
        with self.assertRaisesRegex(TypeError, r"it has size, session$"):
            cubed.patterns.list(**wrong)
        wrong = {"maxlength": 1}
        with self.assertRaisesRegex(TypeError, r"did you mean 'max_length'\?"):
            AsyncCubed("http://localhost:9").solve({"size": 3}, **wrong)  # type: ignore[unused-coroutine]

    def test_both_clients_have_the_same_calls(self) -> None:
        for one, other in ((Cubed, AsyncCubed), (cubed_client.Session, cubed_client.AsyncSession)):
            names = {name for name in dir(one) if not name.startswith("_")}
            self.assertEqual(names, {name for name in dir(other) if not name.startswith("_")})
            for name in names - {"close", "create_session", "session", "watch"}:
                self.assertIs(inspect.getattr_static(one, name), inspect.getattr_static(other, name), name)

    def test_options_keep_their_names(self) -> None:
        self.assertIn("view", PictureOptions.__annotations__)
        self.assertIn("seed", inspect.getdoc(Cubed("http://localhost:9").scramble) or "")
        self.assertIn("seed", inspect.getdoc(Cubed.scramble) or "")


class Callbacks(unittest.TestCase):
    def test_of_both_networks(self) -> None:
        from cubed_client import asynchronous, blocking

        def fails(value: object) -> None:
            raise RuntimeError("a mistake")

        async def fails_later(value: object) -> None:
            raise RuntimeError("a mistake")

        with self.assertLogs("cubed_client") as logs:
            blocking.NETWORK.tell(fails, 1)
            asyncio.run(asynchronous.NETWORK.tell(fails, 1))
            asyncio.run(asynchronous.NETWORK.tell(fails_later, 1))
        self.assertEqual(len(logs.records), 3)

        def interrupt(value: object) -> None:
            raise KeyboardInterrupt

        with self.assertRaises(KeyboardInterrupt):
            blocking.NETWORK.tell(interrupt, 1)


if __name__ == "__main__":
    unittest.main()
