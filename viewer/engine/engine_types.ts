/* The types of the engine's arguments and results. They are plain data, which can be passed between the page and the
 * worker, and do not depend on the DOM, WebAssembly or messages.
 *
 * Object and primitive numbers are those of the library: from 0, in the order of creation. */

export type PrimitiveKind = 'triangle' | 'polygon' | 'tetrahedron' | 'polyhedron' | 'sphere';
export type Vector3 = [number, number, number];

/* A dropped or chosen file, compressed or not. */
export interface MeshFile {
  name: string;
  bytes: Uint8Array;
}

/* The data that a page needs to draw an object. Positions are relative to `origin`, so single precision suffices for
 * large coordinates. They are those of the file, before the pose. */
export interface EngineObject {
  index: number;
  name: string; /* of the group or solid, otherwise of the file */
  file: string; /* '' after addMesh */
  kind: PrimitiveKind;
  vertexCount: number;
  primitiveCount: number;
  note: string; /* what the reader skipped; '' for nothing */
  origin: Vector3;
  positions: Float32Array; /* 3 per vertex; the centers of spheres */
  radii: Float32Array; /* only for spheres */
  triangles: Uint32Array; /* 3 vertices per triangle; for solids those of their faces; empty for spheres */
  primitiveOfTriangle: Uint32Array; /* empty if triangle i is primitive i */
}

/* A mesh of a recorded scene. The kind determines which lists are read, as in graze/graze.h. */
export interface MeshData {
  name: string;
  kind: PrimitiveKind;
  positions: Float32Array | Float64Array; /* 3 per vertex */
  elements?: Uint32Array; /* triangles: 3 corners each, tetrahedra: 4; polygons and polyhedra: the corners of all faces */
  faceSizes?: Uint32Array; /* polygons and polyhedra: corners of each face */
  cellSizes?: Uint32Array; /* polyhedra: faces of each cell */
  radii?: Float32Array | Float64Array; /* spheres */
}

/* The rotation row by row, then the translation: graze_pose. */
export type Pose = ArrayLike<number>;

/* Omitted members have the defaults of `graze check` for the same files. */
export interface EngineQuery {
  scope?: 'auto' | 'between' | 'within' | 'both';
  neighbors?: 'auto' | 'skip' | 'beyond';
  test?: 'sat' | 'gjk';
  clearance?: number;
  pairLimit?: number; /* 0: no limit. With a limit, counts and hash are those of the listed pairs */
  regions?: boolean; /* clashes; not with a clearance or a pairLimit */
  depths?: boolean; /* of regions and objects; takes longer than finding the pairs */
  depthLimit?: number; /* without depths: those of regions, for at most this many pairs */
  curves?: boolean; /* of regions */
  contacts?: boolean; /* a point, normal and depth of each pair */
  volumes?: boolean; /* shared by objects of solids */
  containments?: boolean; /* objects inside others */
}

export interface EngineObjectPair {
  a: number;
  b: number; /* equal to a for pairs within the object */
  pairCount: number;
  volume: number; /* shared by two solids, with `volumes`; otherwise 0 */
  depth: number; /* with `depths`: moving b by it along the normal separates the objects; otherwise both are 0 */
  normal: Vector3;
}

/* An object inside the closed surface of another without touching it; only part of it if insideCount < primitiveCount. */
export interface EngineContainment {
  inner: number;
  outer: number;
  insideCount: number; /* primitives of the inner object */
  primitiveCount: number;
}

export interface EngineRegion {
  a: number;
  b: number;
  clash: 'touching' | 'crossing' | 'coplanar' | 'duplicate'; /* the strongest of its pairs */
  firstPair: number; /* into regionPairs */
  pairCount: number;
  firstCurve: number; /* into curves */
  curveCount: number;
  id: string; /* 16 hexadecimal digits, independent of any order */
  boxMin: Vector3;
  boxMax: Vector3;
  depth: number; /* 0 if not measured */
  point: Vector3; /* of its deepest contact; without a depth the center of the box */
  normal: Vector3; /* moving b along it by depth separates the two primitives; 0 without depths */
}

/* Curve i has the points starts[i] to starts[i + 1] - 1, relative to `origin`. */
export interface EngineCurves {
  origin: Vector3;
  points: Float32Array;
  starts: Uint32Array;
  closed: Uint8Array;
  regions: Uint32Array;
}

/* Milliseconds and counts by the names of graze/costs.h: { update: 0.1, ... }, { primitives: 200000, ... }. */
export type Named = Record<string, number>;

export interface EngineAnswer {
  found: boolean; /* whether `graze check` would exit with 1 */
  verdict: string;
  scope: string;
  neighbors: string;
  method: string; /* the method that was used */
  reason: string; /* why it was chosen */
  pairCount: number;
  hash: string; /* 16 hexadecimal digits, as in the JSON of `graze check` */
  limitReached: boolean;
  pairs: Uint32Array; /* 4 per pair: object_a, primitive_a, object_b, primitive_b; sorted */
  objectPairs: EngineObjectPair[];
  regions: EngineRegion[];
  regionPairs: Uint32Array; /* like pairs, grouped by region */
  regionClashes: Uint8Array; /* class of each region pair: 0 touching to 3 duplicate */
  curves: EngineCurves | null;
  contacts: Float64Array; /* 7 per pair, in the order of pairs: point, normal, depth */
  containments: EngineContainment[];
  timings: Named;
  counters: Named;
  milliseconds: number; /* elapsed time of update and query, without copying */
}

/* The search structure of the last query: grid cells, tree nodes, or clusters; see graze/inspect.h. Boxes of tree nodes
 * are in the coordinates of the object before its pose. */
export interface EngineStructure {
  method: string;
  count: number; /* nodes of the level, or of all levels; the lists may be shorter */
  levelCounts: number[]; /* nodes of each level */
  boxes: Float64Array; /* 6 per node: least and greatest coordinates; for the grid those of the cell */
  levels: Uint32Array;
  objects: Uint32Array; /* for tree nodes; otherwise 0xffffffff */
  members: Uint32Array; /* number of primitives of each node */
}

export interface EngineMethod {
  name: string;
  description: string;
}

export interface EngineState {
  version: string;
  methods: EngineMethod[];
  endings: string[]; /* of readable files, such as '.obj' */
  memoryLimit: number; /* bytes */
  fileLimit: number; /* bytes of a file, compressed or not */
}

/* The calls of the engine. */
export interface EngineCalls {
  state(): EngineState;
  clear(): void;
  open(files: MeshFile[], separate?: boolean): EngineObject[];
  addMesh(mesh: MeshData): EngineObject;
  setPose(index: number, pose: Pose): void;
  setPositions(index: number, positions: Float32Array | Float64Array): void;
  setMethod(name: string, simd?: 'auto' | 'scalar' | '128'): void;
  exclude(a: number, b: number, excluded: boolean): void;
  query(query: EngineQuery): EngineAnswer;
  inspect(level: number | null, limit: number): EngineStructure;
  memoryBytes(): number;
}
