"""Tests reading mesh files into a scene, from paths and from bytes."""
from __future__ import annotations

import gzip
from pathlib import Path

import pytest

import grazelib as gz

OBJ = b"""o first
v 0 0 0
v 1 0 0
v 0 1 0
v 0.2 0.2 -1
v 0.3 0.2 1
v 0.2 0.3 1
f 1 2 3
o second
f 4 5 6
strange line
"""


def test_bytes_and_paths(tmp_path: Path) -> None:
    (tmp_path / "two.obj").write_bytes(OBJ)
    (tmp_path / "two.obj.gz").write_bytes(gzip.compress(OBJ))
    for source, name in ((OBJ, "two.obj"), (gzip.compress(OBJ), "two.obj"), (tmp_path / "two.obj", None),
                         (str(tmp_path / "two.obj.gz"), None)):
        with gz.MeshFile(source, name) as file, gz.Scene() as scene:
            assert len(file) == 1 and file.info().kind == gz.Kind.TRIANGLE and file.info().primitive_count == 2
            assert file.info().unknown_lines == 1 and file.info().note
            added = file.add_to(scene)
            assert scene[file.info().name] == added and scene.primitive_total == 2
            assert scene.pairs().array.tolist() == [[0, 0, 0, 1]]
            assert "two" in repr(file)
    assert repr(file) == "<MeshFile: closed>"
    with pytest.raises(ValueError, match="closed"):
        file.info()


def test_files_without_primitives(tmp_path: Path) -> None:
    points = b"v 0 0 0\nv 1 0 0\nl 1 2\n"
    (tmp_path / "points.obj").write_bytes(points)
    for call in (gz.check, gz.mesh, lambda path: gz.check(path, separate=True), gz.MeshFile):
        with pytest.raises(gz.FileFailed, match="points.obj: no triangle, .* was read, only 2 vertices; skipped 1 line"):
            call(str(tmp_path / "points.obj"))
    with gz.MeshFile(points, "points.obj", allow_empty=True) as file:
        assert file.info().vertex_count == 2 and file.info().primitive_count == 0 and file.info().skipped == 1


def test_groups_become_objects() -> None:
    with gz.MeshFile(OBJ, "two.obj", separate=True) as file, gz.Scene() as scene:
        for i in range(len(file)):
            file.add_to(scene, i)
        assert scene.touching().names == [("first", "second")]
        with pytest.raises(IndexError, match="the file has 2"):
            file.info(2)
        with pytest.raises(IndexError):
            file.add_to(scene, -1)


def test_refused(tmp_path: Path) -> None:
    for source, name, part in ((tmp_path / "none.stl", None, "none.stl"), (b"v 0 0\n", "one.obj", "one.obj"),
                               (b"", None, "")):
        with pytest.raises(gz.FileFailed, match=part) as caught:
            gz.MeshFile(source, name)
        assert isinstance(caught.value, OSError) and caught.value.code == gz.Result.FILE_FAILED
    with pytest.raises(gz.FileFailed):
        gz.MeshFile(OBJ, "two.obj", element_limit=3)
    with pytest.raises(gz.FileFailed):
        gz.MeshFile(OBJ, "two.obj", byte_limit=10)


def test_formats() -> None:
    rows = {row.ending: row for row in gz.formats()}
    assert rows[".obj"].name == "OBJ" and gz.Kind.TRIANGLE in rows[".obj"].written
    assert len(rows) == len(gz.formats()) > 10 and all(ending.startswith(".") for ending in rows)
