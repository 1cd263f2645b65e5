"""Tests least distances: their options, and batches of poses against ``nearest`` after posing the objects."""
from __future__ import annotations

import numpy as np
import pytest

import grazelib as gz
from grazelib import pose_batches
from test_scene_objects import CUBE, CUBE_FACES as SQUARES, moved

CUBE_FACES = [half for a, b, c, d in SQUARES for half in ([a, b, c], [a, c, d])]


def motions(count: int, width: int, seed: int = 7) -> np.ndarray:
    """Random poses (count, width, 4, 4), some of which make cubes overlap."""
    generator = np.random.default_rng(seed)
    rotations = np.linalg.qr(generator.normal(size=(count, width, 3, 3)))[0]
    poses = np.tile(np.eye(4), (count, width, 1, 1))
    poses[..., :3, :3] = rotations * np.linalg.det(rotations)[..., None, None]
    poses[..., :3, 3] = generator.uniform(-2, 2, (count, width, 3))
    return poses


def add_all(scene: gz.Scene) -> list[gz.SceneObject]:
    """A cube of triangles, tetrahedra, spheres, and another cube that stays."""
    return [scene.add_triangles(CUBE, CUBE_FACES, name="cube"),
            scene.add_tetrahedra(CUBE[[0, 1, 2, 4]], [[0, 1, 2, 3]], name="solid"),
            scene.add_spheres(CUBE[:3] * 0.5, 0.3, name="balls"),
            scene.add_triangles(CUBE + 0.3, CUBE_FACES, name="still")]


def empty_rows(rows: np.ndarray) -> np.ndarray:
    return np.isinf(rows["distance"])


@pytest.mark.parametrize("method", ["tree", "auto"])
@pytest.mark.parametrize("max_distance", [np.inf, 0.7, 0.0])
def test_poses(method: str, max_distance: float) -> None:
    poses = motions(40, 1)[:, 0]
    with gz.Scene(method=method, workers=1) as scene:
        cube, solid, balls, still = add_all(scene)
        for moving in (cube, solid, balls):
            at_home = moving.pose
            rows = scene.measure_poses(still, moving, poses, max_distance=max_distance)
            assert np.array_equal(moving.pose, at_home) and rows.shape == (40,)
            for pose, row in zip(poses, rows):
                moving.pose = pose
                expected = scene.nearest((still, moving), max_distance=max_distance).array
                if len(expected):
                    assert row.tobytes() == expected[0].tobytes()
                else:
                    assert np.isinf(row["distance"]) and row["lower"] == max_distance
            moving.pose = at_home
            assert 0 < (rows["distance"] == 0).sum() < 40
            assert empty_rows(rows).any() == np.isfinite(max_distance)
        parts = poses[:, :3, :3], poses[:, :3, 3]
        assert scene.measure_poses(still, cube, parts).tobytes() == scene.measure_poses(still, cube, poses).tobytes()
        assert scene.measure_poses(still, cube, poses[:0]).shape == (0,)


def test_configurations() -> None:
    count = 25
    with gz.Scene(workers=1) as scene:
        objects = add_all(scene)
        moving, still = objects[:3], objects[3]
        scene.ignore(objects[0], objects[1])
        poses = motions(count, 3)
        listed = scene.configuration_pairs(moving)
        each = scene.measure_configurations(moving, poses, each_pair=True)
        one = scene.measure_configurations(moving, poses)
        assert each.shape == (count, len(listed)) == (count, 5) and one.shape == (count,)
        some = [listed[3], listed[1], (objects[0], objects[1])]
        chosen = scene.measure_configurations(moving, poses, each_pair=True, pairs=some)
        assert chosen.shape == (count, 3) and empty_rows(chosen[:, 2]).all()
        assert chosen[:, 0].tobytes() == each[:, 3].tobytes() and chosen[:, 1].tobytes() == each[:, 1].tobytes()
        least = scene.measure_configurations(moving, poses, pairs=some)
        assert np.array_equal(least["distance"], np.minimum(each["distance"][:, 1], each["distance"][:, 3]))
        for c in range(count):
            scene.set_poses(moving, poses[c])
            expected = scene.nearest(scope="of_all").array[0]
            for field in set(gz.lists.NEAREST.names or ()) - {"lower", "upper"}:  # other intervals of the same distance
                assert one[field][c].tobytes() == expected[field].tobytes(), field
            assert one["lower"][c] <= one["distance"][c] <= one["upper"][c]
            for pair, row in zip(listed, each[c]):
                assert row.tobytes() == scene.nearest(pair).array[0].tobytes()
        parts = poses[..., :3, :3], poses[..., :3, 3]
        assert scene.measure_configurations(scene.object_ids(moving), parts).tobytes() == one.tobytes()
        near = scene.measure_configurations(moving, poses, each_pair=True, max_distance=0.5)
        assert np.array_equal(empty_rows(near), each["distance"] > 0.5) and empty_rows(near).any()
        assert scene.measure_configurations(moving, poses[:0], each_pair=True).shape == (0, 5)
        assert still.is_valid


def test_batches_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pose_batches, "PROGRESS_POSES", 7)
    poses = motions(30, 2)
    with gz.Scene() as scene:
        objects = add_all(scene)
        moving = objects[:2]
        told: list[int] = []
        expected = scene.measure_configurations(moving, poses, each_pair=True)
        found = scene.measure_configurations(moving, poses, each_pair=True, progress=told.append)
        assert found.tobytes() == expected.tobytes() and told == [7, 14, 21, 28, 30]
        one = scene.measure_poses(objects[3], moving[0], poses[:, 0])
        assert scene.measure_poses(objects[3], moving[0], poses[:, 0], progress=True).tobytes() == one.tobytes()


def test_visit_limit() -> None:
    poses = motions(30, 1)[:, 0]
    generator = np.random.default_rng(3)
    corners = (generator.random((500, 1, 3)) + generator.uniform(-0.02, 0.02, (500, 3, 3))).reshape(-1, 3)
    with gz.Scene(method="tree") as scene:
        a, b = (scene.add_triangles(corners + shift, np.arange(1500).reshape(-1, 3)) for shift in (0, 2))
        rows, exact = scene.measure_poses(a, b, poses, visit_limit=1), scene.measure_poses(a, b, poses)
        assert not rows["complete"].all() and exact["complete"].all()
        assert (rows["lower"] <= exact["distance"]).all() and (rows["distance"] >= exact["distance"]).all()


def test_refusals() -> None:
    poses = motions(20, 1)[:, 0]
    with gz.Scene() as scene, gz.Scene() as other:
        cube, solid, balls, still = add_all(scene)
        stranger = add_all(other)[0]
        with pytest.raises(gz.InvalidArgument, match="paired with itself"):
            scene.measure_configurations([still], poses[:, None], pairs=[(cube, cube)])
        with pytest.raises(gz.NoSuchObject, match="another scene"):
            scene.measure_poses(cube, stranger, poses)
        with pytest.raises(gz.NoSuchObject, match="another scene"):
            scene.measure_configurations([cube], poses[:, None], pairs=[(cube, stranger)])
        with pytest.raises(ValueError, match="poses on a device"):
            scene.measure_poses(still, cube, poses, out=np.zeros((20, 20)))
        with pytest.raises(ValueError, match=r"\(n, 2, 4, 4\)"):
            scene.measure_configurations([cube, solid], poses[:, None])
        with pytest.raises(gz.InvalidArgument):
            scene.measure_poses(still, cube, poses, max_distance=-1)
        with pytest.raises(gz.InvalidArgument, match="visit_limit must be between 0 and 18446744073709551615, not -1"):
            scene.measure_poses(still, cube, poses, visit_limit=-1)
        with pytest.raises(gz.Stopped):
            scene.measure_poses(still, cube, poses, should_stop=lambda: True)
        poses[13, :3, :3] *= 1.1
        with pytest.raises(gz.NotARotation, match="pose 13 deviates"):
            scene.measure_poses(still, cube, poses)


def test_depths_and_normals() -> None:
    with gz.Scene() as scene:
        a, b = (scene.add_triangles(CUBE, CUBE_FACES) for _ in range(2))
        b.pose = moved(0.75, 0.01, 0.02)
        plain, deep = scene.nearest()[0], scene.nearest(depths=True)[0]
        assert plain["distance"] == 0 and plain["normal"].tolist() == [0, 0, 0]
        assert abs(deep["distance"] + 0.25) < 1e-9
        assert np.allclose(deep["normal"], [1, 0, 0]) and deep["lower"] == deep["distance"] and deep["upper"] == 0
        b.pose = moved(3)
        apart = scene.nearest(depths=True)[0]
        assert apart["distance"] == 2 and apart["normal"].tolist() == [1, 0, 0]
    low, high = gz.mesh(CUBE, CUBE_FACES, name="low"), gz.mesh(CUBE + [0.75, 0.01, 0.02], CUBE_FACES, name="high")
    found = gz.distance(low, high, depths=True, units="mm")
    assert not found.certified and found.complete and abs(found.distance + 0.25) < 1e-9
    assert found.verdict.endswith("between low and high: they touch or overlap")
    assert "move the second by 0.25 mm along (1, 0, 0); this is an estimate" in str(found)
    assert gz.distance(low, high).certified and gz.distance(low, high).distance == 0


def test_time_limit() -> None:
    generator = np.random.default_rng(2)
    corners = (generator.random((4000, 1, 3)) + generator.uniform(-0.01, 0.01, (4000, 3, 3))).reshape(-1, 3)
    faces = np.arange(12000).reshape(-1, 3)
    with gz.Scene(workers=1) as scene:
        for i in range(6):
            scene.add_triangles(corners + 1.1 * i, faces)
        exact, hasty = scene.nearest(scope="of_all"), scene.nearest(scope="of_all", time_limit_ms=1e-6)
        assert exact.complete and not hasty.complete
        assert hasty["lower"][0] <= exact["distance"][0] <= hasty["upper"][0]
        with pytest.raises(gz.InvalidArgument):
            scene.nearest(time_limit_ms=-1)
