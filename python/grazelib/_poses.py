"""Converts 4x4 matrices, rotations with translations, and quaternions to arrays of graze_pose.

A rotation must be orthonormal within 1e-6. A rotation in float32 or float16 that deviates by up to 1e-3 is
re-orthonormalized: the nearest rotation, from its polar decomposition, replaces it. Rotations in float64, and larger
deviations, raise an error with the index and the deviation.
"""
from __future__ import annotations

from ctypes import c_double
from typing import Any

import numpy as np

from ._arrays import Array
from ._errors import NotARotation
from ._library import lib

TOLERANCE = 1e-6  # of the library
DRIFT = 1e-3      # of float32 rotations that are re-orthonormalized


def deviations(rotations: Array) -> Array:
    """Returns the deviation of each rotation: the largest entry of R R^T - I; infinite for reflections."""
    with np.errstate(invalid="ignore", over="ignore"):
        products = np.einsum("nij,nkj->nik", rotations, rotations)
        distance = np.abs(products - np.eye(3)).reshape(-1, 9).max(axis=1, initial=0.0)
        mirrored = np.linalg.det(rotations) <= 0
    result: Array = np.where(np.isfinite(distance) & ~mirrored, distance, np.inf)
    return result


def _settle(rotations: Array) -> Array:
    """Returns float32 rotations in float64; drifted ones become the nearest rotation."""
    exact = rotations.astype(np.float64)
    distance = deviations(exact)
    drifted = (distance > TOLERANCE) & (distance <= DRIFT)
    if drifted.any():
        left, _, right = np.linalg.svd(exact[drifted])
        exact[drifted] = left @ right
    return exact


def _from_parts(rotation: Any, translation: Any) -> Array:
    """Combines rotations (n, 3, 3) or (3, 3), or quaternions (n, 4) or (4,), with translations (n, 3) or (3,)."""
    rotations = np.asarray(rotation)
    translations = np.asarray(translation, dtype=np.float64)
    if rotations.shape[-1:] == (4,) and rotations.ndim <= 2:
        quaternions = np.atleast_2d(rotations.astype(np.float64))
        shifts = np.broadcast_to(np.atleast_2d(translations), (len(quaternions), 3))
        rows = [pose_from_quaternion(q, t) for q, t in zip(quaternions, shifts)]
        return np.ascontiguousarray(np.stack(rows)) if rows else np.empty((0, 12))
    if rotations.ndim == 2:
        rotations = rotations[None]
    if rotations.ndim != 3 or rotations.shape[1:] != (3, 3):
        raise ValueError(f"rotations must have the shape (n, 3, 3) or (3, 3), or (n, 4) or (4,) as quaternions, not "
                         f"{np.shape(rotation)}")
    count = len(rotations)
    if translations.ndim not in (1, 2) or translations.shape[-1:] != (3,):
        raise ValueError(f"translations must have the shape (n, 3) or (3,), not {translations.shape}")
    if translations.ndim == 2 and len(translations) not in (1, count):
        raise ValueError(f"there are {count} rotations and {len(translations)} translations")
    if rotations.dtype.kind not in "fiu":
        raise TypeError(f"rotations must have a dtype of real numbers, not {rotations.dtype}")
    poses = np.empty((count, 12))
    small = rotations.dtype.kind == "f" and rotations.itemsize <= 4
    poses[:, :9] = (_settle(rotations) if small else rotations).reshape(count, 9)
    poses[:, 9:] = translations
    return poses


def pose_array(data: Any) -> Array:
    """Returns poses as (n, 12) of float64: nine numbers of the rotation, then three of the translation.

    Parameters
    ----------
    data : array_like or tuple
        (4, 4) or (n, 4, 4), also (3, 4) or (n, 3, 4); or a tuple (rotation, translation), whose rotation is
        (3, 3), (n, 3, 3), or a quaternion w, x, y, z: (4,), (n, 4). A result of this function is returned unchanged.
    """
    if isinstance(data, tuple) and len(data) == 2:
        return _from_parts(*data)
    matrices = np.asarray(data)
    if matrices.ndim == 2 and matrices.shape[1] == 12 and matrices.dtype == np.float64:
        return np.ascontiguousarray(matrices)
    if matrices.ndim == 2:
        matrices = matrices[None]
    if matrices.ndim != 3 or matrices.shape[1:] not in ((4, 4), (3, 4)):
        raise ValueError(f"poses must have the shape (n, 4, 4) or (4, 4), or be a tuple (rotation, translation); the "
                         f"shape is {np.shape(data)}")
    if matrices.shape[1] == 4:
        wrong = np.flatnonzero((matrices[:, 3] != (0, 0, 0, 1)).any(axis=1))
        if wrong.size:
            raise ValueError(f"pose {wrong[0]}: the last row must be 0 0 0 1, not {matrices[wrong[0], 3].tolist()}")
    return _from_parts(matrices[:, :3, :3], matrices[:, :3, 3])


def one_pose(data: Any) -> Array:
    """Like ``pose_array``, for one pose."""
    # The common case, without the overhead of batches.
    if isinstance(data, np.ndarray) and data.shape == (4, 4) and data.dtype == np.float64:
        if data[3].tolist() == [0, 0, 0, 1]:
            pose = np.empty((1, 12))
            pose[0, :9].reshape(3, 3)[:] = data[:3, :3]
            pose[0, 9:] = data[:3, 3]
            return pose
    poses = pose_array(data)
    if len(poses) != 1:
        raise ValueError(f"one pose is required, not {len(poses)}")
    return poses


def pose_from_quaternion(quaternion: Any, translation: Any = (0, 0, 0)) -> Array:
    """Returns the pose of a quaternion w, x, y, z, which need not be normalized, as an array of shape (12,)."""
    if np.shape(quaternion) != (4,) or np.shape(translation) != (3,):
        raise ValueError(f"a quaternion has 4 numbers and a translation 3, not {np.shape(quaternion)} and "
                         f"{np.shape(translation)}")
    if not np.any(quaternion):
        raise ValueError("a quaternion must not be zero")
    pose = lib.graze_pose_from_quaternion((c_double * 4)(*quaternion), (c_double * 3)(*translation))
    return np.array([*pose.rotation, *pose.translation])


def matrix_of(pose: Any) -> Array:
    """Returns the 4x4 matrix of a pose of 12 numbers."""
    matrix = np.eye(4)
    matrix[:3, :3] = np.reshape(pose[:9], (3, 3))
    matrix[:3, 3] = pose[9:]
    return matrix


def explain(poses: Array, error: NotARotation) -> NotARotation:
    """Adds the index and the deviation of the first invalid pose to the library's error."""
    distance = deviations(poses[:, :9].reshape(-1, 3, 3))
    wrong = np.flatnonzero(distance > TOLERANCE)
    if not wrong.size:
        return error
    first = int(wrong[0])
    found = f"deviates from a rotation by {distance[first]:.3g}" if np.isfinite(distance[first]) else \
        "is a reflection or not finite"
    return NotARotation(f"pose {first} {found}, and at most {TOLERANCE:g} is allowed. {error.message}")
