"""Rubik's cubes of every size: turn, solve and scramble them.

    >>> from libcube import Cube, solve
    >>> cube = Cube(3, "R U R' U'")
    >>> cube.facelets
    'UULUUFUUFRRUBRRURRFFDFFUFFFDDRDDDDDDBLLLLLLLLBRRBBBBBB'
    >>> solve(cube)
    "U R U' R'"

Arrays of 3x3x3 states for learning programs are in libcube.batch and libcube.env, which need NumPy.
"""

from .algorithm import Algorithm
from .cube import Cube
from .native import CubeError, VERSION as __version__
from .solving import scramble, solve

__all__ = ['Algorithm', 'Cube', 'CubeError', '__version__', 'scramble', 'solve']
