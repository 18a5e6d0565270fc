"""Client of cubed, a server for Rubik's cubes of every size.

    from cubed_client import Cubed

    cubed = Cubed("http://localhost:8080")
    cube = cubed.apply(moves="R U R' U'")["cube"]
    print(cubed.solve(cube)["solution"])
"""

from .client import Cubed
from .events import Event
from .pages import Pages
from .problem import NoAnswer, Problem
from .session import Session

__all__ = ["Cubed", "Event", "NoAnswer", "Pages", "Problem", "Session"]
