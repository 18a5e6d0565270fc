"""One cube of any size."""

from __future__ import annotations

import ctypes

from .algorithm import Algorithm
from .native import CubeError, Reported, check_size, library, message_of


class Cube:
    """A cube of 2 to 100 layers, with moves done to it.

    >>> cube = Cube(4)
    >>> cube.turn("Rw U2 x").solved
    False
    >>> cube.turn("x' U2 Rw'").solved
    True
    """

    __slots__ = ('_memory', '_size')
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, size: int = 3, moves: str | Algorithm = '') -> None:
        self._size = check_size(size)
        self._memory = ctypes.create_string_buffer(8 + 12 * size * size)
        library.cube_init(self._memory, size)
        if moves:
            self.turn(moves)

    @classmethod
    def from_facelets(cls, facelets: str) -> Cube:
        """Reads a cube from its stickers: faces U R F D L B, each row by row, as letters of faces or colours."""
        text = facelets.encode()
        size = library.cube_size_of_facelets(library.cube_symbols_count(text, len(text)))
        if size == 0:
            raise CubeError('no cube has this number of letters; a 3x3x3 has 54')
        cube = cls(size)
        message = ctypes.create_string_buffer(300)
        wrong = library.native_read(cube._memory, size, text, len(text), message)
        if wrong:
            raise CubeError(message_of(wrong))
        return cube

    @property
    def size(self) -> int:
        return self._size

    @property
    def facelets(self) -> str:
        """The stickers: faces U R F D L B, each row by row, as letters of the faces."""
        letters = ctypes.create_string_buffer(6 * self._size * self._size + 1)
        library.cube_facelets_print(self._memory, letters)
        return letters.value.decode()

    @property
    def solved(self) -> bool:
        """Whether each face has one colour."""
        return bool(library.cube_is_solved(self._memory))

    def turn(self, moves: str | Algorithm) -> Cube:
        """Does the moves, and returns the cube."""
        text = str(moves)
        encoded, column = text.encode(), ctypes.c_size_t()
        wrong = library.native_turn(self._memory, encoded, len(encoded), ctypes.byref(column))
        if wrong:
            raise Reported(message_of(wrong), text, column.value)
        return self

    def copy(self) -> Cube:
        other = Cube(self._size)
        ctypes.memmove(other._memory, self._memory, len(self._memory))
        return other

    def inverse(self) -> Cube:
        """The cube that the inverse of all its moves makes."""
        other = Cube(self._size)
        library.cube_invert(other._memory, self._memory)
        return other

    def __eq__(self, other: object) -> bool:
        """Equal cubes look the same: what cannot be seen, such as how a centre is turned, does not count."""
        return isinstance(other, Cube) and self._size == other._size and self.facelets == other.facelets

    def __str__(self) -> str:
        return self.facelets

    def __repr__(self) -> str:
        return f'Cube.from_facelets({self.facelets!r})'
