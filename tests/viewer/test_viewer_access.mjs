// Tests accessibility: axe-core finds no serious fault, in light and dark and at the width of a phone, where nothing is wider than the
// screen; every control is reachable with the keyboard.
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
    const examine = async () => {
      await page.evaluate(axe);
      const found = await page.evaluate(async () => (await window.axe.run()).violations);
      const serious = found.filter((one) => one.impact === "serious" || one.impact === "critical");
      assert.deepEqual(serious.map((one) => [one.id, one.nodes.map((node) => node.html + " " + node.failureSummary)]), []);
    };
    for (const tab of ["Clashes", "Objects", "Partners", "Numbers", "Live"]) {
      await page.click(`role=tab[name=${tab}]`);
      await examine();
    }
    if (await page.textContent("#graze-engine") !== "") {
      await page.keyboard.press("g");
      await page.waitForFunction(() => document.querySelector(".structure .quiet").textContent !== "");
      await page.selectOption("select[aria-label=Method]", "tree");
      await page.waitForSelector(".structure-levels li:nth-child(3)");
      await examine();
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= width, `${wide} is wider than ${width}`);
    const right = await page.locator("role=tab").last().evaluate((tab) => tab.getBoundingClientRect().right);
    assert.ok(right <= width, `the tabs reach to ${right} of ${width}`);
    await page.screenshot({ path: `${folder}/${colorScheme}-${width}.png` });
    watched.seenWell();
  }

  // The camera moves in steps, or jumps if reduced motion is requested.
  for (const reducedMotion of ["no-preference", "reduce"]) {
    const watched = await newPage({ reducedMotion });
    await watched.page.addInitScript(() => {
      window.drawn = 0;
      const before = WebGL2RenderingContext.prototype.clear;
      WebGL2RenderingContext.prototype.clear = function (...planes) {
        ++window.drawn;
        return before.apply(this, planes);
      };
    });
    const page = await watched.open("page.html");
    await page.waitForFunction(() => window.drawn === 1);
    await page.keyboard.press("n");
    await page.waitForFunction((least) => window.drawn >= least, reducedMotion === "reduce" ? 2 : 3);
    await page.waitForTimeout(500);
    if (reducedMotion === "reduce") assert.equal(await page.evaluate(() => window.drawn), 2);
  }

  // On a phone, a tap picks a primitive, and a tap closes the card.
  const phone = await newPage({ viewport: { width: 360, height: 720 }, hasTouch: true, isMobile: true });
  const touched = await phone.open("page.html", "#mode=shaded");
  const area = await touched.locator(".viewport").boundingBox();
  let found = false;
  for (let i = 1; i < 8 && !found; ++i) {
    await touched.touchscreen.tap(area.x + (area.width * i) / 8, area.y + area.height / 2);
    await touched.waitForTimeout(300);
    found = await touched.locator(".card:not([hidden])").count() === 1;
  }
  assert.ok(found, "no tap picks a primitive");
  await touched.screenshot({ path: `${folder}/phone-card.png` });
  await touched.tap(".card .close");
  assert.equal(await touched.locator(".card:not([hidden])").count(), 0);
  phone.seenWell();

  // The focus visits all controls and returns; arrow keys rotate the view.
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
  // Escape closes a menu, returns the focus to its button, and leaves the selection.
  await page.keyboard.press("n");
  for (const menu of [".help", ".menu"]) {
    await page.focus(`${menu} summary`);
    await page.keyboard.press("Enter");
    assert.equal(await page.locator(`${menu}[open]`).count(), 1);
    if (menu === ".menu") await page.keyboard.press("Tab");
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(`${menu}[open]`).count(), 0);
    assert.ok(await page.evaluate((name) => document.activeElement === document.querySelector(name + " summary"), menu));
    assert.equal(await page.locator(".clash[aria-current=true]").count(), 1);
  }

  // The focus stays in the card when a partner is chosen, and returns to the view when the card is closed.
  const place = await page.locator(".viewport").boundingBox();
  const partner = page.locator(".card:not([hidden]) .link").first();
  for (let i = 1; i < 24 && (await partner.count()) === 0; ++i)
    await page.mouse.click(place.x + (place.width * i) / 24, place.y + place.height / 2);
  const picked = await page.textContent(".card h2");
  await partner.focus();
  await page.keyboard.press("Enter");
  assert.notEqual(await page.textContent(".card h2"), picked);
  assert.ok(await page.evaluate(() => document.querySelector(".card").contains(document.activeElement)));
  await page.focus(".card .close");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "CANVAS");
  const before = await page.evaluate(() => location.hash);
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction((hash) => location.hash !== hash, before);
  watched.seenWell();
});
