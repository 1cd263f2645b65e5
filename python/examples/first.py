"""Two boxes: their intersecting triangles, the intersection curves, and their distance after a move."""
from __future__ import annotations

import numpy as np

import grazelib as gz

CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=np.float32)
FACES = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
         [1, 5, 7], [1, 7, 3]]

with gz.Scene() as scene:
    box = scene.add_triangles(CORNERS, FACES, name="box")
    lid = scene.add_triangles(CORNERS, FACES, name="lid", pose=(np.eye(3), [0.3, 0.2, 0.9]))
    pairs = scene.pairs(within=False)
    print(f"grazelib {gz.__version__}: {len(pairs)} pairs of triangles intersect, hash {pairs.hash:016x}")
    print("touching:", ", ".join(f"{a} and {b}" for a, b in scene.touching(within=False).names))
    print("polylines:", [len(line) for line in scene.curves(within=False)])
    lid.pose = np.eye(3), [0.3, 0.2, 1.5]
    print(f"after a move they are {scene.nearest()['distance'][0]} apart")
