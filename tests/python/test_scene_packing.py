"""Packings, carriers and sphere trees."""
from __future__ import annotations

import numpy as np
import pytest

import grazelib as gz
from test_scene_objects import FACES, TETRAHEDRON, moved


def pack(count: int = 200, **options: object) -> gz.Packing:
    return gz.pack_spheres(TETRAHEDRON, FACES, count=count, **options)


def test_packing() -> None:
    packing = pack()
    assert len(packing) == 200 and packing.certified and abs(packing.mesh_volume - 1 / 6) < 1e-12
    assert 0.5 < packing.fill_rate < 1 and not packing.inverted and packing.shell_count == 1
    assert packing.centers.shape == (200, 3) and packing.array["radius"].tolist() == packing.radii.tolist()
    volume = (4 / 3 * np.pi * packing.radii**3).sum()
    assert abs(volume - packing.sphere_volume) < 1e-9 and "200 spheres" in repr(packing)
    with gz.Scene() as scene:
        scene.add_spheres(packing.centers, packing.radii * (1 - 1e-12))
        assert len(scene.pairs()) == 0
    with gz.Workers(2) as workers:
        assert pack(workers=workers).array.tobytes() == packing.array.tobytes()
    assert pack(seed=1).array.tobytes() != packing.array.tobytes()


def test_packing_limits_and_progress() -> None:
    told: list[tuple[int, float]] = []
    packing = pack(fill_rate=0.3, progress=lambda count, rate: told.append((count, rate)))
    assert packing.fill_rate >= 0.3 and told and told[-1][0] == len(packing) < 200
    assert len(pack(should_finish=lambda: True)) < 200
    assert len(pack(20, progress=True)) == 20
    assert (pack(smallest_radius=0.05).radii >= 0.05).all()


def test_packing_refused() -> None:
    with pytest.raises(gz.InvalidArgument):
        gz.pack_spheres(TETRAHEDRON, FACES[:3])
    with pytest.raises(gz.NotFinite):
        gz.pack_spheres(TETRAHEDRON * np.nan, FACES)
    with pytest.raises(gz.InvalidArgument):
        pack(0)
    with pytest.raises(gz.InvalidArgument):
        pack(backend="none")


def test_packing_stops() -> None:
    with pytest.raises(gz.Stopped):
        pack(10_000, should_stop=lambda: True)


def test_exceptions_of_callbacks_come_out() -> None:
    def fail(*_: object) -> bool:
        raise ZeroDivisionError("mine")

    for name in ("progress", "should_finish", "should_stop"):
        with pytest.raises(ZeroDivisionError, match="mine"):
            pack(10_000, **{name: fail})


def test_carrier() -> None:
    packing = pack(50)
    with gz.Carrier(TETRAHEDRON, [[0, 1, 2, 3]], packing) as carrier:
        rest = carrier.move(TETRAHEDRON)
        assert rest.certified and rest.gone_count == 0 and abs(rest.centers - packing.centers).max() < 1e-12
        larger = carrier.move((2 * TETRAHEDRON).astype(np.float32))
        assert abs(larger.centers - 2 * packing.centers).max() < 1e-6
        flat = carrier.move(TETRAHEDRON * [1, 1, 0])
        assert flat.gone_count == 50 and flat.sphere_volume == 0
        with pytest.raises(gz.NotFinite):
            carrier.move(TETRAHEDRON + np.inf)
        with pytest.raises(gz.GrazeError):
            carrier.move(TETRAHEDRON[:3])
    with pytest.raises(ValueError, match="closed"):
        carrier.move(TETRAHEDRON)
    with pytest.raises(gz.InvalidArgument):
        gz.Carrier(TETRAHEDRON, [[0, 1, 2, 3]], [[5, 5, 5]], [0.1])
    with pytest.raises(ValueError):
        gz.Carrier(TETRAHEDRON, [[0, 1, 2, 3]], [[5, 5, 5]])


def test_sphere_trees() -> None:
    packing = pack(100)
    a = gz.SphereTree(packing)
    b = gz.SphereTree(packing.centers, packing.radii, builder="biggest", workers=1)
    assert a.info.sphere_count == 100 and a.info.multiplicity >= 1 and a.info.bytes > 0 and "100 spheres" in repr(a)
    shared = a.volume(b, None, moved(0.1), stiffness=3)
    with gz.Scene() as scene:
        scene.add_spheres(packing.centers, packing.radii)
        scene.add_spheres(packing.centers, packing.radii, pose=moved(0.1))
        wrench = scene.wrenches(stiffness=3, within=False)[0]
    assert shared.complete and shared.volume == wrench["volume"] and shared.force.tolist() == wrench["force"].tolist()
    assert shared.pair_count == wrench["pair_count"] and shared.lower == shared.volume == shared.upper
    apart = a.distance(b, None, moved(3))
    centers, radii = packing.centers, packing.radii
    gaps = np.linalg.norm(centers[:, None] - (centers[None] + [3, 0, 0]), axis=2) - radii[:, None] - radii
    assert apart.complete and abs(apart.distance - gaps.min()) < 1e-12
    assert (apart.sphere_a, apart.sphere_b) == np.unravel_index(gaps.argmin(), gaps.shape)
    assert abs(np.linalg.norm(apart.witness_a - apart.witness_b) - apart.distance) < 1e-9
    bounded = a.distance(b, None, moved(3), budget=1)
    assert bounded.lower <= apart.distance <= bounded.upper and not bounded.complete
    with pytest.raises(gz.NotARotation, match="deviates"):
        a.distance(b, (2 * np.eye(3), [0, 0, 0]))
    with pytest.raises(ValueError, match="extremes"):
        gz.SphereTree(packing, builder="none")
    with pytest.raises(gz.InvalidArgument):
        gz.SphereTree(np.empty((0, 3)), [])
    b.close()
    with pytest.raises(ValueError, match="closed"):
        a.distance(b)
