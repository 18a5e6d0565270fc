"""Measures libcube for Python beside NumPy alone. Prints lines "name value", in units a second of processor time, on one core.

All figures are measured in turn, ROUNDS times; the best counts. The peer (names that end in .numpy) keeps the colours of each cube in a
row of an array and turns it by gathering with a table of 18 permutations, as portable programs do; its rows are walks of one length. The
package kociemba is measured if it is installed.

Usage: everywhere.py STATES, a file of facelet strings, one a line."""

from __future__ import annotations

import importlib
import sys
import time
from typing import Any, Callable

import numpy as np
from numpy.typing import NDArray

from libcube import solve
from libcube.batch import VecCube, rows

BATCH, STEPS, PEER_STEPS, ROUNDS = 4096, 16, 4, 7
STRIDE, KOCIEMBA_STATES = 10, 4
WALK = 13  # turns of a walk of 1..26, rounded down
Run = Callable[[], int]


def permutations() -> NDArray[np.intp]:
    """Finds, for each action and facelet, the facelet whose colours come there: that with the same colours in many random cubes."""
    table = np.empty((18, 54), np.intp)
    cubes = VecCube(3, BATCH)
    for action in range(18):
        cubes.reset(seed=1, walk=-1)
        before = {column.tobytes(): place for place, column in enumerate(cubes.observe().T)}
        cubes.step(np.full(BATCH, action, np.uint8))
        table[action] = [before[column.tobytes()] for column in cubes.observe().T]
    return table


class Gathered:
    """Cubes as rows of colours, turned by NumPy alone."""

    def __init__(self) -> None:
        self.home = VecCube(3, 1).observe()
        self.colors = np.repeat(self.home, BATCH, axis=0)
        self.table = permutations()

    def step(self, actions: NDArray[np.uint8]) -> NDArray[np.bool_]:
        self.colors = np.take_along_axis(self.colors, self.table[actions], axis=1)
        solved: NDArray[np.bool_] = (self.colors == self.home).all(axis=1)
        return solved


def compare(actions: NDArray[np.uint8]) -> None:
    """Demands that both turn alike."""
    cubes, peer = VecCube(3, BATCH), Gathered()
    for row in actions:
        if not (cubes.step(row) == peer.step(row)).all() or not (cubes.observe() == peer.colors).all():
            sys.exit('the peer turns in another way')


def figures(states: list[str]) -> dict[str, Run]:
    random = np.random.default_rng(1)
    actions = random.integers(0, 18, (STEPS, BATCH), dtype=np.uint8)
    compare(actions)
    cubes, peer, colors = VecCube(3, BATCH), Gathered(), np.empty((BATCH, 54), np.uint8)
    made = 0

    def step() -> int:
        for row in actions:
            cubes.step(row)
        return actions.size

    def step_colors() -> int:
        for row in actions:
            cubes.step(row)
            cubes.observe(out=colors)
        return actions.size

    def step_numpy() -> int:
        for row in actions[:PEER_STEPS]:
            peer.step(row)
        return PEER_STEPS * BATCH

    def make_rows() -> int:
        nonlocal made
        made += BATCH
        return len(rows(BATCH, seed=1, first=made).lengths)

    def rows_numpy() -> int:
        peer.colors = np.repeat(peer.home, BATCH, axis=0)
        for _ in range(WALK):
            peer.step(random.integers(0, 18, BATCH, dtype=np.uint8))
        return BATCH

    def solve_each(solver: Callable[[str], Any], some: list[str]) -> Run:
        return lambda: len([solver(state) for state in some])

    found: dict[str, Run] = {
        'step': step,
        'step_colors': step_colors,
        'step_colors.numpy': step_numpy,
        'rows': make_rows,
        'rows.numpy': rows_numpy,
        'solve': solve_each(solve, states[::STRIDE]),
    }
    try:
        kociemba = importlib.import_module('kociemba')
        found['solve.kociemba'] = solve_each(kociemba.solve, states[:KOCIEMBA_STATES])
    except ImportError:
        pass
    return found


def main() -> None:
    with open(sys.argv[1]) as file:
        states = file.read().split()
    solve(states[0])
    runs = figures(states)
    best = dict.fromkeys(runs, 0.0)
    for _ in range(ROUNDS):
        for name, run in runs.items():
            begin = time.process_time()
            count = run()
            best[name] = max(best[name], count / (time.process_time() - begin))
    for name, value in best.items():
        print(f'{name} {value:.0f}')


if __name__ == '__main__':
    main()
