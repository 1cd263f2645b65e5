// Tests the page of `graze check --report`: the same counts, hash and pairs as the tool's own records, with keys, clicks, links and saved
// copies.
import { readFileSync, writeFileSync } from "node:fs";
import { assert, CHOSEN, folder, graze, MARKED, test } from "./browser.mjs";

function read(name) {
  return readFileSync(`${folder}/${name}`, "utf8");
}

// Corners of a triangle of an OBJ file, by its number.
function cornersOf(obj, number) {
  const lines = obj.split("\n");
  const vertices = lines.filter((line) => line.startsWith("v ")).map((line) => line.slice(2).trim().split(/\s+/).map(Number));
  const faces = lines.filter((line) => line.startsWith("f "));
  return faces[number].slice(2).trim().split(/\s+/).map((corner) => vertices[parseInt(corner, 10) - 1]);
}

await test(async (newPage) => {
  graze(0, "make", "torus", "--triangles", "600", "--output", "torus.obj");
  graze(0, "make", "sphere", "--triangles", "300", "--output", "ball.obj");
  graze(1, "check", "torus.obj", "ball.obj", "ball.obj", "--move", "1=0.9,0,0", "--move", "2=-1,0.2,0", "--report", "page.html",
    "--json", "check.json", "--csv", "check.csv", "--quiet");
  const json = JSON.parse(read("check.json"));
  assert.ok(json.region_count > 1 && json.pair_count > 10);

  // A page is drawn once when it opens: in software, a large scene takes seconds each time.
  const watched = await newPage();
  await watched.page.addInitScript(() => {
    window.drawn = 0;
    const before = WebGL2RenderingContext.prototype.clear;
    WebGL2RenderingContext.prototype.clear = function (...planes) {
      ++window.drawn;
      return before.apply(this, planes);
    };
  });
  const page = await watched.open("page.html");
  await page.waitForFunction(() => window.drawn > 0);
  await page.waitForTimeout(500);
  assert.equal(await page.evaluate(() => window.drawn), 1);

  // The tool's numbers.
  assert.equal(await page.textContent(".verdict"), `${json.region_count} clashes`);
  assert.equal(await watched.number("Hash"), json.hash);
  assert.equal(await watched.number("Pairs"), String(json.pair_count));
  assert.equal(await page.locator(".clash").count(), json.region_count);
  assert.equal(readFileSync(await watched.download("Pairs as CSV"), "utf8"), read("check.csv"));
  const clashes = JSON.parse(readFileSync(await watched.download("Clashes as JSON"), "utf8"));
  assert.deepEqual(clashes.clashes.map((clash) => [clash.id, clash.pairs, clash.depth]),
    json.regions.map((region) => [region.id, region.pairs, region.depth]));
  const involved = readFileSync(await watched.download("Involved primitives as OBJ"), "utf8");
  const marked = new Set(json.pairs.flatMap(([a, i, b, j]) => [`${a} ${i}`, `${b} ${j}`]));
  assert.equal(involved.match(/^f /gm).length, marked.size);

  // The view shows the marked primitives, and has more than one color.
  await page.keyboard.press("2");
  assert.equal(await page.getAttribute("[aria-label='X-ray']", "aria-pressed"), "true");
  assert.ok((await watched.count(MARKED)) > 100, "no marked primitives in the x-ray view");
  assert.equal(await watched.count(CHOSEN), 0);
  await page.screenshot({ path: `${folder}/xray.png` });

  // Keys select the clashes in list order, wrapping around.
  const order = await page.locator(".clash").evaluateAll((rows) => rows.map((row) => row.dataset.clash));
  const current = () => page.locator(".clash[aria-current=true]").evaluateAll((rows) => rows.map((row) => row.dataset.clash));
  for (const id of [...order, order[0]]) {
    await page.keyboard.press("n");
    assert.deepEqual(await current(), [id]);
  }
  await page.keyboard.press("p");
  assert.deepEqual(await current(), [order[order.length - 1]]);
  await page.waitForFunction((id) => location.hash.includes("clash=" + id), order[order.length - 1]);
  await page.waitForTimeout(700);
  assert.ok((await watched.count(CHOSEN)) > 100, "the chosen clash is not marked");

  // The address and a saved copy open at the same clash and camera.
  await page.waitForFunction(() => location.hash.includes("camera="));
  const hash = await page.evaluate(() => location.hash);
  const copy = (await watched.download("Save a copy")).slice(folder.length + 1);
  for (const [file, address] of [["page.html", hash], [copy, ""]]) {
    const second = await newPage();
    const other = await second.open(file, address);
    assert.deepEqual(await other.locator(".clash[aria-current=true]").evaluateAll((rows) => rows.map((row) => row.dataset.clash)),
      [order[order.length - 1]]);
    await other.waitForFunction(() => location.hash.includes("camera="));
    assert.equal(await other.evaluate(() => location.hash), hash);
    second.seenWell();
  }

  // Escape clears the selection; a click on a primitive shows its numbers in the file.
  await page.keyboard.press("Escape");
  assert.deepEqual(await current(), []);
  await page.keyboard.press("1");
  await page.keyboard.press("n");
  await page.waitForTimeout(700);
  const view = await page.locator(".viewport").boundingBox();
  await page.mouse.click(view.x + view.width / 2, view.y + view.height / 2);
  await page.waitForSelector(".card:not([hidden])");
  const primitive = Number((await page.textContent(".card h2")).split(" ")[1]);
  const label = await page.textContent(".card .name");
  const cells = (await page.locator(".card td").allTextContents()).map(Number);
  const shift = label === "torus.obj" ? [[0, 0, 0]] : [[0.9, 0, 0], [-1, 0.2, 0]];
  const wanted = shift.map((by) => cornersOf(read(label), primitive).flatMap((corner) => corner.map((x, axis) => x + by[axis])));
  assert.ok(wanted.some((numbers) => numbers.every((x, i) => x === cells[i])), `${cells} is not one of ${JSON.stringify(wanted)}`);

  // Partners: the histogram sums up to the primitives in pairs, and to twice the pairs; a row selects its primitives.
  await page.keyboard.press("Escape");
  await page.click("role=tab[name=Partners]");
  const partners = new Map();
  for (const [a, i, b, j] of json.pairs)
    for (const primitive of [`${a} ${i}`, `${b} ${j}`]) partners.set(primitive, (partners.get(primitive) ?? 0) + 1);
  const rows = await page.locator(".histogram tbody tr").evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));
  const counts = rows.map(([words, , count]) => [Number(words), Number(count.replace(/,/g, ""))]).filter(([, count]) => count > 0);
  const wantedCounts = new Map();
  for (const count of partners.values()) wantedCounts.set(count, (wantedCounts.get(count) ?? 0) + 1);
  assert.deepEqual(counts, [...wantedCounts].sort(([a], [b]) => a - b));
  assert.equal(await watched.count(CHOSEN), 0);
  await page.locator(".histogram tbody tr").first().click();
  assert.ok((await watched.count(CHOSEN)) > 20, "the selected primitives are not drawn");
  assert.ok((await page.textContent(".note")).startsWith(`${counts[0][1]} primitive`));
  await page.keyboard.press("n");
  assert.equal(await page.locator(".histogram [aria-pressed=true]").count(), 0);
  await page.click("role=tab[name=Clashes]");

  // A pair of objects with several clashes has a heading, which can be collapsed; the next clash opens it again.
  const regionsOf = (pair) => json.regions.filter((region) => `${region.object_a}-${region.object_b}` === pair);
  const pairs = [...new Set(json.regions.map((region) => `${region.object_a}-${region.object_b}`))].filter((pair) => regionsOf(pair).length > 1);
  assert.ok(pairs.length > 1);
  const headings = page.locator(".clash-group");
  assert.deepEqual((await headings.evaluateAll((all) => all.map((one) => one.dataset.group))).sort(), pairs.sort());
  for (const pair of pairs) {
    const words = await page.textContent(`[data-group='${pair}'] .facts`);
    assert.ok(words.startsWith(`${regionsOf(pair).length} clashes · ${regionsOf(pair).reduce((sum, region) => sum + region.pairs, 0)} pairs · depth `), words);
  }
  await page.keyboard.press("Escape");
  await headings.first().focus();
  await page.keyboard.press("Enter");
  assert.equal(await headings.first().getAttribute("aria-expanded"), "false");
  const folded = regionsOf(await headings.first().getAttribute("data-group")).length;
  assert.equal(await page.locator(".clash").count(), json.region_count - folded);
  assert.equal(await page.evaluate(() => document.activeElement.className), "clash-group");
  await page.screenshot({ path: `${folder}/groups.png` });
  await page.keyboard.press("n");
  assert.equal(await page.locator(".clash").count(), json.region_count);
  assert.deepEqual(await current(), [order[0]]);

  // Search and objects.
  await page.fill("input[type=search]", "no such object");
  assert.equal(await page.locator(".clash").count(), 0);
  await page.fill("input[type=search]", "torus");
  assert.equal(await page.locator(".clash").count(), json.regions.filter((region) => region.object_a === 0).length);
  await page.click("role=tab[name=Objects]");
  assert.equal(await page.locator(".objects input").count(), 3);
  await page.click("text=Hide all");
  await page.keyboard.press("Escape");
  assert.equal(await watched.count(MARKED), 0);
  watched.seenWell();

  // An object inside another: part of the verdict with --solid, otherwise a note among the numbers.
  graze(0, "make", "sphere", "--triangles", "300", "--output", "large.obj");
  writeFileSync(`${folder}/small.obj`, read("large.obj").replace(/^v .*$/gm, (line) => "v " + line.slice(2).trim().split(/\s+/).map((x) => x / 4).join(" ")));
  for (const solid of [true, false]) {
    graze(solid ? 1 : 0, "check", "small.obj", "large.obj", ...(solid ? ["--solid"] : []), "--report", "inside.html", "--quiet");
    await watched.open("inside.html");
    assert.equal(await page.textContent(".verdict"), solid ? "1 object lies inside another" : "Nothing intersects");
    assert.equal(await page.locator(".verdict.clear").count(), solid ? 0 : 1);
    assert.equal(await watched.number("small.obj"), "lies entirely inside large.obj");
    assert.equal((await page.textContent(".clashes")).startsWith("Nothing intersects."), !solid);
    assert.equal(await page.locator(".clash").count(), solid ? 1 : 0);
    await page.keyboard.press("n");
    assert.equal(await page.isVisible(".note"), solid);
    if (!solid) continue;
    assert.equal(await page.textContent(".note"), "small.obj lies inside large.obj");
    assert.equal(await page.textContent(".clash .kind"), "inside");
    await page.waitForFunction(() => location.hash.includes("clash=inside-small.obj-large.obj"));
    assert.ok((await watched.count(CHOSEN)) > 1000, "the object inside is not visible");
    await page.screenshot({ path: `${folder}/inside.png` });
  }
  graze(1, "check", "small.obj", "large.obj", "--solid", "--report", "inside.html", "--quiet");
  await watched.open("inside.html");
  await page.click("role=tab[name=Live]");
  await page.click(".start");
  await page.waitForFunction(() => document.querySelector(".live .status").textContent.startsWith("0 pairs"));
  assert.equal(await page.textContent(".verdict"), "1 object lies inside another");
  assert.equal(await page.locator(".clash").count(), 1);
  graze(1, "check", "small.obj", "large.obj", "torus.obj", "--solid", "--report", "inside.html", "--csv", "inside.csv", "--json", "inside.json", "--quiet");
  await watched.open("inside.html");
  assert.equal(readFileSync(await watched.download("Pairs as CSV"), "utf8"), read("inside.csv"));
  assert.deepEqual(JSON.parse(readFileSync(await watched.download("Clashes as JSON"), "utf8")).containments, JSON.parse(read("inside.json")).containments);
  assert.match(await page.textContent(".verdict"), /clash/);
  assert.match(await page.textContent(".subtitle"), /1 object lies inside another/);

  // A long list has rows around the selected clash only.
  const many = 1000;
  const triangles = (corners) => Array.from({ length: many }, (_, i) => corners.map(([x, y, z]) => `v ${x + 2 * i} ${y} ${z}\n`).join("") +
    `f ${3 * i + 1} ${3 * i + 2} ${3 * i + 3}\n`).join("");
  writeFileSync(`${folder}/flat.obj`, triangles([[0, 0, 0], [1, 0, 0], [0, 1, 0]]));
  writeFileSync(`${folder}/upright.obj`, triangles([[0.2, 0.2, -1], [0.2, 0.2, 1], [0.3, 0.4, 1]]));
  graze(1, "check", "flat.obj", "upright.obj", "--report", "many.html", "--quiet");
  await watched.open("many.html");
  const rowCount = async () => [await page.locator(".clash").count(), await page.locator(".clash[aria-current=true]").count()];
  assert.deepEqual(await rowCount(), [150, 0]);
  await page.click("text=Show the next rows");
  assert.deepEqual(await rowCount(), [150, 0]);
  assert.equal(await page.evaluate(() => document.activeElement.className), "clash");
  for (const key of ["p", "n", "p"]) {
    await page.keyboard.press(key);
    assert.deepEqual(await rowCount(), [150, 1]);
    assert.ok(await page.isVisible(".clash[aria-current=true]"));
  }
  watched.seenWell();
});
