// Tests pages at their limits: files of ten million triangles, compressed or not, and a browser without the vector instructions of
// WebAssembly. The page shows a message and continues, with the recorded results.
import { existsSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { assert, CHROMIUM, FLAGS, folder, graze, moduleOf, test } from "./browser.mjs";

// Drops binary STL files with this many triangles, made in the page.
function dropTriangles(page, count, names) {
  return page.evaluate(([wanted, files]) => {
    const head = new Uint8Array(84), some = new Uint8Array(50 * 100000);
    new DataView(head.buffer).setUint32(80, wanted, true);
    const transfer = new DataTransfer();
    for (const name of files) transfer.items.add(new File([head, ...Array(wanted / 100000).fill(some)], name));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, [count, names]);
}

await test(async (newPage) => {
  graze(0, "make", "torus", "--triangles", "300", "--output", "torus.obj");
  graze(1, "check", "torus.obj", "torus.obj", "--move", "1=0.5,0,0", "--report", "page.html", "--quiet");
  const { hash, pair_count } = JSON.parse(graze(1, "check", "torus.obj", "torus.obj", "--move", "1=0.5,0,0", "--json", "-"));
  const watched = await newPage();
  const page = await watched.open("page.html");
  writeFileSync(`${folder}/huge.stl.gz`, gzipSync(Buffer.alloc(257 << 20), { level: 1 }));
  const refused = async (words) => {
    await page.waitForFunction((wanted) => document.querySelector(".live .trouble")?.textContent.startsWith(wanted), words);
    assert.equal(await watched.number("Hash"), hash);
  };
  await dropTriangles(page, 10000000, ["huge.stl"]);
  await refused("huge.stl is larger than 256 MiB");
  await page.setInputFiles("#live-files", `${folder}/huge.stl.gz`);
  await refused("huge.stl.gz: exceeds the limit of 268435456 bytes");
  await dropTriangles(page, 2000000, ["a.stl", "b.stl", "c.stl"]);
  await refused("Together, the 3 files are larger than 256 MiB");
  await page.setInputFiles("#live-files", `${folder}/torus.obj`);
  await page.waitForFunction(() => document.querySelector(".live .status").textContent.startsWith("0 pairs"));
  watched.seenWell();

  // V8 has no vector instructions of WebAssembly on a processor without SSE 4.1.
  if (!existsSync(CHROMIUM)) return;
  const browser = await moduleOf("playwright-core").chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, "--js-flags=--no-enable-sse4-1"] });
  try {
    const lame = await browser.newPage();
    const vectors = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];
    if (await lame.evaluate((bytes) => WebAssembly.validate(new Uint8Array(bytes)), vectors)) {
      console.log("this browser has vector instructions without SSE 4.1: not tested");
      return;
    }
    await lame.goto(`file://${folder}/page.html`);
    await lame.waitForSelector("html[data-ready=true]");
    await lame.click("role=tab[name=Live]");
    await lame.click(".start");
    await lame.waitForSelector(".live .trouble");
    assert.ok((await lame.textContent(".live .trouble")).includes("cannot start in this browser"));
    const numbers = Object.fromEntries(await lame.locator("#sheet-facts dt").evaluateAll((terms) => terms.map((term) => [term.textContent, term.nextElementSibling.textContent])));
    assert.equal(numbers.Hash, hash);
    assert.equal(numbers.Pairs, String(pair_count));
    await lame.keyboard.press("n");
    assert.equal(await lame.locator(".clash[aria-current=true]").count(), 1);
  } finally {
    await browser.close();
  }
});
