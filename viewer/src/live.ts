/* The live engine of the page: the user drags objects, changes the method, or opens files, and the scene is searched
 * again. The engine runs in a worker; no data leaves the page.
 *
 * Workload: up to 60 queries a second during a drag. A query starts when the previous one is answered, with the poses
 * of that moment. */
import { Engine, type EngineAnswer, EngineError, type EngineObject, type EngineState, type EngineWorker, type MeshData } from '../engine/engine';
import workerProgram from 'virtual:engine-worker';
import { element } from './dom';
import { LiveNumbers, MOST_DEPTHS } from './live_numbers';
import { clashesOfObjects, type Frame, type PageRecord, type SceneObject, type Vector } from './record';
import type { BoxLines } from './structure_boxes';
import { StructureLayer } from './structure_layer';
import { counted, milliseconds } from './words';

export interface LiveListener {
  loading(): void;
  recordedFrame(): Frame; /* the recorded frame that was shown last */
  /* If `fresh`, the objects are new; otherwise only their poses have changed. */
  answered(record: PageRecord, frame: Frame, fresh: boolean): void;
  draggable(on: boolean): void;
  structure(boxes: BoxLines | null): void;
  structureTurned(on: boolean): void;
}

const SCOPES = ['auto', 'between', 'within', 'both'] as const;

function sizesOf(first: Uint32Array): Uint32Array {
  return first.slice(1).map((end, i) => end - first[i]);
}

/* Converts a recorded object to the input of the engine. */
function meshOf(object: SceneObject): MeshData {
  const mesh: MeshData = { name: object.bcfLabel, kind: object.kind, positions: object.positions };
  switch (object.kind) {
    case 'triangle': return { ...mesh, elements: object.triangles };
    case 'tetrahedron': return { ...mesh, elements: object.tetrahedra };
    case 'polygon': return { ...mesh, elements: object.corners, faceSizes: sizesOf(object.polygonFirst!) };
    case 'polyhedron':
      return { ...mesh, elements: object.faceCorners, faceSizes: sizesOf(object.faceFirst!), cellSizes: sizesOf(object.cellFirst!) };
    case 'sphere': return { ...mesh, radii: object.radii };
  }
}

/* Converts an object that the engine has read from a file, which may be compressed. Its origin becomes part of the pose. */
function objectOf(read: EngineObject, file: string, several: boolean): SceneObject {
  const [x, y, z] = read.origin;
  const name = read.name === read.file ? file : read.name; /* without a name, the engine uses that of the decompressed file */
  const label = several && name !== file ? file + '[' + name + ']' : file;
  const stem = file.replace(/\..*$/, '');
  return {
    label, bcfLabel: label, bcfId: several && name !== '' ? name : stem.length === 22 ? stem : file, file, kind: read.kind, primitiveCount: read.primitiveCount, positions: read.positions,
    pose: [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z], radii: read.radii,
    display: { triangles: read.triangles, primitiveOf: read.primitiveOfTriangle.length === 0 ? null : read.primitiveOfTriangle },
  };
}

/* The objects of the engine, in its order. */
interface Scene {
  record: PageRecord;
  objects: SceneObject[];
  placed: (number[] | null)[]; /* the poses that the objects had when they were loaded */
  origins: Vector[]; /* of the engine's positions, part of the poses */
  scope: (typeof SCOPES)[number];
  note: string;
}

/* Puts a scene into an empty or a filled engine. */
type Source = (engine: Engine) => Promise<Scene>;

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
    containments: answer.containments, objectDepths: new Map(), crowding: null,
  };
  frame.clashes = !grouped ? clashesOfObjects(frame, false) : answer.regions.map((region, index) => ({
    index, id: region.id, a: region.a, b: region.b, kind: words.includes(region.clash) ? region.clash : '',
    firstPair: region.firstPair, pairCount: region.pairCount, low: region.boxMin, high: region.boxMax,
    depth: region.depth > 0 ? region.depth : null, distance: null, firstCurve: region.firstCurve, curveCount: region.curveCount,
  }));
  return frame;
}

function isLoss(error: unknown): boolean {
  return error instanceof EngineError && error.lost;
}

/* A query or a load that takes longer can be stopped. */
const STOP_MS = 1000;
const START_WORDS = 'Load this scene into the live engine';
const UNMOVED = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

export class Live {
  readonly root = element('div', { class: 'sheet live' });
  private readonly status = element('p', { class: 'status', role: 'status' });
  private readonly methods = element('select', { 'aria-label': 'Method', onchange: () => void this.changeMethod() });
  private readonly moved = element('select', { 'aria-label': 'Object to move' });
  private readonly structure = new StructureLayer(() => void this.guard(() => this.showStructure()), (on) => this.listener.structureTurned(on));
  private readonly numbers = new LiveNumbers();
  private readonly controls: HTMLElement;
  private readonly startButton: HTMLButtonElement;
  private readonly stopButton = element('button', { type: 'button', class: 'wide', hidden: true, onclick: () => this.stop() }, 'Stop');
  private starting: Promise<Engine> | null = null;
  private engine: Engine | null = null;
  private scene: Scene | null = null;
  private source: Source | null = null; /* of the scene */
  private lost: Source | null = null; /* of a scene that the engine has lost */
  private loads: Promise<void> = Promise.resolve();
  private waiting = 0;
  private left = 0; /* how often the page has returned to recorded frames */
  private searching = false; /* the engine has a scene, and queries may run */
  private ready = false; /* in addition, the page shows this scene: its objects can be moved */
  private working: Promise<void> | null = null;
  private due = false;
  private boxesDue = false;
  private fresh = false;

  constructor(
    private readonly recorded: PageRecord,
    private readonly unpack: (id: string) => Promise<ArrayBuffer | null>,
    private readonly listener: LiveListener,
  ) {
    this.startButton = element('button', { type: 'button', class: 'wide start', onclick: () => void this.load(this.lost ?? this.recordedScene) },
      START_WORDS);
    const files = element('input', {
      type: 'file', multiple: true, class: 'hidden-input', id: 'live-files', onchange: () => {
        const chosen = [...(files.files ?? [])];
        files.value = ''; /* so the same file can be chosen again */
        void this.openFiles(chosen);
      },
    });
    this.controls = this.makeControls();
    this.root.append(
      element('p', { class: 'quiet' }, 'The library runs in this page. No data leaves your browser.'), this.startButton,
      element('label', { class: 'wide drop', for: 'live-files' }, 'Check your own files: click to choose, or drop them here'), files,
      ...(recorded.liveIgnores.length === 0 ? [] : [element('p', { class: 'quiet' },
        'The live engine ignores ' + recorded.liveIgnores.join(', ') + ' of this scene, so its results can differ.')]),
      this.status, this.stopButton, this.controls);
  }

  private makeControls(): HTMLElement {
    const step = (axis: number, sign: number) => element('button', {
      type: 'button', 'aria-label': 'Move by 1 % of the scene size, ' + (sign > 0 ? 'plus ' : 'minus ') + 'xyz'[axis], onclick: () => this.nudge(axis, sign),
    }, (sign > 0 ? '+' : '−') + 'xyz'[axis]);
    return element('div', { class: 'live-controls', hidden: true },
      this.numbers.root,
      element('p', { class: 'quiet' }, 'Drag an object in the view, or select one and move it with the buttons. M switches between moving objects and rotating the view.'),
      element('div', { class: 'filters' }, this.moved, element('button', { type: 'button', title: 'Reset positions (0)', onclick: () => this.resetPositions() }, 'Reset positions')),
      element('div', { class: 'steps' }, ...[0, 1, 2].flatMap((axis) => [step(axis, -1), step(axis, 1)])),
      element('label', { class: 'method-choice' }, 'Method ', this.methods),
      this.structure.root);
  }

  private setReady(on: boolean): void {
    this.ready = on;
    this.controls.inert = !on;
    this.listener.draggable(on);
  }

  private tell(words: string, trouble = false): void {
    this.status.textContent = words;
    this.status.classList.toggle('trouble', trouble);
  }

  private async guard(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      const lost = isLoss(error);
      if (lost && this.engine === null) return; /* reported by another call */
      if (lost) this.lose();
      this.tell((error instanceof Error ? error.message : String(error)) + (lost ? '\nLoad the scene again, or open files.' : ''), true);
    }
  }

  /* Ends an engine that has lost its objects. The next load starts another one. */
  private lose(): void {
    this.engine?.close();
    this.engine = this.starting = null;
    this.lost = this.source;
    this.drop('Load the scene again');
  }

  private drop(startWords: string): void {
    this.scene = null;
    this.searching = false;
    this.setReady(false);
    this.controls.hidden = true;
    this.structure.turn(false);
    this.startButton.textContent = startWords;
  }

  /* The page shows a recorded frame again. Also drops a scene that is being loaded. */
  leave(): void {
    if (this.scene === null && this.waiting === 0 && this.lost === null) return;
    ++this.left;
    this.source = this.lost = null;
    this.drop(START_WORDS);
    this.tell('');
  }

  /* Only ending the worker ends a call. */
  private stop(): void {
    this.lose();
    this.tell('Stopped. The page shows the last result.\nLoad the scene again, or open files.');
  }

  private async stoppable<Result>(work: Promise<Result>): Promise<Result> {
    const timer = setTimeout(() => (this.stopButton.hidden = false), STOP_MS);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
      this.stopButton.hidden = true;
    }
  }

  /* Loads a scene after all loads that were requested before, so the scene of the last request is shown. */
  private load(source: Source): Promise<void> {
    const left = this.left;
    ++this.waiting;
    this.listener.loading();
    this.loads = this.loads.then(() => this.guard(async () => {
      if (left !== this.left) return;
      this.searching = false;
      this.setReady(false);
      await this.working?.catch(() => undefined);
      const engine = await this.start();
      if (left === this.left) await this.replace(engine, source);
    })).finally(() => {
      --this.waiting;
      this.controls.hidden = this.scene === null;
    });
    return this.loads;
  }

  /* Replaces the scene. If that fails, the previous one is loaded again, with the poses that its objects had. */
  private async replace(engine: Engine, source: Source): Promise<void> {
    const before = this.scene, left = this.left;
    try {
      const scene = await this.stoppable(source(engine));
      if (left !== this.left) return;
      this.take(scene, true);
      await this.search();
      this.accept(source);
    } catch (error) {
      if (left !== this.left && !isLoss(error)) return;
      if (this.scene !== before && !this.fresh) {
        this.accept(source); /* it is shown; only the boxes of its structure failed */
        throw error;
      }
      this.scene = null;
      if (before !== null && this.source !== null && !isLoss(error)) {
        await this.source(engine);
        for (const [i, { pose }] of before.objects.entries())
          if (pose !== null) await engine.setPose(i, enginePose(pose, before.origins[i]));
        this.take(before, false);
        await this.search();
        this.accept(this.source);
      }
      throw error;
    }
    const note = this.scene?.note ?? '';
    if (note !== '') this.tell(note);
  }

  /* The page shows the scene of this source. */
  private accept(source: Source | null): void {
    if (this.scene === null) return;
    this.source = source;
    this.setReady(true);
  }

  private start(): Promise<Engine> {
    this.starting ??= this.startEngine().catch((error) => {
      this.starting = null;
      throw error;
    });
    return this.starting;
  }

  private async startEngine(): Promise<Engine> {
    const module = await this.unpack('graze-engine');
    if (module === null) throw new Error('The build that made this page has no live engine.');
    this.tell('Starting ...');
    const address = URL.createObjectURL(new Blob([workerProgram], { type: 'text/javascript' }));
    let engine: Engine, state: EngineState;
    try {
      engine = await Engine.create(new Worker(address) as unknown as EngineWorker, module);
      state = await engine.state();
    } catch (error) {
      throw new Error('The live engine cannot start in this browser: ' + (error instanceof Error ? error.message : error));
    } finally {
      URL.revokeObjectURL(address);
    }
    this.methods.replaceChildren(...['auto', ...state.methods.map((method) => method.name)].map((name) => element('option', { value: name }, name)));
    this.engine = engine;
    return engine;
  }

  private readonly recordedScene: Source = async (engine) => {
    const frame = this.listener.recordedFrame();
    await engine.clear();
    for (let i = 0; i < frame.objects.length; ++i) {
      await engine.addMesh(meshOf(frame.objects[i]));
      const pose = frame.objects[i].pose;
      if (pose !== null) await engine.setPose(i, enginePose(pose, [0, 0, 0]));
    }
    return {
      record: { ...this.recorded, frames: [] }, objects: frame.objects.map((object) => ({ ...object })), placed: frame.objects.map(({ pose }) => pose),
      origins: frame.objects.map(() => [0, 0, 0]), scope: SCOPES[this.recorded.scope] ?? 'auto', note: '',
    };
  };

  async openFiles(files: File[]): Promise<void> {
    if (files.length > 0) await this.load((engine) => this.filesScene(engine, files));
  }

  private async filesScene(engine: Engine, files: File[]): Promise<Scene> {
    this.tell('Reading ' + counted(files.length, 'file') + ' ...');
    const { fileLimit } = await engine.state();
    if (files.reduce((sum, file) => sum + file.size, 0) > fileLimit)
      throw new Error((files.length === 1 ? files[0].name + ' is' : 'Together, the ' + files.length + ' files are') + ' larger than ' + fileLimit / 2 ** 20 +
        ' MiB, the limit of this page; graze check reads files of any size');
    await engine.clear();
    const opened: EngineObject[] = [], names: string[] = [];
    for (const file of files)
      for (const object of await engine.open([{ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }])) {
        opened.push(object);
        names.push(file.name);
      }
    const objects = opened.map((object, i) => objectOf(object, names[i], opened.length > files.length));
    return {
      record: {
        ...this.recorded, title: files[0].name + (files.length > 1 ? ' and ' + (files.length - 1) + ' more' : ''), clearance: 0,
        solid: false, candidatesOnly: false, neighbors: 'auto', rounded: true, units: '', frames: [], center: centerOf(objects),
      },
      objects, placed: objects.map(({ pose }) => pose), origins: opened.map((object) => object.origin), scope: 'auto',
      note: opened.map((object) => object.note).filter((note) => note !== '').join('\n'),
    };
  }

  private take(scene: Scene, fresh: boolean): void {
    this.scene = scene;
    this.moved.replaceChildren(...scene.objects.map((object, i) => element('option', { value: i }, i + ' ' + object.label)));
    this.fresh = fresh;
    this.lost = null;
    this.controls.hidden = false;
    this.startButton.textContent = 'Back to the recorded scene';
    this.searching = true;
  }

  private async changeMethod(): Promise<void> {
    if (!this.ready) return;
    await this.guard(async () => {
      await this.engine!.setMethod(this.methods.value);
      await this.search();
    });
  }

  private nudge(axis: number, sign: number): void {
    if (!this.ready) return;
    const by: Vector = [0, 0, 0];
    by[axis] = (sign * extentOf(this.scene!.objects)) / 100;
    this.move(Number(this.moved.value), by);
  }

  /* Moves an object and searches again. */
  move(index: number, by: Vector): void {
    if (!this.ready) return;
    const pose = [...(this.scene!.objects[index].pose ?? UNMOVED)];
    by.forEach((step, axis) => (pose[4 * axis + 3] += step));
    this.place(index, pose);
  }

  /* Undoes all moves. */
  resetPositions(): void {
    if (!this.ready) return;
    const { objects, placed } = this.scene!;
    placed.forEach((pose, index) => {
      if (objects[index].pose !== pose) this.place(index, pose);
    });
  }

  private place(index: number, pose: number[] | null): void {
    const { objects, origins } = this.scene!;
    objects[index] = { ...objects[index], pose };
    void this.guard(async () => {
      await this.engine!.setPose(index, enginePose(pose ?? UNMOVED, origins[index]));
      await this.search();
    });
  }

  private async search(): Promise<void> {
    this.due = true;
    await this.work();
  }

  /* Runs queries and reads boxes, one at a time, until nothing is due. Requests that come meanwhile wait for the same run. */
  private work(): Promise<void> {
    this.working ??= Promise.resolve(this.engine!).then((engine) => this.workOn(engine));
    return this.working;
  }

  private async workOn(engine: Engine): Promise<void> {
    try {
      while (this.searching && (this.due || this.boxesDue)) {
        try {
          if (this.due) await this.query(engine, this.scene!);
          this.boxesDue = false;
          if (this.structure.on && this.searching) await this.stoppable(this.readStructure(engine, this.scene!));
        } catch (error) {
          if (!this.due || isLoss(error)) throw error; /* otherwise a newer query replaces the failed one */
        }
      }
    } finally {
      this.working = null;
    }
  }

  private async query(engine: Engine, scene: Scene): Promise<void> {
    this.due = false;
    const { clearance, neighbors } = scene.record;
    const near = clearance > 0;
    const answer = await this.stoppable(engine.query({
      scope: scene.scope, neighbors: neighbors === 'skip' || neighbors === 'beyond' ? neighbors : 'auto',
      clearance: near ? clearance : undefined, regions: !near, curves: !near, volumes: !near, depthLimit: MOST_DEPTHS, containments: scene.record.solid,
    }));
    if (this.scene !== scene) return;
    const frame = frameOf(answer, scene.objects.slice(), scene.record.center, scene.record.clashWords);
    scene.record = { ...scene.record, method: answer.method, neighbors: answer.neighbors };
    this.listener.answered(scene.record, frame, this.fresh);
    this.fresh = false;
    this.numbers.show(frame, scene.record.units);
    this.describe(answer);
  }

  /* Turns the layer on or off; loads the recorded scene if the engine has no objects yet. */
  toggleStructure(): void {
    this.structure.turn(!this.structure.on);
    if (!this.structure.on || this.ready || this.waiting > 0) return;
    void this.load(this.recordedScene).then(() => {
      if (!this.ready) this.structure.turn(false);
    });
  }

  private async showStructure(): Promise<void> {
    if (!this.structure.on) this.listener.structure(null);
    else if (this.ready) {
      this.boxesDue = true;
      await this.work();
    }
  }

  private async readStructure(engine: Engine, { objects, origins, record }: Scene): Promise<void> {
    const places = objects.map((object, i) => {
      const place = [...(object.pose ?? UNMOVED)];
      for (let axis = 0; axis < 3; ++axis) place[4 * axis + 3] -= origins[i][axis];
      return place;
    });
    const boxes = await this.structure.read((level, limit) => engine.inspect(level, limit), places, record.center);
    if (this.structure.on) this.listener.structure(boxes);
  }

  private describe(answer: EngineAnswer): void {
    this.tell(counted(answer.pairCount, 'pair') + ' in ' + milliseconds(answer.milliseconds) + ' by ' + answer.method + ', hash ' + answer.hash);
  }
}

/* Returns the rotation row by row, then the translation, for engine positions that still include the origin. */
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
