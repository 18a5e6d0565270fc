"""One 3x3x3 as a Gymnasium environment. Needs NumPy; without Gymnasium, it has the same methods and spaces like Gymnasium's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from .batch import ACTION_NAMES, ACTIONS, Kind, VecCube, width


class Discrete:
    """Numbers 0 to n - 1, as gymnasium.spaces.Discrete has them."""

    shape: tuple[int, ...] = ()
    dtype: np.dtype[Any] = np.dtype(np.int64)
    start = 0

    def __init__(self, n: int) -> None:
        self.n = n
        self._random = np.random.default_rng()

    def seed(self, seed: int | None = None) -> None:
        """Makes the samples that follow depend on the seed alone."""
        self._random = np.random.default_rng(seed)

    def sample(self) -> np.int64:
        return np.int64(self._random.integers(self.n))

    def contains(self, x: Any) -> bool:
        return isinstance(x, (int, np.integer)) and 0 <= int(x) < self.n

    __contains__ = contains

    def __repr__(self) -> str:
        return f'Discrete({self.n})'


class Box:
    """Arrays of one shape and type with numbers from low to high, as gymnasium.spaces.Box has them."""

    def __init__(self, low: int, high: int, shape: tuple[int, ...], dtype: Any) -> None:
        self.shape, self.dtype = shape, np.dtype(dtype)
        self.low, self.high = np.full(shape, low, dtype), np.full(shape, high, dtype)
        self._random = np.random.default_rng()

    def seed(self, seed: int | None = None) -> None:
        """Makes the samples that follow depend on the seed alone."""
        self._random = np.random.default_rng(seed)

    def sample(self) -> NDArray[Any]:
        return self._random.integers(self.low, self.high, endpoint=True, dtype=np.int64).astype(self.dtype)

    def contains(self, x: Any) -> bool:
        if not isinstance(x, np.ndarray) or x.shape != self.shape or not np.can_cast(x.dtype, self.dtype):
            return False
        return bool(((x >= self.low) & (x <= self.high)).all())

    __contains__ = contains

    def __repr__(self) -> str:
        return f'Box({self.low.min()}, {self.high.max()}, {self.shape}, {self.dtype})'


class Env:
    """The methods that gymnasium.Env has for each environment."""

    spec: Any = None
    np_random: np.random.Generator | None = None

    @property
    def unwrapped(self) -> Env:
        return self

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        if seed is not None or self.np_random is None:
            self.np_random = np.random.default_rng(seed)

    def close(self) -> None:
        pass

    def __enter__(self) -> Env:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


if TYPE_CHECKING:
    _Env = Env
    _Discrete = Discrete
    _Box = Box
else:
    try:
        from gymnasium import Env as _Env
        from gymnasium.spaces import Box as _Box, Discrete as _Discrete
    except ImportError:
        _Env, _Discrete, _Box = Env, Discrete, Box


class CubeEnv(_Env):
    """A cube that starts `walk` random actions from solved; the reward is 1 when it is solved, and ends the episode.

    It is a gymnasium.Env if Gymnasium is installed.

    >>> env = CubeEnv(walk=1, limit=50)
    >>> observation, info = env.reset(seed=7)
    >>> observation.shape
    (54,)
    """

    metadata: dict[str, Any] = {'render_modes': ['ansi'], 'render_fps': 4}

    def __init__(
        self, *, walk: int = 20, limit: int = 100, kind: Kind = 'colors', render_mode: Literal['ansi'] | None = 'ansi'
    ) -> None:
        if not -1 <= walk <= 255 or limit < 1:
            raise ValueError(f'walk is -1 (uniform) to 255 and limit at least 1, not {walk} and {limit}')
        if render_mode not in ('ansi', None):
            raise ValueError(f"render_mode is 'ansi' or None, not {render_mode!r}")
        self.walk, self.limit, self.kind, self.render_mode = walk, limit, kind, render_mode
        self._cube = VecCube(3, 1)
        self._steps = 0
        high, dtype = {'colors': 5, 'cubies': 11}.get(kind, 1), (np.float32 if kind == 'features_float' else np.uint8)
        self.action_space = _Discrete(ACTIONS)
        self.observation_space = _Box(0, high, (width(kind),), dtype)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[NDArray[Any], dict[str, Any]]:
        """Starts an episode. options={'walk': 5} makes it that many actions from solved."""
        super().reset(seed=seed)
        self._cube.reset(seed, (options or {}).get('walk', self.walk))
        self._steps = 0
        return self._observation(), {}

    def step(self, action: int | np.integer[Any]) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Does an action. Returns observation, reward, terminated (solved), truncated (at the limit) and info."""
        if not self.action_space.contains(action):
            raise ValueError(f'an action is 0 to {ACTIONS - 1} ({" ".join(ACTION_NAMES[:3])} ...), not {action!r}')
        solved = bool(self._cube.step(np.array([action], np.uint8))[0])
        self._steps += 1
        return self._observation(), float(solved), solved, not solved and self._steps >= self.limit, {}

    def render(self) -> str | None:
        """The stickers as letters."""
        if self.render_mode is None:
            return None
        return ''.join('URFDLB'[color] for color in self._cube.observe('colors')[0])

    def _observation(self) -> NDArray[Any]:
        row: NDArray[Any] = self._cube.observe(self.kind)[0]
        return row
