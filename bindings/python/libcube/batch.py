"""Arrays of 3x3x3 states: steps, observations, rows of data sets. Needs NumPy."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .native import library

Bytes = NDArray[np.uint8]
Kind = Literal['colors', 'one_hot', 'features', 'features_float']

ACTIONS = 18
#: The names of the actions: 3 * face, and 0, 1 or 2 for a quarter turn, a half turn, a quarter turn back.
ACTION_NAMES = tuple(face + amount for face in 'URFDLB' for amount in ('', '2', "'"))
_STATE = 32
_WIDTHS: dict[str, int] = {'colors': 54, 'one_hot': 324, 'features': 364, 'features_float': 364}


def _aligned(count: int) -> Bytes:
    """Room for states, which begin at a multiple of their size."""
    memory = np.empty(count * _STATE + _STATE, np.uint8)
    offset = -memory.ctypes.data % _STATE
    return memory[offset : offset + count * _STATE].reshape(count, _STATE)


def _solved_states(count: int) -> Bytes:
    states = _aligned(count)
    states[:] = np.concatenate([np.arange(16), np.arange(16)])
    return states


def _action_table() -> Bytes:
    table = _aligned(ACTIONS)
    ctypes.memmove(table.ctypes.data, ctypes.addressof(ctypes.c_char.in_dll(library, 'cube_actions')), ACTIONS * _STATE)
    return table


_ACTIONS = _action_table()
_ACTIONS_AT: int = _ACTIONS.ctypes.data


def _check_range(name: str, value: int, least: int, most: int) -> int:
    if not least <= value <= most:
        raise ValueError(f'{name} is {least} to {most}, not {value}')
    return int(value)


def _check_rows(count: int, seed: int, first: int) -> None:
    _check_range('a count', count, 0, 2**48)
    _check_range('a seed', seed, 0, 2**64 - 1)
    _check_range('the first row', first, 0, 2**64 - 1)


def observe(states: Bytes, kind: Kind = 'colors', out: NDArray[Any] | None = None) -> NDArray[Any]:
    """What states look like: 54 colours 0 to 5, 324 numbers 0 or 1, or 364 features, as bytes or floats; one row each."""
    if kind not in _WIDTHS:
        raise ValueError(f'an observation is one of {", ".join(_WIDTHS)}, not {kind!r}')
    whole = states.flags.c_contiguous and (states.ctypes.data % _STATE == 0 or len(states) == 0)
    if states.dtype != np.uint8 or states.shape[1:] != (_STATE,) or not whole:
        raise ValueError('states are those of VecCube.states or random_states(), all of them: contiguous rows of 32 bytes')
    shape = (len(states), _WIDTHS[kind])
    dtype = np.dtype(np.float32 if kind == 'features_float' else np.uint8)
    if out is None:
        out = np.empty(shape, dtype)
    elif out.shape != shape or out.dtype != dtype or not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError(f'out is a contiguous array of shape {shape} and type {dtype}')
    getattr(library, f'cube_batch_{kind}')(states.ctypes.data, len(states), out.ctypes.data)
    return out


class VecCube:
    """Many 3x3x3 cubes that take a step at a time, each with an action of its own.

    >>> cubes = VecCube(3, 4096)
    >>> cubes.reset(seed=1, walk=10)
    >>> solved = cubes.step(np.zeros(4096, np.uint8))
    >>> cubes.observe().shape
    (4096, 54)
    """

    def __init__(self, n: int = 3, batch: int = 1) -> None:
        if n != 3:
            raise ValueError(f'VecCube has cubes of size 3, not {n}; Cube has all sizes')
        if batch < 1:
            raise ValueError(f'a batch is at least one cube, not {batch}')
        self.batch = int(batch)
        #: The states, 32 bytes each: twelve edges, four unused, eight corners, eight unused.
        self.states = _solved_states(self.batch)
        self._solved = np.empty(self.batch, np.uint8)
        self._states_at: int = self.states.ctypes.data
        self._solved_at: int = self._solved.ctypes.data
        self._solved_view = self._solved.view(np.bool_)
        self._step = library.cube_batch_step
        self._seed: int | None = None
        self._rows = 0

    def reset(self, seed: int | None = None, walk: int | None = None) -> None:
        """Makes new states: solved ones, `walk` random actions away from solved, or (walk -1) uniformly random.

        The same seed gives the same states. Without one, the rows go on where the last reset ended.
        """
        if seed is not None:
            self._seed, self._rows = _check_range('a seed', seed, 0, 2**64 - 1), 0
        if walk is None or walk == 0:
            self.states[:] = _solved_states(1)
            return
        if self._seed is None:
            self._seed = int.from_bytes(os.urandom(8), 'big')
        if walk == -1:
            library.cube_batch_random(self._seed, self._rows, self.batch, self._states_at)
        else:
            _check_range('a walk', walk, -1, 255)
            library.cube_batch_walk(self._seed, self._rows, self.batch, walk, walk, self._states_at, None, None)
        self._rows += self.batch

    def step(self, actions: Bytes) -> NDArray[np.bool_]:
        """Does an action 0 to 17 to each cube. Returns which are solved; the array is written again by the next step."""
        if actions.dtype != np.uint8 or actions.shape != (self.batch,) or not actions.flags.c_contiguous:
            raise ValueError(f'actions are a contiguous array of {self.batch} numbers 0 to {ACTIONS - 1} of type uint8')
        most = actions.max()
        if most >= ACTIONS:
            raise ValueError(f'an action is 0 to {ACTIONS - 1}, not {most}')
        self._step(self._states_at, self.batch, _ACTIONS_AT, actions.ctypes.data, self._solved_at)
        return self._solved_view

    def solved(self) -> NDArray[np.bool_]:
        """Which cubes are solved, as a new array."""
        found = np.empty(self.batch, np.uint8)
        library.cube_batch_solved(self._states_at, self.batch, found.ctypes.data)
        return found.view(np.bool_)

    def observe(self, kind: Kind = 'colors', out: NDArray[Any] | None = None) -> NDArray[Any]:
        """What the cubes look like, a row each; see libcube.batch.observe()."""
        return observe(self.states, kind, out)


class Rows(NamedTuple):
    """Rows of a data set."""

    numbers: NDArray[Any]  #: observations, a row each
    lengths: Bytes  #: of the walk that led there
    last: Bytes  #: its last action, which is undone by 3 * (last // 3) + 2 - last % 3; 18 if there was none


def rows(count: int, *, seed: int, first: int = 0, shortest: int = 1, longest: int = 26, kind: Kind = 'colors') -> Rows:
    """Rows first .. first + count - 1 of the data set of a seed: walks of shortest to longest actions from solved.

    A row depends on its number and the seed alone, on every machine.
    """
    _check_rows(count, seed, first)
    _check_range('the shortest walk', shortest, 0, _check_range('the longest walk', longest, 0, 255))
    states, lengths, last = _aligned(count), np.empty(count, np.uint8), np.empty(count, np.uint8)
    library.cube_batch_walk(seed, first, count, shortest, longest, states.ctypes.data, lengths.ctypes.data, last.ctypes.data)
    return Rows(observe(states, kind), lengths, last)


def random_states(count: int, *, seed: int, first: int = 0) -> Bytes:
    """Uniformly random states of 32 bytes, each from the seed and its number alone."""
    _check_rows(count, seed, first)
    states = _aligned(count)
    library.cube_batch_random(seed, first, count, states.ctypes.data)
    return states
