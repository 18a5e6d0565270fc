"""Solutions and scrambles. Tables are made when a method is first used: for the 3x3x3 in 0.2 s."""

from __future__ import annotations

import ctypes
import os
import threading

from .cube import Cube
from .native import CubeError, check_size, library, message_of

_ROOM = 1 << 20
_lock = threading.Lock()
_prepared: set[tuple[str, int]] = set()


def prepare(method: str, size: int) -> bytes:
    """Makes the tables of a method, unless they are there. Returns its name."""
    name = method.encode()
    with _lock:
        if (method, size) not in _prepared:
            wrong = library.native_prepare(name, size)
            if wrong:
                raise CubeError(f'{message_of(wrong)}: {method!r}, size {size}')
            _prepared.add((method, size))
    return name


def _cube(value: Cube | str) -> Cube:
    return value if isinstance(value, Cube) else Cube.from_facelets(value)


def solve(
    cube: Cube | str, *, goal: Cube | str | None = None, enough: int | None = None, longest: int = 0, method: str = '', nodes: int = 0
) -> str:
    """Finds moves that solve a cube, or that bring it to `goal` (sizes 2 and 3).

    The first solution of at most `enough` moves is good (21 for the 3x3x3, which takes 0.5 ms; 20 takes longer, and always exists).
    None longer than `longest` is, if that is given. `nodes` ends the search after about so many positions, with the best so far.
    Methods are those of the server: two_phase, optimal, beginner, reduction. A solution that does not exist is a CubeError.

    >>> solve(Cube(3, "F2 R"))
    "R' F2"
    """
    start = _cube(cube)
    end = None if goal is None else _cube(goal)
    size = start.size
    if end is not None and (end.size != size or size > 3):
        raise CubeError(f'a goal is a cube of the same size, 2 or 3; here {size} and {end.size}')
    if enough is None:
        enough = 21 if size == 3 and method in ('', 'two_phase') else 0
    name = prepare(method, size)
    out = ctypes.create_string_buffer(4096 if size == 3 else _ROOM)
    length = ctypes.c_int()
    wrong = library.native_solve(
        name, start._memory, None if end is None else end._memory, longest, enough, nodes, out, len(out), ctypes.byref(length)
    )
    if wrong:
        raise MemoryError(message_of(wrong))
    if length.value < 0:
        raise CubeError('no solution is that short, or none was found in so many positions; allow longer ones, or more')
    return out.value.decode()


def scramble(size: int = 3, seed: bytes | str | int | None = None) -> str:
    """A scramble by the rules of the World Cube Association; with a seed, the same one each time.

    It is drawn with 64 bits: for practice and tests, not for competitions.
    """
    check_size(size)
    if size <= 4:
        prepare({2: 'optimal', 3: 'two_phase', 4: 'reduction'}[size], size)
        if size == 4:
            prepare('two_phase', 3)
    text = os.urandom(32) if seed is None else seed if isinstance(seed, bytes) else str(seed).encode()
    out = ctypes.create_string_buffer(64 + 20 * size * 16)
    wrong = library.native_scramble(size, text, len(text), out, len(out))
    if wrong:
        raise MemoryError(message_of(wrong))
    return out.value.decode()
