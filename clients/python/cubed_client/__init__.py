"""Client of cubed, a server for Rubik's cubes of every size.

    from cubed_client import Cubed

    cubed = Cubed("http://localhost:8080")
    cube = cubed.apply(moves="R U R' U'")["cube"]
    print(cubed.solve(cube)["solution"])

AsyncCubed has the same calls for asyncio.
"""

from .asynchronous import AsyncPages
from .blocking import Pages
from .client import AsyncCubed, Cubed
from .events import Event
from .problem import NoAnswer, Problem
from .session import AsyncSession, Session

__all__ = ["AsyncCubed", "AsyncPages", "AsyncSession", "Cubed", "Event", "NoAnswer", "Pages", "Problem", "Session"]
