"""One 3x3x3 as an environment with the methods of Gymnasium's, which need not be installed. Needs NumPy."""

from __future__ import annotations

import os
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .batch import ACTION_NAMES, ACTIONS, Kind, VecCube, _WIDTHS


class Discrete:
    """Numbers 0 to n - 1, as gymnasium.spaces.Discrete has them."""

    def __init__(self, n: int, seed: int | None = None) -> None:
        self.n = n
        self._random = np.random.default_rng(seed)

    def sample(self) -> int:
        return int(self._random.integers(self.n))

    def contains(self, x: Any) -> bool:
        return isinstance(x, (int, np.integer)) and 0 <= int(x) < self.n


class Box:
    """Arrays of one shape and type, as gymnasium.spaces.Box has them."""

    def __init__(self, low: int, high: int, shape: tuple[int, ...], dtype: Any) -> None:
        self.low, self.high, self.shape, self.dtype = low, high, shape, np.dtype(dtype)

    def contains(self, x: Any) -> bool:
        array = np.asarray(x)
        return array.shape == self.shape and bool(((array >= self.low) & (array <= self.high)).all())


class CubeEnv:
    """A cube that starts `walk` random actions from solved; the reward is 1 when it is solved, and ends the episode.

    >>> env = CubeEnv(walk=1, limit=50)
    >>> observation, info = env.reset(seed=7)
    >>> observation.shape
    (54,)
    """

    metadata: dict[str, Any] = {'render_modes': ['ansi']}
    render_mode: Literal['ansi'] = 'ansi'

    def __init__(self, *, walk: int = 20, limit: int = 100, kind: Kind = 'colors') -> None:
        if not -1 <= walk <= 255 or limit < 1:
            raise ValueError(f'walk is -1 (uniform) to 255 and limit at least 1, not {walk} and {limit}')
        self.walk, self.limit, self.kind = walk, limit, kind
        self.action_space = Discrete(ACTIONS)
        high, dtype = (5 if kind == 'colors' else 1), (np.float32 if kind == 'features_float' else np.uint8)
        self.observation_space = Box(0, high, (_WIDTHS[kind],), dtype)
        self._cube = VecCube(3, 1)
        self._steps = 0
        self._seeded = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[NDArray[Any], dict[str, Any]]:
        """Starts an episode. options={'walk': 5} makes it that many actions from solved."""
        if seed is None and not self._seeded:
            seed = int.from_bytes(os.urandom(8), 'big')
        if seed is not None:
            self.action_space = Discrete(ACTIONS, seed)
        self._seeded = True
        self._cube.reset(seed, (options or {}).get('walk', self.walk))
        self._steps = 0
        return self._observation(), {}

    def step(self, action: int) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Does an action. Returns observation, reward, terminated (solved), truncated (at the limit) and info."""
        if not self.action_space.contains(action):
            raise ValueError(f'an action is 0 to {ACTIONS - 1} ({" ".join(ACTION_NAMES[:3])} ...), not {action!r}')
        solved = bool(self._cube.step(np.array([action], np.uint8))[0])
        self._steps += 1
        return self._observation(), float(solved), solved, not solved and self._steps >= self.limit, {}

    def render(self) -> str:
        """The stickers as letters."""
        return ''.join('URFDLB'[color] for color in self._cube.observe('colors')[0])

    def close(self) -> None:
        pass

    def _observation(self) -> NDArray[Any]:
        row: NDArray[Any] = self._cube.observe(self.kind)[0]
        return row
