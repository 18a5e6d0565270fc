"""Lists that come in pages."""

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Pages(Generic[T]):
    """A list of the server. A loop reads it item by item, and asks for the next page when it is needed."""

    def __init__(self, read: Callable[[dict[str, object]], Any]) -> None:
        self._read = read

    def first(self) -> list[T]:
        """The items of the first page."""
        items: list[T] = self._read({})["items"]
        return items

    def pages(self) -> Iterator[list[T]]:
        position: dict[str, object] | None = {}
        while position is not None:
            page = self._read(position)
            yield page["items"]
            position = None
            if page.get("next_after") is not None:
                position = {"after": page["next_after"]}
            elif page.get("next_cursor") is not None:
                position = {"cursor": page["next_cursor"]}

    def __iter__(self) -> Iterator[T]:
        for items in self.pages():
            yield from items
