"""Tests typical first uses: names instead of objects, meshes of any kind, copies, and error messages."""
from __future__ import annotations

import copy
import pickle
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import grazelib as gz
from test_scene_objects import CUBE, FACES, TETRAHEDRON, moved


def test_names_stand_for_objects() -> None:
    with gz.Scene() as scene:
        a, b, far = (scene.add_triangles(TETRAHEDRON, FACES, name=name, pose=moved(x))
                     for name, x in (("a", 0), ("b", 0.1), ("far", 9)))
        for about in (a, "a", ["a", b], ("a", "b")):
            assert len(scene.pairs(within=False, about=about)) > 0
        assert scene.pairs(about=("a", "b")).hash == scene.pairs(about=(a, b)).hash
        assert scene.nearest(["a", "far"])["distance"].tolist() == scene.nearest((a, far))["distance"].tolist()
        poses = np.eye(4)[None]
        assert scene.test_poses("a", "b", poses).tolist() == [True]
        assert scene.measure_poses("a", "far", poses)["distance"].tolist() == [0]
        assert scene.test_configurations(["b"], poses[:, None], pairs=[("b", "far")]).tolist() == [False]
        assert scene.configuration_pairs(["far"]) == scene.configuration_pairs([far])
        scene.ignore("a", "b")
        assert scene.is_ignored(a, b) and scene.is_ignored("b", "a") and not scene.is_ignored("a", "far")
        scene.ignore_pairs([("a", "b")], ignored=False)
        assert not scene.is_ignored(a, b) and scene.crowding("a").k == scene.crowding(a).k
        scene.set_poses(["b"], moved(5))
        assert b.pose[0, 3] == 5
        scene.remove("b")
        assert "b" not in scene and not b.is_valid and "a" in scene
        for wrong in (3, None, [["a"]]):
            with pytest.raises(TypeError, match="SceneObject or a name"):
                scene.remove(wrong)  # type: ignore[arg-type]
        for attempt in (lambda: scene["b"], lambda: scene.remove("b"), lambda: scene.pairs(about="b")):
            with pytest.raises(KeyError, match="no object 'b'; the names are 'a', 'far'"):
                attempt()
        with pytest.raises(TypeError, match="a sequence of objects"):
            scene.set_poses("a", poses)


def test_a_refused_name_changes_nothing() -> None:
    with gz.Scene() as scene:
        scene.add_triangles(TETRAHEDRON, FACES, name="a")
        scene.update()
        with pytest.raises(KeyError):
            scene.ignore("a", "b")
        assert scene.ignored_count == 0 and len(scene.pairs()) == 0
        for name, error in ((3, TypeError), (Path("a"), TypeError), ("a\0b", ValueError)):
            with pytest.raises(error, match="a name must"):
                scene.add_triangles(TETRAHEDRON, FACES, name=name)  # type: ignore[arg-type]
            with pytest.raises(error, match="a name must"), gz.Shape.spheres(CUBE, 1) as shape:
                scene.add_shape(shape, name=name)  # type: ignore[arg-type]
        assert len(scene) == 1
        with pytest.raises(TypeError, match="the name of a test must be a str"):
            scene.pairs(test=None)


def test_objects_of_one_name() -> None:
    """The last one counts; where it goes, the one before it does."""
    with gz.Scene() as scene:
        first, second, third = (scene.add_triangles(TETRAHEDRON, FACES, name="part") for _ in range(3))
        assert scene["part"] == third
        second.remove()
        assert scene["part"] == third
        third.remove()
        assert scene["part"] == first and "part" in scene
        first.remove()
        assert "part" not in scene


def test_add_takes_meshes(tmp_path: Path) -> None:
    path = tmp_path / "solid.ply"
    gz.write(path, (TETRAHEDRON, FACES))
    with gz.Scene() as scene:
        added = [scene.add((TETRAHEDRON, FACES), name="pair", pose=moved(2)),
                 scene.add(SimpleNamespace(vertices=TETRAHEDRON, faces=FACES), name="like trimesh"),
                 scene.add(SimpleNamespace(points=CUBE, cells_dict={"tetra": np.array([[0, 1, 2, 4]])})),
                 scene.add(gz.spheres(CUBE, 0.1, name="balls"), self_pairs=False), scene.add(path), scene.add(str(path))]
        assert [item.name for item in added] == ["pair", "like trimesh", "mesh", "balls", str(path), str(path)]
        assert [item.kind.name for item in added] == ["TRIANGLE"] * 2 + ["TETRAHEDRON", "SPHERE"] + ["TRIANGLE"] * 2
        assert added[0].pose[0, 3] == 2 and not added[3].self_pairs
        with pytest.raises(TypeError, match=r"scene\.dump\(\)"):
            scene.add(SimpleNamespace(geometry={}))


def test_handles_are_not_copied() -> None:
    tree, workers = gz.SphereTree(CUBE, 0.1), gz.Workers(1)
    with gz.Scene() as scene, gz.Shape.spheres(CUBE, 1) as shape:
        item = scene.add_shape(shape)
        for thing in (scene, shape, tree, workers, item):
            with pytest.raises(TypeError, match="cannot be copied or pickled"):
                pickle.dumps(thing)
        for thing in (scene, shape):
            with pytest.raises(TypeError, match="cannot be copied or pickled"):
                copy.copy(thing)


def test_forms_of_arrays() -> None:
    """Tuples of tuples, columns of radii, and packings of meshes."""
    corners, faces = tuple(map(tuple, TETRAHEDRON.tolist())), tuple(map(tuple, FACES.tolist()))
    assert gz.check(corners, faces).meshes[0].count == 4
    assert len(gz.check((corners, faces), (TETRAHEDRON + 0.1, FACES)).meshes) == 2
    assert gz.check((corners, faces)).count == 0 and gz.check(([], [])).count == 0
    assert gz.spheres(CUBE, np.full((8, 1), 0.5)).radii.shape == (8,)
    by_mesh, by_arrays = gz.pack_spheres((TETRAHEDRON, FACES), count=20), gz.pack_spheres(TETRAHEDRON, FACES, count=20)
    assert np.array_equal(by_mesh.array, by_arrays.array)
    with pytest.raises(ValueError, match="requires a mesh of triangles"):
        gz.pack_spheres(gz.spheres(CUBE, 1), count=3)
    with gz.Scene() as scene:
        item = scene.add(gz.spheres(CUBE, 0.1))
        other = scene.add(gz.spheres(CUBE, 0.1))
        poses = np.stack([np.eye(4)] * 3)
        assert scene.test_configurations([item], poses).shape == (3,)
        parts = poses[:, :3, :3], poses[:, :3, 3]
        assert scene.measure_configurations([item], parts)["distance"].tolist() == [0, 0, 0]
        item.remove()
        other.radii = 0.2
        assert other.radii.tolist() == [0.2] * 8
    balls = gz.spheres(CUBE, 0.1)
    assert gz.SphereTree(balls).info.sphere_count == 8
    carrier = gz.Carrier(TETRAHEDRON, [[0, 1, 2, 3]], gz.spheres([[0.1, 0.1, 0.1]], 0.05))
    assert repr(carrier) == "<Carrier: 1 spheres>"


def test_files_iterate(tmp_path: Path) -> None:
    path = tmp_path / "one.obj"
    gz.write(path, (TETRAHEDRON, FACES))
    content = path.read_bytes()
    for source in (path, content, bytearray(content), memoryview(content)):
        with gz.MeshFile(source, "one.obj") as file:
            assert [info.primitive_count for info in file] == [4] and len(file) == 1
    with pytest.raises(TypeError, match="requires a mesh"):
        gz.write(path)
    assert path.read_bytes() == content
    with pytest.raises(TypeError, match="gz.MeshFile reads the bytes"):
        gz.read(str(path).encode())  # type: ignore[arg-type]


def test_messages_say_what_to_do() -> None:
    tree = gz.SphereTree(CUBE, 0.1)
    with gz.Scene() as scene:
        item = scene.add_triangles(TETRAHEDRON, FACES)
        attempts = (
            (lambda: scene.add_shape((TETRAHEDRON, FACES)), TypeError, "requires a Shape, not tuple; use add for meshes"),
            (lambda: scene.add_triangles(TETRAHEDRON, FACES, numbers=7), TypeError, "numbers must be GlobalNumbers"),
            (lambda: scene.add_polygons(TETRAHEDRON, [0, 1, 2]), ValueError, "faces must be rows of indices"),
            (lambda: setattr(item, "positions", 3), ValueError, r"shape \(n, 3\)"),
            (lambda: gz.pose_from_quaternion([0, 0, 0, 0]), ValueError, "must not be zero"),
            (lambda: tree.volume(gz.spheres(CUBE, 1)), TypeError, "must be a SphereTree, not Mesh"),
            (lambda: gz.SphereTree(CUBE), ValueError, "spheres require centers and radii"))
        for attempt, error, words in attempts:
            with pytest.raises(error, match=words):
                attempt()
        assert len(scene) == 1
