"""Bad arguments, freed arrays, closed scenes and threads: exceptions, never a crash.

Interrupts are in test_scene_interrupt.py. GRAZE_HOSTILE_EXAMPLES sets how many random arguments are tried."""
from __future__ import annotations

import gc
import os
import threading

import numpy as np
import pytest

pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings, strategies as st
from hypothesis.extra import numpy as arrays

import grazelib as gz

EXAMPLES = int(os.environ.get("GRAZE_HOSTILE_EXAMPLES", "100"))
HOSTILE = settings(max_examples=EXAMPLES, deadline=None, derandomize=True, database=None,
                   suppress_health_check=list(HealthCheck))

VERTICES = np.random.default_rng(1).random((60, 3))
FACES = np.arange(60).reshape(-1, 3)

ANY_DTYPE = (arrays.scalar_dtypes() | arrays.complex_number_dtypes() | arrays.byte_string_dtypes()
             | arrays.array_dtypes(max_size=2))
ANY_ARRAY = arrays.arrays(ANY_DTYPE, arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4))
ANYTHING = ANY_ARRAY | st.none() | st.text(max_size=3) | st.integers() | st.floats() | st.recursive(
    st.integers() | st.floats() | st.none() | st.text(max_size=2), lambda inner: st.lists(inner, max_size=4), max_leaves=8)

# What a wrong argument may raise. Anything else, such as ctypes.ArgumentError or AttributeError, says too little.
REFUSALS = (ValueError, TypeError, LookupError, OverflowError, MemoryError, gz.GrazeError)


@pytest.fixture
def scene():
    with gz.Scene() as made:
        made.add_triangles(VERTICES, FACES, name="soup")
        made.add_spheres(VERTICES[:5], 0.1, name="balls")
        yield made


# ------------------------------------------------------------------------------------------------ arguments

@HOSTILE
@given(ANYTHING, ANYTHING, st.sampled_from(["triangles", "polygons", "tetrahedra", "polyhedra", "spheres"]))
def test_any_arrays(first, second, kind):
    with gz.Scene(workers=1) as scene:
        for arguments in ((first, second), (VERTICES, second), (first, FACES)):
            try:
                getattr(scene, f"add_{kind}")(*arguments)
                scene.pairs(within=False)
            except REFUSALS:
                pass


@HOSTILE
@given(ANYTHING)
def test_any_argument(value):
    with gz.Scene(workers=1) as scene:
        item = scene.add_triangles(VERTICES, FACES, name="soup")
        balls = scene.add_spheres(VERTICES[:5], 0.1)
        attempts = (
            lambda: item.set_positions(value), lambda: setattr(item, "positions", value),
            lambda: setattr(item, "pose", value), lambda: item.append_primitives(value), lambda: item.remove_primitives(value),
            lambda: item.append_positions(value), lambda: balls.set_radii(value), lambda: setattr(balls, "radii", value),
            lambda: balls.append_spheres(value, value), lambda: scene.set_poses([item], value),
            lambda: scene.contacts(value), lambda: scene.distances(value), lambda: scene.wrenches(value),
            lambda: scene.regions(value), lambda: scene.pairs(box=value), lambda: gz.pairs_hash(value),
            lambda: scene.test_poses(balls, item, value), lambda: scene.test_configurations([item], value),
            lambda: scene.containments(value), lambda: scene.pairs(clearance=value),
            lambda: scene.pairs(pair_limit=value), lambda: item.set_filter(category=value))
        for number, attempt in enumerate(attempts):
            try:
                attempt()
            except REFUSALS:
                pass
            except Exception as error:
                raise AssertionError(f"attempt {number} raises {type(error).__name__}: {error}") from error


@pytest.mark.parametrize("faces, error", [
    ([[0, 1, 60]], gz.IndexOutOfRange), ([[0, 1, 2**32 - 1]], gz.IndexOutOfRange),
    ([[0, 1, -1]], gz.IndexOutOfRange), (np.array([[0, 1, 2**32]]), gz.IndexOutOfRange),
    (np.array([[0, 1, 2**63]], np.uint64), gz.IndexOutOfRange), (np.array([[0, 1, -2**63]]), gz.IndexOutOfRange),
    ([[0.0, 1.0, 2.0]], TypeError), ([[0, 1]], ValueError), (np.zeros((2, 2, 3), int), ValueError),
    ([[0, 1, 2**64]], (TypeError, OverflowError))])
def test_faces(scene, faces, error):
    before = len(scene)
    with pytest.raises(error):
        scene.add_triangles(VERTICES, faces)
    assert len(scene) == before


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_not_finite(scene, value):
    bad = VERTICES.copy()
    bad[17, 1] = value
    with pytest.raises(gz.NotFinite):
        scene.add_triangles(bad, FACES)
    with pytest.raises(gz.NotFinite):
        scene["soup"].positions = bad
    with pytest.raises((gz.NotFinite, gz.InvalidArgument)):
        scene.add_spheres(VERTICES[:2], [1.0, value])
    with pytest.raises((gz.NotARotation, gz.NotFinite)):
        scene["soup"].pose = np.full((4, 4), value) if value == 0 else np.diag([value, 1, 1, 1])
    with pytest.raises(gz.InvalidArgument):
        scene.pairs(clearance=value)
    assert np.array_equal(scene["soup"].positions, VERTICES) and len(scene.pairs()) > 0


def test_sizes_of_nothing():
    with gz.Scene() as scene:
        assert len(scene.pairs()) == 0 and scene.any_pair() is None and not scene.collides()
        for vertices in ([], np.empty((0, 3)), np.empty((0, 3), np.float32)):
            for faces in ([], np.empty((0, 3), int)):
                item = scene.add_triangles(vertices, faces)
                assert item.positions.shape == (0, 3) and item.primitive_count == 0
        scene.add_spheres([], [])
        assert scene.pairs().array.shape == (0, 4) and len(scene.contacts()) == 0 and len(scene.touching()) == 0
        assert len(scene.distances(np.empty((0, 4), int))) == 0 and scene.regions() is not None
        assert scene.test_configurations([item], np.empty((0, 1, 4, 4))).shape == (0,)
        scene.set_poses([], np.empty((0, 4, 4)))
        item.set_positions(np.empty((0, 3)))
        item.remove_primitives([])


def test_huge_numbers(scene):
    item = scene["soup"]
    for primitives in ([20], [2**32 - 1], [2**32], [-1], [2**62]):
        with pytest.raises(IndexError):
            item.remove_primitives(primitives)
    for pair in ([0, 0, 0, 2**32 - 1], [2**32 - 1] * 4, [0, 20, 1, 0], [9, 0, 1, 0]):
        for call in (scene.contacts, scene.distances, scene.regions, scene.wrenches):
            with pytest.raises((gz.GrazeError, ValueError)):
                call([pair])
    for number in (2**32, -1, 2**63, 0.5, np.nan):
        with pytest.raises((ValueError, TypeError)):
            scene.distances([[0, 0, 0, number]])
        with pytest.raises((ValueError, TypeError)):
            scene.containments([[0, number]])
    with pytest.raises((IndexError, ValueError, OverflowError)):
        item.set_positions(VERTICES, first=2**63)
    with pytest.raises((IndexError, ValueError, OverflowError)):
        item.set_positions(VERTICES, first=-1)
    for bits in (2**64, -2):
        with pytest.raises(ValueError):
            item.category = bits
    with pytest.raises(gz.NoSuchObject):
        scene.test_configurations(np.array([[7, 7], [2**32 - 1, 1]], np.uint32), np.tile(np.eye(4), (1, 2, 1, 1)))
    for number in (2**64, 2**32, -1):
        for attempt in (lambda: gz.Scene(workers=number), lambda: gz.Workers(number), lambda: gz.Scene(device=number),
                        lambda: scene.set_method("clusters", clusters=number),
                        lambda: gz.Shape.spheres(VERTICES, 1.0, workers=number),
                        lambda: scene.add_triangles(VERTICES, FACES, numbers=gz.GlobalNumbers(number))):
            with pytest.raises((OverflowError, gz.GrazeError)):
                attempt()
    for number in (2**64, -2**64):
        with pytest.raises((IndexError, ValueError, OverflowError)):
            item.set_positions(VERTICES[:1], first=number)
        with pytest.raises((IndexError, ValueError, OverflowError)):
            scene["balls"].set_radii([1.0], first=number)
        with pytest.raises((IndexError, ValueError, OverflowError, gz.GrazeError)):
            scene.find_primitive(number, 0)
    assert len(scene.pairs()) > 0


def integer_arguments(scene):
    """Every argument of the package that is one integer, by its name in messages."""
    item, balls, poses = scene["soup"], scene["balls"], np.eye(4)[None]
    tree = gz.SphereTree(VERTICES, 0.1)
    workers = gz.Workers(1)
    one = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
    return [
        ("worker_count", lambda n: gz.Scene(workers=n)), ("worker_count", gz.Workers),
        ("worker_count", lambda n: gz.Shape.spheres(VERTICES, 1.0, workers=n)),
        ("worker_count", lambda n: gz.SphereTree(VERTICES, 0.1, workers=n)),
        ("worker_count", lambda n: gz.check(VERTICES, FACES, threads=n)), ("kept_bytes", lambda n: gz.Workers(kept_bytes=n)),
        ("count", lambda n: workers.run(lambda i: None, n)), ("clusters", lambda n: scene.set_method("clusters", clusters=n)),
        ("pair_limit", lambda n: scene.pairs(pair_limit=n)), ("stop_after", lambda n: scene.pairs(stop_after=n)),
        ("clearance_rings", lambda n: scene.pairs(clearance=0.1, clearance_rings=n)),
        ("visit_limit", lambda n: scene.nearest(visit_limit=n)),
        ("visit_limit", lambda n: scene.measure_poses(item, balls, poses, visit_limit=n)),
        ("visit_limit", lambda n: scene.measure_configurations([balls], poses[:, None], visit_limit=n)),
        ("first", lambda n: item.set_positions(VERTICES[:1], first=n)), ("first", lambda n: balls.set_radii([1.0], first=n)),
        ("object_number", lambda n: scene.find_primitive(n, 0)), ("primitive_number", lambda n: scene.find_primitive(0, n)),
        ("global_object", lambda n: scene.add_triangles(VERTICES, FACES, numbers=gz.GlobalNumbers(n))),
        ("global_primitive", lambda n: scene.add_triangles(VERTICES, FACES, numbers=gz.GlobalNumbers(0, n))),
        ("global_vertex", lambda n: scene.add_triangles(VERTICES, FACES, numbers=gz.GlobalNumbers(0, 0, n))),
        ("iterations", lambda n: gz.SphereTree(VERTICES, 0.1, iterations=n)),
        ("magnification", lambda n: gz.SphereTree(VERTICES, 0.1, magnification=n)),
        ("budget", lambda n: tree.volume(tree, budget=n)), ("budget", lambda n: tree.distance(tree, budget=n)),
        ("byte_limit", lambda n: gz.MeshFile(one, "a.obj", byte_limit=n)),
        ("element_limit", lambda n: gz.MeshFile(one, "a.obj", element_limit=n)),
        ("count", lambda n: gz.pack_spheres(VERTICES, FACES, count=n)),
        ("seed", lambda n: gz.pack_spheres(VERTICES, FACES, seed=n)),
    ]


def test_integers(scene):
    """ctypes would cut off what does not fit: -1 would be 4294967295 workers."""
    for name, attempt in integer_arguments(scene):
        for number in (-1, 2**64, np.int64(-1)):
            with pytest.raises(gz.InvalidArgument, match=f"{name} must be between 0 and .*, not {number}"):
                attempt(number)
        for wrong in (1.5, "1", None if name not in ("kept_bytes", "magnification") else "x", [1]):
            with pytest.raises(TypeError):
                attempt(wrong)
    for attempt in (lambda n: gz.Scene(device=n), gz.describe_cuda):
        with pytest.raises(gz.InvalidArgument, match="device must be between -2147483648 and 2147483647, not"):
            attempt(2**31)
    for number in (2**64, -2):
        with pytest.raises(gz.InvalidArgument, match="category or mask must be"):
            scene["soup"].mask = number
    scene["soup"].mask = -1
    assert scene["soup"].mask == 2**64 - 1 and len(scene.pairs(pair_limit=np.uint8(1))) == 1


def test_strange_strides(scene):
    repeated = np.broadcast_to(VERTICES[:1], (60, 3))  # every row the same memory
    scene["soup"].positions = repeated
    assert np.array_equal(scene["soup"].positions, repeated)
    overlapping = np.lib.stride_tricks.as_strided(VERTICES, (58, 3), (8, 8))
    item = scene.add_triangles(overlapping, FACES[:19])
    assert np.array_equal(item.positions, overlapping)


# ------------------------------------------------------------------------------------------------ life times

def test_inputs_may_go(scene):
    expected = scene.pairs().hash
    with gz.Scene() as other:
        vertices, faces = VERTICES.copy(), FACES.copy()
        other.add_triangles(vertices, faces)
        other.add_spheres(VERTICES[:5].copy(), np.full(5, 0.1))
        vertices[:], faces[:] = np.nan, 2**40
        del vertices, faces
        gc.collect()
        assert other.pairs().hash == expected


def test_views_outlive_everything(scene):
    pairs, contacts = scene.pairs(), scene.contacts()
    array, copy = pairs.array, pairs.array.copy()
    points, points_copy = contacts.points[1:], contacts.points[1:].copy()
    rows = contacts.array["normal"]
    scene.close()
    del pairs, contacts
    gc.collect()
    rubbish = [np.full(copy.nbytes, 255, np.uint8) for _ in range(50)]  # takes memory that was freed
    assert np.array_equal(array, copy) and np.array_equal(points, points_copy) and np.isfinite(rows).all()
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 0
    assert rubbish


def public(thing):
    return [name for name in dir(thing) if not name.startswith("_")]


def test_closed_scene(scene):
    item = scene["soup"]
    iterator = iter(scene)
    scene.close()
    scene.close()
    assert scene.closed and repr(scene) == "<Scene: closed>" and not item.is_valid and "removed" in repr(item)
    for attempt in (lambda: len(scene), lambda: next(iterator), lambda: scene.add_triangles(VERTICES, FACES), lambda: scene.set_poses([item], [np.eye(4)]),
                    lambda: scene.ignore(item, item), lambda: scene.test_poses(item, item, [np.eye(4)]),
                    lambda: scene.test_configurations([item], [[np.eye(4)]]), lambda: scene.nearest(item)):
        with pytest.raises((ValueError, TypeError)):
            attempt()
    arguments = {"pose": (np.eye(4),)}
    for thing in (scene, item):
        for name in public(type(thing)):
            if name in ("close", "closed", "changed", "is_valid", "index", "id", "scene", "id_of", "name_of",
                        "keep_user_data", "user_data", "backend", "object_ids", "release_positions", "follow_producers"):
                continue
            with pytest.raises((ValueError, TypeError, KeyError)):
                value = getattr(thing, name)
                value(*arguments.get(name, ()))


def test_removed_object(scene):
    item = scene["soup"]
    scene.remove(item)
    assert "soup" not in scene and not item.is_valid
    for attempt in (lambda: item.positions, lambda: item.set_positions(VERTICES), lambda: item.box(), lambda: item.remove(),
                    lambda: scene.pairs(about=item), lambda: scene.crowding(item), lambda: item.remove_primitives([0]),
                    lambda: item.vertex_count, lambda: scene.test_configurations([item], np.eye(4)[None, None])):
        with pytest.raises(gz.NoSuchObject):
            attempt()
    with gz.Scene() as other, pytest.raises(gz.NoSuchObject, match="another scene"):
        other.pairs(about=scene["balls"])


# ------------------------------------------------------------------------------------------------ threads

def run_all(tasks):
    """Runs tasks at once; raises what one of them raises."""
    failures = []

    def guarded(task):
        try:
            task()
        except BaseException as failure:
            failures.append(failure)
    threads = [threading.Thread(target=guarded, args=(task,)) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def test_threads_ask_one_scene():
    generator = np.random.default_rng(2)
    vertices = (generator.random((1000, 1, 3)) + generator.uniform(-0.1, 0.1, (1000, 3, 3))).reshape(-1, 3)
    with gz.Scene() as scene:
        item = scene.add_triangles(vertices, np.arange(3000).reshape(-1, 3))
        expected, contacts = scene.pairs().hash, len(scene.contacts())
        scene.changed()  # so that all of them want an update

        def ask():
            for _ in range(10):
                assert scene.pairs().hash == expected
                assert len(scene.contacts()) == contacts and scene.collides()
                assert scene.pairs(about=item).hash == expected
        run_all([ask] * 6)


def test_threads_have_their_own_messages():
    def fail(index):
        with gz.Scene(workers=1) as scene:
            for _ in range(30):
                with pytest.raises(gz.IndexOutOfRange, match=str(1000 + index)):
                    scene.add_triangles(VERTICES, [[0, 1, 1000 + index]])
    run_all([lambda index=index: fail(index) for index in range(6)])


def test_close_while_another_thread_asks():
    """The scene stays until the query has ended."""
    count = 30_000  # parallel triangles whose boxes overlap: many candidates, no pair
    across = np.array([[1, -1, 0], [0, 1, -1], [-1, 0, 1]])
    vertices = (across[None] + np.linspace(0, 1e-3, count)[:, None, None]).reshape(-1, 3)
    for _ in range(2):
        scene = gz.Scene(workers=1)
        scene.add_triangles(vertices, np.arange(3 * count).reshape(-1, 3))
        scene.update()
        found, closed = [], threading.Event()

        def stop():
            return closed.is_set()

        def ask():
            try:
                found.append(len(scene.pairs(should_stop=stop)))
            except gz.Stopped:
                found.append("stopped")
        thread = threading.Thread(target=ask)
        thread.start()
        closed.wait(0.1)
        scene.close()
        closed.wait(0.1)
        closed.set()
        thread.join()
        assert found in ([0], ["stopped"]) and scene.closed
