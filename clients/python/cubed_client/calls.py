"""Decorators for calls: written once, they block in one client and are awaited in the other. Options that a call does not
have are refused, with the nearest one that it has."""

import difflib
import functools
import inspect
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, get_args, overload

from .asynchronous import Asynchronous, AsyncPages
from .blocking import Blocking, Pages
from .pages import Listing
from .steps import Steps, Stream

P = ParamSpec("P")
T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


def _options(function: Callable[..., Any]) -> list[str]:
    """The names of what a function can be given, also by a TypedDict of its keywords."""
    names: list[str] = []
    for parameter in list(inspect.signature(function).parameters.values())[1:]:
        if parameter.kind is parameter.VAR_KEYWORD:
            keywords = (*get_args(parameter.annotation), parameter.annotation)[0]  # of Unpack, if there is that
            names += getattr(keywords, "__annotations__", {})
        elif parameter.kind is not parameter.VAR_POSITIONAL:
            names.append(parameter.name)
    return names


def checked(function: F) -> F:
    """Makes a method refuse options that it does not have."""
    names = _options(function)

    @functools.wraps(function)
    def call(self: Any, *arguments: Any, **options: Any) -> Any:
        for name in options:
            if name not in names:
                raise TypeError(f"{function.__qualname__}() has no option {name!r}; {_instead(name, names)}")
        return function(self, *arguments, **options)

    return call  # type: ignore[return-value]


def _instead(name: str, names: list[str]) -> str:
    nearest = difflib.get_close_matches(name, names, 1, 0.5)
    if nearest:
        return f"did you mean {nearest[0]!r}?"
    return f"it has {', '.join(names)}" if names else "it has none"


class _Call:
    """A call of a class; the kinds of calls differ in what carries them out."""

    _carrier: str

    def __init__(self, function: Callable[..., Any]) -> None:
        wrapper: Any = self
        functools.update_wrapper(wrapper, function)
        self._function = checked(function)

    def _bound(self, instance: Any) -> Any:
        carry = getattr(instance, self._carrier)

        @functools.wraps(self._function)
        def bound(*arguments: Any, **options: Any) -> Any:
            return carry(self._function(instance, *arguments, **options))

        return bound


class call(_Call, Generic[P, T]):
    """One that has an answer."""

    _carrier = "_run"

    def __init__(self, function: Callable[Concatenate[Any, P], Steps[T]]) -> None:
        super().__init__(function)

    @overload
    def __get__(self, instance: Blocking, owner: Any) -> Callable[P, T]: ...

    @overload
    def __get__(self, instance: Asynchronous, owner: Any) -> Callable[P, Coroutine[Any, Any, T]]: ...

    @overload
    def __get__(self, instance: None, owner: Any) -> "call[P, T]": ...

    def __get__(self, instance: Any, owner: Any) -> Any:
        return self if instance is None else self._bound(instance)


class stream(_Call, Generic[P, T]):
    """One that has items, which come one by one."""

    _carrier = "_iterate"

    def __init__(self, function: Callable[Concatenate[Any, P], Stream[T]]) -> None:
        super().__init__(function)

    @overload
    def __get__(self, instance: Blocking, owner: Any) -> Callable[P, Generator[T, None, None]]: ...

    @overload
    def __get__(self, instance: Asynchronous, owner: Any) -> Callable[P, AsyncGenerator[T, None]]: ...

    @overload
    def __get__(self, instance: None, owner: Any) -> "stream[P, T]": ...

    def __get__(self, instance: Any, owner: Any) -> Any:
        return self if instance is None else self._bound(instance)


class pages(_Call, Generic[P, T]):
    """One that has a list, which comes in pages."""

    _carrier = "_pages"

    def __init__(self, function: Callable[Concatenate[Any, P], Listing[T]]) -> None:
        super().__init__(function)

    @overload
    def __get__(self, instance: Blocking, owner: Any) -> Callable[P, Pages[T]]: ...

    @overload
    def __get__(self, instance: Asynchronous, owner: Any) -> Callable[P, AsyncPages[T]]: ...

    @overload
    def __get__(self, instance: None, owner: Any) -> "pages[P, T]": ...

    def __get__(self, instance: Any, owner: Any) -> Any:
        return self if instance is None else self._bound(instance)
