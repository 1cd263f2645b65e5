// Tests pages of pack, analyze and bench: their numbers are those of --json; levels of spheres and bars of the histogram change the view;
// tables can be sorted; exports equal the tool's output; axe finds no serious fault.
import { readFileSync } from "node:fs";
import { assert, CHOSEN, folder, graze, MARKED, moduleOf, test } from "./browser.mjs";

const json = (name) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8"));
const text = (path) => readFileSync(path, "utf8");

await test(async (newPage) => {
  const axe = text(moduleOf.resolve("axe-core/axe.min.js"));
  const expectAccessible = async (page) => {
    await page.evaluate(axe);
    const found = await page.evaluate(async () => (await window.axe.run()).violations);
    const serious = found.filter((one) => one.impact === "serious" || one.impact === "critical");
    assert.deepEqual(serious.map((one) => [one.id, one.nodes.map((node) => node.html + " " + node.failureSummary)]), []);
  };
  const watched = await newPage({ bypassCSP: true });
  const { page } = watched;
  graze(0, "make", "torus", "--triangles", "600", "--output", "torus.obj");
  graze(0, "make", "blob", "--triangles", "3000", "--output", "blob.ply");

  // A packing: hiding a level draws fewer spheres; the spheres are those of --output.
  graze(0, "pack", "torus.obj", "--count", "80", "--report", "pack.html", "--json", "pack.json", "--output", "pack.csv", "--quiet");
  const packed = json("pack.json");
  await watched.open("pack.html");
  assert.equal(await page.textContent(".verdict"), `80 spheres, ${(100 * packed.fill_rate).toFixed(2)} % full`);
  const radii = text(`${folder}/pack.csv`).trim().split("\n").slice(1).map((row) => Number(row.split(",")[3]));
  const largest = Math.max(...radii);
  const levels = new Set(radii.map((radius) => Math.max(0, Math.ceil(Math.log2(largest / radius)) - 1)));
  assert.ok(levels.size > 1);
  const boxes = page.locator(".objects input");
  assert.equal(await boxes.count(), 1 + levels.size);
  const DARKEST = [[10, 30, 50], [70, 130, 190]];
  const before = await watched.count(DARKEST);
  assert.ok(before > 300, `${before} points of the largest spheres`);
  await page.screenshot({ path: `${folder}/pack.png` });
  const view = await page.locator(".viewport").boundingBox();
  const picked = new Set();
  for (let i = 1; i < 16; ++i) {
    await page.mouse.click(view.x + (view.width * i) / 16, view.y + view.height / 2);
    if (await page.locator(".card:not([hidden])").count() > 0) picked.add((await page.textContent(".card h2")).split(" ")[0]);
  }
  assert.ok(picked.has("Sphere"), `picked ${[...picked]}`); // behind the transparent body
  await page.keyboard.press("Escape");
  await boxes.nth(1).uncheck();
  const after = await watched.count(DARKEST);
  assert.ok(after < before / 3, `${after} of ${before} points`);
  await page.click("role=tab[name=Filling]");
  const last = await page.locator("#sheet-filling tbody tr").last().allInnerTexts();
  assert.equal(last[0].replace(/\s+/g, " "), `80 ${(100 * packed.fill_rate).toFixed(1)} %`);
  await expectAccessible(page);
  await page.screenshot({ path: `${folder}/filling.png` });
  const spheres = text(await watched.download("Spheres as CSV"));
  const numbers = (csv) => csv.trim().split("\n").slice(1).map((row) => row.split(",").map(Number));
  assert.deepEqual(numbers(spheres), numbers(text(`${folder}/pack.csv`)));
  await page.click("role=tab[name=Numbers]");
  assert.equal(await watched.number("Spheres"), "80");

  // An analysis: the histogram adds up to the primitives and its last row is k; a row selects primitives, a name moves the camera.
  graze(0, "analyze", "blob.ply", "--report", "analyze.html", "--json", "analyze.json", "--quiet");
  const [file] = json("analyze.json").files;
  await watched.open("analyze.html");
  assert.equal(await page.textContent(".verdict"), `k is ${file.k}`);
  const rows = page.locator(".histogram tbody tr");
  const counts = (await rows.locator("td.number").allTextContents()).map((words) => Number(words.replace(/,/g, "")));
  assert.equal(counts.reduce((sum, count) => sum + count, 0), file.primitives);
  const highest = (await rows.last().locator("th").textContent()).split(" to ").pop();
  assert.equal(Number(highest), file.k);
  await expectAccessible(page);
  assert.ok((await watched.count(MARKED)) > 0, "no crowded primitive is marked");
  assert.equal(await watched.count(CHOSEN), 0);
  await page.screenshot({ path: `${folder}/analyze.png` });
  const fullest = counts.indexOf(Math.max(...counts));
  await rows.nth(fullest).locator("button").focus();
  await page.keyboard.press("Enter");
  const chosen = await watched.count(CHOSEN);
  assert.ok(chosen > 500, `${chosen} chosen points`);
  assert.equal(await rows.nth(fullest).locator("button").getAttribute("aria-pressed"), "true");
  await page.screenshot({ path: `${folder}/selected.png` });
  await page.keyboard.press("Enter");
  assert.equal(await watched.count(CHOSEN), 0);
  await page.locator(".crowded button").first().click();
  assert.equal(await page.textContent(".card h2"), `Triangle ${file.worst[0][0]}`);
  assert.ok((await page.textContent(".card")).includes(`k is ${file.worst[0][1]}, ${file.worst[0][2]} mesh neighbor`));
  const csv = numbers(text(await watched.download("k of each primitive")));
  assert.equal(csv.length, file.primitives);
  assert.deepEqual(csv[file.worst[0][0]], file.worst[0]);

  // Several files: a table without a scene; a click on a heading sorts it.
  graze(0, "analyze", "torus.obj", "blob.ply", "--report", "files.html", "--quiet");
  await watched.open("files.html");
  assert.equal(await page.textContent(".title"), "torus.obj and 1 more");
  const names = () => page.locator("tbody th").allTextContents();
  assert.deepEqual(await names(), ["torus.obj", "blob.ply"]);
  await page.click("thead >> text=file");
  assert.deepEqual(await names(), ["blob.ply", "torus.obj"]);
  await expectAccessible(page);

  // A benchmark: a row for each row of --json, with bars whose longest is the slowest.
  graze(0, "bench", "--scene", "folded-cloth", "--size", "1000", "--method", "grid,tree", "--threads", "1", "--rounds", "2",
    "--report", "bench.html", "--json", "bench.json", "--quiet");
  const bench = json("bench.json");
  await watched.open("bench.html");
  assert.equal(await page.textContent(".verdict"), `${bench.rows.length} rows measured`);
  assert.equal(await page.locator("tbody tr").count(), bench.rows.length);
  assert.ok((await page.textContent(".data caption")).includes(bench.rows[0].hash));
  const widths = await page.locator(".barred .track").evaluateAll((tracks) =>
    tracks.map((track) => [...track.children].reduce((sum, bar) => sum + bar.getBoundingClientRect().width, 0)));
  const slowest = bench.rows.findIndex((row) => row.total_ms === Math.max(...bench.rows.map((one) => one.total_ms)));
  assert.equal(widths.indexOf(Math.max(...widths)), slowest);
  const parts = bench.rows.map((row) => row.total_ms / bench.rows[slowest].total_ms);
  parts.forEach((part, i) => assert.ok(Math.abs(widths[i] - part * widths[slowest]) < 3, `row ${i} is drawn ${widths[i]} wide`));
  await expectAccessible(page);
  await page.screenshot({ path: `${folder}/bench.png` });
  assert.deepEqual(JSON.parse(text(await watched.download("Record as JSON"))).rows, bench.rows);
  assert.equal(text(await watched.download("Rows as CSV")).trim().split("\n").length, bench.rows.length + 1);
  const copy = (await watched.download("Save a copy")).slice(folder.length + 1);
  await watched.open(copy);
  assert.equal(await page.locator("tbody tr").count(), bench.rows.length);
  await page.setViewportSize({ width: 360, height: 720 });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
  await page.screenshot({ path: `${folder}/bench-phone.png` });
  watched.seenWell();
});
