/* The library inside the page: objects are dragged and searched anew, methods changed, files of the visitor checked. All
 * of it happens in a worker; nothing leaves the page.
 *
 * Workload: up to 60 queries a second while something is dragged. A query begins when the one before has been answered,
 * with what holds then. */
import { Engine, type EngineAnswer, type EngineObject, type EngineWorker, type MeshData } from '../engine/engine';
import workerProgram from 'virtual:engine-worker';
import { element } from './dom';
import { clashesOfObjects, type Frame, type PageRecord, type SceneObject, type Vector } from './record';
import { counted, milliseconds } from './words';

export interface LiveListener {
  /* The objects are others than before where `fresh`; else only their poses are. */
  answered(record: PageRecord, frame: Frame, fresh: boolean): void;
  draggable(on: boolean): void;
}

const SCOPES = ['auto', 'between', 'within', 'both'] as const;

function sizesOf(first: Uint32Array): Uint32Array {
  return first.slice(1).map((end, i) => end - first[i]);
}

/* A recorded object as the engine takes it. */
function meshOf(object: SceneObject): MeshData {
  const mesh: MeshData = { name: object.label, kind: object.kind, positions: object.positions };
  switch (object.kind) {
    case 'triangle': return { ...mesh, elements: object.triangles };
    case 'tetrahedron': return { ...mesh, elements: object.tetrahedra };
    case 'polygon': return { ...mesh, elements: object.corners, faceSizes: sizesOf(object.polygonFirst!) };
    case 'polyhedron':
      return { ...mesh, elements: object.faceCorners, faceSizes: sizesOf(object.faceFirst!), cellSizes: sizesOf(object.cellFirst!) };
    case 'sphere': return { ...mesh, radii: object.radii };
  }
}

/* An object that the engine has read. Its origin becomes a part of the pose. */
function objectOf(read: EngineObject, several: boolean): SceneObject {
  const [x, y, z] = read.origin;
  return {
    label: several && read.name !== read.file ? read.file + '[' + read.name + ']' : read.file || read.name,
    name: read.name, kind: read.kind, primitiveCount: read.primitiveCount, positions: read.positions,
    pose: [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z], radii: read.radii,
    display: { triangles: read.triangles, primitiveOf: read.primitiveOfTriangle.length === 0 ? null : read.primitiveOfTriangle },
  };
}

function frameOf(answer: EngineAnswer, objects: SceneObject[], center: Vector, words: string[]): Frame {
  const grouped = answer.regions.length > 0 || answer.pairCount === 0;
  const curves = answer.curves;
  const starts = curves === null ? new Uint32Array([0]) : curves.starts;
  const curveNumbers = new Uint32Array(4 * (starts.length - 1));
  for (let i = 0; i + 1 < starts.length; ++i)
    curveNumbers.set([0, curves!.closed[i], starts[i], starts[i + 1] - starts[i]], 4 * i);
  const points = curves === null ? new Float32Array() : curves.points;
  for (let i = 0; i < points.length; ++i) points[i] += curves!.origin[i % 3] - center[i % 3];
  const frame: Frame = {
    name: 'live', hash: answer.hash, limitReached: answer.limitReached, frameMs: answer.milliseconds, timings: answer.timings,
    counters: answer.counters, objects, pairs: grouped ? answer.regionPairs : answer.pairs,
    kinds: grouped ? answer.regionClashes : null, clashes: [], curves: curveNumbers, curvePoints: points, distances: null,
    volumes: answer.objectPairs.filter((one) => one.volume > 0).map((one) => [one.a, one.b, one.volume]),
    objectDepths: new Map(),
  };
  frame.clashes = !grouped ? clashesOfObjects(frame, false) : answer.regions.map((region, index) => ({
    index, id: region.id, a: region.a, b: region.b, kind: words.includes(region.clash) ? region.clash : '',
    firstPair: region.firstPair, pairCount: region.pairCount, low: region.boxMin, high: region.boxMax,
    depth: region.depth > 0 ? region.depth : null, distance: null, firstCurve: region.firstCurve, curveCount: region.curveCount,
  }));
  return frame;
}

async function readFile(file: File): Promise<{ name: string; bytes: Uint8Array }> {
  if (!file.name.toLowerCase().endsWith('.gz')) return { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) };
  try {
    const stream = file.stream().pipeThrough(new DecompressionStream('gzip'));
    return { name: file.name.slice(0, -3), bytes: new Uint8Array(await new Response(stream).arrayBuffer()) };
  } catch {
    throw new Error(file.name + ' is no complete gzip file');
  }
}

export class Live {
  readonly root = element('div', { class: 'sheet live' });
  private readonly status = element('p', { class: 'status', role: 'status' });
  private readonly methods = element('select', { 'aria-label': 'Method', onchange: () => void this.changeMethod() });
  private readonly moved = element('select', { 'aria-label': 'Object to move' });
  private readonly controls: HTMLElement;
  private readonly startButton: HTMLButtonElement;
  private engine: Engine | null = null;
  private objects: SceneObject[] = [];
  private busy = false;
  private due = false;
  private fresh = false;
  private scope: (typeof SCOPES)[number] = 'auto';
  private record: PageRecord;

  constructor(
    private readonly recorded: PageRecord,
    private readonly unpack: (id: string) => Promise<ArrayBuffer | null>,
    private readonly listener: LiveListener,
  ) {
    this.record = recorded;
    this.startButton = element('button', { type: 'button', class: 'wide start', onclick: () => void this.guard(() => this.startRecorded()) },
      'Start the live engine with this scene');
    const files = element('input', {
      type: 'file', multiple: true, class: 'hidden-input', id: 'live-files', onchange: () => void this.openFiles([...(files.files ?? [])]),
    });
    this.controls = this.makeControls();
    this.root.append(
      element('p', { class: 'quiet' }, 'The library runs inside this page. Nothing is sent anywhere.'), this.startButton,
      element('label', { class: 'wide drop', for: 'live-files' }, 'Check files of your own: choose, or drop them here'), files,
      this.status, this.controls);
  }

  private makeControls(): HTMLElement {
    const step = (axis: number, sign: number) => element('button', {
      type: 'button', 'aria-label': 'Move by a hundredth, ' + (sign > 0 ? 'plus ' : 'minus ') + 'xyz'[axis], onclick: () => this.nudge(axis, sign),
    }, (sign > 0 ? '+' : '−') + 'xyz'[axis]);
    return element('div', { class: 'live-controls', hidden: true },
      element('p', { class: 'quiet' }, 'Drag an object in the view, or move one by keys:'),
      element('div', { class: 'filters' }, this.moved),
      element('div', { class: 'steps' }, ...[0, 1, 2].flatMap((axis) => [step(axis, -1), step(axis, 1)])),
      element('label', { class: 'method-choice' }, 'Method ', this.methods));
  }

  get running(): boolean {
    return this.engine !== null && this.objects.length > 0;
  }

  private tell(words: string, trouble = false): void {
    this.status.textContent = words;
    this.status.classList.toggle('trouble', trouble);
  }

  private async guard(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.tell(error instanceof Error ? error.message : String(error), true);
    }
  }

  private async start(): Promise<Engine> {
    if (this.engine !== null) return this.engine;
    const module = await this.unpack('graze-engine');
    if (module === null) throw new Error('This page was made by a build without the live engine.');
    this.tell('Starting ...');
    const address = URL.createObjectURL(new Blob([workerProgram], { type: 'text/javascript' }));
    try {
      this.engine = await Engine.create(new Worker(address) as unknown as EngineWorker, module);
    } catch (error) {
      throw new Error('The live engine cannot start in this browser: ' + (error instanceof Error ? error.message : error));
    } finally {
      URL.revokeObjectURL(address);
    }
    const state = await this.engine.state();
    this.methods.replaceChildren(...['auto', ...state.methods.map((method) => method.name)].map((name) => element('option', { value: name }, name)));
    return this.engine;
  }

  /* The objects of the frame that is shown, where they are. */
  private shown: () => Frame = () => this.recorded.frames[0];
  private started: Frame | null = null;
  setShown(shown: () => Frame): void {
    this.shown = shown;
  }

  private async startRecorded(): Promise<void> {
    const engine = await this.start();
    await engine.clear();
    this.record = this.recorded;
    const frame = this.started ?? this.shown();
    this.started = frame;
    for (let i = 0; i < frame.objects.length; ++i) {
      await engine.addMesh(meshOf(frame.objects[i]));
      const pose = frame.objects[i].pose;
      if (pose !== null) await engine.setPose(i, enginePose(pose, [0, 0, 0]));
    }
    this.scope = SCOPES[this.record.scope] ?? 'auto';
    await this.take(frame.objects.map((object) => ({ ...object })), [0, 0, 0]);
  }

  async openFiles(files: File[]): Promise<void> {
    if (files.length === 0) return;
    await this.guard(async () => {
      const engine = await this.start();
      this.tell('Reading ' + counted(files.length, 'file') + ' ...');
      const read = await Promise.all(files.map(readFile));
      await engine.clear();
      this.objects = [];
      const objects = await engine.open(read);
      this.scope = 'auto';
      const label = files[0].name + (files.length > 1 ? ' and ' + (files.length - 1) + ' more' : '');
      this.record = { ...this.record, title: label, clearance: 0, candidatesOnly: false, neighbors: 'auto', rounded: true, units: '', frames: [] };
      const notes = objects.map((object) => object.note).filter((note) => note !== '');
      await this.take(objects.map((object) => objectOf(object, objects.length > files.length)), null);
      if (notes.length > 0) this.tell(notes.join('\n'));
    });
  }

  private async take(objects: SceneObject[], origin: Vector | null): Promise<void> {
    this.objects = objects;
    this.origins = objects.map((object) => (origin !== null || object.pose === null ? [0, 0, 0] : [object.pose[3], object.pose[7], object.pose[11]]));
    this.moved.replaceChildren(...objects.map((object, i) => element('option', { value: i }, i + ' ' + object.label)));
    this.fresh = true;
    this.controls.hidden = false;
    this.startButton.textContent = 'Back to the recorded scene';
    this.listener.draggable(true);
    if (origin === null) this.record = { ...this.record, center: centerOf(objects) };
    await this.search();
  }
  private origins: Vector[] = [];

  private async changeMethod(): Promise<void> {
    await this.guard(async () => {
      await this.engine!.setMethod(this.methods.value);
      await this.search();
    });
  }

  private nudge(axis: number, sign: number): void {
    const by: Vector = [0, 0, 0];
    by[axis] = (sign * extentOf(this.objects)) / 100;
    this.move(Number(this.moved.value), by);
  }

  /* Moves an object; the search follows as fast as it can. */
  move(index: number, by: Vector): void {
    const object = this.objects[index];
    const pose = object.pose === null ? [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0] : [...object.pose];
    by.forEach((step, axis) => (pose[4 * axis + 3] += step));
    this.objects[index] = { ...object, pose };
    void this.guard(async () => {
      await this.engine!.setPose(index, enginePose(pose, this.origins[index]));
      await this.search();
    });
  }

  private async search(): Promise<void> {
    this.due = true;
    if (this.busy || this.engine === null) return;
    this.busy = true;
    try {
      while (this.due) {
        this.due = false;
        const { clearance, neighbors } = this.record;
        const near = clearance > 0;
        const answer = await this.engine.query({
          scope: this.scope, neighbors: neighbors === 'skip' || neighbors === 'beyond' ? neighbors : 'auto',
          clearance: near ? clearance : undefined, regions: !near, curves: !near, volumes: !near,
        });
        const frame = frameOf(answer, this.objects.slice(), this.record.center, this.record.clashWords);
        this.record = { ...this.record, method: answer.method, neighbors: answer.neighbors };
        this.listener.answered(this.record, frame, this.fresh);
        this.fresh = false;
        this.describe(answer);
      }
    } finally {
      this.busy = false;
    }
  }

  private describe(answer: EngineAnswer): void {
    this.tell(counted(answer.pairCount, 'pair') + ' in ' + milliseconds(answer.milliseconds) + ' by ' + answer.method + ', hash ' + answer.hash);
  }
}

/* Rows of a pose with the translation last, for positions that the engine has without the origin taken off. */
function enginePose(pose: number[], origin: Vector): number[] {
  return [0, 1, 2].flatMap((row) => pose.slice(4 * row, 4 * row + 3)).concat([0, 1, 2].map((row) => pose[4 * row + 3] - origin[row]));
}

function boxOf(objects: SceneObject[]): [Vector, Vector] {
  const low: Vector = [Infinity, Infinity, Infinity], high: Vector = [-Infinity, -Infinity, -Infinity];
  for (const object of objects)
    for (let i = 0; i < object.positions.length; ++i) {
      const axis = i % 3;
      const at = object.positions[i] + (object.pose === null ? 0 : object.pose[4 * axis + 3]);
      low[axis] = Math.min(low[axis], at);
      high[axis] = Math.max(high[axis], at);
    }
  return [low, high];
}

function centerOf(objects: SceneObject[]): Vector {
  const [low, high] = boxOf(objects);
  return low.map((x, axis) => (Number.isFinite(x) ? x / 2 + high[axis] / 2 : 0)) as Vector;
}

function extentOf(objects: SceneObject[]): number {
  const [low, high] = boxOf(objects);
  return Math.max(...low.map((x, axis) => high[axis] - x), 1e-12);
}
