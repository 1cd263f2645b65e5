"""Tests long calls: Ctrl-C, should_stop, and other threads that continue meanwhile."""
from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

import grazelib as gz
from test_scene_queries import sphere

RANDOM = np.random.default_rng(7)


@pytest.fixture(scope="module")
def crowded() -> Iterator[gz.Scene]:
    """A scene whose query by brute force takes many seconds."""
    with gz.Scene(workers=1, method="brute") as scene:
        scene.add_triangles(RANDOM.random((600_000, 3)), np.arange(600_000).reshape(-1, 3))
        scene.update()
        yield scene


def interrupted(call: Callable[[], object], after: float = 0.2) -> float:
    """Presses Ctrl-C while the call runs; returns how long it took from then on."""
    pressed: list[float] = []

    def press() -> None:
        pressed.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, press)
    timer.start()
    ended_by_itself = False
    with pytest.raises(KeyboardInterrupt):
        call()
        ended_by_itself = True
        timer.join()
        time.sleep(1)
    assert not ended_by_itself, "the call was too short, or Ctrl-C did not stop it"
    return time.perf_counter() - pressed[0]


def test_interrupted_query(crowded: gz.Scene) -> None:
    for query in (crowded.pairs, crowded.touching, crowded.wrenches, crowded.regions):
        assert interrupted(lambda: query(within=True)) < 5
    assert crowded.collides(), "the scene goes on"


def test_interrupted_packing() -> None:
    vertices, faces = sphere(24)
    assert interrupted(lambda: gz.pack_spheres(vertices, faces, count=1_000_000)) < 10


def test_interrupted_batch() -> None:
    vertices, faces = sphere(40)
    poses = np.zeros((2_000_000, 12))
    poses[:, [0, 4, 8]] = 1
    poses[:, 9] = 1.0
    with gz.Scene(workers=1, method="tree") as scene:
        a, b = (scene.add_triangles(vertices, faces) for _ in range(2))
        scene.update()
        assert interrupted(lambda: scene.test_poses(a, b, poses, count_pairs=True)) < 5
        assert interrupted(lambda: scene.test_configurations([b], poses, answer="counts")) < 5


def test_interrupted_distances_of_many_objects() -> None:
    """Few primitives, but a row for every two objects."""
    with gz.Scene(workers=1) as scene:
        for at in RANDOM.random((3000, 3)):
            scene.add_spheres([1000 * at], 1.0)
        assert interrupted(scene.nearest) < 5


def test_functions_are_not_called_on_the_main_thread() -> None:
    """Ctrl-C that comes while ctypes enters a callback on the main thread would be lost."""
    vertices, faces = sphere(12)
    pose = np.eye(4)
    pose[0, 3] = 4
    seen: list[threading.Thread] = []

    def stop() -> bool:
        seen.append(threading.current_thread())
        return False

    with gz.Scene(workers=1, method="tree") as scene:
        a, b = (scene.add_triangles(vertices, faces) for _ in range(2))
        b.pose = pose
        for ask in (scene.pairs, scene.collides, scene.touching, scene.nearest, scene.containments,
                    lambda **stop: scene.test_poses(a, b, pose[None], **stop),
                    lambda **stop: scene.measure_poses(a, b, pose[None], **stop),
                    lambda **stop: scene.test_configurations([b], pose[None], **stop),
                    lambda **stop: scene.measure_configurations([b], pose[None], **stop)):
            before = len(seen)
            ask(should_stop=stop)
            assert len(seen) > before, ask
    assert threading.main_thread() not in seen


def test_should_stop(crowded: gz.Scene) -> None:
    begun = time.perf_counter()
    with pytest.raises(gz.Stopped) as caught:
        crowded.pairs(should_stop=lambda: time.perf_counter() > begun + 0.2)
    assert caught.value.code == gz.Result.STOPPED and time.perf_counter() < begun + 5
    with pytest.raises(gz.Stopped):
        crowded.nearest(should_stop=lambda: True)
    with pytest.raises(ZeroDivisionError):
        crowded.pairs(should_stop=lambda: bool(1 // 0))


def test_small_scenes_ask_too() -> None:
    with gz.Scene(workers=1, method="brute") as scene:
        scene.add_triangles(RANDOM.random((15_000, 3)), np.arange(15_000).reshape(-1, 3))
        with pytest.raises(gz.Stopped):
            scene.pairs(should_stop=lambda: True)


def test_the_gil_is_released(crowded: gz.Scene) -> None:
    """Another thread of Python runs while a query does."""
    counted = 0
    stop = threading.Event()

    def count() -> None:
        nonlocal counted
        while not stop.is_set():
            counted += 1

    begun = time.perf_counter()
    thread = threading.Thread(target=count)
    thread.start()
    with pytest.raises(gz.Stopped):
        crowded.pairs(should_stop=lambda: time.perf_counter() > begun + 0.3)
    stop.set()
    thread.join()
    assert counted > 10_000


def test_a_query_on_another_thread_is_stopped_by_a_function(crowded: gz.Scene) -> None:
    stop = threading.Event()
    caught: list[BaseException] = []

    def ask() -> None:
        try:
            crowded.pairs(should_stop=stop.is_set)
        except gz.Stopped as error:
            caught.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    time.sleep(0.1)
    assert thread.is_alive()
    stop.set()
    thread.join(5)
    assert not thread.is_alive() and len(caught) == 1


def test_closed_while_a_query_runs() -> None:
    """The scene stays until the query on another thread has its answer."""
    scene = gz.Scene(workers=1, method="brute")
    scene.add_triangles(RANDOM.random((42_000, 3)) + 10 * np.repeat(np.arange(14_000), 3)[:, None],
                        np.arange(42_000).reshape(-1, 3))
    scene.update()
    asked, found = threading.Event(), []

    def ask() -> None:
        found.append(len(scene.pairs(should_stop=asked.set)))  # set() returns None, which stops nothing

    thread = threading.Thread(target=ask)
    thread.start()
    assert asked.wait(10)
    scene.close()
    assert scene.closed and thread.is_alive()
    thread.join(30)
    assert found == [0]
    with pytest.raises(ValueError, match="closed"):
        scene.pairs()


def test_interrupted_as_the_wait_begins(crowded: gz.Scene) -> None:
    """A signal that arrives just before the main thread waits does not wake it. The call has ended when it is raised."""
    running: list[bool] = []
    for _ in range(3):
        pressed: list[float] = []

        def press() -> bool:
            if not pressed:
                pressed.append(time.perf_counter())
                os.kill(os.getpid(), signal.SIGINT)
            running[:] = [True]
            return time.perf_counter() > pressed[0] + 20

        with pytest.raises(KeyboardInterrupt):
            crowded.pairs(should_stop=press)
        running[:] = []
        time.sleep(0.1)
        assert not running and time.perf_counter() < pressed[0] + 5


STORM = """
import gc, os, random, signal, threading, time
import numpy as np
import grazelib as gz
corners = np.random.default_rng(1).random((60_000, 3)) + 2 * np.repeat(np.arange(20_000), 3)[:, None]
scene = gz.Scene(workers=1)
scene.add_triangles(corners, np.arange(60_000).reshape(-1, 3))
scene.update()
end = time.monotonic() + 1.5
storm = True

def press():
    while storm:
        time.sleep(random.random() * 0.003)
        os.kill(os.getpid(), signal.SIGINT)

thread = threading.Thread(target=press)
pressed = 0
while True:
    try:
        if thread.ident is None:
            thread.start()
        while time.monotonic() < end:
            scene.pairs()
        storm = False
        thread.join()
        break
    except KeyboardInterrupt:
        pressed += 1
assert len(scene.pairs()) == 0
gc.collect()
end = time.monotonic() + 5
while threading.active_count() > 3 and time.monotonic() < end:
    time.sleep(0.01)
print(pressed, threading.active_count())
"""


def test_a_storm_of_interrupts() -> None:
    """Ctrl-C at any moment: nothing hangs, and no thread is left behind."""
    done = subprocess.run([sys.executable, "-c", STORM], capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    pressed, threads = (int(word) for word in done.stdout.split())
    assert pressed > 20 and threads <= 3
