"""Measures the overhead of the Python package over the library: ``python -m grazelib.bench``.

Each row compares a method with the same library calls on prepared structs, as a C program makes them. The cost of a
ctypes call, measured with the shortest call, is subtracted from the latter. There is one worker. Each time is the
minimum of many. The times of a frame are processor times, which exclude other programs; its calls run on a second
thread, and the wall time of one such call is added to Python's.

The targets are less than 20 us for a small call, and less than 3 % of a frame of 100,000 triangles.
"""
from __future__ import annotations

import sys
import time
from collections.abc import Callable
from ctypes import byref, c_bool
from typing import Any

import numpy as np

from . import _declarations as c
from ._arrays import Array, positions_view
from ._calls import Stopper, run_stoppable
from ._library import lib, library_version
from ._poses import one_pose
from .queries import Query
from .scene import Scene

MOST_MICROSECONDS = 20.0
MOST_PERCENT = 3.0


def sheet(side: int, phase: float = 0.0) -> tuple[Array, Array]:
    """Returns a wavy sheet: vertices in float32, and 2 (side - 1)^2 faces."""
    x, y = np.meshgrid(np.linspace(0, 1, side), np.linspace(0, 1, side))
    z = 0.05 * np.sin(9 * x + phase) * np.cos(7 * y - phase)
    first = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).ravel()
    faces = np.concatenate([np.stack([first, first + 1, first + side], 1),
                            np.stack([first + 1, first + side + 1, first + side], 1)])
    return np.stack([x, y, z], axis=-1).reshape(-1, 3).astype(np.float32), faces.astype(np.uint32)


def least(functions: list[Callable[[], Any]], seconds: float, calls: int,
          clock: Callable[[], int] = time.perf_counter_ns) -> list[float]:
    """Returns the minimum time of each function in microseconds; the calls are interleaved for this many seconds."""
    best = [float("inf")] * len(functions)
    for function in functions:
        function()
    end = time.perf_counter() + seconds * len(functions)
    while time.perf_counter() < end:
        for i, function in enumerate(functions):
            begun = clock()
            for _ in range(calls):
                function()
            best[i] = min(best[i], (clock() - begun) / calls / 1000)
    return best


def empty_call(seconds: float) -> float:
    """Returns the microseconds of a minimal ctypes call."""
    with Scene() as scene:
        handle, count = scene.handle, lib.graze_scene_object_count
        return least([lambda: count(handle)], seconds, 20)[0]


def second_thread(seconds: float) -> float:
    """Returns the microseconds of an empty call on the second thread."""
    stopper = Stopper()
    return least([lambda: run_stoppable(stopper, True, int)], seconds, 1)[0]


def small_calls(seconds: float) -> list[tuple[str, list[float]]]:
    """Times calls on two objects of 4 triangles: their names, and the microseconds in Python and in the library."""
    scene = Scene(workers=1)
    generator = np.random.default_rng(1)
    positions, faces = generator.random((12, 3)), np.arange(12).reshape(-1, 3)
    one = scene.add_triangles(positions, faces)
    scene.add_triangles(generator.random((12, 3)), faces)
    scene.update()
    handle, identity, matrix = scene.handle, one.id, np.eye(4)
    pairs, objects, query, view, pose = c.Pairs(), c.ObjectPairs(), Query(within=False).struct(scene), \
        positions_view(positions), one_pose(matrix)
    to_pairs, to_objects, to_query, to_pose, to_found = byref(pairs), byref(objects), byref(query), pose.ctypes.data, \
        byref(c_bool())

    def frame() -> None:
        one.pose = matrix
        scene.pairs()

    def frame_of_library() -> None:
        lib.graze_object_set_pose(handle, identity, to_pose)
        lib.graze_scene_update(handle)
        lib.graze_scene_find_pairs(handle, None, to_pairs)

    rows: list[tuple[str, list[Callable[[], Any]]]] = [
        ("scene.pairs()", [scene.pairs, lambda: lib.graze_scene_find_pairs(handle, None, to_pairs)]),
        ("scene.pairs(within=False)", [lambda: scene.pairs(within=False),
                                       lambda: lib.graze_scene_find_pairs(handle, to_query, to_pairs)]),
        ("scene.collides()", [scene.collides, lambda: lib.graze_scene_any_pair(handle, None, to_found, None)]),
        ("scene.touching()", [scene.touching, lambda: lib.graze_scene_find_object_pairs(handle, None, to_objects)]),
        ("item.pose = matrix", [lambda: setattr(one, "pose", matrix),
                                lambda: lib.graze_object_set_pose(handle, identity, to_pose)]),
        ("item.set_positions(array)", [lambda: one.set_positions(positions),
                                       lambda: lib.graze_object_set_positions(handle, identity, 0, view)]),
        ("item.pose = matrix; scene.pairs()", [frame, frame_of_library]),
    ]
    measured = []
    for name, functions in rows:
        scene.update()
        measured.append((name, least(functions, seconds, 20)))
    lib.graze_pairs_free(to_pairs)
    lib.graze_object_pairs_free(to_objects)
    return measured


def large_frame(seconds: float) -> tuple[int, int, list[float]]:
    """Times a frame of two moving sheets: triangles, pairs, and the microseconds in Python and in the library.
    """
    scene = Scene(workers=1)
    moving = [sheet(159, phase)[0] for phase in (0.0, 0.7)]
    faces = sheet(159)[1]
    still, item = scene.add_triangles(moving[0] + np.float32(1e-3), faces), scene.add_triangles(moving[0], faces)
    handle, identity, pairs = scene.handle, item.id, c.Pairs()
    views = [positions_view(positions) for positions in moving]
    turn = [0, 0]
    found = [0]

    def frame() -> None:
        turn[0] += 1
        item.set_positions(moving[turn[0] % 2])
        found[0] = max(found[0], len(scene.pairs()))

    def frame_of_library() -> None:
        turn[1] += 1
        lib.graze_object_set_positions(handle, identity, 0, views[turn[1] % 2])
        lib.graze_scene_update(handle)
        lib.graze_scene_find_pairs(handle, None, byref(pairs))

    times = least([frame, frame_of_library], seconds, 1, time.process_time_ns)
    lib.graze_pairs_free(byref(pairs))
    return still.primitive_count + item.primitive_count, found[0], times


def main() -> int:
    """Prints the table; returns 1 if a target is missed."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    print(f"graze {library_version()}, Python {sys.version.split()[0]}, numpy {np.__version__}, one worker")
    nothing = empty_call(seconds / 4)
    print(f"\n{'small call, two objects of 4 triangles':<40} {'Python':>9} {'library':>9} {'overhead':>9}")
    worst = 0.0
    for name, (python, library) in small_calls(seconds / 4):
        calls = 3 if ";" in name else 1
        library -= calls * nothing
        worst = max(worst, (python - library) / (2 if ";" in name else 1))
        print(f"{name:<40} {python:6.1f} us {library:6.1f} us {python - library:6.1f} us")
    triangles, found, (python, library) = large_frame(4 * seconds)
    thread = second_thread(seconds / 4)
    python += thread
    share = 100 * (python - library) / library
    print(f"\n{'frame of ' + format(triangles, ',') + ' triangles, ' + format(found, ',') + ' pairs':<40} "
          f"{python / 1000:6.2f} ms {library / 1000:6.2f} ms {share:7.2f} %")
    print(f"\na call through ctypes takes {nothing:.1f} us, one on the second thread {thread:.1f} us\nworst overhead of a "
          f"small call {worst:.1f} us (target: {MOST_MICROSECONDS:g} us), share of a frame {share:.2f} % (target: "
          f"{MOST_PERCENT:g} %)")
    return 0 if worst < MOST_MICROSECONDS and share < MOST_PERCENT else 1


if __name__ == "__main__":
    sys.exit(main())
