"""The Python package: cubes, algorithms, solutions. Needs no NumPy."""

import random
import threading
import unittest

import libcube.kociemba
from libcube import Algorithm, Cube, CubeError, scramble, solve
from libcube.native import Reported

SOLVED = ''.join(face * 9 for face in 'URFDLB')
TURNS = [face + amount for face in 'URFDLB' for amount in ('', '2', "'")]


def random_moves(seed: int, count: int = 30) -> str:
    return ' '.join(random.Random(seed).choices(TURNS, k=count))


class Cubes(unittest.TestCase):
    def test_turns_are_undone(self) -> None:
        for size in (2, 3, 4, 7, 100):
            cube = Cube(size)
            self.assertTrue(cube.solved)
            moves = Algorithm('R U2 [F, Rw] x' if size > 2 else 'R U2 [F, R] x', size)
            self.assertFalse(cube.turn(moves).solved)
            self.assertEqual(cube.inverse(), Cube(size, moves.inverse()))
            self.assertEqual(cube.turn(moves.inverse()), Cube(size))
            self.assertEqual(len(cube.facelets), 6 * size * size)

    def test_facelets_are_read(self) -> None:
        for seed in range(50):
            cube = Cube(3, random_moves(seed))
            self.assertEqual(Cube.from_facelets(cube.facelets), cube)
            self.assertEqual(eval(repr(cube)), cube)
        self.assertEqual(Cube.from_facelets(' '.join(SOLVED)).facelets, SOLVED)

    def test_a_copy_is_another_cube(self) -> None:
        cube = Cube(5, 'R')
        other = cube.copy()
        self.assertEqual(other, cube)
        other.turn('U')
        self.assertNotEqual(other, cube)
        self.assertNotEqual(Cube(3), Cube(2))
        with self.assertRaises(TypeError):
            hash(cube)

    def test_faults_say_where(self) -> None:
        cube = Cube(3)
        with self.assertRaises(Reported) as fault:
            cube.turn("R U' Ä")
        self.assertEqual(fault.exception.column, 6)
        self.assertTrue(cube.solved)
        for size in (1, 101, 3.0, True):
            with self.assertRaises(CubeError):
                Cube(size)  # type: ignore[arg-type]
        for letters in ('', 'U', SOLVED[:-1], SOLVED[1:] + 'U', 'X' * 54):
            with self.assertRaises(CubeError, msg=letters):
                Cube.from_facelets(letters)


class Algorithms(unittest.TestCase):
    def test_counts(self) -> None:
        moves = Algorithm("(R2 U)2 M x")
        self.assertEqual((moves.htm, moves.qtm, moves.stm, moves.etm), (6, 8, 5, 6))

    def test_long_ones(self) -> None:
        moves = Algorithm(random_moves(1, 5000))
        self.assertEqual(Cube(3, moves), Cube(3, moves.simplified()))
        self.assertTrue(Cube(3, moves + moves.inverse()).solved)
        with self.assertRaises(Reported):
            Algorithm('(R U)99999999').simplified()

    def test_equality(self) -> None:
        self.assertEqual(Algorithm('R  U3'), Algorithm("R U'"))
        self.assertEqual(len({Algorithm('R'), Algorithm('R'), Algorithm('R', 4)}), 2)
        with self.assertRaises(ValueError):
            Algorithm('R') + Algorithm('R', 4)


class Solutions(unittest.TestCase):
    def test_states_are_solved(self) -> None:
        for seed in range(50):
            cube = Cube(3, random_moves(seed))
            moves = solve(cube)
            self.assertLessEqual(len(moves.split()), 21)
            self.assertTrue(cube.turn(moves).solved)
        self.assertEqual(solve(SOLVED), '')

    def test_a_goal_is_reached(self) -> None:
        for seed in range(20):
            cube, goal = Cube(3, random_moves(seed)), Cube(3, random_moves(seed + 100))
            self.assertEqual(cube.turn(solve(cube, goal=goal)).facelets, goal.facelets)
        with self.assertRaises(CubeError):
            solve(Cube(4), goal=Cube(4))

    def test_bounds(self) -> None:
        self.assertEqual(solve(Cube(3, 'R U F'), longest=3), "F' U' R'")
        with self.assertRaises(CubeError):
            solve(Cube(3, 'R U F'), longest=2)
        with self.assertRaises(CubeError):
            solve(Cube(3), method='magic')

    def test_other_sizes_and_methods(self) -> None:
        for size, method in ((2, ''), (2, 'optimal'), (3, 'beginner')):
            cube = Cube(size, "R U2 F' R U")
            self.assertTrue(cube.turn(solve(cube, method=method)).solved, f'{size} {method}')

    def test_kociemba(self) -> None:
        state = 'DRLUUBFBRBLURRLRUBLRDDFDLFUFUFFDBRDUBRUFLLFDDBFLUBLRBD'
        moves = libcube.kociemba.solve(state)
        self.assertTrue(Cube.from_facelets(state).turn(moves).solved)
        pattern = Cube(3, 'M2 E2 S2').facelets
        moves = libcube.kociemba.solve(state, pattern, 22)
        self.assertEqual(Cube.from_facelets(state).turn(moves).facelets, pattern)
        with self.assertRaises(ValueError):
            libcube.kociemba.solve('U' * 54)

    def test_scrambles(self) -> None:
        for size in (2, 3, 5, 20):
            self.assertEqual(scramble(size, seed=4), scramble(size, seed=4))
            self.assertNotEqual(scramble(size), scramble(size))
            self.assertFalse(Cube(size, scramble(size)).solved)
        self.assertEqual(scramble(3, 'a'), scramble(3, b'a'))

    def test_threads(self) -> None:
        wrong: list[int] = []

        def work(seed: int) -> None:
            for number in range(seed, seed + 20):
                cube = Cube(3, random_moves(number))
                if not cube.turn(solve(cube)).solved:
                    wrong.append(number)

        threads = [threading.Thread(target=work, args=(seed * 100,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


if __name__ == '__main__':
    unittest.main()
