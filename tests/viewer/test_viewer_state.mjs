// Tests what a page keeps and what it clears when the frame, the live scene or the address changes. The cases are independent; all that
// fail are reported.
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { assert, folder, graze, test } from "./browser.mjs";

function read(name) {
  return readFileSync(`${folder}/${name}`, "utf8");
}

function placed(name, text, place) {
  writeFileSync(`${folder}/${name}`, text.replace(/^v (\S+) (\S+) (\S+)/gm, (_, ...at) => "v " + place(at.slice(0, 3).map(Number)).join(" ")));
}

const answered = (page) => page.waitForFunction(() => / pairs? in .* hash/.test(document.querySelector(".live .status").textContent));
const picture = (page) => page.evaluate(async () => {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return document.querySelector(".viewport canvas").toDataURL();
});
const setSlider = (page, name, value) => page.evaluate(([label, number]) => {
  const slider = document.querySelector(`input[aria-label='${label}']`);
  slider.value = number;
  slider.dispatchEvent(new Event("input"));
}, [name, value]);
const openFiles = async (page, ...names) => {
  const before = await page.textContent(".live .status");
  await page.setInputFiles("#live-files", names.map((name) => `${folder}/${name}`));
  await page.waitForFunction((words) => document.querySelector(".live .status").textContent !== words, before);
  await answered(page);
};
const startLive = async (page) => {
  await page.click("role=tab[name=Live]");
  await page.click(".start");
  await answered(page);
};
const stepUp = async (page) => {
  const before = await page.textContent(".live .status");
  await page.click("[aria-label='Move by 1 % of the scene size, plus y']");
  await page.waitForFunction((words) => document.querySelector(".live .status").textContent !== words, before);
};

// Clicks along the middle of the view until a primitive is hit; returns the place.
async function pick(page) {
  const view = await page.locator(".viewport").boundingBox();
  for (let i = 1; i < 24; ++i) {
    const place = [view.x + (view.width * i) / 24, view.y + view.height / 2];
    await page.mouse.click(...place);
    if (await page.locator(".card:not([hidden])").count() > 0) return place;
  }
  assert.fail("no primitive in the view");
}

// Counts the poses that the engine receives, and holds its queries back while window.held is an array.
const watchEngine = (page) => page.evaluate(() => {
  window.poses = 0;
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message.call === "setPose") ++window.poses;
    if (message.call === "query" && window.held !== undefined) window.held.push(() => postMessage.call(this, message, ...rest));
    else postMessage.call(this, message, ...rest);
  };
});
const drag = async (page, [x, y], by) => {
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + by, y, { steps: 3 });
  await page.mouse.up();
};

const ofLive = {
  async "a click in Live moves nothing, a drag does"(page) {
    await watchEngine(page);
    await startLive(page);
    const place = await pick(page);
    await drag(page, place, 3);
    assert.equal(await page.evaluate(() => window.poses), 0, "a click moves an object");
    await drag(page, place, 30);
    assert.ok((await page.evaluate(() => window.poses)) > 0);
  },

  async "moved objects return to their places"(page, watched) {
    const recorded = await watched.number("Hash");
    await startLive(page);
    for (const reset of [() => page.click("role=button[name='Reset positions']"), () => page.keyboard.press("0")]) {
      for (let i = 0; i < 3; ++i) await stepUp(page);
      assert.notEqual(await watched.number("Hash"), recorded);
      await reset();
      await page.waitForFunction((hash) => document.querySelector(".live .status").textContent.includes(hash), recorded);
    }
    await openFiles(page, "torus.obj", "ball.obj");
    const placed = await watched.number("Hash");
    for (let i = 0; i < 3; ++i) await stepUp(page);
    await page.keyboard.press("0");
    await page.waitForFunction((hash) => document.querySelector(".live .status").textContent.includes(hash), placed);
  },

  async "a drag rotates the view if objects are not to be moved"(page) {
    await watchEngine(page);
    const tool = page.locator("[aria-label='Dragging moves objects']");
    assert.ok(await tool.isHidden());
    await startLive(page);
    const place = await pick(page), before = await page.evaluate(() => window.poses);
    assert.equal(await tool.getAttribute("aria-pressed"), "true");
    await page.keyboard.press("m");
    assert.equal(await tool.getAttribute("aria-pressed"), "false");
    const camera = await page.evaluate(() => location.hash);
    await drag(page, place, 60);
    await page.waitForFunction((hash) => location.hash !== hash, camera);
    assert.equal(await page.evaluate(() => window.poses), before);
    await tool.click();
    await drag(page, await pick(page), 30);
    assert.ok((await page.evaluate(() => window.poses)) > before);
  },

  async "objects cannot be dragged while a scene is loaded"(page, watched) {
    await watchEngine(page);
    await startLive(page);
    const place = await pick(page);
    await page.evaluate(() => (window.held = []));
    await page.setInputFiles("#live-files", `${folder}/torus.obj`);
    await page.waitForFunction(() => window.held.length > 0);
    const before = await page.evaluate(() => window.poses);
    for (const x of [place[0], place[0] + 20, place[0] + 40]) await drag(page, [x, place[1]], 20);
    await page.keyboard.press("0");
    assert.equal(await page.evaluate(() => window.poses), before);
    await page.evaluate(() => window.held.splice(0).forEach((send) => send()));
    await page.waitForFunction(() => document.querySelector(".live .status").textContent.startsWith("0 pairs"));
    assert.equal(await watched.number("Pairs"), "0");
  },

  async "a query that takes long can be stopped"(page, watched) {
    const recorded = await watched.number("Hash");
    await watchEngine(page);
    await startLive(page);
    const stop = page.locator(".live button", { hasText: /^Stop$/ });
    assert.ok(await stop.isHidden());
    await page.evaluate(() => (window.held = []));
    await page.selectOption("select[aria-label=Method]", "brute");
    await stop.click();
    assert.ok((await page.textContent(".live .status")).startsWith("Stopped. The page shows the last result."));
    assert.ok(await stop.isHidden());
    assert.equal(await watched.number("Hash"), recorded);
    await page.evaluate(() => (window.held = undefined));
    await page.click("text=Load the scene again");
    await answered(page);
    await stepUp(page);
    await page.evaluate(() => (window.held = []));
    await page.setInputFiles("#live-files", `${folder}/torus.obj`);
    await stop.click();
    await page.evaluate(() => (window.held = undefined));
    await openFiles(page, "torus.obj");
    assert.equal(await page.textContent(".title"), "torus.obj");
  },

  async "the view is drawn again after its context is restored"(page) {
    const before = await picture(page);
    await page.evaluate(async () => {
      const context = document.querySelector(".viewport canvas").getContext("webgl2").getExtension("WEBGL_lose_context");
      context.loseContext();
      await new Promise((resolve) => setTimeout(resolve, 200));
      context.restoreContext();
      await new Promise((resolve) => setTimeout(resolve, 500));
    });
    assert.ok((await picture(page)) === before, "the view has changed");
  },

  async "the card follows its object"(page) {
    await startLive(page);
    await pick(page);
    const height = async () => Number(await page.locator(".card td").nth(1).textContent());
    const label = await page.textContent(".card .name");
    const before = await height();
    for (const option of await page.locator("[aria-label='Object to move'] option").all())
      if ((await option.textContent()).endsWith(label)) {
        await page.selectOption("[aria-label='Object to move']", await option.getAttribute("value"));
        await stepUp(page);
      }
    assert.ok((await height()) > before);
  },

  async "a selected clash stays selected with another method"(page) {
    await startLive(page);
    await page.keyboard.press("n");
    const note = await page.textContent(".note");
    await page.selectOption("select[aria-label=Method]", "brute");
    await page.waitForFunction(() => document.querySelector(".live .status").textContent.includes("by brute"));
    assert.equal(await page.locator(".clash[aria-current=true]").count(), 1);
    assert.ok(note !== "" && (await page.textContent(".note")) === note);
  },

  async "the verdict of dropped files mentions no frames"(page) {
    await openFiles(page, "torus.obj");
    assert.equal(await page.textContent(".verdict"), "Nothing intersects");
  },

  async "the section plane is where its controls are"(page) {
    await page.keyboard.press("x");
    await page.selectOption("select[aria-label='Section axis']", "y");
    await setSlider(page, "Section position", 0.3);
    const before = await picture(page);
    for (let i = 0; i < 2; ++i) await page.click("[aria-label='Section plane']");
    assert.equal(await picture(page), before);
  },

  async "the section plane moves to a new scene"(page) {
    await page.keyboard.press("x");
    await setSlider(page, "Section position", 0.7);
    await openFiles(page, "large.obj");
    const before = await picture(page);
    await setSlider(page, "Section position", 0.7);
    assert.equal(await picture(page), before);
  },

  async "new objects are visible"(page) {
    await page.click("role=tab[name=Objects]");
    await page.click("text=Hide all");
    await openFiles(page, "torus.obj");
    assert.equal(await page.locator(".objects input:checked").count(), 1);
  },

  async "the ruler is cleared"(page) {
    await page.keyboard.press("r");
    const view = await page.locator(".viewport").boundingBox();
    for (let i = 1; i < 24 && !(await page.textContent(".note")).startsWith("Distance"); ++i)
      await page.mouse.click(view.x + (view.width * i) / 24, view.y + view.height / 2);
    assert.ok((await page.textContent(".note")).startsWith("Distance"));
    await openFiles(page, "torus.obj");
    assert.equal(await page.textContent(".note"), "Click two points.");
  },

  async "coordinates of dropped files are rounded"(page) {
    await openFiles(page, "tenth.obj");
    await pick(page);
    assert.ok((await page.textContent(".card")).includes("Rounded to single precision."));
  },

  async "exports have the name of the dropped file, copies the recorded scene"(page, watched) {
    await openFiles(page, "large.obj");
    assert.ok((await watched.download("Pairs as CSV")).endsWith("large.obj.csv"));
    const copy = readFileSync(await watched.download("Save a copy"), "utf8");
    assert.deepEqual(JSON.parse(/id="graze-state">([^<]*)</.exec(copy)[1]), { frame: 1 });
    assert.ok(!copy.includes("large.obj"));
    await page.click("[aria-label='Fit to view']");
    await page.waitForTimeout(900);
    assert.ok(!(await page.evaluate(() => location.hash)).includes("camera"));
  },

  async "compressed files keep their names, and the chooser is empty"(page) {
    await openFiles(page, "torus.obj.gz");
    assert.equal(await page.textContent(".objects .name"), "torus.obj.gz");
    assert.equal(await page.inputValue("#live-files"), "");
  },

  async "a link to another view is followed"(page) {
    const id = await page.locator(".clash").first().getAttribute("data-clash");
    await page.evaluate((clash) => (location.hash = "clash=" + clash), id);
    await page.waitForSelector(".clash[aria-current=true]");
  },

  async "a scene beyond single precision has a note"(page) {
    assert.ok(await page.locator(".viewport .plain-note").isHidden());
    for (const name of ["vast.obj", "tiny.obj"]) {
      await openFiles(page, name);
      assert.ok((await page.textContent(".viewport .plain-note")).includes("single precision"));
    }
    await openFiles(page, "torus.obj");
    assert.ok(await page.locator(".viewport .plain-note").isHidden());
  },
};

await test(async (newPage) => {
  const failures = [];
  const run = async (name, file, body, hash = "") => {
    const watched = await newPage();
    try {
      watched.page.setDefaultTimeout(20000);
      await body(await watched.open(file, hash), watched);
      watched.seenWell();
    } catch (error) {
      failures.push(`${name}: ${error.message}`);
    }
    await watched.page.context().close();
  };

  graze(0, "make", "torus", "--triangles", "300", "--output", "torus.obj");
  graze(0, "make", "sphere", "--triangles", "200", "--output", "ball.obj");
  graze(1, "check", "torus.obj", "ball.obj", "--move", "1=0.9,0,0", "--report", "page.html", "--quiet");
  const torus = read("torus.obj");
  placed("large.obj", torus, (at) => at.map((x) => 10 * x));
  placed("tenth.obj", torus, ([x, y, z]) => [x + 0.1, y, z]);
  placed("vast.obj", torus, (at) => at.map((x) => 1e60 * x));
  placed("tiny.obj", torus, (at) => at.map((x) => 1e-30 * x));
  writeFileSync(`${folder}/torus.obj.gz`, gzipSync(torus));
  const hasEngine = !/id="graze-engine"><\/script>/.test(read("page.html"));
  if (hasEngine) for (const [name, body] of Object.entries(ofLive)) await run(name, "page.html", body);

  // A camera of a link that cannot show the scene is ignored.
  let plain = "";
  await run("plain", "page.html", async (page) => (plain = await picture(page)));
  for (const camera of [",,,,,", "1,2,3,1,2,3", "1e35,0,0,0,0,0", "1,2,3"])
    await run(`camera ${camera}`, "page.html", async (page) => assert.equal(await picture(page), plain), `#camera=${camera}`);

  // The axis that points up: an option, a key, and part of a link.
  graze(1, "check", "torus.obj", "ball.obj", "--move", "1=0.9,0,0", "--report", "upright.html", "--up", "z", "--quiet");
  let upright = "";
  await run("up by an option", "upright.html", async (page) => {
    upright = await picture(page);
    assert.ok(upright !== plain, "--up z changes nothing");
  });
  await run("up by a link", "page.html", async (page) => assert.ok((await picture(page)) === upright), "#up=z");
  await run("an axis that does not exist", "page.html", async (page) => assert.ok((await picture(page)) === plain), "#up=toString");
  await run("up by a key", "page.html", async (page) => {
    await page.keyboard.press("u");
    await page.waitForFunction(() => location.hash.includes("up=z"));
    assert.ok((await picture(page)) !== plain);
    assert.equal(await page.locator("[aria-label='Axis that points up: z']").count(), 1);
    await page.keyboard.press("u");
    await page.waitForFunction(() => !location.hash.includes("up="));
    assert.ok((await picture(page)) === plain, "the view does not return");
  });

  // A scene that is too large to draw has a note when it is opened, too.
  graze(0, "check", "vast.obj", "--report", "vast.html", "--quiet");
  await run("a recorded scene beyond single precision", "vast.html", async (page) => assert.ok(await page.isVisible(".viewport .plain-note")));

  // The outline of a picked polygon has its edges only; without pairs, it is all that is drawn in instances.
  writeFileSync(`${folder}/quad.obj`, "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n");
  graze(0, "check", "quad.obj", "--report", "quad.html", "--quiet");
  const outline = async (page) => {
    await page.evaluate(() => {
      const before = WebGL2RenderingContext.prototype.drawElementsInstanced;
      WebGL2RenderingContext.prototype.drawElementsInstanced = function (...values) {
        window.instances = values[4];
        return before.apply(this, values);
      };
    });
    await pick(page);
    await picture(page);
    return page.evaluate(() => window.instances);
  };
  await run("outline of a quad", "quad.html", async (page) => assert.equal(await outline(page), 4));
  if (hasEngine)
    await run("outline of a dropped quad", "page.html", async (page) => {
      await openFiles(page, "quad.obj");
      assert.equal(await outline(page), 4);
    });

  // A polygon and its triangles have the same lists of triangles, but their primitives differ.
  writeFileSync(`${folder}/fan.obj`, "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n");
  graze(0, "check", "quad.obj", "fan.obj", "--move", "1=2,0,0", "--report", "same.html", "--quiet");
  await run("primitives of a quad and its triangles", "same.html", async (page) => {
    const view = await page.locator(".viewport").boundingBox(), seen = new Set();
    for (let i = 1; i < 10; ++i)
      for (let k = 4; k < 7; ++k) {
        await page.mouse.click(view.x + (view.width * i) / 10, view.y + (view.height * k) / 10);
        if (await page.locator(".card:not([hidden])").count() > 0) seen.add(await page.textContent(".card h2"));
      }
    assert.deepEqual([...seen].sort(), ["Polygon 0", "Triangle 0", "Triangle 1"]);
  });

  // A browser that does not let the page change its address.
  await run("no link", "page.html", async (page) => {
    await page.evaluate(() => {
      history.replaceState = () => {
        throw new DOMException("refused", "SecurityError");
      };
    });
    await page.keyboard.press("2");
    await page.waitForTimeout(300);
    await page.click(".menu summary");
    await page.click("text=Copy link to this view");
    assert.ok((await page.textContent(".note")).includes("there is no link"));
  });

  // The camera stops outside a sphere.
  writeFileSync(`${folder}/balls.csv`, "x,y,z,radius\n0,0,0,1\n0.5,0,0,1\n4,0,0,1\n");
  graze(0, "analyze", "balls.csv", "--report", "balls.html");
  await run("the most crowded sphere", "balls.html", async (page) => {
    await page.locator(".crowded .link").first().click();
    await page.waitForTimeout(900);
    const camera = (/camera=([^&]*)/.exec(await page.evaluate(() => location.hash)) ?? ["", ""])[1].split(",").map(Number);
    assert.ok(Math.hypot(...[0, 1, 2].map((axis) => camera[axis] - camera[axis + 3])) > 1.5, `camera at ${camera}`);
  });

  // Frames of spheres release their buffers; the note of a clash goes with its frame; the export of issues pauses playback.
  graze(1, "play", "packings", "--primitives", "100", "--frames", "6", "--report", "packings.html", "--quiet");
  const goTo = (page, frame) => setSlider(page, "Frame", frame);
  await run("buffers of spheres", "packings.html", async (page) => {
    await page.evaluate(() => {
      window.buffers = 0;
      const { createBuffer, deleteBuffer } = WebGL2RenderingContext.prototype;
      Object.assign(WebGL2RenderingContext.prototype, {
        createBuffer() {
          ++window.buffers;
          return createBuffer.call(this);
        },
        deleteBuffer(buffer) {
          --window.buffers;
          deleteBuffer.call(this, buffer);
        },
      });
    });
    const turn = async () => {
      for (let frame = 0; frame < 6; ++frame) {
        await goTo(page, frame);
        await picture(page);
      }
      return page.evaluate(() => window.buffers);
    };
    const first = await turn();
    assert.equal(await turn(), first);
  });
  graze(1, "play", "pass-through", "--primitives", "400", "--frames", "9", "--report", "play.html", "--quiet");
  await run("the note of a clash of another frame", "play.html", async (page) => {
    await goTo(page, 4);
    await page.keyboard.press("n");
    assert.ok(await page.isVisible(".note"));
    await goTo(page, 0);
    assert.ok(await page.isHidden(".note"));
  });
  await run("issues while the timeline plays", "play.html", async (page) => {
    await goTo(page, 4);
    const issues = page.waitForEvent("download");
    await page.evaluate(() => {
      document.querySelector("button[aria-label=Play]").click();
      [...document.querySelectorAll(".menu-rows button")].find((row) => row.textContent.includes("BCF")).click();
    });
    await issues;
    await page.waitForTimeout(500);
    assert.ok((await page.textContent(".frame-words")).startsWith("5 /"));
  });
  assert.ok(failures.length === 0, failures.join("\n"));
});
