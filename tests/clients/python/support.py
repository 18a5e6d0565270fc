"""A server under test, and a bad network in front of it."""

import http.client
import os
import socket
import subprocess
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port


class Server:
    """A server with a database of its own, which can be killed and started again at the same address."""

    def __init__(self, *switches: str) -> None:
        self.switches = switches
        self.folder = tempfile.TemporaryDirectory()
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            [os.environ["CUBED_TEST_BINARY"], "--listen", f"127.0.0.1:{self.port}", "--rate-limit", "off",
             "--store", f"sqlite:{self.folder.name}/cubed.db", *self.switches],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(2400):  # two minutes
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("the server did not start")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        self.kill()
        self.folder.cleanup()


class Proxy:
    """Passes requests on, or not: `faults` has what happens to the next ones ("cut", "lose" or a status)."""

    def __init__(self, target: Server) -> None:
        self.faults: list[str | int | None] = []
        self.log: list[dict[str, str]] = []
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                proxy.log.append({"path": self.path, "key": self.headers.get("Idempotency-Key", "")})
                fault = proxy.faults.pop(0) if proxy.faults else None
                if fault == "cut":
                    self.close_connection = True
                    return
                if isinstance(fault, int):
                    self.send_response(fault)
                    self.send_header("Content-Length", "0")
                    self.send_header("Retry-After", "1")
                    self.end_headers()
                    return
                connection = http.client.HTTPConnection("127.0.0.1", target.port)
                connection.request(self.command, self.path, body, dict(self.headers))
                response = connection.getresponse()
                answer = response.read()
                connection.close()
                if fault == "lose":
                    self.close_connection = True
                    return
                self.send_response(response.status)
                self.send_header("Content-Type", response.headers.get("Content-Type", ""))
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = do

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self.server.shutdown()
        self.server.server_close()
