// The live engine of a page: the same hash as `graze check` for the recorded scene, for objects that were moved, by every method,
// and for files that are chosen or dropped; and messages where something is wrong, after which the page goes on.
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { assert, folder, graze, MARKED, test } from "./browser.mjs";

await test(async (newPage) => {
  const check = (...args) => JSON.parse(graze(1, "check", ...args, "--json", "-"));
  graze(0, "make", "torus", "--triangles", "300", "--output", "torus.obj");
  graze(0, "make", "sphere", "--triangles", "200", "--output", "ball.stl");
  graze(0, "make", "tet-ball", "--primitives", "200", "--output", "solid.msh");
  graze(1, "check", "torus.obj", "torus.obj", "--move", "1=0.5,0,0", "--report", "page.html", "--quiet");
  const page = readFileSync(`${folder}/page.html`, "utf8");
  if (/id="graze-engine"><\/script>/.test(page)) {
    console.log("skipped: the page was built without its engine");
    return;
  }
  const size = page.length - /id="graze-scene">([^<]*)</.exec(page)[1].length;
  assert.ok(size < 1 << 20, `a page without a scene has ${size} bytes`);

  const watched = await newPage();
  const at = await watched.open("page.html");
  const status = () => at.textContent(".live .status");
  const expectHash = async (hash) => {
    await at.waitForFunction((wanted) => document.querySelector(".live .status").textContent.includes(wanted), hash, { timeout: 20000 })
      .catch(async () => assert.fail(`no answer with hash ${hash}: ${await status()}`));
    assert.equal(await watched.number("Hash"), hash);
  };
  const rest = check("torus.obj", "torus.obj", "--move", "1=0.5,0,0");
  await at.click("role=tab[name=Live]");
  await at.click(".start");
  await expectHash(rest.hash);
  assert.equal(await at.textContent(".verdict"), `${rest.region_count} clash${rest.region_count === 1 ? "" : "es"}`);
  for (const method of ["grid", "brute", "clusters", "tree"]) {
    await at.selectOption("select[aria-label=Method]", method);
    await at.waitForFunction((name) => document.querySelector(".live .status").textContent.includes(`by ${name},`), method);
    await expectHash(rest.hash);
  }

  // Dragging the view's middle moves an object: other pairs, which are drawn.
  const view = await at.locator(".viewport").boundingBox();
  const [x, y] = [view.x + view.width * 0.35, view.y + view.height * 0.5];
  await at.keyboard.press("2");
  const marks = await watched.count(MARKED);
  await at.mouse.move(x, y);
  await at.mouse.down();
  await at.mouse.move(x - 40, y, { steps: 3 });
  await at.mouse.up();
  await at.waitForFunction((hash) => !document.querySelector(".live .status").textContent.includes(hash), rest.hash);
  await at.waitForTimeout(500);
  assert.notEqual(await watched.count(MARKED), marks);

  // Files: chosen, compressed, of other kinds, dropped.
  writeFileSync(`${folder}/ball.stl.gz`, gzipSync(readFileSync(`${folder}/ball.stl`)));
  await at.setInputFiles("#live-files", [`${folder}/torus.obj`, `${folder}/ball.stl.gz`]);
  await expectHash(check("torus.obj", "ball.stl").hash);
  assert.equal(await at.textContent(".title"), "torus.obj and 1 more");
  await at.setInputFiles("#live-files", [`${folder}/torus.obj`, `${folder}/solid.msh`]);
  await expectHash(check("torus.obj", "solid.msh").hash);
  await at.screenshot({ path: `${folder}/files.png` });
  const bad = { "none.obj": "this is no mesh", "cut.stl": readFileSync(`${folder}/ball.stl`).subarray(0, 300),
    "nan.obj": "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "cut.obj.gz": gzipSync("v 0 0 0").subarray(0, 12) };
  for (const [name, content] of Object.entries(bad)) {
    writeFileSync(`${folder}/${name}`, content);
    await at.setInputFiles("#live-files", `${folder}/${name}`);
    await at.waitForFunction((stem) => document.querySelector(".live .trouble")?.textContent.includes(stem), name.replace(".gz", ""));
  }
  const data = await at.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    for (const name of ["a.obj", "b.obj"]) transfer.items.add(new File([text], name));
    return transfer;
  }, readFileSync(`${folder}/torus.obj`, "utf8"));
  await at.dispatchEvent("body", "drop", { dataTransfer: data });
  await expectHash(check("torus.obj", "torus.obj").hash);

  // A step of a hundredth by a button, far from the origin, is a move of `graze check`.
  const far = readFileSync(`${folder}/torus.obj`, "utf8").replace(/^v (\S+)/gm, (_, x) => "v " + (Number(x) + 100));
  writeFileSync(`${folder}/far.obj`, far);
  const vertices = [...far.matchAll(/^v (\S+) (\S+) (\S+)/gm)].map((match) => match.slice(1).map(Number));
  const widths = [0, 1, 2].map((axis) => {
    const values = vertices.map((vertex) => vertex[axis]);
    return Math.max(...values) - Math.min(...values);
  });
  writeFileSync(`${folder}/far2.obj`, far);
  await at.setInputFiles("#live-files", [`${folder}/far.obj`, `${folder}/far2.obj`]);
  await expectHash(check("far.obj", "far2.obj").hash);
  await at.click("[aria-label='Move by a hundredth, plus y']");
  await expectHash(check("far.obj", "far2.obj", "--move", `0=0,${Math.max(...widths) / 100},0`).hash);
  watched.seenWell();

  // Where the engine cannot start, what was recorded stays.
  const lame = await newPage();
  await lame.page.addInitScript(() => {
    window.Worker = class {
      constructor() {
        throw new Error("there are no workers");
      }
    };
  });
  const other = await lame.open("page.html");
  await other.click("role=tab[name=Live]");
  await other.click(".start");
  await other.waitForSelector(".live .trouble");
  assert.ok((await other.textContent(".live .trouble")).includes("cannot start"));
  assert.equal(await lame.number("Hash"), rest.hash);
  lame.seenWell();
});
