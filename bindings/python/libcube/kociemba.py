"""What programs call that were written for the package kociemba: `import libcube.kociemba as kociemba`."""

from __future__ import annotations

from . import solving

__all__ = ['solve']


def solve(cubestring: str, patternstring: str | None = None, max_depth: int = 24) -> str:
    """Solves a 3x3x3 of 54 letters, faces in the order U R F D L B, in at most `max_depth` moves.

    With `patternstring`, the moves lead to that state instead.

    >>> solve('DRLUUBFBRBLURRLRUBLRDDFDLFUFUFFDBRDUBRUFLLFDDBFLUBLRBD')
    "D2 R' D' F2 B D R2 D2 R U2 D2 L2 B2 D' B2 U' F2 R2 D' R2 U"
    """
    return solving.solve(cubestring, goal=patternstring, enough=max_depth, longest=max_depth)
