// axe-core finds no serious fault, in light and dark and at the width of a phone, where nothing is wider than the screen; every
// control is reached by the keyboard alone.
import { readFileSync } from "node:fs";
import { assert, folder, graze, moduleOf, test } from "./browser.mjs";

await test(async (newPage) => {
  const axe = readFileSync(moduleOf.resolve("axe-core/axe.min.js"), "utf8");
  graze(0, "make", "torus", "--triangles", "300", "--output", "torus.obj");
  graze(1, "check", "torus.obj", "torus.obj", "--move", "1=0.5,0,0", "--report", "page.html", "--quiet");
  const sizes = [[900, 600, "light"], [900, 600, "dark"], [360, 720, "light"]];
  for (const [width, height, colorScheme] of sizes) {
    const watched = await newPage({ viewport: { width, height }, colorScheme, reducedMotion: "reduce", bypassCSP: true });
    const page = await watched.open("page.html");
    await page.keyboard.press("n");
    await page.keyboard.press("x");
    for (const tab of ["Clashes", "Objects", "Numbers"]) {
      await page.click(`role=tab[name=${tab}]`);
      await page.evaluate(axe);
      const found = await page.evaluate(async () => (await window.axe.run()).violations);
      const serious = found.filter((one) => one.impact === "serious" || one.impact === "critical");
      assert.deepEqual(serious.map((one) => [one.id, one.nodes.map((node) => node.html + " " + node.failureSummary)]), []);
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `${wide} is wider than ${width}`);
    await page.screenshot({ path: `${folder}/${colorScheme}-${width}.png` });
    watched.seenWell();
  }

  // The focus walks through everything and comes back; the view turns by arrow keys.
  const watched = await newPage();
  const page = await watched.open("page.html");
  const seen = new Set();
  for (let i = 0; i < 40; ++i) {
    await page.keyboard.press("Tab");
    seen.add(await page.evaluate(() => {
      const at = document.activeElement;
      return at.getAttribute("aria-label") ?? at.textContent ?? at.tagName;
    }));
  }
  for (const wanted of ["Shaded", "X-ray", "Ruler", "Search clashes", "Previous clash", "Share and export", "Clashes"])
    assert.ok(seen.has(wanted), `${wanted} is not reached by Tab: ${[...seen]}`);
  await page.focus(".viewport canvas");
  const before = await page.evaluate(() => location.hash);
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction((hash) => location.hash !== hash, before);
  watched.seenWell();
});
