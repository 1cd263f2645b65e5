// Tests the page of `graze play --report`: every frame has the count and hash of the tool's record, with the slider, with keys, with clicks
// on the chart and during playback.
import { readFileSync } from "node:fs";
import { assert, folder, graze, MARKED, test } from "./browser.mjs";

await test(async (newPage) => {
  graze(1, "play", "pass-through", "--primitives", "400", "--frames", "9", "--report", "page.html", "--json", "play.json", "--quiet");
  const frames = JSON.parse(readFileSync(`${folder}/play.json`, "utf8")).frames;
  const watched = await newPage();
  const page = await watched.open("page.html");
  const shown = async () => [await page.textContent(".frame-words"), await watched.number("Hash"), await watched.number("Pairs")];
  const expected = (frame) => [frames[frame].hash, frames[frame].pair_count.toLocaleString("en-US")];
  // Every clash counts for its two objects, or for the one that intersects itself.
  const countClashes = async () => {
    const sides = await page.locator(".clash").evaluateAll((rows) => rows.map((row) => row.querySelectorAll(".name").length));
    const facts = await page.locator(".objects .facts").allTextContents();
    const sum = (values) => values.reduce((total, value) => total + value, 0);
    assert.equal(sum(facts.map((text) => Number(/(\d+) clash/.exec(text)[1]))), sum(sides));
    return sum(sides);
  };
  const look = async (frame) => {
    const [words, ...numbers] = await shown();
    assert.equal((await countClashes()) > 0, frames[frame].pair_count > 0);
    assert.ok(words.startsWith(`${frame + 1} / ${frames.length} `), words);
    assert.deepEqual(numbers, expected(frame));
  };
  await look(0);
  for (const frame of [4, 8, 2]) {
    await page.locator(".scrub input").fill(String(frame));
    await look(frame);
  }
  await page.keyboard.press(".");
  await look(3);
  await page.keyboard.press(",");
  await page.keyboard.press(",");
  await look(1);

  // Marks are drawn if and only if there are pairs.
  await page.keyboard.press("2");
  const most = frames.reduce((best, frame, i) => (frame.pair_count > frames[best].pair_count ? i : best), 0);
  const none = frames.findIndex((frame) => frame.pair_count === 0);
  await page.locator(".scrub input").fill(String(most));
  assert.ok((await watched.count(MARKED)) > 50);
  await page.screenshot({ path: `${folder}/frame.png` });
  await page.locator(".scrub input").fill(String(none));
  assert.equal(await watched.count(MARKED), 0);
  assert.equal(await page.textContent(".verdict"), "Nothing intersects in this frame");
  const meeting = frames.filter((frame) => frame.pair_count > 0).length;
  assert.ok((await page.textContent(".subtitle")).endsWith(`${meeting} of ${frames.length} frames with pairs`));

  // A click on the chart, and the address.
  const chart = await page.locator(".u-over").boundingBox();
  await page.mouse.click(chart.x + chart.width * 0.5, chart.y + chart.height / 2);
  await look(4);
  await page.waitForFunction(() => location.hash.includes("frame=5"));

  // Playback advances and stops.
  await page.keyboard.press("k");
  await page.waitForFunction(() => !document.querySelector(".frame-words").textContent.startsWith("5 /"));
  assert.equal(await page.getAttribute(".frame-words", "aria-live"), "off");
  await page.keyboard.press("k");
  assert.equal(await page.getAttribute(".frame-words", "aria-live"), "polite");
  const stopped = (await shown())[0];
  await page.waitForTimeout(400);
  assert.equal((await shown())[0], stopped);

  // Playback pauses when the live engine shows the frame; the timeline remains.
  if (/id="graze-engine"><\/script>/.test(readFileSync(`${folder}/page.html`, "utf8"))) {
    watched.seenWell();
    return;
  }
  const answered = () => page.waitForFunction(() => /pairs? in .* hash/.test(document.querySelector(".live .status").textContent));
  await page.keyboard.press("k");
  await page.click("role=tab[name=Live]");
  await page.click(".start");
  await answered();
  const hash = await watched.number("Hash");
  assert.ok(frames.some((frame) => frame.hash === hash));
  for (let i = 0; i < 6; ++i) {
    await page.waitForTimeout(100);
    assert.equal(await watched.number("Hash"), hash);
  }

  // The numbers of clashes follow an object that moves.
  while ((await countClashes()) > 0) {
    const before = await page.textContent(".live .status");
    await page.click("[aria-label='Move by 1 % of the scene size, plus y']");
    await page.waitForFunction((words) => document.querySelector(".live .status").textContent !== words, before);
  }

  // A frame, by the timeline, a key or a link, shows the recorded scene again; the key G returns to the engine.
  await page.locator(".scrub input").fill(String(most));
  await look(most);
  assert.ok(await page.locator(".live-controls").isHidden());
  await page.keyboard.press("g");
  await answered();
  assert.equal(await watched.number("Hash"), frames[most].hash);
  await page.keyboard.press(",");
  await look(most - 1);
  assert.equal(await page.getAttribute("[aria-label='Search structure']", "aria-pressed"), "false");
  await page.click(".start");
  await answered();
  await page.evaluate(() => (location.hash = "frame=9"));
  await page.waitForFunction(() => document.querySelector(".frame-words").textContent.startsWith("9 /"));
  await look(8);

  // Files have no timeline; the recorded scene gets it back.
  await page.setInputFiles("#live-files", { name: "one.obj", mimeType: "", buffer: Buffer.from("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n") });
  await page.waitForFunction(() => document.querySelector(".title").textContent === "one.obj");
  assert.ok(await page.locator(".timeline").isHidden());
  await page.keyboard.press(",");
  assert.equal(await page.textContent(".title"), "one.obj");
  await page.click("text=Back to the recorded scene");
  await page.waitForFunction(() => document.querySelector(".title").textContent !== "one.obj");
  assert.equal(await watched.number("Hash"), frames[8].hash);
  assert.ok(await page.locator(".timeline").isVisible());
  await page.evaluate(() => (location.hash = "frame=4"));
  await page.waitForFunction(() => document.querySelector(".frame-words").textContent.startsWith("4 /"));
  await look(3);

  // A step to another frame cancels a load.
  await page.evaluate(() => {
    document.querySelector(".start").click();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: ".", bubbles: true }));
  });
  await page.waitForTimeout(500);
  await look(4);
  await page.screenshot({ path: `${folder}/after.png` });
  watched.seenWell();
});
