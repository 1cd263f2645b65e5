// Makes the animation of the README from screenshots of a page in chromium: an animated PNG (PNG specification, third edition, 2025).
// Each frame stores only the rectangle that differs from the previous frame.
// usage: node scripts/viewer_animation.mjs GRAZE MODULES FILE.png
import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { crc32 as crcOfNode, deflateSync, inflateSync } from "node:zlib";

const [tool, modules, file] = process.argv.slice(2);
const WIDTH = 800, HEIGHT = 480, FRAMES = 28, FRAME_MS = 130, CHANNELS = 3;

/* ------------------------------------------------------------------------------------------------ PNG */

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; ++bit) byte = byte & 1 ? 0xedb88320 ^ (byte >>> 1) : byte >>> 1;
  return byte;
});
const crcOf = crcOfNode ?? ((bytes) => ~bytes.reduce((crc, byte) => TABLE[(crc ^ byte) & 255] ^ (crc >>> 8), -1) >>> 0);

function paeth(left, up, corner) {
  const a = Math.abs(up - corner), b = Math.abs(left - corner), c = Math.abs(left + up - 2 * corner);
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

// Returns the prediction of filter `kind` at a place, from the bytes before it.
function expected(kind, left, up, corner) {
  switch (kind) {
    case 1: return left;
    case 2: return up;
    case 3: return (left + up) >> 1;
    case 4: return paeth(left, up, corner);
    default: return 0;
  }
}

// Returns red, green and blue of a screenshot, row by row.
function pixelsOf(png) {
  const parts = [];
  let channels = 0;
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const type = png.toString("latin1", at + 4, at + 8);
    if (type === "IHDR") channels = { 2: 3, 6: 4 }[png[at + 17]];
    if (type === "IDAT") parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const raw = inflateSync(Buffer.concat(parts));
  const row = channels * WIDTH;
  const pixels = Buffer.alloc(CHANNELS * WIDTH * HEIGHT);
  let above = Buffer.alloc(row);
  for (let y = 0; y < HEIGHT; ++y) {
    const kind = raw[y * (row + 1)];
    const line = Buffer.from(raw.subarray(y * (row + 1) + 1, (y + 1) * (row + 1)));
    for (let i = 0; i < row; ++i)
      line[i] += expected(kind, i < channels ? 0 : line[i - channels], above[i], i < channels ? 0 : above[i - channels]);
    for (let x = 0; x < WIDTH; ++x) line.copy(pixels, CHANNELS * (y * WIDTH + x), channels * x, channels * x + CHANNELS);
    above = line;
  }
  return pixels;
}

// Filters each row with the smallest sum of differences, as the specification recommends.
function packed(pixels, { left, top, width, height }) {
  const row = CHANNELS * width;
  const lines = [];
  let above = Buffer.alloc(row);
  for (let y = top; y < top + height; ++y) {
    const line = pixels.subarray(CHANNELS * (y * WIDTH + left), CHANNELS * (y * WIDTH + left + width));
    const tries = [0, 1, 2, 3, 4].map((kind) => {
      const made = Buffer.alloc(row + 1, kind);
      let sum = 0;
      for (let i = 0; i < row; ++i) {
        made[i + 1] = line[i] - expected(kind, i < CHANNELS ? 0 : line[i - CHANNELS], above[i], i < CHANNELS ? 0 : above[i - CHANNELS]);
        sum += Math.min(made[i + 1], 256 - made[i + 1]);
      }
      return { made, sum };
    });
    lines.push(tries.reduce((best, one) => (one.sum < best.sum ? one : best)).made);
    above = line;
  }
  return deflateSync(Buffer.concat(lines), { level: 9 });
}

function difference(before, now) {
  let left = WIDTH, right = -1, top = HEIGHT, bottom = -1;
  for (let i = 0; i < now.length; i += CHANNELS) {
    if (before[i] === now[i] && before[i + 1] === now[i + 1] && before[i + 2] === now[i + 2]) continue;
    const x = (i / CHANNELS) % WIDTH, y = Math.floor(i / CHANNELS / WIDTH);
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = y;
  }
  return right < 0 ? { left: 0, top: 0, width: 1, height: 1 } : { left, top, width: right - left + 1, height: bottom - top + 1 };
}

function chunk(type, content) {
  const made = Buffer.alloc(12 + content.length);
  made.writeUInt32BE(content.length);
  made.write(type, 4, "latin1");
  content.copy(made, 8);
  made.writeUInt32BE(crcOf(made.subarray(4, 8 + content.length)), 8 + content.length);
  return made;
}

function bigEndian(...values) {
  const made = Buffer.alloc(4 * values.length);
  values.forEach((value, i) => made.writeUInt32BE(value, 4 * i));
  return made;
}

function animationOf(pictures) {
  let sequence = 0;
  const chunks = [Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", Buffer.concat([bigEndian(WIDTH, HEIGHT), Buffer.from([8, 2, 0, 0, 0])])),
    chunk("acTL", bigEndian(pictures.length, 0))];
  pictures.forEach((picture, i) => {
    const area = i === 0 ? { left: 0, top: 0, width: WIDTH, height: HEIGHT } : difference(pictures[i - 1], picture);
    const content = packed(picture, area);
    const delay = Buffer.from([FRAME_MS >> 8, FRAME_MS & 255, 1000 >> 8, 1000 & 255, 0, 0]);
    chunks.push(chunk("fcTL", Buffer.concat([bigEndian(sequence++, area.width, area.height, area.left, area.top), delay])));
    chunks.push(i === 0 ? chunk("IDAT", content) : chunk("fdAT", Buffer.concat([bigEndian(sequence++), content])));
  });
  return Buffer.concat([...chunks, chunk("IEND", Buffer.alloc(0))]);
}

/* ------------------------------------------------------------------------------------------------ the page */

const folder = mkdtempSync(join(tmpdir(), "graze-animation-"));
const page = join(folder, "page.html");
const ran = spawnSync(resolve(tool), ["play", "pass-through", "--primitives", "4000", "--frames", String(FRAMES), "--report", page, "--quiet"]);
if (ran.status > 1) throw new Error(`graze play: ${ran.stderr}`);
const { chromium } = createRequire(join(resolve(modules), "any.js"))("playwright-core");
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader"] });
const tab = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT }, reducedMotion: "reduce" });
await tab.goto("file://" + page + "#mode=xray");
await tab.waitForSelector("html[data-ready=true]");
const shots = [];
for (let frame = 0; frame < FRAMES; ++frame) {
  await tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  shots.push(await tab.screenshot());
  await tab.keyboard.press(".");
}
await browser.close();
writeFileSync(file, animationOf(shots.map(pixelsOf)));
