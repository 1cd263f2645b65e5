"""Batches of poses, for motion planners: one moving object against another, or configurations of many objects."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from ctypes import byref, c_size_t
from typing import Any

import numpy as np

from . import _declarations as c
from ._arrays import Array
from ._calls import NotARotation, Stopper, call, default, run_stoppable
from ._device import on_device
from ._enumerations import ConfigurationAnswer, Enumeration
from ._library import lib
from ._poses import explain, pose_array
from ._progress import Bar
from .device_queries import DeviceQueries
from .names import value_of
from .objects import SceneObject

LONG_CALL_POSES = 100
"""Batches of so many poses run on a second thread, so that Ctrl-C stops them."""

PROGRESS_POSES = 10_000
"""Progress is reported after so many poses, or configurations. Trees that the scene does not keep are built for each
such part."""

BatchProgress = Callable[[int], None]


class PoseBatches(DeviceQueries):
    """Tests of poses that leave the scene as it is."""

    def test_poses(self, still: SceneObject, moving: SceneObject, poses: Any, *, count_pairs: bool = False,
                   test: str = "sat", progress: BatchProgress | bool | None = None,
                   should_stop: Callable[[], bool] | None = None) -> Array:
        """Whether, or in how many pairs, ``moving`` meets ``still`` in each of many poses.

        Parameters
        ----------
        still, moving : SceneObject
            ``still`` lies where it lies in the scene.
        poses : array_like or tuple
            (n, 4, 4), or a tuple (rotations, translations). Each is taken in place of the moving object's own.
        count_pairs : bool
            Answers numbers of pairs.
        test : str
            Of solids: "sat" or "gjk".
        progress : callable or bool, optional
            Called now and then with the number of poses that are done. True: a progress bar, where
            tqdm is installed.
        should_stop : callable, optional
            As in ``Query``.

        Returns
        -------
        ndarray of bool, or of uint64 where pairs are counted, shape (n,)
            Filters and exclusions are ignored.
        """
        self.updated()
        if on_device(poses[0] if isinstance(poses, tuple) and poses else poses):
            raise TypeError("test_poses takes poses of the host. test_configurations takes those on a device: "
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

    def test_configurations(self, moving: Sequence[SceneObject] | Array, poses: Any, *, answer: str = "any",
                            pairs: Sequence[tuple[SceneObject, SceneObject]] | None = None, test: str = "sat",
                            progress: BatchProgress | bool | None = None,
                            should_stop: Callable[[], bool] | None = None, out: Any = None) -> Any:
        """Tests configurations: each poses all moving objects at once, and the other objects stay.

        Parameters
        ----------
        moving : sequence of m SceneObjects
        poses : array_like or tuple
            (n, m, 4, 4), or a tuple (rotations, translations) of shapes (n, m, 3, 3) and (n, m, 3). Arrays of
            PyTorch and CuPy on the scene's device stay there, and so do the answers.
        answer : str
            "any": whether a pair intersects; "counts": the number of intersecting pairs; "object_pairs": for each of
            the object pairs, whether the two intersect.
        pairs : sequence of tuples of two SceneObjects, optional
            The object pairs that are tested; without them those of ``configuration_pairs``.
        test : str
            Of solids: "sat" or "gjk".
        progress : callable or bool, optional
            Called now and then with the number of configurations that are done. True: a progress bar,
            where tqdm is installed.
        should_stop : callable, optional
            As in ``Query``.
        out : array on the scene's device, optional
            Where the answers to poses on the device go, contiguous: uint8 or bool, int64 or uint64 for "counts".

        Returns
        -------
        ndarray, or ``out``, or an array of the library of the poses on a device
            bool (n,) for "any", uint64 (n,) for "counts", bool (n, number of object pairs) for "object_pairs".
        """
        self.updated()
        ids = self.object_ids(moving)
        options = default(c.ConfigurationOptions)
        try:
            options.answer = wanted = ConfigurationAnswer[answer.upper()]
        except KeyError:
            raise ValueError(f"there is no answer '{answer}'; there are any, counts, object_pairs") from None
        options.test = value_of(Enumeration.TEST, test)
        if pairs is not None:
            tested = self.object_ids(item for pair in pairs for item in pair)
            options.pairs, options.pair_count = tested.ctypes.data, len(tested) // 2
        columns = self._configuration_pair_count(ids) if pairs is None else len(tested) // 2
        if on_device(poses[0] if isinstance(poses, tuple) and poses else poses):
            return self._test_device_configurations(ids, poses, options, columns, out, should_stop)
        if out is not None:
            raise ValueError("out is for poses on a device")
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

    def _configuration_pair_count(self, ids: Array) -> int:
        count = c_size_t()
        call(lib.graze_scene_list_configuration_pairs, self.handle, ids.ctypes.data, len(ids), None, 0, byref(count))
        return count.value

    def configuration_pairs(self, moving: Iterable[SceneObject] | Array) -> list[tuple[SceneObject, SceneObject]]:
        """The object pairs that configurations of these objects are tested for, in the order of the answers."""
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
        """Runs a batch of ``width`` poses each, in parts where progress is wanted. A pose that is refused is named with
        its deviation."""
        stopper = Stopper(should_stop)
        options.should_stop = stopper.callback
        count = len(poses) // max(width, 1)
        bar = Bar(count, "poses") if progress is True else None
        show = bar.move_to if bar is not None else progress if callable(progress) else None
        step = PROGRESS_POSES if show is not None else max(count, 1)
        try:
            for first in range(0, max(count, 1), step):
                last = min(first + step, count)
                run_stoppable(stopper, len(poses) >= LONG_CALL_POSES, *test_part(first, last))
                if show is not None:
                    show(last)
        except NotARotation as error:
            raise explain(poses, error) from None
        finally:
            if bar is not None:
                bar.close()


def _configuration_poses(poses: Any, moving: int) -> Array:
    """Poses of configurations, configuration after configuration: (n * m, 12)."""
    if isinstance(poses, tuple) and len(poses) == 2:
        rotations, translations = np.asarray(poses[0]), np.asarray(poses[1])
        shape = rotations.shape
        if rotations.ndim != 4 or shape[1] != moving or translations.shape != shape[:2] + (3,):
            raise ValueError(f"{moving} moving objects need rotations (n, {moving}, 3, 3) and translations "
                             f"(n, {moving}, 3), not {shape} and {translations.shape}")
        return pose_array((rotations.reshape(-1, 3, 3), translations.reshape(-1, 3)))
    matrices = np.asarray(poses)
    if matrices.ndim == 2 and matrices.shape[1] == 12:
        return pose_array(matrices)
    if matrices.ndim != 4 or matrices.shape[1] != moving:
        raise ValueError(f"{moving} moving objects need poses of the shape (n, {moving}, 4, 4), not {matrices.shape}")
    return pose_array(matrices.reshape(-1, *matrices.shape[2:]))
