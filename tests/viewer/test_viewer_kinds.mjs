// Tests pages of every kind of primitive and query, hostile names, and browsers that lack features of the page.
import { readFileSync, writeFileSync } from "node:fs";
import { assert, folder, graze, MARKED, test } from "./browser.mjs";

await test(async (newPage) => {
  graze(0, "make", "tet-pair", "--primitives", "300", "--separate", "--output", "pair.msh");
  graze(0, "make", "spheres", "--primitives", "150", "--output", "balls.csv");
  graze(0, "make", "torus", "--triangles", "300", "--output", "torus.obj");
  writeFileSync(`${folder}/planes.obj`, "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv .5 .5 -1\nv .5 .5 1\nv .7 .9 0\nv 0.2 .8 -1\ng a\nf 1 2 3 4\ng b\nf 5 6 7 8\n");
  const scenes = {
    "solids.html": ["pair_0.msh", "pair_1.msh"],
    "balls.html": ["balls.csv", "torus.obj"],
    "polygons.html": ["planes.obj", "--separate"],
    "near.html": ["torus.obj", "torus.obj", "--move", "1=3,0,0", "--clearance", "0.5", "--units", "mm"],
    "clear.html": ["torus.obj"],
    "candidates.html": ["torus.obj", "torus.obj", "--move", "1=0.5,0,0", "--candidates"],
  };
  const watched = await newPage();
  for (const [name, args] of Object.entries(scenes)) {
    graze(name === "clear.html" ? 0 : 1, "check", ...args, "--report", name, "--json", "check.json", "--quiet");
    const json = JSON.parse(graze(name === "clear.html" ? 0 : 1, "check", ...args, "--json", "-"));
    const page = await watched.open(name);
    assert.equal(await watched.number("Pairs"), json.pair_count.toLocaleString("en-US"));
    assert.equal(await watched.number("Hash"), json.hash);
    await page.keyboard.press("2");
    const marks = await watched.count(MARKED);
    assert.ok(name === "clear.html" ? marks === 0 : marks > 20, `${name}: ${marks} marked points`);
    if (json.pair_count > 0) await page.keyboard.press("n");
    await page.screenshot({ path: `${folder}/${name.replace(".html", ".png")}` });
    if (name === "solids.html") {
      const volume = await page.evaluate(() => [...document.querySelectorAll("#sheet-facts dt")].filter((one) => one.textContent.startsWith("Shared volume")).length);
      assert.equal(volume, json.wrenches.length);
    }
    if (name === "near.html") {
      await page.click(".menu summary");
      await page.click(".menu-rows >> text=Clashes as BCF");
      assert.equal(await page.textContent(".note"), "The pairs of this scene are not grouped into clashes, which BCF needs.");
      const least = Math.min(...json.pair_distances);
      assert.ok((await page.textContent(".facts")).includes(`${Number(least.toPrecision(4))} mm apart`));
    }
  }
  watched.seenWell();

  // The empty list repeats the verdict; a long list of volumes ends with the number of those that are not shown.
  graze(0, "check", "torus.obj", "torus.obj", "--move", "1=3,0,0", "--clearance", "0.01", "--report", "far.html", "--quiet");
  const far = await watched.open("far.html");
  assert.equal(await far.textContent(".clashes"), "Nothing is within 0.01.");
  graze(0, "make", "tet-ball", "--primitives", "20", "--output", "drop.msh");
  const drops = Array.from({ length: 8 }, (_, i) => ["--move", `${i}=${i / 100},0,0`]).flat();
  graze(1, "check", ...Array(8).fill("drop.msh"), ...drops, "--report", "drops.html", "--quiet");
  await watched.open("drops.html");
  assert.equal(await far.locator("#sheet-facts dt", { hasText: "Shared volume" }).count(), 20);
  assert.equal(await far.locator("#sheet-facts dt", { hasText: "and 8 more" }).count(), 1);
  watched.seenWell();

  // A concave polygon is exported, recorded and live, without its notch.
  const corners = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\n";
  writeFileSync(`${folder}/notched.obj`, corners + "v .5 .5 -1\nv .5 .5 1\nv .6 .7 1\ng notched\nf 3 4 5 6 1 2\ng needle\nf 7 8 9\n");
  graze(1, "check", "notched.obj", "--separate", "--report", "notched.html", "--quiet");
  const areaOf = (obj) => {
    const [, flat] = readFileSync(obj, "utf8").split(/^[og] /m);
    const numbers = (letter, text) => text.split("\n").filter((line) => line.startsWith(letter + " ")).map((line) => line.slice(2).split(" ").map(Number));
    const vertices = numbers("v", flat);
    return numbers("f", flat).reduce((sum, face) => {
      const [a, b, c] = face.map((corner) => vertices[corner - 1]);
      return sum + Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
    }, 0);
  };
  const notched = await watched.open("notched.html");
  assert.equal(areaOf(await watched.download("Involved primitives as OBJ")), 3);
  await notched.setInputFiles("#live-files", `${folder}/notched.obj`);
  await notched.waitForFunction(() => document.querySelector(".live .status").textContent.startsWith("1 pair"));
  assert.ok(Math.abs(areaOf(await watched.download("Involved primitives as OBJ")) - 3) < 1e-6);
  watched.seenWell();

  // Names with markup are text.
  const name = "<img src=x onerror=alert(1)>.obj";
  writeFileSync(`${folder}/${name}`, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv .2 .2 -1\nv .2 .2 1\nv .3 .4 1\n" +
    "g </script><script>window.ran=1</script>\nf 1 2 3\ng \"><svg/onload=alert(2)>\nf 4 5 6\n");
  graze(1, "check", name, "--separate", "--report", "hostile.html", "--quiet");
  const page = await watched.open("hostile.html");
  await page.keyboard.press("n");
  assert.ok((await page.textContent(".clash")).includes("</script><script>window.ran=1</script>"));
  assert.ok((await page.textContent(".title")).includes(name));
  const copy = (await watched.download("Save a copy")).slice(folder.length + 1);
  await watched.open(copy, "#clash=</script><script>window.ran=1</script>&camera=a,b&frame=-3");
  assert.equal(await page.evaluate(() => window.ran), undefined);
  assert.equal(await page.locator("#app img").count(), 0);
  watched.seenWell();

  // Without WebGL, the list and the numbers are complete.
  const blind = await newPage();
  await blind.page.addInitScript(() => {
    const before = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return kind.startsWith("webgl") ? null : before.call(this, kind, ...rest);
    };
  });
  await blind.open("solids.html");
  assert.ok((await blind.page.textContent(".viewport")).includes("no WebGL"));
  assert.ok((await blind.page.locator(".clash").count()) > 0);
  await blind.page.keyboard.press("n");
  assert.equal(await blind.page.locator(".clash[aria-current=true]").count(), 1);

  // A truncated record gives an error message.
  const broken = await newPage();
  const text = readFileSync(`${folder}/solids.html`, "utf8");
  const at = text.indexOf('id="graze-scene">');
  const end = text.indexOf("</script>", at);
  writeFileSync(`${folder}/broken.html`, text.slice(0, at + (end - at) / 2) + text.slice(end));
  await broken.page.goto(`file://${folder}/broken.html`);
  await broken.page.waitForSelector("[role=alert]");
  assert.ok((await broken.page.textContent("[role=alert]")).startsWith("This page cannot be shown"));
});
