"""The library, loaded by ctypes. Other modules of the package call it; programs do not."""

from __future__ import annotations

import ctypes
from pathlib import Path

VERSION = '0.0.0'
SIZE_MIN, SIZE_MAX = 2, 100

Address = ctypes.c_void_p
Size = ctypes.c_size_t
Text = ctypes.c_char_p
Int = ctypes.c_int


class CubeError(ValueError):
    """Text that is not what it should be. The message says what would be right."""


class Reported(CubeError):
    """A fault at a character of the text, counted from 1."""

    def __init__(self, message: str, text: str, column: int):
        super().__init__(f'{message} (character {column} of {text!r})')
        self.column = column


library = ctypes.CDLL(str(Path(__file__).with_name('libcube_native.so')))


def _declare(name: str, result: object, *arguments: object) -> None:
    function = getattr(library, name)
    function.restype, function.argtypes = result, arguments


_U64 = ctypes.c_uint64
_declare('native_turn', Text, Address, Text, Size, Address)
_declare('native_rewrite', Text, Int, Text, Size, Int, Address, Size, Address, Address, Address)
_declare('native_read', Text, Address, Int, Text, Size, Address)
_declare('native_prepare', Text, Text, Int)
_declare('native_solve', Text, Text, Address, Address, Int, Int, _U64, Address, Size, Address)
_declare('native_bounds', None, Int, Address, Size, Address)
_declare('native_scramble', Text, Int, Text, Size, Address, Size)
_declare('cube_init', None, Address, Int)
_declare('cube_invert', None, Address, Address)
_declare('cube_is_solved', ctypes.c_bool, Address)
_declare('cube_facelets_print', None, Address, Address)
_declare('cube_symbols_count', Size, Text, Size)
_declare('cube_size_of_facelets', Int, Size)
_declare('cube_batch_step', None, Address, Size, Address, Address, Address)
_declare('cube_batch_solved', None, Address, Size, Address)
_declare('cube_batch_children', None, Int, Address, Size)
_declare('cube_batch_random', None, _U64, _U64, Size, Address)
_declare('cube_batch_random_2', None, _U64, _U64, Size, Address)
_declare('cube_batch_walk', None, _U64, _U64, Size, Int, Int, Address, Address, Address)
_declare('cube_batch_walk_2', None, _U64, _U64, Size, Int, Int, Address, Address, Address)
_declare('cube_batch_symmetries', None, _U64, _U64, Size, Address)
_declare('cube_batch_symmetric', None, Int, Address, Size, Address, Size, Address)
_declare('cube_batch_colors', None, Address, Size, Address)
_declare('cube_batch_one_hot', None, Address, Size, Address)
_declare('cube_batch_colors_2', None, Address, Size, Address)
_declare('cube_batch_one_hot_2', None, Address, Size, Address)
_declare('cube_batch_features', None, Address, Size, Address)
_declare('cube_batch_features_float', None, Address, Size, Address)


def message_of(wrong: bytes) -> str:
    return wrong.decode('utf-8', 'replace')


def check_size(size: int) -> int:
    if isinstance(size, bool) or not isinstance(size, int) or not SIZE_MIN <= size <= SIZE_MAX:
        raise CubeError(f'a cube has {SIZE_MIN} to {SIZE_MAX} layers, such as 3, not {size!r}')
    return size
