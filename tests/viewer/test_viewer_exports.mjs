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

  // Objects with the same name are different groups.
  const names = readFileSync(await watched.download("Involved primitives as OBJ"), "utf8").match(/^g .*$/gm);
  assert.equal(new Set(names).size, 4, names.join());

  // A second export waits for none: the first is written once. The section plane does not cut snapshots.
  let downloads = 0;
  page.on("download", () => ++downloads);
  await page.keyboard.press("x");
  const uncut = page.waitForEvent("download");
  await page.evaluate(() => {
    const row = [...document.querySelectorAll(".menu-rows button")].find((one) => one.textContent.includes("BCF"));
    row.click();
    row.click();
  });
  await (await uncut).saveAs(join(folder, "uncut.bcf"));
  await page.waitForTimeout(1500);
  assert.equal(downloads, 1);
  unpack("uncut.bcf", "uncut");
  for (const topic of Object.keys(topicsOf("uncut")))
    assert.ok(readFileSync(join(folder, "uncut", topic, "snapshot.png")).equals(readFileSync(join(folder, "page", topic, "snapshot.png"))), topic);
  assert.equal(await page.evaluate(() => location.hash), before);

  // An export shows its progress, can be canceled with the keyboard, and does not draw the view.
  await page.evaluate(() => {
    const { drawElements } = WebGL2RenderingContext.prototype, view = document.querySelector(".viewport canvas");
    window.viewDraws = 0;
    WebGL2RenderingContext.prototype.drawElements = function (...values) {
      window.viewDraws += this.canvas === view;
      drawElements.apply(this, values);
    };
  });
  for (const key of ["Enter", "Escape"]) {
    await page.evaluate(() => {
      const { toBlob } = HTMLCanvasElement.prototype; /* held until `release` */
      HTMLCanvasElement.prototype.toBlob = function (...values) {
        window.release = () => {
          HTMLCanvasElement.prototype.toBlob = toBlob;
          this.toBlob(...values);
        };
      };
      delete window.release;
      [...document.querySelectorAll(".menu-rows button")].find((one) => one.textContent.includes("BCF")).click();
    });
    await page.waitForFunction(() => window.release !== undefined);
    assert.equal(await page.locator(".exporting").innerText(), `Writing issues: 1 of ${Object.keys(topicsOf("page")).length}\nCancel`);
    await page.screenshot({ path: join(folder, "progress.png") });
    await page.locator(".viewport canvas").focus();
    for (let i = 0; key === "Enter" && i < 30 && !(await page.evaluate(() => document.activeElement.textContent === "Cancel")); ++i) await page.keyboard.press("Tab");
    await page.keyboard.press(key);
    await page.evaluate(() => window.release());
    await page.waitForSelector(".exporting", { state: "hidden" });
    assert.equal(await page.textContent(".note"), "The issues were not written: canceled.");
    if (key === "Enter") assert.equal(await page.evaluate(() => document.activeElement.textContent), "Share and export");
  }
  assert.equal(downloads, 1);
  assert.equal(await page.evaluate(() => window.viewDraws), 0);
  assert.equal(await page.locator(".clash[aria-current=true]").count(), 1);

  // With --solid, an object inside another is an issue, too.
  writeFileSync(join(folder, "small.obj"), readFileSync(join(folder, "ball.obj"), "utf8").replace(/^v .*$/gm, (line) => "v " + line.slice(2).trim().split(/\s+/).map((x) => x / 4).join(" ")));
  for (const [name, more] of [["inside", []], ["both", [`${guid}.obj`]]]) {
    graze(1, "check", "small.obj", "ball.obj", ...more, "--solid", "--report", `${name}.html`, "--bcf", `${name}.bcf`, "--quiet");
    unpack(`${name}.bcf`, `${name}-tool`);
    await watched.open(`${name}.html`);
    unpack(await watched.download("Clashes as BCF"), `${name}-page`);
    expectSchemas(`${name}-page`);
    assert.deepEqual(topicsOf(`${name}-page`), topicsOf(`${name}-tool`));
  }

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
  const { bcfOf, plainView, subjectsOf } = await import("data:text/javascript," + encodeURIComponent(outputFiles[0].text));
  const clash = { a: 0, b: 1, kind: "curve", pairCount: 1, low: [0, 0, 0], high: [1, 1, 1], depth: null };
  const objects = ["a", "b"].map((label) => ({ label, bcfLabel: label, bcfId: label, file: label }));
  const archive = await bcfOf({ clashWords: ["touch", "curve"] }, { objects }, subjectsOf(Array(500000).fill(clash)), (subject) => plainView(subject.clashes));
  assert.match(await archive.text(), /<Labels>curve<\/Labels>[^]*500,000 clashes/);

  // The largest topics have snapshots, and the page states that the others have none: all pairs of 15 objects, and the last
  // with itself.
  const last = "v 0 0 0.5\nv 1 0 0.6\nv 0 1 0.6\nf 46 47 48\n";
  writeFileSync(join(folder, "small_fan.obj"), fan.slice(0, 15).join("") + last);
  graze(1, "check", "small_fan.obj", "--separate", "--report", "small_fan.html", "--quiet");
  const little = await newPage({ viewport: { width: 360, height: 300 } });
  await little.open("small_fan.html");
  const most = await little.page.locator(".clash, .clash-group").first().innerText();
  unpack(await little.download("Clashes as BCF"), "fan");
  const topics = readdirSync(join(folder, "fan")).filter((name) => name !== "bcf.version");
  const pictured = topics.filter((topic) => existsSync(join(folder, "fan", topic, "snapshot.png")));
  assert.equal(topics.length, 106);
  assert.equal(pictured.length, 100);
  assert.ok(/part14/.test(most) && pictured.some((topic) => readFileSync(join(folder, "fan", topic, "markup.bcf"), "utf8").includes("in 2 pairs")));
  assert.equal(await little.page.textContent(".note"), "Only the 100 issues with the most pairs have a snapshot.");
  little.seenWell();

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
