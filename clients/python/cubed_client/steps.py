"""The form of a call, which the blocking client and that of asyncio share.

A call is a generator. It yields steps, which say what is to be done on the network, gets their results, and returns its
answer. A stream is one that also yields items. How bytes come and go is known to blocking.py and asynchronous.py alone,
which carry out the steps.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import partial
from ssl import SSLContext
from typing import Any, Generic, Protocol, TypeVar, Union

T = TypeVar("T")


class Channel(Protocol):
    """An open connection, as the network knows it."""

    def close(self) -> None: ...


class Network(Protocol):
    """Carries steps out; in asyncio, each of these returns something to await."""

    def connect(self, host: str, port: int, context: SSLContext | None, timeout: float) -> Any: ...

    def write(self, channel: Any, data: bytes, timeout: float) -> Any: ...

    def read(self, channel: Any, timeout: float) -> Any: ...

    def pause(self, seconds: float) -> Any: ...

    def tell(self, listener: Callable[[Any], Any], value: object) -> Any: ...


class Step(Protocol):
    """Something to be done; `on` does it."""

    def on(self, network: Network) -> Any: ...


@dataclass(frozen=True)
class Connect:
    """Its result is a Channel. `context`: for TLS."""

    host: str
    port: int
    context: SSLContext | None
    timeout: float

    def on(self, network: Network) -> Any:
        return network.connect(self.host, self.port, self.context, self.timeout)


@dataclass(frozen=True)
class Write:
    """Sends bytes. `timeout`: without progress."""

    channel: Channel
    data: bytes
    timeout: float

    def on(self, network: Network) -> Any:
        return network.write(self.channel, self.data, self.timeout)


@dataclass(frozen=True)
class Read:
    """Its result is what comes next; b"" at the end of the connection."""

    channel: Channel
    timeout: float

    def on(self, network: Network) -> Any:
        return network.read(self.channel, self.timeout)


@dataclass(frozen=True)
class Pause:
    seconds: float

    def on(self, network: Network) -> Any:
        return network.pause(self.seconds)


@dataclass(frozen=True)
class Tell:
    """Calls a function of the user, which in asyncio may be a coroutine. Its error is logged, and stops nothing."""

    listener: Callable[[Any], Any]
    value: object

    def on(self, network: Network) -> Any:
        return network.tell(self.listener, self.value)


@dataclass(frozen=True)
class Item(Generic[T]):
    """A value of a stream, for its reader."""

    value: T


Steps = Generator[Step, Any, T]
Stream = Generator[Union[Step, Item[T]], Any, None]


class Progress(Generic[T]):
    """Takes a stream on. The caller that carries out a step says what came of it before asking for the next one."""

    def __init__(self, stream: Stream[T]) -> None:
        self._stream = stream
        self._resume: Callable[[], Any] = partial(next, stream)

    def next(self) -> Step | Item[T] | None:
        """The next step or item; None at the end."""
        try:
            step: Step | Item[T] = self._resume()
        except StopIteration:
            return None
        self.answer(None)
        return step

    def answer(self, result: object) -> None:
        self._resume = partial(self._stream.send, result)

    def fail(self, error: BaseException) -> None:
        self._resume = partial(self._stream.throw, error)
