/* What the engine takes and answers: plain data, so that it passes between the page and the worker. Nothing here knows
 * the DOM, WebAssembly or messages.
 *
 * Numbers of objects and primitives are those of the library: from 0, in the order of their making. */

export type PrimitiveKind = 'triangle' | 'polygon' | 'tetrahedron' | 'polyhedron' | 'sphere';
export type Vector3 = [number, number, number];

/* A file that was dropped or chosen, decompressed: `name` ends as the file does without ".gz". */
export interface MeshFile {
  name: string;
  bytes: Uint8Array;
}

/* What a page needs to draw an object. Positions are relative to `origin`, so that single precision suffices for
 * coordinates that are large; they are as the file has them, before the pose. */
export interface EngineObject {
  index: number;
  name: string; /* of the group or solid, else of the file */
  file: string; /* of addMesh: '' */
  kind: PrimitiveKind;
  vertexCount: number;
  primitiveCount: number;
  note: string; /* what reading has skipped; '' for nothing */
  origin: Vector3;
  positions: Float32Array; /* 3 a vertex; of spheres their centers */
  radii: Float32Array; /* of spheres; else empty */
  triangles: Uint32Array; /* 3 vertices a triangle; of solids those of their faces; of spheres none */
  primitiveOfTriangle: Uint32Array; /* empty where triangle i is primitive i */
}

/* A mesh of a recorded scene. Which lists are read depends on the kind, as in graze/graze.h. */
export interface MeshData {
  name: string;
  kind: PrimitiveKind;
  positions: Float32Array | Float64Array; /* 3 a vertex */
  elements?: Uint32Array; /* triangles: 3 corners each, tetrahedra: 4; polygons and polyhedra: the corners of all faces */
  faceSizes?: Uint32Array; /* polygons and polyhedra: corners of each face */
  cellSizes?: Uint32Array; /* polyhedra: faces of each cell */
  radii?: Float32Array | Float64Array; /* spheres */
}

/* The rotation row by row, then the translation: graze_pose. */
export type Pose = ArrayLike<number>;

/* What is left out is as `graze check` has it on the same files. */
export interface EngineQuery {
  scope?: 'auto' | 'between' | 'within' | 'both';
  neighbors?: 'auto' | 'skip' | 'beyond';
  test?: 'sat' | 'gjk';
  clearance?: number;
  pairLimit?: number; /* 0: none. Counts and hash are then those of the listed pairs */
  regions?: boolean; /* clashes; not with a clearance or a pairLimit */
  depths?: boolean; /* of regions: costs more than finding the pairs */
  curves?: boolean; /* of regions */
  contacts?: boolean; /* a point, normal and depth of each pair */
  volumes?: boolean; /* that objects of solids share */
  containments?: boolean; /* objects inside others */
}

export interface EngineObjectPair {
  a: number;
  b: number; /* equal to a: within the object */
  pairCount: number;
  volume: number; /* with volumes, of solids; else 0 */
  depth: number; /* with depths: moving b along normal by it separates the two objects; else 0, as is the normal */
  normal: Vector3;
}

/* An object that lies inside another's closed surface without touching it; in part where insideCount is less. */
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
  depth: number; /* 0 without depths */
  point: Vector3; /* of its deepest contact; the middle of the box without depths */
  normal: Vector3; /* moving b along it by depth separates the two primitives; 0 without depths */
}

/* Curve i has the points starts[i] to starts[i + 1] less one, relative to `origin`. */
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
  method: string; /* that searched */
  reason: string; /* why it did */
  pairCount: number;
  hash: string; /* 16 hexadecimal digits, as in the JSON of `graze check` */
  limitReached: boolean;
  pairs: Uint32Array; /* 4 a pair: object_a, primitive_a, object_b, primitive_b; sorted */
  objectPairs: EngineObjectPair[];
  regions: EngineRegion[];
  regionPairs: Uint32Array; /* as pairs, region after region */
  regionClashes: Uint8Array; /* of each of them: 0 touching to 3 duplicate */
  curves: EngineCurves | null;
  contacts: Float64Array; /* 7 a pair, in the order of pairs: point, normal, depth */
  containments: EngineContainment[];
  timings: Named;
  counters: Named;
  milliseconds: number; /* update and query by the clock, without copying */
}

export interface EngineMethod {
  name: string;
  description: string;
}

export interface EngineState {
  version: string;
  methods: EngineMethod[];
  endings: string[]; /* of the files that are read: '.obj' */
  memoryLimit: number; /* bytes */
}

/* The calls of the engine; `lost` in an error: the module had to be started anew and has no objects any more. */
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
  memoryBytes(): number;
}
