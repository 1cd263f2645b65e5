"""The type hints of the package, checked by mypy: of the package itself, and of calls."""
from __future__ import annotations

import dataclasses
import inspect
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from shutil import which
from typing import Any

import pytest

import grazelib as gz
from grazelib import pictures

ROOT = Path(__file__).resolve().parents[2]

CALLS = """
from pathlib import Path
from typing import Any
import numpy as np
import grazelib as gz

points, faces = np.zeros((3, 3)), [[0, 1, 2]]
mesh, scene, path = gz.mesh(points, faces), gz.Scene(), Path("a.ply")
foreign: Any = None
class Surface:
    def __init__(self) -> None:
        self.vertices, self.faces = points, faces

gz.check(path, "a.obj", mesh, (points, faces), Surface(), clearance=0.1)
gz.check(points, faces)
gz.check([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]], faces)
gz.check([mesh, mesh])
gz.check(*["a.obj"], **foreign)
gz.check(foreign).picture(shrink=1).save("a.png")
gz.intersections("a.obj", path, solid=True).show("a.png", camera=(30.0, 20.0))
gz.distance(mesh, Surface(), depths=True)
gz.mesh(points, faces, kind="triangle").add_to(scene, mask=2)
scene.add((points, faces), name="a", pose=np.eye(4))
found: gz.Pairs = scene.pairs(within=False, about="a", should_stop=lambda: True)
free: bool = not scene.collides(clearance=0.1)
scene.any_pair(box=(points[0], points[1]))
scene.touching(between=True)
scene.regions(found, depths=False, test="gjk", object_names=["a"]).curves
scene.wrenches(stiffness=2.0, within=False)
scene.curves(neighbors="beyond")
scene.pairs_on_device(candidates_only=True)

gz.check(3)  # refused
gz.check("a.obj", None)  # refused
gz.check("a.obj", clearence=1)  # refused
gz.check("a.obj").picture(cam="iso")  # refused
gz.check("a.obj").show("a.png", zoom="pair")  # refused
gz.intersections("a.obj", 3)  # refused
gz.intersections("a.obj", path, within=True)  # refused
gz.distance(mesh, 3)  # refused
gz.mesh(3)  # refused
mesh.add_to(scene, masks=2)  # refused
scene.add(3)  # refused
scene.add(mesh, colour=3)  # refused
scene.pairs(withn=True)  # refused
scene.pairs(within="no")  # refused
scene.pairs(True)  # refused
scene.any_pair(withn=True)  # refused
scene.collides(withn=True)  # refused
scene.touching(withn=True)  # refused
scene.regions(withn=True)  # refused
scene.wrenches(withn=True)  # refused
scene.curves(withn=True)  # refused
scene.pairs_on_device(withn=True)  # refused
wrong: int = scene.pairs()  # refused
"""


@pytest.fixture(scope="module", name="mypy")
def mypy_strict(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Runs mypy and returns its output."""
    if which("mypy") is None:
        pytest.skip("there is no mypy")
    cache = tmp_path_factory.mktemp("cache")

    def run(*files: str) -> str:
        command = ["mypy", "--strict", f"--cache-dir={cache}", *files]
        environment = {**os.environ, "MYPYPATH": str(ROOT / "python")}
        return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False).stdout
    return run


def test_mypy_strict(mypy: Callable[..., str]) -> None:
    said = mypy("python/grazelib", "scripts/python_declarations.py")
    assert said.startswith("Success"), said


def test_calls(mypy: Callable[..., str], tmp_path: Path) -> None:
    file = tmp_path / "calls.py"
    file.write_text(CALLS)
    said = mypy(str(file))
    lines = {int(number) for number in re.findall(r"calls.py:(\d+): error", said)}
    wrong = {number for number, line in enumerate(CALLS.split("\n"), 1) if "# refused" in line}
    assert lines == wrong, said


def keywords(function: Any) -> dict[str, tuple[Any, Any]]:
    """Returns the type and the default of each keyword."""
    every = inspect.signature(function).parameters.values()
    return {one.name: (one.annotation, one.default) for one in every if one.kind == one.KEYWORD_ONLY}


@pytest.mark.parametrize("name", ["pairs", "any_pair", "collides", "touching", "curves", "pairs_on_device", "regions",
                                  "wrenches"])
def test_keywords_of_queries(name: str) -> None:
    function = getattr(gz.Scene, name)
    found = keywords(function)
    fields = {one.name: (one.type, one.default) for one in dataclasses.fields(gz.Query)}
    assert {key: found[key] for key in fields} == fields
    own = function.__kwdefaults__ or {}
    assert [(key, default) for key, (_, default) in found.items() if key not in fields] == list(own.items())
    assert list(found) == list(own) + list(fields)


def test_keywords_of_wrappers() -> None:
    options = keywords(gz.check)
    del options["within"], options["between"]
    assert keywords(gz.intersections) == options
    assert keywords(gz.Scene.add) == keywords(gz.Mesh.add_to) == keywords(gz.Scene.add_triangles)
    assert keywords(gz.Check.picture) == keywords(gz.Check.show) == keywords(pictures.draw)


@pytest.mark.parametrize("meshes", [(3,), (3, 4), ([3],)])
def test_what_is_no_mesh(meshes: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError, match="mesh 0: cannot make a mesh from .*3.*, type (int|list): pass"):
        gz.check(*meshes)
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'withn'"):
        gz.Scene().pairs(withn=True)
