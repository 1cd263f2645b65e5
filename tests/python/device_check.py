"""Checks the Python package on a CUDA device with PyTorch and CuPy, and prints the speed of batches of poses.

Run it on a machine with a device, after building the shared library with CUDA:

    cmake --preset shared && cmake --build --preset shared && PYTHONPATH=python python3 tests/python/device_check.py

It exits with 0 if all checks of the installed libraries pass, with 1 if one fails, and with 77 without a device or
without both libraries.
"""
from __future__ import annotations

import importlib
import sys
import time
from typing import Any

import numpy as np

import grazelib as gz

SIDE = 200  # of a sheet: 2 * 199 * 199 triangles


def require(condition: bool, what: str) -> None:
    print(f"  {'ok' if condition else 'FAILED'}: {what}")
    if not condition:
        sys.exit(1)


def sheet(side: int, phase: float) -> tuple[np.ndarray, np.ndarray]:
    """A wavy sheet: vertices in float32 and faces."""
    x, y = np.meshgrid(np.linspace(0, 1, side), np.linspace(0, 1, side))
    z = 0.1 * np.sin(9 * x + phase) * np.cos(7 * y - phase)
    a = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).ravel()
    faces = np.concatenate([np.stack([a, a + 1, a + side], 1), np.stack([a + 1, a + side + 1, a + side], 1)])
    return np.stack([x, y, z], axis=-1).reshape(-1, 3).astype(np.float32), faces


def motions(count: int, links: int) -> np.ndarray:
    """Random rotations with translations: (count, links, 4, 4)."""
    generator = np.random.default_rng(5)
    q = generator.normal(size=(count, links, 4))
    w, x, y, z = np.moveaxis(q / np.linalg.norm(q, axis=-1, keepdims=True), -1, 0)
    matrices = np.zeros((count, links, 4, 4))
    matrices[..., :3, :3] = np.moveaxis(np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]), (0, 1), (-2, -1))
    matrices[..., :3, 3] = generator.uniform(-1, 2, (count, links, 3))
    matrices[..., 3, 3] = 1
    return matrices


class Torch:
    """What the checks need of PyTorch."""

    def __init__(self) -> None:
        self.module: Any = importlib.import_module("torch")
        if not self.module.cuda.is_available():
            raise ImportError("torch has no CUDA device")

    def put(self, array: np.ndarray) -> Any:
        return self.module.from_numpy(np.ascontiguousarray(array)).cuda()

    def host(self, array: Any) -> np.ndarray:
        return array.cpu().numpy()

    def imports(self, array: Any) -> dict[str, Any]:
        return {"torch.as_tensor": self.module.as_tensor(array, device="cuda"),
                "torch.from_dlpack": self.module.from_dlpack(array)}

    def other_stream(self) -> Any:
        return self.module.cuda.stream(self.module.cuda.Stream())

    def busy(self) -> None:
        """Work of some 100 ms on the current stream."""
        self.module.cuda._sleep(200_000_000)

    def copy_to(self, target: Any, source: Any) -> None:
        target.copy_(source)


class Cupy:
    """What the checks need of CuPy."""

    def __init__(self) -> None:
        self.module: Any = importlib.import_module("cupy")
        if self.module.cuda.runtime.getDeviceCount() == 0:
            raise ImportError("cupy has no CUDA device")
        self.factors = self.module.ones((6000, 6000))

    def put(self, array: np.ndarray) -> Any:
        return self.module.asarray(np.ascontiguousarray(array))

    def host(self, array: Any) -> np.ndarray:
        return array.get()

    def imports(self, array: Any) -> dict[str, Any]:
        return {"cupy.asarray": self.module.asarray(array), "cupy.from_dlpack": self.module.from_dlpack(array)}

    def other_stream(self) -> Any:
        return self.module.cuda.Stream(non_blocking=True)

    def busy(self) -> None:
        for _ in range(10):
            self.module.matmul(self.factors, self.factors)

    def copy_to(self, target: Any, source: Any) -> None:
        target[...] = source


def reference(parts: list[tuple[np.ndarray, np.ndarray]]) -> gz.Pairs:
    with gz.Scene() as scene:
        for vertices, faces in parts:
            scene.add_triangles(vertices, faces)
        return scene.pairs()


def check_positions(library: Any) -> None:
    parts = [sheet(SIDE, 0.0), sheet(SIDE, 1.3)]
    expected = reference(parts)
    with gz.Scene(backend="cuda") as scene:
        given = [library.put(vertices) for vertices, _ in parts]
        for vertices, (_, faces) in zip(given, parts):
            scene.add_triangles(vertices, library.put(faces))
        pairs = scene.pairs_on_device()
        require(len(expected) > 0 and pairs.hash == expected.hash and scene.pairs().hash == expected.hash,
                f"{len(pairs)} pairs of positions on the device, with the processor's hash {pairs.hash:016x}")
        contacts = scene.contacts_on_device(pairs)
        points = library.host(list(library.imports(contacts.points).values())[0])
        require(len(contacts) == len(pairs) and bool(np.isfinite(points).all()), f"{len(contacts)} contacts")
        for way, found in library.imports(contacts.field("depth")).items():
            require(library.host(found).shape == (len(pairs),), f"{way} of a strided field")
        for way, found in library.imports(pairs.array).items():
            require(np.array_equal(library.host(found), expected.array), f"{way} of pairs")
    kept = list(library.imports(pairs.array.view(np.int32)).values())
    del pairs, scene
    require(all(np.array_equal(library.host(found), expected.array) for found in kept), "pairs outlive their scene")


def check_streams(library: Any) -> None:
    """Positions change on a stream that does not block the default one, behind 100 ms of other work."""
    parts = [sheet(SIDE, 0.0), sheet(SIDE, 1.3)]
    with gz.Scene(backend="cuda") as scene:
        given = [library.put(vertices) for vertices, _ in parts]
        for vertices, (_, faces) in zip(given, parts):
            scene.add_triangles(vertices, faces)
        scene.pairs()
        hashes = set()
        for frame in range(3):
            moved = sheet(SIDE, 2.0 + frame)[0]
            source = library.put(moved)
            library.host(source)  # complete before the other stream reads it
            with library.other_stream():
                library.busy()
                library.copy_to(given[1], source)
                scene.update()
                found = scene.pairs_on_device().hash
            hashes.add(found)
            require(found == reference([parts[0], (moved, parts[1][1])]).hash, f"frame {frame} on another stream")
        require(len(hashes) == 3, "the frames differ")


def check_poses(library: Any, name: str) -> None:
    links, count = 4, 250_000
    matrices = motions(count, links)
    bodies = [sheet(12, phase) for phase in range(links)]
    wall = sheet(60, 0.5)
    poses = library.put(matrices)
    with gz.Scene(method="tree") as here, gz.Scene(backend="cuda", method="tree") as scene:
        moving = [scene.add_triangles(*body) for body in bodies]
        scene.add_triangles(*wall)
        same = [here.add_triangles(*body) for body in bodies]
        here.add_triangles(*wall)
        sample = matrices[:2000]
        for answer in ("any", "counts", "object_pairs"):
            expected = here.test_configurations(same, sample, answer=answer)
            found = scene.test_configurations(moving, poses[:2000], answer=answer)
            require(type(found) is type(poses), f"{answer}: {type(found).__module__}.{type(found).__name__} comes back")
            require(np.array_equal(library.host(found).astype(np.int64), expected.astype(np.int64)),
                    f"{answer}: the processor's answers, {int(expected.astype(bool).sum())} of {expected.size} not zero")
        small = poses[:2000].to(library.module.float32) if name == "torch" else poses[:2000].astype(np.float32)
        require(library.host(scene.test_configurations(moving, small)).shape == (2000,), "poses in float32")
        with library.other_stream():
            library.busy()
            late = poses[:2000] * 1.0
            found = scene.test_configurations(moving, late)
        require(np.array_equal(library.host(found), here.test_configurations(same, sample)),
                "poses that another stream makes")
        packed = library.put(np.concatenate([matrices[..., :3, :3].reshape(count, links, 9), matrices[..., :3, 3]], -1))
        for words, given in (("4x4 matrices", poses), ("packed poses", packed)):
            scene.test_configurations(moving, given)
            begun = time.perf_counter()
            found = scene.test_configurations(moving, given)
            seconds = time.perf_counter() - begun
            print(f"  {name}, {words}: {count / seconds / 1e6:.2f} million configurations of {links} links per second "
                  f"({count * links / seconds / 1e6:.2f} million poses/s), {int(found.sum())} collide")


def check_distances(library: Any, name: str) -> None:
    links, count = 4, 50_000
    matrices = motions(count, links)
    bodies = [sheet(12, phase) for phase in range(links)]
    wall = sheet(60, 0.5)
    poses = library.put(matrices)
    with gz.Scene(method="tree") as here, gz.Scene(backend="cuda", method="tree") as scene:
        moving, same = ([one.add_triangles(*body) for body in bodies] for one in (scene, here))
        still, wall_here = (one.add_triangles(*wall) for one in (scene, here))
        for each_pair in (False, True):
            expected = here.measure_configurations(same, matrices[:1000], each_pair=each_pair)
            found = scene.measure_configurations(moving, poses[:1000], each_pair=each_pair)
            require(type(found.rows) is type(poses) and library.host(found.rows).tobytes() == expected.tobytes(),
                    f"distances, each_pair={each_pair}: the processor's rows, "
                    f"{int((expected['distance'] == 0).sum())} of {expected.size} touch")
            for field in ("distance", "point_b", "normal"):
                for way, array in library.imports(found.field(field)).items():
                    require(np.array_equal(library.host(array), expected[field]), f"{way} of {field}")
        with library.other_stream():
            library.busy()
            late = poses[:1000, 0] * 1.0
            found = scene.measure_poses(still, moving[0], late)
        expected = here.measure_poses(wall_here, same[0], matrices[:1000, 0])
        require(library.host(found.rows).tobytes() == expected.tobytes(), "distances of poses that another stream makes")
        scene.measure_configurations(moving, poses)
        begun = time.perf_counter()
        scene.measure_configurations(moving, poses)
        seconds = time.perf_counter() - begun
        print(f"  {name}, distances: {count / seconds / 1e6:.2f} million configurations of {links} links per second")


def main() -> int:
    print(f"grazelib {gz.__version__}, numpy {np.__version__}, Python {sys.version.split()[0]}, {gz.library_path}")
    try:
        print(gz.describe_cuda())
    except gz.GrazeError as error:
        print(f"skipped: {error}")
        return 77
    checked = 0
    for name, kind in (("torch", Torch), ("cupy", Cupy)):
        try:
            library = kind()
        except ImportError as error:
            print(f"{name}: skipped: {error}")
            continue
        print(f"{name} {library.module.__version__}")
        check_positions(library)
        check_streams(library)
        check_poses(library, name)
        check_distances(library, name)
        checked += 1
    print("all checks passed" if checked else "skipped: neither PyTorch nor CuPy is there")
    return 0 if checked else 77


if __name__ == "__main__":
    sys.exit(main())
