"""The Python package's environment, against its single cubes and the protocol of Gymnasium."""

import importlib
import sys
import types
import unittest
import unittest.mock
import warnings
from typing import Any

import numpy as np

import libcube.env
from libcube import Cube
from libcube.batch import ACTION_NAMES, Kind

KINDS: list[Kind] = ['colors', 'one_hot', 'features', 'features_float', 'cubies']


class Environment(unittest.TestCase):
    def test_an_episode(self) -> None:
        env = libcube.env.CubeEnv(walk=1, limit=3)
        observation, info = env.reset(seed=2)
        self.assertEqual(info, {})
        before = env.render() or ''
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
        bad: Any
        for bad in (18, -1, 1.5, 'R'):
            with self.assertRaises(ValueError):
                env.step(bad)
        for bad in ({'walk': 256}, {'limit': 0}, {'render_mode': 'human'}):
            with self.assertRaises(ValueError):
                libcube.env.CubeEnv(**bad)

    def test_seeds(self) -> None:
        one, other = libcube.env.CubeEnv(), libcube.env.CubeEnv()
        self.assertFalse((one.reset()[0] == other.reset()[0]).all())
        for seed in (3, None, None):
            self.assertTrue((one.reset(seed=seed)[0] == other.reset(seed=seed)[0]).all())


def check_space(test: unittest.TestCase, space: Any) -> None:
    """Demands what programs may do with each space."""
    space.seed(5)
    samples = [space.sample() for _ in range(30)]
    test.assertTrue(all(sample in space for sample in samples))
    space.seed(5)
    test.assertTrue(all(np.array_equal(sample, space.sample()) for sample in samples))
    test.assertFalse(all(np.array_equal(sample, samples[0]) for sample in samples))


def check_protocol(test: unittest.TestCase, env: Any) -> None:
    """Demands what the documentation of gymnasium.Env promises to callers."""
    test.assertIs(env.unwrapped, env)
    test.assertIsNone(env.spec)
    check_space(test, env.action_space)
    check_space(test, env.observation_space)
    test.assertEqual((env.action_space.shape, int(env.action_space.n)), ((), 18))
    box = env.observation_space
    test.assertEqual((box.low.shape, box.high.shape), (box.shape, box.shape))
    test.assertTrue((box.low < box.high).all())

    def fits(observation: Any) -> None:
        test.assertIsInstance(observation, np.ndarray)
        test.assertEqual((observation.dtype, observation.shape), (box.dtype, box.shape))
        test.assertIn(observation, box)

    first, info = env.reset(seed=123)
    fits(first)
    test.assertIsInstance(info, dict)
    state = env.np_random.bit_generator.state
    again, _ = env.reset(seed=123)
    test.assertTrue((first == again).all())
    test.assertEqual(env.np_random.bit_generator.state, state)
    other, _ = env.reset(seed=456)
    fits(other)
    test.assertNotEqual(env.np_random.bit_generator.state, state)
    fits(env.reset(options={})[0])
    for _ in range(40):
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
        fits(observation)
        test.assertIsInstance(reward, float)
        test.assertTrue(isinstance(terminated, bool) and isinstance(truncated, bool) and isinstance(info, dict))
        test.assertFalse(terminated and truncated)
    test.assertEqual(env.metadata['render_modes'], ['ansi'])
    test.assertGreater(env.metadata['render_fps'], 0)
    test.assertIsInstance(env.render(), str)
    with env as entered:
        test.assertIs(entered, env)
    env.close()


def stand_in() -> dict[str, types.ModuleType]:
    """Modules with as much of Gymnasium as an environment inherits and makes."""
    module = types.ModuleType('gymnasium')
    own = libcube.env

    class Env(own.Env):
        pass

    class Discrete(own.Discrete):
        pass

    class Box(own.Box):
        pass

    spaces = types.ModuleType('gymnasium.spaces')
    spaces.__dict__.update(Discrete=Discrete, Box=Box)
    module.__dict__.update(Env=Env, spaces=spaces)
    return {'gymnasium': module, 'gymnasium.spaces': spaces}


class Protocol(unittest.TestCase):
    def test_it_is_kept(self) -> None:
        for kind in KINDS:
            with self.subTest(kind):
                check_protocol(self, libcube.env.CubeEnv(kind=kind))

    def test_a_fault_is_noticed(self) -> None:
        class Careless(libcube.env.CubeEnv):
            def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
                return super().reset(seed=None, options=options)

        with self.assertRaises(AssertionError):
            check_protocol(self, Careless())

    def test_the_classes_are_those_of_gymnasium(self) -> None:
        modules = stand_in()
        other: Any = modules['gymnasium']
        with unittest.mock.patch.dict(sys.modules, modules):
            module = importlib.reload(libcube.env)
            env: Any = module.CubeEnv()
            self.assertIsInstance(env, other.Env)
            self.assertIsInstance(env.action_space, other.spaces.Discrete)
            self.assertIsInstance(env.observation_space, other.spaces.Box)
            check_protocol(self, env)
        importlib.reload(libcube.env)

    def test_by_the_checker_of_gymnasium(self) -> None:
        try:
            checker = importlib.import_module('gymnasium.utils.env_checker')
        except ImportError:
            self.skipTest('Gymnasium is not installed')
        with warnings.catch_warnings():
            warnings.simplefilter('error')
            warnings.filterwarnings('ignore', message='.*alternative render modes')
            for kind in KINDS:
                checker.check_env(libcube.env.CubeEnv(kind=kind))


if __name__ == '__main__':
    unittest.main()
