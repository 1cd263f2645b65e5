// Tests the live engine of a page: the same hash as `graze check` for the recorded scene, for moved objects, with every method, and for
// chosen or dropped files; and error messages, after which the page continues.
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
  const expectHash = async (hash, seen = watched) => {
    await seen.page.waitForFunction((wanted) => document.querySelector(".live .status").textContent.includes(wanted), hash, { timeout: 20000 })
      .catch(async () => assert.fail(`no answer with hash ${hash}: ${await seen.page.textContent(".live .status")}`));
    assert.equal(await seen.number("Hash"), hash);
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

  // The structure of each method is drawn, described, and removed with the layer; its slider works with keys.
  const LINES = [[0, 130, 150], [60, 175, 195]]; // the first color of the levels
  const describedAs = (words) => at.waitForFunction((wanted) => document.querySelector(".structure .quiet").textContent.startsWith(wanted), words, { timeout: 10000 })
    .catch(async () => assert.fail(`no structure "${words}": ${await at.textContent(".structure .quiet")}`));
  const plain = await watched.count(LINES);
  await at.keyboard.press("Escape");
  await at.locator(".viewport canvas").focus();
  await at.keyboard.press("g");
  await describedAs("tree, level ");
  assert.equal(await at.getAttribute("[aria-label='Search structure']", "aria-pressed"), "true");
  await at.focus("[aria-label='Structure level']");
  await at.keyboard.press("Home");
  const leaves = rest.objects[0].primitives + rest.objects[1].primitives;
  await describedAs(`tree, level 0: ${leaves} nodes`);
  assert.equal(await at.getAttribute("[aria-label='Structure level']", "aria-valuetext"), `Level 0: ${leaves} nodes`);
  assert.equal(await at.locator(".structure-levels li[aria-current]").count(), 1);
  assert.ok((await watched.count(LINES)) > plain + 500, "the boxes of leaves are drawn");
  await at.screenshot({ path: `${folder}/tree.png` });
  await at.keyboard.press("ArrowRight");
  await describedAs(`tree, level 1: ${leaves / 4} nodes`);
  for (const [method, words] of [["grid", "grid, all levels: "], ["clusters", "clusters, "], ["brute", "The method brute has no search structure."], ["grid", "grid, all levels: "]]) {
    await at.selectOption("select[aria-label=Method]", method);
    await describedAs(words);
    await expectHash(rest.hash);
    await at.screenshot({ path: `${folder}/${method}.png` });
  }
  assert.ok(await at.locator(".structure-levels li").count() >= 1);
  await at.click("#structure-shown");
  assert.equal(await at.getAttribute("[aria-label='Search structure']", "aria-pressed"), "false");
  assert.ok((await watched.count(LINES)) <= plain + 5, "no box is left");
  await at.selectOption("select[aria-label=Method]", "tree");
  await expectHash(rest.hash);

  // Dragging from the center of the view moves an object; the new pairs are drawn.
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

  // The tab shows the deepest contact of the regions, and a bar for each stage.
  await at.click("role=button[name='Reset positions']");
  await expectHash(rest.hash);
  const deepest = Math.max(...rest.regions.map((region) => region.depth));
  const value = (name) => at.locator(`.live-numbers dt:text-is("${name}") + dd`).textContent();
  assert.equal(await value("Pairs"), rest.pair_count.toLocaleString("en-US"));
  assert.equal(Number(await value("Deepest contact")), Number(deepest.toPrecision(4)));
  assert.ok((await at.locator(".live-numbers .bars li").allTextContents()).some((words) => words.startsWith("regions")));
  await at.screenshot({ path: `${folder}/numbers.png` });

  // Files: chosen, compressed, of other kinds, dropped.
  writeFileSync(`${folder}/ball.stl.gz`, gzipSync(readFileSync(`${folder}/ball.stl`)));
  await at.setInputFiles("#live-files", [`${folder}/torus.obj`, `${folder}/ball.stl.gz`]);
  await expectHash(check("torus.obj", "ball.stl").hash);
  assert.equal(await at.textContent(".title"), "torus.obj and 1 more");
  const ball = readFileSync(`${folder}/ball.stl`);
  writeFileSync(`${folder}/ball.stl.gz`, Buffer.concat([gzipSync(ball.subarray(0, 999)), gzipSync(ball.subarray(999)), Buffer.alloc(512)]));
  await at.setInputFiles("#live-files", [`${folder}/ball.stl.gz`, `${folder}/ball.stl`]);
  await expectHash(check("ball.stl.gz", "ball.stl").hash);
  await at.setInputFiles("#live-files", [`${folder}/torus.obj`, `${folder}/solid.msh`]);
  await expectHash(check("torus.obj", "solid.msh").hash);
  await at.screenshot({ path: `${folder}/files.png` });

  // More boxes than are drawn.
  graze(0, "make", "torus", "--triangles", "21000", "--output", "large.obj");
  await at.setInputFiles("#live-files", `${folder}/large.obj`);
  await expectHash("0000000000000000");
  await at.click("#structure-shown");
  await describedAs("tree, level ");
  await at.focus("[aria-label='Structure level']");
  await at.keyboard.press("Home");
  await at.waitForFunction(() => /^tree, level 0: 2\d,\d+ nodes; the first 20,000 are drawn$/.test(document.querySelector(".structure .quiet").textContent));
  await at.screenshot({ path: `${folder}/large.png` });
  await at.click("#structure-shown");
  const bad = { "none.obj": "this is no mesh", "cut.stl": readFileSync(`${folder}/ball.stl`).subarray(0, 300),
    "nan.obj": "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "cut.obj.gz": gzipSync("v 0 0 0").subarray(0, 12) };
  const open = async (name) => {
    await at.setInputFiles("#live-files", `${folder}/${name}`);
    await at.waitForFunction((stem) => document.querySelector(".live .trouble")?.textContent.includes(stem), name.replace(".gz", ""));
  };
  for (const [name, content] of Object.entries(bad)) {
    writeFileSync(`${folder}/${name}`, content);
    await open(name);
    assert.equal(await at.textContent(".title"), "large.obj");
    for (const [method, direction] of [["grid", "plus y"], ["tree", "minus y"]]) {
      await at.selectOption("select[aria-label=Method]", method);
      await at.waitForFunction((wanted) => document.querySelector(".live .status").textContent.includes(wanted), `0 pairs in`);
      await at.click(`[aria-label='Move by 1 % of the scene size, ${direction}']`);
      await expectHash("0000000000000000");
    }
  }
  const data = await at.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    for (const name of ["a.obj", "b.obj"]) transfer.items.add(new File([text], name));
    return transfer;
  }, readFileSync(`${folder}/torus.obj`, "utf8"));
  await at.dispatchEvent("body", "drop", { dataTransfer: data });
  await expectHash(check("torus.obj", "torus.obj").hash);

  // Of many pairs, the depth is not measured.
  graze(0, "make", "torus", "--triangles", "3000", "--output", "fine.obj");
  await at.setInputFiles("#live-files", [`${folder}/fine.obj`, `${folder}/fine.obj`]);
  await expectHash(check("fine.obj", "fine.obj").hash);
  assert.equal(await value("Deepest contact"), "not measured above 500 pairs");

  // A step of 1 % by a button, far from the origin, equals --move of `graze check`.
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
  await at.click("[aria-label='Move by 1 % of the scene size, plus y']");
  await expectHash(check("far.obj", "far2.obj", "--move", `0=0,${Math.max(...widths) / 100},0`).hash);

  // A file that cannot be read leaves the scene and its poses.
  await open("none.obj");
  await at.click("[aria-label='Move by 1 % of the scene size, plus y']");
  await expectHash(check("far.obj", "far2.obj", "--move", `0=0,${Math.max(...widths) / 50},0`).hash);
  watched.seenWell();

  // The tab names the options of the recorded scene that the engine ignores.
  assert.ok(!(await at.textContent("#sheet-live")).includes("ignores"));
  for (const [options, words, status] of [[["--limit", "1", "--exclude", "0,2"], "--exclude, --limit", 1], [["--candidates"], "--candidates", 1],
    [["--clearance", "0.01", "--rings", "2"], "--rings", 1]]) {
    graze(status, "check", "torus.obj", "torus.obj", "torus.obj", "--move", "1=0.5,0,0", ...options, "--report", "ignored.html", "--quiet");
    await watched.open("ignored.html");
    assert.ok((await at.textContent("#sheet-live")).includes(`The live engine ignores ${words} of this scene`));
  }

  // The key starts the engine and opens its tab.
  const early = await newPage();
  const alone = await early.open("page.html");
  await alone.keyboard.press("g");
  await alone.waitForFunction(() => /^(grid|tree), /.test(document.querySelector(".structure .quiet").textContent));
  assert.equal(await alone.getAttribute("role=tab[name=Live]", "aria-selected"), "true");
  assert.equal(await early.number("Hash"), rest.hash);
  assert.ok(await alone.isChecked("#structure-shown"));
  await alone.screenshot({ path: `${folder}/early.png` });
  early.seenWell();

  // Requests that overlap run one after the other in one engine: the scene of the last one is shown.
  const hasty = await newPage();
  await hasty.page.addInitScript(() => {
    window.workers = 0;
    const Before = Worker;
    window.Worker = class extends Before {
      constructor(...values) {
        super(...values);
        ++window.workers;
      }

      // Replaces the next call of one name, so that the engine rejects it.
      postMessage(message, ...rest) {
        const { from, to } = window.spoiled ?? {};
        if (from === undefined || message.call !== from) return super.postMessage(message, ...rest);
        window.spoiled = undefined;
        return super.postMessage({ id: message.id, ...to }, ...rest);
      }
    };
  });
  const quick = await hasty.open("page.html");
  await quick.click("role=tab[name=Live]");
  await quick.dblclick(".start");
  await expectHash(rest.hash, hasty);
  await quick.dblclick(".start");
  await quick.waitForTimeout(500);
  await expectHash(rest.hash, hasty);
  assert.equal(await quick.locator("[aria-label='Object to move'] option").count(), 2);
  await quick.evaluate((scenes) => {
    for (const texts of scenes) {
      const transfer = new DataTransfer();
      texts.forEach((text, i) => transfer.items.add(new File([text], i + ".obj")));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }
  }, [["torus", "far"], ["torus", "torus"]].map((names) => names.map((name) => readFileSync(`${folder}/${name}.obj`, "utf8"))));
  await expectHash(check("torus.obj", "torus.obj").hash, hasty);
  await quick.keyboard.press("g");
  await quick.click(".start");
  await expectHash(rest.hash, hasty);
  assert.equal(await quick.evaluate(() => window.workers), 1);

  // A query that fails does not lose the query after it.
  await quick.evaluate(() => {
    window.spoiled = { from: "query", to: { call: "query", values: [{ scope: "none" }] } };
    for (let i = 0; i < 2; ++i) document.querySelector("[aria-label='Move by 1 % of the scene size, plus y']").click();
  });
  await quick.waitForFunction((hash) => {
    const words = document.querySelector(".live .status").textContent;
    return /^[\d,]+ pairs in /.test(words) && !words.includes(hash);
  }, rest.hash);
  await quick.click(".start");
  await expectHash(rest.hash, hasty);

  // Boxes that cannot be read leave the new scene.
  await quick.evaluate(() => (window.spoiled = { from: "inspect", to: { call: "query", values: [{ scope: "none" }] } }));
  await quick.setInputFiles("#live-files", [`${folder}/torus.obj`, `${folder}/far.obj`]);
  await quick.waitForSelector(".live .trouble");
  assert.equal(await hasty.number("Hash"), "0000000000000000");
  await quick.click("[aria-label='Move by 1 % of the scene size, plus y']");
  await expectHash("0000000000000000", hasty);
  assert.equal(await quick.locator(".objects .name").nth(1).textContent(), "far.obj");
  await quick.click(".start");
  await expectHash(rest.hash, hasty);

  // The engine fails and loses its objects: the page shows no result without them, and the scene can be loaded again.
  const verdict = await quick.textContent(".verdict");
  for (const call of ["setPose", "query"]) {
    await quick.evaluate((from) => {
      window.spoiled = { from, to: { call: "addMesh", values: [{ name: "", kind: "triangle", positions: { length: 3 * 2 ** 40 } }] } };
      for (let i = 0; i < 3; ++i) document.querySelector("[aria-label='Move by 1 % of the scene size, plus y']").click();
    }, call);
    await quick.waitForFunction(() => document.querySelector(".live .trouble")?.textContent.includes("restarted without objects"));
    await quick.waitForTimeout(200);
    assert.ok((await quick.textContent(".live .trouble")).includes("Load the scene again"));
    assert.equal(await quick.textContent(".verdict"), verdict);
    assert.ok(await quick.locator(".live-controls").isHidden());
    await quick.click("text=Load the scene again");
    await expectHash(rest.hash, hasty);
  }
  hasty.seenWell();

  // If the engine cannot start, the recorded results remain.
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
  await other.keyboard.press("g");
  await other.waitForFunction(() => !document.querySelector("#structure-shown").checked);
  assert.equal(await other.getAttribute("[aria-label='Search structure']", "aria-pressed"), "false");
  assert.equal(await lame.number("Hash"), rest.hash);
  lame.seenWell();
});
