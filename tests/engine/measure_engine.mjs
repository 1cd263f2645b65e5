// Measures queries per second of the module in node: an object of 100,000 triangles is dragged through another one, and both deform. Uses
// processor time, because machines are shared. It has no assertions, and ctest does not run it.
// usage: node measure_engine.mjs MODULE TOOL PACKAGES SOURCE [TRIANGLES [METHODS]]
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { EngineModule, folder, moduleBytes, tool } from "./engine_host.mjs";

const count = process.argv[6] ?? "100000";
const FRAMES = 20, WARM = 20;
const path = join(folder, "blob.stl");
execFileSync(tool, ["make", "blob", "--triangles", count, "--quiet", "--output", path]);
const bytes = new Uint8Array(readFileSync(path));

console.log(`module: ${moduleBytes.length} bytes, ${gzipSync(moduleBytes, { level: 9 }).length} compressed`);

function measure(words, module, prepare, query) {
  const times = [], stages = {};
  let pairs = 0;
  for (let frame = 0; frame < WARM + FRAMES; ++frame) {
    prepare(frame);
    const start = process.cpuUsage();
    const before = performance.now();
    const answer = module.query(query);
    const used = process.cpuUsage(start);
    if (frame < WARM) continue;
    times.push([(used.user + used.system) / 1000, performance.now() - before]);
    pairs = Math.max(pairs, answer.pairCount);
    for (const [name, value] of Object.entries(answer.timings)) stages[name] = (stages[name] ?? 0) + value / FRAMES;
  }
  const median = (column) => times.map((row) => row[column]).sort((a, b) => a - b)[FRAMES >> 1];
  const parts = Object.entries(stages).filter(([, value]) => value > 0.05).map(([name, value]) => `${name} ${value.toFixed(1)}`);
  console.log(`${words.padEnd(28)} ${median(0).toFixed(1).padStart(7)} ms of processor, ${median(1).toFixed(1)} by the clock, ` +
    `${pairs} pairs at most; by the clock: ${parts.join(", ")}`);
}

for (const method of (process.argv[7] ?? "auto,tree,grid,clusters").split(",")) {
  const module = new EngineModule(moduleBytes);
  module.setMethod(method);
  const [a] = module.open([{ name: "a.stl", bytes }, { name: "b.stl", bytes }]);
  const drag = (frame) => module.setPose(1, [1, 0, 0, 0, 1, 0, 0, 0, 1, 1.9 - 0.02 * frame, 0.1, 0]);
  measure(`drag, ${method}`, module, drag, { scope: "between" });
  measure(`drag, within too, ${method}`, module, drag, { scope: "both" });
  const positions = Float64Array.from(a.positions);
  const deform = (frame) => {
    for (let object = 0; object < 2; ++object) {
      const moved = positions.map((value, i) => value * (1 + 0.05 * Math.sin(0.1 * frame + object + 3 * positions[i - (i % 3)])));
      module.setPositions(object, moved);
    }
  };
  measure(`all deforms, ${method}`, module, deform, { scope: "between" });
  measure(`all deforms, within too, ${method}`, module, deform, { scope: "both" });
  console.log(`  memory ${(module.memoryBytes() / 2 ** 20).toFixed(0)} MB`);
}
