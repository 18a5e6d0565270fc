"""The options of calls that have many of them, by the names of their schemas in openapi.yaml where they have one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

from .types import CubeInput, Forms, Moves, Pattern

if TYPE_CHECKING:
    from typing_extensions import Unpack as Unpack
else:
    try:
        from typing import Unpack
    except ImportError:  # Python 3.10: then the annotation is the TypedDict itself

        class Unpack:
            def __class_getitem__(cls, options: Any) -> Any:
                return options

Notation = Literal["sign", "wca", "inner", "nissy", "kociemba", "rubyks"]
Access = Literal["edit", "view", "none"]
TurnPolicy = Literal["free", "alternate", "round-robin"]
Variant = Literal["plain", "bld", "fmc"]


class LookOptions(TypedDict, total=False):
    """A picture of any cube (docs/reference/pictures.md)."""

    view: Literal["iso", "net", "plan", "trans"]
    colors: str
    pixels: int
    rotate: str
    background: str
    plastic: str
    mask: str
    arrows: str


class SessionPictureOptions(LookOptions, total=False):
    at: int


class PictureOptions(LookOptions, total=False):
    at: int
    size: int
    facelets: str
    index: str
    reid: str
    session: str
    moves: str
    notation: Notation
    case: str


class ScrambleOptions(TypedDict, total=False):
    size: int
    event: str
    count: int
    extras: int
    seed: str
    variant: Variant
    until: str
    goal: str
    place: str
    distance: int
    generators: str
    as_: Forms


class StateOptions(TypedDict, total=False):
    size: int
    count: int
    seed: str
    as_: Forms
    pieces: Forms


class RowOptions(TypedDict, total=False):
    size: Literal[2, 3]
    count: int
    seed: str | int
    first: int
    walk: str | int
    as_: Forms
    label: Forms
    symmetry: Literal["none", "random"]
    children: bool


class SheetOptions(TypedDict, total=False):
    size: int
    event: str
    count: int
    extras: int
    title: str
    seed: str
    variant: Variant


class SolveOptions(TypedDict, total=False):
    """The members of a question beside the cube; SolutionRequest in openapi.yaml says more."""

    method: str
    metric: Literal["htm", "qtm", "stm", "qstm", "etm"]
    until: Pattern
    goal: str
    place: str
    generators: Moves
    niss: bool
    max_length: int
    improve: bool
    solutions: int
    timeout_ms: int
    first: str
    colors: str
    language: str
    steps: int


class SessionChangeRequest(TypedDict, total=False):
    name: str | None
    access: Access
    listed: bool
    turn_policy: TurnPolicy


class NewSessionRequest(SessionChangeRequest, total=False):
    size: int
    cube: CubeInput
    scramble: Moves | bool
    seed: str
    notation: Notation


class Cue(TypedDict, total=False):
    title: str
    text: str
    revision: int
    moves: str
    position: int
    look: dict[str, float]
    marks: list[dict[str, Any]]
    reaction: Literal["clap", "heart", "wow"]


class SolveChangeRequest(TypedDict, total=False):
    penalty: str
    comment: str | None
    list: str | None
    event: str
    solution: str
    assisted: bool


# A solve has a member `list`.
Splits = list[dict[str, Any]]


class NewSolveRequest(TypedDict, total=False):
    session: str
    size: int
    scramble: Moves
    solution: Moves
    notation: Notation
    time_ms: int
    inspection_ms: int
    penalty: str
    comment: str | None
    list: str | None
    event: str
    splits: Splits
    created_at: str
    assisted: bool


class SelectionOptions(TypedDict, total=False):
    """The choice of solves: `from_` and `to` are times."""

    session: str
    size: int
    from_: str
    to: str
    list: str
    event: str
    penalty: Literal["none", "+2", "dnf"]


class ListOptions(SelectionOptions, total=False):
    assisted: bool
    limit: int


class StatsOptions(SelectionOptions, total=False):
    group_by: Literal["event", "list"]
    averages: str | Sequence[str]


class ImportOptions(TypedDict, total=False):
    session: str
    size: int
    event: str
    list: str
    skip_known: bool
