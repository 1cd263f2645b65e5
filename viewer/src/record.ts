/* Reads the record that the tool embeds in the page: frames, objects, pairs and clashes. cli/page_record.h describes
 * the format. */

export type Numbers = Float32Array | Float64Array;
export type Vector = [number, number, number];

export interface SceneObject {
  label: string;
  bcfLabel: string; /* the label without folders */
  bcfId: string; /* in the program that made the object */
  file: string; /* without folders */
  kind: 'triangle' | 'polygon' | 'tetrahedron' | 'polyhedron' | 'sphere';
  primitiveCount: number;
  positions: Numbers; /* 3 a vertex, before the pose */
  pose: number[] | null; /* three rows of four */
  triangles?: Uint32Array; /* of triangles and polygons */
  polygonFirst?: Uint32Array;
  corners?: Uint32Array;
  tetrahedra?: Uint32Array;
  cellFirst?: Uint32Array;
  faceFirst?: Uint32Array;
  faceCorners?: Uint32Array;
  radii?: Numbers;
  numbers?: Uint32Array; /* of its primitives in the file, where these are a part of them */
  color?: string;
  ghost?: boolean; /* always transparent, because its content is of interest */
  display?: { triangles: Uint32Array; primitiveOf: Uint32Array | null }; /* replaces the elements: only a surface */
}

/* A group of pairs: a region, or all pairs of two objects if there are no regions. Or no pairs: a is inside b. */
export interface Clash {
  index: number;
  id: string;
  a: number;
  b: number;
  kind: string; /* the class of the intersection; '' if unknown */
  firstPair: number;
  pairCount: number;
  low: Vector;
  high: Vector;
  depth: number | null;
  distance: number | null; /* the smallest; only with a clearance */
  firstCurve: number;
  curveCount: number;
  inside?: Containment;
}

/* An object inside another: its primitives inside, and all of them. */
export interface Containment {
  inner: number;
  outer: number;
  insideCount: number;
  primitiveCount: number;
}

/* Returns whether all primitives of an object are inside. */
export function isEntire({ insideCount, primitiveCount }: Containment): boolean {
  return insideCount === primitiveCount;
}

/* Of each primitive of the only object: its k, and how many of these share a vertex with it. */
export interface Crowding {
  k: Uint32Array;
  neighbors: Uint32Array;
}

export interface Frame {
  name: string;
  hash: string;
  limitReached: boolean;
  frameMs: number;
  timings: Record<string, number>;
  counters: Record<string, number>;
  objects: SceneObject[];
  pairs: Uint32Array; /* 4 a pair, clash after clash */
  kinds: Uint8Array | null; /* of each pair: an index of clashWords */
  clashes: Clash[];
  curves: Uint32Array; /* 4 a curve: kind, closed, first point, points */
  curvePoints: Float32Array; /* relative to the center */
  distances: Float64Array | null; /* 7 a pair: the distance, a nearest point of each */
  volumes: [number, number, number][]; /* of objects a and b */
  containments: Containment[]; /* sorted by the inner object */
  objectDepths: Map<string, number>;
  crowding: Crowding | null;
}

export interface PageRecord {
  version: string;
  command: 'check' | 'play' | 'pack' | 'analyze' | 'bench';
  title: string;
  result: Json | null; /* the --json record of the command, for pack, analyze and bench */
  method: string;
  units: string;
  up: string; /* the axis that points up: x, y, z, -x, -y or -z */
  neighbors: string;
  scope: number;
  candidatesOnly: boolean;
  clearance: number;
  solid: boolean; /* objects inside others are part of the result */
  liveIgnores: string[]; /* options of the command without effect on the live engine */
  rounded: boolean;
  clashWords: string[];
  center: Vector;
  frames: Frame[];
}

export type Json = Record<string, any>;

/* Computes the position of a vertex after the pose, rounded as in the library. */
export function vertexOf(object: SceneObject, vertex: number, out: Vector): Vector {
  const p = object.positions, i = 3 * vertex, m = object.pose;
  const x = p[i], y = p[i + 1], z = p[i + 2];
  if (m === null) {
    out[0] = x;
    out[1] = y;
    out[2] = z;
  } else {
    for (let row = 0; row < 3; ++row)
      out[row] = m[4 * row] * x + m[4 * row + 1] * y + m[4 * row + 2] * z + m[4 * row + 3];
  }
  return out;
}

/* Returns the triangles of a primitive; the triangles of each primitive are contiguous. */
export function displayTriangles(object: SceneObject, primitive: number): Uint32Array {
  const { triangles, primitiveOf } = object.display!;
  if (primitiveOf === null) return triangles.subarray(3 * primitive, 3 * primitive + 3);
  let low = 0, high = primitiveOf.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (primitiveOf[middle] < primitive) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (end < primitiveOf.length && primitiveOf[end] === primitive) ++end;
  return triangles.subarray(3 * low, 3 * end);
}

/* Returns the vertices of a primitive, each once. */
export function primitiveVertices(object: SceneObject, primitive: number): number[] {
  if (object.display !== undefined && object.kind !== 'sphere') return [...new Set(displayTriangles(object, primitive))];
  switch (object.kind) {
    case 'triangle':
      return Array.from(object.triangles!.subarray(3 * primitive, 3 * primitive + 3));
    case 'polygon':
      return Array.from(object.corners!.subarray(object.polygonFirst![primitive], object.polygonFirst![primitive + 1]));
    case 'tetrahedron':
      return Array.from(object.tetrahedra!.subarray(4 * primitive, 4 * primitive + 4));
    case 'polyhedron': {
      const first = object.faceFirst![object.cellFirst![primitive]];
      const end = object.faceFirst![object.cellFirst![primitive + 1]];
      return [...new Set(object.faceCorners!.subarray(first, end))];
    }
    case 'sphere':
      return [primitive];
  }
}

/* Returns the corners of each face of a primitive, in order; none for a sphere. */
export function facesOf(object: SceneObject, primitive: number): ArrayLike<number>[] {
  const triples = (list: Uint32Array) => Array.from({ length: list.length / 3 }, (_, i) => list.subarray(3 * i, 3 * i + 3));
  if (object.kind === 'sphere') return [];
  if (object.display !== undefined) return triples(displayTriangles(object, primitive));
  if (object.kind === 'tetrahedron') {
    const corners = primitiveVertices(object, primitive);
    return corners.map((corner) => corners.filter((other) => other !== corner));
  }
  if (object.kind !== 'polyhedron') return [primitiveVertices(object, primitive)];
  const faces: Uint32Array[] = [];
  for (let face = object.cellFirst![primitive]; face < object.cellFirst![primitive + 1]; ++face)
    faces.push(object.faceCorners!.subarray(object.faceFirst![face], object.faceFirst![face + 1]));
  return faces;
}

function growByPrimitive(object: SceneObject, primitive: number, low: Vector, high: Vector): void {
  const at: Vector = [0, 0, 0];
  const radius = object.kind === 'sphere' ? object.radii![primitive] : 0;
  for (const vertex of primitiveVertices(object, primitive)) {
    vertexOf(object, vertex, at);
    for (let axis = 0; axis < 3; ++axis) {
      low[axis] = Math.min(low[axis], at[axis] - radius);
      high[axis] = Math.max(high[axis], at[axis] + radius);
    }
  }
}

export function boxOfPrimitive(object: SceneObject, primitive: number): { low: Vector; high: Vector } {
  const low: Vector = [Infinity, Infinity, Infinity], high: Vector = [-Infinity, -Infinity, -Infinity];
  growByPrimitive(object, primitive, low, high);
  return { low, high };
}

function boxOfObject(object: SceneObject): { low: Vector; high: Vector } {
  const low: Vector = [Infinity, Infinity, Infinity], high: Vector = [-Infinity, -Infinity, -Infinity], at: Vector = [0, 0, 0];
  for (let vertex = 0; vertex < object.positions.length / 3; ++vertex) {
    const radius = object.kind === 'sphere' ? object.radii![vertex] : 0;
    vertexOf(object, vertex, at);
    for (let axis = 0; axis < 3; ++axis) {
      low[axis] = Math.min(low[axis], at[axis] - radius);
      high[axis] = Math.max(high[axis], at[axis] + radius);
    }
  }
  return { low, high };
}

/* Returns the names of objects in ids, which have the number of an object only if its label repeats. */
function namesOf({ objects }: Frame): string[] {
  const counts = new Map<string, number>();
  for (const { bcfLabel } of objects) counts.set(bcfLabel, (counts.get(bcfLabel) ?? 0) + 1);
  return objects.map(({ bcfLabel }, i) => counts.get(bcfLabel)! > 1 ? bcfLabel + '#' + i : bcfLabel);
}

/* Returns the clashes of a frame, and after them the objects inside others if these are part of the result. */
export function clashesAndInsides(record: PageRecord, frame: Frame): Clash[] {
  if (!record.solid) return frame.clashes;
  const names = namesOf(frame);
  return [...frame.clashes, ...frame.containments.map((inside, i): Clash => ({
    index: frame.clashes.length + i, id: 'inside-' + names[inside.inner] + '-' + names[inside.outer], a: inside.inner, b: inside.outer, kind: 'inside',
    firstPair: 0, pairCount: 0, ...boxOfObject(frame.objects[inside.inner]), depth: null, distance: null, firstCurve: 0, curveCount: 0, inside,
  }))];
}

/* Requires pairs sorted by objects, so that the pairs of two objects are contiguous. */
export function clashesOfObjects(frame: Frame, candidatesOnly: boolean): Clash[] {
  const clashes: Clash[] = [];
  const pairs = frame.pairs, names = namesOf(frame);
  for (let i = 0; i < pairs.length / 4; ++i) {
    const a = pairs[4 * i], b = pairs[4 * i + 2];
    let clash = clashes[clashes.length - 1];
    if (clash === undefined || clash.a !== a || clash.b !== b) {
      clash = {
        index: clashes.length, id: [names[a], names[b]].sort().join('-'), a, b, kind: candidatesOnly ? 'candidates' : '', firstPair: i, pairCount: 0,
        low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity], depth: null, distance: null,
        firstCurve: 0, curveCount: 0,
      };
      clashes.push(clash);
    }
    ++clash.pairCount;
    growByPrimitive(frame.objects[a], pairs[4 * i + 1], clash.low, clash.high);
    growByPrimitive(frame.objects[b], pairs[4 * i + 3], clash.low, clash.high);
    if (frame.distances !== null) {
      const distance = frame.distances[7 * i];
      clash.kind = distance === 0 ? 'intersecting' : clash.kind || 'near';
      clash.distance = clash.distance === null ? distance : Math.min(clash.distance, distance);
    }
  }
  return clashes;
}

class Reader {
  private readonly first: number;
  readonly json: Json;
  private readonly read: ArrayBufferView[] = []; /* objects that share data share the view */

  constructor(private readonly buffer: ArrayBuffer) {
    const head = new DataView(buffer);
    const magic = new TextDecoder().decode(new Uint8Array(buffer, 0, Math.min(8, buffer.byteLength)));
    if (magic !== 'GRAZEPG1') throw new Error('the format of the recorded scene is unknown');
    const length = Number(head.getBigUint64(8, true));
    this.json = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 16, length))) as Json;
    this.first = 16 + Math.ceil(length / 8) * 8;
  }

  section<View>(number: number | undefined): View | undefined {
    if (number === undefined) return undefined;
    const makers: Record<string, any> = { u8: Uint8Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array };
    const [type, offset, count] = this.json.sections[number] as [string, number, number];
    this.read[number] ??= new makers[type](this.buffer, this.first + offset, count);
    return this.read[number] as View;
  }
}

function readObject(reader: Reader, json: Json): SceneObject {
  return {
    label: json.label,
    bcfLabel: json.bcf_label,
    bcfId: json.bcf_id,
    file: json.file,
    kind: json.kind,
    primitiveCount: json.primitives,
    pose: json.pose ?? null,
    positions: reader.section<Numbers>(json.positions)!,
    triangles: reader.section(json.triangles),
    polygonFirst: reader.section(json.polygon_first),
    corners: reader.section(json.corners),
    tetrahedra: reader.section(json.tetrahedra),
    cellFirst: reader.section(json.cell_first),
    faceFirst: reader.section(json.face_first),
    faceCorners: reader.section(json.face_corners),
    radii: reader.section(json.radii),
  };
}

function hexadecimal(low: number, high: number): string {
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}

function readRegions(reader: Reader, json: Json, words: string[]): Clash[] {
  const numbers = reader.section<Uint32Array>(json.region_numbers)!;
  const reals = reader.section<Float64Array>(json.region_reals)!;
  const ids = reader.section<Uint32Array>(json.region_ids)!;
  const clashes: Clash[] = [];
  for (let i = 0; i < numbers.length / 7; ++i) {
    const [a, b, kind, firstPair, pairCount, firstCurve, curveCount] = numbers.subarray(7 * i, 7 * i + 7);
    const real = reals.subarray(13 * i, 13 * i + 13);
    clashes.push({
      index: i, id: hexadecimal(ids[2 * i], ids[2 * i + 1]), a, b, kind: words[kind], firstPair, pairCount,
      low: [real[0], real[1], real[2]], high: [real[3], real[4], real[5]], depth: real[6], distance: null,
      firstCurve, curveCount,
    });
  }
  return clashes;
}

function readObjectDepths(reader: Reader, json: Json): Map<string, number> {
  const numbers = reader.section<Uint32Array>(json.object_pairs) ?? new Uint32Array();
  const reals = reader.section<Float64Array>(json.object_pair_reals) ?? new Float64Array();
  const depths = new Map<string, number>();
  for (let i = 0; i < numbers.length / 2; ++i) depths.set(numbers[2 * i] + '-' + numbers[2 * i + 1], reals[4 * i]);
  return depths;
}

function readFrame(reader: Reader, json: Json, number: number): Frame {
  const frame: Frame = {
    name: json.name ?? 'frame ' + (number + 1),
    hash: json.hash ?? '',
    limitReached: json.limit_reached ?? false,
    frameMs: json.frame_ms ?? 0,
    timings: json.timings_ms ?? {},
    counters: json.counters ?? {},
    objects: (json.objects as Json[]).map((object) => readObject(reader, object)),
    pairs: reader.section<Uint32Array>(json.pairs) ?? new Uint32Array(),
    kinds: reader.section<Uint8Array>(json.clashes) ?? null,
    clashes: [],
    curves: reader.section<Uint32Array>(json.curve_numbers) ?? new Uint32Array(),
    curvePoints: reader.section<Float32Array>(json.curve_points) ?? new Float32Array(),
    distances: reader.section<Float64Array>(json.distances) ?? null,
    volumes: json.volumes ?? [],
    containments: ((json.containments ?? []) as number[][]).map(([inner, outer, insideCount, primitiveCount]) => ({ inner, outer, insideCount, primitiveCount })),
    objectDepths: readObjectDepths(reader, json),
    crowding: json.k === undefined ? null : { k: reader.section(json.k)!, neighbors: reader.section(json.k_neighbors)! },
  };
  frame.clashes =
    json.region_numbers !== undefined
      ? readRegions(reader, json, reader.json.clash_words)
      : clashesOfObjects(frame, reader.json.candidates_only);
  return frame;
}

export function readRecord(buffer: ArrayBuffer): PageRecord {
  const reader = new Reader(buffer);
  const json = reader.json;
  return {
    version: json.graze,
    command: json.command,
    result: json.result ?? null,
    title: json.title ?? 'scene',
    method: json.method ?? '',
    units: json.units ?? '',
    up: json.up ?? 'y',
    neighbors: json.neighbors ?? '',
    scope: json.scope ?? 0,
    candidatesOnly: json.candidates_only ?? false,
    clearance: json.clearance ?? 0,
    solid: json.solid ?? false,
    liveIgnores: json.live_ignores ?? [],
    rounded: json.rounded,
    clashWords: json.clash_words,
    center: json.center,
    frames: (json.frames as Json[]).map((frame, number) => readFrame(reader, frame, number)),
  };
}
