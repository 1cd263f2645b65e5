// Tests the exports of a page: BCF archives with the topics of `graze check --bcf`, valid by the schemas of buildingSMART if GRAZE_DATA has
// them; involved primitives as PLY and OBJ, in which the tool finds the same pairs.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assert, folder, graze, moduleOf, test } from "./browser.mjs";

function run(command, ...args) {
  const ran = spawnSync(command, args, { cwd: folder, encoding: "utf8" });
  assert.equal(ran.status, 0, `${command} ${args.join(" ")}: ${ran.stderr ?? ran.error}`);
  return ran.stdout;
}

function unpack(archive, place) {
  mkdirSync(join(folder, place));
  run("unzip", "-tqq", archive);
  run("unzip", "-q", archive, "-d", place);
}

function expectSchemas(place) {
  const schemas = process.env.GRAZE_DATA === undefined ? "" : join(process.env.GRAZE_DATA, "bcf");
  if (!existsSync(schemas) || spawnSync("xmllint", ["--version"]).status !== 0) {
    console.log("schemas are not asked: GRAZE_DATA or xmllint is missing");
    return;
  }
  run("xmllint", "--noout", "--schema", join(schemas, "version.xsd"), `${place}/bcf.version`);
  for (const topic of readdirSync(join(folder, place)).filter((name) => name !== "bcf.version")) {
    run("xmllint", "--noout", "--schema", join(schemas, "markup.xsd"), `${place}/${topic}/markup.bcf`);
    run("xmllint", "--noout", "--schema", join(schemas, "visinfo.xsd"), `${place}/${topic}/viewpoint.bcfv`);
  }
}

// The parts of each topic that a re-import uses.
function topicsOf(place) {
  const topics = {};
  for (const topic of readdirSync(join(folder, place)).filter((name) => name !== "bcf.version")) {
    const markup = readFileSync(join(folder, place, topic, "markup.bcf"), "utf8");
    const view = readFileSync(join(folder, place, topic, "viewpoint.bcfv"), "utf8");
    topics[topic] = [
      ...["Title", "Labels", "Filename"].map((name) => [...markup.matchAll(new RegExp(`<${name}>(.*)</${name}>`, "g"))].map((match) => match[1])),
      [...markup.matchAll(/Guid="([^"]+)"/g)].map((match) => match[1]), view.match(/<Selection>[^]*<\/Selection>/)[0],
      markup.match(/<Description>(.*)/)[1].replace(/ Moving.*/, ""),
    ];
  }
  return topics;
}

await test(async (newPage) => {
  const guid = "0BTBFw6f90Nfh9rP1dlXrr", markup = "a<b> & \"c\".obj";
  graze(0, "make", "torus", "--triangles", "600", "--output", `${guid}.obj`);
  graze(0, "make", "sphere", "--triangles", "300", "--output", "ball.obj");
  writeFileSync(join(folder, markup), readFileSync(join(folder, "ball.obj")));
  graze(1, "check", `${guid}.obj`, "ball.obj", "ball.obj", markup, "--move", "1=0.9,0,0", "--move", "2=-1,0.2,0", "--move", "3=0,0,0.9",
    "--report", "page.html", "--bcf", "tool.bcf", "--quiet");
  unpack("tool.bcf", "tool");
  const watched = await newPage({ reducedMotion: "reduce" });
  const page = await watched.open("page.html", "#mode=xray");
  await page.keyboard.press("n");
  await page.waitForFunction(() => location.hash.includes("clash="));
  const before = await page.evaluate(() => location.hash);
  unpack(await watched.download("Clashes as BCF"), "page");
  expectSchemas("page");
  assert.deepEqual(topicsOf("page"), topicsOf("tool"));
  assert.ok(Object.keys(topicsOf("page")).length > 2);
  for (const topic of Object.keys(topicsOf("page"))) {
    const png = readFileSync(join(folder, "page", topic, "snapshot.png"));
    assert.ok(png.subarray(1, 4).toString() === "PNG" && png.length > 5000, `the picture has ${png.length} bytes`);
  }
  await page.waitForTimeout(400);
  assert.equal(await page.evaluate(() => location.hash), before);
  assert.equal(await page.locator(".clash[aria-current=true]").count(), 1);

  // Involved primitives alone have the same pairs as the whole, and the same objects.
  const count = JSON.parse(graze(1, "check", `${guid}.obj`, "ball.obj", "--move", "1=0.9,0,0", "--report", "two.html", "--json", "-")).pair_count;
  await watched.open("two.html");
  const obj = await watched.download("Involved primitives as OBJ");
  assert.equal(JSON.parse(graze(1, "check", obj, "--separate", "--json", "-")).pair_count, count);
  const ply = await watched.download("Involved primitives as PLY");
  const text = readFileSync(ply, "utf8");
  const faces = text.split("end_header\n")[1].trim().split("\n").filter((line) => line.startsWith("3 ")).map((line) => line.split(" ").map(Number));
  assert.equal(faces.length, Number(/element face (\d+)/.exec(text)[1]));
  assert.deepEqual(new Set(faces.map((face) => face[4])), new Set([0, 1]));
  assert.equal(JSON.parse(graze(0, "analyze", ply, "--json", "-")).files[0].primitives, faces.length);

  // More pairs of objects than an archive can hold are refused with a message: all pairs of 211 triangles around a line.
  const fan = Array.from({ length: 211 }, (_, i) => {
    const x = Math.cos((i * Math.PI) / 211), y = Math.sin((i * Math.PI) / 211);
    return `v ${x} ${y} ${i / 1000}\nv ${-x} ${-y} ${i / 1000}\nv 0 0 ${1 + i / 1000}\ng part${i}\nf ${3 * i + 1} ${3 * i + 2} ${3 * i + 3}\n`;
  });
  writeFileSync(join(folder, "fan.obj"), fan.join(""));
  graze(1, "check", "fan.obj", "--separate", "--report", "fan.html", "--quiet");
  await watched.open("fan.html");
  await page.click(".menu summary");
  await page.click(".menu-rows >> text=Clashes as BCF");
  await page.waitForFunction(() => document.querySelector(".note").textContent === "BCF holds at most 21,844 topics, but 22,155 pairs of objects intersect.");

  // A topic has any number of clashes.
  const { outputFiles } = moduleOf("esbuild").buildSync({ entryPoints: [fileURLToPath(new URL("../../viewer/src/bcf.ts", import.meta.url))], bundle: true, format: "esm", write: false });
  const { bcfOf, plainView } = await import("data:text/javascript," + encodeURIComponent(outputFiles[0].text));
  const clash = { a: 0, b: 1, kind: "curve", pairCount: 1, low: [0, 0, 0], high: [1, 1, 1], depth: null };
  const objects = ["a", "b"].map((label) => ({ bcfLabel: label, bcfId: label, file: label }));
  const archive = await bcfOf({ clashWords: ["touch", "curve"] }, { objects, clashes: Array(500000).fill(clash) }, (subject) => plainView(subject.clashes));
  assert.match(await archive.text(), /<Labels>curve<\/Labels>[^]*500,000 clashes/);

  // Without WebGL there are no pictures; the rest is the same.
  const blind = await newPage();
  await blind.page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  });
  await blind.open("page.html");
  unpack(await blind.download("Clashes as BCF"), "blind");
  expectSchemas("blind");
  assert.deepEqual(topicsOf("blind"), topicsOf("tool"));
  watched.seenWell();
});
