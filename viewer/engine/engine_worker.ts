/* The worker: starts the module that it receives and runs the calls of engine.ts, one after the other. Arrays of an
 * answer are transferred to the page. After a trap, the worker restarts the module; the error has `lost` set. */
import type { EngineReply, EngineRequest } from './engine';
import { EngineModule, Refusal } from './engine_module';

/* The part of the worker's global scope, or of another message port, that the server needs. */
export interface EnginePort {
  postMessage(message: EngineReply, transfer: ArrayBuffer[]): void;
  onmessage: ((event: { data: EngineRequest }) => void) | null;
}

/* Returns the buffers of the arrays in an answer. No two arrays share a buffer. */
function buffersOf(answer: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(answer)) return [answer.buffer as ArrayBuffer];
  if (Array.isArray(answer) || (typeof answer === 'object' && answer !== null))
    return Object.values(answer).flatMap(buffersOf);
  return [];
}

export function serveEngine(port: EnginePort): void {
  let module: EngineModule | null = null;

  function run(request: EngineRequest): unknown {
    if ('start' in request) {
      module = new EngineModule(request.start);
      return undefined;
    }
    if (module === null) throw new Refusal('the engine has not been started');
    const call = module[request.call] as (...values: unknown[]) => unknown;
    return call.apply(module, request.values);
  }

  function failureOf(request: EngineRequest, error: unknown): EngineReply {
    const words = error instanceof Error ? error.message : String(error);
    const isTrap = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
    if (module === null || !isTrap) return { id: request.id, message: words, lost: module === null };
    module.restart();
    return { id: request.id, message: `the engine failed and was restarted without objects: ${words}`, lost: true };
  }

  port.onmessage = ({ data }) => {
    let reply: EngineReply;
    try {
      reply = { id: data.id, answer: run(data) };
    } catch (error) {
      reply = failureOf(data, error);
    }
    port.postMessage(reply, 'answer' in reply ? buffersOf(reply.answer) : []);
  };
}

/* In a browser's worker, this file is the whole program. Elsewhere, the importing module calls serveEngine. */
const scope = globalThis as unknown as Partial<EnginePort> & { WorkerGlobalScope?: unknown };
if (scope.WorkerGlobalScope !== undefined) serveEngine(scope as EnginePort);
