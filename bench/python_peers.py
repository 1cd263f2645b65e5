#!/usr/bin/env python3
"""Compares grazelib with the Python libraries that are installed: time, and whether the answer is right.

usage: bench/python_peers.py [--seconds N] [--markdown]

  --seconds N  gives up a library after so many seconds a row (default 60)
  --markdown   prints the tables of docs/lab/python_peers.md

Open3D lists self-intersections, VTK and trimesh (with python-fcl) intersections of two meshes. Each runs in a process of its
own, since some of them crash. Times of the others begin with meshes in their own format; graze's begin with arrays, and so
include the making of the scene. Each is the best of as many as fit in 1.5 seconds. Where GRAZE_DATA names the real meshes
and Open3D is there to read them, they are rows too.

What is right: the pairs of triangles that have a point in common, without those of one mesh that share a vertex. graze
decides them exactly. Open3D lists the same; VTK and trimesh list contacts between triangles.
"""
from __future__ import annotations

import argparse
import importlib
import multiprocessing
import os
import platform
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import grazelib as gz

Mesh = tuple[np.ndarray, np.ndarray]


# ------------------------------------------------------------------------------------------------ meshes

def ball(rings: int, center: tuple[float, float, float] = (0, 0, 0)) -> Mesh:
    """A sphere of radius 1 with 4 rings (rings - 1) triangles."""
    count = 2 * rings
    theta = np.linspace(0, np.pi, rings + 1)[1:-1, None]
    phi = np.arange(count) * 2 * np.pi / count
    body = np.stack(np.broadcast_arrays(np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta)), -1)
    vertices = np.concatenate([body.reshape(-1, 3), [[0, 0, 1], [0, 0, -1]]]) + center
    first = (np.arange(rings - 2)[:, None] * count + np.arange(count)).ravel()
    after = (np.arange(rings - 2)[:, None] * count + np.roll(np.arange(count), -1)).ravel()
    ring, turned = np.arange(count), np.roll(np.arange(count), -1)
    top, last = len(vertices) - 2, (rings - 2) * count
    faces = [np.stack([first, first + count, after], 1), np.stack([after, first + count, after + count], 1),
             np.stack([np.full(count, top), ring, turned], 1),
             np.stack([np.full(count, top + 1), last + turned, last + ring], 1)]
    return vertices, np.concatenate(faces)


def box(low: float) -> Mesh:
    """A cube of side 1 that begins at x = low; 8 by 8 squares a side."""
    steps = np.arange(9) / 8
    first = (np.arange(8)[:, None] * 9 + np.arange(8)).ravel()
    square = np.concatenate([np.stack([first, first + 1, first + 9], 1), np.stack([first + 1, first + 10, first + 9], 1)])
    parts, faces = [], []
    for axis in range(3):
        for side in (0.0, 1.0):
            u, v = np.meshgrid(steps, steps)
            parts.append(np.insert(np.stack([u.ravel(), v.ravel()], 1), axis, side, axis=1))
            faces.append(square + 81 * len(faces))
    return np.concatenate(parts) + [low, 0, 0], np.concatenate(faces)


def joined(*meshes: Mesh) -> Mesh:
    starts = np.cumsum([0] + [len(vertices) for vertices, _ in meshes])
    return np.concatenate([m[0] for m in meshes]), np.concatenate([m[1] + s for m, s in zip(meshes, starts)])


def real(name: str) -> Mesh | None:
    """A mesh of GRAZE_DATA, read by Open3D; None without one of them."""
    path = Path(os.environ.get("GRAZE_DATA", "")) / "meshes" / name
    try:
        reader = importlib.import_module("open3d").io
    except ImportError:
        return None
    if not path.is_file():
        return None
    mesh = reader.read_triangle_mesh(str(path))
    return np.asarray(mesh.vertices), np.asarray(mesh.triangles).astype(np.int64)


def single_meshes() -> Iterator[tuple[str, Mesh]]:
    yield "two spheres that cross, one mesh", joined(ball(25), ball(25, (0.7, 0.3, 0.2)))
    yield "two cubes that share a face", joined(box(0), box(1))
    yield "two cubes, 1e-12 apart", joined(box(0), box(1 + 1e-12))
    for name in ("cow.obj", "coplanar_cubes.off", "fcl_env.obj", "chair_soup.off", "elephant.off"):
        mesh = real(name)
        if mesh is not None:
            yield name, mesh


def mesh_pairs() -> Iterator[tuple[str, Mesh, Mesh]]:
    yield "two spheres that cross", ball(70), ball(70, (0.7, 0.3, 0.2))
    yield "two spheres, far apart", ball(70), ball(70, (5, 0, 0))
    yield "two cubes that share a face", box(0), box(1)
    yield "two cubes, 1e-12 apart", box(0), box(1 + 1e-12)
    scene, robot = real("fcl_env.obj"), real("fcl_rob.obj")
    if scene is not None and robot is not None:
        place = scene[0][len(scene[0]) // 2] - robot[0].mean(0)
        yield "fcl_rob.obj in fcl_env.obj", scene, (robot[0] + place, robot[1])


# ------------------------------------------------------------------------------------------------ libraries

def graze_self(mesh: Mesh) -> Callable[[], int]:
    def ask() -> int:
        with gz.Scene() as scene:
            scene.add_triangles(*mesh)
            return len(scene.pairs())
    return ask


def graze_two(a: Mesh, b: Mesh) -> Callable[[], int]:
    def ask() -> int:
        with gz.Scene() as scene:
            scene.add_triangles(*a)
            scene.add_triangles(*b)
            return len(scene.pairs(within=False))
    return ask


def open3d_mesh(mesh: Mesh) -> Any:
    library = importlib.import_module("open3d")
    return library.geometry.TriangleMesh(library.utility.Vector3dVector(mesh[0]),
                                         library.utility.Vector3iVector(mesh[1].astype(np.int32)))


def open3d_self(mesh: Mesh) -> Callable[[], int]:
    made = open3d_mesh(mesh)
    return lambda: len(np.asarray(made.get_self_intersecting_triangles()).reshape(-1, 2))


def open3d_two(a: Mesh, b: Mesh) -> Callable[[], int]:
    first, second = open3d_mesh(a), open3d_mesh(b)
    return lambda: bool(first.is_intersecting(second))


def vtk_mesh(mesh: Mesh) -> Any:
    vtk = importlib.import_module("vtk")
    convert = importlib.import_module("vtk.util.numpy_support")
    data, points, cells = vtk.vtkPolyData(), vtk.vtkPoints(), vtk.vtkCellArray()
    points.SetData(convert.numpy_to_vtk(mesh[0], deep=True))
    rows = np.insert(mesh[1].astype(np.int64), 0, 3, axis=1)
    cells.SetCells(len(rows), convert.numpy_to_vtkIdTypeArray(rows.ravel(), deep=True))
    data.SetPoints(points)
    data.SetPolys(cells)
    return data


def vtk_collision(a: Mesh, b: Mesh) -> Callable[[], int]:
    vtk = importlib.import_module("vtk")
    first, second = vtk_mesh(a), vtk_mesh(b)

    def ask() -> int:
        collision = vtk.vtkCollisionDetectionFilter()
        collision.SetInputData(0, first)
        collision.SetInputData(1, second)
        collision.SetTransform(0, vtk.vtkTransform())
        collision.SetMatrix(1, vtk.vtkMatrix4x4())
        collision.SetBoxTolerance(0)
        collision.SetCellTolerance(0)
        collision.SetCollisionModeToAllContacts()
        collision.GenerateScalarsOff()
        collision.Update()
        return int(collision.GetNumberOfContacts())
    return ask


def vtk_curves(a: Mesh, b: Mesh) -> Callable[[], int]:
    vtk = importlib.import_module("vtk")
    first, second = vtk_mesh(a), vtk_mesh(b)

    def ask() -> int:
        vtk.vtkObject.GlobalWarningDisplayOff()
        curves = vtk.vtkIntersectionPolyDataFilter()
        curves.SetInputData(0, first)
        curves.SetInputData(1, second)
        curves.SplitFirstOutputOff()
        curves.SplitSecondOutputOff()
        curves.Update()
        return int(curves.GetOutput().GetNumberOfLines())
    return ask


def trimesh_two(a: Mesh, b: Mesh) -> Callable[[], int]:
    trimesh = importlib.import_module("trimesh")
    importlib.import_module("fcl")
    managers = []
    for mesh in (a, b):
        manager = trimesh.collision.CollisionManager()
        manager.add_object("mesh", trimesh.Trimesh(*mesh, process=False))
        managers.append(manager)

    def ask() -> int:
        _, contacts = managers[0].in_collision_other(managers[1], return_data=True)
        return len(contacts)
    return ask


def version_of(name: str) -> str | None:
    try:
        module = importlib.import_module(name)
    except ImportError:
        return None
    return str(module.vtkVersion.GetVTKVersion() if name == "vtk" else getattr(module, "__version__", "?"))


# ------------------------------------------------------------------------------------------------ rows

def _run(make: Callable[..., Callable[[], int]], meshes: tuple[Mesh, ...], answers: Any) -> None:
    """Sends the answer and the best time in milliseconds."""
    ask = make(*meshes)
    best, begun = float("inf"), time.perf_counter()
    while best == float("inf") or time.perf_counter() - begun < 1.5:
        start = time.perf_counter()
        answer = ask()
        best = min(best, 1000 * (time.perf_counter() - start))
    answers.send((answer, best))


def measured(make: Callable[..., Callable[[], int]], meshes: tuple[Mesh, ...], seconds: float) -> tuple[Any, float] | str:
    """The answer and the time of a library, or what went wrong."""
    here, there = multiprocessing.get_context("fork").Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_run, args=(make, meshes, there))
    process.start()
    there.close()
    try:
        if not here.poll(seconds):
            return f"> {seconds:g} s"
        answer: tuple[Any, float] = here.recv()
        return answer
    except EOFError:
        return "crash"
    finally:
        process.kill()
        process.join()


def cell(result: tuple[Any, float] | str, right: int, curves: bool = False) -> str:
    """A cell of the table: time, answer, and whether it is right."""
    if isinstance(result, str):
        return result
    answer, spent = result
    if isinstance(answer, bool):
        shown, good = "yes" if answer else "no", answer == (right > 0)
    elif curves:
        shown, good = f"{answer:,} lines", (answer > 0) == (right > 0)
    else:
        shown, good = f"{answer:,}", answer == right
    return f"{spent:,.1f} ms, {shown}{'' if good else ' (wrong)'}"


def table(head: list[str], rows: list[list[str]], markdown: bool) -> None:
    if markdown:
        print("\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows]) + "\n")
        return
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    for row in [head, *rows]:
        print("  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip())
    print()


def main() -> None:
    parser = argparse.ArgumentParser(usage="bench/python_peers.py [--seconds N] [--markdown]")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()
    versions = {name: version_of(name) for name in ("open3d", "vtk", "trimesh", "fcl")}
    present = ", ".join(f"{name} {version}" for name, version in versions.items() if version)
    absent = ", ".join(name for name, version in versions.items() if not version)
    print(f"grazelib {gz.__version__}, {present}; {'not installed: ' + absent + '; ' if absent else ''}"
          f"{platform.machine()}, {os.cpu_count()} processors\n")

    rows = []
    for name, mesh in single_meshes():
        right, spent = measured(graze_self, (mesh,), options.seconds)
        row = [name, f"{len(mesh[1]):,}", f"{spent:,.1f} ms, {right:,}"]
        if versions["open3d"]:
            row.append(cell(measured(open3d_self, (mesh,), options.seconds), right))
        rows.append(row)
    table(["self-intersections", "triangles", "grazelib"] + (["Open3D"] if versions["open3d"] else []), rows,
          options.markdown)

    peers: list[tuple[str, Callable[..., Callable[[], int]]]] = []
    if versions["open3d"]:
        peers.append(("Open3D is_intersecting", open3d_two))
    if versions["vtk"]:
        peers += [("vtkCollisionDetectionFilter", vtk_collision), ("vtkIntersectionPolyDataFilter", vtk_curves)]
    if versions["trimesh"] and versions["fcl"]:
        peers.append(("trimesh + python-fcl", trimesh_two))
    rows = []
    for name, a, b in mesh_pairs():
        right, spent = measured(graze_two, (a, b), options.seconds)
        rows.append([name, f"{len(a[1]):,} + {len(b[1]):,}", f"{spent:,.1f} ms, {right:,}"] +
                    [cell(measured(make, (a, b), options.seconds), right, make is vtk_curves) for _, make in peers])
    table(["intersections of two meshes", "triangles", "grazelib", *(name for name, _ in peers)], rows, options.markdown)


if __name__ == "__main__":
    main()
