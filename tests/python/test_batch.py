"""The Python package's arrays of states, against its single cubes."""

import hashlib
import itertools
import unittest
from typing import Any, Callable

import numpy as np
from numpy.typing import NDArray

from libcube import Algorithm, Cube, solve
from libcube.batch import ACTION_NAMES, Kind, Symmetry, VecCube, Walk, batches, observe, random_states, rows, width

KINDS: tuple[Kind, ...] = ('colors', 'one_hot')
SYMMETRIES: tuple[Symmetry, ...] = ('none', 'random')


def letters(colors: NDArray[Any]) -> str:
    return ''.join('URFDLB'[color] for color in colors)


class Batches(unittest.TestCase):
    def refuse(self, *calls: Callable[[], object]) -> None:
        for call in calls:
            with self.assertRaises(ValueError):
                call()

    def test_steps_are_turns(self) -> None:
        random = np.random.default_rng(1)
        for n, batch in ((n, batch) for n in (2, 3) for batch in (*range(1, 12), 40)):
            cubes, single = VecCube(n, batch), [Cube(n) for _ in range(batch)]
            self.assertEqual(cubes.states.ctypes.data % 32, 0)
            for _ in range(20):
                actions = random.integers(0, cubes.actions, batch, dtype=np.uint8)
                solved = cubes.step(actions)
                for cube, action in zip(single, actions):
                    cube.turn(ACTION_NAMES[action])
                self.assertEqual([letters(row) for row in cubes.observe()], [cube.facelets for cube in single])
                self.assertEqual(list(solved), [cube.solved for cube in single])
                self.assertEqual(list(cubes.solved()), list(solved))

    def test_observations(self) -> None:
        cubes = VecCube(3, 30)
        cubes.reset(seed=5, walk=-1)
        colors, one_hot = cubes.observe('colors'), cubes.observe('one_hot')
        self.assertTrue((one_hot.reshape(30, 54, 6).argmax(2) == colors).all() and (one_hot.sum(1) == 54).all())
        features, floats = cubes.observe('features'), cubes.observe('features_float')
        self.assertTrue((features[:, :324] == one_hot).all() and (features == floats).all())
        self.assertEqual(floats.dtype, np.float32)
        out = np.empty((30, 54), np.uint8)
        self.assertIs(cubes.observe(out=out), out)
        self.assertTrue((out == colors).all())
        bads: list[NDArray[Any]] = [np.empty((30, 53), np.uint8), np.empty((30, 54), np.float32), np.empty((60, 54), np.uint8)[::2]]
        for bad in bads:
            with self.assertRaises(ValueError):
                cubes.observe(out=bad)

    def test_resets(self) -> None:
        cubes, other = VecCube(3, 50), VecCube(3, 50)
        for walk in (-1, 1, 20):
            cubes.reset(seed=9, walk=walk)
            other.reset(seed=9, walk=walk)
            first = cubes.states.copy()
            self.assertTrue((first == other.states).all())
            cubes.reset(walk=walk)
            self.assertFalse((first == cubes.states).all())
        cubes.reset()
        self.assertTrue(cubes.solved().all())

    def test_corners(self) -> None:
        cubes = VecCube(2, 300)
        self.assertEqual(cubes.actions, 9)
        for walk in (-1, 1, 2, 6):
            cubes.reset(seed=4, walk=walk)
            colors = cubes.observe()
            lengths = [len(solve(Cube.from_facelets(letters(row)), method='optimal').split()) for row in colors]
            self.assertLessEqual(max(lengths), 11 if walk == -1 else walk)
            self.assertGreaterEqual(max(lengths), min(walk, 5) if walk > 0 else 9)
            self.assertTrue((cubes.states[:, 22] == 6).all() and (cubes.states[:, :16] == VecCube(2, 1).states[:, :16]).all())
            self.assertEqual(list(cubes.solved()), [length == 0 for length in lengths])
        one_hot, cubies = cubes.observe('one_hot'), cubes.observe('cubies')
        self.assertTrue((one_hot.reshape(300, 24, 6).argmax(2) == colors).all() and (one_hot.sum(1) == 24).all())
        self.assertEqual((cubies.shape, width('cubies', 2)), ((300, 16), 16))
        self.assertTrue((np.sort(cubies[:, :8]) == np.arange(8)).all() and (cubies[:, 8:].sum(1) % 3 == 0).all())
        out = np.empty((300, 24), np.uint8)
        self.assertIs(cubes.observe(out=out), out)
        self.assertTrue((out == colors).all())
        self.refuse(
            lambda: cubes.observe('features'),
            lambda: cubes.observe(out=out[:, :23]),
            lambda: cubes.step(np.full(300, 9, np.uint8)),
        )

    def test_every_corner_state_is_as_likely(self) -> None:
        cubes = VecCube(2, 20_000)
        cubes.reset(seed=8, walk=-1)
        cubies = cubes.observe('cubies')
        for place in (0, 1, 2, 3, 4, 5, 7):
            kinds = np.bincount(3 * cubies[:, place] + cubies[:, 8 + place], minlength=24)
            self.assertEqual(kinds[18:21].sum(), 0)
            self.assertTrue((np.abs(kinds[kinds > 0] - 20_000 / 21) < 200).all() and (kinds > 0).sum() == 21)

    def test_batches(self) -> None:
        walks: list[Walk] = [(1, 26), -1, 5]
        for walk in walks:
            whole = rows(50, seed=6, first=9, walk=walk)
            parts = list(batches(8, seed=6, first=9, count=50, walk=walk))
            self.assertEqual([len(part.numbers) for part in parts], [8] * 6 + [2])
            for column in range(4):
                self.assertTrue((np.concatenate([part[column] for part in parts]) == whole[column]).all())
            self.assertEqual(len(whole.lengths), 0 if walk == -1 else 50)
        self.assertEqual(set(rows(50, seed=6, walk=5).lengths), {5})
        endless = batches(3, seed=6)
        for _ in range(100):
            part = next(endless)
        self.assertTrue((part.numbers == rows(300, seed=6).numbers[297:]).all())

    def test_rows(self) -> None:
        kinds: list[Kind] = ['colors', 'one_hot', 'features', 'features_float', 'cubies']
        for kind in kinds:
            data, part = rows(40, seed=3, kind=kind), rows(7, seed=3, first=20, kind=kind)
            for whole, some in zip(data, part):
                self.assertTrue((whole[20:27] == some).all())
        data = rows(2000, seed=1, walk=1)
        for colors, action in zip(data.numbers[:50], data.last):
            self.assertEqual(letters(colors), Cube(3, ACTION_NAMES[action]).facelets)
        self.assertEqual(set(rows(2000, seed=1, walk=(3, 5)).lengths), {3, 4, 5})
        self.assertEqual(rows(0, seed=1).numbers.shape, (0, 54))
        for n in (2, 3):
            for row in observe(random_states(50, seed=2, n=n), n=n):
                self.assertEqual(Cube.from_facelets(letters(row)).size, n)

    def test_symmetries(self) -> None:
        for n in (2, 3):
            drawn, data = (rows(300, seed=4, walk=2, n=n, symmetry=symmetry, bound=True) for symmetry in SYMMETRIES)
            self.assertTrue((drawn.bounds == data.bounds).all() and (drawn.lengths == data.lengths).all())
            self.assertGreater((drawn.numbers != data.numbers).any(1).sum(), 200)
            for colors, action in zip(data.numbers, data.last):
                before = Cube.from_facelets(letters(colors)).turn(Algorithm(ACTION_NAMES[action], n).inverse())
                self.assertTrue(any(before.copy().turn(name).solved for name in ACTION_NAMES))
                self.assertLess(int(action), VecCube(n).actions)

    def test_children(self) -> None:
        walks: list[Walk] = [-1, (0, 2)]
        for n, walk in ((n, walk) for n in (2, 3) for walk in walks):
            whole, data = (rows(40, seed=4, walk=walk, n=n, children=children, bound=True) for children in (False, True))
            actions = VecCube(n).actions
            self.assertEqual((data.numbers.shape, data.bounds.shape), ((40, 1 + actions, 6 * n * n), (40, 1 + actions)))
            self.assertTrue((data.numbers[:, 0] == whole.numbers).all() and (data.bounds[:, 0] == whole.bounds).all())
            for family in data.numbers[:5]:
                cube = Cube.from_facelets(letters(family[0]))
                for name, child in zip(ACTION_NAMES, family[1:]):
                    self.assertEqual(letters(child), cube.copy().turn(name).facelets)
        empty = rows(0, seed=1, children=True, bound=True)
        self.assertEqual((empty.numbers.shape, empty.bounds.shape), ((0, 19, 54), (0, 19)))
        self.assertEqual(len(rows(3, seed=1).bounds), 0)
        part = next(batches(7, seed=4, first=3, n=2, children=True, symmetry='random', bound=True))
        self.assertTrue((part.numbers == rows(20, seed=4, n=2, children=True, symmetry='random').numbers[3:10]).all())

    def test_the_bytes_of_javascript(self) -> None:
        # tests/wasm/package.mjs has the same hashes.
        hashes = []
        walks: list[Walk] = [-1, (0, 12)]
        for n, walk in ((n, walk) for n in (2, 3) for walk in walks):
            data = hashlib.sha256()
            for kind, symmetry, children in itertools.product(KINDS, SYMMETRIES, (False, True)):
                made = rows(
                    100, seed=5, first=9, walk=walk, kind=kind, n=n, symmetry=symmetry, children=children, bound=True
                )
                for part in made:
                    data.update(part.tobytes())
            hashes.append(data.hexdigest()[:16])
        self.assertEqual(hashes, ['84f362eb4bf08ca8', '1f43143601a0e625', '6c841e5d0781d5fb', '38031e863c4deabe'])

    def test_faults(self) -> None:
        cubes = VecCube(3, 4)
        right = np.zeros(4, np.uint8)
        bad: Any
        for bad in (right[:3], right.astype(np.int64), np.zeros(8, np.uint8)[::2], np.full(4, 18, np.uint8)):
            with self.assertRaises(ValueError):
                cubes.step(bad)
        self.assertTrue(cubes.solved().all())
        self.refuse(
            lambda: VecCube(4, 1),
            lambda: VecCube(3, 0),
            lambda: cubes.reset(seed=-1),
            lambda: cubes.reset(walk=256),
            lambda: rows(-1, seed=1),
            lambda: rows(1, seed=1, walk=(5, 4)),
            lambda: rows(1, seed=1, walk=-2),
            lambda: batches(0, seed=1),
            lambda: batches(1, seed=-1),
            lambda: random_states(-1, seed=1),
            lambda: random_states(1, seed=1, n=4),
            lambda: rows(1, seed=1, symmetry='all'),  # type: ignore[arg-type]
            lambda: rows(1, seed=1, n=1),
            lambda: batches(1, seed=1, n=2, kind='features'),
            lambda: width('colors', 5),
            lambda: observe(random_states(5, seed=1)[1:, :31]),
            lambda: observe(random_states(6, seed=1)[::2]),
            lambda: cubes.observe('stickers'),  # type: ignore[arg-type]
        )


if __name__ == '__main__':
    unittest.main()
