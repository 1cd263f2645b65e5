/* The triangles to draw: all of a polygon mesh, and the faces of a solid that belong to one cell only.
 *
 * Workload: up to a few million cells, once when a mesh is first shown. */
import { displayTriangles, type SceneObject } from './record';

export interface Surface {
  triangles: Uint32Array; /* 3 vertex numbers each */
  primitiveOf: Uint32Array | null; /* null: triangle i is primitive i */
}

const TETRAHEDRON_FACES = [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2];

/* Polygon i has two triangles less than corners. */
function polygonSurface(first: Uint32Array, triangles: Uint32Array): Surface {
  const primitiveOf = new Uint32Array(triangles.length / 3);
  for (let i = 0; i + 1 < first.length; ++i) primitiveOf.fill(i, first[i] - 2 * i, first[i + 1] - 2 * (i + 1));
  return { triangles, primitiveOf };
}

/* Corners of face f of a cell, in order. */
type FaceOf = (face: number) => ArrayLike<number>;

/* The three smallest corners, which identify a face of convex cells. */
function keyOf(corners: ArrayLike<number>, out: Uint32Array): void {
  out.fill(0xffffffff);
  for (let i = 0; i < corners.length; ++i) {
    let corner = corners[i];
    for (let place = 0; place < 3; ++place)
      if (corner < out[place]) {
        const pushed = out[place];
        out[place] = corner;
        corner = pushed;
      }
  }
}

/* Marks the faces that occur once, counted in a hash table with open addressing. */
function outerFaces(faceCount: number, faceOf: FaceOf): Uint8Array {
  let size = 16;
  while (size < 2 * faceCount) size *= 2;
  const table = new Int32Array(size).fill(-1);
  const keys = new Uint32Array(3 * faceCount);
  const key = new Uint32Array(3);
  const outer = new Uint8Array(faceCount);
  for (let face = 0; face < faceCount; ++face) {
    keyOf(faceOf(face), key);
    keys.set(key, 3 * face);
    let place = (Math.imul(key[0], 0x9e3779b1) ^ Math.imul(key[1], 0x85ebca6b) ^ Math.imul(key[2], 0xc2b2ae35)) >>> 0;
    for (place = (place ^ (place >>> 15)) & (size - 1); ; place = (place + 1) & (size - 1)) {
      const other = table[place];
      if (other < 0) {
        table[place] = face;
        outer[face] = 1;
        break;
      }
      if (keys[3 * other] === key[0] && keys[3 * other + 1] === key[1] && keys[3 * other + 2] === key[2]) {
        outer[other] = 0;
        break;
      }
    }
  }
  return outer;
}

function pushFan(corners: ArrayLike<number>, triangles: number[]): number {
  for (let k = 2; k < corners.length; ++k) triangles.push(corners[0], corners[k - 1], corners[k]);
  return Math.max(0, corners.length - 2);
}

function facesOf(object: SceneObject): { count: number; faceOf: FaceOf; cellOf: (face: number) => number } {
  if (object.kind === 'tetrahedron') {
    const cells = object.tetrahedra!;
    const room = [0, 0, 0];
    return {
      count: cells.length,
      cellOf: (face) => face >> 2,
      faceOf: (face) => {
        for (let k = 0; k < 3; ++k) room[k] = cells[4 * (face >> 2) + TETRAHEDRON_FACES[3 * (face & 3) + k]];
        return room;
      },
    };
  }
  const first = object.faceFirst!, corners = object.faceCorners!, cells = object.cellFirst!;
  const cellOf = new Uint32Array(first.length - 1);
  for (let cell = 0; cell + 1 < cells.length; ++cell) cellOf.fill(cell, cells[cell], cells[cell + 1]);
  return {
    count: cellOf.length,
    cellOf: (face) => cellOf[face],
    faceOf: (face) => corners.subarray(first[face], first[face + 1]),
  };
}

export function surfaceOf(object: SceneObject): Surface {
  if (object.kind === 'sphere') return { triangles: new Uint32Array(), primitiveOf: null };
  if (object.display !== undefined) return object.display;
  if (object.kind === 'polygon') return polygonSurface(object.polygonFirst!, object.triangles!);
  if (object.triangles !== undefined) return { triangles: object.triangles, primitiveOf: null };
  const faces = facesOf(object);
  const outer = outerFaces(faces.count, faces.faceOf);
  const triangles: number[] = [], primitiveOf: number[] = [];
  for (let face = 0; face < faces.count; ++face) {
    if (outer[face] === 0) continue;
    for (let more = pushFan(faces.faceOf(face), triangles); more > 0; --more) primitiveOf.push(faces.cellOf(face));
  }
  return { triangles: Uint32Array.from(triangles), primitiveOf: Uint32Array.from(primitiveOf) };
}

/* Returns all triangles of one primitive, including inner faces of solids. */
export function primitiveTriangles(object: SceneObject, primitive: number): number[] {
  if (object.display !== undefined && object.kind !== 'sphere') return Array.from(displayTriangles(object, primitive));
  const triangles: number[] = [];
  switch (object.kind) {
    case 'triangle':
      pushFan(object.triangles!.subarray(3 * primitive, 3 * primitive + 3), triangles);
      break;
    case 'polygon': {
      const first = object.polygonFirst!;
      return Array.from(object.triangles!.subarray(3 * (first[primitive] - 2 * primitive), 3 * (first[primitive + 1] - 2 * (primitive + 1))));
    }
    case 'tetrahedron':
      for (const corner of TETRAHEDRON_FACES) triangles.push(object.tetrahedra![4 * primitive + corner]);
      break;
    case 'polyhedron':
      for (let face = object.cellFirst![primitive]; face < object.cellFirst![primitive + 1]; ++face)
        pushFan(object.faceCorners!.subarray(object.faceFirst![face], object.faceFirst![face + 1]), triangles);
      break;
    case 'sphere':
      break;
  }
  return triangles;
}
