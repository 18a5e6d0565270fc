"""The Python package's rows, against those of GET /v1/rows of the server in build/cubed."""

import re
import subprocess
import unittest
import urllib.request
from pathlib import Path

import numpy as np

from libcube.batch import Kind, Walk, batches

CUBED = Path(__file__).parent / '../../build/cubed'
COUNT, FIRST, SEED = 1000, 70, 2**64 - 5

CASES: list[tuple[Kind, str, Walk, str]] = [
    ('colors', 'colors', (1, 26), '&walk=1..26&label=walk'),
    ('one_hot', 'onehot', 20, '&walk=20&label=walk'),
    ('features', 'features', (2, 3), '&walk=2..3&label=walk'),
    ('cubies', 'cubies', (1, 30), '&walk=1..30&label=walk'),
    ('colors', 'colors', -1, ''),
    ('cubies', 'cubies', -1, ''),
]


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

    def test_the_bytes_are_the_same(self) -> None:
        for kind, form, walk, query in CASES:
            url = f'{self.url}/v1/rows?count={COUNT}&first={FIRST}&seed={SEED}&as={form}&format=raw{query}'
            with urllib.request.urlopen(url) as answer:
                expected = answer.read()
            made = b''
            for part in batches(300, seed=SEED, first=FIRST, count=COUNT, walk=walk, kind=kind):
                made += (part.numbers if walk == -1 else np.column_stack([part.numbers, part.lengths])).tobytes()
            self.assertEqual(len(made), len(expected))
            self.assertEqual(made, expected, url)


if __name__ == '__main__':
    unittest.main()
