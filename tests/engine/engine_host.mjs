// The engine in node: its worker in a thread, and modules with limited memory or stack.
import { createRequire } from "node:module";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

const [module, tool, packages, source] = process.argv.slice(2).map((path) => resolve(path));
const { buildSync } = createRequire(join(packages, "esbuild/package.json"))("esbuild");

export { tool };
export const folder = mkdtempSync(join(tmpdir(), "graze-engine-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
export const moduleBytes = readFileSync(module);

function bundle(contents, format, name) {
  const outfile = join(folder, name);
  const stdin = { contents, resolveDir: source, loader: "ts" };
  buildSync({ stdin, outfile, format, bundle: true, platform: "node", target: "node16", logLevel: "error" });
  return outfile;
}

const library = bundle(
  `export * from "./engine"; export { EngineModule, Refusal } from "./engine_module";`, "esm", "engine.mjs");
const worker = bundle(
  `import { parentPort } from "node:worker_threads";
   import { serveEngine } from "./engine_worker";
   const port = { postMessage: (reply, moved) => parentPort.postMessage(reply, moved), onmessage: null };
   serveEngine(port);
   parentPort.on("message", (data) => port.onmessage({ data }));`, "cjs", "worker.cjs");

export const { Engine, EngineModule, Refusal } = await import(pathToFileURL(library));

// The part of a browser's worker that the client needs.
export function startEngine(bytes = moduleBytes) {
  const thread = new Worker(worker);
  const browserWorker = {
    onmessage: null,
    onerror: null,
    postMessage: (message, moved) => thread.postMessage(message, moved),
    terminate: () => thread.terminate(),
  };
  thread.on("message", (data) => browserWorker.onmessage({ data }));
  thread.on("error", (error) => browserWorker.onerror({ message: error.message }));
  return Engine.create(browserWorker, bytes);
}

// ------------------------------------------------------------------------------------------------ modules

function readNumber(bytes, at) {
  let value = 0, shift = 0, byte;
  do {
    byte = bytes[at++];
    value += (byte & 0x7f) * 2 ** shift;
    shift += 7;
  } while (byte & 0x80);
  return [value, at];
}

// Replaces a number with the same number of bytes.
function writeNumber(bytes, at, value) {
  for (let more = true; more; ++at, value = Math.floor(value / 128)) {
    more = (bytes[at] & 0x80) !== 0;
    bytes[at] = (value % 128) | (more ? 0x80 : 0);
  }
}

function sectionOf(bytes, wanted) {
  for (let at = 8; at < bytes.length;) {
    const id = bytes[at];
    const [size, first] = readNumber(bytes, at + 1);
    if (id === wanted) return first;
    at = first + size;
  }
  throw new Error(`the module has no section ${wanted}`);
}

const PAGE_BYTES = 65536;
export function withMemory(bytes) {
  const copy = new Uint8Array(moduleBytes);
  const flags = sectionOf(copy, 5) + 1; // behind the number of memories
  const [, most] = readNumber(copy, flags + 1);
  writeNumber(copy, most, Math.ceil(bytes / PAGE_BYTES));
  return copy;
}

// The first global is the stack pointer: its type, that it changes, and i32.const.
export function withStack(bytes) {
  const copy = new Uint8Array(moduleBytes);
  const global = sectionOf(copy, 6) + 1;
  if (copy[global] !== 0x7f || copy[global + 1] !== 1 || copy[global + 2] !== 0x41)
    throw new Error("the first global is no stack pointer");
  writeNumber(copy, global + 3, bytes);
  return copy;
}

export function stackBytes() {
  return readNumber(moduleBytes, sectionOf(moduleBytes, 6) + 4)[0];
}
