// Tests the module of the viewer in node, through its client and worker: the pairs of `graze check` on models of all kinds with all
// methods, formats, poses, messages, and limits of memory and stack.
// usage: node test_engine.mjs MODULE TOOL PACKAGES SOURCE
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { crc32 as zlibChecksum, deflateRawSync, gzipSync } from "node:zlib";
import { EngineModule, Refusal, folder, moduleBytes, stackBytes, startEngine, tool, withMemory, withStack } from "./engine_host.mjs";

function make(model, count, ending, ...options) {
  const path = join(folder, `${model}-${count}${ending}`);
  if (!existsSync(path)) execFileSync(tool, ["make", model, "--primitives", count, "--quiet", "--output", path, ...options]);
  return path;
}

// Returns the tool's report on files, and whether it found pairs.
function check(files, ...options) {
  const run = spawnSync(tool, ["check", ...files, "--quiet", "--json", "-", ...options], { maxBuffer: 1 << 28 });
  assert.ok(run.status === 0 || run.status === 1, `${run.stderr}`);
  return { ...JSON.parse(run.stdout), found: run.status === 1 };
}

function complaint(files) {
  const run = spawnSync(tool, ["check", ...files, "--quiet"]);
  assert.equal(run.status, 2);
  return `${run.stderr}`;
}

const load = (paths) => paths.map((path) => ({ name: path, bytes: new Uint8Array(readFileSync(path)) }));

function compare(answer, expected, words) {
  assert.equal(answer.hash, expected.hash, words);
  assert.equal(answer.pairCount, expected.pair_count, words);
  assert.equal(answer.pairs.length, 4 * expected.pair_count, words);
  assert.equal(answer.found, expected.found, words);
  assert.equal(answer.neighbors, expected.neighbors, words);
}

const engine = await startEngine();
const { methods } = await engine.state();
let comparisons = 0;

async function compareAll(paths, options = {}) {
  await engine.clear();
  const objects = await engine.open(load(paths), options.separate === true);
  const expected = check(paths, ...(options.separate ? ["--separate"] : []), ...(options.self ? ["--self"] : []));
  assert.deepEqual(objects.map((o) => [o.kind, o.vertexCount, o.primitiveCount]),
    expected.objects.map((o) => [o.kind, o.vertices, o.primitives]));
  for (const { name } of methods) {
    if (name === "brute" && options.large) continue;
    for (const simd of name === "brute" ? ["auto"] : ["auto", "scalar", "128"]) {
      await engine.setMethod(name, simd);
      const answer = await engine.query(options.self ? { scope: "both" } : {});
      assert.equal(answer.method, name);
      compare(answer, expected, `${paths} by ${name}, ${simd}`);
      ++comparisons;
    }
  }
  await engine.setMethod("auto");
  return expected;
}

// ------------------------------------------------------------------------------------------------ kinds and methods

await compareAll([make("torus", 1000, ".stl")]);
await compareAll([make("folded-cloth", 2000, ".ply")]);
await compareAll([make("needles", 800, ".obj")]);
await compareAll([make("soup", 1000, ".off")]);
await compareAll([make("mix", 1500, ".obj")], { separate: true });
await compareAll([make("blobs", 3000, ".obj")], { separate: true });
await compareAll([make("boxes", 1200, ".obj")], { separate: true });
await compareAll([make("boxes-jittered", 1200, ".obj.gz")], { separate: true });
await compareAll([make("chazelle", 200, ".obj")], { separate: true });
await compareAll([make("panels", 800, ".obj"), make("torus", 1000, ".stl")]);
await compareAll([make("panels", 800, ".obj"), make("folded-cloth", 2000, ".ply")], { self: true });
await compareAll([make("tet-soup", 1000, ".msh")]);
await compareAll([make("tet-rod", 1500, ".vtk")]);
await compareAll([make("tet-ball", 1500, ".msh"), make("cells", 400, ".vtk"), make("torus", 1000, ".stl")]);
await compareAll([make("cells", 400, ".vtk"), make("spheres", 1000, ".csv")]);
await compareAll([make("spheres", 2000, ".csv")]);
await compareAll([make("sphere-lattice", 1000, ".ply"), make("panels", 800, ".obj")]);

// Real meshes, if there are any.
const data = process.env.GRAZE_DATA;
const real = data === undefined ? [] : ["meshes/cow.obj", "meshes/fandisk.obj.gz", "meshes/spheres_intersecting.off",
  "meshes/cube_with_fold.ply", "meshes/bunny_soup.off.gz", "tets/octopus-low.mesh", "spheres/fibrinogen.sph"].map((name) => join(data, name)).filter(existsSync);
for (const path of real) await compareAll([path], { large: true });

// ------------------------------------------------------------------------------------------------ poses and parts

// Compares the module's list of each method's structure with the counters of the query and the positions.
async function inspectStructures() {
  const path = make("torus", 1000, ".stl");
  await engine.clear();
  await assert.rejects(engine.inspect(null, 10), /no query has run yet/);
  const objects = await engine.open(load([path, path]));
  await engine.setPose(1, [0, -1, 0, 1, 0, 0, 0, 0, 1, 100, 0, 0]);
  const { origin, positions, primitiveCount } = objects[0];
  const contains = (box, offset = 0) => {
    for (let i = 0; i < positions.length; ++i) {
      const at = positions[i] + origin[i % 3] + (i % 3 === 0 ? offset : 0);
      if (at < box[i % 3] - 1e-6 || at > box[3 + (i % 3)] + 1e-6) return false;
    }
    return true;
  };
  for (const { name } of methods) {
    await engine.setMethod(name);
    const answer = await engine.query({ scope: "both" });
    const all = await engine.inspect(null, 1e6);
    assert.equal(all.method, name);
    assert.equal(all.count, all.levelCounts.reduce((sum, count) => sum + count, 0));
    assert.ok(all.boxes.length === 6 * all.count && all.levels.length === all.count && all.objects.length === all.count);
    const members = all.members.reduce((sum, count) => sum + count, 0);
    if (name === "grid") assert.equal(members, answer.counters.searched);
    if (name === "clusters") assert.ok(all.count > 0 && members >= 2 * primitiveCount);
    if (name === "brute") assert.equal(all.count, 0);
    if (name !== "tree") continue;
    assert.equal(all.levelCounts[0], 2 * primitiveCount);
    const top = all.levelCounts.length - 1;
    const roots = await engine.inspect(top, 1e6);
    assert.deepEqual([...roots.objects], [0, 1]);
    assert.deepEqual([...roots.members], [primitiveCount, primitiveCount]);
    for (const first of [0, 6]) assert.ok(contains([...roots.boxes.slice(first, first + 6)]), "before the pose");
    assert.ok(!contains([...roots.boxes.slice(0, 6)], 0.5));
    const few = await engine.inspect(0, 7);
    assert.ok(few.count === 2 * primitiveCount && few.boxes.length === 42 && few.members.length === 7);
  }
  await engine.setMethod("auto");
}
await inspectStructures();

async function comparePose() {
  const path = make("torus", 1000, ".stl");
  await engine.clear();
  await engine.open(load([path, path]));
  await engine.setPose(1, [1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5, 0.125, 0]);
  const answer = await engine.query({ regions: true, depths: true, curves: true, contacts: true, containments: true });
  const expected = check([path, path], "--move", "1=0.5,0.125,0");
  compare(answer, expected, "a moved torus");
  assert.ok(answer.pairCount > 0);
  assert.equal(answer.contacts.length, 7 * answer.pairCount);
  const regions = expected.regions;
  assert.equal(answer.regions.length, regions.length);
  assert.deepEqual(answer.regions.map((r) => [r.a, r.b, r.pairCount, r.clash, r.id, r.boxMin, r.boxMax, r.depth, r.point]),
    regions.map((r) => [r.object_a, r.object_b, r.pairs, r.clash, r.id, r.min, r.max, r.depth, r.points[0].position]));
  assert.equal(answer.objectPairs[0].depth, expected.region_objects[0].depth);
  assert.ok(answer.curves.points.length > 0 && answer.curves.starts.at(-1) * 3 === answer.curves.points.length);
  assert.equal(answer.objectPairs[0].pairCount, answer.pairCount);
  assert.deepEqual((await engine.query({ pairLimit: 3 })).pairs, answer.pairs.slice(0, 12));
  await engine.exclude(0, 1, true);
  assert.equal((await engine.query()).found, false);
  await engine.exclude(0, 1, false);
  await engine.setPose(1, [1, 0, 0, 0, 1, 0, 0, 0, 1, 9, 0, 0]);
  assert.equal((await engine.query()).found, false);
  const near = await engine.query({ clearance: 7 });
  compare(near, check([path, path], "--move", "1=9,0,0", "--clearance", "7"), "a clearance");
  assert.ok(near.pairCount > 0);
}
await comparePose();

async function compareSolids() {
  const paths = [make("tet-ball", 1500, ".msh"), make("tet-box", 1000, ".msh")];
  await engine.clear();
  await engine.open(load(paths));
  const answer = await engine.query({ volumes: true });
  const expected = check(paths);
  compare(answer, expected, "solids");
  assert.equal(answer.objectPairs[0].volume, expected.wrenches[0].volume);
}
await compareSolids();

// A box in a box.
async function compareInside() {
  await engine.clear();
  for (const size of [1, 3]) {
    const corners = [...Array(8).keys()].map((i) => [i & 1, (i >> 1) & 1, i >> 2].map((bit) => size * (bit - 0.5)));
    const faces = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5];
    const box = await engine.addMesh({ name: `box <b>${size}</b>`, kind: "polygon", positions: Float32Array.from(corners.flat()),
      elements: Uint32Array.from(faces), faceSizes: Uint32Array.from([4, 4, 4, 4, 4, 4]) });
    assert.deepEqual([box.name, box.kind, box.primitiveCount, box.triangles.length], [`box <b>${size}</b>`, "polygon", 6, 36]);
    assert.deepEqual([...box.primitiveOfTriangle], [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
  }
  const answer = await engine.query({ containments: true });
  assert.deepEqual(answer.containments, [{ inner: 0, outer: 1, insideCount: 6, primitiveCount: 6 }]);
  assert.equal(answer.found, false);
}
await compareInside();

// ------------------------------------------------------------------------------------------------ display

async function compareDisplay() {
  await engine.clear();
  const [tetrahedra, cells, spheres] = await engine.open(
    load([make("tet-ball", 1500, ".msh"), make("cells", 400, ".vtk"), make("spheres", 1000, ".csv")]));
  assert.equal(tetrahedra.triangles.length, 12 * tetrahedra.primitiveCount);
  assert.equal(cells.primitiveOfTriangle.at(-1), cells.primitiveCount - 1);
  assert.equal(spheres.radii.length, spheres.primitiveCount);
  const volume = (object) => {
    let sum = 0;
    for (let i = 0; i < object.triangles.length; i += 3) {
      const [a, b, c] = [0, 1, 2].map((j) => object.positions.subarray(3 * object.triangles[i + j], 3 * object.triangles[i + j] + 3));
      sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return sum / 6;
  };
  // Shared faces of two tetrahedra cancel; a ball of radius 1 is divided into tetrahedra.
  assert.ok(volume(tetrahedra) > 0.9 * (4 / 3) * Math.PI && volume(tetrahedra) < (4 / 3) * Math.PI, `${volume(tetrahedra)}`);
  assert.ok(volume(cells) > 0);
  // Far from the origin single precision would lose the shape: positions are relative.
  const far = await engine.addMesh({ name: "far", kind: "triangle", elements: Uint32Array.of(0, 1, 2),
    positions: Float64Array.of(4e7, 5e6, 0, 4e7 + 0.25, 5e6, 0, 4e7, 5e6 + 0.25, 0) });
  assert.deepEqual([far.positions[3] - far.positions[0], far.positions[7] - far.positions[1]], [0.25, 0.25]);
}
await compareDisplay();

// ------------------------------------------------------------------------------------------------ compression

// A ZIP file of deflated or stored entries.
function zip(entries, packer) {
  const parts = [], directory = [];
  let offset = 0;
  const record = (signature, fields) => {
    const bytes = Buffer.alloc(4 + fields.reduce((sum, [size]) => sum + size, 0));
    bytes.writeUInt32LE(signature, 0);
    let at = 4;
    for (const [size, value] of fields) at = size === 2 ? bytes.writeUInt16LE(value, at) : bytes.writeUInt32LE(value, at);
    return bytes;
  };
  for (const [name, text] of Object.entries(entries)) {
    const plain = Buffer.from(text), packed = packer(plain), method = packed === plain ? 0 : 8;
    const common = [[2, 20], [2, 0], [2, method], [2, 0], [2, 0], [4, checksum(plain)], [4, packed.length], [4, plain.length], [2, name.length]];
    parts.push(record(0x04034b50, [...common, [2, 0]]), Buffer.from(name), packed);
    directory.push(record(0x02014b50, [[2, 20], ...common, [2, 0], [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]]), Buffer.from(name));
    offset += 30 + name.length + packed.length;
  }
  const list = Buffer.concat(directory), count = Object.keys(entries).length;
  return new Uint8Array(Buffer.concat([...parts, list, record(0x06054b50, [[2, 0], [2, 0], [2, count], [2, count], [4, list.length], [4, offset], [2, 0]])]));
}

function checksum(bytes) {
  if (zlibChecksum !== undefined) return zlibChecksum(bytes);
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; ++bit) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

async function comparePacked() {
  const path = make("folded-cloth", 2000, ".obj");
  const plain = readFileSync(path), expected = check([path]);
  const noise = Buffer.from(Array.from({ length: 70000 }, (_, i) => `# ${(i * 2654435761) % 4294967296}\n`).join(""));
  for (const options of [{ level: 9 }, { level: 1 }, { level: 0 }, { strategy: 4 }, { strategy: 2 }]) {
    for (const text of [plain, Buffer.concat([plain, noise]), Buffer.concat([plain, Buffer.alloc(3e6, "\n")])]) {
      await engine.clear();
      await engine.open([{ name: "a.obj.gz", bytes: new Uint8Array(gzipSync(text, options)) }]);
      compare(await engine.query(), expected, `gzip ${JSON.stringify(options)}`);
    }
  }
  const two = Buffer.concat([gzipSync(plain.subarray(0, 5000)), gzipSync(plain.subarray(5000))]);
  await engine.clear();
  await engine.open([{ name: "a.obj.gz", bytes: new Uint8Array(two) }]);
  compare(await engine.query(), expected, "two members");
  const packed = gzipSync(plain);
  for (const [words, bytes] of [["ends too early", packed.subarray(0, packed.length - 2000)], ["damaged", damage(packed, 1000)],
    ["damaged", damage(packed, packed.length - 6)]])
    await assert.rejects(engine.open([{ name: "a.obj.gz", bytes: new Uint8Array(bytes) }]), new RegExp(`^EngineError: a.obj.gz: .*(${words})`));
  const model = `<?xml version="1.0"?><model unit="millimeter" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">
    <resources><object id="1" type="model"><mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="4" y="0" z="0"/>
    <vertex x="0" y="4" z="0"/><vertex x="1" y="1" z="-1"/><vertex x="1" y="1" z="1"/><vertex x="2" y="1" z="1"/></vertices>
    <triangles><triangle v1="0" v2="1" v3="2"/><triangle v1="3" v2="4" v3="5"/></triangles></mesh></object></resources>
    <build><item objectid="1"/></build></model>`;
  const relations = `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
    <Relationship Target="/3D/3dmodel.model" Id="r" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>`;
  for (const packer of [(bytes) => deflateRawSync(bytes), (bytes) => bytes]) {
    await engine.clear();
    await engine.open([{ name: "a.3mf", bytes: zip({ "_rels/.rels": relations, "3D/3dmodel.model": model }, packer) }]);
    assert.equal((await engine.query()).pairCount, 1);
  }
}

function damage(bytes, at) {
  const copy = Buffer.from(bytes);
  copy[at] ^= 0xff;
  return copy;
}
await comparePacked();

// ------------------------------------------------------------------------------------------------ bad input

async function refuse(files, words) {
  await assert.rejects(engine.open(files), (error) => {
    assert.match(error.message, words);
    assert.equal(error.lost, false);
    return true;
  });
}

async function compareRefusals() {
  const text = (name, words) => ({ name, bytes: new TextEncoder().encode(words) });
  const good = load([make("torus", 1000, ".stl")]);
  await engine.clear();
  await engine.open(good);
  const before = await engine.query({ scope: "both" });
  await refuse([...good, text("bad.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")], /^bad\.obj:1: .*nan/);
  await refuse([text("far.obj", "v 0 0 0\nf 1 2 3\n")], /^far\.obj:2: /);
  await refuse([text("notes.txt", "Dear all")], /^notes\.txt: unknown format/);
  await refuse([{ name: "none.stl", bytes: new Uint8Array() }], /^none\.stl: the file is empty/);
  await refuse([{ name: "cut.stl", bytes: good[0].bytes.subarray(0, 3000) }], /^cut\.stl: /);
  await refuse([text("deep.gltf", "[".repeat(500000))], /^deep\.gltf:1: nested too deeply/);
  await refuse([text("deep.gltf", '{"asset":'.repeat(300000))], /^deep\.gltf:1: nested too deeply/);
  await refuse([text("<img src=x onerror=alert(1)>.obj", "v a 0 0\n")], /^<img src=x onerror=alert\(1\)>\.obj:1: /);
  const named = join(folder, "nan.obj");
  execFileSync("sh", ["-c", `printf 'v 0 0 0\\nv 1 inf 0\\nv 0 1 0\\nf 1 2 3\\n' > "${named}"`]);
  const words = await engine.open(load([named])).catch((error) => error.message);
  assert.ok(complaint([named]).includes(words), words);
  await assert.rejects(engine.setPositions(0, Float64Array.of(0, 0, NaN)), /coordinate z of vertex 0 is nan/);
  await assert.rejects(engine.setPose(0, [2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]), /rotation/);
  await assert.rejects(engine.setPose(0, [1, 0, 0, 0, 1, 0, 0, 0, 1, NaN, 0, 0]), /./);
  await assert.rejects(engine.setPose(7, [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]), /no object 7/);
  await assert.rejects(engine.setMethod("magic"), /magic/);
  await assert.rejects(engine.query({ scope: "toString" }), /scope 'toString'/);
  await assert.rejects(engine.query({ clearance: NaN }), /clearance/);
  const triangle = { name: "t", kind: "triangle", positions: new Float32Array(9), elements: Uint32Array.of(0, 1, 3) };
  await assert.rejects(engine.addMesh(triangle), /vertex 3, and there are 3 vertices/);
  await assert.rejects(engine.addMesh({ ...triangle, elements: Uint32Array.of(0, 1) }), /add up/);
  await assert.rejects(engine.addMesh({ ...triangle, positions: Float32Array.of(0, 0, Infinity), elements: Uint32Array.of(0, 0, 0) }), /coordinate z of vertex 0 is inf/);
  await assert.rejects(engine.addMesh({ ...triangle, kind: "polygon", faceSizes: Uint32Array.of(2) }), /vertex 3|add up/);
  await assert.rejects(engine.addMesh({ ...triangle, kind: "sphere" }), /0 radii for 3/);
  const after = await engine.query({ scope: "both" });
  assert.equal(after.hash, before.hash);
  assert.equal(after.counters.primitives, before.counters.primitives);
}
await compareRefusals();
engine.close();
await assert.rejects(engine.query(), /closed/);
await assert.rejects(startEngine(new Uint8Array(100)), /./);

// ------------------------------------------------------------------------------------------------ limits

// Wherever memory runs out, there is a message, and smaller scenes work afterwards.
function runOutOfMemory() {
  const large = load([make("folded-cloth", 20000, ".obj")]), small = load([make("folded-cloth", 2000, ".ply")]);
  const expected = check([small[0].name]).hash, all = { regions: true, depths: true, curves: true, contacts: true };
  const outcomes = new Set();
  for (let megabytes = 3; megabytes <= 48; megabytes += 3) {
    const module = new EngineModule(withMemory(megabytes * 2 ** 20));
    let step = "open";
    try {
      module.open(large);
      step = "query";
      module.query(all);
      step = "done";
    } catch (error) {
      assert.ok(error instanceof Refusal, `${megabytes} MB, ${step}: ${error.stack}`);
      assert.match(error.message, /out of memory/);
    }
    outcomes.add(step);
    if (megabytes < 12) continue;
    module.clear();
    module.open(small);
    assert.equal(module.query(all).hash, expected);
  }
  assert.deepEqual([...outcomes], ["open", "query", "done"]);
}
runOutOfMemory();

// A stack overflow traps, and the engine restarts.
async function runOutOfStack() {
  const shallow = await startEngine(withStack(6000));
  const files = load([make("folded-cloth", 2000, ".ply")]);
  await assert.rejects(shallow.open(files).then(() => shallow.query({ regions: true })), (error) => error.lost && /restarted/.test(error.message));
  assert.equal((await shallow.state()).methods.length, methods.length);
  shallow.close();
}
await runOutOfStack();

// Measures the maximum stack use of the module: the part whose fill pattern has changed, from the bottom.
function measureStack() {
  const module = new EngineModule(moduleBytes);
  const stack = new Uint8Array(module.exports.memory.buffer, 0, stackBytes() - 4096);
  stack.fill(0xa5);
  for (const path of [make("mix", 1500, ".obj"), make("tet-soup", 1000, ".msh"), make("cells", 400, ".vtk"), make("spheres", 2000, ".csv")]) {
    for (const { name } of methods) {
      module.clear();
      module.setMethod(name);
      module.open(load([path, make("panels", 800, ".obj")]));
      module.query({ scope: "both", neighbors: "skip", regions: true, depths: true, curves: true, contacts: true, volumes: true, containments: true });
      module.query({ clearance: 0.01 });
    }
  }
  const painted = new Uint8Array(module.exports.memory.buffer, 0, stackBytes()).findIndex((byte) => byte !== 0xa5);
  assert.ok(painted > stackBytes() / 4, `${painted} bytes of the stack are left`);
  return stackBytes() - painted;
}
const stackUsed = measureStack();

console.log(`${comparisons} comparisons with ${basename(tool)} check, ${real.length} real meshes; ` +
  `${stackUsed} of ${stackBytes()} bytes of stack used`);
