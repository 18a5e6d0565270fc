"""The Python package's arrays of states and its environment, against its single cubes."""

import unittest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from libcube import Cube
from libcube.batch import ACTION_NAMES, Kind, VecCube, observe, random_states, rows
from libcube.env import CubeEnv


def letters(colors: NDArray[Any]) -> str:
    return ''.join('URFDLB'[color] for color in colors)


class Batches(unittest.TestCase):
    def test_steps_are_turns(self) -> None:
        random = np.random.default_rng(1)
        for batch in (*range(1, 12), 40):
            cubes, single = VecCube(3, batch), [Cube(3) for _ in range(batch)]
            self.assertEqual(cubes.states.ctypes.data % 32, 0)
            for _ in range(20):
                actions = random.integers(0, 18, batch, dtype=np.uint8)
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

    def test_rows(self) -> None:
        kinds: list[Kind] = ['colors', 'one_hot', 'features', 'features_float']
        for kind in kinds:
            data, part = rows(40, seed=3, kind=kind), rows(7, seed=3, first=20, kind=kind)
            for whole, some in zip(data, part):
                self.assertTrue((whole[20:27] == some).all())
        data = rows(2000, seed=1, shortest=1, longest=1)
        for colors, action in zip(data.numbers[:50], data.last):
            self.assertEqual(letters(colors), Cube(3, ACTION_NAMES[action]).facelets)
        self.assertEqual(set(rows(2000, seed=1, shortest=3, longest=5).lengths), {3, 4, 5})
        self.assertEqual(rows(0, seed=1).numbers.shape, (0, 54))
        for row in observe(random_states(50, seed=2)):
            Cube.from_facelets(letters(row))

    def test_faults(self) -> None:
        cubes = VecCube(3, 4)
        right = np.zeros(4, np.uint8)
        for bad in (right[:3], right.astype(np.int64), np.zeros(8, np.uint8)[::2], np.full(4, 18, np.uint8)):
            with self.assertRaises(ValueError):
                cubes.step(bad)  # type: ignore[arg-type]
        self.assertTrue(cubes.solved().all())
        for call in (
            lambda: VecCube(4, 1),
            lambda: VecCube(3, 0),
            lambda: cubes.reset(seed=-1),
            lambda: cubes.reset(walk=256),
            lambda: rows(-1, seed=1),
            lambda: rows(1, seed=1, shortest=5, longest=4),
            lambda: random_states(-1, seed=1),
            lambda: observe(random_states(5, seed=1)[1:, :31]),
            lambda: observe(random_states(6, seed=1)[::2]),
            lambda: cubes.observe('stickers'),  # type: ignore[arg-type]
        ):
            with self.assertRaises(ValueError):
                call()  # type: ignore[no-untyped-call]


class Environment(unittest.TestCase):
    def test_an_episode(self) -> None:
        env = CubeEnv(walk=1, limit=3)
        observation, info = env.reset(seed=2)
        self.assertTrue(env.observation_space.contains(observation))
        self.assertEqual(info, {})
        before = env.render()
        for action in range(18):
            env.reset(seed=2)
            self.assertEqual(env.render(), before)
            observation, reward, terminated, truncated, info = env.step(action)
            if Cube.from_facelets(before).turn(ACTION_NAMES[action]).solved:
                self.assertEqual((reward, terminated, truncated), (1.0, True, False))
            else:
                self.assertEqual((reward, terminated, truncated), (0.0, False, False))
        env.reset(seed=2, options={'walk': -1})
        self.assertEqual([env.step(0)[3] for _ in range(3)], [False, False, True])
        for bad in (18, -1, 1.5, 'R'):
            with self.assertRaises(ValueError):
                env.step(bad)  # type: ignore[arg-type]

    def test_seeds(self) -> None:
        one, other = CubeEnv(), CubeEnv()
        for seed in (3, None, None):
            self.assertTrue((one.reset(seed=seed)[0] == other.reset(seed=seed)[0]).all())
        self.assertEqual(one.action_space.sample(), other.action_space.sample())


if __name__ == '__main__':
    unittest.main()
