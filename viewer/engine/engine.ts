/* The client of the engine: the library runs in a worker, and each call returns a promise.
 *
 *     const engine = await Engine.create(worker, bytes);
 *     const objects = await engine.open([{ name: 'part.stl', bytes }]);
 *     engine.setPose(0, pose);
 *     const answer = await engine.query({ regions: true });
 *
 * Calls run one after the other, in order. If the library rejects a call, its promise rejects with EngineError, which
 * has the library's message. Workload: up to 60 calls a second of a few hundred bytes, with answers of up to a few
 * megabytes, which are transferred, not copied. */
import type {
  EngineAnswer,
  EngineCalls,
  EngineObject,
  EngineQuery,
  EngineState,
  EngineStructure,
  MeshData,
  MeshFile,
  Pose,
} from './engine_types';

export * from './engine_types';

/* `lost`: the module was restarted or ended, and its objects are gone. */
export class EngineError extends Error {
  constructor(message: string, readonly lost: boolean) {
    super(message);
    this.name = 'EngineError';
  }
}

export type EngineRequest =
  | { id: number; start: BufferSource }
  | { id: number; call: keyof EngineCalls; values: unknown[] };
export type EngineReply = { id: number; answer: unknown } | { id: number; message: string; lost: boolean };

/* The part of Worker that the client needs: a browser's worker, or any other message port. */
export interface EngineWorker {
  postMessage(message: EngineRequest, transfer?: ArrayBuffer[]): void;
  terminate(): unknown;
  onmessage: ((event: { data: EngineReply }) => void) | null;
  onerror: ((event: { message?: string }) => void) | null;
}

interface Waiting {
  resolve(answer: never): void;
  reject(error: Error): void;
}

export class Engine {
  private readonly waiting = new Map<number, Waiting>();
  private next = 0;
  private ended: Error | null = null;

  private constructor(private readonly worker: EngineWorker) {
    worker.onmessage = (event) => this.receive(event.data);
    worker.onerror = (event) => this.fail(new EngineError(event.message ?? 'the worker has failed', true));
  }

  /* Starts the module in a worker that runs engine_worker.ts. Rejects, and terminates the worker, if the browser lacks
   * WebAssembly or its vector instructions. */
  static async create(worker: EngineWorker, module: BufferSource): Promise<Engine> {
    const engine = new Engine(worker);
    try {
      await engine.send<void>((id) => ({ id, start: module }));
    } catch (error) {
      engine.close();
      throw error;
    }
    return engine;
  }

  state(): Promise<EngineState> {
    return this.call('state', []);
  }
  clear(): Promise<void> {
    return this.call('clear', []);
  }
  /* Reads mesh files of any supported format and appends their meshes as objects: all files or none. */
  open(files: MeshFile[], separate = false): Promise<EngineObject[]> {
    return this.call('open', [files, separate]);
  }
  addMesh(mesh: MeshData): Promise<EngineObject> {
    return this.call('addMesh', [mesh]);
  }
  setPose(index: number, pose: Pose): Promise<void> {
    return this.call('setPose', [index, Array.from(pose)]);
  }
  setPositions(index: number, positions: Float32Array | Float64Array): Promise<void> {
    return this.call('setPositions', [index, positions]);
  }
  setMethod(name: string, simd: 'auto' | 'scalar' | '128' = 'auto'): Promise<void> {
    return this.call('setMethod', [name, simd]);
  }
  exclude(a: number, b: number, excluded: boolean): Promise<void> {
    return this.call('exclude', [a, b, excluded]);
  }
  query(query: EngineQuery = {}): Promise<EngineAnswer> {
    return this.call('query', [query]);
  }
  /* Returns at most `limit` boxes of the search structure of the last query, for one level, or for all if null. */
  inspect(level: number | null, limit: number): Promise<EngineStructure> {
    return this.call('inspect', [level, limit]);
  }
  memoryBytes(): Promise<number> {
    return this.call('memoryBytes', []);
  }

  /* Terminates the worker. Pending and later calls reject. */
  close(): void {
    this.worker.terminate();
    this.fail(new EngineError('the engine was closed', true));
  }

  private call<Name extends keyof EngineCalls>(
    call: Name,
    values: Parameters<EngineCalls[Name]>,
  ): Promise<ReturnType<EngineCalls[Name]>> {
    return this.send((id) => ({ id, call, values }));
  }

  private send<Answer>(request: (id: number) => EngineRequest): Promise<Answer> {
    const id = this.next++;
    if (this.ended !== null) return Promise.reject(this.ended);
    return new Promise<Answer>((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (answer: never) => void, reject });
      this.worker.postMessage(request(id));
    });
  }

  private receive(reply: EngineReply): void {
    const waiting = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if (waiting === undefined) return;
    if ('message' in reply) waiting.reject(new EngineError(reply.message, reply.lost));
    else waiting.resolve(reply.answer as never);
  }

  private fail(error: Error): void {
    this.ended = error;
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    for (const one of waiting) one.reject(error);
  }
}
