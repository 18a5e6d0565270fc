"""The shapes of what is sent and answered, by the names of their schemas in openapi.yaml, which says more about each.
Answers may get more members in later versions."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired as NotRequired
else:
    try:
        from typing import NotRequired
    except ImportError:  # Python 3.10: only type checkers know then what may be missing

        class NotRequired:
            def __class_getitem__(cls, value: Any) -> Any:
                return value

# A cube that is sent: {"size": 4}, {"facelets": "..."}, {"session": ID, "at": 3}, an answered Cube, ..., with "moves" on
# top.
CubeInput = Mapping[str, object] | str
# Text, texts, or turns such as {"face": "R", "turns": 2}.
Moves = str | Sequence[str] | Sequence[Mapping[str, object]]
Pattern = Mapping[str, object] | str
Forms = str | Sequence[str]
Role = Literal["owner", "editor", "viewer"]


class PieceRanks(TypedDict):
    """The places and orientations of chosen pieces."""

    corners: NotRequired[list[str]]
    corner_places: NotRequired[int]
    corner_permutation: NotRequired[int]
    corner_orientation: NotRequired[int]
    edges: NotRequired[list[str]]
    edge_places: NotRequired[int]
    edge_permutation: NotRequired[int]
    edge_orientation: NotRequired[int]


class CubeRanks(TypedDict):
    """The parts as a number each; `pieces`: of those that were named."""

    corner_permutation: int
    corner_orientation: int
    edge_permutation: NotRequired[int]
    edge_orientation: NotRequired[int]
    pieces: NotRequired[PieceRanks]


class Cube(TypedDict):
    """The members that are not required are there if `as_` asked for them."""

    size: int
    facelets: str
    solved: bool
    home: bool
    identity: NotRequired[str]
    possible: NotRequired[bool]
    faces: NotRequired[dict[str, list[list[str]]]]
    cubies: NotRequired[dict[str, Any] | None]
    reid: NotRequired[str | None]
    index: NotRequired[str | None]
    features: NotRequired[list[int] | None]
    flatten: NotRequired[dict[str, list[list[int]]]]
    pieces: NotRequired[list[Any] | None]
    rubyks: NotRequired[list[list[int]] | None]
    poses: NotRequired[dict[str, Any] | None]
    compact_poses: NotRequired[list[list[int]] | None]
    kpattern: NotRequired[dict[str, Any] | None]
    ranks: NotRequired[CubeRanks | None]
    names: NotRequired[list[str] | None]
    net: NotRequired[str]


class Metrics(TypedDict):
    htm: int | None
    qtm: int | None
    stm: int | None
    qstm: int | None
    etm: int | None


class AppliedMoves(TypedDict):
    cube: Cube
    moves: str
    metrics: Metrics
    notes: NotRequired[list[dict[str, Any]]]
    turns: NotRequired[list[dict[str, Any]]]


class CubeAnswer(TypedDict):
    cube: Cube


class AlgorithmAnalysis(TypedDict):
    size: int
    canonical: str
    written: NotRequired[str | list[dict[str, Any]]]
    inverse: str
    simplified: str | None
    expanded: str | None
    expanded_length: int | None
    metrics: Metrics
    order: int
    links: dict[str, str | None]
    notes: NotRequired[list[dict[str, Any]]]


class CubeFault(TypedDict):
    """One reason why no turns lead to a cube, and how to repair it."""

    kind: str
    amount: NotRequired[int]
    place: NotRequired[str]
    piece: NotRequired[str]
    letters: NotRequired[str]
    repair: NotRequired[str]


class TransformationAnswer(TypedDict):
    """A transformation; the members that are not required are there with `assembled`."""

    cube: Cube
    possible: NotRequired[bool]
    problems: NotRequired[list[CubeFault]]
    problem_count: NotRequired[int]


class CubeValidation(TypedDict):
    possible: bool
    problems: list[CubeFault]
    problem_count: int
    candidates: NotRequired[list[str]]
    rotation: str | None
    cube: Cube


class Scramble(TypedDict):
    moves: str
    extra: NotRequired[bool]
    cube: Cube


class ScrambleList(TypedDict):
    size: int
    event: str | None
    variant: str
    until: str | None
    goal: str | None
    place: str | None
    distance: int | None
    generators: str | None
    method: Literal["random_state", "random_walk"]
    seed: str | None
    note: str | None
    scrambles: list[Scramble]
    extras: NotRequired[list[Scramble]]


class RandomState(TypedDict):
    cube: Cube


class RandomStateList(TypedDict):
    size: int
    seed: str | None
    states: list[RandomState]


class RowCubies(TypedDict):
    corner_permutation: list[int]
    corner_orientation: list[int]
    edge_permutation: NotRequired[list[int]]
    edge_orientation: NotRequired[list[int]]


class TrainingRow(TypedDict):
    """A row: what `as_` and `label` ask for."""

    colors: NotRequired[list[int]]
    onehot: NotRequired[list[int]]
    features: NotRequired[list[int]]
    cubies: NotRequired[RowCubies]
    permutation: NotRequired[list[int]]
    index: NotRequired[str]
    walk: NotRequired[int]
    solution: NotRequired[str]
    distance: NotRequired[int]
    bound: NotRequired[int]
    children: NotRequired["list[TrainingRow]"]


class CaseAlgorithm(TypedDict):
    moves: str
    before: str
    after: str
    length: int
    effort: float
    generators: str


class SetCase(TypedDict):
    name: str
    aliases: NotRequired[list[str]]
    address: str
    states: int
    mirror: str | None
    inverse: str | None
    cube: Cube
    picture: str
    algorithms: list[CaseAlgorithm]


class CaseSetSummary(TypedDict):
    name: str
    title: str
    size: int
    count: int
    before: str
    after: str
    source: str


class CaseSet(TypedDict):
    name: str
    title: str
    size: int
    count: int
    before: str
    after: str
    source: str
    cases: list[SetCase]


class Solution(TypedDict):
    solution: str | None
    length: int | None
    normal: NotRequired[str | None]
    inverse: NotRequired[str | None]
    notation: NotRequired[Literal["nissy"]]
    method: str
    metric: str
    metrics: Metrics | None
    complete: bool
    optimal: bool
    bound: int | None
    from_history: bool
    stages: list[dict[str, Any]] | None
    lesson: NotRequired[dict[str, Any]]
    count: NotRequired[int | None]
    exhausted: NotRequired[bool]
    lengths: NotRequired[list[dict[str, Any]]]
    solutions: NotRequired[list[dict[str, Any]]]
    tables: NotRequired[dict[str, Any]]
    nodes: int
    time_ms: float
    kept: NotRequired[bool]


class Job(TypedDict):
    id: str
    status: Literal["queued", "running", "done", "failed", "cancelled"]
    method: str
    size: int
    progress: dict[str, Any]
    result: Solution | None
    problem: dict[str, Any] | None


class Actor(TypedDict):
    id: str
    label: str | None
    role: Role


class Entry(TypedDict):
    """One accepted change. `moves` is None if it is too long; `restores`: the revision that an undo, redo or reset
    brought back."""

    revision: int
    kind: Literal["moves", "scramble", "undo", "redo", "reset"]
    moves: str | None
    turns: NotRequired[list[dict[str, Any]] | None]
    restores: NotRequired[int]
    times_ms: NotRequired[list[int]]
    actor: Actor | None
    time: str


class WrittenEntry(TypedDict):
    revision: int
    entry: Entry
    cube: Cube
    rebased_from: NotRequired[int]
    notes: NotRequired[list[dict[str, Any]]]


class Standing(TypedDict):
    """The numbers of entries that can be undone and redone, who turned last, and whose turn it is."""

    revision: int
    undoable: int
    redoable: int
    last: Actor | None
    next: Actor | None


class You(TypedDict):
    """The caller."""

    id: str | None
    label: str | None
    role: Role


class ListedSession(TypedDict):
    """A session; in a list without its cube, unless that was requested."""

    id: str
    size: int
    name: str | None
    access: Literal["edit", "view", "none"]
    listed: bool
    turn_policy: Literal["free", "alternate", "round-robin"]
    revision: int
    created_at: str
    updated_at: str
    scramble: str | None
    cube: NotRequired[Cube]
    standing: NotRequired[Standing]
    you: NotRequired[You]


class SessionDetails(TypedDict):
    id: str
    size: int
    name: str | None
    access: Literal["edit", "view", "none"]
    listed: bool
    turn_policy: Literal["free", "alternate", "round-robin"]
    revision: int
    created_at: str
    updated_at: str
    scramble: str | None
    cube: Cube
    standing: NotRequired[Standing]
    you: NotRequired[You]


class CubeAt(TypedDict):
    revision: int
    cube: Cube


class TokenInfo(TypedDict):
    id: str
    role: Role
    label: str | None
    parent: str | None
    created_at: str
    revoked_at: str | None


class CreatedToken(TokenInfo):
    token: str


# A solve has a member `list`.
Objects = list[dict[str, Any]]


class Solve(TypedDict):
    id: str
    session: str
    origin: Literal["session", "posted", "imported"]
    list: str | None
    event: str
    size: int | None
    created_at: str
    time_ms: int | None
    splits: Objects | None
    penalty: str
    result: str | None
    result_ms: int | None
    scramble: str | None
    start: str | None
    solution: str | None
    clock: Literal["server", "client"] | None
    verified: bool
    assisted: bool
    metrics: Metrics | None
    tps: float | None
    comment: str | None
    revision: int | None
    actor: Actor | None


class RecordedSolve(Solve):
    """`token`: of the new book's owner, shown only once."""

    stages: Objects | None
    token: NotRequired[str]
