"""Batches of poses, for motion planners: one moving object against another, or configurations of many objects."""
from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from ctypes import byref, c_size_t
from typing import Any

import numpy as np

from . import _declarations as c
from ._arrays import Array
from ._calls import Stopper, call, default, run_stoppable
from ._device import on_device
from ._enumerations import Enumeration
from ._errors import NotARotation
from ._library import lib
from ._poses import explain, pose_array
from ._progress import Bar
from .device_queries import DeviceQueries, set_answers
from .lists import NEAREST
from .names import value_of
from .objects import SceneObject
from .queries import LONG_CALL_PRIMITIVES, ObjectLike

LONG_CALL_POSES = 100
"""Batches of at least this many poses run on a second thread, so that Ctrl-C stops them. So do smaller batches in
scenes whose queries do."""

PROGRESS_POSES = 10_000
"""The number of poses or configurations between progress reports. Trees that the scene does not keep are built again
for each part."""

BatchProgress = Callable[[int], None]

ANSWERS = ("any", "counts", "object_pairs")
"""The answers of ``test_configurations``."""

PADDING = np.dtype([("object", np.uint32, 2), ("padding", np.float64)])
"""graze_batch_padding."""


class PoseBatches(DeviceQueries):
    """Tests and distances of poses. They do not change the scene.

    Surfaces are not filled: an object inside a closed surface that it does not touch is free, and has a positive
    distance from it. ``containments`` finds such objects in the poses of the scene; tetrahedra, polyhedra and spheres
    are solid.
    """

    def test_poses(self, still: ObjectLike, moving: ObjectLike, poses: Any, *, count_pairs: bool = False,
                   test: str = "sat", clearance: float = 0.0, padding: Mapping[ObjectLike, float] | None = None,
                   progress: BatchProgress | bool | None = None,
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
        clearance : float
            Pairs within this distance count; 0: pairs that intersect.
        padding : dict of SceneObject or name to float, optional
            Objects whose distance from others counts as smaller by a length.
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
        ids = self.object_ids([moving])
        batch = self._batch(ids, [(still, moving)], padding)
        batch.ignore_filters, batch.test, batch.clearance = True, value_of(Enumeration.TEST, test), clearance
        placed = pose_array(poses)
        answers = np.zeros(len(placed), np.uint64 if count_pairs else np.uint8)
        self._run_batch(batch, answers, placed, 1, should_stop, progress)
        return answers if count_pairs else answers.view(bool)

    def test_configurations(self, moving: Sequence[ObjectLike] | Array, poses: Any, *, answer: str = "any",
                            pairs: Sequence[tuple[ObjectLike, ObjectLike]] | None = None, test: str = "sat",
                            clearance: float = 0.0, padding: Mapping[ObjectLike, float] | None = None,
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
        clearance : float
            Pairs within this distance count; 0: pairs that intersect.
        padding : dict of SceneObject or name to float, optional
            Objects whose distance from others counts as smaller by a length.
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
        if answer not in ANSWERS:
            raise ValueError(f"answer must be one of {', '.join(ANSWERS)}, not {answer!r}")
        batch = self._batch(ids, pairs, padding)
        batch.each_pair = answer == "object_pairs"
        batch.test, batch.clearance = value_of(Enumeration.TEST, test), clearance
        columns = self._column_shape(batch, ids)
        dtype = np.uint64 if answer == "counts" else np.uint8
        if _on_device(poses, out):
            return self._test_on_device(batch, poses, len(ids), columns, dtype, out, should_stop)
        placed = _configuration_poses(poses, len(ids))
        answers = np.zeros((len(placed) // max(len(ids), 1), *columns), dtype)
        self._run_batch(batch, answers, placed, len(ids), should_stop, progress)
        return answers if answer == "counts" else answers.view(bool)

    def measure_poses(self, still: ObjectLike, moving: ObjectLike, poses: Any, *, max_distance: float = math.inf,
                      visit_limit: int = 0, padding: Mapping[ObjectLike, float] | None = None,
                      any_contact: bool = False, progress: BatchProgress | bool | None = None,
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
        padding : dict of SceneObject or name to float, optional
            Objects whose distance from others counts as smaller by a length, when it is compared. Rows have distances
            without padding.
        any_contact : bool
            The rows of objects that touch name no pair. Much faster for objects that touch in many pairs.
        progress, should_stop
            As in ``test_poses``.
        out : array on the scene's device, optional
            The output for poses on the device: contiguous, float64, shape (n, 20).

        Returns
        -------
        structured ndarray, shape (n,), or DeviceNearestList
            The rows of ``nearest`` for the two objects in these poses. An empty row has the distance inf.
            Filters and exclusions are ignored.
        """
        self.updated()
        ids = self.object_ids([moving])
        batch = self._batch(ids, [(still, moving)], padding)
        batch.ignore_filters = True
        batch.max_distance, batch.visit_limit, batch.any_contact = max_distance, visit_limit, any_contact
        if _on_device(poses, out):
            return self._measure_on_device(batch, poses, 1, (), out, should_stop)
        return self._measure(batch, pose_array(poses), 1, (), should_stop, progress)

    def measure_configurations(self, moving: Sequence[ObjectLike] | Array, poses: Any, *, each_pair: bool = False,
                               pairs: Sequence[tuple[ObjectLike, ObjectLike]] | None = None,
                               max_distance: float = math.inf, visit_limit: int = 0,
                               padding: Mapping[ObjectLike, float] | None = None, any_contact: bool = False,
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
        max_distance, visit_limit, padding, any_contact
            As in ``measure_poses``.
        progress, should_stop
            As in ``test_poses``.
        out : array on the scene's device, optional
            The output for poses on the device: contiguous, float64, shape (n, 20), or (n, number of object pairs, 20).

        Returns
        -------
        structured ndarray, shape (n,) or (n, number of object pairs), or DeviceNearestList
            The rows of ``nearest`` for the objects in these poses. Object pairs that are filtered out, excluded, or
            farther apart than ``max_distance`` have the distance inf.
        """
        self.updated()
        ids = self.object_ids(moving)
        batch = self._batch(ids, pairs, padding)
        batch.max_distance, batch.visit_limit, batch.any_contact = max_distance, visit_limit, any_contact
        batch.each_pair = each_pair
        columns = self._column_shape(batch, ids)
        if _on_device(poses, out):
            return self._measure_on_device(batch, poses, len(ids), columns, out, should_stop)
        return self._measure(batch, _configuration_poses(poses, len(ids)), len(ids), columns, should_stop, progress)

    def _measure(self, batch: c.BatchDef, placed: Array, width: int, columns: tuple[int, ...],
                 should_stop: Callable[[], bool] | None, progress: BatchProgress | bool | None) -> Array:
        rows = np.zeros((len(placed) // max(width, 1), *columns), NEAREST)
        self._run_batch(batch, rows, placed, width, should_stop, progress)
        return rows

    def _batch(self, ids: Array, pairs: Sequence[tuple[ObjectLike, ObjectLike]] | None,
               padding: Mapping[ObjectLike, float] | None) -> c.BatchDef:
        """Returns a batch of these moving objects; its attributes keep its arrays alive."""
        batch = default(c.BatchDef)
        batch.ids, batch.moving, batch.moving_count = ids, ids.ctypes.data, len(ids)
        if pairs is not None:
            batch.tested = tested = self.object_ids(item for pair in pairs for item in pair)
            batch.pairs, batch.pair_count = tested.ctypes.data, len(tested) // 2
        if padding:
            batch.padded = padded = np.zeros(len(padding), PADDING)
            padded["object"], padded["padding"] = self.object_ids(padding), list(padding.values())
            batch.paddings, batch.padding_count = padded.ctypes.data, len(padded)
        return batch

    def _column_shape(self, batch: c.BatchDef, ids: Array) -> tuple[int, ...]:
        """Returns the shape of the answers of one configuration."""
        if not batch.each_pair:
            return ()
        return (batch.pair_count if batch.pairs is not None else self._configuration_pair_count(ids),)

    def _configuration_pair_count(self, ids: Array) -> int:
        count = c_size_t()
        call(lib.graze_scene_list_batch_pairs, self.handle, ids.ctypes.data, len(ids), None, 0, byref(count))
        return count.value

    def configuration_pairs(self, moving: Iterable[ObjectLike] | Array) -> list[tuple[SceneObject, SceneObject]]:
        """Returns the object pairs that configurations of these objects test, in the order of the answers."""
        self.updated()
        ids = self.object_ids(moving)
        listed = np.zeros((self._configuration_pair_count(ids), 4), np.uint32)
        count = c_size_t()
        call(lib.graze_scene_list_batch_pairs, self.handle, ids.ctypes.data, len(ids), listed.ctypes.data,
             len(listed), byref(count))
        return [(self._object(a, b), self._object(x, y)) for a, b, x, y in listed.tolist()]

    def _object(self, index: int, generation: int) -> SceneObject:
        raise NotImplementedError

    def _run_batch(self, batch: c.BatchDef, answers: Array, poses: Array, width: int,
                   should_stop: Callable[[], bool] | None, progress: BatchProgress | bool | None) -> None:
        """Runs a batch with ``width`` poses per answer, in parts if progress is reported. The error for an invalid pose
        contains its index and deviation."""
        stopper = Stopper(should_stop)
        stopper.attach(batch)
        may_take_long = len(poses) >= LONG_CALL_POSES or self.primitive_total >= LONG_CALL_PRIMITIVES
        count = len(poses) // max(width, 1)
        bar = Bar(count, "poses") if progress is True else None
        show = bar.move_to if bar is not None else progress if callable(progress) else None
        step = PROGRESS_POSES if show is not None else max(count, 1)
        try:
            for first in range(0, max(count, 1), step):
                last = min(first + step, count)
                part = poses[first * width:last * width]
                batch.poses, batch.pose_count = part.ctypes.data, len(part)
                set_answers(batch, answers.dtype, answers[first:].ctypes.data)
                run_stoppable(stopper, may_take_long, lib.graze_scene_run_batch, self.handle, byref(batch))
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
