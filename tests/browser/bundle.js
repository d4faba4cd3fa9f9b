// The script of the search: the files of scripts/ in one, without what only people need. `npm --prefix tests/browser run scripts` writes it.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { minify } from "terser";

const ROOT = join(import.meta.dirname, "../..");
const SOURCES = ["words.js", "names.js", "index.js", "box.js"];

/** What static/search.js must be. */
export async function bundle() {
  const texts = await Promise.all(SOURCES.map((name) => readFile(join(ROOT, "scripts", name), "utf8")));
  const { code } = await minify(texts.join("\n"), {
    compress: { passes: 3, ecma: 2022 },
    mangle: { toplevel: true },
    format: { ecma: 2022 },
  });
  return `// See scripts/\n${code}\n`;
}

if (process.argv[1] === import.meta.filename) await writeFile(join(ROOT, "static/search.js"), await bundle());
