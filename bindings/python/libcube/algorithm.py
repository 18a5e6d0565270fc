"""Moves as text: canonical, inverted, simplified, counted."""

from __future__ import annotations

import ctypes

from .native import Reported, check_size, library, message_of

_SAME, _INVERSE, _FLAT = range(3)


class Algorithm:
    """Moves for cubes of one size. Text is read as SiGN: R U' F2, Rw, 2-3Rw, M, x, (R U)3, [R, U], [R: U].

    >>> moves = Algorithm("[R, U] F2")
    >>> str(moves), moves.htm
    ('[R, U] F2', 5)
    >>> str(moves.inverse())
    "F2' [U, R]"
    """

    __slots__ = ('etm', 'htm', 'qstm', 'qtm', 'size', 'stm', 'text')

    def __init__(self, moves: str, size: int = 3) -> None:
        self.size = check_size(size)
        self.text, counts = _rewrite(moves, size, _SAME)
        self.htm, self.qtm, self.stm, self.qstm, self.etm = counts

    def inverse(self) -> Algorithm:
        """What undoes it, with the same brackets."""
        return Algorithm(_rewrite(self.text, self.size, _INVERSE)[0], self.size)

    def simplified(self) -> Algorithm:
        """The same turns one by one, without brackets; turns that cancel or merge do."""
        return Algorithm(_rewrite(self.text, self.size, _FLAT)[0], self.size)

    def __add__(self, other: Algorithm) -> Algorithm:
        if self.size != other.size:
            raise ValueError(f'both must be for cubes of one size, not {self.size} and {other.size}')
        return Algorithm(f'{self.text} {other.text}', self.size)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Algorithm) and (self.size, self.text) == (other.size, other.text)

    def __hash__(self) -> int:
        return hash((self.size, self.text))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f'Algorithm({self.text!r}, {self.size})'


def _rewrite(moves: str, size: int, how: int) -> tuple[str, tuple[int, ...]]:
    text = moves.encode()
    room = 2 * len(text) + 64
    counts, written, column = (ctypes.c_uint64 * 5)(), ctypes.c_size_t(), ctypes.c_size_t()
    while True:
        out = ctypes.create_string_buffer(room)
        wrong = library.native_rewrite(
            size, text, len(text), how, out, room, ctypes.byref(written), counts, ctypes.byref(column)
        )
        if wrong:
            raise Reported(message_of(wrong), moves, column.value)
        if written.value < room:
            return out.value.decode(), tuple(counts)
        room = written.value + 1
