"""Finds intersecting primitives of meshes in one call, like ``graze check``."""
from __future__ import annotations

import html
import importlib
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _words
from ._arrays import Array
from ._enumerations import Kind
from ._library import lib
from ._signatures import takes
from .connected import components as split
from .connected import weld as joined
from .lists import Contacts, Containments, Distances, Pairs, Regions, Wrenches
from .meshes import UNNAMED, ArrayLike, Mesh, MeshLike, is_file, is_mesh_like, kind_word, mesh, read_all
from .scene import Scene

if TYPE_CHECKING:
    from .pictures import Picture

CLASH_PAIRS = 1_000_000
"""With more pairs, only ``Check.regions`` counts clashes: this takes about a microsecond per pair."""


@dataclass(frozen=True)
class CheckOptions:
    """The options of ``check``, which documents them."""

    within: bool | None = None
    between: bool | None = None
    separate: bool = False
    components: bool = False
    weld: bool = False
    exclude: tuple[tuple[int | str, int | str], ...] = ()
    poses: tuple[Any, ...] | None = None
    solid: bool = False
    clearance: float = 0.0
    rings: int = 1
    units: str | None = None
    limit: int = 0
    neighbors: str | None = None
    candidates: bool = False
    test: str = "sat"
    method: str = "auto"
    threads: int = 0
    backend: str = "cpu"
    device: int | None = None
    allow_large: bool = False


def stem_of(file: str) -> str:
    """The name of a file without its ending, such as .stl or .stl.gz."""
    return file.removesuffix(".gz").rpartition(".")[0] or file


class Check:
    """The result of a check. ``print`` shows the verdict of ``graze check``.

    Attributes
    ----------
    meshes : tuple of Mesh
        The objects, indexed by their numbers in pairs.
    options : CheckOptions
        The options of the check.
    found : Pairs
        The pairs with all four numbers, for any number of meshes.
    within, between : bool
        Whether pairs within one object, and between two objects, were searched for.
    neighbors : str
        The rule for primitives that share a vertex: "skip" or "beyond".
    source_count : int
        The number of meshes passed to ``check``; a mesh may become several objects.
    timings : dict of str to float
        Milliseconds of each stage, of the whole "frame", and of "reading" the meshes.
    """

    def __init__(self, meshes: Sequence[Mesh], options: CheckOptions, source_count: int, reading_ms: float,
                 should_stop: Callable[[], bool] | None) -> None:
        self.meshes = tuple(meshes)
        self.options = options
        self.source_count = source_count
        self.within, self.between = self._scope()
        self.neighbors = options.neighbors or self._usual_neighbors()
        scene = self._scene
        self.excluded_count = scene.ignored_count
        start = time.perf_counter()
        scene.update()
        self.found: Pairs = scene.pairs(
            within=self.within, between=self.between, neighbors=self.neighbors, test=options.test,
            candidates_only=options.candidates, pair_limit=options.limit, clearance=options.clearance,
            clearance_rings=options.rings, should_stop=should_stop)
        frame_ms = (time.perf_counter() - start) * 1e3
        self.timings: dict[str, float] = {**self.found.timings, "frame": frame_ms, "reading": reading_ms}
        if options.solid:
            self._refuse_open_surfaces()

    def _scope(self) -> tuple[bool, bool]:
        """The default scope: one mesh within itself and between its parts, several meshes against each other."""
        parts = self.source_count == 1
        within = self.options.within if self.options.within is not None else parts
        between = self.options.between if self.options.between is not None else len(self.meshes) > 1
        return within, between

    def _usual_neighbors(self) -> str:
        """The default rule: "beyond" for surfaces, where a fold over a common edge is a defect, "skip" for solids."""
        return "beyond" if self.within and not self.options.candidates and self.solid_count == 0 else "skip"

    # ------------------------------------------------------------------------------------------ the scene

    @cached_property
    def _scene(self) -> Scene:
        """The scene with all meshes; it is created again after unpickling."""
        options = self.options
        scene = Scene(workers=options.threads, backend=options.backend, device=options.device, method=options.method)
        poses: Sequence[Any] = [None] * len(self.meshes) if options.poses is None else options.poses
        if len(poses) != len(self.meshes):
            raise ValueError(f"there are {len(self.meshes)} objects and {len(poses)} poses")
        objects = [part.add_to(scene, pose=pose) for part, pose in zip(self.meshes, poses)]
        scene.ignore_pairs([(objects[self.number_of(a)], objects[self.number_of(b)]) for a, b in options.exclude])
        return scene

    def number_of(self, which: int | str) -> int:
        """Returns the object number for a number or a name; files may lack their folders, or folders and ending."""
        if isinstance(which, str):
            forms = [(part.name, short, stem_of(short)) for part, short in zip(self.meshes, self._short_names)]
            found = ([i for i, form in enumerate(forms) if form[k] == which] for k in range(3))
            numbers: list[int] = next((some for some in found if some), [])
            if len(numbers) != 1:
                names = ", ".join(repr(part.name) for part in self.meshes)
                raise ValueError(f"{len(numbers) or 'no'} objects are called {which!r}; the objects are {names}")
            return numbers[0]
        if not 0 <= which < len(self.meshes):
            raise IndexError(f"there is no object {which}; they are numbered 0 to {len(self.meshes) - 1}")
        return which

    def placed_meshes(self) -> list[Mesh]:
        """The meshes with their poses applied."""
        if self.options.poses is None:
            return list(self.meshes)
        return [replace(part, vertices=item.posed_positions()) for part, item in zip(self.meshes, self._scene)]

    def _refuse_open_surfaces(self) -> None:
        for part, item in zip(self.meshes, self._scene):
            if lib.graze_kind_is_solid(part.kind):
                continue
            edges = item.open_edges()
            if edges.count:
                ends = [", ".join(f"{x:.9g}" for x in end) for end in (edges.start, edges.end)]
                fault = "not oriented consistently" if edges.count == edges.reversed_count else "not closed"
                raise ValueError(f"{part.name} is {fault}: {_words.edges(edges, kind_word(part.kind, 2))}; the first is "
                                 f"from ({ends[0]}) to ({ends[1]}) at {kind_word(part.kind, 1)} {edges.primitive}. "
                                 "solid=True needs closed surfaces")
            count, primitive = item.inward_shells()
            if count:
                shells = "it faces" if count == 1 else f"{_words.counted(count, 'shell')} of it face"
                raise ValueError(f"{part.name} is inside out: {shells} inward{', the first' * (count > 1)} at "
                                 f"{kind_word(part.kind, 1)} {primitive}. solid=True needs surfaces that face outward")

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in self.__dict__.items() if key != "_scene"}

    # ------------------------------------------------------------------------------------------ pairs

    @property
    def count(self) -> int:
        """The number of pairs."""
        return len(self.found)

    @property
    def ok(self) -> bool:
        """Whether nothing was found, as for exit status 0 of ``graze check``. Objects inside others count only with
        ``solid=True``; ``containments`` lists them."""
        return self.count == 0 and not (self.options.solid and self.containments)

    @property
    def hash(self) -> int:
        """The 64-bit hash of the pairs; the tool prints it as 16 hexadecimal digits."""
        return self.found.hash

    @property
    def limit_reached(self) -> bool:
        """Whether there are more pairs than the ``limit``."""
        return self.found.limit_reached

    @property
    def counters(self) -> dict[str, int]:
        """The counters of the query."""
        return self.found.counters

    @property
    def pairs(self) -> Array:
        """The sorted pairs: (k, 2), primitives of one object, or (k, 4), object and primitive twice."""
        return self.found.array[:, 1::2] if len(self.meshes) == 1 else self.found.array

    @cached_property
    def _object_table(self) -> tuple[Array, Array]:
        width = np.uint64(max(len(self.meshes), 1))
        both = self.found.array[:, ::2].astype(np.uint64)
        keys, counts = np.unique(both[:, 0] * width + both[:, 1], return_counts=True)
        return np.column_stack([keys // width, keys % width]).astype(np.uint32), counts

    @property
    def object_pairs(self) -> Array:
        """The pairs of objects, shape (n, 2), that have pairs of primitives."""
        return self._object_table[0]

    @property
    def object_pair_counts(self) -> Array:
        """The number of pairs of primitives of each of ``object_pairs``."""
        return self._object_table[1]

    @cached_property
    def faces(self) -> Any:
        """Masks of the primitives in a pair: one mask for a single mesh, otherwise a list with a mask for each mesh."""
        first = np.cumsum([0] + [part.count for part in self.meshes])
        mask = np.zeros(first[-1], bool)
        for side in (0, 2):
            mask[first[self.found.array[:, side]] + self.found.array[:, side + 1]] = True
        return mask if len(self.meshes) == 1 else np.split(mask, first[1:-1])

    # ------------------------------------------------------------------------------------------ what pairs share

    def _refuse_without_intersections(self, what: str) -> None:
        if self.options.candidates or self.options.clearance > 0:
            raise ValueError(f"{what} are those of pairs that intersect; this check has "
                             + ("candidates=True" if self.options.candidates else "a clearance"))

    @cached_property
    def contacts(self) -> Contacts:
        """The contact of each pair, in the order of the pairs: depth, normal, centroid, points."""
        self._refuse_without_intersections("contacts")
        return self._scene.contacts(self.found, test=self.options.test)

    @cached_property
    def distances(self) -> Distances:
        """The distance and the nearest points of each pair; 0 for pairs that intersect."""
        return self._scene.distances(self.found)

    @property
    def _short_names(self) -> list[str]:
        """The names of the meshes without folders, so that ids of clashes do not depend on the folder."""
        files = [part.name.partition("[") for part in self.meshes]
        return [file.rpartition("/")[2] + bracket + rest for file, bracket, rest in files]

    @cached_property
    def _regions(self) -> Regions:
        self._refuse_without_intersections("regions")
        if self.options.limit:
            raise ValueError("regions need all pairs; this check has a limit")
        return self._scene.regions(self.found, test=self.options.test, object_names=self._short_names)

    def regions(self) -> Regions:
        """The clashes: groups of connected pairs, with depths and curves."""
        return self._regions

    def curves(self) -> list[Array]:
        """The curves where surfaces cross or touch, and the boundaries of shared areas: polylines of shape (n, 3)."""
        return self._regions.polylines()

    @cached_property
    def clashes(self) -> Regions | None:
        """The clashes that the verdict counts, without depths and curves. None for a single pair, for more than a
        million pairs, for spheres only, and if pairs need not intersect or are not all listed."""
        options = self.options
        if options.candidates or options.limit or options.clearance > 0 or not 1 < self.count <= CLASH_PAIRS:
            return None
        if all(part.kind == Kind.SPHERE for part in self.meshes):
            return None
        return self._scene.regions(self.found, depths=False, curves=False, test=options.test,
                                   object_names=self._short_names)

    @property
    def solid_count(self) -> int:
        """The number of objects of tetrahedra, polyhedra or spheres."""
        return sum(bool(lib.graze_kind_is_solid(part.kind)) and part.count > 0 for part in self.meshes)

    @cached_property
    def wrenches(self) -> Wrenches | None:
        """The shared volumes of objects of solids; None if there are fewer than two such objects."""
        if self.options.candidates or self.options.clearance > 0 or not self.between or self.solid_count < 2:
            return None
        return self._scene.wrenches(self.found, wrench_test=self.options.test)

    @cached_property
    def containments(self) -> Containments | None:
        """The objects inside the closed surface of another without touching it; None if not determined."""
        if len(self.meshes) < 2 or not self.between or self.options.candidates:
            return None
        if self.limit_reached and not self.options.solid:
            return None
        known = not self.limit_reached and not self.options.clearance > 0
        return self._scene.containments(self.object_pairs if known else None)

    # ------------------------------------------------------------------------------------------ showing it

    @cached_property
    def verdict(self) -> str:
        """The result in one sentence: the first line of ``graze check``, without size and duration."""
        return _words.verdict(self)

    def _lines(self) -> list[str]:
        lines = []
        for block in (_words.clash_lines(self), _words.table_lines(self)):
            rows = list(block)
            lines += ["", *rows] if rows else []
        return [*lines, "", f"hash  {self.hash:016x}", *_words.note_lines(self)]

    @property
    def _costs(self) -> str:
        return f" ({_words.amount(self)}, {_words.duration(self.timings['frame'])})."

    def __str__(self) -> str:
        return "\n".join([self.verdict + self._costs, *self._lines()])

    def __repr__(self) -> str:
        return f"<Check: {self.verdict}>"

    def _repr_html_(self) -> str:
        color = "#1a7f37" if self.ok else "#c62828"
        return (f'<div><b style="color:{color}">{html.escape(self.verdict)}</b>{html.escape(self._costs)}'
                f"<pre>{html.escape(chr(10).join(self._lines()).strip())}</pre></div>")

    def __bool__(self) -> bool:
        raise TypeError("a Check is neither true nor false: use .ok, which is True when nothing was found, or .count")

    def to_dataframe(self, *, contacts: bool = False) -> Any:
        """Returns the pairs as a pandas DataFrame with the columns of the tool's CSV.

        Parameters
        ----------
        contacts : bool, optional
            Adds the columns of ``contacts``: kind, depth, normal, volume, centroid.
        """
        try:
            pandas: Any = importlib.import_module("pandas")
        except ImportError:
            raise ImportError("to_dataframe needs pandas: install it, or use .pairs") from None
        names = ("object_a", "primitive_a", "object_b", "primitive_b")
        columns: dict[str, Any] = {name: self.found.array[:, i] for i, name in enumerate(names)}
        if self.options.clearance > 0:
            columns["distance"] = self.distances.array["distance"]
        if contacts:
            rows = self.contacts.array
            columns.update({name: rows[name] for name in ("kind", "depth", "volume")})
            columns.update({f"{name}_{axis}": rows[name][:, i] for name in ("normal", "centroid")
                            for i, axis in enumerate("xyz")})
        return pandas.DataFrame(columns)

    def picture(self, *, camera: str | tuple[float, float] | None = None, up: str | None = None,
                crease: float | None = None, zoom_to: str | None = None, shrink: int = 2) -> Picture:
        """Draws the meshes with primitives in pairs marked. The parameters are those of ``pictures.draw``."""
        from .pictures import draw_check
        return draw_check(self, camera=camera, up=up, crease=crease, zoom_to=zoom_to, shrink=shrink)

    def show(self, path: str | None = None, *, camera: str | tuple[float, float] | None = None, up: str | None = None,
             crease: float | None = None, zoom_to: str | None = None, shrink: int = 2) -> Picture:
        """Shows a picture in the notebook, or opens it as a file.

        Parameters
        ----------
        path : str, optional
            The PNG file to write instead of opening it.
        camera, up, crease, zoom_to, shrink
            As in ``picture``.
        """
        return self.picture(camera=camera, up=up, crease=crease, zoom_to=zoom_to, shrink=shrink).show(path)


# ------------------------------------------------------------------------------------------------ the call

def sources_of(meshes: Sequence[Any]) -> list[MeshLike]:
    """Returns the meshes of positional arguments: vertices and faces, one list of meshes, or meshes."""
    given = list(meshes)
    if len(given) == 1 and isinstance(given[0], list) and given[0] and all(map(is_mesh_like, given[0])):
        return list(given[0])
    if len(given) == 2 and not any(is_mesh_like(part) or np.isscalar(part) for part in given):
        return [(given[0], given[1])]
    return given


def objects_of(sources: Iterable[MeshLike], *, separate: bool = False, components: bool = False, weld: bool = False,
               allow_large: bool = False) -> list[Mesh]:
    """Returns the objects of meshes: optionally their parts or components, optionally welded."""
    found: list[Mesh] = []
    given = list(sources)
    for number, source in enumerate(given):
        if is_file(source):
            parts = read_all(source, separate=separate, allow_large=allow_large)
        else:
            try:
                part = mesh(source)
            except TypeError as error:
                raise TypeError(f"mesh {number}: {error}") from None
            unnamed = len(given) > 1 and part.name in UNNAMED
            parts = [replace(part, name=f"{part.name} {number}") if unnamed else part]
        parts = [joined(part) for part in parts] if weld else parts
        found += [piece for part in parts for piece in split(part)] if components else parts
    return found


def check(*meshes: MeshLike | ArrayLike, within: bool | None = None, between: bool | None = None,
          separate: bool = False, components: bool = False, weld: bool = False,
          exclude: Iterable[tuple[int | str, int | str]] = (), poses: Sequence[Any] | None = None, solid: bool = False,
          clearance: float = 0.0, rings: int = 1, units: str | None = None, limit: int = 0,
          neighbors: str | None = None, candidates: bool = False, test: str = "sat", method: str = "auto",
          threads: int = 0, backend: str = "cpu", device: int | None = None, allow_large: bool = False,
          should_stop: Callable[[], bool] | None = None) -> Check:
    """Finds all intersecting pairs of primitives, exactly. Touching primitives intersect.

    One mesh is tested against itself, several meshes against each other.

    Parameters
    ----------
    *meshes
        File names; objects of trimesh, Open3D, PyVista or meshio; pairs (vertices, faces); ``gz.mesh(...)`` and
        ``gz.spheres(...)``; or two arrays: vertices (n, 3) and faces (m, 3). A list of meshes is expanded.
    within, between : bool, optional
        Find pairs of primitives of one object, and of two objects. The default is ``within`` for one mesh, ``between``
        for several meshes, and both for the parts of one mesh.
    separate : bool
        Each part of a file is a separate object: groups, solids, placed meshes.
    components : bool
        Each connected component is a separate object.
    weld : bool
        Merges vertices with equal coordinates, so that faces that meet there are neighbors.
    exclude : iterable of pairs
        Pairs of objects, by number or name, that are not tested.
    poses : sequence, optional
        The pose of each object: a 4x4 matrix, a tuple (rotation, translation), or None.
    solid : bool
        Surfaces enclose solids: an object inside another counts as intersecting. Surfaces must be closed and
        face outward.
    clearance : float
        Finds all pairs whose distance is at most this.
    rings : int
        With a clearance: within an object, ignores pairs fewer than ``rings`` + 1 rings apart along the mesh.
    units : str, optional
        The unit of the clearance, as a label.
    limit : int
        The maximum number of pairs to list; 0: all.
    neighbors : str, optional
        "skip" or "beyond": whether primitives of one object that share a vertex are tested beyond what they share.
        By default "beyond" for surfaces and "skip" for solids.
    candidates : bool
        List pairs with intersecting bounding boxes, without the exact test.
    test : str
        The test for solids: "sat" or "gjk".
    method, threads, backend, device
        See ``Scene``. They do not change the pairs. ``threads`` = 0 uses one thread for each processor.
    allow_large : bool
        Reads compressed files of any expanded size.
    should_stop : callable, optional
        Called regularly; if it returns true, the check raises ``Stopped``.

    Returns
    -------
    Check

    Examples
    --------
    >>> import grazelib as gz
    >>> vertices = [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0.5, 0.5, -1], [0.5, 0.5, 1], [3, 3, 0]]
    >>> result = gz.check(vertices, [[0, 1, 2], [3, 4, 5]])
    >>> result.verdict
    'mesh intersects itself: 1 pair of triangles'
    >>> result.pairs.tolist()
    [[0, 1]]
    """
    start = time.perf_counter()
    sources = sources_of(meshes)
    if not sources:
        raise TypeError("check needs a mesh: a file name, an object with .vertices and .faces, or vertices and faces")
    if limit < 0 or clearance < 0:
        raise ValueError("limit and clearance must not be negative")
    if clearance > 0 and (solid or candidates):
        raise ValueError(f"clearance and {'solid' if solid else 'candidates'} cannot be combined: pairs within a "
                         "clearance need not intersect")
    objects = objects_of(sources, separate=separate, components=components, weld=weld, allow_large=allow_large)
    reading_ms = (time.perf_counter() - start) * 1e3
    options = CheckOptions(within, between, separate, components, weld, tuple((a, b) for a, b in exclude),
                           None if poses is None else tuple(poses), solid, float(clearance), rings, units, limit,
                           neighbors, candidates, test, method, threads, backend, device, allow_large)
    return Check(objects, options, len(sources), reading_ms, should_stop)


def _options(a: MeshLike, b: MeshLike, *, separate: bool = False, components: bool = False, weld: bool = False,
             exclude: Iterable[tuple[int | str, int | str]] = (), poses: Sequence[Any] | None = None,
             solid: bool = False, clearance: float = 0.0, rings: int = 1, units: str | None = None, limit: int = 0,
             neighbors: str | None = None, candidates: bool = False, test: str = "sat", method: str = "auto",
             threads: int = 0, backend: str = "cpu", device: int | None = None, allow_large: bool = False,
             should_stop: Callable[[], bool] | None = None) -> None:
    """Template: the options of ``check`` for two meshes. A test compares them."""


@takes(_options)
def intersections(a: MeshLike, b: MeshLike, **options: Any) -> Check:
    """Finds all intersecting pairs of a primitive of ``a`` and one of ``b``; the options are those of ``check``.

    >>> import grazelib as gz
    >>> ball = gz.spheres([[0, 0, 0]], 1.0)
    >>> gz.intersections(ball, gz.spheres([[1, 0, 0], [5, 0, 0]], 1.0)).pairs.tolist()
    [[0, 0, 1, 0]]
    """
    return check(a, b, within=False, between=True, **options)
