// Measures how a page of a million triangles opens: seconds until it is drawn, processor time of each process of the browser, and memory of
// the page. It is not a test, because other work on the machine changes the times.
// usage: node measure_opening.mjs GRAZE MODULES FOLDER
import { assert, FLAGS, folder, graze, moduleOf, CHROMIUM } from "./browser.mjs";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

mkdirSync(folder, { recursive: true });
graze(0, "make", "blob", "--triangles", "500000", "--output", "blob.ply", "--quiet");
graze(0, "make", "torus", "--triangles", "500000", "--output", "torus.ply", "--quiet");
graze(1, "check", "blob.ply", "torus.ply", "--report", "large.html", "--quiet");
const browser = await moduleOf("playwright-core").chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
const session = await browser.newBrowserCDPSession();
const processes = async () => (await session.send("SystemInfo.getProcessInfo")).processInfo;
for (let round = 0; round < 3; ++round) {
  const page = await (await browser.newContext({ viewport: { width: 900, height: 600 } })).newPage();
  const before = new Map((await processes()).map(({ id, cpuTime }) => [id, cpuTime]));
  const start = performance.now();
  await page.goto("file://" + join(folder, "large.html"));
  await page.waitForSelector("html[data-ready=true]");
  // Reading a pixel waits until drawing is complete.
  assert.ok(await page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const gl = document.querySelector(".viewport canvas").getContext("webgl2");
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    return true;
  }));
  const seconds = (performance.now() - start) / 1000;
  const spent = (await processes()).map(({ id, type, cpuTime }) => [type, id, cpuTime - (before.get(id) ?? 0)]).filter(([, , time]) => time > 0.1);
  const memory = Math.max(...spent.filter(([type]) => type === "renderer")
    .map(([, id]) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, "utf8"))[1]) / 1024));
  console.log(`${seconds.toFixed(1)} s; ${spent.map(([type, , time]) => `${type} ${time.toFixed(2)} s`).join(", ")}; ${memory.toFixed(0)} MB`);
  await page.close();
}
await browser.close();
