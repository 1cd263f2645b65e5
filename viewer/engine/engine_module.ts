/* The engine in one thread: the calls of engine.c as functions of plain data, for the worker and for tests.
 *
 * Lists are copied out of the module's memory, because that memory moves when it grows. A trap (a stack overflow or a
 * fault) leaves the module in an undefined state; `restart` creates a new one without objects. */
import type {
  EngineAnswer,
  EngineCalls,
  EngineContainment,
  EngineCurves,
  EngineObject,
  EngineObjectPair,
  EngineQuery,
  EngineRegion,
  EngineState,
  EngineStructure,
  MeshData,
  MeshFile,
  Named,
  Pose,
  PrimitiveKind,
  Vector3,
} from './engine_types';
import { systemCalls } from './system_calls';

/* An error that the library reports with a message. */
export class Refusal extends Error {}

type Address = number;
type List = [Address, number];
type NumberList = Uint8Array | Uint32Array | Float32Array | Float64Array | BigUint64Array;

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  engine_allocate(bytes: number): Address;
  engine_release(block: Address): void;
  engine_last_message(): Address;
  engine_start(): number;
  engine_state(): Address;
  engine_object_count(): number;
  engine_file_count(): number;
  engine_cut(count: number, fileCount: number): void;
  engine_read(bytes: Address, size: number, name: Address, separate: number): number;
  engine_object_text(index: number): Address;
  engine_object_shown(index: number): void;
  engine_add(name: Address, kind: Address, arrays: Address): number;
  engine_set_pose(index: number, numbers: Address): number;
  engine_set_positions(index: number, positions: Address, count: number): number;
  engine_set_method(name: Address, simd: Address): number;
  engine_exclude(a: number, b: number, excluded: number): number;
  engine_query_text(
    scope: number,
    neighbors: number,
    test: number,
    parts: number,
    pairLimit: number,
    depthLimit: number,
    clearance: number,
  ): Address;
  engine_structure_text(level: number, limit: number): Address;
}

/* The values of graze/graze.h and engine_query.h. */
const SCOPES: Record<string, number> = { auto: -1, between: 1, within: 2, both: 3 };
const NEIGHBORS: Record<string, number> = { auto: -1, skip: 0, beyond: 1 };
const TESTS: Record<string, number> = { sat: 0, gjk: 1 };
const CLASHES: EngineRegion['clash'][] = ['touching', 'crossing', 'coplanar', 'duplicate'];
const PARTS: [keyof EngineQuery, number][] = [
  ['regions', 1],
  ['depths', 2],
  ['curves', 4],
  ['contacts', 8],
  ['volumes', 16],
  ['containments', 32],
];
const REGION_NUMBERS = 20;
const POSE_NUMBERS = 12;

interface ObjectText {
  index: number;
  name: string;
  file: string;
  kind: PrimitiveKind;
  note: string;
  vertexCount: number;
  primitiveCount: number;
  origin: Vector3;
  positions: List;
  radii: List;
  triangles: List;
  primitiveOfTriangle: List;
}

interface AnswerText {
  found: boolean;
  verdict: string;
  scope: string;
  neighbors: string;
  method: string;
  reason: string;
  pairCount: number;
  hash: string;
  limitReached: boolean;
  milliseconds: number;
  objectPairs: EngineObjectPair[];
  containments: EngineContainment[];
  pairs: List;
  regionPairs: List;
  regionClashes: List;
  regionNumbers: List;
  regionIds: List;
  contacts: List;
  curvePoints: List;
  curveStarts: List;
  curveRegions: List;
  curveClosed: List;
  curveOrigin: Vector3;
  timings: Named;
  counters: Named;
}

interface StructureText {
  method: string;
  count: number;
  levelCounts: number[];
  boxes: List;
  levels: List;
  objects: List;
  members: List;
}

function chosen(table: Record<string, number>, what: string, name: string): number {
  const value = Object.hasOwn(table, name) ? table[name] : undefined;
  if (value === undefined) throw new Refusal(`there is no ${what} '${name}': ${Object.keys(table).join(', ')}`);
  return value;
}

export class EngineModule implements EngineCalls {
  private exports!: Exports;
  private readonly compiled: WebAssembly.Module;
  private method: [string, string] = ['auto', 'auto'];

  /* Compiles and starts the module. Throws if the bytes are not a module or require unsupported features. */
  constructor(bytes: BufferSource) {
    this.compiled = new WebAssembly.Module(bytes);
    this.restart();
  }

  /* Creates a new instance without objects; keeps the method. */
  restart(): void {
    const calls = systemCalls(() => this.exports.memory);
    const instance = new WebAssembly.Instance(this.compiled, { wasi_snapshot_preview1: calls });
    this.exports = instance.exports as unknown as Exports;
    this.exports._initialize();
    this.check(this.exports.engine_start());
    this.setMethod(...this.method);
  }

  state(): EngineState {
    const { formats, ...rest } = this.parse<EngineState & { formats: string }>(this.exports.engine_state());
    const endings = formats.match(/\.[a-z0-9]+/g) ?? [];
    return { ...rest, endings: endings.filter((ending) => ending !== '.gz') };
  }

  clear(): void {
    this.check(this.exports.engine_start());
    this.setMethod(...this.method);
  }

  open(files: MeshFile[], separate = false): EngineObject[] {
    const first = this.exports.engine_object_count();
    const firstFile = this.exports.engine_file_count();
    try {
      for (const file of files) this.read(file, separate);
      const objects: EngineObject[] = [];
      for (let i = first; i < this.exports.engine_object_count(); ++i) objects.push(this.show(i));
      return objects;
    } catch (error) {
      if (error instanceof Refusal) this.exports.engine_cut(first, firstFile);
      throw error;
    }
  }

  addMesh(mesh: MeshData): EngineObject {
    if (mesh.positions.length % 3 !== 0) throw new Refusal(`${mesh.name}: the number of coordinates is not a multiple of 3`);
    const vertexCount = mesh.positions.length / 3;
    if (mesh.kind === 'sphere' && mesh.radii?.length !== vertexCount)
      throw new Refusal(`${mesh.name}: there are ${mesh.radii?.length ?? 0} radii for ${vertexCount} positions`);
    const none = new Uint32Array();
    const arrays: NumberList[] = [
      Float64Array.from(mesh.positions),
      Float64Array.from(mesh.radii ?? none),
      mesh.elements ?? none,
      mesh.faceSizes ?? none,
      mesh.cellSizes ?? none,
    ];
    return this.lend([mesh.name, mesh.kind, ...arrays], (name, kind, ...lists) => {
      const counts = [vertexCount, arrays[2]!.length, arrays[3]!.length, arrays[4]!.length];
      return this.lend([Uint32Array.from([...lists, ...counts])], (address) => {
        this.check(this.exports.engine_add(name!, kind!, address!));
        return this.show(this.exports.engine_object_count() - 1);
      });
    });
  }

  setPose(index: number, pose: Pose): void {
    if (pose.length !== POSE_NUMBERS) throw new Refusal(`a pose has ${POSE_NUMBERS} numbers, not ${pose.length}`);
    this.lend([Float64Array.from(pose)], (numbers) => this.check(this.exports.engine_set_pose(index, numbers!)));
  }

  setPositions(index: number, positions: Float32Array | Float64Array): void {
    if (positions.length % 3 !== 0) throw new Refusal('the number of coordinates is not a multiple of 3');
    this.lend([positions instanceof Float64Array ? positions : Float64Array.from(positions)], (address) =>
      this.check(this.exports.engine_set_positions(index, address!, positions.length / 3)),
    );
  }

  setMethod(name: string, simd: string = 'auto'): void {
    this.lend([name, simd], (a, b) => this.check(this.exports.engine_set_method(a!, b!)));
    this.method = [name, simd];
  }

  exclude(a: number, b: number, excluded: boolean): void {
    this.check(this.exports.engine_exclude(a, b, Number(excluded)));
  }

  query(query: EngineQuery): EngineAnswer {
    let parts = 0;
    for (const [name, bit] of PARTS) if (query[name] === true) parts |= bit;
    const text = this.parse<AnswerText>(
      this.exports.engine_query_text(
        chosen(SCOPES, 'scope', query.scope ?? 'auto'),
        chosen(NEIGHBORS, 'neighbors mode', query.neighbors ?? 'auto'),
        chosen(TESTS, 'test', query.test ?? 'sat'),
        parts,
        query.pairLimit ?? 0,
        query.depthLimit ?? 0,
        query.clearance ?? 0,
      ),
    );
    return this.answerOf(text);
  }

  inspect(level: number | null, limit: number): EngineStructure {
    const text = this.parse<StructureText>(this.exports.engine_structure_text(level ?? -1, limit));
    return {
      ...text,
      boxes: this.copy(Float64Array, text.boxes),
      levels: this.copy(Uint32Array, text.levels),
      objects: this.copy(Uint32Array, text.objects),
      members: this.copy(Uint32Array, text.members),
    };
  }

  memoryBytes(): number {
    return this.exports.memory.buffer.byteLength;
  }

  /* ---------------------------------------------------------------------------------------------- reading */

  private read(file: MeshFile, separate: boolean): void {
    this.lend([file.bytes, file.name], (bytes, name) =>
      this.check(this.exports.engine_read(bytes!, file.bytes.length, name!, Number(separate))),
    );
  }

  private show(index: number): EngineObject {
    const text = this.parse<ObjectText>(this.exports.engine_object_text(index));
    const object: EngineObject = {
      ...text,
      positions: this.copy(Float32Array, text.positions),
      radii: this.copy(Float32Array, text.radii),
      triangles: this.copy(Uint32Array, text.triangles),
      primitiveOfTriangle: this.copy(Uint32Array, text.primitiveOfTriangle),
    };
    this.exports.engine_object_shown(index);
    return object;
  }

  private answerOf(text: AnswerText): EngineAnswer {
    const { regionNumbers, regionIds, curvePoints, curveStarts, curveRegions, curveClosed, curveOrigin, ...rest } = text;
    const curves: EngineCurves = {
      origin: curveOrigin,
      points: this.copy(Float32Array, curvePoints),
      starts: this.copy(Uint32Array, curveStarts),
      closed: this.copy(Uint8Array, curveClosed),
      regions: this.copy(Uint32Array, curveRegions),
    };
    return {
      ...rest,
      pairs: this.copy(Uint32Array, text.pairs),
      regions: this.regionsOf(regionNumbers, regionIds),
      regionPairs: this.copy(Uint32Array, text.regionPairs),
      regionClashes: this.copy(Uint8Array, text.regionClashes),
      curves: curves.starts.length > 1 ? curves : null,
      contacts: this.copy(Float64Array, text.contacts),
    };
  }

  private regionsOf(numbersAt: List, idsAt: List): EngineRegion[] {
    const numbers = this.copy(Float64Array, numbersAt);
    const ids = this.copy(BigUint64Array, idsAt);
    const vector = (first: number): Vector3 => [numbers[first]!, numbers[first + 1]!, numbers[first + 2]!];
    return Array.from(ids, (id, i) => {
      const first = REGION_NUMBERS * i;
      return {
        a: numbers[first]!,
        b: numbers[first + 1]!,
        clash: CLASHES[numbers[first + 2]!]!,
        firstPair: numbers[first + 3]!,
        pairCount: numbers[first + 4]!,
        firstCurve: numbers[first + 5]!,
        curveCount: numbers[first + 6]!,
        boxMin: vector(first + 7),
        boxMax: vector(first + 10),
        point: vector(first + 13),
        normal: vector(first + 16),
        depth: numbers[first + 19]!,
        id: id.toString(16).padStart(16, '0'),
      };
    });
  }

  /* ---------------------------------------------------------------------------------------------- memory */

  private check(done: number): void {
    if (done === 0) throw new Refusal(this.textAt(this.exports.engine_last_message()));
  }

  private parse<Text>(address: Address): Text {
    this.check(address);
    return JSON.parse(this.textAt(address)) as Text;
  }

  private textAt(address: Address): string {
    const bytes = new Uint8Array(this.exports.memory.buffer);
    return new TextDecoder().decode(bytes.subarray(address, bytes.indexOf(0, address)));
  }

  private copy<Made extends NumberList>(
    make: { new (buffer: ArrayBufferLike, first: number, count: number): Made; readonly BYTES_PER_ELEMENT: number },
    [address, count]: List,
  ): Made {
    return new make(this.exports.memory.buffer, address, count).slice() as Made;
  }

  /* Copies texts and lists into the module's memory for the duration of one call. After a trap they are not released. */
  private lend<Result>(values: (string | NumberList)[], use: (...addresses: Address[]) => Result): Result {
    const addresses: Address[] = [];
    const release = (): void => addresses.forEach((address) => this.exports.engine_release(address));
    try {
      for (const value of values) {
        const list = typeof value === 'string' ? new TextEncoder().encode(value + '\0') : value;
        const address = this.exports.engine_allocate(list.byteLength + 1);
        if (address === 0) throw new Refusal(`out of memory for ${list.byteLength} bytes`);
        addresses.push(address);
        const bytes = new Uint8Array(list.buffer, list.byteOffset, list.byteLength);
        new Uint8Array(this.exports.memory.buffer).set(bytes, address);
      }
      const result = use(...addresses);
      release();
      return result;
    } catch (error) {
      if (error instanceof Refusal) release();
      throw error;
    }
  }
}
