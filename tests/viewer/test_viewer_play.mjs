// The page of `graze play --report`: every frame has the count and hash of the tool's record, by the slider, by keys, by a click on
// the chart and by playing.
import { readFileSync } from "node:fs";
import { assert, folder, graze, MARKED, test } from "./browser.mjs";

await test(async (newPage) => {
  graze(1, "play", "pass-through", "--primitives", "400", "--frames", "9", "--report", "page.html", "--json", "play.json", "--quiet");
  const frames = JSON.parse(readFileSync(`${folder}/play.json`, "utf8")).frames;
  const watched = await newPage();
  const page = await watched.open("page.html");
  const shown = async () => [await page.textContent(".frame-words"), await watched.number("Hash"), await watched.number("Pairs")];
  const expected = (frame) => [frames[frame].hash, frames[frame].pair_count.toLocaleString("en-US")];
  const look = async (frame) => {
    const [words, ...numbers] = await shown();
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

  // Pairs are drawn where there are some, and not elsewhere.
  await page.keyboard.press("2");
  const most = frames.reduce((best, frame, i) => (frame.pair_count > frames[best].pair_count ? i : best), 0);
  const none = frames.findIndex((frame) => frame.pair_count === 0);
  await page.locator(".scrub input").fill(String(most));
  assert.ok((await watched.count(MARKED)) > 50);
  await page.screenshot({ path: `${folder}/frame.png` });
  await page.locator(".scrub input").fill(String(none));
  assert.equal(await watched.count(MARKED), 0);

  // A click on the chart, and the address.
  const chart = await page.locator(".u-over").boundingBox();
  await page.mouse.click(chart.x + chart.width * 0.5, chart.y + chart.height / 2);
  await look(4);
  await page.waitForFunction(() => location.hash.includes("frame=5"));

  // Playing goes on by itself and stops.
  await page.keyboard.press("k");
  await page.waitForFunction(() => !document.querySelector(".frame-words").textContent.startsWith("5 /"));
  await page.keyboard.press("k");
  const stopped = (await shown())[0];
  await page.waitForTimeout(400);
  assert.equal((await shown())[0], stopped);
  watched.seenWell();
});
