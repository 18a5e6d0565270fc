"""The Python client of asyncio against a server, and both clients over TLS. (test_client.py says how to run it.)"""

import asyncio
import ssl
import subprocess
import tempfile
import unittest
import unittest.mock
from collections.abc import Awaitable
from contextlib import aclosing
from typing import Any

from cubed_client import AsyncCubed, AsyncSession, Cubed, NoAnswer, Problem
from support import Proxy, Server


class AsyncTest(unittest.IsolatedAsyncioTestCase):
    server: Server

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server()

    @classmethod
    def tearDownClass(cls) -> None:
        cls.server.stop()

    async def asyncSetUp(self) -> None:
        self.proxy = Proxy(self.server)
        self.addCleanup(self.proxy.stop)
        self.cubed = AsyncCubed(self.server.url)
        self.addAsyncCleanup(self.cubed.close)
        self.distant = AsyncCubed(self.proxy.url)
        self.addAsyncCleanup(self.distant.close)

    async def fails(self, kind: str, call: Awaitable[Any]) -> Problem:
        with self.assertRaises(Problem) as caught:
            await call
        self.assertEqual(caught.exception.kind, kind)
        return caught.exception


class Calls(AsyncTest):
    async def test_questions(self) -> None:
        cube = (await self.cubed.apply(moves="R U", as_=["faces"]))["cube"]
        self.assertIn("faces", cube)
        solution = await self.cubed.solve(cube)
        self.assertEqual(solution["length"], 2)
        self.assertEqual((await self.fails("bad-notation", self.cubed.apply(moves="Q"))).status, 422)
        lines = [line async for line in self.cubed.convert_all([{"moves": "R"}, {"facelets": "X"}], as_="index")]
        self.assertEqual(["error" in line for line in lines], [False, True])
        self.assertEqual([len(row) for row in await self.cubed.features([{"size": 3}])], [364])
        self.assertEqual(len([state async for state in self.cubed.each_state(count=3)]), 3)
        self.assertTrue((await self.cubed.picture(size=3)).startswith("<svg"))
        self.assertTrue(await self.cubed.ready())
        self.assertEqual((await self.cubed.patterns.get("cross"))["name"], "cross")
        first = await self.cubed.solves.add(time_ms=12340)
        async with AsyncCubed(self.server.url, token=first["token"]) as timer:
            self.assertEqual([one["result"] async for one in timer.solves.list()], ["12.34"])

    async def test_tasks_share_a_client(self) -> None:
        answers = await asyncio.gather(*(self.cubed.apply(moves="R " * i) for i in range(1, 9)))
        self.assertEqual([answer["cube"]["solved"] for answer in answers], [i % 4 == 0 for i in range(1, 9)])
        self.assertEqual((await self.cubed.apply(moves="R"))["moves"], "R")

    async def test_another_event_loop(self) -> None:
        def ask() -> bool:
            return all(asyncio.run(self.distant.ready()) for _ in range(2))

        self.assertTrue(await asyncio.to_thread(ask))
        self.assertTrue(await self.distant.ready())

    async def test_session(self) -> None:
        session = await self.cubed.create_session(size=3, name="A")
        self.assertIsInstance(session, AsyncSession)
        for _ in range(5):
            await session.turn("R")
        await session.undo(2)
        self.assertEqual([entry["revision"] async for entry in session.history(limit=2)], [1, 2, 3, 4, 5, 6])
        self.assertEqual(len(await session.history(limit=2).first()), 2)
        anna = self.cubed.session(session.id, (await session.create_token("editor", "Anna"))["token"])
        self.assertEqual((await anna.turn("U"))["revision"], 7)
        self.assertEqual((await anna.read())["revision"], 7)

    async def test_search(self) -> None:
        looks: list[str] = []

        async def look(job: Any) -> None:
            await asyncio.sleep(0)
            looks.append(job["status"])
            raise RuntimeError("a mistake of the listener")

        with self.assertLogs("cubed_client") as logs:
            solution = await self.cubed.solve({"moves": "R U2 F' D L2 B'"}, improve=True, timeout_ms=700, wait_ms=0,
                                              on_progress=look)
        self.assertTrue(solution["solution"])
        self.assertEqual(len(looks), len(logs.records))
        self.assertIn("a mistake of the listener", logs.output[0])

    async def test_cancelled_search(self) -> None:
        started: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        def look(job: Any) -> None:
            if not started.done():
                started.set_result(job["id"])

        moves = "R U2 F' D L2 B' U R2 F D2 L' B2"
        task = asyncio.create_task(self.cubed.solve({"moves": moves}, improve=True, timeout_ms=200000, wait_ms=0,
                                                    on_progress=look))
        job = await started
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task
        self.assertEqual((await self.cubed.jobs.get(job))["status"], "cancelled")


class Events(AsyncTest):
    async def test_events(self) -> None:
        session = await self.cubed.create_session(size=3)
        async with aclosing(session.watch()) as events:
            state = await anext(events)
            self.assertEqual((state.event, state.data["revision"]), ("state", 0))
            await session.turn("U")
            entry = await anext(event async for event in events if event.event == "entry")
            self.assertEqual((entry.data["moves"], entry.session), ("U", session.id))
        async with aclosing(session.watch(after=state.id)) as events:
            again = await anext(event async for event in events if event.event == "entry")
            self.assertEqual(again.id, entry.id)
        await self.fails("not-found", anext(self.cubed.session("0" * 16).watch()))

    async def test_following_over_a_restart(self) -> None:
        session = await self.cubed.create_session(size=3)

        async def turn() -> None:
            for _ in range(20):
                await session.turn("U")

        seen: list[int] = []
        writer: asyncio.Task[None] | None = None
        async with aclosing(session.watch()) as events:
            async for event in events:
                if event.event == "state":
                    writer = asyncio.create_task(turn())
                elif event.event == "entry":
                    seen.append(event.data["revision"])
                if len(seen) == 5 and event.event == "entry":
                    self.server.kill()
                    await asyncio.to_thread(self.server.start)
                if len(seen) == 20:
                    break
        assert writer
        await writer
        self.assertEqual(seen, list(range(1, 21)))

    async def test_several_sessions(self) -> None:
        sessions = [await self.cubed.create_session(size=2, access="none") for _ in range(2)]
        kinds: list[str] = []
        async for event in self.cubed.watch(*sessions):
            kinds.append(event.event)
            if kinds.count("state") == 2 and event.event == "state":
                for session in sessions:
                    await session.turn("R")
            elif event.event == "entry":
                await next(session for session in sessions if session.id == event.session).remove()
        self.assertEqual([kinds.count(kind) for kind in ("state", "entry", "end")], [2, 2, 2])

    async def test_cancelling(self) -> None:
        session = await self.cubed.create_session(size=2)

        async def follow() -> None:
            async for _ in session.watch():
                came.set()

        came = asyncio.Event()
        task = asyncio.create_task(follow())
        await came.wait()
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task


class BadNetwork(AsyncTest):
    async def test_changes_are_made_once(self) -> None:
        session = await self.distant.create_session(size=3)
        self.proxy.log.clear()
        self.proxy.faults = ["cut", "lose", "lose"]
        self.assertEqual((await session.turn("R"))["revision"], 1)
        self.assertEqual(len({request["key"] for request in self.proxy.log}), 1)
        self.assertEqual(len(self.proxy.log), 4)

    async def test_waiting(self) -> None:
        pauses: list[float] = []

        async def sleep(seconds: float) -> None:
            pauses.append(seconds)

        self.proxy.faults = [429, 503]
        with unittest.mock.patch("cubed_client.asynchronous.asyncio.sleep", sleep):
            self.assertTrue(await self.distant.limits())
        self.assertEqual([1 <= pause <= 3 for pause in pauses], [True, True])
        self.proxy.faults = [404]
        with self.assertRaises(Problem):
            await self.distant.limits()

    async def test_bounded(self) -> None:
        self.proxy.faults = ["cut"] * 9
        with self.assertRaises(NoAnswer):
            await AsyncCubed(self.proxy.url, attempts=3).limits()
        self.assertEqual(len(self.proxy.log), 3)


class Secure(unittest.IsolatedAsyncioTestCase):
    """Over TLS, with a certificate that only a context of the user trusts."""

    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        key, certificate = f"{self.folder.name}/key.pem", f"{self.folder.name}/cert.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                        "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
                        "-keyout", key, "-out", certificate], check=True, capture_output=True)
        self.server = Server("--tls-cert", certificate, "--tls-key", key)
        self.addCleanup(self.server.stop)
        self.url = self.server.url.replace("http:", "https:")
        self.context = ssl.create_default_context(cafile=certificate)

    async def test_both_clients(self) -> None:
        def block() -> bool:
            with Cubed(self.url, context=self.context) as cubed:
                session = cubed.create_session(size=2)
                events = session.watch()
                first = next(events).event
                events.close()
                return first == "state" and session.turn("R")["revision"] == 1

        self.assertTrue(await asyncio.to_thread(block))
        async with AsyncCubed(self.url, context=self.context) as cubed:
            session = await cubed.create_session(size=2)
            async with aclosing(session.watch()) as events:
                self.assertEqual((await anext(events)).event, "state")
                self.assertEqual((await session.turn("R"))["revision"], 1)

    async def test_unknown_certificate(self) -> None:
        with self.assertRaisesRegex(NoAnswer, "CERTIFICATE_VERIFY_FAILED"):
            await AsyncCubed(self.url, attempts=1).limits()
        with self.assertRaisesRegex(NoAnswer, "CERTIFICATE_VERIFY_FAILED"):
            await asyncio.to_thread(Cubed(self.url, attempts=1).limits)


if __name__ == "__main__":
    unittest.main()
