"""Prints what the Python package does in a second of processor time on one core, the best of seven rounds."""

import time
from typing import Callable

import numpy as np

from libcube import solve
from libcube.batch import VecCube, observe, random_states, rows

BATCH = 4096


def measure(name: str, count: int, run: Callable[[], object]) -> None:
    least = float('inf')
    for _ in range(7):
        begin = time.process_time()
        run()
        least = min(least, time.process_time() - begin)
    print(f'{name} {count / least:,.0f}')


def main() -> None:
    cubes = VecCube(3, BATCH)
    cubes.reset(seed=1, walk=20)
    actions = np.random.default_rng(1).integers(0, 18, (64, BATCH), dtype=np.uint8)
    out = np.empty((BATCH, 54), np.uint8)
    states = [''.join('URFDLB'[color] for color in row) for row in observe(random_states(200, seed=3))]
    solve(states[0])
    measure('step', 64 * BATCH, lambda: [cubes.step(row) for row in actions])
    measure('step, colours', 64 * BATCH, lambda: [(cubes.step(row), cubes.observe(out=out)) for row in actions])
    measure('rows', 100_000, lambda: rows(100_000, seed=1))
    measure('uniform states, colours', 100_000, lambda: observe(random_states(100_000, seed=1)))
    measure('solve', len(states), lambda: [solve(state) for state in states])


if __name__ == '__main__':
    main()
