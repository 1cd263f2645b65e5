"""Batches of poses, for motion planners: one moving object against another, or configurations of many objects."""
from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from ctypes import byref, c_size_t
from typing import Any

import numpy as np

from . import _declarations as c
from ._arrays import Array
from ._calls import Stopper, call, default, run_stoppable
from ._device import on_device
from ._enumerations import ConfigurationAnswer, Enumeration
from ._errors import NotARotation
from ._library import lib
from ._poses import explain, pose_array
from ._progress import Bar
from .device_queries import DeviceQueries
from .lists import NEAREST
from .names import member_of, value_of
from .objects import SceneObject
from .queries import LONG_CALL_PRIMITIVES, ObjectLike

LONG_CALL_POSES = 100
"""Batches of at least this many poses run on a second thread, so that Ctrl-C stops them. So do smaller batches in
scenes whose queries do."""

PROGRESS_POSES = 10_000
"""The number of poses or configurations between progress reports. Trees that the scene does not keep are built again
for each part."""

BatchProgress = Callable[[int], None]


class PoseBatches(DeviceQueries):
    """Tests and distances of poses. They do not change the scene.

    Surfaces are not filled: an object inside a closed surface that it does not touch is free, and has a positive
    distance from it. ``containments`` finds such objects in the poses of the scene; tetrahedra, polyhedra and spheres
    are solid.
    """

    def test_poses(self, still: ObjectLike, moving: ObjectLike, poses: Any, *, count_pairs: bool = False,
                   test: str = "sat", progress: BatchProgress | bool | None = None,
                   should_stop: Callable[[], bool] | None = None) -> Array:
        """Tests whether, or in how many pairs, ``moving`` intersects ``still`` in each of many poses.

        Surfaces are not filled: a ``moving`` that lies inside ``still`` without touching it is free. ``containments``
        finds such objects in the poses of the scene.

        Parameters
        ----------
        still, moving : SceneObject or name
            ``still`` keeps its pose in the scene.
        poses : array_like or tuple
            (n, 4, 4), or a tuple (rotations, translations). Each replaces the pose of the moving object.
        count_pairs : bool
            The answers are numbers of pairs.
        test : str
            The test for solids: "sat" or "gjk".
        progress : callable or bool, optional
            Called regularly with the number of completed poses. True: a progress bar, if tqdm is
            installed.
        should_stop : callable, optional
            As in ``Query``.

        Returns
        -------
        ndarray of bool, or of uint64 if pairs are counted, shape (n,)
            Filters and exclusions are ignored.
        """
        self.updated()
        if on_device(poses[0] if isinstance(poses, tuple) and poses else poses):
            raise TypeError("test_poses requires poses on the host. For poses on a device, use "
                            "scene.test_configurations([moving], poses, pairs=[(still, moving)])")
        placed = pose_array(poses)
        options = default(c.PoseOptions)
        options.test = value_of(Enumeration.TEST, test)
        options.count_pairs = count_pairs
        answers = np.zeros(len(placed), np.uint64)
        objects = self.id_of(still), self.id_of(moving)

        def test_part(first: int, last: int) -> tuple[Any, ...]:
            part = placed[first:last]
            return (lib.graze_scene_test_poses, self.handle, *objects, part.ctypes.data, len(part), byref(options),
                    answers[first:].ctypes.data)

        self._run_batch(options, test_part, placed, 1, should_stop, progress)
        return answers if count_pairs else answers.astype(bool)

    def test_configurations(self, moving: Sequence[ObjectLike] | Array, poses: Any, *, answer: str = "any",
                            pairs: Sequence[tuple[ObjectLike, ObjectLike]] | None = None, test: str = "sat",
                            progress: BatchProgress | bool | None = None,
                            should_stop: Callable[[], bool] | None = None, out: Any = None) -> Any:
        """Tests configurations: each sets the poses of all moving objects; other objects keep their poses.

        Surfaces are not filled: a link that lies inside an obstacle without touching it is free. ``containments`` finds
        such objects in the poses of the scene; obstacles of tetrahedra, polyhedra and spheres are solid.

        Parameters
        ----------
        moving : sequence of m SceneObjects or names
        poses : array_like or tuple
            (n, m, 4, 4), or a tuple (rotations, translations) of shapes (n, m, 3, 3) and (n, m, 3). One object may
            have (n, 4, 4). Arrays of PyTorch and CuPy on the scene's device stay there, and so do the answers.
        answer : str
            "any": whether a pair intersects; "counts": the number of intersecting pairs; "object_pairs": for each of
            the object pairs, whether the two intersect.
        pairs : sequence of tuples of two SceneObjects, optional
            The object pairs to test; by default those of ``configuration_pairs``.
        test : str
            The test for solids: "sat" or "gjk".
        progress : callable or bool, optional
            Called regularly with the number of completed configurations. True: a progress bar, if tqdm
            is installed.
        should_stop : callable, optional
            As in ``Query``.
        out : array on the scene's device, optional
            The output for poses on the device, contiguous: uint8 or bool; int64 or uint64 for "counts".

        Returns
        -------
        ndarray, or ``out``, or an array of the package of the poses on a device
            bool (n,) for "any", uint64 (n,) for "counts", bool (n, number of object pairs) for "object_pairs".
        """
        self.updated()
        ids = self.object_ids(moving)
        options = default(c.ConfigurationOptions)
        options.answer = wanted = member_of(ConfigurationAnswer, answer, "answer")
        options.test = value_of(Enumeration.TEST, test)
        columns = self._set_pairs(options, ids, pairs, wanted == ConfigurationAnswer.OBJECT_PAIRS)
        if _on_device(poses, out):
            return self._test_device_configurations(ids, poses, options, columns, out, should_stop)
        placed = _configuration_poses(poses, len(ids))
        count = len(placed) // max(len(ids), 1)
        if wanted == ConfigurationAnswer.OBJECT_PAIRS:
            answers = np.zeros((count, columns), np.uint8)
        else:
            answers = np.zeros(count, np.uint64 if wanted == ConfigurationAnswer.COUNTS else np.uint8)

        def test_part(first: int, last: int) -> tuple[Any, ...]:
            part = placed[first * len(ids):last * len(ids)]
            return (lib.graze_scene_test_configurations, self.handle, ids.ctypes.data, len(ids), part.ctypes.data,
                    len(part), byref(options), answers[first:].ctypes.data)

        self._run_batch(options, test_part, placed, len(ids), should_stop, progress)
        return answers if wanted == ConfigurationAnswer.COUNTS else answers.view(bool)

    def measure_poses(self, still: ObjectLike, moving: ObjectLike, poses: Any, *, max_distance: float = math.inf,
                      visit_limit: int = 0, progress: BatchProgress | bool | None = None,
                      should_stop: Callable[[], bool] | None = None, out: Any = None) -> Any:
        """Measures the least distance of ``moving`` from ``still`` in each of many poses.

        Surfaces are not filled: the distance is positive if one lies inside the other without touching it.
        ``containments`` finds such objects in the poses of the scene.

        Parameters
        ----------
        still, moving : SceneObject or name
            ``still`` keeps its pose in the scene.
        poses : array_like or tuple
            (n, 4, 4), or a tuple (rotations, translations). Each replaces the pose of the moving object. Arrays of
            PyTorch and CuPy on the scene's device stay there, and so do the rows.
        max_distance : float
            Objects farther apart than this have an empty row.
        visit_limit : int
            The maximum number of visits for two objects; 0: no limit.
        progress, should_stop
            As in ``test_poses``.
        out : array on the scene's device, optional
            The output for poses on the device: contiguous, float64, shape (n, 20).

        Returns
        -------
        structured ndarray, shape (n,), or DeviceNearests
            The rows of ``nearest`` for the two objects in these poses. An empty row has the distance inf.
            Filters and exclusions are ignored.
        """
        self.updated()
        options = default(c.PoseDistanceOptions)
        options.max_distance, options.visit_limit = max_distance, visit_limit
        call_start = (lib.graze_scene_measure_poses, self.handle, self.id_of(still), self.id_of(moving))
        if _on_device(poses, out):
            return self._measure_on_device(call_start, poses, 1, (), options, out, should_stop)
        return self._measure(call_start, pose_array(poses), 1, (), options, should_stop, progress)

    def measure_configurations(self, moving: Sequence[ObjectLike] | Array, poses: Any, *, each_pair: bool = False,
                               pairs: Sequence[tuple[ObjectLike, ObjectLike]] | None = None,
                               max_distance: float = math.inf, visit_limit: int = 0,
                               progress: BatchProgress | bool | None = None,
                               should_stop: Callable[[], bool] | None = None, out: Any = None) -> Any:
        """Measures the least distance in each of many configurations, of all object pairs or of each.

        Surfaces are not filled: a link that lies inside an obstacle without touching it has a positive distance.
        ``containments`` finds such objects in the poses of the scene.

        Parameters
        ----------
        moving, poses, pairs
            As in ``test_configurations``.
        each_pair : bool
            Return a row for each object pair. Otherwise each configuration has one row, for the nearest pair.
        max_distance, visit_limit
            As in ``measure_poses``.
        progress, should_stop
            As in ``test_poses``.
        out : array on the scene's device, optional
            The output for poses on the device: contiguous, float64, shape (n, 20), or (n, number of object pairs, 20).

        Returns
        -------
        structured ndarray, shape (n,) or (n, number of object pairs), or DeviceNearests
            The rows of ``nearest`` for the objects in these poses. Object pairs that are filtered out, excluded, or
            farther apart than ``max_distance`` have the distance inf.
        """
        self.updated()
        ids = self.object_ids(moving)
        options = default(c.PoseDistanceOptions)
        options.max_distance, options.visit_limit = max_distance, visit_limit
        options.each_pair = each_pair
        columns = self._set_pairs(options, ids, pairs, each_pair)
        shape = (columns,) if each_pair else ()
        call_start = (lib.graze_scene_measure_configurations, self.handle, ids.ctypes.data, len(ids))
        if _on_device(poses, out):
            return self._measure_on_device(call_start, poses, len(ids), shape, options, out, should_stop)
        placed = _configuration_poses(poses, len(ids))
        return self._measure(call_start, placed, len(ids), shape, options, should_stop, progress)

    def _measure(self, call_start: tuple[Any, ...], placed: Array, width: int, shape: tuple[int, ...],
                 options: c.PoseDistanceOptions, should_stop: Callable[[], bool] | None,
                 progress: BatchProgress | bool | None) -> Array:
        """Measures ``width`` poses per answer, which is one row or has rows of this shape."""
        rows = np.zeros((len(placed) // max(width, 1), *shape), NEAREST)

        def measure_part(first: int, last: int) -> tuple[Any, ...]:
            part = placed[first * width:last * width]
            return (*call_start, part.ctypes.data, len(part), byref(options), rows[first:].ctypes.data)

        self._run_batch(options, measure_part, placed, width, should_stop, progress)
        return rows

    def _set_pairs(self, options: c.Struct, ids: Array, pairs: Sequence[tuple[ObjectLike, ObjectLike]] | None,
                   counted: bool) -> int:
        """Sets the object pairs of configurations; returns their number if it is required."""
        if pairs is None:
            return self._configuration_pair_count(ids) if counted else 0
        options.tested = tested = self.object_ids(item for pair in pairs for item in pair)  # the struct keeps it alive
        options.pairs, options.pair_count = tested.ctypes.data, len(tested) // 2
        return len(tested) // 2

    def _configuration_pair_count(self, ids: Array) -> int:
        count = c_size_t()
        call(lib.graze_scene_list_configuration_pairs, self.handle, ids.ctypes.data, len(ids), None, 0, byref(count))
        return count.value

    def configuration_pairs(self, moving: Iterable[ObjectLike] | Array) -> list[tuple[SceneObject, SceneObject]]:
        """Returns the object pairs that configurations of these objects test, in the order of the answers."""
        self.updated()
        ids = self.object_ids(moving)
        listed = np.zeros((self._configuration_pair_count(ids), 4), np.uint32)
        count = c_size_t()
        call(lib.graze_scene_list_configuration_pairs, self.handle, ids.ctypes.data, len(ids), listed.ctypes.data,
             len(listed), byref(count))
        return [(self._object(a, b), self._object(x, y)) for a, b, x, y in listed.tolist()]

    def _object(self, index: int, generation: int) -> SceneObject:
        raise NotImplementedError

    def _run_batch(self, options: c.Struct, test_part: Callable[[int, int], tuple[Any, ...]], poses: Array, width: int,
                   should_stop: Callable[[], bool] | None, progress: BatchProgress | bool | None) -> None:
        """Runs a batch with ``width`` poses per answer, in parts if progress is reported. The error for an invalid pose
        contains its index and deviation."""
        stopper = Stopper(should_stop)
        stopper.attach(options)
        may_take_long = len(poses) >= LONG_CALL_POSES or self.primitive_total >= LONG_CALL_PRIMITIVES
        count = len(poses) // max(width, 1)
        bar = Bar(count, "poses") if progress is True else None
        show = bar.move_to if bar is not None else progress if callable(progress) else None
        step = PROGRESS_POSES if show is not None else max(count, 1)
        try:
            for first in range(0, max(count, 1), step):
                last = min(first + step, count)
                run_stoppable(stopper, may_take_long, *test_part(first, last))
                if show is not None:
                    show(last)
        except NotARotation as error:
            raise explain(poses, error) from None
        finally:
            if bar is not None:
                bar.close()


def _on_device(poses: Any, out: Any) -> bool:
    """Whether poses are on a device; rejects ``out`` if they are not."""
    there = on_device(poses[0] if isinstance(poses, tuple) and poses else poses)
    if out is not None and not there:
        raise ValueError("out is for poses on a device")
    return there


def _configuration_poses(poses: Any, moving: int) -> Array:
    """Returns poses grouped by configuration: (n * m, 12)."""
    if isinstance(poses, tuple) and len(poses) == 2:
        rotations, translations = np.asarray(poses[0]), np.asarray(poses[1])
        if moving == 1 and rotations.ndim == 3:
            rotations, translations = rotations[:, None], translations[:, None]
        shape = rotations.shape
        if rotations.ndim != 4 or shape[1] != moving or translations.shape != shape[:2] + (3,):
            raise ValueError(f"{moving} moving objects require rotations (n, {moving}, 3, 3) and translations "
                             f"(n, {moving}, 3), not {shape} and {translations.shape}")
        return pose_array((rotations.reshape(-1, 3, 3), translations.reshape(-1, 3)))
    matrices = np.asarray(poses)
    if matrices.ndim == 2 and matrices.shape[1] == 12:
        return pose_array(matrices)
    if moving == 1 and matrices.ndim == 3:
        matrices = matrices[:, None]
    if matrices.ndim != 4 or matrices.shape[1] != moving:
        raise ValueError(f"{moving} moving objects require poses of shape (n, {moving}, 4, 4), not {matrices.shape}")
    return pose_array(matrices.reshape(-1, *matrices.shape[2:]))
