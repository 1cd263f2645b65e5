// Builds the page of the viewer: page.html with embedded script, style and engine, and the same page as C source for the
// tool. Without the npm packages, the C source has no page. usage: node build.mjs FOLDER ENGINE_OR_EMPTY
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const [folder, engine = ""] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const { build, transform } = await import("esbuild").catch((error) => {
  if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
  writeFileSync(join(folder, "viewer_page_text.c"), '#include "viewer/viewer_page_absent.c"\n');
  process.exit();
});
// Builds are reproducible: the gzip header contains no time.
const packed = (bytes) => gzipSync(bytes, { level: 9 }).toString("base64");

// The engine's worker is a separate script, which the page contains as text.
const workerAsText = {
  name: "engine-worker",
  setup(setting) {
    setting.onResolve({ filter: /^virtual:engine-worker$/ }, () => ({ path: "engine-worker", namespace: "virtual" }));
    setting.onLoad({ filter: /.*/, namespace: "virtual" }, async () => ({
      contents: await bundle("engine/engine_worker.ts", []),
      loader: "text",
    }));
  },
};

async function bundle(entry, plugins) {
  const result = await build({
    plugins,
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    legalComments: "eof",
    loader: { ".css": "text" },
    logLevel: "warning",
  });
  return result.outputFiles[0].text;
}

async function style() {
  const result = await build({
    entryPoints: [join(here, "src/style.css")],
    bundle: true,
    minify: true,
    write: false,
    logLevel: "warning",
  });
  return result.outputFiles[0].text;
}

const SCENE_MARK = "<!--scene-->";
const parts = {
  "/*style*/": await style(),
  "<!--script-->": packed(await bundle("src/main.ts", [workerAsText])),
  "<!--engine-->": engine !== "" && existsSync(engine) ? packed(readFileSync(engine)) : "",
  "<!--loader-->": (await transform(readFileSync(join(here, "loader.js"), "utf8"), { minify: true })).code,
};
let page = readFileSync(join(here, "page.html"), "utf8");
for (const [mark, text] of Object.entries(parts)) page = page.split(mark).join(text);
const [before, after] = page.split(SCENE_MARK);

// Numbers, not a string: compilers may limit the length of string literals.
function array(name, text) {
  const bytes = Buffer.from(text, "utf8");
  const lines = [];
  for (let i = 0; i < bytes.length; i += 64) lines.push([...bytes.subarray(i, i + 64)].join(","));
  return `static const unsigned char ${name}[] = {\n${lines.join(",\n")}};\n`;
}

writeFileSync(join(folder, "page.html"), page);
writeFileSync(
  join(folder, "viewer_page_text.c"),
  "/* Made by viewer/build.mjs. */\n#include \"viewer/viewer_page.h\"\n\n" +
    array("before", before) +
    array("after", after) +
    "\nconst viewer_page *viewer_page_text(void) {\n" +
    "  static const viewer_page page = {before, sizeof before, after, sizeof after};\n  return &page;\n}\n",
);
