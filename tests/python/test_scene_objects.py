"""Tests objects of a scene: kinds, shapes, poses, filters, exclusions, insertions, numbers, and removal."""
from __future__ import annotations

import gc

import numpy as np
import pytest

import grazelib as gz

TETRAHEDRON = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float64)
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=np.float64)
CUBE_FACES = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]


def moved(x: float, y: float = 0, z: float = 0) -> tuple[np.ndarray, list[float]]:
    return np.eye(3), [x, y, z]


def add_each_kind(target: gz.Scene | type[gz.Shape]) -> list[object]:
    """One thing of each kind near the origin."""
    prefix = "add_" if isinstance(target, gz.Scene) else ""
    add = {kind: getattr(target, prefix + kind)
           for kind in ("triangles", "polygons", "tetrahedra", "polyhedra", "spheres")}
    return [add["triangles"](TETRAHEDRON, FACES, name="triangles"),
            add["polygons"](CUBE, CUBE_FACES, name="polygons"),
            add["tetrahedra"](TETRAHEDRON, [[0, 1, 2, 3]], name="tetrahedra"),
            add["polyhedra"](CUBE, [CUBE_FACES], name="polyhedra"),
            add["spheres"](TETRAHEDRON, 0.3, name="spheres")]


def test_kinds() -> None:
    with gz.Scene() as scene:
        objects = add_each_kind(scene)
        assert [item.kind for item in scene] == list(gz.Kind)
        assert [item.primitive_count for item in objects] == [4, 6, 1, 1, 4]
        assert [item.is_solid for item in objects] == [False, False, True, True, True]
        assert scene.primitive_total == 16
        names = [item.name for item in objects]
        assert sorted(scene.touching(within=False).names) == sorted(
            (a, b) for i, a in enumerate(names) for b in names[i + 1:])


def test_shapes_give_the_same_pairs() -> None:
    with gz.Scene() as scene:
        add_each_kind(scene)
        expected = scene.pairs()
    shapes = add_each_kind(gz.Shape)
    with gz.Scene() as scene:
        for shape in shapes:
            scene.add_shape(shape)
            shape.close()
        found = scene.pairs()
        assert found.hash == expected.hash and (found.array == expected.array).all() and len(found) > 20
    with pytest.raises(ValueError, match="closed"):
        gz.Scene().add_shape(shapes[0])


def test_one_shape_many_objects() -> None:
    with gz.Workers(2) as workers, gz.Scene(workers=workers) as scene:
        shape = gz.Shape.triangles(TETRAHEDRON, FACES, name="corner", workers=workers)
        row = [scene.add_shape(shape, pose=moved(0.75 * i), name=f"link {i}") for i in range(10)]
        assert scene.touching(within=False).names == [(f"link {i}", f"link {i + 1}") for i in range(9)]
        row[4].set_positions(TETRAHEDRON + [0, 50, 0])
        assert len(scene.touching(within=False)) == 7
        assert (row[5].positions == TETRAHEDRON).all()
        assert "4 triangles" in repr(shape)


def test_polygons_in_three_forms() -> None:
    flat = np.concatenate(CUBE_FACES)
    with gz.Scene() as scene:
        forms = [scene.add_polygons(CUBE, CUBE_FACES), scene.add_polygons(CUBE, np.array(CUBE_FACES)),
                 scene.add_polygons(CUBE, flat, face_sizes=[4] * 6),
                 scene.add_polygons(CUBE, flat, face_starts=np.arange(0, 25, 4)),
                 scene.add_polygons(CUBE, [[0, 1, 3], *CUBE_FACES])]
        assert [item.primitive_count for item in forms] == [6, 6, 6, 6, 7]
        with pytest.raises(gz.InvalidArgument):
            scene.add_polygons(CUBE, flat, face_sizes=[4] * 5)


def test_polyhedra_in_two_forms() -> None:
    flat = np.concatenate(CUBE_FACES)
    with gz.Scene() as scene:
        two = np.concatenate([CUBE, CUBE + 0.5])
        cells = [CUBE_FACES, [[i + 8 for i in face] for face in CUBE_FACES]]
        assert scene.add_polyhedra(two, cells).primitive_count == 2
        item = scene.add_polyhedra(two, np.concatenate([flat, flat + 8]), face_sizes=[4] * 12, cell_starts=[0, 6, 12])
        assert item.primitive_count == 2
        assert len(scene.pairs(between=False)) == 2
        with pytest.raises(gz.NotConvex):
            scene.add_polyhedra(CUBE, [CUBE_FACES[:4] + [[0, 2, 6]]])


def test_poses() -> None:
    with gz.Scene() as scene:
        a = scene.add_tetrahedra(TETRAHEDRON, [[0, 1, 2, 3]])
        b = scene.add_tetrahedra(TETRAHEDRON, [[0, 1, 2, 3]], pose=moved(2))
        assert not scene.collides()
        b.pose = moved(0.25)
        assert scene.collides()
        matrix = np.eye(4)
        matrix[:3, 3] = 3, 4, 5
        b.pose = matrix
        assert (b.pose == matrix).all() and not scene.collides()
        assert (b.posed_positions() == TETRAHEDRON + [3, 4, 5]).all()
        low, high = b.box()
        assert low.tolist() == [3, 4, 5] and high.tolist() == [4, 5, 6]
        scene.set_poses([a, b], np.stack([matrix, matrix]))
        assert scene.collides()
        scene.set_poses(scene.object_ids([a, b]), (np.stack([np.eye(3)] * 2), [[0, 0, 0], [9, 0, 0]]))
        assert not scene.collides()
        b.pose = ([2, 0, 0, 0], [0.1, 0, 0])  # a quaternion
        assert scene.collides()
        with pytest.raises(ValueError, match="2 objects and 1 poses"):
            scene.set_poses([a, b], matrix)


def rotation(angle: float, dtype: type) -> np.ndarray:
    return np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]], dtype=dtype)


def test_drifted_rotations() -> None:
    with gz.Scene() as scene:
        a = scene.add_tetrahedra(TETRAHEDRON, [[0, 1, 2, 3]])
        drifted = rotation(0.7, np.float32) * np.float32(1.0003)
        a.pose = drifted, [1, 2, 3]
        found = a.pose[:3, :3]
        assert abs(found @ found.T - np.eye(3)).max() < 1e-14
        assert abs(found - rotation(0.7, np.float64)).max() < 1e-6
        kept = rotation(0.7, np.float32)
        a.pose = kept, [1, 2, 3]
        assert (a.pose[:3, :3] == kept).all(), "a good rotation keeps its bits"
        before = a.pose
        poses = np.stack([np.eye(4)] * 5)
        poses[3, :3, :3] *= 1.0003
        others = [scene.add_tetrahedra(TETRAHEDRON, [[0, 1, 2, 3]]) for _ in range(4)]
        with pytest.raises(gz.NotARotation, match="pose 3 deviates from a rotation by 0.0006"):
            scene.set_poses([a, *others], poses)
        assert (a.pose == before).all()
        scene.set_poses([a, *others], poses.astype(np.float32))
        poses[3] = np.eye(4)
        poses[2, :3, :3] *= 1.01
        with pytest.raises(gz.NotARotation, match="pose 2 deviates from a rotation by 0.0201"):
            scene.set_poses([a, *others], poses.astype(np.float32))
        for wrong in (np.diag([1.0, 1, -1]), np.full((3, 3), np.nan)):
            with pytest.raises(gz.NotARotation, match="pose 0 is a reflection or not finite"):
                a.pose = wrong, [0, 0, 0]
        count = len(scene)
        with pytest.raises(gz.NotARotation):
            scene.add_triangles(TETRAHEDRON, FACES, pose=(2 * np.eye(3), [0, 0, 0]))
        with pytest.raises(ValueError, match="last row"):
            a.pose = np.ones((4, 4))
        with pytest.raises(ValueError, match="shape"):
            a.pose = np.ones((2, 2))
        assert len(scene) == count


def test_filters_and_exclusions() -> None:
    with gz.Scene() as scene:
        a, b, d = (scene.add_tetrahedra(TETRAHEDRON, [[0, 1, 2, 3]], name=name) for name in "abd")
        assert scene.touching().names == [("a", "b"), ("a", "d"), ("b", "d")]
        scene.ignore(a, b)
        assert scene.is_ignored(b, a) and scene.ignored_count == 1
        assert scene.touching().names == [("a", "d"), ("b", "d")]
        scene.ignore_pairs([(a, d), (b, d)])
        assert not scene.collides()
        scene.ignore_pairs([(a, d), (b, d), (a, b)], False)
        assert len(scene.pairs()) == 3
        a.category, a.mask = 2, 4
        assert scene.touching().names == [("b", "d")]
        b.category = 4
        b.mask = 2
        assert scene.touching().names == [("a", "b")]
        assert (a.category, a.mask, b.category, b.mask) == (2, 4, 4, 2) and d.mask == 2**64 - 1
        with pytest.raises(ValueError):
            a.mask = 2**64
        with pytest.raises(gz.InvalidArgument):
            scene.ignore(a, a)


def test_self_pairs() -> None:
    with gz.Scene() as scene:
        item = scene.add_spheres([[0, 0, 0], [1, 0, 0]], [0.6, 0.6])
        assert len(scene.pairs()) == 1
        item.self_pairs = False
        assert not item.self_pairs and len(scene.pairs()) == 0


def test_insert_and_erase() -> None:
    with gz.Scene() as scene:
        item = scene.add_triangles(TETRAHEDRON, FACES)
        first = item.append_positions(TETRAHEDRON + 0.1)
        assert first == 4 and item.append_primitives(FACES + 4) == 4
        assert item.primitive_count == item.live_count == 8 and scene.primitive_total == 8
        found = scene.pairs().array
        assert len(found)
        item.remove_primitives(np.unique(found[:, 3]))
        assert item.live_count < item.primitive_count and len(scene.pairs()) == 0
        with pytest.raises(gz.IndexOutOfRange):
            item.remove_primitives([0, 0])
        with pytest.raises(IndexError):
            item.remove_primitives([-1])
        with pytest.raises(TypeError):
            item.remove_primitives([0.5])
        balls = scene.add_spheres([[0, 0, 9]], 1)
        assert balls.append_spheres([[1, 0, 9], [2, 0, 9]], [1, 1]) == 1
        assert len(scene.pairs(about=balls)) == 3
        balls.radii = 0.4
        assert balls.radii.tolist() == [0.4] * 3 and not scene.collides(about=balls)
        balls.set_radii([0.7], 1)
        assert len(scene.pairs(about=balls)) == 2
        with pytest.raises(gz.Unsupported):
            scene.add_polygons(CUBE, CUBE_FACES).append_primitives([[0, 1, 2]])


def test_global_numbers() -> None:
    with gz.Scene() as scene:
        a = scene.add_triangles(TETRAHEDRON, FACES, name="a", numbers=gz.GlobalNumbers(70, 1000, 20))
        b = scene.add_spheres([[0.1, 0.1, 0.1]], 0.2, name="b",
                              numbers=gz.GlobalNumbers(7, primitives=[55], vertices=[9]))
        pairs = scene.pairs(within=False).array
        assert set(pairs[:, 0]) == {7} and set(pairs[:, 1]) == {55} and set(pairs[:, 2]) == {70}
        assert scene.touching(within=False).names == [("b", "a")]
        assert a.number == 70 and a.index == 0 and a.global_primitives().tolist() == [1000, 1001, 1002, 1003]
        assert b.global_vertices().tolist() == [9]
        found, primitive = scene.find_primitive(70, 1002)
        assert found == a and primitive == 2
        with pytest.raises(gz.Unsupported, match="an object that shares a shape has no number for each primitive"):
            scene.add_shape(gz.Shape.spheres([[0, 0, 0]], 1), numbers=gz.GlobalNumbers(1, primitives=[1]))


def test_removed_and_foreign_objects() -> None:
    with gz.Scene() as scene, gz.Scene() as other:
        a = scene.add_triangles(TETRAHEDRON, FACES, name="a")
        foreign = other.add_triangles(TETRAHEDRON, FACES)
        with pytest.raises(gz.NoSuchObject, match="another scene"):
            scene.ignore(a, foreign)
        with pytest.raises(gz.NoSuchObject):
            scene.set_poses([foreign], np.eye(4))
        assert a in scene and "a" in scene and foreign not in scene and scene["a"] == a and len(scene) == 1
        a.remove()
        assert a not in scene and "a" not in scene and not a.is_valid and "removed" in repr(a)
        assert scene.primitive_total == 0
        for call in (a.remove, lambda: a.pose, lambda: a.set_positions(TETRAHEDRON), lambda: scene.pairs(about=a)):
            with pytest.raises(gz.NoSuchObject):
                call()
        b = scene.add_triangles(TETRAHEDRON, FACES)
        assert b.index == a.index and b != a


def test_closed_scene() -> None:
    scene = gz.Scene()
    item = scene.add_triangles(TETRAHEDRON, FACES)
    scene.close()
    scene.close()
    assert scene.closed and repr(scene) == "<Scene: closed>" and not item.is_valid
    for call in (scene.pairs, scene.update, lambda: item.positions, lambda: len(scene), item.remove):
        with pytest.raises(ValueError, match="closed"):
            call()
    with gz.Workers(1) as workers:
        pass
    with pytest.raises(ValueError, match="closed"):
        gz.Scene(workers=workers)


def test_user_data() -> None:
    with gz.Scene() as scene:
        a = scene.add_triangles(TETRAHEDRON, FACES)
        assert a.user_data is None
        a.user_data = {"link": 3}
        assert next(iter(scene)).user_data == {"link": 3}
        a.user_data = None
        assert a.user_data is None and not scene.user_data
        a.user_data = 4
        a.remove()
        assert not scene.user_data


def test_scenes_are_collected() -> None:
    import weakref
    scene = gz.Scene()
    item = scene.add_triangles(TETRAHEDRON, FACES)
    watch = weakref.ref(scene)
    pairs = scene.pairs()
    del scene
    assert item.primitive_count == 4, "an object keeps its scene"
    del item
    gc.collect()
    assert watch() is None and len(pairs) == 0


def test_methods_and_costs() -> None:
    with gz.Scene(method="grid", workers=1) as scene:
        scene.add_triangles(TETRAHEDRON, FACES)
        scene.add_spheres([[0, 0, 0]], 1)
        hashes = set()
        for method in gz.methods():
            scene.set_method(method)
            hashes.add(scene.pairs().hash)
            assert scene.method == method and scene.method_reason
        assert len(hashes) == 1
        scene.set_method("tree", simd="scalar", tree_builder="morton", tree_update="refit")
        scene.set_method("clusters", clusters=2, axis="x", metric="linf", fuzziness=3)
        assert scene.pairs().hash in hashes
        assert set(scene.timings) >= {"update", "search"} and scene.counters["primitives"] == 5
        scene.trim()
        for wrong in ({"name": "none"}, {"name": "grid", "clusters": 3}):
            with pytest.raises(gz.InvalidArgument):
                scene.set_method(**wrong)
        with pytest.raises(ValueError, match="auto, morton, splits"):
            scene.set_method("tree", tree_builder="none")
        scene.set_backend("cpu")
        assert scene.backend == "cpu" and scene.pairs().hash in hashes


def test_no_such_backend() -> None:
    with pytest.raises(gz.InvalidArgument, match="none"):
        gz.Scene(backend="none")
    assert set(gz.backends()) == {"cpu", "cuda"}
    try:
        gz.describe_cuda()
    except (gz.Unsupported, gz.NoDevice) as error:
        assert error.message
        with pytest.raises(type(error)):
            gz.Scene(backend="cuda")


def test_workers() -> None:
    with gz.Workers(2, "pthreads") as workers:
        assert len(workers) == 2 and workers.kept_bytes == 0
        done = []
        workers.run(done.append, 10)
        assert sorted(done) == list(range(10))
        with pytest.raises(ZeroDivisionError):
            workers.run(lambda i: 1 // (i - 5), 10)
        with gz.Scene(workers=workers) as scene:
            scene.add_triangles(np.repeat(TETRAHEDRON, 1000, axis=0), np.arange(3000).reshape(-1, 3))
            scene.update()
        assert workers.kept_bytes > 0
        workers.trim()
        assert workers.kept_bytes == 0
