"""Arrays of 3x3x3 and 2x2x2 states: steps, observations, rows of data sets. Needs NumPy."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Callable, Iterator, Literal, NamedTuple, Tuple, Union

import numpy as np
from numpy.typing import NDArray

from .native import library
from .solving import prepare

Bytes = NDArray[np.uint8]
Kind = Literal['colors', 'one_hot', 'features', 'features_float', 'cubies']
#: The actions of a walk: so many, or from so many to so many; -1 is for uniformly random states, to which no walk leads.
Walk = Union[int, Tuple[int, int]]
Symmetry = Literal['none', 'random']

ACTIONS = 18
#: The names of the actions: 3 * face, and 0, 1 or 2 for a quarter turn, a half turn, a quarter turn back.
ACTION_NAMES = tuple(face + amount for face in 'URFDLB' for amount in ('', '2', "'"))
_STATE = 32
_EDGES, _CORNERS = slice(0, 12), slice(16, 24)
_PIECE, _TURN = 15, 4  # of a byte: which piece it is, and the first bit of its flip or twist
_WIDTHS: dict[int, dict[str, int]] = {
    2: {'colors': 24, 'one_hot': 144, 'cubies': 16},
    3: {'colors': 54, 'one_hot': 324, 'features': 364, 'features_float': 364, 'cubies': 40},
}


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


def _corner_table() -> Bytes:
    """The actions of U, R and F without the edges, for a 2x2x2: these leave the corner DBL home."""
    table = _solved_states(9)
    table[:, _CORNERS] = _ACTIONS[:9, _CORNERS]
    return table


_ACTIONS = _action_table()
_TABLES = {2: _corner_table(), 3: _ACTIONS}


def _check_size(n: int) -> int:
    if n not in _WIDTHS:
        raise ValueError(f'arrays have cubes of size 2 or 3, not {n}; Cube has all sizes')
    return int(n)


def _check_kind(kind: str, n: int) -> None:
    if kind not in _WIDTHS[n]:
        raise ValueError(f'an observation of a cube of size {n} is one of {", ".join(_WIDTHS[n])}, not {kind!r}')


def width(kind: Kind, n: int = 3) -> int:
    """The numbers in an observation of a cube of size n."""
    _check_kind(kind, _check_size(n))
    return _WIDTHS[n][kind]


def _check_range(name: str, value: int, least: int, most: int) -> int:
    if not least <= value <= most:
        raise ValueError(f'{name} is {least} to {most}, not {value}')
    return int(value)


def _check_rows(count: int, seed: int, first: int) -> None:
    _check_range('a count', count, 0, 2**48)
    _check_range('a seed', seed, 0, 2**64 - 1)
    _check_range('the first row', first, 0, 2**64 - 1)


def _check_walk(walk: Walk) -> tuple[int, int]:
    shortest, longest = walk if isinstance(walk, tuple) else (walk, walk)
    return _check_range('the shortest walk', shortest, 0, _check_range('the longest walk', longest, 0, 255)), longest


def _check_out(out: NDArray[Any], shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    if out.shape != shape or out.dtype != dtype or not out.flags.c_contiguous or not out.flags.writeable:
        raise ValueError(f'out is a contiguous array of shape {shape} and type {dtype}')


def _write_cubies(states: Bytes, n: int, out: Bytes) -> None:
    pieces, turns = states & _PIECE, states >> _TURN
    places = (_CORNERS,) if n == 2 else (_CORNERS, _EDGES)
    np.concatenate([part[:, place] for place in places for part in (pieces, turns)], axis=1, out=out)


def observe(states: Bytes, kind: Kind = 'colors', out: NDArray[Any] | None = None, n: int = 3) -> NDArray[Any]:
    """What states of a cube of size n look like, a row each.

    A row of a 3x3x3 is 54 colours 0 to 5, 324 numbers 0 or 1 (one_hot), 364 features as bytes or floats, or 40 cubies: the corners and
    their twists, the edges and their flips. A 2x2x2 has the numbers of its corners, and no features.
    """
    _check_kind(kind, _check_size(n))
    whole = states.flags.c_contiguous and (states.ctypes.data % _STATE == 0 or len(states) == 0)
    if states.dtype != np.uint8 or states.shape[1:] != (_STATE,) or not whole:
        raise ValueError('states are those of VecCube.states or random_states(), all of them: contiguous rows of 32 bytes')
    return _observe(states, n, kind, out)


def _observe(states: Bytes, n: int, kind: Kind, out: NDArray[Any] | None) -> NDArray[Any]:
    shape = (len(states), width(kind, n))
    dtype = np.dtype(np.float32 if kind == 'features_float' else np.uint8)
    if out is None:
        out = np.empty(shape, dtype)
    _check_out(out, shape, dtype)
    if kind == 'cubies':
        _write_cubies(states, n, out)
    else:
        _function(f'cube_batch_{kind}', n)(states.ctypes.data, len(states), out.ctypes.data)
    return out


class VecCube:
    """Many cubes of size 3 or 2 that take a step at a time, each with an action of its own.

    A 2x2x2 has the first nine actions, U to F'. They do not move its corner DBL, so a state of it is solved in one way only.

    >>> cubes = VecCube(3, 4096)
    >>> cubes.reset(seed=1, walk=10)
    >>> solved = cubes.step(np.zeros(4096, np.uint8))
    >>> cubes.observe().shape
    (4096, 54)
    """

    def __init__(self, n: int = 3, batch: int = 1) -> None:
        self.n = _check_size(n)
        if batch < 1:
            raise ValueError(f'a batch is at least one cube, not {batch}')
        self.batch = int(batch)
        self._table = _TABLES[n]
        #: The number of actions: 18, or 9 for a 2x2x2.
        self.actions = len(self._table)
        #: The states, 32 bytes each: twelve edges, four unused, eight corners, eight unused.
        self.states = _solved_states(self.batch)
        self._solved = np.empty(self.batch, np.uint8)
        self._states_at: int = self.states.ctypes.data
        self._solved_at: int = self._solved.ctypes.data
        self._table_at: int = self._table.ctypes.data
        self._solved_view = self._solved.view(np.bool_)
        self._step = library.cube_batch_step
        self._seed: int | None = None
        self._rows = 0

    def reset(self, seed: int | None = None, walk: Walk | None = None) -> None:
        """Makes new states: solved ones, `walk` random actions away from solved, or (walk -1) uniformly random.

        An action is never of the face that was turned just before. The states of a seed are those of rows(), the first ones first.
        Without a seed, they go on where the last reset ended.
        """
        if seed is not None:
            self._seed, self._rows = _check_range('a seed', seed, 0, 2**64 - 1), 0
        if walk is None or walk == 0:
            self.states[:] = _solved_states(1)
            return
        if self._seed is None:
            self._seed = int.from_bytes(os.urandom(8), 'big')
        _draw(self.states, self.n, self._seed, self._rows, walk)
        self._rows += self.batch

    def step(self, actions: Bytes) -> NDArray[np.bool_]:
        """Does an action to each cube. Returns which are solved; the array is written again by the next step."""
        if actions.dtype != np.uint8 or actions.shape != (self.batch,) or not actions.flags.c_contiguous:
            raise ValueError(f'actions are a contiguous array of {self.batch} numbers 0 to {self.actions - 1} of type uint8')
        most = actions.max()
        if most >= self.actions:
            raise ValueError(f'an action is 0 to {self.actions - 1}, not {most}')
        self._step(self._states_at, self.batch, self._table_at, actions.ctypes.data, self._solved_at)
        return self._solved_view

    def solved(self) -> NDArray[np.bool_]:
        """Which cubes are solved, as a new array."""
        found = np.empty(self.batch, np.uint8)
        library.cube_batch_solved(self._states_at, self.batch, found.ctypes.data)
        return found.view(np.bool_)

    def observe(self, kind: Kind = 'colors', out: NDArray[Any] | None = None) -> NDArray[Any]:
        """What the cubes look like, a row each; see libcube.batch.observe(). A 2x2x2 has the numbers of its corners, and no features."""
        return _observe(self.states, self.n, kind, out)


def _function(name: str, n: int) -> Callable[..., None]:
    """The function of that name for cubes of size n."""
    function: Callable[..., None] = getattr(library, name if n == 3 else f'{name}_2')
    return function


def _draw(states: Bytes, n: int, seed: int, first: int, walk: Walk) -> tuple[Bytes, Bytes]:
    """Makes the rows from `first` on. Returns lengths and last actions; these are empty without a walk."""
    if walk == -1:
        _function('cube_batch_random', n)(seed, first, len(states), states.ctypes.data)
        return np.empty(0, np.uint8), np.empty(0, np.uint8)
    shortest, longest = _check_walk(walk)
    lengths, last = np.empty(len(states), np.uint8), np.empty(len(states), np.uint8)
    draw = _function('cube_batch_walk', n)
    draw(seed, first, len(states), shortest, longest, states.ctypes.data, lengths.ctypes.data, last.ctypes.data)
    return lengths, last


class Rows(NamedTuple):
    """Rows of a data set."""

    numbers: NDArray[Any]  #: observations, a row each; with children of shape (count, 1 + actions, width), the cube itself first
    lengths: Bytes  #: of the walk that led there
    last: Bytes  #: its last action, which is undone by 3 * (last // 3) + 2 - last % 3; 18 if there was none
    bounds: Bytes  #: with bound=True a lower bound of the distance from solved, for each observation; else empty


def _change(states: Bytes, n: int, seed: int, first: int, last: Bytes) -> None:
    """Turns and mirrors each state by the symmetry of its row, and with it the action that led there."""
    symmetries = np.empty(len(states), np.uint8)
    library.cube_batch_symmetries(seed, first, len(states), symmetries.ctypes.data)
    back = np.where(last < ACTIONS, last + 2 - 2 * (last % 3), last).astype(np.uint8)
    where = (states.ctypes.data, 1, back.ctypes.data) if len(back) else (states.ctypes.data, 0, None)
    library.cube_batch_symmetric(n, symmetries.ctypes.data, len(states), *where)
    last[:] = np.where(back < ACTIONS, back + 2 - 2 * (back % 3), back)


def _families(states: Bytes, n: int) -> Bytes:
    """Each state and its children, which the actions lead to."""
    families = _aligned(len(states) * (1 + len(_TABLES[n])))
    families[: len(states)] = states
    library.cube_batch_children(n, families.ctypes.data, len(states))
    return families


def _bounds(states: Bytes, n: int) -> Bytes:
    prepare('optimal', n)
    bounds = np.empty(len(states), np.uint8)
    library.native_bounds(n, states.ctypes.data, len(states), bounds.ctypes.data)
    return bounds


def rows(
    count: int,
    *,
    seed: int,
    first: int = 0,
    walk: Walk = (1, 26),
    kind: Kind = 'colors',
    n: int = 3,
    symmetry: Symmetry = 'none',
    children: bool = False,
    bound: bool = False,
) -> Rows:
    """Rows first .. first + count - 1 of the data set of a seed: walks from the solved cube, or (walk -1) uniformly random states.

    A row depends on its number and the seed alone, on every machine, and GET /v1/rows of a server has the same. Uniformly random states
    have no lengths and last actions; these arrays are empty then. symmetry='random' turns and mirrors each cube by one of its 48
    symmetries, children=True adds what each action makes of it, and bound=True how far it is from solved at least.

    >>> family = rows(1000, seed=1, walk=5, children=True, bound=True)
    >>> family.numbers.shape, family.bounds.shape
    ((1000, 19, 54), (1000, 19))
    """
    _check_rows(count, seed, first)
    _check_kind(kind, _check_size(n))
    if symmetry not in ('none', 'random'):
        raise ValueError(f"symmetry is 'none' or 'random', not {symmetry!r}")
    states = _aligned(count)
    lengths, last = _draw(states, n, seed, first, walk)
    if symmetry == 'random':
        _change(states, n, seed, first, last)
    if children:
        states = _families(states, n)
    numbers = _observe(states, n, kind, None)
    bounds = _bounds(states, n) if bound else np.empty(0, np.uint8)
    if children:
        shape = (count, 1 + len(_TABLES[n]))
        numbers = numbers.reshape(*shape, width(kind, n))
        bounds = bounds.reshape(shape) if bound else bounds
    return Rows(numbers, lengths, last, bounds)


def batches(
    size: int,
    *,
    seed: int,
    first: int = 0,
    count: int | None = None,
    walk: Walk = (1, 26),
    kind: Kind = 'colors',
    n: int = 3,
    symmetry: Symmetry = 'none',
    children: bool = False,
    bound: bool = False,
) -> Iterator[Rows]:
    """The same rows in batches of `size`, of which the last one may be smaller; without a count they do not end.

    >>> [len(batch.lengths) for batch in batches(4, seed=1, count=10)]
    [4, 4, 2]
    """
    _check_range('a batch', size, 1, 2**48)
    _check_rows(0 if count is None else count, seed, first)
    _check_kind(kind, _check_size(n))

    def rows_of(first: int, count: int) -> Rows:
        return rows(
            count, seed=seed, first=first, walk=walk, kind=kind, n=n, symmetry=symmetry, children=children, bound=bound
        )

    return _batches(size, first, None if count is None else first + count, rows_of)


def _batches(size: int, first: int, end: int | None, rows_of: Callable[[int, int], Rows]) -> Iterator[Rows]:
    while end is None or first < end:
        yield rows_of(first, size if end is None else min(size, end - first))
        first += size


def random_states(count: int, *, seed: int, first: int = 0, n: int = 3) -> Bytes:
    """Uniformly random states of 32 bytes, each from the seed and its number alone."""
    _check_rows(count, seed, first)
    states = _aligned(count)
    _draw(states, _check_size(n), seed, first, -1)
    return states
