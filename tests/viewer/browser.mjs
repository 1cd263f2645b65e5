// Common functions of the viewer tests: the tool, a browser, and a page whose console, requests and dialogs are monitored.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [tool, modules, folder] = process.argv.slice(2);
export const CHROMIUM = "/usr/bin/chromium";
export const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync", "--enable-unsafe-swiftshader"];

export const moduleOf = createRequire(join(modules, "any.js"));
export { assert, folder };

// Runs the tool in the test's folder. Checks its exit status; returns standard output.
export function graze(status, ...args) {
  const ran = spawnSync(tool, args, { cwd: folder, encoding: "utf8", maxBuffer: 1 << 28 });
  assert.equal(ran.status, status, `graze ${args.join(" ")}: ${ran.stderr}`);
  return ran.stdout;
}

class WatchedPage {
  constructor(page) {
    this.page = page;
    this.troubles = [];
    page.on("console", (message) => {
      if (message.type() === "error") this.troubles.push("console: " + message.text());
    });
    page.on("pageerror", (error) => this.troubles.push("error: " + error.message));
    page.on("dialog", (dialog) => {
      this.troubles.push("dialog: " + dialog.message());
      dialog.dismiss();
    });
    page.on("request", (request) => {
      const url = request.url();
      if (request.resourceType() !== "document" && !url.startsWith("blob:") && !url.startsWith("data:"))
        this.troubles.push("request: " + url);
    });
  }

  async open(file, hash = "") {
    await this.page.goto("about:blank");
    await this.page.goto(pathToFileURL(join(folder, file)).href + hash);
    await this.page.waitForSelector("html[data-ready=true]");
    return this.page;
  }

  // Counts the pixels of the view within limits of red, green and blue.
  count(limits) {
    return this.page.evaluate(async ([low, high]) => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const view = document.querySelector(".viewport canvas");
      const paper = document.createElement("canvas");
      paper.width = view.width;
      paper.height = view.height;
      const context = paper.getContext("2d");
      context.drawImage(view, 0, 0);
      const pixels = context.getImageData(0, 0, paper.width, paper.height).data;
      let count = 0;
      for (let i = 0; i < pixels.length; i += 4)
        if ([0, 1, 2].every((k) => pixels[i + k] >= low[k] && pixels[i + k] <= high[k])) ++count;
      return count;
    }, limits);
  }

  // Returns the path of the file that a menu entry downloads.
  async download(entry) {
    await this.page.click(".menu summary");
    const [download] = await Promise.all([this.page.waitForEvent("download"), this.page.click(`.menu-rows >> text=${entry}`)]);
    const path = join(folder, "download-" + download.suggestedFilename());
    await download.saveAs(path);
    return path;
  }

  number(name) {
    return this.page.evaluate((wanted) => {
      const term = [...document.querySelectorAll("#sheet-facts dt")].find((one) => one.textContent === wanted);
      return term?.nextElementSibling.textContent;
    }, name);
  }

  seenWell() {
    assert.deepEqual(this.troubles, []);
  }
}

export const MARKED = [[150, 30, 0], [255, 130, 70]];
export const CHOSEN = [[110, 0, 50], [255, 60, 140]];

// Runs `body` with a function that opens watched pages, in an empty folder.
export async function test(body) {
  for (const needed of [CHROMIUM, join(modules, "playwright-core")])
    if (!existsSync(needed)) {
      console.log("skipped: " + needed + " is missing");
      return;
    }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const browser = await moduleOf("playwright-core").chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  try {
    await body(async (options = {}) => {
      const context = await browser.newContext({ viewport: { width: 900, height: 600 }, ...options });
      context.setDefaultTimeout(60000);
      return new WatchedPage(await context.newPage());
    });
  } finally {
    await browser.close();
  }
}
