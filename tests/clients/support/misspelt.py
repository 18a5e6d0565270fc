"""Calls with options that are misspelt or of a wrong type, beside right ones. package.mjs lets mypy find them."""

from cubed_client import AsyncCubed, Cubed

cubed = Cubed("http://localhost:8080")
cube = cubed.apply(moves="R", as_="faces")["cube"]
cubed.apply(movse="R")  # wrong
cubed.scramble(count=3, seed="x")
cubed.scramble(cuont=3)  # wrong
cubed.picture(size=3, mask="f2l")
cubed.picture(size="large")  # wrong
cubed.solve(cube, method="optimal", on_progress=print)
cubed.solve(cube, metod="optimal")  # wrong
session = cubed.create_session(size=3, access="none")
cubed.create_session(size=3, acess="none")  # wrong
session.configure(listed=True)
session.configure(listd=True)  # wrong
cubed.solves.add(time_ms=1)
cubed.solves.add(time=1)  # wrong
for solve in cubed.solves.list(limit=3):
    print(solve["result"])
cubed.solves.list(limits=3)  # wrong


async def later() -> None:
    client = AsyncCubed("http://localhost:8080")
    solution = await client.solve(cube, improve=True)
    print(solution["length"])
    await client.solve(cube, improved=True)  # wrong
    async for event in client.session("0" * 16).watch(after=3):
        print(event.data)
    client.session("0" * 16).watch(afer=3)  # wrong
