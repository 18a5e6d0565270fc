"""Carries calls out in the thread that makes them."""

import socket
import time
from collections.abc import Callable, Generator, Iterator
from ssl import SSLContext
from typing import Any, Generic, TypeVar

from .faults import log_fault
from .pages import Listing, pages_of
from .steps import Item, Progress, Steps, Stream

T = TypeVar("T")
PIECE = 65536


class BlockingNetwork:
    def connect(self, host: str, port: int, context: SSLContext | None, timeout: float) -> socket.socket:
        channel = socket.create_connection((host, port), timeout)
        try:
            channel.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return context.wrap_socket(channel, server_hostname=host) if context else channel
        except BaseException:
            channel.close()
            raise

    def write(self, channel: socket.socket, data: bytes, timeout: float) -> None:
        channel.settimeout(timeout)
        rest = memoryview(data)
        while rest:
            rest = rest[channel.send(rest[:PIECE]):]

    def read(self, channel: socket.socket, timeout: float) -> bytes:
        channel.settimeout(timeout)
        return channel.recv(PIECE)

    def pause(self, seconds: float) -> None:
        time.sleep(seconds)

    def tell(self, listener: Callable[[Any], Any], value: object) -> None:
        try:
            listener(value)
        except Exception:
            log_fault(listener)


NETWORK = BlockingNetwork()


def iterate(stream: Stream[T]) -> Generator[T, None, None]:
    """The items of a stream, as long as they are asked for."""
    progress = Progress(stream)
    try:
        while step := progress.next():
            if isinstance(step, Item):
                yield step.value
                continue
            try:
                progress.answer(step.on(NETWORK))
            except BaseException as error:
                progress.fail(error)
    finally:
        stream.close()


def run(steps: Steps[T]) -> T:
    """Carries a call out and returns its answer."""

    def whole() -> Stream[T]:
        yield Item((yield from steps))

    return next(iterate(whole()))


class Pages(Generic[T]):
    """A list of the server. A loop reads it item by item, and asks for the next page when it is needed."""

    def __init__(self, listing: Listing[T]) -> None:
        self._listing = listing

    def first(self) -> list[T]:
        """The items of the first page."""
        items: list[T] = run(self._listing.read({}))["items"]
        return items

    def pages(self) -> Generator[list[T], None, None]:
        return iterate(pages_of(self._listing))

    def __iter__(self) -> Iterator[T]:
        for items in self.pages():
            yield from items


class Blocking:
    """Makes the calls of a class block."""

    def _run(self, steps: Steps[T]) -> T:
        return run(steps)

    def _iterate(self, stream: Stream[T]) -> Generator[T, None, None]:
        return iterate(stream)

    def _pages(self, listing: Listing[T]) -> Pages[T]:
        return Pages(listing)
