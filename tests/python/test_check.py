"""Tests gz.check on arrays and on objects of other packages, its result, and bad input."""
from __future__ import annotations

import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
import time
import zlib
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import graze_tool
import grazelib as gz
import numpy as np
import pytest
from fake_device import DlpackArray, InterfaceArray

# Two triangles that cross, one that is apart, and one that shares an edge with the first.
VERTICES = np.array([[0, 0, 0], [2, 0, 0], [0, 2, 0], [0.5, 0.5, -1], [0.5, 0.5, 1], [3, 3, 0], [9, 9, 9], [9, 8, 9],
                     [8, 9, 9], [2, 2, 0]])
FACES = np.array([[0, 1, 2], [3, 4, 5], [6, 7, 8], [1, 9, 2]])
PAIRS = [[0, 1], [1, 3]]


def tetrahedron(shift: float = 0.0, size: float = 1.0) -> tuple[Any, Any]:
    """A closed surface of four triangles."""
    points = size * np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]]) + shift
    return points, np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])


# ------------------------------------------------------------------------------------------------ sources

SOURCES: dict[str, Any] = {
    "arrays": lambda v, f: (v, f),
    "trimesh": lambda v, f: SimpleNamespace(vertices=v.view(), faces=f.view()),
    "open3d by attributes": lambda v, f: SimpleNamespace(vertices=v, triangles=f.astype(np.int32)),
    "pyvista": lambda v, f: SimpleNamespace(points=v.astype(np.float32),
                                            faces=np.column_stack([np.full(len(f), 3), f]).reshape(-1)),
    "pyvista grid": lambda v, f: SimpleNamespace(points=v, cells_dict={5: f, 1: [[0]]}),
    "meshio": lambda v, f: SimpleNamespace(points=v, cells_dict={"triangle": f[:2], "line": [[0, 1]]} if len(f) == 2
                                           else {"triangle": f}),
    "lists": lambda v, f: (v.tolist(), f.tolist()),
    "mesh": lambda v, f: gz.mesh(v, f),
}


@pytest.mark.parametrize("source", SOURCES)
def test_sources(source: str) -> None:
    assert gz.check(SOURCES[source](VERTICES, FACES)).pairs.tolist() == PAIRS


def test_vertices_and_faces() -> None:
    assert gz.check(VERTICES, FACES).pairs.tolist() == PAIRS
    assert gz.check(VERTICES.tolist(), FACES.tolist()).pairs.tolist() == PAIRS
    assert gz.check(VERTICES.astype(np.float32)[::1], FACES.astype(np.int16)).pairs.tolist() == PAIRS
    nested = tuple(map(tuple, VERTICES.tolist())), tuple(map(tuple, FACES.tolist()))
    assert gz.check(nested).pairs.tolist() == PAIRS
    assert gz.check(VERTICES[::-1], len(VERTICES) - 1 - FACES).pairs.tolist() == PAIRS


def test_open3d() -> None:
    open3d = pytest.importorskip("open3d")
    legacy = open3d.geometry.TriangleMesh(open3d.utility.Vector3dVector(VERTICES), open3d.utility.Vector3iVector(FACES))
    assert gz.check(legacy).pairs.tolist() == PAIRS
    assert gz.check(open3d.t.geometry.TriangleMesh.from_legacy(legacy)).pairs.tolist() == PAIRS
    cells = open3d.geometry.TetraMesh(open3d.utility.Vector3dVector(VERTICES[:4]),
                                      open3d.utility.Vector4iVector([[0, 1, 2, 3]]))
    assert gz.mesh(cells).kind == gz.Kind.TETRAHEDRON


def test_meshio() -> None:
    meshio = pytest.importorskip("meshio")
    assert gz.check(meshio.Mesh(VERTICES, [("triangle", FACES)])).pairs.tolist() == PAIRS
    mixed = gz.mesh(meshio.Mesh(VERTICES, [("quad", [[0, 1, 9, 2]]), ("triangle", FACES[1:3])]))
    assert mixed.kind == gz.Kind.POLYGON and mixed.count == 3
    assert gz.check(mixed).pairs.tolist() == [[0, 1]]
    solid = gz.mesh(meshio.Mesh(VERTICES, [("tetra", [[0, 1, 2, 4]]), ("triangle", FACES)]))
    assert solid.kind == gz.Kind.TETRAHEDRON and "triangle" in str(solid.note)
    assert "note  mesh: cells that are not tetrahedra were skipped: triangle" in str(gz.check(solid))


@pytest.mark.parametrize("producer", [DlpackArray, InterfaceArray])
def test_arrays_of_a_device(producer: type[DlpackArray] | type[InterfaceArray]) -> None:
    """They are copied to the host where they can be, and else refused with what to do."""
    class Tensor(producer):  # type: ignore[misc, valid-type]
        def cpu(self) -> object:
            return self.array

    vertices, faces = np.array(VERTICES), np.array(FACES)
    expected = gz.check(vertices, faces).hash
    assert gz.check(Tensor(vertices), Tensor(faces)).hash == expected
    assert gz.check((Tensor(vertices), Tensor(faces))).hash == expected
    assert gz.check(SimpleNamespace(vertices=Tensor(vertices), faces=Tensor(faces))).hash == expected
    balls = gz.spheres(Tensor(vertices), Tensor(np.ones(len(vertices))))
    assert gz.check(balls).hash == gz.check(gz.spheres(vertices, 1.0)).hash
    for arrays in ((producer(vertices), faces), (vertices, producer(faces))):
        with pytest.raises(TypeError, match="lies on a device, and has no method.*give an array of the host"):
            gz.check(*arrays)


def test_pyvista_polygons_and_cells() -> None:
    mixed = gz.mesh(SimpleNamespace(points=VERTICES, faces=np.array([4, 0, 1, 9, 2, 3, 3, 4, 5])))
    assert [face.tolist() for face in mixed.faces] == [[0, 1, 9, 2], [3, 4, 5]]
    assert gz.check(mixed).pairs.tolist() == [[0, 1]]
    quads = gz.mesh(SimpleNamespace(points=VERTICES, faces=np.array([4, 0, 1, 9, 2])))
    assert quads.kind == gz.Kind.POLYGON and quads.count == 1
    assert gz.mesh(SimpleNamespace(points=VERTICES, cells_dict={10: [[0, 1, 2, 4]]})).kind == gz.Kind.TETRAHEDRON


def test_kinds_of_arrays() -> None:
    assert gz.mesh(VERTICES, [[0, 1, 9, 2]], kind="polygon").kind == gz.Kind.POLYGON
    assert gz.mesh(VERTICES, [[0, 1, 9, 2], [3, 4, 5]]).kind == gz.Kind.POLYGON
    assert gz.mesh(VERTICES, [[0, 1, 2], [3, 4, 5]], kind="polygon").kind == gz.Kind.TRIANGLE
    assert gz.mesh(VERTICES, [[0, 1, 2, 4]], kind=gz.Kind.TETRAHEDRON).kind == gz.Kind.TETRAHEDRON
    points, faces = tetrahedron()
    cell = gz.mesh(points, [faces.tolist()], kind="polyhedron")
    assert cell.kind == gz.Kind.POLYHEDRON and cell.count == 1
    assert gz.intersections(cell, gz.spheres([[0.1, 0.1, 0.1]], 0.01)).count == 1
    with pytest.raises(ValueError, match="quadrilaterals or tetrahedra"):
        gz.mesh(VERTICES, [[0, 1, 9, 2]])
    with pytest.raises(ValueError, match="tetrahedra have 4 columns, not 3"):
        gz.mesh(VERTICES, FACES, kind="tetrahedron")
    with pytest.raises(ValueError, match="there is no kind 'cube'"):
        gz.mesh(VERTICES, FACES, kind="cube")


def test_empty_meshes() -> None:
    assert gz.check([], []).ok
    assert gz.check(np.empty((0, 3)), np.empty((0, 3), int)).pairs.shape == (0, 2)
    assert gz.check(gz.spheres([], [])).verdict == "spheres: no sphere intersects another"
    assert gz.check(gz.mesh(VERTICES, [], kind="polygon")).ok


def test_files_keep_every_bit(tmp_path: Path) -> None:
    points = VERTICES + 1 / 3
    for name, kind in (("a.ply", None), ("a.obj", None), ("a.off.gz", None), ("a.msh", "tetrahedron")):
        faces = FACES if kind is None else [[0, 1, 2, 4]]
        gz.write(tmp_path / name, gz.mesh(points, faces, kind=kind))
        read = gz.read(tmp_path / name)
        np.testing.assert_array_equal(read.vertices, points)
        np.testing.assert_array_equal(read.faces, faces)
    balls = gz.spheres(points, np.arange(10) / 7)
    gz.write(tmp_path / "balls.csv", balls)
    np.testing.assert_array_equal(gz.read(tmp_path / "balls.csv").radii, balls.radii)
    gz.write(tmp_path / "two.ply", (VERTICES, FACES), (VERTICES, FACES), text=True)
    assert gz.read(tmp_path / "two.ply").count == 8


def test_arrays_of_files_outlive_their_mesh(tmp_path: Path) -> None:
    gz.write(tmp_path / "a.ply", (VERTICES, FACES))
    vertices = gz.read(tmp_path / "a.ply").vertices
    faces = gz.read_all(tmp_path / "a.ply")[0].faces
    assert not vertices.flags.writeable
    np.testing.assert_array_equal(vertices, VERTICES)
    np.testing.assert_array_equal(faces, FACES)


def test_components_and_weld() -> None:
    parts = gz.components((VERTICES, FACES))
    assert [part.count for part in parts] == [2, 1, 1]
    assert [part.name for part in parts] == ["mesh#0", "mesh#1", "mesh#2"]
    chain = np.arange(1000)  # one long strip, numbered from its middle outward
    order = np.argsort(np.abs(chain - 500), kind="stable")
    points = np.column_stack([order, order % 2, order * 0.0])
    place = np.argsort(order)
    strip = np.column_stack([place[:-2], place[1:-1], place[2:]])
    assert [part.count for part in gz.components((points, strip))] == [998]
    soup = VERTICES[FACES].reshape(-1, 3)
    faces = np.arange(len(soup)).reshape(-1, 3)
    assert gz.check(soup, faces).pairs.tolist() == [[0, 1], [0, 3], [1, 3]]
    assert gz.check(soup, faces, weld=True).pairs.tolist() == PAIRS
    assert gz.weld((soup, faces)).corners is not None
    result = gz.check(VERTICES, FACES, components=True)
    assert result.pairs.tolist() == [[0, 0, 1, 0], [0, 1, 1, 0]]
    assert result.verdict.startswith("1 clash in 2 pairs of triangles: 0 pairs within one object, 2 between two")


def test_components_of_polyhedra() -> None:
    points = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)] + [[-1, 0, 0], [0, -1, 0], [0, 0, -1.0]])
    cube = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    one = gz.mesh(points, [[[0, 8, 9], [0, 9, 10], [0, 10, 8], [8, 10, 9]], cube], kind="polyhedron")
    assert gz.check(one, gz.spheres([[0.5, 0.5, 0.5], [-0.1, -0.1, -0.1]], 0.01)).pairs[:, 1].tolist() == [0, 1]
    assert one.corners is not None and one.face_starts is not None and one.cell_starts is not None
    double = replace(one, vertices=np.vstack([one.vertices, one.vertices + 10]),
                     corners=np.concatenate([one.corners, one.corners + len(one.vertices)]),
                     face_starts=np.concatenate([one.face_starts, one.face_starts[1:] + one.face_starts[-1]]),
                     cell_starts=np.concatenate([one.cell_starts, one.cell_starts[1:] + one.cell_starts[-1]]))
    for part, shift in zip(gz.components(double), (0, 10), strict=True):
        np.testing.assert_array_equal(part.vertices[part.corners], one.vertices[one.corners] + shift)
        np.testing.assert_array_equal(part.face_starts, one.face_starts)
        np.testing.assert_array_equal(part.cell_starts, one.cell_starts)


# ------------------------------------------------------------------------------------------------ results

def test_what_a_result_has() -> None:
    result = gz.check(VERTICES, FACES)
    assert result.verdict == "mesh intersects itself: 1 clash in 2 pairs of triangles"
    assert repr(result) == "<Check: mesh intersects itself: 1 clash in 2 pairs of triangles>"
    assert str(result).startswith(f"{result.verdict} (4 triangles, ") and f"hash  {result.hash:016x}" in str(result)
    assert result.pairs.dtype == np.uint32 and not result.pairs.flags.writeable
    assert result.faces.tolist() == [True, True, False, True]
    assert result.contacts.array["kind"].tolist() == [gz.ContactKind.SEGMENT] * 2
    assert len(result.regions()) == 1 and result.regions().clash_of(0) == gz.Clash.CROSSING
    lines = result.curves()
    assert len(lines) == 1 and lines[0].shape == (3, 3)
    np.testing.assert_allclose(sorted(lines[0][:, 0]), [0.5, 1, 2])
    assert result.timings["frame"] > 0 and "search" in result.timings and "reading" in result.timings
    assert not result.ok and result.count == 2
    assert gz.pairs_hash([[0, 0, 0, 1], [0, 1, 0, 3]]) == result.hash
    html = result._repr_html_()
    assert result.verdict in html and "<pre>" in html
    with pytest.raises(TypeError, match="use .ok"):
        bool(result)


def test_html_is_escaped() -> None:
    html = gz.check(gz.mesh(VERTICES, FACES, name="<b>&"))._repr_html_()
    assert "&lt;b&gt;&amp; intersects itself" in html


def test_several_meshes() -> None:
    ball = gz.spheres([[0.5, 0.5, 0.4]], 0.5, name="ball")
    result = gz.check((VERTICES, FACES), ball, (VERTICES + 20, FACES))
    assert [part.name for part in result.meshes] == ["mesh 0", "ball", "mesh 2"]
    assert result.pairs.tolist() == [[0, 0, 1, 0], [0, 1, 1, 0]]
    assert [mask.tolist() for mask in result.faces] == [[True, True, False, False], [True], [False] * 4]
    assert result.object_pairs.tolist() == [[0, 1]] and result.object_pair_counts.tolist() == [2]
    assert gz.check([(VERTICES, FACES), ball]).pairs.tolist() == result.pairs.tolist()
    assert gz.check((VERTICES, FACES), ball, exclude=[("ball", 0)]).ok
    assert gz.intersections(ball, (VERTICES, FACES)).pairs.tolist() == [[0, 0, 1, 0], [0, 0, 1, 1]]


def test_clearance_and_distance() -> None:
    low, high = tetrahedron(), tetrahedron(3.0)
    true = 8 / np.sqrt(3)  # from the face x + y + z = 1 to the corner (3, 3, 3)
    assert gz.check(low, high, clearance=true - 1e-9).ok
    result = gz.check(low, high, clearance=true + 1e-9)
    assert result.pairs.tolist() == [[0, 2, 1, 0], [0, 2, 1, 1], [0, 2, 1, 3]]
    least = gz.distance(low, high)
    assert result.distances.array["distance"].min() == least.distance
    assert least.lower <= true <= least.upper
    np.testing.assert_allclose(np.linalg.norm(least.point_b - least.point_a), least.distance)
    assert least.feature_a == "face" and least.feature_b == "corner" and least.vertices_b == (0,)
    assert float(least) == least.distance and least.verdict in repr(least)
    assert pickle.loads(pickle.dumps(least)).distance == least.distance
    with pytest.raises(ValueError, match="regions are those of pairs that intersect"):
        result.regions()
    with pytest.raises(ValueError, match="contacts are those of pairs that intersect"):
        result.contacts
    with pytest.raises(ValueError, match="at least two objects, not 1"):
        gz.distance(low)


def test_solid_needs_closed_surfaces() -> None:
    inner = (tetrahedron(0.15, 0.2)[0], tetrahedron()[1])
    assert gz.check(tetrahedron(), inner).ok
    result = gz.check(tetrahedron(), inner, solid=True)
    assert not result.ok and result.verdict == "mesh 0 and mesh 1 do not intersect; mesh 1 lies entirely inside mesh 0"
    with pytest.raises(ValueError, match=r"mesh 1 is not closed: 3 open edges; the first is from \(0\.15, 0\.15, 0\.15\) to .* at triangle 0"):
        gz.check(tetrahedron(), (inner[0], inner[1][:3]), solid=True)


def test_pickled_results_stand_alone(tmp_path: Path) -> None:
    gz.write(tmp_path / "a.ply", (VERTICES, FACES))
    result = gz.check(str(tmp_path / "a.ply"))
    fresh = pickle.loads(pickle.dumps(result))
    used = pickle.loads(pickle.dumps((result.regions(), result.contacts, result.faces, result)[-1]))
    (tmp_path / "a.ply").unlink()
    for copy in (fresh, used):
        assert str(copy) == str(result) and copy.hash == result.hash
        np.testing.assert_array_equal(copy.pairs, result.pairs)
        np.testing.assert_array_equal(copy.contacts.array["depth"], result.contacts.array["depth"])
        np.testing.assert_array_equal(copy.curves()[0], result.curves()[0])
        assert copy.counters == result.counters
    mesh = pickle.loads(pickle.dumps(result.meshes[0]))
    assert repr(mesh) == f"<Mesh '{tmp_path / 'a.ply'}': 10 vertices, 4 triangles>"


def test_results_outlive_changes_of_the_arrays() -> None:
    vertices = VERTICES.copy()
    result = gz.check(vertices, FACES)
    vertices[:] = 0
    assert result.pairs.tolist() == PAIRS and len(result.contacts) == 2


def test_data_frame() -> None:
    pandas = pytest.importorskip("pandas")
    frame = gz.check(VERTICES, FACES).to_dataframe()
    assert list(frame.columns) == ["object_a", "primitive_a", "object_b", "primitive_b"]
    assert frame["primitive_b"].tolist() == [1, 3]
    assert "centroid_z" in gz.check(VERTICES, FACES).to_dataframe(contacts=True).columns
    near = gz.check(tetrahedron(), tetrahedron(3.0), clearance=9).to_dataframe()
    assert isinstance(near, pandas.DataFrame) and (near["distance"] > 0).all()
    assert not gz.check(VERTICES, FACES).to_dataframe().empty


def decoded(png: bytes) -> Any:
    """The pixels of a PNG file, by the rules of the format."""
    chunks, at = [], 8
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at:at + 8])
        data = png[at + 8:at + 8 + size]
        assert struct.unpack(">I", png[at + 8 + size:at + 12 + size]) == (zlib.crc32(kind + data),)
        chunks.append((kind, data))
        at += 12 + size
    assert [kind for kind, _ in chunks][0::len(chunks) - 1] == [b"IHDR", b"IEND"]
    width, height, depth, color = struct.unpack(">IIBB", chunks[0][1][:10])
    assert (depth, color) == (8, 2)
    rows = np.frombuffer(zlib.decompress(b"".join(data for kind, data in chunks if kind == b"IDAT")), np.uint8)
    pixels = np.zeros((height, 3 * width), np.uint8)
    for y, row in enumerate(rows.reshape(height, -1)):
        assert row[0] in (0, 2)  # none, or up
        pixels[y] = row[1:] + (pixels[y - 1] if row[0] == 2 and y else 0)
    return pixels.reshape(height, width, 3).astype(float)


def test_pictures_of_pixels() -> None:
    pixels = np.random.default_rng(3).integers(0, 256, (5, 7, 3), dtype=np.uint8)
    picture = gz.Picture.of_pixels(pixels)
    np.testing.assert_array_equal(decoded(picture.png), pixels)
    assert picture.size == (7, 5) and repr(picture).startswith("<Picture: 7 x 5 pixels, ")
    with pytest.raises(ValueError, match="must be uint8 of the shape"):
        gz.Picture.of_pixels(pixels[..., 0])


def test_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ball = gz.spheres([[1, 1, 1]], 0.3)
    result = gz.check((VERTICES, FACES), ball, ball, within=True, clearance=0.8, exclude=[(1, 2)])
    assert result.object_pairs.tolist() == [[0, 0], [0, 1], [0, 2]]
    picture = result.picture(camera=(30, 20), up="z", shrink=4)
    assert picture.size == (400, 300) and picture._repr_png_().startswith(b"\x89PNG")
    full = result.picture(camera=(30, 20), up="z", shrink=1)
    assert full.size == (1600, 1200)
    exact, small = decoded(full.png), decoded(picture.png)
    np.testing.assert_allclose(small, exact.reshape(300, 4, 400, 4, 3).mean(axis=(1, 3)), atol=0.5001)
    assert len(np.unique(small.reshape(-1, 3), axis=0)) > 20
    result.show(str(tmp_path / "picture.png"), shrink=4)
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    result.show(shrink=8)
    (address,) = opened
    Path(address.removeprefix("file://")).unlink()
    assert gz.distance(tetrahedron(), tetrahedron(3)).picture(shrink=4).size == (400, 300)
    with pytest.raises(gz.GrazeError, match="camera"):
        result.picture(camera="nowhere")


@pytest.mark.parametrize("model", ["panels", "tet-ball", "cells", "spheres"])
def test_pictures_of_every_kind(model: str, tmp_path: Path) -> None:
    file = graze_tool.make(tmp_path, model, 40)
    shift = np.eye(4)
    shift[0, 3] = 0.2
    assert gz.check(file, file, poses=[None, shift]).picture(shrink=8).size == (200, 150)


# ------------------------------------------------------------------------------------------------ bad input

BAD: dict[str, tuple[Any, type[Exception], str]] = {
    "nothing": (lambda: gz.check(), TypeError, "check needs a mesh"),
    "an array alone": (lambda: gz.check(VERTICES), TypeError, "an array alone is not a mesh"),
    "a number": (lambda: gz.check(7), TypeError, "mesh 0: cannot make a mesh from 7, type int"),
    "three items": (lambda: gz.check((VERTICES, FACES, FACES)), ValueError, "has 3 items"),
    "wrong shape": (lambda: gz.check(VERTICES[:, :2], FACES), ValueError, r"must have the shape \(n, 3\), not \(10, 2\)"),
    "two corners": (lambda: gz.check(VERTICES, FACES[:, :2]), ValueError, r"must have the shape \(m, 3\)"),
    "float faces": (lambda: gz.check(VERTICES, FACES.astype(float)), TypeError, "dtype of integers, not float64"),
    "text": (lambda: gz.check(VERTICES.astype(str), FACES), TypeError, "dtype of real numbers"),
    "index": (lambda: gz.check(VERTICES, FACES + 5), gz.IndexOutOfRange, "mesh"),
    "negative index": (lambda: gz.check(VERTICES, FACES - 1), gz.IndexOutOfRange, "mesh"),
    "NaN": (lambda: gz.check(np.where(VERTICES == 9, np.nan, VERTICES), FACES), gz.NotFinite, "mesh"),
    "radius": (lambda: gz.check(gz.spheres(VERTICES, -1)), gz.InvalidArgument, "spheres"),
    "radii": (lambda: gz.spheres(VERTICES, [1, 2]), ValueError, "10 centers"),
    "no file": (lambda: gz.check("no such file.stl"), gz.FileFailed, "no such file.stl"),
    "no such method": (lambda: gz.check(VERTICES, FACES, method="magic"), gz.GrazeError, "magic"),
    "neighbors": (lambda: gz.check(VERTICES, FACES, neighbors="maybe"), ValueError, "skip, beyond"),
    "clearance": (lambda: gz.check(VERTICES, FACES, clearance=-1), ValueError, "must not be negative"),
    "poses": (lambda: gz.check((VERTICES, FACES), poses=[None, None]), ValueError, "1 objects and 2 poses"),
    "exclude": (lambda: gz.check((VERTICES, FACES), exclude=[(0, 1)]), IndexError, "there is no object 1"),
    "exclude name": (lambda: gz.check((VERTICES, FACES), exclude=[("x", 0)]), ValueError, "no objects are called 'x'"),
    "points alone": (lambda: gz.check(SimpleNamespace(points=VERTICES)), TypeError, "neither .faces nor .cells"),
    "no cells": (lambda: gz.check(SimpleNamespace(points=VERTICES, cells_dict={"line": [[0, 1]]})), ValueError, "line"),
    "vertices alone": (lambda: gz.check(SimpleNamespace(vertices=VERTICES)), TypeError, "neither .faces nor .triangles"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(case: str) -> None:
    ask, error, message = BAD[case]
    with pytest.raises(error, match=message):
        ask()


def test_bad_files_name_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "bad.obj").write_text("v 0 0 0\nv 1 x 0\n")
    with pytest.raises(gz.FileFailed, match=r"bad\.obj:2"):
        gz.check(tmp_path / "bad.obj")


def test_should_stop() -> None:
    rng = np.random.default_rng(1)
    soup, faces = rng.random((30_000, 3)), np.arange(30_000).reshape(-1, 3)
    with pytest.raises(gz.Stopped):
        gz.check(soup, faces, should_stop=lambda: True)

    def fail() -> bool:
        raise RuntimeError("mine")
    with pytest.raises(RuntimeError, match="mine"):
        gz.check(soup, faces, should_stop=fail)


def test_interrupted() -> None:
    """Ctrl-C ends a check that would take many seconds."""
    soup, faces = np.random.default_rng(4).random((600_000, 3)), np.arange(600_000).reshape(-1, 3)
    pressed: list[float] = []

    def press() -> bool:
        if not pressed:
            pressed.append(time.perf_counter())
            os.kill(os.getpid(), signal.SIGINT)
        return False
    with pytest.raises(KeyboardInterrupt):
        gz.check(soup, faces, method="brute", threads=1, should_stop=press)
    assert time.perf_counter() - pressed[0] < 5


def test_threads_at_once() -> None:
    hashes: list[int] = []
    soup = gz.mesh(np.random.default_rng(2).random((3000, 3)), np.arange(3000).reshape(-1, 3))
    threads = [threading.Thread(target=lambda: hashes.append(gz.check(soup, threads=2).hash)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(hashes) == 4 and len(set(hashes)) == 1


def test_nothing_else_is_imported() -> None:
    """A check needs numpy alone."""
    code = ("import sys, grazelib as gz; gz.check([[0,0,0],[1,0,0],[0,1,0]], [[0,1,2]]); "
            "print(*(m for m in ('pandas', 'trimesh', 'open3d', 'pyvista', 'meshio', 'IPython') if m in sys.modules))")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
