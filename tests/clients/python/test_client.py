"""The Python client against a server: python3 -m unittest discover tests/clients/python, with CUBED_TEST_BINARY, and
the client in PYTHONPATH."""

import threading
import time
import unittest
import unittest.mock
from collections.abc import Callable
from typing import Any

from cubed_client import Cubed, NoAnswer, Problem, Session
from cubed_client.transport import backoff
from support import Proxy, Server

SOLVED = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB"
TWISTED = "UUUUUUUUFURRRRRRRRFFRFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB"


class ClientTest(unittest.TestCase):
    server: Server
    cubed: Cubed

    @classmethod
    def setUpClass(cls) -> None:
        cls.server = Server()
        cls.cubed = Cubed(cls.server.url)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.cubed.close()
        cls.server.stop()

    def fails(self, kind: str, call: Callable[[], Any]) -> Problem:
        with self.assertRaises(Problem) as caught:
            call()
        self.assertEqual(caught.exception.kind, kind)
        return caught.exception


class Questions(ClientTest):
    def test_cubes(self) -> None:
        applied = self.cubed.apply(size=3, moves="RUR'U'", as_=["faces", "index"], turns=True)
        self.assertEqual(applied["moves"], "R U R' U'")
        self.assertEqual(len(applied["turns"]), 4)
        self.assertEqual(len(applied["cube"]["faces"]["U"]), 3)
        self.assertEqual(self.cubed.algorithm("[R, U]")["order"], 6)
        inverse = self.cubed.invert({"moves": "R U"})["cube"]
        self.assertEqual(self.cubed.compose({"moves": "R U"}, {"facelets": inverse["facelets"]})["cube"]["facelets"], SOLVED)
        self.assertTrue(self.cubed.match({"moves": "U"}, {"name": "cross"}))
        self.assertIn("cross", [one["name"] for one in self.cubed.named_patterns({"moves": "U"})])
        self.assertIn("reid", self.cubed.convert({"moves": "R"}, as_="reid")["cube"])
        ranks = self.cubed.convert({"moves": "R"}, as_="ranks", pieces=["UF", "URF"])["cube"]["ranks"]
        assert ranks is not None
        self.assertEqual(["UF"], ranks["pieces"]["edges"])
        self.assertIn("U U\n", self.cubed.net(size=2))
        self.assertTrue(self.cubed.picture(size=3, case="R U R'", mask="f2l").startswith("<svg"))
        self.assertTrue(self.cubed.picture_png(size=3, pixels=50).startswith(b"\x89PNG"))
        session = self.cubed.create_session(size=3, access="none")
        self.assertTrue(session.picture(view="net").startswith("<svg"))
        self.assertTrue(session.picture_png(at=0).startswith(b"\x89PNG"))

    def test_problems(self) -> None:
        problem = self.fails("bad-notation", lambda: self.cubed.apply(moves="R U Q"))
        self.assertEqual((problem.status, problem.pointer, problem.column), (422, "/moves", 5))
        self.assertEqual(str(problem), problem.detail)
        validated = self.cubed.validate({"facelets": TWISTED})
        self.assertFalse(validated["possible"])
        self.assertEqual(validated["problems"][0]["kind"], "corner_twisted")
        refused = self.fails("impossible-cube", lambda: self.cubed.solve({"facelets": TWISTED}))
        self.assertEqual(refused.details["problems"], validated["problems"])

    def test_many(self) -> None:
        rows = self.cubed.features([{"size": 3}, {"moves": "R"}])
        self.assertEqual([len(row) for row in rows], [364, 364])
        self.assertEqual(sum(rows[0][:324]), 54)
        lines = list(self.cubed.convert_all([{"moves": "R"}, {"facelets": "X"}, {"moves": "U"}], as_="index"))
        self.assertEqual(["error" in line for line in lines], [False, True, False])
        solved = sorted(line["solution"] for line in self.cubed.solve_all([{"cube": {"moves": "R"}}, {"cube": {"moves": "U2"}}]))
        self.assertEqual(solved, ["R'", "U2"])

    def test_states(self) -> None:
        made = self.cubed.states(size=2, count=3, seed="x", as_="faces")
        self.assertEqual((made["size"], made["seed"], len(made["states"])), (2, "x", 3))
        self.assertEqual(len(made["states"][0]["cube"]["faces"]["U"]), 2)
        each = [state["cube"]["facelets"] for state in self.cubed.each_state(count=5000, seed="x")]
        self.assertEqual(len(set(each)), 5000)
        self.assertEqual([state["cube"]["facelets"] for state in self.cubed.states(count=2, seed="x")["states"]], each[:2])
        cubes = [{"facelets": facelets} for facelets in each[:2]]
        self.assertEqual(self.cubed.state_features(count=2, seed="x"), self.cubed.features(cubes))

    def test_rows(self) -> None:
        each = list(self.cubed.each_row(count=5000, seed="x", walk="1..26", label="walk"))
        self.assertEqual((len(each), len(each[0]["colors"])), (5000, 54))
        made = self.cubed.rows(count=2, seed="x", walk="1..26", label="walk", first=4998)
        self.assertEqual(list(made), [number for row in each[4998:] for number in [*row["colors"], row["walk"]]])

    def test_solving(self) -> None:
        self.assertEqual(len(self.cubed.scramble(size=2, count=3, seed="x")["scrambles"]), 3)
        self.assertIn("zbll", [one["name"] for one in self.cubed.case_sets()])
        self.assertEqual(len(self.cubed.case_set("coll")["cases"]), 42)
        self.assertEqual(self.cubed.set_case("pll", "pll-ua")["mirror"], "pll-ub")
        crosses = self.cubed.scramble(goal="cross", distance=3)
        self.assertEqual((crosses["place"], crosses["distance"]), ("D", 3))
        self.assertEqual(1, len(self.cubed.scramble(event="222", count=2, extras=1)["extras"]))
        self.assertIn(b"<svg", self.cubed.scramble_sheet(event="222", extras=1, title="Round 1"))
        moves = "R U2 F' D L2 B' U R2 F D2 L' B2"
        quick = self.cubed.solve({"moves": moves})
        self.assertTrue(self.cubed.apply(moves=f"{moves} {quick['solution']}")["cube"]["solved"])
        looks: list[str] = []
        slow = self.cubed.solve({"moves": moves}, improve=True, timeout_ms=700, wait_ms=0,
                                on_progress=lambda job: looks.append(job["status"]))
        self.assertLessEqual(slow["length"] or 99, quick["length"] or 0)
        self.assertTrue(1 <= len(looks) < 20, looks)

    def test_server(self) -> None:
        self.assertEqual(self.cubed.limits()["size"]["value"], 100)
        self.assertIn("optimal", [solver["name"] for solver in self.cubed.solvers()])
        self.assertTrue(self.cubed.formats())
        self.assertTrue(self.cubed.ready())
        self.assertEqual(self.cubed.facts({"moves": "R2"})["order"], 2)
        self.assertEqual(self.cubed.patterns.get("cross")["name"], "cross")
        self.assertGreater(len(self.cubed.patterns.list(size=3)), 5)


class Sessions(ClientTest):
    def test_session(self) -> None:
        session = self.cubed.create_session(size=3, name="A")
        self.assertIsNotNone(session.token)
        written = session.turn("R U")
        self.assertEqual((written["revision"], written["entry"]["kind"]), (1, "moves"))
        session.turn([{"face": "F", "turns": 2}])
        session.undo(2)
        session.redo()
        session.reset()
        session.scramble(seed="x")
        self.assertEqual(session.cube(at=1)["cube"]["facelets"], written["cube"]["facelets"])
        self.assertEqual(session.read()["revision"], 6)
        self.assertEqual(session.configure(name="B", if_match=session.etag)["name"], "B")
        self.fails("precondition-failed", lambda: session.configure(name="C", if_match='"old"'))
        stale = self.fails("stale-revision", lambda: session.turn("R", revision=5))
        self.assertEqual([entry["kind"] for entry in stale.details["missed"]], ["scramble"])
        self.assertEqual([entry["revision"] for entry in session.history(limit=2)], [1, 2, 3, 4, 5, 6])
        self.assertEqual(session.history(after=2, limit=1).first()[0]["revision"], 3)
        self.assertEqual(session.find({"name": "cross"})[0]["revision"], 0)
        self.assertEqual(len(session.stages({"name": "cross"})), 1)
        session.remove()
        self.fails("gone", session.read)

    def test_lists(self) -> None:
        made = [self.cubed.create_session(cube={"moves": "R F2 U' L D2 B"}, listed=True).id for _ in range(3)]
        self.assertEqual(sorted(one["id"] for one in self.cubed.search(cube={"moves": "R F2 U' L D2 B"}, limit=2)), sorted(made))
        self.assertLessEqual(set(made), {one["id"] for one in self.cubed.sessions(limit=2)})

    def test_tokens(self) -> None:
        owner = self.cubed.create_session(size=3, access="none")
        self.fails("not-found", self.cubed.session(owner.id).read)
        made = owner.create_token("editor", "Anna")
        anna = self.cubed.session(owner.id, made["token"])
        actor = anna.turn("R")["entry"]["actor"]
        self.assertEqual(actor and actor["label"], "Anna")
        self.assertEqual(sorted(token["role"] for token in owner.tokens()), ["editor", "owner"])
        guest = anna.create_token("viewer")
        self.assertEqual(guest["parent"], made["id"])
        self.assertEqual(self.cubed.session(owner.id, guest["token"]).name_token("Zoë")["label"], "Zoë")
        self.assertEqual(owner.name_token("Ann", made["id"])["label"], "Ann")
        owner.revoke_token(made["id"])
        self.fails("token-invalid", lambda: anna.turn("R"))
        self.fails("token-invalid", self.cubed.session(owner.id, guest["token"]).read)
        self.cubed.patterns.put("mine", {"pieces": {"UF": "home"}}, token=owner.token)
        self.cubed.patterns.remove("mine", token=owner.token)

    def test_solves(self) -> None:
        first = self.cubed.solves.add(time_ms=12340)
        timer = Cubed(self.server.url, token=first["token"])
        self.addCleanup(timer.close)
        for time_ms in (11870, 14020, 10950, 11420):
            timer.solves.add(time_ms=time_ms, scramble="R U")
        self.assertEqual(timer.solves.stats()["items"][0]["ao5"]["current"]["result"], "11.88")
        self.assertEqual([solve["result"] for solve in timer.solves.list(limit=2)], ["11.42", "10.95", "14.02", "11.87", "12.34"])
        self.assertEqual(timer.solves.change(first["id"], penalty="dnf")["result"], "DNF")
        self.assertEqual(timer.solves.get(first["id"])["penalty"], "dnf")
        self.assertEqual(self.cubed.solves.import_(timer.solves.export("cstimer"))["imported"], 5)
        timer.solves.remove(first["id"])


class Watching(ClientTest):
    def test_events(self) -> None:
        session = self.cubed.create_session(size=3)
        session.turn("R")
        events = session.watch()
        state = next(events)
        self.assertEqual((state.event, state.data["revision"]), ("state", 1))
        with Cubed(self.server.url) as other:
            other.session(session.id, session.token).turn("U")
        entry = next(event for event in events if event.event == "entry")
        self.assertEqual((entry.data["moves"], entry.session), ("U", session.id))
        self.assertEqual(session.cue(reaction="clap"), 1)
        self.assertEqual(next(event for event in events if event.event == "cue").data["cue"], {"reaction": "clap"})
        again = next(event for event in session.watch(after=state.id) if event.event == "entry")
        self.assertEqual(again.id, entry.id)
        self.fails("not-found", lambda: next(self.cubed.session("0" * 16).watch()))

    def test_several_sessions(self) -> None:
        sessions = [self.cubed.create_session(size=2, access="none") for _ in range(3)]
        seen: dict[str, list[int]] = {session.id: [] for session in sessions}
        states = 0
        with Cubed(self.server.url) as writer:
            for event in self.cubed.watch(*sessions):
                states += event.event == "state"
                if event.event == "entry":
                    seen[event.session].append(event.data["revision"])
                    if len(seen[event.session]) == 3 and event.session == sessions[0].id:
                        self.server.kill()
                        self.server.start()
                if states == 3 and event.event in ("state", "entry"):
                    for session in sessions if event.event == "state" else []:
                        writer.session(session.id, session.token).turn("R")
                    if event.event == "entry" and len(seen[event.session]) < 6:
                        writer.session(event.session, self.token_of(sessions, event.session)).turn("U")
                    elif event.event == "entry":
                        writer.session(event.session, self.token_of(sessions, event.session)).remove()
        self.assertEqual(list(seen.values()), [[1, 2, 3, 4, 5, 6]] * 3)
        self.assertEqual(states, 3)

    def token_of(self, sessions: list[Session], id: str) -> str | None:
        return next(session.token for session in sessions if session.id == id)

    def test_killed_server(self) -> None:
        session = self.cubed.create_session(size=3)

        def turn() -> None:
            with Cubed(self.server.url) as writer:
                for _ in range(40):
                    writer.session(session.id, session.token).turn("U")

        thread = threading.Thread(target=turn)
        seen: list[int] = []
        for event in session.watch():
            if event.event == "state":
                self.assertEqual(event.data["revision"], 0)
                thread.start()
            elif event.event == "entry":
                seen.append(event.data["revision"])
            if len(seen) == 10 and event.event == "entry":
                self.server.kill()
                self.server.start()
            if len(seen) >= 40:
                break
        thread.join()
        self.assertEqual(seen, list(range(1, 41)))


class BadNetwork(ClientTest):
    def setUp(self) -> None:
        self.proxy = Proxy(self.server)
        self.client = Cubed(self.proxy.url)

    def tearDown(self) -> None:
        self.client.close()
        self.proxy.stop()

    def test_changes_are_made_once(self) -> None:
        session = self.client.create_session(size=3)
        self.proxy.log.clear()
        self.proxy.faults = ["cut", "lose", "lose"]
        self.assertEqual(session.turn("R")["revision"], 1)
        self.assertEqual(len({request["key"] for request in self.proxy.log}), 1)
        self.assertEqual(len(self.proxy.log), 4)
        self.assertEqual(session.read()["revision"], 1)
        self.proxy.faults = ["lose"]
        made = self.client.create_session(size=2, access="none")
        self.assertEqual(made.read()["size"], 2)

    def test_waiting(self) -> None:
        begin = time.monotonic()
        self.proxy.faults = [429]
        self.assertTrue(self.client.limits())
        self.assertGreaterEqual(time.monotonic() - begin, 1)
        self.proxy.log.clear()
        self.proxy.faults = [404]
        with self.assertRaises(Problem):
            self.client.limits()
        self.assertEqual(len(self.proxy.log), 1)

    def test_pauses(self) -> None:
        for attempt in (0, 5, 1026, 10**6):
            self.assertLessEqual(backoff(attempt), min(8.0, 0.25 * 2**min(attempt, 5)))

    def test_closed_connection(self) -> None:
        session = self.client.create_session(size=3)
        self.proxy.log.clear()
        self.proxy.faults = ["cut"]
        with unittest.mock.patch("cubed_client.blocking.time.sleep") as sleep:
            self.assertEqual(session.turn("R")["revision"], 1)
        sleep.assert_not_called()
        self.assertEqual(len({request["key"] for request in self.proxy.log}), 1)
        self.assertEqual(len(self.proxy.log), 2)

    def test_all_ended(self) -> None:
        session = self.client.create_session(size=3)
        self.proxy.log.clear()
        self.proxy.faults = [None, 204]
        with unittest.mock.patch("cubed_client.blocking.time.sleep", side_effect=AssertionError("it is opened again")):
            self.assertEqual(list(self.client.watch(session)), [])
        self.assertEqual([request["path"].split("?")[0] for request in self.proxy.log], ["/v1/tickets", "/v1/events"])

    def test_bounded(self) -> None:
        self.proxy.faults = ["cut"] * 9
        with self.assertRaises(NoAnswer):
            Cubed(self.proxy.url, attempts=3).limits()
        self.assertEqual(len(self.proxy.log), 3)


if __name__ == "__main__":
    unittest.main()
