"""Carries calls out in tasks of asyncio."""

import asyncio
import inspect
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from ssl import SSLContext
from typing import Any, Generic, TypeVar

from .faults import log_fault
from .pages import Listing, pages_of
from .steps import Item, Progress, Steps, Stream

T = TypeVar("T")
PIECE = 65536


class AsyncChannel:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self._loop = asyncio.get_running_loop()

    def check_loop(self) -> None:
        if self._loop is not asyncio.get_running_loop():
            raise ConnectionResetError("the connection belongs to another event loop")

    def close(self) -> None:
        try:
            self.writer.close()
        except RuntimeError:  # its event loop has ended
            pass


async def within(timeout: float, awaitable: Awaitable[T]) -> T:
    try:
        return await asyncio.wait_for(awaitable, timeout)
    except asyncio.TimeoutError as error:  # in Python 3.10 it is no OSError
        raise TimeoutError("timed out") from error


class AsyncNetwork:
    async def connect(self, host: str, port: int, context: SSLContext | None, timeout: float) -> AsyncChannel:
        opened = asyncio.open_connection(host, port, ssl=context, server_hostname=host if context else None)
        return AsyncChannel(*await within(timeout, opened))

    async def write(self, channel: AsyncChannel, data: bytes, timeout: float) -> None:
        channel.check_loop()
        for begin in range(0, len(data), PIECE):
            channel.writer.write(data[begin:begin + PIECE])
            await within(timeout, channel.writer.drain())

    async def read(self, channel: AsyncChannel, timeout: float) -> bytes:
        return await within(timeout, channel.reader.read(PIECE))

    async def pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def tell(self, listener: Callable[[Any], Any], value: object) -> None:
        try:
            answer = listener(value)
            if inspect.isawaitable(answer):
                await answer
        except Exception:
            log_fault(listener)


NETWORK = AsyncNetwork()


async def iterate(stream: Stream[T]) -> AsyncGenerator[T, None]:
    """The items of a stream, as long as they are asked for."""
    progress = Progress(stream)
    try:
        while step := progress.next():
            if isinstance(step, Item):
                yield step.value
                continue
            try:
                progress.answer(await step.on(NETWORK))
            except BaseException as error:
                progress.fail(error)
    finally:
        stream.close()


async def run(steps: Steps[T]) -> T:
    """Carries a call out and returns its answer."""

    def whole() -> Stream[T]:
        yield Item((yield from steps))

    async with aclosing(iterate(whole())) as answers:
        return await anext(answers)


class AsyncPages(Generic[T]):
    """A list of the server. `async for` reads it item by item, and asks for the next page when it is needed."""

    def __init__(self, listing: Listing[T]) -> None:
        self._listing = listing

    async def first(self) -> list[T]:
        """The items of the first page."""
        items: list[T] = (await run(self._listing.read({})))["items"]
        return items

    def pages(self) -> AsyncGenerator[list[T], None]:
        return iterate(pages_of(self._listing))

    async def __aiter__(self) -> AsyncIterator[T]:
        async for items in self.pages():
            for item in items:
                yield item


class Asynchronous:
    """Makes the calls of a class something to await."""

    def _run(self, steps: Steps[T]) -> Awaitable[T]:
        return run(steps)

    def _iterate(self, stream: Stream[T]) -> AsyncGenerator[T, None]:
        return iterate(stream)

    def _pages(self, listing: Listing[T]) -> AsyncPages[T]:
        return AsyncPages(listing)
