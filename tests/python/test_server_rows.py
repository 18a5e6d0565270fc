"""The Python package's rows, against those of GET /v1/rows of the server in build/cubed, and of cubed rows."""

import re
import subprocess
import unittest
import urllib.parse
import urllib.request
from pathlib import Path

import numpy as np

from libcube.batch import Kind, VecCube, Walk, batches, rows, width

CUBED = Path(__file__).parent / '../../build/cubed'
COUNT, FIRST, SEED = 1000, 70, 2**64 - 5

CASES: list[tuple[int, Kind, str, Walk]] = [
    (3, 'colors', 'colors', (1, 26)),
    (3, 'one_hot', 'onehot', 20),
    (3, 'features', 'features', (2, 3)),
    (3, 'cubies', 'cubies', (1, 30)),
    (3, 'colors', 'colors', -1),
    (3, 'cubies', 'cubies', -1),
    (2, 'colors', 'colors', (1, 14)),
    (2, 'one_hot', 'onehot', 9),
    (2, 'cubies', 'cubies', (3, 30)),
    (2, 'cubies', 'cubies', -1),
    (2, 'colors', 'colors', -1),
]


def query(form: str, walk: Walk, n: int) -> dict[str, str]:
    asked = {'size': str(n), 'count': str(COUNT), 'first': str(FIRST), 'seed': str(SEED), 'as': form, 'format': 'raw'}
    if walk == -1:
        return asked
    return {**asked, 'walk': '..'.join(map(str, walk)) if isinstance(walk, tuple) else str(walk), 'label': 'walk'}



class ServerRows(unittest.TestCase):
    def setUp(self) -> None:
        command = [str(CUBED), '--listen', '127.0.0.1:0', '--store', 'memory:']
        self.server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(self.stop)
        assert self.server.stdout
        lines = iter(self.server.stdout.readline, '')
        found = next((match for match in (re.search(r'http://[\w.:]+', line) for line in lines) if match), None)
        assert found, 'the server did not start'
        self.url = found[0]

    def stop(self) -> None:
        self.server.kill()
        self.server.communicate()

    def answer(self, asked: dict[str, str]) -> bytes:
        with urllib.request.urlopen(f'{self.url}/v1/rows?{urllib.parse.urlencode(asked)}') as answer:
            return bytes(answer.read())

    def test_the_bytes_are_the_same(self) -> None:
        for n, kind, form, walk in CASES:
            asked = query(form, walk, n)
            expected = self.answer(asked)
            made = b''
            for part in batches(300, seed=SEED, first=FIRST, count=COUNT, walk=walk, kind=kind, n=n):
                made += (part.numbers if walk == -1 else np.column_stack([part.numbers, part.lengths])).tobytes()
            self.assertEqual(len(made), len(expected))
            self.assertEqual(made, expected, asked)
            options = [part for name, value in asked.items() for part in (f'--{name}', value)]
            self.assertEqual(subprocess.run([CUBED, 'rows', *options], stdout=subprocess.PIPE, check=True).stdout, expected)

    def test_symmetries_children_and_bounds_are_the_same(self) -> None:
        for n, kind, form, walk in CASES:
            for children in (False, True):
                asked = {**query(form, walk, n), 'symmetry': 'random', 'children': str(children).lower(), 'count': '50'}
                asked['label'] = 'bound' if walk == -1 else 'walk,bound'
                data = rows(50, seed=SEED, first=FIRST, walk=walk, kind=kind, n=n, symmetry='random', children=children, bound=True)
                each = np.concatenate([data.numbers, data.bounds[..., None]], -1).reshape(50, -1)
                at = width(kind, n)
                made = each if walk == -1 else np.concatenate([each[:, :at], data.lengths[:, None], each[:, at:]], 1)
                self.assertEqual(made.tobytes(), self.answer(asked), asked)

    def test_cubes_are_reset_to_the_same_states(self) -> None:
        for n, kind, form, walk in CASES:
            cubes, expected = VecCube(n, 500), np.frombuffer(self.answer({**query(form, walk, n), 'first': '0'}), np.uint8)
            cubes.reset(seed=SEED, walk=walk)
            parts = [cubes.observe(kind)]
            cubes.reset(walk=walk)
            parts.append(cubes.observe(kind))
            shown = expected.reshape(COUNT, -1)[:, : width(kind, n)]
            self.assertTrue((np.concatenate(parts) == shown).all(), f'{n} {kind} {walk}')


if __name__ == '__main__':
    unittest.main()
