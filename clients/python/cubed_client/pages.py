"""Lists that come in pages."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from .steps import Item, Steps, Stream

# The query parameters of a page.
Position = dict[str, object]
T = TypeVar("T")


class Listing(Generic[T]):
    """A list, by the function that reads the page at a position."""

    def __init__(self, read: Callable[[Position], Steps[Any]]) -> None:
        self.read = read


def pages_of(listing: Listing[T]) -> Stream[list[T]]:
    """The items of each page, one page after another."""
    position: Position | None = {}
    while position is not None:
        page = yield from listing.read(position)
        yield Item(page["items"])
        position = None
        if page.get("next_after") is not None:
            position = {"after": page["next_after"]}
        elif page.get("next_cursor") is not None:
            position = {"cursor": page["next_cursor"]}
