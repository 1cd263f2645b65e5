"""Compares queries of a scene with each other, with simple oracles, and with the library's guarantees."""
from __future__ import annotations

import itertools
import threading

import numpy as np
import pytest

import grazelib as gz
from test_scene_objects import CUBE, CUBE_FACES, FACES, TETRAHEDRON, moved

RANDOM = np.random.default_rng(38)


def sphere(count: int = 12, radius: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """A closed mesh of a ball, by latitude and longitude."""
    rows = [[0, 0, radius]]
    for i in range(1, count):
        for j in range(2 * count):
            a, b = np.pi * i / count, np.pi * j / count
            rows.append([radius * np.sin(a) * np.cos(b), radius * np.sin(a) * np.sin(b), radius * np.cos(a)])
    rows.append([0, 0, -radius])
    n = 2 * count
    at = lambda i, j: 1 + (i - 1) * n + j % n  # noqa: E731
    faces = []
    for j in range(n):
        faces.append([0, at(1, j), at(1, j + 1)])
        faces.append([len(rows) - 1, at(count - 1, j + 1), at(count - 1, j)])
        for i in range(1, count - 1):
            faces += [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]]
    return np.array(rows), np.array(faces)


@pytest.fixture
def soup() -> gz.Scene:
    """Two objects of random triangles."""
    scene = gz.Scene()
    for _ in range(2):
        corners = RANDOM.random((60, 1, 3)) + 0.8 * RANDOM.random((60, 3, 3))
        scene.add_triangles(corners.reshape(-1, 3), np.arange(180).reshape(-1, 3))
    return scene


def brute(scene: gz.Scene) -> list[tuple[int, ...]]:
    """All pairs by the test of two triangles."""
    corners = [(item.index, i, triangle) for item in scene for i, triangle in
               enumerate(item.positions.reshape(-1, 3, 3))]
    return [(a, i, b, j) for (a, i, p), (b, j, q) in itertools.combinations(corners, 2) if gz.triangles_intersect(p, q)]


def test_pairs_are_those_of_brute_force(soup: gz.Scene) -> None:
    expected = brute(soup)
    pairs = soup.pairs()
    assert [tuple(row) for row in pairs.array.tolist()] == expected and len(expected) > 100
    assert pairs.hash == gz.pairs_hash(expected) == gz.pairs_hash(expected[::-1])
    assert not pairs.limit_reached and len(pairs) == len(expected) == pairs.counters["pairs"]
    assert np.asarray(pairs) is pairs.array and np.array(pairs, dtype=np.int64).dtype == np.int64
    assert "hash" in repr(pairs) and [tuple(row) for row in pairs] == expected


def test_scopes_and_limits(soup: gz.Scene) -> None:
    expected = brute(soup)
    within = [row for row in expected if row[0] == row[2]]
    between = [row for row in expected if row[0] != row[2]]
    rows = lambda **options: [tuple(row) for row in soup.pairs(**options).array.tolist()]  # noqa: E731
    assert rows(between=False) == within and rows(within=False) == between
    limited = soup.pairs(pair_limit=7)
    assert limited.array.tolist() == [list(row) for row in expected[:7]] and limited.limit_reached
    assert set(rows(stop_after=5)) <= set(expected) and len(rows(stop_after=5)) == 5
    assert set(expected) <= set(rows(candidates_only=True))
    first, second = soup
    assert rows(about=first) == [row for row in expected if 0 in (row[0], row[2])]
    assert rows(about=(first, second)) == between and rows(about=(second, second)) == [r for r in within if r[0] == 1]
    inside = rows(box=([0, 0, 0], [0.5, 0.5, 0.5]))
    assert set(inside) < set(expected)
    assert rows(box=([-np.inf] * 3, [np.inf] * 3)) == expected
    assert tuple(soup.any_pair()) in expected and soup.collides() and soup.collides(within=False)
    assert soup.any_pair(box=([50, 50, 50], [51, 51, 51])) is None
    assert soup.touching().array.tolist() == [[0, 0], [0, 1], [1, 1]]
    assert soup.touching().names == [("0", "0"), ("0", "1"), ("1", "1")]


@pytest.mark.parametrize("options", [
    {"within": False, "between": False}, {"neighbors": "none"}, {"test": "none"}, {"box": [0, 1]},
    {"pair_limit": -1}, {"stop_after": -1}, {"about": ()}, {"clearance": -1.0}, {"clearance": float("nan")},
    {"pair_limit": 3, "stop_after": 3}, {"clearance_rings": -1}, {"box": ([1, 0, 0], [0, 0, float("nan")])}])
def test_refused_queries(soup: gz.Scene, options: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        soup.pairs(**options)


def test_unknown_option(soup: gz.Scene) -> None:
    with pytest.raises(TypeError, match="limits"):
        soup.pairs(limits=3)


def test_clearance(soup: gz.Scene) -> None:
    near = soup.pairs(clearance=0.05)
    distances = soup.distances(near)
    assert set(map(tuple, soup.pairs().array.tolist())) < set(map(tuple, near.array.tolist()))
    assert (distances["distance"] <= 0.05 + 1e-12).all()
    assert distances.nearest is not None and distances["distance"][distances.nearest] == 0
    corners = [item.positions.reshape(-1, 3, 3) for item in soup]
    for row in distances:
        a, i, b, j = row["pair"].tolist()
        distance, _, _ = gz.triangles_distance(corners[a][i], corners[b][j])
        assert abs(distance - row["distance"]) < 1e-12
        assert abs(np.linalg.norm(row["point_a"] - row["point_b"]) - row["distance"]) < 1e-9
    assert soup.distances([]).nearest is None


def test_contacts(soup: gz.Scene) -> None:
    pairs = soup.pairs()
    contacts = soup.contacts(pairs)
    assert contacts.pairs.tolist() == pairs.array.tolist()
    corners = [item.positions.reshape(-1, 3, 3) for item in soup]
    for i, row in enumerate(contacts):
        a, p, b, q = row["pair"].tolist()
        points = gz.triangles_intersection(corners[a][p], corners[b][q])
        assert contacts.points_of(i).shape == points.shape
        shift = row["normal"] * (row["depth"] + 1e-9)
        assert not gz.triangles_intersect(corners[a][p], corners[b][q] + shift)
    assert len(soup.contacts()) == len(pairs) and len(soup.contacts(test="gjk")) == len(pairs)
    with pytest.raises(gz.InvalidArgument):
        soup.contacts([[0, 0, 1, 10_000]])
    for wrong in ([[0, 0, 1]], [[0.5, 0, 1, 1]], [[-1, 0, 1, 0]]):
        with pytest.raises((ValueError, TypeError)):
            soup.contacts(wrong)


def test_wrenches() -> None:
    with gz.Scene() as scene:
        scene.add_polyhedra(CUBE, [CUBE_FACES])
        scene.add_polyhedra(CUBE, [CUBE_FACES], pose=moved(0.75))
        found = scene.wrenches(stiffness=2)
        assert abs(found["volume"][0] - 0.25) < 1e-12 and abs(found["force"][0] - [0.5, 0, 0]).max() < 1e-12
        assert abs(found["centroid"][0] - [0.875, 0.5, 0.5]).max() < 1e-12
        about = scene.wrenches(stiffness=2, about_point=[0, 1.5, 0.5], within=False)
        assert abs(about["torque"][0] - [0, 0, 0.5]).max() < 1e-12
        again = scene.wrenches(scene.pairs(), stiffness=2)
        assert again.array.tobytes() == found.array.tobytes()
        assert len(scene.wrenches(scene.pairs(), wrench_test="gjk")) == 1
        by_gradient = scene.wrenches(force="gradient", stiffness=3)
        assert abs(by_gradient["force"][0] - [3, 0, 0]).max() < 1e-12
        assert abs(by_gradient["gradient"][0] - [-1, 0, 0]).max() < 1e-12
        with pytest.raises(ValueError, match="cannot be combined with pairs"):
            scene.wrenches(scene.pairs(), within=False)


def test_regions_and_curves() -> None:
    vertices, faces = sphere()
    with gz.Scene() as scene:
        scene.add_triangles(vertices, faces, name="left")
        scene.add_triangles(vertices, faces, name="right", pose=moved(1.2))
        regions = scene.regions()
        assert len(regions) == 1 and regions.clash_of(0) == gz.Clash.CROSSING
        assert regions.hash == scene.pairs().hash and len(regions.pairs_of(0)) == len(regions.pairs)
        line, = regions.polylines(kind=gz.CurveKind.LINE)
        assert (line[0] == line[-1]).all() and abs(line[:, 0] - 0.6).max() < 0.05
        assert [curve.tolist() for curve in scene.curves()] == [curve.tolist() for curve in regions.polylines()]
        assert len(regions.points) >= 1 and len(regions.objects) == 1 and 0.5 < regions.objects["depth"][0] < 1
        bare = scene.regions(scene.pairs(), depths=False, curves=False)
        assert len(bare) == 1 and len(bare.curves) == len(bare.points) == 0
        assert len(regions.polylines(region=1)) == 0 and "count=1," in repr(regions)
        with pytest.raises(gz.Unsupported):
            scene.regions(pair_limit=3)
        with pytest.raises(ValueError, match="cannot be combined with pairs"):
            scene.regions(scene.pairs(), within=False)


def test_containments_and_open_edges() -> None:
    vertices, faces = sphere()
    with gz.Scene() as scene:
        outer = scene.add_triangles(vertices, faces, name="outer")
        inner = scene.add_triangles(0.5 * vertices, faces, name="inner")
        assert len(scene.pairs()) == 0
        for found in (scene.containments(), scene.containments(scene.touching(within=False)), scene.containments([])):
            assert found.array.tolist() == [(1, 0, len(faces), len(faces))]
        edges = outer.open_edges()
        assert edges.count == 0 and edges.primitive is None
        inner.remove_primitives([0])
        assert inner.open_edges().count == 3 and inner.open_edges().primitive is not None
        assert abs(inner.open_edges().start).max() <= 0.5
        outer.remove_primitives([0])
        assert len(scene.containments()) == 0
        balls = scene.add_spheres([[0, 0, 0]], 1)
        with pytest.raises(gz.Unsupported):
            balls.open_edges()


def test_nearest() -> None:
    with gz.Scene() as scene:
        a, b, d = (scene.add_tetrahedra(TETRAHEDRON, [[0, 1, 2, 3]], pose=moved(x)) for x in (0, 3, 10))
        rows = scene.nearest()
        assert rows["distance"].tolist() == [2, 9, 6] and rows.complete and rows.measure_count > 0
        assert scene.nearest((a, d))["distance"].tolist() == [9] and len(scene.nearest(a)) == 2
        assert scene.nearest(scope="of_all")["distance"].tolist() == [2]
        assert scene.nearest(scope="each_object")["distance"].tolist() == [2, 2, 6]
        assert scene.nearest(max_distance=5)["distance"].tolist() == [2]
        assert rows["point_a"][0].tolist() == [1, 0, 0] and rows["point_b"][0][0] == 3
        with pytest.raises(ValueError, match="of_all"):
            scene.nearest(scope="none")


def test_crowding() -> None:
    vertices, faces = sphere()
    with gz.Scene() as scene:
        item = scene.add_triangles(vertices, faces)
        found = scene.crowding(item)
        assert found.k == found.k_of.max() and len(found.k_of) == len(found.diameter_of) == len(faces)
        assert abs(found.mean - found.k_of.mean()) < 1e-9 and found.primitive_count == len(faces)
        assert found.smallest <= found.largest and "k = " in repr(found) and found.timings


def test_neighbors() -> None:
    folded = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 0]]
    with gz.Scene() as scene:
        scene.add_triangles(folded, [[0, 1, 2], [0, 1, 3]])
        assert len(scene.pairs()) == 0 and len(scene.pairs(neighbors="beyond")) == 1


def test_threads_ask_at_once(soup: gz.Scene) -> None:
    expected = soup.pairs().hash
    item = next(iter(soup))
    item.pose = np.eye(4)  # the first of them updates
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.extend(soup.pairs().hash for _ in range(20))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 120


def test_pose_batches() -> None:
    vertices, faces = sphere(6)
    shifts = np.linspace(0, 4, 41)
    with gz.Scene(method="tree") as scene:
        still = scene.add_triangles(vertices, faces)
        moving = scene.add_triangles(vertices, faces)
        expected = []
        for x in shifts:
            moving.pose = moved(x)
            expected.append(len(scene.pairs(within=False)))
        moving.pose = moved(50)
        rotations, translations = np.stack([np.eye(3)] * 41), np.stack([shifts, 0 * shifts, 0 * shifts], axis=1)
        counts = scene.test_poses(still, moving, (rotations, translations), count_pairs=True)
        assert counts.tolist() == expected and counts.dtype == np.uint64 and min(expected) == 0 < max(expected)
        matrices = np.stack([np.eye(4)] * 41)
        matrices[:, :3, 3] = translations
        answers = scene.test_poses(still, moving, matrices)
        assert answers.dtype == bool and answers.tolist() == [count > 0 for count in expected]
        assert scene.test_poses(still, moving, matrices[:0]).shape == (0,)
        both = np.stack([matrices, np.stack([np.eye(4)] * 41)], axis=1)
        any_of = scene.test_configurations([moving, still], both)
        assert any_of.dtype == bool and any_of.tolist() == answers.tolist()
        assert scene.test_configurations([moving, still], both, answer="counts").tolist() == expected
        rows = scene.test_configurations([moving, still], both, answer="object_pairs")
        assert rows.shape == (41, 1) and rows[:, 0].tolist() == answers.tolist()
        assert scene.configuration_pairs([moving, still]) == [(moving, still)]
        parts = (both[..., :3, :3], both[..., :3, 3])
        assert scene.test_configurations([moving, still], parts, pairs=[(still, moving)]).tolist() == answers.tolist()
        told: list[int] = []
        assert scene.test_poses(still, moving, matrices, progress=told.append).tolist() == answers.tolist()
        assert told == [41]
        for wrong in (both[:, :1], both[0], np.zeros(3)):
            with pytest.raises(ValueError):
                scene.test_configurations([moving, still], wrong)
        matrices[17, :3, :3] *= 1.5
        with pytest.raises(gz.NotARotation, match="pose 17 deviates"):
            scene.test_poses(still, moving, matrices)
        with pytest.raises(ValueError, match="object_pairs"):
            scene.test_configurations([moving], matrices[:, None], answer="none")


def test_pose_batches_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    from grazelib import pose_batches
    monkeypatch.setattr(pose_batches, "PROGRESS_POSES", 7)
    shifts = np.zeros((30, 4, 4)) + np.eye(4)
    shifts[:, 0, 3] = np.linspace(0, 3, 30)
    with gz.Scene() as scene:
        a, b = (scene.add_triangles(TETRAHEDRON, FACES) for _ in range(2))
        told: list[int] = []
        expected = scene.test_poses(a, b, shifts, count_pairs=True)
        assert scene.test_poses(a, b, shifts, count_pairs=True, progress=told.append).tolist() == expected.tolist()
        assert told == [7, 14, 21, 28, 30]
        rows = scene.test_configurations([b], shifts[:, None], answer="object_pairs", progress=True)
        assert rows[:, 0].tolist() == (expected > 0).tolist()


def test_two_primitives() -> None:
    a, b = TETRAHEDRON[:3], TETRAHEDRON[:3] + [0, 0, 2]
    assert not gz.triangles_intersect(a, b) and len(gz.triangles_intersection(a, b)) == 0
    assert gz.triangles_distance(a, b)[0] == 2 and gz.triangles_intersect(a, a[::-1])
    assert gz.convex_intersect(CUBE, CUBE + 1) and not gz.convex_intersect(CUBE, CUBE + 1.5)
    distance, p, q = gz.convex_distance(CUBE, CUBE + [3, 0, 0])
    assert distance == 2 and p is not None and q is not None and abs(q[0] - p[0]) == 2
    assert gz.convex_distance(CUBE, []) == (np.inf, None, None) and gz.convex_penetration(CUBE, CUBE + 2) is None
    separated = gz.convex_penetration(CUBE, CUBE + [0.75, 0, 0])
    assert separated is not None
    assert separated[0].tolist() == [1, 0, 0] and abs(separated[1] - 0.25) < 1e-12
    for wrong in (TETRAHEDRON, [[0, 0], [1, 1], [2, 2]], [[np.nan] * 3] * 3):
        with pytest.raises(ValueError):
            gz.triangles_intersect(a, wrong)
