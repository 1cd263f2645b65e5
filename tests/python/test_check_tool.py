"""Compares gz.check with ``graze check --json``: pairs, hash, regions, points and text, on models and real meshes."""
from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import graze_tool
import grazelib as gz
import numpy as np
import pytest

MANY_PAIRS = ("twin_left.obj.gz",)  # a mesh and its copy: seconds of depths
DATA = [file for file in graze_tool.data_files("meshes", "tets", "spheres", most_bytes=400_000)
        if not file.endswith(MANY_PAIRS)]
SMALL = {"cell-pair": 100, "boxes-jittered": 100, "boxes": 200}  # many pairs, which are measured one by one


def words_without_times(words: str) -> str:
    """The verdict, and the blocks of clashes and objects; what names options is left out."""
    first, *rest = words.strip().split("\n\n")
    blocks = [block for block in rest if block.startswith(("Clash", "Pairs of objects"))]
    text = "\n\n".join([first.split("\n")[-1], *blocks])
    text = re.sub(r", [\d.]+ m?s\)\.", ")", text)
    return re.sub(r"(and [\d,]+ more); .*", r"\1", text)


def assert_same(result: gz.Check, record: dict[str, Any], words: str) -> None:
    """The result has what the tool has."""
    listed = np.array(record["pairs"], np.uint32).reshape(-1, 4)
    np.testing.assert_array_equal(result.found.array, listed)
    assert f"{result.hash:016x}" == record["hash"]
    assert result.count == record["pair_count"]
    assert result.limit_reached == record["limit_reached"]
    assert result.neighbors == record["neighbors"]
    assert [(part.kind, part.count, len(part.vertices)) for part in result.meshes] == [
        (gz.Kind[entry["kind"].upper()], entry["primitives"], entry["vertices"]) for entry in record["objects"]]
    np.testing.assert_array_equal(np.column_stack([result.object_pairs, result.object_pair_counts]),
                                  np.array(record["object_pairs"]).reshape(-1, 3))
    if "pair_points" in record:
        np.testing.assert_array_equal(result.contacts.array["centroid"], np.reshape(record["pair_points"], (-1, 3)))
    if "regions" in record:
        assert_same_regions(result.regions(), record["regions"])
    if "containments" in record:
        found = result.containments
        rows = [] if found is None else found.array[["inner", "outer", "inside_count"]].tolist()
        assert rows == [(entry["inner"], entry["outer"], entry["inside_primitives"]) for entry in record["containments"]]
    if "wrenches" in record:
        assert result.wrenches is not None
        assert result.wrenches.array["volume"].tolist() == [entry["volume"] for entry in record["wrenches"]]
    assert words_without_times(str(result)) == words_without_times(words)


def assert_same_regions(regions: gz.Regions, listed: list[dict[str, Any]]) -> None:
    """The regions have the same ids, ways to meet, pairs and depths."""
    ours = [(f"{row['id']:016x}", gz.Clash(int(row["clash"])).name.lower(), int(row["pair_count"]), float(row["depth"]))
            for row in regions.array]
    assert ours == [(entry["id"], entry["clash"], entry["pairs"], entry["depth"]) for entry in listed]


def compare(files: list[str], options: list[str], **ours: Any) -> gz.Check:
    """Asks both."""
    record, words = graze_tool.check(*files, *options)
    result = gz.check(*files, **ours)
    assert_same(result, record, words)
    return result


@pytest.mark.parametrize("model", graze_tool.models())
def test_every_model_within_itself(model: str, tmp_path: Path) -> None:
    compare([graze_tool.make(tmp_path, model, SMALL.get(model, 600))], [])


@pytest.mark.parametrize("model", ["torus", "panels", "tet-ball", "cells", "spheres"])
def test_every_kind_between_copies(model: str, tmp_path: Path) -> None:
    file = graze_tool.make(tmp_path, model, 60)
    shifted = str(tmp_path / f"shifted{Path(file).suffix}")
    mesh = gz.read(file)
    gz.write(shifted, replace(mesh, vertices=mesh.vertices + [0.25, 0, 0]))
    assert compare([file, shifted], []).count > 0


def test_poses(tmp_path: Path) -> None:
    file = graze_tool.make(tmp_path, "torus", 300)
    shifted = [np.eye(4), np.eye(4)]
    shifted[1][:3, 3] = 0.25, 0, 0
    assert compare([file, file], ["--move", "1=0.25,0,0"], poses=shifted).count > 0


@pytest.mark.parametrize("first", ["torus", "panels", "tet-ball", "cells", "spheres"])
def test_mixed_kinds(first: str, tmp_path: Path) -> None:
    compare([graze_tool.make(tmp_path, first, 300), graze_tool.make(tmp_path, "gear", 400)], ["--self"], within=True)


@pytest.mark.parametrize(("options", "ours"), [
    (["--components"], {"components": True}),
    (["--separate"], {"separate": True}),
    (["--weld"], {"weld": True}),
    (["--neighbors", "skip"], {"neighbors": "skip"}),
    (["--candidates"], {"candidates": True}),
    (["--limit", "7"], {"limit": 7}),
    (["--clearance", "0.1"], {"clearance": 0.1}),
    (["--clearance", "0.1", "--rings", "3", "--units", "mm"], {"clearance": 0.1, "rings": 3, "units": "mm"}),
    (["--components", "--exclude", "0,1", "--exclude", "2,3"], {"components": True, "exclude": [(0, 1), (2, 3)]}),
    (["--method", "brute"], {"method": "brute"}),
    (["--method", "tree", "--threads", "1"], {"method": "tree", "threads": 1}),
    (["--method", "clusters", "--threads", "2"], {"method": "clusters", "threads": 2}),
])
@pytest.mark.parametrize("model", ["blobs", "soup"])
def test_options(model: str, options: list[str], ours: dict[str, Any], tmp_path: Path) -> None:
    compare([graze_tool.make(tmp_path, model, 800)], options, **ours)


def test_rings(tmp_path: Path) -> None:
    file = graze_tool.make(tmp_path, "torus", 300)
    counts = [compare([file], ["--clearance", "0.5", "--rings", str(rings)], clearance=0.5, rings=rings).count
              for rings in (1, 2, 3)]
    assert counts[0] > counts[1] > counts[2]


def test_components_of_solids(tmp_path: Path) -> None:
    for model in ("tet-pair", "cell-pair", "spheres"):
        compare([graze_tool.make(tmp_path, model, 60)], ["--components"], components=True)


def test_objects_inside_others(tmp_path: Path) -> None:
    ball = graze_tool.make(tmp_path, "sphere", 300)
    small = str(tmp_path / "small.ply")
    mesh = gz.read(ball)
    gz.write(small, (0.25 * mesh.vertices, mesh.faces))
    result = compare([ball, small], [])
    assert result.ok and "lies entirely inside" in str(result)
    result = compare([ball, small], ["--solid"], solid=True)
    assert not result.ok and "lies entirely inside" in result.verdict
    other = str(tmp_path / "other.ply")
    gz.write(other, (0.1 * mesh.vertices + [2, 0, 0], mesh.faces))
    compare([ball, small, other], ["--solid"], solid=True)


def test_words_for_few_pairs_and_many_objects(tmp_path: Path) -> None:
    triangle = str(tmp_path / "triangle.obj")
    gz.write(triangle, ([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]]))
    assert compare([triangle, triangle], []).count == 1
    compare([triangle, triangle, triangle], [])
    compare([triangle] * 9, ["--self"], within=True)
    compare([triangle, triangle], ["--move", "1=5,0,0"], poses=[None, (np.eye(3), [5, 0, 0])])
    compare([triangle, triangle], ["--exclude", "0,1"], exclude=[(0, 1)])
    compare([triangle, triangle], ["--clearance", "1", "--move", "1=0.1,0,0"], clearance=1,
            poses=[None, (np.eye(3), [0.1, 0, 0])])
    compare([triangle] * 3, ["--move", "1=5,0,0", "--move", "2=9,0,0"],
            poses=[None, (np.eye(3), [5, 0, 0]), (np.eye(3), [9, 0, 0])])


@pytest.mark.parametrize("file", DATA, ids=[Path(file).name for file in DATA])
def test_real_meshes(file: str) -> None:
    refused = graze_tool.refusal("check", file)
    if refused is None:
        compare([file], [])
        return
    with pytest.raises(gz.FileFailed) as caught:
        gz.check(file)
    assert str(caught.value) == refused


def test_distance(tmp_path: Path) -> None:
    torus, gear = graze_tool.make(tmp_path, "torus", 400), graze_tool.make(tmp_path, "gear", 400)
    for files in ([torus, gear], [torus, torus], [gear, torus, gear]):
        shifts = [(np.eye(3), [4.0 * i, 0.5 * i, 0]) for i in range(len(files))]
        moves = [word for i in range(1, len(files)) for word in ("--move", f"{i}={4 * i},{i / 2},0")]
        words = graze_tool.run("distance", *files, *moves).stdout
        assert str(gz.distance(*files, poses=shifts)).split("\n") == words.split("\n")[:3]
    assert gz.distance(torus, torus).distance == 0
    words = graze_tool.run("distance", torus, gear, "--move", "1=1.3,0.1,0", "--depths").stdout
    found = gz.distance(torus, gear, poses=[None, (np.eye(3), [1.3, 0.1, 0])], depths=True)
    assert found.distance < 0 and str(found).split("\n") == words.split("\n")[:4]


def test_check_folder(tmp_path: Path) -> None:
    graze_tool.make(tmp_path, "torus", 300)
    graze_tool.make(tmp_path, "soup", 300)
    (tmp_path / "broken.stl").write_text("no mesh")
    found = gz.check_folder(tmp_path)
    assert [Path(row["file"]).name for row in found] == ["broken.stl", "soup.obj", "torus.obj"]
    assert [Path(file).name for file in found.bad] == ["broken.stl", "soup.obj"]
    soup = gz.check(found[1]["file"])
    assert found[1]["hash"] == f"{soup.hash:016x}" and found[1]["pairs"] == soup.count > 0
    assert "1 of 2 files intersects itself; 1 file could not be checked" in str(found)
    with pytest.raises(FileNotFoundError, match="no folder"):
        gz.check_folder(tmp_path / "nothing")
